//! Searching one index: finding candidates by words and by vectors, giving each of them every signal, and ranking them.

use crate::index::{Index, NOWHERE, Slot};
use crate::lookup::{Lookup, NOW};
use crate::score::{Evidence, Mode, NEAR, Place, TermEvidence};
use crate::vectors::{QuestionVector, Stored};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What to look for, and how.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    pub mode: Mode,
    /// The question's vector, made by the same model as the index's.
    pub vector: &'a [i8],
    /// The role that speaks of itself in the question: a question about "me" is answered by what the user said.
    pub role: Option<u8>,
    /// The time that the question asks about, in microseconds, from and up to.
    pub period: Option<(i64, i64)>,
    /// How many hits are wanted.
    pub depth: usize,
}

impl Search<'_> {
    /// How far a time is from the one that is asked about.
    pub(crate) fn away(&self, at: i64) -> Option<i64> {
        let (from, to) = self.period?;
        Some(from.saturating_sub(at).max(at.saturating_sub(to)).max(0))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: u32,
    pub score: f64,
    pub evidence: Evidence,
    /// The cosine of its vector with the question's, not below 0; 0 where vectors were not asked for.
    pub cosine: f64,
    /// One for each word of the question, in its order.
    pub terms: Vec<TermEvidence>,
}

/// The hits and how they were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// By score, then by id.
    pub hits: Vec<Hit>,
    /// How many there would be without a limit on their number.
    pub scored: usize,
    pub by_words: usize,
    pub by_vector: usize,
    pub candidates: usize,
}

/// How many candidates each way of finding brings, at least.
const CANDIDATES: usize = 128;
/// How many of the best of each way bring their neighbours along.
const WITH_NEIGHBOURS: usize = 32;
/// From so many items on, words and vectors are looked at side by side.
const IN_PARALLEL: usize = 200_000;
/// Up to so many items, every vector is compared; above it, those whose signs agree best.
const EXACT_VECTORS: usize = 16_384;
/// How many of those are compared.
const SIGN_CANDIDATES: usize = 1024;

/// Arrays as long as the index, kept between searches. They are clean whenever nobody uses them.
#[derive(Default)]
pub(crate) struct Scratch {
    sums: Vec<f32>,
    pub(crate) slots: Vec<u32>,
    pub(crate) group_slots: Vec<u32>,
    distances: Vec<u8>,
}

pub(crate) struct Candidates {
    /// Ascending.
    pub(crate) positions: Vec<u32>,
    pub(crate) by_words: usize,
    pub(crate) by_vector: usize,
}

impl Index {
    /// The best items.
    pub fn search(&self, lookup: &Lookup, search: &Search<'_>) -> Found {
        self.with_scratch(|scratch| {
            let candidates = self.candidates(lookup, search, scratch);
            let signals = Signals::gather(self, lookup, search, &candidates.positions, scratch);
            let score = |index: usize| signals.place(index).weigh(search.mode, |_, _| ()).score();
            let mut ranked: Vec<(f64, usize)> =
                (0..candidates.positions.len()).map(|index| (score(index), index)).collect();
            ranked.retain(|(score, _)| *score > 0.0);
            ranked.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
            let scored = ranked.len();
            ranked.truncate(search.depth);
            Found {
                scored,
                hits: ranked.into_iter().map(|(_, index)| signals.hit(self, index)).collect(),
                by_words: candidates.by_words,
                by_vector: candidates.by_vector,
                candidates: candidates.positions.len(),
            }
        })
    }

