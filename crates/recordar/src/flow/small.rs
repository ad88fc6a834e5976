//! A small chat with an assistant is recalled whole, as far as it fits: what is said in other words than the question's is not found, and may be the
//! answer.

use super::plan::Plan;
use super::recall::measure;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafePassage;
use recordar_core::index::Moment;
use recordar_core::noun::item::ItemView;
use recordar_core::noun::method::ModelProblem;
use recordar_core::noun::passage::Passage;
use recordar_core::noun::rerank::JudgeConfidence;
use recordar_core::recall::{BudgetCovers, CandidateView, ExcerptRule, MAX_SMALL_ID};
use recordar_core::rerank::{FoundAt, TurnsBefore, Within, decide_confidence, rerank_items};
use recordar_core::route::search::shown_at;
use recordar_core::route::{Items, Question};
use recordar_domain::{Action, ItemKind, SpaceName, Stage};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// About what a line has beside its message: the date and the role.
const LINE_TOKENS: usize = 20;
/// More bytes than a token has on average, so that nothing is read closely that cannot fit.
const TOKEN_BYTES: usize = 16;

/// A small chat, as far as it fits.
#[derive(Default)]
pub(super) struct Whole {
    pub(super) passages: Vec<SafePassage>,
    pub(super) stages: Vec<Stage>,
    /// How long the judge took to read the rest, and why it did not.
    pub(super) rerank_ms: f64,
    pub(super) problem: Option<ModelProblem>,
}

/// What the judge said of the rest.
#[derive(Default)]
struct Read {
    stage: Option<Stage>,
    rerank_ms: f64,
    problem: Option<ModelProblem>,
}

/// Adds the messages that the recall left out, as many as fit as a whole, the more relevant first, then the newer. They have the score 0: nothing
/// but the size of the chat speaks for them, and the judge, where there is one, which reads them all.
pub(super) fn add_the_rest(
    memory: &Recordar,
    plan: &Plan<'_>,
    (question, confidence, moments): (&Question, &mut JudgeConfidence, &[Option<Moment>]),
    mut passages: Vec<SafePassage>,
    candidates: &mut Vec<CandidateView>,
) -> Result<Whole, Error> {
    if !is_wanted(plan, (question, confidence), &passages) {
        return Ok(Whole { passages, ..Whole::default() });
    }
    let (mut rest, turns) = left_out(memory, plan, moments, &passages)?;
    rest.truncate(MAX_SMALL_ID as usize);
    let Read { stage: judged, rerank_ms, problem } =
        judge(memory, plan, (moments, turns), (&mut rest, candidates), confidence)?;
    if passages.is_empty() && confidence.says_no() {
        return Ok(Whole { passages, stages: judged.into_iter().collect(), rerank_ms, problem });
    }
    let rest = those_that_may_fit(plan, rest, candidates);
    let (rest, redacted) = plan.guard.passages(rest)?;
    let shown = passages.len();
    let mut beyond = fill_up(memory, plan, &mut passages, rest)?;
    while passages.len() > shown && measure(memory, &plan.settings, &passages)? > plan.settings.max_tokens as usize {
        passages.truncate(passages.len() - 1);
        beyond += 1;
    }
    let mut stage = Stage::new("small_conversation");
    for passage in &passages[shown..] {
        stage.decide(passage.name(), Action::Kept, "fits", "not recalled by itself, but the conversation is small");
        if found(candidates, passage).is_none() {
            let (rank, rerank) = (candidates.len() + 1, passage.rerank.clone());
            candidates.push(CandidateView { rank, rerank, ..CandidateView::not_searched_for(&passage.item, 0.0) });
        }
    }
    if beyond > 0 {
        stage.decide(format!("{beyond} more"), Action::Dropped, "max_tokens", "they do not fit as a whole");
    }
    let stage = (!stage.decisions.is_empty()).then_some(stage);
    let stages = judged.into_iter().chain(redacted).chain(stage).collect();
    Ok(Whole { passages, stages, rerank_ms, problem })
}

