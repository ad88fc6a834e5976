//! Receipts: ids, spans and digests of everything that a recall used, so that its context can be rebuilt later, on any
//! machine, and proven identical byte for byte.

use crate::assemble::{
    MemoryEntry, Passage, Redactor, Span, compose, is_template, item_name, look_at, redact, template,
};
use crate::call::{Call, Effect, Reach, Verb};
use crate::policy::TOP_K;
use crate::route::Items;
use crate::verb::answer_receipt::{AnswerReceipt, WhyAnswer};
use crate::verb::recall::{Assembled, Plan};
use crate::verb::search::MAX_SPACES;
use crate::{CandidateView, Error, ItemView, RecallSettings, Recordar};
use recordar_domain::{Digest, Hasher, Invalid, ItemKind, OperationId, SpaceName, Timestamp, Trace};
use recordar_store::{
    Error as StoreError, Operation, Reading, ReceiptRow, ReceiptSource, SearchedSpace, Settled, SpaceId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Everything about a recall except the texts: those are in the store, and their digests are here.
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
    /// Every redaction pattern, in order; empty if redaction was off.
    pub redaction: Vec<String>,
    pub tokenizer: String,
    pub template: String,
    pub memories: Vec<ReceiptMemory>,
    /// All candidates, shown or not: when one of them is forgotten, the receipt is deleted.
    pub found: Vec<FoundItem>,
    pub total_tokens: usize,
    /// Digests of the memories as JSON, and of the text for the system prompt.
    pub memories_sha256: Digest,
    pub text_sha256: Digest,
    pub trace: Trace,
    /// The answer made from the memories, if a question was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerReceipt>,
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
    span: Span,
}

/// A receipt in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReceiptView {
    pub receipt: String,
    pub made_at: Timestamp,
    pub query: String,
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

const FORMAT: u32 = 1;
/// How many digits of a digest are shown; any unique prefix is accepted.
const SHOWN_DIGITS: usize = 16;
const MIN_DIGITS: usize = 4;
const MAX_LISTED: usize = 10_000;
const MAX_BODY_BYTES: usize = 1024 * 1024;

impl Recordar {
    /// Stores the receipt of a context. False if data was forgotten meanwhile: then the context must be assembled again.
    pub(super) fn keep_receipt(&self, plan: &Plan<'_>, assembled: &mut Assembled) -> Result<bool, Error> {
        let receipt = self.receipt_of(plan, assembled)?;
        let body = serde_json::to_string(&receipt).map_err(|error| unreadable(&error))?;
        if body.len() > MAX_BODY_BYTES {
            return Err(Invalid::new(
                format!("the receipt of this recall has {} bytes; the limit is {MAX_BODY_BYTES}", body.len()),
                "shorten the query, or recall without a receipt",
            )
            .into());
        }
        let row = ReceiptRow { digest: Digest::of(&body), made_at: receipt.made_at, body };
        let sources = sources_of(&receipt.found)?;
        let searched = plan.spaces.iter().zip(&assembled.revisions).filter_map(|(name, moment)| {
            moment.map(|(incarnation, revision)| SearchedSpace { name: name.clone(), incarnation, revision })
        });
        let searched: Vec<SearchedSpace> = searched.collect();
        // The first space that exists; some of several may not.
        let Some(own) = searched.first() else { return Ok(false) };
        let is_kept = self.store.keep_receipt(&own.name, &row, &sources, &searched)?;
        assembled.result.receipt = is_kept.then(|| shown(row.digest));
        Ok(is_kept)
    }

