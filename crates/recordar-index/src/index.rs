//! The index of one space: segments, the tail after them, and columns over all. A place in the columns is a position;
//! positions are in the order of ids and never change.

use crate::amend::{Amendment, Amendments};
use crate::columns::{Columns, NOW, NOWHERE};
use crate::echoes::Echoes;
use crate::scratch::ScratchPool;
use crate::segment::{Block, Make, Segment};
use crate::tail::{Item, Tail};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The ids that the smallest segment spans. Eight segments of one size are merged into one of the next.
const SMALLEST_BLOCK: u32 = 512;
const FAN_OUT: u32 = 8;
/// The largest: it is rebuilt after a `forget`, and written in one transaction.
const LARGEST_BLOCK: u32 = SMALLEST_BLOCK * FAN_OUT * FAN_OUT;

/// A segment of fewer items is not kept: rebuilding it takes no longer than reading it, and if ids are sparse there may be as
/// many segments as items.
const MIN_ITEMS_TO_KEEP: usize = 64;

/// Roles are small numbers; there are fewer than this.
const MAX_ROLES: usize = 8;

pub struct Index {
    pub(crate) make: Make,
    /// Non-empty segments, in the order of their ids. Unused ids are in none.
    pub(crate) segments: Vec<PlacedSegment>,
    /// The first id of the tail: no new item can come below it.
    sealed_end: u32,
    pub(crate) tail: Tail,
    pub(crate) columns: Columns,
    /// The position before and after in the same thread or document, in its order; an item stored late may come early.
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
    /// The group of each position, numbered from 0; an item without a thread or document is its own group.
    pub(crate) group_of: Vec<u32>,
    pub(crate) groups: Groups,
    pub(crate) echoes: Echoes,
    pub(crate) amendments: Amendments,
    /// The number of live items without echoes that were derived from others, of those that were not, and of the words of these.
    pub(crate) live_derived: usize,
    pub(crate) live: usize,
    pub(crate) live_words: u64,
    /// The same by role.
    pub(crate) live_words_of: [u64; MAX_ROLES],
    /// Whether every item is live and none is an echo, so that no check is needed.
    pub(crate) is_all_live: bool,
    removals: u64,
    pub(crate) scratch: ScratchPool,
}

#[derive(Default)]
pub(crate) struct Groups {
    pub(crate) by_id: FxHashMap<u32, u32>,
    /// The last position of each group in time, and the number of its live items without echoes.
    pub(crate) last: Vec<u32>,
    live_items: Vec<u32>,
    /// The number of groups with such items.
    pub(crate) live: usize,
}

pub(crate) struct PlacedSegment {
    /// The position of its first item.
    pub(crate) base: usize,
    pub(crate) segment: Arc<Segment>,
    /// Whether it is kept or need not be.
    is_kept: bool,
}

impl PlacedSegment {
    fn new(base: usize, segment: Segment, is_kept: bool) -> Self {
        Self { base, is_kept: is_kept || segment.count < MIN_ITEMS_TO_KEEP, segment: Arc::new(segment) }
    }
}

/// Segments that can be merged. The work is done without the index; `Index::replace` takes the result.
pub struct Merge {
    first: u32,
    end: u32,
    parts: Vec<Arc<Segment>>,
    removed: Vec<u32>,
    removals: u64,
}

pub struct Merged {
    segment: Segment,
    parts: Vec<Arc<Segment>>,
    removals: u64,
}

/// A segment in bytes, to be kept.
pub struct Keepsake {
    pub first: u32,
    pub end: u32,
    pub bytes: Vec<u8>,
}

/// The largest block that contains an id and lies between two limits: its first id and its end.
pub fn block_of(id: u32, from: u32, limit: u32) -> Option<(u32, u32)> {
    let block = |size: u32| (id - id % size, (id - id % size).saturating_add(size));
    let sizes = [LARGEST_BLOCK, LARGEST_BLOCK / FAN_OUT, SMALLEST_BLOCK];
    sizes.map(block).into_iter().find(|(first, end)| *first >= from && *end <= limit)
}

impl Block {
    /// Whether reading it is faster than building it again.
    pub fn is_worth_keeping(&self) -> bool {
        self.segment.count >= MIN_ITEMS_TO_KEEP
    }

