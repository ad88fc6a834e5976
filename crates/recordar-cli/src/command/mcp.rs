//! Serves agents. Standard output belongs to the protocol; whatever else there is to say goes to standard error.

use crate::arguments::{Global, Mcp};
use crate::command::{Outcome, open};
use crate::output::Output;
use recordar::{Error, SpaceName};
use recordar_mcp::Settings;
use std::io::IsTerminal;

pub(crate) fn run(mcp: &Mcp, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let also = mcp.also.iter().map(|name| SpaceName::parse(name)).collect::<Result<Vec<_>, _>>()?;
    let (engine, space) = open(global)?;
    if std::io::stdin().is_terminal() {
        output.hint(
            "this speaks MCP on standard input; register it with a client by `recordar install`, or end it with Ctrl-D",
        );
    }
    recordar_mcp::serve(engine, Settings { space, also, read_only: mcp.read_only })?;
    Ok(Outcome::Done)
}
