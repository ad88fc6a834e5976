//! What other systems exported, taken in: kept apart by user, known again, and told about what is left out.

use crate::{ada, open, operation};
use recordar::{Error, ImportFormat, ImportReport, ImportRequest, ItemKind, RecallRequest, Recordar, SpaceName};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};

fn import(memory: &Recordar, file: &[u8], id: &str, each_user: bool) -> Result<ImportReport, Error> {
    let request = ImportRequest { format: None, each_user, thread: None, names_space: false, operation: operation(id) };
    memory.import(&ada(), &mut &*file, "export.json", &request)
}

fn chatgpt(messages: usize) -> Vec<u8> {
    let node = |number: usize| {
        json!({
            "id": format!("n{number}"),
            "parent": number.checked_sub(1).map(|parent| format!("n{parent}")),
            "children": if number + 1 < messages { vec![format!("n{}", number + 1)] } else { Vec::new() },
            "message": {
                "id": format!("n{number}"),
                "author": {"role": if number.is_multiple_of(2) { "user" } else { "assistant" }},
                "create_time": 1_767_261_600.25 + number as f64,
                "content": {"content_type": "text", "parts": [format!("Message {number} about the harbour.")]},
            },
        })
    };
    let mapping: serde_json::Map<String, Value> = (0..messages).map(|n| (format!("n{n}"), node(n))).collect();
    let last = format!("n{}", messages - 1);
    json!([{"id": "c1", "title": "Harbour", "mapping": mapping, "current_node": last}]).to_string().into_bytes()
}

#[test]
fn a_conversation_that_grew_brings_only_what_is_new() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let first = import(&memory, &chatgpt(4), "first", false).unwrap();
        assert_eq!((first.format, first.conversations[0].added), ("chatgpt", 4));
        let again = import(&memory, &chatgpt(4), "again", false).unwrap();
        assert_eq!((again.conversations[0].added, again.conversations[0].known), (0, 4));
        let repeated = import(&memory, &chatgpt(4), "first", false).unwrap();
        assert_eq!((repeated.conversations[0].added, repeated.conversations[0].known), (0, 4));
        let longer = import(&memory, &chatgpt(7), "longer", false).unwrap();
        assert_eq!((longer.conversations[0].added, longer.conversations[0].known), (3, 4));
        let messages = memory.messages(&ada(), Some("chatgpt:c1")).unwrap();
        let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, (0..7).map(|n| format!("Message {n} about the harbour.")).collect::<Vec<_>>());
        assert_eq!(messages[1].occurred_at.to_string(), "2026-01-01T10:00:01.25Z");
        assert_eq!(messages[1].role.as_deref(), Some("assistant"));
        assert_eq!(memory.threads(&ada()).unwrap()[0].title.as_deref(), Some("Harbour"));
        let recalled = memory.recall(&[ada()], &RecallRequest::new("What was message 6?")).unwrap();
        assert!(recalled.text.contains("Message 6"), "{}", recalled.text);
    }
}

#[test]
fn what_names_the_caller_and_what_names_nobody_go_into_one_space() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let user = ada().as_str().strip_prefix("user:").unwrap().to_owned();
    let file = json!({"results": [{"id": 1, "memory": "Ada rows.", "user_id": user}, {"id": 2, "memory": "The lamp is lit."}]});
    let file = file.to_string().into_bytes();
    let added = |report: ImportReport| report.conversations.iter().map(|told| told.added).sum::<usize>();
    assert_eq!(added(import(&memory, &file, "first", true).unwrap()), 2);
    assert_eq!(added(import(&memory, &file, "first", true).unwrap()), 0, "the operation was done");
    assert_eq!(added(import(&memory, &file, "again", true).unwrap()), 0, "everything is here");
}

#[test]
fn long_conversations_come_in_parts_and_every_one_of_them_once() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let report = import(&memory, &chatgpt(11_000), "long", false).unwrap();
    assert_eq!(report.conversations[0].added, 11_000);
    assert_eq!(memory.messages(&ada(), Some("chatgpt:c1")).unwrap().len(), 11_000);
    assert_eq!(import(&memory, &chatgpt(11_001), "more", false).unwrap().conversations[0].added, 1);
}

