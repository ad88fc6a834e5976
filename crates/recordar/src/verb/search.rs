//! Searching: the best items or threads for a question, each with the parts of its score.

use super::options::names;
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::hit::HitView;
use crate::noun::hit::WordView;
use crate::noun::item::ItemView;
use crate::noun::item::item_name;
use crate::noun::limits::MAX_QUERY_BYTES;
use crate::noun::limits::MAX_SPACES;
use crate::route::hybrid::{Candidate, FoundItems, HybridRoute, When};
use crate::route::{Items, Question};
use recordar_domain::{Action, Invalid, SpaceName, Stage, Timestamp, Trace, check_text};
use recordar_index::{Evidence, Hit, Mode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    pub query: String,
    pub mode: Mode,
    /// Maximum number of hits, from 1 to 1,000. Up to 100, a higher limit does not change the first hits; beyond, more candidates are
    /// considered.
    pub limit: usize,
    /// Time of the question, for "last week" and the like; now by default.
    pub asked_at: Option<Timestamp>,
    /// Search the state at that time, ranked as it was then.
    pub as_of: Option<Timestamp>,
}

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
}

const MAX_LIMIT: usize = 1000;

impl SearchRequest {
    pub fn new(query: &str) -> Self {
        Self { query: query.to_owned(), mode: Mode::Hybrid, limit: 10, asked_at: None, as_of: None }
    }

    fn check(&self) -> Result<(), Invalid> {
        check_text("the query", &self.query, MAX_QUERY_BYTES)?;
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            return Err(Invalid::new(
                format!("limit {} is out of range", self.limit),
                format!("use a number from 1 to {MAX_LIMIT}"),
            ));
        }
        Ok(())
    }
}

/// Time of the question, if not now. By default as_of, if given.
pub(super) fn asked_at(asked_at: Option<Timestamp>, as_of: Option<Timestamp>) -> Option<Timestamp> {
    asked_at.or(as_of)
}

/// The spaces to search, each once.
pub(super) fn different(spaces: &[SpaceName]) -> Result<Vec<SpaceName>, Invalid> {
    if spaces.is_empty() || spaces.len() > MAX_SPACES {
        return Err(Invalid::new(
            format!("{} spaces were given", spaces.len()),
            format!("name 1 to {MAX_SPACES} spaces"),
        ));
    }
    let mut different: Vec<SpaceName> = Vec::new();
    for space in spaces {
        if !different.contains(space) {
            different.push(space.clone());
        }
    }
    Ok(different)
}

impl Recordar {
    /// The best items for a question, in one or more spaces. Sees everything committed before the call.
    pub fn search(&self, spaces: &[SpaceName], request: &SearchRequest) -> Result<SearchResult, Error> {
        if self.hides() {
            return self.showing(|memory| memory.search(spaces, request));
        }
        let started = Instant::now();
        let (spaces, question, mut trace) = self.read_request(spaces, request)?;
        let route = self.hybrid(&spaces, &question, request);
        let FoundItems { mut candidates, scored, stage, .. } = route.items()?;
        trace.stages.push(stage);
        trace.stages.push(cut(&mut candidates, scored, request.limit, &spaces, |hit| (hit.id, hit.score)));
        let hits = self.view_items(&spaces, candidates, &question)?;
        let timing = SearchTiming { total_ms: started.elapsed().as_secs_f64() * 1e3 };
        let (query, mode) = (request.query.clone(), request.mode);
        Ok(SearchResult { query, spaces: names(&spaces), mode, hits, trace, timing })
    }

