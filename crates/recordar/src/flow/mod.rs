//! Flows: a recall and an answer, each one function that reads from top to bottom. (An ingestion is in `ingest`.)
//!
//! Routes find, assembly chooses, the guard clears, the prompt room renders, tasks reply. Verbs call flows; nothing here knows a verb.

pub(crate) mod answer;
pub(crate) mod compose;
pub(crate) mod context;
mod continued;
mod descent;
mod living;
pub(crate) mod plan;
pub(crate) mod recall;
mod receipt;
mod small;
pub(crate) mod staged;
