//! Asking: recall memories, then answer a question from them with citations, using the configured model or stored text.

use super::answer_receipt::AnswerReceipt;
use super::options::{DescentArguments, RecallOptions, RouteArguments, names};
use super::query::DescentOptions;
use super::recall::RecallRequest;
use super::recall::{Assembled, Plan, lock};
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::config::{PromptLimiting, Route};
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::item::item_name;
use crate::noun::memory::MemoryEntry;
use crate::noun::method::{Method, ModelProblem};
use crate::noun::path::DroppedPath;
use crate::policy::RecallProblem;
use crate::reason::{ANSWER_PROMPT, Answer, AnswerTask, Done, Evidence, Task};
use recordar_domain::{Action, Digest, Invalid, SpaceName, Stage, Trace};
use recordar_llm::{CallReport, Estimate, Operation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The question, and how to recall memories for it.
    pub recall: RecallRequest,
    /// Only estimate the maximum cost; no model is called.
    pub dry_run: bool,
    /// Where to look for the answer; as configured by default.
    pub route: Option<Route>,
    /// How the tree is descended and how its prompt is limited. Only valid for the route `tree`.
    pub descent: DescentOptions,
    pub limiting: LimitingOptions,
}

impl AskRequest {
    pub fn new(query: &str) -> Self {
        Self {
            recall: RecallRequest::new(query),
            dry_run: false,
            route: None,
            descent: DescentOptions::default(),
            limiting: LimitingOptions::default(),
        }
    }

    fn asks_for_tree(&self) -> bool {
        self.descent != DescentOptions::default() || self.limiting != LimitingOptions::default()
    }
}

/// How the final prompt is kept within its budget; as configured by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitingOptions {
    pub max_token_budget: Option<u32>,
    pub prompt_limiting_strategy: Option<PromptLimiting>,
    pub use_rankings: Option<bool>,
}

/// A chunk that was included in the final prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UsedChunk {
    pub chunk_id: i64,
    pub category_path: Vec<String>,
    pub document: String,
    /// Whether it was replaced by a summary.
    pub summarized: bool,
}

/// An answer, who made it, and from which texts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AskResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub route: Route,
    /// Empty if nothing was found, and in a dry run.
    pub answer: String,
    /// `model`; `built_in` if the answer is stored text chosen by rules; `nothing` if there was nothing to answer from. In a dry
    /// run, who would answer.
    pub method: Method,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the configured model did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    pub citations: Vec<Citation>,
    /// The memories the answer was made from, numbered from 1 in this order.
    pub memories: Vec<MemoryEntry>,
    /// The chunks the answer was made from (route `tree`), numbered from 1 in this order.
    pub used_chunks: Vec<UsedChunk>,
    /// Paths of the tree that were found but not used.
    pub dropped_paths: Vec<DroppedPath>,
    /// Every call of the model, including failed ones.
    pub responses: Vec<CallReport>,
    /// The estimated cost, in a dry run with a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The receipt's id, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub trace: Trace,
    /// Total time in milliseconds. Measured, so it differs between calls.
    pub total_latency: f64,
    /// Whether an administrator asked for unredacted text while redaction is on.
    #[serde(skip)]
    pub(crate) is_exact: bool,
}

/// A passage that supports the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Citation {
    /// Its number among the memories, from 1.
    pub number: usize,
    pub collection: String,
    pub item_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

/// Data may be forgotten between the answer and its receipt. Each attempt calls the model again.
const ATTEMPTS: usize = 3;

