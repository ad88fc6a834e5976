//! The three stages of a staged recall (D4): the current thread, other threads, and what is important in the long term. Weights, limits and
//! order are the seed's. Scores are sums of integers, so that every machine gives the same order.

use crate::filter::Filter;
use crate::index::Index;
use crate::labels::{LASTING_IMPORTANCE, LASTING_USES, LabelColumns, Wanted};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The weights of a match, in millionths.
const TOPIC: u64 = 10_000_000;
const CATEGORY: u64 = 5_000_000;
const ENTITY_IN_THREAD: u64 = 8_000_000;
const ENTITY_ACROSS_THREADS: u64 = 12_000_000;
/// Ten times the importance; as much as 0.5 if there is none.
const IMPORTANCE: u64 = 10;
const NO_IMPORTANCE: u64 = 5_000_000;

const DAY: i64 = 86_400_000_000;
const SHORT_TERM: i64 = DAY;
const MID_TERM: i64 = 30 * DAY;

/// How long an item is kept in mind: a pure function of its age, importance and use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    ShortTerm,
    MidTerm,
    LongTerm,
}

impl Tier {
    /// Up to a day, up to 30 days, and longer; an importance over 0.8 or more than 10 uses make it long at once.
    pub fn of(age: i64, importance: Option<u32>, uses: u32) -> Self {
        if importance.is_some_and(|importance| importance > LASTING_IMPORTANCE) || uses > LASTING_USES {
            return Self::LongTerm;
        }
        match age {
            age if age <= SHORT_TERM => Self::ShortTerm,
            age if age <= MID_TERM => Self::MidTerm,
            _ => Self::LongTerm,
        }
    }

    fn weight(self) -> u64 {
        match self {
            Self::ShortTerm => 5_000_000,
            Self::MidTerm => 3_000_000,
            Self::LongTerm => 1_000_000,
        }
    }
}

/// Where a stage looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageScope {
    /// This thread only.
    CurrentThread(u32),
    /// All threads but the current one, if there is one.
    CrossThread(Option<u32>),
    /// What is important in the long term, and preferences.
    Expansion,
}

#[derive(Debug, Clone, Copy)]
pub struct StageRequest<'a> {
    pub scope: StageScope,
    pub topics: &'a [String],
    pub category: Option<&'a str>,
    /// What the question's entities are compared by.
    pub entities: &'a [String],
    /// The category of preferences.
    pub preference: &'a str,
    /// Only these items, if given.
    pub only: Option<&'a Filter>,
    /// The earliest time that is asked about, in microseconds.
    pub since: Option<i64>,
    pub asked_at: i64,
    /// The revision.
    pub at: u32,
    pub limit: usize,
}

/// An item that a stage found, with what its scores are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageHit {
    pub id: u32,
    /// The stage's own score, in millionths; the third stage has none.
    pub relevance: u64,
    /// How many topics and entities of the question it has.
    pub topics: usize,
    pub entities: usize,
    /// In millionths; none if it has no labels.
    pub importance: Option<u32>,
    pub uses: u32,
    pub tier: Tier,
    pub is_preference: bool,
    pub occurred_at: i64,
}

impl LabelColumns {
    /// The best items of a stage. The first two are ordered by score and then by time, the third by importance and then by use; ties go to
    /// the newer.
    pub fn stage(&self, index: &Index, request: &StageRequest<'_>) -> Vec<StageHit> {
        let scan = Scan {
            labels: self,
            index,
            request,
            wanted: self.wanted(request.topics, request.category, request.entities),
            preference: self.term_number(request.preference),
        };
        let mut best = Best { heap: BinaryHeap::new(), limit: request.limit };
        match request.scope {
            StageScope::CurrentThread(group) => {
                // What is said here belongs here, even if it was said elsewhere before; but once.
                let mut prints = FxHashSet::default();
                let is_new = |position: &usize| match index.print_at(*position) {
                    0 => true,
                    print => prints.insert(print),
                };
                let live = index.group_positions(group).filter(|position| index.is_live_at(*position, request.at));
                live.filter(is_new).for_each(|at| best.offer(scan.look(at)));
            }
            StageScope::Expansion => {
                let preference: Vec<u32> = scan.preference.into_iter().collect();
                scan.each(self.positions(&preference, true).into_iter(), &mut best);
            }
            StageScope::CrossThread(_) if !scan.wanted.topics.is_empty() => {
                scan.each(self.positions(&scan.wanted.topics, false).into_iter(), &mut best);
            }
            StageScope::CrossThread(_) => scan.each(0..index.len() as u32, &mut best),
        }
        let mut found = best.heap.into_vec();
        found.sort_unstable();
        found.into_iter().map(|Reverse((_, position))| scan.hit(position as usize)).collect()
    }
}

