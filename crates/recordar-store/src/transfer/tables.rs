//! The exported columns of each table: all except the space's number, which differs between stores. Segments and vectors are not
//! exported: they are made again from the items. Nor are queued jobs and the embedder: they belong to a store.

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
    /// An order, which may be any number.
    Place,
    /// Text of at most this number of bytes.
    Text(usize),
    Json,
    Hash,
    /// At most this number of bytes, in hexadecimal digits.
    Bytes(usize),
    /// The sha256 of another column, if that is not empty.
    HashOf(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    pub(super) is_optional: bool,
    /// Younger than the format of exports: left out where it has no value, so that rows of before are the same bytes.
    pub(super) is_later: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The columns that identify a row of a space; they come first.
    pub(super) key: usize,
    pub(super) columns: &'static [Column],
}

const fn required(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: false, is_later: false }
}

const fn optional(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: true, is_later: false }
}

const fn later(name: &'static str, holds: Holds) -> Column {
    Column { name, holds, is_optional: true, is_later: true }
}

use crate::table::{MAX_HELPER_BYTES, RECORD_PART_BYTES};
use Holds::{Bound, Bytes, Count, Hash, HashOf, Id, Json, Place, Revision, Row, Text, Time};
use recordar_domain::{MAX_ATTRIBUTE_BYTES, MAX_STANDING_BYTES, MAX_SUBJECT_BYTES, MAX_TEXT_BYTES, MAX_VALUE_BYTES};

/// Names of threads, people and places.
const MAX_NAME_BYTES: usize = 1024;
const MAX_PATH_BYTES: usize = 4096;
const MAX_NOTE_BYTES: usize = 64 * 1024;

