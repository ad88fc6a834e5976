//! Models from a folder: an ONNX file with its tokenizer and its configuration, as they are published and exported.
//!
//! Each text or pair runs alone, on one thread, so that a result depends on nothing else. What the files say is checked when
//! the model is loaded, down to a first run: a model that loads can be used.
//!
//! The files come from anywhere. `rten` and `tokenizers` panic on some that were damaged or made so; such a panic is an error here.

mod config;
mod graph;
mod network;
mod onnx;
mod protobuf;
mod sizes;

use crate::error::{FETCH_AGAIN, JudgeError};
use crate::file::read_file;
use crate::kind::JudgeKind;
use crate::quiet::quietly;
use crate::window::{PASSAGE_TOKENS, QUESTION_TOKENS, best};
use crate::wordpiece::{Token, bytes_of};
use config::{Config, Pooling};
use network::Network;
pub(crate) use network::Thread as FolderSpace;
use onnx::Outline;
use sha2::{Digest as _, Sha256};
use sizes::Limits;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tokenizers::{EncodeInput, Encoding, Tokenizer};

const MAX_NETWORK_BYTES: u64 = 1 << 30;
const MAX_TOKENIZER_BYTES: u64 = 1 << 25;
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// Tokens of a text to embed. Attention's cost grows with their square.
const MAX_TEXT_TOKENS: usize = 512;
const WHERE: [&str; 2] = ["model.onnx", "onnx/model.onnx"];
/// `rten` visits the nodes of a network one within the other.
const STACK_BYTES: usize = 1 << 26;
/// How many times longer a tokenizer may make a text by what it puts into it.
const MAX_GROWTH: usize = 1 << 10;

pub(crate) struct FolderModel {
    name: String,
    hash: String,
    /// The size of its files.
    bytes: u64,
    config: Config,
    tokenizer: Tokenizer,
    network: Network,
}

/// A pair or a text, as the network takes it.
pub(super) struct Input {
    pub(super) ids: Vec<i32>,
    pub(super) types: Vec<i32>,
}

