//! The caller's own embedder: it is asked once for each text, its vectors are rows, and whatever it does, nothing is lost and searches go on.

use crate::{ada, open, open_with, operation, text};
use recordar::forget::ForgetRequest;
use recordar::model::{Embed, EmbedFailure, EmbedderName, TextKind};
use recordar::recall::RecallRequest;
use recordar::search::{SearchMode, SearchRequest, SearchResult};
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const DIMENSION: usize = 96;
/// Words that mean the same, to nobody but the toy.
const SAME: [(&str, &str); 3] = [("quimpet", "zorblax"), ("vlimmer", "zorblax"), ("ostrak", "brundle")];

/// What the toy does with passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Well,
    Fails,
    Panics,
    WrongDimension,
    NotFinite,
    TooFew,
    RefusesPoison,
    FailsQuestions,
    Hangs,
}

/// Words as directions; those that mean the same have the same one.
struct Toy {
    name: &'static str,
    mood: Mutex<Mood>,
    passages: AtomicUsize,
    questions: AtomicUsize,
}

impl Toy {
    fn named(name: &'static str, mood: Mood) -> Arc<Self> {
        Arc::new(Self { name, mood: Mutex::new(mood), passages: AtomicUsize::new(0), questions: AtomicUsize::new(0) })
    }

    fn new(mood: Mood) -> Arc<Self> {
        Self::named("toy-1", mood)
    }

    fn asked(&self) -> (usize, usize) {
        (self.passages.load(Ordering::Relaxed), self.questions.load(Ordering::Relaxed))
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let meaning = SAME.iter().find(|(one, _)| *one == word).map_or(word, |(_, other)| other);
        let number = meaning.bytes().fold(7_usize, |hash, byte| (hash * 31 + usize::from(byte)) % 1_000_003);
        vector[number % DIMENSION] += 1.0;
        vector[(number / DIMENSION) % DIMENSION] += 0.5;
    }
    vector
}

impl Embed for Toy {
    fn name(&self) -> &str {
        self.name
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        let mood = *self.mood.lock().unwrap();
        match kind {
            TextKind::Passage => self.passages.fetch_add(texts.len(), Ordering::Relaxed),
            TextKind::Question => self.questions.fetch_add(texts.len(), Ordering::Relaxed),
        };
        let mut vectors: Vec<Vec<f32>> = texts.iter().map(|text| vector(text)).collect();
        match mood {
            Mood::Fails => return Err(EmbedFailure::new("no connection to the model")),
            Mood::FailsQuestions if kind == TextKind::Question => return Err(EmbedFailure::new("no more quota")),
            Mood::RefusesPoison if texts.iter().any(|text| text.contains("poison")) => {
                return Err(EmbedFailure::new("a text is too long"));
            }
            Mood::Panics => panic!("the toy is broken"),
            Mood::WrongDimension => vectors.iter_mut().for_each(|vector| vector.push(1.0)),
            Mood::NotFinite => vectors.iter_mut().for_each(|vector| vector[0] = f32::NAN),
            Mood::TooFew => drop(vectors.pop()),
            Mood::Hangs => loop {
                std::thread::park();
            },
            Mood::Well | Mood::FailsQuestions | Mood::RefusesPoison => {}
        }
        Ok(vectors)
    }

    fn patience(&self) -> Duration {
        if *self.mood.lock().unwrap() == Mood::Hangs { Duration::from_millis(50) } else { Duration::from_secs(60) }
    }
}

fn open_own(database: &TestDatabase, toy: &Arc<Toy>) -> Recordar {
    open(database).with_embedder(Arc::clone(toy) as Arc<dyn Embed>).unwrap()
}

const SAID: [&str; 6] = [
    "The zorblax lies on the table.",
    "Bruno has sold the boat.",
    "A brundle was seen at the pier.",
    "Clara repaired the lamp.",
    "The kettle boils every morning.",
    "Nobody has found the map.",
];

fn say(memory: &Recordar, texts: &[&str], id: &str) {
    let said: Vec<Message> = texts.iter().map(|text| Message::new(text)).collect();
    memory.remember(&ada(), &said, &operation(id)).unwrap();
}

fn search(memory: &Recordar, query: &str) -> SearchResult {
    memory.search(&[ada()], &SearchRequest::new(query)).unwrap()
}

fn found(memory: &Recordar, query: &str) -> Option<String> {
    search(memory, query).hits.into_iter().next().map(|hit| hit.item.text)
}

