//! Classification and helper of a document, stored in its transaction. All model calls happen before it;
//! the transaction finds or creates the names, checks the limits again, and writes all or nothing.

use super::classify::{Classification, Classifying, ClearedChunk, Placement, Reason};
use super::contextual_helper::{Helper, HelperInput, HelperReport, check_helper, generate_helper, origin_name, source};
use super::session::Session;
use super::{BatchReport, Problem};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::{Guard, SafeText};
use recordar_core::noun::method::ModelProblem;
use recordar_core::tree::{CategoryLimits, Growth, Node, Tree};
use recordar_domain::{Action, Attributes, CategoryPlace, Digest, SpaceName, Stage, Timestamp};
use recordar_llm::ErrorKind;
use recordar_store::{Error as StoreError, HelperOrigin, HelperRow, Writing};
use std::collections::{BTreeMap, HashMap};

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

/// A document whose chunks need leaves, or whose source needs a helper.
pub(crate) struct ToPlace<'a> {
    /// Its id, if it is stored already.
    pub(crate) document: Option<i64>,
    pub(crate) path: &'a str,
    pub(crate) filename: &'a str,
    pub(crate) attributes: &'a Attributes,
    /// The text of each chunk, and its section.
    pub(crate) chunks: Vec<(&'a str, Option<&'a str>)>,
    pub(crate) is_classified: bool,
    /// Without a model, new chunks are placed together with those of other documents, after they are stored.
    pub(crate) is_placed_later: bool,
    pub(crate) given: Option<&'a HelperInput>,
    pub(crate) regenerate: bool,
}

/// The helper and the leaves found for a document.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) depth: u32,
    /// A helper to store.
    pub(crate) new_helper: Option<(HelperOrigin, Helper)>,
    pub(crate) helper: Option<HelperReport>,
    /// In the order of the chunks; empty if nothing is classified.
    pub(crate) placements: Vec<Placement>,
    pub(crate) batches: Vec<BatchReport>,
    pub(crate) problem: Option<ModelProblem>,
    /// Why the source has no helper, although one is wanted.
    pub(crate) helper_problem: Option<ModelProblem>,
    /// Whether the user's helper was kept, although another one was asked for.
    pub(crate) keeps_users_helper: bool,
    pub(crate) stages: Vec<Stage>,
}

/// What the store knows of a document's places.
struct StoredPlaces {
    tree: Tree,
    helper: Option<HelperRow>,
    /// The leaves of the previous version's texts: an unchanged text keeps its leaf, without a model call.
    leaves: HashMap<Digest, i64>,
}

/// Finds the places of one document: its helper once, its leaves again if the tree was filled meanwhile.
pub(crate) struct Placer<'a> {
    memory: &'a Recordar,
    space: &'a SpaceName,
    document: &'a ToPlace<'a>,
    session: &'a Session,
    guard: Guard,
    filename: SafeText,
    topic: Option<SafeText>,
    chunks: Vec<ClearedChunk>,
    stored: StoredPlaces,
    /// Whether a generated helper may replace the user's.
    replaces_users_helper: bool,
    attempt: usize,
    pub(crate) places: Places,
}

impl<'a> Placer<'a> {
    pub(crate) fn new(
        memory: &'a Recordar,
        space: &'a SpaceName,
        document: &'a ToPlace<'a>,
        session: &'a Session,
    ) -> Result<Self, Error> {
        Self::replacing((memory, space), document, session, false)
    }

    /// The same; a helper that is regenerated may replace the user's.
    pub(crate) fn replacing(
        (memory, space): (&'a Recordar, &'a SpaceName),
        document: &'a ToPlace<'a>,
        session: &'a Session,
        replaces_users_helper: bool,
    ) -> Result<Self, Error> {
        let guard = memory.configured_guard()?;
        let clear = |(text, section): &(&str, Option<&str>)| {
            Ok(ClearedChunk { text: guard.text(text)?, section: section.map(|name| guard.text(name)).transpose()? })
        };
        let chunks = document.chunks.iter().map(clear).collect::<Result<Vec<_>, Error>>()?;
        let stored = StoredPlaces::read(memory, space, document, session)?;
        let places = Places { depth: stored.tree.depth(), ..Places::default() };
        let filename = guard.text(document.filename)?;
        let topic = document.attributes.topic.as_deref().map(|topic| guard.text(topic)).transpose()?;
        let mut placer = Self {
            memory,
            space,
            document,
            session,
            guard,
            filename,
            topic,
            chunks,
            stored,
            replaces_users_helper,
            attempt: 1,
            places,
        };
        placer.find_helper()?;
        Ok(placer)
    }

    /// Whether leaves that do not fit now are left for `classify`.
    pub(crate) fn is_last_attempt(&self) -> bool {
        self.attempt == ATTEMPTS
    }

