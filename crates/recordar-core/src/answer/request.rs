//! What an answer is asked for.

use crate::config::{PromptLimiting, Route};
use crate::noun::descent::DescentOptions;
use crate::recall::RecallRequest;

#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The question, and how to recall memories for it.
    pub recall: RecallRequest,
    /// Only estimate the maximum cost; no model is called.
    pub dry_run: bool,
    /// Where to look for the answer; as configured by default.
    pub route: Option<Route>,
    /// How the tree is descended and how its prompt is limited. Only valid for the route `tree`.
    pub descent: DescentOptions,
    pub limiting: LimitingOptions,
}

/// How the final prompt is kept within its budget; as configured by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitingOptions {
    pub max_token_budget: Option<u32>,
    pub prompt_limiting_strategy: Option<PromptLimiting>,
    pub use_rankings: Option<bool>,
}

impl AskRequest {
    pub fn new(query: &str) -> Self {
        Self {
            recall: RecallRequest::new(query),
            dry_run: false,
            route: None,
            descent: DescentOptions::default(),
            limiting: LimitingOptions::default(),
        }
    }

    pub fn asks_for_tree(&self) -> bool {
        self.descent != DescentOptions::default() || self.limiting != LimitingOptions::default()
    }
}
