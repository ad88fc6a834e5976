//! The server as a client sees it: lines of JSON in, lines of JSON out. The official client tries it in
//! `crates/recordar-python/tests/test_mcp.py`.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod forging;
mod malformed;
mod replies;
mod resources;
mod schemas;
mod sessions;

use recordar::{Config, Recordar, SpaceName, system_clock};
use recordar_mcp::{Settings, serve_on};
use serde_json::{Value, json};
use std::cell::OnceCell;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A memory of its own, and servers on it.
pub(crate) struct Desk {
    engine: Recordar,
    pub(crate) settings: Settings,
    tools: OnceCell<Value>,
    _folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let toml = "database.url = \"sqlite:memory.db\"\nreceipts.enabled = true\n";
        let config = Config::from_toml(toml, folder.path()).unwrap();
        let engine = Recordar::open(config, system_clock()).unwrap();
        Self { engine, settings: settings("user:ada"), tools: OnceCell::new(), _folder: folder }
    }

    /// A server from its start to its end, on these lines.
    pub(crate) fn says(&self, lines: &[String]) -> Vec<Value> {
        self.answers(lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes())
    }

    /// The same on any bytes.
    pub(crate) fn answers(&self, input: Vec<u8>) -> Vec<Value> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let said = runtime.block_on(async {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let (reading, writing) = tokio::io::split(theirs);
            let (mut listening, mut speaking) = tokio::io::split(ours);
            let server = tokio::spawn(serve_on(self.engine.clone(), self.settings.clone(), reading, writing));
            let speaker = tokio::spawn(async move {
                speaking.write_all(&input).await.unwrap();
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
        self.check_shape(tool, &answer["result"]["structuredContent"]);
        answer["result"].clone()
    }

    /// Every reply is what its definition says, whatever was asked and whatever became of it.
    fn check_shape(&self, tool: &str, shown: &Value) {
        let tools = self.tools.get_or_init(|| self.asks("tools/list", json!({}))["result"]["tools"].clone());
        let Some(tool) = tools.as_array().unwrap().iter().find(|listed| listed["name"] == tool) else { return };
        for (name, schema) in tool["outputSchema"]["properties"].as_object().unwrap() {
            let is_right = match (schema["type"].as_str().unwrap(), &shown[name]) {
                (_, Value::Null) | ("array", Value::Array(_)) | ("object", Value::Object(_)) => true,
                ("string", Value::String(_)) | ("boolean", Value::Bool(_)) => true,
                ("integer", Value::Number(number)) => !number.is_f64(),
                _ => false,
            };
            assert!(is_right, "{}.{name} is {}", tool["name"], shown[name]);
        }
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
    Settings { space: SpaceName::parse(space).unwrap(), also: Vec::new(), read_only: false, account: None, stop: None }
}

pub(crate) fn request(id: i64, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(crate) fn initialize() -> String {
    let client = json!({"name": "test", "version": "1"});
    request(0, "initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}))
}