struct Scan<'a> {
    labels: &'a LabelColumns,
    index: &'a Index,
    request: &'a StageRequest<'a>,
    wanted: Wanted,
    preference: Option<u32>,
}

/// What a stage orders by, and last the position: the newer of two.
type Key = ((u64, i64), u32);

impl Scan<'_> {
    fn each(&self, positions: impl Iterator<Item = u32>, best: &mut Best) {
        let found = positions.filter(|position| self.index.is_found_at(*position as usize, self.request.at));
        found.for_each(|position| best.offer(self.look(position as usize)));
    }

    fn look(&self, position: usize) -> Option<Key> {
        let StageRequest { scope, since, asked_at, at, .. } = *self.request;
        let is_out = self.request.only.is_some_and(|only| !only.contains(position));
        if self.index.role_at(position) == 0 || is_out {
            return None;
        }
        let occurred_at = self.index.occurred_at(position);
        let row = self.labels.at(position, at);
        if scope == StageScope::Expansion {
            let (importance, uses) = (row.map(|row| row.importance), self.labels.uses_of(position));
            let is_long = Tier::of(asked_at.saturating_sub(occurred_at), importance, uses) == Tier::LongTerm;
            let is_preference = self.preference.is_some() && row.map(|row| row.category) == self.preference;
            let lasts = importance.is_some_and(|importance| importance > LASTING_IMPORTANCE)
                || uses > LASTING_USES
                || is_preference;
            return (is_long && lasts).then_some(((importance.unwrap_or(0).into(), uses.into()), position as u32));
        }
        let group = self.index.group_at(position);
        let is_elsewhere = matches!(scope, StageScope::CrossThread(Some(current)) if current == group && group != 0);
        if is_elsewhere || since.is_some_and(|since| occurred_at < since) {
            return None;
        }
        let (topics, entities) = row.map_or((0, 0), |row| self.labels.matches(row, &self.wanted));
        if !self.wanted.topics.is_empty() && topics == 0 {
            return None;
        }
        let has_category = row.is_some_and(|row| self.wanted.category == Some(row.category));
        let importance = row.map(|row| row.importance);
        let mut relevance = importance.map_or(NO_IMPORTANCE, |importance| u64::from(importance) * IMPORTANCE);
        relevance += if topics > 0 { TOPIC } else { 0 };
        relevance += if has_category { CATEGORY } else { 0 };
        relevance += match scope {
            StageScope::CurrentThread(_) => {
                let tier = Tier::of(asked_at.saturating_sub(occurred_at), importance, self.labels.uses_of(position));
                tier.weight() + if entities > 0 { ENTITY_IN_THREAD } else { 0 }
            }
            _ if entities > 0 => ENTITY_ACROSS_THREADS,
            _ => 0,
        };
        Some(((relevance, occurred_at), position as u32))
    }

    fn hit(&self, position: usize) -> StageHit {
        let StageRequest { scope, asked_at, at, .. } = *self.request;
        let row = self.labels.at(position, at);
        let (topics, entities) = row.map_or((0, 0), |row| self.labels.matches(row, &self.wanted));
        let (importance, uses) = (row.map(|row| row.importance), self.labels.uses_of(position));
        let occurred_at = self.index.occurred_at(position);
        let relevance = match (scope, self.look(position)) {
            (StageScope::Expansion, _) | (_, None) => 0,
            (_, Some(((relevance, _), _))) => relevance,
        };
        StageHit {
            id: self.index.id_at(position),
            relevance,
            topics,
            entities,
            importance,
            uses,
            tier: Tier::of(asked_at.saturating_sub(occurred_at), importance, uses),
            is_preference: self.preference.is_some() && row.map(|row| row.category) == self.preference,
            occurred_at,
        }
    }
}

/// The greatest keys seen so far.
struct Best {
    heap: BinaryHeap<Reverse<Key>>,
    limit: usize,
}

impl Best {
    fn offer(&mut self, key: Option<Key>) {
        let Some(key) = key else { return };
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(key));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && worst.0 < key
        {
            *worst = Reverse(key);
        }
    }
}
