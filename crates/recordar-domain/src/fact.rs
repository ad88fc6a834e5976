//! Facts: statements about a subject, each with a time from which it holds. What holds at a time is never stored: it follows from the
//! statements, so taking one away brings back what it had ended.

use crate::digest::{Digest, Hasher};
use crate::invalid::Invalid;
use crate::item::check_text;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

pub const MAX_SUBJECT_BYTES: usize = 256;
pub const MAX_ATTRIBUTE_BYTES: usize = 128;
pub const MAX_VALUE_BYTES: usize = 1024;

/// Who made a statement out of what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FactMethod {
    /// A person corrected or stated it.
    Person,
    Model,
    /// By plain patterns.
    BuiltIn,
}

impl FactMethod {
    pub const ALL: [Self; 3] = [Self::Person, Self::Model, Self::BuiltIn];

    /// The number in the database. Never renumbered.
    pub fn code(self) -> i64 {
        match self {
            Self::Person => 1,
            Self::Model => 2,
            Self::BuiltIn => 3,
        }
    }

    pub fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.code() == code)
    }
}

/// A statement as it was extracted: subject, attribute and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub subject: String,
    /// A verb phrase such as "lives in", or a noun such as "favourite colour".
    pub attribute: String,
    pub value: String,
    /// Whether several values can hold at once: one may like tea and coffee, but live in one town.
    pub is_many: bool,
}

impl Statement {
    pub fn check(&self) -> Result<(), Invalid> {
        check_text("the subject", &self.subject, MAX_SUBJECT_BYTES)?;
        check_text("the attribute", &self.attribute, MAX_ATTRIBUTE_BYTES)?;
        check_text("the value", &self.value, MAX_VALUE_BYTES)
    }

    /// Statements with the same key are about the same thing.
    pub fn key(&self) -> Digest {
        fact_key(&self.subject, &self.attribute)
    }

    /// The statement as a sentence, with the day from which it holds.
    pub fn sentence(&self, since: Timestamp) -> String {
        let Self { subject, attribute, value, .. } = self;
        let day = since.day();
        let when = if EVENTS.contains(&first_word(attribute)) { "on" } else { "since" };
        match is_verb(attribute) {
            true => format!("{subject} {attribute} {value} ({when} {day})"),
            false => format!("{subject}'s {attribute} is {value} ({when} {day})"),
        }
    }
}

/// The key of a subject and an attribute, whatever their case and spaces.
pub fn fact_key(subject: &str, attribute: &str) -> Digest {
    Hasher::default().field(plain(subject)).field(plain(attribute)).finish()
}

/// A text as it is compared: lower case, NFKC, single spaces, without marks around its words and without a leading article. Of a text that
/// is all marks, they are kept.
pub fn plain(text: &str) -> String {
    let lower = text.to_lowercase().nfkc().collect::<String>().replace('\u{2019}', "'");
    let mut words: Vec<&str> = lower.split_whitespace().map(|word| word.trim_matches(is_mark)).collect();
    words.retain(|word| !word.is_empty());
    if words.is_empty() {
        words = lower.split_whitespace().collect();
    }
    if words.len() > 1 && ["a", "an", "the"].contains(&words[0]) {
        words.remove(0);
    }
    words.join(" ")
}

fn is_mark(letter: char) -> bool {
    letter.is_ascii_punctuation() && !['$', '%', '+', '#'].contains(&letter)
}

/// Verbs of what happened on a day.
const EVENTS: [&str; 36] = [
    "decided",
    "agreed",
    "bought",
    "got",
    "joined",
    "adopted",
    "visited",
    "attended",
    "started",
    "finished",
    "completed",
    "won",
    "passed",
    "made",
    "painted",
    "wrote",
    "watched",
    "signed",
    "went",
    "took",
    "volunteered",
    "lost",
    "opened",
    "launched",
    "quit",
    "graduated",
    "switched",
    "upgraded",
    "planted",
    "built",
    "baked",
    "donated",
    "organized",
    "moved",
    "met",
    "was",
];
/// Verbs of what lasts.
const STATES: [&str; 18] = [
    "is",
    "has",
    "likes",
    "dislikes",
    "prefers",
    "speaks",
    "plays",
    "owns",
    "drives",
    "uses",
    "lives",
    "works",
    "studies",
    "teaches",
    "collects",
    "volunteers",
    "grew",
    "wants",
];

fn first_word(attribute: &str) -> &str {
    attribute.split(' ').next().unwrap_or_default()
}

