//! The nouns of a composition: what is asked for, and what comes out.

mod request;
mod result;

pub use request::{Agent, Agents, By, ComposeRequest, MAX_FILES, MAX_K, MAX_PROMPT_TOKENS, MAX_TURNS, parse_agents};
pub use result::{
    ComposeChange, ComposeDiff, ComposeResult, ComposedFile, ComposedMessage, ComposedSection, Conflict, FlaggedText,
    Sent,
};
