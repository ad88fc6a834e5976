//! Receipts: ids, spans and digests of everything that a recall, an answer or a composition used, so that it can be rebuilt later, on any
//! machine, and proven identical byte for byte.
//!
//! A receipt is of inputs, a template, and the digest of what they make. `rebuild` does that again; nothing here reads the store.

mod answer;
mod compose;
mod rebuild;
mod sources;

pub use answer::{AnswerReceipt, ReceiptChunk, ReceiptHelper, ReceiptSummary, TreeInputs, WhyAnswer};
pub use compose::request_of;
pub use compose::{ComposeReceipt, ReceiptPart, ReceiptText, SentReceipt, StandingVersions};
pub use rebuild::{Rebuilt, check_export, rebuild};
pub use sources::Sources;

use self::compose::MAX_COMPOSED;
use crate::error::Error;
use crate::guard::Redactor;
use crate::noun::fact::Unverified;
use crate::noun::item::{ItemView, StoredWith};
use crate::noun::limits::{MAX_CHUNKS, MAX_SPACES};
use crate::noun::memory::MemoryEntry;
use crate::noun::passage::{Span, look_at};
use crate::noun::staged::StagedPlace;
use crate::prompt::{is_staged_template, is_template};
use crate::recall::{MAX_SMALL_ID, RecallSettings, TOP_K};
use recordar_domain::{Digest, Intent, Invalid, SpaceName, Timestamp, Trace};
use recordar_store::{Error as StoreError, ReceiptRow, ReceiptSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Everything about a recall, an answer or a composition except the texts: those are in the store, and their digests are here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// Increases when the format of receipts changes.
    pub format: u32,
    pub engine: String,
    pub made_at: Timestamp,
    pub query: String,
    pub session_id: Option<String>,
    pub asked_at: Timestamp,
    pub as_of: Option<Timestamp>,
    pub spaces: Vec<String>,
    /// The revision of each space that was searched.
    pub revisions: Vec<Option<i64>>,
    pub settings: RecallSettings,
    /// The conditions of the filter, if there was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<String>,
    /// Every redaction pattern, in order; empty if redaction was off.
    pub redaction: Vec<String>,
    pub tokenizer: String,
    pub template: String,
    pub memories: Vec<ReceiptMemory>,
    /// All candidates, shown or not: when one of them is forgotten, the receipt is deleted.
    pub found: Vec<FoundItem>,
    /// Of the memories; of an answer by the tree or a composition, of its prompt.
    pub total_tokens: usize,
    /// Digests of the memories as JSON, and of the text for the system prompt; of a composition, of its prompt.
    pub memories_sha256: Digest,
    pub text_sha256: Digest,
    pub trace: Trace,
    /// What a staged recall was made of besides its memories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staged: Option<StagedInputs>,
    /// The answer made from the memories, if a question was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerReceipt>,
    /// What a composed prompt was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compose: Option<ComposeReceipt>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct FoundItem {
    pub collection: String,
    pub item_id: i64,
}

/// One memory: its item, and the part of it that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptMemory {
    pub collection: String,
    pub item_id: i64,
    /// Digest of the item, up to the part of its text that was considered.
    pub item_sha256: Digest,
    pub score: f64,
    pub original_length: usize,
    pub span: Span,
    /// Where a staged recall found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<StagedPlace>,
    /// Why a fact or a summary was to be looked at again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unverified: Option<Unverified>,
}

/// What chose the memories of a staged recall: the question as it was read, and the uses that were counted until then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StagedInputs {
    pub intent: Intent,
    /// The revision in each space at which uses were counted last; 0 if never.
    pub uses_at: Vec<i64>,
}

/// A receipt in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReceiptView {
    pub receipt: String,
    pub made_at: Timestamp,
    pub query: String,
    /// Memories, chunks of an answer by the tree, or items that a composed prompt quotes.
    pub memories: usize,
    pub total_tokens: usize,
}

/// A receipt with its items: a line of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptExport {
    pub space: String,
    pub receipt: String,
    /// The receipt as stored: its sha256 is its id.
    pub body: String,
    pub items: Vec<ItemView>,
    /// The texts of the helpers that it names, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<String>,
}

