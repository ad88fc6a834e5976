//! A memory: one entry of a recalled context.

use super::fact::Unverified;
use super::item::StoredWith;
use super::rerank::RerankView;
use super::staged::StageSource;
use recordar_domain::{ItemKind, Timestamp};
use recordar_index::Mode as SearchMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A memory in a context (E6), with the field names of the policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryEntry {
    /// Unique within its collection.
    pub id: String,
    pub content: String,
    /// From 0 to 1.
    pub score: f64,
    /// What reranking did with it; absent if it was off, and in what a receipt rebuilds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankView>,
    pub timestamp: Timestamp,
    /// The thread it belongs to.
    pub session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(rename = "type")]
    pub kind: ItemKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Of a fact or a summary, why it is to be looked at again: `source_changed`, `source_retired` or `review_due`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unverified: Option<Unverified>,
    pub provenance: Provenance,
    #[serde(flatten)]
    pub stored: StoredWith,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// The space, such as `user:123`.
    pub collection: String,
    pub item_id: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The document's path relative to the folder that was ingested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_name: Option<String>,
    /// The section of the part that is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    pub search_type: SearchMode,
    /// Characters before anything was removed.
    pub original_length: usize,
    pub was_redacted: bool,
    /// The stage of a staged recall that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<StageSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_title: Option<String>,
}
