//! From candidates to a context: a chain of pure stages. Each returns its output and its decisions.

mod budget;
mod clip;
mod compress;
mod deduplicate;
mod excerpt;
mod fit;
mod gate;
mod interleave;
mod prune_paths;
mod relevance;
mod sections;

pub(crate) use budget::{budget, of_memories};
pub(crate) use clip::clip;
pub(crate) use compress::{ChunkSize, Compression, parts};
pub(crate) use deduplicate::{deduplicate, top_k};
pub(crate) use excerpt::Excerpts;
pub(crate) use fit::fit;
pub(crate) use gate::gate;
pub(crate) use interleave::interleave;
pub(crate) use prune_paths::{Pruned, prune};
pub(crate) use relevance::relevance;
pub(crate) use sections::{clip_characters, deduplicate_by_beginning, sections};
