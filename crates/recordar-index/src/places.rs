//! The items of an index by position, for structures that are kept beside it.

use crate::columns::NOWHERE;
use crate::index::Index;

/// Positions ascend with ids, and stay the same for the life of this index. Another index of the same items may have other ones:
/// a removed item keeps its place until the index is built again. Methods panic if there is no such position.
impl Index {
    /// The position of an id. `None` if there is no such item, or it was removed.
    pub fn position_of(&self, id: u32) -> Option<usize> {
        self.columns.position(id).filter(|position| !self.columns.is_removed(*position))
    }

    pub fn id_at(&self, position: usize) -> u32 {
        self.columns.ids[position]
    }

    /// Whether a search as of a revision can find the item: it is live then, and no echo.
    pub fn is_found_at(&self, position: usize, at: u32) -> bool {
        self.is_found(position, at)
    }

    /// Whether the item is live as of a revision, be it an echo or not.
    pub fn is_live_at(&self, position: usize, at: u32) -> bool {
        self.columns.born[position] <= at && at < self.columns.retired[position]
    }

    /// The print of its text; 0 if it has none.
    pub fn print_at(&self, position: usize) -> u64 {
        self.columns.prints[position]
    }

    /// The earlier item that one is an echo of, as of a revision.
    pub fn echo_of(&self, id: u32, at: u32) -> Option<u32> {
        let position = self.position_of(id)?;
        if self.is_found(position, at) {
            return None;
        }
        let earlier = |position: &usize| self.echoes.before(*position);
        let origin = std::iter::successors(Some(position), earlier).find(|position| self.is_found(*position, at));
        origin.map(|position| self.id_at(position))
    }

    /// The thread or document of the item; 0 if it has none.
    pub fn group_at(&self, position: usize) -> u32 {
        self.columns.groups[position]
    }

    /// 0 if it has none.
    pub fn role_at(&self, position: usize) -> u8 {
        if self.columns.is_chunk(position) { 0 } else { self.columns.role(position) }
    }

    /// In microseconds.
    pub fn occurred_at(&self, position: usize) -> i64 {
        self.columns.occurred_at[position]
    }

    /// The item behind one in its thread or document, as of a revision. Unlike a search, it passes over no echo.
    pub fn behind(&self, id: u32, at: u32) -> Option<u32> {
        let exists = |position: u32| (position != NOWHERE).then_some(position as usize);
        let next = |position: &usize| exists(self.after[*position]);
        let mut later = std::iter::successors(next(&self.position_of(id)?), next);
        later.find(|position| self.is_live_at(*position, at)).map(|position| self.id_at(position))
    }

    /// The items of a thread, the newest in time first, or of a document, from its end: also those that are retired or echoes.
    pub fn group_positions(&self, group: u32) -> impl Iterator<Item = usize> + '_ {
        let exists = |position: u32| (position != NOWHERE).then_some(position as usize);
        let last = self.groups.by_id.get(&group).map_or(NOWHERE, |group| self.groups.last[*group as usize]);
        std::iter::successors(exists(last), move |position| exists(self.before[*position]))
    }
}
