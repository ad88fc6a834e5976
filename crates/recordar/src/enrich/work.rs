//! Doing the jobs of the queue: take some under a lease, do them, and commit their results together with their end. What is done twice, because a
//! lease ran out, is committed once.

use super::backfill::backfill;
use super::extract::extract;
use super::reembed::{advance_move, can_embed, embed_space};
use super::sum_up::sum_up;
use super::{BUILT_IN, ENRICH, REEMBED};
use crate::engine::Recordar;
use crate::expire::{expire, spaces_due};
use crate::fact::FACTS;
use crate::summary::SUMMARIES;
use recordar_core::config::WhenAway;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::noun::method::ModelProblem;
use recordar_core::reason::{EnrichTask, Reasoner};
use recordar_domain::{Cancel, Digest, Hasher, Importance, Labels, OperationId, Role, SpaceName, Timestamp};
use recordar_store::{
    Error as StoreError, LabelledBy, LeaseRequest, LeasedJob, LeasedJobs, Operation, Release, ReleasedJob, Settled,
    Store,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Jobs taken at once by the built-in method; a model gets as many as it may do at once.
const BUILT_IN_BATCH: usize = 64;
/// Only this much of a message is read for its labels, facts and summaries.
pub(super) const MAX_READ_BYTES: usize = 16 * 1024;
/// How often a job may be taken without being ended: its worker crashed each time.
const MAX_LEASES: i64 = 20;
/// The first wait before a failed job is tried again; each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(2);
const MAX_WAIT: Duration = Duration::from_secs(600);
/// How often an idle worker looks for jobs, and how long it waits for a model that is away, at most.
const POLL: Duration = Duration::from_millis(250);
const MAX_AWAY: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(20);

#[derive(Debug, Clone)]
pub(crate) struct WorkOptions {
    /// Whether to wait for more when the queue is empty.
    pub(crate) keeps_running: bool,
    /// Only jobs of these spaces; of all, if none are given.
    pub(crate) spaces: Option<Vec<SpaceName>>,
    /// Only jobs of these kinds.
    pub(crate) kinds: &'static [i64],
}

/// What a worker has done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct WorkReport {
    /// Messages that were labelled.
    pub labelled: u64,
    /// Messages whose facts were extracted.
    pub extracted: u64,
    /// Summaries that were made of old messages.
    pub summarised: u64,
    /// Items whose labels follow a change of the vocabulary now.
    pub backfilled: u64,
    /// Spaces that were embedded for the embedder that the store is being moved to.
    pub reembedded: u64,
    /// Threads, items and tags that had come to their end, and were forgotten.
    pub expired: u64,
    /// Attempts that failed; they are repeated later.
    pub failed: u64,
    /// Jobs that were set aside after too many attempts.
    pub dead: u64,
    /// Jobs that were finished by another worker, or whose message was forgotten meanwhile.
    pub lost: u64,
    /// Why the model could not be used; the jobs wait for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    /// What was spent, in tokens.
    pub tokens: u64,
}

/// Works until the queue is empty, or until it is cancelled. `operation` makes the worker's leases unique.
pub(crate) fn work(
    memory: &Recordar,
    options: &WorkOptions,
    operation: &OperationId,
    mut tell: impl FnMut(&WorkReport),
) -> Result<WorkReport, Error> {
    let mut report = WorkReport::default();
    resume(memory, options, operation, &mut report)?;
    let (mut away, mut is_proven) = (POLL, false);
    for number in 0_u64.. {
        if memory.cancel.is_cancelled() {
            return Ok(report);
        }
        let lease = Hasher::default().field(operation.as_str()).field(number.to_le_bytes()).finish();
        let Some(leased) = lease_jobs(memory, options, lease)? else {
            if !options.keeps_running && is_empty(memory, options)? {
                return Ok(report);
            }
            wait(memory, POLL);
            if number % 64 == 0 {
                resume(memory, options, operation, &mut report)?;
            }
            continue;
        };
        let done = match leased.kind {
            REEMBED => reembed(memory, &leased, lease, &mut report).map(|()| None),
            FACTS => extract(memory, &leased, lease, operation, &mut is_proven, &mut report),
            SUMMARIES => sum_up(memory, &leased, lease, operation, &mut is_proven, &mut report),
            _ => enrich(memory, &leased, lease, operation, &mut is_proven, &mut report),
        };
        let problem = done.inspect_err(|_| give_back(memory, &leased, lease))?;
        tell(&report);
        report.model_problem = problem;
        if report.model_problem.is_none() {
            away = POLL;
            continue;
        }
        if !options.keeps_running {
            return Ok(report);
        }
        wait(memory, away);
        away = (2 * away).min(MAX_AWAY);
    }
    Ok(report)
}

