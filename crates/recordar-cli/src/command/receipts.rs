//! `recordar receipts`: looking through what was recalled, and taking it to another database.

use super::{Outcome, cannot_read, cannot_write, open, read_stdin};
use crate::arguments::{Global, Receipts, ReceiptsAction};
use crate::output::{Output, plural};
use recordar::{Error, Invalid, ReceiptExport, Recordar, SpaceName};
use std::io::{BufWriter, Read, Write};
use std::path::Path;

const MAX_IMPORT_BYTES: u64 = 256 * 1024 * 1024;

pub(crate) fn run(receipts: &Receipts, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, space) = open(global)?;
    match &receipts.action {
        ReceiptsAction::List { limit } => {
            let list = memory.receipts(&space, *limit as usize)?;
            output.result(&list, |output| {
                if list.is_empty() {
                    output.line(&format!(
                        "{space} has no receipts; keep one with `--receipt` behind `recall` or `ask`, or all with receipts.enabled"
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
            });
        }
        ReceiptsAction::Show { receipt } => {
            let (_, receipt) = memory.receipt(&space, receipt)?;
            output.line(&format!("{:#}", serde_json::json!(receipt)));
        }
        ReceiptsAction::Export { receipts, output: file } => {
            let exported = export(&memory, &space, receipts, file.as_deref(), output)?;
            if file.is_some() {
                let report = serde_json::json!({"exported": exported});
                output.result(&report, |output| output.line(&format!("{} exported", plural(exported, "receipt"))));
            }
        }
        ReceiptsAction::Import { file, operation } => {
            let exports = read(file)?;
            let report = memory.import_receipts(&exports, &operation.id()?)?;
            output.result(&report, |output| {
                let imported = plural(report.imported as u64, "receipt");
                output.line(&format!("{imported} imported, {} there already", report.known));
            });
        }
    }
    Ok(Outcome::Done)
}

fn export(
    memory: &Recordar,
    space: &SpaceName,
    ids: &[String],
    file: Option<&Path>,
    output: &Output,
) -> Result<u64, Error> {
    let ids: Vec<String> = if ids.is_empty() { memory.receipt_ids(space)? } else { ids.to_vec() };
    let mut writer = file
        .map(|path| std::fs::File::create(path).map(BufWriter::new).map_err(|error| cannot_write(path, &error)))
        .transpose()?;
    for id in &ids {
        let line = serde_json::json!(memory.export_receipt(space, id)?).to_string();
        match (&mut writer, file) {
            (Some(writer), Some(path)) => writeln!(writer, "{line}").map_err(|error| cannot_write(path, &error))?,
            _ => output.line(&line),
        }
    }
    if let (Some(mut writer), Some(path)) = (writer, file) {
        writer.flush().map_err(|error| cannot_write(path, &error))?;
    }
    Ok(ids.len() as u64)
}

fn read(file: &Path) -> Result<Vec<ReceiptExport>, Error> {
    let unreadable = |error: std::io::Error| cannot_read(&file.display().to_string(), &error);
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        bytes = read_stdin(MAX_IMPORT_BYTES)?;
    } else {
        let opened = std::fs::File::open(file).map_err(unreadable)?;
        opened.take(MAX_IMPORT_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 > MAX_IMPORT_BYTES {
        let what = format!("{} is larger than {MAX_IMPORT_BYTES} bytes", file.display());
        return Err(Invalid::new(what, "split it: each line is a receipt").into());
    }
    let mut exports = Vec::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let export = serde_json::from_slice(line).map_err(|error| {
            let what = format!("line {}: not an exported receipt: {error}; nothing was imported", number + 1);
            Invalid::new(what, "give a file that `recordar receipts export` wrote")
        })?;
        exports.push(export);
    }
    Ok(exports)
}
