//! Facts without a model: plain patterns of English ("my … is …", "I moved to …", "we decided …"). Pure; the same on every machine.
//!
//! They find few of the facts that people state, and every one of them says that it comes from here.

use super::facts::{Extracted, MAX_FACTS};
use super::quotation::imagines;
use recordar_domain::text::{began, is_month, is_weekday, period, sentence_ends};
use recordar_domain::{Importance, Statement, Timestamp};
use std::ops::Range;

/// Only this much of a message is looked at.
const MAX_LOOKED_AT: usize = 16 * 1024;
const MAX_VALUE_WORDS: usize = 8;
/// A year, in microseconds. A longer time does not say when something began.
const MAX_NAMED_PERIOD: i64 = 366 * 86_400 * 1_000_000;
/// How long before it a date without a year is about to come.
const SOON: i64 = 60 * 86_400_000_000;
/// Verbs in the past that do not end in "ed".
const PAST: [&str; 24] = [
    "got", "bought", "went", "took", "made", "met", "wrote", "won", "lost", "left", "quit", "began", "was", "were",
    "built", "sold", "gave", "found", "became", "came", "had", "did", "saw", "grew",
];

/// Words before a statement that change nothing about it.
const OPENERS: [&str; 78] = [
    "so",
    "well",
    "actually",
    "now",
    "currently",
    "oh",
    "yeah",
    "yes",
    "also",
    "recently",
    "then",
    "finally",
    "and",
    "but",
    "hey",
    "plus",
    "anyway",
    "lately",
    "btw",
    "hi",
    "hello",
    "as",
    "of",
    "since",
    "today",
    "ok",
    "okay",
    "last",
    "this",
    "week",
    "month",
    "year",
    "weekend",
    "night",
    "yesterday",
    "morning",
    "evening",
    "afternoon",
    "few",
    "days",
    "ago",
    "weeks",
    "months",
    "years",
    "summer",
    "winter",
    "spring",
    "autumn",
    "fall",
    "earlier",
    "day",
    "the",
    "a",
    "in",
    "on",
    "at",
    "first",
    "guess",
    "wow",
    "haha",
    "thanks",
    "thank",
    "you",
    "yep",
    "sadly",
    "unfortunately",
    "luckily",
    "happily",
    "fortunately",
    "honestly",
    "big",
    "good",
    "great",
    "bad",
    "news",
    "update",
    "sorry",
    "no",
];
/// What follows a colon behind one of these is one's own.
const ANNOUNCING: [&str; 9] = ["news", "update", "correction", "ps", "fyi", "note", "reminder", "btw", "fact"];
/// People and animals that are somebody's, and whether one may have several.
const RELATIONS: [(&str, bool); 51] = [
    ("wife", false),
    ("husband", false),
    ("partner", false),
    ("girlfriend", false),
    ("boyfriend", false),
    ("fiancé", false),
    ("fiancée", false),
    ("mother", false),
    ("mum", false),
    ("mom", false),
    ("father", false),
    ("dad", false),
    ("boss", false),
    ("manager", false),
    ("doctor", false),
    ("dentist", false),
    ("therapist", false),
    ("landlord", false),
    ("landlady", false),
    ("sister", true),
    ("brother", true),
    ("son", true),
    ("daughter", true),
    ("grandson", true),
    ("granddaughter", true),
    ("grandmother", true),
    ("grandfather", true),
    ("uncle", true),
    ("aunt", true),
    ("cousin", true),
    ("niece", true),
    ("nephew", true),
    ("colleague", true),
    ("friend", true),
    ("neighbour", true),
    ("neighbor", true),
    ("flatmate", true),
    ("roommate", true),
    ("teacher", true),
    ("coach", true),
    ("dog", true),
    ("cat", true),
    ("puppy", true),
    ("kitten", true),
    ("horse", true),
    ("pony", true),
    ("rabbit", true),
    ("hamster", true),
    ("parrot", true),
    ("tortoise", true),
    ("goldfish", true),
];
/// Between a name and a verb.
const ADVERBS_OF_OTHERS: [&str; 9] =
    ["has", "have", "now", "just", "recently", "finally", "still", "also", "currently"];
/// Between "I" and a verb.
const ADVERBS: [&str; 14] = [
    "now",
    "currently",
    "just",
    "recently",
    "already",
    "finally",
    "still",
    "also",
    "actually",
    "really",
    "always",
    "have",
    "absolutely",
    "usually",
];
/// Verbs that say "I" without it, at the beginning of a sentence: "Moved back to Ghent."
const WITHOUT_I: [&str; 2] = ["moved", "relocated"];
/// A place ends before these: "in Antwerp to be closer", "in Ghent near the river".
const ENDS_OF_PLACES: [&str; 3] = ["to", "near", "from"];
/// No thing that is "mine" has these in its name: "my neighbour told me he lives in …".
const TOLD: [&str; 15] = [
    "he", "she", "they", "it", "we", "you", "me", "told", "tells", "said", "says", "thinks", "thought", "wants",
    "heard",
];
/// A clause with one of these states nothing.
const UNSURE: [&str; 21] = [
    "if", "would", "wish", "might", "maybe", "could", "should", "perhaps", "not", "never", "used", "almost", "hope",
    "hoping", "imagine", "unless", "cannot", "wonder", "supposed", "probably", "suppose",
];
/// What is said after one of these, in the same sentence, is imagined.
const IMAGINED: [&str; 8] = ["if", "imagine", "suppose", "unless", "wish", "pretend", "dreamt", "dreamed"];
/// A message with one of these says that somebody has moved, or changed jobs.
const MOVES: [&str; 4] = ["moved", "moving", "move", "unpacked"];
const CHANGES_JOBS: [&str; 7] = ["job", "quit", "hired", "resigned", "notice", "interview", "offer"];
/// No employer: "starting at the top".
const NO_EMPLOYER: [&str; 9] = ["top", "bottom", "beginning", "end", "moment", "weekend", "start", "latest", "age"];
/// A value ends before these.
const ENDS: [&str; 46] = [
    "because",
    "since",
    "when",
    "while",
    "that",
    "which",
    "who",
    "where",
    "if",
    "so",
    "after",
    "before",
    "until",
    "though",
    "although",
    "last",
    "this",
    "these",
    "next",
    "yesterday",
    "today",
    "now",
    "again",
    "recently",
    "but",
    "ago",
    "and",
    "too",
    "as",
    "with",
    "for",
    "lately",
    "right",
    "every",
    "whenever",
    "during",
    "already",
    "then",
    "currently",
    "cause",
    "cuz",
    "or",
    "than",
    "over",
    "about",
    "i",
];
/// What a value cannot begin with: it points at something else, or says how it is rather than what it is.
const EMPTY: [&str; 62] = [
    "it",
    "that",
    "this",
    "them",
    "him",
    "her",
    "you",
    "there",
    "here",
    "everything",
    "something",
    "anything",
    "how",
    "when",
    "what",
    "so",
    "very",
    "really",
    "not",
    "also",
    "still",
    "always",
    "just",
    "going",
    "too",
    "to",
    "being",
    "pretty",
    "quite",
    "such",
    "me",
    "us",
    "these",
    "those",
    "one",
    "doing",
    "getting",
    "all",
    "at",
    "in",
    "on",
    "like",
    "more",
    "gonna",
    "way",
    "super",
    "totally",
    "now",
    "of",
    "coming",
    "having",
    "about",
    "your",
    "their",
    "his",
    "its",
    "no",
    "both",
    "never",
    "some",
    "definitely",
    "currently",
];
/// What "my … is …" is believed about, besides favourites, names and numbers.
const ATTRIBUTES: [&str; 30] = [
    "name",
    "birthday",
    "job",
    "email",
    "phone number",
    "address",
    "wife",
    "husband",
    "partner",
    "boss",
    "manager",
    "hometown",
    "age",
    "major",
    "goal",
    "size",
    "budget",
    "diet",
    "doctor",
    "school",
    "hobby",
    "nickname",
    "middle name",
    "last name",
    "first name",
    "blood type",
    "native language",
    "personal best",
    "best time",
    "anniversary",
];
const TRADES: [&str; 40] = [
    "teacher",
    "nurse",
    "engineer",
    "developer",
    "doctor",
    "lawyer",
    "student",
    "designer",
    "artist",
    "writer",
    "photographer",
    "manager",
    "scientist",
    "researcher",
    "chef",
    "musician",
    "counselor",
    "therapist",
    "accountant",
    "architect",
    "programmer",
    "consultant",
    "journalist",
    "electrician",
    "plumber",
    "carpenter",
    "dentist",
    "pilot",
    "driver",
    "baker",
    "barista",
    "librarian",
    "analyst",
    "veterinarian",
    "pharmacist",
    "painter",
    "dancer",
    "singer",
    "coach",
    "marketer",
];
const DIETS: [&str; 4] = ["vegetarian", "vegan", "pescatarian", "coeliac"];
const STATES: [&str; 6] = ["married", "single", "engaged", "divorced", "widowed", "retired"];
/// What people count: "I have read 12 books".
const COUNTED: [&str; 16] = [
    "read",
    "watched",
    "visited",
    "tried",
    "completed",
    "finished",
    "collected",
    "written",
    "wrote",
    "attended",
    "made",
    "seen",
    "played",
    "run",
    "baked",
    "met",
];

