//! A clock that stands still until a test sets it, and a wait for what has no event.

use recordar::{Clock, Timestamp, system_clock};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// It starts at the time of the machine, so that it agrees with what other processes write.
#[derive(Clone)]
pub(crate) struct TestClock(Arc<AtomicI64>);

impl TestClock {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicI64::new(system_clock()().as_micros())))
    }

    pub(crate) fn clock(&self) -> Clock {
        let micros = Arc::clone(&self.0);
        Arc::new(move || Timestamp::from_micros(micros.load(Ordering::Acquire)))
    }

    pub(crate) fn advance(&self, time: Duration) {
        self.0.fetch_add(time.as_micros() as i64, Ordering::AcqRel);
    }

    pub(crate) fn set_back(&self, time: Duration) {
        self.0.fetch_sub(time.as_micros() as i64, Ordering::AcqRel);
    }
}

/// Waits for a state of a server that no event tells of, and fails if it never comes.
pub(crate) fn until<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    const TRIES: usize = 3000;
    for _ in 0..TRIES {
        if let Some(found) = ask() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("it never came to that");
}
