//! Verbs by name with arguments as JSON: what every other language speaks.

use crate::{ada, open, operation};
use recordar::call::{Call, Caller, VerbEntry};
use recordar::database::Cancel;
use recordar::recall::Authority;
use recordar::verb::VERBS;
use recordar::{Error, Recordar};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Map, Value, json};

pub(crate) fn call(memory: &Recordar, verb: &str, arguments: Value) -> Result<Value, Error> {
    call_with(memory, verb, arguments, Cancel::default())
}

/// A call that can be cancelled.
pub(crate) fn call_with(memory: &Recordar, verb: &str, arguments: Value, cancel: Cancel) -> Result<Value, Error> {
    let caller = Caller {
        space: ada(),
        names_space: false,
        within: None,
        files: true,
        authority: Authority::User,
        account: None,
        operation: operation(verb),
    };
    let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
    let reply = memory.call(recordar::verb::named(verb)?, Call { cancel, ..Call::new(caller) }, arguments)?;
    Ok(reply.to_value().unwrap())
}

fn properties(verb: &VerbEntry) -> Map<String, Value> {
    verb.schema().get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

#[test]
fn a12_every_verb_can_be_called_and_every_argument_is_described() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("guide.md"), "The harbour opens at nine.").unwrap();
    let call =
        |verb: &str, arguments: Value| call(&memory, verb, arguments).unwrap_or_else(|error| panic!("{verb}: {error}"));
    let check = |verb: &'static str, arguments: Value, pointer: &str, expected: Value| {
        let reply = call(verb, arguments);
        assert_eq!(reply.pointer(pointer), Some(&expected), "{verb}: {reply}");
    };
    let said = json!({"messages": [{"text": "I take the 8:15 train.", "thread": "trip"}], "operation": "said"});
    check("remember", said, "/items/0", json!(2));
    check("operation", json!({"operation": "said"}), "/0/state", json!("done"));
    check("ingest", json!({"paths": [file("guide.md")], "tags": ["docs"]}), "/totals/added", json!(1));
    check("ingest_text", json!({"text": "Hello.", "name": "hello.md", "note": "n"}), "/files/0/version", json!(1));
    check("recall", json!({"query": "train", "receipt": true}), "/memories/0/provenance/item_id", json!(2));
    check("ask", json!({"query": "Which train?", "receipt": true}), "/answer", json!("I take the 8:15 train."));
    check("classify", json!({}), "/unclassified", json!(0));
    check("tree", json!({}), "/unclassified", json!(0));
    let tree = call("tree", json!({}));
    let root = tree["roots"][0]["name"].clone();
    check("query", json!({"query": "harbour", "strategy": "one_shot"}), "/status", json!("ok"));
    check("ask", json!({"query": "When does the harbour open?", "route": "tree"}), "/route", json!("tree"));
    check("rename_category", json!({"category": root, "name": "Places"}), "/edit", json!("rename"));
    let other = tree["roots"][1]["id"].to_string();
    let beside = tree["roots"][1]["children"][0]["id"].to_string();
    let child = tree["roots"][0]["children"][0]["id"].to_string();
    check("move_category", json!({"category": child, "under": other}), "/edit", json!("move"));
    check("merge_categories", json!({"category": child, "into": beside}), "/merged_categories", json!(1));
    check("deepen_tree", json!({"depth": 4}), "/depth", json!(4));
    let given = json!({"date": "unknown", "author": "Ada", "topic": "unknown", "description": "A guide."});
    check("helper", json!({"name": "guide.md", "helper": given}), "/helper/text", json!("Author: Ada. A guide."));
    check("models", json!({}), "/llm", json!(null));
    check("models", json!({}), "/model_folders", json!([]));
    check("check_models", json!({"name": "judge"}), "/passed", json!(true));
    let claim = json!({"passage": "A man is asleep on a bench.", "statement": "A person is asleep."});
    check("entail", claim, "/relation", json!("entailment"));
    check("metrics", json!({}), "/retrieval/latency_ms/count", json!(1));
    check("test_models", json!({"dry_run": true}), "/passed", json!(true));
    check("search", json!({"query": "train", "limit": 1}), "/hits/0/item_id", json!(2));
    check("search", json!({"query": "train", "threads": true}), "/threads/0/thread", json!("trip"));
    check("documents", json!({}), "/0/filename", json!("guide.md"));
    check("document", json!({"filename": "hello.md"}), "/text", json!("Hello."));
    check("document_text", json!({"name": "hello.md", "version": 1}), "/verified", json!(true));
    check("document_versions", json!({"name": "hello.md"}), "/0/note", json!("n"));
    check("document_diff", json!({"name": "guide.md", "from": 1}), "/from", json!(1));
    check("tag_document", json!({"name": "guide.md", "tags": ["new"]}), "/changed", json!(true));
    check("untag_document", json!({"name": "guide.md", "tags": ["new"]}), "/version/tags/0", json!("file_ingest"));
    check("set_document", json!({"name": "guide.md", "topic": "guides"}), "/version/topic", json!("guides"));
    check("move_document", json!({"name": "hello.md", "to": "hi.md"}), "/filename", json!("hi.md"));
    check("threads", json!({}), "/0/name", json!("trip"));
    check("messages", json!({"thread": "trip"}), "/0/text", json!("I take the 8:15 train."));
    check("spaces", json!({}), "/0", json!("user:ada"));
    let rules = json!({"kind": "rules"});
    check("set_standing_text", json!({"kind": "rules", "text": "Be brief."}), "/version", json!(1));
    check("standing_text", rules.clone(), "/text", json!("Be brief."));
    check("standing_text_history", rules.clone(), "/versions/0/version", json!(1));
    check("standing_text_diff", rules, "/to", json!(1));
    check("compose", json!({"query": "Which train?"}), "/history/0/layer", json!("earlier"));
    check("important", json!({"item": 2}), "/changed", json!(true));
    check("item", json!({"item": 2}), "/important", json!(true));
    let of_guide = json!({"messages": [{"text": "It opens late.", "about": ["guide.md"]}], "operation": "about"});
    check("remember", of_guide, "/repeated", json!(false));
    let receipt = call("receipts", json!({}))[0]["receipt"].clone();
    check("receipts", json!({"limit": 1}), "/0/memories", json!(1));
    check("why", json!({"receipt": receipt}), "/identical", json!(true));
    check("why_not", json!({"item": 2, "query": "train", "min_score": 1.0}), "/stage", json!("gate"));
    check("export", json!({"file": file("space.jsonl")}), "/spaces/0/space", json!("user:ada"));
    check("backup", json!({"file": file("store.jsonl")}), "/spaces/0/space", json!("user:ada"));
    check("import", json!({"file": file("space.jsonl")}), "/spaces/0/known", json!(true));
    check("forget", json!({"items": [2], "dry_run": true}), "/forgotten/messages", json!(1));
    check("restore", json!({"file": file("store.jsonl")}), "/removed", json!([]));
    // They are for administrators.
    for (verb, arguments) in
        [("make_key", json!({"name": "x"})), ("keys", json!({})), ("revoke_key", json!({"key": "x"}))]
    {
        assert_eq!(crate::calling::call(&memory, verb, arguments).unwrap_err().code(), "out_of_reach", "{verb}");
    }
    for verb in &VERBS {
        for (name, property) in properties(verb) {
            let described = property["description"].as_str().is_some_and(|words| words.ends_with('.'));
            assert!(described, "{}.{name} is not described: {property}", verb.name);
        }
    }
}

