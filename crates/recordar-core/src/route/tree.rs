//! The tree route (A8, A9): descends the categories level by level to the leaves that match a question, and reads their chunks.

use super::filter::PassingChunks;
use super::leaf_hits::LeafHits;
use crate::error::Error;
use crate::guard::SafeText;
use crate::noun::limits::MAX_QUESTION_BYTES;
use crate::noun::method::{Method, ModelProblem};
use crate::noun::path::{DroppedPath, TreePath};
use crate::reason::{Choice, Performed, Reasoner, SelectTask, Selected};
use crate::tree::{Node, SEPARATOR, Traversal, Tree};
use recordar_domain::text::Language;
use recordar_domain::{Action, SpaceName, Stage, Timestamp, check_text};
use recordar_llm::CallReport;
use recordar_store::{CategoryRow, Error as StoreError, Reading, SpaceId, SpaceRow, Store};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Maximum names below a category that the built-in method considers.
const MAX_BELOW: usize = 200;

/// One call of a descent, or the built-in method's choice instead.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SelectResponse {
    /// The selected categories; empty if the call failed or its reply was invalid.
    pub llm_output: Vec<Selected>,
    pub timestamp: Timestamp,
    pub latency_ms: f64,
    pub method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub tokens_prompt: u64,
    pub tokens_completion: u64,
    pub level: u32,
    /// The names from the root down to the parent.
    pub under: Vec<String>,
    /// `ok`, or the code of an error.
    pub outcome: String,
}

pub struct Descended {
    /// Root to leaf, the best first.
    pub paths: Vec<TreePath>,
    pub dropped: Vec<DroppedPath>,
    pub responses: Vec<SelectResponse>,
    pub method: Method,
    pub problem: Option<ModelProblem>,
    pub stage: Stage,
}

/// A descent in progress.
struct Descent<'a> {
    tree: &'a Tree,
    question: &'a SafeText,
    language: Language,
    most_output_tokens: u32,
    now: Timestamp,
    /// How much of the best hits each category holds, if there was a search.
    hits: BTreeMap<i64, f64>,
    found: Descended,
}

/// The tree of a space without the categories that nothing hangs on, or nothing that passes; and the row of the space that it was read at.
pub fn read_tree(store: &Store, space: &SpaceName, passing: Option<&PassingChunks>) -> Result<(Tree, SpaceRow), Error> {
    let Some(passing) = passing else {
        return read(store, space, |reading, space| reading.living_categories(space));
    };
    let (tree, row) = read(store, space, |reading, space| {
        let placed = reading.placed_items(space)?.into_iter();
        let leaves = placed.filter(|(chunk, _)| passing.contains(*chunk)).map(|(_, leaf)| leaf).collect();
        reading.categories_above(space, leaves)
    })?;
    if tree.children(None).is_empty() {
        let what = format!("no chunk in the tree of {space} passes the filter {}", passing.filter);
        let remedy = "leave a condition out, or see what there is with `recordar doc list`";
        return Err(Error::input("empty_paths", what, remedy));
    }
    Ok((tree, row))
}

/// The same with every category, for what refers to one that may be empty by now.
pub fn read_whole_tree(store: &Store, space: &SpaceName) -> Result<(Tree, SpaceRow), Error> {
    read(store, space, |reading, space| reading.categories(space))
}

