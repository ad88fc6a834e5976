//! The nouns and rules around a recall: request and result, settings and who may change them, failures, rate limit, cache and metrics. The
//! recall itself is in `recordar: flow/recall.rs`.

mod cache;
mod metrics;
mod problem;
mod rate;
mod request;
mod result;
mod settings;
mod state;

pub use crate::noun::memory::{MemoryEntry, Provenance};
pub use cache::Key;
pub use metrics::{Measured, RecallMetrics};
pub use problem::{Fallback, RecallProblem};
pub use request::RecallRequest;
pub use result::{CandidateView, RecallMetadata, RecallResult, RecallTiming};
pub use settings::{
    Authority, BudgetCovers, ExcerptRule, Interleaving, RecallOverrides, RecallSettings, Strategy, recall_range,
};
pub use settings::{CLIP_SENTENCES, MAX_SMALL_ID, MAX_TOKENS, Range, TOP_K};
pub use state::Recalls;
