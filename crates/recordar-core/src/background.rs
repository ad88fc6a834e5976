//! A worker inside this process: some work on a thread of its own, which rests while the process forks and ends with the memory.

use recordar_domain::Cancel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct BackgroundWorker {
    running: Mutex<Option<Running>>,
}

struct Running {
    cancel: Cancel,
    thread: JoinHandle<()>,
}

const GLANCE: Duration = Duration::from_millis(5);
/// How long the end of a memory waits for its worker.
const MAX_END: Duration = Duration::from_secs(5);

impl BackgroundWorker {
    /// Starts the work, unless it runs already. It ends when it is cancelled.
    pub fn start(&self, work: impl FnOnce(Cancel) + Send + 'static) {
        let mut running = self.lock();
        if running.as_ref().is_some_and(|running| !running.thread.is_finished()) {
            return;
        }
        let cancel = Cancel::default();
        let stop = cancel.clone();
        *running = Some(Running { cancel, thread: std::thread::spawn(move || work(stop)) });
    }

    pub fn is_running(&self) -> bool {
        self.lock().as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// Ends it, and waits for that. False if it takes too long; it ends later then.
    pub fn stop(&self, patience: Duration) -> bool {
        let mut running = self.lock();
        let Some(worker) = running.as_ref() else { return true };
        worker.cancel.cancel();
        let started = Instant::now();
        while !worker.thread.is_finished() {
            if started.elapsed() >= patience {
                return false;
            }
            std::thread::sleep(GLANCE);
        }
        if let Some(worker) = running.take() {
            let _ = worker.thread.join();
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BackgroundWorker {
    fn drop(&mut self) {
        self.stop(MAX_END);
    }
}
