//! Items: chunks, messages, facts and summaries. One table, one id space.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::text::SectionStart;
use recordar_domain::{Digest, Importance, ItemKind, Metadata, Role, Timestamp};

pub(crate) const COLUMNS: [&str; 27] = [
    "space_id",
    "item_id",
    "kind",
    "document_id",
    "version_id",
    "thread_id",
    "position",
    "overlap",
    "section",
    "role",
    "source",
    "content",
    "tokens",
    "importance",
    "metadata",
    "occurred_at",
    "recorded_at",
    "category_id",
    "category_leaf",
    "born",
    "retired",
    "changed",
    "speaker",
    "own_id_hash",
    "own_id",
    "sections",
    "place",
];

/// A chunk to be stored: a slice of its document, with the overlap in front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChunk<'a> {
    pub text: &'a str,
    /// Bytes at the front that repeat the previous chunk.
    pub overlap: usize,
    /// The section in which its own text begins.
    pub section: Option<String>,
    /// The sections that begin in its text, overlap included.
    pub sections: Vec<SectionStart>,
    pub tokens: usize,
}

/// A chunk that is new in a version, and where it is there.
pub(super) struct PlacedChunk<'a> {
    pub(super) chunk: &'a NewChunk<'a>,
    pub(super) position: usize,
    /// Absent if its position orders it.
    pub(super) place: Option<i64>,
    pub(super) leaf: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkRow {
    pub id: i64,
    pub position: i64,
    pub overlap: usize,
    pub section: Option<String>,
    pub sections: Vec<SectionStart>,
    pub text: String,
    pub tokens: i64,
}

/// A message, fact or summary to be stored; its thread is already known.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageRow<'a> {
    pub kind: ItemKind,
    pub thread_id: Option<i64>,
    pub role: Role,
    pub source: Option<&'a str>,
    /// The speaker, if more than the role is known.
    pub speaker: Option<&'a str>,
    pub text: &'a str,
    pub tokens: usize,
    pub importance: Option<Importance>,
    pub metadata: &'a Metadata,
    /// The caller's time; ours if the caller gives none.
    pub occurred_at: Option<Timestamp>,
    /// The id that the caller gave it.
    pub own_id: Option<&'a str>,
}

/// The provenance of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginRow {
    pub id: i64,
    pub metadata: String,
    pub text: String,
    pub is_live: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    pub id: i64,
    pub kind: ItemKind,
    pub document_id: Option<i64>,
    pub version_id: Option<i64>,
    pub thread_id: Option<i64>,
    pub role: Option<String>,
    pub source: Option<String>,
    pub speaker: Option<String>,
    pub text: String,
    pub tokens: i64,
    pub importance: Option<Importance>,
    pub metadata: Option<String>,
    pub occurred_at: Timestamp,
    pub recorded_at: Timestamp,
    pub born: i64,
    pub retired: Option<i64>,
    pub section: Option<String>,
    pub sections: Vec<SectionStart>,
    pub own_id: Option<String>,
    /// Bytes at the front that repeat the chunk before.
    pub overlap: usize,
}

pub(super) const SELECT_ITEM: &str = "SELECT item_id, kind, document_id, version_id, thread_id, role, source, content, tokens, \
     importance, metadata, occurred_at, recorded_at, born, retired, section, speaker, sections, own_id, overlap FROM items";

