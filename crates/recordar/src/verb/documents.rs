//! Documents: the list, a version's text and chunks, the versions, and the differences between two.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::noun::item::StoredWith;
use recordar_core::noun::line_diff::line_diff;
use recordar_core::route::document_name::{absent, find_document};
use recordar_core::route::document_text::version_text;
use recordar_domain::{
    Attributes, Digest, DocumentProperties, FILE_INGEST, FileType, Filter, Invalid, SpaceName, Timestamp,
};
use recordar_store::{ChunkRow, DocumentFacets, DocumentRow, Error as StoreError, Reading, SpaceId, VersionRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentView {
    pub document_id: i64,
    pub kind: &'static str,
    pub path: String,
    pub filename: String,
    /// The collection that it belongs to, and its name there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
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
    /// Where it was read from, and what it was called in its collection then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
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

/// Which documents to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentsRequest {
    /// Only those that pass it, as their newest version is.
    pub filter: Filter,
    /// Only those after this id.
    pub after: i64,
    /// At most so many; all by default.
    pub limit: Option<usize>,
}

const MAX_LISTED: usize = 10_000;

impl DocumentsRequest {
    fn check(&self) -> Result<(), Invalid> {
        if self.limit.is_some_and(|limit| !(1..=MAX_LISTED).contains(&limit)) || self.after < 0 {
            let what = "limit or after is out of range";
            return Err(Invalid::new(what, format!("use a limit from 1 to {MAX_LISTED}, and after from 0 on")));
        }
        Ok(())
    }
}

impl Recordar {
    /// The documents of a space, in the order they were first stored.
    pub fn documents(&self, space: &SpaceName) -> Result<Vec<DocumentView>, Error> {
        self.list_documents(space, &DocumentsRequest::default())
    }

    /// The same for those that pass a filter, page by page.
    pub fn list_documents(&self, space: &SpaceName, request: &DocumentsRequest) -> Result<Vec<DocumentView>, Error> {
        self.showing(|memory| {
            request.check()?;
            let views = memory.store.read(|reading| {
                let Some(space) = reading.space(space)? else { return Ok(Vec::new()) };
                let passing = passing(reading, space.id, &request.filter)?;
                let is_wanted = |document: &DocumentRow| {
                    document.id > request.after && passing.as_ref().is_none_or(|ids| ids.contains(&document.id))
                };
                let mut versions: HashMap<i64, Vec<VersionRow>> = HashMap::new();
                for version in reading.all_versions(space.id)? {
                    versions.entry(version.document_id).or_default().push(version);
                }
                let documents = reading.documents(space.id)?;
                Ok(documents
                    .into_iter()
                    .filter(is_wanted)
                    .take(request.limit.unwrap_or(usize::MAX))
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
            // Versions between them may have been forgotten.
            let earlier = || -> Result<Option<i64>, Error> {
                let versions = memory.document_versions(space, &format!("id:{}", new.document.document_id))?;
                Ok(versions.iter().map(|version| version.number).filter(|number| *number < to).max())
            };
            let Some(from) = from.map_or_else(earlier, |from| Ok(Some(from)))? else {
                let what = format!("version {to} of {} is the first; there is no earlier version", new.document.path);
                return Err(Invalid::new(what, "choose a later version with --to, or ingest the changed file").into());
            };
            let old = memory.document_text(space, name, Some(from))?;
            let changes = line_diff(&old.text, &new.text);
            let count = |tag| changes.iter_all_changes().filter(|change| change.tag() == tag).count();
            let path = new.document.path.clone();
            // Each as it was called then.
            let name = |version: &VersionView| {
                let called = version.name.as_ref().or(version.path.as_ref()).unwrap_or(&path);
                format!("{called} (version {})", version.number)
            };
            let names = (name(&old.document.version), name(&new.document.version));
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

/// The documents whose newest version passes a filter; `None` without one.
fn passing(reading: &mut Reading<'_>, space: SpaceId, filter: &Filter) -> Result<Option<BTreeSet<i64>>, StoreError> {
    if filter.is_empty() {
        return Ok(None);
    }
    let mut newest: BTreeMap<i64, DocumentFacets> = BTreeMap::new();
    for facets in reading.document_facets(space)? {
        if newest.get(&facets.document_id).is_none_or(|known| known.born <= facets.born) {
            newest.insert(facets.document_id, facets);
        }
    }
    let clauses = filter.clauses();
    let passes = |facets: &DocumentFacets| {
        let metadata = StoredWith::document_metadata(&facets.attributes);
        let document = DocumentProperties {
            path: &facets.path,
            name: facets.name.as_deref(),
            file_type: facets.file_type,
            tags: facets.attributes.tags(),
            collection: facets.collection.as_deref(),
            metadata: &metadata,
        };
        clauses.iter().all(|clause| clause.passes_document(&document, facets.occurred_at.as_micros()))
    };
    Ok(Some(newest.into_values().filter(passes).map(|facets| facets.document_id).collect()))
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
    let (text, verified) = version_text(&document.path, version, &chunks)?;
    let document = document_view(document, versions, version.clone());
    Ok(DocumentText { document, text, verified, chunks: chunks.into_iter().map(chunk_view).collect() })
}

fn space_id(reading: &mut Reading<'_>, space: &SpaceName, name: &str) -> Result<SpaceId, StoreError> {
    reading.space(space)?.map(|space| space.id).ok_or_else(|| absent(name, space))
}

fn pick<'a>(versions: &'a [VersionRow], number: Option<i64>, path: &str) -> Result<&'a VersionRow, StoreError> {
    let wanted = number.map_or(versions.last(), |number| versions.iter().find(|version| version.number == number));
    wanted.ok_or_else(|| {
        let newest = versions.last().map_or(0, |version| version.number);
        let what = format!("version {} of {path}; its newest version is {newest}", number.unwrap_or(1));
        StoreError::absent(what)
    })
}

pub(super) fn document_view(document: DocumentRow, versions: usize, version: VersionRow) -> DocumentView {
    DocumentView {
        document_id: document.id,
        kind: FILE_INGEST,
        path: document.path,
        filename: document.filename,
        collection: document.collection,
        name: document.name,
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
        path: version.path,
        name: version.name,
    }
}

fn chunk_view(chunk: ChunkRow) -> ChunkView {
    let ChunkRow { id, position, overlap, section, sections: _, text, tokens } = chunk;
    ChunkView { item_id: id, position, section, tokens, overlap, text }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DocumentsArguments {
    /// Only documents that pass these conditions, such as tag=release-0.9, path=docs/** or !type=json. Fields: tag, path, type,
    /// collection, meta.KEY, since, before, until.
    #[serde(default)]
    filter: Vec<String>,
    /// Only documents after this id: the last one of the page before.
    #[serde(default)]
    #[schemars(range(min = 0))]
    after: i64,
    /// Maximum number of documents; all by default.
    #[schemars(range(min = 1, max = MAX_LISTED))]
    limit: Option<usize>,
}

impl Verb for DocumentsArguments {
    const NAME: &'static str = "documents";
    const ABOUT: &'static str = "List the documents of the space, or those that pass a filter.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<DocumentView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<DocumentView>, Error> {
        let Self { filter, after, limit } = self;
        memory.list_documents(call.space(), &DocumentsRequest { filter: Filter::parse(&filter)?, after, limit })
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
