//! Summaries of old messages (E6, CH-08): when threads are queued to be summed up.

use crate::engine::Recordar;
use recordar_core::summary::SPAN;
use recordar_domain::{ItemKind, Message, Timestamp};
use recordar_store::{Error as StoreError, NewJob, Writing};
use std::collections::BTreeSet;

/// What the queue calls summing up a thread. Never renumbered.
pub(crate) const SUMMARIES: i64 = 4;
/// The subject of a job that looks at every thread of its space. A negative subject goes on behind the thread of that number.
pub(crate) const WHOLE_SPACE: i64 = 0;

/// Whether new messages are summed up, and since when jobs are due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summarising {
    recent: Option<usize>,
    now: Timestamp,
}

impl Summarising {
    pub(crate) fn of(memory: &Recordar, now: Timestamp) -> Self {
        Self { recent: memory.config.summaries.enabled.then_some(memory.config.summaries.recent_messages), now }
    }

    /// Queues the threads of new messages that have old ones, and those that lost a summary, in the transaction that stores them.
    pub(crate) fn stored(self, writing: &mut Writing<'_>, messages: &[&Message]) -> Result<(), StoreError> {
        self.lost(writing)?;
        let Some(recent) = self.recent else { return Ok(()) };
        let said = messages.iter().filter(|message| message.kind == ItemKind::Message);
        let names: BTreeSet<&str> = said.filter_map(|message| message.thread.as_deref()).collect();
        let space = writing.space_id();
        let mut jobs = Vec::new();
        for name in names {
            let Some(thread) = writing.thread(space, name)? else { continue };
            if writing.has_old_messages(space, thread.id, recent + SPAN - 1)? {
                jobs.push(self.job(thread.id));
            }
        }
        writing.add_jobs(&jobs).map(drop)
    }

    /// Queues the threads that lost a summary, because a message was changed or forgotten: it is made again.
    pub(crate) fn lost(self, writing: &mut Writing<'_>) -> Result<(), StoreError> {
        let jobs: Vec<NewJob> = writing.unsummed_threads()?.into_iter().map(|thread| self.job(thread)).collect();
        if jobs.is_empty() { Ok(()) } else { writing.add_jobs(&jobs).map(drop) }
    }

    pub(crate) fn job(self, subject: i64) -> NewJob {
        NewJob { kind: SUMMARIES, subject, due_at: self.now }
    }
}
