//! The nouns and pure rules of Recordar.
//!
//! Nothing here reads a file, a clock, a database or a random number: the same arguments give the same result on
//! every machine. Side effects belong in the crates above.

mod cancel;
mod category;
mod contextual_helper;
mod digest;
mod document;
mod expiry;
mod fact;
mod filter;
mod invalid;
mod item;
mod message;
mod operation;
mod schema;
mod space;
mod standing_text;
pub mod text;
mod time;
mod trace;
mod vocabulary;

pub use cancel::Cancel;
pub use category::{CategoryPlace, NewCategory, check_depth, name_key};
pub use contextual_helper::{HelperFields, iso_date};
pub use digest::{Digest, Hasher};
pub use document::{Attributes, DocumentName, FILE_INGEST, FileType, Manifest};
pub use expiry::Expiry;
pub use fact::{
    FactMethod, MAX_ATTRIBUTE_BYTES, MAX_SUBJECT_BYTES, MAX_VALUE_BYTES, Point, Standing, Statement, Weight, fact_key,
    plain, standings,
};
pub use filter::{Clause, DocumentProperties, Filter, FilterField, MAX_CONDITIONS, metadata_pairs};
pub use invalid::Invalid;
pub use item::{Importance, ItemKind, MAX_TEXT_BYTES, Metadata, RECORD_FIELD, Role, check_text, records_named};
pub use message::{Message, SUMMARISED, check_own_id};
pub use operation::OperationId;
pub use space::{SpaceName, SpacePattern};
pub use standing_text::{MAX_STANDING_BYTES, StandingText, synonyms};
pub use time::Timestamp;
pub use trace::{Action, Decision, Stage, Trace};
pub use vocabulary::{
    Confidence, Entity, Intent, IntentDraft, LabelDraft, Labels, MAX_TOPICS, Term, TermKind, TimeScope, Vocabulary,
    VocabularyFile, term_name,
};
