//! The built-in answer: a quotation. Of the best passages, the part around the sentence that says most about the question, as it is written.

use super::answer::{Answer, Quote};
use crate::guard::Evidence;
use recordar_compose::{Growing, grow};
use recordar_domain::text::{Language, Words, is_question_word, sentence_ends};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// At most so many passages are quoted, with so many characters in all: about 200 tokens.
const MAX_EXCERPTS: usize = 3;
const MAX_CHARS: usize = 800;
/// Other passages are quoted, too, if their score is this close to the best, in millionths, and their sentence says half as much.
const AS_GOOD: u32 = 100_000;
/// Of the room, the first excerpt may take this share, in percent; another excerpt of what is left.
const SHARE: usize = 75;
/// What a word counts in the sentence itself, in the heading above it, and in the sentences beside it.
const IN_SENTENCE: u64 = 10;
const IN_HEADING: u64 = 5;
const BESIDE: u64 = 3;

/// A sentence of a passage.
struct Piece {
    span: Range<usize>,
    /// The question's words in it, and in the heading above it.
    words: BTreeSet<String>,
    heading: BTreeSet<String>,
    is_question: bool,
}

/// A passage with its best sentence.
struct Quoted<'a> {
    /// From 1.
    number: usize,
    evidence: &'a Evidence,
    pieces: Vec<Piece>,
    best: usize,
    worth: u64,
}

/// Quotes passages in answer to a question.
pub(super) fn quotation(question: &str, passages: &[Evidence], language: Language) -> Answer {
    let mut reader = Reader::new(question, language);
    let read: Vec<Vec<Piece>> = passages.iter().map(|evidence| reader.pieces(evidence)).collect();
    let mut holding: BTreeMap<&str, u64> = BTreeMap::new();
    for word in read.iter().flatten().flat_map(|piece| &piece.words) {
        *holding.entry(word).or_default() += 1;
    }
    // A word that few sentences have tells more.
    let weigh = |word: &String| 1_000_000 / (1 + holding.get(word.as_str()).copied().unwrap_or_default());
    let bests: Vec<Option<(usize, u64)>> = read.iter().map(|pieces| best_of(pieces, weigh)).collect();
    let mut quoted: Vec<Quoted<'_>> = (1..)
        .zip(passages.iter().zip(read))
        .zip(bests)
        .filter_map(|((number, (evidence, pieces)), best)| {
            let (best, worth) = best?;
            Some(Quoted { number, evidence, pieces, best, worth })
        })
        .collect();
    // A repeated question is no answer, unless there is nothing else.
    if quoted.iter().any(|quoted| !quoted.asks()) {
        quoted.retain(|quoted| !quoted.asks());
    }
    quoted.sort_by_key(|quoted| Reverse((quoted.evidence.score, quoted.worth)));
    let Some(first) = quoted.first() else {
        return Answer { text: String::new(), citations: Vec::new(), quotes: Vec::new() };
    };
    let (best_score, half) = (first.evidence.score, first.worth / 2);
    let is_as_good = |quoted: &Quoted<'_>| quoted.evidence.score + AS_GOOD >= best_score && quoted.worth >= half;
    quoted.retain(is_as_good);
    quoted.truncate(MAX_EXCERPTS);

    let (mut quotes, mut left): (Vec<Quote>, usize) = (Vec::new(), MAX_CHARS);
    let last = quoted.len().saturating_sub(1);
    for (place, quoted) in quoted.iter().enumerate() {
        let room = if place == last { left } else { left * SHARE / 100 };
        let quote = quoted.quote(room);
        if !quotes.iter().any(|known| known.text.contains(&quote.text)) {
            left = left.saturating_sub(quote.text.chars().count());
            quotes.push(quote);
        }
    }
    let mut citations: Vec<usize> = quotes.iter().map(|quote| quote.number).collect();
    citations.sort_unstable();
    let marked = |Quote { number, text, .. }: &Quote| match quotes.len() {
        1 => text.clone(),
        _ => format!("{text}{}[{number}]", if text.contains('\n') { "\n" } else { " " }),
    };
    Answer { text: quotes.iter().map(marked).collect::<Vec<_>>().join("\n\n"), citations, quotes }
}

/// The sentence that says most, the first of equal ones, and how much it says.
fn best_of(pieces: &[Piece], weigh: impl Fn(&String) -> u64) -> Option<(usize, u64)> {
    let total = |words: &mut dyn Iterator<Item = &String>| words.map(&weigh).sum::<u64>();
    let worth = |at: usize| {
        let own = &pieces[at];
        let beside = |other: &Piece| total(&mut other.words.difference(&own.words));
        let sides = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| pieces.get(at));
        IN_SENTENCE * total(&mut own.words.iter())
            + IN_HEADING * total(&mut own.heading.difference(&own.words))
            + BESIDE * sides.map(beside).sum::<u64>()
    };
    let answers = (0..pieces.len()).filter(|at| !pieces[*at].is_question);
    let all: Vec<usize> = answers.collect();
    let all = if all.is_empty() { (0..pieces.len()).collect() } else { all };
    all.into_iter().map(|at| (at, worth(at))).max_by_key(|(at, worth)| (*worth, Reverse(*at)))
}

