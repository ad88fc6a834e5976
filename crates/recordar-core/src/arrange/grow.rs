//! New categories for units: by folders first, then by clusters of what they hold, within the places of each level.

use super::ArrangedLeaf;
use super::divide::{Thing, divide};
use super::join::Neighbours;
use super::name::{ToName, names};
use super::outline::Units;
use super::{wanted_leaves, wanted_names};
use crate::tree::{Growth, Node};
use recordar_domain::Cancel;
use std::collections::BTreeMap;

/// Groups that folders make are kept up to this number, if there are places.
const MOST_FOLDERS: usize = 32;
/// Up to this number, nothing is put together.
const FEW: usize = 6;
/// A group of less than this part of a fair share is put together with others.
const SMALL: u64 = 4;
/// A folder with more than this share of all is replaced by its parts.
const DOMINATING: f64 = 0.5;

pub(super) struct Grower<'a, 'u> {
    pub(super) growth: Growth<'a>,
    pub(super) units: &'u Units,
    /// Documents that are in the tree already.
    known: u64,
    cancel: &'u Cancel,
    leaves: BTreeMap<Node, Vec<i64>>,
    reasons: BTreeMap<Node, &'static str>,
}

/// Units that share something, to become a category.
#[derive(Debug, Clone)]
struct Group {
    units: Vec<usize>,
    /// How many folders its units are known to share.
    depth: usize,
    /// The names of its parts, if it has any: of folders, or of documents.
    parts: Vec<String>,
    is_folder: bool,
    /// Whether it was put together of folders.
    is_of_folders: bool,
}

impl Group {
    fn to_name(&self) -> ToName<'_> {
        let parts = self.parts.iter().map(String::as_str).collect();
        ToName { units: &self.units, parts, are_folders: self.is_folder || self.is_of_folders }
    }
}

impl<'a, 'u> Grower<'a, 'u> {
    pub(super) fn new(growth: Growth<'a>, units: &'u Units, known: u64, cancel: &'u Cancel) -> Self {
        Self { growth, units, known, cancel, leaves: BTreeMap::new(), reasons: BTreeMap::new() }
    }

    /// The leaves in the order they were made.
    pub(super) fn leaves(self) -> Vec<ArrangedLeaf> {
        let Self { growth, leaves, mut reasons, .. } = self;
        let leaf = |(node, mut chunks): (Node, Vec<i64>)| {
            chunks.sort_unstable();
            let reason = reasons.remove(&node).unwrap_or("new");
            ArrangedLeaf { names: growth.tree().names(node), chunks, reason }
        };
        leaves.into_iter().map(leaf).collect()
    }

    /// Builds a tree where there is none.
    pub(super) fn grow_fresh(&mut self, units: &[usize]) {
        let depth = self.growth.tree().depth();
        let leaves = self.room(depth);
        let rooms: Vec<u32> = (1..=depth).map(|level| self.growth.room(level).1.min(leaves)).collect();
        self.grow(units, self.shared_folders(units), None, &rooms, false);
    }

    /// Places units in a tree that exists: where their folders or their words say, or in new categories.
    pub(super) fn join(&mut self, units: &[usize], neighbours: &Neighbours) {
        let mut attached: BTreeMap<Option<Node>, Vec<usize>> = BTreeMap::new();
        // How many folders of the units at a category are known.
        let mut depths: BTreeMap<Option<Node>, usize> = BTreeMap::new();
        for unit in units {
            let (known, near) =
                neighbours.find(&self.units.list[*unit], &self.units.vocabulary, |level| self.has_room(level));
            match near {
                Some(leaf) if self.growth.tree().is_leaf(leaf) => {
                    self.place(leaf, &[*unit], if known.is_some() { "folder" } else { "likeness" });
                }
                near => {
                    attached.entry(near).or_default().push(*unit);
                    let depth = depths.entry(near).or_insert(usize::MAX);
                    *depth = known.map_or(*depth, |known| known.min(*depth));
                }
            }
        }
        // The heaviest first, so that the most places go where the most is.
        let mut attached: Vec<(Option<Node>, Vec<usize>)> = attached.into_iter().collect();
        attached.sort_by_key(|(node, units)| (std::cmp::Reverse(self.units.weight(units)), *node));
        let mut left: u64 = attached.iter().map(|(_, units)| self.units.weight(units)).sum();
        for (node, units) in attached {
            let weight = self.units.weight(&units);
            let depth = self.growth.tree().depth();
            let first = node.map_or(1, |node| self.growth.tree().level(node) + 1);
            let share = |level: u32| (u64::from(self.free(level)) * weight).div_ceil(left.max(1)) as u32;
            let rooms: Vec<u32> = (first..=depth).map(share).collect();
            left -= weight;
            if rooms.iter().all(|room| *room > 0) {
                // A folder that is not known becomes a category, even if it is the only one.
                let shared = self.shared_folders(&units).saturating_sub(1);
                let depth = depths.get(&node).map_or(shared, |known| shared.min(*known));
                self.grow(&units, depth, node, &rooms, false);
            } else {
                self.settle(node, &units, neighbours);
            }
        }
    }

