//! The indexes of searched spaces: opened at the first search, updated before each, evicted when
//! they exceed the memory limit. An index can always be rebuilt from the rows.

mod ahead;
mod catalogue;
mod embedder;
mod facets;
mod keeper;
mod labels;
mod own;
mod prepare;
mod update;

pub use catalogue::Catalogue;
pub use embedder::{StoreEmbedder, new_embedder};
pub(crate) use facets::{MANY_PAIRS, kind_facet, metadata_facet, speaker_facet};
pub use own::AskedVector;
pub use prepare::Preparation;
pub(crate) use prepare::role_code;

use crate::error::Error;
use crate::waits::Waits;
use ahead::Ahead;
use keeper::Keeper;
use own::{Own, Pass, Rest, SEARCH_PATIENCE, embed_items};
use recordar_domain::{SpaceName, Timestamp};
use recordar_index::{Index, LabelColumns, NOW};
use recordar_models::OwnEmbedder;
use recordar_store::{Cancel, Error as StoreError, Reading, SpaceId, SpaceRow, Store};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use update::State;

pub struct Indexes {
    store: Arc<Store>,
    how: Preparation,
    max_bytes: usize,
    spaces: Mutex<BTreeMap<SpaceName, Arc<SpaceIndex>>>,
    uses: AtomicU64,
    keeper: Keeper,
    ahead: Ahead,
    waits: Arc<Waits>,
    own: Own,
    /// Whether it was decided if the store is to use the caller's embedder.
    is_adopted: AtomicBool,
}

/// What a search that must build an index waits for.
pub const BUILDING: &str = "building the search index";

/// The moment of a space to search, and until when its index is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The revision, in the index's numbering.
    pub at: u32,
    pub incarnation: i64,
    pub revision: i64,
}

impl Moment {
    /// The revision of the space that results show.
    pub fn shown(&self) -> i64 {
        if self.at >= NOW { self.revision } else { self.at.into() }
    }
}

/// What a search needs beside the index.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beside {
    pub labels: bool,
    pub documents: bool,
}

impl Beside {
    fn is_met_by(self, state: &State) -> bool {
        let labels = state.labels.as_ref().map(|labels| labels.revision);
        let documents = state.catalogue.as_ref().map(|catalogue| catalogue.revision);
        (!self.labels || labels == Some(state.revision)) && (!self.documents || documents == Some(state.revision))
    }
}

/// An index with what is beside it, and the rows that it was made from.
pub struct IndexView<'a> {
    store: &'a Store,
    space: &'a SpaceName,
    pub index: &'a Index,
    pub labels: Option<&'a LabelColumns>,
    pub documents: Option<&'a Catalogue>,
    pub moment: Moment,
    /// How many of its items the caller's embedder is still to embed.
    pub unembedded: u64,
}

impl IndexView<'_> {
    /// The threads with these names, by number.
    pub fn threads<'n>(&self, names: impl Iterator<Item = &'n str>) -> Result<Vec<u32>, Error> {
        let names: Vec<&str> = names.collect();
        self.of_space(|reading, space| {
            let threads = names.iter().map(|name| reading.thread(space, name));
            threads.filter_map(Result::transpose).map(|thread| prepare::narrow(thread?.id)).collect()
        })
    }

    /// The metadata of some items, as JSON. Those without any are left out.
    pub fn metadata_of(&self, ids: &[i64]) -> Result<Vec<(i64, String)>, Error> {
        self.of_space(|reading, space| reading.metadata_of(space, ids))
    }

    /// The texts of some items.
    pub fn texts_of(&self, ids: &[i64]) -> Result<Vec<(i64, String)>, Error> {
        self.of_space(|reading, space| reading.texts_of(space, ids))
    }

    /// What `read` reads of the space; nothing if it is gone.
    fn of_space<T>(
        &self,
        read: impl Fn(&mut Reading<'_>, SpaceId) -> Result<Vec<T>, StoreError>,
    ) -> Result<Vec<T>, Error> {
        let found = self.store.read(|reading| match reading.space(self.space)? {
            Some(space) => read(reading, space.id),
            None => Ok(Vec::new()),
        })?;
        Ok(found)
    }
}

/// The index of one space. `None` until it is opened.
#[derive(Default)]
pub struct SpaceIndex {
    state: RwLock<Option<State>>,
    last_use: AtomicU64,
    bytes: AtomicU64,
    /// Whether it is queued for maintenance.
    is_queued: AtomicBool,
    /// How often vectors were added for items of the index that had none.
    vectors: AtomicU64,
    /// Held by whoever embeds items of the space.
    embedding: Mutex<Rest>,
}

