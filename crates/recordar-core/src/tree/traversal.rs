//! How many categories are followed on each level of a descent (A9).

use recordar_domain::Invalid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraversalStrategy {
    /// One category on every level.
    OneShot,
    /// N on every level, under each parent.
    #[default]
    WideBranch,
    /// N on the first level, and N2 fewer on each further level.
    ZoomIn,
    /// N on the first level, and N2 more on each further level.
    BranchOut,
}

impl TraversalStrategy {
    pub const ALL: [Self; 4] = [Self::OneShot, Self::WideBranch, Self::ZoomIn, Self::BranchOut];

    pub fn name(self) -> &'static str {
        match self {
            Self::OneShot => "one_shot",
            Self::WideBranch => "wide_branch",
            Self::ZoomIn => "zoom_in",
            Self::BranchOut => "branch_out",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| {
            let remedy = "use \"one_shot\", \"wide_branch\", \"zoom_in\" or \"branch_out\"";
            Invalid::new(format!("unrecognised traversal strategy {name:?}"), remedy)
        })
    }
}

/// A descent: its strategy and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Traversal {
    pub strategy: TraversalStrategy,
    pub n: u32,
    pub n2: u32,
    /// Maximum categories followed under a parent, whatever the strategy.
    pub max_per_level: u32,
    /// Maximum number of paths; the lowest-ranked are dropped.
    pub max_paths: u32,
}

impl Traversal {
    pub const MAX_N: u32 = 128;
    pub const MAX_PATHS: u32 = 1_000;

    /// A strategy with its default numbers.
    pub fn new(strategy: TraversalStrategy) -> Self {
        let (n, n2) = match strategy {
            TraversalStrategy::OneShot => (1, 0),
            TraversalStrategy::WideBranch => (3, 0),
            TraversalStrategy::ZoomIn | TraversalStrategy::BranchOut => (6, 2),
        };
        Self { strategy, n, n2, max_per_level: Self::MAX_N, max_paths: 64 }
    }

    pub fn check(&self) -> Result<(), Invalid> {
        let within = |name: &str, value: u32, least: u32, most: u32| match (least..=most).contains(&value) {
            true => Ok(()),
            false => Err(Invalid::new(
                format!("{name} {value} is out of range"),
                format!("use a number from {least} to {most}"),
            )),
        };
        within("n", self.n, 1, Self::MAX_N)?;
        within("n2", self.n2, 0, Self::MAX_N)?;
        within("max_per_level", self.max_per_level, 1, Self::MAX_N)?;
        within("max_paths", self.max_paths, 1, Self::MAX_PATHS)
    }

    /// How many may be selected on a level, under each parent; at least one.
    pub fn at(&self, level: u32) -> u32 {
        let further = level.saturating_sub(1).saturating_mul(self.n2);
        let n = match self.strategy {
            TraversalStrategy::OneShot => 1,
            TraversalStrategy::WideBranch => self.n,
            TraversalStrategy::ZoomIn => self.n.saturating_sub(further),
            TraversalStrategy::BranchOut => self.n.saturating_add(further),
        };
        n.clamp(1, self.max_per_level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_r8_each_strategy_follows_as_many_as_it_says() {
        let check = |traversal: Traversal, expected: [u32; 5]| {
            assert_eq!([1, 2, 3, 4, 5].map(|level| traversal.at(level)), expected, "{traversal:?}");
        };
        check(Traversal::new(TraversalStrategy::OneShot), [1, 1, 1, 1, 1]);
        check(Traversal::new(TraversalStrategy::WideBranch), [3, 3, 3, 3, 3]);
        check(Traversal::new(TraversalStrategy::ZoomIn), [6, 4, 2, 1, 1]);
        check(Traversal::new(TraversalStrategy::BranchOut), [6, 8, 10, 12, 14]);
        check(Traversal { max_per_level: 9, ..Traversal::new(TraversalStrategy::BranchOut) }, [6, 8, 9, 9, 9]);
        check(Traversal { n: 2, n2: 9, ..Traversal::new(TraversalStrategy::ZoomIn) }, [2, 1, 1, 1, 1]);
        assert!(Traversal { n: 0, ..Traversal::new(TraversalStrategy::ZoomIn) }.check().is_err());
    }
}
