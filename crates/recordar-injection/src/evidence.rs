//! Which signals each sentence has, from whichever detector, and which sentences have enough of them.

use crate::instruction::Instruction;
use crate::matching::Match;
use crate::normal::Normal;
use crate::signals::{Signals, THRESHOLD};
use crate::word::Word;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Sentence → the names of its signals. A signal counts once in a sentence, however often it occurs there.
pub(crate) struct Evidence<'a> {
    words: &'a [Word],
    names: BTreeMap<usize, BTreeSet<&'static str>>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn of(words: &'a [Word]) -> Self {
        Self { words, names: BTreeMap::new() }
    }

    /// A match over several lines marks them all: each is a sentence of its own, and none is harmless alone.
    pub(crate) fn add_match(&mut self, found: &Match) {
        if let (Some(first), Some(last)) = (self.words.get(found.first), self.words.get(found.last)) {
            for sentence in first.sentence..=last.sentence {
                self.add(sentence, found.signal.name);
            }
        }
    }

    /// Adds a signal to the first word that ends after a normalised letter, or else to the last word.
    pub(crate) fn add_at_letter(&mut self, letter: usize, name: &'static str) {
        let word = self.words.partition_point(|word| word.letters.end <= letter);
        if let Some(word) = self.words.get(word).or(self.words.last()) {
            self.add(word.sentence, name);
        }
    }

    /// Adds a signal to the first word that begins at a byte of the original text or after it.
    pub(crate) fn add_from_byte(&mut self, byte: usize, normal: &Normal, name: &'static str) {
        let word = self.words.partition_point(|word| normal.bytes(&word.letters).start < byte);
        if let Some(word) = self.words.get(word) {
            self.add(word.sentence, name);
        }
    }

    /// The sentences that reach the threshold, in order.
    pub(crate) fn instructions(&self, normal: &Normal, signals: &Signals) -> Vec<Instruction> {
        let scored = self.names.iter().map(|(&sentence, names)| {
            let score = names.iter().map(|name| signals.weight(name)).sum();
            (sentence, names, score)
        });
        scored
            .filter(|&(_, _, score)| score >= THRESHOLD)
            .filter_map(|(sentence, names, score)| {
                let span = normal.bytes(&self.letters_of(sentence)?);
                Some(Instruction { span, signals: names.iter().copied().collect(), score })
            })
            .collect()
    }

    fn add(&mut self, sentence: usize, name: &'static str) {
        self.names.entry(sentence).or_default().insert(name);
    }

    fn letters_of(&self, sentence: usize) -> Option<Range<usize>> {
        let first = self.words.partition_point(|word| word.sentence < sentence);
        let end = self.words.partition_point(|word| word.sentence <= sentence);
        let words = self.words.get(first..end)?;
        Some(words.first()?.letters.start..words.last()?.letters.end)
    }
}
