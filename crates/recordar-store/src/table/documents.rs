//! Documents and their versions. A version is never overwritten: the next one retires it.

use super::items::NewChunk;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Attributes, Digest, FileType, Manifest, Metadata, Timestamp};

pub(crate) const DOCUMENT_COLUMNS: [&str; 7] =
    ["space_id", "document_id", "path_hash", "path", "filename", "born", "changed"];
pub(crate) const VERSION_COLUMNS: [&str; 24] = [
    "space_id",
    "version_id",
    "document_id",
    "number",
    "sha256",
    "bytes",
    "chars",
    "mtime",
    "file_type",
    "tags",
    "topic",
    "note",
    "provider",
    "metadata",
    "chunking",
    "tokenizer",
    "chunks",
    "tokens",
    "forgotten",
    "ingested_at",
    "born",
    "retired",
    "changed",
    "root",
];
const SELECT_DOCUMENT: &str = "SELECT document_id, path, filename FROM documents";
const SELECT_VERSION: &str = "SELECT version_id, document_id, number, sha256, bytes, chars, mtime, file_type, tags, topic, \
     note, provider, metadata, chunking, tokenizer, chunks, tokens, forgotten, ingested_at, born, retired, root FROM versions";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    pub id: i64,
    pub path: String,
    pub filename: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRow {
    pub id: i64,
    pub document_id: i64,
    /// 1 for the first version of its document, and so on.
    pub number: i64,
    pub sha256: Digest,
    pub bytes: i64,
    pub chars: i64,
    pub mtime: Option<Timestamp>,
    pub file_type: FileType,
    pub attributes: Attributes,
    /// The settings of the chunker, as JSON.
    pub chunking: String,
    pub tokenizer: String,
    pub chunks: i64,
    pub tokens: i64,
    /// The number of chunks that were forgotten and are missing from the text.
    pub forgotten: i64,
    pub ingested_at: Timestamp,
    pub born: i64,
    /// The revision that retired it: a newer version, or the removal of the file.
    pub retired: Option<i64>,
    /// The folder that it was ingested from; its name is relative to it.
    pub root: Option<String>,
}

/// A version to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    pub manifest: &'a Manifest,
    pub filename: &'a str,
    pub attributes: &'a Attributes,
    pub chunking: &'a str,
    pub tokenizer: &'a str,
    pub root: Option<&'a str>,
}

/// The ids of a stored version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredVersion {
    pub document_id: i64,
    pub version_id: i64,
    pub number: i64,
    pub first_item_id: i64,
    /// Chunks of the previous version, which are now retired.
    pub retired_chunks: u64,
}

impl Reading<'_> {
    pub fn document(&mut self, space: SpaceId, id: i64) -> Result<Option<DocumentRow>, Error> {
        let sql = format!("{SELECT_DOCUMENT} WHERE space_id = ? AND document_id = ?");
        self.query_one(&sql, &[space.into(), id.into()])?.as_ref().map(document).transpose()
    }

    pub fn document_at(&mut self, space: SpaceId, path: &str) -> Result<Option<DocumentRow>, Error> {
        let sql = format!("{SELECT_DOCUMENT} WHERE space_id = ? AND path_hash = ?");
        self.query_one(&sql, &[space.into(), Digest::of(path).into()])?.as_ref().map(document).transpose()
    }

    /// All documents of a space, in the order they were first stored.
    pub fn documents(&mut self, space: SpaceId) -> Result<Vec<DocumentRow>, Error> {
        let sql = format!("{SELECT_DOCUMENT} WHERE space_id = ? ORDER BY document_id");
        self.query(&sql, &[space.into()])?.iter().map(document).collect()
    }

    /// The versions of a document, oldest first.
    pub fn versions(&mut self, space: SpaceId, document_id: i64) -> Result<Vec<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? AND document_id = ? ORDER BY number");
        self.query(&sql, &[space.into(), document_id.into()])?.iter().map(version).collect()
    }

    /// Every version of every document of a space, by document and number.
    pub fn all_versions(&mut self, space: SpaceId) -> Result<Vec<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? ORDER BY document_id, number");
        self.query(&sql, &[space.into()])?.iter().map(version).collect()
    }

    /// The newest version of the document at that path.
    pub fn latest_version_at(&mut self, space: SpaceId, path: &str) -> Result<Option<VersionRow>, Error> {
        let Some(document) = self.document_at(space, path)? else { return Ok(None) };
        self.latest_version(space, document.id)
    }

    pub fn version(&mut self, space: SpaceId, id: i64) -> Result<Option<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? AND version_id = ?");
        self.query_one(&sql, &[space.into(), id.into()])?.as_ref().map(version).transpose()
    }

    pub fn latest_version(&mut self, space: SpaceId, document_id: i64) -> Result<Option<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? AND document_id = ? ORDER BY number DESC LIMIT 1");
        self.query_one(&sql, &[space.into(), document_id.into()])?.as_ref().map(version).transpose()
    }
}

fn document(row: &Row) -> Result<DocumentRow, Error> {
    Ok(DocumentRow { id: row.int(0)?, path: row.text(1)?, filename: row.text(2)? })
}

