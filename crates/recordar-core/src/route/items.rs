//! Items as they are shown: with the names of their threads and documents, each looked up once.

use crate::noun::item::{ItemView, StoredWith};
use recordar_domain::SpaceName;
use recordar_store::{Error as StoreError, ItemRow, Reading, SpaceId};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub struct Items<'a> {
    spaces: &'a [SpaceName],
    /// The revision of each space at which they are shown; the newest if there is none.
    revisions: Vec<Option<i64>>,
    ids: BTreeMap<usize, Option<SpaceId>>,
    threads: BTreeMap<(usize, i64), Option<String>>,
    /// By document and revision.
    documents: BTreeMap<(usize, i64, i64), Option<SourceView>>,
    /// Whether headings of the space changed above chunks that stayed.
    amended: BTreeMap<usize, bool>,
}

/// The version of a document that a chunk is shown in.
#[derive(Clone)]
struct SourceView {
    path: String,
    name: Option<String>,
    stored: StoredWith,
}

impl<'a> Items<'a> {
    pub fn new(spaces: &'a [SpaceName]) -> Self {
        Self::at(spaces, vec![None; spaces.len()])
    }

    /// As they were at a revision of each space.
    pub fn at(spaces: &'a [SpaceName], revisions: Vec<Option<i64>>) -> Self {
        let (ids, threads, documents, amended) = Default::default();
        Self { spaces, revisions, ids, threads, documents, amended }
    }

    /// An item of one of the spaces; `None` if it is forgotten.
    pub fn get(&mut self, reading: &mut Reading<'_>, space: usize, id: i64) -> Result<Option<ItemView>, StoreError> {
        let space_id = match self.ids.entry(space) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(reading.space(&self.spaces[space])?.map(|row| row.id)),
        };
        let Some(space_id) = space_id else { return Ok(None) };
        let Some(row) = reading.item(space_id, id)? else { return Ok(None) };
        self.view(reading, (space, space_id), row).map(Some)
    }

    /// A row of one of the spaces, as it is shown.
    pub fn view(
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
        let newest = self.revisions.get(space).copied().flatten().unwrap_or(i64::MAX - 1);
        // A retired chunk is shown as it was last.
        let at = row.retired.map_or(newest, |retired| newest.min(retired - 1)).max(row.born);
        let source = row.document_id.map(|id| self.source(reading, (space, space_id), id, at)).transpose()?.flatten();
        let (mut section, mut sections) = (row.section, row.sections);
        if row.document_id.is_some()
            && self.is_amended(reading, (space, space_id))?
            && let Some(heading) = reading.heading_at(space_id, row.id, at)?
        {
            (section, sections) = heading.above(&row.text);
        }
        let thread = thread.transpose()?.flatten();
        let (document, document_name, stored) = match source {
            Some(SourceView { path, name, stored }) => (Some(path), name, stored),
            None => (None, None, StoredWith::of_row(row.own_id, row.metadata.as_deref())),
        };
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
            section,
            sections,
            occurred_at: row.occurred_at,
            stored,
        })
    }

    /// The version of a document that is live at a revision.
    fn source(
        &mut self,
        reading: &mut Reading<'_>,
        (space, space_id): (usize, SpaceId),
        id: i64,
        at: i64,
    ) -> Result<Option<SourceView>, StoreError> {
        if let Some(known) = self.documents.get(&(space, id, at)) {
            return Ok(known.clone());
        }
        let document = reading.document(space_id, id)?;
        let version = reading.version_at(space_id, id, at)?;
        let view = document.zip(version).map(|(document, version)| {
            let (path, name) = version.path_and_name(&document);
            SourceView { name, stored: StoredWith::of_document(&version.attributes, version.number), path }
        });
        self.documents.insert((space, id, at), view.clone());
        Ok(view)
    }

    fn is_amended(
        &mut self,
        reading: &mut Reading<'_>,
        (space, space_id): (usize, SpaceId),
    ) -> Result<bool, StoreError> {
        match self.amended.entry(space) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(unknown) => Ok(*unknown.insert(reading.has_headings(space_id)?)),
        }
    }
}