    /// Reads the tree again, because the leaves no longer fit into it.
    pub(crate) fn look_again(&mut self) -> Result<(), Error> {
        self.attempt += 1;
        self.stored = StoredPlaces::read(self.memory, self.space, self.document, self.session)?;
        self.places.depth = self.stored.tree.depth();
        Ok(())
    }

    /// The user's helper first, then the stored one, then one generated from the source.
    fn find_helper(&mut self) -> Result<(), Error> {
        let (document, stored) = (self.document, self.stored.helper.as_ref());
        if let Some(given) = document.given {
            let helper = check_helper(given, &self.memory.counter)?;
            let origin = HelperOrigin::User;
            self.places.helper = Some(HelperReport::new(helper.clone(), origin, (self.memory.clock)()));
            let is_stored = stored.is_some_and(|row| row.origin == origin && row.text == helper.text);
            self.places.new_helper = (!is_stored).then_some((origin, helper));
            return Ok(());
        }
        let is_users = |row: &HelperRow| row.origin == HelperOrigin::User && !self.replaces_users_helper;
        let is_kept = |row: &&HelperRow| !document.regenerate || is_users(row);
        self.places.keeps_users_helper = document.regenerate && stored.is_some_and(is_users);
        if let Some(row) = stored.filter(is_kept) {
            let helper = Helper { text: row.text.clone(), tokens: row.tokens as u64 };
            let report = HelperReport::new(helper, row.origin, row.recorded_at);
            self.places.helper = Some(HelperReport { reused: true, ..report });
            return Ok(());
        }
        // If sources are asked about, one is generated only on request.
        let is_wanted = document.regenerate || document.is_classified && self.memory.config.auto_source_identification;
        if is_wanted && self.session.has_given_up() {
            self.places.helper_problem = self.session.operation.away().map(ModelProblem::from);
        } else if is_wanted {
            self.generate_helper()?;
        }
        Ok(())
    }

