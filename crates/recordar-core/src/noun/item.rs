//! A stored item as results show it, with the names of its thread and document.

use recordar_domain::text::SectionStart;
use recordar_domain::{Attributes, ItemKind, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An item that can be recalled, and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemView {
    pub space: String,
    pub item_id: i64,
    pub kind: ItemKind,
    pub text: String,
    pub thread: Option<String>,
    pub role: Option<String>,
    pub speaker: Option<String>,
    pub document: Option<String>,
    /// The document's path relative to the folder that was ingested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_name: Option<String>,
    /// The section in which the text begins; of a search hit, that of its snippet.
    pub section: Option<String>,
    /// The sections that begin inside the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SectionStart>,
    pub occurred_at: Timestamp,
    #[serde(flatten)]
    pub stored: StoredWith,
}

/// What the caller stored with an item. No digest of a receipt covers it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredWith {
    /// The id that you gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_id: Option<String>,
    /// Its metadata. For a chunk, the metadata of its document, and the document's tags, topic, note and provider.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// For a chunk, the number of the document's version that it was found in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

impl StoredWith {
    /// Of a message, fact or summary.
    pub(crate) fn of_row(own_id: Option<String>, metadata: Option<&str>) -> Self {
        let metadata = metadata.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        Self { own_id, metadata, version: None }
    }

    /// Of a chunk: the caller's own fields come before attributes of the same name.
    pub fn of_document(attributes: &Attributes, version: i64) -> Self {
        Self { own_id: None, metadata: Self::document_metadata(attributes), version: Some(version) }
    }

    pub fn document_metadata(attributes: &Attributes) -> Map<String, Value> {
        let tags: Vec<&str> = attributes.given_tags().collect();
        let mut metadata = Map::new();
        if !tags.is_empty() {
            metadata.insert("tags".to_owned(), tags.into());
        }
        let texts = [("topic", &attributes.topic), ("note", &attributes.note), ("provider", &attributes.provider)];
        for (name, text) in texts {
            metadata.extend(text.as_ref().map(|text| (name.to_owned(), text.as_str().into())));
        }
        metadata.extend(Map::from(attributes.metadata.clone()));
        metadata
    }

    /// Its approximate size in RAM.
    pub fn size(&self) -> usize {
        let own_id = self.own_id.as_ref().map_or(0, String::len);
        own_id
            + if self.metadata.is_empty() {
                0
            } else {
                serde_json::to_string(&self.metadata).map_or(0, |json| json.len())
            }
    }
}

impl ItemView {
    /// The part of it that receipts prove and carry.
    pub fn proven(self) -> Self {
        Self { stored: StoredWith::default(), ..self }
    }

    /// The section of a place in the text: the heading above it.
    pub(crate) fn section_at(&self, place: usize) -> Option<&str> {
        let next = self.sections.partition_point(|start| start.at <= place);
        let inner = next.checked_sub(1).map(|last| self.sections[last].section.as_str());
        inner.or(self.section.as_deref())
    }

    /// What its document is called, in as few words as possible.
    pub fn source(&self) -> Option<&str> {
        self.document_name.as_deref().or(self.document.as_deref())
    }
}

/// What a trace calls an item.
pub fn item_name(space: &str, id: i64) -> String {
    format!("{space} item {id}")
}
