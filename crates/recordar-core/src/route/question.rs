//! What a question asks for, derived from its words alone: search terms, speaker and time.

use super::phrase::Phrase;
use crate::assemble::Meaning;
use recordar_domain::text::{
    AskedWord, Asking, Language, Terms, asked, each_word, is_question_word, is_saying_word, period, sentence_ends,
    shown_period,
};
use recordar_domain::{Action, Stage, Timestamp};
use recordar_index::{Index, Lookup, Mode as SearchMode, SoughtWord};
use recordar_models::{Embedder, EmbedderName};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

pub struct Question {
    /// The distinct words to look up, in the order of the question.
    pub words: Vec<Word>,
    /// Whether the user asks about themselves.
    pub is_first_person: bool,
    pub period: Option<(Timestamp, Timestamp)>,
    /// Whether the user asks how to do something.
    asks_how: bool,
    /// What must stand in an item word for word.
    pub(super) phrases: Vec<Phrase>,
    setting: Language,
    /// What was looked up in spaces that hold other languages, by those.
    in_languages: Mutex<BTreeMap<String, Vec<String>>>,
}

pub struct Word {
    /// As written in the question, for the vector.
    pub spelled: String,
    /// The stems that it is looked up by, separated by spaces. Any of them will do.
    pub stems: String,
    asked: AskedWord,
    /// How often the question says it, and the number of the sentence that says it first.
    count: u32,
    sentence: usize,
}

/// "How do I …" asks for a way, not for what one told.
const HOW_TO: [&str; 8] = ["do", "can", "could", "should", "would", "to", "might", "does"];
/// Later distinct words of a question are not read.
const MAX_WORDS: usize = 256;

/// Whether a question is about what someone said: "What did Ada ...", "What has she ...".
fn asks_what_was_said(words: &[AskedWord]) -> bool {
    let mut begun = words.iter().map(|word| word.word.as_str()).take(MAX_WORDS_TO_VERB);
    begun.any(|word| matches!(word, "what" | "which" | "who"))
        && begun.any(|word| matches!(word, "did" | "does" | "has" | "had" | "have"))
}

/// The question word and its verb are among the first words.
const MAX_WORDS_TO_VERB: usize = 8;

impl Question {
    /// Whether something must stand in an item word for word.
    pub fn has_phrases(&self) -> bool {
        !self.phrases.is_empty()
    }

    /// "Where do we live?", not "How do I convert miles?".
    pub fn asks_of_oneself(&self) -> bool {
        self.is_first_person && !self.asks_how
    }

    pub fn read(text: &str, setting: Language, asked_at: Timestamp) -> (Self, Stage) {
        let mut stage = Stage::new("question");
        let mut terms = Terms::new(setting);
        let (language, mut found) = terms.question(text);
        if language.is_english() {
            add_other_words(text, &mut found, &mut terms, &mut stage);
        }
        let mut words: Vec<Word> = Vec::new();
        // "What did Ada ask?" asks for what Ada said, whatever the verb.
        let is_about_saying = asks_what_was_said(&found);
        for asked in found {
            let word = asked.word.as_str();
            let bare = word.strip_suffix("'s").unwrap_or(word);
            if asked.stems.is_empty()
                || is_question_word(language, bare)
                || (is_about_saying && is_saying_word(language, bare))
            {
                stage.decide(word, Action::Dropped, "common_word", "");
            } else if let Some(known) = words.iter_mut().find(|known| known.asked.own_stem() == asked.own_stem()) {
                known.count += 1;
                stage.decide(word, Action::Dropped, "repeated", "");
            } else if words.len() >= MAX_WORDS {
                stage.decide(
                    word,
                    Action::Dropped,
                    "too_many_words",
                    format!("only {MAX_WORDS} different words are read"),
                );
            } else {
                stage.decide(word, Action::Kept, "word", format!("looked up as {}", asked.shown_stems()));
                let (spelled, stems) = (asked.spelled.clone(), asked.stems.clone());
                words.push(Word { spelled, stems, asked, count: 1, sentence: 0 });
            }
        }
        number_sentences(&mut words, text);
        let asking = Asking::of(text);
        let is_first_person = asking.of_oneself && !asking.of_the_other && language.is_english();
        let begins: Vec<String> = text.split_whitespace().take(2).map(str::to_lowercase).collect();
        let asks_how = matches!(&begins[..], [how, verb] if how == "how" && HOW_TO.contains(&verb.as_str()));
        let period = if language.is_english() { period(text, asked_at) } else { None };
        if let Some(period) = period {
            stage.decide("time", Action::Kept, "period", shown_period(period));
        }
        if is_first_person {
            stage.decide("speaker", Action::Kept, "first_person", "messages of the user get a small bonus");
        }
        let phrases = Phrase::all(text);
        (Self { words, is_first_person, period, asks_how, phrases, setting, in_languages: Mutex::default() }, stage)
    }

