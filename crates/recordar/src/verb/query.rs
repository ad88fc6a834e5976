//! Querying: descend the category tree to the leaves that match a question, and return their chunks.

use super::options::DescentArguments;
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::chunk::QueryChunk;
use crate::noun::limits::MAX_CHUNKS;
use crate::noun::limits::MAX_QUESTION_BYTES;
use crate::noun::method::{Method, ModelProblem};
use crate::noun::path::PathError;
use crate::noun::path::{DroppedPath, TreePath};
use crate::route::leaves::Place;
use crate::route::tree::{Descended, SelectResponse};
use crate::tree::{Traversal, TraversalStrategy, Tree};
use recordar_domain::{Digest, Invalid, SpaceName, Stage, Timestamp, Trace, check_text};
use recordar_llm::Operation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A question, and settings that differ from the configured ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryRequest {
    pub query: String,
    pub descent: DescentOptions,
    /// Maximum number of chunks over all paths; 1,000 by default. The rest is on the next page.
    pub limit: Option<usize>,
    /// Cursor: the previous page's `next`. The tree is not descended again.
    pub after: Option<String>,
}

/// How the tree is descended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DescentOptions {
    pub strategy: Option<TraversalStrategy>,
    pub n: Option<u32>,
    pub n2: Option<u32>,
    /// Maximum categories selected under a parent, whatever the strategy.
    pub max_per_level: Option<u32>,
    pub max_paths: Option<u32>,
    /// Maximum chunks of each path, the first ones.
    pub limit_per_path: Option<usize>,
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
    /// Every selection, in the order requested.
    pub responses: Vec<SelectResponse>,
    /// The paths that were followed, best first.
    pub paths: Vec<PathView>,
    /// By path, then by time and id.
    pub chunks: Vec<QueryChunk>,
    /// Paths that were dropped, and why.
    pub errors: Vec<PathError>,
    pub dropped_paths: Vec<DroppedPath>,
    /// Cursor of the next page, for `after`; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Total time of selections and reads, in milliseconds.
    pub total_latency: f64,
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

const DEFAULT_LIMIT: usize = 1_000;

const MAX_CURSOR_BYTES: usize = 1024 * 1024;

impl QueryRequest {
    pub fn new(query: &str) -> Self {
        Self { query: query.to_owned(), ..Self::default() }
    }
}

impl Recordar {
    /// Finds the chunks for a question by descending the tree.
    pub fn query(&self, space: &SpaceName, request: &QueryRequest) -> Result<QueryResult, Error> {
        if self.hides() {
            return self.showing(|memory| memory.query(space, request));
        }
        let traversal = self.traversal(&request.descent)?;
        let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
        check_limits(&request.descent, limit)?;
        let tree = self.tree_of(space)?;
        let (descended, place) = match &request.after {
            Some(cursor) => read_cursor(cursor, &request.query, &tree)?,
            None => {
                let operation = self.operation_of_model();
                (self.find_paths(&tree, &request.query, &traversal, &operation)?, Place::default())
            }
        };
        let Descended { paths, dropped, responses, method, problem, stage } = descended;
        let redactor = self.configured_redactor()?;
        let limits = (request.descent.limit_per_path, limit);
        let retrieved = self.retrieve(space, &paths, place, limits, redactor.as_deref())?;
        if retrieved.chunks.is_empty() && request.after.is_none() {
            return Err(all_empty(&paths, dropped));
        }
        let mut views: Vec<PathView> = paths.iter().map(PathView::of).collect();
        retrieved.chunks.iter().for_each(|(path, _)| views[*path].chunks += 1);
        let selecting = responses.iter().fold(0.0, |sum, response| sum + response.latency_ms);
        let is_whole = retrieved.errors.is_empty() && dropped.is_empty();
        Ok(QueryResult {
            query: request.query.clone(),
            space: space.to_string(),
            status: if is_whole { "ok" } else { "partial" },
            traversal,
            method,
            model_problem: problem,
            responses,
            paths: views,
            chunks: retrieved.chunks.into_iter().map(|(_, chunk)| chunk).collect(),
            errors: retrieved.errors,
            dropped_paths: dropped,
            next: retrieved.next.map(|place| write_cursor(&request.query, &paths, place)),
            total_latency: selecting + retrieved.latency_ms,
            trace: Trace { stages: vec![stage, retrieved.stage] },
        })
    }

