//! Measurements for `recordar bench` of the parts of a search.

use crate::engine::Recordar;
use crate::flow::plan::Plan;
use crate::flow::staged::{put_together, read_question, score};
use crate::ingest::{Placement, Places, Session, chunking_json};
use recordar_core::error::Error;
use recordar_core::index::StoreEmbedder;
use recordar_core::noun::labels::NO_LABELS;
use recordar_core::noun::search::SearchRequest;
use recordar_core::noun::staged::StageSource;
use recordar_core::recall::RecallRequest;
use recordar_core::route::Question;
use recordar_core::route::filter::Limited;
use recordar_core::route::hybrid::HybridRoute;
use recordar_core::route::stages::{Found, StagesRoute};
use recordar_domain::{Attributes, Digest, DocumentName, FileType, Manifest, OperationId, SpaceName};
use recordar_index::Mode as SearchMode;
use recordar_models::Embedder;
use recordar_store::{NewChunk, NewVersion, Operation, Settled};
use serde::Serialize;
use std::time::Instant;

pub use recordar_core::judges::refused as judge_refused;
pub use recordar_judge::{Effort, Judge, PASSAGE_TOKENS};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IndexFigures {
    pub items: usize,
    /// What the index takes in memory.
    pub bytes: usize,
}

/// Leaves the building of indexes to searches, so that its time can be measured apart from that of writes.
pub fn build_nothing_ahead(memory: &Recordar) {
    memory.indexes.build_nothing_ahead();
}

/// Opens the index of a space, if necessary, and returns its size.
pub fn index_figures(memory: &Recordar, space: &SpaceName) -> Result<IndexFigures, Error> {
    let figures = memory
        .indexes
        .with(space, None, &memory.cancel, |index, _| IndexFigures { items: index.len(), bytes: index.bytes() })?;
    Ok(figures.unwrap_or_default())
}

/// Reads the saved segments of a space and discards them. Returns their size in bytes.
pub fn read_segments(memory: &Recordar, space: &SpaceName) -> Result<usize, Error> {
    let bytes = memory.store.read(|reading| {
        let Some(space) = reading.space(space)? else { return Ok(0) };
        let mut bytes = 0;
        let model = StoreEmbedder::current(&reading.embedders()?)?.model.hash();
        for range in reading.segments(space.id, model)? {
            bytes += reading.segment(space.id, model, range)?.len();
        }
        Ok(bytes)
    })?;
    Ok(bytes)
}

/// The score of every item of a space for a request, however low: what a search is held against.
pub fn all_scores(memory: &Recordar, space: &SpaceName, request: &SearchRequest) -> Result<Vec<(i64, f64)>, Error> {
    let asked_at = request.asked_at().unwrap_or_else(|| (memory.clock)());
    let (question, _) = Question::read(&request.query, memory.config.language, asked_at);
    let spaces = std::slice::from_ref(space);
    let route = HybridRoute::new((&memory.indexes, &memory.cancel), spaces, &question, request);
    Ok(route.all_scores(space)?.into_iter().map(|(id, score)| (i64::from(id), score)).collect())
}

/// Only the search of a recall. Returns the number of candidates.
pub fn search_of_recall(memory: &Recordar, spaces: &[SpaceName], request: &RecallRequest) -> Result<usize, Error> {
    let plan = Plan::new(memory, spaces, request)?;
    let search = plan.search();
    let (question, _) = Question::read(&search.query, memory.config.language, plan.asked_at());
    Ok(HybridRoute::new((&memory.indexes, &memory.cancel), spaces, &question, &search).items()?.candidates.len())
}

/// How long the parts of a staged recall take, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StagedTimes {
    /// The stages, each with the texts of what it found: current thread, other threads, long term.
    pub stages: [f64; 3],
    /// Scoring 50 memories.
    pub scoring: f64,
    /// From scored memories to a text.
    pub composing: f64,
    /// Asking the database for nothing.
    pub select_1: f64,
}

