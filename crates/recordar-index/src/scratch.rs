//! Working arrays of a search.

use crate::columns::NOWHERE;
use std::sync::Mutex;

/// Arrays as long as the index, kept between searches. They are clean when not in use.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) sums: Vec<f32>,
    pub(crate) slots: Vec<u32>,
    pub(crate) group_slots: Vec<u32>,
    pub(crate) distances: Vec<u8>,
}

/// The arrays that are not in use.
#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Lends arrays for a number of items and groups.
    pub(crate) fn lend<T>(&self, items: usize, groups: usize, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.0.lock().map_or_else(|_| None, |mut pool| pool.pop()).unwrap_or_default();
        scratch.sums.resize(items, 0.0);
        scratch.slots.resize(items, 0);
        scratch.group_slots.resize(groups, 0);
        let result = work(&mut scratch);
        if let Ok(mut pool) = self.0.lock() {
            pool.push(scratch);
        }
        result
    }
}

/// The slot of a position, assigned on first use.
pub(crate) fn slot(slots: &mut [u32], slotted: &mut Vec<u32>, position: u32) -> usize {
    if position == NOWHERE {
        return 0;
    }
    let slot = &mut slots[position as usize];
    if *slot == 0 {
        *slot = slotted.len() as u32;
        slotted.push(position);
    }
    *slot as usize
}
