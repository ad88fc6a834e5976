//! Export, backup and restore: whole spaces and stores as lines of JSON, on any of the three databases.

use crate::call::{Call, Carried, Effect, Reach, ReachKind, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::file::open_plain;
use recordar_core::guard::{Hide, Hiding, Redactor};
use recordar_core::private_file::write_private;
use recordar_core::receipt::sources_of_body;
use recordar_domain::{Invalid, SpaceName};
use recordar_store::{Expectations, ExportedSpace, HideValue, ImportedSpace, Replace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The scope of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportScope {
    Spaces(Vec<SpaceName>),
    /// Every space, and the tombstones of forgotten ones.
    Store,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExportReport {
    /// The file that was written, if any.
    pub file: Option<PathBuf>,
    pub spaces: Vec<ExportedSpace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RestoreReport {
    /// Spaces that existed before and were replaced.
    pub removed: Vec<String>,
    pub spaces: Vec<ImportedSpace>,
}

impl Recordar {
    /// Writes all data of some spaces, or of all, as of one moment. Others may write meanwhile.
    pub fn export(&self, scope: &ExportScope, out: &mut dyn Write) -> Result<ExportReport, Error> {
        self.write_export(scope, None, out)
    }

    /// The same without secrets, by the configured patterns, whether or not redaction is on: for reading, not for import.
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
        // Each row has its own timeout: an export takes as long as the store is large.
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

    /// An export is exact: whoever may not see something elsewhere must not get it here.
    fn check_exportable(&self, call: &Call<'_>, redact: bool) -> Result<(), Error> {
        let redacts = self.config.recall.settings.enable_redaction;
        if redacts && !redact && !call.caller.files {
            let what = "redaction is on, so an export must be redacted";
            return Err(Invalid::new(what, "set redact; an administrator may export everything").into());
        }
        if self.within.is_none() {
            return Ok(());
        }
        for id in self.receipt_ids(call.space())? {
            if !self.may_tell_of(&self.receipt(call.space(), &id)?.1.spaces) {
                let what = format!("the space {} has receipts about other spaces", call.space());
                return Err(Error::input("out_of_reach", what, "ask an administrator to export it"));
            }
        }
        Ok(())
    }

    /// The same into a file that only its owner can read. It appears once it is complete. An existing file
    /// is replaced only if requested.
    pub fn export_file(&self, scope: &ExportScope, path: &Path, force: bool) -> Result<ExportReport, Error> {
        let report = write_private(path, force, |out| self.export(scope, out))?;
        Ok(ExportReport { file: Some(path.to_owned()), ..report })
    }

    /// The same for [`Recordar::export_redacted`].
    pub fn export_redacted_file(&self, scope: &ExportScope, path: &Path, force: bool) -> Result<ExportReport, Error> {
        let report = write_private(path, force, |out| self.export_redacted(scope, out))?;
        Ok(ExportReport { file: Some(path.to_owned()), ..report })
    }

    /// Restores the store to the state in the file: all current data is replaced. One transaction; concurrent readers
    /// see the old state or the new one.
    pub fn restore(&self, file: &mut dyn BufRead) -> Result<RestoreReport, Error> {
        self.create()?;
        let before = self.spaces()?;
        let expected = Expectations { space: None, sources_of: &sources_of_body, adds_vocabularies: true };
        let spaces = self.store.import(file, Replace::Everything, &expected)?;
        self.imported(&spaces);
        let is_gone = |name: &String| !spaces.iter().any(|space| space.space == *name);
        Ok(RestoreReport { removed: before.into_iter().filter(is_gone).collect(), spaces })
    }

    pub fn restore_file(&self, path: &Path) -> Result<RestoreReport, Error> {
        self.restore(&mut open_file(path)?)
    }
}

/// Whoever may use the files of the machine has the whole store anyway; others must not get it by a download, or replace it.
fn for_those_with_the_files(call: &Call<'_>) -> Result<(), Error> {
    if call.caller.files { Ok(()) } else { call.for_administrators() }
}

/// Opens a file to restore.
fn open_file(path: &Path) -> Result<BufReader<File>, Error> {
    open_plain(path).map(BufReader::new).map_err(|error| unreadable(&path.display().to_string(), &error))
}

pub(super) fn unreadable(name: &str, error: &std::io::Error) -> Error {
    let remedy = match error.kind() {
        ErrorKind::InvalidInput => "name a file, or use - to read from standard input",
        _ => "check the path and its permissions",
    };
    Error::input("unreadable", format!("{name} cannot be read: {error}"), remedy)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ExportArguments {
    /// The file to write.
    file: PathBuf,
    /// Export the whole store instead of one space.
    #[serde(default)]
    all: bool,
    /// Overwrite an existing file.
    #[serde(default)]
    force: bool,
    /// Redact the export: for reading only, it cannot be imported. Otherwise the export is exact, even if
    /// recall.enable_redaction is on.
    #[serde(default)]
    redact: bool,
}

impl Verb for ExportArguments {
    const NAME: &'static str = "export";
    const ABOUT: &'static str = "Export a space or the whole store as JSON lines.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> =
        Reach::Files(Some(|export| if export.all { ReachKind::Store } else { ReachKind::OwnSpace }));
    const IS_LONG: bool = true;
    type Reply = ExportReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ExportReport, Error> {
        if self.all {
            for_those_with_the_files(call)?;
        }
        memory.check_exportable(call, self.redact)?;
        let scope = if self.all { ExportScope::Store } else { ExportScope::Spaces(vec![call.space().clone()]) };
        match (call.carried.take(), self.redact) {
            (None, true) => memory.export_redacted_file(&scope, &self.file, self.force),
            (None, false) => memory.export_file(&scope, &self.file, self.force),
            (Some(Carried::Download(out)), true) => memory.export_redacted(&scope, out),
            (Some(Carried::Download(out)), false) => memory.export(&scope, out),
            (Some(Carried::Uploads(_)), _) => Err(Carried::unexpected(Self::NAME)),
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BackupArguments {
    /// The file to write.
    file: PathBuf,
    /// Overwrite an existing file.
    #[serde(default)]
    force: bool,
}

impl Verb for BackupArguments {
    const NAME: &'static str = "backup";
    const ABOUT: &'static str = "Back up the whole store to a file, unredacted. The store stays usable meanwhile.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Files(Some(|_| ReachKind::Store));
    const IS_LONG: bool = true;
    type Reply = ExportReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ExportReport, Error> {
        for_those_with_the_files(call)?;
        match call.carried.take() {
            None => memory.export_file(&ExportScope::Store, &self.file, self.force),
            Some(Carried::Download(out)) => memory.export(&ExportScope::Store, out),
            Some(Carried::Uploads(_)) => Err(Carried::unexpected(Self::NAME)),
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RestoreArguments {
    /// The backup file. It replaces all data in the store.
    file: PathBuf,
}

impl Verb for RestoreArguments {
    const NAME: &'static str = "restore";
    const ABOUT: &'static str = "Restore the whole store from a backup. The store stays usable meanwhile.";
    const EFFECT: Effect = Effect::Destroys;
    const REACH: Reach<Self> = Reach::Files(Some(|_| ReachKind::Store));
    const IS_LONG: bool = true;
    type Reply = RestoreReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<RestoreReport, Error> {
        for_those_with_the_files(call)?;
        match call.carried.take() {
            None => memory.restore_file(&self.file),
            Some(carried) => memory.restore(&mut BufReader::new(carried.only_upload(Self::NAME)?.file)),
        }
    }
}
