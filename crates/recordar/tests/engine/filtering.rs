//! Filters: a search within one is a search of everything, without what does not pass. What passes is decided here a second time, from the
//! rows as `item` shows them.

use crate::{ada, ingest, open, open_at, operation, request, set_clock};
use recordar::document::{Attributes, DocumentsRequest};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemKind, ItemName, ItemsRequest, Metadata, Role, StoredItem};
use recordar::measure::all_scores;
use recordar::query::QueryRequest;
use recordar::recall::{RecallOverrides, RecallRequest};
use recordar::search::{Filter, SearchMode, SearchRequest};
use recordar::why_not::FallenAt;
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

const NOUNS: [&str; 14] = [
    "lamp", "lens", "boat", "keeper", "oil", "storm", "rope", "ladder", "window", "harbour", "bell", "garden",
    "kettle", "tide",
];
const SPEAKERS: [&str; 4] = ["Ana", "Ana Maria", "Bruno", "Chief Engineer of the North Harbour Lighthouse Board"];

fn bob() -> SpaceName {
    SpaceName::user("bob").unwrap()
}

fn filter(conditions: &[&str]) -> Filter {
    Filter::parse(conditions).unwrap()
}

fn sentence(random: &mut Random) -> String {
    let mut noun = || NOUNS[random.below(NOUNS.len())];
    format!("The {} is behind the {} near the {}.", noun(), noun(), noun())
}

fn metadata(random: &mut Random) -> Metadata {
    let json = match random.below(7) {
        0 => json!({"author": "Kim", "year": 2024}),
        1 => json!({"author": "Lee", "draft": true, "labels": ["red", "blue"]}),
        2 => json!({"author": ["Kim", "Lee"], "note": "x".repeat(90)}),
        // More than an index holds of one item.
        3 if random.below(4) == 0 => {
            let mut many: serde_json::Map<_, _> = (0..90).map(|key| (format!("key-{key:02}"), json!(key))).collect();
            many.insert("year".to_owned(), json!(2024));
            many.into()
        }
        _ => json!({}),
    };
    Metadata::from_json(&json.to_string()).unwrap()
}

