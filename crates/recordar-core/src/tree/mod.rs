//! The category tree of a space in memory, current and growing: names, places, and free places per level. Pure.

mod category_limits;
mod growth;
mod traversal;

pub use category_limits::CategoryLimits;
pub use growth::{Full, Growth};
pub use traversal::{Traversal, TraversalStrategy};

use recordar_domain::name_key;
use recordar_store::CategoryRow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

/// Separates the names of a path for display.
pub const SEPARATOR: &str = " > ";

/// A category by its index in the tree; not an id, since a category that is not stored yet has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(usize);

#[derive(Debug, Clone)]
pub struct Tree {
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
    /// Whether a live chunk is on it or below, or is about to be. One that leads to none is not offered, and counts against no limit.
    is_living: bool,
    /// Its normalised name, computed on demand.
    key: OnceCell<String>,
}

impl Tree {
    /// A tree of stored rows, parents before children.
    pub fn new(depth: u32, rows: Vec<CategoryRow>) -> Self {
        let mut tree = Self { depth, categories: Vec::with_capacity(rows.len()), roots: Vec::new() };
        let mut nodes: HashMap<i64, Node> = HashMap::with_capacity(rows.len());
        for CategoryRow { id, parent, name, .. } in rows {
            let parent = parent.and_then(|parent| nodes.get(&parent).copied());
            nodes.insert(id, tree.add(Some(id), name, parent));
        }
        tree
    }

    /// A tree of all stored rows, of which only those that lead to one of these leaves are living.
    pub fn with_living(depth: u32, rows: Vec<CategoryRow>, leaves: &BTreeSet<i64>) -> Self {
        let mut tree = Self::new(depth, rows);
        tree.categories.iter_mut().for_each(|category| category.is_living = false);
        let is_living = |category: &Category| category.id.is_some_and(|id| leaves.contains(&id));
        let living: Vec<Node> =
            (0..tree.categories.len()).map(Node).filter(|node| is_living(&tree.categories[node.0])).collect();
        for leaf in living {
            for node in tree.path(leaf) {
                tree.categories[node.0].is_living = true;
            }
        }
        tree
    }

    pub(crate) fn is_living(&self, node: Node) -> bool {
        self.categories[node.0].is_living
    }

    fn add(&mut self, id: Option<i64>, name: String, parent: Option<Node>) -> Node {
        let node = Node(self.categories.len());
        let level = parent.map_or(1, |parent| self.level(parent) + 1);
        let (children, is_living, key) = (Vec::new(), true, OnceCell::new());
        self.categories.push(Category { id, name, level, parent, children, is_living, key });
        match parent {
            Some(parent) => self.categories[parent.0].children.push(node),
            None => self.roots.push(node),
        }
        node
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }

    pub fn id(&self, node: Node) -> Option<i64> {
        self.categories[node.0].id
    }

    pub fn name(&self, node: Node) -> &str {
        &self.categories[node.0].name
    }

    pub fn level(&self, node: Node) -> u32 {
        self.categories[node.0].level
    }

    pub fn is_leaf(&self, node: Node) -> bool {
        self.level(node) == self.depth
    }

    /// In order of creation.
    pub fn children(&self, parent: Option<Node>) -> &[Node] {
        parent.map_or(&self.roots, |parent| &self.categories[parent.0].children)
    }

    /// The child of that name, or of one that differs only in case, spaces or plural; of several, the first.
    pub fn named(&self, parent: Option<Node>, name: &str) -> Option<Node> {
        let children = self.children(parent);
        let key = |node: &Node| self.categories[node.0].key.get_or_init(|| name_key(self.name(*node)));
        let same = || {
            let wanted = name_key(name);
            children.iter().find(|node| *key(node) == wanted)
        };
        children.iter().find(|node| self.name(**node) == name).or_else(same).copied()
    }

    /// How many names a level has.
    pub fn count(&self, level: u32) -> u64 {
        self.categories.iter().filter(|category| category.level == level).count() as u64
    }

    /// From the root down to it.
    pub fn path(&self, node: Node) -> Vec<Node> {
        let parent = |node: &Node| self.categories[node.0].parent;
        let mut path: Vec<Node> = std::iter::successors(Some(node), parent).collect();
        path.reverse();
        path
    }

    pub fn names(&self, node: Node) -> Vec<String> {
        self.path(node).into_iter().map(|node| self.name(node).to_owned()).collect()
    }

    /// The leaves below a category, or of the whole tree, that are living; in the order of the tree.
    pub fn living_leaves(&self, node: Option<Node>) -> Vec<Node> {
        if let Some(leaf) = node.filter(|node| self.is_leaf(*node)) {
            return if self.is_living(leaf) { vec![leaf] } else { Vec::new() };
        }
        let living = self.children(node).iter().filter(|child| self.is_living(**child));
        living.flat_map(|child| self.living_leaves(Some(*child))).collect()
    }

    pub fn find(&self, id: i64) -> Option<Node> {
        // Rows come by level, not by id.
        self.categories.iter().position(|category| category.id == Some(id)).map(Node)
    }

    /// The ids of the categories along a path of names, as far as they are stored.
    pub fn ids_along(&self, names: &[String]) -> Vec<i64> {
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
