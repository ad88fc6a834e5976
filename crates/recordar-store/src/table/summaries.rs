//! Summaries of old messages: items of kind summary whose lineage names what they sum up.

use super::items::MessageRow;
use crate::error::Error;
use crate::transaction::{Reading, SpaceId, Writing};
use crate::value::Value;
use recordar_domain::{ItemKind, Metadata, Role, SUMMARISED, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Leaves out the summaries that the queue made: they are found through their messages, and are in no index. `4` is [`ItemKind::Summary`].
pub(super) const IS_SEARCHED: &str = "(kind <> 4 OR source IS NULL OR source <> 'summarised')";
/// How many ids one statement looks up.
const IDS_AT_ONCE: usize = 500;

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

    /// The summaries that the queue made of some messages and that are live at a revision, each with all that it sums up, in the order of ids.
    pub fn summaries_made(
        &mut self,
        space: SpaceId,
        messages: &[i64],
        revision: i64,
    ) -> Result<BTreeMap<i64, Vec<i64>>, Error> {
        let mut found: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for page in messages.chunks(IDS_AT_ONCE) {
            let sql = format!(
                "SELECT summary.item_id FROM lineage JOIN items summary ON summary.space_id = lineage.space_id \
                 AND summary.item_id = lineage.item_id WHERE lineage.space_id = ? AND summary.kind = ? AND summary.source = ? \
                 AND summary.born <= ? AND (summary.retired IS NULL OR summary.retired > ?) AND lineage.source_id IN ({})",
                vec!["?"; page.len()].join(", ")
            );
            let own =
                [space.into(), ItemKind::Summary.code().into(), SUMMARISED.into(), revision.into(), revision.into()];
            let values: Vec<Value> = own.into_iter().chain(page.iter().map(|id| (*id).into())).collect();
            for row in self.query(&sql, &values)? {
                found.entry(row.int(0)?).or_default();
            }
        }
        for (id, messages) in &mut found {
            *messages = self.sources_of_item(space, *id)?;
        }
        Ok(found)
    }

    /// Whether a thread has a message that nothing sums up, and that at least this many others follow.
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
                source: Some(SUMMARISED),
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
        let summaries = (first..).zip(summaries);
        let derived = summaries.flat_map(|(id, summary)| summary.sources.iter().map(move |source| (id, *source)));
        self.derive_all(&derived.collect::<Vec<_>>())
    }

    /// Retires the summaries that the queue made of a message: another has taken its place.
    pub(super) fn take_back_summaries(&mut self, message: i64) -> Result<(), Error> {
        let (space, revision) = (self.space.id, Value::Int(self.space.revision));
        for id in self.summaries_of(space, message, SUMMARISED)? {
            let sql =
                "UPDATE items SET retired = ?, changed = ? WHERE space_id = ? AND item_id = ? AND retired IS NULL";
            self.execute(sql, &[revision.clone(), revision.clone(), space.into(), id.into()])?;
            self.lose_summary(id)?;
        }
        Ok(())
    }

    /// Notes the threads of the messages of a summary that is no more.
    pub(super) fn lose_summary(&mut self, id: i64) -> Result<(), Error> {
        let sql = "SELECT DISTINCT items.thread_id FROM lineage JOIN items ON items.space_id = lineage.space_id \
             AND items.item_id = lineage.source_id WHERE lineage.space_id = ? AND lineage.item_id = ? \
             AND items.thread_id IS NOT NULL";
        let space = self.space.id;
        for row in self.query(sql, &[space.into(), id.into()])? {
            self.unsummed.insert(row.int(0)?);
        }
        Ok(())
    }

    /// The threads that have lost a summary in this transaction, and are still there.
    pub fn unsummed_threads(&mut self) -> Result<Vec<i64>, Error> {
        let ids: Vec<i64> = std::mem::take(&mut self.unsummed).into_iter().collect();
        let space = self.space.id;
        Ok(self.threads_by_id(space, &ids)?.into_iter().map(|thread| thread.id).collect())
    }
}
