//! Segments of the search index, and the items that a space's index must read to be up to date.

use super::embedders::is_in_use;
use super::facts::is_derived;
use super::summaries::IS_SEARCHED;
use super::version_chunks::place_of;
use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::Value;
use recordar_domain::{Digest, ItemKind, SpaceName, Timestamp};
use std::collections::BTreeMap;

pub(crate) const COLUMNS: [&str; 9] =
    ["space_id", "model_hash", "first_id", "end_id", "part", "revision", "model", "dimension", "content"];

const PART_BYTES: usize = 1024 * 1024;
/// The number of items in memory at once while an index reads them.
const PAGE: i64 = 256;

/// A segment to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSegment<'a> {
    /// Ids from `first` up to `end`, which is not included.
    pub first: i64,
    pub end: i64,
    /// The space when the segment was built.
    pub incarnation: i64,
    pub revision: i64,
    /// The number of the embedder that the vectors are of.
    pub embedder: i64,
    pub model: &'a str,
    pub dimension: usize,
    pub model_hash: Digest,
    pub bytes: &'a [u8],
}

/// The fields of an item that an index uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexRow {
    pub id: i64,
    pub kind: ItemKind,
    pub thread_id: Option<i64>,
    pub document_id: Option<i64>,
    /// The order of a chunk within its document.
    pub place: i64,
    pub section: Option<String>,
    pub role: Option<String>,
    pub speaker: Option<String>,
    pub text: String,
    /// Whether it is a fact that was taken from another item, or given in its place.
    pub is_derived: bool,
    /// As JSON; chunks have none of their own.
    pub metadata: Option<String>,
    pub occurred_at: Timestamp,
    pub born: i64,
    pub retired: Option<i64>,
    /// The stored vector of the model that was asked for.
    pub vector: Option<Vec<u8>>,
}

/// An item that was made or changed since a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedItem {
    pub id: i64,
    pub born: i64,
    pub retired: Option<i64>,
}

