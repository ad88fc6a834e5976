//! The store: opening, connections, and the retry loop for transactions.

use crate::commit::{Ended, commit_alone, commit_together};
use crate::driver::{Connection, Mode};
use crate::error::{Error, from_failure};
use crate::failure::{Failure, FailureKind};
use crate::migrate::migrate;
use crate::pool::{CANCEL_CHECK_INTERVAL, Lease, Pool, PooledConnection};
use crate::table::{
    Amount, DaySpending, KeyRow, LeaseRequest, LeasedJobs, NewEmbedder, NewJob, NewReservation, NewSegment, NewVectors,
    ReceiptRow, ReceiptSource, ReleasedJob, SearchedSpace, VocabularyChange,
};
use crate::transaction::{Operation, Reading, Settled, Writing, Written};
use crate::url::DatabaseUrl;
use recordar_domain::{Cancel, Digest, Invalid, SpaceName, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Clone)]
pub struct StoreOptions {
    pub url: DatabaseUrl,
    /// How long to wait for a lock held by another process.
    pub busy_timeout: Duration,
    /// The number of connections for reading; on a server, the same number for writing.
    pub connections: usize,
    /// How often a lost connection or a conflict is retried before it becomes an error.
    pub attempts: u32,
}

impl StoreOptions {
    pub fn new(url: DatabaseUrl) -> Self {
        Self { url, busy_timeout: Duration::from_secs(15), connections: 4, attempts: 7 }
    }
}

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
    cancel: Cancel,
}

struct Shared {
    options: StoreOptions,
    writers: Pool,
    readers: Pool,
    schema: Mutex<Option<i64>>,
    /// Keeps a database in RAM while the pools have no connection to it.
    anchor: Mutex<Option<Connection>>,
    /// Whether a missing database is created when it is needed.
    creates: AtomicBool,
}

/// How often something was tried, and since when.
struct Tries {
    started: Instant,
    attempts: u32,
}

/// Kinds of writes whose size is not that of a message: on SQLite, they do not share a commit with others, which would wait for them.
const LONG_WRITES: [&str; 8] = ["ingest", "import", "forget", "expire", "prune", "classify", "tree", "enrich"];

/// How many databases in RAM this process has opened.
static IN_MEMORY: AtomicU64 = AtomicU64::new(0);

/// The state of the database, for `doctor`.
#[derive(Debug, Clone)]
pub struct Health {
    pub schema: i64,
    pub findings: Vec<String>,
}

impl Store {
    /// Opens the database, creates it if there is none, and brings its schema up to date. An error says which part failed and what to try.
    pub fn open(options: StoreOptions) -> Result<Self, Error> {
        let store = Self::closed(options);
        store.create()?;
        Ok(store)
    }

    /// Opens the database if there is one. If there is none, nothing is created until `create` is called, and whatever needs the
    /// database before that fails with `NoDatabase`.
    pub fn open_existing(options: StoreOptions) -> Result<Self, Error> {
        let store = Self::closed(options);
        match store.with_retries(&store.shared.writers, |_| Ok(())) {
            Ok(()) | Err(Error::NoDatabase { .. }) => Ok(store),
            Err(error) => Err(error),
        }
    }

    /// Makes sure that there is a database, and creates one if necessary.
    pub fn create(&self) -> Result<(), Error> {
        self.shared.creates.store(true, Ordering::Relaxed);
        let is_open = self.shared.schema.lock().map_or(None, |schema| *schema).is_some();
        if is_open { Ok(()) } else { self.with_retries(&self.shared.writers, |_| Ok(())) }
    }

    fn closed(mut options: StoreOptions) -> Self {
        options.url = options.url.numbered(IN_MEMORY.fetch_add(1, Ordering::Relaxed));
        let writers = if options.url.is_server() { options.connections } else { 1 };
        // A database in RAM is a new one each time.
        let creates = AtomicBool::new(options.url.is_in_memory());
        let shared = Shared {
            writers: Pool::new(writers.max(1)),
            readers: Pool::new(options.connections.max(1)),
            options,
            schema: Mutex::new(None),
            anchor: Mutex::new(None),
            creates,
        };
        Self { shared: Arc::new(shared), cancel: Cancel::default() }
    }

    /// The same store for calls that can be cancelled. A cancelled call commits nothing.
    pub fn cancelled_by(&self, cancel: Cancel) -> Self {
        Self { shared: Arc::clone(&self.shared), cancel }
    }

    pub fn url(&self) -> &DatabaseUrl {
        &self.shared.options.url
    }

