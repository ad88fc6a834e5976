//! `recordar search`: the best items or threads for a question, with a bar for each part of the score.

use super::explain::{
    hint_at_nothing, reranking_time, show_confidence, show_parts, show_rerank, show_rerank_problem, show_trace,
    show_words,
};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::Output;
use recordar::Error;
use recordar::search::{SearchReply, SearchResult, SearchTiming, ThreadSearchResult};
use recordar::trace::Trace;
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Search>(&["search"], run)
    .positional(&["query"])
    .with(|command| command.arg(flag("explain", "Show the contribution of each word and the decisions of each stage")));

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let explain = session.has("explain");
    session.print::<verbs::Search>(|reply, output| match reply {
        SearchReply::Items(result) => show_items(result, explain, output),
        SearchReply::Threads(result) => show_threads(result, explain, output),
    })
}

fn show_items(result: &SearchResult, explain: bool, output: &Output) {
    for (rank, hit) in (1..).zip(&result.hits) {
        let place = hit.item.document_name.clone().or_else(|| hit.item.document.clone());
        let place = place.or_else(|| hit.item.thread.as_ref().map(|thread| format!("thread {thread}")));
        let who = hit.item.speaker.as_deref().or(hit.item.role.as_deref()).map(str::to_owned);
        let when = Some(hit.item.occurred_at.to_string().chars().take(10).collect());
        let space = (result.spaces.len() > 1).then(|| hit.item.space.clone());
        let about = [space, place, hit.item.section.clone(), who, when].into_iter().flatten();
        let about: String = about.map(|part| format!(" · {part}")).collect();
        output.line(&format!("{rank:>2}. {:.3}  item {}{about}", hit.score, hit.item.item_id));
        show_rerank(hit.rerank.as_ref(), output);
        show_parts(&hit.parts, output);
        if explain {
            show_words(&hit.words, output);
        }
        output.line(&format!("    {}\n", hit.snippet));
    }
    show_confidence(&result.confidence, output);
    show_rerank_problem(result.rerank_problem.as_ref(), output);
    finish(result.hits.is_empty(), &result.trace, result.timing, explain, output);
}

fn show_threads(result: &ThreadSearchResult, explain: bool, output: &Output) {
    for (rank, hit) in (1..).zip(&result.threads) {
        let name = match (&hit.thread, &hit.document) {
            (Some(thread), _) => format!("thread {thread}"),
            (None, Some(document)) => document.clone(),
            (None, None) => format!("item {}", hit.best_item_id),
        };
        let space = if result.spaces.len() > 1 { format!(" · {}", hit.space) } else { String::new() };
        output.line(&format!("{rank:>2}. {:.3}  {name}{space}", hit.score));
        show_rerank(hit.rerank.as_ref(), output);
        show_parts(&hit.parts, output);
        output.line(&format!("    item {}: {}\n", hit.best_item_id, hit.snippet));
    }
    show_confidence(&result.confidence, output);
    show_rerank_problem(result.rerank_problem.as_ref(), output);
    finish(result.threads.is_empty(), &result.trace, result.timing, explain, output);
}

fn finish(is_empty: bool, trace: &Trace, timing: SearchTiming, explain: bool, output: &Output) {
    if is_empty {
        output.line("nothing was found");
    }
    hint_at_nothing(trace, output);
    if explain {
        show_trace(trace, output);
    }
    output.hint(&format!("searched in {:.1} ms{}", timing.total_ms, reranking_time(timing.rerank_ms)));
}
