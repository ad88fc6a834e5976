//! Storing messages, facts and summaries: committed before the call returns, all of a batch or none.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use recordar_domain::{
    Hasher, Importance, Invalid, ItemKind, MAX_TEXT_BYTES, Metadata, OperationId, Role, SpaceName, Timestamp,
    check_text,
};
use recordar_store::{Error as StoreError, MessageRow, Operation, Settled, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One turn of a conversation, or a note outside any conversation. Each line of a JSONL batch is one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The text of the message, fact or summary.
    #[serde(alias = "content")]
    pub text: String,
    /// The conversation it belongs to, by the caller's name for it.
    #[serde(default)]
    pub thread: Option<String>,
    /// A title for the conversation.
    #[serde(default)]
    pub title: Option<String>,
    /// The speaker's role.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("enum" = ["user", "assistant", "system", "tool"]))]
    pub role: Role,
    /// Its origin, such as `chat` or `external`.
    #[serde(default)]
    pub source: Option<String>,
    /// The speaker's name, if more than the role is known.
    #[serde(default, alias = "name", skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// When it was said; the time of storing by default.
    #[serde(default, alias = "occurred_at", alias = "created_at")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Timestamp>,
    /// Its importance.
    #[serde(default)]
    pub importance: Option<Importance>,
    /// A JSON object to store with it.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub metadata: Metadata,
    /// Whether it is a message, or a fact or summary made from messages.
    #[serde(default = "message_kind", skip_serializing_if = "is_message")]
    #[schemars(with = "Option<String>", extend("enum" = ["message", "fact", "summary"], "default" = "message"))]
    pub kind: ItemKind,
    /// Items that it replaces. They are retired: found only when looking back with as_of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<i64>,
    /// Items that it was made from. If one of them is forgotten, so is this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<i64>,
}

fn message_kind() -> ItemKind {
    ItemKind::Message
}

fn is_message(kind: &ItemKind) -> bool {
    *kind == ItemKind::Message
}

impl Message {
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            thread: None,
            title: None,
            role: Role::default(),
            source: None,
            speaker: None,
            time: None,
            importance: None,
            metadata: Metadata::default(),
            kind: ItemKind::Message,
            supersedes: Vec::new(),
            derived_from: Vec::new(),
        }
    }

    /// Parses a batch: one JSON object per line. Empty lines are skipped; an invalid line rejects the whole batch.
    pub fn from_jsonl(batch: &[u8]) -> Result<Vec<Self>, Invalid> {
        let batch = batch.strip_prefix(b"\xef\xbb\xbf").unwrap_or(batch);
        let lines = batch.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
        let read = |(index, line): (usize, &[u8])| {
            let place = format!("line {}", index + 1);
            let message = Self::from_json(line).and_then(|message| message.check().map(|()| message));
            message.map_err(|invalid| {
                Invalid::new(format!("{place}: {}; nothing was stored", invalid.what), invalid.remedy)
            })
        };
        lines.map(read).collect()
    }

    fn from_json(json: &[u8]) -> Result<Self, Invalid> {
        let example = r#"write an object such as {"text": "I take the 8:15 train.", "thread": "trip", "role": "user"}"#;
        // Each record is one line, so the line number of serde is always 1.
        let refused = |error: serde_json::Error| {
            Invalid::new(
                format!("invalid message: {}", error.to_string().replace(" at line 1 column", " at column")),
                example,
            )
        };
        // serde would accept an array as the fields in order.
        match serde_json::from_slice(json).map_err(refused)? {
            object @ serde_json::Value::Object(_) => serde_json::from_value(object).map_err(refused),
            _ => Err(Invalid::new("invalid message: not a JSON object", example)),
        }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        check_text("the text", &self.text, MAX_TEXT_BYTES)?;
        for (name, value) in
            [("thread", &self.thread), ("title", &self.title), ("source", &self.source), ("speaker", &self.speaker)]
        {
            if let Some(value) = value {
                check_text(name, value, MAX_NAME_BYTES)?;
            }
        }
        if self.kind == ItemKind::Chunk {
            return Err(Invalid::new(
                "chunks can only be stored as part of a document",
                "use `ingest`, or set kind to message, fact or summary",
            ));
        }
        if self.supersedes.len() > MAX_LINKS || self.derived_from.len() > MAX_LINKS {
            return Err(Invalid::new(
                format!("supersedes and derived_from may name at most {MAX_LINKS} items each"),
                "store several facts or summaries, each with its own items",
            ));
        }
        if self.title.is_some() && self.thread.is_none() {
            return Err(Invalid::new("a title was given without a thread", "name the thread, or leave the title out"));
        }
        Ok(())
    }
}

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
const MAX_NAME_BYTES: usize = 1024;
const MAX_LINKS: usize = 1000;

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
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            let first_item_id = add_messages(writing, &messages.iter().collect::<Vec<_>>(), &tokens)?;
            Ok(Settled::Commit(Stored { first_item_id, messages: messages.len() }))
        })?;
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
                    "item {old} cannot be superseded: it is not a message, fact or summary of this space, or is superseded already"
                ),
                "find a current item with `recordar search`",
            )
            .into());
        }
    }
    let sources = different(&message.derived_from);
    for source in &sources {
        if *source >= id || writing.item(space, *source)?.is_none() {
            return Err(StoreError::absent(format!("item {source} to derive from")));
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
