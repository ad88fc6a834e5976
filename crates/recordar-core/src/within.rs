//! What a call does, and the spaces that a confined caller may read and write.

use crate::error::Error;
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
    pub fn may_read_named(&self, name: &str) -> bool {
        SpaceName::parse(name).is_ok_and(|space| self.may_read(&space))
    }

    /// Refuses a space that may not be read, or written to.
    pub fn check(&self, space: &SpaceName, effect: Effect) -> Result<(), Error> {
        let (may, access) = match effect {
            Effect::Reads => (self.may_read(space), "read"),
            Effect::Writes | Effect::Destroys => (self.may_write(space), "write"),
        };
        if may {
            return Ok(());
        }
        let what = format!("no {access} access to the space {space}");
        Err(Error::input("out_of_reach", what, "use a space you have access to, or ask an administrator for access"))
    }
}

/// The effect of a call on stored data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Writes,
    /// Deletes permanently.
    Destroys,
}

impl Effect {
    pub fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Destroys => "destroys",
        }
    }
}
