//! A message as callers give it: one turn of a conversation, or a note, fact or summary.

use crate::expiry::Expiry;
use crate::invalid::Invalid;
use crate::item::{Importance, ItemKind, MAX_TEXT_BYTES, Metadata, Role, check_text};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One turn of a conversation, or a note outside any conversation. Each line of a JSONL batch is one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Your own id for it, unique in its space. Storing another message with the same id replaces this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The text of the message, fact or summary.
    #[serde(alias = "content")]
    pub text: String,
    /// The name of the conversation it belongs to. You choose the name.
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
    /// The speaker's name, if known.
    #[serde(default, alias = "name", skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// When it was said; by default, the time when it is stored.
    #[serde(default, alias = "occurred_at", alias = "created_at")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Timestamp>,
    /// How important it is, such as 0.7.
    #[serde(default)]
    pub importance: Option<Importance>,
    /// A JSON object to store with it.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub metadata: Metadata,
    /// What it is: a message, or a fact or summary made from messages.
    #[serde(default = "message_kind", skip_serializing_if = "is_message")]
    #[schemars(with = "Option<String>", extend("enum" = ["message", "fact", "summary"], "default" = "message"))]
    pub kind: ItemKind,
    /// Items that it replaces. They are retired: only a recall or search with an earlier as_of still finds them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<i64>,
    /// Items that it was made from. If one of them is forgotten, this one is forgotten too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<i64>,
    /// When it is to be forgotten: a time such as 2026-12-31, or a duration from now such as 30d (units: s, m, h, d, w).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub expires: Option<Expiry>,
    /// Stored documents that it is about, by path or name. The version that is current now is noted with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
}

const MAX_NAME_BYTES: usize = 1024;
const MAX_LINKS: usize = 1000;
const MAX_DOCUMENTS: usize = 100;
const MAX_PATH_BYTES: usize = 4096;

fn message_kind() -> ItemKind {
    ItemKind::Message
}

fn is_message(kind: &ItemKind) -> bool {
    *kind == ItemKind::Message
}

/// Whether a caller's own id of a message can be stored.
pub fn check_own_id(id: &str) -> Result<(), Invalid> {
    check_text("the id", id, MAX_NAME_BYTES)
}

/// The `source` of summaries that the queue makes, and makes again when one of their messages changes.
pub const SUMMARISED: &str = "summarised";

impl Message {
    pub fn new(text: &str) -> Self {
        Self {
            id: None,
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
            expires: None,
            about: Vec::new(),
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

    /// Whether it can be stored.
    pub fn check(&self) -> Result<(), Invalid> {
        check_text("the text", &self.text, MAX_TEXT_BYTES)?;
        for (name, value) in
            [("thread", &self.thread), ("title", &self.title), ("source", &self.source), ("speaker", &self.speaker)]
        {
            if let Some(value) = value {
                check_text(name, value, MAX_NAME_BYTES)?;
            }
        }
        self.id.as_deref().map_or(Ok(()), check_own_id)?;
        if self.kind == ItemKind::Chunk {
            return Err(Invalid::new(
                "chunks can only be stored as part of a document",
                "use `ingest`, or set kind to message, fact or summary",
            ));
        }
        if self.kind == ItemKind::Summary && self.source.as_deref() == Some(SUMMARISED) {
            let what = format!("{SUMMARISED:?} is the source of summaries that the queue makes");
            return Err(Invalid::new(what, "name another source, or none"));
        }
        if self.supersedes.len() > MAX_LINKS || self.derived_from.len() > MAX_LINKS {
            return Err(Invalid::new(
                format!("supersedes and derived_from may name at most {MAX_LINKS} items each"),
                "store several facts or summaries, each with its own items",
            ));
        }
        if self.about.len() > MAX_DOCUMENTS {
            let what = format!("about names {} documents; the limit is {MAX_DOCUMENTS}", self.about.len());
            return Err(Invalid::new(what, "name those that it says something about"));
        }
        for document in &self.about {
            check_text("a document that about names", document, MAX_PATH_BYTES)?;
        }
        if self.title.is_some() && self.thread.is_none() {
            return Err(Invalid::new("a title was given without a thread", "name the thread, or leave the title out"));
        }
        Ok(())
    }
}
