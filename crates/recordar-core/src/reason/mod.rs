//! Reasoning: typed tasks, each with one request, one reply with a schema, one prompt file, and two implementations: a language
//! model, or a built-in method that needs none. The result always says which one was used.

mod analyse;
mod answer;
mod built_in_facts;
mod built_in_labels;
mod classify;
mod condense;
mod contextual_helper;
mod enrich;
mod entail;
mod entities;
mod facts;
mod gate;
mod likeness;
mod model;
mod quotation;
mod select;
mod shape;
mod side_by_side;
mod sum_up;
mod summarise;
mod what_holds;
mod whole_number;

pub use analyse::AnalyseTask;
pub use answer::{Answer, AnswerTask, BuiltInAnswer, Quote};
pub use classify::{ClassifyTask, TextToClassify};
pub use condense::{Chosen, ChosenSentence, CondenseTask};
pub use contextual_helper::{HelperTask, Source};
pub use enrich::EnrichTask;
pub use entail::EntailTask;
pub use entail::EntailmentView;
pub use facts::{Extracted, FactsTask};
pub use gate::GateTask;
pub use model::{Llm, StoreLedger};
pub use quotation::{Quotation, QuotedWords, read_closely};
pub use select::Selected;
pub use select::{Choice, SelectTask};
pub use shape::ShapeTask;
pub use side_by_side::Performed;
pub use sum_up::{Said, SumUpTask, SummedUp, speaks};
pub(crate) use sum_up::{in_a_line, is_courtesy};
pub(crate) use summarise::built_in_summary;
pub use summarise::{LongText, SummariseTask};
pub use what_holds::{Stated, StatedPart, StatedWords};

use crate::config::{LlmConfig, WhenAway};
use crate::error::Error;
use crate::noun::method::{Method, ModelProblem};
use crate::prompt::Prompt;
use recordar_domain::text::TokenCounter;
use recordar_domain::{Action, Cancel, Stage};
use recordar_llm::{
    Account, Ceiling, Client, Error as ModelError, ErrorKind, ModelSettings, Operation, Output, Request, Schema, Turn,
};
use serde_json::Value;
use std::sync::Arc;

pub trait Task {
    type Reply;

    /// Also the name of the tool, if a model replies by calling one.
    const NAME: &'static str;
    /// Describes the reply to the model.
    const DESCRIPTION: &'static str;

    fn prompt(&self) -> Prompt;

    fn schema(&self) -> Value;

    fn max_output_tokens(&self) -> u32;

    /// Parses a reply that fits the schema. The error tells the model what the schema cannot.
    fn read(&self, value: &Value) -> Result<Self::Reply, String>;

    fn built_in(&self) -> Self::Reply;

    /// Checks a reply as a whole, if `read` handles its parts separately.
    fn held_to(&self) -> Option<Value> {
        None
    }

    fn request(&self) -> Request {
        let Prompt { system, user, .. } = self.prompt();
        Request {
            system,
            turns: vec![Turn::user(user)],
            output: Output::Json(Schema {
                name: Self::NAME.to_owned(),
                description: Self::DESCRIPTION.to_owned(),
                schema: self.schema(),
                held_to: self.held_to(),
            }),
            max_output_tokens: self.max_output_tokens(),
        }
    }
}

/// A reply, who gave it, and why it was not the model.
pub struct Done<R> {
    pub reply: R,
    pub method: Method,
    pub problem: Option<ModelProblem>,
    pub stage: Stage,
}

/// The model for a task, if one is configured and available.
pub struct Reasoner<'a> {
    pub client: Result<Option<&'a Client>, ModelError>,
    pub operation: &'a Operation,
    pub when_away: WhenAway,
}

