//! A staged recall (D3–D6): the question is read in the terms of the vocabulary, three stages find memories by their labels, and a context of three
//! sections is composed.

use super::context::Context;
use super::living::mark_unverified;
use super::plan::Plan;
use crate::engine::Recordar;
use recordar_core::assemble::{budget, clip_characters, deduplicate_by_beginning, relevance, sections};
use recordar_core::config::WhenAway;
use recordar_core::error::Error;
use recordar_core::guard::{SafePassage, SafeText};
use recordar_core::index::Moment;
use recordar_core::noun::memory::MemoryEntry;
use recordar_core::noun::passage::Passage;
use recordar_core::noun::staged::{StageSource, StagedEvidence, StagedPlace, StagedReport};
use recordar_core::prompt::{compose_staged, staged_template};
use recordar_core::reason::{AnalyseTask, Done, Reasoner};
use recordar_core::recall::{CandidateView, RecallMetadata, RecallResult};
use recordar_core::route::filter::Limited;
use recordar_core::route::stages::{Found, StagesRoute};
use recordar_domain::{Action, Intent, Stage, Trace};
use recordar_index::Evidence;
use recordar_llm::CallReport;
use std::time::Instant;

/// From a question to a staged context.
pub(crate) fn assemble_staged(memory: &Recordar, plan: &Plan<'_>) -> Result<Context, Error> {
    let (read, responses) = read_question(memory, plan)?;
    let Done { reply: intent, method, problem: model_problem, stage: analysed } = read;
    let route = StagesRoute {
        indexes: &memory.indexes,
        store: &memory.store,
        cancel: &memory.cancel,
        spaces: &plan.spaces,
        thread: plan.request.session_id.as_deref(),
        intent: &intent,
        limited: Limited::new(&plan.request.labels, &plan.request.filter),
        asked_at: plan.asked_at(),
        as_of: plan.request.as_of,
    };
    let (found, moments, uses_at, stages) = route.find()?;
    let started = Instant::now();
    let (scored, rated) = score(found, plan, &intent);
    let total_results = scored.len();
    let candidates: Vec<CandidateView> = (1..).zip(&scored).map(candidate).collect();
    let mut passages: Vec<Passage> = scored.into_iter().map(|(passage, _)| passage).collect();
    let unverified = mark_unverified(memory, plan, &moments, &mut passages)?;
    let Composed { passages, total_tokens, text, duplicate_share, stages: composed } =
        put_together(memory, plan, passages)?;
    let search_type = plan.settings.search_type;
    let memories: Vec<MemoryEntry> = passages.iter().map(|passage| passage.to_entry(search_type)).collect();
    let metadata = RecallMetadata {
        total_results,
        included_results: memories.len(),
        total_tokens,
        text_tokens: memory.counter.count(&text),
        applied_filters: applied_filters(plan),
        config: plan.settings.clone(),
    };
    let stages = std::iter::once(analysed).chain(stages).chain([rated]).chain(unverified).chain(composed);
    let trace = Trace { stages: stages.collect() };
    let staged = Some(StagedReport { intent, method, model_problem, responses, uses_at });
    let mut result = RecallResult { memories, metadata, text, candidates, staged, trace, ..plan.empty() };
    result.timing.processing_time = started.elapsed().as_secs_f64() * 1e3;
    let revision = |moment: Moment| (moment.incarnation, moment.revision);
    let revisions = moments.iter().map(|moment| moment.map(revision)).collect();
    Ok(Context { result, passages, revisions, duplicate_share, nearest: Vec::new() })
}

/// A composed context, with its decisions.
pub(crate) struct Composed {
    passages: Vec<SafePassage>,
    total_tokens: usize,
    pub(crate) text: String,
    duplicate_share: f64,
    stages: Vec<Stage>,
}

