//! The words of documents as numbers, and how much each says about a document.

use recordar_domain::text::{Language, Words, is_question_word};
use std::collections::{BTreeMap, HashMap};

/// Most words that describe a document.
const MAX_TERMS: usize = 48;
/// Words in more than this share of the documents tell nothing apart.
const MOST_SHARE: f64 = 0.4;
const MIN_CHARS: usize = 3;

/// How much a word weighs by where it stands.
pub(super) const IN_TITLE: f64 = 4.0;
pub(super) const IN_FOLDER: f64 = 2.0;
pub(super) const IN_HEADING: f64 = 1.5;
pub(super) const IN_TEXT: f64 = 1.0;

/// Stems of English words that titles begin with and that tell nothing about a subject.
const GENERIC: [&str; 41] = [
    "about",
    "ad",
    "add",
    "allow",
    "best",
    "build",
    "chang",
    "choos",
    "creat",
    "defin",
    "develop",
    "enabl",
    "exampl",
    "follow",
    "feel",
    "fix",
    "get",
    "guid",
    "handl",
    "how",
    "introduc",
    "introduct",
    "learn",
    "let",
    "make",
    "manag",
    "new",
    "overview",
    "part",
    "requir",
    "see",
    "set",
    "start",
    "step",
    "string",
    "to",
    "understand",
    "updat",
    "use",
    "view",
    "work",
];

/// A word by its number.
pub(super) type Term = u32;

pub(super) struct Vocabulary {
    language: Language,
    words: Words,
    terms: HashMap<String, Term>,
    stems: Vec<String>,
    /// How names spell each word, and how often. The first is from anywhere.
    spellings: Vec<BTreeMap<String, u32>>,
    /// How often names have each.
    in_names: Vec<u32>,
    /// How often names have one word right after another.
    pairs: HashMap<(Term, Term), u32>,
    /// In how many documents each is.
    documents: Vec<u32>,
    count: u32,
}

/// The words of one document, with their weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Bag {
    weights: BTreeMap<Term, f64>,
}

impl Vocabulary {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            words: Words::new(language),
            terms: HashMap::new(),
            stems: Vec::new(),
            spellings: Vec::new(),
            in_names: Vec::new(),
            pairs: HashMap::new(),
            documents: Vec::new(),
            count: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Adds the words of a text to a bag.
    pub(super) fn add(&mut self, bag: &mut Bag, text: &str, weight: f64) {
        let Self { language, words, terms, stems, spellings, in_names, documents, .. } = self;
        words.each(text, |word, stem| {
            let is_word = word.chars().count() >= MIN_CHARS || !word.is_ascii();
            let is_number = word.chars().any(|c| c.is_ascii_digit());
            if stem.is_empty() || !is_word || is_number || is_question_word(*language, word) {
                return;
            }
            let term = match terms.get(stem) {
                Some(term) => *term,
                None => {
                    let term = spellings.len() as Term;
                    terms.insert(stem.to_owned(), term);
                    stems.push(stem.to_owned());
                    spellings.push(BTreeMap::from([(word.to_owned(), 1)]));
                    in_names.push(0);
                    documents.push(0);
                    term
                }
            };
            *bag.weights.entry(term).or_default() += weight;
        });
    }

    /// Adds a name, and remembers how it spells its words.
    pub(super) fn add_name(&mut self, bag: &mut Bag, name: &str, weight: f64) {
        self.add(bag, name, weight);
        let mut before = None;
        for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let mut found = None;
            let terms = &self.terms;
            self.words.each(word, |_, stem| found = terms.get(stem).copied());
            if let Some(term) = found {
                *self.spellings[term as usize].entry(word.to_owned()).or_default() += 1;
                self.in_names[term as usize] += 1;
                if let Some(before) = before {
                    *self.pairs.entry((before, term)).or_default() += 1;
                }
            }
            before = found;
        }
    }

    /// Counts a document that is complete.
    pub(super) fn count(&mut self, bag: &Bag) {
        self.count += 1;
        bag.weights.keys().for_each(|term| self.documents[*term as usize] += 1);
    }

    /// The words that say most about a document, with their weights, as a vector of length one.
    pub(super) fn vector(&self, bag: &Bag) -> Vec<(Term, f64)> {
        let weighed = |(term, weight): (&Term, &f64)| {
            let found = f64::from(self.documents[*term as usize]);
            // A word of one document tells it from all others, and joins it with none.
            let is_telling =
                (found > 1.0 || self.count < 4) && (self.count < 8 || found <= MOST_SHARE * f64::from(self.count));
            is_telling.then(|| (*term, libm::sqrt(*weight) * libm::log(1.0 + f64::from(self.count) / found)))
        };
        let mut terms: Vec<(Term, f64)> = bag.weights.iter().filter_map(weighed).collect();
        terms.sort_by(|(one, weight), (other, more)| more.total_cmp(weight).then(one.cmp(other)));
        terms.truncate(MAX_TERMS);
        terms.sort_by_key(|(term, _)| *term);
        let length = libm::sqrt(terms.iter().map(|(_, weight)| weight * weight).sum());
        if length > 0.0 {
            terms.iter_mut().for_each(|(_, weight)| *weight /= length);
        }
        terms
    }

    /// Whether a category may be named by it: documents use it in their names, and it says something.
    pub(super) fn is_name(&self, term: Term) -> bool {
        const IN_FEW: u32 = 8;
        let least = if self.count < IN_FEW { 1 } else { 2 };
        let is_generic = self.language.is_english() && GENERIC.contains(&self.stem(term));
        self.in_names[term as usize] >= least && !is_generic
    }

    /// Two words as names write them next to each other, if they often do.
    pub(super) fn phrase(&self, one: Term, other: Term) -> Option<String> {
        const OFTEN: u32 = 3;
        let count = |pair: (Term, Term)| self.pairs.get(&pair).copied().unwrap_or(0);
        let (first, second) = if count((one, other)) >= count((other, one)) { (one, other) } else { (other, one) };
        let rest = self.spelling(second);
        // Only a word that is written in capitals keeps them.
        let is_plain = rest.chars().skip(1).all(|c| !c.is_uppercase());
        let rest = if is_plain { rest.to_lowercase() } else { rest };
        (count((first, second)) >= OFTEN).then(|| format!("{} {rest}", self.spelling(first)))
    }

    /// The share of the documents that have it.
    pub(super) fn share(&self, term: Term) -> f64 {
        f64::from(self.documents[term as usize]) / f64::from(self.count.max(1))
    }

    /// How names spell it most often; a spelling with capitals wins over one without.
    pub(super) fn spelling(&self, term: Term) -> String {
        let spellings = &self.spellings[term as usize];
        let is_plain = |word: &str| word.chars().all(|c| !c.is_uppercase());
        let best = spellings.iter().max_by(|(one, count), (other, more)| {
            let order = count.cmp(more).then_with(|| is_plain(other).cmp(&is_plain(one)));
            order.then_with(|| other.cmp(one))
        });
        let word = best.map_or(String::new(), |(word, _)| word.clone());
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    }

    pub(super) fn stem(&self, term: Term) -> &str {
        &self.stems[term as usize]
    }

    /// The known words of a text.
    pub(super) fn terms_of(&mut self, text: &str) -> Vec<Term> {
        let (mut found, terms) = (Vec::new(), &self.terms);
        self.words.each(text, |_, stem| found.extend(terms.get(stem).copied()));
        found.sort_unstable();
        found.dedup();
        found
    }
}
