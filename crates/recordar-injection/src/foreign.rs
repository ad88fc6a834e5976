//! Requests that are foreign to the text around them. "Write a poem about the sea" is harmless in a message and an attack in an invoice,
//! so a request counts only where it shares hardly a word with the rest, and where nobody seems to ask somebody else.

use crate::matching::Match;
use crate::signals::{Condition, Signals};
use crate::word::{LINK, QUOTE, Word};
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// Without enough other content words there is nothing to be foreign to.
const SURROUNDING_WORDS_MIN: usize = 8;
/// A text with more requests is a recipe, a list of tasks or a manual.
const REQUESTS_MAX: usize = 3;
/// Inline code has one of these marks on each side.
const CODE_MARKS_MIN: usize = 2;
const REQUEST_WORDS: RangeInclusive<usize> = 3..=45;
/// One in this many content words of a request may occur elsewhere in the text.
const SHARED_WORDS_ONE_IN: usize = 4;
const CONTENT_WORD_CHARS_MIN: usize = 4;
/// Words are compared by their first letters, which stands for stemming.
const STEM_CHARS: usize = 5;

/// Drops requests that belong to their text: people who ask each other, one instruction of many, or what a manual says to do.
pub(crate) fn keep_foreign(matches: Vec<Match>, text: &str, (words, signals): (&[Word], &Signals)) -> Vec<Match> {
    let (requests, mut kept): (Vec<_>, Vec<_>) =
        matches.into_iter().partition(|found| found.signal.condition.is_foreign());
    let sentences = requests.iter().filter_map(|request| words.get(request.first)).map(|word| word.sentence);
    let sentences: BTreeSet<usize> = sentences.collect();
    if !requests.is_empty() && sentences.len() <= REQUESTS_MAX && !is_manual(text) {
        let surroundings = Surroundings { words, signals, total: count_stems(words, signals) };
        kept.extend(requests.into_iter().filter(|request| surroundings.is_foreign(request)));
    }
    kept
}

/// Whether it has code, as pages do that tell their readers what to do. A request beside code is not found, then.
fn is_manual(text: &str) -> bool {
    text.matches('`').nth(CODE_MARKS_MIN - 1).is_some()
}

/// How often each content word occurs, by its stem.
fn count_stems(words: &[Word], signals: &Signals) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words {
        let is_long = word.text.chars().count() >= CONTENT_WORD_CHARS_MIN;
        if is_long && word.text != LINK && !signals.has_class(word.number, "stop") {
            *counts.entry(word.text.chars().take(STEM_CHARS).collect()).or_default() += 1;
        }
    }
    counts
}

/// The whole text, to compare a request with.
struct Surroundings<'a> {
    words: &'a [Word],
    signals: &'a Signals,
    total: HashMap<String, usize>,
}

impl Surroundings<'_> {
    fn is_foreign(&self, found: &Match) -> bool {
        let Some(first) = self.words.get(found.first) else { return false };
        let end = self.words.partition_point(|word| word.sentence <= first.sentence);
        let request = self.words.get(found.first..end).unwrap_or_default();
        let rest = self.words.get(end.min(found.last + 1)..end).unwrap_or_default();
        let is_question = found.signal.condition == Condition::ForeignQuestion;
        first.leads
            && is_complete(request)
            && !self.is_personal(rest)
            && (!is_question || self.is_open_question(request, rest))
            && !self.is_asked_by_writer(found, first.sentence)
            && self.shares_nothing(rest)
    }

    /// A question that points back ("would that work?") belongs to its text.
    fn is_open_question(&self, request: &[Word], rest: &[Word]) -> bool {
        let is_question = request.last().is_some_and(|word| word.closing == Some('?'));
        is_question && !rest.iter().any(|word| self.has_class(word, "pointer"))
    }

    /// People who write to each other say "you", "our" or "today". What they quote does not count.
    fn is_personal(&self, words: &[Word]) -> bool {
        let mut own_words = words.iter().take_while(|word| word.text != QUOTE);
        own_words.any(|word| self.has_class(word, "personal"))
    }

    /// A polite request belongs to a text in which somebody says "I".
    fn is_asked_by_writer(&self, found: &Match, sentence: usize) -> bool {
        let before = self.words.get(..found.first).unwrap_or_default();
        let mut lead_in = before.iter().rev().take_while(|word| word.sentence == sentence);
        let is_polite = found.signal.condition == Condition::ForeignImpersonal
            || lead_in.any(|word| self.has_class(word, "polite"));
        let is_writer = |word: &Word| word.sentence != sentence && self.has_class(word, "writer");
        is_polite && self.words.iter().any(is_writer)
    }

    fn shares_nothing(&self, rest: &[Word]) -> bool {
        let own = count_stems(rest, self.signals);
        let elsewhere = |stem: &String, count: usize| self.total.get(stem).is_some_and(|&total| total > count);
        let around = self.total.keys().filter(|stem| elsewhere(stem, own.get(*stem).copied().unwrap_or(0))).count();
        let shared = own.iter().filter(|(stem, count)| elsewhere(stem, **count)).count();
        around >= SURROUNDING_WORDS_MIN && !own.is_empty() && shared * SHARED_WORDS_ONE_IN <= own.len()
    }

    fn has_class(&self, word: &Word, class: &str) -> bool {
        self.signals.has_class(word.number, class)
    }
}

/// A sentence of usual length with its full stop, not a menu item or a heading.
fn is_complete(request: &[Word]) -> bool {
    REQUEST_WORDS.contains(&request.len())
        && request.last().is_some_and(|word| word.closing.is_some() || word.text == QUOTE)
}
