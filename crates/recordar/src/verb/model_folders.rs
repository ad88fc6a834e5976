//! Models from folders of this machine: adding, checking and removing them. They are not stored data: no database is needed or created.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::config::{ModelFolder, ModelKind, SHIPPED_JUDGE, absolute, name_of};
use recordar_core::error::Error;
use recordar_core::judges::{kind, load, refused, try_out};
use recordar_domain::Digest;
use recordar_judge::Judge;
use recordar_store::Error as StoreError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A model that was added.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AddedModel {
    #[serde(flatten)]
    pub model: ModelFolder,
    /// The size of its files.
    pub bytes: u64,
    /// How long it took to load.
    pub load_ms: f64,
    /// How long a sample of two sentences took, on one OS thread.
    pub sample_ms: f64,
    /// Whether the folder was registered before.
    pub replaced: bool,
}

/// The result of checking models.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelsCheck {
    pub passed: bool,
    pub models: Vec<CheckedModel>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckedModel {
    pub name: String,
    pub kind: ModelKind,
    /// The folder; none for the judge that comes with the program.
    #[schemars(with = "Option<String>")]
    pub path: Option<PathBuf>,
    pub sha256: String,
    pub passed: bool,
    /// How long a sample took, if it could be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_ms: Option<f64>,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl Recordar {
    /// Loads a model from a folder, tries it, and registers it under a name.
    pub fn add_model(&self, folder: &Path, name: Option<&str>) -> Result<AddedModel, Error> {
        let path = absolute(folder)?;
        check_folder(&path)?;
        let name = name_of(&path, name)?;
        let started = Instant::now();
        let judge = Judge::from_folder(&path).map_err(|error| refused(&error))?;
        let load_ms = started.elapsed().as_secs_f64() * 1e3;
        let sample_ms = try_out(&judge)?;
        let sha256 = Digest::from_hex(judge.hash()).ok_or_else(|| {
            let what = format!("the model {name} has no valid sha256");
            Error::input("model_folder", what, "report this as a bug of Recordar")
        })?;
        let model = ModelFolder { name, path, sha256, kind: kind(&judge), added_at: (self.clock)() };
        let replaced = self.judges.folders.put(model.clone())?;
        Ok(AddedModel { model, bytes: judge.bytes(), load_ms, sample_ms, replaced })
    }

    /// Forgets a model by its name. Its files stay.
    pub fn remove_model(&self, name: &str) -> Result<ModelFolder, Error> {
        self.judges.folders.remove(name)
    }

    /// Loads the shipped judge and every registered model, or the named one, and runs a sample.
    pub fn check_models(&self, name: Option<&str>) -> Result<ModelsCheck, Error> {
        let mut models = Vec::new();
        if name.is_none_or(|name| name == SHIPPED_JUDGE) {
            models.push(check_shipped()?);
        }
        let folders = match name {
            None => self.judges.folders.list()?,
            Some(SHIPPED_JUDGE) => Vec::new(),
            Some(name) => vec![self.judges.folders.find(name)?],
        };
        for folder in folders {
            if self.cancel.is_cancelled() {
                return Err(StoreError::Cancelled.into());
            }
            models.push(check(folder));
        }
        Ok(ModelsCheck { passed: models.iter().all(|model| model.passed), models })
    }
}

/// Most mistakes are in the path: a name from a model hub, or the file instead of its folder.
fn check_folder(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    let what = match path.exists() {
        true => format!("{} is a file, not a folder", path.display()),
        false => format!("there is no folder {}", path.display()),
    };
    let remedy = "name a folder of this machine with model.onnx, config.json and tokenizer.json; nothing is downloaded";
    Err(Error::input("model_folder", what, remedy))
}

fn check_shipped() -> Result<CheckedModel, Error> {
    let judge = Judge::shipped().map_err(|error| refused(&error))?;
    let checked = CheckedModel {
        name: SHIPPED_JUDGE.to_owned(),
        kind: kind(judge),
        path: None,
        sha256: judge.hash().to_owned(),
        passed: true,
        sample_ms: None,
        problem: None,
        remedy: None,
    };
    Ok(checked.with(try_out(judge)))
}

fn check(folder: ModelFolder) -> CheckedModel {
    let tried = load(&folder, true).and_then(|judge| try_out(&judge));
    let ModelFolder { name, path, sha256, kind, added_at: _ } = folder;
    let checked = CheckedModel {
        name,
        kind,
        path: Some(path),
        sha256: sha256.to_string(),
        passed: true,
        sample_ms: None,
        problem: None,
        remedy: None,
    };
    checked.with(tried)
}

impl CheckedModel {
    fn with(self, tried: Result<f64, Error>) -> Self {
        match tried {
            Ok(sample_ms) => Self { sample_ms: Some(sample_ms), ..self },
            Err(error) => {
                Self { passed: false, problem: Some(error.to_string()), remedy: Some(error.remedy()), ..self }
            }
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AddModelArguments {
    /// The folder of the model: model.onnx (or onnx/model.onnx), config.json and tokenizer.json.
    folder: PathBuf,
    /// What to call it. By default, the name of the folder.
    name: Option<String>,
}

impl Verb for AddModelArguments {
    const NAME: &'static str = "add_model";
    const ABOUT: &'static str = "Try a model from a folder of this machine, and register it for use by name.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Files(None);
    const IS_LONG: bool = true;
    type Reply = AddedModel;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<AddedModel, Error> {
        memory.add_model(&self.folder, self.name.as_deref())
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CheckModelsArguments {
    /// The model to check: the name of a registered one, or judge for the one that comes with the program. By default all.
    name: Option<String>,
}

impl Verb for CheckModelsArguments {
    const NAME: &'static str = "check_models";
    const ABOUT: &'static str =
        "Check the shipped judge and the registered model folders: files, checksum, and a run on a sample.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Files(None);
    const IS_LONG: bool = true;
    type Reply = ModelsCheck;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<ModelsCheck, Error> {
        memory.check_models(self.name.as_deref())
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RemoveModelArguments {
    /// The name of the registered model.
    name: String,
}

impl Verb for RemoveModelArguments {
    const NAME: &'static str = "remove_model";
    const ABOUT: &'static str = "Remove a model folder from the register. No file is deleted.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Files(None);
    const IS_LONG: bool = false;
    type Reply = ModelFolder;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<ModelFolder, Error> {
        memory.remove_model(&self.name)
    }
}
