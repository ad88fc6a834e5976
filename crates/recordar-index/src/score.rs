//! The score of an item, computed from the evidence that is shown for it. It lies between 0 and 1 and depends on the
//! question, the item and its place among its neighbours, never on what else was found.
//!
//! For each word of the question, the item earns a part of the word's weight by holding it. What it does not earn
//! itself it can earn in part by its neighbours in the thread or document, and by the best item of the whole thread: an
//! answer need not repeat the words of the question before it. Vectors are averaged with those of the neighbours. Who
//! spoke and when count where the question asks for it.
//!
//! What the parts add up to is then raised, so that the scale means something: what answers a question has 0.3 or more,
//! and the best of a space that knows nothing of it has less. The order stays, and the parts still add up to the score.

use crate::lookup::Lookup;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// By what to search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// By words alone.
    Keyword,
    /// By meaning alone.
    Semantic,
    /// By both.
    #[default]
    Hybrid,
}

impl Mode {
    pub const ALL: [Self; 3] = [Self::Hybrid, Self::Keyword, Self::Semantic];

    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Semantic => "semantic",
            Self::Hybrid => "hybrid",
        }
    }
}

/// The part of the score that words can earn where both count; vectors earn the rest.
const KEYWORD: f64 = 0.7;
/// What a word counts for that a neighbour holds: one, two and three before, and one, two and three after.
pub(crate) const NEAR: [f64; 6] = [0.6, 0.4, 0.25, 0.4, 0.25, 0.15];
/// What the word counts for that stands best anywhere in the thread.
const THREAD: f64 = 0.2;
/// What the vectors of the item before and the item after count for, beside the item's own.
const NEAR_VECTORS: [f64; 2] = [0.5, 0.3];
/// The part of the score for the time that is asked about, in a question that names one.
const PERIOD: f64 = 0.2;
/// An item so many microseconds away from the asked time counts for half: a week.
const PERIOD_HALF: f64 = 7.0 * 24.0 * 3600.0 * 1e6;
/// What the odds of a sum are divided by to make the score. A sum of 0.138 becomes 0.3; docs/benchmarks.md tells how many
/// answers lie above it, and how few questions that are off topic.
const ODDS: f64 = 0.375;

/// Why an item has its score: the parts add up to it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct Evidence {
    /// By its own words.
    pub keyword: f64,
    /// By its own vector.
    pub semantic: f64,
    /// What its neighbours add, by words and vectors.
    pub neighbours: f64,
    /// What its thread or document adds.
    pub thread: f64,
    /// For being said by whom the question asks about.
    pub speaker: f64,
    /// For being of the time that the question asks about.
    pub period: f64,
}

/// What one word of the question did for an item.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, JsonSchema)]
pub struct TermEvidence {
    /// How often the word stands in the item.
    pub count: u32,
    /// What it added to the score by the item itself.
    pub own: f64,
    /// What it added by the neighbours and the thread.
    pub place: f64,
}

impl Evidence {
    pub fn score(&self) -> f64 {
        self.keyword + self.semantic + self.neighbours + self.thread + self.speaker + self.period
    }

    /// Raises every part alike, so that their sum is the score. Tells by how much.
    pub(crate) fn raise(&mut self) -> f64 {
        let sum = self.score();
        let factor = 1.0 / (sum + ODDS * (1.0 - sum));
        let Self { keyword, semantic, neighbours, thread, speaker, period } = self;
        for part in [keyword, semantic, neighbours, thread, speaker, period] {
            *part *= factor;
        }
        factor
    }
}

/// The two items of a group that earn most of a word's weight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Best {
    most: f32,
    at: u32,
    second: f32,
}

impl Best {
    pub(crate) fn take(&mut self, part: f32, position: u32) {
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

/// The signals at one candidate's place.
pub(crate) struct Place<'a> {
    pub(crate) lookup: &'a Lookup,
    pub(crate) total_weight: f64,
    /// The part of each word's weight that the item earns, and that its neighbours earn, as in `NEAR`.
    pub(crate) own: &'a [f32],
    pub(crate) near: [&'a [f32]; NEAR.len()],
    /// The best of the thread, for each word.
    pub(crate) thread: &'a [Best],
    pub(crate) position: u32,
    pub(crate) cosine: f32,
    /// Of the item before and the item after, where there are such.
    pub(crate) near_cosines: [Option<f32>; 2],
    /// Whether it is by whom the question asks about, in a question that asks about somebody.
    pub(crate) speaks: Option<bool>,
    /// How far it is from the time that the question asks about, in microseconds.
    pub(crate) away: Option<i64>,
}

impl Place<'_> {
    /// The score alone.
    pub(crate) fn score(&self, mode: Mode) -> f64 {
        let mut evidence = self.weigh(mode, |_, _| ());
        evidence.raise();
        evidence.score()
    }

    /// The evidence before it is raised, and by the way that of each word.
    pub(crate) fn weigh(&self, mode: Mode, mut tell: impl FnMut(f64, f64)) -> Evidence {
        let keyword_part = match mode {
            Mode::Keyword => 1.0,
            Mode::Semantic => 0.0,
            Mode::Hybrid => KEYWORD,
        };
        let speaker_part = if self.speaks.is_some() { self.lookup.speaker_part } else { 0.0 };
        let period_part = period_part(self.away);
        let rest = (1.0 - speaker_part) * (1.0 - period_part);
        let mut evidence = Evidence::default();
        for (term, own) in self.own.iter().enumerate() {
            let share = rest * keyword_part * self.lookup.terms[term].weight / self.total_weight;
            let own = f64::from(*own);
            let mut missing = 1.0 - own;
            for (near, weight) in self.near.iter().zip(NEAR) {
                missing *= 1.0 - weight * f64::from(near[term]);
            }
            let near = 1.0 - missing;
            let all = 1.0 - missing * (1.0 - THREAD * f64::from(self.thread[term].beside(self.position)));
            evidence.keyword += share * own;
            evidence.neighbours += share * (near - own);
            evidence.thread += share * (all - near);
            tell(share * own, share * (all - own));
        }
        let mut weights = 1.0;
        let mut near = 0.0;
        for (cosine, weight) in self.near_cosines.iter().zip(NEAR_VECTORS) {
            if let Some(cosine) = cosine {
                weights += weight;
                near += weight * f64::from(*cosine);
            }
        }
        let share = rest * (1.0 - keyword_part) / weights;
        evidence.semantic = share * f64::from(self.cosine);
        evidence.neighbours += share * near;
        if self.speaks == Some(true) {
            evidence.speaker = (1.0 - period_part) * speaker_part;
        }
        evidence.period = period_evidence(self.away);
        evidence
    }
}

/// The part of the score that the time can earn, in a question that asks for one.
pub(crate) fn period_part(away: Option<i64>) -> f64 {
    if away.is_some() { PERIOD } else { 0.0 }
}

/// What an item earns that is so far from the asked time.
pub(crate) fn period_evidence(away: Option<i64>) -> f64 {
    away.map_or(0.0, |away| PERIOD * libm::exp2(-(away as f64) / PERIOD_HALF))
}
