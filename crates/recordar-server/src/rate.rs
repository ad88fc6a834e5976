//! How often one caller may ask: a bucket for each, which fills at a steady rate, by the clock of the engine. If that clock jumps, a caller gains
//! at most what one full bucket holds.

use recordar::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

pub(crate) struct Rate {
    per_second: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Timestamp,
}

/// With more callers than this, those that have not asked for a second are forgotten: their buckets are full.
const MAX_CALLERS: usize = 10_000;

impl Rate {
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second: f64::from(per_second), buckets: Mutex::default() }
    }

    /// Takes one request of a caller, if it may ask now.
    pub(crate) fn take(&self, caller: &str, clock: impl FnOnce() -> Timestamp) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        // Not before: a thread that waited for the lock would set a bucket back.
        let now = clock();
        if buckets.len() >= MAX_CALLERS && !buckets.contains_key(caller) {
            // One from the future is of a clock that went back, and would never be forgotten.
            buckets.retain(|_, bucket| bucket.at <= now && seconds(bucket.at, now) < 1.0);
            if buckets.len() >= MAX_CALLERS {
                return false;
            }
        }
        let full = Bucket { left: self.per_second, at: now };
        let bucket = buckets.entry(caller.to_owned()).or_insert(full);
        let gained = seconds(bucket.at, now) * self.per_second;
        bucket.left = (bucket.left + gained).min(self.per_second);
        bucket.at = now;
        let may_ask = bucket.left >= 1.0;
        if may_ask {
            bucket.left -= 1.0;
        }
        may_ask
    }
}

/// How long ago something was; nothing if the clock went back.
fn seconds(at: Timestamp, now: Timestamp) -> f64 {
    now.as_micros().saturating_sub(at.as_micros()).max(0) as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: i64 = 1_700_000_000_000;

    fn after(millis: i64) -> Timestamp {
        Timestamp::from_micros((START + millis) * 1000)
    }

    #[test]
    fn a_caller_gets_its_rate_and_others_are_not_touched() {
        let rate = Rate::new(10);
        let asked = |caller: &str, millis: i64| rate.take(caller, || after(millis));
        assert!((0..10).all(|_| asked("a", 0)));
        assert!(!asked("a", 0));
        assert!(asked("b", 0));
        assert!(asked("a", 100) && !asked("a", 100));
        assert!((0..10).all(|_| asked("a", 5000)) && !asked("a", 5000), "no more is saved up than one second's");
    }

    #[test]
    fn callers_are_bounded() {
        let rate = Rate::new(10);
        let fill = |millis| (0..MAX_CALLERS).all(|caller| rate.take(&caller.to_string(), || after(millis)));
        assert!(fill(0));
        assert!(!rate.take("one more", || after(0)));
        assert!(rate.take("one more", || after(2000)));
        assert!(fill(4000));
        assert!(!rate.take("another", || after(4000)));
        assert!(rate.take("another", || after(-60_000)), "a clock that goes back does not lock others out");
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing_and_takes_nothing() {
        let rate = Rate::new(10);
        assert!((0..10).all(|_| rate.take("a", || after(0))));
        assert!(!rate.take("a", || after(-60_000)));
        assert!(rate.take("a", || after(-59_900)), "it goes on from there");
    }
}
