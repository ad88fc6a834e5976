//! Facts (D2, E6): how messages become facts, at once by the built-in patterns, and by the model from the queue.

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

/// How the messages of a call become facts: at once, by the built-in patterns; a model that is configured reads them later, and its facts take their place.
pub(crate) struct Extraction<'a> {
    memory: &'a Recordar,
    now: Timestamp,
}

impl<'a> Extraction<'a> {
    pub(crate) fn of(memory: &'a Recordar, now: Timestamp) -> Self {
        Self { memory, now }
    }

    /// What each message states, by the patterns. Nothing is written here: it may be done before the transaction.
    pub(crate) fn read(&self, messages: &[&Message]) -> Vec<Vec<Extracted>> {
        let read = |message: &&Message| {
            let speaker = said_by(message).filter(|_| self.memory.config.extracts_facts);
            let said_at = message.time.unwrap_or(self.now);
            speaker.map(|speaker| read(message.text.as_str(), speaker, said_at)).unwrap_or_default()
        };
        messages.iter().map(read).collect()
    }

    /// Stores what new messages state, and queues them for the model, in the transaction that stores them.
    pub(crate) fn store(
        &self,
        writing: &mut Writing<'_>,
        first_id: i64,
        messages: &[&Message],
        stated: Vec<Vec<Extracted>>,
    ) -> Result<(), StoreError> {
        if !self.memory.config.extracts_facts {
            return Ok(());
        }
        if self.memory.config.llm.is_some() {
            let said = (first_id..).zip(messages).filter(|(_, message)| said_by(message).is_some());
            let jobs: Vec<NewJob> =
                said.map(|(subject, _)| NewJob { kind: FACTS, subject, due_at: self.now }).collect();
            writing.add_jobs(&jobs)?;
        }
        let (mut facts, space) = (Vec::new(), writing.space_id());
        let states = (first_id..).zip(messages).zip(stated).filter(|(_, stated)| !stated.is_empty());
        for ((id, message), stated) in states {
            let thread_id = match &message.thread {
                Some(name) => writing.thread(space, name)?.map(|thread| thread.id),
                None => None,
            };
            facts.extend(new_facts(stated, FactMethod::BuiltIn, (id, thread_id), &self.memory.counter));
        }
        if facts.is_empty() { Ok(()) } else { writing.add_facts(&facts).map(drop) }
    }
}

/// What a text states, by the built-in patterns.
fn read(text: &str, speaker: &str, said_at: Timestamp) -> Vec<Extracted> {
    let message = SafeText::given(text);
    FactsTask { message: &message, speaker, said_at, most_output_tokens: 0 }.built_in()
}

fn said_by(message: &Message) -> Option<&str> {
    let speaker = speaker_of(message.role, message.speaker.as_deref());
    speaker.filter(|_| message.kind == ItemKind::Message)
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

/// Reads stored messages again: by the patterns at once, and by the model, if there is one, from the queue. Returns how many messages were read, how
/// many facts are new, and how many messages wait for the model. A message whose facts are known is left alone, unless the model may find better ones
/// than the patterns did; one that states none is read again.
pub(crate) fn extract_again(memory: &Recordar, space: &SpaceName, operation: &OperationId) -> Result<[u64; 3], Error> {
    let [mut messages, mut facts, mut queued] = [0; 3];
    let (mut after, asks_model) = (0, memory.config.llm.is_some());
    for part in 0_u64.. {
        if memory.cancel.is_cancelled() {
            return Err(StoreError::Cancelled.into());
        }
        let (rows, known) = memory.store.read(|reading| {
            let row = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?;
            let rows = reading.live_items(row.id, Some(ItemKind::Message), after, PAGE)?;
            let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
            let known = reading.facts(row.id, FactsOf::Sources(&ids), row.revision)?;
            Ok((rows, known))
        })?;
        let Some(last) = rows.last() else { break };
        after = last.id;
        let sources = |is_wanted: &dyn Fn(FactMethod) -> bool| -> BTreeSet<i64> {
            let wanted = known.iter().filter(|fact| is_wanted(fact.method));
            wanted.filter_map(|fact| Some(fact.source?.item_id)).collect()
        };
        let (known, settled) = (sources(&|_| true), sources(&|method| !asks_model || method != FactMethod::BuiltIn));
        let unread: Vec<&ItemRow> = rows.iter().filter(|row| !settled.contains(&row.id)).collect();
        messages += unread.len() as u64;
        let id = operation.part(&part.to_le_bytes());
        let request = Hasher::default().field(part.to_le_bytes()).finish();
        let operation = Operation { id: &id, kind: "extract_facts", request };
        let now = (memory.clock)();
        let stated: Vec<Vec<Extracted>> = unread.iter().map(|row| stated_by(row, &known)).collect();
        let written = memory.store.write(space, &operation, now, |writing| {
            let id = writing.space_id();
            let (mut new, mut jobs) = (Vec::new(), Vec::new());
            let ids: Vec<i64> = unread.iter().map(|row| row.id).collect();
            let revision = writing.revision();
            let known = writing.facts(id, FactsOf::Sources(&ids), revision)?;
            let is_known = |row: &ItemRow| known.iter().any(|fact| fact.source.is_some_and(|of| of.item_id == row.id));
            for (row, stated) in unread.iter().zip(&stated) {
                let is_gone = writing.item(id, row.id)?.is_none_or(|item| item.retired.is_some());
                if is_gone || speaker_of(role_of(row), row.speaker.as_deref()).is_none() {
                    continue;
                }
                if asks_model {
                    jobs.push(NewJob { kind: FACTS, subject: row.id, due_at: now });
                }
                // A worker may have stored some meanwhile.
                if !is_known(row) {
                    let source = (row.id, row.thread_id);
                    new.extend(new_facts(stated.clone(), FactMethod::BuiltIn, source, &memory.counter));
                }
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

fn role_of(row: &ItemRow) -> Role {
    row.role.as_deref().and_then(|role| Role::parse(role).ok()).unwrap_or_default()
}

/// What a stored message states, by the patterns, unless its facts are known.
fn stated_by(row: &ItemRow, known: &BTreeSet<i64>) -> Vec<Extracted> {
    let speaker = speaker_of(role_of(row), row.speaker.as_deref()).filter(|_| !known.contains(&row.id));
    speaker.map(|speaker| read(&row.text, speaker, row.occurred_at)).unwrap_or_default()
}
