//! The jobs of a space, as its writes see them: added in the transaction that makes the work, and ended in the one that stores its result.
//! Only who holds the space's row adds or removes a job: a write, or one of the two functions at the end, which make no revision.

use super::forget::ranges;
use super::queue::{make_queues, update_queues};
use super::spaces::hold_space;
use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COLUMNS: [&str; 10] =
    ["space_id", "kind", "subject", "state", "due_at", "lease", "attempts", "leases", "made_at", "error"];

pub(super) const WAITING: i64 = 0;
pub(super) const LEASED: i64 = 1;
pub(super) const DEAD: i64 = 2;

/// Subjects are looked up in ranges, which are read over gaps of at most this length.
const MAX_GAP: i64 = 512;

/// Work to be done later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewJob {
    pub kind: i64,
    /// An id of the space, such as that of an item; 0 for the whole space. Forgetting it removes the job.
    pub subject: i64,
    /// The earliest time at which the job may be taken.
    pub due_at: Timestamp,
}

/// The number of jobs of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueStatus {
    pub kind: i64,
    /// Those whose lease has expired count as waiting.
    pub waiting: u64,
    pub leased: u64,
    pub dead: u64,
    /// When the oldest of those that are not dead was added.
    pub oldest_made_at: Option<Timestamp>,
}

/// A job that is not tried again unless someone asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadJob {
    pub kind: i64,
    pub subject: i64,
    pub attempts: i64,
    pub error: Option<String>,
    pub made_at: Timestamp,
}

impl Reading<'_> {
    /// The jobs of a space, or of the whole store, by kind.
    pub fn queue_status(&mut self, space: Option<SpaceId>, now: Timestamp) -> Result<Vec<QueueStatus>, Error> {
        let of_space = if space.is_some() { "WHERE space_id = ?" } else { "" };
        let sql = format!(
            "SELECT kind, COUNT(CASE WHEN state = {WAITING} OR (state = {LEASED} AND due_at <= ?) THEN 1 END), \
             COUNT(CASE WHEN state = {LEASED} AND due_at > ? THEN 1 END), COUNT(CASE WHEN state = {DEAD} THEN 1 END), \
             MIN(CASE WHEN state <> {DEAD} THEN made_at END) FROM jobs {of_space} GROUP BY kind ORDER BY kind"
        );
        let mut values: Vec<Value> = vec![now.into(), now.into()];
        values.extend(space.map(Value::from));
        let rows = self.query(&sql, &values)?;
        let status = |row: &Row| {
            Ok(QueueStatus {
                kind: row.int(0)?,
                waiting: row.int(1)? as u64,
                leased: row.int(2)? as u64,
                dead: row.int(3)? as u64,
                oldest_made_at: row.optional_int(4)?.map(Timestamp::from_micros),
            })
        };
        rows.iter().map(status).collect()
    }

    /// The dead jobs of a space, by kind and subject.
    pub fn dead_jobs(&mut self, space: SpaceId, limit: usize) -> Result<Vec<DeadJob>, Error> {
        let sql = format!(
            "SELECT kind, subject, attempts, error, made_at FROM jobs WHERE space_id = ? AND state = {DEAD} \
             ORDER BY kind, subject LIMIT ?"
        );
        let rows = self.query(&sql, &[space.into(), Value::Int(limit as i64)])?;
        let dead = |row: &Row| {
            Ok(DeadJob {
                kind: row.int(0)?,
                subject: row.int(1)?,
                attempts: row.int(2)?,
                error: row.optional_text(3)?,
                made_at: row.time(4)?,
            })
        };
        rows.iter().map(dead).collect()
    }
}

