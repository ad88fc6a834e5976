//! Runs several tasks in parallel, within the limit of concurrent calls. Results are in the order of the tasks.

use super::{Done, Reasoner, Task};
use crate::error::Error;
use recordar_llm::{CallReport, Error as ModelError, Operation};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The result of one task, and its calls.
pub struct Performed<R> {
    pub done: Result<Done<R>, Error>,
    pub calls: Vec<CallReport>,
    /// From when the task was given until it was done, with all waiting: for its turn, for the spending limit, before a retry.
    pub latency: Duration,
}

/// A model's reply to a task, its part of the operation, and how long it took.
type Asked<R> = (Option<Result<R, ModelError>>, Operation, Duration);

impl Reasoner<'_> {
    /// Performs all of them. Once the model is away, tasks not yet started are skipped.
    pub fn perform_all<T: Task + Sync>(&self, tasks: &[T]) -> Vec<Performed<T::Reply>>
    where
        T::Reply: Send,
    {
        let threads = match &self.client {
            Ok(Some(client)) => client.concurrency().min(tasks.len()),
            _ => 1,
        };
        let started = Instant::now();
        let ask = |task: &T| {
            let part = self.operation.part();
            let asked = self.asked(task, &part);
            (asked, part, started.elapsed())
        };
        let asked: Vec<Asked<T::Reply>> = match threads {
            0 | 1 => tasks.iter().map(ask).collect(),
            _ => in_threads(tasks, threads, &ask),
        };
        let performed = tasks.iter().zip(asked).map(|(task, (asked, part, latency))| {
            let calls = part.calls();
            self.operation.join(part);
            Performed { done: self.done(task, asked), calls, latency }
        });
        performed.collect()
    }
}

fn in_threads<T: Sync, R: Send>(tasks: &[T], threads: usize, ask: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<R>>> = tasks.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < tasks.len()) {
                    let result = ask(&tasks[at]);
                    *slots[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
            });
        }
    });
    // If a thread panicked, the scope has ended with its panic: every slot is filled.
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}
