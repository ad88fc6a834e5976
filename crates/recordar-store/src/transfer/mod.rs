//! Whole spaces as lines of JSON, from one store to another: an exact snapshot of every row.
//!
//! A file is a header, the spaces, and a last line. A space is its own row, its rows table by table, and an end with the number of
//! lines and their sha256. So a truncated or changed file is noticed before anything is committed.

mod check;
mod export;
mod import;
mod rows;
mod tables;

pub use export::ExportedSpace;
pub use import::{Expectations, ImportedSpace, Replace};

use crate::error::Error;
use crate::table::ChangeLine;
use recordar_domain::{Digest, Invalid};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tables::{Column, Table};

/// Increased when the format changes.
const FORMAT: u32 = 1;
/// The format of a redacted file, which no program imports.
const REDACTED_FORMAT: u32 = 0;

/// Redacts a text, or all texts in an object.
pub type HideValue<'a> = dyn FnMut(&mut serde_json::Value) -> Result<(), Invalid> + 'a;
/// The first bytes of an export.
pub const EXPORT_MARK: &str = "{\"recordar_export\":";

/// Returns the items that the body of a receipt names, by the digests of their spaces' names, or an error.
pub type SourcesOf = dyn Fn(&str) -> Result<BTreeSet<(Digest, i64)>, Invalid>;

#[derive(Serialize, Deserialize)]
struct Header {
    recordar_export: u32,
    /// The schema of the store that wrote it.
    schema: i64,
    scope: Scope,
    /// The history of the vocabulary; of an export of single spaces, the versions that they use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    vocabularies: Vec<ChangeLine>,
}

/// The scope of a file. Only an export of the whole store can be restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    Spaces,
    Store,
}

/// A space's own row, without its number and incarnation, which are local to the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpaceLine {
    /// Empty if the space was forgotten.
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
    /// The digest of the space's lines before this one.
    sha256: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DoneLine {
    spaces: usize,
}

fn refuse(why: impl Into<String>) -> Error {
    Invalid::new(why, "export it again; the file was changed, truncated, or is not a Recordar export").into()
}

fn refuse_column(table: &Table, column: &Column, why: &str) -> Error {
    refuse(format!("{}.{}: {why}", table.name, column.name))
}
