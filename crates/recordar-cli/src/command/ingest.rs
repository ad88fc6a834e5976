//! `recordar ingest`: files, folders and standard input.

use super::ask::called;
use super::contextual_helper::{ask_for_helper, gather};
use super::watch::Watch;
use super::{can_ask, read_stdin};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, bytes, complain, plural, printable};
use crate::progress::{STEPS, bar, style};
use clap::Arg;
use recordar::category::BatchReport;
use recordar::document::{FileReport, FileStatus, FileType, IngestReport, Problem, SelectFiles, Skipped};
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Ingest>(&["ingest"], run)
    .positional(&["paths"])
    .hidden(&["helper", "helpers"])
    .definition("HelperArgument")
    .renamed("text", "helper")
    .described(&[
        (
            "paths",
        "Files and folders, or - for standard input. In folders, documents and source code are read, by their extensions; hidden \
         and generated files, packages and what .gitignore names are skipped, and links are not followed",
        ),
        ("text", "The whole contextual helper (the description of the source in prompts), at most 300 tokens"),
        ("date", "The date of the document, for its contextual helper, such as 2024-05-31, or \"unknown\""),
        ("author", "The author, for the contextual helper, or \"unknown\""),
        ("description", "A description of at most 200 tokens, for the contextual helper, or \"unknown\""),
    ])
    .with(|command| {
        let name = Arg::new("name").long("name").value_name("NAME");
        command
            .arg(name.help("The document's name, for text from standard input [default: stdin]"))
            .arg(flag("watch", "After that, ingest what changes under the paths, until Ctrl-C"))
            .arg(flag("explain", "Show the decisions of each stage about each file, and every model call"))
    });

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = session.arguments()?;
    let topic = arguments.get("topic").cloned();
    gather(&mut arguments, topic);
    let paths: Vec<String> = serde_json::from_value(arguments["paths"].clone()).unwrap_or_default();
    let name = session.text("name");
    let watch = session.has("watch").then(|| Watch::begin(session, &arguments)).transpose()?;
    let to_follow = watch.is_some().then(|| arguments.clone());
    let report = if paths.iter().any(|path| path == "-") {
        if paths.len() > 1 {
            let what = "standard input (-) cannot be combined with other paths";
            return Err(Invalid::new(what, "use two commands").into());
        }
        arguments.remove("paths");
        // Standard input has no files that could have vanished.
        for name in ["prune", "include", "exclude"] {
            arguments.remove(name);
        }
        let memory = session.memory()?;
        let text = memory.decode(read_stdin(memory.config().max_file_bytes)?)?;
        arguments.insert("text".to_owned(), json!(text));
        arguments.insert("name".to_owned(), json!(name.unwrap_or_else(|| "stdin".to_owned())));
        session.call::<verbs::IngestText>(arguments)?
    } else if name.is_some() {
        let what = "--name applies only to standard input; files are named by their paths";
        return Err(Invalid::new(what, "omit --name").into());
    } else {
        if !ask_for_helpers(session, &paths, &mut arguments)? {
            complain("cancelled: nothing was ingested");
            return Ok(Outcome::Failed);
        }
        let bar = bar(session.output, "{wide_bar} {msg}, {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left");
        let report = session.call_with_progress::<verbs::Ingest>(arguments, &mut |progress| {
            // After the files, the steps of placing them in the tree.
            if progress.total == PLACING_STEPS && progress.message.ends_with("in the tree") {
                bar.set_style(style(STEPS));
            }
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_message(progress.message);
        });
        bar.finish_and_clear();
        report?
    };
    if session.output.is_json && watch.is_some() {
        // Then each line is a document of its own.
        session.output.line(&json!(report).to_string());
    } else {
        session.output.result(&report, |output| show(&report, session.has("explain"), output));
    }
    if session.is_interrupted() {
        let totals = &report.totals;
        let stored = totals.files - totals.failed - totals.not_tried;
        complain(&format!(
            "interrupted: {stored} of {} are stored; run the same command again for the rest",
            plural(totals.files, "file")
        ));
        return Ok(Outcome::Interrupted);
    }
    if let (Some(watch), Some(arguments)) = (watch, to_follow) {
        return watch.follow(session, arguments, &report);
    }
    Ok(outcome(&report))
}

/// Asks for missing helpers if there is a terminal to ask on. False if the user cancels.
fn ask_for_helpers(session: &Session<'_>, paths: &[String], arguments: &mut Map<String, Value>) -> Result<bool, Error> {
    if !can_ask() || arguments.contains_key("helper") {
        return Ok(true);
    }
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let select = selected(arguments)?;
    let mut helpers = Map::new();
    for path in session.memory()?.sources_to_ask_about(session.space()?, &paths, &select)? {
        let Some(given) = ask_for_helper(session.memory()?, &path) else { return Ok(false) };
        helpers.insert(path, json!(given));
    }
    arguments.insert("helpers".to_owned(), Value::Object(helpers));
    Ok(true)
}

/// Which files of the given folders are meant.
pub(super) fn selected(arguments: &Map<String, Value>) -> Result<SelectFiles, Error> {
    let globs =
        |name: &str| serde_json::from_value(arguments.get(name).cloned().unwrap_or_default()).unwrap_or_default();
    Ok(SelectFiles {
        file_type: arguments.get("type").and_then(Value::as_str).map(FileType::parse).transpose()?,
        include: globs("include"),
        exclude: globs("exclude"),
    })
}

/// The steps of placing documents in the tree.
const PLACING_STEPS: u64 = 3;
/// The warning that a text is below the minimum size of a chunk.
const SHORT: &str = "short";
/// The warning that the model generated no helper.
const HELPER_FAILED: &str = "helper_failed";

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

