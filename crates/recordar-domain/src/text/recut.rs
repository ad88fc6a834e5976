//! Cuts the next version of a document: the chunks whose text is still there stay as they are, and only what is between them is cut anew.
//! So an edit changes the chunks around it, not all those that follow. Pure: the same text and the same chunks give the same result.

use super::align::longest_rise;
use super::chunk::{Chunk, Chunking, Cut, Cutting};
use super::{Structure, TokenCounter};
use std::collections::HashMap;
use std::ops::Range;

/// A chunk of the version before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkBefore<'a> {
    pub text: &'a str,
    /// Bytes at the front that repeat the chunk before it.
    pub overlap: usize,
    pub tokens: usize,
}

impl ChunkBefore<'_> {
    fn own(&self) -> &str {
        self.text.get(self.overlap..).unwrap_or_default()
    }
}

/// If a part cannot be cut well even together with this many chunks after it, everything after it is cut anew.
const MOST_TAKEN_ALONG: usize = 8;

/// Comparing chunks with places that begin alike takes at most this many times the length of the text.
const MOST_COMPARED: usize = 16;

/// The same text is looked for by its first bytes.
const ANCHOR_BYTES: usize = 32;

/// The chunks of a text whose version before had these chunks, cut with the same settings.
pub fn recut(
    text: &str,
    structure: &Structure,
    chunking: &Chunking,
    counter: &TokenCounter,
    before: &[ChunkBefore<'_>],
) -> Vec<Chunk> {
    let cutting = Cutting::new(text, structure, chunking, counter);
    let mut kept = kept(&cutting, before).into_iter().peekable();
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if let Some(chunk) = kept.next_if(|chunk| chunk.start == at) {
            at = chunk.end;
            chunks.push(chunk);
            continue;
        }
        let mut taken_along = 0;
        let anew = loop {
            let end = kept.peek().map_or(text.len(), |chunk| chunk.start);
            let anew = cutting.cut(at..end, chunks.last());
            if end == text.len() || anew.last().is_some_and(|last| last.tokens >= cutting.min) {
                break anew;
            }
            // Only the last chunk of a document may be shorter: the next one is cut along with it.
            kept.next();
            taken_along += 1;
            if taken_along > MOST_TAKEN_ALONG {
                while kept.next().is_some() {}
            }
        };
        at = anew.last().map_or(text.len(), |last| last.end);
        chunks.extend(anew);
    }
    chunks
}

/// The chunks whose text is still there, in its order, as chunks of the new text.
fn kept(cutting: &Cutting<'_>, before: &[ChunkBefore<'_>]) -> Vec<Chunk> {
    let text = cutting.text;
    let mut chunks = Vec::new();
    let mut end = 0;
    for (start, index) in places(text, before) {
        let ChunkBefore { overlap, tokens, .. } = before[index];
        let own = before[index].own();
        let chunk = Chunk { start, end: start + own.len(), overlap, tokens, cut: Cut::Kept };
        let repeats = start.checked_sub(overlap).and_then(|from| text.get(from..start));
        let is_long_enough = tokens >= cutting.min || chunk.end == text.len();
        if start >= end && repeats == before[index].text.get(..overlap) && is_long_enough {
            end = chunk.end;
            chunks.push(chunk);
        }
    }
    chunks
}

