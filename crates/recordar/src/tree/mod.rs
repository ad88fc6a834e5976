//! The category tree of a space in memory, current and growing: names, places, and free places per level. Pure.

mod category_limits;
mod growth;
mod traversal;

pub use category_limits::CategoryLimits;
pub(crate) use growth::{Full, Growth};
pub use traversal::{Traversal, TraversalStrategy};

use recordar_domain::name_key;
use recordar_store::CategoryRow;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Separates the names of a path for display.
pub(crate) const SEPARATOR: &str = " > ";

/// A category by its index in the tree; not an id, since a category that is not stored yet has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(usize);

#[derive(Debug, Clone)]
pub(crate) struct Tree {
    depth: u32,
    categories: Vec<Category>,
    roots: Vec<Node>,
}

#[derive(Debug, Clone)]
struct Category {
    /// Absent if it is not stored yet.
    id: Option<i64>,
    name: String,
    level: u32,
    parent: Option<Node>,
    children: Vec<Node>,
    /// Its normalised name, computed on demand.
    key: OnceCell<String>,
}

impl Tree {
    /// A tree of stored rows, parents before children.
    pub(crate) fn new(depth: u32, rows: Vec<CategoryRow>) -> Self {
        let mut tree = Self { depth, categories: Vec::with_capacity(rows.len()), roots: Vec::new() };
        let mut nodes: HashMap<i64, Node> = HashMap::with_capacity(rows.len());
        for CategoryRow { id, parent, name, .. } in rows {
            let parent = parent.and_then(|parent| nodes.get(&parent).copied());
            nodes.insert(id, tree.add(Some(id), name, parent));
        }
        tree
    }

    fn add(&mut self, id: Option<i64>, name: String, parent: Option<Node>) -> Node {
        let node = Node(self.categories.len());
        let level = parent.map_or(1, |parent| self.level(parent) + 1);
        self.categories.push(Category { id, name, level, parent, children: Vec::new(), key: OnceCell::new() });
        match parent {
            Some(parent) => self.categories[parent.0].children.push(node),
            None => self.roots.push(node),
        }
        node
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn id(&self, node: Node) -> Option<i64> {
        self.categories[node.0].id
    }

    pub(crate) fn name(&self, node: Node) -> &str {
        &self.categories[node.0].name
    }

    pub(crate) fn level(&self, node: Node) -> u32 {
        self.categories[node.0].level
    }

    pub(crate) fn is_leaf(&self, node: Node) -> bool {
        self.level(node) == self.depth
    }

    /// In order of creation.
    pub(crate) fn children(&self, parent: Option<Node>) -> &[Node] {
        parent.map_or(&self.roots, |parent| &self.categories[parent.0].children)
    }

    /// The child of that name, or of one that differs only in case, spaces or plural; of several, the first.
    pub(crate) fn named(&self, parent: Option<Node>, name: &str) -> Option<Node> {
        let children = self.children(parent);
        let key = |node: &Node| self.categories[node.0].key.get_or_init(|| name_key(self.name(*node)));
        let same = || {
            let wanted = name_key(name);
            children.iter().find(|node| *key(node) == wanted)
        };
        children.iter().find(|node| self.name(**node) == name).or_else(same).copied()
    }

    /// How many names a level has.
    pub(crate) fn count(&self, level: u32) -> u64 {
        self.categories.iter().filter(|category| category.level == level).count() as u64
    }

    /// From the root down to it.
    pub(crate) fn path(&self, node: Node) -> Vec<Node> {
        let parent = |node: &Node| self.categories[node.0].parent;
        let mut path: Vec<Node> = std::iter::successors(Some(node), parent).collect();
        path.reverse();
        path
    }

    pub(crate) fn names(&self, node: Node) -> Vec<String> {
        self.path(node).into_iter().map(|node| self.name(node).to_owned()).collect()
    }

    pub(crate) fn find(&self, id: i64) -> Option<Node> {
        // Rows come by level, not by id.
        self.categories.iter().position(|category| category.id == Some(id)).map(Node)
    }

    /// The ids of the categories along a path of names, as far as they are stored.
    pub(crate) fn ids_along(&self, names: &[String]) -> Vec<i64> {
        let (mut at, mut ids) = (None, Vec::new());
        for name in names {
            let Some(next) = self.children(at).iter().find(|node| self.name(**node) == name) else { break };
            ids.extend(self.id(*next));
            at = Some(*next);
        }
        ids
    }

    /// The names below, nearest first, up to a limit.
    pub(crate) fn names_below(&self, node: Node, most: usize) -> String {
        let mut names = Vec::new();
        let mut next = std::collections::VecDeque::from(self.children(Some(node)).to_vec());
        while let Some(node) = next.pop_front().filter(|_| names.len() < most) {
            names.push(self.name(node));
            next.extend(self.children(Some(node)));
        }
        names.join(" ")
    }
}
