//! What is noted beside an item for composing: that a person marked it as important, and the documents that it is about.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const IMPORTANT_COLUMNS: [&str; 5] = ["space_id", "item_id", "born", "is_important", "changed"];
pub(crate) const ABOUT_COLUMNS: [&str; 5] = ["space_id", "item_id", "document_id", "version_id", "changed"];

/// How many ids one statement looks up.
const IDS_AT_ONCE: usize = 500;

/// A document that an item is about, and the version that was current when the item was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AboutRow {
    pub item_id: i64,
    pub document_id: i64,
    pub version_id: i64,
}

impl Reading<'_> {
    /// Which of some items people have marked as important, at a revision.
    pub fn important_items(&mut self, space: SpaceId, items: &[i64], revision: i64) -> Result<BTreeSet<i64>, Error> {
        let sql = "SELECT item_id, is_important FROM important_marks WHERE space_id = ? AND born <= ? AND item_id IN ({}) \
                   ORDER BY item_id, born";
        let mut marks = BTreeMap::new();
        for row in self.of_items(sql, space, items, revision)? {
            marks.insert(row.int(0)?, row.int(1)? == 1);
        }
        Ok(marks.into_iter().filter(|(_, is_important)| *is_important).map(|(id, _)| id).collect())
    }

    /// The documents that some items are about, at a revision, in the order of the ids.
    pub fn abouts(&mut self, space: SpaceId, items: &[i64], revision: i64) -> Result<Vec<AboutRow>, Error> {
        let sql = "SELECT item_id, document_id, version_id FROM abouts WHERE space_id = ? AND changed <= ? AND item_id IN ({})";
        let about = |row: Row| -> Result<AboutRow, Error> {
            Ok(AboutRow { item_id: row.int(0)?, document_id: row.int(1)?, version_id: row.int(2)? })
        };
        let rows = self.of_items(sql, space, items, revision)?.into_iter().map(about);
        Ok(rows.collect::<Result<BTreeSet<_>, _>>()?.into_iter().collect())
    }

    pub(super) fn of_items(
        &mut self,
        sql: &str,
        space: SpaceId,
        items: &[i64],
        revision: i64,
    ) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        for ids in items.chunks(IDS_AT_ONCE) {
            let sql = sql.replace("{}", &vec!["?"; ids.len()].join(", "));
            let own = [space.into(), revision.into()];
            let values: Vec<Value> = own.into_iter().chain(ids.iter().map(|id| (*id).into())).collect();
            rows.extend(self.query(&sql, &values)?);
        }
        Ok(rows)
    }
}

impl Writing<'_> {
    /// Marks an item as important, or no longer.
    pub fn mark_important(&mut self, item_id: i64, is_important: bool) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let row = vec![space.into(), item_id.into(), revision.into(), i64::from(is_important).into(), revision.into()];
        self.insert("important_marks", &IMPORTANT_COLUMNS, &[row])
    }

    /// Notes the documents that new items are about.
    pub fn add_abouts(&mut self, abouts: &[AboutRow]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let row = |about: &AboutRow| {
            vec![space.into(), about.item_id.into(), about.document_id.into(), about.version_id.into(), revision.into()]
        };
        self.insert("abouts", &ABOUT_COLUMNS, &abouts.iter().map(row).collect::<Vec<_>>())
    }
}
