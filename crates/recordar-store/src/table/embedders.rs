//! The embedder of the store, and the one that it is being moved to. All processes learn from here whose vectors to search.

use super::spaces::{SELECT, SpaceRow, hold_space, space};
use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};

pub(crate) const COLUMNS: [&str; 6] = ["number", "model", "model_hash", "state", "made_at", "dimension"];

const QUEUEING: i64 = 0;
const MOVING: i64 = 1;
const SETTLING: i64 = 2;
const SETTLED: i64 = 3;
const REPLACED: i64 = 4;

/// The number of the embedder that is searched with, as a column of a query. NULL if it is the first one.
const CURRENT_NUMBER: &str = "(SELECT MAX(number) FROM embedders WHERE state IN (2, 3))";

/// An embedder to move to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewEmbedder<'a> {
    pub model: &'a str,
    pub model_hash: Digest,
    pub made_at: Timestamp,
    /// Of an embedder that the caller brings; none for a built-in one.
    pub dimension: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderRow {
    /// Grows with each move. 0 is the embedder of a store that was never moved.
    pub number: i64,
    pub model: String,
    pub model_hash: Digest,
    pub state: EmbedderState,
    pub made_at: Timestamp,
    /// Of an embedder that the caller brings; none for a built-in one.
    pub dimension: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedderState {
    /// Jobs are being queued for every space.
    Queueing,
    /// The jobs are being done.
    Moving,
    /// It is searched with, and segments of others are being dropped.
    Settling,
    Settled,
}

/// The embedders that have segments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedders {
    /// The one that is searched with; none in a store that was never moved.
    pub current: Option<EmbedderRow>,
    /// The one that the store is being moved to.
    pub pending: Option<EmbedderRow>,
}

impl Embedders {
    pub fn current_number(&self) -> i64 {
        self.current.as_ref().map_or(0, |row| row.number)
    }

    fn has(&self, number: i64) -> bool {
        self.current_number() == number || self.pending.as_ref().is_some_and(|row| row.number == number)
    }
}

impl Reading<'_> {
    pub fn embedders(&mut self) -> Result<Embedders, Error> {
        let sql = format!("SELECT {} FROM embedders ORDER BY number", COLUMNS.join(", "));
        let mut embedders = Embedders::default();
        for row in self.query(&sql, &[])? {
            let state = match row.int(3)? {
                QUEUEING => EmbedderState::Queueing,
                MOVING => EmbedderState::Moving,
                SETTLING => EmbedderState::Settling,
                SETTLED => EmbedderState::Settled,
                _ => continue,
            };
            let of_state = match state {
                EmbedderState::Queueing | EmbedderState::Moving => &mut embedders.pending,
                EmbedderState::Settling | EmbedderState::Settled => &mut embedders.current,
            };
            *of_state = Some(embedder(&row, state)?);
        }
        Ok(embedders)
    }

    /// Whether a store has no items, and was never moved to an embedder.
    pub fn has_no_items(&mut self) -> Result<bool, Error> {
        Ok(self.query("SELECT number FROM embedders LIMIT 1", &[])?.is_empty()
            && self.query("SELECT item_id FROM items LIMIT 1", &[])?.is_empty())
    }

    /// A space, with the number of the embedder that its index is to have.
    pub fn space_and_embedder(&mut self, name: &SpaceName) -> Result<Option<(SpaceRow, i64)>, Error> {
        let sql = format!("{SELECT}, {CURRENT_NUMBER} FROM spaces WHERE name_hash = ?");
        let Some(row) = self.query_one(&sql, &[name.digest().into()])? else { return Ok(None) };
        let space = Some(space(&row)?).filter(|space| !space.name.is_empty());
        let embedder = row.optional_int(7)?.unwrap_or(0);
        Ok(space.map(|space| (space, embedder)))
    }

    /// The number of the embedder that is searched with.
    pub fn embedder_number(&mut self) -> Result<i64, Error> {
        let row = self.query_one(&format!("SELECT {CURRENT_NUMBER}"), &[])?;
        Ok(row.map(|row| row.optional_int(0)).transpose()?.flatten().unwrap_or(0))
    }
}

fn embedder(row: &Row, state: EmbedderState) -> Result<EmbedderRow, Error> {
    Ok(EmbedderRow {
        number: row.int(0)?,
        model: row.text(1)?,
        model_hash: row.digest(2)?,
        state,
        made_at: row.time(4)?,
        dimension: row.optional_int(5)?.map(|dimension| usize::try_from(dimension).unwrap_or(0)),
    })
}

