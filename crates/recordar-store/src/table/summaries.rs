//! Summaries of old messages: items of kind summary whose lineage names what they sum up.

use super::items::MessageRow;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::Value;
use recordar_domain::{ItemKind, Metadata, Role, Timestamp};
use std::collections::BTreeSet;

/// The `source` of summaries that the queue makes, and makes again when one of their messages changes. Callers' own summaries stay.
const MADE: &str = "summarised";

/// A summary to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSummary {
    pub text: String,
    pub tokens: usize,
    pub metadata: Metadata,
    /// When the last of its messages was said.
    pub occurred_at: Timestamp,
    /// The messages that it sums up.
    pub sources: Vec<i64>,
}

/// A live message of a thread, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineRow {
    pub id: i64,
    pub is_summed_up: bool,
}

impl Reading<'_> {
    /// The live messages of a thread in the order of their times, and whether a live summary sums them up.
    pub fn thread_outline(&mut self, space: SpaceId, thread_id: i64) -> Result<Vec<OutlineRow>, Error> {
        let values = [space.into(), thread_id.into(), ItemKind::Message.code().into()];
        let sql = "SELECT item_id, occurred_at FROM items WHERE space_id = ? AND thread_id = ? AND kind = ? AND retired IS NULL";
        let mut messages: Vec<(Timestamp, i64)> = Vec::new();
        for row in self.query(sql, &values)? {
            messages.push((row.time(1)?, row.int(0)?));
        }
        messages.sort_unstable();
        let sql = "SELECT lineage.source_id FROM items said JOIN lineage ON lineage.space_id = said.space_id \
             AND lineage.source_id = said.item_id JOIN items summary ON summary.space_id = lineage.space_id \
             AND summary.item_id = lineage.item_id WHERE said.space_id = ? AND said.thread_id = ? AND summary.kind = ? \
             AND summary.retired IS NULL";
        let values = [space.into(), thread_id.into(), ItemKind::Summary.code().into()];
        let mut summed_up = BTreeSet::new();
        for row in self.query(sql, &values)? {
            summed_up.insert(row.int(0)?);
        }
        let outline = messages.into_iter().map(|(_, id)| OutlineRow { id, is_summed_up: summed_up.contains(&id) });
        Ok(outline.collect())
    }

    /// The messages of a summary that the queue made; none of others.
    pub fn summed_up_by(&mut self, space: SpaceId, summary: i64) -> Result<Vec<i64>, Error> {
        let sql = "SELECT lineage.source_id FROM items JOIN lineage ON lineage.space_id = items.space_id \
             AND lineage.item_id = items.item_id WHERE items.space_id = ? AND items.item_id = ? AND items.kind = ? \
             AND items.source = ? ORDER BY lineage.source_id";
        let values = [space.into(), summary.into(), ItemKind::Summary.code().into(), MADE.into()];
        self.query(sql, &values)?.iter().map(|row| row.int(0)).collect()
    }

    /// Whether a thread has a message that so many others follow, and that nothing sums up.
    pub fn has_old_messages(&mut self, space: SpaceId, thread_id: i64, followed_by: usize) -> Result<bool, Error> {
        let sql = "SELECT item_id FROM items WHERE space_id = ? AND thread_id = ? AND kind = ? AND retired IS NULL \
             ORDER BY item_id DESC LIMIT 1 OFFSET ?";
        let offset = Value::Int(i64::try_from(followed_by).unwrap_or(i64::MAX));
        let values = [space.into(), thread_id.into(), ItemKind::Message.code().into(), offset];
        let Some(row) = self.query_one(sql, &values)? else { return Ok(false) };
        Ok(self.summaries_of(space, row.int(0)?, "")?.is_empty())
    }

    /// The live summaries of a message; those of a source, if one is given.
    fn summaries_of(&mut self, space: SpaceId, message: i64, source: &str) -> Result<Vec<i64>, Error> {
        let sql = "SELECT summary.item_id, summary.source FROM lineage JOIN items summary ON summary.space_id = lineage.space_id \
             AND summary.item_id = lineage.item_id WHERE lineage.space_id = ? AND lineage.source_id = ? \
             AND summary.kind = ? AND summary.retired IS NULL ORDER BY summary.item_id";
        let mut found = Vec::new();
        for row in self.query(sql, &[space.into(), message.into(), ItemKind::Summary.code().into()])? {
            if source.is_empty() || row.optional_text(1)?.as_deref() == Some(source) {
                found.push(row.int(0)?);
            }
        }
        Ok(found)
    }
}

impl Writing<'_> {
    /// Stores summaries, each as an item that rests on its messages.
    pub fn add_summaries(&mut self, summaries: &[NewSummary]) -> Result<(), Error> {
        let rows: Vec<MessageRow<'_>> = summaries
            .iter()
            .map(|summary| MessageRow {
                kind: ItemKind::Summary,
                // It is not a turn of the conversation.
                thread_id: None,
                role: Role::System,
                source: Some(MADE),
                speaker: None,
                text: &summary.text,
                tokens: summary.tokens,
                importance: None,
                metadata: &summary.metadata,
                occurred_at: Some(summary.occurred_at),
                own_id: None,
            })
            .collect();
        let first = self.add_messages(&rows)?;
        for (id, summary) in (first..).zip(summaries) {
            self.derive(id, &summary.sources)?;
        }
        Ok(())
    }

    /// Retires the summaries that the queue made of a message: another has taken its place.
    pub(super) fn take_back_summaries(&mut self, message: i64) -> Result<(), Error> {
        let (space, revision) = (self.space.id, Value::Int(self.space.revision));
        for id in self.summaries_of(space, message, MADE)? {
            let sql =
                "UPDATE items SET retired = ?, changed = ? WHERE space_id = ? AND item_id = ? AND retired IS NULL";
            self.execute(sql, &[revision.clone(), revision.clone(), space.into(), id.into()])?;
        }
        Ok(())
    }
}
