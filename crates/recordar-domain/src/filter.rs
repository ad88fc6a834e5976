//! Filters: which items a search, a recall or a list is limited to.
//!
//! A filter is a list of conditions such as `tag=release-0.9`, `path=docs/**` or `!kind=message`. An item must meet all of them; of several
//! conditions on one field it must meet one. A negated condition stands alone.

use crate::document::FileType;
use crate::invalid::Invalid;
use crate::item::{ItemKind, Role};
use crate::time::Timestamp;
use globset::{GlobBuilder, GlobSet};
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// More conditions are refused, and so are longer ones.
pub const MAX_CONDITIONS: usize = 32;
const MAX_CONDITION_BYTES: usize = 2048;
const MAX_GLOB_BYTES: usize = 256;
const DAY_US: i64 = 86_400_000_000;

/// What a condition is about. Tag, path, type and collection are properties of documents; thread, role and speaker of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterField {
    Tag,
    Path,
    Type,
    Collection,
    Kind,
    Thread,
    Role,
    Speaker,
    /// A key of the metadata.
    Meta(String),
    Since,
    Before,
    Until,
}

/// Before a key of the metadata.
const META: &str = "meta.";

impl FilterField {
    /// All but `meta.KEY`.
    const PLAIN: [Self; 11] = [
        Self::Tag,
        Self::Path,
        Self::Type,
        Self::Collection,
        Self::Kind,
        Self::Thread,
        Self::Role,
        Self::Speaker,
        Self::Since,
        Self::Before,
        Self::Until,
    ];

    fn name(&self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Path => "path",
            Self::Type => "type",
            Self::Collection => "collection",
            Self::Kind => "kind",
            Self::Thread => "thread",
            Self::Role => "role",
            Self::Speaker => "speaker",
            Self::Meta(_) => META,
            Self::Since => "since",
            Self::Before => "before",
            Self::Until => "until",
        }
    }

    fn parse(name: &str) -> Result<Self, Invalid> {
        if let Some(key) = name.strip_prefix(META).filter(|key| !key.is_empty()) {
            return Ok(Self::Meta(key.to_owned()));
        }
        Self::PLAIN.into_iter().find(|field| field.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::PLAIN.iter().map(Self::name).collect();
            let what = format!("a filter has no field {}", shortened(name));
            Invalid::new(what, format!("use one of {}, or meta.KEY", known.join(", ")))
        })
    }

    /// Whether it is one end of a time range.
    fn is_time(&self) -> bool {
        matches!(self, Self::Since | Self::Before | Self::Until)
    }

    /// Whether documents have it.
    pub fn is_of_documents(&self) -> bool {
        matches!(self, Self::Tag | Self::Path | Self::Type | Self::Collection | Self::Meta(_))
    }
}

impl fmt::Display for FilterField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meta(key) => write!(f, "{META}{key}"),
            plain => f.write_str(plain.name()),
        }
    }
}

/// What the field must be.
#[derive(Debug, Clone)]
enum Test {
    Text(String),
    Glob(Arc<GlobSet>),
    Kind(ItemKind),
    Role(Role),
    Type(FileType),
    /// From the first time on, up to the second, which is not included.
    Time(i64, i64),
}

/// One condition, as it was written.
#[derive(Debug, Clone)]
struct Condition {
    field: FilterField,
    is_negated: bool,
    value: String,
    test: Test,
}

impl Condition {
    fn parse(text: &str) -> Result<Self, Invalid> {
        let example = "write it as FIELD=VALUE, such as tag=draft, or !tag=draft to leave those out";
        if text.len() > MAX_CONDITION_BYTES || text.contains('\0') {
            let what = format!("a condition of the filter has {} bytes or a NUL character", text.len());
            return Err(Invalid::new(what, format!("use at most {MAX_CONDITION_BYTES} bytes, without NUL")));
        }
        let (before, rest) = match text.trim_start().strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let unreadable = |what: &str| Invalid::new(format!("the filter {} {what}", shortened(text)), example);
        let (name, value) = rest.split_once('=').ok_or_else(|| unreadable("has no ="))?;
        let (after, name) = match name.trim().strip_suffix('!') {
            Some(name) => (true, name.trim_end()),
            None => (false, name.trim()),
        };
        if before && after {
            return Err(unreadable("is negated twice"));
        }
        if value.is_empty() {
            return Err(unreadable("has no value"));
        }
        let field = FilterField::parse(name)?;
        let test = Test::parse(&field, value)?;
        Ok(Self { field, is_negated: before || after, value: value.to_owned(), test })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}={}", if self.is_negated { "!" } else { "" }, self.field, self.value)
    }
}

