//! What a search is asked.

use super::labels::LabelQuery;
use super::limits::MAX_QUERY_BYTES;
use super::rerank::Rerank;
use recordar_domain::{Filter, Invalid, Timestamp, check_text};
use recordar_index::{Mode, SignalSet};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    pub query: String,
    pub mode: Mode,
    /// Maximum number of hits, from 1 to 1,000. Up to 100, a higher limit does not change the first hits; beyond, more candidates are
    /// considered.
    pub limit: usize,
    /// When the question is asked, to interpret "last week" and the like; by default now.
    pub asked_at: Option<Timestamp>,
    /// Search the state at that time, ranked as it was then.
    pub as_of: Option<Timestamp>,
    /// Only items with these labels.
    pub labels: LabelQuery,
    /// Only items that pass it.
    pub filter: Filter,
    /// The reranker; by default the configured one.
    pub rerank: Option<Rerank>,
    /// Signals that do not count, to measure what they contribute. No face offers this.
    pub without: SignalSet,
}

pub const MAX_LIMIT: usize = 1000;

impl SearchRequest {
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            mode: Mode::Hybrid,
            limit: 10,
            asked_at: None,
            as_of: None,
            labels: LabelQuery::default(),
            filter: Filter::default(),
            rerank: None,
            without: SignalSet::default(),
        }
    }

    pub fn check(&self) -> Result<(), Invalid> {
        check_text("the query", &self.query, MAX_QUERY_BYTES)?;
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            return Err(Invalid::new(
                format!("limit {} is out of range", self.limit),
                format!("use a number from 1 to {MAX_LIMIT}"),
            ));
        }
        Ok(())
    }

    /// When the question is asked, if not now: at the time that is looked back to.
    pub fn asked_at(&self) -> Option<Timestamp> {
        self.asked_at.or(self.as_of)
    }
}
