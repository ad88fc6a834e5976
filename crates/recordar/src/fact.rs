//! Facts (D2, E6): how new messages of a call become facts, by the model from the queue, or at once by the built-in patterns.

use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::reason::{Extracted, FactsTask, Task};
use recordar_domain::text::TokenCounter;
use recordar_domain::{
    FactMethod, Hasher, Importance, ItemKind, Message, Metadata, OperationId, Role, SpaceName, Statement, Timestamp,
};
use recordar_store::{Error as StoreError, FactSource, FactsOf, ItemRow, NewFact, NewJob, Operation, Settled, Writing};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What the queue calls extracting the facts of a message. Never renumbered.
pub(crate) const FACTS: i64 = 3;
/// How many messages are read again in one transaction.
const PAGE: usize = 512;
/// What "I" is called if a user's name is not known.
const USER: &str = "user";

pub(crate) enum Extraction<'a> {
    Off,
    /// By the model, from the queue.
    Queued {
        due_at: Timestamp,
    },
    /// By the built-in patterns, with the messages.
    Now {
        counter: &'a TokenCounter,
        now: Timestamp,
    },
}

impl<'a> Extraction<'a> {
    pub(crate) fn of(memory: &'a Recordar, now: Timestamp) -> Self {
        match (memory.config.extracts_facts, &memory.config.llm) {
            (false, _) => Self::Off,
            (true, Some(_)) => Self::Queued { due_at: now },
            (true, None) => Self::Now { counter: &memory.counter, now },
        }
    }

    /// Stores the facts of new messages, or queues the messages, in the transaction that stores them.
    pub(crate) fn store(
        &self,
        writing: &mut Writing<'_>,
        first_id: i64,
        messages: &[&Message],
    ) -> Result<(), StoreError> {
        let is_said = |message: &&Message| {
            message.kind == ItemKind::Message && speaker_of(message.role, message.speaker.as_deref()).is_some()
        };
        let said = (first_id..).zip(messages.iter().copied()).filter(|(_, message)| is_said(message));
        match self {
            Self::Off => Ok(()),
            Self::Queued { due_at } => {
                let jobs: Vec<NewJob> =
                    said.map(|(subject, _)| NewJob { kind: FACTS, subject, due_at: *due_at }).collect();
                writing.add_jobs(&jobs).map(drop)
            }
            Self::Now { counter, now } => {
                let mut facts = Vec::new();
                for (id, message) in said {
                    let Some(speaker) = speaker_of(message.role, message.speaker.as_deref()) else { continue };
                    let text = SafeText::given(message.text.as_str());
                    let said_at = message.time.unwrap_or(*now);
                    let task = FactsTask { message: &text, speaker, said_at, most_output_tokens: 0 };
                    let space = writing.space_id();
                    let extracted = task.built_in();
                    if extracted.is_empty() {
                        continue;
                    }
                    let thread_id = match &message.thread {
                        Some(name) => writing.thread(space, name)?.map(|thread| thread.id),
                        None => None,
                    };
                    facts.extend(new_facts(extracted, FactMethod::BuiltIn, (id, thread_id), counter));
                }
                if facts.is_empty() { Ok(()) } else { writing.add_facts(&facts).map(drop) }
            }
        }
    }
}

/// Who says "I" in a message: a named speaker, or a user. Nobody in the messages of a system or a tool, nor of an assistant without a name.
pub(crate) fn speaker_of(role: Role, speaker: Option<&str>) -> Option<&str> {
    match (role, speaker) {
        (Role::System | Role::Tool, _) => None,
        (_, Some(name)) if !name.trim().is_empty() => Some(name),
        _ => (role == Role::User).then_some(USER),
    }
}

/// The facts that a message states, as they are stored.
pub(crate) fn new_facts(
    extracted: Vec<Extracted>,
    method: FactMethod,
    (item_id, thread_id): (i64, Option<i64>),
    counter: &TokenCounter,
) -> Vec<NewFact> {
    let fact = |fact: Extracted| {
        let source = Some(FactSource { item_id, thread_id, span: fact.span });
        let said = (fact.statement, fact.since, fact.confidence);
        NewFact { is_own: fact.is_own, source, ..stated(said, method, counter) }
    };
    extracted.into_iter().map(fact).collect()
}