    /// Compares the question's vector with every item's, without any other help: what a search is measured against.
    pub fn scan(&self, vector: &[i8], wanted: usize) -> Vec<u32> {
        let mut nearest = Vec::with_capacity(self.len());
        let parts = self.slots.iter().map(|slot| &slot.segment.vectors).chain([&self.tail.vectors]);
        let stored = parts.flat_map(|vectors| (0..vectors.len()).map(|index| vectors.get(index)));
        QuestionVector::new(vector).cosines(stored, |cosine| nearest.push((cosine, nearest.len() as u32)));
        let live = nearest.into_iter().filter(|(_, position)| self.columns.is_live(*position as usize, NOW));
        best(live, wanted).into_iter().map(|position| self.columns.ids[position as usize]).collect()
    }

    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.scratch.lock().map_or_else(|_| None, |mut pool| pool.pop()).unwrap_or_default();
        scratch.sums.resize(self.len(), 0.0);
        scratch.slots.resize(self.len(), 0);
        scratch.group_slots.resize(self.group_count(), 0);
        let result = work(&mut scratch);
        if let Ok(mut pool) = self.scratch.lock() {
            pool.push(scratch);
        }
        result
    }

    /// Positions worth a closer look.
    pub(crate) fn candidates(&self, lookup: &Lookup, search: &Search<'_>, scratch: &mut Scratch) -> Candidates {
        let wanted = CANDIDATES.max(search.depth);
        let question = QuestionVector::new(search.vector);
        let Scratch { sums, distances, .. } = scratch;
        let mut words = || match search.mode {
            Mode::Semantic => Vec::new(),
            _ => self.best_by_words(lookup, wanted, sums),
        };
        let mut vectors = || match search.mode {
            Mode::Keyword => Vec::new(),
            _ if question.is_nothing() => Vec::new(),
            _ => self.best_by_vector(lookup, &question, wanted, distances),
        };
        let (by_words, by_vector) = if self.len() < IN_PARALLEL || search.mode != Mode::Hybrid {
            (words(), vectors())
        } else {
            std::thread::scope(|scope| {
                let words = scope.spawn(words);
                let by_vector = vectors();
                (words.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), by_vector)
            })
        };
        let best = by_words.iter().take(WITH_NEIGHBOURS).chain(by_vector.iter().take(WITH_NEIGHBOURS));
        let near = |position: &u32| {
            [self.step(&self.before, *position, lookup.at), self.step(&self.after, *position, lookup.at)]
        };
        let mut positions: Vec<u32> = best.flat_map(near).filter(|position| *position != NOWHERE).collect();
        positions.extend(by_words.iter().chain(&by_vector));
        positions.extend(self.asked_for(lookup, search));
        positions.sort_unstable();
        positions.dedup();
        Candidates { positions, by_words: by_words.len(), by_vector: by_vector.len() }
    }

    /// The newest items by whom and of the time that the question names, whatever their words.
    fn asked_for(&self, lookup: &Lookup, search: &Search<'_>) -> Vec<u32> {
        let is_of_time = |position: &u32| search.away(self.columns.occurred_at[*position as usize]) == Some(0);
        if search.period.is_some() {
            let speaks =
                |position: &u32| lookup.speakers.is_empty() || self.speaks(lookup, search, *position) == Some(true);
            let live = (0..self.len() as u32).rev().filter(|position| is_of_time(position));
            let live = live.filter(|position| self.columns.is_live(*position as usize, lookup.at));
            return live.filter(speaks).take(CANDIDATES).collect();
        }
        let speakers = lookup.speakers.iter();
        speakers.flat_map(|(_, positions)| positions.iter().rev().take(WITH_NEIGHBOURS).copied()).collect()
    }

    /// The items whose own words match best, the best first.
    fn best_by_words(&self, lookup: &Lookup, wanted: usize, sums: &mut [f32]) -> Vec<u32> {
        let mut touched = Vec::new();
        for term in lookup.terms.iter().filter(|term| term.weight > 0.0) {
            let weight = term.weight as f32;
            for (position, count) in term.positions.iter().zip(&term.counts) {
                let sum = &mut sums[*position as usize];
                if *sum == 0.0 {
                    touched.push(*position);
                }
                *sum += weight * lookup.saturation(*count, self.columns.lengths[*position as usize]);
            }
        }
        let best = best(touched.iter().map(|position| (sums[*position as usize], *position)), wanted);
        for position in touched {
            sums[position as usize] = 0.0;
        }
        best
    }

    /// The items whose vectors are nearest, the nearest first.
    fn best_by_vector(
        &self,
        lookup: &Lookup,
        question: &QuestionVector,
        wanted: usize,
        distances: &mut Vec<u8>,
    ) -> Vec<u32> {
        let is_plain = lookup.at == NOW && self.is_all_live;
        let is_live = |position: usize| is_plain || self.columns.is_live(position, lookup.at);
        let compared: Vec<u32> = if self.live <= EXACT_VECTORS {
            (0..self.len()).filter(|position| is_live(*position)).map(|position| position as u32).collect()
        } else {
            self.sign_distances(question, distances);
            if !is_plain {
                let all = distances.iter_mut().enumerate();
                all.filter(|(position, _)| !is_live(*position)).for_each(|(_, distance)| *distance = NEVER);
            }
            least(distances, SIGN_CANDIDATES.max(4 * wanted))
        };
        let mut nearest = Vec::with_capacity(compared.len());
        let mut positions = compared.iter();
        let stored = compared.iter().map(|position| self.vector(*position as usize));
        question.cosines(stored, |cosine| nearest.extend(positions.next().map(|position| (cosine, *position))));
        best(nearest.into_iter().filter(|(cosine, _)| *cosine > 0.0), wanted)
    }

    /// For each position, how many of its signs differ from the question's.
    fn sign_distances(&self, question: &QuestionVector, distances: &mut Vec<u8>) {
        let compare = |slots: &[Slot], out: &mut Vec<u8>| {
            slots.iter().for_each(|slot| slot.segment.vectors.sign_distances(question, out));
        };
        distances.clear();
        if self.len() < IN_PARALLEL {
            compare(&self.slots, distances);
        } else {
            let (first, second) = self.slots.split_at(self.slots.len() / 2);
            std::thread::scope(|scope| {
                let second = scope.spawn(|| {
                    let mut distances = Vec::with_capacity(self.len());
                    compare(second, &mut distances);
                    distances
                });
                compare(first, distances);
                let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                distances.extend_from_slice(&second);
            });
        }
        self.tail.vectors.sign_distances(question, distances);
    }

    pub(crate) fn vector(&self, position: usize) -> Stored<'_> {
        let slot = self.slots.partition_point(|slot| slot.base + slot.segment.count <= position);
        match self.slots.get(slot) {
            Some(slot) => slot.segment.vectors.get(position - slot.base),
            None => self.tail.vectors.get(position - (self.len() - self.tail.count)),
        }
    }

    /// The next live position in a direction, within the group.
    fn step(&self, direction: &[u32], position: u32, at: u32) -> u32 {
        let mut position = position;
        loop {
            position = direction.get(position as usize).copied().unwrap_or(NOWHERE);
            if position == NOWHERE || self.columns.is_live(position as usize, at) {
                return position;
            }
        }
    }

    /// Whether an item is by whom the question asks about; `None` where it asks about nobody.
    pub(crate) fn speaks(&self, lookup: &Lookup, search: &Search<'_>, position: u32) -> Option<bool> {
        match search.role {
            _ if !lookup.speakers.is_empty() => {
                Some(lookup.speakers.iter().any(|(_, positions)| positions.binary_search(&position).is_ok()))
            }
            Some(role) => Some(self.columns.roles[position as usize] == role),
            None => None,
        }
    }
}