    fn receipt_of(&self, plan: &Plan<'_>, assembled: &Assembled) -> Result<Receipt, Error> {
        let Assembled { result, passages, revisions, .. } = assembled;
        let memory = |passage: &Passage| {
            Ok(ReceiptMemory {
                collection: passage.item.space.clone(),
                item_id: passage.item.item_id,
                item_sha256: item_digest(passage.source())?,
                score: passage.score,
                original_length: passage.original_length,
                span: passage.span,
            })
        };
        Ok(Receipt {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            made_at: plan.now,
            query: plan.request.query.clone(),
            session_id: plan.request.session_id.clone(),
            asked_at: plan.asked_at(),
            as_of: plan.request.as_of,
            spaces: result.spaces.clone(),
            revisions: revisions.iter().map(|revision| revision.map(|(_, revision)| revision)).collect(),
            settings: plan.settings.clone(),
            redaction: plan.redactor.as_ref().map_or(Vec::new(), |redactor| redactor.patterns()),
            tokenizer: self.counter.name().to_owned(),
            template: template(&result.memories).into_owned(),
            memories: passages.iter().map(memory).collect::<Result<_, Error>>()?,
            found: result.candidates.iter().map(found_item).collect(),
            total_tokens: result.metadata.total_tokens,
            memories_sha256: memories_digest(&result.memories)?,
            text_sha256: Digest::of(&result.text),
            trace: result.trace.clone(),
            answer: assembled.answer.clone(),
        })
    }

    /// The receipts of a space, the newest first.
    pub fn receipts(&self, space: &SpaceName, limit: usize) -> Result<Vec<ReceiptView>, Error> {
        if self.hides() {
            return self.showing(|memory| memory.receipts(space, limit));
        }
        if !(1..=MAX_LISTED).contains(&limit) {
            let what = format!("limit {limit} is out of range: 1 to {MAX_LISTED}");
            return Err(Invalid::new(what, "use the default, 50, or a number in the range").into());
        }
        let rows = self.store.read(|reading| match reading.space(space)? {
            // Spaces that a confined caller may not see are filtered out below.
            Some(space) => reading.receipts(space.id, if self.within.is_none() { limit } else { MAX_LISTED }),
            None => Ok(Vec::new()),
        })?;
        if self.within.is_none() {
            return rows.iter().map(view).collect();
        }
        let mut views = Vec::new();
        for row in &rows {
            if views.len() < limit && self.may_tell_of(&parse(&row.body)?.spaces) {
                views.push(view(row)?);
            }
        }
        Ok(views)
    }

    /// Whether the caller may see all of these spaces.
    fn may_tell_of(&self, spaces: &[String]) -> bool {
        let is_seen = |within: &Vec<SpaceName>, name: &String| within.iter().any(|space| space.as_str() == name);
        self.within.as_ref().is_none_or(|within| spaces.iter().all(|name| is_seen(within, name)))
    }

    /// The ids of all receipts of a space, in the order they were made.
    pub fn receipt_ids(&self, space: &SpaceName) -> Result<Vec<String>, Error> {
        let digests = self.store.read(|reading| match reading.space(space)? {
            Some(space) => reading.receipt_digests(space.id),
            None => Ok(Vec::new()),
        })?;
        Ok(digests.iter().map(Digest::to_string).collect())
    }

    /// A receipt by its id, or the beginning of it.
    pub fn receipt(&self, space: &SpaceName, id: &str) -> Result<(String, Receipt), Error> {
        if self.hides() {
            return self.showing(|memory| memory.receipt(space, id));
        }
        let row = self.store.read(|reading| Ok(find_receipt(reading, space, id)?.1))?;
        Ok((shown(row.digest), parse(&row.body)?))
    }

    /// Rebuilds the context of a receipt from the items it names, and compares.
    pub fn why(&self, space: &SpaceName, id: &str) -> Result<Why, Error> {
        if self.hides() {
            return self.showing(|memory| memory.why(space, id));
        }
        let (row, items) = self.receipt_with_items(space, id)?;
        let body = parse(&row.body)?;
        let mut differences = Vec::new();
        if Digest::of(&row.body) != row.digest {
            differences.push("the receipt was modified: its sha256 does not match".to_owned());
        }
        let (memories, text, answer) = rebuild(&body, items, &mut differences)?;
        Ok(Why {
            receipt: shown(row.digest),
            space: space.to_string(),
            identical: differences.is_empty(),
            differences,
            text,
            memories,
            answer,
            body,
        })
    }