impl FolderModel {
    pub(crate) fn load(folder: &Path, expected_hash: Option<&str>) -> Result<Self, JudgeError> {
        let found = WHERE.iter().map(|place| folder.join(place)).find(|path| path.is_file());
        let remedy = "export the model to ONNX into this folder, with config.json and tokenizer.json beside it";
        let network_path = found.ok_or_else(|| JudgeError::file(&folder.join(WHERE[0]), "it is not there", remedy))?;
        let config_path = beside(folder, &network_path, "config.json")?;
        let tokenizer_path = beside(folder, &network_path, "tokenizer.json")?;
        let config_bytes = read_file(&config_path, MAX_CONFIG_BYTES)?;
        let pooling_path = folder.join("1_Pooling/config.json");
        let pooling_bytes =
            if pooling_path.is_file() { Some(read_file(&pooling_path, MAX_CONFIG_BYTES)?) } else { None };
        let tokenizer_bytes = read_file(&tokenizer_path, MAX_TOKENIZER_BYTES)?;
        let network_bytes = read_file(&network_path, MAX_NETWORK_BYTES)?;
        let parts: [&[u8]; 4] =
            [&network_bytes, &tokenizer_bytes, &config_bytes, pooling_bytes.as_deref().unwrap_or_default()];
        let (hash, bytes) = (hash(&parts), parts.iter().map(|part| part.len() as u64).sum());
        // Before anything is parsed: what was changed since it was added goes no further.
        if expected_hash.is_some_and(|expected| expected != hash) {
            let remedy = "copy the model again from where it came, or add it again if the change was meant";
            return Err(JudgeError::file(folder, "its files are not those that were added (another sha256)", remedy));
        }
        let config = Config::read(&config_bytes, &config_path, pooling_bytes.as_deref(), &pooling_path)?;
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let parse = || {
            let tokenizer = read_tokenizer(&tokenizer_bytes, &tokenizer_path)?;
            let network = Network::load(network_bytes, &network_path)?;
            let model = Self { name, hash, bytes, config, tokenizer, network };
            model.try_out(&network_path)?;
            Ok(model)
        };
        let failed =
            |problem: String| JudgeError::file(folder, format!("it cannot be loaded ({problem})"), FETCH_AGAIN);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("judge-load".to_owned()).stack_size(STACK_BYTES);
            let loading = thread.spawn_scoped(scope, || quietly(parse)).map_err(|error| failed(error.to_string()))?;
            loading.join().unwrap_or_else(|_| Err(String::new())).unwrap_or_else(|panic| Err(failed(panic)))
        })
    }

    /// Runs something that may panic.
    fn guarded<T>(&self, work: impl FnOnce() -> Result<T, JudgeError>) -> Result<T, JudgeError> {
        quietly(work).unwrap_or_else(|panic| Err(JudgeError::run(&self.name, format!("it cannot be run ({panic})"))))
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn kind(&self) -> JudgeKind {
        self.config.kind
    }

    /// A first run, so that a network that does not fit its configuration is noticed now.
    fn try_out(&self, path: &Path) -> Result<(), JudgeError> {
        let result = match self.config.kind {
            JudgeKind::Embedder => self.embed("a", &FolderSpace::default()).map(|_| ()),
            _ => self.logits("a", "b", self.config.outputs, &FolderSpace::default()).map(|_| ()),
        };
        result.map_err(|error| match error {
            JudgeError::Run { problem, .. } => JudgeError::file(
                path,
                problem,
                "check that the network, config.json and tokenizer.json belong together",
            ),
            other => other,
        })
    }

    /// The logit of a pair, the bytes of the passage that were read, and the number of tokens.
    pub(crate) fn relevance(
        &self,
        question: &str,
        passage: &str,
        thread: &FolderSpace,
    ) -> Result<(f32, Range<usize>, usize), JudgeError> {
        self.guarded(|| {
            let (question, bytes) = self.fitted(question, passage)?;
            let (logits, tokens) = self.logits(question, &passage[bytes.clone()], 1, thread)?;
            Ok((logits[0], bytes, tokens))
        })
    }

    /// The logits of entailment, neither, and contradiction, and the bytes of the premise that were read.
    pub(crate) fn entailment(
        &self,
        premise: &str,
        hypothesis: &str,
        thread: &FolderSpace,
    ) -> Result<([f32; 3], Range<usize>), JudgeError> {
        self.guarded(|| {
            let (hypothesis, bytes) = self.fitted(hypothesis, premise)?;
            let (logits, _) = self.logits(&premise[bytes.clone()], hypothesis, 3, thread)?;
            Ok((self.config.labels.map(|label| logits[label]), bytes))
        })
    }

    /// A vector of length 1.
    pub(crate) fn embed(&self, text: &str, thread: &FolderSpace) -> Result<Vec<f32>, JudgeError> {
        self.guarded(|| self.vector(text, thread))
    }

    fn vector(&self, text: &str, thread: &FolderSpace) -> Result<Vec<f32>, JudgeError> {
        let tokens = self.tokens(text, self.max_tokens(MAX_TEXT_TOKENS))?;
        let end = tokens.last().map_or(0, |token| token.bytes.end);
        let input = self.input(text[..end].into())?;
        let count = input.ids.len();
        let (hidden, width) =
            self.network.hidden(input, thread).map_err(|problem| JudgeError::run(&self.name, problem))?;
        let mut vector = vec![0.0_f64; width];
        let rows = match self.config.pooling {
            Pooling::First => 1,
            Pooling::Mean => count,
        };
        for row in hidden.chunks_exact(width).take(rows) {
            for (sum, number) in vector.iter_mut().zip(row) {
                *sum += f64::from(*number);
            }
        }
        let length = vector.iter().map(|number| number * number).sum::<f64>().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return Err(JudgeError::run(&self.name, "it gave a vector without a direction"));
        }
        Ok(vector.into_iter().map(|number| (number / length) as f32).collect())
    }

    /// The bytes of a passage that are read with a question.
    pub(crate) fn window(&self, question: &str, passage: &str) -> Result<Range<usize>, JudgeError> {
        self.guarded(|| Ok(self.fitted(question, passage)?.1))
    }

    /// The same, and the part of the question that is read.
    fn fitted<'a>(&self, question: &'a str, passage: &str) -> Result<(&'a str, Range<usize>), JudgeError> {
        let asked = self.tokens(question, self.max_tokens(QUESTION_TOKENS * 2) / 2)?;
        let question = &question[..asked.last().map_or(0, |token| token.bytes.end)];
        let limit = self.max_tokens(asked.len() + PASSAGE_TOKENS).saturating_sub(asked.len()).max(1);
        let tokens = self.tokens(passage, crate::window::MAX_PASSAGE_TOKENS)?;
        let window = &tokens[best(&asked, &tokens, passage, limit)];
        Ok((question, bytes_of(window)))
    }

    /// How many tokens of `wanted` the network takes, beside the special ones.
    fn max_tokens(&self, wanted: usize) -> usize {
        wanted.min(self.config.positions.saturating_sub(4)).max(4)
    }

    fn tokens(&self, text: &str, limit: usize) -> Result<Vec<Token>, JudgeError> {
        let encoding = self.encode(text.into(), false)?;
        let tokens = encoding.get_ids().iter().zip(encoding.get_offsets());
        // Pieces of one character, and a tokenizer's oddities, may have no bytes or odd ones.
        let in_text = tokens.filter(|(_, (start, end))| start < end && text.get(*start..*end).is_some());
        Ok(in_text.take(limit).map(|(id, (start, end))| Token { id: *id, bytes: *start..*end }).collect())
    }

    fn logits(
        &self,
        first: &str,
        second: &str,
        outputs: usize,
        thread: &FolderSpace,
    ) -> Result<(Vec<f32>, usize), JudgeError> {
        let input = self.input((first, second).into())?;
        let tokens = input.ids.len();
        let logits =
            self.network.logits(input, outputs, thread).map_err(|problem| JudgeError::run(&self.name, problem))?;
        Ok((logits, tokens))
    }

    fn input(&self, text: EncodeInput<'_>) -> Result<Input, JudgeError> {
        let encoding = self.encode(text, true)?;
        let mut ids: Vec<i32> = encoding.get_ids().iter().map(|id| i32::try_from(*id).unwrap_or(i32::MAX)).collect();
        let mut types: Vec<i32> = encoding.get_type_ids().iter().map(|id| i32::try_from(*id).unwrap_or(0)).collect();
        if let Some(id) = ids.iter().find(|id| **id as usize >= self.config.vocabulary) {
            let problem =
                format!("its tokenizer made the token {id}, and config.json says {} tokens", self.config.vocabulary);
            return Err(JudgeError::run(&self.name, problem));
        }
        // Joined texts may have a token or two more than they had apart.
        ids.truncate(self.config.positions);
        types.truncate(self.config.positions);
        Ok(Input { ids, types })
    }

    fn encode(&self, text: EncodeInput<'_>, special: bool) -> Result<Encoding, JudgeError> {
        let encoded = self.tokenizer.encode(text, special);
        encoded.map_err(|error| JudgeError::run(&self.name, format!("its tokenizer failed ({error})")))
    }
}

