//! Metrics of recalls: in this process, numbers only (E8).

use super::result::RecallResult;
use schemars::JsonSchema;
use serde::Serialize;

/// The names are those of the policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct RecallMetrics {
    /// Total time from call to result.
    #[serde(rename = "retrieval.latency_ms")]
    pub latency_ms: Measured,
    #[serde(rename = "retrieval.results_count")]
    pub results_count: Measured,
    #[serde(rename = "retrieval.tokens_used")]
    pub tokens_used: Measured,
    /// The share of duplicates among the results.
    #[serde(rename = "retrieval.dedup_ratio")]
    pub dedup_ratio: Measured,
    /// 1 for a cache hit and 0 for a miss: the mean is the hit rate.
    #[serde(rename = "retrieval.cache_hit_rate")]
    pub cache_hit_rate: Measured,
}

/// The count and values of a measurement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct Measured {
    pub count: u64,
    pub sum: f64,
    pub mean: f64,
    pub most: f64,
}

impl RecallMetrics {
    pub fn count_result(&mut self, result: &RecallResult) {
        self.latency_ms.take(result.timing.query_time);
        self.results_count.take(result.memories.len() as f64);
        self.tokens_used.take(result.metadata.total_tokens as f64);
    }
}

impl Measured {
    pub fn take(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.mean = self.sum / self.count as f64;
        self.most = self.most.max(value);
    }
}
