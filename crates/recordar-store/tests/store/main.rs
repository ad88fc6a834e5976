//! The store on the three databases: the same cases, and after each the same rows.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod categories;
mod connections;
mod contextual_helpers;
mod group_commit;
mod group_commit_crash;
mod item_marks;
mod leaves;
mod plans;
mod queue;
mod tree_edits;
mod writes;

use recordar_domain::{Attributes, Digest, DocumentName, FileType, Manifest, OperationId, SpaceName, Timestamp};
use recordar_store::{
    DatabaseUrl, Error, NewChunk, NewVersion, Operation, Reading, Settled, SpaceId, Store, StoreOptions, StoredVersion,
    Writing, Written,
};
use recordar_testkit::{Engine, TestDatabase};
use std::path::Path;

pub(crate) fn open(database: &TestDatabase) -> Store {
    let url = DatabaseUrl::parse(&database.url, Path::new("/")).unwrap();
    Store::open(StoreOptions::new(url)).unwrap()
}

/// Runs a case on every database, each empty, and compares the rows it leaves.
pub(crate) fn agree(case: impl Fn(&Store)) {
    let mut expected: Option<Vec<String>> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        case(&store);
        let rows = store.raw().unwrap().lines();
        assert!(!rows.is_empty());
        match &expected {
            None => expected = Some(rows),
            Some(expected) => assert_eq!(expected, &rows, "{engine:?} has other rows than SQLite"),
        }
    }
}

pub(crate) fn space(name: &str) -> SpaceName {
    SpaceName::parse(name).unwrap()
}

/// A write under an id that stands for its request as well.
pub(crate) fn write<T: serde::Serialize + serde::de::DeserializeOwned>(
    store: &Store,
    space: &SpaceName,
    id: &str,
    seconds: i64,
    mut body: impl FnMut(&mut Writing<'_>) -> Result<T, Error>,
) -> Result<Written<T>, Error> {
    let id = OperationId::parse(id).unwrap();
    let operation = Operation { id: &id, kind: "test", request: Digest::of(id.as_str()) };
    let now = Timestamp::from_micros(seconds * 1_000_000);
    store.write(space, &operation, now, |writing| body(writing).map(Settled::Commit))
}

/// Reads from one space.
pub(crate) fn read<T>(
    store: &Store,
    space: &SpaceName,
    mut body: impl FnMut(&mut Reading<'_>, SpaceId) -> Result<T, Error>,
) -> T {
    let read = store.read(|reading| {
        let id = reading.space(space)?.unwrap().id;
        body(reading, id)
    });
    read.unwrap()
}

/// Stores the next version of a document, with these chunks.
pub(crate) fn add_document<'a>(
    writing: &mut Writing<'_>,
    path: &str,
    chunks: &[&'a str],
) -> Result<StoredVersion, Error> {
    let text = chunks.concat();
    let manifest = Manifest {
        path: path.to_owned(),
        sha256: Digest::of(&text),
        mtime: None,
        file_type: FileType::Text,
        bytes: text.len() as u64,
        chars: text.chars().count() as u64,
    };
    let attributes = Attributes::default();
    let name = DocumentName::of_path(path);
    let version = NewVersion {
        manifest: &manifest,
        name: &name,
        moved: None,
        filename: path,
        attributes: &attributes,
        chunking: "{}",
        tokenizer: "words",
        root: None,
    };
    let chunk = |text: &&'a str| NewChunk { text, overlap: 0, section: None, sections: Vec::new(), tokens: 1 };
    writing.add_version(version, &chunks.iter().map(chunk).collect::<Vec<_>>(), &mut |_| Ok(Vec::new()))
}
