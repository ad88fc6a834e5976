//! Items as they are shown: with the names of their threads and documents, each looked up once.

use crate::noun::item::ItemView;
use recordar_domain::SpaceName;
use recordar_store::{Error as StoreError, Reading, SpaceId};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(crate) struct Items<'a> {
    spaces: &'a [SpaceName],
    ids: BTreeMap<usize, Option<SpaceId>>,
    threads: BTreeMap<(usize, i64), Option<String>>,
    documents: BTreeMap<(usize, i64), Option<String>>,
}

impl<'a> Items<'a> {
    pub(crate) fn new(spaces: &'a [SpaceName]) -> Self {
        Self { spaces, ids: BTreeMap::new(), threads: BTreeMap::new(), documents: BTreeMap::new() }
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
        let (thread, document) = (thread.transpose()?.flatten(), document.transpose()?.flatten());
        Ok(Some(ItemView {
            space: self.spaces[space].to_string(),
            item_id: row.id,
            kind: row.kind,
            text: row.text,
            thread,
            role: row.role,
            speaker: row.speaker,
            document,
            section: row.section,
            occurred_at: row.occurred_at,
        }))
    }
}
