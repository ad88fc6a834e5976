//! Items by their ids, and items page by page.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::noun::item::ItemView;
use recordar_core::route::Items;
use recordar_core::route::filter::passing_after;
use recordar_domain::{Filter, Importance, Invalid, ItemKind, SpaceName, Timestamp};
use recordar_store::{Error as StoreError, ItemRow, Reading, SpaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// An item, with what is stored of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StoredItem {
    #[serde(flatten)]
    pub item: ItemView,
    pub tokens: i64,
    /// Where it came from, if the caller said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance: Option<Importance>,
    pub recorded_at: Timestamp,
    /// False if it is retired.
    pub live: bool,
    /// The items that it was made from.
    pub derived_from: Vec<i64>,
    /// Whether a person marked it as important.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub important: bool,
    /// The documents that it is about, as they were when it was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<AboutDocument>,
}

/// A document that an item is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AboutDocument {
    pub document: String,
    /// The number of the version that was current when the item was stored.
    pub version: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ItemList {
    pub space: String,
    pub items: Vec<StoredItem>,
    /// Ids that were asked for and are not here.
    pub missing: Vec<String>,
    /// Pass it as `after` to get the next page. Absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

/// What identifies an item: its number, or the id that the caller gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemName {
    Number(i64),
    OwnId(String),
}

/// Which items to list. Without names: the live ones, page by page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemsRequest {
    pub names: Vec<ItemName>,
    pub kind: Option<ItemKind>,
    /// Only items that pass it. With names, the others are missing.
    pub filter: Filter,
    pub after: i64,
    pub limit: usize,
}

const MAX_LISTED: usize = 1000;
const DEFAULT_LISTED: usize = 100;
/// How many rows one statement reads.
const ROWS_AT_ONCE: usize = 500;

impl Recordar {
    /// An item by its number or own id, live or retired. If several have the own id, the live one, or else the newest.
    pub fn item(&self, space: &SpaceName, name: &ItemName) -> Result<StoredItem, Error> {
        self.showing(|memory| {
            let spaces = [space.clone()];
            let item = memory.store.read(|reading| {
                let absent = || StoreError::absent(format!("{} in space {space}", called(name)));
                let id = reading.space(space)?.ok_or_else(absent)?.id;
                let row = named(reading, id, std::slice::from_ref(name))?.pop().flatten().ok_or_else(absent)?;
                views(reading, &mut Items::new(&spaces), id, vec![row])?.pop().ok_or_else(absent)
            })?;
            Ok(item)
        })
    }

    /// The named items, in the order of their names, or the live ones of the space, in the order of their numbers.
    pub fn items(&self, space: &SpaceName, request: &ItemsRequest) -> Result<ItemList, Error> {
        self.showing(|memory| {
            request.check()?;
            let spaces = [space.clone()];
            let passing = match request.filter.is_empty() {
                true => None,
                false => Some(passing_after((&memory.indexes, &memory.cancel), space, &request.filter, request.after)?),
            };
            let list = memory.store.read(|reading| {
                let mut list =
                    ItemList { space: space.to_string(), items: Vec::new(), missing: Vec::new(), next: None };
                let Some(id) = reading.space(space)?.map(|row| row.id) else {
                    list.missing = request.names.iter().map(ItemName::text).collect();
                    return Ok(list);
                };
                let mut known = Items::new(&spaces);
                if request.names.is_empty() {
                    let mut rows = match &passing {
                        None => reading.live_items(id, request.kind, request.after, request.limit + 1)?,
                        Some(passing) => live_of(reading, id, request, passing)?,
                    };
                    let has_more = rows.len() > request.limit;
                    rows.truncate(request.limit);
                    list.next = rows.last().map(|row| row.id).filter(|_| has_more);
                    list.items = views(reading, &mut known, id, rows)?;
                    return Ok(list);
                }
                let mut rows = Vec::new();
                for (name, row) in request.names.iter().zip(named(reading, id, &request.names)?) {
                    let passes = |id: i64| passing.as_ref().is_none_or(|passing| passing.binary_search(&id).is_ok());
                    let is_wanted = |row: &ItemRow| request.kind.is_none_or(|kind| kind == row.kind) && passes(row.id);
                    match row.filter(is_wanted) {
                        Some(row) => rows.push(row),
                        None => list.missing.push(name.text()),
                    }
                }
                list.items = views(reading, &mut known, id, rows)?;
                Ok(list)
            })?;
            Ok(list)
        })
    }
}

