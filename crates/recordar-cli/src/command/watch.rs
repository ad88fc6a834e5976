//! `recordar ingest --watch`: after an ordinary ingestion, what changes under its paths is ingested until Ctrl-C.
//!
//! Changes are found by asking for the times and sizes of files and folders, not by notifications of the system: that works on every
//! file system, also over a network and in a container, and misses nothing. A look costs about two microseconds a file; the more files
//! there are, the longer the pause after it, so that an idle watch takes a twentieth of one core at most.

use super::ingest::selected;
use crate::arguments::Session;
use crate::outcome::Outcome;
use crate::output::{plural, printable};
use recordar::document::{FileReport, FileStatus, IngestReport, SelectFiles};
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The pause between two looks, at least; and how many times as long as a look it is.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_PER_LOOK: u32 = 20;
/// A file that is being written is left alone until it rests, but not for ever.
const SETTLING: Duration = Duration::from_millis(200);
const MAX_SETTLING: u32 = 10;
/// Folders are searched again this often even if none of them seems changed: an ignore file may have been.
const SEARCH_EVERY: Duration = Duration::from_secs(60);
/// A search takes longer than a look. The next one comes after this many times as long, even if folders change all the time.
const PAUSE_PER_SEARCH: u32 = 10;
/// The longest pause while the database is away.
const MAX_AWAY: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(50);
const MOST_SHOWN: usize = 20;

/// What shows that a file or a folder was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: (i64, i64),
    changed: (i64, i64),
    bytes: u64,
    inode: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.symlink_metadata().ok()?;
        Some(Self {
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            bytes: metadata.size(),
            inode: metadata.ino(),
        })
    }
}

/// The paths of an ingestion, and what of them is stored.
pub(super) struct Watch {
    paths: Vec<PathBuf>,
    select: SelectFiles,
    files: Vec<PathBuf>,
    folders: BTreeMap<PathBuf, Option<Stamp>>,
    searched: Instant,
    /// How long the last search, and the last look at what it found, took.
    search_took: Duration,
    look_took: Duration,
    /// Files as they were when they were last ingested.
    stored: BTreeMap<PathBuf, Stamp>,
}

/// Files that are not as they were.
#[derive(Default, PartialEq, Eq)]
struct Changes {
    changed: BTreeMap<PathBuf, Stamp>,
    vanished: BTreeSet<PathBuf>,
}

impl Watch {
    /// Notes how the files are before they are ingested: what changes meanwhile is found afterwards.
    pub(super) fn begin(session: &Session<'_>, arguments: &Map<String, Value>) -> Result<Self, Error> {
        let paths: Vec<PathBuf> = serde_json::from_value(arguments["paths"].clone()).unwrap_or_default();
        if paths.iter().any(|path| path == Path::new("-")) {
            return Err(Invalid::new("standard input (-) cannot be watched", "name files or folders").into());
        }
        if let Some(missing) = paths.iter().find(|_| !paths.iter().any(|path| path.exists())) {
            let what = format!("{} does not exist", missing.display());
            return Err(Invalid::new(what, "name a file or folder that exists").into());
        }
        let select = selected(arguments)?;
        let (files, folders, stored) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let (searched, search_took, look_took) = (Instant::now(), Duration::ZERO, Duration::ZERO);
        let mut watch = Self { paths, select, files, folders, searched, search_took, look_took, stored };
        watch.search(session)?;
        watch.stored = watch.files.iter().filter_map(|path| Some((path.clone(), Stamp::of(path)?))).collect();
        Ok(watch)
    }

