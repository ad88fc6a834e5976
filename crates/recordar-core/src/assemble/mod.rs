//! From candidates to a context: a chain of pure stages. Each returns its output and its decisions.

mod budget;
mod clip;
mod compress;
mod continued;
mod deduplicate;
mod excerpt;
mod fill;
mod fit;
mod gate;
mod interleave;
mod meaning;
mod prune_paths;
mod relevance;
mod run_on;
mod sections;

pub use budget::{budget, of_memories};
pub use clip::clip;
pub use compress::{ChunkSize, Compression, parts};
pub use continued::{Neighbour, continued, open_ended, reserved};
pub use deduplicate::{deduplicate, top_k};
pub use excerpt::Excerpts;
pub use fill::{Room, fill};
pub use fit::fit;
pub use gate::gate;
pub use interleave::interleave;
pub use meaning::Meaning;
pub use prune_paths::{Pruned, prune};
pub use relevance::relevance;
pub use sections::{clip_characters, deduplicate_by_beginning, sections};
