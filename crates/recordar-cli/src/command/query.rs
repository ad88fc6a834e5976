//! `recordar query`: finds chunks for a question by descending the category tree.

use super::ask::hint_at_model;
use super::explain::{reranking_time, show_confidence, show_dropped, show_rerank_problem, show_trace};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use recordar::Error;
use recordar::model::Method;
use recordar::query::{QueryResult, SelectResponse};
use recordar::search::RerankView;
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Query>(&["query"], run)
    .positional(&["query"])
    .with(|command| command.arg(flag("explain", "Show every model call, and what each stage kept or dropped and why")));

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    if !arguments.contains_key("after") {
        hint_at_model(session.memory()?, session.output);
    }
    session.print::<verbs::Query>(|result, output| show(result, session.has("explain"), output))
}

fn show(result: &QueryResult, explain: bool, output: &Output) {
    let mut path: Option<&Vec<String>> = None;
    for chunk in &result.chunks {
        if path != Some(&chunk.category_path) {
            output.line(&format!("{} (rank {})", chunk.category_path.join(" > "), chunk.ranked_relevance));
            path = Some(&chunk.category_path);
        }
        let section = chunk.section.as_ref().map_or(String::new(), |section| format!(", {section}"));
        output.line(&format!("  chunk {} of {}{section}, {}", chunk.chunk_id, chunk.document, chunk.created_at));
        match &chunk.rerank {
            Some(RerankView { judge: Some(judge), search, score, .. }) => {
                output.line(&format!("    score {score:.3}: judge {judge:.3}, search {search:.3}"));
            }
            Some(_) => output.line("    not judged"),
            None => {}
        }
        chunk.text_content.lines().for_each(|line| output.line(&format!("    {line}")));
    }
    for error in &result.errors {
        output.warn(&format!("{}: {}", error.category_path.join(" > "), error.what));
    }
    show_dropped(&result.dropped_paths, output);
    if explain {
        result.responses.iter().for_each(|response| output.line(&selection(response)));
        show_trace(&result.trace, output);
    }
    let (chunks, paths) = (plural(result.chunks.len() as u64, "chunk"), plural(result.paths.len() as u64, "path"));
    let by = match (result.method, &result.model_problem) {
        (Method::Model, _) => "chosen by the model".to_owned(),
        (_, Some(problem)) => {
            format!("chosen by built-in rules: the model did not answer ({})\n  try: {}", problem.what, problem.remedy)
        }
        (Method::BuiltIn, None) => "chosen and ranked by a search: no language model is configured".to_owned(),
        (Method::Nothing, None) => "there was nothing to choose from".to_owned(),
    };
    show_confidence(&result.confidence, output);
    show_rerank_problem(result.rerank_problem.as_ref(), output);
    let judging = reranking_time(result.rerank_ms);
    output.warn(&format!("{chunks} on {paths}, {by}; {:.0} ms{judging}", result.total_latency));
    if let Some(next) = &result.next {
        output.hint(&format!("{} more: add --after '{next}'", plural(result.more.unwrap_or(0), "chunk")));
    }
}

fn selection(response: &SelectResponse) -> String {
    let selected: Vec<String> = response
        .llm_output
        .iter()
        .map(|selected| format!("{} ({})", selected.category, selected.ranked_relevance))
        .collect();
    let who = response.model.as_deref().unwrap_or("built in");
    let under = if response.under.is_empty() { "the root".to_owned() } else { response.under.join(" > ") };
    format!(
        "level {} under {under}: {}; {who}, {} + {} tokens, {:.0} ms, {}",
        response.level,
        selected.join(", "),
        response.tokens_prompt,
        response.tokens_completion,
        response.latency_ms,
        response.outcome
    )
}
