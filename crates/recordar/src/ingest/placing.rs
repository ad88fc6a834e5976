//! Placing documents in the tree without a language model: in one operation, after all files of a run are stored. So the tree is the same
//! whichever file came first, and a run that was killed leaves documents that wait for `classify`.

use crate::engine::Recordar;
use recordar_core::arrange::{ArrangedLeaf, Outline, PlacedDocument, arrange};
use recordar_core::error::Error;
use recordar_core::guard::Guard;
use recordar_core::noun::progress::Progress;
use recordar_core::tree::{Growth, Node, SEPARATOR, Tree};
use recordar_domain::{Action, CategoryPlace, Hasher, OperationId, SpaceName, Stage};
use recordar_store::{Error as StoreError, LiveDocument, Operation, Reading, Settled, SpaceId, WaitingChunk, Writing};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The documents to place.
pub(crate) enum ToPlaceNow<'a> {
    /// Every document of the space that has waiting chunks.
    All,
    /// Those of a run.
    Documents(&'a BTreeSet<i64>),
}

/// What was placed, by document.
#[derive(Default)]
pub(crate) struct Placed {
    pub(crate) documents: BTreeMap<i64, PlacedChunks>,
    pub(crate) stage: Option<Stage>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PlacedChunks {
    pub(crate) path: String,
    pub(crate) placed: u64,
    pub(crate) waiting: u64,
}

/// The stored result: numbers only.
#[derive(Serialize, Deserialize)]
struct Hung {
    chunks: u64,
}

/// What the store has of the documents to place and of the tree.
struct Stored {
    revision: i64,
    tree: Tree,
    placed: Vec<PlacedDocument>,
    /// In the order of their ids.
    documents: Vec<WaitingDocument>,
}

struct WaitingDocument {
    id: i64,
    path: String,
    filename: String,
    chunks: Vec<WaitingChunk>,
}

/// Chunks read at a time.
const PAGE: usize = 5_000;
/// Up to this many documents are read one by one.
const FEW: usize = 64;
/// How often the tree is arranged, if something was written meanwhile and leaves no longer fit.
const ATTEMPTS: usize = 3;
/// The steps of placing, for a progress bar: reading, arranging, and writing.
const STEPS: u64 = 3;

/// Finds a leaf for every waiting chunk of these documents, and stores all of it or nothing.
pub(crate) fn place(
    (memory, space): (&Recordar, &SpaceName),
    which: &ToPlaceNow<'_>,
    operation: &OperationId,
    progress: &mut dyn FnMut(Progress),
) -> Result<Placed, Error> {
    let guard = memory.configured_guard()?;
    let limits = &memory.config.tree.category_limits;
    for attempt in 1..=ATTEMPTS {
        let configured = memory.config.tree.hierarchy_depth;
        let Some(stored) = memory.store.read(|reading| Stored::read(reading, space, which, configured))? else {
            return Ok(Placed::default());
        };
        let count = stored.documents.len();
        let mut tell = |done: u64, what: &str| {
            let documents = if count == 1 { "document" } else { "documents" };
            progress(Progress { done, total: STEPS, message: format!("{what} {count} {documents} in the tree") });
        };
        tell(1, "arranging");
        let outlines = stored.outlines(&guard)?;
        let growth = Growth::new(stored.tree.clone(), limits);
        let arranged = arrange(growth, &stored.placed, outlines, memory.config.language, &memory.cancel);
        let leaves = arranged.ok_or(StoreError::Cancelled)?;
        tell(2, "placing");
        let is_last = attempt == ATTEMPTS;
        if let Some(hung) = hang((memory, space), &stored, &leaves, operation, is_last)? {
            tell(STEPS, "placed");
            return Ok(stored.report(&leaves, &hung));
        }
    }
    Ok(Placed::default())
}

/// The transaction: makes the categories that are missing, and puts the chunks on their leaves. Returns the chunks that were placed. If something was
/// written meanwhile, leaves that no longer fit are arranged again; the last time, their chunks go on waiting.
fn hang(
    (memory, space): (&Recordar, &SpaceName),
    stored: &Stored,
    leaves: &[ArrangedLeaf],
    operation: &OperationId,
    is_last: bool,
) -> Result<Option<BTreeSet<i64>>, Error> {
    let chunks = leaves.iter().flat_map(|leaf| leaf.chunks.iter().flat_map(|chunk| chunk.to_le_bytes()));
    let request = Hasher::default().field(chunks.collect::<Vec<u8>>()).finish();
    let part = operation.part(&request.0);
    let operation = Operation { id: &part, kind: "classify", request };
    let mut hung = BTreeSet::new();
    let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
        hung.clear();
        let id = writing.space_id();
        let is_same = writing.revision() - 1 == stored.revision;
        let tree = match is_same {
            true => stored.tree.clone(),
            false => read_tree(writing, id, stored.tree.depth())?,
        };
        let mut growth = Growth::new(tree, &memory.config.tree.category_limits);
        let mut nodes: Vec<(Node, Vec<i64>)> = Vec::with_capacity(leaves.len());
        for ArrangedLeaf { names, chunks, .. } in leaves {
            let fits = names.len() == growth.tree().depth() as usize;
            match growth.propose_path(names).ok().filter(|_| fits) {
                Some(node) => nodes.push((node, chunks.clone())),
                None if is_last => {}
                None => return Ok(Settled::Abandon(None)),
            }
        }
        if !is_same {
            // Meanwhile they may have been retired, forgotten, or classified by another process.
            for (_, chunks) in &mut nodes {
                let mut still = Vec::with_capacity(chunks.len());
                for chunk in chunks.iter() {
                    if writing.is_waiting(id, *chunk)? {
                        still.push(*chunk);
                    }
                }
                *chunks = still;
            }
            nodes.retain(|(_, chunks)| !chunks.is_empty());
        }
        if nodes.is_empty() {
            return Ok(Settled::Abandon(Some(Hung { chunks: 0 })));
        }
        store_categories(writing, &mut growth)?;
        let mut count = 0;
        for (node, chunks) in &nodes {
            let Some(leaf) = growth.tree().id(*node) else { continue };
            count += writing.hang_chunks(leaf, chunks)?;
            hung.extend(chunks.iter().copied());
        }
        Ok(Settled::Commit(Some(Hung { chunks: count })))
    })?;
    Ok(written.value.map(|_| hung))
}

