//! A summary in the place of the messages that it sums up: only if it is shorter than they are, and says what they say about the question.

use crate::noun::item::{ItemView, item_name};
use crate::noun::passage::Passage;
use crate::reason::{in_a_line, is_courtesy, speaks};
use recordar_domain::text::{Language, Terms, TokenCounter, clip_end, sentence_ends, telling_words};
use recordar_domain::{Action, Stage};
use std::collections::BTreeSet;

/// A summary, and the messages that it sums up.
pub struct StandBy {
    pub item: ItemView,
    pub messages: Vec<i64>,
}

/// How much a recall will show: passages, sentences of each, and tokens of all.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub top_k: usize,
    pub sentences: usize,
    pub max_tokens: usize,
}

/// Puts summaries in the place of their messages. Passages come best first.
pub fn stand_in(
    passages: Vec<Passage>,
    summaries: Vec<StandBy>,
    (shown, language): (Shown, Language),
    counter: &TokenCounter,
) -> (Vec<Passage>, Option<Stage>) {
    if summaries.is_empty() {
        return (passages, None);
    }
    let mut stage = Stage::new("summaries");
    let mut evidence = Evidence { terms: Terms::new(language) };
    // Only what would be shown costs anything.
    let mut spent = 0;
    let tokens = passages.iter().take(shown.top_k).map(|passage| {
        let tokens = counter.count(&passage.item.text[..clip_end(&passage.item.text, shown.sentences)]);
        spent += tokens;
        (spent <= shown.max_tokens).then_some(tokens)
    });
    let tokens: Vec<usize> = tokens.map_while(|tokens| tokens).collect();
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    let mut new: Vec<(usize, Passage)> = Vec::new();
    for StandBy { item, messages } in summaries {
        let is_of = |(at, passage): &(usize, &Passage)| {
            passage.item.space == item.space && messages.contains(&passage.item.item_id) && !dropped.contains(at)
        };
        let found = passages.iter().enumerate().take(tokens.len()).filter(is_of);
        let told: Vec<usize> =
            found.filter(|(_, passage)| evidence.is_in(passage, &item.text)).map(|(at, _)| at).collect();
        let (own, saved) = (counter.count(&item.text), told.iter().map(|at| tokens[*at]).sum::<usize>());
        let Some(first) = told.first().copied() else { continue };
        if own >= saved {
            let detail = format!("it has {own} tokens; the {} messages that it could replace have {saved}", told.len());
            stage.decide(item_name(&item.space, item.item_id), Action::Dropped, "saves_nothing", detail);
            continue;
        }
        // The next ones would take the free places.
        let behind = passages.iter().enumerate().skip(tokens.len()).filter(is_of);
        let behind: Vec<usize> =
            behind.filter(|(_, passage)| evidence.is_in(passage, &item.text)).map(|(at, _)| at).collect();
        let mut summary = Passage::new(item, passages[first].score);
        summary.stands_for = told.len();
        for at in told.iter().chain(&behind) {
            let name = passages[*at].name();
            let detail =
                format!("{} says it: {} messages in {own} tokens instead of {saved}", summary.name(), told.len());
            stage.decide(name, Action::Dropped, "summed_up", detail);
        }
        new.push((first, summary));
        dropped.extend(told.into_iter().chain(behind));
    }
    let mut kept: Vec<(usize, Passage)> =
        passages.into_iter().enumerate().filter(|(at, _)| !dropped.contains(at)).chain(new).collect();
    kept.sort_by_key(|(place, _)| *place);
    (kept.into_iter().map(|(_, passage)| passage).collect(), Some(stage))
}

struct Evidence {
    terms: Terms,
}

