//! The register of model folders of this machine: which models may be loaded from disk, by name, path and sha256. Nothing that is not in it is
//! opened, so a caller cannot make this program read a path of his.

use super::{User, own_file};
use crate::error::Error;
use crate::private_file::write_private;
use recordar_domain::{Digest, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Component, Path, PathBuf};

/// More are not registered.
pub const MAX_MODEL_FOLDERS: usize = 64;
const MAX_NAME_BYTES: usize = 64;
/// What the shipped judge is called beside the folders.
pub const SHIPPED_JUDGE: &str = "judge";

/// Where the register is: in the user's state folder, if he has one.
#[derive(Debug, Clone)]
pub struct ModelFolders {
    pub file: Option<PathBuf>,
    /// Who must own it.
    pub user: User,
}

/// A registered model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFolder {
    /// What it is called: `folder:NAME`.
    pub name: String,
    /// The folder of its files.
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The sha256 of its files when it was added.
    #[schemars(with = "String")]
    pub sha256: Digest,
    pub kind: ModelKind,
    pub added_at: Timestamp,
}

/// What a model was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// Relevance and entailment: the shipped one.
    Judge,
    Reranker,
    Entailment,
    Embedder,
}

impl ModelKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Reranker => "reranker",
            Self::Entailment => "entailment",
            Self::Embedder => "embedder",
        }
    }
}

/// The file's content.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Register {
    models: Vec<ModelFolder>,
}

impl ModelFolders {
    /// The registered models, by name.
    pub fn list(&self) -> Result<Vec<ModelFolder>, Error> {
        let Some(path) = self.file.as_ref().filter(|path| path.symlink_metadata().is_ok()) else {
            return Ok(Vec::new());
        };
        let text = own_file::read("the list of model folders", path, self.user)?.text;
        let mut register: Register = serde_json::from_str(&text).map_err(|error| {
            let what = format!("the list of model folders {} is damaged: {error}", path.display());
            Error::input("configuration", what, "delete it, and run `recordar models add FOLDER` for each model again")
        })?;
        register.models.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(register.models)
    }

    /// The model of that name, or of that path. Paths are compared as they are written: nothing is opened to find out.
    pub fn find(&self, name_or_path: &str) -> Result<ModelFolder, Error> {
        let path = std::path::absolute(name_or_path).ok().map(|path| plain(&path));
        let is_path = name_or_path.contains('/');
        let is_it =
            |model: &ModelFolder| if is_path { Some(&model.path) == path.as_ref() } else { model.name == name_or_path };
        self.list()?.into_iter().find(is_it).ok_or_else(|| {
            let what = format!("no model folder {name_or_path:?} is registered on this machine");
            Error::input(
                "not_found",
                what,
                "add it with `recordar models add FOLDER`; `recordar models list` shows the others",
            )
        })
    }

    /// Registers a model. An entry for the same folder is replaced. Returns whether there was one.
    pub fn put(&self, model: ModelFolder) -> Result<bool, Error> {
        let _lock = self.lock()?;
        let mut models = self.list()?;
        let before = models.len();
        models.retain(|other| other.path != model.path);
        let was_there = models.len() < before;
        if let Some(other) = models.iter().find(|other| other.name == model.name) {
            let what = format!("the name {} is taken by {}", model.name, other.path.display());
            let remedy = format!("choose another with --name (name=…), or run `recordar models remove {}`", model.name);
            return Err(Error::input("exists", what, remedy));
        }
        if models.len() >= MAX_MODEL_FOLDERS {
            let what = format!("there are {MAX_MODEL_FOLDERS} model folders already, which is the limit");
            return Err(Error::input("invalid", what, "remove one with `recordar models remove NAME`"));
        }
        models.push(model);
        self.write(models)?;
        Ok(was_there)
    }

    /// Forgets a model. Its files stay.
    pub fn remove(&self, name: &str) -> Result<ModelFolder, Error> {
        if name == SHIPPED_JUDGE {
            let what = "the judge is part of the program and cannot be removed";
            return Err(Error::input("invalid", what, "to search without it, set rerank to off"));
        }
        let _lock = self.lock()?;
        let model = self.find(name)?;
        let mut models = self.list()?;
        models.retain(|other| *other != model);
        self.write(models)?;
        Ok(model)
    }

    /// Whoever changes the register reads it first. Until the lock is dropped, no other process or OS thread does. The folder is locked, because
    /// the file itself is replaced.
    fn lock(&self) -> Result<File, Error> {
        let path = self.path()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let cannot = |error: std::io::Error| {
            let what = format!("the folder {} cannot be created or locked: {error}", folder.display());
            Error::input("unwritable", what, "check its permissions")
        };
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(cannot)?;
        let lock = File::open(folder).map_err(cannot)?;
        lock.lock().map_err(cannot)?;
        Ok(lock)
    }

    fn path(&self) -> Result<&PathBuf, Error> {
        self.file.as_ref().ok_or_else(|| {
            let what = "there is no home folder for the list of model folders";
            Error::input("no_home", what, "set HOME or XDG_STATE_HOME (in Rust, Config.model_folders.file)")
        })
    }

    fn write(&self, mut models: Vec<ModelFolder>) -> Result<(), Error> {
        let path = self.path()?;
        models.sort_by(|one, other| one.name.cmp(&other.name));
        let text = serde_json::to_string_pretty(&Register { models }).map_err(|error| {
            Error::input("unwritable", format!("a path cannot be saved: {error}"), "rename the folder")
        })?;
        write_private(path, true, |out| {
            writeln!(out, "{text}").map_err(|error| Error::input("unwritable", error.to_string(), "check the disk"))
        })
    }
}

/// The absolute path of a folder that a user names, as it is kept.
pub fn absolute(folder: &Path) -> Result<PathBuf, Error> {
    let unclear = |error: std::io::Error| {
        let what = format!("{} is not a folder that can be used: {error}", folder.display());
        Error::input("unreadable", what, "check the path")
    };
    let path = std::path::absolute(folder).map_err(unclear)?;
    let leads_up = path.components().any(|component| component == Component::ParentDir);
    Ok(if leads_up { path.canonicalize().map_err(unclear)? } else { plain(&path) })
}

/// The name for a model: the given one, or that of its folder.
pub fn name_of(path: &Path, given: Option<&str>) -> Result<String, Error> {
    let name = match given {
        Some(name) => name.to_owned(),
        None => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let has_letter = name.chars().any(char::is_alphanumeric);
    if has_letter && name.len() <= MAX_NAME_BYTES && name.chars().all(is_plain) && name != SHIPPED_JUDGE {
        return Ok(name);
    }
    let what = format!("{name:?} cannot be the name of a model");
    let remedy = format!(
        "give it another with --name (name=…): up to {MAX_NAME_BYTES} bytes of letters, digits, - _ and ., but not {SHIPPED_JUDGE}"
    );
    Err(Error::input("invalid", what, remedy))
}

/// Without `.`, doubled or final slashes, and `..`, by the text alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}