/// Goes on with what others began and may have left.
fn resume(
    memory: &Recordar,
    options: &WorkOptions,
    operation: &OperationId,
    report: &mut WorkReport,
) -> Result<(), Error> {
    if options.kinds.contains(&ENRICH) {
        forget_due(memory, options, operation, report)?;
        report.backfilled += backfill(memory, |_| {})?.items;
    }
    if options.kinds.contains(&REEMBED) { advance_move(memory) } else { Ok(()) }
}

/// Forgets what has come to its end, and erases the bytes once for all of it.
fn forget_due(
    memory: &Recordar,
    options: &WorkOptions,
    operation: &OperationId,
    report: &mut WorkReport,
) -> Result<(), Error> {
    let mut spaces = spaces_due(memory)?;
    spaces.retain(|space| options.spaces.as_ref().is_none_or(|wanted| wanted.contains(space)));
    let mut expired = 0;
    for space in &spaces {
        expired += expire(memory, space, operation)?.subjects();
    }
    if expired > 0 {
        // The rows are gone; failing to erase their bytes is not a failure of the worker.
        let _ = memory.store.scrub();
    }
    report.expired += expired;
    Ok(())
}

fn lease_jobs(memory: &Recordar, options: &WorkOptions, lease: Digest) -> Result<Option<LeasedJobs>, Error> {
    let now = (memory.clock)();
    let most = match &memory.config.llm {
        Some(llm) => llm.client.concurrency,
        None => BUILT_IN_BATCH,
    };
    let request = LeaseRequest {
        lease,
        now,
        until: later(now, memory.config.work.lease),
        most,
        max_leases: MAX_LEASES,
        spaces: options.spaces.as_deref(),
    };
    Ok(memory.store.lease_jobs(doable(memory, options)?, &request)?)
}

/// The kinds of jobs that this program can do. Moving to an embedder that was not given to it is left to others.
fn doable(memory: &Recordar, options: &WorkOptions) -> Result<&'static [i64], Error> {
    if !options.kinds.contains(&REEMBED) || can_embed(memory)? {
        return Ok(options.kinds);
    }
    Ok(if options.kinds.contains(&ENRICH) { &[ENRICH, FACTS, SUMMARIES] } else { &[] })
}

/// Whether nobody has a job to do any more.
fn is_empty(memory: &Recordar, options: &WorkOptions) -> Result<bool, Error> {
    let now = (memory.clock)();
    let kinds = doable(memory, options)?;
    Ok(memory.store.read(|reading| {
        let spaces = match &options.spaces {
            None => vec![None],
            Some(names) => {
                let mut ids = Vec::new();
                for name in names {
                    ids.extend(reading.space(name)?.map(|row| Some(row.id)));
                }
                ids
            }
        };
        for space in spaces {
            let queued = reading.queue_status(space, now)?;
            let mut queued = queued.iter().filter(|status| kinds.contains(&status.kind));
            if queued.any(|status| status.waiting + status.leased > 0) {
                return Ok(false);
            }
        }
        Ok(true)
    })?)
}

/// Gives back what this worker still holds, so that others need not wait for the end of its lease. If that fails, they do.
fn give_back(memory: &Recordar, leased: &LeasedJobs, lease: Digest) {
    let due_at = (memory.clock)();
    let later = |job: &LeasedJob| ReleasedJob { subject: job.subject, outcome: Release::Later { due_at } };
    let held: Vec<ReleasedJob> = leased.jobs.iter().map(later).collect();
    let _ = steady(memory).release_jobs(lease, &leased.space, &held);
}

