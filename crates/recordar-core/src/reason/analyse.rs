//! Reading a question in the terms of the vocabulary (D3). Built in: words for times and threads, entity patterns, and the similarity of
//! terms and clauses.

use super::Task;
use super::built_in_labels::built_in_intent;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::text::Language;
use recordar_domain::{Intent, IntentDraft, Vocabulary};
use serde_json::Value;

const PROMPT: &str = include_str!("analyse.prompt.md");
const MAX_OUTPUT_TOKENS: u32 = 512;

pub struct AnalyseTask<'a> {
    pub vocabulary: &'a Vocabulary,
    pub query: &'a SafeText,
    /// Recent messages, for context.
    pub thread_context: Option<&'a SafeText>,
    pub language: Language,
    pub most_output_tokens: u32,
}

impl Task for AnalyseTask<'_> {
    type Reply = Intent;

    const NAME: &'static str = "extract_search_params";
    const DESCRIPTION: &'static str = "Extract search parameters from user query. Understand semantic INTENT, not keywords. \
         Consider negations: 'not about refunds' means EXCLUDE refund topic.";

    fn prompt(&self) -> Prompt {
        let query = Part::whole(self.query);
        let asked = match self.thread_context {
            None => query,
            Some(context) => Part::all([
                Part::words("Recent conversation context:\n"),
                Part::whole(context),
                Part::words("\n\nUser query: "),
                query,
            ]),
        };
        fill(PROMPT, &[("query", asked)])
    }

    fn schema(&self) -> Value {
        self.vocabulary.intent_schema()
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens.min(MAX_OUTPUT_TOKENS)
    }

    fn read(&self, value: &Value) -> Result<Intent, String> {
        let draft: IntentDraft = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        self.vocabulary.intent(draft)
    }

    fn built_in(&self) -> Intent {
        built_in_intent(self.vocabulary, self.query.as_str(), self.language)
    }
}
