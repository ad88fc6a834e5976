//! Messages of the Model Context Protocol, from a client that may send anything.

use crate::contract::{assert_told, choice};
use crate::desk::with_engine;
use recordar::SpaceName;
use recordar::call::Effect;
use recordar::verb::VERBS;
use recordar_mcp::{Settings, serve_on};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The id of a last request.
const LAST: &str = "the-last-one";

/// A session on these lines. Everything that comes back is JSON-RPC, and every request is answered.
pub(crate) fn mcp(input: &[u8]) {
    let (chosen, lines) = choice(input);
    let is_initialized = chosen & 1 == 0;
    let last = json!({"jsonrpc": "2.0", "id": LAST, "method": "ping"});
    let mut said = Vec::new();
    if is_initialized {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}});
        let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        said.extend_from_slice(format!("{first}\n").as_bytes());
    }
    said.extend_from_slice(lines);
    said.extend_from_slice(format!("\n{last}\n").as_bytes());
    let settings = Settings {
        space: SpaceName::user("keeper").unwrap_or_else(|refused| panic!("{refused}")),
        also: Vec::new(),
        read_only: chosen & 2 != 0,
        account: None,
        stop: None,
    };
    let heard = with_engine(|desk| {
        let heard = session(desk.engine.clone(), settings, said);
        if writes(lines) {
            desk.clear();
        }
        heard
    });
    let answers: Vec<Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert!(answers.iter().all(|answer| answer["jsonrpc"] == "2.0"), "{heard}");
    assert!(!heard.contains("a bug in Recordar"), "{heard}");
    // A client may cancel its requests; those get no reply.
    let is_cancelled = lines.windows(CANCELLED.len()).any(|window| window == CANCELLED);
    if is_initialized && !is_cancelled {
        for id in requests(lines).chain([json!(LAST)]) {
            assert!(answers.iter().any(|answer| answer["id"] == id), "{id} has no answer: {heard}");
        }
    }
}

const CANCELLED: &[u8] = b"ancelled";

/// The ids of the lines that ask for something.
fn requests(lines: &[u8]) -> impl Iterator<Item = Value> {
    let lines = lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let asks =
        |line: &Value| line.get("method").is_some() && line.get("result").is_none() && line.get("error").is_none();
    lines.filter(asks).filter_map(|line| line.get("id").cloned())
}

fn session(engine: recordar::Recordar, settings: Settings, said: Vec<u8>) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.unwrap_or_else(|error| panic!("{error}"));
    runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (reading, writing) = tokio::io::split(theirs);
        let (mut listening, mut speaking) = tokio::io::split(ours);
        let server = tokio::spawn(serve_on(engine, settings, reading, writing));
        let speaker = tokio::spawn(async move {
            // The server may hang up before it has heard everything.
            let _ = speaking.write_all(&said).await;
            let _ = speaking.shutdown().await;
        });
        let mut heard = String::new();
        let listened = tokio::time::timeout(Duration::from_secs(20), listening.read_to_string(&mut heard)).await;
        assert!(matches!(listened, Ok(Ok(_))), "the session does not end, or its output is not UTF-8: {heard}");
        speaker.abort();
        match server.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => assert_told(&error.to_string(), &error.remedy()),
            Err(error) => panic!("the server failed: {error}"),
        }
        heard
    })
}

/// Whether the lines may have changed stored data.
fn writes(lines: &[u8]) -> bool {
    let names = VERBS.iter().filter(|verb| verb.effect != Effect::Reads).map(|verb| verb.name.as_bytes());
    // An escaped name counts, too.
    lines.contains(&b'\\') || names.into_iter().any(|name| lines.windows(name.len()).any(|window| window == name))
}