/// Whether an attribute reads as a verb phrase after its subject.
fn is_verb(attribute: &str) -> bool {
    let last = attribute.rsplit(' ').next().unwrap_or_default();
    let joins = ["in", "at", "for", "to", "as", "from", "by", "with", "on", "of"];
    let first = first_word(attribute);
    EVENTS.contains(&first) || STATES.contains(&first) || (attribute.contains(' ') && joins.contains(&last))
}

/// How much a statement weighs against others about the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Somebody said it about somebody else, or a document says it.
    Others,
    /// The subject said it.
    Own,
    /// A person's correction: it stays until a person changes it.
    Person,
}

/// A statement about one key, as far as what holds depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub id: i64,
    /// Equal values are equal here.
    pub value: String,
    pub since: Timestamp,
    pub weight: Weight,
    /// Where its source was said: of the same time and thread, the later one counts.
    pub thread: Option<i64>,
    pub is_many: bool,
    /// The statement that it takes the place of.
    pub corrects: Option<i64>,
    /// What that one says, if it is still known: of values of which several can hold, all that say so are corrected.
    pub corrects_value: Option<String>,
}

/// What a statement is at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It holds, from the first of the equal statements before it on. Others that hold too and say something else are its conflict.
    Holds { since: Timestamp, against: Vec<i64> },
    /// A later statement ended it.
    Ended { by: i64, at: Timestamp },
    /// A person's word stands against it.
    Overruled { by: i64 },
    /// It begins later.
    Ahead,
}

