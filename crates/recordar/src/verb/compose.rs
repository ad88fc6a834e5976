//! `compose`.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::flow;
use recordar_core::compose::{ComposeRequest, ComposeResult, MAX_K, MAX_PROMPT_TOKENS, MAX_TURNS, parse_agents};
use recordar_core::error::Error;
use recordar_core::noun::rerank::Rerank;
use recordar_domain::{Invalid, SpaceName, Timestamp};
use recordar_index::Mode;
use schemars::JsonSchema;
use serde::Deserialize;

impl Recordar {
    /// Composes a prompt: rules, project memory, files, a condensed context and history, in a fixed order.
    pub fn compose(&self, space: &SpaceName, request: &ComposeRequest) -> Result<ComposeResult, Error> {
        self.showing(|memory| flow::compose::compose(memory, space, request, None))
    }

    /// The same, and gives the answer to `on_text` while it comes in. Where redaction is on, it comes with the result only.
    pub fn compose_streaming(
        &self,
        space: &SpaceName,
        request: &ComposeRequest,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<ComposeResult, Error> {
        self.showing(|memory| flow::compose::compose(memory, space, request, Some(on_text)))
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ComposeArguments {
    /// What to ask the model.
    query: String,
    /// What kind of work it is, such as "code review".
    task: Option<String>,
    /// How to answer, such as "terse, for experts".
    mode: Option<String>,
    /// The conversation that it continues. Its last turns are shown word for word.
    thread: Option<String>,
    /// A document to inject, by path, file name or id.
    #[serde(default)]
    file: Vec<String>,
    /// Use the injected files, and neither other documents nor earlier history.
    #[serde(default)]
    lock: bool,
    /// Inject files whole, which is the default; one that does not fit is refused.
    #[serde(default)]
    full: bool,
    /// Pack the files into file_tokens, instead of injecting them whole. The prompt says what was left out.
    #[serde(default)]
    pack: bool,
    /// Tokens of packed files together; default 2000.
    #[schemars(range(min = 1, max = MAX_PROMPT_TOKENS))]
    file_tokens: Option<usize>,
    /// A document not to use.
    #[serde(default)]
    off: Vec<String>,
    /// How many chunks to retrieve; default 20.
    #[schemars(range(min = 1, max = MAX_K))]
    k: Option<usize>,
    /// keyword, semantic or hybrid; default hybrid.
    #[schemars(with = "Option<String>", extend("enum" = ["keyword", "semantic", "hybrid"]))]
    search_type: Option<Mode>,
    /// Reranker: off, judge or folder:NAME. If omitted, recall.rerank in the configuration applies; if that is not set, the judge is used.
    rerank: Option<Rerank>,
    /// Strictness of the gate, from 0 (keep everything) to 1; default 0.15 by rules, 0.02 by the judge, 0.2 by the model.
    #[schemars(range(min = 0, max = 1))]
    theta: Option<f64>,
    /// How many of the last turns are always shown; default 4.
    #[schemars(range(min = 0, max = MAX_TURNS))]
    turns: Option<usize>,
    /// Tokens of earlier history; default 800.
    #[schemars(range(min = 0, max = MAX_PROMPT_TOKENS))]
    history_tokens: Option<usize>,
    /// Tokens of facts and constraints; default 1500.
    #[schemars(range(min = 0, max = MAX_PROMPT_TOKENS))]
    context_tokens: Option<usize>,
    /// Words that mean the same, in addition to those of the space: "NVH = vehicle acoustics".
    #[serde(default)]
    synonyms: Vec<String>,
    /// Which agents run: a1 (injects files), a2 (shapes the prompt), a3 (gates what was retrieved), a4 (condenses it). They work by rules; `a2=model`,
    /// `a3=judge`, `a3=folder:NAME`, `a3=model` and `a4=model` ask the judge, a model from a folder or the configured language model. If omitted, compose.agents in the configuration applies.
    #[serde(default)]
    agents: Vec<String>,
    /// Refuse a prompt of more tokens; default 8000.
    #[schemars(range(min = 1, max = MAX_PROMPT_TOKENS))]
    max_tokens: Option<usize>,
    /// Refuse a prompt that could cost more, in US dollars.
    #[schemars(range(min = 0))]
    max_usd: Option<f64>,
    /// Another model of the configured provider, to send the prompt to.
    model: Option<String>,
    /// Send the prompt to the configured model, and show its answer.
    #[serde(default)]
    send: bool,
    /// With send: the prompt as you edited it, to be sent instead.
    prompt: Option<String>,
    /// Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
    receipt: Option<bool>,
    /// When it is asked, to interpret "last week" and the like; by default as_of, or now.
    asked_at: Option<Timestamp>,
    /// Compose from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
    as_of: Option<Timestamp>,
}

impl ComposeArguments {
    fn request(self) -> Result<ComposeRequest, Invalid> {
        if self.full && self.pack {
            return Err(Invalid::new("files are either whole or packed", "leave out full or pack"));
        }
        let defaults = ComposeRequest::new(&self.query);
        let agents = parse_agents(self.agents.iter().map(String::as_str))?;
        Ok(ComposeRequest {
            task: self.task,
            mode: self.mode,
            thread: self.thread,
            files: self.file,
            lock: self.lock,
            pack: self.pack,
            file_tokens: self.file_tokens.unwrap_or(defaults.file_tokens),
            off: self.off,
            k: self.k.unwrap_or(defaults.k),
            search_type: self.search_type.unwrap_or(defaults.search_type),
            rerank: self.rerank,
            theta: self.theta,
            model: self.model,
            turns: self.turns.unwrap_or(defaults.turns),
            history_tokens: self.history_tokens.unwrap_or(defaults.history_tokens),
            context_tokens: self.context_tokens.unwrap_or(defaults.context_tokens),
            synonyms: self.synonyms,
            agents: (!agents.is_empty()).then_some(agents),
            max_tokens: self.max_tokens.unwrap_or(defaults.max_tokens),
            max_usd: self.max_usd,
            send: self.send,
            prompt: self.prompt,
            receipt: self.receipt,
            as_of: self.as_of,
            asked_at: self.asked_at,
            ..defaults
        })
    }
}

impl Verb for ComposeArguments {
    const NAME: &'static str = "compose";
    const ABOUT: &'static str = "Compose a prompt from rules, project memory, files, documents and history, in a fixed order \
        of authority, within a token budget, and say why each part is there.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = ComposeResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ComposeResult, Error> {
        let request = self.request()?;
        match call.on_text.take() {
            Some(on_text) => memory.compose_streaming(call.space(), &request, on_text),
            None => memory.compose(call.space(), &request),
        }
    }
}
