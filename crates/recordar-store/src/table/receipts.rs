//! Receipts: recalls, by ids and digests. They hold no text of an item, and are removed with the items they name.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COLUMNS: [&str; 4] = ["space_id", "receipt_hash", "made_at", "body"];
pub(crate) const SOURCE_COLUMNS: [&str; 5] = ["space_id", "receipt_hash", "source_hash", "source_id", "body"];
const SELECT: &str = "SELECT receipt_hash, made_at, body FROM receipts";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The sha256 of the body.
    pub digest: Digest,
    pub made_at: Timestamp,
    pub body: String,
}

/// An item that a receipt names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptSource {
    pub space: SpaceName,
    pub id: i64,
    /// A copy, if the receipt was imported and the item is not here.
    pub copy: Option<String>,
}

/// The state of a space at the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedSpace {
    pub name: SpaceName,
    pub incarnation: i64,
    pub revision: i64,
}

impl Reading<'_> {
    /// The receipts of a space, newest first.
    pub fn receipts(&mut self, space: SpaceId, limit: usize) -> Result<Vec<ReceiptRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? ORDER BY made_at DESC, receipt_hash LIMIT {limit}");
        self.query(&sql, &[space.into()])?.iter().map(receipt).collect()
    }

    /// The digests of all receipts of a space, in the order they were made.
    pub fn receipt_digests(&mut self, space: SpaceId) -> Result<Vec<Digest>, Error> {
        let sql = "SELECT receipt_hash FROM receipts WHERE space_id = ? ORDER BY made_at, receipt_hash";
        self.query(sql, &[space.into()])?.iter().map(|row| row.digest(0)).collect()
    }

    /// The receipts whose digests are between two, inclusive: a look-up by prefix.
    pub fn receipts_between(
        &mut self,
        space: SpaceId,
        least: Digest,
        most: Digest,
        limit: usize,
    ) -> Result<Vec<ReceiptRow>, Error> {
        let sql = format!(
            "{SELECT} WHERE space_id = ? AND receipt_hash >= ? AND receipt_hash <= ? ORDER BY receipt_hash LIMIT {limit}"
        );
        self.query(&sql, &[space.into(), least.into(), most.into()])?.iter().map(receipt).collect()
    }

    /// The copies that came with a receipt, by the digest of the space's name and the id.
    pub fn receipt_copies(
        &mut self,
        space: SpaceId,
        receipt: Digest,
    ) -> Result<BTreeMap<(Digest, i64), String>, Error> {
        let sql = "SELECT source_hash, source_id, body FROM receipt_sources \
             WHERE space_id = ? AND receipt_hash = ? AND body IS NOT NULL";
        let rows = self.query(sql, &[space.into(), receipt.into()])?;
        rows.iter().map(|row| Ok(((row.digest(0)?, row.int(1)?), row.text(2)?))).collect()
    }

    /// Whether a receipt names an item of a space.
    pub fn is_in_receipt(&mut self, space: &SpaceName, id: i64) -> Result<bool, Error> {
        Ok(!self.receipts_of(space.digest(), &[(id, id.saturating_add(1))])?.is_empty())
    }

    /// The receipts that name one of the items of a space, wherever they are kept.
    pub(crate) fn receipts_of(&mut self, space: Digest, ids: &[(i64, i64)]) -> Result<BTreeSet<(i64, Digest)>, Error> {
        let sql = "SELECT space_id, receipt_hash FROM receipt_sources \
             WHERE source_hash = ? AND source_id >= ? AND source_id < ?";
        let mut found = BTreeSet::new();
        for (first, end) in ids {
            for row in self.query(sql, &[space.into(), (*first).into(), (*end).into()])? {
                found.insert((row.int(0)?, row.digest(1)?));
            }
        }
        Ok(found)
    }

    fn has_receipt(&mut self, space: SpaceId, digest: Digest) -> Result<bool, Error> {
        let sql = "SELECT made_at FROM receipts WHERE space_id = ? AND receipt_hash = ?";
        Ok(!self.query(sql, &[space.into(), digest.into()])?.is_empty())
    }
}

