//! The items that a search is limited to: sets of positions, and how they are made from the properties of items.

use crate::index::Index;
use crate::tail::facet_term;

/// A set of items of one index, by position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    bits: Vec<u64>,
    count: usize,
}

impl Filter {
    fn new(items: usize) -> Self {
        Self { bits: vec![0; items.div_ceil(64)], count: 0 }
    }

    /// The number of items in it.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn contains(&self, position: usize) -> bool {
        self.bits.get(position / 64).is_some_and(|bits| bits >> (position % 64) & 1 == 1)
    }

    /// Its positions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits.iter().enumerate().flat_map(|(number, bits)| {
            let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|bits| *bits != 0);
            let each = std::iter::successors(Some(*bits).filter(|bits| *bits != 0), rest);
            each.map(move |bits| number * 64 + bits.trailing_zeros() as usize)
        })
    }

    fn insert(&mut self, position: usize) {
        self.count += usize::from(!self.contains(position));
        self.bits[position / 64] |= 1 << (position % 64);
    }

    /// Keeps only what is in another one, too; of the same index.
    pub fn keep(&mut self, other: &Self) {
        self.combine(other, |own, other| own & other);
    }

    /// Drops what is in another one.
    pub fn drop_all(&mut self, other: &Self) {
        self.combine(other, |own, other| own & !other);
    }

    /// Adds what is in another one.
    pub fn add_all(&mut self, other: &Self) {
        self.combine(other, |own, other| own | other);
    }

    fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        let others = other.bits.iter().copied().chain(std::iter::repeat(0));
        self.bits.iter_mut().zip(others).for_each(|(own, other)| *own = combine(*own, other));
        self.count = self.bits.iter().map(|bits| bits.count_ones() as usize).sum();
    }
}

impl Index {
    /// The filter that lets only the items with these ids through. Unknown ids are ignored.
    pub fn filter(&self, ids: impl Iterator<Item = u32>) -> Filter {
        let mut filter = Filter::new(self.len());
        ids.filter_map(|id| self.position_of(id)).for_each(|position| filter.insert(position));
        filter
    }

    /// Lets everything through.
    pub fn unfiltered(&self) -> Filter {
        self.filter_by(|_| true)
    }

    /// Lets the positions through that pass.
    pub fn filter_by(&self, passes: impl Fn(usize) -> bool) -> Filter {
        let mut filter = Filter::new(self.len());
        for (number, bits) in filter.bits.iter_mut().enumerate() {
            let first = number * 64;
            for position in first..(first + 64).min(self.columns.len()) {
                *bits |= u64::from(passes(position)) << (position - first);
            }
        }
        filter.count = filter.bits.iter().map(|bits| bits.count_ones() as usize).sum();
        filter
    }

    /// Those of a filter that a search as of a revision can find.
    pub fn found_of(&self, filter: &Filter, at: u32) -> Filter {
        let mut found = Filter::new(self.len());
        filter.positions().filter(|position| self.is_found(*position, at)).for_each(|position| found.insert(position));
        found
    }

    /// The items with a facet.
    pub fn filter_by_facet(&self, facet: &str) -> Filter {
        let term = facet_term(facet);
        let mut filter = Filter::new(self.len());
        for placed in &self.segments {
            let postings = placed.segment.find(&term).into_iter().flatten();
            postings.for_each(|posting| filter.insert(placed.base + posting.local as usize));
        }
        let base = self.len() - self.tail.count;
        let postings = self.tail.find(&term).unwrap_or_default().iter();
        postings.for_each(|posting| filter.insert(base + posting.local as usize));
        filter
    }

    /// The items of these threads or documents. Unknown ones are ignored.
    pub fn filter_by_groups(&self, groups: &[u32]) -> Filter {
        let mut is_in = vec![false; self.group_count()];
        let mut any = false;
        for group in groups.iter().filter(|group| **group != 0).filter_map(|id| self.groups.by_id.get(id)) {
            is_in[*group as usize] = true;
            any = true;
        }
        match any {
            true => self.filter_by(|position| is_in[self.group_of[position] as usize]),
            false => Filter::new(self.len()),
        }
    }
}
