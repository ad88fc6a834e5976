//! Contextual helpers (A6): what a document is about, for a reader of a single chunk. A helper is never overwritten: the next
//! one retires it.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Timestamp, check_text};
use std::collections::BTreeSet;

pub(crate) const COLUMNS: [&str; 11] = [
    "space_id",
    "helper_id",
    "document_id",
    "number",
    "origin",
    "content",
    "tokens",
    "recorded_at",
    "born",
    "retired",
    "changed",
];
const SELECT: &str =
    "SELECT helper_id, document_id, number, origin, content, tokens, recorded_at, retired FROM helpers";
/// The limit, which also applies to imports.
pub(crate) const MAX_HELPER_BYTES: usize = 64 * 1024;
/// The number of documents looked up at once.
const PAGE: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HelperOrigin {
    Generated,
    User,
}

impl HelperOrigin {
    pub(crate) fn code(self) -> i64 {
        match self {
            Self::Generated => 1,
            Self::User => 2,
        }
    }

    pub(crate) fn of_code(code: i64) -> Option<Self> {
        [Self::Generated, Self::User].into_iter().find(|origin| origin.code() == code)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperRow {
    pub id: i64,
    pub document_id: i64,
    /// 1 for the first helper of its document, and so on.
    pub number: i64,
    pub origin: HelperOrigin,
    pub text: String,
    pub tokens: i64,
    pub recorded_at: Timestamp,
    pub is_live: bool,
}

impl Reading<'_> {
    /// The live helper of a document.
    pub fn helper(&mut self, space: SpaceId, document_id: i64) -> Result<Option<HelperRow>, Error> {
        let sql =
            format!("{SELECT} WHERE space_id = ? AND document_id = ? AND retired IS NULL ORDER BY number DESC LIMIT 1");
        self.query_one(&sql, &[space.into(), document_id.into()])?.as_ref().map(helper).transpose()
    }

    /// All helpers of a document, oldest first.
    pub fn helpers_of(&mut self, space: SpaceId, document_id: i64) -> Result<Vec<HelperRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND document_id = ? ORDER BY number");
        self.query(&sql, &[space.into(), document_id.into()])?.iter().map(helper).collect()
    }

    /// A helper by its id, live or not.
    pub fn helper_by_id(&mut self, space: SpaceId, id: i64) -> Result<Option<HelperRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND helper_id = ?");
        self.query_one(&sql, &[space.into(), id.into()])?.as_ref().map(helper).transpose()
    }

    /// The live helpers of these documents, in the order of documents.
    pub fn live_helpers(&mut self, space: SpaceId, documents: &BTreeSet<i64>) -> Result<Vec<HelperRow>, Error> {
        let places = vec!["?"; PAGE].join(", ");
        let sql = format!(
            "{SELECT} WHERE space_id = ? AND document_id IN ({places}) AND retired IS NULL ORDER BY document_id, number"
        );
        let mut found = Vec::new();
        for page in documents.iter().copied().collect::<Vec<_>>().chunks(PAGE) {
            // The last one fills the page, so that there is one statement for any number.
            let filled = page.iter().chain(page.last().into_iter().cycle()).take(PAGE);
            let values: Vec<Value> = std::iter::once(space.into()).chain(filled.map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                found.push(helper(&row)?);
            }
        }
        Ok(found)
    }

    /// The documents of a space that have a live helper.
    pub fn documents_with_helper(&mut self, space: SpaceId) -> Result<BTreeSet<i64>, Error> {
        let sql = "SELECT document_id FROM helpers WHERE space_id = ? AND retired IS NULL ORDER BY document_id";
        self.query(sql, &[space.into()])?.iter().map(|row| row.int(0)).collect()
    }

    /// The ids of all helpers of a space.
    pub(crate) fn helper_ids(&mut self, space: SpaceId) -> Result<Vec<i64>, Error> {
        let sql = "SELECT helper_id FROM helpers WHERE space_id = ? ORDER BY helper_id";
        self.query(sql, &[space.into()])?.iter().map(|row| row.int(0)).collect()
    }
}

fn helper(row: &Row) -> Result<HelperRow, Error> {
    let damaged = || Error::Corrupt { what: format!("helper {:?} has an unknown origin", row.0[0]) };
    Ok(HelperRow {
        id: row.int(0)?,
        document_id: row.int(1)?,
        number: row.int(2)?,
        origin: HelperOrigin::of_code(row.int(3)?).ok_or_else(damaged)?,
        text: row.text(4)?,
        tokens: row.int(5)?,
        recorded_at: row.time(6)?,
        is_live: row.optional_int(7)?.is_none(),
    })
}

impl Writing<'_> {
    /// Stores a helper of a document, and retires the previous one. A generated helper never replaces the user's.
    pub fn add_helper(
        &mut self,
        document_id: i64,
        origin: HelperOrigin,
        text: &str,
        tokens: i64,
    ) -> Result<HelperRow, Error> {
        let space = self.space.id;
        if let Some(given) = self.helper(space, document_id)?.filter(|live| live.origin == HelperOrigin::User)
            && origin == HelperOrigin::Generated
        {
            return Ok(given);
        }
        self.replace_helper(document_id, origin, text, tokens)
    }

    /// Stores a helper of a document, and retires the previous one, whoever made it.
    pub fn replace_helper(
        &mut self,
        document_id: i64,
        origin: HelperOrigin,
        text: &str,
        tokens: i64,
    ) -> Result<HelperRow, Error> {
        check_text("the helper", text, MAX_HELPER_BYTES)?;
        let (space, revision) = (self.space.id, Value::Int(self.space.revision));
        if self.document(space, document_id)?.is_none() {
            return Err(Error::absent(format!("document {document_id} in space {}", self.space.name)));
        }
        let last = self.helpers_of(space, document_id)?.pop();
        let retire =
            "UPDATE helpers SET retired = ?, changed = ? WHERE space_id = ? AND document_id = ? AND retired IS NULL";
        self.execute(retire, &[revision.clone(), revision.clone(), space.into(), document_id.into()])?;
        let helper = HelperRow {
            id: self.allocate_ids(1),
            document_id,
            number: last.map_or(1, |last| last.number + 1),
            origin,
            text: text.to_owned(),
            tokens,
            recorded_at: self.space.recorded_at,
            is_live: true,
        };
        let row = vec![
            space.into(),
            helper.id.into(),
            document_id.into(),
            helper.number.into(),
            origin.code().into(),
            text.into(),
            tokens.into(),
            helper.recorded_at.into(),
            revision.clone(),
            Value::Null,
            revision,
        ];
        self.insert("helpers", &COLUMNS, &[row])?;
        Ok(helper)
    }
}
