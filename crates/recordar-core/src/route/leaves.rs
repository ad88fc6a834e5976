//! The chunks on the leaves of paths: each leaf is read once, in order, page by page.

use super::filter::PassingChunks;
use super::leaf_hits::{LeafHit, LeafHits};
use crate::error::Error;
use crate::noun::chunk::QueryChunk;
use crate::noun::path::{DroppedPath, PathError, TreePath};
use crate::tree::SEPARATOR;
use recordar_domain::{Action, SpaceName, Stage, Timestamp};
use recordar_store::{Error as StoreError, LeafChunk, Reading, SpaceId, Store};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Chunks read at a time.
const PAGE: usize = 500;

/// Where a page of chunks begins: the index of its path, and the last chunk before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PagePosition {
    pub path: usize,
    pub after: Option<(Timestamp, i64)>,
    /// Chunks of the path that were read on earlier pages.
    pub taken: usize,
}

/// The chunks read.
pub struct Retrieved {
    /// With the index of its path.
    pub chunks: Vec<(usize, QueryChunk)>,
    pub errors: Vec<PathError>,
    /// Where the next page begins, if there is one.
    pub next: Option<PagePosition>,
    /// How many chunks come after this page.
    pub more: usize,
    pub latency_ms: f64,
    pub stage: Stage,
}

/// Reads the chunks of each path once, in order, up to a limit for each and for all.
pub fn retrieve(
    store: &Store,
    space: &SpaceName,
    (paths, passing): (&[TreePath], Option<&PassingChunks>),
    from: PagePosition,
    (of_each, of_all): (Option<usize>, usize),
) -> Result<Retrieved, Error> {
    let started = Instant::now();
    let mut retrieved = store.read(|reading| {
        let found = Retrieved {
            chunks: Vec::new(),
            errors: Vec::new(),
            next: None,
            more: 0,
            latency_ms: 0.0,
            stage: Stage::new("retrieve"),
        };
        let Some(space) = reading.space(space)?.map(|space| space.id) else { return Ok(found) };
        let documents = BTreeMap::new();
        let mut retrieval = Retrieval { reading, space, of_each, of_all, passing, documents, found };
        for (at, path) in paths.iter().enumerate().skip(from.path) {
            let place = if at == from.path { from } else { PagePosition { path: at, ..PagePosition::default() } };
            retrieval.read_path(path, place)?;
            if retrieval.found.next.is_none() && retrieval.left() == 0 && at + 1 < paths.len() {
                retrieval.found.next = Some(PagePosition { path: at + 1, ..PagePosition::default() });
            }
            if retrieval.found.next.is_some() {
                break;
            }
        }
        retrieval.count_rest(paths, from)?;
        Ok(retrieval.found)
    })?;
    retrieved.latency_ms = started.elapsed().as_secs_f64() * 1e3;
    Ok(retrieved)
}

