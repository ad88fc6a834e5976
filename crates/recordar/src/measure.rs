//! What `recordar bench` needs to know about the parts of a search, beside the search itself.

use crate::route::Question;
use crate::{Error, RecallRequest, Recordar, SearchMode};
use recordar_domain::SpaceName;
use recordar_models::Embedder;
use serde::Serialize;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IndexFigures {
    pub items: usize,
    /// What the index takes in memory.
    pub bytes: usize,
}

impl Recordar {
    /// Opens the index of a space, if it is not open, and tells its size.
    pub fn index_figures(&self, space: &SpaceName) -> Result<IndexFigures, Error> {
        let figures = self
            .indexes
            .with(space, None, &self.cancel, |index, _| IndexFigures { items: index.len(), bytes: index.bytes() })?;
        Ok(figures.unwrap_or_default())
    }

    /// Reads the kept segments of a space and does nothing with them. Tells how many bytes they have.
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

    /// The search of a recall and nothing else of it. Tells how many candidates there are.
    pub fn search_of_recall(&self, spaces: &[SpaceName], request: &RecallRequest) -> Result<usize, Error> {
        let search = self.plan(spaces, request)?.search();
        let (question, _) = self.read_question(&search);
        Ok(self.hybrid(spaces, &question, &search).items()?.candidates.len())
    }

    /// Makes the vectors of texts and nothing else. Tells how many bytes they had.
    pub fn embed_all(texts: &[String]) -> usize {
        let mut embedder = Embedder::default();
        texts.iter().map(|text| std::hint::black_box(embedder.embed(text)).len().min(1) * text.len()).sum()
    }

    /// The items nearest in meaning, found by comparing the question with every single one.
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
