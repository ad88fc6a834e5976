//! The built-in answer: a quotation. Of the best passages, the part around the sentence that says most about the question, as it is written.

use super::answer::{Answer, Quote};
use super::what_holds::StatedWords;
use crate::guard::{Evidence, Said, above};
use recordar_compose::{Growing, grow};
use recordar_domain::text::{
    Asking, Language, Words, begins_heading, each_word, is_question_word, sentence_ends, told_day,
};
use recordar_domain::{Action, Stage, Timestamp};
use recordar_judge::{Effort, Judge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const MAX_EXCERPTS: usize = 3;
/// Of all excerpts: about 200 tokens.
const MAX_CHARS: usize = 800;
/// Other passages are quoted, too, if their score is this close to the best, in millionths, and their sentence says half as much. Of 50,000 and 100,000,
/// the second shows more of the evidence of locomo-dev (169 of 250 questions instead of 157), and as many answers of `eval/docs`.
const MAX_SCORE_GAP: u32 = 100_000;
/// The share of the room that the first excerpt may take, in percent; the second of what is left.
const ROOM_PERCENT: usize = 75;
const USER: &str = "user";
const ASSISTANT: &str = "assistant";
/// Words of a question about a time that is over, besides those of what is no more.
const PAST: [&str; 4] = ["did", "had", "first", "old"];
/// Receipts are verified with these lists: other words need another rule of quoting.
const IMAGINED: [&str; 5] = ["imagine", "pretend", "dreamt", "dreamed", "wish"];
const RELATIVES: [&str; 28] = [
    "wife",
    "husband",
    "partner",
    "girlfriend",
    "boyfriend",
    "mother",
    "mum",
    "mom",
    "father",
    "dad",
    "sister",
    "brother",
    "son",
    "daughter",
    "grandson",
    "granddaughter",
    "grandmother",
    "grandfather",
    "uncle",
    "aunt",
    "cousin",
    "niece",
    "nephew",
    "colleague",
    "friend",
    "neighbour",
    "neighbor",
    "flatmate",
];
const ASKER: [&str; 9] = ["i", "we", "i'm", "we're", "i've", "we've", "me", "us", "i'll"];
const OTHERS: [&str; 9] = ["he", "she", "his", "her", "him", "they", "their", "he's", "she's"];
/// Words by which one begins to speak of oneself.
const OWN: [&str; 14] =
    ["i", "we", "i'm", "we're", "i've", "we've", "i'd", "we'd", "i'll", "we'll", "my", "our", "me", "us"];
/// What has an "'s" and is nobody.
const NOBODYS: [&str; 30] = [
    "when",
    "tomorrow",
    "yesterday",
    "tonight",
    "christmas",
    "everything",
    "something",
    "nothing",
    "someone",
    "it",
    "that",
    "there",
    "here",
    "what",
    "who",
    "where",
    "how",
    "let",
    "this",
    "one",
    "today",
    "everyone",
    "nobody",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// Words of a question that ask for nothing: "Where do I live now?"
const AT_PRESENT: [&str; 8] = ["now", "currently", "today", "nowadays", "still", "anymore", "these", "days"];
/// Words by which people say that something is other than it was.
const CHANGE: [&str; 48] = [
    "now",
    "new",
    "moved",
    "moving",
    "switched",
    "changed",
    "quit",
    "sold",
    "finally",
    "anymore",
    "longer",
    "instead",
    "retired",
    "died",
    "gone",
    "started",
    "starting",
    "stopped",
    "left",
    "joined",
    "became",
    "outgrew",
    "outgrown",
    "traded",
    "replaced",
    "adopted",
    "bought",
    "back",
    "again",
    "actually",
    "finished",
    "cancelled",
    "canceled",
    "shifted",
    "rescheduled",
    "upgraded",
    "promoted",
    "dropped",
    "swapped",
    "turned",
    "meant",
    "taken",
    "lost",
    "stolen",
    "signed",
    "given",
    "packed",
    "correction",
];
/// A message answers about as well as the best one if the judge finds it this near, in thousandths of its logit: where it is sure of the best one, and where not.
const AS_GOOD: i64 = 1_500;
const AS_UNSURE: i64 = 500;
/// From here on the judge is sure.
const SURE: i64 = 2_500;
/// A sentence says it by itself if the judge finds it nearly as good as its message.
const BY_ITSELF: i64 = 1_000;
/// How many messages are read sentence by sentence, and how many sentences of each.
const MAX_READ: usize = 4;
const MAX_SENTENCES: usize = 16;
/// What a word counts in the sentence itself, in the heading above it, and in the sentences beside it.
const IN_SENTENCE: u64 = 10;
const IN_HEADING: u64 = 5;
const BESIDE: u64 = 3;

/// By which rule words are chosen. Receipts that do not keep the choice are verified with the rule of their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// It runs on into other sections, and does not ask who said what.
    Earlier,
    /// Within one section; of a chat with an assistant one's own messages, the newest first.
    OwnWords,
    /// And nothing that is said of somebody else, if one asks of oneself; of messages that the judge has read, the newest that answers.
    Current,
}

/// The words that an answer quotes. Receipts keep them, so that they depend on no rule by which words are chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quotation {
    /// The best first.
    pub quotes: Vec<QuotedWords>,
    /// How many of them the answer shows; the others are only cited.
    pub shown: usize,
    /// Whether it says when that was said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_day: bool,
    /// The day that is named in what was said, which it says instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuotedWords {
    pub words: StatedWords,
    /// The sentence in it that says most.
    pub sentence: StatedWords,
}

