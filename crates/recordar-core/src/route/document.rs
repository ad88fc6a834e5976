//! The document route (C2, C3): the versions of documents that a description may refer to, and the choice among them.
//!
//! If tags, a name or a time match nothing, that step is skipped and the trace says so; `strict` makes that an error.

use crate::error::Error;
use recordar_domain::text::one_line;
use recordar_domain::{Action, FILE_INGEST, Invalid, Stage, Timestamp, Trace, check_text};
use recordar_store::{DocumentRow, VersionRow};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A description of the requested document. Fields that are empty or unknown are skipped, and the result says so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DocumentMeta {
    /// The base name of the file, or its full path.
    #[serde(alias = "file_name")]
    pub filename: Option<String>,
    pub topic: Option<String>,
    pub note: Option<String>,
    pub provider: Option<String>,
    /// All of them are required.
    #[serde(deserialize_with = "list_or_null")]
    pub tags: Vec<String>,
    /// What to search for, instead of the other fields.
    pub query: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, Value>,
}

fn list_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRequest {
    pub meta: DocumentMeta,
    /// How many documents to consider, with all their versions.
    pub k: usize,
    /// Tags that are always required in addition to `file_ingest`.
    pub default_tags: Vec<String>,
    pub strategy: VersionStrategy,
    /// With `latest`: the newest version at that time.
    pub as_of: Option<Timestamp>,
    /// Whether a step that matches nothing is an error.
    pub strict: bool,
}

/// Which of several versions to choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VersionStrategy {
    /// The newest; of equally new ones the longer, then the better match.
    #[default]
    Latest,
    /// The oldest.
    Earliest,
    /// The longest; of equally long ones the better match.
    Longest,
    /// The best match.
    Score,
}

const DEFAULT_K: usize = 50;
pub const MAX_K: usize = 1000;
/// A lower score means hardly a word in common with the description.
const LEAST_LIKE: f64 = 0.1;
const MAX_FIELD_BYTES: usize = 16 * 1024;
/// Of the name of an unknown field.
const MAX_SHOWN_CHARS: usize = 100;
/// The most unknown fields of a description.
const MAX_UNKNOWN: usize = 100;
/// Maximum decisions recorded for one step. There may be 100,000 documents.
const MAX_DECISIONS: usize = 100;

impl Default for DocumentRequest {
    fn default() -> Self {
        Self {
            meta: DocumentMeta::default(),
            k: DEFAULT_K,
            default_tags: Vec::new(),
            strategy: VersionStrategy::default(),
            as_of: None,
            strict: false,
        }
    }
}

impl DocumentMeta {
    fn check(&self) -> Result<(), Invalid> {
        if self.unknown.len() > MAX_UNKNOWN {
            let what = format!("the description has more than {MAX_UNKNOWN} unknown fields");
            return Err(Invalid::new(what, "use filename, topic, note, provider, tags and query"));
        }
        let fields = [&self.filename, &self.topic, &self.note, &self.provider, &self.query];
        let names = ["the filename", "the topic", "the note", "the provider", "the query"];
        for (name, field) in names.into_iter().zip(fields) {
            // An empty one is skipped.
            if let Some(field) = field.as_ref().filter(|field| !field.trim().is_empty()) {
                check_text(name, field, MAX_FIELD_BYTES)?;
            }
        }
        Ok(())
    }

    /// The description without the fields that are empty or unknown, and what was skipped.
    pub fn without_skipped(&self) -> (Self, Vec<String>) {
        let mut meta = self.clone();
        let mut skipped = Vec::new();
        let fields = [
            ("filename", &mut meta.filename),
            ("topic", &mut meta.topic),
            ("note", &mut meta.note),
            ("provider", &mut meta.provider),
            ("query", &mut meta.query),
        ];
        for (name, field) in fields {
            if field.as_ref().is_some_and(|text| text.trim().is_empty()) {
                *field = None;
                skipped.push(format!("the field {name} of the description is empty"));
            }
        }
        let is_empty = |tag: &String| tag.trim().is_empty();
        if meta.tags.iter().any(is_empty) {
            meta.tags.retain(|tag| !is_empty(tag));
            skipped.push("the field tags of the description has an empty tag".to_owned());
        }
        for (name, _) in std::mem::take(&mut meta.unknown) {
            let name = one_line(&name, MAX_SHOWN_CHARS);
            skipped.push(format!("the description has an unknown field {name:?}"));
        }
        (meta, skipped)
    }

    /// Whether the description has anything besides tags.
    pub fn describes(&self) -> bool {
        let fields = [&self.filename, &self.topic, &self.note, &self.provider, &self.query];
        fields.into_iter().any(Option::is_some)
    }

