//! What a composition is asked for.

use crate::noun::rerank::Rerank;
use recordar_compose::{DEFAULT_CONTEXT_TOKENS, DEFAULT_HISTORY_TOKENS, DEFAULT_RECENT_TURNS, DEFAULT_THETA};
use recordar_domain::{Invalid, Timestamp};
use recordar_index::Mode;
use std::collections::BTreeSet;

pub const MAX_FILES: usize = 32;
pub const MAX_K: usize = 100;
pub const MAX_TURNS: usize = 20;
pub const MAX_PROMPT_TOKENS: usize = 1_000_000;
/// The tokens of a prompt, unless the caller says otherwise.
const DEFAULT_MAX_TOKENS: usize = 8_000;
/// The tokens of packed files together.
const DEFAULT_FILE_TOKENS: usize = 2_000;

/// The steps that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Injects files.
    A1,
    /// Shapes the prompt.
    A2,
    /// Gates what was retrieved.
    A3,
    /// Condenses it.
    A4,
}

impl Agent {
    pub const ALL: [Self; 4] = [Self::A1, Self::A2, Self::A3, Self::A4];

    pub fn name(self) -> &'static str {
        match self {
            Self::A1 => "a1",
            Self::A2 => "a2",
            Self::A3 => "a3",
            Self::A4 => "a4",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        let unknown = || Invalid::new(format!("{name:?} is not an agent"), "use a1, a2, a3 or a4");
        Self::ALL.into_iter().find(|agent| agent.name() == name).ok_or_else(unknown)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ComposeRequest {
    /// What the user asks.
    pub query: String,
    /// What kind of work it is, such as "code review".
    pub task: Option<String>,
    /// How to answer, such as "terse".
    pub mode: Option<String>,
    /// The conversation that it is part of.
    pub thread: Option<String>,
    /// Files to inject.
    pub files: Vec<String>,
    /// Nothing but the files is used.
    pub lock: bool,
    /// Files are packed into `file_tokens`, rather than injected whole.
    pub pack: bool,
    pub file_tokens: usize,
    /// Files that are not used, whatever they say.
    pub off: Vec<String>,
    pub k: usize,
    pub search_type: Mode,
    pub rerank: Option<Rerank>,
    pub theta: f64,
    pub turns: usize,
    pub history_tokens: usize,
    pub context_tokens: usize,
    /// More synonyms, each like `NVH = vehicle acoustics`.
    pub synonyms: Vec<String>,
    pub agents: BTreeSet<Agent>,
    pub max_tokens: usize,
    pub max_usd: Option<f64>,
    /// Whether to send the prompt to the configured model.
    pub send: bool,
    /// The prompt as somebody edited it, to be sent instead.
    pub prompt: Option<String>,
    pub as_of: Option<Timestamp>,
    pub asked_at: Option<Timestamp>,
}

impl ComposeRequest {
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            task: None,
            mode: None,
            thread: None,
            files: Vec::new(),
            lock: false,
            pack: false,
            file_tokens: DEFAULT_FILE_TOKENS,
            off: Vec::new(),
            k: 20,
            search_type: Mode::Hybrid,
            rerank: None,
            theta: DEFAULT_THETA,
            turns: DEFAULT_RECENT_TURNS,
            history_tokens: DEFAULT_HISTORY_TOKENS,
            context_tokens: DEFAULT_CONTEXT_TOKENS,
            synonyms: Vec::new(),
            agents: Agent::ALL.into_iter().collect(),
            max_tokens: DEFAULT_MAX_TOKENS,
            max_usd: None,
            send: false,
            prompt: None,
            as_of: None,
            asked_at: None,
        }
    }

    pub(crate) fn has(&self, agent: Agent) -> bool {
        self.agents.contains(&agent)
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let refuse = |what: &str, remedy: &str| Err(Invalid::new(what, remedy));
        if self.lock && self.files.is_empty() {
            return refuse(
                "lock needs a file: with it, only files are used",
                "name one with --file, or leave --lock out",
            );
        }
        if !self.files.is_empty() && !self.has(Agent::A1) {
            return refuse(
                "files are injected by agent a1, which is off",
                "add a1 to --agents, or leave the files out",
            );
        }
        if self.files.len() > MAX_FILES || self.off.len() > MAX_FILES {
            return Err(Invalid::new("too many files", format!("name at most {MAX_FILES}")));
        }
        if !(1..=MAX_K).contains(&self.k) {
            return Err(Invalid::new("k is out of range", format!("use a number from 1 to {MAX_K}")));
        }
        if self.turns > MAX_TURNS {
            return Err(Invalid::new("turns is out of range", format!("use a number from 0 to {MAX_TURNS}")));
        }
        if self.prompt.is_some() && !self.send {
            return refuse("an edited prompt is only for sending", "add --send, or leave --prompt out");
        }
        if !(0.0..=1.0).contains(&self.theta) {
            return refuse("theta is out of range", "use a number from 0 to 1");
        }
        if self.max_usd.is_some_and(|most| most.is_nan() || most < 0.0) {
            return refuse("max_usd is out of range", "use a number from 0 on");
        }
        let tokens = [self.max_tokens, self.history_tokens, self.context_tokens, self.file_tokens];
        if tokens.iter().any(|tokens| *tokens > MAX_PROMPT_TOKENS) || self.max_tokens == 0 || self.file_tokens == 0 {
            let what = "a number of tokens is out of range";
            return Err(Invalid::new(what, format!("use a number from 1 to {MAX_PROMPT_TOKENS}")));
        }
        Ok(())
    }
}
