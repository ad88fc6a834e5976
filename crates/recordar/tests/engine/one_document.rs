//! C2, C3: one call, one document: which file, and which of its versions.

use crate::{ada, open_at, operation, set_clock, text};
use recordar::document::{Attributes, DocumentMeta, DocumentRequest, DocumentResult, TextRequest, VersionStrategy};
use recordar::forget::ForgetRequest;
use recordar::item::Metadata;
use recordar::{Error, Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::{AtomicI64, Ordering};

/// A memory whose clock the test sets, in seconds.
struct Shelf {
    memory: Recordar,
    seconds: std::sync::Arc<AtomicI64>,
    _database: TestDatabase,
}

impl Shelf {
    fn new() -> Self {
        let database = TestDatabase::new(Engine::Sqlite);
        let (seconds, clock) = set_clock();
        Self { memory: open_at(&database, "", clock), seconds, _database: database }
    }

    fn put(&self, at: i64, name: &str, content: &str, tags: &[&str], topic: Option<&str>) {
        self.seconds.store(at, Ordering::Relaxed);
        let attributes =
            Attributes::new(tags.iter().copied(), topic.map(str::to_owned), None, None, Metadata::default()).unwrap();
        let id = format!("put-{at}-{}", recordar::document::Digest::of(format!("{name}{content}")));
        let request = TextRequest { attributes, force: true, ..text(&id, name, content) };
        self.memory.ingest_text(&ada(), request).unwrap();
    }

    fn get(&self, request: &DocumentRequest) -> Result<DocumentResult, Error> {
        self.memory.document(&ada(), request)
    }

    fn text(&self, request: &DocumentRequest) -> String {
        self.get(request).unwrap().document.text
    }
}

/// The steps that matched nothing.
fn steps(found: &DocumentResult) -> Vec<&str> {
    found.fallbacks.iter().map(|fallback| fallback.step).collect()
}

fn named(name: &str) -> DocumentRequest {
    let meta = DocumentMeta { filename: Some(name.to_owned()), ..DocumentMeta::default() };
    DocumentRequest { meta, ..DocumentRequest::default() }
}

fn tagged(tags: &[&str]) -> DocumentMeta {
    DocumentMeta { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..DocumentMeta::default() }
}

fn at(seconds: i64) -> Option<Timestamp> {
    Some(Timestamp::from_micros(seconds * 1_000_000))
}

fn by(strategy: VersionStrategy) -> DocumentRequest {
    DocumentRequest { strategy, ..named("memory_storage.md") }
}

/// Three versions: the first is short, the second long, the third in between.
fn storage() -> Shelf {
    let shelf = Shelf::new();
    let tags = ["llm-thalamus", "docs", "design"];
    shelf.put(100, "memory_storage.md", "# First\n\nShort.", &tags, None);
    shelf.put(
        200,
        "memory_storage.md",
        "# Second\n\nThis one is the longest of all the versions that there are.",
        &tags,
        None,
    );
    shelf.put(300, "memory_storage.md", "# Third\n\nThe newest, of a middling length.", &tags, None);
    shelf
}

#[test]
fn c3_the_strategies_choose_the_version() {
    let shelf = storage();
    assert!(shelf.text(&by(VersionStrategy::Latest)).starts_with("# Third"));
    assert!(shelf.text(&by(VersionStrategy::Earliest)).starts_with("# First"));
    assert!(shelf.text(&by(VersionStrategy::Longest)).starts_with("# Second"));
    let mut by_score = by(VersionStrategy::Score);
    by_score.meta.query = Some("middling length".to_owned());
    assert!(shelf.text(&by_score).starts_with("# Third"));
    by_score.meta.query = Some("the longest of all versions".to_owned());
    assert!(shelf.text(&by_score).starts_with("# Second"), "versions that are not live count, too");
}

#[test]
fn c2_one_call_gives_one_whole_text() {
    let shelf = storage();
    let mut request = named("memory_storage.md");
    request.meta.topic = Some("llm-thalamus memory design".to_owned());
    request.meta.tags = tagged(&["llm-thalamus", "docs", "design"]).tags;
    let found = shelf.get(&request).unwrap();
    assert_eq!(found.document.text, "# Third\n\nThe newest, of a middling length.");
    assert!(found.document.verified);
    assert_eq!(steps(&found), ["topic"], "no document has exactly this one, so it is only searched for");
    assert_eq!((found.candidate_documents, found.candidate_versions), (1, 3));
    assert_eq!(found.required_tags, ["file_ingest", "llm-thalamus", "docs", "design"]);
    assert_eq!(found.query, "memory_storage.md llm-thalamus memory design");
}

#[test]
fn c3_as_of_is_the_newest_version_at_or_before_the_time() {
    let shelf = storage();
    let as_of = |seconds| DocumentRequest { as_of: at(seconds), ..named("memory_storage.md") };
    for (seconds, heading) in
        [(100, "# First"), (199, "# First"), (200, "# Second"), (299, "# Second"), (900, "# Third")]
    {
        let found = shelf.get(&as_of(seconds)).unwrap();
        assert!(found.document.text.starts_with(heading) && found.fallbacks.is_empty(), "{seconds}");
    }
    let before = shelf.get(&as_of(99)).unwrap();
    assert!(before.document.text.starts_with("# Third"), "where none was there, the latest of all");
    assert_eq!(steps(&before), ["as_of"]);
    let strict = shelf.get(&DocumentRequest { strict: true, ..as_of(99) }).unwrap_err();
    assert_eq!(strict.code(), "no_match");
    assert!(shelf.get(&DocumentRequest { strict: true, ..as_of(100) }).is_ok());
    let seed = Timestamp::parse("2025-12-04T09:00:00+00:00").ok();
    assert!(shelf.text(&DocumentRequest { as_of: seed, ..named("memory_storage.md") }).starts_with("# Third"));
}

#[test]
fn c3_a_time_counts_with_latest_only() {
    let shelf = storage();
    for strategy in [VersionStrategy::Earliest, VersionStrategy::Longest, VersionStrategy::Score] {
        let plain = shelf.text(&by(strategy));
        let timed = shelf.get(&DocumentRequest { as_of: at(100), ..by(strategy) }).unwrap();
        assert_eq!((timed.document.text.clone(), steps(&timed)), (plain, vec!["as_of"]));
        assert!(shelf.get(&DocumentRequest { as_of: at(100), strict: true, ..by(strategy) }).is_err());
    }
}

#[test]
fn c3_equally_new_versions_are_told_apart_by_length_then_score() {
    let shelf = Shelf::new();
    shelf.put(100, "a.md", "The lamp is lit at dusk every day.", &["t"], None);
    shelf.put(100, "b.md", "The lamp.", &["t"], None);
    shelf.put(100, "c.md", "The goat.", &["t"], None);
    let request = |query: &str, strategy| DocumentRequest {
        meta: DocumentMeta { query: Some(query.to_owned()), ..tagged(&["t"]) },
        strategy,
        ..DocumentRequest::default()
    };
    assert!(shelf.text(&request("lamp goat", VersionStrategy::Latest)).contains("dusk"), "the longer of equally new");
    assert!(shelf.text(&request("lamp goat", VersionStrategy::Longest)).contains("dusk"));
    let shelf = Shelf::new();
    shelf.put(100, "b.md", "The lamp.", &["t"], None);
    shelf.put(100, "c.md", "The goat.", &["t"], None);
    for strategy in [VersionStrategy::Latest, VersionStrategy::Longest, VersionStrategy::Score] {
        assert_eq!(
            shelf.text(&request("the goat of the lamp and goat goat", strategy)),
            shelf.text(&request("goat lamp", strategy))
        );
        assert_eq!(shelf.text(&request("goat", strategy)), "The goat.", "equally new and long: the better match");
        assert_eq!(shelf.text(&request("lamp", strategy)), "The lamp.");
    }
    assert_eq!(
        shelf.text(&request("goat lamp", VersionStrategy::Earliest)),
        "The lamp.",
        "of equally old ones the first"
    );
}

#[test]
fn c2_all_required_tags_must_be_there() {
    let shelf = Shelf::new();
    shelf.put(100, "one.md", "About the lamp, one.", &["docs", "design"], None);
    shelf.put(200, "two.md", "About the lamp, two.", &["docs"], None);
    shelf.put(300, "three.md", "About the lamp, three.", &[], None);
    let with = |tags: &[&str]| DocumentRequest { meta: tagged(tags), ..DocumentRequest::default() };
    assert!(shelf.text(&with(&[])).contains("three"), "file_ingest alone");
    assert!(shelf.text(&with(&["docs"])).contains("two"));
    assert!(shelf.text(&with(&["docs", "design"])).contains("one"));
    let default = DocumentRequest { default_tags: vec!["design".to_owned()], ..with(&["docs"]) };
    assert!(shelf.text(&default).contains("one"));
    let none = shelf.get(&with(&["docs", "absent"])).unwrap();
    assert!(none.document.text.contains("three"), "where none has all of them, all count");
    assert_eq!(steps(&none), ["tags"]);
    let trace = serde_json::to_string(&none.trace).unwrap();
    assert!(trace.contains("fallback") && trace.contains("missing tags: absent"), "{trace}");
    let strict = shelf.get(&DocumentRequest { strict: true, ..with(&["docs", "absent"]) }).unwrap_err();
    assert!(strict.to_string().contains("absent"), "{strict}");
}

#[test]
fn c2_messages_are_never_taken_for_documents() {
    let shelf = storage();
    let said: Vec<Message> =
        (0..200).map(|number| Message::new(&format!("memory_storage.md is what I said {number}"))).collect();
    shelf.memory.remember(&ada(), &said, &operation("said")).unwrap();
    let found = shelf.get(&DocumentRequest::default()).unwrap();
    assert_eq!(found.document.document.filename, "memory_storage.md");
    assert!(shelf.text(&named("memory_storage.md")).starts_with("# Third"));
}

#[test]
fn c2_a_name_means_that_file_and_a_description_the_one_that_matches() {
    let shelf = Shelf::new();
    shelf.put(100, "lamp.md", "# Lamp\n\nThe lamp is cleaned with a soft cloth.", &[], Some("keeping the light"));
    shelf.put(200, "soup.md", "# Soup\n\nThe soup takes two onions and a fish.", &[], Some("cooking"));
    shelf.put(300, "weather.md", "# Weather\n\nA red sky means wind.", &[], None);
    let described = |query: &str| DocumentRequest {
        meta: DocumentMeta { query: Some(query.to_owned()), ..DocumentMeta::default() },
        ..DocumentRequest::default()
    };
    assert!(shelf.text(&named("lamp.md")).contains("cloth"), "not the newest of all, but of that name");
    assert!(shelf.text(&described("how is the lamp cleaned")).contains("cloth"), "not the newest, but what matches");
    assert!(shelf.text(&described("onions and fish")).contains("onions"));
    let topic = DocumentMeta { topic: Some("keeping the light".to_owned()), ..DocumentMeta::default() };
    assert!(shelf.text(&DocumentRequest { meta: topic, ..DocumentRequest::default() }).contains("cloth"));
    let absent = shelf.get(&named("onion soup")).unwrap();
    assert_eq!(steps(&absent), ["filename"], "words that are no file name describe it");
    assert!(absent.document.text.contains("onions"));
    assert!(shelf.get(&DocumentRequest { strict: true, ..named("onion soup") }).is_err());
    let nothing = shelf.get(&described("zzzz qqqq xxyyzz")).unwrap();
    assert_eq!(steps(&nothing), ["query"], "nothing is like it");
    assert!(shelf.get(&DocumentRequest { strict: true, ..described("zzzz qqqq xxyyzz") }).is_err());
    shelf.put(400, "/srv/ops/oncall.md", "Call Bo.", &[], None);
    assert_eq!(shelf.text(&named("ops/oncall.md")), "Call Bo.", "the end of a path will do");
    shelf.put(500, "/srv/old/ops/oncall.md", "Call Cy.", &[], None);
    assert_eq!(shelf.text(&named("/srv/ops/oncall.md")), "Call Bo.", "a whole path means that one");
}

#[test]
fn i19_errors_a_name_that_no_document_has_is_an_error_with_similar_names() {
    let shelf = Shelf::new();
    shelf.put(100, "/srv/notes/lamp_care.md", "The lamp is cleaned with a soft cloth.", &["docs"], Some("light"));
    shelf.put(200, "soup.md", "Two onions and a fish.", &[], None);
    let refused = |name: &str| shelf.get(&named(name)).unwrap_err();
    for name in ["nosuchfile.md", "notes/", "/srv/other/x.md"] {
        let error = refused(name);
        assert_eq!(error.code(), "not_found", "{error}");
        assert_eq!(error.to_string(), format!("no document is named {name}"));
    }
    for name in ["lamp-care.md", "Lamp_Care.md", "lamp_care.txt", "old/lamps_care.md"] {
        let error = refused(name).to_string();
        assert_eq!(error, format!("no document is named {name}; similar names: /srv/notes/lamp_care.md"));
    }
    assert!(refused("soups.md").to_string().ends_with("; similar names: soup.md"));
    let tagged =
        DocumentRequest { meta: DocumentMeta { tags: vec!["docs".into()], ..named("x.md").meta }, ..named("") };
    assert_eq!(shelf.get(&tagged).unwrap_err().code(), "not_found", "tags and a time do not describe a document");
    assert_eq!(shelf.get(&DocumentRequest { strict: true, ..named("x.md") }).unwrap_err().code(), "not_found");
    // With a topic beside it, it is a description, which falls back and says so (C2).
    let mut described = named("x.md");
    described.meta.topic = Some("light".to_owned());
    let found = shelf.get(&described).unwrap();
    assert!(found.document.text.contains("cloth"));
    assert_eq!(steps(&found), ["filename"]);
    let decided = &found.trace.stages[0].decisions[0];
    assert_eq!((decided.subject.as_str(), decided.reason.as_str()), ("filename x.md", "by_description"));
}

#[test]
fn c3_versions_are_scored_by_themselves_however_many_documents_there_are() {
    let shelf = Shelf::new();
    shelf.put(100, "page.md", "The keeper cleans the lens.", &[], None);
    shelf.put(200, "page.md", "Onions and fish.", &[], None);
    let crowd: Vec<Message> =
        (0..600).map(|number| Message::new(&format!("The keeper cleans the lens, note {number}."))).collect();
    shelf.memory.remember(&ada(), &crowd, &operation("crowd")).unwrap();
    let mut request = DocumentRequest { strategy: VersionStrategy::Score, ..named("page.md") };
    request.meta.query = Some("who cleans the lens".to_owned());
    let found = shelf.get(&request).unwrap();
    assert!(found.document.text.contains("keeper") && found.score > 0.3, "{}", found.score);
}

#[test]
fn c2_k_bounds_the_documents_and_all_their_versions_count() {
    let shelf = Shelf::new();
    shelf.put(100, "lamp.md", "The lamp burns oil, and oil again.", &[], None);
    shelf.put(200, "lamp.md", "The lamp is electric now.", &[], None);
    shelf.put(300, "oil.md", "The lamp oil.", &[], None);
    let request = |k, strategy| DocumentRequest {
        meta: DocumentMeta { query: Some("lamp".to_owned()), ..DocumentMeta::default() },
        k,
        strategy,
        ..DocumentRequest::default()
    };
    let all = shelf.get(&request(50, VersionStrategy::Latest)).unwrap();
    assert_eq!((all.candidate_documents, all.candidate_versions), (2, 3));
    let one = shelf.get(&request(1, VersionStrategy::Latest)).unwrap();
    assert_eq!(one.candidate_documents, 1);
    for k in [0, 1001] {
        assert_eq!(shelf.get(&request(k, VersionStrategy::Latest)).unwrap_err().code(), "invalid");
    }
}

#[test]
fn c3_what_was_forgotten_is_no_version_any_more() {
    let shelf = storage();
    shelf
        .memory
        .forget(&ada(), &ForgetRequest::Document("memory_storage.md".into()), false, &operation("gone"))
        .unwrap();
    assert_eq!(shelf.get(&named("memory_storage.md")).unwrap_err().code(), "not_found");
    let nobody = SpaceName::user("nobody").unwrap();
    assert_eq!(shelf.memory.document(&nobody, &named("x.md")).unwrap_err().code(), "not_found");
}