impl Indexes {
    pub fn new(store: Arc<Store>, how: Preparation, max_bytes: usize, waits: Arc<Waits>) -> Self {
        Self {
            own: Own::default(),
            is_adopted: AtomicBool::new(false),
            ahead: Ahead::default(),
            waits,
            keeper: Keeper::new(Arc::clone(&store)),
            store,
            how,
            max_bytes,
            spaces: Mutex::default(),
            uses: AtomicU64::new(1),
        }
    }

    /// The same with an embedder of the caller. Nothing is opened yet.
    pub fn with_embedder(&self, embedder: OwnEmbedder) -> Self {
        let (store, how) = (Arc::clone(&self.store), self.how.clone());
        let indexes = Self::new(store, how, self.max_bytes, Arc::clone(&self.waits));
        Self { own: Own::new(Some(embedder)), ..indexes }
    }

    /// The caller's embedder.
    pub fn given(&self) -> Option<&OwnEmbedder> {
        self.own.given()
    }

    /// Lets a store without items use the caller's embedder, unless it was ever moved to one.
    pub fn adopt_embedder(&self, now: Timestamp) -> Result<(), Error> {
        let Some(own) = self.own.given().filter(|_| !self.is_adopted.load(Ordering::Acquire)) else { return Ok(()) };
        self.store.adopt_embedder(&new_embedder(&own.model(), now))?;
        self.is_adopted.store(true, Ordering::Release);
        Ok(())
    }

    /// The vector of a question, by the caller's embedder if the store uses it. Not while an index is held: it may take long.
    pub fn ask(&self, text: &str, cancel: &Cancel) -> Result<AskedVector, Error> {
        self.own.ask(&self.store.cancelled_by(cancel.clone()), text, cancel)
    }

    /// Calls `search` with the index of a space and the moment to search: now, or as of a time. `None` if
    /// the space does not exist.
    pub fn with<T>(
        &self,
        space: &SpaceName,
        as_of: Option<Timestamp>,
        cancel: &Cancel,
        search: impl FnOnce(&Index, Moment) -> T,
    ) -> Result<Option<T>, Error> {
        let store = &self.store.cancelled_by(cancel.clone());
        let found = store.read(|reading| {
            let Some((row, embedder)) = reading.space_and_embedder(space)? else { return Ok(None) };
            let at = as_of.map(|time| reading.revision_at(row.id, time)).transpose()?;
            Ok(Some((Wanted { row, embedder, vectors: 0 }, at.map(prepare::narrow).transpose()?)))
        })?;
        let Some((mut wanted, at)) = found else {
            self.lock().remove(space);
            return Ok(None);
        };
        let entry = Arc::clone(self.lock().entry(space.clone()).or_default());
        entry.last_use.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        self.embed_new(store, space, &entry, &mut wanted, cancel)?;
        loop {
            // If another thread failed to open it, this one tries.
            let state = entry.read();
            if let Some(state) = state.as_ref().filter(|state| wanted.is_met_by(state)) {
                let State { incarnation, revision, index, .. } = state;
                let moment = Moment { at: at.unwrap_or(NOW), incarnation: *incarnation, revision: *revision };
                return Ok(Some(search(index, moment)));
            }
            drop(state);
            if !self.refresh(store, space, &entry, &wanted)? {
                return Ok(None);
            }
        }
    }

