//! The settings file on the disk. A write is a rename of a whole file, to the end of links; the former bytes are kept
//! beside it first. This file alone of `install` reads and writes.

use super::super::{cannot_read, cannot_write};
use recordar::{Error, open_plain};
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const MAX_BYTES: u64 = 64 * 1024 * 1024;
const MAX_BACKUPS: usize = 99;
const MAX_LINKS: usize = 16;

pub(super) struct SettingsFile {
    /// As it was named. Backups lie beside it.
    pub(super) path: PathBuf,
    /// Where its bytes are: the end of the links.
    target: PathBuf,
    /// What it says. None where it is not there.
    pub(super) text: Option<String>,
}

pub(super) struct Backup {
    pub(super) path: PathBuf,
    /// None where it is no text.
    pub(super) text: Option<String>,
}

impl SettingsFile {
    pub(super) fn read(path: PathBuf) -> Result<Self, Error> {
        let target = end_of_links(&path)?;
        let text = read(&target)?.map(String::from_utf8).transpose().map_err(|error| {
            let what = format!("{} is not UTF-8 text: {}", path.display(), error.utf8_error());
            Error::input("not_utf8", what, "mend it, or move it away")
        })?;
        Ok(Self { path, target, text })
    }

    /// What was kept of it, the newest first.
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

    /// Keeps the bytes of now beside the file, unless one of the backups has them.
    pub(super) fn keep(&self, backups: &[Backup]) -> Result<Option<PathBuf>, Error> {
        let Some(text) = &self.text else {
            return Ok(None);
        };
        if let Some(same) = backups.iter().find(|backup| backup.text.as_ref() == Some(text)) {
            return Ok(Some(same.path.clone()));
        }
        // A number above all others, so that they tell the order.
        let is_taken = |number: &usize| fs::symlink_metadata(self.backup_path(*number)).is_ok();
        let number = (1..=MAX_BACKUPS).rev().find(is_taken).map_or(1, |last| last + 1);
        if number > MAX_BACKUPS {
            let what = format!("{} has a backup with the number {MAX_BACKUPS} beside it", self.path.display());
            return Err(Error::input(
                "backups",
                what,
                "remove the old ones, whose names have .recordar-backup in them",
            ));
        }
        let path = self.backup_path(number);
        let metadata =
            fs::metadata(&self.target).map_err(|error| cannot_read(&self.path.display().to_string(), &error))?;
        let temporary = written(&path, text, Some(&metadata), true)?;
        temporary.persist_noclobber(&path).map_err(|error| cannot_write(&path, &error.error))?;
        Ok(Some(path))
    }

    /// Puts the new text in the place of the old one, or no file. Nothing is written where somebody else wrote meanwhile.
    pub(super) fn replace(&self, text: Option<&str>, is_private: bool) -> Result<(), Error> {
        let failed = |error: &std::io::Error| cannot_write(&self.path, error);
        if read(&self.target)?.as_deref() != self.text.as_deref().map(str::as_bytes) {
            let what = format!("{} was changed by somebody else meanwhile, and was left alone", self.path.display());
            return Err(Error::input("changed_meanwhile", what, "run the command again"));
        }
        let metadata = self.text.is_some().then(|| fs::metadata(&self.target)).transpose().map_err(|e| failed(&e))?;
        if metadata.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
            let what = format!("{} is marked as read-only, and was left alone", self.path.display());
            return Err(Error::input("unwritable", what, "make it writable first, if it may be changed"));
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
        // Whether the rename itself survives the loss of power is not worth an error: either file is a whole one.
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

/// The bytes of a file, if it is there. What is no plain file is not read: a pipe would never end.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let shown = path.display().to_string();
    let refused = || {
        let what = format!("{shown} is not a plain file of at most 64 MiB");
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

/// Where a path leads, also where nothing is there yet.
fn end_of_links(path: &Path) -> Result<PathBuf, Error> {
    let mut end = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&end) {
            Ok(next) => end = folder_of(&end).join(next),
            Err(_) => return Ok(end),
        }
    }
    let what = format!("{} is a link that leads in a circle or too far", path.display());
    Err(Error::input("unreadable", what, "mend the link, or name the file with --file"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A whole file beside the path, safe on the disk, with the rights of the one it is to replace.
fn written(path: &Path, text: &str, like: Option<&Metadata>, is_private: bool) -> Result<NamedTempFile, Error> {
    let write = || -> std::io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".recordar-");
        #[cfg(unix)]
        if !is_private {
            use std::os::unix::fs::PermissionsExt;
            // The user's mask takes away from it, as from any new file.
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

/// Root may change another user's settings, and they stay that user's. Whoever may not give a file away owns the new one.
#[cfg(unix)]
fn keep_owner(file: &File, like: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Removes a backup that is of no use any more.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    fs::remove_file(path).map_err(|error| {
        let what = format!("{} cannot be removed: {error}", path.display());
        Error::input("unwritable", what, "remove it yourself: it is not needed any more")
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
