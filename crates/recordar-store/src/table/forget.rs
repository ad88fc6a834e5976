//! Forgetting: rows are deleted for good, with everything derived from them, and leave only tombstones of their ids.

use super::items::sections_json;
use super::{ChunkRow, HeadingRow, HelperOrigin, HelperRow, TABLES, VersionRow, place_of};
use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::Value;
use recordar_domain::{Digest, DocumentName, ItemKind, RECORD_FIELD, records_named};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The target to forget. Names have been resolved to ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgetTarget {
    Items(Vec<i64>),
    Document(i64),
    /// One version of a document, by its id, with the chunks that no other version has.
    Version(i64),
    Thread(i64),
    Receipts(Vec<Digest>),
    Space,
}

/// The number of removed rows, or of those that would be removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Forgotten {
    pub chunks: u64,
    pub messages: u64,
    pub facts: u64,
    pub summaries: u64,
    /// Those of the items above that were derived from the target.
    pub derived: u64,
    pub documents: u64,
    pub versions: u64,
    pub threads: u64,
    /// Receipts of recalls that named one of the items.
    #[serde(default)]
    pub receipts: u64,
    /// Contextual helpers of the documents, and those that may contain words of the chunks.
    #[serde(default)]
    pub helpers: u64,
    /// Categories that are left empty: their names were made from the forgotten text.
    #[serde(default)]
    pub categories: u64,
    /// Records that belong to the items.
    #[serde(default)]
    pub records: u64,
}

impl Forgotten {
    /// What two transactions removed together.
    pub fn add(&mut self, other: &Self) {
        let Self {
            chunks,
            messages,
            facts,
            summaries,
            derived,
            documents,
            versions,
            threads,
            receipts,
            helpers,
            categories,
            records,
        } = self;
        *chunks += other.chunks;
        *messages += other.messages;
        *facts += other.facts;
        *summaries += other.summaries;
        *derived += other.derived;
        *documents += other.documents;
        *versions += other.versions;
        *threads += other.threads;
        *receipts += other.receipts;
        *helpers += other.helpers;
        *categories += other.categories;
        *records += other.records;
    }
}

/// The ids to remove, by kind.
#[derive(Default)]
struct Plan {
    items: BTreeMap<i64, ItemKind>,
    derived: u64,
    documents: Vec<i64>,
    versions: Vec<i64>,
    threads: Vec<i64>,
    helpers: Vec<i64>,
    /// Categories that are left empty, children before their parents.
    categories: Vec<i64>,
    /// Chunks that are forgotten while their document stays.
    single_chunks: Vec<i64>,
    /// Receipts that were named as the target.
    receipts: Vec<Digest>,
    /// Ranges of ids that may exist only as copies in receipts.
    asked: Vec<(i64, i64)>,
    /// Records that the items name as theirs: bucket and key.
    records: BTreeSet<(String, String)>,
    /// The version that is forgotten while its document stays: what was given to it goes, and its chunks are those of other versions.
    forgotten_version: Option<VersionRow>,
}

/// Which of the removed receipts are reported. All of them are removed, wherever they are kept; but a caller that may see only one space
/// must not learn what others have recalled from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedReceipts {
    OfEverySpace,
    OfOwnSpace,
}

impl CountedReceipts {
    fn of(self, receipts: &BTreeSet<(i64, Digest)>, space: SpaceId) -> u64 {
        receipts.iter().filter(|(kept_in, _)| self == Self::OfEverySpace || *kept_in == space.0).count() as u64
    }
}

/// Tombstone kinds other than those of items.
const DOCUMENT: i64 = 10;
const VERSION: i64 = 11;
const THREAD: i64 = 12;
const HELPER: i64 = 13;
/// All of them.
pub(crate) const TOMBSTONE_KINDS: [i64; 8] = [1, 2, 3, 4, DOCUMENT, VERSION, THREAD, HELPER];