fn receipt(row: &Row) -> Result<ReceiptRow, Error> {
    Ok(ReceiptRow { digest: row.digest(0)?, made_at: row.time(1)?, body: row.text(2)? })
}

impl Writing<'_> {
    /// Stores an imported receipt. False if it was already there.
    pub fn add_receipt(&mut self, receipt: &ReceiptRow, sources: &[ReceiptSource]) -> Result<bool, Error> {
        let space = self.space.id;
        if self.has_receipt(space, receipt.digest)? {
            return Ok(false);
        }
        let (rows, sources) = rows(space, receipt, sources);
        self.insert("receipts", &COLUMNS, &rows)?;
        self.insert("receipt_sources", &SOURCE_COLUMNS, &sources)?;
        Ok(true)
    }

    pub(crate) fn drop_receipt(&mut self, space: SpaceId, digest: Digest) -> Result<(), Error> {
        drop_receipt(self.connection(), space, digest)
    }
}

fn drop_receipt(connection: &mut Connection, space: SpaceId, digest: Digest) -> Result<(), Error> {
    for table in ["receipt_sources", "receipts"] {
        let sql = format!("DELETE FROM {table} WHERE space_id = ? AND receipt_hash = ?");
        connection.execute(&sql, &[space.into(), digest.into()])?;
    }
    Ok(())
}

/// Removes the receipts that name one of the items of a space, wherever they are kept.
pub(crate) fn drop_receipts_of(connection: &mut Connection, space: Digest, ids: &[(i64, i64)]) -> Result<(), Error> {
    for (kept_in, digest) in Reading::new(connection).receipts_of(space, ids)? {
        drop_receipt(connection, SpaceId(kept_in), digest)?;
    }
    Ok(())
}

fn rows(space: SpaceId, receipt: &ReceiptRow, sources: &[ReceiptSource]) -> (Vec<Vec<Value>>, Vec<Vec<Value>>) {
    let ReceiptRow { digest, made_at, body } = receipt;
    let row = |source: &ReceiptSource| {
        let hash = source.space.digest();
        vec![space.into(), (*digest).into(), hash.into(), source.id.into(), source.copy.clone().into()]
    };
    let row_of_receipt = vec![space.into(), (*digest).into(), (*made_at).into(), body.as_str().into()];
    (vec![row_of_receipt], sources.iter().map(row).collect())
}

/// Keeps the receipt of a recall, unless something was forgotten in one of its spaces since the search: a receipt must not
/// name forgotten items. It makes no revision. True if it was kept.
pub(crate) fn keep_receipt(
    connection: &mut Connection,
    space: &SpaceName,
    receipt: &ReceiptRow,
    sources: &[ReceiptSource],
    searched: &[SearchedSpace],
) -> Result<bool, Error> {
    // Locks the rows of all spaces, in a fixed order, so that nothing is forgotten meanwhile; and changes nothing in them.
    let mut in_order: Vec<&SearchedSpace> = searched.iter().collect();
    in_order.sort_by_key(|searched| searched.name.digest());
    let mut own = None;
    for SearchedSpace { name, incarnation, revision } in in_order {
        let hash: Value = name.digest().into();
        connection.execute("UPDATE spaces SET revision = revision WHERE name_hash = ?", std::slice::from_ref(&hash))?;
        let rows = connection.query("SELECT space_id, incarnation FROM spaces WHERE name_hash = ?", &[hash])?;
        let Some(row) = rows.first() else { return Ok(false) };
        let id = row.int(0)?;
        let forgotten = connection.query(
            "SELECT id FROM tombstones WHERE space_id = ? AND revision > ? LIMIT 1",
            &[id.into(), (*revision).into()],
        )?;
        if row.int(1)? != *incarnation || !forgotten.is_empty() {
            return Ok(false);
        }
        if name == space {
            own = Some(SpaceId(id));
        }
    }
    let Some(own) = own else { return Ok(false) };
    if !Reading::new(connection).has_receipt(own, receipt.digest)? {
        let (rows, sources) = rows(own, receipt, sources);
        connection.insert("receipts", &COLUMNS, &rows)?;
        connection.insert("receipt_sources", &SOURCE_COLUMNS, &sources)?;
    }
    Ok(true)
}