/// The details of the trace's decisions with a reason.
fn details(result: &SearchResult, reason: &str) -> Vec<String> {
    let decisions = result.trace.stages.iter().flat_map(|stage| &stage.decisions);
    decisions.filter(|decision| decision.reason == reason).map(|decision| decision.detail.clone()).collect()
}

fn rows(memory: &Recordar, table: &str) -> Vec<Vec<String>> {
    let lines = memory.raw().unwrap().lines();
    let lines = lines.iter().filter_map(|line| line.strip_prefix(&format!("{table} ")));
    lines.map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

#[test]
fn i21_embedder_finds_what_words_cannot_and_is_asked_once_for_each_text() {
    let mut answers: Vec<Vec<String>> = Vec::new();
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let toy = Toy::new(Mood::Well);
        let memory = open_own(&database, &toy);
        let report = memory.models().unwrap();
        assert_eq!((report.embedder.as_str(), report.dimension), ("toy-1", DIMENSION), "{engine:?}");
        assert_eq!((report.embedder_source, report.given_embedder.as_deref()), ("given", Some("toy-1")));
        say(&memory, &SAID, "said");
        say(&memory, &[SAID[0], SAID[1]], "again");
        assert_eq!(toy.asked(), (0, 0), "{engine:?}: a write does not wait for it");

        assert_eq!(found(&memory, "quimpet").as_deref(), Some(SAID[0]), "{engine:?}");
        assert_eq!(found(&memory, "ostrak").as_deref(), Some(SAID[2]), "{engine:?}");
        assert_eq!(found(&memory, "lamp").as_deref(), Some(SAID[3]), "{engine:?}");
        assert!(details(&search(&memory, "quimpet"), "words_only").is_empty());
        assert_eq!(toy.asked(), (SAID.len(), 3), "{engine:?}: repeated texts and questions are not asked for again");

        let vectors = rows(&memory, "vectors");
        assert_eq!(vectors.len(), SAID.len() + 2, "{engine:?}");
        for row in &vectors {
            assert_eq!((row[4].as_str(), row[5].as_str(), row[6].len()), ("\"toy-1\"", "96", 2 * DIMENSION));
            assert!(row[6].contains("7f"), "the largest component is 127: {}", row[6]);
        }
        drop(memory);

        let (other, later) = (Toy::new(Mood::Well), ["The vlimmer is heavy."]);
        let memory = open_own(&database, &other);
        assert_eq!(found(&memory, "quimpet").as_deref(), Some(SAID[0]), "{engine:?}");
        assert_eq!(other.asked(), (0, 1), "{engine:?}: the vectors are stored");
        say(&memory, &later, "later");
        let hits = search(&memory, "quimpet").hits;
        let texts: Vec<String> = hits.iter().map(|hit| format!("{} {:.6}", hit.item.text, hit.score)).collect();
        assert!(texts.iter().any(|text| text.starts_with(later[0])), "{engine:?}: {texts:?}");
        assert_eq!(other.asked().0, 1, "{engine:?}");
        let recalled = memory.recall(&[ada()], &RecallRequest::new("quimpet")).unwrap();
        assert!(recalled.text.contains("vlimmer"), "{engine:?}: {}", recalled.text);
        answers.push(texts);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
}

#[test]
fn i21_embedder_that_is_missing_leaves_words_and_nothing_is_lost() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        say(&open_own(&database, &Toy::new(Mood::Well)), &SAID[..3], "said");
        let plain = open(&database);
        say(&plain, &SAID[3..], "plain");
        let result = search(&plain, "zorblax");
        assert_eq!(result.hits[0].item.text, SAID[0], "{engine:?}");
        let why = details(&result, "words_only");
        assert!(why[0].contains("\"toy-1\"") && why[0].contains("not given"), "{engine:?}: {why:?}");
        for mode in [SearchMode::Semantic, SearchMode::Keyword, SearchMode::Hybrid] {
            let request = SearchRequest { mode, ..SearchRequest::new("lamp") };
            assert_eq!(plain.search(&[ada()], &request).unwrap().hits[0].item.text, SAID[3], "{engine:?}, {mode:?}");
        }
        assert!(plain.recall(&[ada()], &RecallRequest::new("Who repaired the lamp?")).unwrap().text.contains("Clara"));
        assert_eq!(plain.models().unwrap().embedder_source, "not_given", "{engine:?}");
        plain.finish_index(&recordar::database::Cancel::default());
        drop(plain);
        // Another of the same name and another dimension is another one.
        let toy = Toy::new(Mood::Well);
        let memory = open_own(&database, &toy);
        assert_eq!(found(&memory, "quimpet").as_deref(), Some(SAID[0]), "{engine:?}");
        assert_eq!(rows(&memory, "vectors").len(), SAID.len(), "{engine:?}: those that were written without it, too");
    }
}

