//! Data that moves in and out: whole spaces and whole stores as lines of JSON, and back, on any of the three databases.

use crate::{Error, Recordar};
use recordar_domain::SpaceName;
use recordar_store::{ExportedSpace, ImportedSpace, Replace};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// What an export is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportScope {
    Spaces(Vec<SpaceName>),
    /// Every space, and what was left of forgotten ones.
    Store,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportReport {
    /// The file that was written, if it was one.
    pub file: Option<PathBuf>,
    pub spaces: Vec<ExportedSpace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RestoreReport {
    /// The spaces that were here before, and are gone.
    pub removed: Vec<String>,
    pub spaces: Vec<ImportedSpace>,
}

impl Recordar {
    /// Writes everything there is of some spaces, or of all, as it is at one moment. Others may go on writing.
    pub fn export(&self, scope: &ExportScope, out: &mut dyn Write) -> Result<ExportReport, Error> {
        let spaces = match scope {
            ExportScope::Spaces(spaces) => self.store.export(Some(spaces), out)?,
            ExportScope::Store => self.store.export(None, out)?,
        };
        let spaces = spaces.into_iter().filter(|space| !space.space.is_empty()).collect();
        Ok(ExportReport { file: None, spaces })
    }

    /// The same into a file, which its owner alone can read. It is there when it is whole, and not before. A file that is there
    /// already is replaced only where that is wanted.
    pub fn export_file(&self, scope: &ExportScope, path: &Path, force: bool) -> Result<ExportReport, Error> {
        if !force && path.exists() {
            let what = format!("{} is there already", path.display());
            return Err(Error::input("exists", what, "choose another name, or use --force (force=True) to replace it"));
        }
        let beside = partial(path);
        let cannot = |error: std::io::Error| {
            let what = format!("{} cannot be written: {error}", path.display());
            Error::input("unwritable", what, "check the path, the rights of this user and the room on the disk")
        };
        let write = || {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside).map_err(cannot)?;
            let mut out = BufWriter::new(file);
            let report = self.export(scope, &mut out)?;
            let file = out.into_inner().map_err(|error| cannot(error.into_error()))?;
            file.sync_all().and_then(|()| std::fs::rename(&beside, path)).map_err(cannot)?;
            Ok(ExportReport { file: Some(path.to_owned()), ..report })
        };
        write().inspect_err(|_| drop(std::fs::remove_file(&beside)))
    }

    /// Makes the store what it was when the file was written: everything that is here now goes. In one transaction; whoever
    /// works with the store meanwhile sees the old state or the new one.
    pub fn restore(&self, file: &mut dyn BufRead) -> Result<RestoreReport, Error> {
        let before = self.spaces()?;
        let spaces = self.store.import(file, Replace::Everything, None)?;
        let is_gone = |name: &String| !spaces.iter().any(|space| space.space == *name);
        Ok(RestoreReport { removed: before.into_iter().filter(is_gone).collect(), spaces })
    }
}

impl Recordar {
    pub fn restore_file(&self, path: &Path) -> Result<RestoreReport, Error> {
        self.restore(&mut open_file(path)?)
    }
}

/// A file to be imported or restored.
pub(super) fn open_file(path: &Path) -> Result<BufReader<File>, Error> {
    File::open(path).map(BufReader::new).map_err(|error| {
        let what = format!("{} cannot be read: {error}", path.display());
        Error::input("unreadable", what, "check the path and the rights of this user")
    })
}

/// A name beside the file, for what is not whole yet. Two exports at once into one file do not meet there.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    path.with_file_name(name)
}
