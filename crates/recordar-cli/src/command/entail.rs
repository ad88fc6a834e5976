//! `recordar entail`: whether a statement follows from a passage.

use super::ask::hint_at_model;
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::Output;
use recordar::Error;
use recordar::model::{Entailed, EntailmentView, Method};
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Entail>(&["entail"], run).positional(&["passage", "statement"]);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    hint_at_model(session.memory()?, session.output);
    session.print::<verbs::Entail>(show)
}

fn show(entailed: &Entailed, output: &Output) {
    let EntailmentView { entailment, neutral, contradiction } = entailed.probabilities;
    output.line(entailed.relation);
    output.line(&format!("  entailment {entailment:.3}, neutral {neutral:.3}, contradiction {contradiction:.3}"));
    if let Some(problem) = &entailed.model_problem {
        output.warn(&format!("the model did not answer ({}); the built-in judge did", problem.what));
        output.warn(&format!("  try: {}", problem.remedy));
    } else if entailed.method == Method::BuiltIn {
        output.hint("judged by the built-in model");
    }
}