impl Reading<'_> {
    /// A preview of what forgetting would remove. It counts all receipts, or only those that the space itself keeps.
    pub fn forgettable(
        &mut self,
        space: SpaceId,
        target: &ForgetTarget,
        counted: CountedReceipts,
    ) -> Result<Forgotten, Error> {
        let plan = self.plan_forgetting(space, target)?;
        let receipts = self.receipts_to_forget(space, &plan)?;
        Ok(Forgotten { receipts: counted.of(&receipts, space), ..plan.summary() })
    }

    /// The receipts that are the target, and those that name a forgotten item, wherever they are kept.
    fn receipts_to_forget(&mut self, space: SpaceId, plan: &Plan) -> Result<BTreeSet<(i64, Digest)>, Error> {
        let name = self.name_digest(space)?;
        let mut receipts = self.receipts_of(name, &plan.receipt_ranges())?;
        receipts.extend(plan.receipts.iter().map(|digest| (space.0, *digest)));
        Ok(receipts)
    }

    fn plan_forgetting(&mut self, space: SpaceId, target: &ForgetTarget) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        match target {
            ForgetTarget::Items(ids) => {
                for id in ids {
                    self.plan_items(&mut plan, space, "item_id = ?", *id)?;
                    plan.asked.push((*id, *id + 1));
                }
                plan.single_chunks =
                    plan.items.iter().filter(|(_, kind)| **kind == ItemKind::Chunk).map(|(id, _)| *id).collect();
                plan.helpers = self.generated_helpers(space, &plan.single_chunks)?;
            }
            ForgetTarget::Document(id) => {
                plan.documents.push(*id);
                plan.helpers = self.helpers_of(space, *id)?.iter().map(|helper| helper.id).collect();
                self.plan_items(&mut plan, space, "document_id = ?", *id)?;
                plan.versions = self.versions(space, *id)?.iter().map(|version| version.id).collect();
            }
            ForgetTarget::Version(id) => {
                if let Some(version) = self.version(space, *id)? {
                    self.plan_version(&mut plan, space, &version)?;
                }
            }
            ForgetTarget::Thread(id) => {
                plan.threads.push(*id);
                self.plan_items(&mut plan, space, "thread_id = ?", *id)?;
            }
            ForgetTarget::Receipts(digests) => {
                plan.receipts = digests.clone();
                plan.receipts.sort_unstable();
                plan.receipts.dedup();
            }
            ForgetTarget::Space => {
                self.plan_items(&mut plan, space, "item_id > ?", 0)?;
                plan.documents = self.documents(space)?.iter().map(|document| document.id).collect();
                plan.versions = self.all_versions(space)?.iter().map(|version| version.id).collect();
                plan.threads = self.threads(space)?.iter().map(|thread| thread.id).collect();
                plan.helpers = self.helper_ids(space)?;
                plan.receipts = self.receipt_digests(space)?;
                plan.asked.push((0, i64::MAX));
            }
        }
        self.plan_derived(&mut plan, space)?;
        self.plan_neighbours(&mut plan, space)?;
        plan.categories = self.emptied_categories(space, &plan)?;
        plan.records = self.records_of(space, &plan)?;
        Ok(plan)
    }

    /// The records that the metadata of the items name as theirs.
    fn records_of(&mut self, space: SpaceId, plan: &Plan) -> Result<BTreeSet<(String, String)>, Error> {
        let mut records = BTreeSet::new();
        for (first, end) in plan.item_ranges() {
            let sql =
                "SELECT metadata FROM items WHERE space_id = ? AND item_id >= ? AND item_id < ? AND metadata LIKE ?";
            let named = Value::from(format!("%{RECORD_FIELD}%"));
            for row in self.query(sql, &[space.into(), first.into(), end.into(), named])? {
                records.extend(records_named(&row.text(0)?));
            }
        }
        if records.is_empty() {
            return Ok(records);
        }
        // What another item names as well stays with that one: of a changed message, the new row does.
        let sql = "SELECT item_id, metadata FROM items WHERE space_id = ? AND metadata LIKE ?";
        for row in self.query(sql, &[space.into(), Value::from(format!("%{RECORD_FIELD}%"))])? {
            if !plan.items.contains_key(&row.int(0)?) {
                for named in records_named(&row.text(1)?) {
                    records.remove(&named);
                }
            }
        }
        for (bucket, key) in records.clone() {
            if !self.has_record(space, &bucket, &key)? {
                records.remove(&(bucket, key));
            }
        }
        Ok(records)
    }

    /// The leaves all of whose chunks go, live and retired, and the categories above them that have no other children.
    fn emptied_categories(&mut self, space: SpaceId, plan: &Plan) -> Result<Vec<i64>, Error> {
        let mut going: BTreeMap<i64, i64> = BTreeMap::new();
        for (first, end) in plan.item_ranges() {
            let sql = "SELECT category_id, COUNT(*) FROM items WHERE space_id = ? AND item_id >= ? AND item_id < ? \
                 AND category_id IS NOT NULL GROUP BY category_id";
            for row in self.query(sql, &[space.into(), first.into(), end.into()])? {
                *going.entry(row.int(0)?).or_default() += row.int(1)?;
            }
        }
        let mut emptied = Vec::new();
        for (leaf, going) in going {
            let sql = "SELECT COUNT(*) FROM items WHERE space_id = ? AND category_id = ?";
            let all = self.query_one(sql, &[space.into(), leaf.into()])?.map_or(Ok(0), |row| row.int(0))?;
            emptied.extend((all == going).then_some(leaf));
        }
        if emptied.is_empty() {
            return Ok(emptied);
        }
        let mut children: BTreeMap<i64, usize> = BTreeMap::new();
        let rows = self.categories(space)?;
        let parents: BTreeMap<i64, i64> = rows.iter().filter_map(|row| Some((row.id, row.parent?))).collect();
        parents.values().for_each(|parent| *children.entry(*parent).or_default() += 1);
        let mut at = 0;
        while let Some(id) = emptied.get(at) {
            if let Some((parent, left)) = parents.get(id).and_then(|parent| Some((*parent, children.get_mut(parent)?)))
            {
                *left -= 1;
                if *left == 0 {
                    emptied.push(parent);
                }
            }
            at += 1;
        }
        Ok(emptied)
    }

    /// The version, and the chunks that no other version of its document has.
    fn plan_version(&mut self, plan: &mut Plan, space: SpaceId, version: &VersionRow) -> Result<(), Error> {
        plan.versions.push(version.id);
        let all = self.versions(space, version.document_id)?;
        let others: Vec<i64> = all.iter().filter(|other| other.id != version.id).map(|other| other.born).collect();
        if others.is_empty() {
            plan.documents.push(version.document_id);
        }
        let sql = "SELECT item_id, born, retired FROM items WHERE space_id = ? AND document_id = ?";
        for row in self.query(sql, &[space.into(), version.document_id.into()])? {
            let (born, retired) = (row.int(1)?, row.optional_int(2)?);
            let has = |at: &i64| born <= *at && retired.is_none_or(|retired| retired > *at);
            if has(&version.born) && !others.iter().any(has) {
                plan.items.insert(row.int(0)?, ItemKind::Chunk);
            }
        }
        let helpers = self.helpers_of(space, version.document_id)?.into_iter();
        let is_gone = |helper: &HelperRow| others.is_empty() || helper.origin == HelperOrigin::Generated;
        plan.helpers = helpers.filter(is_gone).map(|helper| helper.id).collect();
        plan.forgotten_version = Some(version.clone());
        Ok(())
    }

    /// The helpers that were generated for the documents of these chunks: they may contain their words.
    fn generated_helpers(&mut self, space: SpaceId, chunks: &[i64]) -> Result<Vec<i64>, Error> {
        let mut documents = BTreeSet::new();
        for chunk in chunks {
            documents.extend(self.item(space, *chunk)?.and_then(|item| item.document_id));
        }
        let mut generated = Vec::new();
        for document in documents {
            let helpers = self.helpers_of(space, document)?.into_iter();
            generated.extend(helpers.filter(|helper| helper.origin == HelperOrigin::Generated).map(|helper| helper.id));
        }
        generated.sort_unstable();
        Ok(generated)
    }

    /// The chunks that share something with those to be forgotten: receipts hold them as they were.
    fn plan_neighbours(&mut self, plan: &mut Plan, space: SpaceId) -> Result<(), Error> {
        for version in self.versions_of(space, &plan.single_chunks)? {
            let mut chunks = self.chunks(space, version)?;
            let changed = remove_with_overlap(&mut chunks, &plan.single_chunks, &mut BTreeSet::new());
            plan.asked.extend(changed.into_iter().map(|id| (id, id + 1)));
        }
        Ok(())
    }

    /// The versions that have one of these chunks.
    fn versions_of(&mut self, space: SpaceId, ids: &[i64]) -> Result<BTreeSet<i64>, Error> {
        let mut versions = BTreeSet::new();
        for id in ids {
            let Some(item) = self.item(space, *id)? else { continue };
            let Some(document) = item.document_id else { continue };
            let has = |version: &VersionRow| {
                item.born <= version.born && item.retired.is_none_or(|retired| retired > version.born)
            };
            versions.extend(self.versions(space, document)?.iter().filter(|version| has(version)).map(|row| row.id));
        }
        Ok(versions)
    }

    /// The versions of the documents of these chunks.
    fn versions_beside(&mut self, space: SpaceId, items: &BTreeMap<i64, ItemKind>) -> Result<BTreeSet<i64>, Error> {
        let mut versions = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for id in items.iter().filter(|(_, kind)| **kind == ItemKind::Chunk).map(|(id, _)| *id) {
            let sql = "SELECT document_id FROM items WHERE space_id = ? AND item_id = ?";
            let row = self.query_one(sql, &[space.into(), id.into()])?;
            let Some(document) = row.map_or(Ok(None), |row| row.optional_int(0))? else { continue };
            if seen.insert(document) {
                versions.extend(self.versions(space, document)?.iter().map(|version| version.id));
            }
        }
        Ok(versions)
    }

    fn plan_items(&mut self, plan: &mut Plan, space: SpaceId, condition: &str, value: i64) -> Result<(), Error> {
        let sql = format!("SELECT item_id, kind FROM items WHERE space_id = ? AND {condition}");
        for row in self.query(&sql, &[space.into(), value.into()])? {
            let kind = ItemKind::of_code(row.int(1)?)
                .ok_or_else(|| Error::Corrupt { what: format!("item {:?} has an unknown kind", row.0[0]) })?;
            plan.items.insert(row.int(0)?, kind);
        }
        Ok(())
    }

    /// Follows the lineage until nothing new is found.
    fn plan_derived(&mut self, plan: &mut Plan, space: SpaceId) -> Result<(), Error> {
        let mut unfollowed: BTreeSet<i64> = plan.items.keys().copied().collect();
        while !unfollowed.is_empty() {
            let mut found = BTreeSet::new();
            for (first, end) in ranges(unfollowed.iter().copied()) {
                let sql = "SELECT item_id FROM lineage WHERE space_id = ? AND source_id >= ? AND source_id < ?";
                for row in self.query(sql, &[space.into(), first.into(), end.into()])? {
                    found.insert(row.int(0)?);
                }
            }
            found.retain(|id| !plan.items.contains_key(id));
            for id in &found {
                self.plan_items(plan, space, "item_id = ?", *id)?;
            }
            plan.derived += found.len() as u64;
            unfollowed = found;
        }
        Ok(())
    }
}

