//! The beginning, the end, and what does not belong.

use crate::{Desk, initialize, request};
use serde_json::json;

#[test]
fn the_server_says_what_it_is() {
    let mut desk = Desk::new();
    let said = desk.says(&[initialize()]);
    let result = &said[0]["result"];
    assert_eq!(result["serverInfo"]["name"], "recordar");
    assert_eq!(result["serverInfo"]["title"], "Recordar");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    let instructions = result["instructions"].as_str().unwrap();
    assert!(instructions.contains("the space user:ada") && instructions.contains("Never store passwords"));
    desk.settings.read_only = true;
    let instructions = desk.says(&[initialize()])[0]["result"]["instructions"].as_str().unwrap().to_owned();
    assert!(instructions.contains("is read-only") && !instructions.contains("Never store"));
}

#[test]
fn an_input_without_anything_ends_well() {
    assert_eq!(Desk::new().says(&[]), Vec::<serde_json::Value>::new());
}

#[test]
fn every_call_is_answered_before_the_end() {
    let desk = Desk::new();
    let remember = |id: i64| {
        let arguments = json!({"messages": [{"text": format!("message {id}"), "thread": "t"}]});
        request(id, "tools/call", json!({"name": "remember", "arguments": arguments}))
    };
    let lines: Vec<String> = std::iter::once(initialize()).chain((1..=300).map(remember)).collect();
    let said = desk.says(&lines);
    let mut ids: Vec<i64> = said.iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=300).collect::<Vec<i64>>());
    assert!(said.iter().skip(1).all(|answer| answer["result"]["isError"] == false));
}

#[test]
fn what_does_not_belong_is_answered_or_passed_over() {
    let desk = Desk::new();
    let lines = [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        json!({"jsonrpc": "2.0", "id": 77, "result": {}}).to_string(),
        "not JSON".to_owned(),
        String::new(),
        "[".repeat(100_000),
        initialize(),
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": ".to_owned(),
        json!({"jsonrpc": "2.0", "method": "notifications/nothing"}).to_string(),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}).to_string(),
        request(2, "nothing/such", json!({})),
        request(3, "tools/call", json!({"name": "recall", "arguments": "query"})),
        request(4, "tools/call", json!({"name": "export", "arguments": {}})),
        request(
            5,
            "tools/call",
            json!({"name": "remember", "arguments": {"messages": [{"text": "x".repeat(10_000_000)}]}}),
        ),
        request(6, "ping", json!({})),
    ];
    let said = desk.says(&lines);
    let answer = |id: i64| said.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answer(2)["error"]["code"], -32601);
    assert_eq!(answer(3)["error"]["code"], -32602);
    assert_eq!(answer(4)["error"]["code"], -32602);
    assert_eq!(answer(5)["result"]["isError"], true);
    assert_eq!(answer(6)["result"], json!({}));
}
