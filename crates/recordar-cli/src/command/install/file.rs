//! The settings file on disk. A write renames a complete file into place and follows links; the previous bytes are backed up
//! beside it first. Of `install`, only this file reads and writes.

use super::super::{cannot_read, cannot_write};
use recordar::Error;
use recordar::file_access::open_plain;
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const MAX_BYTES: u64 = 64 * 1024 * 1024;
const MAX_BACKUPS: usize = 99;
const MAX_LINKS: usize = 16;

pub(super) struct SettingsFile {
    /// The path as given. Backups are kept beside it.
    pub(super) path: PathBuf,
    /// The path after following links.
    target: PathBuf,
    /// Its content. None if it does not exist.
    pub(super) text: Option<String>,
}

pub(super) struct Backup {
    pub(super) path: PathBuf,
    /// None if it is not text.
    pub(super) text: Option<String>,
}

impl SettingsFile {
    pub(super) fn read(path: PathBuf) -> Result<Self, Error> {
        let target = end_of_links(&path)?;
        let text = read(&target)?.map(String::from_utf8).transpose().map_err(|error| {
            let what = format!("{} is not UTF-8 text: {}", path.display(), error.utf8_error());
            Error::input("not_utf8", what, "fix it, or move it away")
        })?;
        Ok(Self { path, target, text })
    }

    /// Its backups, newest first.
    pub(super) fn backups(&self) -> Result<Vec<Backup>, Error> {
        let mut found = Vec::new();
        for number in 1..=MAX_BACKUPS {
            let path = self.backup_path(number);
            if let Some(bytes) = read(&path)? {
                found.push(Backup { path, text: String::from_utf8(bytes).ok() });
            }
        }
        found.reverse();
        Ok(found)
    }

    /// Backs up the current bytes beside the file, unless a backup already has them.
    pub(super) fn keep(&self, backups: &[Backup]) -> Result<Option<PathBuf>, Error> {
        let Some(text) = &self.text else {
            return Ok(None);
        };
        if let Some(same) = backups.iter().find(|backup| backup.text.as_ref() == Some(text)) {
            return Ok(Some(same.path.clone()));
        }
        // The highest number, so that numbers give the order.
        let is_taken = |number: &usize| fs::symlink_metadata(self.backup_path(*number)).is_ok();
        let number = (1..=MAX_BACKUPS).rev().find(is_taken).map_or(1, |last| last + 1);
        if number > MAX_BACKUPS {
            let what = format!("{} already has backup number {MAX_BACKUPS}", self.path.display());
            return Err(Error::input("backups", what, "remove old backups; their names contain .recordar-backup"));
        }
        let path = self.backup_path(number);
        let metadata =
            fs::metadata(&self.target).map_err(|error| cannot_read(&self.path.display().to_string(), &error))?;
        let temporary = written(&path, text, Some(&metadata), true)?;
        temporary.persist_noclobber(&path).map_err(|error| cannot_write(&path, &error.error))?;
        Ok(Some(path))
    }

    /// Replaces the old text with the new one, or removes the file. Nothing is written if the file was changed meanwhile.
    pub(super) fn replace(&self, text: Option<&str>, is_private: bool) -> Result<(), Error> {
        let failed = |error: &std::io::Error| cannot_write(&self.path, error);
        if read(&self.target)?.as_deref() != self.text.as_deref().map(str::as_bytes) {
            let what = format!(
                "{} was changed by another program in the meantime; Recordar did not change it",
                self.path.display()
            );
            return Err(Error::input("changed_meanwhile", what, "run the command again"));
        }
        let metadata = self.text.is_some().then(|| fs::metadata(&self.target)).transpose().map_err(|e| failed(&e))?;
        if metadata.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
            let what = format!("{} is read-only; it was not changed", self.path.display());
            return Err(Error::input("unwritable", what, "make it writable first"));
        }
        let Some(text) = text else {
            return fs::remove_file(&self.target).map_err(|error| failed(&error));
        };
        let folder = folder_of(&self.target);
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        let temporary = written(&self.target, text, metadata.as_ref(), is_private)?;
        let renamed = match metadata {
            Some(_) => temporary.persist(&self.target),
            None => temporary.persist_noclobber(&self.target),
        };
        renamed.map_err(|error| failed(&error.error))?;
        // A rename lost in a power failure is not worth an error: either file is complete.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    fn backup_path(&self, number: usize) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".recordar-backup");
        if number > 1 {
            name.push(format!("-{number}"));
        }
        name.into()
    }
}

