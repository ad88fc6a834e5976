//! From candidates to a context: a chain of pure stages. Each returns its output and its decisions.

mod budget;
mod clip;
mod compose;
mod deduplicate;
mod gate;
mod interleave;
mod prune;
mod redact;
mod summarize;

pub(crate) use budget::budget;
pub(crate) use clip::clip;
pub(crate) use compose::{compose, is_template, template};
pub(crate) use deduplicate::{deduplicate, top_k};
pub(crate) use gate::gate;
pub(crate) use interleave::interleave;
pub(crate) use prune::{Pruned, prune};
pub(crate) use redact::{Redactor, redact};
pub(crate) use summarize::{ChunkSize, Compression, parts};
