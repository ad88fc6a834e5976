//! Batches of different parents run side by side: as many calls as there are batches and not one more, never more at a time than are allowed,
//! and the same rows whichever reply comes first.

use crate::drawn_model::{Asked, with_model};
use crate::tree_rows::Rows;
use crate::{ingest, open_at, request, set_clock};
use recordar_testkit::{Engine, ModelServer, Random, TestDatabase, rounds};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const BATCH: usize = 5;
const DEPTH: usize = 3;

/// How long the server takes for a reply.
#[derive(Debug, Clone, Copy)]
enum Latency {
    Always(Duration),
    /// Up to that, drawn from a seed.
    UpTo(Duration, u64),
}

/// Calls of each level: under way now, and at the most.
type UnderWay = Arc<Mutex<BTreeMap<usize, (usize, usize)>>>;

/// Where the entry of a number belongs: 10 names, 5 below each of them, and 4 below each of those.
fn rule(number: usize) -> [String; DEPTH] {
    let (area, part, kind) = (number % 10, number / 10 % 5, number / 50 % 4);
    [format!("Area {area}"), format!("Part {area}.{part}"), format!("Kind {area}.{part}.{kind}")]
}

/// The number that a chunk tells.
fn number_in(text: &str) -> usize {
    let digits = text.split("Entry ").nth(1).and_then(|rest| rest.split(' ').next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("no number in {text:?}"))
}

fn sorting_server(latency: Latency, under_way: &UnderWay) -> ModelServer {
    let under_way = Arc::clone(under_way);
    let random = Mutex::new(Random(if let Latency::UpTo(_, seed) = latency { seed } else { 0 }));
    ModelServer::start(move |received| {
        let asked = Asked::read(received);
        if asked.task != "classify" {
            return asked.reply(&asked.honest(|_| String::new()).to_string());
        }
        let (level, _) = asked.level();
        {
            let mut levels = under_way.lock().unwrap();
            let (now, most) = levels.entry(level).or_default();
            *now += 1;
            *most = (*most).max(*now);
        }
        std::thread::sleep(match latency {
            Latency::Always(latency) => latency,
            Latency::UpTo(latency, _) => latency * random.lock().unwrap().below(100) as u32 / 100,
        });
        let reply = asked.honest(|text| rule(number_in(text))[level - 1].clone());
        under_way.lock().unwrap().entry(level).and_modify(|(now, _)| *now -= 1);
        asked.reply(&reply.to_string())
    })
}

/// Every row of the store after two sources were ingested, and what ran at a time on each level.
fn ingested(folder: &Path, latency: Latency, concurrency: usize) -> (Vec<String>, BTreeMap<usize, usize>) {
    let under_way = UnderWay::default();
    let server = sorting_server(latency, &under_way);
    let more = format!(
        "structured = \"native\"\nretries = 0\nrepairs = 0\nconcurrency = {concurrency}\n[tree]\nbatch_size = {BATCH}\n\
         max_categories_per_level = 500\n"
    );
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, &with_model(&server.url(), &more), set_clock().1);
    let started = Instant::now();
    let report = ingest(&memory, &request("both", &[folder]));
    let took = started.elapsed();
    assert_eq!((report.totals.added, report.totals.unclassified), (2, 0), "{:?}", report.files);
    let rows = Rows::of(&memory);
    rows.check(&[10, 50, 200]).unwrap();
    let chunks = rows.chunks();
    assert_eq!(chunks.len() as u64, report.totals.classified);
    // What has to be asked, by source and by the names above, where each chunk stands on its way down.
    let mut groups: BTreeMap<(i64, &[String]), usize> = BTreeMap::new();
    for chunk in &chunks {
        let path = rows.path_of(chunk.id).unwrap();
        assert_eq!(path, &rule(number_in(&chunk.text)));
        (0..DEPTH).for_each(|above| *groups.entry((chunk.document, &path[..above])).or_default() += 1);
    }
    let expected: usize = groups.values().map(|chunks| chunks.div_ceil(BATCH)).sum();
    let asked: Vec<Asked> = server.received().iter().map(Asked::read).collect();
    assert_eq!(asked.iter().filter(|asked| asked.task == "classify").count(), expected);
    assert_eq!((asked.len(), report.batches.len()), (expected + 2, expected), "and a helper for each source");
    println!("{} chunks, {latency:?}, {concurrency} at a time: {expected} calls in {took:?}", chunks.len());
    let most = under_way.lock().unwrap().iter().map(|(level, (_, most))| (*level, *most)).collect();
    (memory.raw().unwrap().lines(), most)
}

#[test]
fn a5_r2a_7_parents_are_asked_about_side_by_side_and_the_result_does_not_depend_on_it() {
    let (entries, latency) = (rounds(240, 1_000), Duration::from_millis(rounds(8, 50) as u64));
    let folder = tempfile::tempdir().unwrap();
    for (source, name) in ["even.txt", "odd.txt"].into_iter().enumerate() {
        let line = |at: usize| format!("Entry {} is about the thing that is kept in the tower\n", at * 7 + source);
        let lines: String = (0..entries / 2).map(line).collect();
        std::fs::write(folder.path().join(name), lines).unwrap();
    }
    let (one_by_one, most) = ingested(folder.path(), Latency::Always(latency), 1);
    assert_eq!(most, BTreeMap::from([(1, 1), (2, 1), (3, 1)]));
    let (together, most) = ingested(folder.path(), Latency::Always(latency), 8);
    assert_eq!(most[&1], 1, "the first level has one parent, and each batch sees the names of the one before");
    assert!((2..=8).contains(&most[&2]) && (2..=8).contains(&most[&3]), "{most:?}");
    assert!(together == one_by_one, "other rows than one by one");
    for seed in 1..=3 {
        let (shuffled, most) = ingested(folder.path(), Latency::UpTo(latency * 2, seed), 8);
        assert!(most.values().all(|most| *most <= 8), "{most:?}");
        assert!(shuffled == one_by_one, "other rows with seed {seed}");
    }
}
