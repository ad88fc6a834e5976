//! The class of a character, read in place from the table that the build script wrote.

use super::layout::{BLOCK_CHARS, BLOCKS};

static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/characters.table"));

/// The class of the character that begins here and where the next one begins; no class (0) at the end of the text.
#[inline]
pub(super) fn class_at(text: &str, at: usize) -> (u8, usize) {
    match text.as_bytes().get(at) {
        // ASCII is in the first block, which is the first one kept.
        Some(byte) if byte.is_ascii() => (TABLE[BLOCKS + usize::from(*byte)], at + 1),
        Some(_) => wide_class_at(text, at),
        None => (0, at),
    }
}

/// Where the run of characters of these classes that begins here ends.
#[inline]
pub(super) fn run_end(text: &str, mut at: usize, classes: u8) -> usize {
    loop {
        let (class, next) = class_at(text, at);
        if class & classes == 0 {
            return at;
        }
        at = next;
    }
}

/// Apart, so that what is above stays small enough to become part of its callers.
#[inline(never)]
fn wide_class_at(text: &str, at: usize) -> (u8, usize) {
    let Some(character) = text[at..].chars().next() else { return (0, at) };
    let code = character as usize;
    let block = usize::from(TABLE[code / BLOCK_CHARS]);
    (TABLE[BLOCKS + block * BLOCK_CHARS + code % BLOCK_CHARS], at + character.len_utf8())
}
