//! How near a text and a name are, and what a text is about: by words and by the built-in embedder. Pure and the same on every machine.

use recordar_domain::text::{Language, Words, is_question_word};
use recordar_models::Embedder;
use std::collections::BTreeMap;

/// More words of a text are not what it is about.
const MAX_TERMS: usize = 12;
/// A text is looked at no further; it is more than a chunk has.
const MAX_LOOKED_AT: usize = 32 * 1024;
const MIN_TERM_CHARS: usize = 3;
/// What words count for, beside meaning.
const WORDS: f64 = 0.6;
/// How much more a word counts that stands in a heading, or in what is known of the source.
const EMPHASIS: f64 = 2.0;

/// Looks at texts, and remembers the words that it has seen.
pub(super) struct Likeness {
    language: Language,
    words: Words,
    embedder: Embedder,
}

/// A text as far as it can be compared.
pub(super) struct Seen {
    vector: Vec<i8>,
    /// By stem; how often it is there and how it is first spelled, in lower case.
    words: BTreeMap<String, (usize, String)>,
}

/// A word that a text is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    pub(super) stem: String,
    pub(super) spelled: String,
}

impl Likeness {
    pub(super) fn new(language: Language) -> Self {
        Self { language, words: Words::new(language), embedder: Embedder::default() }
    }

    pub(super) fn see(&mut self, text: &str) -> Seen {
        let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
        let mut words: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let language = self.language;
        self.words.each(text, |word, stem| {
            if !stem.is_empty() && !is_question_word(language, word) {
                words.entry(stem.to_owned()).or_insert_with(|| (0, word.to_owned())).0 += 1;
            }
        });
        Seen { vector: self.embedder.embed(text), words }
    }

    /// The words that a text is about, the most telling first. `emphasis` is a text whose words count more.
    pub(super) fn terms(&mut self, text: &Seen, emphasis: &Seen) -> Vec<Term> {
        let mut weighed: Vec<(f64, Term)> = Vec::new();
        for (stem, (count, spelled)) in &text.words {
            let is_name = spelled.chars().count() >= MIN_TERM_CHARS || !spelled.is_ascii();
            if !is_name || spelled.chars().any(|c| c.is_ascii_digit()) {
                continue;
            }
            let nearness = cosine(&self.embedder.embed(spelled), &text.vector).max(0.01);
            let emphasis = if emphasis.holds(stem) { EMPHASIS } else { 1.0 };
            // Twice as often is not twice as telling.
            let weight = nearness * (*count as f64).sqrt() * emphasis;
            weighed.push((weight, Term { stem: stem.clone(), spelled: spelled.clone() }));
        }
        weighed.sort_by(|(one, term), (other, next)| other.total_cmp(one).then_with(|| term.stem.cmp(&next.stem)));
        weighed.into_iter().take(MAX_TERMS).map(|(_, term)| term).collect()
    }
}

impl Seen {
    pub(super) fn holds(&self, stem: &str) -> bool {
        self.words.contains_key(stem)
    }
}

/// How near a name is to what a text is about, from 0 to 1.
pub(super) fn nearness_of_name(name: &Seen, text: &Seen, terms: &[Term]) -> f64 {
    let held = name.words.keys().filter(|stem| terms.iter().any(|term| term.stem == **stem)).count();
    combined(held, name.words.len(), &name.vector, &text.vector)
}

/// How near a question is to something that it may be about, from 0 to 1.
pub(super) fn nearness_of_question(question: &Seen, about: &Seen) -> f64 {
    let held = question.words.keys().filter(|stem| about.holds(stem)).count();
    combined(held, question.words.len(), &question.vector, &about.vector)
}

fn combined(held: usize, all: usize, one: &[i8], other: &[i8]) -> f64 {
    let share = if all == 0 { 0.0 } else { held as f64 / all as f64 };
    WORDS * share + (1.0 - WORDS) * cosine(one, other).max(0.0)
}

fn cosine(one: &[i8], other: &[i8]) -> f64 {
    let product = |a: &[i8], b: &[i8]| -> i64 { a.iter().zip(b).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum() };
    let lengths = product(one, one) as f64 * product(other, other) as f64;
    if lengths == 0.0 { 0.0 } else { product(one, other) as f64 / lengths.sqrt() }
}
