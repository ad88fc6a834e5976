//! The tables, one file per aggregate; every statement is written once, here. All take the space first, except those of the store itself.

mod categories;
mod collections;
mod contextual_helpers;
mod deepen;
mod documents;
mod embedders;
mod expiries;
mod facets;
mod fact_words;
mod facts;
mod forget;
mod item_lookup;
mod item_marks;
mod items;
mod jobs;
mod keys;
mod labels;
mod leaves;
mod operations;
mod queue;
mod receipts;
mod records;
mod segments;
mod spaces;
mod spending;
mod standing_texts;
mod summaries;
mod threads;
mod tree_edits;
mod vectors;
mod version_chunks;
mod vocabularies;

pub use categories::CategoryRow;
pub use collections::RootRow;
pub(crate) use contextual_helpers::MAX_HELPER_BYTES;
pub use contextual_helpers::{HelperOrigin, HelperRow};
pub use documents::{DocumentRow, NewPlace, NewVersion, StoredVersion, VersionRow};
pub use embedders::{EmbedderRow, EmbedderState, Embedders, NewEmbedder};
pub(crate) use embedders::{
    adopt_embedder, begin_reembedding, drop_old_segments, end_moving, end_queueing, end_settling,
};
pub(crate) use expiries::{EXPIRY_KINDS, EXPIRY_OF_TAG};
pub use expiries::{ExpiryRow, ExpirySubject};
pub use facets::DocumentFacets;
pub(crate) use fact_words::take_stored_words;
pub use fact_words::{ConfirmationRow, FactWords};
pub use facts::{FactRow, FactSource, FactsOf, NewFact};
pub use forget::{CountedReceipts, ForgetTarget, Forgotten};
pub(crate) use forget::{TOMBSTONE_KINDS, delete_rows};
pub use item_marks::AboutRow;
pub use items::{ChunkRow, ItemRow, MessageRow, NewChunk, OriginRow};
pub use jobs::{DeadJob, NewJob, QueueStatus};
pub(crate) use jobs::{add_jobs, finish_jobs};
pub use keys::KeyRow;
pub(crate) use keys::{add_key, note_key_use, revoke_key};
pub use labels::{LabelRow, LabelledBy, SuggestionRow, UseRow};
pub use leaves::{LeafChunk, LiveDocument, WaitingChunk};
pub use operations::{OperationRow, OperationState};
pub use queue::{LeaseRequest, LeasedJob, LeasedJobs, Release, ReleasedJob};
pub(crate) use queue::{lease_jobs, release_jobs, renew_lease};
pub use receipts::{ReceiptRow, ReceiptSource, SearchedSpace};
pub(crate) use receipts::{drop_receipts_of, keep_receipt};
pub use records::{BucketRow, NewRecord, PutRecords, RecordOrder, RecordPage, RecordQuery, RecordRow};
pub(crate) use records::{MAX_RECORD_BYTES, RECORD_PART_BYTES, record_parts};
pub(crate) use segments::keep_segment;
pub use segments::{ChangedItem, IndexRow, NewSegment};
pub use spaces::SpaceRow;
pub(crate) use spaces::{lock_space, lock_space_row};
pub use spending::{Amount, DaySpending, NewReservation};
pub(crate) use spending::{reserve_spending, settle_spending};
pub use standing_texts::StandingTextRow;
pub use summaries::{NewSummary, OutlineRow};
pub use threads::ThreadRow;
pub use tree_edits::Merged;
pub(crate) use vectors::keep_vectors;
pub use vectors::{NewVector, NewVectors, UnembeddedItem};
pub use version_chunks::{AmendedChunk, HeadingRow, place_of};
pub(crate) use vocabularies::{ChangeLine, change_vocabulary, end_backfill, history_lines, import_history};
pub use vocabularies::{VocabularyAction, VocabularyChange};

/// Every table with its columns, for reading whole stores. The order is that of the foreign keys.
pub(crate) const TABLES: [(&str, &[&str]); 40] = [
    ("store", &["id", "next_space_id"]),
    ("spaces", &spaces::COLUMNS),
    ("operations", &operations::COLUMNS),
    ("threads", &threads::COLUMNS),
    ("documents", &documents::DOCUMENT_COLUMNS),
    ("versions", &documents::VERSION_COLUMNS),
    ("attributes", &documents::ATTRIBUTE_COLUMNS),
    ("roots", &collections::ROOT_COLUMNS),
    ("trees", &["space_id", "depth"]),
    ("categories", &categories::COLUMNS),
    ("items", &items::COLUMNS),
    ("headings", &version_chunks::HEADING_COLUMNS),
    ("helpers", &contextual_helpers::COLUMNS),
    ("lineage", &["space_id", "item_id", "source_id"]),
    ("facts", &facts::COLUMNS),
    ("fact_marks", &facts::MARK_COLUMNS),
    ("fact_words", &fact_words::COLUMNS),
    ("confirmations", &fact_words::CONFIRMATION_COLUMNS),
    ("standing_texts", &standing_texts::COLUMNS),
    ("important_marks", &item_marks::IMPORTANT_COLUMNS),
    ("abouts", &item_marks::ABOUT_COLUMNS),
    ("labels", &labels::COLUMNS),
    ("uses", &["space_id", "item_id", "uses", "changed"]),
    ("expiries", &expiries::COLUMNS),
    ("buckets", &records::BUCKET_COLUMNS),
    ("records", &records::COLUMNS),
    ("tombstones", &["space_id", "id", "kind", "revision"]),
    ("segments", &segments::COLUMNS),
    ("vectors", &vectors::COLUMNS),
    ("receipts", &receipts::COLUMNS),
    ("receipt_sources", &receipts::SOURCE_COLUMNS),
    ("spending", &spending::COLUMNS),
    ("reservations", &spending::RESERVATION_COLUMNS),
    ("account_spending", &spending::ACCOUNT_COLUMNS),
    ("api_keys", &keys::COLUMNS),
    ("vocabularies", &vocabularies::COLUMNS),
    ("embedders", &embedders::COLUMNS),
    ("queue", &["id", "turn"]),
    ("queues", &queue::COLUMNS),
    ("jobs", &jobs::COLUMNS),
];
