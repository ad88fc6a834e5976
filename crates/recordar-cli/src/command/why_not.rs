//! `recordar why-not`: where an item fell out of a recall, and what would have let it in.

use super::explain::{show_parts, show_trace};
use super::recall::request;
use super::{Outcome, open, spaces};
use crate::arguments::{Global, WhyNot};
use crate::output::Output;
use recordar::Error;

pub(crate) fn run(why_not: &WhyNot, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let request = request(&why_not.query, &why_not.options)?;
    let (memory, space) = open(global)?;
    let spaces = spaces(space.clone(), &why_not.options.also)?;
    let result = memory.why_not(&spaces, (&space, why_not.item), &request)?;
    output.result(&result, |output| show(&result, why_not.explain, output));
    Ok(Outcome::Done)
}

fn show(result: &recordar::WhyNot, explain: bool, output: &Output) {
    let recordar::WhyNot { item_id, reason, changes, advice, .. } = result;
    match result.stage {
        None => output.line(&format!("item {item_id} is not missing: {reason}")),
        Some(stage) => output.line(&format!("item {item_id} fell out at the stage {}: {reason}", stage.name())),
    }
    if let (Some(rank), Some(score)) = (result.rank, result.score) {
        output.line(&format!("rank {rank} of all that is stored, score {score:.4}"));
    }
    if let Some(parts) = &result.parts {
        show_parts(parts, output);
    }
    if !changes.is_empty() {
        let changes: Vec<String> =
            changes.iter().map(|change| format!("--{} {}", change.setting.replace('_', "-"), change.value)).collect();
        output.line(&format!("it would be in with {}", changes.join(" ")));
    } else if result.stage.is_some() {
        output.line(advice);
    }
    if explain {
        show_trace(&result.trace, output);
    }
}
