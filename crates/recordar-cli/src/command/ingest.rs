//! `recordar ingest`: files, folders and standard input.

use super::ask::called;
use super::contextual_helper::ask_for_helper;
use super::{Outcome, can_ask, open, read_stdin};
use crate::arguments::{Global, Ingest};
use crate::output::{Output, bytes, complain, plural, printable};
use indicatif::{ProgressBar, ProgressStyle};
use recordar::{
    Attributes, BatchReport, Error, FileReport, FileStatus, FileType, IngestReport, IngestRequest, Invalid, Metadata,
    Recordar, SpaceName, TextRequest,
};
use std::path::Path;

pub(crate) fn run(ingest: &Ingest, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let attributes = Attributes::new(
        ingest.tags.iter().map(String::as_str),
        ingest.topic.clone(),
        ingest.note.clone(),
        ingest.provider.clone(),
        ingest.metadata.as_deref().map(Metadata::from_json).transpose()?.unwrap_or_default(),
    )?;
    let file_type = ingest.file_type.as_deref().map(FileType::parse).transpose()?;
    let operation = ingest.operation.id()?;
    output.begin(&operation);
    let (memory, space) = open(global)?;
    let report = if ingest.paths.iter().any(|path| path == Path::new("-")) {
        if ingest.paths.len() > 1 {
            let what = "standard input (-) cannot be mixed with other paths";
            return Err(Invalid::new(what, "ingest them in two commands").into());
        }
        let text = memory.decode(read_stdin(memory.config().max_file_bytes)?)?;
        let name = ingest.name.clone().unwrap_or_else(|| "stdin".to_owned());
        let file_type = file_type.or_else(|| FileType::of_path(Path::new(&name))).unwrap_or(FileType::Text);
        let (force, placing) = (ingest.force, ingest.placing.request(ingest.topic.as_ref()));
        let request = TextRequest { name, text, file_type, attributes, mtime: None, force, placing, operation };
        memory.ingest_text(&space, request)?
    } else if ingest.name.is_some() {
        let what = "--name is for a text from standard input; files are known by their paths";
        return Err(Invalid::new(what, "leave it out").into());
    } else {
        let mut request = IngestRequest {
            paths: ingest.paths.clone(),
            attributes,
            file_type,
            prune: ingest.prune,
            force: ingest.force,
            placing: ingest.placing.request(ingest.topic.as_ref()),
            operation,
        };
        if !ask_for_helpers(&memory, &space, &mut request)? {
            complain("cancelled: nothing was ingested");
            return Ok(Outcome::Failed);
        }
        let bar = progress_bar(output);
        let report = memory.ingest(&space, &request, &mut |progress| {
            bar.set_length(progress.bytes_total);
            bar.set_position(progress.bytes);
            bar.set_message(format!("{}/{} files", progress.files, progress.files_total));
        });
        bar.finish_and_clear();
        report?
    };
    output.result(&report, |output| show(&report, ingest.explain, output));
    Ok(outcome(&report))
}

/// Asks for the helpers that are missing, where somebody is there to be asked. False where the user cancels.
fn ask_for_helpers(memory: &Recordar, space: &SpaceName, request: &mut IngestRequest) -> Result<bool, Error> {
    if !can_ask() || request.placing.helper.is_some() {
        return Ok(true);
    }
    for path in memory.sources_to_ask_about(space, request)? {
        let Some(given) = ask_for_helper(memory, &path) else { return Ok(false) };
        request.placing.helpers.insert(path, given);
    }
    Ok(true)
}

/// The warning that a text is below the least size of a chunk.
const SHORT: &str = "short";

fn outcome(report: &IngestReport) -> Outcome {
    let totals = &report.totals;
    let failed = totals.failed + totals.not_tried;
    match (failed, totals.files - failed) {
        (0, _) if totals.unclassified > 0 => Outcome::Partly,
        (0, _) => Outcome::Done,
        (_, 0) => Outcome::Failed,
        _ => Outcome::Partly,
    }
}

