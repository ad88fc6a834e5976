//! `recordar why-not`: the stage at which a recall dropped an item, and the settings that would include it.

use super::explain::{show_parts, show_trace};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::Output;
use recordar::Error;
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::WhyNot>(&["why-not"], run)
    .positional(&["item", "query"])
    .with(|command| command.arg(flag("explain", "Show what each stage kept or dropped")));

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::WhyNot>(|result, output| show(result, session.has("explain"), output))
}

fn show(result: &recordar::why_not::WhyNot, explain: bool, output: &Output) {
    let recordar::why_not::WhyNot { item_id, reason, changes, advice, .. } = result;
    match result.stage {
        None => output.line(&format!("item {item_id} is not missing: {reason}")),
        Some(stage) => output.line(&format!("item {item_id} is not in the context: {reason} (stage {})", stage.name())),
    }
    if let (Some(rank), Some(score)) = (result.rank, result.score) {
        output.line(&format!("rank {rank} among all stored items, score {score:.4}"));
    }
    if let (Some(rank), Some(view)) = (result.reranked, &result.rerank) {
        output.line(&format!("rank {rank} after reranking, score {:.4}", view.score));
    }
    if let Some(parts) = &result.parts {
        show_parts(parts, output);
    }
    if !changes.is_empty() {
        let changes: Vec<String> =
            changes.iter().map(|change| format!("--{} {}", change.setting.replace('_', "-"), change.value)).collect();
        output.line(&format!("it would be included with {}", changes.join(" ")));
    } else if result.stage.is_some() {
        output.line(advice);
    }
    if explain {
        show_trace(&result.trace, output);
    }
}
