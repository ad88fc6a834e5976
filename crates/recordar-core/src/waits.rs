//! What a call is waiting for, for a face that shows it: an index that is built, a file that is rewritten.

use crate::noun::progress::Progress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Whoever shows what a call is waiting for. It may be called from several OS threads.
pub type WaitObserver = Arc<dyn Fn(Progress) + Send + Sync>;

#[derive(Default)]
pub struct Waits {
    observer: OnceLock<WaitObserver>,
}

/// How often a wait of estimated length is reported.
const TICK: Duration = Duration::from_millis(100);

/// Ends the reports, even if the work panics: the scope waits for them.
struct End<'a> {
    is_done: &'a AtomicBool,
    ticker: &'a Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Release);
        self.ticker.unpark();
    }
}

impl Waits {
    /// Reports to this observer from now on. The first one stays.
    pub fn observe(&self, observer: WaitObserver) {
        let _ = self.observer.set(observer);
    }

    pub fn is_observed(&self) -> bool {
        self.observer.get().is_some()
    }

    /// Says how far something is; it is over when `done` is `total`.
    pub fn tell(&self, message: &str, done: u64, total: u64) {
        if let Some(observer) = self.observer.get() {
            observer(Progress { done, total, message: message.to_owned() });
        }
    }

    /// Runs work that cannot say how far it is, and reports how much of the estimated time has passed.
    pub fn during<T>(&self, message: &str, estimate: Duration, work: impl FnOnce() -> T) -> T {
        if self.observer.get().is_none() {
            return work();
        }
        let started = Instant::now();
        let total = estimate.as_millis().max(1) as u64;
        let is_done = AtomicBool::new(false);
        let result = std::thread::scope(|scope| {
            let ticker = scope.spawn(|| {
                while !is_done.load(Ordering::Acquire) {
                    // It is never complete before it is: an estimate may be too low.
                    let passed = started.elapsed().as_millis() as u64;
                    self.tell(message, passed.min(total - total / 50 - 1), total);
                    std::thread::park_timeout(TICK);
                }
            });
            let _end = End { is_done: &is_done, ticker: ticker.thread() };
            work()
        });
        self.tell(message, total, total);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn i19_errors_a_wait_of_unknown_length_is_reported_and_not_complete_before_it_is() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let waits = Waits::default();
        assert_eq!(waits.during("quiet", TICK, || 1), 1, "without an observer nothing is reported");
        let heard = Arc::clone(&told);
        waits.observe(Arc::new(move |progress| heard.lock().unwrap().push(progress)));
        // It lasts until it was reported three times.
        let long_enough = || {
            while told.lock().unwrap().len() < 3 {
                std::thread::yield_now()
            }
        };
        waits.during("working", Duration::from_millis(1), long_enough);
        let told = told.lock().unwrap();
        let (last, before) = told.split_last().unwrap();
        assert!(
            before.iter().all(|progress| progress.message == "working" && progress.done < progress.total),
            "{told:?}"
        );
        assert_eq!(last.done, last.total, "and the end is told");
    }
}
