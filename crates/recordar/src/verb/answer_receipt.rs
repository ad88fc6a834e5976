//! The part of a receipt that covers an answer: everything needed to give the same answer again without a network.

use crate::noun::memory::MemoryEntry;
use crate::noun::method::{Method, ModelProblem};
use crate::reason::{ANSWER_PROMPT, Answer, AnswerTask, Evidence, Task};
use recordar_domain::text::Language;
use recordar_domain::{Cancel, Digest, Invalid, Timestamp};
use recordar_llm::{Ceilings, Client, ClientSettings, Exchange, MemoryLedger, ModelSettings, Recorded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerReceipt {
    pub method: Method,
    /// The model that answered, with its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSettings>,
    /// Why the configured model did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ModelProblem>,
    /// The prompt file.
    pub prompt: String,
    pub language: String,
    pub max_output_tokens: u32,
    /// How many memories, counted from the first, the answer was made from.
    pub passages: usize,
    /// Every reply of the model, by the digest of its request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<Exchange>,
    pub answer_sha256: Digest,
    pub citations: Vec<usize>,
}

/// An answer reproduced from its receipt.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WhyAnswer {
    pub answer: String,
    pub method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub citations: Vec<usize>,
}

/// The most replies that one answer can use.
const MAX_EXCHANGES: usize = 64;

impl AnswerReceipt {
    /// A receipt may come from anywhere, so it is checked before use.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.exchanges.len() > MAX_EXCHANGES {
            Err(format!("it holds more than {MAX_EXCHANGES} replies"))
        } else if (self.method == Method::Model) != self.model.is_some() {
            Err("it does not name the model or method that answered".to_owned())
        } else if self.method == Method::Nothing || Language::parse(&self.language).is_err() {
            Err("it is not the receipt of an answer".to_owned())
        } else {
            Ok(())
        }
    }

    /// Reproduces the answer from the same memories and the recorded replies, and notes any differences.
    pub(super) fn answer_again(
        &self,
        question: &str,
        memories: &[MemoryEntry],
        differences: &mut Vec<String>,
    ) -> Result<Option<WhyAnswer>, Invalid> {
        if self.prompt != ANSWER_PROMPT {
            differences.push("the answer cannot be reproduced: the prompt has changed since".to_owned());
            return Ok(None);
        }
        let Some(passages) = memories.get(..self.passages) else {
            differences.push("the answer cannot be reproduced: some memories are gone".to_owned());
            return Ok(None);
        };
        let language = Language::parse(&self.language)?;
        let (passages, max_output_tokens) = (Evidence::of_memories(passages), self.max_output_tokens);
        let task = AnswerTask { question, passages: &passages, helpers: None, language, max_output_tokens };
        let Answer { text, citations } = match &self.model {
            None => task.built_in(),
            Some(model) => match self.replay(model, &task) {
                Ok(answer) => answer,
                Err(error) => {
                    differences.push(format!("the recorded replies do not yield an answer: {error}"));
                    return Ok(None);
                }
            },
        };
        if Digest::of(&text) != self.answer_sha256 || citations != self.citations {
            differences.push("the answer differs from the original".to_owned());
        }
        let model = self.model.as_ref().map(|model| model.name.to_string());
        Ok(Some(WhyAnswer { answer: text, method: self.method, model, citations }))
    }

    fn replay(&self, model: &ModelSettings, task: &AnswerTask<'_>) -> Result<Answer, recordar_llm::Error> {
        let recorded = Recorded::replay(model.clone(), self.exchanges.clone());
        let settings = ClientSettings {
            retries: 0,
            retry_wait: Duration::ZERO,
            repairs: MAX_EXCHANGES as u32,
            concurrency: 1,
            patience: Duration::ZERO,
            ceilings: Ceilings::default(),
        };
        // The time of a replay appears nowhere in the result.
        let clock = Arc::new(|| Timestamp::from_micros(0));
        let client = Client::new(Box::new(recorded), None, settings, Arc::new(MemoryLedger::default()), clock)?;
        client.structured(&task.request(), &client.operation(Cancel::default()), &|value| task.read(value))
    }
}
