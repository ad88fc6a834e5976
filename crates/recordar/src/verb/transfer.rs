//! Data that moves in and out: whole spaces and whole stores as lines of JSON, and back, on any of the three databases.

use crate::assemble::Redactor;
use crate::call::{Call, Effect, Reach, Verb};
use crate::file::open_plain;
use crate::hide::{Hide, Hiding};
use crate::private_file::write_private;
use crate::verb::receipts::sources_of_body;
use crate::{Error, Recordar};
use recordar_domain::{Invalid, SpaceName};
use recordar_store::{Expectations, ExportedSpace, HideValue, ImportedSpace, Replace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What an export is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportScope {
    Spaces(Vec<SpaceName>),
    /// Every space, and what was left of forgotten ones.
    Store,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExportReport {
    /// The file that was written, if it was one.
    pub file: Option<PathBuf>,
    pub spaces: Vec<ExportedSpace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RestoreReport {
    /// The spaces that were here before, and are gone.
    pub removed: Vec<String>,
    pub spaces: Vec<ImportedSpace>,
}

impl Recordar {
    /// Writes everything there is of some spaces, or of all, as it is at one moment. Others may go on writing.
    pub fn export(&self, scope: &ExportScope, out: &mut dyn Write) -> Result<ExportReport, Error> {
        self.write_export(scope, None, out)
    }

    /// The same without secrets, by the configured patterns, whether or not redaction is on: to be read, and not to be imported.
    pub fn export_redacted(&self, scope: &ExportScope, out: &mut dyn Write) -> Result<ExportReport, Error> {
        let redactor = Redactor::new(&self.config.recall.settings.custom_redaction_patterns)?;
        self.write_export(scope, Some(&redactor), out)
    }

    fn write_export(
        &self,
        scope: &ExportScope,
        redactor: Option<&Redactor>,
        out: &mut dyn Write,
    ) -> Result<ExportReport, Error> {
        let mut failed = None;
        // Each row has its own time: an export is as long as the store.
        let mut hide = |value: &mut serde_json::Value| {
            let hidden = redactor.map_or(Ok(()), |redactor| value.hide(&mut Hiding::new(redactor)));
            hidden.map_err(|error| {
                let invalid = Invalid::new(error.to_string(), error.remedy());
                failed = Some(error);
                invalid
            })
        };
        let hide: Option<&mut HideValue<'_>> = if redactor.is_some() { Some(&mut hide) } else { None };
        let spaces = match scope {
            ExportScope::Spaces(spaces) => self.store.export_hiding(Some(spaces), hide, out),
            ExportScope::Store => self.store.export_hiding(None, hide, out),
        };
        if let Some(error) = failed {
            return Err(error);
        }
        let spaces = spaces?;
        let spaces = spaces.into_iter().filter(|space| !space.space.is_empty()).collect();
        Ok(ExportReport { file: None, spaces })
    }

    /// The same into a file, which its owner alone can read. It is there when it is whole, and not before. A file that is there
    /// already is replaced only where that is wanted.
    pub fn export_file(&self, scope: &ExportScope, path: &Path, force: bool) -> Result<ExportReport, Error> {
        let report = write_private(path, force, |out| self.export(scope, out))?;
        Ok(ExportReport { file: Some(path.to_owned()), ..report })
    }

    /// The same of what [`Recordar::export_redacted`] writes.
    pub fn export_redacted_file(&self, scope: &ExportScope, path: &Path, force: bool) -> Result<ExportReport, Error> {
        let report = write_private(path, force, |out| self.export_redacted(scope, out))?;
        Ok(ExportReport { file: Some(path.to_owned()), ..report })
    }

    /// Makes the store what it was when the file was written: everything that is here now goes. In one transaction; whoever
    /// works with the store meanwhile sees the old state or the new one.
    pub fn restore(&self, file: &mut dyn BufRead) -> Result<RestoreReport, Error> {
        let before = self.spaces()?;
        let expected = Expectations { space: None, sources_of: &sources_of_body };
        let spaces = self.store.import(file, Replace::Everything, &expected)?;
        let is_gone = |name: &String| !spaces.iter().any(|space| space.space == *name);
        Ok(RestoreReport { removed: before.into_iter().filter(is_gone).collect(), spaces })
    }

    pub fn restore_file(&self, path: &Path) -> Result<RestoreReport, Error> {
        self.restore(&mut open_file(path)?)
    }
}

/// A file to be restored.
fn open_file(path: &Path) -> Result<BufReader<File>, Error> {
    open_plain(path).map(BufReader::new).map_err(|error| unreadable(&path.display().to_string(), &error))
}

pub(super) fn unreadable(name: &str, error: &std::io::Error) -> Error {
    let remedy = match error.kind() {
        ErrorKind::InvalidInput => "name a file, or use - to read from standard input",
        _ => "check the path and the rights of this user",
    };
    Error::input("unreadable", format!("{name} cannot be read: {error}"), remedy)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ExportArguments {
    /// Where to write it.
    file: PathBuf,
    /// The whole store instead of one space.
    #[serde(default)]
    all: bool,
    /// Replace a file that is there already.
    #[serde(default)]
    force: bool,
    /// Take out what redaction takes out: the file is for reading, and cannot be imported. Without this it is exact, also where
    /// recall.enable_redaction is on.
    #[serde(default)]
    redact: bool,
}

impl Verb for ExportArguments {
    const NAME: &'static str = "export";
    const ABOUT: &'static str = "Write everything of a space or of the whole store as lines of JSON.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Files;
    const IS_LONG: bool = true;
    type Reply = ExportReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ExportReport, Error> {
        let scope = if self.all { ExportScope::Store } else { ExportScope::Spaces(vec![call.space().clone()]) };
        match self.redact {
            true => memory.export_redacted_file(&scope, &self.file, self.force),
            false => memory.export_file(&scope, &self.file, self.force),
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BackupArguments {
    /// Where to write it.
    file: PathBuf,
    /// Replace a file that is there already.
    #[serde(default)]
    force: bool,
}

impl Verb for BackupArguments {
    const NAME: &'static str = "backup";
    const ABOUT: &'static str = "Write the whole store into a file, unredacted, while others work with it.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Files;
    const IS_LONG: bool = true;
    type Reply = ExportReport;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<ExportReport, Error> {
        memory.export_file(&ExportScope::Store, &self.file, self.force)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RestoreArguments {
    /// A backup. Everything that is in the store now is replaced by it.
    file: PathBuf,
}

impl Verb for RestoreArguments {
    const NAME: &'static str = "restore";
    const ABOUT: &'static str = "Make the store what it was at a backup, while others work with it.";
    const EFFECT: Effect = Effect::Destroys;
    const REACH: Reach<Self> = Reach::Files;
    const IS_LONG: bool = true;
    type Reply = RestoreReport;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<RestoreReport, Error> {
        memory.restore_file(&self.file)
    }
}
