//! Facts (D2, E6): statements that are extracted from messages after they are stored, and what of them holds at a time.

mod extract;
mod prefer;
mod standing;

pub(crate) use extract::{Extraction, FACTS, Person, extract_again, new_facts, speaker_of};
pub(crate) use prefer::{FactsSeen, prefer};
pub(crate) use standing::{FactsAt, view_facts, view_some_facts};