    /// Whether a name is all there is: a file name with an extension, or a path, and no field beside it that describes the document. A
    /// document with another name is never meant then. Without an extension, or together with a topic, a note, a provider or a query, the
    /// name is a part of the description (C2), which falls back to what is most like it.
    pub fn is_name(&self) -> bool {
        let describes = [&self.topic, &self.note, &self.provider, &self.query].into_iter().any(Option::is_some);
        !describes && self.filename.as_deref().is_some_and(is_file_name)
    }

    /// The query, or the other fields joined.
    pub fn build_query(&self) -> String {
        if let Some(query) = &self.query {
            return query.clone();
        }
        let provider = self.provider.as_ref().map(|provider| format!("provided by {provider}"));
        let pieces = [self.filename.clone(), self.topic.clone(), self.note.clone(), provider];
        let query = pieces.into_iter().flatten().collect::<Vec<_>>().join(" ");
        if query.is_empty() { "document relevant to current request".to_owned() } else { query }
    }
}

impl DocumentRequest {
    pub fn check(&self) -> Result<(), Invalid> {
        if !(1..=MAX_K).contains(&self.k) {
            return Err(Invalid::new(format!("k {} is out of range: 1 to {MAX_K}", self.k), "use the default, 50"));
        }
        self.meta.check()
    }

    /// `file_ingest`, the default tags and those of the description, each once, in that order.
    pub fn required_tags(&self) -> Vec<String> {
        let mut tags = vec![FILE_INGEST.to_owned()];
        for tag in self.default_tags.iter().chain(&self.meta.tags) {
            if !tags.contains(tag) {
                tags.push(tag.clone());
            }
        }
        tags
    }
}

/// Whether a text is written like the name of a file: with a folder or an extension.
fn is_file_name(text: &str) -> bool {
    const MAX_EXTENSION: usize = 8;
    let extension = text.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension);
    let is_extension = |extension: &str| {
        (1..=MAX_EXTENSION).contains(&extension.len()) && extension.chars().all(|c| c.is_ascii_alphanumeric())
    };
    text.contains(['/', '\\']) || extension.is_some_and(is_extension)
}

/// The names most like one that no document has, for an error.
fn near_names<'a>(name: &str, documents: &'a [DocumentRow]) -> Vec<&'a str> {
    const MOST: usize = 3;
    /// The share of letter pairs that two names must have in common.
    const LEAST_ALIKE: f64 = 0.5;
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let mut near: Vec<(f64, &str)> = documents
        .iter()
        .map(|document| (alike(stem(last), stem(&document.filename)), document.path.as_str()))
        .filter(|(alike, _)| *alike >= LEAST_ALIKE)
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    near.into_iter().take(MOST).map(|(_, path)| path).collect()
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// How many pairs of neighbouring letters two names share, from 0 to 1 (Dice's coefficient).
fn alike(one: &str, other: &str) -> f64 {
    let pairs = |name: &str| {
        // With both ends marked, so that a name of one letter has pairs, too.
        let letters: Vec<char> = format!("^{}$", name.to_lowercase()).chars().collect();
        letters.windows(2).map(|pair| (pair[0], pair[1])).collect::<BTreeSet<(char, char)>>()
    };
    let (one, other) = (pairs(one), pairs(other));
    2.0 * one.intersection(&other).count() as f64 / (one.len() + other.len()) as f64
}

/// A candidate version, and how well its text matches.
pub struct Choice {
    /// Its index in the list of documents.
    pub document: usize,
    pub version: VersionRow,
    pub score: f64,
}

/// Runs the steps, any of which may match nothing.
pub struct Steps {
    pub strict: bool,
    pub fallbacks: Vec<DocumentFallback>,
    pub trace: Trace,
}

/// A step that matched nothing and was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentFallback {
    /// `meta` (a field is empty or unknown), `filename`, `topic`, `note`, `provider`, `tags`, `query` or `as_of`.
    pub step: &'static str,
    pub what: String,
}

fn no_such_name(name: &str, documents: &[DocumentRow]) -> Error {
    let near = near_names(name, documents);
    let similar = if near.is_empty() { String::new() } else { format!("; similar names: {}", near.join(", ")) };
    let remedy = "list all names with `recordar doc list`, or search by content with --query";
    Error::input("not_found", format!("no document is named {name}{similar}"), remedy)
}

pub fn documents_of(choices: &[Choice]) -> usize {
    choices.iter().map(|choice| choice.document).collect::<BTreeSet<usize>>().len()
}