impl Test {
    fn parse(field: &FilterField, value: &str) -> Result<Self, Invalid> {
        let time = || Timestamp::parse(value).map(Timestamp::as_micros);
        Ok(match field {
            FilterField::Path => Self::Glob(Arc::new(glob(value)?)),
            FilterField::Kind => Self::Kind(ItemKind::parse(value).map_err(|invalid| {
                let known: Vec<&str> = ItemKind::ALL.iter().map(|kind| kind.name()).collect();
                Invalid::new(invalid.what, format!("use one of {}", known.join(", ")))
            })?),
            FilterField::Role => Self::Role(Role::parse(value)?),
            FilterField::Type => Self::Type(FileType::parse(value)?),
            FilterField::Since => Self::Time(time()?, i64::MAX),
            FilterField::Before => Self::Time(i64::MIN, time()?),
            // A day ends when the next one begins.
            FilterField::Until => {
                let is_day = !value.contains(':') && !value.contains(['T', 't']);
                Self::Time(i64::MIN, time()?.saturating_add(if is_day { DAY_US } else { 1 }))
            }
            FilterField::Tag
            | FilterField::Collection
            | FilterField::Thread
            | FilterField::Speaker
            | FilterField::Meta(_) => Self::Text(value.to_owned()),
        })
    }

    fn is_text(&self, text: &str) -> bool {
        matches!(self, Self::Text(own) if own == text)
    }
}

/// `*` and `?` stay within a folder, `**` does not.
fn glob(pattern: &str) -> Result<GlobSet, Invalid> {
    let remedy =
        "use a pattern such as docs/** or **/*.md; put \\ before [, ], {, }, * and ? that stand for themselves";
    if pattern.len() > MAX_GLOB_BYTES {
        let what = format!("the path pattern {} has {} bytes", shortened(pattern), pattern.len());
        return Err(Invalid::new(what, format!("use at most {MAX_GLOB_BYTES} bytes")));
    }
    let built = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build();
    // A set, because compiling a single one panics where this fails.
    built.and_then(|glob| GlobSet::builder().add(glob).build()).map_err(|error| {
        let what = format!("{} is not a valid path pattern: {}", shortened(pattern), error.kind());
        Invalid::new(what, remedy)
    })
}

/// A text of others in an error.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The conditions that are decided together: one of several values of a field, or one negated condition.
#[derive(Debug, Clone)]
pub struct Clause {
    pub field: FilterField,
    /// Whether items pass that do *not* match.
    pub is_negated: bool,
    tests: Vec<Test>,
    text: String,
}

/// What a filter sees of a document at one time.
#[derive(Debug, Clone, Copy)]
pub struct DocumentProperties<'a> {
    pub path: &'a str,
    /// Relative to the ingested folder.
    pub name: Option<&'a str>,
    pub file_type: FileType,
    pub tags: &'a [String],
    pub collection: Option<&'a str>,
    /// As hits show it.
    pub metadata: &'a Map<String, Value>,
}

impl Clause {
    /// Whether a document has one of the values. Documents have no thread, role or speaker.
    pub fn matches_document(&self, document: &DocumentProperties<'_>) -> bool {
        self.tests.iter().any(|test| match (&self.field, test) {
            (FilterField::Tag, test) => document.tags.iter().any(|tag| test.is_text(tag)),
            (FilterField::Path, Test::Glob(glob)) => {
                glob.is_match(document.path) || document.name.is_some_and(|name| glob.is_match(name))
            }
            (_, Test::Type(file_type)) => document.file_type == *file_type,
            (FilterField::Collection, test) => document.collection.is_some_and(|name| test.is_text(name)),
            (FilterField::Meta(key), test) => document.metadata.get(key).is_some_and(|value| test.is_value(value)),
            (_, Test::Kind(kind)) => *kind == ItemKind::Chunk,
            _ => false,
        })
    }

    /// Whether a document passes as one thing, with the time of its content in microseconds.
    pub fn passes_document(&self, document: &DocumentProperties<'_>, occurred_at: i64) -> bool {
        (self.matches_document(document) || self.matches_time(occurred_at)) != self.is_negated
    }

    /// Whether metadata has one of the values. Texts are compared exactly, numbers and truth values by how JSON writes them; of a list,
    /// one element is enough.
    pub fn matches_metadata(&self, metadata: &Map<String, Value>) -> bool {
        let FilterField::Meta(key) = &self.field else { return false };
        metadata.get(key).is_some_and(|value| self.tests.iter().any(|test| test.is_value(value)))
    }

