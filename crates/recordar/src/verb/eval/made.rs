//! Questions of a given length, made from a corpus itself: a passage is cut out of a text and asked for, and the text without the passage is
//! what must be found (the inverse cloze task; Lee, Chang and Toutanova, 2019). Nobody has to write or label long questions, and no item
//! contains the question's passage.
//!
//! If texts are too short for that, as messages are, a run of messages is cut out of its thread, and the messages before and after it are the
//! answers. A question longer than a passage is filled up with texts of other topics, as a long message or a log would be. Those texts are
//! taken out of the corpus, so that they are not answers themselves.

use super::baseline::Baseline;
use super::compare::Comparison;
use super::figures::{Figures, Latency};
use super::seeded::Seeded;
use super::set::{CorpusLine, EvalSet, QueryLine};
use super::{EvalReport, EvalRow};
use recordar_core::error::Error;
use recordar_domain::text::{Language, Words, is_question_word};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};

/// How long made questions may be.
pub const MADE_WORDS: RangeInclusive<usize> = 3..=5_000;
/// The number of questions of each length, if the corpus has at least twice as many lines.
const QUESTIONS: usize = 200;
/// The longest passage.
const PASSAGE_WORDS: usize = 50;
/// A text must have twice the passage and this number of words, so that enough is left of it.
const REST_WORDS: usize = 10;
/// The number of places of a text that are tried.
const PLACES: usize = 8;
/// At most one in this number of lines is taken out of the corpus, for passages and again for other topics.
const TAKEN_ONE_IN: usize = 5;
/// The words of other topics, as a multiple of what a question needs.
const VARIETY: usize = 10;

/// Recordar and BM25 on questions of one length.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordsReport {
    pub words: usize,
    pub questions: usize,
    pub items: Figures,
    pub latency_ms: Latency,
    pub baseline: Baseline,
    /// With a saved run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    #[serde(skip)]
    pub rows: Vec<EvalRow>,
}

impl WordsReport {
    /// From the report of a set that `EvalSet::with_questions_of` made; `None` if it was measured without a baseline.
    pub fn new(words: usize, report: EvalReport) -> Option<Self> {
        let EvalReport { questions, items, latency_ms, baseline, rows, .. } = report;
        Some(Self { words, questions, items: items?, latency_ms, baseline: baseline?, comparison: None, rows })
    }
}

/// A question before its words of other topics.
struct Made {
    /// The line that it is named after, and the lines that answer it.
    of: usize,
    passage: String,
    answers: Vec<usize>,
}

/// What is stored of the corpus, and what is asked.
struct Making<'a> {
    set: &'a EvalSet,
    seeded: Seeded,
    /// Texts with a passage cut out, by line.
    cut: HashMap<usize, String>,
    /// Lines that are not stored.
    taken: BTreeSet<usize>,
    made: Vec<Made>,
}

impl EvalSet {
    /// A set with the same corpus, except for what is asked, and up to 200 questions of this number of words.
    pub fn with_questions_of(&self, words: usize) -> Result<Self, Error> {
        if !MADE_WORDS.contains(&words) {
            let (least, most) = MADE_WORDS.into_inner();
            let what = format!("questions of {words} words cannot be made");
            return Err(Error::input("eval_words", what, format!("use numbers from {least} to {most}")));
        }
        let passage = words.min(PASSAGE_WORDS);
        let mut making = [Making::from_texts(self, words, passage)?, Making::from_threads(self, words, passage)]
            .into_iter()
            // Of equals the last would be chosen, and whole texts are the better source.
            .rev()
            .max_by_key(|making| making.made.len())
            .filter(|making| !making.made.is_empty())
            .ok_or_else(|| {
                let least = 2 * passage + REST_WORDS;
                let what =
                    format!("{} has no text of {least} words to make questions of {words} words from", self.name);
                Error::input("eval_words", what, "use shorter questions or a set with longer texts or threads")
            })?;
        let texts = making.fill(words - passage)?;
        let Making { cut, taken, made, .. } = making;
        let stored = |(number, line): (usize, &CorpusLine)| {
            let text = cut.get(&number).unwrap_or(&line.text).clone();
            (!taken.contains(&number)).then(|| CorpusLine { text, ..line.clone() })
        };
        let mut set = Self {
            name: format!("{}:{words}-words", self.name),
            corpus: self.corpus.iter().enumerate().filter_map(stored).collect(),
            queries: Vec::new(),
            relevance: HashMap::new(),
            off_topic: Vec::new(),
        };
        for (question, text) in made.into_iter().zip(texts) {
            let line = &self.corpus[question.of];
            let id = format!("words-{words}-{}", line.id);
            let answers = question.answers.into_iter().map(|answer| (self.corpus[answer].id.clone(), 1.0));
            set.relevance.insert(id.clone(), answers.collect());
            set.queries.push(QueryLine {
                id,
                text,
                user: line.user.clone(),
                kind: Some(format!("{words} words")),
                asked_at: line.created_at,
            });
        }
        Ok(set)
    }
}

impl<'a> Making<'a> {
    fn new(set: &'a EvalSet, words: usize) -> Self {
        let (cut, taken, made) = (HashMap::new(), BTreeSet::new(), Vec::new());
        Self { set, seeded: Seeded::new(words as u64), cut, taken, made }
    }

    fn shuffled(&mut self) -> Vec<usize> {
        let mut lines: Vec<usize> = (0..self.set.corpus.len()).collect();
        self.seeded.shuffle(&mut lines);
        lines
    }

