//! The command line: built from the table of commands. And the command that was called.

use crate::arguments::{Global, Spec};
use crate::command::COMMANDS;
use clap::{ArgMatches, Args, Command};

const EXIT_CODES: &str = "Exit codes: 0 success; 1 failure; 2 invalid command line or configuration; \
3 partial success (some files failed; the others were stored).";

/// Commands that only group subcommands.
const GROUPS: [(&str, &str); 17] = [
    ("receipts", "List, show, export and import receipts of recalls and answers"),
    ("forget", "Remove items, a document, a thread, receipts or a whole space for good"),
    ("expiry", "Say when threads, items or documents with a tag are to be forgotten"),
    ("doc", "List, show and compare documents and their versions"),
    ("thread", "List threads and show their messages"),
    ("item", "Show or change an item, see its history, and list items such as facts"),
    ("facts", "Show what holds, since when and who said so, and correct it"),
    ("summaries", "Show and make summaries of old messages"),
    ("rules", "Show and set the rules of a space, and see their earlier versions"),
    ("project", "Show and set what is known about the project"),
    ("synonyms", "Show and set words that mean the same"),
    ("record", "Store, show, list and delete records: values that applications keep"),
    ("space", "List spaces"),
    ("vocab", "Show and change the vocabulary that messages are labelled with"),
    ("queue", "Show the jobs of the queue, and retry or cancel them"),
    ("keys", "Make, list and revoke API keys of the server"),
    ("models", "Show, add and check models, and test the language model"),
];

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
