//! `recordar chat`, and the receipts of `recordar compose`, against a model that streams.

use crate::Desk;
use recordar_testkit::{Answer, ModelServer};
use serde_json::json;
use std::process::Output;

fn streaming(words: &[&str]) -> Answer {
    let pieces = words.iter().map(|word| json!({"choices": [{"index": 0, "delta": {"content": word}}]}));
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 3}});
    let lines: String = pieces.chain([end]).map(|piece| format!("data: {piece}\n\n")).collect();
    Answer::stream(format!("{lines}data: [DONE]\n\n"), 11)
}

fn desk(server: &ModelServer, more: &str) -> Desk {
    let desk = Desk::new();
    desk.put("lamp.md", "# Lamp\n\nThe lamp burns for 12 hours. The lamp must never be left alone.\n");
    // Stored without a model: that would be asked for its category.
    desk.ends(0, &["ingest", "lamp.md"]);
    let (url, key) = (server.url(), "sk-test-chat-0123456789");
    desk.put_own(&format!(
        "[llm]\nprovider = \"compatible\"\nmodel = \"small\"\nretries = 0\nbase_url = {url:?}\napi_key = {key:?}\n{more}"
    ));
    desk
}

/// What it printed. Some of what was typed fails.
fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn b11_a_chat_streams_answers_remembers_them_and_explains_itself() {
    let server = ModelServer::start(|_| streaming(&["For 12", " hours", " [1]."]));
    let desk = desk(&server, "");
    let input = "How long does the lamp burn?\n/why\n/prompt\n/facts\nAnd then?\n/forget\n/what\n/forget x\n\n/help\n";
    let (shown, told) = said(&desk.pipe(&["chat", "--thread", "watch", "--receipt"], input.as_bytes()));
    assert_eq!(shown.matches("For 12 hours [1].\n").count(), 2, "{shown}");
    for expected in ["[1] lamp.md, Lamp", "gate:", "## [Hard Rules]", "no facts", "forgotten: 2 messages", "/quit"] {
        assert!(shown.contains(expected), "{expected} is not in {shown}");
    }
    for expected in ["2 facts from lamp.md", "/what is not known", "\"x\" is not the id of an item"] {
        assert!(told.contains(expected), "{expected} is not in {told}");
    }
    let bodies = server.received();
    assert!(bodies[1].body.contains("| How long does the lamp burn?"), "the last turns are in the next prompt");
    let thread = desk.ends(0, &["thread", "show", "watch"]);
    assert!(thread.contains("How long does the lamp burn?") && !thread.contains("And then?"), "{thread}");
    let receipts = desk.json(0, &["receipts", "list"]);
    assert_eq!(receipts.as_array().unwrap().len(), 1, "what was forgotten has no receipt: {receipts}");
    let receipt = receipts[0]["receipt"].as_str().unwrap();
    let why = desk.ends(0, &["why", receipt]);
    assert!(why.contains("For 12 hours [1].") && why.contains("byte-identical to the original prompt"), "{why}");
}

#[test]
fn b11_a_chat_goes_on_after_a_failure_and_needs_a_model() {
    let server = ModelServer::start(|_| Answer::status(500, json!({"error": {"message": "broken"}})));
    let desk = desk(&server, "fallback_model = \"tiny\"\n");
    let (shown, told) = said(&desk.pipe(&["chat"], b"How long?\n/why\n"));
    assert!(told.contains("and the fallback model") && told.contains("nothing was answered yet"), "{shown}{told}");
    assert_eq!(desk.json(0, &["item", "list", "--kind", "message"])["items"], json!([]));
    desk.put_own("");
    assert!(desk.ends(1, &["chat"]).contains("no language model is configured"));
}

#[test]
fn b11_what_changed_since_a_receipt_is_shown() {
    let server = ModelServer::start(|_| streaming(&["Yes."]));
    let desk = desk(&server, "");
    desk.put_own("");
    let question = "How long does the lamp burn?";
    let composed = desk.json(0, &["compose", question, "--receipt"]);
    let receipt = composed["receipt"].as_str().unwrap();
    assert!(desk.ends(0, &["compose", "--diff", receipt]).contains("byte for byte"));
    desk.put("lamp.md", "# Lamp\n\nThe lamp burns for 14 hours.\n");
    desk.ends(0, &["ingest", "lamp.md"]);
    let diff = desk.ends(0, &["compose", "--diff", receipt]);
    assert!(
        diff.contains("-[1] | The lamp burns for 12 hours.") && diff.contains("+[1] | The lamp burns for 14 hours."),
        "{diff}"
    );
    assert!(diff.contains("(its text was changed or removed since then)"), "{diff}");
    assert!(desk.ends(2, &["compose"]).contains("what to ask is missing"));
    assert!(desk.ends(2, &["compose", "x", "--diff", receipt]).contains("cannot be used with"));
}
