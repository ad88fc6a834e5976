//! Checks of the columns of an imported row against each other: rows that `remember`, `ingest` and `recall` would never have written
//! are rejected, since later readers rely on that.

use super::tables::{Holds, Table};
use super::{SourcesOf, SpaceLine, refuse, refuse_column};
use crate::driver::Connection;
use crate::error::Error;
use crate::table::{EXPIRY_KINDS, EXPIRY_OF_TAG, HelperOrigin, MAX_RECORD_BYTES, TOMBSTONE_KINDS, record_parts};
use crate::value::Value;
use recordar_domain::text::SectionStart;
use recordar_domain::{
    Attributes, Confidence, Digest, DocumentName, Entity, FactMethod, FileType, Importance, Invalid, ItemKind,
    MAX_TOPICS, Metadata, Role, StandingText, Statement, check_own_id, plain, term_name,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Checks<'a> {
    /// A forgotten space contains only the hashes of its operations.
    is_forgotten: bool,
    /// No row may be about an id that will be given later.
    next_id: i64,
    sources_of: &'a SourcesOf,
    /// Items that receipts name and that have not yet appeared as a source.
    sources: BTreeMap<Digest, BTreeSet<(Digest, i64)>>,
    /// The ids that were forgotten here, by space.
    forgotten: BTreeMap<Digest, BTreeSet<i64>>,
    /// The own ids of live items: none may have two.
    own_ids: BTreeSet<Digest>,
    /// The previous chunk, by version and position.
    chunk: Option<(i64, i64, String)>,
    /// The previous part of a record, without its number and content; and how many parts follow.
    record: (Vec<Value>, usize),
    /// The buckets that have no record yet.
    buckets: BTreeSet<Digest>,
    /// The document of every version.
    versions: BTreeMap<i64, i64>,
    /// The previous standing text, by kind and number.
    standing_text: (i64, i64),
}

impl<'a> Checks<'a> {
    pub(super) fn new(space: &SpaceLine, sources_of: &'a SourcesOf) -> Self {
        let (sources, forgotten) = (BTreeMap::new(), BTreeMap::new());
        Self {
            is_forgotten: space.name.is_empty(),
            next_id: space.next_id,
            sources_of,
            sources,
            forgotten,
            own_ids: BTreeSet::new(),
            chunk: None,
            record: (Vec::new(), 0),
            buckets: BTreeSet::new(),
            versions: BTreeMap::new(),
            standing_text: (0, 0),
        }
    }

    pub(super) fn finish(&self) -> Result<(), Error> {
        if !self.buckets.is_empty() || self.record.1 > 0 {
            return Err(refuse("a bucket has no records, or a record is incomplete"));
        }
        if self.sources.values().all(BTreeSet::is_empty) {
            Ok(())
        } else {
            Err(refuse("a receipt names an item that is missing"))
        }
    }

