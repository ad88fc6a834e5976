//! Ends: setting, changing, removing and listing them, and forgetting what has come to its end.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::ensure_working;
use crate::expire::{Expired, due, expire, spaces_due};
use crate::ingest::Problem;
use recordar_core::error::Error;
use recordar_domain::{Digest, Expiry, Hasher, Invalid, OperationId, SpaceName, Timestamp, check_text};
use recordar_store::{Error as StoreError, ExpirySubject, Forgotten, Operation, Reading, Settled, SpaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What has an end, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpiryTarget {
    /// A thread by its name, with all its messages.
    Thread(String),
    /// A message, fact or summary by its number.
    Item(i64),
    /// The same by the id that the caller gave it, with the ones it replaced.
    OwnId(String),
    /// The documents that carry the tag when the end has come.
    Tag(String),
}

/// Something with an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpiryView {
    /// What it is: thread, item or tag.
    pub kind: &'static str,
    /// The thread's name, the item's number, or the tag.
    pub subject: String,
    /// The id that its caller gave the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// When it is to be forgotten.
    pub expires_at: Timestamp,
    /// Whether the time has come: the next `expire`, or a worker, forgets it.
    pub is_due: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpirySet {
    pub space: String,
    pub operation: String,
    /// The end as it is now; absent if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The end before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expired_at_before: Option<Timestamp>,
    pub repeated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpireReport {
    pub operation: String,
    /// A dry run: nothing was removed.
    pub dry_run: bool,
    /// How many spaces had something that was due.
    pub spaces: u64,
    pub expired: Expired,
    /// Whether the bytes are known to be erased from the database files, too.
    pub scrubbed: bool,
    pub warnings: Vec<Problem>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct StoredEnd {
    before: Option<i64>,
    after: Option<i64>,
}

const MAX_NAME_BYTES: usize = 1024;
/// The most ends that are listed.
const MAX_LISTED: usize = 10_000;

impl Recordar {
    /// Sets or changes the end of a thread, an item or a tag; or removes it, if none is given.
    pub fn set_expiry(
        &self,
        space: &SpaceName,
        target: &ExpiryTarget,
        expires: Option<Expiry>,
        operation: &OperationId,
    ) -> Result<ExpirySet, Error> {
        self.showing(|memory| {
            if let ExpiryTarget::Tag(tag) = target {
                check_text("the tag", tag, MAX_NAME_BYTES)?;
            }
            let now = (memory.clock)();
            let at = expires.map(|expires| expires.at(now)).transpose()?;
            let operation = Operation { id: operation, kind: "set_expiry", request: digest(target, expires) };
            let written = memory.store.write(space, &operation, now, |writing| {
                if writing.is_new_space() {
                    return Err(StoreError::absent(format!("space {space}")));
                }
                let id = writing.space_id();
                let subject = resolve(writing, id, space, target)?;
                let before = writing.expiry(id, &subject)?.map(|row| row.expires_at);
                match at {
                    Some(at) if before != Some(at) => writing.set_expiry(&subject, at)?,
                    None if before.is_some() => drop(writing.remove_expiry(&subject)?),
                    _ => {}
                }
                let micros = |time: Option<Timestamp>| time.map(Timestamp::as_micros);
                let stored = StoredEnd { before: micros(before), after: micros(at) };
                Ok(if before == at { Settled::Abandon(stored) } else { Settled::Commit(stored) })
            })?;
            ensure_working(memory);
            Ok(ExpirySet {
                space: space.to_string(),
                operation: operation.id.to_string(),
                expires_at: written.value.after.map(Timestamp::from_micros),
                expired_at_before: written.value.before.map(Timestamp::from_micros),
                repeated: written.is_repeated,
            })
        })
    }

    /// What has an end, the earliest first.
    pub fn expiries(&self, space: &SpaceName, limit: usize) -> Result<Vec<ExpiryView>, Error> {
        if !(1..=MAX_LISTED).contains(&limit) {
            let what = format!("limit {limit} is out of range: 1 to {MAX_LISTED}");
            return Err(Invalid::new(what, format!("use a number from 1 to {MAX_LISTED}")).into());
        }
        self.showing(|memory| {
            let now = (memory.clock)();
            Ok(memory.store.read(|reading| {
                let Some(id) = reading.space(space)?.map(|row| row.id) else {
                    return Err(StoreError::absent(format!("space {space}")));
                };
                let mut views = Vec::new();
                for row in reading.expiries(id, Timestamp::from_micros(i64::MAX), limit)? {
                    let (kind, subject, own_id) = match &row.subject {
                        ExpirySubject::Thread(thread) => {
                            let found = reading.thread_by_id(id, *thread)?;
                            ("thread", found.map_or_else(|| thread.to_string(), |thread| thread.name), None)
                        }
                        ExpirySubject::Item(item) => {
                            let own_id = reading.item(id, *item)?.and_then(|item| item.own_id);
                            ("item", item.to_string(), own_id)
                        }
                        ExpirySubject::Tag(tag) => ("tag", tag.clone(), None),
                    };
                    let is_due = row.expires_at <= now;
                    views.push(ExpiryView { kind, subject, id: own_id, expires_at: row.expires_at, is_due });
                }
                Ok(views)
            })?)
        })
    }

    /// Forgets what has come to its end in these spaces; in all of the store, if none are given.
    pub fn expire(
        &self,
        spaces: Option<&[SpaceName]>,
        dry_run: bool,
        operation: &OperationId,
    ) -> Result<ExpireReport, Error> {
        self.showing(|memory| {
            let mut report = ExpireReport {
                operation: operation.to_string(),
                dry_run,
                spaces: 0,
                expired: Expired::default(),
                scrubbed: false,
                warnings: Vec::new(),
            };
            let all = spaces.map_or_else(|| spaces_due(memory), |spaces| Ok(spaces.to_vec()))?;
            for space in &all {
                let expired = if dry_run { due(memory, space)? } else { expire(memory, space, operation)? };
                report.spaces += u64::from(expired.subjects() > 0);
                report.expired.join(&expired);
            }
            if !dry_run && report.expired.forgotten != Forgotten::default() {
                (report.scrubbed, report.warnings) = memory.erase();
            }
            Ok(report)
        })
    }
}

/// Distinguishes two calls with the same id. Of a name it uses one byte of its hash: too little to leave a trace of it.
fn digest(target: &ExpiryTarget, expires: Option<Expiry>) -> Digest {
    let (kind, target) = match target {
        ExpiryTarget::Thread(name) => ("thread", vec![Digest::of(name).0[0]]),
        ExpiryTarget::Item(id) => ("item", id.to_le_bytes().to_vec()),
        ExpiryTarget::OwnId(id) => ("own id", vec![Digest::of(id).0[0]]),
        ExpiryTarget::Tag(tag) => ("tag", vec![Digest::of(tag).0[0]]),
    };
    let expires = expires.map(|expires| expires.to_string()).unwrap_or_default();
    Hasher::default().field(kind).field(target).field(expires).finish()
}

fn resolve(
    reading: &mut Reading<'_>,
    id: SpaceId,
    space: &SpaceName,
    target: &ExpiryTarget,
) -> Result<ExpirySubject, StoreError> {
    match target {
        ExpiryTarget::Thread(name) => {
            let thread = reading.thread(id, name)?;
            let thread = thread.ok_or_else(|| StoreError::absent(format!("thread {name:?} in space {space}")))?;
            Ok(ExpirySubject::Thread(thread.id))
        }
        ExpiryTarget::Item(item) => {
            let found = reading.item(id, *item)?.filter(|found| found.document_id.is_none());
            found.map(|found| ExpirySubject::Item(found.id)).ok_or_else(|| {
                StoreError::absent(format!("message, fact or summary with the number {item} in space {space}"))
            })
        }
        ExpiryTarget::OwnId(own_id) => {
            let rows = reading.items_by_own_id(id, &[own_id])?;
            // The live one, or the last that was.
            let found = rows.iter().rev().find(|row| row.retired.is_none()).or(rows.last());
            let found = found.ok_or_else(|| StoreError::absent(format!("item with id {own_id:?} in space {space}")))?;
            Ok(ExpirySubject::Item(found.id))
        }
        ExpiryTarget::Tag(tag) => Ok(ExpirySubject::Tag(tag.clone())),
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SetExpiryArguments {
    /// A thread by its name, with all its messages.
    thread: Option<String>,
    /// A message, fact or summary by its number.
    item: Option<i64>,
    /// A message, fact or summary by your own id, with the ones it replaced.
    id: Option<String>,
    /// A tag: the documents that carry it when its end has come.
    tag: Option<String>,
    /// When it is to be forgotten: a time such as 2026-12-31, or a duration from now such as 30d (units: s, m, h, d, w). If left out, its
    /// end is removed, and it is kept.
    #[schemars(with = "Option<String>")]
    expires: Option<Expiry>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl SetExpiryArguments {
    /// The one target that is named.
    fn target(&mut self) -> Result<ExpiryTarget, Invalid> {
        let targets = [
            self.thread.take().map(ExpiryTarget::Thread),
            self.item.take().map(ExpiryTarget::Item),
            self.id.take().map(ExpiryTarget::OwnId),
            self.tag.take().map(ExpiryTarget::Tag),
        ];
        let mut targets = targets.into_iter().flatten();
        match (targets.next(), targets.next()) {
            (Some(only), None) => Ok(only),
            (found, _) => Err(Invalid::new(
                if found.is_some() { "more than one thing was named" } else { "nothing was named" },
                "name one of thread, item, id or tag",
            )),
        }
    }
}

impl Verb for SetExpiryArguments {
    const NAME: &'static str = "set_expiry";
    const ABOUT: &'static str =
        "Set, change or remove the time when a thread, an item or the documents with a tag are to be forgotten.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = ExpirySet;

    fn run(mut self, memory: &Recordar, call: &mut Call<'_>) -> Result<ExpirySet, Error> {
        let target = self.target()?;
        memory.set_expiry(call.space(), &target, self.expires, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ExpiriesArguments {
    /// Show at most this number.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LISTED))]
    limit: usize,
}

fn default_limit() -> usize {
    100
}

impl Verb for ExpiriesArguments {
    const NAME: &'static str = "expiries";
    const ABOUT: &'static str = "List what has an end, the earliest first.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<ExpiryView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<ExpiryView>, Error> {
        memory.expiries(call.space(), self.limit)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ExpireArguments {
    /// In all spaces, rather than in one.
    #[serde(default)]
    all_spaces: bool,
    /// Only show what would be removed.
    #[serde(default)]
    dry_run: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for ExpireArguments {
    const NAME: &'static str = "expire";
    const ABOUT: &'static str = "Permanently delete what has come to its end.";
    const EFFECT: Effect = Effect::Destroys;
    /// A confined caller cannot ask for all, whichever there are.
    const REACH: Reach<Self> =
        Reach::Spaces(|expire, _, _| Ok(expire.all_spaces.then(|| "all spaces".to_owned()).into_iter().collect()));
    const IS_LONG: bool = true;
    type Reply = ExpireReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ExpireReport, Error> {
        let own = [call.space().clone()];
        let spaces = if self.all_spaces { None } else { Some(&own[..]) };
        memory.expire(spaces, self.dry_run, &call.operation(self.operation)?)
    }
}
