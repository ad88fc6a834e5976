//! What can go wrong with a model. Every error names the provider, the model and a remedy, and none holds a key.

use crate::request::ModelName;
use recordar_domain::text::one_line;
use std::time::Duration;

/// People read no further.
const MAX_CHARS: usize = 600;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Error {
    pub kind: ErrorKind,
    pub what: String,
    pub remedy: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Not to be reached, silent, or failing by itself: the world's.
    Away,
    /// Too many requests, or no credit.
    RateLimited,
    /// The request, the key, the model or the address is not accepted: yours.
    Rejected,
    /// This request is not accepted, for what it holds or how long it is; another may be.
    Unaccepted,
    /// It replied, and again after being told what was wrong, with something that does not fit.
    Unfit,
    /// A ceiling on tokens or money would be passed.
    Ceiling,
    /// There is no recorded reply to this request.
    Unrecorded,
    /// What is written in a file or a configuration cannot be used.
    Invalid,
    /// The ledger of what was spent cannot be written.
    Ledger,
    Cancelled,
}

impl Error {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self.kind {
            ErrorKind::Away => "model_away",
            ErrorKind::RateLimited => "model_rate_limited",
            ErrorKind::Rejected | ErrorKind::Unaccepted => "model_rejected",
            ErrorKind::Unfit => "model_reply_unfit",
            ErrorKind::Ceiling => "model_ceiling",
            ErrorKind::Unrecorded => "model_unrecorded",
            ErrorKind::Invalid => "model_configuration",
            ErrorKind::Ledger => "model_ledger",
            ErrorKind::Cancelled => "cancelled",
        }
    }

    pub fn new(kind: ErrorKind, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { kind, what: what.into(), remedy: remedy.into() }
    }

    /// Whether it is about this request alone: the next may do better.
    pub fn is_about_request(&self) -> bool {
        matches!(self.kind, ErrorKind::Unfit | ErrorKind::Unaccepted)
    }

    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the call was cancelled", "call again")
    }

    /// The same, with the model that it is about. This is the door: what a server said is in one short line from here on.
    pub(crate) fn about(mut self, name: &ModelName) -> Self {
        self.what = one_line(&format!("{name}: {}", self.what), MAX_CHARS);
        self
    }
}

/// Why one call of a model failed, and whether another may succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub error: Error,
    pub retry: Retry,
    /// Whether the provider may have counted tokens for it.
    pub may_cost: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Never,
    /// After a while, which the provider may have named.
    After(Option<Duration>),
}

impl Failure {
    pub fn fatal(kind: ErrorKind, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { error: Error::new(kind, what, remedy), retry: Retry::Never, may_cost: false }
    }

    pub fn passing(kind: ErrorKind, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { error: Error::new(kind, what, remedy), retry: Retry::After(None), may_cost: false }
    }

    pub fn cancelled() -> Self {
        Self { error: Error::cancelled(), retry: Retry::Never, may_cost: false }
    }

    pub(crate) fn may_cost(self) -> Self {
        Self { may_cost: true, ..self }
    }
}