    /// Follows the paths until Ctrl-C.
    pub(super) fn follow(
        mut self,
        session: &Session<'_>,
        mut arguments: Map<String, Value>,
        first: &IngestReport,
    ) -> Result<Outcome, Error> {
        self.set_back(first);
        // These were for the files that were there.
        ["force", "helpers", "operation"].iter().for_each(|given| drop(arguments.remove(*given)));
        let prune = arguments.get("prune").and_then(Value::as_bool) == Some(true);
        let (files, folders) = (self.files.len() as u64, self.folders.len() as u64);
        session.output.hint(&format!(
            "watching {} and {}; Ctrl-C ends it",
            plural(files, "file"),
            plural(folders, "folder")
        ));
        let (mut away, mut is_away, mut left) = (PAUSE, false, BTreeSet::new());
        while !session.is_interrupted() {
            let changes = self.settled(session, prune, &left)?;
            let Changes { changed, vanished } = changes;
            if changed.is_empty() && vanished.is_empty() {
                continue;
            }
            if session.is_interrupted() {
                break;
            }
            match self.store(session, &arguments, prune, &changed, &vanished) {
                Ok(report) => {
                    let is_retried = report.files.iter().any(is_away_from);
                    // Once is enough to say that the database is away.
                    if !(is_retried && is_away) {
                        show(session, &report);
                    }
                    if !is_retried {
                        self.stored.extend(changed);
                        self.stored.retain(|path, _| !vanished.contains(path));
                        self.set_back(&report);
                    }
                    is_away = is_retried;
                    away = if is_retried { (away * 2).min(MAX_AWAY) } else { PAUSE };
                }
                Err(error) if error.code() == "cancelled" => break,
                Err(error) if Outcome::of_error(&error) == Outcome::Misused => return Err(error),
                Err(error) if error.code() == "nothing_left" => {
                    session.output.warn(&format!("note: {error}\n  try: {}", error.remedy()));
                    // They are asked about again when others have vanished as well.
                    left = vanished;
                    continue;
                }
                Err(error) => {
                    if !is_away {
                        session.output.warn(&format!("waiting: {error}\n  try: {}", error.remedy()));
                    }
                    (is_away, away) = (true, (away * 2).min(MAX_AWAY));
                }
            }
            if is_away {
                rest(session, away);
            }
        }
        session.output.hint("the watch has ended; everything that was reported is stored");
        Ok(Outcome::Done)
    }

    /// Ingests what was changed. If files vanished and are to be retired, everything is compared, so that a file that moved is recognised.
    fn store(
        &self,
        session: &Session<'_>,
        arguments: &Map<String, Value>,
        prune: bool,
        changed: &BTreeMap<PathBuf, Stamp>,
        vanished: &BTreeSet<PathBuf>,
    ) -> Result<IngestReport, Error> {
        let mut arguments = arguments.clone();
        arguments.insert("operation".to_owned(), json!(uuid::Uuid::new_v4().to_string()));
        if prune && !vanished.is_empty() {
            return session.call::<verbs::Ingest>(arguments);
        }
        if !prune && !vanished.is_empty() && !session.output.is_json {
            for path in vanished.iter().take(MOST_SHOWN) {
                session.output.line(&format!("vanished {} (retire it with --prune)", shown(&path.to_string_lossy())));
            }
            if vanished.len() > MOST_SHOWN {
                session.output.line(&format!("… and {} more", vanished.len() - MOST_SHOWN));
            }
        }
        let call = session.new_call::<verbs::Ingest>()?;
        session.memory()?.ingest_only(call, arguments, changed.keys().cloned().collect())
    }

    /// The next changes, once the files rest; or none, when the pause is over.
    fn settled(&mut self, session: &Session<'_>, prune: bool, left: &BTreeSet<PathBuf>) -> Result<Changes, Error> {
        let mut changes = self.look(session)?;
        if changes.changed.is_empty() && (changes.vanished.is_empty() || (prune && changes.vanished == *left)) {
            rest(session, PAUSE.max(self.look_took * PAUSE_PER_LOOK));
            return Ok(Changes::default());
        }
        for _ in 0..MAX_SETTLING {
            rest(session, SETTLING);
            let next = self.look(session)?;
            if next == changes || session.is_interrupted() {
                break;
            }
            changes = next;
        }
        Ok(changes)
    }

