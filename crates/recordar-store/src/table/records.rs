//! Records: named values of applications, in buckets. They are not items: no index and no recall sees them.
//!
//! Keys are bytes in the database, so that all three order them alike. A long value is several rows.

use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Digest, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const BUCKET_COLUMNS: [&str; 5] = ["space_id", "bucket_hash", "bucket", "born", "position"];
pub(crate) const COLUMNS: [&str; 10] =
    ["space_id", "bucket_hash", "name", "part", "bytes", "content", "born", "position", "changed", "recorded_at"];

/// The longest value.
pub(crate) const MAX_RECORD_BYTES: usize = 16 * 1024 * 1024;
pub(crate) const RECORD_PART_BYTES: usize = 1024 * 1024;
/// How many keys one statement names.
const NAMES_AT_ONCE: usize = 100;
/// How many bytes of values are read at once, and make a page: at least one value.
const PAGE_BYTES: usize = MAX_RECORD_BYTES;

/// A record to be stored. One of the same bucket and key is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRecord<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    pub value: &'a [u8],
    /// A record that is there already stays as it is.
    pub keep: bool,
}

/// What became of a batch of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PutRecords {
    /// New, or with another value than before.
    pub stored: usize,
    pub unchanged: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketRow {
    pub name: String,
    digest: Digest,
    /// Its place among the buckets of the space: by the revision, then within it.
    age: (i64, i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    pub bucket: String,
    pub key: String,
    pub bytes: usize,
    /// Absent if it was not asked for.
    pub value: Option<Vec<u8>>,
    pub recorded_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOrder {
    /// By bucket and key, compared as bytes.
    Key,
    /// By when buckets, and the records in them, were first stored.
    Age,
}

/// Which records to read.
#[derive(Debug, Clone)]
pub struct RecordQuery<'a> {
    pub bucket: &'a str,
    /// The bucket is the beginning of the names of several.
    pub is_bucket_prefix: bool,
    /// Only these keys, if given.
    pub keys: Option<&'a [String]>,
    /// Only keys that begin with this.
    pub prefix: &'a str,
    pub order: RecordOrder,
    pub is_reversed: bool,
    pub offset: usize,
    pub limit: usize,
    pub with_values: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPage {
    pub records: Vec<RecordRow>,
    /// The offset of the next page, unless this is the last.
    pub next: Option<usize>,
}

/// The parts of a value: where each begins, and its size. An empty value has one.
pub(crate) fn record_parts(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = bytes.div_ceil(RECORD_PART_BYTES).max(1);
    (0..count).map(move |part| (part * RECORD_PART_BYTES, (bytes - part * RECORD_PART_BYTES).min(RECORD_PART_BYTES)))
}

/// A record without its value.
struct Found {
    key: Vec<u8>,
    bytes: usize,
    age: (i64, i64),
    recorded_at: Timestamp,
}

const SELECT: &str =
    "SELECT name, bytes, born, position, recorded_at FROM records WHERE space_id = ? AND bucket_hash = ? AND part = 0";

fn found(row: &Row) -> Result<Found, Error> {
    Ok(Found {
        key: bytes_of(row, 0)?,
        bytes: row.int(1)? as usize,
        age: (row.int(2)?, row.int(3)?),
        recorded_at: row.time(4)?,
    })
}

fn bytes_of(row: &Row, column: usize) -> Result<Vec<u8>, Error> {
    match &row.0[column] {
        Value::Bytes(bytes) => Ok(bytes.clone()),
        _ => Err(Error::Corrupt { what: "a record has no bytes".to_owned() }),
    }
}

/// The first key that is greater than all that begin with the prefix. UTF-8 has no byte 255.
fn beyond(prefix: &str) -> Vec<u8> {
    let mut end = prefix.as_bytes().to_vec();
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    end
}

impl Reading<'_> {
    /// The buckets of a space whose names begin with a prefix, by name.
    pub fn buckets(&mut self, space: SpaceId, prefix: &str) -> Result<Vec<BucketRow>, Error> {
        let sql = "SELECT bucket, bucket_hash, born, position FROM buckets WHERE space_id = ?";
        let rows = self.query(sql, &[space.into()])?;
        let mut buckets = rows.iter().map(bucket).collect::<Result<Vec<_>, _>>()?;
        buckets.retain(|bucket| bucket.name.starts_with(prefix));
        buckets.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(buckets)
    }

    fn bucket(&mut self, space: SpaceId, name: &str) -> Result<Option<BucketRow>, Error> {
        let sql = "SELECT bucket, bucket_hash, born, position FROM buckets WHERE space_id = ? AND bucket_hash = ?";
        self.query_one(sql, &[space.into(), Digest::of(name).into()])?.as_ref().map(bucket).transpose()
    }

    /// Whether there is a record.
    pub(super) fn has_record(&mut self, space: SpaceId, bucket: &str, key: &str) -> Result<bool, Error> {
        Ok(!self.found_named(space, Digest::of(bucket), &[key])?.is_empty())
    }

    /// How many records a bucket has.
    pub fn count_records(&mut self, space: SpaceId, bucket: &BucketRow) -> Result<u64, Error> {
        let sql = "SELECT COUNT(*) FROM records WHERE space_id = ? AND bucket_hash = ? AND part = 0";
        self.query_one(sql, &[space.into(), bucket.digest.into()])?.map_or(Ok(0), |row| row.int(0).map(|n| n as u64))
    }

    /// A page of records. It ends early if its values are large.
    pub fn records(&mut self, space: SpaceId, query: &RecordQuery<'_>) -> Result<RecordPage, Error> {
        let mut page = RecordPage { records: Vec::new(), next: None };
        let (mut skipped, mut bytes) = (query.offset, 0);
        for bucket in self.queried_buckets(space, query)? {
            let wanted = skipped + query.limit - page.records.len() + 1;
            let mut found = self.found_in(space, &bucket, query, wanted)?;
            let gone = skipped.min(found.len());
            found.drain(..gone);
            skipped -= gone;
            let mut kept: Vec<Found> = Vec::new();
            for record in found {
                let is_full = page.records.len() + kept.len() == query.limit;
                let is_large = query.with_values && bytes > 0 && bytes + record.bytes > PAGE_BYTES;
                if is_full || is_large {
                    page.next = Some(query.offset + page.records.len() + kept.len());
                    break;
                }
                bytes += record.bytes;
                kept.push(record);
            }
            let values = if query.with_values { self.values(space, bucket.digest, &kept)? } else { BTreeMap::new() };
            page.records.extend(kept.into_iter().map(|record| view(&bucket, record, &values)));
            if page.next.is_some() {
                break;
            }
        }
        Ok(page)
    }

    fn queried_buckets(&mut self, space: SpaceId, query: &RecordQuery<'_>) -> Result<Vec<BucketRow>, Error> {
        if !query.is_bucket_prefix {
            return Ok(self.bucket(space, query.bucket)?.into_iter().collect());
        }
        let mut buckets = self.buckets(space, query.bucket)?;
        if query.order == RecordOrder::Age {
            buckets.sort_by_key(|bucket| bucket.age);
        }
        if query.is_reversed {
            buckets.reverse();
        }
        Ok(buckets)
    }

    /// The first records of a bucket, in the order of the query.
    fn found_in(
        &mut self,
        space: SpaceId,
        bucket: &BucketRow,
        query: &RecordQuery<'_>,
        limit: usize,
    ) -> Result<Vec<Found>, Error> {
        let mut values: Vec<Value> = vec![space.into(), bucket.digest.into()];
        if let Some(keys) = query.keys {
            let keys: BTreeSet<&str> =
                keys.iter().map(String::as_str).filter(|key| key.starts_with(query.prefix)).collect();
            let mut found = self.found_named(space, bucket.digest, &keys.into_iter().collect::<Vec<_>>())?;
            match query.order {
                RecordOrder::Key => found.sort_unstable_by(|a, b| a.key.cmp(&b.key)),
                RecordOrder::Age => found.sort_by_key(|record| record.age),
            }
            if query.is_reversed {
                found.reverse();
            }
            found.truncate(limit);
            return Ok(found);
        }
        let mut sql = SELECT.to_owned();
        if !query.prefix.is_empty() {
            sql += " AND name >= ? AND name < ?";
            values.extend([Value::Bytes(query.prefix.as_bytes().to_vec()), Value::Bytes(beyond(query.prefix))]);
        }
        let down = if query.is_reversed { " DESC" } else { "" };
        sql += &match query.order {
            RecordOrder::Key => format!(" ORDER BY name{down} LIMIT {limit}"),
            RecordOrder::Age => format!(" ORDER BY born{down}, position{down} LIMIT {limit}"),
        };
        self.query(&sql, &values)?.iter().map(found).collect()
    }

    fn found_named(&mut self, space: SpaceId, bucket: Digest, keys: &[&str]) -> Result<Vec<Found>, Error> {
        let mut all = Vec::with_capacity(keys.len());
        for keys in keys.chunks(NAMES_AT_ONCE) {
            let sql = format!("{SELECT} AND name IN ({})", vec!["?"; keys.len()].join(", "));
            for row in self.query(&sql, &named(space, bucket, keys.iter().map(|key| key.as_bytes())))? {
                all.push(found(&row)?);
            }
        }
        Ok(all)
    }

    /// The values of some records of a bucket, by key.
    fn values(
        &mut self,
        space: SpaceId,
        bucket: Digest,
        records: &[Found],
    ) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, Error> {
        let mut values: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for records in records.chunks(NAMES_AT_ONCE) {
            let places = vec!["?"; records.len()].join(", ");
            let sql = format!(
                "SELECT name, content FROM records WHERE space_id = ? AND bucket_hash = ? AND name IN ({places}) ORDER BY name, part"
            );
            for row in self.query(&sql, &named(space, bucket, records.iter().map(|record| record.key.as_slice())))? {
                values.entry(bytes_of(&row, 0)?).or_default().extend(bytes_of(&row, 1)?);
            }
            for record in records {
                if values.get(&record.key).is_none_or(|value| value.len() != record.bytes) {
                    return Err(Error::Corrupt { what: "a record does not have all its parts".to_owned() });
                }
            }
        }
        Ok(values)
    }
}

fn bucket(row: &Row) -> Result<BucketRow, Error> {
    Ok(BucketRow { name: row.text(0)?, digest: row.digest(1)?, age: (row.int(2)?, row.int(3)?) })
}

fn named<'k>(space: SpaceId, bucket: Digest, keys: impl Iterator<Item = &'k [u8]>) -> Vec<Value> {
    let head = [space.into(), bucket.into()];
    head.into_iter().chain(keys.map(|key| Value::Bytes(key.to_vec()))).collect()
}