fn version(row: &Row) -> Result<VersionRow, Error> {
    let damaged = |what: &str| Error::Corrupt { what: format!("version {:?} has unreadable {what}", row.0[0]) };
    let tags: Vec<String> = serde_json::from_str(&row.text(8)?).map_err(|_| damaged("tags"))?;
    let metadata = Metadata::from_json(&row.text(12)?).map_err(|_| damaged("metadata"))?;
    let tags = tags.iter().map(String::as_str);
    let (topic, note, provider) = (row.optional_text(9)?, row.optional_text(10)?, row.optional_text(11)?);
    let attributes = Attributes::new(tags, topic, note, provider, metadata).map_err(|_| damaged("attributes"))?;
    Ok(VersionRow {
        id: row.int(0)?,
        document_id: row.int(1)?,
        number: row.int(2)?,
        sha256: row.digest(3)?,
        bytes: row.int(4)?,
        chars: row.int(5)?,
        mtime: row.optional_int(6)?.map(Timestamp::from_micros),
        file_type: FileType::parse(&row.text(7)?).map_err(|_| damaged("type"))?,
        attributes,
        chunking: row.text(13)?,
        tokenizer: row.text(14)?,
        chunks: row.int(15)?,
        tokens: row.int(16)?,
        forgotten: row.int(17)?,
        ingested_at: row.time(18)?,
        born: row.int(19)?,
        retired: row.optional_int(20)?,
        root: row.optional_text(21)?,
    })
}

impl Writing<'_> {
    /// Stores a version with its chunks and retires the previous one. `leaves` creates the categories of the chunks, and returns
    /// the leaf of each; the other chunks wait.
    pub fn add_version(
        &mut self,
        new: NewVersion<'_>,
        chunks: &[NewChunk<'_>],
        leaves: impl FnOnce(&mut Self) -> Result<Vec<Option<i64>>, Error>,
    ) -> Result<StoredVersion, Error> {
        let space = self.space.id;
        let before = self.document_at(space, &new.manifest.path)?;
        let (document_id, last) = match before {
            Some(document) => (document.id, self.latest_version(space, document.id)?),
            None => (self.add_document(new)?, None),
        };
        let live = last.as_ref().filter(|last| last.retired.is_none());
        let retired_chunks = live.map_or(Ok(0), |live| self.retire_version(live.id))?;
        let version_id = self.allocate_ids(1);
        let number = last.map_or(1, |last| last.number + 1);
        let tokens = chunks.iter().map(|chunk| chunk.tokens as i64).sum();
        self.insert_version(new, [version_id, document_id, number, chunks.len() as i64, tokens])?;
        let occurred_at = new.manifest.mtime.unwrap_or(self.space.recorded_at);
        let first_item_id = self.add_chunks([document_id, version_id], occurred_at, chunks, leaves)?;
        let changed = [self.space.revision.into(), space.into(), document_id.into()];
        self.execute("UPDATE documents SET changed = ? WHERE space_id = ? AND document_id = ?", &changed)?;
        Ok(StoredVersion { document_id, version_id, number, first_item_id, retired_chunks })
    }

    /// Retires a version and its chunks, and returns the number of chunks.
    pub fn retire_version(&mut self, version_id: i64) -> Result<u64, Error> {
        let revision = Value::Int(self.space.revision);
        let values = [revision.clone(), revision, self.space.id.into(), version_id.into()];
        self.execute(
            "UPDATE versions SET retired = ?, changed = ? WHERE space_id = ? AND version_id = ? AND retired IS NULL",
            &values,
        )?;
        self.execute(
            "UPDATE items SET retired = ?, changed = ? WHERE space_id = ? AND version_id = ? AND retired IS NULL",
            &values,
        )
    }

    fn add_document(&mut self, new: NewVersion<'_>) -> Result<i64, Error> {
        let id = self.allocate_ids(1);
        let revision = Value::Int(self.space.revision);
        let path = new.manifest.path.as_str();
        let row = vec![
            self.space.id.into(),
            id.into(),
            Digest::of(path).into(),
            path.into(),
            new.filename.into(),
            revision.clone(),
            revision,
        ];
        self.insert("documents", &DOCUMENT_COLUMNS, &[row])?;
        Ok(id)
    }

    fn insert_version(&mut self, new: NewVersion<'_>, numbers: [i64; 5]) -> Result<(), Error> {
        let [version_id, document_id, number, chunks, tokens] = numbers;
        let NewVersion { manifest, attributes, .. } = new;
        let revision = Value::Int(self.space.revision);
        let row = vec![
            self.space.id.into(),
            version_id.into(),
            document_id.into(),
            number.into(),
            manifest.sha256.into(),
            (manifest.bytes as i64).into(),
            (manifest.chars as i64).into(),
            manifest.mtime.into(),
            manifest.file_type.name().into(),
            serde_json::json!(attributes.tags()).to_string().into(),
            attributes.topic.clone().into(),
            attributes.note.clone().into(),
            attributes.provider.clone().into(),
            attributes.metadata.to_json().into(),
            new.chunking.into(),
            new.tokenizer.into(),
            chunks.into(),
            tokens.into(),
            Value::Int(0),
            self.space.recorded_at.into(),
            revision.clone(),
            Value::Null,
            revision,
            new.root.into(),
        ];
        self.insert("versions", &VERSION_COLUMNS, &[row])
    }
}
