//! The chunks of versions. A chunk is stored once and belongs to every version of its document that is born while it is live. So a version
//! costs what changed in it.

use super::items::{ChunkRow, NewChunk, PlacedChunk, sections, sections_json};
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::{Row, Value};
use recordar_domain::Timestamp;
use recordar_domain::text::{SectionStart, align};
use std::collections::BTreeMap;

pub(crate) const HEADING_COLUMNS: [&str; 6] = ["space_id", "item_id", "born", "section", "sections", "changed"];

/// How many ids one statement looks up.
const IDS_AT_ONCE: usize = 500;

/// The distance between the places of two chunks that were stored together, so that others fit between them.
const STEP: i64 = 1 << 32;

/// The place of a chunk among those of its document. One that has none is ordered by its position.
pub fn place_of(place: Option<i64>, position: i64) -> i64 {
    place.unwrap_or_else(|| position.saturating_mul(STEP))
}

/// The section that a chunk is in, and those that begin inside it, from a revision on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingRow {
    pub item_id: i64,
    pub born: i64,
    pub section: Option<String>,
    pub sections: Vec<SectionStart>,
}

/// A chunk whose headings changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendedChunk {
    pub id: i64,
    /// The section that it was stored with.
    pub own: Option<String>,
    pub later: Vec<HeadingRow>,
}

impl HeadingRow {
    /// The sections of a text. An import cannot check that they begin in it.
    pub fn above(self, text: &str) -> (Option<String>, Vec<SectionStart>) {
        let is_there = |start: &SectionStart| start.at < text.len() && text.is_char_boundary(start.at);
        (self.section, self.sections.into_iter().filter(is_there).collect())
    }
}

/// A chunk of the live version, while the next one is stored.
struct LiveChunk {
    id: i64,
    place: i64,
    overlap: usize,
    text: String,
    is_placed: bool,
    section: Option<String>,
    sections: Vec<SectionStart>,
}

/// What storing the chunks of a version did.
pub(super) struct StoredChunks {
    pub(super) first_id: i64,
    pub(super) kept: u64,
    pub(super) retired: u64,
}