/// What each of the statements about one key is at a time. They are those that nobody retired.
pub fn standings(points: &[Point], at: Timestamp) -> BTreeMap<i64, Standing> {
    let mut standings: BTreeMap<i64, Standing> = BTreeMap::new();
    let mut order: Vec<&Point> = points.iter().collect();
    order.sort_by_key(|point| (point.since, point.weight, point.id));
    let mut corrected: BTreeMap<i64, i64> = BTreeMap::new();
    for (of, by) in points.iter().filter(|point| point.since <= at).filter_map(|by| Some((by.corrects?, by.id))) {
        corrected.entry(of).and_modify(|last| *last = by.max(*last)).or_insert(by);
    }
    let denied = |point: &Point| {
        let is_denied = |by: &&Point| by.since <= at && by.corrects_value.as_deref() == Some(point.value.as_str());
        points.iter().filter(is_denied).map(|by| by.id).max().filter(|_| point.is_many && point.weight < Weight::Person)
    };
    let mut holding: Vec<(&Point, Timestamp)> = Vec::new();
    for point in order {
        if point.since > at {
            standings.insert(point.id, Standing::Ahead);
            continue;
        }
        if let Some(by) = corrected.get(&point.id).copied().or_else(|| denied(point)) {
            standings.insert(point.id, Standing::Overruled { by });
            continue;
        }
        if point.is_many {
            holding.push((point, point.since));
            continue;
        }
        let differs = |held: &Point| !held.is_many && held.value != point.value;
        let stands = holding.iter().find(|(held, _)| held.weight == Weight::Person && differs(held));
        if let Some((by, _)) = stands.filter(|_| point.weight < Weight::Person) {
            standings.insert(point.id, Standing::Overruled { by: by.id });
            continue;
        }
        holding.retain(|(held, _)| {
            let is_before = held.since < point.since || (held.thread.is_some() && held.thread == point.thread);
            let is_ended =
                differs(held) && held.weight <= point.weight && (is_before || point.weight == Weight::Person);
            if is_ended {
                let is_overruled = held.since >= point.since;
                let standing = match point.weight == Weight::Person && is_overruled {
                    true => Standing::Overruled { by: point.id },
                    false => Standing::Ended { by: point.id, at: point.since },
                };
                standings.insert(held.id, standing);
            }
            !is_ended
        });
        let same = holding.iter().filter(|(held, _)| !held.is_many && !differs(held));
        let since = same.map(|(_, since)| *since).min().unwrap_or(point.since);
        holding.push((point, since));
    }
    for (point, since) in &holding {
        let differs = |other: &&Point| !other.is_many && other.value != point.value;
        let others = holding.iter().map(|(other, _)| *other).filter(|_| !point.is_many);
        let against = others.filter(differs).map(|other| other.id).collect();
        standings.insert(point.id, Standing::Holds { since: *since, against });
    }
    // What ended a statement may itself be overruled, by a person's word in its place.
    let overruled: BTreeMap<i64, i64> = standings
        .iter()
        .filter_map(|(id, standing)| match standing {
            Standing::Overruled { by } => Some((*id, *by)),
            _ => None,
        })
        .collect();
    for standing in standings.values_mut() {
        if let Standing::Ended { by, .. } = standing {
            *by = overruled.get(by).copied().unwrap_or(*by);
        }
    }
    standings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(day: i64) -> Timestamp {
        Timestamp::from_micros(day * 86_400_000_000)
    }

    fn said(id: i64, value: &str, day: i64) -> Point {
        Point {
            id,
            value: value.to_owned(),
            since: time(day),
            weight: Weight::Own,
            thread: None,
            is_many: false,
            corrects: None,
            corrects_value: None,
        }
    }

    fn holds(points: &[Point], day: i64) -> Vec<(i64, i64)> {
        let held = standings(points, time(day)).into_iter().filter_map(|(id, standing)| match standing {
            Standing::Holds { since, .. } => Some((id, since.as_micros() / 86_400_000_000)),
            _ => None,
        });
        held.collect()
    }

    #[test]
    fn i23_1_a_newer_statement_ends_the_older_and_both_can_be_asked_about() {
        let points = [said(1, "porto", 10), said(2, "lisbon", 20), said(3, "lisbon", 30)];
        assert_eq!(holds(&points, 5), []);
        assert_eq!(holds(&points, 15), [(1, 10)]);
        assert_eq!(holds(&points, 40), [(2, 20), (3, 20)], "it holds since the first time it was said");
        assert_eq!(standings(&points, time(40))[&1], Standing::Ended { by: 2, at: time(20) });
        assert_eq!(holds(&points[..1], 40), [(1, 10)], "without the newer ones, the older holds again");
    }

    #[test]
    fn i23_1_what_is_said_at_the_same_time_is_a_conflict_unless_one_follows_in_a_thread() {
        let points = [said(1, "porto", 10), said(2, "lisbon", 10)];
        assert_eq!(standings(&points, time(10))[&1], Standing::Holds { since: time(10), against: vec![2] });
        let in_thread = points.map(|point| Point { thread: Some(7), ..point });
        assert_eq!(holds(&in_thread, 10), [(2, 10)]);
    }

    #[test]
    fn i23_1_others_do_not_end_what_the_subject_said_and_nobody_ends_a_persons_word() {
        let others = Point { weight: Weight::Others, ..said(2, "lisbon", 20) };
        let points = [said(1, "porto", 10), others];
        assert_eq!(standings(&points, time(30))[&1], Standing::Holds { since: time(10), against: vec![2] });
        let person = Point { weight: Weight::Person, corrects: Some(1), ..said(3, "faro", 10) };
        let points = [said(1, "porto", 10), said(2, "lisbon", 20), person];
        assert_eq!(holds(&points, 30), [(3, 10)]);
        assert_eq!(standings(&points, time(30))[&2], Standing::Overruled { by: 3 });
    }

    #[test]
    fn i23_1_values_of_which_several_can_hold_do_not_end_each_other() {
        let points = [said(1, "tea", 10), said(2, "coffee", 20)].map(|point| Point { is_many: true, ..point });
        assert_eq!(holds(&points, 30), [(1, 10), (2, 20)]);
        let person = Point {
            weight: Weight::Person,
            corrects: Some(7),
            corrects_value: Some("tea".to_owned()),
            ..said(3, "cocoa", 20)
        };
        let points = [&points[..], &[Point { is_many: true, ..person }]].concat();
        assert_eq!(holds(&points, 30), [(2, 20), (3, 20)], "whoever else says so is corrected, too");
    }

    #[test]
    fn i23_1_keys_and_sentences_are_the_same_however_they_are_written() {
        assert_eq!(fact_key("Ana ", "Favourite  colour"), fact_key("ana", "favourite colour"));
        assert_eq!(fact_key("Zo\u{eb}", "name"), fact_key("Zoe\u{308}", "name"));
        assert_ne!(plain("?"), plain("!"));
        let statement = |attribute: &str, value: &str| {
            let (attribute, value) = (attribute.to_owned(), value.to_owned());
            Statement { subject: "Ana".to_owned(), attribute, value, is_many: false }.sentence(time(19_000))
        };
        assert_eq!(statement("lives in", "Lisbon"), "Ana lives in Lisbon (since 2022-01-08)");
        assert_eq!(statement("dog", "Max"), "Ana's dog is Max (since 2022-01-08)");
    }
}
