//! Chunks are assigned to leaves, level by level (A4, A5). Models are called before the transaction; it checks again what may be written.

use recordar_core::config::TreeConfig;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::noun::method::{Method, ModelProblem};
use recordar_core::reason::{ClassifyTask, Performed, Reasoner, TextToClassify};
use recordar_core::tree::{Full, Growth, Node, SEPARATOR};
use recordar_domain::text::Language;
use recordar_domain::{Action, Stage};
use recordar_llm::ErrorKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// How often chunks with invalid replies are sent again, on their own.
const MAX_FOLLOW_UPS: usize = 2;
/// After this many failed batches in a row, including follow-ups, the model is given up for a document.
const MAX_REFUSED: usize = 9;

/// A chunk to classify, as a model may see it.
pub(crate) struct ClearedChunk {
    pub(crate) text: SafeText,
    pub(crate) section: Option<SafeText>,
}

/// The path of a chunk from the root to a leaf, or why it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Not classified yet.
    Unknown,
    Leaf(Vec<String>),
    Waiting(Reason),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) code: String,
    pub(crate) what: String,
}

/// One call that classified several chunks, with its follow-ups.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BatchReport {
    pub document: String,
    pub level: u32,
    /// The names from the root to the parent.
    pub under: Vec<String>,
    pub sent: u64,
    pub succeeded: u64,
    /// How many chunks were sent again, counting each time.
    pub retried: u64,
    pub latency_ms: f64,
    pub method: Method,
}

/// The settings of classification.
pub(crate) struct Classifying<'a> {
    pub(crate) reasoner: &'a Reasoner<'a>,
    pub(crate) settings: &'a TreeConfig,
    pub(crate) language: Language,
    pub(crate) most_output_tokens: u32,
    pub(crate) document: &'a str,
    pub(crate) helper: &'a SafeText,
}

pub(crate) struct Classification {
    /// In the order of the chunks.
    pub(crate) placements: Vec<Placement>,
    pub(crate) batches: Vec<BatchReport>,
    /// Why the model did not classify all of them.
    pub(crate) problem: Option<ModelProblem>,
    /// Whether calling it for the next document is pointless.
    pub(crate) is_away: bool,
    pub(crate) stage: Stage,
}

/// Chunks during classification.
struct Descent<'a, 'g> {
    by: &'a Classifying<'a>,
    chunks: &'a [&'a ClearedChunk],
    growth: &'a mut Growth<'g>,
    /// The current position of each chunk; `None` at the root.
    at: BTreeMap<usize, Option<Node>>,
    /// Failed batches in a row.
    refused: usize,
    placed: Classification,
}

/// Chunks under one parent that are sent together, with their numbers in the batch, which follow-ups keep.
struct Batch {
    parent: Option<Node>,
    chunks: Vec<(usize, usize)>,
    report: BatchReport,
}

impl Classifying<'_> {
    /// Finds a leaf for each chunk. The growing tree holds existing names, and those found for other chunks.
    pub(crate) fn classify(&self, chunks: &[&ClearedChunk], growth: &mut Growth<'_>) -> Result<Classification, Error> {
        let placed = Classification {
            placements: vec![Placement::Unknown; chunks.len()],
            batches: Vec::new(),
            problem: None,
            is_away: false,
            stage: Stage::new("classify"),
        };
        let at = (0..chunks.len()).map(|chunk| (chunk, None)).collect();
        let depth = growth.tree().depth();
        let mut descent = Descent { by: self, chunks, growth, at, refused: 0, placed };
        for _ in 1..=depth {
            descent.level()?;
        }
        Ok(descent.arrived())
    }
}

