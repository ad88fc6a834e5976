//! Ids of callers, and what they stored with an item: found again, replaced, listed, exported and forgotten.

use crate::calling::call;
use crate::conformance::agree;
use crate::{ada, open, open_at, open_with, operation, set_clock, text};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemKind, ItemName, ItemsRequest};
use recordar::recall::RecallRequest;
use recordar::search::{SearchMode, SearchRequest};
use recordar::thread::Remembered;
use recordar::{Message, Recordar, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

fn named(id: &str, words: &str) -> Message {
    Message { id: Some(id.to_owned()), ..Message::new(words) }
}

fn store(memory: &Recordar, messages: &[Message], id: &str) -> Remembered {
    memory.remember(&ada(), messages, &operation(id)).unwrap()
}

fn by_id(id: &str) -> ItemName {
    ItemName::OwnId(id.to_owned())
}

fn every(kind: Option<ItemKind>, after: i64, limit: usize) -> ItemsRequest {
    ItemsRequest { names: Vec::new(), kind, filter: recordar::search::Filter::default(), after, limit }
}

fn found(memory: &Recordar, query: &str, as_of: Option<i64>) -> Vec<String> {
    let request = SearchRequest {
        mode: SearchMode::Keyword,
        as_of: as_of.map(|seconds| Timestamp::from_micros(seconds * 1_000_000)),
        ..SearchRequest::new(query)
    };
    memory.search(&[ada()], &request).unwrap().hits.into_iter().map(|hit| hit.item.text).collect()
}

#[test]
fn i19_9_storing_an_own_id_again_retires_the_row_before() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let start = seconds.load(Ordering::Relaxed);
        let first = store(&memory, &[named("lamp", "The lamp burns oil."), named("gate", "The gate is open.")], "one");
        seconds.store(start + 10, Ordering::Relaxed);
        let second = store(&memory, &[named("lamp", "The lamp is electric.")], "two");
        assert_eq!(second.unchanged, 0);
        assert_ne!(first.items[0], second.items[0]);
        assert_eq!(found(&memory, "lamp", None), ["The lamp is electric."]);
        assert_eq!(found(&memory, "lamp", Some(start)), ["The lamp burns oil."], "as of then, the one of then");
        let lamp = memory.item(&ada(), &by_id("lamp")).unwrap();
        assert_eq!((lamp.item.item_id, lamp.live), (second.items[0], true));
        let old = memory.item(&ada(), &ItemName::Number(first.items[0])).unwrap();
        assert_eq!((old.item.text.as_str(), old.live), ("The lamp burns oil.", false));
        assert!(memory.item(&ada(), &by_id("lam")).is_err() && memory.item(&ada(), &ItemName::Number(99)).is_err());
    }
}

#[test]
fn i19_9_storing_the_same_under_its_own_id_writes_nothing() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let full = Message {
            thread: Some("gate".into()),
            title: Some("The gate".into()),
            speaker: Some("Ada".into()),
            metadata: recordar::item::Metadata::from_json(r#"{"b": 1, "a": [2.5]}"#).unwrap(),
            ..named("gate", "The gate is open.")
        };
        let batch = [named("a", "Alder."), full.clone(), named("c", "Cedar.")];
        let first = store(&memory, &batch, "one");
        let again = store(&memory, &batch, "two");
        assert_eq!((again.items.clone(), again.unchanged, again.revision), (first.items.clone(), 3, first.revision));
        let operation_two = call(&memory, "operation", json!({"operation": "two"}));
        assert!(operation_two.is_err(), "not even its operation id: {operation_two:?}");
        let mixed = [named("c", "Cedar."), Message::new("No id."), full.clone(), named("a", "Ash.")];
        let third = store(&memory, &mixed, "three");
        assert_eq!(third.unchanged, 2);
        assert_eq!([third.items[0], third.items[2]], [first.items[2], first.items[1]]);
        assert_eq!(third.items[3], third.items[1] + 1);
        let repeated = store(&memory, &mixed, "three");
        assert_eq!((repeated.items, repeated.repeated), (third.items, true));
        for changed in [
            Message { speaker: None, ..full.clone() },
            Message { title: Some("Another".into()), ..full.clone() },
            Message { thread: None, title: None, ..full.clone() },
            Message { kind: ItemKind::Fact, ..full.clone() },
            Message { time: Timestamp::parse("2020-01-01").ok(), ..full.clone() },
            Message { derived_from: vec![first.items[2]], ..full.clone() },
        ] {
            let stored = store(&memory, std::slice::from_ref(&changed), &format!("{changed:?}").len().to_string());
            assert_eq!(stored.unchanged, 0, "{changed:?}");
        }
    }
}

#[test]
fn i19_9_own_ids_leave_the_same_rows_on_every_database() {
    agree(|memory, _| {
        store(memory, &[named("a", "Alder."), named("b", "Birch.")], "one");
        store(memory, &[named("b", "Birch."), named("a", "Ash.")], "two");
        memory.forget(&ada(), &ForgetRequest::OwnIds(vec!["b".into()]), false, &operation("three")).unwrap();
    });
}

