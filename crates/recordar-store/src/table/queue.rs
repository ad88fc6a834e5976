//! The queue of the whole store: who works on which jobs, and whose turn it is. None of this takes the row of a space, so a long
//! write keeps no worker waiting.
//!
//! Locks are taken in this order: the row of `queue` (or a space, by a write), then `jobs`, then `queues`. The row of a queue is locked before
//! its earliest job is looked up. So of several transactions that change its jobs the last one sees all of them, and `due_at` is never too
//! late. It may be too early, and is corrected when no due job is found.
//!
//! Statements that change jobs are written so that only one index suits them. Databases know nothing yet of jobs that were just added, and
//! would read a whole queue to change one job.

use super::forget::ranges;
use super::jobs::{DEAD, LEASED, WAITING};
use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COLUMNS: [&str; 4] = ["space_id", "kind", "last_turn", "due_at"];

/// The most jobs under one lease.
const MAX_LEASED: usize = 512;
/// The most spaces in one statement.
const MAX_SPACES: usize = 512;
const MAX_ERROR_CHARS: usize = 500;

/// What a worker asks for.
#[derive(Debug, Clone, Copy)]
pub struct LeaseRequest<'a> {
    /// A new random value: whoever knows it holds the jobs.
    pub lease: Digest,
    pub now: Timestamp,
    /// When the lease expires unless it is renewed.
    pub until: Timestamp,
    /// The most jobs to take; never more than 512.
    pub most: usize,
    /// How often a job may be taken by workers that end without reporting anything, before it is dead.
    pub max_leases: i64,
    /// Only jobs of these spaces.
    pub spaces: Option<&'a [SpaceName]>,
}

/// Jobs of one kind and one space that a worker now holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedJobs {
    pub space: SpaceName,
    pub kind: i64,
    pub jobs: Vec<LeasedJob>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeasedJob {
    pub subject: i64,
    /// How often it has failed.
    pub attempts: i64,
    pub made_at: Timestamp,
}

/// A job that a worker gives back unfinished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleasedJob {
    pub subject: i64,
    pub outcome: Release,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Release {
    /// It was not tried.
    Later { due_at: Timestamp },
    /// It failed, and is to be tried again.
    Failed { due_at: Timestamp, error: String },
    /// It failed, and is not to be tried again.
    Dead { error: String },
}

/// The two things that happen to a due job.
const TAKE: &str = "state = ?, lease = ?, due_at = ?, leases = leases + 1";
const BURY: &str = "state = ?, lease = NULL, due_at = NULL, error = ?";

/// A queue that may have a job that is due now.
struct DueQueue {
    now: Timestamp,
    space_id: i64,
    kind: i64,
    name: String,
    last_turn: i64,
}

impl Reading<'_> {
    /// Whether a job of these kinds may be due. Locks nothing.
    pub(crate) fn has_due_queue(&mut self, kinds: &[i64], now: Timestamp) -> Result<bool, Error> {
        let (places, mut values) = listed_kinds(kinds);
        values.push(now.into());
        let sql = format!("SELECT space_id FROM queues WHERE kind IN ({places}) AND due_at <= ? LIMIT 1");
        Ok(self.query_one(&sql, &values)?.is_some())
    }
}

/// Takes due jobs of one kind and one space: that space whose last turn was longest ago. Also returns whether anything was
/// written.
pub(crate) fn lease_jobs(
    connection: &mut Connection,
    kinds: &[i64],
    request: &LeaseRequest<'_>,
) -> Result<(Option<LeasedJobs>, bool), Error> {
    let turn = take_turn(connection)?;
    if let Some(leased) = held_jobs(connection, request.lease)? {
        // These jobs were already taken, and the reply was lost.
        return Ok((Some(leased), false));
    }
    let mut is_changed = false;
    // Ends, since a queue without a job to take is no longer due when it has been updated.
    while let Some(due) = next_queue(connection, kinds, request)? {
        is_changed = true;
        let jobs = take_jobs(connection, &due, request)?;
        let DueQueue { space_id, kind, name, .. } = due;
        if !jobs.is_empty() {
            record_turn(connection, space_id, turn)?;
        }
        update_queues(connection, space_id, &BTreeSet::from([kind]))?;
        if !jobs.is_empty() {
            return Ok((Some(LeasedJobs { space: space_name(&name)?, kind, jobs }), true));
        }
    }
    Ok((None, is_changed))
}