impl Writing<'_> {
    /// Adds jobs, and revives dead ones as if they were new. Those that are already waiting or leased are skipped. Returns how
    /// many were added or revived.
    pub fn add_jobs(&mut self, jobs: &[NewJob]) -> Result<u64, Error> {
        // A space that this write has forgotten has no name by which a worker could be told of it.
        if self.space.name.is_empty() {
            return Ok(0);
        }
        let mut by_kind: BTreeMap<i64, BTreeMap<i64, Timestamp>> = BTreeMap::new();
        for job in jobs {
            by_kind.entry(job.kind).or_default().entry(job.subject).or_insert(job.due_at);
        }
        let mut added = 0;
        for (kind, mut due) in by_kind {
            self.skip_queued(kind, &mut due)?;
            self.insert_jobs(kind, &due)?;
            added += due.len() as u64;
        }
        Ok(added)
    }

    /// Ends jobs that this worker still holds, and returns their subjects, in order. The others were taken by another worker,
    /// cancelled or forgotten: what was done for them must not be stored.
    pub fn finish_jobs(&mut self, lease: Digest, kind: i64, subjects: &[i64]) -> Result<Vec<i64>, Error> {
        let space: Value = self.space.id.into();
        let asked: BTreeSet<i64> = subjects.iter().copied().collect();
        let mut held: BTreeSet<i64> = BTreeSet::new();
        let sql = format!(
            "SELECT kind, subject FROM {} WHERE lease = ? AND space_id = ?",
            self.dialect().by_index("jobs", "jobs_by_lease")
        );
        for row in self.query(&sql, &[lease.into(), space.clone()])? {
            if row.int(0)? == kind && asked.contains(&row.int(1)?) {
                held.insert(row.int(1)?);
            }
        }
        for (first, end) in ranges(held.clone().into_iter()) {
            let sql = "DELETE FROM jobs WHERE space_id = ? AND kind = ? AND subject >= ? AND subject < ? AND lease = ?";
            let ended = self.execute(sql, &[space.clone(), kind.into(), first.into(), end.into(), lease.into()])?;
            if ended == (end - first) as u64 {
                continue;
            }
            // Another worker took some of them since they were looked up, and has them now.
            let sql = "SELECT subject FROM jobs WHERE space_id = ? AND kind = ? AND subject >= ? AND subject < ?";
            for row in self.query(sql, &[space.clone(), kind.into(), first.into(), end.into()])? {
                held.remove(&row.int(0)?);
            }
        }
        if !held.is_empty() {
            self.space.changed_jobs.insert(kind);
        }
        // A subject that was given twice is returned once.
        Ok(subjects.iter().copied().filter(|subject| held.remove(subject)).collect())
    }

    /// Removes the jobs of this space, or those of one kind, whatever their state. Returns how many there were.
    pub fn cancel_jobs(&mut self, kind: Option<i64>) -> Result<u64, Error> {
        self.change_jobs("DELETE FROM jobs WHERE space_id = ? AND kind = ?", &[], kind)
    }

    /// Lets the dead jobs of this space, or those of one kind, be tried again. Returns how many there were.
    pub fn retry_dead_jobs(&mut self, kind: Option<i64>, now: Timestamp) -> Result<u64, Error> {
        let sql = format!(
            "UPDATE jobs SET state = {WAITING}, due_at = ?, attempts = 0, leases = 0, error = NULL \
             WHERE space_id = ? AND kind = ? AND state = {DEAD}"
        );
        self.change_jobs(&sql, &[now.into()], kind)
    }

    /// Removes the jobs that concern forgotten ids.
    pub(super) fn drop_jobs(&mut self, ids: &BTreeSet<i64>) -> Result<(), Error> {
        let ranges = ranges(ids.iter().copied());
        for kind in self.kinds_of_jobs()? {
            let mut dropped = 0;
            for (first, end) in &ranges {
                let sql = "DELETE FROM jobs WHERE space_id = ? AND kind = ? AND subject >= ? AND subject < ?";
                dropped += self.execute(sql, &[self.space.id.into(), kind.into(), (*first).into(), (*end).into()])?;
            }
            if dropped > 0 {
                self.space.changed_jobs.insert(kind);
            }
        }
        Ok(())
    }

    /// Brings the queues of the space up to date with the jobs that this write changed.
    pub(crate) fn update_queues(&mut self) -> Result<(), Error> {
        let changed = std::mem::take(&mut self.space.changed_jobs);
        if changed.is_empty() {
            return Ok(());
        }
        let space = self.space.id;
        make_queues(self.connection(), space.0, &changed)?;
        update_queues(self.connection(), space.0, &changed)
    }

    /// Takes jobs that are already queued out of the new ones, and removes dead ones so that they can be added again.
    fn skip_queued(&mut self, kind: i64, new: &mut BTreeMap<i64, Timestamp>) -> Result<(), Error> {
        let space: Value = self.space.id.into();
        let mut dead = Vec::new();
        for (first, end) in spans(new.keys().copied()) {
            let sql =
                "SELECT subject, state FROM jobs WHERE space_id = ? AND kind = ? AND subject >= ? AND subject < ?";
            for row in self.query(sql, &[space.clone(), kind.into(), first.into(), end.into()])? {
                let subject = row.int(0)?;
                if row.int(1)? != DEAD {
                    new.remove(&subject);
                } else if new.contains_key(&subject) {
                    dead.push(subject);
                }
            }
        }
        dead.sort_unstable();
        for (first, end) in ranges(dead.into_iter()) {
            let sql = "DELETE FROM jobs WHERE space_id = ? AND kind = ? AND subject >= ? AND subject < ?";
            self.execute(sql, &[space.clone(), kind.into(), first.into(), end.into()])?;
        }
        Ok(())
    }

    fn insert_jobs(&mut self, kind: i64, due: &BTreeMap<i64, Timestamp>) -> Result<(), Error> {
        if due.is_empty() {
            return Ok(());
        }
        let (space, made_at) = (self.space.id, self.space.recorded_at);
        let row = |(subject, due_at): (&i64, &Timestamp)| {
            vec![
                space.into(),
                kind.into(),
                (*subject).into(),
                Value::Int(WAITING),
                (*due_at).into(),
                Value::Null,
                Value::Int(0),
                Value::Int(0),
                made_at.into(),
                Value::Null,
            ]
        };
        let rows: Vec<Vec<Value>> = due.iter().map(row).collect();
        self.insert("jobs", &COLUMNS, &rows)?;
        self.space.changed_jobs.insert(kind);
        Ok(())
    }

    /// Runs a statement for a kind, or for every kind that the space has. It ends with the space and the kind.
    fn change_jobs(&mut self, sql: &str, first: &[Value], kind: Option<i64>) -> Result<u64, Error> {
        let kinds = kind.map_or_else(|| self.kinds_of_jobs(), |kind| Ok(BTreeSet::from([kind])))?;
        let mut changed = 0;
        for kind in kinds {
            let count = self.execute(sql, &[first, &[self.space.id.into(), kind.into()]].concat())?;
            if count > 0 {
                self.space.changed_jobs.insert(kind);
            }
            changed += count;
        }
        Ok(changed)
    }

    /// The kinds of jobs that the space may have.
    fn kinds_of_jobs(&mut self) -> Result<BTreeSet<i64>, Error> {
        // Jobs that this write added have no queue yet.
        let mut kinds = self.space.changed_jobs.clone();
        let space = self.space.id;
        for row in self.query("SELECT kind FROM queues WHERE space_id = ?", &[space.into()])? {
            kinds.insert(row.int(0)?);
        }
        Ok(kinds)
    }
}

