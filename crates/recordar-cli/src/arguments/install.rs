//! The options of `recordar install`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// The client to register with
    #[arg(value_enum)]
    pub(crate) client: Client,
    /// Remove the entry, and leave everything else unchanged
    #[arg(long, conflicts_with_all = ["also", "read_only"])]
    pub(crate) undo: bool,
    /// The name of the entry; use several names to install several memories
    #[arg(long, default_value = "recordar", value_parser = name)]
    pub(crate) name: String,
    /// Install for the user, or for the project in the current folder [default: user]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<Scope>,
    /// The settings file to change, if it is not in the client's usual place
    #[arg(long, value_name = "PATH", conflicts_with = "scope")]
    pub(crate) file: Option<PathBuf>,
    /// Another space that the server reads; may be given several times
    #[arg(long = "also", value_name = "KIND:NAME")]
    pub(crate) also: Vec<String>,
    /// Make the server read-only
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Show the change without making it
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Skip the confirmation, which is asked for only on a terminal
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    #[value(name = "vscode")]
    VsCode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    User,
    Project,
}

/// Accepts names that every client accepts: Claude Code allows no other characters, and tool names contain it.
fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if (1..=64).contains(&text.len()) && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("use 1 to 64 letters, digits, - and _".to_owned())
    }
}
