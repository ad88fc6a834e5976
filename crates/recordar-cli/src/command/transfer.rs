//! `recordar export`, `import`, `backup` and `restore`.

use super::{can_ask, cannot_read, is_agreed};
use crate::arguments::{Consent, Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural, printable};
use clap::Args;
use recordar::transfer::{ExportReport, ExportScope, ImportFormat, ImportReport, ImportRequest, RestoreReport};
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{BufReader, BufWriter, Seek};

pub(crate) const EXPORT: Spec = Spec::verb::<verbs::Export>(&["export"], export)
    .positional(&["file"])
    .optional(&["file"])
    .described(&[("file", "The file to write [default: standard output]")]);
pub(crate) const IMPORT: Spec = Spec::verb::<verbs::Import>(&["import"], import).positional(&["file"]).described(&[(
    "file",
    "The file to read, or - for standard input: an export from Recordar, ChatGPT, Claude, mem0 or Zep, or a transcript",
)]);
pub(crate) const BACKUP: Spec = Spec::verb::<verbs::Backup>(&["backup"], backup)
    .positional(&["file"])
    .described(&[("file", "The file to write, or - for standard output")]);
pub(crate) const RESTORE: Spec = Spec::verb::<verbs::Restore>(&["restore"], restore)
    .positional(&["file"])
    .described(&[("file", "The backup to read, or - for standard input. It replaces everything in the store")])
    .with(Consent::augment_args);

fn export(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    let is_all = arguments.contains_key("all");
    if is_all && session.global.names_space() {
        return Err(Invalid::new("--all exports every space, but a space was named", "use only one of the two").into());
    }
    if arguments.contains_key("file") && !is_pipe(&arguments) {
        return session.print::<verbs::Export>(show_export);
    }
    let scope = if is_all { ExportScope::Store } else { ExportScope::Spaces(vec![session.space()?.clone()]) };
    stream(session, &scope, arguments.contains_key("redact"))
}

fn backup(session: &Session<'_>) -> Result<Outcome, Error> {
    if is_pipe(&session.arguments()?) {
        return stream(session, &ExportScope::Store, false);
    }
    session.print::<verbs::Backup>(show_export)
}

fn stream(session: &Session<'_>, scope: &ExportScope, is_redacted: bool) -> Result<Outcome, Error> {
    let (memory, out) = (session.memory()?, &mut BufWriter::new(std::io::stdout().lock()));
    let report = match is_redacted {
        true => memory.export_redacted(scope, out)?,
        false => memory.export(scope, out)?,
    };
    session.output.hint(&exported(&report));
    Ok(Outcome::Done)
}

fn show_export(report: &ExportReport, output: &Output) {
    output.line(&exported(report));
}

fn exported(report: &ExportReport) -> String {
    let rows = report.spaces.iter().map(|space| space.rows).sum();
    let place = report.file.as_ref().map_or(String::new(), |file| format!(" to {}", file.display()));
    format!("wrote {} with {}{place}", plural(report.spaces.len() as u64, "space"), plural(rows, "row"))
}

fn import(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    let report = match is_pipe(&arguments) {
        true => {
            let text = |name: &str| arguments.get(name).and_then(Value::as_str);
            let request = ImportRequest {
                format: text("format").map(ImportFormat::parse).transpose()?,
                each_user: arguments.contains_key("each_user"),
                thread: text("thread").map(str::to_owned),
                date: text("date").map(str::to_owned),
                names_space: session.global.names_space(),
                operation: session.operation().clone(),
            };
            session.memory_to_write()?.import_open(session.space()?, spooled_stdin()?, "stdin", &request)?
        }
        false => session.call::<verbs::Import>(arguments)?,
    };
    session.output.result(&report, |output| show_import(&report, output));
    Ok(Outcome::Done)
}

fn show_import(report: &ImportReport, output: &Output) {
    const MOST_SHOWN: usize = 20;
    for space in &report.spaces {
        let known = if space.known { ": nothing to import, the same rows are already there" } else { "" };
        output.line(&format!("{} with {}{known}", printable(&space.space, &[]), plural(space.rows, "row")));
    }
    let rows = report.conversations.iter().take(MOST_SHOWN).map(|conversation| {
        vec![
            conversation.space.clone(),
            conversation.thread.clone().unwrap_or_default(),
            conversation.title.clone().unwrap_or_default().chars().take(50).collect(),
            conversation.added.to_string(),
            conversation.updated.to_string(),
            conversation.known.to_string(),
        ]
    });
    if !report.conversations.is_empty() {
        output.table(&["space", "thread", "title", "added", "of which updated", "known"], rows);
    }
    if report.conversations.len() > MOST_SHOWN {
        output.line(&format!("… and {} more", report.conversations.len() - MOST_SHOWN));
    }
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    report.left_out.iter().for_each(|left_out| *reasons.entry(left_out.reason).or_default() += 1);
    for (reason, count) in reasons {
        output.warn(&format!("left out or changed, {reason}: {count} (--json lists them)"));
    }
    let added: usize = report.conversations.iter().map(|conversation| conversation.added).sum();
    if report.spaces.is_empty() {
        output.line(&format!("{} from {}", plural(added as u64, "new item"), report.format));
    }
}

fn restore(session: &Session<'_>) -> Result<Outcome, Error> {
    let spaces = match session.memory()?.spaces() {
        // There is nothing that could be lost.
        Err(error) if error.code() == "no_database" => Vec::new(),
        spaces => spaces?,
    };
    let replaced = plural(spaces.len() as u64, "space");
    if !spaces.is_empty() && !session.has("yes") {
        if !can_ask() {
            let what = format!(
                "nothing was restored: the backup would replace {replaced}, and there is no terminal to ask on"
            );
            return Err(Error::input("declined", what, "use --yes if you want that"));
        }
        if !is_agreed(&format!("Replace {replaced} with the backup?")) {
            return Err(Error::input("declined", "nothing was restored", "answer y, or use --yes"));
        }
    }
    let arguments = session.arguments()?;
    let report = match is_pipe(&arguments) {
        true => session.memory_to_write()?.restore(&mut BufReader::new(spooled_stdin()?))?,
        false => session.call::<verbs::Restore>(arguments)?,
    };
    session.output.result(&report, |output| show_restored(&report, output));
    Ok(Outcome::Done)
}

/// Only the command line can read from and write to a pipe.
fn is_pipe(arguments: &Map<String, Value>) -> bool {
    arguments.get("file").is_some_and(|file| file == "-")
}

/// Standard input, copied to an unnamed temporary file: a stalled pipe must not block other writers.
fn spooled_stdin() -> Result<std::fs::File, Error> {
    let spool = || {
        let mut file = tempfile::tempfile()?;
        std::io::copy(&mut std::io::stdin().lock(), &mut file)?;
        file.rewind()?;
        Ok(file)
    };
    spool().map_err(|error| cannot_read("standard input", &error))
}

fn show_restored(report: &RestoreReport, output: &Output) {
    let rows = report.spaces.iter().map(|space| space.rows).sum();
    output.line(&format!("restored {} with {}", plural(report.spaces.len() as u64, "space"), plural(rows, "row")));
    for space in &report.removed {
        output.warn(&format!("{} was not in the backup and was removed", printable(space, &[])));
    }
}
