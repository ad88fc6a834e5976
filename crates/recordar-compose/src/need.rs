//! What must be known for a task, as words that weigh what they tell; and how much of it a text covers.

use crate::lexicon::Lexicon;
use crate::stems::{Reader, is_negated, numbers, sentences};
use std::collections::BTreeSet;

/// What must be known.
#[derive(Debug, Clone, Default)]
pub struct Need {
    words: Vec<NeedWord>,
    numbers: BTreeSet<String>,
    is_negated: bool,
}

#[derive(Debug, Clone)]
struct NeedWord {
    spelled: String,
    /// A text has the word if it has all stems of one of these.
    forms: Vec<Vec<String>>,
    weight: f64,
}

/// Words that a question has in passing: that no document has them says nothing. In order, so that a word is easily found.
const IN_PASSING: [&str; 104] = [
    "actually",
    "again",
    "all",
    "also",
    "answer",
    "answers",
    "any",
    "basically",
    "best",
    "better",
    "briefly",
    "correct",
    "correctly",
    "could",
    "does",
    "each",
    "else",
    "ever",
    "every",
    "exactly",
    "explain",
    "explains",
    "fit",
    "fits",
    "generally",
    "give",
    "gives",
    "good",
    "happen",
    "happened",
    "happens",
    "hello",
    "help",
    "helps",
    "hey",
    "instead",
    "just",
    "kind",
    "kinds",
    "know",
    "known",
    "large",
    "less",
    "like",
    "likes",
    "long",
    "look",
    "looking",
    "many",
    "maybe",
    "mean",
    "means",
    "more",
    "most",
    "much",
    "must",
    "need",
    "normally",
    "often",
    "okay",
    "perhaps",
    "please",
    "possible",
    "possibly",
    "probably",
    "proper",
    "properly",
    "question",
    "questions",
    "quickly",
    "really",
    "right",
    "roughly",
    "say",
    "shall",
    "should",
    "show",
    "shows",
    "simply",
    "small",
    "sorry",
    "sort",
    "speaking",
    "still",
    "tell",
    "thank",
    "thanks",
    "then",
    "thing",
    "things",
    "try",
    "trying",
    "turn",
    "understand",
    "usually",
    "want",
    "wanted",
    "wants",
    "way",
    "ways",
    "without",
    "wonder",
    "wondering",
    "would",
];

/// A number of so few digits stands in many texts that have nothing to do with it.
const SHORT_NUMBER: usize = 2;
const SHORT_NUMBER_WEIGHT: f64 = 0.3;

/// Later words are not read.
const MAX_WORDS: usize = 64;

/// Numbers that are asked for and missing, and a denial on one side only, count against a text.
const MISSING_NUMBER: f64 = 0.8;
const OTHER_POLARITY: f64 = 0.9;

/// The parts of support: all words anywhere, the most in one sentence and its neighbours.
const ANYWHERE: f64 = 0.5;
const TOGETHER: f64 = 0.5;

