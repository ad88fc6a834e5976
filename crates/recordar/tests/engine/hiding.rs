//! Redaction on every way out: where the configuration says so, no verb shows what it takes out, and what is stored stays exact.

use crate::calling::call;
use crate::{ada, open, open_with, operation};
use recordar::call::{Call, Caller};
use recordar::recall::Authority;
use recordar::search::SearchRequest;
use recordar::transfer::ExportScope;
use recordar::verb::VERBS;
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const REDACTING: &str =
    "[recall]\nenable_redaction = true\ncustom_redaction_patterns = ['sk-test-[0-9a-z]+', 'REDACT']";
const KEY: &str = "sk-test-5ecre7";
const MAIL: &str = "ada@example.com";
const CARD: &str = "1234-5678-9012-3456";

fn shown(reply: &Value) -> String {
    reply.to_string()
}

/// A secret in every text and every name that can be stored.
fn fill(memory: &Recordar, folder: &std::path::Path) {
    let call =
        |verb: &str, arguments: Value| call(memory, verb, arguments).unwrap_or_else(|error| panic!("{verb}: {error}"));
    let said = json!({"text": format!("The gate opens with {KEY}, says {MAIL}."), "thread": format!("gate {MAIL}"),
        "id": format!("gate {MAIL}"), "source": MAIL, "title": format!("About {KEY}"), "speaker": MAIL, "metadata": {"by": [MAIL], (MAIL): 1_234_567_890_123_456_i64}});
    call("remember", json!({"messages": [said], "operation": "said"}));
    let long = format!(
        "# The gate of {MAIL}\n\n{} The card is {CARD}. {}",
        "The gate is of iron. ".repeat(120),
        "The lock is of steel. ".repeat(120)
    );
    let path = folder.join(format!("gate {MAIL}.md"));
    std::fs::write(&path, &long).unwrap();
    let about = json!({"topic": MAIL, "note": format!("asks {MAIL}"), "provider": KEY, "tags": [MAIL], "metadata": {"by": MAIL}});
    let with = |more: Value| {
        Value::Object(
            about
                .as_object()
                .unwrap()
                .iter()
                .chain(more.as_object().unwrap())
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
        )
    };
    let helper =
        json!({"date": "unknown", "author": MAIL, "topic": "unknown", "description": format!("The gate and {KEY}.")});
    call("ingest", with(json!({"paths": [folder], "operation": "files"})));
    call(
        "ingest_text",
        with(
            json!({"text": format!("The gate of {MAIL} opens with {KEY}."), "name": format!("notes/{MAIL}.md"), "helper": helper}),
        ),
    );
    call(
        "ingest_text",
        with(
            json!({"text": format!("The gate of {MAIL} opens with {KEY} again."), "name": format!("notes/{MAIL}.md"), "operation": "second"}),
        ),
    );
    let record = json!({"bucket": format!("gates of {MAIL}"), "key": KEY, "text": format!("{KEY} opens it")});
    call("put_records", json!({"records": [record, {"bucket": MAIL, "key": "bytes", "base64": "/3NrLXRlc3Q="}]}));
    call("set_standing_text", json!({"kind": "rules", "text": format!("Never show {KEY}."), "operation": "rules"}));
    let of_document = json!({"text": "The gate is of iron.", "about": [format!("notes/{MAIL}.md")]});
    call("remember", json!({"messages": [of_document], "operation": "about"}));
    let root = call("tree", json!({}))["roots"][0]["id"].to_string();
    call("rename_category", json!({"category": root, "name": format!("Gates {KEY}")}));
}

