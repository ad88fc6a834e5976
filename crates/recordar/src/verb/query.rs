//! Querying: descend the category tree to the leaves that match a question, and return their chunks.

use super::options::DescentArguments;
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafeChunk;
use recordar_core::judges::{Choice, Reranker};
use recordar_core::noun::chunk::QueryChunk;
use recordar_core::noun::descent::DescentOptions;
use recordar_core::noun::limits::MAX_CHUNKS;
use recordar_core::noun::method::{Method, ModelProblem};
use recordar_core::noun::path::{DroppedPath, PathError, TreePath};
use recordar_core::noun::rerank::{JudgeConfidence, Rerank};
use recordar_core::reason::Reasoner;
use recordar_core::rerank::{Candidate, Reranked, Shown, rerank};
use recordar_core::route::leaf_hits::LeafHits;
use recordar_core::route::leaves::{PagePosition, Retrieved, all_empty, retrieve, retrieve_ranked};
use recordar_core::route::tree::{Descended, SelectResponse, descend, read_tree, read_whole_tree};
use recordar_core::tree::{Traversal, Tree};
use recordar_domain::{Digest, Filter, Invalid, SpaceName, Stage, Timestamp, Trace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A question, and settings that differ from the configured ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryRequest {
    pub query: String,
    pub descent: DescentOptions,
    /// Maximum number of chunks over all paths; 20 by default. The rest is on the next page.
    pub limit: Option<usize>,
    /// Cursor: the previous page's `next`. The tree is not descended again.
    pub after: Option<String>,
    /// Only chunks that pass it. Categories without any are not followed.
    pub filter: Filter,
    /// The reranker of the first chunks of the page; by default the configured one.
    pub rerank: Option<Rerank>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QueryResult {
    pub query: String,
    pub space: String,
    /// `ok`, or `partial` if a path had to be dropped.
    pub status: &'static str,
    pub traversal: Traversal,
    /// Whether the model or the built-in method chose the paths.
    pub method: Method,
    /// Why the configured model did not choose them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    /// How sure the reranker is that any of the chunks answers the question.
    pub confidence: JudgeConfidence,
    /// Why the configured model did not rerank the chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_problem: Option<ModelProblem>,
    /// Every selection, in the order requested.
    pub responses: Vec<SelectResponse>,
    /// The paths that were followed, best first.
    pub paths: Vec<PathView>,
    /// If a model chose the paths: by path, then by time and id. Otherwise, or if they are reranked, the chunks that match the question
    /// best come first.
    pub chunks: Vec<QueryChunk>,
    /// Paths that were dropped, and why.
    pub errors: Vec<PathError>,
    pub dropped_paths: Vec<DroppedPath>,
    /// Cursor of the next page, for `after`; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// How many chunks of the paths come after this page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<u64>,
    /// Total time of selections, reads and reranking, in milliseconds.
    pub total_latency: f64,
    /// Time of reranking, in milliseconds; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank_ms: Option<f64>,
    pub trace: Trace,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PathView {
    pub category_path: Vec<String>,
    pub category_ids: Vec<i64>,
    /// From the root to the leaf; higher is better.
    pub ranks: Vec<u32>,
    /// Number of its chunks in this result.
    pub chunks: u64,
}

/// The chunks of a page.
const DEFAULT_LIMIT: usize = 20;

const MAX_CURSOR_BYTES: usize = 1024 * 1024;

impl QueryRequest {
    pub fn new(query: &str) -> Self {
        Self { query: query.to_owned(), ..Self::default() }
    }
}

impl Recordar {
    /// Finds the chunks for a question by descending the tree.
    pub fn query(&self, space: &SpaceName, request: &QueryRequest) -> Result<QueryResult, Error> {
        self.showing(|memory| query(memory, space, request))
    }
}

fn query(memory: &Recordar, space: &SpaceName, request: &QueryRequest) -> Result<QueryResult, Error> {
    let traversal = request.descent.traversal(memory.config.tree.traversal)?;
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    request.descent.check_limits(limit)?;
    let passing = memory.passing_chunks(space, &request.filter)?;
    let (tree, _) = read_tree(&memory.store, space, passing.as_ref())?;
    let operation = memory.reasoning.operation();
    let limits = (request.descent.limit_per_path, limit);
    // Without a model, a search says which categories hold what is asked for, and in which order.
    let ranked = match &request.after {
        Some(cursor) => ranked_offset(cursor, request, &traversal)?,
        None => (!memory.reasoning.has_model()).then_some(0),
    };
    let hits = ranked.map(|_| memory.leaf_hits(space, &request.query, &request.filter)).transpose()?;
    let (descended, position) = match &request.after {
        Some(cursor) if ranked.is_none() => {
            read_cursor(cursor, &asked(request), &read_whole_tree(&memory.store, space)?.0)?
        }
        _ => {
            let settings = (memory.config.language, memory.reasoning.max_output_tokens(), (memory.clock)());
            let reasoner = match &hits {
                // A page of a list that the built-in method ranked.
                Some(_) => {
                    Reasoner { client: Ok(None), operation: &operation, when_away: memory.reasoning.when_away() }
                }
                None => memory.reasoning.reasoner(&operation),
            };
            let found = descend(&tree, &request.query, &traversal, &reasoner, hits.as_ref(), settings)?;
            (found, PagePosition::default())
        }
    };
    let Descended { paths, dropped, responses, mut method, problem, stage } = descended;
    let mut stages = Vec::new();
    let mut retrieved = match (&hits, ranked) {
        (Some(hits), Some(offset)) => {
            method = Method::BuiltIn;
            stages.extend(hits.stages.iter().cloned());
            retrieve_ranked(&memory.store, space, (&paths, passing.as_ref()), hits, offset, limits)?
        }
        _ => retrieve(&memory.store, space, (&paths, passing.as_ref()), position, limits)?,
    };
    stages.push(stage);
    let next = match ranked {
        Some(offset) => {
            let end = offset + retrieved.chunks.len();
            (retrieved.more > 0).then(|| write_offset(request, &traversal, end))
        }
        None => retrieved.next.map(|position| write_cursor(&asked(request), &paths, position)),
    };
    if retrieved.chunks.is_empty() && request.after.is_none() {
        return Err(all_empty(&paths, dropped));
    }
    let (mut judged, mut rerank_ms, mut rerank_problem) = (None, None, None);
    let mut confidence = JudgeConfidence::default();
    match memory.reranker(request.rerank.as_ref())? {
        Choice::Off => {}
        Choice::Unusable(failed) => (judged, rerank_problem) = (Some(failed.stage()), Some(failed.problem)),
        Choice::Model(judge) => {
            let reranked = rerank_page(memory, &judge, request, hits.as_ref(), &mut retrieved)?;
            (judged, rerank_ms) = (Some(reranked.stage), Some(reranked.milliseconds));
            (confidence, rerank_problem) = (reranked.confidence, reranked.problem);
        }
    }
    let guard = memory.configured_guard()?;
    let mut views: Vec<PathView> = paths.iter().map(PathView::of).collect();
    retrieved.chunks.iter().for_each(|(path, _)| views[*path].chunks += 1);
    let clear = |(_, chunk)| guard.chunk(chunk).map(SafeChunk::into_chunk);
    let cleared = retrieved.chunks.into_iter().map(clear).collect::<Result<Vec<_>, Error>>()?;
    let selecting = responses.iter().fold(0.0, |sum, response| sum + response.latency_ms);
    let is_whole = retrieved.errors.is_empty() && dropped.is_empty();
    Ok(QueryResult {
        query: request.query.clone(),
        space: space.to_string(),
        status: if is_whole { "ok" } else { "partial" },
        traversal,
        method,
        model_problem: problem,
        confidence,
        rerank_problem,
        responses,
        paths: views,
        chunks: cleared,
        errors: retrieved.errors,
        dropped_paths: dropped,
        next,
        more: (retrieved.more > 0).then_some(retrieved.more as u64),
        total_latency: selecting + retrieved.latency_ms + rerank_ms.unwrap_or_default(),
        rerank_ms,
        trace: Trace { stages: stages.into_iter().chain([retrieved.stage]).chain(judged).collect() },
    })
}

/// Sorts the chunks of a page by what the judge says of the first ones. A chunk that no search found has no score of its own.
fn rerank_page(
    memory: &Recordar,
    judge: &Reranker,
    request: &QueryRequest,
    hits: Option<&LeafHits>,
    page: &mut Retrieved,
) -> Result<Reranked, Error> {
    let found = hits.into_iter().flat_map(|hits| &hits.hits).map(|hit| (hit.chunk, hit.score));
    let scores: BTreeMap<i64, f64> = found.collect();
    let candidate = |(_, chunk): &(usize, QueryChunk)| Candidate {
        name: format!("chunk {}", chunk.chunk_id),
        score: scores.get(&chunk.chunk_id).copied().unwrap_or_default(),
        passages: vec![Shown::chunk(chunk.section.as_deref(), &chunk.text_content)],
    };
    let candidates: Vec<Candidate> = page.chunks.iter().map(candidate).collect();
    let reranked = rerank(judge, &request.query, &candidates, &memory.judged_first())?;
    let arranged = reranked.arrange(std::mem::take(&mut page.chunks)).into_iter();
    let with_view = |((path, chunk), view)| (path, QueryChunk { rerank: Some(view), ..chunk });
    page.chunks = arranged.map(with_view).collect();
    Ok(reranked)
}

/// The cursor of a ranked list: descending again costs nothing, so the number of chunks before the page is enough.
fn write_offset(request: &QueryRequest, traversal: &Traversal, offset: usize) -> String {
    format!("2~{}~{offset}", ranked_mark(request, traversal))
}

/// The question with its filter: a cursor belongs to both.
fn asked(request: &QueryRequest) -> String {
    let mut asked = request.query.clone();
    request.filter.conditions().iter().for_each(|condition| asked.push_str(&format!("\0{condition}")));
    asked
}

/// Distinguishes one ranked list from another.
fn ranked_mark(request: &QueryRequest, traversal: &Traversal) -> String {
    mark(&format!("{} {traversal:?} {:?}", asked(request), request.descent.limit_per_path))
}

/// The position that a cursor of a ranked list stands for; `None` if it is a cursor of another kind.
fn ranked_offset(cursor: &str, request: &QueryRequest, traversal: &Traversal) -> Result<Option<usize>, Invalid> {
    let Some(rest) = cursor.strip_prefix("2~") else { return Ok(None) };
    let wrong = || Invalid::new("`after` is not a cursor of this query", "pass the previous page's `next`");
    let (asked, offset) = rest.split_once('~').ok_or_else(wrong)?;
    if asked != ranked_mark(request, traversal) {
        return Err(wrong());
    }
    offset.parse::<u32>().map(|offset| Some(offset as usize)).map_err(|_| wrong())
}

impl PathView {
    fn of(path: &TreePath) -> Self {
        Self { category_path: path.names.clone(), category_ids: path.ids.clone(), ranks: path.ranks.clone(), chunks: 0 }
    }
}

/// The paths by leaf and rank, and the position among them: all that the next page needs.
fn write_cursor(query: &str, paths: &[TreePath], position: PagePosition) -> String {
    let (time, id) = position.after.map_or((0, 0), |(time, id)| (time.as_micros(), id));
    let mut cursor = format!("1~{}~{}~{time}~{id}", mark(query), position.taken);
    // Paths already read are no longer needed.
    for path in &paths[position.path.min(paths.len())..] {
        let ranks: Vec<String> = path.ranks.iter().map(u32::to_string).collect();
        cursor.push_str(&format!("~{}.{}", path.leaf().unwrap_or_default(), ranks.join(".")));
    }
    cursor
}

/// A short mark that distinguishes one question from another.
fn mark(query: &str) -> String {
    Digest::of(query).to_string().chars().take(12).collect()
}

fn read_cursor(cursor: &str, query: &str, tree: &Tree) -> Result<(Descended, PagePosition), Invalid> {
    let wrong = || Invalid::new("`after` is not a cursor of this query", "pass the previous page's `next`");
    let parts: Vec<&str> = cursor.split('~').collect();
    let ["1", asked, taken, time, id, leaves @ ..] = parts.as_slice() else { return Err(wrong()) };
    if leaves.is_empty()
        || *asked != mark(query)
        || cursor.len() > MAX_CURSOR_BYTES
        || leaves.len() > Traversal::MAX_PATHS as usize
    {
        return Err(wrong());
    }
    let number = |text: &str| text.parse::<i64>().map_err(|_| wrong());
    let (time, id) = (Timestamp::from_micros(number(time)?), number(id)?);
    let position =
        PagePosition { path: 0, taken: taken.parse().map_err(|_| wrong())?, after: (id > 0).then_some((time, id)) };
    let mut paths = Vec::new();
    for leaf in leaves {
        let (leaf, ranks) = leaf.split_once('.').ok_or_else(wrong)?;
        let node = tree.find(number(leaf)?).filter(|node| tree.is_leaf(*node)).ok_or_else(wrong)?;
        let nodes = tree.path(node);
        let ranks: Vec<u32> =
            ranks.split('.').map(|rank| rank.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        paths.push(TreePath {
            ids: nodes.iter().filter_map(|node| tree.id(*node)).collect(),
            names: tree.names(node),
            nodes,
            ranks,
        });
    }
    let descended = Descended {
        paths,
        dropped: Vec::new(),
        responses: Vec::new(),
        method: Method::Nothing,
        problem: None,
        stage: Stage::new("descend"),
    };
    Ok((descended, position))
}

/// Arguments of this verb only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct QueryOwn {
    /// The question.
    query: String,
    /// Maximum number of chunks; the rest is on the next pages.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_CHUNKS))]
    limit: usize,
    /// Cursor for the next page: the `next` of the previous page. No model is asked again.
    after: Option<String>,
    /// Only chunks that pass these conditions, such as tag=release-0.9, path=docs/** or !type=json. Fields: tag, path, type,
    /// collection, meta.KEY, since, before, until.
    #[serde(default)]
    filter: Vec<String>,
    /// Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first 20
    /// chunks of the page and reorders them. If omitted, recall.rerank in the configuration applies.
    rerank: Option<Rerank>,
}

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

pub type QueryArguments = With<QueryOwn, DescentArguments>;

impl Verb for QueryArguments {
    const NAME: &'static str = "query";
    const ABOUT: &'static str = "Find the chunks for a question by descending the category tree.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = QueryResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<QueryResult, Error> {
        let With(QueryOwn { query, limit, after, filter, rerank }, descent) = self;
        let filter = Filter::parse(&filter)?;
        let request = QueryRequest { query, descent: descent.options(), limit: Some(limit), after, filter, rerank };
        memory.query(call.space(), &request)
    }
}
