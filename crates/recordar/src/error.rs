//! What can go wrong in the engine. Everything says what happened, to what, and what to do about it.

use crate::config::Mistake;
use recordar_domain::Invalid;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// One entry for each mistake, all found at once.
    #[error("{} in the configuration{}", count(.mistakes.len()), list(.mistakes))]
    Config { mistakes: Vec<Mistake> },
    #[error("{what}")]
    Input { code: String, what: String, remedy: String },
    #[error(transparent)]
    Store(#[from] recordar_store::Error),
    #[error(transparent)]
    Model(#[from] recordar_llm::Error),
}

impl Error {
    /// A stable name for programs.
    pub fn code(&self) -> &str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::Config { .. } => "configuration",
            Self::Input { code, .. } => code,
            Self::Store(error) => error.code(),
            Self::Model(error) => error.code(),
        }
    }

    pub fn remedy(&self) -> String {
        match self {
            Self::Invalid(invalid) => invalid.remedy.clone(),
            Self::Config { mistakes } if mistakes.len() == 1 => "mend it in recordar.toml".to_owned(),
            Self::Config { .. } => "mend each of them in recordar.toml".to_owned(),
            Self::Input { remedy, .. } => remedy.clone(),
            Self::Store(error) => error.remedy(),
            Self::Model(error) => error.remedy.clone(),
        }
    }

    /// Something from outside that cannot be taken: a file, a folder, an answer.
    pub fn input(code: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Input { code: code.to_owned(), what: what.into(), remedy: remedy.into() }
    }

    /// Whether the database or the disk is the trouble, so that the next file would fail in the same way.
    pub(crate) fn concerns_every_file(&self) -> bool {
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
