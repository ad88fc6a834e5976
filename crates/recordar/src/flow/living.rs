//! What a recall says beside facts and summaries whose source changed, or that are to be looked at again.

use super::plan::Plan;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::fact::{FactsAt, living};
use recordar_core::index::Moment;
use recordar_core::noun::passage::Passage;
use recordar_domain::{Action, ItemKind, Stage};

/// Marks the passages that are unverified facts and summaries. There is a stage only if there are any.
pub(super) fn mark_unverified(
    memory: &Recordar,
    plan: &Plan<'_>,
    moments: &[Option<Moment>],
    passages: &mut [Passage],
) -> Result<Option<Stage>, Error> {
    let rests = |passage: &&mut Passage| matches!(passage.item.kind, ItemKind::Fact | ItemKind::Summary);
    let mut resting: Vec<&mut Passage> = passages.iter_mut().filter(rests).collect();
    if resting.is_empty() {
        return Ok(None);
    }
    let mut stage = Stage::new("unverified");
    for (space, moment) in plan.spaces.iter().zip(moments) {
        let Some(moment) = moment else { continue };
        let of_space = resting.iter().filter(|passage| passage.item.space == space.as_str());
        let ids: Vec<i64> = of_space.map(|passage| passage.item.item_id).collect();
        if ids.is_empty() {
            continue;
        }
        let now = plan.asked_at();
        let found = memory.store.read(|reading| match reading.space(space)? {
            Some(row) => living(reading, FactsAt { space: row.id, revision: moment.shown(), at: now, now }, &ids),
            None => Ok(Default::default()),
        })?;
        for passage in resting.iter_mut().filter(|passage| passage.item.space == space.as_str()) {
            let why = found.get(&passage.item.item_id).and_then(|living| living.unverified);
            passage.unverified = why;
            if let Some(why) = why {
                stage.decide(passage.name(), Action::Kept, why.name(), why.words());
            }
        }
    }
    Ok((!stage.decisions.is_empty()).then_some(stage))
}
