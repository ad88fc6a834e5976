//! The progress of a long call.

/// How far a call has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub total: u64,
    /// For people, such as `3/10 files`.
    pub message: String,
}
