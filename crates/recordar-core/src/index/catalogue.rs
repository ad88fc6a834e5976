//! The documents of a space as filters see them, beside its index: loaded at the first search that asks for them.

use super::prepare::narrow;
use crate::noun::item::StoredWith;
use recordar_domain::{Clause, DocumentProperties, FileType};
use recordar_index::{LIVE, NOW};
use recordar_store::{DocumentFacets, Error as StoreError, Reading, SpaceId};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers that are kept: matching a pattern with every path takes longer than a search.
const MAX_ANSWERS: usize = 64;

pub struct Catalogue {
    /// The revision of the index that it belongs to.
    pub(super) revision: i64,
    states: Vec<State>,
    answers: Mutex<VecDeque<Answer>>,
}

/// A document from one revision up to another.
struct State {
    group: u32,
    born: u32,
    retired: u32,
    path: String,
    name: Option<String>,
    file_type: FileType,
    tags: Vec<String>,
    collection: Option<String>,
    metadata: Map<String, Value>,
}

/// The groups that match a condition at a revision.
struct Answer {
    condition: String,
    at: u32,
    groups: Arc<Vec<u32>>,
}

impl Catalogue {
    /// Reads what changed since the one before.
    pub(super) fn read(
        reading: &mut Reading<'_>,
        space: SpaceId,
        before: Option<Self>,
        revision: i64,
    ) -> Result<Self, StoreError> {
        if let Some(before) = before
            && !reading.document_facets_changed(space, before.revision)?
        {
            return Ok(Self { revision, ..before });
        }
        let states = reading.document_facets(space)?.into_iter().map(State::new).collect::<Result<_, _>>()?;
        Ok(Self { revision, states, answers: Mutex::default() })
    }

    /// Its approximate size in RAM, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.states.iter().map(State::bytes).sum()
    }

    /// The documents that have one of a condition's values as of a revision of the index, as an index groups them.
    pub fn groups(&self, clause: &Clause, at: u32) -> Arc<Vec<u32>> {
        // It may have been read after the index: then what came later does not count yet.
        let own = u32::try_from(self.revision).unwrap_or(NOW);
        let (key, at) = if at >= own { (NOW, own) } else { (at, at) };
        let condition = clause.to_string();
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers.iter().find(|answer| answer.at == key && answer.condition == condition) {
            return Arc::clone(&known.groups);
        }
        let live = self.states.iter().filter(|state| state.born <= at && at < state.retired);
        let matching = live.filter(|state| clause.matches_document(&state.properties()));
        let groups = Arc::new(matching.map(|state| state.group).collect::<Vec<u32>>());
        if answers.len() >= MAX_ANSWERS {
            answers.pop_front();
        }
        answers.push_back(Answer { condition, at: key, groups: Arc::clone(&groups) });
        groups
    }
}

impl State {
    fn new(facets: DocumentFacets) -> Result<Self, StoreError> {
        Ok(Self {
            group: narrow(facets.group)?,
            born: narrow(facets.born)?,
            retired: facets.retired.map_or(Ok(LIVE), narrow)?,
            metadata: StoredWith::document_metadata(&facets.attributes),
            tags: facets.attributes.tags().to_vec(),
            path: facets.path,
            name: facets.name,
            file_type: facets.file_type,
            collection: facets.collection,
        })
    }

    fn properties(&self) -> DocumentProperties<'_> {
        DocumentProperties {
            path: &self.path,
            name: self.name.as_deref(),
            file_type: self.file_type,
            tags: &self.tags,
            collection: self.collection.as_deref(),
            metadata: &self.metadata,
        }
    }

    fn bytes(&self) -> usize {
        let tags: usize = self.tags.iter().map(|tag| tag.len() + 24).sum();
        let metadata: usize = self.metadata.iter().map(|(key, value)| key.len() + value.to_string().len() + 64).sum();
        size_of::<Self>() + self.path.len() + self.name.as_ref().map_or(0, String::len) + tags + metadata
    }
}
