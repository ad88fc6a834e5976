//! The embedder of the store as its indexes know it. A question is always embedded like the index it is asked of.

use recordar_domain::{Invalid, Timestamp};
use recordar_models::{EmbedderName, OwnModel, VectorModel};
use recordar_store::{EmbedderRow, Embedders, Error as StoreError, NewEmbedder};
use std::sync::Arc;

/// An embedder with its number in the store, which grows with each move to another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreEmbedder {
    pub number: i64,
    pub model: VectorModel,
}

impl StoreEmbedder {
    /// The one that is searched with.
    pub fn current(embedders: &Embedders) -> Result<Self, StoreError> {
        embedders.current.as_ref().map_or_else(|| Ok(Self::default()), Self::of_row)
    }

    /// The one that the store is being moved to.
    pub fn pending(embedders: &Embedders) -> Result<Option<Self>, StoreError> {
        embedders.pending.as_ref().map(Self::of_row).transpose()
    }

    fn of_row(row: &EmbedderRow) -> Result<Self, StoreError> {
        let model = match (EmbedderName::parse(&row.model), row.dimension) {
            (_, Some(dimension)) => VectorModel::Own(Arc::new(OwnModel::new(&row.model, dimension)?)),
            (Some(name), None) => VectorModel::BuiltIn(name),
            (None, None) => {
                let what = format!("the database uses the embedder {}, which this program does not have", row.model);
                let remedy = "use the program version that moved it to this embedder, or a later one";
                return Err(Invalid::new(what, remedy).into());
            }
        };
        Ok(Self { number: row.number, model })
    }
}

/// What the store records of an embedder.
pub fn new_embedder(model: &VectorModel, made_at: Timestamp) -> NewEmbedder<'_> {
    let dimension = model.is_own().then(|| model.dimension());
    NewEmbedder { model: model.name(), model_hash: model.hash(), made_at, dimension }
}
