//! Descends category trees without a model: one of a hundred levels, and one of 128 names on each of three levels with many chunks. The
//! baseline is drawing the tree with its counts, which reads every chunk.

use super::no_room;
use crate::output::Output;
use recordar::category::TraversalStrategy;
use recordar::eval::Latency;
use recordar::measure;
use recordar::query::{DescentOptions, QueryRequest};
use recordar::{Config, Error, Recordar, SpaceName, system_clock};
use serde::Serialize;
use std::time::Instant;

const QUERIES: usize = 50;
const CHUNKS_OF_A_PATH: usize = 20;
/// Chunks that are written in one transaction.
const BATCH: usize = 20_000;
/// Levels, names on each, and chunks of the deep tree.
const DEEP: (u32, usize, usize) = (100, 8, 1_000);
const WIDE: (u32, usize) = (3, 128);

#[derive(Serialize)]
struct TreeFigures {
    trees: Vec<TreeCost>,
}

#[derive(Serialize)]
struct TreeCost {
    levels: u32,
    names_per_level: usize,
    chunks: usize,
    fill_s: f64,
    /// The whole query, choosing by the built-in method, with the first chunks of each path.
    strategies: Vec<StrategyCost>,
    /// The baseline.
    draw_ms: f64,
}

#[derive(Serialize)]
struct StrategyCost {
    strategy: &'static str,
    paths: usize,
    p50_ms: f64,
    p99_ms: f64,
    /// Of the baseline.
    ratio: f64,
}

pub(crate) fn run(chunks: usize, output: &Output) -> Result<(), Error> {
    let (levels, names, deep_chunks) = DEEP;
    let deep = measure(levels, names, deep_chunks)?;
    let wide = measure(WIDE.0, WIDE.1, chunks)?;
    let figures = TreeFigures { trees: vec![deep, wide] };
    output.result(&figures, |output| figures.trees.iter().for_each(|tree| show(tree, output)));
    Ok(())
}

fn measure(levels: u32, names: usize, chunks: usize) -> Result<TreeCost, Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let toml = format!("[tree]\nhierarchy_depth = {levels}\n");
    let memory = Recordar::open(Config::from_toml(&toml, folder.path())?, system_clock())?;
    let space = SpaceName::user("bench")?;
    let started = Instant::now();
    for start in (0..chunks).step_by(BATCH) {
        let text = |number: usize| format!("Note {number} is about the lamp and the boat.");
        let texts: Vec<String> = (start..chunks.min(start + BATCH)).map(text).collect();
        measure::plant(&memory, &space, (names, levels), &format!("notes-{start}.txt"), &texts)?;
    }
    let fill_s = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let drawn = memory.tree(&space)?;
    let draw_ms = started.elapsed().as_secs_f64() * 1e3;
    assert_eq!(drawn.chunks, chunks as u64, "every chunk hangs on a leaf");
    let strategies = TraversalStrategy::ALL.into_iter().map(|strategy| {
        let mut latencies = Vec::with_capacity(QUERIES);
        let mut paths = 0;
        for number in 0..QUERIES {
            let descent = DescentOptions {
                strategy: Some(strategy),
                limit_per_path: Some(CHUNKS_OF_A_PATH),
                ..DescentOptions::default()
            };
            let query = format!("What was said of the {} in number {number}?", ["lamp", "bees", "storm"][number % 3]);
            let started = Instant::now();
            paths = memory.query(&space, &QueryRequest { descent, ..QueryRequest::new(&query) })?.paths.len();
            latencies.push(started.elapsed().as_secs_f64() * 1e3);
        }
        let Latency { p50: p50_ms, p99: p99_ms, .. } = Latency::of(latencies);
        Ok(StrategyCost { strategy: strategy.name(), paths, p50_ms, p99_ms, ratio: p50_ms / draw_ms })
    });
    let strategies = strategies.collect::<Result<_, Error>>()?;
    Ok(TreeCost { levels, names_per_level: names, chunks, fill_s, strategies, draw_ms })
}

fn show(tree: &TreeCost, output: &Output) {
    let TreeCost { levels, names_per_level, chunks, fill_s, draw_ms, .. } = tree;
    output.line(&format!(
        "{levels} levels, {names_per_level} categories on each, {chunks} chunks (filled in {fill_s:.1} s)"
    ));
    let row = |cost: &StrategyCost| {
        vec![
            cost.strategy.to_owned(),
            cost.paths.to_string(),
            format!("{:.2}", cost.p50_ms),
            format!("{:.2}", cost.p99_ms),
            format!("{:.3}", cost.ratio),
        ]
    };
    output.table(&["strategy", "paths", "p50 ms", "p99 ms", "p50 / drawing"], tree.strategies.iter().map(row));
    output.line(&format!("drawing the tree with its counts: {draw_ms:.1} ms"));
}
