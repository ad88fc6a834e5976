//! Embedding models: the built-in ones, which need no file, no key and no network, and the frame around one of the caller's own.

mod model;
mod name;
mod own;
mod quantise;
mod static_embedder;

pub use model::{MAX_DIMENSION, OwnModel, VectorModel};
pub use name::EmbedderName;
pub use own::{Embed, EmbedFailure, OwnEmbedder, OwnProblem, Reason, TextKind};
pub use static_embedder::Embedder;
