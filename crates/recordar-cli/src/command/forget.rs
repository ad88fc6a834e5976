//! `recordar forget`: deletes for good. On a terminal it asks first.

use super::{can_ask, is_agreed};
use crate::arguments::{Consent, Session, Spec};
use crate::outcome::Outcome;
use crate::output::{plural, printable};
use clap::{Arg, Args};
use recordar::forget::Forgotten;
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::{Map, Value, json};

const TARGETS: [&str; 6] = ["items", "ids", "document", "thread", "receipts", "whole_space"];

pub(crate) const ITEM: Spec = target(&["forget", "item"], "Remove items by id")
    .positional(&["items"])
    .hidden(&["document", "version", "thread", "receipts", "whole_space"])
    .described(&[("items", "Item ids; or use --id")]);
pub(crate) const DOCUMENT: Spec =
    target(&["forget", "document"], "Remove a document by path, file name or id: all its versions, or one")
        .positional(&["document"])
        .hidden(&["items", "ids", "thread", "receipts", "whole_space"])
        .described(&[("document", "Path, file name or id")]);
pub(crate) const THREAD: Spec = target(&["forget", "thread"], "Remove a thread by name, with all its messages")
    .positional(&["thread"])
    .hidden(&["items", "ids", "document", "version", "receipts", "whole_space"])
    .described(&[("thread", "Thread name")]);
pub(crate) const RECEIPT: Spec =
    target(&["forget", "receipt"], "Remove receipts by id, with the queries they hold; the items they name stay")
        .positional(&["receipts"])
        .hidden(&["items", "ids", "document", "version", "thread", "whole_space"])
        .described(&[("receipts", "Receipt ids")]);
pub(crate) const SPACE: Spec = Spec::verb::<verbs::Forget>(&["forget", "space"], run_space)
    .about("Remove a whole space; name it here or with --space or --user")
    .hidden(&["items", "ids", "document", "version", "thread", "receipts", "whole_space"])
    .with(|command| {
        let name = Arg::new("name").value_name("KIND:NAME").conflicts_with_all(["space", "user"]);
        Consent::augment_args(command.arg(name.help("Space name")))
    });

const fn target(path: &'static [&'static str], about: &'static str) -> Spec {
    Spec::verb::<verbs::Forget>(path, run).about(about).with(|command| {
        // The target must be named.
        let named = TARGETS.iter().filter(|name| command.get_arguments().any(|arg| arg.get_id() == **name)).copied();
        let named: Vec<&str> = named.collect();
        Consent::augment_args(match named[..] {
            [items, own_ids] => command.mut_arg(items, |arg| arg.required_unless_present(own_ids)),
            _ => named.into_iter().fold(command, |command, name| command.mut_arg(name, |arg| arg.required(true))),
        })
    })
}

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    forget(session, session.arguments()?)
}

fn run_space(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = session.arguments()?;
    arguments.insert("whole_space".to_owned(), json!(true));
    match session.text("name") {
        Some(name) => forget(&session.in_space(&name), arguments),
        None if session.global.names_space() => forget(session, arguments),
        None => {
            let what = "no space was named; even the default space must be named to be removed";
            Err(Invalid::new(what, "name it: recordar forget space user:ada").into())
        }
    }
}

fn forget(session: &Session<'_>, arguments: Map<String, Value>) -> Result<Outcome, Error> {
    let is_dry_run = arguments.contains_key("dry_run");
    if !is_dry_run && !is_confirmed(session, &arguments)? {
        return Err(Error::input("declined", "nothing was removed", "answer y, or use --yes"));
    }
    let report = session.call::<verbs::Forget>(arguments)?;
    session.output.result(&report, |output| {
        let verb = match (report.dry_run, report.repeated) {
            (true, _) => "would remove",
            (false, true) => "already removed under this operation id:",
            (false, false) => "removed",
        };
        let target =
            if report.target.is_empty() { String::new() } else { format!(" ({})", printable(&report.target, &[])) };
        output.line(&format!("{verb} {} from {}{target}", listed(&report.forgotten), report.space));
        for warning in &report.warnings {
            output.hint(&format!("note: {}\n  try: {}", warning.what, warning.remedy));
        }
    });
    Ok(Outcome::Done)
}

fn is_confirmed(session: &Session<'_>, arguments: &Map<String, Value>) -> Result<bool, Error> {
    if session.has("yes") || !can_ask() {
        return Ok(true);
    }
    let mut dry_run = arguments.clone();
    dry_run.insert("dry_run".to_owned(), json!(true));
    let preview = match session.call::<verbs::Forget>(dry_run) {
        Ok(preview) => preview,
        // There is nothing to confirm: it does not exist, or this operation already removed it.
        Err(_) => return Ok(true),
    };
    let target = printable(&preview.target, &[]);
    Ok(is_agreed(&format!("Remove {target} for good: {}?", listed(&preview.forgotten))))
}

pub(super) fn listed(forgotten: &Forgotten) -> String {
    let counts = [
        (forgotten.documents, "document"),
        (forgotten.versions, "version"),
        (forgotten.chunks, "chunk"),
        (forgotten.threads, "thread"),
        (forgotten.messages, "message"),
        (forgotten.facts, "fact"),
        (forgotten.summaries, "summary"),
        (forgotten.receipts, "receipt"),
        (forgotten.helpers, "helper"),
        (forgotten.categories, "category name"),
        (forgotten.records, "record"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun)).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
