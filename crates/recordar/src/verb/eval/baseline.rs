//! Asks plain BM25 the same questions about the same texts.

use super::bm25::Bm25;
use super::compare::Comparison;
use super::figures::{AnswerKind, Figures, Latency, mean};
use super::set::EvalSet;
use super::store::Stored;
use super::{DEPTH, EvalRow};
use recordar_domain::text::Language;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baseline {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figures>,
    /// Only of ranking in memory: no database, no snippets, no trace.
    pub latency_ms: Latency,
    /// `before` is BM25, `now` is Recordar.
    pub difference: Comparison,
}

impl Baseline {
    /// Beside the rows of Recordar.
    pub(super) fn of(set: &EvalSet, stored: &Stored, language: Language, rows: &[EvalRow]) -> Self {
        let mut indexes: BTreeMap<(&str, &str), Bm25> = BTreeMap::new();
        let mut own = Vec::with_capacity(rows.len());
        for (query, relevant) in set.judged() {
            let of = stored.answers_are(relevant);
            let index = indexes
                .entry((query.user(), of.name()))
                .or_insert_with(|| Bm25::new(texts(set, query.user(), of).into_iter(), language));
            let started = Instant::now();
            let ranked = index.rank(&query.text, DEPTH).into_iter().map(|id| (id, None)).collect();
            let latency_ms = started.elapsed().as_secs_f64() * 1e3;
            own.push(EvalRow::new(set, (query, relevant), of, ranked, latency_ms));
        }
        Self {
            items: mean(&own, AnswerKind::Items),
            threads: mean(&own, AnswerKind::Threads),
            latency_ms: Latency::of(own.iter().map(|row| row.latency_ms).collect()),
            difference: Comparison::of(&own, rows),
        }
    }
}

/// The lines of a user, or their threads as one text each. A line without a thread stands for itself.
fn texts<'a>(set: &'a EvalSet, user: &str, of: AnswerKind) -> Vec<(String, Vec<&'a str>)> {
    let mut texts: Vec<(String, Vec<&str>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for line in set.corpus.iter().filter(|line| line.user() == user) {
        let name = match of {
            AnswerKind::Items => &line.id,
            AnswerKind::Threads => line.thread.as_ref().unwrap_or(&line.id),
        };
        let place = *places.entry(name).or_insert_with(|| {
            texts.push((name.clone(), Vec::new()));
            texts.len() - 1
        });
        // What the text itself does not say, and our own index knows as well.
        let heading = if line.is_message() { &line.speaker } else { &line.title };
        texts[place].1.extend(heading.as_deref().into_iter().chain([line.text.as_str()]));
    }
    texts
}
