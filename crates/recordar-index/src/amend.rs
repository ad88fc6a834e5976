//! Words of items that changed after they were indexed: the headings above a chunk may change while its text stays.

use crate::columns::LIVE;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How the words of an item differ from what was indexed, from one revision up to another, which is not included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    pub id: u32,
    pub from: u32,
    /// `LIVE` if it has no end.
    pub to: u32,
    /// Stems, and how often each occurs more, or less.
    pub stems: Vec<(String, i32)>,
}

#[derive(Debug, Default)]
pub(crate) struct Amendments {
    by_id: BTreeMap<u32, Vec<Amendment>>,
    /// For each stem, by id.
    by_stem: FxHashMap<Box<str>, Vec<(u32, Change)>>,
}

/// How often a stem occurs more, or less, from one revision up to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    from: u32,
    to: u32,
    pub(crate) more: i32,
}

impl Change {
    fn is_valid(&self, at: u32) -> bool {
        // Of all revisions together, the last one counts.
        self.from <= at && (at < self.to || self.to == LIVE)
    }
}

impl Amendments {
    /// Adds amendments. What was known of the same items before is replaced.
    pub(crate) fn replace(&mut self, amendments: Vec<Amendment>) {
        if amendments.is_empty() {
            return;
        }
        amendments.iter().for_each(|amendment| drop(self.by_id.remove(&amendment.id)));
        for amendment in amendments {
            self.by_id.entry(amendment.id).or_default().push(amendment);
        }
        self.sort_by_stem();
    }

    /// The changes of a stem that are valid at a revision, by id.
    pub(crate) fn of(&self, stem: &str, at: u32) -> impl Iterator<Item = (u32, Change)> + '_ {
        let changes = self.by_stem.get(stem).into_iter().flatten().copied();
        changes.filter(move |(_, change)| change.is_valid(at))
    }

    pub(crate) fn remove(&mut self, id: u32) {
        // Its changes stay by stem until the next ones come, and concern nothing.
        self.by_id.remove(&id);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.by_id.values().flatten().flat_map(|amendment| &amendment.stems).map(|(stem, _)| 2 * stem.len() + 64).sum()
    }

    fn sort_by_stem(&mut self) {
        self.by_stem.clear();
        for Amendment { id, from, to, stems } in self.by_id.values().flatten() {
            for (stem, more) in stems {
                let change = Change { from: *from, to: *to, more: *more };
                self.by_stem.entry(stem.as_str().into()).or_default().push((*id, change));
            }
        }
    }
}
