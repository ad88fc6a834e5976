//! Texts to summarise, and their summaries.

use super::method::Method;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextToSummarise {
    pub id: i64,
    pub text: String,
    /// Maximum characters of the summary.
    pub target_chars: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    pub id: i64,
    pub text: String,
    /// Who made it.
    pub method: Method,
}

impl Summary {
    pub fn fits(&self, target_chars: usize) -> bool {
        self.text.chars().count() <= target_chars
    }
}
