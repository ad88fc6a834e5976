//! Ranks whole threads (and documents): by their best item, by their nearest vector, and by all their words together.
//! Neighbours do not count here; words spread over a thread do. With a filter, a thread is only its items in the filter.

use crate::columns::{NOW, NOWHERE};
use crate::index::Index;
use crate::lookup::Lookup;
use crate::request::Search;
use crate::score::{Evidence, Mode, period_evidence, period_part};
use crate::scratch::{Scratch, slot};
use crate::signal::Signal;
use crate::vectors::QuestionVector;

/// The weights of the best item's words, the nearest vector and all the thread's words together.
const BEST_ITEM_WEIGHT: f64 = 0.3;
const NEAREST_VECTOR_WEIGHT: f64 = 0.4;
const WHOLE_THREAD_WEIGHT: f64 = 0.3;

/// BM25's k1 and b for a whole thread as one text: the usual values, as in the plain BM25 of docs/benchmarks.md.
const THREAD_BM25_K1: f64 = 1.2;
const THREAD_BM25_B: f64 = 0.75;

#[derive(Debug, Clone, PartialEq)]
pub struct GroupHit {
    /// Its best item, which also identifies the thread or document.
    pub best: u32,
    pub score: f64,
    pub evidence: Evidence,
}

/// The evidence for one group.
#[derive(Clone, Default)]
struct Gathered {
    words: f32,
    best: u32,
    cosine: f32,
    length: u64,
    away: Option<i64>,
}

/// How rare each word is among groups, and their average length.
struct GroupWords {
    rarities: Vec<f64>,
    average: f64,
}

impl GroupWords {
    /// BM25 of a group as if it were one text, divided by its maximum.
    fn bm25(&self, counts: &[u64], length: u64) -> f64 {
        let length = length as f64 / self.average;
        let (mut score, mut total) = (0.0, 0.0);
        for (rarity, count) in self.rarities.iter().zip(counts) {
            let count = *count as f64;
            total += rarity;
            score += rarity * count / (count + THREAD_BM25_K1 * (1.0 - THREAD_BM25_B + THREAD_BM25_B * length));
        }
        if total > 0.0 { score / total } else { 0.0 }
    }
}

impl Index {
    /// The best groups: by score, then by the id of their best item.
    pub fn search_groups(&self, lookup: &Lookup, search: &Search<'_>) -> Vec<GroupHit> {
        let mut hits = self.scratch.lend(self.len(), self.group_count(), |scratch| {
            let question = QuestionVector::new(search.vector);
            let candidates = self.candidates(lookup, search, &question, scratch).positions;
            let groups = candidates.iter().map(|position| self.group_of[*position as usize]);
            self.weigh_groups(lookup, search, &question, groups, scratch)
        });
        hits.retain(|hit| hit.score > 0.0);
        hits.sort_unstable_by(|one, other| other.score.total_cmp(&one.score).then(one.best.cmp(&other.best)));
        hits
    }

    /// The score of each of these versions, by the id of its group and a revision at which it is live; 0 if there is no such group.
    pub fn score_versions(&self, lookup: &Lookup, search: &Search<'_>, versions: &[(u32, u32)]) -> Vec<f64> {
        self.scratch.lend(self.len(), self.group_count(), |scratch| {
            let question = QuestionVector::new(search.vector);
            let touched = self.sum_words(lookup, &mut scratch.sums);
            let groups = self.group_words(lookup, search);
            let score = |(id, at): &(u32, u32)| {
                let Some(group) = self.groups.by_id.get(id) else { return 0.0 };
                let positions = self.positions_of(*group, search, |position| self.is_found(position, *at));
                let gathered = self.gather(&positions, lookup, search, &question, &scratch.sums);
                let counts = lookup.terms.iter().filter(|term| term.weight > 0.0).map(|term| {
                    let count = |position: &u32| term.positions.binary_search(position).map_or(0, |at| term.counts[at]);
                    let speaking = positions.iter().filter(|position| self.is_by(**position, search.role));
                    speaking.map(|position| u64::from(count(position))).sum::<u64>()
                });
                let counts: Vec<u64> = counts.collect();
                self.group_hit(&gathered, groups.bm25(&counts, gathered.length), search).score
            };
            let scores = versions.iter().map(score).collect();
            touched.into_iter().for_each(|position| scratch.sums[position as usize] = 0.0);
            scores
        })
    }

    /// A hit for each distinct group, in order.
    fn weigh_groups(
        &self,
        lookup: &Lookup,
        search: &Search<'_>,
        question: &QuestionVector,
        groups: impl Iterator<Item = u32>,
        scratch: &mut Scratch,
    ) -> Vec<GroupHit> {
        let mut slotted = vec![NOWHERE];
        for group in groups {
            slot(&mut scratch.group_slots, &mut slotted, group);
        }
        let touched = self.sum_words(lookup, &mut scratch.sums);
        let is_found = |position: usize| self.is_found(position, lookup.at);
        let gather = |group: &u32| {
            let positions = self.positions_of(*group, search, is_found);
            self.gather(&positions, lookup, search, question, &scratch.sums)
        };
        let gathered: Vec<Gathered> = slotted[1..].iter().map(gather).collect();
        touched.into_iter().for_each(|position| scratch.sums[position as usize] = 0.0);
        let together = self.thread_bm25(lookup, search, &gathered, &scratch.group_slots);
        slotted[1..].iter().for_each(|group| scratch.group_slots[*group as usize] = 0);
        let hit = |(gathered, together): (&Gathered, f64)| self.group_hit(gathered, together, search);
        gathered.iter().zip(together).map(hit).collect()
    }

