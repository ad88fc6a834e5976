//! The trait of chat models: providers over HTTP, recorded replies and users' own.

use crate::error::Failure;
use crate::request::{Completion, ModelName, Parameters, Request, Structured};
use recordar_domain::{Cancel, Digest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The settings that affect a reply besides the request: recorded with every reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSettings {
    #[serde(flatten)]
    pub name: ModelName,
    pub structured: Structured,
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// How a call is cancelled, and who receives a reply while it streams in.
pub struct Call<'a> {
    pub cancel: &'a Cancel,
    pub on_text: Option<&'a mut dyn FnMut(&str)>,
}

pub trait ChatModel: Send + Sync {
    fn settings(&self) -> &ModelSettings;

    fn complete(&self, request: &Request, call: &mut Call<'_>) -> Result<Completion, Failure>;

    /// An upper bound of the prompt's tokens. No tokenizer makes more tokens than there are bytes, except for what templates add.
    fn most_prompt_tokens(&self, request: &Request) -> u64 {
        serde_json::to_vec(request).map_or(u64::MAX, |bytes| bytes.len() as u64 + TEMPLATE_TOKENS)
    }

    /// The reply to the request with that digest, if it is already known and costs nothing.
    fn recorded(&self, _request_sha256: Digest) -> Option<Completion> {
        None
    }
}

/// The overhead of chat templates: roles, separators, a system text.
pub(crate) const TEMPLATE_TOKENS: u64 = 128;

/// The key of a recorded reply.
pub fn request_digest(settings: &ModelSettings, request: &Request) -> Digest {
    let both = serde_json::json!({"settings": settings, "request": request});
    let mut text = String::new();
    write_sorted(&both, &mut text);
    Digest::of(text)
}

/// JSON with the keys of every object sorted, however they are stored in memory.
fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in fields {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_sorted(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for value in list {
                write_sorted(value, text);
                text.push(',');
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}
