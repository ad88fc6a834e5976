//! Classifying pending chunks: those whose classification failed, or that were stored before there was a tree.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use crate::ingest::{BatchReport, HelperReport, Placer, Problem, Session, ToPlace};
use crate::noun::method::ModelProblem;
use recordar_domain::{Attributes, Digest, Hasher, OperationId, SpaceName, Timestamp, Trace};
use recordar_llm::CallReport;
use recordar_store::{DocumentRow, LeafChunk, Operation, Settled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassifyReport {
    pub space: String,
    pub operation: String,
    /// Chunks that were assigned to a leaf, and chunks still pending.
    pub classified: u64,
    pub unclassified: u64,
    pub documents: Vec<ClassifiedDocument>,
    pub batches: Vec<BatchReport>,
    /// Every call of the model, including failed ones.
    pub responses: Vec<CallReport>,
    pub trace: Trace,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassifiedDocument {
    pub path: String,
    pub classified: u64,
    pub unclassified: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helper: Option<HelperReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    pub warnings: Vec<Problem>,
}

/// Pending chunks of one document.
struct Waiting {
    document: DocumentRow,
    attributes: Attributes,
    chunks: Vec<LeafChunk>,
}

/// The chunk that a page ends with.
type PageEnd = (Timestamp, i64);

/// Chunks read at a time. A document with more is classified in several parts.
const PAGE: usize = 1_000;

impl Recordar {
    /// Classifies every chunk of the space that has no leaf. Each document is one transaction.
    pub fn classify(&self, space: &SpaceName, operation: &OperationId) -> Result<ClassifyReport, Error> {
        self.showing(|memory| {
            let session = Session::new(&memory.reasoning);
            let mut report = ClassifyReport {
                space: space.to_string(),
                operation: operation.to_string(),
                classified: 0,
                unclassified: 0,
                documents: Vec::new(),
                batches: Vec::new(),
                responses: Vec::new(),
                trace: Trace::default(),
            };
            let mut after = None;
            while !session.has_given_up() {
                let (waiting, next) = memory.waiting(space, after)?;
                for waiting in &waiting {
                    memory.classify_document(space, waiting, &session, operation, &mut report)?;
                }
                after = next;
                if after.is_none() {
                    break;
                }
            }
            if session.has_given_up() {
                // Chunks that were not tried are pending, too.
                report.unclassified = memory.tree(space)?.unclassified;
            }
            report.responses = session.operation.calls();
            Ok(report)
        })
    }

    /// A page of pending chunks by document, and where the next page begins.
    fn waiting(&self, space: &SpaceName, after: Option<PageEnd>) -> Result<(Vec<Waiting>, Option<PageEnd>), Error> {
        Ok(self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok((Vec::new(), None)) };
            let chunks = reading.waiting_chunks(space.id, after, PAGE)?;
            let next = chunks.last().filter(|_| chunks.len() == PAGE).map(|last| (last.created_at, last.id));
            let mut by_document: BTreeMap<i64, Vec<LeafChunk>> = BTreeMap::new();
            for chunk in chunks {
                by_document.entry(chunk.document_id).or_default().push(chunk);
            }
            let mut waiting = Vec::new();
            for (id, chunks) in by_document {
                let (Some(document), Some(version)) =
                    (reading.document(space.id, id)?, reading.latest_version(space.id, id)?)
                else {
                    continue;
                };
                waiting.push(Waiting { document, attributes: version.attributes, chunks });
            }
            Ok((waiting, next))
        })?)
    }

    fn classify_document(
        &self,
        space: &SpaceName,
        waiting: &Waiting,
        session: &Session,
        operation: &OperationId,
        report: &mut ClassifyReport,
    ) -> Result<(), Error> {
        let Waiting { document, attributes, chunks } = waiting;
        let to_place = ToPlace {
            path: &document.path,
            filename: &document.filename,
            attributes,
            chunks: chunks.iter().map(|chunk| (chunk.text.as_str(), chunk.section.as_deref())).collect(),
            is_classified: true,
            given: None,
            regenerate: false,
        };
        let part = operation.part(&ids_digest(chunks).0);
        let mut placer = Placer::new(self, space, &to_place, session)?;
        let classified = loop {
            placer.find_leaves()?;
            if let Some(classified) = self.hang(space, waiting, &part, &placer, session)? {
                break classified;
            }
            placer.look_again()?;
        };
        let places = placer.places;
        let unclassified = (chunks.len() as u64).saturating_sub(classified);
        report.classified += classified;
        report.unclassified += unclassified;
        report.documents.push(ClassifiedDocument {
            path: document.path.clone(),
            classified,
            unclassified,
            warnings: places.warning(classified).into_iter().collect(),
            helper: places.helper,
            model_problem: places.problem,
        });
        report.batches.extend(places.batches);
        places.stages.into_iter().for_each(|stage| report.trace.add(stage));
        Ok(())
    }

    /// The transaction of one document. Chunks that were retired or forgotten meanwhile stay as they are.
    fn hang(
        &self,
        space: &SpaceName,
        waiting: &Waiting,
        operation: &OperationId,
        placer: &Placer<'_>,
        session: &Session,
    ) -> Result<Option<u64>, Error> {
        let places = &placer.places;
        let ids: Vec<i64> = waiting.chunks.iter().map(|chunk| chunk.id).collect();
        let operation = Operation { id: operation, kind: "classify", request: ids_digest(&waiting.chunks) };
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            let id = writing.space_id();
            // Meanwhile they may have been retired, forgotten, or classified by another process.
            let mut still = Vec::with_capacity(ids.len());
            for chunk in &ids {
                still.push(writing.is_waiting(id, *chunk)?);
            }
            let limits = &self.config.tree.category_limits;
            let Some(leaves) = places.leaves(writing, limits, session, placer.is_last_attempt(), &|at| still[at])?
            else {
                return Ok(Settled::Abandon(None));
            };
            // A helper may quote a chunk that is gone.
            let new_helper = places.new_helper.as_ref().filter(|_| still.iter().all(|still| *still));
            if leaves.classified() == 0 && new_helper.is_none() {
                return Ok(Settled::Abandon(Some(0)));
            }
            let mut by_leaf: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
            let (leaves, _) = leaves.make(writing)?;
            for (chunk, leaf) in ids.iter().zip(leaves) {
                if let Some(leaf) = leaf {
                    by_leaf.entry(leaf).or_default().push(*chunk);
                }
            }
            let mut hung = 0;
            for (leaf, chunks) in by_leaf {
                hung += writing.hang_chunks(leaf, &chunks)?;
            }
            if let Some((origin, helper)) = new_helper {
                writing.add_helper(waiting.document.id, *origin, &helper.text, helper.tokens as i64)?;
            }
            Ok(Settled::Commit(Some(hung)))
        })?;
        Ok(written.value)
    }
}

fn ids_digest(chunks: &[LeafChunk]) -> Digest {
    let ids: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.id.to_le_bytes()).collect();
    Hasher::default().field(ids).finish()
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ClassifyArguments {
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for ClassifyArguments {
    const NAME: &'static str = "classify";
    const ABOUT: &'static str = "Classify chunks that have no category yet.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = ClassifyReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ClassifyReport, Error> {
        memory.classify(call.space(), &call.operation(self.operation)?)
    }
}
