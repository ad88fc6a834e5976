//! How many categories each level of a tree may have.

use std::collections::BTreeMap;

/// How many categories a level may have: one number for all, and others for some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryLimits {
    pub(crate) default: u32,
    pub(crate) by_level: BTreeMap<u32, u32>,
}

impl CategoryLimits {
    pub fn at(&self, level: u32) -> u32 {
        self.by_level.get(&level).copied().unwrap_or(self.default)
    }
}
