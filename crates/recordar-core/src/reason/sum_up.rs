//! Summing up a run of messages (CH-08): a choice of their sentences, word for word, and a title. So nothing can be invented, and who reads a summary
//! reads what was said. Built in: the sentences that say most.

use super::Task;
use super::whole_number::whole_number;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::Timestamp;
use recordar_domain::text::{Language, Terms, each_word, one_line, sentence_ends, telling_words};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const PROMPT: &str = include_str!("sum_up.prompt.md");
const MAX_OUTPUT_TOKENS: u32 = 1024;
/// A summary has at most this share of the characters of its messages, in percent, within these limits.
const PERCENT: usize = 33;
/// A sentence without numbers and names has at least this many terms.
const LEAST_TERMS: usize = 3;
const TARGET_CHARS: Range<usize> = 120..1600;
const MAX_TITLE_CHARS: usize = 100;
/// Words of a built-in title.
const TITLE_WORDS: usize = 3;

/// The first words of courtesies.
const COURTESIES: [&str; 18] = [
    "thanks",
    "thank",
    "hi",
    "hello",
    "hey",
    "wow",
    "great",
    "glad",
    "sorry",
    "welcome",
    "congrats",
    "congratulations",
    "yeah",
    "yes",
    "sure",
    "okay",
    "awesome",
    "bye",
];

/// A message to be summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub speaker: SafeText,
    pub text: SafeText,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummedUp {
    pub title: String,
    /// A line for each run of sentences of the same speaker on the same day.
    pub lines: Vec<String>,
}

pub struct SumUpTask<'a> {
    pub messages: &'a [Said],
    pub language: Language,
    pub most_output_tokens: u32,
}

impl Task for SumUpTask<'_> {
    type Reply = SummedUp;

    const NAME: &'static str = "sum_up";
    const DESCRIPTION: &'static str = "The numbers of the sentences to keep, and a title.";

    fn prompt(&self) -> Prompt {
        let shown = |(number, piece): (usize, Piece)| {
            let said = &self.messages[piece.said];
            let sentence = said.text.part(piece.range.clone());
            Part::all([
                Part::words("["),
                Part::count(number),
                Part::words("] "),
                Part::inline(&said.speaker, MAX_TITLE_CHARS),
                Part::words(", "),
                Part::day(&said.at.day()),
                Part::words(": "),
                Part::inline(&sentence, usize::MAX),
            ])
        };
        let sentences: Vec<Part> = (1..).zip(self.pieces()).map(shown).collect();
        let values = [("messages", Part::join(&sentences, "\n")), ("target", Part::count(self.target_chars()))];
        fill(PROMPT, &values)
    }

    fn schema(&self) -> Value {
        let numbers = json!({"type": "array", "items": {"type": "integer"}, "minItems": 1});
        let properties = json!({"title": {"type": "string", "minLength": 1}, "sentences": numbers});
        json!({"type": "object", "properties": properties, "required": ["title", "sentences"], "additionalProperties": false})
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens.min(MAX_OUTPUT_TOKENS)
    }

    fn read(&self, value: &Value) -> Result<SummedUp, String> {
        let pieces = self.pieces();
        let numbers = value["sentences"].as_array().into_iter().flatten().filter_map(whole_number);
        let is_there = |number: i64| usize::try_from(number - 1).ok().filter(|at| *at < pieces.len());
        let chosen: Vec<usize> = numbers.filter_map(is_there).collect();
        if chosen.is_empty() {
            return Err(format!("choose sentences by their numbers, from 1 to {}", pieces.len()));
        }
        let title = value["title"].as_str().map(|title| one_line(title, MAX_TITLE_CHARS)).unwrap_or_default();
        // A title that says more than was said is not worth another call.
        let is_true = !title.trim().is_empty() && self.invents(&title).is_none();
        let title = if is_true { title } else { self.built_in_title(&pieces) };
        Ok(SummedUp { title, lines: self.lines(&pieces, chosen) })
    }

    fn built_in(&self) -> SummedUp {
        let pieces = self.pieces();
        let worths = self.worths(&pieces);
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let mut chosen: Vec<usize> = Vec::new();
        let mut left = self.target_chars();
        loop {
            let gain = |piece: &Piece| -> usize {
                let new = piece.terms.iter().filter(|term| !told.contains(term.as_str()));
                let worth: usize = new.map(|term| worths.get(term.as_str()).copied().unwrap_or(1)).sum();
                // Of the same length, what says more is better. A question says little.
                let worth = if piece.is_question { worth / 4 } else { worth };
                1000 * worth / (piece.chars + 20)
            };
            let fits = |(at, piece): &(usize, &Piece)| !chosen.contains(at) && piece.chars <= left;
            let gains = pieces.iter().enumerate().filter(fits).map(|(at, piece)| (gain(piece), at));
            let best = gains.max_by_key(|(gain, at)| (*gain, std::cmp::Reverse(*at)));
            let Some((_, at)) = best.filter(|(gain, _)| *gain > 0) else { break };
            left -= pieces[at].chars;
            told.extend(pieces[at].terms.iter().map(String::as_str));
            chosen.push(at);
        }
        SummedUp { title: self.built_in_title(&pieces), lines: self.lines(&pieces, chosen) }
    }
}

