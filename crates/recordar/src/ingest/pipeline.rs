//! Prepares files on all cores while one thread stores them in order. The number in flight is limited.

use super::{BatchReport, IngestTiming};
use recordar_domain::{Stage, Trace};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The decisions and CPU time of the stages before the store, of one file or of many in order.
pub(super) struct Stages {
    pub(super) load: Stage,
    pub(super) manifest: Stage,
    pub(super) chunk: Stage,
    /// Helper and classify stages, which not every file has.
    pub(super) more: Trace,
    pub(super) batches: Vec<BatchReport>,
    pub(super) timing: IngestTiming,
}

impl Default for Stages {
    fn default() -> Self {
        Self {
            load: Stage::new("load"),
            manifest: Stage::new("manifest"),
            chunk: Stage::new("chunk"),
            more: Trace::default(),
            batches: Vec::new(),
            timing: IngestTiming::default(),
        }
    }
}

impl Stages {
    pub(super) fn append(&mut self, next: Self) {
        self.load.decisions.extend(next.load.decisions);
        self.manifest.decisions.extend(next.manifest.decisions);
        self.chunk.decisions.extend(next.chunk.decisions);
        self.timing.read_cpu_s += next.timing.read_cpu_s;
        self.timing.manifest_cpu_s += next.timing.manifest_cpu_s;
        self.timing.chunk_cpu_s += next.timing.chunk_cpu_s;
        self.timing.store_cpu_s += next.timing.store_cpu_s;
        self.timing.place_cpu_s += next.timing.place_cpu_s;
    }
}

/// Runs a step and adds its CPU time on this thread.
pub(super) fn timed<T>(seconds: &mut f64, step: impl FnOnce() -> T) -> T {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let started = now();
    let result = step();
    *seconds += now() - started;
    result
}

/// Prepares items on several threads and passes them on one by one, in order.
pub(super) fn in_order<Item: Sync, Output: Send>(
    items: &[Item],
    prepare: impl Fn(&Item) -> Output + Sync,
    mut hand_over: impl FnMut(&Item, Output),
) {
    // This thread passes on, which in ingestion means storing, and has its own core.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.saturating_sub(1).clamp(1, 8);
    if cores == 1 || items.len() == 1 {
        items.iter().for_each(|item| hand_over(item, prepare(item)));
        return;
    }
    let belt = Belt {
        state: Mutex::new(State { next_in: 0, next_out: 0, ready: BTreeMap::new(), is_abandoned: false }),
        moved: Condvar::new(),
        most_ahead: threads + 1,
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // A thread that panics must not block the others.
                let _guard = AbandonOnPanic(&belt);
                while let Some(index) = belt.next_to_prepare(items.len()) {
                    belt.put(index, prepare(&items[index]));
                }
            });
        }
        let _guard = AbandonOnPanic(&belt);
        for (index, item) in items.iter().enumerate() {
            match belt.take(index) {
                Some(output) => hand_over(item, output),
                None => break,
            }
        }
    });
}

struct Belt<Output> {
    state: Mutex<State<Output>>,
    moved: Condvar,
    /// How many items may be prepared ahead of the current one.
    most_ahead: usize,
}

struct State<Output> {
    next_in: usize,
    next_out: usize,
    ready: BTreeMap<usize, Output>,
    is_abandoned: bool,
}

impl<Output> Belt<Output> {
    fn lock(&self) -> MutexGuard<'_, State<Output>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_to_prepare(&self, length: usize) -> Option<usize> {
        let must_wait = |state: &mut State<Output>| {
            state.next_in < length && state.next_in >= state.next_out + self.most_ahead && !state.is_abandoned
        };
        let mut state = self.moved.wait_while(self.lock(), must_wait).unwrap_or_else(PoisonError::into_inner);
        if state.is_abandoned || state.next_in >= length {
            return None;
        }
        state.next_in += 1;
        Some(state.next_in - 1)
    }

    fn put(&self, index: usize, output: Output) {
        self.lock().ready.insert(index, output);
        self.moved.notify_all();
    }

    fn take(&self, index: usize) -> Option<Output> {
        let must_wait = |state: &mut State<Output>| !state.ready.contains_key(&index) && !state.is_abandoned;
        let mut state = self.moved.wait_while(self.lock(), must_wait).unwrap_or_else(PoisonError::into_inner);
        let output = state.ready.remove(&index);
        state.next_out = index + 1;
        drop(state);
        self.moved.notify_all();
        output
    }
}

struct AbandonOnPanic<'a, Output>(&'a Belt<Output>);

impl<Output> Drop for AbandonOnPanic<'_, Output> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().is_abandoned = true;
            self.0.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_in_order() {
        let items: Vec<usize> = (0..500).collect();
        let mut seen = Vec::new();
        in_order(&items, |item| item * 2, |item, output| seen.push((*item, output)));
        assert_eq!(seen, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_ends_everything_instead_of_hanging() {
        let items: Vec<usize> = (0..50).collect();
        let outcome = std::panic::catch_unwind(|| {
            in_order(&items, |item| assert_ne!(*item, 7), |_, ()| {});
        });
        assert!(outcome.is_err());
    }
}
