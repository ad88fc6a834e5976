//! What a recall is asked.

use super::settings::{Authority, RecallOverrides};
use recordar_domain::Timestamp;

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
            receipt: None,
        }
    }
}
