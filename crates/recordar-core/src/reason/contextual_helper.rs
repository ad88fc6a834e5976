//! Composing the contextual helper of a source (A6). Built in: from its name, first lines and headings.

use super::Task;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::text::{one_line, sentence_ends};
use recordar_domain::{HelperFields, iso_date};
use serde_json::{Value, json};

const PROMPT: &str = include_str!("contextual_helper.prompt.md");
const UNKNOWN: &str = "unknown";
/// Maximum length of an author, date or topic.
const MAX_NAME_CHARS: usize = 200;
/// Maximum length of the summary; one with too many tokens is truncated later.
const MAX_SUMMARY_CHARS: usize = 1000;
/// Tokens for JSON besides the texts.
const TOKENS_AROUND: usize = 48;
/// Maximum length of a summary made of stored text.
const MAX_BUILT_IN_CHARS: usize = 400;
/// Lines at the start that may name the author and date.
const FIRST_LINES: usize = 20;

/// What is known of a source before it is stored.
pub struct Source {
    pub filename: SafeText,
    pub title: Option<SafeText>,
    pub headings: Vec<SafeText>,
    pub beginning: SafeText,
    /// The topic given by the caller.
    pub topic: Option<SafeText>,
}

pub struct HelperTask<'a> {
    pub source: &'a Source,
    pub most_output_tokens: u32,
}

impl Task for HelperTask<'_> {
    type Reply = HelperFields;

    const NAME: &'static str = "helper";
    const DESCRIPTION: &'static str = "Author, date, topic and a summary of the source.";

    fn prompt(&self) -> Prompt {
        let Source { filename, title, headings, beginning, .. } = self.source;
        let inline = |text: &SafeText| Part::inline(text, MAX_NAME_CHARS);
        let heading = |heading: &SafeText| Part::all([Part::words("- "), inline(heading)]);
        let headings: Vec<Part> = headings.iter().map(heading).collect();
        let headings = if headings.is_empty() { Part::words("(none)") } else { Part::join(&headings, "\n") };
        let values = [
            ("max_chars", Part::count(self.most_chars().1)),
            ("filename", inline(filename)),
            ("title", title.as_ref().map_or(Part::words(UNKNOWN), inline)),
            ("headings", headings),
            ("beginning", Part::fenced(beginning)),
        ];
        fill(PROMPT, &values)
    }

    fn schema(&self) -> Value {
        let (name_chars, summary_chars) = self.most_chars();
        let name = json!({"type": "string", "maxLength": name_chars});
        json!({
            "type": "object",
            "properties": {
                "author": name,
                "date": name,
                "topic": name,
                "summary": {"type": "string", "minLength": 1, "maxLength": summary_chars},
            },
            "required": ["author", "date", "topic", "summary"],
            "additionalProperties": false,
        })
    }

    /// Longer texts are clipped, not refused: they are paid for.
    fn held_to(&self) -> Option<Value> {
        let mut schema = self.schema();
        for field in schema["properties"].as_object_mut()?.values_mut() {
            field.as_object_mut()?.remove("maxLength");
        }
        Some(schema)
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens
    }

    fn read(&self, value: &Value) -> Result<HelperFields, String> {
        let text = |name: &str, most: usize| one_line(value[name].as_str().unwrap_or_default(), most);
        let description = text("summary", MAX_SUMMARY_CHARS);
        if description.is_empty() {
            return Err("the summary is empty".to_owned());
        }
        let [date, author, topic] = ["date", "author", "topic"].map(|name| text(name, MAX_NAME_CHARS));
        Ok(HelperFields { date, author, topic, description })
    }

    fn built_in(&self) -> HelperFields {
        let Source { filename, title, beginning, topic, .. } = self.source;
        let (filename, beginning) = (filename.as_str(), beginning.as_str());
        let unknown = || UNKNOWN.to_owned();
        let date = labelled(beginning, &["date", "created", "written"]).and_then(|date| iso_date(&date).ok());
        let stem = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
        let topic = topic
            .as_ref()
            .or(title.as_ref())
            .map_or_else(|| stem.replace(['_', '-'], " "), |known| known.as_str().to_owned());
        HelperFields {
            date: date.unwrap_or_else(unknown),
            author: labelled(beginning, &["author", "by"]).unwrap_or_else(unknown),
            topic: one_line(&topic, MAX_NAME_CHARS),
            description: one_line(first_sentences(beginning), MAX_BUILT_IN_CHARS),
        }
    }
}

