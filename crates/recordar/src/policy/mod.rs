//! The rules around a recall: settings and who may change them, failures, rate limit, cache and
//! metrics.

mod cache;
mod metrics;
mod problem;
mod rate;
mod settings;

pub(crate) use cache::{Cache, Key};
pub use metrics::{Measured, RecallMetrics};
pub use problem::{Fallback, RecallProblem};
pub(crate) use rate::RateLimit;
pub use settings::{Authority, Interleaving, RecallOverrides, RecallSettings, Strategy, recall_range};
pub(crate) use settings::{CLIP_SENTENCES, MAX_TOKENS, Range, TOP_K};
