//! Where a sentence, a list, a table or code runs on behind a chunk that is shown, the beginning of the next chunk is shown as well, if there is room.

use super::plan::Plan;
use crate::engine::Recordar;
use recordar_core::assemble::{Meaning, Neighbour, Room, continued, fill, open_ended, reserved};
use recordar_core::error::Error;
use recordar_core::guard::SafePassage;
use recordar_core::index::Moment;
use recordar_core::noun::item::ItemView;
use recordar_core::noun::passage::{Passage, Span};
use recordar_core::recall::CandidateView;
use recordar_core::route::Items;
use recordar_core::route::hybrid::HybridRoute;
use recordar_core::route::search::shown_at;
use recordar_domain::{Invalid, ItemKind, Stage};

/// A chunk that is shown, and the id of the next of its document.
struct Pair {
    space: usize,
    shown: i64,
    next: i64,
}

/// A pair with the text of the next, and how many bytes of it repeat the shown one.
struct Read {
    pair: Pair,
    passage: Passage,
    overlap: usize,
}

/// Fills the budget with excerpts, and with what runs on from them. Nothing is read unless something may.
pub(super) fn fill_and_continue(
    memory: &Recordar,
    plan: &Plan<'_>,
    (route, moments): (&HybridRoute<'_>, &[Option<Moment>]),
    (room, meaning): (&Room<'_>, &mut Meaning),
    passages: Vec<SafePassage>,
    measure: impl Fn(&[SafePassage]) -> Result<usize, Invalid> + Copy,
) -> Result<(Vec<SafePassage>, Vec<Stage>), Error> {
    let whole: Vec<Span> = passages.iter().map(|passage| passage.span).collect();
    let (mut passages, mut clipped) = fill(passages, room, meaning, measure)?;
    let pairs = next_chunks(memory, plan, (route, moments), &passages)?;
    if pairs.is_empty() {
        return Ok((passages, vec![clipped]));
    }
    let (neighbours, cleared) = cleared(plan, read(memory, plan, moments, pairs, &passages)?, &passages)?;
    if let Some((at, tokens)) = reserved(&passages, &neighbours, room, measure)? {
        let less = Room { max_tokens: room.max_tokens - tokens, ..*room };
        (passages, clipped) = fill(shown_whole(passages, &whole), &less, meaning, measure)?;
        // With less room it may not be shown to its end: then nothing runs on from it, and the room is for all again.
        if passages[at].span.is_cut {
            (passages, clipped) = fill(shown_whole(passages, &whole), room, meaning, measure)?;
        }
    }
    let (passages, stage) = continued(passages, neighbours, room, measure)?;
    Ok((passages, std::iter::once(clipped).chain(cleared).chain(stage).collect()))
}

/// As they were before they were cut to what fits.
fn shown_whole(mut passages: Vec<SafePassage>, whole: &[Span]) -> Vec<SafePassage> {
    passages.iter_mut().zip(whole).for_each(|(passage, span)| passage.show(*span));
    passages
}

/// What the search did not find is among the candidates, too: by them `forget` finds the receipts that show it.
pub(super) fn name_added(passages: &[SafePassage], candidates: &mut Vec<CandidateView>) {
    for passage in passages.iter().filter(|passage| passage.item.kind == ItemKind::Chunk) {
        let is_it = |known: &CandidateView| known.item_id == passage.item.item_id && known.space == passage.item.space;
        if !candidates.iter().any(is_it) {
            let rank = candidates.len() + 1;
            candidates.push(CandidateView { rank, ..CandidateView::not_searched_for(&passage.item, passage.score) });
        }
    }
}

/// The chunks behind those that something may run on from, the best first, unless they are shown already or the filter excludes them.
fn next_chunks(
    memory: &Recordar,
    plan: &Plan<'_>,
    (route, moments): (&HybridRoute<'_>, &[Option<Moment>]),
    passages: &[SafePassage],
) -> Result<Vec<Pair>, Error> {
    let open = open_ended(passages);
    let is_shown =
        |space: &str, id: i64| passages.iter().any(|shown| shown.item.item_id == id && shown.item.space == space);
    let mut found = Vec::new();
    for (space, (name, moment)) in plan.spaces.iter().zip(moments).enumerate() {
        let own = (0..).zip(&open).filter(|(_, passage)| passage.item.space == name.as_str());
        let ids: Vec<(usize, i64)> = own.map(|(order, passage)| (order, passage.item.item_id)).collect();
        let (Some(moment), false) = (moment, ids.is_empty()) else { continue };
        let next = memory.indexes.with(name, plan.request.as_of, &memory.cancel, |index, now| {
            let at = u32::try_from(moment.shown()).ok().filter(|_| now.incarnation == moment.incarnation)?;
            let next = |id: i64| index.behind(u32::try_from(id).ok()?, at);
            Some(ids.iter().filter_map(|(order, id)| Some((*order, *id, next(*id)?))).collect::<Vec<_>>())
        })?;
        for (order, shown, next) in next.flatten().unwrap_or_default() {
            if !is_shown(name.as_str(), next.into()) && route.failed(name, next)?.is_empty() {
                found.push((order, Pair { space, shown, next: next.into() }));
            }
        }
    }
    found.sort_by_key(|(order, _)| *order);
    Ok(found.into_iter().map(|(_, pair)| pair).collect())
}

/// Reads all of them at once. What repeats a passage is left out.
fn read(
    memory: &Recordar,
    plan: &Plan<'_>,
    moments: &[Option<Moment>],
    pairs: Vec<Pair>,
    passages: &[SafePassage],
) -> Result<Vec<Read>, Error> {
    let rows = memory.store.read(|reading| {
        let (mut views, mut rows) = (Items::at(&plan.spaces, shown_at(moments)), Vec::new());
        for (space, (name, moment)) in plan.spaces.iter().zip(moments).enumerate() {
            let ids: Vec<i64> = pairs.iter().filter(|pair| pair.space == space).map(|pair| pair.next).collect();
            let (Some(moment), false) = (moment, ids.is_empty()) else { continue };
            let Some(row) = reading.space(name)?.filter(|row| row.incarnation == moment.incarnation) else { continue };
            let revision = moment.shown();
            for item in reading.items(row.id, &ids)? {
                let is_live = item.born <= revision && item.retired.is_none_or(|retired| retired > revision);
                // Behind a chunk that was forgotten, nothing goes on.
                let version = item.version_id.map(|id| reading.version(row.id, id)).transpose()?.flatten();
                let is_whole = version.is_some_and(|version| version.forgotten == 0);
                if item.kind == ItemKind::Chunk && is_live && is_whole {
                    let overlap = item.overlap;
                    rows.push((space, overlap, views.view(reading, (space, row.id), item)?));
                }
            }
        }
        Ok(rows)
    })?;
    let mut found = Vec::new();
    for pair in pairs {
        let is_it = |(space, _, item): &&(usize, usize, ItemView)| *space == pair.space && item.item_id == pair.next;
        let Some((_, overlap, item)) = rows.iter().find(is_it) else { continue };
        let passage = Passage::new(item.clone(), 0.0);
        if !passages.iter().any(|shown| shown.normalized_hash == passage.normalized_hash) {
            found.push(Read { pair, passage, overlap: *overlap });
        }
    }
    Ok(found)
}

/// Clears them. A secret may stand in both chunks, and is seen only where these are put together: then nothing is added.
fn cleared(
    plan: &Plan<'_>,
    read: Vec<Read>,
    passages: &[SafePassage],
) -> Result<(Vec<Neighbour>, Option<Stage>), Error> {
    let (mut known, mut next) = (Vec::with_capacity(read.len()), Vec::with_capacity(read.len()));
    for Read { pair, passage, overlap } in read {
        known.push((pair, overlap, passage.item.text.clone()));
        next.push(passage);
    }
    let (next, stage) = plan.guard.passages(next)?;
    let mut neighbours = Vec::new();
    for (passage, (Pair { space, shown, .. }, overlap, text)) in next.into_iter().zip(known) {
        let space = plan.spaces[space].to_string();
        let is_it = |before: &&SafePassage| before.item.item_id == shown && before.item.space == space;
        let Some(before) = passages.iter().find(is_it) else { continue };
        let Some((repeated, rest)) = text.split_at_checked(overlap) else { continue };
        let own = match plan.guard.redacts() {
            false => overlap,
            true => {
                let repeated = plan.guard.text(repeated)?;
                let joined = plan.guard.text(&format!("{}{rest}", before.source().text))?;
                let apart = passage.item.text.strip_prefix(repeated.as_str());
                if apart.is_none_or(|own| joined.as_str() != format!("{}{own}", before.item.text)) {
                    continue;
                }
                repeated.as_str().len()
            }
        };
        neighbours.push(Neighbour { behind: (space, shown), passage, own });
    }
    Ok((neighbours, stage.filter(|stage| !stage.decisions.is_empty())))
}
