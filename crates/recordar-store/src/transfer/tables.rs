//! The exported columns of each table: all except the space's number, which differs between stores. Segments are not exported:
//! they are rebuilt from the items.

/// The type of a column, and therefore the values that may be imported into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// An id of the space: from 1 up to the next one.
    Id,
    /// An id, or the end of a range of them.
    Bound,
    /// A revision of the space.
    Revision,
    /// A row of an earlier table, by its key.
    Row(&'static str),
    /// A count: from 0, in 32 bits.
    Count,
    Time,
    /// Text of at most this number of bytes.
    Text(usize),
    Json,
    Hash,
    /// The sha256 of another column, if that is not empty.
    HashOf(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    pub(super) is_optional: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The columns that identify a row of a space; they come first.
    pub(super) key: usize,
    pub(super) columns: &'static [Column],
}

const fn some(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: false }
}

const fn maybe(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: true }
}

use crate::table::MAX_HELPER_BYTES;
use Holds::{Bound, Count, Hash, HashOf, Id, Json, Revision, Row, Text, Time};

/// Names of threads, people and places.
const NAME: usize = 1024;
const PATH: usize = 4096;
const NOTE: usize = 64 * 1024;
const LONG: usize = recordar_domain::MAX_TEXT_BYTES;

/// In the order of foreign keys.
pub(super) const TABLES: [Table; 12] = [
    Table {
        name: "operations",
        key: 1,
        columns: &[
            some("operation_hash", HashOf("operation_id")),
            some("whole_hash", Hash),
            some("operation_id", Text(NAME)),
            some("kind", Text(NAME)),
            some("state", Count),
            maybe("request_hash", Hash),
            maybe("revision", Revision),
            some("recorded_at", Time),
            some("first_id", Bound),
            some("end_id", Bound),
            maybe("result", Json),
            maybe("error", Text(NOTE)),
        ],
    },
    Table {
        name: "threads",
        key: 1,
        columns: &[
            some("thread_id", Id),
            some("name_hash", HashOf("name")),
            some("name", Text(NAME)),
            maybe("title", Text(NAME)),
            some("born", Revision),
            some("changed", Revision),
        ],
    },
    Table {
        name: "documents",
        key: 1,
        columns: &[
            some("document_id", Id),
            some("path_hash", HashOf("path")),
            some("path", Text(PATH)),
            some("filename", Text(PATH)),
            some("born", Revision),
            some("changed", Revision),
        ],
    },
    Table {
        name: "versions",
        key: 1,
        columns: &[
            some("version_id", Id),
            some("document_id", Row("documents")),
            some("number", Count),
            some("sha256", Hash),
            some("bytes", Count),
            some("chars", Count),
            maybe("mtime", Time),
            some("file_type", Text(NAME)),
            some("tags", Json),
            maybe("topic", Text(NOTE)),
            maybe("note", Text(NOTE)),
            maybe("provider", Text(NOTE)),
            some("metadata", Json),
            some("chunking", Text(NOTE)),
            some("tokenizer", Text(NAME)),
            some("chunks", Count),
            some("tokens", Count),
            some("forgotten", Count),
            some("ingested_at", Time),
            some("born", Revision),
            maybe("retired", Revision),
            some("changed", Revision),
        ],
    },
    Table { name: "trees", key: 1, columns: &[some("depth", Count)] },
    Table {
        name: "categories",
        key: 2,
        columns: &[
            // Parents before their children.
            some("level", Count),
            some("category_id", Id),
            maybe("parent_id", Id),
            maybe("parent_level", Count),
            some("parent_key", Count),
            some("depth", Count),
            some("leaf", Count),
            some("name_hash", HashOf("name")),
            some("name", Text(NAME)),
            some("born", Revision),
            some("changed", Revision),
        ],
    },
    Table {
        name: "items",
        key: 1,
        columns: &[
            some("item_id", Id),
            some("kind", Count),
            maybe("document_id", Row("documents")),
            maybe("version_id", Row("versions")),
            maybe("thread_id", Row("threads")),
            some("position", Count),
            some("overlap", Count),
            maybe("section", Text(LONG)),
            maybe("role", Text(NAME)),
            maybe("source", Text(NAME)),
            some("content", Text(LONG)),
            some("tokens", Count),
            maybe("importance", Count),
            maybe("metadata", Json),
            some("occurred_at", Time),
            some("recorded_at", Time),
            maybe("category_id", Id),
            maybe("category_leaf", Count),
            some("born", Revision),
            maybe("retired", Revision),
            some("changed", Revision),
            maybe("speaker", Text(NAME)),
        ],
    },
    // After all other tables with ids, so that a duplicate id is noticed.
    Table {
        name: "helpers",
        key: 1,
        columns: &[
            some("helper_id", Id),
            some("document_id", Row("documents")),
            some("number", Count),
            some("origin", Count),
            some("content", Text(MAX_HELPER_BYTES)),
            some("tokens", Count),
            some("recorded_at", Time),
            some("born", Revision),
            maybe("retired", Revision),
            some("changed", Revision),
        ],
    },
    Table { name: "lineage", key: 2, columns: &[some("item_id", Row("items")), some("source_id", Row("items"))] },
    Table { name: "tombstones", key: 1, columns: &[some("id", Id), some("kind", Count), some("revision", Revision)] },
    Table {
        name: "receipts",
        key: 1,
        columns: &[some("receipt_hash", HashOf("body")), some("made_at", Time), some("body", Json)],
    },
    Table {
        name: "receipt_sources",
        key: 3,
        columns: &[
            some("receipt_hash", Row("receipts")),
            some("source_hash", Hash),
            // Of any space, possibly in another store.
            some("source_id", Count),
            maybe("body", Json),
        ],
    },
];

impl Table {
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn nothing_is_left_out_of_an_export() {
        for (name, columns) in crate::table::TABLES {
            if ["store", "spaces", "segments", "spending", "reservations"].contains(&name) {
                continue;
            }
            let table = TABLES.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("{name} is left out"));
            let stored: BTreeSet<&str> = columns.iter().copied().filter(|column| *column != "space_id").collect();
            assert_eq!(table.names().into_iter().collect::<BTreeSet<_>>(), stored, "{name}");
        }
    }
}
