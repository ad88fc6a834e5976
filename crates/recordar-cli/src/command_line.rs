//! The whole command line, made from the table of commands, and which of them was called.

use crate::arguments::{Global, Spec};
use crate::command::COMMANDS;
use clap::{ArgMatches, Args, Command};

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
