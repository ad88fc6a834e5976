//! Splits a document into chunks. A pure function: the same text, settings and tokenizer give the same chunks.
//!
//! Every chunk is an exact slice of the document, so the chunks without their overlap add up to it. A chunk ends at the
//! best place between its minimum and its maximum size: where a section begins, else at a paragraph, a line, a
//! sentence, a word, and only then between two characters.

use super::atoms::{Atom, Boundary, atoms, refine};
use super::{Structure, TokenCounter};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The settings of the two chunkers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Chunking {
    /// By delimiters, each chunk between a minimum and a maximum number of tokens (A3). Only the last may be shorter.
    Delimiter { min_tokens: usize, max_tokens: usize, delimiters: Vec<String> },
    /// By paragraphs, lines, sentences and words, up to a number of tokens that includes the overlap (B2).
    Recursive { tokens: usize, overlap: usize },
}

impl Default for Chunking {
    fn default() -> Self {
        Self::Delimiter { min_tokens: 300, max_tokens: 500, delimiters: [".", "。", "\n"].map(str::to_owned).to_vec() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// The start of the chunk's own text; the overlap comes before it.
    pub start: usize,
    pub end: usize,
    /// Bytes before `start` that are repeated from the previous chunk.
    pub overlap: usize,
    /// Tokens of overlap and own text together, exactly as the model counts them.
    pub tokens: usize,
    pub cut: Cut,
}

/// Why a chunk ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    Section,
    Paragraph,
    Line,
    Sentence,
    Word,
    Character,
    End,
    /// As in the version before.
    Kept,
}

impl Cut {
    pub fn name(self) -> &'static str {
        match self {
            Self::Section => "section",
            Self::Paragraph => "paragraph",
            Self::Line => "line",
            Self::Sentence => "sentence",
            Self::Word => "word",
            Self::Character => "character",
            Self::End => "end",
            Self::Kept => "kept",
        }
    }
}

impl Chunk {
    pub fn text<'a>(&self, document: &'a str) -> &'a str {
        &document[self.start - self.overlap..self.end]
    }
}

/// No chunk is larger, whatever its tokens: a token of spaces or dashes can be more than a hundred bytes.
pub const MAX_CHUNK_BYTES: usize = 256 * 1024;

pub fn chunk(text: &str, structure: &Structure, chunking: &Chunking, counter: &TokenCounter) -> Vec<Chunk> {
    Cutting::new(text, structure, chunking, counter).cut(0..text.len(), None)
}

/// A text and how it is cut, in whole or in part.
pub(super) struct Cutting<'a> {
    pub(super) text: &'a str,
    structure: &'a Structure,
    counter: &'a TokenCounter,
    pub(super) min: usize,
    max: usize,
    overlap: usize,
    delimiters: Vec<String>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(text: &'a str, structure: &'a Structure, chunking: &Chunking, counter: &'a TokenCounter) -> Self {
        let (min, max, overlap, delimiters) = match chunking {
            Chunking::Delimiter { min_tokens, max_tokens, delimiters } => {
                (*min_tokens, *max_tokens, 0, delimiters.clone())
            }
            Chunking::Recursive { tokens, overlap } => {
                let delimiters = ["\n", ".", "!", "?", "。", "！", "？", "।", "؟"].map(str::to_owned).to_vec();
                (*tokens / 2, *tokens, *overlap, delimiters)
            }
        };
        // A limit of 0 cannot be met; the configuration does not allow it.
        Self { text, structure, counter, min, max: max.max(1), overlap, delimiters }
    }

    /// The chunks of a part of the text. The first one repeats the end of the chunk before.
    pub(super) fn cut(&self, part: Range<usize>, before: Option<&Chunk>) -> Vec<Chunk> {
        let repeated = match before.filter(|_| self.overlap > 0) {
            Some(before) => {
                let atoms = self.atoms(before.start - before.overlap..before.end);
                self.cutter(Vec::new()).tail(&atoms, self.overlap)
            }
            None => Vec::new(),
        };
        let mut rest = self.atoms(part);
        rest.reverse();
        self.cutter(rest).cut_all(self.overlap, repeated)
    }

    fn atoms(&self, part: Range<usize>) -> Vec<Atom> {
        atoms(self.text, part, self.structure, &self.delimiters, self.counter)
    }

    fn cutter(&self, rest: Vec<Atom>) -> Cutter<'a> {
        let rest_tokens = rest.iter().map(|atom| atom.tokens).sum();
        Cutter { text: self.text, counter: self.counter, min: self.min, max: self.max, rest, rest_tokens }
    }
}

