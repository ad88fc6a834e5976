//! Judging a statement against a passage: whether it follows, is open, or is contradicted. Built in: the judge's second head.

use super::Task;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_judge::Judge;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

const PROMPT: &str = include_str!("entail.prompt.md");
const MAX_OUTPUT_TOKENS: u32 = 256;
/// How far the sum of a model's probabilities may be from 1.
const TOLERANCE: f64 = 0.05;

/// How likely each relation of a statement to a passage is. They add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct EntailmentView {
    /// The passage entails the statement.
    pub entailment: f64,
    /// It neither entails nor contradicts it.
    pub neutral: f64,
    pub contradiction: f64,
}

impl EntailmentView {
    /// The likeliest relation. Of equal ones, `neutral` is the safest.
    pub fn likeliest(&self) -> &'static str {
        let Self { entailment, neutral, contradiction } = *self;
        if entailment > neutral && entailment > contradiction {
            "entailment"
        } else if contradiction > neutral && contradiction > entailment {
            "contradiction"
        } else {
            "neutral"
        }
    }
}

pub struct EntailTask<'a> {
    pub passage: &'a SafeText,
    pub statement: &'a SafeText,
    pub most_output_tokens: u32,
}

impl Task for EntailTask<'_> {
    type Reply = EntailmentView;

    const NAME: &'static str = "entail";
    const DESCRIPTION: &'static str = "Whether the passage entails the statement, neither, or contradicts it.";

    fn prompt(&self) -> Prompt {
        let parts = [("passage", Part::fenced(self.passage)), ("statement", Part::fenced(self.statement))];
        fill(PROMPT, &parts)
    }

    fn schema(&self) -> Value {
        let probability = json!({"type": "number", "minimum": 0, "maximum": 1});
        json!({
            "type": "object",
            "properties": {"entailment": probability, "neutral": probability, "contradiction": probability},
            "required": ["entailment", "neutral", "contradiction"],
            "additionalProperties": false,
        })
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens.min(MAX_OUTPUT_TOKENS)
    }

    fn read(&self, value: &Value) -> Result<EntailmentView, String> {
        let number = |name: &str| {
            let number = value[name].as_f64().filter(|number| (0.0..=1.0).contains(number));
            number.ok_or_else(|| format!("{name} is not a number from 0 to 1"))
        };
        let [entailment, neutral, contradiction] =
            [number("entailment")?, number("neutral")?, number("contradiction")?];
        let sum = entailment + neutral + contradiction;
        if (sum - 1.0).abs() > TOLERANCE {
            return Err(format!("the probabilities add up to {sum}, not to 1"));
        }
        Ok(EntailmentView { entailment: entailment / sum, neutral: neutral / sum, contradiction: contradiction / sum })
    }

    /// If the judge has no opinion, the statement is open.
    fn built_in(&self) -> EntailmentView {
        let judged =
            Judge::shipped().and_then(|judge| judge.entailment(self.passage.as_str(), self.statement.as_str()));
        let [entailment, neutral, contradiction] = judged.map_or([0.0, 1.0, 0.0], |judged| judged.probabilities);
        let [entailment, neutral, contradiction] = [entailment, neutral, contradiction].map(f64::from);
        EntailmentView { entailment, neutral, contradiction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(passage: &str, statement: &str) -> EntailmentView {
        let (passage, statement) = (SafeText::given(passage), SafeText::given(statement));
        EntailTask { passage: &passage, statement: &statement, most_output_tokens: 100 }.built_in()
    }

    #[test]
    fn i22_b7_the_built_in_judge_tells_what_follows_from_what_does_not() {
        let check = |passage: &str, statement: &str, expected: &str| {
            let view = judged(passage, statement);
            assert_eq!(view.likeliest(), expected, "{passage} / {statement}: {view:?}");
            assert!((view.entailment + view.neutral + view.contradiction - 1.0).abs() < 1e-5);
        };
        check("A man is sleeping on a bench.", "A person is asleep.", "entailment");
        check("A man is sleeping on a bench.", "Nobody is asleep; the man is running.", "contradiction");
        check("A man is sleeping on a bench.", "The man is waiting for his sister.", "neutral");
    }

    #[test]
    fn i22_b7_a_models_probabilities_must_add_up() {
        let text = SafeText::given("a");
        let task = EntailTask { passage: &text, statement: &text, most_output_tokens: 100 };
        let read = |numbers: [f64; 3]| {
            task.read(&json!({"entailment": numbers[0], "neutral": numbers[1], "contradiction": numbers[2]}))
        };
        assert_eq!(read([0.5, 0.25, 0.25]).unwrap().likeliest(), "entailment");
        assert_eq!(read([0.5, 0.0, 0.5]).unwrap().likeliest(), "neutral");
        assert!((read([0.9, 0.06, 0.06]).unwrap().entailment - 0.882).abs() < 0.001);
        assert!(read([0.9, 0.9, 0.9]).unwrap_err().contains("add up to"));
        assert!(read([0.0, 0.0, 0.0]).is_err());
        assert!(read([-0.5, 0.75, 0.75]).unwrap_err().contains("from 0 to 1"));
    }
}
