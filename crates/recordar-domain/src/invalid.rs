//! The error for an invalid value from outside, with a remedy.

/// An invalid value. Every check of this crate fails with this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Invalid {
    /// What happened, to what.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl Invalid {
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }
}
