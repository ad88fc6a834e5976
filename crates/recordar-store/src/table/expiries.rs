//! When threads, items and tags are to be forgotten: one end for each of them.

use super::{CountedReceipts, ForgetTarget, Forgotten};
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, Timestamp};
use std::collections::BTreeSet;

pub(crate) const COLUMNS: [&str; 7] = ["space_id", "kind", "subject", "tag_hash", "tag", "expires_at", "changed"];

/// What has an end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpirySubject {
    Thread(i64),
    /// A message, fact or summary; with those that it replaced under the same own id.
    Item(i64),
    /// The documents that carry the tag when its end has come.
    Tag(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiryRow {
    pub subject: ExpirySubject,
    pub expires_at: Timestamp,
    /// The revision that set it.
    pub changed: i64,
}

const SELECT: &str = "SELECT kind, subject, tag, expires_at, changed FROM expiries";
/// The kinds of a row.
const THREAD: i64 = 1;
const ITEM: i64 = 2;
const TAG: i64 = 3;
pub(crate) const EXPIRY_KINDS: [i64; 3] = [THREAD, ITEM, TAG];
pub(crate) const EXPIRY_OF_TAG: i64 = TAG;
const PAGE: usize = 512;

impl ExpirySubject {
    /// The columns of its key, after the space.
    fn key(&self) -> (i64, i64, Digest) {
        match self {
            Self::Thread(id) => (THREAD, *id, Digest::of("")),
            Self::Item(id) => (ITEM, *id, Digest::of("")),
            Self::Tag(tag) => (TAG, 0, Digest::of(tag)),
        }
    }

    fn values(&self, space: SpaceId) -> [Value; 4] {
        let (kind, subject, hash) = self.key();
        [space.into(), kind.into(), subject.into(), hash.into()]
    }

    /// The thread, item or tag as a number: none of its words.
    pub fn number(&self) -> [i64; 2] {
        let (kind, subject, _) = self.key();
        [kind, subject]
    }
}

fn expiry(row: &Row) -> Result<ExpiryRow, Error> {
    let damaged = || Error::Corrupt { what: "an end of an unknown kind".to_owned() };
    let subject = match (row.int(0)?, row.int(1)?) {
        (THREAD, id) => ExpirySubject::Thread(id),
        (ITEM, id) => ExpirySubject::Item(id),
        (TAG, _) => ExpirySubject::Tag(row.optional_text(2)?.ok_or_else(damaged)?),
        _ => return Err(damaged()),
    };
    Ok(ExpiryRow { subject, expires_at: Timestamp::from_micros(row.int(3)?), changed: row.int(4)? })
}

impl Reading<'_> {
    /// The end of a subject, if it has one.
    pub fn expiry(&mut self, space: SpaceId, subject: &ExpirySubject) -> Result<Option<ExpiryRow>, Error> {
        let sql = format!("{SELECT} WHERE space_id = ? AND kind = ? AND subject = ? AND tag_hash = ?");
        self.query_one(&sql, &subject.values(space))?.as_ref().map(expiry).transpose()
    }

    /// The ends of a space up to a time, the earliest first. Equal ones are in the order of their subjects.
    pub fn expiries(&mut self, space: SpaceId, until: Timestamp, most: usize) -> Result<Vec<ExpiryRow>, Error> {
        let sql = format!(
            "{SELECT} WHERE space_id = ? AND expires_at <= ? ORDER BY expires_at, kind, subject, tag_hash LIMIT {most}"
        );
        self.query(&sql, &[space.into(), until.as_micros().into()])?.iter().map(expiry).collect()
    }

    /// How many ends of a space have come.
    pub fn count_expiries(&mut self, space: SpaceId, until: Timestamp) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM expiries WHERE space_id = ? AND expires_at <= ?";
        self.query_one(sql, &[space.into(), until.as_micros().into()])?.map_or(Ok(0), |row| row.int(0))
    }

    /// The spaces in which an end has come.
    pub fn spaces_with_expiries(&mut self, until: Timestamp) -> Result<Vec<String>, Error> {
        let sql = "SELECT DISTINCT space_id FROM expiries WHERE expires_at <= ?";
        let found = self.query(sql, &[until.as_micros().into()])?;
        let ids = found.iter().map(|row| row.int(0)).collect::<Result<BTreeSet<i64>, _>>()?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let spaces = self.spaces()?;
        Ok(spaces.into_iter().filter(|space| ids.contains(&space.id.0)).map(|space| space.name).collect())
    }

    /// What forgetting a subject removes: the thread; the item with those it replaced; the documents that carry the tag now.
    pub fn expiry_targets(&mut self, space: SpaceId, subject: &ExpirySubject) -> Result<Vec<ForgetTarget>, Error> {
        match subject {
            ExpirySubject::Thread(id) => {
                Ok(self.thread_by_id(space, *id)?.map(|thread| ForgetTarget::Thread(thread.id)).into_iter().collect())
            }
            ExpirySubject::Item(id) => {
                let Some(item) = self.item(space, *id)? else { return Ok(Vec::new()) };
                let mut ids = vec![item.id];
                if let Some(own_id) = item.own_id.as_deref() {
                    ids.extend(self.items_by_own_id(space, &[own_id])?.iter().map(|row| row.id));
                }
                ids.sort_unstable();
                ids.dedup();
                Ok(vec![ForgetTarget::Items(ids)])
            }
            ExpirySubject::Tag(tag) => {
                let documents = self.documents_with_tag(space, tag)?;
                Ok(documents.into_iter().map(ForgetTarget::Document).collect())
            }
        }
    }

    /// The documents whose newest version carries a tag, in the order of their ids.
    pub fn documents_with_tag(&mut self, space: SpaceId, tag: &str) -> Result<Vec<i64>, Error> {
        let mut newest = std::collections::BTreeMap::new();
        // Versions come in order, so the last one of a document wins.
        for version in self.all_versions(space)? {
            newest.insert(version.document_id, version.attributes.tags().iter().any(|own| own == tag));
        }
        Ok(newest.into_iter().filter(|(_, has_tag)| *has_tag).map(|(document, _)| document).collect())
    }
}

