//! Items: the things that can be recalled. A chunk of a document, a message, a fact or a summary.

use crate::invalid::Invalid;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// The maximum text of an item. Longer text belongs in a document, which is split into chunks.
pub const MAX_TEXT_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    Chunk,
    Message,
    Fact,
    Summary,
}

impl ItemKind {
    pub const ALL: [Self; 4] = [Self::Chunk, Self::Message, Self::Fact, Self::Summary];

    /// The number that stands for the kind in the database. Never renumbered.
    pub fn code(self) -> i64 {
        match self {
            Self::Chunk => 1,
            Self::Message => 2,
            Self::Fact => 3,
            Self::Summary => 4,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Message => "message",
            Self::Fact => "fact",
            Self::Summary => "summary",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| Invalid::new(format!("{name:?} is not an item kind"), "use message, fact or summary"))
    }

    pub fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    #[default]
    User,
    Assistant,
    System,
    Tool,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::User, Self::Assistant, Self::System, Self::Tool];

    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or_else(|| Invalid::new(format!("{name:?} is not a role"), "use user, assistant, system or tool"))
    }
}

/// The importance of an item, from 0 to 1, kept in millionths so that every database stores the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Importance(u32);

impl Default for Importance {
    /// Neither important nor unimportant.
    fn default() -> Self {
        Self(500_000)
    }
}

impl Importance {
    pub fn new(value: f64) -> Result<Self, Invalid> {
        if !(0.0..=1.0).contains(&value) {
            return Err(Invalid::new(format!("importance {value} is not between 0 and 1"), "use a number such as 0.7"));
        }
        Ok(Self((value * 1e6).round() as u32))
    }

    pub fn from_millionths(millionths: i64) -> Option<Self> {
        u32::try_from(millionths).ok().filter(|m| *m <= 1_000_000).map(Self)
    }

    pub fn millionths(self) -> i64 {
        i64::from(self.0)
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1e6
    }
}

impl Serialize for Importance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Importance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The caller's own JSON object for an item or a document. Its keys are sorted, so equal objects are equal bytes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Metadata(Map<String, Value>);

impl Eq for Metadata {}

impl Metadata {
    pub const MAX_BYTES: usize = 64 * 1024;
    const MAX_NESTING: usize = 32;

    pub fn new(object: Map<String, Value>) -> Result<Self, Invalid> {
        let bytes = Value::Object(object.clone()).to_string().len();
        if bytes > Self::MAX_BYTES {
            return Err(Invalid::new(
                format!("metadata of {bytes} bytes exceeds the limit of {}", Self::MAX_BYTES),
                "keep large content in a document or a message",
            ));
        }
        check_values(object.values(), object.keys(), 1)?;
        Ok(Self(object))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// With fields added that it does not have; unchanged if it would become too large.
    #[must_use]
    pub fn with_defaults<'a>(&self, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut object = self.0.clone();
        for (name, value) in fields {
            object.entry(name).or_insert_with(|| Value::from(value));
        }
        Self::new(object).unwrap_or_else(|_| self.clone())
    }

    /// Changes it for display, for example by redaction. The result is not checked again.
    pub fn try_change<E>(&mut self, change: impl FnOnce(&mut Value) -> Result<(), E>) -> Result<(), E> {
        let mut object = Value::Object(std::mem::take(&mut self.0));
        change(&mut object)?;
        if let Value::Object(changed) = object {
            self.0 = changed;
        }
        Ok(())
    }

    /// The object as JSON with sorted keys.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    pub fn from_json(json: &str) -> Result<Self, Invalid> {
        match serde_json::from_str(json) {
            Ok(Value::Object(object)) => Self::new(object),
            Ok(_) => Err(Invalid::new("metadata must be a JSON object", "use for example {\"agent\": \"planner\"}")),
            Err(error) => Err(Invalid::new(
                format!("metadata is not valid JSON: {error}"),
                "use for example {\"agent\": \"planner\"}",
            )),
        }
    }
}