    /// A receipt with everything needed to rebuild its context.
    pub fn export_receipt(&self, space: &SpaceName, id: &str) -> Result<ReceiptExport, Error> {
        let (row, items) = self.receipt_with_items(space, id)?;
        let missing = || Error::from(StoreError::absent(format!("item of receipt {} any more", shown(row.digest))));
        let items = items.into_iter().map(|item| item.map(looked_at).ok_or_else(missing));
        Ok(ReceiptExport {
            space: space.to_string(),
            receipt: row.digest.to_string(),
            items: items.collect::<Result<_, _>>()?,
            body: row.body,
        })
    }

    /// Imports receipts that another store exported. Items that exist here are not imported again.
    pub fn import_receipts(
        &self,
        exports: &[ReceiptExport],
        operation: &OperationId,
    ) -> Result<ReceiptsImported, Error> {
        let mut by_space: BTreeMap<SpaceName, Vec<&ReceiptExport>> = BTreeMap::new();
        for export in exports {
            check_export(export)?;
            by_space.entry(SpaceName::parse(&export.space)?).or_default().push(export);
        }
        let mut report = ReceiptsImported { imported: 0, known: 0, receipts: Vec::new() };
        for (space, exports) in &by_space {
            let request =
                exports.iter().fold(Hasher::default(), |hasher, export| hasher.field(&export.receipt)).finish();
            let operation = Operation { id: operation, kind: "import_receipts", request };
            let written = self.store.write(space, &operation, (self.clock)(), |writing| {
                let mut imported = 0;
                let mut local = Local::default();
                for export in exports {
                    let body = export.body.clone();
                    let receipt = parse(&body).map_err(|_| damaged())?;
                    let sources = local.sources(writing, &receipt, &export.items)?;
                    let row = ReceiptRow { digest: Digest::of(&body), made_at: receipt.made_at, body };
                    imported += usize::from(writing.add_receipt(&row, &sources)?);
                }
                Ok(if imported == 0 { Settled::Abandon(0) } else { Settled::Commit(imported) })
            })?;
            report.imported += written.value;
            report.known += exports.len() - written.value;
            report.receipts.extend(exports.iter().map(|export| export.receipt[..SHOWN_DIGITS].to_owned()));
        }
        Ok(report)
    }

    fn receipt_with_items(&self, space: &SpaceName, id: &str) -> Result<(ReceiptRow, Vec<Option<ItemView>>), Error> {
        let found = self.store.read(|reading| {
            let (space_id, row) = find_receipt(reading, space, id)?;
            let copies = reading.receipt_copies(space_id, row.digest)?;
            let body = parse(&row.body).map_err(|_| damaged())?;
            let names = space_names(&body)?;
            let mut known = Items::new(&names);
            let mut items = Vec::with_capacity(body.memories.len());
            for memory in &body.memories {
                let place = names.iter().position(|name| name.as_str() == memory.collection);
                let copy = place.and_then(|place| copies.get(&(names[place].digest(), memory.item_id)));
                items.push(match (copy, place) {
                    (Some(copy), _) => serde_json::from_str(copy).ok(),
                    (None, Some(place)) => known.get(reading, place, memory.item_id)?,
                    (None, None) => None,
                });
            }
            Ok((row, items))
        })?;
        Ok(found)
    }
}

