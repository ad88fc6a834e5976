//! Who did a task, and why it was not the configured model.

use recordar_llm::Error as ModelError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who did a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    Model,
    /// The built-in method: stored text, chosen by rules.
    BuiltIn,
    /// There was nothing to work with.
    Nothing,
}

/// Why a configured model was not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelProblem {
    pub code: String,
    pub what: String,
    pub remedy: String,
}

impl From<&ModelError> for ModelProblem {
    fn from(error: &ModelError) -> Self {
        Self { code: error.code().to_owned(), what: error.what.clone(), remedy: error.remedy.clone() }
    }
}
