//! What is told of calls: before they are made, and after.

use crate::model::ModelSettings;
use recordar_domain::{Digest, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One call, whatever came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallReport {
    pub timestamp: Timestamp,
    pub latency_ms: f64,
    /// The model and its parameters.
    #[serde(flatten)]
    pub settings: ModelSettings,
    pub max_output_tokens: u32,
    pub tokens_prompt: u64,
    pub tokens_completion: u64,
    /// Whether the provider said how many tokens it took, rather than that the most it can have taken is told here.
    pub is_counted: bool,
    /// Billionths of a dollar; nothing where the price is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nano_usd: Option<u64>,
    /// When the price was true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_dated: Option<String>,
    pub request_sha256: Digest,
    /// `ok`, or the code of an error.
    pub outcome: String,
    /// Taken from a recording: nothing was called, and nothing spent.
    pub replayed: bool,
}

/// What a request would take, before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Estimate {
    /// One call at the most, prompt and reply: what it takes as a rule, when the reply fits at once.
    pub tokens_first_call: u64,
    /// In billionths of a dollar; nothing where the price is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nano_usd_first_call: Option<u64>,
    /// Calls at the most: with every repair, and every repetition of a call that broke off and may have cost something.
    pub calls_at_most: u64,
    pub tokens_prompt_at_most: u64,
    pub tokens_completion_at_most: u64,
    /// All calls together, in billionths of a dollar; nothing where the price is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nano_usd_at_most: Option<u64>,
}
