//! Recalling (E): find the items about a question, choose, clear, cut and compose them into a context, with a reason for every decision.

use super::context::Context;
use super::continued::{fill_and_continue, name_added};
use super::living::mark_unverified;
use super::plan::Plan;
use super::receipt::write_context_receipt;
use super::small::{Whole, add_the_rest};
use super::staged::assemble_staged;
use crate::engine::Recordar;
use recordar_core::answer::Citation;
use recordar_core::assemble::{Room, budget, clip, deduplicate, fill, gate, interleave, of_memories, top_k};
use recordar_core::error::Error;
use recordar_core::fact::{FactsAt, FactsSeen, prefer};
use recordar_core::guard::SafePassage;
use recordar_core::index::Moment;
use recordar_core::judges::{NotReranked, Reranker};
use recordar_core::noun::hit::HitView;
use recordar_core::noun::item::ItemView;
use recordar_core::noun::memory::MemoryEntry;
use recordar_core::noun::passage::Passage;
use recordar_core::noun::rerank::JudgeConfidence;
use recordar_core::noun::spaces::names;
use recordar_core::prompt::{compose, template};
use recordar_core::recall::{
    BudgetCovers, CandidateView, ExcerptRule, RecallMetadata, RecallProblem, RecallRequest, RecallResult,
    RecallSettings, RecallTiming,
};
use recordar_core::rerank::{FoundAt, Reranked, TurnsBefore, Within, rerank_items};
use recordar_core::route::hybrid::HybridRoute;
use recordar_core::route::search::{Hits, best_hits, shown_at, worths};
use recordar_core::route::{Items, Question};
use recordar_core::summary::{Shown, StandBy, stand_in};
use recordar_domain::{Invalid, ItemKind, SpaceName, Timestamp, Trace};
use recordar_store::Error as StoreError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// How often a context is assembled again because something in it was forgotten before its receipt was written.
const RECEIPT_ATTEMPTS: usize = 5;

/// How many of the closest items are named if nothing answers.
const MAX_NEAREST: usize = 3;

/// Recalls a context: conditions, cache, rate limit, context, receipt. If the store is away, the result is empty and says so.
pub(crate) fn recall(memory: &Recordar, spaces: &[SpaceName], request: &RecallRequest) -> Result<RecallResult, Error> {
    let started = Instant::now();
    let plan = Plan::new(memory, spaces, request)?;
    let mut result = match plan.unmet_condition().map_or_else(|| cached_or_new(memory, &plan), Ok) {
        Err(Error::Store(error)) if is_unavailable(&error) => {
            let problem = RecallProblem::store_unavailable(error.to_string(), error.remedy());
            RecallResult { problem: Some(problem), ..plan.empty() }
        }
        recalled => recalled?,
    };
    result.timing.query_time = started.elapsed().as_secs_f64() * 1e3;
    memory.recalls.metrics().count_result(&result);
    count_uses(memory, request, &result);
    Ok(result)
}

/// Counts the memories of a staged recall as used, unless it was only a preview. Nothing is written here.
fn count_uses(memory: &Recordar, request: &RecallRequest, result: &RecallResult) {
    if request.staged && !request.preview && memory.config.enrichment.count_uses {
        let shown = result.memories.iter().map(|entry| &entry.provenance);
        let shown = shown.filter_map(|from| Some((SpaceName::parse(&from.collection).ok()?, from.item_id)));
        memory.uses.count(shown);
    }
}

/// From the cache, or by searching, within the rate limit.
fn cached_or_new(memory: &Recordar, plan: &Plan<'_>) -> Result<RecallResult, Error> {
    let (revisions, embedder) = memory.store.read(|reading| {
        let embedder = reading.embedder_number()?;
        let row = |space: &SpaceName| Ok(reading.space(space)?.map(|row| (row.incarnation, row.revision)));
        Ok((plan.spaces.iter().map(row).collect::<Result<Vec<_>, StoreError>>()?, embedder))
    })?;
    if revisions.iter().all(Option::is_none) {
        let problem = RecallProblem::collection_not_found(&names(&plan.spaces).join(", "));
        return Ok(RecallResult { problem: Some(problem), ..plan.empty() });
    }
    let (key, configured, recalls) = (plan.key(embedder), &memory.config.recall, &memory.recalls);
    let found = recalls.cache().get(&key, &revisions, plan.now);
    let fresh = found.as_ref().filter(|(_, age)| *age < i64::from(configured.cache_seconds) * 1_000_000);
    if let Some((result, _)) = fresh {
        recalls.metrics().cache_hit_rate.take(1.0);
        return Ok(from_cache(result, None));
    }
    if !recalls.rate().allows(&plan.spaces, configured.per_minute, plan.now) {
        let problem = Some(RecallProblem::rate_limited(configured.per_minute));
        let Some((result, _)) = found else { return Ok(RecallResult { problem, ..plan.empty() }) };
        recalls.metrics().cache_hit_rate.take(1.0);
        return Ok(from_cache(&result, problem));
    }
    let Context { result, revisions, duplicate_share, .. } = with_receipt(memory, plan)?;
    recalls.metrics().cache_hit_rate.take(0.0);
    recalls.metrics().dedup_ratio.take(duplicate_share);
    if configured.cache_seconds > 0 && !is_degraded(&result) {
        let bytes = result.size();
        recalls.cache().put(key, revisions, plan.now, bytes, Arc::new(result.clone()));
    }
    Ok(result)
}

