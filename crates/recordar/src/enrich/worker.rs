//! The worker inside this process (`work.in_process`): the same loop as `recordar work`.

use super::EVERY_KIND;
use super::work::{WorkOptions, work};
use crate::engine::Recordar;
use recordar_domain::{Cancel, OperationId};
use std::time::{Duration, Instant};

const GLANCE: Duration = Duration::from_millis(5);
/// How long a worker rests after an error of the store.
const REST: Duration = Duration::from_secs(5);

/// Starts the worker of a memory, if it is configured and does not run.
pub(crate) fn ensure_working(memory: &Recordar) {
    let (true, Some(worker)) = (memory.config.work.in_process, &memory.worker) else { return };
    // Its memory must not keep itself alive.
    let memory = Recordar { worker: None, within: None, keeps_receipts: true, ..memory.clone() };
    // What is queued is done for everyone, not with the rights and on the account of whoever started the worker.
    let memory = memory.charged_to(None);
    worker.start(move |cancel| run(&memory.cancelled_by(cancel.clone()), &cancel));
}

fn run(memory: &Recordar, cancel: &Cancel) {
    let options = WorkOptions { keeps_running: true, spaces: None, kinds: EVERY_KIND };
    while !cancel.is_cancelled() {
        // From the operating system: workers of forked processes must differ. No result ever shows it.
        let Ok(operation) = OperationId::parse(&format!("worker-{}", uuid::Uuid::new_v4())) else { return };
        if work(memory, &options, &operation, |_| {}).is_err() {
            let started = Instant::now();
            while !cancel.is_cancelled() && started.elapsed() < REST {
                std::thread::sleep(GLANCE);
            }
        }
    }
}
