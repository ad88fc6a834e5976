//! Summing up the old messages of threads, from the queue. A job is a thread; what it has left is queued again with what was done.

use super::work::{Failures, WorkReport, steady, with_heartbeat};
use crate::config::WhenAway;
use crate::engine::Recordar;
use crate::error::Error;
use crate::guard::SafeText;
use crate::noun::method::ModelProblem;
use crate::reason::{Reasoner, Said, SumUpTask, SummedUp};
use crate::summary::{SUMMARIES, Summarising, WHOLE_SPACE, spans};
use recordar_domain::{Digest, Hasher, Metadata, OperationId, Role, Timestamp};
use recordar_store::{Error as StoreError, ItemRow, LeasedJob, LeasedJobs, NewSummary, Operation, Settled, Writing};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Spans that the built-in method sums up in one transaction. A model sums up one of a thread at a time, so that nothing is paid twice.
const BUILT_IN_SPANS: usize = 64;

/// A span of old messages.
struct Span {
    thread: i64,
    attempts: i64,
    messages: Vec<ItemRow>,
    said: Vec<Said>,
}

/// What the jobs of a lease ask for.
#[derive(Default)]
struct Asked {
    spans: Vec<Span>,
    /// Jobs of which nothing is left to do.
    done: Vec<i64>,
    /// Threads that have to be looked at again.
    again: Vec<i64>,
}

/// Sums up the threads of a lease. Returns why the model could not be used, if so.
pub(super) fn sum_up(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    is_proven: &mut bool,
    report: &mut WorkReport,
) -> Result<Option<ModelProblem>, Error> {
    let calls = memory.reasoning.operation();
    // Where a model is configured only it sums up, so the built-in method never takes its place.
    let reasoner = Reasoner { when_away: WhenAway::Error, ..memory.reasoning.reasoner(&calls) };
    let is_by_model = reasoner.model().is_some();
    let Asked { spans, mut done, again } = read(memory, leased, is_by_model)?;
    let tasks: Vec<SumUpTask<'_>> = spans
        .iter()
        .map(|span| SumUpTask {
            messages: &span.said,
            language: memory.config.language,
            most_output_tokens: memory.reasoning.max_output_tokens(),
        })
        .collect();
    let performed = with_heartbeat(memory, leased, lease, || reasoner.perform_all(&tasks));
    report.tokens += calls.calls().iter().map(|call| call.tokens_prompt + call.tokens_completion).sum::<u64>();
    *is_proven |= performed.iter().any(|performed| performed.done.is_ok());
    let mut failures = Failures::new(memory, *is_proven);
    let mut summaries: Vec<(i64, NewSummary)> = Vec::new();
    for (span, performed) in spans.iter().zip(performed) {
        match performed.done {
            Ok(reply) => summaries.push((span.thread, summary(memory, span, reply.reply, is_by_model))),
            Err(error) => failures.take((span.thread, span.attempts), &error, !performed.calls.is_empty(), report),
        }
    }
    let Failures { released, problem, .. } = failures;
    *is_proven &= problem.is_none();
    done.extend(summaries.iter().map(|(thread, _)| *thread));
    done.sort_unstable();
    done.dedup();
    let [ended, stored] = commit(memory, leased, lease, operation, (&done, &summaries, &again))?;
    report.summarised += stored;
    report.lost += (leased.jobs.len() as u64).saturating_sub(ended + released.len() as u64);
    if !released.is_empty() {
        steady(memory).release_jobs(lease, &leased.space, &released)?;
    }
    Ok(problem)
}

/// The spans of the threads of a lease, cleared for a model if there is one.
fn read(memory: &Recordar, leased: &LeasedJobs, is_by_model: bool) -> Result<Asked, Error> {
    let most = if is_by_model { 1 } else { BUILT_IN_SPANS };
    let mut asked = memory.store.read(|reading| {
        let mut asked = Asked::default();
        let Some(space) = reading.space(&leased.space)? else { return Ok(asked) };
        for LeasedJob { subject, attempts, .. } in &leased.jobs {
            if *subject == WHOLE_SPACE {
                asked.done.push(*subject);
                asked.again.extend(reading.threads(space.id)?.iter().map(|thread| thread.id));
                continue;
            }
            let outline = reading.thread_outline(space.id, *subject)?;
            let open = spans(&outline, memory.config.summaries.recent_messages);
            if open.is_empty() {
                asked.done.push(*subject);
            }
            if open.len() > most {
                asked.again.push(*subject);
            }
            for ids in open.iter().take(most) {
                let by_id: BTreeMap<i64, ItemRow> =
                    reading.items(space.id, ids)?.into_iter().map(|item| (item.id, item)).collect();
                // In the order of their times.
                let messages = ids.iter().filter_map(|id| by_id.get(id).cloned()).collect();
                asked.spans.push(Span { thread: *subject, attempts: *attempts, messages, said: Vec::new() });
            }
        }
        Ok(asked)
    })?;
    let guard = memory.configured_guard()?;
    for span in &mut asked.spans {
        for item in &span.messages {
            // What the built-in method keeps stays in the store, where the messages are.
            let text = if is_by_model { guard.text(&item.text)? } else { SafeText::given(item.text.as_str()) };
            span.said.push(Said { speaker: speaker(item), text, at: item.occurred_at });
        }
    }
    Ok(asked)
}

