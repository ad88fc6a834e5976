//! Handling failed recalls (E7). A conversation goes on without memories; the result says why.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecallProblem {
    pub code: &'static str,
    pub message: &'static str,
    pub fallback: Fallback,
    /// What happened, and what to do.
    pub detail: String,
    pub remedy: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// Continue without memory.
    Skip,
    /// There are no memories.
    Empty,
    /// An earlier result that is still valid.
    Cache,
}

impl RecallProblem {
    pub const STORE_UNAVAILABLE: &'static str = "STORE_UNAVAILABLE";
    pub const COLLECTION_NOT_FOUND: &'static str = "COLLECTION_NOT_FOUND";
    pub const RATE_LIMITED: &'static str = "RATE_LIMITED";
    pub const INVALID_QUERY: &'static str = "INVALID_QUERY";

    pub fn store_unavailable(detail: String, remedy: String) -> Self {
        let message = "Memory service temporarily unavailable";
        Self { code: Self::STORE_UNAVAILABLE, message, fallback: Fallback::Skip, detail, remedy }
    }

    pub fn collection_not_found(spaces: &str) -> Self {
        Self {
            code: Self::COLLECTION_NOT_FOUND,
            message: "User memory collection does not exist",
            fallback: Fallback::Empty,
            detail: format!("nothing is stored in {spaces}"),
            remedy: "check the name with `recordar space list`, or store something first".to_owned(),
        }
    }

    pub fn rate_limited(per_minute: u32) -> Self {
        Self {
            code: Self::RATE_LIMITED,
            message: "Memory retrieval rate limit exceeded",
            fallback: Fallback::Cache,
            detail: format!("more than {per_minute} recalls in a minute"),
            remedy: "wait, or raise recall.per_minute in recordar.toml".to_owned(),
        }
    }

    pub fn invalid_query(detail: String, remedy: String) -> Self {
        let message = "Query text invalid or too long";
        Self { code: Self::INVALID_QUERY, message, fallback: Fallback::Skip, detail, remedy }
    }
}
