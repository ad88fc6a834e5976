//! The category tree of a space: shown with its counts, and edited by hand. An edit is one transaction; the chunks follow.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::tree::{Node, SEPARATOR, Tree};
use recordar_domain::{Digest, Invalid, OperationId, SpaceName};
use recordar_store::{Error as StoreError, Operation, Reading, Settled, SpaceId, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TreeView {
    pub space: String,
    /// Absent if nothing is classified yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    pub categories: u64,
    /// Chunks that have a leaf, and chunks that are pending.
    pub chunks: u64,
    pub unclassified: u64,
    /// Number of names on each level, and the limit.
    pub levels: Vec<LevelView>,
    pub roots: Vec<CategoryView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LevelView {
    pub level: u32,
    pub categories: u64,
    pub limit: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CategoryView {
    pub id: i64,
    pub name: String,
    pub level: u32,
    /// Live chunks on it, or below.
    pub chunks: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<CategoryView>,
}

/// An edit of the tree. A category is given by its id, or by its path from the root, as in `Travel > Trains`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub enum TreeEdit {
    Rename {
        category: String,
        name: String,
    },
    /// Merges the first into the second, on the same level.
    Merge {
        category: String,
        into: String,
    },
    /// Moves it to another parent, on the same level.
    Move {
        category: String,
        under: String,
    },
    Deepen {
        depth: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeEdited {
    /// The edit: `rename`, `merge`, `move` or `deepen`.
    pub edit: String,
    /// The resulting category; absent if the whole tree was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_id: Option<i64>,
    /// Categories that were merged into others.
    pub merged_categories: u64,
    /// Chunks that moved to another leaf.
    pub moved_chunks: u64,
    pub depth: u32,
    /// Whether this operation was done before; then this is its original result.
    #[serde(default)]
    pub repeated: bool,
}

impl Recordar {
    pub fn tree(&self, space: &SpaceName) -> Result<TreeView, Error> {
        self.showing(|memory| {
            let limits = &memory.config.tree.category_limits;
            Ok(memory.store.read(|reading| {
                let empty = TreeView {
                    space: space.to_string(),
                    depth: None,
                    categories: 0,
                    chunks: 0,
                    unclassified: 0,
                    levels: Vec::new(),
                    roots: Vec::new(),
                };
                let Some(row) = reading.space(space)? else { return Ok(empty) };
                let unclassified = reading.unclassified_chunks(row.id)?;
                let Some(depth) = reading.tree_depth(row.id)? else { return Ok(TreeView { unclassified, ..empty }) };
                let tree = Tree::new(depth, reading.living_categories(row.id)?);
                let counts: BTreeMap<i64, u64> = reading.chunks_by_leaf(row.id)?.into_iter().collect();
                let roots = views(&tree, None, &counts);
                let level = |level| LevelView { level, categories: tree.count(level), limit: limits.at(level) };
                let levels: Vec<LevelView> = (1..=depth).map(level).collect();
                Ok(TreeView {
                    depth: Some(depth),
                    categories: levels.iter().map(|level| level.categories).sum(),
                    chunks: counts.values().sum(),
                    unclassified,
                    levels,
                    roots,
                    ..empty
                })
            })?)
        })
    }

    pub fn edit_tree(&self, space: &SpaceName, edit: &TreeEdit, operation: &OperationId) -> Result<TreeEdited, Error> {
        let request = Digest::of(serde_json::to_vec(edit).unwrap_or_default());
        let operation = Operation { id: operation, kind: "tree", request };
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            if writing.is_new_space() {
                return Err(StoreError::absent(format!("space {space}")));
            }
            Ok(Settled::Commit(self.edit(writing, edit)?))
        })?;
        Ok(TreeEdited { repeated: written.is_repeated, ..written.value })
    }

    fn edit(&self, writing: &mut Writing<'_>, edit: &TreeEdit) -> Result<TreeEdited, StoreError> {
        let space = writing.space_id();
        let depth = writing.tree_depth(space)?.ok_or_else(|| {
            Invalid::new(
                "there is no tree yet",
                "ingest documents, or classify the stored ones with `recordar classify`",
            )
        })?;
        let edited = |edit: &str, id: Option<i64>| TreeEdited {
            edit: edit.to_owned(),
            category_id: id,
            merged_categories: 0,
            moved_chunks: 0,
            depth,
            repeated: false,
        };
        let tree = Tree::new(depth, writing.categories(space)?);
        match edit {
            TreeEdit::Rename { category, name } => {
                let id = find(&tree, category)?;
                writing.rename_category(id, name)?;
                Ok(edited("rename", Some(id)))
            }
            TreeEdit::Merge { category, into } => {
                let (from, into) = (find(&tree, category)?, find(&tree, into)?);
                let merged = writing.merge_categories(from, into)?;
                let (merged_categories, moved_chunks) = (merged.categories, merged.chunks);
                Ok(TreeEdited { merged_categories, moved_chunks, ..edited("merge", Some(into)) })
            }
            TreeEdit::Move { category, under } => {
                let (id, parent) = (find(&tree, category)?, find(&tree, under)?);
                writing.move_category(id, parent)?;
                Ok(edited("move", Some(id)))
            }
            TreeEdit::Deepen { depth } => {
                self.check_room(writing, space, *depth)?;
                writing.deepen_tree(*depth)?;
                Ok(TreeEdited { depth: *depth, ..edited("deepen", None) })
            }
        }
    }

    /// A deeper tree has one name per leaf on each new level.
    fn check_room(&self, reading: &mut Reading<'_>, space: SpaceId, depth: u32) -> Result<(), StoreError> {
        let planted = reading.tree_depth(space)?.unwrap_or(depth);
        let leaves = reading.living_categories(space)?.iter().filter(|row| row.level == planted).count() as u64;
        let limit = |level| self.config.tree.category_limits.at(level);
        match (planted + 1..=depth).find(|level| leaves > u64::from(limit(*level))) {
            None => Ok(()),
            Some(level) => {
                let what = format!("level {level} would have {leaves} categories; the limit is {}", limit(level));
                Err(Invalid::new(what, "merge categories first, or raise tree.max_categories_per_level").into())
            }
        }
    }
}

/// The category of that id or path. Names in a path are compared as during classification; a number that is not a name is an id.
fn find(tree: &Tree, category: &str) -> Result<i64, StoreError> {
    let category = category.trim();
    let by_id = |id: &str| tree.find(id.parse().ok()?);
    let by_path = || {
        let mut names = category.split(SEPARATOR.trim()).map(str::trim);
        names.try_fold(None, |parent, name| tree.named(parent, name).map(Some)).flatten()
    };
    let node = match category.strip_prefix('#') {
        Some(id) => by_id(id),
        None => by_path().or_else(|| by_id(category)),
    };
    node.and_then(|node| tree.id(node)).ok_or_else(|| {
        let remedy = "give its path, as in \"Travel > Trains\", or its id";
        StoreError::absent(format!("category {category:?} ({remedy})"))
    })
}

fn views(tree: &Tree, parent: Option<Node>, counts: &BTreeMap<i64, u64>) -> Vec<CategoryView> {
    let view = |node: &Node| {
        let id = tree.id(*node).unwrap_or_default();
        let children = views(tree, Some(*node), counts);
        let below: u64 = children.iter().map(|child| child.chunks).sum();
        let chunks = counts.get(&id).copied().unwrap_or(0) + below;
        CategoryView { id, name: tree.name(*node).to_owned(), level: tree.level(*node), chunks, children }
    };
    tree.children(parent).iter().map(view).collect()
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TreeArguments {}

impl Verb for TreeArguments {
    const NAME: &'static str = "tree";
    const ABOUT: &'static str = "Show the category tree with its counts.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = TreeView;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<TreeView, Error> {
        memory.tree(call.space())
    }
}
