//! Recorded replies, keyed by the digest of the request: for tests, for receipts, and for replay without a network.

use crate::error::{Error, ErrorKind, Failure};
use crate::limits::lock;
use crate::model::{Call, ChatModel, ModelSettings, request_digest};
use crate::request::{Completion, Request};
use recordar_domain::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Mutex;

const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// The digest of a request and the reply to it: a line of a cassette. Neither contains a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    pub request_sha256: Digest,
    #[serde(flatten)]
    pub completion: Completion,
}

/// A model that replays recorded replies. When recording, it calls the model for new requests.
pub struct Recorded {
    settings: ModelSettings,
    known: Mutex<BTreeMap<Digest, Completion>>,
    recording: Option<(Box<dyn ChatModel>, Mutex<File>)>,
}

impl Recorded {
    /// Replays the given replies only.
    pub fn replay(settings: ModelSettings, exchanges: Vec<Exchange>) -> Self {
        Self { settings, known: Mutex::new(by_digest(exchanges)), recording: None }
    }

    pub fn replay_file(settings: ModelSettings, path: &Path) -> Result<Self, Error> {
        Ok(Self::replay(settings, read(path)?))
    }

    /// Replays the replies in the file, and adds the model's replies to new requests.
    pub fn record(model: Box<dyn ChatModel>, path: &Path) -> Result<Self, Error> {
        drop_unfinished_line(path).map_err(|error| unusable(path, &error.to_string()))?;
        let known = if path.exists() { by_digest(read(path)?) } else { BTreeMap::new() };
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| unusable(path, &error.to_string()))?;
        let settings = model.settings().clone();
        Ok(Self { settings, known: Mutex::new(known), recording: Some((model, Mutex::new(file))) })
    }

    /// The first reply to a request is kept, in the file as in memory: of two concurrent ones, only one is.
    fn keep(&self, exchange: Exchange, file: &Mutex<File>) -> std::io::Result<()> {
        let mut file = lock(file);
        if lock(&self.known).contains_key(&exchange.request_sha256) {
            return Ok(());
        }
        let line = serde_json::to_string(&exchange)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        lock(&self.known).insert(exchange.request_sha256, exchange.completion);
        Ok(())
    }
}

impl ChatModel for Recorded {
    fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    fn complete(&self, request: &Request, call: &mut Call<'_>) -> Result<Completion, Failure> {
        let digest = request_digest(&self.settings, request);
        let Some((model, file)) = &self.recording else {
            let what = format!("the cassette has no reply to request {digest}");
            let remedy = "record it first, with llm.cassette = \"record:PATH\" and access to the model";
            return Err(Failure::fatal(ErrorKind::Unrecorded, what, remedy));
        };
        let completion = model.complete(request, call)?;
        let exchange = Exchange { request_sha256: digest, completion: completion.clone() };
        self.keep(exchange, file).map_err(|error| {
            let what = format!("the reply cannot be recorded: {error}");
            Failure::fatal(ErrorKind::Invalid, what, "check the path and the free disk space").may_cost()
        })?;
        Ok(completion)
    }

    fn most_prompt_tokens(&self, request: &Request) -> u64 {
        self.recording.as_ref().map_or(0, |(model, _)| model.most_prompt_tokens(request))
    }

    fn recorded(&self, request_sha256: Digest) -> Option<Completion> {
        lock(&self.known).get(&request_sha256).cloned()
    }
}

/// The first reply to a request is kept.
fn by_digest(exchanges: Vec<Exchange>) -> BTreeMap<Digest, Completion> {
    let mut known = BTreeMap::new();
    for Exchange { request_sha256, completion } in exchanges {
        known.entry(request_sha256).or_insert(completion);
    }
    known
}

/// A recording that ends in a partial line continues after the last complete one.
fn drop_unfinished_line(path: &Path) -> std::io::Result<()> {
    let Ok(text) = std::fs::read(path) else { return Ok(()) };
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if whole < text.len() {
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Exchange>, Error> {
    let file = File::open(path).map_err(|error| unusable(path, &error.to_string()))?;
    if file.metadata().is_ok_and(|metadata| metadata.len() > MAX_FILE_BYTES) {
        return Err(unusable(path, &format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20)));
    }
    let mut exchanges = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file.take(MAX_FILE_BYTES)).split(b'\n')) {
        let line = line.map_err(|error| unusable(path, &error.to_string()))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let exchange = serde_json::from_slice(&line).map_err(|error| {
            // Each line is parsed on its own, so the error says line 1.
            let why = error.to_string().replace(" at line 1 column ", " at column ");
            unusable(path, &format!("line {number}: {why}"))
        })?;
        exchanges.push(exchange);
    }
    Ok(exchanges)
}

fn unusable(path: &Path, why: &str) -> Error {
    let what = format!("the cassette {} cannot be used: {why}", path.display());
    Error::new(ErrorKind::Invalid, what, "check llm.cassette, or record a new one")
}
