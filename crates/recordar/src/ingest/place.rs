//! Classification and helper of a document, stored in its transaction. All model calls happen before it;
//! the transaction finds or creates the names, checks the limits again, and writes all or nothing.

use super::classify::{Classifying, Placed, Placement, Reason, Unplaced};
use super::contextual_helper::{Helper, HelperInput, HelperReport, origin_name, source};
use super::{BatchReport, Problem};
use crate::config::WhenAway;
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::method::ModelProblem;
use crate::reason::Source;
use crate::tree::CategoryLimits;
use crate::tree::{Growth, Node, Tree};
use recordar_domain::{Action, Attributes, CategoryPlace, Digest, SpaceName, Stage};
use recordar_llm::{ErrorKind, Operation};
use recordar_store::{Error as StoreError, HelperOrigin, HelperRow, SpaceId, Writing};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// A caller's settings for categories and helpers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlacingRequest {
    /// Whether to classify; as configured by default.
    pub classify: Option<bool>,
    /// The contextual helper of every document of the call.
    pub helper: Option<HelperInput>,
    /// Helpers of individual documents, by path.
    pub helpers: BTreeMap<String, HelperInput>,
    /// Regenerate helpers that were generated before.
    pub regenerate_helper: bool,
}

impl PlacingRequest {
    pub(crate) fn given(&self, path: &str) -> Option<&HelperInput> {
        self.helpers.get(path).or(self.helper.as_ref())
    }
}

/// How often a document is classified again if its names no longer fit because another process filled the tree.
const ATTEMPTS: usize = 3;

/// State shared by the documents of one call: the model's budget, whether it is worth calling, and the tree as this call
/// left it.
pub(crate) struct Asking {
    pub(crate) operation: Operation,
    tree: Mutex<Option<KeptTree>>,
}

/// The tree at a revision of a space. Every write makes a new revision, so it stays valid until then.
struct KeptTree {
    space: SpaceId,
    revision: i64,
    tree: Tree,
}

impl Asking {
    fn tree_at(&self, space: SpaceId, revision: i64) -> Option<Tree> {
        let kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_ref().filter(|kept| kept.space == space && kept.revision == revision);
        kept.map(|kept| kept.tree.clone())
    }

    /// Keeps the tree as a committed transaction left it.
    pub(crate) fn keep(&self, space: SpaceId, revision: i64, tree: Tree) {
        *self.tree.lock().unwrap_or_else(PoisonError::into_inner) = Some(KeptTree { space, revision, tree });
    }
}

/// A document whose chunks need leaves.
#[derive(Clone)]
pub(crate) struct ToPlace<'a> {
    pub(crate) path: &'a str,
    pub(crate) filename: &'a str,
    pub(crate) attributes: &'a Attributes,
    pub(crate) chunks: Vec<Unplaced<'a>>,
    pub(crate) is_classified: bool,
    pub(crate) given: Option<&'a HelperInput>,
    pub(crate) regenerate: bool,
}

impl Known {
    fn place_of(&self, chunk: &Unplaced<'_>) -> Placement {
        let leaf = self.places.get(&Digest::of(chunk.text)).and_then(|id| self.tree.find(*id));
        leaf.map_or(Placement::Unknown, |leaf| Placement::Leaf(self.tree.names(leaf)))
    }
}

/// The parts of a document that a model may see.
struct Redacted {
    filename: String,
    chunks: Vec<(String, Option<String>)>,
}

impl<'a> ToPlace<'a> {
    fn with(&self, redacted: &'a Redacted) -> Self {
        let chunk = |(text, section): &'a (String, Option<String>)| Unplaced { text, section: section.as_deref() };
        let chunks = redacted.chunks.iter().map(chunk).collect();
        Self { filename: &redacted.filename, chunks, ..self.clone() }
    }
}

/// The result for a document.
#[derive(Default)]
pub(crate) struct Placing {
    pub(crate) depth: u32,
    /// A helper to store.
    pub(crate) new_helper: Option<(HelperOrigin, Helper)>,
    pub(crate) helper: Option<HelperReport>,
    /// In the order of the chunks; empty if nothing is classified.
    pub(crate) placements: Vec<Placement>,
    pub(crate) batches: Vec<BatchReport>,
    pub(crate) problem: Option<ModelProblem>,
    pub(crate) stages: Vec<Stage>,
}

