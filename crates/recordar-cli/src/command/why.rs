//! `recordar why`: rebuilds the context of a receipt and says whether it is the same.

use super::explain::show_trace;
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::plural;
use recordar::Error;
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Why>(&["why"], run)
    .positional(&["receipt"])
    .with(|command| command.arg(flag("explain", "Show what each stage kept or dropped at the time")));

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let result = session.call::<verbs::Why>(session.arguments()?)?;
    session.output.result(&result, |output| {
        if result.text.is_empty() || result.text.ends_with('\n') {
            output.raw(&result.text);
        } else {
            output.line(&result.text);
        }
        let sent = result.body.compose.as_ref().and_then(|compose| compose.sent.as_ref());
        if let Some(edited) = sent.and_then(|sent| sent.edited.as_ref()) {
            output.line(&format!("\n### Edited: this was sent instead\n{edited}"));
        }
        if let Some(answer) = &result.answer {
            output.line(&format!("\n### Answer\n{}", answer.answer));
            let maker = answer.model.as_deref().unwrap_or("built-in rules, from stored text");
            output.hint(&format!(
                "answered by {maker}, citing {:?}; no model was called to reproduce it",
                answer.citations
            ));
        }
        if session.has("explain") {
            show_trace(&result.body.trace, output);
        }
        let body = &result.body;
        let tree = body.answer.as_ref().and_then(|answer| answer.tree.as_ref());
        let (shown, original) = match (tree, &body.compose) {
            (Some(tree), _) => (plural(tree.chunks.len() as u64, "chunk"), "prompt"),
            (None, Some(compose)) => (plural(compose.texts.len() as u64, "quoted text"), "prompt"),
            (None, None) => (plural(body.memories.len() as u64, "memory"), "recall"),
        };
        output.hint(&format!("receipt {}, made at {}: {} for {:?}", result.receipt, body.made_at, shown, body.query,));
        if result.identical {
            output.hint(&format!("byte-identical to the original {original}"));
        }
        result.differences.iter().for_each(|difference| output.warn(&format!("not identical: {difference}")));
    });
    Ok(if result.identical { Outcome::Done } else { Outcome::Failed })
}
