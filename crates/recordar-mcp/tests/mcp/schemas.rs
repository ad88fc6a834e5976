//! What a client is told of the tools.

use crate::Desk;
use recordar::SpaceName;
use serde_json::{Value, json};

fn tools(desk: &Desk) -> Vec<Value> {
    desk.asks("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

const READING: [&str; 13] = [
    "recall",
    "ask",
    "query",
    "tree",
    "search",
    "documents",
    "document",
    "document_text",
    "document_versions",
    "threads",
    "messages",
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
        assert_eq!(schema["additionalProperties"], false, "{name}");
        let text = schema.to_string();
        for noise in ["\"null\"", "$ref", "$defs", "$schema", "\"format\"", "anyOf"] {
            assert!(!text.contains(noise), "{name}: {noise} in {text}");
        }
        for (property, schema) in schema["properties"].as_object().unwrap() {
            check_property(&format!("{name}.{property}"), schema);
            assert!(property != "also" && property != "whole_space", "{name}");
        }
    }
    let message = &tools[4]["inputSchema"]["properties"]["messages"]["items"];
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
        let idempotent = name != "remember";
        assert_eq!(hints["readOnlyHint"], READING.contains(&name), "{name}");
        assert_eq!(hints["destructiveHint"], name == "forget", "{name}");
        assert_eq!(hints["idempotentHint"], idempotent, "{name}");
        assert_eq!(hints["openWorldHint"], false, "{name}");
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
    assert_eq!(property(&desk, "ingest_text", "helper")["properties"]["author"]["type"], "string");
    assert!(property(&desk, "query", "limit")["description"].as_str().unwrap().contains("25 by default"));
    assert_eq!(property(&desk, "ask", "top_k"), property(&desk, "recall", "top_k"));
    assert_eq!(property(&desk, "recall", "top_k")["minimum"], 6);
    assert_eq!(property(&desk, "recall", "max_tokens")["maximum"], 1500);
    for tool in ["recall", "ask", "query", "search", "document", "why", "why_not", "ingest_text"] {
        assert_eq!(property(&desk, tool, "explain")["default"], false, "{tool}");
    }
    for tool in ["remember", "ingest_text", "forget"] {
        assert_eq!(property(&desk, tool, "operation")["type"], "string", "{tool}");
    }

    desk.settings.also = vec![SpaceName::parse("shared:handbook").unwrap()];
    desk.settings.read_only = true;
    for tool in ["document_text", "ask", "query", "tree"] {
        assert_eq!(property(&desk, tool, "space")["enum"], json!(["user:ada", "shared:handbook"]), "{tool}");
    }
    assert!(property(&desk, "recall", "receipt").is_null());
    assert_eq!(names(&tools(&desk)), READING);
}
