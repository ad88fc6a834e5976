//! The configured models: capabilities, costs, and whether they work.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::config::{LlmConfig, ModelFolder, WhenAway};
use recordar_core::error::Error;
use recordar_core::guard::{Evidence, SafeText};
use recordar_core::judges::refused;
use recordar_core::noun::method::ModelProblem;
use recordar_core::reason::{
    AnswerTask, BuiltInAnswer, Choice, ClassifyTask, HelperTask, LongText, Reasoner, SelectTask, Source, StoreLedger,
    SummariseTask, Task, TextToClassify,
};
use recordar_judge::Judge;
use recordar_llm::{
    CallReport, Ceilings, ChatModel, Client, ErrorKind, Estimate, Ledger, ModelSettings, Remote, Spend, day_of,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The models of a memory.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelsReport {
    /// The embedder of the store.
    pub embedder: String,
    pub dimension: usize,
    /// `built_in`; or `given` by this program, or `not_given`: then searches are by words only.
    pub embedder_source: &'static str,
    /// The embedder that was given by this program, whether the store uses it or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_embedder: Option<String>,
    /// The embedder that the store is being moved to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_embedder: Option<String>,
    /// The tokenizer, and the model it counts for.
    pub tokenizer: String,
    pub tokens_of: String,
    /// The judge that comes with the program.
    pub judge: JudgeReport,
    /// The registered models from folders of this machine, by name.
    pub model_folders: Vec<ModelFolder>,
    /// Absent if none is configured: then answers are quoted from stored text.
    pub llm: Option<LlmReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JudgeReport {
    pub name: String,
    pub sha256: String,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LlmReport {
    #[serde(flatten)]
    pub settings: ModelSettings,
    /// Where requests go.
    pub base_url: String,
    pub key: KeyState,
    /// The environment variable the key is read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// `table`, or `configuration`.
    pub structured_by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceView>,
    pub max_output_tokens: u32,
    pub ceilings: Ceilings,
    /// By all users of this database, per UTC day.
    pub spent_today: Spend,
    /// `error` or `built_in`.
    pub when_away: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cassette: Option<String>,
    /// The model that is tried if this one fails to answer a composed prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_model: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    Set,
    Missing,
    NotNeeded,
}

/// In US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PriceView {
    pub prompt_usd: f64,
    pub completion_usd: f64,
    /// When these prices were checked.
    pub dated: String,
}

/// The result of testing the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelsTest {
    pub model: Option<String>,
    pub passed: bool,
    pub tasks: Vec<TaskTest>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TaskTest {
    pub task: &'static str,
    pub passed: bool,
    /// The reply; empty in a dry run.
    pub reply: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ModelProblem>,
    pub responses: Vec<CallReport>,
    /// The maximum token count.
    pub estimate: Estimate,
}

const SAMPLE: &str =
    "The lamp of the lighthouse is cleaned every morning. The oil is changed on Mondays. Boats come on Tuesdays.";
const SAMPLE_QUESTION: &str = "When is the oil of the lamp changed?";
const SAMPLE_CHARS: usize = 60;

impl Recordar {
    pub fn models(&self) -> Result<ModelsReport, Error> {
        let (current, pending) = self.embedders()?;
        let judge = Judge::shipped().map_err(|error| refused(&error))?;
        let given = self.indexes.given().map(|own| own.model());
        Ok(ModelsReport {
            embedder: current.model.name().to_owned(),
            dimension: current.model.dimension(),
            embedder_source: match &given {
                _ if !current.model.is_own() => "built_in",
                Some(given) if *given == current.model => "given",
                _ => "not_given",
            },
            given_embedder: given.map(|given| given.name().to_owned()),
            pending_embedder: pending.map(|pending| pending.model.name().to_owned()),
            tokenizer: self.counter.name().to_owned(),
            tokens_of: self.config.model.clone(),
            judge: JudgeReport { name: judge.name().to_owned(), sha256: judge.hash().to_owned(), bytes: judge.bytes() },
            model_folders: self.judges.folders.list()?,
            llm: self.config.llm.as_ref().map(|llm| self.llm_report(llm)).transpose()?,
        })
    }

    fn llm_report(&self, config: &LlmConfig) -> Result<LlmReport, Error> {
        let LlmConfig {
            profile, remote, key_env, client, max_output_tokens, when_away, cassette, fallback_model, ..
        } = config;
        let model = Remote::new(profile.clone(), remote.clone())?;
        let key = match (&remote.key, key_env) {
            (Some(_), _) => KeyState::Set,
            (None, Some(_)) => KeyState::Missing,
            (None, None) => KeyState::NotNeeded,
        };
        let usd = |pico: u64| pico as f64 / 1e6;
        let ledger = StoreLedger(Arc::clone(&self.store));
        Ok(LlmReport {
            settings: model.settings().clone(),
            base_url: model.shown_url(),
            key,
            key_env: key_env.clone(),
            structured_by: if remote.structured.is_some() { "configuration" } else { "table" },
            price: profile.price.as_ref().map(|price| PriceView {
                prompt_usd: usd(price.prompt_pico_usd),
                completion_usd: usd(price.completion_pico_usd),
                dated: price.dated.clone(),
            }),
            max_output_tokens: *max_output_tokens,
            ceilings: client.ceilings,
            spent_today: ledger.spent(day_of((self.clock)()))?,
            when_away: if *when_away == WhenAway::Error { "error" } else { "built_in" },
            cassette: cassette.as_ref().map(|cassette| cassette.path.display().to_string()),
            fallback_model: fallback_model.clone(),
        })
    }

    /// Performs every task once with the configured model, on a three-sentence text; or estimates the cost.
    pub fn test_models(&self, is_dry_run: bool) -> Result<ModelsTest, Error> {
        let operation = self.reasoning.operation();
        let Some(client) = self.reasoning.reasoner(&operation).client? else {
            return Ok(ModelsTest { model: None, passed: true, tasks: Vec::new() });
        };
        let (text, question) = (SafeText::given(SAMPLE), SafeText::given(SAMPLE_QUESTION));
        let notes = SafeText::given("Notes from a lighthouse.");
        let max_output_tokens = self.reasoning.max_output_tokens();
        let passages = [sample()];
        let answer = AnswerTask {
            question: &question,
            passages: &passages,
            helpers: None,
            language: self.config.language,
            max_output_tokens,
            accepts_any_length: true,
            built_in: BuiltInAnswer::WhatHolds,
        };
        let chunks = [LongText { id: 1, text: text.clone(), target_chars: SAMPLE_CHARS }];
        let summarise = SummariseTask {
            chunks: &chunks,
            is_retry: false,
            is_length_checked: true,
            most_output_tokens: max_output_tokens,
        };
        let reasoner = Reasoner { client: Ok(Some(client)), operation: &operation, when_away: WhenAway::Error };
        let language = self.config.language;
        let most_output_tokens = max_output_tokens;
        let source = Source {
            filename: SafeText::given("lamp.md"),
            title: None,
            headings: Vec::new(),
            beginning: text.clone(),
            topic: None,
        };
        let helper = HelperTask { source: &source, most_output_tokens };
        let names = ["Lamps", "Boats"].map(str::to_owned);
        let classify = ClassifyTask {
            helper: &notes,
            path: Vec::new(),
            depth: 1,
            options: names.to_vec(),
            may_create: true,
            chunks: vec![TextToClassify { id: 1, text: &text, section: None }],
            is_retry: false,
            language,
            most_output_tokens,
        };
        let select = SelectTask {
            question: &question,
            path: Vec::new(),
            depth: 1,
            options: names.map(|name| Choice { name, below: String::new(), found: 0.0 }).into(),
            n: 1,
            language,
            most_output_tokens,
        };
        let tasks = vec![
            test_task(&reasoner, client, &helper, is_dry_run, |fields| fields.paragraph())?,
            test_task(&reasoner, client, &classify, is_dry_run, |names| {
                names.into_iter().map(|name| name.unwrap_or_else(|why| why)).collect()
            })?,
            test_task(&reasoner, client, &select, is_dry_run, |selected| selected[0].category.clone())?,
            test_task(&reasoner, client, &summarise, is_dry_run, |summaries| summaries[0].text.clone())?,
            test_task(&reasoner, client, &answer, is_dry_run, |answer| {
                format!("{} {:?}", answer.text, answer.citations)
            })?,
        ];
        let passed = tasks.iter().all(|task| task.passed);
        Ok(ModelsTest { model: Some(client.model().name.to_string()), passed, tasks })
    }
}

fn test_task<T: Task>(
    reasoner: &Reasoner<'_>,
    client: &Client,
    task: &T,
    is_dry_run: bool,
    show: impl Fn(T::Reply) -> String,
) -> Result<TaskTest, Error> {
    let estimate = client.estimate(&task.request());
    let empty =
        TaskTest { task: T::NAME, passed: true, reply: String::new(), problem: None, responses: Vec::new(), estimate };
    if is_dry_run {
        return Ok(empty);
    }
    let before = reasoner.operation.calls().len();
    let tested = match reasoner.perform(task) {
        Ok(done) => TaskTest { reply: show(done.reply), ..empty },
        Err(Error::Model(error)) if error.kind != ErrorKind::Cancelled => {
            TaskTest { passed: false, problem: Some(ModelProblem::from(&error)), ..empty }
        }
        Err(error) => return Err(error),
    };
    Ok(TaskTest { responses: reasoner.operation.calls().split_off(before), ..tested })
}

fn sample() -> Evidence {
    let time = recordar_domain::Timestamp::from_micros(0);
    Evidence::given("from lamp.md", time, SAMPLE)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ModelsArguments {}

impl Verb for ModelsArguments {
    const NAME: &'static str = "models";
    const ABOUT: &'static str =
        "Show the configured models and model folders, their capabilities and prices, and today's spending.";
    const EFFECT: Effect = Effect::Reads;
    /// Spending is summed over all spaces.
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = ModelsReport;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<ModelsReport, Error> {
        memory.models()
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TestModelsArguments {
    /// Only estimate the maximum cost; no model is called.
    #[serde(default)]
    dry_run: bool,
}

impl Verb for TestModelsArguments {
    const NAME: &'static str = "test_models";
    const ABOUT: &'static str = "Test the configured language model: run every task once on a three-sentence text.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = true;
    type Reply = ModelsTest;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<ModelsTest, Error> {
        memory.test_models(self.dry_run)
    }
}
