//! A set to measure with: a corpus, questions and their answers, read from files.

use recordar_core::error::Error;
use recordar_core::file::open_plain;
use recordar_domain::{Role, SpaceName, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;

const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;
const MAX_LINES: usize = 10_000_000;
const SET_REMEDY: &str = "use a folder with corpus.jsonl, queries.jsonl and qrels.tsv";

/// A corpus with questions and their relevant documents, as read from files.
pub struct EvalSet {
    pub(super) name: String,
    pub(super) corpus: Vec<CorpusLine>,
    pub(super) queries: Vec<QueryLine>,
    /// For each question, the ids of its answers and their relevance.
    pub(super) relevance: HashMap<String, BTreeMap<String, f64>>,
    /// Questions with no answer in the corpus.
    pub(super) off_topic: Vec<String>,
}

#[derive(Clone, Deserialize)]
pub(super) struct CorpusLine {
    #[serde(rename = "_id")]
    pub(super) id: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) user: Option<String>,
    #[serde(default)]
    pub(super) thread: Option<String>,
    #[serde(default)]
    pub(super) role: Option<Role>,
    #[serde(default)]
    pub(super) speaker: Option<String>,
    #[serde(default)]
    pub(super) created_at: Option<Timestamp>,
}

#[derive(Deserialize)]
pub(super) struct QueryLine {
    #[serde(rename = "_id")]
    pub(super) id: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) user: Option<String>,
    #[serde(default)]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) asked_at: Option<Timestamp>,
}

/// A question with its answers and their relevance.
pub(super) type Judged<'a> = (&'a QueryLine, &'a BTreeMap<String, f64>);

impl CorpusLine {
    pub(super) fn user(&self) -> &str {
        user(self.user.as_deref())
    }

    /// Whether it is stored as a message.
    pub(super) fn is_message(&self) -> bool {
        self.thread.is_some() || self.role.is_some()
    }
}

impl QueryLine {
    pub(super) fn user(&self) -> &str {
        user(self.user.as_deref())
    }

    pub(super) fn space(&self) -> Result<SpaceName, Error> {
        Ok(SpaceName::user(self.user())?)
    }
}

impl EvalSet {
    /// Reads `queries.jsonl` and `qrels.tsv` from a folder, and `corpus.jsonl` from there or from another.
    pub fn read(folder: &Path, corpus_folder: Option<&Path>) -> Result<Self, Error> {
        let corpus = json_lines(&corpus_folder.unwrap_or(folder).join("corpus.jsonl"), SET_REMEDY)?;
        let queries = json_lines(&folder.join("queries.jsonl"), SET_REMEDY)?;
        let path = folder.join("qrels.tsv");
        let mut relevance: HashMap<String, BTreeMap<String, f64>> = HashMap::new();
        for (number, line) in lines(&path, SET_REMEDY)?.into_iter().enumerate() {
            let columns: Vec<&str> = line.split('\t').collect();
            let [query, answer, score] = columns[..] else { return Err(wrong(&path, number, "not three columns")) };
            let score: f64 = match score.trim().parse() {
                Ok(score) => score,
                // The header.
                Err(_) if number == 0 => continue,
                Err(_) => return Err(wrong(&path, number, "the score is not a number")),
            };
            if score > 0.0 {
                relevance.entry(query.to_owned()).or_default().insert(answer.to_owned(), score);
            }
        }
        let set = Self { name: name_of(folder), corpus, queries, relevance, off_topic: Vec::new() };
        check_unique(set.corpus.iter().map(|line| &line.id), "corpus.jsonl")?;
        check_unique(set.queries.iter().map(|line| &line.id), "queries.jsonl")?;
        Ok(set)
    }

    /// The same, with questions that nothing in the corpus answers, from a file like `queries.jsonl`.
    pub fn with_off_topic(mut self, file: &Path) -> Result<Self, Error> {
        let remedy = "use a file of questions in the format of queries.jsonl";
        let queries: Vec<QueryLine> = json_lines(file, remedy)?;
        self.off_topic = queries.into_iter().map(|query| query.text).collect();
        Ok(self)
    }

    /// The name of its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The questions with a known answer.
    pub(super) fn judged(&self) -> impl Iterator<Item = Judged<'_>> {
        self.queries.iter().filter_map(|query| Some((query, self.relevance.get(&query.id)?)))
    }

    pub(super) fn off_topic(&self) -> &[String] {
        &self.off_topic
    }
}

/// The last part of a path, whatever it is called by.
fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn user(user: Option<&str>) -> &str {
    user.unwrap_or("default")
}

fn check_unique<'a>(ids: impl Iterator<Item = &'a String>, file: &str) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            let what = format!("{file} has two lines with the _id {id:?}");
            return Err(Error::input("eval_set", what, "give each line a unique id"));
        }
    }
    Ok(())
}

fn lines(path: &Path, remedy: &'static str) -> Result<Vec<String>, Error> {
    let cannot =
        |error: std::io::Error| Error::input("eval_set", format!("{} cannot be read: {error}", path.display()), remedy);
    let mut lines = Vec::new();
    for (number, line) in BufReader::new(open_plain(path).map_err(cannot)?).lines().enumerate() {
        let line = line.map_err(cannot)?;
        if line.len() > MAX_LINE_BYTES || number >= MAX_LINES {
            return Err(wrong(path, number, "the line or the file is too long"));
        }
        lines.push(line);
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    Ok(lines)
}

/// One value per line. The remedy is for a file that cannot be read.
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path, remedy: &'static str) -> Result<Vec<T>, Error> {
    let parse = |(number, line): (usize, &String)| {
        serde_json::from_str(line).map_err(|error| wrong(path, number, &error.to_string()))
    };
    lines(path, remedy)?.iter().enumerate().map(parse).collect()
}

fn wrong(path: &Path, number: usize, what: &str) -> Error {
    let what = format!("line {} of {}: {what}", number + 1, path.display());
    Error::input("eval_set", what, "correct the line; docs/eval.md describes the fields")
}