/// The memories, the text and the answer, rebuilt from a receipt; and the differences.
fn rebuild(
    body: &Receipt,
    items: Vec<Option<ItemView>>,
    differences: &mut Vec<String>,
) -> Result<(Vec<MemoryEntry>, String, Option<WhyAnswer>), Error> {
    check_receipt(body)?;
    if items.len() != body.memories.len() {
        differences.push(format!("{} of {} items are available", items.len(), body.memories.len()));
    }
    let (mut passages, mut spans): (Vec<Passage>, Vec<Span>) = (Vec::new(), Vec::new());
    for (memory, item) in body.memories.iter().zip(items) {
        let name = item_name(&memory.collection, memory.item_id);
        let Some(item) = item else {
            differences.push(format!("{name} is gone"));
            continue;
        };
        if (item.space.as_str(), item.item_id) != (memory.collection.as_str(), memory.item_id) {
            differences.push(format!("{name} was replaced by {}", item_name(&item.space, item.item_id)));
            continue;
        }
        let mut passage = Passage::new(item, memory.score);
        // It is not shown either: a forged receipt could name anything, in any space.
        if item_digest(passage.source())? != memory.item_sha256 {
            differences.push(format!("{name} was modified: its sha256 does not match"));
            continue;
        }
        passage.original_length = memory.original_length;
        spans.push(memory.span);
        passages.push(passage);
    }
    if !body.redaction.is_empty() {
        passages = redact(passages, &Redactor::exactly(&body.redaction)?)?.0;
    }
    passages.iter_mut().zip(spans).for_each(|(passage, span)| passage.span = span);
    let memories: Vec<MemoryEntry> =
        passages.iter().map(|passage| passage.to_entry(body.settings.search_type)).collect();
    let text = compose(&body.template, &memories)?;
    if memories_digest(&memories)? != body.memories_sha256 {
        differences.push("the memories differ from the original".to_owned());
    }
    if Digest::of(&text) != body.text_sha256 {
        differences.push("the text differs from the original".to_owned());
    }
    let answer = body.answer.as_ref().map(|answer| answer.answer_again(&body.query, &memories, differences));
    Ok((memories, text, answer.transpose()?.flatten()))
}

/// A receipt may come from anywhere, so it may only ask for something that a recall can have done.
fn check_receipt(body: &Receipt) -> Result<(), Invalid> {
    let most = TOP_K.administrator.1 as usize;
    let why = if body.format != FORMAT {
        format!("it has format {}; this version reads format {FORMAT}", body.format)
    } else if !is_template(&body.template) {
        "its template is unknown to this version".to_owned()
    } else if body.memories.len() > most || body.found.len() > 2 * most || body.spaces.len() > MAX_SPACES {
        format!("it holds more than {most} memories, or more than {} items", 2 * most)
    } else if let Some(Err(why)) = body.answer.as_ref().map(AnswerReceipt::check) {
        why
    } else {
        return Ok(());
    };
    Err(Invalid::new(format!("the receipt cannot be used: {why}"), "use the version of Recordar that wrote it"))
}

/// The items that the body of a receipt in an export names, if it is valid.
pub(super) fn sources_of_body(body: &str) -> Result<BTreeSet<(Digest, i64)>, Invalid> {
    let receipt: Receipt = serde_json::from_str(body)
        .map_err(|error| Invalid::new(format!("a receipt cannot be read: {error}"), "leave it out"))?;
    check_receipt(&receipt)?;
    let is_found = |memory: &ReceiptMemory| {
        receipt.found.iter().any(|item| item.item_id == memory.item_id && item.collection == memory.collection)
    };
    if space_names(&receipt)?.is_empty() || !receipt.memories.iter().all(is_found) {
        return Err(Invalid::new("a receipt shows an item that is not among its candidates", "leave it out"));
    }
    Redactor::exactly(&receipt.redaction)?;
    Ok(sources_of(&receipt.found)?.into_iter().map(|source| (source.space.digest(), source.id)).collect())
}

/// A receipt by its id or a prefix of it, and its space.
pub(super) fn find_receipt(
    reading: &mut Reading<'_>,
    space: &SpaceName,
    id: &str,
) -> Result<(SpaceId, ReceiptRow), StoreError> {
    let absent = || StoreError::absent(format!("receipt {id:?} in space {space}"));
    let wrong = || {
        Invalid::new(
            format!("{id:?} is not a receipt id"),
            format!("give at least {MIN_DIGITS} digits (0-9, a-f) of an id from `recordar receipts list`"),
        )
    };
    let digits = id.trim().to_ascii_lowercase();
    let (least, most) = (format!("{digits:0<64}"), format!("{digits:f<64}"));
    let (Some(least), Some(most)) = (Digest::from_hex(&least), Digest::from_hex(&most)) else {
        return Err(wrong().into());
    };
    if digits.len() < MIN_DIGITS {
        return Err(wrong().into());
    }
    let space_id = reading.space(space)?.ok_or_else(absent)?.id;
    let mut found = reading.receipts_between(space_id, least, most, 2)?.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) => Ok((space_id, only)),
        (None, _) => Err(absent()),
        (Some(_), Some(_)) => Err(Invalid::new(format!("several receipts begin with {id}"), "give more digits").into()),
    }
}

