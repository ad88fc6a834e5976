//! Looks up words: the live items that contain each word of a question, and how rare it is. Echoes do not count.

use crate::columns::NOW;
use crate::filter::Filter;
use crate::index::Index;
use crate::postings::Posting;
use crate::tail::SPEAKER;
use crate::word_order::mark;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The speaker of at least one in this number of items is a main speaker of a space.
const MAIN_SPEAKER_ONE_IN: usize = 20;

/// The part of the score for the speaker in a question about a person; and in a question about nothing
/// else.
const SPEAKER_WEIGHT: f64 = 0.05;
const ONLY_SPEAKER_WEIGHT: f64 = 0.4;

/// BM25's k1 and b for the words of messages and facts: how fast repetitions of a word lose weight, and how much the length of an item
/// counts against it. Lower than the usual 1.2 and 0.75, because messages are short.
const TALK_BM25: (f32, f32) = (0.9, 0.6);
/// The same for chunks. All have about the same length, so that it says less than usual.
const CHUNK_BM25: (f32, f32) = (1.2, 0.5);
/// BM25's k3: how fast repetitions of a word in the question lose weight.
const BM25_K3: f64 = 2.0;

/// At most this many words of a question earn anything: the most informative ones.
pub const MAX_TERMS: usize = 64;

/// A word of a question.
#[derive(Debug, Clone)]
pub struct SoughtWord<'a> {
    /// The stems that it is looked up by, separated by spaces: an item that has one of them has the word. The first is the one that a
    /// speaker is named by.
    pub stems: Cow<'a, str>,
    /// How often the question says it.
    pub count: u32,
    /// The number of its sentence.
    pub sentence: usize,
    /// Whether it is a part of the word before it that is no part, such as `Volume` of `PersistentVolume`.
    pub is_part: bool,
}

impl<'a> SoughtWord<'a> {
    /// A word that is said once.
    pub fn new(stems: &'a str) -> Self {
        Self { stems: Cow::Borrowed(stems), count: 1, sentence: 0, is_part: false }
    }

    fn first_stem(&self) -> &str {
        self.stems.split(' ').next().unwrap_or_default()
    }
}

/// The words of a question with their postings. Built by [`Index::look_up`].
pub struct Lookup {
    pub(crate) at: u32,
    /// The number of live items then.
    pub(crate) found: usize,
    /// The words that earn something, in the order of the question.
    pub(crate) terms: Vec<TermLookup>,
    /// All words of the question.
    words: Vec<WordLookup>,
    /// The words that are names of speakers, and the items of those.
    pub(crate) speakers: Vec<(usize, Vec<u32>)>,
    /// The weight of a match of the speaker.
    pub(crate) speaker_part: f64,
    talk: LengthNorm,
    chunks: LengthNorm,
}

/// What is known of a word, whether it earns something or not.
struct WordLookup {
    rarity: f64,
    holding: usize,
}

pub(crate) struct TermLookup {
    /// The number of the word in the question.
    pub(crate) word: usize,
    /// The number of its sentence, and the mark of its stem.
    pub(crate) sentence: usize,
    pub(crate) mark: u8,
    pub(crate) is_part: bool,
    /// Ascending positions of live items, and the count of the word in each.
    pub(crate) positions: Vec<u32>,
    pub(crate) counts: Vec<u32>,
    /// How rare it is, and more if the question says it several times.
    full_weight: f64,
    /// The weight of the word in the score, or 0 for the name of a speaker among other words.
    pub(crate) weight: f64,
}

/// The number of live items that were derived from others, of those that were not, and of the words of these.
#[derive(Default)]
struct Size {
    derived: usize,
    items: usize,
    words: u64,
}

/// Items by position, ascending, and the count of a word in each.
#[derive(Default)]
struct Found {
    positions: Vec<u32>,
    counts: Vec<u32>,
}

