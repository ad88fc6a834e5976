//! What a client is told of the tools.

use crate::Desk;
use recordar::SpaceName;
use recordar::text::TokenCounter;
use recordar_testkit::keep;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn tools(desk: &Desk) -> Vec<Value> {
    desk.asks("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

const READING: [&str; 16] = [
    "recall",
    "ask",
    "compose",
    "query",
    "tree",
    "search",
    "documents",
    "document",
    "document_text",
    "document_versions",
    "threads",
    "messages",
    "item",
    "items",
    "why",
    "why_not",
];

#[test]
fn every_tool_is_described_in_plain_words() {
    let desk = Desk::new();
    let tools = tools(&desk);
    assert_eq!(
        names(&tools),
        [
            "recall",
            "ask",
            "compose",
            "query",
            "tree",
            "remember",
            "search",
            "documents",
            "document",
            "document_text",
            "document_versions",
            "threads",
            "messages",
            "item",
            "items",
            "ingest_text",
            "why",
            "why_not",
            "forget"
        ]
    );
    for tool in &tools {
        let (name, schema) = (&tool["name"], &tool["inputSchema"]);
        assert!(tool["title"].is_string() && tool["description"].as_str().unwrap().len() > 40, "{name}");
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        let text = schema.to_string();
        for noise in ["\"null\"", "$ref", "$defs", "$schema", "\"format\"", "anyOf"] {
            assert!(!text.contains(noise), "{name}: {noise} in {text}");
        }
        for (property, schema) in schema["properties"].as_object().unwrap() {
            check_property(&format!("{name}.{property}"), schema);
            assert!(property != "also" && property != "whole_space", "{name}");
        }
    }
    let message = &tools[5]["inputSchema"]["properties"]["messages"]["items"];
    assert_eq!(message["required"], json!(["text"]));
    for (property, schema) in message["properties"].as_object().unwrap() {
        check_property(&format!("message.{property}"), schema);
    }
}

fn check_property(name: &str, schema: &Value) {
    assert!(schema["description"].as_str().is_some_and(|words| words.len() > 5), "{name}: {schema}");
    assert!(schema["type"].is_string(), "{name}: {schema}");
}

#[test]
fn hints_say_what_a_tool_does_to_the_memory() {
    let desk = Desk::new();
    for tool in tools(&desk) {
        let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
        assert_eq!(hints["openWorldHint"], false, "{name}");
        if READING.contains(&name) {
            assert_eq!(hints["readOnlyHint"], true, "{name}");
            continue;
        }
        assert_ne!(hints["readOnlyHint"], true, "{name}");
        assert_eq!(hints["destructiveHint"], name == "forget", "{name}");
        assert_eq!(hints["idempotentHint"], name != "remember", "{name}");
    }
}

#[test]
fn options_of_the_server_change_what_is_told() {
    let mut desk = Desk::new();
    let property = |desk: &Desk, tool: &str, name: &str| {
        let tools = tools(desk);
        let tool = tools.iter().find(|found| found["name"] == tool).unwrap();
        tool["inputSchema"]["properties"][name].clone()
    };
    assert!(property(&desk, "document_text", "space").is_null());
    assert!(property(&desk, "recall", "receipt").is_null(), "recalling is reading");
    assert!(property(&desk, "ingest_text", "force").is_null());
    for spent in ["classify", "regenerate_helper", "max_token_budget"] {
        assert!(["ask", "ingest_text"].iter().all(|tool| property(&desk, tool, spent).is_null()), "{spent}");
    }
    assert!(property(&desk, "query", "limit")["description"].as_str().unwrap().contains("25 by default"));
    assert_eq!(property(&desk, "recall", "top_k")["minimum"], 6);
    assert_eq!(property(&desk, "recall", "max_tokens")["maximum"], 1500);
    for costly in ["send", "prompt", "max_usd"] {
        assert!(property(&desk, "compose", costly).is_null(), "{costly}");
    }
    for tool in ["recall", "ask", "compose", "query", "search", "document", "why", "why_not"] {
        assert_eq!(property(&desk, tool, "explain")["type"], "boolean", "{tool}");
    }
    let roles = &property(&desk, "remember", "messages")["items"]["properties"]["role"]["enum"];
    assert_eq!(roles, &json!(["user", "assistant", "tool"]));

    desk.settings.also = vec![SpaceName::parse("shared:handbook").unwrap()];
    desk.settings.read_only = true;
    for tool in ["document_text", "ask", "compose", "query", "tree"] {
        assert_eq!(property(&desk, tool, "space")["enum"], json!(["user:ada", "shared:handbook"]), "{tool}");
    }
    assert!(property(&desk, "recall", "receipt").is_null());
    assert_eq!(names(&tools(&desk)), READING);
}

/// Programs may say more than an agent is shown.
#[test]
fn a12_what_is_not_shown_is_taken() {
    let desk = Desk::new();
    let message = json!({"text": "I keep bees.", "time": "2026-01-31", "metadata": {"a": 1}, "importance": 0.5});
    let once = json!({"messages": [message], "operation": "once"});
    assert_eq!(desk.gets("remember", once.clone())["items"], desk.gets("remember", once)["items"]);
    let settings = json!({"query": "bees", "clip_sentences": 2, "search_type": "keyword", "enable_redaction": true});
    assert_eq!(desk.gets("recall", settings)["memories"][0]["content"], "I keep bees.");
    assert_eq!(desk.gets("search", json!({"query": "bees", "rerank": "judge"}))["hits"][0]["judged"], true);
    desk.gets("why_not", json!({"item": 1, "query": "boats", "top_k": 8, "min_score": 0.2}));
    let filtered = json!({"query": "bees", "topics": ["general_inquiry"], "message_type": "statement"});
    assert_eq!(desk.gets("search", filtered)["hits"][0]["text"], "I keep bees.");
    let staged =
        json!({"query": "bees", "staged": true, "session_id": "trip", "thread_context": "Hi.", "preview": true});
    assert_eq!(desk.gets("recall", staged)["memories"][0]["content"], "I keep bees.");
    desk.gets("ask", json!({"query": "bees", "category": "conversation", "entities": ["5678"]}));
    let strict = json!({"query": "bees", "theta": 0.2, "turns": 1, "synonyms": ["bee = hive"]});
    assert_eq!(desk.gets("compose", strict)["sources"], json!([]));
    let helper = json!({"text": "Notes that Ada keeps on bees."});
    desk.gets(
        "ingest_text",
        json!({"name": "a.md", "text": "# A\n", "helper": helper, "provider": "Ada", "mtime": "2026-01-31"}),
    );
}

/// What a client puts before a language model, and what it does not.
#[test]
fn a12_all_definitions_together_take_few_tokens() {
    let desk = Desk::new();
    let counter = TokenCounter::for_model("gpt-4o-mini");
    let tools = tools(&desk);
    let mut sizes: Vec<(usize, &str)> =
        tools.iter().map(|tool| (counter.count(&tool.to_string()), tool["name"].as_str().unwrap())).collect();
    sizes.sort();
    let all = counter.count(&Value::from(tools.clone()).to_string());
    keep("mcp-definitions", &format!("{all} tokens: {sizes:?}"));
    assert!(all < 3_800, "{all}: {sizes:?}");
}

/// `eval/tools` asks which tool a task needs, of whoever has read the definitions. Every tool has a task.
#[test]
fn a12_every_tool_has_a_task_to_choose_it_for() {
    let tasks = include_str!("../../../../eval/tools/tasks.jsonl");
    let wanted: BTreeSet<String> = tasks
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["tool"].as_str().unwrap().to_owned())
        .collect();
    let desk = Desk::new();
    let tools = tools(&desk);
    assert_eq!(
        wanted.iter().map(String::as_str).collect::<Vec<_>>(),
        names(&tools).into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    );
    assert_eq!(tasks.lines().count(), 32);
}
