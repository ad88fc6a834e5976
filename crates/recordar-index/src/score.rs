//! The score of an item, computed from the evidence that is shown for it. It is between 0 and 1 and depends on the
//! question, the item and its neighbours, never on the other results.
//!
//! For each word of the question that the item contains, it earns a part of the word's weight. For other words it can earn
//! a part from its neighbours in the thread or document, and from the best item of the whole thread: an answer need not
//! repeat the words of the question before it. Vectors are averaged with those of the neighbours. Speaker and time count if
//! the question asks for them.
//!
//! The sum of the parts is then scaled, so that 0.3 separates relevant results from irrelevant ones. The order stays the
//! same, and the parts still add up to the score.

use crate::lookup::Lookup;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The search mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// By words only.
    Keyword,
    /// By meaning only.
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

/// How much each kind of evidence counts. Messages answer each other, so that an answer need not repeat the words before it; a chunk beside
/// the answer of a document is not the answer.
struct Weights {
    /// The part of the score that words can earn if both count; vectors earn the rest.
    keyword: f64,
    /// The weight of a word in a neighbour: one, two and three before, and one, two and three after.
    neighbours: [f64; NEIGHBOURS],
    /// The weight of the best match of a word anywhere in the thread or document.
    thread: f64,
    /// The weights of the vectors of the previous and the next item, relative to the item's own.
    vectors: [f64; 2],
    /// The part of the words' score that they earn by standing together as in the question.
    together: f64,
}

const TALK: Weights = Weights {
    keyword: 0.7,
    neighbours: [0.6, 0.4, 0.25, 0.4, 0.25, 0.15],
    thread: 0.2,
    vectors: [0.5, 0.3],
    together: 0.1,
};

const CHUNK: Weights = Weights {
    keyword: 0.65,
    neighbours: [0.18, 0.12, 0.075, 0.12, 0.075, 0.045],
    thread: 0.1,
    vectors: [0.25, 0.15],
    // Measured: words that stand together say nothing in a chunk of hundreds of words.
    together: 0.0,
};

/// The number of neighbours that count: half of them before, half of them after.
pub(crate) const NEIGHBOURS: usize = 6;
/// The part of the score for the time, in a question that names one.
const PERIOD_WEIGHT: f64 = 0.2;
/// An item this number of microseconds away from the asked time counts half: a week.
const PERIOD_HALF_LIFE_US: f64 = 7.0 * 24.0 * 3600.0 * 1e6;
/// The divisor of the odds of a sum that gives the score. A sum of 0.138 becomes 0.3; docs/benchmarks.md says how many
/// answers are above it, and how few off-topic questions.
const ODDS_DIVISOR: f64 = 0.375;

/// Why an item has its score: the parts add up to it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct Evidence {
    /// From its own words.
    pub keyword: f64,
    /// From its own vector.
    pub semantic: f64,
    /// From its neighbours, by words and vectors.
    pub neighbours: f64,
    /// From its thread or document.
    pub thread: f64,
    /// From its speaker, if the question asks about a speaker.
    pub speaker: f64,
    /// From its time, if the question asks about a time.
    pub period: f64,
}

/// The contribution of one word of the question to an item's score.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, JsonSchema)]
pub struct TermEvidence {
    /// The number of the word in the question.
    #[serde(skip)]
    pub word: usize,
    /// The count of the word in the item.
    pub count: u32,
    /// Its contribution through the item itself.
    pub own: f64,
    /// Its contribution through the neighbours and the thread.
    pub place: f64,
}

impl Evidence {
    pub fn score(&self) -> f64 {
        self.keyword + self.semantic + self.neighbours + self.thread + self.speaker + self.period
    }

    /// Scales every part alike, so that their sum is the score. Returns the factor.
    pub(crate) fn raise(&mut self) -> f64 {
        let sum = self.score();
        let factor = 1.0 / (sum + ODDS_DIVISOR * (1.0 - sum));
        let Self { keyword, semantic, neighbours, thread, speaker, period } = self;
        for part in [keyword, semantic, neighbours, thread, speaker, period] {
            *part *= factor;
        }
        factor
    }
}