/// A context rebuilt from its receipt.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Why {
    pub receipt: String,
    pub space: String,
    /// Whether the context is identical to the original, byte for byte.
    pub identical: bool,
    /// The differences, if it is not identical.
    pub differences: Vec<String>,
    /// The text for the system prompt; of an answer by the tree or a composition, its prompt.
    pub text: String,
    pub memories: Vec<MemoryEntry>,
    /// The answer, reproduced from the recorded replies, if a question was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<WhyAnswer>,
    /// The receipt's content.
    pub body: Receipt,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReceiptsImported {
    pub imported: usize,
    /// Receipts that were already here.
    pub known: usize,
    pub receipts: Vec<String>,
}

/// Receipts of contexts, and of answers from them.
pub const FORMAT: u32 = 4;
/// Receipts of contexts that cite the section in which a chunk begins, and documents by their whole path.
pub(crate) const FIRST_FORMAT: u32 = 1;
/// Receipts of answers by the tree.
pub const TREE_FORMAT: u32 = 2;
/// Receipts of staged contexts.
pub const STAGED_FORMAT: u32 = 3;
/// Receipts of compositions.
pub const COMPOSE_FORMAT: u32 = 5;
/// The candidates of all stages, at most: each space has its own.
const MAX_STAGED: usize = 40;
/// How many digits of a digest are shown; any unique prefix is accepted.
pub const SHOWN_DIGITS: usize = 16;
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

impl Receipt {
    /// The inputs of an answer by the tree.
    pub fn tree(&self) -> Option<&TreeInputs> {
        self.answer.as_ref()?.tree.as_ref()
    }

    /// The items that are shown, with their space and id: memories, the chunks of an answer by the tree, or what a prompt quotes.
    pub fn shown_items(&self) -> Vec<(&str, i64)> {
        let space = self.spaces.first().map_or("", String::as_str);
        let memories = self.memories.iter().map(|memory| (memory.collection.as_str(), memory.item_id));
        let chunks = self.tree().into_iter().flat_map(|tree| &tree.chunks).map(|chunk| (space, chunk.item_id));
        let quoted = self.compose.iter().flat_map(|compose| compose.item_ids()).map(|id| (space, id));
        memories.chain(chunks).chain(quoted).collect()
    }

    /// Whether items are shown whole, rather than the part that a recall considers.
    pub fn shows_whole_items(&self) -> bool {
        self.tree().is_some() || self.compose.is_some()
    }

    /// Whether it proves no context: an answer by the tree has none.
    fn has_no_text(&self) -> bool {
        self.text_sha256 == Digest::of("") && self.memories_sha256 == Digest::of("[]")
    }

    /// Whether everything that it shows is among its candidates, by which `forget` finds it.
    pub(crate) fn shows_only_found(&self) -> bool {
        let found: BTreeSet<(&str, i64)> =
            self.found.iter().map(|item| (item.collection.as_str(), item.item_id)).collect();
        let space = self.spaces.first().map_or("", String::as_str);
        let helpers = self.tree().into_iter().flat_map(|tree| &tree.helpers).map(|helper| (space, helper.helper_id));
        self.shown_items().into_iter().chain(helpers).all(|item| found.contains(&item))
    }
}

/// A receipt may come from anywhere, so it may only ask for something that a recall or an answer can have done.
pub(crate) fn check_receipt(body: &Receipt) -> Result<(), Invalid> {
    let (top_k, small) = (TOP_K.administrator.1 as usize, MAX_SMALL_ID as usize);
    let most = top_k + small;
    let tree = body.tree();
    let (format, most_found) = match (&body.compose, tree, &body.staged) {
        (Some(_), ..) => (COMPOSE_FORMAT, MAX_COMPOSED),
        (None, Some(_), _) => (TREE_FORMAT, 4 * MAX_CHUNKS),
        (None, None, Some(_)) => (STAGED_FORMAT, MAX_STAGED),
        (None, None, None) => (FORMAT, 2 * top_k + small),
    };
    let is_known = match (&body.compose, &body.staged) {
        (Some(_), _) => body.template.is_empty(),
        (None, Some(_)) => is_staged_template(&body.template),
        (None, None) => is_template(&body.template),
    };
    let is_earlier = format == FORMAT && body.format == FIRST_FORMAT;
    let why = if body.format != format && !is_earlier {
        format!(
            "it has format {}; this version reads formats {FIRST_FORMAT} and {FORMAT}, {TREE_FORMAT} for the tree, \
             {STAGED_FORMAT} for stages and {COMPOSE_FORMAT} for compositions",
            body.format
        )
    } else if !is_known {
        "its template is unknown to this version".to_owned()
    } else if body.memories.len() > most || body.found.len() > most_found || body.spaces.len() > MAX_SPACES {
        format!("it holds more than {most} memories, or more than {most_found} items")
    } else if tree.is_some() && (body.spaces.len() != 1 || !body.memories.is_empty() || !body.has_no_text()) {
        "an answer by the tree is made of one space, and of no memories".to_owned()
    } else if body.compose.is_some() && (body.spaces.len() != 1 || !body.memories.is_empty() || body.answer.is_some()) {
        "a composition is made of one space, and of no memories".to_owned()
    } else if let Some(Err(why)) = body.compose.as_ref().map(ComposeReceipt::check) {
        why
    } else if let Some(Err(why)) = body.answer.as_ref().map(AnswerReceipt::check) {
        why
    } else {
        return Ok(());
    };
    Err(Invalid::new(format!("the receipt cannot be used: {why}"), "use the version of Recordar that wrote it"))
}

