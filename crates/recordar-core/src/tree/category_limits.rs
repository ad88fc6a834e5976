//! How many categories each level of a tree may have.

use std::collections::BTreeMap;

/// Maximum categories per level: one number for all, with exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryLimits {
    pub default: u32,
    pub by_level: BTreeMap<u32, u32>,
}

impl CategoryLimits {
    pub fn at(&self, level: u32) -> u32 {
        self.by_level.get(&level).copied().unwrap_or(self.default)
    }
}