/// Adds jobs to a space for work that only concerns derived data. Returns how many were added.
pub(crate) fn add_jobs(
    connection: &mut Connection,
    space: &SpaceName,
    jobs: &[NewJob],
    now: Timestamp,
) -> Result<u64, Error> {
    let Some(space) = hold_space(connection, space, now)? else { return Ok(0) };
    let mut writing = Writing::new(connection, space);
    let added = writing.add_jobs(jobs)?;
    writing.update_queues()?;
    Ok(added)
}

/// Ends such jobs, if the worker still holds them. Returns how many it held.
pub(crate) fn finish_jobs(
    connection: &mut Connection,
    space: &SpaceName,
    lease: Digest,
    kind: i64,
    subjects: &[i64],
) -> Result<u64, Error> {
    let Some(space) = hold_space(connection, space, Timestamp::from_micros(0))? else { return Ok(0) };
    let mut writing = Writing::new(connection, space);
    let held = writing.finish_jobs(lease, kind, subjects)?;
    writing.update_queues()?;
    Ok(held.len() as u64)
}

/// Ascending ids as few ranges, each with its end excluded.
fn spans(ids: impl Iterator<Item = i64>) -> Vec<(i64, i64)> {
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match spans.last_mut() {
            Some((_, end)) if id - *end <= MAX_GAP => *end = id + 1,
            _ => spans.push((id, id + 1)),
        }
    }
    spans
}
