//! The labels of a space beside its index: loaded at the first search that asks for them, and then kept up to date.

use super::prepare::narrow;
use recordar_domain::Entity;
use recordar_index::{Index, LIVE, LabelColumns, LabelEntry};
use recordar_store::{Error as StoreError, LabelRow, Reading, SpaceId, UseRow};

/// Label columns with the revision they are valid for.
pub(super) struct Labelled {
    pub(super) revision: i64,
    pub(super) columns: LabelColumns,
}

/// All labels and uses of a space, or those that changed since they were read.
pub(super) struct LabelDelta {
    labels: Vec<LabelRow>,
    uses: Vec<UseRow>,
}

pub(super) fn read(reading: &mut Reading<'_>, space: SpaceId, since: Option<i64>) -> Result<LabelDelta, StoreError> {
    let labels = match since {
        Some(since) => reading.changed_labels(space, since)?,
        None => {
            let mut all = Vec::new();
            reading.each_label(space, |row| all.push(row))?;
            all
        }
    };
    Ok(LabelDelta { labels, uses: reading.changed_uses(space, since.unwrap_or(0))? })
}

impl Labelled {
    pub(super) fn apply(
        known: Option<Self>,
        index: &Index,
        delta: &LabelDelta,
        revision: i64,
    ) -> Result<Self, StoreError> {
        let mut columns = known.map_or_else(LabelColumns::default, |known| known.columns);
        for row in &delta.labels {
            let entities: Vec<String> = row.labels.entities().iter().map(Entity::key).collect();
            let entry = LabelEntry {
                id: narrow(row.item_id)?,
                topics: row.labels.topics(),
                category: row.labels.category(),
                message_type: row.labels.message_type(),
                entities: &entities,
                importance: u32::try_from(row.labels.importance().millionths()).unwrap_or(0),
                born: narrow(row.born)?,
                retired: row.retired.map_or(Ok(LIVE), narrow)?,
            };
            columns.label(index, &entry);
        }
        for row in &delta.uses {
            columns.count_uses(index, narrow(row.item_id)?, u32::try_from(row.uses).unwrap_or(u32::MAX), row.changed);
        }
        Ok(Self { revision, columns })
    }
}