#[test]
fn i21_embedder_that_misbehaves_never_stops_a_write_or_a_search() {
    let cases = [
        (Mood::Fails, "no connection to the model"),
        (Mood::Panics, "the toy is broken"),
        (Mood::WrongDimension, "a vector with 97 components; its dimension is 96"),
        (Mood::NotFinite, "NaN"),
        (Mood::TooFew, "0 vectors for 1 texts"),
        (Mood::FailsQuestions, "no more quota"),
        (Mood::Hangs, "has not answered within 50 ms"),
    ];
    for (mood, expected) in cases {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_own(&database, &Toy::new(mood));
        say(&memory, &SAID, "said");
        for _ in 0..2 {
            let result = search(&memory, "zorblax");
            assert_eq!(result.hits[0].item.text, SAID[0], "{mood:?}");
            let why = details(&result, "words_only").join(" ");
            assert!(why.contains("\"toy-1\"") && why.contains(expected), "{mood:?}: {why}");
        }
        let vectors = if mood == Mood::FailsQuestions { SAID.len() } else { 0 };
        assert_eq!(rows(&memory, "vectors").len(), vectors, "{mood:?}: nothing wrong is stored");
        memory.drop_indexes();
        drop(memory);
        let memory = open_own(&database, &Toy::new(Mood::Well));
        assert_eq!(found(&memory, "quimpet").as_deref(), Some(SAID[0]), "{mood:?}: embedded later");
    }
}

#[test]
fn i21_embedder_that_refuses_one_text_embeds_the_others() {
    let database = TestDatabase::new(Engine::Sqlite);
    let toy = Toy::new(Mood::RefusesPoison);
    let memory = open_own(&database, &toy);
    let mut said: Vec<String> = (0..150).map(|number| format!("They saw the gull on day {number}.")).collect();
    said[40] = "A poison was found.".to_owned();
    said[100] = SAID[0].to_owned();
    say(&memory, &said.iter().map(String::as_str).collect::<Vec<_>>(), "said");
    let result = search(&memory, "quimpet");
    assert_eq!(result.hits[0].item.text, SAID[0]);
    assert!(details(&result, "unembedded")[0].starts_with("1 items have no vector yet"), "{result:?}");
    assert_eq!(found(&memory, "poison").as_deref(), Some("A poison was found."));
    assert_eq!(rows(&memory, "vectors").len(), said.len() - 1);
    let asked = toy.asked().0;
    assert_eq!(found(&memory, "vlimmer").as_deref(), Some(SAID[0]));
    assert_eq!(toy.asked().0, asked, "it is not asked again with every search");
    say(&memory, &["A vlimmer came on the boat."], "new");
    assert!(search(&memory, "quimpet").hits.iter().any(|hit| hit.item.text.contains("vlimmer")), "new ones are");
    drop(memory);
    let memory = open_own(&database, &Toy::new(Mood::Well));
    assert!(details(&search(&memory, "quimpet"), "unembedded").is_empty());
    assert_eq!(rows(&memory, "vectors").len(), said.len() + 1);
}

#[test]
fn i21_embedder_recovers_while_a_program_runs() {
    let database = TestDatabase::new(Engine::Sqlite);
    let other = Toy::new(Mood::Well);
    let memory = open_own(&database, &other);
    say(&memory, &["The vlimmer is heavy.", SAID[1], SAID[2]], "said");
    *other.mood.lock().unwrap() = Mood::FailsQuestions;
    let request = RecallRequest::new("quimpet");
    assert!(!memory.recall(&[ada()], &request).unwrap().text.contains("vlimmer"));
    *other.mood.lock().unwrap() = Mood::Well;
    assert!(memory.recall(&[ada()], &request).unwrap().text.contains("vlimmer"), "a poorer result is not cached");
}

