//! Every signal of every candidate: from its words, its neighbours, its thread and its vector.

use crate::columns::NOWHERE;
use crate::index::Index;
use crate::lookup::{Lookup, TermLookup};
use crate::request::{Hit, Search};
use crate::score::{CandidateSignals, Mode, NEIGHBOURS, TermEvidence, TopTwo};
use crate::scratch::{Scratch, slot};
use crate::signal::Signal;
use crate::vectors::QuestionVector;
use crate::word_order::nearness;

/// Every signal of every candidate.
pub(crate) struct Signals<'a> {
    lookup: &'a Lookup,
    search: &'a Search<'a>,
    candidates: &'a [u32],
    /// For each candidate, its own slot and those of its neighbours. Slot 0 means none.
    candidate_slots: Vec<[usize; 1 + NEIGHBOURS]>,
    groups: Vec<usize>,
    /// For each slot and word, the share of the word's weight that is earned there, and the word's count.
    earned: Vec<f32>,
    counts: Vec<u32>,
    group_earned: Vec<TopTwo>,
    /// For each slot.
    cosines: Vec<f32>,
    speaks: Vec<Option<bool>>,
    away: Vec<Option<i64>>,
    is_chunk: Vec<bool>,
    /// For each candidate and word, if the question has words that may stand together.
    together: Vec<f64>,
    pairs: Pairs,
    total_weight: f64,
}

impl<'a> Signals<'a> {
    pub(crate) fn gather(
        index: &Index,
        lookup: &'a Lookup,
        search: &'a Search<'a>,
        question: &QuestionVector,
        candidates: &'a [u32],
        scratch: &mut Scratch,
    ) -> Self {
        let mut slotted: Vec<u32> = vec![NOWHERE];
        let mut group_slotted: Vec<u32> = vec![NOWHERE];
        let mut candidate_slots = Vec::with_capacity(candidates.len());
        let mut groups = Vec::with_capacity(candidates.len());
        for position in candidates {
            let mut near = [*position; 1 + NEIGHBOURS];
            for (direction, side) in [&index.before, &index.after].into_iter().zip(near[1..].chunks_mut(NEIGHBOURS / 2))
            {
                let mut from = *position;
                for place in side {
                    from = index.step(direction, from, lookup.at);
                    *place = from;
                }
            }
            let stands_alone = near[1] == NOWHERE && near[1 + NEIGHBOURS / 2] == NOWHERE;
            let group = if stands_alone { NOWHERE } else { index.group_of[*position as usize] };
            candidate_slots.push(near.map(|position| slot(&mut scratch.slots, &mut slotted, position)));
            groups.push(slot(&mut scratch.group_slots, &mut group_slotted, group));
        }
        let terms = lookup.terms.len();
        let mut earned = vec![0.0_f32; slotted.len() * terms];
        let mut counts = vec![0; slotted.len() * terms];
        let mut group_earned = vec![TopTwo::default(); group_slotted.len() * terms];
        for (number, term) in lookup.terms.iter().enumerate() {
            for (position, count) in term.positions.iter().zip(&term.counts) {
                let at = *position as usize;
                let slot = scratch.slots[at] as usize;
                let group = scratch.group_slots[index.group_of[at] as usize] as usize;
                if slot == 0 && group == 0 {
                    continue;
                }
                let part = lookup.saturation(*count, index.columns.lengths[at], index.columns.is_chunk(at));
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
            // Only the candidates and their nearest neighbours.
            let mut needed = vec![false; slotted.len()];
            for [own, near @ ..] in &candidate_slots {
                for slot in [*own, near[0], near[NEIGHBOURS / 2]] {
                    needed[slot] = slot != 0;
                }
            }
            let needed: Vec<usize> = (0..slotted.len()).filter(|slot| needed[*slot]).collect();
            let stored = needed.iter().map(|slot| index.vector(slotted[*slot] as usize));
            let mut slots = needed.iter();
            question.cosines(stored, |cosine| {
                if let Some(slot) = slots.next() {
                    cosines[*slot] = cosine;
                }
            });
        }
        slotted[1..].iter().for_each(|position| scratch.slots[*position as usize] = 0);
        group_slotted[1..].iter().for_each(|group| scratch.group_slots[*group as usize] = 0);
        let pairs = Pairs::of(lookup);
        let mut together = vec![0.0; if pairs.list.is_empty() { 0 } else { candidates.len() * terms }];
        for ((position, [own, ..]), earned) in
            candidates.iter().zip(&candidate_slots).zip(together.chunks_exact_mut(terms.max(1)))
        {
            let (counts, marks) = (&counts[own * terms..][..terms], index.word_order(*position as usize));
            pairs.add_nearness(lookup, counts, marks, earned);
        }
        let away = |position: &u32| search.away(index.columns.occurred_at[*position as usize]);
        Self {
            lookup,
            search,
            candidates,
            candidate_slots,
            groups,
            earned,
            counts,
            group_earned,
            cosines,
            speaks: candidates.iter().map(|position| index.speaks(lookup, search, *position)).collect(),
            away: candidates.iter().map(away).collect(),
            is_chunk: candidates.iter().map(|position| index.columns.is_chunk(*position as usize)).collect(),
            together,
            pairs,
            total_weight: lookup.total_weight(),
        }
    }

    pub(crate) fn of(&self, candidate: usize) -> CandidateSignals<'_> {
        let terms = self.lookup.terms.len();
        let [own, near @ ..] = self.candidate_slots[candidate];
        // Slot 0 earns nothing.
        let near = if self.search.without.contains(Signal::Neighbours) { near.map(|_| 0) } else { near };
        let group = if self.search.without.contains(Signal::Thread) { 0 } else { self.groups[candidate] };
        let earned = |slot: usize| &self.earned[slot * terms..][..terms];
        let cosine = |slot: usize| (slot != 0).then(|| self.cosines[slot]);
        CandidateSignals {
            lookup: self.lookup,
            total_weight: self.total_weight,
            own: earned(own),
            together: if self.pairs.list.is_empty() { &[] } else { &self.together[candidate * terms..][..terms] },
            near: near.map(earned),
            thread: &self.group_earned[group * terms..][..terms],
            position: self.candidates[candidate],
            cosine: self.cosines[own],
            near_cosines: [cosine(near[0]), cosine(near[NEIGHBOURS / 2])],
            speaks: self.speaks[candidate],
            away: self.away[candidate],
            is_chunk: self.is_chunk[candidate],
        }
    }

