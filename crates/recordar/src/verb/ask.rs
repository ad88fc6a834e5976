//! Asking: memories are recalled, and a question is answered from them, with citations; by the configured model, or in stored words.

use super::answer_receipt::AnswerReceipt;
use super::options::{DescentArguments, RecallOptions, RouteArguments, names};
use super::query::DescentOptions;
use super::recall::{Assembled, Plan, lock};
use crate::assemble::{MemoryEntry, item_name};
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::reason::{ANSWER_PROMPT, Answer, AnswerTask, Done, Evidence, Method, ModelProblem, Task};
use crate::route::tree::DroppedPath;
use crate::{Error, PromptLimiting, RecallProblem, RecallRequest, Recordar, Route};
use recordar_domain::{Action, Digest, Invalid, SpaceName, Stage, Trace};
use recordar_llm::{CallReport, Estimate, Operation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The question, and what is recalled for it.
    pub recall: RecallRequest,
    /// Say what an answer would cost at the most, and ask no model.
    pub dry_run: bool,
    /// Where to look for it, whatever is configured.
    pub route: Option<Route>,
    /// How the tree is descended, and the final prompt kept short. What is said here asks for the tree.
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

/// How the final prompt is kept to its budget, where that is otherwise than configured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitingOptions {
    pub max_token_budget: Option<u32>,
    pub prompt_limiting_strategy: Option<PromptLimiting>,
    pub use_rankings: Option<bool>,
}

/// A chunk that went into the final prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UsedChunk {
    pub chunk_id: i64,
    pub category_path: Vec<String>,
    pub document: String,
    /// Whether a summary stood for it.
    pub summarized: bool,
}

/// An answer, who made it, and of what.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AskResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub route: Route,
    /// Empty where nothing was found, and in a dry run.
    pub answer: String,
    /// `model`; `built_in`, where the answer is stored words, chosen by rules; `nothing`, where there was nothing to answer from. In a dry
    /// run, who would answer.
    pub method: Method,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the configured model did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    pub citations: Vec<Citation>,
    /// What the answer was made from, numbered from 1 in this order.
    pub memories: Vec<MemoryEntry>,
    /// The chunks of the tree that the answer was made from, numbered from 1 in this order.
    pub used_chunks: Vec<UsedChunk>,
    /// Paths of the tree that were found and not used.
    pub dropped_paths: Vec<DroppedPath>,
    /// Every call of the model, also those that failed.
    pub responses: Vec<CallReport>,
    /// What the answer would cost, in a dry run with a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The id of the receipt, where one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub trace: Trace,
    /// The whole, in milliseconds. Measured, and therefore never the same twice.
    pub total_latency: f64,
    /// Whether an administrator asked for it as it is stored, though redaction is on.
    #[serde(skip)]
    pub(crate) is_exact: bool,
}

/// A passage that the answer rests on.
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

/// Something may be forgotten between the answer and its receipt. Each attempt asks the model anew.
const ATTEMPTS: usize = 3;

impl Recordar {
    /// Answers a question from what is stored.
    ///
    /// Without a configured model, or without one that can be reached where `llm.when_away` is `built_in`, the answer is made of
    /// stored words, and its `method` says so.
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
            let what = "what is said about descending and about the final prompt is for the route \"tree\"";
            return Err(Invalid::new(what, "leave it out, or use the route \"tree\"").into());
        }
        // One operation, however often it has to be begun anew.
        let operation = self.operation_of_model();
        for _ in 0..ATTEMPTS {
            let mut assembled = self.assemble(&plan)?;
            let mut result = self.answer(&plan, &mut assembled, &operation, request.dry_run)?;
            // A receipt is kept in a space that is there.
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
        let what = "things are being forgotten so fast that no receipt could be written";
        Err(Error::input("forgotten_meanwhile", what, "ask again"))
    }

    /// Answers from what was assembled, and notes in it what a receipt has to hold.
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
            stage.decide("answer", Action::Dropped, "nothing_found", "nothing that is stored is about the question");
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
            stage.decide("answer", Action::Kept, "uncited", "no passage is named that it rests on");
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

    /// As many of the memories, from the first, as a final prompt takes.
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
                let what = format!("the question alone takes {taken} tokens, and answer.max_token_budget is {most}");
                return Err(Invalid::new(what, "ask a shorter question, or raise answer.max_token_budget").into());
            };
            let detail = format!("the prompt would have {taken} tokens, and {most} are allowed");
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

/// A question cannot be asked without searching.
fn unmet_condition(problem: Option<RecallProblem>) -> Invalid {
    match problem {
        Some(RecallProblem { detail, remedy, .. }) => Invalid::new(detail, remedy),
        None => Invalid::new(
            "there is nothing to answer from: nothing is searched",
            "leave session_id out, or give it a name",
        ),
    }
}

/// What only this verb takes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AskOwn {
    /// The question to answer from what is stored.
    query: String,
    /// The conversation that asks: a name, which is checked and kept in a receipt, and chooses nothing.
    session_id: Option<String>,
    /// Keep a receipt, or none, whatever is configured.
    receipt: Option<bool>,
    /// Only say what an answer would cost at the most; no model is asked.
    #[serde(default)]
    dry_run: bool,
}

pub type AskArguments = With<AskOwn, With<RecallOptions, With<RouteArguments, DescentArguments>>>;

impl Verb for AskArguments {
    const NAME: &'static str = "ask";
    const ABOUT: &'static str = "Answer a question from what is stored, with citations; by a language model, or in stored words \
        where there is none.";
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
