//! The backlog: messages without labels, or with labels of another method than the configured one, and what labelling them would cost.

use super::{BUILT_IN, ENRICH};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::reason::{EnrichTask, Task};
use recordar_domain::{Hasher, OperationId, SpaceName, Vocabulary};
use recordar_store::{NewJob, Operation, Settled};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// Messages looked at, or queued, at once.
const PAGE: usize = 2_000;

/// Which messages belong to the backlog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that the configured labeller has not labelled.
    Unlabelled,
    /// Also those that it labelled with another version of the vocabulary.
    Outdated,
}

/// What labelling the backlog would take.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Backlog {
    /// Messages to label.
    pub messages: u64,
    /// Who would label them: the model, or `built-in`.
    pub labelled_by: String,
    /// Maximum tokens of one call for each message, if a model does.
    pub tokens: u64,
    /// Their price in US dollars, if it is known.
    pub usd: Option<f64>,
    /// Messages that were queued; none in a dry run.
    pub queued: u64,
}

/// The labeller that is configured.
pub(crate) fn labeller(memory: &Recordar) -> String {
    memory.config.llm.as_ref().map_or_else(|| BUILT_IN.to_owned(), |llm| llm.profile.name.to_string())
}

pub(crate) fn backlog(memory: &Recordar, spaces: &[SpaceName], of: Which) -> Result<Backlog, Error> {
    let labelled_by = labeller(memory);
    let vocabulary = memory.vocabulary.get(&memory.store)?;
    let (mut messages, mut bytes) = (0_u64, 0_u64);
    for space in spaces {
        each_page(memory, space, (&labelled_by, of), |page| {
            messages += page.len() as u64;
            bytes += page.iter().map(|(_, bytes)| *bytes as u64).sum::<u64>();
            Ok(())
        })?;
    }
    let (tokens, usd) = price(memory, &vocabulary, messages, bytes)?;
    Ok(Backlog { messages, labelled_by, tokens, usd, queued: 0 })
}

/// The maximum of one call for each message: the prompt around it, its text, and the reply.
fn price(
    memory: &Recordar,
    vocabulary: &Arc<Vocabulary>,
    messages: u64,
    bytes: u64,
) -> Result<(u64, Option<f64>), Error> {
    let operation = memory.reasoning.operation();
    let Some(client) = memory.reasoning.reasoner(&operation).client? else { return Ok((0, None)) };
    let estimate = |text: &str| {
        let message = SafeText::given(text);
        let most_output_tokens = memory.reasoning.max_output_tokens();
        let task = EnrichTask { vocabulary, message: &message, language: memory.config.language, most_output_tokens };
        client.estimate(&task.request())
    };
    // A call costs a fixed part, and a part for each byte of the message.
    const SAMPLE: u64 = 1_000;
    let (empty, long) = (estimate(""), estimate(&"x".repeat(SAMPLE as usize)));
    let scale = |empty: u64, long: u64| {
        messages.saturating_mul(empty).saturating_add(bytes.saturating_mul(long.saturating_sub(empty)) / SAMPLE)
    };
    let tokens = scale(empty.tokens_first_call, long.tokens_first_call);
    let nano = empty.nano_usd_first_call.zip(long.nano_usd_first_call).map(|(empty, long)| scale(empty, long));
    Ok((tokens, nano.map(|nano| nano as f64 / 1e9)))
}

/// Queues the backlog of a space, in bounded transactions.
pub(crate) fn queue_backlog(
    memory: &Recordar,
    space: &SpaceName,
    of: Which,
    operation: &OperationId,
) -> Result<u64, Error> {
    let (labelled_by, mut queued) = (labeller(memory), 0);
    each_page(memory, space, (&labelled_by, of), |page| {
        let due_at = (memory.clock)();
        let jobs: Vec<NewJob> =
            page.iter().map(|(subject, _)| NewJob { kind: ENRICH, subject: *subject, due_at }).collect();
        let ids = page.iter().fold(Hasher::default(), |hasher, (id, _)| hasher.field(id.to_le_bytes()));
        let id = operation.part(format!("{space} {:?}", page.first()).as_bytes());
        let operation = Operation { id: &id, kind: "enrich", request: ids.finish() };
        let written = memory.store.write(space, &operation, due_at, |writing| {
            if writing.is_new_space() {
                return Ok(Settled::Abandon(0));
            }
            Ok(match writing.add_jobs(&jobs)? {
                0 => Settled::Abandon(0),
                added => Settled::Commit(added),
            })
        })?;
        queued += if written.is_repeated { 0 } else { written.value };
        Ok(())
    })?;
    Ok(queued)
}

/// Calls `take` with the ids and sizes of the messages that the labeller has not labelled, page by page.
fn each_page(
    memory: &Recordar,
    space: &SpaceName,
    (labelled_by, of): (&str, Which),
    mut take: impl FnMut(&[(i64, usize)]) -> Result<(), Error>,
) -> Result<(), Error> {
    let vocabulary = memory.vocabulary.get(&memory.store)?;
    let version = (of == Which::Outdated).then(|| vocabulary.version());
    let mut after = 0;
    loop {
        let page = memory.store.read(|reading| match reading.space(space)? {
            Some(space) => reading.unlabelled(space.id, after, (labelled_by, version), PAGE),
            None => Ok(Vec::new()),
        })?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = *last;
        let waiting: Vec<(i64, usize)> = page.into_iter().filter(|(_, bytes)| *bytes > 0).collect();
        if !waiting.is_empty() {
            take(&waiting)?;
        }
    }
}
