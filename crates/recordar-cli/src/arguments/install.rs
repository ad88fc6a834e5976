//! The words of registering Recordar with a client.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// The client whose settings are changed
    #[arg(value_enum)]
    pub(crate) client: Client,
    /// Take the entry out again, and leave everything else as it is
    #[arg(long, conflicts_with_all = ["also", "read_only"])]
    pub(crate) undo: bool,
    /// The entry's name, so that several memories can be installed
    #[arg(long, default_value = "recordar", value_parser = name)]
    pub(crate) name: String,
    /// For all of the user's work, or for the project in the current folder [default: user]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<Scope>,
    /// The file to change, where the client keeps it elsewhere
    #[arg(long, value_name = "PATH", conflicts_with = "scope")]
    pub(crate) file: Option<PathBuf>,
    /// A space that the server looks into as well; may be given several times
    #[arg(long = "also", value_name = "KIND:NAME")]
    pub(crate) also: Vec<String>,
    /// A server that only reads
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Only show what would be changed
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask. Only a terminal is asked: a script that runs this means it
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

/// What every client takes: Claude Code allows no other characters, and names of tools are made of it.
fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if (1..=64).contains(&text.len()) && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("use 1 to 64 letters, digits, - and _".to_owned())
    }
}
