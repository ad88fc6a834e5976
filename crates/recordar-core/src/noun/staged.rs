//! Staged recalls: where a memory was found, and what its score is made of.

use super::method::{Method, ModelProblem};
use recordar_domain::Intent;
use recordar_llm::CallReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The stage that found a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageSource {
    CurrentThread,
    CrossThread,
    /// Preferences, and what is important in the long term.
    Expansion,
}

impl StageSource {
    pub const ALL: [Self; 3] = [Self::CurrentThread, Self::CrossThread, Self::Expansion];

    pub fn name(self) -> &'static str {
        match self {
            Self::CurrentThread => "current_thread",
            Self::CrossThread => "cross_thread",
            Self::Expansion => "expansion",
        }
    }
}

/// What a staged context says of a memory besides its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StagedPlace {
    pub source: StageSource,
    /// The title of its thread.
    pub thread_title: Option<String>,
    /// Whether it is shown as a preference.
    pub is_preference: bool,
}

/// The parts of a score from 0 to 100.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StagedEvidence {
    pub source: StageSource,
    /// The stage's own score, by which it chose; the third stage has none.
    pub relevance: f64,
    /// Up to 30 for topics, 25 for entities, 20 for recency, 15 for importance.
    pub topics: f64,
    pub entities: f64,
    pub recency: f64,
    pub importance: f64,
    /// Factors for the stage and for the tier.
    pub source_boost: f64,
    pub tier_boost: f64,
    /// Their sum times the factors, at most 100.
    pub score: f64,
    /// How often it was used before.
    pub uses: u32,
}

/// What a staged recall was made of.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StagedReport {
    /// What the question asks for.
    pub intent: Intent,
    /// Who read the question.
    pub method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    /// Calls of the model, including failed ones.
    pub responses: Vec<CallReport>,
    /// The revision in each space at which uses were counted last; 0 if never.
    pub uses_at: Vec<i64>,
}
