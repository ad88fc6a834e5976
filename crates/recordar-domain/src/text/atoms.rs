//! Atoms: the smallest pieces of a chunk, each with its tokens and how good its end is as a place to cut. An atom that is
//! too large is cut finer: into words, then blocks, then characters.

use super::structure::{MAX_MARK_DEPTH, Structure};
use super::tokens::TokenCounter;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) tokens: usize,
    pub(crate) boundary: Boundary,
    /// Whether tokens on both sides of the end add up exactly.
    pub(crate) adds_up: bool,
}

/// How natural a place is to cut at; later variants are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Boundary {
    Character,
    Word,
    Sentence,
    Line,
    Paragraph,
    /// A section of the document begins; the number grows towards the root.
    Section(u8),
}

/// A delimiter ends an atom of at least this size, or one that is a better cut than the end of the previous atom.
const LEAST_ATOM_BYTES: usize = 24;
/// An atom above this is cut finer at once, so that no single count takes long.
const MAX_ATOM_BYTES: usize = 16 * 1024;
/// Words above two of these are cut into blocks of about this size.
const BLOCK_BYTES: usize = 64;
/// A longer cluster of combining marks is no longer treated as one character.
const MAX_GRAPHEME_BYTES: usize = 64;

/// Cuts a part of a text after every delimiter and before every part of its structure.
pub(crate) fn atoms(
    text: &str,
    part: Range<usize>,
    structure: &Structure,
    delimiters: &[String],
    counter: &TokenCounter,
) -> Vec<Atom> {
    let finder = Delimiters::new(delimiters);
    let mut cuts = Cuts { text, counter, atoms: Vec::with_capacity(part.len() / 64), start: part.start };
    let marks = structure.marks();
    let mut marks = marks[marks.partition_point(|mark| mark.at <= part.start)..].iter().peekable();
    let mut at = part.start;
    while at < part.end {
        if let Some(mark) = marks.next_if(|mark| mark.at <= at) {
            cuts.push(mark.at, Boundary::Section(MAX_MARK_DEPTH.saturating_sub(mark.depth)));
            continue;
        }
        let limit = marks.peek().map_or(part.end, |mark| mark.at.min(part.end));
        at = finder.next_candidate(text, at, limit);
        if at == limit {
            continue;
        }
        match finder.boundary_at(text, at) {
            // A mark inside a run of line breaks comes first; the rest of the run is handled after it.
            Some((end, boundary)) if end <= limit => {
                if end - cuts.start >= LEAST_ATOM_BYTES || cuts.atoms.last().is_none_or(|last| boundary > last.boundary)
                {
                    cuts.push(end, boundary);
                }
                at = end;
            }
            Some(_) => at = limit,
            None => at += 1,
        }
    }
    cuts.push(part.end, Boundary::Paragraph);
    cuts.atoms
}

/// The same atom in finer pieces, or `None` if it is a single character.
pub(crate) fn refine(text: &str, atom: &Atom, counter: &TokenCounter) -> Option<Vec<Atom>> {
    let (offsets, boundary) = inner_cuts(&text[atom.start..atom.end])?;
    let mut cuts = Cuts { text, counter, atoms: Vec::with_capacity(offsets.len() + 1), start: atom.start };
    for offset in offsets {
        cuts.push(atom.start + offset, boundary);
    }
    cuts.push(atom.end, atom.boundary);
    Some(cuts.atoms)
}

struct Cuts<'a> {
    text: &'a str,
    counter: &'a TokenCounter,
    atoms: Vec<Atom>,
    start: usize,
}

impl Cuts<'_> {
    fn push(&mut self, end: usize, boundary: Boundary) {
        if end <= self.start {
            // Two boundaries at one place: the better one counts.
            if let Some(last) = self.atoms.last_mut().filter(|last| last.end == end) {
                last.boundary = last.boundary.max(boundary);
            }
            return;
        }
        let start = std::mem::replace(&mut self.start, end);
        let mut atom = Atom { start, end, tokens: 0, boundary, adds_up: self.counter.adds_up_at(self.text, end) };
        if end - start > MAX_ATOM_BYTES
            && let Some(finer) = refine(self.text, &atom, self.counter)
        {
            self.atoms.extend(finer);
            return;
        }
        atom.tokens = self.counter.count(&self.text[start..end]);
        self.atoms.push(atom);
    }
}