impl Found {
    /// The items that have one word or the other. The more frequent of both counts: a compound gives its parts and itself.
    fn or(self, other: Self) -> Self {
        if other.positions.is_empty() || self.positions.is_empty() {
            return if other.positions.is_empty() { self } else { other };
        }
        let (mut positions, mut counts) = (Vec::new(), Vec::new());
        let (mut one, mut two) = (0, 0);
        while one < self.positions.len() || two < other.positions.len() {
            let next = |found: &Self, at: usize| found.positions.get(at).copied().unwrap_or(u32::MAX);
            let position = next(&self, one).min(next(&other, two));
            let mut count = 0;
            if next(&self, one) == position {
                count = self.counts[one];
                one += 1;
            }
            if next(&other, two) == position {
                count = count.max(other.counts[two]);
                two += 1;
            }
            positions.push(position);
            counts.push(count);
        }
        Self { positions, counts }
    }
}

/// The effect of an item's length on the weight of its words.
struct LengthNorm {
    by_length: Vec<f32>,
    least: f32,
    per_word: f32,
}

impl LengthNorm {
    fn new((k1, b): (f32, f32), items: usize, words: u64) -> Self {
        let average = (words as f32 / items.max(1) as f32).max(1.0);
        let (least, per_word) = (k1 * (1.0 - b), k1 * b / average);
        let by_length = (0..1024).map(|length| least + per_word * length as f32).collect();
        Self { by_length, least, per_word }
    }

    fn of(&self, length: u32) -> f32 {
        match self.by_length.get(length as usize) {
            Some(norm) => *norm,
            None => self.least + self.per_word * length as f32,
        }
    }
}

impl Lookup {
    /// How rare a word is among the live items: its inverse document frequency.
    pub fn rarity(&self, word: usize) -> f64 {
        self.words[word].rarity
    }

    /// Whether a word is among those that earn something.
    pub fn is_looked_up(&self, word: usize) -> bool {
        self.terms.iter().any(|term| term.word == word)
    }

    pub(crate) fn total_weight(&self) -> f64 {
        self.terms.iter().map(|term| term.weight).sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// Whether a word is the name of a speaker in the space.
    pub fn is_speaker(&self, word: usize) -> bool {
        self.speakers.iter().any(|(speaker, _)| *speaker == word)
    }

    /// Lets names of speakers be words like others.
    pub fn ignore_speakers(&mut self) {
        self.speakers.clear();
        self.terms.iter_mut().for_each(|term| term.weight = term.full_weight);
    }

    /// The number of live items that contain a word, or that are by the speaker of that name.
    pub fn holding(&self, word: usize) -> usize {
        let spoken = self.speakers.iter().find(|(speaker, _)| *speaker == word);
        spoken.map_or(self.words[word].holding, |(_, positions)| positions.len())
    }

    /// The items that contain all of these words, apart from those that no item contains or that are not looked up; none if no word is left.
    pub fn holding_all(&self, index: &Index, words: &[usize]) -> Filter {
        let of = |word: &usize| self.terms.iter().find(|term| term.word == *word).map(|term| &term.positions[..]);
        let mut lists: Vec<&[u32]> = words.iter().filter_map(of).filter(|positions| !positions.is_empty()).collect();
        lists.sort_by_key(|list| list.len());
        let (first, others) = lists.split_first().map_or((&[][..], &[][..]), |(first, others)| (*first, others));
        let is_in_all = |position: &&u32| others.iter().all(|list| list.binary_search(position).is_ok());
        index.filter(first.iter().filter(is_in_all).map(|position| index.id_at(*position as usize)))
    }

    /// The share of a word's weight that its count in an item of this length earns, from 0 to 1.
    #[inline]
    pub(crate) fn saturation(&self, count: u32, length: u32, is_chunk: bool) -> f32 {
        let count = count as f32;
        count / (count + if is_chunk { &self.chunks } else { &self.talk }.of(length))
    }
}

impl Index {
    /// The codes of the languages other than the default that it has stems of.
    pub fn languages(&self) -> BTreeSet<&str> {
        let of_tail = self.tail.languages.iter().map(String::as_str);
        self.segments.iter().flat_map(|placed| placed.segment.languages()).chain(of_tail).collect()
    }

