//! The outcome of a command, as scripts see it: its exit code.

use crate::interrupt;
use recordar::Error;
use std::process::ExitCode;

/// How a command ended, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    Failed,
    Misused,
    Partly,
    /// By Ctrl-C.
    Interrupted,
}

impl Outcome {
    pub(crate) fn of_error(error: &Error) -> Self {
        match error.code() {
            "configuration" | "untrusted_configuration" | "invalid" | "model_configuration" => Self::Misused,
            "cancelled" => Self::Interrupted,
            _ => Self::Failed,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Done => 0,
            Outcome::Failed => 1,
            Outcome::Misused => 2,
            Outcome::Partly => 3,
            Outcome::Interrupted => interrupt::EXIT_CODE,
        })
    }
}
