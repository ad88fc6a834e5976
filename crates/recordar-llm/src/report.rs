//! Reports of calls: estimates before, and results after.

use crate::model::ModelSettings;
use recordar_domain::{Digest, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One call, successful or not.
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
    /// Whether the provider counted the tokens; otherwise they are an upper bound.
    pub is_counted: bool,
    /// Billionths of a dollar; none if the price is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nano_usd: Option<u64>,
    /// The date of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_dated: Option<String>,
    pub request_sha256: Digest,
    /// `ok`, or the code of an error.
    pub outcome: String,
    /// Replayed from a recording: nothing was called or spent.
    pub replayed: bool,
}

/// The estimated cost of a request, before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Estimate {
    /// Maximum tokens of one call, prompt and reply: the usual case, when the first reply is valid.
    pub tokens_first_call: u64,
    /// In billionths of a dollar; none if the price is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nano_usd_first_call: Option<u64>,
    /// Maximum number of calls: with every repair, and every retry of a failed call that may have cost something.
    pub calls_at_most: u64,
    pub tokens_prompt_at_most: u64,
    pub tokens_completion_at_most: u64,
    /// All calls together, in billionths of a dollar; none if the price is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nano_usd_at_most: Option<u64>,
}
