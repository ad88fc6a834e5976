//! Clipping (E5): each passage is cut at the end of a sentence.

use super::Passage;
use recordar_domain::text::clip_end;
use recordar_domain::{Action, Stage};

pub(crate) fn clip(mut passages: Vec<Passage>, sentences: usize) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("clip");
    for passage in &mut passages {
        let text = passage.item.text.as_str();
        let start = text.len() - text.trim_start().len();
        let (whole, kept) = (text.trim().len(), clip_end(text[start..].trim_end(), sentences));
        passage.span.start = start;
        passage.span.end = start + kept;
        if kept < whole {
            passage.span.is_cut = true;
            let detail = format!("{kept} of {whole} bytes are its first {}", plural(sentences));
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
    use crate::assemble::passage::tests::passage;

    #[test]
    fn e5_the_first_sentences_are_kept_and_an_ellipsis_says_that_there_are_more() {
        let check = |text: &str, sentences, expected: &str| {
            let (passages, stage) = clip(vec![passage(1, text)], sentences);
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
