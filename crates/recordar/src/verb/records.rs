//! Records: named values that an application keeps in a space, in buckets. They are never searched or recalled.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use recordar_core::error::Error;
use recordar_domain::{Digest, Hasher, Invalid, OperationId, SpaceName, Timestamp, check_text};
use recordar_store::{NewRecord, Operation, PutRecords, RecordOrder, RecordPage, RecordQuery, RecordRow, Settled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A record to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub bucket: String,
    pub key: String,
    pub value: Vec<u8>,
    /// A record that is there already stays as it is.
    pub keep: bool,
}

/// The bucket and the key of a record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordName {
    /// The bucket that it is in.
    pub bucket: String,
    /// Its key there.
    pub key: String,
}

/// Which records to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordsRequest {
    pub bucket: String,
    /// Also buckets whose names begin with it.
    pub below: bool,
    pub keys: Option<Vec<String>>,
    pub prefix: String,
    pub order: RecordOrdering,
    pub reverse: bool,
    pub values: bool,
    pub offset: usize,
    pub limit: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordOrdering {
    /// By bucket and key, compared as bytes.
    #[default]
    Key,
    /// By when buckets, and records in them, were first stored.
    Age,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordView {
    pub bucket: String,
    pub key: String,
    /// The value, if it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The value in base64, if it is not text. Redaction leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// The size of the value in bytes.
    pub size: usize,
    /// When it was last stored with another value.
    pub recorded_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordList {
    pub space: String,
    pub records: Vec<RecordView>,
    /// Pass it as `offset` to get the next page. Absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BucketView {
    pub bucket: String,
    /// How many records it has.
    pub records: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BucketList {
    pub space: String,
    pub buckets: Vec<BucketView>,
    /// Pass it as `offset` to get the next page. Absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordsPut {
    pub space: String,
    pub operation: String,
    /// Records that are new, or have another value than before.
    pub stored: usize,
    /// Records that were there with this value, or were to be kept.
    pub unchanged: usize,
    pub deleted: usize,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordsDeleted {
    pub space: String,
    pub operation: String,
    pub deleted: usize,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Counted {
    stored: usize,
    unchanged: usize,
    deleted: usize,
}

const MAX_NAME_BYTES: usize = 1024;
const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;
const MAX_RECORDS: usize = 10_000;
const MAX_BATCH_BYTES: usize = 64 * 1024 * 1024;
const MAX_LISTED: usize = 1000;
const DEFAULT_LISTED: usize = 100;

impl Recordar {
    /// Stores and deletes records in one transaction.
    pub fn put_records(
        &self,
        space: &SpaceName,
        records: &[Record],
        delete: &[RecordName],
        operation: &OperationId,
    ) -> Result<RecordsPut, Error> {
        self.showing(|memory| {
            check_batch(records, delete)?;
            let fields = records.iter().flat_map(|record| {
                [
                    record.bucket.as_bytes(),
                    record.key.as_bytes(),
                    &record.value,
                    if record.keep { b"keep" } else { b"" },
                ]
            });
            let deleted = delete.iter().flat_map(|name| [name.bucket.as_bytes(), name.key.as_bytes()]);
            let request = digest([records.len(), delete.len()], fields.chain(deleted));
            let operation = Operation { id: operation, kind: "put_records", request };
            let new: Vec<NewRecord<'_>> = records.iter().map(Record::row).collect();
            let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
                let PutRecords { stored, unchanged } = writing.put_records(&new)?;
                let mut deleted = 0;
                for (bucket, keys) in by_bucket(delete) {
                    deleted += writing.delete_records(bucket, &keys)?;
                }
                let counted = Counted { stored, unchanged, deleted };
                Ok(if stored + deleted == 0 { Settled::Abandon(counted) } else { Settled::Commit(counted) })
            })?;
            let Counted { stored, unchanged, deleted } = written.value;
            Ok(RecordsPut {
                space: space.to_string(),
                operation: operation.id.to_string(),
                stored,
                unchanged,
                deleted,
                repeated: written.is_repeated,
            })
        })
    }

    /// Deletes records: by their keys, by the beginning of their keys, or all of a bucket.
    pub fn delete_records(
        &self,
        space: &SpaceName,
        (bucket, below): (&str, bool),
        keys: Option<&[String]>,
        prefix: &str,
        operation: &OperationId,
    ) -> Result<RecordsDeleted, Error> {
        self.showing(|memory| {
            check_text("the bucket", bucket, MAX_NAME_BYTES)?;
            check_keys(keys, prefix)?;
            let names = keys.unwrap_or_default().iter().map(String::as_bytes);
            let fields = [bucket.as_bytes(), prefix.as_bytes()].into_iter().chain(names);
            let kind = [usize::from(below), keys.map_or(0, |keys| keys.len() + 1)];
            let operation = Operation { id: operation, kind: "delete_records", request: digest(kind, fields) };
            let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
                let id = writing.space_id();
                let buckets: Vec<String> = match below {
                    true => writing.buckets(id, bucket)?.into_iter().map(|bucket| bucket.name).collect(),
                    false => vec![bucket.to_owned()],
                };
                let mut deleted = 0;
                for bucket in &buckets {
                    deleted += match keys {
                        Some(keys) => {
                            let named: BTreeSet<&str> =
                                keys.iter().map(String::as_str).filter(|key| key.starts_with(prefix)).collect();
                            writing.delete_records(bucket, &named.into_iter().collect::<Vec<_>>())?
                        }
                        None => writing.delete_records_below(bucket, prefix)?,
                    };
                }
                let counted = Counted { stored: 0, unchanged: 0, deleted };
                Ok(if deleted == 0 { Settled::Abandon(counted) } else { Settled::Commit(counted) })
            })?;
            Ok(RecordsDeleted {
                space: space.to_string(),
                operation: operation.id.to_string(),
                deleted: written.value.deleted,
                repeated: written.is_repeated,
            })
        })
    }

    /// A page of records.
    pub fn records(&self, space: &SpaceName, request: &RecordsRequest) -> Result<RecordList, Error> {
        self.showing(|memory| {
            request.check()?;
            let query = RecordQuery {
                bucket: &request.bucket,
                is_bucket_prefix: request.below,
                keys: request.keys.as_deref(),
                prefix: &request.prefix,
                order: match request.order {
                    RecordOrdering::Key => RecordOrder::Key,
                    RecordOrdering::Age => RecordOrder::Age,
                },
                is_reversed: request.reverse,
                offset: request.offset,
                limit: request.limit,
                with_values: request.values,
            };
            let page = memory.store.read(|reading| match reading.space(space)? {
                Some(space) => reading.records(space.id, &query),
                None => Ok(RecordPage { records: Vec::new(), next: None }),
            })?;
            Ok(RecordList {
                space: space.to_string(),
                records: page.records.into_iter().map(RecordView::of).collect(),
                next: page.next,
            })
        })
    }

    /// The buckets whose names begin with a prefix, by name.
    pub fn buckets(&self, space: &SpaceName, prefix: &str, offset: usize, limit: usize) -> Result<BucketList, Error> {
        self.showing(|memory| {
            check_page(offset, limit)?;
            Ok(memory.store.read(|reading| {
                let mut list = BucketList { space: space.to_string(), buckets: Vec::new(), next: None };
                let Some(space) = reading.space(space)? else { return Ok(list) };
                let buckets = reading.buckets(space.id, prefix)?;
                list.next = Some(offset.saturating_add(limit)).filter(|next| *next < buckets.len());
                for bucket in buckets.into_iter().skip(offset).take(limit) {
                    let records = reading.count_records(space.id, &bucket)?;
                    list.buckets.push(BucketView { bucket: bucket.name, records });
                }
                Ok(list)
            })?)
        })
    }
}

/// Distinguishes two calls with the same id. Of names and values it uses one byte of a hash: too little to leave a trace of them.
fn digest<'f>(counts: [usize; 2], fields: impl Iterator<Item = &'f [u8]>) -> Digest {
    let whole = fields.fold(Hasher::default(), |hasher, field| hasher.field(field)).finish();
    let hasher = counts.iter().fold(Hasher::default(), |hasher, count| hasher.field(count.to_string()));
    hasher.field([whole.0[0]]).finish()
}

