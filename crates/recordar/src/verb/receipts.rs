//! The verbs of receipts: listing and showing them, `why`, and moving them to another store. Receipts themselves are in `recordar-core: receipt/`; they are
//! written in `flow/receipt.rs`.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::noun::item::{ItemView, item_name};
use recordar_core::receipt::{
    Rebuilt, Receipt, ReceiptExport, ReceiptView, ReceiptsImported, SHOWN_DIGITS, Sources, Why, check_export, damaged,
    looked_at, parse, rebuild, shown, sources_of, space_names, view,
};
use recordar_core::route::Items;
use recordar_domain::{Digest, Hasher, Invalid, ItemKind, OperationId, SpaceName};
use recordar_store::{Error as StoreError, Operation, Reading, ReceiptRow, ReceiptSource, Settled, SpaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

const MIN_DIGITS: usize = 4;
const MAX_LISTED: usize = 10_000;

impl Recordar {
    /// The receipts of a space, the newest first.
    pub fn receipts(&self, space: &SpaceName, limit: usize) -> Result<Vec<ReceiptView>, Error> {
        self.showing(|memory| {
            if !(1..=MAX_LISTED).contains(&limit) {
                let what = format!("limit {limit} is out of range: 1 to {MAX_LISTED}");
                return Err(Invalid::new(what, "use the default, 50, or a number in the range").into());
            }
            let rows = memory.store.read(|reading| match reading.space(space)? {
                // Spaces that a confined caller may not see are filtered out below.
                Some(space) => reading.receipts(space.id, if memory.within.is_none() { limit } else { MAX_LISTED }),
                None => Ok(Vec::new()),
            })?;
            if memory.within.is_none() {
                return rows.iter().map(view).collect();
            }
            let mut views = Vec::new();
            for row in &rows {
                if views.len() < limit && memory.may_tell_of(&parse(&row.body)?.spaces) {
                    views.push(view(row)?);
                }
            }
            Ok(views)
        })
    }

    /// Whether the caller may see all of these spaces.
    pub(super) fn may_tell_of(&self, spaces: &[String]) -> bool {
        self.within.as_ref().is_none_or(|within| spaces.iter().all(|name| within.may_read_named(name)))
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
        self.showing(|memory| {
            let row = memory.store.read(|reading| Ok(find_receipt(reading, space, id)?.1))?;
            Ok((shown(row.digest), parse(&row.body)?))
        })
    }

    /// Rebuilds the context of a receipt from the items it names, and compares.
    pub fn why(&self, space: &SpaceName, id: &str) -> Result<Why, Error> {
        self.showing(|memory| memory.rebuilt(space, id))
    }

    /// The same, as it is stored.
    pub(super) fn rebuilt(&self, space: &SpaceName, id: &str) -> Result<Why, Error> {
        let (row, sources) = self.receipt_with_sources(space, id)?;
        let body = parse(&row.body)?;
        let mut differences = Vec::new();
        if Digest::of(&row.body) != row.digest {
            differences.push("the receipt was modified: its sha256 does not match".to_owned());
        }
        let Rebuilt { memories, text, answer } = rebuild(&body, sources, &mut differences)?;
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
        let (row, Sources { items, helpers }) = self.receipt_with_sources(space, id)?;
        let body = parse(&row.body)?;
        if body.shows_whole_items() {
            // Whole items are written: only those that the receipt was made of.
            let mut differences = Vec::new();
            let sources = Sources { items: items.clone(), helpers: helpers.clone() };
            rebuild(&body, sources, &mut differences)?;
            if let Some(difference) = differences.first() {
                let what = format!("receipt {} cannot be exported: {difference}", shown(row.digest));
                return Err(Error::input("receipt", what, "`recordar why` shows what is left of it"));
            }
        }
        let missing =
            |what: &str| Error::from(StoreError::absent(format!("{what} of receipt {} any more", shown(row.digest))));
        let item = |item: Option<ItemView>| {
            let item = item.ok_or_else(|| missing("item"))?;
            Ok(if body.shows_whole_items() { item.proven() } else { looked_at(item) })
        };
        let items = items.into_iter().map(item).collect::<Result<_, Error>>()?;
        let helpers = helpers.into_iter().map(|helper| helper.ok_or_else(|| missing("helper")));
        Ok(ReceiptExport {
            space: space.to_string(),
            receipt: row.digest.to_string(),
            items,
            helpers: helpers.collect::<Result<_, Error>>()?,
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
        self.create()?;
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
                    let sources = local.sources(writing, &receipt, export)?;
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

    /// A receipt with what it names, as far as it is here: items of this store, or copies that came with it.
    fn receipt_with_sources(&self, space: &SpaceName, id: &str) -> Result<(ReceiptRow, Sources), Error> {
        let found = self.store.read(|reading| {
            let (space_id, row) = find_receipt(reading, space, id)?;
            let copies = reading.receipt_copies(space_id, row.digest)?;
            let body = parse(&row.body).map_err(|_| damaged())?;
            let names = space_names(&body)?;
            let mut known = Items::at(&names, revisions(reading, &names, &body)?);
            let mut items = Vec::new();
            for (collection, item_id) in body.shown_items() {
                let place = names.iter().position(|name| name.as_str() == collection);
                let copy = place.and_then(|place| copies.get(&(names[place].digest(), item_id)));
                items.push(match (copy, place) {
                    (Some(copy), _) => serde_json::from_str(copy).ok(),
                    (None, Some(place)) => known.get(reading, place, item_id)?,
                    (None, None) => None,
                });
            }
            let mut helpers = Vec::new();
            for helper in body.tree().map_or(&[][..], |tree| &tree.helpers) {
                let copy = names.first().and_then(|name| copies.get(&(name.digest(), helper.helper_id)));
                helpers.push(match copy {
                    Some(copy) => serde_json::from_str::<HelperCopy>(copy).ok().map(|copy| copy.text),
                    None => helper_here(reading, names.first(), helper.helper_id)?,
                });
            }
            Ok((row, Sources { items, helpers }))
        })?;
        Ok(found)
    }
}

/// The revision of each space that a receipt shows.
fn revisions(
    reading: &mut Reading<'_>,
    names: &[SpaceName],
    receipt: &Receipt,
) -> Result<Vec<Option<i64>>, StoreError> {
    let mut revisions = receipt.revisions.clone();
    revisions.resize(names.len(), None);
    if let Some(time) = receipt.as_of {
        for (name, revision) in names.iter().zip(&mut revisions) {
            if let Some(space) = reading.space(name)? {
                *revision = Some(reading.revision_at(space.id, time)?);
            }
        }
    }
    Ok(revisions)
}

/// The text of a helper that came with a receipt.
#[derive(Serialize, Deserialize)]
struct HelperCopy {
    text: String,
}

fn helper_here(reading: &mut Reading<'_>, space: Option<&SpaceName>, id: i64) -> Result<Option<String>, StoreError> {
    let Some(space) = space.map_or(Ok(None), |name| reading.space(name))? else { return Ok(None) };
    Ok(reading.helper_by_id(space.id, id)?.map(|row| row.text))
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
            format!("{id:?} is not a valid receipt id"),
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
        export: &ReceiptExport,
    ) -> Result<Vec<ReceiptSource>, StoreError> {
        let mut sources = sources_of(&receipt.found)?;
        let names = space_names(receipt)?;
        let mut known = Items::at(&names, revisions(reading, &names, receipt)?);
        for source in &mut sources {
            if self.was_forgotten(reading, &source.space, source.id)? {
                let name = item_name(source.space.as_str(), source.id);
                return Err(Invalid::new(
                    format!("a receipt names {name}, which was forgotten in this database; nothing was imported"),
                    "leave that receipt out of the file",
                )
                .into());
            }
            let tree = receipt.tree();
            let helper = tree.and_then(|tree| tree.helpers.iter().position(|helper| helper.helper_id == source.id));
            if let Some(text) = helper.filter(|_| source.space == names[0]).and_then(|at| export.helpers.get(at)) {
                if helper_here(reading, Some(&source.space), source.id)?.as_ref() != Some(text) {
                    let copy = HelperCopy { text: text.clone() };
                    source.copy = Some(serde_json::to_string(&copy).map_err(|_| damaged())?);
                }
                continue;
            }
            let shown =
                export.items.iter().find(|item| item.item_id == source.id && item.space == source.space.as_str());
            let Some(shown) = shown else { continue };
            let place = names.iter().position(|name| *name == source.space);
            let here = place.map(|place| known.get(reading, place, source.id)).transpose()?.flatten();
            let here = here.map(if receipt.shows_whole_items() { ItemView::proven } else { looked_at });
            if here.as_ref().is_some_and(|here| is_cut_since(here, shown)) {
                let name = item_name(source.space.as_str(), source.id);
                return Err(Invalid::new(
                    format!("a receipt shows text of {name} that was forgotten in this database; nothing was imported"),
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

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct WhyArguments {
    /// The receipt's id, or a prefix of it.
    receipt: String,
}

impl Verb for WhyArguments {
    const NAME: &'static str = "why";
    const ABOUT: &'static str = "Explain a recalled context, an answer or a composed prompt: rebuild it from its receipt, and compare it with the original.";
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
