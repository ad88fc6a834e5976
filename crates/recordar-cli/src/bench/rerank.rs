//! The judge: candidates × tokens, on one and two OS threads. Baselines are the same weights in a folder, which `rten` runs; `scripts/bench-judge`
//! makes such folders, and times them in onnxruntime as well.

use super::ram;
use crate::output::{Output, bytes};
use recordar::Error;
use recordar::eval::Latency;
use recordar::measure::{Effort, Judge, PASSAGE_TOKENS, judge_refused};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

const THREADS: [usize; 2] = [1, 2];
/// Of a question, unless the passage would then have more than is read of it; each of these words is one token.
const QUESTION_WORDS: usize = 16;
/// The start, and a separator after each text.
const SPECIAL_TOKENS: usize = 3;
const WORDS: [&str; 4] = ["the", "house", "was", "green"];

/// What is measured, and how often.
pub(crate) struct Grid {
    pub(crate) candidates: Vec<usize>,
    pub(crate) tokens: Vec<usize>,
    pub(crate) rounds: usize,
}

#[derive(Serialize)]
struct RerankFigures {
    models: Vec<ModelFigures>,
    /// This program.
    binary_bytes: u64,
    /// The same without the weights of the judge.
    binary_bytes_without_judge: u64,
}

#[derive(Serialize)]
struct ModelFigures {
    model: String,
    sha256: String,
    bytes: u64,
    load_ms: f64,
    /// The process before and after loading, and after all runs.
    rss_before_bytes: u64,
    rss_loaded_bytes: u64,
    rss_after_bytes: u64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    candidates: usize,
    /// Of each pair, as the model counted them.
    tokens: usize,
    threads: usize,
    p50_ms: f64,
}

pub(crate) fn run(folders: &[PathBuf], grid: &Grid, output: &Output) -> Result<(), Error> {
    let refused = |error| judge_refused(&error);
    let mut models = vec![measure(grid, || Judge::shipped().map_err(refused))?];
    for folder in folders {
        let judge = || Judge::from_folder(folder).map_err(refused);
        models.push(measure_named(folder, grid, judge)?);
    }
    let binary_bytes = std::env::current_exe().and_then(|path| path.metadata()).map_or(0, |file| file.len());
    let binary_bytes_without_judge = binary_bytes.saturating_sub(models[0].bytes);
    let figures = RerankFigures { models, binary_bytes, binary_bytes_without_judge };
    output.result(&figures, |output| show(&figures, grid, output));
    Ok(())
}

fn measure_named(
    folder: &Path,
    grid: &Grid,
    load: impl FnOnce() -> Result<Judge, Error>,
) -> Result<ModelFigures, Error> {
    let figures = measure(grid, load)?;
    Ok(ModelFigures { model: format!("{} (rten)", folder.display()), ..figures })
}

fn measure<J: std::borrow::Borrow<Judge>>(
    grid: &Grid,
    load: impl FnOnce() -> Result<J, Error>,
) -> Result<ModelFigures, Error> {
    let rss_before_bytes = rss_bytes();
    let started = Instant::now();
    let loaded = load()?;
    let judge: &Judge = loaded.borrow();
    let load_ms = started.elapsed().as_secs_f64() * 1e3;
    let rss_loaded_bytes = rss_bytes();
    let mut rows = Vec::new();
    for threads in THREADS {
        for &tokens in &grid.tokens {
            for &candidates in &grid.candidates {
                rows.push(row(judge, (candidates, tokens), threads, grid.rounds)?);
            }
        }
    }
    Ok(ModelFigures {
        model: judge.name().to_owned(),
        sha256: judge.hash().to_owned(),
        bytes: judge.bytes(),
        load_ms,
        rss_before_bytes,
        rss_loaded_bytes,
        rss_after_bytes: rss_bytes(),
        rows,
    })
}

/// All candidates of a question, judged together.
fn row(judge: &Judge, (candidates, tokens): (usize, usize), threads: usize, rounds: usize) -> Result<Row, Error> {
    let (question, passage) = pair(tokens);
    let passages = vec![passage.as_str(); candidates];
    let effort = Effort { threads, ..Effort::default() };
    let (mut times, mut judged) = (Vec::with_capacity(rounds), Vec::new());
    for round in 0..=rounds {
        let started = Instant::now();
        judged = judge.relevance(&question, &passages, &effort).map_err(|error| judge_refused(&error))?;
        // The first one warms up.
        if round > 0 {
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
    }
    let tokens = judged.first().map_or(0, |judged| judged.tokens);
    Ok(Row { candidates, tokens, threads, p50_ms: Latency::of(times).p50 })
}

/// A question and a passage with so many tokens together.
fn pair(tokens: usize) -> (String, String) {
    let words = tokens.saturating_sub(SPECIAL_TOKENS).max(2);
    // What is not read of a passage goes into the question.
    let asked = QUESTION_WORDS.max(words.saturating_sub(PASSAGE_TOKENS)).min(words - 1);
    let passage = WORDS.iter().cycle().take(words - asked).copied().collect::<Vec<_>>().join(" ");
    (vec!["who"; asked].join(" "), passage)
}

/// 0 where the system does not say.
fn rss_bytes() -> u64 {
    ram::now().unwrap_or(0)
}

fn show(figures: &RerankFigures, grid: &Grid, output: &Output) {
    for model in &figures.models {
        output.line(&format!(
            "{}, {}, loaded in {:.0} ms; the process: {} before, {} loaded, {} after all runs",
            model.model,
            bytes(model.bytes),
            model.load_ms,
            bytes(model.rss_before_bytes),
            bytes(model.rss_loaded_bytes),
            bytes(model.rss_after_bytes),
        ));
        // Those of one number of OS threads and tokens stand side by side.
        let rows = model.rows.chunks(grid.candidates.len().max(1)).map(|row| {
            let times = row.iter().map(|cell| format!("{:.1}", cell.p50_ms));
            [row[0].threads.to_string(), row[0].tokens.to_string()].into_iter().chain(times).collect()
        });
        let names: Vec<String> = grid.candidates.iter().map(|candidates| format!("ms for {candidates}")).collect();
        let head: Vec<&str> = ["OS threads", "tokens"].into_iter().chain(names.iter().map(String::as_str)).collect();
        output.table(&head, rows);
    }
    output.line(&format!(
        "this program: {}; without the judge's weights: {}",
        bytes(figures.binary_bytes),
        bytes(figures.binary_bytes_without_judge)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_each_row_has_the_tokens_it_says() {
        let judge = Judge::shipped().unwrap();
        for tokens in [20, 32, 64, 128, 209, 210, 256, 257] {
            assert_eq!(row(judge, (1, tokens), 1, 1).unwrap().tokens, tokens);
        }
        assert_eq!(row(judge, (1, 300), 1, 1).unwrap().tokens, 257, "the most that the judge reads");
    }
}
