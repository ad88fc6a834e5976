//! When two sentences contradict each other: they are about the same, and one denies the other. Rules, which see numbers, names, days, denials
//! and opposites, not meaning. Where they cannot tell, they say so.
//!
//! A sentence is read once into what it says (`read.rs`); then two are compared (`relate.rs`). Pure; knows no store and no model.

mod bounds;
mod days;
mod difference;
mod labels;
mod line;
mod lists;
mod phrases;
mod read;
mod relate;
mod tokens;
mod values;
mod words;

use crate::stems::{Reader, sentences};
use std::ops::Range;

/// A sentence of stored text, to be compared.
#[derive(Debug, Clone)]
pub struct Statement {
    pub span: Range<usize>,
    /// A bit for each word, of 64: sentences without a common bit share no word.
    mask: u64,
    said: read::Said,
    is_english: bool,
}

/// How two statements stand to each other. The same in either order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// They are about different things, or about different sides of one: both may hold.
    Apart,
    /// They say the same, or one says more than the other.
    Agrees,
    /// They are about the same, and cannot both hold.
    Contradicts,
    /// They seem to be about the same, and rules cannot tell whether both hold. A judge may.
    Unsure,
}

/// Later sentences of a text are not compared.
const MAX_STATEMENTS: usize = 2_000;

/// The sentences of a text.
pub fn statements(text: &str, reader: &mut Reader) -> Vec<Statement> {
    sentences(text).into_iter().take(MAX_STATEMENTS).map(|span| Statement::new(text, span, reader)).collect()
}

impl Statement {
    fn new(text: &str, span: Range<usize>, reader: &mut Reader) -> Self {
        let language = reader.language_of(text);
        let said = read::read(&text[span.clone()], language, reader);
        let mask = said.words.iter().fold(0, |mask, word| mask | bit(&word.key));
        Self { span, mask, said, is_english: language.is_english() }
    }

    /// How both stand to each other.
    pub fn relation(&self, other: &Self) -> Relation {
        if self.mask & other.mask == 0 || self.is_english != other.is_english {
            return Relation::Apart;
        }
        let relate = if self.is_english { relate::relation } else { relate::relation_by_numbers };
        let relations = [relate(&self.said, &other.said), relate(&other.said, &self.said)];
        // The rules look for what one says in the other. Where it matters which, they are not sure enough.
        match relations {
            [one, other] if one == other => one,
            _ if relations.contains(&Relation::Contradicts) => Relation::Unsure,
            [one, other] => one.min(other),
        }
    }

    /// Whether both are about the same and cannot both hold.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.relation(other) == Relation::Contradicts
    }
}

/// FNV-1a, folded to one of 64 bits.
fn bit(key: &str) -> u64 {
    let hash = key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    1 << (hash >> 58)
}

#[cfg(test)]
mod tests;
