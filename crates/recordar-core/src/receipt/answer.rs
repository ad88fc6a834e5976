//! The part of a receipt that covers an answer: everything needed to give the same answer again without a network.

use super::item_digest;
use super::sources::{MAX_EXCHANGES, MAX_TEXT_BYTES, MAX_TIME, Sources, modified, same_item};
use crate::error::Error;
use crate::guard::{Evidence, Guard, SafePassage, SafeText};
use crate::noun::chunk::QueryChunk;
use crate::noun::limits::MAX_CHUNKS;
use crate::noun::method::{Method, ModelProblem};
use crate::reason::{Answer, AnswerTask, BuiltInAnswer, Quotation, Stated, Task, built_in_summary};
use recordar_domain::text::Language;
use recordar_domain::{Cancel, Digest, Timestamp};
use recordar_llm::{Ceilings, Client, ClientSettings, Exchange, MemoryLedger, ModelSettings, Recorded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    /// Whether replies were accepted at any length. In earlier receipts, longer ones than the model was told were refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepts_any_length: bool,
    /// Whether the built-in answer quotes passages. Earlier ones joined sentences.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quotes: bool,
    /// Whether a quotation keeps to a section, and of a chat to one's own messages, the newest first. Earlier ones did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quotes_sections: bool,
    /// What the built-in answer says of what holds, if it does so rather than quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Stated>,
    /// The words that the built-in answer quotes; earlier receipts do not keep them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quoted: Option<Quotation>,
    /// How many memories, counted from the first, the answer was made from.
    pub passages: usize,
    /// Every reply of the model, by the digest of its request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<Exchange>,
    pub answer_sha256: Digest,
    pub citations: Vec<usize>,
    /// The inputs of the prompt, if it was made of the tree; otherwise they are the memories of the receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeInputs>,
}

/// What the prompt of an answer by the tree was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeInputs {
    /// In the order of the prompt.
    pub chunks: Vec<ReceiptChunk>,
    /// In the order of the prompt.
    pub helpers: Vec<ReceiptHelper>,
    pub prompt_sha256: Digest,
}

/// A chunk of the prompt, as it was or summarised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptChunk {
    pub item_id: i64,
    pub item_sha256: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<ReceiptSummary>,
}

/// A summary in the place of a chunk. The built-in method makes it again; a model's reply is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptSummary {
    pub method: Method,
    pub target_chars: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The helper of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptHelper {
    pub helper_id: i64,
    /// The first of the chunks, by its place among them, that is of the same document.
    pub chunk: usize,
    pub text_sha256: Digest,
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

impl TreeInputs {
    /// What is wrong with inputs that no answer can have had.
    fn problem(&self) -> Option<&'static str> {
        let different = |ids: &mut dyn Iterator<Item = i64>| ids.collect::<BTreeSet<i64>>().len();
        let is_kept = |summary: &ReceiptSummary| summary.text.is_some() != (summary.method == Method::BuiltIn);
        if self.chunks.len() > MAX_CHUNKS || self.helpers.len() > self.chunks.len() {
            Some("it holds more chunks or helpers than an answer can have")
        } else if different(&mut self.chunks.iter().map(|chunk| chunk.item_id)) < self.chunks.len()
            || different(&mut self.helpers.iter().map(|helper| helper.helper_id)) < self.helpers.len()
        {
            Some("it names a chunk or a helper twice")
        } else if self.helpers.iter().any(|helper| helper.chunk >= self.chunks.len()) {
            Some("it holds the helper of a chunk that it does not name")
        } else if !self.chunks.iter().filter_map(|chunk| chunk.summary.as_ref()).all(is_kept) {
            Some("it holds a summary that was not made as it says")
        } else {
            None
        }
    }
}

impl AnswerReceipt {
    /// A receipt may come from anywhere, so it is checked before use.
    pub fn check(&self) -> Result<(), String> {
        if self.exchanges.len() > MAX_EXCHANGES {
            Err(format!("it holds more than {MAX_EXCHANGES} replies"))
        } else if (self.method == Method::Model) != self.model.is_some() {
            Err("it does not name the model or method that answered".to_owned())
        } else if self.method == Method::Nothing || Language::parse(&self.language).is_err() {
            Err("it is not the receipt of an answer".to_owned())
        } else if self.stated.as_ref().is_some_and(|stated| self.method != Method::BuiltIn || !stated.is_bounded()) {
            Err("what it says of what holds is not as an answer can have said it".to_owned())
        } else if self.quoted.as_ref().is_some_and(|quoted| self.method != Method::BuiltIn || !quoted.is_bounded()) {
            Err("what it quotes is not as an answer can have quoted it".to_owned())
        } else if let Some(why) = self.tree.as_ref().and_then(TreeInputs::problem) {
            Err(why.to_owned())
        } else {
            Ok(())
        }
    }

