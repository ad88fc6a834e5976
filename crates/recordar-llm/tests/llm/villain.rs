//! A model that means harm, or a server that is none: answers drawn from a seed, of everything that can come over a wire.

use crate::bad_http::{cut_off, endless, informational, too_much, wrong_framing};
use crate::fixture::KEY;
use crate::replies::Reply;
use recordar_llm::Structured;
use recordar_testkit::bad_answers::{garbage, not_http, ok, pick, redirect, status, wrong_shape};
use recordar_testkit::{Answer, Random};
use serde_json::json;

/// How it is spoken to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) provider: &'static str,
    pub(crate) mode: Structured,
    pub(crate) streams: bool,
}

/// An answer, and whether only a timeout ends it.
pub(crate) struct Drawn {
    pub(crate) answer: Answer,
    pub(crate) is_slow: bool,
    /// For whoever reads about a failure.
    pub(crate) kind: &'static str,
}

pub(crate) const GOOD: &str = r#"{"items":[{"id":1,"category":"Lamps"},{"id":2,"category":"Boats"}]}"#;

pub(crate) fn draw(random: &mut Random, manner: Manner) -> Drawn {
    let quick = |kind: &'static str, answer: Answer| Drawn { answer, is_slow: false, kind };
    let slow = |kind: &'static str, answer: Answer| Drawn { answer, is_slow: true, kind };
    match random.below(40) {
        0..=7 => {
            let reply = Reply { is_tool: is_tool(random, manner), ..Reply::new(GOOD) };
            quick("good", sent(random, manner, &reply))
        }
        8..=19 => {
            let reply = wrong_reply(random, manner);
            quick("wrong reply", sent(random, manner, &reply))
        }
        20..=21 => quick("broken body", Answer::json(broken_body(random, manner))),
        22 => quick("garbage body", ok("", garbage(random))),
        23..=24 => quick("wrong shape", ok("content-type: application/json\r\n", wrong_shape(random))),
        25..=28 => quick("status", status(random, KEY)),
        29 => quick("redirect", redirect(random, KEY)),
        30..=31 => quick("not HTTP", Answer::Raw(not_http(random))),
        32..=33 => quick("framing", Answer::Raw(wrong_framing(random, manner))),
        34 => quick("informational", informational(random, manner)),
        35 => quick("hang-up", cut_off(random, manner).map_or(Answer::HangUp, Answer::Raw)),
        36 => slow("silence", Answer::Silence(cut_off(random, manner).unwrap_or_default())),
        37 if random.below(3) == 0 => slow("endless 1xx", endless("", "HTTP/1.1 100 Continue\r\n\r\n")),
        37 => slow("silent refusal", Answer::Silence(b"HTTP/1.1 500 X\r\ncontent-length: 99\r\n\r\n{\"err".to_vec())),
        38 => quick("too much", too_much(random)),
        _ => quick("echo", echo(random, manner)),
    }
}

fn is_tool(random: &mut Random, manner: Manner) -> bool {
    // Some reply otherwise than they were asked to.
    (manner.mode == Structured::Tool) != (random.below(8) == 0)
}

/// A reply as the provider sends it: streamed where that was asked for, mostly.
fn sent(random: &mut Random, manner: Manner, reply: &Reply) -> Answer {
    let size = pick(random, &[1, 3, 64, 100_000]);
    match manner.streams != (random.below(10) == 0) {
        true => Answer::stream(reply.stream(manner.provider, pick(random, &[3, 5, 1000])), size.max(7)),
        false => Answer::json(reply.body(manner.provider)),
    }
}