/// Prolongs a lease. False if none of its jobs is left.
pub(crate) fn renew_lease(
    connection: &mut Connection,
    lease: Digest,
    space: &SpaceName,
    until: Timestamp,
) -> Result<bool, Error> {
    let Some(space_id) = space_id(connection, space)? else { return Ok(false) };
    // Never sooner, so that no queue has to be updated.
    let sql = format!(
        "UPDATE {} SET due_at = CASE WHEN due_at < ? THEN ? ELSE due_at END WHERE lease = ? AND space_id = ?",
        connection.dialect().by_index("jobs", "jobs_by_lease")
    );
    Ok(connection.execute(&sql, &[until.into(), until.into(), lease.into(), space_id.into()])? > 0)
}

/// Gives jobs back that the worker still holds, and returns how many those were.
pub(crate) fn release_jobs(
    connection: &mut Connection,
    lease: Digest,
    space: &SpaceName,
    released: &[ReleasedJob],
) -> Result<u64, Error> {
    let Some(space_id) = space_id(connection, space)? else { return Ok(0) };
    let outcomes: BTreeMap<i64, &Release> = released.iter().map(|job| (job.subject, &job.outcome)).collect();
    let sql = format!(
        "SELECT kind, subject FROM {} WHERE lease = ? AND space_id = ? ORDER BY kind, subject",
        connection.dialect().by_index("jobs", "jobs_by_lease")
    );
    let held = connection.query(&sql, &[lease.into(), space_id.into()])?;
    let mut count = 0;
    let mut changed = BTreeSet::new();
    for row in held {
        let (kind, subject) = (row.int(0)?, row.int(1)?);
        let Some(outcome) = outcomes.get(&subject) else { continue };
        // A job that is given back does not count among those whose worker never reported.
        let (state, due_at, failures, error) = match outcome {
            Release::Later { due_at } => (WAITING, Some(*due_at), 0, None),
            Release::Failed { due_at, error } => (WAITING, Some(*due_at), 1, Some(shortened(error))),
            Release::Dead { error } => (DEAD, None, 1, Some(shortened(error))),
        };
        let sql = "UPDATE jobs SET state = ?, due_at = ?, attempts = attempts + ?, error = COALESCE(?, error), \
             leases = leases - 1, lease = NULL WHERE lease = ? AND space_id = ? AND subject = ?";
        let values = [
            state.into(),
            due_at.into(),
            Value::Int(failures),
            error.into(),
            lease.into(),
            space_id.into(),
            subject.into(),
        ];
        count += connection.execute(sql, &values)?;
        changed.insert(kind);
    }
    update_queues(connection, space_id, &changed)?;
    Ok(count)
}

/// Sets the time at which the queues of these kinds are due to that of their earliest jobs. Locks them in order.
pub(super) fn update_queues(connection: &mut Connection, space_id: i64, kinds: &BTreeSet<i64>) -> Result<(), Error> {
    for kind in kinds {
        let key: [Value; 2] = [space_id.into(), (*kind).into()];
        lock_queue(connection, &key)?;
        let sql = format!(
            "SELECT due_at FROM {} WHERE space_id = ? AND kind = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT 1",
            connection.dialect().by_index("jobs", "jobs_by_due")
        );
        let due_at = connection.query(&sql, &key)?.first().map(|row| row.int(0)).transpose()?;
        let has_jobs = due_at.is_some()
            || !connection.query("SELECT subject FROM jobs WHERE space_id = ? AND kind = ? LIMIT 1", &key)?.is_empty();
        if has_jobs {
            let sql = "UPDATE queues SET due_at = ? WHERE space_id = ? AND kind = ?";
            connection.execute(sql, &[due_at.into(), space_id.into(), (*kind).into()])?;
        } else {
            connection.execute("DELETE FROM queues WHERE space_id = ? AND kind = ?", &key)?;
        }
    }
    Ok(())
}

/// Makes the queues that are missing. Only a write may do so: no other is making them at the same time.
pub(super) fn make_queues(connection: &mut Connection, space_id: i64, kinds: &BTreeSet<i64>) -> Result<(), Error> {
    for kind in kinds {
        if !lock_queue(connection, &[space_id.into(), (*kind).into()])? {
            // At the end of the line, or a space could come first each time by running out of jobs.
            let turn = current_turn(connection)?;
            let row = vec![space_id.into(), (*kind).into(), turn.into(), Value::Null];
            connection.insert("queues", &COLUMNS, &[row])?;
        }
    }
    Ok(())
}

