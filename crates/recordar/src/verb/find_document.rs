//! One call, one document (C2, C3): the version of a file that matches a description, at a given time.

use super::documents::DocumentText;
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::verb::documents::read_text;
use recordar_core::error::Error;
use recordar_core::noun::labels::NO_LABELS;
use recordar_core::route::Question;
use recordar_core::route::document::{
    Choice, DocumentFallback, DocumentMeta, DocumentRequest, MAX_K, Steps, VersionStrategy, documents_of,
};
use recordar_core::route::document_name::absolute;
use recordar_core::route::filter::Limited;
use recordar_core::route::hybrid::{HybridRoute, When};
use recordar_domain::{Filter, Invalid, SpaceName, Timestamp, Trace};
use recordar_index::{Mode as SearchMode, SignalSet};
use recordar_store::{DocumentRow, Error as StoreError, Reading, SpaceId, VersionRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DocumentResult {
    #[serde(flatten)]
    pub document: DocumentText,
    pub score: f64,
    /// The query that was used.
    pub query: String,
    pub required_tags: Vec<String>,
    /// How many versions and documents were considered.
    pub candidate_documents: usize,
    pub candidate_versions: usize,
    /// Steps that matched nothing and were skipped.
    pub fallbacks: Vec<DocumentFallback>,
    pub trace: Trace,
}

impl Recordar {
    /// The text of the version of a document that best matches a description.
    pub fn document(&self, space: &SpaceName, request: &DocumentRequest) -> Result<DocumentResult, Error> {
        self.showing(|memory| {
            request.check()?;
            let absent = || StoreError::absent(format!("document in space {space}"));
            let (id, documents, versions) = memory.store.read(|reading| {
                let id = reading.space(space)?.ok_or_else(absent)?.id;
                let documents = reading.documents(id)?;
                let versions = all_versions(reading, id, &documents)?;
                if versions.is_empty() { Err(absent()) } else { Ok((id, documents, versions)) }
            })?;
            let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
            versions.iter().for_each(|choice| *counts.entry(choice.document).or_default() += 1);
            let (meta, skipped) = request.meta.without_skipped();
            let request = &DocumentRequest { meta, ..request.clone() };
            let required_tags = request.required_tags();
            let absolute = request.meta.filename.as_deref().and_then(absolute);
            let mut steps = Steps { strict: request.strict, fallbacks: Vec::new(), trace: Trace::default() };
            steps.skip(skipped)?;
            let (choices, is_named) = steps.narrow(versions, &documents, &request.meta, absolute.as_deref())?;
            let mut choices = steps.tagged(choices, &documents, &required_tags)?;
            let query = request.meta.build_query();
            steps.trace.stages.extend(memory.score(space, &query, &mut choices)?.stages);
            let is_searched = !is_named && request.meta.describes();
            let choices = steps.bound(choices, &documents, request.k, is_searched)?;
            let choices = steps.as_of(choices, &documents, request)?;
            let (candidate_documents, candidate_versions) = (documents_of(&choices), choices.len());
            let chosen = steps.choose(choices, &documents, request.strategy);
            let row = &documents[chosen.document];
            let document = memory.store.read(|reading| {
                // It may have been forgotten meanwhile.
                let is_there = reading.versions(id, row.id)?.iter().any(|version| version.id == chosen.version.id);
                if !is_there {
                    return Err(absent());
                }
                read_text(reading, id, row.clone(), counts[&chosen.document], &chosen.version)
            })?;
            let Steps { fallbacks, trace, .. } = steps;
            Ok(DocumentResult {
                document,
                score: chosen.score,
                query,
                required_tags,
                candidate_documents,
                candidate_versions,
                fallbacks,
                trace,
            })
        })
    }

    /// Scores each version, live or not, in one search.
    fn score(&self, space: &SpaceName, query: &str, choices: &mut [Choice]) -> Result<Trace, Error> {
        let (question, read) = Question::read(query, self.config.language, (self.clock)());
        let route = HybridRoute {
            indexes: &self.indexes,
            cancel: &self.cancel,
            spaces: std::slice::from_ref(space),
            question: &question,
            text: query,
            mode: SearchMode::Hybrid,
            when: When::Ever,
            depth: 1,
            limited: Limited::new(&NO_LABELS, &Filter::default()),
            without: SignalSet::default(),
        };
        let narrow = |number: i64| u32::try_from(number).unwrap_or(0);
        let versions = choices.iter().map(|choice| (narrow(choice.version.document_id), narrow(choice.version.born)));
        let (scores, stage) = route.scores(space, &versions.collect::<Vec<(u32, u32)>>())?;
        choices.iter_mut().zip(scores).for_each(|(choice, score)| choice.score = score);
        Ok(Trace { stages: vec![read, stage] })
    }
}

fn all_versions(
    reading: &mut Reading<'_>,
    space: SpaceId,
    documents: &[DocumentRow],
) -> Result<Vec<Choice>, StoreError> {
    let places: BTreeMap<i64, usize> = documents.iter().enumerate().map(|(place, row)| (row.id, place)).collect();
    let choice = |version: VersionRow| {
        let document = places.get(&version.document_id)?;
        Some(Choice { document: *document, version, score: 0.0 })
    };
    Ok(reading.all_versions(space)?.into_iter().filter_map(choice).collect())
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DocumentArguments {
    /// Its file name or path.
    #[serde(alias = "file_name")]
    #[schemars(extend("x-alias" = "file_name"))]
    filename: Option<String>,
    /// Its topic.
    topic: Option<String>,
    /// Its note.
    note: Option<String>,
    /// Its provider.
    provider: Option<String>,
    /// Required tags; all must match.
    #[serde(default)]
    tags: Vec<String>,
    /// What to search for, instead of the other fields.
    query: Option<String>,
    /// The whole description as one object, instead of these fields. Fields of it that are empty or unknown are skipped and reported.
    meta: Option<DocumentMeta>,
    /// How many documents to consider, with all their versions.
    #[serde(default = "default_k")]
    #[schemars(range(min = 1, max = MAX_K))]
    k: usize,
    /// More required tags, for programs that add their own to those of a user.
    #[serde(default)]
    default_tags: Vec<String>,
    /// Which version: latest, earliest, longest or score.
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["latest", "earliest", "longest", "score"]))]
    strategy: VersionStrategy,
    /// With latest: the newest version at that time.
    as_of: Option<Timestamp>,
    /// Fail if the name, tags, query or time match nothing, or a field is empty or unknown, instead of ignoring it.
    #[serde(default)]
    strict: bool,
}

fn default_k() -> usize {
    DocumentRequest::default().k
}

impl Verb for DocumentArguments {
    const NAME: &'static str = "document";
    const ABOUT: &'static str = "Show the document version that best matches a description.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = DocumentResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<DocumentResult, Error> {
        let Self { filename, topic, note, provider, tags, query, meta, .. } = self;
        let fields = DocumentMeta { filename, topic, note, provider, tags, query, ..DocumentMeta::default() };
        let meta = match meta {
            Some(_) if fields != DocumentMeta::default() => {
                let what = "both meta and a field of it are given";
                return Err(Invalid::new(what, "give the whole description in meta, or leave meta out").into());
            }
            Some(meta) => meta,
            None => fields,
        };
        let Self { k, default_tags, strategy, as_of, strict, .. } = self;
        memory.document(call.space(), &DocumentRequest { meta, k, default_tags, strategy, as_of, strict })
    }
}
