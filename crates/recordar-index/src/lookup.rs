//! Looks up words: the live items that contain each word of a question, and how rare it is. Echoes do not count.

use crate::columns::NOW;
use crate::index::Index;
use crate::postings::Posting;

/// The prefix of a speaker's name among an item's stems, so that a name in a question means the speaker.
pub const SPEAKER: char = '@';

/// The speaker of at least one in this number of items is a main speaker of a space.
const MAIN_SPEAKER_ONE_IN: usize = 20;

/// The part of the score for the speaker in a question about a person; and in a question about nothing
/// else.
const SPEAKER_WEIGHT: f64 = 0.05;
const ONLY_SPEAKER_WEIGHT: f64 = 0.4;

/// BM25's k1 and b for the words of an item: how fast repetitions of a word lose weight, and how much the length of an item counts
/// against it. Lower than the usual 1.2 and 0.75, because messages are short; on SciFact other values are within noise.
const ITEM_BM25_K1: f32 = 0.9;
const ITEM_BM25_B: f32 = 0.6;

/// The words of a question with their postings. Built by [`Index::look_up`].
pub struct Lookup {
    pub(crate) at: u32,
    /// The number of live items then.
    pub(crate) items: usize,
    pub(crate) terms: Vec<TermLookup>,
    /// The words that are names of speakers, and the items of those.
    pub(crate) speakers: Vec<(usize, Vec<u32>)>,
    /// The weight of a match of the speaker.
    pub(crate) speaker_part: f64,
    lengths: LengthNorm,
}

pub(crate) struct TermLookup {
    /// Ascending positions of live items, and the count of the word in each.
    pub(crate) positions: Vec<u32>,
    pub(crate) counts: Vec<u32>,
    pub(crate) rarity: f64,
    /// The weight of the word in the score: its rarity, or 0 for the name of a speaker among other words.
    pub(crate) weight: f64,
}

/// The effect of an item's length on the weight of its words.
struct LengthNorm {
    by_length: Vec<f32>,
    per_word: f32,
}

impl LengthNorm {
    fn new(items: usize, words: u64) -> Self {
        let average = (words as f32 / items.max(1) as f32).max(1.0);
        let per_word = ITEM_BM25_K1 * ITEM_BM25_B / average;
        let by_length = (0..1024).map(|length| ITEM_BM25_K1 * (1.0 - ITEM_BM25_B) + per_word * length as f32).collect();
        Self { by_length, per_word }
    }

    fn of(&self, length: u32) -> f32 {
        match self.by_length.get(length as usize) {
            Some(norm) => *norm,
            None => ITEM_BM25_K1 * (1.0 - ITEM_BM25_B) + self.per_word * length as f32,
        }
    }
}

impl Lookup {
    /// How rare a word is among the live items: its inverse document frequency.
    pub fn rarity(&self, term: usize) -> f64 {
        self.terms[term].rarity
    }

