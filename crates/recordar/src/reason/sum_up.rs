//! Summing up a run of messages (CH-08). Built in: the sentences that say most, word for word. A model's summary is refused if it has a number or
//! a name that the messages do not have.

use super::Task;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::Timestamp;
use recordar_domain::text::{Language, Terms, each_word, one_line, sentence_ends, telling_words};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const PROMPT: &str = include_str!("sum_up.prompt.md");
const MAX_OUTPUT_TOKENS: u32 = 1024;
/// A summary has at most this share of the characters of its messages, in percent, and so many characters.
const PERCENT: usize = 40;
const TARGET_CHARS: Range<usize> = 120..1600;
const MAX_TITLE_CHARS: usize = 100;
/// Of the built-in title.
const TITLE_WORDS: usize = 3;
/// Only this much of a message is read.
const MAX_READ_CHARS: usize = 4000;

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
pub(crate) struct Said {
    pub(crate) speaker: String,
    pub(crate) text: SafeText,
    pub(crate) at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct SummedUp {
    pub(crate) title: String,
    pub(crate) summary: String,
}

pub(crate) struct SumUpTask<'a> {
    pub(crate) messages: &'a [Said],
    pub(crate) language: Language,
    pub(crate) most_output_tokens: u32,
}

impl Task for SumUpTask<'_> {
    type Reply = SummedUp;

    const NAME: &'static str = "sum_up";
    const DESCRIPTION: &'static str = "A title and a summary of the messages.";

    fn prompt(&self) -> Prompt {
        let shown = |said: &Said| {
            let speaker = Part::inline(&SafeText::given(said.speaker.as_str()), MAX_TITLE_CHARS);
            let (open, day, close) = (Part::words(" ("), Part::day(&said.at.day()), Part::words("):\n"));
            Part::all([speaker, open, day, close, Part::fenced(&said.text), Part::words("\n")])
        };
        let messages = Part::all(self.messages.iter().map(shown));
        fill(PROMPT, &[("messages", messages), ("target", Part::count(self.target_chars()))])
    }

    fn schema(&self) -> Value {
        let properties = json!({
            "title": {"type": "string", "minLength": 1, "maxLength": MAX_TITLE_CHARS},
            "summary": {"type": "string", "minLength": 1, "maxLength": self.target_chars() * 2},
        });
        json!({"type": "object", "properties": properties, "required": ["title", "summary"], "additionalProperties": false})
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens.min(MAX_OUTPUT_TOKENS)
    }

    fn read(&self, value: &Value) -> Result<SummedUp, String> {
        let SummedUp { title, summary } = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        let (title, summary) = (one_line(&title, MAX_TITLE_CHARS), summary.trim().to_owned());
        if title.trim().is_empty() || summary.is_empty() {
            return Err("the title or the summary is empty".to_owned());
        }
        let known = self.known_words();
        for text in [&title, &summary] {
            if let Some(invented) = invented(text, &known) {
                return Err(format!("the messages do not say {invented:?}"));
            }
        }
        Ok(SummedUp { title, summary })
    }

    fn built_in(&self) -> SummedUp {
        let pieces = self.pieces();
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let (mut left, mut chosen) = (self.target_chars(), BTreeSet::new());
        let worths: BTreeMap<&str, usize> = self.worths(&pieces);
        loop {
            let gain = |piece: &Piece| -> usize {
                let new = piece.terms.iter().filter(|term| !told.contains(term.as_str()));
                let worth: usize = new.map(|term| worths.get(term.as_str()).copied().unwrap_or(1)).sum();
                // Of the same length, what says more is better. A question says little.
                let worth = if piece.is_question { worth / 4 } else { worth };
                1000 * worth / (piece.chars() + 20)
            };
            let fits = |(at, piece): &(usize, &Piece)| !chosen.contains(at) && piece.chars() <= left;
            let best = pieces.iter().enumerate().filter(fits).map(|(at, piece)| (gain(piece), at));
            let Some((gain, at)) = best.max_by_key(|(gain, at)| (*gain, std::cmp::Reverse(*at))) else { break };
            if gain == 0 {
                break;
            }
            left -= pieces[at].chars();
            told.extend(pieces[at].terms.iter().map(String::as_str));
            chosen.insert(at);
        }
        let title = self.built_in_title(&pieces, &worths);
        let mut summary = String::new();
        let mut speaker: Option<&str> = None;
        for at in chosen {
            let Piece { said, range, .. } = &pieces[at];
            let message = &self.messages[*said];
            if !summary.is_empty() {
                summary.push(' ');
            }
            if speaker != Some(message.speaker.as_str()) {
                speaker = Some(&message.speaker);
                summary.push_str(&format!("{}: ", one_line(&message.speaker, MAX_TITLE_CHARS)));
            }
            summary.push_str(&message.text.as_str()[range.clone()]);
        }
        if summary.is_empty() {
            // Nothing but marks and words without meaning.
            summary = one_line(self.messages.first().map_or("", |said| said.text.as_str()), TARGET_CHARS.start);
        }
        SummedUp { title, summary }
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

impl Piece {
    fn chars(&self) -> usize {
        self.chars + 1
    }
}

impl SumUpTask<'_> {
    fn target_chars(&self) -> usize {
        let all: usize = self.messages.iter().map(|said| said.text.as_str().chars().count()).sum();
        (all * PERCENT / 100).clamp(TARGET_CHARS.start, TARGET_CHARS.end)
    }

    /// The sentences, without courtesies.
    fn pieces(&self) -> Vec<Piece> {
        let mut terms = Terms::new(self.language);
        let mut pieces = Vec::new();
        for (said, message) in self.messages.iter().enumerate() {
            let text = message.text.as_str();
            let language = terms.language_of(text);
            let mut start = 0;
            let end = text.char_indices().nth(MAX_READ_CHARS).map_or(text.len(), |(at, _)| at);
            for end in sentence_ends(&text[..end]) {
                let begin = end - text[start..end].trim_start().len();
                let sentence = &text[begin..end];
                start = end;
                if is_courtesy(sentence) {
                    continue;
                }
                let mut found = BTreeSet::new();
                terms.each(language, sentence, |term| {
                    if !term.is_extra && !term.stem.is_empty() {
                        found.insert(term.stem.to_owned());
                    }
                });
                pieces.push(Piece {
                    said,
                    range: begin..end,
                    chars: sentence.chars().count(),
                    terms: found,
                    is_question: sentence.ends_with('?'),
                });
            }
        }
        pieces
    }

    /// What each term is worth: more if it is a number or a name.
    fn worths<'a>(&self, pieces: &'a [Piece]) -> BTreeMap<&'a str, usize> {
        let mut terms = Terms::new(self.language);
        let mut telling: BTreeSet<String> = BTreeSet::new();
        for message in self.messages {
            let text = message.text.as_str();
            let language = terms.language_of(text);
            for word in telling_words(text) {
                terms.each(language, word, |term| {
                    telling.insert(term.stem.to_owned());
                });
            }
        }
        let terms = pieces.iter().flat_map(|piece| &piece.terms);
        terms.map(|term| (term.as_str(), if telling.contains(term) { 4 } else { 2 })).collect()
    }

    /// The words that are worth most and said most, as they are spelled first.
    fn built_in_title(&self, pieces: &[Piece], worths: &BTreeMap<&str, usize>) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for term in pieces.iter().filter(|piece| !piece.is_question).flat_map(|piece| &piece.terms) {
            *counts.entry(term).or_default() += worths.get(term.as_str()).copied().unwrap_or_default();
        }
        let mut terms = Terms::new(self.language);
        let mut best: BTreeMap<String, (usize, usize, &str)> = BTreeMap::new();
        for (place, word) in self.messages.iter().flat_map(|said| said.text.as_str().split_whitespace()).enumerate() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let language = terms.default_language();
            terms.each(language, word, |term| {
                if let Some(count) = counts.get(term.stem).filter(|_| term.stem.chars().count() > 2) {
                    best.entry(term.stem.to_owned()).or_insert((*count, place, word));
                }
            });
        }
        let mut best: Vec<(usize, usize, &str)> = best.into_values().collect();
        best.sort_by_key(|(count, place, _)| (std::cmp::Reverse(*count), *place));
        let words: Vec<&str> = best.iter().take(TITLE_WORDS).map(|(_, _, word)| *word).collect();
        if words.is_empty() { "Messages".to_owned() } else { one_line(&words.join(", "), MAX_TITLE_CHARS) }
    }

    /// What a summary may name: the words of the messages, their speakers and the parts of their dates.
    fn known_words(&self) -> BTreeSet<String> {
        let mut known = BTreeSet::new();
        for said in self.messages {
            for text in [said.text.as_str(), &said.speaker, &said.at.day()] {
                each_word(text, |word| {
                    known.insert(own_form(word));
                });
            }
        }
        known
    }
}

/// Whether a sentence only thanks, greets or agrees.
fn is_courtesy(sentence: &str) -> bool {
    let mut first = String::new();
    each_word(sentence, |word| {
        if first.is_empty() {
            first = word.to_lowercase();
        }
    });
    COURTESIES.contains(&first.as_str()) && telling_words(sentence).next().is_none()
}

/// The first number, or name inside a sentence, that is not among the known words.
fn invented(text: &str, known: &BTreeSet<String>) -> Option<String> {
    telling_words(text).map(str::to_owned).find(|telling| {
        let mut is_known = true;
        each_word(telling, |word| {
            let digits = word.trim_start_matches('0');
            is_known &=
                known.contains(&own_form(word)) || known.iter().any(|other| other.trim_start_matches('0') == digits);
        });
        !is_known
    })
}

fn own_form(word: &str) -> String {
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    lower.strip_suffix("'s").unwrap_or(&lower).to_owned()
}
