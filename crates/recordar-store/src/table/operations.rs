//! Operations: their ids, requests and results. Completed ones are also the space's list of revisions.

use crate::error::Error;
use crate::transaction::{Operation, Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, OperationId, Timestamp};

pub(crate) const COLUMNS: [&str; 13] = [
    "space_id",
    "operation_hash",
    "whole_hash",
    "operation_id",
    "kind",
    "state",
    "request_hash",
    "revision",
    "recorded_at",
    "first_id",
    "end_id",
    "result",
    "error",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationRow {
    pub id: String,
    /// The sha256 of the id.
    pub digest: Digest,
    pub kind: String,
    pub state: OperationState,
    /// The digest of the request, until the content it wrote is forgotten.
    pub request: Option<Digest>,
    pub revision: Option<i64>,
    pub recorded_at: Timestamp,
    /// The result as JSON.
    pub result: Option<String>,
    pub error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationState {
    Done,
    Failed,
}

impl OperationState {
    fn code(self) -> i64 {
        match self {
            Self::Done => 1,
            Self::Failed => 2,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

const SELECT: &str = "SELECT operation_id, kind, state, request_hash, revision, recorded_at, result, error, operation_hash FROM operations";

impl Reading<'_> {
    pub fn operation(&mut self, space: SpaceId, id: &OperationId) -> Result<Option<OperationRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND operation_hash = ?");
        self.query_one(&sql, &[space.into(), id.digest().into()])?.as_ref().map(operation).transpose()
    }

    /// The last revision of a space at a time; 0 if there was none yet.
    pub fn revision_at(&mut self, space: SpaceId, time: Timestamp) -> Result<i64, Error> {
        let sql = "SELECT revision FROM operations WHERE space_id = ? AND recorded_at <= ? AND revision > 0 \
             ORDER BY recorded_at DESC, revision DESC LIMIT 1";
        self.query_one(sql, &[space.into(), time.into()])?.map_or(Ok(0), |row| row.int(0))
    }

    /// The operation that made a revision.
    pub fn operation_at(&mut self, space: SpaceId, revision: i64) -> Result<Option<OperationRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND revision = ?");
        self.query_one(&sql, &[space.into(), revision.into()])?.as_ref().map(operation).transpose()
    }

    /// All records of an id: the operation itself, or its parts, in order.
    pub fn operation_parts(&mut self, space: SpaceId, id: &OperationId) -> Result<Vec<OperationRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND whole_hash = ?");
        let rows = self.query(&sql, &[space.into(), id.digest().into()])?;
        let mut parts = rows.iter().map(operation).collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(|part| (part.revision.is_none(), part.revision, part.digest));
        Ok(parts)
    }

    /// Whether a new id was used in another way: a whole operation's id for parts, or a part's for a whole.
    pub(crate) fn is_used_otherwise(&mut self, space: SpaceId, id: &OperationId) -> Result<bool, Error> {
        let condition = if id.is_part() { "operation_hash" } else { "whole_hash" };
        let sql =
            format!("SELECT revision FROM operations WHERE space_id = ? AND {condition} = ? AND state = ? LIMIT 1");
        let done = OperationState::Done.code().into();
        Ok(!self.query(&sql, &[space.into(), id.whole_digest().into(), done])?.is_empty())
    }
}

fn operation(row: &Row) -> Result<OperationRow, Error> {
    let is_done = row.int(2)? == OperationState::Done.code();
    Ok(OperationRow {
        id: row.text(0)?,
        digest: row.digest(8)?,
        kind: row.text(1)?,
        state: if is_done { OperationState::Done } else { OperationState::Failed },
        request: row.optional_digest(3)?,
        revision: row.optional_int(4)?,
        recorded_at: row.time(5)?,
        result: row.optional_text(6)?,
        error: row.optional_text(7)?,
    })
}

impl Writing<'_> {
    pub(crate) fn record_done(&mut self, operation: &Operation<'_>, first_id: i64, result: &str) -> Result<(), Error> {
        let end_id = self.space.next_id;
        let revision = Value::Int(self.space.revision);
        self.record(operation, OperationState::Done, revision, (first_id, end_id), result.into(), Value::Null)
    }

    /// A failed operation changes nothing, so it takes no revision and can be retried under the same id.
    pub(crate) fn record_failed(&mut self, operation: &Operation<'_>, error: &str) -> Result<(), Error> {
        let next_id = self.space.next_id;
        self.record(operation, OperationState::Failed, Value::Null, (next_id, next_id), Value::Null, error.into())
    }

    fn record(
        &mut self,
        operation: &Operation<'_>,
        state: OperationState,
        revision: Value,
        ids: (i64, i64),
        result: Value,
        error: Value,
    ) -> Result<(), Error> {
        let hash: Value = operation.id.digest().into();
        let key = [self.space.id.into(), hash.clone()];
        self.execute("DELETE FROM operations WHERE space_id = ? AND operation_hash = ?", &key)?;
        let row = vec![
            self.space.id.into(),
            hash,
            operation.id.whole_digest().into(),
            operation.id.as_str().into(),
            operation.kind.into(),
            Value::Int(state.code()),
            self.space.keeps_request.then_some(operation.request).into(),
            revision,
            self.space.recorded_at.into(),
            Value::Int(ids.0),
            Value::Int(ids.1),
            result,
            error,
        ];
        self.insert("operations", &COLUMNS, &[row])
    }
}
