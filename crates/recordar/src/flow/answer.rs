//! Answering: find the texts that answer a question, by recalling memories or by descending the tree, and answer from them, using the
//! configured model or stored text.

use super::context::Context;
use super::descent::{TreeOrigin, descended};
use super::plan::Plan;
use super::recall::{asked_about, assemble, forgotten_meanwhile};
use super::receipt::{check_receipt_size, has_space_for_receipt, write_answer_receipt};
use crate::engine::Recordar;
use recordar_core::answer::{AskRequest, AskResult, Citation, Excerpt};
use recordar_core::assemble::fit;
use recordar_core::config::Route;
use recordar_core::error::Error;
use recordar_core::fact::{FactsAt, view_some_facts};
use recordar_core::guard::{Evidence, Hide, SafePassage, SafeText};
use recordar_core::noun::fact::FactView;
use recordar_core::noun::memory::MemoryEntry;
use recordar_core::noun::method::Method;
use recordar_core::reason::{Answer, AnswerTask, BuiltInAnswer, Done, Quote, Task, read_closely};
use recordar_core::recall::RecallProblem;
use recordar_core::receipt::AnswerReceipt;
use recordar_core::route::Question;
use recordar_domain::{Action, Digest, Invalid, SpaceName, Stage, plain};
use recordar_judge::Effort;
use recordar_store::FactsOf;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Data may be forgotten between the answer and its receipt. Each attempt calls the model again.
const ATTEMPTS: usize = 3;

/// The texts that an answer is made from, whichever route found them.
pub(crate) struct Material {
    /// Everything but the answer: the texts as the caller sees them, and the trace so far.
    pub(crate) result: AskResult,
    pub(crate) evidence: Vec<Evidence>,
    /// The helpers of the sources, with their names, if the prompt has them.
    pub(crate) helpers: Option<Vec<(SafeText, SafeText)>>,
    /// Where each text is from, to cite it.
    pub(crate) sources: Vec<Citation>,
    pub(crate) origin: Origin,
}

/// The route's own record of the texts, for a receipt.
pub(crate) enum Origin {
    Context(Box<Context>),
    Tree(TreeOrigin),
}

