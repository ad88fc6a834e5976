//! One transaction: reading from one moment, or writing to one space under its row.
//!
//! A write begins by taking the space's row, which makes ids and revisions dense and ordered, looks for its operation
//! id, runs, and ends by storing its result in the same transaction.

use crate::Error;
use crate::driver::Connection;
use crate::table::{OperationRow, OperationState, SpaceState, take_space};
use crate::value::{Row, Value};
use recordar_domain::{Digest, OperationId, SpaceName, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::{Deref, DerefMut};

/// What a write is called and what it asks for, so that a repetition can be told from a mix-up.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    pub id: &'a OperationId,
    /// A word such as `ingest` or `forget`.
    pub kind: &'a str,
    pub request: Digest,
}

/// How the body of a write ends. What is abandoned leaves no trace, not even its operation id.
pub enum Settled<T> {
    Commit(T),
    Abandon(T),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written<T> {
    pub value: T,
    /// The revision of the space that the write made; `None` where nothing was written.
    pub revision: Option<i64>,
    /// Whether this operation had been done before, and the value is its first result.
    pub is_repeated: bool,
}

/// Reading from one moment of the database, in any space.
pub struct Reading<'a> {
    connection: &'a mut Connection,
}

/// Writing to one space. Everything that can be read can be read here too, as it stands within the transaction.
pub struct Writing<'a> {
    reading: Reading<'a>,
    pub(crate) space: SpaceState,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(connection: &'a mut Connection) -> Self {
        Self { connection }
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error> {
        Ok(self.connection.query(sql, values)?)
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

impl Writing<'_> {
    /// The next ids of the space, dense and in order.
    pub(crate) fn take_ids(&mut self, count: usize) -> i64 {
        let first = self.space.next_id;
        self.space.next_id += count as i64;
        first
    }

    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Error> {
        Ok(self.reading.connection.execute(sql, values)?)
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Error> {
        Ok(self.reading.connection.insert(table, columns, rows)?)
    }
}

/// Runs a write whose transaction has begun, and ends the transaction.
pub(crate) fn write<T: Serialize + DeserializeOwned>(
    connection: &mut Connection,
    space: &SpaceName,
    operation: &Operation<'_>,
    now: Timestamp,
    body: &mut impl FnMut(&mut Writing<'_>) -> Result<Settled<T>, Error>,
) -> Result<Written<T>, Error> {
    let outcome = run(connection, space, operation, now, body);
    match &outcome {
        Ok(written) if written.revision.is_some() && !written.is_repeated => connection.commit()?,
        // What failed in the driver takes its connection with it.
        Err(Error::Failed(_)) => {}
        _ => connection.rollback()?,
    }
    outcome
}

fn run<T: Serialize + DeserializeOwned>(
    connection: &mut Connection,
    space: &SpaceName,
    operation: &Operation<'_>,
    now: Timestamp,
    body: &mut impl FnMut(&mut Writing<'_>) -> Result<Settled<T>, Error>,
) -> Result<Written<T>, Error> {
    let state = take_space(connection, space, now)?;
    let mut writing = Writing { reading: Reading::new(connection), space: state };
    let space_id = writing.space.id;
    match writing.operation(space_id, operation.id)? {
        Some(earlier) if earlier.state == OperationState::Done => return repeated(earlier, operation),
        Some(_) => {}
        None if writing.is_used_otherwise(space_id, operation.id)? => {
            return Err(Error::OperationReused { id: operation.id.to_string() });
        }
        None => {}
    }
    let first_id = writing.space.next_id;
    let value = match body(&mut writing)? {
        Settled::Commit(value) => value,
        Settled::Abandon(value) => return Ok(Written { value, revision: None, is_repeated: false }),
    };
    let result = serde_json::to_string(&value).map_err(|error| Error::Database { what: error.to_string() })?;
    writing.record_done(operation, first_id, &result)?;
    writing.record_space()?;
    Ok(Written { value, revision: Some(writing.space.revision), is_repeated: false })
}

fn repeated<T: DeserializeOwned>(earlier: OperationRow, operation: &Operation<'_>) -> Result<Written<T>, Error> {
    // A request whose content was forgotten has no digest any more; its id alone must do.
    if earlier.kind != operation.kind || earlier.request.is_some_and(|request| request != operation.request) {
        return Err(Error::OperationReused { id: operation.id.to_string() });
    }
    let value = earlier.result.as_deref().map(serde_json::from_str);
    match value {
        Some(Ok(value)) => Ok(Written { value, revision: earlier.revision, is_repeated: true }),
        _ => Err(Error::Corrupt { what: format!("operation {} has no readable result", operation.id) }),
    }
}

/// Notes that an operation failed, unless it was done after all.
pub(crate) fn record_failure(
    connection: &mut Connection,
    space: &SpaceName,
    operation: &Operation<'_>,
    now: Timestamp,
    error: &str,
) -> Result<(), Error> {
    let mut state = take_space(connection, space, now)?;
    state.revision -= 1;
    let mut writing = Writing { reading: Reading::new(connection), space: state };
    let earlier = writing.reading.operation(writing.space.id, operation.id)?;
    if earlier.is_some_and(|earlier| earlier.state == OperationState::Done) {
        return Ok(connection.rollback()?);
    }
    writing.record_failed(operation, error)?;
    writing.record_space()?;
    Ok(connection.commit()?)
}