fn read(
    store: &Store,
    space: &SpaceName,
    categories: impl Fn(&mut Reading<'_>, SpaceId) -> Result<Vec<CategoryRow>, StoreError>,
) -> Result<(Tree, SpaceRow), Error> {
    let found = store.read(|reading| {
        let Some(row) = reading.space(space)? else { return Ok(None) };
        let Some(depth) = reading.tree_depth(row.id)? else { return Ok(None) };
        Ok(Some((Tree::new(depth, categories(reading, row.id)?), row)))
    })?;
    found.ok_or_else(|| {
        let what = format!("nothing in {space} is classified yet, so there is no tree to search");
        Error::input("no_tree", what, "ingest documents, or classify the stored ones with `recordar classify`")
    })
}

/// Finds the paths for a question, level by level. The built-in method goes by the hits of a search, if there are any.
pub fn descend(
    tree: &Tree,
    question: &str,
    traversal: &Traversal,
    reasoner: &Reasoner<'_>,
    hits: Option<&LeafHits>,
    (language, most_output_tokens, now): (Language, u32, Timestamp),
) -> Result<Descended, Error> {
    check_text("the question", question, MAX_QUESTION_BYTES)?;
    let found = Descended {
        paths: vec![TreePath::default()],
        dropped: Vec::new(),
        responses: Vec::new(),
        method: Method::Nothing,
        problem: None,
        stage: Stage::new("descend"),
    };
    let question = SafeText::given(question);
    let hits = hits.map_or_else(BTreeMap::new, |hits| hits.by_category(tree));
    let mut descent = Descent { tree, question: &question, language, most_output_tokens, now, hits, found };
    for level in 1..=tree.depth() {
        descent.level(traversal.at(level), traversal.max_paths as usize, reasoner)?;
    }
    descent.deduplicate();
    Ok(descent.found)
}

impl Descent<'_> {
    /// One level: all parents are processed in parallel; their results are taken in the order of the parents.
    fn level(&mut self, n: u32, max_paths: usize, reasoner: &Reasoner<'_>) -> Result<(), Error> {
        let parents = std::mem::take(&mut self.found.paths);
        // A parent with a single child needs no selection.
        let asked: Vec<&TreePath> = parents.iter().filter(|path| self.options(path).len() > 1).collect();
        let tasks: Vec<SelectTask<'_>> = asked.iter().map(|path| self.task(path, n)).collect();
        let started = Instant::now();
        let mut performed = reasoner.perform_all(&tasks).into_iter();
        let each_ms = started.elapsed().as_secs_f64() * 1e3 / tasks.len().max(1) as f64;
        drop(tasks);
        let mut next = Vec::new();
        for parent in &parents {
            match *self.options(parent) {
                [] => self.drop_path(&parent.names, "no_leaf", "it ends before the last level"),
                [only] => {
                    self.note(parent, only, n, "only_one");
                    next.push(self.step(parent, only, n));
                }
                _ => {
                    let options = self.options(parent).to_vec();
                    let Some(performed) = performed.next() else { continue };
                    for (node, rank, by) in self.selected(parent, &options, performed, each_ms)? {
                        self.note(parent, node, rank, by);
                        next.push(self.step(parent, node, rank));
                    }
                }
            }
        }
        next.sort_by(|one, other| one.order().cmp(&other.order()));
        for path in next.split_off(next.len().min(max_paths)) {
            self.drop_path(&path.names, "max_paths", &format!("at most {max_paths} paths are followed"));
        }
        self.found.paths = next;
        Ok(())
    }

    fn options(&self, path: &TreePath) -> &[Node] {
        self.tree.children(path.nodes.last().copied())
    }

    /// How much of the best hits a category holds.
    fn found(&self, node: Node) -> f64 {
        self.tree.id(node).and_then(|id| self.hits.get(&id).copied()).unwrap_or(0.0)
    }

    fn task(&self, path: &TreePath, n: u32) -> SelectTask<'_> {
        let choice = |node: &Node| Choice {
            name: self.tree.name(*node).to_owned(),
            below: self.tree.names_below(*node, MAX_BELOW),
            found: self.found(*node),
        };
        SelectTask {
            question: self.question,
            path: path.names.clone(),
            depth: self.tree.depth(),
            options: self.options(path).iter().map(choice).collect(),
            n,
            language: self.language,
            most_output_tokens: self.most_output_tokens,
        }
    }

    /// The selection under a parent and who made it; every call is recorded.
    fn selected(
        &mut self,
        parent: &TreePath,
        options: &[Node],
        performed: Performed<Vec<Selected>>,
        built_in_ms: f64,
    ) -> Result<Vec<(Node, u32, &'static str)>, Error> {
        let done = performed.done?;
        let level = parent.names.len() as u32 + 1;
        let response = |call: &CallReport| SelectResponse {
            llm_output: Vec::new(),
            timestamp: call.timestamp,
            latency_ms: call.latency_ms,
            method: Method::Model,
            model: Some(call.settings.name.to_string()),
            tokens_prompt: call.tokens_prompt,
            tokens_completion: call.tokens_completion,
            level,
            under: parent.names.clone(),
            outcome: call.outcome.clone(),
        };
        self.found.responses.extend(performed.calls.iter().map(response));
        if done.method == Method::BuiltIn {
            self.found.responses.push(SelectResponse {
                llm_output: Vec::new(),
                timestamp: self.now,
                latency_ms: built_in_ms,
                method: Method::BuiltIn,
                model: None,
                tokens_prompt: 0,
                tokens_completion: 0,
                level,
                under: parent.names.clone(),
                outcome: "ok".to_owned(),
            });
        }
        if let Some(last) = self.found.responses.last_mut() {
            last.llm_output.clone_from(&done.reply);
        }
        let by = if done.method == Method::Model { "model" } else { "built_in" };
        self.found.method = if self.found.method == Method::BuiltIn { Method::BuiltIn } else { done.method };
        if let Some(problem) = &done.problem {
            self.found.stage.decide(parent.names.join(SEPARATOR), Action::Refused, &problem.code, &problem.what);
        }
        self.found.problem = self.found.problem.take().or(done.problem);
        let node = |selected: Selected| {
            let node = options.iter().find(|node| self.tree.name(**node) == selected.category)?;
            Some((*node, selected.ranked_relevance, by))
        };
        Ok(done.reply.into_iter().filter_map(node).collect())
    }

    fn step(&self, parent: &TreePath, node: Node, rank: u32) -> TreePath {
        let mut path = parent.clone();
        path.nodes.push(node);
        path.ids.push(self.tree.id(node).unwrap_or_default());
        path.ranks.push(rank);
        path.names.push(self.tree.name(node).to_owned());
        path
    }

    fn note(&mut self, parent: &TreePath, node: Node, rank: u32, reason: &str) {
        let names: Vec<&str> = parent.names.iter().map(String::as_str).chain([self.tree.name(node)]).collect();
        let found = self.found(node);
        let by_hits = if found > 0.0 { format!(", {found:.3} of the best hits") } else { String::new() };
        self.found.stage.decide(names.join(SEPARATOR), Action::Kept, reason, format!("rank {rank}{by_hits}"));
    }

    fn drop_path(&mut self, names: &[String], reason: &str, detail: &str) {
        self.found.stage.decide(names.join(SEPARATOR), Action::Dropped, reason, detail);
        self.found.dropped.push(DroppedPath {
            category_path: names.to_vec(),
            reason: reason.to_owned(),
            detail: detail.to_owned(),
        });
    }

    fn deduplicate(&mut self) {
        let mut known = BTreeSet::new();
        self.found.paths.retain(|path| known.insert(path.ids.clone()));
    }
}