    /// How many names a level should have at most, for all documents.
    fn room(&self, level: u32) -> u32 {
        let documents = self.known + self.units.list.len() as u64;
        wanted_leaves(documents, self.growth.room(level).1)
    }

    /// How many names may be added on a level.
    fn free(&self, level: u32) -> u32 {
        self.room(level).saturating_sub(self.growth.room(level).0)
    }

    /// Whether a document that is like nothing may have a category of its own there.
    fn has_room(&self, level: u32) -> bool {
        let depth = self.growth.tree().depth();
        let (names, limit) = self.growth.room(level);
        self.free(level) > 0 && names < wanted_names(self.room(depth), level, depth, limit)
    }

    /// The folders that all of these share.
    fn shared_folders(&self, units: &[usize]) -> usize {
        let chain = |unit: &usize| &self.units.list[*unit].folders;
        let Some(first) = units.first().map(chain) else { return 0 };
        let shared = |other: &Vec<usize>| first.iter().zip(other).take_while(|(one, other)| one == other).count();
        units.iter().map(|unit| shared(chain(unit))).min().unwrap_or(0)
    }

    /// No category can be added: each goes to the nearest leaf there is.
    fn settle(&mut self, node: Option<Node>, units: &[usize], neighbours: &Neighbours) {
        for unit in units {
            let leaf =
                neighbours.nearest_leaf(self.growth.tree(), node, &self.units.list[*unit], &self.units.vocabulary);
            if let Some(leaf) = leaf {
                self.place(leaf, &[*unit], "likeness");
            }
        }
    }

    fn place(&mut self, leaf: Node, units: &[usize], reason: &'static str) {
        let chunks = units.iter().flat_map(|unit| self.units.list[*unit].chunks.iter().copied());
        self.leaves.entry(leaf).or_default().extend(chunks);
        self.reasons.entry(leaf).or_insert(reason);
    }

    /// Categories for units under a parent, level by level. `rooms` are the places on the levels below it. If the units are all that the
    /// parent holds and are not divided, the category is called as the parent.
    fn grow(&mut self, units: &[usize], depth: usize, parent: Option<Node>, rooms: &[u32], is_whole: bool) {
        if self.cancel.is_cancelled() || units.is_empty() {
            return;
        }
        let Some((_, below)) = rooms.split_first() else {
            if let Some(leaf) = parent {
                self.place(leaf, units, "new");
            }
            return;
        };
        let groups = self.groups(units, depth, rooms);
        let tree = self.growth.tree();
        let above = parent.map_or(Vec::new(), |parent| tree.names(parent));
        let names = match (groups.as_slice(), parent) {
            ([_], Some(parent)) if is_whole => vec![tree.name(parent).to_owned()],
            _ => {
                let to_name: Vec<ToName<'_>> = groups.iter().map(Group::to_name).collect();
                // Folders join a category of their name; clusters get a name of their own.
                let taken: Vec<String> = tree.children(parent).iter().map(|node| tree.name(*node).to_owned()).collect();
                let is_folder = groups.iter().all(|group| group.is_folder);
                names(self.units, &to_name, &above, if is_folder { &[] } else { &taken })
            }
        };
        let shares = self.shares(&groups, below);
        for ((group, name), rooms) in groups.into_iter().zip(names).zip(shares) {
            match self.growth.propose(parent, &name) {
                Ok(node) => {
                    let depth = group.depth.max(self.shared_folders(&group.units));
                    self.grow(&group.units, depth, Some(node), &rooms, true);
                }
                // The places were counted, so this happens only beside a category that is full already.
                Err(_) => {
                    if let Some(leaf) = self.growth.tree().living_leaves(parent).first().copied() {
                        self.place(leaf, &group.units, "likeness");
                    }
                }
            }
        }
    }

