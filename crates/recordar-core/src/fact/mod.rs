//! Facts (D2, E6): what of the statements that were extracted from messages holds at a time, and a recall's order by it.

mod prefer;
mod standing;

pub use prefer::{FactsSeen, prefer};
pub use standing::{FactsAt, view_facts, view_some_facts};
