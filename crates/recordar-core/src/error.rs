//! Errors of the engine. Each says what happened, to what, and what to do.

use crate::noun::path::{DroppedPath, TreePath};
use crate::tree::SEPARATOR;
use recordar_domain::Invalid;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// One entry per mistake, all reported at once.
    #[error("{} in the configuration{}", count(.mistakes.len()), list(.mistakes))]
    Config { mistakes: Vec<Mistake> },
    #[error("{what}")]
    Input { code: String, what: String, remedy: String },
    /// A descent that found nothing usable.
    #[error("{}{}", .0.what, list_paths(&.0.dropped_paths))]
    Paths(Box<NoPath>),
    #[error(transparent)]
    Store(#[from] recordar_store::Error),
    #[error(transparent)]
    Model(#[from] recordar_llm::Error),
}

/// One mistake in the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mistake {
    pub key: String,
    pub value: String,
    pub allowed: String,
    pub fix: String,
    /// The file that contains it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, allowed, fix, file } = self;
        write!(f, "{key} = {value}")?;
        if let Some(file) = file {
            write!(f, "\n    in {}", file.display())?;
        }
        write!(f, "\n    allowed: {allowed}\n    fix: {fix}")
    }
}

/// The paths of a descent, and what happened to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPath {
    pub code: String,
    pub what: String,
    pub remedy: String,
    pub considered: Vec<Vec<String>>,
    pub dropped_paths: Vec<DroppedPath>,
}

impl Error {
    /// A stable name for programs.
    pub fn code(&self) -> &str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::Config { .. } => "configuration",
            Self::Input { code, .. } => code,
            Self::Paths(paths) => &paths.code,
            Self::Store(error) => error.code(),
            Self::Model(error) => error.code(),
        }
    }

    pub fn remedy(&self) -> String {
        match self {
            Self::Invalid(invalid) => invalid.remedy.clone(),
            Self::Config { mistakes } if mistakes.len() == 1 => "correct it and try again".to_owned(),
            Self::Config { .. } => "correct them and try again".to_owned(),
            Self::Input { remedy, .. } => remedy.clone(),
            Self::Paths(paths) => paths.remedy.clone(),
            Self::Store(error) => error.remedy(),
            Self::Model(error) => error.remedy.clone(),
        }
    }

    /// Invalid input from outside: a file, a folder, an answer.
    pub fn input(code: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Input { code: code.to_owned(), what: what.into(), remedy: remedy.into() }
    }

    pub fn paths(
        code: &str,
        what: impl Into<String>,
        remedy: &str,
        considered: &[TreePath],
        dropped_paths: Vec<DroppedPath>,
    ) -> Self {
        let considered = considered.iter().map(|path| path.names.clone()).collect();
        let (code, what, remedy) = (code.to_owned(), what.into(), remedy.to_owned());
        Self::Paths(Box::new(NoPath { code, what, remedy, considered, dropped_paths }))
    }

    /// Details for programs: the mistakes of a configuration, the paths of a descent.
    pub fn details(&self) -> Option<(&'static str, serde_json::Value)> {
        match self {
            Self::Config { mistakes } => Some(("mistakes", serde_json::json!(mistakes))),
            Self::Paths(paths) => {
                let NoPath { considered, dropped_paths, .. } = paths.as_ref();
                Some(("paths", serde_json::json!({"considered": considered, "dropped_paths": dropped_paths})))
            }
            _ => None,
        }
    }

    /// Whether the call, or a part of it, was cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Store(recordar_store::Error::Cancelled))
            || matches!(self, Self::Model(error) if error.kind == recordar_llm::ErrorKind::Cancelled)
    }

    /// Whether the database or the disk failed, so that the next file would fail the same way.
    pub fn concerns_every_file(&self) -> bool {
        use recordar_store::Error::{Cancelled, Constraint, Database};
        matches!(self, Self::Store(Cancelled))
            || matches!(self, Self::Store(error) if !error.is_yours() && !matches!(error, Constraint { .. } | Database { .. }))
    }
}

fn count(mistakes: usize) -> String {
    if mistakes == 1 { "a mistake".to_owned() } else { format!("{mistakes} mistakes") }
}

fn list(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(|mistake| format!("\n  {mistake}")).collect()
}

/// The first paths, for people; all of them are in the details.
fn list_paths(dropped: &[DroppedPath]) -> String {
    const MOST: usize = 5;
    let name = |path: &DroppedPath| format!("\n  {}", path.category_path.join(SEPARATOR));
    let mut list: String = dropped.iter().take(MOST).map(name).collect();
    if dropped.len() > MOST {
        list.push_str(&format!("\n  and {} more", dropped.len() - MOST));
    }
    list
}
