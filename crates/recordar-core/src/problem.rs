//! Problems with one file of many, which do not end the call.

use crate::error::Error;
use schemars::JsonSchema;
use serde::Serialize;

/// A message about a file: a stable code, what happened, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    pub code: String,
    pub what: String,
    pub remedy: String,
}

impl Problem {
    pub fn new(code: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { code: code.to_owned(), what: what.into(), remedy: remedy.into() }
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        Self::new(error.code(), error.to_string(), error.remedy())
    }
}
