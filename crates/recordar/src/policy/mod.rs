//! The rules around a recall: what may be set and by whom, what is done when it cannot be done, how often, and what is
//! remembered of the last ones.

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
