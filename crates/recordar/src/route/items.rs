//! Items as they are shown: with the names of their threads and documents, each looked up once.

use crate::noun::item::{ItemView, StoredWith};
use recordar_domain::SpaceName;
use recordar_store::{Error as StoreError, ItemRow, Reading, SpaceId, VersionRow};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(crate) struct Items<'a> {
    spaces: &'a [SpaceName],
    ids: BTreeMap<usize, Option<SpaceId>>,
    threads: BTreeMap<(usize, i64), Option<String>>,
    documents: BTreeMap<(usize, i64), Option<String>>,
    /// The folder that each version was ingested from, and what was stored with it.
    versions: BTreeMap<(usize, i64), (Option<String>, StoredWith)>,
}

/// A path relative to a folder.
fn name_in(root: &str, path: &str) -> Option<String> {
    let name = path.strip_prefix(root)?.trim_start_matches(std::path::MAIN_SEPARATOR);
    (!name.is_empty()).then(|| name.to_owned())
}

impl<'a> Items<'a> {
    pub(crate) fn new(spaces: &'a [SpaceName]) -> Self {
        let (ids, threads, documents, versions) = Default::default();
        Self { spaces, ids, threads, documents, versions }
    }

    /// An item of one of the spaces; `None` if it is forgotten.
    pub(crate) fn get(
        &mut self,
        reading: &mut Reading<'_>,
        space: usize,
        id: i64,
    ) -> Result<Option<ItemView>, StoreError> {
        let space_id = match self.ids.entry(space) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(reading.space(&self.spaces[space])?.map(|row| row.id)),
        };
        let Some(space_id) = space_id else { return Ok(None) };
        let Some(row) = reading.item(space_id, id)? else { return Ok(None) };
        self.view(reading, (space, space_id), row).map(Some)
    }

    /// A row of one of the spaces, as it is shown.
    pub(crate) fn view(
        &mut self,
        reading: &mut Reading<'_>,
        (space, space_id): (usize, SpaceId),
        row: ItemRow,
    ) -> Result<ItemView, StoreError> {
        let thread = row.thread_id.map(|id| -> Result<_, StoreError> {
            match self.threads.entry((space, id)) {
                Entry::Occupied(known) => Ok(known.get().clone()),
                Entry::Vacant(unknown) => {
                    let thread = reading.thread_by_id(space_id, id)?;
                    Ok(unknown.insert(thread.map(|thread| thread.name)).clone())
                }
            }
        });
        let document = row.document_id.map(|id| -> Result<_, StoreError> {
            match self.documents.entry((space, id)) {
                Entry::Occupied(known) => Ok(known.get().clone()),
                Entry::Vacant(unknown) => {
                    let document = reading.document(space_id, id)?;
                    Ok(unknown.insert(document.map(|document| document.path)).clone())
                }
            }
        });
        let (root, stored) = match row.version_id {
            None => (None, StoredWith::of_row(row.own_id, row.metadata.as_deref())),
            Some(id) => match self.versions.entry((space, id)) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(unknown) => {
                    let version = reading.version(space_id, id)?;
                    let of = |version: VersionRow| (version.root, StoredWith::of_document(&version.attributes));
                    unknown.insert(version.map(of).unwrap_or_default()).clone()
                }
            },
        };
        let (thread, document) = (thread.transpose()?.flatten(), document.transpose()?.flatten());
        let document_name = root.zip(document.as_deref()).and_then(|(root, path)| name_in(&root, path));
        Ok(ItemView {
            space: self.spaces[space].to_string(),
            item_id: row.id,
            kind: row.kind,
            text: row.text,
            thread,
            role: row.role,
            speaker: row.speaker,
            document,
            document_name,
            section: row.section,
            sections: row.sections,
            occurred_at: row.occurred_at,
            stored,
        })
    }
}
