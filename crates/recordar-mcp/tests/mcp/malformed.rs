//! Every request is answered, also one that cannot be read, and so is what is no request at all.

use crate::{Desk, initialize, request};
use recordar_testkit::Random;
use serde_json::{Value, json};

const MESSAGES: i64 = 1_000;

#[test]
fn a12_a_thousand_malformed_messages_are_answered() {
    let desk = Desk::new();
    let mut random = Random(16);
    let mut input = initialize().into_bytes();
    input.push(b'\n');
    let mut nameless = 0;
    for id in 1..=MESSAGES {
        let (line, has_id) = malformed(id, &mut random);
        nameless += usize::from(!has_id);
        input.extend(line);
        input.push(b'\n');
    }
    let said = desk.answers(input);
    let mut ids: Vec<i64> = said.iter().filter_map(|answer| answer["id"].as_i64()).collect();
    ids.sort_unstable();
    let without: Vec<&Value> = said.iter().filter(|answer| answer["id"].is_null()).collect();
    assert_eq!(without.len(), nameless, "{without:?}");
    assert_eq!(ids.len() + nameless, 1 + MESSAGES as usize, "every one of them, and each once");
    ids.dedup();
    assert_eq!(ids.len() + nameless, 1 + MESSAGES as usize);
    for answer in &said {
        let error = &answer["error"];
        assert!(
            answer.get("result").is_some() || error["message"].as_str().is_some_and(|what| what.len() > 5),
            "{answer}"
        );
    }
    assert_eq!(desk.gets("documents", json!({}))["total"], 0);
}

/// A message that something is wrong with, and whether its id can still be found in it.
fn malformed(id: i64, random: &mut Random) -> (Vec<u8>, bool) {
    let arguments = json!({"query": "the lamp", "top_k": 8});
    let line = request(id, "tools/call", json!({"name": "recall", "arguments": arguments}));
    let spoilt = |text: &str| line.replace("the lamp", text).into_bytes();
    let cut = |at: usize| line.as_bytes()[..at].to_vec();
    let start_of_id = line.find("\"id\"").unwrap();
    match random.below(14) {
        0 => (spoilt("\\ud83d lamp"), true),
        1 => (spoilt("\\udc00\\ud800"), true),
        2 => (line.replace("\"the lamp\"", &"[".repeat(200 + random.below(2_000))).into_bytes(), true),
        3 => {
            let mut bytes = line.into_bytes();
            let at = bytes.len() - 20 + random.below(15);
            bytes[at] = 0xff;
            (bytes, true)
        }
        4 => (cut(line.len() - 1 - random.below(20)), true),
        5 => (cut(random.below(start_of_id).max(1)), false),
        6 => (format!("[{line}]").into_bytes(), true),
        7 => (line.replace("\"2.0\"", "2.0").into_bytes(), true),
        8 => (line.replace("\"tools/call\"", "[\"tools/call\"]").into_bytes(), true),
        9 => (line.replace("\"method\":\"tools/call\",", "").into_bytes(), true),
        10 => (line.replace("\"params\":{", "\"params\":[{").replace("}}}", "}}]}").into_bytes(), true),
        11 => (format!("\u{feff}{}\r", line.replace("\"recall\"", "\"reca\\u0000ll\"")).into_bytes(), true),
        12 => (spoilt("\u{1}"), true),
        _ => {
            ([b"42".as_slice(), b"null", b"\"text\"", b"[]", b"{}", b"\x00", b"\xff"][random.below(7)].to_vec(), false)
        }
    }
}

#[test]
fn a12_requests_of_a_batch_are_answered() {
    let desk = Desk::new();
    let ping = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let batch = json!([ping(1), notice, ping(2), 5]).to_string();
    let said = desk.says(&[initialize(), batch]);
    let mut ids: Vec<&Value> = said.iter().map(|answer| &answer["id"]).collect();
    ids.sort_by_key(|id| id.as_i64());
    assert_eq!(ids, [&Value::Null, &json!(0), &json!(1), &json!(2)]);
}

#[test]
fn a12_an_id_that_is_in_use_is_not_used_twice() {
    let desk = Desk::new();
    let text = "The lamp turns every ten seconds. ".repeat(2_000);
    let slow = request(1, "tools/call", json!({"name": "ingest_text", "arguments": {"name": "a.txt", "text": text}}));
    let said = desk.says(&[initialize(), slow, request(1, "ping", json!({}))]);
    let answers: Vec<&Value> = said.iter().filter(|answer| answer["id"] == 1).collect();
    assert_eq!(answers.len(), 2, "{said:?}");
}

#[test]
fn a12_a_last_line_needs_no_end() {
    let desk = Desk::new();
    let said = desk.answers(format!("{}\n{}", initialize(), request(1, "ping", json!({}))).into_bytes());
    assert_eq!(said.len(), 2);
}

#[test]
fn a12_a_conversation_may_begin_late() {
    let desk = Desk::new();
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let early = [request(7, "tools/list", json!({})), notice, request(8, "ping", json!({})), initialize()];
    let said = desk.says(&[early.as_slice(), &[request(9, "tools/list", json!({}))]].concat());
    let mut ids: Vec<i64> = said.iter().filter_map(|answer| answer["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [0, 7, 8, 9]);
}

#[test]
fn a12_whoever_wants_to_know_is_told_that_a_call_goes_on() {
    let desk = Desk::new();
    let text: String = (0..600_000).map(|n| format!("The keeper wrote line {n} about the lamp. ")).collect();
    let call = json!({"name": "ingest_text", "arguments": {"name": "long.txt", "text": text}, "_meta": {"progressToken": "p"}});
    let said = desk.says(&[initialize(), request(1, "tools/call", call)]);
    let told: Vec<&Value> = said.iter().filter(|said| said["method"] == "notifications/progress").collect();
    let seconds: Vec<f64> = told.iter().map(|told| told["params"]["progress"].as_f64().unwrap()).collect();
    assert!(!told.is_empty() && told.iter().all(|told| told["params"]["progressToken"] == "p"), "{told:?}");
    assert!(seconds.is_sorted_by(|one, next| one < next), "{seconds:?}");
    assert_eq!(said.last().unwrap()["result"]["isError"], false);
}
