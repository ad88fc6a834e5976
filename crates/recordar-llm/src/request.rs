//! Requests to a language model and its replies: plain data, the same for every provider.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelName {
    pub provider: String,
    pub model: String,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.provider, self.model)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Request {
    pub system: String,
    /// Starts with the user, and alternates.
    pub turns: Vec<Turn>,
    pub output: Output,
    pub max_output_tokens: u32,
}

impl Request {
    /// The system text as a model gets it: with the schema, if the prompt must show it.
    pub fn shown_system(&self, structured: Structured) -> String {
        match (&self.output, structured) {
            (Output::Json(schema), Structured::Prompted) => {
                let shown = serde_json::to_string_pretty(&schema.schema).unwrap_or_default();
                format!("{}\n\nReply with JSON that fits this schema, and with nothing else:\n{shown}", self.system)
            }
            _ => self.system.clone(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Turn {
    pub speaker: Speaker,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    User,
    Model,
}

impl Turn {
    pub fn user(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::User, text: text.into() }
    }

    pub fn model(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::Model, text: text.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    Text,
    Json(Schema),
}

/// A JSON schema with a name, which is also the tool's name if the model calls one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Schema {
    pub name: String,
    pub description: String,
    pub schema: Value,
    /// The schema that a whole reply must match, if it is looser than the one shown to the model: the reader checks the parts.
    #[serde(skip)]
    pub held_to: Option<Value>,
}

/// How a model is made to reply with JSON that matches a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// The provider's own mode for JSON schemas.
    Native,
    /// A tool that it must call.
    Tool,
    /// The schema in the prompt.
    Prompted,
}

impl Structured {
    pub const ALL: [Self; 3] = [Self::Native, Self::Tool, Self::Prompted];

    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Tool => "tool",
            Self::Prompted => "prompted",
        }
    }
}

/// Sampling parameters. In deterministic mode the temperature is 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Parameters {
    /// The model's default if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
}

/// A reply: the text, or the arguments of the tool as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Completion {
    pub text: String,
    pub finish: Finish,
    /// As counted by the provider; none if it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    Stop,
    /// The token limit was reached.
    Length,
    /// The provider or the model refused.
    Refused,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    pub tokens_prompt: u64,
    pub tokens_completion: u64,
}

impl Usage {
    pub fn total(self) -> u64 {
        self.tokens_prompt.saturating_add(self.tokens_completion)
    }
}
