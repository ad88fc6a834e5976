//! Finding and reading files. A file that cannot be read is rejected with a reason and a remedy; nothing is guessed.

use super::Problem;
use crate::file::open_without_links;
use ignore::{DirEntry, WalkBuilder};
use recordar_domain::{Action, FileType, Stage, Timestamp};
use std::fs::Metadata;
use std::io::{ErrorKind, Read};
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
    pub(super) bytes: u64,
}

/// The result of searching the given paths, in byte order of the paths.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) found: Vec<Found>,
    /// Rejected files, which count as failed.
    pub(super) refused: Vec<(PathBuf, Problem)>,
    /// Folders that were searched completely.
    pub(super) roots: Vec<PathBuf>,
}

/// A file's content and file system metadata.
pub(super) struct Loaded {
    pub(super) text: String,
    pub(super) mtime: Option<Timestamp>,
}

pub(super) fn search(paths: &[PathBuf], file_type: Option<FileType>, stage: &mut Stage) -> Search {
    let mut search = Search::default();
    for given in paths {
        match given.canonicalize() {
            Err(error) => {
                // Spelled as an existing path would be, so that stored documents can be found by it.
                let path = std::path::absolute(given).unwrap_or_else(|_| given.clone());
                search.refuse(&path, unreachable_path(&error), stage);
            }
            Ok(path) if path.is_dir() => {
                search.walk(&path, file_type, stage);
                search.roots.push(path);
            }
            Ok(path) => match file_type.or_else(|| FileType::of_path(&path)) {
                Some(file_type) => {
                    let root = path.parent().unwrap_or(&path).to_owned();
                    search.take(path, &root, file_type, stage);
                }
                None => search.refuse(&path, unknown_type(&path), stage),
            },
        }
    }
    search.found.sort_by(|one, other| one.path.cmp(&other.path).then_with(|| one.root.cmp(&other.root)));
    search.found.dedup_by(|one, other| one.path == other.path);
    search.refused.sort_by(|one, other| one.0.cmp(&other.0));
    search.refused.dedup_by(|one, other| one.0 == other.0);
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

impl Search {
    /// Walks a folder as git would: skips ignored files and does not follow links.
    fn walk(&mut self, root: &Path, file_type: Option<FileType>, stage: &mut Stage) {
        // Ignore files of parent folders count, too, and are read first.
        if root.ancestors().any(has_odd_ignore_file) {
            return self.refuse(root, odd_ignore_file(), stage);
        }
        let refused: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
        let noting = Arc::clone(&refused);
        // A folder is checked before its ignore files are read.
        let is_readable = move |entry: &DirEntry| {
            let is_odd = entry.file_type().is_some_and(|kind| kind.is_dir()) && has_odd_ignore_file(entry.path());
            if is_odd {
                noting.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
            }
            !is_odd
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
                Ok(entry) if entry.path_is_symlink() => self.look_at_link(root, entry.path(), stage),
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    // Files of other types are skipped; only one that was named is an error.
                    match FileType::of_path(entry.path()) {
                        Some(by_name) => self.take(entry.into_path(), root, file_type.unwrap_or(by_name), stage),
                        None => {
                            let detail = "unsupported extension; .txt, .md, .json, .yml and .yaml are read";
                            stage.decide(shown(entry.path()), Action::Dropped, "other_type", detail);
                        }
                    }
                }
                Ok(_) => {}
            }
        }
        for folder in refused.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            self.refuse(&folder, odd_ignore_file(), stage);
        }
    }

    /// A link to a place inside the folder is skipped, as its target is read there; one that points outside is rejected.
    fn look_at_link(&mut self, root: &Path, link: &Path, stage: &mut Stage) {
        match link.canonicalize() {
            Ok(target) if target.starts_with(root) && !link.starts_with(&target) => {
                let detail = "link to a file inside the folder, which is read under its own name";
                stage.decide(shown(link), Action::Dropped, "link", detail);
            }
            Ok(target) if target.starts_with(root) => {
                let what = format!("it is a link to a parent folder, {}", shown(&target));
                self.refuse(link, Problem::new("loop", what, "remove the link"), stage);
            }
            Ok(target) => {
                let what = format!("it is a link to a target outside the folder, {}", shown(&target));
                let remedy = "ingest the target by its own path if you want it";
                self.refuse(link, Problem::new("outside_root", what, remedy), stage);
            }
            Err(error) => {
                let what = format!("it is a broken link: {error}");
                self.refuse(link, Problem::new("broken_link", what, "remove or correct the link"), stage);
            }
        }
    }

    fn take(&mut self, path: PathBuf, root: &Path, file_type: FileType, stage: &mut Stage) {
        let bytes = path.symlink_metadata().map_or(0, |metadata| metadata.len());
        stage.decide(shown(&path), Action::Kept, file_type.name(), "");
        self.found.push(Found { path, root: root.to_owned(), file_type, bytes });
    }

    fn refuse(&mut self, path: &Path, problem: Problem, stage: &mut Stage) {
        stage.decide(shown(path), Action::Refused, &problem.code, problem.what.clone());
        self.refused.push((path.to_owned(), problem));
    }
}

/// Reads a whole file, within the limit, as UTF-8 without NUL. The file may have changed since the search: a link
/// is not followed, and a pipe is not waited for.
pub(super) fn read(path: &Path, max_bytes: u64) -> Result<Loaded, Problem> {
    let (file, metadata) = open_without_links(path).map_err(|error| cannot_open(&error))?;
    if metadata.len() > max_bytes {
        return Err(too_large(max_bytes));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(Loaded { text: decode(bytes, max_bytes)?, mtime: modified(&metadata) })
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

/// Decodes bytes as text, or says why that fails.
pub(crate) fn decode(bytes: Vec<u8>, max_bytes: u64) -> Result<String, Problem> {
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(max_bytes));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let remedy = "convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW";
        return Err(Problem::new("not_utf8", "it is UTF-16, not UTF-8", remedy));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let what = format!("it is not text: byte {at} is NUL");
        return Err(Problem::new("binary", what, "exclude it, or convert it to text first"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let what = format!("it is not valid UTF-8 at byte {}", error.utf8_error().valid_up_to());
        Problem::new("not_utf8", what, "convert it first: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW")
    })?;
    if text.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        let what = if text.is_empty() { "it is empty" } else { "it contains only white space" };
        return Err(Problem::new("empty", what, "add content, or leave it out (in a folder, with .gitignore)"));
    }
    Ok(text)
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
    let what = format!("it has {ending}; the supported extensions are .txt, .md, .json, .yml and .yaml");
    Problem::new("other_type", what, "set its type with --type text, markdown, json or yaml")
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
