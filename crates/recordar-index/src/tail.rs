//! The newest items, still growing. A segment stores bytes; a tail uses ordinary maps and lists.

use crate::columns::{CHUNK, Columns, Entry};
use crate::postings::Posting;
use crate::segment::{Block, Make, Segment, Writer, language};
use crate::vectors::Vectors;
use crate::word_order::{WordOrder, mark};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// One item with its words and its vector, which were made elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    pub entry: Entry,
    /// The stems of its words, separated by spaces. Those behind [`UNCOUNTED`] repeat a word in another form.
    pub stems: &'a str,
    /// Properties that never change and that a filter can ask for, such as its kind. They are no words: they count in no length and no
    /// statistic.
    pub facets: &'a [String],
    pub vector: &'a [i8],
}

/// The prefix of a speaker's name among an item's stems, so that a name in a question means the speaker.
pub const SPEAKER: char = '@';

/// The prefix of a stem that does not count in the length of an item, and has no place among its words.
pub const UNCOUNTED: char = '+';

/// The term of a facet. No word begins with this character.
pub(crate) fn facet_term(facet: &str) -> String {
    const FACET: char = '\u{1}';
    format!("{FACET}{facet}")
}

#[derive(Debug)]
pub(crate) struct Tail {
    dictionary: FxHashMap<Box<str>, u32>,
    lists: Vec<Vec<Posting>>,
    pub(crate) count: usize,
    pub(crate) vectors: Vectors,
    pub(crate) order: WordOrder,
    /// The approximate size of the words.
    word_bytes: usize,
    /// The codes of its languages other than the default.
    pub(crate) languages: BTreeSet<String>,
}

impl Tail {
    pub(crate) fn new(dimension: usize) -> Self {
        Self {
            dictionary: FxHashMap::default(),
            lists: Vec::new(),
            count: 0,
            vectors: Vectors::new(dimension),
            order: WordOrder::default(),
            word_bytes: 0,
            languages: BTreeSet::new(),
        }
    }

    pub(crate) fn add(&mut self, item: &Item<'_>, columns: &mut Columns) {
        let local = self.count as u32;
        columns.push(&item.entry);
        let mut length = 0;
        for stem in item.stems.split(' ').filter(|stem| !stem.is_empty()) {
            match stem.strip_prefix(UNCOUNTED) {
                Some(stem) => self.post(stem, local),
                None => {
                    length += 1;
                    self.post(stem, local);
                }
            }
        }
        let is_word = |stem: &&str| !stem.is_empty() && !stem.starts_with([UNCOUNTED, SPEAKER]);
        let marks = item.stems.split(' ').filter(|_| item.entry.role != CHUNK).filter(is_word).map(mark);
        self.order.push(marks);
        for facet in item.facets {
            self.post(&facet_term(facet), local);
        }
        if let Some(last) = columns.lengths.last_mut() {
            *last = length;
        }
        self.vectors.push(item.vector);
        self.count += 1;
    }

    fn post(&mut self, term: &str, local: u32) {
        let list = match self.dictionary.get(term) {
            Some(list) => &mut self.lists[*list as usize],
            None => {
                self.dictionary.insert(term.into(), self.lists.len() as u32);
                self.word_bytes += term.len() + 64;
                self.languages.extend(language(term).filter(|code| !self.languages.contains(*code)).map(str::to_owned));
                self.lists.push(Vec::new());
                let last = self.lists.len() - 1;
                &mut self.lists[last]
            }
        };
        match list.last_mut() {
            Some(posting) if posting.local == local => posting.count += 1,
            _ => {
                list.push(Posting { local, count: 1 });
                self.word_bytes += size_of::<Posting>();
            }
        }
    }

    pub(crate) fn find(&self, stem: &str) -> Option<&[Posting]> {
        self.dictionary.get(stem).map(|list| self.lists[*list as usize].as_slice())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.word_bytes + self.vectors.bytes() + self.order.bytes()
    }

    /// The same as a segment. Items that `keeps` rejects have a place, but no words and no vector.
    pub(crate) fn freeze(self, first: u32, end: u32, keeps: impl Fn(u32) -> bool) -> Segment {
        let mut terms: Vec<(&str, u32)> = self.dictionary.iter().map(|(term, list)| (&**term, *list)).collect();
        terms.sort_unstable();
        let mut writer = Writer::new(first, end, self.count);
        for (term, list) in terms {
            writer.term(term, self.lists[list as usize].iter().copied().filter(|posting| keeps(posting.local)));
        }
        let mut vectors = self.vectors;
        (0..self.count).filter(|local| !keeps(*local as u32)).for_each(|local| vectors.clear(local));
        writer.finish(vectors, self.order.kept(keeps))
    }
}

/// Builds a segment outside an index, so that several can be built at once.
#[derive(Debug)]
pub struct BlockBuilder {
    first: u32,
    end: u32,
    tail: Tail,
    columns: Columns,
}

impl BlockBuilder {
    /// For ids from `first` up to `end`, which is not included.
    pub fn new(first: u32, end: u32, make: &Make) -> Self {
        Self { first, end, tail: Tail::new(make.dimension), columns: Columns::default() }
    }

    /// Items come in the order of their ids.
    pub fn add(&mut self, item: &Item<'_>) {
        self.tail.add(item, &mut self.columns);
    }

    pub fn finish(self, revision: u32) -> Block {
        let segment = self.tail.freeze(self.first, self.end, |_| true);
        Block { segment, columns: self.columns, is_kept: false, revision }
    }
}
