//! Conversations: the threads of a space, and the messages of one.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::noun::labels::LabelView;
use recordar_domain::{Importance, SpaceName, Timestamp};
use recordar_store::{Error as StoreError, ItemRow, LabelRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ThreadView {
    pub thread_id: i64,
    pub name: String,
    pub title: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MessageView {
    pub item_id: i64,
    pub role: Option<String>,
    pub source: Option<String>,
    pub speaker: Option<String>,
    pub text: String,
    pub tokens: i64,
    pub importance: Option<Importance>,
    pub metadata: Option<serde_json::Value>,
    /// Its labels, once it has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<LabelView>,
    pub occurred_at: Timestamp,
    pub recorded_at: Timestamp,
}

impl Recordar {
    /// The threads of a space, in order of creation.
    pub fn threads(&self, space: &SpaceName) -> Result<Vec<ThreadView>, Error> {
        self.showing(|memory| {
            let threads = memory.store.read(|reading| match reading.space(space)? {
                Some(space) => reading.threads(space.id),
                None => Ok(Vec::new()),
            })?;
            let view =
                |row: recordar_store::ThreadRow| ThreadView { thread_id: row.id, name: row.name, title: row.title };
            Ok(threads.into_iter().map(view).collect())
        })
    }

    /// The messages of a thread, or those outside any thread, in the order of their times; those without a time count
    /// from when they were stored.
    pub fn messages(&self, space: &SpaceName, thread: Option<&str>) -> Result<Vec<MessageView>, Error> {
        self.showing(|memory| {
            let messages = memory.store.read(|reading| {
                let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
                let thread = match thread {
                    None => None,
                    Some(name) => {
                        let thread = reading.thread(id, name)?;
                        let absent = || StoreError::absent(format!("thread {name:?} in space {space}"));
                        Some(thread.ok_or_else(absent)?.id)
                    }
                };
                let messages = reading.messages(id, thread)?;
                let ids: Vec<i64> = messages.iter().map(|row| row.id).collect();
                Ok((messages, reading.labels_of(id, &ids)?))
            })?;
            let (messages, mut labels) = messages;
            let view = |row: ItemRow| {
                let labels = labels.remove(&row.id);
                view(row, labels)
            };
            Ok(messages.into_iter().map(view).collect())
        })
    }
}

fn view(row: ItemRow, labels: Option<LabelRow>) -> MessageView {
    let labels = labels.map(|labels| LabelView::new(&labels.labels, row.role.clone(), labels.enrichment_model));
    MessageView {
        labels,
        item_id: row.id,
        role: row.role,
        source: row.source,
        speaker: row.speaker,
        text: row.text,
        tokens: row.tokens,
        importance: row.importance,
        metadata: row.metadata.and_then(|json| serde_json::from_str(&json).ok()),
        occurred_at: row.occurred_at,
        recorded_at: row.recorded_at,
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ThreadsArguments {}

impl Verb for ThreadsArguments {
    const NAME: &'static str = "threads";
    const ABOUT: &'static str = "List all threads of the space.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<ThreadView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<ThreadView>, Error> {
        memory.threads(call.space())
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MessagesArguments {
    /// The thread's name; by default, the messages outside any thread.
    thread: Option<String>,
}

impl Verb for MessagesArguments {
    const NAME: &'static str = "messages";
    const ABOUT: &'static str = "Show the messages of a thread.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<MessageView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<MessageView>, Error> {
        memory.messages(call.space(), self.thread.as_deref())
    }
}
