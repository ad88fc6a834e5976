//! Summarising chunks to a target length (A11). Built in: as many of the first sentences as fit, or words.

use super::Task;
use super::whole_number::whole_number;
use crate::guard::SafeText;
use crate::noun::method::Method;
use crate::noun::summary::Summary;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::text::sentence_ends;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PROMPT: &str = include_str!("summarise.prompt.md");
/// Sent to a model whose summary was too long.
const STRICTER: &str = " The summaries before were too long: stay below the limit, and rather leave things out.";

/// The shape of the reply, as the prompt shows it.
const SHAPE: &str = r#"{
  "summaries": [
    {
      "chunk_id": <int>,
      "summary": "<string>"
    }
  ]
}"#;

/// A text to summarise, cleared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LongText {
    pub id: i64,
    pub text: SafeText,
    /// Maximum characters of the summary.
    pub target_chars: usize,
}

pub struct SummariseTask<'a> {
    pub chunks: &'a [LongText],
    pub is_retry: bool,
    /// Whether a single summary that is too long is rejected here, rather than by the caller.
    pub is_length_checked: bool,
    pub most_output_tokens: u32,
}

impl Task for SummariseTask<'_> {
    type Reply = Vec<Summary>;

    const NAME: &'static str = "summarise";
    const DESCRIPTION: &'static str = "A summary of each chunk, by its id.";

    fn prompt(&self) -> Prompt {
        let shown = |chunk: &LongText| {
            let (id, chars) = (Part::number(chunk.id), Part::count(chunk.text.as_str().chars().count()));
            let target = Part::count(chunk.target_chars);
            let (original, target_is) = (Part::words(" (original_chars="), Part::words(", target_chars="));
            let (end, text) = (Part::words("):\n"), Part::fenced(&chunk.text));
            Part::all([Part::words("Chunk "), id, original, chars, target_is, target, end, text, Part::words("\n")])
        };
        let chunks = Part::all(self.chunks.iter().map(shown));
        let stricter = Part::words(if self.is_retry { STRICTER } else { "" });
        fill(PROMPT, &[("chunks", chunks), ("stricter", stricter), ("schema", Part::words(SHAPE))])
    }

    fn schema(&self) -> Value {
        let ids: Vec<i64> = self.chunks.iter().map(|chunk| chunk.id).collect();
        let mut summary = json!({"type": "string", "minLength": 1});
        // Of several, only those that are too long are requested again.
        if let ([only], true) = (self.chunks, self.is_length_checked) {
            summary["maxLength"] = json!(only.target_chars);
        }
        json!({
            "type": "object",
            "properties": {
                "summaries": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "chunk_id": {"type": "integer", "enum": ids},
                            "summary": summary,
                        },
                        "required": ["chunk_id", "summary"],
                        "additionalProperties": false,
                    },
                    "minItems": ids.len(),
                    "maxItems": ids.len(),
                },
            },
            "required": ["summaries"],
            "additionalProperties": false,
        })
    }

    /// The maximum: a reasoning model needs it before it writes.
    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens
    }

    fn read(&self, value: &Value) -> Result<Vec<Summary>, String> {
        let mut by_id: BTreeMap<i64, String> = BTreeMap::new();
        for entry in value["summaries"].as_array().into_iter().flatten() {
            let (Some(id), Some(text)) = (whole_number(&entry["chunk_id"]), entry["summary"].as_str()) else {
                continue;
            };
            if by_id.insert(id, text.trim().to_owned()).is_some() {
                return Err(format!("chunk_id {id} is there twice"));
            }
        }
        let summary = |chunk: &LongText| {
            let text = by_id.get(&chunk.id).ok_or_else(|| format!("chunk_id {} is missing", chunk.id))?;
            if text.is_empty() {
                return Err(format!("the summary of chunk_id {} is empty", chunk.id));
            }
            Ok(Summary { id: chunk.id, text: text.clone(), method: Method::Model })
        };
        self.chunks.iter().map(summary).collect()
    }

    fn built_in(&self) -> Vec<Summary> {
        let shortened = |chunk: &LongText| Summary {
            id: chunk.id,
            text: built_in_summary(&chunk.text, chunk.target_chars),
            method: Method::BuiltIn,
        };
        self.chunks.iter().map(shortened).collect()
    }
}

