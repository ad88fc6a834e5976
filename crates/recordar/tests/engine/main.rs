//! The engine as its users call it: on the three databases, with bad input, and killed at any moment.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test says what went wrong by failing")]

mod acceptance;
mod arranging;
mod asking;
mod calling;
mod caps;
mod classifying;
mod collections;
mod composing;
mod composing_again;
mod composing_models;
mod composing_proof;
mod composing_redacted;
mod composing_scenarios;
mod configuration;
mod conformance;
mod conversing;
mod crash;
mod descending;
mod drawn_model;
mod facts;
mod filtering;
mod finding;
mod forgetting;
mod formats;
mod held_to_seeds;
mod helping;
mod hiding;
mod histories;
mod hostile_input;
mod hostile_tree;
mod importing;
mod keys;
mod layers;
mod limiting;
mod living;
mod model_folders;
mod one_bad_reply;
mod one_document;
mod own_embedder;
mod own_ids;
mod promises;
mod reaching;
mod real_documents;
mod real_model;
mod recalling;
mod receipts;
mod recording;
mod reembedding;
mod reranking;
mod retention;
mod running_on;
mod searching;
mod side_by_side;
mod small;
mod standing;
mod summaries;
mod time_travel;
mod transfer;
mod tree_model;
mod tree_receipts;
mod tree_rows;
mod tree_villain;
mod updating;
mod upgrade;
mod why_not;
mod wording;
mod working;

use recordar::document::{
    Attributes, CollectionRequest, FileReport, FileType, IngestReport, IngestRequest, PlacingRequest, TextRequest,
};
use recordar::{Clock, Config, OperationId, Recordar, SpaceName, Timestamp};
use recordar_testkit::TestDatabase;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that moves by a second each time it is looked at.
pub(crate) fn ticking() -> Clock {
    let seconds = AtomicI64::new(1_700_000_000);
    Arc::new(move || Timestamp::from_micros(seconds.fetch_add(1, Ordering::Relaxed) * 1_000_000))
}

/// A clock that a test sets, in seconds.
pub(crate) fn set_clock() -> (Arc<AtomicI64>, Clock) {
    let seconds = Arc::new(AtomicI64::new(1_700_000_000));
    let shared = Arc::clone(&seconds);
    (seconds, Arc::new(move || Timestamp::from_micros(shared.load(Ordering::Relaxed) * 1_000_000)))
}

pub(crate) fn open_at(database: &TestDatabase, toml: &str, clock: Clock) -> Recordar {
    let toml = format!("database.url = {:?}\n{toml}", database.url);
    Recordar::open(Config::from_toml(&toml, Path::new("/")).unwrap(), clock).unwrap()
}

pub(crate) fn open_with(database: &TestDatabase, toml: &str) -> Recordar {
    open_at(database, toml, ticking())
}

pub(crate) fn open(database: &TestDatabase) -> Recordar {
    open_with(database, "")
}

pub(crate) fn ada() -> SpaceName {
    SpaceName::user("ada").unwrap()
}

pub(crate) fn operation(id: &str) -> OperationId {
    OperationId::parse(id).unwrap()
}

pub(crate) fn request(id: &str, paths: &[&Path]) -> IngestRequest {
    IngestRequest {
        paths: paths.iter().map(PathBuf::from).collect(),
        only: None,
        attributes: Attributes::default(),
        file_type: None,
        include: Vec::new(),
        exclude: Vec::new(),
        collection: CollectionRequest::default(),
        prune: false,
        force: false,
        placing: PlacingRequest::default(),
        operation: operation(id),
    }
}

pub(crate) fn text(id: &str, name: &str, text: &str) -> TextRequest {
    TextRequest {
        name: name.to_owned(),
        text: text.to_owned(),
        file_type: FileType::of_path(Path::new(name)).unwrap_or(FileType::Text),
        attributes: Attributes::default(),
        mtime: None,
        force: false,
        placing: PlacingRequest::default(),
        operation: operation(id),
    }
}

pub(crate) fn ingest(memory: &Recordar, request: &IngestRequest) -> IngestReport {
    memory.ingest(&ada(), request, &mut |_| {}).unwrap()
}

/// What the report says of the file of that name.
pub(crate) fn file<'a>(report: &'a IngestReport, name: &str) -> &'a FileReport {
    report
        .files
        .iter()
        .find(|file| Path::new(&file.path).file_name().is_some_and(|found| found.to_string_lossy() == name))
        .unwrap_or_else(|| panic!("no {name} in {:?}", report.files))
}