    pub(super) fn check(&mut self, connection: &mut Connection, table: &Table, values: &[Value]) -> Result<(), Error> {
        let row = Fields { table, values };
        for column in table.columns {
            if let Holds::HashOf(name) = column.holds
                && let Some(text) = row.text(name)
                && !text.is_empty()
                && *row.value(column.name) != Digest::of(text).into()
            {
                return Err(refuse_column(table, column, &format!("it is not the sha256 of {name}")));
            }
        }
        if self.is_forgotten && !is_hashed_operation(&row) {
            return Err(refuse("a space without a name has rows"));
        }
        let is_right = match table.name {
            "operations" => is_operation(&row),
            "threads" => row.text("name").is_some_and(|name| !name.is_empty()),
            "documents" => is_document(&row),
            "versions" => is_version(&row) && self.note_version(&row),
            "attributes" => has_attributes(&row),
            "roots" => {
                row.is_retired_in_time()
                    && row.text("root").is_some_and(|root| std::path::Path::new(root).is_absolute())
            }
            "headings" => row.text("sections").is_none_or(|json| in_order(json).is_some()),
            "items" => is_item(&row) && self.has_true_overlap(&row) && self.is_only_live_one(&row),
            "helpers" => is_helper(&row),
            // A derived item comes after its sources, so nothing is derived from itself.
            "lineage" => row.int("source_id") < row.int("item_id"),
            "facts" => is_fact(&row),
            "fact_marks" => row.int("is_retired").is_some_and(|mark| mark <= 1),
            "fact_words" => row.int("confirmed") == Some(1) && row.has("words_id") == row.has("words_hash"),
            "important_marks" => row.int("is_important").is_some_and(|mark| mark <= 1),
            "standing_texts" => self.is_standing_text(&row),
            "abouts" => row.int("version_id").and_then(|id| self.versions.get(&id).copied()) == row.int("document_id"),
            "labels" => is_labels(&row),
            "expiries" => is_expiry(&row, self.next_id),
            "buckets" => self.note_bucket(&row),
            "records" => self.is_record(&row),
            "tombstones" => row.int("kind").is_some_and(|kind| TOMBSTONE_KINDS.contains(&kind)),
            "receipts" => self.note_sources(&row)?,
            "receipt_sources" => return self.check_source(connection, &row),
            _ => true,
        };
        if is_right { Ok(()) } else { Err(refuse(format!("a row of {} is inconsistent", table.name))) }
    }

    fn note_sources(&mut self, row: &Fields<'_>) -> Result<bool, Error> {
        let sources = (self.sources_of)(row.text("body").unwrap_or_default())?;
        Ok(row.digest("receipt_hash").is_some_and(|receipt| self.sources.insert(receipt, sources).is_none()))
    }

    /// A source must be named in the receipt's body. Forgotten items must not come back with a receipt.
    fn check_source(&mut self, connection: &mut Connection, row: &Fields<'_>) -> Result<(), Error> {
        let (Some(receipt), Some(space), Some(id)) =
            (row.digest("receipt_hash"), row.digest("source_hash"), row.int("source_id"))
        else {
            return Err(refuse("a source of a receipt cannot be read"));
        };
        if !self.sources.get_mut(&receipt).is_some_and(|sources| sources.remove(&(space, id))) {
            return Err(refuse("a receipt does not name its source"));
        }
        let forgotten = match self.forgotten.entry(space) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(forgotten_ids(connection, space)?),
        };
        let was_forgotten = forgotten.contains(&id);
        let copy = row.text("body").map(serde_json::from_str::<serde_json::Value>).transpose();
        let Ok(copy) = copy else { return Err(refuse("a copy of an item cannot be read")) };
        let holds_more = copy.map_or(Ok(false), |copy| holds_forgotten_words(connection, space, id, &copy))?;
        if was_forgotten || holds_more {
            let remedy = "remove the receipt with `recordar forget receipt` in the source database and export again, or import into another database";
            return Err(Invalid::new("a receipt names an item that was forgotten in this database", remedy).into());
        }
        Ok(())
    }

    fn note_bucket(&mut self, row: &Fields<'_>) -> bool {
        row.text("bucket").is_some_and(|name| !name.trim().is_empty())
            && row.digest("bucket_hash").is_some_and(|bucket| self.buckets.insert(bucket))
    }

    /// The parts of a record follow each other, and differ only in their number and content.
    fn is_record(&mut self, row: &Fields<'_>) -> bool {
        const SHARED: [&str; 7] = ["bucket_hash", "name", "bytes", "born", "position", "changed", "recorded_at"];
        let (Some(part), Some(bytes)) =
            (row.int("part"), row.int("bytes").and_then(|bytes| usize::try_from(bytes).ok()))
        else {
            return false;
        };
        let shared: Vec<Value> = SHARED.iter().map(|name| row.value(name).clone()).collect();
        let expected = record_parts(bytes).nth(part as usize);
        let continues = match (part, &self.record) {
            (0, (_, missing)) => *missing == 0,
            (_, (before, missing)) => *missing > 0 && *before == shared,
        };
        let Some((_, size)) = expected.filter(|_| continues && bytes <= MAX_RECORD_BYTES) else { return false };
        self.record = (shared, record_parts(bytes).count() - 1 - part as usize);
        if let Some(bucket) = row.digest("bucket_hash") {
            self.buckets.remove(&bucket);
        }
        row.bytes("content").is_some_and(|content| content.len() == size)
            && row.bytes("name").is_some_and(|name| !name.is_empty() && std::str::from_utf8(name).is_ok())
            && row.int("born") <= row.int("changed")
    }

    fn note_version(&mut self, row: &Fields<'_>) -> bool {
        self.versions.extend(row.int("version_id").zip(row.int("document_id")));
        true
    }

    /// The versions of a standing text are numbered without gaps.
    fn is_standing_text(&mut self, row: &Fields<'_>) -> bool {
        let (Some(code), Some(number)) = (row.int("kind"), row.int("number")) else { return false };
        let before = if self.standing_text.0 == code { self.standing_text.1 } else { 0 };
        self.standing_text = (code, number);
        number == before + 1
            && StandingText::of_code(code).zip(row.text("content")).is_some_and(|(kind, text)| kind.check(text).is_ok())
    }

    fn is_only_live_one(&mut self, row: &Fields<'_>) -> bool {
        row.has("retired") || row.digest("own_id_hash").is_none_or(|hash| self.own_ids.insert(hash))
    }

    /// Whether a chunk's overlap is the end of the chunk before.
    fn has_true_overlap(&mut self, row: &Fields<'_>) -> bool {
        if row.int("kind") != Some(ItemKind::Chunk.code()) {
            return true;
        }
        let (Some(version), Some(position), Some(text)) =
            (row.int("version_id"), row.int("position"), row.text("content"))
        else {
            return false;
        };
        let overlap = row.int("overlap").and_then(|overlap| text.get(..usize::try_from(overlap).ok()?));
        let continues = overlap.is_some_and(|overlap| match &self.chunk {
            // The chunk before it may be one of an earlier version.
            _ if row.has("place") => true,
            Some((before, at, _)) if *before == version && *at >= position => false,
            _ if overlap.is_empty() => true,
            // It may span several short chunks.
            Some((before, at, end)) if (*before, *at + 1) == (version, position) => {
                end.ends_with(overlap) || overlap.ends_with(end.as_str())
            }
            _ => false,
        });
        self.chunk = Some((version, position, text.to_owned()));
        continues
    }
}

