//! Messages in, and facts and summaries: committed before the call returns, all of a batch or none.

use crate::call::{Call, Effect, Reach, Verb};
use crate::{Error, Recordar};
use recordar_domain::{
    Hasher, Importance, Invalid, ItemKind, MAX_TEXT_BYTES, Metadata, OperationId, Role, SpaceName, Timestamp,
    check_text,
};
use recordar_store::{Error as StoreError, MessageRow, Operation, Settled, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One turn of a conversation, or a note that belongs to none. A line of a JSONL batch is one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// What was said, or the fact or summary.
    #[serde(alias = "content")]
    pub text: String,
    /// The conversation it belongs to, by the caller's own name for it.
    #[serde(default)]
    pub thread: Option<String>,
    /// A title for the conversation.
    #[serde(default)]
    pub title: Option<String>,
    /// Who said it, as a role.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("enum" = ["user", "assistant", "system", "tool"]))]
    pub role: Role,
    /// Where it came from, such as `chat` or `external`.
    #[serde(default)]
    pub source: Option<String>,
    /// Who spoke, by name, where more than the role is known.
    #[serde(default, alias = "name", skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// When it was said; the time of storing where none is given.
    #[serde(default, alias = "occurred_at", alias = "created_at")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Timestamp>,
    /// How much it matters.
    #[serde(default)]
    pub importance: Option<Importance>,
    /// An object to keep with it.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub metadata: Metadata,
    /// Whether it is a message, or a fact or a summary that somebody made of messages.
    #[serde(default = "message_kind", skip_serializing_if = "is_message")]
    #[schemars(with = "Option<String>", extend("enum" = ["message", "fact", "summary"], "default" = "message"))]
    pub kind: ItemKind,
    /// Items that it takes the place of. They are retired: found only when looking back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<i64>,
    /// Items that it was made of. When one of them is forgotten, so is it.
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

    /// Reads a batch: one JSON object a line. Empty lines are passed over; a line that is wrong refuses all.
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
        // Each is one line, so the line that serde counts is always the first.
        let refused = |error: serde_json::Error| {
            Invalid::new(
                format!("not a message: {}", error.to_string().replace(" at line 1 column", " at column")),
                example,
            )
        };
        // An array would be taken for the fields in their order.
        match serde_json::from_slice(json).map_err(refused)? {
            object @ serde_json::Value::Object(_) => serde_json::from_value(object).map_err(refused),
            _ => Err(Invalid::new("not a message: it is JSON, but no object", example)),
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
                "a chunk belongs to a document",
                "use `ingest`, or the kind message, fact or summary",
            ));
        }
        if self.supersedes.len() > MAX_LINKS || self.derived_from.len() > MAX_LINKS {
            return Err(Invalid::new(
                format!("supersedes and derived_from may name at most {MAX_LINKS} items each"),
                "store several facts or summaries, each with the items that it concerns",
            ));
        }
        if self.title.is_some() && self.thread.is_none() {
            return Err(Invalid::new("a title was given without a thread", "name the thread that it is the title of"));
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
    /// Whether this operation had been done before, and this is its first result.
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
    /// Stores messages in one transaction. Nothing is stored if one of them is refused.
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

/// Stores messages with their threads and links, and tells the id of the first.
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

/// Retires what a message supersedes, and notes what it was made of.
fn link(writing: &mut Writing<'_>, id: i64, message: &Message) -> Result<(), StoreError> {
    let space = writing.space_id();
    let different = |ids: &[i64]| ids.iter().copied().collect::<BTreeSet<i64>>().into_iter().collect::<Vec<i64>>();
    for old in different(&message.supersedes) {
        let found = writing.item(space, old)?.filter(|item| item.kind != ItemKind::Chunk && item.id < id);
        if found.is_none() || !writing.retire_item(old)? {
            return Err(Invalid::new(
                format!(
                    "item {old} cannot be superseded: it is no message, fact or summary here, or is superseded already"
                ),
                "name one that `recordar search` finds",
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
        return Err(Invalid::new("there is no message to remember", "give at least one"));
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
    /// What to store, in order: all of it or nothing.
    messages: Vec<Message>,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
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