impl Recordar {
    /// Answers a question from the stored items.
    ///
    /// Without a configured model, or if it cannot be reached and `llm.when_away` is `built_in`, the answer is stored text, and its
    /// `method` says so.
    pub fn ask(&self, spaces: &[SpaceName], request: &AskRequest) -> Result<AskResult, Error> {
        if self.hides() {
            return self.showing(|memory| memory.ask(spaces, request));
        }
        let started = Instant::now();
        let plan = self.plan(spaces, &request.recall)?;
        if let Some(unmet) = self.unmet(&plan) {
            return Err(unmet_condition(unmet.problem).into());
        }
        let per_minute = self.config.recall.per_minute;
        if !lock(&self.recalls.rate).allows(&plan.spaces, per_minute, plan.now) {
            let RecallProblem { detail, remedy, .. } = RecallProblem::rate_limited(per_minute);
            return Err(Error::input("rate_limited", detail, remedy));
        }
        let by_options = if request.asks_for_tree() { Route::Tree } else { self.config.answer.route };
        if request.route.unwrap_or(by_options) == Route::Tree {
            let result = self.ask_by_tree(&plan, request)?;
            return Ok(AskResult { is_exact: plan.redactor.is_none(), ..result });
        }
        if request.asks_for_tree() {
            let what = "descent and prompt settings require the route \"tree\"";
            return Err(Invalid::new(what, "leave them out, or use the route \"tree\"").into());
        }
        // One operation, however many attempts it takes.
        let operation = self.operation_of_model();
        for _ in 0..ATTEMPTS {
            let mut assembled = self.assemble(&plan)?;
            let mut result = self.answer(&plan, &mut assembled, &operation, request.dry_run)?;
            // A receipt can only be kept in a space that exists.
            let is_somewhere = assembled.revisions.iter().any(Option::is_some);
            let keeps_receipt = plan.keeps_receipt && !request.dry_run && is_somewhere;
            if !keeps_receipt || self.keep_receipt(&plan, &mut assembled)? {
                result.receipt = assembled.result.receipt;
                result.is_exact = plan.redactor.is_none();
                result.responses = operation.calls();
                result.total_latency = started.elapsed().as_secs_f64() * 1e3;
                return Ok(result);
            }
        }
        let what = "data was deleted while the receipt was being written";
        Err(Error::input("forgotten_meanwhile", what, "try again"))
    }

    /// Answers from the assembled memories, and notes what the receipt needs.
    fn answer(
        &self,
        plan: &Plan<'_>,
        assembled: &mut Assembled,
        operation: &Operation,
        is_dry_run: bool,
    ) -> Result<AskResult, Error> {
        let recalled = &assembled.result;
        let query = &plan.request.query;
        let mut result = AskResult::new(query, recalled.spaces.clone(), Route::Recall);
        result.trace = recalled.trace.clone();
        let (passages, stage) = self.within_budget(query, &recalled.memories)?;
        result.trace.stages.push(stage);
        result.memories = passages.to_vec();
        if passages.is_empty() {
            let mut stage = Stage::new(AnswerTask::NAME);
            stage.decide("answer", Action::Dropped, "nothing_found", "no stored item matches the question");
            result.trace.stages.push(stage);
            return Ok(result);
        }
        let evidence = Evidence::of_memories(passages);
        let task = self.answer_task(query, &evidence);
        let reasoner = self.reasoner(operation);
        if is_dry_run {
            result.estimate = reasoner.client?.map(|client| client.estimate(&task.request()));
            result.method = if result.estimate.is_some() { Method::Model } else { Method::BuiltIn };
            return Ok(result);
        }
        let before = operation.exchanges().len();
        let Done { reply: Answer { text, citations }, method, problem, mut stage } = reasoner.perform(&task)?;
        if citations.is_empty() {
            stage.decide("answer", Action::Kept, "uncited", "it cites no passage");
        }
        let is_by_model = method == Method::Model;
        let model = reasoner.model().filter(|_| is_by_model).cloned();
        result.model = model.as_ref().map(|model| model.name.to_string());
        assembled.answer = Some(AnswerReceipt {
            method,
            model,
            problem: problem.clone(),
            prompt: ANSWER_PROMPT.to_owned(),
            language: self.config.language.name().to_owned(),
            max_output_tokens: task.max_output_tokens,
            passages: passages.len(),
            exchanges: if is_by_model { operation.exchanges().split_off(before) } else { Vec::new() },
            answer_sha256: Digest::of(&text),
            citations: citations.clone(),
        });
        result.citations = citations.iter().filter_map(|number| citation(*number, passages)).collect();
        result.trace.stages.push(stage);
        assembled.result.trace.clone_from(&result.trace);
        Ok(AskResult { answer: text, method, model_problem: problem, ..result })
    }

