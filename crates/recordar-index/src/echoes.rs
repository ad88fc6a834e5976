//! Echoes: items with the same text as an earlier live one, such as a memory that was recalled and stored again. They keep
//! their place in their thread, but a search treats them as if they did not exist. When the earlier ones are retired or removed,
//! the next one is no longer an echo.
//!
//! Revisions ascend with ids. So an item is an echo from its birth until all earlier ones with its print are retired, and one
//! number per item says when that is.

use crate::columns::{Columns, EVER, NOWHERE};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(crate) struct Echoes {
    /// The position before and after with the same print. Removed items are in no chain.
    before: Vec<u32>,
    after: Vec<u32>,
    /// The first revision at which each item is found: its birth, or the retirement of the last earlier one.
    found_from: Vec<u32>,
    /// The last position of each print.
    last: FxHashMap<u64, u32>,
}

impl Echoes {
    pub(crate) fn bytes(&self) -> usize {
        self.found_from.len() * 12 + self.last.capacity() * size_of::<(u64, u32)>()
    }

    /// Adds the newest position.
    pub(crate) fn add(&mut self, position: usize, columns: &Columns) {
        let before = match columns.prints[position] {
            0 => None,
            print => self.last.insert(print, position as u32),
        };
        if let Some(before) = before {
            self.after[before as usize] = position as u32;
        }
        self.before.push(before.unwrap_or(NOWHERE));
        self.after.push(NOWHERE);
        self.found_from.push(columns.born[position]);
        self.found_from[position] = self.first_revision(position, columns);
    }

    /// Takes an item out of its chain. Returns the next one.
    pub(crate) fn remove(&mut self, position: usize, columns: &Columns) -> u32 {
        let before = std::mem::replace(&mut self.before[position], NOWHERE);
        let after = std::mem::replace(&mut self.after[position], NOWHERE);
        if before != NOWHERE {
            self.after[before as usize] = after;
        }
        let print = columns.prints[position];
        match (before, after) {
            (NOWHERE, NOWHERE) => drop(self.last.remove(&print)),
            (before, NOWHERE) => drop(self.last.insert(print, before)),
            (before, after) => self.before[after as usize] = before,
        }
        after
    }

    pub(crate) fn before(&self, position: usize) -> Option<usize> {
        Some(self.before[position]).filter(|before| *before != NOWHERE).map(|before| before as usize)
    }

    pub(crate) fn after(&self, position: usize) -> u32 {
        self.after[position]
    }

    /// The revision from which an item is found, if it is another one than before. `None` ends the walk along a chain: what
    /// comes after depends on this one only.
    pub(crate) fn changed(&self, position: u32, columns: &Columns) -> Option<u32> {
        let known = self.found_from.get(position as usize)?;
        Some(self.first_revision(position as usize, columns)).filter(|revision| revision != known)
    }

    /// Sets the revision from which an item is found. Returns the next one.
    pub(crate) fn set(&mut self, position: usize, found_from: u32) -> u32 {
        self.found_from[position] = found_from;
        self.after[position]
    }

    fn first_revision(&self, position: usize, columns: &Columns) -> u32 {
        match self.before[position] {
            NOWHERE => columns.born[position],
            before => {
                let before = before as usize;
                columns.born[position].max(self.found_from[before]).max(columns.retired[before])
            }
        }
    }

    /// Whether an item is live at a revision and no echo. `EVER` is no revision: at it every item is live that is not removed.
    #[inline]
    pub(crate) fn is_found(&self, columns: &Columns, position: usize, at: u32) -> bool {
        if at == EVER {
            return !columns.is_removed(position) && self.before[position] == NOWHERE;
        }
        // Without a branch between them, because whole columns are walked.
        (self.found_from[position] <= at) & (at < columns.retired[position])
    }
}
