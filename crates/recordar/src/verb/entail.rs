//! `entail`: whether a statement follows from a passage.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::judges::refused;
use recordar_core::noun::method::{Method, ModelProblem};
use recordar_core::reason::{EntailTask, EntailmentView};
use recordar_domain::{Trace, check_text};
use recordar_judge::Judge;
use recordar_llm::CallReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Entailed {
    /// `entailment`, `neutral` or `contradiction`: the likeliest.
    pub relation: &'static str,
    pub probabilities: EntailmentView,
    /// Whether the language model or the built-in judge said so.
    pub method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    pub responses: Vec<CallReport>,
    pub trace: Trace,
}

const MAX_PASSAGE_BYTES: usize = 64 * 1024;
const MAX_STATEMENT_BYTES: usize = 4 * 1024;

impl Recordar {
    /// Judges a statement against a passage: does it follow, is it open, is it contradicted?
    pub fn entail(&self, passage: &str, statement: &str) -> Result<Entailed, Error> {
        check_text("the passage", passage, MAX_PASSAGE_BYTES)?;
        check_text("the statement", statement, MAX_STATEMENT_BYTES)?;
        // The built-in method needs it, and has no way to say that it is damaged.
        Judge::shipped().map_err(|error| refused(&error))?;
        let operation = self.reasoning.operation();
        let reasoner = self.reasoning.reasoner(&operation);
        let (passage, statement) = (SafeText::given(passage), SafeText::given(statement));
        let most_output_tokens = self.reasoning.max_output_tokens();
        let done = reasoner.perform(&EntailTask { passage: &passage, statement: &statement, most_output_tokens })?;
        Ok(Entailed {
            relation: done.reply.likeliest(),
            probabilities: done.reply,
            method: done.method,
            model_problem: done.problem,
            responses: operation.calls(),
            trace: Trace { stages: vec![done.stage] },
        })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct EntailArguments {
    /// The passage that counts as true. The judge reads the part of it that matches the statement best.
    passage: String,
    /// The statement to judge.
    statement: String,
}

impl Verb for EntailArguments {
    const NAME: &'static str = "entail";
    const ABOUT: &'static str = "Judge whether a statement follows from a passage, is open, or is contradicted.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = Entailed;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<Entailed, Error> {
        memory.entail(&self.passage, &self.statement)
    }
}
