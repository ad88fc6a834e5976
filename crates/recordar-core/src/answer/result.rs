//! An answer, who made it, and from which texts.

use crate::config::Route;
use crate::noun::fact::FactView;
use crate::noun::item::ItemView;
use crate::noun::memory::MemoryEntry;
use crate::noun::method::{Method, ModelProblem};
use crate::noun::path::DroppedPath;
use crate::noun::rerank::JudgeConfidence;
use recordar_domain::{Timestamp, Trace};
use recordar_llm::{CallReport, Estimate};
use schemars::JsonSchema;
use serde::Serialize;

/// An answer, who made it, and from which texts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AskResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub route: Route,
    /// Empty if nothing was found, and in a dry run.
    pub answer: String,
    /// `model`; `built_in` if the answer is quoted from stored text or says what it states, by rules; `nothing` if there was nothing to answer from. In a dry
    /// run, who would answer.
    pub method: Method,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the configured model did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    /// How sure the reranker is that any of the candidates answers the question.
    pub confidence: JudgeConfidence,
    /// Why the configured model did not rerank the candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_problem: Option<ModelProblem>,
    pub citations: Vec<Citation>,
    /// What the answer quotes or rests on, the best first. Empty if a model wrote it.
    pub excerpts: Vec<Excerpt>,
    /// Whether the excerpts are only the closest passages, because the reranker doubts that the first one answers. False if nothing was judged, and
    /// for models from folders.
    pub unsure: bool,
    /// Where the closest items are from, if nothing stored answers, numbered from 1.
    pub nearest: Vec<Citation>,
    /// What the cited passages state that holds, and since when.
    pub facts: Vec<FactView>,
    /// The memories the answer was made from, numbered from 1 in this order.
    pub memories: Vec<MemoryEntry>,
    /// The chunks the answer was made from (route `tree`), numbered from 1 in this order.
    pub used_chunks: Vec<UsedChunk>,
    /// Paths of the tree that were found but not used.
    pub dropped_paths: Vec<DroppedPath>,
    /// Every call of the model, including failed ones.
    pub responses: Vec<CallReport>,
    /// The estimated cost, in a dry run with a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The receipt's id, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub trace: Trace,
    /// Total time in milliseconds. Measured, so it differs between calls.
    pub total_latency: f64,
    /// Reranking, which is part of it; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_ms: Option<f64>,
    /// Whether an administrator asked for unredacted text while redaction is on.
    #[serde(skip)]
    pub is_exact: bool,
}

/// A chunk that was included in the final prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UsedChunk {
    pub chunk_id: i64,
    pub category_path: Vec<String>,
    pub document: String,
    /// Whether it was replaced by a summary.
    pub summarized: bool,
}

/// A part of a cited passage, as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Excerpt {
    /// The number of its citation.
    pub number: usize,
    pub text: String,
    /// The sentence in the text that says most about the question.
    pub sentence: String,
    /// How relevant the reranker finds the passage, from 0 to 1. Absent if it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// A passage that supports the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Citation {
    /// Its number among the memories, from 1.
    pub number: usize,
    pub collection: String,
    pub item_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The document's path relative to the folder that was ingested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_name: Option<String>,
    /// The section of the cited passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// When it was said. Absent for documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Timestamp>,
}

impl Citation {
    /// Of an item that is shown or found, under its heading.
    pub fn of(number: usize, item: &ItemView, section: Option<&str>) -> Self {
        let said = item.source().is_none();
        Self {
            number,
            collection: item.space.clone(),
            item_id: item.item_id,
            document: item.document.clone(),
            document_name: item.document_name.clone(),
            section: section.map(str::to_owned),
            speaker: if said { item.speaker.clone().or_else(|| item.role.clone()) } else { None },
            time: said.then_some(item.occurred_at),
        }
    }
}

impl AskResult {
    pub fn new(query: &str, spaces: Vec<String>, route: Route) -> Self {
        Self {
            query: query.to_owned(),
            spaces,
            route,
            answer: String::new(),
            method: Method::Nothing,
            model: None,
            model_problem: None,
            confidence: JudgeConfidence::default(),
            rerank_problem: None,
            citations: Vec::new(),
            excerpts: Vec::new(),
            unsure: false,
            nearest: Vec::new(),
            facts: Vec::new(),
            memories: Vec::new(),
            used_chunks: Vec::new(),
            dropped_paths: Vec::new(),
            responses: Vec::new(),
            estimate: None,
            receipt: None,
            trace: Trace::default(),
            total_latency: 0.0,
            rerank_ms: None,
            is_exact: false,
        }
    }
}
