//! Living facts: the sha256 of the words that facts and summaries come from, and what people confirmed.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, ItemKind, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COLUMNS: [&str; 8] =
    ["space_id", "item_id", "source_id", "born", "words_id", "words_hash", "confirmed", "changed"];
pub(crate) const CONFIRMATION_COLUMNS: [&str; 5] = ["space_id", "item_id", "born", "review_by", "changed"];

/// How many ids one statement looks up.
const IDS_AT_ONCE: usize = 500;

/// The words of one source of a fact or a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactWords {
    pub item_id: i64,
    pub source_id: i64,
    /// What had the words, and their sha256; nothing if a person confirmed the item when nothing stood in the place of the source.
    pub words: Option<(i64, Digest)>,
}

/// That a person confirmed a fact or a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfirmationRow {
    pub item_id: i64,
    /// The revision that did so.
    pub born: i64,
    /// When to look at it again.
    pub review_by: Option<Timestamp>,
}

/// An item that rests on another, and the revision that stored it.
struct Rests {
    item_id: i64,
    source_id: i64,
    born: i64,
}

impl Reading<'_> {
    /// The words of each source of some items, as they were taken last before or at a revision, by item and source.
    pub fn fact_words(&mut self, space: SpaceId, items: &[i64], revision: i64) -> Result<Vec<FactWords>, Error> {
        let sql = "SELECT item_id, source_id, words_id, words_hash FROM fact_words WHERE space_id = ? AND born <= ? \
             AND item_id IN ({}) ORDER BY item_id, source_id, born";
        let mut found = BTreeMap::new();
        for row in self.of_items(sql, space, items, revision)? {
            let words = row.optional_int(2)?.zip(row.optional_digest(3)?);
            let (item_id, source_id) = (row.int(0)?, row.int(1)?);
            found.insert((item_id, source_id), FactWords { item_id, source_id, words });
        }
        Ok(found.into_values().collect())
    }

    /// The last confirmation of each of some items before or at a revision.
    pub fn confirmations(
        &mut self,
        space: SpaceId,
        items: &[i64],
        revision: i64,
    ) -> Result<BTreeMap<i64, ConfirmationRow>, Error> {
        let sql = "SELECT item_id, born, review_by FROM confirmations WHERE space_id = ? AND born <= ? AND item_id IN ({}) \
             ORDER BY item_id, born";
        let rows = self.of_items(sql, space, items, revision)?;
        let rows = rows.iter().map(|row| confirmation(row).map(|row| (row.item_id, row)));
        rows.collect()
    }

    /// When people confirmed an item, the oldest first.
    pub fn confirmations_of(&mut self, space: SpaceId, item_id: i64) -> Result<Vec<ConfirmationRow>, Error> {
        let sql = "SELECT item_id, born, review_by FROM confirmations WHERE space_id = ? AND item_id = ? ORDER BY born";
        self.query(sql, &[space.into(), item_id.into()])?.iter().map(confirmation).collect()
    }

    /// The facts and summaries that a caller stored, or the queue made, and that rest on something or were confirmed: those without a statement.
    pub fn items_with_words(&mut self, space: SpaceId, revision: i64) -> Result<Vec<i64>, Error> {
        let mut found = BTreeSet::new();
        for table in ["fact_words", "confirmations"] {
            let sql = format!(
                "SELECT DISTINCT {table}.item_id FROM {table} LEFT JOIN facts ON facts.space_id = {table}.space_id \
                 AND facts.item_id = {table}.item_id WHERE {table}.space_id = ? AND {table}.born <= ? AND facts.item_id IS NULL"
            );
            for row in self.query(&sql, &[space.into(), revision.into()])? {
                found.insert(row.int(0)?);
            }
        }
        Ok(found.into_iter().collect())
    }
}

fn confirmation(row: &Row) -> Result<ConfirmationRow, Error> {
    let review_by = row.optional_int(2)?.map(Timestamp::from_micros);
    Ok(ConfirmationRow { item_id: row.int(0)?, born: row.int(1)?, review_by })
}