#[test]
fn i19_9_own_ids_are_refused_where_they_mean_nothing() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let refused = |messages: &[Message]| memory.remember(&ada(), messages, &operation("x")).unwrap_err().to_string();
    assert!(refused(&[named("a", "One."), named("a", "Two.")]).contains("two messages of the batch have the id \"a\""));
    assert!(refused(&[named(" ", "One.")]).contains("the id is empty"));
    assert!(refused(&[named(&"x".repeat(1025), "One.")]).contains("1025 bytes"));
    assert!(refused(&[named("a\0", "One.")]).contains("NUL"));
    let forgotten = memory.forget(&ada(), &ForgetRequest::OwnIds(vec!["a".into()]), false, &operation("y"));
    assert!(forgotten.unwrap_err().to_string().contains("space user:ada"), "nothing of it is stored");
}

#[test]
fn i19_9_forgetting_an_own_id_forgets_every_row_of_it() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        store(&memory, &[named("lamp", "The lamp burns oil."), named("gate", "The gate is open.")], "one");
        store(&memory, &[named("lamp", "The lamp is electric."), named("gate", "The gate is open.")], "two");
        let missing = ForgetRequest::OwnIds(vec!["lamp".into(), "lost".into()]);
        let error = memory.forget(&ada(), &missing, false, &operation("three")).unwrap_err().to_string();
        assert!(error.contains("item with id \"lost\""), "{error}");
        let request = ForgetRequest::OwnIds(vec!["lamp".into()]);
        let report = memory.forget(&ada(), &request, false, &operation("four")).unwrap();
        assert_eq!(report.forgotten.messages, 2, "the one that it replaced, too");
        assert_eq!(memory.items(&ada(), &every(None, 0, 10)).unwrap().items.len(), 1);
        // The digest of a request that held the gate's text as well does not outlive it.
        let request = ForgetRequest::OwnIds(vec!["gate".into()]);
        memory.forget(&ada(), &request, false, &operation("five")).unwrap();
        let rows = memory.raw().unwrap().lines();
        let stored = |row: &&String| row.starts_with("operations") && row.contains("\"remember\"");
        let stored: Vec<&String> = rows.iter().filter(stored).collect();
        assert!(stored.len() == 2 && stored.iter().all(|row| row.contains("\"remember\" 1 null")), "{stored:?}");
    }
}

#[test]
fn i19_9_facts_are_listed_page_by_page() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let fact = |number: usize| Message { kind: ItemKind::Fact, ..Message::new(&format!("Fact {number}.")) };
        let mut expected = Vec::new();
        for batch in 0..4 {
            let facts: Vec<Message> = (0..3).map(|number| fact(batch * 3 + number)).collect();
            store(&memory, &[Message::new("Not a fact.")], &format!("message-{batch}"));
            expected.extend(store(&memory, &facts, &format!("facts-{batch}")).items);
            memory.ingest_text(&ada(), text(&format!("doc-{batch}"), &format!("{batch}.md"), "# A\n\nText.")).unwrap();
        }
        let newer = Message { supersedes: vec![expected.remove(4)], ..fact(99) };
        expected.extend(store(&memory, &[newer], "newer").items);
        for limit in [1, 2, 5, 11, 12, 13, 100] {
            let (mut seen, mut after, mut pages) = (Vec::new(), 0, 0);
            loop {
                let page = memory.items(&ada(), &every(Some(ItemKind::Fact), after, limit)).unwrap();
                assert!(page.items.len() <= limit && page.items.iter().all(|item| item.live));
                seen.extend(page.items.iter().map(|item| item.item.item_id));
                pages += 1;
                match page.next {
                    Some(next) => after = next,
                    None => break,
                }
            }
            assert_eq!((seen, pages), (expected.clone(), expected.len().div_ceil(limit)), "{limit}");
        }
        let chunks = memory.items(&ada(), &every(Some(ItemKind::Chunk), 0, 3)).unwrap();
        assert_eq!((chunks.items.len(), chunks.next), (3, Some(chunks.items[2].item.item_id)));
        let all = memory.items(&ada(), &every(None, 0, 1000)).unwrap().items;
        assert!(all.is_sorted_by_key(|item| item.item.item_id) && all.len() == 4 + 12 + 4);
        let names = vec![by_id("none"), ItemName::Number(expected[1]), ItemName::Number(9999)];
        let some = memory.items(&ada(), &ItemsRequest { names, ..every(None, 0, 10) }).unwrap();
        assert_eq!(some.items[0].item.item_id, expected[1]);
        assert_eq!(some.missing, ["none", "9999"]);
        for (after, limit) in [(0, 0), (0, 1001), (-1, 5)] {
            assert!(memory.items(&ada(), &every(None, after, limit)).is_err(), "{after} {limit}");
        }
    }
}

