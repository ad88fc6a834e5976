//! Files that the user has reviewed and trusts, by path and sha256. A changed file is no longer trusted.

use super::layers::{FileSource, Layer, Setting};
use super::{Surroundings, layers, own_file};
use crate::error::Error;
use crate::private_file::write_private;
use recordar_domain::Digest;
use serde::{Deserialize, Serialize};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use toml::Value;

/// The result of `trust`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trusted {
    pub path: PathBuf,
    pub sha256: Digest,
    /// The settings in the file that require trust. If there are none, trust was not needed.
    pub settings: Vec<Setting>,
    /// A models table named by the file. It also decides where keys are sent, so it is trusted with the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models_file: Option<PathBuf>,
}

/// A file that was trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrustedFile {
    pub path: PathBuf,
    pub sha256: Digest,
    /// Whether it is unchanged since.
    pub holds: bool,
}

/// The user's trust decisions, in a file that only the user can change.
pub struct Trust {
    around: Surroundings,
}

impl Trust {
    pub fn new(around: Surroundings) -> Self {
        Self { around }
    }

    /// Trusts a file in its current state: the given one, or the one found from the current folder.
    pub fn add(&self, file: Option<&Path>) -> Result<Trusted, Error> {
        let path = match file {
            Some(file) => self.around.folder.join(file),
            None => layers::found(&self.around.folder).ok_or_else(|| {
                let what = format!("no recordar.toml in {} or its parent folders", self.around.folder.display());
                Error::input("not_found", what, "name the file: recordar trust FILE")
            })?,
        };
        let layer = Layer::read(FileSource::Found { trusted: false }, path.clone(), &self.around)?;
        let sha256 = layer.sha256;
        let settings = layer.needing_trust(Layer::own(&self.around)?.as_ref(), true);
        let mut trusted = Trusted { path: real(&path), sha256, settings, models_file: None };
        if trusted.settings.is_empty() {
            return Ok(trusted);
        }
        let mut list = TrustList::read(&self.around)?;
        list.put(&path, sha256);
        if let Some(models) = layer.get("llm.models_file").and_then(Value::as_str) {
            let models = layer.folder.join(models);
            let text = own_file::read("the table of models", &models, self.around.user)?.text;
            list.put(&models, Digest::of(&text));
            trusted.models_file = Some(real(&models));
        }
        list.write(&self.around)?;
        Ok(trusted)
    }

    /// Whether it was trusted before.
    pub fn remove(&self, file: &Path) -> Result<bool, Error> {
        let mut list = TrustList::read(&self.around)?;
        let path = real(&self.around.folder.join(file));
        let before = list.files.len();
        list.files.retain(|entry| entry.path != path);
        let is_removed = list.files.len() < before;
        if is_removed {
            list.write(&self.around)?;
        }
        Ok(is_removed)
    }

    pub fn list(&self) -> Result<Vec<TrustedFile>, Error> {
        let state = |Entry { path, sha256 }| {
            let now = own_file::read("the file", &path, self.around.user).map(|file| Digest::of(&file.text));
            TrustedFile { holds: now.is_ok_and(|now| now == sha256), path, sha256 }
        };
        Ok(TrustList::read(&self.around)?.files.into_iter().map(state).collect())
    }
}

/// The stored entries, ordered by path.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct TrustList {
    files: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Entry {
    path: PathBuf,
    sha256: Digest,
}

impl TrustList {
    pub(super) fn read(around: &Surroundings) -> Result<Self, Error> {
        let Some(path) = around.trust_file().filter(|path| path.symlink_metadata().is_ok()) else {
            return Ok(Self::default());
        };
        let text = own_file::read("the list of trusted files", &path, around.user)?.text;
        serde_json::from_str(&text).map_err(|error| {
            let what = format!("the list of trusted files {} is damaged: {error}", path.display());
            Error::input("configuration", what, "delete it, and run `recordar trust` for each file again")
        })
    }

    fn write(mut self, around: &Surroundings) -> Result<(), Error> {
        let path = around.trust_file().ok_or_else(|| {
            let what = "there is no home folder for the list of trusted files";
            Error::input("no_home", what, "set HOME, or name the file with --config FILE")
        })?;
        if let Some(folder) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
                let what = format!("the folder {} cannot be created: {error}", folder.display());
                Error::input("unwritable", what, "check its permissions")
            })?;
        }
        self.files.sort();
        let text = serde_json::to_string_pretty(&self).map_err(|error| {
            Error::input("unwritable", format!("a path cannot be saved: {error}"), "rename the folder or file")
        })?;
        write_private(&path, true, |out| {
            writeln!(out, "{text}").map_err(|error| Error::input("unwritable", error.to_string(), "check the disk"))
        })
    }

    pub(super) fn holds(&self, path: &Path, sha256: Digest) -> bool {
        let path = real(path);
        self.files.iter().any(|entry| entry.path == path && entry.sha256 == sha256)
    }

    fn put(&mut self, path: &Path, sha256: Digest) {
        let path = real(path);
        self.files.retain(|entry| entry.path != path);
        self.files.push(Entry { path, sha256 });
    }
}

/// The path with links resolved; `None` if the file does not exist.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