    /// Passages from inside texts.
    fn from_texts(set: &'a EvalSet, words: usize, passage: usize) -> Result<Self, Error> {
        let mut making = Self::new(set, words);
        let mut telling = Telling::new()?;
        for line in making.shuffled() {
            let text = &set.corpus[line].text;
            let places = words_of(text);
            if making.made.len() >= most_questions(set) || places.len() < 2 * passage + REST_WORDS {
                continue;
            }
            let found = (0..PLACES).find_map(|_| {
                let first = making.seeded.below(places.len() - passage + 1);
                let place = places[first].start..places[first + passage - 1].end;
                (2 * telling.count(&text[place.clone()]) >= passage).then_some(place)
            });
            let Some(place) = found else { continue };
            making.cut.insert(line, format!("{}{}", &text[..place.start], &text[place.end..]));
            making.made.push(Made { of: line, passage: text[place].to_owned(), answers: vec![line] });
        }
        Ok(making)
    }

    /// Runs of messages from inside threads.
    fn from_threads(set: &'a EvalSet, words: usize, passage: usize) -> Self {
        let mut making = Self::new(set, words);
        let mut threads: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        let mut places: HashMap<usize, (&str, &str, usize)> = HashMap::new();
        for (number, line) in set.corpus.iter().enumerate() {
            if let Some(thread) = line.thread.as_deref() {
                let lines = threads.entry((line.user(), thread)).or_default();
                places.insert(number, (line.user(), thread, lines.len()));
                lines.push(number);
            }
        }
        let mut answers: BTreeSet<usize> = BTreeSet::new();
        for line in making.shuffled() {
            let Some((user, thread, at)) = places.get(&line).copied() else { continue };
            let lines = &threads[&(user, thread)];
            let mut text = String::new();
            let mut end = at;
            let mut count = 0;
            while count < passage && end < lines.len() {
                let own = &set.corpus[lines[end]].text;
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(own);
                count += words_of(own).len();
                end += 1;
            }
            let is_inside = at > 0 && end < lines.len() && count >= passage;
            if making.made.len() >= most_questions(set) || !is_inside {
                continue;
            }
            let (run, beside) = (&lines[at..end], [lines[at - 1], lines[end]]);
            let is_free = run.iter().all(|line| !making.taken.contains(line) && !answers.contains(line))
                && beside.iter().all(|line| !making.taken.contains(line));
            if !is_free || (making.taken.len() + run.len()) * TAKEN_ONE_IN > set.corpus.len() {
                continue;
            }
            making.taken.extend(run);
            answers.extend(beside);
            let end = words_of(&text)[passage - 1].end;
            making.made.push(Made { of: line, passage: text[..end].to_owned(), answers: beside.to_vec() });
        }
        making
    }

    /// The texts of the questions: each passage at some place among texts of other topics with this number of words.
    fn fill(&mut self, words: usize) -> Result<Vec<String>, Error> {
        let others = if words > 0 { self.other_topics(words)? } else { Vec::new() };
        let mut texts = Vec::with_capacity(self.made.len());
        for number in 0..self.made.len() {
            let of = &self.set.corpus[self.made[number].of];
            let topic = |line: &CorpusLine| (line.user().to_owned(), line.thread.clone());
            let mut parts: Vec<&str> = Vec::new();
            let mut missing = words;
            let start = if others.is_empty() { 0 } else { self.seeded.below(others.len()) };
            for other in (0..others.len()).map(|at| &self.set.corpus[others[(start + at) % others.len()]]) {
                if missing == 0 || (of.thread.is_some() && topic(other) == topic(of)) {
                    continue;
                }
                let places = words_of(&other.text);
                let most = places.len().min(missing);
                if most > 0 {
                    parts.push(&other.text[..places[most - 1].end]);
                    missing -= most;
                }
            }
            if missing > 0 {
                return Err(self.too_little(words));
            }
            let place = self.seeded.below(parts.len() + 1);
            parts.insert(place, &self.made[number].passage);
            texts.push(parts.join("\n\n"));
        }
        Ok(texts)
    }

    /// Takes lines out of the corpus that answer nothing.
    fn other_topics(&mut self, words: usize) -> Result<Vec<usize>, Error> {
        let asked: BTreeSet<usize> =
            self.made.iter().flat_map(|made| made.answers.iter().chain([&made.of])).copied().collect();
        let mut others = Vec::new();
        let mut count = 0;
        for line in self.shuffled() {
            let is_free = !asked.contains(&line) && !self.taken.contains(&line);
            if is_free && count < VARIETY * words && (others.len() + 1) * TAKEN_ONE_IN <= self.set.corpus.len() {
                count += words_of(&self.set.corpus[line].text).len();
                others.push(line);
            }
        }
        if count < words {
            return Err(self.too_little(words));
        }
        self.taken.extend(&others);
        Ok(others)
    }

    fn too_little(&self, words: usize) -> Error {
        let what = format!("{} has too little text for {words} words of other topics in a question", self.set.name);
        Error::input("eval_words", what, "use shorter questions or a larger set")
    }
}

/// Half of the lines are never asked for, so that some are left for other topics and to be told apart from.
fn most_questions(set: &EvalSet) -> usize {
    QUESTIONS.min(set.corpus.len() / 2)
}

/// Where the words of a text are.
fn words_of(text: &str) -> Vec<Range<usize>> {
    text.split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        })
        .collect()
}

/// Counts the words that tell what a passage is about.
struct Telling {
    words: Words,
    language: Language,
}

impl Telling {
    fn new() -> Result<Self, Error> {
        let language = Language::parse("english")?;
        Ok(Self { words: Words::new(language), language })
    }

    fn count(&mut self, text: &str) -> usize {
        let mut count = 0;
        let language = self.language;
        self.words.each(text, |word, stem| count += usize::from(!stem.is_empty() && !is_question_word(language, word)));
        count
    }
}