/// The bytes of a file, if it exists. Only regular files are read: a pipe might never end.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let shown = path.display().to_string();
    let refused = || {
        let what = format!("{shown} is not a regular file of at most 64 MiB");
        Error::input("unreadable", what, "name another file with --file")
    };
    let file = match open_plain(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidInput => return Err(refused()),
        Err(error) => return Err(cannot_read(&shown, &error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(&shown, &error))?;
    if bytes.len() as u64 > MAX_BYTES { Err(refused()) } else { Ok(Some(bytes)) }
}

/// The target of a path, even if it does not exist yet.
fn end_of_links(path: &Path) -> Result<PathBuf, Error> {
    let mut end = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&end) {
            Ok(next) => end = folder_of(&end).join(next),
            Err(_) => return Ok(end),
        }
    }
    let what = format!("{} is a link that forms a loop or has too many levels", path.display());
    Err(Error::input("unreadable", what, "fix the link, or name the file with --file"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A complete file beside the path, synced to disk, with the permissions of the file it will replace.
fn written(path: &Path, text: &str, like: Option<&Metadata>, is_private: bool) -> Result<NamedTempFile, Error> {
    let write = || -> std::io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".recordar-");
        #[cfg(unix)]
        if !is_private {
            use std::os::unix::fs::PermissionsExt;
            // The umask applies, as for any new file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut temporary = builder.tempfile_in(folder_of(path))?;
        temporary.write_all(text.as_bytes())?;
        if let Some(like) = like {
            keep_owner(temporary.as_file(), like);
            temporary.as_file().set_permissions(like.permissions())?;
        }
        temporary.as_file().sync_all()?;
        Ok(temporary)
    };
    write().map_err(|error| cannot_write(path, &error))
}

/// Root may change another user's settings; the file keeps its owner. Without that right, the current user owns the new file.
#[cfg(unix)]
fn keep_owner(file: &File, like: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Removes a backup that is no longer needed.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    fs::remove_file(path).map_err(|error| {
        let what = format!("{} cannot be removed: {error}", path.display());
        Error::input("unwritable", what, "remove it yourself; it is no longer needed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn install_does_not_overwrite_what_somebody_else_wrote_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mcp.json");
        let missing = SettingsFile::read(path.clone()).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(missing.replace(Some("ours"), true).unwrap_err().code(), "changed_meanwhile");
        let present = SettingsFile::read(path.clone()).unwrap();
        fs::write(&path, "theirs, again").unwrap();
        for text in [Some("ours"), None] {
            assert_eq!(present.replace(text, true).unwrap_err().code(), "changed_meanwhile");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs, again");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn install_numbers_its_backups_and_keeps_no_two_of_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mcp.json");
        for text in ["one", "two", "one", "three"] {
            fs::write(&path, text).unwrap();
            let file = SettingsFile::read(path.clone()).unwrap();
            file.keep(&file.backups().unwrap()).unwrap();
        }
        let kept = SettingsFile::read(path).unwrap().backups().unwrap();
        let texts: Vec<&str> = kept.iter().filter_map(|backup| backup.text.as_deref()).collect();
        assert_eq!(texts, ["three", "two", "one"]);
        assert!(kept[0].path.ends_with("mcp.json.recordar-backup-3"));
    }
}
