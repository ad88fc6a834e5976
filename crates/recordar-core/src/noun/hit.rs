//! An item that a search found, with the parts of its score.

use super::item::ItemView;
use super::rerank::RerankView;
use recordar_index::Evidence;
use schemars::JsonSchema;
use serde::Serialize;

/// A hit, with the parts that the search's score is the sum of.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HitView {
    #[serde(flatten)]
    pub item: ItemView,
    /// The part of the text that matches best, on one line.
    pub snippet: String,
    pub score: f64,
    pub parts: Evidence,
    /// The contribution of each word of the question.
    pub words: Vec<WordView>,
    /// Cosine similarity of the item's vector and the question's.
    pub cosine: f64,
    /// What reranking did with it; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WordView {
    pub word: String,
    /// How often it occurs in the item.
    pub count: u32,
    /// Its contribution through the item itself.
    pub own: f64,
    /// Its contribution through neighbours and the thread.
    pub place: f64,
}