impl Quoted<'_> {
    /// Whether it only asks.
    fn asks(&self) -> bool {
        self.pieces[self.best].is_question
    }

    /// The best sentence, and around it what there is room for.
    fn quote(&self, room: usize) -> Quote {
        let text = self.evidence.text.as_str();
        let chars = |piece: usize| text[self.pieces[piece].span.clone()].chars().count() + 1;
        let mut growing = [Growing::new(self.best..self.best + 1, self.pieces.len())];
        grow(&mut growing, &[0], room.saturating_sub(chars(self.best)), |_, piece| chars(piece));
        let shown = &growing[0].shown;
        let span = self.pieces[shown.start].span.start..self.pieces[shown.end - 1].span.end;
        // Only a sentence that is too long by itself is cut.
        let end = text[span.clone()].char_indices().nth(MAX_CHARS).map_or(span.end, |(end, _)| span.start + end);
        let sentence = &self.pieces[self.best].span;
        let part = |from: usize, to: usize| text[from..to.clamp(from, end.max(from))].trim_end().to_owned();
        Quote { number: self.number, text: part(span.start, span.end), sentence: part(sentence.start, sentence.end) }
    }
}

struct Reader {
    words: Words,
    asked: BTreeSet<String>,
}

impl Reader {
    fn new(question: &str, language: Language) -> Self {
        let (mut words, mut asked) = (Words::new(language), BTreeSet::new());
        words.each(question, |word, stem| {
            if !is_question_word(language, word) {
                asked.insert(stem.to_owned());
            }
        });
        Self { words, asked }
    }

    /// The question's words in a text.
    fn found(&mut self, text: &str) -> BTreeSet<String> {
        let (asked, mut found) = (&self.asked, BTreeSet::new());
        self.words.each(text, |_, stem| {
            if asked.contains(stem) {
                found.insert(stem.to_owned());
            }
        });
        found
    }

    /// The sentences of a passage. Headings are none, and neither are the marks of where it was cut.
    fn pieces(&mut self, evidence: &Evidence) -> Vec<Piece> {
        let text = evidence.text.as_str();
        let mut heading = self.found(evidence.source.as_str());
        let (mut pieces, mut start) = (Vec::new(), 0);
        for end in sentence_ends(text).chain([text.len()]) {
            let mut span = start..end.max(start);
            start = span.end;
            // Headings stand before the sentence that they join.
            loop {
                let line = text[span.clone()].split_inclusive('\n').next().unwrap_or_default();
                let is_heading = line.trim_start().starts_with('#');
                if line.is_empty() || !(is_heading || line.trim().is_empty()) {
                    break;
                }
                heading = if is_heading { self.found(line) } else { heading };
                span.start += line.len();
            }
            let cut = text[span.clone()].trim();
            let told = cut.trim_start_matches("...").trim_end_matches("...").trim();
            if !told.contains(char::is_alphanumeric) {
                continue;
            }
            let from = span.start + text[span.clone()].find(told).unwrap_or_default();
            let is_question = told.ends_with(['?', '？']);
            let words = self.found(told);
            pieces.push(Piece { span: from..from + told.len(), words, heading: heading.clone(), is_question });
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::safe;
    use crate::noun::passage::tests::passage;

    fn quoted(question: &str, passages: &[(f64, &str)]) -> (String, Vec<usize>) {
        let passages = (1..).zip(passages).map(|(id, (score, text))| {
            let mut passage = passage(id, text);
            passage.score = *score;
            passage
        });
        let evidence: Vec<Evidence> =
            safe(passages.collect()).iter().map(|passage| Evidence::of_passage(passage, false)).collect();
        let Answer { text, citations, quotes } = quotation(question, &evidence, Language::ENGLISH);
        let parts = quotes.iter().all(|quote| text.contains(&quote.text) && quote.text.contains(&quote.sentence));
        assert!(parts && citations.len() == quotes.len(), "{quotes:?}");
        (text, citations)
    }

    #[test]
    fn i43_the_best_passage_is_quoted_around_the_sentence_that_says_most() {
        let page = "# Lamps\n\nBees live here. Lamps need oil.\n\n- Clean the lens daily.\n- Never use sand.\n";
        let (text, citations) = quoted("When is the lens cleaned?", &[(0.3, "The lens is big."), (0.8, page)]);
        assert_eq!(text, "Bees live here. Lamps need oil.\n\n- Clean the lens daily.\n- Never use sand.");
        assert_eq!(citations, [2], "as it is written, without the heading, and nothing of a passage that fits less");
        let long =
            format!("{} The lens is cleaned daily. {}", "Bees live here. ".repeat(80), "Oil is dear. ".repeat(80));
        let (text, _) = quoted("When is the lens cleaned?", &[(0.8, &long)]);
        assert!(text.contains("cleaned daily. Oil is dear.") && text.chars().count() <= MAX_CHARS, "{text}");
    }

    #[test]
    fn i43_passages_that_fit_as_well_are_quoted_too_and_say_which_is_which() {
        let passages =
            [(0.8, "The boat comes on Tuesday."), (0.78, "The boat comes at noon."), (0.79, "Lamps burn oil.")];
        let (text, citations) = quoted("When does the boat come?", &passages);
        assert_eq!(text, "The boat comes on Tuesday. [1]\n\nThe boat comes at noon. [2]");
        assert_eq!(citations, [1, 2]);
    }

    #[test]
    fn i43_a_repeated_question_is_quoted_only_where_there_is_nothing_else() {
        assert_eq!(quoted("Who is Bello?", &[(0.9, "Who is Bello?"), (0.5, "Bello is the dog.")]).1, [2]);
        assert_eq!(quoted("Who is Bello?", &[(0.9, "Who is Bello?")]).0, "Who is Bello?");
        assert_eq!(quoted("Who is Bello?", &[(0.9, "--- ...")]), (String::new(), vec![]));
        assert_eq!(quoted("Who is Bello?", &[]), (String::new(), vec![]));
    }
}
