//! Measures how much known evidence a recall keeps, and whether it returns nothing if nothing is relevant.

use super::EvalOptions;
use super::figures::AnswerKind;
use super::set::EvalSet;
use super::store::Stored;
use crate::engine::Recordar;
use recordar_core::assemble::{budget, gate, of_memories};
use recordar_core::error::Error;
use recordar_core::guard::Guard;
use recordar_core::noun::passage::Passage;
use recordar_core::noun::rerank::{JudgeConfidence, Rerank};
use recordar_core::noun::search::SearchRequest;
use recordar_core::recall::{RecallOverrides, RecallRequest};
use recordar_domain::SpaceName;
use serde::Serialize;
use std::collections::BTreeSet;

const TOP: usize = 20;

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RecallFigures {
    pub questions: usize,
    /// The mean share of a question's evidence in the context that `recall` returns with default settings.
    pub evidence: f64,
    /// The same with the same number of tokens, but whole texts by score: neither interleaved nor clipped.
    pub evidence_plain: f64,
    pub mean_tokens: f64,
    pub mean_memories: f64,
    pub mean_memories_plain: f64,
    /// Evidence among the first 20 hits, and the share that `min_score` keeps.
    pub evidence_in_20: usize,
    pub kept_by_min_score: f64,
    /// Questions that nothing answers, and the share that return no memory.
    pub off_topic: usize,
    pub off_topic_empty: f64,
}

impl Recordar {
    /// `None` if no question is answered by items.
    pub(super) fn evaluate_recall(
        &self,
        set: &EvalSet,
        stored: &Stored,
        EvalOptions { mode, filter, rerank, .. }: &EvalOptions,
    ) -> Result<Option<RecallFigures>, Error> {
        let rerank = rerank.as_ref().unwrap_or(&self.config.recall.settings.rerank);
        let recalling = |query: &str| RecallRequest {
            settings: RecallOverrides {
                search_type: *mode,
                rerank: Some(rerank.clone()),
                ..RecallOverrides::default()
            },
            filter: filter.clone(),
            ..RecallRequest::new(query)
        };
        let mut figures = RecallFigures::default();
        let mut spaces: Vec<SpaceName> = Vec::new();
        let (mut in_20, mut kept) = (0, 0);
        for (query, relevant) in set.judged().filter(|(_, relevant)| stored.answers_are(relevant) == AnswerKind::Items)
        {
            let space = query.space()?;
            let request = RecallRequest { asked_at: query.asked_at, ..recalling(&query.text) };
            let recalled = self.recall(std::slice::from_ref(&space), &request)?;
            let found: BTreeSet<String> = recalled
                .memories
                .iter()
                .filter_map(|memory| {
                    let provenance = &memory.provenance;
                    stored.corpus_id(&provenance.collection, provenance.item_id, provenance.document.as_deref())
                })
                .collect();
            let share = |found: &BTreeSet<String>| {
                relevant.keys().filter(|id| found.contains(*id)).count() as f64 / relevant.len() as f64
            };
            let search = SearchRequest {
                mode: mode.unwrap_or_default(),
                limit: TOP,
                asked_at: query.asked_at,
                filter: filter.clone(),
                // What `min_score` keeps is decided by the search's score.
                rerank: Some(Rerank::Off),
                ..SearchRequest::new(&query.text)
            };
            let hits = self.search(std::slice::from_ref(&space), &search)?.hits;
            let config = &recalled.metadata.config;
            let id = |passage: &Passage| {
                let item = &passage.item;
                stored.corpus_id(&item.space, item.item_id, item.document.as_deref())
            };
            let passages: Vec<Passage> = hits.into_iter().map(|hit| Passage::new(hit.item, hit.score)).collect();
            let evidence = |passages: &[Passage]| {
                passages.iter().filter(|passage| id(passage).is_some_and(|id| relevant.contains_key(&id))).count()
            };
            in_20 += evidence(&passages);
            let plain = gate(passages, config.min_score, &JudgeConfidence::default()).0;
            kept += evidence(&plain);
            let (plain, _) = Guard::off().passages(plain)?;
            let (plain, _, _) = budget(plain, recalled.metadata.total_tokens, &self.counter, of_memories)?;
            let plain: BTreeSet<String> = plain.iter().filter_map(|passage| id(passage)).collect();
            figures.questions += 1;
            figures.evidence += share(&found);
            figures.evidence_plain += share(&plain);
            figures.mean_tokens += recalled.metadata.total_tokens as f64;
            figures.mean_memories += found.len() as f64;
            figures.mean_memories_plain += plain.len() as f64;
            if !spaces.contains(&space) {
                spaces.push(space);
            }
        }
        if figures.questions == 0 {
            return Ok(None);
        }
        let mut empty = 0;
        for (number, query) in set.off_topic().iter().enumerate() {
            let space = &spaces[number % spaces.len()];
            let recalled = self.recall(std::slice::from_ref(space), &recalling(query))?;
            empty += usize::from(recalled.memories.is_empty());
        }
        let questions = figures.questions as f64;
        let RecallFigures { evidence, evidence_plain, mean_tokens, mean_memories, mean_memories_plain, .. } =
            &mut figures;
        for sum in [evidence, evidence_plain, mean_tokens, mean_memories, mean_memories_plain] {
            *sum /= questions;
        }
        figures.evidence_in_20 = in_20;
        figures.kept_by_min_score = kept as f64 / in_20.max(1) as f64;
        figures.off_topic = set.off_topic().len();
        figures.off_topic_empty = empty as f64 / figures.off_topic.max(1) as f64;
        Ok(Some(figures))
    }
}
