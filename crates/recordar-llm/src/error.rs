//! The errors of models. Every error names the provider, the model and a remedy, and none contains a key.

use crate::request::ModelName;
use recordar_domain::text::one_line;
use std::time::Duration;

/// Longer messages are truncated.
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
    /// Unreachable, not responding, or failing on its own: the world's.
    Away,
    /// Too many requests, or no credit.
    RateLimited,
    /// The request, the key, the model or the address was rejected: yours.
    Rejected,
    /// This request was rejected, for its content or its length; another may succeed.
    Unaccepted,
    /// The replies were invalid, even after corrections.
    Unfit,
    /// A limit on tokens or money would be exceeded.
    Ceiling,
    /// There is no recorded reply to this request.
    Unrecorded,
    /// A file or a configuration is invalid.
    Invalid,
    /// The spending ledger cannot be written.
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

    /// Whether it concerns only this request: the next may succeed.
    pub fn is_about_request(&self) -> bool {
        matches!(self.kind, ErrorKind::Unfit | ErrorKind::Unaccepted)
    }

    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the call was cancelled", "repeat the call")
    }

    /// The same, with the model that it is about. From here on a server's message is one short line.
    pub(crate) fn about(mut self, name: &ModelName) -> Self {
        self.what = one_line(&format!("{name}: {}", self.what), MAX_CHARS);
        self
    }
}

/// Why a model call failed, and whether a retry may succeed.
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
    /// After a wait, which the provider may have given.
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