    /// Reads a kept segment. `None` if it is damaged or outdated, and must be rebuilt.
    pub fn from_bytes(bytes: Vec<u8>, make: &Make) -> Option<Self> {
        Segment::from_bytes(bytes, make)
    }
}

impl Index {
    pub fn new(make: Make) -> Self {
        Self {
            segments: Vec::new(),
            sealed_end: 0,
            tail: Tail::new(make.dimension),
            make,
            columns: Columns::default(),
            before: Vec::new(),
            after: Vec::new(),
            group_of: Vec::new(),
            groups: Groups::default(),
            echoes: Echoes::default(),
            amendments: Amendments::default(),
            live_derived: 0,
            live: 0,
            live_words: 0,
            live_words_of: [0; MAX_ROLES],
            is_all_live: true,
            removals: 0,
            scratch: ScratchPool::default(),
        }
    }

    pub fn make(&self) -> &Make {
        &self.make
    }

    pub fn len(&self) -> usize {
        self.columns.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn group_count(&self) -> usize {
        self.groups.last.len()
    }

    /// Its size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(|placed| placed.segment.bytes()).sum();
        let places = self.len() * (Columns::BYTES_PER_ITEM + 12) + self.groups.last.len() * 16;
        segments + self.tail.bytes() + places + self.echoes.bytes() + self.amendments.bytes()
    }

    /// The first id of the tail: after the last segment, or later if the ids between are unused.
    pub fn sealed_end(&self) -> u32 {
        self.sealed_end
    }

    /// Adds a segment after the others. The tail is empty until all segments are added.
    pub fn push(&mut self, block: Block) {
        debug_assert!(self.tail.count == 0 && block.segment.first >= self.sealed_end());
        let base = self.columns.len();
        self.columns.append(&block.columns);
        self.link(base..self.columns.len());
        self.sealed_end = block.segment.end;
        self.segments.push(PlacedSegment::new(base, block.segment, block.is_kept));
    }

    /// Adds an item to the tail. Its id is above all others.
    pub fn add(&mut self, item: &Item<'_>) {
        self.add_all(std::iter::once(*item));
    }

