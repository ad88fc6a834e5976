//! Searches of a composition: chunks for the context, messages for the history, each with its own filter.

use super::Composing;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::index::Moment;
use recordar_core::noun::hit::HitView;
use recordar_core::noun::labels::LabelQuery;
use recordar_core::noun::search::SearchRequest;
use recordar_core::rerank::TurnsBefore;
use recordar_core::route::Question;
use recordar_core::route::hybrid::HybridRoute;
use recordar_core::route::search::{Hits, best_hits};
use recordar_domain::{Filter, Stage};
use recordar_index::SignalSet;

/// What a search found, best first.
#[derive(Default)]
pub(super) struct Found {
    pub(super) hits: Vec<HitView>,
    pub(super) moments: Vec<Option<Moment>>,
    pub(super) turns: TurnsBefore,
    pub(super) stages: Vec<Stage>,
    /// What was found and may not be used.
    pub(super) not_eligible: Vec<i64>,
    /// The stems of the question's words, and how much each tells in this space.
    pub(super) weights: Vec<(String, f64)>,
}

impl Composing<'_> {
    pub(super) fn find(
        &self,
        memory: &Recordar,
        query: &str,
        filter: &[impl AsRef<str>],
        limit: usize,
    ) -> Result<Found, Error> {
        let spaces = [self.space.clone()];
        let request = SearchRequest {
            query: query.to_owned(),
            mode: self.request.search_type,
            limit,
            asked_at: Some(self.asked_at),
            as_of: self.request.as_of,
            labels: LabelQuery::default(),
            filter: Filter::parse(filter)?,
            rerank: None,
            without: SignalSet::default(),
        };
        let (question, _) = Question::read(query, memory.config.language, self.asked_at);
        let route = HybridRoute::new((&memory.indexes, &memory.cancel), &spaces, &question, &request);
        let Hits { hits, candidates, moments, stages, .. } =
            best_hits(&memory.store, &route, limit, memory.config.language)?;
        let turns = TurnsBefore::of(&spaces, &candidates);
        let mut weights: Vec<(String, f64)> = Vec::new();
        for word in &question.words {
            let own = hits.iter().flat_map(|hit| &hit.words).filter(|found| found.word == word.spelled);
            weights.push((word.stems.clone(), own.map(|found| found.own).fold(0.0, f64::max)));
        }
        // A word that nothing has is rare, and tells as much as the rarest that was found.
        let most = weights.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
        weights.iter_mut().filter(|(_, weight)| *weight == 0.0).for_each(|(_, weight)| *weight = most.max(1e-6));
        Ok(Found { hits, moments, turns, stages, weights, not_eligible: Vec::new() })
    }
}

/// A longer pattern would be refused.
const MAX_PATTERN_BYTES: usize = 250;

/// A path as a condition that nothing else meets; nothing if it is too long for one.
pub(super) fn exactly(path: &str) -> Option<String> {
    let glob = path.chars().fold(String::with_capacity(path.len()), |mut glob, c| {
        match c {
            '*' | '?' | '[' | '{' | '}' => glob.extend(['[', c, ']']),
            '\\' => glob.push_str("\\\\"),
            c => glob.push(c),
        }
        glob
    });
    (glob.len() <= MAX_PATTERN_BYTES).then_some(glob)
}
