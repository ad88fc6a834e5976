//! Searches one index: finds candidates by words and by vectors, computes every signal for each, and ranks them.

use crate::columns::{NOW, NOWHERE};
use crate::index::{Index, PlacedSegment};
use crate::lookup::Lookup;
use crate::request::{Found, Search, Standing};
use crate::score::Mode;
use crate::scratch::Scratch;
use crate::signals::Signals;
use crate::vectors::{QuestionVector, StoredVector};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The minimum number of candidates from each method.
const CANDIDATES_EACH_WAY: usize = 100;
/// The number of best candidates of each method whose neighbours are added.
const WITH_NEIGHBOURS: usize = 24;
/// From this number of items on, words and vectors are searched in parallel.
const MIN_ITEMS_FOR_THREADS: usize = 200_000;
/// Up to this number of items, every vector is compared; above it, only those whose signs agree best.
const MAX_EXACT_VECTORS: usize = 16_384;
/// The number of those that are compared.
const SIGN_CANDIDATES: usize = 800;

/// If a filter lets at most this number of items through, all of them are scored. That takes less time than finding candidates in a large
/// index.
const MAX_SCORED_OF_FILTER: usize = 4096;

/// The time around a period in which an item is still near it: 31 days.
const NEAR_PERIOD_US: i64 = 31 * 24 * 3600 * 1_000_000;

/// The number of items scored together when all are scored.
const ITEMS_WEIGHED_TOGETHER: usize = 4096;

pub(crate) struct Candidates {
    /// Ascending.
    pub(crate) positions: Vec<u32>,
    pub(crate) by_words: usize,
    pub(crate) by_vector: usize,
    pub(crate) is_complete: bool,
}