#[test]
fn i19_9_what_was_stored_with_an_item_is_shown_with_it() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let metadata = json!({"page": 7, "by": {"name": "ada@example.com"}, "tags": ["own"]});
    let said = json!({"id": "gate-1", "text": "The gate is painted green.", "thread": "gate", "metadata": metadata});
    call(&memory, "remember", json!({"messages": [said]})).unwrap();
    let about = json!({"topic": "lamps", "note": "old", "tags": ["blue"], "metadata": {"topic": "mine", "page": 1}});
    let mut document = json!({"name": "lamp.md", "text": "# Lamp\n\nThe lamp is painted blue."});
    document.as_object_mut().unwrap().extend(about.as_object().unwrap().clone());
    call(&memory, "ingest_text", document).unwrap();
    let expected = [
        ("gate-1".into(), metadata.clone()),
        (Value::Null, json!({"tags": ["blue"], "topic": "mine", "note": "old", "page": 1})),
    ];
    let shown = |list: &Value, what: &str| {
        let of = |word: &str| {
            list.as_array().unwrap().iter().find(|entry| entry[what].as_str().unwrap().contains(word)).cloned().unwrap()
        };
        [of("gate"), of("lamp")].map(|entry| (entry["own_id"].clone(), entry["metadata"].clone()))
    };
    let search = call(&memory, "search", json!({"query": "What is painted?"})).unwrap();
    assert_eq!(shown(&search["hits"], "text"), expected);
    let recall = json!({"query": "What is painted?", "min_score": 0, "receipt": true});
    let recalled = call(&memory, "recall", recall.clone()).unwrap();
    assert_eq!(shown(&recalled["memories"], "content"), expected);
    let items = call(&memory, "items", json!({})).unwrap();
    assert_eq!(shown(&items["items"], "text"), expected);
    let why = call(&memory, "why", json!({"receipt": recalled["receipt"]})).unwrap();
    assert_eq!((why["identical"].clone(), shown(&why["memories"], "content")), (json!(true), expected));
    assert!(!why["body"].to_string().contains("page"), "nothing of it is in the receipt");
    // Redaction that only the call asks for hides it as well, and changes nothing that a receipt proves.
    let mut redacted = recall;
    redacted["enable_redaction"] = json!(true);
    let redacted = call(&memory, "recall", redacted).unwrap();
    assert!(!redacted["memories"].to_string().contains("ada@example.com"), "{redacted}");
    assert!(redacted["memories"].to_string().contains("\"was_redacted\":false"));
    assert_eq!(call(&memory, "why", json!({"receipt": redacted["receipt"]})).unwrap()["identical"], json!(true));
}

#[test]
fn i19_9_a_receipt_carries_no_metadata_and_is_proven_elsewhere() {
    let (here, there) = (TestDatabase::new(Engine::Sqlite), TestDatabase::new(Engine::Sqlite));
    let (memory, other) = (open(&here), open(&there));
    let metadata = recordar::item::Metadata::from_json(r#"{"page": 7}"#).unwrap();
    store(&memory, &[Message { metadata, ..named("gate", "The gate is green.") }], "one");
    let request = RecallRequest { receipt: Some(true), ..RecallRequest::new("What is the gate?") };
    let receipt = memory.recall(&[ada()], &request).unwrap().receipt.unwrap();
    let mut export = memory.export_receipt(&ada(), &receipt).unwrap();
    assert!(!serde_json::to_string(&export).unwrap().contains("page"));
    other.import_receipts(std::slice::from_ref(&export), &operation("import")).unwrap();
    assert!(other.why(&ada(), &receipt).unwrap().identical);
    export.items[0].stored.own_id = Some("forged".into());
    let error = other.import_receipts(&[export], &operation("forged")).unwrap_err().to_string();
    assert!(error.contains("metadata"), "{error}");
}

#[test]
fn i19_9_own_ids_are_exported_and_earlier_exports_are_the_same_bytes() {
    for engine in Engine::ALL {
        let (here, there) = (TestDatabase::new(engine), TestDatabase::new(Engine::Sqlite));
        let (memory, other) = (open(&here), open_with(&there, ""));
        store(&memory, &[named("a", "Alder."), Message::new("No id.")], "one");
        store(&memory, &[named("a", "Ash.")], "two");
        let mut file = Vec::new();
        memory.export(&recordar::transfer::ExportScope::Spaces(vec![ada()]), &mut file).unwrap();
        let lines = String::from_utf8(file.clone()).unwrap();
        let items: Vec<&str> = lines.lines().filter(|line| line.starts_with("{\"items\"")).collect();
        assert_eq!(items.iter().filter(|line| line.contains("own_id")).count(), 2, "{items:?}");
        assert!(items.iter().any(|line| line.contains("No id.") && !line.contains("own_id")));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("space.jsonl");
        std::fs::write(&path, &lines).unwrap();
        call(&other, "import", json!({"file": path.display().to_string()})).unwrap();
        assert_eq!(other.item(&ada(), &by_id("a")).unwrap().item.text, "Ash.");
        // A file in which two live rows have the same own id was made by no `remember`.
        let forged = lines.replace("\"retired\":2", "\"retired\":null");
        std::fs::write(&path, forged).unwrap();
        let third = TestDatabase::new(Engine::Sqlite);
        assert!(call(&open(&third), "import", json!({"file": path.display().to_string()})).is_err());
    }
}
