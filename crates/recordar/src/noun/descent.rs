//! How a tree is descended.

use super::limits::MAX_CHUNKS;
use crate::tree::{Traversal, TraversalStrategy};
use recordar_domain::Invalid;

/// How the tree is descended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DescentOptions {
    pub strategy: Option<TraversalStrategy>,
    pub n: Option<u32>,
    pub n2: Option<u32>,
    /// Maximum categories selected under a parent, whatever the strategy.
    pub max_per_level: Option<u32>,
    pub max_paths: Option<u32>,
    /// Maximum chunks of each path, the first ones.
    pub limit_per_path: Option<usize>,
}

impl DescentOptions {
    /// The configured traversal with what these options change.
    pub(crate) fn traversal(&self, configured: Traversal) -> Result<Traversal, Invalid> {
        // A strategy given in the request uses its own default numbers.
        let base = match self.strategy {
            Some(strategy) if strategy != configured.strategy => {
                Traversal { max_paths: configured.max_paths, ..Traversal::new(strategy) }
            }
            _ => configured,
        };
        let traversal = Traversal {
            n: self.n.unwrap_or(base.n),
            n2: self.n2.unwrap_or(base.n2),
            max_per_level: self.max_per_level.unwrap_or(base.max_per_level),
            max_paths: self.max_paths.unwrap_or(base.max_paths),
            ..base
        };
        traversal.check()?;
        Ok(traversal)
    }

    pub(crate) fn check_limits(&self, limit: usize) -> Result<(), Invalid> {
        for (name, value) in [("limit", Some(limit)), ("limit_per_path", self.limit_per_path)] {
            if value.is_some_and(|value| value == 0 || value > MAX_CHUNKS) {
                return Err(Invalid::new(
                    format!("{name} is out of range"),
                    format!("use a number from 1 to {MAX_CHUNKS}"),
                ));
            }
        }
        Ok(())
    }
}
