//! What filters see of documents, at every time; and the metadata of items that an index does not hold whole.

use super::documents::{DocumentRow, VersionRow};
use crate::error::Error;
use crate::transaction::{Reading, SpaceId};
use crate::value::Value;
use recordar_domain::{Attributes, FileType, Timestamp};
use std::collections::BTreeMap;

/// The properties of a document from one revision up to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacets {
    /// What a search index groups the document's chunks by.
    pub group: i64,
    pub document_id: i64,
    pub born: i64,
    pub retired: Option<i64>,
    pub path: String,
    /// Relative to the folder that was ingested.
    pub name: Option<String>,
    pub file_type: FileType,
    pub attributes: Attributes,
    pub collection: Option<String>,
    /// The time of its chunks.
    pub occurred_at: Timestamp,
}

/// How many rows one statement looks up.
const ROWS_AT_ONCE: usize = 256;

impl Reading<'_> {
    /// All documents of a space as they were from one revision to another, by group and then by time.
    pub fn document_facets(&mut self, space: SpaceId) -> Result<Vec<DocumentFacets>, Error> {
        let documents: BTreeMap<i64, DocumentRow> =
            self.documents(space)?.into_iter().map(|document| (document.id, document)).collect();
        let given = self.all_attributes(space)?;
        let mut facets = Vec::new();
        for version in self.stored_versions(space)? {
            let Some(document) = documents.get(&version.document_id) else { continue };
            let end = version.retired.unwrap_or(i64::MAX);
            let given = given.get(&version.document_id).map_or(&[][..], Vec::as_slice);
            let during = given.iter().filter(|(born, _)| (version.born..end).contains(born));
            // Attributes that were given while it was live begin a state of their own.
            let mut states = vec![(version.born, &version.attributes)];
            states.extend(during.map(|(born, attributes)| (*born, attributes)));
            for (number, (born, attributes)) in states.iter().enumerate() {
                let next = states.get(number + 1).map(|(born, _)| *born);
                facets.push(state(document, &version, (*born, next.or(version.retired)), attributes));
            }
        }
        facets.sort_by_key(|facets: &DocumentFacets| (facets.group, facets.born));
        Ok(facets)
    }

    /// Whether `document_facets` may differ from what it was at a revision.
    pub fn document_facets_changed(&mut self, space: SpaceId, since: i64) -> Result<bool, Error> {
        for sql in [
            "SELECT version_id FROM versions WHERE space_id = ? AND changed > ? LIMIT 1",
            "SELECT document_id FROM documents WHERE space_id = ? AND changed > ? LIMIT 1",
            "SELECT document_id FROM attributes WHERE space_id = ? AND changed > ? LIMIT 1",
            "SELECT id FROM tombstones WHERE space_id = ? AND revision > ? LIMIT 1",
        ] {
            if self.query_one(sql, &[space.into(), since.into()])?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The metadata of some items, as JSON; those without any are left out.
    pub fn metadata_of(&mut self, space: SpaceId, ids: &[i64]) -> Result<Vec<(i64, String)>, Error> {
        self.column_of("metadata", space, ids)
    }

    /// The texts of some items.
    pub fn texts_of(&mut self, space: SpaceId, ids: &[i64]) -> Result<Vec<(i64, String)>, Error> {
        self.column_of("content", space, ids)
    }

    fn column_of(&mut self, column: &'static str, space: SpaceId, ids: &[i64]) -> Result<Vec<(i64, String)>, Error> {
        let mut found = Vec::new();
        for ids in ids.chunks(ROWS_AT_ONCE) {
            let places = vec!["?"; ids.len()].join(", ");
            let sql = format!(
                "SELECT item_id, {column} FROM items WHERE space_id = ? AND item_id IN ({places}) AND {column} IS NOT NULL"
            );
            let values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                found.push((row.int(0)?, row.text(1)?));
            }
        }
        found.sort_unstable();
        Ok(found)
    }
}

fn state(
    document: &DocumentRow,
    version: &VersionRow,
    (born, retired): (i64, Option<i64>),
    attributes: &Attributes,
) -> DocumentFacets {
    let (path, name) = version.path_and_name(document);
    DocumentFacets {
        group: document.id,
        document_id: document.id,
        born,
        retired,
        name,
        path,
        file_type: version.file_type,
        attributes: attributes.clone(),
        collection: document.collection.clone(),
        occurred_at: version.mtime.unwrap_or(version.ingested_at),
    }
}
