//! Reranking: what the judge is shown of a candidate, and how its opinion changes the order.

mod order;
mod shown;

pub(crate) use order::{Candidate, MAX_JUDGED, Reranked, rerank, rerank_items};
pub(crate) use shown::{FoundAt, Shown, TurnsBefore};
