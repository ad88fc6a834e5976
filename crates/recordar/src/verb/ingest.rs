//! The verbs of ingestion: files and folders, and texts. The work itself is in `ingest/`.

use super::options::{AttributeArguments, HelperArgument, PlacingArguments};
use crate::call::{Call, Carried, Effect, Reach, ReachKind, Upload, Verb, With};
use crate::engine::Recordar;
use crate::ingest::{
    self, CollectionRequest, IngestReport, IngestRequest, Problem, SelectFiles, TextRequest, Watched, decode,
    files_under, sources_without_helper, type_by_text, watched,
};
use recordar_core::error::Error;
use recordar_core::noun::progress::Progress;
use recordar_domain::{FileType, SpaceName, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Recordar {
    /// Decodes bytes as text, or says why that fails.
    pub fn decode(&self, bytes: Vec<u8>) -> Result<String, Error> {
        let refused = |problem: Problem| Error::input(&problem.code, problem.what, problem.remedy);
        decode(bytes, self.config.max_file_bytes).map_err(refused)
    }

    /// Stores one text as a document.
    pub fn ingest_text(&self, space: &SpaceName, request: TextRequest) -> Result<IngestReport, Error> {
        self.showing(|memory| ingest::ingest_text(memory, space, &request))
    }

    /// Stores files and folders. Failures of single files are in the report; an error means that nothing was tried.
    pub fn ingest(
        &self,
        space: &SpaceName,
        request: &IngestRequest,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<IngestReport, Error> {
        self.showing(|memory| ingest::ingest(memory, space, request, progress))
    }

    /// The same for files that were sent. They are documents of their names, and in no folder of this machine.
    pub fn ingest_uploads(
        &self,
        space: &SpaceName,
        request: &IngestRequest,
        uploads: Vec<Upload>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<IngestReport, Error> {
        self.showing(|memory| ingest::ingest_uploads(memory, space, request, &uploads, progress))
    }

    /// The files of a request that need a contextual helper before they are ingested, and have none.
    pub fn sources_to_ask_about(
        &self,
        space: &SpaceName,
        paths: &[PathBuf],
        select: &SelectFiles,
    ) -> Result<Vec<String>, Error> {
        sources_without_helper(self, space, &files_under(paths, select)?)
    }

    /// The files that an ingestion of these paths would read, and the folders in which others may appear.
    pub fn watched(&self, paths: &[PathBuf], select: &SelectFiles) -> Result<Watched, Error> {
        watched(paths, select)
    }

    /// The verb `ingest`, for only these files of its paths: those that a watcher found changed. See `IngestRequest::only`.
    pub fn ingest_only(
        &self,
        mut call: Call<'_>,
        arguments: Map<String, Value>,
        only: Vec<PathBuf>,
    ) -> Result<IngestReport, Error> {
        let (memory, arguments) = self.accepted::<IngestArguments>(&call, arguments)?;
        memory.showing(|memory| arguments.ingest(memory, &mut call, Some(only)))
    }
}

/// Arguments for files only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct IngestOwn {
    /// Files and folders. In folders, documents and source code are read, by their extensions. Hidden and ignored (.gitignore) files,
    /// folders of packages and generated files are skipped; links are not followed.
    paths: Vec<PathBuf>,
    /// Read only files that match this glob, relative to the folder, such as *.md or docs/**.
    #[serde(default)]
    include: Vec<String>,
    /// Skip files and folders that match this glob, such as drafts or **/old/*.txt.
    #[serde(default)]
    exclude: Vec<String>,
    /// File type, regardless of extension. With include, also files with unknown extensions are read.
    #[serde(rename = "type")]
    #[schemars(with = "Option<String>", extend("enum" = FileType::ALL.map(FileType::name)))]
    file_type: Option<FileType>,
    /// The collection that the files belong to. By default the one whose root contains them, or the name of the root folder.
    collection: Option<String>,
    /// The folder that names of documents are relative to; by default the nearest version-control root, or the given folder. If the
    /// collection had another root on this machine, it has moved.
    root: Option<PathBuf>,
    /// Retire documents whose files no longer exist under these paths. Their versions are kept. A file that moved keeps its history.
    #[serde(default)]
    prune: bool,
    /// Helpers of individual sources: an object with their paths as keys, and objects like `helper` as values.
    #[serde(default)]
    helpers: BTreeMap<String, HelperArgument>,
    /// Store a new version even if the content is unchanged.
    #[serde(default)]
    force: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

pub type IngestArguments = With<IngestOwn, With<AttributeArguments, PlacingArguments>>;

impl Verb for IngestArguments {
    const NAME: &'static str = "ingest";
    const ABOUT: &'static str = "Store files and folders as documents. Changed files become new versions.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Files(Some(|_| ReachKind::OwnSpace));
    const IS_LONG: bool = true;
    type Reply = IngestReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<IngestReport, Error> {
        self.ingest(memory, call, None)
    }
}

impl IngestArguments {
    fn ingest(self, memory: &Recordar, call: &mut Call<'_>, only: Option<Vec<PathBuf>>) -> Result<IngestReport, Error> {
        let With(own, With(attributes, placing)) = self;
        let request = IngestRequest {
            paths: own.paths,
            only,
            attributes: attributes.attributes()?,
            file_type: own.file_type,
            include: own.include,
            exclude: own.exclude,
            collection: CollectionRequest { collection: own.collection, root: own.root },
            prune: own.prune,
            force: own.force,
            placing: placing.request(own.helpers)?,
            operation: call.operation(own.operation)?,
        };
        let space = call.space().clone();
        match call.carried.take() {
            None => memory.ingest(&space, &request, &mut |progress| call.tell(progress)),
            Some(Carried::Uploads(uploads)) => {
                memory.ingest_uploads(&space, &request, uploads, &mut |progress| call.tell(progress))
            }
            Some(Carried::Download(_)) => Err(Carried::unexpected(Self::NAME)),
        }
    }
}

/// Arguments for texts only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct IngestTextOwn {
    /// The text to store as a document.
    text: String,
    /// The document's name, such as notes/trip.md.
    name: String,
    /// Text type. By default, from the name's extension.
    #[serde(rename = "type")]
    #[schemars(with = "Option<String>", extend("enum" = FileType::TEXTS.map(FileType::name)))]
    file_type: Option<FileType>,
    /// When the text was written, such as 2026-01-31T09:30:00Z.
    mtime: Option<Timestamp>,
    /// Store a new version even if the content is unchanged.
    #[serde(default)]
    force: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

pub type IngestTextArguments = With<IngestTextOwn, With<AttributeArguments, PlacingArguments>>;

impl Verb for IngestTextArguments {
    const NAME: &'static str = "ingest_text";
    const ABOUT: &'static str = "Store a text as a document.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = IngestReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<IngestReport, Error> {
        let With(own, With(attributes, placing)) = self;
        // The text of a PDF that someone else has read is a text.
        let by_name = FileType::of_path(Path::new(&own.name)).filter(|by_name| by_name.is_text());
        let request = TextRequest {
            file_type: own.file_type.unwrap_or_else(|| type_by_text(by_name.unwrap_or(FileType::Text), &own.text)),
            name: own.name,
            text: own.text,
            attributes: attributes.attributes()?,
            mtime: own.mtime,
            force: own.force,
            placing: placing.request(BTreeMap::new())?,
            operation: call.operation(own.operation)?,
        };
        memory.ingest_text(call.space(), request)
    }
}