/// Times the parts of a staged recall. The question is read before, by the built-in method.
pub fn staged_times(memory: &Recordar, space: &SpaceName, request: &RecallRequest) -> Result<StagedTimes, Error> {
    const SCORED: usize = 50;
    let milliseconds = |started: Instant| started.elapsed().as_secs_f64() * 1e3;
    let spaces = [space.clone()];
    let plan = Plan::new(memory, &spaces, request)?;
    let (read, _) = read_question(memory, &plan)?;
    let route = StagesRoute {
        indexes: &memory.indexes,
        store: &memory.store,
        cancel: &memory.cancel,
        spaces: &spaces,
        thread: request.session_id.as_deref(),
        intent: &read.reply,
        limited: Limited::new(&NO_LABELS, &request.filter),
        asked_at: plan.asked_at(),
        as_of: None,
    };
    let mut times = StagedTimes::default();
    let started = Instant::now();
    memory.store.read(|reading| reading.ping())?;
    times.select_1 = milliseconds(started);
    let mut found = Vec::new();
    for (source, time) in StageSource::ALL.into_iter().zip(&mut times.stages) {
        let started = Instant::now();
        found.append(&mut route.find_stage(source)?);
        *time = milliseconds(started);
    }
    let fifty: Vec<Found> = found.iter().cycle().take(if found.is_empty() { 0 } else { SCORED }).cloned().collect();
    let started = Instant::now();
    let (scored, _) = score(fifty, &plan, &read.reply);
    times.scoring = milliseconds(started);
    let passages = scored.into_iter().map(|(passage, _)| passage).collect();
    let started = Instant::now();
    put_together(memory, &plan, passages)?;
    times.composing = milliseconds(started);
    Ok(times)
}

/// Writes a document whose chunks are spread over the leaves of a tree in turn, without classification. The tree has this many
/// names on each level, each under the name of its number.
pub fn plant(
    memory: &Recordar,
    space: &SpaceName,
    (names, depth): (usize, u32),
    document: &str,
    texts: &[String],
) -> Result<(), Error> {
    let paths: Vec<Vec<String>> = (0..names)
        .map(|number| (1..=depth).map(|level| format!("{} {number} of {level}", word(number, level))).collect())
        .collect();
    let manifest = Manifest {
        path: document.to_owned(),
        sha256: Digest::of(document),
        mtime: None,
        file_type: FileType::Text,
        bytes: 0,
        chars: 0,
    };
    let (attributes, chunking) = (Attributes::default(), chunking_json(&memory.config));
    let name = DocumentName::of_path(document);
    let new = NewVersion {
        manifest: &manifest,
        name: &name,
        moved: None,
        filename: document,
        attributes: &attributes,
        chunking: &chunking,
        tokenizer: memory.counter.name(),
        root: None,
    };
    let chunks: Vec<NewChunk<'_>> = texts
        .iter()
        .map(|text| NewChunk { text, overlap: 0, section: None, sections: Vec::new(), tokens: 8 })
        .collect();
    let id = OperationId::parse(&format!("plant-{}", Digest::of(document)))?;
    let operation = Operation { id: &id, kind: "ingest", request: Digest::of(document) };
    let limits = &memory.config.tree.category_limits;
    memory.store.write(space, &operation, (memory.clock)(), |writing| {
        let placements = texts.iter().zip(paths.iter().cycle()).map(|(_, path)| Placement::Leaf(path.clone()));
        let places = Places { depth, placements: placements.collect(), ..Places::default() };
        let mut leaves = places.leaves(writing, limits, &Session::new(&memory.reasoning), true, &|_| true)?;
        writing.add_version(new, &chunks, &mut |writing| {
            leaves.take().map_or(Ok(Vec::new()), |leaves| leaves.make(writing).map(|(leaves, _)| leaves))
        })?;
        Ok(Settled::Commit(texts.len() as u64))
    })?;
    Ok(())
}

/// Makes the vectors of texts and nothing else. Tells how many bytes they had.
pub fn embed_all(texts: &[String]) -> usize {
    let mut embedder = Embedder::default();
    texts.iter().map(|text| std::hint::black_box(embedder.embed(text)).len().min(1) * text.len()).sum()
}

/// The items nearest in meaning, found by comparing the question with every single one.
pub fn scan(memory: &Recordar, space: &SpaceName, query: &str, limit: usize) -> Result<Vec<i64>, Error> {
    let (question, _) = Question::read(query, memory.config.language, (memory.clock)());
    let found = memory.indexes.with(space, None, &memory.cancel, |index, _| {
        let lookup = index.look_up(&question.asked(index), recordar_index::NOW);
        let vector = question.vector(query, index, &lookup, SearchMode::Semantic);
        index.scan(&vector, limit)
    })?;
    Ok(found.unwrap_or_default().into_iter().map(i64::from).collect())
}

/// A word that questions can ask for.
fn word(number: usize, level: u32) -> &'static str {
    const WORDS: [&str; 16] = [
        "lamp", "boat", "bees", "tower", "oil", "letter", "winter", "storm", "keeper", "stairs", "garden", "bell",
        "rope", "sail", "rock", "bread",
    ];
    WORDS[(number + level as usize * 5) % WORDS.len()]
}
