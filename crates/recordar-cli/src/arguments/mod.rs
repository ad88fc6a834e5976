//! The words of the command line: those that hold for every command, and one table of commands.

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

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed; 2 a mistake in the command line or the configuration; \
3 partly done (some files failed, and the others were stored).";

/// Commands that have others below them, and are none themselves.
const GROUPS: [(&str, &str); 6] = [
    ("receipts", "Look through the receipts of recalls and answers"),
    ("forget", "Remove items, a document, a thread, receipts or a whole space for good"),
    ("doc", "Look at documents and their versions"),
    ("thread", "Look at conversations and their messages"),
    ("space", "Look at spaces"),
    ("models", "Look at the configured models, and try the language model"),
];

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The space to work in, such as user:ada, shared:handbook or project:x [default: user:default]
    #[arg(long, global = true, value_name = "KIND:NAME", conflicts_with = "user")]
    space: Option<String>,
    /// Short for --space user:ID
    #[arg(long, alias = "user-id", global = true, value_name = "ID")]
    user: Option<String>,
    /// The database: sqlite:PATH, postgres://… or mysql://…, without its password [default: sqlite:recordar.db]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Ask for the database's password on the terminal
    #[arg(long, short = 'W', global = true)]
    ask_password: bool,
    #[arg(skip)]
    password: Option<Password>,
    /// The configuration file [default: recordar.toml here or in a folder above]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Work as if started in this folder
    #[arg(long, short = 'C', global = true, value_name = "FOLDER")]
    directory: Option<PathBuf>,
    /// Print one JSON document instead of text for people
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
        .about("Memory for LLM applications that can say why")
        .after_help(EXIT_CODES)
        .max_term_width(110)
        .subcommand_required(true)
        .arg_required_else_help(true);
    let mut names: Vec<&str> = COMMANDS.iter().map(|spec| spec.path[0]).collect();
    names.dedup();
    // What is below a word is made when it is needed: a command should start at once.
    let below = |name: &'static str| Command::new(name).about(about(name)).defer(build);
    Global::augment_args(command).subcommands(names.into_iter().map(below))
}

fn about(name: &str) -> String {
    let group = GROUPS.iter().find(|(group, _)| *group == name).map(|(_, about)| *about);
    let own = || COMMANDS.iter().find(|spec| spec.path == [name]).map(|spec| spec.about);
    let about = group.or_else(own).unwrap_or_default();
    about.strip_suffix('.').unwrap_or(about).to_owned()
}

/// A command with its options, and with those that are below it.
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

/// The command that was called, and what was said to it.
pub(crate) fn called(matches: &ArgMatches) -> Option<(&'static Spec, &ArgMatches)> {
    let (mut path, mut matches) = (Vec::new(), matches);
    while let Some((name, below)) = matches.subcommand() {
        // The rest is the command's own.
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
    /// The same with the space named by the command itself.
    pub(crate) fn with_space(&self, name: &str) -> Self {
        Self { space: Some(name.to_owned()), user: None, ..self.clone() }
    }

    pub(crate) fn names_space(&self) -> bool {
        self.space.is_some() || self.user.is_some()
    }

    /// What has to be done before anything else: going to the folder, and asking for the password.
    pub(crate) fn settle(&mut self, output: &Output) -> Result<(), Error> {
        if let Some(folder) = &self.directory {
            std::env::set_current_dir(folder).map_err(|error| {
                let what = format!("the folder {} cannot be worked in: {error}", folder.display());
                Error::input("no_folder", what, "check the path behind --directory")
            })?;
        }
        if self.ask_password {
            self.password = Some(password::ask()?);
        }
        let url = self.database.as_ref().and_then(|url| DatabaseUrl::parse(url, Path::new("")).ok());
        if url.is_some_and(|url| url.holds_password()) {
            output.warn(
                "warning: every user of this machine can see the password behind --database while the command runs; set \
                 RECORDAR_DATABASE, or leave the password out and use --ask-password or RECORDAR_DATABASE_PASSWORD_FILE",
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
