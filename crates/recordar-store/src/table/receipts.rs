//! Receipts: what was recalled, by numbers and digests. They hold no text of an item, and go with the items they name.

use crate::Error;
use crate::driver::Connection;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, SpaceName, Timestamp};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(crate) const COLUMNS: [&str; 4] = ["space_id", "receipt_hash", "made_at", "body"];
pub(crate) const SOURCE_COLUMNS: [&str; 6] =
    ["space_id", "receipt_hash", "place", "source_space_id", "source_id", "body"];
const SELECT: &str = "SELECT receipt_hash, made_at, body FROM receipts";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The sha256 of the body.
    pub digest: Digest,
    pub made_at: Timestamp,
    pub body: String,
}

/// What a receipt was made of, in the order of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptSource {
    /// An item of this store.
    Item { space: SpaceName, id: i64 },
    /// A copy that came with a receipt from elsewhere.
    Copy(String),
}

impl Reading<'_> {
    /// The receipts of a space, the newest first.
    pub fn receipts(&mut self, space: SpaceId, limit: usize) -> Result<Vec<ReceiptRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? ORDER BY made_at DESC, receipt_hash LIMIT {limit}");
        self.query(&sql, &[space.into()])?.iter().map(receipt).collect()
    }

    /// The receipts whose digests lie between two, both included: by the beginning of one.
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

    pub fn receipt_sources(&mut self, space: SpaceId, receipt: Digest) -> Result<Vec<ReceiptSource>, Error> {
        let sql = "SELECT source_space_id, source_id, body FROM receipt_sources \
             WHERE space_id = ? AND receipt_hash = ? ORDER BY place";
        let rows = self.query(sql, &[space.into(), receipt.into()])?;
        let mut names: BTreeMap<i64, SpaceName> = BTreeMap::new();
        let mut sources = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(space) = row.optional_int(0)? else {
                sources.push(ReceiptSource::Copy(row.text(2)?));
                continue;
            };
            let name = match names.entry(space) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(unknown) => unknown.insert(self.space_named(space)?).clone(),
            };
            sources.push(ReceiptSource::Item { space: name, id: row.int(1)? });
        }
        Ok(sources)
    }

    fn space_named(&mut self, id: i64) -> Result<SpaceName, Error> {
        let row = self.query_one("SELECT name FROM spaces WHERE space_id = ?", &[id.into()])?;
        let name = row.map(|row| row.text(0)).transpose()?.unwrap_or_default();
        SpaceName::parse(&name).map_err(|_| Error::Corrupt { what: format!("space {id} has no name") })
    }

    /// How many receipts name one of the items of a space.
    pub(crate) fn count_receipts(&mut self, space: SpaceId, ids: &[(i64, i64)]) -> Result<u64, Error> {
        Ok(self.receipts_of(space, ids)?.len() as u64)
    }

    fn receipts_of(&mut self, space: SpaceId, ids: &[(i64, i64)]) -> Result<Vec<(i64, Digest)>, Error> {
        let sql = "SELECT space_id, receipt_hash FROM receipt_sources \
             WHERE source_space_id = ? AND source_id >= ? AND source_id < ?";
        let mut found = Vec::new();
        for (first, end) in ids {
            for row in self.query(sql, &[space.into(), (*first).into(), (*end).into()])? {
                found.push((row.int(0)?, row.digest(1)?));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

fn receipt(row: &Row) -> Result<ReceiptRow, Error> {
    Ok(ReceiptRow { digest: row.digest(0)?, made_at: row.time(1)?, body: row.text(2)? })
}

impl Writing<'_> {
    /// Stores a receipt that came from elsewhere. False where it was there already.
    pub fn add_receipt(&mut self, receipt: &ReceiptRow, sources: &[ReceiptSource]) -> Result<bool, Error> {
        let space = self.space.id;
        let key = [space.into(), receipt.digest.into()];
        let sql = "SELECT made_at FROM receipts WHERE space_id = ? AND receipt_hash = ?";
        if !self.query(sql, &key)?.is_empty() {
            return Ok(false);
        }
        let mut rows = Vec::with_capacity(sources.len());
        for source in sources {
            rows.push(match source {
                ReceiptSource::Copy(body) => [Value::Null, Value::Null, body.as_str().into()],
                ReceiptSource::Item { space, id } => {
                    let space = self.space(space)?.ok_or_else(|| Error::absent(format!("space {space}")))?.id;
                    [space.into(), (*id).into(), Value::Null]
                }
            });
        }
        self.insert("receipts", &COLUMNS, &[receipt_row(space, receipt)])?;
        self.insert("receipt_sources", &SOURCE_COLUMNS, &source_rows(space, receipt.digest, rows))?;
        Ok(true)
    }

    /// Drops the receipts that name one of the items of this space, wherever they are kept.
    pub(crate) fn drop_receipts(&mut self, ids: &[(i64, i64)]) -> Result<u64, Error> {
        let space = self.space.id;
        let receipts = self.receipts_of(space, ids)?;
        for (kept_in, digest) in &receipts {
            self.drop_receipt(SpaceId(*kept_in), *digest)?;
        }
        Ok(receipts.len() as u64)
    }

    pub(crate) fn drop_receipt(&mut self, space: SpaceId, digest: Digest) -> Result<(), Error> {
        for table in ["receipt_sources", "receipts"] {
            let sql = format!("DELETE FROM {table} WHERE space_id = ? AND receipt_hash = ?");
            self.execute(&sql, &[space.into(), digest.into()])?;
        }
        Ok(())
    }
}

fn receipt_row(space: SpaceId, receipt: &ReceiptRow) -> Vec<Value> {
    vec![space.into(), receipt.digest.into(), receipt.made_at.into(), receipt.body.as_str().into()]
}

/// The rows of sources, given as their space, their id and their copy.
fn source_rows(space: SpaceId, receipt: Digest, sources: Vec<[Value; 3]>) -> Vec<Vec<Value>> {
    let row = |(place, source): (i64, [Value; 3])| {
        let mut row = vec![space.into(), receipt.into(), place.into()];
        row.extend(source);
        row
    };
    (0..).zip(sources).map(row).collect()
}

/// Keeps the receipt of a recall, unless one of its items was forgotten since. It changes no fact and makes no revision.
/// True where it was kept.
pub(crate) fn keep_receipt(
    connection: &mut Connection,
    space: &SpaceName,
    receipt: &ReceiptRow,
    items: &[(SpaceName, i64)],
) -> Result<bool, Error> {
    // Takes the rows of all spaces, in one order, so that no forgetting can run beside it; and changes nothing in them.
    let mut spaces: BTreeMap<Digest, i64> = items.iter().map(|(name, _)| (name.digest(), 0)).collect();
    spaces.insert(space.digest(), 0);
    for (hash, id) in &mut spaces {
        let hash: Value = (*hash).into();
        connection.execute("UPDATE spaces SET revision = revision WHERE name_hash = ?", std::slice::from_ref(&hash))?;
        let rows = connection.query("SELECT space_id, name FROM spaces WHERE name_hash = ?", &[hash])?;
        match rows.first() {
            Some(row) if !row.text(1)?.is_empty() => *id = row.int(0)?,
            _ => return Ok(false),
        }
    }
    let mut sources = Vec::with_capacity(items.len());
    for (name, item) in items {
        let source_space = spaces[&name.digest()];
        let sql = "SELECT item_id FROM items WHERE space_id = ? AND item_id = ?";
        if connection.query(sql, &[source_space.into(), (*item).into()])?.is_empty() {
            return Ok(false);
        }
        sources.push([source_space.into(), (*item).into(), Value::Null]);
    }
    let own = SpaceId(spaces[&space.digest()]);
    let sql = "SELECT made_at FROM receipts WHERE space_id = ? AND receipt_hash = ?";
    if connection.query(sql, &[own.into(), receipt.digest.into()])?.is_empty() {
        connection.insert("receipts", &COLUMNS, &[receipt_row(own, receipt)])?;
        connection.insert("receipt_sources", &SOURCE_COLUMNS, &source_rows(own, receipt.digest, sources))?;
    }
    Ok(true)
}
