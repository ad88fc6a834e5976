//! The contextual helper of a source (A6): a short paragraph that represents the whole document in prompts.

use crate::invalid::Invalid;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The fields that a person is asked for. `unknown` is a valid answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HelperFields {
    /// The date of the document: ISO 8601.
    #[serde(default)]
    pub date: String,
    #[serde(default)]
    pub author: String,
    #[serde(default)]
    pub topic: String,
    #[serde(default)]
    pub description: String,
}

const UNKNOWN: &str = "unknown";
/// The limit for an author or a topic.
const MAX_NAME_CHARS: usize = 300;

impl HelperFields {
    /// The fields that are still empty, not even `unknown`.
    pub fn missing(&self) -> Vec<&'static str> {
        let fields = [
            ("date", &self.date),
            ("author", &self.author),
            ("topic", &self.topic),
            ("description", &self.description),
        ];
        fields.into_iter().filter(|(_, value)| value.trim().is_empty()).map(|(name, _)| name).collect()
    }

    /// The same in normal form.
    pub fn checked(&self) -> Result<Self, Invalid> {
        let missing = self.missing();
        if !missing.is_empty() {
            return Err(Invalid::new(
                format!("the contextual helper is missing {}", missing.join(", ")),
                "set date, author, topic and description; use \"unknown\" for those you do not know",
            ));
        }
        for (name, value) in [("author", &self.author), ("topic", &self.topic)] {
            if value.chars().count() > MAX_NAME_CHARS {
                let what = format!("the {name} has more than {MAX_NAME_CHARS} characters");
                return Err(Invalid::new(what, "shorten it"));
            }
        }
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self {
            date: iso_date(&self.date)?,
            author: one_line(&self.author),
            topic: one_line(&self.topic),
            description: one_line(&self.description),
        })
    }

    /// One paragraph of the known fields.
    pub fn paragraph(&self) -> String {
        let known = |value: &str| Some(value.trim()).filter(|value| !is_unknown(value)).map(sentence);
        let labelled = |label: &str, value: &str| Some(format!("{label}: {}", known(value)?));
        let parts = [
            labelled("Author", &self.author),
            labelled("Date", &self.date),
            labelled("Topic", &self.topic),
            known(&self.description),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn is_unknown(value: &str) -> bool {
    value.is_empty() || value.eq_ignore_ascii_case(UNKNOWN)
}

fn sentence(text: &str) -> String {
    let is_ended = text.ends_with(['.', '!', '?', '。', '！', '？']);
    if is_ended { text.to_owned() } else { format!("{text}.") }
}

/// A date or a time in ISO 8601; spaces may be used instead of the separators.
pub fn iso_date(text: &str) -> Result<String, Invalid> {
    let text = text.trim();
    if is_unknown(text) {
        return Ok(UNKNOWN.to_owned());
    }
    let (day, time) = match text.split_once(['T', 't']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let day = day.trim().replace(' ', "-");
    let written = match time {
        None => day.clone(),
        Some(time) => format!("{day}T{}", time.trim().replace(' ', ":")),
    };
    let is_full_day = day.len() == 10 && day.split('-').map(str::len).eq([4, 2, 2]);
    match Timestamp::parse(&written) {
        Ok(_) if is_full_day => Ok(written),
        _ => Err(Invalid::new(
            format!("{text:?} is not a valid date"),
            "use ISO 8601, for example 2024-05-31 or 2024-05-31T09:30:00, or unknown",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a6_r2b_7_2_dates_are_iso_8601_or_unknown() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(iso_date(text).ok().as_deref(), expected, "{text}");
        check("2024-05-31", Some("2024-05-31"));
        check(" 2024 05 31 ", Some("2024-05-31"));
        check("2024-05-31T09:30:00", Some("2024-05-31T09:30:00"));
        check("2024 05 31T09 30 00", Some("2024-05-31T09:30:00"));
        check("2024-05-31T09:30:00Z", Some("2024-05-31T09:30:00Z"));
        check("2024-05-31T09:30:00+02:00", Some("2024-05-31T09:30:00+02:00"));
        check("9999-12-31", Some("9999-12-31"));
        check("Unknown", Some("unknown"));
        for wrong in ["31.5.2024", "2024-13-01", "2024-02-30", "24-5-31", "yesterday", "2024", "2024-05-31T25:00:00"] {
            check(wrong, None);
        }
    }

    #[test]
    fn a6_r2b_7_1_and_7_4_every_field_is_asked_for_and_may_be_unknown() {
        let mut fields = HelperFields { author: "Ada".to_owned(), ..HelperFields::default() };
        assert_eq!(fields.missing(), ["date", "topic", "description"]);
        assert!(fields.checked().unwrap_err().what.contains("date, topic, description"));
        fields = HelperFields { date: "unknown".to_owned(), topic: "UNKNOWN".to_owned(), ..fields };
        fields.description = "Letters from\nthe light".to_owned();
        let checked = fields.checked().unwrap();
        assert_eq!(checked.paragraph(), "Author: Ada. Letters from the light.");
    }

    #[test]
    fn a6_r2b_7_5_one_paragraph_says_what_is_known() {
        let fields = HelperFields {
            date: "2024-05-31".to_owned(),
            author: "Ada".to_owned(),
            topic: "Lamps".to_owned(),
            description: "How lamps are kept.".to_owned(),
        };
        assert_eq!(fields.paragraph(), "Author: Ada. Date: 2024-05-31. Topic: Lamps. How lamps are kept.");
        assert_eq!(HelperFields::default().paragraph(), "");
    }
}
