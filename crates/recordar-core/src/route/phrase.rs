//! Words in quotes: they must stand in an item word for word.

use super::question::Question;
use crate::error::Error;
use crate::index::IndexView;
use recordar_domain::text::plain_words;
use recordar_domain::{Action, SpaceName, Stage};
use recordar_index::{Filter, Lookup};

/// More phrases of a question, and longer ones, are words like others.
const MAX_PHRASES: usize = 8;
const MAX_PHRASE_WORDS: usize = 32;
/// In a longer question, quotes are part of what was pasted.
const MAX_QUESTION_WORDS: usize = 64;
/// If more items have the words of a phrase, their texts are not read.
const MAX_TEXTS: usize = 20_000;

/// A question in a whole sentence quotes titles and names: "When did Kim read “Emma”?" is answered by "I read it in May". Measured on LoCoMo, where
/// requiring them lost one answer in 200.
const ASKING: [&str; 24] = [
    "what", "when", "where", "who", "whom", "whose", "which", "why", "how", "do", "does", "did", "is", "are", "was",
    "were", "has", "have", "had", "can", "could", "would", "will", "should",
];

/// Words that must follow each other, in lower case and without accents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase(Vec<String>);

impl Phrase {
    /// The phrases of a question.
    pub(super) fn all(question: &str) -> Vec<Self> {
        let words = plain_words(question);
        let is_sentence =
            question.trim_end().ends_with('?') && words.first().is_some_and(|word| ASKING.contains(&&**word));
        if words.len() > MAX_QUESTION_WORDS || is_sentence {
            return Vec::new();
        }
        let parts = question.split(['"', '“', '”', '„']);
        let is_closed = question.matches(['"', '“', '”', '„']).count() & !1;
        let quoted = parts.enumerate().filter(|(number, _)| number % 2 == 1 && *number < is_closed);
        let phrases = quoted.map(|(_, text)| Self(plain_words(text)));
        phrases.filter(|phrase| (1..=MAX_PHRASE_WORDS).contains(&phrase.0.len())).take(MAX_PHRASES).collect()
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        plain_words(text).windows(self.0.len()).any(|words| words == self.0)
    }

    fn holds(&self, spelled: &str) -> bool {
        plain_words(spelled).iter().all(|word| self.0.contains(word))
    }
}

impl std::fmt::Display for Phrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.0.join(" "))
    }
}

/// The items of `only` that have every phrase of the question.
pub(super) fn with_phrases(
    question: &Question,
    (view, lookup): (&IndexView<'_>, &Lookup),
    only: Option<Filter>,
    (stage, space): (&mut Stage, &SpaceName),
) -> Result<Option<Filter>, Error> {
    let mut only = only;
    for phrase in &question.phrases {
        let words = question.words.iter().enumerate().filter(|(_, word)| phrase.holds(&word.spelled));
        let words: Vec<usize> = words.map(|(number, _)| number).collect();
        let mut holding = lookup.holding_all(view.index, &words);
        if let Some(only) = &only {
            holding.keep(only);
        }
        if words.is_empty() || holding.len() > MAX_TEXTS {
            let why = if words.is_empty() { "it has only common words" } else { "too many items have its words" };
            let detail = format!("{space}: not looked up word for word: {why}");
            stage.decide(phrase.to_string(), Action::Dropped, "phrase", detail);
            continue;
        }
        let ids: Vec<i64> = holding.positions().map(|position| view.index.id_at(position).into()).collect();
        let found = view.texts_of(&ids)?.into_iter().filter(|(_, text)| phrase.is_in(text));
        let found = view.index.filter(found.filter_map(|(id, _)| u32::try_from(id).ok()));
        let detail = format!("{space}: word for word in {} items", found.len());
        let action = if found.is_empty() { Action::Dropped } else { Action::Kept };
        stage.decide(phrase.to_string(), action, "phrase", detail);
        only = Some(found);
    }
    Ok(only)
}

/// The phrases of the question that an item does not have.
pub(super) fn missing_phrases(question: &Question, view: &IndexView<'_>, id: u32) -> Result<Vec<String>, Error> {
    if question.phrases.is_empty() {
        return Ok(Vec::new());
    }
    let texts = view.texts_of(&[id.into()])?;
    let is_missing = |phrase: &&Phrase| !texts.iter().any(|(_, text)| phrase.is_in(text));
    Ok(question.phrases.iter().filter(is_missing).map(|phrase| format!("{phrase}, word for word")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i21_phrases_are_what_stands_in_quotes() {
        let check = |question: &str, expected: &[&str]| {
            let found: Vec<String> = Phrase::all(question).iter().map(Phrase::to_string).collect();
            assert_eq!(found, expected, "{question}");
        };
        check("notes with \"Lamp oil\" and “not yet”", &["\"lamp oil\"", "\"not yet\""]);
        check("Who said \"Lamp oil\"?", &[]);
        check("an open \"quote", &[]);
        check("\"closed\" and \"open", &["\"closed\""]);
        check("\"\" \" ... \"", &[]);
        check("no quotes, it's plain", &[]);
        check(&format!("{} \"lamp oil\"", "word ".repeat(80)), &[]);
        let phrase = &Phrase::all("\"lamp oil\"")[0];
        assert!(phrase.is_in("The LAMP-oil is low"));
        assert!(Phrase::all("\"petit café\"")[0].is_in("Un petit cafe\u{301}, s'il vous plaît"));
        assert!(Phrase::all("\"little cafe\"")[0].is_in("a little café"));
        assert!(Phrase::all("\"10MB\"")[0].is_in("at most 10 MB") && Phrase::all("\"10 MB\"")[0].is_in("10MB"));
        assert!(Phrase::all("\"北京\"")[0].is_in("我在北京天气很好") && !Phrase::all("\"北天\"")[0].is_in("北京天气"));
        assert!(!phrase.is_in("oil lamp") && !phrase.is_in("lamps oil") && !phrase.is_in("lamp of oil"));
    }
}
