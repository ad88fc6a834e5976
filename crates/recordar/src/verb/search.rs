//! Searching: the best items or threads for a question, each with the parts of its score.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::assemble::Excerpts;
use recordar_core::error::Error;
use recordar_core::index::Moment;
use recordar_core::judges::{NotReranked, Reranker};
use recordar_core::noun::hit::HitView;
use recordar_core::noun::item::{ItemView, item_name};
use recordar_core::noun::labels::LabelQuery;
use recordar_core::noun::method::ModelProblem;
use recordar_core::noun::rerank::{JudgeConfidence, Rerank, RerankView};
use recordar_core::noun::search::{MAX_LIMIT, SearchRequest};
use recordar_core::noun::spaces::{names, unique};
use recordar_core::rerank::{
    Candidate as JudgeCandidate, FoundAt, MAX_JUDGED, Reranked, Shown, TurnsBefore, Within, rerank, rerank_items,
};
use recordar_core::route::hybrid::{Candidate, HybridRoute};
use recordar_core::route::search::{Hits, add_snippets, best_hits, shown_at, take_best};
use recordar_core::route::{Items as StoredItems, Question};
use recordar_domain::text::Terms;
use recordar_domain::{Action, Filter, SpaceName, Stage, Timestamp, Trace};
use recordar_index::{Evidence, GroupHit, Mode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub mode: Mode,
    pub hits: Vec<HitView>,
    /// How sure the reranker is that any of them answers the question.
    pub confidence: JudgeConfidence,
    /// Why the configured model did not rerank them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_problem: Option<ModelProblem>,
    pub trace: Trace,
    /// Measured, so it differs between calls.
    pub timing: SearchTiming,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct SearchTiming {
    pub total_ms: f64,
    /// Reranking, which is part of it; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_ms: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThreadSearchResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub mode: Mode,
    pub threads: Vec<ThreadHitView>,
    /// How sure the reranker is that any of them answers the question.
    pub confidence: JudgeConfidence,
    /// Why the configured model did not rerank them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_problem: Option<ModelProblem>,
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
    /// What reranking did with it; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankView>,
}

/// How many items are judged when threads are reranked.
const MAX_JUDGED_TURNS: usize = 40;

impl Recordar {
    /// The best items for a question, in one or more spaces. Sees everything committed before the call.
    pub fn search(&self, spaces: &[SpaceName], request: &SearchRequest) -> Result<SearchResult, Error> {
        self.showing(|memory| {
            let started = Instant::now();
            let (spaces, question, read) = read_request(memory, spaces, request)?;
            let judge = memory.reranker(request.rerank.as_ref())?;
            let mut rerank_problem = judge.problem().map(|failed| failed.problem.clone());
            let found = find(memory, &spaces, (&question, request), judge.model())?;
            let (mut hits, mut confidence, mut rerank_ms) = (found.hits, JudgeConfidence::default(), None);
            let mut stages: Vec<Stage> = std::iter::once(read).chain(found.stages).collect();
            stages.extend(judge.problem().map(NotReranked::stage));
            if let Some(judge) = judge.model() {
                let scored: Vec<(&ItemView, f64)> = hits.iter().map(|hit| (&hit.item, hit.score)).collect();
                let found = (&*memory.store, &found.at);
                let mut reranked = rerank_items(judge, &request.query, found, &scored, &memory.judged_first())?;
                let rescored =
                    |(hit, view): (HitView, RerankView)| HitView { score: view.score, rerank: Some(view), ..hit };
                hits = reranked.arrange(hits).into_iter().map(rescored).collect();
                cut(&mut hits, request.limit, &mut reranked.stage);
                stages.push(reranked.stage);
                (rerank_ms, rerank_problem) = (Some(reranked.milliseconds), reranked.problem);
                confidence = reranked.confidence;
            }
            add_snippets(&mut hits, &question, memory.config.language);
            let timing = SearchTiming { total_ms: started.elapsed().as_secs_f64() * 1e3, rerank_ms };
            let (query, mode) = (request.query.clone(), request.mode);
            let (spaces, trace) = (names(&spaces), Trace { stages });
            Ok(SearchResult { query, spaces, mode, hits, confidence, rerank_problem, trace, timing })
        })
    }

    /// The best threads and documents for a question.
    pub fn search_threads(&self, spaces: &[SpaceName], request: &SearchRequest) -> Result<ThreadSearchResult, Error> {
        self.showing(|memory| {
            let started = Instant::now();
            let (spaces, question, read) = read_request(memory, spaces, request)?;
            let judge = memory.reranker(request.rerank.as_ref())?;
            let mut rerank_problem = judge.problem().map(|failed| failed.problem.clone());
            let route = HybridRoute::new((&memory.indexes, &memory.cancel), &spaces, &question, request);
            let (mut candidates, moments, found) = route.groups()?;
            let scored = candidates.len();
            let limit = judge.model().map_or(request.limit, |_| request.limit.max(MAX_JUDGED));
            let ranked = take_best(&mut candidates, scored, limit, &spaces, |hit| (hit.best, hit.score));
            let mut stages: Vec<Stage> = std::iter::once(read).chain(found).chain([ranked]).collect();
            let mut threads = view_threads(memory, (&spaces, &moments), &candidates, &question)?;
            let (mut confidence, mut rerank_ms) = (JudgeConfidence::default(), None);
            stages.extend(judge.problem().map(NotReranked::stage));
            if let Some(judge) = judge.model() {
                let mut reranked = rerank_threads(memory, judge, &spaces, (&question, request), &threads)?;
                let rescored = |(hit, view): (ThreadHitView, RerankView)| ThreadHitView {
                    score: view.score,
                    rerank: Some(view),
                    ..hit
                };
                threads = reranked.arrange(threads).into_iter().map(rescored).collect();
                cut(&mut threads, request.limit, &mut reranked.stage);
                stages.push(reranked.stage);
                (rerank_ms, rerank_problem) = (Some(reranked.milliseconds), reranked.problem);
                confidence = reranked.confidence;
            }
            let timing = SearchTiming { total_ms: started.elapsed().as_secs_f64() * 1e3, rerank_ms };
            let (query, mode) = (request.query.clone(), request.mode);
            let (spaces, trace) = (names(&spaces), Trace { stages });
            Ok(ThreadSearchResult { query, spaces, mode, threads, confidence, rerank_problem, trace, timing })
        })
    }

    /// The first candidates are judged, and the configured confidence applies.
    pub(crate) fn judged_first(&self) -> Within<'_> {
        let min_confidence = self.config.recall.settings.min_confidence;
        Within { most: MAX_JUDGED, min_confidence, cancel: &self.cancel }
    }

    /// Drops the search indexes from memory, after saving their new segments. The next search reopens them.
    pub fn drop_indexes(&self) {
        self.indexes.clear();
    }
}

