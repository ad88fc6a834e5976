//! What a composed prompt is made of, and how it is put together: history that fades, files, a gated and condensed context, one fixed order.
//!
//! Pure: it reads no store, asks no model and knows no clock. Stored text comes in as [`Cleared`], which the guard makes.

mod cited;
mod condense;
mod context;
mod gate;
mod grow;
mod history;
mod lexicon;
mod likeness;
mod need;
mod pack;
mod quote;
mod shape;
mod statement;
mod stems;
mod super_prompt;
mod verify;

pub use cited::cited;
pub use condense::{DEFAULT_CONTEXT_TOKENS, as_chunks, condense};
pub use context::{ChunkCitation, CondensedContext, ContextFact, ContextSource, GatedChunk, Support, item_name};
pub use gate::{DEFAULT_THETA, Refusal, gate, supports};
pub use grow::{Growing, Step, grow};
pub use history::{
    DEFAULT_HISTORY_TOKENS, DEFAULT_RECENT_TURNS, HALF_ON_TOPIC, History, MAX_EPISODES, Said, Speaker, Value,
    choose_earlier,
};
pub use lexicon::Lexicon;
pub use likeness::Repeatable;
pub use need::Need;
pub use pack::InjectedFile;
pub use quote::{Cleared, OneSpaced, normal};
pub use shape::{Shape, ShapeFrom, may_name_files};
pub use statement::{Relation, Statement, statements};
pub use stems::Reader;
pub use super_prompt::{Parts, Piece, Quote, QuotedText, SectionSpan, SuperPrompt};
pub use verify::{ChosenSentences, verified};
