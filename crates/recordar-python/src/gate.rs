//! Counts running calls, so that a fork can wait for them: the work of a parent's thread would never be finished in the
//! child, and its locks would be held for ever.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    under_way: usize,
    is_closed: bool,
}

/// A permit to run, until it is dropped.
pub(crate) struct Pass<'a>(&'a Gate);

impl Gate {
    pub(crate) fn enter(&self) -> Pass<'_> {
        let mut state = self.lock();
        while state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.under_way += 1;
        Pass(self)
    }

    /// Closes the gate and waits for running calls. False on a timeout; then it is open again.
    pub(crate) fn close(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        state.is_closed = true;
        while state.under_way > 0 {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                drop(state);
                self.open();
                return false;
            };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    pub(crate) fn open(&self) {
        self.lock().is_closed = false;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.lock().under_way -= 1;
        self.0.changed.notify_all();
    }
}