/// The items of a search, before a model judges them.
struct Items<'a> {
    hits: Vec<HitView>,
    at: FoundAt<'a>,
    stages: Vec<Stage>,
}

/// Finds the best items: with a judge, as many as it judges.
fn find<'a>(
    memory: &Recordar,
    spaces: &'a [SpaceName],
    (question, request): (&Question, &SearchRequest),
    judge: Option<&Reranker>,
) -> Result<Items<'a>, Error> {
    let depth = judge.map_or(request.limit, |_| request.limit.max(MAX_JUDGED));
    find_first(memory, spaces, (question, request), depth)
}

fn find_first<'a>(
    memory: &Recordar,
    spaces: &'a [SpaceName],
    (question, request): (&Question, &SearchRequest),
    depth: usize,
) -> Result<Items<'a>, Error> {
    let route = HybridRoute::new((&memory.indexes, &memory.cancel), spaces, question, request);
    let route = HybridRoute { depth, ..route };
    let Hits { hits, candidates, moments, stages, .. } =
        best_hits(&memory.store, &route, depth, memory.config.language)?;
    let turns = TurnsBefore::of(spaces, &candidates);
    let at = FoundAt { spaces, revisions: shown_at(&moments), turns };
    Ok(Items { hits, at, stages })
}

/// Keeps as many results as were asked for.
fn cut<T>(results: &mut Vec<T>, limit: usize, stage: &mut Stage) {
    let more = results.len().saturating_sub(limit);
    results.truncate(limit);
    if more > 0 {
        stage.decide(format!("{more} more"), Action::Dropped, "limit", format!("beyond the first {limit}"));
    }
}

