//! Changing an item, and its history. A change is a new row that takes the place of the old one, in one transaction: `as_of` still sees the
//! old one.

use super::items::{ItemName, StoredItem, called, named, views};
use super::remember::add_messages;
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::{Labelling, ensure_working};
use crate::fact::Extraction;
use crate::summary::Summarising;
use recordar_core::error::Error;
use recordar_core::fact::changed_words;
use recordar_core::route::Items;
use recordar_core::route::replacement::{Replacement, UPDATE, replacement_at};
use recordar_domain::{
    Digest, Hasher, Invalid, ItemKind, Message, Metadata, OperationId, Role, SUMMARISED, SpaceName, Timestamp,
};
use recordar_store::{
    AboutRow, Error as StoreError, ExpirySubject, FactWords, FactsOf, ItemRow, Operation, Reading, Settled, SpaceId,
    Writing,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A history has at most so many entries, the newest ones.
const MAX_ENTRIES: usize = 1000;

/// What to change of a message, fact or summary. What is absent stays.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateRequest {
    pub name: ItemName,
    pub text: Option<String>,
    /// Takes the place of all metadata.
    pub metadata: Option<Metadata>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Updated {
    pub space: String,
    pub operation: String,
    pub revision: i64,
    /// Its number from now on.
    pub item_id: i64,
    /// The number of the row that it replaced; the same if nothing changed.
    pub replaced: i64,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ItemHistory {
    pub space: String,
    /// The newest first.
    pub entries: Vec<HistoryEntry>,
}

/// An item at one time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HistoryEntry {
    #[serde(flatten)]
    pub item: StoredItem,
    /// When another took its place; absent if it is live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
}

impl Recordar {
    /// Changes the text or the metadata of a message, fact or summary. It keeps its thread, role, speaker, time and own id.
    pub fn update(
        &self,
        space: &SpaceName,
        request: &UpdateRequest,
        operation: &OperationId,
    ) -> Result<Updated, Error> {
        if request.text.is_none() && request.metadata.is_none() {
            return Err(Invalid::new("nothing to change was given", "give a new text, new metadata, or both").into());
        }
        let operation = Operation { id: operation, kind: UPDATE, request: request.digest() };
        let labelling = Labelling::of(self)?;
        let mut revision_before = 0;
        let now = (self.clock)();
        let extraction = Extraction::of(self, now);
        let summarising = Summarising::of(self, now);
        let written = self.store.write(space, &operation, now, |writing| {
            revision_before = writing.revision() - 1;
            let row = current(writing, space, &request.name)?;
            let message = changed(writing, &row, request)?;
            let metadata = (!message.metadata.is_empty()).then(|| message.metadata.to_json());
            if message.text == row.text && metadata == row.metadata {
                return Ok(Settled::Abandon(Replacement { item_id: row.id, replaced: row.id }));
            }
            writing.retire_item(row.id)?;
            let item_id = add_messages(writing, &[&message], &[self.counter.count(&message.text)])?;
            pass_on_end(writing, &row, item_id)?;
            pass_on_marks(writing, row.id, item_id)?;
            pass_on_words(writing, &row, (item_id, &message))?;
            labelling.store(writing, item_id, 1, &labelling.labels(&[&message]))?;
            extraction.store(writing, item_id, &[&message], extraction.read(&[&message]))?;
            summarising.lost(writing)?;
            Ok(Settled::Commit(Replacement { item_id, replaced: row.id }))
        })?;
        ensure_working(self);
        let Replacement { item_id, replaced } = written.value;
        if !written.is_repeated {
            self.grew(space, 1);
        }
        Ok(Updated {
            space: space.to_string(),
            operation: operation.id.to_string(),
            revision: written.revision.unwrap_or(revision_before),
            item_id,
            replaced,
            repeated: written.is_repeated,
        })
    }

    /// All that an item was: the rows with its own id, and those that updates joined with it.
    pub fn item_history(&self, space: &SpaceName, name: &ItemName) -> Result<ItemHistory, Error> {
        self.showing(|memory| {
            let spaces = [space.clone()];
            let entries = memory.store.read(|reading| {
                let absent = || StoreError::absent(format!("{} in space {space}", called(name)));
                let id = reading.space(space)?.ok_or_else(absent)?.id;
                let first = named(reading, id, std::slice::from_ref(name))?.pop().flatten().ok_or_else(absent)?;
                let mut known = Items::new(&spaces);
                let rows: Vec<ItemRow> = joined(reading, id, first)?.into_values().rev().take(MAX_ENTRIES).collect();
                let mut ends = Vec::new();
                for row in &rows {
                    let retired = row.retired.map(|at| reading.operation_at(id, at)).transpose()?.flatten();
                    ends.push(retired.map(|operation| operation.recorded_at));
                }
                let items = views(reading, &mut known, id, rows)?;
                Ok(items.into_iter().zip(ends).map(|(item, retired_at)| HistoryEntry { item, retired_at }).collect())
            })?;
            Ok(ItemHistory { space: space.to_string(), entries })
        })
    }
}

/// The end of the old row is that of the new one as well. Under an own id, the new one takes the old one with it; otherwise each has the end.
fn pass_on_end(writing: &mut Writing<'_>, old: &ItemRow, new: i64) -> Result<(), StoreError> {
    let (space, subject) = (writing.space_id(), ExpirySubject::Item(old.id));
    if let Some(end) = writing.expiry(space, &subject)? {
        if old.own_id.is_some() {
            writing.remove_expiry(&subject)?;
        }
        writing.set_expiry(&ExpirySubject::Item(new), end.expires_at)?;
    }
    Ok(())
}

/// The new row is important if the old one was, and about the same versions of documents.
fn pass_on_marks(writing: &mut Writing<'_>, old: i64, new: i64) -> Result<(), StoreError> {
    let space = writing.space_id();
    if !writing.important_items(space, &[old], i64::MAX)?.is_empty() {
        writing.mark_important(new, true)?;
    }
    let abouts = writing.abouts(space, &[old], i64::MAX)?.into_iter();
    writing.add_abouts(&abouts.map(|about| AboutRow { item_id: new, ..about }).collect::<Vec<_>>())
}

/// A fact or a summary with other words stands by what its sources say now; otherwise by what it did. The date by which to look at it again stays.
fn pass_on_words(writing: &mut Writing<'_>, old: &ItemRow, (new, message): (i64, &Message)) -> Result<(), StoreError> {
    if !matches!(old.kind, ItemKind::Fact | ItemKind::Summary) {
        return Ok(());
    }
    let (space, revision) = (writing.space_id(), writing.revision());
    let words: Vec<FactWords> = if message.text == old.text {
        let kept = writing.fact_words(space, &[old.id], revision)?.into_iter();
        let taken = writing.fact_words(space, &[new], revision)?;
        kept.map(|words| FactWords { item_id: new, ..words }).filter(|words| !taken.contains(words)).collect()
    } else {
        let taken = writing.fact_words(space, &[new], revision)?;
        changed_words(writing, (space, revision), &taken)?
    };
    writing.keep_words(&words)?;
    let confirmed = writing.confirmations(space, &[old.id], revision)?;
    match confirmed.get(&old.id).and_then(|confirmed| confirmed.review_by) {
        Some(review_by) => writing.confirm(new, Some(review_by)),
        None => Ok(()),
    }
}

impl UpdateRequest {
    fn digest(&self) -> Digest {
        let name = match &self.name {
            ItemName::Number(number) => format!("number {number}"),
            ItemName::OwnId(id) => format!("id {id}"),
        };
        let field = |present: bool, text: String| format!("{}{text}", u8::from(present));
        let text = field(self.text.is_some(), self.text.clone().unwrap_or_default());
        let metadata = self.metadata.as_ref().map(Metadata::to_json);
        let metadata = field(metadata.is_some(), metadata.unwrap_or_default());
        Hasher::default().field(name).field(text).field(metadata).finish()
    }
}

/// The live row of a name.
fn current(writing: &mut Writing<'_>, space: &SpaceName, name: &ItemName) -> Result<ItemRow, StoreError> {
    let id = writing.space_id();
    let found = named(writing, id, std::slice::from_ref(name))?.pop().flatten();
    let row = found.ok_or_else(|| StoreError::absent(format!("{} in space {space}", called(name))))?;
    if row.kind == ItemKind::Chunk {
        let what = format!("item {} is a chunk of a document, and cannot be changed alone", row.id);
        return Err(Invalid::new(what, "change the document, and ingest it again").into());
    }
    if row.retired.is_some() {
        let what = format!("{} is retired: another item has taken its place", called(name));
        let remedy = "see which with `recordar item history`, and change that one";
        return Err(Invalid::new(what, remedy).into());
    }
    if row.kind == ItemKind::Fact && !writing.facts(id, FactsOf::Items(&[row.id]), row.born)?.is_empty() {
        let what = format!("item {} is a fact that was extracted, and its text is not changed", row.id);
        return Err(Invalid::new(what, format!("correct it with `recordar facts correct {} VALUE`", row.id)).into());
    }
    Ok(row)
}

/// The message that a row would be with the changes.
fn changed(writing: &mut Writing<'_>, row: &ItemRow, request: &UpdateRequest) -> Result<Message, StoreError> {
    let space = writing.space_id();
    let unreadable = || StoreError::Corrupt { what: format!("item {} cannot be read", row.id) };
    let thread = row.thread_id.map(|id| writing.thread_by_id(space, id)).transpose()?.flatten();
    let stored = row.metadata.as_deref().map_or_else(|| Ok(Metadata::default()), Metadata::from_json);
    let message = Message {
        id: row.own_id.clone(),
        thread: thread.map(|thread| thread.name),
        role: row.role.as_deref().map_or(Ok(Role::default()), Role::parse).map_err(|_| unreadable())?,
        // Of a summary that the queue made, the caller's words are the caller's.
        source: row.source.clone().filter(|source| row.kind != ItemKind::Summary || source != SUMMARISED),
        speaker: row.speaker.clone(),
        time: Some(row.occurred_at),
        importance: row.importance,
        metadata: match &request.metadata {
            Some(metadata) => metadata.clone(),
            None => stored.map_err(|_| unreadable())?,
        },
        kind: row.kind,
        derived_from: writing.sources_of_item(space, row.id)?,
        ..Message::new(request.text.as_deref().unwrap_or(&row.text))
    };
    message.check()?;
    Ok(message)
}

/// The rows of an item, by number.
fn joined(reading: &mut Reading<'_>, space: SpaceId, first: ItemRow) -> Result<BTreeMap<i64, ItemRow>, StoreError> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![first];
    while let Some(row) = waiting.pop() {
        if found.contains_key(&row.id) || found.len() > MAX_ENTRIES {
            continue;
        }
        let made = replacement_at(reading, space, row.born)?.filter(|made| made.item_id == row.id);
        let retired = row.retired.map(|at| replacement_at(reading, space, at)).transpose()?.flatten();
        let retired = retired.filter(|retired| retired.replaced == row.id);
        let others: Vec<i64> =
            made.map(|made| made.replaced).into_iter().chain(retired.map(|next| next.item_id)).collect();
        waiting.extend(reading.items(space, &others)?);
        if let Some(own_id) = row.own_id.as_deref().filter(|_| found.is_empty()) {
            waiting.extend(reading.items_by_own_id(space, &[own_id])?);
        }
        found.insert(row.id, row);
    }
    Ok(found)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct UpdateArguments {
    /// Its number, as search results show it.
    item: Option<i64>,
    /// Your own id for it, instead of its number.
    id: Option<String>,
    /// The new text.
    text: Option<String>,
    /// A JSON object that takes the place of its metadata.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    metadata: Option<Metadata>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for UpdateArguments {
    const NAME: &'static str = "update";
    const ABOUT: &'static str =
        "Change the text or the metadata of a message, fact or summary. What it was stays in its history.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Updated;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Updated, Error> {
        let Self { item, id, text, metadata, operation } = self;
        let request = UpdateRequest { name: ItemName::one(item, id)?, text, metadata };
        memory.update(call.space(), &request, &call.operation(operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct HistoryArguments {
    /// Its number, as search results show it.
    item: Option<i64>,
    /// Your own id for it, instead of its number.
    id: Option<String>,
}

impl Verb for HistoryArguments {
    const NAME: &'static str = "history";
    const ABOUT: &'static str = "Show all that an item was, the newest first: what `update` and its own id replaced.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = ItemHistory;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ItemHistory, Error> {
        memory.item_history(call.space(), &ItemName::one(self.item, self.id)?)
    }
}
