//! Maintains indexes in the background: merges small segments into larger ones, and saves new ones in the database,
//! so that opening an index need not read the texts again. Nothing is lost if it fails.

use super::SpaceIndex;
use recordar_domain::{Digest, SpaceName};
use recordar_store::{Error as StoreError, NewSegment, Store};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

pub(super) struct Keeper {
    store: Arc<Store>,
    worker: Mutex<Option<Worker>>,
}

struct Worker {
    send: Sender<(SpaceName, Arc<SpaceIndex>)>,
    thread: JoinHandle<()>,
}

impl Keeper {
    pub(super) fn new(store: Arc<Store>) -> Self {
        Self { store, worker: Mutex::default() }
    }

    /// Maintains an index in the background, if necessary.
    pub(super) fn tend(&self, space: &SpaceName, entry: &Arc<SpaceIndex>) {
        let has_work = entry.read().as_ref().is_some_and(|state| state.index.has_unkept());
        if !has_work || entry.is_queued.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = worker.get_or_insert_with(|| {
            let (send, receive) = channel::<(SpaceName, Arc<SpaceIndex>)>();
            let store = Arc::clone(&self.store);
            let thread = std::thread::spawn(move || {
                receive.iter().for_each(|(space, entry)| {
                    entry.is_queued.store(false, Ordering::Release);
                    // Whatever could not be saved is built again at the next opening.
                    let _ = tend(&store, &space, &entry);
                });
            });
            Worker { send, thread }
        });
        let _ = worker.send.send((space.clone(), Arc::clone(entry)));
    }

    /// Waits until everything is saved.
    pub(super) fn finish(&self) {
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Worker { send, thread }) = worker {
            drop(send);
            let _ = thread.join();
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Merges and saves segments. False if some may not be saved: something was forgotten, or the store has moved to another embedder.
pub(super) fn tend(store: &Store, space: &SpaceName, entry: &SpaceIndex) -> Result<bool, StoreError> {
    loop {
        // A separate statement, so that the lock is released before the work.
        let next = entry.read().as_ref().and_then(|state| state.index.next_merge());
        let Some(merge) = next else { break };
        let merged = merge.run();
        if !entry.write().as_mut().is_some_and(|state| state.index.replace(merged)) {
            // Something was removed meanwhile: the next update of the index schedules it again.
            return Ok(false);
        }
    }
    let mut all_saved = Ok(true);
    loop {
        let next = entry.read().as_ref().and_then(|state| {
            let keepsake = state.index.next_keepsake(state.revision as u32)?;
            let is_whole = !state.unembedded.is_within(keepsake.first, keepsake.end);
            Some((keepsake, is_whole, state.incarnation, state.revision, state.embedder, state.index.make().clone()))
        });
        let Some((keepsake, is_whole, incarnation, revision, embedder, make)) = next else { return all_saved };
        let segment = NewSegment {
            first: keepsake.first.into(),
            end: keepsake.end.into(),
            incarnation,
            revision,
            embedder,
            model: &make.model,
            dimension: make.dimension,
            model_hash: Digest::from_hex(&make.model_hash).unwrap_or_else(|| Digest::of(&make.model_hash)),
            bytes: &keepsake.bytes,
        };
        // Saved or not, it need not be tried again: the next opening would rebuild it.
        // One with items that have no vector yet is never saved: nobody would look for their vectors again.
        let saved = if is_whole { store.keep_segment(space, &segment) } else { Ok(false) };
        all_saved = all_saved.and_then(|all| Ok(saved? && all));
        if let Some(state) = entry.write().as_mut() {
            state.index.kept(keepsake.first, keepsake.end);
        }
    }
}
