//! `recordar export`, `import`, `backup` and `restore`: data that moves in and out.

use super::{Outcome, can_ask, cannot_read, is_agreed, open};
use crate::arguments::{Backup, Export, Global, Import, Restore};
use crate::output::{Output, plural, printable};
use recordar::{Error, ExportReport, ExportScope, ImportFormat, ImportReport, ImportRequest, Invalid, RestoreReport};
use std::collections::BTreeMap;
use std::io::{BufReader, BufWriter, Seek};
use std::path::Path;

pub(crate) fn export(export: &Export, global: &Global, output: &Output) -> Result<Outcome, Error> {
    if export.all && global.names_space() {
        return Err(Invalid::new("--all is every space, and one was named", "leave out one of the two").into());
    }
    let (memory, space) = open(global)?;
    let scope = if export.all { ExportScope::Store } else { ExportScope::Spaces(vec![space]) };
    match export.file.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => show_export(&memory.export_file(&scope, file, export.force)?, output),
        None => {
            let report = memory.export(&scope, &mut BufWriter::new(std::io::stdout().lock()))?;
            output.hint(&exported(&report));
        }
    }
    Ok(Outcome::Done)
}

pub(crate) fn backup(backup: &Backup, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, _) = open(global)?;
    show_export(&memory.export_file(&ExportScope::Store, &backup.file, backup.force)?, output);
    Ok(Outcome::Done)
}

fn show_export(report: &ExportReport, output: &Output) {
    output.result(report, |output| output.line(&exported(report)));
}

fn exported(report: &ExportReport) -> String {
    let rows = report.spaces.iter().map(|space| space.rows).sum();
    let place = report.file.as_ref().map_or(String::new(), |file| format!(" to {}", file.display()));
    format!("wrote {} with {}{place}", plural(report.spaces.len() as u64, "space"), plural(rows, "row"))
}

pub(crate) fn import(import: &Import, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let operation = import.operation.id()?;
    output.begin(&operation);
    let format = import.format.as_deref().map(ImportFormat::parse).transpose()?;
    let (each_user, names_space) = (import.each_user, global.names_space());
    let thread = import.thread.clone();
    let request = ImportRequest { format, each_user, thread, names_space, operation };
    let (memory, space) = open(global)?;
    let report = if import.file == Path::new("-") {
        memory.import(&space, &mut spooled_stdin()?, "stdin", &request)?
    } else {
        memory.import_file(&space, &import.file, &request)?
    };
    output.result(&report, |output| show_import(&report, output));
    Ok(Outcome::Done)
}

fn show_import(report: &ImportReport, output: &Output) {
    const MOST_SHOWN: usize = 20;
    for space in &report.spaces {
        let known = if space.known { ", which was here already, row for row" } else { "" };
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
        output.warn(&format!("left out, {reason}: {count} (--json tells which)"));
    }
    let added: usize = report.conversations.iter().map(|conversation| conversation.added).sum();
    if report.spaces.is_empty() {
        output.line(&format!("{} from {}", plural(added as u64, "new item"), report.format));
    }
}

pub(crate) fn restore(restore: &Restore, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, _) = open(global)?;
    let spaces = memory.spaces()?;
    let question = format!("Replace {} by the backup?", plural(spaces.len() as u64, "space"));
    let is_piped = restore.file == Path::new("-");
    let asks = !restore.yes && !spaces.is_empty() && can_ask();
    if asks && !is_agreed(&question) {
        return Err(Error::input("declined", "nothing was restored", "answer y, or use --yes"));
    }
    let report = if is_piped { memory.restore(&mut spooled_stdin()?)? } else { memory.restore_file(&restore.file)? };
    output.result(&report, |output| show_restored(&report, output));
    Ok(Outcome::Done)
}

/// Standard input, on the disk: a pipe that stands still must not hold up everybody who wants to write.
fn spooled_stdin() -> Result<BufReader<std::fs::File>, Error> {
    let spool = || {
        let mut file = tempfile::tempfile()?;
        std::io::copy(&mut std::io::stdin().lock(), &mut file)?;
        file.rewind()?;
        Ok(BufReader::new(file))
    };
    spool().map_err(|error| cannot_read("standard input", &error))
}

fn show_restored(report: &RestoreReport, output: &Output) {
    let rows = report.spaces.iter().map(|space| space.rows).sum();
    output.line(&format!("restored {} with {}", plural(report.spaces.len() as u64, "space"), plural(rows, "row")));
    for space in &report.removed {
        output.warn(&format!("{} was not in the backup, and is gone", printable(space, &[])));
    }
}