    fn answer_task<'a>(&self, question: &'a str, passages: &'a [Evidence]) -> AnswerTask<'a> {
        let max_output_tokens = self.max_output_tokens();
        AnswerTask { question, passages, helpers: None, language: self.config.language, max_output_tokens }
    }

    /// The first memories, as many as fit into the final prompt.
    fn within_budget<'a>(
        &self,
        question: &str,
        memories: &'a [MemoryEntry],
    ) -> Result<(&'a [MemoryEntry], Stage), Error> {
        let mut stage = Stage::new("prompt");
        let most = self.config.answer.max_token_budget as usize;
        let tokens = |passages: &[MemoryEntry]| {
            let prompt = self.answer_task(question, &Evidence::of_memories(passages)).prompt();
            self.counter.count(&prompt.system) + self.counter.count(&prompt.user)
        };
        let mut kept = memories;
        loop {
            let taken = tokens(kept);
            if taken <= most {
                stage.decide("prompt", Action::Kept, "max_token_budget", format!("{taken} of {most} tokens"));
                return Ok((kept, stage));
            }
            let Some((last, before)) = kept.split_last() else {
                let what = format!("the question alone takes {taken} tokens; answer.max_token_budget is {most}");
                return Err(Invalid::new(what, "ask a shorter question, or raise answer.max_token_budget").into());
            };
            let detail = format!("the prompt would have {taken} tokens; the limit is {most}");
            let name = item_name(&last.provenance.collection, last.provenance.item_id);
            stage.decide(name, Action::Dropped, "max_token_budget", detail);
            kept = before;
        }
    }
}

impl AskResult {
    pub(super) fn new(query: &str, spaces: Vec<String>, route: Route) -> Self {
        Self {
            query: query.to_owned(),
            spaces,
            route,
            answer: String::new(),
            method: Method::Nothing,
            model: None,
            model_problem: None,
            citations: Vec::new(),
            memories: Vec::new(),
            used_chunks: Vec::new(),
            dropped_paths: Vec::new(),
            responses: Vec::new(),
            estimate: None,
            receipt: None,
            trace: Trace::default(),
            total_latency: 0.0,
            is_exact: false,
        }
    }
}

fn citation(number: usize, passages: &[MemoryEntry]) -> Option<Citation> {
    let provenance = &passages.get(number.checked_sub(1)?)?.provenance;
    Some(Citation {
        number,
        collection: provenance.collection.clone(),
        item_id: provenance.item_id,
        document: provenance.document.clone(),
        section: provenance.section.clone(),
    })
}

/// A question cannot be answered without searching.
fn unmet_condition(problem: Option<RecallProblem>) -> Invalid {
    match problem {
        Some(RecallProblem { detail, remedy, .. }) => Invalid::new(detail, remedy),
        None => Invalid::new(
            "nothing was searched, so there is nothing to answer from",
            "leave session_id out, or give it a name",
        ),
    }
}

/// Arguments of this verb only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AskOwn {
    /// The question to answer from stored items.
    query: String,
    /// Name of the conversation that asks. Recorded in the receipt; does not affect results.
    session_id: Option<String>,
    /// Whether to keep a receipt; as configured by default.
    receipt: Option<bool>,
    /// Only estimate the maximum cost; no model is called.
    #[serde(default)]
    dry_run: bool,
}

pub type AskArguments = With<AskOwn, With<RecallOptions, With<RouteArguments, DescentArguments>>>;

impl Verb for AskArguments {
    const NAME: &'static str = "ask";
    const ABOUT: &'static str = "Answer a question from stored items, with citations. Without a language model, the answer is \
        stored text.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|ask, _, _| Ok(names(&ask.1.0.also)));
    const IS_LONG: bool = true;
    type Reply = AskResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<AskResult, Error> {
        let With(AskOwn { query, session_id, receipt, dry_run }, With(options, With(route, descent))) = self;
        let (spaces, recall) = options.request(query, call);
        let recall = RecallRequest { session_id, receipt, ..recall };
        let (limiting, route, descent) = (route.limiting(), route.route, descent.options());
        memory.ask(&spaces, &AskRequest { recall, dry_run, route, descent, limiting })
    }
}
