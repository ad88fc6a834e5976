//! Receipts: what a recall was made of, kept by ids, spans and digests, so that its context can be made again and shown to
//! be the same, byte for byte, later and on another machine.

use crate::assemble::{MemoryEntry, Passage, Redactor, Span, TEMPLATE, compose, redact};
use crate::route::Items;
use crate::verb::recall::{Assembled, Plan};
use crate::{Error, ItemView, RecallSettings, Recordar};
use recordar_domain::{Digest, Hasher, Invalid, OperationId, SpaceName, Timestamp, Trace};
use recordar_store::{Error as StoreError, Operation, Reading, ReceiptRow, ReceiptSource, Settled, SpaceId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything of a recall but the texts: those are in the store, and their digests here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Grows when receipts are read in another way.
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
    /// Every pattern that was taken out, in order; none where redaction was off.
    pub redaction: Vec<String>,
    pub tokenizer: String,
    pub template: String,
    pub memories: Vec<ReceiptMemory>,
    pub total_tokens: usize,
    /// Of the memories as JSON, and of the text for the system prompt.
    pub memories_sha256: Digest,
    pub text_sha256: Digest,
    pub trace: Trace,
}

/// One memory: which item it is of, and what of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptMemory {
    pub collection: String,
    pub item_id: i64,
    /// Of the item with as much of its text as was looked at.
    pub item_sha256: Digest,
    pub score: f64,
    pub original_length: usize,
    span: Span,
}

/// A receipt in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReceiptView {
    pub receipt: String,
    pub made_at: Timestamp,
    pub query: String,
    pub memories: usize,
    pub total_tokens: usize,
}

/// A receipt with the items it was made of: a line of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptExport {
    pub space: String,
    pub receipt: String,
    /// The receipt as it was stored: its sha256 is its id.
    pub body: String,
    pub items: Vec<ItemView>,
}

/// A context that was made again from its receipt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    pub receipt: String,
    pub space: String,
    /// Whether the context is the one that was given then, byte for byte.
    pub identical: bool,
    /// What differs, where it is not.
    pub differences: Vec<String>,
    pub text: String,
    pub memories: Vec<MemoryEntry>,
    /// What the receipt holds.
    pub body: Receipt,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    pub imported: usize,
    /// Those that were there already.
    pub known: usize,
    pub receipts: Vec<String>,
}

const FORMAT: u32 = 1;
/// How much of a digest is shown; any unmistakable beginning will do.
const SHOWN_DIGITS: usize = 16;
const MIN_DIGITS: usize = 4;
const MAX_LISTED: usize = 100_000;
const MAX_BODY_BYTES: usize = 1024 * 1024;

impl Recordar {
    /// Keeps the receipt of what was assembled. Whoever wants receipts gets no context without one.
    pub(super) fn keep_receipt(&self, plan: &Plan<'_>, assembled: &mut Assembled) -> Result<(), Error> {
        let receipt = self.receipt_of(plan, assembled)?;
        let body = serde_json::to_string(&receipt).map_err(|error| unreadable(&error))?;
        if body.len() > MAX_BODY_BYTES {
            return Err(Invalid::new(
                format!("the receipt of this recall has {} bytes, and at most {MAX_BODY_BYTES} are kept", body.len()),
                "shorten the query",
            )
            .into());
        }
        let row = ReceiptRow { digest: Digest::of(&body), made_at: receipt.made_at, body };
        let items = assembled
            .passages
            .iter()
            .map(|passage| SpaceName::parse(&passage.item.space).map(|space| (space, passage.item.item_id)));
        let items = items.collect::<Result<Vec<_>, _>>()?;
        if !self.store.keep_receipt(&plan.spaces[0], &row, &items)? {
            return Err(Error::input(
                "forgotten_meanwhile",
                "something that was found was forgotten while its receipt was written",
                "ask again",
            ));
        }
        assembled.result.receipt = Some(shown(row.digest));
        Ok(())
    }