/// A sentence of a message.
struct Piece {
    said: usize,
    range: Range<usize>,
    chars: usize,
    terms: BTreeSet<String>,
    is_question: bool,
}

impl SumUpTask<'_> {
    fn target_chars(&self) -> usize {
        let all: usize = self.messages.iter().map(|said| said.text.as_str().chars().count()).sum();
        (all * PERCENT / 100).clamp(TARGET_CHARS.start, TARGET_CHARS.end)
    }

    fn sentence(&self, piece: &Piece) -> &str {
        &self.messages[piece.said].text.as_str()[piece.range.clone()]
    }

    /// The sentences, without courtesies and those that say little.
    fn pieces(&self) -> Vec<Piece> {
        let mut terms = Terms::new(self.language);
        let mut pieces = Vec::new();
        for (said, message) in self.messages.iter().enumerate() {
            let text = message.text.as_str();
            let language = terms.language_of(text);
            let mut start = 0;
            for end in sentence_ends(text) {
                let begin = end - text[start..end].trim_start().len();
                let sentence = &text[begin..end];
                start = end;
                let found = stems(&mut terms, language, sentence);
                let says_little = found.len() < LEAST_TERMS && telling_words(sentence).next().is_none();
                if says_little || is_courtesy(sentence) {
                    continue;
                }
                pieces.push(Piece {
                    said,
                    range: begin..end,
                    chars: sentence.chars().count() + 1,
                    terms: found,
                    is_question: sentence.ends_with('?'),
                });
            }
        }
        pieces
    }

    /// The chosen sentences in their order, as many of the first chosen as fit; at least one.
    fn lines(&self, pieces: &[Piece], chosen: Vec<usize>) -> Vec<String> {
        let (mut kept, mut left) = (BTreeSet::new(), self.target_chars());
        for at in chosen {
            if pieces[at].chars <= left || kept.is_empty() {
                left = left.saturating_sub(pieces[at].chars);
                kept.insert(at);
            }
        }
        let mut lines: Vec<(String, Vec<String>)> = Vec::new();
        for at in kept {
            let said = &self.messages[pieces[at].said];
            let who = speaks(said.speaker.as_str(), said.at);
            let sentence = in_a_line(self.sentence(&pieces[at]));
            match lines.last_mut().filter(|(last, _)| *last == who) {
                Some((_, sentences)) => sentences.push(sentence),
                None => lines.push((who, vec![sentence])),
            }
        }
        lines.into_iter().map(|(who, sentences)| format!("{who}{}", sentences.join(" "))).collect()
    }

    /// What each term is worth: more if it is a number or a name.
    fn worths<'a>(&self, pieces: &'a [Piece]) -> BTreeMap<&'a str, usize> {
        let mut terms = Terms::new(self.language);
        let mut telling: BTreeSet<String> = BTreeSet::new();
        for message in self.messages {
            let text = message.text.as_str();
            let language = terms.language_of(text);
            for word in telling_words(text) {
                telling.extend(stems(&mut terms, language, word));
            }
        }
        let terms = pieces.iter().flat_map(|piece| &piece.terms);
        terms.map(|term| (term.as_str(), if telling.contains(term) { 4 } else { 2 })).collect()
    }

    /// The words that are worth most and said most, as they are spelled first.
    fn built_in_title(&self, pieces: &[Piece]) -> String {
        let worths = self.worths(pieces);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for term in pieces.iter().filter(|piece| !piece.is_question).flat_map(|piece| &piece.terms) {
            *counts.entry(term).or_default() += worths.get(term.as_str()).copied().unwrap_or_default();
        }
        let mut terms = Terms::new(self.language);
        let mut best: BTreeMap<String, (usize, usize, &str)> = BTreeMap::new();
        for (place, word) in self.messages.iter().flat_map(|said| said.text.as_str().split_whitespace()).enumerate() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let language = terms.default_language();
            for stem in stems(&mut terms, language, word) {
                let is_word = stem.chars().count() > 2 && !stem.chars().any(|c| c.is_ascii_digit());
                if let Some(count) = counts.get(stem.as_str()).filter(|_| is_word) {
                    best.entry(stem).or_insert((*count, place, word));
                }
            }
        }
        let mut best: Vec<(usize, usize, &str)> = best.into_values().collect();
        best.sort_by_key(|(count, place, _)| (std::cmp::Reverse(*count), *place));
        let words: Vec<&str> = best.iter().take(TITLE_WORDS).map(|(_, _, word)| *word).collect();
        if words.is_empty() { "Messages".to_owned() } else { one_line(&words.join(", "), MAX_TITLE_CHARS) }
    }

    /// The first name or number of a title that the messages, their speakers and dates do not have. A title has no sentences, so that a word
    /// with a capital is a name unless it is said somewhere.
    fn invents(&self, title: &str) -> Option<String> {
        let mut known = BTreeSet::new();
        for said in self.messages {
            for text in [said.text.as_str(), said.speaker.as_str(), &said.at.day()] {
                each_word(text, |word| {
                    known.insert(own_form(word));
                });
            }
        }
        let (mut invented, mut is_first) = (None, true);
        each_word(title, |word| {
            let is_number = word.chars().any(|c| c.is_ascii_digit());
            let is_name = word.starts_with(char::is_uppercase) && !is_first;
            is_first = false;
            if (is_number || is_name) && !known.contains(&own_form(word)) {
                invented.get_or_insert_with(|| word.to_owned());
            }
        });
        invented
    }
}