impl Plan {
    fn item_ranges(&self) -> Vec<(i64, i64)> {
        ranges(self.items.keys().copied())
    }

    /// The items, helpers and categories whose receipts are removed.
    fn receipt_ranges(&self) -> Vec<(i64, i64)> {
        let others = self.helpers.iter().chain(&self.categories).copied();
        [self.item_ranges(), ranges(others), self.asked.clone()].concat()
    }

    /// Everything that is removed. All of it has ids of one sequence.
    fn ids(&self) -> BTreeSet<i64> {
        let others = [&self.documents, &self.versions, &self.threads, &self.helpers, &self.categories];
        self.items.keys().chain(others.into_iter().flatten()).copied().collect()
    }

    fn summary(&self) -> Forgotten {
        let count = |kind| self.items.values().filter(|found| **found == kind).count() as u64;
        Forgotten {
            chunks: count(ItemKind::Chunk),
            messages: count(ItemKind::Message),
            facts: count(ItemKind::Fact),
            summaries: count(ItemKind::Summary),
            derived: self.derived,
            documents: self.documents.len() as u64,
            versions: self.versions.len() as u64,
            threads: self.threads.len() as u64,
            receipts: 0,
            helpers: self.helpers.len() as u64,
            categories: self.categories.len() as u64,
            records: self.records.len() as u64,
        }
    }
}

