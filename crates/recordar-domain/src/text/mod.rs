//! Text as data: counting tokens, reading structure, cutting into chunks.

mod atoms;
mod chunk;
#[cfg(test)]
mod chunk_tests;
mod structure;
mod tokens;

pub use chunk::{Chunk, Chunking, Cut, MAX_CHUNK_BYTES, chunk};
pub use structure::{Structure, Unstructured};
pub use tokens::TokenCounter;