impl Reading<'_> {
    /// The chunks of a version, in the order of the text.
    pub fn chunks(&mut self, space: SpaceId, version_id: i64) -> Result<Vec<ChunkRow>, Error> {
        let sql = "SELECT document_id, born FROM versions WHERE space_id = ? AND version_id = ?";
        let Some(version) = self.query_one(sql, &[space.into(), version_id.into()])? else { return Ok(Vec::new()) };
        self.chunks_at(space, version.int(0)?, version.int(1)?)
    }

    /// The chunks of a document that are live at a revision, in the order of the text.
    pub(crate) fn chunks_at(&mut self, space: SpaceId, document_id: i64, at: i64) -> Result<Vec<ChunkRow>, Error> {
        let sql = "SELECT item_id, position, overlap, section, content, tokens, sections, place FROM items \
             WHERE space_id = ? AND document_id = ? AND born <= ? AND (retired IS NULL OR retired > ?)";
        let rows = self.query(sql, &[space.into(), document_id.into(), at.into(), at.into()])?;
        let is_dense = rows.iter().all(|row| row.0[7] == Value::Null);
        let mut chunks: Vec<(i64, ChunkRow)> = Vec::with_capacity(rows.len());
        for row in &rows {
            let chunk = chunk(row)?;
            chunks.push((place_of(row.optional_int(7)?, chunk.position), chunk));
        }
        chunks.sort_by_key(|(place, chunk)| (*place, chunk.id));
        let mut headings = self.document_headings(space, document_id, at)?;
        let in_version = |(position, (_, mut chunk)): (usize, (i64, ChunkRow))| {
            if let Some(heading) = headings.remove(&chunk.id) {
                (chunk.section, chunk.sections) = heading.above(&chunk.text);
            }
            // If chunks were forgotten, their positions are missing.
            chunk.position = if is_dense { chunk.position } else { position as i64 };
            chunk
        };
        Ok(chunks.into_iter().enumerate().map(in_version).collect())
    }

    /// The changed headings of a document's chunks at a revision, by chunk.
    fn document_headings(
        &mut self,
        space: SpaceId,
        document_id: i64,
        at: i64,
    ) -> Result<BTreeMap<i64, HeadingRow>, Error> {
        let sql = "SELECT h.item_id, h.born, h.section, h.sections FROM headings h \
             JOIN items i ON i.space_id = h.space_id AND i.item_id = h.item_id \
             WHERE h.space_id = ? AND i.document_id = ? AND h.born <= ? ORDER BY h.item_id, h.born";
        let rows = self.query(sql, &[space.into(), document_id.into(), at.into()])?;
        // The last one of each counts.
        rows.iter().map(|row| heading(row).map(|heading| (heading.item_id, heading))).collect()
    }

    /// The heading of a chunk that changed after it was stored, at a revision.
    pub fn heading_at(&mut self, space: SpaceId, item_id: i64, at: i64) -> Result<Option<HeadingRow>, Error> {
        let sql = "SELECT item_id, born, section, sections FROM headings \
             WHERE space_id = ? AND item_id = ? AND born <= ? ORDER BY born DESC LIMIT 1";
        let row = self.query_one(sql, &[space.into(), item_id.into(), at.into()])?;
        row.as_ref().map(heading).transpose()
    }

    /// The headings above a chunk that changed after it was stored, oldest first.
    pub(super) fn headings_of(&mut self, space: SpaceId, item_id: i64) -> Result<Vec<HeadingRow>, Error> {
        let sql = "SELECT item_id, born, section, sections FROM headings \
             WHERE space_id = ? AND item_id = ? ORDER BY born";
        self.query(sql, &[space.into(), item_id.into()])?.iter().map(heading).collect()
    }

    /// The chunks below a heading that changed after a revision: for each, the section that it was stored with, and all headings since,
    /// oldest first.
    pub fn amended_chunks(&mut self, space: SpaceId, since: i64) -> Result<Vec<AmendedChunk>, Error> {
        let sql = "SELECT h.item_id, h.born, h.section, h.sections, i.section FROM headings h \
             JOIN items i ON i.space_id = h.space_id AND i.item_id = h.item_id \
             WHERE h.space_id = ? AND h.item_id IN \
             (SELECT c.item_id FROM headings c WHERE c.space_id = ? AND c.changed > ?) ORDER BY h.item_id, h.born";
        let mut chunks: Vec<AmendedChunk> = Vec::new();
        for row in self.query(sql, &[space.into(), space.into(), since.into()])? {
            let later = heading(&row)?;
            match chunks.last_mut().filter(|chunk| chunk.id == later.item_id) {
                Some(chunk) => chunk.later.push(later),
                None => {
                    let (id, own) = (later.item_id, row.optional_text(4)?);
                    chunks.push(AmendedChunk { id, own, later: vec![later] });
                }
            }
        }
        Ok(chunks)
    }

    /// The headings that are above some chunks now, as far as they changed after the chunks were stored.
    pub(super) fn headings_now(&mut self, space: SpaceId, ids: &[i64]) -> Result<BTreeMap<i64, HeadingRow>, Error> {
        let mut headings = BTreeMap::new();
        for ids in ids.chunks(IDS_AT_ONCE) {
            let places = vec!["?"; ids.len()].join(", ");
            let sql = format!(
                "SELECT item_id, born, section, sections FROM headings \
                 WHERE space_id = ? AND item_id IN ({places}) ORDER BY item_id, born"
            );
            let values: Vec<Value> = std::iter::once(space.into()).chain(ids.iter().map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                // The last one of each counts.
                let heading = heading(&row)?;
                headings.insert(heading.item_id, heading);
            }
        }
        Ok(headings)
    }

    /// Whether a heading of the space ever changed above a chunk that stayed.
    pub fn has_headings(&mut self, space: SpaceId) -> Result<bool, Error> {
        Ok(self.query_one("SELECT item_id FROM headings WHERE space_id = ? LIMIT 1", &[space.into()])?.is_some())
    }

    fn live_chunks_of(&mut self, space: SpaceId, document_id: i64) -> Result<Vec<LiveChunk>, Error> {
        let sql = "SELECT item_id, position, overlap, section, content, tokens, sections, place, category_id FROM items \
             WHERE space_id = ? AND document_id = ? AND retired IS NULL";
        let rows = self.query(sql, &[space.into(), document_id.into()])?;
        let mut headings = self.document_headings(space, document_id, i64::MAX)?;
        let mut chunks = Vec::with_capacity(rows.len());
        for row in &rows {
            let ChunkRow { id, position, overlap, section, sections, text, .. } = chunk(row)?;
            let heading = headings.remove(&id);
            let (section, sections) = heading.map_or((section, sections), |heading| heading.above(&text));
            let place = place_of(row.optional_int(7)?, position);
            let is_placed = row.optional_int(8)?.is_some();
            chunks.push(LiveChunk { id, place, overlap, text, is_placed, section, sections });
        }
        chunks.sort_by_key(|chunk| (chunk.place, chunk.id));
        Ok(chunks)
    }
}