impl ItemsRequest {
    fn check(&self) -> Result<(), Invalid> {
        let refuse = |what: String, remedy: &str| Err(Invalid::new(what, remedy));
        if !(1..=MAX_LISTED).contains(&self.limit) {
            let what = format!("limit {} is out of range: 1 to {MAX_LISTED}", self.limit);
            return refuse(what, "use the default, 100, or a number in the range");
        }
        if self.names.len() > MAX_LISTED {
            let what = format!("{} items were asked for; the limit is {MAX_LISTED}", self.names.len());
            return refuse(what, "ask for fewer at a time");
        }
        if self.after < 0 {
            return refuse(format!("after {} is out of range: 0 or more", self.after), "use `next` of the page before");
        }
        if !self.names.is_empty() && self.after != 0 {
            return refuse("after was given with ids".to_owned(), "leave out `after`: all ids are looked up at once");
        }
        Ok(())
    }
}

impl ItemName {
    /// By its number or its own id: exactly one.
    pub(super) fn one(item: Option<i64>, id: Option<String>) -> Result<Self, Invalid> {
        match (item, id) {
            (Some(number), None) => Ok(Self::Number(number)),
            (None, Some(id)) => Ok(Self::OwnId(id)),
            (found, _) => {
                let what = if found.is_some() { "two items were named" } else { "no item was named" };
                Err(Invalid::new(what, "give the number of the item, or your own id for it"))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::OwnId(id) => id.clone(),
        }
    }
}

pub(super) fn called(name: &ItemName) -> String {
    match name {
        ItemName::Number(number) => format!("item {number}"),
        ItemName::OwnId(id) => format!("item with id {id:?}"),
    }
}

/// The live items among those that pass the filter, one more than the page has. The index may know items that are stored and not found,
/// so the rows decide what is live.
fn live_of(
    reading: &mut Reading<'_>,
    space: SpaceId,
    request: &ItemsRequest,
    passing: &[i64],
) -> Result<Vec<ItemRow>, StoreError> {
    let mut rows = Vec::new();
    for ids in passing.chunks(ROWS_AT_ONCE) {
        let is_wanted = |row: &ItemRow| row.retired.is_none() && request.kind.is_none_or(|kind| kind == row.kind);
        rows.extend(reading.items(space, ids)?.into_iter().filter(is_wanted));
        if rows.len() > request.limit {
            rows.truncate(request.limit + 1);
            break;
        }
    }
    Ok(rows)
}

/// The row of each name, if there is one.
pub(super) fn named(
    reading: &mut Reading<'_>,
    space: SpaceId,
    names: &[ItemName],
) -> Result<Vec<Option<ItemRow>>, StoreError> {
    let mut numbers = Vec::new();
    let mut own_ids = Vec::new();
    for name in names {
        match name {
            ItemName::Number(number) => numbers.push(*number),
            ItemName::OwnId(id) => own_ids.push(id.as_str()),
        }
    }
    let by_number: BTreeMap<i64, ItemRow> =
        reading.items(space, &numbers)?.into_iter().map(|row| (row.id, row)).collect();
    let mut by_own_id: BTreeMap<String, ItemRow> = BTreeMap::new();
    // In the order of their numbers: a later one takes the place of an earlier one, unless that is live.
    for row in reading.items_by_own_id(space, &own_ids)? {
        let Some(own_id) = row.own_id.clone() else { continue };
        if by_own_id.get(&own_id).is_none_or(|known| known.retired.is_some()) {
            by_own_id.insert(own_id, row);
        }
    }
    let find = |name: &ItemName| match name {
        ItemName::Number(number) => by_number.get(number).cloned(),
        ItemName::OwnId(id) => by_own_id.get(id).cloned(),
    };
    Ok(names.iter().map(find).collect())
}

/// Rows as they are shown, in their order.
pub(super) fn views(
    reading: &mut Reading<'_>,
    known: &mut Items<'_>,
    space: SpaceId,
    rows: Vec<ItemRow>,
) -> Result<Vec<StoredItem>, StoreError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let important = reading.important_items(space, &ids, i64::MAX)?;
    let mut abouts = documents_of(reading, space, &ids)?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        items.push(StoredItem {
            tokens: row.tokens,
            source: row.source.clone(),
            importance: row.importance,
            recorded_at: row.recorded_at,
            live: row.retired.is_none(),
            derived_from: reading.sources_of_item(space, row.id)?,
            important: important.contains(&row.id),
            about: abouts.remove(&row.id).unwrap_or_default(),
            item: known.view(reading, (0, space), row)?,
        });
    }
    Ok(items)
}

