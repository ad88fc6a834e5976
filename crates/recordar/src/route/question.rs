//! What a question asks for, derived from its words alone: search terms, speaker and time.

use recordar_domain::text::{Language, Words, is_question_word, period};
use recordar_domain::{Action, Stage, Timestamp};
use recordar_index::{Index, Lookup, Mode as SearchMode};
use recordar_models::{Embedder, EmbedderName};

pub(crate) struct Question {
    /// The distinct words to look up, in the order of the question.
    pub(crate) words: Vec<Word>,
    /// Whether the user asks about themselves.
    pub(crate) is_first_person: bool,
    pub(crate) period: Option<(Timestamp, Timestamp)>,
}

pub(crate) struct Word {
    /// As written in the question, for the vector.
    pub(crate) spelled: String,
    pub(crate) stem: String,
}

/// At most this many distinct words are looked up.
const MAX_WORDS: usize = 64;

/// A longer word is truncated, as in the index.
const MAX_SHOWN_CHARS: usize = 64;

const FIRST_PERSON: [&str; 13] =
    ["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "i'm", "i've", "i'd", "i'll"];
const SECOND_PERSON: [&str; 3] = ["you", "your", "yours"];

impl Question {
    pub(crate) fn read(text: &str, language: Language, asked_at: Timestamp) -> (Self, Stage) {
        let mut stage = Stage::new("question");
        let mut spelled = Vec::new();
        recordar_domain::text::each_word(text, |word| spelled.push(word.to_owned()));
        let mut cutter = Words::new(language);
        let mut words: Vec<Word> = Vec::new();
        let (mut first_person, mut second_person) = (false, false);
        for spelled in spelled {
            let mut found = Vec::new();
            cutter.each(&spelled, |word, stem| found.push((word.to_owned(), stem.to_owned())));
            let is_single = found.len() == 1;
            for (word, stem) in found {
                let bare = word.strip_suffix("'s").unwrap_or(&word);
                first_person |= FIRST_PERSON.contains(&word.as_str());
                second_person |= SECOND_PERSON.contains(&word.as_str());
                if stem.is_empty() || is_question_word(language, bare) {
                    stage.decide(word, Action::Dropped, "common_word", "");
                } else if words.iter().any(|known| known.stem == stem) {
                    stage.decide(word, Action::Dropped, "repeated", "");
                } else if words.len() >= MAX_WORDS {
                    stage.decide(word, Action::Dropped, "too_many_words", format!("at most {MAX_WORDS} are looked up"));
                } else {
                    stage.decide(&word, Action::Kept, "word", format!("looked up as {stem}"));
                    // In a script without spaces, a pair of characters is the word.
                    let spelled = if is_single { spelled.chars().take(MAX_SHOWN_CHARS).collect() } else { word };
                    words.push(Word { spelled, stem });
                }
            }
        }
        let is_first_person = first_person && !second_person && language.name() == "english";
        let period = period(text, asked_at).filter(|_| language.name() == "english");
        if let Some((from, to)) = period {
            stage.decide("time", Action::Kept, "period", format!("from {from} to {to}"));
        }
        if is_first_person {
            stage.decide("speaker", Action::Kept, "first_person", "messages of the user get a small bonus");
        }
        (Self { words, is_first_person, period }, stage)
    }

    /// The question's vector, by the embedder of the index that is asked. Rare words of the space weigh more.
    pub(crate) fn vector(&self, text: &str, index: &Index, lookup: &Lookup, mode: SearchMode) -> Vec<i8> {
        if mode == SearchMode::Keyword {
            return Vec::new();
        }
        // An index is only ever made by one of ours.
        let mut embedder = Embedder::named(EmbedderName::parse(&index.make().model).unwrap_or_default());
        if self.words.is_empty() {
            return embedder.embed(text);
        }
        let words = self.words.iter().enumerate();
        embedder.embed_weighted(words.map(|(number, word)| (word.spelled.as_str(), lookup.rarity(number))))
    }

    pub(crate) fn stems(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.stem.as_str()).collect()
    }
}