fn message(random: &mut Random) -> Message {
    let kind = [ItemKind::Message, ItemKind::Message, ItemKind::Message, ItemKind::Fact, ItemKind::Summary];
    Message {
        kind: kind[random.below(5)],
        thread: (random.below(5) > 0).then(|| ["standup", "retro", "Ana"][random.below(3)].to_owned()),
        role: [Role::User, Role::Assistant, Role::Tool][random.below(3)],
        speaker: (random.below(2) == 0).then(|| SPEAKERS[random.below(4)].to_owned()),
        time: Timestamp::parse(&format!("2024-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28))).ok(),
        metadata: metadata(random),
        ..Message::new(&sentence(random))
    }
}

const FILES: [&str; 6] =
    ["docs/index.md", "docs/api/search.md", "docs/api/old/recall.md", "notes/plain.txt", "api/top.md", "data.json"];

fn write_files(folder: &Path, random: &mut Random) {
    for (number, name) in FILES.iter().enumerate() {
        let text = match name.ends_with(".json") {
            true => json!({"first": sentence(random), "second": sentence(random)}).to_string(),
            false => (0..1 + random.below(40)).map(|_| sentence(random) + "\n\n").collect(),
        };
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000 + 5_000_000 * number as u64);
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }
}

/// Writes of every kind, one after the other. Returns a time after each.
fn grow(memory: &Recordar, seconds: &AtomicI64, folder: &Path, random: &mut Random) -> Vec<Timestamp> {
    let mut times = Vec::new();
    for step in 0..6 {
        let now = seconds.fetch_add(10, Ordering::Relaxed) + 10;
        for space in [ada(), bob()] {
            let id = |what: &str| format!("{what}-{step}-{space}");
            let mut messages: Vec<Message> = (0..25).map(|_| message(random)).collect();
            // An echo, and a correction.
            messages.push(messages[0].clone());
            if step > 0 {
                let known = all_scores(memory, &space, &SearchRequest::new("lamp")).unwrap();
                let live = known.iter().map(|(id, _)| memory.item(&space, &ItemName::Number(*id)).unwrap());
                let old = live.filter(|item| item.item.kind != ItemKind::Chunk).nth(random.below(5)).unwrap();
                messages[1].supersedes = vec![old.item.item_id];
            }
            memory.remember(&space, &messages, &operation(&id("messages"))).unwrap();
            if step % 2 == 0 {
                write_files(folder, random);
                let tags: [&[&str]; 3] = [&["release-0.8", "draft"], &["release-0.9"], &[]];
                let mut files = request(&id("files"), &[folder]);
                let metadata = Metadata::from_json(r#"{"author": "Kim", "step": 1}"#).unwrap();
                let topic = (step == 2).then(|| "harbours".to_owned());
                files.attributes =
                    Attributes::new(tags[step / 2].iter().copied(), topic, None, None, metadata).unwrap();
                memory.ingest(&space, &files, &mut |_| {}).unwrap();
            }
        }
        if step == 3 {
            let first = memory.items(&bob(), &list(Filter::default(), 0, 1)).unwrap().items[0].item.item_id;
            memory.forget(&bob(), &ForgetRequest::Items(vec![first]), false, &operation("forget")).unwrap();
        }
        times.push(Timestamp::from_micros(now * 1_000_000 + 1));
    }
    times
}

fn list(filter: Filter, after: i64, limit: usize) -> ItemsRequest {
    ItemsRequest { names: Vec::new(), kind: None, filter, after, limit }
}

/// A condition, and what it means, said by other means.
type Meaning = (&'static str, fn(&StoredItem) -> bool);

fn name(item: &StoredItem) -> &str {
    item.item.document_name.as_deref().unwrap_or_default()
}

fn is_chunk(item: &StoredItem) -> bool {
    item.item.kind == ItemKind::Chunk
}

fn has(item: &StoredItem, key: &str, value: &serde_json::Value) -> bool {
    match item.item.stored.metadata.get(key) {
        Some(serde_json::Value::Array(values)) => values.contains(value),
        Some(found) => found == value,
        None => false,
    }
}

fn month(item: &StoredItem) -> String {
    item.item.occurred_at.to_string()[..7].to_owned()
}

const MEANINGS: &[Meaning] = &[
    ("tag=release-0.8", |item| is_chunk(item) && has(item, "tags", &json!("release-0.8"))),
    ("tag=release-0.9", |item| is_chunk(item) && has(item, "tags", &json!("release-0.9"))),
    ("tag=draft", |item| is_chunk(item) && has(item, "tags", &json!("draft"))),
    ("tag=file_ingest", is_chunk),
    ("tag=release", |_| false),
    ("path=docs/**", |item| name(item).starts_with("docs/")),
    ("path=docs/*.md", |item| name(item) == "docs/index.md"),
    ("path=**/api/*.md", |item| ["docs/api/search.md", "api/top.md"].contains(&name(item))),
    ("path=*.json", |item| name(item) == "data.json"),
    ("path=/**", is_chunk),
    ("path={api,notes}/*", |item| ["api/top.md", "notes/plain.txt"].contains(&name(item))),
    ("path=DOCS/**", |_| false),
    ("type=markdown", |item| name(item).ends_with(".md")),
    ("type=text", |item| name(item).ends_with(".txt")),
    ("type=yaml", |_| false),
    ("kind=chunk", is_chunk),
    ("kind=message", |item| item.item.kind == ItemKind::Message),
    ("kind=fact", |item| item.item.kind == ItemKind::Fact),
    ("kind=summary", |item| item.item.kind == ItemKind::Summary),
    ("thread=standup", |item| item.item.thread.as_deref() == Some("standup")),
    ("thread=Ana", |item| item.item.thread.as_deref() == Some("Ana")),
    ("thread=nowhere", |_| false),
    ("role=user", |item| item.item.role.as_deref() == Some("user")),
    ("role=tool", |item| item.item.role.as_deref() == Some("tool")),
    ("speaker=Ana", |item| item.item.speaker.as_deref() == Some("Ana")),
    ("speaker=Chief Engineer of the North Harbour Lighthouse Board", |item| {
        item.item.speaker.as_deref() == Some(SPEAKERS[3])
    }),
    ("speaker=ana", |_| false),
    ("meta.author=Kim", |item| has(item, "author", &json!("Kim"))),
    ("meta.author=Lee", |item| has(item, "author", &json!("Lee"))),
    ("meta.year=2024", |item| has(item, "year", &json!(2024))),
    ("meta.draft=true", |item| has(item, "draft", &json!(true))),
    ("meta.labels=blue", |item| has(item, "labels", &json!("blue"))),
    ("meta.topic=harbours", |item| is_chunk(item) && has(item, "topic", &json!("harbours"))),
    ("meta.key-80=80", |item| has(item, "key-80", &json!(80))),
    ("meta.step=1", |item| has(item, "step", &json!(1))),
    ("since=2024-03-01", |item| month(item).as_str() >= "2024-03"),
    ("before=2024-06-01", |item| month(item).as_str() < "2024-06"),
    ("until=2024-06-30", |item| month(item).as_str() < "2024-07"),
];

/// Draws conditions, and decides with them.
struct Drawn {
    conditions: Vec<(bool, &'static Meaning)>,
}

impl Drawn {
    fn new(random: &mut Random) -> Self {
        let mut conditions: Vec<(bool, &'static Meaning)> = Vec::new();
        for _ in 0..1 + random.below(4) {
            let drawn = (random.below(3) == 0, &MEANINGS[random.below(MEANINGS.len())]);
            let is_time = |text: &str| ["since", "before", "until"].contains(&field(text));
            if !is_time(drawn.1.0) || conditions.iter().all(|(_, known)| field(known.0) != field(drawn.1.0)) {
                conditions.push(drawn);
            }
        }
        Self { conditions }
    }

    fn texts(&self) -> Vec<String> {
        self.conditions
            .iter()
            .map(|(is_negated, (text, _))| format!("{}{text}", if *is_negated { "!" } else { "" }))
            .collect()
    }

    fn passes(&self, item: &StoredItem) -> bool {
        let excluded = self.conditions.iter().any(|(is_negated, (_, meaning))| *is_negated && meaning(item));
        let mut fields: BTreeMap<&str, bool> = BTreeMap::new();
        for (_, (text, meaning)) in self.conditions.iter().filter(|(is_negated, _)| !is_negated) {
            *fields.entry(field(text)).or_default() |= meaning(item);
        }
        !excluded && fields.values().all(|passes| *passes)
    }
}

fn field(text: &str) -> &str {
    text.split_once('=').unwrap().0
}

/// Every item, read once.
struct Rows<'a> {
    memory: &'a Recordar,
    known: BTreeMap<(String, i64), StoredItem>,
}

impl Rows<'_> {
    fn get(&mut self, space: &SpaceName, id: i64) -> &StoredItem {
        let read = || self.memory.item(space, &ItemName::Number(id)).unwrap();
        self.known.entry((space.to_string(), id)).or_insert_with(read)
    }
}

#[test]
fn i20_filter_a_search_within_a_filter_is_a_search_of_everything_filtered() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random(20);
        let times = grow(&memory, &seconds, folder.path(), &mut random);
        let mut rows = Rows { memory: &memory, known: BTreeMap::new() };
        let (mut full, mut empty) = (0, 0);
        let searches = rounds(150, 1_700);
        for number in 0..searches {
            let drawn = Drawn::new(&mut random);
            let spaces: &[SpaceName] = if random.below(2) == 0 { &[ada(), bob()] } else { &[bob()] };
            let words = sentence(&mut random);
            let query = words.split(' ').take(2 + random.below(7)).collect::<Vec<_>>().join(" ");
            let request = SearchRequest {
                mode: SearchMode::ALL[random.below(3)],
                limit: 1 + random.below(40),
                asked_at: Timestamp::parse("2024-12-01").ok(),
                as_of: (random.below(2) == 0).then(|| times[random.below(times.len())]),
                filter: Filter::parse(&drawn.texts()).unwrap(),
                ..SearchRequest::new(&query)
            };
            let everything = SearchRequest { filter: Filter::default(), ..request.clone() };
            let mut expected: Vec<(f64, usize, i64)> = Vec::new();
            let mut passing = vec![0; spaces.len()];
            for (at, space) in spaces.iter().enumerate() {
                for (id, score) in all_scores(&memory, space, &everything).unwrap() {
                    if drawn.passes(rows.get(space, id)) {
                        passing[at] += 1;
                        expected.extend((score > 0.0).then_some((score, at, id)));
                    }
                }
            }
            expected.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
            expected.truncate(request.limit);
            let found = memory.search(spaces, &request).unwrap();
            let place = |space: &str| spaces.iter().position(|name| name.as_str() == space).unwrap();
            let hits: Vec<(f64, usize, i64)> =
                found.hits.iter().map(|hit| (hit.score, place(&hit.item.space), hit.item.item_id)).collect();
            assert_eq!(hits, expected, "{engine:?}, search {number}: {:?} {:?}", drawn.texts(), request.as_of);
            // The trace says how many pass in each space.
            let stage = found.trace.stages.iter().find(|stage| stage.name == "filter").unwrap();
            let told: Vec<usize> = stage
                .decisions
                .iter()
                .map(|decision| match decision.detail.split_once(' ').unwrap().0 {
                    "no" => 0,
                    number => number.parse().unwrap(),
                })
                .collect();
            assert_eq!(told, passing, "{:?}", drawn.texts());
            full += usize::from(expected.len() == request.limit);
            empty += usize::from(expected.is_empty());
        }
        assert!(full > searches / 20 && empty < searches * 9 / 10, "{full} full and {empty} empty of {searches}");
        // Lists have the same items, whether a search finds them or not.
        for _ in 0..rounds(20, 200) {
            let drawn = Drawn::new(&mut random);
            let (mut listed, mut after) = (Vec::new(), 0);
            loop {
                let page = memory.items(&bob(), &list(Filter::parse(&drawn.texts()).unwrap(), after, 7)).unwrap();
                assert!(page.items.len() == 7 || page.next.is_none());
                listed.extend(page.items.iter().map(|item| item.item.item_id));
                let Some(next) = page.next else { break };
                after = next;
            }
            let all = memory.items(&bob(), &list(Filter::default(), 0, 1_000)).unwrap().items;
            let expected: Vec<i64> =
                all.iter().filter(|item| drawn.passes(item)).map(|item| item.item.item_id).collect();
            assert_eq!(listed, expected, "{:?}", drawn.texts());
        }
    }
}

/// A document, a message of each kind, and where each stands.
fn small(memory: &Recordar, folder: &Path) -> Vec<i64> {
    fs::create_dir_all(folder.join("docs")).unwrap();
    fs::write(folder.join("docs/lamp.md"), "# Lamps\n\nThe lamp burns oil at night.\n").unwrap();
    fs::write(folder.join("rope.txt"), "The rope is near the lamp, and it is long.\n").unwrap();
    let mut files = request("files", &[folder]);
    files.attributes = Attributes::new(["draft"], None, None, None, Metadata::default()).unwrap();
    ingest(memory, &files);
    let metadata = Metadata::from_json(r#"{"project": "harbour"}"#).unwrap();
    let message = Message {
        thread: Some("standup".to_owned()),
        speaker: Some("Ana".to_owned()),
        metadata,
        ..Message::new("The lamp was repaired.")
    };
    let fact = Message { kind: ItemKind::Fact, ..Message::new("The lamp is electric.") };
    memory.remember(&ada(), &[message, fact], &operation("messages")).unwrap().items
}

fn recall_request(conditions: &[&str]) -> RecallRequest {
    let settings = RecallOverrides { min_score: Some(0.0), ..RecallOverrides::default() };
    RecallRequest { settings, filter: filter(conditions), ..RecallRequest::new("what about the lamp?") }
}

#[test]
fn i20_filter_why_not_names_the_condition() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, folder) = (open(&database), tempfile::tempdir().unwrap());
    let ids = small(&memory, folder.path());
    let check = |item: i64, conditions: &[&str], expected: Option<&str>| {
        let why = memory.why_not(&[ada()], (&ada(), item), &recall_request(conditions)).unwrap();
        match expected {
            Some(expected) => {
                assert_eq!(why.stage, Some(FallenAt::Filter), "{conditions:?}");
                assert_eq!(why.reason, format!("excluded by the filter {expected}"));
                assert!(why.advice.contains("leave that condition out") && why.rank.is_none(), "{}", why.advice);
            }
            None => assert!(why.place.is_some(), "{why:?}"),
        }
    };
    check(ids[0], &["tag=release"], Some("tag=release"));
    check(ids[0], &["tag=a", "tag=b", "kind=message"], Some("tag=a or tag=b"));
    check(ids[0], &["!speaker=Ana", "role=user", "thread=retro"], Some("!speaker=Ana, thread=retro"));
    check(ids[0], &["speaker=Ana", "meta.project=harbour", "!tag=draft"], None);
    check(ids[1], &["kind=fact"], None);
    check(ids[1], &["kind!=fact"], Some("!kind=fact"));
}