    fn receipt_of(&self, plan: &Plan<'_>, assembled: &Assembled) -> Result<Receipt, Error> {
        let Assembled { result, passages, revisions, .. } = assembled;
        let memory = |passage: &Passage| {
            Ok(ReceiptMemory {
                collection: passage.item.space.clone(),
                item_id: passage.item.item_id,
                item_sha256: item_digest(&passage.source())?,
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
            template: TEMPLATE.to_owned(),
            memories: passages.iter().map(memory).collect::<Result<_, Error>>()?,
            total_tokens: result.metadata.total_tokens,
            memories_sha256: memories_digest(&result.memories)?,
            text_sha256: Digest::of(&result.text),
            trace: result.trace.clone(),
        })
    }

    /// The receipts of a space, the newest first.
    pub fn receipts(&self, space: &SpaceName, limit: usize) -> Result<Vec<ReceiptView>, Error> {
        let limit = limit.min(MAX_LISTED);
        let rows = self.store.read(|reading| match reading.space(space)? {
            Some(space) => reading.receipts(space.id, limit),
            None => Ok(Vec::new()),
        })?;
        rows.iter().map(view).collect()
    }

    /// A receipt by its id, or the beginning of it.
    pub fn receipt(&self, space: &SpaceName, id: &str) -> Result<(String, Receipt), Error> {
        let row = self.store.read(|reading| Ok(find_receipt(reading, space, id)?.1))?;
        Ok((shown(row.digest), parse(&row.body)?))
    }

    /// Makes the context of a receipt again from the items it names, and compares.
    pub fn why(&self, space: &SpaceName, id: &str) -> Result<Why, Error> {
        let (row, items) = self.receipt_with_items(space, id)?;
        let body = parse(&row.body)?;
        let mut differences = Vec::new();
        if Digest::of(&row.body) != row.digest {
            differences.push("the receipt itself was changed: its sha256 is another".to_owned());
        }
        let (memories, text) = rebuild(&body, items, &mut differences)?;
        Ok(Why {
            receipt: shown(row.digest),
            space: space.to_string(),
            identical: differences.is_empty(),
            differences,
            text,
            memories,
            body,
        })
    }

    /// A receipt with everything that is needed to make its context again.
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

    /// Takes in receipts that another store exported. Items that are here, too, are not taken in again.
    pub fn import_receipts(&self, exports: &[ReceiptExport], operation: &OperationId) -> Result<ImportReport, Error> {
        let mut by_space: BTreeMap<SpaceName, Vec<&ReceiptExport>> = BTreeMap::new();
        for export in exports {
            check_export(export)?;
            by_space.entry(SpaceName::parse(&export.space)?).or_default().push(export);
        }
        let mut report = ImportReport { imported: 0, known: 0, receipts: Vec::new() };
        for (space, exports) in &by_space {
            let request =
                exports.iter().fold(Hasher::default(), |hasher, export| hasher.field(&export.receipt)).finish();
            let operation = Operation { id: operation, kind: "import_receipts", request };
            let written = self.store.write(space, &operation, (self.clock)(), |writing| {
                let mut imported = 0;
                for export in exports {
                    let sources = sources(writing, &export.items)?;
                    let body = export.body.clone();
                    let made_at = parse(&body).map_err(|_| damaged())?.made_at;
                    let row = ReceiptRow { digest: Digest::of(&body), made_at, body };
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
            let mut items = Vec::new();
            for source in reading.receipt_sources(space_id, row.digest)? {
                items.push(match source {
                    ReceiptSource::Copy(json) => serde_json::from_str(&json).ok(),
                    ReceiptSource::Item { space, id } => Items::new(&[space]).get(reading, 0, id)?,
                });
            }
            Ok((row, items))
        })?;
        Ok(found)
    }
}

/// The memories and the text of a receipt, made again; and what is not as it was.
fn rebuild(
    body: &Receipt,
    items: Vec<Option<ItemView>>,
    differences: &mut Vec<String>,
) -> Result<(Vec<MemoryEntry>, String), Error> {
    if body.format > FORMAT {
        return Err(Invalid::new(
            format!("the receipt has format {}, and this program knows up to {FORMAT}", body.format),
            "use the newer Recordar that wrote it",
        )
        .into());
    }
    let redactor = (!body.redaction.is_empty()).then(|| Redactor::exactly(&body.redaction)).transpose()?;
    let mut passages = Vec::with_capacity(items.len());
    if items.len() != body.memories.len() {
        differences.push(format!("{} of {} items are known", items.len(), body.memories.len()));
    }
    for (memory, item) in body.memories.iter().zip(items) {
        let name = crate::assemble::item_name(&memory.collection, memory.item_id);
        let Some(item) = item else {
            differences.push(format!("{name} is gone"));
            continue;
        };
        let mut passage = Passage::new(item, memory.score);
        if item_digest(&passage.source())? != memory.item_sha256 {
            differences.push(format!("{name} is not what it was: its sha256 is another"));
        }
        if let Some(redactor) = &redactor {
            passage = redact(vec![passage], redactor)?.0.remove(0);
        }
        passage.original_length = memory.original_length;
        passage.span = memory.span;
        passages.push(passage.to_entry(body.settings.search_type));
    }
    let text = compose(&body.template, &passages)?;
    if memories_digest(&passages)? != body.memories_sha256 {
        differences.push("the memories are not those that were given".to_owned());
    }
    if Digest::of(&text) != body.text_sha256 {
        differences.push("the text is not the one that was given".to_owned());
    }
    Ok((passages, text))
}

/// A receipt by its id or the beginning of it, and the space it is kept in.
pub(super) fn find_receipt(
    reading: &mut Reading<'_>,
    space: &SpaceName,
    id: &str,
) -> Result<(SpaceId, ReceiptRow), StoreError> {
    let absent = || StoreError::absent(format!("receipt {id:?} in space {space}"));
    let wrong = || {
        Invalid::new(
            format!("{id:?} is not the id of a receipt"),
            format!("give at least {MIN_DIGITS} of the digits 0-9 and a-f that `recordar receipts list` shows"),
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

/// Where the items of an imported receipt are: here, if they are the same, or else kept beside it.
fn sources(reading: &mut Reading<'_>, items: &[ItemView]) -> Result<Vec<ReceiptSource>, StoreError> {
    let mut sources = Vec::with_capacity(items.len());
    for item in items {
        let space = SpaceName::parse(&item.space)?;
        let here = Items::new(std::slice::from_ref(&space)).get(reading, 0, item.item_id)?;
        sources.push(match here.map(looked_at) {
            Some(here) if here == *item => ReceiptSource::Item { space, id: item.item_id },
            _ => ReceiptSource::Copy(serde_json::to_string(item).map_err(|_| damaged())?),
        });
    }
    Ok(sources)
}

/// An export must be what it says it is before anything of it is stored.
fn check_export(export: &ReceiptExport) -> Result<(), Error> {
    let refuse = |why: String| {
        let id: String = export.receipt.chars().take(SHOWN_DIGITS).collect();
        Error::from(Invalid::new(
            format!("receipt {id} cannot be imported: {why}"),
            "export it again; the file was changed or cut",
        ))
    };
    if Digest::from_hex(&export.receipt) != Some(Digest::of(&export.body)) || export.body.len() > MAX_BODY_BYTES {
        return Err(refuse("its sha256 is another".to_owned()));
    }
    let body = parse(&export.body)?;
    if body.spaces.first() != Some(&export.space) {
        return Err(refuse("it is of another space".to_owned()));
    }
    if export.items.iter().any(|item| looked_at(item.clone()) != *item) {
        return Err(refuse("it holds more of an item than is ever looked at".to_owned()));
    }
    let mut differences = Vec::new();
    rebuild(&body, export.items.iter().cloned().map(Some).collect(), &mut differences)?;
    match differences.into_iter().next() {
        Some(difference) => Err(refuse(difference)),
        None if export.body.contains('\0') || export.items.iter().any(|item| item.text.contains('\0')) => {
            Err(refuse("it holds a NUL character".to_owned()))
        }
        None => Ok(()),
    }
}

/// As much of an item as a passage looks at.
fn looked_at(item: ItemView) -> ItemView {
    Passage::new(item, 0.0).item
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
    Error::input("receipt", format!("a receipt cannot be read: {error}"), "it was changed, or is from a newer Recordar")
}
