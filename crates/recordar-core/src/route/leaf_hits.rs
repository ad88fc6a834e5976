//! Where in the tree the best hits of a search are: by that, the built-in method chooses categories and ranks chunks.

use super::hybrid::HybridRoute;
use super::question::Question;
use crate::error::Error;
use crate::index::Indexes;
use crate::noun::search::{MAX_LIMIT, SearchRequest};
use crate::tree::Tree;
use recordar_domain::text::Language;
use recordar_domain::{Cancel, Filter, SpaceName, Stage, Timestamp};
use recordar_store::Store;
use std::collections::BTreeMap;

/// A chunk that a search found, and its leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeafHit {
    pub chunk: i64,
    pub leaf: i64,
    pub score: f64,
}

/// The hits of a question that are in the tree, best first.
pub struct LeafHits {
    pub hits: Vec<LeafHit>,
    /// How the question was read and searched.
    pub stages: Vec<Stage>,
}

/// Hits read at a time.
const PAGE: usize = 500;

impl LeafHits {
    pub fn search(
        (store, indexes, cancel): (&Store, &Indexes, &Cancel),
        space: &SpaceName,
        (query, filter): (&str, &Filter),
        (language, now): (Language, Timestamp),
    ) -> Result<Self, Error> {
        let request = SearchRequest { limit: MAX_LIMIT, filter: filter.clone(), ..SearchRequest::new(query) };
        request.check()?;
        let (question, read) = Question::read(query, language, now);
        let spaces = std::slice::from_ref(space);
        let found = HybridRoute::new((indexes, cancel), spaces, &question, &request).items()?;
        let ids: Vec<i64> = found.candidates.iter().map(|candidate| i64::from(candidate.hit.id)).collect();
        let leaves: BTreeMap<i64, i64> = store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(BTreeMap::new()) };
            let mut leaves = BTreeMap::new();
            for page in ids.chunks(PAGE) {
                leaves.extend(reading.leaves_of(row.id, page)?);
            }
            Ok(leaves)
        })?;
        let hits = found.candidates.iter().filter_map(|candidate| {
            let chunk = i64::from(candidate.hit.id);
            Some(LeafHit { chunk, leaf: *leaves.get(&chunk)?, score: candidate.hit.score })
        });
        let hits = hits.collect();
        Ok(Self { hits, stages: std::iter::once(read).chain(found.stages).collect() })
    }

    /// How much of the best hits each category holds, by its id. The first hit outweighs all others together, so a large category does not win by
    /// numbers alone.
    pub(crate) fn by_category(&self, tree: &Tree) -> BTreeMap<i64, f64> {
        let mut found: BTreeMap<i64, f64> = BTreeMap::new();
        for (rank, hit) in self.hits.iter().enumerate() {
            let Some(leaf) = tree.find(hit.leaf) else { continue };
            for id in tree.path(leaf).into_iter().filter_map(|node| tree.id(node)) {
                *found.entry(id).or_default() += 1.0 / ((rank + 1) as f64).powi(2);
            }
        }
        found
    }
}