impl HelperTask<'_> {
    /// Length limits of a name and of the summary. A token has at least one character, so a reply is not cut off early.
    fn most_chars(&self) -> (usize, usize) {
        let left = (self.most_output_tokens as usize).saturating_sub(TOKENS_AROUND);
        ((left / 6).clamp(1, MAX_NAME_CHARS), (left / 2).clamp(1, MAX_SUMMARY_CHARS))
    }
}

/// The value of one of the labels in the first lines, as in `Author: Ada`.
fn labelled(text: &str, labels: &[&str]) -> Option<String> {
    let value = |line: &str| {
        let line = line.trim().trim_start_matches(['#', '*', '>', '-', ' ']);
        let (label, value) = line.split_once(':').or_else(|| line.split_once(' ').filter(|(word, _)| *word == "By"))?;
        let label = label.trim().trim_matches('*').to_lowercase();
        let value = value.trim().trim_matches(['*', '"', '\'']).trim();
        (labels.contains(&label.as_str()) && !value.is_empty()).then(|| one_line(value, MAX_NAME_CHARS))
    };
    text.lines().take(FIRST_LINES).find_map(value)
}

/// The first sentences that are neither headings nor labels.
fn first_sentences(text: &str) -> &str {
    let is_told = |line: &str| {
        let line = line.trim();
        let is_label = line.split(' ').next().is_some_and(|word| word.ends_with(':'));
        !line.is_empty() && !line.starts_with('#') && line != "---" && !is_label
    };
    let start: usize = text.split_inclusive('\n').take_while(|line| !is_told(line)).map(str::len).sum();
    let told = &text[start..];
    let limit = told.char_indices().nth(MAX_BUILT_IN_CHARS).map_or(told.len(), |(at, _)| at);
    let paragraph = told.split("\n\n").next().unwrap_or_default().len().min(limit);
    let end = sentence_ends(told).take_while(|end| *end <= paragraph).last();
    told[..end.unwrap_or(paragraph)].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(beginning: &str, title: Option<&str>) -> Source {
        Source {
            filename: SafeText::given("north-light.md"),
            title: title.map(SafeText::given),
            headings: ["Lamp", "\"\"\" Oil"].map(SafeText::given).to_vec(),
            beginning: SafeText::given(beginning),
            topic: None,
        }
    }

    #[test]
    fn a6_the_helper_prompt_reads_as_written() {
        let source = source("The lamp burns.", Some("The North Light"));
        let Prompt { system, user, .. } = HelperTask { source: &source, most_output_tokens: 2048 }.prompt();
        assert!(system.contains("at most 1000 characters"));
        let expected = "File name: north-light.md\nTitle: The North Light\nHeadings:\n- Lamp\n- ''' Oil\n\n\
            The beginning of the text:\n\"\"\"\nThe lamp burns.\n\"\"\"";
        assert_eq!(user, expected);
    }

    #[test]
    fn a6_r2b_3_built_in_a_helper_says_what_the_first_lines_say() {
        let text = "# The North Light\n\nAuthor: Ada Lovelace\nDate: 1843-07-10\n\nThe lamp burns oil. It is lit at dusk.\n\nMore.";
        let source = source(text, Some("The North Light"));
        let fields = HelperTask { source: &source, most_output_tokens: 0 }.built_in();
        let expected =
            "Author: Ada Lovelace. Date: 1843-07-10. Topic: The North Light. The lamp burns oil. It is lit at dusk.";
        assert_eq!(fields.paragraph(), expected);
    }

    #[test]
    fn a6_built_in_without_anything_to_say_the_name_is_the_topic() {
        let source = source("", None);
        let fields = HelperTask { source: &source, most_output_tokens: 0 }.built_in();
        assert_eq!(fields.paragraph(), "Topic: north light.");
    }
}