fn stated(
    (statement, since, confidence): (Statement, Timestamp, Importance),
    method: FactMethod,
    counter: &TokenCounter,
) -> NewFact {
    let sentence = statement.sentence(since);
    let fields = [
        ("subject", Value::from(statement.subject.as_str())),
        ("attribute", statement.attribute.as_str().into()),
        ("value", statement.value.as_str().into()),
        ("since", since.to_string().into()),
        ("confidence", confidence.as_f64().into()),
    ];
    let fields: Map<String, Value> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    NewFact {
        tokens: counter.count(&sentence),
        metadata: Metadata::new(fields).unwrap_or_default(),
        sentence,
        statement,
        since,
        confidence,
        method,
        is_own: true,
        source: None,
        corrects: None,
    }
}

/// A person's word in the place of a fact.
pub(crate) struct Person {
    pub(crate) statement: Statement,
    pub(crate) since: Timestamp,
    pub(crate) confidence: Importance,
    pub(crate) corrects: i64,
}

impl Person {
    pub(crate) fn fact(self, counter: &TokenCounter) -> NewFact {
        let Self { statement, since, confidence, corrects } = self;
        NewFact { corrects: Some(corrects), ..stated((statement, since, confidence), FactMethod::Person, counter) }
    }
}

/// Reads stored messages again, without a model at once. Returns how many messages were read, how many facts are new, and how many messages
/// wait for the model. A message whose facts are known is left alone; one that states none is read again.
pub(crate) fn extract_again(memory: &Recordar, space: &SpaceName, operation: &OperationId) -> Result<[u64; 3], Error> {
    let [mut messages, mut facts, mut queued] = [0; 3];
    let mut after = 0;
    for part in 0_u64.. {
        if memory.cancel.is_cancelled() {
            return Err(StoreError::Cancelled.into());
        }
        let rows = memory.store.read(|reading| {
            let row = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?;
            let rows = reading.live_items(row.id, Some(ItemKind::Message), after, PAGE)?;
            let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
            let known = reading.facts(row.id, FactsOf::Sources(&ids), row.revision)?;
            let known: BTreeSet<i64> = known.iter().filter_map(|fact| Some(fact.source?.item_id)).collect();
            Ok(rows.into_iter().map(|row| (known.contains(&row.id), row)).collect::<Vec<_>>())
        })?;
        let Some((_, last)) = rows.last() else { break };
        after = last.id;
        let unread: Vec<&ItemRow> = rows.iter().filter(|(is_known, _)| !is_known).map(|(_, row)| row).collect();
        messages += unread.len() as u64;
        let id = operation.part(&part.to_le_bytes());
        let request = Hasher::default().field(part.to_le_bytes()).finish();
        let operation = Operation { id: &id, kind: "extract_facts", request };
        let now = (memory.clock)();
        let written = memory.store.write(space, &operation, now, |writing| {
            let id = writing.space_id();
            let (mut new, mut jobs) = (Vec::new(), Vec::new());
            for row in &unread {
                let role = row.role.as_deref().and_then(|role| Role::parse(role).ok()).unwrap_or_default();
                let Some(speaker) = speaker_of(role, row.speaker.as_deref()) else { continue };
                if writing.item(id, row.id)?.is_none_or(|item| item.retired.is_some()) {
                    continue;
                }
                if memory.config.llm.is_some() {
                    jobs.push(NewJob { kind: FACTS, subject: row.id, due_at: now });
                    continue;
                }
                let text = SafeText::given(row.text.as_str());
                let task = FactsTask { message: &text, speaker, said_at: row.occurred_at, most_output_tokens: 0 };
                new.extend(new_facts(task.built_in(), FactMethod::BuiltIn, (row.id, row.thread_id), &memory.counter));
            }
            if new.is_empty() && jobs.is_empty() {
                return Ok(Settled::Abandon([0, 0]));
            }
            if !new.is_empty() {
                writing.add_facts(&new)?;
            }
            writing.add_jobs(&jobs)?;
            Ok(Settled::Commit([new.len() as u64, jobs.len() as u64]))
        })?;
        facts += written.value[0];
        queued += written.value[1];
        memory.grew(space, written.value[0] as usize);
    }
    Ok([messages, facts, queued])
}
