//! `recordar receipts`: looking through what was recalled, and taking it to another database.

use super::{Outcome, cannot_read, cannot_write, open, read_stdin};
use crate::arguments::{Global, Receipts, ReceiptsAction};
use crate::output::Output;
use recordar::{Error, Invalid, ReceiptExport, Recordar, SpaceName};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

const MAX_IMPORT_BYTES: u64 = 1024 * 1024 * 1024;
const MAX_EXPORTED: usize = 100_000;

pub(crate) fn run(receipts: &Receipts, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, space) = open(global)?;
    match &receipts.action {
        ReceiptsAction::List { limit } => {
            let list = memory.receipts(&space, *limit)?;
            output.result(&list, |output| {
                if list.is_empty() {
                    output.line(&format!(
                        "{space} has no receipts; keep one with `recordar recall --receipt`, or all with receipts.enabled"
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
            output.hint(&format!("{exported} receipts exported"));
        }
        ReceiptsAction::Import { file, operation } => {
            let exports = read(file)?;
            let report = memory.import_receipts(&exports, &operation.id()?)?;
            output.result(&report, |output| {
                output.line(&format!("{} receipts imported, {} were there already", report.imported, report.known));
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
) -> Result<usize, Error> {
    let all = || memory.receipts(space, MAX_EXPORTED).map(|list| list.into_iter().map(|view| view.receipt).collect());
    let ids: Vec<String> = if ids.is_empty() { all()? } else { ids.to_vec() };
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
    Ok(ids.len())
}

fn read(file: &Path) -> Result<Vec<ReceiptExport>, Error> {
    let reader: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::Cursor::new(read_stdin(MAX_IMPORT_BYTES)?))
    } else {
        let opened = std::fs::File::open(file).map_err(|error| cannot_read(&file.display().to_string(), &error))?;
        Box::new(BufReader::new(opened))
    };
    let mut exports = Vec::new();
    for (number, line) in reader.lines().enumerate() {
        let line = line.map_err(|error| cannot_read(&file.display().to_string(), &error))?;
        if line.trim().is_empty() {
            continue;
        }
        let export = serde_json::from_str(&line).map_err(|error| {
            let what = format!("line {}: not an exported receipt: {error}; nothing was imported", number + 1);
            Invalid::new(what, "give a file that `recordar receipts export` wrote")
        })?;
        exports.push(export);
    }
    Ok(exports)
}
