//! Searches generated messages. Baselines: SQLite's full-text index and a scan of all vectors; and a filter that keeps 1 %. Also measures the index's
//! size, how fast it opens, and how fast messages are stored.

use super::no_room;
use super::text::Sentences;
use crate::output::{Output, bytes};
use recordar::database::FullText;
use recordar::eval::Latency;
use recordar::measure;
use recordar::search::{Filter, SearchMode, SearchRequest};
use recordar::{Config, Error, Message, OperationId, Recordar, SpaceName, system_clock};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

const WORD_COUNTS: [usize; 3] = [1, 3, 8];
const QUERIES: usize = 300;
/// A scan of a million vectors takes its time, and so does a full-text query there.
const SLOW_QUERIES: usize = 60;
const BATCH: usize = 1000;
const THREAD_MESSAGES: usize = 20;
/// How many messages are stored while the clock runs, in batches and one by one.
const TIMED_BATCHED: usize = 20_000;
const TIMED_SINGLE: usize = 300;
const LIMIT: usize = 10;
const VOCABULARY: usize = 60_000;
/// One message in so many has this speaker, to measure a filter.
const ONE_IN: usize = 100;
const SPEAKER: &str = "Qanorther";

#[derive(Serialize)]
struct RecallFigures {
    items: usize,
    /// The whole search in process, for questions of eight words.
    recall: Percentiles,
    /// A plain full-text query of SQLite over the same messages.
    fts5: Percentiles,
    /// Comparing the question's vector with every item's.
    scan: Percentiles,
    by_words: BTreeMap<usize, ByWords>,
    /// The same search within a filter that keeps one item in a hundred, and its time relative to the one without.
    filtered: Percentiles,
    filtered_ratio: f64,
    /// How many of the ten nearest by a scan a search by meaning finds.
    scan_overlap: f64,
    index_bytes_per_item: f64,
    /// Embedding only, in megabytes of text per second on one core.
    embed_mb_s: f64,
    /// Making the index from the messages.
    build_s: f64,
    /// The first search right after loading all messages, with the index built while they are stored.
    first_search_s: f64,
    /// Opening it from its kept segments, and reading their bytes alone.
    open_s: f64,
    read_s: f64,
    /// Messages per second, each batch of 1,000 synced to disk before the next; and only inserting the same rows.
    write_messages_s: f64,
    raw_inserts_s: f64,
    /// The same with one message per write.
    write_single_s: f64,
    raw_single_s: f64,
}

#[derive(Serialize)]
struct ByWords {
    recall: Percentiles,
    filtered: Percentiles,
    fts5: Percentiles,
    scan: Percentiles,
}

#[derive(Serialize, Clone, Copy)]
struct Percentiles {
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
}

pub(crate) fn run(items: usize, output: &Output) -> Result<(), Error> {
    let figures = measure(items)?;
    output.result(&figures, |output| show(&figures, output));
    Ok(())
}