/// The items that the body of a receipt in an export names, if it is valid.
pub fn sources_of_body(body: &str) -> Result<BTreeSet<(Digest, i64)>, Invalid> {
    let receipt: Receipt = serde_json::from_str(body)
        .map_err(|error| Invalid::new(format!("a receipt cannot be read: {error}"), "leave it out"))?;
    check_receipt(&receipt)?;
    if space_names(&receipt)?.is_empty() || !receipt.shows_only_found() {
        return Err(Invalid::new("a receipt shows an item that is not among its candidates", "leave it out"));
    }
    Redactor::exactly(&receipt.redaction)?;
    Ok(sources_of(&receipt.found)?.into_iter().map(|source| (source.space.digest(), source.id)).collect())
}

pub fn space_names(receipt: &Receipt) -> Result<Vec<SpaceName>, Invalid> {
    receipt.spaces.iter().map(|name| SpaceName::parse(name)).collect()
}

pub fn sources_of(found: &[FoundItem]) -> Result<Vec<ReceiptSource>, Invalid> {
    let mut found = found.to_vec();
    found.sort_unstable();
    found.dedup();
    let source = |item: &FoundItem| {
        Ok(ReceiptSource { space: SpaceName::parse(&item.collection)?, id: item.item_id, copy: None })
    };
    found.iter().map(source).collect()
}

/// An item with its text cut to the part that a passage considers.
pub fn looked_at(item: ItemView) -> ItemView {
    let mut item = item.proven();
    look_at(&mut item.text);
    item
}

pub fn item_digest(item: &ItemView) -> Result<Digest, Error> {
    let proven = item.clone().proven();
    Ok(Digest::of(serde_json::to_vec(&proven).map_err(|error| unreadable(&error))?))
}

/// What was stored with the items is not part of it.
pub fn memories_digest(memories: &[MemoryEntry]) -> Result<Digest, Error> {
    let proven =
        memories.iter().map(|memory| MemoryEntry { stored: StoredWith::default(), rerank: None, ..memory.clone() });
    let proven: Vec<MemoryEntry> = proven.collect();
    Ok(Digest::of(serde_json::to_vec(&proven).map_err(|error| unreadable(&error))?))
}

pub fn view(row: &ReceiptRow) -> Result<ReceiptView, Error> {
    let receipt = parse(&row.body)?;
    let memories = receipt.shown_items().len();
    let Receipt { query, total_tokens, .. } = receipt;
    Ok(ReceiptView { receipt: shown(row.digest), made_at: row.made_at, query, memories, total_tokens })
}

pub fn shown(digest: Digest) -> String {
    digest.to_string()[..SHOWN_DIGITS].to_owned()
}

pub fn parse(body: &str) -> Result<Receipt, Error> {
    serde_json::from_str(body).map_err(|error| unreadable(&error))
}

pub fn damaged() -> StoreError {
    StoreError::Corrupt { what: "a receipt cannot be read".to_owned() }
}

pub fn unreadable(error: &serde_json::Error) -> Error {
    Error::input(
        "receipt",
        format!("a receipt cannot be read: {error}"),
        "it was modified, or is from a newer version of Recordar",
    )
}
