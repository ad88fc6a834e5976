//! What a receipt names, and limits on what it may ask for.

use crate::noun::item::{ItemView, item_name};
use std::time::Duration;

/// Far more text than a prompt takes, and more time than clearing it needs.
pub(super) const MAX_TEXT_BYTES: usize = 64 * 1024 * 1024;
pub(super) const MAX_TIME: Duration = Duration::from_secs(10);
/// The most replies that one answer can use.
pub(super) const MAX_EXCHANGES: usize = 64;

/// What a receipt names, as far as it is here, in the order that the receipt shows it.
pub struct Sources {
    pub items: Vec<Option<ItemView>>,
    pub helpers: Vec<Option<String>>,
}

/// The item, if it is here and is the one that is named.
pub(super) fn same_item(
    item: Option<ItemView>,
    (space, id): (&str, i64),
    differences: &mut Vec<String>,
) -> Option<ItemView> {
    let name = item_name(space, id);
    let Some(item) = item else {
        differences.push(format!("{name} is gone"));
        return None;
    };
    if (item.space.as_str(), item.item_id) != (space, id) {
        differences.push(format!("{name} was replaced by {}", item_name(&item.space, item.item_id)));
        return None;
    }
    Some(item)
}

pub(super) fn modified(space: &str, id: i64) -> String {
    format!("{} was modified: its sha256 does not match", item_name(space, id))
}
