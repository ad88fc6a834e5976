//! What is wrong with a value that came from outside, and what to do about it.

/// A refused value. Every rule of this crate that can say no says it with this.
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
