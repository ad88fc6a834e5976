//! Reranking: whether a model judges the first candidates, and what it said of each.

use recordar_domain::Invalid;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The reranker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Rerank {
    /// Nobody: the search's order stays.
    #[default]
    Off,
    /// The judge that comes with the program.
    Judge,
    /// A model that was added with `models add`, by its name or folder.
    Folder(String),
}

const FOLDER: &str = "folder:";
const MAX_BYTES: usize = 4096;

impl Rerank {
    pub(crate) const ALLOWED: &str = "\"off\", \"judge\" or \"folder:NAME\"";

    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let folder = text.strip_prefix(FOLDER).map(str::trim);
        match text {
            "off" => Ok(Self::Off),
            "judge" => Ok(Self::Judge),
            _ => match folder {
                Some(name) if !name.is_empty() && name.len() <= MAX_BYTES && !name.chars().any(char::is_control) => {
                    Ok(Self::Folder(name.to_owned()))
                }
                _ => {
                    let shown: String = text.chars().take(100).collect();
                    Err(Invalid::new(format!("unrecognised rerank {shown:?}"), format!("use {}", Self::ALLOWED)))
                }
            },
        }
    }

    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

impl fmt::Display for Rerank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Judge => f.write_str("judge"),
            Self::Folder(name) => write!(f, "{FOLDER}{name}"),
        }
    }
}

impl Serialize for Rerank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rerank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|invalid| serde::de::Error::custom(format!("{}; {}", invalid.what, invalid.remedy)))
    }
}

impl JsonSchema for Rerank {
    fn schema_name() -> Cow<'static, str> {
        "Rerank".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// What reranking did with a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RerankView {
    /// Whether the model judged it. What it did not judge follows what it did, in the search's order.
    pub judged: bool,
    /// The score that decides its place: the search's and the judge's, mixed. If it was not judged, the search's.
    pub score: f64,
    /// The search's score.
    pub search: f64,
    /// How relevant the judge finds it, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<f64>,
    /// Of a thread or document: the item that was judged. If there were several, the one that the judge finds most relevant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<i64>,
    /// The characters of the text that the judge read, from and to, if it did not read all of it. In a thread or document, they are those of `item_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<[usize; 2]>,
}

impl RerankView {
    pub fn unjudged(search: f64) -> Self {
        Self { judged: false, score: search, search, judge: None, item_id: None, read: None }
    }
}

/// How sure the model is that any of the candidates answers the question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeConfidence {
    /// Whether a model judged the candidates. If not, nothing more is known.
    pub judged: bool,
    /// How relevant the model finds the best of them, from 0 to 1. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
    /// `min_confidence`, or what was measured for the model. Absent if neither is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// Whether the best reaches it: if not, probably nothing stored answers the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<bool>,
}

impl JudgeConfidence {
    pub fn new(best: Option<f64>, least: Option<f64>) -> Self {
        // 0 turns it off, whatever was found.
        let reaches = |least: f64| least <= 0.0 || best.is_some_and(|best| best.total_cmp(&least).is_ge());
        Self { judged: true, best, least, enough: least.map(reaches) }
    }

    /// Whether the model found that nothing answers.
    pub fn says_no(&self) -> bool {
        self.enough == Some(false)
    }

    /// Why nothing is kept, if the model found that nothing answers.
    pub fn refusal(&self) -> Option<String> {
        let (best, least) = (self.best.unwrap_or_default(), self.least.unwrap_or_default());
        self.says_no().then(|| format!("the reranker rates the best candidate {best:.4}; at least {least} is needed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_a_reranker_is_named_in_one_way_and_read_back() {
        for text in ["off", "judge", "folder:bge", "folder:/models/a b"] {
            assert_eq!(Rerank::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "on", "Judge", "folder:", "folder: ", "folder:a\nb", "judge "] {
            let refused = Rerank::parse(text).unwrap_err();
            assert!(refused.remedy.contains("\"judge\""), "{text}: {}", refused.remedy);
        }
        assert!(Rerank::parse(&format!("folder:{}", "x".repeat(5000))).is_err());
    }
}
