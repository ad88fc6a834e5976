//! Forgetting what has come to its end: threads, items, and documents with a tag. One transaction for each of them, so that a process that
//! is killed leaves the rest to the next; and whoever comes second finds nothing left to do.

use crate::engine::Recordar;
use crate::summary::Summarising;
use recordar_core::error::Error;
use recordar_domain::{Hasher, OperationId, SpaceName, Timestamp};
use recordar_store::{CountedReceipts, ExpiryRow, ExpirySubject, Forgotten, Operation, Settled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Counts, without anything of what was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Expired {
    /// Threads whose end had come.
    pub threads: u64,
    /// Messages, facts and summaries whose own end had come.
    pub items: u64,
    /// Tags whose end had come.
    pub tags: u64,
    /// What was removed with them.
    pub forgotten: Forgotten,
}

/// Ends that are read at once.
const PAGE: usize = 500;

impl Expired {
    pub(crate) fn subjects(&self) -> u64 {
        self.threads + self.items + self.tags
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.threads += other.threads;
        self.items += other.items;
        self.tags += other.tags;
        self.forgotten.add(&other.forgotten);
    }

    fn add(&mut self, subject: &ExpirySubject, forgotten: &Forgotten) {
        match subject {
            ExpirySubject::Thread(_) => self.threads += 1,
            ExpirySubject::Item(_) => self.items += 1,
            ExpirySubject::Tag(_) => self.tags += 1,
        }
        self.forgotten.add(forgotten);
    }
}

/// The spaces in which something has come to its end.
pub(crate) fn spaces_due(memory: &Recordar) -> Result<Vec<SpaceName>, Error> {
    let now = (memory.clock)();
    let names = memory.store.read(|reading| reading.spaces_with_expiries(now))?;
    Ok(names.iter().map(|name| SpaceName::parse(name)).collect::<Result<Vec<_>, _>>()?)
}

/// Counts what `expire` would forget in a space. What two ends share is counted with each.
pub(crate) fn due(memory: &Recordar, space: &SpaceName) -> Result<Expired, Error> {
    let (now, counted) = ((memory.clock)(), counted(memory));
    Ok(memory.store.read(|reading| {
        let mut expired = Expired::default();
        let Some(id) = reading.space(space)?.map(|row| row.id) else { return Ok(expired) };
        for row in reading.expiries(id, now, usize::MAX >> 1)? {
            let mut forgotten = Forgotten::default();
            for target in reading.expiry_targets(id, &row.subject)? {
                forgotten.add(&reading.forgettable(id, &target, counted)?);
            }
            expired.add(&row.subject, &forgotten);
        }
        Ok(expired)
    })?)
}

/// Forgets what has come to its end in a space. The bytes are erased afterwards, by `Store::scrub`, once for all spaces.
pub(crate) fn expire(memory: &Recordar, space: &SpaceName, operation: &OperationId) -> Result<Expired, Error> {
    let mut expired = Expired::default();
    loop {
        let now = (memory.clock)();
        let rows = memory.store.read(|reading| match reading.space(space)? {
            Some(row) => reading.expiries(row.id, now, PAGE),
            None => Ok(Vec::new()),
        })?;
        let mut is_over = true;
        for row in &rows {
            // If it is none, another process has done it or has moved the end, or it went with another.
            if let Some(forgotten) = expire_one(memory, space, row, now, operation)? {
                expired.add(&row.subject, &forgotten);
                is_over = rows.len() < PAGE;
            }
        }
        if is_over {
            return Ok(expired);
        }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Done(Forgotten);

fn expire_one(
    memory: &Recordar,
    space: &SpaceName,
    row: &ExpiryRow,
    now: Timestamp,
    operation: &OperationId,
) -> Result<Option<Forgotten>, Error> {
    // By numbers: a digest of a tag would outlive it.
    let [kind, subject] = row.subject.number();
    let numbers = [kind, subject, row.changed, row.expires_at.as_micros()];
    let request = numbers.iter().fold(Hasher::default(), |hasher, number| hasher.field(number.to_le_bytes())).finish();
    let id = operation.part(&request.0);
    let operation = Operation { id: &id, kind: "expire", request };
    let counted = counted(memory);
    let count = |text: &str| memory.counter.count(text);
    let written = memory.store.write(space, &operation, now, |writing| {
        let is_due = match writing.is_new_space() {
            true => false,
            false => {
                let space_id = writing.space_id();
                writing.expiry(space_id, &row.subject)?.is_some_and(|here| here.expires_at <= now)
            }
        };
        if !is_due {
            return Ok(Settled::Abandon(None));
        }
        let forgotten = writing.expire(&row.subject, counted, &count)?;
        Summarising::of(memory, now).lost(writing)?;
        Ok(Settled::Commit(Some(Done(forgotten))))
    })?;
    Ok(written.value.filter(|_| !written.is_repeated).map(|Done(forgotten)| forgotten))
}

fn counted(memory: &Recordar) -> CountedReceipts {
    match memory.within {
        None => CountedReceipts::OfEverySpace,
        Some(_) => CountedReceipts::OfOwnSpace,
    }
}