/// The two items of a group that earn most of a word's weight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TopTwo {
    most: f32,
    at: u32,
    second: f32,
}

impl TopTwo {
    pub(crate) fn take(&mut self, part: f32, position: u32) {
        if part > self.most {
            *self = Self { most: part, at: position, second: self.most };
        } else {
            self.second = self.second.max(part);
        }
    }

    /// The most that an item other than the one at this position earns.
    pub(crate) fn best_except(self, position: u32) -> f32 {
        if self.at == position { self.second } else { self.most }
    }
}

/// The signals of one candidate.
pub(crate) struct CandidateSignals<'a> {
    pub(crate) lookup: &'a Lookup,
    pub(crate) total_weight: f64,
    /// The share of each word's weight that the item earns, and that its neighbours earn, as in [`Weights`].
    pub(crate) own: &'a [f32],
    /// How much each word earns by standing near the ones before and after it in the question; at most 1 for all words. Empty if the
    /// question has no two words in one sentence.
    pub(crate) together: &'a [f64],
    pub(crate) near: [&'a [f32]; NEIGHBOURS],
    /// The best of the thread, for each word.
    pub(crate) thread: &'a [TopTwo],
    pub(crate) position: u32,
    pub(crate) cosine: f32,
    /// Of the previous and the next item, if they exist.
    pub(crate) near_cosines: [Option<f32>; 2],
    /// Whether it is by the speaker that the question asks about, if any.
    pub(crate) speaks: Option<bool>,
    /// Its distance from the time that the question asks about, in microseconds.
    pub(crate) away: Option<i64>,
    pub(crate) is_chunk: bool,
}

impl CandidateSignals<'_> {
    /// Only the score.
    pub(crate) fn score(&self, mode: Mode) -> f64 {
        let mut evidence = self.weigh(mode, |_, _| ());
        evidence.raise();
        evidence.score()
    }

    /// The evidence before scaling, with that of each word.
    pub(crate) fn weigh(&self, mode: Mode, mut tell: impl FnMut(f64, f64)) -> Evidence {
        let weights = if self.is_chunk { &CHUNK } else { &TALK };
        let keyword_part = match mode {
            Mode::Keyword => 1.0,
            Mode::Semantic => 0.0,
            Mode::Hybrid => weights.keyword,
        };
        let speaker_part = if self.speaks.is_some() { self.lookup.speaker_part } else { 0.0 };
        let period_part = period_part(self.away);
        let rest = (1.0 - speaker_part) * (1.0 - period_part);
        let mut evidence = Evidence::default();
        let together_part = if self.together.is_empty() { 0.0 } else { weights.together };
        for (term, own) in self.own.iter().enumerate() {
            let together = rest * keyword_part * together_part * self.together.get(term).copied().unwrap_or(0.0);
            let share =
                rest * keyword_part * (1.0 - together_part) * self.lookup.terms[term].weight / self.total_weight;
            let own = f64::from(*own);
            let mut missing = 1.0 - own;
            for (near, weight) in self.near.iter().zip(weights.neighbours) {
                missing *= 1.0 - weight * f64::from(near[term]);
            }
            let near = 1.0 - missing;
            let all = 1.0 - missing * (1.0 - weights.thread * f64::from(self.thread[term].best_except(self.position)));
            evidence.keyword += share * own + together;
            evidence.neighbours += share * (near - own);
            evidence.thread += share * (all - near);
            tell(share * own + together, share * (all - own));
        }
        let mut all_vectors = 1.0;
        let mut near = 0.0;
        for (cosine, weight) in self.near_cosines.iter().zip(weights.vectors) {
            if let Some(cosine) = cosine {
                all_vectors += weight;
                near += weight * f64::from(*cosine);
            }
        }
        let share = rest * (1.0 - keyword_part) / all_vectors;
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
    if away.is_some() { PERIOD_WEIGHT } else { 0.0 }
}

/// The share that an item at this distance from the asked time earns.
pub(crate) fn period_evidence(away: Option<i64>) -> f64 {
    away.map_or(0.0, |away| PERIOD_WEIGHT * libm::exp2(-(away as f64) / PERIOD_HALF_LIFE_US))
}
