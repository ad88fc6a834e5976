//! `recordar operation`: shows the outcome of an operation.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::Output;
use recordar::Error;
use recordar::operation::OperationView;
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Operation>(&["operation"], run).positional(&["operation"]);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Operation>(|views, output| views.iter().for_each(|view| show(view, output)))
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
