//! Clipping to the letter of the retrieval policy (E5): each passage keeps its first sentences.

use crate::guard::SafePassage;
use crate::noun::passage::Span;
use recordar_domain::text::clip_end;
use recordar_domain::{Action, Stage};

pub fn clip(mut passages: Vec<SafePassage>, sentences: usize) -> (Vec<SafePassage>, Stage) {
    let mut stage = Stage::new("clip");
    for passage in &mut passages {
        let text = passage.item.text.as_str();
        let start = text.len() - text.trim_start().len();
        let whole = start..text.trim_end().len().max(start);
        // A summary in the place of messages says what several of them say, and is shorter than they are.
        let is_summary = passage.stands_for > 0;
        let kept = if is_summary { whole.clone() } else { start..start + clip_end(&text[whole.clone()], sentences) };
        let is_cut = passage.span.is_cut || kept.end < whole.end;
        passage.show(Span { start: kept.start, end: kept.end, is_late: false, is_cut });
        if kept != whole {
            let detail = format!("{} of {} bytes, {} from the beginning", kept.len(), whole.len(), plural(sentences));
            stage.decide(passage.name(), Action::Changed, "clip_sentences", detail);
        }
    }
    (passages, stage)
}

fn plural(sentences: usize) -> String {
    if sentences == 1 { "sentence".to_owned() } else { format!("{sentences} sentences") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::safe;
    use crate::noun::passage::tests::passage;

    #[test]
    fn e5_the_first_sentences_are_kept_and_an_ellipsis_says_that_there_are_more() {
        let check = |text: &str, sentences, expected: &str| {
            let (passages, stage) = clip(safe(vec![passage(1, text)]), sentences);
            assert_eq!(passages[0].content(), expected, "{text:?}");
            assert_eq!(stage.decisions.len(), usize::from(expected.ends_with("...")), "{text:?}");
        };
        check("One. Two. Three.", 2, "One. Two....");
        check("One. Two.", 2, "One. Two.");
        check("One. Two.", 1, "One....");
        check("No end at all", 1, "No end at all");
        check("  One!  Two? ", 5, "One!  Two?");
        check("It costs 3.50 at Dr. Lee's. Fine. More.", 2, "It costs 3.50 at Dr. Lee's. Fine....");
        check("灯台です。海です。山です。", 2, "灯台です。海です。...");
    }
}
