//! The judges of a memory: the shipped one, and models from registered folders, each loaded once and kept while it is used.

use crate::config::{ModelFolder, ModelFolders, ModelKind};
use crate::error::Error;
use crate::noun::method::ModelProblem;
use crate::noun::rerank::Rerank;
use recordar_domain::{Action, Stage};
use recordar_judge::{Effort, Judge, JudgeError, JudgeKind};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many models from folders are kept in RAM. The one that was used longest ago goes first.
const MAX_LOADED: usize = 3;
const SAMPLE_QUESTION: &str = "When is the oil of the lamp changed?";
const SAMPLE_STATEMENT: &str = "The oil of the lamp is changed on Mondays.";
const SAMPLE_PASSAGE: &str = "The lamp is cleaned every morning. Its oil is changed on Mondays.";

pub struct Judges {
    pub folders: ModelFolders,
    /// By sha256; the last was used last.
    loaded: Mutex<Vec<(String, Slot)>>,
}

/// A model that is loaded, or is being loaded by whoever holds it.
type Slot = Arc<Mutex<Option<Arc<Judge>>>>;

impl Judges {
    pub fn new(folders: ModelFolders) -> Self {
        Self { folders, loaded: Mutex::default() }
    }

    /// The model that a caller wants to rerank.
    pub fn reranker(&self, asked: Option<&Rerank>, configured: &Rerank) -> Result<Choice, Error> {
        let found = match asked.unwrap_or(configured) {
            Rerank::Off => return Ok(Choice::Off),
            Rerank::Judge => Reranker::shipped(),
            rerank @ Rerank::Folder(name) => self.folder(name).map(|model| Reranker {
                name: rerank.to_string(),
                model: Lent::Folder(model),
                is_asked_for: false,
            }),
        };
        match found {
            Ok(found) => Ok(Choice::Model(Reranker { is_asked_for: asked.is_some(), ..found })),
            Err(error) if asked.is_none() => Ok(Choice::Unusable(NotReranked::new(configured.to_string(), &error))),
            Err(error) => Err(error),
        }
    }

    /// The model of a registered folder, by its name or its path. Its files must be those that were added.
    pub fn folder(&self, name_or_path: &str) -> Result<Arc<Judge>, Error> {
        let model = self.folders.find(name_or_path)?;
        let slot = self.slot(&model.sha256.to_string());
        // Others that want the same model wait here.
        let mut slot = locked(&slot);
        if let Some(judge) = slot.as_ref() {
            return Ok(Arc::clone(judge));
        }
        let judge = Arc::new(load(&model, false)?);
        *slot = Some(Arc::clone(&judge));
        Ok(judge)
    }

    fn slot(&self, sha256: &str) -> Slot {
        let mut loaded = locked(&self.loaded);
        let found = loaded.iter().position(|(hash, _)| hash == sha256).map(|place| loaded.remove(place).1);
        let slot = found.unwrap_or_default();
        loaded.push((sha256.to_owned(), Arc::clone(&slot)));
        if loaded.len() > MAX_LOADED {
            loaded.remove(0);
        }
        slot
    }
}

/// Who reranks.
pub enum Choice {
    Off,
    Model(Reranker),
    /// The configured model cannot be used; the search's order stays. One that a caller asks for is an error instead.
    Unusable(NotReranked),
}

impl Choice {
    pub fn model(&self) -> Option<&Reranker> {
        match self {
            Self::Model(model) => Some(model),
            Self::Off | Self::Unusable(_) => None,
        }
    }

    pub fn problem(&self) -> Option<&NotReranked> {
        match self {
            Self::Unusable(problem) => Some(problem),
            Self::Off | Self::Model(_) => None,
        }
    }
}

/// A configured model that could not rerank, and why.
#[derive(Debug, Clone)]
pub struct NotReranked {
    name: String,
    pub problem: ModelProblem,
}

impl NotReranked {
    fn new(name: String, error: &Error) -> Self {
        let problem = ModelProblem { code: error.code().to_owned(), what: error.to_string(), remedy: error.remedy() };
        Self { name, problem }
    }

    pub fn stage(&self) -> Stage {
        let mut stage = Stage::new("rerank");
        let detail = format!("{}; the search's order stays", self.problem.what);
        stage.decide(&self.name, Action::Refused, "not_reranked", detail);
        stage
    }
}

/// A model that reranks, by the name that it was asked for.
pub struct Reranker {
    pub name: String,
    model: Lent,
    is_asked_for: bool,
}

