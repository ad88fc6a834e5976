//! Facts: the statements behind items of kind fact, and what people retired of them.

use super::items::MessageRow;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{
    Digest, FactMethod, Importance, ItemKind, Metadata, Point, Role, Statement, Timestamp, Weight, plain,
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COLUMNS: [&str; 18] = [
    "space_id",
    "item_id",
    "key_hash",
    "subject_hash",
    "subject",
    "attribute",
    "value",
    "many",
    "since",
    "confidence",
    "method",
    "own",
    "thread_id",
    "source_id",
    "span_start",
    "span_end",
    "corrects",
    "changed",
];
pub(crate) const MARK_COLUMNS: [&str; 5] = ["space_id", "item_id", "born", "is_retired", "changed"];

const PAGE: usize = 512;

/// A fact to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewFact {
    pub statement: Statement,
    pub since: Timestamp,
    pub confidence: Importance,
    pub method: FactMethod,
    /// Whether the subject said it.
    pub is_own: bool,
    /// The message that says so, its thread, and the bytes of the quote in it.
    pub source: Option<FactSource>,
    /// The fact that it takes the place of.
    pub corrects: Option<i64>,
    /// The sentence that is found and recalled, its tokens, and what is shown beside it.
    pub sentence: String,
    pub tokens: usize,
    pub metadata: Metadata,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactSource {
    pub item_id: i64,
    pub thread_id: Option<i64>,
    pub span: (usize, usize),
}

/// A fact at a revision.
#[derive(Debug, Clone, PartialEq)]
pub struct FactRow {
    pub item_id: i64,
    pub key: Digest,
    pub statement: Statement,
    pub since: Timestamp,
    pub confidence: Importance,
    pub method: FactMethod,
    pub is_own: bool,
    pub source: Option<FactSource>,
    pub corrects: Option<i64>,
    /// What that fact says, unless it was forgotten.
    pub corrects_value: Option<String>,
    /// When it was stored, and the revisions from and up to which its item is there.
    pub recorded_at: Timestamp,
    pub born: i64,
    pub gone: Option<i64>,
    /// Whether a person retired it, at this revision.
    pub is_retired: bool,
}

impl FactRow {
    /// What it counts in deciding what holds.
    pub fn point(&self) -> Point {
        Point {
            id: self.item_id,
            value: plain(&self.statement.value),
            since: self.since,
            weight: match (self.method, self.is_own) {
                (FactMethod::Person, _) => Weight::Person,
                (_, true) => Weight::Own,
                (_, false) => Weight::Others,
            },
            thread: self.source.and_then(|source| source.thread_id),
            is_many: self.statement.is_many,
            corrects: self.corrects,
            corrects_value: self.corrects_value.as_deref().map(plain),
        }
    }
}

const SELECT: &str = "SELECT facts.item_id, facts.key_hash, facts.subject, facts.attribute, facts.value, facts.many, facts.since, \
     facts.confidence, facts.method, facts.own, facts.thread_id, facts.source_id, facts.span_start, facts.span_end, \
     facts.corrects, items.recorded_at, items.born, items.retired FROM facts JOIN items ON items.space_id = facts.space_id \
     AND items.item_id = facts.item_id WHERE facts.space_id = ?";

const BORN: &str = "SELECT born FROM items WHERE space_id = ? AND item_id = ?";
/// Facts that are gone, of a message, or of the one that it took the place of if they hold since the same time.
const SAID_BEFORE: &str = "SELECT facts.item_id, facts.value FROM facts JOIN items fact ON fact.space_id = facts.space_id \
     AND fact.item_id = facts.item_id JOIN items said ON said.space_id = facts.space_id AND said.item_id = facts.source_id \
     WHERE facts.space_id = ? AND facts.key_hash = ? AND (facts.source_id = ? OR (facts.since = ? AND said.retired = ?)) \
     AND fact.retired IS NOT NULL";

/// Which facts to read.
#[derive(Debug, Clone, Copy)]
pub enum FactsOf<'a> {
    /// Of these keys.
    Keys(&'a [Digest]),
    /// Of these keys, those that can end or overrule others: not of values of which several can hold, unless a person stated them.
    Deciding(&'a [Digest]),
    /// The facts with these numbers.
    Items(&'a [i64]),
    /// Stated by these items.
    Sources(&'a [i64]),
    Subject(&'a str),
    All,
}

impl Reading<'_> {
    /// Facts as they were at a revision, by number.
    pub fn facts(&mut self, space: SpaceId, which: FactsOf<'_>, revision: i64) -> Result<Vec<FactRow>, Error> {
        let mut facts = match which {
            FactsOf::Keys(keys) => self.facts_in(space, "facts.key_hash", keys.iter().map(|key| (*key).into()))?,
            FactsOf::Deciding(keys) => {
                let column = "(facts.many = 0 OR facts.method = 1) AND facts.key_hash";
                self.facts_in(space, column, keys.iter().map(|key| (*key).into()))?
            }
            FactsOf::Items(ids) => self.facts_in(space, "facts.item_id", ids.iter().map(|id| (*id).into()))?,
            FactsOf::Sources(ids) => self.facts_in(space, "facts.source_id", ids.iter().map(|id| (*id).into()))?,
            FactsOf::Subject(subject) => {
                self.facts_in(space, "facts.subject_hash", std::iter::once(Digest::of(plain(subject)).into()))?
            }
            FactsOf::All => self.query(SELECT, &[space.into()])?.iter().map(fact).collect::<Result<_, Error>>()?,
        };
        facts.retain(|fact| fact.born <= revision && fact.gone.is_none_or(|gone| gone > revision));
        facts.sort_by_key(|fact| fact.item_id);
        self.add_corrected_values(space, &mut facts)?;
        let retired = self.retired_facts(space, revision)?;
        facts.iter_mut().for_each(|fact| fact.is_retired = retired.contains(&fact.item_id));
        Ok(facts)
    }

    /// Whether a space has any facts.
    pub fn has_facts(&mut self, space: SpaceId) -> Result<bool, Error> {
        Ok(self.query_one("SELECT item_id FROM facts WHERE space_id = ? LIMIT 1", &[space.into()])?.is_some())
    }

    fn facts_in(
        &mut self,
        space: SpaceId,
        column: &str,
        wanted: impl Iterator<Item = Value>,
    ) -> Result<Vec<FactRow>, Error> {
        let wanted: Vec<Value> = wanted.collect();
        let mut facts = Vec::new();
        for page in wanted.chunks(PAGE) {
            let sql = format!("{SELECT} AND {column} IN ({})", vec!["?"; page.len()].join(", "));
            let values: Vec<Value> = std::iter::once(space.into()).chain(page.iter().cloned()).collect();
            for row in self.query(&sql, &values)? {
                facts.push(fact(&row)?);
            }
        }
        Ok(facts)
    }

    /// What the corrected facts say, also those that are not there any more because their message was changed.
    fn add_corrected_values(&mut self, space: SpaceId, facts: &mut [FactRow]) -> Result<(), Error> {
        let corrected: Vec<Value> = facts.iter().filter_map(|fact| fact.corrects.map(Value::Int)).collect();
        if corrected.is_empty() {
            return Ok(());
        }
        let found = self.facts_in(space, "facts.item_id", corrected.into_iter())?;
        let values: BTreeMap<i64, String> =
            found.into_iter().map(|fact| (fact.item_id, fact.statement.value)).collect();
        for fact in facts {
            fact.corrects_value = fact.corrects.and_then(|id| values.get(&id).cloned());
        }
        Ok(())
    }

    /// The facts of a space that people had retired at a revision. People mark few.
    fn retired_facts(&mut self, space: SpaceId, revision: i64) -> Result<BTreeSet<i64>, Error> {
        let sql = "SELECT item_id, is_retired FROM fact_marks WHERE space_id = ? AND born <= ? ORDER BY item_id, born";
        let mut marks: BTreeMap<i64, bool> = BTreeMap::new();
        for row in self.query(sql, &[space.into(), revision.into()])? {
            marks.insert(row.int(0)?, row.int(1)? == 1);
        }
        Ok(marks.into_iter().filter(|(_, is_retired)| *is_retired).map(|(id, _)| id).collect())
    }

    /// When a person retired or restored a fact: revision, and whether it was retired; the oldest first.
    pub fn fact_marks(&mut self, space: SpaceId, item_id: i64) -> Result<Vec<(i64, bool)>, Error> {
        let sql = "SELECT born, is_retired FROM fact_marks WHERE space_id = ? AND item_id = ? ORDER BY born";
        let rows = self.query(sql, &[space.into(), item_id.into()])?;
        rows.iter().map(|row| Ok((row.int(0)?, row.int(1)? == 1))).collect()
    }
}

fn fact(row: &Row) -> Result<FactRow, Error> {
    let damaged = || Error::Corrupt { what: format!("fact {:?} cannot be read", row.0[0]) };
    let source = match (row.optional_int(11)?, row.optional_int(12)?, row.optional_int(13)?) {
        (Some(item_id), Some(start), Some(end)) => {
            let span = (usize::try_from(start), usize::try_from(end));
            let (Ok(start), Ok(end)) = span else { return Err(damaged()) };
            Some(FactSource { item_id, thread_id: row.optional_int(10)?, span: (start, end) })
        }
        _ => None,
    };
    Ok(FactRow {
        item_id: row.int(0)?,
        key: row.digest(1)?,
        statement: Statement {
            subject: row.text(2)?,
            attribute: row.text(3)?,
            value: row.text(4)?,
            is_many: row.int(5)? == 1,
        },
        since: row.time(6)?,
        confidence: Importance::from_millionths(row.int(7)?).ok_or_else(damaged)?,
        method: FactMethod::of_code(row.int(8)?).ok_or_else(damaged)?,
        is_own: row.int(9)? == 1,
        source,
        corrects: row.optional_int(14)?,
        corrects_value: None,
        recorded_at: row.time(15)?,
        born: row.int(16)?,
        gone: row.optional_int(17)?,
        is_retired: false,
    })
}

/// The sources of facts that were not stored as such by a caller.
const EXTRACTED: &str = "extracted";
const BY_PERSON: &str = "person";

/// Whether an item is a fact that was taken from another item, or given in its place.
pub(super) fn is_derived(kind: ItemKind, source: Option<&str>) -> bool {
    kind == ItemKind::Fact && source.is_some_and(|source| [EXTRACTED, BY_PERSON].contains(&source))
}

impl Writing<'_> {
    /// Stores facts, each as an item that rests on its source, and returns the number of the first; the others follow it.
    pub fn add_facts(&mut self, facts: &[NewFact]) -> Result<i64, Error> {
        let messages: Vec<MessageRow<'_>> = facts
            .iter()
            .map(|fact| MessageRow {
                kind: ItemKind::Fact,
                thread_id: None,
                role: Role::User,
                source: Some(if fact.method == FactMethod::Person { BY_PERSON } else { EXTRACTED }),
                speaker: None,
                text: &fact.sentence,
                tokens: fact.tokens,
                importance: None,
                metadata: &fact.metadata,
                occurred_at: Some(fact.since),
                own_id: None,
            })
            .collect();
        let first = self.add_messages(&messages)?;
        let (space, revision) = (self.space.id, self.space.revision);
        let span = |at: Option<usize>| at.map(|at| at as i64).into();
        let row = |(id, fact): (i64, &NewFact)| {
            vec![
                space.into(),
                id.into(),
                fact.statement.key().into(),
                Digest::of(plain(&fact.statement.subject)).into(),
                fact.statement.subject.clone().into(),
                fact.statement.attribute.clone().into(),
                fact.statement.value.clone().into(),
                i64::from(fact.statement.is_many).into(),
                fact.since.into(),
                fact.confidence.millionths().into(),
                fact.method.code().into(),
                i64::from(fact.is_own).into(),
                fact.source.and_then(|source| source.thread_id).into(),
                fact.source.map(|source| source.item_id).into(),
                span(fact.source.map(|source| source.span.0)),
                span(fact.source.map(|source| source.span.1)),
                fact.corrects.into(),
                revision.into(),
            ]
        };
        let rows: Vec<Vec<Value>> = (first..).zip(facts).map(row).collect();
        self.insert("facts", &COLUMNS, &rows)?;
        let derived = (first..).zip(facts).filter_map(|(id, fact)| Some((id, fact.source?.item_id)));
        self.derive_all(&derived.collect::<Vec<_>>())?;
        self.keep_retired(first, facts)?;
        Ok(first)
    }

    /// What a person retired stays retired when its message is changed or read again, and says the same.
    fn keep_retired(&mut self, first: i64, facts: &[NewFact]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let retired = self.retired_facts(space, revision)?;
        if retired.is_empty() {
            return Ok(());
        }
        for (id, fact) in (first..).zip(facts) {
            let Some(FactSource { item_id, .. }) = fact.source else { continue };
            let Some(row) = self.query_one(BORN, &[space.into(), item_id.into()])? else { continue };
            let values =
                [space.into(), fact.statement.key().into(), item_id.into(), fact.since.into(), row.int(0)?.into()];
            let value = plain(&fact.statement.value);
            for row in self.query(SAID_BEFORE, &values)? {
                if retired.contains(&row.int(0)?) && plain(&row.text(1)?) == value {
                    self.mark_fact(id, true)?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Retires or restores a fact, by a person's word.
    pub fn mark_fact(&mut self, item_id: i64, is_retired: bool) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let row = vec![space.into(), item_id.into(), revision.into(), i64::from(is_retired).into(), revision.into()];
        self.insert("fact_marks", &MARK_COLUMNS, &[row])
    }

    /// Takes back the facts that an item states: another item has taken its place, or it is read again.
    pub fn take_back_facts(&mut self, source: i64) -> Result<(), Error> {
        let (space, revision) = (self.space.id, Value::Int(self.space.revision));
        let sql = "SELECT item_id FROM facts WHERE space_id = ? AND source_id = ?";
        for row in self.query(sql, &[space.into(), source.into()])? {
            let sql =
                "UPDATE items SET retired = ?, changed = ? WHERE space_id = ? AND item_id = ? AND retired IS NULL";
            self.execute(sql, &[revision.clone(), revision.clone(), space.into(), row.int(0)?.into()])?;
        }
        Ok(())
    }
}
