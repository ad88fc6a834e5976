//! Measures retrieval quality against known answers: a corpus, questions, and the items or threads that answer
//! each. Everything goes through the same calls that users make.

mod baseline;
mod bm25;
mod compare;
mod figures;
mod made;
mod means;
mod recall;
mod saved;
mod seeded;
mod set;
mod store;

pub use baseline::Baseline;
pub use compare::{ChangedQuestion, Comparison, Differences, PairedDifference};
pub use figures::{AnswerKind, Figures, Latency};
pub use made::{MADE_WORDS, WordsReport};
pub use means::{EvalMeans, MeanAblation, MeanDifference, MeanWords};
pub use recall::RecallFigures;
pub use saved::SavedRun;
pub use set::EvalSet;

use crate::engine::Recordar;
use crate::verb::search::ThreadHitView;
use figures::{figures, mean};
use recordar_core::error::Error;
use recordar_core::noun::hit::HitView;
use recordar_core::noun::rerank::{Rerank, RerankView};
use recordar_core::noun::search::SearchRequest;
use recordar_domain::Filter;
use recordar_index::{Mode, Signal, SignalSet};
use serde::{Deserialize, Serialize};
use set::Judged;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use store::Stored;

/// What to measure, and how to search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvalOptions {
    /// By default hybrid for searches, and the configured one for recalls.
    pub mode: Option<Mode>,
    pub filter: Filter,
    /// The reranker; by default the configured one.
    pub rerank: Option<Rerank>,
    /// Whether recalls are measured too.
    pub recall: bool,
    /// Whether plain BM25 is measured beside it.
    pub baseline: bool,
    /// Whether to leave out each signal in turn.
    pub ablate: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalReport {
    pub questions: usize,
    /// Questions without a known answer, which are not counted.
    pub unjudged: usize,
    /// Answers missing from the corpus, which count as not found.
    pub unknown_answers: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figures>,
    /// What `recall` returns for questions that items answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallFigures>,
    pub kinds: BTreeMap<String, KindReport>,
    pub latency_ms: Latency,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// The questions made from the corpus, by their length.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<WordsReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablations: Vec<Ablation>,
    /// With a saved run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    #[serde(skip)]
    pub rows: Vec<EvalRow>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct KindReport {
    pub questions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figures>,
}

/// What changes without a signal: `before` is the full search, `now` the one without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ablation {
    pub without: &'static str,
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// The result of one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvalRow {
    /// The name of the set. Rows of earlier versions have none.
    #[serde(default)]
    pub set: String,
    pub query: String,
    pub text: String,
    pub kind: Option<String>,
    pub of: AnswerKind,
    pub relevant: Vec<String>,
    /// The results, in order, to depth 100.
    pub ranked: Vec<String>,
    /// With a reranker: the search's score of each result that it judged, and how relevant it finds it, in the order of `ranked`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged: Vec<[f64; 2]>,
    pub figures: Figures,
    pub latency_ms: f64,
}

const DEPTH: usize = 100;

