//! The spaces that a confined caller may read and write.

use recordar_domain::{SpaceName, SpacePattern};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    pub read: Vec<SpacePattern>,
    pub write: Vec<SpacePattern>,
}

impl Within {
    /// One space that may be written, and others that may be read.
    pub fn spaces(own: &SpaceName, also: &[SpaceName]) -> Self {
        let read = std::iter::once(own).chain(also).map(SpacePattern::exactly).collect();
        Self { read, write: vec![SpacePattern::exactly(own)] }
    }

    /// What may be written may be read.
    pub fn may_read(&self, space: &SpaceName) -> bool {
        self.read.iter().any(|pattern| pattern.matches(space)) || self.may_write(space)
    }

    pub fn may_write(&self, space: &SpaceName) -> bool {
        self.write.iter().any(|pattern| pattern.matches(space))
    }

    /// Whether a name is that of a space that may be read.
    pub(crate) fn may_read_named(&self, name: &str) -> bool {
        SpaceName::parse(name).is_ok_and(|space| self.may_read(&space))
    }
}
