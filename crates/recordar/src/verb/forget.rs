//! Forgetting: permanently, with everything derived, and with a report of what was removed.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::ensure_working;
use crate::ingest::Problem;
use crate::summary::Summarising;
use crate::verb::receipts::find_receipt;
use recordar_core::error::Error;
use recordar_core::route::document_name::find_current_document;
use recordar_domain::{Digest, Hasher, Invalid, OperationId, SpaceName};
use recordar_store::{
    CountedReceipts, Error as StoreError, ForgetTarget, Forgotten, Operation, Reading, Settled, SpaceId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

/// What to forget, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgetRequest {
    Items(Vec<i64>),
    /// Messages, facts and summaries by the ids that the caller gave them, with the ones they replaced.
    OwnIds(Vec<String>),
    /// A document by its path, file name or id, with all its versions.
    Document(String),
    /// One version of a document, by its number. Chunks that other versions have stay.
    Version(String, i64),
    /// A thread by its name, with all its messages.
    Thread(String),
    /// Receipts by their ids or prefixes of them. The items they name stay.
    Receipts(Vec<String>),
    Space,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ForgetReport {
    pub space: String,
    pub operation: String,
    /// A dry run: nothing was removed.
    pub dry_run: bool,
    /// What the given name refers to.
    pub target: String,
    pub forgotten: Forgotten,
    /// Whether the bytes are known to be erased from the database files, too.
    pub scrubbed: bool,
    pub repeated: bool,
    pub warnings: Vec<Problem>,
}

impl Recordar {
    pub fn forget(
        &self,
        space: &SpaceName,
        request: &ForgetRequest,
        dry_run: bool,
        operation: &OperationId,
    ) -> Result<ForgetReport, Error> {
        self.showing(|memory| {
            let mut report = ForgetReport {
                space: space.to_string(),
                operation: operation.to_string(),
                dry_run,
                target: String::new(),
                forgotten: Forgotten::default(),
                scrubbed: false,
                repeated: false,
                warnings: Vec::new(),
            };
            let counted = match memory.within {
                None => CountedReceipts::OfEverySpace,
                Some(_) => CountedReceipts::OfOwnSpace,
            };
            if dry_run {
                (report.forgotten, report.target) = memory.store.read(|reading| {
                    let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
                    let (target, name) = resolve(reading, id, space, request)?;
                    Ok((reading.forgettable(id, &target, counted)?, name))
                })?;
                return Ok(report);
            }
            let operation = Operation { id: operation, kind: "forget", request: digest(request) };
            let count = |text: &str| memory.counter.count(text);
            let mut found = String::new();
            let now = (memory.clock)();
            let summarising = Summarising::of(memory, now);
            let deleting = || {
                memory.store.write(space, &operation, now, |writing| {
                    if writing.is_new_space() || writing.space(space)?.is_none() {
                        return Err(StoreError::absent(format!("space {space}")));
                    }
                    let id = writing.space_id();
                    let (target, name) = resolve(writing, id, space, request)?;
                    found = name;
                    let forgotten = writing.forget(&target, counted, &count)?;
                    summarising.lost(writing)?;
                    Ok(Settled::Commit(forgotten))
                })
            };
            let written = memory.waits.during("deleting", memory.deletion_time(space, request), deleting)?;
            ensure_working(memory);
            report.forgotten = written.value;
            report.target = found;
            report.repeated = written.is_repeated;
            (report.scrubbed, report.warnings) = memory.erase();
            if let ForgetRequest::Version(name, _) = request
                && memory.document_text(space, name, None).is_ok_and(|text| !text.document.live)
            {
                report.warnings.push(Problem::new(
                    "no_current_version",
                    "the newest version was forgotten, so the document has no current one, and searches do not find it",
                    "ingest the file again",
                ));
            }
            if matches!(request, ForgetRequest::Items(_)) && report.forgotten.chunks > 0 {
                report.warnings.push(Problem::new(
                    "still_in_file",
                    "chunks were forgotten, but their files were not: a later version would store the text again",
                    "remove the text from the files, or forget the documents",
                ));
            }
            Ok(report)
        })
    }

    /// Erases the bytes of deleted rows, and says whether that could be done: failing to is not a failure of the call.
    pub(super) fn erase(&self) -> (bool, Vec<Problem>) {
        let erasing = || self.store.scrub().unwrap_or(false);
        let is_scrubbed = self.waits.during("erasing the bytes from the file", self.erasing_time(), erasing);
        (is_scrubbed, (!is_scrubbed).then(|| self.unscrubbed()).into_iter().collect())
    }

    /// About how long deleting takes. Whoever watches waits, so only then it is worth finding out how much there is.
    fn deletion_time(&self, space: &SpaceName, request: &ForgetRequest) -> Duration {
        const ITEMS_PER_SECOND: u64 = 20_000;
        if !self.waits.is_observed() {
            return Duration::ZERO;
        }
        let counted = self.store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(0) };
            let (target, _) = resolve(reading, row.id, space, request)?;
            let Forgotten { chunks, messages, facts, summaries, .. } =
                reading.forgettable(row.id, &target, CountedReceipts::OfOwnSpace)?;
            Ok(chunks + messages + facts + summaries)
        });
        Duration::from_millis(1000 * counted.unwrap_or(0) / ITEMS_PER_SECOND)
    }

    /// About how long it takes to rewrite the file.
    fn erasing_time(&self) -> Duration {
        const BYTES_PER_MILLISECOND: u64 = 30 * 1024;
        let file = self.store.url().sqlite_path().and_then(|path| path.metadata().ok());
        Duration::from_millis(file.map_or(0, |file| file.len() / BYTES_PER_MILLISECOND))
    }

    fn unscrubbed(&self) -> Problem {
        if !self.store.url().is_server() {
            Problem::new(
                "log_in_use",
                "the rows are deleted, but a concurrent reader or a full disk may have left some of their bytes in the file",
                "the next `forget`, or SQLite's VACUUM, erases them if no other process has the file open",
            )
        } else {
            Problem::new(
                "server_files",
                "the rows are deleted; the server erases their bytes from its files and logs later",
                "on PostgreSQL, run VACUUM FULL to rewrite the tables now; delete backups and archived logs yourself",
            )
        }
    }
}