impl Quotation {
    /// A receipt may come from anywhere.
    pub fn is_bounded(&self) -> bool {
        let names_day = self.day.is_none() || self.says_day;
        self.quotes.len() <= MAX_EXCERPTS && self.shown <= self.quotes.len() && names_day
    }

    /// Nothing if the passages do not have these words.
    pub fn answer(&self, passages: &[Evidence]) -> Option<Answer> {
        if !self.is_bounded() {
            return None;
        }
        let quote = |quoted: &QuotedWords| {
            let text = |words: &StatedWords| words.of(passages).map(|words| words.trim_end().to_owned());
            Some(Quote { number: quoted.words.passage, text: text(&quoted.words)?, sentence: text(&quoted.sentence)? })
        };
        let quotes: Vec<Quote> = self.quotes.iter().map(quote).collect::<Option<_>>()?;
        let marked = |Quote { number, text, .. }: &Quote| match quotes.len() {
            1 => text.clone(),
            _ => format!("{text}{}[{number}]", if text.contains('\n') { "\n" } else { " " }),
        };
        let text: Vec<String> = quotes[..self.shown].iter().map(marked).collect();
        let mut citations: Vec<usize> = quotes.iter().map(|quote| quote.number).collect();
        citations.sort_unstable();
        let mut text = text.join("\n\n");
        let said = |quote: &Quote| Some(passages.get(quote.number - 1)?.said.as_ref()?.at.long_day());
        if let Some(said) = quotes.first().and_then(said).filter(|_| self.says_day && self.shown == 1) {
            let day = self.day.map_or_else(|| format!("said on {said}"), Timestamp::long_day);
            text.push_str(&format!(" ({day})"));
        }
        Some(Answer { text, citations, quotes, quoted: Some(self.clone()), stated: None })
    }
}