/// Records that the store is to be moved to an embedder, in place of one that it is being moved to. Moving to the one it has ends a move
/// that was begun. False if there is nothing to record.
pub(crate) fn begin_reembedding(
    connection: &mut Connection,
    wanted: &NewEmbedder<'_>,
    first: Digest,
) -> Result<bool, Error> {
    lock_store(connection)?;
    let Embedders { current, pending } = Reading::new(connection).embedders()?;
    let is_current = current.as_ref().map_or(first, |row| row.model_hash) == wanted.model_hash;
    let is_known = match &pending {
        Some(pending) => pending.model_hash == wanted.model_hash,
        None => is_current,
    };
    if is_known {
        return Ok(false);
    }
    let sql = "UPDATE embedders SET state = ? WHERE state IN (?, ?)";
    connection.execute(sql, &[REPLACED.into(), QUEUEING.into(), MOVING.into()])?;
    let last = connection.query("SELECT MAX(number) FROM embedders", &[])?;
    let last = last.first().map(|row| row.optional_int(0)).transpose()?.flatten().unwrap_or(0);
    let row = vec![
        Value::Int(last + 1),
        wanted.model.into(),
        wanted.model_hash.into(),
        if is_current { SETTLING } else { QUEUEING }.into(),
        wanted.made_at.into(),
        wanted.dimension.map(|dimension| dimension as i64).into(),
    ];
    connection.insert("embedders", &COLUMNS, &[row])?;
    Ok(true)
}

/// Lets a store without items use an embedder from the start. False if it has items, or was ever moved to one.
pub(crate) fn adopt_embedder(connection: &mut Connection, wanted: &NewEmbedder<'_>) -> Result<bool, Error> {
    lock_store(connection)?;
    if !Reading::new(connection).has_no_items()? {
        return Ok(false);
    }
    let row = vec![
        Value::Int(1),
        wanted.model.into(),
        wanted.model_hash.into(),
        SETTLED.into(),
        wanted.made_at.into(),
        wanted.dimension.map(|dimension| dimension as i64).into(),
    ];
    connection.insert("embedders", &COLUMNS, &[row])?;
    Ok(true)
}

/// Records that jobs are queued for all spaces.
pub(crate) fn end_queueing(connection: &mut Connection, number: i64) -> Result<bool, Error> {
    change_state(connection, number, QUEUEING, MOVING)
}

/// Lets a store be searched with the embedder it was being moved to, if all jobs of this kind are done.
pub(crate) fn end_moving(connection: &mut Connection, number: i64, kind: i64) -> Result<bool, Error> {
    lock_store(connection)?;
    // A space has a queue for as long as it has jobs.
    if !connection.query("SELECT space_id FROM queues WHERE kind = ? LIMIT 1", &[kind.into()])?.is_empty() {
        return Ok(false);
    }
    change_state(connection, number, MOVING, SETTLING)
}

/// Records that only segments of this embedder are left.
pub(crate) fn end_settling(connection: &mut Connection, number: i64) -> Result<bool, Error> {
    change_state(connection, number, SETTLING, SETTLED)
}

fn change_state(connection: &mut Connection, number: i64, from: i64, to: i64) -> Result<bool, Error> {
    let sql = "UPDATE embedders SET state = ? WHERE number = ? AND state = ?";
    Ok(connection.execute(sql, &[to.into(), number.into(), from.into()])? > 0)
}

/// Drops the segments and vectors of a space that nobody searches.
pub(crate) fn drop_old_segments(connection: &mut Connection, space: &SpaceName) -> Result<bool, Error> {
    // Whoever keeps a segment has locked this row as well, and looks at the embedders afterwards.
    let Some(space) = hold_space(connection, space, Timestamp::from_micros(0))? else { return Ok(false) };
    let Embedders { current: Some(current), pending } = Reading::new(connection).embedders()? else { return Ok(false) };
    let pending = pending.map_or(current.model_hash, |row| row.model_hash);
    let sql = "DELETE FROM segments WHERE space_id = ? AND model_hash <> ? AND model_hash <> ?";
    let values = [space.id.into(), current.model_hash.into(), pending.into()];
    let segments = connection.execute(sql, &values)?;
    let sql = "DELETE FROM vectors WHERE space_id = ? AND model_hash <> ? AND model_hash <> ?";
    Ok(segments + connection.execute(sql, &values)? > 0)
}

/// Whether segments of this embedder are still of use.
pub(super) fn is_in_use(connection: &mut Connection, number: i64) -> Result<bool, Error> {
    Ok(Reading::new(connection).embedders()?.has(number))
}

fn lock_store(connection: &mut Connection) -> Result<(), Error> {
    connection.execute("UPDATE store SET next_space_id = next_space_id WHERE id = 1", &[])?;
    Ok(())
}