fn check_values<'a>(
    values: impl Iterator<Item = &'a Value>,
    mut keys: impl Iterator<Item = &'a String>,
    nesting: usize,
) -> Result<(), Invalid> {
    if nesting > Metadata::MAX_NESTING {
        return Err(Invalid::new(
            format!("metadata is nested deeper than {} levels", Metadata::MAX_NESTING),
            "flatten it",
        ));
    }
    if keys.any(|key| key.contains('\0')) {
        return Err(nul("a key of the metadata"));
    }
    for value in values {
        match value {
            Value::String(text) if text.contains('\0') => return Err(nul("the metadata")),
            Value::Array(array) => check_values(array.iter(), std::iter::empty(), nesting + 1)?,
            Value::Object(object) => check_values(object.values(), object.keys(), nesting + 1)?,
            _ => {}
        }
    }
    Ok(())
}

impl TryFrom<Map<String, Value>> for Metadata {
    type Error = Invalid;

    fn try_from(object: Map<String, Value>) -> Result<Self, Invalid> {
        Self::new(object)
    }
}

impl From<Metadata> for Map<String, Value> {
    fn from(metadata: Metadata) -> Self {
        metadata.0
    }
}

/// Refuses texts that databases store differently: NUL characters, empty texts, and texts above a limit.
pub fn check_text(name: &str, text: &str, max_bytes: usize) -> Result<(), Invalid> {
    if text.trim().is_empty() {
        return Err(Invalid::new(format!("{name} is empty"), "add some text, or omit it"));
    }
    if text.len() > max_bytes {
        return Err(Invalid::new(
            format!("{name} has {} bytes; the limit is {max_bytes}", text.len()),
            "shorten it, or store it as a document with `ingest`, which splits long text into chunks",
        ));
    }
    if text.contains('\0') {
        return Err(nul(name));
    }
    Ok(())
}

fn nul(name: &str) -> Invalid {
    Invalid::new(format!("{name} contains a NUL character"), "remove it; databases cannot store NUL in text")
}

/// The field of an object in the metadata of an item that names a record of the item's own, by its key; [`BUCKET_FIELD`] names its bucket.
/// Such a record is forgotten with the item.
pub const RECORD_FIELD: &str = "recordar_record";
const BUCKET_FIELD: &str = "recordar_bucket";

/// The records that the metadata of an item name as its own: bucket and key.
pub fn records_named(metadata: &str) -> Vec<(String, String)> {
    let fields: Map<String, Value> = serde_json::from_str(metadata).unwrap_or_default();
    let named = |value: &Value| {
        Some((value.get(BUCKET_FIELD)?.as_str()?.to_owned(), value.get(RECORD_FIELD)?.as_str()?.to_owned()))
    };
    fields.values().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_is_exact_in_millionths() {
        assert_eq!(Importance::new(0.7).unwrap().millionths(), 700_000);
        assert_eq!(Importance::new(0.7).unwrap().as_f64(), 0.7);
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Importance::new(value).is_err(), "{value}");
        }
    }

    #[test]
    fn metadata_is_canonical_and_bounded() {
        let one = Metadata::from_json(r#"{"b": 1, "a": {"d": 2, "c": 3}}"#).unwrap();
        assert_eq!(one.to_json(), r#"{"a":{"c":3,"d":2},"b":1}"#);
        for json in ["[]", "{", r#"{"a": "\u0000"}"#, r#"{"\u0000": 1}"#] {
            assert!(Metadata::from_json(json).is_err(), "{json}");
        }
        let deep = format!("{}1{}", r#"{"a":"#.repeat(40), "}".repeat(40));
        assert!(Metadata::from_json(&deep).unwrap_err().what.contains("nested"));
        assert!(Metadata::from_json(&format!(r#"{{"a":"{}"}}"#, "x".repeat(70_000))).is_err());
    }
}