impl Descent<'_, '_> {
    /// One level: under each parent one batch after the other, so that each sees the names of the last; parents in parallel.
    fn level(&mut self) -> Result<(), Error> {
        let mut groups: BTreeMap<Option<Node>, VecDeque<usize>> = BTreeMap::new();
        for (chunk, parent) in &self.at {
            groups.entry(*parent).or_default().push_back(*chunk);
        }
        let size = self.by.settings.batch_size as usize;
        while !groups.is_empty() && !self.is_over() {
            let batch = |(parent, waiting): (&Option<Node>, &mut VecDeque<usize>)| {
                let chunks: Vec<usize> = waiting.drain(..size.min(waiting.len())).collect();
                self.batch(*parent, chunks)
            };
            let batches: Vec<Batch> = groups.iter_mut().map(batch).collect();
            groups.retain(|_, waiting| !waiting.is_empty());
            self.round(batches)?;
        }
        if self.is_over() {
            let problem = self.placed.problem.clone();
            let reason = problem.map_or(Reason::default(), |problem| Reason { code: problem.code, what: problem.what });
            // Chunks that have reached a leaf stay there.
            let tree = self.growth.tree();
            for (chunk, node) in std::mem::take(&mut self.at) {
                if node.is_some_and(|node| tree.is_leaf(node)) {
                    self.at.insert(chunk, node);
                } else {
                    self.placed.placements[chunk] = Placement::Waiting(reason.clone());
                }
            }
        }
        Ok(())
    }

    /// Whether calling the model for this document is pointless.
    fn is_over(&self) -> bool {
        self.placed.is_away || self.refused >= MAX_REFUSED
    }

    /// Whether a batch cannot be placed: others have taken the last free place meanwhile.
    fn is_stuck(&self, batch: &Batch) -> bool {
        !self.growth.may_create(batch.parent) && self.growth.options(batch.parent).is_empty()
    }

    fn batch(&self, parent: Option<Node>, chunks: Vec<usize>) -> Batch {
        let tree = self.growth.tree();
        let report = BatchReport {
            document: self.by.document.to_owned(),
            level: parent.map_or(1, |parent| tree.level(parent) + 1),
            under: parent.map_or(Vec::new(), |parent| tree.names(parent)),
            sent: chunks.len() as u64,
            succeeded: 0,
            retried: 0,
            latency_ms: 0.0,
            method: Method::Nothing,
        };
        Batch { parent, chunks: (1..).zip(chunks).collect(), report }
    }

    /// One batch for each parent, and follow-ups for failures. Results are taken in the order of the parents.
    fn round(&mut self, mut batches: Vec<Batch>) -> Result<(), Error> {
        let mut failed: BTreeMap<usize, Reason> = BTreeMap::new();
        for attempt in 0..=MAX_FOLLOW_UPS {
            let is_open = |at: &usize| !batches[*at].chunks.is_empty() && !self.is_stuck(&batches[*at]);
            let open: Vec<usize> = (0..batches.len()).filter(is_open).collect();
            if open.is_empty() || self.is_over() {
                break;
            }
            let tasks: Vec<ClassifyTask<'_>> = open.iter().map(|at| self.task(&batches[*at], attempt > 0)).collect();
            let performed = self.by.reasoner.perform_all(&tasks);
            drop(tasks);
            for (at, performed) in open.into_iter().zip(performed) {
                let batch = &mut batches[at];
                if attempt > 0 {
                    batch.report.retried += batch.chunks.len() as u64;
                }
                self.take(batch, performed, &mut failed)?;
            }
        }
        for Batch { chunks, report, .. } in batches {
            for (_, chunk) in chunks {
                let full = Full { level: report.level };
                let reason = failed.remove(&chunk).unwrap_or_else(|| Reason::full(full));
                self.placed.placements[chunk] = Placement::Waiting(reason);
                self.at.remove(&chunk);
            }
            self.placed.batches.push(report);
        }
        Ok(())
    }