/// Embeds the space of a lease for the embedder that the store is being moved to, and ends the move with the last one.
fn reembed(memory: &Recordar, leased: &LeasedJobs, lease: Digest, report: &mut WorkReport) -> Result<(), Error> {
    let now = (memory.clock)();
    let release = |outcome: &dyn Fn(&LeasedJob) -> Release| {
        let released = leased.jobs.iter().map(|job| ReleasedJob { subject: job.subject, outcome: outcome(job) });
        steady(memory).release_jobs(lease, &leased.space, &released.collect::<Vec<_>>())
    };
    match with_heartbeat(memory, leased, lease, || embed_space(memory, &leased.space)) {
        Ok(()) => {}
        Err(Error::Store(StoreError::Cancelled)) => {
            return release(&|_| Release::Later { due_at: now }).map(drop).map_err(Error::from);
        }
        // About this space, rather than about the database as a whole.
        Err(error @ (Error::Input { .. } | Error::Store(StoreError::Invalid(_) | StoreError::Corrupt { .. }))) => {
            let is_last = |job: &LeasedJob| job.attempts + 1 >= i64::from(memory.config.work.attempts);
            let error = error.to_string();
            release(&|job| match is_last(job) {
                true => Release::Dead { error: error.clone() },
                false => Release::Failed { due_at: later(now, backoff(job.attempts + 1)), error: error.clone() },
            })?;
            let dead = leased.jobs.iter().filter(|job| is_last(job)).count() as u64;
            report.dead += dead;
            report.failed += leased.jobs.len() as u64 - dead;
            return Ok(());
        }
        Err(error) => return Err(error),
    }
    let subjects: Vec<i64> = leased.jobs.iter().map(|job| job.subject).collect();
    let ended = steady(memory).finish_jobs(&leased.space, lease, REEMBED, &subjects)?;
    report.reembedded += ended;
    report.lost += subjects.len() as u64 - ended;
    advance_move(memory)
}

/// What is needed to label a message, or to extract its facts.
pub(super) struct LeasedMessage {
    pub(super) item_id: i64,
    pub(super) attempts: i64,
    pub(super) text: SafeText,
    importance: Option<Importance>,
    pub(super) speaker: Option<String>,
    pub(super) role: Role,
    pub(super) said_at: Timestamp,
    pub(super) thread_id: Option<i64>,
}

/// Labels the messages of a lease. Returns why the model could not be used, if so. `is_proven` says whether it has replied since it was away last.
fn enrich(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    is_proven: &mut bool,
    report: &mut WorkReport,
) -> Result<Option<ModelProblem>, Error> {
    let messages = read_messages(memory, leased)?;
    let vocabulary = memory.vocabulary.get(&memory.store)?;
    let calls = memory.reasoning.operation();
    // Where a model is configured only it labels, so the built-in method never takes its place.
    let reasoner = Reasoner { when_away: WhenAway::Error, ..memory.reasoning.reasoner(&calls) };
    let labelled_by = reasoner.model().map_or_else(|| BUILT_IN.to_owned(), |model| model.name.to_string());
    let task = |message| EnrichTask {
        vocabulary: &vocabulary,
        message,
        language: memory.config.language,
        most_output_tokens: memory.reasoning.max_output_tokens(),
    };
    let tasks: Vec<EnrichTask<'_>> = messages.iter().map(|message| task(&message.text)).collect();
    let performed = with_heartbeat(memory, leased, lease, || reasoner.perform_all(&tasks));
    report.tokens += calls.calls().iter().map(|call| call.tokens_prompt + call.tokens_completion).sum::<u64>();
    let mut labels: Vec<(i64, Labels)> = Vec::new();
    *is_proven |= performed.iter().any(|performed| performed.done.is_ok());
    let mut failures = Failures::new(memory, *is_proven);
    for (message, performed) in messages.iter().zip(performed) {
        match performed.done {
            Ok(done) => labels.push((message.item_id, done.reply.with_importance(message.importance))),
            Err(error) => {
                failures.take((message.item_id, message.attempts), &error, !performed.calls.is_empty(), report)
            }
        }
    }
    let Failures { released, problem, .. } = failures;
    *is_proven &= problem.is_none();
    let committed = commit(memory, leased, lease, operation, (&labels, &labelled_by))?;
    report.labelled += committed;
    report.lost += (leased.jobs.len() as u64).saturating_sub(committed + released.len() as u64);
    if !released.is_empty() {
        steady(memory).release_jobs(lease, &leased.space, &released)?;
    }
    Ok(problem)
}

/// Jobs that failed, and why the model could not be used, if so.
pub(super) struct Failures<'a> {
    memory: &'a Recordar,
    is_proven: bool,
    now: Timestamp,
    pub(super) released: Vec<ReleasedJob>,
    pub(super) problem: Option<ModelProblem>,
}

impl<'a> Failures<'a> {
    pub(super) fn new(memory: &'a Recordar, is_proven: bool) -> Self {
        Self { memory, is_proven, now: (memory.clock)(), released: Vec::new(), problem: None }
    }

