//! Text as data: counting tokens, reading structure, cutting into chunks.

mod atoms;
mod chunk;
#[cfg(test)]
mod chunk_tests;
mod period;
mod structure;
mod tokens;
mod words;

pub use chunk::{Chunk, Chunking, Cut, MAX_CHUNK_BYTES, chunk};
pub use period::period;
pub use structure::{Structure, Unstructured};
pub use tokens::TokenCounter;
pub use words::{Language, Words, each_word, is_question_word};
