//! The rules of the category tree (A7). The database checks them too, as far as it can; this is the one place in
//! code for the rest.

use crate::{Digest, Invalid};

const MAX_DEPTH: u32 = 100;

/// Where a category stands: its id and level. Roots of the tree have level 1 and no parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryPlace {
    pub id: i64,
    pub level: u32,
}

/// A category that may be written: its rules have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCategory {
    pub name: String,
    pub parent: Option<CategoryPlace>,
    pub level: u32,
    pub is_leaf: bool,
}

impl NewCategory {
    const MAX_NAME_BYTES: usize = 200;

    pub fn check(name: &str, parent: Option<CategoryPlace>, depth: u32) -> Result<Self, Invalid> {
        check_depth(depth)?;
        let level = parent.map_or(1, |parent| parent.level + 1);
        if level > depth {
            return Err(Invalid::new(
                format!("category {name:?} would stand on level {level} of a tree of {depth}"),
                "put it under a category of a higher level, or deepen the tree first",
            ));
        }
        let name = name.trim();
        if name.is_empty() || name.len() > Self::MAX_NAME_BYTES || name.chars().any(char::is_control) {
            return Err(Invalid::new(
                format!("{name:?} is not a name for a category"),
                "use 1 to 200 bytes without control characters",
            ));
        }
        Ok(Self { name: name.to_owned(), parent, level, is_leaf: level == depth })
    }

    /// What makes a name unique under its parent.
    pub fn name_digest(&self) -> Digest {
        Digest::of(&self.name)
    }
}

/// Whether a tree can have that many levels.
pub fn check_depth(depth: u32) -> Result<(), Invalid> {
    if (1..=MAX_DEPTH).contains(&depth) {
        return Ok(());
    }
    Err(Invalid::new(format!("a tree of {depth} levels is not possible"), "use a depth from 1 to 100"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a7_levels_follow_the_parent_and_end_at_the_depth() {
        let root = NewCategory::check("Travel", None, 3).unwrap();
        assert_eq!((root.level, root.is_leaf), (1, false));
        let leaf = NewCategory::check("Trains", Some(CategoryPlace { id: 7, level: 2 }), 3).unwrap();
        assert_eq!((leaf.level, leaf.is_leaf), (3, true));
        assert!(NewCategory::check("Too deep", Some(CategoryPlace { id: 9, level: 3 }), 3).is_err());
        assert!(NewCategory::check("  ", None, 3).is_err());
        for depth in [0, 101] {
            assert!(NewCategory::check("x", None, depth).is_err(), "{depth}");
        }
    }
}