#[test]
fn i21_embedder_reembed_there_and_back() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        say(&open(&database), &SAID, "said");
        let toy = Toy::new(Mood::Well);
        let (memory, plain) = (open_own(&database, &toy), open(&database));
        let before = memory.models().unwrap();
        assert_eq!(before.embedder, EmbedderName::default().as_str(), "{engine:?}: items have another one's vectors");
        assert_eq!((before.embedder_source, before.given_embedder.as_deref()), ("built_in", Some("toy-1")));
        let scores = |memory: &Recordar| -> Vec<(String, String)> {
            let hits = search(memory, "boat sold lamp").hits.into_iter();
            hits.map(|hit| (hit.item.text, format!("{:.9}", hit.score))).collect()
        };
        let built_in = scores(&memory);

        let error = plain.reembed("toy-1", &operation("none"), |_| {}).unwrap_err();
        assert!(error.remedy().contains("recordar-static-256.1"), "{engine:?}: {error}");
        let there = memory.reembed("toy-1", &operation("there"), |_| {}).unwrap();
        assert_eq!((there.embedder.as_str(), there.dimension), ("toy-1", DIMENSION), "{engine:?}");
        assert_eq!((there.changed, there.spaces, there.failed, there.pending), (true, 1, 0, None), "{engine:?}");
        assert_eq!(rows(&memory, "vectors").len(), SAID.len(), "{engine:?}");
        assert_eq!(found(&memory, "quimpet").as_deref(), Some(SAID[0]), "{engine:?}");
        assert_eq!(toy.asked().0, SAID.len() + 1, "{engine:?}: each text, and one to try");
        assert_eq!(details(&search(&plain, "boat"), "words_only").len(), 1, "{engine:?}");
        let error = plain.reembed("toy-1", &operation("none"), |_| {}).unwrap_err();
        assert_eq!(error.code(), "no_embedder", "{engine:?}");

        let second = Toy::named("toy-2", Mood::Well);
        let other = open_own(&database, &second);
        assert_eq!(details(&search(&other, "boat"), "words_only").len(), 1, "{engine:?}: it has another one");
        assert!(other.reembed("toy-2", &operation("second"), |_| {}).unwrap().changed, "{engine:?}");
        assert_eq!(found(&other, "quimpet").as_deref(), Some(SAID[0]), "{engine:?}");
        assert!(rows(&memory, "vectors").iter().all(|row| row[4] == "\"toy-2\""), "{engine:?}");
        assert_eq!(details(&search(&memory, "boat"), "words_only").len(), 1, "{engine:?}");

        assert!(plain.reembed(EmbedderName::default().as_str(), &operation("back"), |_| {}).unwrap().changed);
        assert_eq!(rows(&memory, "vectors").len(), 0, "{engine:?}");
        for memory in [&memory, &plain, &other] {
            assert_eq!(scores(memory), built_in, "{engine:?}");
        }
    }
}

#[test]
fn i21_embedder_reembed_with_one_that_fails_leaves_the_store_as_it_is() {
    let database = TestDatabase::new(Engine::Sqlite);
    say(&open(&database), &SAID, "said");
    let memory = open_own(&database, &Toy::new(Mood::Fails));
    let error = memory.reembed("toy-1", &operation("there"), |_| {}).unwrap_err();
    assert!(error.code() == "embedder_failed" && error.to_string().contains("no connection"), "{error}");
    let report = memory.models().unwrap();
    assert_eq!((report.embedder.as_str(), report.pending_embedder), (EmbedderName::default().as_str(), None));
    assert_eq!(memory.reembed("toy-9", &operation("nine"), |_| {}).unwrap_err().code(), "invalid");
}

#[test]
fn i21_embedder_a_worker_without_it_leaves_the_move_to_others() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        say(&open(&database), &SAID, "said");
        say(&open(&database), &["A poison was found."], "bad");
        let settings = "work.attempts = 1";
        let toy = Toy::new(Mood::RefusesPoison);
        let memory = open_with(&database, settings).with_embedder(toy.clone()).unwrap();
        let there = memory.reembed("toy-1", &operation("there"), |_| {}).unwrap();
        assert_eq!((there.changed, there.failed, there.pending.as_deref()), (false, 1, Some("toy-1")), "{engine:?}");
        let queue = memory.queue().unwrap();
        let reason = serde_json::to_string(&queue).unwrap();
        assert!(reason.contains("cannot be embedded") && !reason.contains("too long"), "{engine:?}: {reason}");
        memory.retry_jobs(&ada(), &operation("retry")).unwrap();

        let plain = open(&database);
        let report = plain.work(false, None, &operation("plain"), |_| {}).unwrap();
        assert_eq!((report.reembedded, report.failed, report.dead), (0, 0, 0), "{engine:?}");
        assert!(details(&search(&plain, "boat"), "words_only").is_empty(), "{engine:?}: searched as before");
        *toy.mood.lock().unwrap() = Mood::Well;
        assert_eq!(memory.work(false, None, &operation("work"), |_| {}).unwrap().reembedded, 1, "{engine:?}");
        assert_eq!(found(&memory, "quimpet").as_deref(), Some(SAID[0]), "{engine:?}");
    }
}