/// The distance of what is not to be found.
const NEVER: u8 = 255;

/// The positions with the least distances, ascending; among equals the lower ones.
fn least(distances: &[u8], wanted: usize) -> Vec<u32> {
    // Four tables, because neighbours often have the same distance and would wait for each other.
    let mut histograms = [[0_u32; 256]; 4];
    let (fours, rest) = distances.as_chunks::<4>();
    for four in fours {
        histograms.iter_mut().zip(four).for_each(|(histogram, distance)| histogram[*distance as usize] += 1);
    }
    rest.iter().for_each(|distance| histograms[0][*distance as usize] += 1);
    let count = |distance: u8| histograms.iter().map(|histogram| histogram[distance as usize] as usize).sum::<usize>();
    let mut nearer = 0;
    let mut limit = 0_u8;
    while limit + 1 < NEVER && nearer + count(limit) < wanted {
        nearer += count(limit);
        limit += 1;
    }
    let mut at_limit = wanted.saturating_sub(nearer);
    let mut chosen = Vec::with_capacity(wanted);
    for (number, block) in distances.chunks(64).enumerate() {
        // Most blocks hold nothing near.
        if !block.iter().fold(false, |found, distance| found | (*distance <= limit)) {
            continue;
        }
        for (offset, distance) in block.iter().enumerate() {
            if *distance < limit || (*distance == limit && at_limit > 0) {
                at_limit -= usize::from(*distance == limit);
                chosen.push((number * 64 + offset) as u32);
            }
        }
    }
    chosen
}

