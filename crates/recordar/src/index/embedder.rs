//! The embedder of the store as its indexes know it. A question is always embedded like the index it is asked of.

use recordar_domain::{Digest, Invalid};
use recordar_models::EmbedderName;
use recordar_store::{EmbedderRow, Embedders, Error as StoreError};

/// An embedder with its number in the store, which grows with each move to another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StoreEmbedder {
    pub(crate) number: i64,
    pub(crate) name: EmbedderName,
}

impl StoreEmbedder {
    /// The one that is searched with.
    pub(crate) fn current(embedders: &Embedders) -> Result<Self, StoreError> {
        embedders.current.as_ref().map_or_else(|| Ok(Self::default()), Self::of_row)
    }

    /// The one that the store is being moved to.
    pub(crate) fn pending(embedders: &Embedders) -> Result<Option<Self>, StoreError> {
        embedders.pending.as_ref().map(Self::of_row).transpose()
    }

    fn of_row(row: &EmbedderRow) -> Result<Self, StoreError> {
        let name = EmbedderName::parse(&row.model).ok_or_else(|| {
            let what = format!("the database uses the embedder {}, which this program does not have", row.model);
            Invalid::new(what, "use the program version that moved it to this embedder, or a later one")
        })?;
        Ok(Self { number: row.number, name })
    }
}

/// What segments of an embedder are stored under.
pub(crate) fn model_hash(name: EmbedderName) -> Digest {
    Digest::from_hex(name.hash()).unwrap_or_else(|| Digest::of(name.hash()))
}