/// A sentence of a passage.
struct Piece {
    span: Range<usize>,
    /// The question's words in it, and in the heading above it.
    words: BTreeSet<String>,
    heading: BTreeSet<String>,
    /// How many headings stand above it.
    section: usize,
    is_question: bool,
    /// Whether it has words of the question only where it speaks of somebody else.
    is_of_others: bool,
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

/// Has the judge read the messages that answer best sentence by sentence. `least` is how relevant it finds messages that answer at least.
pub fn read_closely(
    question: &str,
    passages: &mut [Evidence],
    (judge, least): (&Judge, f64),
    effort: &Effort<'_>,
) -> Stage {
    let mut stage = Stage::new("sentences");
    let best = passages.iter().filter_map(|evidence| evidence.judged).max().unwrap_or_default();
    let answers = |evidence: &Evidence| {
        evidence.judged.is_some_and(|opinion| answers_as_well(opinion, best))
            && evidence.said.as_ref().is_some_and(|said| said.role == USER)
    };
    let mut answering: Vec<(usize, &mut Evidence)> =
        (1..).zip(passages).filter(|(_, evidence)| answers(evidence)).collect();
    answering.sort_by_key(|(_, evidence)| Reverse(evidence.said.as_ref().map(|said| said.at)));
    for (number, evidence) in answering.into_iter().take(MAX_READ) {
        let (text, mut start, mut spans) = (evidence.text.as_str(), 0, Vec::new());
        for end in sentence_ends(text).chain([text.len()]) {
            spans.push((start, end.max(start)));
            start = end.max(start);
        }
        spans.retain(|(start, end)| {
            let sentence = text[*start..*end].trim();
            sentence.contains(char::is_alphanumeric) && !sentence.ends_with(['?', '？'])
        });
        spans.truncate(MAX_SENTENCES);
        let sentences: Vec<&str> = spans.iter().map(|(start, end)| text[*start..*end].trim()).collect();
        if sentences.len() < 2 {
            continue;
        }
        let read = match judge.relevance(question, &sentences, effort) {
            Ok(read) => read,
            Err(error) => {
                stage.decide(format!("memory {number}"), Action::Kept, "unread", format!("shown whole: {error}"));
                return stage;
            }
        };
        let opinions = read.iter().map(|judged| above(f64::from(judged.logit), least)).zip(&spans);
        let found = opinions.max_by_key(|(opinion, span)| (*opinion, Reverse(*span)));
        evidence.says = found
            .filter(|(opinion, _)| evidence.judged.is_some_and(|whole| *opinion + BY_ITSELF >= whole))
            .map(|(_, span)| *span);
        let detail = match evidence.says {
            Some((start, end)) => format!("bytes {start} to {end} say it by themselves"),
            None => "no sentence says by itself what the message says".to_owned(),
        };
        stage.decide(format!("memory {number}"), Action::Kept, "read", detail);
    }
    stage
}

/// Whether a message answers, and about as well as the best one.
fn answers_as_well(opinion: i64, best: i64) -> bool {
    opinion >= 0 && opinion + if best >= SURE { AS_GOOD } else { AS_UNSURE } >= best
}

/// Quotes passages in answer to a question.
pub(super) fn quotation(question: &str, passages: &[Evidence], language: Language, rule: Rule) -> Answer {
    chosen(question, passages, language, rule).answer(passages).unwrap_or_default()
}

fn chosen(question: &str, passages: &[Evidence], language: Language, rule: Rule) -> Quotation {
    let knows_who_asks = rule >= Rule::OwnWords && language.is_english();
    let is_of_asker = knows_who_asks && asks_of_asker(question);
    let mut reader = Reader::new(question, language, knows_who_asks);
    let asking = Asking::of(question);
    let names_nobody = clauses_of_others(question).is_empty();
    reader.leaves_out_others = knows_who_asks && rule >= Rule::Current && asking.of_oneself && names_nobody;
    // What was recalled only because the conversation is small is no answer by itself.
    let is_found = |evidence: &&Evidence| {
        let is_judged = rule >= Rule::Current && evidence.judged.is_some();
        evidence.said.is_none() || evidence.score > 0 || is_judged
    };
    let pieces = |evidence| Some(evidence).filter(is_found).map(|evidence| reader.pieces(evidence)).unwrap_or_default();
    let read: Vec<Vec<Piece>> = passages.iter().map(pieces).collect();
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
    if knows_who_asks {
        keep_own_words(&mut quoted, asking);
        if is_of_asker {
            quoted.retain(|quoted| quoted.said().is_none() || !quoted.is_of_relatives());
        }
        quoted.retain(|quoted| quoted.worth > 0 || !quoted.pieces.iter().any(|piece| piece.is_of_others));
        if quoted.iter().any(|quoted| !quoted.imagines()) {
            quoted.retain(|quoted| quoted.said().is_none() || !quoted.imagines());
        }
    }
    let newest_first = knows_who_asks && !asking.of_the_past && !names_the_past(question);
    if rule >= Rule::Current
        && knows_who_asks
        && let Some(judged) = as_judged(&quoted, asking, newest_first)
    {
        let quotes: Vec<QuotedWords> = judged.iter().map(|quoted| quoted.quote_what_is_said()).collect();
        let says_day = asks_when(question);
        let words = quotes.first().filter(|_| says_day).and_then(|quote| quote.words.of(passages));
        let day = words.and_then(|words| told_day(words, judged.first()?.said()?.at));
        return Quotation { shown: quotes.len().min(1), quotes, says_day, day };
    }
    let Some(first) = quoted.first() else {
        return Quotation::default();
    };
    let (best_score, half) = (first.evidence.score, first.worth / 2);
    // Things change: of messages the newest comes first, unless the question is about a time that is over, and it may have fewer of the question's words.
    let of_first = first.said().map(|said| said.at).filter(|_| newest_first);
    let is_newer = |quoted: &Quoted<'_>| of_first.is_some_and(|at| quoted.said().is_some_and(|said| said.at > at));
    quoted.retain(|quoted| {
        let is_near = quoted.evidence.score + MAX_SCORE_GAP >= best_score;
        is_near && (quoted.worth >= half || (quoted.worth > 0 && is_newer(quoted)))
    });
    quoted.truncate(MAX_EXCERPTS);
    let are_messages = quoted.iter().all(|quoted| quoted.said().is_some());
    if newest_first && are_messages {
        let order = |quoted: &Quoted<'_>| {
            let is_of_others = asking.of_oneself && quoted.is_of_others();
            (is_of_others, Reverse(quoted.said().map(|said| said.at)))
        };
        quoted.sort_by_key(order);
    }
    // "We're in York now": what was said before is cited, and not quoted.
    let supersedes = |newest: &Quoted<'_>| newest.worth >= half && newest.says_change(asking);
    let is_superseded = newest_first && are_messages && quoted.first().is_some_and(supersedes);

