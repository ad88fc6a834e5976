//! How often memories are used: counted in RAM, and written in batches on a thread of its own. A recall never waits for it; a flush is a
//! revision like any other write.

use crate::error::Error;
use recordar_domain::{Digest, Hasher, OperationId, SpaceName, Timestamp};
use recordar_store::{Operation, Settled, Store};
use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long uses are gathered before they are written.
const FLUSH_AFTER: Duration = Duration::from_secs(60);

type Counts = BTreeMap<SpaceName, BTreeMap<i64, i64>>;
type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

pub struct UseCounter {
    shared: Arc<Shared>,
    thread: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

struct Shared {
    store: Arc<Store>,
    clock: Clock,
    counts: Mutex<Counts>,
}

impl UseCounter {
    pub fn new(store: Arc<Store>, clock: Clock) -> Self {
        Self { shared: Arc::new(Shared { store, clock, counts: Mutex::default() }), thread: Mutex::default() }
    }

    /// Counts one use of each item.
    pub fn count(&self, items: impl Iterator<Item = (SpaceName, i64)>) {
        let mut counts = self.shared.lock();
        for (space, id) in items {
            *counts.entry(space).or_default().entry(id).or_default() += 1;
        }
        if counts.is_empty() {
            return;
        }
        drop(counts);
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.as_ref().is_none_or(|(_, thread)| thread.is_finished()) {
            let (send, receive) = channel();
            let shared = Arc::clone(&self.shared);
            let run = move || {
                // Ends with a flush, after a while or when the memory is closed.
                if receive.recv_timeout(FLUSH_AFTER) != Ok(()) {
                    let _ = shared.flush();
                }
            };
            *thread = Some((send, std::thread::spawn(run)));
        }
    }

    /// Writes what was counted.
    pub fn flush(&self) -> Result<(), Error> {
        self.shared.flush()
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flush(&self) -> Result<(), Error> {
        let counts = std::mem::take(&mut *self.lock());
        for (space, items) in counts {
            let items: Vec<(i64, i64)> = items.into_iter().collect();
            let now = (self.clock)();
            // A space that was forgotten is not made again.
            let id = OperationId::parse(&format!("uses-{}", Digest::of(uuid::Uuid::new_v4())))?;
            let request = Hasher::default().field(id.as_str()).finish();
            let operation = Operation { id: &id, kind: "uses", request };
            self.store.write(&space, &operation, now, |writing| {
                if writing.is_new_space() {
                    return Ok(Settled::Abandon(()));
                }
                writing.count_uses(&items)?;
                Ok(Settled::Commit(()))
            })?;
        }
        Ok(())
    }
}

impl Drop for UseCounter {
    fn drop(&mut self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((send, thread)) = thread {
            // Disconnected, it flushes at once.
            drop(send);
            let _ = thread.join();
        }
    }
}
