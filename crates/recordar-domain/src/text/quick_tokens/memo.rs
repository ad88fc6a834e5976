//! The pieces counted last, on each thread.
//!
//! Texts use the same words again and again. A vocabulary does not fit into the processor's nearest caches; this does, and a
//! piece found here is not cut into tokens again. It makes counting faster and changes no count.

use super::vocabulary::is_same;
use std::cell::RefCell;

/// One MiB on a thread that counts much: with less, counting long English texts is slower than by tiktoken.
const LINES: usize = 16384;
const LINE_BYTES: usize = 64;

/// A line is the number of tokens, the length of the piece, whose it is, and the piece. A new one is all zeros: no piece is
/// empty, so it is nobody's.
type Line = [u8; LINE_BYTES];
const HEAD_BYTES: usize = 3;

pub(super) struct Memo<'a>(&'a mut [Line]);

thread_local! {
    // Plain bytes: zeros of these come from the system as they are, and take memory only where something is written.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// `work` must not call this again: there is one memo per thread.
pub(super) fn with_memo<T>(work: impl FnOnce(&mut Memo<'_>) -> T) -> T {
    BYTES.with_borrow_mut(|bytes| {
        if bytes.is_empty() {
            *bytes = vec![0; LINES * LINE_BYTES];
        }
        work(&mut Memo(bytes.as_chunks_mut().0))
    })
}

impl Memo<'_> {
    /// How many tokens a piece makes in an encoding, counted if that is not known.
    #[inline]
    pub(super) fn count(&mut self, encoding: u8, piece: &[u8], hash: u64, count: impl FnOnce() -> usize) -> usize {
        if piece.len() > LINE_BYTES - HEAD_BYTES {
            return count();
        }
        let length = piece.len() as u8;
        let line = &mut self.0[hash as usize % LINES];
        if line[1] == length && line[2] == encoding && is_same(&line[HEAD_BYTES..][..piece.len()], piece) {
            return usize::from(line[0]);
        }
        let tokens = count();
        // A piece makes no more tokens than it has bytes.
        [line[0], line[1], line[2]] = [tokens as u8, length, encoding];
        line[HEAD_BYTES..][..piece.len()].copy_from_slice(piece);
        tokens
    }
}