    fn generate_helper(&mut self) -> Result<(), Error> {
        let Self { memory, session, places, .. } = self;
        let source = source(self.filename.clone(), self.topic.clone(), &self.chunks, &memory.counter);
        let part = session.operation.part();
        let max_output_tokens = memory.reasoning.max_output_tokens();
        let made = generate_helper(&source, &memory.reasoning.reasoner(&part), &memory.counter, max_output_tokens);
        let tokens_used = part.calls().iter().map(|call| call.tokens_prompt + call.tokens_completion).sum();
        session.operation.join(part);
        match made {
            Ok((helper, done)) => {
                // If nothing is known of a source, there is nothing to store.
                if !helper.text.is_empty() {
                    let origin = HelperOrigin::Generated;
                    let report = HelperReport::new(helper.clone(), origin, (memory.clock)());
                    places.helper = Some(HelperReport { method: Some(done.method), tokens_used, ..report });
                    places.new_helper = Some((origin, helper));
                }
                places.problem = done.problem;
                places.stages.push(done.stage);
                Ok(())
            }
            Err(Error::Model(error)) if error.kind != ErrorKind::Cancelled => {
                places.problem = Some(ModelProblem::from(&error));
                places.helper_problem.clone_from(&places.problem);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Classifies the chunks that have no leaf yet, or whose leaf no longer fits into the tree.
    pub(crate) fn find_leaves(&mut self) -> Result<(), Error> {
        if !self.document.is_classified {
            return Ok(());
        }
        let Self { memory, document, session, guard, chunks, stored, places, .. } = self;
        let depth = stored.tree.depth() as usize;
        let mut growth = Growth::new(stored.tree.clone(), &memory.config.tree.category_limits);
        if places.placements.is_empty() {
            places.placements = chunks.iter().map(|chunk| stored.leaf_of(chunk)).collect();
            let kept = places.placements.iter().filter(|placement| matches!(placement, Placement::Leaf(_))).count();
            if kept > 0 {
                let mut stage = Stage::new("classify");
                let detail = format!("{kept} unchanged chunks keep their leaves");
                stage.decide(document.path, Action::Kept, "unchanged", detail);
                places.stages.push(stage);
            }
        }
        if document.is_placed_later {
            return Ok(());
        }
        let fits = |placement: &Placement| match placement {
            Placement::Leaf(names) if names.len() == depth => growth.propose_path(names).is_ok(),
            Placement::Leaf(_) | Placement::Unknown => false,
            // A chunk that failed for good is not tried again here.
            Placement::Waiting(_) => true,
        };
        let open: Vec<usize> =
            places.placements.iter().map(fits).zip(0..).filter(|(fits, _)| !fits).map(|(_, at)| at).collect();
        if session.has_given_up()
            && let Some(problem) = session.operation.away().map(ModelProblem::from)
        {
            let reason = Reason { code: problem.code.clone(), what: problem.what.clone() };
            for at in open {
                places.placements[at] = Placement::Waiting(reason.clone());
            }
            places.problem.get_or_insert(problem);
            return Ok(());
        }
        if open.is_empty() {
            return Ok(());
        }
        let chunks: Vec<&ClearedChunk> = open.iter().map(|at| &chunks[*at]).collect();
        let helper = places.helper.as_ref().map_or("", |report| &report.helper.text);
        let classifying = Classifying {
            reasoner: &memory.reasoning.reasoner(&session.operation),
            settings: &memory.config.tree,
            language: memory.config.language,
            most_output_tokens: memory.reasoning.max_output_tokens(),
            document: document.path,
            helper: &guard.text(helper)?,
        };
        let Classification { placements, batches, problem, stage, .. } = classifying.classify(&chunks, &mut growth)?;
        if let Some(problem) = problem {
            places.problem.get_or_insert(problem);
        }
        for (at, placement) in open.into_iter().zip(placements) {
            places.placements[at] = placement;
        }
        places.batches.extend(batches);
        places.stages.push(stage);
        Ok(())
    }
}

impl StoredPlaces {
    fn read(memory: &Recordar, space: &SpaceName, document: &ToPlace<'_>, session: &Session) -> Result<Self, Error> {
        let configured = memory.config.tree.hierarchy_depth;
        let nothing = || Tree::new(configured, Vec::new());
        Ok(memory.store.read(|reading| {
            let Some(space) = reading.space(space)? else {
                return Ok(Self { tree: nothing(), helper: None, leaves: HashMap::new() });
            };
            let row = document.document.map_or(Ok(None), |id| reading.document(space.id, id))?;
            // A new document that is placed later needs no tree now.
            let needs_tree = document.is_classified && (row.is_some() || !document.is_placed_later);
            let tree = match session.tree_at(space.id, space.revision) {
                _ if !needs_tree => nothing(),
                Some(tree) => tree,
                None => {
                    let depth = reading.tree_depth(space.id)?.unwrap_or(configured);
                    Tree::with_living(depth, reading.categories(space.id)?, &reading.live_leaves(space.id)?)
                }
            };
            let Some(row) = row else { return Ok(Self { tree, helper: None, leaves: HashMap::new() }) };
            let mut leaves = HashMap::new();
            if document.is_classified
                && let Some(before) = reading.latest_version(space.id, row.id)?
            {
                for (text, leaf) in reading.placed_chunks(space.id, row.id, before.born)? {
                    leaves.insert(Digest::of(text), leaf);
                }
            }
            Ok(Self { tree, helper: reading.helper(space.id, row.id)?, leaves })
        })?)
    }

    fn leaf_of(&self, chunk: &ClearedChunk) -> Placement {
        let leaf = self.leaves.get(&Digest::of(chunk.text.as_str())).and_then(|id| self.tree.find(*id));
        leaf.map_or(Placement::Unknown, |leaf| Placement::Leaf(self.tree.names(leaf)))
    }
}

/// The leaves of a document's chunks in the tree within a transaction; some are still to be created.
pub(crate) struct Leaves<'a> {
    growth: Growth<'a>,
    /// In the order of the chunks.
    nodes: Vec<Option<Node>>,
}

impl Places {
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
        session: &Session,
        is_last: bool,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Leaves<'a>>, StoreError> {
        let space = writing.space_id();
        let tree = match session.tree_at(space, writing.revision() - 1) {
            Some(tree) => tree,
            None => {
                let depth = writing.tree_depth(space)?.unwrap_or(self.depth);
                Tree::with_living(depth, writing.categories(space)?, &writing.live_leaves(space)?)
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

    /// The warnings about the helper.
    pub(crate) fn helper_warnings(&self, path: &str) -> Vec<Problem> {
        let failed = self.helper_problem.as_ref().map(|ModelProblem { what, remedy, .. }| {
            let what = format!("its contextual helper could not be generated: {what}");
            let remedy = format!(
                "{remedy}; then ingest it again, or run `recordar classify` or `recordar helper {path} --regenerate`"
            );
            Problem::new("helper_failed", what, remedy)
        });
        let kept = self.keeps_users_helper.then(|| {
            let remedy = format!("to replace it with a generated one, run `recordar helper {path} --regenerate`");
            Problem::new("helper_kept", "its contextual helper was set by a user and is kept", remedy)
        });
        failed.into_iter().chain(kept).collect()
    }

    /// The warning about pending chunks.
    pub(crate) fn warning(&self, classified: u64) -> Option<Problem> {
        let waiting = (self.placements.len() as u64).checked_sub(classified).filter(|waiting| *waiting > 0)?;
        let reason = |placement: &Placement| match placement {
            Placement::Waiting(reason) => Some(reason.what.clone()),
            Placement::Leaf(_) | Placement::Unknown => None,
        };
        let reason = self.placements.iter().find_map(reason);
        let reason = reason.unwrap_or_else(|| "other calls filled the tree in the meantime".to_owned());
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
    fn new(helper: Helper, origin: HelperOrigin, timestamp: Timestamp) -> Self {
        Self { helper, origin: origin_name(origin), reused: false, method: None, tokens_used: 0, timestamp }
    }
}