pub(super) fn chunk(row: &Row) -> Result<ChunkRow, Error> {
    let text = row.text(4)?;
    let overlap = row.int(2)? as usize;
    if !text.is_char_boundary(overlap) {
        return Err(Error::Corrupt { what: format!("chunk {} is shorter than its overlap", row.int(0)?) });
    }
    Ok(ChunkRow {
        id: row.int(0)?,
        position: row.int(1)?,
        overlap,
        section: row.optional_text(3)?,
        sections: sections(row, 6)?,
        text,
        tokens: row.int(5)?,
    })
}

fn heading(row: &Row) -> Result<HeadingRow, Error> {
    let (item_id, born) = (row.int(0)?, row.int(1)?);
    Ok(HeadingRow { item_id, born, section: row.optional_text(2)?, sections: sections(row, 3)? })
}

/// The places of chunks: those of kept ones, and new ones between them. `None` if there is no room.
fn places(kept: &[Option<i64>]) -> Option<Vec<i64>> {
    let mut places: Vec<i64> = Vec::with_capacity(kept.len());
    while places.len() < kept.len() {
        let first = places.len();
        if let Some(place) = kept[first] {
            places.push(place);
            continue;
        }
        let count = kept[first..].iter().take_while(|place| place.is_none()).count() as i64;
        let before = places.last().copied();
        let after = kept.get(first + count as usize).copied().flatten();
        let place = |number: i64| match (before, after) {
            (None, None) => number.checked_mul(STEP),
            (Some(before), None) => (number + 1).checked_mul(STEP)?.checked_add(before),
            (None, Some(after)) => after.checked_sub((count - number).checked_mul(STEP)?),
            (Some(before), Some(after)) => {
                let room = i128::from(after) - i128::from(before);
                let step = room * i128::from(number + 1) / i128::from(count + 1);
                (room > i128::from(count)).then_some(())?;
                i64::try_from(i128::from(before) + step).ok()
            }
        };
        for number in 0..count {
            places.push(place(number)?);
        }
    }
    Some(places)
}

/// Creates categories, and returns the leaf of each chunk.
pub(super) type MakeLeaves<'a, W> = dyn FnMut(&mut W) -> Result<Vec<Option<i64>>, Error> + 'a;

