//! Documents: the properties of a stored file or text.

use crate::digest::Digest;
use crate::invalid::Invalid;
use crate::item::{Metadata, check_text};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The tag and kind that every ingested document carries (C1).
pub const FILE_INGEST: &str = "file_ingest";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileType {
    Text,
    Markdown,
    Json,
    Yaml,
}

impl FileType {
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Json, Self::Yaml];

    /// The type by file extension, or `None` for a file that Recordar does not read.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "txt" => Some(Self::Text),
            "md" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            "yml" | "yaml" => Some(Self::Yaml),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|file_type| file_type.name() == name)
            .ok_or_else(|| Invalid::new(format!("{name:?} is not a document type"), "use text, markdown, json or yaml"))
    }
}

/// The properties of a file's content when it was read (B1). Two files with the same `sha256` are the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    pub path: String,
    pub sha256: Digest,
    /// Absent for a text that was not read from a file.
    pub mtime: Option<Timestamp>,
    #[serde(rename = "type")]
    pub file_type: FileType,
    pub bytes: u64,
    /// Unicode characters, the length that the `longest` strategy compares.
    pub chars: u64,
}

/// The caller's attributes of a document. Tags keep their order and always start with `file_ingest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attributes {
    tags: Vec<String>,
    pub topic: Option<String>,
    pub note: Option<String>,
    pub provider: Option<String>,
    pub metadata: Metadata,
}

impl Default for Attributes {
    fn default() -> Self {
        Self {
            tags: vec![FILE_INGEST.to_owned()],
            topic: None,
            note: None,
            provider: None,
            metadata: Metadata::default(),
        }
    }
}

impl Attributes {
    const MAX_TAGS: usize = 64;
    const MAX_TAG_BYTES: usize = 200;
    const MAX_NOTE_BYTES: usize = 64 * 1024;

    /// Checks everything once, at the door.
    pub fn new<'a>(
        tags: impl IntoIterator<Item = &'a str>,
        topic: Option<String>,
        note: Option<String>,
        provider: Option<String>,
        metadata: Metadata,
    ) -> Result<Self, Invalid> {
        for (name, text) in [("topic", &topic), ("note", &note), ("provider", &provider)] {
            if let Some(text) = text {
                check_text(name, text, Self::MAX_NOTE_BYTES)?;
            }
        }
        let mut attributes = Self { topic, note, provider, metadata, ..Self::default() };
        for tag in tags {
            attributes.add_tag(tag.trim())?;
        }
        Ok(attributes)
    }

    /// With tags and fields that a document gives itself. What the caller gave comes first; what does not fit is left out.
    #[must_use]
    pub fn with_description<'a>(
        &self,
        tags: impl IntoIterator<Item = &'a str>,
        fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut described = self.clone();
        for tag in tags {
            // A tag that is too long, or one too many, is only missing.
            let _ = described.add_tag(tag.trim());
        }
        described.metadata = self.metadata.with_defaults(fields);
        described
    }

    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The tags without the one that every document has.
    pub fn given_tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(String::as_str).filter(|tag| *tag != FILE_INGEST)
    }

    /// Every text in it except the metadata, for redaction.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let others = [&mut self.topic, &mut self.note, &mut self.provider];
        self.tags.iter_mut().chain(others.into_iter().flatten())
    }

    fn add_tag(&mut self, tag: &str) -> Result<(), Invalid> {
        if tag.is_empty() || tag.len() > Self::MAX_TAG_BYTES || tag.chars().any(char::is_control) {
            return Err(Invalid::new(
                format!("{tag:?} is not a valid tag"),
                "use 1 to 200 bytes without control characters",
            ));
        }
        if self.tags.iter().any(|known| known == tag) {
            return Ok(());
        }
        if self.tags.len() == Self::MAX_TAGS {
            return Err(Invalid::new(
                format!("a document has at most {} tags", Self::MAX_TAGS),
                "remove some, or move them to the metadata",
            ));
        }
        self.tags.push(tag.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b1_types_are_known_by_their_endings() {
        let check = |name: &str, expected| assert_eq!(FileType::of_path(Path::new(name)), expected, "{name}");
        check("a.txt", Some(FileType::Text));
        check("b/A.MD", Some(FileType::Markdown));
        check("c.json", Some(FileType::Json));
        check("d.yml", Some(FileType::Yaml));
        check("e.yaml", Some(FileType::Yaml));
        check("f.png", None);
        check("README", None);
    }

    #[test]
    fn c1_every_document_is_tagged_file_ingest_first_and_once() {
        let new = |tags: &[&str], note: Option<&str>| {
            Attributes::new(tags.iter().copied(), None, note.map(str::to_owned), None, Metadata::default())
        };
        let attributes = new(&["docs", "file_ingest", "docs", " design "], None).unwrap();
        assert_eq!(attributes.tags(), ["file_ingest", "docs", "design"]);
        assert!(new(&[" "], None).is_err());
        assert!(new(&[], Some("a\0b")).is_err());
        let many: Vec<String> = (0..65).map(|i| i.to_string()).collect();
        assert!(new(&many.iter().map(String::as_str).collect::<Vec<_>>(), None).is_err());
    }
}