impl Writing<'_> {
    /// Takes the words of what new facts and summaries rest on. Pairs of item and source; those of other items are left out.
    pub(super) fn take_words(&mut self, derived: &[(i64, i64)]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let items: BTreeSet<i64> = derived.iter().map(|(item, _)| *item).collect();
        let mut kept = BTreeSet::new();
        for ids in items.into_iter().collect::<Vec<_>>().chunks(IDS_AT_ONCE) {
            let places = vec!["?"; ids.len()].join(", ");
            let sql =
                format!("SELECT item_id FROM items WHERE space_id = ? AND kind IN (?, ?) AND item_id IN ({places})");
            let own = [space.into(), ItemKind::Fact.code().into(), ItemKind::Summary.code().into()];
            let values: Vec<Value> = own.into_iter().chain(ids.iter().map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                kept.insert(row.int(0)?);
            }
        }
        let derived = derived.iter().filter(|(item, _)| kept.contains(item));
        let rests: Vec<Rests> = derived
            .map(|(item_id, source_id)| Rests { item_id: *item_id, source_id: *source_id, born: revision })
            .collect();
        take(self.connection(), &space.into(), &rests)
    }

    /// Notes the words by which a person's word stands, in the place of those that were taken in this transaction.
    pub fn keep_words(&mut self, words: &[FactWords]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        for of in words {
            let sql = "DELETE FROM fact_words WHERE space_id = ? AND item_id = ? AND source_id = ? AND born = ?";
            self.execute(sql, &[space.into(), of.item_id.into(), of.source_id.into(), revision.into()])?;
        }
        let row = |of: &FactWords| words_row(space.into(), of, revision, 1);
        self.insert("fact_words", &COLUMNS, &words.iter().map(row).collect::<Vec<_>>())
    }

    /// Notes that a person confirmed an item, and when to look at it again.
    pub fn confirm(&mut self, item_id: i64, review_by: Option<Timestamp>) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let review_by = review_by.map(Timestamp::as_micros);
        let row = vec![space.into(), item_id.into(), revision.into(), review_by.into(), revision.into()];
        self.insert("confirmations", &CONFIRMATION_COLUMNS, &[row])
    }

    /// Takes the words of a chunk again: a part of them was forgotten with a neighbour, and so must be their hash.
    pub(super) fn take_words_again(&mut self, words_id: i64, text: &str) -> Result<(), Error> {
        let sql = "UPDATE fact_words SET words_hash = ?, changed = ? WHERE space_id = ? AND words_id = ?";
        let (space, revision) = (self.space.id, self.space.revision);
        self.execute(sql, &[Digest::of(text).into(), revision.into(), space.into(), words_id.into()])?;
        Ok(())
    }
}

fn words_row(space: Value, of: &FactWords, born: i64, confirmed: i64) -> Vec<Value> {
    vec![
        space,
        of.item_id.into(),
        of.source_id.into(),
        born.into(),
        of.words.map(|(id, _)| id).into(),
        of.words.map(|(_, hash)| hash).into(),
        confirmed.into(),
        born.into(),
    ]
}

/// Takes the words of all facts and summaries of a space that have none: it is from before they were kept. SQL cannot do that: not every
/// database computes a sha256.
pub(crate) fn take_stored_words(connection: &mut Connection, space: &Value) -> Result<(), Error> {
    let mut has = BTreeSet::new();
    for row in connection
        .query("SELECT item_id, source_id, born FROM fact_words WHERE space_id = ?", std::slice::from_ref(space))?
    {
        has.insert((row.int(0)?, row.int(1)?, row.int(2)?));
    }
    let sql = "SELECT lineage.item_id, lineage.source_id, items.born FROM lineage JOIN items ON items.space_id = lineage.space_id \
         AND items.item_id = lineage.item_id WHERE lineage.space_id = ? AND items.kind IN (?, ?)";
    let mut rests = Vec::new();
    for row in connection.query(sql, &[space.clone(), ItemKind::Fact.code().into(), ItemKind::Summary.code().into()])? {
        rests.push(Rests { item_id: row.int(0)?, source_id: row.int(1)?, born: row.int(2)? });
    }
    rests.extend(corrections(connection, space)?);
    rests.retain(|Rests { item_id, source_id, born }| !has.contains(&(*item_id, *source_id, *born)));
    take(connection, space, &rests)
}

/// A person's corrections, each with the message that the corrected fact quotes.
fn corrections(connection: &mut Connection, space: &Value) -> Result<Vec<Rests>, Error> {
    let sql = "SELECT facts.item_id, facts.source_id, facts.corrects, items.born FROM facts JOIN items \
         ON items.space_id = facts.space_id AND items.item_id = facts.item_id WHERE facts.space_id = ?";
    let mut facts = BTreeMap::new();
    for row in connection.query(sql, std::slice::from_ref(space))? {
        facts.insert(row.int(0)?, (row.optional_int(1)?, row.optional_int(2)?, row.int(3)?));
    }
    // A correction comes after what it corrects, whose message is known by then; an import may hold any number here.
    let (mut found, mut messages) = (Vec::new(), BTreeMap::new());
    for (item_id, (source, corrects, born)) in facts {
        let corrected = || corrects.filter(|id| *id < item_id).and_then(|id| messages.get(&id).copied());
        let Some(source_id) = source.or_else(corrected) else { continue };
        messages.insert(item_id, source_id);
        if source.is_none() {
            found.push(Rests { item_id, source_id, born });
        }
    }
    Ok(found)
}

/// Stores rows with the words of the sources as they are.
fn take(connection: &mut Connection, space: &Value, rests: &[Rests]) -> Result<(), Error> {
    for page in rests.chunks(IDS_AT_ONCE) {
        let ids: BTreeSet<i64> = page.iter().map(|rests| rests.source_id).collect();
        let places = vec!["?"; ids.len()].join(", ");
        let sql = format!("SELECT item_id, content FROM items WHERE space_id = ? AND item_id IN ({places})");
        let values: Vec<Value> = std::iter::once(space.clone()).chain(ids.into_iter().map(Value::Int)).collect();
        let mut hashes = BTreeMap::new();
        for row in connection.query(&sql, &values)? {
            hashes.insert(row.int(0)?, Digest::of(row.text(1)?));
        }
        let row = |rests: &Rests| {
            let words = Some((rests.source_id, *hashes.get(&rests.source_id)?));
            let of = FactWords { item_id: rests.item_id, source_id: rests.source_id, words };
            Some(words_row(space.clone(), &of, rests.born, 0))
        };
        connection.insert("fact_words", &COLUMNS, &page.iter().filter_map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}
