//! Names for groups: what their documents or folders are called, or the words that tell one group from its siblings.

use super::outline::Units;
use super::title::{MAX_NAME_CHARS, valid};
use super::vocabulary::Term;
use recordar_domain::name_key;
use std::collections::{BTreeMap, BTreeSet};

/// A group to name: its units, and what its parts are called if they have names of their own.
pub(super) struct ToName<'a> {
    pub(super) units: &'a [usize],
    /// The heaviest first.
    pub(super) parts: Vec<&'a str>,
    /// Whether its parts are folders.
    pub(super) are_folders: bool,
}

/// How much a word counts that is in a heading or a tag, or only in the text.
const IN_HEADINGS: f64 = 0.6;
const IN_TEXT: f64 = 0.15;
/// A second word must tell at least this much of what the first tells.
const SECOND_WORD: f64 = 0.4;
/// Joined names are used for up to this many parts.
const MOST_JOINED: usize = 3;
const MOST_JOINED_CHARS: usize = 50;

/// A name for each group, different from each other and from those that are taken. `above` are the names of the path.
pub(super) fn names(units: &Units, groups: &[ToName<'_>], above: &[String], taken: &[String]) -> Vec<String> {
    let mut used: BTreeSet<String> = taken.iter().map(|name| name_key(name)).collect();
    let telling = Telling::of(units, groups, above);
    let mut names = Vec::with_capacity(groups.len());
    for (at, group) in groups.iter().enumerate() {
        let own = own_name(group).filter(|name| used.insert(name_key(name)));
        let by_words = || {
            let words = telling.words(units, at);
            let phrase = telling.phrase(units, at);
            let spelled = |count: usize| match (&phrase, count) {
                (Some(phrase), 2) => valid(phrase),
                _ => valid(&words.iter().take(count).cloned().collect::<Vec<_>>().join(", ")),
            };
            let wanted = telling.wanted(at);
            // More words, if fewer are taken already.
            (wanted..=wanted + 3).filter_map(spelled).find(|name| used.insert(name_key(name)))
        };
        let name = own.or_else(by_words).unwrap_or_else(|| {
            let first = group.parts.first().copied().unwrap_or("Other");
            let numbered =
                (2..).map(|number| valid(&format!("{} {number}", cut(first))).unwrap_or(format!("Other {number}")));
            let is_free = |name: &String| !used.contains(&name_key(name));
            std::iter::once(first.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
        });
        used.insert(name_key(&name));
        names.push(name);
    }
    names
}

fn cut(name: &str) -> &str {
    let end = name.char_indices().nth(MAX_NAME_CHARS - 8).map_or(name.len(), |(end, _)| end);
    &name[..end]
}

/// What its parts are called, if they are few, or folders.
fn own_name(group: &ToName<'_>) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in &group.parts {
        // Parts of a long document count as one.
        let whole = part.rsplit_once(", part ").filter(|_| group.parts.len() > 1).map_or(*part, |(whole, _)| whole);
        let part = whole;
        if !parts.iter().any(|known| name_key(known) == name_key(part)) {
            parts.push(part);
        }
    }
    let joined = match parts.as_slice() {
        [] => return None,
        [only] => return valid(only),
        [first, second, _, ..] if parts.len() > MOST_JOINED && group.are_folders => {
            format!("{first}, {second} and more")
        }
        parts if parts.len() > MOST_JOINED => return None,
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    valid(&joined).filter(|name| name.chars().count() <= MOST_JOINED_CHARS && name.len() == joined.len())
}

/// How much each word tells a group from its siblings.
struct Telling {
    /// For each group, its words from the most telling one down.
    words: Vec<Vec<(f64, Term)>>,
}

impl Telling {
    fn of(units: &Units, groups: &[ToName<'_>], above: &[String]) -> Self {
        let mut counts: Vec<BTreeMap<Term, f64>> = Vec::with_capacity(groups.len());
        let mut all: BTreeMap<Term, f64> = BTreeMap::new();
        for group in groups {
            let mut count: BTreeMap<Term, f64> = BTreeMap::new();
            for unit in group.units.iter().map(|unit| &units.list[*unit]) {
                let mut found: BTreeMap<Term, f64> = unit.vector.iter().map(|(term, _)| (*term, IN_TEXT)).collect();
                found.extend(unit.headed.iter().map(|term| (*term, IN_HEADINGS)));
                found.extend(unit.named.iter().map(|term| (*term, 1.0)));
                found.iter().for_each(|(term, much)| *count.entry(*term).or_default() += much);
            }
            count.iter().for_each(|(term, found)| *all.entry(*term).or_default() += found);
            counts.push(count);
        }
        let total: f64 = groups.iter().map(|group| group.units.len() as f64).sum();
        let above: BTreeSet<String> = above
            .iter()
            .flat_map(|name| name_key(name).split([' ', ',']).map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let rank = |(group, count): (&ToName<'_>, BTreeMap<Term, f64>)| {
            let size = group.units.len() as f64;
            let telling = |(term, found): (&Term, &f64)| {
                let here = found / size;
                let elsewhere = (all[term] - found + 0.5) / (total - size + 1.0);
                let is_above = above.contains(&name_key(&units.vocabulary.spelling(*term)));
                // A word that is nearly everywhere names nothing.
                let rarity = 1.0 - units.vocabulary.share(*term);
                let is_name = !is_above && units.vocabulary.is_name(*term);
                is_name.then(|| (here * libm::log((here + 0.01) / elsewhere) * rarity * rarity, *term))
            };
            let mut words: Vec<(f64, Term)> = count.iter().filter_map(telling).collect();
            words.sort_by(|(one, term), (other, next)| other.total_cmp(one).then(term.cmp(next)));
            words.truncate(8);
            words
        };
        Self { words: groups.iter().zip(counts).map(rank).collect() }
    }

    fn words(&self, units: &Units, group: usize) -> Vec<String> {
        self.words[group].iter().map(|(_, term)| units.vocabulary.spelling(*term)).collect()
    }

    /// The first two words, if names write them next to each other.
    fn phrase(&self, units: &Units, group: usize) -> Option<String> {
        let [(_, one), (_, other), ..] = self.words[group].as_slice() else { return None };
        units.vocabulary.phrase(*one, *other)
    }

    /// One word, or two if the second tells nearly as much.
    fn wanted(&self, group: usize) -> usize {
        match self.words[group].as_slice() {
            [(first, _), (second, _), ..] if *second >= SECOND_WORD * first => 2,
            _ => 1,
        }
    }
}
