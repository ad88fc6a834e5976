//! When a text repeats another, and when two sentences contradict each other. Rules, which see numbers and denials, not meaning.

use crate::stems::{Reader, is_negated, numbers, sentences};
use std::collections::BTreeSet;
use std::ops::Range;

/// A sentence of stored text, to be compared.
#[derive(Debug, Clone)]
pub struct Statement {
    pub span: Range<usize>,
    /// Without numbers.
    stems: BTreeSet<String>,
    numbers: BTreeSet<String>,
    is_negated: bool,
}

/// Two sentences are about the same if they share this part of their words, and of fewer words nothing is said.
const SAME_SUBJECT: f64 = 0.75;
const LEAST_WORDS: usize = 2;
/// If only a denial differs, nearly all other words must be the same.
const SAME_BUT_DENIED: f64 = 0.8;

/// A text repeats another if this part of its words stand there in the same order, so many at a time.
const REPEATED_SHARE: f64 = 0.8;
const RUN: usize = 4;

/// Later sentences of a text are not compared.
const MAX_STATEMENTS: usize = 2_000;

/// The sentences of a text.
pub fn statements(text: &str, reader: &mut Reader) -> Vec<Statement> {
    let statement = |span: Range<usize>| {
        let sentence = &text[span.clone()];
        let stems = reader.stems(sentence).into_iter().filter(|stem| !stem.contains(|c: char| c.is_ascii_digit()));
        Statement {
            stems: stems.filter(|stem| !is_denial(stem)).collect(),
            numbers: numbers(sentence).into_iter().map(str::to_owned).collect(),
            is_negated: is_negated(sentence),
            span,
        }
    };
    sentences(text).into_iter().take(MAX_STATEMENTS).map(statement).collect()
}

fn is_denial(stem: &str) -> bool {
    is_negated(stem)
}

impl Statement {
    /// Whether both are about the same and cannot both be true: other numbers, or a denial on one side.
    pub fn contradicts(&self, other: &Self) -> bool {
        let other_numbers =
            !self.numbers.is_empty() && !other.numbers.is_empty() && self.numbers.is_disjoint(&other.numbers);
        let is_denied = self.is_negated != other.is_negated;
        if !(other_numbers || is_denied) || self.stems.len().min(other.stems.len()) < LEAST_WORDS {
            return false;
        }
        let shared = self.stems.intersection(&other.stems).count() as f64;
        let share = shared / self.stems.union(&other.stems).count().max(1) as f64;
        other_numbers && share >= SAME_SUBJECT || is_denied && share >= SAME_BUT_DENIED
    }
}

/// A text that others may repeat.
#[derive(Debug, Clone, Default)]
pub struct Repeatable {
    runs: BTreeSet<Vec<String>>,
}

impl Repeatable {
    pub fn new(text: &str, reader: &mut Reader) -> Self {
        Self { runs: runs(&reader.stems_in_order(text)) }
    }

    /// Whether a text says little else than this one does.
    pub fn is_repeated_by(&self, text: &str, reader: &mut Reader) -> bool {
        let stems = reader.stems_in_order(text);
        if stems.len() < RUN {
            return false;
        }
        let own = runs(&stems);
        let repeated = own.iter().filter(|run| self.runs.contains(*run)).count();
        repeated as f64 >= REPEATED_SHARE * own.len() as f64
    }
}

fn runs(stems: &[String]) -> BTreeSet<Vec<String>> {
    stems.windows(RUN).map(<[String]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::text::Language;

    #[test]
    fn ch_07_sentences_contradict_by_numbers_and_denials() {
        let mut reader = Reader::new(Language::ENGLISH);
        let mut check = |one: &str, other: &str, expected: bool| {
            let (one, other) = (statements(one, &mut reader), statements(other, &mut reader));
            assert_eq!(one[0].contradicts(&other[0]), expected);
            assert_eq!(other[0].contradicts(&one[0]), expected);
        };
        check("The pump pressure is 3 bar.", "The pump pressure is 4 bar.", true);
        check("The pump pressure is 3 bar.", "Pump pressure: 3 bar", false);
        check("The release is frozen.", "The release is not frozen.", true);
        check("The pump has 3 valves.", "Lunch costs 4 euros.", false);
        check("Three.", "4", false);
    }

    #[test]
    fn ch_06_a_fragment_repeats_a_file_if_it_says_little_else() {
        let mut reader = Reader::new(Language::ENGLISH);
        let file =
            Repeatable::new("Intro. The pump pressure is 3 bar in normal operation, 5 in tests. End.", &mut reader);
        assert!(file.is_repeated_by("the pump pressure is 3 bar in normal operation", &mut reader));
        assert!(!file.is_repeated_by("I think the pump is too loud for the office next door", &mut reader));
        assert!(!file.is_repeated_by("pump", &mut reader));
    }
}
