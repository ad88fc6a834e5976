//! A summary in the place of the messages that it sums up: only if it is shorter than they are, and says what they say about the question.

use crate::noun::passage::Passage;
use recordar_domain::text::{Language, Terms, TokenCounter, clip_end, sentence_ends, telling_words};
use recordar_domain::{Action, ItemKind, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// By space and summary: the messages that it sums up.
pub(crate) type Sources = BTreeMap<(String, i64), Vec<i64>>;

/// Puts summaries in the place of their messages. Passages come best first; of each, so many sentences will be shown.
pub(crate) fn stand_in(
    mut passages: Vec<Passage>,
    sources: &Sources,
    (sentences, language): (usize, Language),
    counter: &TokenCounter,
) -> (Vec<Passage>, Option<Stage>) {
    if !passages.iter().any(|passage| sources.contains_key(&key(passage))) {
        return (passages, None);
    }
    let mut stage = Stage::new("summaries");
    let mut evidence = Evidence { terms: Terms::new(language) };
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    let mut places: Vec<usize> = (0..passages.len()).collect();
    for at in 0..passages.len() {
        let Some(messages) = sources.get(&key(&passages[at])) else { continue };
        let is_of = |other: &usize| {
            let item = &passages[*other].item;
            item.space == passages[at].item.space && item.kind == ItemKind::Message && messages.contains(&item.item_id)
        };
        let found: Vec<usize> = (0..passages.len()).filter(|other| !dropped.contains(other)).filter(is_of).collect();
        if found.is_empty() {
            continue;
        }
        let told: Vec<usize> =
            found.iter().copied().filter(|other| evidence.is_in(&passages[*other], &passages[at].item.text)).collect();
        let shown = |passage: &Passage| counter.count(&passage.item.text[..clip_end(&passage.item.text, sentences)]);
        let (own, saved) =
            (counter.count(&passages[at].item.text), told.iter().map(|at| shown(&passages[*at])).sum::<usize>());
        if own < saved {
            let name = passages[at].name();
            for message in &told {
                let detail =
                    format!("{name} says it, with {} others in {own} tokens instead of {saved}", told.len() - 1);
                stage.decide(passages[*message].name(), Action::Dropped, "summed_up", detail);
            }
            let scores = told.iter().map(|message| passages[*message].score);
            passages[at].score = scores.fold(passages[at].score, f64::max);
            passages[at].stands_for = told.len();
            places[at] = told.iter().copied().fold(at, usize::min);
            dropped.extend(told);
        } else {
            let detail = format!("{} of its messages are there, and it would save nothing", found.len());
            stage.decide(passages[at].name(), Action::Dropped, "messages_found", detail);
            dropped.insert(at);
        }
    }
    let mut kept: Vec<(usize, Passage)> = places
        .into_iter()
        .zip(passages)
        .enumerate()
        .filter(|(at, _)| !dropped.contains(at))
        .map(|(_, kept)| kept)
        .collect();
    kept.sort_by_key(|(place, _)| *place);
    let kept = kept.into_iter().map(|(_, passage)| passage).collect();
    (kept, Some(stage))
}

fn key(passage: &Passage) -> (String, i64) {
    (passage.item.space.clone(), passage.item.item_id)
}

struct Evidence {
    terms: Terms,
}

impl Evidence {
    /// Whether a summary says what a message says about the question: each sentence with one of its words, a number or a name is there,
    /// word for word or in all its terms. A message that was found by meaning alone is shown itself.
    fn is_in(&mut self, message: &Passage, summary: &str) -> bool {
        let asked: BTreeSet<&str> = message.words.iter().flat_map(|(stems, _)| stems.split(' ')).collect();
        let text = message.item.text.as_str();
        let language = self.terms.language_of(text);
        let told = self.stems(language, summary);
        let (mut start, mut matches) = (0, 0);
        for end in sentence_ends(text) {
            let sentence = text[start..end].trim();
            start = end;
            let stems = self.stems(language, sentence);
            let is_asked = stems.iter().any(|stem| asked.contains(stem.as_str()));
            matches += usize::from(is_asked);
            if (is_asked || telling_words(sentence).next().is_some())
                && !summary.contains(sentence)
                && !stems.is_subset(&told)
            {
                return false;
            }
        }
        matches > 0
    }

    fn stems(&mut self, language: Language, text: &str) -> BTreeSet<String> {
        let mut stems = BTreeSet::new();
        self.terms.each(language, text, |term| {
            if !term.is_extra && !term.stem.is_empty() {
                stems.insert(term.stem.to_owned());
            }
        });
        stems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noun::passage::tests::passage;

    fn found(id: i64, text: &str, score: f64) -> Passage {
        let mut passage = passage(id, text);
        (passage.score, passage.words) = (score, vec![("porto".to_owned(), 0.5)]);
        passage
    }

    fn summary(id: i64, text: &str, score: f64) -> Passage {
        let mut passage = found(id, text, score);
        passage.item.kind = ItemKind::Summary;
        passage
    }

    fn stood_in(passages: Vec<Passage>) -> (Vec<i64>, Vec<String>) {
        let sources = Sources::from([(("user:ada".to_owned(), 9), vec![1, 2, 3])]);
        let english = Language::parse("english").unwrap();
        let (kept, stage) = stand_in(passages, &sources, (5, english), &TokenCounter::for_model("gpt-4"));
        let reasons = stage.into_iter().flat_map(|stage| stage.decisions).map(|decision| decision.reason.to_string());
        (kept.iter().map(|passage| passage.item.item_id).collect(), reasons.collect())
    }

    #[test]
    fn i23_a_summary_takes_the_place_of_messages_if_it_is_shorter_and_says_what_they_say() {
        let chat = "Thanks a lot, that is so very kind of you to ask me about all of this again today, really. ";
        let one = format!("{chat}We moved to Porto.");
        let two = format!("{chat}The flat in Porto costs 900.");
        let short = "Ana: We moved to Porto. The flat in Porto costs 900.";
        let passages = |text: &str| {
            vec![found(1, &one, 0.8), found(7, "Porto is nice.", 0.7), found(2, &two, 0.6), summary(9, text, 0.5)]
        };
        let (kept, reasons) = stood_in(passages(short));
        assert_eq!((kept, reasons), (vec![9, 7], vec!["summed_up".to_owned(); 2]));
        let (kept, reasons) = stood_in(passages("Ana: We moved to Porto. The flat is not cheap."));
        assert_eq!(kept, [9, 7, 2], "a number that it does not say keeps its message");
        assert_eq!(reasons, ["summed_up"]);
        let long = format!("{short} {}", "And much more was said about other things. ".repeat(30));
        assert_eq!(stood_in(passages(&long)), (vec![1, 7, 2], vec!["messages_found".to_owned()]));
        assert_eq!(stood_in(vec![summary(9, short, 0.5)]).0, [9], "alone, it is what was found");
    }
}
