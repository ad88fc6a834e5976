//! What a recall gives back.

use super::problem::RecallProblem;
use super::settings::RecallSettings;
use crate::noun::hit::WordView;
use crate::noun::item::ItemView;
use crate::noun::memory::MemoryEntry;
use crate::noun::method::ModelProblem;
use crate::noun::rerank::{JudgeConfidence, RerankView};
use crate::noun::staged::{StagedEvidence, StagedReport};
use recordar_domain::{ItemKind, Trace};
use recordar_index::Evidence;
use schemars::JsonSchema;
use serde::Serialize;

/// A recalled context: the payload of the policy, the text for a system prompt, and the reasons behind them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecallResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub memories: Vec<MemoryEntry>,
    pub metadata: RecallMetadata,
    /// For a system prompt; empty if there are no memories.
    pub text: String,
    /// The candidates, best first, with the parts of each score.
    pub candidates: Vec<CandidateView>,
    /// What a staged recall was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staged: Option<StagedReport>,
    /// The condition that prevented a search: `use_memory` or `session_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    /// Why memories could not be recalled, and how that was handled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<RecallProblem>,
    /// How sure the reranker is that any of the candidates answers the question.
    pub confidence: JudgeConfidence,
    /// Why the configured model did not rerank the candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_problem: Option<ModelProblem>,
    /// The receipt's id, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub trace: Trace,
    /// Measured, so it differs between calls.
    pub timing: RecallTiming,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecallMetadata {
    /// Before filtering.
    pub total_results: usize,
    /// After filtering.
    pub included_results: usize,
    /// Tokens of the memories' contents.
    pub total_tokens: usize,
    /// Tokens of the whole text, including headings and names.
    pub text_tokens: usize,
    pub applied_filters: Vec<&'static str>,
    pub config: RecallSettings,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct RecallTiming {
    /// Total time in milliseconds.
    pub query_time: f64,
    /// Everything after the search: loading, choosing, clipping, composing.
    pub processing_time: f64,
    /// Reranking, which is part of `processing_time`; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_ms: Option<f64>,
    pub cached: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CandidateView {
    pub space: String,
    pub item_id: i64,
    pub rank: usize,
    pub score: f64,
    pub parts: Evidence,
    pub words: Vec<WordView>,
    pub cosine: f64,
    /// What reranking did with it; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankView>,
    /// The parts of the score of a staged recall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staged: Option<StagedEvidence>,
}

impl CandidateView {
    /// Of an item that no search found.
    pub fn not_searched_for(item: &ItemView, score: f64) -> Self {
        Self {
            space: item.space.clone(),
            item_id: item.item_id,
            rank: 0,
            score,
            parts: Evidence::default(),
            words: Vec::new(),
            cosine: 0.0,
            rerank: None,
            staged: None,
        }
    }
}

impl RecallResult {
    /// How many memories are there only because the conversation is small. Chunks that continue others are not among them.
    pub fn not_found(&self) -> usize {
        self.memories.iter().filter(|memory| memory.score <= 0.0 && memory.kind != ItemKind::Chunk).count()
    }

    /// Its approximate size in memory.
    pub fn size(&self) -> usize {
        const DECISION: usize = 200;
        const CANDIDATE: usize = 400;
        let decisions: usize = self.trace.stages.iter().map(|stage| stage.decisions.len()).sum();
        let contents: usize =
            self.memories.iter().map(|memory| 400 + memory.content.len() + memory.stored.size()).sum();
        self.query.len() + self.text.len() + contents + decisions * DECISION + self.candidates.len() * CANDIDATE
    }
}
