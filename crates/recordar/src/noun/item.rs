//! A stored item as results show it, with the names of its thread and document.

use recordar_domain::{ItemKind, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An item that can be recalled, and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemView {
    pub space: String,
    pub item_id: i64,
    pub kind: ItemKind,
    pub text: String,
    pub thread: Option<String>,
    pub role: Option<String>,
    pub speaker: Option<String>,
    pub document: Option<String>,
    pub section: Option<String>,
    pub occurred_at: Timestamp,
}

/// What a trace calls an item.
pub(crate) fn item_name(space: &str, id: i64) -> String {
    format!("{space} item {id}")
}
