//! Rules of all targets: how an input selects what to do with it, and what a refusal must say.

/// The first byte chooses among several ways to read the rest.
pub(crate) fn choice(input: &[u8]) -> (u8, &[u8]) {
    input.split_first().map_or((0, input), |(first, rest)| (*first, rest))
}

/// Checks the message for a refused input: what happened, and what to do.
pub(crate) fn assert_told(what: &str, remedy: &str) {
    assert!(!what.trim().is_empty() && !remedy.trim().is_empty(), "empty message: {what:?}, {remedy:?}");
}
