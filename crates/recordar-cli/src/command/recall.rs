//! `recordar recall`: the context for a question, and with `--explain` the reason for every part of it.

use super::explain::{
    hint_at_nothing, reranking_time, show_confidence, show_parts, show_rerank, show_rerank_problem, show_trace,
    show_words,
};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use recordar::Error;
use recordar::recall::{CandidateView, RecallProblem, RecallResult};
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Recall>(&["recall"], run).positional(&["query"]).with(|command| {
    let help = "Show the candidates with the parts of their scores, and what each stage kept or dropped and why";
    command.arg(flag("explain", help))
});

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let result = session.call::<verbs::Recall>(session.arguments()?)?;
    session.output.result(&result, |output| show(&result, session.has("explain"), output));
    Ok(result.problem.as_ref().map_or(Outcome::Done, |problem| match problem.code {
        RecallProblem::STORE_UNAVAILABLE => Outcome::Failed,
        RecallProblem::INVALID_QUERY => Outcome::Misused,
        _ => Outcome::Done,
    }))
}

fn show(result: &RecallResult, explain: bool, output: &Output) {
    output.raw(&result.text);
    if !result.text.is_empty() && !result.text.ends_with('\n') {
        output.raw("\n");
    }
    if let Some(RecallProblem { message, detail, remedy, .. }) = &result.problem {
        output.warn(&format!("{message}: {detail}"));
        output.warn(&format!("  try: {remedy}"));
    } else if let Some(rule) = result.skipped {
        output.hint(&format!("no search was made: {rule} in the request prevents it"));
    } else if result.memories.is_empty() {
        output.hint(&nothing_found(result));
    }
    if explain {
        output.line("candidates:");
        result.candidates.iter().for_each(|candidate| show_candidate(candidate, output));
        show_trace(&result.trace, output);
    }
    hint_at_nothing(&result.trace, output);
    show_confidence(&result.confidence, output);
    show_rerank_problem(result.rerank_problem.as_ref(), output);
    if result.not_found() > 0 {
        let count = plural(result.not_found() as u64, "more message");
        output.hint(&format!(
            "and {count} that the search did not find: the chat is small, so the rest of it is shown too"
        ));
    }
    let cached = if result.timing.cached { ", from the cache" } else { "" };
    let judging = reranking_time(result.timing.rerank_ms);
    output.hint(&format!(
        "{} of {} candidates, {} tokens, {:.1} ms{judging}{cached}",
        plural((result.memories.len() - result.not_found()) as u64, "memory"),
        result.metadata.total_results,
        result.metadata.total_tokens,
        result.timing.query_time,
    ));
    if let Some(receipt) = &result.receipt {
        output.warn(&format!("receipt {receipt}: verify it with `recordar why {receipt}`"));
    }
}

fn nothing_found(result: &RecallResult) -> String {
    let min_score = result.metadata.config.min_score;
    match result.candidates.first() {
        // `show_confidence` says it.
        Some(_) if result.confidence.says_no() => "nothing was recalled".to_owned(),
        Some(best) if best.score < min_score => format!(
            "nothing relevant enough was found: the best of {} candidates scores {:.3}, below --min-score {min_score}",
            result.candidates.len(),
            best.score,
        ),
        _ => "nothing was found".to_owned(),
    }
}

fn show_candidate(candidate: &CandidateView, output: &Output) {
    let CandidateView { space, item_id, rank, score, parts, words, rerank, staged, .. } = candidate;
    output.line(&format!("{rank:>3}. {score:.3}  {space} item {item_id}"));
    if let Some(staged) = staged {
        output.line(&format!(
            "       {}: topics {:.1}, entities {:.1}, recency {:.1}, importance {:.1}, times {} and {}",
            staged.source.name(),
            staged.topics,
            staged.entities,
            staged.recency,
            staged.importance,
            staged.source_boost,
            staged.tier_boost
        ));
        return;
    }
    show_rerank(rerank.as_ref(), output);
    show_parts(parts, output);
    show_words(words, output);
}