impl Writing<'_> {
    /// Deletes the target for good. `count` counts tokens, for neighbours that lose their overlap with a chunk.
    pub fn forget(
        &mut self,
        target: &ForgetTarget,
        counted: CountedReceipts,
        count: &dyn Fn(&str) -> usize,
    ) -> Result<Forgotten, Error> {
        let space = self.space.id;
        let plan = self.plan_forgetting(space, target)?;
        let receipts = self.receipts_to_forget(space, &plan)?;
        for (kept_in, digest) in &receipts {
            self.drop_receipt(SpaceId(*kept_in), *digest)?;
        }
        let forgotten = Forgotten { receipts: counted.of(&receipts, space), ..plan.summary() };
        if *target == ForgetTarget::Space {
            self.empty_space()?;
            return Ok(forgotten);
        }
        for (id, _) in plan.items.iter().filter(|(_, kind)| **kind == ItemKind::Summary) {
            self.lose_summary(*id)?;
        }
        self.drop_segments(&plan.item_ranges())?;
        let beside = self.versions_beside(space, &plan.items)?;
        self.remove_overlap_from_neighbours(&plan.single_chunks, count)?;
        if let Some(version) = &plan.forgotten_version {
            self.remove_given(version.document_id, version.born, version.retired.unwrap_or(i64::MAX))?;
        }
        self.remove("items", "item_id", plan.items.keys().copied())?;
        self.remove("lineage", "item_id", plan.items.keys().copied())?;
        self.remove("lineage", "source_id", plan.items.keys().copied())?;
        self.remove("headings", "item_id", plan.items.keys().copied())?;
        self.remove("vectors", "item_id", plan.items.keys().copied())?;
        self.remove("facts", "item_id", plan.items.keys().copied())?;
        self.remove("fact_marks", "item_id", plan.items.keys().copied())?;
        self.remove("fact_words", "item_id", plan.items.keys().copied())?;
        // Of what stays: a person's correction.
        self.remove("fact_words", "source_id", plan.items.keys().copied())?;
        self.remove("fact_words", "words_id", plan.items.keys().chain(&plan.versions).copied())?;
        self.remove("confirmations", "item_id", plan.items.keys().copied())?;
        self.remove("important_marks", "item_id", plan.items.keys().copied())?;
        self.remove("abouts", "item_id", plan.items.keys().copied())?;
        self.remove("abouts", "version_id", plan.versions.iter().copied())?;
        self.remove("labels", "item_id", plan.items.keys().copied())?;
        self.remove("uses", "item_id", plan.items.keys().copied())?;
        self.drop_expiries(&plan.threads, &plan.items.keys().copied().collect::<Vec<_>>())?;
        self.remove("helpers", "helper_id", plan.helpers.iter().copied())?;
        for category in &plan.categories {
            self.remove("categories", "category_id", std::iter::once(*category))?;
        }
        self.remove("versions", "version_id", plan.versions.iter().copied())?;
        self.remove("documents", "document_id", plan.documents.iter().copied())?;
        self.remove("attributes", "document_id", plan.documents.iter().copied())?;
        if !plan.documents.is_empty() {
            self.drop_empty_roots()?;
        } else if let Some(version) = &plan.forgotten_version {
            self.pass_on_chunks(version)?;
        }
        self.remove("threads", "thread_id", plan.threads.iter().copied())?;
        for (bucket, key) in &plan.records {
            self.delete_records(bucket, &[key])?;
        }
        self.drop_jobs(&plan.ids())?;
        self.leave_tombstones(&plan)?;
        // Versions share chunks, so that the request of a later one may have a digest of a forgotten text as well.
        self.drop_requests(ranges(beside.into_iter()))?;
        Ok(forgotten)
    }

    /// Removes the overlap of chunks from their neighbours as well, and records the gaps in the versions.
    fn remove_overlap_from_neighbours(&mut self, ids: &[i64], count: &dyn Fn(&str) -> usize) -> Result<(), Error> {
        let space = self.space.id;
        let mut cut = BTreeSet::new();
        let mut rewritten: BTreeSet<i64> = BTreeSet::new();
        let versions = self.versions_of(space, ids)?;
        for version_id in &versions {
            // Read one after the other, because versions share chunks.
            let mut chunks = self.chunks(space, *version_id)?;
            let before = chunks.len();
            let changed = remove_with_overlap(&mut chunks, ids, &mut cut);
            rewritten.extend(&changed);
            for chunk in chunks.iter().filter(|chunk| changed.contains(&chunk.id)) {
                self.rewrite_chunk(chunk, count(&chunk.text))?;
            }
            let gone = (before - chunks.len()) as i64;
            self.count_forgotten(*version_id, gone)?;
        }
        // Versions that have a neighbour, but not the chunk, miss a part of their text, too.
        let rewritten: Vec<i64> = rewritten.into_iter().collect();
        for version_id in self.versions_of(space, &rewritten)?.difference(&versions) {
            self.count_forgotten(*version_id, 1)?;
        }
        Ok(())
    }

    fn count_forgotten(&mut self, version_id: i64, chunks: i64) -> Result<(), Error> {
        let values = [chunks.into(), self.space.revision.into(), self.space.id.into(), version_id.into()];
        let sql = "UPDATE versions SET forgotten = forgotten + ?, changed = ? WHERE space_id = ? AND version_id = ?";
        self.execute(sql, &values)?;
        Ok(())
    }

    /// If its headings changed while it was live, the places of those inside it are no longer known.
    fn rewrite_chunk(&mut self, chunk: &ChunkRow, tokens: usize) -> Result<(), Error> {
        self.drop_segments(&[(chunk.id, chunk.id + 1)])?;
        self.drop_vectors_of(chunk.id)?;
        let space = self.space.id;
        let is_amended = !self.headings_of(space, chunk.id)?.is_empty();
        if is_amended {
            let sql = "UPDATE headings SET sections = NULL WHERE space_id = ? AND item_id = ?";
            self.execute(sql, &[self.space.id.into(), chunk.id.into()])?;
        }
        let values = [
            chunk.text.as_str().into(),
            if is_amended { Value::Null } else { sections_json(&chunk.sections) },
            Value::Int(chunk.overlap as i64),
            Value::Int(tokens as i64),
            self.space.revision.into(),
            self.space.id.into(),
            chunk.id.into(),
        ];
        self.execute(
            "UPDATE items SET content = ?, sections = ?, overlap = ?, tokens = ?, changed = ? WHERE space_id = ? AND item_id = ?",
            &values,
        )?;
        self.take_words_again(chunk.id, &chunk.text)
    }

    fn remove(&mut self, table: &str, column: &str, ids: impl Iterator<Item = i64>) -> Result<(), Error> {
        let sql = format!("DELETE FROM {table} WHERE space_id = ? AND {column} >= ? AND {column} < ?");
        for (first, end) in ranges(ids) {
            self.execute(&sql, &[self.space.id.into(), first.into(), end.into()])?;
        }
        Ok(())
    }

    /// Writes tombstones, and removes from operations the request digests of forgotten content.
    fn leave_tombstones(&mut self, plan: &Plan) -> Result<(), Error> {
        let items = plan.items.iter().map(|(id, kind)| (*id, kind.code()));
        let others =
            [(&plan.documents, DOCUMENT), (&plan.versions, VERSION), (&plan.threads, THREAD), (&plan.helpers, HELPER)];
        let others = others.into_iter().flat_map(|(ids, kind)| ids.iter().map(move |id| (*id, kind)));
        let buried: BTreeMap<i64, i64> = items.chain(others).collect();
        let (space, revision) = (self.space.id, self.space.revision);
        let rows: Vec<Vec<Value>> =
            buried.iter().map(|(id, kind)| vec![space.into(), (*id).into(), (*kind).into(), revision.into()]).collect();
        self.insert("tombstones", &["space_id", "id", "kind", "revision"], &rows)?;
        self.drop_requests(ranges(buried.into_keys()))
    }

    /// Removes the request digests of the operations that made these ids.
    fn drop_requests(&mut self, ids: Vec<(i64, i64)>) -> Result<(), Error> {
        for (first, end) in ids {
            let sql = "UPDATE operations SET request_hash = NULL WHERE space_id = ? AND first_id < ? AND end_id > ?";
            self.execute(sql, &[self.space.id.into(), end.into(), first.into()])?;
        }
        Ok(())
    }

    /// Removes the attributes and headings that a document had from one revision up to another, as far as no other version has them.
    fn remove_given(&mut self, document_id: i64, from: i64, to: i64) -> Result<(), Error> {
        let space = self.space.id;
        let sql = "DELETE FROM attributes WHERE space_id = ? AND document_id = ? AND born >= ? AND born < ?";
        self.execute(sql, &[space.into(), document_id.into(), from.into(), to.into()])?;
        let births: Vec<i64> = self.versions(space, document_id)?.iter().map(|version| version.born).collect();
        let sql = "SELECT item_id, born, retired FROM items WHERE space_id = ? AND document_id = ?";
        for item in self.query(sql, &[space.into(), document_id.into()])? {
            let (id, born, retired) = (item.int(0)?, item.int(1)?, item.optional_int(2)?.unwrap_or(i64::MAX));
            let headings = self.headings_of(space, id)?;
            // From when on each heading is above the chunk; the first one is in its own row.
            let starts: Vec<i64> = std::iter::once(born).chain(headings.iter().map(|heading| heading.born)).collect();
            let is_used = |index: usize| {
                let end = starts.get(index + 1).copied().unwrap_or(retired);
                births.iter().any(|birth| *birth != from && (starts[index]..end).contains(birth))
            };
            if headings.iter().enumerate().any(|(index, _)| !is_used(index + 1)) {
                // An index that has the words of the heading is opened again.
                let sql = "UPDATE items SET changed = ? WHERE space_id = ? AND item_id = ?";
                self.execute(sql, &[self.space.revision.into(), space.into(), id.into()])?;
            }
            for (_, heading) in headings.iter().enumerate().filter(|(index, _)| !is_used(index + 1)) {
                let sql = "DELETE FROM headings WHERE space_id = ? AND item_id = ? AND born = ?";
                self.execute(sql, &[space.into(), id.into(), heading.born.into()])?;
            }
            if !is_used(0)
                && let Some((_, heading)) = headings.iter().enumerate().find(|(index, _)| is_used(index + 1))
            {
                self.replace_heading(id, heading)?;
            }
        }
        Ok(())
    }

    /// Gives the chunks that a forgotten version shared with others to those: they are live while one of them is. If it was the newest, the
    /// document is called as before it.
    fn pass_on_chunks(&mut self, gone: &VersionRow) -> Result<(), Error> {
        let (space, revision) = (self.space.id, self.space.revision);
        let versions = self.versions(space, gone.document_id)?;
        let sql = "SELECT item_id, born, retired, position, place, version_id FROM items \
             WHERE space_id = ? AND document_id = ?";
        for row in self.query(sql, &[space.into(), gone.document_id.into()])? {
            let (id, born, retired) = (row.int(0)?, row.int(1)?, row.optional_int(2)?);
            let has =
                |version: &&VersionRow| born <= version.born && retired.is_none_or(|retired| retired > version.born);
            let (Some(first), Some(last)) = (versions.iter().find(has), versions.iter().rfind(has)) else { continue };
            let is_of_gone = row.optional_int(5)? == Some(gone.id);
            let begins = if is_of_gone { first.born } else { born };
            let ends = match last.retired {
                Some(end) => Some(retired.map_or(end, |retired| retired.min(end))),
                None => retired,
            };
            let of = if is_of_gone { Some(first.id) } else { row.optional_int(5)? };
            if (begins, ends) != (born, retired) || is_of_gone {
                self.drop_segments(&[(id, id + 1)])?;
            }
            // With its place in the document, since the chunk before it may be gone.
            let values = [
                begins.into(),
                ends.into(),
                of.into(),
                place_of(row.optional_int(4)?, row.int(3)?).into(),
                revision.into(),
                space.into(),
                id.into(),
            ];
            let sql = "UPDATE items SET born = ?, retired = ?, version_id = ?, place = ?, changed = ? \
                 WHERE space_id = ? AND item_id = ?";
            self.execute(sql, &values)?;
        }
        let Some(last) = versions.last().filter(|last| last.number < gone.number) else { return Ok(()) };
        let Some(document) = self.document(space, gone.document_id)? else { return Ok(()) };
        let path = last.path.clone().unwrap_or_else(|| document.path.clone());
        let name = match (&document.collection, &last.name) {
            (Some(collection), Some(name)) => DocumentName { collection: Some(collection.clone()), name: name.clone() },
            _ => DocumentName::of_path(&path),
        };
        if self.document_named(space, &name)?.is_none_or(|other| other.id == document.id) {
            let filename = path.rsplit('/').next().unwrap_or(&path).to_owned();
            self.rename_document(&document, &name, &path, &filename)?;
        }
        Ok(())
    }

    /// Puts a heading into the chunk's own row: the one that was there is forgotten.
    fn replace_heading(&mut self, id: i64, heading: &HeadingRow) -> Result<(), Error> {
        let space = self.space.id;
        self.drop_segments(&[(id, id + 1)])?;
        let sql = "DELETE FROM headings WHERE space_id = ? AND item_id = ? AND born = ?";
        self.execute(sql, &[space.into(), id.into(), heading.born.into()])?;
        let values = [
            heading.section.clone().into(),
            sections_json(&heading.sections),
            self.space.revision.into(),
            space.into(),
            id.into(),
        ];
        let sql = "UPDATE items SET section = ?, sections = ?, changed = ? WHERE space_id = ? AND item_id = ?";
        self.execute(sql, &values)?;
        Ok(())
    }

    /// Removes every row of the space except its own, which keeps its number and loses its name. Ids and revisions continue,
    /// so that nothing old can be mistaken for something new. Operations stay as hashes and numbers: a late retry must not
    /// bring back what it once wrote.
    fn empty_space(&mut self) -> Result<(), Error> {
        let space: Value = self.space.id.into();
        delete_rows(self.connection(), &space, &["operations"])?;
        let sql = "UPDATE operations SET operation_id = '', request_hash = NULL WHERE space_id = ?";
        self.execute(sql, &[space])?;
        self.space.name.clear();
        self.space.incarnation += 1;
        Ok(())
    }
}