/// What the search said of a passage.
fn found<'a>(candidates: &'a [CandidateView], passage: &Passage) -> Option<&'a CandidateView> {
    let (space, id) = (&passage.item.space, passage.item.item_id);
    candidates.iter().find(|known| known.item_id == id && known.space == *space)
}

/// Something was found or there is a judge to say what answers, all of it was said in a chat, and the request does not choose. What people ask about
/// themselves needs nothing that was found.
fn is_wanted(plan: &Plan<'_>, (question, confidence): (&Question, &JudgeConfidence), passages: &[SafePassage]) -> bool {
    let request = plan.request;
    let filters = !request.filter.is_empty() || !request.labels.is_empty() || question.has_phrases();
    let chooses = request.staged || plan.chooses() || filters;
    let is_said = |passage: &SafePassage| {
        passage.stands_for == 0 && passage.item.kind != ItemKind::Chunk && passage.item.speaker.is_none()
    };
    let asks_of_oneself = question.asks_of_oneself() && !confidence.says_no();
    let is_found = !passages.is_empty() || asks_of_oneself || knows_messages(plan);
    plan.settings.excerpts == ExcerptRule::Fill && !chooses && is_found && passages.iter().all(is_said)
}

/// Whether there is a judge that was trained on what people tell of themselves.
fn knows_messages(plan: &Plan<'_>) -> bool {
    plan.reranker.model().is_some_and(|judge| judge.said_confidence().is_some())
}

/// The messages of small spaces that are not shown yet, each text once, the earliest of equal ones; and the turns before them.
fn left_out(
    memory: &Recordar,
    plan: &Plan<'_>,
    moments: &[Option<Moment>],
    shown: &[SafePassage],
) -> Result<(Vec<Passage>, TurnsBefore), Error> {
    let items = messages_of_small(memory, &plan.spaces, moments)?;
    let turns = TurnsBefore::in_order(items.iter().map(|(space, item)| (*space, item)));
    let mut seen: BTreeSet<String> = shown.iter().map(|passage| passage.normalized_hash.clone()).collect();
    let mut rest: Vec<Passage> = items.into_iter().map(|(_, item)| Passage::new(item, 0.0)).collect();
    rest.retain(|passage| seen.insert(passage.normalized_hash.clone()));
    Ok((rest, turns))
}

/// What was said in small spaces by people without a name, in the order of ids, each with the number of its space; nothing if one of the spaces is not
/// small.
pub(super) fn messages_of_small(
    memory: &Recordar,
    spaces: &[SpaceName],
    moments: &[Option<Moment>],
) -> Result<Vec<(usize, ItemView)>, Error> {
    Ok(memory.store.read(|reading| {
        let (mut views, mut items) = (Items::at(spaces, shown_at(moments)), Vec::new());
        for (number, (space, moment)) in spaces.iter().zip(moments).enumerate() {
            let (Some(row), Some(moment)) = (reading.space(space)?, moment) else { continue };
            let revision = moment.shown();
            if reading.born_after_item(row.id, MAX_SMALL_ID)?.is_some_and(|born| born <= revision) {
                return Ok(Vec::new());
            }
            let ids: Vec<i64> = (1..row.next_id.min(MAX_SMALL_ID + 1)).collect();
            for item in reading.items(row.id, &ids)? {
                let is_live = item.born <= revision && item.retired.is_none_or(|retired| retired > revision);
                if item.kind == ItemKind::Message && item.speaker.is_none() && is_live {
                    items.push((number, views.view(reading, (number, row.id), item)?));
                }
            }
        }
        Ok(items)
    })?)
}