/// The keys of each bucket.
fn by_bucket(names: &[RecordName]) -> std::collections::BTreeMap<&str, Vec<&str>> {
    let mut buckets: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    for name in names {
        buckets.entry(&name.bucket).or_default().push(&name.key);
    }
    buckets
}

fn check_batch(records: &[Record], delete: &[RecordName]) -> Result<(), Invalid> {
    let bytes: usize = records.iter().map(|record| record.value.len()).sum();
    let count = records.len() + delete.len();
    if count == 0 {
        return Err(Invalid::new("no record was given", "give at least one"));
    }
    if count > MAX_RECORDS || bytes > MAX_BATCH_BYTES {
        return Err(Invalid::new(
            format!("a batch of {count} records and {bytes} bytes is too large for one transaction"),
            format!("split it into batches of at most {MAX_RECORDS} records and {MAX_BATCH_BYTES} bytes"),
        ));
    }
    let mut names: BTreeSet<(&str, &str)> = BTreeSet::new();
    let put = records.iter().map(|record| (record.bucket.as_str(), record.key.as_str()));
    for (bucket, key) in put.chain(delete.iter().map(|name| (name.bucket.as_str(), name.key.as_str()))) {
        check_text("the bucket", bucket, MAX_NAME_BYTES)?;
        check_key(key)?;
        if !names.insert((bucket, key)) {
            let what = format!("key {key:?} of bucket {bucket:?} was given twice; nothing was stored");
            return Err(Invalid::new(what, "give each key once, or use two calls"));
        }
    }
    match records.iter().find(|record| record.value.len() > MAX_VALUE_BYTES) {
        None => Ok(()),
        Some(record) => Err(Invalid::new(
            format!("the value of {:?} has {} bytes; the limit is {MAX_VALUE_BYTES}", record.key, record.value.len()),
            "store it in several records, or elsewhere",
        )),
    }
}