/// What this store knows of the spaces that imported receipts name.
#[derive(Default)]
struct Local {
    /// The ids that were forgotten.
    forgotten: BTreeMap<SpaceName, BTreeSet<i64>>,
}

impl Local {
    fn was_forgotten(&mut self, reading: &mut Reading<'_>, space: &SpaceName, id: i64) -> Result<bool, StoreError> {
        if !self.forgotten.contains_key(space) {
            let row = reading.space(space)?;
            let ids = row.map_or(Ok(Vec::new()), |row| reading.tombstones(row.id, 0))?;
            self.forgotten.insert(space.clone(), BTreeSet::from_iter(ids));
        }
        Ok(self.forgotten[space].contains(&id))
    }

    /// The items that an imported receipt names: with a copy if they are shown and differ here.
    fn sources(
        &mut self,
        reading: &mut Reading<'_>,
        receipt: &Receipt,
        items: &[ItemView],
    ) -> Result<Vec<ReceiptSource>, StoreError> {
        let mut sources = sources_of(&receipt.found)?;
        let names = space_names(receipt)?;
        let mut known = Items::new(&names);
        for source in &mut sources {
            if self.was_forgotten(reading, &source.space, source.id)? {
                let name = item_name(source.space.as_str(), source.id);
                return Err(Invalid::new(
                    format!("a receipt names {name}, which was forgotten here; nothing was imported"),
                    "leave that receipt out of the file",
                )
                .into());
            }
            let shown = items.iter().find(|item| item.item_id == source.id && item.space == source.space.as_str());
            let Some(shown) = shown else { continue };
            let place = names.iter().position(|name| *name == source.space);
            let here = place.map(|place| known.get(reading, place, source.id)).transpose()?.flatten().map(looked_at);
            if here.as_ref().is_some_and(|here| is_cut_since(here, shown)) {
                let name = item_name(source.space.as_str(), source.id);
                return Err(Invalid::new(
                    format!("a receipt shows text of {name} that was forgotten here; nothing was imported"),
                    "leave that receipt out of the file",
                )
                .into());
            }
            if here.as_ref() != Some(shown) {
                source.copy = Some(serde_json::to_string(shown).map_err(|_| damaged())?);
            }
        }
        Ok(sources)
    }
}

/// Whether a chunk here is the rest of the one shown: a neighbour was forgotten, with the text they shared.
fn is_cut_since(here: &ItemView, shown: &ItemView) -> bool {
    here.kind == ItemKind::Chunk
        && here.document == shown.document
        && here.text.len() < shown.text.len()
        && shown.text.contains(&here.text)
}

fn space_names(receipt: &Receipt) -> Result<Vec<SpaceName>, Invalid> {
    receipt.spaces.iter().map(|name| SpaceName::parse(name)).collect()
}

fn sources_of(found: &[FoundItem]) -> Result<Vec<ReceiptSource>, Invalid> {
    let mut found = found.to_vec();
    found.sort_unstable();
    found.dedup();
    let source = |item: &FoundItem| {
        Ok(ReceiptSource { space: SpaceName::parse(&item.collection)?, id: item.item_id, copy: None })
    };
    found.iter().map(source).collect()
}

fn found_item(candidate: &CandidateView) -> FoundItem {
    FoundItem { collection: candidate.space.clone(), item_id: candidate.item_id }
}