/// The highest, the highest first; among equals the lower position.
pub(crate) fn best(scored: impl Iterator<Item = (f32, u32)>, wanted: usize) -> Vec<u32> {
    // From 0 upwards, the bits of numbers order as the numbers do.
    let key = |score: f32| score.max(0.0).to_bits();
    let mut heap: BinaryHeap<Reverse<(u32, Reverse<u32>)>> = BinaryHeap::with_capacity(wanted + 1);
    let mut least = 0;
    for (score, position) in scored {
        let key = key(score);
        if heap.len() >= wanted && key < least {
            continue;
        }
        heap.push(Reverse((key, Reverse(position))));
        if heap.len() > wanted {
            heap.pop();
        }
        if heap.len() >= wanted {
            least = heap.peek().map_or(0, |Reverse((key, _))| *key);
        }
    }
    heap.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(position)))| position).collect()
}

/// The two items of a group that earn most of a word's weight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Best {
    most: f32,
    at: u32,
    second: f32,
}

impl Best {
    fn take(&mut self, part: f32, position: u32) {
        if part > self.most {
            *self = Self { most: part, at: position, second: self.most };
        } else {
            self.second = self.second.max(part);
        }
    }

    /// What another item than the one at this position earns.
    pub(crate) fn beside(self, position: u32) -> f32 {
        if self.at == position { self.second } else { self.most }
    }
}

/// Every signal of every candidate.
struct Signals<'a> {
    lookup: &'a Lookup,
    search: &'a Search<'a>,
    candidates: &'a [u32],
    /// For each candidate, its own slot and those of its neighbours. Slot 0 stands for nowhere.
    places: Vec<[usize; 1 + NEAR.len()]>,
    groups: Vec<usize>,
    /// For each slot and word, the part of the word's weight that is earned there, and how often the word stands there.
    earned: Vec<f32>,
    counts: Vec<u32>,
    group_earned: Vec<Best>,
    /// For each slot.
    cosines: Vec<f32>,
    speaks: Vec<Option<bool>>,
    away: Vec<Option<i64>>,
    total_weight: f64,
}

