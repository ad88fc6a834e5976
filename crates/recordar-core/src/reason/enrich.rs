//! Labelling a message in the terms of the vocabulary (D2). Built in: entity patterns, and the similarity of terms and clauses.

use super::Task;
use super::built_in_labels::built_in_labels;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::text::Language;
use recordar_domain::{LabelDraft, Labels, Vocabulary};
use serde_json::Value;

const PROMPT: &str = include_str!("enrich.prompt.md");
/// Of a reply: a few terms, and the entities of the message.
const MAX_OUTPUT_TOKENS: u32 = 1024;

pub struct EnrichTask<'a> {
    pub vocabulary: &'a Vocabulary,
    pub message: &'a SafeText,
    pub language: Language,
    pub most_output_tokens: u32,
}

impl Task for EnrichTask<'_> {
    type Reply = Labels;

    const NAME: &'static str = "classify_message";
    const DESCRIPTION: &'static str = "Classify a message with topics, category, and entities. Understand the semantic INTENT \
         of the message, not just keywords. For example, 'I'm not here for a refund, I need understanding' should be classified \
         as 'general_inquiry', NOT 'refund'.";

    fn prompt(&self) -> Prompt {
        fill(PROMPT, &[("message", Part::whole(self.message))])
    }

    fn schema(&self) -> Value {
        self.vocabulary.label_schema()
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens.min(MAX_OUTPUT_TOKENS)
    }

    fn read(&self, value: &Value) -> Result<Labels, String> {
        let draft: LabelDraft = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        self.vocabulary.labels(draft)
    }

    fn built_in(&self) -> Labels {
        built_in_labels(self.vocabulary, self.message.as_str(), self.language)
    }
}
