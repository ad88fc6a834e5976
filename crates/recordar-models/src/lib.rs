//! Embedding models. So far the built-in embedders, which need no file, no key and no network.

mod name;
mod static_embedder;

pub use name::EmbedderName;
pub use static_embedder::Embedder;
