//! Documents and their versions. A version is never overwritten: the next one retires it. Attributes may change in between; each change is a
//! row of its own.

use super::items::NewChunk;
use super::version_chunks::MakeLeaves;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::{Attributes, Digest, DocumentName, FileType, Manifest, Metadata, Timestamp};
use std::collections::BTreeMap;
use std::path::MAIN_SEPARATOR;

pub(crate) const DOCUMENT_COLUMNS: [&str; 9] =
    ["space_id", "document_id", "path_hash", "path", "filename", "born", "changed", "collection", "name"];
pub(crate) const ATTRIBUTE_COLUMNS: [&str; 9] =
    ["space_id", "document_id", "born", "tags", "topic", "note", "provider", "metadata", "changed"];
pub(crate) const VERSION_COLUMNS: [&str; 27] = [
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
    "path",
    "name_hash",
    "name",
];
const SELECT_DOCUMENT: &str = "SELECT document_id, path, filename, collection, name FROM documents";
const SELECT_VERSION: &str = "SELECT version_id, document_id, number, sha256, bytes, chars, mtime, file_type, tags, topic, \
     note, provider, metadata, chunking, tokenizer, chunks, tokens, forgotten, ingested_at, born, retired, root, path, name FROM versions";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    pub id: i64,
    /// Where its newest version was read from.
    pub path: String,
    pub filename: String,
    pub collection: Option<String>,
    /// Its name in the collection.
    pub name: Option<String>,
}

impl DocumentRow {
    /// What identifies it.
    pub fn key(&self) -> DocumentName {
        let name = self.name.as_ref().filter(|_| self.collection.is_some()).unwrap_or(&self.path);
        DocumentName { collection: self.collection.clone(), name: name.clone() }
    }
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
    /// Its last ones: they may have changed while it was live.
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
    /// Where it was read from, if that is known apart from the document.
    pub path: Option<String>,
    /// The document's name at that time.
    pub name: Option<String>,
}

impl VersionRow {
    /// Where it was read from, and its name relative to the root then. Rows of before have neither: the document's path, and the folder that was
    /// ingested.
    pub fn path_and_name(&self, document: &DocumentRow) -> (String, Option<String>) {
        let path = self.path.clone().unwrap_or_else(|| document.path.clone());
        let below =
            |root: &String| path.strip_prefix(root.as_str()).map(|name| name.trim_start_matches(MAIN_SEPARATOR));
        let by_root = || self.root.as_ref().and_then(below).filter(|name| !name.is_empty()).map(str::to_owned);
        let name = self.name.clone().or_else(by_root);
        (path, name)
    }

    fn is_live_at(&self, revision: i64) -> bool {
        self.born <= revision && self.retired.is_none_or(|retired| retired > revision)
    }
}

/// A version to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    pub manifest: &'a Manifest,
    pub name: &'a DocumentName,
    /// The document that has moved here.
    pub moved: Option<i64>,
    pub filename: &'a str,
    pub attributes: &'a Attributes,
    pub chunking: &'a str,
    pub tokenizer: &'a str,
    pub root: Option<&'a str>,
}

/// Where a document is from now on.
#[derive(Debug, Clone, Copy)]
pub struct NewPlace<'a> {
    pub name: &'a DocumentName,
    pub path: &'a str,
    pub filename: &'a str,
}

/// The ids of a stored version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredVersion {
    pub document_id: i64,
    pub version_id: i64,
    pub number: i64,
    /// The id of the first new chunk.
    pub first_item_id: i64,
    /// Chunks of the previous version that stay.
    pub kept_chunks: u64,
    /// Chunks of the previous version, which are now retired.
    pub retired_chunks: u64,
}

