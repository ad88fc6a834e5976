//! Reranking: what the judge is shown of a candidate, and how its opinion changes the order.

mod order;
mod shown;

pub use order::{Candidate, MAX_JUDGED, Reranked, Within, decide_confidence, rerank, rerank_items};
pub use shown::{FoundAt, Shown, TurnsBefore};
