//! Requests to an index, and its results.

use crate::filter::Filter;
use crate::score::{Evidence, Mode, TermEvidence};
use crate::signal::SignalSet;

/// A search request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    pub mode: Mode,
    /// The question's vector, made by the same model as the index's.
    pub vector: &'a [i8],
    /// The role that the question speaks as: a question about "me" is answered by the user's messages.
    pub role: Option<u8>,
    /// The period that the question asks about, in microseconds.
    pub period: Option<(i64, i64)>,
    /// The maximum number of hits.
    pub depth: usize,
    /// Only these items are candidates and hits. How rare words are is still counted among all items, and the evidence of an item
    /// may come from neighbours that are not among these.
    pub only: Option<&'a Filter>,
    /// Neighbours and threads among these earn nothing. The others are left out by the mode, the role, the period and the lookup.
    pub without: SignalSet,
}

impl Search<'_> {
    /// The distance of a time from the period of the question.
    pub(crate) fn away(&self, at: i64) -> Option<i64> {
        let (from, to) = self.period?;
        Some(from.saturating_sub(at).max(at.saturating_sub(to)).max(0))
    }

    /// Whether the filter lets an item through.
    #[inline]
    pub(crate) fn admits(&self, position: u32) -> bool {
        self.only.is_none_or(|only| only.contains(position as usize))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: u32,
    /// The item before it in its thread or document, if there is one.
    pub before: Option<u32>,
    pub score: f64,
    pub evidence: Evidence,
    /// The cosine of its vector with the question's, at least 0; 0 if vectors were not requested.
    pub cosine: f64,
    /// One for each word of the question, in its order.
    pub terms: Vec<TermEvidence>,
}

/// The hits and how they were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// By score, then by id.
    pub hits: Vec<Hit>,
    /// The number of hits without a limit.
    pub scored: usize,
    pub by_words: usize,
    pub by_vector: usize,
    pub candidates: usize,
    /// Whether the candidates are all items of the filter.
    pub is_complete: bool,
}

/// The score of one item for a question, whether it is among the hits or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub hit: Hit,
    /// Whether it was a candidate, by its words, its meaning or its neighbours.
    pub is_candidate: bool,
}
