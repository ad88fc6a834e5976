//! Cancellation: a cancelled call stops before its next attempt, between two pages, and before it commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Shared by a call and its caller. Once cancelled, it stays cancelled.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    is_cancelled: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Cancel {
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// For a part of the call: cancelled with the call, and at the latest at this time.
    pub fn until(&self, time: Instant) -> Self {
        let until = self.until.map_or(time, |until| until.min(time));
        Self { is_cancelled: Arc::clone(&self.is_cancelled), until: Some(until) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn saf_b1_a_part_of_a_call_ends_with_its_time_or_with_the_call() {
        let call = Cancel::default();
        let (late, soon) = (call.until(Instant::now() + Duration::from_secs(3600)), call.until(Instant::now()));
        assert!(soon.is_cancelled() && !late.is_cancelled() && !call.is_cancelled());
        assert!(late.until(Instant::now()).is_cancelled());
        call.cancel();
        assert!(late.is_cancelled());
    }
}