/// Reads a page of the chunks of these paths, those that match the question best first: by the hits of a search, then by path, time and id.
pub fn retrieve_ranked(
    store: &Store,
    space: &SpaceName,
    (paths, passing): (&[TreePath], Option<&PassingChunks>),
    hits: &LeafHits,
    offset: usize,
    (of_each, of_all): (Option<usize>, usize),
) -> Result<Retrieved, Error> {
    let started = Instant::now();
    let mut retrieved = store.read(|reading| {
        let found = Retrieved {
            chunks: Vec::new(),
            errors: Vec::new(),
            next: None,
            more: 0,
            latency_ms: 0.0,
            stage: Stage::new("retrieve"),
        };
        let Some(space) = reading.space(space)?.map(|space| space.id) else { return Ok(found) };
        let documents = BTreeMap::new();
        let mut retrieval = Retrieval { reading, space, of_each, of_all, passing, documents, found };
        let ranked = retrieval.ranked(paths, hits)?;
        let page: Vec<Ranked> = ranked.iter().skip(offset).take(of_all).copied().collect();
        retrieval.found.more = ranked.len().saturating_sub(offset + page.len());
        let ids: Vec<i64> = page.iter().map(|ranked| ranked.chunk).collect();
        let rows = retrieval.reading.live_chunks(space, &ids)?;
        let rows = retrieval.reading.with_headings(space, rows)?;
        let mut rows: BTreeMap<i64, LeafChunk> = rows.into_iter().map(|chunk| (chunk.id, chunk)).collect();
        for (rank, Ranked { path, chunk, score }) in (offset + 1..).zip(page) {
            let Some(row) = rows.remove(&chunk) else { continue };
            let (reason, detail) = match score {
                Some(score) => ("score", format!("rank {rank}, score {score:.6}")),
                None => ("no_score", format!("rank {rank}, by path, time and id")),
            };
            retrieval.found.stage.decide(format!("chunk {chunk}"), Action::Kept, reason, detail);
            retrieval.keep(path, &paths[path], row)?;
        }
        Ok(retrieval.found)
    })?;
    retrieved.latency_ms = started.elapsed().as_secs_f64() * 1e3;
    Ok(retrieved)
}

/// A chunk in the order of a question: the number of its path, and its score if the search found it.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    path: usize,
    chunk: i64,
    score: Option<f64>,
}

/// None of the selected paths has a chunk.
pub fn all_empty(paths: &[TreePath], mut dropped: Vec<DroppedPath>) -> Error {
    dropped.extend(paths.iter().map(|path| path.dropped("empty", "it has no chunks")));
    Error::paths(
        "empty_paths",
        "none of the selected paths has any chunks",
        "follow more paths with another strategy, or inspect the tree with `recordar tree`",
        paths,
        dropped,
    )
}

/// A read in progress.
struct Retrieval<'r, 'c> {
    reading: &'r mut Reading<'c>,
    space: SpaceId,
    of_each: Option<usize>,
    of_all: usize,
    /// Only these chunks.
    passing: Option<&'r PassingChunks>,
    /// The paths of documents, by id.
    documents: BTreeMap<i64, String>,
    found: Retrieved,
}

impl Retrieval<'_, '_> {
    fn left(&self) -> usize {
        self.of_all - self.found.chunks.len()
    }

    fn passes(&self, chunk: i64) -> bool {
        self.passing.is_none_or(|passing| passing.contains(chunk))
    }

    /// All chunks of the paths, best first, within the limit of each path.
    fn ranked(&mut self, paths: &[TreePath], hits: &LeafHits) -> Result<Vec<Ranked>, StoreError> {
        let mut on_paths: BTreeMap<i64, usize> = BTreeMap::new();
        let mut in_order: Vec<Ranked> = Vec::new();
        for (at, path) in paths.iter().enumerate() {
            let Some(leaf) = path.leaf() else { continue };
            let mut ids = self.reading.leaf_ids(self.space, leaf)?;
            ids.retain(|id| self.passes(*id));
            self.note_path(path, ids.len(), true);
            on_paths.extend(ids.iter().map(|id| (*id, at)));
            in_order.extend(ids.into_iter().map(|chunk| Ranked { path: at, chunk, score: None }));
        }
        let hit = |hit: &LeafHit| {
            let path = *on_paths.get(&hit.chunk)?;
            Some(Ranked { path, chunk: hit.chunk, score: Some(hit.score) })
        };
        let mut ranked: Vec<Ranked> = hits.hits.iter().filter_map(hit).collect();
        let scored: BTreeSet<i64> = ranked.iter().map(|ranked| ranked.chunk).collect();
        ranked.extend(in_order.into_iter().filter(|ranked| !scored.contains(&ranked.chunk)));
        if let Some(most) = self.of_each {
            let mut taken = vec![0; paths.len()];
            ranked.retain(|ranked| {
                taken[ranked.path] += 1;
                taken[ranked.path] <= most
            });
        }
        Ok(ranked)
    }