impl Evidence {
    /// Whether a summary has what a message says about the question, word for word and as its speaker's: each sentence with one of the question's
    /// words, the sentence after it, and each with a number or a name. A message that was found by meaning alone is shown itself.
    fn is_in(&mut self, message: &Passage, summary: &str) -> bool {
        let asked: BTreeSet<&str> = message.words.iter().flat_map(|(stems, _)| stems.split(' ')).collect();
        let item = &message.item;
        let speaker = item.speaker.as_deref().or(item.role.as_deref()).unwrap_or_default();
        let begins = speaks(speaker, item.occurred_at);
        let lines: Vec<&str> = summary.lines().filter_map(|line| line.strip_prefix(&begins)).collect();
        let language = self.terms.language_of(&item.text);
        let (mut start, mut matches, mut follows) = (0, 0, false);
        for end in sentence_ends(&item.text) {
            let sentence = &item.text[start..end];
            start = end;
            let mut is_asked = false;
            self.terms.each(language, sentence, |term| is_asked |= asked.contains(term.stem));
            let is_told = || {
                let sentence = in_a_line(sentence);
                lines.iter().any(|line| line.contains(&sentence))
            };
            let is_answer = follows && !is_courtesy(sentence);
            if (is_asked || is_answer || telling_words(sentence).next().is_some()) && !is_told() {
                return false;
            }
            matches += usize::from(is_asked);
            follows = is_asked;
        }
        matches > 0
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

    fn stood_in(passages: Vec<Passage>, summary: &str, top_k: usize) -> (Vec<i64>, Vec<String>) {
        let summary = StandBy { item: passage(9, summary).item, messages: vec![1, 2, 3] };
        let shown = Shown { top_k, sentences: 5, max_tokens: 1000 };
        let english = Language::parse("english").unwrap();
        let (kept, stage) = stand_in(passages, vec![summary], (shown, english), &TokenCounter::for_model("gpt-4"));
        let reasons = stage.into_iter().flat_map(|stage| stage.decisions).map(|decision| decision.reason.to_string());
        (kept.iter().map(|passage| passage.item.item_id).collect(), reasons.collect())
    }

    #[test]
    fn i23_a_summary_takes_the_place_of_messages_if_it_is_shorter_and_says_what_they_say() {
        let chat = "That is so very kind of you to ask me about all of this again today, as always, really. ";
        let (one, two) = (format!("{chat}We moved to Porto."), format!("{chat}The flat in Porto costs 900."));
        let found =
            || vec![found(7, "Porto is nice.", 0.9), found(1, &one, 0.8), found(2, &two, 0.6), found(8, "Porto.", 0.5)];
        let short = "Flats\nuser, 1970-01-01: We moved to Porto. The flat in Porto costs 900.";
        assert_eq!(stood_in(found(), short, 5), (vec![7, 9, 8], vec!["summed_up".to_owned(); 2]));
        let unlike = [
            ("user, 1970-01-01: We moved to Porto. The flat in Porto costs less.", "another number"),
            (
                "user, 1970-01-01: We moved to Porto.\nBruno, 1970-01-01: The flat in Porto costs 900.",
                "another speaker",
            ),
            ("user, 1970-01-02: We moved to Porto. The flat in Porto costs 900.", "another day"),
        ];
        for (summary, why) in unlike {
            let kept = stood_in(found(), summary, 5).0;
            assert!(kept.contains(&2), "{why}: {kept:?}");
        }
        let long = format!("{short} {}", "And much more was said about other things. ".repeat(30));
        assert_eq!(stood_in(found(), &long, 5).0, [7, 1, 2, 8], "it would save nothing");
        let middling = format!("{short} And much more was said about other things, again and again.");
        assert_eq!(stood_in(found(), &middling, 5).0, [7, 9, 8]);
        assert_eq!(stood_in(found(), &middling, 2).0, [7, 1, 2, 8], "the second message would not be shown");
    }

    #[test]
    fn i23_the_sentence_after_a_match_is_evidence_too() {
        let chat = "That is so very kind of you to ask me about all of this again today, as always, really. ";
        let text = format!("{chat}{chat}What is the rent in Porto? It is nine hundred.");
        let summary = "Rent\nuser, 1970-01-01: What is the rent in Porto?";
        assert_eq!(stood_in(vec![found(1, &text, 0.8)], summary, 5).0, [1]);
        assert_eq!(stood_in(vec![found(1, &text, 0.8)], &format!("{summary} It is nine hundred."), 5).0, [9]);
    }
}
