//! Text as data: counting tokens, reading structure, cutting into chunks.

mod align;
mod asked;
mod asking;
mod atoms;
mod chunk;
#[cfg(test)]
mod chunk_tests;
mod compound;
mod definitions;
mod front_matter;
mod language;
mod line;
mod normalize;
mod parts;
mod period;
mod quick_tokens;
mod recut;
mod sentence;
mod stop_words;
mod structure;
mod telling;
mod terms;
mod tokens;
mod underlines;
mod words;

pub use align::align;
pub use asked::{Asked, When, Whose, asked, one_name};
pub use asking::Asking;
pub use chunk::{Chunk, Chunking, Cut, MAX_CHUNK_BYTES, chunk};
pub use front_matter::FrontMatter;
pub use language::Language;
pub use line::one_line;
pub use normalize::normalized_hash;
pub use period::{began, is_month, is_weekday, period, shown_period, told_day};
pub use recut::{ChunkBefore, recut};
pub use sentence::{begins_heading, clip_end, sentence_ends};
pub use structure::{SectionStart, Sections, Structure, Unstructured};
pub use telling::telling_words;
pub use terms::{AskedWord, LANGUAGE_MARK, Term, Terms, plain_words};
pub use tokens::TokenCounter;
pub use underlines::is_restructured;
pub use words::{Words, each_word, is_question_word, is_saying_word};