fn measure(items: usize) -> Result<RecallFigures, Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let config = Config::from_toml("[index]\nmemory_mib = 16384", folder.path())?;
    let memory = Recordar::open(config, system_clock())?;
    measure::build_nothing_ahead(&memory);
    let space = SpaceName::user("bench")?;
    let mut sentences = Sentences::with_vocabulary(7, VOCABULARY);
    let texts: Vec<String> = (0..items).map(|_| sentences.message()).collect();

    let single = TIMED_SINGLE.min(items / 10);
    let batched = TIMED_BATCHED.min(items - single);
    let write_single_s = store(&memory, &space, &texts, 0..single, 1)?;
    let write_messages_s = store(&memory, &space, &texts, single..single + batched, BATCH)?;
    let (raw_single_s, raw_inserts_s) = raw_inserts(&memory, folder.path(), single, batched)?;
    store(&memory, &space, &texts, single + batched..items, BATCH)?;

    let sample = &texts[..items.min(100_000)];
    let (embed_s, embedded) = seconds(|| measure::embed_all(sample));
    let (build_s, figures) = seconds(|| measure::index_figures(&memory, &space));
    let figures = figures?;
    memory.drop_indexes();
    let least = |round: &dyn Fn() -> Result<f64, Error>| -> Result<f64, Error> {
        let rounds: Vec<f64> = (0..3).map(|_| round()).collect::<Result<_, _>>()?;
        Ok(rounds.into_iter().fold(f64::INFINITY, f64::min))
    };
    let read_s = least(&|| {
        let (taken, read) = seconds(|| measure::read_segments(&memory, &space));
        read.map(|_| taken)
    })?;
    let open_s = least(&|| {
        memory.drop_indexes();
        let (taken, opened) = seconds(|| measure::index_figures(&memory, &space));
        opened.map(|_| taken)
    })?;

    let first_search_s = first_search(&space, &texts)?;
    let mut full_text = FullText::build(&folder.path().join("fts5.db"), &texts)?;
    let mut by_words = BTreeMap::new();
    let mut overlap = Vec::new();
    for count in WORD_COUNTS {
        let queries: Vec<Vec<String>> = (0..QUERIES).map(|_| question(&mut sentences, count)).collect();
        let search = |mode: SearchMode, words: &[String]| {
            let request = SearchRequest { mode, limit: LIMIT, ..SearchRequest::new(&words.join(" ")) };
            memory.search(std::slice::from_ref(&space), &request)
        };
        // Each side runs once before it is timed.
        search(SearchMode::Hybrid, &queries[0])?;
        let recall = percentiles(&queries, |words| search(SearchMode::Hybrid, words).map(drop))?;
        let filter = Filter::parse(&[format!("speaker={SPEAKER}")])?;
        let filtered = percentiles(&queries, |words| {
            let request =
                SearchRequest { limit: LIMIT, filter: filter.clone(), ..SearchRequest::new(&words.join(" ")) };
            memory.search(std::slice::from_ref(&space), &request).map(drop)
        })?;
        let slow = if items > 200_000 { &queries[..SLOW_QUERIES] } else { &queries };
        let fts5 = percentiles(slow, |words| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            full_text.search(&words, LIMIT).map(drop).map_err(Error::from)
        })?;
        let scan = percentiles(slow, |words| measure::scan(&memory, &space, &words.join(" "), LIMIT).map(drop))?;
        for words in &queries[..SLOW_QUERIES] {
            let exact = measure::scan(&memory, &space, &words.join(" "), LIMIT)?;
            let request =
                SearchRequest { mode: SearchMode::Semantic, limit: 100, ..SearchRequest::new(&words.join(" ")) };
            let found = memory.search(std::slice::from_ref(&space), &request)?;
            let found: Vec<i64> = found.hits.iter().map(|hit| hit.item.item_id).collect();
            overlap.push(exact.iter().filter(|id| found.contains(id)).count() as f64 / exact.len().max(1) as f64);
        }
        by_words.insert(count, ByWords { recall, filtered, fts5, scan });
    }
    let eight = &by_words[&WORD_COUNTS[2]];
    Ok(RecallFigures {
        items,
        recall: eight.recall,
        filtered: eight.filtered,
        filtered_ratio: eight.filtered.p50_ms / eight.recall.p50_ms,
        fts5: eight.fts5,
        scan: eight.scan,
        by_words,
        scan_overlap: overlap.iter().sum::<f64>() / overlap.len().max(1) as f64,
        index_bytes_per_item: figures.bytes as f64 / figures.items.max(1) as f64,
        embed_mb_s: embedded as f64 / 1e6 / embed_s,
        build_s,
        first_search_s,
        open_s,
        read_s,
        write_messages_s,
        raw_inserts_s,
        write_single_s,
        raw_single_s,
    })
}

/// Stores messages in batches, and returns the messages per second.
fn store(
    memory: &Recordar,
    space: &SpaceName,
    texts: &[String],
    range: std::ops::Range<usize>,
    batch: usize,
) -> Result<f64, Error> {
    let started = Instant::now();
    let count = range.len();
    for first in range.clone().step_by(batch) {
        let numbers = first..(first + batch).min(range.end);
        let messages: Vec<Message> = numbers
            .map(|number| Message {
                thread: Some(format!("thread {}", number / THREAD_MESSAGES)),
                speaker: number.is_multiple_of(ONE_IN).then(|| SPEAKER.to_owned()),
                ..Message::new(&texts[number])
            })
            .collect();
        memory.remember(space, &messages, &OperationId::parse(&format!("bench-{first}"))?)?;
    }
    Ok(count as f64 / started.elapsed().as_secs_f64())
}

/// Stores all messages in a new database as applications do, and returns the seconds of the first search after them.
fn first_search(space: &SpaceName, texts: &[String]) -> Result<f64, Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let config = Config::from_toml("[index]\nmemory_mib = 16384", folder.path())?;
    let memory = Recordar::open(config, system_clock())?;
    store(&memory, space, texts, 0..texts.len(), BATCH)?;
    let request = SearchRequest { limit: LIMIT, ..SearchRequest::new(&texts[0]) };
    let (taken, found) = seconds(|| memory.search(std::slice::from_ref(space), &request));
    found.map(|_| taken)
}

