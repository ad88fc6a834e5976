//! Searching: the best items or threads for a question, each with the parts of its score.

use crate::assemble::Excerpts;
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::hit::HitView;
use crate::noun::labels::LabelQuery;
use crate::noun::search::{MAX_LIMIT, SearchRequest};
use crate::noun::spaces::{names, unique};
use crate::route::hybrid::{Candidate, FoundItems, HybridRoute};
use crate::route::search::{add_snippets, shown_at, take_best, view_items};
use crate::route::{Items, Question};
use recordar_domain::text::Terms;
use recordar_domain::{Filter, SpaceName, Stage, Timestamp, Trace};
use recordar_index::{Evidence, Mode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub mode: Mode,
    pub hits: Vec<HitView>,
    pub trace: Trace,
    /// Measured, so it differs between calls.
    pub timing: SearchTiming,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct SearchTiming {
    pub total_ms: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThreadSearchResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub mode: Mode,
    pub threads: Vec<ThreadHitView>,
    pub trace: Trace,
    pub timing: SearchTiming,
}

/// A thread or document, with its best item.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThreadHitView {
    pub space: String,
    pub thread: Option<String>,
    pub document: Option<String>,
    pub score: f64,
    pub parts: Evidence,
    pub best_item_id: i64,
    pub best_text: String,
    /// The part of it that matches best, on one line.
    pub snippet: String,
}

impl Recordar {
    /// The best items for a question, in one or more spaces. Sees everything committed before the call.
    pub fn search(&self, spaces: &[SpaceName], request: &SearchRequest) -> Result<SearchResult, Error> {
        self.showing(|memory| {
            let started = Instant::now();
            let (spaces, question, read) = read_request(memory, spaces, request)?;
            let route = HybridRoute::new((&memory.indexes, &memory.cancel), &spaces, &question, request);
            let FoundItems { mut candidates, scored, moments, stages: found } = route.items()?;
            let ranked = take_best(&mut candidates, scored, request.limit, &spaces, |hit| (hit.id, hit.score));
            let mut hits = view_items(&memory.store, &spaces, &moments, candidates, &question)?;
            add_snippets(&mut hits, &question, memory.config.language);
            let trace = Trace { stages: std::iter::once(read).chain(found).chain([ranked]).collect() };
            let timing = SearchTiming { total_ms: started.elapsed().as_secs_f64() * 1e3 };
            let (query, mode) = (request.query.clone(), request.mode);
            Ok(SearchResult { query, spaces: names(&spaces), mode, hits, trace, timing })
        })
    }

    /// The best threads and documents for a question.
    pub fn search_threads(&self, spaces: &[SpaceName], request: &SearchRequest) -> Result<ThreadSearchResult, Error> {
        self.showing(|memory| {
            let started = Instant::now();
            let (spaces, question, read) = read_request(memory, spaces, request)?;
            let route = HybridRoute::new((&memory.indexes, &memory.cancel), &spaces, &question, request);
            let (mut candidates, moments, found) = route.groups()?;
            let scored = candidates.len();
            let ranked = take_best(&mut candidates, scored, request.limit, &spaces, |hit| (hit.best, hit.score));
            let trace = Trace { stages: std::iter::once(read).chain(found).chain([ranked]).collect() };
            let threads = memory.store.read(|reading| {
                let mut items = Items::at(&spaces, shown_at(&moments));
                let words: Vec<(String, f64)> = question.looked_up().map(|stems| (stems.clone(), 1.0)).collect();
                let mut splitter = Terms::new(memory.config.language);
                let mut views = Vec::with_capacity(candidates.len());
                for Candidate { space, hit } in &candidates {
                    let Some(item) = items.get(reading, *space, i64::from(hit.best))? else { continue };
                    let (snippet, _) = Excerpts::new(&words, &mut splitter).snippet(&item.text, &item.sections);
                    views.push(ThreadHitView {
                        snippet,
                        space: item.space,
                        thread: item.thread,
                        document: item.document,
                        score: hit.score,
                        parts: hit.evidence.clone(),
                        best_item_id: item.item_id,
                        best_text: item.text,
                    });
                }
                Ok(views)
            })?;
            let timing = SearchTiming { total_ms: started.elapsed().as_secs_f64() * 1e3 };
            let (query, mode) = (request.query.clone(), request.mode);
            Ok(ThreadSearchResult { query, spaces: names(&spaces), mode, threads, trace, timing })
        })
    }

    /// Drops the search indexes from memory, after saving their new segments. The next search reopens them.
    pub fn drop_indexes(&self) {
        self.indexes.clear();
    }
}

/// Checks a request, and reads its question.
fn read_request(
    memory: &Recordar,
    spaces: &[SpaceName],
    request: &SearchRequest,
) -> Result<(Vec<SpaceName>, Question, Stage), Error> {
    request.check()?;
    if !request.labels.is_empty() {
        request.labels.check(&*memory.vocabulary.get(&memory.store)?)?;
    }
    let asked_at = request.asked_at().unwrap_or_else(|| (memory.clock)());
    let (question, stage) = Question::read(&request.query, memory.config.language, asked_at);
    Ok((unique(spaces)?, question, stage))
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SearchArguments {
    /// What to search for: words, or a question.
    query: String,
    /// More spaces to search, such as shared:handbook.
    #[serde(default)]
    also: Vec<SpaceName>,
    /// keyword, semantic or hybrid.
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["keyword", "semantic", "hybrid"]))]
    mode: Mode,
    /// Maximum number of hits.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: usize,
    /// Find whole threads and documents instead of single items.
    #[serde(default)]
    threads: bool,
    /// Only messages labelled with one of these topics of the vocabulary.
    #[serde(default)]
    topics: Vec<String>,
    /// Only messages of this category of the vocabulary.
    category: Option<String>,
    /// Only messages of this type of the vocabulary.
    message_type: Option<String>,
    /// Only messages that name one of these: an order, a person, an amount.
    #[serde(default)]
    entities: Vec<String>,
    /// Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
    /// collection, kind, thread, role, speaker, meta.KEY, since, before, until.
    #[serde(default)]
    filter: Vec<String>,
    /// When the question is asked, to interpret "last week" and the like; by default now.
    asked_at: Option<Timestamp>,
    /// Search the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
    as_of: Option<Timestamp>,
}

fn default_limit() -> usize {
    SearchRequest::new("").limit
}

/// Items, or whole threads and documents.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SearchReply {
    Items(Box<SearchResult>),
    Threads(Box<ThreadSearchResult>),
}

impl Verb for SearchArguments {
    const NAME: &'static str = "search";
    const ABOUT: &'static str = "Find the best items for a question, with the parts of each score.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|search, _, _| Ok(names(&search.also)));
    const IS_LONG: bool = false;
    type Reply = SearchReply;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<SearchReply, Error> {
        let Self { query, also, mode, limit, threads, asked_at, as_of, .. } = self;
        let Self { topics, category, message_type, entities, .. } = self;
        let (labels, filter) = (LabelQuery { topics, category, message_type, entities }, Filter::parse(&self.filter)?);
        let spaces = call.spaces(&also);
        let request = SearchRequest { query, mode, limit, asked_at, as_of, labels, filter, ..SearchRequest::new("") };
        Ok(match threads {
            false => SearchReply::Items(Box::new(memory.search(&spaces, &request)?)),
            true => SearchReply::Threads(Box::new(memory.search_threads(&spaces, &request)?)),
        })
    }
}
