//! Nouns that several rooms share: plain data that every room may import. Only `tree` is below; nothing here imports from the rooms above.

pub mod chunk;
pub mod descent;
pub mod fact;
pub mod hit;
pub mod item;
pub mod labels;
pub mod limits;
pub mod line_diff;
pub mod memory;
pub mod method;
pub mod passage;
pub mod path;
pub mod progress;
pub mod rerank;
pub mod search;
pub mod spaces;
pub mod staged;
pub mod summary;
pub mod upload;
