//! Why a model could not be loaded, or could not judge.

use std::path::Path;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// A file of the model is missing, damaged, too large, or of a kind that is not supported. The user's to repair.
    #[error("model file {file}: {problem}; {remedy}")]
    File { file: String, problem: String, remedy: String },
    /// The model is sound, but made for something else.
    #[error("model {model} is {kind}, so it cannot {task}; {remedy}")]
    Unfit { model: String, kind: &'static str, task: &'static str, remedy: &'static str },
    /// The model was loaded, and failed on an input.
    #[error("model {model} failed on an input: {problem}; check the model with `recordar models check`")]
    Run { model: String, problem: String },
}

/// What to do about a file that is not what it should be.
pub(crate) const FETCH_AGAIN: &str = "copy the model again from where it came";

impl JudgeError {
    pub(crate) fn file(path: &Path, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::File { file: path.display().to_string(), problem: problem.into(), remedy: remedy.into() }
    }

    pub(crate) fn run(model: &str, problem: impl Into<String>) -> Self {
        Self::Run { model: model.to_owned(), problem: problem.into() }
    }
}