impl Writing<'_> {
    /// Sets the end of a subject, in the place of the one before.
    pub fn set_expiry(&mut self, subject: &ExpirySubject, expires_at: Timestamp) -> Result<(), Error> {
        self.remove_expiry(subject)?;
        let space = self.space.id;
        let tag = match subject {
            ExpirySubject::Tag(tag) => Some(tag.as_str()),
            _ => None,
        };
        let [space, kind, id, hash] = subject.values(space);
        let row = vec![space, kind, id, hash, tag.into(), expires_at.as_micros().into(), self.space.revision.into()];
        self.insert("expiries", &COLUMNS, &[row])?;
        Ok(())
    }

    /// Sets the ends of items that are new, and so have none.
    pub fn add_item_expiries(&mut self, ends: &[(i64, Timestamp)]) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let row = |(id, end): &(i64, Timestamp)| {
            let [space, kind, id, hash] = ExpirySubject::Item(*id).values(space);
            vec![space, kind, id, hash, Value::Null, end.as_micros().into(), revision.into()]
        };
        let rows: Vec<Vec<Value>> = ends.iter().map(row).collect();
        self.insert("expiries", &COLUMNS, &rows)?;
        Ok(())
    }

    /// Removes the end of a subject. False if it has none.
    pub fn remove_expiry(&mut self, subject: &ExpirySubject) -> Result<bool, Error> {
        let space = self.space.id;
        let is_there = self.expiry(space, subject)?.is_some();
        if is_there {
            let sql = "DELETE FROM expiries WHERE space_id = ? AND kind = ? AND subject = ? AND tag_hash = ?";
            self.execute(sql, &subject.values(space))?;
        }
        Ok(is_there)
    }

    /// Forgets a subject whose end has come, and the end itself.
    pub fn expire(
        &mut self,
        subject: &ExpirySubject,
        counted: CountedReceipts,
        count: &dyn Fn(&str) -> usize,
    ) -> Result<Forgotten, Error> {
        let space = self.space.id;
        let mut forgotten = Forgotten::default();
        for target in self.expiry_targets(space, subject)? {
            forgotten.add(&self.forget(&target, counted, count)?);
        }
        self.remove_expiry(subject)?;
        Ok(forgotten)
    }

    /// Removes the ends of threads and items that are being forgotten.
    pub(super) fn drop_expiries(&mut self, threads: &[i64], items: &[i64]) -> Result<(), Error> {
        for (kind, ids) in [(THREAD, threads), (ITEM, items)] {
            for ids in ids.chunks(PAGE) {
                let places = vec!["?"; ids.len()].join(", ");
                let sql = format!("DELETE FROM expiries WHERE space_id = ? AND kind = ? AND subject IN ({places})");
                let head = [self.space.id.into(), Value::Int(kind)];
                let values: Vec<Value> = head.into_iter().chain(ids.iter().map(|id| (*id).into())).collect();
                self.execute(&sql, &values)?;
            }
        }
        Ok(())
    }
}