fn view(bucket: &BucketRow, record: Found, values: &BTreeMap<Vec<u8>, Vec<u8>>) -> RecordRow {
    RecordRow {
        bucket: bucket.name.clone(),
        bytes: record.bytes,
        value: values.get(&record.key).cloned(),
        recorded_at: record.recorded_at,
        key: String::from_utf8_lossy(&record.key).into_owned(),
    }
}

impl Writing<'_> {
    /// Stores records. Those that are there keep their age. No key of a bucket may be given twice.
    pub fn put_records(&mut self, records: &[NewRecord<'_>]) -> Result<PutRecords, Error> {
        let mut by_bucket: BTreeMap<&str, Vec<(usize, &NewRecord<'_>)>> = BTreeMap::new();
        for (position, record) in records.iter().enumerate() {
            by_bucket.entry(record.bucket).or_default().push((position, record));
        }
        let mut put = PutRecords::default();
        for (bucket, records) in by_bucket {
            put.stored += self.put_into(bucket, &records)?;
        }
        put.unchanged = records.len() - put.stored;
        Ok(put)
    }

    fn put_into(&mut self, name: &str, records: &[(usize, &NewRecord<'_>)]) -> Result<usize, Error> {
        let (space, revision, bucket) = (self.space.id, self.space.revision, Digest::of(name));
        let keys: Vec<&str> = records.iter().map(|(_, record)| record.key).collect();
        let known: BTreeMap<Vec<u8>, Found> =
            self.found_named(space, bucket, &keys)?.into_iter().map(|found| (found.key.clone(), found)).collect();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        let (mut stored, mut replaced) = (0, Vec::new());
        for (position, record) in records {
            let before = known.get(record.key.as_bytes());
            if let Some(before) = before {
                if record.keep || self.has_value(bucket, before, record.value)? {
                    continue;
                }
                replaced.push(record.key.as_bytes());
            }
            let (born, position) = before.map_or((revision, *position as i64), |before| before.age);
            for (part, (start, size)) in record_parts(record.value.len()).enumerate() {
                rows.push(vec![
                    space.into(),
                    bucket.into(),
                    Value::Bytes(record.key.as_bytes().to_vec()),
                    Value::Int(part as i64),
                    Value::Int(record.value.len() as i64),
                    Value::Bytes(record.value[start..start + size].to_vec()),
                    born.into(),
                    position.into(),
                    revision.into(),
                    self.space.recorded_at.into(),
                ]);
            }
            stored += 1;
        }
        self.delete_named(bucket, &replaced)?;
        if let Some((position, _)) = records.first()
            && stored > 0
            && self.bucket(space, name)?.is_none()
        {
            let row = vec![space.into(), bucket.into(), name.into(), revision.into(), Value::Int(*position as i64)];
            self.insert("buckets", &BUCKET_COLUMNS, &[row])?;
        }
        self.insert("records", &COLUMNS, &rows)?;
        Ok(stored)
    }

    fn has_value(&mut self, bucket: Digest, before: &Found, value: &[u8]) -> Result<bool, Error> {
        if before.bytes != value.len() {
            return Ok(false);
        }
        let space = self.space.id;
        let sql = "SELECT content FROM records WHERE space_id = ? AND bucket_hash = ? AND name = ? ORDER BY part";
        let rows = self.query(sql, &named(space, bucket, std::iter::once(before.key.as_slice())))?;
        let mut parts = Vec::with_capacity(value.len());
        for row in &rows {
            parts.extend(bytes_of(row, 0)?);
        }
        Ok(parts == value)
    }

    fn delete_named(&mut self, bucket: Digest, keys: &[&[u8]]) -> Result<(), Error> {
        let space = self.space.id;
        for keys in keys.chunks(NAMES_AT_ONCE) {
            let places = vec!["?"; keys.len()].join(", ");
            let sql = format!("DELETE FROM records WHERE space_id = ? AND bucket_hash = ? AND name IN ({places})");
            self.execute(&sql, &named(space, bucket, keys.iter().copied()))?;
        }
        Ok(())
    }

    /// Deletes records by their keys, and returns how many there were. A bucket goes with its last record.
    pub fn delete_records(&mut self, bucket: &str, keys: &[&str]) -> Result<usize, Error> {
        let (space, digest) = (self.space.id, Digest::of(bucket));
        let found = self.found_named(space, digest, keys)?;
        let names: Vec<&[u8]> = found.iter().map(|record| record.key.as_slice()).collect();
        self.delete_named(digest, &names)?;
        self.drop_empty_bucket(digest)?;
        Ok(found.len())
    }

    /// Deletes the records of a bucket whose keys begin with a prefix, and returns how many there were.
    pub fn delete_records_below(&mut self, bucket: &str, prefix: &str) -> Result<usize, Error> {
        let (space, digest) = (self.space.id, Digest::of(bucket));
        let mut condition = " WHERE space_id = ? AND bucket_hash = ?".to_owned();
        let mut values: Vec<Value> = vec![space.into(), digest.into()];
        if !prefix.is_empty() {
            condition += " AND name >= ? AND name < ?";
            values.extend([Value::Bytes(prefix.as_bytes().to_vec()), Value::Bytes(beyond(prefix))]);
        }
        let count = self.query_one(&format!("SELECT COUNT(*) FROM records{condition} AND part = 0"), &values)?;
        self.execute(&format!("DELETE FROM records{condition}"), &values)?;
        self.drop_empty_bucket(digest)?;
        count.map_or(Ok(0), |row| row.int(0).map(|count| count as usize))
    }

    fn drop_empty_bucket(&mut self, bucket: Digest) -> Result<(), Error> {
        let key = [self.space.id.into(), bucket.into()];
        let sql = "SELECT part FROM records WHERE space_id = ? AND bucket_hash = ? LIMIT 1";
        if self.query(sql, &key)?.is_empty() {
            self.execute("DELETE FROM buckets WHERE space_id = ? AND bucket_hash = ?", &key)?;
        }
        Ok(())
    }
}