#[test]
fn a12_the_words_that_are_told_are_those_that_are_understood() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let mut words = 0;
    for verb in &VERBS {
        for (name, property) in properties(verb) {
            for word in property["enum"].as_array().into_iter().flatten() {
                let mut arguments = json!({"query": "x", "text": "x", "name": "x.md", "paths": [], "item": 1});
                arguments.as_object_mut().unwrap().retain(|key, _| properties(verb).contains_key(key));
                arguments[&name] = word.clone();
                let told = call(&memory, verb.name, arguments).err().map(|error| error.to_string()).unwrap_or_default();
                assert!(!told.contains("must be one of"), "{}.{name} = {word}: {told}", verb.name);
                words += 1;
            }
        }
    }
    let schema = Value::Object(Map::clone(&recordar::verb::named("remember").unwrap().schema()));
    for (field, names) in [("role", 4), ("kind", 3)] {
        let told = schema.pointer(&format!("/$defs/Message/properties/{field}/enum")).unwrap().as_array().unwrap();
        assert_eq!(told.len(), names);
        for word in told {
            let id = format!("{field}-{}", word.as_str().unwrap());
            call(&memory, "remember", json!({"messages": [{"text": "x", (field): word}], "operation": id})).unwrap();
        }
    }
    assert!(words > 20, "{words}");
}

