//! Where documents of the same folders are in the tree, and which category is most like a document: how later documents find their place.

use super::PlacedDocument;
use super::outline::{Unit, folder_of};
use super::vocabulary::Vocabulary;
use crate::tree::{Node, Tree};
use recordar_domain::text::{Language, Words};
use std::collections::{BTreeMap, HashMap};

/// A category holds a folder if it has this share of its documents.
const MOST_OF_A_FOLDER: f64 = 0.8;
/// From this likeness on, a document goes to a category rather than to a new one beside it.
const NEAR_ENOUGH: f64 = 0.25;
/// What a word of a document's name weighs, beside the words of its vector, whose length is one.
const IN_NAME: f64 = 0.5;
/// The number of names below a category that stand for it.
const MAX_BELOW: usize = 200;

/// The documents of a tree, by folder and by leaf.
pub(super) struct Neighbours {
    /// How many documents of a folder, or below it, are on each leaf.
    folders: HashMap<String, BTreeMap<Node, u32>>,
    /// The words of each category and of the files below it, by stem.
    words: BTreeMap<Node, HashMap<String, u32>>,
    tree: Tree,
}

impl Neighbours {
    pub(super) fn new(tree: &Tree, placed: &[PlacedDocument], language: Language) -> Self {
        let mut found = Self { folders: HashMap::new(), words: BTreeMap::new(), tree: tree.clone() };
        let mut words = Words::new(language);
        for leaf in tree.living_leaves(None) {
            for node in tree.path(leaf) {
                let about = format!("{} {}", tree.name(node), tree.names_below(node, MAX_BELOW));
                let known = found.words.entry(node).or_default();
                if known.is_empty() {
                    words.each(&about, |_, stem| *known.entry(stem.to_owned()).or_default() += 1);
                }
            }
        }
        for PlacedDocument { path, leaf } in placed {
            let mut folder = folder_of(path);
            while !folder.is_empty() {
                let leaves = found.folders.entry(folder.to_owned()).or_default();
                *leaves.entry(*leaf).or_default() += 1;
                folder = folder_of(folder);
            }
            let name = path.rsplit('/').next().unwrap_or_default();
            let mut stems = Vec::new();
            words.each(&name.replace(['_', '-', '.'], " "), |_, stem| stems.push(stem.to_owned()));
            for node in tree.path(*leaf) {
                let known = found.words.entry(node).or_default();
                stems.iter().for_each(|stem| *known.entry(stem.clone()).or_default() += 1);
            }
        }
        found
    }

    /// How many folders of a unit are known, if any are, and the category that it belongs in: a leaf to be placed on, or one that should
    /// get a new category below. `None` stands for the root.
    pub(super) fn find(
        &self,
        unit: &Unit,
        vocabulary: &Vocabulary,
        has_room: impl Fn(u32) -> bool,
    ) -> (Option<usize>, Option<Node>) {
        let count = |folder: &str| folder.split('/').filter(|name| !name.is_empty()).count();
        if let Some(leaves) = self.folders.get(unit.folder_path.as_str()).filter(|_| !unit.folder_path.is_empty()) {
            // Its own folder is known: one of the leaves of its documents.
            let best = self.best(leaves.keys().copied(), unit, vocabulary);
            let holder = self.holding(leaves);
            let first = holder.map_or(1, |node| self.tree.level(node) + 1);
            let may_grow = first <= self.tree.depth() && (first..=self.tree.depth()).all(&has_room);
            let node = match best {
                // It is like none of them: a category of its own beside them.
                Some((likeness, _)) if likeness < NEAR_ENOUGH && may_grow => holder,
                best => best.map(|(_, node)| node),
            };
            return (Some(count(&unit.folder_path)), node);
        }
        let mut folder = folder_of(&unit.folder_path);
        while !folder.is_empty() {
            if let Some(leaves) = self.folders.get(folder) {
                return (Some(count(folder)), self.holding(leaves));
            }
            folder = folder_of(folder);
        }
        (None, self.like(unit, vocabulary, has_room))
    }

    /// The lowest category that holds most of these.
    fn holding(&self, leaves: &BTreeMap<Node, u32>) -> Option<Node> {
        let total: u32 = leaves.values().sum();
        let mut at = None;
        loop {
            let mut counts: BTreeMap<Node, u32> = BTreeMap::new();
            for (leaf, count) in leaves {
                let path = self.tree.path(*leaf);
                let below = match at {
                    None => path.first(),
                    Some(node) => path.iter().position(|step| *step == node).and_then(|place| path.get(place + 1)),
                };
                if let Some(below) = below {
                    *counts.entry(*below).or_default() += count;
                }
            }
            let most = counts.iter().max_by_key(|(node, count)| (**count, std::cmp::Reverse(**node)));
            match most {
                Some((node, count)) if f64::from(*count) >= MOST_OF_A_FOLDER * f64::from(total) => at = Some(*node),
                _ => return at,
            }
        }
    }

    /// Down the tree by likeness: to the nearest category of each level, or to where a new one may stand if none is near.
    fn like(&self, unit: &Unit, vocabulary: &Vocabulary, has_room: impl Fn(u32) -> bool) -> Option<Node> {
        let mut at: Option<Node> = None;
        loop {
            if at.is_some_and(|node| self.tree.is_leaf(node)) {
                return at;
            }
            let level = at.map_or(1, |node| self.tree.level(node) + 1);
            let children = self.tree.children(at).iter().copied().filter(|child| self.tree.is_living(*child));
            let best = self.best(children, unit, vocabulary);
            let may_grow = (level..=self.tree.depth()).all(&has_room);
            match best {
                Some((likeness, _)) if likeness < NEAR_ENOUGH && may_grow => return at,
                Some((_, node)) => at = Some(node),
                None => return at,
            }
        }
    }

    /// The nearest leaf below a category.
    pub(super) fn nearest_leaf(
        &self,
        tree: &Tree,
        node: Option<Node>,
        unit: &Unit,
        vocabulary: &Vocabulary,
    ) -> Option<Node> {
        self.nearest(tree.living_leaves(node).into_iter(), unit, vocabulary)
    }

    fn nearest(&self, nodes: impl Iterator<Item = Node>, unit: &Unit, vocabulary: &Vocabulary) -> Option<Node> {
        self.best(nodes, unit, vocabulary).map(|(_, node)| node)
    }

    fn best(&self, nodes: impl Iterator<Item = Node>, unit: &Unit, vocabulary: &Vocabulary) -> Option<(f64, Node)> {
        let better = |best: (f64, Node), next: (f64, Node)| if next.0.total_cmp(&best.0).is_gt() { next } else { best };
        nodes.map(|node| (self.likeness(node, unit, vocabulary), node)).reduce(better)
    }

    /// The share of a unit's words, by weight, that a category or a file below it has.
    fn likeness(&self, node: Node, unit: &Unit, vocabulary: &Vocabulary) -> f64 {
        let Some(known) = self.words.get(&node) else { return 0.0 };
        let (mut held, mut all) = (0.0, 0.0);
        let named = unit.named.iter().map(|term| (*term, IN_NAME));
        for (term, weight) in named.chain(unit.vector.iter().copied()) {
            all += weight;
            held += if known.contains_key(vocabulary.stem(term)) { weight } else { 0.0 };
        }
        if all > 0.0 { held / all } else { 0.0 }
    }
}
