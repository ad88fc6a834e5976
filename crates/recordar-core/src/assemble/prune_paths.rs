//! PRUNE (A10): whole paths are dropped until the final prompt fits.

use super::fit::fit;
use crate::noun::path::{DroppedPath, TreePath};
use crate::tree::SEPARATOR;
use recordar_domain::{Action, Stage};

pub struct Pruned {
    /// Whether each of the paths is kept.
    pub kept: Vec<bool>,
    /// In the order dropped.
    pub dropped: Vec<DroppedPath>,
    /// The prompt's final token count.
    pub tokens: usize,
    pub stage: Stage,
}

/// Drops the lowest-ranked path, or without rankings the last by id, until `tokens` of the kept paths is within the limit.
pub fn prune(paths: &[TreePath], most: usize, use_rankings: bool, tokens: impl Fn(&[bool]) -> usize) -> Pruned {
    let mut pruned =
        Pruned { kept: vec![true; paths.len()], dropped: Vec::new(), tokens: 0, stage: Stage::new("prune") };
    let mut worst: Vec<usize> = (0..paths.len()).collect();
    match use_rankings {
        true => worst.sort_by(|one, other| paths[*one].order().cmp(&paths[*other].order())),
        false => worst.sort_by(|one, other| paths[*one].ids.cmp(&paths[*other].ids)),
    }
    let kept = |count: usize| {
        let mut kept = vec![false; paths.len()];
        worst[..count].iter().for_each(|at| kept[*at] = true);
        kept
    };
    let (count, taken) = fit(
        paths.len(),
        most,
        |count| tokens(&kept(count)),
        |at, taken| {
            let path = &paths[worst[at]];
            let by = if use_rankings { format!("rank {:?}", path.ranks) } else { "last in order".to_owned() };
            let detail = format!("{by}: the prompt would have {taken} tokens; the limit is {most}");
            pruned.stage.decide(path.names.join(SEPARATOR), Action::Dropped, "max_token_budget", &detail);
            pruned.dropped.push(path.dropped("max_token_budget", &detail));
        },
    );
    (pruned.kept, pruned.tokens) = (kept(count), taken);
    if taken <= most {
        let detail = format!("{taken} of {most} tokens");
        pruned.stage.decide("prompt", Action::Kept, "max_token_budget", detail);
    } else {
        let detail = format!("{taken} tokens without any path; the limit is {most}");
        pruned.stage.decide("prompt", Action::Refused, "max_token_budget", detail);
    }
    pruned
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(id: i64, rank: u32) -> TreePath {
        TreePath { ids: vec![id], ranks: vec![rank], names: vec![format!("p{id}")], ..TreePath::default() }
    }

    fn dropped(pruned: &Pruned) -> Vec<&str> {
        pruned.dropped.iter().map(|path| path.category_path[0].as_str()).collect()
    }

    #[test]
    fn a10_r9_4_and_5_the_lowest_rank_goes_first_or_the_last_in_order() {
        let paths = [path(4, 3), path(2, 2), path(9, 1)];
        let tokens = |kept: &[bool]| kept.iter().filter(|kept| **kept).count() * 10;
        assert_eq!(dropped(&prune(&paths, 15, true, tokens)), ["p9", "p2"]);
        assert_eq!(dropped(&prune(&paths, 15, false, tokens)), ["p9", "p4"]);
        assert_eq!(dropped(&prune(&paths, 30, true, tokens)), [""; 0]);
    }

    proptest! {
        #[test]
        fn a10_prune_keeps_to_the_budget_keeps_order_and_records_every_drop(
            sizes in proptest::collection::vec((1_u32..9, 0_usize..200, 0_i64..50), 0..20),
            fixed in 0_usize..100,
            most in 0_usize..900,
            use_rankings: bool,
        ) {
            let paths: Vec<TreePath> =
                (0..).zip(&sizes).map(|(at, (rank, _, id))| path(*id * 100 + at, *rank)).collect();
            let tokens = |kept: &[bool]| {
                fixed + kept.iter().zip(&sizes).filter(|(kept, _)| **kept).map(|(_, (_, size, _))| size).sum::<usize>()
            };
            let pruned = prune(&paths, most, use_rankings, tokens);
            let left = pruned.kept.iter().filter(|kept| **kept).count();
            prop_assert!(pruned.tokens <= most || left == 0);
            prop_assert_eq!(pruned.tokens, tokens(&pruned.kept));
            prop_assert_eq!(left + pruned.dropped.len(), paths.len());
            let decided = pruned.stage.decisions.iter().filter(|decision| decision.action == Action::Dropped).count();
            prop_assert_eq!(decided, pruned.dropped.len());
            // No kept path ranks below a dropped one, and dropping one fewer would not have been enough.
            let order = |path: &TreePath| (if use_rankings { std::cmp::Reverse(path.ranks.clone()) } else { std::cmp::Reverse(vec![]) }, path.ids.clone());
            let best_dropped = paths.iter().zip(&pruned.kept).filter(|(_, kept)| !**kept).map(|(path, _)| order(path)).min();
            let worst_kept = paths.iter().zip(&pruned.kept).filter(|(_, kept)| **kept).map(|(path, _)| order(path)).max();
            if let (Some(dropped), Some(kept)) = (best_dropped, worst_kept) {
                prop_assert!(kept < dropped);
            }
        }
    }
}