/// Loads a network and runs it on a few tokens, if it passes the checks and is small. Whether it can be run does not matter.
pub fn try_network(bytes: &[u8]) -> Result<(), JudgeError> {
    const TOKENS: usize = 7;
    let path = Path::new("network");
    let tried = quietly(|| {
        let outline = Outline::read(bytes).and_then(|outline| outline.check_within(TOKENS, Limits::SMALL));
        outline.map_err(|problem| JudgeError::file(path, problem, FETCH_AGAIN))?;
        let network = Network::load(bytes.to_vec(), path)?;
        let input = Input { ids: vec![1; TOKENS], types: vec![0; TOKENS] };
        network.hidden(input, &FolderSpace::default()).map_err(|problem| JudgeError::run("network", problem))
    });
    tried.unwrap_or_else(|panic| Err(JudgeError::run("network", panic))).map(drop)
}

/// A file of the folder, or of the network's folder.
fn beside(folder: &Path, network: &Path, name: &str) -> Result<PathBuf, JudgeError> {
    let places = [folder.join(name), network.with_file_name(name)];
    let found = places.iter().find(|path| path.is_file()).cloned();
    found.ok_or_else(|| JudgeError::file(&places[0], "it is not there", "copy it from where the model came"))
}

fn read_tokenizer(bytes: &[u8], path: &Path) -> Result<Tokenizer, JudgeError> {
    let damaged = |error: String| JudgeError::file(path, format!("it is not a tokenizer ({error})"), FETCH_AGAIN);
    let mut json: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    // We cut texts ourselves, every text runs alone, and tokens are never turned back into text.
    let growth = json.values().fold(1_usize, |all, part| all.saturating_mul(growth(part)));
    if growth > MAX_GROWTH {
        return Err(damaged(format!("it makes texts {growth} times as long")));
    }
    for unused in ["truncation", "padding", "decoder"] {
        json.insert(unused.to_owned(), serde_json::Value::Null);
    }
    let json = serde_json::to_vec(&json).map_err(|error| damaged(error.to_string()))?;
    Tokenizer::from_bytes(json).map_err(|error| damaged(error.to_string()))
}

/// How many times longer what a part of a tokenizer puts in can make a text.
fn growth(part: &serde_json::Value) -> usize {
    match part {
        serde_json::Value::Object(fields) => {
            let put_in =
                ["content", "prepend"].iter().filter_map(|name| fields.get(*name)?.as_str()).map(str::len).max();
            let is_changing = fields.get("type").is_some_and(|kind| kind == "Replace" || kind == "Prepend");
            let own = put_in.filter(|_| is_changing).unwrap_or(1).max(1);
            fields.values().fold(own, |all, part| all.saturating_mul(growth(part)))
        }
        serde_json::Value::Array(parts) => parts.iter().fold(1_usize, |all, part| all.saturating_mul(growth(part))),
        _ => 1,
    }
}

/// The sha256 of all files that make the results. Each part's length goes first, so that nothing can move between them.
fn hash(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