/// Has the judge read what it has not read yet. Its best opinion may be about one of these.
fn judge(
    memory: &Recordar,
    plan: &Plan<'_>,
    (moments, turns): (&[Option<Moment>], TurnsBefore),
    (rest, candidates): (&mut [Passage], &[CandidateView]),
    confidence: &mut JudgeConfidence,
) -> Result<Read, Error> {
    for passage in rest.iter_mut() {
        passage.rerank = found(candidates, passage).and_then(|known| known.rerank.clone());
    }
    let Some(judge) = plan.reranker.model().filter(|_| knows_messages(plan)) else { return Ok(Read::default()) };
    let is_unread = |passage: &&mut Passage| passage.rerank.as_ref().is_none_or(|view| !view.judged);
    let mut unread: Vec<&mut Passage> = rest.iter_mut().filter(is_unread).collect();
    if unread.is_empty() {
        return Ok(Read::default());
    }
    let at = FoundAt { spaces: &plan.spaces, revisions: shown_at(moments), turns };
    let scored: Vec<(&ItemView, f64)> = unread.iter().map(|passage| (&passage.item, 0.0)).collect();
    let within = Within { most: scored.len(), min_confidence: plan.settings.min_confidence, cancel: &memory.cancel };
    let reranked = rerank_items(judge, &plan.request.query, (&memory.store, &at), &scored, &within)?;
    if let Some(problem) = reranked.problem {
        return Ok(Read { rerank_ms: reranked.milliseconds, problem: Some(problem), stage: None });
    }
    let mut stage = Stage::new("rerank_the_rest");
    for (place, view) in reranked.order {
        let detail = format!("judge {:.6}", view.judge.unwrap_or_default());
        stage.decide(unread[place].name(), Action::Kept, "judged", detail);
        unread[place].rerank = Some(view);
    }
    let best = [confidence.best, reranked.confidence.best].into_iter().flatten().max_by(f64::total_cmp);
    *confidence = JudgeConfidence::new(best, confidence.least.or(reranked.confidence.least));
    decide_confidence(confidence, &mut stage);
    Ok(Read { stage: Some(stage), rerank_ms: reranked.milliseconds, problem: None })
}

/// The more relevant first, then the newer; no more than can fit.
fn those_that_may_fit(plan: &Plan<'_>, mut rest: Vec<Passage>, candidates: &[CandidateView]) -> Vec<Passage> {
    let opinion = |passage: &Passage| passage.rerank.as_ref().and_then(|view| view.judge);
    let relevance = |passage: &Passage| {
        opinion(passage).or(found(candidates, passage).map(|known| known.score)).unwrap_or_default()
    };
    rest.sort_by(|one, other| {
        let newer = || {
            (Reverse(one.item.occurred_at), one.item.item_id)
                .cmp(&(Reverse(other.item.occurred_at), other.item.item_id))
        };
        relevance(other).total_cmp(&relevance(one)).then_with(newer)
    });
    let mut left = plan.settings.max_tokens as usize * TOKEN_BYTES;
    rest.retain(|passage| {
        let bytes = passage.item.text.len();
        let fits = bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits
    });
    rest
}

/// Adds what has room, by estimate, and returns how many have none.
fn fill_up(
    memory: &Recordar,
    plan: &Plan<'_>,
    passages: &mut Vec<SafePassage>,
    mut rest: Vec<SafePassage>,
) -> Result<usize, Error> {
    for passage in passages.iter_mut().chain(&mut rest) {
        passage.tokens = memory.counter.count(&passage.content());
    }
    let line = if plan.settings.budget_covers == BudgetCovers::Text { LINE_TOKENS } else { 0 };
    let taken = measure(memory, &plan.settings, passages)?;
    let mut left = (plan.settings.max_tokens as usize).saturating_sub(taken);
    let mut beyond = 0;
    for passage in rest {
        let tokens = passage.tokens + line;
        if tokens <= left {
            left -= tokens;
            passages.push(passage);
        } else {
            beyond += 1;
        }
    }
    Ok(beyond)
}
