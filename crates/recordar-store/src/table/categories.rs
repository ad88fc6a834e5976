//! The category tree. The schema enforces A7; the domain has checked it before.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{CategoryPlace, Digest, Invalid, NewCategory, check_depth};

pub(crate) const COLUMNS: [&str; 12] = [
    "space_id",
    "category_id",
    "parent_id",
    "parent_level",
    "parent_key",
    "level",
    "depth",
    "leaf",
    "name_hash",
    "name",
    "born",
    "changed",
];
const SELECT: &str = "SELECT category_id, parent_id, level, name FROM categories";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryRow {
    pub id: i64,
    pub parent: Option<i64>,
    /// 1 for a root, and the depth of the tree for a leaf.
    pub level: u32,
    pub name: String,
}

impl Reading<'_> {
    /// The depth recorded with the space's tree, once it has one.
    pub fn tree_depth(&mut self, space: SpaceId) -> Result<Option<u32>, Error> {
        let row = self.query_one("SELECT depth FROM trees WHERE space_id = ?", &[space.into()])?;
        row.map(|row| row.int(0)).transpose().map(|depth| depth.map(|depth| depth as u32))
    }

    /// The category of that name under that parent.
    pub fn category(
        &mut self,
        space: SpaceId,
        parent: Option<i64>,
        name: &str,
    ) -> Result<Option<CategoryPlace>, Error> {
        let row = self.query_one(
            "SELECT category_id, level FROM categories WHERE space_id = ? AND parent_key = ? AND name_hash = ?",
            &[space.into(), parent.unwrap_or(0).into(), Digest::of(name.trim()).into()],
        )?;
        row.map(|row| Ok(CategoryPlace { id: row.int(0)?, level: row.int(1)? as u32 })).transpose()
    }

    pub fn category_row(&mut self, space: SpaceId, id: i64) -> Result<Option<CategoryRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND category_id = ?");
        self.query_one(&sql, &[space.into(), id.into()])?.as_ref().map(category).transpose()
    }

    /// The whole tree, level by level, and in the order of ids within a level.
    pub fn categories(&mut self, space: SpaceId) -> Result<Vec<CategoryRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? ORDER BY level, category_id");
        self.query(&sql, &[space.into()])?.iter().map(category).collect()
    }

    /// The children of a category, or the roots, by id.
    pub fn children(&mut self, space: SpaceId, parent: Option<i64>) -> Result<Vec<CategoryRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND parent_key = ?");
        let rows = self.query(&sql, &[space.into(), parent.unwrap_or(0).into()])?;
        let mut children: Vec<CategoryRow> = rows.iter().map(category).collect::<Result<_, _>>()?;
        // Sorted here, because MariaDB would walk the whole tree in that order rather than sort a few rows.
        children.sort_by_key(|child| child.id);
        Ok(children)
    }
}

pub(super) fn category(row: &Row) -> Result<CategoryRow, Error> {
    Ok(CategoryRow { id: row.int(0)?, parent: row.optional_int(1)?, level: row.int(2)? as u32, name: row.text(3)? })
}

impl Writing<'_> {
    /// Records the depth of the space's tree. It is fixed: another depth needs a migration.
    pub fn plant_tree(&mut self, depth: u32) -> Result<(), Error> {
        let space = self.space.id;
        match self.tree_depth(space)? {
            Some(planted) if planted == depth => Ok(()),
            Some(planted) => Err(Invalid::new(
                format!("the tree of {} has {planted} levels, but {depth} are configured", self.space.name),
                format!(
                    "set tree.hierarchy_depth to {planted}; to add levels to this tree, use `recordar tree deepen` (deepen_tree)"
                ),
            )
            .into()),
            None => {
                check_depth(depth)?;
                self.insert("trees", &["space_id", "depth"], &[vec![space.into(), Value::Int(depth.into())]])
            }
        }
    }

    /// Adds a category under its parent. The tree must have been planted.
    pub fn add_category(&mut self, name: &str, parent: Option<CategoryPlace>) -> Result<CategoryPlace, Error> {
        let depth = self.planted_depth()?;
        let new = NewCategory::check(name, parent, depth)?;
        let id = self.allocate_ids(1);
        let category = CategoryRow { id, parent: parent.map(|parent| parent.id), level: new.level, name: new.name };
        let born = self.space.revision;
        self.insert_categories(&[(category, born)], depth)?;
        Ok(CategoryPlace { id, level: new.level })
    }

    /// Puts a chunk on a leaf.
    pub fn classify(&mut self, item_id: i64, category_id: i64) -> Result<(), Error> {
        let values =
            [category_id.into(), Value::Int(1), self.space.revision.into(), self.space.id.into(), item_id.into()];
        self.execute(
            "UPDATE items SET category_id = ?, category_leaf = ?, changed = ? WHERE space_id = ? AND item_id = ?",
            &values,
        )
        .and_then(|changed| match changed {
            0 => Err(Error::absent(format!("item {item_id} in space {}", self.space.name))),
            _ => Ok(()),
        })
    }

    /// The depth of the tree, which must have been planted.
    pub(super) fn planted_depth(&mut self) -> Result<u32, Error> {
        let space = self.space.id;
        let depth = self.tree_depth(space)?;
        let unplanted = || Invalid::new(format!("{} has no tree yet", self.space.name), "set its depth first");
        Ok(depth.ok_or_else(unplanted)?)
    }

    /// A category that must exist.
    pub(super) fn known_category(&mut self, id: i64) -> Result<CategoryRow, Error> {
        let space = self.space.id;
        let found = self.category_row(space, id)?;
        found.ok_or_else(|| Error::absent(format!("category {id} in space {}", self.space.name)))
    }

    /// Writes categories, each with the revision of its birth, parents before their children.
    pub(super) fn insert_categories(&mut self, categories: &[(CategoryRow, i64)], depth: u32) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let row = |(category, born): &(CategoryRow, i64)| {
            vec![
                space.into(),
                category.id.into(),
                category.parent.into(),
                category.parent.map(|_| i64::from(category.level) - 1).into(),
                category.parent.unwrap_or(0).into(),
                Value::Int(category.level.into()),
                Value::Int(depth.into()),
                Value::Int((category.level == depth).into()),
                Digest::of(&category.name).into(),
                category.name.as_str().into(),
                (*born).into(),
                revision.into(),
            ]
        };
        self.insert("categories", &COLUMNS, &categories.iter().map(row).collect::<Vec<_>>())
    }
}

/// Removes all categories of a space, children first: MySQL checks foreign keys row by row.
pub(super) fn delete_categories(connection: &mut Connection, space: &Value) -> Result<(), Error> {
    let depth = connection.query("SELECT depth FROM trees WHERE space_id = ?", std::slice::from_ref(space))?;
    for level in (1..=depth.first().map_or(Ok(0), |row| row.int(0))?).rev() {
        let sql = "DELETE FROM categories WHERE space_id = ? AND level = ?";
        connection.execute(sql, &[space.clone(), level.into()])?;
    }
    Ok(())
}