fn check_key(key: &str) -> Result<(), Invalid> {
    if key.is_empty() || key.len() > MAX_NAME_BYTES {
        let what = format!("a key has {} bytes; it must have 1 to {MAX_NAME_BYTES}", key.len());
        return Err(Invalid::new(what, "use another key"));
    }
    Ok(())
}

fn check_keys(keys: Option<&[String]>, prefix: &str) -> Result<(), Invalid> {
    let keys = keys.unwrap_or_default();
    if keys.len() > MAX_LISTED {
        let what = format!("{} keys were given; the limit is {MAX_LISTED}", keys.len());
        return Err(Invalid::new(what, "give fewer at a time"));
    }
    keys.iter().try_for_each(|key| check_key(key))?;
    if prefix.is_empty() { Ok(()) } else { check_key(prefix) }
}

fn check_page(offset: usize, limit: usize) -> Result<(), Invalid> {
    if offset > u32::MAX as usize {
        let what = format!("offset {offset} is out of range: 0 to {}", u32::MAX);
        return Err(Invalid::new(what, "use `next` of the page before"));
    }
    if (1..=MAX_LISTED).contains(&limit) {
        return Ok(());
    }
    let what = format!("limit {limit} is out of range: 1 to {MAX_LISTED}");
    Err(Invalid::new(what, format!("use the default, {DEFAULT_LISTED}, or a number in the range")))
}

impl RecordsRequest {
    fn check(&self) -> Result<(), Invalid> {
        if !self.below || !self.bucket.is_empty() {
            check_text("the bucket", &self.bucket, MAX_NAME_BYTES)?;
        }
        check_keys(self.keys.as_deref(), &self.prefix)?;
        check_page(self.offset, self.limit)
    }
}

impl Record {
    fn row(&self) -> NewRecord<'_> {
        NewRecord { bucket: &self.bucket, key: &self.key, value: &self.value, keep: self.keep }
    }
}

impl RecordView {
    fn of(row: RecordRow) -> Self {
        let RecordRow { bucket, key, bytes, value, recorded_at } = row;
        let (text, base64) = match value.map(String::from_utf8) {
            None => (None, None),
            Some(Ok(text)) => (Some(text), None),
            Some(Err(error)) => (None, Some(BASE64_STANDARD.encode(error.as_bytes()))),
        };
        Self { bucket, key, text, base64, size: bytes, recorded_at }
    }

    /// The value, if it was asked for and is not left out.
    pub fn value(&self) -> Option<Vec<u8>> {
        let encoded = || self.base64.as_ref().and_then(|value| BASE64_STANDARD.decode(value).ok());
        self.text.clone().map(String::into_bytes).or_else(encoded)
    }
}

/// A record with its value as text, or as bytes in base64.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordInput {
    /// The bucket to keep it in, at most 1 KiB.
    bucket: String,
    /// Its key there, at most 1 KiB.
    key: String,
    /// The value, at most 16 MiB.
    text: Option<String>,
    /// The value as bytes in base64, instead of text.
    base64: Option<String>,
    /// Leave a record that is already there as it is.
    #[serde(default)]
    keep: bool,
}

