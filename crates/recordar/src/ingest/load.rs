//! Finding and reading files. A file that cannot be read is rejected with a reason and a remedy; nothing is guessed. In folders, what is
//! no document is skipped, and listed: other types, links, empty files, what programs generate, what the globs of the call leave out.

use super::Problem;
use super::select::{GENERATED, OTHER_TYPE, Reason, Selection, is_generated_code, is_generated_file};
use ignore::{DirEntry, WalkBuilder};
use recordar_core::file::open_without_links;
use recordar_domain::text::is_restructured;
use recordar_domain::{Action, FileType, Stage, Timestamp};
use recordar_load::{Note, Refused};
use std::fs::Metadata;
use std::io::{ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// A file to read.
#[derive(Debug)]
pub(super) struct Found {
    /// Absolute, with all symbolic links resolved.
    pub(super) path: PathBuf,
    /// The folder that was given, or the one that holds the file that was given.
    pub(super) root: PathBuf,
    pub(super) file_type: FileType,
    /// Whether its name alone says that it is of this type.
    pub(super) is_by_name: bool,
    pub(super) bytes: u64,
    /// Whether the user named it, and not only a folder that it is in.
    pub(super) is_named: bool,
}

/// The result of searching the given paths, in byte order of the paths.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) found: Vec<Found>,
    /// Rejected files, which count as failed.
    pub(super) refused: Vec<(PathBuf, Problem)>,
    /// Folders that were searched completely.
    pub(super) roots: Vec<PathBuf>,
    /// Those and the folders in them, as far as they were searched.
    pub(super) folders: Vec<PathBuf>,
}

/// A file's text, what it says of itself, and file system metadata.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) text: String,
    /// What the text is, whatever its file is called.
    pub(super) file_type: FileType,
    pub(super) warnings: Vec<Problem>,
    pub(super) description: Vec<(&'static str, String)>,
    pub(super) mtime: Option<Timestamp>,
}

impl Loaded {
    /// As what the text shows, where only a name said what it is.
    pub(super) fn by_text(self) -> Self {
        Self { file_type: type_by_text(self.file_type, &self.text), ..self }
    }
}

/// What a text is whose name says that it is of a type: plain texts may be reStructuredText.
pub(crate) fn type_by_text(by_name: FileType, text: &str) -> FileType {
    if by_name == FileType::Text && is_restructured(text) { FileType::Rst } else { by_name }
}

pub(super) fn search(paths: &[PathBuf], selection: &Selection, stage: &mut Stage) -> Search {
    let mut search = Search::default();
    for given in paths {
        match given.canonicalize() {
            Err(error) => {
                // Spelled as an existing path would be, so that stored documents can be found by it.
                let path = std::path::absolute(given).unwrap_or_else(|_| given.clone());
                search.refuse(&path, unreachable_path(&error), stage);
            }
            Ok(path) if path.is_dir() => {
                search.walk(&path, selection, stage);
                search.roots.push(path);
            }
            Ok(path) => match selection.file_type.or_else(|| FileType::of_path(&path)) {
                Some(file_type) => {
                    let root = path.parent().unwrap_or(&path).to_owned();
                    match selection.left_out(path.strip_prefix(&root).unwrap_or(&path)) {
                        Some(reason) => skip(&path, reason, stage),
                        None => search.take((path, true), &root, (file_type, selection), stage),
                    }
                }
                None => search.refuse(&path, unknown_type(&path), stage),
            },
        }
    }
    search.found.sort_by(|one, other| one.path.cmp(&other.path).then_with(|| one.root.cmp(&other.root)));
    search.found.dedup_by(|one, other| {
        let is_same = one.path == other.path;
        other.is_named |= is_same && one.is_named;
        is_same
    });
    search.refused.sort_by(|one, other| one.0.cmp(&other.0));
    search.refused.dedup_by(|one, other| one.0 == other.0);
    search
}

/// The same for a few files of the given paths, without a search: those that a watcher found changed. They are absolute paths without
/// links, as `search` finds them; one that is no file any more, or under none of the paths, is left out.
pub(super) fn search_only(paths: &[PathBuf], only: &[PathBuf], selection: &Selection, stage: &mut Stage) -> Search {
    let mut search = Search::default();
    let roots: Vec<PathBuf> = paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
    for path in only {
        let Some(root) = roots.iter().find(|root| path.starts_with(root)) else { continue };
        let root = if root == path { path.parent().unwrap_or(path) } else { root };
        let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        let left_out = selection.left_out(path.strip_prefix(root).unwrap_or(path));
        if let Some(file_type) = selection.type_of(path).filter(|_| is_file && left_out.is_none()) {
            search.take((path.clone(), false), root, (file_type, selection), stage);
        }
    }
    search.found.sort_by(|one, other| one.path.cmp(&other.path));
    search.found.dedup_by(|one, other| one.path == other.path);
    search
}

