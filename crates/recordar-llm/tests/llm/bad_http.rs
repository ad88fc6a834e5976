//! HTTP that is none, or is not as it should be: heads, lengths, chunks, redirects, and more than anybody asked for.

use crate::fixture::KEY;
use crate::villain::{Manner, garbage, good_body, pick};
use recordar_testkit::{Answer, Random};
use serde_json::{Value, json};

pub(crate) fn status(random: &mut Random) -> Answer {
    let status = pick(random, &[429, 500, 529, 503, 429, 500, 529, 400, 401, 402, 403, 404, 408, 413, 418, 600, 999]);
    let waits = [
        "0",
        "0.001",
        "-0",
        "100000",
        "1e300",
        "18446744073709551616",
        "-1",
        "soon",
        "",
        "NaN",
        "inf",
        "-inf",
        "0x10",
        "Sun, 15 Nov 2026 14:00:00 GMT",
        "Wed, 21 Oct 1015 07:28:00 GMT",
        "\t",
        "1,2",
        KEY,
    ];
    let echoed = json!({"error": {"message": format!("wrong key {KEY}, \u{1b}[31m{KEY}")}}).to_string();
    let delay = |delay: &str| json!({"error": {"message": "later", "details": [{"retryDelay": delay}]}}).to_string();
    let bodies = [
        String::new(),
        "{}".to_owned(),
        "<html>".to_owned(),
        "\u{0}\u{1}".to_owned(),
        echoed,
        delay("0s"),
        delay("-1s"),
        delay("1e300s"),
        delay("1e18s"),
        delay("NaNs"),
        delay("s"),
        json!({"message": KEY.repeat(1000)}).to_string(),
        json!({"error": "x".repeat(100_000)}).to_string(),
        json!({"error": {"code": 1, "type": {}}}).to_string(),
        json!([{"error": {"message": "\u{7f}\u{85}\u{9b}"}}]).to_string(),
    ];
    let mut headers = Vec::new();
    if random.below(3) > 0 {
        let name = pick(random, &["retry-after", "retry-after", "retry-after-ms"]);
        headers.push((name.to_owned(), pick(random, &waits).to_owned()));
    }
    Answer::Http { status, headers, body: pick(random, &bodies).into_bytes() }
}

pub(crate) fn redirect(random: &mut Random) -> Answer {
    let status = pick(random, &[300, 301, 302, 303, 307, 308, 304, 399]);
    let long = format!("https://example.org/{}", "a".repeat(5000));
    let with_key = format!("https://example.org/?key={KEY}");
    let places = [
        "",
        "/v1/chat/completions",
        "/v1/messages",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]:1/",
        "//x",
        "file:///etc/passwd",
        "https://example.org/",
        "http://127.0.0.1:1/",
        "\u{7f}",
        ":::",
        &with_key,
        &long,
    ];
    let headers = match random.below(8) {
        0 => Vec::new(),
        _ => vec![("location".to_owned(), pick(random, &places).to_owned())],
    };
    Answer::Http { status, headers, body: Vec::new() }
}

pub(crate) fn not_http(random: &mut Random) -> Vec<u8> {
    let texts: [&[u8]; 17] = [
        b"",
        b"\0\0\0\0\0\0\0\0",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"ICY 200 OK\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 99999 X\r\n\r\n",
        b"HTTP/1.1 -1 X\r\n\r\n",
        b"HTTP/1.1 099 X\r\n\r\n",
        b"HTTP/1.1",
        b"\x15\x03\x01\x00\x02\x02\x16",
        b"HTTP/1.1 200 OK\r\n: empty\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nna me: 1\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nx: \x00\r\n\r\n{}",
        b"HTTP/1.1 200 \xff\xfe\r\nx: \xff\r\n\r\n{}",
        b"HTTP/1.1 200 OK\n\n{}",
        b"HTTP/1.0 200 OK\r\n\r\n",
    ];
    match random.below(3) {
        0 => garbage(random),
        _ => pick(random, &texts).to_vec(),
    }
}

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

pub(crate) fn ok(headers: &str, body: Vec<u8>) -> Answer {
    let head = format!("HTTP/1.1 200 OK\r\n{headers}content-length: {}\r\n\r\n", body.len());
    Answer::Raw([head.into_bytes(), body].concat())
}

pub(crate) fn endless(start: &str, piece: &str) -> Answer {
    Answer::Endless { start: start.as_bytes().to_vec(), piece: piece.as_bytes().to_vec() }
}

fn repeated(start: &str, piece: &str, times: usize) -> Answer {
    Answer::Repeated { start: start.as_bytes().to_vec(), piece: piece.as_bytes().to_vec(), times }
}
