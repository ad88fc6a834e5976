//! Which messages of a thread are summed up together.

use recordar_store::OutlineRow;

/// How many messages a summary sums up.
pub const SPAN: usize = 10;
/// What is left between two summaries when messages were forgotten is summed up if it has at least this many.
const LEAST: usize = 2;

/// The spans of a thread that nothing sums up yet, the oldest first. The recent messages are never among them.
pub fn spans(outline: &[OutlineRow], recent: usize) -> Vec<Vec<i64>> {
    let old = outline.len().saturating_sub(recent);
    let mut spans = Vec::new();
    let mut seen = 0;
    for run in outline[..old].chunk_by(|one, next| one.is_summed_up == next.is_summed_up) {
        seen += run.len();
        if run[0].is_summed_up {
            continue;
        }
        // What the recent messages follow still grows.
        let least = if seen < old { LEAST } else { SPAN };
        let parts = run.chunks(SPAN).filter(|part| part.len() >= least);
        spans.extend(parts.map(|part| part.iter().map(|message| message.id).collect()));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(summed_up: impl Fn(i64) -> bool, count: i64) -> Vec<OutlineRow> {
        (1..=count).map(|id| OutlineRow { id, is_summed_up: summed_up(id) }).collect()
    }

    #[test]
    fn ch_08_old_spans_are_summed_up_and_the_recent_window_never_is() {
        assert_eq!(spans(&outline(|_| false, 29), 20), Vec::<Vec<i64>>::new());
        assert_eq!(spans(&outline(|_| false, 30), 20), [(1..=10).collect::<Vec<_>>()]);
        assert_eq!(spans(&outline(|id| id <= 10, 45), 20), [(11..=20).collect::<Vec<_>>()]);
        assert_eq!(spans(&outline(|_| false, 5), 20), Vec::<Vec<i64>>::new());
    }

    #[test]
    fn i23_5_what_forgetting_left_between_summaries_is_summed_up_again() {
        let left = outline(|id| !(4..=12).contains(&id), 40);
        assert_eq!(spans(&left, 20), [(4..=12).collect::<Vec<_>>()]);
        assert_eq!(spans(&outline(|id| id != 4, 40), 20), Vec::<Vec<i64>>::new(), "one message is no span");
    }
}
