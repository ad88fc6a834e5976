//! Embedding models. So far the built-in embedder, which needs no file, no key and no network.

mod static_embedder;

pub use static_embedder::{DIMENSION, Embedder, MODEL, MODEL_HASH};