    /// Waits until no connection is in use, closes all, and hands out no new ones until `resume`: required before a process
    /// forks. False on a timeout; nothing is paused then.
    pub fn pause(&self, patience: Duration) -> bool {
        let Shared { writers, readers, .. } = &*self.shared;
        if !writers.pause(patience) {
            return false;
        }
        let is_paused = readers.pause(patience);
        if !is_paused {
            writers.resume();
        }
        is_paused
    }

    pub fn resume(&self) {
        self.shared.readers.resume();
        self.shared.writers.resume();
    }

    /// Reads from one moment of the database.
    pub fn read<T>(&self, mut body: impl FnMut(&mut Reading<'_>) -> Result<T, Error>) -> Result<T, Error> {
        self.with_retries(&self.shared.readers, |connection| {
            connection.begin(Mode::Read)?;
            let result = body(&mut Reading::cancelled_by(connection, &self.cancel));
            connection.rollback()?;
            result
        })
    }

    /// Writes to one space in one transaction, once: repeating an operation id returns the first result. It is on the disk when this
    /// returns; on SQLite, writes of several threads may share the commit.
    ///
    /// The body may run several times, each time in a new transaction, when a connection is lost, writers conflict, or the commit was
    /// shared with a write that failed. It must have no side effects.
    pub fn write<T: Serialize + DeserializeOwned>(
        &self,
        space: &SpaceName,
        operation: &Operation<'_>,
        now: Timestamp,
        mut body: impl FnMut(&mut Writing<'_>) -> Result<Settled<T>, Error>,
    ) -> Result<Written<T>, Error> {
        let is_long = LONG_WRITES.contains(&operation.kind);
        let written = self.commit(is_long, |connection| {
            crate::write::write(connection, space, operation, now, &self.cancel, &mut body)
        });
        if let Err(error) = &written
            && !error.is_yours()
        {
            self.record_failure(space, operation, now, error);
        }
        written
    }

    /// Keeps the receipt of a recall with the items it names, unless something was forgotten in a space since the search.
    /// It makes no revision. True if it was kept.
    pub fn keep_receipt(
        &self,
        space: &SpaceName,
        receipt: &ReceiptRow,
        sources: &[ReceiptSource],
        searched: &[SearchedSpace],
    ) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::keep_receipt(connection, space, receipt, sources, searched))
    }

    /// Keeps an index segment of a space, unless something was forgotten there since it was built. It makes no
    /// revision. True if it was kept.
    pub fn keep_segment(&self, space: &SpaceName, segment: &NewSegment<'_>) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::keep_segment(connection, space, segment))
    }

    /// Keeps vectors of items that are still there with the same text. It makes no revision. Returns how many were kept.
    pub fn keep_vectors(&self, space: &SpaceName, vectors: &NewVectors<'_>) -> Result<u64, Error> {
        self.count_bookkeeping(|connection| crate::table::keep_vectors(connection, space, vectors))
    }

