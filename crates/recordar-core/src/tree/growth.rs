//! A tree with proposed names (A4). A level never exceeds its limit, over all parents; and every new name can be
//! continued to a leaf, because a place is reserved for it on every level below.

use super::category_limits::CategoryLimits;
use super::{Node, Tree};

#[derive(Debug, Clone)]
pub struct Growth<'a> {
    tree: Tree,
    limits: &'a CategoryLimits,
    /// The number of names and reserved places on each level, from level 1.
    levels: Vec<Level>,
    /// New names without a child: the places below them are reserved.
    unled: Vec<Node>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Level {
    names: u32,
    kept: u32,
}

/// The name cannot be added: the level is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full {
    pub level: u32,
}

impl<'a> Growth<'a> {
    pub fn new(tree: Tree, limits: &'a CategoryLimits) -> Self {
        let mut levels = vec![Level::default(); tree.depth as usize];
        for category in tree.categories.iter().filter(|category| category.is_living) {
            levels[category.level as usize - 1].names += 1;
        }
        Self { tree, limits, levels, unled: Vec::new() }
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn into_tree(self) -> Tree {
        self.tree
    }

    /// The names to choose from: those that lead to a leaf, or can.
    pub fn options(&self, parent: Option<Node>) -> Vec<Node> {
        let is_offered = |child: &Node| self.tree.is_living(*child) && self.leads_on(*child);
        self.tree.children(parent).iter().copied().filter(is_offered).collect()
    }

    /// Whether a new name may be added there.
    pub fn may_create(&self, parent: Option<Node>) -> bool {
        self.check_room(parent).is_ok()
    }

    /// How many names a level has, and how many it may have. Places that are reserved count as names.
    pub fn room(&self, level: u32) -> (u32, u32) {
        let Level { names, kept } = self.levels[level as usize - 1];
        (names.saturating_add(kept), self.limits.at(level))
    }

    /// The category of that name under the parent, created if missing. Names that differ only in case, spaces or plural are the same.
    /// One that nothing is on any more is used again, and takes a place as a new one does.
    pub fn propose(&mut self, parent: Option<Node>, name: &str) -> Result<Node, Full> {
        let known = self.tree.named(parent, name);
        if let Some(known) = known.filter(|known| self.tree.is_living(*known)) {
            let below = self.tree.level(known) + 1;
            return if self.leads_on(known) { Ok(known) } else { Err(Full { level: below }) };
        }
        self.check_room(parent)?;
        let node = known.unwrap_or_else(|| self.tree.add(None, name.to_owned(), parent));
        self.tree.categories[node.0].is_living = true;
        let level = self.tree.level(node) as usize;
        self.levels[level - 1].names += 1;
        match self.unled.iter().position(|unled| Some(*unled) == parent) {
            // The places below were reserved for the parent.
            Some(at) => {
                self.unled.swap_remove(at);
                self.levels[level - 1].kept -= 1;
            }
            None => self.levels[level..].iter_mut().for_each(|level| level.kept += 1),
        }
        if !self.tree.is_leaf(node) {
            self.unled.push(node);
        }
        Ok(node)
    }

    /// The leaf at the end of a path of names, created as far as it is missing; nothing is created if it does not fit.
    pub fn propose_path(&mut self, names: &[String]) -> Result<Node, Full> {
        let mut node = None;
        for name in names {
            // If the first missing name fits, so do those below it.
            let known = self.tree.named(node, name).filter(|known| self.tree.is_living(*known));
            node = Some(known.map_or_else(|| self.propose(node, name), Ok)?);
        }
        node.filter(|node| self.tree.is_leaf(*node)).ok_or(Full { level: self.tree.depth })
    }

    /// The categories that are not stored yet, parents before children.
    pub fn unstored(&self) -> Vec<Node> {
        (0..self.tree.categories.len()).map(Node).filter(|node| self.tree.id(*node).is_none()).collect()
    }

    pub fn parent(&self, node: Node) -> Option<Node> {
        self.tree.categories[node.0].parent
    }

    pub fn stored_as(&mut self, node: Node, id: i64) {
        self.tree.categories[node.0].id = Some(id);
    }

    fn leads_on(&self, node: Node) -> bool {
        self.tree.is_leaf(node)
            || self.may_create(Some(node))
            || self.tree.children(Some(node)).iter().any(|child| self.tree.is_living(*child) && self.leads_on(*child))
    }

    fn check_room(&self, parent: Option<Node>) -> Result<(), Full> {
        if parent.is_some_and(|parent| self.unled.contains(&parent)) {
            return Ok(());
        }
        let first = parent.map_or(1, |parent| self.tree.level(parent) + 1);
        let is_full = |level: &u32| {
            let Level { names, kept } = self.levels[*level as usize - 1];
            names.saturating_add(kept) >= self.limits.at(*level)
        };
        (first..=self.tree.depth).find(is_full).map_or(Ok(()), |level| Err(Full { level }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use recordar_store::CategoryRow;

    fn limits(toml: &str) -> CategoryLimits {
        let text = format!("[tree]\nhierarchy_depth = 3\nmax_categories_per_level = {toml}");
        Config::from_toml(&text, std::path::Path::new("/tmp")).unwrap().tree.category_limits
    }

    fn path(names: [&str; 3]) -> Vec<String> {
        names.map(str::to_owned).to_vec()
    }

    #[test]
    fn a4_r2_8_the_cap_holds_for_a_level_over_all_parents() {
        let limits = limits("{ 1 = 2, 3 = 3 }");
        let mut growth = Growth::new(Tree::new(3, Vec::new()), &limits);
        growth.propose_path(&path(["A", "a", "1"])).unwrap();
        growth.propose_path(&path(["B", "b", "1"])).unwrap();
        assert_eq!(growth.propose_path(&path(["C", "c", "1"])), Err(Full { level: 1 }));
        growth.propose_path(&path(["A", "a", "2"])).unwrap();
        assert_eq!(growth.propose_path(&path(["B", "b", "2"])), Err(Full { level: 3 }));
        assert_eq!(growth.unstored().len(), 7, "nothing is left of a path that does not fit");
        assert_eq!(
            growth.propose_path(&path(["b ", "B", "1"])).map(|node| growth.tree().names(node)),
            Ok(path(["B", "b", "1"]))
        );
    }

    #[test]
    fn a4_when_the_next_level_is_full_only_names_that_lead_on_are_offered() {
        let limits = limits("[5, 5, 1]");
        let row = |id, parent, level, name: &str| CategoryRow { id, parent, level, name: name.to_owned() };
        let rows = vec![
            row(1, None, 1, "A"),
            row(2, None, 1, "B"),
            row(3, Some(1), 2, "a"),
            row(4, Some(2), 2, "b"),
            row(5, Some(4), 3, "x"),
        ];
        let mut growth = Growth::new(Tree::new(3, rows), &limits);
        let names = |growth: &Growth<'_>, parent| -> Vec<String> {
            growth.options(parent).into_iter().map(|node| growth.tree().name(node).to_owned()).collect()
        };
        assert!(!growth.may_create(None));
        assert_eq!(names(&growth, None), ["B"]);
        let b = growth.propose(None, "b").unwrap();
        assert_eq!(names(&growth, Some(b)), ["b"]);
        assert_eq!(growth.propose(None, "A"), Err(Full { level: 2 }));
    }

    #[test]
    fn i19_tree_a_category_that_nothing_hangs_on_counts_against_no_limit_and_is_used_again() {
        let limits = limits("[2, 2, 2]");
        let row = |id, parent, level, name: &str| CategoryRow { id, parent, level, name: name.to_owned() };
        let rows = vec![
            row(1, None, 1, "A"),
            row(2, None, 1, "B"),
            row(3, Some(1), 2, "a"),
            row(4, Some(2), 2, "b"),
            row(5, Some(3), 3, "x"),
            row(6, Some(4), 3, "y"),
        ];
        let mut growth = Growth::new(Tree::with_living(3, rows, &[6].into()), &limits);
        assert_eq!(growth.options(None).len(), 1, "only B leads to a chunk");
        let again = growth.propose_path(&path(["A", "a", "x"])).unwrap();
        assert_eq!(growth.tree().id(again), Some(5), "its id and its name stay");
        assert_eq!(growth.unstored().len(), 0);
        assert_eq!(growth.propose_path(&path(["C", "c", "z"])), Err(Full { level: 1 }));
    }

    #[test]
    fn a4_a_new_name_can_always_be_led_on_to_a_leaf() {
        let limits = limits("[9, 9, 2]");
        let mut growth = Growth::new(Tree::new(3, Vec::new()), &limits);
        let one = growth.propose(None, "One").unwrap();
        let two = growth.propose(None, "Two").unwrap();
        // Both places on the last level are kept for them.
        assert_eq!(growth.propose(None, "Three"), Err(Full { level: 3 }));
        let below = growth.propose(Some(one), "x").unwrap();
        assert_eq!(growth.propose(Some(one), "y"), Err(Full { level: 3 }));
        growth.propose(Some(below), "leaf").unwrap();
        let below = growth.propose(Some(two), "x").unwrap();
        growth.propose(Some(below), "leaf").unwrap();
        assert!(growth.propose(Some(below), "other").is_err());
    }

    #[test]
    fn a4_names_that_differ_in_case_space_or_plural_are_found() {
        let limits = limits("9");
        let mut growth = Growth::new(Tree::new(3, Vec::new()), &limits);
        let lamps = growth.propose(None, "Oil Lamps").unwrap();
        for same in ["oil lamp", " OIL  LAMPS ", "oil-lamps"] {
            assert_eq!(growth.propose(None, same), Ok(lamps), "{same}");
        }
        assert_ne!(growth.propose(Some(lamps), "oil lamps"), Ok(lamps));
    }
}