#[test]
fn i20_filter_a_recall_an_answer_and_their_receipts_keep_to_it() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, folder) = (open(&database), tempfile::tempdir().unwrap());
    small(&memory, folder.path());
    let recalled = |conditions: &[&str]| {
        let request = RecallRequest { receipt: Some(true), ..recall_request(conditions) };
        let result = memory.recall(&[ada()], &request).unwrap();
        let kind = |id: i64| memory.item(&ada(), &ItemName::Number(id)).unwrap().item.kind.name();
        let mut kinds: Vec<&str> = result.memories.iter().map(|memory| kind(memory.provenance.item_id)).collect();
        kinds.sort_unstable();
        let why = memory.why(&ada(), &result.receipt.clone().unwrap()).unwrap();
        assert!(why.identical, "{:?}", why.differences);
        assert_eq!(why.body.filter, conditions);
        assert_eq!(serde_json::to_value(&why.body).unwrap().get("filter").is_some(), !conditions.is_empty());
        (kinds.join(" "), result)
    };
    // One after the other: none is served from another's cache.
    assert_eq!(recalled(&[]).0, "chunk chunk fact message");
    assert_eq!(recalled(&["tag=draft"]).0, "chunk chunk");
    assert_eq!(recalled(&["tag=draft", "type=text"]).0, "chunk");
    assert_eq!(recalled(&["!tag=draft"]).0, "fact message");
    let (kinds, result) = recalled(&["tag=release"]);
    let stage = result.trace.stages.iter().find(|stage| stage.name == "filter").unwrap();
    assert_eq!((kinds.as_str(), stage.decisions[0].detail.as_str()), ("", "no item passes tag=release"));
    let ask = |route, conditions: &[&str]| {
        let recall = RecallRequest { settings: RecallOverrides::default(), ..recall_request(conditions) };
        memory.ask(&[ada()], &recordar::answer::AskRequest { recall, route, ..recordar::answer::AskRequest::new("") })
    };
    let answer = ask(None, &["kind=fact"]).unwrap();
    assert!(answer.answer.contains("electric") && answer.memories.len() == 1, "{answer:?}");
    let answer = ask(Some(recordar::config::Route::Tree), &["path=docs/**"]).unwrap();
    assert!(answer.answer.contains("oil") && !answer.answer.contains("rope"), "{answer:?}");
    let error = ask(Some(recordar::config::Route::Tree), &["kind=fact"]).unwrap_err();
    assert!(error.to_string().contains("passes the filter kind=fact"), "{error}");
}

