//! The command line: the options of every command, and one table of commands.

mod install;
mod mcp;
mod own;
mod password;
mod schema;
mod session;
mod spec;
#[cfg(test)]
mod tests;

pub(crate) use install::{Client, Install, Scope};
pub(crate) use mcp::Mcp;
pub(crate) use own::{Bench, BenchWhat, Consent, Eval, Init, ReceiptsExport, ReceiptsImport, ReceiptsShow, Trust};
pub(crate) use session::Session;
pub(crate) use spec::Spec;

use crate::command::COMMANDS;
use crate::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use recordar::{DatabaseUrl, Error, Overrides, Password, SpaceName};
use std::path::{Path, PathBuf};

const EXIT_CODES: &str = "Exit codes: 0 success; 1 failure; 2 invalid command line or configuration; \
3 partial success (some files failed; the others were stored).";

/// Commands that only group subcommands.
const GROUPS: [(&str, &str); 6] = [
    ("receipts", "List, show, export and import receipts of recalls and answers"),
    ("forget", "Remove items, a document, a thread, receipts or a whole space for good"),
    ("doc", "List, show and compare documents and their versions"),
    ("thread", "List threads and show their messages"),
    ("space", "List spaces"),
    ("models", "Show the configured models, and test the language model"),
];

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The space to use, such as user:ada, shared:handbook or project:x [default: user:default]
    #[arg(long, global = true, value_name = "KIND:NAME", conflicts_with = "user")]
    space: Option<String>,
    /// Short for --space user:ID
    #[arg(long, alias = "user-id", global = true, value_name = "ID")]
    user: Option<String>,
    /// The database: sqlite:PATH, postgres://… or mysql://…, without the password [default: sqlite:recordar.db]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Ask for the database password on the terminal
    #[arg(long, short = 'W', global = true)]
    ask_password: bool,
    #[arg(skip)]
    password: Option<Password>,
    /// The configuration file [default: recordar.toml in this folder or the nearest parent that has one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Run as if started in this folder
    #[arg(long, short = 'C', global = true, value_name = "FOLDER")]
    directory: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show no progress bar and no hints
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// The whole command line.
pub(crate) fn command() -> Command {
    let command = Command::new("recordar")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Memory and context for LLM applications, with a reason for every choice")
        .after_help(EXIT_CODES)
        .max_term_width(110)
        .subcommand_required(true)
        .arg_required_else_help(true);
    let mut names: Vec<&str> = COMMANDS.iter().map(|spec| spec.path[0]).collect();
    names.dedup();
    // Subcommands are built only when needed, so that a command starts at once.
    let below = |name: &'static str| Command::new(name).about(about(name)).defer(build);
    Global::augment_args(command).subcommands(names.into_iter().map(below))
}

fn about(name: &str) -> String {
    let group = GROUPS.iter().find(|(group, _)| *group == name).map(|(_, about)| *about);
    let own = || COMMANDS.iter().find(|spec| spec.path == [name]).map(|spec| spec.about);
    let about = group.or_else(own).unwrap_or_default();
    about.strip_suffix('.').unwrap_or(about).to_owned()
}

/// A command with its options and subcommands.
fn build(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let mut command = command;
    for spec in COMMANDS.iter().filter(|spec| spec.path[0] == name) {
        command = match spec.path {
            [_] => spec.command(command),
            [_, below] => command.subcommand(spec.command(Command::new(*below))),
            _ => command,
        };
    }
    let is_group = GROUPS.iter().any(|(group, _)| *group == name);
    if is_group { command.subcommand_required(true).arg_required_else_help(true) } else { command }
}

/// The command that was called, and its arguments.
pub(crate) fn called(matches: &ArgMatches) -> Option<(&'static Spec, &ArgMatches)> {
    let (mut path, mut matches) = (Vec::new(), matches);
    while let Some((name, below)) = matches.subcommand() {
        // The rest are the command's own arguments.
        if COMMANDS.iter().any(|spec| spec.path == path.as_slice() && spec.verb.is_none()) {
            break;
        }
        path.push(name);
        matches = below;
    }
    COMMANDS.iter().find(|spec| spec.path == path.as_slice()).map(|spec| (*spec, matches))
}

/// An option that shows more.
pub(crate) fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

impl Global {
    /// The same options, with the space that the command names.
    pub(crate) fn with_space(&self, name: &str) -> Self {
        Self { space: Some(name.to_owned()), user: None, ..self.clone() }
    }

    pub(crate) fn names_space(&self) -> bool {
        self.space.is_some() || self.user.is_some()
    }

    /// The first steps of every command: changing to the folder, and asking for the password.
    pub(crate) fn settle(&mut self, output: &Output) -> Result<(), Error> {
        if let Some(folder) = &self.directory {
            std::env::set_current_dir(folder).map_err(|error| {
                let what = format!("cannot change to the folder {}: {error}", folder.display());
                Error::input("no_folder", what, "check the path given with --directory")
            })?;
        }
        if self.ask_password {
            self.password = Some(password::ask()?);
        }
        let url = self.database.as_ref().and_then(|url| DatabaseUrl::parse(url, Path::new("")).ok());
        if url.is_some_and(|url| url.holds_password()) {
            output.warn(
                "warning: every user of this machine can see the password in --database while the command runs; set \
                 RECORDAR_DATABASE, or omit the password and use --ask-password or RECORDAR_DATABASE_PASSWORD_FILE",
            );
        }
        Ok(())
    }

    pub(crate) fn overrides(&self) -> Result<Overrides, Error> {
        let user = self.user.as_deref().map(SpaceName::user).transpose()?;
        Ok(Overrides {
            file: self.config.clone(),
            database: self.database.clone(),
            password: self.password.clone(),
            space: user.map(String::from).or_else(|| self.space.clone()),
        })
    }
}