fn progress_bar(output: &Output) -> ProgressBar {
    if output.is_json || output.is_quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {msg}, {bytes} of {total_bytes}, {bytes_per_sec}");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(report: &IngestReport, explain: bool, output: &Output) {
    const MOST_SHOWN: usize = 50;
    let is_news =
        |file: &&FileReport| !matches!(file.status, FileStatus::Unchanged | FileStatus::Failed | FileStatus::NotTried);
    let news: Vec<&FileReport> = report.files.iter().filter(is_news).collect();
    if !news.is_empty() {
        let row = |file: &&FileReport| {
            let version = file.version.map_or(String::new(), |version| version.to_string());
            let before = if file.repeated { " before" } else { "" };
            vec![
                format!("{}{before}", file.status.name()),
                file.path.clone(),
                version,
                file.chunks.to_string(),
                file.tokens.to_string(),
                bytes(file.bytes),
            ]
        };
        output.table(
            &["status", "document", "version", "chunks", "tokens", "size"],
            news.iter().take(MOST_SHOWN).map(row),
        );
    }
    if news.len() > MOST_SHOWN {
        output.line(&format!("… and {} more", news.len() - MOST_SHOWN));
    }
    for file in &report.files {
        for warning in &file.warnings {
            // These are told together below.
            if warning.code != SHORT {
                output.hint(&format!(
                    "note: {}: {}\n  try: {}",
                    printable(&file.path, &[]),
                    warning.what,
                    warning.remedy
                ));
            }
        }
        if let Some(error) = &file.error {
            complain(&format!("failed: {}: {}\n  try: {}", printable(&file.path, &[]), error.what, error.remedy));
        }
    }
    let is_short = |file: &&FileReport| file.warnings.iter().any(|warning| warning.code == SHORT);
    let short = report.files.iter().filter(is_short).count();
    if short > 0 {
        output.hint(&format!(
            "note: {} shorter than chunk_min_tokens, kept as one chunk each",
            plural(short as u64, "document")
        ));
    }
    let totals = &report.totals;
    let counts = [
        (totals.added, "added"),
        (totals.updated, "updated"),
        (totals.unchanged, "unchanged"),
        (totals.vanished, "vanished (retire them with --prune)"),
        (totals.retired, "retired"),
        (totals.failed, "failed"),
        (totals.not_tried, "not tried"),
        (totals.repeated, "done before under this operation id, and not again"),
        (totals.skipped, "skipped (of other types, or links; see --explain)"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let summary = if counts.is_empty() { "no files found".to_owned() } else { counts.join(", ") };
    let amounts = [plural(totals.chunks, "chunk"), plural(totals.tokens, "token"), bytes(totals.bytes)].join(", ");
    output.line(&format!("{summary}; stored {amounts} in {}", printable(&report.space, &[])));
    if totals.classified + totals.unclassified > 0 {
        let waiting =
            if totals.unclassified > 0 { format!(", {} waiting", totals.unclassified) } else { String::new() };
        output
            .line(&format!("{} classified{waiting}; `recordar tree` shows where", plural(totals.classified, "chunk")));
    }
    if explain {
        report.batches.iter().for_each(|report| output.line(&batch(report)));
        report.responses.iter().for_each(|call| output.line(&called(call)));
        for stage in &report.trace.stages {
            output.line(&format!("\n{}", stage.name));
            let row = |decision: &recordar::Decision| {
                let action = format!("{:?}", decision.action).to_lowercase();
                vec![action, decision.reason.clone(), decision.subject.clone(), decision.detail.clone()]
            };
            output.table(&["", "reason", "document", "detail"], stage.decisions.iter().map(row));
        }
    }
}

/// One call that classified, with its follow-ups.
pub(super) fn batch(batch: &BatchReport) -> String {
    let under = if batch.under.is_empty() { "the root".to_owned() } else { batch.under.join(" > ") };
    format!(
        "classified {} of {} of {} on level {} under {under}: {} retried, {:.0} ms",
        batch.succeeded,
        plural(batch.sent, "chunk"),
        batch.document,
        batch.level,
        batch.retried,
        batch.latency_ms
    )
}