impl Steps {
    /// Fields of the description that say nothing.
    pub fn skip(&mut self, skipped: Vec<String>) -> Result<(), Error> {
        let mut stage = Stage::new("meta");
        for what in skipped {
            stage.decide("description", Action::Dropped, "skipped", &what);
            self.fall_back("meta", what, "use filename, topic, note, provider, tags and query, or leave out strict")?;
        }
        if !stage.decisions.is_empty() {
            self.trace.stages.push(stage);
        }
        Ok(())
    }

    /// Keeps the documents with the requested name, topic, note or provider, if any has it; returns
    /// whether any did. `absolute` is the path of the name on this disk.
    pub fn narrow(
        &mut self,
        mut choices: Vec<Choice>,
        documents: &[DocumentRow],
        meta: &DocumentMeta,
        absolute: Option<&str>,
    ) -> Result<(Vec<Choice>, bool), Error> {
        let mut stage = Stage::new("description");
        let mut is_named = false;
        if let Some(name) = &meta.filename {
            let path = |choice: &Choice| documents[choice.document].path.as_str();
            let is_at = |choice: &Choice| path(choice) == name || absolute == Some(path(choice));
            let is_at_a_path = choices.iter().any(is_at);
            // A path means that one file; a name may match several.
            let has_name = |choice: &Choice| match is_at_a_path {
                true => is_at(choice),
                false => {
                    let document = &documents[choice.document];
                    document.filename == *name || document.path.ends_with(&format!("/{}", name.trim_start_matches('/')))
                }
            };
            is_named = choices.iter().any(has_name);
            if !is_named {
                if meta.is_name() {
                    return Err(no_such_name(name, documents));
                }
                let detail = "only a file name or path on its own must be the name of a document; this is a part of the description";
                stage.decide(format!("filename {name}"), Action::Kept, "by_description", detail);
            }
            let what = format!("no document is named {name}; this is the one that matches the description best");
            choices = self.keep(choices, has_name, &mut stage, "filename", what)?;
        }
        type Field = fn(&VersionRow) -> Option<&str>;
        let fields: [(&'static str, &Option<String>, Field); 3] = [
            ("topic", &meta.topic, |version| version.attributes.topic.as_deref()),
            ("note", &meta.note, |version| version.attributes.note.as_deref()),
            ("provider", &meta.provider, |version| version.attributes.provider.as_deref()),
        ];
        for (name, wanted, field) in fields {
            let Some(wanted) = wanted else { continue };
            // If one version of a document has the topic, all its versions count.
            let having = choices.iter().filter(|choice| field(&choice.version) == Some(wanted.as_str()));
            let having: BTreeSet<usize> = having.map(|choice| choice.document).collect();
            // These fields describe the document rather than name it, so different wording is not a mistake.
            if having.is_empty() {
                stage.decide(
                    format!("{name} {wanted}"),
                    Action::Kept,
                    "only_searched_for",
                    "no document has exactly this value",
                );
                // Its words are still searched for, so this is no error even if strict.
                let what = format!("no document has the {name} {wanted}; its words were only searched for");
                self.fallbacks.push(DocumentFallback { step: name, what });
            } else {
                is_named = true;
                choices.retain(|choice| having.contains(&choice.document));
                let detail = format!("{} documents have it", documents_of(&choices));
                stage.decide(format!("{name} {wanted}"), Action::Kept, name, detail);
            }
        }
        self.trace.stages.push(stage);
        Ok((choices, is_named))
    }

    /// Keeps the `k` documents that match best, with all their versions. If only the search identifies the document,
    /// those that score less than half of the best are dropped: choosing the newest of all would be arbitrary.
    pub fn bound(
        &mut self,
        mut choices: Vec<Choice>,
        documents: &[DocumentRow],
        k: usize,
        is_searched: bool,
    ) -> Result<Vec<Choice>, Error> {
        let mut stage = Stage::new("candidates");
        let mut best: BTreeMap<usize, f64> = BTreeMap::new();
        for choice in &choices {
            let score = best.entry(choice.document).or_default();
            *score = score.max(choice.score);
        }
        let mut ranked: Vec<(usize, f64)> = best.into_iter().collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let best = ranked.first().map_or(0.0, |(_, score)| *score);
        if is_searched && best < LEAST_LIKE {
            let what = format!("no document matches the description: the best score is {best:.3}");
            self.fall_back("query", what, "use words from the document, or leave out strict")?;
        }
        let least = if is_searched { best / 2.0 } else { 0.0 };
        let far = ranked.iter().position(|(_, score)| *score < least).unwrap_or(ranked.len());
        for (document, score) in ranked.drain(far..).take(MAX_DECISIONS) {
            let detail = format!("score {score:.4}, less than half of the best");
            stage.decide(&documents[document].path, Action::Dropped, "score", detail);
        }
        let beyond = ranked.len().saturating_sub(k);
        ranked.truncate(k);
        for (document, score) in ranked.iter().take(MAX_DECISIONS) {
            stage.decide(&documents[*document].path, Action::Kept, "k", format!("score {score:.4}"));
        }
        if beyond > 0 {
            stage.decide(format!("{beyond} more documents"), Action::Dropped, "k", format!("beyond the first {k}"));
        }
        let kept: BTreeSet<usize> = ranked.into_iter().map(|(document, _)| document).collect();
        choices.retain(|choice| kept.contains(&choice.document));
        self.trace.stages.push(stage);
        Ok(choices)
    }

    /// Keeps the versions that have all tags.
    pub fn tagged(
        &mut self,
        choices: Vec<Choice>,
        documents: &[DocumentRow],
        required: &[String],
    ) -> Result<Vec<Choice>, Error> {
        let mut stage = Stage::new("tags");
        let missing = |choice: &Choice| {
            let tags = choice.version.attributes.tags();
            required.iter().filter(|tag| !tags.contains(tag)).cloned().collect::<Vec<_>>()
        };
        for choice in choices.iter().filter(|choice| !missing(choice).is_empty()).take(MAX_DECISIONS) {
            let detail = format!("missing tags: {}", missing(choice).join(", "));
            stage.decide(choice.name(documents), Action::Dropped, "required_tags", detail);
        }
        let asked: Vec<&str> = required.iter().map(String::as_str).filter(|tag| *tag != FILE_INGEST).collect();
        let what = format!("no version has all of the tags {}", asked.join(", "));
        let kept = self.keep(choices, |choice| missing(choice).is_empty(), &mut stage, "tags", what)?;
        self.trace.stages.push(stage);
        Ok(kept)
    }

    /// Keeps the versions that existed at the time.
    pub fn as_of(
        &mut self,
        choices: Vec<Choice>,
        documents: &[DocumentRow],
        request: &DocumentRequest,
    ) -> Result<Vec<Choice>, Error> {
        let Some(time) = request.as_of else { return Ok(choices) };
        let mut stage = Stage::new("as_of");
        if request.strategy != VersionStrategy::Latest {
            let what = format!("as_of applies to the strategy latest, not {}", request.strategy.name());
            stage.decide("as_of", Action::Dropped, "not_latest", &what);
            self.fall_back("as_of", what, "use the strategy latest, or leave as_of out")?;
            self.trace.stages.push(stage);
            return Ok(choices);
        }
        for choice in choices.iter().filter(|choice| choice.version.ingested_at > time).take(MAX_DECISIONS) {
            let detail = format!("was ingested later, at {}", choice.version.ingested_at);
            stage.decide(choice.name(documents), Action::Dropped, "as_of", detail);
        }
        let is_there = |choice: &Choice| choice.version.ingested_at <= time;
        let what = format!("no version existed at {time}");
        let kept = self.keep(choices, is_there, &mut stage, "as_of", what)?;
        self.trace.stages.push(stage);
        Ok(kept)
    }

    /// Keeps the matching versions; all, if none matches.
    fn keep(
        &mut self,
        choices: Vec<Choice>,
        fits: impl Fn(&Choice) -> bool,
        stage: &mut Stage,
        step: &'static str,
        what: String,
    ) -> Result<Vec<Choice>, Error> {
        if choices.iter().any(&fits) {
            return Ok(choices.into_iter().filter(fits).collect());
        }
        stage.decide(format!("{} versions", choices.len()), Action::Kept, "fallback", &what);
        self.fall_back(step, what, "check the value with `recordar doc list`, or leave out strict to skip this step")?;
        Ok(choices)
    }

    fn fall_back(&mut self, step: &'static str, what: String, remedy: &str) -> Result<(), Error> {
        if self.strict {
            return Err(Error::input("no_match", what, remedy));
        }
        self.fallbacks.push(DocumentFallback { step, what });
        Ok(())
    }

    pub fn choose(&mut self, choices: Vec<Choice>, documents: &[DocumentRow], strategy: VersionStrategy) -> Choice {
        let mut stage = Stage::new("strategy");
        let mut choices = choices;
        choices.sort_by(|one, other| strategy.compare(other, one));
        let chosen = choices.remove(0);
        let detail = |choice: &Choice| {
            let VersionRow { ingested_at, chars, .. } = choice.version;
            format!("ingested at {ingested_at}, {chars} characters, score {:.4}", choice.score)
        };
        stage.decide(chosen.name(documents), Action::Kept, strategy.name(), detail(&chosen));
        for choice in choices.iter().take(MAX_DECISIONS) {
            stage.decide(choice.name(documents), Action::Dropped, strategy.name(), detail(choice));
        }
        self.trace.stages.push(stage);
        chosen
    }
}

impl Choice {
    fn name(&self, documents: &[DocumentRow]) -> String {
        format!("version {} of {}", self.version.number, documents[self.document].path)
    }
}

impl VersionStrategy {
    pub const ALL: [Self; 4] = [Self::Latest, Self::Earliest, Self::Longest, Self::Score];

