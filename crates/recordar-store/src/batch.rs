//! A batch: writes that share one transaction on SQLite, and so one wait for the disk. Each is a part of its own, which can be undone
//! alone, and none returns before the shared commit.

use crate::failure::Failure;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many writes share a commit at most: what is lost with a batch runs again.
const MOST_WRITES: usize = 64;
/// How long a finished write waits for others to join it.
const MOST_WAIT: Duration = Duration::from_millis(5);

/// What became of the shared transaction.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    Committed,
    /// The commit failed, and with it every write.
    Failed(Failure),
    /// The transaction ended with its connection, because of one of the writes. That says nothing about the others.
    Lost,
}

/// What the writes of a batch wait for.
#[derive(Default)]
pub(crate) struct Batch {
    outcome: Mutex<Option<Outcome>>,
    is_settled: Condvar,
}

impl Batch {
    pub(crate) fn wait(&self) -> Outcome {
        let mut outcome = self.lock();
        loop {
            if let Some(settled) = &*outcome {
                return settled.clone();
            }
            outcome = self.is_settled.wait(outcome).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The first outcome counts.
    fn settle(&self, settled: Outcome) {
        self.lock().get_or_insert(settled);
        self.is_settled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Option<Outcome>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The batch of a connection with an open transaction. Whoever drops it unsettled has lost the transaction.
pub(crate) struct OpenBatch {
    batch: Arc<Batch>,
    writes: usize,
    /// When its first write had ended.
    opened: Instant,
}

impl OpenBatch {
    /// A batch of one write.
    pub(crate) fn new() -> Self {
        Self { batch: Arc::default(), writes: 1, opened: Instant::now() }
    }

    pub(crate) fn add_write(&mut self) {
        self.writes += 1;
    }

    pub(crate) fn may_grow(&self) -> bool {
        self.writes < MOST_WRITES && self.opened.elapsed() < MOST_WAIT
    }

    pub(crate) fn batch(&self) -> Arc<Batch> {
        Arc::clone(&self.batch)
    }

    pub(crate) fn settle(self, outcome: Outcome) {
        self.batch.settle(outcome);
    }
}

impl Drop for OpenBatch {
    fn drop(&mut self) {
        self.batch.settle(Outcome::Lost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a14_group_commit_a_batch_that_is_dropped_is_lost_and_a_settled_one_is_not() {
        let (dropped, committed) = (OpenBatch::new(), OpenBatch::new());
        let waiting = [dropped.batch(), committed.batch()];
        drop(dropped);
        committed.settle(Outcome::Committed);
        let [dropped, committed] = waiting.map(|batch| batch.wait());
        assert!(matches!(dropped, Outcome::Lost) && matches!(committed, Outcome::Committed));
    }

    #[test]
    fn a14_group_commit_a_batch_is_bounded() {
        let mut open = OpenBatch::new();
        (1..MOST_WRITES).for_each(|_| open.add_write());
        assert!(!open.may_grow());
    }
}
