//! Generated histories of ingesting, changing, returning to earlier content, superseding and forgetting agree with
//! a simple model: which version `document` gives, which items are live, and what `recall` gives as of any time.

use crate::{open_at, operation, set_clock, text};
use recordar::document::{DocumentMeta, DocumentRequest, TextRequest, VersionStrategy};
use recordar::forget::ForgetRequest;
use recordar::item::ItemKind;
use recordar::recall::{Authority, RecallOverrides, RecallRequest, RecallResult};
use recordar::search::SearchMode;
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

const HISTORIES_PER_DATABASE: usize = 40;
const FILES: [&str; 2] = ["lamp.md", "rope.md"];
const CONTENTS: [&str; 4] = [
    "marker: the lamp burns oil.",
    "marker: the lamp is electric now, and burns nothing at all.",
    "marker: hemp.",
    "marker: the rope is of hemp and tar, as it ever was.",
];

/// What the model knows of an item: its text, and when it came and went, in seconds.
#[derive(Clone)]
struct Known {
    id: i64,
    text: String,
    born: i64,
    retired: Option<i64>,
    file: Option<usize>,
}

#[derive(Default)]
struct Model {
    items: Vec<Known>,
}

impl Model {
    fn live_at(&self, time: i64) -> BTreeMap<i64, &str> {
        let is_live = |item: &&Known| item.born <= time && item.retired.is_none_or(|retired| time < retired);
        self.items.iter().filter(is_live).map(|item| (item.id, item.text.as_str())).collect()
    }

    fn live_facts(&self) -> Vec<i64> {
        self.items.iter().filter(|item| item.file.is_none() && item.retired.is_none()).map(|item| item.id).collect()
    }

    fn versions(&self, file: usize) -> Vec<&Known> {
        self.items.iter().filter(|item| item.file == Some(file)).collect()
    }

    fn retire(&mut self, id: i64, time: i64) {
        self.items.iter_mut().filter(|item| item.id == id).for_each(|item| item.retired = Some(time));
    }

    /// Each content is one chunk, so that a version is an item.
    fn document(&self, file: usize, strategy: VersionStrategy, as_of: Option<i64>) -> Option<String> {
        let versions = self.versions(file);
        let key = |known: &&&Known| (known.born, known.text.chars().count(), known.id);
        let chosen = match strategy {
            VersionStrategy::Latest => {
                let then: Vec<&&Known> =
                    versions.iter().filter(|known| as_of.is_none_or(|time| known.born <= time)).collect();
                then.into_iter().max_by_key(key).or_else(|| versions.iter().max_by_key(key))
            }
            VersionStrategy::Earliest => versions.iter().min_by_key(|known| (known.born, known.id)),
            _ => versions.iter().max_by_key(|known| known.text.chars().count()),
        };
        chosen.map(|known| known.text.clone())
    }
}

struct History<'a> {
    memory: &'a Recordar,
    seconds: &'a AtomicI64,
    space: SpaceName,
    random: Random,
    model: Model,
    steps: usize,
}

