//! Storing messages, facts and summaries: committed before the call returns, all of a batch or none.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::{Labelling, ensure_working};
use crate::fact::Extraction;
use crate::summary::Summarising;
use recordar_core::error::Error;
use recordar_core::route::document_name::{absent, find_document};
use recordar_domain::Message;
use recordar_domain::{Hasher, Invalid, ItemKind, OperationId, SpaceName, Timestamp};
use recordar_store::{AboutRow, Error as StoreError, ExpirySubject, ItemRow, MessageRow, Operation, Settled, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Remembered {
    pub space: String,
    pub operation: String,
    pub revision: i64,
    /// The ids of the messages, in the order they were given.
    pub items: Vec<i64>,
    /// How many of them were stored before, under the same own id and with the same content; nothing was written for these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unchanged: usize,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Stored {
    /// The id of the first new item; the others follow it.
    first_item_id: i64,
    messages: usize,
    /// Those of the messages that were here already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unchanged: Vec<Unchanged>,
}

/// Messages of a batch that follow each other, and the items that they already are, which do so too.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Unchanged {
    at: usize,
    item_id: i64,
    count: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

const MAX_MESSAGES: usize = 100_000;
const MAX_BATCH_BYTES: usize = 64 * 1024 * 1024;
/// How many runs of unchanged messages the result of an operation may name.
const MAX_RUNS: usize = 10_000;

impl Recordar {
    /// Stores messages in one transaction. Nothing is stored if one of them is invalid.
    pub fn remember(
        &self,
        space: &SpaceName,
        messages: &[Message],
        operation: &OperationId,
    ) -> Result<Remembered, Error> {
        check(messages)?;
        let tokens: Vec<usize> = messages.iter().map(|message| self.counter.count(&message.text)).collect();
        let operation = Operation { id: operation, kind: "remember", request: digest(messages) };
        let all: Vec<&Message> = messages.iter().collect();
        let labelling = Labelling::of(self)?;
        let labels = labelling.labels(&all);
        let mut revision_before = 0;
        let now = (self.clock)();
        let extraction = Extraction::of(self, now);
        let stated = extraction.read(&all);
        let summarising = Summarising::of(self, now);
        let ends = messages.iter().map(|message| message.expires.map(|expires| expires.at(now)).transpose());
        let ends: Vec<Option<Timestamp>> = ends.collect::<Result<_, _>>()?;
        let written = self.store.write(space, &operation, now, |writing| {
            revision_before = writing.revision() - 1;
            let abouts = documents_about(writing, space, &all)?;
            let replaced = replace(writing, &all, &abouts)?;
            let (known, kept) = (&replaced.known, &replaced.ends);
            let ends = |at: usize| ends[at].or_else(|| kept.get(&at).copied());
            if known.is_empty() {
                let first_item_id = add_messages(writing, &all, &tokens)?;
                add_ends(writing, (first_item_id..).zip((0..all.len()).map(ends)))?;
                add_marks(writing, (first_item_id..).zip(0..all.len()), &abouts, &replaced)?;
                labelling.store(writing, first_item_id, all.len(), &labels)?;
                extraction.store(writing, first_item_id, &all, stated.clone())?;
                summarising.stored(writing, &all)?;
                return Ok(Settled::Commit(Stored { first_item_id, messages: all.len(), unchanged: Vec::new() }));
            }
            let unchanged = runs(known)?;
            let is_new = |at: &usize| !known.contains_key(at);
            let new: Vec<&Message> = (0..all.len()).filter(is_new).map(|at| all[at]).collect();
            let stored = |first_item_id| Stored { first_item_id, messages: all.len(), unchanged };
            let is_prolonged = set_ends(writing, known.iter().map(|(at, id)| (*id, ends(*at))))?;
            if new.is_empty() && !is_prolonged {
                return Ok(Settled::Abandon(stored(0)));
            }
            writing.drop_request();
            if new.is_empty() {
                return Ok(Settled::Commit(stored(0)));
            }
            let tokens: Vec<usize> = (0..all.len()).filter(is_new).map(|at| tokens[at]).collect();
            let first_item_id = add_messages(writing, &new, &tokens)?;
            add_ends(writing, (first_item_id..).zip((0..all.len()).filter(is_new).map(ends)))?;
            add_marks(writing, (first_item_id..).zip((0..all.len()).filter(is_new)), &abouts, &replaced)?;
            labelling.store(writing, first_item_id, new.len(), &labelling.labels(&new))?;
            extraction.store(
                writing,
                first_item_id,
                &new,
                (0..all.len()).filter(is_new).map(|at| stated[at].clone()).collect(),
            )?;
            summarising.stored(writing, &new)?;
            Ok(Settled::Commit(stored(first_item_id)))
        })?;
        ensure_working(self);
        let Stored { first_item_id, messages, unchanged } = written.value;
        if !written.is_repeated {
            self.grew(space, messages);
        }
        Ok(Remembered {
            space: space.to_string(),
            operation: operation.id.to_string(),
            revision: written.revision.unwrap_or(revision_before),
            items: item_ids(first_item_id, messages, &unchanged),
            unchanged: unchanged.iter().map(|run| run.count).sum(),
            repeated: written.is_repeated,
        })
    }
}

/// What the items with the own ids of a batch were, by the place of the message.
#[derive(Default)]
struct Replaced {
    /// Those that already are what the message says.
    known: BTreeMap<usize, i64>,
    /// The ends of those that are replaced: the message that replaces them takes over, unless it has its own.
    ends: BTreeMap<usize, Timestamp>,
    /// Those that are replaced and were marked as important: so is the message that replaces them.
    important: BTreeSet<usize>,
}

/// The documents that each message is about, with their current versions.
type Abouts = Vec<BTreeMap<i64, i64>>;

/// Finds the documents that messages are about. Each name is looked up once.
fn documents_about(writing: &mut Writing<'_>, space: &SpaceName, messages: &[&Message]) -> Result<Abouts, StoreError> {
    let id = writing.space_id();
    let mut found: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for name in messages.iter().flat_map(|message| &message.about) {
        if found.contains_key(name.as_str()) {
            continue;
        }
        let document = find_document(writing, id, space, name).map_err(|error| match error {
            StoreError::NotFound { .. } => {
                let what = format!("{name:?} is not a stored document of space {space}; nothing was stored");
                Invalid::new(what, "ingest it first, or choose a document that `recordar doc list` shows").into()
            }
            other => other,
        })?;
        let version = writing.latest_version(id, document.id)?.ok_or_else(|| absent(name, space))?;
        found.insert(name, (document.id, version.id));
    }
    let of = |message: &&Message| message.about.iter().map(|name| found[name.as_str()]).collect();
    Ok(messages.iter().map(of).collect())
}

/// Stores what is noted beside new items: the documents that they are about, and the marks of those that they replace.
fn add_marks(
    writing: &mut Writing<'_>,
    new: impl Iterator<Item = (i64, usize)>,
    abouts: &Abouts,
    replaced: &Replaced,
) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    if abouts.iter().any(|about| !about.is_empty()) {
        // A digest of a document's name would outlive the document.
        writing.drop_request();
    }
    for (item_id, at) in new {
        let row = |(document_id, version_id): (&i64, &i64)| AboutRow {
            item_id,
            document_id: *document_id,
            version_id: *version_id,
        };
        rows.extend(abouts[at].iter().map(row));
        if replaced.important.contains(&at) {
            writing.mark_important(item_id, true)?;
        }
    }
    writing.add_abouts(&rows)
}

