//! Maintains indexes in the background: merges small segments into larger ones, and saves new ones in the database,
//! so that opening an index need not read the texts again. Nothing is lost if it fails.

use super::SpaceIndex;
use recordar_domain::{Digest, SpaceName};
use recordar_store::{NewSegment, Store};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

pub(crate) struct Keeper {
    store: Arc<Store>,
    worker: Mutex<Option<Worker>>,
}

struct Worker {
    send: Sender<(SpaceName, Arc<SpaceIndex>)>,
    thread: JoinHandle<()>,
}

impl Keeper {
    pub(crate) fn new(store: Arc<Store>) -> Self {
        Self { store, worker: Mutex::default() }
    }

    /// Maintains an index in the background, if necessary.
    pub(crate) fn tend(&self, space: &SpaceName, entry: &Arc<SpaceIndex>) {
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
                    tend(&store, &space, &entry);
                });
            });
            Worker { send, thread }
        });
        let _ = worker.send.send((space.clone(), Arc::clone(entry)));
    }

    /// Waits until everything is saved.
    pub(crate) fn finish(&self) {
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

fn tend(store: &Store, space: &SpaceName, entry: &SpaceIndex) {
    loop {
        // A separate statement, so that the lock is released before the work.
        let next = entry.read().as_ref().and_then(|state| state.index.next_merge());
        let Some(merge) = next else { break };
        let merged = merge.run();
        if !entry.write().as_mut().is_some_and(|state| state.index.replace(merged)) {
            // Something was removed meanwhile: the next update of the index schedules it again.
            return;
        }
    }
    loop {
        let next = entry.read().as_ref().and_then(|state| {
            let keepsake = state.index.next_keepsake(state.revision as u32)?;
            Some((keepsake, state.incarnation, state.revision, state.index.make().clone()))
        });
        let Some((keepsake, incarnation, revision, make)) = next else { return };
        let segment = NewSegment {
            first: keepsake.first.into(),
            end: keepsake.end.into(),
            incarnation,
            revision,
            model: &make.model,
            dimension: make.dimension,
            model_hash: Digest::from_hex(&make.model_hash).unwrap_or_else(|| Digest::of(&make.model_hash)),
            bytes: &keepsake.bytes,
        };
        // Saved or not, it need not be tried again: the next opening would rebuild it.
        let _ = store.keep_segment(space, &segment);
        if let Some(state) = entry.write().as_mut() {
            state.index.kept(keepsake.first, keepsake.end);
        }
    }
}
