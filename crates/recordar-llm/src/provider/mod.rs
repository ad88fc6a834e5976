//! Wire formats of providers: pure functions from a request to a body, and from a reply to a completion. Nothing here does I/O.

mod anthropic;
mod gemini;
mod openai;
mod schema;

use crate::request::{Completion, Finish, Output, Parameters, Request, Structured, Usage};
use crate::table::{Profile, Wire};
use serde_json::{Map, Value, json};

/// A request as it goes out; the key is added where it is sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outgoing {
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: Value,
}

pub(crate) struct Asking<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) request: &'a Request,
    pub(crate) parameters: Parameters,
    pub(crate) streams: bool,
}

impl Asking<'_> {
    pub(crate) fn outgoing(&self) -> Outgoing {
        match self.profile.wire {
            Wire::OpenAi => openai::outgoing(self),
            Wire::Anthropic => anthropic::outgoing(self),
            Wire::Gemini => gemini::outgoing(self),
        }
    }

    fn mode(&self) -> Option<Structured> {
        matches!(self.request.output, Output::Json(_)).then_some(self.profile.structured)
    }

    /// The system text, with the schema if the model must be shown it in the prompt.
    fn system(&self) -> String {
        self.request.shown_system(self.profile.structured)
    }

    /// The parameters that the model accepts.
    fn temperature(&self) -> Option<f64> {
        self.parameters.temperature.filter(|_| self.profile.takes_temperature)
    }

    fn seed(&self) -> Option<i64> {
        self.parameters.seed.filter(|_| self.profile.takes_seed)
    }
}

/// The header that carries the key.
pub(crate) fn key_header(wire: Wire, key: &str) -> (&'static str, String) {
    match wire {
        Wire::OpenAi => ("authorization", format!("Bearer {key}")),
        Wire::Anthropic => ("x-api-key", key.to_owned()),
        Wire::Gemini => ("x-goog-api-key", key.to_owned()),
    }
}

/// Parses a complete reply. The error says what is wrong with it.
pub(crate) fn completion(wire: Wire, body: &Value) -> Result<Completion, String> {
    let mut gathered = Gathered::default();
    match wire {
        Wire::OpenAi => openai::take_reply(&mut gathered, body),
        Wire::Anthropic => anthropic::take_reply(&mut gathered, body),
        Wire::Gemini => gemini::take_reply(&mut gathered, body),
    }?;
    gathered.completion()
}

/// A reply that is put together piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    text: String,
    /// The arguments of a tool, as JSON.
    arguments: String,
    tools: usize,
    refusal: String,
    finish: Option<Finish>,
    tokens_prompt: Option<u64>,
    tokens_completion: Option<u64>,
}

impl Gathered {
    /// Takes one event of a stream, and returns the new text.
    pub(crate) fn take_event(&mut self, wire: Wire, data: &str) -> Result<String, String> {
        if data.trim() == "[DONE]" {
            return Ok(String::new());
        }
        let event: Value = serde_json::from_str(data).map_err(|_| "an event of the stream is not JSON".to_owned())?;
        if let Some(message) = error_message(&event) {
            return Err(format!("the stream ended with an error: {message}"));
        }
        let before = (self.text.len(), self.arguments.len());
        match wire {
            Wire::OpenAi => openai::take_event(self, &event),
            Wire::Anthropic => anthropic::take_event(self, &event),
            Wire::Gemini => gemini::take_reply(self, &event),
        }?;
        Ok(format!("{}{}", &self.text[before.0..], &self.arguments[before.1..]))
    }

    pub(crate) fn completion(self) -> Result<Completion, String> {
        if self.tools > 1 {
            return Err(format!("it called {} tools instead of one", self.tools));
        }
        // Only this shows that a stream was cut off.
        let Some(finish) = self.finish else { return Err("the reply is incomplete".to_owned()) };
        let finish = if self.refusal.is_empty() { finish } else { Finish::Refused };
        let text = match finish {
            Finish::Refused if !self.refusal.is_empty() => self.refusal,
            _ if self.tools == 1 => self.arguments,
            _ => self.text,
        };
        // An incomplete usage is ignored: a missing count is not 0.
        let usage = self.tokens_prompt.zip(self.tokens_completion);
        let usage = usage.map(|(tokens_prompt, tokens_completion)| Usage { tokens_prompt, tokens_completion });
        Ok(Completion { text, finish, usage })
    }

    fn count(&mut self, tokens_prompt: Option<u64>, tokens_completion: Option<u64>) {
        // No call takes that many tokens, and no prompt has none: absurd counts are ignored.
        const MAX_CREDIBLE_TOKENS: u64 = 1_000_000_000;
        self.tokens_prompt =
            tokens_prompt.filter(|tokens| (1..MAX_CREDIBLE_TOKENS).contains(tokens)).or(self.tokens_prompt);
        self.tokens_completion =
            tokens_completion.filter(|tokens| *tokens < MAX_CREDIBLE_TOKENS).or(self.tokens_completion);
    }
}

/// A provider's error message, in any of their formats.
pub(crate) fn error_message(body: &Value) -> Option<String> {
    // Gemini's are in a list when streamed.
    let body = body.get(0).unwrap_or(body);
    let error = body.get("error").filter(|error| !error.is_null())?;
    let message = error.as_str().or_else(|| error.get("message")?.as_str()).or_else(|| body.get("message")?.as_str());
    Some(message.map_or_else(|| error.to_string(), str::to_owned))
}

/// An object of the values that are set.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(Map::from_iter(present))
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

fn number_at(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer)?.as_u64()
}

/// Arguments as JSON, or as a string of JSON.
fn arguments_text(arguments: &Value) -> String {
    arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned)
}

fn json_f64(number: f64) -> Value {
    // Providers are shown 0, not 0.0.
    if number == number.trunc() && number.abs() < 1e9 { json!(number as i64) } else { json!(number) }
}