#[test]
fn a12_a_wrong_argument_is_named_with_what_it_is_for() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let check = |verb: &str, arguments: Value, what: &str, remedy: &str| {
        let error = call(&memory, verb, arguments).unwrap_err();
        assert_eq!(error.code(), "invalid", "{error}");
        assert!(error.to_string().contains(what) && error.remedy().contains(remedy), "{error}\n{}", error.remedy());
    };
    check("recal", json!({}), "unrecognised verb \"recal\"", "recall");
    check("recall", json!({}), "recall needs query", "set query: ");
    check("recall", json!({"query": "x", "topk": 3}), "recall has no argument \"topk\"", "top_k");
    check(
        "recall",
        json!({"query": "x", "top_k": "three"}),
        "top_k must be a whole number, not \"three\"",
        "Maximum number of memories",
    );
    check(
        "recall",
        json!({"query": "x", "as_of": "once"}),
        "as_of: \"once\" is not a valid time",
        "Recall from the state",
    );
    check("recall", json!({"query": "x", "top_k": 20}), "top_k 20 is out of range: 6 to 10", "the configured value, 8");
    check("recall", json!({"query": "x", "interleaving_ratio": 0.5}), "takes no ratio", "score_first");
    check(
        "search",
        json!({"query": "x", "mode": "magic"}),
        "mode must be one of keyword, semantic, hybrid, not \"magic\"",
        "keyword, semantic or hybrid",
    );
    check("threads", json!({"all": true}), "has no argument", "takes no arguments");
    check(
        "search",
        json!({"query": "x", "filter": ["tags=a"]}),
        "a filter has no field \"tags\"",
        "use one of tag, path",
    );
    check("documents", json!({"filter": "tag=a"}), "filter must be a list", "Only documents that pass");
    check(
        "remember",
        json!({"messages": [{"text": "a"}, {"text": 3}]}),
        "messages[1].text must be a string, not 3",
        "The text of the message",
    );
    check(
        "remember",
        json!({"messages": [{"text": "a", "importance": 2}]}),
        "is not between 0 and 1",
        "How important it is",
    );
    check("remember", json!({"messages": [{"text": "a"}], "operation": "a b"}), "not a valid operation id", "UUID");
    check("forget", json!({}), "nothing to forget was named", "whole_space");
    check("forget", json!({"items": [1], "whole_space": true}), "more than one thing", "name one of");
    check("import", json!({"file": "x", "format": "word"}), "format must be one of recordar, chatgpt", "use one of");
    check(
        "ingest_text",
        json!({"text": "x", "name": "x", "type": "pdf"}),
        "type must be one of text, markdown",
        "Text type",
    );
    assert!(memory.spaces().unwrap().is_empty(), "nothing was written");
}

#[test]
fn a12_arguments_are_what_they_look_like() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let message = json!({"text": "I keep bees.", "importance": "0.5", "supersedes": []});
    call(&memory, "remember", json!({"messages": [message], "operation": "first"})).unwrap();
    let plain = json!({"query": "bees", "top_k": 7, "min_score": 0.1, "use_memory": true, "receipt": false});
    let asked = |arguments: Value| call(&memory, "recall", arguments).unwrap()["text"].clone();
    let expected = asked(plain.clone());
    for (name, likeness) in [
        ("top_k", json!(7.0)),
        ("top_k", json!("7")),
        ("top_k", json!(" 7 ")),
        ("min_score", json!("0.1")),
        ("use_memory", json!("true")),
        ("receipt", json!("False")),
    ] {
        let mut arguments = plain.clone();
        arguments[name] = likeness;
        assert_eq!(asked(arguments.clone()), expected, "{arguments}");
    }
    let search = |limit: Value| call(&memory, "search", json!({"query": "bees", "limit": limit}));
    search(json!("3")).unwrap();
    search(json!(3.0)).unwrap();
    let hostile =
        [json!(7.5), json!("seven"), json!("7.5"), json!(-1), json!(1e300), json!(true), json!([7]), json!({"n": 7})];
    for wrong in hostile {
        let error = search(wrong.clone()).unwrap_err();
        let told = format!("{error} {}", error.remedy());
        assert!(told.contains("limit must be a whole number"), "{wrong}: {told}");
        let of_rust = ["usize", "u64", "u32", "i64", "f64", "bool", "sequence", "map", "struct", "variant"];
        assert!(of_rust.iter().all(|word| !told.contains(word)), "{told}");
    }
}
