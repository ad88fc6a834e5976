//! Transactions: reading from a snapshot of the database, or writing to one space.

use crate::dialect::Dialect;
use crate::driver::Connection;
use crate::error::Error;
use crate::value::{Row, Value};
use recordar_domain::{Cancel, Digest, OperationId, Timestamp};
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

/// The id, kind and request of a write, so that a retry can be told apart from a reused id.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    pub id: &'a OperationId,
    /// A word such as `ingest` or `forget`.
    pub kind: &'a str,
    pub request: Digest,
}

/// How the body of a write ends. An abandoned write leaves nothing, not even its operation id.
pub enum Settled<T> {
    Commit(T),
    Abandon(T),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written<T> {
    pub value: T,
    /// The revision that the write made; `None` if nothing was written.
    pub revision: Option<i64>,
    /// Whether this operation was already done, and the value is its first result.
    pub is_repeated: bool,
}

/// A space's number inside one store. Only a look-up by name makes one, so no query can omit the space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceId(pub(crate) i64);

impl From<SpaceId> for Value {
    fn from(id: SpaceId) -> Self {
        Self::Int(id.0)
    }
}

/// A space while a write holds its row.
pub(crate) struct SpaceState {
    pub(crate) id: SpaceId,
    pub(crate) name: String,
    pub(crate) incarnation: i64,
    pub(crate) next_id: i64,
    pub(crate) revision: i64,
    /// The time of this write: the given clock, but never before the last one of the space.
    pub(crate) recorded_at: Timestamp,
    /// The kinds of jobs that this write added, ended or changed.
    pub(crate) changed_jobs: BTreeSet<i64>,
    /// Whether the digest of the request is recorded.
    pub(crate) keeps_request: bool,
}

/// Reads from a snapshot of the database, in any space.
pub struct Reading<'a> {
    connection: &'a mut Connection,
    cancel: Cancel,
    /// The statements that were run, if they are recorded.
    ran: Option<Vec<(String, Vec<Value>)>>,
}

/// Writes to one space. Everything can be read here too, as it is within the transaction.
pub struct Writing<'a> {
    reading: Reading<'a>,
    pub(crate) space: SpaceState,
    /// Threads that have lost a summary.
    pub(crate) unsummed: BTreeSet<i64>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(connection: &'a mut Connection) -> Self {
        Self { connection, cancel: Cancel::default(), ran: None }
    }

    /// The same for a call that can be cancelled: then nothing more is read.
    pub(crate) fn cancelled_by(connection: &'a mut Connection, cancel: &Cancel) -> Self {
        Self { connection, cancel: cancel.clone(), ran: None }
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if let Some(ran) = &mut self.ran {
            ran.push((sql.to_owned(), values.to_vec()));
        }
        Ok(self.connection.query(sql, values)?)
    }

    /// Runs the body, and returns the statements it ran.
    pub(crate) fn record_statements<T>(
        &mut self,
        body: &mut impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<(String, Vec<Value>)>, Error> {
        self.ran = Some(Vec::new());
        let outcome = body(self);
        let ran = self.ran.take().unwrap_or_default();
        outcome.map(|_| ran)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.connection.dialect()
    }

    pub(crate) fn query_one(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, Error> {
        Ok(self.query(sql, values)?.into_iter().next())
    }
}

impl<'a> Deref for Writing<'a> {
    type Target = Reading<'a>;

    fn deref(&self) -> &Reading<'a> {
        &self.reading
    }
}

impl DerefMut for Writing<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reading
    }
}

impl<'a> Writing<'a> {
    pub(crate) fn new(connection: &'a mut Connection, space: SpaceState) -> Self {
        Self { reading: Reading::new(connection), space, unsummed: BTreeSet::new() }
    }

    /// The next ids of the space, dense and in order.
    pub(crate) fn allocate_ids(&mut self, count: usize) -> i64 {
        let first = self.space.next_id;
        self.space.next_id += count as i64;
        first
    }

    /// Records no digest of the request. One that also has content of earlier items could not be erased with those, because an operation
    /// is found by the ids that it made. The id of the operation must then be enough.
    pub fn drop_request(&mut self) {
        self.space.keeps_request = false;
    }

    pub(crate) fn connection(&mut self) -> &mut Connection {
        self.reading.connection
    }

    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Error> {
        Ok(self.reading.connection.execute(sql, values)?)
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Error> {
        Ok(self.reading.connection.insert(table, columns, rows)?)
    }
}
