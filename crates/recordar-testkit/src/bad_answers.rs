//! Responses that no language model should give, generated from a seed, for every wire format. `key` must not be shown again.

use crate::model_server::Answer;
use crate::random::Random;
use serde_json::json;

/// One of several.
pub fn pick<T: Clone>(random: &mut Random, choices: &[T]) -> T {
    choices[random.below(choices.len())].clone()
}

/// A body that is not JSON, and may not be text.
pub fn garbage(random: &mut Random) -> Vec<u8> {
    let text: &[u8] = match random.below(7) {
        0 => b"<!doctype html><html><title>502</title><body>Bad <b>Gateway</b></body></html>",
        1 => b"\xff\xfe{\x00\"\x00",
        2 => b"data: \xf0\x28\x8c\x28\n\ndata: {\"choices\": \xff}\n\n",
        3 => b"\0\0\0\0",
        4 => b"{\"choices\":[{\"message\":{\"content\":\"\xff\xc0\"}}]}",
        5 => b"event: error\ndata: {\"error\": {\"message\": \"\\u001b[31m\"}}\n\n",
        _ => return (0..random.below(5000)).map(|_| random.below(256) as u8).collect(),
    };
    text.to_vec()
}

/// JSON or events that no provider sends.
pub fn wrong_shape(random: &mut Random) -> Vec<u8> {
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let deeper = format!("{{\"error\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let shapes = [
        "[]",
        "null",
        "1e999",
        "\"text\"",
        "{}",
        "{\"choices\":[]}",
        "{\"choices\":{}}",
        "{\"choices\":[null]}",
        "{\"choices\":[{\"message\":[]}]}",
        "{\"choices\":[{\"message\":{\"tool_calls\":[1,{},null]}}]}",
        "{\"content\":{}}",
        "{\"content\":[1,null,{\"type\":\"tool_use\"}]}",
        "{\"content\":[],\"stop_reason\":7}",
        "{\"candidates\":[[]]}",
        "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":1},{\"functionCall\":{}}]}}]}",
        "{\"usageMetadata\":1}",
        "{\"promptFeedback\":{\"blockReason\":\"\\u001b[31m\"}}",
        "{\"error\":{}}",
        "{\"error\":[[[]]]}",
        "[{\"error\":{\"message\":\"\\u0007\"}}]",
        "{\"error\":null,\"message\":1}",
        &deep,
        &deeper,
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"args\":{\"a\":\"long\"}}},{\"functionCall\":{}}]}}]}\n\n\
         data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"args\":1}}]},\"finishReason\":\"STOP\"}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":18446744073709551615}]},\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\"}}\n\ndata: [DONE]\n\n",
        "data: {\"choices\":1}\n\ndata: {\"type\":[]}\n\ndata: []\n\ndata: null\n\n",
        "data:data:data:\n\n\n\n\r\r\n",
        "{\n\n",
        " {\"choices\":[{\"message\":{\"content\":\"{}\"}}]}",
    ];
    pick(random, &shapes).as_bytes().to_vec()
}

/// A refusal of any kind, which may echo the key.
pub fn status(random: &mut Random, key: &str) -> Answer {
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
        key,
    ];
    let echoed = json!({"error": {"message": format!("wrong key {key}, \u{1b}[31m{key}")}}).to_string();
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
        json!({"message": key.repeat(1000)}).to_string(),
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

/// A redirect that must not be followed, also with the key.
pub fn redirect(random: &mut Random, key: &str) -> Answer {
    let status = pick(random, &[300, 301, 302, 303, 307, 308, 304, 399]);
    let long = format!("https://example.org/{}", "a".repeat(5000));
    let with_key = format!("https://example.org/?key={key}");
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

/// Not a response at all, or one with an invalid head.
pub fn not_http(random: &mut Random) -> Vec<u8> {
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

/// A well-formed response with any bytes.
pub fn ok(headers: &str, body: Vec<u8>) -> Answer {
    let head = format!("HTTP/1.1 200 OK\r\n{headers}content-length: {}\r\n\r\n", body.len());
    Answer::Raw([head.into_bytes(), body].concat())
}
