//! How often one caller may ask: a bucket for each, which fills at a steady rate.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

pub(crate) struct Rate {
    per_second: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

/// With more callers than this, those that have not asked for a second are forgotten: their buckets are full.
const MAX_CALLERS: usize = 10_000;

impl Rate {
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second: f64::from(per_second), buckets: Mutex::default() }
    }

    /// Takes one request of a caller, if it may ask now.
    pub(crate) fn take(&self, caller: &str, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_CALLERS && !buckets.contains_key(caller) {
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs_f64() < 1.0);
            if buckets.len() >= MAX_CALLERS {
                return false;
            }
        }
        let full = Bucket { left: self.per_second, at: now };
        let bucket = buckets.entry(caller.to_owned()).or_insert(full);
        let gained = now.saturating_duration_since(bucket.at).as_secs_f64() * self.per_second;
        bucket.left = (bucket.left + gained).min(self.per_second);
        bucket.at = now;
        let may_ask = bucket.left >= 1.0;
        if may_ask {
            bucket.left -= 1.0;
        }
        may_ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_caller_gets_its_rate_and_others_are_not_touched() {
        let (rate, start) = (Rate::new(10), Instant::now());
        let asked = |caller: &str, after: u64| rate.take(caller, start + Duration::from_millis(after));
        assert!((0..10).all(|_| asked("a", 0)));
        assert!(!asked("a", 0));
        assert!(asked("b", 0));
        assert!(asked("a", 100) && !asked("a", 100));
        assert!((0..10).all(|_| asked("a", 5000)) && !asked("a", 5000), "no more is saved up than one second's");
    }

    #[test]
    fn callers_are_bounded() {
        let (rate, start) = (Rate::new(10), Instant::now());
        assert!((0..MAX_CALLERS).all(|caller| rate.take(&caller.to_string(), start)));
        assert!(!rate.take("one more", start));
        assert!(rate.take("one more", start + Duration::from_secs(2)));
    }
}
