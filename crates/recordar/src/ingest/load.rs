//! Finding files and reading them. What cannot be taken is refused with a reason and a remedy; nothing is guessed.

use super::Problem;
use crate::file::open_without_links;
use ignore::{DirEntry, WalkBuilder};
use recordar_domain::{Action, FileType, Stage, Timestamp};
use std::fs::Metadata;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// A file to be read.
#[derive(Debug)]
pub(super) struct Found {
    /// Absolute, with no symbolic link left in it.
    pub(super) path: PathBuf,
    pub(super) file_type: FileType,
    pub(super) bytes: u64,
}

/// What a search through the given paths came to, in the order of the paths' bytes.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) found: Vec<Found>,
    /// What was refused, and counts as failed.
    pub(super) refused: Vec<(PathBuf, Problem)>,
    /// The folders that were searched whole.
    pub(super) roots: Vec<PathBuf>,
}

/// A file's content and what the file system says of it.
pub(super) struct Loaded {
    pub(super) text: String,
    pub(super) mtime: Option<Timestamp>,
}

pub(super) fn search(paths: &[PathBuf], file_type: Option<FileType>, stage: &mut Stage) -> Search {
    let mut search = Search::default();
    for given in paths {
        match given.canonicalize() {
            Err(error) => {
                // Spelled as a path that exists would be, so that what is stored of it can be found.
                let path = std::path::absolute(given).unwrap_or_else(|_| given.clone());
                search.refuse(&path, unreachable_path(&error), stage);
            }
            Ok(path) if path.is_dir() => {
                search.walk(&path, file_type, stage);
                search.roots.push(path);
            }
            Ok(path) => match file_type.or_else(|| FileType::of_path(&path)) {
                Some(file_type) => search.take(path, file_type, stage),
                None => search.refuse(&path, unknown_type(&path), stage),
            },
        }
    }
    search.found.sort_by(|one, other| one.path.cmp(&other.path));
    search.found.dedup_by(|one, other| one.path == other.path);
    search.refused.sort_by(|one, other| one.0.cmp(&other.0));
    search.refused.dedup_by(|one, other| one.0 == other.0);
    search
}

/// Whether what would be read to know what a folder ignores is a pipe, a device or endless.
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
        "what it ignores cannot be read: a .gitignore, .ignore or .git/info/exclude, here or above, is no plain file";
    Problem::new("unreadable", what, "replace it by a plain file of at most 1 MiB, or remove it")
}

impl Search {
    /// Walks a folder as git would: without what is ignored, and without following links.
    fn walk(&mut self, root: &Path, file_type: Option<FileType>, stage: &mut Stage) {
        // Those of the folders above count, too, and are read first.
        if root.ancestors().any(has_odd_ignore_file) {
            return self.refuse(root, odd_ignore_file(), stage);
        }
        let refused: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
        let noting = Arc::clone(&refused);
        // A folder is looked at before what it ignores is read.
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
                    let remedy = "give this user the right to read it, or leave it out with .gitignore";
                    self.refuse(&path, Problem::new("unreadable", format!("cannot be read: {error}"), remedy), stage);
                }
                Ok(entry) if entry.path_is_symlink() => self.look_at_link(root, entry.path(), stage),
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    // Files of other types are simply not ours; only a named one is an error.
                    match FileType::of_path(entry.path()) {
                        Some(by_name) => self.take(entry.into_path(), file_type.unwrap_or(by_name), stage),
                        None => {
                            let detail = "its ending is not .txt, .md, .json, .yml or .yaml";
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

    /// A link inside the folder leads to what is found under its own name; one that leads out is refused.
    fn look_at_link(&mut self, root: &Path, link: &Path, stage: &mut Stage) {
        match link.canonicalize() {
            Ok(target) if target.starts_with(root) && !link.starts_with(&target) => {
                let detail = "it leads to a place inside the folder, which is read under its own name";
                stage.decide(shown(link), Action::Dropped, "link", detail);
            }
            Ok(target) if target.starts_with(root) => {
                let what = format!("it is a link to a folder around it, {}", shown(&target));
                self.refuse(link, Problem::new("loop", what, "remove the link"), stage);
            }
            Ok(target) => {
                let what = format!("it is a link that leads out of the folder, to {}", shown(&target));
                let remedy = "ingest the target by its own path, if it is meant";
                self.refuse(link, Problem::new("outside_root", what, remedy), stage);
            }
            Err(error) => {
                let what = format!("it is a link that leads nowhere: {error}");
                self.refuse(
                    link,
                    Problem::new("broken_link", what, "remove the link, or let it lead to a file"),
                    stage,
                );
            }
        }
    }

    fn take(&mut self, path: PathBuf, file_type: FileType, stage: &mut Stage) {
        let bytes = path.symlink_metadata().map_or(0, |metadata| metadata.len());
        stage.decide(shown(&path), Action::Kept, file_type.name(), "");
        self.found.push(Found { path, file_type, bytes });
    }

    fn refuse(&mut self, path: &Path, problem: Problem, stage: &mut Stage) {
        stage.decide(shown(path), Action::Refused, &problem.code, problem.what.clone());
        self.refused.push((path.to_owned(), problem));
    }
}

/// Reads a file whole, within the limit, as UTF-8 without NUL. What the search found a file may be something else by now: a link
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
            let what =
                "a link took its place, or that of a folder around it, while files were read; it was not followed";
            Problem::new("link", what, "ingest again when nobody changes the folder, or give the target's own path")
        }
        _ => unreadable(error),
    }
}

fn unreadable(error: &std::io::Error) -> Problem {
    Problem::new("unreadable", format!("it cannot be read: {error}"), "give this user the right to read it")
}

fn too_large(max_bytes: u64) -> Problem {
    let what = format!("it is larger than the limit of {max_bytes} bytes");
    Problem::new("too_large", what, "split it, or raise ingest.max_file_bytes")
}

/// Turns bytes from outside into text, or says why they are none.
pub(crate) fn decode(bytes: Vec<u8>, max_bytes: u64) -> Result<String, Problem> {
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(max_bytes));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let remedy = "convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW";
        return Err(Problem::new("not_utf8", "it is UTF-16, not UTF-8", remedy));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let what = format!("it holds a NUL byte at byte {at}, so it is not text");
        return Err(Problem::new("binary", what, "leave it out, or convert it to text first"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let what = format!("it is not valid UTF-8 from byte {} on", error.utf8_error().valid_up_to());
        Problem::new("not_utf8", what, "convert it first: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW")
    })?;
    if text.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        let what = if text.is_empty() { "it is empty" } else { "it holds nothing but white space" };
        return Err(Problem::new("empty", what, "put something into it, or leave it out, for example with .gitignore"));
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
        std::io::ErrorKind::NotFound => ("missing", "check the spelling of the path"),
        std::io::ErrorKind::PermissionDenied => ("unreadable", "give this user the right to read it"),
        _ => ("unreadable", "check the path and its links"),
    };
    Problem::new(code, format!("it cannot be opened: {error}"), remedy)
}

fn unknown_type(path: &Path) -> Problem {
    let ending = path.extension().map_or("no ending".to_owned(), |ending| format!("the ending .{}", ending.display()));
    let what = format!("it has {ending}, and Recordar reads .txt, .md, .json, .yml and .yaml");
    Problem::new("other_type", what, "say what it is with --type text, markdown, json or yaml")
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
