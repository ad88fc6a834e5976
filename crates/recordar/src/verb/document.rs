//! One call, one document (C2, C3): the version of the file that a description means, at the time that it means.

use crate::route::document::{Choice, DocumentFallback, Steps, documents_of};
use crate::route::hybrid::{HybridRoute, When};
use crate::verb::documents::{absolute, read_text};
use crate::{DocumentRequest, DocumentText, Error, Recordar, SearchMode, SearchRequest};
use recordar_domain::{SpaceName, Trace};
use recordar_store::{DocumentRow, Error as StoreError, Reading, SpaceId, VersionRow};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentResult {
    #[serde(flatten)]
    pub document: DocumentText,
    pub score: f64,
    /// What was searched for.
    pub query: String,
    pub required_tags: Vec<String>,
    /// How many versions of how many documents there were to choose from.
    pub candidate_documents: usize,
    pub candidate_versions: usize,
    /// The steps that matched nothing and were left out.
    pub fallbacks: Vec<DocumentFallback>,
    pub trace: Trace,
}

impl Recordar {
    /// The text of one version of one document, by what is known of it.
    pub fn document(&self, space: &SpaceName, request: &DocumentRequest) -> Result<DocumentResult, Error> {
        request.check()?;
        let absent = || StoreError::absent(format!("document in space {space}"));
        let (id, documents, versions) = self.store.read(|reading| {
            let id = reading.space(space)?.ok_or_else(absent)?.id;
            let documents = reading.documents(id)?;
            let versions = all_versions(reading, id, &documents)?;
            if versions.is_empty() { Err(absent()) } else { Ok((id, documents, versions)) }
        })?;
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        versions.iter().for_each(|choice| *counts.entry(choice.document).or_default() += 1);
        let required_tags = request.required_tags();
        let absolute = request.meta.filename.as_deref().and_then(absolute);
        let mut steps = Steps { strict: request.strict, fallbacks: Vec::new(), trace: Trace::default() };
        let (choices, is_named) = steps.narrow(versions, &documents, &request.meta, absolute.as_deref())?;
        let mut choices = steps.tagged(choices, &documents, &required_tags)?;
        let query = request.meta.build_query();
        steps.trace.stages.extend(self.score(space, &query, &mut choices)?.stages);
        let is_searched = !is_named && request.meta.describes();
        let choices = steps.bound(choices, &documents, request.k, is_searched)?;
        let choices = steps.as_of(choices, &documents, request)?;
        let (candidate_documents, candidate_versions) = (documents_of(&choices), choices.len());
        let chosen = steps.choose(choices, &documents, request.strategy);
        let row = &documents[chosen.document];
        let document = self.store.read(|reading| {
            // It may have been forgotten since.
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
    }

    /// Tells how well each version matches, whether it is live or not: one search.
    fn score(&self, space: &SpaceName, query: &str, choices: &mut [Choice]) -> Result<Trace, Error> {
        let (question, mut trace) = self.read_question(&SearchRequest::new(query));
        let route = HybridRoute {
            indexes: &self.indexes,
            cancel: &self.cancel,
            spaces: std::slice::from_ref(space),
            question: &question,
            text: query,
            mode: SearchMode::Hybrid,
            when: When::Ever,
            depth: 1,
        };
        let ids = choices.iter().map(|choice| u32::try_from(choice.version.id).unwrap_or(0));
        let (scores, stage) = route.scores(space, &ids.collect::<Vec<u32>>())?;
        choices.iter_mut().zip(scores).for_each(|(choice, score)| choice.score = score);
        trace.stages.push(stage);
        Ok(trace)
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
