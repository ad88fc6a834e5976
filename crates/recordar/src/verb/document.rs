//! One call, one document (C2, C3): the version of the file that a description means, at the time that it means.

use crate::route::document::{Choice, Steps, documents_of};
use crate::route::hybrid::{Candidate, HybridRoute, When};
use crate::verb::documents::read_text;
use crate::{DocumentRequest, DocumentText, Error, Recordar, SearchRequest};
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
    pub fallbacks: Vec<&'static str>,
    pub trace: Trace,
}

/// How deep the search for documents goes, so that messages do not crowd them out.
const DEPTH: usize = 1000;

impl Recordar {
    /// The text of one version of one document, by what is known of it.
    pub fn document(&self, space: &SpaceName, request: &DocumentRequest) -> Result<DocumentResult, Error> {
        request.check()?;
        let query = request.meta.build_query();
        let (scores, trace) = self.score_versions(space, &query)?;
        let found = self.store.read(|reading| {
            let absent = || StoreError::absent(format!("document in space {space}"));
            let id = reading.space(space)?.ok_or_else(absent)?.id;
            let documents = reading.documents(id)?;
            let versions = all_versions(reading, id, &documents, &scores)?;
            if versions.is_empty() {
                return Err(absent());
            }
            Ok((id, documents, versions))
        })?;
        let (id, documents, versions) = found;
        let all: BTreeMap<usize, usize> = versions.iter().fold(BTreeMap::new(), |mut counts, choice| {
            *counts.entry(choice.document).or_default() += 1;
            counts
        });
        let mut steps = Steps { strict: request.strict, fallbacks: Vec::new(), trace };
        let required_tags = request.required_tags();
        let (choices, is_named) = steps.narrow(versions, &documents, &request.meta)?;
        let choices = steps.tagged(choices, &documents, &required_tags)?;
        let is_searched = !is_named && request.meta.describes();
        let choices = steps.bound(choices, &documents, request.k, is_searched);
        let choices = steps.as_of(choices, &documents, request)?;
        let (candidate_documents, candidate_versions) = (documents_of(&choices), choices.len());
        let chosen = steps.choose(choices, &documents, request.strategy);
        let row = documents[chosen.document].clone();
        let count = all[&chosen.document];
        let document = self.store.read(|reading| read_text(reading, id, row.clone(), count, &chosen.version))?;
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

    /// How well each version matches, of all that were ever stored: one search.
    fn score_versions(&self, space: &SpaceName, query: &str) -> Result<(BTreeMap<i64, f64>, Trace), Error> {
        let (question, mut trace) = self.read_question(&SearchRequest::new(query));
        let spaces = std::slice::from_ref(space);
        let route = HybridRoute {
            indexes: &self.indexes,
            spaces,
            question: &question,
            text: query,
            mode: crate::SearchMode::Hybrid,
            when: When::Ever,
            depth: DEPTH,
        };
        let (found, stage) = route.groups()?;
        trace.stages.push(stage);
        let scores = self.store.read(|reading| {
            let mut scores = BTreeMap::new();
            let Some(space) = reading.space(space)? else { return Ok(scores) };
            for Candidate { hit, .. } in &found {
                let item = reading.item(space.id, hit.best.into())?;
                if let Some(version) = item.and_then(|item| item.version_id) {
                    scores.insert(version, hit.score);
                }
            }
            Ok(scores)
        })?;
        Ok((scores, trace))
    }
}

fn all_versions(
    reading: &mut Reading<'_>,
    space: SpaceId,
    documents: &[DocumentRow],
    scores: &BTreeMap<i64, f64>,
) -> Result<Vec<Choice>, StoreError> {
    let places: BTreeMap<i64, usize> = documents.iter().enumerate().map(|(place, row)| (row.id, place)).collect();
    let choice = |version: VersionRow| {
        let score = scores.get(&version.id).copied().unwrap_or(0.0);
        places.get(&version.document_id).map(|document| Choice { document: *document, version, score })
    };
    Ok(reading.all_versions(space)?.into_iter().filter_map(choice).collect())
}