/// How a line of a summary begins: who said it, and when.
pub fn speaks(speaker: &str, at: Timestamp) -> String {
    format!("{}, {}: ", one_line(speaker, MAX_TITLE_CHARS), at.day())
}

/// A sentence as a summary has it.
pub(crate) fn in_a_line(sentence: &str) -> String {
    sentence.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn stems(terms: &mut Terms, language: Language, text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    terms.each(language, text, |term| {
        if !term.is_extra && !term.stem.is_empty() {
            stems.insert(term.stem.to_owned());
        }
    });
    stems
}

/// Whether a sentence only thanks, greets or agrees.
pub(crate) fn is_courtesy(sentence: &str) -> bool {
    let mut first = String::new();
    each_word(sentence, |word| {
        if first.is_empty() {
            first = word.to_lowercase();
        }
    });
    COURTESIES.contains(&first.as_str()) && telling_words(sentence).next().is_none()
}

fn own_form(word: &str) -> String {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    lower.strip_suffix("'s").unwrap_or(&lower).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(speaker: &str, text: &str) -> Said {
        Said { speaker: SafeText::given(speaker), text: SafeText::given(text), at: Timestamp::from_micros(0) }
    }

    fn task(messages: &[Said]) -> SumUpTask<'_> {
        SumUpTask { messages, language: Language::parse("english").unwrap(), most_output_tokens: 256 }
    }

    #[test]
    fn ch_08_a_summary_is_a_choice_of_sentences_with_who_said_them_and_when() {
        let messages =
            [said("Ana", "Hello there! We moved\nto Porto. Really."), said("Bruno", "The flat costs 900. Thanks!")];
        let SummedUp { title, lines } = task(&messages).built_in();
        assert_eq!(title, "Porto, moved, flat");
        assert_eq!(lines, ["Ana, 1970-01-01: We moved to Porto.", "Bruno, 1970-01-01: The flat costs 900."]);
    }

    #[test]
    fn i23_4_a_model_chooses_among_the_sentences_and_names_nothing_else() {
        let messages =
            [said("Ana", "We moved to Porto. It often rains in winter."), said("Bruno", "The flat costs 900.")];
        let task = task(&messages);
        let read = |title: &str, numbers: Value| task.read(&json!({"title": title, "sentences": numbers}));
        assert_eq!(read("A flat in Porto", json!([3, 1])).unwrap().title, "A flat in Porto");
        let lines = read("Flat", json!([3, 99, -1])).unwrap().lines;
        assert_eq!(lines, ["Bruno, 1970-01-01: The flat costs 900."]);
        assert_ne!(read("A flat in Madrid", json!([1])).unwrap().title, "A flat in Madrid");
        assert_ne!(read("Flat for 100", json!([1])).unwrap().title, "Flat for 100");
        assert!(read("Flat", json!([])).is_err() && read("Flat", json!([77])).is_err());
    }
}
