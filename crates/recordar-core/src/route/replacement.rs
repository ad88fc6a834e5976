//! What took the place of an item: the row that an update stored, or the live one with its own id.

use recordar_domain::ItemKind;
use recordar_store::{Error as StoreError, ItemRow, Reading, SpaceId};
use serde::{Deserialize, Serialize};

/// The kind of operation that joins an item with the one it replaced.
pub const UPDATE: &str = "update";
/// An item is followed through so many updates.
const MAX_STEPS: usize = 1000;

/// The result of such an operation.
#[derive(Serialize, Deserialize)]
pub struct Replacement {
    pub item_id: i64,
    pub replaced: i64,
}

/// What the update of a revision did, if that was one.
pub fn replacement_at(
    reading: &mut Reading<'_>,
    space: SpaceId,
    revision: i64,
) -> Result<Option<Replacement>, StoreError> {
    let operation = reading.operation_at(space, revision)?.filter(|operation| operation.kind == UPDATE);
    Ok(operation.and_then(|operation| serde_json::from_str(operation.result.as_deref()?).ok()))
}

/// What a message, fact or summary is at a revision: itself, or the row that took its place. Nothing if it was retired without one.
pub fn live_successor(
    reading: &mut Reading<'_>,
    space: SpaceId,
    row: ItemRow,
    revision: i64,
) -> Result<Option<ItemRow>, StoreError> {
    let is_live = |row: &ItemRow| row.born <= revision && row.retired.is_none_or(|at| at > revision);
    let mut current = row;
    for _ in 0..MAX_STEPS {
        if is_live(&current) {
            return Ok(Some(current));
        }
        if let Some(own_id) = current.own_id.as_deref()
            && let Some(live) = reading.live_by_own_id(space, own_id, revision)?
        {
            return Ok(Some(live));
        }
        let at = current.retired.filter(|at| *at <= revision);
        let made = at.map(|at| replacement_at(reading, space, at)).transpose()?.flatten();
        let Some(made) = made.filter(|made| made.replaced == current.id && made.item_id != current.id) else { break };
        match reading.item(space, made.item_id)?.filter(|next| next.kind != ItemKind::Chunk) {
            Some(next) => current = next,
            None => break,
        }
    }
    Ok(None)
}