    /// Reproduces the answer from the same memories and the recorded replies, and notes any differences.
    pub(super) fn answer_again(
        &self,
        question: &str,
        (passages, is_reranked): (&[SafePassage], bool),
        differences: &mut Vec<String>,
    ) -> Result<Option<WhyAnswer>, Error> {
        let Some(passages) = passages.get(..self.passages) else {
            differences.push("the answer cannot be reproduced: some memories are gone".to_owned());
            return Ok(None);
        };
        let evidence = passages.iter().map(|passage| Evidence::of_passage(passage, is_reranked));
        let evidence: Vec<Evidence> = evidence.collect();
        Ok(self.answer_from(question, &evidence, None, differences)?.1)
    }

    /// The same for an answer by the tree: its prompt is put together again from the chunks and the helpers of their sources.
    pub(super) fn answer_by_tree_again(
        &self,
        (space, question): (&str, &str),
        tree: &TreeInputs,
        sources: Sources,
        guard: &Guard,
        differences: &mut Vec<String>,
    ) -> Result<(String, Option<WhyAnswer>), Error> {
        let (mut evidence, mut documents) = (Vec::new(), Vec::new());
        let (mut bytes, started) = (0, Instant::now());
        for (chunk, item) in tree.chunks.iter().zip(sources.items) {
            let Some(item) = same_item(item, (space, chunk.item_id), differences) else { continue };
            if item_digest(&item)? != chunk.item_sha256 {
                differences.push(modified(space, chunk.item_id));
                continue;
            }
            bytes += item.text.len();
            if bytes > MAX_TEXT_BYTES || started.elapsed() > MAX_TIME {
                let what = "the receipt shows too much text, or its redaction patterns take too long";
                return Err(Error::input("receipt", what, "it was modified, or is from a newer version of Recordar"));
            }
            let cleared = guard.chunk(QueryChunk::of_item(item))?;
            evidence.push(match &chunk.summary {
                None => Evidence::of_chunk(&cleared),
                Some(ReceiptSummary { text: Some(text), .. }) => Evidence::of_summary(&cleared, text),
                Some(ReceiptSummary { target_chars, .. }) => {
                    Evidence::of_summary(&cleared, &built_in_summary(&cleared.text(), *target_chars))
                }
            });
            documents.push(cleared.document());
        }
        let mut helpers = Vec::new();
        if evidence.len() == tree.chunks.len() {
            for (helper, text) in tree.helpers.iter().zip(sources.helpers) {
                match text.filter(|text| Digest::of(text) == helper.text_sha256) {
                    Some(text) => helpers.push((documents[helper.chunk].clone(), guard.text(&text)?)),
                    None => differences.push(format!("helper {} is gone, or was modified", helper.helper_id)),
                }
            }
        }
        if evidence.len() < tree.chunks.len() || helpers.len() < tree.helpers.len() {
            differences.push("the answer cannot be reproduced: some of its sources are gone".to_owned());
            return Ok((String::new(), None));
        }
        self.answer_from(question, &evidence, Some((&helpers, tree.prompt_sha256)), differences)
    }

    /// Answers again, and shows the prompt that the answer was made from.
    fn answer_from(
        &self,
        question: &str,
        evidence: &[Evidence],
        tree: Option<(&[(SafeText, SafeText)], Digest)>,
        differences: &mut Vec<String>,
    ) -> Result<(String, Option<WhyAnswer>), Error> {
        let question = SafeText::given(question);
        let task = AnswerTask {
            question: &question,
            passages: evidence,
            helpers: tree.map(|(helpers, _)| helpers),
            language: Language::parse(&self.language)?,
            max_output_tokens: self.max_output_tokens,
            accepts_any_length: self.accepts_any_length,
            built_in: match (self.quotes, self.quotes_sections) {
                (false, _) => BuiltInAnswer::Sentences,
                (true, false) => BuiltInAnswer::EarlierQuotation,
                (true, true) => BuiltInAnswer::OwnQuotation,
            },
        };
        if self.prompt != task.template() {
            differences.push("the answer cannot be reproduced: the prompt has changed since".to_owned());
            return Ok((String::new(), None));
        }
        let prompt = task.prompt();
        if tree.is_some_and(|(_, digest)| prompt.digest() != digest) {
            differences.push("the prompt differs from the original".to_owned());
        }
        let Answer { text, citations, .. } = match &self.model {
            None => match (&self.stated, &self.quoted) {
                (Some(stated), _) => stated.answer(evidence).unwrap_or_default(),
                (None, Some(quoted)) => quoted.answer(evidence).unwrap_or_default(),
                (None, None) => task.built_in(),
            },
            Some(model) => match self.replay(model, &task) {
                Ok(answer) => answer,
                Err(error) => {
                    differences.push(format!("the recorded replies do not yield an answer: {error}"));
                    return Ok((prompt.user, None));
                }
            },
        };
        if Digest::of(&text) != self.answer_sha256 || citations != self.citations {
            differences.push("the answer differs from the original".to_owned());
        }
        let model = self.model.as_ref().map(|model| model.name.to_string());
        Ok((prompt.user, Some(WhyAnswer { answer: text, method: self.method, model, citations })))
    }