    /// Whether a time, in microseconds, is within the range.
    pub fn matches_time(&self, micros: i64) -> bool {
        self.tests.iter().any(|test| matches!(test, Test::Time(from, end) if (*from..*end).contains(&micros)))
    }

    /// The texts of a condition on a tag, a collection, a thread, a speaker or metadata.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().filter_map(|test| match test {
            Test::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    pub fn kinds(&self) -> impl Iterator<Item = ItemKind> {
        self.tests.iter().filter_map(|test| if let Test::Kind(kind) = test { Some(*kind) } else { None })
    }

    pub fn roles(&self) -> impl Iterator<Item = Role> {
        self.tests.iter().filter_map(|test| if let Test::Role(role) = test { Some(*role) } else { None })
    }
}

/// As in `tag=one or tag=two`.
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Test {
    fn is_value(&self, value: &Value) -> bool {
        match value {
            Value::Array(values) => values.iter().any(|value| self.is_plain_value(value)),
            plain => self.is_plain_value(plain),
        }
    }

    fn is_plain_value(&self, value: &Value) -> bool {
        plain_text(value).is_some_and(|text| self.is_text(&text))
    }
}

/// What a value of metadata is compared by. Objects and lists have no such text.
fn plain_text(value: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text.as_str().into()),
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.to_string().into()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Every key of metadata with each value that a filter can ask for.
pub fn metadata_pairs(metadata: &Map<String, Value>) -> impl Iterator<Item = (&str, std::borrow::Cow<'_, str>)> {
    metadata.iter().flat_map(|(key, value)| {
        let values = match value {
            Value::Array(values) => values.as_slice(),
            plain => std::slice::from_ref(plain),
        };
        values.iter().filter_map(move |value| Some((key.as_str(), plain_text(value)?)))
    })
}

/// A checked filter.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    conditions: Vec<Condition>,
}

impl Filter {
    /// Reads conditions. The first that cannot be read is an error.
    pub fn parse<S: AsRef<str>>(conditions: &[S]) -> Result<Self, Invalid> {
        if conditions.len() > MAX_CONDITIONS {
            let what = format!("the filter has {} conditions", conditions.len());
            return Err(Invalid::new(what, format!("use at most {MAX_CONDITIONS}")));
        }
        let read: Vec<Condition> =
            conditions.iter().map(|text| Condition::parse(text.as_ref())).collect::<Result<_, _>>()?;
        for field in FilterField::PLAIN.iter().filter(|field| field.is_time()) {
            if read.iter().filter(|condition| condition.field == *field && !condition.is_negated).count() > 1 {
                return Err(Invalid::new(format!("the filter has {field} twice"), "give it once"));
            }
        }
        Ok(Self { conditions: read })
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// What must hold, one by one.
    pub fn clauses(&self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        for condition in &self.conditions {
            let same = |clause: &&mut Clause| clause.field == condition.field && !clause.is_negated;
            let known = clauses.iter_mut().find(same).filter(|_| !condition.is_negated);
            match known {
                Some(clause) => {
                    clause.tests.push(condition.test.clone());
                    clause.text = format!("{} or {condition}", clause.text);
                }
                None => clauses.push(Clause {
                    field: condition.field.clone(),
                    is_negated: condition.is_negated,
                    tests: vec![condition.test.clone()],
                    text: condition.to_string(),
                }),
            }
        }
        clauses
    }

    /// The conditions as text, as they can be read again.
    pub fn conditions(&self) -> Vec<String> {
        self.conditions.iter().map(Condition::to_string).collect()
    }
}

impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.conditions() == other.conditions()
    }
}

