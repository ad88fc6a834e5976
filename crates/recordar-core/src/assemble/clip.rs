//! Clipping (E5): each passage is cut at sentence ends. Messages, facts and summaries keep their first sentences; a chunk,
//! which is part of a longer text, keeps the sentences that match the question best.

use super::excerpt::Excerpts;
use crate::guard::SafePassage;
use crate::noun::passage::Span;
use recordar_domain::text::{Language, Terms, clip_end};
use recordar_domain::{Action, ItemKind, Stage};

pub fn clip(mut passages: Vec<SafePassage>, sentences: usize, language: Language) -> (Vec<SafePassage>, Stage) {
    let mut stage = Stage::new("clip");
    let mut terms = Terms::new(language);
    for passage in &mut passages {
        let text = passage.item.text.as_str();
        let start = text.len() - text.trim_start().len();
        let whole = start..text.trim_end().len().max(start);
        let kept = match passage.item.kind {
            ItemKind::Chunk => {
                let best = Excerpts::new(&passage.words, &mut terms).best(text, &passage.item.sections, sentences);
                best.start.max(whole.start)..best.end.min(whole.end).max(best.start)
            }
            // It says what several messages say, and is shorter than they are.
            _ if passage.stands_for > 0 => whole.clone(),
            _ => start..start + clip_end(&text[whole.clone()], sentences),
        };
        let (is_late, is_cut) = (kept.start > whole.start, passage.span.is_cut || kept.end < whole.end);
        passage.show(Span { start: kept.start, end: kept.end, is_late, is_cut });
        if kept != whole {
            let place = if passage.span.is_late { "with the best match" } else { "from the beginning" };
            let detail = format!("{} of {} bytes, {} {place}", kept.len(), whole.len(), plural(sentences));
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

    fn english() -> Language {
        Language::parse("english").unwrap()
    }

    #[test]
    fn e5_of_a_chunk_the_sentences_that_tell_are_kept() {
        let check = |text: &str, words: &[(&str, f64)], sentences, expected: &str| {
            let mut chunk = passage(1, text);
            chunk.item.kind = ItemKind::Chunk;
            chunk.words = words.iter().map(|(word, worth)| ((*word).to_owned(), *worth)).collect();
            assert_eq!(clip(safe(vec![chunk]), sentences, english()).0[0].content(), expected, "{text:?}");
        };
        let text =
            "# Lamp\n\nIt is lit at dusk. The lens is cleaned with a cloth. Gift cards keep their value. The end.";
        check(text, &[("gift", 0.2), ("card", 0.3)], 1, "...Gift cards keep their value....");
        check(text, &[("gift", 0.2), ("end", 0.1)], 2, "...Gift cards keep their value. The end.");
        check(text, &[("len", 0.2)], 2, "...The lens is cleaned with a cloth. Gift cards keep their value....");
        check(text, &[("len", 0.2), ("lit", 0.2)], 2, "...It is lit at dusk. The lens is cleaned with a cloth....");
        check(text, &[("absent", 0.2), ("gift", 0.0)], 2, "# Lamp\n\nIt is lit at dusk....");
        check(text, &[("gift", 0.0), ("absent", 0.0)], 1, "...Gift cards keep their value....");
        check(text, &[], 5, text);
        check("  One.  ", &[("one", 1.0)], 2, "One.");
        check("", &[("one", 1.0)], 2, "");
    }

    #[test]
    fn e5_the_first_sentences_are_kept_and_an_ellipsis_says_that_there_are_more() {
        let check = |text: &str, sentences, expected: &str| {
            let (passages, stage) = clip(safe(vec![passage(1, text)]), sentences, english());
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