/// The places where a piece can be cut: between its words, else between blocks, else between characters.
fn inner_cuts(piece: &str) -> Option<(Vec<usize>, Boundary)> {
    let mut previous_is_space = true;
    let mut words = Vec::new();
    for (at, c) in piece.char_indices() {
        let is_space = c.is_whitespace();
        if is_space && !previous_is_space {
            words.push(at);
        }
        previous_is_space = is_space;
    }
    if !words.is_empty() {
        return Some((words, Boundary::Word));
    }
    let characters = character_starts(piece);
    let cuts = if piece.len() > 2 * BLOCK_BYTES {
        let mut block_start = 0;
        characters
            .into_iter()
            .filter(|&at| {
                at - block_start >= BLOCK_BYTES && {
                    block_start = at;
                    true
                }
            })
            .collect()
    } else {
        characters
    };
    (!cuts.is_empty()).then_some((cuts, Boundary::Character))
}

/// The starts of all characters except the first. A character is a grapheme cluster.
fn character_starts(piece: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    for (at, grapheme) in piece.grapheme_indices(true) {
        starts.push(at);
        if grapheme.len() > MAX_GRAPHEME_BYTES || grapheme.len() == piece.len() {
            starts.extend(grapheme.char_indices().skip(1).map(|(offset, _)| at + offset));
        }
    }
    starts.retain(|&at| at > 0);
    starts
}

struct Delimiters<'a> {
    list: &'a [String],
    is_first_byte: [bool; 256],
    has_line_break: bool,
}

impl<'a> Delimiters<'a> {
    fn new(list: &'a [String]) -> Self {
        let mut is_first_byte = [false; 256];
        for first in list.iter().filter_map(|delimiter| delimiter.bytes().next()) {
            is_first_byte[usize::from(first)] = true;
        }
        Self { list, is_first_byte, has_line_break: list.iter().any(|delimiter| delimiter == "\n") }
    }

    fn next_candidate(&self, text: &str, from: usize, limit: usize) -> usize {
        let bytes = &text.as_bytes()[from..limit];
        bytes.iter().position(|byte| self.is_first_byte[usize::from(*byte)]).map_or(limit, |offset| from + offset)
    }

    /// The cut of a delimiter at this place, if there is one that really delimits.
    fn boundary_at(&self, text: &str, at: usize) -> Option<(usize, Boundary)> {
        let matches =
            |delimiter: &&String| !delimiter.is_empty() && text.as_bytes()[at..].starts_with(delimiter.as_bytes());
        let delimiter = self.list.iter().filter(matches).max_by_key(|delimiter| delimiter.len())?;
        let end = at + delimiter.len();
        if delimiter.ends_with('\n') {
            let (end, boundary) = end_of_line_breaks(text, at, end);
            // What a colon announces belongs to it.
            let announces = boundary == Boundary::Paragraph && text[..at].trim_end().ends_with(':');
            return Some((end, if announces { Boundary::Line } else { boundary }));
        }
        if !matches!(delimiter.as_str(), "." | "!" | "?") {
            return Some((end, Boundary::Sentence));
        }
        // A full stop ends a sentence only before a space: not in 3.14, example.com or an ellipsis.
        let closed = text[end..].trim_start_matches(['"', '\'', ')', ']', '”', '’', '»']);
        let end = text.len() - closed.len();
        match closed.chars().next() {
            Some('\n' | '\r') if self.has_line_break => None,
            Some(next) => next.is_whitespace().then_some((end, Boundary::Sentence)),
            None => Some((end, Boundary::Sentence)),
        }
    }
}

/// Blank lines stay with the text before them, so that a piece starts with its first line.
fn end_of_line_breaks(text: &str, from: usize, mut end: usize) -> (usize, Boundary) {
    for (at, byte) in text.bytes().enumerate().skip(end) {
        match byte {
            b'\n' => end = at + 1,
            b' ' | b'\t' | b'\r' => {}
            _ => break,
        }
    }
    let breaks = text[from..end].bytes().filter(|byte| *byte == b'\n').count();
    (end, if breaks > 1 { Boundary::Paragraph } else { Boundary::Line })
}