/// What to call each verb with.
fn calls(verb: &str, document: i64, receipts: &[Value], folder: &std::path::Path) -> Vec<Value> {
    let document = format!("id:{document}");
    let file = |name: &str| folder.join(name).display().to_string();
    let query = "What opens the gate?";
    match verb {
        "recall" => vec![json!({"query": query}), json!({"query": query, "staged": true, "preview": true})],
        "query" => vec![json!({"query": query})],
        "compose" => vec![json!({"query": query}), json!({"query": query, "file": [document], "pack": true})],
        // The last composition's receipt is the newest.
        "compose_diff" => vec![json!({"receipt": receipts[0]})],
        "ask" => vec![json!({"query": query}), json!({"query": query, "route": "tree"})],
        "search" => vec![json!({"query": query}), json!({"query": query, "threads": true})],
        "remember" => vec![json!({"messages": [{"text": format!("More of {KEY}.")}], "operation": "more"})],
        "ingest" => vec![json!({"paths": [folder], "force": true, "operation": "again"})],
        "ingest_text" => {
            vec![json!({"text": format!("See {KEY}."), "name": format!("b/{MAIL}.md"), "operation": "text"})]
        }
        "documents" | "threads" | "tree" | "spaces" | "receipts" | "models" | "classify" => vec![json!({})],
        "vocabulary" | "vocabulary_history" | "work" | "queue" | "retry_jobs" | "cancel_jobs" | "metrics" => {
            vec![json!({})]
        }
        "enrich" | "expire" => vec![json!({"dry_run": true})],
        "set_expiry" => vec![json!({"thread": format!("gate {MAIL}"), "expires": "2099-01-01"})],
        "expiries" | "buckets" | "facts" | "extract_facts" | "summaries" | "summarise_threads" => vec![json!({})],
        "standing_text" | "standing_text_history" | "standing_text_diff" => vec![json!({"kind": "rules"})],
        "set_standing_text" => vec![json!({"kind": "project", "text": format!("Ask {MAIL}."), "operation": "project"})],
        "important" => vec![json!({"id": format!("gate {MAIL}")})],
        // They name one fact, and show it as the list does.
        "fact_history" | "retire_fact" | "restore_fact" | "correct_fact" | "confirm_fact" => Vec::new(),
        "put_records" => vec![json!({"records": [{"bucket": MAIL, "key": KEY, "text": KEY}], "operation": "put"})],
        "records" => vec![json!({"bucket": "", "below": true})],
        "delete_records" => vec![json!({"bucket": format!("no {MAIL}")})],
        // For administrators only, who see what is there; and terms are chosen for everybody to read.
        "suggestions" | "import_vocabulary" | "approve_term" | "reject_term" | "undo_approval" | "reembed"
        | "make_key" | "keys" | "revoke_key" => Vec::new(),
        "document" => vec![json!({"query": "gate"})],
        "document_text" | "document_versions" | "document_diff" => vec![json!({"name": document})],
        "tag_document" | "untag_document" => vec![json!({"name": document, "tags": [MAIL]})],
        "set_document" => vec![json!({"name": document, "note": format!("ask {MAIL}")})],
        "move_document" => vec![json!({"name": document, "to": format!("{MAIL}/moved.md")})],
        "helper" => vec![json!({"name": document})],
        "messages" => vec![json!({"thread": format!("gate {MAIL}")})],
        "item" => vec![json!({"item": 2}), json!({"id": format!("gate {MAIL}")})],
        "items" => vec![json!({}), json!({"filter": [format!("thread=gate {MAIL}")]})],
        "update" => vec![json!({"item": 2, "text": format!("Now it is {KEY}."), "operation": "change"})],
        "history" => vec![json!({"item": 2})],
        "why" => receipts.iter().map(|receipt| json!({"receipt": receipt})).collect(),
        "why_not" => vec![json!({"item": 2, "query": query, "min_score": 1.0})],
        "operation" => vec![json!({"operation": "said"}), json!({"operation": "files"})],
        "forget" => vec![json!({"document": document, "dry_run": true})],
        "entail" => vec![json!({"passage": format!("It is {KEY}."), "statement": format!("{KEY} it is.")})],
        "test_models" => vec![json!({"dry_run": true})],
        "check_models" => vec![json!({"name": "judge"})],
        // They know models of this machine, and nothing that is stored.
        "add_model" | "remove_model" => Vec::new(),
        "export" => vec![json!({"file": file("space.jsonl"), "force": true})],
        "backup" => vec![json!({"file": file("store.jsonl"), "force": true})],
        "import" => {
            std::fs::write(
                file("chat.json"),
                json!([{"id": MAIL, "title": KEY, "mapping": {"a": {"message": {"id": MAIL,
                "content": {"parts": [{"content_type": MAIL}, format!("It is {KEY}.")]}}}}}])
                .to_string(),
            )
            .unwrap();
            vec![json!({"file": file("chat.json")})]
        }
        // They change what the others show, and come last.
        "rename_category" | "merge_categories" | "move_category" | "deepen_tree" | "restore" => Vec::new(),
        other => panic!("say how {other} is called, so that it is seen what it shows"),
    }
}