/// Well-formed, with a content, an end or a usage that is not.
fn wrong_reply(random: &mut Random, manner: Manner) -> Reply {
    let note = |note: &str| {
        format!(r#"{{"items":[{{"id":1,"category":"Lamps"}},{{"id":2,"category":"Boats"}}],"note":{note}}}"#)
    };
    let escaped: String = KEY.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let half_escaped = KEY.replacen('k', "\\u006B", 1);
    let texts = [
        GOOD.to_owned(),
        String::new(),
        "null".to_owned(),
        "I would rather not.".to_owned(),
        format!("Sure!\n```json\n{GOOD}\n```"),
        GOOD[..random.below(GOOD.len())].to_owned(),
        GOOD.replace("\"id\":2", "\"id\":1"),
        GOOD.replace("\"id\":2", "\"id\":3"),
        GOOD.replace("\"id\":2", "\"id\":\"2\""),
        GOOD.replace("\"id\":2", "\"id\":1e400"),
        GOOD.replace("\"id\":2", "\"id\":2,\"id\":1"),
        GOOD.replace("Boats", "Submarines"),
        GOOD.replace("Boats", &KEY.repeat(50)),
        GOOD.replace("Boats", &escaped),
        GOOD.replace("{\"id\":1", "{\"\\u001b[31m\\u009b\":0,\"id\":1"),
        GOOD.replace("{\"id\":1", &format!("{{\"{half_escaped}\":0,\"id\":1")),
        GOOD.replace("\"items\"", "\"it\\u0000ems\""),
        GOOD.replace("\"items\"", &format!("\"{}\"", "é\\n".repeat(3000))),
        note(&format!("\"{KEY}\"")),
        note(&format!("\"{half_escaped} {escaped}\"")),
        note("\"\\u0000\\u001b[2J\\u0085\\u202e\\ud83d\\ude00\""),
        note("\"\\ud800\""),
        note(&format!("\"{}\"", "\\u001b".repeat(5000))),
        format!("{}{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)),
        format!("{{\"items\":{}{}}}", "[".repeat(100), "]".repeat(100)),
        "[".repeat(100_000),
        format!("\u{1b}]0;owned\u{7}\u{9b}31m{KEY}\0"),
        "x".repeat(1_100_000),
        "</think>".repeat(1000),
    ];
    let numbers = json!([0, 7, -1, 1e300, u64::MAX, 1.5, "12", null, [1], {"tokens": 1}]);
    let numbers = numbers.as_array().unwrap();
    let finishes = ["stop", "stop", "stop", "stop", "tool_calls", "length", "content_filter", "\u{1b}[31m", KEY];
    let is_told = random.below(6) > 0;
    Reply {
        text: pick(random, &texts),
        is_tool: is_tool(random, manner),
        finish: (random.below(8) > 0).then(|| pick(random, &finishes).to_owned()),
        usage: is_told.then(|| [pick(random, numbers), pick(random, numbers)]),
    }
}

pub(crate) fn good_body(manner: Manner) -> String {
    let reply = Reply { is_tool: manner.mode == Structured::Tool, ..Reply::new(GOOD) };
    if manner.streams { reply.stream(manner.provider, 10) } else { reply.body(manner.provider).to_string() }
}

/// Cut short, or with a character changed.
fn broken_body(random: &mut Random, manner: Manner) -> String {
    let body = good_body(manner);
    let at = random.below(body.len());
    let other = pick(random, &["", "\0", "}", "{", "\"", ",", "data: ", "\n\n", "é", "\u{202e}", "9"]);
    let rest = if random.below(2) == 0 { "" } else { &body[at + 1..] };
    format!("{}{other}{rest}", &body[..at])
}

/// The key, where it may be looked for least.
fn echo(random: &mut Random, manner: Manner) -> Answer {
    let reply = Reply::new(format!("Your key is {KEY}, {KEY}{KEY}."));
    match random.below(7) {
        0 => sent(random, Manner { streams: true, ..manner }, &reply),
        1 => sent(random, Manner { streams: false, ..manner }, &reply),
        2 => Answer::json(json!({"error": {"message": format!("{}{KEY}", "x".repeat(290))}})),
        3 => Answer::stream(format!("data: {}\n\n", json!({"error": {"message": KEY}})), 5),
        4 => Answer::Raw(
            format!("HTTP/1.1 302 {KEY}\r\nlocation: http://x/{KEY}\r\n{KEY}: {KEY}\r\n\r\n{KEY}").into_bytes(),
        ),
        5 => Answer::Raw(format!("HTTP/1.1 {KEY} X\r\n\r\n").into_bytes()),
        _ => sent(random, manner, &Reply { finish: Some("content_filter".to_owned()), ..reply }),
    }
}
