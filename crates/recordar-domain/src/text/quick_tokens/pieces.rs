//! Where the pieces of a text end that are made into tokens on their own.
//!
//! An encoding says this by a regular expression, whose alternatives are tried in order. Written out they are:
//!
//! | piece | cl100k | o200k |
//! | --- | --- | --- |
//! | contraction | `(?i:'s\|'t\|'re\|'ve\|'m\|'ll\|'d)` | at the end of a word |
//! | word | `[^\r\n\p{L}\p{N}]?\p{L}+` | `[^\r\n\p{L}\p{N}]?U*L+C?`, else `[^\r\n\p{L}\p{N}]?U+L*C?` |
//! | number | `\p{N}{1,3}` | the same |
//! | signs | ` ?[^\s\p{L}\p{N}]+[\r\n]*` | ` ?[^\s\p{L}\p{N}]+[\r\n/]*` |
//! | spaces | `\s*[\r\n]+`, else `\s+(?!\S)`, else `\s+` | the same |
//!
//! with `U` for `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `L` for `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` and `C` for a contraction. They
//! would have to be compiled in every process; this does not. The tests compare the two.

use super::characters::{class_at, run_end};
use super::layout::class::{CASELESS, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER};

#[derive(Clone, Copy)]
pub(super) enum Pattern {
    Cl100k,
    O200k,
}

const LETTER: u8 = UPPER | LOWER | CASELESS;
/// What may stand before a word and still be of its piece.
const LEAD: u8 = MARK | SPACE | OTHER;
/// `U` and `L` of the table above, and what is in both.
const HEAD: u8 = UPPER | CASELESS | MARK;
const TAIL: u8 = LOWER | CASELESS | MARK;
const BOTH: u8 = HEAD & TAIL;

impl Pattern {
    /// Where the piece that begins at `start` ends; `start` lies before the end of the text. Nothing where it is
    /// uncertain what tiktoken does.
    pub(super) fn piece_end(self, text: &str, start: usize) -> Option<usize> {
        let (first, second) = class_at(text, start);
        let word = match self {
            Self::Cl100k => cl100k_word(text, start, first, second),
            Self::O200k => match o200k_word(text, start, first, second) {
                Some(end) => Some(with_contraction(text, end)?),
                None => None,
            },
        };
        let number = || (first == NUMBER).then(|| number_end(text, second));
        let end = word.or_else(number).or_else(|| self.signs(text, start));
        Some(end.unwrap_or_else(|| spaces_end(text, start)))
    }

    fn signs(self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let from = start + usize::from(bytes[start] == b' ');
        let mut end = run_end(text, from, MARK | OTHER);
        if end == from {
            return None;
        }
        let is_slash_kept = matches!(self, Self::O200k);
        while bytes.get(end).is_some_and(|byte| matches!(byte, b'\r' | b'\n') || (is_slash_kept && *byte == b'/')) {
            end += 1;
        }
        Some(end)
    }
}

fn cl100k_word(text: &str, start: usize, first: u8, second: usize) -> Option<usize> {
    if let Some(length) = contraction(&text.as_bytes()[start..]) {
        return Some(start + length);
    }
    let from = if first & LEAD != 0 { second } else { start };
    let end = run_end(text, from, LETTER);
    (end > from).then_some(end)
}

/// The alternatives in their order: each of the two kinds of word first behind a lead, then without one. What is both a
/// lead and part of a word is a mark.
fn o200k_word(text: &str, start: usize, first: u8, second: usize) -> Option<usize> {
    let from = if first & LEAD != 0 { second } else { start };
    let (lowered, head_end) = cased_word(text, from);
    let lowered = lowered.or_else(|| if first == MARK { cased_word(text, start).0 } else { None });
    lowered.or_else(|| (head_end > from).then_some(head_end))
}

/// Where `U*L+` ends, if there is such a word, and where `U*` does.
fn cased_word(text: &str, from: usize) -> (Option<usize>, usize) {
    let mut at = from;
    let mut both_end = None;
    let after = loop {
        let (class, next) = class_at(text, at);
        if class & HEAD == 0 {
            break class;
        }
        at = next;
        if class & BOTH != 0 {
            both_end = Some(at);
        }
    };
    // Without a small letter behind it, `U*` gives back as much as `L+` needs: up to the last character that is in both.
    let lowered = if after == LOWER { Some(run_end(text, at, TAIL)) } else { both_end };
    (lowered, at)
}

/// The end of a word with the contraction behind it. tiktoken knows the long s in some words and not in others, so
/// nothing is said of it here.
fn with_contraction(text: &str, end: usize) -> Option<usize> {
    let rest = &text.as_bytes()[end..];
    if rest.first() != Some(&b'\'') {
        return Some(end);
    }
    if is_long_s(&rest[1..]) { None } else { Some(end + contraction(rest).unwrap_or(0)) }
}

/// The bytes of the contraction that the text begins with. The long s is an s where case is of no account.
fn contraction(text: &[u8]) -> Option<usize> {
    let (b'\'', rest) = text.split_first()? else { return None };
    let second = rest.get(1).map(u8::to_ascii_lowercase);
    match (rest.first()?.to_ascii_lowercase(), second) {
        (b's' | b't' | b'm' | b'd', _) => Some(2),
        (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) => Some(3),
        _ => is_long_s(rest).then_some(3),
    }
}

fn is_long_s(text: &[u8]) -> bool {
    text.starts_with("ſ".as_bytes())
}

/// The end of a number of which the first digit ends here.
fn number_end(text: &str, mut end: usize) -> usize {
    for _ in 0..2 {
        let (class, next) = class_at(text, end);
        if class == NUMBER {
            end = next;
        }
    }
    end
}

/// Spaces up to their last line break; without one, all but the last before a word, of whose piece that one is.
fn spaces_end(text: &str, start: usize) -> usize {
    let (mut at, mut last, mut lines_end) = (start, start, None);
    loop {
        let (class, next) = class_at(text, at);
        if class & (SPACE | NEWLINE) == 0 {
            break;
        }
        (last, at) = (at, next);
        if class == NEWLINE {
            lines_end = Some(at);
        }
    }
    match lines_end {
        Some(end) => end,
        None if at < text.len() && last > start => last,
        None => at,
    }
}
