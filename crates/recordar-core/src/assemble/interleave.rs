//! Interleaving (E4): relevance and recency alternate, or share the places by a ratio.

use crate::noun::passage::Passage;
use crate::recall::{Interleaving, Strategy};
use recordar_domain::{Action, Stage};
use std::cmp::Reverse;

/// A ratio is counted in these parts of a place, so that 0.7 of ten places are seven.
const WHOLE: u64 = 1_000_000;

/// Takes passages best first. Of equally new ones, the better comes first.
pub fn interleave(passages: Vec<Passage>, interleaving: Interleaving) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("interleave");
    let mut by_recency: Vec<usize> = (0..passages.len()).collect();
    by_recency.sort_by_key(|index| (Reverse(passages[*index].item.occurred_at), *index));
    let mut by_score: Vec<usize> = (0..passages.len()).collect();
    by_score.sort_by(|one, other| passages[*other].score.total_cmp(&passages[*one].score).then(one.cmp(other)));
    // Alternating gives every second place to the other order.
    let (score_leads, ratio) = match interleaving.strategy {
        Strategy::Alternate => (true, 0.5),
        Strategy::ScoreFirst => (true, interleaving.ratio.unwrap_or(1.0)),
        Strategy::RecencyFirst => (false, interleaving.ratio.unwrap_or(1.0)),
    };
    let share = (ratio * WHOLE as f64).round() as u64;
    let leads = |place: u64| (place * share).div_ceil(WHOLE) < ((place + 1) * share).div_ceil(WHOLE);
    let mut unplaced: Vec<Option<Passage>> = passages.into_iter().map(Some).collect();
    let mut placed = Vec::with_capacity(unplaced.len());
    for place in 0..unplaced.len() as u64 {
        let by_its_score = leads(place) == score_leads;
        let order = if by_its_score { &by_score } else { &by_recency };
        let Some(passage) = order.iter().find_map(|index| unplaced[*index].take()) else { break };
        let (reason, detail) = match by_its_score {
            true => ("relevance", format!("place {}, score {:.4}", place + 1, passage.score)),
            false => ("recency", format!("place {}, from {}", place + 1, passage.item.occurred_at)),
        };
        stage.decide(passage.name(), Action::Kept, reason, detail);
        placed.push(passage);
    }
    (placed, stage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noun::passage::tests::scored;

    /// Scores fall and times rise with the id: 1 is the most relevant, the last one is the newest.
    fn order(count: i64, strategy: Strategy, ratio: Option<f64>) -> Vec<i64> {
        let passages = (1..=count).map(|id| scored(id, 1.0 - id as f64 / 100.0, id)).collect();
        let (placed, _) = interleave(passages, Interleaving { strategy, ratio });
        placed.iter().map(|passage| passage.item.item_id).collect()
    }

    #[test]
    fn e4_interleaving_alternates_score_and_recency() {
        assert_eq!(order(6, Strategy::Alternate, None), [1, 6, 2, 5, 3, 4]);
        assert_eq!(order(1, Strategy::Alternate, None), [1]);
        assert_eq!(order(0, Strategy::Alternate, None), [0_i64; 0]);
    }

    #[test]
    fn e4_weighted_strategies_share_the_places() {
        let check = |strategy, ratio, expected: &[i64]| assert_eq!(order(8, strategy, ratio), expected, "{ratio:?}");
        check(Strategy::ScoreFirst, None, &[1, 2, 3, 4, 5, 6, 7, 8]);
        check(Strategy::RecencyFirst, None, &[8, 7, 6, 5, 4, 3, 2, 1]);
        check(Strategy::ScoreFirst, Some(0.5), &[1, 8, 2, 7, 3, 6, 4, 5]);
        check(Strategy::RecencyFirst, Some(0.5), &[8, 1, 7, 2, 6, 3, 5, 4]);
        check(Strategy::ScoreFirst, Some(0.75), &[1, 2, 3, 8, 4, 5, 6, 7]);
        check(Strategy::RecencyFirst, Some(0.25), &[8, 1, 2, 3, 7, 4, 5, 6]);
        check(Strategy::ScoreFirst, Some(0.0), &[8, 7, 6, 5, 4, 3, 2, 1]);
        // In floating point, 0.7 of ten would be a little more than seven, and so eight.
        let by_score = order(10, Strategy::ScoreFirst, Some(0.7));
        assert_eq!(by_score.iter().filter(|id| **id <= 7).count(), 7);
        assert_eq!(by_score.last(), Some(&8));
    }

    #[test]
    fn e4_of_equally_new_ones_the_better_comes_first() {
        let passages = vec![scored(1, 0.9, 5), scored(2, 0.8, 7), scored(3, 0.7, 7)];
        let (placed, stage) = interleave(passages, Interleaving::default());
        assert_eq!(placed.iter().map(|passage| passage.item.item_id).collect::<Vec<_>>(), [1, 2, 3]);
        let reasons: Vec<&str> = stage.decisions.iter().map(|decision| decision.reason.as_str()).collect();
        assert_eq!(reasons, ["relevance", "recency", "relevance"]);
    }
}
