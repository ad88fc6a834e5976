//! Compares words with patterns. A reading is what one word after another is taken for: as written, or undone from a disguise.

use crate::signals::{ANY_VERB, Pattern, Signal, Signals};
use crate::word::Word;

const VERB_CHARS_MIN: usize = 3;

/// Endings of words that are not verbs in the imperative.
const NOT_IMPERATIVE: [&str; 12] =
    ["ing", "ed", "ly", "s", "ion", "ment", "ness", "ity", "ism", "ance", "ence", "ough"];

/// A signal, and the first and last word that matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    pub(crate) signal: Signal,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// A word in one reading of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadWord {
    pub(crate) number: u32,
    block: usize,
    opens: bool,
}

impl ReadWord {
    pub(crate) fn new(word: &Word, number: u32) -> Self {
        Self { number, block: word.block, opens: word.opens }
    }
}

/// All matches in the text as it is written.
pub(crate) fn plain_matches(words: &[Word], signals: &Signals) -> Vec<Match> {
    let reading: Vec<ReadWord> = words.iter().map(|word| ReadWord::new(word, word.number)).collect();
    let mut matches = find_matches(&reading, signals, |_| true);
    for first in (0..words.len()).filter(|&first| may_be_imperative(words, first, signals)) {
        let patterns = signals.beginning_with(signals.number(ANY_VERB));
        matches.extend(patterns.filter_map(|pattern| match_at(pattern, &reading, first)));
    }
    matches
}

/// The matches of the wanted signals in a reading.
pub(crate) fn find_matches(reading: &[ReadWord], signals: &Signals, is_wanted: impl Fn(&Signal) -> bool) -> Vec<Match> {
    let mut matches = Vec::new();
    for (first, word) in reading.iter().enumerate() {
        let patterns = signals.beginning_with(word.number).filter(|pattern| is_wanted(&pattern.signal));
        matches.extend(patterns.filter_map(|pattern| match_at(pattern, reading, first)));
    }
    matches
}

/// The shortest match of a pattern whose first word is already known to fit.
fn match_at(pattern: &Pattern, reading: &[ReadWord], first: usize) -> Option<Match> {
    let beginning = reading.get(first).filter(|word| word.opens || !pattern.opens)?;
    let mut reached = vec![first];
    for step in &pattern.further {
        let (start, end) = (reached.first()? + 1, reached.last()? + step.gap + 2);
        let is_near = |position: usize| reached.iter().any(|&r| r < position && position <= r + step.gap + 1);
        let candidates = reading.iter().enumerate().take(end).skip(start);
        reached = candidates
            .take_while(|(_, word)| word.block == beginning.block)
            .filter(|(position, word)| step.accepts.contains(&word.number) && is_near(*position))
            .map(|(position, _)| position)
            .collect();
    }
    reached.first().map(|&last| Match { signal: pattern.signal, first, last })
}

/// Whether a sentence begins with a word that is neither a function word nor has the ending of another form.
fn may_be_imperative(words: &[Word], position: usize, signals: &Signals) -> bool {
    words.get(position).is_some_and(|word| {
        word.leads
            && begins_plainly(words, position, word)
            && word.text.len() >= VERB_CHARS_MIN
            && word.text.bytes().all(|byte| byte.is_ascii_lowercase())
            && !NOT_IMPERATIVE.iter().any(|ending| word.text.ends_with(ending))
            && !signals.has_class(word.number, "closed")
    })
}

/// First in its sentence, and the next word follows without a comma or a capital, as an object does.
fn begins_plainly(words: &[Word], position: usize, word: &Word) -> bool {
    let before = position.checked_sub(1).and_then(|before| words.get(before));
    let next = words.get(position + 1);
    before.is_none_or(|before| before.sentence != word.sentence)
        && next.is_some_and(|next| next.is_next_to(word) && !next.is_capital)
}