impl Writing<'_> {
    /// Stores the chunks of a version. The live ones of its document whose text stays in its place are kept; the others are retired.
    /// The leaves are created after the chunks get their ids and before they are written.
    pub(super) fn store_chunks(
        &mut self,
        [document_id, version_id]: [i64; 2],
        occurred_at: Timestamp,
        chunks: &[NewChunk<'_>],
        leaves: &mut MakeLeaves<'_, Self>,
    ) -> Result<StoredChunks, Error> {
        let space = self.space.id;
        let before = self.live_chunks_of(space, document_id)?;
        let aligned = align(
            &before.iter().map(|chunk| (chunk.text.as_str(), chunk.overlap)).collect::<Vec<_>>(),
            &chunks.iter().map(|chunk| (chunk.text, chunk.overlap)).collect::<Vec<_>>(),
        );
        let of_kept: Vec<Option<i64>> = aligned.iter().map(|index| index.map(|index| before[index].place)).collect();
        let (aligned, places) = match places(&of_kept) {
            Some(places) => (aligned, places),
            // After many insertions at one place no number is left between two chunks: all are stored again.
            None => (vec![None; chunks.len()], (0..chunks.len() as i64).map(|number| number * STEP).collect()),
        };
        let mut is_kept = vec![false; before.len()];
        aligned.iter().flatten().for_each(|index| is_kept[*index] = true);
        let gone = before.iter().zip(&is_kept).filter(|(_, is_kept)| !**is_kept).map(|(chunk, _)| chunk.id);
        let retired = self.retire_chunks(gone.collect())?;
        let kept = aligned.iter().flatten().count();
        let first = self.allocate_ids(chunks.len() - kept);
        let leaves = leaves(self)?;
        let leaf = |position: usize| leaves.get(position).copied().flatten();
        let mut new = Vec::new();
        let mut headings = Vec::new();
        for (position, chunk) in chunks.iter().enumerate() {
            let Some(known) = aligned[position].map(|index| &before[index]) else {
                // All chunks of a version that keeps none come one after the other.
                let place = (kept > 0).then_some(places[position]);
                new.push(PlacedChunk { chunk, position, place, leaf: leaf(position) });
                continue;
            };
            if (&known.section, &known.sections) != (&chunk.section, &chunk.sections) {
                let section = chunk.section.clone();
                headings.push((known.id, section, sections_json(&chunk.sections)));
            }
            if let Some(leaf) = leaf(position).filter(|_| !known.is_placed) {
                self.hang_chunks(leaf, &[known.id])?;
            }
        }
        self.add_chunks(first, [document_id, version_id], occurred_at, &new)?;
        let revision = Value::Int(self.space.revision);
        let heading = |(id, section, sections): (i64, Option<String>, Value)| {
            vec![space.into(), id.into(), revision.clone(), section.into(), sections, revision.clone()]
        };
        let headings: Vec<Vec<Value>> = headings.into_iter().map(heading).collect();
        self.insert("headings", &HEADING_COLUMNS, &headings)?;
        Ok(StoredChunks { first_id: first, kept: kept as u64, retired })
    }

    fn retire_chunks(&mut self, mut ids: Vec<i64>) -> Result<u64, Error> {
        ids.sort_unstable();
        let revision = Value::Int(self.space.revision);
        let mut retired = 0;
        for (first, end) in super::forget::ranges(ids.into_iter()) {
            let values = [revision.clone(), revision.clone(), self.space.id.into(), first.into(), end.into()];
            retired += self.execute(
                "UPDATE items SET retired = ?, changed = ? \
                 WHERE space_id = ? AND item_id >= ? AND item_id < ? AND retired IS NULL",
                &values,
            )?;
        }
        Ok(retired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i20_new_chunks_get_places_between_those_that_stay() {
        assert_eq!(places(&[None, None]), Some(vec![0, STEP]));
        assert_eq!(places(&[Some(0), None, Some(STEP)]), Some(vec![0, STEP / 2, STEP]));
        assert_eq!(places(&[None, Some(0), None, None]), Some(vec![-STEP, 0, STEP, 2 * STEP]));
        assert_eq!(places(&[Some(4), None, Some(6)]), Some(vec![4, 5, 6]));
        assert_eq!(places(&[Some(4), None, None, Some(6)]), None);
        assert_eq!(places(&[]), Some(Vec::new()));
    }
}