    /// Reserves the maximum cost of a model call, if the caller allows it on top of the day's spending: that of the store, and that of the
    /// account. Concurrent calls queue here, so that two cannot reserve the same amount. True if it was reserved.
    pub fn reserve_spending(
        &self,
        reservation: &NewReservation<'_>,
        mut is_allowed: impl FnMut(DaySpending, DaySpending) -> bool,
    ) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::reserve_spending(connection, reservation, &mut is_allowed))
    }

    /// Adds an API key. An error if its name is that of a key which is not revoked.
    pub fn add_key(&self, key: &KeyRow) -> Result<(), Error> {
        let is_new = self.write_bookkeeping(|connection| crate::table::add_key(connection, key))?;
        if is_new { Ok(()) } else { self.check_cancelled() }
    }

    /// Revokes an API key, by its id or its name. Revoking it again changes nothing.
    pub fn revoke_key(&self, named: &str, now: Timestamp) -> Result<KeyRow, Error> {
        let mut revoked = None;
        let is_written = self.write_bookkeeping(|connection| {
            let (key, is_changed) = crate::table::revoke_key(connection, named, now)?;
            revoked = Some(key);
            Ok(is_changed)
        })?;
        if !is_written {
            self.check_cancelled()?;
        }
        revoked.ok_or(Error::Cancelled)
    }

    /// Records when an API key was last used. It makes no revision.
    pub fn note_key_use(&self, id: &str, now: Timestamp) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::note_key_use(connection, id, now))
    }

    /// Replaces the reservation of a call with its actual cost.
    pub fn settle_spending(&self, reservation: Digest, day: i64, spent: Amount) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::settle_spending(connection, reservation, day, spent))
    }

    /// Adds a row to the history of the vocabulary: `decide` gets the history and makes the next row.
    pub fn change_vocabulary(
        &self,
        mut decide: impl FnMut(&[VocabularyChange]) -> Result<VocabularyChange, Invalid>,
    ) -> Result<VocabularyChange, Error> {
        let mut made = None;
        self.write_bookkeeping(|connection| {
            made = Some(crate::table::change_vocabulary(connection, &mut decide)?);
            Ok(true)
        })?;
        made.ok_or(Error::Cancelled)
    }

    /// Records that all labels follow a change of the vocabulary.
    pub fn end_backfill(&self, number: i64) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::end_backfill(connection, number))
    }

    /// Records that the store is to be moved to another embedder. `first` is the hash of the one that a store has which was never moved.
    /// False if it has that embedder, or is already being moved to it.
    pub fn begin_reembedding(&self, wanted: &NewEmbedder<'_>, first: Digest) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::begin_reembedding(connection, wanted, first))
    }

    /// Lets a store without items use an embedder from the start. False if it has items, or was ever moved to one.
    pub fn adopt_embedder(&self, wanted: &NewEmbedder<'_>) -> Result<bool, Error> {
        if !self.read(|reading| reading.has_no_items())? {
            return Ok(false);
        }
        self.write_bookkeeping(|connection| crate::table::adopt_embedder(connection, wanted))
    }

    /// Records that every space has its job. False if that is no longer what is waited for.
    pub fn end_queueing(&self, number: i64) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::end_queueing(connection, number))
    }

    /// Lets the store be searched with the embedder it is being moved to, unless jobs of this kind are left. True if that changed.
    pub fn end_moving(&self, number: i64, kind: i64) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::end_moving(connection, number, kind))
    }

    /// Records that segments of other embedders are gone.
    pub fn end_settling(&self, number: i64) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::end_settling(connection, number))
    }

    /// Drops the segments and vectors of a space that are neither of the store's embedder nor of the one it is being moved to.
    pub fn drop_old_segments(&self, space: &SpaceName) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::drop_old_segments(connection, space))
    }

    /// Adds jobs to a space outside of a write. It makes no revision, so the jobs must concern derived data only. Returns how many were added.
    pub fn add_jobs(&self, space: &SpaceName, jobs: &[NewJob], now: Timestamp) -> Result<u64, Error> {
        self.count_bookkeeping(|connection| crate::table::add_jobs(connection, space, jobs, now))
    }

    /// Ends such jobs. Returns how many of them the worker still held.
    pub fn finish_jobs(&self, space: &SpaceName, lease: Digest, kind: i64, subjects: &[i64]) -> Result<u64, Error> {
        self.count_bookkeeping(|connection| crate::table::finish_jobs(connection, space, lease, kind, subjects))
    }

    /// Takes due jobs for a worker, all of one kind and one space. Spaces take turns, so that one with many jobs does not keep the others
    /// waiting. It makes no revision. None if nothing is due.
    pub fn lease_jobs(&self, kinds: &[i64], request: &LeaseRequest<'_>) -> Result<Option<LeasedJobs>, Error> {
        // Looked up without a lock first: workers that look for jobs and find none must not hold up writers.
        if kinds.is_empty() || request.most == 0 || !self.read(|reading| reading.has_due_queue(kinds, request.now))? {
            return Ok(None);
        }
        let mut leased = None;
        let is_written = self.write_bookkeeping(|connection| {
            let (jobs, is_changed) = crate::table::lease_jobs(connection, kinds, request)?;
            leased = jobs;
            Ok(is_changed)
        })?;
        if !is_written {
            self.check_cancelled()?;
        }
        Ok(leased)
    }

    /// Prolongs the lease of a worker that is still busy. False if it holds no job any more.
    pub fn renew_lease(&self, lease: Digest, space: &SpaceName, until: Timestamp) -> Result<bool, Error> {
        self.write_bookkeeping(|connection| crate::table::renew_lease(connection, lease, space, until))
    }

    /// Gives back jobs that a worker did not finish. Those it no longer holds are skipped. Returns how many it still held.
    pub fn release_jobs(&self, lease: Digest, space: &SpaceName, released: &[ReleasedJob]) -> Result<u64, Error> {
        self.count_bookkeeping(|connection| crate::table::release_jobs(connection, lease, space, released))
    }

    /// Writes derived data that is counted, and rolls back if there is none.
    fn count_bookkeeping(&self, mut body: impl FnMut(&mut Connection) -> Result<u64, Error>) -> Result<u64, Error> {
        let mut count = 0;
        let is_written = self.write_bookkeeping(|connection| {
            count = body(connection)?;
            Ok(count > 0)
        })?;
        if !is_written {
            self.check_cancelled()?;
        }
        Ok(count)
    }

    /// Writes derived data, and rolls it back if the body says so.
    fn write_bookkeeping(&self, mut body: impl FnMut(&mut Connection) -> Result<bool, Error>) -> Result<bool, Error> {
        self.commit(false, |connection| {
            let is_kept = body(connection)? && !self.cancel.is_cancelled();
            Ok(Ended { value: is_kept, is_kept })
        })
    }

    /// Records a failed operation, for look-ups. This may fail as well, and is then ignored.
    fn record_failure(&self, space: &SpaceName, operation: &Operation<'_>, now: Timestamp, error: &Error) {
        if matches!(
            error,
            Error::Full { .. }
                | Error::ReadOnly { .. }
                | Error::Denied { .. }
                | Error::Lost { .. }
                | Error::Connect { .. }
                | Error::Busy { .. }
                | Error::Cancelled
        ) {
            return;
        }
        // Only the code: a database's own messages differ, and may quote the data.
        let code = error.code();
        let _ = self.commit(false, |connection| crate::write::record_failure(connection, space, operation, now, code));
    }

    /// Makes sure that forgotten bytes are gone from the files. True if that could be done and verified.
    pub fn scrub(&self) -> Result<bool, Error> {
        // Idle readers hold no snapshot, but only a closed one surely does not hold the log open.
        self.shared.readers.close_idle();
        self.with_retries(&self.shared.writers, |connection| Ok(connection.scrub()?))
    }

    /// How many writes wait for a connection, for tests of what happens when some do.
    #[doc(hidden)]
    pub fn waiting_writes(&self) -> usize {
        self.shared.writers.waiting()
    }

    pub fn health(&self) -> Result<Health, Error> {
        let findings = self.with_retries(&self.shared.readers, |connection| Ok(connection.check()?))?;
        let schema = self.shared.schema.lock().map_or(None, |schema| *schema).unwrap_or(0);
        Ok(Health { schema, findings })
    }

    /// Runs a write and commits it, on SQLite together with those of other threads.
    fn commit<T>(
        &self,
        is_long: bool,
        mut body: impl FnMut(&mut Connection) -> Result<Ended<T>, Error>,
    ) -> Result<T, Error> {
        let pool = &self.shared.writers;
        self.retrying(pool, || {
            // In RAM there is no disk to wait for, and an open transaction blocks readers. A long write would keep the others waiting.
            if self.url().is_file() && !is_long {
                let (lease, connection) = self.lease(pool, Some)?;
                if let Some(value) = commit_together(lease, connection, &mut body)? {
                    return Ok(value);
                }
            }
            let (lease, connection) = self.lease(pool, PooledConnection::settled)?;
            commit_alone(lease, connection, &mut body)
        })
    }

    /// Runs a step on a connection that has no open transaction.
    fn with_retries<T>(
        &self,
        pool: &Pool,
        mut step: impl FnMut(&mut Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.retrying(pool, || {
            let (lease, mut connection) = self.lease(pool, PooledConnection::settled)?;
            let result = step(&mut connection.connection);
            // A failed connection is dropped: its transaction ends with it.
            if !matches!(&result, Err(Error::Failed(_))) {
                lease.put_back(connection);
            }
            result
        })
    }

    /// Waits for a connection: an idle one, if `prepare` lets it be used, or a new one. Dropped before the lease, if it is not put back.
    fn lease<'a>(
        &self,
        pool: &'a Pool,
        prepare: impl FnOnce(PooledConnection) -> Option<PooledConnection>,
    ) -> Result<(Lease<'a>, PooledConnection), Error> {
        let lease = pool.lease(self.shared.options.busy_timeout, &self.cancel);
        self.check_cancelled()?;
        let no_lease = || Failure::new(FailureKind::Busy, "other threads kept all connections in use").finally();
        let mut lease = lease.ok_or_else(no_lease)?;
        let connection = match lease.take().and_then(prepare) {
            Some(idle) => idle,
            None => PooledConnection::new(self.connect()?),
        };
        Ok((lease, connection))
    }

    /// Repeats an attempt after a transient failure, waiting longer each time.
    fn retrying<T>(&self, pool: &Pool, mut attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        let mut tries = Tries { started: Instant::now(), attempts: 1 };
        loop {
            self.check_cancelled()?;
            match attempt() {
                Err(Error::Failed(failure)) => self.before_next(pool, failure, &mut tries)?,
                settled => return settled,
            }
        }
    }

    /// Waits before the next attempt, or ends with the error. Not generic, so that it is compiled once.
    fn before_next(&self, pool: &Pool, failure: Failure, tries: &mut Tries) -> Result<(), Error> {
        // Processes that lost the same server together must not reconnect together.
        let seed = u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (options, waited) = (&self.shared.options, tries.started.elapsed());
        // SQLite does not always wait, for example while another process creates the file.
        if failure.kind == FailureKind::Busy && !failure.is_final && waited < options.busy_timeout {
            self.wait(backoff(1, seed));
            return Ok(());
        }
        if !failure.may_be_repeated() || tries.attempts >= options.attempts {
            return Err(match from_failure(failure, &options.url.to_string(), tries.attempts, waited.as_millis()) {
                Error::Denied { target, what, .. } => Error::Denied { target, what, remedy: options.url.grant() },
                error => error,
            });
        }
        if failure.kind == FailureKind::Lost {
            // Idle connections are probably lost as well.
            pool.close_idle();
        }
        self.wait(backoff(tries.attempts, seed));
        tries.attempts += 1;
        Ok(())
    }

    /// Waits, unless the call is cancelled.
    fn wait(&self, time: Duration) {
        let started = Instant::now();
        while !self.cancel.is_cancelled() && started.elapsed() < time {
            std::thread::sleep(CANCEL_CHECK_INTERVAL.min(time.saturating_sub(started.elapsed())));
        }
    }

    /// Runs a transaction that cannot be restarted, because it reads or writes a stream: once it has begun, every failure is
    /// final. The body says whether to commit.
    pub(crate) fn run_once<T>(
        &self,
        mode: Mode,
        body: impl FnOnce(&mut Connection) -> Result<(T, bool), Error>,
    ) -> Result<T, Error> {
        let pool = if mode == Mode::Write { &self.shared.writers } else { &self.shared.readers };
        let mut body = Some(body);
        self.with_retries(pool, |connection| {
            connection.begin(mode)?;
            let Some(body) = body.take() else { return Err(Error::Cancelled) };
            let outcome = body(connection).and_then(|(value, commits)| {
                self.check_cancelled()?;
                if commits {
                    connection.commit()?
                } else {
                    connection.rollback()?
                }
                Ok(value)
            });
            match outcome {
                Ok(value) => Ok(value),
                Err(Error::Failed(failure)) => Err(Error::Failed(failure.finally())),
                Err(error) => connection.rollback().map_err(|failure| Error::Failed(failure.finally())).and(Err(error)),
            }
        })
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn connect(&self) -> Result<Connection, Error> {
        let mut schema = self.shared.schema.lock().unwrap_or_else(PoisonError::into_inner);
        let (url, creates) = (&self.shared.options.url, self.shared.creates.load(Ordering::Relaxed));
        // Connecting to a missing file would create it.
        if schema.is_none() && !creates && url.is_missing_file() {
            return Err(Error::NoDatabase { target: url.to_string() });
        }
        let open = || Connection::open(url, self.shared.options.busy_timeout, schema.is_none() && creates);
        if schema.is_none() && url.is_in_memory() {
            *self.shared.anchor.lock().unwrap_or_else(PoisonError::into_inner) = Some(open()?);
        }
        let mut connection = open()?;
        if schema.is_none() {
            *schema = Some(migrate(&mut connection, &url.to_string(), creates)?);
        }
        Ok(connection)
    }
}

/// 50 ms, doubled each time up to 1.6 s, plus up to half as much jitter so that writers do not collide again.
fn backoff(attempt: u32, seed: u64) -> Duration {
    let base = 25_u64 << attempt.min(6);
    let jitter = seed.rotate_left(attempt * 7) % (base / 2 + 1);
    Duration::from_millis(base + jitter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a14_waits_grow_exponentially_and_differ() {
        let waits: Vec<u128> = (1..=7).map(|attempt| backoff(attempt, 0).as_millis()).collect();
        assert_eq!(waits, [50, 100, 200, 400, 800, 1600, 1600]);
        assert_ne!(backoff(3, 12_345), backoff(3, 54_321));
        assert!((1..=7).all(|attempt| backoff(attempt, u64::MAX) <= Duration::from_millis(2400)));
    }
}
