//! The words of moving data in and out.

use super::OperationOption;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Where to write it [default: standard output]
    pub(crate) file: Option<PathBuf>,
    /// The whole store instead of one space
    #[arg(long)]
    pub(crate) all: bool,
    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// What to read, or - for standard input: an export of Recordar, ChatGPT, Claude, mem0 or Zep, or a transcript
    pub(crate) file: PathBuf,
    /// What it is: recordar, chatgpt, claude, mem0, zep or transcript [default: told from its content]
    #[arg(long)]
    pub(crate) format: Option<String>,
    /// Put what belongs to different users into a space for each, user:ID
    #[arg(long)]
    pub(crate) each_user: bool,
    /// What the thread is to be called, where the file holds one conversation
    #[arg(long, value_name = "NAME")]
    pub(crate) thread: Option<String>,
    #[command(flatten)]
    pub(crate) operation: OperationOption,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// Where to write it
    pub(crate) file: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A backup, or - for standard input. Everything that is in the store now is replaced by it
    pub(crate) file: PathBuf,
    /// Do not ask. Only a terminal is asked: a script that runs this means it
    #[arg(long, short)]
    pub(crate) yes: bool,
}
