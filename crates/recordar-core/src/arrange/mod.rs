//! The tree without a language model: built from what documents say of themselves (their folders, titles and headings), then from
//! clusters of what they hold, named by the words that tell one from its siblings. Pure; the same whichever document comes first.

mod divide;
mod grow;
mod join;
mod name;
mod outline;
mod title;
mod vocabulary;

pub use outline::Outline;

use crate::tree::{Growth, Node};
use grow::Grower;
use join::Neighbours;
use outline::Units;
use recordar_domain::Cancel;
use recordar_domain::text::Language;

/// A document that is in the tree already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedDocument {
    pub path: String,
    /// The leaf that most of its chunks are on.
    pub leaf: Node,
}

/// A leaf, and the chunks that belong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrangedLeaf {
    /// From the root.
    pub names: Vec<String>,
    pub chunks: Vec<i64>,
    /// How it was found: `folder`, `likeness` or `new`.
    pub reason: &'static str,
}

/// Finds a leaf for every chunk of these documents. What is in the tree stays as it is; a document goes where others of its folder are, and
/// the rest grows new categories within the limits. `None` if cancelled.
pub fn arrange(
    growth: Growth<'_>,
    placed: &[PlacedDocument],
    mut documents: Vec<Outline>,
    language: Language,
    cancel: &Cancel,
) -> Option<Vec<ArrangedLeaf>> {
    documents.sort_by(|one, other| one.path.cmp(&other.path));
    let units = Units::of(&documents, language);
    let known = placed.len() as u64;
    let mut grower = Grower::new(growth, &units, known, cancel);
    let all: Vec<usize> = (0..units.list.len()).collect();
    if grower.growth.tree().living_leaves(None).is_empty() {
        grower.grow_fresh(&all);
    } else {
        let neighbours = Neighbours::new(grower.growth.tree(), placed, language);
        grower.join(&all, &neighbours);
    }
    if cancel.is_cancelled() {
        return None;
    }
    Some(grower.leaves())
}

/// How many leaves a tree of that many documents should have: one for each while they are few, and more and more slowly towards the limit.
/// So a level is not full of whatever came first, and a later run finds room.
fn wanted_leaves(documents: u64, limit: u32) -> u32 {
    let limit = u64::from(limit);
    // Half of the limit is reached by documents that are half as many as the limit.
    let wanted = (limit * documents).div_ceil(documents + limit.div_ceil(2));
    wanted.min(documents).clamp(1, limit) as u32
}

/// How many names an upper level should have at most, so that later documents find room there too.
fn wanted_names(leaves: u32, level: u32, depth: u32, limit: u32) -> u32 {
    const LEAST: u32 = 8;
    if level == depth {
        return leaves;
    }
    let share = libm::pow(f64::from(leaves), f64::from(level) / f64::from(depth));
    (2 * libm::ceil(share) as u32).max(LEAST).min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i19_tree_leaves_follow_the_documents_and_never_fill_a_level_at_once() {
        let check = |documents, limit, expected| assert_eq!(wanted_leaves(documents, limit), expected, "{documents}");
        check(1, 128, 1);
        check(3, 128, 3);
        check(64, 128, 64);
        check(128, 128, 86);
        check(14_500, 128, 128);
        check(1_000, 128, 121);
        check(5, 2, 2);
        check(5, 1, 1);
    }
}