impl Reading<'_> {
    pub fn document(&mut self, space: SpaceId, id: i64) -> Result<Option<DocumentRow>, Error> {
        let sql = format!("{SELECT_DOCUMENT} WHERE space_id = ? AND document_id = ?");
        self.query_one(&sql, &[space.into(), id.into()])?.as_ref().map(document).transpose()
    }

    /// The document without a collection that has this path.
    pub fn document_at(&mut self, space: SpaceId, path: &str) -> Result<Option<DocumentRow>, Error> {
        self.document_named(space, &DocumentName::of_path(path))
    }

    pub fn document_named(&mut self, space: SpaceId, name: &DocumentName) -> Result<Option<DocumentRow>, Error> {
        let sql = format!("{SELECT_DOCUMENT} WHERE space_id = ? AND path_hash = ?");
        self.query_one(&sql, &[space.into(), name.digest().into()])?.as_ref().map(document).transpose()
    }

    /// The document that a file belongs to: the one of its name, or one that has its path and no collection yet.
    pub fn document_of_file(
        &mut self,
        space: SpaceId,
        name: &DocumentName,
        path: &str,
    ) -> Result<Option<DocumentRow>, Error> {
        match self.document_named(space, name)? {
            Some(document) => Ok(Some(document)),
            None if name.collection.is_some() => self.document_at(space, path),
            None => Ok(None),
        }
    }

    /// The documents that had a name in a collection at some time, in the order of their ids.
    pub fn documents_once_named(&mut self, space: SpaceId, name: &DocumentName) -> Result<Vec<DocumentRow>, Error> {
        let sql = "SELECT DISTINCT document_id FROM versions WHERE space_id = ? AND name_hash = ? ORDER BY document_id";
        let ids = self.query(sql, &[space.into(), name.digest().into()])?;
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.document(space, id.int(0)?)?);
        }
        Ok(found)
    }

    /// All documents of a space, in the order they were first stored.
    pub fn documents(&mut self, space: SpaceId) -> Result<Vec<DocumentRow>, Error> {
        let sql = format!("{SELECT_DOCUMENT} WHERE space_id = ? ORDER BY document_id");
        self.query(&sql, &[space.into()])?.iter().map(document).collect()
    }

    /// The versions of a document, oldest first.
    pub fn versions(&mut self, space: SpaceId, document_id: i64) -> Result<Vec<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? AND document_id = ? ORDER BY number");
        let versions = self.query(&sql, &[space.into(), document_id.into()])?.iter().map(version).collect();
        self.with_attributes(space, versions)
    }

    /// Every version of every document of a space, by document and number.
    pub fn all_versions(&mut self, space: SpaceId) -> Result<Vec<VersionRow>, Error> {
        let versions = self.stored_versions(space);
        self.with_attributes(space, versions)
    }

    /// The same, each with the attributes that it was stored with.
    pub(super) fn stored_versions(&mut self, space: SpaceId) -> Result<Vec<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? ORDER BY document_id, number");
        self.query(&sql, &[space.into()])?.iter().map(version).collect()
    }

    /// Every version with its document, as numbers, in the order of the versions' ids.
    pub fn version_ids(&mut self, space: SpaceId) -> Result<Vec<(i64, i64)>, Error> {
        let sql = "SELECT version_id, document_id FROM versions WHERE space_id = ? ORDER BY version_id";
        self.query(sql, &[space.into()])?.iter().map(|row| Ok((row.int(0)?, row.int(1)?))).collect()
    }

    pub fn version(&mut self, space: SpaceId, id: i64) -> Result<Option<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? AND version_id = ?");
        let versions = self.query(&sql, &[space.into(), id.into()])?.iter().map(version).collect();
        Ok(self.with_attributes(space, versions)?.pop())
    }

    pub fn latest_version(&mut self, space: SpaceId, document_id: i64) -> Result<Option<VersionRow>, Error> {
        let sql = format!("{SELECT_VERSION} WHERE space_id = ? AND document_id = ? ORDER BY number DESC LIMIT 1");
        let versions = self.query(&sql, &[space.into(), document_id.into()])?.iter().map(version).collect();
        Ok(self.with_attributes(space, versions)?.pop())
    }

    /// The version of a document at a revision, with its attributes then: the live one, or the last one before it, because a version may have
    /// been forgotten whose chunks others have.
    pub fn version_at(&mut self, space: SpaceId, document_id: i64, at: i64) -> Result<Option<VersionRow>, Error> {
        let sql = format!(
            "{SELECT_VERSION} WHERE space_id = ? AND document_id = ? AND born <= ? ORDER BY number DESC LIMIT 1"
        );
        let row = self.query_one(&sql, &[space.into(), document_id.into(), at.into()])?;
        let Some(mut found) = row.as_ref().map(version).transpose()? else { return Ok(None) };
        for (born, attributes) in self.attributes_of(space, document_id)? {
            if (found.born..=at).contains(&born) {
                found.attributes = attributes;
            }
        }
        Ok(Some(found))
    }

    /// The attributes that were given to a document after its versions were stored, oldest first.
    pub fn attributes_of(&mut self, space: SpaceId, document_id: i64) -> Result<Vec<(i64, Attributes)>, Error> {
        let sql = "SELECT document_id, born, tags, topic, note, provider, metadata FROM attributes \
             WHERE space_id = ? AND document_id = ? ORDER BY born";
        let rows = self.query(sql, &[space.into(), document_id.into()])?;
        rows.iter().map(|row| Ok((row.int(1)?, attributes(row, [2, 3, 4, 5, 6])?))).collect()
    }

    /// The same for all documents of a space.
    pub fn all_attributes(&mut self, space: SpaceId) -> Result<BTreeMap<i64, Vec<(i64, Attributes)>>, Error> {
        let sql = "SELECT document_id, born, tags, topic, note, provider, metadata FROM attributes \
             WHERE space_id = ? ORDER BY document_id, born";
        let mut all: BTreeMap<i64, Vec<(i64, Attributes)>> = BTreeMap::new();
        for row in self.query(sql, &[space.into()])? {
            all.entry(row.int(0)?).or_default().push((row.int(1)?, attributes(&row, [2, 3, 4, 5, 6])?));
        }
        Ok(all)
    }

    /// Versions with the attributes that they had last.
    fn with_attributes(
        &mut self,
        space: SpaceId,
        versions: Result<Vec<VersionRow>, Error>,
    ) -> Result<Vec<VersionRow>, Error> {
        let mut versions = versions?;
        let Some(first) = versions.first().map(|version| version.document_id) else { return Ok(versions) };
        let given = match versions.iter().all(|version| version.document_id == first) {
            true => BTreeMap::from([(first, self.attributes_of(space, first)?)]),
            false => self.all_attributes(space)?,
        };
        for version in &mut versions {
            let given = given.get(&version.document_id).map_or(&[][..], Vec::as_slice);
            let last = given.iter().rfind(|(born, _)| version.is_live_at(*born));
            if let Some((_, attributes)) = last {
                version.attributes = attributes.clone();
            }
        }
        Ok(versions)
    }
}