struct Fields<'r> {
    table: &'r Table,
    values: &'r [Value],
}

impl<'r> Fields<'r> {
    fn value(&self, name: &str) -> &'r Value {
        let place = self.table.columns.iter().position(|column| column.name == name);
        place.map_or(&Value::Null, |place| &self.values[place])
    }

    fn int(&self, name: &str) -> Option<i64> {
        if let Value::Int(number) = self.value(name) { Some(*number) } else { None }
    }

    fn text(&self, name: &str) -> Option<&'r str> {
        if let Value::Text(text) = self.value(name) { Some(text) } else { None }
    }

    fn digest(&self, name: &str) -> Option<Digest> {
        if let Value::Bytes(bytes) = self.value(name) { bytes.as_slice().try_into().ok().map(Digest) } else { None }
    }

    fn bytes(&self, name: &str) -> Option<&'r [u8]> {
        if let Value::Bytes(bytes) = self.value(name) { Some(bytes) } else { None }
    }

    fn has(&self, name: &str) -> bool {
        *self.value(name) != Value::Null
    }

    fn is_retired_in_time(&self) -> bool {
        self.int("retired").is_none_or(|retired| self.int("born").is_some_and(|born| born < retired))
    }
}

/// The forget operation itself was recorded after all others had lost their ids.
fn is_hashed_operation(row: &Fields<'_>) -> bool {
    let is_hashed = row.text("operation_id") == Some("") && !row.has("request_hash");
    row.table.name == "operations" && (is_hashed || row.text("kind") == Some("forget"))
}