/// Answers a question: conditions, rate limit, texts by one of two routes, answer, receipt.
pub(crate) fn answer(memory: &Recordar, spaces: &[SpaceName], request: &AskRequest) -> Result<AskResult, Error> {
    let started = Instant::now();
    let route = route(memory, request)?;
    let plan = match route {
        Route::Recall => Plan::of_answer(memory, spaces, &request.recall)?,
        Route::Tree => Plan::new(memory, spaces, &request.recall)?,
    };
    if let Some(unmet) = plan.unmet_condition() {
        return Err(nothing_searched(unmet.problem).into());
    }
    let per_minute = memory.config.recall.per_minute;
    if !memory.recalls.rate().allows(&plan.spaces, per_minute, plan.now) {
        let RecallProblem { detail, remedy, .. } = RecallProblem::rate_limited(per_minute);
        return Err(Error::input("rate_limited", detail, remedy));
    }
    // One operation, however many attempts it takes.
    let operation = memory.reasoning.operation();
    let reasoner = memory.reasoning.reasoner(&operation);
    for _ in 0..ATTEMPTS {
        let Material { mut result, mut evidence, helpers, sources, origin } = match route {
            Route::Recall => recalled(memory, &plan)?,
            Route::Tree => descended(memory, &plan, request, &reasoner)?,
        };
        let question = SafeText::given(&plan.request.query);
        let denied = match &origin {
            Origin::Context(context) => states_what_is_denied(memory, &plan, context)?,
            Origin::Tree(_) => false,
        };
        let is_built_in = reasoner.model().is_none() && !request.dry_run;
        result.trace.stages.extend(read_messages(memory, &plan, &mut evidence, is_built_in && !denied));
        let mut task = answer_task(memory, &question, &evidence, helpers.as_deref());
        if denied {
            task.built_in = BuiltInAnswer::Quotation;
        }
        let wants_receipt = plan.wants_receipt && !request.dry_run && has_space_for_receipt(&origin);
        if wants_receipt {
            check_receipt_size(&origin)?;
        }
        let mut receipt = None;
        if evidence.is_empty() {
            let mut stage = Stage::new(AnswerTask::NAME);
            stage.decide("answer", Action::Dropped, "nothing_found", "no stored item matches the question");
            result.trace.stages.push(stage);
        } else if request.dry_run {
            result.estimate = reasoner.client.clone()?.map(|client| client.estimate(&task.request()));
            result.method = if result.estimate.is_some() { Method::Model } else { Method::BuiltIn };
        } else {
            let before = operation.exchanges().len();
            let Done { reply: Answer { text, citations, quotes, stated, quoted }, method, problem, mut stage } =
                reasoner.perform(&task)?;
            if citations.is_empty() && route == Route::Recall {
                stage.decide("answer", Action::Kept, "uncited", "it cites no passage");
            }
            if stated.is_some() {
                stage.decide("answer", Action::Kept, "what_holds", "by the latest of what is said about it");
            }
            result.trace.stages.push(stage);
            let is_by_model = method == Method::Model;
            let model = reasoner.model().filter(|_| is_by_model).cloned();
            result.model = model.as_ref().map(|model| model.name.to_string());
            result.model_problem = result.model_problem.or(problem.clone());
            // Heavily truncated text may no longer contain an answer, and a heading alone is none.
            result.method = if text.is_empty() { Method::Nothing } else { method };
            let sections = quoted_sections(&quotes, &origin);
            if result.method != Method::Nothing {
                result.nearest.clear();
            }
            result.excerpts = quotes.into_iter().map(|quote| excerpt(quote, &result.memories)).collect();
            let clear = plan.reranker.model().and_then(|judge| judge.clear_confidence());
            result.unsure = stated.is_none() && is_below(&result.excerpts, clear);
            result.citations = citations.iter().filter_map(|number| cited(*number, &sources)).collect();
            for citation in &mut result.citations {
                citation.section = sections.get(&citation.number).cloned().unwrap_or(citation.section.take());
            }
            receipt = Some(AnswerReceipt {
                method,
                model,
                problem,
                prompt: task.template().to_owned(),
                language: task.language.name().to_owned(),
                max_output_tokens: task.max_output_tokens,
                accepts_any_length: is_by_model,
                quotes: !is_by_model,
                quotes_sections: !is_by_model,
                stated,
                quoted,
                passages: result.memories.len(),
                exchanges: if is_by_model { operation.exchanges().split_off(before) } else { Vec::new() },
                answer_sha256: Digest::of(&text),
                citations,
                tree: None,
            });
            if let Origin::Context(context) = &origin {
                result.facts = facts_of(memory, &plan, context, &result.citations)?;
                let said = &result.excerpts;
                // Of what a quoted passage states, only what the marked sentence says.
                let sentences: Vec<String> = said.iter().map(|excerpt| plain(&excerpt.sentence)).collect();
                let is_said = |text: &str| sentences.iter().any(|sentence| sentence.contains(&plain(text)));
                result.facts.retain(|fact| {
                    said.is_empty() || fact.quote.as_deref().is_none_or(is_said) || is_said(&fact.value)
                });
            }
            result.answer = text;
        }
        if wants_receipt {
            result.receipt = write_answer_receipt(memory, &plan, &origin, receipt, (&task, &result.trace))?;
            if result.receipt.is_none() {
                continue;
            }
        }
        result.is_exact = !plan.guard.redacts();
        result.responses = operation.calls();
        result.total_latency = started.elapsed().as_secs_f64() * 1e3;
        return Ok(result);
    }
    Err(forgotten_meanwhile())
}

/// The heading above each quotation, by the number of its passage.
fn quoted_sections(quotes: &[Quote], origin: &Origin) -> BTreeMap<usize, Option<String>> {
    let Origin::Context(context) = origin else { return BTreeMap::new() };
    let section = |quote: &Quote| {
        let passage = context.passages.get(quote.number.checked_sub(1)?)?;
        Some((quote.number, passage.section_of(&quote.sentence).map(str::to_owned)))
    };
    quotes.iter().filter_map(section).collect()
}

/// The route that the request asks for, by its name or by its options; as configured otherwise.
fn route(memory: &Recordar, request: &AskRequest) -> Result<Route, Invalid> {
    let by_options = if request.asks_for_tree() { Route::Tree } else { memory.config.answer.route };
    let route = request.route.unwrap_or(by_options);
    if route == Route::Recall && request.asks_for_tree() {
        let what = "descent and prompt settings require the route \"tree\"";
        return Err(Invalid::new(what, "leave them out, or use the route \"tree\""));
    }
    Ok(route)
}