    /// The places of each level below, by weight; every group has at least one, and none more than it has units.
    fn shares(&self, groups: &[Group], below: &[u32]) -> Vec<Vec<u32>> {
        let mut shares: Vec<Vec<u32>> = vec![Vec::with_capacity(below.len()); groups.len()];
        let weights: Vec<u64> = groups.iter().map(|group| self.units.weight(&group.units)).collect();
        for room in below {
            let mut given = vec![1_u32; groups.len()];
            let mut left = (*room as usize).saturating_sub(groups.len());
            while left > 0 {
                // The highest average gets the next place.
                let next = (0..groups.len()).filter(|at| (given[*at] as usize) < groups[*at].units.len()).max_by(
                    |one, other| {
                        let average = |at: &usize| (u128::from(weights[*at]), u128::from(given[*at]) + 1);
                        let ((one_weight, one_given), (other_weight, other_given)) = (average(one), average(other));
                        (one_weight * other_given).cmp(&(other_weight * one_given)).then(other.cmp(one))
                    },
                );
                let Some(next) = next else { break };
                given[next] += 1;
                left -= 1;
            }
            shares.iter_mut().zip(given).for_each(|(share, given)| share.push(given));
        }
        shares
    }

    /// The groups of the next level.
    fn groups(&self, units: &[usize], depth: usize, rooms: &[u32]) -> Vec<Group> {
        let most = rooms.iter().copied().min().unwrap_or(1).max(1) as usize;
        let levels = rooms.len();
        let leaves = rooms.last().copied().unwrap_or(1);
        let even = libm::round(libm::pow(f64::from(leaves), 1.0 / levels as f64)) as usize;
        let wanted = if levels == 1 { most } else { even.max(FEW).min(most) };
        let mut groups = self.by_folder(units, depth);
        let has_folders = groups.iter().any(|group| group.is_folder);
        let limit = if has_folders { MOST_FOLDERS.max(wanted).min(most) } else { wanted };
        if has_folders {
            self.replace_dominating(&mut groups, units, limit);
        }
        if groups.len() <= limit.min(FEW) {
            return self.without_tiny(groups, units);
        }
        match has_folders {
            true => self.fit(groups, units, limit),
            false if groups.len() <= limit => groups,
            false => self.clusters(groups, limit),
        }
    }

    /// A document that is tiny beside folders, such as an index page, goes with the nearest of them.
    fn without_tiny(&self, groups: Vec<Group>, units: &[usize]) -> Vec<Group> {
        const TINY: u64 = 40;
        let total = self.units.weight(units);
        let is_tiny = |group: &Group| !group.is_folder && self.units.weight(&group.units) * TINY < total;
        let (tiny, mut rest): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(is_tiny);
        if rest.is_empty() {
            return tiny;
        }
        self.join_nearest(&mut rest, tiny);
        rest
    }