#[test]
fn e5_no_verb_shows_what_redaction_takes_out() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let exact = open(&database);
    fill(&exact, inside.path());
    let document = exact.documents(&ada()).unwrap().last().unwrap().document_id;
    // Receipts from before redaction was on: what they prove is compared with what was given, and shown without secrets.
    for (verb, arguments) in [
        ("recall", json!({"query": format!("What opens the gate of {MAIL}?"), "receipt": true})),
        ("ask", json!({"query": format!("What does {MAIL} open the gate with?"), "receipt": true})),
        (
            "compose",
            json!({"query": format!("What does {MAIL} open the gate with?"), "file": [format!("id:{document}")], "receipt": true}),
        ),
    ] {
        call(&exact, verb, arguments).unwrap();
    }
    let receipts: Vec<Value> = call(&exact, "receipts", json!({}))
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|receipt| receipt["receipt"].clone())
        .collect();
    let memory = open_with(&database, REDACTING);
    let (mut seen, mut hidden) = (0, BTreeSet::new());
    for verb in &VERBS {
        for arguments in
            calls(verb.name, document, &receipts, if verb.name == "ingest" { inside.path() } else { outside.path() })
        {
            let before = call(&exact, verb.name, arguments.clone()).map(|reply| shown(&reply)).unwrap_or_default();
            let reply =
                call(&memory, verb.name, arguments.clone()).unwrap_or_else(|error| panic!("{}: {error}", verb.name));
            let text = shown(&reply);
            for secret in [KEY, MAIL, CARD, "1234567890123456", "5678-9012", "1234-5678"] {
                assert!(!text.contains(secret), "{} shows {secret}: {text}", verb.name);
            }
            assert!(!text.contains("[[REDACTED]"), "{} hides twice: {text}", verb.name);
            seen += 1;
            if before.contains(KEY) || before.contains(MAIL) {
                assert!(text.contains("[REDACTED]"), "{}: {text}", verb.name);
                hidden.insert(verb.name);
            }
            if verb.name == "why" {
                assert_eq!(reply["identical"], true, "{reply}");
            }
        }
    }
    let expected = [
        "recall",
        "ask",
        "query",
        "tree",
        "search",
        "ingest",
        "ingest_text",
        "documents",
        "document",
        "document_text",
        "document_versions",
        "document_diff",
        "helper",
        "threads",
        "messages",
        "why",
        "compose_diff",
        "receipts",
        "expiries",
        "records",
        "buckets",
        "import",
        "standing_text",
        "standing_text_history",
        "standing_text_diff",
        "items",
    ];
    for verb in expected {
        assert!(hidden.contains(verb), "{verb} has nothing to hide, so nothing is shown of it: {hidden:?}");
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn e5_methods_hide_as_calls_do_and_what_is_stored_stays_exact() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, REDACTING);
    let folder = tempfile::tempdir().unwrap();
    fill(&memory, folder.path());
    let document = memory.documents(&ada()).unwrap()[0].document_id;
    let text = memory.document_text(&ada(), &format!("id:{document}"), None).unwrap();
    assert!(text.verified, "the text is checked as it is stored");
    assert!(text.chunks.len() > 1 && text.text.contains("The card is [REDACTED]."), "{}", text.text);
    let joined: String = text.chunks.iter().map(|chunk| &chunk.text[chunk.overlap..]).collect();
    assert_eq!(joined.replace("[REDACTED]", ""), text.text.replace("[REDACTED]", ""), "chunks still make the text");
    for hit in memory.search(&[ada()], &SearchRequest::new("gate")).unwrap().hits {
        assert!(!hit.item.text.contains(KEY) && !hit.item.text.contains(MAIL), "{}", hit.item.text);
    }
    let messages = memory.messages(&ada(), Some(&format!("gate {MAIL}"))).unwrap();
    assert_eq!(messages[0].text, "The gate opens with [REDACTED], says [REDACTED].");
    // What nobody may see can still be found, retired and forgotten: the words are in the index.
    let found = memory.search(&[ada()], &SearchRequest::new(KEY)).unwrap();
    assert!(found.hits.iter().any(|hit| hit.parts.keyword > 0.0), "{found:?}");
    let missing = memory.messages(&ada(), Some(&format!("no {MAIL}"))).unwrap_err();
    assert!(!missing.to_string().contains(MAIL) && missing.code() == "not_found", "{missing}");
    drop(memory);
    let exact = open(&database);
    assert!(exact.document_text(&ada(), &format!("id:{document}"), None).unwrap().text.contains(CARD));
}