impl Reasoner<'_> {
    pub fn perform<T: Task>(&self, task: &T) -> Result<Done<T::Reply>, Error> {
        self.done(task, self.asked(task, self.operation))
    }

    /// Calls the model, if there is one.
    pub fn asked<T: Task>(&self, task: &T, operation: &Operation) -> Option<Result<T::Reply, ModelError>> {
        let client = match &self.client {
            Ok(client) => (*client)?,
            Err(error) => return Some(Err(error.clone())),
        };
        // Once the model is known to be away, the rest of the operation does not wait for it again.
        if let Some(error) = operation.away() {
            return Some(Err(error.clone()));
        }
        let asked = client.structured(&task.request(), operation, &|value| task.read(value));
        if let Err(error) = &asked
            && !error.is_about_request()
            && error.kind != ErrorKind::Cancelled
        {
            operation.give_up(error);
        }
        Some(asked)
    }

    /// The model's reply, or the built-in result.
    fn done<T: Task>(&self, task: &T, asked: Option<Result<T::Reply, ModelError>>) -> Result<Done<T::Reply>, Error> {
        let mut stage = Stage::new(T::NAME);
        let Some(asked) = asked else {
            stage.decide("method", Action::Kept, "built_in", "no model is configured");
            return Ok(Done { reply: task.built_in(), method: Method::BuiltIn, problem: None, stage });
        };
        let name = self.model().map_or("model".to_owned(), |model| model.name.to_string());
        let error = match asked {
            Ok(reply) => {
                stage.decide("method", Action::Kept, "model", name);
                return Ok(Done { reply, method: Method::Model, problem: None, stage });
            }
            Err(error) => error,
        };
        if self.when_away == WhenAway::Error || error.kind == ErrorKind::Cancelled {
            return Err(error.into());
        }
        stage.decide(name, Action::Refused, error.code(), &error.what);
        stage.decide(
            "method",
            Action::Changed,
            "built_in",
            "the model is unavailable and llm.when_away is \"built_in\"",
        );
        let problem = Some(ModelProblem::from(&error));
        Ok(Done { reply: task.built_in(), method: Method::BuiltIn, problem, stage })
    }

    /// The model in use.
    pub fn model(&self) -> Option<&ModelSettings> {
        self.client.as_ref().ok().and_then(|client| Some(client.as_ref()?.model()))
    }
}

/// The configured model, if there is one, for the tasks of a call.
#[derive(Clone)]
pub struct Reasoning {
    llm: Option<Arc<Llm>>,
    cancel: Cancel,
    /// On whose account the model is called, beside the store's.
    account: Option<Account>,
}

impl Reasoning {
    pub fn new(llm: Option<Arc<Llm>>) -> Self {
        Self { llm, cancel: Cancel::default(), account: None }
    }

    /// Whether a model is configured.
    pub fn has_model(&self) -> bool {
        self.llm.is_some()
    }

    pub fn cancelled_by(&self, cancel: Cancel) -> Self {
        Self { cancel, ..self.clone() }
    }

    pub fn charged_to(&self, account: Option<Account>) -> Self {
        Self { account, ..self.clone() }
    }

    /// The configured model, or another of the same provider; nothing if none is configured.
    pub fn client_of(&self, model: Option<&str>) -> Result<Option<Arc<Client>>, ModelError> {
        self.llm.as_ref().map(|llm| llm.client_of(model)).transpose()
    }

    /// The model that is tried if another fails.
    pub fn fallback_model(&self) -> Option<&str> {
        self.config()?.fallback_model.as_deref()
    }

    /// One operation: it may call the model several times, within one spending limit.
    pub fn operation(&self) -> Operation {
        let ceiling = self.config().map_or(Ceiling::default(), |llm| llm.client.ceilings.operation);
        Operation::new(ceiling, self.cancel.clone()).charged_to(self.account.clone())
    }

    pub fn reasoner<'a>(&'a self, operation: &'a Operation) -> Reasoner<'a> {
        let client = self.llm.as_ref().map(|llm| llm.client().map(Arc::as_ref)).transpose();
        Reasoner { client, operation, when_away: self.when_away() }
    }

    pub fn when_away(&self) -> WhenAway {
        self.config().map_or(WhenAway::default(), |llm| llm.when_away)
    }

    pub fn max_output_tokens(&self) -> u32 {
        self.config().map_or(0, |llm| llm.max_output_tokens)
    }

    /// The token count of a task's prompt as the configured model gets it: with the schema, if the prompt must show it.
    pub fn prompt_tokens<T: Task>(&self, task: &T, counter: &TokenCounter) -> usize {
        let request = task.request();
        let structured = self.config().map(|llm| llm.remote.structured.unwrap_or(llm.profile.structured));
        let system = structured.map_or_else(|| request.system.clone(), |structured| request.shown_system(structured));
        counter.count(&system) + request.turns.iter().map(|turn| counter.count(&turn.text)).sum::<usize>()
    }

    fn config(&self) -> Option<&LlmConfig> {
        self.llm.as_ref().map(|llm| &llm.config)
    }
}
