//! `recordar eval`: stores a corpus in a separate database, asks every question, and compares the results with the known answers.

use super::cannot_write;
use crate::arguments::{Eval, Session, Spec};
use crate::outcome::Outcome;
use crate::output::Output;
use clap::Args;
use indicatif::ProgressBar;
use recordar::eval::{EvalReport, EvalRow, EvalSet, Figures, RecallFigures};
use recordar::file_access::write_private;
use recordar::{Config, Error, Recordar, system_clock};
use std::io::Write;

pub(crate) const COMMAND: Spec =
    Spec::own(&["eval"], "Measure search quality on questions with known answers", Eval::augment_args, run);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let (eval, global, output): (Eval, _, _) = (session.own()?, &session.global, session.output);
    let mut set = EvalSet::read(&eval.folder, eval.corpus.as_deref())?;
    if let Some(file) = &eval.off_topic {
        set = set.with_off_topic(file)?;
    }
    // The configuration applies, except for its database, which is the user's.
    let folder = tempfile::tempdir().map_err(|error| cannot_write(&std::env::temp_dir(), &error))?;
    let mut overrides = global.overrides()?;
    overrides.database = Some(format!("sqlite:{}", folder.path().join("eval.db").display()));
    let memory = Recordar::open(Config::load(&overrides)?, system_clock())?;
    let bar = if output.is_json || output.is_quiet { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let report = memory.evaluate(&set, |step, done| {
        let total = if step == "stored" { set.corpus_len() } else { set.queries_len() };
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    if let Some(path) = &eval.rows {
        // The figures of an earlier run are overwritten.
        write_private(path, true, |out| write_rows(out, &report.rows).map_err(|error| cannot_write(path, &error)))?;
    }
    output.result(&report, |output| show(&report, output));
    Ok(Outcome::Done)
}

fn write_rows(out: &mut dyn Write, rows: &[EvalRow]) -> std::io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *out, row)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn show(report: &EvalReport, output: &Output) {
    let names: Vec<String> =
        ["recall", "any", "all"].iter().flat_map(|name| [5, 10, 20].map(|cut| format!("{name}@{cut}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).chain(["ndcg@10", "mrr"]).collect();
    let mut header = vec!["", "questions"];
    header.extend(&names);
    let row = |name: String, questions: usize, figures: &Figures| {
        let figures = names.iter().map(|name| format!("{:.3}", figures.get(*name).copied().unwrap_or(0.0)));
        [name, questions.to_string()].into_iter().chain(figures).collect::<Vec<String>>()
    };
    let mut rows = Vec::new();
    let all = [("items", &report.items), ("threads", &report.threads)];
    for (of, figures) in all {
        let questions = report.rows.iter().filter(|row| row.of == of).count();
        rows.extend(figures.as_ref().map(|figures| row(of.to_owned(), questions, figures)));
    }
    for (kind, found) in &report.kinds {
        for figures in [&found.items, &found.threads].into_iter().flatten() {
            rows.push(row(format!("  {kind}"), found.questions, figures));
        }
    }
    output.table(&header, rows);
    if let Some(recall) = &report.recall {
        show_recall(recall, output);
    }
    let latency = report.latency_ms;
    output.line(&format!("latency: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms", latency.p50, latency.p90, latency.p99));
    if report.unknown_answers > 0 {
        output.line(&format!("{} known answers are not in the corpus and count as not found", report.unknown_answers));
    }
    if report.unjudged > 0 {
        output.line(&format!("{} questions have no known answer and are not counted", report.unjudged));
    }
}

fn show_recall(recall: &RecallFigures, output: &Output) {
    output.line(&format!(
        "recall: finds {:.3} of the evidence in {:.1} memories of {:.0} tokens in total; without interleaving and clipping, \
         {:.3} in {:.1} memories of the same total",
        recall.evidence, recall.mean_memories, recall.mean_tokens, recall.evidence_plain, recall.mean_memories_plain,
    ));
    output.line(&format!(
        "min_score keeps {:.1} % of the {} pieces of evidence in the top 20",
        100.0 * recall.kept_by_min_score,
        recall.evidence_in_20,
    ));
    if recall.off_topic > 0 {
        let percent = 100.0 * recall.off_topic_empty;
        output.line(&format!("{percent:.1} % of {} off-topic questions return nothing", recall.off_topic));
    }
}