/// What people have without owning it.
const ABSTRACT: [&str; 26] = [
    "great",
    "good",
    "question",
    "lot",
    "plan",
    "meeting",
    "feeling",
    "hard",
    "idea",
    "blast",
    "time",
    "bit",
    "chance",
    "problem",
    "point",
    "few",
    "long",
    "tough",
    "big",
    "wonderful",
    "nice",
    "amazing",
    "fun",
    "busy",
    "rough",
    "while",
];

/// How "I" and a verb state something: the words, the attribute, and whether several values can hold at once.
const VERBS: [(&[&str], &str, bool); 91] = [
    (&["live", "in"], "lives in", false),
    (&["am", "living", "in"], "lives in", false),
    (&["are", "living", "in"], "lives in", false),
    (&["are", "based", "in"], "lives in", false),
    (&["lives", "in"], "lives in", false),
    (&["is", "living", "in"], "lives in", false),
    (&["living", "in"], "lives in", false),
    (&["am", "based", "in"], "lives in", false),
    (&["settled", "in"], "lives in", false),
    (&["moved", "house", "to"], "lives in", false),
    (&["moved", "to"], "lives in", false),
    (&["moved", "back", "to"], "lives in", false),
    (&["relocated", "to"], "lives in", false),
    (&["work", "at"], "works at", false),
    (&["works", "at"], "works at", false),
    (&["work", "for"], "works at", false),
    (&["works", "for"], "works at", false),
    (&["am", "working", "at"], "works at", false),
    (&["am", "working", "for"], "works at", false),
    (&["is", "working", "at"], "works at", false),
    (&["working", "at"], "works at", false),
    (&["is", "working", "for"], "works at", false),
    (&["started", "at"], "works at", false),
    (&["started", "working", "at"], "works at", false),
    (&["started", "a", "new", "job", "at"], "works at", false),
    (&["got", "a", "job", "at"], "works at", false),
    (&["got", "a", "new", "job", "at"], "works at", false),
    (&["got", "the", "job", "at"], "works at", false),
    (&["got", "hired", "at"], "works at", false),
    (&["work", "as"], "works as", false),
    (&["works", "as"], "works as", false),
    (&["am", "working", "as"], "works as", false),
    (&["am", "from"], "is from", false),
    (&["grew", "up", "in"], "grew up in", false),
    (&["was", "born", "in"], "was born in", false),
    (&["was", "born", "on"], "was born on", false),
    (&["am", "allergic", "to"], "is allergic to", true),
    (&["am", "called"], "name", false),
    (&["am", "studying"], "studies", true),
    (&["prefer"], "prefers", true),
    (&["like"], "likes", true),
    (&["love"], "likes", true),
    (&["enjoy"], "likes", true),
    (&["hate"], "dislikes", true),
    (&["dislike"], "dislikes", true),
    (&["can't", "stand"], "dislikes", true),
    (&["play"], "plays", true),
    (&["speak"], "speaks", true),
    (&["own"], "owns", true),
    (&["drive"], "drives", false),
    (&["am", "driving"], "drives", false),
    (&["bought"], "bought", true),
    (&["decided", "to"], "decided to", true),
    (&["decided", "on"], "decided on", true),
    (&["agreed", "to"], "agreed to", true),
    (&["joined"], "joined", true),
    (&["adopted"], "adopted", true),
    (&["visited"], "visited", true),
    (&["attended"], "attended", true),
    (&["started"], "started", true),
    (&["finished"], "finished", true),
    (&["completed"], "completed", true),
    (&["won"], "won", true),
    (&["passed"], "passed", true),
    (&["made"], "made", true),
    (&["painted"], "painted", true),
    (&["wrote"], "wrote", true),
    (&["watched"], "watched", true),
    (&["signed", "up", "for"], "signed up for", true),
    (&["went", "to"], "went to", true),
    (&["took", "up"], "took up", true),
    (&["volunteer", "at"], "volunteers at", true),
    (&["volunteered", "at"], "volunteered at", true),
    (&["lost"], "lost", true),
    (&["opened"], "opened", true),
    (&["launched"], "launched", true),
    (&["quit"], "quit", true),
    (&["graduated", "from"], "graduated from", true),
    (&["switched", "to"], "switched to", true),
    (&["upgraded", "to"], "upgraded to", true),
    (&["planted"], "planted", true),
    (&["built"], "built", true),
    (&["baked"], "baked", true),
    (&["donated"], "donated", true),
    (&["organized"], "organized", true),
    (&["am", "learning"], "is learning", true),
    (&["am", "taking"], "is taking", true),
    (&["am", "working", "on"], "is working on", true),
    (&["am", "reading"], "is reading", true),
    (&["collect"], "collects", true),
    (&["teach"], "teaches", true),
];

/// A word of a clause: in lower case, and where it is. "I'm" is two words in one place.
#[derive(Debug, Clone)]
struct Word<'a> {
    lower: String,
    written: &'a str,
    start: usize,
    end: usize,
}

/// What a whole message says, as far as its clauses depend on it.
struct Message {
    moves: bool,
    changes_jobs: bool,
}

impl Message {
    fn of(text: &str) -> Self {
        let words = words(text, 0, text.len());
        let says = |known: &[&str]| !imagines(text) && words.iter().any(|word| known.contains(&word.lower.as_str()));
        Self { moves: says(&MOVES), changes_jobs: says(&CHANGES_JOBS) }
    }
}

