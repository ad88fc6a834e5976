//! Classifying pending chunks: those whose classification failed, or that were stored before there was a tree.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::ingest::{
    BatchReport, HelperReport, PlacedChunks, Placer, Problem, Renewed, Session, ToPlace, ToPlaceNow, depth_warning,
    first_helper, generate_missing, generates_helpers, place, read_source,
};
use recordar_core::error::Error;
use recordar_core::noun::method::ModelProblem;
use recordar_core::noun::progress::Progress;
use recordar_domain::{Attributes, Digest, Hasher, OperationId, SpaceName, Timestamp, Trace};
use recordar_llm::CallReport;
use recordar_store::{DocumentRow, LeafChunk, Operation, Settled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassifyReport {
    pub space: String,
    pub operation: String,
    /// Chunks that were assigned to a leaf, and chunks still pending.
    pub classified: u64,
    pub unclassified: u64,
    pub documents: Vec<ClassifiedDocument>,
    /// Notes about the whole call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
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
        self.classify_telling(space, operation, &mut |_| {})
    }

    /// The same, with progress. Without a model, all documents are placed in one transaction.
    pub fn classify_telling(
        &self,
        space: &SpaceName,
        operation: &OperationId,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<ClassifyReport, Error> {
        self.showing(|memory| {
            let session = Session::new(&memory.reasoning);
            let mut report = ClassifyReport {
                space: space.to_string(),
                operation: operation.to_string(),
                classified: 0,
                unclassified: 0,
                documents: Vec::new(),
                warnings: depth_warning(memory, space)?,
                batches: Vec::new(),
                responses: Vec::new(),
                trace: Trace::default(),
            };
            if !memory.reasoning.has_model() {
                memory.place_all(space, operation, &session, &mut report, progress)?;
                return Ok(report);
            }
            let mut after = None;
            let total = memory.tree(space)?.unclassified;
            let mut done = 0;
            while !session.has_given_up() {
                let (waiting, next) = memory.waiting(space, after)?;
                for waiting in &waiting {
                    memory.classify_document(space, waiting, &session, operation, &mut report)?;
                    done += waiting.chunks.len() as u64;
                    progress(Progress { done, total: total.max(done), message: format!("{done}/{total} chunks") });
                }
                after = next;
                if after.is_none() {
                    break;
                }
            }
            memory.generate_missing_helpers(space, &session, operation, &mut report)?;
            if session.has_given_up() {
                // Chunks that were not tried are pending, too.
                report.unclassified = memory.tree(space)?.unclassified;
            }
            report.responses = session.operation.calls();
            Ok(report)
        })
    }

    /// Tries again to generate the helpers of documents that have none, because the model failed.
    fn generate_missing_helpers(
        &self,
        space: &SpaceName,
        session: &Session,
        operation: &OperationId,
        report: &mut ClassifyReport,
    ) -> Result<(), Error> {
        if !generates_helpers(self) {
            return Ok(());
        }
        let missing = self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(Vec::new()) };
            let with_helper = reading.documents_with_helper(space.id)?;
            let mut documents = reading.documents(space.id)?;
            documents.retain(|document| !with_helper.contains(&document.id));
            let mut missing = Vec::new();
            for document in documents {
                let newest = reading.latest_version(space.id, document.id)?;
                if newest.is_some_and(|version| version.retired.is_none()) {
                    missing.push(document.path);
                }
            }
            Ok(missing)
        })?;
        // Those with pending chunks were tried above.
        let tried: BTreeSet<String> = report.documents.iter().map(|document| document.path.clone()).collect();
        for path in missing.into_iter().filter(|path| !tried.contains(path)) {
            let source = read_source(self, space, &path)?;
            let operation = operation.part(path.as_bytes()).part(b"helper");
            let Renewed { helper, warnings } = generate_missing((self, space), &source, session, &operation)?;
            let (classified, unclassified, model_problem) = (0, 0, None);
            report.documents.push(ClassifiedDocument {
                path,
                classified,
                unclassified,
                helper,
                model_problem,
                warnings,
            });
        }
        Ok(())
    }

    /// Places every waiting document, and gives those a helper that have none.
    fn place_all(
        &self,
        space: &SpaceName,
        operation: &OperationId,
        session: &Session,
        report: &mut ClassifyReport,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Error> {
        let placed = place((self, space), &ToPlaceNow::All, operation, progress)?;
        report.trace.stages.extend(placed.stage);
        for (document_id, PlacedChunks { path, placed, waiting }) in placed.documents {
            report.classified += placed;
            report.unclassified += waiting;
            let helper = first_helper((self, space), document_id, &path, session, operation)?;
            report.documents.push(ClassifiedDocument {
                path,
                classified: placed,
                unclassified: waiting,
                helper,
                model_problem: None,
                warnings: Vec::new(),
            });
        }
        Ok(())
    }

    /// A page of pending chunks by document, and where the next page begins.
    fn waiting(&self, space: &SpaceName, after: Option<PageEnd>) -> Result<(Vec<Waiting>, Option<PageEnd>), Error> {
        Ok(self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok((Vec::new(), None)) };
            let chunks = reading.waiting_chunks(space.id, after, PAGE)?;
            let chunks = reading.with_headings(space.id, chunks)?;
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
            document: Some(document.id),
            path: &document.path,
            filename: &document.filename,
            attributes,
            chunks: chunks.iter().map(|chunk| (chunk.text.as_str(), chunk.section.as_deref())).collect(),
            is_classified: true,
            is_placed_later: false,
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
            warnings: places.helper_warnings(&document.path).into_iter().chain(places.warning(classified)).collect(),
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
        let (space, operation) = (call.space().clone(), call.operation(self.operation)?);
        memory.classify_telling(&space, &operation, &mut |progress| call.tell(progress))
    }
}
