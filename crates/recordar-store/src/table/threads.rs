//! Threads: conversations, by the name their caller gives them.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::Digest;

pub(crate) const COLUMNS: [&str; 7] = ["space_id", "thread_id", "name_hash", "name", "title", "born", "changed"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadRow {
    pub id: i64,
    pub name: String,
    pub title: Option<String>,
}

impl Reading<'_> {
    pub fn thread(&mut self, space: SpaceId, name: &str) -> Result<Option<ThreadRow>, Error> {
        let row = self.query_one(
            "SELECT thread_id, name, title FROM threads WHERE space_id = ? AND name_hash = ?",
            &[space.into(), Digest::of(name).into()],
        )?;
        row.as_ref().map(thread).transpose()
    }

    pub fn thread_by_id(&mut self, space: SpaceId, id: i64) -> Result<Option<ThreadRow>, Error> {
        let sql = "SELECT thread_id, name, title FROM threads WHERE space_id = ? AND thread_id = ?";
        self.query_one(sql, &[space.into(), id.into()])?.as_ref().map(thread).transpose()
    }

    /// Some threads, in the order of their ids.
    pub fn threads_by_id(&mut self, space: SpaceId, ids: &[i64]) -> Result<Vec<ThreadRow>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let places = vec!["?"; ids.len()].join(", ");
        let sql = format!(
            "SELECT thread_id, name, title FROM threads WHERE space_id = ? AND thread_id IN ({places}) ORDER BY thread_id"
        );
        let values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
        self.query(&sql, &values)?.iter().map(thread).collect()
    }

    pub fn threads(&mut self, space: SpaceId) -> Result<Vec<ThreadRow>, Error> {
        let sql = "SELECT thread_id, name, title FROM threads WHERE space_id = ? ORDER BY thread_id";
        self.query(sql, &[space.into()])?.iter().map(thread).collect()
    }
}

fn thread(row: &Row) -> Result<ThreadRow, Error> {
    Ok(ThreadRow { id: row.int(0)?, name: row.text(1)?, title: row.optional_text(2)? })
}

impl Writing<'_> {
    /// The thread of that name, created if there is none. A given title replaces the previous one.
    pub fn thread_named(&mut self, name: &str, title: Option<&str>) -> Result<i64, Error> {
        let (space, revision) = (self.space.id, Value::Int(self.space.revision));
        if let Some(found) = self.thread(space, name)? {
            if title.is_some() && title != found.title.as_deref() {
                let sql = "UPDATE threads SET title = ?, changed = ? WHERE space_id = ? AND thread_id = ?";
                self.execute(sql, &[title.into(), revision, space.into(), found.id.into()])?;
            }
            return Ok(found.id);
        }
        let id = self.allocate_ids(1);
        let row = vec![
            space.into(),
            id.into(),
            Digest::of(name).into(),
            name.into(),
            title.into(),
            revision.clone(),
            revision,
        ];
        self.insert("threads", &COLUMNS, &[row])?;
        Ok(id)
    }
}