    /// The same for several, in the order of their ids. If they are not in the order of their times, this is faster than one by one.
    pub fn add_all<'a>(&mut self, items: impl Iterator<Item = Item<'a>>) {
        let first = self.columns.len();
        for item in items {
            debug_assert!(self.columns.ids.last().is_none_or(|last| *last < item.entry.id));
            self.seal(item.entry.id);
            self.tail.add(&item, &mut self.columns);
        }
        self.link(first..self.columns.len());
    }

    /// Links new positions to their neighbours, and counts them.
    fn link(&mut self, positions: Range<usize>) {
        let mut late = Vec::new();
        for position in positions {
            let group_id = self.columns.groups[position];
            let next_group = self.groups.last.len() as u32;
            let group = match group_id {
                0 => next_group,
                _ => *self.groups.by_id.entry(group_id).or_insert(next_group),
            };
            if group == next_group {
                self.groups.last.push(NOWHERE);
                self.groups.live_items.push(0);
            }
            self.before.push(NOWHERE);
            self.after.push(NOWHERE);
            self.group_of.push(group);
            let last = self.groups.last[group as usize];
            if last == NOWHERE || self.when(last) < self.when(position as u32) {
                self.insert(position as u32, last, NOWHERE);
            } else {
                late.push(position as u32);
            }
            self.echoes.add(position, &self.columns);
            self.count_live(position, 1);
        }
        self.link_late(late);
    }

    /// Links positions that are not the last of their group in time: each group is walked once, from its end.
    fn link_late(&mut self, mut late: Vec<u32>) {
        late.sort_unstable_by_key(|position| (self.group_of[*position as usize], self.when(*position)));
        let mut next: Option<u32> = None;
        for position in late.into_iter().rev() {
            let group = self.group_of[position as usize];
            // The last of the group comes after it, and so does the one that was linked just now.
            let is_same = |next: &u32| self.group_of[*next as usize] == group;
            let mut after = next.filter(is_same).unwrap_or(self.groups.last[group as usize]);
            while let before = self.before[after as usize]
                && before != NOWHERE
                && self.when(before) > self.when(position)
            {
                after = before;
            }
            self.insert(position, self.before[after as usize], after);
            next = Some(position);
        }
    }

    /// The order within a group; at the same place by id.
    fn when(&self, position: u32) -> (i64, u32) {
        (self.columns.orders[position as usize], position)
    }

    /// Links a position between two of its group; `NOWHERE` is the end.
    fn insert(&mut self, position: u32, before: u32, after: u32) {
        (self.before[position as usize], self.after[position as usize]) = (before, after);
        if before != NOWHERE {
            self.after[before as usize] = position;
        }
        match after {
            NOWHERE => self.groups.last[self.group_of[position as usize] as usize] = position,
            after => self.before[after as usize] = position,
        }
    }

    fn count_live(&mut self, position: usize, sign: i64) {
        if !self.is_found(position, NOW) {
            self.is_all_live = false;
        } else if self.columns.is_derived(position) {
            self.live_derived = self.live_derived.saturating_add_signed(sign as isize);
        } else {
            let words = sign * i64::from(self.columns.lengths[position]);
            self.live = self.live.saturating_add_signed(sign as isize);
            self.live_words = self.live_words.saturating_add_signed(words);
            if let Some(of_role) = self.live_words_of.get_mut(self.columns.role(position) as usize) {
                *of_role = of_role.saturating_add_signed(words);
            }
            let in_group = &mut self.groups.live_items[self.group_of[position] as usize];
            let was_live = *in_group > 0;
            *in_group = in_group.saturating_add_signed(sign as i32);
            self.groups.live = self.groups.live + usize::from(*in_group > 0) - usize::from(was_live);
        }
    }

    /// Whether an item counts in the statistics as of a revision.
    pub(crate) fn counts(&self, position: usize, at: u32) -> bool {
        self.is_found(position, at) && !self.columns.is_derived(position)
    }

    /// Whether searches as of a revision find an item: it is live then, and no echo.
    #[inline]
    pub(crate) fn is_found(&self, position: usize, at: u32) -> bool {
        self.echoes.is_found(&self.columns, position, at)
    }

    /// Updates from when on echoes are found, after something changed before the first of these.
    fn follow_echoes(&mut self, first: u32) {
        let mut next = first;
        while let Some(found_from) = self.echoes.changed(next, &self.columns) {
            let position = next as usize;
            self.count_live(position, -1);
            next = self.echoes.set(position, found_from);
            self.count_live(position, 1);
        }
    }

    /// Retires an item at a revision. It is still found as of earlier ones.
    pub fn retire(&mut self, id: u32, revision: u32) {
        if let Some(position) = self.columns.position(id)
            && !self.columns.is_removed(position)
        {
            self.count_live(position, -1);
            self.columns.retired[position] = revision;
            self.count_live(position, 1);
            self.follow_echoes(self.echoes.after(position));
        }
    }

    /// Amends the words of items. What was known of the same items before is replaced.
    pub fn amend(&mut self, amendments: Vec<Amendment>) {
        self.amendments.replace(amendments);
    }

    /// Removes an item for good. Its neighbours become neighbours of each other.
    pub fn remove(&mut self, id: u32) {
        let Some(position) = self.columns.position(id) else { return };
        if self.columns.is_removed(position) {
            return;
        }
        self.count_live(position, -1);
        self.amendments.remove(id);
        let echo = self.echoes.remove(position, &self.columns);
        self.columns.remove(position);
        self.follow_echoes(echo);
        self.is_all_live = false;
        self.removals += 1;
        let (before, after) = (self.before[position], self.after[position]);
        if before != NOWHERE {
            self.after[before as usize] = after;
        }
        if after != NOWHERE {
            self.before[after as usize] = before;
        }
        let last = &mut self.groups.last[self.group_of[position] as usize];
        if *last == position as u32 {
            *last = before;
        }
        (self.before[position], self.after[position]) = (NOWHERE, NOWHERE);
    }

    /// Turns the tail into a segment if all ids of its block are below `next_id`: no new item can be added to it. Ids between
    /// it and `next_id` are unused, and take no room.
    pub fn seal(&mut self, next_id: u32) {
        let sealed_end = next_id - next_id % SMALLEST_BLOCK;
        if sealed_end <= self.sealed_end {
            return;
        }
        if self.tail.count > 0 {
            let base = self.columns.len() - self.tail.count;
            let first = self.sealed_end;
            let keeps = |local: u32| !self.columns.is_removed(base + local as usize);
            let tail = std::mem::replace(&mut self.tail, Tail::new(self.make.dimension));
            let segment = tail.freeze(first, first + SMALLEST_BLOCK, keeps);
            self.segments.push(PlacedSegment::new(base, segment, false));
        }
        self.sealed_end = sealed_end;
    }

    /// The next segments that can be merged into a larger one, if any: all those in a larger block.
    pub fn next_merge(&self) -> Option<Merge> {
        let size = |placed: &PlacedSegment| placed.segment.end - placed.segment.first;
        let is_first = |index: usize, first: u32| index == 0 || self.segments[index - 1].segment.end <= first;
        (0..self.segments.len()).find_map(|index| {
            let (placed, own_size) = (&self.segments[index], size(&self.segments[index]));
            if !own_size.is_multiple_of(SMALLEST_BLOCK) || own_size >= LARGEST_BLOCK {
                return None;
            }
            let larger = own_size * FAN_OUT;
            let first = placed.segment.first - placed.segment.first % larger;
            let end = first.checked_add(larger).filter(|end| *end <= self.sealed_end && is_first(index, first))?;
            let count = self.segments[index..].partition_point(|placed| placed.segment.end <= end);
            let siblings = &self.segments[index..index + count];
            if !siblings.iter().all(|placed| size(placed) == own_size) {
                return None;
            }
            let base = placed.base;
            let count: usize = siblings.iter().map(|placed| placed.segment.count).sum();
            let removed = (0..count).filter(|local| self.columns.is_removed(base + local)).map(|local| local as u32);
            Some(Merge {
                first,
                end,
                parts: siblings.iter().map(|placed| Arc::clone(&placed.segment)).collect(),
                removed: removed.collect(),
                removals: self.removals,
            })
        })
    }

    /// Replaces segments with a merged one, unless something was removed meanwhile. True if it was done.
    pub fn replace(&mut self, merged: Merged) -> bool {
        let Merged { segment, parts: merged, removals } = merged;
        let start = self.segments.partition_point(|placed| placed.segment.first < segment.first);
        let parts = self.segments[start..].partition_point(|placed| placed.segment.end <= segment.end);
        // A reopened index has other segments, which may have other texts.
        let mut found = self.segments[start..start + parts].iter().zip(&merged);
        let are_the_same = parts == merged.len() && found.all(|(placed, part)| Arc::ptr_eq(&placed.segment, part));
        let fits = removals == self.removals && are_the_same;
        if fits {
            let placed = PlacedSegment::new(self.segments[start].base, segment, false);
            self.segments.splice(start..start + parts, [placed]);
        }
        fits
    }

    pub fn has_unkept(&self) -> bool {
        self.segments.iter().any(|placed| !placed.is_kept)
    }

    /// The first segment that is not kept yet, in bytes.
    pub fn next_keepsake(&self, revision: u32) -> Option<Keepsake> {
        let placed = self.segments.iter().find(|placed| !placed.is_kept)?;
        let range = placed.base..placed.base + placed.segment.count;
        let removed = |local: u32| self.columns.is_removed(placed.base + local as usize);
        let columns = self.columns.slice(range);
        let Segment { first, end, .. } = *placed.segment;
        let bytes = match (0..placed.segment.count as u32).any(removed) {
            true => {
                let cleared = Segment::merge(&[&placed.segment], first, end, |local| !removed(local));
                cleared.to_bytes(&self.make, &columns, revision)
            }
            false => placed.segment.to_bytes(&self.make, &columns, revision),
        };
        Some(Keepsake { first, end, bytes })
    }

    /// Marks the segment of these ids as kept, or as not to be kept.
    pub fn kept(&mut self, first: u32, end: u32) {
        for placed in &mut self.segments {
            placed.is_kept |= placed.segment.first == first && placed.segment.end == end;
        }
    }
}

impl Merge {
    pub fn run(self) -> Merged {
        let parts: Vec<&Segment> = self.parts.iter().map(|part| &**part).collect();
        let keeps = |local: u32| self.removed.binary_search(&local).is_err();
        let segment = Segment::merge(&parts, self.first, self.end, keeps);
        Merged { segment, parts: self.parts, removals: self.removals }
    }
}
