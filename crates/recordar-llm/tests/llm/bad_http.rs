//! HTTP that is none, or is not as it should be: heads, lengths, chunks, redirects, and more than anybody asked for.

use crate::villain::{Manner, good_body};
use recordar_testkit::bad_answers::pick;
use recordar_testkit::{Answer, Random};
use serde_json::{Value, json};

/// A good body whose length is told wrongly.
pub(crate) fn wrong_framing(random: &mut Random, manner: Manner) -> Vec<u8> {
    let body = good_body(manner);
    let length = body.len();
    let chunk = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
    let framed = [
        (format!("content-length: {}\r\n", length + 50), body.clone()),
        (format!("content-length: {}\r\n", length - 9), format!("{body}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")),
        ("content-length: 0\r\n".to_owned(), body.clone()),
        ("content-length: -5\r\n".to_owned(), body.clone()),
        ("content-length: 99999999999999999999999\r\n".to_owned(), body.clone()),
        ("content-length: 18446744073709551615\r\n".to_owned(), body.clone()),
        (format!("content-length: {length}\r\ncontent-length: 5\r\n"), body.clone()),
        (format!("content-length: {length}\r\ntransfer-encoding: chunked\r\n"), chunk.clone()),
        (format!("content-length: {length}\r\ncontent-encoding: gzip\r\n"), body.clone()),
        ("content-encoding: br\r\ntransfer-encoding: gzip, chunked\r\n".to_owned(), chunk.clone()),
        ("transfer-encoding: chunked\r\n".to_owned(), chunk.clone()),
        ("transfer-encoding: chunked\r\n".to_owned(), chunk.replace("0\r\n\r\n", "")),
        ("transfer-encoding: chunked\r\n".to_owned(), chunk.replacen("\r\n", "", 1)),
        ("transfer-encoding: chunked\r\n".to_owned(), format!("zz\r\n{body}\r\n0\r\n\r\n")),
        ("transfer-encoding: chunked\r\n".to_owned(), format!("-1\r\n{body}\r\n0\r\n\r\n")),
        ("transfer-encoding: chunked\r\n".to_owned(), format!("{}\r\n{body}", "F".repeat(17))),
        ("transfer-encoding: chunked\r\n".to_owned(), format!("{}\r\n{body}", "F".repeat(16))),
        (
            "transfer-encoding: chunked\r\n".to_owned(),
            format!("{length:x};{}\r\n{body}\r\n0\r\n\r\n", "x".repeat(9999)),
        ),
        ("transfer-encoding: chunked\r\n".to_owned(), format!("\u{ff}\r\n{body}\r\n0\r\n\r\n")),
        (String::new(), body.clone()),
    ];
    let (headers, body) = pick(random, &framed);
    format!("HTTP/1.1 200 OK\r\n{headers}\r\n{body}").into_bytes()
}

pub(crate) fn informational(random: &mut Random, manner: Manner) -> Answer {
    let body = good_body(manner);
    let ok = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let texts = [
        format!("HTTP/1.1 100 Continue\r\n\r\n{ok}"),
        format!("{}{ok}", "HTTP/1.1 100 Continue\r\n\r\n".repeat(30)),
        format!("HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n{ok}"),
        format!("HTTP/1.1 102 Processing\r\n\r\n{ok}"),
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n".to_owned(),
        "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
        format!("HTTP/1.1 204 No Content\r\ncontent-length: {}\r\n\r\n{body}", body.len()),
        format!(
            "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-9/99\r\ncontent-length: 10\r\n\r\n{}",
            &body[..10]
        ),
        "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n".to_owned(),
        format!("HTTP/1.1 201 Created\r\ncontent-length: {}\r\n\r\n{body}", body.len()),
    ];
    Answer::Raw(pick(random, &texts).into_bytes())
}

/// The beginning of an answer, or nothing at all.
pub(crate) fn cut_off(random: &mut Random, manner: Manner) -> Option<Vec<u8>> {
    let body = good_body(manner);
    let whole = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    (random.below(4) > 0).then(|| whole.as_bytes()[..random.below(whole.len())].to_vec())
}

pub(crate) fn too_much(random: &mut Random) -> Answer {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let delta = |text: &str| {
        json!({"choices": [{"delta": {"content": text}}], "type": "content_block_delta", "delta": {"text": text},
        "candidates": [{"content": {"parts": [{"text": text}]}}]})
    };
    let event = |event: &Value| format!("data: {event}\n\n");
    let large = "x".repeat(64 * 1024);
    match random.below(7) {
        0 => repeated(&format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{{\"a\":\"", 10_500_000), &large, 160),
        1 => repeated("HTTP/1.1 200 OK\r\n", &format!("x-{}: 1\r\n", "y".repeat(1000)), 10_000),
        2 => endless("HTTP/1.1 200 OK\r\n", "x: y\r\n"),
        3 => endless("HTTP/1.1 200 OK\r\nx: ", &large),
        4 => endless(head, &event(&delta(&"word ".repeat(2000)))),
        5 => endless(head, &format!(": ping {large}\n\n")),
        _ => endless("HTTP/1.1 500 X\r\n\r\n{\"error\":\"", &large),
    }
}

pub(crate) fn endless(start: &str, piece: &str) -> Answer {
    Answer::Endless { start: start.as_bytes().to_vec(), piece: piece.as_bytes().to_vec() }
}

fn repeated(start: &str, piece: &str, times: usize) -> Answer {
    Answer::Repeated { start: start.as_bytes().to_vec(), piece: piece.as_bytes().to_vec(), times }
}