pub(super) fn built_in_facts(text: &str, speaker: &str, said_at: Timestamp) -> Vec<Extracted> {
    let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
    let message = Message::of(text);
    let mut facts: Vec<Extracted> = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for end in sentence_ends(text) {
        let sentence = &text[start..end];
        let was_quoted = is_quoted;
        let clauses = clauses(sentence, &mut is_quoted);
        if !sentence.trim_end().ends_with('?') {
            let is_unquoted = !was_quoted && !sentence.contains(['"', '\u{201c}']);
            if let Some((_, last)) = clauses.last().filter(|_| is_unquoted) {
                facts.extend(relations(text, start, start + last, speaker, said_at));
            }
            // Whom "she" means, where one other is named before.
            let mut named: Option<String> = None;
            for (from, to) in clauses {
                let words = words(text, start + from, start + to);
                // "If I lived in Paris, I …": the rest is imagined, too.
                if words.iter().any(|word| IMAGINED.contains(&word.lower.as_str())) {
                    break;
                }
                let found = stated(&words, speaker, &message).or_else(|| of_pronoun(&words, named.as_deref()?));
                named = found.as_ref().filter(|found| !found.is_own).map(|found| found.subject.clone()).or(named);
                facts.extend(found.into_iter().filter_map(|found| found.extracted(&words, text, said_at)));
            }
        }
        start = end;
    }
    facts.retain(|fact| fact.statement.check().is_ok());
    let mut kept: Vec<Extracted> = Vec::new();
    for fact in facts {
        if kept.len() < MAX_FACTS && !kept.iter().any(|other| other.statement == fact.statement) {
            kept.push(fact);
        }
    }
    kept
}

/// Whether a noun is a person or an animal of somebody.
pub(super) fn is_relation(noun: &str) -> bool {
    RELATIONS.iter().any(|(known, _)| *known == noun)
}

/// "My sister Mia", "our cat, Tigran,": who is whose.
fn relations(text: &str, start: usize, end: usize, speaker: &str, said_at: Timestamp) -> Vec<Extracted> {
    let words = words(text, start, end);
    if words.iter().any(|word| IMAGINED.contains(&word.lower.as_str())) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 0..words.len() {
        if !["my", "our"].contains(&lower(&words, at)) {
            continue;
        }
        let Some((_, is_many)) = RELATIONS.iter().find(|(noun, _)| *noun == lower(&words, at + 1)) else { continue };
        let Some(name) = words.get(at + 2).filter(|word| is_name(word)) else { continue };
        let between = &text[words[at + 1].end..name.start];
        let behind = text[name.end..end].trim_start();
        // "My sister, Mia, …", not "my sister, Mia and Bruno".
        let is_apart = between == ", " && behind.starts_with([',', '.', ';', '!']);
        if (between != " " && !is_apart) || name.lower.ends_with("'s") {
            continue;
        }
        let noun = lower(&words, at + 1).to_owned();
        let own = own(speaker, &noun, *is_many, 0, (2, 3), 0.8);
        found.extend(own.extracted(&words[at..at + 3], text, said_at));
    }
    found
}

/// Something that somebody says is over.
pub(super) struct Ending {
    /// Of oneself; nothing if somebody died.
    pub(super) attribute: &'static str,
    /// The bytes of what it was, or of who died.
    pub(super) value: Option<Range<usize>>,
    pub(super) since: Timestamp,
    pub(super) span: Range<usize>,
}

/// "I no longer live in Porto", "I quit my job at Galp", "Bruno died".
pub(super) fn endings(text: &str, said_at: Timestamp) -> Vec<Ending> {
    let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
    let mut endings = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for end in sentence_ends(text) {
        let sentence = &text[start..end];
        let clauses = clauses(sentence, &mut is_quoted);
        for (from, to) in clauses.into_iter().filter(|_| !sentence.trim_end().ends_with('?')) {
            let words = words(text, start + from, start + to);
            let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.lower.as_str()));
            if says(&IMAGINED) || endings.len() >= MAX_FACTS {
                break;
            }
            if !says(&["thought", "think", "afraid", "almost", "nearly", "might", "maybe", "would", "could", "never"]) {
                endings.extend(ending(&words, text, said_at));
            }
        }
        start = end;
    }
    endings
}

fn ending(words: &[Word<'_>], text: &str, said_at: Timestamp) -> Option<Ending> {
    let at = words.iter().position(|word| !OPENERS.contains(&word.lower.as_str()) || is_name(word))?;
    let span = words[at].start..words.last()?.end;
    let since = named_since(&text[span.clone()], words, said_at).unwrap_or(said_at);
    let bytes = |(from, to): (usize, usize)| words[from].start..words[to - 1].end;
    let ended = |attribute: &'static str, value: Option<(usize, usize)>| {
        Some(Ending { attribute, value: value.map(bytes), since, span: span.clone() })
    };
    // "Bruno died", "my dog Bruno passed away".
    let died = words
        .iter()
        .position(|word| word.lower == "died")
        .or_else(|| words.windows(2).position(|pair| pair[0].lower == "passed" && pair[1].lower == "away"));
    if let Some(died) = died {
        let name = (at..died)
            .rev()
            .find(|at| !["has", "just", "sadly", "suddenly", "finally"].contains(&lower(words, *at)))?;
        return ended("", Some((name, name + 1))).filter(|_| is_name(&words[name]));
    }
    // "Sold the Fiesta", "we've sold my old Fiesta".
    let sold = (at..(at + 4).min(words.len())).find(|at| ["sold", "scrapped"].contains(&lower(words, *at)));
    if let Some(sold) = sold.filter(|sold| *sold == at || ["i", "we"].contains(&lower(words, at)))
        && ["the", "my", "our"].contains(&lower(words, sold + 1))
    {
        let (from, to) = value_at(words, sold + 2)?;
        let named = (from..to).rfind(|at| is_name(&words[*at]))?;
        return ended("drives", Some((named, named + 1)));
    }
    if !["i", "we"].contains(&lower(words, at)) {
        return None;
    }
    let verb = at + 1;
    let states = |verb: usize| {
        let found = |(pattern, attribute): &(&[&str], &'static str)| {
            let is_it = (0..).zip(*pattern).all(|(step, word)| lower(words, verb + step) == *word);
            is_it.then_some((verb + pattern.len(), *attribute))
        };
        STANDING.iter().find_map(found)
    };
    let is_over = |words: &[Word<'_>]| {
        words.iter().any(|word| word.lower == "anymore")
            || words
                .windows(2)
                .any(|pair| pair[0].lower == "any" && ["more", "longer"].contains(&pair[1].lower.as_str()))
    };
    if lower(words, verb) == "no" && lower(words, verb + 1) == "longer" {
        let (value, attribute) = states(verb + 2)?;
        return ended(attribute, value_at(words, value));
    }
    if ["don't", "do"].contains(&lower(words, verb)) && is_over(words) {
        let (value, attribute) = states(verb + if lower(words, verb + 1) == "not" { 2 } else { 1 })?;
        let (from, to) = value_at(words, value)?;
        let to = (from..to).find(|at| ["any", "anymore"].contains(&lower(words, *at))).unwrap_or(to);
        return ended(attribute, Some((from, to)).filter(|(from, to)| from < to));
    }
    let verb = (verb..words.len()).find(|at| !ADVERBS.contains(&lower(words, *at)))?;
    let is_end = |at: usize| {
        let times = ["", "at", "with", "in", "on", "from", "last", "this", "yesterday", "today", "now", "two", "a"];
        times.contains(&lower(words, at))
    };
    match lower(words, verb) {
        "quit" | "left" | "lost"
            if lower(words, verb + 1) == "my" && lower(words, verb + 2) == "job" && is_end(verb + 3) =>
        {
            let is_named = ["at", "with"].contains(&lower(words, verb + 3));
            ended("works at", is_named.then(|| value_at(words, verb + 4)).flatten())
        }
        "quit" if lower(words, verb + 1) == "the" => ended("works at", value_at(words, verb + 2)),
        "quit" if words.get(verb + 1).is_some_and(is_name) => ended("works at", value_at(words, verb + 1)),
        "retired" if is_end(verb + 1) => ended("works at", None),
        _ => None,
    }
}

