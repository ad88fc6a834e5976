//! What a model is for.

/// What a model was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeKind {
    /// Ours: relevance and entailment.
    Judge,
    Reranker,
    Entailment,
    Embedder,
}

impl JudgeKind {
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Judge => "a judge",
            Self::Reranker => "a reranker",
            Self::Entailment => "an entailment model",
            Self::Embedder => "an embedder",
        }
    }
}
