//! A bounded connection pool. SQLite has one connection for writing.

use crate::driver::Connection;
use recordar_domain::Cancel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Pool {
    state: Mutex<State>,
    freed: Condvar,
    most: usize,
}

struct State {
    idle: Vec<Connection>,
    in_use: usize,
    is_paused: bool,
}

/// How often a wait checks whether the call was cancelled.
pub(crate) const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A permit for one connection, with the connection if one was idle. Returned when dropped; the connection only if it
/// was put back.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    pub(crate) connection: Option<Connection>,
}

impl Pool {
    pub(crate) fn new(most: usize) -> Self {
        Self { state: Mutex::new(State { idle: Vec::new(), in_use: 0, is_paused: false }), freed: Condvar::new(), most }
    }

    /// Waits for a permit, up to a timeout, unless the call is cancelled.
    pub(crate) fn lease(&self, patience: Duration, cancel: &Cancel) -> Option<Lease<'_>> {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        while state.in_use >= self.most || state.is_paused {
            let left = deadline.checked_duration_since(Instant::now()).filter(|_| !cancel.is_cancelled())?;
            state = self
                .freed
                .wait_timeout(state, left.min(CANCEL_CHECK_INTERVAL))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state.in_use += 1;
        let connection = state.idle.pop();
        Some(Lease { pool: self, connection })
    }

    pub(crate) fn close_idle(&self) {
        self.lock().idle.clear();
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
            state = self
                .freed
                .wait_timeout(state, left.min(CANCEL_CHECK_INTERVAL))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state.idle.clear();
        true
    }

    pub(crate) fn resume(&self) {
        self.lock().is_paused = false;
        self.freed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.in_use -= 1;
        state.idle.extend(self.connection.take());
        drop(state);
        self.pool.freed.notify_one();
    }
}
