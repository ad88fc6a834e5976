//! A bounded connection pool. SQLite has one connection for writing.

use crate::batch::{Batch, OpenBatch, Outcome};
use crate::driver::Connection;
use recordar_domain::Cancel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Pool {
    state: Mutex<State>,
    freed: Condvar,
    most: usize,
}

struct State {
    /// One with an open batch is here only while someone waits who takes it: see `Lease::put_back`.
    idle: Vec<PooledConnection>,
    in_use: usize,
    waiting: usize,
    is_paused: bool,
}

/// A connection, and the batch whose transaction is open on it.
pub(crate) struct PooledConnection {
    // Dropped before the batch is lost: its writes run again only when the transaction has ended.
    pub(crate) connection: Connection,
    batch: Option<OpenBatch>,
}

/// How often a wait checks whether the call was cancelled.
pub(crate) const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A permit for one connection, with the connection if one was idle. Returned when dropped; the connection only if it
/// was put back.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    connection: Option<PooledConnection>,
}

impl Pool {
    pub(crate) fn new(most: usize) -> Self {
        let state = State { idle: Vec::new(), in_use: 0, waiting: 0, is_paused: false };
        Self { state: Mutex::new(state), freed: Condvar::new(), most }
    }

    /// Waits for a permit, up to a timeout, unless the call is cancelled.
    pub(crate) fn lease(&self, patience: Duration, cancel: &Cancel) -> Option<Lease<'_>> {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        state.waiting += 1;
        // A connection that is free is taken even if the time is up: it may have been handed over to us.
        while state.in_use >= self.most || state.is_paused {
            let left = deadline.checked_duration_since(Instant::now()).filter(|_| !cancel.is_cancelled());
            let Some(left) = left else {
                state.waiting -= 1;
                return None;
            };
            state = self.wait(state, left);
        }
        state.waiting -= 1;
        state.in_use += 1;
        let connection = state.idle.pop();
        Some(Lease { pool: self, connection })
    }

    /// How many callers wait for a permit.
    pub(crate) fn waiting(&self) -> usize {
        self.lock().waiting
    }

    pub(crate) fn close_idle(&self) {
        self.lock().close_idle();
    }

    /// Waits until nothing is in use, closes everything, and blocks new callers. False on a timeout.
    pub(crate) fn pause(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        state.is_paused = true;
        while state.in_use > 0 {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                state.is_paused = false;
                self.freed.notify_all();
                return false;
            };
            state = self.wait(state, left);
        }
        state.close_idle();
        true
    }

    pub(crate) fn resume(&self) {
        self.lock().is_paused = false;
        self.freed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, left: Duration) -> MutexGuard<'a, State> {
        let interval = left.min(CANCEL_CHECK_INTERVAL);
        self.freed.wait_timeout(state, interval).unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn may_pass_on(&self, connection: &PooledConnection) -> bool {
        self.waiting > 0 && !self.is_paused && connection.batch.as_ref().is_some_and(OpenBatch::may_grow)
    }

    /// An open batch is committed first: whoever was to take it may be blocked by a pause. Its writes learn of a failure.
    fn close_idle(&mut self) {
        self.idle.drain(..).for_each(|connection| drop(connection.settled()));
    }
}

impl PooledConnection {
    pub(crate) fn new(connection: Connection) -> Self {
        Self { connection, batch: None }
    }

    pub(crate) fn has_batch(&self) -> bool {
        self.batch.is_some()
    }

    /// Counts a write of the open transaction that has ended, and returns the batch it is in.
    pub(crate) fn add_write(&mut self) -> Arc<Batch> {
        match &mut self.batch {
            Some(open) => {
                open.add_write();
                open.batch()
            }
            None => self.batch.insert(OpenBatch::new()).batch(),
        }
    }

    /// Commits the open batch, if there is one, for all its writes. After a failure the connection is gone.
    pub(crate) fn settled(mut self) -> Option<Self> {
        let Some(open) = self.batch.take() else { return Some(self) };
        let committed = self.connection.commit();
        let settled = committed.is_ok().then_some(self);
        open.settle(match committed {
            Ok(()) => Outcome::Committed,
            Err(failure) => Outcome::Failed(failure),
        });
        settled
    }
}

