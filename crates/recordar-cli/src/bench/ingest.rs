//! Ingests generated text. Baselines: only counting its tokens, and only inserting its rows.

use super::text::Sentences;
use super::{no_room, to_store};
use crate::output::Output;
use recordar::document::IngestTiming;
use recordar::text::TokenCounter;
use recordar::{Config, Error, Recordar, SpaceName, system_clock};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: usize = 5;

#[derive(Serialize)]
struct IngestFigures {
    /// Counting the tokens of the whole texts, and nothing else.
    tokens_cpu_s: f64,
    /// Inserting the same rows with prepared statements, in the same transactions, and nothing else.
    insert_cpu_s: f64,
    ingest_cpu_s: f64,
    ingest_mb_s: f64,
    /// The whole against the sum of the two.
    ratio: f64,
    stages: IngestTiming,
}

pub(crate) fn run(mb: u32, output: &Output) -> Result<(), Error> {
    let figures = least(std::iter::repeat_with(|| ingest(mb)).take(ROUNDS).collect::<Result<_, _>>()?);
    output.result(&figures, |output| {
        let IngestFigures { tokens_cpu_s, insert_cpu_s, ingest_cpu_s, ingest_mb_s, ratio, stages } = &figures;
        output
            .line(&format!("{mb} MB of generated text, SQLite, every commit synced to disk; best of {ROUNDS} rounds"));
        let row = |name: &str, seconds: &f64| vec![name.to_owned(), format!("{seconds:.2}")];
        let rows = [
            row("baseline: count tokens only", tokens_cpu_s),
            row("baseline: insert the same rows only", insert_cpu_s),
            row("ingest, total", ingest_cpu_s),
            row("  read", &stages.read_cpu_s),
            row("  manifest", &stages.manifest_cpu_s),
            row("  chunk and count", &stages.chunk_cpu_s),
            row("  store", &stages.store_cpu_s),
        ];
        output.table(&["", "CPU s"], rows);
        output.line(&format!("{ratio:.2} × the sum of the baselines; {ingest_mb_s:.1} MB/s wall-clock"));
    });
    Ok(())
}

/// The minimum of each side over all rounds: other load on the machine can only add to it.
fn least(rounds: Vec<IngestFigures>) -> IngestFigures {
    let least = |figure: fn(&IngestFigures) -> f64| rounds.iter().map(figure).fold(f64::INFINITY, f64::min);
    let tokens_cpu_s = least(|round| round.tokens_cpu_s);
    let insert_cpu_s = least(|round| round.insert_cpu_s);
    let ingest_cpu_s = least(|round| round.ingest_cpu_s);
    let stages = rounds.iter().min_by(|one, other| one.ingest_cpu_s.total_cmp(&other.ingest_cpu_s));
    IngestFigures {
        tokens_cpu_s,
        insert_cpu_s,
        ingest_cpu_s,
        ingest_mb_s: rounds.iter().map(|round| round.ingest_mb_s).fold(0.0, f64::max),
        ratio: ingest_cpu_s / (tokens_cpu_s + insert_cpu_s),
        stages: stages.map(|round| round.stages).unwrap_or_default(),
    }
}

fn ingest(mb: u32) -> Result<IngestFigures, Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let texts = folder.path().join("texts");
    let bytes = write_texts(&texts, mb as usize * 1_000_000).map_err(|error| no_room(&error))?;
    let config = Config::from_toml("", folder.path())?;
    let counter = TokenCounter::for_model(&config.model);
    let memory = Recordar::open(config, system_clock())?;
    recordar::measure::build_nothing_ahead(&memory);
    // The tokenizer's tables are built on first use; neither side pays for that.
    black_box(counter.count("warm"));

    let contents = read_texts(&texts).map_err(|error| no_room(&error))?;
    let (tokens_cpu_s, _) =
        cpu_seconds(|| black_box(contents.iter().map(|content| counter.count(content)).sum::<usize>()));
    drop(contents);

    let request = to_store(texts, "bench")?;
    let started = Instant::now();
    let (ingest_cpu_s, report) = cpu_seconds(|| memory.ingest(&SpaceName::user("bench")?, &request, &mut |_| {}));
    let elapsed = started.elapsed().as_secs_f64();
    let stages = report?.timing;

    let rows = memory.raw()?.into_transactions();
    let (insert_cpu_s, inserted) = cpu_seconds(|| rows.insert_into(&folder.path().join("baseline.db")));
    inserted?;
    Ok(IngestFigures {
        tokens_cpu_s,
        insert_cpu_s,
        ingest_cpu_s,
        ingest_mb_s: bytes as f64 / 1e6 / elapsed,
        ratio: ingest_cpu_s / (tokens_cpu_s + insert_cpu_s),
        stages,
    })
}

fn read_texts(folder: &Path) -> std::io::Result<Vec<String>> {
    std::fs::read_dir(folder)?.map(|entry| std::fs::read_to_string(entry?.path())).collect()
}

fn cpu_seconds<T>(step: impl FnOnce() -> T) -> (f64, T) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let started = now();
    let result = step();
    (now() - started, result)
}

/// Writes files of about 100 kB of generated sentences, always the same.
fn write_texts(folder: &Path, bytes: usize) -> std::io::Result<usize> {
    const FILE_BYTES: usize = 100_000;
    std::fs::create_dir_all(folder)?;
    let mut writer = Sentences::new(7);
    let mut written = 0;
    let mut number = 0;
    while written < bytes {
        let mut text = String::with_capacity(FILE_BYTES + 2000);
        while text.len() < FILE_BYTES {
            writer.paragraph(&mut text);
        }
        std::fs::write(folder.join(format!("{number:05}.txt")), &text)?;
        written += text.len();
        number += 1;
    }
    Ok(written)
}