    let (mut quotes, mut left): (Vec<QuotedWords>, usize) = (Vec::new(), MAX_CHARS);
    let last = quoted.len().saturating_sub(1);
    let text = |words: &StatedWords| words.of(passages).unwrap_or_default().trim_end();
    for (place, quoted) in quoted.iter().enumerate() {
        let room = if place == last { left } else { left * ROOM_PERCENT / 100 };
        let quote = quoted.quote(room, rule >= Rule::OwnWords);
        let chars = text(&quote.words).chars().count();
        let fits = quotes.is_empty() || chars <= left;
        if fits && !quotes.iter().any(|known| text(&known.words).contains(text(&quote.sentence))) {
            left = left.saturating_sub(chars);
            quotes.push(quote);
        }
    }
    let shown = if is_superseded { 1 } else { quotes.len() };
    Quotation { quotes, shown, ..Quotation::default() }
}

/// Where the best passage is a message to an assistant, the person's own messages are kept, or the assistant's if they are asked for, as far as one of them is
/// as near as the best. Documents stay, and named speakers are all alike.
fn keep_own_words(quoted: &mut Vec<Quoted<'_>>, asking: Asking) {
    let role = if asking.of_the_other { ASSISTANT } else { USER };
    let is_of = |quoted: &Quoted<'_>, role: &str| quoted.said().is_some_and(|said| said.role == role);
    let Some(best) = quoted.first() else { return };
    let best_score = best.evidence.score;
    let is_near = |quoted: &Quoted<'_>| quoted.evidence.score + MAX_SCORE_GAP >= best_score;
    let is_to_an_assistant = is_of(best, USER) || is_of(best, ASSISTANT);
    if is_to_an_assistant && quoted.iter().any(|quoted| is_of(quoted, role) && is_near(quoted)) {
        quoted.retain(|quoted| quoted.said().is_none_or(|said| said.role == role));
    }
}

/// The messages of a chat with an assistant that answer by the judge's opinion: of those that do so about as well as the best, the newest first, or else the
/// best. None if no message answers. Nothing if it judged none of them, or if there is something else than one's own messages.
fn as_judged<'a, 'b>(quoted: &'b [Quoted<'a>], asking: Asking, newest_first: bool) -> Option<Vec<&'b Quoted<'a>>> {
    let is_else = |quoted: &Quoted<'_>| quoted.said().is_none() && !quoted.evidence.is_fact;
    // A fact that was found before all messages may be a person's word.
    if asking.of_the_other || quoted.first()?.evidence.is_fact || quoted.iter().any(is_else) {
        return None;
    }
    let own = quoted.iter().filter(|quoted| quoted.said().is_some_and(|said| said.role == USER));
    let mut judged: Vec<(i64, &Quoted<'a>)> =
        own.filter_map(|quoted| Some((quoted.evidence.judged?, quoted))).collect();
    let best = judged.iter().map(|(opinion, _)| *opinion).max()?;
    judged.retain(|(opinion, _)| answers_as_well(*opinion, best));
    let at = |quoted: &Quoted<'_>| quoted.said().map(|said| said.at);
    judged.sort_by_key(|(opinion, quoted)| {
        (Reverse(at(quoted).filter(|_| newest_first)), Reverse(*opinion), Reverse(quoted.number))
    });
    Some(judged.into_iter().map(|(_, quoted)| quoted).take(MAX_EXCERPTS).collect())
}

/// "When did we move?", "Since when …?", "What date was …?": not "When is the boat?".
fn asks_when(question: &str) -> bool {
    let words = lower_words(question);
    let is_day = |pair: &[String]| {
        let [which, day] = pair else { return false };
        (["which", "what"].contains(&which.as_str()) && ["day", "date"].contains(&day.as_str()))
            || (which == "since" && day == "when")
    };
    let is_over = has_any(&words, &["did", "was", "were", "have", "has", "had"]);
    is_over && (words.first().is_some_and(|word| word == "when") || words.windows(2).any(is_day))
}

/// Whether the judge is sure of a message that answers a question about what holds now.
pub(super) fn is_sure_of(evidence: &Evidence, question: &str) -> bool {
    let of_now = !Asking::of(question).of_the_past && !names_the_past(question);
    of_now && evidence.judged.is_some_and(|opinion| opinion >= SURE)
}

fn names_the_past(question: &str) -> bool {
    has_any(&lower_words(question), &PAST)
}

/// Whether a text says something that is not so.
pub(super) fn imagines(text: &str) -> bool {
    let words = lower_words(text);
    has_any(&words, &IMAGINED) || (has_any(&words, &["dream"]) && has_any(&words, &["had"]))
}

/// Whether a question is about what the asker does, and names no relative.
fn asks_of_asker(question: &str) -> bool {
    let words = lower_words(question);
    has_any(&words, &ASKER) && !has_any(&words, &RELATIVES)
}

/// The parts of a sentence that are about somebody else: from "she", "Mum's", "my sister" or "Tolu's" to the next "I", "we" or "my".
fn clauses_of_others(text: &str) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let (mut is_of_others, mut end) = (false, 0);
    each_word(text, |word| {
        let start = end + text[end..].find(word).unwrap_or_default();
        end = start + word.len();
        let lower = word.to_lowercase().replace('’', "'");
        let plain = lower.strip_suffix("'s").or(lower.strip_suffix("s'")).unwrap_or(&lower);
        let is_named =
            || lower.len() > plain.len() && word.starts_with(char::is_uppercase) && !NOBODYS.contains(&plain);
        let begins_others = OTHERS.contains(&lower.as_str()) || RELATIVES.contains(&plain) || is_named();
        if begins_others && !is_of_others {
            spans.push(start..text.len());
        } else if !begins_others && is_of_others && OWN.contains(&lower.as_str()) {
            if let Some(span) = spans.last_mut() {
                span.end = start;
            }
        } else {
            return;
        }
        is_of_others = begins_others;
    });
    spans
}

