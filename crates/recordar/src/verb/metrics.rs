//! The metrics of recalls in this process (E8).

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::recall::{Measured, RecallMetrics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metrics by their names in the policy, such as `retrieval.latency_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct MetricsReport {
    pub retrieval: RetrievalMetrics,
}

/// The recalls since this process started. Nothing of them is stored.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct RetrievalMetrics {
    /// Total time from call to result.
    pub latency_ms: Measured,
    /// Memories in a result.
    pub results_count: Measured,
    /// Tokens of the memories in a result.
    pub tokens_used: Measured,
    /// The share of duplicates among the results.
    pub dedup_ratio: Measured,
    /// 1 for a cache hit and 0 for a miss: the mean is the hit rate.
    pub cache_hit_rate: Measured,
}

impl Recordar {
    /// Metrics of recalls since this process started.
    pub fn metrics(&self) -> MetricsReport {
        let RecallMetrics { latency_ms, results_count, tokens_used, dedup_ratio, cache_hit_rate } =
            self.recall_metrics();
        let retrieval = RetrievalMetrics { latency_ms, results_count, tokens_used, dedup_ratio, cache_hit_rate };
        MetricsReport { retrieval }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MetricsArguments {}

impl Verb for MetricsArguments {
    const NAME: &'static str = "metrics";
    const ABOUT: &'static str = "Show the metrics of recalls since this process started.";
    const EFFECT: Effect = Effect::Reads;
    // They are counted over all spaces.
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = MetricsReport;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<MetricsReport, Error> {
        Ok(memory.metrics())
    }
}
