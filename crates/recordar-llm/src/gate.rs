//! Waiting for a while or for a turn, unless the call is cancelled.

use crate::limits::lock;
use recordar_domain::Cancel;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a waiting call checks whether it was cancelled.
pub(crate) const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Waits, unless the call is cancelled.
pub(crate) fn pause(time: Duration, cancel: &Cancel) {
    let started = Instant::now();
    while !cancel.is_cancelled() && started.elapsed() < time {
        std::thread::sleep(CANCEL_CHECK_INTERVAL.min(time.saturating_sub(started.elapsed())));
    }
}

/// Limits the number of concurrent calls.
pub(crate) struct Gate {
    free: Mutex<usize>,
    freed: Condvar,
}

pub(crate) struct Permit<'a>(&'a Gate);

impl Gate {
    pub(crate) fn new(places: usize) -> Self {
        Self { free: Mutex::new(places.max(1)), freed: Condvar::new() }
    }

    /// None if the call was cancelled meanwhile.
    pub(crate) fn enter(&self, cancel: &Cancel) -> Option<Permit<'_>> {
        let mut free = lock(&self.free);
        while *free == 0 {
            if cancel.is_cancelled() {
                return None;
            }
            free = self.freed.wait_timeout(free, CANCEL_CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.freed.notify_one();
    }
}
