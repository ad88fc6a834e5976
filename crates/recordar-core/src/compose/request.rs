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

    /// Whether it can work so.
    fn can_be(self, by: &By) -> bool {
        match (self, by) {
            (_, By::Rules) | (Self::A3, _) => true,
            (Self::A2 | Self::A4, by) => *by == By::Model,
            (Self::A1, _) => false,
        }
    }
}

/// Who does the work of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum By {
    Rules,
    /// The built-in judge.
    Judge,
    /// A reranker from a folder, by its name.
    Folder(String),
    /// The configured language model.
    Model,
}

const FOLDER: &str = "folder:";

impl TryFrom<String> for By {
    type Error = Invalid;

    fn try_from(name: String) -> Result<Self, Invalid> {
        match name.as_str() {
            "rules" => Ok(Self::Rules),
            "judge" => Ok(Self::Judge),
            "model" => Ok(Self::Model),
            other => match other.strip_prefix(FOLDER).map(str::trim).filter(|name| !name.is_empty()) {
                Some(name) => Ok(Self::Folder(name.to_owned())),
                None => Err(Invalid::new(
                    format!("{other:?} does no agent's work"),
                    "use rules, judge, model or folder:NAME",
                )),
            },
        }
    }
}

impl From<By> for String {
    fn from(by: By) -> Self {
        match by {
            By::Rules => "rules".to_owned(),
            By::Judge => "judge".to_owned(),
            By::Model => "model".to_owned(),
            By::Folder(name) => format!("{FOLDER}{name}"),
        }
    }
}

/// Which agents run, and who does their work.
pub type Agents = BTreeMap<Agent, By>;

/// Reads agents such as `a1`, `a3=judge`; several may be in one text, with commas between them.
pub fn parse_agents<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Agents, Invalid> {
    let mut agents = Agents::new();
    for text in texts.into_iter().flat_map(|texts| texts.split(',')).map(str::trim).filter(|text| !text.is_empty()) {
        let (name, by) = text.split_once('=').unwrap_or((text, "rules"));
        let agent = Agent::ALL.into_iter().find(|agent| agent.name() == name.trim());
        let unknown =
            || Invalid::new(format!("{text:?} is not an agent"), "use a1, a2, a3 or a4, or for example a3=judge");
        let (agent, by) = (agent.ok_or_else(unknown)?, By::try_from(by.trim().to_owned())?);
        if !agent.can_be(&by) {
            let what = format!("{} cannot be done by {}", agent.name(), by_name(&by));
            return Err(Invalid::new(what, "a1 works by rules, a2 and a4 by rules or model, a3 by all of them"));
        }
        if agents.insert(agent, by).is_some() {
            return Err(Invalid::new(format!("{} is named twice", agent.name()), "name each agent once"));
        }
    }
    Ok(agents)
}

fn by_name(by: &By) -> String {
    by.clone().into()
}

/// Receipts keep it: a field that is added later needs a default for those from before.
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
    /// Files are packed into `file_tokens`, rather than injected whole, which is the default.
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

    pub fn check(&self) -> Result<(), Invalid> {
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
        let tokens = [
            ("max_tokens", self.max_tokens, 1),
            ("file_tokens", self.file_tokens, 1),
            ("history_tokens", self.history_tokens, 0),
            ("context_tokens", self.context_tokens, 0),
        ];
        for (name, tokens, least) in tokens {
            if !(least..=MAX_PROMPT_TOKENS).contains(&tokens) {
                let remedy = format!("use a number from {least} to {MAX_PROMPT_TOKENS}");
                return Err(Invalid::new(format!("{name} is out of range"), remedy));
            }
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
        for wrong in ["a5", "a1=model", "a2=judge", "a3=", "=judge", "a4=folder:x", "a3=folder:", "a3,a3=judge"] {
            assert!(parse_agents([wrong]).is_err(), "{wrong}");
        }
    }
}