/// Stored state needed for classification.
struct Known {
    tree: Tree,
    helper: Option<HelperRow>,
    /// The leaves of the previous version's texts: an unchanged chunk keeps its leaf without another call.
    places: HashMap<Digest, i64>,
}

impl Recordar {
    pub(crate) fn asking(&self) -> Asking {
        Asking { operation: self.operation_of_model(), tree: Mutex::default() }
    }

    /// Whether the model is away and no fallback is allowed.
    pub(crate) fn has_given_up(&self, asking: &Asking) -> bool {
        asking.operation.away().is_some() && self.when_away() == WhenAway::Error
    }

    /// Finds helper and leaves and passes them to `store`, which returns false if they no longer fit.
    pub(crate) fn place<T>(
        &self,
        space: &SpaceName,
        document: &ToPlace<'_>,
        asking: &Asking,
        mut store: impl FnMut(&Placing, bool) -> Result<Option<T>, Error>,
    ) -> Result<(T, Placing), Error> {
        let redacted = self.redacted(document)?;
        let document = redacted.as_ref().map_or_else(|| document.clone(), |redacted| document.with(redacted));
        let document = &document;
        let mut known = self.known(space, document, asking)?;
        let mut placing = Placing { depth: known.tree.depth(), ..Placing::default() };
        self.find_helper(document, known.helper.as_ref(), asking, &mut placing)?;
        let mut attempt = 1;
        loop {
            if document.is_classified {
                self.find_leaves(document, &known, asking, &mut placing)?;
            }
            if let Some(stored) = store(&placing, attempt == ATTEMPTS)? {
                return Ok((stored, placing));
            }
            attempt += 1;
            known = self.known(space, document, asking)?;
            placing.depth = known.tree.depth();
        }
    }

    /// A document after redaction, if configured: a model must not see redacted text here either.
    fn redacted(&self, document: &ToPlace<'_>) -> Result<Option<Redacted>, Error> {
        let Some(redactor) = self.configured_redactor()? else { return Ok(None) };
        let clean = |text: &str| redactor.without_secrets(text.to_owned());
        let mut redacted = Redacted { filename: clean(document.filename)?, chunks: Vec::new() };
        for chunk in &document.chunks {
            redacted.chunks.push((clean(chunk.text)?, chunk.section.map(clean).transpose()?));
        }
        Ok(Some(redacted))
    }

    fn known(&self, space: &SpaceName, document: &ToPlace<'_>, asking: &Asking) -> Result<Known, Error> {
        let configured = self.config.tree.hierarchy_depth;
        let nothing = || Tree::new(configured, Vec::new());
        Ok(self.store.read(|reading| {
            let Some(space) = reading.space(space)? else {
                return Ok(Known { tree: nothing(), helper: None, places: HashMap::new() });
            };
            let tree = match asking.tree_at(space.id, space.revision) {
                _ if !document.is_classified => nothing(),
                Some(tree) => tree,
                None => {
                    let depth = reading.tree_depth(space.id)?.unwrap_or(configured);
                    Tree::new(depth, reading.categories(space.id)?)
                }
            };
            let row = reading.document_at(space.id, document.path)?;
            let Some(row) = row else { return Ok(Known { tree, helper: None, places: HashMap::new() }) };
            let mut places = HashMap::new();
            if document.is_classified
                && let Some(before) = reading.latest_version(space.id, row.id)?
            {
                for (text, leaf) in reading.placed_chunks(space.id, before.id)? {
                    places.insert(Digest::of(text), leaf);
                }
            }
            Ok(Known { tree, helper: reading.helper(space.id, row.id)?, places })
        })?)
    }

