//! A segment: the immutable words and vectors of a range of ids. Its bytes name its format, word splitter and embedder, and have
//! a checksum, so that a damaged or outdated segment is rebuilt and never trusted.

use crate::columns::{Columns, numbers};
use crate::postings::{Decoder, Posting, encode};
use crate::vectors::Vectors;
use crate::word_order::WordOrder;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"recosegm";

/// Increased when the bytes of a segment, or their meaning, change.
const FORMAT: u32 = 4;

/// The first character of a stem in another language than the space's default. Two letters follow, the language's code. No word begins with
/// it.
pub const LANGUAGE: char = '\u{2}';

/// The code of a term's language, if it is not the default.
pub(crate) fn language(term: &str) -> Option<&str> {
    term.strip_prefix(LANGUAGE)?.get(..2)
}

/// How a segment was built. Segments of different makes are never searched together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Make {
    /// How texts were split into words.
    pub words: String,
    /// The embedder of the vectors: its name, and the hash of its files.
    pub model: String,
    pub model_hash: String,
    pub dimension: usize,
}

impl Make {
    fn to_text(&self) -> String {
        format!("{FORMAT}\n{}\n{}\n{}\n{}", self.words, self.model, self.model_hash, self.dimension)
    }
}

/// The immutable part of a segment: postings and vectors.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// Ids from `first` up to `end`, which is not included.
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) count: usize,
    /// The sorted words, the end of each, and the end of its postings.
    terms: String,
    term_ends: Vec<u32>,
    posting_ends: Vec<u32>,
    postings: Vec<u8>,
    pub(crate) vectors: Vectors,
    pub(crate) order: WordOrder,
}

/// A segment to be added to an index.
#[derive(Debug)]
pub struct Block {
    pub(crate) segment: Segment,
    pub(crate) columns: Columns,
    /// Whether it was read from the store.
    pub(crate) is_kept: bool,
    /// The revision of the space that its columns reflect.
    pub revision: u32,
}

impl Block {
    /// Its bytes, to be kept without an index.
    pub fn to_bytes(&self, make: &Make) -> Vec<u8> {
        self.segment.to_bytes(make, &self.columns, self.revision)
    }

    /// The ids it spans, its end not included.
    pub fn range(&self) -> (u32, u32) {
        (self.segment.first, self.segment.end)
    }
}

/// Adds words in order to a new segment.
pub(crate) struct Writer {
    segment: Segment,
}

impl Writer {
    pub(crate) fn new(first: u32, end: u32, count: usize) -> Self {
        Self { segment: Segment { first, end, count, ..Segment::default() } }
    }

    /// Words come in ascending order. A word without postings is skipped.
    pub(crate) fn term(&mut self, term: &str, postings: impl Iterator<Item = Posting>) {
        let segment = &mut self.segment;
        let before = segment.postings.len();
        encode(postings, &mut segment.postings);
        if segment.postings.len() > before {
            segment.terms.push_str(term);
            segment.term_ends.push(segment.terms.len() as u32);
            segment.posting_ends.push(segment.postings.len() as u32);
        }
    }

    pub(crate) fn finish(mut self, vectors: Vectors, order: WordOrder) -> Segment {
        self.segment.terms.shrink_to_fit();
        self.segment.postings.shrink_to_fit();
        self.segment.term_ends.shrink_to_fit();
        self.segment.posting_ends.shrink_to_fit();
        Segment { vectors: vectors.shrunk(), order, ..self.segment }
    }
}

impl Segment {
    pub(crate) fn bytes(&self) -> usize {
        self.terms.len()
            + 4 * (self.term_ends.len() + self.posting_ends.len())
            + self.postings.len()
            + self.vectors.bytes()
            + self.order.bytes()
    }

    pub(crate) fn term_count(&self) -> usize {
        self.term_ends.len()
    }