/// "My sister …".
fn begins_with_relative(words: &[String]) -> bool {
    matches!(words, [own, relative, ..] if ["my", "our"].contains(&own.as_str()) && RELATIVES.contains(&relative.as_str()))
}

fn has_any(words: &[String], known: &[&str]) -> bool {
    words.iter().any(|word| known.contains(&word.as_str()))
}

fn lower_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_lowercase()));
    words
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
    /// Of a chat with an assistant, where nobody has a name.
    fn said(&self) -> Option<&Said> {
        self.evidence.said.as_ref().filter(|said| said.speaker.is_none())
    }

    fn sentence(&self) -> &str {
        &self.evidence.text.as_str()[self.pieces[self.best].span.clone()]
    }

    /// "My friend Jo has a new dentist", and no word of oneself.
    fn is_of_relatives(&self) -> bool {
        let words = lower_words(self.sentence());
        begins_with_relative(&words) && !has_any(&words, &ASKER)
    }

    /// Whether its sentence is about somebody else: "My friend Jo tells me", "Mia loves it, she says".
    fn is_of_others(&self) -> bool {
        let words = lower_words(self.sentence());
        begins_with_relative(&words) || (has_any(&words, &OTHERS) && !Asking::of(self.sentence()).of_oneself)
    }

    /// Whether a message says that something is other than it was, of whomever the question is about.
    fn says_change(&self, asking: Asking) -> bool {
        let changes = has_any(&lower_words(self.sentence()), &CHANGE);
        changes && !self.imagines() && !(asking.of_oneself && self.is_of_others())
    }

    /// Whether it says what is not so: "I dreamt that I live in Paris."
    fn imagines(&self) -> bool {
        imagines(self.sentence())
    }

    /// Whether it only asks.
    fn asks(&self) -> bool {
        self.pieces[self.best].is_question
    }

    /// The sentence that says it by itself, or else the message.
    fn quote_what_is_said(&self) -> QuotedWords {
        let Some((start, end)) = self.evidence.says else { return self.quote(MAX_CHARS, true) };
        let said = &self.evidence.text.as_str()[start..end];
        let start = start + (said.len() - said.trim_start().len());
        let end = said.trim_start().char_indices().nth(MAX_CHARS).map_or(end, |(chars, _)| start + chars);
        let words = StatedWords { passage: self.number, start, end };
        QuotedWords { words, sentence: words }
    }

    /// The best sentence, and around it what there is room for.
    fn quote(&self, room: usize, keeps_to_section: bool) -> QuotedWords {
        let text = self.evidence.text.as_str();
        let spans = |from: usize, to: usize| self.pieces[from].span.start..self.pieces[to].span.end;
        let chars = |span: Range<usize>| text[span].chars().count();
        // With what stands between it and the sentences beside it, such as a heading.
        let cost = |_, piece: usize| {
            let (before, behind) = (piece.saturating_sub(1), (piece + 1).min(self.pieces.len() - 1));
            let from = if piece > 0 { self.pieces[before].span.end } else { self.pieces[piece].span.start };
            let to = if behind > piece { self.pieces[behind].span.start } else { self.pieces[piece].span.end };
            chars(from..to)
        };
        let own = self.pieces[self.best].section;
        let first = self.pieces.partition_point(|piece| keeps_to_section && piece.section < own);
        let end = self.pieces.partition_point(|piece| !keeps_to_section || piece.section <= own);
        let best = self.best - first;
        let mut growing = [Growing::new(best..best + 1, end - first)];
        let left = room.saturating_sub(chars(spans(self.best, self.best)));
        grow(&mut growing, &[0], left, |at, piece| cost(at, first + piece));
        let mut shown = first + growing[0].shown.start..first + growing[0].shown.end;
        // What a colon announces is shown, or neither.
        while shown.end - 1 > self.best
            && shown.end < self.pieces.len()
            && text[self.pieces[shown.end - 1].span.clone()].ends_with(':')
        {
            shown.end -= 1;
        }
        let span = spans(shown.start, shown.end - 1);
        // Only a sentence that is too long by itself is cut.
        let end = text[span.clone()].char_indices().nth(MAX_CHARS).map_or(span.end, |(end, _)| span.start + end);
        let sentence = &self.pieces[self.best].span;
        let part = |span: &Range<usize>| StatedWords {
            passage: self.number,
            start: span.start,
            end: span.end.clamp(span.start, end.max(span.start)),
        };
        QuotedWords { words: part(&span), sentence: part(sentence) }
    }
}

