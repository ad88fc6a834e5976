//! `recordar ask`: an answer with its citations, and with `--explain` everything it was made from.

use super::explain::{hint_at_nothing, reranking_time, show_confidence, show_dropped, show_rerank_problem, show_trace};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use recordar::answer::{AskResult, Citation, Excerpt, Route};
use recordar::facts::FactView;
use recordar::model::{CallReport, Estimate, Method, usd};
use recordar::verb::verbs;
use recordar::{Error, Recordar};
use std::io::IsTerminal;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Ask>(&["ask"], run).positional(&["query"]).with(|command| {
    let help = "Show the memories behind the answer, every model call, and what each stage kept or dropped and why";
    command.arg(flag("explain", help))
});

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    let is_dry_run = arguments.contains_key("dry_run");
    if !is_dry_run {
        hint_at_model(session.memory()?, session.output);
    }
    let result = session.call::<verbs::Ask>(arguments)?;
    session.output.result(&result, |output| show(&result, is_dry_run, session.has("explain"), output));
    Ok(Outcome::Done)
}

/// A model may take its time.
pub(super) fn hint_at_model(memory: &Recordar, output: &Output) {
    if let Some(llm) = &memory.config().llm
        && std::io::stderr().is_terminal()
    {
        output.hint(&format!("asking {}; press Ctrl-C to cancel", llm.profile.name));
    }
}

fn show(result: &AskResult, is_dry_run: bool, explain: bool, output: &Output) {
    if is_dry_run {
        output.line(&cost(result.estimate.as_ref()));
    } else if result.method == Method::Nothing {
        output.line("nothing stored answers this");
        result.nearest.iter().for_each(|citation| output.hint(&format!("closest: {}", source(citation))));
    } else {
        if result.unsure {
            output.line("nothing clearly answers this; this is closest:\n");
        }
        let sentences: Vec<&str> = result.excerpts.iter().map(|excerpt| excerpt.sentence.as_str()).collect();
        output.marked(&result.answer, &sentences);
        output.line("");
        for citation in &result.citations {
            // What the answer does not quote is quoted here.
            let rests_on =
                |excerpt: &&Excerpt| excerpt.number == citation.number && !result.answer.contains(&excerpt.text);
            let said = result.excerpts.iter().find(rests_on).map(|excerpt| format!(": {}", excerpt.text));
            output.line(&format!("[{}] {}{}", citation.number, source(citation), said.unwrap_or_default()));
        }
        for fact in &result.facts {
            let FactView { subject, attribute, value, since, .. } = fact;
            output.line(&format!("since {}: {subject} · {attribute} · {value}", since.day()));
        }
        if result.route == Route::Tree {
            show_used(result, output);
        } else if result.citations.is_empty() {
            output.warn("no citations: the answer cites no stored item");
        }
        output.warn(&maker(result));
    }
    if explain {
        for (number, memory) in (1..).zip(&result.memories) {
            output
                .line(&format!("[{number}] {} {:.3}: {}", memory.provenance.collection, memory.score, memory.content));
        }
        result.responses.iter().for_each(|call| output.line(&called(call)));
        show_trace(&result.trace, output);
    }
    hint_at_nothing(&result.trace, output);
    if explain {
        show_confidence(&result.confidence, output);
    }
    show_rerank_problem(result.rerank_problem.as_ref(), output);
    if result.rerank_ms.is_some() {
        output.hint(&format!("{:.1} ms{}", result.total_latency, reranking_time(result.rerank_ms)));
    }
    if let Some(receipt) = &result.receipt {
        output.warn(&format!("receipt {receipt}: verify it with `recordar why {receipt}`; no model is called"));
    }
}

/// The chunks that a tree answer was made from, by path, and the dropped paths.
fn show_used(result: &AskResult, output: &Output) {
    let mut paths: Vec<(&Vec<String>, Vec<String>)> = Vec::new();
    for used in &result.used_chunks {
        let summary = if used.summarized { ", summarised" } else { "" };
        let chunk = format!("{} ({}{summary})", used.chunk_id, used.document);
        match paths.last_mut().filter(|(path, _)| **path == used.category_path) {
            Some((_, chunks)) => chunks.push(chunk),
            None => paths.push((&used.category_path, vec![chunk])),
        }
    }
    for (path, chunks) in paths {
        output.line(&format!("{}: chunks {}", path.join(" > "), chunks.join(", ")));
    }
    show_dropped(&result.dropped_paths, output);
}

/// A document and its section, or who said it and when.
fn source(citation: &Citation) -> String {
    let Citation { number: _, collection, item_id, document, document_name, section, speaker, time } = citation;
    let source = match document_name.as_ref().or(document.as_ref()) {
        Some(document) => [Some(document), section.as_ref()].into_iter().flatten().cloned().collect(),
        None => [Some(speaker.clone().unwrap_or("a memory".to_owned())), time.map(|time| time.day())]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>(),
    };
    format!("{} ({collection} item {item_id})", source.join(", "))
}

/// The author of the answer: shown even with `--quiet`.
fn maker(result: &AskResult) -> String {
    match (&result.model, &result.model_problem) {
        (Some(model), _) => {
            let tokens: u64 = result.responses.iter().map(|call| call.tokens_prompt + call.tokens_completion).sum();
            let spent: Option<u64> = result.responses.iter().map(|call| call.nano_usd).sum();
            let price = spent.map_or("price unknown".to_owned(), usd);
            let calls = plural(result.responses.len() as u64, "call");
            if result.responses.iter().all(|call| call.replayed) {
                return format!("answered by {model}, replayed from the cassette; no model was called");
            }
            let latency = result.responses.iter().fold(0.0, |sum, call| sum + call.latency_ms);
            format!("answered by {model}: {calls}, {tokens} tokens, {price}, {latency:.0} ms")
        }
        (None, Some(problem)) => format!(
            "answered from stored text by built-in rules: the model did not answer ({})\n  try: {}",
            problem.what, problem.remedy
        ),
        (None, None) => "answered from stored text by built-in rules: no language model is configured".to_owned(),
    }
}

/// The most that an operation can cost.
pub(super) fn cost(estimate: Option<&Estimate>) -> String {
    let Some(estimate) = estimate else { return "no model would be called; it costs nothing".to_owned() };
    let price = |nano_usd: Option<u64>| nano_usd.map_or("price unknown".to_owned(), usd);
    format!(
        "usually 1 call of at most {} tokens ({}); at most {} with {} tokens in total ({})",
        estimate.tokens_first_call,
        price(estimate.nano_usd_first_call),
        plural(estimate.calls_at_most, "call"),
        estimate.tokens_prompt_at_most + estimate.tokens_completion_at_most,
        price(estimate.nano_usd_at_most),
    )
}

/// One call of a model.
pub(super) fn called(call: &CallReport) -> String {
    let price = call.nano_usd.map_or("price unknown".to_owned(), usd);
    let how = if call.replayed { ", replayed" } else { "" };
    let assumed = if call.is_counted { "" } else { " (upper bound)" };
    format!(
        "call at {}: {} {}, {} + {} tokens{assumed}, {price}, {:.0} ms, {}{how}",
        call.timestamp,
        call.settings.name.provider,
        call.settings.name.model,
        call.tokens_prompt,
        call.tokens_completion,
        call.latency_ms,
        call.outcome
    )
}