/// Inserts the rows that were just stored into other files: those that were written one by one, and those in batches.
fn raw_inserts(
    memory: &Recordar,
    folder: &std::path::Path,
    single: usize,
    batched: usize,
) -> Result<(f64, f64), Error> {
    let (first, rest) = memory.raw()?.into_transactions().split(single);
    let (single_s, inserted) = seconds(|| first.insert_into(&folder.join("raw-single.db")));
    inserted?;
    let (batched_s, inserted) = seconds(|| rest.insert_into(&folder.join("raw-batched.db")));
    inserted?;
    Ok((single as f64 / single_s, batched as f64 / batched_s))
}

/// Plain inserts a second of the rows of messages that were stored one by one, each synced to disk.
pub(super) fn raw_singles(folder: &std::path::Path, count: usize) -> Result<f64, Error> {
    let folder = folder.join("raw");
    std::fs::create_dir_all(&folder).map_err(|error| no_room(&error))?;
    let memory = Recordar::open(Config::from_toml("", &folder)?, system_clock())?;
    measure::build_nothing_ahead(&memory);
    let mut sentences = Sentences::with_vocabulary(9, VOCABULARY);
    let texts: Vec<String> = (0..count).map(|_| sentences.message()).collect();
    store(&memory, &SpaceName::user("bench")?, &texts, 0..count, 1)?;
    Ok(raw_inserts(&memory, &folder, count, 1)?.0)
}

fn question(sentences: &mut Sentences, count: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    while words.len() < count {
        let number = sentences.content_word();
        let word = sentences.word(number).to_owned();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn percentiles(
    queries: &[Vec<String>],
    mut search: impl FnMut(&[String]) -> Result<(), Error>,
) -> Result<Percentiles, Error> {
    let mut times = Vec::with_capacity(queries.len());
    for words in queries {
        let (taken, result) = seconds(|| search(words));
        result?;
        times.push(taken * 1e3);
    }
    let Latency { p50, p90, p99 } = Latency::of(times);
    Ok(Percentiles { p50_ms: p50, p90_ms: p90, p99_ms: p99 })
}

fn seconds<T>(step: impl FnOnce() -> T) -> (f64, T) {
    let started = Instant::now();
    let result = step();
    (started.elapsed().as_secs_f64(), result)
}

fn show(figures: &RecallFigures, output: &Output) {
    output.line(&format!("{} messages of about 20 words in one space, SQLite", figures.items));
    let row = |words: usize, name: &str, times: &Percentiles, recall: &Percentiles| {
        let ratio = format!("{:.2} ×", times.p50_ms / recall.p50_ms);
        let shown = [times.p50_ms, times.p90_ms, times.p99_ms].map(|time| format!("{time:.2}"));
        [vec![words.to_string(), name.to_owned()], shown.to_vec(), vec![ratio]].concat()
    };
    let rows = figures.by_words.iter().flat_map(|(words, found)| {
        let ByWords { recall, filtered, fts5, scan } = found;
        [
            row(*words, "search, total", recall, recall),
            row(*words, "search within a filter that keeps 1 %", filtered, recall),
            row(*words, "baseline: SQLite FTS5", fts5, recall),
            row(*words, "baseline: vector scan", scan, recall),
        ]
    });
    output.table(&["words", "", "p50 ms", "p90 ms", "p99 ms", "p50 / search"], rows);
    output.line(&format!(
        "semantic search finds {:.1} % of the ten nearest items of a vector scan",
        100.0 * figures.scan_overlap
    ));
    output.line(&format!(
        "index: {:.0} bytes per item ({} in total); built in {:.2} s; opened in {:.3} s, {:.2} × reading its bytes; \
         first search after loading {:.2} s",
        figures.index_bytes_per_item,
        bytes((figures.index_bytes_per_item * figures.items as f64) as u64),
        figures.build_s,
        figures.open_s,
        figures.open_s / figures.read_s,
        figures.first_search_s,
    ));
    output.line(&format!("vectors: {:.0} MB of text per second on one core", figures.embed_mb_s));
    let RecallFigures { write_messages_s, raw_inserts_s, write_single_s, raw_single_s, .. } = figures;
    output.line(&format!(
        "durable writes: {write_messages_s:.0} messages per second in batches of {BATCH} ({:.2} × raw inserts), \
         {write_single_s:.0} one by one ({:.2} × raw inserts)",
        write_messages_s / raw_inserts_s,
        write_single_s / raw_single_s,
    ));
}
