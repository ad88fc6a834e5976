//! The `recordar` command: it translates words into calls of the engine, and results into words. It decides nothing.

mod arguments;
mod bench;
mod command;
mod output;

use arguments::{Arguments, Command};
use clap::Parser;
use command::Outcome;
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        output::complain(&format!(
            "this is a mistake in Recordar ({place}), not in what you did. Nothing half-done was kept."
        ));
        output::complain("  please report it with the command you ran");
    }));
    let arguments = Arguments::parse();
    // Standard output of a server is the protocol's, also when it cannot be started.
    let is_json = arguments.global.json && !matches!(arguments.command, Command::Mcp(_));
    let output = Output::new(is_json, arguments.global.quiet);
    match run(arguments, &output) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            output.error(&error);
            Outcome::of_error(&error).into()
        }
    }
}

fn run(arguments: Arguments, output: &Output) -> Result<Outcome, recordar::Error> {
    let global = &arguments.global;
    match arguments.command {
        Command::Init(init) => command::init::run(&init, output),
        Command::Ingest(ingest) => command::ingest::run(&ingest, global, output),
        Command::Remember(remember) => command::remember::run(&remember, global, output),
        Command::Recall(recall) => command::recall::run(&recall, global, output),
        Command::Query(query) => command::query::run(&query, global, output),
        Command::Ask(ask) => command::ask::run(&ask, global, output),
        Command::Why(why) => command::why::run(&why, global, output),
        Command::WhyNot(why_not) => command::why_not::run(&why_not, global, output),
        Command::Receipts(receipts) => command::receipts::run(&receipts, global, output),
        Command::Search(search) => command::search::run(&search, global, output),
        Command::Forget(forget) => command::forget::run(&forget, global, output),
        Command::Doc(doc) => command::doc::run(&doc, global, output),
        Command::Tree(tree) => command::tree::run(&tree, global, output),
        Command::Classify(classify) => command::tree::classify(&classify, global, output),
        Command::Helper(helper) => command::contextual_helper::run(&helper, global, output),
        Command::Thread(thread) => command::thread::run(&thread, global, output),
        Command::Space(space) => command::space::run(&space, global, output),
        Command::Operation(operation) => command::operation::run(&operation, global, output),
        Command::Export(export) => command::transfer::export(&export, global, output),
        Command::Import(import) => command::transfer::import(&import, global, output),
        Command::Backup(backup) => command::transfer::backup(&backup, global, output),
        Command::Restore(restore) => command::transfer::restore(&restore, global, output),
        Command::Mcp(mcp) => command::mcp::run(&mcp, global, output),
        Command::Install(install) => command::install::run(&install, global, output),
        Command::Models(models) => command::models::run(&models, global, output),
        Command::Doctor => command::doctor::run(global, output),
        Command::Eval(eval) => command::eval::run(&eval, global, output),
        Command::Bench(bench) => bench::run(&bench, output),
    }
}
