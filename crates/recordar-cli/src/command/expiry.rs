//! `recordar expiry` and `recordar expire`: ends of threads, items and tags, and forgetting what has come to its end.

use super::forget::listed;
use super::{can_ask, is_agreed};
use crate::arguments::{Consent, Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use clap::Args;
use recordar::Error;
use recordar::forget::{ExpireReport, ExpirySet, ExpiryView};
use recordar::verb::verbs;
use serde_json::json;

pub(crate) const SET: Spec = Spec::verb::<verbs::SetExpiry>(&["expiry", "set"], set);
pub(crate) const LIST: Spec = Spec::verb::<verbs::Expiries>(&["expiry", "list"], list);
pub(crate) const EXPIRE: Spec = Spec::verb::<verbs::Expire>(&["expire"], expire).with(Consent::augment_args);

fn set(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::SetExpiry>(show_set)
}

fn show_set(set: &ExpirySet, output: &Output) {
    output.line(&match (set.expires_at, set.expired_at_before) {
        (Some(now), Some(before)) if now != before => format!("expires at {now}, instead of {before}"),
        (Some(now), _) => format!("expires at {now}"),
        (None, Some(before)) => format!("is kept; it would have expired at {before}"),
        (None, None) => "is kept; it had no end".to_owned(),
    });
}

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Expiries>(|views, output| {
        if views.is_empty() {
            output.line("nothing has an end");
            return;
        }
        let row = |view: &ExpiryView| {
            let due = if view.is_due { "due" } else { "" };
            vec![
                view.expires_at.to_string(),
                due.to_owned(),
                view.kind.to_owned(),
                view.subject.clone(),
                view.id.clone().unwrap_or_default(),
            ]
        };
        output.table(&["expires", "", "kind", "subject", "id"], views.iter().map(row));
    })
}

fn expire(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    if !arguments.contains_key("dry_run") && !session.has("yes") && can_ask() {
        let mut dry_run = arguments.clone();
        dry_run.insert("dry_run".to_owned(), json!(true));
        let preview = session.call::<verbs::Expire>(dry_run)?;
        let is_empty = preview.spaces == 0;
        if !is_empty && !is_agreed(&format!("Remove for good: {}?", listed(&preview.expired.forgotten))) {
            return Err(Error::input("declined", "nothing was removed", "answer y, or use --yes"));
        }
    }
    let report = session.call::<verbs::Expire>(arguments)?;
    session.output.result(&report, |output| show(&report, output));
    Ok(Outcome::Done)
}

fn show(report: &ExpireReport, output: &Output) {
    let expired = &report.expired;
    let ends = [(expired.threads, "thread"), (expired.items, "item"), (expired.tags, "tag")];
    let ends: Vec<String> =
        ends.iter().filter(|(count, _)| *count > 0).map(|(count, what)| plural(*count, what)).collect();
    if ends.is_empty() {
        output.line("nothing has come to its end");
        return;
    }
    let removed = if report.dry_run { "would remove" } else { "removed" };
    let spaces = plural(report.spaces, "space");
    output.line(&format!(
        "{removed} {} from {spaces}: the end of {} has come",
        listed(&expired.forgotten),
        ends.join(", ")
    ));
    for warning in &report.warnings {
        output.hint(&format!("note: {}\n  try: {}", warning.what, warning.remedy));
    }
}
