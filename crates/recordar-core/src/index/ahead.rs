//! Builds segments ahead of the first search: in the background, while items are being stored. It makes what the first search would
//! make, so nothing is lost if it is stopped, and nothing is wrong if a search builds the same.

use super::embedder::StoreEmbedder;
use super::prepare::{Preparation, make, narrow};
use super::update::{cores, prepare_all};
use super::{Indexes, Wanted};
use crate::error::Error;
use recordar_domain::{Cancel, SpaceName};
use recordar_index::{Block, BlockBuilder, block_of};
use recordar_store::{Error as StoreError, NewSegment, Reading, SpaceRow, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many new items of a space are worth a segment while more are coming.
const ENOUGH_WHILE_STORING: usize = 4096;
/// And so many once no more are coming. Fewer are built as fast as they are read.
const ENOUGH_AT_THE_END: usize = 512;
/// The ids of a segment. Larger ones would keep other writers waiting while they are saved; they are made by merging, later.
const BLOCK: u32 = 4096;

#[derive(Default)]
pub(super) struct Ahead {
    state: Mutex<State>,
    /// Whether somebody waits for it: then it uses all cores, and says how far it is.
    is_awaited: AtomicBool,
    /// Whether nothing is built ahead, so that what a search builds can be measured.
    is_off: AtomicBool,
}

#[derive(Default)]
struct State {
    /// New items of each space that were not handed over yet.
    grown: BTreeMap<SpaceName, usize>,
    waiting: BTreeSet<SpaceName>,
}

impl Ahead {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the spaces that have grown by so many items to those that are waiting. True if any is waiting.
    fn queue(&self, least: usize) -> bool {
        let State { grown, waiting } = &mut *self.lock();
        waiting.extend(grown.extract_if(.., |_, items| *items >= least).map(|(space, _)| space));
        !waiting.is_empty()
    }
}

impl Indexes {
    /// Leaves the building to searches from now on.
    pub fn build_nothing_ahead(&self) {
        self.ahead.is_off.store(true, Ordering::Relaxed);
    }

    /// Takes note of new items. True if enough of them are worth building.
    pub fn grew(&self, space: &SpaceName, items: usize) -> bool {
        if self.ahead.is_off.load(Ordering::Relaxed) {
            return false;
        }
        *self.ahead.lock().grown.entry(space.clone()).or_default() += items;
        self.ahead.queue(ENOUGH_WHILE_STORING)
    }

    /// The same when no more are coming.
    pub fn has_grown(&self) -> bool {
        self.ahead.queue(ENOUGH_AT_THE_END)
    }

    /// Whether somebody waits for it now.
    pub fn await_building(&self, is_awaited: bool) {
        self.ahead.is_awaited.store(is_awaited, Ordering::Relaxed);
    }

    /// Builds what is waiting.
    pub fn build_ahead(&self, cancel: &Cancel) {
        let store = self.store.cancelled_by(cancel.clone());
        while !cancel.is_cancelled() {
            let Some(space) = self.ahead.lock().waiting.pop_first() else { return };
            // Whatever could not be built is built by the next search.
            let _ = self.build_space(&store, &space, cancel);
        }
    }

    fn build_space(&self, store: &Store, space: &SpaceName, cancel: &Cancel) -> Result<(), Error> {
        if !self.embed_ahead(store, space, cancel)? {
            return Ok(());
        }
        let (mut from, mut begin) = (0, None);
        while !cancel.is_cancelled() {
            // A search may have opened it meanwhile. If one is just opening it, this waits for it.
            let entry = self.lock().get(space).map(Arc::clone);
            if let Some(entry) = entry.filter(|entry| entry.read().is_some()) {
                // It is in memory: there it is brought up to date, and its segments are saved.
                let found = store.read(|reading| reading.space_and_embedder(space))?;
                let Some((row, embedder)) = found else { return Ok(()) };
                return self.refresh(store, space, &entry, &Wanted { row, embedder, vectors: 0 }).map(drop);
            }
            let is_awaited = self.ahead.is_awaited.load(Ordering::Relaxed);
            let workers = if is_awaited { cores() } else { 1 };
            let built = store.read(|reading| {
                let Some(row) = reading.space(space)? else { return Ok(None) };
                let embedder = StoreEmbedder::current(&reading.embedders()?)?;
                let how = Preparation { embedder: embedder.model, ..self.how.clone() };
                let block = next_block(reading, &row, &how, from, workers)?;
                Ok(block.map(|(block, is_whole)| (block, is_whole, row, embedder.number, how)))
            })?;
            let Some((block, is_whole, row, embedder, how)) = built else { return Ok(()) };
            let (first, end) = block.range();
            from = end;
            if is_awaited {
                let begin = *begin.get_or_insert(i64::from(first));
                let (done, total) = (i64::from(end) - begin, row.next_id - begin);
                self.waits.tell(super::BUILDING, done.max(0) as u64, total.max(1) as u64);
            }
            if is_whole && block.is_worth_keeping() {
                let make = make(&how);
                let segment = NewSegment {
                    first: first.into(),
                    end: end.into(),
                    incarnation: row.incarnation,
                    revision: row.revision,
                    embedder,
                    model: &make.model,
                    dimension: make.dimension,
                    model_hash: how.embedder.hash(),
                    bytes: &block.to_bytes(&make),
                };
                store.keep_segment(space, &segment)?;
            }
        }
        Ok(())
    }
}

/// The first segment from an id on that is complete and not saved yet, and whether all of its items have vectors.
fn next_block(
    reading: &mut Reading<'_>,
    space: &SpaceRow,
    how: &Preparation,
    from: u32,
    workers: usize,
) -> Result<Option<(Block, bool)>, StoreError> {
    let saved = reading.segments(space.id, how.embedder.hash())?;
    let (next_id, revision) = (narrow(space.next_id)?, narrow(space.revision)?);
    let mut at = from;
    while let Some(id) = reading.next_item(space.id, at.into())?.map(narrow).transpose()? {
        if let Some((_, end)) = saved.iter().find(|(first, end)| (*first..*end).contains(&i64::from(id))) {
            at = narrow(*end)?;
            continue;
        }
        let later = saved.iter().map(|(first, _)| *first).find(|first| *first > i64::from(id));
        let limit = later.map_or(Ok(next_id), narrow)?.min(next_id);
        let Some((first, end)) = block_of(id, at, limit.min((id - id % BLOCK).saturating_add(BLOCK))) else {
            return Ok(None);
        };
        let mut builder = BlockBuilder::new(first, end, &make(how));
        let mut is_whole = true;
        prepare_all(reading, (space.id, first, end), how, workers, |prepared| {
            is_whole &= !prepared.lacks_vector;
            builder.add(&prepared.item());
        })?;
        return Ok(Some((builder.finish(revision), is_whole)));
    }
    Ok(None)
}
