//! Counts tokens without any start-up cost, with tables that are part of the program.
//!
//! For the two most used encodings, `build.rs` writes the tables that tiktoken would build on the first count. The counts are
//! always those of tiktoken; if that is uncertain, no count is returned and tiktoken is used.

mod characters;
mod layout;
mod memo;
mod merge;
mod pieces;
#[cfg(test)]
mod tests;
mod vocabulary;

use layout::{NO_TOKEN, hash};
use memo::with_memo;
use merge::merged_count;
use pieces::Pattern;
use vocabulary::Vocabulary;

static O200K_BASE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.table"));
static CL100K_BASE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.table"));

#[derive(Clone, Copy)]
pub(super) struct QuickTokens {
    pattern: Pattern,
    vocabulary: Vocabulary,
}

impl QuickTokens {
    /// The encoding of this name, if there are tables of it.
    pub(super) fn of(encoding: &str) -> Option<Self> {
        match encoding {
            "o200k_base" => Some(Self { pattern: Pattern::O200k, vocabulary: Vocabulary::new(O200K_BASE) }),
            "cl100k_base" => Some(Self { pattern: Pattern::Cl100k, vocabulary: Vocabulary::new(CL100K_BASE) }),
            _ => None,
        }
    }

    /// Nothing where only tiktoken knows.
    pub(super) fn count(&self, text: &str) -> Option<usize> {
        with_memo(|memo| {
            let (mut tokens, mut start) = (0, 0);
            while start < text.len() {
                let end = self.pattern.piece_end(text, start)?;
                let piece = &text.as_bytes()[start..end];
                let hash = hash(piece);
                tokens += memo.count(self.pattern as u8, piece, hash, || self.piece_count(piece, hash));
                start = end;
            }
            Some(tokens)
        })
    }

    fn piece_count(&self, piece: &[u8], hash: u64) -> usize {
        let is_token = self.vocabulary.hashed_rank(piece, hash) != NO_TOKEN;
        if is_token { 1 } else { merged_count(self.vocabulary, piece) }
    }
}
