//! Documents: the properties of a stored file or text.

use crate::digest::{Digest, Hasher};
use crate::invalid::Invalid;
use crate::item::{Metadata, check_text};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ffi::OsStr;
use std::path::Path;

/// The tag and kind that every ingested document carries (C1).
pub const FILE_INGEST: &str = "file_ingest";

/// What a file is, and so how its text is read and where it is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileType {
    Text,
    Markdown,
    Json,
    Yaml,
    Rst,
    Html,
    Notebook,
    Csv,
    Jsonl,
    Email,
    Code,
    Pdf,
    Docx,
}

impl FileType {
    pub const ALL: [Self; 13] = [
        Self::Text,
        Self::Markdown,
        Self::Json,
        Self::Yaml,
        Self::Rst,
        Self::Html,
        Self::Notebook,
        Self::Csv,
        Self::Jsonl,
        Self::Email,
        Self::Code,
        Self::Pdf,
        Self::Docx,
    ];

    /// Those whose files are text that a person can type, and that can also be passed as a text.
    pub const TEXTS: [Self; 11] = [
        Self::Text,
        Self::Markdown,
        Self::Json,
        Self::Yaml,
        Self::Rst,
        Self::Html,
        Self::Notebook,
        Self::Csv,
        Self::Jsonl,
        Self::Email,
        Self::Code,
    ];

    /// All names, for people.
    pub const NAMES: &'static str =
        "text, markdown, json, yaml, rst, html, notebook, csv, jsonl, email, code, pdf or docx";

    /// The type by the name of a file, or `None` for a file that Recordar does not read.
    pub fn of_path(path: &Path) -> Option<Self> {
        let is_code = |name: &str| CODE_NAMES.contains(&name);
        if path.file_name().and_then(OsStr::to_str).is_some_and(is_code) {
            return Some(Self::Code);
        }
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "txt" | "text" | "log" => Some(Self::Text),
            "md" | "markdown" | "mdown" | "mkd" | "mdx" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            "yml" | "yaml" => Some(Self::Yaml),
            "rst" => Some(Self::Rst),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "ipynb" => Some(Self::Notebook),
            "csv" | "tsv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "eml" | "mbox" => Some(Self::Email),
            "pdf" => Some(Self::Pdf),
            "docx" => Some(Self::Docx),
            code => CODE_EXTENSIONS.contains(&code).then_some(Self::Code),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Rst => "rst",
            Self::Html => "html",
            Self::Notebook => "notebook",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Email => "email",
            Self::Code => "code",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|file_type| file_type.name() == name)
            .ok_or_else(|| Invalid::new(format!("{name:?} is not a document type"), format!("use {}", Self::NAMES)))
    }

    pub fn is_text(self) -> bool {
        Self::TEXTS.contains(&self)
    }

    /// Whether the stored text has the headings of Markdown: it is Markdown, or was converted to it.
    pub fn has_markdown_headings(self) -> bool {
        matches!(self, Self::Markdown | Self::Html | Self::Notebook | Self::Docx)
    }
}

/// Source code without an extension.
const CODE_NAMES: [&str; 16] = [
    "BUILD",
    "CMakeLists.txt",
    "Containerfile",
    "Dockerfile",
    "GNUmakefile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "Makefile",
    "Procfile",
    "Rakefile",
    "Vagrantfile",
    "WORKSPACE",
    "justfile",
    "makefile",
    "meson.build",
];

