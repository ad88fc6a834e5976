//! Whole spaces as lines of JSON, from one store to another: every row, as it is, from one moment.
//!
//! A file is a header, the spaces, and a last line. A space is its own row, its rows table by table, and an end that tells how many
//! lines there were and their sha256. So what was cut off or changed is noticed before anything of it is committed.

mod check;
mod export;
mod import;
mod rows;
mod tables;

pub use export::ExportedSpace;
pub use import::{Expectations, ImportedSpace, Replace};

use crate::error::Error;
use recordar_domain::{Digest, Invalid};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tables::{Column, Table};

/// Grows when a file is to be read in another way.
const FORMAT: u32 = 1;
/// Of a file whose texts were changed. It is for reading; no program has ever imported this one.
const REDACTED_FORMAT: u32 = 0;

/// Takes out of a text, or of all texts in an object, what is not to be shown.
pub type HideValue<'a> = dyn FnMut(&mut serde_json::Value) -> Result<(), Invalid> + 'a;
/// What a file of ours begins with.
pub const EXPORT_MARK: &str = "{\"recordar_export\":";

/// Tells the items that the body of a receipt names, by the digests of their spaces' names, or what is wrong with it.
pub type SourcesOf = dyn Fn(&str) -> Result<BTreeSet<(Digest, i64)>, Invalid>;

#[derive(Serialize, Deserialize)]
struct Header {
    recordar_export: u32,
    /// The schema of the store that wrote it.
    schema: i64,
    scope: Scope,
}

/// What a file is of. Only a whole store can take the place of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    Spaces,
    Store,
}

/// A space's own row. Its number and incarnation are the store's affair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpaceLine {
    /// Empty where the space was forgotten.
    name: String,
    name_hash: Digest,
    next_id: i64,
    revision: i64,
    recorded_at: i64,
    created_at: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndLine {
    /// Of all tables.
    rows: u64,
    /// Of the lines of the space before this one.
    sha256: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DoneLine {
    spaces: usize,
}

fn refuse(why: impl Into<String>) -> Error {
    Invalid::new(why, "export it again: the file was changed, cut off, or is no export of Recordar").into()
}

fn wrong(table: &Table, column: &Column, why: &str) -> Error {
    refuse(format!("{}.{}: {why}", table.name, column.name))
}
