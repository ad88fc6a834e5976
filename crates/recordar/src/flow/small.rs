//! A small chat with an assistant is recalled whole, as far as it fits: what is said in other words than the question's is not found, and may be the
//! answer.

use super::plan::Plan;
use super::recall::measure;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafePassage;
use recordar_core::index::Moment;
use recordar_core::noun::item::ItemView;
use recordar_core::noun::passage::Passage;
use recordar_core::recall::{CandidateView, ExcerptRule, MAX_SMALL_ID};
use recordar_core::route::search::shown_at;
use recordar_core::route::{Items, Question};
use recordar_domain::{Action, Invalid, ItemKind, Stage};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Adds the messages that the recall left out, as many as fit as a whole: the more relevant first, then the newer. One that is below `min_score` has the
/// score 0.
pub(super) fn add_the_rest(
    memory: &Recordar,
    plan: &Plan<'_>,
    (question, moments): (&Question, &[Option<Moment>]),
    mut passages: Vec<SafePassage>,
    candidates: &mut Vec<CandidateView>,
) -> Result<(Vec<SafePassage>, Option<Stage>), Error> {
    if !is_wanted(plan, question, &passages) {
        return Ok((passages, None));
    }
    let rest = left_out(memory, plan, moments, &passages, candidates)?;
    if rest.is_empty() {
        return Ok((passages, None));
    }
    let shown = passages.len();
    passages.extend(plan.guard.passages(rest)?.0);
    passages.iter_mut().for_each(|passage| passage.tokens = memory.counter.count(&passage.content()));
    let fitting = shown + fitting(memory, plan, (&passages, shown))?;
    let mut stage = Stage::new("small_conversation");
    for (at, passage) in passages.iter().enumerate().skip(shown) {
        if at < fitting {
            stage.decide(passage.name(), Action::Kept, "fits", "not recalled by itself, but the conversation is small");
        } else {
            stage.decide(passage.name(), Action::Dropped, "max_tokens", "it does not fit as a whole");
        }
    }
    passages.truncate(fitting);
    for passage in &passages[shown..] {
        let (space, id) = (&passage.item.space, passage.item.item_id);
        if !candidates.iter().any(|known| known.item_id == id && known.space == *space) {
            let rank = candidates.len() + 1;
            candidates.push(CandidateView { rank, ..CandidateView::not_searched_for(&passage.item, passage.score) });
        }
    }
    Ok((passages, Some(stage)))
}

/// Something was found, all of it was said in a chat, and the request does not choose. A question about oneself needs nothing that was found.
fn is_wanted(plan: &Plan<'_>, question: &Question, passages: &[SafePassage]) -> bool {
    let request = plan.request;
    let filters = !request.filter.is_empty() || !request.labels.is_empty() || question.has_phrases();
    let chooses = request.staged || plan.chooses() || filters;
    let is_said = |passage: &SafePassage| {
        passage.stands_for == 0 && passage.item.kind != ItemKind::Chunk && passage.item.speaker.is_none()
    };
    let is_found = !passages.is_empty() || question.is_first_person;
    plan.settings.excerpts == ExcerptRule::Fill && !chooses && is_found && passages.iter().all(is_said)
}

/// The messages of small spaces that are not shown yet, each text once.
fn left_out(
    memory: &Recordar,
    plan: &Plan<'_>,
    moments: &[Option<Moment>],
    shown: &[SafePassage],
    candidates: &[CandidateView],
) -> Result<Vec<Passage>, Error> {
    let items = memory.store.read(|reading| {
        let (mut views, mut items) = (Items::at(&plan.spaces, shown_at(moments)), Vec::new());
        for (number, (space, moment)) in plan.spaces.iter().zip(moments).enumerate() {
            let (Some(row), Some(moment)) = (reading.space(space)?, moment) else { continue };
            let revision = moment.shown();
            if reading.born_after_item(row.id, MAX_SMALL_ID)?.is_some_and(|born| born <= revision) {
                return Ok(Vec::new());
            }
            let ids: Vec<i64> = (1..row.next_id.min(MAX_SMALL_ID + 1)).collect();
            for item in reading.items(row.id, &ids)? {
                let is_live = item.born <= revision && item.retired.is_none_or(|retired| retired > revision);
                if item.kind == ItemKind::Message && item.speaker.is_none() && is_live {
                    items.push(views.view(reading, (number, row.id), item)?);
                }
            }
        }
        Ok(items)
    })?;
    let score = |item: &ItemView| {
        let same = |known: &&CandidateView| known.item_id == item.item_id && known.space == item.space;
        candidates.iter().find(same).map_or(0.0, |known| known.score)
    };
    let mut rest: Vec<Passage> =
        items.into_iter().map(|item| (score(&item), item)).map(|(score, item)| Passage::new(item, score)).collect();
    rest.sort_by(|one, other| {
        let newer = || Reverse(one.item.occurred_at).cmp(&Reverse(other.item.occurred_at));
        other.score.total_cmp(&one.score).then_with(newer).then(other.item.item_id.cmp(&one.item.item_id))
    });
    let mut seen: BTreeSet<String> = shown.iter().map(|passage| passage.normalized_hash.clone()).collect();
    rest.retain(|passage| seen.insert(passage.normalized_hash.clone()));
    for passage in &mut rest {
        if passage.score.total_cmp(&plan.settings.min_score).is_lt() {
            passage.score = 0.0;
        }
    }
    Ok(rest)
}

/// How many of the passages behind the shown ones fit, if all are shown whole.
fn fitting(memory: &Recordar, plan: &Plan<'_>, (passages, shown): (&[SafePassage], usize)) -> Result<usize, Invalid> {
    let fits = |rest: usize| -> Result<bool, Invalid> {
        Ok(measure(memory, &plan.settings, &passages[..shown + rest])? <= plan.settings.max_tokens as usize)
    };
    let (mut fitting, mut too_many) = (0, passages.len() - shown + 1);
    while fitting + 1 < too_many {
        let middle = fitting.midpoint(too_many);
        if fits(middle)? {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    Ok(fitting)
}
