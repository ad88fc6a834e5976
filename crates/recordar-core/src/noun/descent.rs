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
    pub fn traversal(&self, configured: Traversal) -> Result<Traversal, Invalid> {
        // A strategy given in the request uses its own default numbers.
        let base = match self.strategy {
            Some(strategy) if strategy != configured.strategy => {
                let Traversal { max_per_level, max_paths, .. } = configured;
                Traversal { max_per_level, max_paths, ..Traversal::new(strategy) }
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
        self.check_numbers(traversal.strategy)?;
        Ok(traversal)
    }

    /// A number that the strategy does not use would have no effect.
    fn check_numbers(&self, strategy: TraversalStrategy) -> Result<(), Invalid> {
        let name = strategy.name();
        if self.n.is_some_and(|n| n > 1) && strategy == TraversalStrategy::OneShot {
            let what = format!("n does not apply to the strategy {name}, which follows one category on every level");
            return Err(Invalid::new(what, "leave it out, or use the strategy wide_branch, zoom_in or branch_out"));
        }
        let uses_n2 = matches!(strategy, TraversalStrategy::ZoomIn | TraversalStrategy::BranchOut);
        if self.n2.is_some_and(|n2| n2 > 0) && !uses_n2 {
            let what = format!("n2 does not apply to the strategy {name}");
            return Err(Invalid::new(what, "leave it out, or use the strategy zoom_in or branch_out"));
        }
        Ok(())
    }

    pub fn check_limits(&self, limit: usize) -> Result<(), Invalid> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i19_7_r8_a_number_that_the_strategy_does_not_use_is_refused() {
        let check = |strategy: TraversalStrategy, n: Option<u32>, n2: Option<u32>, problem: &str| {
            let options = DescentOptions { strategy: Some(strategy), n, n2, ..DescentOptions::default() };
            let found = options.traversal(Traversal::new(TraversalStrategy::default()));
            match problem {
                "" => assert!(found.is_ok(), "{options:?} {found:?}"),
                problem => assert!(found.unwrap_err().what.starts_with(problem), "{options:?}"),
            }
        };
        check(TraversalStrategy::OneShot, Some(3), None, "n does not apply to the strategy one_shot");
        check(TraversalStrategy::OneShot, Some(1), Some(0), "");
        check(TraversalStrategy::OneShot, None, Some(2), "n2 does not apply to the strategy one_shot");
        check(TraversalStrategy::WideBranch, Some(3), Some(2), "n2 does not apply to the strategy wide_branch");
        check(TraversalStrategy::ZoomIn, Some(3), Some(2), "");
        check(TraversalStrategy::BranchOut, Some(3), Some(2), "");
        // What the configuration says of all strategies stays.
        let configured = Traversal { n: 5, n2: 2, ..Traversal::new(TraversalStrategy::OneShot) };
        assert!(DescentOptions::default().traversal(configured).is_ok());
    }
}
