//! Nouns that several rooms share: plain data that every room may import. Only `tree` is below; nothing here imports from the rooms above.

pub(crate) mod chunk;
pub(crate) mod descent;
pub(crate) mod fact;
pub(crate) mod hit;
pub(crate) mod item;
pub(crate) mod labels;
pub(crate) mod limits;
pub(crate) mod line_diff;
pub(crate) mod memory;
pub(crate) mod method;
pub(crate) mod passage;
pub(crate) mod path;
pub(crate) mod progress;
pub(crate) mod rerank;
pub(crate) mod search;
pub(crate) mod spaces;
pub(crate) mod staged;
pub(crate) mod summary;
pub(crate) mod upload;
pub(crate) mod within;
