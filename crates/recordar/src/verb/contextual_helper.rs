//! The contextual helpers of sources: show, set and regenerate them, and list sources without one.

use super::options::HelperArgument;
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::ingest::{
    Helper, HelperInput, HelperReport, Session, check_helper, origin_name, read_source, renew, sources_without_helper,
};
use recordar_core::error::Error;
use recordar_domain::{OperationId, SpaceName, Timestamp};
use recordar_store::{Error as StoreError, HelperRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperRequest {
    /// Its path, file name or id.
    pub document: String,
    /// A new helper that replaces the current one.
    pub given: Option<HelperInput>,
    /// Regenerate it from the document's current text, even if a user has set it.
    pub regenerate: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HelperView {
    pub document: String,
    pub document_id: i64,
    /// Absent if the source has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helper: Option<HelperReport>,
    /// The version that a user had set and that this call replaced with a generated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_version: Option<i64>,
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

impl Recordar {
    /// The helper of a source; first replaced or regenerated if requested.
    pub fn helper(
        &self,
        space: &SpaceName,
        request: &HelperRequest,
        operation: &OperationId,
    ) -> Result<HelperView, Error> {
        self.showing(|memory| helper(memory, space, request, operation))
    }

    /// The text of a helper with these fields, and its token count; or what is wrong with them.
    pub fn preview_helper(&self, input: &HelperInput) -> Result<Helper, Error> {
        check_helper(input, &self.counter)
    }

    /// The sources among the paths that have no helper, if they need one before they are ingested.
    pub fn sources_without_helper(&self, space: &SpaceName, paths: &[String]) -> Result<Vec<String>, Error> {
        sources_without_helper(self, space, paths)
    }
}

fn helper(
    memory: &Recordar,
    space: &SpaceName,
    request: &HelperRequest,
    operation: &OperationId,
) -> Result<HelperView, Error> {
    let source = read_source(memory, space, &request.document)?;
    let mut report = None;
    if request.given.is_some() || request.regenerate {
        let (session, given) = (Session::new(&memory.reasoning), request.given.as_ref());
        report = renew((memory, space), &source, (given, request.regenerate), &session, operation)?;
    }
    let versions = memory.store.read(|reading| {
        let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
        reading.helpers_of(id, source.document_id)
    })?;
    let versions: Vec<HelperVersion> = versions.into_iter().map(HelperVersion::of).collect();
    let live = versions.iter().find(|version| version.is_live);
    let is_new = report.as_ref().is_some_and(|report| !report.reused && report.origin == "generated");
    let before = versions.iter().rev().nth(1).filter(|before| is_new && before.origin == "user");
    let replaced_version = before.map(|before| before.number);
    let helper = report.or_else(|| live.map(HelperVersion::report));
    Ok(HelperView { document: source.path, document_id: source.document_id, helper, replaced_version, versions })
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
    /// Regenerate it from the document's current text. This also replaces a helper that a user has set.
    #[serde(default)]
    regenerate: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for HelperArguments {
    const NAME: &'static str = "helper";
    const ABOUT: &'static str = "Show or change the helper of a source, which describes the source in prompts.";
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