    pub(crate) fn total_weight(&self) -> f64 {
        self.terms.iter().map(|term| term.weight).sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// Whether a word is the name of a speaker in the space.
    pub fn is_speaker(&self, term: usize) -> bool {
        self.speakers.iter().any(|(speaker, _)| *speaker == term)
    }

    /// The number of live items that contain a word, or that are by the speaker of that name.
    pub fn holding(&self, term: usize) -> usize {
        let spoken = self.speakers.iter().find(|(speaker, _)| *speaker == term);
        spoken.map_or(self.terms[term].positions.len(), |(_, positions)| positions.len())
    }

    /// The share of a word's weight that its count in an item of this length earns, from 0 to 1.
    pub(crate) fn saturation(&self, count: u32, length: u32) -> f32 {
        let count = count as f32;
        count / (count + self.lengths.of(length))
    }
}

impl Index {
    /// Looks up stems as of a revision.
    pub fn look_up(&self, stems: &[&str], at: u32) -> Lookup {
        let (items, words) = self.size_at(at);
        let mut terms: Vec<TermLookup> = stems.iter().map(|stem| self.look_up_one(stem, at, items)).collect();
        let speaking = |stem: &str| self.look_up_one(&format!("{SPEAKER}{stem}"), at, items).positions;
        let speakers: Vec<(usize, Vec<u32>)> = stems
            .iter()
            .enumerate()
            .map(|(term, stem)| (term, speaking(stem)))
            .filter(|(_, positions)| !positions.is_empty())
            .collect();
        // A question about a person asks for what they said, not for who mentions them; provided that they are a main
        // speaker, so that no speaker's name can remove a word from everyone's questions.
        let is_main = |positions: &[u32]| positions.len() * MAIN_SPEAKER_ONE_IN >= items;
        let named: Vec<usize> =
            speakers.iter().filter(|(_, positions)| is_main(positions)).map(|(term, _)| *term).collect();
        if named.len() < terms.len() {
            named.iter().for_each(|term| terms[*term].weight = 0.0);
        }
        // A question that only names a person asks for what they said.
        let asks_for_names_only = !speakers.is_empty() && speakers.len() == terms.len();
        let speaker_part = if asks_for_names_only { ONLY_SPEAKER_WEIGHT } else { SPEAKER_WEIGHT };
        Lookup { at, items, terms, speakers, speaker_part, lengths: LengthNorm::new(items, words) }
    }

    /// The number of live items at a revision, and of their words.
    fn size_at(&self, at: u32) -> (usize, u64) {
        if at == NOW {
            return (self.live, self.live_words);
        }
        let live = (0..self.len()).filter(|position| self.is_found(*position, at));
        live.fold((0, 0), |(items, words), position| (items + 1, words + u64::from(self.columns.lengths[position])))
    }

    fn look_up_one(&self, stem: &str, at: u32, items: usize) -> TermLookup {
        let is_plain = at == NOW && self.is_all_live;
        let (mut positions, mut counts) = (Vec::new(), Vec::new());
        let mut take = |base: usize, posting: Posting| {
            let position = base + posting.local as usize;
            if is_plain || self.is_found(position, at) {
                positions.push(position as u32);
                counts.push(posting.count);
            }
        };
        for placed in &self.segments {
            if let Some(postings) = placed.segment.find(stem) {
                postings.for_each(|posting| take(placed.base, posting));
            }
        }
        let base = self.len() - self.tail.count;
        self.tail.find(stem).unwrap_or_default().iter().for_each(|posting| take(base, *posting));
        self.amended(stem, at, &mut positions, &mut counts);
        let rarity = rarity(items, positions.len());
        TermLookup { positions, counts, rarity, weight: rarity }
    }

    /// Corrects the postings of a stem by what changed after items were indexed, as of a revision.
    fn amended(&self, stem: &str, at: u32, positions: &mut Vec<u32>, counts: &mut Vec<u32>) {
        for (id, change) in self.amendments.of(stem, at) {
            let Some(position) = self.position_of(id).filter(|position| self.is_found(*position, at)) else { continue };
            let position = position as u32;
            match positions.binary_search(&position) {
                Ok(place) => match counts[place].saturating_add_signed(change.more) {
                    0 => {
                        positions.remove(place);
                        counts.remove(place);
                    }
                    count => counts[place] = count,
                },
                Err(place) if change.more > 0 => {
                    positions.insert(place, position);
                    counts.insert(place, change.more.unsigned_abs());
                }
                Err(_) => {}
            }
        }
    }
}

/// In a smaller space rarity says little: words are weighted as in a space of this size.
const SMALL_SPACE: usize = 100;

pub(crate) fn rarity(items: usize, holding: usize) -> f64 {
    let (items, holding) = (items.max(SMALL_SPACE) as f64, holding as f64);
    libm::log(1.0 + (items - holding + 0.5) / (holding + 0.5))
}
