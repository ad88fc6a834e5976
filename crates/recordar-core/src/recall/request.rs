//! What a recall is asked.

use super::settings::{Authority, RecallOverrides};
use crate::noun::labels::LabelQuery;
use recordar_domain::{Filter, Timestamp};

#[derive(Debug, Clone, PartialEq)]
pub struct RecallRequest {
    pub query: String,
    /// If false, nothing is searched.
    pub use_memory: bool,
    /// The calling conversation. If given, it must be a valid name.
    pub session_id: Option<String>,
    /// Settings that differ from the configured ones.
    pub settings: RecallOverrides,
    pub authority: Authority,
    /// Time of the question, for "last week" and the like; by default `as_of`, or now.
    pub asked_at: Option<Timestamp>,
    /// Recall from the state at that time, ranked as it was then.
    pub as_of: Option<Timestamp>,
    /// Only items with these labels.
    pub labels: LabelQuery,
    /// Only items that pass it.
    pub filter: Filter,
    /// Whether to recall in stages, by labels: the current thread, other threads, what lasts.
    pub staged: bool,
    /// For a staged recall: recent messages, so that a question can be understood.
    pub thread_context: Option<String>,
    /// Whether the memories are only looked at: then they do not count as used.
    pub preview: bool,
    /// Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
    pub receipt: Option<bool>,
}

impl RecallRequest {
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            use_memory: true,
            session_id: None,
            settings: RecallOverrides::default(),
            authority: Authority::User,
            asked_at: None,
            as_of: None,
            labels: LabelQuery::default(),
            filter: Filter::default(),
            staged: false,
            thread_context: None,
            preview: false,
            receipt: None,
        }
    }
}
