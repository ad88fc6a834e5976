//! The category tree. The schema refuses what breaks A7; the domain has checked it before.

use crate::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::Value;
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
}

impl Writing<'_> {
    /// Records the depth of the space's tree. It stays: another depth is a migration of its own.
    pub fn plant_tree(&mut self, depth: u32) -> Result<(), Error> {
        let space = self.space.id;
        match self.tree_depth(space)? {
            Some(planted) if planted == depth => Ok(()),
            Some(planted) => Err(Invalid::new(
                format!("the tree of {} has {planted} levels, and {depth} are configured", self.space.name),
                format!(
                    "set tree.hierarchy_depth to {planted}; changing the depth of a tree is a migration of its own"
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
        let space = self.space.id;
        let depth = self
            .tree_depth(space)?
            .ok_or_else(|| Invalid::new(format!("{} has no tree yet", self.space.name), "record its depth first"))?;
        let new = NewCategory::check(name, parent, depth)?;
        let id = self.take_ids(1);
        let revision = Value::Int(self.space.revision);
        let row = vec![
            space.into(),
            id.into(),
            new.parent.map(|parent| parent.id).into(),
            new.parent.map(|parent| i64::from(parent.level)).into(),
            new.parent.map_or(0, |parent| parent.id).into(),
            Value::Int(new.level.into()),
            Value::Int(depth.into()),
            Value::Int(new.is_leaf.into()),
            new.name_digest().into(),
            new.name.clone().into(),
            revision.clone(),
            revision,
        ];
        self.insert("categories", &COLUMNS, &[row])?;
        Ok(CategoryPlace { id, level: new.level })
    }

    /// Hangs a chunk on a leaf.
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
}