    /// The user's helper first, then the stored one, then a generated one.
    fn find_helper(
        &self,
        document: &ToPlace<'_>,
        stored: Option<&HelperRow>,
        asking: &Asking,
        placing: &mut Placing,
    ) -> Result<(), Error> {
        let now = (self.clock)();
        if let Some(given) = document.given {
            let helper = self.preview_helper(given)?;
            let origin = HelperOrigin::User;
            placing.helper = Some(HelperReport::new(helper.clone(), origin, now));
            let is_stored = stored.is_some_and(|row| row.origin == origin && row.text == helper.text);
            placing.new_helper = (!is_stored).then_some((origin, helper));
            return Ok(());
        }
        let is_kept = |row: &&HelperRow| !document.regenerate || row.origin == HelperOrigin::User;
        if let Some(row) = stored.filter(is_kept) {
            let helper = Helper { text: row.text.clone(), tokens: row.tokens as u64 };
            placing.helper =
                Some(HelperReport { reused: true, ..HelperReport::new(helper, row.origin, row.recorded_at) });
            return Ok(());
        }
        // If helpers are required from users, one is generated only on request.
        let is_wanted = document.regenerate || document.is_classified && self.config.auto_source_identification;
        if is_wanted && !self.has_given_up(asking) {
            self.make_helper(document, asking, placing)?;
        }
        Ok(())
    }