enum Lent {
    Shipped(&'static Judge),
    Folder(Arc<Judge>),
}

impl Reranker {
    pub fn shipped() -> Result<Self, Error> {
        let judge = Judge::shipped().map_err(|error| refused(&error))?;
        Ok(Self { name: judge.name().to_owned(), model: Lent::Shipped(judge), is_asked_for: false })
    }

    /// What a failure of this model means: an error for a caller who asked for it, otherwise a search that is not reranked.
    pub fn failed(&self, error: &JudgeError) -> Result<NotReranked, Error> {
        let error = refused(error);
        if self.is_asked_for { Err(error) } else { Ok(NotReranked::new(self.name.clone(), &error)) }
    }
}

impl Deref for Reranker {
    type Target = Judge;

    fn deref(&self) -> &Judge {
        match &self.model {
            Lent::Shipped(judge) => judge,
            Lent::Folder(judge) => judge,
        }
    }
}

/// The model of a folder, as it was when it was added. An error shows file paths only to those who may see them.
pub fn load(model: &ModelFolder, shows_paths: bool) -> Result<Judge, Error> {
    let refused = |error: JudgeError| {
        let folder = model.path.display().to_string();
        let (mut what, _) = said(&error);
        if !shows_paths {
            what = what.replace(&format!("{folder}/"), "").replace(&folder, "the folder");
        }
        let what = format!("the model {} cannot be used: {what}", model.name);
        let folder = if shows_paths { folder } else { "FOLDER".to_owned() };
        let remedy = format!("restore its files, or run `recordar models add {folder} --name {}` again", model.name);
        Error::input("model_folder", what, remedy)
    };
    Judge::from_known_folder(&model.path, &model.sha256.to_string()).map_err(refused)
}

/// An error of a model that someone tries out.
pub fn refused(error: &JudgeError) -> Error {
    let (what, remedy) = said(error);
    Error::input("model_folder", what, remedy)
}

/// What happened, and what to do.
fn said(error: &JudgeError) -> (String, String) {
    match error {
        JudgeError::File { file, problem, remedy } => (format!("{file}: {problem}"), remedy.clone()),
        JudgeError::Unfit { model, kind, task, remedy } => {
            (format!("the model {model} is {kind}, so it cannot {task}"), (*remedy).to_owned())
        }
        JudgeError::Run { model, problem } => {
            let what = format!("the model {model} failed on an input: {problem}");
            (what, "check it with `recordar models check`".to_owned())
        }
    }
}

pub fn kind(judge: &Judge) -> ModelKind {
    match judge.kind() {
        JudgeKind::Judge => ModelKind::Judge,
        JudgeKind::Reranker => ModelKind::Reranker,
        JudgeKind::Entailment => ModelKind::Entailment,
        JudgeKind::Embedder => ModelKind::Embedder,
    }
}

/// Asks a model about a sample, as it would be asked later. Returns how many milliseconds that took.
pub fn try_out(judge: &Judge) -> Result<f64, Error> {
    let effort = Effort { threads: 1, ..Effort::default() };
    let started = Instant::now();
    let mut numbers: Vec<f32> = Vec::new();
    let kind = judge.kind();
    if matches!(kind, JudgeKind::Judge | JudgeKind::Reranker) {
        let judged = judge.relevance(SAMPLE_QUESTION, &[SAMPLE_PASSAGE], &effort).map_err(|error| refused(&error))?;
        numbers.extend(judged.iter().map(|judged| judged.logit));
    }
    if matches!(kind, JudgeKind::Judge | JudgeKind::Entailment) {
        let entailed = judge.entailment(SAMPLE_PASSAGE, SAMPLE_STATEMENT).map_err(|error| refused(&error))?;
        numbers.extend(entailed.probabilities);
    }
    if kind == JudgeKind::Embedder {
        numbers.extend(judge.embed(&[SAMPLE_PASSAGE], &effort).map_err(|error| refused(&error))?.concat());
    }
    if numbers.is_empty() || numbers.iter().any(|number| !number.is_finite()) {
        let what = format!("the model {} gave a result that is not a number", judge.name());
        return Err(Error::input("model_folder", what, "use another model"));
    }
    Ok(started.elapsed().as_secs_f64() * 1e3)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{User, absolute};
    use recordar_domain::{Digest, Timestamp};
    use std::path::Path;
    use tempfile::TempDir;

    const FILES: [&str; 3] = ["config.json", "model.onnx", "tokenizer.json"];

    /// A folder with models in it, and their register.
    fn shelf(models: &[(&str, &str)]) -> (TempDir, Judges) {
        let folder = tempfile::tempdir().unwrap();
        let judges = Judges::new(ModelFolders {
            file: Some(folder.path().join("state/recordar/models.json")),
            user: User::of_process(),
        });
        for (name, fixture) in models {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../recordar-judge/tests/fixtures").join(fixture);
            let to = folder.path().join(name);
            std::fs::create_dir(&to).unwrap();
            for file in FILES {
                std::fs::copy(from.join(file), to.join(file)).unwrap();
            }
            let judge = Judge::from_folder(&to).unwrap();
            let model = ModelFolder {
                name: (*name).to_owned(),
                path: absolute(&to).unwrap(),
                sha256: Digest::from_hex(judge.hash()).unwrap(),
                kind: kind(&judge),
                added_at: Timestamp::from_micros(0),
            };
            judges.folders.put(model).unwrap();
        }
        (folder, judges)
    }

    #[test]
    fn i22_a_registered_model_is_found_by_name_and_by_path_and_loaded_once() {
        let (folder, judges) = shelf(&[("one", "bert-reranker"), ("two", "bert-nli")]);
        let one = judges.folder("one").unwrap();
        let path = folder.path().join("one").display().to_string();
        for again in ["one", &path, &format!("{path}/"), &format!("{path}/../one/.")] {
            assert!(Arc::ptr_eq(&one, &judges.folder(again).unwrap()), "{again}");
        }
        assert_eq!(kind(&judges.folder("two").unwrap()), ModelKind::Entailment);
        let together = std::thread::scope(|scope| {
            let both = [(); 2].map(|()| scope.spawn(|| judges.folder("two").unwrap()));
            both.map(|thread| thread.join().unwrap())
        });
        assert!(Arc::ptr_eq(&together[0], &together[1]));
    }

    #[test]
    fn i22_what_is_not_registered_is_not_opened() {
        let (folder, judges) = shelf(&[("one", "bert-reranker")]);
        let elsewhere = folder.path().join("elsewhere").display().to_string();
        std::fs::rename(folder.path().join("one"), &elsewhere).unwrap();
        let said: Vec<String> = [elsewhere.as_str(), "/nowhere", "two", "", "/", "one/", "\0"]
            .iter()
            .map(|name| judges.folder(name).err().unwrap().to_string())
            .collect();
        assert!(said.iter().all(|said| said.ends_with("is registered on this machine")), "{said:?}");
        assert!(said[0].contains(&elsewhere));
    }

    #[test]
    fn i22_a_model_that_is_gone_or_changed_is_an_error_that_says_what_to_do() {
        for (harm, reason) in [("gone", "it is not there"), ("changed", "not those that were added"), ("cut", "added")]
        {
            let (folder, judges) = shelf(&[("one", "bert-reranker")]);
            let path = folder.path().join("one/model.onnx");
            let mut bytes = std::fs::read(&path).unwrap();
            match harm {
                "gone" => std::fs::remove_file(&path).unwrap(),
                "changed" => {
                    bytes[1000] ^= 1;
                    std::fs::write(&path, bytes).unwrap();
                }
                _ => std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap(),
            }
            let error = judges.folder("one").err().unwrap();
            let said = error.to_string();
            assert!(said.starts_with("the model one cannot be used: ") && said.contains(reason), "{said}");
            let path = folder.path().display().to_string();
            assert!(!said.contains(&path), "who searches need not know where models are: {said}");
            assert!(error.remedy().ends_with("`recordar models add FOLDER --name one` again"), "{}", error.remedy());
            let error = load(&judges.folders.find("one").unwrap(), true).err().unwrap();
            assert!(error.to_string().contains(&path), "{error}");
            let remedy = format!("`recordar models add {path}/one --name one` again");
            assert!(error.remedy().ends_with(&remedy), "{}", error.remedy());
            assert_eq!(error.code(), "model_folder");
        }
    }

    #[test]
    fn i22_few_models_stay_loaded_and_a_removed_one_is_no_longer_used() {
        let names = [("a", "bert-reranker"), ("b", "bert-nli"), ("c", "bert-embedder"), ("d", "deberta-reranker")];
        let (_folder, judges) = shelf(&names);
        let first = judges.folder("a").unwrap();
        for (name, _) in &names[1..] {
            judges.folder(name).unwrap();
        }
        assert_eq!(locked(&judges.loaded).len(), MAX_LOADED);
        assert!(!Arc::ptr_eq(&first, &judges.folder("a").unwrap()), "it was used longest ago");
        judges.folders.remove("a").unwrap();
        assert_eq!(judges.folder("a").err().unwrap().code(), "not_found");
    }
}
