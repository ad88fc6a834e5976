//! When threads are queued to be summed up.

use super::span::SPAN;
use crate::engine::Recordar;
use recordar_domain::{ItemKind, Message, Timestamp};
use recordar_store::{Error as StoreError, Forgotten, NewJob, Writing};
use std::collections::BTreeMap;

/// What the queue calls summing up a thread. Never renumbered.
pub(crate) const SUMMARIES: i64 = 4;
/// The subject of a job that looks at every thread of its space.
pub(crate) const WHOLE_SPACE: i64 = 0;

/// Whether threads are summed up, and since when their jobs are due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summarising {
    recent: Option<usize>,
    now: Timestamp,
}

impl Summarising {
    pub(crate) fn of(memory: &Recordar, now: Timestamp) -> Self {
        Self { recent: memory.config.summaries.enabled.then_some(memory.config.summaries.recent_messages), now }
    }

    /// Queues the threads of new messages that have old ones, in the transaction that stores them.
    pub(crate) fn stored(self, writing: &mut Writing<'_>, messages: &[&Message]) -> Result<(), StoreError> {
        let Some(recent) = self.recent else { return Ok(()) };
        let said = messages.iter().filter(|message| message.kind == ItemKind::Message);
        // By thread: whether a message may have taken the place of one that was summed up.
        let mut threads: BTreeMap<&str, bool> = BTreeMap::new();
        for message in said {
            let Some(name) = message.thread.as_deref() else { continue };
            *threads.entry(name).or_default() |= message.id.is_some() || !message.supersedes.is_empty();
        }
        let space = writing.space_id();
        let mut jobs = Vec::new();
        for (name, replaces) in threads {
            let Some(thread) = writing.thread(space, name)? else { continue };
            if replaces || writing.has_old_messages(space, thread.id, recent + SPAN - 1)? {
                jobs.push(self.job(thread.id));
            }
        }
        writing.add_jobs(&jobs).map(drop)
    }

    /// Queues the thread of a message that was changed: its summary is made again.
    pub(crate) fn changed(self, writing: &mut Writing<'_>, thread: Option<i64>) -> Result<(), StoreError> {
        let (Some(thread), true) = (thread, self.recent.is_some()) else { return Ok(()) };
        writing.add_jobs(&[self.job(thread)]).map(drop)
    }

    /// Queues the space if summaries were forgotten with one of their messages.
    pub(crate) fn forgot(self, writing: &mut Writing<'_>, forgotten: &Forgotten) -> Result<(), StoreError> {
        if self.recent.is_none() || forgotten.summaries == 0 {
            return Ok(());
        }
        writing.add_jobs(&[self.job(WHOLE_SPACE)]).map(drop)
    }

    pub(crate) fn job(self, subject: i64) -> NewJob {
        NewJob { kind: SUMMARIES, subject, due_at: self.now }
    }
}