/// With a receipt, if requested: a caller who wants receipts never gets a context without one. If data was forgotten between
/// the search and the receipt, the search is repeated.
fn with_receipt(memory: &Recordar, plan: &Plan<'_>) -> Result<Context, Error> {
    for _ in 0..RECEIPT_ATTEMPTS {
        let mut context = if plan.request.staged { assemble_staged(memory, plan)? } else { assemble(memory, plan)? };
        if !plan.wants_receipt || write_context_receipt(memory, plan, &mut context)? {
            return Ok(context);
        }
    }
    Err(forgotten_meanwhile())
}

pub(super) fn forgotten_meanwhile() -> Error {
    let what = "data was deleted while the receipt was being written";
    Error::input("forgotten_meanwhile", what, "try again")
}

/// From a question to a context: search, rank, rerank, gate, deduplicate, choose, interleave, clear, clip, fit, compose.
pub(crate) fn assemble(memory: &Recordar, plan: &Plan<'_>) -> Result<Context, Error> {
    let (settings, search) = (&plan.settings, plan.search());
    let (question, read) = Question::read(&search.query, memory.config.language, plan.asked_at());
    let route = HybridRoute::new((&memory.indexes, &memory.cancel), &plan.spaces, &question, &search);
    let Hits { hits, candidates, moments, stages: found, searched } =
        best_hits(&memory.store, &route, search.limit, memory.config.language)?;
    let turns = TurnsBefore::of(&plan.spaces, &candidates);
    let total_results = hits.len();
    let mut candidates: Vec<CandidateView> = (1..).zip(&hits).map(candidate).collect();
    let looked_up = question.looked_up();
    let mut passages: Vec<Passage> = hits.into_iter().map(|hit| passage(hit, &looked_up)).collect();
    let (mut judged, mut rerank_ms) = (plan.reranker.problem().map(NotReranked::stage), None);
    let (mut confidence, mut rerank_problem) = (JudgeConfidence::default(), None);
    if let Some(judge) = plan.reranker.model() {
        let found = FoundAt { spaces: &plan.spaces, revisions: shown_at(&moments), turns };
        let reranked = rerank_passages(memory, (judge, plan), &found, &mut passages, &mut candidates)?;
        (judged, rerank_ms) = (Some(reranked.stage), Some(reranked.milliseconds));
        (confidence, rerank_problem) = (reranked.confidence, reranked.problem);
    }
    let nearest = nearest(&passages);
    let (passages, gated) = gate(passages, settings.min_score, &confidence);
    let at = asked_about(plan, &question);
    let (stated, summaries) = known_of(memory, plan, (&moments, at), &passages)?;
    let (passages, preferred) = prefer(passages, &stated, (&search.query, settings.top_k as usize));
    let shown = Shown {
        top_k: settings.top_k as usize,
        sentences: settings.clip_sentences as usize,
        max_tokens: settings.max_tokens as usize,
    };
    let (passages, summed_up) = stand_in(passages, summaries, (shown, memory.config.language), &memory.counter);
    let stand_ins = passages.iter().filter(|passage| passage.stands_for > 0);
    candidates.extend(stand_ins.map(|passage| CandidateView::not_searched_for(&passage.item, passage.score)));
    (1..).zip(&mut candidates).for_each(|(rank, candidate)| candidate.rank = rank);
    let before = passages.len();
    let (passages, deduplicated) = deduplicate(passages);
    let duplicates = before - passages.len();
    let (passages, chosen) = top_k(passages, settings.top_k as usize);
    let (mut passages, interleaved) = interleave(passages, settings.interleaving);
    let unverified = mark_unverified(memory, plan, &moments, &mut passages)?;
    let (passages, cleared) = plan.guard.passages(passages)?;
    let Whole { passages, stages: rest_added, rerank_ms: rest_ms, problem: rest_problem } =
        add_the_rest(memory, plan, (&question, &mut confidence, &moments), passages, &mut candidates)?;
    let measure = |passages: &[SafePassage]| measure(memory, settings, passages);
    let sentences = settings.clip_sentences as usize;
    let (max_tokens, counter) = (settings.max_tokens as usize, &memory.counter);
    let room = Room { sentences, max_tokens, counter, language: memory.config.language };
    let (passages, clipped) = match settings.excerpts {
        ExcerptRule::FirstSentences => {
            let (passages, clipped) = clip(passages, sentences);
            (passages, vec![clipped])
        }
        ExcerptRule::MatchingSentences => {
            let (passages, clipped) = fill(passages, &room, &mut question.meaning(), measure)?;
            (passages, vec![clipped])
        }
        ExcerptRule::Fill => {
            let room = (&room, &mut question.meaning());
            fill_and_continue(memory, plan, (&route, &moments), room, passages, measure)?
        }
    };
    name_added(&passages, &mut candidates);
    let (passages, total_tokens, fitted) = budget(passages, settings.max_tokens as usize, &memory.counter, measure)?;
    let text = compose(&template(&passages), &passages)?;
    let memories: Vec<MemoryEntry> = passages.iter().map(|passage| passage.to_entry(settings.search_type)).collect();
    let metadata = RecallMetadata {
        total_results,
        included_results: memories.len(),
        total_tokens,
        text_tokens: memory.counter.count(&text),
        applied_filters: applied_filters(settings),
        config: settings.clone(),
    };
    let chosen = [deduplicated, chosen, interleaved];
    let stages = std::iter::once(read)
        .chain(found)
        .chain(judged)
        .chain([gated])
        .chain(preferred)
        .chain(summed_up)
        .chain(chosen)
        .chain(unverified)
        .chain(cleared)
        .chain(rest_added);
    let trace = Trace { stages: stages.chain(clipped).chain([fitted]).collect() };
    let mut result = RecallResult { memories, metadata, text, candidates, confidence, trace, ..plan.empty() };
    result.timing.rerank_ms = rerank_ms.map(|milliseconds| milliseconds + rest_ms);
    result.rerank_problem = result.rerank_problem.or(rerank_problem).or(rest_problem);
    result.timing.processing_time = searched.elapsed().as_secs_f64() * 1e3;
    let revisions = moments.iter().map(|moment| moment.map(|moment| (moment.incarnation, moment.revision))).collect();
    let duplicate_share = if before == 0 { 0.0 } else { duplicates as f64 / before as f64 };
    Ok(Context { result, passages, revisions, duplicate_share, nearest })
}