/// Whether an ignore file of a folder is a pipe, a device or endless.
fn has_odd_ignore_file(folder: &Path) -> bool {
    const MAX_BYTES: u64 = 1024 * 1024;
    let is_odd = |name: &&str| {
        let metadata = folder.join(name).metadata();
        metadata.is_ok_and(|metadata| !metadata.is_dir() && (!metadata.is_file() || metadata.len() > MAX_BYTES))
    };
    [".gitignore", ".ignore", ".git/info/exclude"].iter().any(is_odd)
}

fn odd_ignore_file() -> Problem {
    let what =
        "an ignore file, here or above (.gitignore, .ignore or .git/info/exclude), is not a regular file or too large";
    Problem::new("unreadable", what, "replace it with a regular file of at most 1 MiB, or remove it")
}

/// Folders that are not entered, and why.
type Closed = Vec<(PathBuf, Option<Reason>)>;

impl Search {
    /// Walks a folder as git would: skips ignored files and does not follow links.
    fn walk(&mut self, root: &Path, selection: &Selection, stage: &mut Stage) {
        // Ignore files of parent folders count, too, and are read first.
        if root.ancestors().any(has_odd_ignore_file) {
            return self.refuse(root, odd_ignore_file(), stage);
        }
        // Folders that are not entered: with a reason if they are skipped, without one if they are refused.
        let closed: Arc<Mutex<Closed>> = Arc::default();
        let noting = Arc::clone(&closed);
        let (top, chosen) = (root.to_owned(), selection.clone());
        // A folder is checked before its ignore files are read.
        let is_readable = move |entry: &DirEntry| {
            let path = entry.path();
            if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
                return true;
            }
            let reason = chosen.left_out_folder(path, path.strip_prefix(&top).unwrap_or(path));
            let is_closed = reason.is_some() || has_odd_ignore_file(path);
            if is_closed {
                noting.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), reason));
            }
            !is_closed
        };
        let mut walker = WalkBuilder::new(root);
        walker.require_git(false).follow_links(false).filter_entry(is_readable);
        for entry in walker.build() {
            match entry {
                Err(error) => {
                    let path = error_path(&error).unwrap_or_else(|| root.to_owned());
                    let remedy = "give this user read permission, or leave it out with .gitignore";
                    self.refuse(&path, Problem::new("unreadable", format!("cannot be read: {error}"), remedy), stage);
                }
                Ok(entry) if entry.path_is_symlink() => skip(entry.path(), reason_of_link(root, entry.path()), stage),
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    let path = entry.into_path();
                    let left_out = selection.left_out(path.strip_prefix(root).unwrap_or(&path));
                    // Files of other types are skipped; only one that was named is an error.
                    match (left_out, selection.type_of(&path)) {
                        (_, None) => skip(&path, OTHER_TYPE, stage),
                        (Some(reason), _) => skip(&path, reason, stage),
                        _ if is_generated_file(&path) => skip(&path, GENERATED, stage),
                        (None, Some(file_type)) => self.take((path, false), root, (file_type, selection), stage),
                    }
                }
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {
                    self.folders.push(entry.into_path())
                }
                Ok(_) => {}
            }
        }
        let mut closed = std::mem::take(&mut *closed.lock().unwrap_or_else(PoisonError::into_inner));
        closed.sort();
        for (folder, reason) in closed {
            match reason {
                Some(reason) => skip(&folder, reason, stage),
                None => self.refuse(&folder, odd_ignore_file(), stage),
            }
        }
    }

    fn take(
        &mut self,
        (path, is_named): (PathBuf, bool),
        root: &Path,
        (file_type, selection): (FileType, &Selection),
        stage: &mut Stage,
    ) {
        let bytes = path.symlink_metadata().map_or(0, |metadata| metadata.len());
        stage.decide(shown(&path), Action::Kept, file_type.name(), "");
        let is_by_name = selection.file_type.is_none();
        self.found.push(Found { path, root: root.to_owned(), file_type, is_by_name, bytes, is_named });
    }

    fn refuse(&mut self, path: &Path, problem: Problem, stage: &mut Stage) {
        stage.decide(shown(path), Action::Refused, &problem.code, problem.what.clone());
        self.refused.push((path.to_owned(), problem));
    }
}

/// A link is not followed. One to a place inside the folder loses nothing, as its target is read there.
fn reason_of_link(root: &Path, link: &Path) -> Reason {
    match link.canonicalize() {
        Ok(target) if target.starts_with(root) && !link.starts_with(&target) => {
            ("link", "it is a link to a place inside the folder, which is read under its own name")
        }
        Ok(target) if target.starts_with(root) => ("loop", "it is a link to a folder that contains it"),
        Ok(_) => {
            ("outside_root", "it is a link to a place outside the folder; ingest that by its own path if you want it")
        }
        Err(_) => ("broken_link", "it is a link to nothing"),
    }
}

fn skip(path: &Path, (code, what): Reason, stage: &mut Stage) {
    stage.decide(shown(path), Action::Dropped, code, what);
}