    /// Decides when a job is tried again. `was_asked` says whether the model was called for it.
    pub(super) fn take(
        &mut self,
        (subject, attempts): (i64, i64),
        error: &Error,
        was_asked: bool,
        report: &mut WorkReport,
    ) {
        let is_away = matches!(error, Error::Model(error) if !error.is_about_request());
        if let (Error::Model(error), true) = (error, is_away) {
            self.problem = Some(ModelProblem::from(error));
        }
        // A model that is away is nobody's fault, and nothing is counted. But one that replies to others, and never to this message, is
        // stopped by it.
        let counts = !is_away || (self.is_proven && was_asked);
        let attempts = attempts + i64::from(counts);
        let due_at = later(self.now, backoff(attempts));
        let outcome = match counts {
            false => Release::Later { due_at: self.now },
            true if attempts >= i64::from(self.memory.config.work.attempts) => {
                Release::Dead { error: error.to_string() }
            }
            true => Release::Failed { due_at, error: error.to_string() },
        };
        match outcome {
            Release::Dead { .. } => report.dead += 1,
            Release::Failed { .. } => report.failed += 1,
            Release::Later { .. } => {}
        }
        self.released.push(ReleasedJob { subject, outcome });
    }
}

/// The messages of a lease, cleared for a model. Those that were forgotten meanwhile have no job any more.
pub(super) fn read_messages(memory: &Recordar, leased: &LeasedJobs) -> Result<Vec<LeasedMessage>, Error> {
    let rows = memory.store.read(|reading| {
        let Some(space) = reading.space(&leased.space)? else { return Ok(Vec::new()) };
        let mut rows = Vec::with_capacity(leased.jobs.len());
        for job in &leased.jobs {
            rows.extend(reading.item(space.id, job.subject)?.map(|item| (job.attempts, item)));
        }
        Ok(rows)
    })?;
    let guard = memory.configured_guard()?;
    let mut messages = Vec::with_capacity(rows.len());
    for (attempts, item) in rows {
        let text = guard.text(&item.text)?;
        let end = text.as_str().floor_char_boundary(MAX_READ_BYTES);
        messages.push(LeasedMessage {
            item_id: item.id,
            attempts,
            text: text.up_to(end),
            importance: item.importance,
            role: item.role.as_deref().and_then(|role| Role::parse(role).ok()).unwrap_or_default(),
            speaker: item.speaker,
            said_at: item.occurred_at,
            thread_id: item.thread_id,
        });
    }
    Ok(messages)
}

/// Stores the labels of the messages that are still this worker's, and ends their jobs, in one transaction.
fn commit(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    (labels, labelled_by): (&[(i64, Labels)], &str),
) -> Result<u64, Error> {
    if labels.is_empty() {
        return Ok(0);
    }
    let id = operation.part(&lease.0);
    let subjects: Vec<i64> = labels.iter().map(|(id, _)| *id).collect();
    let request = subjects.iter().fold(Hasher::default(), |hasher, id| hasher.field(id.to_le_bytes())).finish();
    let operation = Operation { id: &id, kind: "enrich", request };
    let written = steady(memory).write(&leased.space, &operation, (memory.clock)(), |writing| {
        let held = writing.finish_jobs(lease, ENRICH, &subjects)?;
        let labels = labels.iter().filter(|(id, _)| held.contains(id));
        let labels: Vec<LabelledBy<'_>> = labels.map(|(id, labels)| (*id, labels, labelled_by, None)).collect();
        // Nothing is left if the space was forgotten: it must not be made again.
        if labels.is_empty() {
            return Ok(Settled::Abandon(0));
        }
        writing.label(&labels)?;
        Ok(Settled::Commit(labels.len() as u64))
    })?;
    Ok(written.value)
}

/// Runs some work, and renews the lease meanwhile.
pub(super) fn with_heartbeat<T>(memory: &Recordar, leased: &LeasedJobs, lease: Digest, work: impl FnOnce() -> T) -> T {
    let every = memory.config.work.lease / 3;
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let until = later((memory.clock)(), memory.config.work.lease);
                // If it cannot be renewed, another worker may take over: then nothing of this one is committed.
                let _ = memory.store.renew_lease(lease, &leased.space, until);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// The store for what is already done: a worker that is told to stop still commits it, and gives back the rest.
pub(super) fn steady(memory: &Recordar) -> Store {
    memory.store.cancelled_by(Cancel::default())
}

fn later(time: Timestamp, wait: Duration) -> Timestamp {
    let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(time.as_micros().saturating_add(micros))
}

/// Twice as long each time.
fn backoff(attempts: i64) -> Duration {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(16);
    (FIRST_WAIT * 2_u32.pow(doublings)).min(MAX_WAIT)
}

/// Waits, unless the call is cancelled.
fn wait(memory: &Recordar, time: Duration) {
    let started = Instant::now();
    while !memory.cancel.is_cancelled() && started.elapsed() < time {
        std::thread::sleep(GLANCE.min(time.saturating_sub(started.elapsed())));
    }
}