    pub fn name(self) -> &'static str {
        match self {
            Self::Latest => "latest",
            Self::Earliest => "earliest",
            Self::Longest => "longest",
            Self::Score => "score",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| {
            Invalid::new(format!("unrecognised strategy {name:?}"), "use latest, earliest, longest or score")
        })
    }

    /// Compares two versions; the greater is chosen. Ties go to the one stored last, or with `earliest` to the one stored
    /// first.
    fn compare(self, one: &Choice, other: &Choice) -> Ordering {
        let time = one.version.ingested_at.cmp(&other.version.ingested_at);
        let length = one.version.chars.cmp(&other.version.chars);
        let score = one.score.total_cmp(&other.score);
        let last = one.version.id.cmp(&other.version.id);
        match self {
            Self::Latest => time.then(length).then(score).then(last),
            Self::Earliest => time.then(last).reverse(),
            Self::Longest => length.then(score).then(last),
            Self::Score => score.then(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(filename: Option<&str>, topic: Option<&str>, note: Option<&str>, provider: Option<&str>) -> DocumentMeta {
        let text = |field: Option<&str>| field.map(str::to_owned);
        let (filename, topic, note, provider) = (text(filename), text(topic), text(note), text(provider));
        DocumentMeta { filename, topic, note, provider, ..DocumentMeta::default() }
    }

    #[test]
    fn c2_the_query_is_built_from_the_description() {
        let check = |meta: DocumentMeta, query: &str| assert_eq!(meta.build_query(), query);
        check(meta(None, None, None, None), "document relevant to current request");
        check(meta(Some("memory_storage.md"), None, None, None), "memory_storage.md");
        check(
            meta(Some("memory_storage.md"), Some("memory design"), Some("from the session"), Some("evert")),
            "memory_storage.md memory design from the session provided by evert",
        );
        let given = DocumentMeta { query: Some("just this".to_owned()), ..meta(Some("a.md"), None, None, None) };
        check(given, "just this");
    }

    #[test]
    fn c2_the_required_tags_are_joined_in_order_and_each_once() {
        let texts = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<String>>();
        let request = DocumentRequest {
            default_tags: texts(&["llm-thalamus", "docs"]),
            meta: DocumentMeta { tags: texts(&["docs", "design", "file_ingest"]), ..DocumentMeta::default() },
            ..DocumentRequest::default()
        };
        assert_eq!(request.required_tags(), ["file_ingest", "llm-thalamus", "docs", "design"]);
        assert_eq!(DocumentRequest::default().required_tags(), ["file_ingest"]);
    }

    #[test]
    fn c2_the_defaults_are_those_of_the_seed() {
        let request = DocumentRequest::default();
        assert_eq!(
            (request.k, request.strategy, request.as_of, request.strict),
            (50, VersionStrategy::Latest, None, false)
        );
        let meta: DocumentMeta = serde_json::from_str(r#"{"file_name": "a.md", "tags": ["docs"]}"#).unwrap();
        assert_eq!(meta.filename.as_deref(), Some("a.md"));
    }

    #[test]
    fn i19_errors_a_file_name_or_path_alone_is_a_name_and_anything_else_a_description() {
        let check = |meta: DocumentMeta, is_name: bool| assert_eq!(meta.is_name(), is_name, "{meta:?}");
        for name in ["nosuchfile.md", "notes/trip", "C:\\trip", "archive.tar.gz", "/srv/x"] {
            check(meta(Some(name), None, None, None), true);
        }
        for words in ["the trip", "README", "U.S. history", "v1.2 of the guide", ".", ".profile", "end."] {
            check(meta(Some(words), None, None, None), false);
        }
        check(meta(Some("a.md"), Some("trips"), None, None), false);
        check(meta(None, Some("a.md"), None, None), false);
        check(DocumentMeta { query: Some("x".to_owned()), ..meta(Some("a.md"), None, None, None) }, false);
        check(DocumentMeta { tags: vec!["docs".to_owned()], ..meta(Some("a.md"), None, None, None) }, true);
    }
}
