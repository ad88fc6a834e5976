//! The queue: doing its jobs, their state, and the backlog of messages without labels.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::{
    Backlog, ENRICH, EVERY_KIND, REEMBED, Which, WorkOptions, WorkReport, backlog, queue_backlog, work,
};
use crate::fact::FACTS;
use crate::summary::SUMMARIES;
use recordar_core::error::Error;
use recordar_core::noun::progress::Progress;
use recordar_domain::{Hasher, OperationId, SpaceName, Timestamp};
use recordar_store::{Error as StoreError, Operation, Settled, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueueReport {
    pub kinds: Vec<QueuedKind>,
    /// Jobs that were set aside, with the reason: the first of each space.
    pub dead: Vec<DeadJobView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueuedKind {
    /// What the jobs do: enrich, reembed, facts or summaries.
    pub kind: &'static str,
    /// Jobs that nobody is doing.
    pub waiting: u64,
    /// Jobs that a worker is doing.
    pub running: u64,
    /// Jobs that were set aside after too many attempts.
    pub dead: u64,
    /// When the oldest job that is not done was queued.
    pub oldest_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeadJobView {
    pub space: String,
    pub kind: &'static str,
    pub item_id: i64,
    pub attempts: i64,
    pub error: String,
    pub queued_at: Timestamp,
}

/// How many jobs of a space were changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JobsChanged {
    pub space: String,
    pub jobs: u64,
}

/// Dead jobs shown of each space.
const MAX_DEAD: usize = 20;

impl Recordar {
    /// Does the jobs of the queue until it is empty; or, if it keeps running, until it is cancelled. Several processes can work at once.
    pub fn work(
        &self,
        keep_running: bool,
        spaces: Option<&[SpaceName]>,
        operation: &OperationId,
        mut tell: impl FnMut(Progress),
    ) -> Result<WorkReport, Error> {
        self.showing(|memory| {
            let spaces = spaces.map(<[SpaceName]>::to_vec);
            let options = WorkOptions { keeps_running: keep_running, spaces, kinds: EVERY_KIND };
            work(memory, &options, operation, |report| {
                tell(Progress { done: report.labelled, total: 0, message: "messages labelled".to_owned() });
            })
        })
    }

    /// The state of the queue in all spaces.
    pub fn queue(&self) -> Result<QueueReport, Error> {
        self.showing(|memory| {
            let now = (memory.clock)();
            Ok(memory.store.read(|reading| {
                let kinds = reading.queue_status(None, now)?.into_iter().map(|status| QueuedKind {
                    kind: kind_name(status.kind),
                    waiting: status.waiting,
                    running: status.leased,
                    dead: status.dead,
                    oldest_at: status.oldest_made_at,
                });
                let kinds: Vec<QueuedKind> = kinds.collect();
                let mut dead = Vec::new();
                if kinds.iter().any(|kind| kind.dead > 0) {
                    for space in reading.spaces()? {
                        let jobs = reading.dead_jobs(space.id, MAX_DEAD)?;
                        dead.extend(jobs.into_iter().map(|job| DeadJobView {
                            space: space.name.clone(),
                            kind: kind_name(job.kind),
                            item_id: job.subject,
                            attempts: job.attempts,
                            error: job.error.unwrap_or_default(),
                            queued_at: job.made_at,
                        }));
                    }
                }
                Ok(QueueReport { kinds, dead })
            })?)
        })
    }

    /// Tries the jobs of a space again that were set aside.
    pub fn retry_jobs(&self, space: &SpaceName, operation: &OperationId) -> Result<JobsChanged, Error> {
        let now = (self.clock)();
        self.change_jobs(space, operation, "retry_jobs", |writing| writing.retry_dead_jobs(None, now))
    }

    /// Removes the jobs of a space. The messages stay as they are.
    pub fn cancel_jobs(&self, space: &SpaceName, operation: &OperationId) -> Result<JobsChanged, Error> {
        self.change_jobs(space, operation, "cancel_jobs", |writing| writing.cancel_jobs(None))
    }

    fn change_jobs(
        &self,
        space: &SpaceName,
        operation: &OperationId,
        kind: &str,
        mut change: impl FnMut(&mut Writing<'_>) -> Result<u64, StoreError>,
    ) -> Result<JobsChanged, Error> {
        let operation = Operation { id: operation, kind, request: Hasher::default().field(kind).finish() };
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            if writing.is_new_space() {
                return Err(StoreError::absent(format!("space {space}")));
            }
            Ok(match change(writing)? {
                0 => Settled::Abandon(0),
                jobs => Settled::Commit(jobs),
            })
        })?;
        Ok(JobsChanged { space: space.to_string(), jobs: written.value })
    }

    /// Queues the messages that the configured labeller has not labelled; or only says how many there are, and what they would cost.
    /// With `outdated`, also those with labels of another version of the vocabulary.
    pub fn enrich(
        &self,
        spaces: &[SpaceName],
        outdated: bool,
        is_dry_run: bool,
        operation: &OperationId,
    ) -> Result<Backlog, Error> {
        let of = if outdated { Which::Outdated } else { Which::Unlabelled };
        let mut found = backlog(self, spaces, of)?;
        if !is_dry_run {
            for space in spaces {
                found.queued += queue_backlog(self, space, of, operation)?;
            }
            crate::enrich::ensure_working(self);
        }
        Ok(found)
    }

    fn all_spaces(&self) -> Result<Vec<SpaceName>, Error> {
        let rows = self.store.read(|reading| reading.spaces())?;
        Ok(rows.iter().map(|row| SpaceName::parse(&row.name)).collect::<Result<_, _>>()?)
    }
}

fn kind_name(kind: i64) -> &'static str {
    match kind {
        ENRICH => "enrich",
        REEMBED => "reembed",
        FACTS => "facts",
        SUMMARIES => "summaries",
        _ => "unknown",
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct WorkArguments {
    /// When the queue is empty, wait for more until stopped.
    #[serde(default)]
    keep_running: bool,
}

impl Verb for WorkArguments {
    const NAME: &'static str = "work";
    const ABOUT: &'static str = "Do the jobs of the queue, such as labelling messages, until it is empty.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = true;
    type Reply = WorkReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<WorkReport, Error> {
        let operation = call.operation(None)?;
        memory.work(self.keep_running, None, &operation, |progress| call.tell(progress))
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct QueueArguments {}

impl Verb for QueueArguments {
    const NAME: &'static str = "queue";
    const ABOUT: &'static str = "Show the state of the queue: waiting and running jobs, and those set aside.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = QueueReport;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<QueueReport, Error> {
        memory.queue()
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RetryJobsArguments {
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for RetryJobsArguments {
    const NAME: &'static str = "retry_jobs";
    const ABOUT: &'static str = "Try the jobs of the space again that were set aside.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = JobsChanged;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<JobsChanged, Error> {
        memory.retry_jobs(call.space(), &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CancelJobsArguments {
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for CancelJobsArguments {
    const NAME: &'static str = "cancel_jobs";
    const ABOUT: &'static str = "Remove all jobs of the space from the queue.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = JobsChanged;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<JobsChanged, Error> {
        memory.cancel_jobs(call.space(), &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct EnrichArguments {
    /// Only show how many messages there are, and what labelling them would cost at most.
    #[serde(default)]
    dry_run: bool,
    /// Also messages that were labelled with another version of the vocabulary.
    #[serde(default)]
    outdated: bool,
    /// In all spaces, rather than in one.
    #[serde(default)]
    all_spaces: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for EnrichArguments {
    const NAME: &'static str = "enrich";
    const ABOUT: &'static str =
        "Queue messages that the configured model, or the built-in method, has not labelled yet.";
    const EFFECT: Effect = Effect::Writes;
    /// A confined caller cannot ask for all, whichever there are.
    const REACH: Reach<Self> =
        Reach::Spaces(|enrich, _, _| Ok(enrich.all_spaces.then(|| "all spaces".to_owned()).into_iter().collect()));
    const IS_LONG: bool = true;
    type Reply = Backlog;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Backlog, Error> {
        let spaces = if self.all_spaces { memory.all_spaces()? } else { vec![call.space().clone()] };
        memory.enrich(&spaces, self.outdated, self.dry_run, &call.operation(self.operation)?)
    }
}
