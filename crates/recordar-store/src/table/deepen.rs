//! A deeper tree (A7). The depth is part of every row, enforced by keys and checks, so all categories are removed and
//! reinserted with their ids in one transaction.

use super::categories::{CategoryRow, category, delete_categories};
use crate::error::Error;
use crate::transaction::Writing;
use crate::value::Value;
use recordar_domain::{Invalid, check_depth};
use std::collections::BTreeMap;

impl Writing<'_> {
    /// Adds levels to the tree. A leaf keeps its id and its chunks, and moves under a new category with the same name, which takes
    /// its place: `A > B` becomes `A > B > B`.
    pub fn deepen_tree(&mut self, depth: u32) -> Result<(), Error> {
        let before = self.planted_depth()?;
        check_depth(depth)?;
        if depth <= before {
            return Err(Invalid::new(
                format!(
                    "the tree of {} already has {before} levels, so it cannot be deepened to {depth}",
                    self.space.name
                ),
                "use a greater depth, up to 100; levels can be added but not removed",
            )
            .into());
        }
        let space: Value = self.space.id.into();
        let categories = self.categories_with_births()?;
        let chunks_by_leaf = self.take_chunks_off()?;
        delete_categories(self.connection(), &space)?;
        self.execute("UPDATE trees SET depth = ? WHERE space_id = ?", &[Value::Int(depth.into()), space])?;
        let mut deepened = Vec::with_capacity(categories.len());
        for (category, born) in categories {
            let above = if category.level == before { self.levels_above(&category, depth) } else { Vec::new() };
            let (level, parent) = above.last().map_or((category.level, category.parent), |last| (depth, Some(last.id)));
            deepened.extend(above.into_iter().map(|new| (new, self.space.revision)));
            deepened.push((CategoryRow { level, parent, ..category }, born));
        }
        deepened.sort_by_key(|(category, _)| (category.level, category.id));
        self.insert_categories(&deepened, depth)?;
        for (leaf, chunks) in chunks_by_leaf {
            self.hang_chunks(leaf, &chunks)?;
        }
        Ok(())
    }

    /// The new categories from the position of a leaf down to its new parent.
    fn levels_above(&mut self, leaf: &CategoryRow, depth: u32) -> Vec<CategoryRow> {
        let mut parent = leaf.parent;
        let level = |level| {
            let id = self.allocate_ids(1);
            CategoryRow { id, parent: parent.replace(id), level, name: leaf.name.clone() }
        };
        (leaf.level..depth).map(level).collect()
    }

    fn categories_with_births(&mut self) -> Result<Vec<(CategoryRow, i64)>, Error> {
        let sql = "SELECT category_id, parent_id, level, name, born FROM categories WHERE space_id = ? \
             ORDER BY level, category_id";
        let space = self.space.id;
        let rows = self.query(sql, &[space.into()])?;
        rows.iter().map(|row| Ok((category(row)?, row.int(4)?))).collect()
    }

    /// Takes all chunks off their leaves, retired ones too, and returns the leaf of each.
    fn take_chunks_off(&mut self) -> Result<BTreeMap<i64, Vec<i64>>, Error> {
        let space: Value = self.space.id.into();
        let sql = "SELECT category_id, item_id FROM items WHERE space_id = ? AND category_id > ?";
        let mut chunks_by_leaf: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for row in self.query(sql, &[space.clone(), Value::Int(0)])? {
            chunks_by_leaf.entry(row.int(0)?).or_default().push(row.int(1)?);
        }
        let sql = "UPDATE items SET category_id = NULL, category_leaf = NULL, changed = ? \
             WHERE space_id = ? AND category_id > ?";
        self.execute(sql, &[self.space.revision.into(), space, Value::Int(0)])?;
        Ok(chunks_by_leaf)
    }
}