/// From scored passages to a text: deduplicate, sections, clear, clip, fit, compose.
pub(crate) fn put_together(memory: &Recordar, plan: &Plan<'_>, passages: Vec<Passage>) -> Result<Composed, Error> {
    let before = passages.len();
    let (passages, deduplicated) = deduplicate_by_beginning(passages);
    let duplicates = before - passages.len();
    let (passages, placed) = sections(passages);
    let (passages, cleared) = plan.guard.passages(passages)?;
    let (passages, clipped) = clip_characters(passages);
    // Headings and titles count, too.
    let text_of = |passages: &[SafePassage]| compose_staged(&staged_template(passages), passages);
    let (passages, total_tokens, fitted) =
        budget(passages, plan.settings.max_tokens as usize, &memory.counter, |passages| {
            Ok(memory.counter.count(&text_of(passages)?))
        })?;
    let text = text_of(&passages)?;
    let duplicate_share = if before == 0 { 0.0 } else { duplicates as f64 / before as f64 };
    let stages = [deduplicated, placed].into_iter().chain(cleared).chain([clipped, fitted]).collect();
    Ok(Composed { passages, total_tokens, text, duplicate_share, stages })
}

/// Reads the question in the terms of the current vocabulary, by the model or built in. Returns the calls, too.
pub(crate) fn read_question(memory: &Recordar, plan: &Plan<'_>) -> Result<(Done<Intent>, Vec<CallReport>), Error> {
    let vocabulary = memory.vocabulary.get(&memory.store)?;
    let query = SafeText::given(plan.request.query.as_str());
    let thread_context = plan.request.thread_context.as_deref().map(SafeText::given);
    let task = AnalyseTask {
        vocabulary: &vocabulary,
        query: &query,
        thread_context: thread_context.as_ref(),
        language: memory.config.language,
        most_output_tokens: memory.reasoning.max_output_tokens(),
    };
    let operation = memory.reasoning.operation();
    // A conversation goes on without the model: the built-in method reads the question then.
    let reasoner = Reasoner { when_away: WhenAway::BuiltIn, ..memory.reasoning.reasoner(&operation) };
    let done = reasoner.perform(&task)?;
    Ok((done, operation.calls()))
}

pub(crate) type Scored = (Passage, StagedEvidence);

/// Scores what the stages found: best first, and of equal ones the older.
pub(crate) fn score(found: Vec<Found>, plan: &Plan<'_>, intent: &Intent) -> (Vec<Scored>, Stage) {
    let mut stage = Stage::new("relevance");
    let mut scored: Vec<Scored> = Vec::with_capacity(found.len());
    for Found { hit, source, item, thread_title } in found {
        let evidence = relevance(&hit, source, intent, plan.asked_at());
        let is_preference = source == StageSource::Expansion && hit.is_preference;
        let mut passage = Passage::new(item, evidence.score / 100.0);
        passage.place = Some(StagedPlace { source, thread_title, is_preference });
        scored.push((passage, evidence));
    }
    scored.sort_by(|(one, rated), (other, next)| {
        let order = next.score.total_cmp(&rated.score);
        let order = order.then(one.item.occurred_at.cmp(&other.item.occurred_at));
        order.then(one.item.space.cmp(&other.item.space)).then(one.item.item_id.cmp(&other.item.item_id))
    });
    for (passage, evidence) in &scored {
        let StagedEvidence { topics, entities, recency, importance, source_boost, tier_boost, score, .. } = evidence;
        let detail = format!(
            "{score:.2}: topics {topics:.2}, entities {entities:.2}, recency {recency:.2}, importance {importance:.2}, \
             times {source_boost} ({}) and {tier_boost} (tier)",
            evidence.source.name()
        );
        stage.decide(passage.name(), Action::Kept, "score", detail);
    }
    (scored, stage)
}

fn candidate((rank, (passage, evidence)): (usize, &Scored)) -> CandidateView {
    CandidateView {
        space: passage.item.space.clone(),
        item_id: passage.item.item_id,
        rank,
        score: passage.score,
        parts: Evidence::default(),
        words: Vec::new(),
        cosine: 0.0,
        rerank: None,
        staged: Some(evidence.clone()),
    }
}

fn applied_filters(plan: &Plan<'_>) -> Vec<&'static str> {
    let all = [
        ("labels", true),
        ("deduplication", true),
        ("redaction", plan.settings.enable_redaction),
        ("clipping", true),
        ("token_budget", true),
    ];
    all.into_iter().filter(|(_, applied)| *applied).map(|(name, _)| name).collect()
}