impl Need {
    /// Reads what must be known. `weight` says how much a word tells, by its stems.
    pub fn read(text: &str, lexicon: &Lexicon, reader: &mut Reader, weight: impl Fn(&[String]) -> f64) -> Self {
        let in_order = reader.stems_in_order(text);
        let mut words: Vec<NeedWord> = Vec::new();
        for (spelled, stems) in reader.asked(text) {
            if words.len() == MAX_WORDS {
                break;
            }
            if words.iter().any(|known| known.forms.first().is_some_and(|form| stems.contains(&form[0]))) {
                continue;
            }
            let instead = stems.iter().flat_map(|stem| lexicon.instead_of(stem, &in_order)).collect::<Vec<_>>();
            let mut weight = weight(&stems).max(0.0);
            if spelled.len() <= SHORT_NUMBER && spelled.chars().all(|c| c.is_ascii_digit()) {
                weight *= SHORT_NUMBER_WEIGHT;
            }
            let forms = stems.into_iter().map(|stem| vec![stem]).chain(instead).collect();
            words.push(NeedWord { spelled, forms, weight });
        }
        let numbers = numbers(text).into_iter().map(str::to_owned).collect();
        Self { words, numbers, is_negated: is_negated(text) }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The weight of all its words together.
    pub(crate) fn total_weight(&self) -> f64 {
        self.words.iter().map(|word| word.weight).sum()
    }

    /// The weight of each word that a set of stems has, and 0 for the others.
    pub(crate) fn found(&self, stems: &BTreeSet<String>) -> Vec<f64> {
        let has = |word: &NeedWord| word.forms.iter().any(|form| form.iter().all(|stem| stems.contains(stem)));
        self.words.iter().map(|word| if has(word) { word.weight } else { 0.0 }).collect()
    }

    /// The words that no text of several has, as they were written.
    pub(crate) fn missing(&self, found: &[Vec<f64>]) -> Vec<&str> {
        let is_missing = |at: &usize| found.iter().all(|found| found[*at] == 0.0);
        let words = (0..self.words.len()).filter(|at| self.words[*at].weight > 0.0).filter(is_missing);
        let words = words.map(|at| self.words[at].spelled.as_str());
        words.filter(|word| word.len() > 2 && !IN_PASSING.contains(&word.to_lowercase().as_str())).collect()
    }

    /// The share of the weight that a set of stems covers, from 0 to 1.
    pub(crate) fn coverage(&self, stems: &BTreeSet<String>) -> f64 {
        let all: f64 = self.words.iter().map(|word| word.weight).sum();
        let found: f64 = self.found(stems).iter().sum();
        if all > 0.0 { found / all } else { 0.0 }
    }

    /// How much a text supports what must be known, from 0 to 1: its words, how close together they stand, numbers, and denials.
    pub fn support(&self, text: &str, reader: &mut Reader) -> f64 {
        let of: Vec<BTreeSet<String>> =
            sentences(text).into_iter().map(|sentence| reader.stems(&text[sentence])).collect();
        let all: BTreeSet<String> = of.iter().flatten().cloned().collect();
        let near = of.windows(3.min(of.len().max(1))).map(|near| near.iter().flatten().cloned().collect());
        let together = near.map(|near: BTreeSet<String>| self.coverage(&near)).fold(0.0, f64::max);
        let mut support = ANYWHERE * self.coverage(&all) + TOGETHER * together;
        let has = numbers(text);
        if self.numbers.iter().any(|number| !has.contains(number.as_str())) {
            support *= MISSING_NUMBER;
        }
        if self.is_negated && !is_negated(text) {
            support *= OTHER_POLARITY;
        }
        support
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::text::Language;

    fn support(need: &str, text: &str) -> f64 {
        let mut reader = Reader::new(Language::ENGLISH);
        let groups = [vec!["NVH".to_owned(), "vehicle acoustics".to_owned()]];
        let lexicon = Lexicon::new(&groups, &mut reader);
        let need = Need::read(need, &lexicon, &mut reader, |_| 1.0);
        need.support(text, &mut reader)
    }

    #[test]
    fn ret_05_a_text_supports_what_it_speaks_of() {
        let asked = "What pressure does the pump need?";
        assert_eq!(support(asked, "The pump needs a pressure of 3 bar."), 1.0);
        assert!(support(asked, "The pump is red.") < 0.5);
        assert_eq!(support(asked, "Lunch is at noon."), 0.0);
        let apart = "The pump is red. It was bought. It is old. It is loud. The pressure is high. They need it.";
        assert!(support(asked, apart) < 1.0 && support(asked, apart) > 0.5);
        assert!(
            support("sales of 2024", "The sales of 2023 fell.") < support("sales of 2024", "The sales of 2024 fell.")
        );
        assert!(
            support("who does not eat fish", "Ana eats fish.")
                < support("who does not eat fish", "Ana does not eat fish.")
        );
        assert_eq!(support("NVH results", "The results of vehicle acoustics are in."), 1.0);
        assert_eq!(support("", "x"), 0.0);
    }
}
