//! The labels of items, and how often items were used.

use super::facts::is_derived;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Confidence, Digest, Importance, ItemKind, LabelDraft, Labels, SpaceName, TermKind};
use serde::Serialize;
use std::collections::BTreeMap;

pub(crate) const COLUMNS: [&str; 18] = [
    "space_id",
    "item_id",
    "born",
    "topics",
    "category",
    "message_type",
    "entities",
    "importance",
    "confidence",
    "suggested_topic_hash",
    "suggested_topic",
    "suggested_category_hash",
    "suggested_category",
    "vocabulary_version",
    "enrichment_model",
    "backfill",
    "retired",
    "changed",
];

/// The labels of an item at some time.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelRow {
    pub item_id: i64,
    pub labels: Labels,
    /// The model that labelled it, or `built-in`.
    pub enrichment_model: String,
    /// The change of the vocabulary by which it was backfilled.
    pub backfill: Option<i64>,
    pub born: i64,
    pub retired: Option<i64>,
}

/// A term that labellers missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestionRow {
    pub hash: Digest,
    pub term: String,
    pub frequency: i64,
}

/// How often an item was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseRow {
    pub item_id: i64,
    pub uses: i64,
    /// The flush that counted them.
    pub changed: i64,
}

const SELECT: &str = "SELECT item_id, topics, category, message_type, entities, importance, confidence, suggested_topic, \
     suggested_category, vocabulary_version, enrichment_model, backfill, born, retired FROM labels";
const PAGE: usize = 512;

/// The columns of a suggestion: its hash, and its text.
fn suggestion(kind: TermKind) -> [&'static str; 2] {
    match kind {
        TermKind::Category => ["suggested_category_hash", "suggested_category"],
        _ => ["suggested_topic_hash", "suggested_topic"],
    }
}

