//! The chunks on the leaves of the tree (A7, A8): counting them, reading them page by page in order, and placing them.

use super::categories::CategoryRow;
use super::forget::ranges;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Invalid, ItemKind, Timestamp};
use std::collections::BTreeSet;

const SELECT: &str = "SELECT item_id, document_id, section, content, tokens, occurred_at, recorded_at FROM";
/// Which chunks are read, those of a leaf or those without one, and which columns of the index are then NULL.
const OF_LEAF: (&str, &str) = ("category_id = ?", "retired");
const WAITING: (&str, &str) = ("category_id IS NULL", "category_id, retired");

/// A live chunk with the details that a reader of its leaf is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafChunk {
    pub id: i64,
    pub document_id: i64,
    pub section: Option<String>,
    pub text: String,
    pub tokens: i64,
    pub occurred_at: Timestamp,
    /// When it was recorded here.
    pub created_at: Timestamp,
}

/// A live chunk without a category, with what its document says of itself there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingChunk {
    pub id: i64,
    pub document_id: i64,
    pub section: Option<String>,
    /// Its text, if it was the first chunk of its version when it was stored.
    pub beginning: Option<String>,
    pub created_at: Timestamp,
}

/// A document with its live version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveDocument {
    pub id: i64,
    pub version_id: i64,
    pub path: String,
    pub filename: String,
}

const SELECT_WAITING: &str = "SELECT item_id, document_id, section, \
     CASE WHEN position = 0 THEN content ELSE NULL END, recorded_at FROM";