    /// Looks up words as of a revision.
    pub fn look_up(&self, asked: &[SoughtWord<'_>], at: u32) -> Lookup {
        let Size { derived, items, words: size } = self.size_at(at);
        let is_counted = |position: &&u32| !self.columns.is_derived(**position as usize);
        let mut terms: Vec<TermLookup> = Vec::with_capacity(asked.len());
        let mut words = Vec::with_capacity(asked.len());
        for (word, asked) in asked.iter().enumerate() {
            let Found { positions, counts } = self.look_up_word(&asked.stems, at);
            // What was derived from an item says its words again.
            let holding = if derived == 0 { positions.len() } else { positions.iter().filter(is_counted).count() };
            let (rarity, count) = (rarity(items, holding), f64::from(asked.count));
            words.push(WordLookup { rarity, holding: positions.len() });
            let weight = rarity * (BM25_K3 + 1.0) * count / (BM25_K3 + count);
            let (sentence, mark, is_part) = (asked.sentence, mark(asked.first_stem()), asked.is_part);
            terms.push(TermLookup { word, sentence, mark, is_part, positions, counts, full_weight: weight, weight });
        }
        if terms.len() > MAX_TERMS {
            // What no item has tells nothing, however rare it is.
            let is_nowhere = |term: &TermLookup| term.positions.is_empty();
            terms.sort_by(|one, other| {
                let by_weight = other.weight.total_cmp(&one.weight).then(one.word.cmp(&other.word));
                is_nowhere(one).cmp(&is_nowhere(other)).then(by_weight)
            });
            terms.truncate(MAX_TERMS);
            terms.sort_by_key(|term| term.word);
        }
        let speaking =
            |asked: &SoughtWord<'_>| self.look_up_one(&format!("{SPEAKER}{}", asked.first_stem()), at).positions;
        let speakers: Vec<(usize, Vec<u32>)> = asked
            .iter()
            .enumerate()
            .map(|(word, asked)| (word, speaking(asked)))
            .filter(|(_, positions)| !positions.is_empty())
            .collect();
        // A question about a person asks for what they said, not for who mentions them; provided that they are a main
        // speaker, so that no speaker's name can remove a word from everyone's questions.
        let is_main = |positions: &[u32]| positions.len() * MAIN_SPEAKER_ONE_IN >= items;
        let mut named: Vec<usize> =
            speakers.iter().filter(|(_, positions)| is_main(positions)).map(|(word, _)| *word).collect();
        // The parts of a name, such as McDonald, are no words of their own either.
        let whole = |word: &usize| (0..*word).rev().find(|before| !asked[*before].is_part);
        let parts = (0..asked.len()).filter(|word| asked[*word].is_part);
        named.extend(parts.filter(|part| whole(part).is_some_and(|whole| named.contains(&whole))).collect::<Vec<_>>());
        if named.len() < terms.len() {
            terms.iter_mut().filter(|term| named.contains(&term.word)).for_each(|term| term.weight = 0.0);
        }
        // A question that only names a person asks for what they said.
        let asks_for_names_only =
            !speakers.is_empty() && speakers.len() == asked.iter().filter(|word| !word.is_part).count();
        let speaker_part = if asks_for_names_only { ONLY_SPEAKER_WEIGHT } else { SPEAKER_WEIGHT };
        let (talk, chunks) = (LengthNorm::new(TALK_BM25, items, size), LengthNorm::new(CHUNK_BM25, items, size));
        Lookup { at, found: items + derived, terms, words, speakers, speaker_part, talk, chunks }
    }

    fn size_at(&self, at: u32) -> Size {
        if at == NOW {
            return Size { derived: self.live_derived, items: self.live, words: self.live_words };
        }
        let mut size = Size::default();
        for position in (0..self.len()).filter(|position| self.is_found(*position, at)) {
            if self.columns.is_derived(position) {
                size.derived += 1;
            } else {
                size.items += 1;
                size.words += u64::from(self.columns.lengths[position]);
            }
        }
        size
    }

    /// The live items that contain one of the stems, which are separated by spaces.
    fn look_up_word(&self, stems: &str, at: u32) -> Found {
        let mut found = stems.split(' ').map(|stem| self.look_up_one(stem, at));
        let first = found.next().unwrap_or_default();
        found.fold(first, Found::or)
    }

    /// The live items that contain a stem, and its count in each.
    fn look_up_one(&self, stem: &str, at: u32) -> Found {
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
        Found { positions, counts }
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
