//! Vectors of a caller's own embedder, one row for each item and model. Built-in embedders are fast enough to need none.

use super::embedders::is_in_use;
use super::spaces::hold_space;
use super::summaries::IS_SEARCHED;
use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COLUMNS: [&str; 7] =
    ["space_id", "item_id", "model_hash", "text_hash", "model", "dimension", "content"];

/// An item without a vector of some model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnembeddedItem {
    pub id: i64,
    pub text: String,
}

/// Vectors to be kept, all of one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewVectors<'a> {
    /// The space when the texts were read.
    pub incarnation: i64,
    pub revision: i64,
    /// The number of the embedder.
    pub embedder: i64,
    pub model: &'a str,
    pub model_hash: Digest,
    pub dimension: usize,
    pub vectors: &'a [NewVector],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVector {
    pub item_id: i64,
    /// The sha256 of the item's text.
    pub text_hash: Digest,
    pub bytes: Vec<u8>,
}

impl Reading<'_> {
    /// Items that were changed after a revision and have no vector of a model, from an id on, in the order of ids.
    pub fn unembedded_items(
        &mut self,
        space: SpaceId,
        model_hash: Digest,
        (since, from): (i64, i64),
        most: usize,
    ) -> Result<Vec<UnembeddedItem>, Error> {
        let sql = format!(
            "SELECT item_id, content FROM items WHERE space_id = ? AND item_id >= ? AND changed > ? AND NOT EXISTS \
             (SELECT 1 FROM vectors WHERE vectors.space_id = items.space_id AND vectors.item_id = items.item_id \
             AND vectors.model_hash = ?) AND {IS_SEARCHED} ORDER BY item_id LIMIT {most}"
        );
        let rows = self.query(&sql, &[space.into(), from.into(), since.into(), model_hash.into()])?;
        rows.iter().map(|row| Ok(UnembeddedItem { id: row.int(0)?, text: row.text(1)? })).collect()
    }

    /// The vector that an item with this text has.
    pub fn vector_of_text(
        &mut self,
        space: SpaceId,
        model_hash: Digest,
        text_hash: Digest,
    ) -> Result<Option<Vec<u8>>, Error> {
        let sql = "SELECT content FROM vectors WHERE space_id = ? AND model_hash = ? AND text_hash = ? LIMIT 1";
        self.query_one(sql, &[space.into(), model_hash.into(), text_hash.into()])?.map(|row| bytes(&row, 0)).transpose()
    }

    /// The vectors of the items from an id up to another, which is not included.
    pub(super) fn vectors_between(
        &mut self,
        space: SpaceId,
        model_hash: Digest,
        (first, end): (i64, i64),
    ) -> Result<BTreeMap<i64, Vec<u8>>, Error> {
        let sql = "SELECT item_id, content FROM vectors WHERE space_id = ? AND item_id >= ? AND item_id < ? \
             AND model_hash = ?";
        let rows = self.query(sql, &[space.into(), first.into(), end.into(), model_hash.into()])?;
        rows.iter().map(|row| Ok((row.int(0)?, bytes(row, 1)?))).collect()
    }
}

fn bytes(row: &Row, column: usize) -> Result<Vec<u8>, Error> {
    match &row.0[column] {
        Value::Bytes(bytes) => Ok(bytes.clone()),
        _ => Err(Error::Corrupt { what: "a vector has no bytes".to_owned() }),
    }
}

impl Writing<'_> {
    /// Drops the vectors of an item whose text changes.
    pub(super) fn drop_vectors_of(&mut self, item_id: i64) -> Result<(), Error> {
        let sql = "DELETE FROM vectors WHERE space_id = ? AND item_id = ?";
        self.execute(sql, &[self.space.id.into(), item_id.into()])?;
        Ok(())
    }
}

/// Keeps vectors of items that are still there with the same text, and have none yet. Not if the store has moved to another model. Returns
/// how many were kept.
pub(crate) fn keep_vectors(connection: &mut Connection, space: &SpaceName, new: &NewVectors<'_>) -> Result<u64, Error> {
    // Locked as by a write, so that nothing is forgotten meanwhile.
    let Some(space) = hold_space(connection, space, Timestamp::from_micros(0))? else { return Ok(0) };
    if space.incarnation != new.incarnation || !is_in_use(connection, new.embedder)? {
        return Ok(0);
    }
    let (Some(first), Some(last)) = (new.vectors.first(), new.vectors.last()) else { return Ok(0) };
    let range = (first.item_id, last.item_id + 1);
    let known = Reading::new(connection).vectors_between(space.id, new.model_hash, range)?;
    let mut vectors: Vec<&NewVector> =
        new.vectors.iter().filter(|vector| !known.contains_key(&vector.item_id)).collect();
    if space.revision != new.revision {
        let same = unchanged(connection, space.id, &vectors)?;
        vectors.retain(|vector| same.contains(&vector.item_id));
    }
    let row = |vector: &&NewVector| {
        vec![
            space.id.into(),
            vector.item_id.into(),
            new.model_hash.into(),
            vector.text_hash.into(),
            new.model.into(),
            Value::Int(new.dimension as i64),
            Value::Bytes(vector.bytes.clone()),
        ]
    };
    let rows: Vec<Vec<Value>> = vectors.iter().map(row).collect();
    if !rows.is_empty() {
        connection.insert("vectors", &COLUMNS, &rows)?;
    }
    Ok(rows.len() as u64)
}

/// Those of the items that still have the text that their vector is of.
fn unchanged(connection: &mut Connection, space: SpaceId, vectors: &[&NewVector]) -> Result<BTreeSet<i64>, Error> {
    let mut same = BTreeSet::new();
    for vector in vectors {
        let sql = "SELECT content FROM items WHERE space_id = ? AND item_id = ?";
        let rows = connection.query(sql, &[space.into(), vector.item_id.into()])?;
        let Some(row) = rows.first() else { continue };
        if Digest::of(row.text(0)?) == vector.text_hash {
            same.insert(vector.item_id);
        }
    }
    Ok(same)
}