impl RecordInput {
    fn record(self) -> Result<Record, Invalid> {
        let Self { bucket, key, text, base64, keep } = self;
        let value = match (text, base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(encoded)) => BASE64_STANDARD.decode(encoded).map_err(|error| {
                Invalid::new(format!("the value of {key:?} is not base64: {error}"), "encode it, or give text")
            })?,
            (text, _) => {
                let found = if text.is_some() { "both text and base64" } else { "no value" };
                return Err(Invalid::new(format!("record {key:?} has {found}"), "give text or base64"));
            }
        };
        Ok(Record { bucket, key, value, keep })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct PutRecordsArguments {
    /// The records, each with bucket, key and text or base64. Those that exist are replaced, unless keep is true.
    #[serde(default)]
    records: Vec<RecordInput>,
    /// Records to delete in the same transaction, each with bucket and key.
    #[serde(default)]
    delete: Vec<RecordName>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for PutRecordsArguments {
    const NAME: &'static str = "put_records";
    const ABOUT: &'static str =
        "Store records: named values of an application, in buckets. They are never searched or recalled.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = RecordsPut;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<RecordsPut, Error> {
        let records = self.records.into_iter().map(RecordInput::record).collect::<Result<Vec<_>, _>>()?;
        memory.put_records(call.space(), &records, &self.delete, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RecordsArguments {
    /// The bucket.
    bucket: String,
    /// Also buckets whose names begin with it.
    #[serde(default)]
    below: bool,
    /// Only these keys.
    keys: Option<Vec<String>>,
    /// Only keys that begin with this.
    #[serde(default)]
    prefix: String,
    /// The order: key (by bucket and key), or age (by when buckets, and records in them, were first stored).
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["key", "age"]))]
    order: RecordOrdering,
    /// From the last to the first.
    #[serde(default)]
    reverse: bool,
    /// Whether to return the values.
    #[serde(default = "always")]
    values: bool,
    /// Skip this number of records: `next` of the page before.
    #[serde(default)]
    #[schemars(range(min = 0, max = u32::MAX))]
    offset: usize,
    /// Maximum number of records on a page. A page ends early after 16 MiB of values.
    #[serde(default = "default_listed")]
    #[schemars(range(min = 1, max = MAX_LISTED))]
    limit: usize,
}

fn always() -> bool {
    true
}

fn default_listed() -> usize {
    DEFAULT_LISTED
}

impl Verb for RecordsArguments {
    const NAME: &'static str = "records";
    const ABOUT: &'static str = "List records of a bucket with their values, page by page; or get some by their keys.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = RecordList;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<RecordList, Error> {
        let Self { bucket, below, keys, prefix, order, reverse, values, offset, limit } = self;
        let request = RecordsRequest { bucket, below, keys, prefix, order, reverse, values, offset, limit };
        memory.records(call.space(), &request)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BucketsArguments {
    /// Only buckets whose names begin with this.
    #[serde(default)]
    prefix: String,
    /// Skip this number of buckets: `next` of the page before.
    #[serde(default)]
    #[schemars(range(min = 0, max = u32::MAX))]
    offset: usize,
    /// Maximum number of buckets on a page.
    #[serde(default = "default_listed")]
    #[schemars(range(min = 1, max = MAX_LISTED))]
    limit: usize,
}

impl Verb for BucketsArguments {
    const NAME: &'static str = "buckets";
    const ABOUT: &'static str = "List the buckets of the space that have records.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = BucketList;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<BucketList, Error> {
        memory.buckets(call.space(), &self.prefix, self.offset, self.limit)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DeleteRecordsArguments {
    /// The bucket. Without keys and prefix, all its records are deleted.
    bucket: String,
    /// Also in buckets whose names begin with it.
    #[serde(default)]
    below: bool,
    /// Only these keys.
    keys: Option<Vec<String>>,
    /// Only keys that begin with this.
    #[serde(default)]
    prefix: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for DeleteRecordsArguments {
    const NAME: &'static str = "delete_records";
    const ABOUT: &'static str = "Delete records of a bucket, by their keys or all of them.";
    const EFFECT: Effect = Effect::Destroys;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = RecordsDeleted;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<RecordsDeleted, Error> {
        let Self { bucket, below, keys, prefix, operation } = self;
        let operation = call.operation(operation)?;
        memory.delete_records(call.space(), (&bucket, below), keys.as_deref(), &prefix, &operation)
    }
}
