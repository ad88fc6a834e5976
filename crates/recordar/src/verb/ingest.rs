//! The verbs of ingestion: files and folders, and texts. The work itself is in `ingest/`.

use super::options::{AttributeArguments, HelperArgument, PlacingArguments};
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use crate::error::Error;
use crate::ingest::{
    self, IngestReport, IngestRequest, Problem, TextRequest, decode, files_under, sources_without_helper,
};
use crate::noun::progress::Progress;
use recordar_domain::{FileType, SpaceName, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
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

    /// The files of a request that need a contextual helper before they are ingested, and have none.
    pub fn sources_to_ask_about(
        &self,
        space: &SpaceName,
        paths: &[PathBuf],
        file_type: Option<FileType>,
    ) -> Result<Vec<String>, Error> {
        sources_without_helper(self, space, &files_under(paths, file_type))
    }
}

/// Arguments for files only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct IngestOwn {
    /// Files and folders. In folders, .txt .md .json .yml .yaml files are read. Hidden and ignored (.gitignore) files are skipped;
    /// links are not followed.
    paths: Vec<PathBuf>,
    /// File type, regardless of extension: text, markdown, json or yaml.
    #[serde(rename = "type")]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "markdown", "json", "yaml"]))]
    file_type: Option<FileType>,
    /// Retire documents whose files no longer exist under these paths. Their versions are kept.
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
    const REACH: Reach<Self> = Reach::Files;
    const IS_LONG: bool = true;
    type Reply = IngestReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<IngestReport, Error> {
        let With(own, With(attributes, placing)) = self;
        let request = IngestRequest {
            paths: own.paths,
            attributes: attributes.attributes()?,
            file_type: own.file_type,
            prune: own.prune,
            force: own.force,
            placing: placing.request(own.helpers)?,
            operation: call.operation(own.operation)?,
        };
        let space = call.space().clone();
        memory.ingest(&space, &request, &mut |progress| call.tell(progress))
    }
}

/// Arguments for texts only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct IngestTextOwn {
    /// The text to store as a document.
    text: String,
    /// The document's name, such as notes/trip.md.
    name: String,
    /// Text type: text, markdown, json or yaml. By default, from the name's extension.
    #[serde(rename = "type")]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "markdown", "json", "yaml"]))]
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
        let by_name = FileType::of_path(Path::new(&own.name));
        let request = TextRequest {
            file_type: own.file_type.or(by_name).unwrap_or(FileType::Text),
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