impl Lease<'_> {
    /// The connection, if one was idle.
    pub(crate) fn take(&mut self) -> Option<PooledConnection> {
        self.connection.take()
    }

    /// Returns the lease with the connection. An open batch is passed on to a caller who waits, and who then commits it or passes it on
    /// in turn. If no one waits, or the batch has grown enough, it is committed now.
    ///
    /// No batch is left lying: whether someone waits is seen under the lock under which the connection becomes free, and no one gives up
    /// waiting while it is. A pause keeps them from taking it, and commits it instead.
    pub(crate) fn put_back(mut self, connection: PooledConnection) {
        self.connection = Some(connection);
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut connection = self.connection.take();
        let mut state = self.pool.lock();
        if connection.as_ref().is_some_and(|connection| connection.has_batch() && !state.may_pass_on(connection)) {
            // Without the lock, since a commit waits for the disk.
            drop(state);
            connection = connection.and_then(PooledConnection::settled);
            state = self.pool.lock();
        }
        state.in_use -= 1;
        state.idle.extend(connection);
        drop(state);
        self.pool.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Mode;
    use crate::url::DatabaseUrl;
    use std::path::Path;

    /// A lease, and a connection in whose transaction one write has ended.
    fn lease_with_batch(pool: &Pool) -> (Lease<'_>, PooledConnection, Arc<Batch>) {
        let lease = pool.lease(Duration::ZERO, &Cancel::default()).unwrap_or_else(|| panic!("it is free"));
        let url = DatabaseUrl::parse("sqlite::memory:", Path::new("/")).unwrap_or_else(|error| panic!("{error}"));
        let opened = Connection::open(&url, Duration::ZERO, true).and_then(|mut connection| {
            connection.begin(Mode::Write)?;
            Ok(PooledConnection::new(connection))
        });
        let mut connection = opened.unwrap_or_else(|failure| panic!("{}", failure.what));
        let batch = connection.add_write();
        (lease, connection, batch)
    }

    #[test]
    fn a14_group_commit_a_batch_for_which_no_one_waits_is_committed() {
        let pool = Pool::new(1);
        let (lease, connection, batch) = lease_with_batch(&pool);
        lease.put_back(connection);
        assert!(matches!(batch.wait(), Outcome::Committed));
    }

    #[test]
    fn a14_group_commit_a_batch_is_not_left_to_callers_whom_a_pause_blocks() {
        let pool = Pool::new(1);
        let (lease, connection, batch) = lease_with_batch(&pool);
        pool.lock().waiting = 1;
        lease.put_back(connection);
        assert!(pool.lock().idle[0].has_batch(), "it is passed on");
        assert!(pool.pause(Duration::ZERO));
        assert!(matches!(batch.wait(), Outcome::Committed));
    }

    #[test]
    fn a14_group_commit_a_batch_is_not_passed_on_during_a_pause() {
        let pool = Pool::new(1);
        let (lease, connection, batch) = lease_with_batch(&pool);
        pool.lock().waiting = 1;
        pool.lock().is_paused = true;
        lease.put_back(connection);
        assert!(matches!(batch.wait(), Outcome::Committed));
    }

    #[test]
    fn a14_group_commit_a_batch_that_was_passed_on_is_taken_even_when_the_time_is_up() {
        let pool = Pool::new(1);
        let (lease, connection, batch) = lease_with_batch(&pool);
        pool.lock().waiting = 1;
        lease.put_back(connection);
        let cancelled = Cancel::default();
        cancelled.cancel();
        pool.lock().waiting = 0;
        drop(pool.lease(Duration::ZERO, &cancelled));
        assert!(matches!(batch.wait(), Outcome::Committed));
    }

    #[test]
    fn a14_group_commit_a_batch_whose_connection_is_dropped_is_lost() {
        let pool = Pool::new(1);
        let (lease, connection, batch) = lease_with_batch(&pool);
        drop((connection, lease));
        assert!(matches!(batch.wait(), Outcome::Lost));
    }
}
