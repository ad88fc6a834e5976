//! Limits that several verbs share.

/// A query that is searched for.
pub const MAX_QUERY_BYTES: usize = 64 * 1024;
/// A question that the tree is descended for; it is part of every prompt of the descent.
pub(crate) const MAX_QUESTION_BYTES: usize = 32 * 1024;
/// The spaces of one search.
pub const MAX_SPACES: usize = 64;
/// The chunks of one descent.
pub const MAX_CHUNKS: usize = 10_000;
/// The tokens of a final prompt.
pub const MAX_TOKEN_BUDGET: u32 = 10_000_000;