/// Where the texts of chunks are, as pairs of place and chunk, both ascending.
fn places(text: &str, before: &[ChunkBefore<'_>]) -> Vec<(usize, usize)> {
    let (mut start, mut end) = (0, text.len());
    let (mut first, mut last) = (0, before.len());
    let mut places = Vec::new();
    while first < last && !before[first].own().is_empty() && text[start..].starts_with(before[first].own()) {
        places.push((start, first));
        start += before[first].own().len();
        first += 1;
    }
    let mut at_the_end = Vec::new();
    while first < last && !before[last - 1].own().is_empty() && text[start..end].ends_with(before[last - 1].own()) {
        last -= 1;
        end -= before[last].own().len();
        at_the_end.push((end, last));
    }
    places.extend(longest_rise(&places_within(text, start..end, &before[..last], first)));
    places.extend(at_the_end.into_iter().rev());
    places
}

/// Where chunks from `first` on are in a part of a text, by place; chunks with the same text in their order.
fn places_within(text: &str, part: Range<usize>, before: &[ChunkBefore<'_>], first: usize) -> Vec<(usize, usize)> {
    let mut wanted: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, chunk) in before.iter().enumerate().skip(first).rev() {
        if let Some(anchor) = chunk.own().as_bytes().first_chunk::<ANCHOR_BYTES>() {
            wanted.entry(rolled(anchor)).or_default().push(index);
        }
    }
    let bytes = &text.as_bytes()[part.clone()];
    let mut found = Vec::new();
    let Some(anchor) = bytes.first_chunk::<ANCHOR_BYTES>().filter(|_| !wanted.is_empty()) else { return found };
    let mut hash = rolled(anchor);
    let mut free_from = 0;
    // A text of one repeated pattern has its anchors everywhere.
    let mut left_to_compare = MOST_COMPARED.saturating_mul(bytes.len().max(ANCHOR_BYTES));
    for at in 0.. {
        if at >= free_from
            && left_to_compare > 0
            && let Some(chunks) = wanted.get_mut(&hash)
            && let Some(index) = chunks.last().copied()
        {
            let own = before[index].own();
            left_to_compare = left_to_compare.saturating_sub(own.len());
            if text[..part.end].get(part.start + at..).is_some_and(|rest| rest.starts_with(own)) {
                chunks.pop();
                found.push((part.start + at, index));
                free_from = at + own.len();
            }
        }
        let Some(next) = bytes.get(at + ANCHOR_BYTES) else { break };
        hash = hash
            .wrapping_sub(u64::from(bytes[at]).wrapping_mul(LEAVING))
            .wrapping_mul(BASE)
            .wrapping_add(u64::from(*next));
    }
    found
}

/// A polynomial of the bytes, which can be moved on by one byte.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
/// The weight of the first byte.
const LEAVING: u64 = {
    let (mut weight, mut power) = (1_u64, 1);
    while power < ANCHOR_BYTES {
        weight = weight.wrapping_mul(BASE);
        power += 1;
    }
    weight
};

fn rolled(anchor: &[u8; ANCHOR_BYTES]) -> u64 {
    anchor.iter().fold(0, |hash: u64, byte| hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::super::chunk;
    use super::*;

    fn document(paragraphs: usize) -> String {
        let paragraph = |number: usize| {
            format!("Paragraph {number} of the handbook says how pump {} is cleaned. ", number * 7919 % 1009).repeat(6)
        };
        (0..paragraphs).map(|number| paragraph(number) + "\n\n").collect()
    }

    fn chunked(text: &str, chunking: &Chunking, before: &[String]) -> (Vec<String>, Vec<Chunk>) {
        let counter = TokenCounter::for_model("gpt-4o");
        let structure = Structure::default();
        let first = chunk(&before.concat(), &structure, chunking, &counter);
        let old = before.concat();
        let before: Vec<ChunkBefore<'_>> = first
            .iter()
            .map(|chunk| ChunkBefore { text: chunk.text(&old), overlap: chunk.overlap, tokens: chunk.tokens })
            .collect();
        let new = recut(text, &structure, chunking, &counter, &before);
        let all: String = new.iter().map(|chunk| &text[chunk.start..chunk.end]).collect();
        assert_eq!(all, text, "the chunks spell the text");
        for chunk in &new {
            assert_eq!(counter.count(chunk.text(text)), chunk.tokens);
        }
        let known: Vec<&str> = before.iter().map(|chunk| chunk.text).collect();
        let changed = new.iter().map(|chunk| chunk.text(text)).filter(|text| !known.contains(text)).map(str::to_owned);
        (changed.collect(), new)
    }

    const METHODS: [fn() -> Chunking; 2] = [Chunking::default, || Chunking::Recursive { tokens: 200, overlap: 40 }];

    #[test]
    fn i20_one_changed_line_changes_one_or_two_chunks() {
        for method in METHODS {
            let old = document(400);
            for place in [0, 7, 200, 399] {
                let at = old.match_indices("Paragraph").map(|(at, _)| at).nth(place * 6).unwrap();
                let new = format!("{}A new line about filters.\n{}", &old[..at], &old[at..]);
                let (changed, chunks) = chunked(&new, &method(), std::slice::from_ref(&old));
                assert!((1..=3).contains(&changed.len()), "{} of {} changed", changed.len(), chunks.len());
            }
        }
    }

    #[test]
    fn i20_chunks_keep_their_limits_whatever_was_edited() {
        let (min, max) = (300, 500);
        let old = document(120);
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..40 {
            let mut new = old.clone();
            for _ in 0..1 + random(4) {
                let at = new.floor_char_boundary(random(new.len()));
                match random(3) {
                    0 => new.insert_str(at, &document(1 + random(5))),
                    1 => new.truncate(at.max(1)),
                    _ => {
                        let end = new.floor_char_boundary((at + random(4000)).min(new.len()));
                        new.replace_range(at..end, "");
                    }
                }
            }
            if new.trim().is_empty() {
                continue;
            }
            let (_, chunks) = chunked(&new, &Chunking::default(), std::slice::from_ref(&old));
            for (index, chunk) in chunks.iter().enumerate() {
                assert!(chunk.tokens <= max, "chunk {index} has {} tokens", chunk.tokens);
                assert!(chunk.tokens >= min || index + 1 == chunks.len(), "chunk {index} has {} tokens", chunk.tokens);
            }
        }
    }

    #[test]
    fn i20_the_same_text_keeps_all_its_chunks() {
        for method in METHODS {
            let old = document(50);
            assert_eq!(chunked(&old, &method(), std::slice::from_ref(&old)).0, Vec::<String>::new());
        }
    }
}
