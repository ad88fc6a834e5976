//! How a write runs and is committed: alone, or on SQLite together with others, because there a commit keeps all other writers waiting
//! for the disk.

use crate::batch::Outcome;
use crate::driver::{Connection, Mode};
use crate::error::Error;
use crate::failure::Failure;
use crate::pool::{Lease, PooledConnection};

/// The result of the statements of a write, and whether they are to be committed.
pub(crate) struct Ended<T> {
    pub(crate) value: T,
    pub(crate) is_kept: bool,
}

/// Runs a write in a transaction of its own.
pub(crate) fn commit_alone<T>(
    lease: Lease<'_>,
    mut connection: PooledConnection,
    body: &mut impl FnMut(&mut Connection) -> Result<Ended<T>, Error>,
) -> Result<T, Error> {
    let (result, is_kept) = run_first(&mut connection.connection, body)?;
    if is_kept {
        connection.connection.commit()?;
    }
    lease.put_back(connection);
    result
}

/// Runs a write in the transaction that is open on the connection, or in a new one, and returns when that is committed. None if the
/// transaction was lost because of one of its writes: then this one must run again, alone.
pub(crate) fn commit_together<T>(
    lease: Lease<'_>,
    mut connection: PooledConnection,
    body: &mut impl FnMut(&mut Connection) -> Result<Ended<T>, Error>,
) -> Result<Option<T>, Error> {
    let result = if connection.has_batch() {
        // Whatever comes out may be due to rows of the other writes. So a failure counts only if this one fails alone as well, and
        // errors wait for the commit like everything else.
        let Ok(result) = run_part(&mut connection.connection, body) else { return Ok(None) };
        result
    } else {
        let (result, is_kept) = run_first(&mut connection.connection, body)?;
        if !is_kept {
            lease.put_back(connection);
            return result.map(Some);
        }
        result
    };
    let batch = connection.add_write();
    lease.put_back(connection);
    match batch.wait() {
        Outcome::Committed => result.map(Some),
        Outcome::Failed(failure) => Err(failure.into()),
        Outcome::Lost => Ok(None),
    }
}

/// Runs a write in a new transaction, which is still open if the write is to be kept. After a failure the connection must be dropped.
fn run_first<T>(
    connection: &mut Connection,
    body: &mut impl FnMut(&mut Connection) -> Result<Ended<T>, Error>,
) -> Result<(Result<T, Error>, bool), Failure> {
    connection.begin(Mode::Write)?;
    let (result, is_kept) = result_of(body(connection))?;
    if !is_kept {
        connection.rollback()?;
    }
    Ok((result, is_kept))
}

/// Runs a write as a part of the open transaction. After a failure the connection must be dropped.
fn run_part<T>(
    connection: &mut Connection,
    body: &mut impl FnMut(&mut Connection) -> Result<Ended<T>, Error>,
) -> Result<Result<T, Error>, Failure> {
    connection.begin_part()?;
    let (result, is_kept) = result_of(body(connection))?;
    if is_kept {
        connection.keep_part()?;
    } else {
        connection.undo_part()?;
    }
    Ok(result)
}

/// The result of a write, and whether it is to be kept, unless the driver failed.
fn result_of<T>(ended: Result<Ended<T>, Error>) -> Result<(Result<T, Error>, bool), Failure> {
    match ended {
        Ok(Ended { value, is_kept }) => Ok((Ok(value), is_kept)),
        Err(Error::Failed(failure)) => Err(failure),
        Err(error) => Ok((Err(error), false)),
    }
}
