//! A chunk that a descent of the tree found.

use super::item::ItemView;
use super::rerank::RerankView;
use recordar_domain::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QueryChunk {
    pub chunk_id: i64,
    pub text_content: String,
    pub category_path: Vec<String>,
    /// The rank of its leaf among its siblings.
    pub ranked_relevance: u32,
    pub created_at: Timestamp,
    pub document: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// What reranking did with it; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankView>,
    #[serde(skip)]
    pub document_id: i64,
    #[serde(skip)]
    pub occurred_at: Timestamp,
}

impl QueryChunk {
    /// A chunk that was not found by a descent, but by its id.
    pub(crate) fn of_item(item: ItemView) -> Self {
        Self {
            chunk_id: item.item_id,
            text_content: item.text,
            category_path: Vec::new(),
            ranked_relevance: 0,
            created_at: item.occurred_at,
            document: item.document.unwrap_or_default(),
            section: item.section,
            rerank: None,
            document_id: 0,
            occurred_at: item.occurred_at,
        }
    }
}