/// The summary that the built-in method makes of a text.
pub(crate) fn built_in_summary(text: &SafeText, target_chars: usize) -> String {
    beginning(text.as_str(), target_chars).to_owned()
}

/// As many whole sentences as fit, or words, or characters.
fn beginning(text: &str, most_chars: usize) -> &str {
    let text = text.trim();
    let Some((limit, _)) = text.char_indices().nth(most_chars) else { return text };
    let sentence = sentence_ends(text).take_while(|end| text[..*end].trim_end().len() <= limit).last();
    let word = || text[..limit].rfind(char::is_whitespace).filter(|at| !text[..*at].trim().is_empty());
    text[..sentence.filter(|end| *end > 0).or_else(word).unwrap_or(limit)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: i64, text: &str, target_chars: usize) -> LongText {
        LongText { id, text: SafeText::given(text), target_chars }
    }

    fn task(chunks: &[LongText]) -> SummariseTask<'_> {
        SummariseTask { chunks, is_retry: false, is_length_checked: true, most_output_tokens: 1000 }
    }

    #[test]
    fn a11_chunks_are_listed_in_the_exact_structure() {
        let chunks = [chunk(7, "The lamp\nburns.", 9), chunk(12, "Oil \"\"\" daily.", 4)];
        let Prompt { user, .. } = task(&chunks).prompt();
        let expected = "Chunk 7 (original_chars=15, target_chars=9):\n\"\"\"\nThe lamp\nburns.\n\"\"\"\n\
            Chunk 12 (original_chars=14, target_chars=4):\n\"\"\"\nOil ''' daily.\n\"\"\"\n\n\
            For each chunk above, produce a summary of at most its `target_chars` characters. Preserve key facts, entities, dates, \
            numbers, and definitions. Omit repetition and boilerplate. Return only the JSON schema below.\n\
            {\n  \"summaries\": [\n    {\n      \"chunk_id\": <int>,\n      \"summary\": \"<string>\"\n    }\n  ]\n}";
        assert_eq!(user, expected);
    }

    #[test]
    fn a11_wrong_missing_and_repeated_ids_are_refused() {
        let chunks = [chunk(7, "One.", 9), chunk(12, "Two.", 9)];
        let task = task(&chunks);
        let entry = |id: i64, summary: &str| json!({"chunk_id": id, "summary": summary});
        let read = |entries: Vec<Value>| task.read(&json!({"summaries": entries}));
        assert_eq!(
            read(vec![entry(12, "b"), entry(7, "a")]).unwrap().iter().map(|s| s.id).collect::<Vec<_>>(),
            [7, 12]
        );
        assert!(read(vec![entry(7, "a"), entry(7, "b")]).unwrap_err().contains("twice"));
        assert!(read(vec![entry(7, "a")]).unwrap_err().contains("12 is missing"));
        assert!(read(vec![entry(7, " "), entry(12, "b")]).unwrap_err().contains("empty"));
    }

    #[test]
    fn a11_the_built_in_summary_keeps_to_its_length() {
        let check = |text: &str, most: usize, expected: &str| assert_eq!(beginning(text, most), expected, "{most}");
        let text = "The lamp burns. It needs oil. Daily.";
        check(text, 100, text);
        check(text, 30, "The lamp burns. It needs oil.");
        check(text, 15, "The lamp burns.");
        check(text, 14, "The lamp");
        check("灯台守は毎晩レンズを磨きます", 4, "灯台守は");
        check("wordwithoutend", 3, "wor");
        check("a b", 0, "");
    }
}