#[test]
fn i20_filter_a_query_follows_only_categories_with_passing_chunks() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, folder) = (open(&database), tempfile::tempdir().unwrap());
    let mut random = Random(5);
    for (number, name) in ["boats", "lamps", "ropes"].iter().enumerate() {
        fs::create_dir_all(folder.path().join(name)).unwrap();
        for file in 0..4 {
            let text: String = (0..30).map(|_| sentence(&mut random) + "\n\n").collect();
            fs::write(folder.path().join(format!("{name}/{file}.{}", ["md", "txt"][(number + file) % 2])), text)
                .unwrap();
        }
    }
    ingest(&memory, &request("files", &[folder.path()]));
    let documents = |conditions: &[&str], limit: usize| {
        let mut request =
            QueryRequest { filter: filter(conditions), limit: Some(limit), ..QueryRequest::new("the lamp") };
        let mut found = Vec::new();
        loop {
            let page = memory.query(&ada(), &request).unwrap();
            assert!(page.paths.iter().all(|path| path.chunks > 0) || limit < 100, "{:?}", page.paths);
            found.extend(page.chunks.into_iter().map(|chunk| (chunk.chunk_id, chunk.document)));
            let Some(next) = page.next else { return found };
            request.after = Some(next);
        }
    };
    let of = |conditions: &[&str], ends: &dyn Fn(&str) -> bool| {
        let found = documents(conditions, 1_000);
        assert!(!found.is_empty() && found.iter().all(|(_, document)| ends(document)), "{conditions:?}: {found:?}");
        assert_eq!(documents(conditions, 3), found, "page by page");
        found.len()
    };
    let strategy = of(&["type=markdown"], &|path| path.ends_with(".md"));
    assert!(strategy > 0);
    of(&["path=ropes/**"], &|path| path.contains("/ropes/"));
    of(&["path=ropes/**", "!type=text"], &|path| path.contains("/ropes/") && path.ends_with(".md"));
    let request = QueryRequest { filter: filter(&["tag=none"]), ..QueryRequest::new("the lamp") };
    let error = memory.query(&ada(), &request).unwrap_err();
    assert!(error.to_string().contains("no chunk in the tree of user:ada passes the filter tag=none"), "{error}");
    // A cursor belongs to its filter.
    let page = QueryRequest { filter: filter(&["type=text"]), limit: Some(1), ..QueryRequest::new("the lamp") };
    let after = memory.query(&ada(), &page).unwrap().next;
    assert!(memory.query(&ada(), &QueryRequest { after, filter: Filter::default(), ..page }).is_err());
}

#[test]
fn i20_filter_documents_are_listed_filtered_and_paged() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, folder) = (open(&database), tempfile::tempdir().unwrap());
    small(&memory, folder.path());
    let listed = |conditions: &[&str], after: i64, limit: Option<usize>| {
        let request = DocumentsRequest { filter: filter(conditions), after, limit };
        let documents = memory.list_documents(&ada(), &request).unwrap();
        documents.into_iter().map(|document| (document.document_id, document.filename)).collect::<Vec<_>>()
    };
    let all = listed(&[], 0, None);
    assert_eq!(all.len(), 2);
    assert_eq!((listed(&[], 0, Some(1)), listed(&[], all[0].0, None)), (vec![all[0].clone()], vec![all[1].clone()]));
    let names = |conditions: &[&str]| listed(conditions, 0, None).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    assert_eq!(names(&["path=docs/**"]), ["lamp.md"]);
    assert_eq!(names(&["tag=draft", "!type=markdown"]), ["rope.txt"]);
    assert!(names(&["thread=standup"]).is_empty() && names(&["!thread=standup"]).len() == 2);
    assert!(
        memory.list_documents(&ada(), &DocumentsRequest { limit: Some(0), ..DocumentsRequest::default() }).is_err()
    );
}