    fn make_helper(&self, document: &ToPlace<'_>, asking: &Asking, placing: &mut Placing) -> Result<(), Error> {
        let chunks = document.chunks.iter().map(|chunk| (chunk.text, chunk.section));
        let source: Source = source(document.filename, document.attributes, chunks, &self.counter);
        let part = asking.operation.part();
        let made = self.generate_helper(&source, &self.reasoner(&part));
        let tokens_used = part.calls().iter().map(|call| call.tokens_prompt + call.tokens_completion).sum();
        asking.operation.join(part);
        match made {
            Ok((helper, done)) => {
                // If nothing is known of a source, there is nothing to store.
                if !helper.text.is_empty() {
                    let origin = HelperOrigin::Generated;
                    let report = HelperReport::new(helper.clone(), origin, (self.clock)());
                    placing.helper = Some(HelperReport { method: Some(done.method), tokens_used, ..report });
                    placing.new_helper = Some((origin, helper));
                }
                placing.problem = done.problem;
                placing.stages.push(done.stage);
                Ok(())
            }
            Err(Error::Model(error)) if error.kind != ErrorKind::Cancelled => {
                let problem = ModelProblem::from(&error);
                placing.problem = Some(problem);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Classifies chunks that have no leaf yet, or whose leaf no longer fits into the tree.
    fn find_leaves(
        &self,
        document: &ToPlace<'_>,
        known: &Known,
        asking: &Asking,
        placing: &mut Placing,
    ) -> Result<(), Error> {
        let limits = &self.config.tree.category_limits;
        let depth = known.tree.depth() as usize;
        let mut growth = Growth::new(known.tree.clone(), limits);
        if placing.placements.is_empty() {
            placing.placements = document.chunks.iter().map(|chunk| known.place_of(chunk)).collect();
            let kept = placing.placements.iter().filter(|placement| matches!(placement, Placement::Leaf(_))).count();
            if kept > 0 {
                let mut stage = Stage::new("classify");
                let detail = format!("{kept} unchanged chunks keep their leaves");
                stage.decide(document.path, Action::Kept, "unchanged", detail);
                placing.stages.push(stage);
            }
        }
        let fits = |placement: &Placement| match placement {
            Placement::Leaf(names) if names.len() == depth => growth.propose_path(names).is_ok(),
            // Permanent failures are not retried here.
            Placement::Leaf(_) | Placement::Unknown => false,
            Placement::Waiting(_) => true,
        };
        let open: Vec<usize> =
            placing.placements.iter().map(fits).zip(0..).filter(|(fits, _)| !fits).map(|(_, at)| at).collect();
        if self.has_given_up(asking)
            && let Some(problem) = asking.operation.away().map(ModelProblem::from)
        {
            let reason = Reason { code: problem.code.clone(), what: problem.what.clone() };
            for at in open {
                placing.placements[at] = Placement::Waiting(reason.clone());
            }
            placing.problem.get_or_insert(problem);
            return Ok(());
        }
        if open.is_empty() {
            return Ok(());
        }
        let chunks: Vec<Unplaced<'_>> = open.iter().map(|at| document.chunks[*at]).collect();
        let reasoner = self.reasoner(&asking.operation);
        let classifying = Classifying {
            reasoner: &reasoner,
            settings: &self.config.tree,
            language: self.config.language,
            most_output_tokens: self.max_output_tokens(),
            document: document.path,
            helper: placing.helper.as_ref().map_or("", |report| &report.helper.text),
        };
        let Placed { placements, batches, problem, stage, .. } = classifying.place(&chunks, &mut growth)?;
        if let Some(problem) = problem {
            placing.problem.get_or_insert(problem);
        }
        for (at, placement) in open.into_iter().zip(placements) {
            placing.placements[at] = placement;
        }
        placing.batches.extend(batches);
        placing.stages.push(stage);
        Ok(())
    }
}

/// The leaves of a document's chunks in the tree within a transaction; some are still to be created.
pub(crate) struct Leaves<'a> {
    growth: Growth<'a>,
    /// In the order of the chunks.
    nodes: Vec<Option<Node>>,
}

impl Placing {
    /// Whether the tree is needed at all.
    pub(crate) fn is_classified(&self) -> bool {
        !self.placements.is_empty()
    }

    /// Checks the names against the tree within the transaction. `None` if they no longer fit: another process may have filled it.
    /// On the last attempt, chunks that do not fit stay pending.
    pub(crate) fn leaves<'a>(
        &self,
        writing: &mut Writing<'_>,
        limits: &'a CategoryLimits,
        asking: &Asking,
        is_last: bool,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Leaves<'a>>, StoreError> {
        let space = writing.space_id();
        let tree = match asking.tree_at(space, writing.revision() - 1) {
            Some(tree) => tree,
            None => {
                let depth = writing.tree_depth(space)?.unwrap_or(self.depth);
                Tree::new(depth, writing.categories(space)?)
            }
        };
        let depth = tree.depth();
        let mut growth = Growth::new(tree, limits);
        let mut nodes = Vec::with_capacity(self.placements.len());
        for (at, placement) in self.placements.iter().enumerate() {
            if !is_wanted(at) {
                nodes.push(None);
                continue;
            }
            let node = match placement {
                Placement::Leaf(names) if names.len() == depth as usize => growth.propose_path(names).ok(),
                _ => None,
            };
            if node.is_none() && matches!(placement, Placement::Leaf(_)) && !is_last {
                return Ok(None);
            }
            nodes.push(node);
        }
        Ok(Some(Leaves { growth, nodes }))
    }

    /// The warning about pending chunks.
    pub(crate) fn warning(&self, classified: u64) -> Option<Problem> {
        let waiting = (self.placements.len() as u64).checked_sub(classified).filter(|waiting| *waiting > 0)?;
        let reason = |placement: &Placement| match placement {
            Placement::Waiting(reason) => Some(reason.what.clone()),
            Placement::Leaf(_) | Placement::Unknown => None,
        };
        let reason = self.placements.iter().find_map(reason);
        let reason = reason.unwrap_or_else(|| "the tree was filled by other calls".to_owned());
        let what = format!("{waiting} of its {} chunks are not classified: {reason}", self.placements.len());
        let remedy = "they are stored and searchable; classify them later with `recordar classify`";
        Some(Problem::new("unclassified", what, remedy))
    }
}

impl Leaves<'_> {
    pub(crate) fn classified(&self) -> u64 {
        self.nodes.iter().flatten().count() as u64
    }

    /// Creates missing categories, and returns the leaf of each chunk and the resulting tree.
    pub(crate) fn make(mut self, writing: &mut Writing<'_>) -> Result<(Vec<Option<i64>>, Tree), StoreError> {
        if self.classified() > 0 {
            writing.plant_tree(self.growth.tree().depth())?;
        }
        for node in self.growth.unstored() {
            let tree = self.growth.tree();
            let place = |parent| Some(CategoryPlace { id: tree.id(parent)?, level: tree.level(parent) });
            let parent = self.growth.parent(node).and_then(place);
            let id = writing.add_category(tree.name(node), parent)?.id;
            self.growth.stored_as(node, id);
        }
        let leaves = self.nodes.iter().map(|node| self.growth.tree().id((*node)?)).collect();
        Ok((leaves, self.growth.into_tree()))
    }
}

impl HelperReport {
    fn new(helper: Helper, origin: HelperOrigin, timestamp: recordar_domain::Timestamp) -> Self {
        Self { helper, origin: origin_name(origin), reused: false, method: None, tokens_used: 0, timestamp }
    }
}
