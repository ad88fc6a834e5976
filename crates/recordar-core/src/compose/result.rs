//! What a composition gives: the prompt, what it is made of, and why.

use crate::noun::method::ModelProblem;
use crate::noun::rerank::JudgeConfidence;
use recordar_compose::{CondensedContext, Shape};
use recordar_domain::{Digest, Timestamp, Trace};
use recordar_llm::{CallReport, Estimate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComposeResult {
    pub space: String,
    pub query: String,
    /// The finished prompt.
    pub prompt: String,
    pub tokens: usize,
    /// The tokenizer that counted them.
    pub tokenizer: &'static str,
    /// Its sections, in the order of their authority.
    pub sections: Vec<ComposedSection>,
    pub files: Vec<ComposedFile>,
    /// S_ctx: facts, constraints and open issues, with their sources.
    pub context: CondensedContext,
    pub history: Vec<ComposedMessage>,
    /// What A2 made of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// Why retrieval ran once more; absent if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerun: Option<&'static str>,
    /// Statements that contradict each other, and which one was used.
    pub conflicts: Vec<Conflict>,
    /// Sentences of stored text that are instructions to a model.
    pub flagged: Vec<FlaggedText>,
    /// How sure the reranker is that any of the chunks answers the question.
    pub confidence: JudgeConfidence,
    /// What sending it to the configured model costs at most; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The model's answer; absent if the prompt was not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Sent>,
    /// How many tokens, counted from the beginning, are the same as in the last composition that has a receipt; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_tokens: Option<usize>,
    /// The id of the receipt, if one was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// Every call of the agents; the answer's own are with it.
    pub responses: Vec<CallReport>,
    pub trace: Trace,
    /// In milliseconds.
    pub total_latency: f64,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Sent {
    pub answer: String,
    pub model: String,
    /// Why the first model did not answer, if this is the fallback model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    /// The numbers of the sources that it cites.
    pub citations: Vec<usize>,
    /// Numbers that it cites and that no source has.
    pub unknown_citations: Vec<usize>,
    /// Whether somebody edited the prompt before it was sent.
    pub edited: bool,
    /// Every call.
    pub responses: Vec<CallReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComposedSection {
    pub name: String,
    pub tokens: usize,
    #[schemars(with = "String")]
    pub sha256: Digest,
}

/// An injected file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComposedFile {
    pub document_id: i64,
    pub path: String,
    pub version: i64,
    #[schemars(with = "String")]
    pub sha256: Digest,
    /// False if it was packed and parts are left out.
    pub whole: bool,
    pub tokens: usize,
    pub lines: usize,
    pub lines_left_out: usize,
}

/// A message that the prompt shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComposedMessage {
    pub item_id: i64,
    /// `recent` (one of the last turns) or `earlier`.
    pub layer: &'static str,
    pub speaker: String,
    #[schemars(with = "String")]
    pub at: Timestamp,
    pub text: String,
    /// Whether it is a summary of old messages.
    pub summary: bool,
    /// Whether it is the reply of another system, stored by hand.
    pub external: bool,
}

/// Two statements that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Conflict {
    /// The one that is used: a file, an item.
    pub winner: String,
    pub winner_text: String,
    pub loser: String,
    pub loser_text: String,
    /// `file` (an injected file wins) or `newer`.
    pub rule: &'static str,
}

/// A sentence that is an instruction to a model. It is quoted as such, or left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FlaggedText {
    /// Where it stands: a file, an item.
    pub source: String,
    pub text: String,
}

/// What a composition would be now, beside what it was.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComposeDiff {
    pub receipt: String,
    pub made_at: Timestamp,
    pub query: String,
    /// Whether the prompt would be the same, byte for byte.
    pub identical: bool,
    pub tokens_then: usize,
    pub tokens_now: usize,
    pub changes: Vec<ComposeChange>,
    /// A unified diff of the prompts.
    pub diff: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComposeChange {
    pub section: String,
    /// `added`, `removed` or `changed`.
    pub change: &'static str,
    /// An item, a file, or how long the section is.
    pub what: String,
    pub why: String,
}
