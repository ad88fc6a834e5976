//! A chunk that a descent of the tree found.

use recordar_domain::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
    #[serde(skip)]
    pub(crate) document_id: i64,
    #[serde(skip)]
    pub(crate) occurred_at: Timestamp,
}
