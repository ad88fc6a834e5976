//! Summaries of old messages (E6, CH-08): made by the queue, each naming the messages that it sums up, and recalled in their place where that saves
//! tokens and loses no evidence.

mod queue;
mod span;
mod stand_in;

pub(crate) use queue::{SUMMARIES, Summarising, WHOLE_SPACE};
pub(crate) use span::spans;
pub(crate) use stand_in::{Shown, StandBy, stand_in};