    fn look(&mut self, session: &Session<'_>) -> Result<Changes, Error> {
        let is_changed = |(folder, stamp): (&PathBuf, &Option<Stamp>)| Stamp::of(folder) != *stamp;
        let started = Instant::now();
        let (since, pause) = (self.searched.elapsed(), self.search_took * PAUSE_PER_SEARCH);
        let is_changed = since >= pause && self.folders.iter().any(is_changed);
        let mut searched = Duration::ZERO;
        if is_changed || since >= SEARCH_EVERY.max(pause) {
            self.search(session)?;
            searched = self.search_took;
        }
        let mut changes = Changes::default();
        for path in &self.files {
            match (Stamp::of(path), self.stored.get(path)) {
                (Some(stamp), stored) if stored != Some(&stamp) => {
                    changes.changed.insert(path.clone(), stamp);
                }
                (None, Some(_)) => {
                    changes.vanished.insert(path.clone());
                }
                _ => {}
            }
        }
        // What the last search did not find may have vanished, or be ignored since.
        let missed = self.stored.keys().filter(|path| self.files.binary_search(path).is_err());
        changes.vanished.extend(missed.filter(|path| Stamp::of(path).is_none()).cloned());
        self.look_took = started.elapsed().saturating_sub(searched);
        Ok(changes)
    }

    fn search(&mut self, session: &Session<'_>) -> Result<(), Error> {
        let started = Instant::now();
        // Before the search, so that what appears during it is found by the next.
        let before: BTreeMap<PathBuf, Option<Stamp>> =
            self.folders.keys().map(|folder| (folder.clone(), Stamp::of(folder))).collect();
        let watched = session.memory()?.watched(&self.paths, &self.select)?;
        let stamp = |folder: PathBuf| {
            // One that is new may have changed since it was searched, and is searched once more.
            let stamp = before.get(&folder).copied().flatten();
            (folder, stamp)
        };
        self.files = watched.files;
        self.folders = watched.folders.into_iter().map(stamp).collect();
        // A path that is gone for now is watched for.
        self.folders.extend(self.paths.iter().filter(|path| !path.exists()).map(|path| (path.clone(), None)));
        self.searched = Instant::now();
        self.search_took = started.elapsed();
        Ok(())
    }

    /// Files that were not stored because of the database are tried again.
    fn set_back(&mut self, report: &IngestReport) {
        for file in report.files.iter().filter(|file| is_away_from(file)) {
            self.stored.remove(Path::new(&file.path));
        }
    }
}

/// Whether a file was not stored for a reason that may pass.
fn is_away_from(file: &FileReport) -> bool {
    const PASSING: [&str; 9] = [
        "no_database",
        "cannot_connect",
        "connection_lost",
        "database_busy",
        "database_contended",
        "database_read_only",
        "database_denied",
        "disk_full",
        "database",
    ];
    let is_passing = || file.error.as_ref().is_some_and(|error| PASSING.contains(&error.code.as_str()));
    file.status == FileStatus::NotTried || (file.status == FileStatus::Failed && is_passing())
}

fn shown(path: &str) -> String {
    printable(path, &[]).into_owned()
}

/// One line for each file that was stored, retired or refused.
fn show(session: &Session<'_>, report: &IngestReport) {
    for file in report.files.iter().filter(|file| file.status != FileStatus::Unchanged) {
        if session.output.is_json {
            session.output.line(&json!(file).to_string());
            continue;
        }
        let path = shown(&file.path);
        match &file.error {
            Some(error) => session.output.warn(&format!("failed: {path}: {}\n  try: {}", error.what, error.remedy)),
            None => {
                let version = file.version.map_or(String::new(), |version| format!(", version {version}"));
                let chunks = plural(file.chunks, "chunk");
                session.output.line(&format!("{} {path}{version}, {chunks}", file.status.name()));
            }
        }
    }
}

/// Waits, unless Ctrl-C ends it.
fn rest(session: &Session<'_>, time: Duration) {
    let started = Instant::now();
    while !session.is_interrupted() && started.elapsed() < time {
        std::thread::sleep(GLANCE.min(time.saturating_sub(started.elapsed())));
    }
}
