//! The items that a search is limited to.

use crate::index::Index;

/// A set of items of one index, by position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    bits: Vec<u64>,
    count: usize,
}

impl Filter {
    /// The number of items in it.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub(crate) fn contains(&self, position: usize) -> bool {
        self.bits.get(position / 64).is_some_and(|bits| bits >> (position % 64) & 1 == 1)
    }

    fn insert(&mut self, position: usize) {
        self.count += usize::from(!self.contains(position));
        self.bits[position / 64] |= 1 << (position % 64);
    }
}

impl Index {
    /// The filter that lets only the items with these ids through. Unknown ids are ignored.
    pub fn filter(&self, ids: impl Iterator<Item = u32>) -> Filter {
        let mut filter = Filter { bits: vec![0; self.len().div_ceil(64)], count: 0 };
        ids.filter_map(|id| self.position_of(id)).for_each(|position| filter.insert(position));
        filter
    }
}