/// Why a file of a folder, which was not named itself, is skipped and not refused, or not read at all.
pub(super) fn skipped(found: &Found, read: &Result<Loaded, Problem>) -> Option<(String, String)> {
    match read {
        _ if found.is_named => None,
        Err(problem) if problem.code == "empty" => Some((problem.code.clone(), problem.what.clone())),
        // Some extensions of source code are also those of recordings and data.
        Err(problem) if problem.code == "binary" && found.file_type == FileType::Code => {
            Some((problem.code.clone(), problem.what.clone()))
        }
        Ok(loaded) if found.file_type == FileType::Code && is_generated_code(&loaded.text) => {
            Some((GENERATED.0.to_owned(), GENERATED.1.to_owned()))
        }
        _ => None,
    }
}

/// Reads a whole file as text, within the limit. The file may have changed since the search: a link is not followed, and a pipe is not
/// waited for.
pub(super) fn read(found: &Found, max_bytes: u64) -> Result<Loaded, Problem> {
    let (file, metadata) = open_without_links(&found.path).map_err(|error| cannot_open(&error))?;
    if metadata.len() > max_bytes {
        return Err(too_large(max_bytes));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    let loaded = converted(bytes, found.file_type, max_bytes)?;
    let loaded = if found.is_by_name { loaded.by_text() } else { loaded };
    Ok(Loaded { mtime: modified(&metadata), ..loaded })
}

/// The text of the bytes of a file, or why there is none.
pub(super) fn converted(bytes: Vec<u8>, file_type: FileType, max_bytes: u64) -> Result<Loaded, Problem> {
    let problem = |Note { code, what, remedy }: Note| Problem::new(code, what, remedy);
    // Formats are read by code of others, too: if that fails on one file, the other files are still read.
    let loaded = catch_unwind(AssertUnwindSafe(|| recordar_load::load(bytes, file_type, max_bytes)));
    let loaded = loaded.unwrap_or_else(|_| {
        let (what, remedy) = ("its format could not be read", "convert it to text or PDF, and ingest that file");
        Err(Refused(Note { code: "damaged", what: what.to_owned(), remedy: remedy.to_owned() }))
    });
    let loaded = loaded.map_err(|Refused(note)| problem(note))?;
    let warnings = loaded.notes.into_iter().map(problem).collect();
    Ok(Loaded { text: loaded.text, file_type, warnings, description: loaded.description, mtime: None })
}

fn cannot_open(error: &std::io::Error) -> Problem {
    match error.kind() {
        ErrorKind::InvalidInput => {
            let what = "it is neither a file nor a folder";
            Problem::new("not_a_file", what, "name a file, or use - to read from standard input")
        }
        ErrorKind::NotADirectory => {
            let what = "it, or a folder above it, was replaced by a link during the ingest; the link was not followed";
            Problem::new(
                "link",
                what,
                "ingest again while no other process changes the folder, or use the target's own path",
            )
        }
        _ => unreadable(error),
    }
}

fn unreadable(error: &std::io::Error) -> Problem {
    Problem::new("unreadable", format!("it cannot be read: {error}"), "give this user read permission")
}

fn too_large(max_bytes: u64) -> Problem {
    let what = format!("it exceeds the limit of {max_bytes} bytes");
    Problem::new("too_large", what, "split it, or raise ingest.max_file_bytes")
}

/// Decodes bytes as plain text, or says why that fails.
pub(crate) fn decode(bytes: Vec<u8>, max_bytes: u64) -> Result<String, Problem> {
    converted(bytes, FileType::Text, max_bytes).map(|loaded| loaded.text)
}

fn modified(metadata: &Metadata) -> Option<Timestamp> {
    let modified = metadata.modified().ok()?;
    let micros = match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_micros()).ok()?,
        Err(before) => -i64::try_from(before.duration().as_micros()).ok()?,
    };
    Some(Timestamp::from_micros(micros))
}

fn unreachable_path(error: &std::io::Error) -> Problem {
    let (code, remedy) = match error.kind() {
        std::io::ErrorKind::NotFound => ("missing", "check the path"),
        std::io::ErrorKind::PermissionDenied => ("unreadable", "give this user read permission"),
        _ => ("unreadable", "check the path and its links"),
    };
    Problem::new(code, format!("it cannot be opened: {error}"), remedy)
}

fn unknown_type(path: &Path) -> Problem {
    let ending =
        path.extension().map_or("no extension".to_owned(), |ending| format!("the extension .{}", ending.display()));
    let what = format!("it has {ending}, which is not a known type of document");
    Problem::new("other_type", what, format!("set its type with --type {}", FileType::NAMES))
}

fn error_path(error: &ignore::Error) -> Option<PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path.clone()),
        ignore::Error::Loop { child, .. } => Some(child.clone()),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => error_path(err),
        _ => None,
    }
}

pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}