    /// How many chunks of the paths come after this page.
    fn count_rest(&mut self, paths: &[TreePath], from: PagePosition) -> Result<(), StoreError> {
        if self.found.next.is_none() {
            return Ok(());
        }
        let counts: BTreeMap<i64, u64> = match self.passing {
            None => self.reading.chunks_by_leaf(self.space)?.into_iter().collect(),
            Some(passing) => {
                let mut counts = BTreeMap::new();
                let placed = self.reading.placed_items(self.space)?.into_iter();
                for (_, leaf) in placed.filter(|(chunk, _)| passing.contains(*chunk)) {
                    *counts.entry(leaf).or_default() += 1;
                }
                counts
            }
        };
        let count = |path: &TreePath| {
            let count = path.leaf().and_then(|leaf| counts.get(&leaf).copied()).unwrap_or(0) as usize;
            self.of_each.map_or(count, |most| count.min(most))
        };
        let all: usize = paths.iter().skip(from.path).map(count).sum();
        self.found.more = all.saturating_sub(from.taken + self.found.chunks.len());
        Ok(())
    }

    fn read_path(&mut self, path: &TreePath, from: PagePosition) -> Result<(), StoreError> {
        let Some(leaf) = path.leaf() else { return Ok(()) };
        let (mut place, before) = (from, self.found.chunks.len());
        loop {
            let left_of_path = self.of_each.map_or(usize::MAX, |most| most.saturating_sub(place.taken));
            let left = left_of_path.min(self.left());
            // Reading one more than the limit shows whether there is more.
            let asked = if self.passing.is_some() { PAGE } else { PAGE.min(left.saturating_add(1)) };
            let page = self.reading.leaf_chunks(self.space, leaf, place.after, asked)?;
            let page = self.reading.with_headings(self.space, page)?;
            let (read, last) = (page.len(), page.last().map(|chunk| (chunk.created_at, chunk.id)));
            let page: Vec<LeafChunk> = page.into_iter().filter(|chunk| self.passes(chunk.id)).collect();
            let found = page.len();
            for chunk in page.into_iter().take(left) {
                place.after = Some((chunk.created_at, chunk.id));
                place.taken += 1;
                self.keep(from.path, path, chunk)?;
            }
            if found > left && left_of_path > left {
                self.found.next = Some(place);
            }
            if read < asked || found > left {
                break;
            }
            place.after = last.or(place.after);
        }
        self.note_path(path, self.found.chunks.len() - before, from.after.is_none());
        Ok(())
    }

    fn keep(&mut self, at: usize, path: &TreePath, chunk: LeafChunk) -> Result<(), StoreError> {
        let document = match self.documents.entry(chunk.document_id) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(unknown) => {
                let row = self.reading.document(self.space, chunk.document_id)?;
                unknown.insert(row.map_or(String::new(), |row| row.path)).clone()
            }
        };
        let chunk = QueryChunk {
            chunk_id: chunk.id,
            text_content: chunk.text,
            category_path: path.names.clone(),
            ranked_relevance: path.ranks.last().copied().unwrap_or(0),
            created_at: chunk.created_at,
            document,
            section: chunk.section,
            rerank: None,
            document_id: chunk.document_id,
            occurred_at: chunk.occurred_at,
        };
        self.found.chunks.push((at, chunk));
        Ok(())
    }

    fn note_path(&mut self, path: &TreePath, count: usize, is_fresh: bool) {
        let name = path.names.join(SEPARATOR);
        if count == 0 && is_fresh && self.found.next.is_none() {
            let what = "it has no chunks".to_owned();
            self.found.stage.decide(name, Action::Dropped, "empty", &what);
            let category_path = path.names.clone();
            self.found.errors.push(PathError { category_path, code: "empty".to_owned(), what });
            return;
        }
        let more = if self.found.next.is_some() { "; more on the next page" } else { "" };
        self.found.stage.decide(name, Action::Kept, "leaf", format!("{count} chunks{more}"));
    }
}