/// True if there is such a queue.
fn lock_queue(connection: &mut Connection, key: &[Value; 2]) -> Result<bool, Error> {
    Ok(connection.execute("UPDATE queues SET due_at = due_at WHERE space_id = ? AND kind = ?", key)? > 0)
}

/// Workers that take jobs queue at this row.
fn take_turn(connection: &mut Connection) -> Result<i64, Error> {
    connection.execute("UPDATE queue SET turn = turn + 1 WHERE id = 1", &[])?;
    current_turn(connection)
}

/// For every kind of its jobs: it is the space that had its turn. Locks the queues in order, as all do.
fn record_turn(connection: &mut Connection, space_id: i64, turn: i64) -> Result<(), Error> {
    for row in connection.query("SELECT kind FROM queues WHERE space_id = ? ORDER BY kind", &[space_id.into()])? {
        let sql = "UPDATE queues SET last_turn = ? WHERE space_id = ? AND kind = ?";
        connection.execute(sql, &[turn.into(), space_id.into(), row.int(0)?.into()])?;
    }
    Ok(())
}

fn current_turn(connection: &mut Connection) -> Result<i64, Error> {
    let rows = connection.query("SELECT turn FROM queue WHERE id = 1", &[])?;
    rows.first().ok_or_else(|| Error::Corrupt { what: "the queue row is missing".to_owned() })?.int(0)
}

/// The due queue whose space was served longest ago.
fn next_queue(
    connection: &mut Connection,
    kinds: &[i64],
    request: &LeaseRequest<'_>,
) -> Result<Option<DueQueue>, Error> {
    let Some(spaces) = request.spaces else { return first_queue(connection, kinds, request.now, &[]) };
    let mut first: Option<DueQueue> = None;
    for batch in spaces.chunks(MAX_SPACES) {
        let found = first_queue(connection, kinds, request.now, batch)?;
        first = first.into_iter().chain(found).min_by_key(|queue| (queue.last_turn, queue.space_id));
    }
    Ok(first)
}

/// The same among a batch of spaces, or among all if none is given.
fn first_queue(
    connection: &mut Connection,
    kinds: &[i64],
    now: Timestamp,
    spaces: &[SpaceName],
) -> Result<Option<DueQueue>, Error> {
    let (places, mut values) = listed_kinds(kinds);
    values.push(now.into());
    values.extend(spaces.iter().map(|space| Value::from(space.digest())));
    let of_spaces = match spaces.len() {
        0 => String::new(),
        count => format!("AND spaces.name_hash IN ({})", vec!["?"; count].join(", ")),
    };
    let sql = format!(
        "SELECT queues.space_id, queues.kind, spaces.name, queues.last_turn \
         FROM queues JOIN spaces ON spaces.space_id = queues.space_id \
         WHERE queues.kind IN ({places}) AND queues.due_at <= ? {of_spaces} \
         ORDER BY queues.last_turn, queues.space_id, queues.due_at, queues.kind LIMIT 1"
    );
    let queue = |row: &Row| {
        Ok(DueQueue { now, space_id: row.int(0)?, kind: row.int(1)?, name: row.text(2)?, last_turn: row.int(3)? })
    };
    connection.query(&sql, &values)?.first().map(queue).transpose()
}

/// Takes the jobs of a queue that were due first. None if there are none.
fn take_jobs(
    connection: &mut Connection,
    queue: &DueQueue,
    request: &LeaseRequest<'_>,
) -> Result<Vec<LeasedJob>, Error> {
    let most = request.most.min(MAX_LEASED);
    loop {
        let due = due_jobs(connection, queue, most)?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let (lost, usable): (Vec<_>, Vec<_>) = due.into_iter().partition(|(_, leases)| *leases >= request.max_leases);
        for (subject, leases) in lost {
            let times = if leases == 1 { "once".to_owned() } else { format!("{leases} times") };
            let error = format!("its worker ended {times} while doing it");
            change_due_jobs(connection, queue, &[subject], BURY, &[DEAD.into(), error.into()])?;
        }
        let chosen = choose(&usable, request.max_leases);
        if chosen.is_empty() {
            continue;
        }
        change_due_jobs(
            connection,
            queue,
            &chosen,
            TAKE,
            &[LEASED.into(), request.lease.into(), request.until.into()],
        )?;
        // Some may have been ended, forgotten or renewed in between.
        let mut held = held_jobs(connection, request.lease)?.map_or_else(Vec::new, |held| held.jobs);
        if !held.is_empty() {
            held.sort_by_key(|job| chosen.iter().position(|subject| *subject == job.subject));
            return Ok(held);
        }
    }
}

