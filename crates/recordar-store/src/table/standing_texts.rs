//! Standing texts of a space, every version of them.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::Row;
use recordar_domain::StandingText;

pub(crate) const COLUMNS: [&str; 6] = ["space_id", "kind", "born", "number", "content", "changed"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingTextRow {
    /// Counted from 1.
    pub number: i64,
    pub text: String,
    pub born: i64,
}

const SELECT: &str = "SELECT number, content, born FROM standing_texts WHERE space_id = ? AND kind = ?";

impl Reading<'_> {
    /// All versions of a standing text, the newest first.
    pub fn standing_texts(&mut self, space: SpaceId, kind: StandingText) -> Result<Vec<StandingTextRow>, Error> {
        let sql = format!("{SELECT} ORDER BY born DESC");
        self.query(&sql, &[space.into(), kind.code().into()])?.iter().map(standing_text).collect()
    }

    /// A standing text at a revision.
    pub fn standing_text(
        &mut self,
        space: SpaceId,
        kind: StandingText,
        revision: i64,
    ) -> Result<Option<StandingTextRow>, Error> {
        let sql = format!("{SELECT} AND born <= ? ORDER BY born DESC LIMIT 1");
        let values = [space.into(), kind.code().into(), revision.into()];
        self.query_one(&sql, &values)?.as_ref().map(standing_text).transpose()
    }
}

fn standing_text(row: &Row) -> Result<StandingTextRow, Error> {
    Ok(StandingTextRow { number: row.int(0)?, text: row.text(1)?, born: row.int(2)? })
}

impl Writing<'_> {
    /// Sets a standing text, and returns the number of its version. Nothing if it is already so.
    pub fn set_standing_text(&mut self, kind: StandingText, text: &str) -> Result<Option<i64>, Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let last = self.standing_text(space, kind, revision)?;
        if last.as_ref().map_or("", |last| &last.text) == text {
            return Ok(None);
        }
        let number = last.map_or(0, |last| last.number) + 1;
        let row = vec![space.into(), kind.code().into(), revision.into(), number.into(), text.into(), revision.into()];
        self.insert("standing_texts", &COLUMNS, &[row])?;
        Ok(Some(number))
    }
}
