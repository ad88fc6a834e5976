//! What a composition would be now, beside what it was when its receipt was written.

use super::{Composed, Composing, check_rate};
use crate::engine::Recordar;
use recordar_compose::{QuotedText, item_name};
use recordar_core::compose::{Agent, By, ComposeChange, ComposeDiff, ComposeRequest, ComposedFile};
use recordar_core::error::Error;
use recordar_core::noun::line_diff::line_diff;
use recordar_core::receipt::{ComposeReceipt, Receipt, StandingVersions};
use recordar_core::route::Items;
use recordar_domain::{Action, SpaceName, Trace};
use recordar_store::{Error as StoreError, ItemRow};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a quoted item.
struct Known {
    section: &'static str,
    /// The document, or who said it.
    from: String,
    /// The revision at which it came.
    born: i64,
    is_retired: bool,
}

/// Composes again what a receipt asked for, and compares. `then` is its prompt, put together again.
pub(crate) fn diff(
    memory: &Recordar,
    space: &SpaceName,
    (receipt, body): (String, &Receipt),
    (then, made): (&str, &ComposeReceipt),
) -> Result<ComposeDiff, Error> {
    check_rate(memory, space)?;
    // Comparing asks no model.
    let agents = made.request.agents.clone().unwrap_or_default();
    let by_model: Vec<Agent> = agents.iter().filter(|(_, by)| **by == By::Model).map(|(agent, _)| *agent).collect();
    let rules = |(agent, by): (Agent, By)| (agent, if by == By::Model { By::Rules } else { by });
    let agents = Some(agents.into_iter().map(rules).collect());
    let request = ComposeRequest { as_of: None, asked_at: None, receipt: Some(false), agents, ..made.request.clone() };
    let operation = memory.reasoning.operation();
    let composing = Composing::new(memory, space, &request, &operation)?;
    let now = composing.compose()?;
    let names = [format!("then, {}", body.made_at), "now".to_owned()];
    let diff = line_diff(then, &now.result.prompt);
    let mut changes = changed_files(&made.files, &now.result.files);
    let revision = composing.read(|reading, at| match body.as_of {
        Some(time) => reading.revision_at(at.space, time),
        None => Ok(body.revisions.first().copied().flatten().unwrap_or_default()),
    })?;
    changes.extend(composing.changed_items(made, (&now, &body.trace), revision)?);
    changes.extend(by_model.into_iter().map(|agent| ComposeChange {
        section: "agents".to_owned(),
        change: "changed",
        what: agent.name().to_owned(),
        why: "the model did its work then; here rules do, since comparing asks no model".to_owned(),
    }));
    changes.extend(changed_standing(made.versions, now.versions));
    for (section, before) in now.result.sections.iter().zip(&made.sections).filter(|(now, before)| now != before) {
        if changes.iter().any(|change| change.section == section.name) {
            continue;
        }
        let why = match section.name.as_str() {
            "Task/Mode" => "the prompt was shaped differently",
            "Hard Rules" | "Project Memory" => "it is redacted differently",
            _ => "other parts of the same texts are quoted, or something else is open",
        };
        let what = format!("{} tokens, {} then", section.tokens, before.tokens);
        changes.push(ComposeChange { section: section.name.clone(), change: "changed", what, why: why.to_owned() });
    }
    Ok(ComposeDiff {
        receipt,
        made_at: body.made_at,
        query: now.result.query.clone(),
        identical: then == now.result.prompt,
        tokens_then: body.total_tokens,
        tokens_now: now.result.tokens,
        changes,
        diff: diff.unified_diff().header(&names[0], &names[1]).to_string(),
    })
}

fn changed_files(then: &[ComposedFile], now: &[ComposedFile]) -> Vec<ComposeChange> {
    let changed = |now: &ComposedFile| {
        let then = then.iter().find(|then| then.document_id == now.document_id)?;
        let (old, new) = (then.version, now.version);
        (then != now).then(|| ComposeChange {
            section: "❖ FILES".to_owned(),
            change: "changed",
            what: now.path.clone(),
            why: match old == new {
                true => "another part of it is packed".to_owned(),
                false => format!("it had version {old}, and has version {new} now"),
            },
        })
    };
    now.iter().filter_map(changed).collect()
}