/// What can be said to hold no longer.
const STANDING: [(&[&str], &str); 5] = [
    (&["live", "in"], "lives in"),
    (&["work", "at"], "works at"),
    (&["work", "for"], "works at"),
    (&["work", "with"], "works at"),
    (&["work", "as"], "works as"),
];

/// The clauses of a sentence, as bytes. What is quoted, or follows a colon, may be another's words.
fn clauses(sentence: &str, is_quoted: &mut bool) -> Vec<(usize, usize)> {
    let mut clauses = Vec::new();
    let (mut start, mut is_reported) = (0, false);
    for (at, mark) in sentence.char_indices() {
        if matches!(mark, '"' | '\u{201c}' | '\u{201d}') {
            if !*is_quoted && !is_reported {
                clauses.push((start, at));
            }
            *is_quoted = !*is_quoted;
            start = at + mark.len_utf8();
            continue;
        }
        if *is_quoted || is_reported {
            continue;
        }
        is_reported = mark == ':' && !announces(&sentence[start..at]);
        // A dash between spaces parts clauses, one within a word does not.
        let is_dash = mark == '-' && sentence[..at].ends_with(' ') && sentence[at + 1..].starts_with(' ');
        if is_dash || matches!(mark, ',' | ';' | ':' | '\n' | '(' | ')' | '!' | '\u{2014}' | '?') {
            clauses.push((start, at));
            start = at + mark.len_utf8();
        }
    }
    if !*is_quoted && !is_reported {
        clauses.push((start, sentence.len()));
    }
    let mut parts = Vec::new();
    for (from, to) in clauses {
        let mut start = from;
        for joint in [" and ", " but ", " because ", " so "] {
            while let Some(at) =
                sentence[start..to].find(joint).filter(|at| begins_clause(&sentence[start + at + joint.len()..to]))
            {
                parts.push((start, start + at));
                start += at + joint.len();
            }
        }
        parts.push((start, to));
    }
    parts
}

/// "Big news".
fn announces(words: &str) -> bool {
    let last = words.trim().rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    ANNOUNCING.contains(&last.to_lowercase().as_str())
}

/// Whether a statement of its own begins here.
fn begins_clause(rest: &str) -> bool {
    let lower = rest.trim_start().to_lowercase();
    ["i ", "i'", "i\u{2019}", "my ", "we ", "we'"].iter().any(|begin| lower.starts_with(begin))
}

fn words(text: &str, from: usize, to: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    let is_part = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '\'' | '\u{2019}' | '-' | '$' | '%' | '.' | '&' | '@' | '+')
    };
    for (at, letter) in text[from..to].char_indices().chain(std::iter::once((to - from, ' '))) {
        match (is_part(letter), start) {
            (true, None) => start = Some(from + at),
            (false, Some(begin)) => {
                let written = text[begin..from + at].trim_end_matches(['.', '-', '\'', '\u{2019}']);
                push_word(&mut words, written, begin);
                start = None;
            }
            _ => {}
        }
    }
    words
}

fn push_word<'a>(words: &mut Vec<Word<'a>>, written: &'a str, start: usize) {
    if written.is_empty() {
        return;
    }
    let end = start + written.len();
    let lower = written.to_lowercase().replace('\u{2019}', "'");
    let parts: Vec<&str> = match lower.as_str() {
        "i'm" => vec!["i", "am"],
        "i've" => vec!["i", "have"],
        "i'd" | "i'll" => vec!["i", "would"],
        "we've" => vec!["we", "have"],
        "we're" => vec!["we", "are"],
        "number's" | "name's" | "birthday's" | "dentist's" | "doctor's" | "address's" => {
            vec![lower.trim_end_matches("'s"), "is"]
        }
        _ => vec![lower.as_str()],
    };
    words.extend(parts.into_iter().map(|part| Word { lower: part.to_owned(), written, start, end }));
}

/// What a clause states: the subject, and which of its words are the value.
struct Found {
    subject: String,
    attribute: String,
    is_own: bool,
    is_many: bool,
    first: usize,
    value: (usize, usize),
    confidence: f64,
}