#[test]
fn users_are_kept_apart() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let dump = json!({"results": [
        {"id": "1", "memory": "Likes tea", "user_id": "ada", "created_at": "2026-01-02T10:00:00Z"},
        {"id": "2", "memory": "Is allergic to nuts", "user_id": "bob", "created_at": "2026-01-03T10:00:00Z"},
        {"id": "3", "memory": " ", "user_id": "bob", "created_at": "2026-01-03T10:00:00Z"},
    ]})
    .to_string();
    let error = import(&memory, dump.as_bytes(), "mixed", false).unwrap_err();
    assert!(error.to_string().contains("several users (ada, bob"), "{error}");
    assert!(memory.spaces().unwrap().is_empty());
    let report = import(&memory, dump.as_bytes(), "apart", true).unwrap();
    assert_eq!(report.left_out.len(), 1);
    let bob = SpaceName::user("bob").unwrap();
    let found = memory.search(&[bob], &recordar::SearchRequest::new("allergic nuts tea")).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!((found.hits[0].item.kind, found.hits[0].item.text.as_str()), (ItemKind::Fact, "Is allergic to nuts"));
    let again = import(&memory, dump.as_bytes(), "apart-again", true).unwrap();
    assert!(again.conversations.iter().all(|conversation| conversation.added == 0));
}

#[test]
fn a_memory_that_changed_there_takes_the_place_of_the_old_one() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let dump = |town: &str| {
        let memories =
            json!([{"id": "a1", "memory": format!("Lives in {town}"), "updated_at": "2026-01-02T10:00:00Z"}]);
        json!({"results": memories}).to_string().into_bytes()
    };
    import(&memory, &dump("Porto"), "first", false).unwrap();
    let second = import(&memory, &dump("Faro"), "second", false).unwrap();
    assert_eq!((second.conversations[0].added, second.conversations[0].updated), (1, 1));
    let found = memory.search(&[ada()], &recordar::SearchRequest::new("Lives in Porto Faro")).unwrap();
    assert_eq!(found.hits.iter().map(|hit| hit.item.text.as_str()).collect::<Vec<_>>(), ["Lives in Faro"]);
    let again = import(&memory, &dump("Porto"), "third", false).unwrap();
    assert_eq!(again.conversations[0].known, 1, "an old text is known, and does not come back");
}

#[test]
fn a_conversation_without_a_name_can_be_given_one() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let talk = b"Ada: Where is the violin?\nBob: In the garden house.\n";
    let request = |thread: Option<&str>, id: &str| ImportRequest {
        format: None,
        each_user: false,
        thread: thread.map(str::to_owned),
        names_space: false,
        operation: operation(id),
    };
    memory.import(&ada(), &mut &talk[..], "_chat.txt", &request(Some("bob"), "one")).unwrap();
    assert_eq!(memory.messages(&ada(), Some("bob")).unwrap().len(), 2);
    let two =
        json!([{"id": "c1", "mapping": {}, "current_node": null}, {"id": "c2", "mapping": {}, "current_node": null}]);
    let refused = memory.import(&ada(), &mut two.to_string().as_bytes(), "x", &request(Some("bob"), "two"));
    assert!(refused.is_err());
}

#[test]
fn what_is_of_no_known_format_is_refused_with_advice() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    for (file, words) in [
        (&b"PK\x03\x04rest"[..], "unzip"),
        (b"{\"what\": \"ever\"}", "give"),
        (b"", "give"),
        (b"just some words", "give"),
        (b"{\"recordar_export\":1,\"schema\":3}\n", "export it again"),
    ] {
        let error = import(&memory, file, "refused", false).unwrap_err();
        assert!(error.remedy().contains(words), "{error} / {}", error.remedy());
    }
    let as_claude = Some(ImportFormat::parse("claude").unwrap());
    let request = ImportRequest {
        format: as_claude,
        each_user: false,
        thread: None,
        names_space: false,
        operation: operation("wrong"),
    };
    assert!(memory.import(&ada(), &mut &*chatgpt(2), "x", &request).is_err(), "the named format holds");
    assert!(memory.spaces().unwrap().is_empty());
}