impl History<'_> {
    fn step(&mut self) {
        self.steps += 1;
        // Sometimes two changes fall into one second.
        let forward = self.random.below(3) as i64;
        let now = self.seconds.fetch_add(forward, Ordering::Relaxed) + forward;
        match self.random.below(10) {
            0..4 => self.ingest(now),
            4..6 => self.tell(now, Vec::new()),
            6..8 => match self.model.live_facts().first().copied() {
                Some(old) => self.tell(now, vec![old]),
                None => self.tell(now, Vec::new()),
            },
            8 => self.forget_file(),
            _ => self.forget_fact(),
        }
    }

    fn name(&self) -> String {
        format!("step-{}", self.steps)
    }

    fn ingest(&mut self, now: i64) {
        let (file, content) = (self.random.below(FILES.len()), CONTENTS[self.random.below(CONTENTS.len())]);
        let live = self.model.versions(file).into_iter().find(|known| known.retired.is_none()).cloned();
        let request = TextRequest { ..text(&self.name(), FILES[file], content) };
        self.memory.ingest_text(&self.space, request).unwrap();
        if live.as_ref().is_some_and(|live| live.text == content) {
            return;
        }
        let chunks = self.memory.document_text(&self.space, FILES[file], None).unwrap().chunks;
        if let Some(live) = live {
            self.model.retire(live.id, now);
        }
        let known =
            Known { id: chunks[0].item_id, text: content.to_owned(), born: now, retired: None, file: Some(file) };
        self.model.items.push(known);
    }

    fn tell(&mut self, now: i64, supersedes: Vec<i64>) {
        let words = format!("marker: fact {} of {}", self.steps, self.random.below(5));
        supersedes.iter().for_each(|old| self.model.retire(*old, now));
        // Some are said in a thread, where neighbours count.
        let thread = (self.random.below(2) == 0).then(|| "talk".to_owned());
        let kind = if thread.is_some() { ItemKind::Message } else { ItemKind::Fact };
        let fact = Message { kind, thread, supersedes, ..Message::new(&words) };
        let id = self.memory.remember(&self.space, &[fact], &operation(&self.name())).unwrap().items[0];
        self.model.items.push(Known { id, text: words, born: now, retired: None, file: None });
    }

    fn forget_file(&mut self) {
        let file = self.random.below(FILES.len());
        if !self.model.versions(file).is_empty() {
            let request = ForgetRequest::Document(FILES[file].to_owned());
            self.memory.forget(&self.space, &request, false, &operation(&self.name())).unwrap();
            self.model.items.retain(|known| known.file != Some(file));
        }
    }

    fn forget_fact(&mut self) {
        let facts: Vec<i64> = self.model.items.iter().filter(|item| item.file.is_none()).map(|item| item.id).collect();
        if let Some(id) = facts.get(self.random.below(facts.len().max(1))) {
            let request = ForgetRequest::Items(vec![*id]);
            self.memory.forget(&self.space, &request, false, &operation(&self.name())).unwrap();
            self.model.items.retain(|known| known.id != *id);
        }
    }

    fn recall(&self, as_of: Option<i64>, search_type: SearchMode) -> RecallResult {
        let settings = RecallOverrides {
            top_k: Some(20),
            min_score: Some(0.0),
            clip_sentences: Some(5),
            search_type: Some(search_type),
            ..RecallOverrides::default()
        };
        let request = RecallRequest {
            settings,
            authority: Authority::Administrator,
            as_of: as_of.map(|seconds| Timestamp::from_micros(seconds * 1_000_000)),
            asked_at: Timestamp::parse("2025-06-01").ok(),
            ..RecallRequest::new("marker lamp rope fact")
        };
        self.memory.recall(std::slice::from_ref(&self.space), &request).unwrap()
    }

    /// What is live, now or then, as recalled; duplicates count once.
    fn check_recall(&self, as_of: Option<i64>) {
        let expected = self.model.live_at(as_of.unwrap_or(i64::MAX));
        let found = self.recall(as_of, SearchMode::Keyword);
        let candidates: Vec<i64> = found.candidates.iter().map(|candidate| candidate.item_id).collect();
        let mut sorted = candidates.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected.keys().copied().collect::<Vec<_>>(), "{} as of {as_of:?}", self.space);
        let mut texts: Vec<&str> = expected.values().copied().collect();
        texts.sort_unstable();
        texts.dedup();
        let mut contents: Vec<&str> = found.memories.iter().map(|memory| memory.content.as_str()).collect();
        contents.sort_unstable();
        assert_eq!(contents, texts, "{} as of {as_of:?}", self.space);
    }

    fn check_documents(&mut self, from: i64, to: i64) {
        for (file, name) in FILES.iter().enumerate() {
            for strategy in [VersionStrategy::Latest, VersionStrategy::Earliest, VersionStrategy::Longest] {
                let as_of =
                    (self.random.below(2) == 0).then(|| from - 1 + self.random.below((to - from + 3) as usize) as i64);
                let request = DocumentRequest {
                    meta: DocumentMeta { filename: Some((*name).to_owned()), ..DocumentMeta::default() },
                    strategy,
                    as_of: as_of.map(|seconds| Timestamp::from_micros(seconds * 1_000_000)),
                    ..DocumentRequest::default()
                };
                let found = self.memory.document(&self.space, &request);
                let expected = self.model.document(file, strategy, as_of);
                match expected {
                    Some(expected) => {
                        assert_eq!(found.unwrap().document.text, expected, "{name} {strategy:?} {as_of:?}")
                    }
                    None => assert!(
                        found.is_err() || found.unwrap().fallbacks.iter().any(|fallback| fallback.step == "filename")
                    ),
                }
            }
        }
    }
}

fn run(memory: &Recordar, seconds: &Arc<AtomicI64>, seed: u64) {
    let space = SpaceName::user(&format!("history-{seed}")).unwrap();
    let from = seconds.fetch_add(10, Ordering::Relaxed) + 10;
    let mut history =
        History { memory, seconds, space, random: Random(seed * 2 + 1), model: Model::default(), steps: 0 };
    history.tell(from, Vec::new());
    // What was recalled at some time; forgetting takes away what later looks back at it.
    let mut snapshots: Vec<(i64, RecallResult)> = Vec::new();
    for _ in 0..4 + history.random.below(9) {
        let forgotten_before = history.model.items.len();
        history.step();
        if history.model.items.len() < forgotten_before {
            snapshots.clear();
        }
        let now = seconds.load(Ordering::Relaxed);
        snapshots.retain(|(time, _)| *time != now);
        snapshots.push((now, history.recall(None, SearchMode::Hybrid)));
    }
    let to = seconds.load(Ordering::Relaxed);
    history.check_recall(None);
    for _ in 0..3 {
        let time = from - 1 + history.random.below((to - from + 3) as usize) as i64;
        history.check_recall(Some(time));
    }
    for (time, then) in &snapshots {
        let now = history.recall(Some(*time), SearchMode::Hybrid);
        assert_eq!(
            (&now.memories, &now.candidates, &now.text),
            (&then.memories, &then.candidates, &then.text),
            "{seed} {time}"
        );
    }
    history.check_documents(from, to);
}

#[test]
fn c3_generated_histories_agree_with_a_simple_model() {
    let histories = rounds(120, 10_000) as u64;
    for block in 0..histories.div_ceil(HISTORIES_PER_DATABASE as u64) {
        let engine = Engine::ALL[(block % 3) as usize];
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "[recall]\ncache_seconds = 0", clock);
        let first = block * HISTORIES_PER_DATABASE as u64;
        for seed in first..(first + HISTORIES_PER_DATABASE as u64).min(histories) {
            run(&memory, &seconds, seed);
        }
        crate::transfer::check_round_trip(&memory);
    }
}