impl Reading<'_> {
    /// The id ranges of the kept segments of a model, in order; of those with the same start, the longest first.
    pub fn segments(&mut self, space: SpaceId, model_hash: Digest) -> Result<Vec<(i64, i64)>, Error> {
        let sql = "SELECT first_id, end_id FROM segments WHERE space_id = ? AND model_hash = ? AND part = 0 \
             ORDER BY first_id, end_id DESC";
        self.query(sql, &[space.into(), model_hash.into()])?.iter().map(|row| Ok((row.int(0)?, row.int(1)?))).collect()
    }

    /// How many items a space has, and how many of them are in kept segments of a model.
    pub fn indexed_items(&mut self, space: SpaceId, model_hash: Digest) -> Result<(u64, u64), Error> {
        let mut count = |sql: &str, values: &[Value]| {
            self.query(sql, values)?.first().map_or(Ok(0), |row| row.int(0).map(|count| count as u64))
        };
        let items = count("SELECT COUNT(*) FROM items WHERE space_id = ?", &[space.into()])?;
        let (mut indexed, mut end) = (0, 0);
        for (first, next) in self.segments(space, model_hash)? {
            let sql = "SELECT COUNT(*) FROM items WHERE space_id = ? AND item_id >= ? AND item_id < ?";
            let values: [Value; 3] = [space.into(), first.max(end).into(), next.into()];
            indexed += self.query(sql, &values)?.first().map_or(Ok(0), |row| row.int(0))? as u64;
            end = end.max(next);
        }
        Ok((items, indexed))
    }

    pub fn segment(&mut self, space: SpaceId, model_hash: Digest, range: (i64, i64)) -> Result<Vec<u8>, Error> {
        let sql = "SELECT content FROM segments WHERE space_id = ? AND model_hash = ? AND first_id = ? AND end_id = ? \
             ORDER BY part";
        let rows = self.query(sql, &[space.into(), model_hash.into(), range.0.into(), range.1.into()])?;
        let mut bytes = Vec::with_capacity(rows.len() * PART_BYTES);
        for row in &rows {
            match &row.0[0] {
                Value::Bytes(part) => bytes.extend_from_slice(part),
                _ => return Err(Error::Corrupt { what: "a segment has no bytes".to_owned() }),
            }
        }
        Ok(bytes)
    }

    /// The first id from `first` on that an item is stored under.
    pub fn next_item(&mut self, space: SpaceId, first: i64) -> Result<Option<i64>, Error> {
        let sql = "SELECT item_id FROM items WHERE space_id = ? AND item_id >= ? ORDER BY item_id LIMIT 1";
        self.query(sql, &[space.into(), first.into()])?.first().map(|row| row.int(0)).transpose()
    }

    /// Calls `take` with every item from `first` up to `end`, which is not included, in the order of ids; with its stored vector of a model,
    /// if one is named. Summaries that the queue made are left out: they say again what the messages say, and are found through those.
    pub fn each_item(
        &mut self,
        space: SpaceId,
        (first, end): (i64, i64),
        model_hash: Option<Digest>,
        mut take: impl FnMut(IndexRow) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sql = format!(
            "SELECT item_id, kind, thread_id, document_id, section, role, speaker, content, occurred_at, born, retired, \
             position, place, metadata, source FROM items WHERE space_id = ? AND item_id >= ? AND item_id < ? \
             AND {IS_SEARCHED} ORDER BY item_id LIMIT {PAGE}"
        );
        let mut next = first;
        loop {
            let rows = self.query(&sql, &[space.into(), next.into(), end.into()])?;
            let count = rows.len() as i64;
            let last = rows.last().map(|row| row.int(0)).transpose()?;
            let mut vectors = match model_hash.zip(last) {
                Some((model, last)) => self.vectors_between(space, model, (next, last + 1))?,
                None => BTreeMap::new(),
            };
            for row in rows {
                let id = row.int(0)?;
                let damaged = || Error::Corrupt { what: format!("item {id} has an unknown kind") };
                next = id + 1;
                let kind = ItemKind::of_code(row.int(1)?).ok_or_else(damaged)?;
                take(IndexRow {
                    id,
                    kind,
                    is_derived: is_derived(kind, row.optional_text(14)?.as_deref()),
                    thread_id: row.optional_int(2)?,
                    document_id: row.optional_int(3)?,
                    place: place_of(row.optional_int(12)?, row.int(11)?),
                    section: row.optional_text(4)?,
                    role: row.optional_text(5)?,
                    speaker: row.optional_text(6)?,
                    text: row.text(7)?,
                    metadata: row.optional_text(13)?,
                    occurred_at: row.time(8)?,
                    born: row.int(9)?,
                    retired: row.optional_int(10)?,
                    vector: vectors.remove(&id),
                })?;
            }
            if count < PAGE {
                return Ok(());
            }
        }
    }

    /// Items that were made, retired or rewritten after a revision, in the order of ids.
    pub fn changed_items(&mut self, space: SpaceId, since: i64) -> Result<Vec<ChangedItem>, Error> {
        let sql = "SELECT item_id, born, retired FROM items WHERE space_id = ? AND changed > ? ORDER BY item_id";
        let rows = self.query(sql, &[space.into(), since.into()])?;
        rows.iter()
            .map(|row| Ok(ChangedItem { id: row.int(0)?, born: row.int(1)?, retired: row.optional_int(2)? }))
            .collect()
    }

    /// Items that were retired after a revision, with the revision of their retirement.
    pub fn retirements(&mut self, space: SpaceId, since: i64) -> Result<Vec<(i64, i64)>, Error> {
        let sql = "SELECT item_id, retired FROM items WHERE space_id = ? AND retired > ?";
        let rows = self.query(sql, &[space.into(), since.into()])?;
        rows.iter().map(|row| Ok((row.int(0)?, row.int(1)?))).collect()
    }

    /// Whether an item of this id was forgotten.
    pub fn is_forgotten(&mut self, space: SpaceId, id: i64) -> Result<bool, Error> {
        let rows =
            self.query("SELECT kind FROM tombstones WHERE space_id = ? AND id = ?", &[space.into(), id.into()])?;
        rows.first().map_or(Ok(false), |row| Ok(ItemKind::of_code(row.int(0)?).is_some()))
    }

    /// Ids that were forgotten after a revision.
    pub fn tombstones(&mut self, space: SpaceId, since: i64) -> Result<Vec<i64>, Error> {
        let sql = "SELECT id FROM tombstones WHERE space_id = ? AND revision > ? ORDER BY id";
        self.query(sql, &[space.into(), since.into()])?.iter().map(|row| row.int(0)).collect()
    }
}