/// Distinguishes two forget calls with the same id. For items it uses their ids, which stay as tombstones anyway; for
/// a name, one byte of its hash: enough to notice a mix-up, too little to leave a trace of the forgotten name.
fn digest(request: &ForgetRequest) -> Digest {
    let (kind, target) = match request {
        ForgetRequest::Items(ids) => ("items", ids.iter().flat_map(|id| id.to_le_bytes()).collect()),
        ForgetRequest::OwnIds(ids) => ("own ids", vec![Digest::of(ids.join("\0")).0[0]]),
        ForgetRequest::Document(name) => ("document", vec![Digest::of(name).0[0]]),
        ForgetRequest::Version(name, number) => ("version", vec![Digest::of(name).0[0], *number as u8]),
        ForgetRequest::Thread(name) => ("thread", vec![Digest::of(name).0[0]]),
        ForgetRequest::Receipts(ids) => ("receipts", vec![Digest::of(ids.join(" ")).0[0]]),
        ForgetRequest::Space => ("space", Vec::new()),
    };
    Hasher::default().field(kind).field(target).finish()
}

/// The ids behind a name, and what the name refers to.
fn resolve(
    reading: &mut Reading<'_>,
    id: SpaceId,
    space: &SpaceName,
    request: &ForgetRequest,
) -> Result<(ForgetTarget, String), StoreError> {
    match request {
        ForgetRequest::Items(items) => {
            for item in items {
                // An item that is not here may have come with an imported receipt.
                if reading.item(id, *item)?.is_none() && !reading.is_in_receipt(space, *item)? {
                    return Err(StoreError::absent(format!("item {item} in space {space}")));
                }
            }
            let name = items.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            Ok((ForgetTarget::Items(items.clone()), format!("item {name}")))
        }
        ForgetRequest::OwnIds(ids) => {
            let wanted: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
            let rows = reading.items_by_own_id(id, &wanted.iter().copied().collect::<Vec<_>>())?;
            let found: BTreeSet<&str> = rows.iter().filter_map(|row| row.own_id.as_deref()).collect();
            if let Some(missing) = wanted.iter().find(|own_id| !found.contains(*own_id)) {
                return Err(StoreError::absent(format!("item with id {missing:?} in space {space}")));
            }
            let name = ids.iter().map(|own_id| format!("{own_id:?}")).collect::<Vec<_>>().join(", ");
            Ok((ForgetTarget::Items(rows.iter().map(|row| row.id).collect()), format!("item with id {name}")))
        }
        ForgetRequest::Document(name) => {
            let document = find_current_document(reading, id, space, name)?;
            Ok((ForgetTarget::Document(document.id), format!("document {}", document.path)))
        }
        ForgetRequest::Version(name, number) => {
            let document = find_current_document(reading, id, space, name)?;
            let versions = reading.versions(id, document.id)?;
            let version = versions.iter().find(|version| version.number == *number);
            let absent = || StoreError::absent(format!("version {number} of {} in space {space}", document.path));
            let version = version.ok_or_else(absent)?;
            Ok((ForgetTarget::Version(version.id), format!("version {number} of {}", document.path)))
        }
        ForgetRequest::Thread(name) => {
            let thread = reading.thread(id, name)?;
            let thread = thread.ok_or_else(|| StoreError::absent(format!("thread {name:?} in space {space}")))?;
            Ok((ForgetTarget::Thread(thread.id), format!("thread {name}")))
        }
        ForgetRequest::Receipts(ids) => {
            let found = ids.iter().map(|receipt| Ok(find_receipt(reading, space, receipt)?.1.digest));
            let digests = found.collect::<Result<Vec<Digest>, StoreError>>()?;
            Ok((ForgetTarget::Receipts(digests), format!("receipt {}", ids.join(", "))))
        }
        ForgetRequest::Space => Ok((ForgetTarget::Space, format!("space {space}"))),
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ForgetArguments {
    /// Ids of items.
    items: Option<Vec<i64>>,
    /// Your own ids of messages, facts or summaries. The ones that they replaced are deleted too.
    ids: Option<Vec<String>>,
    /// A document by its path, file name or id, with all its versions.
    document: Option<String>,
    /// Of the document, only this version. Chunks that other versions have stay.
    version: Option<i64>,
    /// A thread by its name, with all its messages.
    thread: Option<String>,
    /// Receipts by their ids, with the questions they hold. Their items stay.
    receipts: Option<Vec<String>>,
    /// The whole space, with everything in it.
    #[serde(default)]
    whole_space: bool,
    /// Only show what would be removed.
    #[serde(default)]
    dry_run: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl ForgetArguments {
    /// The one target that is named.
    fn target(&mut self) -> Result<ForgetRequest, Invalid> {
        let version = self.version.take();
        if version.is_some() && self.document.is_none() {
            return Err(Invalid::new("a version without its document was named", "name the document as well"));
        }
        let of_document = |name: String| match version {
            Some(number) => ForgetRequest::Version(name, number),
            None => ForgetRequest::Document(name),
        };
        let targets = [
            self.items.take().map(ForgetRequest::Items),
            self.ids.take().map(ForgetRequest::OwnIds),
            self.document.take().map(of_document),
            self.thread.take().map(ForgetRequest::Thread),
            self.receipts.take().map(ForgetRequest::Receipts),
            self.whole_space.then_some(ForgetRequest::Space),
        ];
        let mut targets = targets.into_iter().flatten();
        match (targets.next(), targets.next()) {
            (Some(only), None) => Ok(only),
            (found, _) => Err(Invalid::new(
                if found.is_some() { "more than one thing to forget was named" } else { "nothing to forget was named" },
                "name one of items, ids, document, thread, receipts or whole_space",
            )),
        }
    }
}

impl Verb for ForgetArguments {
    const NAME: &'static str = "forget";
    const ABOUT: &'static str = "Permanently delete items, a document, a thread, receipts or a whole space.";
    const EFFECT: Effect = Effect::Destroys;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = ForgetReport;

    fn run(mut self, memory: &Recordar, call: &mut Call<'_>) -> Result<ForgetReport, Error> {
        let target = self.target()?;
        memory.forget(call.space(), &target, self.dry_run, &call.operation(self.operation)?)
    }
}