impl Eq for Filter {}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clauses: Vec<String> = self.clauses().iter().map(Clause::to_string).collect();
        f.write_str(&clauses.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(conditions: &[&str]) -> Filter {
        Filter::parse(conditions).unwrap()
    }

    fn refused(condition: &str) -> String {
        let Invalid { what, remedy } = Filter::parse(&[condition]).unwrap_err();
        format!("{what}; {remedy}")
    }

    #[test]
    fn i20_filter_conditions_are_read_and_written() {
        let written = ["tag=a", "!tag=b c", "path=docs/**", "meta.a.b=x=y", "since=2024-01-01", "!kind=chunk"];
        assert_eq!(read(&written).conditions(), written);
        assert_eq!(read(&["tag!=draft", " role = user".trim_end()][..1]).conditions(), ["!tag=draft"]);
        assert_eq!(read(&["tag=a", "role=user", "tag=b", "!tag=c"]).to_string(), "tag=a or tag=b, role=user, !tag=c");
        assert!(Filter::parse::<&str>(&[]).unwrap().is_empty());
    }

    #[test]
    fn i20_filter_mistakes_are_explained() {
        for (condition, expected) in [
            ("tag", "has no ="),
            ("tag=", "has no value"),
            ("!tag!=a", "negated twice"),
            (
                "tags=a",
                "use one of tag, path, type, collection, kind, thread, role, speaker, since, before, until, or meta.KEY",
            ),
            ("meta.=a", "a filter has no field"),
            ("kind=video", "use one of chunk, message, fact, summary"),
            ("role=boss", "use user, assistant, system or tool"),
            ("type=exe", "not a document type"),
            ("since=yesterday", "2026-01-31"),
            ("path=docs/[", "not a valid path pattern"),
            ("path={a,b", "not a valid path pattern"),
        ] {
            assert!(refused(condition).contains(expected), "{condition}: {}", refused(condition));
        }
        assert!(refused(&format!("path={}", "*".repeat(300))).contains("256 bytes"));
        assert!(refused(&format!("tag={}", "x".repeat(3000))).contains("2048 bytes"));
        assert!(refused("tag=a\0b").contains("NUL"));
        assert!(refused(&format!("{}=1", "é".repeat(500))).len() < 400, "errors are short");
        assert!(Filter::parse(&vec!["tag=a"; 33]).unwrap_err().what.contains("33 conditions"));
        assert!(Filter::parse(&["since=2024-01-01", "since=2024-02-01"]).unwrap_err().what.contains("since twice"));
    }

    #[test]
    fn i20_filter_times_include_the_last_day() {
        let at = |text: &str| Timestamp::parse(text).unwrap().as_micros();
        let passes = |condition: &str, time: &str| read(&[condition]).clauses()[0].matches_time(at(time));
        assert!(passes("since=2024-01-01", "2024-01-01") && !passes("since=2024-01-01", "2023-12-31T23:59:59Z"));
        assert!(passes("until=2024-06-30", "2024-06-30T23:59:59Z") && !passes("until=2024-06-30", "2024-07-01"));
        assert!(passes("until=2024-06-30T12:00:00Z", "2024-06-30T12:00:00Z"));
        assert!(!passes("until=2024-06-30T12:00:00Z", "2024-06-30T12:00:01Z"));
        assert!(!passes("before=2024-06-30", "2024-06-30") && passes("before=2024-06-30", "2024-06-29T23:00:00Z"));
    }

    #[test]
    fn i20_filter_documents_match_by_path_tag_type_and_metadata() {
        let metadata =
            json!({"author": "Kim", "year": 2024, "draft": false, "tags": ["x"], "deep": {"a": 1}, "no": null});
        let Value::Object(metadata) = metadata else { unreachable!() };
        let tags = ["file_ingest".to_owned(), "release-0.9".to_owned()];
        let document = DocumentProperties {
            path: "/home/ada/repo/docs/api/index.md",
            name: Some("docs/api/index.md"),
            file_type: FileType::Markdown,
            tags: &tags,
            collection: Some("repo"),
            metadata: &metadata,
        };
        let check = |condition: &str, expected: bool| {
            assert_eq!(read(&[condition]).clauses()[0].matches_document(&document), expected, "{condition}");
        };
        for yes in [
            "tag=release-0.9",
            "path=docs/**",
            "path=**/api/*.md",
            "path=/home/**",
            "path=docs/*/index.{md,txt}",
            "type=markdown",
            "collection=repo",
            "kind=chunk",
            "meta.author=Kim",
            "meta.year=2024",
            "meta.draft=false",
            "meta.tags=x",
            "meta.no=null",
        ] {
            check(yes, true);
        }
        for no in [
            "tag=release",
            "path=docs/*",
            "path=Docs/**",
            "path=api/**",
            "type=text",
            "collection=other",
            "kind=fact",
            "meta.author=kim",
            "meta.year=2024.0",
            "meta.deep={\"a\":1}",
            "meta.absent=1",
            "thread=a",
            "role=user",
            "speaker=Kim",
        ] {
            check(no, false);
        }
        let passes = |condition: &str| read(&[condition]).clauses()[0].passes_document(&document, 1_000);
        assert!(passes("since=1970-01-01") && passes("!thread=a") && passes("!tag=x") && !passes("!path=docs/**"));
        assert!(!passes("since=1970-01-02") && passes("!since=1970-01-02"));
        let pairs: Vec<String> = metadata_pairs(&metadata).map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(pairs, ["author=Kim", "draft=false", "no=null", "tags=x", "year=2024"]);
    }
}
