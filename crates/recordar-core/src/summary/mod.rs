//! Summaries of old messages (E6, CH-08): which messages belong together, and a summary in their place where that saves tokens and loses no
//! evidence.

mod span;
mod stand_in;

pub use span::{SPAN, spans};
pub use stand_in::{Shown, StandBy, stand_in};
