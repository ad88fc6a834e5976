//! `recordar why`: the context of a receipt, made again, and whether it is the same.

use super::explain::show_trace;
use super::{Outcome, open};
use crate::arguments::{Global, Why};
use crate::output::{Output, plural};
use recordar::Error;

pub(crate) fn run(why: &Why, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, space) = open(global)?;
    let result = memory.why(&space, &why.receipt)?;
    output.result(&result, |output| {
        output.raw(&result.text);
        if let Some(answer) = &result.answer {
            output.line(&format!("\n### Answer\n{}", answer.answer));
            let maker = answer.model.as_deref().unwrap_or("stored words, chosen by rules");
            output.hint(&format!("answered by {maker}, citing {:?}; no model was asked now", answer.citations));
        }
        if why.explain {
            show_trace(&result.body.trace, output);
        }
        let body = &result.body;
        output.hint(&format!(
            "receipt {} of {}: {} for {:?}",
            result.receipt,
            body.made_at,
            plural(body.memories.len() as u64, "memory"),
            body.query,
        ));
        if result.identical {
            output.hint("byte-identical to what was recalled then");
        }
        result.differences.iter().for_each(|difference| output.warn(&format!("not identical: {difference}")));
    });
    Ok(if result.identical { Outcome::Done } else { Outcome::Failed })
}
