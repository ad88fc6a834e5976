//! Texts as stems and sentences, in one place, so that all that is compared is read alike.

use recordar_domain::text::{Language, Terms, is_question_word, sentence_ends};
use std::collections::BTreeSet;
use std::ops::Range;

/// Reads texts. It caches stems, so one is used for a whole composition.
pub struct Reader {
    terms: Terms,
    likeness: Option<Likeness>,
}

/// How near a text is to a need in meaning, from -1 to 1.
type Likeness = Box<dyn FnMut(&str) -> f64>;

impl Reader {
    pub fn new(language: Language) -> Self {
        Self { terms: Terms::new(language), likeness: None }
    }

    /// From now on, texts are compared with a need by meaning, too.
    pub fn compare_with(&mut self, likeness: impl FnMut(&str) -> f64 + 'static) {
        self.likeness = Some(Box::new(likeness));
    }

    /// How near a text is to the need in meaning; 0 if nothing tells.
    pub(crate) fn likeness(&mut self, text: &str) -> f64 {
        self.likeness.as_mut().map_or(0.0, |likeness| likeness(text))
    }

    /// The stems of the words that count, as they stand.
    pub fn stems_in_order(&mut self, text: &str) -> Vec<String> {
        let mut stems = Vec::new();
        let language = self.terms.language_of(text);
        self.terms.each(language, text, |term| {
            if !term.stem.is_empty() && !term.is_extra {
                stems.push(term.stem.to_owned());
            }
        });
        stems
    }

    /// The same as a set, with the other forms of words.
    pub(crate) fn stems(&mut self, text: &str) -> BTreeSet<String> {
        let mut stems = BTreeSet::new();
        let language = self.terms.language_of(text);
        self.terms.each(language, text, |term| {
            if !term.stem.is_empty() {
                stems.insert(term.stem.to_owned());
            }
        });
        stems
    }

    /// The language that a text is read in.
    pub(crate) fn language_of(&self, text: &str) -> Language {
        self.terms.language_of(text)
    }

    /// The stem of one word, or the word itself if it is one that is skipped.
    pub(crate) fn key(&mut self, language: Language, word: &str) -> String {
        self.stem(language, word).unwrap_or_else(|| word.to_owned())
    }

    /// Whether a word is skipped because nearly every sentence has it.
    pub(crate) fn is_stop(&mut self, language: Language, word: &str) -> bool {
        self.stem(language, word).is_none()
    }

    fn stem(&mut self, language: Language, word: &str) -> Option<String> {
        let mut stem = None;
        self.terms.each(language, word, |term| {
            if stem.is_none() && !term.stem.is_empty() && !term.is_extra {
                stem = Some(term.stem.to_owned());
            }
        });
        stem
    }

    /// The words of a question that count: as written, with the stems that they are looked up by.
    pub(crate) fn asked(&mut self, text: &str) -> Vec<(String, Vec<String>)> {
        let (language, words) = self.terms.question(text);
        let counts = words.into_iter().filter(|word| !word.stems.is_empty() && !word.is_part);
        let tells = counts.filter(|word| !is_question_word(language, &word.word));
        tells.map(|word| (word.spelled, word.stems.split(' ').map(str::to_owned).collect())).collect()
    }
}

/// The sentences of a text, without the space around them.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for end in sentence_ends(text) {
        let skipped = text[start..end].len() - text[start..end].trim_start().len();
        found.push(start + skipped..end);
        start = end;
    }
    found
}

/// The numbers in a text, such as 3, 2.5 and 2024-05-01.
pub(crate) fn numbers(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | ':' | '/');
    let runs = text.split(|c: char| !is_part(c)).map(|run| run.trim_matches(|c: char| !c.is_ascii_digit()));
    runs.filter(|run| !run.is_empty()).collect()
}

/// Whether a sentence denies something.
pub(crate) fn is_negated(sentence: &str) -> bool {
    const NEGATIONS: [&str; 9] = ["not", "no", "never", "none", "without", "cannot", "nor", "neither", "nothing"];
    sentence.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}').any(|word| {
        let word = word.to_lowercase().replace('\u{2019}', "'");
        NEGATIONS.contains(&word.as_str()) || word.ends_with("n't")
    })
}