/// An export is verified before any of it is stored.
fn check_export(export: &ReceiptExport) -> Result<(), Error> {
    let refuse = |why: String| {
        let id: String = export.receipt.chars().take(SHOWN_DIGITS).collect();
        Error::from(Invalid::new(
            format!("receipt {id} cannot be imported: {why}"),
            "export it again; the file was modified or truncated",
        ))
    };
    if Digest::from_hex(&export.receipt) != Some(Digest::of(&export.body)) || export.body.len() > MAX_BODY_BYTES {
        return Err(refuse("its sha256 does not match".to_owned()));
    }
    let body = parse(&export.body)?;
    check_receipt(&body)?;
    if !body.spaces.contains(&export.space) {
        return Err(refuse("it belongs to another space".to_owned()));
    }
    let is_found = |memory: &ReceiptMemory| {
        body.found.iter().any(|item| item.item_id == memory.item_id && item.collection == memory.collection)
    };
    if !body.memories.iter().all(is_found) {
        return Err(refuse("it shows an item that is not among its candidates".to_owned()));
    }
    if export.items.iter().any(|item| looked_at(item.clone()) != *item) {
        return Err(refuse("it holds more of an item's text than a recall reads".to_owned()));
    }
    let mut differences = Vec::new();
    rebuild(&body, export.items.iter().cloned().map(Some).collect(), &mut differences)?;
    differences.into_iter().next().map_or(Ok(()), |difference| Err(refuse(difference)))
}

/// An item with its text cut to the part that a passage considers.
fn looked_at(mut item: ItemView) -> ItemView {
    look_at(&mut item.text);
    item
}

fn item_digest(item: &ItemView) -> Result<Digest, Error> {
    Ok(Digest::of(serde_json::to_vec(item).map_err(|error| unreadable(&error))?))
}

fn memories_digest(memories: &[MemoryEntry]) -> Result<Digest, Error> {
    Ok(Digest::of(serde_json::to_vec(memories).map_err(|error| unreadable(&error))?))
}

fn view(row: &ReceiptRow) -> Result<ReceiptView, Error> {
    let Receipt { query, memories, total_tokens, .. } = parse(&row.body)?;
    Ok(ReceiptView { receipt: shown(row.digest), made_at: row.made_at, query, memories: memories.len(), total_tokens })
}

fn shown(digest: Digest) -> String {
    digest.to_string()[..SHOWN_DIGITS].to_owned()
}

fn parse(body: &str) -> Result<Receipt, Error> {
    serde_json::from_str(body).map_err(|error| unreadable(&error))
}

fn damaged() -> StoreError {
    StoreError::Corrupt { what: "a receipt cannot be read".to_owned() }
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::input(
        "receipt",
        format!("a receipt cannot be read: {error}"),
        "it was modified, or is from a newer version of Recordar",
    )
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct WhyArguments {
    /// The receipt's id, or a prefix of it.
    receipt: String,
}

impl Verb for WhyArguments {
    const NAME: &'static str = "why";
    const ABOUT: &'static str = "Explain a recalled context or an answer: rebuild it from its receipt, and compare.";
    const EFFECT: Effect = Effect::Reads;
    /// A receipt belongs to the space of the call, and names all spaces that were searched.
    const REACH: Reach<Self> =
        Reach::Spaces(|why, memory, caller| Ok(memory.receipt(&caller.space, &why.receipt)?.1.spaces));
    const IS_LONG: bool = false;
    type Reply = Why;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Why, Error> {
        memory.why(call.space(), &self.receipt)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ReceiptsArguments {
    /// Maximum number of receipts.
    #[serde(default = "default_listed")]
    #[schemars(range(min = 1, max = MAX_LISTED))]
    limit: usize,
}

fn default_listed() -> usize {
    50
}

impl Verb for ReceiptsArguments {
    const NAME: &'static str = "receipts";
    const ABOUT: &'static str = "List the receipts of the space, newest first.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<ReceiptView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<ReceiptView>, Error> {
        memory.receipts(call.space(), self.limit)
    }
}