/// The memories of a recall, as many as fit into the final prompt.
fn recalled(memory: &Recordar, plan: &Plan<'_>) -> Result<Material, Error> {
    let mut context = assemble(memory, plan)?;
    let question = SafeText::given(&plan.request.query);
    let is_reranked = !plan.settings.rerank.is_off();
    let least = plan.reranker.model().and_then(|judge| judge.said_confidence());
    let of = |passage| Evidence::of_passage(passage, is_reranked).judged_by(passage, least);
    let evidence = context.passages.iter().map(of);
    let mut evidence: Vec<Evidence> = evidence.collect();
    let (mut stage, most) = (Stage::new("prompt"), memory.config.answer.max_token_budget as usize);
    let tokens = |kept: usize| {
        let task = answer_task(memory, &question, &evidence[..kept], None);
        memory.reasoning.prompt_tokens(&task, &memory.counter)
    };
    let (kept, taken) = fit(evidence.len(), most, tokens, |at, taken| {
        let detail = format!("the prompt would have {taken} tokens; the limit is {most}");
        stage.decide(context.passages[at].name(), Action::Dropped, "max_token_budget", detail);
    });
    if taken > most {
        let what = format!("the question alone takes {taken} tokens; answer.max_token_budget is {most}");
        return Err(Invalid::new(what, "ask a shorter question, or raise answer.max_token_budget").into());
    }
    stage.decide("prompt", Action::Kept, "max_token_budget", format!("{taken} of {most} tokens"));
    evidence.truncate(kept);
    let mut result = AskResult::new(&plan.request.query, context.result.spaces.clone(), Route::Recall);
    result.trace = context.result.trace.clone();
    result.trace.stages.push(stage);
    result.memories = context.result.memories[..kept].to_vec();
    if context.passages.iter().all(|passage| passage.score <= 0.0) {
        result.nearest = std::mem::take(&mut context.nearest);
        if let Some(mut hiding) = plan.guard.hiding() {
            result.nearest.hide(&mut hiding)?;
        }
    }
    result.rerank_ms = context.result.timing.rerank_ms;
    result.confidence = context.result.confidence.clone();
    result.rerank_problem.clone_from(&context.result.rerank_problem);
    let sources = (1..).zip(&context.passages[..kept]).map(source).collect();
    Ok(Material { result, evidence, helpers: None, sources, origin: Origin::Context(Box::new(context)) })
}

/// Has the judge read messages closely, for an answer that quotes them. If not all that they say is right, its opinions count for nothing: it does not know
/// what a person denied.
fn read_messages(memory: &Recordar, plan: &Plan<'_>, evidence: &mut [Evidence], is_wanted: bool) -> Option<Stage> {
    if !is_wanted {
        evidence.iter_mut().for_each(|evidence| evidence.judged = None);
        return None;
    }
    let judge = plan.reranker.model()?;
    let least = judge.said_confidence()?;
    let stop = || memory.cancel.is_cancelled();
    let effort = Effort { stop: &stop, ..Effort::default() };
    let stage = read_closely(&plan.request.query, evidence, (judge, least), &effort);
    (!stage.decisions.is_empty()).then_some(stage)
}

