//! Choosing the sentences of passages that tell what must be known (RET-06), by a model. The rules are in `recordar-compose`.

use super::Task;
use super::gate::numbered;
use super::whole_number::whole_number;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use serde_json::{Value, json};

const PROMPT: &str = include_str!("condense.prompt.md");
/// A reply may choose at most so much.
const MAX_SENTENCES: usize = 32;
const MAX_ISSUES: usize = 8;

pub struct CondenseTask<'a> {
    pub need: &'a SafeText,
    pub passages: &'a [SafeText],
    pub most_output_tokens: u32,
}

/// What a model chose. Nothing of it is checked against the passages yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    pub facts: Vec<ChosenSentence>,
    pub constraints: Vec<ChosenSentence>,
    pub open_issues: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenSentence {
    /// The passage, counted from 0.
    pub passage: usize,
    pub sentence: String,
}

impl Task for CondenseTask<'_> {
    /// Nothing without a model.
    type Reply = Option<Chosen>;

    const NAME: &'static str = "condense";
    const DESCRIPTION: &'static str = "The sentences that tell what must be known, and what is missing.";

    fn prompt(&self) -> Prompt {
        fill(PROMPT, &[("need", Part::fenced(self.need)), ("passages", numbered(self.passages))])
    }

    fn schema(&self) -> Value {
        let numbers: Vec<usize> = (1..=self.passages.len()).collect();
        let sentences = json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "passage": {"type": "integer", "enum": numbers},
                    "sentence": {"type": "string"},
                },
                "required": ["passage", "sentence"],
                "additionalProperties": false,
            },
            "maxItems": MAX_SENTENCES,
        });
        json!({
            "type": "object",
            "properties": {
                "facts": sentences,
                "constraints": sentences,
                "open_issues": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_ISSUES},
            },
            "required": ["facts", "constraints", "open_issues"],
            "additionalProperties": false,
        })
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens
    }

    fn read(&self, value: &Value) -> Result<Self::Reply, String> {
        let sentences = |name: &str| {
            let read = |entry: &Value| {
                let passage = usize::try_from(whole_number(&entry["passage"])?).ok()?.checked_sub(1)?;
                let sentence = entry["sentence"].as_str()?.trim().to_owned();
                (!sentence.is_empty() && passage < self.passages.len()).then_some(ChosenSentence { passage, sentence })
            };
            let all: Option<Vec<ChosenSentence>> = value[name].as_array()?.iter().map(read).collect();
            all
        };
        let chosen =
            |name: &str| sentences(name).ok_or_else(|| format!("{name} holds an empty sentence or no passage"));
        let issues = value["open_issues"].as_array().into_iter().flatten();
        let issues = issues.filter_map(Value::as_str).map(str::trim).filter(|issue| !issue.is_empty());
        let open_issues = issues.map(str::to_owned).collect();
        Ok(Some(Chosen { facts: chosen("facts")?, constraints: chosen("constraints")?, open_issues }))
    }

    fn built_in(&self) -> Self::Reply {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ret_06_chosen_sentences_name_a_passage() {
        let (need, passages) = (SafeText::given("a"), ["b", "c"].map(SafeText::given));
        let task = CondenseTask { need: &need, passages: &passages, most_output_tokens: 100 };
        let read = |passage: u64, sentence: &str| {
            let facts = json!([{"passage": passage, "sentence": sentence}]);
            task.read(&json!({"facts": facts, "constraints": [], "open_issues": [" x ", ""]}))
        };
        let chosen = read(2, " c ").unwrap().unwrap();
        assert_eq!(chosen.facts, [ChosenSentence { passage: 1, sentence: "c".to_owned() }]);
        assert_eq!(chosen.open_issues, ["x"]);
        assert!(read(3, "c").is_err() && read(0, "c").is_err() && read(1, " ").is_err());
    }
}
