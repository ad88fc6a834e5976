//! Items by the ids that callers gave them, and items page by page.

use super::items::{ItemRow, SELECT_ITEM, item};
use crate::error::Error;
use crate::transaction::{Reading, SpaceId};
use crate::value::{Row, Value};
use recordar_domain::{Digest, ItemKind, Timestamp};

/// How many ids one statement looks up.
const IDS_AT_ONCE: usize = 500;

impl Reading<'_> {
    /// The items with these own ids, retired ones too, in the order of their ids.
    pub fn items_by_own_id(&mut self, space: SpaceId, own_ids: &[&str]) -> Result<Vec<ItemRow>, Error> {
        let mut found = Vec::new();
        for ids in own_ids.chunks(IDS_AT_ONCE) {
            let places = vec!["?"; ids.len()].join(", ");
            let sql = format!("{SELECT_ITEM} WHERE space_id = ? AND own_id_hash IN ({places})");
            let hashes = ids.iter().map(|id| Digest::of(id).into());
            let values: Vec<Value> = std::iter::once(space.into()).chain(hashes).collect();
            found.extend(self.query(&sql, &values)?.iter().map(item).collect::<Result<Vec<_>, _>>()?);
        }
        found.sort_by_key(|row: &ItemRow| row.id);
        found.dedup_by_key(|row| row.id);
        Ok(found)
    }

    /// The item with an own id that is live at a revision.
    pub fn live_by_own_id(&mut self, space: SpaceId, own_id: &str, at: i64) -> Result<Option<ItemRow>, Error> {
        let sql = format!(
            "{SELECT_ITEM} WHERE space_id = ? AND own_id_hash = ? AND born <= ? AND (retired IS NULL OR retired > ?) ORDER BY item_id LIMIT 1"
        );
        let values = [space.into(), Digest::of(own_id).into(), at.into(), at.into()];
        self.query_one(&sql, &values)?.as_ref().map(item).transpose()
    }

    /// The items that an item was derived from, in the order of their ids.
    pub fn sources_of_item(&mut self, space: SpaceId, id: i64) -> Result<Vec<i64>, Error> {
        let sql = "SELECT source_id FROM lineage WHERE space_id = ? AND item_id = ? ORDER BY source_id";
        self.query(sql, &[space.into(), id.into()])?.iter().map(|row| row.int(0)).collect()
    }

    /// The revision in which the next item after an id was stored, if there is one.
    pub fn born_after_item(&mut self, space: SpaceId, id: i64) -> Result<Option<i64>, Error> {
        let sql = "SELECT born FROM items WHERE space_id = ? AND item_id > ? ORDER BY item_id LIMIT 1";
        self.query_one(sql, &[space.into(), id.into()])?.map(|row| row.int(0)).transpose()
    }

    /// The next live items after an id, in the order of their ids: all, or those of one kind.
    pub fn live_items(
        &mut self,
        space: SpaceId,
        kind: Option<ItemKind>,
        after: i64,
        most: usize,
    ) -> Result<Vec<ItemRow>, Error> {
        let limit = Value::Int(i64::try_from(most).unwrap_or(i64::MAX));
        let rows = match kind {
            Some(kind) if kind != ItemKind::Chunk => return self.live_items_off_the_tree(space, kind, after, most),
            // Chunks are most of a space that has some, so that walking past the others costs little.
            Some(kind) => {
                let sql = format!(
                    "{SELECT_ITEM} WHERE space_id = ? AND item_id > ? AND kind = ? AND retired IS NULL \
                     ORDER BY item_id LIMIT ?"
                );
                self.query(&sql, &[space.into(), after.into(), kind.code().into(), limit])?
            }
            None => {
                let sql = format!(
                    "{SELECT_ITEM} WHERE space_id = ? AND item_id > ? AND retired IS NULL ORDER BY item_id LIMIT ?"
                );
                self.query(&sql, &[space.into(), after.into(), limit])?
            }
        };
        rows.iter().map(item).collect()
    }

    /// Messages, facts and summaries have no category, so the index of the leaves has them together, in the order they were recorded,
    /// which is that of their ids. As there, two statements that each start at their position in the index.
    fn live_items_off_the_tree(
        &mut self,
        space: SpaceId,
        kind: ItemKind,
        after: i64,
        most: usize,
    ) -> Result<Vec<ItemRow>, Error> {
        let items = self.dialect().by_index("items", "items_by_leaf");
        let select = SELECT_ITEM.replace("FROM items", &format!("FROM {items}"));
        let live = format!("{select} WHERE space_id = ? AND category_id IS NULL AND kind = ? AND retired IS NULL");
        let order = self.dialect().order_behind_nulls("category_id, retired", "recorded_at, item_id");
        let limit = |found: usize| Value::Int(i64::try_from(most - found).unwrap_or(i64::MAX));
        let own: [Value; 2] = [space.into(), kind.code().into()];
        let mut found: Vec<Row> = Vec::new();
        let time = self.recorded_by(space, after)?;
        if let Some(time) = time {
            let sql = format!("{live} AND recorded_at = ? AND item_id > ? {order} LIMIT ?");
            found = self.query(&sql, &[&own[..], &[time.into(), after.into(), limit(0)]].concat())?;
        }
        if found.len() < most {
            let time = time.map_or(i64::MIN, Timestamp::as_micros);
            let sql = format!("{live} AND recorded_at > ? {order} LIMIT ?");
            found.extend(self.query(&sql, &[&own[..], &[time.into(), limit(found.len())]].concat())?);
        }
        found.iter().map(item).collect()
    }

    /// When the last item up to an id was recorded.
    fn recorded_by(&mut self, space: SpaceId, id: i64) -> Result<Option<Timestamp>, Error> {
        let sql = "SELECT recorded_at FROM items WHERE space_id = ? AND item_id <= ? ORDER BY item_id DESC LIMIT 1";
        self.query_one(sql, &[space.into(), id.into()])?.map(|row| row.time(0)).transpose()
    }
}
