//! Connections that are kept for the next caller, bounded in number. SQLite has one for writing.

use crate::driver::Connection;
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
}

/// The right to one connection, with the connection if one was idle. Given back when dropped; the connection only if
/// it was put back in.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    pub(crate) connection: Option<Connection>,
}

impl Pool {
    pub(crate) fn new(most: usize) -> Self {
        Self { state: Mutex::new(State { idle: Vec::new(), in_use: 0 }), freed: Condvar::new(), most }
    }

    /// Waits for a turn, at most so long.
    pub(crate) fn lease(&self, patience: Duration) -> Option<Lease<'_>> {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        while state.in_use >= self.most {
            let left = deadline.checked_duration_since(Instant::now())?;
            state = self.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.in_use += 1;
        let connection = state.idle.pop();
        Some(Lease { pool: self, connection })
    }

    pub(crate) fn close_idle(&self) {
        self.lock().idle.clear();
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
