//! Living facts: whether what a fact or a summary comes from still says the same. That is stored nowhere: it follows from the words that were
//! taken, what stands in the place of each source, and what a person confirmed.

use super::moment::FactsAt;
use crate::noun::fact::Unverified;
use crate::route::replacement::live_successor;
use recordar_domain::{Digest, ItemKind, Timestamp};
use recordar_store::{Error as StoreError, FactWords, ItemRow, Reading, SpaceId};
use std::collections::{BTreeMap, BTreeSet};

/// How many items are read at once.
const PAGE: usize = 500;

/// What is known about a fact or a summary besides what it says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Living {
    pub unverified: Option<Unverified>,
    pub review_by: Option<Timestamp>,
}

/// What is known about each of some facts and summaries at a moment; those about which nothing is known are left out.
pub fn living(reading: &mut Reading<'_>, moment: FactsAt, items: &[i64]) -> Result<BTreeMap<i64, Living>, StoreError> {
    let kept = reading.fact_words(moment.space, items, moment.revision)?;
    let mut sources = Sources::of(reading, (moment.space, moment.revision), &kept)?;
    let mut found: BTreeMap<i64, Living> = BTreeMap::new();
    for words in &kept {
        let Some(why) = sources.changed(reading, words)? else { continue };
        let of = found.entry(words.item_id).or_default();
        of.unverified = Some(of.unverified.map_or(why, |known| known.min(why)));
    }
    for (item, confirmed) in reading.confirmations(moment.space, items, moment.revision)? {
        let Some(review_by) = confirmed.review_by else { continue };
        let of = found.entry(item).or_default();
        of.review_by = Some(review_by);
        of.unverified = of.unverified.or((review_by <= moment.now).then_some(Unverified::ReviewDue));
    }
    Ok(found)
}

/// The words of the sources of an item as they are at a revision, as far as they differ from those that were taken.
pub fn changed_words(
    reading: &mut Reading<'_>,
    at: (SpaceId, i64),
    kept: &[FactWords],
) -> Result<Vec<FactWords>, StoreError> {
    let mut sources = Sources::of(reading, at, kept)?;
    let mut changed = Vec::new();
    for words in kept {
        let present = sources.present(reading, words)?;
        if !is_same(words.words, present) {
            changed.push(FactWords { words: present, ..*words });
        }
    }
    Ok(changed)
}

/// What has words, and their sha256.
type Words = (i64, Digest);

fn is_same(kept: Option<Words>, present: Option<Words>) -> bool {
    kept.map(|(_, hash)| hash) == present.map(|(_, hash)| hash)
}

/// What stands in the place of sources at a revision of a space.
struct Sources {
    at: (SpaceId, i64),
    live: BTreeMap<i64, Digest>,
    retired: BTreeMap<i64, ItemRow>,
    /// By retired message: the one that took its place.
    messages: BTreeMap<i64, Option<Words>>,
    /// By document: the words of its chunks, and its version.
    documents: BTreeMap<i64, (BTreeSet<Digest>, Option<Words>)>,
}

impl Sources {
    fn of(reading: &mut Reading<'_>, at: (SpaceId, i64), kept: &[FactWords]) -> Result<Self, StoreError> {
        let ids: BTreeSet<i64> = kept.iter().map(|words| words.source_id).collect();
        let (mut live, mut retired) = (BTreeMap::new(), BTreeMap::new());
        for page in ids.into_iter().collect::<Vec<i64>>().chunks(PAGE) {
            for row in reading.items(at.0, page)? {
                if row.retired.is_none_or(|retired| retired > at.1) {
                    live.insert(row.id, Digest::of(&row.text));
                } else {
                    retired.insert(row.id, row);
                }
            }
        }
        Ok(Self { at, live, retired, messages: BTreeMap::new(), documents: BTreeMap::new() })
    }

    fn changed(&mut self, reading: &mut Reading<'_>, kept: &FactWords) -> Result<Option<Unverified>, StoreError> {
        let present = self.present(reading, kept)?;
        Ok(match present {
            _ if is_same(kept.words, present) => None,
            Some(_) => Some(Unverified::SourceChanged),
            None => Some(Unverified::SourceRetired),
        })
    }

    /// What stands in the place of a source: the source itself, the message that an update put there, or the version of its document.
    fn present(&mut self, reading: &mut Reading<'_>, kept: &FactWords) -> Result<Option<Words>, StoreError> {
        let id = kept.source_id;
        if let Some(hash) = self.live.get(&id) {
            return Ok(Some((id, *hash)));
        }
        let Some(row) = self.retired.get(&id) else { return Ok(None) };
        if let Some(document) = row.document_id.filter(|_| row.kind == ItemKind::Chunk) {
            if !self.documents.contains_key(&document) {
                self.documents.insert(document, document_words(reading, self.at, document)?);
            }
            let Some((chunks, version)) = self.documents.get(&document) else { return Ok(None) };
            // Other chunks may have the same words: the document was changed elsewhere.
            let is_there = kept.words.is_some_and(|(_, hash)| chunks.contains(&hash));
            return Ok(if is_there { kept.words } else { *version });
        }
        if let Some(known) = self.messages.get(&id) {
            return Ok(*known);
        }
        let now = live_successor(reading, self.at.0, row.clone(), self.at.1)?;
        let words = now.map(|row| (row.id, Digest::of(&row.text)));
        self.messages.insert(id, words);
        Ok(words)
    }
}

fn document_words(
    reading: &mut Reading<'_>,
    (space, revision): (SpaceId, i64),
    document: i64,
) -> Result<(BTreeSet<Digest>, Option<Words>), StoreError> {
    let version = reading.version_at(space, document, revision)?;
    let is_live = |retired: Option<i64>| retired.is_none_or(|at| at > revision);
    let Some(version) = version.filter(|version| is_live(version.retired)) else { return Ok(Default::default()) };
    let chunks = reading.chunks(space, version.id)?;
    Ok((chunks.iter().map(|chunk| Digest::of(&chunk.text)).collect(), Some((version.id, version.sha256))))
}