/// In the order of foreign keys.
pub(super) const TABLES: [Table; 27] = [
    Table {
        name: "operations",
        key: 1,
        columns: &[
            required("operation_hash", HashOf("operation_id")),
            required("whole_hash", Hash),
            required("operation_id", Text(MAX_NAME_BYTES)),
            required("kind", Text(MAX_NAME_BYTES)),
            required("state", Count),
            optional("request_hash", Hash),
            optional("revision", Revision),
            required("recorded_at", Time),
            required("first_id", Bound),
            required("end_id", Bound),
            optional("result", Json),
            optional("error", Text(MAX_NOTE_BYTES)),
        ],
    },
    Table {
        name: "threads",
        key: 1,
        columns: &[
            required("thread_id", Id),
            required("name_hash", HashOf("name")),
            required("name", Text(MAX_NAME_BYTES)),
            optional("title", Text(MAX_NAME_BYTES)),
            required("born", Revision),
            required("changed", Revision),
        ],
    },
    Table {
        name: "documents",
        key: 1,
        columns: &[
            required("document_id", Id),
            required("path_hash", Hash),
            required("path", Text(MAX_PATH_BYTES)),
            required("filename", Text(MAX_PATH_BYTES)),
            required("born", Revision),
            required("changed", Revision),
            later("collection", Text(MAX_NAME_BYTES)),
            later("name", Text(MAX_PATH_BYTES)),
        ],
    },
    Table {
        name: "versions",
        key: 1,
        columns: &[
            required("version_id", Id),
            required("document_id", Row("documents")),
            required("number", Count),
            required("sha256", Hash),
            required("bytes", Count),
            required("chars", Count),
            optional("mtime", Time),
            required("file_type", Text(MAX_NAME_BYTES)),
            required("tags", Json),
            optional("topic", Text(MAX_NOTE_BYTES)),
            optional("note", Text(MAX_NOTE_BYTES)),
            optional("provider", Text(MAX_NOTE_BYTES)),
            required("metadata", Json),
            required("chunking", Text(MAX_NOTE_BYTES)),
            required("tokenizer", Text(MAX_NAME_BYTES)),
            required("chunks", Count),
            required("tokens", Count),
            required("forgotten", Count),
            required("ingested_at", Time),
            required("born", Revision),
            optional("retired", Revision),
            required("changed", Revision),
            later("root", Text(MAX_PATH_BYTES)),
            later("path", Text(MAX_PATH_BYTES)),
            later("name_hash", Hash),
            later("name", Text(MAX_PATH_BYTES)),
        ],
    },
    Table {
        name: "attributes",
        key: 2,
        columns: &[
            required("document_id", Row("documents")),
            required("born", Revision),
            required("tags", Json),
            optional("topic", Text(MAX_NOTE_BYTES)),
            optional("note", Text(MAX_NOTE_BYTES)),
            optional("provider", Text(MAX_NOTE_BYTES)),
            required("metadata", Json),
            required("changed", Revision),
        ],
    },
    Table {
        name: "roots",
        key: 3,
        columns: &[
            required("collection_hash", HashOf("collection")),
            required("machine_hash", HashOf("machine")),
            required("born", Revision),
            required("collection", Text(MAX_NAME_BYTES)),
            required("machine", Text(MAX_NAME_BYTES)),
            required("root", Text(MAX_PATH_BYTES)),
            optional("retired", Revision),
            required("changed", Revision),
        ],
    },
    Table { name: "trees", key: 1, columns: &[required("depth", Count)] },
    Table {
        name: "categories",
        key: 2,
        columns: &[
            // Parents before their children.
            required("level", Count),
            required("category_id", Id),
            optional("parent_id", Id),
            optional("parent_level", Count),
            required("parent_key", Count),
            required("depth", Count),
            required("leaf", Count),
            required("name_hash", HashOf("name")),
            required("name", Text(MAX_NAME_BYTES)),
            required("born", Revision),
            required("changed", Revision),
        ],
    },
    Table {
        name: "items",
        key: 1,
        columns: &[
            required("item_id", Id),
            required("kind", Count),
            optional("document_id", Row("documents")),
            optional("version_id", Row("versions")),
            optional("thread_id", Row("threads")),
            required("position", Count),
            required("overlap", Count),
            optional("section", Text(MAX_TEXT_BYTES)),
            optional("role", Text(MAX_NAME_BYTES)),
            optional("source", Text(MAX_NAME_BYTES)),
            required("content", Text(MAX_TEXT_BYTES)),
            required("tokens", Count),
            optional("importance", Count),
            optional("metadata", Json),
            required("occurred_at", Time),
            required("recorded_at", Time),
            optional("category_id", Id),
            optional("category_leaf", Count),
            required("born", Revision),
            optional("retired", Revision),
            required("changed", Revision),
            optional("speaker", Text(MAX_NAME_BYTES)),
            later("own_id_hash", HashOf("own_id")),
            later("own_id", Text(MAX_NAME_BYTES)),
            later("sections", Text(MAX_TEXT_BYTES)),
            later("place", Place),
        ],
    },
    Table {
        name: "headings",
        key: 2,
        columns: &[
            required("item_id", Row("items")),
            required("born", Revision),
            optional("section", Text(MAX_TEXT_BYTES)),
            optional("sections", Text(MAX_TEXT_BYTES)),
            required("changed", Revision),
        ],
    },
    // After all other tables with ids, so that a duplicate id is noticed.
    Table {
        name: "helpers",
        key: 1,
        columns: &[
            required("helper_id", Id),
            required("document_id", Row("documents")),
            required("number", Count),
            required("origin", Count),
            required("content", Text(MAX_HELPER_BYTES)),
            required("tokens", Count),
            required("recorded_at", Time),
            required("born", Revision),
            optional("retired", Revision),
            required("changed", Revision),
        ],
    },
    Table {
        name: "lineage",
        key: 2,
        columns: &[required("item_id", Row("items")), required("source_id", Row("items"))],
    },
    Table {
        name: "facts",
        key: 1,
        columns: &[
            required("item_id", Row("items")),
            required("key_hash", Hash),
            required("subject_hash", Hash),
            required("subject", Text(MAX_SUBJECT_BYTES)),
            required("attribute", Text(MAX_ATTRIBUTE_BYTES)),
            required("value", Text(MAX_VALUE_BYTES)),
            required("many", Count),
            required("since", Time),
            required("confidence", Count),
            required("method", Count),
            required("own", Count),
            // It may be forgotten without the fact that a person stated.
            optional("thread_id", Id),
            optional("source_id", Row("items")),
            optional("span_start", Count),
            optional("span_end", Count),
            optional("corrects", Id),
            required("changed", Revision),
        ],
    },
    Table {
        name: "fact_marks",
        key: 2,
        columns: &[
            required("item_id", Row("facts")),
            required("born", Revision),
            required("is_retired", Count),
            required("changed", Revision),
        ],
    },
    // Those that were taken when the item was stored are left out: an import takes them again, of the same words.
    Table {
        name: "fact_words",
        key: 3,
        columns: &[
            required("item_id", Row("items")),
            required("source_id", Row("items")),
            required("born", Revision),
            optional("words_id", Id),
            optional("words_hash", Hash),
            required("confirmed", Count),
            required("changed", Revision),
        ],
    },
    Table {
        name: "confirmations",
        key: 2,
        columns: &[
            required("item_id", Row("items")),
            required("born", Revision),
            optional("review_by", Time),
            required("changed", Revision),
        ],
    },
    Table {
        name: "standing_texts",
        key: 2,
        columns: &[
            required("kind", Count),
            required("born", Revision),
            required("number", Count),
            required("content", Text(MAX_STANDING_BYTES)),
            required("changed", Revision),
        ],
    },
    Table {
        name: "important_marks",
        key: 2,
        columns: &[
            required("item_id", Row("items")),
            required("born", Revision),
            required("is_important", Count),
            required("changed", Revision),
        ],
    },
    Table {
        name: "abouts",
        key: 2,
        columns: &[
            required("item_id", Row("items")),
            required("document_id", Row("documents")),
            required("version_id", Row("versions")),
            required("changed", Revision),
        ],
    },
    Table {
        name: "labels",
        key: 2,
        columns: &[
            required("item_id", Row("items")),
            required("born", Revision),
            required("topics", Json),
            required("category", Text(MAX_NAME_BYTES)),
            required("message_type", Text(MAX_NAME_BYTES)),
            required("entities", Json),
            required("importance", Count),
            required("confidence", Count),
            optional("suggested_topic_hash", HashOf("suggested_topic")),
            optional("suggested_topic", Text(MAX_NAME_BYTES)),
            optional("suggested_category_hash", HashOf("suggested_category")),
            optional("suggested_category", Text(MAX_NAME_BYTES)),
            required("vocabulary_version", Text(MAX_NAME_BYTES)),
            required("enrichment_model", Text(MAX_NAME_BYTES)),
            optional("backfill", Count),
            optional("retired", Revision),
            required("changed", Revision),
        ],
    },
    Table {
        name: "uses",
        key: 1,
        columns: &[required("item_id", Row("items")), required("uses", Count), required("changed", Revision)],
    },
    Table {
        name: "expiries",
        key: 3,
        columns: &[
            required("kind", Count),
            // A thread or an item; 0 for a tag.
            required("subject", Bound),
            required("tag_hash", HashOf("tag")),
            optional("tag", Text(MAX_NOTE_BYTES)),
            required("expires_at", Time),
            required("changed", Revision),
        ],
    },
    Table {
        name: "buckets",
        key: 1,
        columns: &[
            required("bucket_hash", HashOf("bucket")),
            required("bucket", Text(MAX_NAME_BYTES)),
            required("born", Revision),
            required("position", Count),
        ],
    },
    Table {
        name: "records",
        key: 3,
        columns: &[
            required("bucket_hash", Row("buckets")),
            required("name", Bytes(MAX_NAME_BYTES)),
            required("part", Count),
            required("bytes", Count),
            required("content", Bytes(RECORD_PART_BYTES)),
            required("born", Revision),
            required("position", Count),
            required("changed", Revision),
            required("recorded_at", Time),
        ],
    },
    Table {
        name: "tombstones",
        key: 1,
        columns: &[required("id", Id), required("kind", Count), required("revision", Revision)],
    },
    Table {
        name: "receipts",
        key: 1,
        columns: &[required("receipt_hash", HashOf("body")), required("made_at", Time), required("body", Json)],
    },
    Table {
        name: "receipt_sources",
        key: 3,
        columns: &[
            required("receipt_hash", Row("receipts")),
            required("source_hash", Hash),
            // Of any space, possibly in another store.
            required("source_id", Count),
            optional("body", Json),
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
            let kept_here =
                ["store", "spaces", "segments", "vectors", "embedders", "spending", "reservations", "vocabularies"];
            let of_keys = ["api_keys", "account_spending"];
            if kept_here.contains(&name) || of_keys.contains(&name) || ["queue", "queues", "jobs"].contains(&name) {
                continue;
            }
            let table = TABLES.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("{name} is left out"));
            let stored: BTreeSet<&str> = columns.iter().copied().filter(|column| *column != "space_id").collect();
            assert_eq!(table.names().into_iter().collect::<BTreeSet<_>>(), stored, "{name}");
        }
    }
}