impl Reading<'_> {
    /// The current labels of items, by item.
    pub fn labels_of(&mut self, space: SpaceId, item_ids: &[i64]) -> Result<BTreeMap<i64, LabelRow>, Error> {
        let mut found = BTreeMap::new();
        for ids in item_ids.chunks(PAGE) {
            let places = vec!["?"; ids.len()].join(", ");
            let sql = format!("{SELECT} WHERE space_id = ? AND item_id IN ({places}) AND retired IS NULL");
            let values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                let row = label(&row)?;
                found.insert(row.item_id, row);
            }
        }
        Ok(found)
    }

    /// Calls `take` with all labels of a space, by item and age.
    pub fn each_label(&mut self, space: SpaceId, mut take: impl FnMut(LabelRow)) -> Result<(), Error> {
        let sql = format!(
            "{SELECT} WHERE space_id = ? AND (item_id > ? OR (item_id = ? AND born > ?)) ORDER BY item_id, born LIMIT {PAGE}"
        );
        let (mut item, mut born) = (0, 0);
        loop {
            let rows = self.query(&sql, &[space.into(), Value::Int(item), Value::Int(item), Value::Int(born)])?;
            for row in &rows {
                let row = label(row)?;
                (item, born) = (row.item_id, row.born);
                take(row);
            }
            if rows.len() < PAGE {
                return Ok(());
            }
        }
    }

    /// Labels that were made or retired after a revision, by item and age.
    pub fn changed_labels(&mut self, space: SpaceId, since: i64) -> Result<Vec<LabelRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND changed > ? ORDER BY item_id, born");
        self.query(&sql, &[space.into(), since.into()])?.iter().map(label).collect()
    }

    /// How often items were used; those that never were are left out.
    pub fn uses_of(&mut self, space: SpaceId, items: &[i64]) -> Result<BTreeMap<i64, i64>, Error> {
        let mut uses = BTreeMap::new();
        for page in items.chunks(500) {
            let places = vec!["?"; page.len()].join(", ");
            let sql = format!("SELECT item_id, uses FROM uses WHERE space_id = ? AND item_id IN ({places})");
            let values: Vec<Value> = std::iter::once(space.into()).chain(page.iter().map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                uses.insert(row.int(0)?, row.int(1)?);
            }
        }
        Ok(uses)
    }

    /// Uses that were counted after a revision.
    pub fn changed_uses(&mut self, space: SpaceId, since: i64) -> Result<Vec<UseRow>, Error> {
        let sql = "SELECT item_id, uses, changed FROM uses WHERE space_id = ? AND changed > ? ORDER BY item_id";
        let row = |row: &Row| Ok(UseRow { item_id: row.int(0)?, uses: row.int(1)?, changed: row.int(2)? });
        self.query(sql, &[space.into(), since.into()])?.iter().map(row).collect()
    }

    /// The current labels of a space that follow an item, at most this many.
    pub fn labels_after(&mut self, space: SpaceId, item_id: i64, limit: usize) -> Result<Vec<LabelRow>, Error> {
        let sql =
            format!("{SELECT} WHERE space_id = ? AND item_id > ? AND retired IS NULL ORDER BY item_id LIMIT {limit}");
        self.query(&sql, &[space.into(), item_id.into()])?.iter().map(label).collect()
    }

    /// The live messages, facts and summaries that follow an item, at most this many: with the size of their texts if they have no labels of
    /// this labeller, and if a version is given, of that version; otherwise with 0, as facts that were taken from a message have, which is labelled itself.
    pub fn unlabelled(
        &mut self,
        space: SpaceId,
        after: i64,
        (labeller, version): (&str, Option<&str>),
        limit: usize,
    ) -> Result<Vec<(i64, usize)>, Error> {
        let sql = format!(
            "SELECT item_id, LENGTH(content), kind, source FROM items WHERE space_id = ? AND item_id > ? AND kind <> ? AND retired IS NULL \
             ORDER BY item_id LIMIT {limit}"
        );
        let rows = self.query(&sql, &[space.into(), after.into(), Value::Int(ItemKind::Chunk.code())])?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            let is_fact = row.int(2)? == ItemKind::Fact.code();
            let is_of_message = is_fact && is_derived(ItemKind::Fact, row.optional_text(3)?.as_deref());
            found.push((row.int(0)?, if is_of_message { 0 } else { row.int(1)? as usize }));
        }
        let Some((last, _)) = found.last() else { return Ok(found) };
        let sql = "SELECT item_id, enrichment_model, vocabulary_version FROM labels WHERE space_id = ? AND item_id > ? \
             AND item_id <= ? AND retired IS NULL";
        for row in self.query(sql, &[space.into(), after.into(), (*last).into()])? {
            let (item, by, of) = (row.int(0)?, row.text(1)?, row.text(2)?);
            let is_right = by == labeller && version.is_none_or(|version| version == of);
            if let (true, Ok(at)) = (is_right, found.binary_search_by_key(&item, |(id, _)| *id)) {
                found[at].1 = 0;
            }
        }
        Ok(found)
    }

    /// The suggestions of all spaces that are at least this frequent.
    pub fn suggestions(&mut self, kind: TermKind, min_frequency: i64) -> Result<Vec<SuggestionRow>, Error> {
        let [hash, text] = suggestion(kind);
        let sql = format!(
            "SELECT {hash}, COUNT(*) FROM labels WHERE {hash} IS NOT NULL AND retired IS NULL GROUP BY {hash} HAVING COUNT(*) >= ?"
        );
        let mut found = Vec::new();
        for row in self.query(&sql, &[min_frequency.into()])? {
            let digest = row.digest(0)?;
            let one = format!("SELECT {text} FROM labels WHERE {hash} = ? AND retired IS NULL LIMIT 1");
            let Some(term) = self.query_one(&one, &[digest.into()])? else { continue };
            found.push(SuggestionRow { hash: digest, term: term.text(0)?, frequency: row.int(1)? });
        }
        Ok(found)
    }

    /// The items that suggest a term, with their spaces: the first ones.
    pub fn suggesting(&mut self, kind: TermKind, hash: Digest, limit: usize) -> Result<Vec<(SpaceId, i64)>, Error> {
        let [column, _] = suggestion(kind);
        let sql = format!(
            "SELECT space_id, item_id FROM labels WHERE {column} = ? AND retired IS NULL ORDER BY space_id, item_id LIMIT {limit}"
        );
        let rows = self.query(&sql, &[hash.into()])?;
        rows.iter().map(|row| Ok((SpaceId(row.int(0)?), row.int(1)?))).collect()
    }

    /// The spaces in which items suggest a term.
    pub fn spaces_suggesting(&mut self, kind: TermKind, hash: Digest) -> Result<Vec<SpaceName>, Error> {
        let [column, _] = suggestion(kind);
        let sql = format!("SELECT DISTINCT space_id FROM labels WHERE {column} = ? AND retired IS NULL");
        self.names_of_rows(&sql, &[hash.into()])
    }

    /// The spaces in which items were backfilled by a change of the vocabulary.
    pub fn spaces_backfilled(&mut self, number: i64) -> Result<Vec<SpaceName>, Error> {
        let sql = "SELECT DISTINCT space_id FROM labels WHERE backfill = ? AND retired IS NULL";
        self.names_of_rows(sql, &[number.into()])
    }

    fn names_of_rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<SpaceName>, Error> {
        let mut ids = Vec::new();
        for row in self.query(sql, values)? {
            ids.push(row.int(0)?);
        }
        let spaces = self.spaces()?.into_iter().filter(|space| ids.contains(&space.id.0));
        Ok(spaces.map(|space| SpaceName::parse(&space.name)).collect::<Result<_, _>>()?)
    }

    /// The items of a space that suggest a term.
    pub fn suggesting_in(
        &mut self,
        space: SpaceId,
        kind: TermKind,
        hash: Digest,
        limit: usize,
    ) -> Result<Vec<LabelRow>, Error> {
        let [column, _] = suggestion(kind);
        let sql =
            format!("{SELECT} WHERE {column} = ? AND retired IS NULL AND space_id = ? ORDER BY item_id LIMIT {limit}");
        self.query(&sql, &[hash.into(), space.into()])?.iter().map(label).collect()
    }

    /// The current labels of a space that a change of the vocabulary made, each with the labels before it.
    pub fn backfilled_in(
        &mut self,
        space: SpaceId,
        number: i64,
        limit: usize,
    ) -> Result<Vec<(LabelRow, LabelRow)>, Error> {
        let sql =
            format!("{SELECT} WHERE backfill = ? AND retired IS NULL AND space_id = ? ORDER BY item_id LIMIT {limit}");
        let rows: Vec<LabelRow> =
            self.query(&sql, &[number.into(), space.into()])?.iter().map(label).collect::<Result<_, _>>()?;
        let mut pairs = Vec::with_capacity(rows.len());
        for row in rows {
            let before = format!("{SELECT} WHERE space_id = ? AND item_id = ? AND retired = ?");
            let before = self.query_one(&before, &[space.into(), row.item_id.into(), row.born.into()])?;
            let before = before.as_ref().map(label).transpose()?;
            let before = before.ok_or_else(|| Error::Corrupt {
                what: format!("item {} has no labels from before its backfill", row.item_id),
            })?;
            pairs.push((row, before));
        }
        Ok(pairs)
    }
}