    fn task(&self, batch: &Batch, is_retry: bool) -> ClassifyTask<'_> {
        let tree = self.growth.tree();
        let options = self.growth.options(batch.parent);
        ClassifyTask {
            helper: self.by.helper,
            path: batch.report.under.clone(),
            depth: tree.depth(),
            options: options.into_iter().map(|node| tree.name(node).to_owned()).collect(),
            may_create: self.growth.may_create(batch.parent),
            chunks: batch.chunks.iter().map(|(id, chunk)| self.text(*id, *chunk)).collect(),
            is_retry,
            language: self.by.language,
            most_output_tokens: self.by.most_output_tokens,
        }
    }

    fn text(&self, id: usize, chunk: usize) -> TextToClassify<'_> {
        let ClearedChunk { text, section } = self.chunks[chunk];
        TextToClassify { id, text, section: section.as_ref() }
    }

    /// Adds the results of a batch to the tree. Failed chunks stay in the batch.
    fn take(
        &mut self,
        batch: &mut Batch,
        performed: Performed<Vec<Result<String, String>>>,
        failed: &mut BTreeMap<usize, Reason>,
    ) -> Result<(), Error> {
        batch.report.latency_ms += performed.latency.as_secs_f64() * 1e3;
        let done = match performed.done {
            Ok(done) => done,
            Err(Error::Model(error)) if error.kind != ErrorKind::Cancelled => {
                let problem = ModelProblem::from(&error);
                let reason = Reason { code: problem.code.clone(), what: problem.what.clone() };
                failed.extend(batch.chunks.iter().map(|(_, chunk)| (*chunk, reason.clone())));
                self.placed.problem.get_or_insert(problem);
                // An invalid reply may be followed by a better one, so the model is tried again; but only so often.
                self.refused += 1;
                self.placed.is_away |= !error.is_about_request();
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        batch.report.method = done.method;
        self.refused = 0;
        if let Some(problem) = &done.problem {
            self.placed.stage.decide(self.by.document, Action::Refused, &problem.code, &problem.what);
        }
        self.placed.problem = self.placed.problem.take().or(done.problem);
        let mut open = Vec::new();
        for ((id, chunk), reply) in std::mem::take(&mut batch.chunks).into_iter().zip(done.reply) {
            let proposed = reply.map_err(Reason::unfit).and_then(|name| {
                let node = self.growth.propose(batch.parent, &name).map_err(Reason::full)?;
                Ok((node, name))
            });
            match proposed {
                Ok((node, name)) => {
                    let known = self.growth.tree().name(node);
                    if known != name {
                        let detail = format!("{known:?} already exists");
                        self.placed.stage.decide(format!("{:?}", name), Action::Changed, "same_name", detail);
                    }
                    self.at.insert(chunk, Some(node));
                    batch.report.succeeded += 1;
                }
                Err(reason) => {
                    failed.insert(chunk, reason);
                    open.push((id, chunk));
                }
            }
        }
        batch.chunks = open;
        Ok(())
    }

    fn arrived(mut self) -> Classification {
        let tree = self.growth.tree();
        let mut by_leaf: BTreeMap<Node, usize> = BTreeMap::new();
        for (chunk, node) in &self.at {
            if let Some(leaf) = node {
                self.placed.placements[*chunk] = Placement::Leaf(tree.names(*leaf));
                *by_leaf.entry(*leaf).or_default() += 1;
            }
        }
        let (document, method) = (
            self.by.document,
            self.placed.batches.iter().rev().map(|batch| batch.method).find(|by| *by != Method::Nothing),
        );
        let reason = if method == Some(Method::Model) { "model" } else { "built_in" };
        for (leaf, chunks) in by_leaf {
            let detail = format!("{chunks} chunks: {}", tree.names(leaf).join(SEPARATOR));
            self.placed.stage.decide(document, Action::Kept, reason, detail);
        }
        for (number, placement) in (1..).zip(&self.placed.placements) {
            if let Placement::Waiting(Reason { code, what }) = placement {
                let subject = format!("{document} chunk {number}");
                self.placed.stage.decide(subject, Action::Refused, code, what.clone());
            }
        }
        self.placed
    }
}

impl Default for Reason {
    fn default() -> Self {
        Self { code: "not_classified".to_owned(), what: "it was not classified".to_owned() }
    }
}

impl Reason {
    fn unfit(what: String) -> Self {
        Self { code: "unfit".to_owned(), what }
    }

    pub(crate) fn full(full: Full) -> Self {
        let what = format!("level {} is full: it has the maximum number of categories", full.level);
        Self { code: "tree_full".to_owned(), what }
    }
}
