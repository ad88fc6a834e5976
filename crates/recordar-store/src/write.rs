//! The frame of a write. It first locks the space's row, which makes ids and revisions dense and ordered, looks up its
//! operation id, runs, and stores its result in the same transaction.

use crate::commit::Ended;
use crate::driver::Connection;
use crate::error::Error;
use crate::table::{OperationRow, OperationState, lock_space};
use crate::transaction::{Operation, Settled, Writing, Written};
use recordar_domain::{Cancel, SpaceName, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Runs a write whose transaction has begun. The caller ends the transaction.
pub(crate) fn write<T: Serialize + DeserializeOwned>(
    connection: &mut Connection,
    space: &SpaceName,
    operation: &Operation<'_>,
    now: Timestamp,
    cancel: &Cancel,
    body: &mut impl FnMut(&mut Writing<'_>) -> Result<Settled<T>, Error>,
) -> Result<Ended<Written<T>>, Error> {
    let state = lock_space(connection, space, now)?;
    let written = run(&mut Writing::new(connection, state), operation, body)?;
    if cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let is_kept = written.revision.is_some() && !written.is_repeated;
    Ok(Ended { value: written, is_kept })
}

fn run<T: Serialize + DeserializeOwned>(
    writing: &mut Writing<'_>,
    operation: &Operation<'_>,
    body: &mut impl FnMut(&mut Writing<'_>) -> Result<Settled<T>, Error>,
) -> Result<Written<T>, Error> {
    let space_id = writing.space.id;
    match writing.operation(space_id, operation.id)? {
        Some(earlier) if earlier.state == OperationState::Done => return first_result(earlier, operation),
        Some(_) => {}
        None if writing.is_used_otherwise(space_id, operation.id)? => {
            return Err(Error::OperationReused { id: operation.id.to_string() });
        }
        None => {}
    }
    let first_id = writing.space.next_id;
    let value = match body(writing)? {
        Settled::Commit(value) => value,
        Settled::Abandon(value) => return Ok(Written { value, revision: None, is_repeated: false }),
    };
    // Last, so that workers that look for jobs wait for the commit at most.
    writing.update_queues()?;
    let result = serde_json::to_string(&value).map_err(|error| Error::Database { what: error.to_string() })?;
    writing.record_done(operation, first_id, &result)?;
    writing.record_space()?;
    Ok(Written { value, revision: Some(writing.space.revision), is_repeated: false })
}

fn first_result<T: DeserializeOwned>(earlier: OperationRow, operation: &Operation<'_>) -> Result<Written<T>, Error> {
    // A request whose content was forgotten no longer has a digest; its id must be enough.
    if earlier.kind != operation.kind || earlier.request.is_some_and(|request| request != operation.request) {
        return Err(Error::OperationReused { id: operation.id.to_string() });
    }
    let value = earlier.result.as_deref().map(serde_json::from_str);
    match value {
        Some(Ok(value)) => Ok(Written { value, revision: earlier.revision, is_repeated: true }),
        _ => Err(Error::Corrupt { what: format!("operation {} has no readable result", operation.id) }),
    }
}

/// Records that an operation failed, unless it was done after all.
pub(crate) fn record_failure(
    connection: &mut Connection,
    space: &SpaceName,
    operation: &Operation<'_>,
    now: Timestamp,
    error: &str,
) -> Result<Ended<()>, Error> {
    let mut state = lock_space(connection, space, now)?;
    state.revision -= 1;
    let mut writing = Writing::new(connection, state);
    let space_id = writing.space.id;
    let earlier = writing.operation(space_id, operation.id)?;
    if earlier.is_some_and(|earlier| earlier.state == OperationState::Done) {
        return Ok(Ended { value: (), is_kept: false });
    }
    writing.record_failed(operation, error)?;
    writing.record_space()?;
    Ok(Ended { value: (), is_kept: true })
}