    /// The same with what else is asked for: it is loaded at the first such call.
    pub(crate) fn with_beside<T>(
        &self,
        space: &SpaceName,
        as_of: Option<Timestamp>,
        cancel: &Cancel,
        beside: Beside,
        search: impl FnOnce(&IndexView<'_>) -> T,
    ) -> Result<Option<T>, Error> {
        let store = &self.store.cancelled_by(cancel.clone());
        loop {
            let Some(moment) = self.with(space, as_of, cancel, |_, moment| moment)? else { return Ok(None) };
            let Some(entry) = self.lock().get(space).map(Arc::clone) else { continue };
            {
                let guard = entry.read();
                let fresh = guard.as_ref().filter(|state| state.revision >= moment.revision);
                if let Some(state) = fresh.filter(|state| beside.is_met_by(state)) {
                    let State { incarnation, revision, index, labels, catalogue, unembedded, .. } = state;
                    return Ok(Some(search(&IndexView {
                        store,
                        space,
                        index,
                        labels: labels.as_ref().map(|labels| &labels.columns),
                        documents: catalogue.as_ref(),
                        moment: Moment { incarnation: *incarnation, revision: *revision, ..moment },
                        unembedded: unembedded.count(),
                    })));
                }
            }
            self.load_beside(store, space, &entry, beside)?;
        }
    }

    /// Brings the labels and the documents to the revision of the index.
    fn load_beside(
        &self,
        store: &Store,
        space: &SpaceName,
        entry: &Arc<SpaceIndex>,
        beside: Beside,
    ) -> Result<(), Error> {
        let mut guard = entry.write();
        let Some(state) = guard.as_mut() else { return Ok(()) };
        let since = state.labels.as_ref().map(|labels| labels.revision);
        let mut catalogue = state.catalogue.take();
        let read = store.read(|reading| match reading.space(space)? {
            // What was written since is read again with the next update.
            Some(row) if row.incarnation == state.incarnation => {
                let labels = beside.labels.then(|| labels::read(reading, row.id, since)).transpose()?;
                if beside.documents {
                    catalogue = Some(Catalogue::read(reading, row.id, catalogue.take(), state.revision)?);
                }
                Ok(labels)
            }
            _ => Ok(None),
        })?;
        state.catalogue = catalogue;
        if let Some(delta) = read {
            let labelled = labels::Labelled::apply(state.labels.take(), &state.index, &delta, state.revision)?;
            state.labels = Some(labelled);
        }
        entry.bytes.store(state.bytes() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Updates an index to the committed state. False if the space was forgotten meanwhile.
    fn refresh(
        &self,
        store: &Store,
        space: &SpaceName,
        entry: &Arc<SpaceIndex>,
        wanted: &Wanted,
    ) -> Result<bool, Error> {
        let mut state = entry.write();
        if state.as_ref().is_some_and(|state| wanted.is_met_by(state)) {
            // Another thread was faster.
            return Ok(true);
        }
        let vectors = entry.vectors.load(Ordering::Acquire);
        // Vectors of another embedder are of no use, and those that were missing are there now.
        let is_of_use = |state: &&State| state.embedder >= wanted.embedder && wanted.has_vectors(state);
        let delta = match state.as_ref().filter(is_of_use) {
            None => None,
            Some(known) => store.read(|reading| match reading.space(space)? {
                Some(row) => update::read_delta(reading, &row, known),
                None => Ok(None),
            })?,
        };
        match (state.as_mut(), delta) {
            (Some(state), Some(delta)) => state.apply(delta),
            _ => {
                *state = None;
                *state = self.open(store, space, None)?;
                if let Some(state) = state.as_mut() {
                    state.vectors = vectors;
                }
            }
        }
        if state.is_none() {
            return Ok(false);
        }
        let bytes = state.as_ref().map_or(0, State::bytes);
        drop(state);
        if bytes > self.max_bytes {
            return Err(self.too_large(space));
        }
        entry.bytes.store(bytes as u64, Ordering::Relaxed);
        self.evict(entry);
        self.keeper.tend(space, entry);
        Ok(true)
    }

    /// Embeds the items of a space that have no vector, if the store uses the caller's embedder: within a limited time, and not while it is
    /// away. What is left is found by its words.
    fn embed_new(
        &self,
        store: &Store,
        space: &SpaceName,
        entry: &SpaceIndex,
        wanted: &mut Wanted,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let Some((own, embedder)) = self.own.of_store(store, wanted.embedder)? else { return Ok(()) };
        let is_complete = |state: &State| wanted.is_met_by(state) && state.unembedded.is_empty();
        if entry.read().as_ref().is_some_and(is_complete) || self.own.away().is_some() {
            return Ok(());
        }
        // One at a time: the next finds nothing to do.
        let mut rest = entry.embedding.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, lacks_vectors) = match entry.read().as_ref() {
            Some(state) if state.embedder == wanted.embedder && state.incarnation == wanted.row.incarnation => {
                let lacks_vectors = !state.unembedded.is_empty();
                (if lacks_vectors && rest.is_over() { 0 } else { state.revision }, lacks_vectors)
            }
            _ => (0, false),
        };
        if since < wanted.row.revision {
            let pass = embed_items(store, space, (own, &embedder), since, Some(SEARCH_PATIENCE), cancel)?;
            self.own.heard(pass.problem.as_ref());
            if since == 0 {
                *rest = Rest::after(&pass);
            }
            if since == 0 && lacks_vectors && (pass.kept > 0 || pass.left == 0) {
                entry.vectors.fetch_add(1, Ordering::AcqRel);
            }
        }
        wanted.vectors = entry.vectors.load(Ordering::Acquire);
        Ok(())
    }

    /// The same in the background, for as long as it takes. False if the store uses an embedder of a caller that is not here, so that its
    /// index cannot be built ahead.
    fn embed_ahead(&self, store: &Store, space: &SpaceName, cancel: &Cancel) -> Result<bool, Error> {
        let embedder = store.read(|reading| StoreEmbedder::current(&reading.embedders()?))?;
        if !embedder.model.is_own() {
            return Ok(true);
        }
        let Some((own, embedder)) = self.own.of_store(store, embedder.number)? else { return Ok(false) };
        if self.own.away().is_none() {
            let pass = embed_items(store, space, (own, &embedder), 0, None, cancel)?;
            self.own.heard(pass.problem.as_ref());
        }
        Ok(true)
    }

    /// Embeds all items of a space for an embedder of the caller that the store is being moved to.
    pub fn embed_for(
        &self,
        store: &Store,
        space: &SpaceName,
        embedder: &StoreEmbedder,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        if !embedder.model.is_own() {
            return Ok(());
        }
        let name = embedder.model.name();
        let Some(own) = self.own.given().filter(|own| own.model() == embedder.model) else {
            let what = format!("the embedder {name:?} was not given to this program");
            return Err(Error::input("no_embedder", what, "move the database with the program that has it"));
        };
        let Pass { left, problem, .. } = embed_items(store, space, (own, embedder), 0, None, cancel)?;
        self.own.heard(problem.as_ref());
        match problem {
            Some(problem) if left > 0 => {
                // It is stored with the job, so it must not quote a text.
                let what = format!("items of {space} cannot be embedded: {}", problem.unquoted());
                Err(Error::input("embedder_failed", what, "correct the embedder, then try again"))
            }
            _ => Ok(()),
        }
    }

    /// Makes the segments of a space for an embedder that the store is being moved to, and saves them. Searches go on with those of the
    /// other meanwhile. It takes as much RAM as one more index. False if something was forgotten in between, so that some could not be saved.
    pub fn save_for(&self, store: &Store, space: &SpaceName, embedder: &StoreEmbedder) -> Result<bool, Error> {
        let Some(state) = self.open(store, space, Some(embedder))? else { return Ok(true) };
        let entry = SpaceIndex { state: RwLock::new(Some(state)), ..SpaceIndex::default() };
        Ok(keeper::tend(store, space, &entry)?)
    }

    /// Opens the index of a space, for the store's embedder if none is given; `None` if the space is gone.
    fn open(&self, store: &Store, space: &SpaceName, embedder: Option<&StoreEmbedder>) -> Result<Option<State>, Error> {
        let fits = |index: &Index| index.bytes() <= self.max_bytes;
        let tell = |done: u32, total: u32| self.waits.tell(BUILDING, done.into(), total.into());
        let opened = store.read(|reading| match reading.space(space)? {
            Some(row) => {
                let embedder = match embedder {
                    Some(embedder) => embedder.clone(),
                    None => StoreEmbedder::current(&reading.embedders()?)?,
                };
                update::open(reading, &row, &self.how, &embedder, fits, tell).map(Some)
            }
            None => Ok(None),
        });
        self.waits.tell(BUILDING, 1, 1);
        opened?.map(|fitting| fitting.ok_or_else(|| self.too_large(space))).transpose()
    }

    /// Evicts the least recently used indexes until the rest fits. The one in use stays.
    fn evict(&self, in_use: &Arc<SpaceIndex>) {
        let mut spaces = self.lock();
        let bytes = |entry: &Arc<SpaceIndex>| entry.bytes.load(Ordering::Relaxed) as usize;
        let mut total: usize = spaces.values().map(bytes).sum();
        while total > self.max_bytes {
            let others = spaces.iter().filter(|(_, entry)| !Arc::ptr_eq(entry, in_use));
            let Some(name) = others.min_by_key(|(_, entry)| entry.last_use.load(Ordering::Relaxed)) else { return };
            let name = name.0.clone();
            total -= spaces.remove(&name).as_ref().map_or(0, bytes);
        }
    }

    fn too_large(&self, space: &SpaceName) -> Error {
        self.lock().remove(space);
        let limit = self.max_bytes / 1024 / 1024;
        Error::input(
            "index_too_large",
            format!("the search index of {space} exceeds index.memory_mib ({limit} MiB)"),
            "raise index.memory_mib in recordar.toml, or split the space",
        )
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SpaceName, Arc<SpaceIndex>>> {
        self.spaces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops all indexes from memory, after saving their new segments.
    pub fn clear(&self) {
        self.keeper.finish();
        self.lock().clear();
    }
}

/// What an index must be up to date with.
struct Wanted {
    row: SpaceRow,
    /// The number of the store's embedder.
    embedder: i64,
    /// How often vectors were added for items of the index that had none.
    vectors: u64,
}

impl Wanted {
    fn has_vectors(&self, state: &State) -> bool {
        state.unembedded.is_empty() || state.vectors >= self.vectors
    }

    fn is_met_by(&self, state: &State) -> bool {
        // A space that was forgotten after the row was read has a new revision, too.
        (state.incarnation, state.revision) >= (self.row.incarnation, self.row.revision)
            && state.embedder >= self.embedder
            && self.has_vectors(state)
    }
}

impl SpaceIndex {
    fn read(&self) -> RwLockReadGuard<'_, Option<State>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<State>> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}
