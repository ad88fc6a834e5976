//! The labels of the items of one space, and how often each was used: columns beside an index, by the same positions. They are loaded
//! only if a search asks for them.

use crate::columns::{LIVE, NOWHERE};
use crate::index::Index;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

/// The topics of an item, at most.
const TOPICS: usize = 3;
/// Above it an item is important in the long term; and with more uses than this it is, too.
pub(crate) const LASTING_IMPORTANCE: u32 = 800_000;
pub(crate) const LASTING_USES: u32 = 10;
/// No term.
const NO_TERM: u32 = u32::MAX;

/// Labels of an item as passed to the columns: its terms, and what its entities are compared by.
#[derive(Debug, Clone, Copy)]
pub struct LabelEntry<'a> {
    pub id: u32,
    pub topics: &'a [String],
    pub category: &'a str,
    pub message_type: &'a str,
    pub entities: &'a [String],
    /// In millionths.
    pub importance: u32,
    pub born: u32,
    pub retired: u32,
}

/// A filter by labels: any of the topics, the category, the type, any of the entities. What is empty does not filter.
#[derive(Debug, Clone, Copy, Default)]
pub struct LabelFilter<'a> {
    pub topics: &'a [String],
    pub category: Option<&'a str>,
    pub message_type: Option<&'a str>,
    pub entities: &'a [String],
}

#[derive(Debug, Default)]
pub struct LabelColumns {
    terms: FxHashMap<Box<str>, u32>,
    rows: Vec<Row>,
    /// The newest row of each position.
    newest: Vec<u32>,
    entities: Vec<u64>,
    /// The positions that have, or had, a topic or a category: a superset of those that have it at a revision, in any order.
    by_term: FxHashMap<u32, Vec<u32>>,
    /// The same for those that are, or were, important or used often enough to last.
    lasting: Vec<u32>,
    uses: Vec<u32>,
    /// The revision of the last count of uses; 0 if there was none.
    uses_at: i64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) topics: [u32; TOPICS],
    pub(crate) category: u32,
    message_type: u32,
    pub(crate) importance: u32,
    entities: (u32, u32),
    born: u32,
    retired: u32,
    /// The row before it of the same position.
    before: u32,
}

/// A question's terms and entities as numbers.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) topics: Vec<u32>,
    pub(crate) category: Option<u32>,
    entities: Vec<u64>,
}

