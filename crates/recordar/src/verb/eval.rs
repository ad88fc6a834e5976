//! Measures retrieval quality against known answers: a corpus, questions, and the items or threads that answer
//! each. Everything goes through the same calls that users make.

use crate::engine::Recordar;
use crate::error::Error;
use crate::file::open_plain;
use crate::ingest::{PlacingRequest, TextRequest};
use crate::noun::hit::HitView;
use crate::noun::search::SearchRequest;
use recordar_domain::Message;
use recordar_domain::{Attributes, FileType, OperationId, Role, SpaceName, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

/// A corpus with questions and their relevant documents, as read from files.
pub struct EvalSet {
    corpus: Vec<CorpusLine>,
    queries: Vec<QueryLine>,
    /// For each question, the ids of its answers and their relevance.
    relevance: HashMap<String, BTreeMap<String, f64>>,
    /// Questions with no answer in the corpus.
    off_topic: Vec<String>,
}

#[derive(Deserialize)]
struct CorpusLine {
    #[serde(rename = "_id")]
    id: String,
    text: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    thread: Option<String>,
    #[serde(default)]
    role: Option<Role>,
    #[serde(default)]
    speaker: Option<String>,
    #[serde(default)]
    created_at: Option<Timestamp>,
}

#[derive(Deserialize)]
pub(super) struct QueryLine {
    #[serde(rename = "_id")]
    id: String,
    pub(super) text: String,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    pub(super) asked_at: Option<Timestamp>,
}

impl QueryLine {
    pub(super) fn space(&self) -> Result<SpaceName, Error> {
        Ok(SpaceName::user(user(self.user.as_deref()))?)
    }
}

/// Metrics by name, such as `recall@10`.
pub type Figures = BTreeMap<String, f64>;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalReport {
    pub questions: usize,
    /// Questions without a known answer, which are not counted.
    pub unjudged: usize,
    /// Answers missing from the corpus, which count as not found.
    pub unknown_answers: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figures>,
    /// What `recall` returns for questions that items answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallFigures>,
    pub kinds: BTreeMap<String, KindReport>,
    pub latency_ms: Latency,
    #[serde(skip)]
    pub rows: Vec<EvalRow>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct KindReport {
    pub questions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figures>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RecallFigures {
    pub questions: usize,
    /// The mean share of a question's evidence in the context that `recall` returns with default settings.
    pub evidence: f64,
    /// The same with the same number of tokens, but whole texts by score: neither interleaved nor clipped.
    pub evidence_plain: f64,
    pub mean_tokens: f64,
    pub mean_memories: f64,
    pub mean_memories_plain: f64,
    /// Evidence among the first 20 hits, and the share that `min_score` keeps.
    pub evidence_in_20: usize,
    pub kept_by_min_score: f64,
    /// Questions that nothing answers, and the share that return no memory.
    pub off_topic: usize,
    pub off_topic_empty: f64,
}

/// The result of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalRow {
    pub query: String,
    pub text: String,
    pub kind: Option<String>,
    /// `items` or `threads`.
    pub of: &'static str,
    pub relevant: Vec<String>,
    /// The results, in order, to depth 100.
    pub ranked: Vec<String>,
    pub figures: Figures,
    pub latency_ms: f64,
}

const DEPTH: usize = 100;
const CUTS: [usize; 3] = [5, 10, 20];
const BATCH: usize = 5_000;
const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

impl EvalSet {
    /// Reads `queries.jsonl` and `qrels.tsv` from a folder, and `corpus.jsonl` from there or from another.
    pub fn read(folder: &Path, corpus_folder: Option<&Path>) -> Result<Self, Error> {
        let corpus = json_lines(&corpus_folder.unwrap_or(folder).join("corpus.jsonl"))?;
        let queries = json_lines(&folder.join("queries.jsonl"))?;
        let path = folder.join("qrels.tsv");
        let mut relevance: HashMap<String, BTreeMap<String, f64>> = HashMap::new();
        for (number, line) in lines(&path)?.into_iter().enumerate() {
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
        let set = Self { corpus, queries, relevance, off_topic: Vec::new() };
        check_unique(set.corpus.iter().map(|line| &line.id), "corpus.jsonl")?;
        check_unique(set.queries.iter().map(|line| &line.id), "queries.jsonl")?;
        Ok(set)
    }

    /// The same, with questions that nothing in the corpus answers, from a file like `queries.jsonl`.
    pub fn with_off_topic(mut self, file: &Path) -> Result<Self, Error> {
        let queries: Vec<QueryLine> = json_lines(file)?;
        self.off_topic = queries.into_iter().map(|query| query.text).collect();
        Ok(self)
    }

    pub fn corpus_len(&self) -> usize {
        self.corpus.len()
    }

    /// The questions with a known answer.
    pub(super) fn judged(&self) -> impl Iterator<Item = (&QueryLine, &BTreeMap<String, f64>)> {
        self.queries.iter().filter_map(|query| Some((query, self.relevance.get(&query.id)?)))
    }

    pub(super) fn off_topic(&self) -> &[String] {
        &self.off_topic
    }

    pub fn queries_len(&self) -> usize {
        self.queries.len()
    }
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

fn lines(path: &Path) -> Result<Vec<String>, Error> {
    let cannot = |error: std::io::Error| {
        let what = format!("{} cannot be read: {error}", path.display());
        Error::input("eval_set", what, "use a folder with corpus.jsonl, queries.jsonl and qrels.tsv")
    };
    let mut lines = Vec::new();
    for (number, line) in BufReader::new(open_plain(path).map_err(cannot)?).lines().enumerate() {
        let line = line.map_err(cannot)?;
        if line.len() > MAX_LINE_BYTES {
            return Err(wrong(path, number, "the line is too long"));
        }
        lines.push(line);
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    Ok(lines)
}

fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let parse = |(number, line): (usize, &String)| {
        serde_json::from_str(line).map_err(|error| wrong(path, number, &error.to_string()))
    };
    lines(path)?.iter().enumerate().map(parse).collect()
}

fn wrong(path: &Path, number: usize, what: &str) -> Error {
    let what = format!("line {} of {}: {what}", number + 1, path.display());
    Error::input("eval_set", what, "correct the line; docs/eval.md describes the fields")
}

/// Where the corpus was stored.
#[derive(Default)]
pub(super) struct Stored {
    /// The corpus id of each message.
    messages: HashMap<(String, i64), String>,
    ids: BTreeSet<String>,
    threads: BTreeSet<String>,
}

impl Stored {
    /// The corpus id of an item: its document's name, or the message's.
    pub(super) fn corpus_id(&self, space: &str, item: i64, document: Option<&str>) -> Option<String> {
        match document {
            Some(path) => Some(path.to_owned()),
            None => self.messages.get(&(space.to_owned(), item)).cloned(),
        }
    }

    /// Whether the answers are whole threads rather than items.
    pub(super) fn is_of_threads(&self, relevant: &BTreeMap<String, f64>) -> bool {
        relevant.keys().all(|id| self.threads.contains(id) && !self.ids.contains(id))
    }
}

impl Recordar {
    /// Stores the corpus in this store, which should be empty, runs every question, and compares.
    pub fn evaluate(&self, set: &EvalSet, mut progress: impl FnMut(&str, usize)) -> Result<EvalReport, Error> {
        let stored = self.store_corpus(set, &mut |done| progress("stored", done))?;
        let mut rows = Vec::new();
        let mut unjudged = 0;
        for (number, query) in set.queries.iter().enumerate() {
            match set.relevance.get(&query.id) {
                Some(relevant) => rows.push(self.ask_one(query, relevant, &stored)?),
                None => unjudged += 1,
            }
            progress("asked", number + 1);
        }
        let mut by_kind: BTreeMap<String, Vec<&EvalRow>> = BTreeMap::new();
        for row in &rows {
            by_kind.entry(row.kind.clone().unwrap_or_else(|| "none".to_owned())).or_default().push(row);
        }
        let kind = |(kind, rows): (String, Vec<&EvalRow>)| {
            let (items, threads) = (mean(&rows, "items"), mean(&rows, "threads"));
            (kind, KindReport { questions: rows.len(), items, threads })
        };
        let all: Vec<&EvalRow> = rows.iter().collect();
        let is_known = |id: &&String| stored.ids.contains(*id) || stored.threads.contains(*id);
        Ok(EvalReport {
            questions: rows.len(),
            unjudged,
            unknown_answers: rows.iter().flat_map(|row| &row.relevant).filter(|id| !is_known(id)).count(),
            items: mean(&all, "items"),
            threads: mean(&all, "threads"),
            recall: self.evaluate_recall(set, &stored)?,
            kinds: by_kind.into_iter().map(kind).collect(),
            latency_ms: Latency::of(rows.iter().map(|row| row.latency_ms).collect()),
            rows,
        })
    }

    fn store_corpus(&self, set: &EvalSet, progress: &mut impl FnMut(usize)) -> Result<Stored, Error> {
        let mut stored = Stored::default();
        let mut done = 0;
        let mut by_user: BTreeMap<&str, Vec<&CorpusLine>> = BTreeMap::new();
        for line in &set.corpus {
            by_user.entry(user(line.user.as_deref())).or_default().push(line);
            stored.ids.insert(line.id.clone());
            stored.threads.extend(line.thread.clone());
        }
        for (user, lines) in by_user {
            let space = SpaceName::user(user)?;
            let (messages, documents): (Vec<&CorpusLine>, Vec<&CorpusLine>) =
                lines.into_iter().partition(|line| line.thread.is_some() || line.role.is_some());
            for (number, batch) in messages.chunks(BATCH).enumerate() {
                let operation = OperationId::parse(&format!("eval-{user}-{number}"))?;
                let messages: Vec<Message> = batch.iter().map(|line| message(line)).collect();
                let remembered = self.remember(&space, &messages, &operation)?;
                for (line, item) in batch.iter().zip(remembered.items) {
                    stored.messages.insert((space.to_string(), item), line.id.clone());
                }
                done += batch.len();
                progress(done);
            }
            for line in documents {
                self.ingest_text(&space, document(line)?)?;
                done += 1;
                progress(done);
            }
        }
        Ok(stored)
    }

    fn ask_one(&self, query: &QueryLine, relevant: &BTreeMap<String, f64>, stored: &Stored) -> Result<EvalRow, Error> {
        let space = query.space()?;
        let request = SearchRequest { limit: DEPTH, asked_at: query.asked_at, ..SearchRequest::new(&query.text) };
        let of_threads = stored.is_of_threads(relevant);
        let started = Instant::now();
        let mut ranked: Vec<String> = if of_threads {
            let found = self.search_threads(&[space], &request)?;
            found.threads.into_iter().filter_map(|thread| thread.thread.or(thread.document)).collect()
        } else {
            let found = self.search(&[space], &request)?;
            let id = |hit: HitView| stored.corpus_id(&hit.item.space, hit.item.item_id, hit.item.document.as_deref());
            found.hits.into_iter().filter_map(id).collect()
        };
        let latency_ms = started.elapsed().as_secs_f64() * 1e3;
        // Of several chunks of a document, the first counts.
        let mut seen = BTreeSet::new();
        ranked.retain(|id| seen.insert(id.clone()));
        Ok(EvalRow {
            query: query.id.clone(),
            text: query.text.clone(),
            kind: query.kind.clone(),
            of: if of_threads { "threads" } else { "items" },
            relevant: relevant.keys().cloned().collect(),
            figures: figures(&ranked, relevant),
            ranked,
            latency_ms,
        })
    }
}

fn user(user: Option<&str>) -> &str {
    user.unwrap_or("default")
}

fn message(line: &CorpusLine) -> Message {
    Message {
        thread: line.thread.clone(),
        title: line.thread.as_ref().and(line.title.clone()),
        role: line.role.unwrap_or_default(),
        speaker: line.speaker.clone(),
        time: line.created_at,
        ..Message::new(&line.text)
    }
}

/// A titled text is stored as a Markdown document, so that its title becomes the heading of its chunks.
fn document(line: &CorpusLine) -> Result<TextRequest, Error> {
    let title = line.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    Ok(TextRequest {
        name: line.id.clone(),
        text: title.map_or(line.text.clone(), |title| format!("# {}\n\n{}", title.replace('\n', " "), line.text)),
        file_type: if title.is_some() { FileType::Markdown } else { FileType::Text },
        attributes: Attributes::default(),
        mtime: line.created_at,
        force: false,
        // Only searching is measured.
        placing: PlacingRequest { classify: Some(false), ..PlacingRequest::default() },
        operation: OperationId::parse(&format!("eval-{}", recordar_domain::Digest::of(&line.id)))?,
    })
}

fn figures(ranked: &[String], relevant: &BTreeMap<String, f64>) -> Figures {
    let mut figures = Figures::new();
    let found = |cut: usize| ranked.iter().take(cut).filter(|id| relevant.contains_key(*id)).count();
    for cut in CUTS {
        let found = found(cut);
        figures.insert(format!("recall@{cut}"), found as f64 / relevant.len() as f64);
        figures.insert(format!("any@{cut}"), f64::from(u8::from(found > 0)));
        figures.insert(format!("all@{cut}"), f64::from(u8::from(found == relevant.len())));
    }
    let gain = |(rank, score): (usize, f64)| score / (rank as f64 + 2.0).log2();
    let scores = ranked.iter().take(10).map(|id| relevant.get(id).copied().unwrap_or(0.0));
    let mut best: Vec<f64> = relevant.values().copied().collect();
    best.sort_by(|one, other| other.total_cmp(one));
    let most: f64 = best.into_iter().take(10).enumerate().map(gain).sum();
    figures.insert("ndcg@10".to_owned(), scores.enumerate().map(gain).sum::<f64>() / most);
    let first = ranked.iter().position(|id| relevant.contains_key(id));
    figures.insert("mrr".to_owned(), first.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)));
    figures
}

fn mean(rows: &[&EvalRow], of: &str) -> Option<Figures> {
    let rows: Vec<&&EvalRow> = rows.iter().filter(|row| row.of == of).collect();
    let mut sums = Figures::new();
    for row in &rows {
        for (name, value) in &row.figures {
            *sums.entry(name.clone()).or_default() += value;
        }
    }
    sums.values_mut().for_each(|sum| *sum /= rows.len() as f64);
    (!rows.is_empty()).then_some(sums)
}

impl Latency {
    /// Of times in milliseconds.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
        let at = |percent: usize| at(percent).copied().unwrap_or(0.0);
        Self { p50: at(50), p90: at(90), p99: at(99) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_textbook() {
        let ranked: Vec<String> = ["x", "a", "y", "b"].map(str::to_owned).to_vec();
        let relevant: BTreeMap<String, f64> =
            [("a", 1.0), ("b", 1.0), ("c", 1.0)].map(|(id, s)| (id.to_owned(), s)).into();
        let figures = figures(&ranked, &relevant);
        let dcg = 1.0 / 3_f64.log2() + 1.0 / 5_f64.log2();
        let most = 1.0 + 1.0 / 3_f64.log2() + 0.5;
        assert!((figures["recall@5"] - 2.0 / 3.0).abs() < 1e-12);
        assert!((figures["ndcg@10"] - dcg / most).abs() < 1e-12);
        assert_eq!((figures["any@5"], figures["all@20"], figures["mrr"]), (1.0, 0.0, 0.5));
    }
}