/// The subjects of due jobs, in their order, and how often each was taken without a word.
fn due_jobs(connection: &mut Connection, queue: &DueQueue, most: usize) -> Result<Vec<(i64, i64)>, Error> {
    let sql = format!(
        "SELECT subject, leases FROM {} WHERE space_id = ? AND kind = ? AND due_at <= ? ORDER BY due_at, subject LIMIT ?",
        connection.dialect().by_index("jobs", "jobs_by_due")
    );
    let values = [queue.space_id.into(), queue.kind.into(), queue.now.into(), Value::Int(most as i64)];
    connection.query(&sql, &values)?.iter().map(|row| Ok((row.int(0)?, row.int(1)?))).collect()
}

/// The jobs to take together. One on its last chance is taken alone: if it is what ends the workers, it must not take
/// others with it.
fn choose(jobs: &[(i64, i64)], max_leases: i64) -> Vec<i64> {
    let is_last_chance = |leases: i64| leases > 0 && leases + 1 >= max_leases;
    match jobs.first() {
        Some((subject, leases)) if is_last_chance(*leases) => vec![*subject],
        _ => jobs.iter().filter(|(_, leases)| !is_last_chance(*leases)).map(|(subject, _)| *subject).collect(),
    }
}

/// Changes those of the jobs that are still due.
fn change_due_jobs(
    connection: &mut Connection,
    queue: &DueQueue,
    subjects: &[i64],
    change: &str,
    values: &[Value],
) -> Result<(), Error> {
    // By their subjects, not by the time: that would read every due job. MariaDB would lock them as well, and wait for those that a
    // write is just adding.
    let jobs = connection.dialect().by_index("jobs", "PRIMARY");
    let sql = format!(
        "UPDATE {jobs} SET {change} WHERE space_id = ? AND kind = ? AND subject >= ? AND subject < ? AND +due_at <= ?"
    );
    let subjects: BTreeSet<i64> = subjects.iter().copied().collect();
    for (first, end) in ranges(subjects.into_iter()) {
        let these = [queue.space_id.into(), queue.kind.into(), first.into(), end.into(), queue.now.into()];
        connection.execute(&sql, &[values, &these].concat())?;
    }
    Ok(())
}

/// The jobs under a lease.
fn held_jobs(connection: &mut Connection, lease: Digest) -> Result<Option<LeasedJobs>, Error> {
    let sql = format!(
        "SELECT space_id, kind, subject, attempts, made_at FROM {} WHERE lease = ? ORDER BY subject",
        connection.dialect().by_index("jobs", "jobs_by_lease")
    );
    let rows = connection.query(&sql, &[lease.into()])?;
    let Some(first) = rows.first() else { return Ok(None) };
    let job = |row: &Row| Ok(LeasedJob { subject: row.int(2)?, attempts: row.int(3)?, made_at: row.time(4)? });
    let jobs = rows.iter().map(job).collect::<Result<_, Error>>()?;
    let names = connection.query("SELECT name FROM spaces WHERE space_id = ?", &[first.int(0)?.into()])?;
    let name = names.first().map_or_else(|| Ok(String::new()), |row| row.text(0))?;
    Ok(Some(LeasedJobs { space: space_name(&name)?, kind: first.int(1)?, jobs }))
}

/// The parameters for kinds in an `IN`, and their values.
fn listed_kinds(kinds: &[i64]) -> (String, Vec<Value>) {
    (vec!["?"; kinds.len()].join(", "), kinds.iter().copied().map(Value::Int).collect())
}

fn space_id(connection: &mut Connection, space: &SpaceName) -> Result<Option<i64>, Error> {
    let rows = connection.query("SELECT space_id FROM spaces WHERE name_hash = ?", &[space.digest().into()])?;
    rows.first().map(|row| row.int(0)).transpose()
}

fn space_name(name: &str) -> Result<SpaceName, Error> {
    SpaceName::parse(name).map_err(|_| Error::Corrupt { what: "a job belongs to a space without a name".to_owned() })
}

/// An error as it is stored. Not every database takes a NUL character.
fn shortened(error: &str) -> String {
    error.chars().filter(|c| *c != '\0').take(MAX_ERROR_CHARS).collect()
}