impl Recordar {
    /// Stores the corpus in this store, which should be empty, runs every question, and compares. `progress` is called with the step, how
    /// much of it is done, and its size.
    pub fn evaluate(
        &self,
        set: &EvalSet,
        options: &EvalOptions,
        mut progress: impl FnMut(&str, usize, usize),
    ) -> Result<EvalReport, Error> {
        let stored = self.store_corpus(set, &mut |done| progress("stored", done, set.corpus.len()))?;
        let mut ask = |step: &str, without| {
            let judged: Vec<_> = set.judged().collect();
            let mut rows = Vec::with_capacity(judged.len());
            for (number, question) in judged.iter().enumerate() {
                rows.push(self.ask_one(set, *question, &stored, options, without)?);
                progress(step, number + 1, judged.len());
            }
            Ok::<Vec<EvalRow>, Error>(rows)
        };
        let rows = ask("asked", SignalSet::default())?;
        let mut ablations = Vec::new();
        for signal in Signal::ALL.into_iter().filter(|signal| options.ablate && is_in_use(*signal, options.mode)) {
            let others = ask(signal.name(), SignalSet::of(&[signal]))?;
            ablations.push(Ablation { without: signal.name(), comparison: Comparison::of(&rows, &others) });
        }
        let mut by_kind: BTreeMap<String, Vec<&EvalRow>> = BTreeMap::new();
        for row in &rows {
            by_kind.entry(row.kind.clone().unwrap_or_else(|| "none".to_owned())).or_default().push(row);
        }
        let kind = |(kind, rows): (String, Vec<&EvalRow>)| {
            let of = |of: AnswerKind| mean(rows.iter().copied(), of);
            let (items, threads) = (of(AnswerKind::Items), of(AnswerKind::Threads));
            (kind, KindReport { questions: rows.len(), items, threads })
        };
        let is_known = |id: &&String| stored.ids.contains(*id) || stored.threads.contains(*id);
        Ok(EvalReport {
            questions: rows.len(),
            unjudged: set.queries.len() - rows.len(),
            unknown_answers: rows.iter().flat_map(|row| &row.relevant).filter(|id| !is_known(id)).count(),
            items: mean(&rows, AnswerKind::Items),
            threads: mean(&rows, AnswerKind::Threads),
            recall: if options.recall { self.evaluate_recall(set, &stored, options)? } else { None },
            kinds: by_kind.into_iter().map(kind).collect(),
            latency_ms: Latency::of(rows.iter().map(|row| row.latency_ms).collect()),
            baseline: options.baseline.then(|| Baseline::of(set, &stored, self.config.language, &rows)),
            words: Vec::new(),
            ablations,
            comparison: None,
            rows,
        })
    }

    fn ask_one(
        &self,
        set: &EvalSet,
        (query, relevant): Judged<'_>,
        stored: &Stored,
        EvalOptions { mode, filter, rerank, .. }: &EvalOptions,
        without: SignalSet,
    ) -> Result<EvalRow, Error> {
        let space = query.space()?;
        let (mode, filter, asked_at) = (mode.unwrap_or_default(), filter.clone(), query.asked_at);
        // Asked for, so that a model that cannot be used is an error and not measured as a plain search.
        let rerank = Some(rerank.clone().unwrap_or_else(|| self.config.recall.settings.rerank.clone()));
        let limit = DEPTH;
        let request =
            SearchRequest { mode, limit, asked_at, filter, rerank, without, ..SearchRequest::new(&query.text) };
        let of = stored.answers_are(relevant);
        let started = Instant::now();
        let ranked: Vec<(String, Option<RerankView>)> = match of {
            AnswerKind::Threads => {
                let found = self.search_threads(&[space], &request)?;
                let id = |thread: ThreadHitView| Some((thread.thread.or(thread.document)?, thread.rerank));
                found.threads.into_iter().filter_map(id).collect()
            }
            AnswerKind::Items => {
                let found = self.search(&[space], &request)?;
                let id = |HitView { item, rerank, .. }: HitView| {
                    Some((stored.corpus_id(&item.space, item.item_id, item.document.as_deref())?, rerank))
                };
                found.hits.into_iter().filter_map(id).collect()
            }
        };
        let latency_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(EvalRow::new(set, (query, relevant), of, ranked, latency_ms))
    }
}

impl EvalRow {
    fn new(
        set: &EvalSet,
        (query, relevant): Judged<'_>,
        of: AnswerKind,
        mut ranked: Vec<(String, Option<RerankView>)>,
        latency_ms: f64,
    ) -> Self {
        // Of several chunks of a document, the first counts.
        let mut seen = BTreeSet::new();
        ranked.retain(|(id, _)| seen.insert(id.clone()));
        let judged =
            ranked.iter().filter_map(|(_, view)| Some([view.as_ref()?.search, view.as_ref()?.judge?])).collect();
        let ranked: Vec<String> = ranked.into_iter().map(|(id, _)| id).collect();
        Self {
            set: set.name.clone(),
            query: query.id.clone(),
            text: query.text.clone(),
            kind: query.kind.clone(),
            of,
            relevant: relevant.keys().cloned().collect(),
            figures: figures(&ranked, relevant),
            ranked,
            judged,
            latency_ms,
        }
    }
}

/// Whether a search in this mode has the signal beside others: one by words alone has nothing without its words.
fn is_in_use(signal: Signal, mode: Option<Mode>) -> bool {
    mode.unwrap_or_default() == Mode::Hybrid || !matches!(signal, Signal::Words | Signal::Vectors)
}
