//! What is kept from one recall to the next. Nothing of it outlives the process.

use super::cache::Cache;
use super::metrics::RecallMetrics;
use super::rate::RateLimit;
use super::result::RecallResult;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub struct Recalls {
    cache: Mutex<Cache<RecallResult>>,
    rate: Mutex<RateLimit>,
    metrics: Mutex<RecallMetrics>,
}

impl Recalls {
    pub fn cache(&self) -> MutexGuard<'_, Cache<RecallResult>> {
        lock(&self.cache)
    }

    pub fn rate(&self) -> MutexGuard<'_, RateLimit> {
        lock(&self.rate)
    }

    pub fn metrics(&self) -> MutexGuard<'_, RecallMetrics> {
        lock(&self.metrics)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
