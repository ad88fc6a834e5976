//! `recordar item`: shows one item with its history, changes one, and lists items such as facts.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::Output;
use recordar::Error;
use recordar::item::{HistoryEntry, StoredItem};
use recordar::text::one_line;
use recordar::verb::verbs;

const SHOWN_CHARS: usize = 100;

pub(crate) const GET: Spec = Spec::verb::<verbs::Item>(&["item", "get"], get)
    .positional(&["item"])
    .described(&[("item", "Its number, as `search` shows it; or use --id")]);
pub(crate) const UPDATE: Spec = Spec::verb::<verbs::Update>(&["item", "update"], update)
    .positional(&["item"])
    .described(&[("item", "Its number, as `search` shows it; or use --id")]);
pub(crate) const HISTORY: Spec = Spec::verb::<verbs::History>(&["item", "history"], history)
    .positional(&["item"])
    .described(&[("item", "Its number, as `search` shows it; or use --id")]);
pub(crate) const LIST: Spec = Spec::verb::<verbs::Items>(&["item", "list"], list);

fn get(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Item>(|found, output| {
        output.line(&format!("item {}{}", found.item.item_id, place(found)));
        for (name, value) in [("id", &found.item.stored.own_id), ("source", &found.source)] {
            if let Some(value) = value {
                output.line(&format!("{name}: {value}"));
            }
        }
        if !found.live {
            output.line("retired: it is found only as of an earlier time");
        }
        if found.important {
            output.line("important");
        }
        for about in &found.about {
            output.line(&format!("about: {} (version {})", about.document, about.version));
        }
        if !found.item.stored.metadata.is_empty() {
            output.line(&format!("metadata: {}", serde_json::Value::Object(found.item.stored.metadata.clone())));
        }
        output.line(found.item.text.trim_end());
    })
}

fn update(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Update>(|updated, output| match updated.item_id == updated.replaced {
        true => output.line(&format!("item {} is unchanged", updated.item_id)),
        false => output.line(&format!("item {} took the place of item {}", updated.item_id, updated.replaced)),
    })
}

fn history(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::History>(|history, output| {
        let row = |entry: &HistoryEntry| {
            vec![
                entry.item.item.item_id.to_string(),
                entry.item.recorded_at.to_string(),
                entry.retired_at.map_or_else(|| "live".to_owned(), |time| time.to_string()),
                one_line(&entry.item.item.text, SHOWN_CHARS),
            ]
        };
        output.table(&["item", "from", "until", "text"], history.entries.iter().map(row));
    })
}

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Items>(|list, output| {
        if list.items.is_empty() {
            output.line("nothing was found");
        } else {
            let row = |item: &StoredItem| {
                vec![
                    item.item.item_id.to_string(),
                    item.item.kind.name().to_owned(),
                    item.item.stored.own_id.clone().unwrap_or_default(),
                    item.item.occurred_at.to_string().chars().take(10).collect(),
                    one_line(&item.item.text, SHOWN_CHARS),
                ]
            };
            output.table(&["item", "kind", "id", "date", "text"], list.items.iter().map(row));
        }
        show_rest(&list.missing, list.next, output);
    })
}

fn show_rest(missing: &[String], next: Option<i64>, output: &Output) {
    if !missing.is_empty() {
        output.hint(&format!("not found: {}", missing.join(", ")));
    }
    if let Some(next) = next {
        output.hint(&format!("there are more: repeat it with --after {next}"));
    }
}

fn place(found: &StoredItem) -> String {
    let item = &found.item;
    let place = item.document.clone().or_else(|| item.thread.as_ref().map(|thread| format!("thread {thread}")));
    let who = item.speaker.clone().or_else(|| item.role.clone());
    let parts =
        [Some(item.kind.name().to_owned()), place, item.section.clone(), who, Some(item.occurred_at.to_string())];
    parts.into_iter().flatten().map(|part| format!(" · {part}")).collect()
}