#[test]
fn e5_an_administrator_may_recall_and_ask_without_redaction() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, REDACTING);
    memory.remember(&ada(), &[Message::new(&format!("The gate opens with {KEY}."))], &operation("said")).unwrap();
    for verb in ["recall", "ask"] {
        let ask = |authority| {
            let caller = Caller {
                space: ada(),
                names_space: true,
                within: None,
                files: true,
                authority,
                account: None,
                operation: operation("x"),
            };
            let arguments = json!({"query": "What opens the gate?", "enable_redaction": false});
            let Value::Object(arguments) = arguments else { unreachable!() };
            memory
                .call(recordar::verb::named(verb).unwrap(), Call::new(caller), arguments)
                .map(|reply| reply.to_value().unwrap())
        };
        assert!(shown(&ask(Authority::Administrator).unwrap()).contains(KEY), "{verb}");
        assert!(ask(Authority::User).is_err(), "{verb}");
    }
}

#[test]
fn e5_an_export_is_exact_unless_it_is_asked_to_be_redacted() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, REDACTING);
        let folder = tempfile::tempdir().unwrap();
        fill(&memory, folder.path());
        let scope = ExportScope::Spaces(vec![ada()]);
        let (mut exact, mut redacted) = (Vec::new(), Vec::new());
        memory.export(&scope, &mut exact).unwrap();
        memory.export_redacted(&scope, &mut redacted).unwrap();
        let (exact, redacted) = (String::from_utf8(exact).unwrap(), String::from_utf8(redacted).unwrap());
        for secret in [KEY, MAIL] {
            assert!(exact.contains(secret) && !redacted.contains(secret), "{secret}");
        }
        assert_eq!(exact.lines().count(), redacted.lines().count());
        // A name can be guessed by its hash, too.
        let hash = recordar_domain::Digest::of(format!("gate {MAIL}")).to_string();
        assert!(exact.contains(&hash) && !redacted.contains(&hash));
        let elsewhere = TestDatabase::new(Engine::Sqlite);
        let there = open(&elsewhere);
        let path = folder.path().join("redacted.jsonl");
        std::fs::write(&path, &redacted).unwrap();
        for verb in ["import", "restore"] {
            let refused = call(&there, verb, json!({"file": path})).unwrap_err();
            assert!(refused.to_string().contains("redacted"), "{refused}");
        }
    }
}

#[test]
fn e5_the_time_for_redaction_grows_with_the_text() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(
        &database,
        "[ingest]\nmax_file_bytes = 100000000\n[recall]\nenable_redaction = true\ncustom_redaction_patterns = ['[a-z]+ iron', '(?i)[a-z]{3,20}ing']",
    );
    let long = format!("The gate of {MAIL} is of iron, and opening it takes strength. ").repeat(120_000);
    memory.ingest_text(&ada(), crate::text("long", "long.txt", &long)).unwrap();
    let shown = memory.document_text(&ada(), "long.txt", None).unwrap();
    assert!(shown.text.len() > 5_000_000 && !shown.text.contains(MAIL));
}