struct Cutter<'a> {
    text: &'a str,
    counter: &'a TokenCounter,
    min: usize,
    max: usize,
    /// What is not yet in a chunk, the next atom last.
    rest: Vec<Atom>,
    rest_tokens: usize,
}

impl Cutter<'_> {
    fn cut_all(mut self, overlap: usize, mut repeated: Vec<Atom>) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        while !self.rest.is_empty() {
            let (taken, tokens, first_own) = self.next_chunk(repeated);
            let (first, own, last) = (taken[0], taken[first_own], taken[taken.len() - 1]);
            chunks.push(Chunk {
                start: own.start,
                end: last.end,
                overlap: own.start - first.start,
                tokens,
                cut: if self.rest.is_empty() { Cut::End } else { last.boundary.into() },
            });
            repeated = self.tail(&taken, overlap);
        }
        chunks
    }

    /// The atoms of the next chunk, its tokens, and the index of the first atom that is not repeated.
    fn next_chunk(&mut self, mut repeated: Vec<Atom>) -> (Vec<Atom>, usize, usize) {
        // If tokens span atoms, even one more atom can be too much with the overlap: then drop the overlap.
        if let Some(next) = self.rest.last().copied().filter(|next| next.tokens <= self.max) {
            repeated.push(next);
            let is_too_much = self.count(&repeated) > self.max;
            repeated.pop();
            if is_too_much && repeated.last().is_some_and(|last| !last.adds_up) {
                repeated.clear();
            }
        }
        let first_own = repeated.len();
        let mut taken = repeated;
        loop {
            taken = self.fill(taken, first_own);
            match self.choose(taken, first_own) {
                Ok((taken, tokens)) => return (taken, tokens, first_own),
                Err(unfinished) => taken = unfinished,
            }
        }
    }

    /// Takes as many atoms as fit, cutting the next one finer if the chunk would otherwise be too short.
    fn fill(&mut self, mut taken: Vec<Atom>, repeated: usize) -> Vec<Atom> {
        let mut tokens = self.count(&taken);
        let mut counted = taken.len();
        while let Some(next) = self.rest.last().copied() {
            let start = taken.first().map_or(next.start, |first| first.start);
            let fits_bytes = next.end - start <= MAX_CHUNK_BYTES;
            if tokens + next.tokens <= self.max && fits_bytes {
                tokens += next.tokens;
                taken.push(next);
                self.drop_next();
            } else if counted < taken.len() {
                // The sum may be too high if tokens span atoms. Count once, and continue from the exact number.
                tokens = self.count(&taken);
                counted = taken.len();
            } else if taken.len() > repeated && (tokens >= self.min || !fits_bytes) {
                break;
            } else if let Some(finer) = refine(self.text, &next, self.counter) {
                self.replace_next(finer);
            } else {
                // A single character that does not fit is taken anyway if the chunk is otherwise empty.
                if taken.len() == repeated {
                    taken.push(next);
                    self.drop_next();
                }
                break;
            }
        }
        taken
    }

    /// Ends the chunk at the best boundary within its limits, and gives back the rest.
    /// `Err` returns the atoms of a chunk that is still too short, the next one having been cut finer.
    fn choose(&mut self, mut taken: Vec<Atom>, repeated: usize) -> Result<(Vec<Atom>, usize), Vec<Atom>> {
        const MOST_TRIES: usize = 16;
        let all = self.count(&taken);
        if self.rest.is_empty() && all <= self.max {
            return Ok((taken, all));
        }
        for end in self.ends(&taken, repeated).into_iter().take(MOST_TRIES) {
            let tokens = self.count(&taken[..end]);
            if (self.min..=self.max).contains(&tokens) {
                self.give_back(&mut taken, end);
                return Ok((taken, tokens));
            }
        }
        // Tokens span the atoms, and no end fits. Keep what the limit allows.
        while taken.len() > repeated + 1 && self.count(&taken) > self.max {
            let end = taken.len() - 1;
            self.give_back(&mut taken, end);
        }
        let tokens = self.count(&taken);
        if tokens < self.min
            && let Some(next) = self.rest.last().copied()
            && let Some(finer) = refine(self.text, &next, self.counter)
        {
            self.replace_next(finer);
            return Err(taken);
        }
        Ok((taken, tokens))
    }

    /// The places where the chunk may end, best first: where the rest can still be cut well, then at the most
    /// natural place, then as late as possible.
    fn ends(&self, taken: &[Atom], repeated: usize) -> Vec<usize> {
        let all: usize = taken.iter().map(|atom| atom.tokens).sum();
        let mut sum = 0;
        let ends = taken.iter().enumerate().filter_map(|(index, atom)| {
            sum += atom.tokens;
            (index >= repeated && sum >= self.min)
                .then(|| (self.can_be_cut_well(self.rest_tokens + all - sum), atom.boundary, index + 1))
        });
        let mut ends: Vec<_> = ends.collect();
        ends.sort_unstable_by(|one, other| other.cmp(one));
        ends.into_iter().map(|(_, _, end)| end).collect()
    }

    /// Whether this number of tokens can be divided into chunks that are neither too short nor too long.
    fn can_be_cut_well(&self, tokens: usize) -> bool {
        tokens.div_ceil(self.max) * self.min <= tokens
    }

    /// The atoms at the end of a chunk that the next one repeats.
    fn tail(&self, taken: &[Atom], overlap: usize) -> Vec<Atom> {
        let mut tail: Vec<Atom> = Vec::new();
        let mut tokens = 0;
        let mut candidates = if overlap == 0 { Vec::new() } else { taken.to_vec() };
        while let Some(atom) = candidates.pop() {
            if tokens + atom.tokens <= overlap {
                tokens += atom.tokens;
                tail.push(atom);
            } else if tokens * 2 < overlap
                && let Some(finer) = refine(self.text, &atom, self.counter)
            {
                candidates.extend(finer);
            } else {
                break;
            }
        }
        tail.reverse();
        while self.count(&tail) > overlap {
            tail.remove(0);
        }
        tail
    }

    /// The exact tokens of neighbouring atoms: their sum if that is certain, else counted again.
    fn count(&self, taken: &[Atom]) -> usize {
        let (Some(first), Some(last)) = (taken.first(), taken.last()) else {
            return 0;
        };
        let inner = &taken[..taken.len() - 1];
        if inner.iter().all(|atom| atom.adds_up) {
            return taken.iter().map(|atom| atom.tokens).sum();
        }
        self.counter.count(&self.text[first.start..last.end])
    }

    fn drop_next(&mut self) {
        if let Some(atom) = self.rest.pop() {
            self.rest_tokens -= atom.tokens;
        }
    }

    fn replace_next(&mut self, mut finer: Vec<Atom>) {
        self.drop_next();
        self.give_back(&mut finer, 0);
    }

    fn give_back(&mut self, taken: &mut Vec<Atom>, keep: usize) {
        for atom in taken.drain(keep..).rev() {
            self.rest_tokens += atom.tokens;
            self.rest.push(atom);
        }
    }
}

impl From<Boundary> for Cut {
    fn from(boundary: Boundary) -> Self {
        match boundary {
            Boundary::Section(_) => Self::Section,
            Boundary::Paragraph => Self::Paragraph,
            Boundary::Line => Self::Line,
            Boundary::Sentence => Self::Sentence,
            Boundary::Word => Self::Word,
            Boundary::Character => Self::Character,
        }
    }
}
