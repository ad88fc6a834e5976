//! Explanations as text: the parts of a score as bars, the contribution of each word, and the decisions of each stage.

use crate::output::Output;
use recordar::model::ModelProblem;
use recordar::query::DroppedPath;
use recordar::search::{Evidence, JudgeConfidence, RerankView, WordView};
use recordar::trace::{Action, Trace};

const BAR_WIDTH: usize = 24;

pub(crate) fn show_parts(parts: &Evidence, output: &Output) {
    let named = [
        ("keyword", parts.keyword),
        ("semantic", parts.semantic),
        ("neighbours", parts.neighbours),
        ("thread", parts.thread),
        ("speaker", parts.speaker),
        ("time", parts.period),
    ];
    for (name, value) in named.into_iter().filter(|(_, value)| *value >= 0.0005) {
        output.line(&format!("    {name:<10} {} {value:.3}", bar(value)));
    }
}

/// What reranking made of a result, if it was on.
pub(crate) fn show_rerank(rerank: Option<&RerankView>, output: &Output) {
    match rerank {
        Some(RerankView { judge: Some(judge), search, item_id, .. }) => {
            let turn = item_id.map_or(String::new(), |id| format!(" for item {id}"));
            output.line(&format!("    judge {judge:.3}{turn}, search {search:.3}, which is:"));
        }
        Some(_) => output.line("    not judged"),
        None => {}
    }
}

/// That the reranker finds nothing that answers.
pub(crate) fn show_confidence(confidence: &JudgeConfidence, output: &Output) {
    if let JudgeConfidence { enough: Some(false), best: Some(best), least: Some(least), .. } = confidence {
        output.hint(&format!(
            "probably nothing stored answers this: the reranker rates the best candidate {best:.3}; at least {least} is needed"
        ));
    }
}

/// Why the configured model did not rerank: shown even with `--quiet`.
pub(crate) fn show_rerank_problem(problem: Option<&ModelProblem>, output: &Output) {
    if let Some(ModelProblem { what, remedy, .. }) = problem {
        output.warn(&format!("not reranked: {what}\n  try: {remedy}"));
    }
}

/// How much of the time reranking took, if it was on.
pub(crate) fn reranking_time(rerank_ms: Option<f64>) -> String {
    rerank_ms.map_or(String::new(), |ms| format!(", {ms:.1} ms of it for reranking"))
}

pub(crate) fn show_words(words: &[WordView], output: &Output) {
    for word in words.iter().filter(|word| word.own > 0.0 || word.place > 0.0) {
        let place = if word.place > 0.0 { format!(", {:.3} from its context", word.place) } else { String::new() };
        output.line(&format!("      {} ({} ×): {:.3}{place}", word.word, word.count, word.own));
    }
}

pub(crate) fn show_trace(trace: &Trace, output: &Output) {
    for stage in &trace.stages {
        output.line(&format!("{}:", stage.name));
        if stage.decisions.is_empty() {
            output.line("  no decisions");
        }
        for decision in &stage.decisions {
            let action = format!("{:?}", decision.action).to_lowercase();
            output.line(&format!("  {}: {action} [{}] {}", decision.subject, decision.reason, decision.detail));
        }
    }
}

pub(crate) fn show_dropped(dropped: &[DroppedPath], output: &Output) {
    for path in dropped {
        output.warn(&format!("dropped: {} [{}] {}", path.category_path.join(" > "), path.reason, path.detail));
    }
}

pub(crate) fn hint_at_nothing(trace: &Trace, output: &Output) {
    let decisions = trace.stages.iter().flat_map(|stage| &stage.decisions);
    for missing in decisions.filter(|decision| decision.reason == "no_such_space") {
        output.hint(&format!("there is no space {}; `recordar space list` shows all spaces", missing.subject));
    }
    let filtered = trace.stages.iter().filter(|stage| stage.name == "filter").flat_map(|stage| &stage.decisions);
    for nothing in filtered.filter(|decision| decision.action == Action::Dropped) {
        output.hint(&format!(
            "{}: {}; `recordar item list` and `recordar doc list` show what there is",
            nothing.subject, nothing.detail
        ));
    }
}

/// A bar for a fraction of 1, in eighths of a character.
fn bar(value: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = ((value.clamp(0.0, 1.0) * (BAR_WIDTH * 8) as f64).round() as usize).max(1);
    let (full, rest) = (eighths / 8, eighths % 8);
    let drawn = full + usize::from(rest > 0);
    format!("{}{}{}", "█".repeat(full), EIGHTHS[rest], "·".repeat(BAR_WIDTH - drawn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_part() {
        assert_eq!(bar(1.0), "█".repeat(24));
        assert_eq!(bar(0.5), format!("{}{}", "█".repeat(12), "·".repeat(12)));
        assert_eq!(bar(0.0001), format!("▏{}", "·".repeat(23)));
    }
}