/// Where the best passages are from, each document once.
fn nearest(passages: &[Passage]) -> Vec<Citation> {
    let mut seen = BTreeSet::new();
    let is_new = |passage: &&Passage| seen.insert(passage.item.source().map_or_else(|| passage.name(), str::to_owned));
    let of =
        |(number, passage): (usize, &Passage)| Citation::of(number, &passage.item, passage.item.section.as_deref());
    (1..).zip(passages.iter().filter(is_new)).take(MAX_NEAREST).map(of).collect()
}

/// Puts the passages and the candidates into the judge's order, each with its new score.
fn rerank_passages(
    memory: &Recordar,
    (judge, plan): (&Reranker, &Plan<'_>),
    found: &FoundAt<'_>,
    passages: &mut Vec<Passage>,
    candidates: &mut [CandidateView],
) -> Result<Reranked, Error> {
    let scored: Vec<(&ItemView, f64)> = passages.iter().map(|passage| (&passage.item, passage.score)).collect();
    let within = Within { most: scored.len(), min_confidence: plan.settings.min_confidence, cancel: &memory.cancel };
    let reranked = rerank_items(judge, &plan.request.query, (&memory.store, found), &scored, &within)?;
    let mut places = BTreeMap::new();
    for (place, (mut passage, view)) in reranked.arrange(std::mem::take(passages)).into_iter().enumerate() {
        (passage.score, passage.rerank) = (view.score, Some(view.clone()));
        places.insert((passage.item.space.clone(), passage.item.item_id), (place, view));
        passages.push(passage);
    }
    for candidate in &mut *candidates {
        let place = places.get(&(candidate.space.clone(), candidate.item_id));
        let Some((place, view)) = place else { continue };
        (candidate.rank, candidate.score, candidate.rerank) = (place + 1, view.score, Some(view.clone()));
    }
    candidates.sort_by_key(|candidate| candidate.rank);
    Ok(reranked)
}

/// The time that a question is about: the end of the period that it names, or when it is asked.
pub(super) fn asked_about(plan: &Plan<'_>, question: &Question) -> Timestamp {
    let asked_at = plan.asked_at();
    question.period.map_or(asked_at, |(_, to)| to.min(asked_at))
}

/// What the passages state, by space, at the time that is asked about; and the summaries of those that are messages.
fn known_of(
    memory: &Recordar,
    plan: &Plan<'_>,
    (moments, at): (&[Option<Moment>], Timestamp),
    passages: &[Passage],
) -> Result<(BTreeMap<String, FactsSeen>, Vec<StandBy>), Error> {
    Ok(memory.store.read(|reading| {
        let (mut stated, mut summaries) = (BTreeMap::new(), Vec::new());
        let mut views = Items::at(&plan.spaces, shown_at(moments));
        for (number, (space, moment)) in plan.spaces.iter().zip(moments).enumerate() {
            let items = passages.iter().map(|passage| &passage.item).filter(|item| item.space == space.as_str());
            let items: Vec<&ItemView> = items.collect();
            let (Some(moment), false) = (moment, items.is_empty()) else { continue };
            let Some(row) = reading.space(space)? else { continue };
            if reading.has_facts(row.id)? {
                let at = FactsAt { space: row.id, revision: moment.shown(), at, now: plan.asked_at() };
                let ids: Vec<i64> = items.iter().map(|item| item.item_id).collect();
                stated.insert(space.to_string(), FactsSeen::of(reading, at, &ids)?);
            }
            // A summary may have messages that a filter leaves out.
            if !plan.request.filter.is_empty() || !plan.request.labels.is_empty() {
                continue;
            }
            let messages = items.iter().filter(|item| item.kind == ItemKind::Message && item.thread.is_some());
            let messages: Vec<i64> = messages.map(|item| item.item_id).collect();
            for (id, messages) in reading.summaries_made(row.id, &messages, moment.shown())? {
                summaries.extend(views.get(reading, number, id)?.map(|item| StandBy { item, messages }));
            }
        }
        Ok((stated, summaries))
    })?)
}

/// Whether the caller's embedder or the configured reranker was missed. It may be back a moment later, so such a result is not for the cache.
fn is_degraded(result: &RecallResult) -> bool {
    let decisions = result.trace.stages.iter().flat_map(|stage| &stage.decisions);
    let is_by_words = |reason: &str| ["words_only", "unembedded"].contains(&reason);
    result.rerank_problem.is_some() || decisions.into_iter().any(|decision| is_by_words(decision.reason.as_ref()))
}

/// The tokens of passages that count against the budget.
pub(crate) fn measure(
    memory: &Recordar,
    settings: &RecallSettings,
    passages: &[SafePassage],
) -> Result<usize, Invalid> {
    match settings.budget_covers {
        BudgetCovers::Text => Ok(memory.counter.count(&compose(&template(passages), passages)?)),
        BudgetCovers::Memories => of_memories(passages),
    }
}

fn from_cache(result: &RecallResult, problem: Option<RecallProblem>) -> RecallResult {
    let timing = RecallTiming { cached: true, ..RecallTiming::default() };
    RecallResult { problem, timing, ..result.clone() }
}

fn passage(hit: HitView, looked_up: &BTreeMap<&str, String>) -> Passage {
    let words = worths(looked_up, &hit.words);
    Passage { words, ..Passage::new(hit.item, hit.score) }
}

fn candidate((rank, hit): (usize, &HitView)) -> CandidateView {
    CandidateView {
        space: hit.item.space.clone(),
        item_id: hit.item.item_id,
        rank,
        score: hit.score,
        parts: hit.parts.clone(),
        words: hit.words.clone(),
        cosine: hit.cosine,
        rerank: None,
        staged: None,
    }
}

fn applied_filters(settings: &RecallSettings) -> Vec<&'static str> {
    let all = [
        ("score_threshold", settings.min_score > 0.0),
        ("deduplication", true),
        ("interleaving", true),
        ("redaction", settings.enable_redaction),
        ("clipping", true),
        ("token_budget", true),
    ];
    all.into_iter().filter(|(_, applied)| *applied).map(|(name, _)| name).collect()
}

/// Whether the database is temporarily unavailable, rather than broken.
pub(super) fn is_unavailable(error: &StoreError) -> bool {
    use StoreError::{Busy, Connect, Contended, Denied, Full, Lost, NoDatabase, ReadOnly};
    // A conversation may recall before anything was ever stored.
    let is_missing = matches!(error, NoDatabase { .. });
    let is_refused = matches!(error, Connect { .. } | Denied { .. } | Full { .. } | ReadOnly { .. });
    is_missing || is_refused || matches!(error, Busy { .. } | Contended { .. } | Lost { .. })
}