/// Whether a message that was recalled says something of which a person said that it is wrong: only the stored facts know that.
fn states_what_is_denied(memory: &Recordar, plan: &Plan<'_>, context: &Context) -> Result<bool, Error> {
    let denied = memory.store.read(|reading| {
        for (space, revision) in plan.spaces.iter().zip(&context.revisions) {
            let of_space = context.passages.iter().filter(|passage| passage.item.space == space.as_str());
            let items: Vec<i64> = of_space.map(|passage| passage.item.item_id).collect();
            let Some(row) = reading.space(space)?.filter(|_| !items.is_empty()) else { continue };
            let Some((_, revision)) = *revision else { continue };
            if !reading.has_facts(row.id)? {
                continue;
            }
            let stated = reading.facts(row.id, FactsOf::Sources(&items), revision)?;
            let at = FactsAt { space: row.id, revision, at: plan.asked_at(), now: plan.asked_at() };
            let views = view_some_facts(reading, at, stated, |facts| {
                facts.retain(|fact| ["retired", "overruled"].contains(&fact.state));
            })?;
            if !views.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    Ok(denied)
}

/// What cited items, or the messages of cited summaries, state that holds at the time that is asked about.
fn facts_of(
    memory: &Recordar,
    plan: &Plan<'_>,
    context: &Context,
    citations: &[Citation],
) -> Result<Vec<FactView>, Error> {
    let (question, _) = Question::read(&plan.request.query, memory.config.language, plan.asked_at());
    let at = asked_about(plan, &question);
    let mut facts = memory.store.read(|reading| {
        let mut facts = Vec::new();
        for (space, revision) in plan.spaces.iter().zip(&context.revisions) {
            let cited = citations.iter().filter(|citation| citation.collection == space.as_str());
            let mut items: Vec<i64> = cited.map(|citation| citation.item_id).collect();
            let Some(row) = reading.space(space)?.filter(|_| !items.is_empty()) else { continue };
            if !reading.has_facts(row.id)? {
                continue;
            }
            let revision = match (plan.request.as_of, revision) {
                (Some(time), _) => reading.revision_at(row.id, time)?,
                (None, Some((_, revision))) => *revision,
                (None, None) => continue,
            };
            for item in items.clone() {
                items.extend(reading.sources_of_item(row.id, item)?);
            }
            let mut stated = reading.facts(row.id, FactsOf::Items(&items), revision)?;
            stated.extend(reading.facts(row.id, FactsOf::Sources(&items), revision)?);
            // Another may say the same, and hold: a person's word in the place of a statement.
            let said: BTreeSet<(Digest, String)> =
                stated.iter().map(|fact| (fact.key, plain(&fact.statement.value))).collect();
            let keys: Vec<Digest> = said.iter().map(|(key, _)| *key).collect();
            let mut same = reading.facts(row.id, FactsOf::Keys(&keys), revision)?;
            same.retain(|fact| said.contains(&(fact.key, plain(&fact.statement.value))));
            let at = FactsAt { space: row.id, revision, at, now: plan.asked_at() };
            facts.extend(view_some_facts(reading, at, same, |facts| {
                let mut seen = BTreeSet::new();
                facts.retain(|fact| {
                    let statement = [&fact.subject, &fact.attribute, &fact.value].map(|part| plain(part));
                    fact.state == "holds" && seen.insert(statement)
                });
            })?);
        }
        Ok(facts)
    })?;
    if let Some(mut hiding) = plan.guard.hiding() {
        facts.hide(&mut hiding)?;
    }
    Ok(facts)
}

pub(super) fn answer_task<'a>(
    memory: &Recordar,
    question: &'a SafeText,
    passages: &'a [Evidence],
    helpers: Option<&'a [(SafeText, SafeText)]>,
) -> AnswerTask<'a> {
    // The one that is recognised now, so that a receipt does not depend on how languages are recognised later.
    let (language, max_output_tokens) =
        (memory.config.language.of(question.as_str()), memory.reasoning.max_output_tokens());
    let built_in = BuiltInAnswer::WhatHolds;
    AnswerTask { question, passages, helpers, language, max_output_tokens, accepts_any_length: true, built_in }
}

fn source((number, passage): (usize, &SafePassage)) -> Citation {
    Citation::of(number, &passage.item, passage.section())
}

fn excerpt(Quote { number, text, sentence }: Quote, memories: &[MemoryEntry]) -> Excerpt {
    let memory = number.checked_sub(1).and_then(|at| memories.get(at));
    let confidence = memory.and_then(|memory| memory.rerank.as_ref()?.judge);
    Excerpt { number, text, sentence, confidence }
}

/// Whether the best excerpt was judged, and is below what was measured for the reranker.
fn is_below(excerpts: &[Excerpt], clear: Option<f64>) -> bool {
    let confidence = excerpts.iter().filter_map(|excerpt| excerpt.confidence).max_by(f64::total_cmp);
    confidence.zip(clear).is_some_and(|(confidence, clear)| confidence.total_cmp(&clear).is_lt())
}

fn cited(number: usize, sources: &[Citation]) -> Option<Citation> {
    sources.get(number.checked_sub(1)?).cloned()
}

/// A question cannot be answered without searching.
fn nothing_searched(problem: Option<RecallProblem>) -> Invalid {
    match problem {
        Some(RecallProblem { detail, remedy, .. }) => Invalid::new(detail, remedy),
        None => Invalid::new(
            "nothing was searched, so there is nothing to answer from",
            "leave session_id out, or give it a valid name: not empty, not too long, and without NUL characters",
        ),
    }
}