impl Reading<'_> {
    /// The leaves that have a live chunk, in the order of ids.
    pub fn live_leaves(&mut self, space: SpaceId) -> Result<BTreeSet<i64>, Error> {
        let sql = "SELECT c.category_id FROM categories c WHERE c.space_id = ? AND c.leaf = ? AND EXISTS \
             (SELECT i.item_id FROM items i WHERE i.space_id = c.space_id AND i.category_id = c.category_id \
             AND i.kind = ? AND i.retired IS NULL)";
        let rows = self.query(sql, &[space.into(), Value::Int(1), ItemKind::Chunk.code().into()])?;
        rows.iter().map(|row| row.int(0)).collect()
    }

    /// The categories that lead to a live chunk, level by level, and in the order of ids within a level.
    pub fn living_categories(&mut self, space: SpaceId) -> Result<Vec<CategoryRow>, Error> {
        let leaves = self.live_leaves(space)?;
        self.categories_above(space, leaves)
    }

    /// The categories that lead to these leaves, and the leaves, in the same order.
    pub fn categories_above(&mut self, space: SpaceId, leaves: BTreeSet<i64>) -> Result<Vec<CategoryRow>, Error> {
        let (mut rows, mut living) = (self.categories(space)?, leaves);
        // Parents come before their children.
        for row in rows.iter().rev() {
            if let (true, Some(parent)) = (living.contains(&row.id), row.parent) {
                living.insert(parent);
            }
        }
        rows.retain(|row| living.contains(&row.id));
        Ok(rows)
    }

    /// The live chunks that are on a leaf, and the leaf of each, by leaf. Answered from the index alone.
    pub fn placed_items(&mut self, space: SpaceId) -> Result<Vec<(i64, i64)>, Error> {
        let items = self.dialect().by_index("items", "items_by_leaf");
        let sql = format!(
            "SELECT category_id, item_id FROM {items} \
             WHERE space_id = ? AND category_id IS NOT NULL AND kind = ? AND retired IS NULL"
        );
        let rows = self.query(&sql, &[space.into(), ItemKind::Chunk.code().into()])?;
        let mut placed: Vec<(i64, i64)> =
            rows.iter().map(|row| Ok((row.int(1)?, row.int(0)?))).collect::<Result<_, Error>>()?;
        placed.sort_unstable();
        Ok(placed)
    }

    /// The leaves of some live chunks, as pairs of chunk and leaf in the order of the chunks' ids.
    pub fn leaves_of(&mut self, space: SpaceId, ids: &[i64]) -> Result<Vec<(i64, i64)>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let places = vec!["?"; ids.len()].join(", ");
        let sql = format!(
            "SELECT item_id, category_id FROM items WHERE space_id = ? AND item_id IN ({places}) \
             AND category_id IS NOT NULL AND retired IS NULL ORDER BY item_id"
        );
        let values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
        self.query(&sql, &values)?.iter().map(|row| Ok((row.int(0)?, row.int(1)?))).collect()
    }

    /// The ids of all live chunks of a leaf, by the time they were recorded and then by id.
    pub fn leaf_ids(&mut self, space: SpaceId, leaf: i64) -> Result<Vec<i64>, Error> {
        let items = self.dialect().by_index("items", "items_by_leaf");
        let order = self.dialect().order_behind_nulls("retired", "recorded_at, item_id");
        let sql = format!(
            "SELECT item_id FROM {items} WHERE space_id = ? AND category_id = ? AND kind = ? AND retired IS NULL {order}"
        );
        let rows = self.query(&sql, &[space.into(), leaf.into(), ItemKind::Chunk.code().into()])?;
        rows.iter().map(|row| row.int(0)).collect()
    }

    /// Some live chunks, in the order of their ids; those that do not exist are left out.
    pub fn live_chunks(&mut self, space: SpaceId, ids: &[i64]) -> Result<Vec<LeafChunk>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let places = vec!["?"; ids.len()].join(", ");
        let sql = format!(
            "{SELECT} items WHERE space_id = ? AND item_id IN ({places}) AND kind = ? AND retired IS NULL ORDER BY item_id"
        );
        let mut values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
        values.push(ItemKind::Chunk.code().into());
        self.query(&sql, &values)?.iter().map(leaf_chunk).collect()
    }

    /// Chunks with the headings that are above them now.
    pub fn with_headings(&mut self, space: SpaceId, mut chunks: Vec<LeafChunk>) -> Result<Vec<LeafChunk>, Error> {
        let ids: Vec<i64> = chunks.iter().map(|chunk| chunk.id).collect();
        let mut headings = self.headings_now(space, &ids)?;
        for chunk in &mut chunks {
            if let Some(heading) = headings.remove(&chunk.id) {
                chunk.section = heading.section;
            }
        }
        Ok(chunks)
    }

    /// The documents that have a live version, in the order of the versions' ids.
    pub fn live_documents(&mut self, space: SpaceId) -> Result<Vec<LiveDocument>, Error> {
        let sql = "SELECT d.document_id, v.version_id, d.path, d.filename FROM versions v \
             JOIN documents d ON d.space_id = v.space_id AND d.document_id = v.document_id \
             WHERE v.space_id = ? AND v.retired IS NULL ORDER BY v.version_id";
        let rows = self.query(sql, &[space.into()])?;
        let document = |row: &Row| {
            let (path, filename) = (row.text(2)?, row.text(3)?);
            Ok(LiveDocument { id: row.int(0)?, version_id: row.int(1)?, path, filename })
        };
        rows.iter().map(document).collect()
    }

    /// The next live chunks without a category, by the time they were recorded and then by id.
    pub fn waiting_outlines(
        &mut self,
        space: SpaceId,
        after: Option<(Timestamp, i64)>,
        most: usize,
    ) -> Result<Vec<WaitingChunk>, Error> {
        let rows = self.page_rows(SELECT_WAITING, WAITING, &[space.into()], after, most)?;
        rows.iter().map(waiting_chunk).collect()
    }

    /// The live chunks of a document that have no category, in the order they were stored.
    pub fn waiting_of_document(&mut self, space: SpaceId, document_id: i64) -> Result<Vec<WaitingChunk>, Error> {
        let sql = format!(
            "{SELECT_WAITING} items WHERE space_id = ? AND document_id = ? AND category_id IS NULL AND kind = ? \
             AND retired IS NULL ORDER BY item_id"
        );
        let rows = self.query(&sql, &[space.into(), document_id.into(), ItemKind::Chunk.code().into()])?;
        rows.iter().map(waiting_chunk).collect()
    }

    /// Every leaf with the number of its live chunks, which may be 0, in the order of ids.
    pub fn chunks_by_leaf(&mut self, space: SpaceId) -> Result<Vec<(i64, u64)>, Error> {
        let sql = "SELECT c.category_id, (SELECT COUNT(*) FROM items i WHERE i.space_id = c.space_id \
             AND i.category_id = c.category_id AND i.kind = ? AND i.retired IS NULL) \
             FROM categories c WHERE c.space_id = ? AND c.leaf = ? ORDER BY c.category_id";
        let rows = self.query(sql, &[ItemKind::Chunk.code().into(), space.into(), Value::Int(1)])?;
        rows.iter().map(|row| Ok((row.int(0)?, row.int(1)? as u64))).collect()
    }

    /// The number of live chunks without a category.
    pub fn unclassified_chunks(&mut self, space: SpaceId) -> Result<u64, Error> {
        let sql = "SELECT COUNT(*) FROM items \
             WHERE space_id = ? AND category_id IS NULL AND kind = ? AND retired IS NULL";
        let row = self.query_one(sql, &[space.into(), ItemKind::Chunk.code().into()])?;
        row.map_or(Ok(0), |row| row.int(0)).map(|count| count as u64)
    }

    /// The next live chunks of a leaf, by the time they were recorded and then by id.
    pub fn leaf_chunks(
        &mut self,
        space: SpaceId,
        leaf: i64,
        after: Option<(Timestamp, i64)>,
        most: usize,
    ) -> Result<Vec<LeafChunk>, Error> {
        self.page(OF_LEAF, &[space.into(), leaf.into()], after, most)
    }

    /// The next live chunks without a category, in the same order.
    pub fn waiting_chunks(
        &mut self,
        space: SpaceId,
        after: Option<(Timestamp, i64)>,
        most: usize,
    ) -> Result<Vec<LeafChunk>, Error> {
        self.page(WAITING, &[space.into()], after, most)
    }

    /// The texts of a document's chunks that are live at a revision and on a leaf, and the leaf of each.
    pub fn placed_chunks(&mut self, space: SpaceId, document_id: i64, at: i64) -> Result<Vec<(String, i64)>, Error> {
        let sql = "SELECT content, category_id FROM items WHERE space_id = ? AND document_id = ? \
             AND category_id IS NOT NULL AND born <= ? AND (retired IS NULL OR retired > ?) ORDER BY item_id";
        let rows = self.query(sql, &[space.into(), document_id.into(), at.into(), at.into()])?;
        rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
    }

    /// Whether a chunk is live and has no category.
    pub fn is_waiting(&mut self, space: SpaceId, id: i64) -> Result<bool, Error> {
        let sql = "SELECT item_id FROM items WHERE space_id = ? AND item_id = ? AND kind = ? AND category_id IS NULL \
             AND retired IS NULL";
        let values = [space.into(), id.into(), ItemKind::Chunk.code().into()];
        Ok(self.query_one(sql, &values)?.is_some())
    }

    /// First the rest of those recorded at the same time as the last one, then the later ones: two statements that each start
    /// at their position in the index on all three databases, however many rows come before.
    fn page(
        &mut self,
        (whose, nulls): (&str, &str),
        bound: &[Value],
        after: Option<(Timestamp, i64)>,
        most: usize,
    ) -> Result<Vec<LeafChunk>, Error> {
        self.page_rows(SELECT, (whose, nulls), bound, after, most)?.iter().map(leaf_chunk).collect()
    }

    fn page_rows(
        &mut self,
        select: &str,
        (whose, nulls): (&str, &str),
        bound: &[Value],
        after: Option<(Timestamp, i64)>,
        most: usize,
    ) -> Result<Vec<Row>, Error> {
        let items = self.dialect().by_index("items", "items_by_leaf");
        let chunks = format!("{select} {items} WHERE space_id = ? AND {whose} AND kind = ? AND retired IS NULL");
        let order = self.dialect().order_behind_nulls(nulls, "recorded_at, item_id");
        let mut values = bound.to_vec();
        values.push(ItemKind::Chunk.code().into());
        let limit = |found: usize| Value::Int(i64::try_from(most - found).unwrap_or(i64::MAX));
        let mut found = Vec::new();
        if let Some((time, id)) = after {
            let sql = format!("{chunks} AND recorded_at = ? AND item_id > ? {order} LIMIT ?");
            found = self.query(&sql, &[&values[..], &[time.into(), id.into(), limit(0)]].concat())?;
        }
        if found.len() < most {
            let time = after.map_or(i64::MIN, |(time, _)| time.as_micros());
            let sql = format!("{chunks} AND recorded_at > ? {order} LIMIT ?");
            found.extend(self.query(&sql, &[&values[..], &[time.into(), limit(found.len())]].concat())?);
        }
        Ok(found)
    }
}