/// Source code, and configuration in sections. Style sheets, pictures as text and lock files are left out: read in bulk, they hide the rest.
const CODE_EXTENSIONS: [&str; 124] = [
    "ada", "adb", "ads", "asm", "awk", "bas", "bash", "bat", "bazel", "bzl", "c", "cc", "cfg", "cjs", "cl", "clj",
    "cljc", "cljs", "cmake", "cmd", "coffee", "conf", "cpp", "cr", "cs", "cts", "cu", "cxx", "d", "dart", "dpr", "el",
    "elm", "erl", "ex", "exs", "f", "f03", "f90", "f95", "fish", "for", "fs", "fsi", "fsx", "gd", "glsl", "go",
    "gradle", "graphql", "groovy", "h", "hcl", "hh", "hlsl", "hpp", "hrl", "hs", "hxx", "idl", "ini", "ino", "java",
    "jl", "js", "jsx", "ksh", "kt", "kts", "lean", "lhs", "lisp", "lua", "m", "mjs", "mk", "ml", "mli", "mm", "mts",
    "nim", "nix", "nu", "pas", "php", "pl", "pm", "pp", "proto", "ps1", "psm1", "py", "pyi", "pyx", "r", "rb", "rkt",
    "rs", "s", "sbt", "scala", "scm", "sh", "sol", "sql", "sv", "svelte", "swift", "tcl", "tf", "toml", "ts", "tsx",
    "v", "vala", "vb", "vhd", "vim", "vue", "wat", "wgsl", "xsl", "zig", "zsh",
];

/// What identifies a document: its name in a collection, the path relative to the collection's root; or, without a collection, its path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentName {
    pub collection: Option<String>,
    pub name: String,
}

impl DocumentName {
    /// Of a document without a collection.
    pub fn of_path(path: &str) -> Self {
        Self { collection: None, name: path.to_owned() }
    }

    /// By which it is found.
    pub fn digest(&self) -> Digest {
        match &self.collection {
            Some(collection) => Hasher::default().field(collection).field(&self.name).finish(),
            None => Digest::of(&self.name),
        }
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

    /// With the tags, texts and fields of others where it has none of its own.
    #[must_use]
    pub fn with_those_of(&self, others: &Self) -> Self {
        let own = self.clone();
        let has_tags = self.given_tags().next().is_some();
        let fields = Map::from(others.metadata.clone()).into_iter().chain(Map::from(self.metadata.clone()));
        let metadata = Metadata::try_from(fields.collect::<Map<String, Value>>());
        Self {
            tags: if has_tags { own.tags } else { others.tags.clone() },
            topic: own.topic.or_else(|| others.topic.clone()),
            note: own.note.or_else(|| others.note.clone()),
            provider: own.provider.or_else(|| others.provider.clone()),
            // Together they may be too large; then those that are given now count.
            metadata: metadata.unwrap_or(own.metadata),
        }
    }

    /// Without the tags and fields of others.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        let mut kept = self.clone();
        kept.tags.retain(|tag| tag == FILE_INGEST || !others.tags.contains(tag));
        let described = Map::from(others.metadata.clone());
        let is_own = |(name, value): &(String, Value)| described.get(name) != Some(value);
        let fields: Map<String, Value> = Map::from(self.metadata.clone()).into_iter().filter(is_own).collect();
        kept.metadata = Metadata::try_from(fields).unwrap_or_default();
        kept
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
        check("style.css", None);
        check(".md", None);
    }

    #[test]
    fn i20_formats_are_known_by_their_names() {
        let check = |names: &str, expected| {
            for name in names.split(' ') {
                assert_eq!(FileType::of_path(Path::new("a folder").join(name).as_path()), Some(expected), "{name}");
            }
        };
        check("a.markdown a.mdx", FileType::Markdown);
        check("a.rst", FileType::Rst);
        check("a.html a.HTM", FileType::Html);
        check("a.ipynb", FileType::Notebook);
        check("a.csv a.tsv", FileType::Csv);
        check("a.jsonl a.ndjson", FileType::Jsonl);
        check("a.eml archive.mbox", FileType::Email);
        check("a.pdf", FileType::Pdf);
        check("a.docx", FileType::Docx);
        check(
            "a.py a.rs a.c a.h a.cpp a.java a.js a.tsx a.go a.rb a.sh a.sql a.toml Makefile Dockerfile",
            FileType::Code,
        );
        check("CMakeLists.txt", FileType::Code);
        let names = FileType::ALL.map(FileType::name);
        assert_eq!(names.join(", ").replace(", docx", " or docx"), FileType::NAMES);
        assert!(names.iter().all(|name| FileType::parse(name).is_ok_and(|found| found.name() == *name)));
        assert!(CODE_EXTENSIONS.is_sorted() && CODE_NAMES.is_sorted());
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
