//! The threads that judge. They are few, they are shared by all calls, and each does one pair at a time.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub const DEFAULT_THREADS: usize = 2;
/// More are not used, whatever is asked.
pub const MAX_THREADS: usize = 16;

/// A network from a folder may be planned anew, one node within the other.
const STACK_BYTES: usize = 1 << 23;

/// How much a call may take.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    pub threads: usize,
    /// Asked before each pair; once it is true, the rest is not judged.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Effort<'_> {
    fn default() -> Self {
        Self { threads: DEFAULT_THREADS, stop: &|| false }
    }
}

/// Runs a task for 0, 1, … on the threads, until `stop` or the first error. Returns the results of those that ran: they are
/// the first ones, in order.
pub(crate) fn run<S: Default, T: Send + Sync, E: Send + Sync>(
    count: usize,
    effort: &Effort<'_>,
    task: impl Fn(usize, &mut S) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let pools = pools(effort.threads.clamp(1, MAX_THREADS).min(count));
    let next = AtomicUsize::new(0);
    let failed = AtomicUsize::new(count);
    let slots: Vec<OnceLock<Result<T, E>>> = (0..count).map(|_| OnceLock::new()).collect();
    let work = || {
        let mut space = S::default();
        while !(effort.stop)() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= failed.load(Ordering::Relaxed) {
                break;
            }
            let result = task(index, &mut space);
            if result.is_err() {
                failed.fetch_min(index, Ordering::Relaxed);
            }
            // Each index is taken once.
            let _ = slots[index].set(result);
        }
    };
    match pools.split_first() {
        // No thread can be started: this one does it.
        None => work(),
        Some((first, others)) => std::thread::scope(|scope| {
            for pool in others {
                scope.spawn(|| pool.install(work));
            }
            first.install(work);
        }),
    }
    slots.into_iter().map_while(OnceLock::into_inner).collect()
}

/// Pools of one thread each. Within such a one, products of matrices do not spread over further threads.
fn pools(count: usize) -> Vec<Arc<ThreadPool>> {
    static POOLS: Mutex<(u32, Vec<Arc<ThreadPool>>)> = Mutex::new((0, Vec::new()));
    let mut of_process = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if of_process.0 != process {
        // A process that was forked has the pools of its parent, but not their threads.
        std::mem::forget(std::mem::replace(&mut *of_process, (process, Vec::new())));
    }
    let pools = &mut of_process.1;
    while pools.len() < count {
        let name = format!("judge-{}", pools.len());
        match ThreadPoolBuilder::new().num_threads(1).stack_size(STACK_BYTES).thread_name(move |_| name.clone()).build()
        {
            Ok(pool) => pools.push(Arc::new(pool)),
            Err(_) => break,
        }
    }
    pools.iter().take(count).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(count: usize, effort: &Effort<'_>, bad: usize) -> Result<Vec<usize>, usize> {
        run(count, effort, |index, (): &mut ()| if index == bad { Err(index) } else { Ok(index * index) })
    }

    #[test]
    fn i22_results_are_in_order_on_any_number_of_threads() {
        let expected: Vec<usize> = (0..100).map(|index| index * index).collect();
        for threads in [0, 1, 2, 3, 99] {
            let effort = Effort { threads, ..Effort::default() };
            assert_eq!(squares(100, &effort, usize::MAX), Ok(expected.clone()));
            assert_eq!(squares(0, &effort, usize::MAX), Ok(vec![]));
            assert_eq!(squares(100, &effort, 50), Err(50));
        }
    }

    #[test]
    fn i22_what_was_judged_before_a_stop_are_the_first_ones() {
        for threads in [1, 2, 3] {
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 10;
            let done = squares(100, &Effort { threads, stop: &stop }, usize::MAX).unwrap();
            assert_eq!(done, (0..10).map(|index| index * index).collect::<Vec<_>>());
        }
    }
}
