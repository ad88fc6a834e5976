//! Updates the index of a space: opened from saved segments, then extended by later writes.

use super::catalogue::Catalogue;
use super::embedder::StoreEmbedder;
use super::labels::Labelled;
use super::prepare::{Preparation, Prepared, Preparer, make, narrow};
use recordar_index::{Amendment, Block, BlockBuilder, Index, block_of};
use recordar_store::{AmendedChunk, ChangedItem, Error as StoreError, IndexRow, Reading, SpaceId, SpaceRow};
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// An index with the moment it is valid for.
pub(super) struct State {
    pub incarnation: i64,
    pub revision: i64,
    /// The number of the embedder of its vectors.
    pub embedder: i64,
    how: Preparation,
    pub index: Index,
    /// Items without a vector, which the caller's embedder is still to make.
    pub unembedded: Unembedded,
    /// How often vectors were added to the space when it was opened, as far as this process knows.
    pub vectors: u64,
    /// Loaded if a search asked for labels.
    pub labels: Option<Labelled>,
    /// Loaded if a filter asked for properties of documents.
    pub(super) catalogue: Option<Catalogue>,
}

/// Items without a vector, as ranges of ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Unembedded(Vec<(u32, u32)>);

impl Unembedded {
    /// Ids come in order.
    pub(super) fn note(&mut self, prepared: &Prepared) {
        let id = prepared.item().entry.id;
        match self.0.last_mut() {
            _ if !prepared.lacks_vector => {}
            Some((_, end)) if *end == id => *end += 1,
            _ => self.0.push((id, id + 1)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn count(&self) -> u64 {
        self.0.iter().map(|(first, end)| u64::from(end - first)).sum()
    }

    /// Whether one of them is in a range of ids.
    pub(super) fn is_within(&self, first: u32, end: u32) -> bool {
        self.0.iter().any(|(from, to)| *from < end && first < *to)
    }
}

/// Writes since an index was valid.
pub(super) struct Delta {
    incarnation: i64,
    revision: i64,
    next_id: u32,
    retired: Vec<(u32, u32)>,
    removed: Vec<u32>,
    new: Vec<Prepared>,
    amendments: Vec<Amendment>,
}

/// With more new items than this, the index is reopened instead of holding them all in memory.
const MAX_DELTA_ITEMS: usize = 32_768;
/// After so many ids, an index that is being built says how far it is.
const TELL_EVERY: u32 = 256;
/// Items prepared together.
const PAGE: usize = 64;

/// The reads needed to update an index. `None` if it has to be reopened.
pub(super) fn read_delta(
    reading: &mut Reading<'_>,
    space: &SpaceRow,
    state: &State,
) -> Result<Option<Delta>, StoreError> {
    let changed = reading.changed_items(space.id, state.revision)?;
    let removed = reading.tombstones(space.id, state.revision)?;
    let is_new = |born: i64| born > state.revision;
    // Forgetting a chunk rewrites its neighbours, which may have been retired since: an older item that changed together
    // with a forget may have other words now.
    let may_be_rewritten = |item: &ChangedItem| {
        !is_new(item.born) && (!removed.is_empty() || item.retired.is_none_or(|retired| retired <= state.revision))
    };
    let first_new = changed.iter().find(|item| is_new(item.born)).map_or(space.next_id, |item| item.id);
    if space.incarnation != state.incarnation
        || changed.iter().any(may_be_rewritten)
        || changed.iter().filter(|item| is_new(item.born)).count() > MAX_DELTA_ITEMS
    {
        return Ok(None);
    }
    let mut retired = Vec::new();
    for item in changed.iter().filter(|item| !is_new(item.born)) {
        if let Some(revision) = item.retired {
            retired.push((narrow(item.id)?, narrow(revision)?));
        }
    }
    let mut new = Vec::new();
    let (first, end) = (narrow(first_new)?, narrow(space.next_id)?);
    prepare_all(reading, (space.id, first, end), &state.how, cores(), |prepared| new.push(prepared))?;
    Ok(Some(Delta {
        incarnation: space.incarnation,
        revision: space.revision,
        next_id: narrow(space.next_id)?,
        retired,
        removed: removed.into_iter().map(narrow).collect::<Result<_, _>>()?,
        new,
        amendments: amendments(reading, space.id, state.revision, &state.how)?,
    }))
}

impl State {
    /// Its size in RAM, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let labels = self.labels.as_ref().map_or(0, |labels| labels.columns.bytes());
        self.index.bytes() + labels + self.catalogue.as_ref().map_or(0, Catalogue::bytes)
    }

    pub(super) fn apply(&mut self, delta: Delta) {
        let index = &mut self.index;
        delta.retired.iter().for_each(|(id, revision)| index.retire(*id, *revision));
        delta.removed.iter().for_each(|id| index.remove(*id));
        delta.new.iter().for_each(|prepared| self.unembedded.note(prepared));
        index.add_all(delta.new.iter().map(Prepared::item));
        index.seal(delta.next_id);
        index.amend(delta.amendments);
        (self.incarnation, self.revision) = (delta.incarnation, delta.revision);
    }
}

/// Opens the index of a space: from saved segments if usable, and from its items otherwise. `None` if
/// it does not fit.
pub(super) fn open(
    reading: &mut Reading<'_>,
    space: &SpaceRow,
    how: &Preparation,
    embedder: &StoreEmbedder,
    fits: impl Fn(&Index) -> bool,
    tell: impl Fn(u32, u32),
) -> Result<Option<State>, StoreError> {
    let how = Preparation { embedder: embedder.model.clone(), ..how.clone() };
    let (make, model) = (&make(&how), embedder.model.hash());
    let mut unembedded = Unembedded::default();
    let mut index = Index::new(make.clone());
    let next_id = narrow(space.next_id)?;
    let revision = narrow(space.revision)?;
    let mut oldest = space.revision;
    let mut kept = reading.segments(space.id, model)?.into_iter().peekable();
    // From one stored id to the next, because ids may be far apart: a saved segment if a valid one contains it,
    // otherwise a new one built from the rows up to the next saved one.
    while let Some(id) = reading.next_item(space.id, index.sealed_end().into())?.map(narrow).transpose()? {
        let at = index.sealed_end();
        let mut block = None;
        while let Some((first, end)) = kept.next_if(|(first, _)| *first <= i64::from(id)) {
            if block.is_none() && first >= i64::from(at) && end > i64::from(id) {
                let (first, end) = (narrow(first)?, narrow(end)?);
                let kept = Block::from_bytes(reading.segment(space.id, model, (first.into(), end.into()))?, make);
                block = kept.filter(|block| block.range() == (first, end));
            }
        }
        let limit = kept.peek().map_or(next_id, |(first, _)| narrow(*first).unwrap_or(next_id).min(next_id));
        if let Some(block) = block {
            oldest = oldest.min(i64::from(block.revision));
            index.push(block);
        } else if let Some((first, end)) = block_of(id, at, limit) {
            let mut builder = BlockBuilder::new(first, end, make);
            prepare_all(reading, (space.id, first, end), &how, cores(), |prepared| {
                let id = prepared.item().entry.id;
                unembedded.note(&prepared);
                builder.add(&prepared.item());
                if id.is_multiple_of(TELL_EVERY) {
                    tell(id, next_id);
                }
            })?;
            index.push(builder.finish(revision));
        } else if limit < next_id {
            // Nothing fits before the next saved segment, so its range is wrong. It is not used.
            kept.next();
        } else {
            break;
        }
        if !fits(&index) {
            return Ok(None);
        }
    }
    for (id, retired) in reading.retirements(space.id, oldest)? {
        index.retire(narrow(id)?, narrow(retired)?);
    }
    let mut tail = Vec::new();
    prepare_all(reading, (space.id, index.sealed_end(), next_id), &how, cores(), |prepared| tail.push(prepared))?;
    tail.iter().for_each(|prepared| unembedded.note(prepared));
    index.add_all(tail.iter().map(Prepared::item));
    index.amend(amendments(reading, space.id, 0, &how)?);
    let (incarnation, revision) = (space.incarnation, space.revision);
    Ok(Some(State {
        incarnation,
        revision,
        embedder: embedder.number,
        how,
        index,
        unembedded,
        vectors: 0,
        labels: None,
        catalogue: None,
    }))
}

/// What changed in the words of chunks after a revision, because headings above them did.
fn amendments(
    reading: &mut Reading<'_>,
    space: SpaceId,
    since: i64,
    how: &Preparation,
) -> Result<Vec<Amendment>, StoreError> {
    let mut amendments = Vec::new();
    let mut preparer = None;
    for AmendedChunk { own, later, .. } in reading.amended_chunks(space, since)? {
        let preparer = preparer.get_or_insert_with(|| Preparer::new(how));
        amendments.extend(preparer.amend(own.as_deref(), &later)?);
    }
    Ok(amendments)
}

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads the items from `first` up to `end` and prepares them with several workers; `take` gets them in order of id.
pub(super) fn prepare_all(
    reading: &mut Reading<'_>,
    (space, first, end): (SpaceId, u32, u32),
    how: &Preparation,
    workers: usize,
    mut take: impl FnMut(Prepared),
) -> Result<(), StoreError> {
    let (send_rows, rows) = sync_channel::<(usize, Vec<IndexRow>)>(2 * workers);
    let (send_prepared, prepared) = sync_channel(4 * workers);
    let rows = Mutex::new(rows);
    std::thread::scope(|scope| {
        let mut in_order = InOrder { prepared: &prepared, waiting: BTreeMap::new(), next: 0, take: &mut take };
        let mut page = Vec::with_capacity(PAGE);
        let mut pages = 0;
        // Their number is known only after reading. For few items, no worker is started.
        let mut send_prepared = Some(send_prepared);
        let stored = how.embedder.is_own().then(|| how.embedder.hash());
        reading.each_item(space, (first.into(), end.into()), stored, |row| {
            page.push(row);
            if page.len() == if pages == 0 { 2 * PAGE } else { PAGE } {
                if let Some(send_prepared) = send_prepared.take() {
                    for _ in 0..workers {
                        let (rows, send_prepared) = (&rows, send_prepared.clone());
                        scope.spawn(move || work(rows, &send_prepared, how));
                    }
                }
                in_order.collect(pages >= in_order.next + 4 * workers)?;
                // The workers live as long as this channel.
                let _ = send_rows.send((pages, std::mem::replace(&mut page, Vec::with_capacity(PAGE))));
                pages += 1;
            }
            Ok(())
        })?;
        if pages == 0 {
            let mut preparer = Preparer::new(how);
            return page.iter().try_for_each(|row| {
                (in_order.take)(preparer.prepare(row)?);
                Ok(())
            });
        }
        let _ = send_rows.send((pages, page));
        drop(send_rows);
        while in_order.next <= pages {
            in_order.collect(true)?;
        }
        Ok(())
    })
}

fn unindexed() -> StoreError {
    StoreError::Corrupt { what: "an item could not be indexed".to_owned() }
}

type Page = (usize, Result<Vec<Prepared>, StoreError>);

fn work(rows: &Mutex<Receiver<(usize, Vec<IndexRow>)>>, send: &SyncSender<Page>, how: &Preparation) {
    let mut preparer = Preparer::new(how);
    loop {
        let page = match rows.lock() {
            Ok(rows) => rows.recv(),
            Err(_) => return,
        };
        let Ok((number, rows)) = page else { return };
        // A bug triggered by one text must not block the other pages.
        let prepare = || rows.iter().map(|row| preparer.prepare(row)).collect();
        let prepared = std::panic::catch_unwind(AssertUnwindSafe(prepare)).unwrap_or_else(|_| Err(unindexed()));
        if send.send((number, prepared)).is_err() {
            return;
        }
    }
}

/// Puts pages that arrive in any order back into order.
struct InOrder<'a, F> {
    prepared: &'a Receiver<Page>,
    waiting: BTreeMap<usize, Vec<Prepared>>,
    next: usize,
    take: &'a mut F,
}

impl<F: FnMut(Prepared)> InOrder<'_, F> {
    /// Takes the available pages; if `waits`, at least one.
    fn collect(&mut self, mut waits: bool) -> Result<(), StoreError> {
        loop {
            let page = if waits { self.prepared.recv().ok() } else { self.prepared.try_recv().ok() };
            let Some((number, prepared)) = page else {
                // Waiting in vain means that a worker is gone: its page will never arrive.
                return match waits {
                    true => Err(unindexed()),
                    false => Ok(()),
                };
            };
            waits = false;
            self.waiting.insert(number, prepared?);
            while let Some(page) = self.waiting.remove(&self.next) {
                page.into_iter().for_each(&mut *self.take);
                self.next += 1;
            }
        }
    }
}
