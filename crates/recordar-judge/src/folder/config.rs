//! What a folder's configuration says: what the model is for, what its outputs mean, and how much it reads.

use crate::error::{FETCH_AGAIN, JudgeError};
use crate::kind::JudgeKind;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What most models have, where config.json does not say.
const USUAL_POSITIONS: usize = 512;
const MAX_POSITIONS: usize = 1 << 14;
const FAMILIES: [&str; 9] =
    ["bert", "deberta", "deberta-v2", "distilbert", "electra", "mpnet", "nomic_bert", "roberta", "xlm-roberta"];

pub(super) struct Config {
    pub(super) kind: JudgeKind,
    /// The number of logits.
    pub(super) outputs: usize,
    /// Where the logits of entailment, neither, and contradiction are.
    pub(super) labels: [usize; 3],
    pub(super) pooling: Pooling,
    pub(super) positions: usize,
    pub(super) vocabulary: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    First,
}

#[derive(Deserialize)]
struct ConfigFile {
    model_type: Option<String>,
    #[serde(default)]
    architectures: Vec<String>,
    #[serde(default)]
    id2label: BTreeMap<String, String>,
    max_position_embeddings: Option<i64>,
    vocab_size: Option<usize>,
}

#[derive(Deserialize)]
struct PoolingFile {
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
}

impl Config {
    pub(super) fn read(
        bytes: &[u8],
        path: &Path,
        pooling: Option<&[u8]>,
        pooling_path: &Path,
    ) -> Result<Self, JudgeError> {
        let file: ConfigFile = parse(bytes, path)?;
        let family = file.model_type.as_deref().unwrap_or_default();
        if !FAMILIES.contains(&family) {
            let problem = format!("model_type is {family:?}, which is not supported");
            return Err(JudgeError::file(
                path,
                problem,
                format!("use a model of one of these: {}", FAMILIES.join(", ")),
            ));
        }
        let classifies = file.architectures.iter().any(|name| name.ends_with("ForSequenceClassification"));
        let (kind, outputs, labels) = match file.id2label.len() {
            _ if !classifies => (JudgeKind::Embedder, 0, [0; 3]),
            0 | 1 => (JudgeKind::Reranker, 1, [0; 3]),
            3 => (JudgeKind::Entailment, 3, labels(&file.id2label, path)?),
            other => {
                let problem = format!("it names {other} labels");
                return Err(JudgeError::file(
                    path,
                    problem,
                    "use a reranker (1 label) or an entailment model (3 labels)",
                ));
            }
        };
        let pooling = pooling.map_or(Ok(Pooling::Mean), |bytes| read_pooling(bytes, pooling_path))?;
        let positions = match file.max_position_embeddings {
            // RoBERTa's positions begin at 2.
            Some(positions) if positions > 8 => positions as usize - if family.contains("roberta") { 2 } else { 0 },
            None => USUAL_POSITIONS,
            Some(other) => {
                let problem = format!("max_position_embeddings is {other}");
                return Err(JudgeError::file(path, problem, FETCH_AGAIN));
            }
        };
        let vocabulary = file.vocab_size.unwrap_or(usize::MAX);
        Ok(Self { kind, outputs, labels, pooling, positions: positions.min(MAX_POSITIONS), vocabulary })
    }
}

/// Where each class is among the labels. Their order differs between models.
fn labels(names: &BTreeMap<String, String>, path: &Path) -> Result<[usize; 3], JudgeError> {
    let place = |word: &str| {
        let mut found = names.iter().filter(|(_, name)| name.to_lowercase().contains(word));
        let place = found.next().and_then(|(place, _)| place.parse().ok()).filter(|place| *place < 3);
        place.filter(|_| found.next().is_none())
    };
    match (place("entail"), place("neutral"), place("contra")) {
        (Some(entailed), Some(neutral), Some(contradicted)) => Ok([entailed, neutral, contradicted]),
        _ => {
            let problem = "id2label does not name entailment, neutral and contradiction";
            Err(JudgeError::file(path, problem, "name the three labels in their order, as the model's card says"))
        }
    }
}

fn read_pooling(bytes: &[u8], path: &Path) -> Result<Pooling, JudgeError> {
    let file: PoolingFile = parse(bytes, path)?;
    match (file.pooling_mode_mean_tokens, file.pooling_mode_cls_token) {
        (true, false) => Ok(Pooling::Mean),
        (false, true) => Ok(Pooling::First),
        _ => {
            let problem = "it asks for a pooling that is not supported";
            Err(JudgeError::file(path, problem, "use a model with mean or first-token (CLS) pooling"))
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8], path: &Path) -> Result<T, JudgeError> {
    serde_json::from_slice(bytes)
        .map_err(|error| JudgeError::file(path, format!("it is damaged ({error})"), FETCH_AGAIN))
}
