//! One file for each verb: arguments in, a call of the engine, its result in words.

pub(crate) mod ask;
pub(crate) mod contextual_helper;
pub(crate) mod doc;
pub(crate) mod doctor;
pub(crate) mod eval;
mod explain;
pub(crate) mod forget;
pub(crate) mod ingest;
pub(crate) mod init;
pub(crate) mod install;
pub(crate) mod mcp;
pub(crate) mod models;
pub(crate) mod operation;
pub(crate) mod query;
pub(crate) mod recall;
pub(crate) mod receipts;
pub(crate) mod remember;
pub(crate) mod search;
pub(crate) mod space;
pub(crate) mod thread;
pub(crate) mod transfer;
pub(crate) mod tree;
pub(crate) mod why;
pub(crate) mod why_not;

use crate::arguments::Global;
use recordar::{Config, Error, Recordar, SpaceName, Timestamp, system_clock};
use std::path::Path;
use std::process::ExitCode;

/// How a command ended, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    Failed,
    Misused,
    Partly,
}

impl Outcome {
    pub(crate) fn of_error(error: &Error) -> Self {
        match error.code() {
            "configuration" | "invalid" | "model_configuration" => Self::Misused,
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
        })
    }
}

/// The engine and the space that a command works in.
fn open(global: &Global) -> Result<(Recordar, SpaceName), Error> {
    let config = Config::load(&global.overrides()?)?;
    let space = config.space.clone();
    Ok((Recordar::open(config, system_clock())?, space))
}

fn time(text: Option<&str>) -> Result<Option<Timestamp>, Error> {
    Ok(text.map(Timestamp::parse).transpose()?)
}

/// The space of the command and those that are named beside it.
fn spaces(own: SpaceName, also: &[String]) -> Result<Vec<SpaceName>, Error> {
    let mut spaces = vec![own];
    for name in also {
        spaces.push(SpaceName::parse(name)?);
    }
    Ok(spaces)
}

/// Standard input, read whole, within a limit.
fn read_stdin(max_bytes: u64) -> Result<Vec<u8>, Error> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(max_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| cannot_read("standard input", &error))?;
    Ok(bytes)
}

/// Whether somebody is there to be asked. A script that runs a command means it.
fn can_ask() -> bool {
    use std::io::IsTerminal;
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks on the terminal, beside the result. Whatever is not a yes is a no.
fn is_agreed(question: &str) -> bool {
    use std::io::Write;
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut answer = String::new();
    let is_answered = std::io::stdin().read_line(&mut answer).is_ok();
    is_answered && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn cannot_read(what: &str, error: &std::io::Error) -> Error {
    Error::input("unreadable", format!("{what} cannot be read: {error}"), "check the path and the rights of this user")
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    let what = format!("{} cannot be written: {error}", path.display());
    Error::input("unwritable", what, "check the path, the rights of this user and the room on the disk")
}
