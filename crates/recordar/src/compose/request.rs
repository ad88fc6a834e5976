//! What a composition is asked for.

use crate::noun::rerank::Rerank;
use recordar_compose::{DEFAULT_CONTEXT_TOKENS, DEFAULT_HISTORY_TOKENS, DEFAULT_RECENT_TURNS};
use recordar_domain::{Invalid, Timestamp};
use recordar_index::Mode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const MAX_FILES: usize = 32;
pub const MAX_K: usize = 100;
pub const MAX_TURNS: usize = 20;
pub const MAX_PROMPT_TOKENS: usize = 1_000_000;
/// The tokens of a prompt, unless the caller says otherwise.
const DEFAULT_MAX_TOKENS: usize = 8_000;
/// The tokens of packed files together.
const DEFAULT_FILE_TOKENS: usize = 2_000;

/// The steps that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
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

    /// Who can do its work.
    fn can_be(self) -> &'static [By] {
        match self {
            Self::A1 => &[By::Rules],
            Self::A2 | Self::A4 => &[By::Rules, By::Model],
            Self::A3 => &[By::Rules, By::Judge, By::Model],
        }
    }
}

/// Who does the work of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    Rules,
    /// The built-in judge.
    Judge,
    /// The configured language model.
    Model,
}

impl By {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Judge => "judge",
            Self::Model => "model",
        }
    }
}

/// Which agents run, and who does their work.
pub type Agents = BTreeMap<Agent, By>;

/// Reads agents such as `a1`, `a3=judge`; several may be in one text, with commas between them.
pub fn parse_agents<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Agents, Invalid> {
    let mut agents = Agents::new();
    for text in texts.into_iter().flat_map(|texts| texts.split(',')).map(str::trim).filter(|text| !text.is_empty()) {
        let (name, by) = text.split_once('=').unwrap_or((text, By::Rules.name()));
        let agent = Agent::ALL.into_iter().find(|agent| agent.name() == name.trim());
        let unknown =
            || Invalid::new(format!("{text:?} is not an agent"), "use a1, a2, a3 or a4, or for example a3=judge");
        let agent = agent.ok_or_else(unknown)?;
        let found = agent.can_be().iter().find(|known| known.name() == by.trim());
        let by = found.copied().ok_or_else(|| {
            let all: Vec<&str> = agent.can_be().iter().map(|by| by.name()).collect();
            Invalid::new(format!("{text:?}: {} cannot work so", agent.name()), format!("use one of {}", all.join(", ")))
        })?;
        agents.insert(agent, by);
    }
    Ok(agents)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The strictness of the gate, from 0 to 1; absent for the default of whoever does its work.
    pub theta: Option<f64>,
    /// Another model of the configured provider, to send the prompt to.
    pub model: Option<String>,
    pub turns: usize,
    pub history_tokens: usize,
    pub context_tokens: usize,
    /// More synonyms, each like `NVH = vehicle acoustics`.
    pub synonyms: Vec<String>,
    /// None for those of the configuration.
    pub agents: Option<Agents>,
    pub max_tokens: usize,
    pub max_usd: Option<f64>,
    /// Whether to send the prompt to the configured model.
    #[serde(skip)]
    pub send: bool,
    /// The prompt as somebody edited it, to be sent instead.
    #[serde(skip)]
    pub prompt: Option<String>,
    /// Whether to keep a receipt; as configured if it is absent.
    #[serde(skip)]
    pub receipt: Option<bool>,
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
            theta: None,
            model: None,
            turns: DEFAULT_RECENT_TURNS,
            history_tokens: DEFAULT_HISTORY_TOKENS,
            context_tokens: DEFAULT_CONTEXT_TOKENS,
            synonyms: Vec::new(),
            agents: None,
            max_tokens: DEFAULT_MAX_TOKENS,
            max_usd: None,
            send: false,
            prompt: None,
            receipt: None,
            as_of: None,
            asked_at: None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let refuse = |what: &str, remedy: &str| Err(Invalid::new(what, remedy));
        if self.lock && self.files.is_empty() {
            return refuse(
                "lock needs a file: with it, only files are used",
                "name one with --file, or leave --lock out",
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
        if self.theta.is_some_and(|theta| !(0.0..=1.0).contains(&theta)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_agents_are_named_alone_or_with_who_does_their_work() {
        let agents = parse_agents(["a1, a3=judge", "a4 = model"]).unwrap();
        assert_eq!(agents, Agents::from([(Agent::A1, By::Rules), (Agent::A3, By::Judge), (Agent::A4, By::Model)]));
        for wrong in ["a5", "a1=model", "a2=judge", "a3=", "=judge"] {
            assert!(parse_agents([wrong]).is_err(), "{wrong}");
        }
    }
}
