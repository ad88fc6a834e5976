//! `recordar recall`: the context for a question, and with `--explain` the reason for every piece.

use super::explain::{hint_at_missing_spaces, show_parts, show_trace, show_words};
use super::{Outcome, open, spaces, time};
use crate::arguments::{Global, Recall, RecallOptions};
use crate::output::{Output, plural};
use recordar::{
    Authority, CandidateView, Error, Interleaving, RecallOverrides, RecallProblem, RecallRequest, RecallResult,
    Strategy,
};

pub(crate) fn run(recall: &Recall, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let request = RecallRequest {
        use_memory: recall.use_memory,
        session_id: recall.session_id.clone(),
        receipt: recall.receipt,
        ..request(&recall.query, &recall.options)?
    };
    let (memory, space) = open(global)?;
    let result = memory.recall(&spaces(space, &recall.options.also)?, &request)?;
    output.result(&result, |output| show(&result, recall.explain, output));
    Ok(result.problem.as_ref().map_or(Outcome::Done, |problem| match problem.code {
        RecallProblem::STORE_UNAVAILABLE => Outcome::Failed,
        RecallProblem::INVALID_QUERY => Outcome::Misused,
        _ => Outcome::Done,
    }))
}

/// Who works at the command line has the database and the configuration in hand: the administrator's ranges hold.
pub(super) fn request(query: &str, options: &RecallOptions) -> Result<RecallRequest, Error> {
    let strategy = options.interleaving.as_deref().map(Strategy::parse).transpose()?;
    let settings = RecallOverrides {
        top_k: options.top_k,
        clip_sentences: options.clip_sentences,
        max_tokens: options.max_tokens,
        search_type: options.search_type.map(Into::into),
        min_score: options.min_score,
        enable_redaction: options.enable_redaction,
        custom_redaction_patterns: options.custom_redaction_patterns.clone(),
        interleaving: strategy.map(|strategy| Interleaving { strategy, ratio: options.interleaving_ratio }),
    };
    Ok(RecallRequest {
        settings,
        authority: Authority::Administrator,
        asked_at: time(options.asked_at.as_deref())?,
        as_of: time(options.as_of.as_deref())?,
        ..RecallRequest::new(query)
    })
}

fn show(result: &RecallResult, explain: bool, output: &Output) {
    output.raw(&result.text);
    if let Some(RecallProblem { message, detail, remedy, .. }) = &result.problem {
        output.warn(&format!("{message}: {detail}"));
        output.warn(&format!("  {remedy}"));
    } else if let Some(rule) = result.skipped {
        output.hint(&format!("nothing was searched, because of {rule}"));
    } else if result.memories.is_empty() {
        output.hint(&nothing_found(result));
    }
    if explain {
        output.line("candidates:");
        result.candidates.iter().for_each(|candidate| show_candidate(candidate, output));
        show_trace(&result.trace, output);
    }
    hint_at_missing_spaces(&result.trace, output);
    let cached = if result.timing.cached { ", from the cache" } else { "" };
    output.hint(&format!(
        "{} of {} candidates, {} tokens, {:.1} ms{cached}",
        plural(result.memories.len() as u64, "memory"),
        result.metadata.total_results,
        result.metadata.total_tokens,
        result.timing.query_time,
    ));
    if let Some(receipt) = &result.receipt {
        output.warn(&format!("receipt {receipt}: `recordar why {receipt}` proves it"));
    }
}

fn nothing_found(result: &RecallResult) -> String {
    let min_score = result.metadata.config.min_score;
    match result.candidates.first() {
        Some(best) if best.score < min_score => format!(
            "nothing is near enough to the question: the best of {} scores {:.3}, and --min-score is {min_score}",
            result.candidates.len(),
            best.score,
        ),
        _ => "nothing was found".to_owned(),
    }
}

fn show_candidate(candidate: &CandidateView, output: &Output) {
    let CandidateView { space, item_id, rank, score, parts, words, .. } = candidate;
    output.line(&format!("{rank:>3}. {score:.3}  {space} item {item_id}"));
    show_parts(parts, output);
    show_words(words, output);
}
