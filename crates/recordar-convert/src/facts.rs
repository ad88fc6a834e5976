//! The facts of a dump that were already read. A dump may contain one in several lists, with or without
//! its id.

use crate::gather::{Mark, mark};
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub(super) struct Facts {
    ids: HashSet<Mark>,
    /// By user, and whether every occurrence had an id.
    texts: HashMap<Mark, bool>,
}

impl Facts {
    /// False if it was already read: by its id or, if one of the two has none, by its text.
    pub(super) fn is_new(&mut self, user: Option<&str>, id: Option<&str>, text: &str) -> bool {
        let is_known_id = id.is_some_and(|id| !self.ids.insert(mark(&[id])));
        let key = user.map_or_else(|| mark(&[text.trim()]), |user| mark(&[user, text.trim()]));
        let had_ids = self.texts.get(&key).copied();
        *self.texts.entry(key).or_insert(true) &= id.is_some();
        let is_known_text = had_ids.is_some_and(|had_ids| id.is_none() || !had_ids);
        !is_known_id && (!is_known_text || text.trim().is_empty())
    }
}