    fn group_hit(&self, gathered: &Gathered, together: f64, search: &Search<'_>) -> GroupHit {
        let (words, vector, thread) = match search.mode {
            Mode::Keyword => (BEST_ITEM_WEIGHT + NEAREST_VECTOR_WEIGHT, 0.0, WHOLE_THREAD_WEIGHT),
            Mode::Semantic => (0.0, 1.0, 0.0),
            Mode::Hybrid => (BEST_ITEM_WEIGHT, NEAREST_VECTOR_WEIGHT, WHOLE_THREAD_WEIGHT),
        };
        let thread = if search.without.contains(Signal::Thread) { 0.0 } else { thread };
        let rest = 1.0 - period_part(gathered.away);
        let evidence = Evidence {
            keyword: rest * words * f64::from(gathered.words),
            semantic: rest * vector * f64::from(gathered.cosine),
            thread: rest * thread * together,
            period: period_evidence(gathered.away),
            ..Evidence::default()
        };
        GroupHit { best: self.columns.ids[gathered.best as usize], score: evidence.score(), evidence }
    }

    /// Whether an item is by the role, if one is asked for.
    fn is_by(&self, position: u32, role: Option<u8>) -> bool {
        role.is_none_or(|role| self.columns.role(position as usize) == role)
    }

    /// The positions of a group that count, in its order.
    fn positions_of(&self, group: u32, search: &Search<'_>, counts: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut positions = Vec::new();
        let mut position = self.groups.last[group as usize];
        while position != NOWHERE {
            if counts(position as usize) && search.admits(position) {
                positions.push(position);
            }
            position = self.before[position as usize];
        }
        positions.reverse();
        positions
    }

    fn gather(
        &self,
        positions: &[u32],
        lookup: &Lookup,
        search: &Search<'_>,
        question: &QuestionVector,
        sums: &[f32],
    ) -> Gathered {
        // In a question without words that count, words earn nothing.
        let total_weight = (lookup.total_weight() as f32).max(f32::MIN_POSITIVE);
        let speaks = |position: u32| self.is_by(position, search.role);
        let mut gathered = Gathered::default();
        let mut nearest = vec![0.0_f32; positions.len()];
        if search.mode != Mode::Keyword {
            let mut next = nearest.iter_mut();
            let stored = positions.iter().map(|position| self.vector(*position as usize));
            question.cosines(stored, |cosine| next.by_ref().take(1).for_each(|slot| *slot = cosine));
        }
        let mut most = -1.0_f32;
        for (position, cosine) in positions.iter().copied().zip(nearest) {
            let at = position as usize;
            let words = sums[at] / total_weight;
            let cosine = if speaks(position) { cosine } else { 0.0 };
            if words + cosine > most {
                most = words + cosine;
                gathered.best = position;
            }
            gathered.words = gathered.words.max(words);
            gathered.cosine = gathered.cosine.max(cosine);
            gathered.length += if speaks(position) { u64::from(self.columns.lengths[at]) } else { 0 };
            let away = search.away(self.columns.occurred_at[at]);
            gathered.away = gathered.away.map_or(away, |least| away.map(|away| away.min(least)));
        }
        gathered
    }

    /// BM25 of each group as if it were one text, divided by its maximum.
    fn thread_bm25(
        &self,
        lookup: &Lookup,
        search: &Search<'_>,
        gathered: &[Gathered],
        group_slots: &[u32],
    ) -> Vec<f64> {
        let words = self.group_words(lookup, search);
        let terms = lookup.terms.iter().filter(|term| term.weight > 0.0);
        let mut counts = vec![vec![0_u64; words.rarities.len()]; gathered.len()];
        for (number, term) in terms.enumerate() {
            for (position, count) in term.positions.iter().zip(&term.counts) {
                let slot = group_slots[self.group_of[*position as usize] as usize] as usize;
                if slot != 0 && self.is_by(*position, search.role) && search.admits(*position) {
                    counts[slot - 1][number] += u64::from(*count);
                }
            }
        }
        counts.iter().zip(gathered).map(|(counts, gathered)| words.bm25(counts, gathered.length)).collect()
    }

    /// How rare the words are among groups, and how long a group is.
    fn group_words(&self, lookup: &Lookup, search: &Search<'_>) -> GroupWords {
        let (groups, words) = self.groups_at(lookup.at, search.role);
        let mut seen_by = vec![0_u32; self.group_count()];
        let mut rarities = Vec::new();
        for (number, term) in (1..).zip(lookup.terms.iter().filter(|term| term.weight > 0.0)) {
            let mut holding = 0;
            for position in term.positions.iter().filter(|position| !self.columns.is_derived(**position as usize)) {
                let group = self.group_of[*position as usize] as usize;
                if seen_by[group] != number {
                    seen_by[group] = number;
                    holding += 1;
                }
            }
            rarities.push(crate::lookup::rarity(groups, holding));
        }
        GroupWords { rarities, average: (words as f64 / groups.max(1) as f64).max(1.0) }
    }

    /// The number of groups with live items at a revision, and the number of words by the role.
    fn groups_at(&self, at: u32, role: Option<u8>) -> (usize, u64) {
        let spoken = |role: u8| self.live_words_of.get(role as usize).copied().unwrap_or(0);
        if at == NOW {
            return (self.groups.live, role.map_or(self.live_words, spoken));
        }
        let mut is_live = vec![false; self.group_count()];
        let mut words = 0;
        for position in (0..self.len()).filter(|position| self.counts(*position, at)) {
            is_live[self.group_of[position] as usize] = true;
            if self.is_by(position as u32, role) {
                words += u64::from(self.columns.lengths[position]);
            }
        }
        (is_live.into_iter().filter(|live| *live).count(), words)
    }
}
