//! The rank of a token, read in place from the table that the build script wrote.

use super::layout::{EMPTY_SLOT, LENGTH_SHIFT, NO_TOKEN, PAIRS, TAG_SHIFT, first_slot, hash, pair, short_word, tag};

#[derive(Clone, Copy)]
pub(super) struct Vocabulary {
    pairs: &'static [[u8; 4]],
    slots: &'static [[u8; 4]],
    entries: &'static [u8],
}

impl Vocabulary {
    pub(super) fn new(table: &'static [u8]) -> Self {
        let (numbers, _) = table.as_chunks::<4>();
        let (pairs, numbers) = numbers.split_at(PAIRS);
        let slots = &numbers[1..=u32::from_le_bytes(numbers[0]) as usize];
        Self { pairs, slots, entries: &table[(pairs.len() + 1 + slots.len()) * 4..] }
    }

    /// `NO_TOKEN` where these bytes are none.
    #[inline]
    pub(super) fn pair_rank(&self, first: u8, second: u8) -> u32 {
        u32::from_le_bytes(self.pairs[pair(first, second)])
    }

    /// `NO_TOKEN` where these bytes are none.
    pub(super) fn rank(&self, token: &[u8]) -> u32 {
        match *token {
            [first, second] => self.pair_rank(first, second),
            _ => self.hashed_rank(token, hash(token)),
        }
    }

    /// The same where the hash is known.
    pub(super) fn hashed_rank(&self, token: &[u8], hash: u64) -> u32 {
        let tag = tag(hash);
        let mut at = first_slot(hash, self.slots.len());
        loop {
            let slot = u32::from_le_bytes(self.slots[at]);
            if slot == EMPTY_SLOT {
                return NO_TOKEN;
            }
            if slot >> TAG_SHIFT == tag
                && let Some(rank) = self.rank_if(token, (slot & ((1 << TAG_SHIFT) - 1)) as usize)
            {
                return rank;
            }
            at = if at + 1 < self.slots.len() { at + 1 } else { 0 };
        }
    }

    /// The rank of the entry that begins here, if it is the token's.
    #[inline]
    fn rank_if(&self, token: &[u8], at: usize) -> Option<u32> {
        let (head, rest) = self.entries[at..].split_first_chunk::<4>()?;
        let head = u32::from_le_bytes(*head);
        let is_this = (head >> LENGTH_SHIFT) as usize == token.len() && is_same(&rest[..token.len()], token);
        is_this.then_some(head & ((1 << LENGTH_SHIFT) - 1))
    }
}

/// Whether two keys of the same length are the same. Most are short, and comparing numbers is quicker than comparing slices.
#[inline]
pub(super) fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() <= 8 { short_word(left) == short_word(right) } else { left == right }
}
