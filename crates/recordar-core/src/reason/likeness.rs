//! Similarity of a text and a name, and the main words of a text: by words and the built-in embedder. Pure; the same on every machine.

use recordar_domain::Digest;
use recordar_domain::text::{Language, Words, is_question_word};
use recordar_models::Embedder;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Maximum number of main words of a text.
const MAX_TERMS: usize = 12;
/// Only this much of a text is considered; it is more than a chunk has.
const MAX_LOOKED_AT: usize = 32 * 1024;
const MIN_TERM_CHARS: usize = 3;
/// The weight of words, relative to meaning.
const WORDS: f64 = 0.6;
/// How much more a word weighs in a heading or in the source's description.
const EMPHASIS: f64 = 2.0;

/// Compares texts, with a cache: the same names and chunks recur on every level.
pub(super) struct Likeness {
    language: Language,
    words: Words,
    embedder: Embedder,
    names: HashMap<String, Rc<Seen>>,
    texts: HashMap<Digest, Rc<Text>>,
    /// Of single words.
    vectors: HashMap<String, Vector>,
}

struct Vector {
    components: Vec<i8>,
    /// The square of its length.
    square: i64,
}

/// A text prepared for comparison.
pub(super) struct Seen {
    vector: Vector,
    /// By stem: its frequency, and its first spelling in lower case.
    words: BTreeMap<String, (usize, String)>,
}

/// A text with the weight of each of its words.
pub(super) struct Text {
    pub(super) seen: Seen,
    weights: Vec<(f64, Term)>,
}

/// A main word of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    pub(super) stem: String,
    pub(super) spelled: String,
}

/// Maximum entries of the cache.
const MAX_NAMES: usize = 4_096;
const MAX_TEXTS: usize = 1_024;
const MAX_WORDS: usize = 16_384;

thread_local! {
    static LIKENESS: RefCell<Option<Likeness>> = const { RefCell::new(None) };
}

/// Runs something with this thread's cache. The cache affects speed only.
pub(super) fn with_likeness<T>(language: Language, work: impl FnOnce(&mut Likeness) -> T) -> T {
    LIKENESS.with_borrow_mut(|kept| {
        let likeness = match kept.take() {
            Some(likeness) if likeness.language == language => likeness,
            _ => Likeness::new(language),
        };
        work(kept.insert(likeness))
    })
}

impl Likeness {
    fn new(language: Language) -> Self {
        Self {
            language,
            words: Words::new(language),
            embedder: Embedder::default(),
            names: HashMap::new(),
            texts: HashMap::new(),
            vectors: HashMap::new(),
        }
    }

    /// A short text that recurs often.
    pub(super) fn name(&mut self, name: &str) -> Rc<Seen> {
        if let Some(seen) = self.names.get(name) {
            return Rc::clone(seen);
        }
        if self.names.len() >= MAX_NAMES {
            self.names.clear();
        }
        let seen = Rc::new(self.see(name));
        self.names.insert(name.to_owned(), Rc::clone(&seen));
        seen
    }

    /// A text whose words are weighted.
    pub(super) fn text(&mut self, text: &str) -> Rc<Text> {
        let digest = Digest::of(text);
        if let Some(text) = self.texts.get(&digest) {
            return Rc::clone(text);
        }
        if self.texts.len() >= MAX_TEXTS {
            self.texts.clear();
        }
        let seen = self.see(text);
        let text = Rc::new(Text { weights: self.weights(&seen), seen });
        self.texts.insert(digest, Rc::clone(&text));
        text
    }

    /// A text that is compared once.
    pub(super) fn see(&mut self, text: &str) -> Seen {
        let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
        let mut words: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let language = self.language;
        self.words.each(text, |word, stem| {
            if !stem.is_empty() && !is_question_word(language, word) {
                match words.get_mut(stem) {
                    Some((count, _)) => *count += 1,
                    None => drop(words.insert(stem.to_owned(), (1, word.to_owned()))),
                }
            }
        });
        Seen { vector: Vector::new(self.embedder.embed(text)), words }
    }

