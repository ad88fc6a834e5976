//! `recordar mcp`: serves agents. Standard output belongs to the protocol; everything else goes to standard error.

use super::metrics::rows;
use crate::arguments::{Mcp, Session, Spec, open};
use crate::outcome::Outcome;
use clap::Args;
use recordar::{Error, SpaceName};
use recordar_mcp::Settings;
use std::io::IsTerminal;

pub(crate) const COMMAND: Spec = Spec::own(
    &["mcp"],
    "Run a Model Context Protocol (MCP) server on standard input and output",
    Mcp::augment_args,
    run,
);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let mcp: Mcp = session.own()?;
    let also = mcp.also.iter().map(|name| SpaceName::parse(name)).collect::<Result<Vec<_>, _>>()?;
    let (engine, space) = open(&session.global)?;
    if std::io::stdin().is_terminal() {
        session.output.hint(
            "waiting for MCP messages on standard input; register a client with `recordar install`, or stop with Ctrl-D",
        );
    }
    recordar_mcp::serve(engine.clone(), Settings { space, also, read_only: mcp.read_only, account: None, stop: None })?;
    let metrics = engine.metrics();
    if metrics.retrieval.latency_ms.count > 0 {
        let line = |row: Vec<String>| format!("{}: count {}, mean {}, most {}", row[0], row[1], row[2], row[3]);
        rows(&metrics).for_each(|row| session.output.hint(&line(row)));
    }
    Ok(Outcome::Done)
}
