//! The `recordar` command: it turns arguments into calls of the engine and results into text. It decides nothing.

mod arguments;
mod bench;
mod command;
mod command_line;
mod interrupt;
mod outcome;
mod output;
mod progress;

use arguments::Global;
use clap::FromArgMatches;
use outcome::Outcome;
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        output::complain(&format!(
            "this is a bug in Recordar ({place}), not a mistake of yours; no partial data was stored"
        ));
        output::complain("  please report it, with the command you ran");
    }));
    let matches = match command_line::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return output::misused(&error),
    };
    let (Ok(mut global), Some((spec, given))) = (Global::from_arg_matches(&matches), command_line::called(&matches))
    else {
        return Outcome::Misused.into();
    };
    // A server's standard output belongs to the protocol, even if the server fails to start.
    let is_json = global.json && spec.path != ["mcp"];
    let output = Output::new(is_json, global.quiet);
    match global.prepare(&output).and_then(|()| spec.run(given, &global, &output)) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            output.error(&error);
            Outcome::of_error(&error).into()
        }
    }
}