impl Reading<'_> {
    pub fn item(&mut self, space: SpaceId, id: i64) -> Result<Option<ItemRow>, Error> {
        let sql = format!("{SELECT_ITEM} WHERE space_id = ? AND item_id = ?");
        self.query_one(&sql, &[space.into(), id.into()])?.as_ref().map(item).transpose()
    }

    /// Some items, in the order of their ids; those that do not exist are left out.
    pub fn items(&mut self, space: SpaceId, ids: &[i64]) -> Result<Vec<ItemRow>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let places = vec!["?"; ids.len()].join(", ");
        let sql = format!("{SELECT_ITEM} WHERE space_id = ? AND item_id IN ({places}) ORDER BY item_id");
        let values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
        self.query(&sql, &values)?.iter().map(item).collect()
    }

    /// The live messages of a thread, or those without one, in the order of their times; at the same time, as they were stored.
    pub fn messages(&mut self, space: SpaceId, thread_id: Option<i64>) -> Result<Vec<ItemRow>, Error> {
        let (condition, thread) = match thread_id {
            Some(thread_id) => ("thread_id = ?", thread_id),
            None => ("thread_id IS NULL AND kind = ?", ItemKind::Message.code()),
        };
        let sql = format!("{SELECT_ITEM} WHERE space_id = ? AND {condition} AND retired IS NULL ORDER BY item_id");
        let rows = self.query(&sql, &[space.into(), thread.into()])?;
        let mut items: Vec<ItemRow> = rows.iter().map(item).collect::<Result<_, Error>>()?;
        items.sort_by_key(|item| (item.occurred_at, item.id));
        Ok(items)
    }

    /// The last messages of a thread at a revision, the newest first; at most so many.
    pub fn last_messages(
        &mut self,
        space: SpaceId,
        thread_id: i64,
        revision: i64,
        most: usize,
    ) -> Result<Vec<ItemRow>, Error> {
        let sql = format!(
            "{SELECT_ITEM} WHERE space_id = ? AND thread_id = ? AND kind = ? AND born <= ? \
             AND (retired IS NULL OR retired > ?) ORDER BY occurred_at DESC, item_id DESC LIMIT {most}"
        );
        let kind = ItemKind::Message.code();
        let values = [space.into(), thread_id.into(), kind.into(), revision.into(), revision.into()];
        self.query(&sql, &values)?.iter().map(item).collect()
    }

    /// Calls `take` with all items of a thread that have metadata, retired ones too, or with those without a thread.
    pub fn each_with_metadata(
        &mut self,
        space: SpaceId,
        thread_id: Option<i64>,
        mut take: impl FnMut(OriginRow),
    ) -> Result<(), Error> {
        const PAGE: usize = 256;
        let select = "SELECT item_id, metadata, content, retired FROM items WHERE space_id = ? AND item_id > ? \
             AND metadata IS NOT NULL";
        let (which, value) = match thread_id {
            Some(thread) => ("thread_id = ?", thread),
            None => ("thread_id IS NULL AND kind <> ?", ItemKind::Chunk.code()),
        };
        let sql = format!("{select} AND {which} ORDER BY item_id LIMIT {PAGE}");
        let mut last = 0;
        loop {
            let rows = self.query(&sql, &[space.into(), Value::Int(last), Value::Int(value)])?;
            for row in &rows {
                last = row.int(0)?;
                let is_live = row.optional_int(3)?.is_none();
                take(OriginRow { id: last, metadata: row.text(1)?, text: row.text(2)?, is_live });
            }
            if rows.len() < PAGE {
                return Ok(());
            }
        }
    }
}

pub(super) fn item(row: &Row) -> Result<ItemRow, Error> {
    let damaged = || Error::Corrupt { what: format!("item {:?} has an unknown kind", row.0[0]) };
    Ok(ItemRow {
        id: row.int(0)?,
        kind: ItemKind::of_code(row.int(1)?).ok_or_else(damaged)?,
        document_id: row.optional_int(2)?,
        version_id: row.optional_int(3)?,
        thread_id: row.optional_int(4)?,
        role: row.optional_text(5)?,
        source: row.optional_text(6)?,
        text: row.text(7)?,
        tokens: row.int(8)?,
        importance: row.optional_int(9)?.and_then(Importance::from_millionths),
        metadata: row.optional_text(10)?,
        occurred_at: row.time(11)?,
        recorded_at: row.time(12)?,
        born: row.int(13)?,
        retired: row.optional_int(14)?,
        section: row.optional_text(15)?,
        speaker: row.optional_text(16)?,
        sections: sections(row, 17)?,
        own_id: row.optional_text(18)?,
        overlap: row.int(19)? as usize,
    })
}

/// The sections that begin in an item; none if it was stored before they were recorded.
pub(super) fn sections(row: &Row, column: usize) -> Result<Vec<SectionStart>, Error> {
    let Some(json) = row.optional_text(column)? else { return Ok(Vec::new()) };
    let damaged = |_| Error::Corrupt { what: format!("item {:?} has unreadable sections", row.0[0]) };
    serde_json::from_str(&json).map_err(damaged)
}

pub(super) fn sections_json(sections: &[SectionStart]) -> Value {
    (!sections.is_empty()).then(|| serde_json::json!(sections).to_string()).into()
}

/// The columns of a new item, by name; only `insert_items` knows their order.
struct Columns {
    kind: ItemKind,
    document_id: Value,
    version_id: Value,
    thread_id: Value,
    position: i64,
    overlap: i64,
    section: Value,
    sections: Value,
    role: Value,
    source: Value,
    speaker: Value,
    text: String,
    tokens: i64,
    importance: Value,
    metadata: Value,
    occurred_at: Timestamp,
    own_id: Option<String>,
    /// Its category.
    leaf: Option<i64>,
    place: Value,
}