    pub(super) fn traversal(&self, options: &DescentOptions) -> Result<Traversal, Invalid> {
        let configured = self.config.tree.traversal;
        // A strategy given in the request uses its own default numbers.
        let base = match options.strategy {
            Some(strategy) if strategy != configured.strategy => {
                Traversal { max_paths: configured.max_paths, ..Traversal::new(strategy) }
            }
            _ => configured,
        };
        let traversal = Traversal {
            n: options.n.unwrap_or(base.n),
            n2: options.n2.unwrap_or(base.n2),
            max_per_level: options.max_per_level.unwrap_or(base.max_per_level),
            max_paths: options.max_paths.unwrap_or(base.max_paths),
            ..base
        };
        traversal.check()?;
        Ok(traversal)
    }

    pub(super) fn tree_of(&self, space: &SpaceName) -> Result<Tree, Error> {
        let found = self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(None) };
            let Some(depth) = reading.tree_depth(space.id)? else { return Ok(None) };
            Ok(Some(Tree::new(depth, reading.categories(space.id)?)))
        })?;
        found.ok_or_else(|| {
            let what = format!("nothing in {space} is classified yet, so there is no tree to search");
            Error::input("no_tree", what, "ingest documents, or classify the stored ones with `recordar classify`")
        })
    }

    pub(super) fn find_paths(
        &self,
        tree: &Tree,
        question: &str,
        traversal: &Traversal,
        operation: &Operation,
    ) -> Result<Descended, Error> {
        check_text("the question", question, MAX_QUESTION_BYTES)?;
        self.descend(tree, question, traversal, &self.reasoner(operation))
    }
}

impl PathView {
    fn of(path: &TreePath) -> Self {
        Self { category_path: path.names.clone(), category_ids: path.ids.clone(), ranks: path.ranks.clone(), chunks: 0 }
    }
}

pub(super) fn check_limits(options: &DescentOptions, limit: usize) -> Result<(), Invalid> {
    for (name, value) in [("limit", Some(limit)), ("limit_per_path", options.limit_per_path)] {
        if value.is_some_and(|value| value == 0 || value > MAX_CHUNKS) {
            return Err(Invalid::new(
                format!("{name} is out of range"),
                format!("use a number from 1 to {MAX_CHUNKS}"),
            ));
        }
    }
    Ok(())
}

/// None of the selected paths has a chunk.
pub(super) fn all_empty(paths: &[TreePath], mut dropped: Vec<DroppedPath>) -> Error {
    dropped.extend(paths.iter().map(|path| path.dropped("empty", "it has no chunks")));
    Error::paths(
        "empty_paths",
        "none of the selected paths has any chunks",
        "follow more paths with another strategy, or inspect the tree with `recordar tree`",
        paths,
        dropped,
    )
}

/// The paths by leaf and rank, and the position among them: all that the next page needs.
fn write_cursor(query: &str, paths: &[TreePath], place: Place) -> String {
    let (time, id) = place.after.map_or((0, 0), |(time, id)| (time.as_micros(), id));
    let mut cursor = format!("1~{}~{}~{time}~{id}", mark(query), place.taken);
    // Paths already read are no longer needed.
    for path in &paths[place.path.min(paths.len())..] {
        let ranks: Vec<String> = path.ranks.iter().map(u32::to_string).collect();
        cursor.push_str(&format!("~{}.{}", path.leaf().unwrap_or_default(), ranks.join(".")));
    }
    cursor
}

/// A short mark that distinguishes one question from another.
fn mark(query: &str) -> String {
    Digest::of(query).to_string().chars().take(12).collect()
}

fn read_cursor(cursor: &str, query: &str, tree: &Tree) -> Result<(Descended, Place), Invalid> {
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
    let place = Place { path: 0, taken: taken.parse().map_err(|_| wrong())?, after: (id > 0).then_some((time, id)) };
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
    Ok((descended, place))
}

/// Arguments of this verb only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct QueryOwn {
    /// The question.
    query: String,
    /// Maximum number of chunks.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_CHUNKS))]
    limit: usize,
    /// Cursor: the previous page's next. The tree is not descended again.
    after: Option<String>,
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
        let With(QueryOwn { query, limit, after }, descent) = self;
        let request = QueryRequest { query, descent: descent.options(), limit: Some(limit), after };
        memory.query(call.space(), &request)
    }
}