fn is_operation(row: &Fields<'_>) -> bool {
    let is_done = row.int("state") == Some(1) && row.has("revision") && row.has("result");
    let has_failed = row.int("state") == Some(2) && !row.has("revision");
    row.int("first_id") <= row.int("end_id") && (is_done || has_failed)
}

fn is_document(row: &Fields<'_>) -> bool {
    let Some(path) = row.text("path").filter(|path| !path.trim().is_empty()) else { return false };
    let name = match (row.text("collection"), row.text("name")) {
        (Some(collection), Some(name)) => {
            DocumentName { collection: Some(collection.to_owned()), name: name.to_owned() }
        }
        (None, None) => DocumentName::of_path(path),
        _ => return false,
    };
    !name.name.trim().is_empty() && row.digest("path_hash") == Some(name.digest())
}

fn is_version(row: &Fields<'_>) -> bool {
    has_attributes(row)
        && row.text("file_type").is_some_and(|name| FileType::parse(name).is_ok())
        && row.int("number").is_some_and(|number| number > 0)
        && row.has("name") == row.has("name_hash")
        && row.is_retired_in_time()
}

fn has_attributes(row: &Fields<'_>) -> bool {
    let owned = |name: &str| row.text(name).map(str::to_owned);
    let tags: Option<Vec<String>> = row.text("tags").and_then(|tags| serde_json::from_str(tags).ok());
    let metadata = row.text("metadata").and_then(|json| Metadata::from_json(json).ok());
    let (Some(tags), Some(metadata)) = (tags, metadata) else { return false };
    let tags = tags.iter().map(String::as_str);
    Attributes::new(tags, owned("topic"), owned("note"), owned("provider"), metadata).is_ok()
}

fn is_item(row: &Fields<'_>) -> bool {
    let Some(kind) = row.int("kind").and_then(ItemKind::of_code) else { return false };
    let is_in_place = match kind {
        ItemKind::Chunk => row.has("document_id") && row.has("version_id") && !row.has("thread_id"),
        ItemKind::Message | ItemKind::Fact | ItemKind::Summary => {
            !row.has("document_id") && !row.has("version_id") && row.int("overlap") == Some(0)
        }
    };
    let may_be_named = kind != ItemKind::Chunk || !row.has("own_id");
    is_in_place
        && may_be_named
        && row.text("own_id").is_some() == row.digest("own_id_hash").is_some()
        && row.text("own_id").is_none_or(|id| check_own_id(id).is_ok())
        && row.text("role").is_none_or(|role| Role::parse(role).is_ok())
        && row.int("importance").is_none_or(|millionths| Importance::from_millionths(millionths).is_some())
        && row.text("metadata").is_none_or(|json| Metadata::from_json(json).is_ok())
        && row.text("sections").is_none_or(|json| kind == ItemKind::Chunk && are_sections(json, row.text("content")))
        && row.is_retired_in_time()
}

/// Sections, if they are in the order of a text.
fn in_order(json: &str) -> Option<Vec<SectionStart>> {
    let sections: Vec<SectionStart> = serde_json::from_str(json).ok()?;
    (!sections.is_empty() && sections.is_sorted_by_key(|start| start.at)).then_some(sections)
}

/// Whether these are sections that begin in a text, in its order.
fn are_sections(json: &str, text: Option<&str>) -> bool {
    let begins =
        |start: &SectionStart| text.is_some_and(|text| start.at < text.len() && text.is_char_boundary(start.at));
    in_order(json).is_some_and(|sections| sections.iter().all(begins))
}