/// Stores the categories that are only in RAM, parents first.
fn store_categories(writing: &mut Writing<'_>, growth: &mut Growth<'_>) -> Result<(), StoreError> {
    writing.plant_tree(growth.tree().depth())?;
    for node in growth.unstored() {
        let tree = growth.tree();
        let place = |parent| Some(CategoryPlace { id: tree.id(parent)?, level: tree.level(parent) });
        let parent = growth.parent(node).and_then(place);
        let id = writing.add_category(tree.name(node), parent)?.id;
        growth.stored_as(node, id);
    }
    Ok(())
}

fn read_tree(reading: &mut Reading<'_>, space: SpaceId, depth: u32) -> Result<Tree, StoreError> {
    let depth = reading.tree_depth(space)?.unwrap_or(depth);
    Ok(Tree::with_living(depth, reading.categories(space)?, &reading.live_leaves(space)?))
}

impl Stored {
    /// `None` if nothing waits.
    fn read(
        reading: &mut Reading<'_>,
        space: &SpaceName,
        which: &ToPlaceNow<'_>,
        depth: u32,
    ) -> Result<Option<Self>, StoreError> {
        let Some(row) = reading.space(space)? else { return Ok(None) };
        if reading.unclassified_chunks(row.id)? == 0 {
            return Ok(None);
        }
        let chunks = waiting(reading, row.id, which)?;
        if chunks.is_empty() {
            return Ok(None);
        }
        let tree = read_tree(reading, row.id, depth)?;
        let all = reading.live_documents(row.id)?;
        let placed = placed(reading, row.id, &tree, &all)?;
        let rows: BTreeMap<i64, &LiveDocument> = all.iter().map(|document| (document.id, document)).collect();
        let mut documents: BTreeMap<i64, WaitingDocument> = BTreeMap::new();
        for chunk in chunks {
            // A document that was retired meanwhile has no live chunks.
            let Some(row) = rows.get(&chunk.document_id) else { continue };
            let document = documents.entry(chunk.document_id).or_insert_with(|| WaitingDocument::new(row));
            document.chunks.push(chunk);
        }
        let documents: Vec<WaitingDocument> = documents.into_values().collect();
        Ok((!documents.is_empty()).then_some(Self { revision: row.revision, tree, placed, documents }))
    }