fn view_threads(
    memory: &Recordar,
    (spaces, moments): (&[SpaceName], &[Option<Moment>]),
    candidates: &[Candidate<GroupHit>],
    question: &Question,
) -> Result<Vec<ThreadHitView>, Error> {
    let threads = memory.store.read(|reading| {
        let mut items = StoredItems::at(spaces, shown_at(moments));
        let words: Vec<(String, f64)> = question.looked_up().into_values().map(|stems| (stems, 1.0)).collect();
        let mut splitter = Terms::new(memory.config.language);
        let mut views = Vec::with_capacity(candidates.len());
        for Candidate { space, hit } in candidates {
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
                rerank: None,
            });
        }
        Ok(views)
    })?;
    Ok(threads)
}

/// A thread or document is judged by those of its items that a search for items finds first; without any, by its best one.
fn rerank_threads(
    memory: &Recordar,
    judge: &Reranker,
    spaces: &[SpaceName],
    (question, request): (&Question, &SearchRequest),
    threads: &[ThreadHitView],
) -> Result<Reranked, Error> {
    let Items { hits, at, .. } = find_first(memory, spaces, (question, request), MAX_JUDGED_TURNS)?;
    let items: Vec<&ItemView> = hits.iter().map(|hit| &hit.item).collect();
    let shown = at.show(&memory.store, &items)?;
    let mut by_thread: BTreeMap<_, Vec<Shown>> = BTreeMap::new();
    for (item, shown) in items.iter().zip(shown) {
        let turns = by_thread.entry(group(&item.space, &item.thread, &item.document, item.item_id)).or_default();
        turns.push(shown.of(item.item_id));
    }
    let mut candidates = Vec::with_capacity(threads.len());
    for ThreadHitView { space, thread, document, score, best_item_id, best_text, .. } in threads {
        let found = by_thread.remove(&group(space, thread, document, *best_item_id));
        // The search for items did not find any of its items so soon.
        let passages = found.unwrap_or_else(|| vec![Shown::chunk(None, best_text).of(*best_item_id)]);
        candidates.push(JudgeCandidate { name: item_name(space, *best_item_id), score: *score, passages });
    }
    rerank(judge, &request.query, &candidates, &memory.judged_first())
}

/// What items of one thread or document have in common. An item that has neither stands alone.
fn group<'a>(
    space: &'a str,
    thread: &'a Option<String>,
    document: &'a Option<String>,
    item: i64,
) -> (&'a str, &'a Option<String>, &'a Option<String>, Option<i64>) {
    (space, thread, document, (thread.is_none() && document.is_none()).then_some(item))
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
    /// Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first 20
    /// results and reorders them. If omitted, recall.rerank in the configuration applies.
    rerank: Option<Rerank>,
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
        let Self { query, also, mode, limit, threads, rerank, asked_at, as_of, .. } = self;
        let Self { topics, category, message_type, entities, .. } = self;
        let (labels, filter) = (LabelQuery { topics, category, message_type, entities }, Filter::parse(&self.filter)?);
        let spaces = call.spaces(&also);
        let request =
            SearchRequest { query, mode, limit, rerank, asked_at, as_of, labels, filter, ..SearchRequest::new("") };
        Ok(match threads {
            false => SearchReply::Items(Box::new(memory.search(&spaces, &request)?)),
            true => SearchReply::Threads(Box::new(memory.search_threads(&spaces, &request)?)),
        })
    }
}