/// Sets the ends of new items.
fn add_ends(writing: &mut Writing<'_>, ends: impl Iterator<Item = (i64, Option<Timestamp>)>) -> Result<(), StoreError> {
    let ends: Vec<(i64, Timestamp)> = ends.filter_map(|(id, end)| Some((id, end?))).collect();
    writing.add_item_expiries(&ends)
}

/// Sets the ends of stored items. False if all of them were so already.
fn set_ends(
    writing: &mut Writing<'_>,
    ends: impl Iterator<Item = (i64, Option<Timestamp>)>,
) -> Result<bool, StoreError> {
    let (space, mut is_changed) = (writing.space_id(), false);
    for (id, end) in ends.filter_map(|(id, end)| Some((id, end?))) {
        let subject = ExpirySubject::Item(id);
        if writing.expiry(space, &subject)?.is_none_or(|row| row.expires_at != end) {
            writing.set_expiry(&subject, end)?;
            is_changed = true;
        }
    }
    Ok(is_changed)
}

/// Retires the items that have the own ids of the messages. Those that already are what a message says stay.
fn replace(writing: &mut Writing<'_>, messages: &[&Message], abouts: &Abouts) -> Result<Replaced, StoreError> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, message) in messages.iter().enumerate() {
        if let Some(id) = message.id.as_deref()
            && places.insert(id, at).is_some()
        {
            let what = format!("two messages of the batch have the id {id:?}; nothing was stored");
            return Err(Invalid::new(what, "give each id once, or store them in two calls").into());
        }
    }
    let mut replaced = Replaced::default();
    if places.is_empty() {
        return Ok(replaced);
    }
    let space = writing.space_id();
    let ids: Vec<&str> = places.keys().copied().collect();
    for row in writing.items_by_own_id(space, &ids)? {
        let at = row.own_id.as_deref().and_then(|id| places.get(id).copied());
        let Some(at) = at.filter(|_| row.retired.is_none()) else { continue };
        let message = messages[at];
        if is_unchanged(writing, &row, message, &abouts[at])? {
            replaced.known.insert(at, row.id);
            continue;
        }
        // The end goes over to the new one, which takes the old one with it.
        let subject = ExpirySubject::Item(row.id);
        if let Some(end) = writing.expiry(space, &subject)? {
            writing.remove_expiry(&subject)?;
            replaced.ends.insert(at, end.expires_at);
        }
        if !writing.important_items(space, &[row.id], i64::MAX)?.is_empty() {
            replaced.important.insert(at);
        }
        if !message.supersedes.contains(&row.id) {
            writing.retire_item(row.id)?;
        }
    }
    Ok(replaced)
}

