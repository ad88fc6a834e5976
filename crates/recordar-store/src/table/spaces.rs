//! Spaces, and the row that every write locks first.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, SpaceState, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};
use std::collections::BTreeSet;

pub(crate) const COLUMNS: [&str; 8] =
    ["space_id", "name_hash", "name", "incarnation", "next_id", "revision", "recorded_at", "created_at"];
pub(super) const SELECT: &str = "SELECT space_id, name, incarnation, next_id, revision, recorded_at, created_at";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpaceRow {
    pub id: SpaceId,
    pub name: String,
    /// Grows each time the space is forgotten as a whole, so that nothing derived from an earlier one is used.
    pub incarnation: i64,
    /// The next item, document, version or thread will have this id.
    pub next_id: i64,
    pub revision: i64,
    pub recorded_at: Timestamp,
    pub created_at: Timestamp,
}

/// Locks the space's row, and creates it if there is none. Other writers wait until this transaction ends.
pub(crate) fn lock_space(connection: &mut Connection, name: &SpaceName, now: Timestamp) -> Result<SpaceState, Error> {
    let hash: Value = name.digest().into();
    let take = "UPDATE spaces SET revision = revision + 1 WHERE name_hash = ?";
    if connection.execute(take, std::slice::from_ref(&hash))? == 0 {
        // Creators of spaces queue at the store's row; the previous one may have created this very space.
        connection.execute("UPDATE store SET next_space_id = next_space_id + 1 WHERE id = 1", &[])?;
        if connection.execute(take, std::slice::from_ref(&hash))? == 0 {
            create(connection, name.digest(), name.as_str(), now)?;
        }
    }
    let row = connection.query(&format!("{SELECT} FROM spaces WHERE name_hash = ?"), &[hash])?;
    let row = row
        .first()
        .ok_or_else(|| Error::Corrupt { what: format!("space {name} disappeared while it was being locked") })?;
    Ok(SpaceState {
        id: SpaceId(row.int(0)?),
        name: name.to_string(),
        incarnation: row.int(2)?,
        next_id: row.int(3)?,
        revision: row.int(4)?,
        recorded_at: row.time(5)?.max(now),
        changed_jobs: BTreeSet::new(),
        keeps_request: true,
    })
}

/// Locks the space's row as a write does, and changes nothing in it. None if there is no such space.
pub(super) fn hold_space(
    connection: &mut Connection,
    name: &SpaceName,
    now: Timestamp,
) -> Result<Option<SpaceState>, Error> {
    let hash: Value = name.digest().into();
    connection.execute("UPDATE spaces SET revision = revision WHERE name_hash = ?", std::slice::from_ref(&hash))?;
    let rows = connection.query(&format!("{SELECT} FROM spaces WHERE name_hash = ?"), &[hash])?;
    let row = rows.first().map(space).transpose()?.filter(|row| !row.name.is_empty());
    Ok(row.map(|row| SpaceState {
        id: row.id,
        name: row.name,
        incarnation: row.incarnation,
        next_id: row.next_id,
        revision: row.revision,
        recorded_at: row.recorded_at.max(now),
        changed_jobs: BTreeSet::new(),
        keeps_request: true,
    }))
}

/// The row of a name's digest, now locked, and whether it was just created, without a name.
pub(crate) fn lock_space_row(
    connection: &mut Connection,
    hash: Digest,
    now: Timestamp,
) -> Result<(SpaceRow, bool), Error> {
    let values: [Value; 1] = [hash.into()];
    let find = |connection: &mut Connection| {
        // Locks the row as a write does, and changes nothing in it.
        connection.execute("UPDATE spaces SET revision = revision WHERE name_hash = ?", &values)?;
        let rows = connection.query(&format!("{SELECT} FROM spaces WHERE name_hash = ?"), &values)?;
        rows.first().map(space).transpose()
    };
    if let Some(row) = find(connection)? {
        return Ok((row, false));
    }
    connection.execute("UPDATE store SET next_space_id = next_space_id + 1 WHERE id = 1", &[])?;
    if let Some(row) = find(connection)? {
        return Ok((row, false));
    }
    create(connection, hash, "", now)?;
    let made = find(connection)?
        .ok_or_else(|| Error::Corrupt { what: "a space disappeared while it was being created".to_owned() })?;
    Ok((made, true))
}

fn create(connection: &mut Connection, hash: Digest, name: &str, now: Timestamp) -> Result<(), Error> {
    let rows = connection.query("SELECT next_space_id FROM store WHERE id = 1", &[])?;
    let next = rows.first().ok_or_else(|| Error::Corrupt { what: "the store row is missing".to_owned() })?.int(0)?;
    let row = vec![
        Value::Int(next - 1),
        hash.into(),
        name.into(),
        Value::Int(1),
        Value::Int(1),
        Value::Int(1),
        now.into(),
        now.into(),
    ];
    Ok(connection.insert("spaces", &COLUMNS, &[row])?)
}

impl Reading<'_> {
    pub fn space(&mut self, name: &SpaceName) -> Result<Option<SpaceRow>, Error> {
        let row = self.query_one(&format!("{SELECT} FROM spaces WHERE name_hash = ?"), &[name.digest().into()])?;
        // A forgotten space no longer has a name, and counts as absent.
        Ok(row.map(|row| space(&row)).transpose()?.filter(|space| !space.name.is_empty()))
    }

    /// The digest of a space's name.
    pub(crate) fn name_digest(&mut self, space: SpaceId) -> Result<Digest, Error> {
        let row = self.query_one("SELECT name_hash FROM spaces WHERE space_id = ?", &[space.into()])?;
        row.ok_or_else(|| Error::Corrupt { what: "a space disappeared while it was being read".to_owned() })?.digest(0)
    }

    /// All spaces, in the order they were created.
    pub fn spaces(&mut self) -> Result<Vec<SpaceRow>, Error> {
        Ok(self.all_spaces()?.into_iter().filter(|space| !space.name.is_empty()).collect())
    }

    /// The same, including forgotten ones.
    pub(crate) fn all_spaces(&mut self) -> Result<Vec<SpaceRow>, Error> {
        self.query(&format!("{SELECT} FROM spaces ORDER BY space_id"), &[])?.iter().map(space).collect()
    }
}

pub(super) fn space(row: &Row) -> Result<SpaceRow, Error> {
    Ok(SpaceRow {
        id: SpaceId(row.int(0)?),
        name: row.text(1)?,
        incarnation: row.int(2)?,
        next_id: row.int(3)?,
        revision: row.int(4)?,
        recorded_at: row.time(5)?,
        created_at: row.time(6)?,
    })
}

impl Writing<'_> {
    pub fn space_id(&self) -> SpaceId {
        self.space.id
    }

    /// The revision that this transaction makes.
    pub fn revision(&self) -> i64 {
        self.space.revision
    }

    /// Whether this transaction made the space.
    pub fn is_new_space(&self) -> bool {
        self.space.revision == 1
    }

    /// Writes the used ids and revision back to the space's row.
    pub(crate) fn record_space(&mut self) -> Result<(), Error> {
        let values = [
            self.space.name.as_str().into(),
            self.space.incarnation.into(),
            self.space.next_id.into(),
            self.space.revision.into(),
            self.space.recorded_at.into(),
            self.space.id.into(),
        ];
        self.execute(
            "UPDATE spaces SET name = ?, incarnation = ?, next_id = ?, revision = ?, recorded_at = ? WHERE space_id = ?",
            &values,
        )?;
        Ok(())
    }
}