/// Whether a row of labels is one that the vocabulary it names can have made: terms look like terms, and there are one to three topics.
fn is_labels(row: &Fields<'_>) -> bool {
    let is_term = |name: &str| term_name(name).is_ok_and(|term| term == name);
    let topics: Vec<String> = row.text("topics").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let entities: Option<Vec<Entity>> = row.text("entities").and_then(|text| serde_json::from_str(text).ok());
    let is_optional_term = |name: &str| row.text(name).is_none_or(is_term);
    let has_hash = |hash: &str, text: &str| row.digest(hash).is_some() == row.text(text).is_some();
    (1..=MAX_TOPICS).contains(&topics.len())
        && topics.iter().all(|topic| is_term(topic))
        && row.text("category").is_some_and(is_term)
        && row.text("message_type").is_some_and(is_term)
        && entities.is_some_and(|entities| entities.iter().all(|entity| is_term(&entity.kind)))
        && row.int("importance").and_then(Importance::from_millionths).is_some()
        && row.int("confidence").and_then(Confidence::of_code).is_some()
        && is_optional_term("suggested_topic")
        && is_optional_term("suggested_category")
        && has_hash("suggested_topic_hash", "suggested_topic")
        && has_hash("suggested_category_hash", "suggested_category")
        && row.int("retired").is_none_or(|retired| row.int("born").is_some_and(|born| born < retired))
}

fn is_fact(row: &Fields<'_>) -> bool {
    let statement = Statement {
        subject: row.text("subject").unwrap_or_default().to_owned(),
        attribute: row.text("attribute").unwrap_or_default().to_owned(),
        value: row.text("value").unwrap_or_default().to_owned(),
        is_many: row.int("many") == Some(1),
    };
    let has_span = match (row.int("span_start"), row.int("span_end")) {
        (Some(start), Some(end)) => row.has("source_id") && start < end,
        (None, None) => !row.has("source_id") && !row.has("thread_id"),
        _ => false,
    };
    statement.check().is_ok()
        && row.digest("key_hash") == Some(statement.key())
        && row.digest("subject_hash") == Some(Digest::of(plain(&statement.subject)))
        && row.int("confidence").and_then(Importance::from_millionths).is_some()
        && row.int("method").and_then(FactMethod::of_code).is_some()
        && ["many", "own"].iter().all(|flag| row.int(flag).is_some_and(|flag| flag <= 1))
        && has_span
        && row.int("source_id").is_none_or(|source| row.int("item_id").is_some_and(|id| source < id))
}

fn is_helper(row: &Fields<'_>) -> bool {
    row.int("origin").and_then(HelperOrigin::of_code).is_some()
        && row.int("number").is_some_and(|number| number > 0)
        && row.text("content").is_some_and(|text| !text.trim().is_empty())
        && row.is_retired_in_time()
}

/// A thread or an item by its id, or a tag by its text.
fn is_expiry(row: &Fields<'_>, next_id: i64) -> bool {
    let (kind, subject) = (row.int("kind").unwrap_or_default(), row.int("subject").unwrap_or_default());
    let is_right = match kind == EXPIRY_OF_TAG {
        true => subject == 0 && row.text("tag").is_some_and(|tag| !tag.is_empty()),
        false => (1..next_id).contains(&subject) && !row.has("tag") && row.digest("tag_hash") == Some(Digest::of("")),
    };
    EXPIRY_KINDS.contains(&kind) && is_right
}

fn forgotten_ids(connection: &mut Connection, space: Digest) -> Result<BTreeSet<i64>, Error> {
    let sql = "SELECT t.id FROM tombstones t JOIN spaces s ON s.space_id = t.space_id WHERE s.name_hash = ?";
    connection.query(sql, &[space.into()])?.iter().map(|row| row.int(0)).collect()
}

/// Whether a copy of a chunk contains words that were cut from the chunk here with a forgotten neighbour.
fn holds_forgotten_words(
    connection: &mut Connection,
    space: Digest,
    id: i64,
    copy: &serde_json::Value,
) -> Result<bool, Error> {
    let Some(text) = copy["text"].as_str() else { return Err(refuse("a copy of an item cannot be read")) };
    let sql = "SELECT i.content FROM items i JOIN spaces s ON s.space_id = i.space_id \
         WHERE s.name_hash = ? AND i.item_id = ? AND i.kind = ?";
    let here = connection.query(sql, &[space.into(), id.into(), ItemKind::Chunk.code().into()])?;
    let here = here.first().map(|row| row.text(0)).transpose()?;
    Ok(here.is_some_and(|here| here.len() < text.len() && text.contains(&here)))
}