    fn nearness_of_word(&mut self, word: &str, text: &Vector) -> f64 {
        if let Some(vector) = self.vectors.get(word) {
            return vector.cosine(text);
        }
        if self.vectors.len() >= MAX_WORDS {
            self.vectors.clear();
        }
        let vector = Vector::new(self.embedder.embed(word));
        let nearness = vector.cosine(text);
        self.vectors.insert(word.to_owned(), vector);
        nearness
    }

    fn weights(&mut self, text: &Seen) -> Vec<(f64, Term)> {
        let mut weights = Vec::with_capacity(text.words.len());
        for (stem, (count, spelled)) in &text.words {
            let is_name = spelled.chars().count() >= MIN_TERM_CHARS || !spelled.is_ascii();
            if !is_name || spelled.chars().any(|c| c.is_ascii_digit()) {
                continue;
            }
            let nearness = self.nearness_of_word(spelled, &text.vector).max(0.01);
            // Twice as frequent is not twice as important.
            let weight = nearness * (*count as f64).sqrt();
            weights.push((weight, Term { stem: stem.clone(), spelled: spelled.clone() }));
        }
        weights
    }
}

impl Text {
    /// The main words, most important first. Those of `emphasis` weigh more.
    pub(super) fn terms(&self, emphasis: &Seen) -> Vec<&Term> {
        let weighed =
            |(weight, term): &'_ (f64, Term)| weight * if emphasis.holds(&term.stem) { EMPHASIS } else { 1.0 };
        let mut terms: Vec<(f64, &Term)> = self.weights.iter().map(|entry| (weighed(entry), &entry.1)).collect();
        terms.sort_by(|(one, term), (other, next)| other.total_cmp(one).then_with(|| term.stem.cmp(&next.stem)));
        terms.into_iter().take(MAX_TERMS).map(|(_, term)| term).collect()
    }
}

impl Seen {
    pub(super) fn holds(&self, stem: &str) -> bool {
        self.words.contains_key(stem)
    }
}

/// Similarity of a name and the main words of a text, from 0 to 1.
pub(super) fn nearness_of_name(name: &Seen, text: &Seen, terms: &[&Term]) -> f64 {
    let held = name.words.keys().filter(|stem| terms.iter().any(|term| term.stem == **stem)).count();
    combined(held, name.words.len(), &name.vector, &text.vector)
}

/// Similarity of a question and a possible subject, from 0 to 1.
pub(super) fn nearness_of_question(question: &Seen, about: &Seen) -> f64 {
    let held = question.words.keys().filter(|stem| about.holds(stem)).count();
    combined(held, question.words.len(), &question.vector, &about.vector)
}

/// Similarity of a term with its description and a clause, from 0 to 1: by meaning, and more if the clause has a word of it.
pub(super) fn nearness_of_term(term: &Seen, clause: &Seen) -> f64 {
    const SHARED_WORD: f64 = 0.25;
    let shares = clause.words.keys().any(|stem| term.holds(stem));
    let cosine = term.vector.cosine(&clause.vector).max(0.0);
    if shares { cosine + SHARED_WORD * (1.0 - cosine) } else { cosine }
}

fn combined(held: usize, all: usize, one: &Vector, other: &Vector) -> f64 {
    let share = if all == 0 { 0.0 } else { held as f64 / all as f64 };
    WORDS * share + (1.0 - WORDS) * one.cosine(other).max(0.0)
}

impl Vector {
    fn new(components: Vec<i8>) -> Self {
        let square = product(&components, &components);
        Self { components, square }
    }

    fn cosine(&self, other: &Self) -> f64 {
        let lengths = self.square as f64 * other.square as f64;
        if lengths == 0.0 { 0.0 } else { product(&self.components, &other.components) as f64 / lengths.sqrt() }
    }
}

fn product(one: &[i8], other: &[i8]) -> i64 {
    // A component is at most 127, so 32 bits are enough for any vector length.
    let sum: i32 = one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum();
    i64::from(sum)
}