fn changed_standing(then: StandingVersions, now: StandingVersions) -> Vec<ComposeChange> {
    let all = [
        ("Hard Rules", "rules", then.rules, now.rules),
        ("Project Memory", "project", then.project, now.project),
        ("synonyms", "synonyms", then.synonyms, now.synonyms),
    ];
    let version = |number: i64| if number == 0 { "not set".to_owned() } else { format!("version {number}") };
    let changed = all.into_iter().filter(|(_, _, then, now)| then != now);
    let change = |(section, name, then, now): (&str, &str, i64, i64)| ComposeChange {
        section: section.to_owned(),
        change: "changed",
        what: format!("{} then, {} now", version(then), version(now)),
        why: format!("`recordar {name} history` shows its versions"),
    };
    changed.map(change).collect()
}

impl Composing<'_> {
    /// The items that are quoted then and not now, or now and not then, each with the reason.
    fn changed_items(
        &self,
        then: &ComposeReceipt,
        (now, trace_then): (&Composed, &Trace),
        revision: i64,
    ) -> Result<Vec<ComposeChange>, Error> {
        let items = then.texts.iter().filter(|text| text.document_id.is_none());
        let then: BTreeSet<i64> = items.flat_map(|text| &text.parts).map(|part| part.item_id).collect();
        let item = |quoted: &QuotedText| match quoted {
            QuotedText::Item(id) => Some(*id),
            QuotedText::File(_) => None,
        };
        let quoted: BTreeSet<i64> = now.prompt.quoted().iter().filter_map(item).collect();
        let ids: Vec<i64> = then.symmetric_difference(&quoted).copied().collect();
        let known = self.known(&ids)?;
        let mut changes = Vec::with_capacity(ids.len());
        for id in ids {
            let is_now = quoted.contains(&id);
            let Some(known) = known.get(&id) else {
                let (section, what) = ("S_ctx".to_owned(), item_name(id));
                let why = "it is not stored in this database".to_owned();
                changes.push(ComposeChange { section, change: "removed", what, why });
                continue;
            };
            let left_out = |trace: &Trace, when: &str| match said_of(trace, id) {
                Some(said) => format!("{when} it was left out: {said}"),
                None => format!("{when} it was not found"),
            };
            let why = match is_now {
                true if known.born > revision => "it was stored since then".to_owned(),
                true => left_out(trace_then, "then"),
                false if known.is_retired => "its text was changed or removed since then".to_owned(),
                false => left_out(&now.result.trace, "now"),
            };
            changes.push(ComposeChange {
                section: known.section.to_owned(),
                change: if is_now { "added" } else { "removed" },
                what: format!("{}, {}", item_name(id), known.from),
                why,
            });
        }
        Ok(changes)
    }

    fn known(&self, ids: &[i64]) -> Result<BTreeMap<i64, Known>, Error> {
        let spaces = [self.space.clone()];
        let rows = self.read(|reading, at| {
            let mut items = Items::new(&spaces);
            let rows = reading.items(at.space, ids)?;
            let view = |row: ItemRow| Ok((row.clone(), items.view(reading, (0, at.space), row)?));
            rows.into_iter().map(view).collect::<Result<Vec<_>, StoreError>>()
        })?;
        let mut known = BTreeMap::new();
        for (row, item) in rows {
            let day = item.occurred_at.day();
            let (section, from) = match item.source() {
                Some(document) => ("S_ctx", self.name(document)?),
                None => ("RECENT HISTORY", format!("{} of {day}", item.kind.name())),
            };
            known.insert(row.id, Known { section, from, born: row.born, is_retired: row.retired.is_some() });
        }
        Ok(known)
    }
}

/// The last decision of a trace that left an item out.
fn said_of(trace: &Trace, id: i64) -> Option<String> {
    let (short, long) = (item_name(id), format!(" item {id}"));
    let stages = trace.stages.iter().flat_map(|stage| stage.decisions.iter().map(move |decision| (stage, decision)));
    let mut about = stages.filter(|(_, decision)| decision.subject == short || decision.subject.ends_with(&long));
    let (stage, decision) = about.rfind(|(_, decision)| decision.action == Action::Dropped)?;
    Some(format!("{}: {}, {}", stage.name, decision.reason, decision.detail))
}
