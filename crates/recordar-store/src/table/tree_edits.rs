//! Edits of a tree by people (A7): renaming, moving and merging categories.

use super::categories::CategoryRow;
use crate::error::Error;
use crate::transaction::Writing;
use crate::value::Value;
use recordar_domain::{CategoryPlace, Invalid, NewCategory, name_key};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The result of a merge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// Categories that were merged into others.
    pub categories: u64,
    /// Chunks that moved to another leaf, retired ones too.
    pub chunks: u64,
}

impl Writing<'_> {
    pub fn rename_category(&mut self, id: i64, name: &str) -> Result<(), Error> {
        let category = self.known_category(id)?;
        let depth = self.planted_depth()?;
        let parent = category.parent.map(|parent| CategoryPlace { id: parent, level: category.level - 1 });
        let new = NewCategory::check(name, parent, depth)?;
        self.refuse_namesake(id, &new.name, category.parent)?;
        let values =
            [new.name_digest().into(), new.name.into(), self.space.revision.into(), self.space.id.into(), id.into()];
        let sql = "UPDATE categories SET name_hash = ?, name = ?, changed = ? WHERE space_id = ? AND category_id = ?";
        self.execute(sql, &values)?;
        Ok(())
    }

    /// Moves a category, with its subtree, under another parent on the same level as its own.
    pub fn move_category(&mut self, id: i64, parent: i64) -> Result<(), Error> {
        let category = self.known_category(id)?;
        let parent = self.known_category(parent)?;
        if category.parent == Some(parent.id) {
            return Ok(());
        }
        if category.level != parent.level + 1 {
            let remedy = match category.level {
                1 => "a root has no parent; merge it into another root, or rename it".to_owned(),
                level => format!("choose a parent on level {}", level - 1),
            };
            let CategoryRow { name, level, .. } = category;
            let what = format!(
                "{name:?} is on level {level} and cannot be moved under {:?} on level {}",
                parent.name, parent.level
            );
            return Err(Invalid::new(what, remedy).into());
        }
        self.refuse_namesake(id, &category.name, Some(parent.id))?;
        self.put_under(id, parent.id)?;
        self.remove_childless(category.parent)
    }

    /// Merges one category into another on the same level: children with the same name merge as well, others move, and the
    /// chunks of a leaf follow.
    pub fn merge_categories(&mut self, from: i64, into: i64) -> Result<Merged, Error> {
        let (from, into) = (self.known_category(from)?, self.known_category(into)?);
        if from.id == into.id {
            return Err(Invalid::new(
                format!("category {:?} cannot be merged into itself", from.name),
                "name two different categories",
            )
            .into());
        }
        if from.level != into.level {
            return Err(Invalid::new(
                format!("{:?} is on level {}, but {:?} is on level {}", from.name, from.level, into.name, into.level),
                "merge categories on the same level",
            )
            .into());
        }
        let mut merged = Merged::default();
        self.merge_into(&from, &into, &mut merged)?;
        self.remove_childless(from.parent)?;
        Ok(merged)
    }

    fn merge_into(&mut self, from: &CategoryRow, into: &CategoryRow, merged: &mut Merged) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        // The earlier children: categories that were separate under one parent stay separate.
        let there = self.children(space, Some(into.id))?;
        for child in self.children(space, Some(from.id))? {
            match namesake(&there, &child.name) {
                Some(same) => self.merge_into(&child, same, merged)?,
                None => self.put_under(child.id, into.id)?,
            }
        }
        let follow = "UPDATE items SET category_id = ?, changed = ? WHERE space_id = ? AND category_id = ?";
        merged.chunks += self.execute(follow, &[into.id.into(), revision.into(), space.into(), from.id.into()])?;
        let remove = "DELETE FROM categories WHERE space_id = ? AND category_id = ?";
        merged.categories += self.execute(remove, &[space.into(), from.id.into()])?;
        Ok(())
    }

    /// Removes an empty category, and its ancestors that are then empty as well.
    fn remove_childless(&mut self, mut category: Option<i64>) -> Result<(), Error> {
        let space = self.space.id;
        while let Some(id) = category {
            if !self.children(space, Some(id))?.is_empty() {
                break;
            }
            category = self.category_row(space, id)?.and_then(|row| row.parent);
            let remove = "DELETE FROM categories WHERE space_id = ? AND category_id = ?";
            self.execute(remove, &[space.into(), id.into()])?;
        }
        Ok(())
    }

    fn put_under(&mut self, id: i64, parent: i64) -> Result<(), Error> {
        let parent = Value::Int(parent);
        let sql =
            "UPDATE categories SET parent_id = ?, parent_key = ?, changed = ? WHERE space_id = ? AND category_id = ?";
        self.execute(sql, &[parent.clone(), parent, self.space.revision.into(), self.space.id.into(), id.into()])?;
        Ok(())
    }

    /// Two siblings must not have names that look the same to people: a merge decides which one stays.
    fn refuse_namesake(&mut self, id: i64, name: &str, parent: Option<i64>) -> Result<(), Error> {
        let space = self.space.id;
        let mut others = self.children(space, parent)?;
        others.retain(|other| other.id != id);
        match namesake(&others, name) {
            None => Ok(()),
            Some(same) => Err(Invalid::new(
                format!("there is already a category {:?} under the same parent", same.name),
                format!("merge category {id} into category {}, or rename one of them", same.id),
            )
            .into()),
        }
    }
}

/// The category with exactly that name, or else the first whose name looks the same to people.
fn namesake<'a>(categories: &'a [CategoryRow], name: &str) -> Option<&'a CategoryRow> {
    let key = name_key(name);
    let exact = categories.iter().find(|category| category.name == name);
    exact.or_else(|| categories.iter().find(|category| name_key(&category.name) == key))
}
