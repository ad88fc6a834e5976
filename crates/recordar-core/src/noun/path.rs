//! Paths through the category tree: those that a descent follows, and those that it drops.

use crate::tree::Node;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;

/// A path from the root, with the rank of each step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreePath {
    pub nodes: Vec<Node>,
    pub ids: Vec<i64>,
    /// From the root downwards; higher is better.
    pub ranks: Vec<u32>,
    pub names: Vec<String>,
}

/// A path that was found but not followed or not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DroppedPath {
    pub category_path: Vec<String>,
    /// `max_paths`, `no_leaf`, `empty` or `max_token_budget`.
    pub reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PathError {
    pub category_path: Vec<String>,
    pub code: String,
    pub what: String,
}

impl TreePath {
    pub fn leaf(&self) -> Option<i64> {
        self.ids.last().copied()
    }

    /// The best rank first, compared from the root; then the ids.
    pub fn order(&self) -> (Reverse<&[u32]>, &[i64]) {
        (Reverse(&self.ranks), &self.ids)
    }

    pub fn dropped(&self, reason: &str, detail: &str) -> DroppedPath {
        DroppedPath { category_path: self.names.clone(), reason: reason.to_owned(), detail: detail.to_owned() }
    }
}