/// Whether a file has a new version.
fn is_stored(file: &&FileReport) -> bool {
    matches!(file.status, FileStatus::Added | FileStatus::Updated | FileStatus::Moved) && !file.repeated
}

/// Notes about a whole call.
pub(super) fn show_notes(notes: &[Problem], output: &Output) {
    for note in notes {
        output.hint(&format!("note: {}\n  try: {}", printable(&note.what, &[]), note.remedy));
    }
}

fn show(report: &IngestReport, explain: bool, output: &Output) {
    const MOST_SHOWN: usize = 50;
    let is_news =
        |file: &&FileReport| !matches!(file.status, FileStatus::Unchanged | FileStatus::Failed | FileStatus::NotTried);
    let news: Vec<&FileReport> = report.files.iter().filter(is_news).collect();
    if !news.is_empty() {
        let row = |file: &&FileReport| {
            let version = file.version.map_or(String::new(), |version| version.to_string());
            let before = if file.repeated { " earlier" } else { "" };
            let from = file.moved_from.as_ref().map_or(String::new(), |from| format!(" (was {from})"));
            // Only what is new costs something.
            let kept = if file.kept_chunks > 0 { format!(", {} kept", file.kept_chunks) } else { String::new() };
            vec![
                format!("{}{before}", file.status.name()),
                format!("{}{from}", file.path),
                version,
                format!("{}{kept}", file.chunks),
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
            // These are reported together below.
            if warning.code != SHORT && warning.code != HELPER_FAILED {
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
            "note: {} shorter than chunk_min_tokens and therefore not split",
            plural(short as u64, "document")
        ));
    }
    report.skipped.iter().for_each(|skipped| output.hint(&skipped_files(skipped)));
    failed_helpers(report.files.iter().map(|file| (file.path.as_str(), file.warnings.as_slice())), output);
    show_notes(&report.warnings, output);
    let totals = &report.totals;
    let counts = [
        (totals.added, "added"),
        (totals.updated, "updated"),
        (totals.moved, "moved"),
        (totals.unchanged, "unchanged"),
        (totals.attributes_changed, "with new attributes"),
        (totals.vanished, "vanished (retire them with --prune)"),
        (totals.retired, "retired"),
        (totals.failed, "failed"),
        (totals.not_tried, "not tried"),
        (totals.repeated, "already done under this operation id"),
        (totals.skipped, "skipped"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let summary = if counts.is_empty() { "no files found".to_owned() } else { counts.join(", ") };
    // Chunks that the version before had cost nothing.
    let kept: u64 = report.files.iter().filter(is_stored).map(|file| file.kept_chunks).sum();
    let chunks = match kept {
        0 => plural(totals.chunks, "chunk"),
        kept => format!("{} ({kept} unchanged)", plural(totals.chunks, "chunk")),
    };
    let amounts = [chunks, plural(totals.tokens, "token"), bytes(totals.bytes)].join(", ");
    output.line(&format!("{summary}; stored {amounts} in {}", printable(&report.space, &[])));
    if totals.classified + totals.unclassified > 0 {
        let waiting =
            if totals.unclassified > 0 { format!(", {} unclassified", totals.unclassified) } else { String::new() };
        output
            .line(&format!("{} classified{waiting}; `recordar tree` shows where", plural(totals.classified, "chunk")));
    }
    if explain {
        report.batches.iter().for_each(|report| output.line(&batch(report)));
        report.responses.iter().for_each(|call| output.line(&called(call)));
        for stage in &report.trace.stages {
            output.line(&format!("\n{}", stage.name));
            let row = |decision: &recordar::trace::Decision| {
                let action = format!("{:?}", decision.action).to_lowercase();
                vec![action, decision.reason.clone(), decision.subject.clone(), decision.detail.clone()]
            };
            output.table(&["", "reason", "document", "detail"], stage.decisions.iter().map(row));
        }
    }
}

/// How many files were skipped for a reason, with the first names. `--explain` shows all of them.
fn skipped_files(skipped: &Skipped) -> String {
    const MOST_SHOWN: usize = 3;
    let mut names: Vec<String> =
        skipped.paths.iter().take(MOST_SHOWN).map(|path| printable(path, &[]).into_owned()).collect();
    if skipped.count > names.len() as u64 {
        names.push(format!("… ({} in all)", skipped.count));
    }
    format!("skipped: {} ({}): {}", skipped.reason.replace('_', " "), skipped.what, names.join(", "))
}

/// Which helpers could not be generated: the first with its reason, and how many more.
pub(super) fn failed_helpers<'a>(documents: impl Iterator<Item = (&'a str, &'a [Problem])>, output: &Output) {
    let failed = |(path, warnings): (&'a str, &'a [Problem])| {
        Some((path, warnings.iter().find(|warning| warning.code == HELPER_FAILED)?))
    };
    let mut failed = documents.filter_map(failed);
    let Some((path, Problem { what, remedy, .. })) = failed.next() else { return };
    output.hint(&format!("note: {}: {what}\n  try: {remedy}", printable(path, &[])));
    let more = failed.count();
    if more > 0 {
        output.hint(&format!(
            "note: the helpers of {} could not be generated either",
            plural(more as u64, "more document")
        ));
    }
}

/// One classifying call, with its follow-ups.
pub(super) fn batch(batch: &BatchReport) -> String {
    let under = if batch.under.is_empty() { "the root".to_owned() } else { batch.under.join(" > ") };
    format!(
        "classified {} of {} of {} at level {} under {under}: {} retried, {:.0} ms",
        batch.succeeded,
        plural(batch.sent, "chunk"),
        batch.document,
        batch.level,
        batch.retried,
        batch.latency_ms
    )
}
