//! What the build script writes and the counter reads: classes of characters, and the table of a vocabulary.
//!
//! This file is compiled twice, into the crate and into its build script, so that both agree by construction. All
//! numbers are little-endian. It must not touch anything outside itself.

/// One bit per class of characters. Every character is in exactly one.
pub(super) mod class {
    /// `\p{Lu}` and `\p{Lt}`.
    pub(in super::super) const UPPER: u8 = 1;
    /// `\p{Ll}`.
    pub(in super::super) const LOWER: u8 = 1 << 1;
    /// `\p{Lm}` and `\p{Lo}`: letters of scripts that have no case.
    pub(in super::super) const CASELESS: u8 = 1 << 2;
    /// `\p{M}`.
    pub(in super::super) const MARK: u8 = 1 << 3;
    /// `\p{N}`.
    pub(in super::super) const NUMBER: u8 = 1 << 4;
    /// `[\r\n]`.
    pub(in super::super) const NEWLINE: u8 = 1 << 5;
    /// `\s`, but for line breaks.
    pub(in super::super) const SPACE: u8 = 1 << 6;
    /// Everything else.
    pub(in super::super) const OTHER: u8 = 1 << 7;
}

/// Characters are looked up by block: the file has one byte per block, then the different blocks, a byte per character.
pub(super) const BLOCK_CHARS: usize = 256;
pub(super) const BLOCKS: usize = 0x11_0000 / BLOCK_CHARS;

/// A vocabulary is the ranks of all pairs of bytes (`u32` each, `NO_TOKEN` where they are none), the number of slots (`u32`),
/// the slots (`u32` each), then the entries in the order of their ranks. Merging begins with every pair of a piece.
///
/// An entry is `rank | length << LENGTH_SHIFT` (`u32`) and the bytes of the token. A slot says where its entry begins,
/// below `TAG_SHIFT`, and a few bits of the hash above it; most other tokens are told apart without reading theirs.
pub(super) const PAIRS: usize = 1 << 16;
pub(super) const NO_TOKEN: u32 = u32::MAX;
pub(super) const EMPTY_SLOT: u32 = u32::MAX;
pub(super) const TAG_SHIFT: u32 = 22;
pub(super) const LENGTH_SHIFT: u32 = 24;

pub(super) fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The slot where a token is looked for first; from there on, one after the other until an empty one.
pub(super) fn first_slot(hash: u64, slots: usize) -> usize {
    (((hash >> 32) * slots as u64) >> 32) as usize
}

pub(super) fn tag(hash: u64) -> u32 {
    (hash as u32) >> TAG_SHIFT
}

/// Made for keys of a few bytes, which are read as one or two words.
#[inline]
pub(super) fn hash(key: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15; // 2⁶⁴ divided by the golden ratio: Knuth's multiplicative hashing.
    let mix = |state: u64, word: u64| {
        let product = (state ^ word).wrapping_mul(SPREAD);
        product ^ (product >> 32)
    };
    let mut state = key.len() as u64;
    let mut rest = key;
    while let Some((word, after)) = rest.split_first_chunk::<8>().filter(|(_, after)| !after.is_empty()) {
        state = mix(state, u64::from_le_bytes(*word));
        rest = after;
    }
    // The last word may overlap the one before it.
    let last = key.last_chunk::<8>().map_or_else(|| short_word(key), |word| u64::from_le_bytes(*word));
    mix(mix(state, last), 0)
}

/// Up to eight bytes as one number. Different keys of the same length have different ones.
#[inline]
pub(super) fn short_word(key: &[u8]) -> u64 {
    if let (Some(head), Some(tail)) = (key.first_chunk::<4>(), key.last_chunk::<4>()) {
        u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << 32
    } else {
        key.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}
