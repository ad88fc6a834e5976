//! The verbs: their arguments, their replies, and the code. Recalls, answers and ingestions are done in `flow/` and `ingest/`. `table` lists
//! every verb, `options` has arguments that several share, and `hide` says what each reply shows.

pub(crate) mod ask;
pub(crate) mod classify;
pub(crate) mod compose;
pub(crate) mod compose_diff;
pub(crate) mod contextual_helper;
pub(crate) mod documents;
pub(crate) mod edit_document;
pub(crate) mod edit_tree;
pub(crate) mod entail;
pub(crate) mod eval;
pub(crate) mod expiry;
pub(crate) mod facts;
pub(crate) mod find_document;
pub(crate) mod forget;
mod hide;
pub(crate) mod import;
mod import_source;
pub(crate) mod important;
pub(crate) mod ingest;
pub(crate) mod items;
pub(crate) mod metrics;
pub(crate) mod model_folders;
pub(crate) mod models;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod query;
pub(crate) mod recall;
pub(crate) mod receipts;
pub(crate) mod records;
pub(crate) mod reembed;
pub(crate) mod remember;
pub(crate) mod search;
pub(crate) mod spaces;
pub(crate) mod standing_texts;
pub(crate) mod summaries;
pub(crate) mod summarise;
mod table;
pub(crate) mod threads;
pub(crate) mod transfer;
pub(crate) mod tree;
pub(crate) mod update;
pub(crate) mod vocabulary;
pub(crate) mod why_not;
pub(crate) mod work;

pub use table::{VERBS, named, verbs};
