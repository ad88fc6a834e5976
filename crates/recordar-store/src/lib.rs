//! The only crate of Recordar that knows SQL.
//!
//! One store on SQLite, PostgreSQL and MySQL/MariaDB. Statements are written once, ids and times come from us, and
//! the database ranks nothing: the same calls leave the same rows on all three.
//!
//! Nothing outside this crate sees a connection or a statement. A caller opens a [`Store`] and passes a closure to
//! [`Store::write`] or [`Store::read`]; inside it only the typed functions of [`Writing`] and [`Reading`] are available, one
//! file per aggregate in `table/`.

// Part of what drivers share is used by those two alone.
#![cfg_attr(not(all(feature = "postgres", feature = "mysql")), allow(dead_code))]

mod baseline;
mod batch;
mod commit;
mod database;
mod dialect;
mod driver;
mod error;
mod explain;
mod failure;
mod migrate;
mod pool;
mod table;
mod transaction;
mod transfer;
mod url;
mod value;
mod write;

pub use baseline::{FullText, RawStore, RawTransactions};
pub use database::{Health, Store, StoreOptions};
pub use error::Error;
#[doc(hidden)]
pub use explain::QueryPlan;
pub use recordar_domain::Cancel;
pub use table::{
    AboutRow, AmendedChunk, Amount, BucketRow, CategoryRow, ChangedItem, ChunkRow, ConfirmationRow, CountedReceipts,
    DaySpending, DeadJob, DocumentFacets, DocumentRow, EmbedderRow, EmbedderState, Embedders, ExpiryRow, ExpirySubject,
    FactRow, FactSource, FactWords, FactsOf, ForgetTarget, Forgotten, HeadingRow, HelperOrigin, HelperRow, IndexRow,
    ItemRow, KeyRow, LabelRow, LabelledBy, LeafChunk, LeaseRequest, LeasedJob, LeasedJobs, LiveDocument, Merged,
    MessageRow, NewChunk, NewEmbedder, NewFact, NewJob, NewPlace, NewRecord, NewReservation, NewSegment, NewSummary,
    NewVector, NewVectors, NewVersion, OperationRow, OperationState, OriginRow, OutlineRow, PutRecords, QueueStatus,
    ReceiptRow, ReceiptSource, RecordOrder, RecordPage, RecordQuery, RecordRow, Release, ReleasedJob, RootRow,
    SearchedSpace, SpaceRow, StandingTextRow, StoredVersion, SuggestionRow, ThreadRow, UnembeddedItem, UseRow,
    VersionRow, VocabularyAction, VocabularyChange, WaitingChunk, place_of,
};
pub use transaction::{Operation, Reading, Settled, SpaceId, Writing, Written};
pub use transfer::{EXPORT_MARK, Expectations, ExportedSpace, HideValue, ImportedSpace, Replace, SourcesOf};
pub use url::{DatabaseUrl, Password};