    fn replay(&self, model: &ModelSettings, task: &AnswerTask<'_>) -> Result<Answer, recordar_llm::Error> {
        let client = replaying(model, &self.exchanges)?;
        client.structured(&task.request(), &client.operation(Cancel::default()), &|value| task.read(value))
    }
}

/// A client that gives the recorded replies again.
pub(super) fn replaying(model: &ModelSettings, exchanges: &[Exchange]) -> Result<Client, recordar_llm::Error> {
    let recorded = Recorded::replay(model.clone(), exchanges.to_vec());
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
    Client::new(Box::new(recorded), None, settings, Arc::new(MemoryLedger::default()), clock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::safe;
    use crate::noun::passage::tests::passage;
    use recordar_llm::{Call, ChatModel, Completion, Failure, Finish, ModelName, Parameters, Request, Structured};
    use std::sync::Mutex;

    /// A model that gives these replies, one after the other.
    struct Scripted(ModelSettings, Mutex<Vec<String>>);

    impl ChatModel for Scripted {
        fn settings(&self) -> &ModelSettings {
            &self.0
        }

        fn complete(&self, _: &Request, _: &mut Call<'_>) -> Result<Completion, Failure> {
            let text = self.1.lock().unwrap().remove(0);
            Ok(Completion { text, finish: Finish::Stop, usage: None })
        }
    }

    #[test]
    fn i19_6_a_receipt_from_before_refuses_the_replies_that_were_refused_then() {
        let settings = ModelSettings {
            name: ModelName { provider: "openai".to_owned(), model: "any".to_owned() },
            structured: Structured::Native,
            parameters: Parameters { temperature: None, seed: None },
        };
        let question = SafeText::given("When does the boat come?");
        let passages = safe(vec![passage(1, "The boat comes on Tuesday.")]);
        let evidence: Vec<Evidence> = passages.iter().map(|passage| Evidence::of_passage(passage, false)).collect();
        let task = AnswerTask {
            question: &question,
            passages: &evidence,
            helpers: None,
            language: Language::parse("english").unwrap(),
            max_output_tokens: 2048,
            accepts_any_length: false,
            built_in: BuiltInAnswer::Sentences,
        };
        let reply = |answer: String| serde_json::json!({"answer": answer, "citations": [1]}).to_string();
        let replies = vec![reply("l".repeat(2_001)), reply("On Tuesday.".to_owned())];
        let client = Client::new(
            Box::new(Scripted(settings.clone(), Mutex::new(replies))),
            None,
            ClientSettings {
                retries: 0,
                retry_wait: Duration::ZERO,
                repairs: 2,
                concurrency: 1,
                patience: Duration::ZERO,
                ceilings: Ceilings::default(),
            },
            Arc::new(MemoryLedger::default()),
            Arc::new(|| Timestamp::from_micros(0)),
        )
        .unwrap();
        let operation = client.operation(Cancel::default());
        let answer = client.structured(&task.request(), &operation, &|value| task.read(value)).unwrap();
        let receipt = AnswerReceipt {
            method: Method::Model,
            model: Some(settings),
            problem: None,
            prompt: task.template().to_owned(),
            language: "english".to_owned(),
            max_output_tokens: 2048,
            accepts_any_length: false,
            quotes: false,
            quotes_sections: false,
            stated: None,
            quoted: None,
            passages: 1,
            exchanges: operation.exchanges(),
            answer_sha256: Digest::of(&answer.text),
            citations: answer.citations,
            tree: None,
        };
        assert_eq!((answer.text.as_str(), receipt.exchanges.len()), ("On Tuesday.", 2));
        let written = serde_json::to_string(&receipt).unwrap();
        assert!(!written.contains("accepts_any_length"), "as before: {written}");
        let again = |receipt: &AnswerReceipt| {
            let mut differences = Vec::new();
            receipt.answer_again("When does the boat come?", (&passages, false), &mut differences).unwrap();
            differences
        };
        assert_eq!(again(&serde_json::from_str(&written).unwrap()), [""; 0]);
        let newer = AnswerReceipt { accepts_any_length: true, ..receipt };
        assert_eq!(again(&newer), ["the answer differs from the original"]);
    }
}