#[test]
fn i21_embedder_forgetting_leaves_no_vector() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let settings =
            "chunking.method = \"recursive\"\nchunking.recursive_tokens = 200\nchunking.recursive_overlap = 40";
        let memory = open_with(&database, settings).with_embedder(Toy::new(Mood::Well)).unwrap();
        say(&memory, &SAID, "said");
        let long: String = (0..400).map(|number| format!("Line {number} tells of gull {}. ", number % 37)).collect();
        memory.ingest_text(&ada(), text("doc", "log.txt", &long)).unwrap();
        search(&memory, "quimpet");
        memory.drop_indexes();
        let count = rows(&memory, "items").len();
        assert_eq!(rows(&memory, "vectors").len(), count, "{engine:?}");

        let hit = search(&memory, "quimpet").hits.remove(0).item;
        assert_eq!(hit.text, SAID[0], "{engine:?}");
        let bytes: Vec<u8> = rows(&memory, "vectors")
            .iter()
            .find(|row| row[1] == hit.item_id.to_string())
            .map(|row| (0..row[6].len() / 2).map(|at| u8::from_str_radix(&row[6][2 * at..2 * at + 2], 16).unwrap()))
            .unwrap()
            .collect();
        let is_in_file = || {
            let file = database.url.trim_start_matches("sqlite:");
            let files = [file.to_owned(), format!("{file}-wal")].map(|file| std::fs::read(file).unwrap_or_default());
            files.iter().any(|file| file.windows(bytes.len()).any(|window| window == bytes))
        };
        assert!(engine != Engine::Sqlite || is_in_file());
        memory.forget(&ada(), &ForgetRequest::Items(vec![hit.item_id]), false, &operation("item")).unwrap();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(memory.raw().unwrap().lines().iter().all(|line| !line.contains(&hex)), "{engine:?}");
        assert!(engine != Engine::Sqlite || !is_in_file(), "its bytes are gone from the file");

        // A chunk's neighbours lose what they share with it, and their vectors with that.
        let chunks = rows(&memory, "items").iter().filter(|row| row[2] == "1").count();
        assert!(chunks > 3, "{engine:?}: {chunks}");
        let chunk = search(&memory, "Line 200 gull").hits.into_iter().find(|hit| hit.item.text.contains("Line 200 "));
        let id = chunk.unwrap().item.item_id;
        memory.forget(&ada(), &ForgetRequest::Items(vec![id]), false, &operation("chunk")).unwrap();
        let left = rows(&memory, "vectors").len();
        assert!(left < rows(&memory, "items").len(), "{engine:?}: a rewritten chunk has none");
        search(&memory, "gull");
        assert_eq!(rows(&memory, "vectors").len(), rows(&memory, "items").len(), "{engine:?}");
        let items = memory.items(
            &ada(),
            &recordar::item::ItemsRequest {
                names: Vec::new(),
                kind: None,
                filter: recordar::search::Filter::default(),
                after: 0,
                limit: 1000,
            },
        );
        for stored in items.unwrap().items {
            let row = rows(&memory, "vectors").into_iter().find(|row| row[1] == stored.item.item_id.to_string());
            let hash = recordar::document::Digest::of(&stored.item.text).to_string();
            assert_eq!(row.unwrap()[3], hash, "{engine:?}: of the text as it is");
        }
        memory.forget(&ada(), &ForgetRequest::Space, false, &operation("space")).unwrap();
        assert!(rows(&memory, "vectors").is_empty(), "{engine:?}");
    }
}

#[test]
fn i21_embedder_names_of_built_in_ones_are_refused() {
    let database = TestDatabase::new(Engine::Sqlite);
    let error = open(&database).with_embedder(Toy::named("recordar-static-256.1", Mood::Well)).err().unwrap();
    assert!(error.to_string().contains("begins with"), "{error}");
}
