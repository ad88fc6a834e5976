//! The signals, ready for matching: what `signals.txt` says, as numbers and tables.

use std::collections::{HashMap, HashSet};

/// The weights of a reported sentence add up to this or more.
pub(crate) const THRESHOLD: u32 = 4;

/// Stands in a pattern for any word that may be a verb in the imperative.
pub(crate) const ANY_VERB: &str = "<verb>";

/// The number of a word that no signal names.
const UNNAMED: u32 = 0;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Signal {
    pub(crate) name: &'static str,
    pub(crate) weight: u32,
    pub(crate) condition: Condition,
}

/// Where a signal counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    Anywhere,
    /// Anywhere, and also in ROT13, reversed and digit-for-letter readings.
    Disguised,
    /// Only in a sentence that is foreign to the text around it.
    Foreign,
    /// Foreign, and the sentence ends with a question mark.
    ForeignQuestion,
    /// Foreign, and nobody else in the text says "I".
    ForeignImpersonal,
}

impl Condition {
    pub(crate) fn is_foreign(self) -> bool {
        matches!(self, Self::Foreign | Self::ForeignQuestion | Self::ForeignImpersonal)
    }
}

/// A row of words. The first one is the key under which the pattern is found, so only the others are here.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) signal: Signal,
    /// Matches only where a sentence opens.
    pub(crate) opens: bool,
    pub(crate) further: Vec<Step>,
}

/// One word of a pattern: at most `gap` other words before it, and which words are accepted.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) gap: usize,
    pub(crate) accepts: HashSet<u32>,
}

/// Words are numbers, so that reading a text as ROT13 or backwards costs one look-up for each word.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    vocabulary: HashMap<&'static str, u32>,
    rot13: HashMap<String, u32>,
    reversed: HashMap<String, u32>,
    classes: HashMap<&'static str, HashSet<u32>>,
    patterns: Vec<Pattern>,
    /// First word → the patterns that may begin with it, so that most words cost one look-up.
    by_first_word: HashMap<u32, Vec<usize>>,
    /// Strings that are looked for as they are, with the signal that they give.
    pub(crate) literals: Vec<(&'static str, &'static str)>,
    pub(crate) weights: HashMap<&'static str, u32>,
}

impl Signals {
    pub(crate) fn number(&self, word: &str) -> u32 {
        self.vocabulary.get(word).copied().unwrap_or(UNNAMED)
    }

    pub(crate) fn number_in_rot13(&self, word: &str) -> u32 {
        self.rot13.get(word).copied().unwrap_or(UNNAMED)
    }

    pub(crate) fn number_reversed(&self, word: &str) -> u32 {
        self.reversed.get(word).copied().unwrap_or(UNNAMED)
    }

    /// Whether the word with this number belongs to a class.
    pub(crate) fn has_class(&self, number: u32, class: &str) -> bool {
        self.classes.get(class).is_some_and(|numbers| numbers.contains(&number))
    }

    pub(crate) fn class(&self, name: &str) -> Option<&HashSet<u32>> {
        self.classes.get(name)
    }

    /// The patterns that may begin with the word of this number.
    pub(crate) fn beginning_with(&self, number: u32) -> impl Iterator<Item = &Pattern> {
        let patterns = self.by_first_word.get(&number).map_or(&[][..], Vec::as_slice);
        patterns.iter().filter_map(|&pattern| self.patterns.get(pattern))
    }

    pub(crate) fn weight(&self, name: &str) -> u32 {
        self.weights.get(name).copied().unwrap_or(0)
    }

    /// The number of a word, which is a new one at its first mention, in every reading.
    pub(crate) fn add_word(&mut self, word: &'static str) -> u32 {
        let next = u32::try_from(self.vocabulary.len() + 1).unwrap_or(u32::MAX);
        let number = *self.vocabulary.entry(word).or_insert(next);
        // A single letter reads as another one far too easily.
        if word.chars().nth(1).is_some() {
            self.rot13.insert(rot13(word), number);
            self.reversed.insert(word.chars().rev().collect(), number);
        }
        number
    }

    pub(crate) fn add_to_class(&mut self, class: &'static str, word: &'static str) {
        let number = self.add_word(word);
        self.classes.entry(class).or_default().insert(number);
    }

    pub(crate) fn add_pattern(&mut self, first: &HashSet<u32>, pattern: Pattern) {
        for &word in first {
            self.by_first_word.entry(word).or_default().push(self.patterns.len());
        }
        self.patterns.push(pattern);
    }
}

fn rot13(word: &str) -> String {
    let rotate = |letter: char| match letter {
        'a'..='m' => char::from(letter as u8 + 13),
        'n'..='z' => char::from(letter as u8 - 13),
        other => other,
    };
    word.chars().map(rotate).collect()
}