impl Found {
    fn extracted(self, words: &[Word<'_>], text: &str, said_at: Timestamp) -> Option<Extracted> {
        let (first, last) = (words.get(self.value.0)?, words.get(self.value.1.checked_sub(1)?)?);
        let value = text[first.start..last.end].trim_matches(['.', ' ', '"', '\'']);
        let begin = words[self.first].start;
        let clause_end = words.last()?.end;
        let since = named_since(&text[begin..clause_end], words, said_at);
        Some(Extracted {
            statement: Statement {
                subject: self.subject,
                attribute: self.attribute,
                value: value.to_owned(),
                is_many: self.is_many,
            },
            span: (begin, last.end),
            is_own: self.is_own,
            since: since.unwrap_or(said_at),
            confidence: Importance::new(self.confidence).unwrap_or_default(),
        })
        .filter(|_| !value.is_empty())
    }
}

/// The time since which a clause says that it holds: "since May", or what happened in a past that it names, such as "I moved last May". A date without
/// a year that is about to come is ahead rather than long ago: "I got an interview on 17 February". "Before June" says nothing of when.
fn named_since(clause: &str, words: &[Word<'_>], said_at: Timestamp) -> Option<Timestamp> {
    let happened = |word: &Word<'_>| {
        let is_past = word.lower.ends_with("ed") || PAST.contains(&word.lower.as_str());
        is_past && !["decided", "agreed", "planned"].contains(&word.lower.as_str())
    };
    if words.iter().any(happened)
        && let Some(began) = began(clause, said_at)
    {
        return Some(began);
    }
    let (from, to) = period(clause, said_at).filter(|(from, _)| *from <= said_at)?;
    if to.as_micros() == i64::MAX {
        return Some(from);
    }
    // "Last May" has a year, too.
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let has_year = words.iter().any(|word| is_year(&word.lower) || ["last", "ago"].contains(&word.lower.as_str()));
    let is_short = to.as_micros().saturating_sub(from.as_micros()) <= MAX_NAMED_PERIOD;
    let ago = said_at.as_micros().saturating_sub(from.as_micros());
    let is_ahead = !has_year && (MAX_NAMED_PERIOD - SOON..=MAX_NAMED_PERIOD).contains(&ago);
    (words.iter().any(happened) && is_short && !is_ahead).then_some(from)
}

fn is_unsure(words: &[Word<'_>]) -> bool {
    words
        .iter()
        .any(|word| UNSURE.contains(&word.lower.as_str()) || (word.lower.ends_with("n't") && word.lower != "can't"))
}

fn stated(words: &[Word<'_>], speaker: &str, message: &Message) -> Option<Found> {
    let at = first_told(words)?;
    if is_unsure(words) {
        return None;
    }
    if message.changes_jobs
        && let Some(found) = of_first_day(words, speaker)
    {
        return Some(found);
    }
    match words[at].lower.as_str() {
        "i" | "we" => {
            of_speaker(words, at, speaker).or_else(|| message.moves.then(|| of_new_place(words, at, speaker)).flatten())
        }
        "my" | "our" => of_my_relation(words, at, speaker).or_else(|| of_mine(words, at, speaker)),
        verb if at == 0 && WITHOUT_I.contains(&verb) && is_capitalised(&words[0]) => {
            by_verb(words, (at, at, at), speaker).filter(|found| is_place(&words[found.value.0]))
        }
        "new" => of_new_number(words, at, speaker),
        "call" if lower(words, at + 1) == "me" => {
            let value = name_at(words, at + 2)?;
            Some(own(speaker, "name", false, at, value, 0.7))
        }
        _ => of_another(words, at),
    }
}

/// "First day at the brewery!", "starting at the library on Monday": of who has changed jobs.
fn of_first_day(words: &[Word<'_>], speaker: &str) -> Option<Found> {
    let is_at = |at: usize, known: &[&str]| (0..).zip(known).all(|(step, word)| lower(words, at + step) == *word);
    let begins = |at: &usize| {
        let is_own = *at == 0 || ["i", "am", "and"].contains(&lower(words, at - 1));
        is_at(*at, &["first", "day", "at"]) || (is_own && is_at(*at, &["starting", "at"]))
    };
    let at = (0..words.len().min(4)).find(begins)?;
    let start = at + if lower(words, at) == "first" { 3 } else { 2 };
    let (start, end) = value_at(words, start)?;
    let is_end = |at: &usize| ["on", "from", "in", "tomorrow"].contains(&lower(words, *at));
    let value = (start, (start + 1..end).find(is_end).unwrap_or(end));
    names_an_employer(words, value).then(|| own(speaker, "works at", false, at, value, 0.6))
}

/// "Galp", "the brewery", not "night", "nine", "the top".
fn names_an_employer(words: &[Word<'_>], (start, end): (usize, usize)) -> bool {
    let is_thing = ["the", "a", "an"].contains(&lower(words, start)) && end > start + 1;
    is_place(&words[start]) || (is_thing && !NO_EMPLOYER.contains(&lower(words, end - 1)))
}

/// "We're in York now", of who has moved.
fn of_new_place(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let verb = (at + 1..words.len()).find(|at| !ADVERBS.contains(&lower(words, *at)))?;
    let place = (verb + 1..words.len()).find(|at| !ADVERBS.contains(&lower(words, *at)))?;
    let is_in = ["am", "are"].contains(&lower(words, verb)) && lower(words, place) == "in";
    let value = shortened(words, value_at(words, place + 1).filter(|(first, _)| is_in && is_place(&words[*first]))?);
    Some(own(speaker, "lives in", false, at, value, 0.6))
}

/// "… she got a job at the museum": of the other who is named before.
fn of_pronoun(words: &[Word<'_>], named: &str) -> Option<Found> {
    let at = first_told(words).filter(|at| ["he", "she"].contains(&lower(words, *at)) && !is_unsure(words))?;
    of_others(words, at, named, at + 1)
}

/// Where a statement begins, behind "so", "last week", "in August".
fn first_told(words: &[Word<'_>]) -> Option<usize> {
    let begins = |at: &usize| {
        let word = words[*at].lower.as_str();
        let is_time = *at > 0 && (is_month(word) || is_weekday(word));
        !OPENERS.contains(&word) && !is_time
    };
    (0..words.len()).find(begins)
}

fn own(speaker: &str, attribute: &str, is_many: bool, first: usize, value: (usize, usize), confidence: f64) -> Found {
    let (subject, attribute) = (speaker.to_owned(), attribute.to_owned());
    Found { subject, attribute, is_own: true, is_many, first, value, confidence }
}

fn lower<'a>(words: &'a [Word<'_>], at: usize) -> &'a str {
    words.get(at).map_or("", |word| word.lower.as_str())
}

/// "I live in …", "we decided to …".
fn of_speaker(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let has_have = lower(words, at + 1) == "have";
    let mut verb = at + 1;
    while ADVERBS.contains(&lower(words, verb)) {
        verb += 1;
    }
    let is_am = lower(words, verb) == "am";
    let mut after_am = verb + 1;
    while is_am && ADVERBS.contains(&lower(words, after_am)) {
        after_am += 1;
    }
    let is_age = |at: usize| lower(words, at).parse::<u32>().is_ok_and(|age| (3..120).contains(&age));
    if lower(words, verb) == "turned" && is_age(verb + 1) {
        return Some(own(speaker, "age", false, at, (verb + 1, verb + 2), 0.8));
    }
    if is_am {
        let rest = lower(words, after_am);
        let is_last =
            words.len() == after_am + 1 || (words.len() == after_am + 2 && lower(words, after_am + 1) == "now");
        if is_age(after_am) && (is_last || lower(words, after_am + 1).starts_with("year")) {
            return Some(own(speaker, "age", false, at, (after_am, after_am + 1), 0.8));
        }
        if STATES.contains(&rest) {
            return Some(own(speaker, "relationship status", false, at, (after_am, after_am + 1), 0.6));
        }
        let noun = if ["a", "an"].contains(&rest) { after_am + 1 } else { after_am };
        if DIETS.contains(&lower(words, noun)) {
            return Some(own(speaker, "diet", false, at, (noun, noun + 1), 0.7));
        }
        if noun > after_am {
            let trade = (noun..(noun + 3).min(words.len())).find(|at| TRADES.contains(&lower(words, *at)));
            let trade = trade.filter(|at| words[noun..*at].iter().all(|word| !ENDS.contains(&word.lower.as_str())));
            return trade.map(|trade| own(speaker, "works as", false, at, (noun, trade + 1), 0.6));
        }
    }
    if has_have && let Some(found) = count(words, at, verb, speaker) {
        return Some(found);
    }
    if has_have && let Some(found) = named_possession(words, at, speaker).or_else(|| possession(words, at, speaker)) {
        return Some(found);
    }
    if has_have && let Some(found) = habit(words, at, speaker) {
        return Some(found);
    }
    by_verb(words, (at, verb, if is_am { after_am - 1 } else { verb }), speaker)
}

/// What a verb of the list states. The statement begins at `at`; adverbs may stand between the verb's first word and the others, which begin behind `rest`.
fn by_verb(words: &[Word<'_>], (at, verb, rest): (usize, usize, usize), speaker: &str) -> Option<Found> {
    // "I moved from Porto to Lisbon".
    if lower(words, verb) == "moved" && lower(words, verb + 1) == "from" {
        let to = (verb + 3..verb + 6).find(|at| lower(words, *at) == "to")?;
        let value = value_at(words, to + 1).filter(|value| names_a_place(words, *value))?;
        return Some(own(speaker, "lives in", false, at, value, 0.7));
    }
    for (pattern, attribute, is_many) in VERBS {
        let matches = |(at, word): (usize, &&str)| {
            let place = if at == 0 { verb } else { rest + at };
            lower(words, place) == *word
        };
        if !pattern.iter().enumerate().all(matches) {
            continue;
        }
        let value = value_at(words, rest + pattern.len())?;
        let value = if PLACES.contains(&attribute) { shortened(words, value) } else { value };
        let value = if attribute == "works as" { without_place(words, value) } else { value };
        if attribute == "lives in" && !names_a_place(words, value) {
            return None;
        }
        let first = &words[value.0];
        // "I started at noon".
        if pattern == ["started", "at"] && !is_place(first) {
            return None;
        }
        // "I drive to work", "I drive my kids to school".
        if attribute == "drives" && !["a", "an"].contains(&first.lower.as_str()) && !is_place(first) {
            return None;
        }
        // Tastes are often of the moment; a thing that is named is sooner a fact.
        if ["likes", "dislikes", "plays", "owns"].contains(&attribute) && is_passing(first) {
            return None;
        }
        let subject = if lower(words, at) == "we" && attribute.starts_with("decided") { "we" } else { speaker };
        let confidence = if ["likes", "dislikes"].contains(&attribute) || is_many { 0.5 } else { 0.7 };
        return Some(own(subject, attribute, is_many, at, value, confidence));
    }
    None
}

/// Attributes whose values are places.
const PLACES: [&str; 4] = ["lives in", "is from", "grew up in", "was born in"];

/// Whether a value has a name in it, as far as its clause has capitals at all: "I moved to the design team".
fn names_a_place(words: &[Word<'_>], (start, end): (usize, usize)) -> bool {
    let determiners = ["the", "a", "an", "my", "our", "his", "her", "their", "another", "different"];
    words[start..end].iter().any(is_place)
        || (!words.iter().any(is_capitalised) && !determiners.contains(&lower(words, start)))
}

/// Whether a word can be a person's name: no shouting.
fn is_name(word: &Word<'_>) -> bool {
    is_place(word) && word.written.chars().nth(1).is_some_and(char::is_lowercase)
}

fn is_capitalised(word: &Word<'_>) -> bool {
    word.written.starts_with(char::is_uppercase)
}

/// Whether a word can be the name of a place: no weekday and no month.
fn is_place(word: &Word<'_>) -> bool {
    is_capitalised(word) && !is_month(&word.lower) && !is_weekday(&word.lower)
}

/// A value without what is said of why and where.
fn shortened(words: &[Word<'_>], (start, end): (usize, usize)) -> (usize, usize) {
    let is_end = |at: &usize| ENDS_OF_PLACES.contains(&lower(words, *at));
    (start, (start + 1..end).find(is_end).unwrap_or(end))
}

/// "A nurse" of "a nurse at the hospital".
fn without_place(words: &[Word<'_>], (start, end): (usize, usize)) -> (usize, usize) {
    (start, (start + 1..end).find(|at| ["at", "in"].contains(&lower(words, *at))).unwrap_or(end))
}

/// Whether a taste is of the moment: "I love your idea", "I enjoyed the evening".
fn is_passing(first: &Word<'_>) -> bool {
    ["the", "your", "seeing", "hearing", "hanging", "my"].contains(&first.lower.as_str())
}

/// "I have read 12 books".
fn count(words: &[Word<'_>], at: usize, verb: usize, speaker: &str) -> Option<Found> {
    let what = lower(words, verb);
    if !COUNTED.contains(&what) {
        return None;
    }
    let number = (verb + 1..verb + 3).find(|at| is_number(lower(words, *at)))?;
    let noun = words.get(number + 1..(number + 3).min(words.len()))?;
    let noun: Vec<&str> = noun.iter().map(|word| word.lower.as_str()).take_while(|word| !ENDS.contains(word)).collect();
    let noun = noun.first().filter(|noun| noun.ends_with('s')).or(noun.get(1).filter(|noun| noun.ends_with('s')))?;
    let attribute = format!("number of {noun} {what}");
    Some(own(speaker, &attribute, false, at, (number, number + 1), 0.6))
}

fn is_number(word: &str) -> bool {
    let written = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    word.parse::<u32>().is_ok() || written.contains(&word)
}

/// "I have a dog named Max".
fn named_possession(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let named = (at + 3..(at + 8).min(words.len())).find(|at| ["named", "called"].contains(&lower(words, *at)))?;
    let value = name_at(words, named + 1)?;
    let noun = lower(words, named - 1).to_owned();
    Some(own(speaker, &noun, true, at, value, 0.7))
}

/// "I have two cats". Not "I have a question".
fn possession(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let is_counted = ["a", "an"].contains(&lower(words, at + 2)) || is_number(lower(words, at + 2));
    let value = value_at(words, at + 2).filter(|_| is_counted)?;
    let is_abstract = words[value.0..value.1].iter().any(|word| ABSTRACT.contains(&word.lower.as_str()));
    (!is_abstract && value.1 <= value.0 + 5).then(|| own(speaker, "has", true, at, value, 0.5))
}

/// "I have been practising yoga".
fn habit(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let been = (at + 2..at + 4).find(|at| lower(words, *at) == "been")?;
    let doing = lower(words, been + 1).to_owned();
    if !doing.ends_with("ing")
        || ["feeling", "thinking", "trying", "going", "wanting", "having", "being", "looking"].contains(&&*doing)
    {
        return None;
    }
    let start = if ["on", "to", "for", "with"].contains(&lower(words, been + 2)) { been + 3 } else { been + 2 };
    let value = value_at(words, start)?;
    Some(own(speaker, &format!("has been {doing}"), true, at, value, 0.5))
}

/// "My favourite colour is …", "my sister lives in …".
fn of_mine(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let is = (at + 2..(at + 7).min(words.len()))
        .find(|at| ["is", "was", "lives", "works", "are"].contains(&lower(words, *at)))?;
    let attribute: Vec<&str> =
        words[at + 1..is].iter().map(|word| word.lower.as_str()).filter(|word| *word != "new").collect();
    let attribute = attribute.join(" ").replace("favorite", "favourite");
    if attribute.is_empty()
        || attribute
            .split(' ')
            .any(|word| ENDS.contains(&word) || TOLD.contains(&word) || ["in", "of", "to", "on", "at"].contains(&word))
    {
        return None;
    }
    match lower(words, is) {
        "lives" | "works" => {
            let how = lower(words, is + 1);
            let attribute_of = match (lower(words, is), how) {
                ("lives", "in") => "lives in",
                ("works", "at" | "for") => "works at",
                ("works", "as") => "works as",
                _ => return None,
            };
            let value = value_at(words, is + 2)?;
            let value = if PLACES.contains(&attribute_of) { shortened(words, value) } else { value };
            let subject = format!("{speaker}'s {attribute}");
            return Some(Found { is_own: false, ..own(&subject, attribute_of, false, at, value, 0.6) });
        }
        "is" => {}
        _ => return None,
    }
    let named =
        attribute.strip_suffix("'s name").or_else(|| attribute.strip_suffix(" name")).filter(|noun| *noun != "first");
    let mut after = is + 1;
    while ["now", "currently"].contains(&lower(words, after)) {
        after += 1;
    }
    // "My birthday is on 14 May."
    after += usize::from(attribute.ends_with("birthday") && lower(words, after) == "on");
    let is_called = ["called", "named"].contains(&lower(words, after));
    after += usize::from(is_called);
    let is_named = named.is_some() || is_called;
    let value = if is_named { name_at(words, after)? } else { value_at(words, after)? };
    let value = if attribute.ends_with("number") { digits(words, value) } else { value };
    let first = words[value.0].written;
    let is_specific = first.starts_with(char::is_uppercase)
        || first.starts_with(|digit: char| digit.is_ascii_digit() || ['$', '+'].contains(&digit));
    let is_known = ATTRIBUTES.contains(&attribute.as_str()) || attribute.starts_with("favourite ");
    let states_how = words[value.0].lower.ends_with("ing") || words[value.0].lower.ends_with("ed");
    if !(is_named || is_known || is_specific) || (states_how && !attribute.starts_with("favourite ")) {
        return None;
    }
    let attribute = named.unwrap_or(&attribute).trim_end_matches("'s").to_owned();
    Some(own(speaker, &attribute, false, at, value, if is_known || is_named { 0.8 } else { 0.6 }))
}

/// The words of a number: "06 39 98 23 88 by the way".
fn digits(words: &[Word<'_>], (start, end): (usize, usize)) -> (usize, usize) {
    let has_digit = |at: &usize| lower(words, *at).contains(|letter: char| letter.is_ascii_digit());
    (start, (start..end).take_while(has_digit).last().map_or(end, |last| last + 1))
}

/// "New number is 06 39 98 23 88."
fn of_new_number(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let is = (at + 2..at + 4).find(|at| lower(words, *at) == "is" && lower(words, at - 1) == "number")?;
    let value = digits(words, value_at(words, is + 1)?);
    let has_digit = lower(words, value.0).contains(|letter: char| letter.is_ascii_digit());
    has_digit.then(|| own(speaker, "number", false, at, value, 0.7))
}

/// "My sister Mia moved to …", "our son has moved to …".
fn of_my_relation(words: &[Word<'_>], at: usize, speaker: &str) -> Option<Found> {
    let noun = lower(words, at + 1);
    if !is_relation(noun) {
        return None;
    }
    match words.get(at + 2).filter(|word| is_name(word)) {
        Some(_) => of_another(words, at + 2),
        None => of_others(words, at, &format!("{speaker}'s {noun}"), at + 2),
    }
}

/// What a verb says of somebody else.
fn of_others(words: &[Word<'_>], at: usize, subject: &str, verb: usize) -> Option<Found> {
    let verb = (verb..words.len()).find(|at| !ADVERBS_OF_OTHERS.contains(&lower(words, *at)))?;
    let verbs = ["lives", "living", "works", "working", "moved", "relocated", "settled", "is", "got", "started"];
    let says = |(pattern, attribute, _): &&(&[&str], &str, bool)| {
        verbs.contains(&pattern[0]) && ["lives in", "works at", "works as"].contains(attribute)
    };
    for (pattern, attribute, is_many) in VERBS.iter().filter(says) {
        if pattern.iter().enumerate().all(|(step, word)| lower(words, verb + step) == *word) {
            let value = value_at(words, verb + pattern.len())?;
            let value = if PLACES.contains(attribute) { shortened(words, value) } else { value };
            let value = without_there(words, value);
            let is_somewhere = match *attribute {
                "works at" => names_an_employer(words, value),
                "works as" => true,
                _ => names_a_place(words, value),
            };
            let found = own(subject, attribute, *is_many, at, value, 0.6);
            return is_somewhere.then_some(Found { is_own: false, ..found });
        }
    }
    None
}

/// "The museum" of "the museum there".
fn without_there(words: &[Word<'_>], (start, end): (usize, usize)) -> (usize, usize) {
    let is_last = end > start + 1 && ["there", "here"].contains(&lower(words, end - 1));
    (start, end - usize::from(is_last))
}

/// "Ana lives in …".
fn of_another(words: &[Word<'_>], at: usize) -> Option<Found> {
    let name = words.get(at)?;
    let is_name =
        name.written.starts_with(char::is_uppercase) && name.written.chars().nth(1).is_some_and(char::is_lowercase);
    let pronouns = ["he", "she", "it", "they", "who", "this", "that", "there", "the", "everyone", "nobody", "someone"];
    if !is_name || pronouns.contains(&name.lower.as_str()) {
        return None;
    }
    // "Mia's settled in Graz".
    let is_short = ["settled", "moved", "living", "working"].contains(&lower(words, at + 1));
    let stem = name.written.split(['\'', '\u{2019}']).next().filter(|_| is_short && name.lower.ends_with("'s"));
    let subject = stem.unwrap_or(name.written);
    of_others(words, at, subject, at + 1)
}

/// The value that begins at a word.
fn value_at(words: &[Word<'_>], start: usize) -> Option<(usize, usize)> {
    let first = words.get(start)?;
    if EMPTY.contains(&first.lower.as_str()) || ENDS.contains(&first.lower.as_str()) {
        return None;
    }
    let is_end = |word: &Word<'_>| ENDS.contains(&word.lower.as_str());
    let mut end = (start + 1..words.len()).find(|at| is_end(&words[*at])).unwrap_or(words.len());
    // "in Paris in 2019", "a week ago".
    if let Some(at) =
        (start + 1..end).find(|at| ["in", "on"].contains(&lower(words, *at)) && is_time(lower(words, at + 1)))
    {
        end = at;
    }
    if end == words.len() || lower(words, end) != "ago" {
        end = end.min(start + MAX_VALUE_WORDS);
    } else {
        end = end.saturating_sub(2);
    }
    let articles = ["a", "an", "the"];
    (end > start && !(end == start + 1 && articles.contains(&first.lower.as_str()))).then_some((start, end))
}

fn is_time(word: &str) -> bool {
    word.parse::<u32>().is_ok() || is_month(word)
}

/// A name: capitalised words.
fn name_at(words: &[Word<'_>], start: usize) -> Option<(usize, usize)> {
    let is_name = |word: &Word<'_>| word.written.starts_with(char::is_uppercase) && word.lower != "i";
    let end = (start..(start + 3).min(words.len())).take_while(|at| is_name(&words[*at])).last()?;
    Some((start, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<String> {
        let said_at = Timestamp::parse("2026-03-01").unwrap();
        let facts = built_in_facts(text, "Ana", said_at);
        for fact in &facts {
            let quote = &text[fact.span.0..fact.span.1];
            assert!(quote.contains(&fact.statement.value), "{quote:?} does not say {:?}", fact.statement);
        }
        let shown = |fact: Extracted| {
            format!("{} | {} | {}", fact.statement.subject, fact.statement.attribute, fact.statement.value)
        };
        facts.into_iter().map(shown).collect()
    }

    #[test]
    fn i44_one_sentence_of_a_message_explains_another() {
        let check = |text: &str, expected: &[&str]| assert_eq!(facts(text), expected, "{text}");
        check("We've moved! We're in York now, small terraced house.", &["Ana | lives in | York"]);
        check("We're in York now, back on Sunday.", &[]);
        check("Had a dream that we'd moved. We're in Lisbon now and it rains lemons.", &[]);
        check("First day at the brewery today! So glad I got that job.", &["Ana | works at | the brewery"]);
        check("First day at the beach today!", &[]);
        check(
            "Big news, I quit! Starting at the university library on Monday.",
            &["Ana | works at | the university library"],
        );
        check("I quit sugar, starting at the weekend.", &["Ana | quit | sugar"]);
        check(
            "Leila's settled in Cardiff now, she got a job at the museum there.",
            &["Leila | lives in | Cardiff", "Leila | works at | the museum"],
        );
        check("Mia lives in Graz, and works at night.", &["Mia | lives in | Graz"]);
        check("I drive a little red Fiesta.", &["Ana | drives | a little red Fiesta"]);
        check("I'm driving a Ford Maverick now.", &["Ana | drives | a Ford Maverick"]);
        check("I drive to work, I drive my kids to school.", &[]);
    }

    #[test]
    fn i23_2_plain_patterns_state_facts() {
        let check = |text: &str, expected: &[&str]| assert_eq!(facts(text), expected, "{text}");
        check("My favourite colour is dark green, you know.", &["Ana | favourite colour | dark green"]);
        check(
            "Hey! I moved to Lisbon last year and I work at Galp.",
            &["Ana | lives in | Lisbon", "Ana | works at | Galp"],
        );
        check(
            "I’m 34 years old and I'm a software engineer.",
            &["Ana | age | 34", "Ana | works as | software engineer"],
        );
        check("My dog's name is Max.", &["Ana | dog | Max"]);
        check("I have a cat named Luna!", &["Ana | cat | Luna"]);
        check("We decided to meet on Tuesdays.", &["we | decided to | meet on Tuesdays"]);
        check("I've now read 12 books this year.", &["Ana | number of books read | 12"]);
        check("Bruno lives in Porto.", &["Bruno | lives in | Porto"]);
        check("My sister lives in Berlin.", &["Ana's sister | lives in | Berlin"]);
        check("I'm allergic to peanuts.", &["Ana | is allergic to | peanuts"]);
        check("I moved to Antwerp to be closer to Jonas.", &["Ana | lives in | Antwerp"]);
        check("Moved back to Ghent last weekend!", &["Ana | lives in | Ghent"]);
        check("My phone number is now 0499 61 05 77.", &["Ana | phone number | 0499 61 05 77"]);
        check("I work as a nurse at the Charité.", &["Ana | works as | a nurse"]);
        check("I work as an assistant to the mayor.", &["Ana | works as | an assistant to the mayor"]);
        check("Big news: we moved to Leipzig last week!", &["Ana | lives in | Leipzig"]);
        check("My new number is +49 341 55 01 by the way.", &["Ana | number | +49 341 55 01"]);
        check("New number is 06 8820 1935, the old one is dead.", &["Ana | number | 06 8820 1935"]);
        check("My number's 06 1442 7781 in case you need it.", &["Ana | number | 06 1442 7781"]);
        check("We're living in Faro now.", &["Ana | lives in | Faro"]);
        check("Actually my favourite colour is now blue.", &["Ana | favourite colour | blue"]);
        check("I turned 35 yesterday.", &["Ana | age | 35"]);
        check("I'm 35 now.", &["Ana | age | 35"]);
        check("My birthday is on 14 May.", &["Ana | birthday | 14 May"]);
        check("I'm based in Faro now.", &["Ana | lives in | Faro"]);
        check("I moved from Porto to Faro in May.", &["Ana | lives in | Faro"]);
        check("I started at Galp in May.", &["Ana | works at | Galp"]);
        check("In May I started at Galp.", &["Ana | works at | Galp"]);
        check("Bruno got a new job at Galp.", &["Bruno | works at | Galp"]);
    }

    #[test]
    fn i44_who_is_whose_and_what_others_do() {
        let check = |text: &str, expected: &[&str]| assert_eq!(facts(text), expected, "{text}");
        check("My sister Mia lives in Vienna.", &["Ana | sister | Mia", "Mia | lives in | Vienna"]);
        check("My sister Maria lives in Marseille.", &["Ana | sister | Maria", "Maria | lives in | Marseille"]);
        check("I live in a house in Mayfair.", &["Ana | lives in | a house in Mayfair"]);
        check("Our cat, Tigran, refuses the flat.", &["Ana | cat | Tigran"]);
        check("I saw our son Davit in May.", &["Ana | son | Davit"]);
        check("Mia has moved to Graz!", &["Mia | lives in | Graz"]);
        check("Mia's settled in Graz now, she says.", &["Mia | lives in | Graz"]);
        check("My brother moved back to Porto.", &["Ana's brother | lives in | Porto"]);
        check("My daughter is working at Galp.", &["Ana's daughter | works at | Galp"]);
        check("My friend Ana's dog barks.", &[]);
        check("My brother, Ana and Bruno came.", &[]);
    }

    #[test]
    fn i44_what_is_over() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let said_at = Timestamp::parse("2026-03-15").unwrap();
            let endings = endings(text, said_at);
            let found: Vec<(&str, &str)> =
                endings.iter().map(|end| (end.attribute, end.value.clone().map_or("", |value| &text[value]))).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("I no longer live in Porto.", &[("lives in", "Porto")]);
        check("We don't live in Porto any more.", &[("lives in", "Porto")]);
        check("I quit my job at Galp last week.", &[("works at", "Galp")]);
        check("I've left my job.", &[("works at", "")]);
        check("I retired in May.", &[("works at", "")]);
        check("Sadly Bruno died yesterday.", &[("", "Bruno")]);
        check("Our dog Bruno has passed away.", &[("", "Bruno")]);
        for text in [
            "I quit smoking.",
            "The plant died.",
            "Did Bruno die?",
            "If I quit my job, I leave.",
            "I don't live here.",
            "I left home.",
            "I thought Bruno died.",
            "I left my job interview.",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn i23_2_what_is_asked_wished_or_denied_is_no_fact() {
        for text in [
            "Do you think my favourite colour is green?",
            "If I lived in Paris, I would be happy.",
            "I don't live in Paris.",
            "I used to live in Paris.",
            "I wish my dog was here.",
            "Bruno wrote: \"I moved to Lisbon.\"",
            "Bruno said, “I moved to Lisbon. I love Lisbon.”",
            "Imagine: I live in Paris.",
            "If it rains, I live in Paris.",
            "I dreamt that I live in Paris.",
            "I love it!",
            "My sister is coming tomorrow.",
            "My neighbour told me he lives in Lisbon.",
            "I've got a headache.",
            "I'm Dutch.",
            "My job is really stressful.",
            "The meeting was delayed, moved to Friday.",
            "Moved to Friday.",
            "Dentist, now moved to Monday.",
            "Moved to done.",
            "Bruno moved on.",
            "My point is that it works.",
            "I moved to the design team.",
            "I'm 5 minutes away.",
            "I started at noon.",
            "He told me: I moved to Porto.",
            "From August I work at the clinic.",
            "He told me: my wife Eva is here.",
            "I like how you said that.",
            "",
            "…",
            "日本語",
        ] {
            assert_eq!(facts(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn i23_2_every_pattern_makes_a_sentence() {
        for (_, attribute, is_many) in VERBS {
            let attribute = attribute.to_owned();
            let statement = Statement { subject: "Ana".to_owned(), attribute, value: "tea".to_owned(), is_many };
            let sentence = statement.sentence(Timestamp::from_micros(0));
            assert!(!sentence.contains("'s ") || statement.attribute == "name", "{sentence}");
        }
    }

    #[test]
    fn i23_2_a_statement_holds_since_the_time_that_it_names() {
        let said_at = Timestamp::parse("2026-03-15").unwrap();
        let since = |text: &str| built_in_facts(text, "Ana", said_at)[0].since.to_string();
        assert!(since("I moved to Lisbon in May 2025.").starts_with("2025-05-01"));
        assert!(since("I moved to Lisbon before May 2025.").starts_with("2026-03-15"));
        assert!(since("I moved to Lisbon.").starts_with("2026-03-15"));
        assert!(since("I moved to Lisbon last May.").starts_with("2025-05-01"));
        assert!(since("I work for Acme since 1 February.").starts_with("2026-02-01"));
        assert!(since("I have a dentist appointment on 3 April.").starts_with("2026-03-15"));
        assert!(since("My birthday is 14 May.").starts_with("2026-03-15"));
        // A Sunday.
        assert!(since("I moved to Lisbon last weekend.").starts_with("2026-03-07"));
        assert!(since("I moved to Lisbon last week.").starts_with("2026-03-02"));
        assert!(since("I moved to Lisbon last month.").starts_with("2026-02-01"));
        assert!(since("I moved to Lisbon in the last week of August 2025.").starts_with("2025-08-01"));
    }
}
