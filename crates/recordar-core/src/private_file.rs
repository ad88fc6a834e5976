//! Files that may contain data or secrets. Only their owner can read them, and they are written completely or not at all. This
//! crate and its faces write all their files here.

use crate::error::Error;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file with mode 600. An existing file is replaced only if requested.
pub fn write_private<T>(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Error>,
) -> Result<T, Error> {
    let cannot = |error: std::io::Error| {
        let what = format!("{} cannot be written: {error}", path.display());
        Error::input("unwritable", what, "check the path, its permissions and the free disk space")
    };
    let exists = || {
        let what = format!("{} already exists", path.display());
        Error::input("exists", what, "choose another name, or overwrite it with --force (force=True)")
    };
    refuse_special(path)?;
    if !replace && path.symlink_metadata().is_ok() {
        return Err(exists());
    }
    // A link stays a link; its target is replaced.
    let target = if path.is_symlink() { path.canonicalize().map_err(cannot)? } else { path.to_owned() };
    let folder = folder_of(&target);
    // An incomplete file has a temporary name, and is deleted on failure.
    let partial = tempfile::Builder::new().suffix(".partial").tempfile_in(&folder).map_err(cannot)?;
    let mut out = BufWriter::new(partial);
    let written = write(&mut out)?;
    let partial = out.into_inner().map_err(|error| cannot(error.into_error()))?;
    partial.as_file().sync_all().map_err(cannot)?;
    let kept = if replace { partial.persist(&target) } else { partial.persist_noclobber(&target) };
    kept.map_err(|failed| match failed.error.kind() {
        ErrorKind::AlreadyExists => exists(),
        _ => cannot(failed.error),
    })?;
    File::open(&folder).and_then(|folder| folder.sync_all()).map_err(cannot)?;
    Ok(written)
}

/// A folder, device or pipe is never replaced by a file.
fn refuse_special(path: &Path) -> Result<(), Error> {
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            Err(Error::input("unwritable", format!("{} is a folder", path.display()), "name a file in it"))
        }
        Ok(metadata) if !metadata.is_file() => {
            let what = format!("{} is not a regular file", path.display());
            Err(Error::input("unwritable", what, "choose another name, or write to standard output"))
        }
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}
