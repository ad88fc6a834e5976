//! From candidates to a context: a chain of pure stages. Each returns its output and its decisions.

mod budget;
mod clip;
mod deduplicate;
mod fit;
mod gate;
mod interleave;
mod prune;
mod summarize;

pub(crate) use budget::budget;
pub(crate) use clip::clip;
pub(crate) use deduplicate::{deduplicate, top_k};
pub(crate) use fit::fit;
pub(crate) use gate::gate;
pub(crate) use interleave::interleave;
pub(crate) use prune::{Pruned, prune};
pub(crate) use summarize::{ChunkSize, Compression, parts};
