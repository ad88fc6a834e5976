//! The server as a client sees it: lines of JSON in, lines of JSON out. The official client tries it in
//! `crates/recordar-python/tests/test_mcp.py`.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod replies;
mod resources;
mod schemas;
mod sessions;

use recordar::{Config, Recordar, SpaceName, system_clock};
use recordar_mcp::{Settings, serve_on};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A memory of its own, and servers on it.
pub(crate) struct Desk {
    engine: Recordar,
    pub(crate) settings: Settings,
    _folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let toml = "database.url = \"sqlite:memory.db\"\nreceipts.enabled = true\n";
        let config = Config::from_toml(toml, folder.path()).unwrap();
        let engine = Recordar::open(config, system_clock()).unwrap();
        Self { engine, settings: settings("user:ada"), _folder: folder }
    }

    /// A server from its start to its end, on these lines.
    pub(crate) fn says(&self, lines: &[String]) -> Vec<Value> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let said = runtime.block_on(async {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let (reading, writing) = tokio::io::split(theirs);
            let (mut listening, mut speaking) = tokio::io::split(ours);
            let server = tokio::spawn(serve_on(self.engine.clone(), self.settings.clone(), reading, writing));
            let speaker = tokio::spawn(async move {
                speaking.write_all(input.as_bytes()).await.unwrap();
                speaking.shutdown().await.unwrap();
            });
            let mut said = String::new();
            listening.read_to_string(&mut said).await.unwrap();
            speaker.await.unwrap();
            server.await.unwrap().unwrap();
            said
        });
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The answer to one request.
    pub(crate) fn asks(&self, method: &str, params: Value) -> Value {
        let lines = [initialize(), request(1, method, params)];
        self.says(&lines).into_iter().find(|answer| answer["id"] == 1).unwrap()
    }

    pub(crate) fn calls(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.asks("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// What a call that succeeds shows as JSON.
    pub(crate) fn gets(&self, tool: &str, arguments: Value) -> Value {
        let result = self.calls(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    pub(crate) fn text(&self, tool: &str, arguments: Value) -> String {
        self.calls(tool, arguments)["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn settings(space: &str) -> Settings {
    Settings { space: SpaceName::parse(space).unwrap(), also: Vec::new(), read_only: false }
}

pub(crate) fn request(id: i64, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(crate) fn initialize() -> String {
    let client = json!({"name": "test", "version": "1"});
    request(0, "initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}))
}
