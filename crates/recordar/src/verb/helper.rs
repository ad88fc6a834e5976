//! The contextual helpers of sources: show, set and regenerate them, and list sources without one.

use super::documents::find_document;
use super::options::HelperArgument;
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use crate::ingest::{
    Asking, Helper, HelperInput, HelperReport, Placing, PlacingRequest, ToPlace, Unplaced, origin_name,
};
use recordar_domain::{Attributes, Digest, Hasher, OperationId, SpaceName, Timestamp};
use recordar_store::{ChunkRow, Error as StoreError, HelperRow, Operation, Settled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperRequest {
    /// Its path, file name or id.
    pub document: String,
    /// A new helper that replaces the current one.
    pub given: Option<HelperInput>,
    /// Regenerate it from the document's current text. A helper that a user gave is kept.
    pub regenerate: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HelperView {
    pub document: String,
    pub document_id: i64,
    /// Absent if the source has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helper: Option<HelperReport>,
    /// Every helper the source has had, oldest first.
    pub versions: Vec<HelperVersion>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HelperVersion {
    pub number: i64,
    #[serde(flatten)]
    pub helper: Helper,
    /// `user` or `generated`.
    pub origin: &'static str,
    pub timestamp: Timestamp,
    pub is_live: bool,
}

/// The parts of a document its helper is made from.
struct Source {
    document_id: i64,
    path: String,
    filename: String,
    attributes: Attributes,
    chunks: Vec<ChunkRow>,
}

impl Recordar {
    /// The helper of a source; first replaced or regenerated if requested.
    pub fn helper(
        &self,
        space: &SpaceName,
        request: &HelperRequest,
        operation: &OperationId,
    ) -> Result<HelperView, Error> {
        if self.hides() {
            return self.showing(|memory| memory.helper(space, request, operation));
        }
        let source = self.source(space, &request.document)?;
        let mut report = None;
        if request.given.is_some() || request.regenerate {
            let asking = self.asking();
            report = self.renew(space, &source, (request.given.as_ref(), request.regenerate), &asking, operation)?;
        }
        let versions = self.store.read(|reading| {
            let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
            reading.helpers_of(id, source.document_id)
        })?;
        let versions: Vec<HelperVersion> = versions.into_iter().map(HelperVersion::of).collect();
        let live = versions.iter().find(|version| version.is_live);
        let helper = report.or_else(|| live.map(HelperVersion::report));
        Ok(HelperView { document: source.path, document_id: source.document_id, helper, versions })
    }

    /// The paths whose sources lack a required helper.
    pub fn sources_without_helper(&self, space: &SpaceName, paths: &[String]) -> Result<Vec<String>, Error> {
        if self.config.auto_source_identification {
            return Ok(Vec::new());
        }
        Ok(self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(paths.to_vec()) };
            let mut missing = Vec::new();
            for path in paths {
                let document = reading.document_at(space.id, path)?;
                let helper = document.map_or(Ok(None), |document| reading.helper(space.id, document.id))?;
                if helper.is_none() {
                    missing.push(path.clone());
                }
            }
            Ok(missing)
        })?)
    }

    /// Rejects invalid helpers, and sources without a required one, before anything is stored.
    pub(crate) fn check_helpers<'a>(
        &self,
        space: &SpaceName,
        placing: &PlacingRequest,
        paths: impl Iterator<Item = &'a str>,
    ) -> Result<(), Error> {
        for given in placing.helpers.values().chain(&placing.helper) {
            self.preview_helper(given)?;
        }
        let open: Vec<String> = paths.filter(|path| placing.given(path).is_none()).map(str::to_owned).collect();
        let missing = self.sources_without_helper(space, &open)?;
        let Some(first) = missing.first() else { return Ok(()) };
        let others = if missing.len() > 1 { format!(" and {} more", missing.len() - 1) } else { String::new() };
        let what = format!(
            "{first}{others} cannot be ingested: the contextual helper's date, author, topic and description are missing"
        );
        let remedy = "provide them (use \"unknown\" if not known), or set ingest.auto_source_identification to true";
        Err(Error::input("helper_missing", what, remedy))
    }

    /// Replaces the helper of a stored document, if requested.
    pub(crate) fn renew_helper(
        &self,
        space: &SpaceName,
        path: &str,
        placing: &PlacingRequest,
        asking: &Asking,
        operation: &OperationId,
    ) -> Result<Option<HelperReport>, Error> {
        let given = placing.given(path);
        if given.is_none() && !placing.regenerate_helper {
            return Ok(None);
        }
        let source = self.source(space, path)?;
        self.renew(space, &source, (given, placing.regenerate_helper), asking, &operation.part(b"helper"))
    }

    fn renew(
        &self,
        space: &SpaceName,
        source: &Source,
        (given, regenerate): (Option<&HelperInput>, bool),
        asking: &Asking,
        operation: &OperationId,
    ) -> Result<Option<HelperReport>, Error> {
        let chunks = source.chunks.iter();
        let document = ToPlace {
            path: &source.path,
            filename: &source.filename,
            attributes: &source.attributes,
            chunks: chunks.map(|chunk| Unplaced { text: &chunk.text, section: chunk.section.as_deref() }).collect(),
            is_classified: false,
            given,
            regenerate,
        };
        let request = Hasher::default().field(&source.path).field(format!("{given:?} {regenerate}")).finish();
        let (is_repeated, placing) = self.place(space, &document, asking, |placing: &Placing, _| {
            self.put_helper(space, source.document_id, placing, operation, request).map(Some)
        })?;
        if is_repeated {
            // The helper generated now was not stored; the earlier one is.
            return Ok(None);
        }
        match (placing.helper, placing.problem) {
            (None, Some(problem)) => Err(Error::input(&problem.code, problem.what, problem.remedy)),
            (helper, _) => Ok(helper),
        }
    }

    fn put_helper(
        &self,
        space: &SpaceName,
        document_id: i64,
        placing: &Placing,
        operation: &OperationId,
        request: Digest,
    ) -> Result<bool, Error> {
        let Some((origin, helper)) = &placing.new_helper else { return Ok(false) };
        let operation = Operation { id: operation, kind: "helper", request };
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            let id = writing.space_id();
            // It may have been forgotten meanwhile.
            if writing.document(id, document_id)?.is_none() {
                return Err(StoreError::absent(format!("document {document_id} in space {space}")));
            }
            Ok(Settled::Commit(writing.add_helper(document_id, *origin, &helper.text, helper.tokens as i64)?.number))
        })?;
        Ok(written.is_repeated)
    }

    fn source(&self, space: &SpaceName, name: &str) -> Result<Source, Error> {
        Ok(self.store.read(|reading| {
            let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
            let document = find_document(reading, id, space, name)?;
            let version = reading.latest_version(id, document.id)?;
            let version =
                version.ok_or_else(|| StoreError::absent(format!("a version of {name:?} in space {space}")))?;
            let chunks = reading.chunks(id, version.id)?;
            Ok(Source {
                document_id: document.id,
                path: document.path,
                filename: document.filename,
                attributes: version.attributes,
                chunks,
            })
        })?)
    }
}

impl HelperVersion {
    fn of(row: HelperRow) -> Self {
        Self {
            number: row.number,
            helper: Helper { text: row.text, tokens: row.tokens as u64 },
            origin: origin_name(row.origin),
            timestamp: row.recorded_at,
            is_live: row.is_live,
        }
    }

    fn report(&self) -> HelperReport {
        HelperReport {
            helper: self.helper.clone(),
            origin: self.origin,
            reused: true,
            method: None,
            tokens_used: 0,
            timestamp: self.timestamp,
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct HelperArguments {
    /// The document's path, file name or id.
    name: String,
    /// A new helper: an object with text, or with date, author, topic and description.
    helper: Option<HelperArgument>,
    /// Regenerate it from the document's current text. A helper that a user gave is kept.
    #[serde(default)]
    regenerate: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for HelperArguments {
    const NAME: &'static str = "helper";
    const ABOUT: &'static str = "Show or change the helper of a source: its description in prompts.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = HelperView;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<HelperView, Error> {
        let given = self.helper.map(HelperArgument::input).transpose()?;
        let request = HelperRequest { document: self.name, given, regenerate: self.regenerate };
        memory.helper(call.space(), &request, &call.operation(self.operation)?)
    }
}