    /// The best threads and documents for a question.
    pub fn search_threads(&self, spaces: &[SpaceName], request: &SearchRequest) -> Result<ThreadSearchResult, Error> {
        if self.hides() {
            return self.showing(|memory| memory.search_threads(spaces, request));
        }
        let started = Instant::now();
        let (spaces, question, mut trace) = self.read_request(spaces, request)?;
        let (mut found, stage) = self.hybrid(&spaces, &question, request).groups()?;
        trace.stages.push(stage);
        let scored = found.len();
        trace.stages.push(cut(&mut found, scored, request.limit, &spaces, |hit| (hit.best, hit.score)));
        let threads = self.store.read(|reading| {
            let mut items = Items::new(&spaces);
            let mut views = Vec::with_capacity(found.len());
            for Candidate { space, hit } in &found {
                let Some(item) = items.get(reading, *space, i64::from(hit.best))? else { continue };
                views.push(ThreadHitView {
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
    }

    fn read_request(
        &self,
        spaces: &[SpaceName],
        request: &SearchRequest,
    ) -> Result<(Vec<SpaceName>, Question, Trace), Error> {
        request.check()?;
        let (question, trace) = self.read_question(request);
        Ok((different(spaces)?, question, trace))
    }

    pub(crate) fn read_question(&self, request: &SearchRequest) -> (Question, Trace) {
        let asked_at = asked_at(request.asked_at, request.as_of).unwrap_or_else(|| (self.clock)());
        let (question, stage) = Question::read(&request.query, self.config.language, asked_at);
        (question, Trace { stages: vec![stage] })
    }

    pub(crate) fn hybrid<'a>(
        &'a self,
        spaces: &'a [SpaceName],
        question: &'a Question,
        request: &'a SearchRequest,
    ) -> HybridRoute<'a> {
        let SearchRequest { query, mode, limit, as_of, .. } = request;
        let when = When::as_of(*as_of);
        HybridRoute {
            indexes: &self.indexes,
            cancel: &self.cancel,
            spaces,
            question,
            text: query,
            mode: *mode,
            when,
            depth: *limit,
        }
    }

    pub(super) fn view_items(
        &self,
        spaces: &[SpaceName],
        found: Vec<Candidate<Hit>>,
        question: &Question,
    ) -> Result<Vec<HitView>, Error> {
        let hits = self.store.read(|reading| {
            let mut items = Items::new(spaces);
            let mut views = Vec::with_capacity(found.len());
            for Candidate { space, hit } in &found {
                // Forgotten between the search and now.
                let Some(item) = items.get(reading, *space, i64::from(hit.id))? else { continue };
                let words = question.words.iter().zip(&hit.terms);
                let words = words.map(|(word, term)| WordView {
                    word: word.spelled.clone(),
                    count: term.count,
                    own: term.own,
                    place: term.place,
                });
                views.push(HitView {
                    item,
                    score: hit.score,
                    parts: hit.evidence.clone(),
                    words: words.collect(),
                    cosine: hit.cosine,
                });
            }
            Ok(views)
        })?;
        Ok(hits)
    }

    /// Drops the search indexes from memory, after saving their new segments. The next search reopens them.
    pub fn drop_indexes(&self) {
        self.indexes.clear();
    }
}

/// Keeps the best hits, with a decision for each, and counts the scored ones that are left out.
pub(super) fn cut<H>(
    found: &mut Vec<Candidate<H>>,
    scored: usize,
    limit: usize,
    spaces: &[SpaceName],
    key: impl Fn(&H) -> (u32, f64),
) -> Stage {
    let mut stage = Stage::new("rank");
    found.truncate(limit);
    let more = scored.saturating_sub(found.len());
    for (rank, Candidate { space, hit }) in found.iter().enumerate() {
        let (id, score) = key(hit);
        let detail = format!("rank {}, score {score:.6}", rank + 1);
        stage.decide(item_name(spaces[*space].as_str(), id.into()), Action::Kept, "score", detail);
    }
    if more > 0 {
        stage.decide(format!("{more} more"), Action::Dropped, "limit", format!("beyond the first {limit}"));
    }
    stage
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
    /// Time of the question, for "last week" and the like; now by default.
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
        let Self { query, also, mode, limit, threads, asked_at, as_of } = self;
        let (spaces, request) = (call.spaces(&also), SearchRequest { query, mode, limit, asked_at, as_of });
        Ok(match threads {
            false => SearchReply::Items(Box::new(memory.search(&spaces, &request)?)),
            true => SearchReply::Threads(Box::new(memory.search_threads(&spaces, &request)?)),
        })
    }
}