/// Removes the rows of a space from all tables except the kept ones and its own.
pub(crate) fn delete_rows(connection: &mut Connection, space: &Value, kept: &[&str]) -> Result<(), Error> {
    for (table, columns) in TABLES.iter().rev() {
        if *table == "spaces" || kept.contains(table) || !columns.contains(&"space_id") {
            continue;
        }
        if *table == "categories" {
            super::categories::delete_categories(connection, space)?;
            continue;
        }
        connection.execute(&format!("DELETE FROM {table} WHERE space_id = ?"), std::slice::from_ref(space))?;
    }
    Ok(())
}

/// Removes chunks and their overlap with neighbours, and returns the changed neighbours.
fn remove_with_overlap(chunks: &mut Vec<ChunkRow>, ids: &[i64], cut: &mut BTreeSet<(i64, i64)>) -> BTreeSet<i64> {
    let mut changed = BTreeSet::new();
    for id in ids {
        if let Some(index) = chunks.iter().position(|chunk| chunk.id == *id) {
            changed.extend(remove_one_with_overlap(chunks, index, cut));
        }
    }
    changed
}

/// Removes a chunk and its overlap with neighbours, and returns the changed neighbours. If chunks are shorter than the
/// overlap, more than one on each side may share it. `cut` has the pairs of chunk and neighbour for which that is done: in another version.
fn remove_one_with_overlap(chunks: &mut Vec<ChunkRow>, index: usize, cut: &mut BTreeSet<(i64, i64)>) -> Vec<i64> {
    let own = |chunk: &ChunkRow| chunk.text.len() - chunk.overlap;
    let mut changed = Vec::new();
    // Before: the chunk's overlap is their end.
    let mut shared = chunks[index].overlap;
    for left in (0..index).rev() {
        if shared == 0 || chunks[left].position + 1 != chunks[left + 1].position {
            break;
        }
        if !cut.insert((chunks[index].id, chunks[left].id)) {
            break;
        }
        let before = &mut chunks[left];
        let owned = own(before);
        before.text.truncate(before.text.floor_char_boundary(before.text.len().saturating_sub(shared)));
        before.overlap = before.overlap.min(before.text.len());
        before.sections.retain(|start| start.at < before.text.len());
        changed.push(before.id);
        shared = shared.saturating_sub(owned);
    }
    // After: their overlap begins in the chunk, as far as the chunks between do not fill it.
    let mut between = 0;
    for right in index + 1..chunks.len() {
        if chunks[right - 1].position + 1 != chunks[right].position || chunks[right].overlap <= between {
            break;
        }
        let after = &mut chunks[right];
        let cut = after.text.floor_char_boundary(after.overlap - between);
        after.text.drain(..cut);
        // The section that the rest begins in is known as the chunk's own, unless overlap is left.
        after.sections.retain(|start| start.at >= cut);
        after.sections.iter_mut().for_each(|start| start.at -= cut);
        after.overlap = between;
        changed.push(after.id);
        between += own(after);
    }
    chunks.remove(index);
    changed
}

/// Ascending ids as ranges without gaps, each with its end excluded.
pub(super) fn ranges(ids: impl Iterator<Item = i64>) -> Vec<(i64, i64)> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, end)) if *end == id => *end += 1,
            _ => ranges.push((id, id + 1)),
        }
    }
    ranges
}