/// Who said a message, as a summary calls them.
fn speaker(item: &ItemRow) -> String {
    let role = || item.role.as_deref().and_then(|role| Role::parse(role).ok()).unwrap_or_default().name().to_owned();
    item.speaker.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(role)
}

fn summary(memory: &Recordar, span: &Span, made: SummedUp, is_by_model: bool) -> NewSummary {
    let SummedUp { title, summary } = made;
    let times = || span.messages.iter().map(|message| message.occurred_at);
    let (from, to) = (times().min().unwrap_or(EPOCH), times().max().unwrap_or(EPOCH));
    let days = if from.day() == to.day() { from.day() } else { format!("{} to {}", from.day(), to.day()) };
    let text = format!("{title} ({days})\n{summary}");
    let fields = [
        ("title", Value::from(title)),
        ("method", if is_by_model { "model" } else { "built_in" }.into()),
        ("from", from.to_string().into()),
        ("to", to.to_string().into()),
        ("messages", span.messages.len().into()),
    ];
    let fields: Map<String, Value> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    NewSummary {
        tokens: memory.counter.count(&text),
        text,
        metadata: Metadata::new(fields).unwrap_or_default(),
        occurred_at: to,
        sources: span.messages.iter().map(|message| message.id).collect(),
    }
}

const EPOCH: Timestamp = Timestamp::from_micros(0);

/// Stores the summaries of threads that are still this worker's, ends their jobs and queues what is left, in one transaction. Returns how many
/// jobs were ended, and how many summaries stored.
fn commit(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    (done, summaries, again): (&[i64], &[(i64, NewSummary)], &[i64]),
) -> Result<[u64; 2], Error> {
    if done.is_empty() {
        return Ok([0, 0]);
    }
    let id = operation.part(&lease.0);
    let request = done.iter().fold(Hasher::default(), |hasher, id| hasher.field(id.to_le_bytes())).finish();
    let operation = Operation { id: &id, kind: "sum_up", request };
    let now = (memory.clock)();
    let queue = Summarising::of(memory, now);
    let written = steady(memory).write(&leased.space, &operation, now, |writing| {
        let held = writing.finish_jobs(lease, SUMMARIES, done)?;
        // Nothing is left if the space was forgotten: it must not be made again.
        if held.is_empty() {
            return Ok(Settled::Abandon([0, 0]));
        }
        let mut stored: Vec<NewSummary> = Vec::new();
        for (thread, summary) in summaries.iter().filter(|(thread, _)| held.contains(thread)) {
            if is_current(writing, *thread, &summary.sources)? {
                stored.push(summary.clone());
            }
        }
        if !stored.is_empty() {
            writing.add_summaries(&stored)?;
        }
        let is_ended = |thread: &&i64| held.contains(thread) || held.contains(&WHOLE_SPACE);
        let jobs: Vec<_> = again.iter().filter(is_ended).map(|thread| queue.job(*thread)).collect();
        writing.add_jobs(&jobs)?;
        Ok(Settled::Commit([held.len() as u64, stored.len() as u64]))
    })?;
    memory.grew(&leased.space, written.value[1] as usize);
    Ok(written.value)
}

/// Whether all messages of a span are still there, and nothing else sums them up.
fn is_current(writing: &mut Writing<'_>, thread: i64, sources: &[i64]) -> Result<bool, StoreError> {
    let space = writing.space_id();
    let outline = writing.thread_outline(space, thread)?;
    let is_open = |id: &i64| outline.iter().any(|message| message.id == *id && !message.is_summed_up);
    Ok(sources.iter().all(is_open))
}
