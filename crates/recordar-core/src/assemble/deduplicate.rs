//! Deduplication (E3): of items with the same text, the first is kept; then the first `top_k` of the rest.

use crate::noun::passage::Passage;
use recordar_domain::{Action, Stage};
use std::collections::HashMap;

/// Keeps the first passage of each normalised text. Best first in, best first out.
pub fn deduplicate(mut passages: Vec<Passage>) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("deduplicate");
    let mut seen: HashMap<String, String> = HashMap::new();
    passages.retain(|passage| {
        if let Some(first) = seen.get(&passage.normalized_hash) {
            stage.decide(passage.name(), Action::Dropped, "normalized_hash", format!("same text as {first}"));
            return false;
        }
        seen.insert(passage.normalized_hash.clone(), passage.name());
        true
    });
    (passages, stage)
}

/// Keeps the first `top_k`.
pub fn top_k(mut passages: Vec<Passage>, top_k: usize) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("top_k");
    for (rank, passage) in (1..).zip(&passages).skip(top_k) {
        let detail = format!("rank {rank}; top_k is {top_k}");
        stage.decide(passage.name(), Action::Dropped, "top_k", detail);
    }
    passages.truncate(top_k);
    (passages, stage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noun::passage::tests::passage;

    #[test]
    fn e3_deduplication_removes_exact_matches() {
        let found = vec![passage(1, "Hello world"), passage(2, "Hello world"), passage(3, "HELLO WORLD")];
        let (left, stage) = deduplicate(found);
        assert_eq!(left.iter().map(|passage| passage.item.item_id).collect::<Vec<_>>(), [1]);
        let dropped: Vec<&str> = stage.decisions.iter().map(|decision| decision.subject.as_str()).collect();
        assert_eq!(dropped, ["user:ada item 2", "user:ada item 3"]);
        assert!(stage.decisions.iter().all(|decision| decision.reason == "normalized_hash"));
        assert!(stage.decisions[0].detail.contains("user:ada item 1"));
    }

    #[test]
    fn e3_the_first_top_k_are_kept() {
        let (left, stage) = top_k((1..=5).map(|id| passage(id, "x")).collect(), 3);
        assert_eq!((left.len(), stage.decisions.len()), (3, 2));
    }
}
