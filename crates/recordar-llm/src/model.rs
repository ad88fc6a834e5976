//! The one trait of a chat model. Providers over HTTP, recorded replies and whatever a user adds are all the same behind it.

use crate::error::Failure;
use crate::request::{Completion, ModelName, Parameters, Request, Structured};
use recordar_domain::{Cancel, Digest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What decides the reply to a request, beside the request: recorded with every reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSettings {
    #[serde(flatten)]
    pub name: ModelName,
    pub structured: Structured,
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// How a call may be given up, and who hears a reply while it comes in.
pub struct Call<'a> {
    pub cancel: &'a Cancel,
    pub on_text: Option<&'a mut dyn FnMut(&str)>,
}

pub trait ChatModel: Send + Sync {
    fn settings(&self) -> &ModelSettings;

    fn complete(&self, request: &Request, call: &mut Call<'_>) -> Result<Completion, Failure>;

    /// More tokens than the prompt can have. No tokenizer makes more tokens than there are bytes, save what it puts around texts.
    fn most_prompt_tokens(&self, request: &Request) -> u64 {
        serde_json::to_vec(request).map_or(u64::MAX, |bytes| bytes.len() as u64 + AROUND_TOKENS)
    }

    /// The reply to the request of that digest, where it is known already and costs nothing.
    fn recorded(&self, _request_sha256: Digest) -> Option<Completion> {
        None
    }
}

/// What chat templates add: roles, separators, a system text of their own.
pub(crate) const AROUND_TOKENS: u64 = 128;

/// What a recorded reply is known by.
pub fn request_digest(settings: &ModelSettings, request: &Request) -> Digest {
    let both = serde_json::json!({"settings": settings, "request": request});
    let mut text = String::new();
    write_sorted(&both, &mut text);
    Digest::of(text)
}

/// JSON with the names of every object in order, however they are kept in memory.
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
