//! Measurements for `recordar bench` of the parts of a search.

use crate::ingest::{Placement, Placing};
use crate::route::Question;
use crate::{Error, RecallRequest, Recordar, SearchMode};
use recordar_domain::{Attributes, Digest, FileType, Manifest, OperationId, SpaceName};
use recordar_models::Embedder;
use recordar_store::{NewChunk, NewVersion, Operation, Settled};
use serde::Serialize;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IndexFigures {
    pub items: usize,
    /// The memory size of the index.
    pub bytes: usize,
}

impl Recordar {
    /// Opens the index of a space, if necessary, and returns its size.
    pub fn index_figures(&self, space: &SpaceName) -> Result<IndexFigures, Error> {
        let figures = self
            .indexes
            .with(space, None, &self.cancel, |index, _| IndexFigures { items: index.len(), bytes: index.bytes() })?;
        Ok(figures.unwrap_or_default())
    }

    /// Reads the saved segments of a space and discards them. Returns their size in bytes.
    pub fn read_segments(&self, space: &SpaceName) -> Result<usize, Error> {
        let bytes = self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(0) };
            let mut bytes = 0;
            for (first, end) in reading.segments(space.id)? {
                bytes += reading.segment(space.id, first, end)?.len();
            }
            Ok(bytes)
        })?;
        Ok(bytes)
    }

    /// Only the search of a recall. Returns the number of candidates.
    pub fn search_of_recall(&self, spaces: &[SpaceName], request: &RecallRequest) -> Result<usize, Error> {
        let search = self.plan(spaces, request)?.search();
        let (question, _) = self.read_question(&search);
        Ok(self.hybrid(spaces, &question, &search).items()?.candidates.len())
    }

    /// Writes a document whose chunks are spread over the leaves of a tree in turn, without classification. The tree has this many
    /// names on each level, each under the name of its number.
    pub fn plant_for_measuring(
        &self,
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
        let (attributes, chunking) = (Attributes::default(), self.chunking_json());
        let new = NewVersion {
            manifest: &manifest,
            filename: document,
            attributes: &attributes,
            chunking: &chunking,
            tokenizer: self.counter.name(),
        };
        let chunks: Vec<NewChunk<'_>> =
            texts.iter().map(|text| NewChunk { text, overlap: 0, section: None, tokens: 8 }).collect();
        let id = OperationId::parse(&format!("plant-{}", Digest::of(document)))?;
        let operation = Operation { id: &id, kind: "ingest", request: Digest::of(document) };
        let limits = &self.config.tree.category_limits;
        self.store.write(space, &operation, (self.clock)(), |writing| {
            let placements = texts.iter().zip(paths.iter().cycle()).map(|(_, path)| Placement::Leaf(path.clone()));
            let placing = Placing { depth, placements: placements.collect(), ..Placing::default() };
            let leaves = placing.leaves(writing, limits, &self.asking(), true, &|_| true)?;
            writing.add_version(new, &chunks, |writing| {
                leaves.map_or(Ok(Vec::new()), |leaves| leaves.make(writing).map(|(leaves, _)| leaves))
            })?;
            Ok(Settled::Commit(texts.len() as u64))
        })?;
        Ok(())
    }

    /// Computes the vectors of texts and nothing else. Returns the size of the texts in bytes.
    pub fn embed_all(texts: &[String]) -> usize {
        let mut embedder = Embedder::default();
        texts.iter().map(|text| std::hint::black_box(embedder.embed(text)).len().min(1) * text.len()).sum()
    }

    /// The items nearest in meaning, by comparing the question with every one.
    pub fn scan(&self, space: &SpaceName, query: &str, limit: usize) -> Result<Vec<i64>, Error> {
        let (question, _) = Question::read(query, self.config.language, (self.clock)());
        let found = self.indexes.with(space, None, &self.cancel, |index, _| {
            let lookup = index.look_up(&question.stems(), recordar_index::NOW);
            let vector = question.vector(query, &lookup, SearchMode::Semantic);
            index.scan(&vector, limit)
        })?;
        Ok(found.unwrap_or_default().into_iter().map(i64::from).collect())
    }
}

/// A word that questions can ask for.
fn word(number: usize, level: u32) -> &'static str {
    const WORDS: [&str; 16] = [
        "lamp", "boat", "bees", "tower", "oil", "letter", "winter", "storm", "keeper", "stairs", "garden", "bell",
        "rope", "sail", "rock", "bread",
    ];
    WORDS[(number + level as usize * 5) % WORDS.len()]
}
