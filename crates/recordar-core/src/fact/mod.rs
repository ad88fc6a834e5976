//! Facts (D2, E6): what of the statements that were extracted from messages holds at a time, and a recall's order by it.

mod living;
mod moment;
mod prefer;
mod standing;

pub use living::{Living, changed_words, living};
pub use moment::FactsAt;
pub use prefer::{FactsSeen, prefer};
pub use standing::{view_facts, view_some_facts};