impl<'a> Signals<'a> {
    fn gather(
        index: &Index,
        lookup: &'a Lookup,
        search: &'a Search<'a>,
        candidates: &'a [u32],
        scratch: &mut Scratch,
    ) -> Self {
        let mut slotted: Vec<u32> = vec![NOWHERE];
        let mut group_slotted: Vec<u32> = vec![NOWHERE];
        let mut places = Vec::with_capacity(candidates.len());
        let mut groups = Vec::with_capacity(candidates.len());
        for position in candidates {
            let mut near = [*position; 1 + NEAR.len()];
            for (direction, side) in [&index.before, &index.after].into_iter().zip(near[1..].chunks_mut(NEAR.len() / 2))
            {
                let mut from = *position;
                for place in side {
                    from = index.step(direction, from, lookup.at);
                    *place = from;
                }
            }
            let stands_alone = near[1] == NOWHERE && near[1 + NEAR.len() / 2] == NOWHERE;
            let group = if stands_alone { NOWHERE } else { index.group_of[*position as usize] };
            places.push(near.map(|position| slot(&mut scratch.slots, &mut slotted, position)));
            groups.push(slot(&mut scratch.group_slots, &mut group_slotted, group));
        }
        let terms = lookup.terms.len();
        let mut earned = vec![0.0_f32; slotted.len() * terms];
        let mut counts = vec![0; slotted.len() * terms];
        let mut group_earned = vec![Best::default(); group_slotted.len() * terms];
        for (number, term) in lookup.terms.iter().enumerate() {
            for (position, count) in term.positions.iter().zip(&term.counts) {
                let at = *position as usize;
                let slot = scratch.slots[at] as usize;
                let group = scratch.group_slots[index.group_of[at] as usize] as usize;
                if slot == 0 && group == 0 {
                    continue;
                }
                let part = lookup.saturation(*count, index.columns.lengths[at]);
                if slot != 0 {
                    earned[slot * terms + number] = part;
                    counts[slot * terms + number] = *count;
                }
                if group != 0 {
                    group_earned[group * terms + number].take(part, *position);
                }
            }
        }
        let mut cosines = vec![0.0_f32; slotted.len()];
        if search.mode != Mode::Keyword {
            // Only those that are looked at: the candidates and their nearest neighbours.
            let mut needed = vec![false; slotted.len()];
            for [own, near @ ..] in &places {
                for slot in [*own, near[0], near[NEAR.len() / 2]] {
                    needed[slot] = slot != 0;
                }
            }
            let needed: Vec<usize> = (0..slotted.len()).filter(|slot| needed[*slot]).collect();
            let stored = needed.iter().map(|slot| index.vector(slotted[*slot] as usize));
            let mut slots = needed.iter();
            QuestionVector::new(search.vector).cosines(stored, |cosine| {
                if let Some(slot) = slots.next() {
                    cosines[*slot] = cosine;
                }
            });
        }
        slotted[1..].iter().for_each(|position| scratch.slots[*position as usize] = 0);
        group_slotted[1..].iter().for_each(|group| scratch.group_slots[*group as usize] = 0);
        let away = |position: &u32| search.away(index.columns.occurred_at[*position as usize]);
        Self {
            lookup,
            search,
            candidates,
            places,
            groups,
            earned,
            counts,
            group_earned,
            cosines,
            speaks: candidates.iter().map(|position| index.speaks(lookup, search, *position)).collect(),
            away: candidates.iter().map(away).collect(),
            total_weight: lookup.total_weight(),
        }
    }

    fn place(&self, candidate: usize) -> Place<'_> {
        let terms = self.lookup.terms.len();
        let [own, near @ ..] = self.places[candidate];
        let earned = |slot: usize| &self.earned[slot * terms..][..terms];
        let cosine = |slot: usize| (slot != 0).then(|| self.cosines[slot]);
        Place {
            lookup: self.lookup,
            total_weight: self.total_weight,
            own: earned(own),
            near: near.map(earned),
            thread: &self.group_earned[self.groups[candidate] * terms..][..terms],
            position: self.candidates[candidate],
            cosine: self.cosines[own],
            near_cosines: [cosine(near[0]), cosine(near[NEAR.len() / 2])],
            speaks: self.speaks[candidate],
            away: self.away[candidate],
        }
    }

    fn hit(&self, index: &Index, candidate: usize) -> Hit {
        let place = self.place(candidate);
        let counts = &self.counts[self.places[candidate][0] * self.lookup.terms.len()..];
        let mut terms = Vec::with_capacity(self.lookup.terms.len());
        let evidence = place.weigh(self.search.mode, |own, place| {
            terms.push(TermEvidence { count: counts[terms.len()], own, place });
        });
        let id = index.columns.ids[self.candidates[candidate] as usize];
        Hit { id, score: evidence.score(), evidence, cosine: f64::from(place.cosine), terms }
    }
}

/// The slot of a position, given on first sight.
pub(crate) fn slot(slots: &mut [u32], slotted: &mut Vec<u32>, position: u32) -> usize {
    if position == NOWHERE {
        return 0;
    }
    let slot = &mut slots[position as usize];
    if *slot == 0 {
        *slot = slotted.len() as u32;
        slotted.push(position);
    }
    *slot as usize
}
