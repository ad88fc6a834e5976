//! The part of a receipt that covers a composition: the pieces of its prompt and what they quote, so that it can be put together again; and
//! the model's answer, if it was sent.

use super::answer::{WhyAnswer, replaying};
use super::item_digest;
use super::sources::{MAX_EXCHANGES, MAX_TEXT_BYTES, MAX_TIME, Sources, modified, same_item};
use crate::compose::{ComposeRequest, ComposedFile, ComposedSection};
use crate::error::Error;
use crate::guard::Guard;
use crate::noun::method::Method;
use recordar_compose::{Cleared, Piece, SuperPrompt, cited};
use recordar_domain::{Cancel, Digest};
use recordar_llm::{Error as ModelError, Exchange, ModelSettings, Output, Request, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComposeReceipt {
    /// What was asked for.
    pub request: ComposeRequest,
    pub sections: Vec<ComposedSection>,
    pub files: Vec<ComposedFile>,
    /// The versions of the standing texts; 0 for one that was never set.
    pub versions: StandingVersions,
    /// The prompt, piece by piece.
    pub pieces: Vec<Piece>,
    /// The texts that the pieces quote, by their place.
    pub texts: Vec<ReceiptText>,
    /// Absent if the prompt was not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<SentReceipt>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandingVersions {
    pub rules: i64,
    pub project: i64,
    pub synonyms: i64,
}

/// A text that is quoted: a chunk, a message, or the chunks of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptText {
    /// The document, if it is an injected file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<i64>,
    pub parts: Vec<ReceiptPart>,
    /// Where instructions to a model were found in it, in bytes of the redacted text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<[usize; 2]>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptPart {
    pub item_id: i64,
    pub item_sha256: Digest,
    /// How many bytes at the beginning are left out: of a chunk, what it shares with the one before; of a summary, its title.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skip: usize,
}

/// What a model answered to the prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SentReceipt {
    pub model: ModelSettings,
    pub max_output_tokens: u32,
    /// What was sent in the place of the prompt, if somebody edited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
    pub exchanges: Vec<Exchange>,
    pub answer_sha256: Digest,
    pub citations: Vec<usize>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The items of all texts, at most.
pub(super) const MAX_COMPOSED: usize = 20_000;
impl ComposeReceipt {
    /// A receipt may come from anywhere, so it is checked before use.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut times: BTreeMap<i64, usize> = BTreeMap::new();
        self.item_ids().for_each(|id| *times.entry(id).or_default() += 1);
        if times.values().sum::<usize>() > MAX_COMPOSED {
            Err(format!("it holds more than {MAX_COMPOSED} items"))
        } else if times.values().any(|times| *times > 2) {
            // A chunk may be part of a packed file, and cited too.
            Err("it quotes an item more than twice".to_owned())
        } else if self.texts.iter().any(|text| text.parts.is_empty()) {
            Err("it quotes a text of nothing".to_owned())
        } else if self.sent.as_ref().is_some_and(|sent| sent.exchanges.len() > MAX_EXCHANGES) {
            Err(format!("it holds more than {MAX_EXCHANGES} replies"))
        } else {
            Ok(())
        }
    }

    pub(super) fn item_ids(&self) -> impl Iterator<Item = i64> {
        self.texts.iter().flat_map(|text| &text.parts).map(|part| part.item_id)
    }

    /// Puts the prompt together again, and the answer from the recorded replies; notes any differences.
    pub(super) fn compose_again(
        &self,
        (space, prompt_sha256): (&str, Digest),
        sources: Sources,
        guard: &Guard,
        differences: &mut Vec<String>,
    ) -> Result<(String, Option<WhyAnswer>), Error> {
        let wanted = self.item_ids().count();
        if sources.items.len() != wanted {
            differences.push(format!("{} of {wanted} items are available", sources.items.len()));
            return Ok((String::new(), None));
        }
        let mut items = sources.items.into_iter();
        let (mut texts, mut bytes, started) = (Vec::with_capacity(self.texts.len()), 0, Instant::now());
        for text in &self.texts {
            let mut whole = String::new();
            for part in &text.parts {
                let item = same_item(items.next().flatten(), (space, part.item_id), differences);
                let Some(item) = item else { continue };
                let is_same = item_digest(&item)? == part.item_sha256;
                match item.text.get(part.skip..).filter(|_| is_same) {
                    Some(rest) => whole.push_str(rest),
                    None => differences.push(modified(space, part.item_id)),
                }
            }
            bytes += whole.len();
            if bytes > MAX_TEXT_BYTES || started.elapsed() > MAX_TIME {
                let what = "the receipt quotes too much text, or its redaction patterns take too long";
                return Err(Error::input("receipt", what, "it was modified, or is from a newer version of Recordar"));
            }
            let instructions = text.instructions.iter().map(|[start, end]| *start..*end).collect();
            texts.push(guard.cleared_with(&whole, |_| instructions)?);
        }
        if !differences.is_empty() {
            differences.push("the prompt cannot be put together again: some of what it quotes is gone".to_owned());
            return Ok((String::new(), None));
        }
        self.put_together(&texts, prompt_sha256, differences)
    }

    fn put_together(
        &self,
        texts: &[Cleared],
        prompt_sha256: Digest,
        differences: &mut Vec<String>,
    ) -> Result<(String, Option<WhyAnswer>), Error> {
        let Some(prompt) = SuperPrompt::again(&self.pieces, texts, MAX_TEXT_BYTES) else {
            differences.push("the prompt cannot be put together again: it quotes what is not there".to_owned());
            return Ok((String::new(), None));
        };
        if Digest::of(&prompt) != prompt_sha256 {
            differences.push("the prompt differs from the original".to_owned());
        }
        let answer = self.sent.as_ref().and_then(|sent| sent.answer_again(&prompt, differences));
        Ok((prompt, answer))
    }
}

impl SentReceipt {
    fn answer_again(&self, prompt: &str, differences: &mut Vec<String>) -> Option<WhyAnswer> {
        let request = request_of(self.edited.as_deref().unwrap_or(prompt), self.max_output_tokens);
        let replayed = || -> Result<String, ModelError> {
            let client = replaying(&self.model, &self.exchanges)?;
            client.text(&request, &client.operation(Cancel::default()), None)
        };
        let answer = match replayed() {
            Ok(answer) => answer,
            Err(error) => {
                differences.push(format!("the recorded replies do not yield an answer: {error}"));
                return None;
            }
        };
        let cited = cited(&answer);
        if Digest::of(&answer) != self.answer_sha256 || self.citations.iter().any(|number| !cited.contains(number)) {
            differences.push("the answer differs from the original".to_owned());
        }
        let (model, citations) = (Some(self.model.name.to_string()), self.citations.clone());
        Some(WhyAnswer { answer, method: Method::Model, model, citations })
    }
}

/// How a prompt is sent: as what a user says, and nothing else.
pub fn request_of(prompt: &str, max_output_tokens: u32) -> Request {
    Request { system: String::new(), turns: vec![Turn::user(prompt)], output: Output::Text, max_output_tokens }
}