fn document(row: &Row) -> Result<DocumentRow, Error> {
    Ok(DocumentRow {
        id: row.int(0)?,
        path: row.text(1)?,
        filename: row.text(2)?,
        collection: row.optional_text(3)?,
        name: row.optional_text(4)?,
    })
}

/// From the columns of tags, topic, note, provider and metadata.
fn attributes(row: &Row, [tags, topic, note, provider, metadata]: [usize; 5]) -> Result<Attributes, Error> {
    let damaged = |what: &str| Error::Corrupt { what: format!("version {:?} has unreadable {what}", row.0[0]) };
    let tags: Vec<String> = serde_json::from_str(&row.text(tags)?).map_err(|_| damaged("tags"))?;
    let metadata = Metadata::from_json(&row.text(metadata)?).map_err(|_| damaged("metadata"))?;
    let tags = tags.iter().map(String::as_str);
    let (topic, note, provider) = (row.optional_text(topic)?, row.optional_text(note)?, row.optional_text(provider)?);
    Attributes::new(tags, topic, note, provider, metadata).map_err(|_| damaged("attributes"))
}

/// The columns of tags, topic, note, provider and metadata.
fn attribute_values(attributes: &Attributes) -> [Value; 5] {
    [
        serde_json::json!(attributes.tags()).to_string().into(),
        attributes.topic.clone().into(),
        attributes.note.clone().into(),
        attributes.provider.clone().into(),
        attributes.metadata.to_json().into(),
    ]
}

