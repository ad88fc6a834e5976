//! Storing messages, facts and summaries: committed before the call returns, all of a batch or none.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::{Labelling, ensure_working};
use crate::error::Error;
use recordar_domain::Message;
use recordar_domain::{Hasher, Invalid, ItemKind, OperationId, SpaceName};
use recordar_store::{Error as StoreError, MessageRow, Operation, Settled, Writing};
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
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Stored {
    first_item_id: i64,
    messages: usize,
}

const MAX_MESSAGES: usize = 100_000;
const MAX_BATCH_BYTES: usize = 64 * 1024 * 1024;

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
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            let first_item_id = add_messages(writing, &all, &tokens)?;
            labelling.store(writing, first_item_id, all.len(), &labels)?;
            Ok(Settled::Commit(Stored { first_item_id, messages: messages.len() }))
        })?;
        ensure_working(self);
        let Stored { first_item_id, messages } = written.value;
        Ok(Remembered {
            space: space.to_string(),
            operation: operation.id.to_string(),
            revision: written.revision.unwrap_or(0),
            items: (first_item_id..).take(messages).collect(),
            repeated: written.is_repeated,
        })
    }
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