    /// One group for each folder below, and one for each document that is in none.
    fn by_folder(&self, units: &[usize], depth: usize) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for unit in units {
            let folder = self.units.list[*unit].folders.get(depth).copied();
            let known = folder.and_then(|folder| numbers.get(&folder).copied());
            if let Some(known) = known {
                groups[known].units.push(*unit);
                continue;
            }
            let name = match folder {
                Some(folder) => {
                    numbers.insert(folder, groups.len());
                    self.units.folder_names[folder].clone()
                }
                None => self.units.list[*unit].name.clone(),
            };
            let is_folder = folder.is_some_and(|folder| !self.units.is_document[folder]);
            let depth = depth + usize::from(folder.is_some());
            groups.push(Group { units: vec![*unit], depth, parts: vec![name], is_folder, is_of_folders: false });
        }
        // A folder of a single document is that document.
        for group in &mut groups {
            if let ([only], true) = (group.units.as_slice(), group.is_folder) {
                group.parts = vec![self.units.list[*only].name.clone()];
            }
        }
        groups
    }

    /// A folder that holds most of it is replaced by the folders in it, as long as there are places.
    fn replace_dominating(&self, groups: &mut Vec<Group>, units: &[usize], limit: usize) {
        let total = self.units.weight(units);
        for _ in 0..limit {
            let heaviest =
                (0..groups.len()).max_by_key(|at| (self.units.weight(&groups[*at].units), std::cmp::Reverse(*at)));
            let Some(heaviest) = heaviest.filter(|at| groups[*at].is_folder && groups.len() > 1) else { return };
            let group = &groups[heaviest];
            if self.units.weight(&group.units) as f64 <= DOMINATING * total as f64 {
                return;
            }
            let parts = self.by_folder(&group.units, group.depth.max(self.shared_folders(&group.units)));
            let folders = parts.iter().filter(|part| part.is_folder).count();
            if folders < 2 || groups.len() - 1 + parts.len() > limit {
                return;
            }
            groups.splice(heaviest..=heaviest, parts);
        }
    }

    /// Large groups stay; small ones are put together.
    fn fit(&self, groups: Vec<Group>, units: &[usize], limit: usize) -> Vec<Group> {
        let total = self.units.weight(units);
        let least = total / (SMALL * limit as u64);
        let is_large = |group: &Group| self.units.weight(&group.units) > least;
        let (mut large, small): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(is_large);
        if large.len() + usize::from(!small.is_empty()) > limit || large.is_empty() {
            let all = large.into_iter().chain(small).collect();
            return self.clusters(self.in_order(all), limit);
        }
        let weight: u64 = small.iter().map(|group| self.units.weight(&group.units)).sum();
        if weight <= least {
            self.join_nearest(&mut large, small);
            return large;
        }
        let fair = (total / limit as u64).max(1);
        let count = (weight.div_ceil(fair) as usize).clamp(1, limit - large.len());
        large.extend(self.clusters(small, count));
        self.in_order(large)
    }

    fn in_order(&self, mut groups: Vec<Group>) -> Vec<Group> {
        groups.sort_by_key(|group| group.units.first().copied());
        groups
    }

    /// Each small group joins the large one that it is most like. They are compared as they were before, so the order does not matter.
    fn join_nearest(&self, groups: &mut [Group], small: Vec<Group>) {
        let things: Vec<Thing> = groups.iter().map(|group| self.thing(group)).collect();
        for small in small {
            let wanted = self.thing(&small);
            let likeness = |thing: &Thing| {
                let held = |(term, weight): &(u32, f64)| {
                    let at = thing.vector.binary_search_by_key(term, |(term, _)| *term);
                    at.map_or(0.0, |at| weight * thing.vector[at].1)
                };
                wanted.vector.iter().map(held).sum::<f64>()
            };
            let scores: Vec<f64> = things.iter().map(likeness).collect();
            let nearest =
                (0..groups.len()).max_by(|one, other| scores[*one].total_cmp(&scores[*other]).then(other.cmp(one)));
            if let Some(nearest) = nearest {
                groups[nearest].units.extend(small.units);
            }
        }
        groups.iter_mut().for_each(|group| group.units.sort_unstable());
    }

    /// Groups put together by their words.
    fn clusters(&self, groups: Vec<Group>, count: usize) -> Vec<Group> {
        let things: Vec<Thing> = groups.iter().map(|group| self.thing(group)).collect();
        let clusters = divide(&things, count, self.units.vocabulary.len());
        let join = |cluster: Vec<usize>| {
            let mut units: Vec<usize> = cluster.iter().flat_map(|group| groups[*group].units.iter().copied()).collect();
            units.sort_unstable();
            let mut heaviest = cluster.clone();
            heaviest.sort_by_key(|group| (std::cmp::Reverse(things[*group].weight), *group));
            let parts = heaviest.iter().flat_map(|group| groups[*group].parts.iter().cloned()).collect();
            let (depth, is_folder) = match cluster.as_slice() {
                [only] => (groups[*only].depth, groups[*only].is_folder),
                _ => (self.shared_folders(&units), false),
            };
            let is_of_folders =
                heaviest.iter().take(2).all(|group| groups[*group].is_folder && groups[*group].units.len() > 1);
            Group { units, depth, parts, is_folder, is_of_folders }
        };
        clusters.into_iter().map(join).collect()
    }

    /// A group as one vector, of the sum of its units.
    fn thing(&self, group: &Group) -> Thing {
        let mut sum: BTreeMap<u32, f64> = BTreeMap::new();
        for unit in group.units.iter().map(|unit| &self.units.list[*unit]) {
            unit.vector.iter().for_each(|(term, weight)| *sum.entry(*term).or_default() += weight);
        }
        let length = libm::sqrt(sum.values().map(|weight| weight * weight).sum());
        let vector =
            sum.into_iter().map(|(term, weight)| (term, if length > 0.0 { weight / length } else { 0.0 })).collect();
        Thing { vector, weight: self.units.weight(&group.units) }
    }
}
