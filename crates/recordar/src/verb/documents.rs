//! Documents: the list, a version's text and chunks, the versions, and the differences between two.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use crate::route::document_name::{absent, find_document};
use recordar_domain::{Attributes, Digest, FILE_INGEST, FileType, Invalid, SpaceName, Timestamp};
use recordar_store::{ChunkRow, DocumentRow, Error as StoreError, Reading, SpaceId, VersionRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::TextDiff;
use std::collections::HashMap;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentView {
    pub document_id: i64,
    pub kind: &'static str,
    pub path: String,
    pub filename: String,
    pub versions: usize,
    /// False if the file vanished and the document was retired.
    pub live: bool,
    /// The newest version.
    pub version: VersionView,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VersionView {
    pub version_id: i64,
    pub number: i64,
    pub sha256: Digest,
    pub bytes: i64,
    pub chars: i64,
    pub mtime: Option<Timestamp>,
    #[serde(rename = "type")]
    pub file_type: FileType,
    #[serde(flatten)]
    pub attributes: Attributes,
    pub tokenizer: String,
    pub chunks: i64,
    pub tokens: i64,
    /// Chunks that were forgotten individually; the text has gaps there.
    pub forgotten_chunks: i64,
    pub ingested_at: Timestamp,
    pub live: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentText {
    #[serde(flatten)]
    pub document: DocumentView,
    pub text: String,
    /// Whether the text matches the file's sha256. It does not if chunks were forgotten.
    pub verified: bool,
    pub chunks: Vec<ChunkView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChunkView {
    pub item_id: i64,
    pub position: i64,
    pub section: Option<String>,
    pub tokens: i64,
    /// Bytes at the start of the text that repeat the previous chunk.
    pub overlap: usize,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    pub path: String,
    pub from: i64,
    pub to: i64,
    pub added_lines: usize,
    pub removed_lines: usize,
    /// Chunks forgotten from either text; the lines around the gaps count as changed.
    pub forgotten_chunks: i64,
    /// A unified diff.
    pub diff: String,
}

impl Recordar {
    /// The documents of a space, in the order they were first stored.
    pub fn documents(&self, space: &SpaceName) -> Result<Vec<DocumentView>, Error> {
        self.showing(|memory| {
            let views = memory.store.read(|reading| {
                let Some(space) = reading.space(space)? else { return Ok(Vec::new()) };
                let mut versions: HashMap<i64, Vec<VersionRow>> = HashMap::new();
                for version in reading.all_versions(space.id)? {
                    versions.entry(version.document_id).or_default().push(version);
                }
                let documents = reading.documents(space.id)?;
                Ok(documents
                    .into_iter()
                    .filter_map(|document| {
                        let versions = versions.remove(&document.id)?;
                        let last = versions.last()?.clone();
                        Some(document_view(document, versions.len(), last))
                    })
                    .collect())
            })?;
            Ok(views)
        })
    }

    /// A version's text, rebuilt from its chunks and checked against its sha256; the newest by default.
    pub fn document_text(&self, space: &SpaceName, name: &str, number: Option<i64>) -> Result<DocumentText, Error> {
        self.showing(|memory| {
            let text = memory.store.read(|reading| {
                let id = space_id(reading, space, name)?;
                let document = find_document(reading, id, space, name)?;
                let versions = reading.versions(id, document.id)?;
                let version = pick(&versions, number, &document.path)?;
                read_text(reading, id, document, versions.len(), version)
            })?;
            Ok(text)
        })
    }

    /// The versions of a document, oldest first.
    pub fn document_versions(&self, space: &SpaceName, name: &str) -> Result<Vec<VersionView>, Error> {
        self.showing(|memory| {
            let versions = memory.store.read(|reading| {
                let id = space_id(reading, space, name)?;
                let document = find_document(reading, id, space, name)?;
                reading.versions(id, document.id)
            })?;
            Ok(versions.into_iter().map(version_view).collect())
        })
    }

    /// The differences between two versions: by default the newest and the one before.
    pub fn document_diff(
        &self,
        space: &SpaceName,
        name: &str,
        from: Option<i64>,
        to: Option<i64>,
    ) -> Result<Difference, Error> {
        self.showing(|memory| {
            let new = memory.document_text(space, name, to)?;
            let to = new.document.version.number;
            let from = from.unwrap_or(to - 1);
            if from < 1 {
                let what = format!("version {to} of {} is the first; there is no earlier version", new.document.path);
                return Err(Invalid::new(what, "choose a later version with --to, or ingest the changed file").into());
            }
            let old = memory.document_text(space, name, Some(from))?;
            // Comparing two long texts without a common line would take hours; after a while a coarser comparison is used.
            let changes = TextDiff::configure().timeout(Duration::from_secs(5)).diff_lines(&old.text, &new.text);
            let count = |tag| changes.iter_all_changes().filter(|change| change.tag() == tag).count();
            let path = new.document.path;
            let names = (format!("{path} (version {from})"), format!("{path} (version {to})"));
            Ok(Difference {
                from,
                to,
                added_lines: count(similar::ChangeTag::Insert),
                removed_lines: count(similar::ChangeTag::Delete),
                forgotten_chunks: old.document.version.forgotten_chunks + new.document.version.forgotten_chunks,
                diff: changes.unified_diff().header(&names.0, &names.1).to_string(),
                path,
            })
        })
    }
}

/// The text of a version, checked against its sha256.
pub(super) fn read_text(
    reading: &mut Reading<'_>,
    space: SpaceId,
    document: DocumentRow,
    versions: usize,
    version: &VersionRow,
) -> Result<DocumentText, StoreError> {
    let chunks = reading.chunks(space, version.id)?;
    let text: String = chunks.iter().map(|chunk| &chunk.text[chunk.overlap..]).collect();
    let verified = Digest::of(&text) == version.sha256;
    if !verified && version.forgotten == 0 {
        let what = format!("version {} of {} is damaged: its sha256 does not match", version.number, document.path);
        return Err(StoreError::Corrupt { what });
    }
    let document = document_view(document, versions, version.clone());
    Ok(DocumentText { document, text, verified, chunks: chunks.into_iter().map(chunk_view).collect() })
}

fn space_id(reading: &mut Reading<'_>, space: &SpaceName, name: &str) -> Result<SpaceId, StoreError> {
    reading.space(space)?.map(|space| space.id).ok_or_else(|| absent(name, space))
}

fn pick<'a>(versions: &'a [VersionRow], number: Option<i64>, path: &str) -> Result<&'a VersionRow, StoreError> {
    let wanted = number.map_or(versions.last(), |number| versions.iter().find(|version| version.number == number));
    wanted.ok_or_else(|| {
        let what = format!("version {} of {path}; its newest version is {}", number.unwrap_or(1), versions.len());
        StoreError::absent(what)
    })
}

fn document_view(document: DocumentRow, versions: usize, version: VersionRow) -> DocumentView {
    DocumentView {
        document_id: document.id,
        kind: FILE_INGEST,
        path: document.path,
        filename: document.filename,
        versions,
        live: version.retired.is_none(),
        version: version_view(version),
    }
}

fn version_view(version: VersionRow) -> VersionView {
    VersionView {
        version_id: version.id,
        number: version.number,
        sha256: version.sha256,
        bytes: version.bytes,
        chars: version.chars,
        mtime: version.mtime,
        file_type: version.file_type,
        attributes: version.attributes,
        tokenizer: version.tokenizer,
        chunks: version.chunks,
        tokens: version.tokens,
        forgotten_chunks: version.forgotten,
        ingested_at: version.ingested_at,
        live: version.retired.is_none(),
    }
}

fn chunk_view(chunk: ChunkRow) -> ChunkView {
    let ChunkRow { id, position, overlap, section, sections: _, text, tokens } = chunk;
    ChunkView { item_id: id, position, section, tokens, overlap, text }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DocumentsArguments {}

impl Verb for DocumentsArguments {
    const NAME: &'static str = "documents";
    const ABOUT: &'static str = "List all documents of the space.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<DocumentView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<DocumentView>, Error> {
        memory.documents(call.space())
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DocumentTextArguments {
    /// Its path, file name or id.
    name: String,
    /// Version number; the newest by default.
    version: Option<i64>,
}

impl Verb for DocumentTextArguments {
    const NAME: &'static str = "document_text";
    const ABOUT: &'static str = "Show the exact text of a document.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = DocumentText;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<DocumentText, Error> {
        memory.document_text(call.space(), &self.name, self.version)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DocumentVersionsArguments {
    /// Its path, file name or id.
    name: String,
}

impl Verb for DocumentVersionsArguments {
    const NAME: &'static str = "document_versions";
    const ABOUT: &'static str = "List the versions of a document.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<VersionView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<VersionView>, Error> {
        memory.document_versions(call.space(), &self.name)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DocumentDiffArguments {
    /// Its path, file name or id.
    name: String,
    /// The older version; by default the one before the newer.
    from: Option<i64>,
    /// The newer version; the newest by default.
    to: Option<i64>,
}

impl Verb for DocumentDiffArguments {
    const NAME: &'static str = "document_diff";
    const ABOUT: &'static str = "Show the differences between two versions of a document.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Difference;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Difference, Error> {
        memory.document_diff(call.space(), &self.name, self.from, self.to)
    }
}