    /// The question's vector, by the embedder of the index that is asked. Rare words of the space weigh more.
    pub fn vector(&self, text: &str, index: &Index, lookup: &Lookup, mode: SearchMode) -> Vec<i8> {
        if mode == SearchMode::Keyword {
            return Vec::new();
        }
        // Another embedder is the caller's, and is asked elsewhere.
        let Some(name) = EmbedderName::parse(&index.make().model) else { return Vec::new() };
        let mut embedder = Embedder::named(name);
        if self.words.is_empty() {
            return embedder.embed(text);
        }
        let words = self.words.iter().enumerate().filter(|(_, word)| !word.asked.is_part);
        embedder.embed_weighted(words.map(|(number, word)| (word.spelled.as_str(), lookup.rarity(number))))
    }

    /// What compares texts with it by meaning.
    pub fn meaning(&self) -> Meaning {
        let words = self.words.iter().filter(|word| !word.asked.is_part);
        Meaning::of(words.map(|word| word.spelled.as_str()))
    }

    /// What to look up in an index: in other languages only if it holds them.
    pub fn asked(&self, index: &Index) -> Vec<SoughtWord<'_>> {
        let languages: Vec<&str> = index.languages().into_iter().collect();
        let mut terms = Terms::new(self.setting);
        let mut sought = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let stems = match &languages[..] {
                [] => Cow::Borrowed(word.stems.as_str()),
                codes => Cow::Owned(terms.in_languages(codes, &word.asked)),
            };
            sought.push(SoughtWord { stems, count: word.count, sentence: word.sentence, is_part: word.asked.is_part });
        }
        if !languages.is_empty()
            && let Ok(mut in_languages) = self.in_languages.lock()
        {
            let stems = sought.iter().map(|word| word.stems.to_string()).collect();
            in_languages.insert(languages.join(" "), stems);
        }
        sought
    }

    /// What was looked up for each word, as it is spelled.
    pub fn looked_up(&self) -> BTreeMap<&str, String> {
        let own = self.words.iter().map(|word| (word.spelled.as_str(), word.stems.clone()));
        let mut found: BTreeMap<&str, String> = own.collect();
        if let Ok(in_languages) = self.in_languages.lock() {
            for (word, stems) in in_languages.values().flat_map(|stems| self.words.iter().zip(stems)) {
                // The word's own stems come first in each of them.
                let more = stems.strip_prefix(&word.stems).unwrap_or(stems);
                found.entry(&word.spelled).or_default().push_str(more);
            }
        }
        found
    }
}

/// "Where do I live?" is answered by "we moved to Lisbon", too.
fn add_other_words(text: &str, words: &mut [AskedWord], terms: &mut Terms, stage: &mut Stage) {
    let Some((asking, stating)) = asked(text).and_then(|asked| asked.stated_by()) else { return };
    let Some(word) = words.iter_mut().find(|word| asking.contains(&word.word.as_str()) && !word.stems.is_empty())
    else {
        return;
    };
    // One by one: side by side they would be parts of one word.
    for other in stating.split(' ').flat_map(|other| terms.question(other).1) {
        if !word.stems.split(' ').any(|stem| stem == other.stems) {
            word.stems.push(' ');
            word.stems.push_str(&other.stems);
        }
    }
    stage.decide(word.word.as_str(), Action::Kept, "stated_otherwise", format!("people state it by: {stating}"));
}

/// Gives each word the number of the sentence that says it first: words of two sentences do not belong together.
fn number_sentences(words: &mut [Word], text: &str) {
    let mut said = BTreeSet::new();
    let mut start = 0;
    for (number, end) in sentence_ends(text).enumerate() {
        each_word(&text[start..end], |spelled| {
            if said.insert(spelled.to_owned())
                && let Some(word) = words.iter_mut().find(|word| word.spelled == spelled)
            {
                word.sentence = number;
            }
        });
        start = end;
    }
}
