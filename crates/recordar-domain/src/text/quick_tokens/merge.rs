//! Byte pair encoding: of the neighbours in a piece, those of the lowest rank are joined, the leftmost first, until no two
//! make a token.

use super::layout::NO_TOKEN;
use super::vocabulary::Vocabulary;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Up to here the lowest rank is looked for among all. Nearly all pieces are this short, and nothing is allocated for them.
const MAX_SCANNED_BYTES: usize = 96;

/// A rank has 18 bits; this is enough for every text that fits into memory.
const POSITION_BITS: u32 = 40;

/// How many tokens a piece makes that is not one itself.
pub(super) fn merged_count(vocabulary: Vocabulary, piece: &[u8]) -> usize {
    if piece.len() <= MAX_SCANNED_BYTES { scanned_count(vocabulary, piece) } else { heaped_count(vocabulary, piece) }
}

fn scanned_count(vocabulary: Vocabulary, piece: &[u8]) -> usize {
    // Where each part begins, and the rank it has together with the next one. The last one stands for the end.
    let mut starts = [0u8; MAX_SCANNED_BYTES + 1];
    let mut ranks = [NO_TOKEN; MAX_SCANNED_BYTES + 1];
    for (at, start) in (0u8..).zip(&mut starts[..=piece.len()]) {
        *start = at;
    }
    for (pair, rank) in piece.windows(2).zip(&mut ranks) {
        *rank = vocabulary.pair_rank(pair[0], pair[1]);
    }
    let mut parts = piece.len();
    loop {
        let (mut lowest, mut rank) = (0, NO_TOKEN);
        for (at, other) in ranks[..parts].iter().enumerate() {
            if *other < rank {
                (lowest, rank) = (at, *other);
            }
        }
        if rank == NO_TOKEN {
            return parts;
        }
        starts.copy_within(lowest + 2..=parts, lowest + 1);
        ranks.copy_within(lowest + 2..=parts, lowest + 1);
        parts -= 1;
        for at in lowest.saturating_sub(1)..=lowest {
            let pair = (at + 2 <= parts).then(|| &piece[usize::from(starts[at])..usize::from(starts[at + 2])]);
            ranks[at] = pair.map_or(NO_TOKEN, |pair| vocabulary.rank(pair));
        }
    }
}

/// The same for pieces of any length, in time that hardly grows faster than they do.
fn heaped_count(vocabulary: Vocabulary, piece: &[u8]) -> usize {
    let end = piece.len();
    // Of the part that begins at an index: where the next and the previous one begin, and its rank together with the next.
    let mut next: Vec<usize> = (1..=end).collect();
    let mut previous: Vec<usize> = (0..end).map(|at| at.saturating_sub(1)).collect();
    let mut ranks: Vec<u32> = piece.windows(2).map(|pair| vocabulary.rank(pair)).collect();
    ranks.push(NO_TOKEN);
    // As one number: the lowest rank first, then the leftmost.
    let ordered = |rank: u32, at: usize| Reverse(u64::from(rank) << POSITION_BITS | at as u64);
    let pairs = ranks.iter().enumerate().filter(|(_, rank)| **rank != NO_TOKEN);
    let mut heap: BinaryHeap<Reverse<u64>> = pairs.map(|(at, rank)| ordered(*rank, at)).collect();
    let mut parts = end;
    while let Some(Reverse(pair)) = heap.pop() {
        let at = (pair & ((1 << POSITION_BITS) - 1)) as usize;
        // A pair whose parts have changed since is no longer of that rank; a rank names its bytes.
        if u64::from(ranks[at]) != pair >> POSITION_BITS {
            continue;
        }
        let joined = next[at];
        next[at] = next[joined];
        if next[at] < end {
            previous[next[at]] = at;
        }
        ranks[joined] = NO_TOKEN;
        parts -= 1;
        let before = (at > 0).then(|| previous[at]);
        for first in before.into_iter().chain([at]) {
            let second = next[first];
            let pair = (second < end).then(|| &piece[first..next[second]]);
            ranks[first] = pair.map_or(NO_TOKEN, |pair| vocabulary.rank(pair));
            if ranks[first] != NO_TOKEN {
                heap.push(ordered(ranks[first], first));
            }
        }
    }
    parts
}
