//! Summing up the old messages of threads, from the queue. A job is a thread; whether more of it is left is decided when its summaries are stored.

use super::work::{Failures, MAX_READ_BYTES, WorkReport, steady, with_heartbeat};
use crate::engine::Recordar;
use crate::summary::{SUMMARIES, Summarising, WHOLE_SPACE};
use recordar_core::config::WhenAway;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::noun::method::ModelProblem;
use recordar_core::reason::{Reasoner, Said, SumUpTask, SummedUp, Task};
use recordar_core::summary::spans;
use recordar_domain::{Digest, Hasher, Metadata, OperationId, Role, Timestamp};
use recordar_store::{
    Error as StoreError, ItemRow, LeasedJob, LeasedJobs, NewJob, NewSummary, Operation, Reading, Settled, SpaceId,
    Writing,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Spans that the built-in method sums up at once. A model sums up one of a thread at a time, so that nothing is paid twice.
const BUILT_IN_SPANS: usize = 64;
/// Threads that are looked at in one transaction if all of a space are.
const THREADS_AT_ONCE: usize = 500;
const EPOCH: Timestamp = Timestamp::from_micros(0);

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
    /// Jobs that end without a summary.
    done: Vec<i64>,
    /// What follows from jobs for the whole space: the threads to look at, and where to go on.
    next: Vec<i64>,
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
    // Where a model is configured it sums up, and the built-in method does not take its place while it is away.
    let reasoner = Reasoner { when_away: WhenAway::Error, ..memory.reasoning.reasoner(&calls) };
    let is_by_model = reasoner.model().is_some();
    let Asked { spans, mut done, next } = read(memory, leased, is_by_model)?;
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
    for ((span, task), performed) in spans.iter().zip(&tasks).zip(performed) {
        let is_last = span.attempts + 1 >= i64::from(memory.config.work.attempts);
        let made = match performed.done {
            Ok(reply) => (reply.reply, is_by_model),
            // A span that the model cannot sum up must not keep the rest of its thread waiting, and be paid for again.
            Err(Error::Model(error)) if is_last && error.is_about_request() => (task.built_in(), false),
            Err(error) => {
                failures.take((span.thread, span.attempts), &error, !performed.calls.is_empty(), report);
                continue;
            }
        };
        summaries.push((span.thread, summary(memory, span, made)));
    }
    let Failures { released, problem, .. } = failures;
    *is_proven &= problem.is_none();
    done.extend(summaries.iter().map(|(thread, _)| *thread));
    done.sort_unstable();
    done.dedup();
    let [ended, stored] = commit(memory, leased, lease, operation, (&done, &summaries, &next))?;
    report.summarised += stored;
    report.lost += (leased.jobs.len() as u64).saturating_sub(ended + released.len() as u64);
    if !released.is_empty() {
        steady(memory).release_jobs(lease, &leased.space, &released)?;
    }
    Ok(problem)
}

