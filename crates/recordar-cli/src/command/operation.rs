//! `recordar operation`: what became of an operation.

use super::{Outcome, open};
use crate::arguments::{Global, OperationArgs};
use crate::output::Output;
use recordar::{Error, OperationId, OperationView};

pub(crate) fn run(arguments: &OperationArgs, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, space) = open(global)?;
    let views = memory.operation(&space, &OperationId::parse(&arguments.id)?)?;
    output.result(&views, |output| views.iter().for_each(|view| show(view, output)));
    Ok(Outcome::Done)
}

fn show(view: &OperationView, output: &Output) {
    let revision = view.revision.map(|revision| format!(", revision {revision}")).unwrap_or_default();
    output.line(&format!("{} {}: {} at {}{revision}", view.kind, view.operation, view.state, view.recorded_at));
    if let Some(result) = &view.result {
        output.line(&format!("  result: {result}"));
    }
    if let Some(error) = &view.error {
        output.line(&format!("  error: {error}"));
    }
}
