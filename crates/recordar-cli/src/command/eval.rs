//! `recordar eval`: stores each corpus in a separate database, asks every question, and compares the results with the known answers.

use super::cannot_write;
use super::eval_tables::{show, show_means};
use crate::arguments::{Eval, Global, Session, Spec};
use crate::outcome::Outcome;
use crate::output::Output;
use clap::Args;
use indicatif::ProgressBar;
use recordar::eval::{Comparison, EvalMeans, EvalOptions, EvalReport, EvalRow, EvalSet, SavedRun, WordsReport};
use recordar::file_access::write_private;
use recordar::search::Filter;
use recordar::{Config, Error, Recordar, system_clock};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

pub(crate) const COMMAND: Spec =
    Spec::own(&["eval"], "Measure search quality on questions with known answers", Eval::augment_args, run);

/// Several sets. One set is reported as it is.
#[derive(Serialize)]
struct EvalRun<'a> {
    sets: Vec<NamedReport<'a>>,
    means: EvalMeans,
}

#[derive(Serialize)]
struct NamedReport<'a> {
    set: &'a str,
    #[serde(flatten)]
    report: &'a EvalReport,
}

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let (eval, output): (Eval, _) = (session.own()?, session.output);
    let options = EvalOptions {
        mode: eval.mode,
        filter: Filter::parse(&eval.filter)?,
        rerank: eval.rerank.clone(),
        recall: true,
        baseline: eval.baseline,
        ablate: eval.ablate,
    };
    let sets = read_sets(&eval)?;
    let names: Vec<&str> = sets.iter().map(EvalSet::name).collect();
    let saved = eval.compare.as_deref().map(|path| SavedRun::read(path, &names)).transpose()?;
    // Before hours of measuring: whether all questions can be made.
    let made = sets.iter().map(|set| eval.words.iter().map(|words| set.with_questions_of(*words)).collect());
    let made = made.collect::<Result<Vec<Vec<EvalSet>>, Error>>()?;
    let mut reports = Vec::new();
    for (set, made) in sets.iter().zip(&made) {
        let mut report = measure(&session.global, set, &options, output)?;
        let of_words = EvalOptions { recall: false, baseline: true, ablate: false, ..options.clone() };
        for (words, made) in eval.words.iter().zip(made) {
            report.words.extend(WordsReport::new(*words, measure(&session.global, made, &of_words, output)?));
        }
        if let Some(saved) = &saved {
            compare(saved, set, made, &mut report, output);
        }
        reports.push(report);
    }
    if let Some(path) = &eval.rows {
        let rows = reports
            .iter()
            .flat_map(|report| report.rows.iter().chain(report.words.iter().flat_map(|words| &words.rows)));
        // The figures of an earlier run are overwritten.
        write_private(path, true, |out| write_rows(out, rows).map_err(|error| cannot_write(path, &error)))?;
    }
    if let [report] = &reports[..] {
        output.result(report, |output| show(report, eval.verbose, output));
        return Ok(Outcome::Done);
    }
    let named = names.iter().zip(&reports).map(|(set, report)| NamedReport { set, report });
    let run = EvalRun { sets: named.collect(), means: EvalMeans::of(&reports.iter().collect::<Vec<&EvalReport>>()) };
    output.result(&run, |output| {
        for NamedReport { set, report } in &run.sets {
            output.line(&format!("{set}:"));
            show(report, eval.verbose, output);
            output.line("");
        }
        show_means(&run.means, output);
    });
    Ok(Outcome::Done)
}

fn read_sets(eval: &Eval) -> Result<Vec<EvalSet>, Error> {
    if eval.corpus.is_some() && eval.folders.len() > 1 {
        let what = "--corpus applies to one set, and several are given";
        return Err(Error::input("eval_set", what, "measure the sets one at a time, or give each its corpus.jsonl"));
    }
    let mut sets = Vec::new();
    let mut names = BTreeSet::new();
    for folder in &eval.folders {
        let mut set = EvalSet::read(folder, eval.corpus.as_deref())?;
        if !names.insert(set.name().to_owned()) {
            let what = format!("two sets are called {}, and their rows could not be told apart", set.name());
            return Err(Error::input("eval_set", what, "give each folder another name"));
        }
        if let Some(file) = &eval.off_topic {
            set = set.with_off_topic(file)?;
        }
        sets.push(set);
    }
    Ok(sets)
}

fn measure(global: &Global, set: &EvalSet, options: &EvalOptions, output: &Output) -> Result<EvalReport, Error> {
    // The configuration applies, except for its database, which is the user's.
    let folder = tempfile::tempdir().map_err(|error| cannot_write(&std::env::temp_dir(), &error))?;
    let mut overrides = global.overrides()?;
    overrides.database = Some(format!("sqlite:{}", folder.path().join("eval.db").display()));
    let memory = Recordar::open(Config::load(&overrides)?, system_clock())?;
    let bar = if output.is_json || output.is_quiet { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let report = memory.evaluate(set, options, |_, done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    Ok(report)
}

/// Compares what the saved run has: of a set, and of the questions made from it.
fn compare(saved: &SavedRun, set: &EvalSet, made: &[EvalSet], report: &mut EvalReport, output: &Output) {
    report.comparison = saved.rows(set.name()).map(|before| Comparison::of(before, &report.rows));
    if report.comparison.is_none() {
        output.warn(&format!("warning: {} has no rows of {}, which is not compared", saved.file(), set.name()));
    }
    for (made, words) in made.iter().zip(&mut report.words) {
        words.comparison = saved.rows(made.name()).map(|before| Comparison::of(before, &words.rows));
    }
}

fn write_rows<'a>(out: &mut dyn Write, rows: impl Iterator<Item = &'a EvalRow>) -> std::io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *out, row)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