fn waiting_chunk(row: &Row) -> Result<WaitingChunk, Error> {
    Ok(WaitingChunk {
        id: row.int(0)?,
        document_id: row.int(1)?,
        section: row.optional_text(2)?,
        beginning: row.optional_text(3)?,
        created_at: row.time(4)?,
    })
}

fn leaf_chunk(row: &Row) -> Result<LeafChunk, Error> {
    Ok(LeafChunk {
        id: row.int(0)?,
        document_id: row.int(1)?,
        section: row.optional_text(2)?,
        text: row.text(3)?,
        tokens: row.int(4)?,
        occurred_at: row.time(5)?,
        created_at: row.time(6)?,
    })
}

impl Writing<'_> {
    /// Puts chunks on a leaf, retired ones too, and returns their number. Other items and forgotten chunks are skipped. They do not
    /// count as changed: their words are the same, so that an index stays valid.
    pub fn hang_chunks(&mut self, leaf_id: i64, chunks: &[i64]) -> Result<u64, Error> {
        let depth = self.planted_depth()?;
        let leaf = self.known_category(leaf_id)?;
        if leaf.level != depth {
            return Err(Invalid::new(
                format!("category {:?} is on level {} and is not a leaf", leaf.name, leaf.level),
                format!("put chunks on a category of level {depth} below it"),
            )
            .into());
        }
        let sql = "UPDATE items SET category_id = ?, category_leaf = ? \
             WHERE space_id = ? AND item_id >= ? AND item_id < ? AND kind = ?";
        let mut hung = 0;
        for (first, end) in ranges(BTreeSet::from_iter(chunks.iter().copied()).into_iter()) {
            let values = [
                leaf_id.into(),
                Value::Int(1),
                self.space.id.into(),
                first.into(),
                end.into(),
                ItemKind::Chunk.code().into(),
            ];
            hung += self.execute(sql, &values)?;
        }
        Ok(hung)
    }
}