    pub(crate) fn hit(&self, index: &Index, candidate: usize) -> Hit {
        let signals = self.of(candidate);
        let counts = &self.counts[self.candidate_slots[candidate][0] * self.lookup.terms.len()..];
        let mut terms = Vec::with_capacity(self.lookup.terms.len());
        let mut evidence = signals.weigh(self.search.mode, |own, place| {
            let term = terms.len();
            terms.push(TermEvidence { word: self.lookup.terms[term].word, count: counts[term], own, place });
        });
        let factor = evidence.raise();
        for term in &mut terms {
            (term.own, term.place) = (term.own * factor, term.place * factor);
        }
        let position = self.candidates[candidate];
        let id = index.columns.ids[position as usize];
        let before = index.step(&index.before, position, self.lookup.at);
        let before = (before != NOWHERE).then(|| index.columns.ids[before as usize]);
        Hit { id, before, score: evidence.score(), evidence, cosine: f64::from(signals.cosine), terms }
    }
}

/// The words that follow each other in a sentence of the question, and the weight of each pair; all weights add up to 1.
struct Pairs {
    list: Vec<(usize, usize, f64)>,
}

impl Pairs {
    fn of(lookup: &Lookup) -> Self {
        let terms = || lookup.terms.iter().enumerate().filter(|(_, term)| term.weight > 0.0 && !term.is_part);
        let is_pair = |first: &TermLookup, second: &TermLookup| first.sentence == second.sentence;
        let mut list: Vec<(usize, usize, f64)> = terms()
            .zip(terms().skip(1))
            .filter(|((_, first), (_, second))| is_pair(first, second))
            .map(|((one, first), (two, second))| (one, two, first.weight.min(second.weight)))
            .collect();
        let all: f64 = list.iter().map(|(_, _, weight)| weight).sum();
        list.iter_mut().for_each(|(_, _, weight)| *weight /= all);
        Self { list }
    }

    /// For each word of an item with these counts, what it earns by standing near the words before and after it in the question. Nothing in
    /// chunks.
    fn add_nearness(&self, lookup: &Lookup, counts: &[u32], marks: &[u8], earned: &mut [f64]) {
        for (one, two, weight) in self.list.iter().filter(|(one, two, _)| counts[*one] > 0 && counts[*two] > 0) {
            let near = f64::from(nearness(marks, lookup.terms[*one].mark, lookup.terms[*two].mark));
            earned[*one] += weight * near / 2.0;
            earned[*two] += weight * near / 2.0;
        }
    }
}
