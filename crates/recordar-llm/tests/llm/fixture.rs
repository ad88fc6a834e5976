//! What the tests share: a client of a server on loopback.

use recordar_domain::Timestamp;
use recordar_llm::{
    Ceilings, Client, ClientSettings, Clock, Ledger, MemoryLedger, Operation, Output, Parameters, Remote,
    RemoteOptions, Request, Schema, Secret, Structured, Table, Turn,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(crate) const KEY: &str = "sk-test-0123456789abcdef";

/// A request that chooses from a closed set.
pub(crate) fn request() -> Request {
    let schema = json!({"type": "object", "required": ["category", "id"], "additionalProperties": false, "properties": {
        "category": {"type": "string", "enum": ["Lamps", "Boats"]},
        "id": {"type": "integer", "minimum": 1, "maximum": 1},
    }});
    Request {
        system: "You sort notes into categories.".to_owned(),
        turns: vec![Turn::user("Chunk 1: the lamp needs oil.")],
        output: Output::Json(Schema {
            name: "classify".to_owned(),
            description: "The category of the chunk.".to_owned(),
            schema,
            held_to: None,
        }),
        max_output_tokens: 256,
    }
}

pub(crate) fn text_request() -> Request {
    Request { output: Output::Text, ..request() }
}

pub(crate) fn clock() -> Clock {
    Arc::new(|| Timestamp::from_micros(1_700_000_000_000_000))
}

pub(crate) fn options(url: &str, structured: Option<Structured>) -> RemoteOptions {
    RemoteOptions {
        base_url: Some(url.to_owned()),
        key: Some(Secret::new(KEY)),
        key_env: None,
        structured,
        parameters: Parameters { temperature: Some(0.0), seed: Some(7) },
        timeout: Duration::from_secs(20),
    }
}

pub(crate) fn remote(provider: &str, model: &str, options: RemoteOptions) -> Remote {
    let profile = Table::built_in().profile(provider, model).unwrap();
    Remote::new(profile, options).unwrap()
}

/// One attempt, so that a test sees each failure.
pub(crate) fn settings() -> ClientSettings {
    ClientSettings {
        retries: 0,
        retry_wait: Duration::from_millis(1),
        repairs: 0,
        concurrency: 16,
        patience: Duration::from_secs(600),
        ceilings: Ceilings::default(),
    }
}

pub(crate) fn client(remote: Remote, settings: ClientSettings) -> Client {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::default());
    Client::new(Box::new(remote), None, settings, ledger, clock()).unwrap()
}

pub(crate) fn operation(client: &Client) -> Operation {
    client.operation(recordar_domain::Cancel::default())
}

/// Looks again and again, for a bounded time.
pub(crate) fn eventually(mut holds: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        if holds() {
            return true;
        }
        std::thread::yield_now();
    }
    holds()
}

/// A folder of a test's own, which goes with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("llm-{}-{number}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