    /// What the documents say of themselves, cleared.
    fn outlines(&self, guard: &Guard) -> Result<Vec<Outline>, Error> {
        let clear = |text: &str| guard.text(text).map(|text| text.as_str().to_owned());
        let outline = |document: &WaitingDocument| {
            let (folder, _) = document.path.rsplit_once('/').unwrap_or_default();
            let folders = folder.trim_start_matches('/').split('/').filter(|_| !folder.is_empty());
            let mut chunks: Vec<&WaitingChunk> = document.chunks.iter().collect();
            chunks.sort_by_key(|chunk| chunk.id);
            let section = |chunk: &&WaitingChunk| Ok((chunk.id, chunk.section.as_deref().map(clear).transpose()?));
            Ok(Outline {
                path: document.path.clone(),
                filename: clear(&document.filename)?,
                folders: folders.map(clear).collect::<Result<_, Error>>()?,
                beginning: chunks
                    .iter()
                    .find_map(|chunk| chunk.beginning.as_deref())
                    .map_or(Ok(String::new()), clear)?,
                chunks: chunks.iter().map(section).collect::<Result<_, Error>>()?,
            })
        };
        self.documents.iter().map(outline).collect()
    }

    fn report(&self, leaves: &[ArrangedLeaf], hung: &BTreeSet<i64>) -> Placed {
        let mut documents = BTreeMap::new();
        for WaitingDocument { id, path, chunks, .. } in &self.documents {
            let placed = chunks.iter().filter(|chunk| hung.contains(&chunk.id)).count() as u64;
            let waiting = chunks.len() as u64 - placed;
            documents.insert(*id, PlacedChunks { path: path.clone(), placed, waiting });
        }
        let mut stage = Stage::new("classify");
        for ArrangedLeaf { names, chunks, reason } in leaves {
            let placed = chunks.iter().filter(|chunk| hung.contains(chunk)).count();
            let detail = format!("{placed} chunks, built in");
            stage.decide(names.join(SEPARATOR), Action::Kept, reason, detail);
        }
        Placed { documents, stage: Some(stage) }
    }
}

impl WaitingDocument {
    fn new(row: &LiveDocument) -> Self {
        let LiveDocument { id, path, filename, .. } = row;
        Self { id: *id, path: path.clone(), filename: filename.clone(), chunks: Vec::new() }
    }
}

/// The waiting chunks of the documents.
fn waiting(reading: &mut Reading<'_>, space: SpaceId, which: &ToPlaceNow<'_>) -> Result<Vec<WaitingChunk>, StoreError> {
    let mut found = Vec::new();
    if let ToPlaceNow::Documents(documents) = which
        && documents.len() <= FEW
    {
        for document in *documents {
            found.extend(reading.waiting_of_document(space, *document)?);
        }
        return Ok(found);
    }
    let is_wanted = |chunk: &WaitingChunk| match which {
        ToPlaceNow::All => true,
        ToPlaceNow::Documents(documents) => documents.contains(&chunk.document_id),
    };
    let mut after = None;
    loop {
        let page = reading.waiting_outlines(space, after, PAGE)?;
        after = page.last().map(|last| (last.created_at, last.id));
        let is_last = page.len() < PAGE;
        found.extend(page.into_iter().filter(is_wanted));
        if is_last {
            return Ok(found);
        }
    }
}

/// The documents that are in the tree, each with the leaf that most of its chunks are on.
fn placed(
    reading: &mut Reading<'_>,
    space: SpaceId,
    tree: &Tree,
    documents: &[LiveDocument],
) -> Result<Vec<PlacedDocument>, StoreError> {
    if tree.living_leaves(None).is_empty() {
        return Ok(Vec::new());
    }
    // The new chunks of a version get their ids after it, and before the next version.
    let versions = reading.version_ids(space)?;
    let mut leaves_of: BTreeMap<i64, BTreeMap<i64, u64>> = BTreeMap::new();
    for (item, leaf) in reading.placed_items(space)? {
        let before = versions.partition_point(|(version, _)| *version < item);
        if let Some((_, document)) = before.checked_sub(1).map(|last| versions[last]) {
            *leaves_of.entry(document).or_default().entry(leaf).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for document in documents {
        let leaves = leaves_of.remove(&document.id).unwrap_or_default();
        let most = leaves.iter().max_by_key(|(leaf, count)| (**count, std::cmp::Reverse(**leaf)));
        if let Some(leaf) = most.and_then(|(leaf, _)| tree.find(*leaf)) {
            found.push(PlacedDocument { path: document.path.clone(), leaf });
        }
    }
    Ok(found)
}
