//! Exports of other systems, read as our messages: pure functions from the bytes of a file, or of several, to conversations.
//!
//! Nothing here reads a file, a clock or the store. The bytes come from a `Source`, a few at a time: `outline` finds the structure,
//! `pieces` reads it, and `gather` passes messages on, so that a file may be larger than memory; a conversation of ChatGPT or
//! Claude, and a transcript, is held as a whole. An invalid message does not reject the others, and
//! everything that is not kept is reported in `left_out`. The same export gives the same names and ids, and a later, longer one gives
//! them to the messages it repeats; by these the import recognises messages that are already stored.

mod archive;
#[cfg(test)]
mod chat_tests;
mod chatgpt;
mod claude;
mod facts;
mod files;
mod foreign;
mod gather;
mod irc;
mod irc_line;
mod mem0;
mod outline;
mod pieces;
mod read;
mod slack;
mod slack_text;
mod speaker;
mod stamp;
mod subtitles;
mod survey;
#[cfg(test)]
mod tests;
mod transcript;
#[cfg(test)]
mod transcript_tests;
mod turn;
mod zep;

pub use archive::Archive;
pub use files::{Files, Parts};
pub use foreign::{Foreign, Hints};
pub use pieces::Source;
pub use survey::{ForeignFormat, LeftOut, Piece, Survey, Surveyed};
