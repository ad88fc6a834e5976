//! What is asked of an index, and what it answers.

use crate::score::{Evidence, Mode, TermEvidence};

/// What to look for, and how.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    pub mode: Mode,
    /// The question's vector, made by the same model as the index's.
    pub vector: &'a [i8],
    /// The role that speaks of itself in the question: a question about "me" is answered by what the user said.
    pub role: Option<u8>,
    /// The time that the question asks about, in microseconds, from and up to.
    pub period: Option<(i64, i64)>,
    /// How many hits are wanted.
    pub depth: usize,
}

impl Search<'_> {
    /// How far a time is from the one that is asked about.
    pub(crate) fn away(&self, at: i64) -> Option<i64> {
        let (from, to) = self.period?;
        Some(from.saturating_sub(at).max(at.saturating_sub(to)).max(0))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: u32,
    pub score: f64,
    pub evidence: Evidence,
    /// The cosine of its vector with the question's, not below 0; 0 where vectors were not asked for.
    pub cosine: f64,
    /// One for each word of the question, in its order.
    pub terms: Vec<TermEvidence>,
}

/// The hits and how they were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// By score, then by id.
    pub hits: Vec<Hit>,
    /// How many there would be without a limit on their number.
    pub scored: usize,
    pub by_words: usize,
    pub by_vector: usize,
    pub candidates: usize,
}

/// How one item does for a question, whether it is among the hits or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub hit: Hit,
    /// Whether it was looked at, by its words, its meaning or its neighbours.
    pub is_candidate: bool,
}