struct Reader {
    words: Words,
    asked: BTreeSet<String>,
    /// Whether what a message says of somebody else counts for nothing.
    leaves_out_others: bool,
}

impl Reader {
    fn new(question: &str, language: Language, is_current: bool) -> Self {
        let (mut words, mut asked) = (Words::new(language), BTreeSet::new());
        words.each(question, |word, stem| {
            let says_when = is_current && AT_PRESENT.contains(&word);
            if !stem.is_empty() && !is_question_word(language, word) && !says_when {
                asked.insert(without_s(stem).to_owned());
            }
        });
        Self { words, asked, leaves_out_others: false }
    }

    /// The question's words in a text.
    fn found(&mut self, text: &str) -> BTreeSet<String> {
        let (asked, mut found) = (&self.asked, BTreeSet::new());
        self.words.each(text, |_, stem| {
            if let Some(asked) = asked.get(without_s(stem)) {
                found.insert(asked.clone());
            }
        });
        found
    }

    /// The question's words in a sentence of a message, but those of clauses about somebody else.
    fn found_of_asker(&mut self, text: &str) -> BTreeSet<String> {
        let (mut found, mut start) = (BTreeSet::new(), 0);
        for span in clauses_of_others(text) {
            found.extend(self.found(&text[start..span.start]));
            start = span.end;
        }
        found.extend(self.found(&text[start..]));
        found
    }

    /// The sentences of a passage. Headings are none, and neither are the marks of where it was cut.
    fn pieces(&mut self, evidence: &Evidence) -> Vec<Piece> {
        let text = evidence.text.as_str();
        let mut heading = self.found(evidence.source.as_str());
        let (mut pieces, mut start, mut section) = (Vec::new(), 0, 0);
        for end in sentence_ends(text).chain([text.len()]) {
            let mut span = start..end.max(start);
            start = span.end;
            // Headings stand before the sentence that they join.
            loop {
                let line = text[span.clone()].split_inclusive('\n').next().unwrap_or_default();
                let is_heading = begins_heading(line.trim_start());
                if line.is_empty() || !(is_heading || line.trim().is_empty()) {
                    break;
                }
                if is_heading {
                    (heading, section) = (self.found(line), section + 1);
                }
                span.start += line.len();
            }
            let cut = text[span.clone()].trim();
            let told = cut.trim_start_matches("...").trim_end_matches("...").trim();
            if !told.contains(char::is_alphanumeric) {
                continue;
            }
            let from = span.start + text[span.clone()].find(told).unwrap_or_default();
            let is_question = told.ends_with(['?', '？']);
            let (mut words, mut is_of_others) = (self.found(told), false);
            if self.leaves_out_others && evidence.said.as_ref().is_some_and(|said| said.speaker.is_none()) {
                let of_asker = self.found_of_asker(told);
                is_of_others = of_asker.is_empty() && !words.is_empty();
                words = of_asker;
            }
            let span = from..from + told.len();
            pieces.push(Piece { span, words, heading: heading.clone(), section, is_question, is_of_others });
        }
        pieces
    }
}