impl LabelColumns {
    /// Its size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let by_term: usize = self.by_term.values().map(Vec::len).sum();
        let numbers = self.newest.len() + self.uses.len() + self.lasting.len() + by_term;
        self.rows.len() * size_of::<Row>() + 4 * numbers + 8 * self.entities.len()
    }

    /// The revision of the last count of uses; 0 if there was none.
    pub fn uses_at(&self) -> i64 {
        self.uses_at
    }

    /// Adds the labels of an item, or their retirement. Labels of one item come in the order of their age.
    pub fn label(&mut self, index: &Index, entry: &LabelEntry<'_>) {
        let Some(position) = index.position_of(entry.id) else { return };
        grow(&mut self.newest, position, NOWHERE);
        let before = self.newest[position];
        if let Some(known) = self.rows.get_mut(before as usize).filter(|row| row.born == entry.born) {
            known.retired = entry.retired;
            return;
        }
        if self.retire_older(before, entry) {
            return;
        }
        let start = self.entities.len() as u32;
        self.entities.extend(entry.entities.iter().map(|key| xxh3_64(key.as_bytes())));
        let mut topics = [NO_TERM; TOPICS];
        for (place, topic) in topics.iter_mut().zip(entry.topics) {
            *place = self.term(topic);
        }
        let row = Row {
            topics,
            category: self.term(entry.category),
            message_type: self.term(entry.message_type),
            importance: entry.importance,
            entities: (start, self.entities.len() as u32),
            born: entry.born,
            retired: entry.retired,
            before,
        };
        for term in topics.into_iter().chain([row.category]).filter(|term| *term != NO_TERM) {
            self.by_term.entry(term).or_default().push(position as u32);
        }
        if row.importance > LASTING_IMPORTANCE {
            self.lasting.push(position as u32);
        }
        self.newest[position] = self.rows.len() as u32;
        self.rows.push(row);
    }

    /// Labels that are known already, and are only retired now. True if they were found.
    fn retire_older(&mut self, newest: u32, entry: &LabelEntry<'_>) -> bool {
        let mut at = newest;
        while let Some(row) = self.rows.get_mut(at as usize) {
            if row.born == entry.born {
                row.retired = entry.retired;
                return true;
            }
            at = row.before;
        }
        false
    }

    pub fn count_uses(&mut self, index: &Index, id: u32, uses: u32, revision: i64) {
        self.uses_at = self.uses_at.max(revision);
        let Some(position) = index.position_of(id) else { return };
        grow(&mut self.uses, position, 0);
        self.uses[position] = uses;
        if uses > LASTING_USES {
            self.lasting.push(position as u32);
        }
    }

    fn term(&mut self, term: &str) -> u32 {
        if let Some(number) = self.terms.get(term) {
            return *number;
        }
        let number = self.terms.len() as u32;
        self.terms.insert(term.into(), number);
        number
    }

    pub(crate) fn uses_of(&self, position: usize) -> u32 {
        self.uses.get(position).copied().unwrap_or(0)
    }

    /// The labels of a position at a revision.
    pub(crate) fn at(&self, position: usize, at: u32) -> Option<&Row> {
        let mut row = self.rows.get(*self.newest.get(position)? as usize)?;
        loop {
            let is_valid = if at >= LIVE - 1 { row.retired == LIVE } else { row.born <= at && at < row.retired };
            if is_valid {
                return Some(row);
            }
            row = self.rows.get(row.before as usize)?;
        }
    }

    pub(crate) fn wanted(&self, topics: &[String], category: Option<&str>, entities: &[String]) -> Wanted {
        // A term that no item has still excludes those of other terms.
        let number = |term: &str| self.terms.get(term).copied().unwrap_or(NO_TERM - 1);
        Wanted {
            topics: topics.iter().map(|topic| number(topic)).collect(),
            category: category.map(number),
            entities: entities.iter().map(|key| xxh3_64(key.as_bytes())).collect(),
        }
    }

    /// How many of the wanted topics, and of the wanted entities, an item has.
    pub(crate) fn matches(&self, row: &Row, wanted: &Wanted) -> (usize, usize) {
        let own = &self.entities[row.entities.0 as usize..row.entities.1 as usize];
        let topics = wanted.topics.iter().filter(|topic| row.topics.contains(topic)).count();
        (topics, wanted.entities.iter().filter(|entity| own.contains(entity)).count())
    }

    /// The positions that may have one of the terms, or may last, ascending.
    pub(crate) fn positions(&self, terms: &[u32], lasting: bool) -> Vec<u32> {
        let mut positions: Vec<u32> = if lasting { self.lasting.clone() } else { Vec::new() };
        for term in terms {
            positions.extend(self.by_term.get(term).into_iter().flatten());
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    pub(crate) fn term_number(&self, term: &str) -> Option<u32> {
        self.terms.get(term).copied()
    }

    /// The items that pass a filter at a revision, in the order of ids.
    pub fn matching<'a>(
        &'a self,
        index: &'a Index,
        filter: &LabelFilter<'_>,
        at: u32,
    ) -> impl Iterator<Item = u32> + 'a {
        let wanted = self.wanted(filter.topics, filter.category, filter.entities);
        let message_type = filter.message_type.map(|name| self.term_number(name).unwrap_or(NO_TERM - 1));
        let passes = move |position: &usize| {
            let Some(row) = self.at(*position, at) else { return false };
            let (topics, entities) = self.matches(row, &wanted);
            (wanted.topics.is_empty() || topics > 0)
                && (wanted.entities.is_empty() || entities > 0)
                && wanted.category.is_none_or(|category| row.category == category)
                && message_type.is_none_or(|name| row.message_type == name)
        };
        (0..self.newest.len()).filter(passes).map(|position| index.id_at(position))
    }
}

fn grow(column: &mut Vec<u32>, position: usize, empty: u32) {
    if column.len() <= position {
        column.resize(position + 1, empty);
    }
}
