//! What a composition would be now, beside what it was when its receipt was written.

use super::{Composed, Composing};
use crate::compose::{ComposeChange, ComposeDiff, ComposeRequest, ComposedFile};
use crate::engine::Recordar;
use crate::error::Error;
use crate::receipt::{ComposeReceipt, Receipt};
use recordar_compose::QuotedText;
use recordar_domain::{Action, SpaceName, Trace};
use similar::TextDiff;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Comparing two long texts without a common line would take hours; after a while a coarser comparison is used.
const MAX_DIFF_TIME: Duration = Duration::from_secs(5);

/// What is known of a quoted item.
struct Known {
    section: &'static str,
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
    let request = ComposeRequest { as_of: None, asked_at: None, receipt: Some(false), ..made.request.clone() };
    let composing = Composing::new(memory, space, &request)?;
    let now = composing.compose()?;
    let names = [format!("then, {}", body.made_at), "now".to_owned()];
    let diff = TextDiff::configure().timeout(MAX_DIFF_TIME).diff_lines(then, &now.result.prompt);
    let mut changes = changed_files(&made.files, &now.result.files);
    let revision = body.revisions.first().copied().flatten().unwrap_or_default();
    changes.extend(composing.changed_items(made, (&now, &body.trace), revision)?);
    for (section, before) in now.result.sections.iter().zip(&made.sections).filter(|(now, before)| now != before) {
        let (change, what) = ("changed", format!("{} tokens, {} then", section.tokens, before.tokens));
        let why = match section.name.as_str() {
            "Hard Rules" => "the rules were changed; `recordar rules history` shows how",
            "Project Memory" => "the project memory was changed; `recordar project history` shows how",
            "Task/Mode" => "the prompt was shaped differently",
            _ if changes.iter().any(|change| change.section == section.name) => continue,
            _ => "other parts of the same texts are quoted",
        };
        changes.push(ComposeChange { section: section.name.clone(), change, what, why: why.to_owned() });
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
            let Some(known) = known.get(&id) else { continue };
            let (change, why) = match quoted.contains(&id) {
                true if known.born > revision => ("added", "it was stored since then".to_owned()),
                true => ("added", said_of(trace_then, id).unwrap_or_else(|| "it was not found then".to_owned())),
                false if known.is_retired => ("removed", "its text was changed or removed since then".to_owned()),
                false => {
                    ("removed", said_of(&now.result.trace, id).unwrap_or_else(|| "it is not found now".to_owned()))
                }
            };
            changes.push(ComposeChange {
                section: known.section.to_owned(),
                change,
                what: super::history::name(id),
                why,
            });
        }
        Ok(changes)
    }

    fn known(&self, ids: &[i64]) -> Result<BTreeMap<i64, Known>, Error> {
        let rows = self.read(|reading, at| reading.items(at.space, ids))?;
        let known = rows.into_iter().map(|row| {
            let section = if row.document_id.is_some() { "S_ctx" } else { "RECENT HISTORY" };
            (row.id, Known { section, born: row.born, is_retired: row.retired.is_some() })
        });
        Ok(known.collect())
    }
}

/// The last decision of a trace that left an item out.
fn said_of(trace: &Trace, id: i64) -> Option<String> {
    let (short, long) = (super::history::name(id), format!(" item {id}"));
    let stages = trace.stages.iter().flat_map(|stage| stage.decisions.iter().map(move |decision| (stage, decision)));
    let mut about = stages.filter(|(_, decision)| decision.subject == short || decision.subject.ends_with(&long));
    let (stage, decision) = about.rfind(|(_, decision)| decision.action == Action::Dropped)?;
    Some(format!("{}: {}, {}", stage.name, decision.reason, decision.detail))
}
