//! The words that statements are compared with: `lists.txt`, read once. English only.

use crate::stems::Reader;
use recordar_domain::text::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What is known of a word, by its stem. Nothing is said of most.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// The pair of opposites, and which of both.
    pub(super) opposite: Option<(u16, bool)>,
    /// The list of words of which only one holds, and which.
    pub(super) kind: Option<(u16, u16)>,
    /// The list of words that say which of several is meant, and which.
    pub(super) which: Option<(u16, u16)>,
    /// The word that stands for all that say the same.
    pub(super) alike: Option<&'static str>,
    pub(super) is_weak: bool,
    pub(super) is_single: bool,
    pub(super) is_verb: bool,
    pub(super) is_numbered: bool,
    pub(super) is_change: bool,
    pub(super) is_cancel: bool,
    pub(super) is_past: bool,
    pub(super) is_once: bool,
    pub(super) is_agent: bool,
    pub(super) is_generic: bool,
}

/// A unit: what it measures, and how many of the smallest it is.
pub(super) type Unit = (&'static str, f64);

struct Lists {
    words: HashMap<String, Known>,
    /// By the word as written, not by its stem: `s` is no plural of nothing.
    units: HashMap<&'static str, Unit>,
    prefixes: Vec<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| read(include_str!("lists.txt")));

pub(super) fn known(key: &str) -> Known {
    LISTS.words.get(key).copied().unwrap_or_default()
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    LISTS.units.get(word).copied()
}

/// Whether one word is the other with a beginning that denies it.
pub(super) fn is_prefixed(one: &str, other: &str) -> bool {
    let is_of = |long: &str, short: &str| LISTS.prefixes.iter().any(|prefix| long.strip_prefix(prefix) == Some(short));
    one.len().min(other.len()) > 2 && (is_of(one, other) || is_of(other, one))
}

fn read(text: &'static str) -> Lists {
    let mut reader = Reader::new(Language::ENGLISH);
    let mut lists = Lists { words: HashMap::new(), units: HashMap::new(), prefixes: Vec::new() };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for (list, (name, words)) in (0..).zip(lines.filter_map(|line| line.split_once(": "))) {
        if let Some(unit) = name.strip_prefix("unit ").and_then(|unit| unit.split_once(' ')) {
            let factor = unit.1.parse().unwrap_or(1.0);
            lists.units.extend(words.split_whitespace().map(|word| (word, (unit.0, factor))));
            continue;
        }
        if name == "prefix" {
            lists.prefixes.extend(words.split_whitespace());
            continue;
        }
        let (first, second) = words.split_once('|').unwrap_or((words, ""));
        let sides = first.split_whitespace().map(|word| (word, false));
        let words_of_both = sides.chain(second.split_whitespace().map(|word| (word, true)));
        for (place, (word, side)) in (0..).zip(words_of_both) {
            let key = reader.key(Language::ENGLISH, word);
            let known = lists.words.entry(key).or_default();
            match name {
                "opposite" => known.opposite = known.opposite.or(Some((list, side))),
                "kind" => known.kind = known.kind.or(Some((list, place))),
                "which" => known.which = known.which.or(Some((list, place))),
                "alike" => known.alike = known.alike.or(words.split_whitespace().next()),
                "weak" => known.is_weak = true,
                "single" => known.is_single = true,
                "verb" => known.is_verb = true,
                "numbered" => known.is_numbered = true,
                "change" => known.is_change = true,
                "cancel" => known.is_cancel = true,
                "past" => known.is_past = true,
                "once" => known.is_once = true,
                "generic" => known.is_generic = true,
                "agent" => known.is_agent = true,
                _ => {}
            }
        }
    }
    lists
}
