//! `recordar receipts`: lists and shows receipts, and moves them to another database.

use super::{cannot_read, cannot_write, read_stdin};
use crate::arguments::{ReceiptsExport, ReceiptsImport, ReceiptsShow, Session, Spec};
use crate::outcome::Outcome;
use crate::output::plural;
use clap::Args;
use recordar::file_access::{open_plain, write_private};
use recordar::receipt::ReceiptExport;
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use std::io::Read;
use std::path::Path;

const MAX_IMPORT_BYTES: u64 = 256 * 1024 * 1024;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Receipts>(&["receipts", "list"], list);
pub(crate) const SHOW: Spec = Spec::own(&["receipts", "show"], "Show a receipt", ReceiptsShow::augment_args, show);
pub(crate) const EXPORT: Spec = Spec::own(
    &["receipts", "export"],
    "Export receipts with the items they name, as JSON lines, for another database",
    ReceiptsExport::augment_args,
    export_receipts,
);
pub(crate) const IMPORT: Spec =
    Spec::own(&["receipts", "import"], "Import exported receipts", ReceiptsImport::augment_args, import_receipts);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    let space = session.space()?;
    session.print::<verbs::Receipts>(|list, output| {
        if list.is_empty() {
            output.line(&format!(
                "{space} has no receipts; keep one with `recall --receipt` or `ask --receipt`, or all of them with receipts.enabled"
            ));
            return;
        }
        let rows = list.iter().map(|receipt| {
            vec![
                receipt.receipt.clone(),
                receipt.made_at.to_string(),
                receipt.memories.to_string(),
                receipt.total_tokens.to_string(),
                receipt.query.chars().take(60).collect(),
            ]
        });
        output.table(&["receipt", "made at", "memories", "tokens", "query"], rows);
    })
}

fn show(session: &Session<'_>) -> Result<Outcome, Error> {
    let ReceiptsShow { receipt } = session.own()?;
    let (_, receipt) = session.memory()?.receipt(session.space()?, &receipt)?;
    session.output.line(&format!("{:#}", serde_json::json!(receipt)));
    Ok(Outcome::Done)
}

fn export_receipts(session: &Session<'_>) -> Result<Outcome, Error> {
    let ReceiptsExport { receipts, output: file, force } = session.own()?;
    let (memory, space) = (session.memory()?, session.space()?);
    let ids = if receipts.is_empty() { memory.receipt_ids(space)? } else { receipts };
    let line =
        |id: &String| -> Result<String, Error> { Ok(serde_json::json!(memory.export_receipt(space, id)?).to_string()) };
    let Some(file) = file.filter(|file| file != Path::new("-")) else {
        for id in &ids {
            session.output.line(&line(id)?);
        }
        return Ok(Outcome::Done);
    };
    write_private(&file, force, |out| {
        ids.iter().try_for_each(|id| writeln!(out, "{}", line(id)?).map_err(|error| cannot_write(&file, &error)))
    })?;
    let exported = ids.len() as u64;
    let report = serde_json::json!({"exported": exported});
    session.output.result(&report, |output| output.line(&format!("{} exported", plural(exported, "receipt"))));
    Ok(Outcome::Done)
}

fn import_receipts(session: &Session<'_>) -> Result<Outcome, Error> {
    let ReceiptsImport { file, .. } = session.own()?;
    let report = session.memory()?.import_receipts(&read(&file)?, session.operation())?;
    session.output.result(&report, |output| {
        let imported = plural(report.imported as u64, "receipt");
        output.line(&format!("{imported} imported, {} already there", report.known));
    });
    Ok(Outcome::Done)
}

fn read(file: &Path) -> Result<Vec<ReceiptExport>, Error> {
    let unreadable = |error: std::io::Error| cannot_read(&file.display().to_string(), &error);
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        bytes = read_stdin(MAX_IMPORT_BYTES)?;
    } else {
        let opened = open_plain(file).map_err(unreadable)?;
        opened.take(MAX_IMPORT_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 > MAX_IMPORT_BYTES {
        let what = format!("{} is larger than {MAX_IMPORT_BYTES} bytes", file.display());
        return Err(Invalid::new(what, "split it; each line is one receipt").into());
    }
    let mut exports = Vec::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let export = serde_json::from_slice(line).map_err(|error| {
            let what = format!("line {} is not an exported receipt: {error}; nothing was imported", number + 1);
            Invalid::new(what, "use a file written by `recordar receipts export`")
        })?;
        exports.push(export);
    }
    Ok(exports)
}