impl Index {
    /// The best items.
    pub fn search(&self, lookup: &Lookup, search: &Search<'_>) -> Found {
        self.scratch.lend(self.len(), self.group_count(), |scratch| {
            let question = QuestionVector::new(search.vector);
            let candidates = self.candidates(lookup, search, &question, scratch);
            let signals = Signals::gather(self, lookup, search, &question, &candidates.positions, scratch);
            let score = |index: usize| signals.of(index).score(search.mode);
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
                is_complete: candidates.is_complete,
            }
        })
    }

    /// The score of one item, found or not: to explain why it is not among the hits. `None` if it is not live then, an echo, or
    /// filtered out.
    pub fn stand(&self, lookup: &Lookup, search: &Search<'_>, id: u32) -> Option<Standing> {
        let position = self.columns.position(id).filter(|position| self.is_found(*position, lookup.at))? as u32;
        if !search.admits(position) {
            return None;
        }
        self.scratch.lend(self.len(), self.group_count(), |scratch| {
            let question = QuestionVector::new(search.vector);
            let found = self.candidates(lookup, search, &question, scratch).positions;
            let own = [position];
            let hit = Signals::gather(self, lookup, search, &question, &own, scratch).hit(self, 0);
            Some(Standing { hit, is_candidate: found.binary_search(&position).is_ok() })
        })
    }

    /// The number of live items ranked above one with this score: those with a higher score, or with the same score and a
    /// lower id.
    pub fn count_before(&self, lookup: &Lookup, search: &Search<'_>, score: f64, id: u32) -> usize {
        let mut before = 0;
        self.each_score(lookup, search, |other, other_score| {
            let order = other_score.total_cmp(&score);
            before += usize::from(order.is_gt() || (order.is_eq() && other < id));
        });
        before
    }

    /// Calls `take` with the id and the score of every item that can be found, in the order of ids.
    pub fn each_score(&self, lookup: &Lookup, search: &Search<'_>, mut take: impl FnMut(u32, f64)) {
        let question = QuestionVector::new(search.vector);
        let live = (0..self.len()).filter(|position| self.is_found(*position, lookup.at));
        let live: Vec<u32> = live.map(|position| position as u32).filter(|position| search.admits(*position)).collect();
        self.scratch.lend(self.len(), self.group_count(), |scratch| {
            // Block by block: the signals of all items at once would take more than the index itself.
            for block in live.chunks(ITEMS_WEIGHED_TOGETHER) {
                let signals = Signals::gather(self, lookup, search, &question, block, scratch);
                for (index, position) in block.iter().enumerate() {
                    take(self.columns.ids[*position as usize], signals.of(index).score(search.mode));
                }
            }
        });
    }

    /// Compares the question's vector with every item's, and nothing else: the baseline of a search.
    pub fn scan(&self, vector: &[i8], wanted: usize) -> Vec<u32> {
        let mut nearest = Vec::with_capacity(self.len());
        let parts = self.segments.iter().map(|placed| &placed.segment.vectors).chain([&self.tail.vectors]);
        let stored = parts.flat_map(|vectors| (0..vectors.len()).map(|index| vectors.get(index)));
        QuestionVector::new(vector).cosines(stored, |cosine| nearest.push((cosine, nearest.len() as u32)));
        let live = nearest.into_iter().filter(|(_, position)| self.is_found(*position as usize, NOW));
        highest(live, wanted).into_iter().map(|position| self.columns.ids[position as usize]).collect()
    }

    /// The positions of candidates. Of a filter that lets few items through, all of them: so the best of them are found, whatever makes them
    /// the best.
    pub(crate) fn candidates(
        &self,
        lookup: &Lookup,
        search: &Search<'_>,
        question: &QuestionVector,
        scratch: &mut Scratch,
    ) -> Candidates {
        match search.only.filter(|only| only.len() <= MAX_SCORED_OF_FILTER) {
            Some(few) => {
                let found = few.positions().filter(|position| self.is_found(*position, lookup.at));
                let positions: Vec<u32> = found.map(|position| position as u32).collect();
                Candidates { by_words: 0, by_vector: 0, is_complete: true, positions }
            }
            None => self.best_candidates(lookup, search, question, scratch),
        }
    }

    fn best_candidates(
        &self,
        lookup: &Lookup,
        search: &Search<'_>,
        question: &QuestionVector,
        scratch: &mut Scratch,
    ) -> Candidates {
        let wanted = CANDIDATES_EACH_WAY.max(search.depth);
        let Scratch { sums, distances, .. } = scratch;
        let mut words = || match search.mode {
            Mode::Semantic => (Vec::new(), Vec::new()),
            _ => self.best_by_words(lookup, search, wanted, sums),
        };
        let mut vectors = || match search.mode {
            Mode::Keyword => Vec::new(),
            _ if question.is_nothing() => Vec::new(),
            _ => self.best_by_vector(lookup, search, question, wanted, distances),
        };
        let ((by_words, of_all), by_vector) = if self.len() < MIN_ITEMS_FOR_THREADS || search.mode != Mode::Hybrid {
            (words(), vectors())
        } else {
            std::thread::scope(|scope| {
                let words = scope.spawn(words);
                let by_vector = vectors();
                (words.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), by_vector)
            })
        };
        let best = by_words.iter().take(WITH_NEIGHBOURS).chain(by_vector.iter().take(WITH_NEIGHBOURS)).chain(&of_all);
        let near = |position: &u32| {
            [self.step(&self.before, *position, lookup.at), self.step(&self.after, *position, lookup.at)]
        };
        let is_near = |position: &u32| *position != NOWHERE && search.admits(*position);
        let mut positions: Vec<u32> = best.flat_map(near).filter(is_near).collect();
        positions.extend(by_words.iter().chain(&by_vector));
        positions.extend(self.by_speaker_or_period(lookup, search));
        positions.sort_unstable();
        positions.dedup();
        Candidates { positions, by_words: by_words.len(), by_vector: by_vector.len(), is_complete: false }
    }

    /// The newest items by the speaker and of the time that the question names, whatever their words.
    fn by_speaker_or_period(&self, lookup: &Lookup, search: &Search<'_>) -> Vec<u32> {
        let is_of_time = |position: &u32| search.away(self.columns.occurred_at[*position as usize]) == Some(0);
        if search.period.is_some() {
            let speaks =
                |position: &u32| lookup.speakers.is_empty() || self.speaks(lookup, search, *position) == Some(true);
            let live = (0..self.len() as u32).rev().filter(|position| is_of_time(position));
            let live = live.filter(|position| self.is_found(*position as usize, lookup.at) && search.admits(*position));
            return live.filter(speaks).take(CANDIDATES_EACH_WAY).collect();
        }
        let newest = |positions: &Vec<u32>| -> Vec<u32> {
            let spoken = positions.iter().rev().copied().filter(|position| search.admits(*position));
            spoken.take(WITH_NEIGHBOURS).collect()
        };
        lookup.speakers.iter().flat_map(|(_, positions)| newest(positions)).collect()
    }

    /// The items whose own words match best, best first; and with a filter those of all items whose neighbours may be worth a look.
    fn best_by_words(
        &self,
        lookup: &Lookup,
        search: &Search<'_>,
        wanted: usize,
        sums: &mut [f32],
    ) -> (Vec<u32>, Vec<u32>) {
        let touched = self.sum_words(lookup, sums);
        let scored = |position: &u32| (sums[*position as usize], *position);
        let best = highest(touched.iter().filter(|position| search.admits(**position)).map(scored), wanted);
        let of_all = match search.only {
            Some(_) => highest(touched.iter().map(scored), WITH_NEIGHBOURS),
            None => Vec::new(),
        };
        for position in touched {
            sums[position as usize] = 0.0;
        }
        (best, of_all)
    }

    /// Adds to each item the score of its own words, and returns those items.
    pub(crate) fn sum_words(&self, lookup: &Lookup, sums: &mut [f32]) -> Vec<u32> {
        let mut touched = Vec::new();
        for term in lookup.terms.iter().filter(|term| term.weight > 0.0) {
            let weight = term.weight as f32;
            for (position, count) in term.positions.iter().zip(&term.counts) {
                let at = *position as usize;
                let sum = &mut sums[at];
                if *sum == 0.0 {
                    touched.push(*position);
                }
                *sum += weight * lookup.saturation(*count, self.columns.lengths[at], self.columns.is_chunk(at));
            }
        }
        touched
    }

    /// The items with the nearest vectors, nearest first.
    fn best_by_vector(
        &self,
        lookup: &Lookup,
        search: &Search<'_>,
        question: &QuestionVector,
        wanted: usize,
        distances: &mut Vec<u8>,
    ) -> Vec<u32> {
        let is_plain = lookup.at == NOW && self.is_all_live;
        let is_sought =
            |position: usize| (is_plain || self.is_found(position, lookup.at)) && search.admits(position as u32);
        let most = search.only.map_or(lookup.found, |only| only.len().min(lookup.found));
        let compared: Vec<u32> = if most <= MAX_EXACT_VECTORS {
            (0..self.len()).filter(|position| is_sought(*position)).map(|position| position as u32).collect()
        } else {
            self.sign_distances(question, distances);
            if !is_plain || search.only.is_some() {
                let all = distances.iter_mut().enumerate();
                let others = all.filter(|(position, _)| !is_sought(*position));
                others.for_each(|(_, distance)| *distance = NOT_SOUGHT_DISTANCE);
            }
            nearest_by_signs(distances, SIGN_CANDIDATES.max(4 * wanted))
        };
        let mut nearest = Vec::with_capacity(compared.len());
        let mut positions = compared.iter();
        let stored = compared.iter().map(|position| self.vector(*position as usize));
        question.cosines(stored, |cosine| nearest.extend(positions.next().map(|position| (cosine, *position))));
        highest(nearest.into_iter().filter(|(cosine, _)| *cosine > 0.0), wanted)
    }

    /// Whether an item is from a period, or from the weeks around it. Otherwise the time says nothing: "in June" may be of a year that ended
    /// before the question was asked.
    pub fn is_near_any(&self, (from, to): (i64, i64), at: u32) -> bool {
        let (from, to) = (from.saturating_sub(NEAR_PERIOD_US), to.saturating_add(NEAR_PERIOD_US));
        let times = self.columns.occurred_at.iter().enumerate();
        times.filter(|(_, time)| (from..=to).contains(*time)).any(|(position, _)| self.is_found(position, at))
    }

    /// For each position, the number of signs that differ from the question's.
    fn sign_distances(&self, question: &QuestionVector, distances: &mut Vec<u8>) {
        let compare = |segments: &[PlacedSegment], out: &mut Vec<u8>| {
            segments.iter().for_each(|placed| placed.segment.vectors.sign_distances(question, out));
        };
        distances.clear();
        if self.len() < MIN_ITEMS_FOR_THREADS {
            compare(&self.segments, distances);
        } else {
            let (first, second) = self.segments.split_at(self.segments.len() / 2);
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

    pub(crate) fn vector(&self, position: usize) -> StoredVector<'_> {
        let at = self.segments.partition_point(|placed| placed.base + placed.segment.count <= position);
        match self.segments.get(at) {
            Some(placed) => placed.segment.vectors.get(position - placed.base),
            None => self.tail.vectors.get(position - (self.len() - self.tail.count)),
        }
    }

    /// The marks of an item's words, in their order.
    pub(crate) fn word_order(&self, position: usize) -> &[u8] {
        let at = self.segments.partition_point(|placed| placed.base + placed.segment.count <= position);
        match self.segments.get(at) {
            Some(placed) => placed.segment.order.of(position - placed.base),
            None => self.tail.order.of(position - (self.len() - self.tail.count)),
        }
    }

    /// The next live position in a direction, within the group. Echoes are skipped.
    pub(crate) fn step(&self, direction: &[u32], position: u32, at: u32) -> u32 {
        let mut position = position;
        loop {
            position = direction.get(position as usize).copied().unwrap_or(NOWHERE);
            if position == NOWHERE || self.is_found(position as usize, at) {
                return position;
            }
        }
    }

    /// Whether an item is by the speaker that the question asks about; `None` if it asks about none.
    pub(crate) fn speaks(&self, lookup: &Lookup, search: &Search<'_>, position: u32) -> Option<bool> {
        match search.role {
            _ if !lookup.speakers.is_empty() => {
                Some(lookup.speakers.iter().any(|(_, positions)| positions.binary_search(&position).is_ok()))
            }
            Some(role) => Some(self.columns.role(position as usize) == role),
            None => None,
        }
    }
}

/// The distance of items that must not be found.
const NOT_SOUGHT_DISTANCE: u8 = 255;

/// The positions with the smallest distances, ascending; lower positions among equals.
fn nearest_by_signs(distances: &[u8], wanted: usize) -> Vec<u32> {
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
    while limit + 1 < NOT_SOUGHT_DISTANCE && nearer + count(limit) < wanted {
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

/// The highest scores, highest first; lower positions among equals.
pub(crate) fn highest(scored: impl Iterator<Item = (f32, u32)>, wanted: usize) -> Vec<u32> {
    // From 0 upwards, the bits of numbers sort as the numbers do.
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