impl Writing<'_> {
    /// Drops the segments that contain one of the ids, because they contain its words: those of every model.
    pub(crate) fn drop_segments(&mut self, ids: &[(i64, i64)]) -> Result<(), Error> {
        for (first, end) in ids {
            let sql = "DELETE FROM segments WHERE space_id = ? AND first_id < ? AND end_id > ?";
            self.execute(sql, &[self.space.id.into(), (*end).into(), (*first).into()])?;
        }
        Ok(())
    }
}

/// Keeps a segment and replaces those of the same model within its range. Not if something was forgotten since it was built: it would
/// bring back forgotten words. Nor if the store has moved to another model. True if it was kept.
pub(crate) fn keep_segment(
    connection: &mut Connection,
    space: &SpaceName,
    segment: &NewSegment<'_>,
) -> Result<bool, Error> {
    // Locks the space's row as a write does, so that nothing is forgotten meanwhile, and changes nothing in it.
    let hash: Value = space.digest().into();
    let take = "UPDATE spaces SET revision = revision WHERE name_hash = ?";
    connection.execute(take, std::slice::from_ref(&hash))?;
    let rows = connection.query("SELECT space_id, incarnation FROM spaces WHERE name_hash = ?", &[hash])?;
    let Some(row) = rows.first() else { return Ok(false) };
    let (space, incarnation): (Value, i64) = (row.int(0)?.into(), row.int(1)?);
    let forgotten = connection.query(
        "SELECT id FROM tombstones WHERE space_id = ? AND revision > ? LIMIT 1",
        &[space.clone(), segment.revision.into()],
    )?;
    if incarnation != segment.incarnation || !forgotten.is_empty() || !is_in_use(connection, segment.embedder)? {
        return Ok(false);
    }
    let (model, first, end): (Value, Value, Value) =
        (segment.model_hash.into(), segment.first.into(), segment.end.into());
    // Another process may already have merged it with its neighbours.
    let larger = connection.query(
        "SELECT end_id FROM segments WHERE space_id = ? AND model_hash = ? AND first_id <= ? AND end_id >= ? \
         AND end_id - first_id > ? LIMIT 1",
        &[space.clone(), model.clone(), first.clone(), end.clone(), Value::Int(segment.end - segment.first)],
    )?;
    if !larger.is_empty() {
        return Ok(true);
    }
    connection.execute(
        "DELETE FROM segments WHERE space_id = ? AND model_hash = ? AND first_id >= ? AND end_id <= ?",
        &[space.clone(), model.clone(), first.clone(), end.clone()],
    )?;
    let parts = segment.bytes.chunks(PART_BYTES);
    let row = |(part, bytes): (i64, &[u8])| {
        vec![
            space.clone(),
            model.clone(),
            first.clone(),
            end.clone(),
            part.into(),
            segment.revision.into(),
            segment.model.into(),
            Value::Int(segment.dimension as i64),
            Value::Bytes(bytes.to_vec()),
        ]
    };
    let rows: Vec<Vec<Value>> = (0..).zip(parts).map(row).collect();
    connection.insert("segments", &COLUMNS, &rows)?;
    Ok(true)
}