/// The spans of the threads of a lease, cleared for a model if there is one.
fn read(memory: &Recordar, leased: &LeasedJobs, is_by_model: bool) -> Result<Asked, Error> {
    let (mut left, of_thread) = if is_by_model { (usize::MAX, 1) } else { (BUILT_IN_SPANS, BUILT_IN_SPANS) };
    let mut asked = memory.store.read(|reading| {
        let mut asked = Asked::default();
        let Some(space) = reading.space(&leased.space)? else { return Ok(asked) };
        for LeasedJob { subject, attempts, .. } in &leased.jobs {
            if *subject <= WHOLE_SPACE {
                asked.done.push(*subject);
                asked.next.extend(next_threads(reading, space.id, -subject)?);
                continue;
            }
            let outline = reading.thread_outline(space.id, *subject)?;
            let open = spans(&outline, memory.config.summaries.recent_messages);
            let taken = &open[..open.len().min(of_thread).min(left)];
            if taken.is_empty() {
                asked.done.push(*subject);
            }
            left -= taken.len();
            for ids in taken {
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
    // What the built-in method keeps stays in the store, where the messages are.
    let clear = |text: &str| if is_by_model { guard.text(text) } else { Ok(SafeText::given(text)) };
    for span in &mut asked.spans {
        for item in &span.messages {
            let text = clear(&item.text)?;
            let end = text.as_str().floor_char_boundary(MAX_READ_BYTES);
            span.said.push(Said { speaker: clear(&speaker(item))?, text: text.up_to(end), at: item.occurred_at });
        }
    }
    Ok(asked)
}

/// The next threads of a space behind one, and where to go on if there are more.
fn next_threads(reading: &mut Reading<'_>, space: SpaceId, after: i64) -> Result<Vec<i64>, StoreError> {
    let threads = reading.threads(space)?.into_iter().map(|thread| thread.id).filter(|id| *id > after);
    let mut next: Vec<i64> = threads.take(THREADS_AT_ONCE).collect();
    if next.len() == THREADS_AT_ONCE {
        next.extend(next.last().map(|last| -last));
    }
    Ok(next)
}

/// Who said a message, as a summary calls them.
fn speaker(item: &ItemRow) -> String {
    let role = || item.role.as_deref().and_then(|role| Role::parse(role).ok()).unwrap_or_default().name().to_owned();
    item.speaker.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(role)
}

fn summary(memory: &Recordar, span: &Span, (made, is_by_model): (SummedUp, bool)) -> NewSummary {
    let SummedUp { title, lines } = made;
    let times = || span.messages.iter().map(|message| message.occurred_at);
    let (from, to) = (times().min().unwrap_or(EPOCH), times().max().unwrap_or(EPOCH));
    let text = format!("{title}\n{}", lines.join("\n"));
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

/// Stores the summaries of threads that are still this worker's, ends their jobs and queues what is left, in one transaction. Returns how many
/// jobs were ended, and how many summaries stored.
fn commit(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    (done, summaries, next): (&[i64], &[(i64, NewSummary)], &[i64]),
) -> Result<[u64; 2], Error> {
    if done.is_empty() {
        return Ok([0, 0]);
    }
    let id = operation.part(&lease.0);
    let request = done.iter().fold(Hasher::default(), |hasher, id| hasher.field(id.to_le_bytes())).finish();
    let operation = Operation { id: &id, kind: "sum_up", request };
    let now = (memory.clock)();
    let queue = Summarising::of(memory, now);
    let recent = memory.config.summaries.recent_messages;
    let written = steady(memory).write(&leased.space, &operation, now, |writing| {
        let held = writing.finish_jobs(lease, SUMMARIES, done)?;
        // Nothing is left if the space was forgotten: it must not be made again.
        if held.is_empty() {
            return Ok(Settled::Abandon([0, 0]));
        }
        let mut jobs: Vec<NewJob> = Vec::new();
        let mut stored = 0;
        for thread in &held {
            if *thread <= WHOLE_SPACE {
                jobs.extend(next.iter().map(|subject| queue.job(*subject)));
                continue;
            }
            let made = summaries.iter().filter(|(of, _)| of == thread).map(|(_, summary)| summary);
            let (count, is_open) = store_current(writing, *thread, made, recent)?;
            stored += count;
            jobs.extend(is_open.then(|| queue.job(*thread)));
        }
        writing.add_jobs(&jobs)?;
        Ok(Settled::Commit([held.len() as u64, stored]))
    })?;
    memory.grew(&leased.space, written.value[1] as usize);
    Ok(written.value)
}

/// Stores the summaries of a thread whose messages are all still there and not summed up by others. Returns how many, and whether the thread has
/// more to be summed up: new messages may have come meanwhile, or old ones changed.
fn store_current<'a>(
    writing: &mut Writing<'_>,
    thread: i64,
    made: impl Iterator<Item = &'a NewSummary>,
    recent: usize,
) -> Result<(u64, bool), StoreError> {
    let space = writing.space_id();
    let mut outline = writing.thread_outline(space, thread)?;
    let mut current: Vec<NewSummary> = Vec::new();
    for summary in made {
        let is_open = |id: &i64| outline.iter().any(|message| message.id == *id && !message.is_summed_up);
        if summary.sources.iter().all(is_open) {
            let summed_up = outline.iter_mut().filter(|message| summary.sources.contains(&message.id));
            summed_up.for_each(|message| message.is_summed_up = true);
            current.push(summary.clone());
        }
    }
    if !current.is_empty() {
        writing.add_summaries(&current)?;
    }
    Ok((current.len() as u64, !spans(&outline, recent).is_empty()))
}
