//! Collections: where each has its root, on each machine.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::Digest;

pub(crate) const ROOT_COLUMNS: [&str; 9] =
    ["space_id", "collection_hash", "machine_hash", "born", "collection", "machine", "root", "retired", "changed"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootRow {
    pub collection: String,
    pub machine: String,
    pub root: String,
    pub born: i64,
    /// Absent if it is the collection's root on the machine now.
    pub retired: Option<i64>,
}

impl Reading<'_> {
    /// The roots of all collections, earlier ones too, by the revision that recorded them.
    pub fn roots(&mut self, space: SpaceId) -> Result<Vec<RootRow>, Error> {
        let sql = "SELECT collection, machine, root, born, retired FROM roots WHERE space_id = ?";
        let root = |row: &Row| {
            Ok(RootRow {
                collection: row.text(0)?,
                machine: row.text(1)?,
                root: row.text(2)?,
                born: row.int(3)?,
                retired: row.optional_int(4)?,
            })
        };
        let mut roots: Vec<RootRow> =
            self.query(sql, &[space.into()])?.iter().map(root).collect::<Result<_, Error>>()?;
        roots.sort_by(|one, other| {
            (one.born, &one.collection, &one.machine).cmp(&(other.born, &other.collection, &other.machine))
        });
        Ok(roots)
    }
}

impl Writing<'_> {
    /// Records where a collection has its root on a machine, and returns whether that is new.
    pub fn record_root(&mut self, collection: &str, machine: &str, root: &str) -> Result<bool, Error> {
        let (space, revision) = (self.space.id, Value::Int(self.space.revision));
        let of = [space.into(), Digest::of(collection).into(), Digest::of(machine).into()];
        let sql = "SELECT root FROM roots \
             WHERE space_id = ? AND collection_hash = ? AND machine_hash = ? AND retired IS NULL";
        if self.query_one(sql, &of)?.map(|row| row.text(0)).transpose()?.as_deref() == Some(root) {
            return Ok(false);
        }
        let retire = "UPDATE roots SET retired = ?, changed = ? \
             WHERE space_id = ? AND collection_hash = ? AND machine_hash = ? AND retired IS NULL";
        let [space, collection_hash, machine_hash] = of;
        let of = [space.clone(), collection_hash.clone(), machine_hash.clone()];
        self.execute(retire, &[&[revision.clone(), revision.clone()][..], &of[..]].concat())?;
        let row = vec![
            space,
            collection_hash,
            machine_hash,
            revision.clone(),
            collection.into(),
            machine.into(),
            root.into(),
            Value::Null,
            revision,
        ];
        self.insert("roots", &ROOT_COLUMNS, &[row])?;
        Ok(true)
    }

    /// Removes the roots of collections that have no documents any more: they are parts of forgotten paths.
    pub(super) fn drop_empty_roots(&mut self) -> Result<(), Error> {
        let space = self.space.id;
        let sql = "SELECT DISTINCT collection FROM documents WHERE space_id = ? AND collection IS NOT NULL";
        let used: Vec<String> =
            self.query(sql, &[space.into()])?.iter().map(|row| row.text(0)).collect::<Result<_, Error>>()?;
        let mut empty: Vec<String> = self.roots(space)?.into_iter().map(|root| root.collection).collect();
        empty.sort_unstable();
        empty.dedup();
        for collection in empty.into_iter().filter(|collection| !used.contains(collection)) {
            let sql = "DELETE FROM roots WHERE space_id = ? AND collection_hash = ?";
            self.execute(sql, &[space.into(), Digest::of(&collection).into()])?;
        }
        Ok(())
    }
}
