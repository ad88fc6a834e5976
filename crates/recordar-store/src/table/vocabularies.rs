//! The history of the vocabulary, which belongs to the whole store.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Invalid, TermKind, Timestamp, Vocabulary, VocabularyFile};
use serde::{Deserialize, Serialize};

pub(crate) const COLUMNS: [&str; 9] =
    ["number", "version", "body", "action", "kind", "term", "undoes", "pending", "made_at"];

/// What was done to the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VocabularyAction {
    /// A version was loaded from a file.
    Import,
    /// It came with spaces of another store, and is not the current one because of that.
    Foreign,
    Approve,
    Reject,
    Undo,
}

impl VocabularyAction {
    const ALL: [Self; 5] = [Self::Import, Self::Foreign, Self::Approve, Self::Reject, Self::Undo];

    pub fn name(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Foreign => "foreign",
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Undo => "undo",
        }
    }
}

/// One row of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyChange {
    pub number: i64,
    pub vocabulary: Vocabulary,
    pub action: VocabularyAction,
    /// The term that was approved, rejected or taken back.
    pub term: Option<(TermKind, String)>,
    /// The number of the approval that was undone.
    pub undoes: Option<i64>,
    /// Whether labels still have to be brought up to date.
    pub is_pending: bool,
    pub made_at: Timestamp,
}

/// The same in an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeLine {
    pub(crate) vocabulary: VocabularyFile,
    pub(crate) action: VocabularyAction,
    pub(crate) kind: Option<TermKind>,
    pub(crate) term: Option<String>,
    pub(crate) undoes: Option<i64>,
    pub(crate) is_pending: bool,
    pub(crate) made_at: i64,
}

impl Reading<'_> {
    /// The whole history, oldest first. Empty in a store that still has the first vocabulary.
    pub fn vocabulary_history(&mut self) -> Result<Vec<VocabularyChange>, Error> {
        let sql = format!("SELECT {} FROM vocabularies ORDER BY number", COLUMNS.join(", "));
        self.query(&sql, &[])?.iter().map(change).collect()
    }

    /// The number of the newest row of the history; 0 if there is none.
    pub fn vocabulary_number(&mut self) -> Result<i64, Error> {
        let row = self.query_one("SELECT MAX(number) FROM vocabularies", &[])?;
        Ok(row.map(|row| row.optional_int(0)).transpose()?.flatten().unwrap_or(0))
    }
}

fn change(row: &Row) -> Result<VocabularyChange, Error> {
    let damaged = |what: &str| Error::Corrupt { what: format!("vocabulary {:?} has {what}", row.0[0]) };
    let file: VocabularyFile = serde_json::from_str(&row.text(2)?).map_err(|_| damaged("no readable terms"))?;
    let action = row.text(3)?;
    let kind = row.optional_text(4)?;
    let kind = kind
        .map(|name| TermKind::ALL.into_iter().find(|kind| kind.name() == name))
        .map(|kind| kind.ok_or_else(|| damaged("an unknown kind")))
        .transpose()?;
    Ok(VocabularyChange {
        number: row.int(0)?,
        vocabulary: Vocabulary::from_file(file).map_err(|_| damaged("invalid terms"))?,
        action: VocabularyAction::ALL
            .into_iter()
            .find(|known| known.name() == action)
            .ok_or_else(|| damaged("an unknown action"))?,
        term: kind.zip(row.optional_text(5)?),
        undoes: row.optional_int(6)?,
        is_pending: row.int(7)? != 0,
        made_at: row.time(8)?,
    })
}

/// Adds a row to the history, after the row of the store is locked. `decide` gets the history and makes the next row of it; its number is set here.
pub(crate) fn change_vocabulary(
    connection: &mut Connection,
    decide: &mut dyn FnMut(&[VocabularyChange]) -> Result<VocabularyChange, Invalid>,
) -> Result<VocabularyChange, Error> {
    connection.execute("UPDATE store SET next_space_id = next_space_id WHERE id = 1", &[])?;
    let history = Reading::new(connection).vocabulary_history()?;
    let mut next = decide(&history)?;
    next.number = history.last().map_or(0, |last| last.number) + 1;
    insert(connection, &next)?;
    Ok(next)
}

pub(crate) fn end_backfill(connection: &mut Connection, number: i64) -> Result<bool, Error> {
    Ok(connection.execute("UPDATE vocabularies SET pending = 0 WHERE number = ? AND pending = 1", &[number.into()])?
        > 0)
}

fn insert(connection: &mut Connection, change: &VocabularyChange) -> Result<(), Error> {
    let body = serde_json::to_string(&change.vocabulary.to_file()).unwrap_or_default();
    let (kind, term) = change.term.clone().map_or((None, None), |(kind, term)| (Some(kind.name()), Some(term)));
    let row = vec![
        change.number.into(),
        change.vocabulary.version().into(),
        body.into(),
        change.action.name().into(),
        kind.into(),
        term.into(),
        change.undoes.into(),
        Value::Int(i64::from(change.is_pending)),
        change.made_at.into(),
    ];
    Ok(connection.insert("vocabularies", &COLUMNS, &[row])?)
}

/// The history as an export has it.
pub(crate) fn history_lines(history: Vec<VocabularyChange>) -> Vec<ChangeLine> {
    let line = |change: VocabularyChange| {
        let (kind, term) = change.term.map_or((None, None), |(kind, term)| (Some(kind), Some(term)));
        ChangeLine {
            vocabulary: change.vocabulary.to_file(),
            action: change.action,
            kind,
            term,
            undoes: change.undoes,
            is_pending: change.is_pending,
            made_at: change.made_at.as_micros(),
        }
    };
    history.into_iter().map(line).collect()
}

/// Takes over the history of an export: the whole of it, or the versions that its spaces use and that are not here yet.
pub(crate) fn import_history(
    connection: &mut Connection,
    lines: &[ChangeLine],
    replaces: bool,
    adds: bool,
) -> Result<(), Error> {
    if replaces {
        connection.execute("DELETE FROM vocabularies", &[])?;
    }
    let mut history = Reading::new(connection).vocabulary_history()?;
    for line in lines {
        let vocabulary = Vocabulary::from_file(line.vocabulary.clone())?;
        let known = history.iter().find(|change| change.vocabulary.version() == vocabulary.version());
        if !replaces {
            let here = known.map(|change| change.vocabulary.clone());
            let here =
                here.or_else(|| Some(Vocabulary::first()).filter(|first| first.version() == vocabulary.version()));
            match here {
                Some(here) if here == vocabulary => continue,
                Some(_) => {
                    return Err(Invalid::new(
                        format!("vocabulary version {:?} has other terms in this database", vocabulary.version()),
                        "import into another database",
                    )
                    .into());
                }
                None if !adds => {
                    return Err(Invalid::new(
                        format!("vocabulary version {:?} is not in this database", vocabulary.version()),
                        "ask an administrator to import the file",
                    )
                    .into());
                }
                None => {}
            }
        }
        let mut change = VocabularyChange {
            number: history.last().map_or(0, |last| last.number) + 1,
            vocabulary,
            action: line.action,
            term: line.kind.zip(line.term.clone()),
            undoes: line.undoes,
            is_pending: line.is_pending,
            made_at: Timestamp::from_micros(line.made_at),
        };
        if !replaces {
            (change.action, change.term, change.undoes, change.is_pending) =
                (VocabularyAction::Foreign, None, None, false);
        }
        insert(connection, &change)?;
        history.push(change);
    }
    Ok(())
}