/// `pdf` for `pdfs`: the stemmer leaves the ending of a word without vowels. [`recordar_domain::text::Terms`] knows more of it, but may change; receipts are
/// verified with this.
fn without_s(stem: &str) -> &str {
    let has_vowel = |one: &&str| one.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    stem.strip_suffix('s').filter(|one| one.len() >= 2 && !one.ends_with('s') && !has_vowel(one)).unwrap_or(stem)
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
        let Answer { text, citations, quotes, .. } = quotation(question, &evidence, Language::ENGLISH, Rule::Current);
        let is_part = |quote: &Quote| {
            !quote.sentence.is_empty() && quote.text.contains(&quote.sentence) && text.contains(&quote.text)
        };
        let parts = quotes.iter().all(is_part);
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
    fn i43_an_excerpt_stays_below_its_heading_but_in_earlier_receipts() {
        let page = "Bees live here.\n\n## Lens\n\nIt is big. The lens is cleaned daily.\n\n## Oil\n\nOil is dear.\n";
        let evidence = [Evidence::given("from lamp.md", Timestamp::from_micros(0), page)];
        let answer = |rule| quotation("When is the lens cleaned?", &evidence, Language::ENGLISH, rule).text;
        assert_eq!(answer(Rule::Current), "It is big. The lens is cleaned daily.");
        assert_eq!(answer(Rule::Earlier), page.trim_end());
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
    fn i43_an_excerpt_keeps_to_its_room_and_does_not_end_where_something_is_announced() {
        let long = "Bees live here, behind the tower, in four hives of wood. ".repeat(11);
        let page = format!("The lens is cleaned daily. {long}Take these:\n\n- {}\n", "a soft cloth ".repeat(40));
        let (text, _) = quoted("When is the lens cleaned?", &[(0.8, &page)]);
        assert!(text.ends_with("four hives of wood."), "{text}");
        let heading = format!("## {}\n\nThe lens is cleaned daily.", "Lamp ".repeat(300));
        let (text, _) = quoted("When is the lens cleaned?", &[(0.8, &format!("Bees live here.\n\n{heading}"))]);
        assert_eq!(text, "The lens is cleaned daily.");
        let two = [
            (0.8, format!("The lens, {}.", "so big, ".repeat(95))),
            (0.79, format!("A lens {}.", "so big ".repeat(95))),
        ];
        let two: Vec<(f64, &str)> = two.iter().map(|(score, text)| (*score, text.as_str())).collect();
        let (text, _) = quoted("Where is the lens?", &two);
        assert!(text.chars().count() <= MAX_CHARS && text.starts_with("The lens"), "{text}");
        assert_eq!(quoted("How are PDFs made?", &[(0.8, "Bees are made. A PDF is printed.")]).0.len(), 32);
    }

    #[test]
    fn i44_ones_own_messages_are_quoted_the_newest_first() {
        let check = |question: &str, messages: &[(f64, &str, &str)], expected: &str| {
            let passages = (1..).zip(messages).map(|(id, (score, role, text))| {
                let mut passage = passage(id, text);
                (passage.score, passage.item.role) = (*score, Some((*role).to_owned()));
                passage.item.occurred_at = Timestamp::from_micros(id * 1_000_000);
                passage
            });
            let safe = safe(passages.collect());
            let evidence: Vec<Evidence> = safe.iter().map(|passage| Evidence::of_passage(passage, false)).collect();
            let answer = quotation(question, &evidence, Language::ENGLISH, Rule::Current);
            assert_eq!(answer.text, expected, "{question}");
        };
        let lived = [
            (0.80, "user", "I live in Porto."),
            (0.85, "assistant", "Live well in Lisbon!"),
            (0.78, "user", "I moved to Lisbon, where I live well."),
        ];
        let [old, told, new] = lived.map(|(_, _, text)| text);
        check("Where do I live?", &lived, &format!("{new} [3]"));
        check("Where did I live?", &lived, &format!("{old} [1]\n\n{new} [3]"));
        check("Where did you tell me to live?", &lived, told);
        check("Where do I live?", &[(0.85, "tool", "They live in Faro."), lived[0]], "I live in Porto.");
        let sports =
            [(0.9, "user", "I play volleyball on Tuesdays."), (0.85, "user", "Volleyball is on Thursdays now.")];
        check("When is volleyball?", &sports, &format!("{} [2]", sports[1].2));
        let moved = [(0.9, "user", "I live in Porto."), (0.85, "user", "I have a new dentist now.")];
        check("Where do I live now?", &moved, moved[0].2);
        let trams = [(0.9, "user", "My brother Jo drives trams.")];
        check("Which car do I drive?", &trams, "");
        check("What does my brother drive?", &trams, trams[0].2);
        let wifi = [(0.9, "user", "My wifi password is hunter2."), (0.85, "user", "I bought a new wifi router.")];
        check("What is my wifi password?", &wifi, &format!("{} [2]\n\n{} [1]", wifi[1].2, wifi[0].2));
        let jobs =
            [(0.9, "user", "I work at Otto."), (0.85, "user", "My friend Jo has a new job, she works at Galp now.")];
        check("Where do I work?", &jobs, jobs[0].2);
        let dreamt = [lived[0], (0.85, "user", "I dreamt that I live in Rome.")];
        check("Where do I live?", &dreamt, dreamt[0].2);
        let dinner = [(0.9, "user", "Mum's coming for dinner, she's allergic to shellfish so no prawns.")];
        check("What am I allergic to?", &dinner, "");
        for about_her in ["What is my mum allergic to?", "What is my mum\u{2019}s allergy, is she allergic to prawns?"]
        {
            check(about_her, &dinner, dinner[0].2);
        }
        let kite = [(0.9, "user", "Tolu's birthday present is a kite.")];
        check("What did I get for Tolu's birthday?", &kite, kite[0].2);
        let mixed = [(0.9, "user", "Tolu's dog Pickle is ill, and I am allergic to dogs.")];
        check("What am I allergic to?", &mixed, mixed[0].2);
        check("What's my dog called?", &[(0.9, "user", "Tolu's dog Pickle is ill.")], "");
        let unlike = [(0.9, "user", "I am left-handed."), (0.6, "user", "My left knee hurts.")];
        check("Which hand do I write with, left or right?", &unlike, unlike[0].2);
    }

    #[test]
    fn i44_of_messages_that_the_judge_finds_to_answer_the_newest_is_quoted() {
        let said = |(id, (opinion, text)): (i64, &(Option<i64>, &str))| {
            let mut passage = passage(id, text);
            (passage.score, passage.item.role) = (0.0, Some("user".to_owned()));
            passage.item.occurred_at = Timestamp::from_micros(id * 1_000_000);
            let passages = safe(vec![passage]);
            Evidence { judged: *opinion, ..Evidence::of_passage(&passages[0], true) }
        };
        let check = |question: &str, told: &[(Option<i64>, &str)], expected: &str| {
            let evidence: Vec<Evidence> = (1..).zip(told).map(said).collect();
            let answer = quotation(question, &evidence, Language::ENGLISH, Rule::Current);
            assert_eq!(answer.text, expected, "{question}");
            answer.citations
        };
        let moved = [(Some(6_000), "I live in Porto."), (Some(5_000), "Boxes, keys, sea: hello Faro!")];
        assert_eq!(check("Where do I live?", &moved, "Boxes, keys, sea: hello Faro! [2]"), [1, 2]);
        check("Where did I live before?", &moved, "I live in Porto. [1]");
        let fewer = [moved[0], (Some(4_000), "Faro was sunny.")];
        check("Where do I live?", &fewer, "I live in Porto.");
        let unsure = [(Some(1_000), "Home is by the river."), (Some(200), "I came home late.")];
        check("Where do I live?", &unsure, unsure[0].1);
        check("Where do I live?", &[(Some(-1), "I came home late.")], "");
        check("Where do I live?", &[(None, "I live in Porto.")], "");
        let mut long = said((1, &(Some(6_000), "Busy week. I live in Faro now. It rained.")));
        long.says = Some((11, 30));
        let answer = quotation("Where do I live?", &[long], Language::ENGLISH, Rule::Current);
        assert_eq!(answer.text, "I live in Faro now.");
        let again = answer.quoted.unwrap();
        assert!(again.answer(&[]).is_none(), "words that are not there are no answer");
        assert!(!Quotation { shown: 2, ..again }.is_bounded());
        check("When did I move to Faro?", &moved[1..], "Boxes, keys, sea: hello Faro! (said on 1 January 1970)");
        let told = [(Some(6_000), "Sleep? He was born Friday, 8 pounds 1.")];
        check("When was he born?", &told, "Sleep? He was born Friday, 8 pounds 1. (26 December 1969)");
        check("Where am I when I am home?", &moved[1..], "Boxes, keys, sea: hello Faro!");
    }

    #[test]
    fn i43_a_repeated_question_is_quoted_only_where_there_is_nothing_else() {
        assert_eq!(quoted("Who is Bello?", &[(0.9, "Who is Bello?"), (0.5, "Bello is the dog.")]).1, [2]);
        assert_eq!(quoted("Who is Bello?", &[(0.9, "Who is Bello?")]).0, "Who is Bello?");
        assert_eq!(quoted("Who is Bello?", &[(0.9, "--- ...")]), (String::new(), vec![]));
        assert_eq!(quoted("Who is Bello?", &[]), (String::new(), vec![]));
    }
}