    pub(crate) fn term(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.term_ends[index - 1] as usize };
        &self.terms[start..self.term_ends[index] as usize]
    }

    pub(crate) fn postings(&self, index: usize) -> Decoder<'_> {
        let start = if index == 0 { 0 } else { self.posting_ends[index - 1] as usize };
        Decoder::new(&self.postings[start..self.posting_ends[index] as usize], self.count as u32)
    }

    pub(crate) fn find(&self, term: &str) -> Option<Decoder<'_>> {
        let at = self.first_from(term);
        (at < self.term_count() && self.term(at) == term).then(|| self.postings(at))
    }

    /// The codes of the languages other than the default that it has terms of.
    pub(crate) fn languages(&self) -> impl Iterator<Item = &str> {
        let mut from = self.first_from(&LANGUAGE.to_string());
        std::iter::from_fn(move || {
            let code = (from < self.term_count()).then(|| language(self.term(from))).flatten()?;
            from = self.first_from(&format!("{LANGUAGE}{code}{}", char::MAX)).max(from + 1);
            Some(code)
        })
    }

    /// The first of the sorted terms that is not before this one.
    fn first_from(&self, term: &str) -> usize {
        let (mut low, mut high) = (0, self.term_count());
        while low < high {
            let middle = low.midpoint(high);
            if self.term(middle) < term { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The segment with its columns at a revision, in bytes.
    pub(crate) fn to_bytes(&self, make: &Make, columns: &Columns, revision: u32) -> Vec<u8> {
        let make = make.to_text();
        let sizes = [make.len(), self.terms.len(), self.term_ends.len(), self.postings.len(), self.count];
        let mut body = Vec::with_capacity(self.bytes() + columns.len() * Columns::BYTES_PER_ITEM + 256);
        body.extend([self.first, self.end, revision].iter().flat_map(|value| value.to_le_bytes()));
        body.extend(sizes.iter().flat_map(|size| (*size as u64).to_le_bytes()));
        body.extend_from_slice(make.as_bytes());
        body.extend_from_slice(self.vectors.components());
        body.extend_from_slice(self.terms.as_bytes());
        for ends in [&self.term_ends, &self.posting_ends] {
            body.extend(ends.iter().flat_map(|end| end.to_le_bytes()));
        }
        body.extend_from_slice(&self.postings);
        columns.write(&mut body);
        self.order.write(&mut body);
        self.vectors.write_rest(&mut body);
        let mut bytes = Vec::with_capacity(body.len() + 16);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        bytes.append(&mut body);
        bytes
    }

    /// Reads a segment of this `make`. `None` if it has another make or its bytes are damaged.
    pub(crate) fn from_bytes(bytes: Vec<u8>, make: &Make) -> Option<Block> {
        let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
        let (checksum, body) = rest.split_first_chunk()?;
        if magic != MAGIC || u64::from_le_bytes(*checksum) != xxh3_64(body) {
            return None;
        }
        let (head, rest) = body.split_at_checked(12)?;
        let head = numbers(head);
        let (sizes, mut rest) = rest.split_at_checked(5 * 8)?;
        let mut sizes = sizes.as_chunks().0.iter().map(|size| usize::try_from(u64::from_le_bytes(*size)).ok());
        let mut size = || sizes.next().flatten();
        let (make_bytes, term_bytes, terms, posting_bytes, count) = (size()?, size()?, size()?, size()?, size()?);
        let mut take = |bytes: usize| {
            let (section, after) = rest.split_at_checked(bytes)?;
            rest = after;
            Some(section)
        };
        if take(make_bytes)? != make.to_text().as_bytes() {
            return None;
        }
        let component_bytes = take(count.checked_mul(make.dimension)?)?.len();
        let text = String::from_utf8(take(term_bytes)?.to_vec()).ok()?;
        let (term_ends, posting_ends) = (numbers(take(terms.checked_mul(4)?)?), numbers(take(terms.checked_mul(4)?)?));
        let postings = take(posting_bytes)?.to_vec();
        let columns = Columns::read(take(count.checked_mul(Columns::BYTES_PER_ITEM)?)?, count)?;
        let (order, rest) = WordOrder::read(rest, count)?;
        let vectors = Vectors::read(rest, count, make.dimension)?;
        let are_sound =
            |ends: &[u32], limit: usize| ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == limit;
        let cuts_words = term_ends.iter().all(|end| text.is_char_boundary(*end as usize));
        let (first, end, revision) = (head[0], head[1], head[2]);
        let in_range =
            columns.ids.first().is_none_or(|id| *id >= first) && columns.ids.last().is_none_or(|id| *id < end);
        if !cuts_words || !in_range {
            return None;
        }
        if !are_sound(&term_ends, text.len()) || !are_sound(&posting_ends, postings.len()) {
            return None;
        }
        let head = MAGIC.len() + 8 + 12 + 5 * 8 + make_bytes;
        let vectors = vectors.with_components(bytes, head, head + component_bytes);
        let segment = Self { first, end, count, terms: text, term_ends, posting_ends, postings, vectors, order };
        Some(Block { segment, columns, is_kept: true, revision })
    }

    /// Merges consecutive segments. `keeps` says whether the item at a place in the new segment still exists; others keep their
    /// place, and lose their words and vector.
    pub(crate) fn merge(parts: &[&Self], first: u32, end: u32, keeps: impl Fn(u32) -> bool) -> Self {
        let count: usize = parts.iter().map(|part| part.count).sum();
        let mut writer = Writer::new(first, end, count);
        let mut cursors = vec![0; parts.len()];
        let at = |part: usize, cursor: usize| (cursor < parts[part].term_count()).then(|| parts[part].term(cursor));
        while let Some(term) = (0..parts.len()).filter_map(|part| at(part, cursors[part])).min() {
            let mut postings = Vec::new();
            let mut base = 0;
            for (part, segment) in parts.iter().enumerate() {
                if at(part, cursors[part]) == Some(term) {
                    let moved = segment.postings(cursors[part]);
                    let moved = moved.map(|posting| Posting { local: posting.local + base, ..posting });
                    postings.extend(moved.filter(|posting| keeps(posting.local)));
                    cursors[part] += 1;
                }
                base += segment.count as u32;
            }
            writer.term(term, postings.into_iter());
        }
        let mut vectors = Vectors::new(parts.first().map_or(0, |part| part.vectors.dimension));
        parts.iter().for_each(|part| vectors.append(&part.vectors));
        (0..count).filter(|local| !keeps(*local as u32)).for_each(|local| vectors.clear(local));
        let mut order = WordOrder::default();
        parts.iter().for_each(|part| order.append(&part.order));
        writer.finish(vectors, order.kept(keeps))
    }
}