/// Whether storing the message would change nothing but its number.
fn is_unchanged(
    writing: &mut Writing<'_>,
    row: &ItemRow,
    message: &Message,
    about: &BTreeMap<i64, i64>,
) -> Result<bool, StoreError> {
    let space = writing.space_id();
    let metadata = (!message.metadata.is_empty()).then(|| message.metadata.to_json());
    let is_same = row.kind == message.kind
        && row.text == message.text
        && row.role.as_deref() == Some(message.role.name())
        && row.source == message.source
        && row.speaker == message.speaker
        && row.importance == message.importance
        && row.metadata == metadata
        && message.time.is_none_or(|time| time == row.occurred_at);
    if !is_same {
        return Ok(false);
    }
    let thread = match &message.thread {
        Some(name) => writing.thread(space, name)?,
        None => None,
    };
    let has_title = message.title.is_none() || thread.as_ref().is_some_and(|thread| thread.title == message.title);
    if thread.map(|thread| thread.id) != row.thread_id || !has_title {
        return Ok(false);
    }
    let sources: BTreeSet<i64> = message.derived_from.iter().copied().collect();
    if !writing.sources_of_item(space, row.id)?.into_iter().eq(sources) {
        return Ok(false);
    }
    // The same message says nothing about a version that came after it.
    let documents = writing.abouts(space, &[row.id], i64::MAX)?.into_iter().map(|row| row.document_id);
    if !documents.eq(about.keys().copied()) {
        return Ok(false);
    }
    for old in &message.supersedes {
        if writing.item(space, *old)?.is_none_or(|item| item.retired.is_none()) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn runs(known: &BTreeMap<usize, i64>) -> Result<Vec<Unchanged>, Invalid> {
    let mut runs: Vec<Unchanged> = Vec::new();
    for (at, id) in known {
        match runs.last_mut() {
            Some(run) if run.at + run.count == *at && run.item_id + run.count as i64 == *id => run.count += 1,
            _ => runs.push(Unchanged { at: *at, item_id: *id, count: 1 }),
        }
    }
    if runs.len() > MAX_RUNS {
        let what = "too many messages of the batch are already stored, in another order; nothing was stored";
        return Err(Invalid::new(what, format!("split it into batches of at most {MAX_RUNS} messages")));
    }
    Ok(runs)
}

/// The id of every message of a batch: known ones keep theirs, and new ones are numbered in order.
fn item_ids(first_item_id: i64, messages: usize, unchanged: &[Unchanged]) -> Vec<i64> {
    let mut ids = Vec::with_capacity(messages);
    let mut new = first_item_id..;
    for run in unchanged {
        ids.extend(new.by_ref().take(run.at - ids.len()));
        ids.extend((run.item_id..).take(run.count));
    }
    ids.extend(new.take(messages - ids.len()));
    ids
}

/// Stores messages with their threads and links, and returns the first id.
pub(super) fn add_messages(
    writing: &mut Writing<'_>,
    messages: &[&Message],
    tokens: &[usize],
) -> Result<i64, StoreError> {
    let mut threads: BTreeMap<&str, i64> = BTreeMap::new();
    for message in messages {
        if let Some(name) = &message.thread
            && (message.title.is_some() || !threads.contains_key(name.as_str()))
        {
            threads.insert(name, writing.thread_named(name, message.title.as_deref())?);
        }
    }
    let rows: Vec<MessageRow<'_>> = (messages.iter().zip(tokens))
        .map(|(message, tokens)| MessageRow {
            kind: message.kind,
            thread_id: message.thread.as_deref().and_then(|name| threads.get(name).copied()),
            role: message.role,
            source: message.source.as_deref(),
            speaker: message.speaker.as_deref(),
            text: &message.text,
            tokens: *tokens,
            importance: message.importance,
            metadata: &message.metadata,
            occurred_at: message.time,
            own_id: message.id.as_deref(),
        })
        .collect();
    let first_item_id = writing.add_messages(&rows)?;
    for (id, message) in (first_item_id..).zip(messages) {
        link(writing, id, message)?;
    }
    Ok(first_item_id)
}

/// Retires the items a message supersedes, and records the items it was made from.
fn link(writing: &mut Writing<'_>, id: i64, message: &Message) -> Result<(), StoreError> {
    let space = writing.space_id();
    let different = |ids: &[i64]| ids.iter().copied().collect::<BTreeSet<i64>>().into_iter().collect::<Vec<i64>>();
    for old in different(&message.supersedes) {
        let found = writing.item(space, old)?.filter(|item| item.kind != ItemKind::Chunk && item.id < id);
        if found.is_none() || !writing.retire_item(old)? {
            return Err(Invalid::new(
                format!(
                    "item {old} cannot be superseded: it is not a message, fact or summary of this space, or has already been superseded"
                ),
                "find a current item with `recordar search`",
            )
            .into());
        }
    }
    let sources = different(&message.derived_from);
    for source in &sources {
        if *source >= id || writing.item(space, *source)?.is_none() {
            return Err(StoreError::absent(format!("item {source}, which derived_from names")));
        }
    }
    if sources.is_empty() { Ok(()) } else { writing.derive(id, &sources) }
}

fn check(messages: &[Message]) -> Result<(), Invalid> {
    if messages.is_empty() {
        return Err(Invalid::new("no message was given", "give at least one"));
    }
    let bytes: usize = messages.iter().map(|message| message.text.len()).sum();
    if messages.len() > MAX_MESSAGES || bytes > MAX_BATCH_BYTES {
        return Err(Invalid::new(
            format!("a batch of {} messages and {bytes} bytes is too large for one transaction", messages.len()),
            format!("split it into batches of at most {MAX_MESSAGES} messages and {MAX_BATCH_BYTES} bytes"),
        ));
    }
    for (index, message) in messages.iter().enumerate() {
        message.check().map_err(|invalid| match messages.len() {
            1 => invalid,
            _ => Invalid::new(format!("message {}: {}; nothing was stored", index + 1, invalid.what), invalid.remedy),
        })?;
    }
    Ok(())
}

fn digest(messages: &[Message]) -> recordar_domain::Digest {
    let field = |hasher: Hasher, message: &Message| hasher.field(serde_json::to_vec(message).unwrap_or_default());
    messages.iter().fold(Hasher::default(), field).finish()
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RememberArguments {
    /// Messages to store, in order: all or none.
    messages: Vec<Message>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for RememberArguments {
    const NAME: &'static str = "remember";
    const ABOUT: &'static str = "Store a message, or a batch of them.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Remembered;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Remembered, Error> {
        memory.remember(call.space(), &self.messages, &call.operation(self.operation)?)
    }
}