fn label(row: &Row) -> Result<LabelRow, Error> {
    let item_id = row.int(0)?;
    let damaged = || Error::Corrupt { what: format!("the labels of item {item_id} cannot be read") };
    let draft = LabelDraft {
        topics: serde_json::from_str(&row.text(1)?).map_err(|_| damaged())?,
        category: row.text(2)?,
        message_type: row.text(3)?,
        entities: serde_json::from_str(&row.text(4)?).map_err(|_| damaged())?,
        importance: 0.0,
        confidence: Confidence::of_code(row.int(6)?).ok_or_else(damaged)?,
        suggested_topic: row.optional_text(7)?,
        suggested_category: row.optional_text(8)?,
    };
    let importance = Importance::from_millionths(row.int(5)?).ok_or_else(damaged)?;
    Ok(LabelRow {
        item_id,
        labels: Labels::restored(draft, importance, row.text(9)?),
        enrichment_model: row.text(10)?,
        backfill: row.optional_int(11)?,
        born: row.int(12)?,
        retired: row.optional_int(13)?,
    })
}

/// An item, its labels, who labelled it, and the change of the vocabulary that did.
pub type LabelledBy<'a> = (i64, &'a Labels, &'a str, Option<i64>);

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl Writing<'_> {
    /// Labels items that are new, and have no labels yet.
    pub fn label_new(&mut self, labels: &[LabelledBy<'_>]) -> Result<(), Error> {
        self.insert_labels(labels)
    }

    /// Labels items, and retires the labels they had.
    pub fn label(&mut self, labels: &[LabelledBy<'_>]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let sql = "UPDATE labels SET retired = ?, changed = ? WHERE space_id = ? AND item_id = ? AND retired IS NULL";
        for (item_id, ..) in labels {
            self.execute(sql, &[revision.into(), revision.into(), space.into(), (*item_id).into()])?;
        }
        self.insert_labels(labels)
    }

    fn insert_labels(&mut self, labels: &[LabelledBy<'_>]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let mut rows = Vec::with_capacity(labels.len());
        for (item_id, labels, enrichment_model, backfill) in labels {
            let hash = |term: Option<&str>| term.map(Digest::of).map_or(Value::Null, Value::from);
            rows.push(vec![
                space.into(),
                (*item_id).into(),
                revision.into(),
                json(labels.topics()).into(),
                labels.category().into(),
                labels.message_type().into(),
                json(labels.entities()).into(),
                Value::Int(labels.importance().millionths()),
                Value::Int(labels.confidence().code()),
                hash(labels.suggested_topic()),
                labels.suggested_topic().into(),
                hash(labels.suggested_category()),
                labels.suggested_category().into(),
                labels.vocabulary_version().into(),
                (*enrichment_model).into(),
                (*backfill).into(),
                Value::Null,
                revision.into(),
            ]);
        }
        self.insert("labels", &COLUMNS, &rows)
    }

    /// Counts uses of items; those that no longer exist are left out.
    pub fn count_uses(&mut self, uses: &[(i64, i64)]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let mut new = Vec::new();
        for (item_id, count) in uses {
            let sql = "UPDATE uses SET uses = uses + ?, changed = ? WHERE space_id = ? AND item_id = ?";
            let values = [Value::Int(*count), revision.into(), space.into(), (*item_id).into()];
            if self.execute(sql, &values)? == 0 && self.item(space, *item_id)?.is_some() {
                new.push(vec![space.into(), (*item_id).into(), (*count).into(), revision.into()]);
            }
        }
        self.insert("uses", &["space_id", "item_id", "uses", "changed"], &new)
    }
}
