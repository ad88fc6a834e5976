//! Summaries of old messages: listing them, and queueing the threads that are already stored.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::ensure_working;
use crate::summary::{Summarising, WHOLE_SPACE};
use recordar_core::error::Error;
use recordar_domain::{Hasher, Invalid, ItemKind, OperationId, SpaceName, Timestamp};
use recordar_store::{Error as StoreError, ItemRow, Operation, Reading, Settled, SpaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most summaries that are listed.
const MAX_LISTED: usize = 1000;
const PAGE: usize = 256;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SummaryList {
    pub space: String,
    /// As they were made.
    pub summaries: Vec<SummaryView>,
    /// Whether there are more.
    pub more: bool,
}

/// A summary, and what it sums up.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SummaryView {
    /// Its number, which is that of its item.
    pub summary: i64,
    pub text: String,
    pub tokens: i64,
    /// The messages that it sums up, and their tokens together.
    pub messages: Vec<i64>,
    pub message_tokens: i64,
    /// The thread of the messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// When the first and the last of them were said.
    #[schemars(with = "String")]
    pub from: Timestamp,
    #[schemars(with = "String")]
    pub to: Timestamp,
}

/// Threads that were queued to be summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SummariesQueued {
    pub space: String,
    pub operation: String,
    /// Whether the space was queued; false if it already was.
    pub queued: bool,
}

impl Recordar {
    /// The live summaries of a space, or of one thread.
    pub fn summaries(&self, space: &SpaceName, thread: Option<&str>, limit: usize) -> Result<SummaryList, Error> {
        if !(1..=MAX_LISTED).contains(&limit) {
            let what = format!("limit {limit} is out of range: 1 to {MAX_LISTED}");
            return Err(Invalid::new(what, format!("use a number from 1 to {MAX_LISTED}")).into());
        }
        self.showing(|memory| {
            let mut summaries = memory.store.read(|reading| {
                let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
                let absent = |name: &str| StoreError::absent(format!("thread {name:?} in space {space}"));
                let thread = match thread {
                    Some(name) => Some(reading.thread(id, name)?.ok_or_else(|| absent(name))?.id),
                    None => None,
                };
                let (mut found, mut after) = (Vec::new(), 0);
                while found.len() <= limit {
                    let rows = reading.live_items(id, Some(ItemKind::Summary), after, PAGE)?;
                    let Some(last) = rows.last() else { break };
                    after = last.id;
                    for row in rows {
                        found.extend(view(reading, id, row, thread)?);
                    }
                }
                Ok(found)
            })?;
            let more = summaries.len() > limit;
            summaries.truncate(limit);
            Ok(SummaryList { space: space.to_string(), summaries, more })
        })
    }

    /// Queues every thread of a space that has old messages which nothing sums up.
    pub fn summarise_threads(&self, space: &SpaceName, operation: &OperationId) -> Result<SummariesQueued, Error> {
        let now = (self.clock)();
        let request = Hasher::default().field("summarise_threads").finish();
        let operation = Operation { id: operation, kind: "summarise_threads", request };
        let written = self.store.write(space, &operation, now, |writing| {
            if writing.is_new_space() {
                return Err(StoreError::absent(format!("space {space}")));
            }
            Ok(match writing.add_jobs(&[Summarising::of(self, now).job(WHOLE_SPACE)])? {
                0 => Settled::Abandon(false),
                _ => Settled::Commit(true),
            })
        })?;
        ensure_working(self);
        Ok(SummariesQueued { space: space.to_string(), operation: operation.id.to_string(), queued: written.value })
    }
}

/// A summary of messages; none if it sums up none, or none of the wanted thread.
fn view(
    reading: &mut Reading<'_>,
    space: SpaceId,
    row: ItemRow,
    thread: Option<i64>,
) -> Result<Option<SummaryView>, StoreError> {
    let sources = reading.sources_of_item(space, row.id)?;
    let messages = reading.items(space, &sources)?;
    let of = messages.iter().find_map(|message| message.thread_id);
    let times = || messages.iter().map(|message| message.occurred_at);
    let (Some(from), Some(to)) = (times().min(), times().max()) else { return Ok(None) };
    if thread.is_some() && of != thread {
        return Ok(None);
    }
    let thread = of.map(|id| reading.thread_by_id(space, id)).transpose()?.flatten();
    Ok(Some(SummaryView {
        summary: row.id,
        text: row.text,
        tokens: row.tokens,
        message_tokens: messages.iter().map(|message| message.tokens).sum(),
        messages: sources,
        thread: thread.map(|thread| thread.name),
        from,
        to,
    }))
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SummariesArguments {
    /// Only summaries of this thread.
    thread: Option<String>,
    /// The most summaries to list.
    #[serde(default = "most_listed")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
}

fn most_listed() -> usize {
    100
}

impl Verb for SummariesArguments {
    const NAME: &'static str = "summaries";
    const ABOUT: &'static str = "List the summaries of old messages, each with the messages that it sums up.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = SummaryList;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<SummaryList, Error> {
        memory.summaries(call.space(), self.thread.as_deref(), self.limit)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SummariseThreadsArguments {
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for SummariseThreadsArguments {
    const NAME: &'static str = "summarise_threads";
    const ABOUT: &'static str =
        "Queue the threads that are already stored to be summed up; the jobs of the queue make the summaries.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = SummariesQueued;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<SummariesQueued, Error> {
        memory.summarise_threads(call.space(), &call.operation(self.operation)?)
    }
}