impl Columns {
    fn new(kind: ItemKind, text: &str, tokens: usize, occurred_at: Timestamp) -> Self {
        Self {
            kind,
            document_id: Value::Null,
            version_id: Value::Null,
            thread_id: Value::Null,
            position: 0,
            overlap: 0,
            section: Value::Null,
            sections: Value::Null,
            role: Value::Null,
            source: Value::Null,
            speaker: Value::Null,
            text: text.to_owned(),
            tokens: tokens as i64,
            importance: Value::Null,
            metadata: Value::Null,
            occurred_at,
            own_id: None,
            leaf: None,
            place: Value::Null,
        }
    }
}

impl Writing<'_> {
    /// Stores chunks that are new in a version, from an id on.
    pub(super) fn add_chunks(
        &mut self,
        first: i64,
        [document_id, version_id]: [i64; 2],
        occurred_at: Timestamp,
        chunks: &[PlacedChunk<'_>],
    ) -> Result<(), Error> {
        let columns = |placed: &PlacedChunk<'_>| Columns {
            leaf: placed.leaf,
            document_id: document_id.into(),
            version_id: version_id.into(),
            position: placed.position as i64,
            place: placed.place.into(),
            overlap: placed.chunk.overlap as i64,
            section: placed.chunk.section.clone().into(),
            sections: sections_json(&placed.chunk.sections),
            ..Columns::new(ItemKind::Chunk, placed.chunk.text, placed.chunk.tokens, occurred_at)
        };
        self.insert_items(first, chunks.iter().map(columns).collect())
    }

    /// Stores messages in the given order and returns the id of the first; the others follow it.
    pub fn add_messages(&mut self, messages: &[MessageRow<'_>]) -> Result<i64, Error> {
        let now = self.space.recorded_at;
        let columns = |message: &MessageRow<'_>| Columns {
            thread_id: message.thread_id.into(),
            role: message.role.name().into(),
            source: message.source.into(),
            speaker: message.speaker.into(),
            importance: message.importance.map(Importance::millionths).into(),
            metadata: (!message.metadata.is_empty()).then(|| message.metadata.to_json()).into(),
            own_id: message.own_id.map(str::to_owned),
            ..Columns::new(message.kind, message.text, message.tokens, message.occurred_at.unwrap_or(now))
        };
        let first = self.allocate_ids(messages.len());
        self.insert_items(first, messages.iter().map(columns).collect())?;
        Ok(first)
    }

    fn insert_items(&mut self, first: i64, items: Vec<Columns>) -> Result<(), Error> {
        let space = &self.space;
        let row = |(id, item): (i64, Columns)| {
            vec![
                space.id.into(),
                id.into(),
                Value::Int(item.kind.code()),
                item.document_id,
                item.version_id,
                item.thread_id,
                item.position.into(),
                item.overlap.into(),
                item.section,
                item.role,
                item.source,
                item.text.into(),
                item.tokens.into(),
                item.importance,
                item.metadata,
                item.occurred_at.into(),
                space.recorded_at.into(),
                item.leaf.into(),
                item.leaf.map(|_| 1).into(),
                space.revision.into(),
                Value::Null,
                space.revision.into(),
                item.speaker,
                item.own_id.as_ref().map(Digest::of).into(),
                item.own_id.into(),
                item.sections,
                item.place,
            ]
        };
        let rows: Vec<Vec<Value>> = (first..).zip(items).map(row).collect();
        self.insert("items", &COLUMNS, &rows)
    }

    /// Retires an item that another one replaces, with the facts that it states and the summaries made of it. False if there is no live item with that id.
    pub fn retire_item(&mut self, id: i64) -> Result<bool, Error> {
        let revision = Value::Int(self.space.revision);
        let sql = "UPDATE items SET retired = ?, changed = ? WHERE space_id = ? AND item_id = ? AND retired IS NULL";
        let is_retired = self.execute(sql, &[revision.clone(), revision, self.space.id.into(), id.into()])? > 0;
        if is_retired {
            self.take_back_facts(id)?;
            self.take_back_summaries(id)?;
        }
        Ok(is_retired)
    }

    /// Records that an item was derived from others; forgetting one of those forgets it too.
    pub fn derive(&mut self, item_id: i64, sources: &[i64]) -> Result<(), Error> {
        self.derive_all(&sources.iter().map(|source| (item_id, *source)).collect::<Vec<_>>())
    }

    /// The same for several items: pairs of an item and a source.
    pub(super) fn derive_all(&mut self, derived: &[(i64, i64)]) -> Result<(), Error> {
        let space = self.space.id;
        let row = |(item, source): &(i64, i64)| vec![space.into(), (*item).into(), (*source).into()];
        self.insert(
            "lineage",
            &["space_id", "item_id", "source_id"],
            &derived.iter().map(row).collect::<Vec<Vec<Value>>>(),
        )?;
        self.take_words(derived)
    }
}
