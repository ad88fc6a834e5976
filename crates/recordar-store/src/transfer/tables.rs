//! What is exported of each table: every column but the space's number, which is another in every store. Segments are not:
//! they are made again from the items.

/// What a column holds, and therefore what may be imported into it.
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
    Number,
    Text,
    Json,
    Hash,
    /// The sha256 of another column, where that is not empty.
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
    /// The columns that tell one row of a space from another; they come first.
    pub(super) key: usize,
    pub(super) columns: &'static [Column],
}

const fn some(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: false }
}

const fn maybe(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: true }
}

use Holds::{Bound, Hash, HashOf, Id, Json, Number, Revision, Row, Text};

/// In the order of their references.
pub(super) const TABLES: [Table; 11] = [
    Table {
        name: "operations",
        key: 1,
        columns: &[
            some("operation_hash", HashOf("operation_id")),
            some("whole_hash", Hash),
            some("operation_id", Text),
            some("kind", Text),
            some("state", Number),
            maybe("request_hash", Hash),
            maybe("revision", Revision),
            some("recorded_at", Number),
            some("first_id", Bound),
            some("end_id", Bound),
            maybe("result", Json),
            maybe("error", Text),
        ],
    },
    Table {
        name: "threads",
        key: 1,
        columns: &[
            some("thread_id", Id),
            some("name_hash", HashOf("name")),
            some("name", Text),
            maybe("title", Text),
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
            some("path", Text),
            some("filename", Text),
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
            some("number", Number),
            some("sha256", Hash),
            some("bytes", Number),
            some("chars", Number),
            maybe("mtime", Number),
            some("file_type", Text),
            some("tags", Json),
            maybe("topic", Text),
            maybe("note", Text),
            maybe("provider", Text),
            some("metadata", Json),
            some("chunking", Text),
            some("tokenizer", Text),
            some("chunks", Number),
            some("tokens", Number),
            some("forgotten", Number),
            some("ingested_at", Number),
            some("born", Revision),
            maybe("retired", Revision),
            some("changed", Revision),
        ],
    },
    Table { name: "trees", key: 1, columns: &[some("depth", Number)] },
    Table {
        name: "categories",
        key: 2,
        columns: &[
            // Parents before their children.
            some("level", Number),
            some("category_id", Id),
            maybe("parent_id", Id),
            maybe("parent_level", Number),
            some("parent_key", Number),
            some("depth", Number),
            some("leaf", Number),
            some("name_hash", HashOf("name")),
            some("name", Text),
            some("born", Revision),
            some("changed", Revision),
        ],
    },
    Table {
        name: "items",
        key: 1,
        columns: &[
            some("item_id", Id),
            some("kind", Number),
            maybe("document_id", Row("documents")),
            maybe("version_id", Row("versions")),
            maybe("thread_id", Row("threads")),
            some("position", Number),
            some("overlap", Number),
            maybe("section", Text),
            maybe("role", Text),
            maybe("source", Text),
            some("content", Text),
            some("tokens", Number),
            maybe("importance", Number),
            maybe("metadata", Json),
            some("occurred_at", Number),
            some("recorded_at", Number),
            maybe("category_id", Id),
            maybe("category_leaf", Number),
            some("born", Revision),
            maybe("retired", Revision),
            some("changed", Revision),
            maybe("speaker", Text),
        ],
    },
    Table { name: "lineage", key: 2, columns: &[some("item_id", Row("items")), some("source_id", Row("items"))] },
    Table { name: "tombstones", key: 1, columns: &[some("id", Id), some("kind", Number), some("revision", Revision)] },
    Table {
        name: "receipts",
        key: 1,
        columns: &[some("receipt_hash", HashOf("body")), some("made_at", Number), some("body", Json)],
    },
    Table {
        name: "receipt_sources",
        key: 3,
        columns: &[
            some("receipt_hash", Row("receipts")),
            some("source_hash", Hash),
            // Of any space, and that may be in another store.
            some("source_id", Number),
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
            if ["store", "spaces", "segments"].contains(&name) {
                continue;
            }
            let table = TABLES.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("{name} is left out"));
            let stored: BTreeSet<&str> = columns.iter().copied().filter(|column| *column != "space_id").collect();
            assert_eq!(table.names().into_iter().collect::<BTreeSet<_>>(), stored, "{name}");
        }
    }
}
