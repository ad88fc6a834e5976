//! What all targets agree on: how an input says what to do with it, and what a parser that refuses it has to say.

/// The first byte chooses among several ways to read the rest.
pub(crate) fn choice(input: &[u8]) -> (u8, &[u8]) {
    input.split_first().map_or((0, input), |(first, rest)| (*first, rest))
}

/// What a person is told about something that was refused: what happened, and what to do.
pub(crate) fn assert_told(what: &str, remedy: &str) {
    assert!(!what.trim().is_empty() && !remedy.trim().is_empty(), "told nothing: {what:?}, {remedy:?}");
}
