//! `ask`.

use super::options::{DescentArguments, RecallOptions, RouteArguments};
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use crate::flow;
use recordar_core::answer::{AskRequest, AskResult};
use recordar_core::error::Error;
use recordar_core::noun::spaces::names;
use recordar_core::recall::RecallRequest;
use recordar_domain::SpaceName;
use schemars::JsonSchema;
use serde::Deserialize;

impl Recordar {
    /// Answers a question from the stored items.
    ///
    /// Without a configured model, or if it cannot be reached and `llm.when_away` is `built_in`, the answer is quoted from stored text,
    /// and its `method` says so.
    pub fn ask(&self, spaces: &[SpaceName], request: &AskRequest) -> Result<AskResult, Error> {
        self.showing(|memory| flow::answer::answer(memory, spaces, request))
    }
}

/// Arguments of this verb only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AskOwn {
    /// The question to answer from stored items.
    query: String,
    /// Name of the conversation in which the question is asked. It is recorded in the receipt and does not affect results.
    session_id: Option<String>,
    /// Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
    receipt: Option<bool>,
    /// Only estimate the maximum cost; no model is called.
    #[serde(default)]
    dry_run: bool,
}

pub type AskArguments = With<AskOwn, With<RecallOptions, With<RouteArguments, DescentArguments>>>;

impl Verb for AskArguments {
    const NAME: &'static str = "ask";
    const ABOUT: &'static str = "Answer a question from stored items, with citations. Without a language model, the answer is \
        quoted from stored text.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|ask, _, _| Ok(names(&ask.1.0.also)));
    const IS_LONG: bool = true;
    type Reply = AskResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<AskResult, Error> {
        let With(AskOwn { query, session_id, receipt, dry_run }, With(options, With(route, descent))) = self;
        let (spaces, recall) = options.request(query, call)?;
        let recall = RecallRequest { session_id, receipt, ..recall };
        let (limiting, route, descent) = (route.limiting(), route.route, descent.options());
        memory.ask(&spaces, &AskRequest { recall, dry_run, route, descent, limiting })
    }
}