/// The documents that items are about, each as it was called then.
fn documents_of(
    reading: &mut Reading<'_>,
    space: SpaceId,
    items: &[i64],
) -> Result<BTreeMap<i64, Vec<AboutDocument>>, StoreError> {
    let mut versions: BTreeMap<i64, Option<AboutDocument>> = BTreeMap::new();
    let mut abouts: BTreeMap<i64, Vec<AboutDocument>> = BTreeMap::new();
    for about in reading.abouts(space, items, i64::MAX)? {
        let view = match versions.entry(about.version_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let document = reading.document(space, about.document_id)?;
                let version = reading.version(space, about.version_id)?;
                unknown.insert(document.zip(version).map(|(document, version)| AboutDocument {
                    document: version.path_and_name(&document).0,
                    version: version.number,
                }))
            }
        };
        abouts.entry(about.item_id).or_default().extend(view.clone());
    }
    Ok(abouts)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ItemArguments {
    /// Its number, as search results show it.
    item: Option<i64>,
    /// Your own id for it, instead of its number.
    id: Option<String>,
}

impl Verb for ItemArguments {
    const NAME: &'static str = "item";
    const ABOUT: &'static str = "Show one item: a message, fact, summary or chunk, with its metadata.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = StoredItem;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<StoredItem, Error> {
        memory.item(call.space(), &ItemName::one(self.item, self.id)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ItemsArguments {
    /// Only the items with these numbers.
    items: Option<Vec<i64>>,
    /// Only the items with these own ids.
    ids: Option<Vec<String>>,
    /// Only items of this kind.
    #[schemars(with = "Option<String>", extend("enum" = ["message", "fact", "summary", "chunk"]))]
    kind: Option<ItemKind>,
    /// Only items that pass these conditions, such as thread=standup, speaker=Ana or !meta.draft=true. Fields: tag, path, type,
    /// collection, kind, thread, role, speaker, meta.KEY, since, before, until.
    #[serde(default)]
    filter: Vec<String>,
    /// Only items after this number: `next` of the page before.
    #[serde(default)]
    #[schemars(range(min = 0))]
    after: i64,
    /// Maximum number of items on a page.
    #[serde(default = "default_listed")]
    #[schemars(range(min = 1, max = MAX_LISTED))]
    limit: usize,
}

fn default_listed() -> usize {
    DEFAULT_LISTED
}

impl Verb for ItemsArguments {
    const NAME: &'static str = "items";
    const ABOUT: &'static str =
        "List the items of the space, such as its facts, page by page; or get several by their ids.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = ItemList;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ItemList, Error> {
        let Self { items, ids, kind, filter, after, limit } = self;
        let filter = Filter::parse(&filter)?;
        let is_named = items.is_some() || ids.is_some();
        let numbers = items.into_iter().flatten().map(ItemName::Number);
        let names: Vec<ItemName> = numbers.chain(ids.into_iter().flatten().map(ItemName::OwnId)).collect();
        // An empty list of ids names nothing; without one, all items are listed.
        if is_named && names.is_empty() {
            return Ok(ItemList {
                space: call.space().to_string(),
                items: Vec::new(),
                missing: Vec::new(),
                next: None,
            });
        }
        memory.items(call.space(), &ItemsRequest { names, kind, filter, after, limit })
    }
}