fn version(row: &Row) -> Result<VersionRow, Error> {
    let damaged = |what: &str| Error::Corrupt { what: format!("version {:?} has unreadable {what}", row.0[0]) };
    Ok(VersionRow {
        id: row.int(0)?,
        document_id: row.int(1)?,
        number: row.int(2)?,
        sha256: row.digest(3)?,
        bytes: row.int(4)?,
        chars: row.int(5)?,
        mtime: row.optional_int(6)?.map(Timestamp::from_micros),
        file_type: FileType::parse(&row.text(7)?).map_err(|_| damaged("type"))?,
        attributes: attributes(row, [8, 9, 10, 11, 12])?,
        chunking: row.text(13)?,
        tokenizer: row.text(14)?,
        chunks: row.int(15)?,
        tokens: row.int(16)?,
        forgotten: row.int(17)?,
        ingested_at: row.time(18)?,
        born: row.int(19)?,
        retired: row.optional_int(20)?,
        root: row.optional_text(21)?,
        path: row.optional_text(22)?,
        name: row.optional_text(23)?,
    })
}

impl Writing<'_> {
    /// Stores a version with its chunks and retires the previous one. `leaves` creates the categories of the chunks, and returns
    /// the leaf of each; the other chunks wait.
    pub fn add_version(
        &mut self,
        new: NewVersion<'_>,
        chunks: &[NewChunk<'_>],
        leaves: &mut MakeLeaves<'_, Self>,
    ) -> Result<StoredVersion, Error> {
        let space = self.space.id;
        let moved = new.moved.map_or(Ok(None), |id| self.document(space, id))?;
        let before = match moved {
            Some(document) => Some(document),
            None => self.document_of_file(space, new.name, &new.manifest.path)?,
        };
        let (document_id, last) = match &before {
            Some(document) => (document.id, self.latest_version(space, document.id)?),
            None => (self.add_document(new)?, None),
        };
        if let Some(document) = before {
            self.rename_document(&document, new.name, &new.manifest.path, new.filename)?;
        }
        let live = last.as_ref().filter(|last| last.retired.is_none());
        if let Some(live) = live {
            self.end_version(live.id)?;
        }
        let version_id = self.allocate_ids(1);
        let number = last.as_ref().map_or(1, |last| last.number + 1);
        let tokens = chunks.iter().map(|chunk| chunk.tokens as i64).sum();
        self.insert_version(new, [version_id, document_id, number, chunks.len() as i64, tokens])?;
        let occurred_at = new.manifest.mtime.unwrap_or(self.space.recorded_at);
        let stored = self.store_chunks([document_id, version_id], occurred_at, chunks, leaves)?;
        self.touch_document(document_id)?;
        Ok(StoredVersion {
            document_id,
            version_id,
            number,
            first_item_id: stored.first_id,
            kept_chunks: stored.kept,
            retired_chunks: stored.retired,
        })
    }

    /// Retires a version and its chunks, and returns the number of chunks.
    pub fn retire_version(&mut self, version_id: i64) -> Result<u64, Error> {
        let space = self.space.id;
        // Another process may have stored a newer one meanwhile, whose chunks these are.
        let version = self.version(space, version_id)?.filter(|version| version.retired.is_none());
        let Some(version) = version else { return Ok(0) };
        self.end_version(version_id)?;
        let revision = Value::Int(self.space.revision);
        let values = [revision.clone(), revision, space.into(), version.document_id.into()];
        self.execute(
            "UPDATE items SET retired = ?, changed = ? WHERE space_id = ? AND document_id = ? AND retired IS NULL",
            &values,
        )
    }

    fn end_version(&mut self, version_id: i64) -> Result<(), Error> {
        let revision = Value::Int(self.space.revision);
        let values = [revision.clone(), revision, self.space.id.into(), version_id.into()];
        self.execute(
            "UPDATE versions SET retired = ?, changed = ? WHERE space_id = ? AND version_id = ? AND retired IS NULL",
            &values,
        )?;
        Ok(())
    }

    fn touch_document(&mut self, document_id: i64) -> Result<(), Error> {
        let changed = [self.space.revision.into(), self.space.id.into(), document_id.into()];
        self.execute("UPDATE documents SET changed = ? WHERE space_id = ? AND document_id = ?", &changed)?;
        Ok(())
    }

    /// Gives a document another name or path. Its versions keep those that they had.
    pub fn rename_document(
        &mut self,
        document: &DocumentRow,
        name: &DocumentName,
        path: &str,
        filename: &str,
    ) -> Result<(), Error> {
        if document.key() == *name && document.path == path {
            return Ok(());
        }
        let space = self.space.id;
        let before = [document.path.as_str().into(), space.into(), document.id.into()];
        self.execute("UPDATE versions SET path = ? WHERE space_id = ? AND document_id = ? AND path IS NULL", &before)?;
        let values = [
            name.digest().into(),
            path.into(),
            filename.into(),
            name.collection.clone().into(),
            own_name(name).into(),
            self.space.revision.into(),
            space.into(),
            document.id.into(),
        ];
        self.execute(
            "UPDATE documents SET path_hash = ?, path = ?, filename = ?, collection = ?, name = ?, changed = ? \
             WHERE space_id = ? AND document_id = ?",
            &values,
        )?;
        Ok(())
    }

    /// Gives a document another name. That is a version of its own with the same chunks, so that earlier ones keep theirs.
    pub fn move_document(
        &mut self,
        document: &DocumentRow,
        newest: &VersionRow,
        to: &NewPlace<'_>,
    ) -> Result<(), Error> {
        self.rename_document(document, to.name, to.path, to.filename)?;
        self.end_version(newest.id)?;
        let manifest = Manifest {
            path: to.path.to_owned(),
            sha256: newest.sha256,
            mtime: newest.mtime,
            file_type: newest.file_type,
            bytes: newest.bytes as u64,
            chars: newest.chars as u64,
        };
        let new = NewVersion {
            manifest: &manifest,
            name: to.name,
            moved: None,
            filename: to.filename,
            attributes: &newest.attributes,
            chunking: &newest.chunking,
            tokenizer: &newest.tokenizer,
            root: newest.root.as_deref(),
        };
        let version_id = self.allocate_ids(1);
        self.insert_version(new, [version_id, document.id, newest.number + 1, newest.chunks, newest.tokens])?;
        // Chunks that were forgotten are missing in this version, too.
        let values = [newest.forgotten.into(), self.space.id.into(), version_id.into()];
        self.execute("UPDATE versions SET forgotten = ? WHERE space_id = ? AND version_id = ?", &values)?;
        self.touch_document(document.id)
    }

    /// Gives a document attributes from now on, without a new version.
    pub fn set_attributes(&mut self, document_id: i64, attributes: &Attributes) -> Result<(), Error> {
        let revision = Value::Int(self.space.revision);
        let mut row: Vec<Value> = vec![self.space.id.into(), document_id.into(), revision.clone()];
        row.extend(attribute_values(attributes));
        row.push(revision);
        self.insert("attributes", &ATTRIBUTE_COLUMNS, &[row])?;
        self.touch_document(document_id)
    }

    fn add_document(&mut self, new: NewVersion<'_>) -> Result<i64, Error> {
        let id = self.allocate_ids(1);
        let revision = Value::Int(self.space.revision);
        let row = vec![
            self.space.id.into(),
            id.into(),
            new.name.digest().into(),
            new.manifest.path.as_str().into(),
            new.filename.into(),
            revision.clone(),
            revision,
            new.name.collection.clone().into(),
            own_name(new.name).into(),
        ];
        self.insert("documents", &DOCUMENT_COLUMNS, &[row])?;
        Ok(id)
    }

    fn insert_version(&mut self, new: NewVersion<'_>, numbers: [i64; 5]) -> Result<(), Error> {
        let [version_id, document_id, number, chunks, tokens] = numbers;
        let NewVersion { manifest, attributes, .. } = new;
        let revision = Value::Int(self.space.revision);
        let [tags, topic, note, provider, metadata] = attribute_values(attributes);
        let in_collection = new.name.collection.is_some();
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
            tags,
            topic,
            note,
            provider,
            metadata,
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
            in_collection.then(|| manifest.path.clone()).into(),
            in_collection.then(|| new.name.digest()).into(),
            own_name(new.name).into(),
        ];
        self.insert("versions", &VERSION_COLUMNS, &[row])
    }
}

/// The name of a document in its collection.
fn own_name(name: &DocumentName) -> Option<String> {
    name.collection.is_some().then(|| name.name.clone())
}
