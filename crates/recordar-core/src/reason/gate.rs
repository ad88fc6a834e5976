//! Judging which passages tell what must be known (RET-05), by a model. The rules are in `recordar-compose`.

use super::Task;
use super::whole_number::whole_number;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use serde_json::{Value, json};

const PROMPT: &str = include_str!("gate.prompt.md");
/// Tokens of the JSON for each passage.
const TOKENS_FOR_EACH: u32 = 32;

pub struct GateTask<'a> {
    pub need: &'a SafeText,
    pub passages: &'a [SafeText],
}

impl Task for GateTask<'_> {
    /// How much each passage tells, from 0 to 1; nothing without a model.
    type Reply = Option<Vec<f64>>;

    const NAME: &'static str = "gate";
    const DESCRIPTION: &'static str = "How much each passage tells of what must be known.";

    fn prompt(&self) -> Prompt {
        fill(PROMPT, &[("need", Part::fenced(self.need)), ("passages", numbered(self.passages))])
    }

    fn schema(&self) -> Value {
        let numbers: Vec<usize> = (1..=self.passages.len()).collect();
        json!({
            "type": "object",
            "properties": {
                "passages": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "number": {"type": "integer", "enum": numbers},
                            "tells": {"type": "number", "minimum": 0, "maximum": 1},
                        },
                        "required": ["number", "tells"],
                        "additionalProperties": false,
                    },
                },
            },
            "required": ["passages"],
            "additionalProperties": false,
        })
    }

    fn max_output_tokens(&self) -> u32 {
        TOKENS_FOR_EACH.saturating_mul(self.passages.len() as u32 + 2)
    }

    fn read(&self, value: &Value) -> Result<Self::Reply, String> {
        let mut tells = vec![None; self.passages.len()];
        for entry in value["passages"].as_array().into_iter().flatten() {
            let place = whole_number(&entry["number"]).and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
            let Some(told) = place.and_then(|place| tells.get_mut(place)) else { continue };
            *told = entry["tells"].as_f64().filter(|tells| (0.0..=1.0).contains(tells));
        }
        let missing = tells.iter().position(Option::is_none).map(|place| format!("passage {} is missing", place + 1));
        missing.map_or(Ok(tells.into_iter().collect()), Err)
    }

    fn built_in(&self) -> Self::Reply {
        None
    }
}

/// Passages with their numbers, counted from 1.
pub(super) fn numbered(passages: &[SafeText]) -> Part {
    let one = |(number, passage): (usize, &SafeText)| {
        Part::all([Part::words("Passage "), Part::count(number), Part::words(":\n"), Part::fenced(passage)])
    };
    Part::join(&(1..).zip(passages).map(one).collect::<Vec<_>>(), "\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ret_05_every_passage_is_judged() {
        let (need, passages) = (SafeText::given("a"), ["b", "c"].map(SafeText::given));
        let task = GateTask { need: &need, passages: &passages };
        let read = |passages: Value| task.read(&json!({"passages": passages}));
        let both = json!([{"number": 2, "tells": 0.5}, {"number": 1, "tells": 1}]);
        assert_eq!(read(both).unwrap(), Some(vec![1.0, 0.5]));
        assert_eq!(read(json!([{"number": 1, "tells": 1}])).unwrap_err(), "passage 2 is missing");
        assert!(read(json!([{"number": 1, "tells": 7}, {"number": 2, "tells": 0}])).is_err());
        assert!(task.prompt().user.contains("Passage 2:"));
    }
}
