//! Recalling (E): find the items about a question, choose, clip and compose them into a context, with a reason for every decision.

use super::options::{RecallOptions, names};
use super::search::SearchRequest;
use crate::assemble::{Redactor, template};
use crate::assemble::{budget, clip, compose, deduplicate, gate, interleave, redact, top_k};
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::hit::{HitView, WordView};
use crate::noun::limits::MAX_QUERY_BYTES;
use crate::noun::memory::MemoryEntry;
use crate::noun::passage::Passage;
use crate::policy::{Authority, Key, RecallMetrics, RecallOverrides, RecallProblem, RecallSettings};
use crate::route::Question;
use crate::route::hybrid::FoundItems;
use crate::verb::answer_receipt::AnswerReceipt;
use crate::verb::search::{asked_at, cut, different};
use recordar_domain::{Action, Hasher, Invalid, SpaceName, Stage, Timestamp, Trace, check_text};
use recordar_index::Evidence;
use recordar_store::Error as StoreError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Debug, Clone, PartialEq)]
pub struct RecallRequest {
    pub query: String,
    /// If false, nothing is searched.
    pub use_memory: bool,
    /// The calling conversation. If given, it must be a valid name.
    pub session_id: Option<String>,
    /// Settings that differ from the configured ones.
    pub settings: RecallOverrides,
    pub authority: Authority,
    /// Time of the question, for "last week" and the like; by default `as_of`, or now.
    pub asked_at: Option<Timestamp>,
    /// Recall from the state at that time, ranked as it was then.
    pub as_of: Option<Timestamp>,
    /// Whether to keep a receipt; as configured by default.
    pub receipt: Option<bool>,
}

impl RecallRequest {
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            use_memory: true,
            session_id: None,
            settings: RecallOverrides::default(),
            authority: Authority::User,
            asked_at: None,
            as_of: None,
            receipt: None,
        }
    }
}

/// A recalled context: the payload of the policy, the text for a system prompt, and the reasons behind them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecallResult {
    pub query: String,
    pub spaces: Vec<String>,
    pub memories: Vec<MemoryEntry>,
    pub metadata: RecallMetadata,
    /// For a system prompt; empty if there are no memories.
    pub text: String,
    /// The candidates, best first, with the parts of each score.
    pub candidates: Vec<CandidateView>,
    /// The condition that prevented a search: `use_memory` or `session_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    /// Why memories could not be recalled, and how that was handled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<RecallProblem>,
    /// The receipt's id, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub trace: Trace,
    /// Measured, so it differs between calls.
    pub timing: RecallTiming,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecallMetadata {
    /// Before filtering.
    pub total_results: usize,
    /// After filtering.
    pub included_results: usize,
    /// Tokens of the memories' contents.
    pub total_tokens: usize,
    /// Tokens of the whole text, including headings and names.
    pub text_tokens: usize,
    pub applied_filters: Vec<&'static str>,
    pub config: RecallSettings,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct RecallTiming {
    /// Total time in milliseconds.
    pub query_time: f64,
    /// Everything after the search: loading, choosing, clipping, composing.
    pub processing_time: f64,
    pub cached: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CandidateView {
    pub space: String,
    pub item_id: i64,
    pub rank: usize,
    pub score: f64,
    pub parts: Evidence,
    pub words: Vec<WordView>,
    pub cosine: f64,
}

/// A recall, ready to search.
pub(crate) struct Plan<'a> {
    pub(crate) spaces: Vec<SpaceName>,
    pub(crate) request: &'a RecallRequest,
    pub(crate) settings: RecallSettings,
    pub(crate) redactor: Option<Arc<Redactor>>,
    pub(crate) keeps_receipt: bool,
    pub(crate) now: Timestamp,
}

/// An assembled context, before its receipt is written.
pub(crate) struct Assembled {
    pub(crate) result: RecallResult,
    pub(crate) passages: Vec<Passage>,
    /// The incarnation and revision of each space.
    pub(crate) revisions: Vec<Option<(i64, i64)>>,
    /// The answer made from it, if a question was asked.
    pub(crate) answer: Option<AnswerReceipt>,
    duplicate_share: f64,
}

impl Recordar {
    /// Recalls stored items about a question from one or more spaces, as a context within a token budget.
    ///
    /// An invalid request is an error. If memories cannot be recalled, the result is empty or comes from the cache,
    /// and its `problem` says why: a conversation goes on without them.
    pub fn recall(&self, spaces: &[SpaceName], request: &RecallRequest) -> Result<RecallResult, Error> {
        if self.hides() {
            return self.showing(|memory| memory.recall(spaces, request));
        }
        let started = Instant::now();
        let plan = self.plan(spaces, request)?;
        let mut result = match self.unmet(&plan) {
            Some(result) => result,
            None => self.recall_or_fall_back(&plan)?,
        };
        result.timing.query_time = started.elapsed().as_secs_f64() * 1e3;
        let mut metrics = lock(&self.recalls.metrics);
        metrics.latency_ms.take(result.timing.query_time);
        metrics.results_count.take(result.memories.len() as f64);
        metrics.tokens_used.take(result.metadata.total_tokens as f64);
        Ok(result)
    }

    /// Metrics of recalls since this process started.
    pub fn recall_metrics(&self) -> RecallMetrics {
        *lock(&self.recalls.metrics)
    }

    pub(crate) fn plan<'a>(&self, spaces: &[SpaceName], request: &'a RecallRequest) -> Result<Plan<'a>, Error> {
        let configured = &self.config.recall;
        let settings = configured.settings.with(&request.settings, request.authority)?;
        let redactor = settings.enable_redaction.then(|| self.redactor(&settings)).transpose()?;
        Ok(Plan {
            spaces: different(spaces)?,
            request,
            settings,
            redactor,
            keeps_receipt: request.receipt.unwrap_or(self.config.receipts),
            now: (self.clock)(),
        })
    }

    /// The redactor for everything that is shown, if redaction is configured.
    pub(crate) fn configured_redactor(&self) -> Result<Option<Arc<Redactor>>, Invalid> {
        let settings = &self.config.recall.settings;
        settings.enable_redaction.then(|| self.redactor(settings)).transpose()
    }

    fn redactor(&self, settings: &RecallSettings) -> Result<Arc<Redactor>, Invalid> {
        let patterns = &settings.custom_redaction_patterns;
        if *patterns != self.config.recall.settings.custom_redaction_patterns {
            return Redactor::new(patterns).map(Arc::new);
        }
        if let Some(ready) = self.recalls.redactor.get() {
            return Ok(Arc::clone(ready));
        }
        let made = Arc::new(Redactor::new(patterns)?);
        Ok(Arc::clone(self.recalls.redactor.get_or_init(|| made)))
    }

    /// The conditions of a search that need no access to the store (E1). Returns a result if one is not met.
    pub(super) fn unmet(&self, plan: &Plan<'_>) -> Option<RecallResult> {
        let mut stage = Stage::new("conditions");
        let mut result = plan.empty();
        let session =
            plan.request.session_id.as_deref().map(|session| check_text("the session", session, MAX_SESSION_BYTES));
        if !plan.request.use_memory {
            stage.decide("memory", Action::Dropped, "use_memory", "use_memory is false in the request");
            result.skipped = Some("use_memory");
        } else if let Some(Err(invalid)) = session {
            stage.decide("session", Action::Refused, "session_id", invalid.what);
            result.skipped = Some("session_id");
        } else if let Err(Invalid { what, remedy }) = check_text("the query", &plan.request.query, MAX_QUERY_BYTES) {
            stage.decide("query", Action::Refused, "invalid_query", &what);
            result.problem = Some(RecallProblem::invalid_query(what, remedy));
        } else {
            return None;
        }
        result.trace.stages.push(stage);
        Some(result)
    }

    fn recall_or_fall_back(&self, plan: &Plan<'_>) -> Result<RecallResult, Error> {
        match self.recall_cached(plan) {
            Err(Error::Store(error)) if is_unavailable(&error) => {
                let problem = RecallProblem::store_unavailable(error.to_string(), error.remedy());
                Ok(RecallResult { problem: Some(problem), ..plan.empty() })
            }
            recalled => recalled,
        }
    }

    /// From the cache, or by searching, within the rate limit.
    fn recall_cached(&self, plan: &Plan<'_>) -> Result<RecallResult, Error> {
        let revisions = self.store.read(|reading| {
            let row = |space: &SpaceName| Ok(reading.space(space)?.map(|row| (row.incarnation, row.revision)));
            plan.spaces.iter().map(row).collect::<Result<Vec<_>, StoreError>>()
        })?;
        if revisions.iter().all(Option::is_none) {
            let problem = RecallProblem::collection_not_found(&names(&plan.spaces).join(", "));
            return Ok(RecallResult { problem: Some(problem), ..plan.empty() });
        }
        let (key, configured) = (plan.key(), &self.config.recall);
        let found = lock(&self.recalls.cache).get(&key, &revisions, plan.now);
        let fresh = found.as_ref().filter(|(_, age)| *age < i64::from(configured.cache_seconds) * 1_000_000);
        if let Some((result, _)) = fresh {
            lock(&self.recalls.metrics).cache_hit_rate.take(1.0);
            return Ok(cached(result, None));
        }
        if !lock(&self.recalls.rate).allows(&plan.spaces, configured.per_minute, plan.now) {
            let problem = Some(RecallProblem::rate_limited(configured.per_minute));
            let Some((result, _)) = found else { return Ok(RecallResult { problem, ..plan.empty() }) };
            lock(&self.recalls.metrics).cache_hit_rate.take(1.0);
            return Ok(cached(&result, problem));
        }
        let assembled = self.assemble_and_keep(plan)?;
        let Assembled { result, revisions, duplicate_share, .. } = assembled;
        let mut metrics = lock(&self.recalls.metrics);
        metrics.cache_hit_rate.take(0.0);
        metrics.dedup_ratio.take(duplicate_share);
        drop(metrics);
        if configured.cache_seconds > 0 {
            let bytes = result.size();
            lock(&self.recalls.cache).put(key, revisions, plan.now, bytes, Arc::new(result.clone()));
        }
        Ok(result)
    }

    /// With a receipt, if requested: a caller who wants receipts never gets a context without one. If data was forgotten between
    /// the search and the receipt, the search is repeated.
    fn assemble_and_keep(&self, plan: &Plan<'_>) -> Result<Assembled, Error> {
        for _ in 0..RECEIPT_ATTEMPTS {
            let mut assembled = self.assemble(plan)?;
            if !plan.keeps_receipt || self.keep_receipt(plan, &mut assembled)? {
                return Ok(assembled);
            }
        }
        let what = "data was deleted while the receipt was being written";
        Err(Error::input("forgotten_meanwhile", what, "try again"))
    }

    /// Searches, and assembles a context from the results.
    pub(crate) fn assemble(&self, plan: &Plan<'_>) -> Result<Assembled, Error> {
        let settings = &plan.settings;
        let search = plan.search();
        let (question, mut trace) = self.read_question(&search);
        let route = self.hybrid(&plan.spaces, &question, &search);
        let FoundItems { mut candidates, scored, moments, stage } = route.items()?;
        trace.stages.push(stage);
        let started = Instant::now();
        trace.stages.push(cut(&mut candidates, scored, search.limit, &plan.spaces, |hit| (hit.id, hit.score)));
        let hits = self.view_items(&plan.spaces, candidates, &question)?;
        let total_results = hits.len();
        let candidates = (1..).zip(&hits).map(candidate).collect();

        let passages: Vec<Passage> = hits.into_iter().map(|hit| passage(hit, &question)).collect();
        let mut note = |stage| trace.stages.push(stage);
        let (passages, stage) = gate(passages, settings.min_score);
        note(stage);
        let before = passages.len();
        let (passages, stage) = deduplicate(passages);
        note(stage);
        let duplicates = before - passages.len();
        let (passages, stage) = top_k(passages, settings.top_k as usize);
        note(stage);
        let (mut passages, stage) = interleave(passages, settings.interleaving);
        note(stage);
        if let Some(redactor) = &plan.redactor {
            let (redacted, stage) = redact(passages, redactor)?;
            passages = redacted;
            note(stage);
        }
        let (passages, stage) = clip(passages, settings.clip_sentences as usize, self.config.language);
        note(stage);
        let (passages, total_tokens, stage) = budget(passages, settings.max_tokens as usize, &self.counter);
        note(stage);
        let memories: Vec<MemoryEntry> =
            passages.iter().map(|passage| passage.to_entry(settings.search_type)).collect();
        let text = compose(&template(&memories), &memories)?;
        let metadata = RecallMetadata {
            total_results,
            included_results: memories.len(),
            total_tokens,
            text_tokens: self.counter.count(&text),
            applied_filters: applied_filters(settings),
            config: settings.clone(),
        };
        let mut result = RecallResult { memories, metadata, text, candidates, trace, ..plan.empty() };
        result.timing.processing_time = started.elapsed().as_secs_f64() * 1e3;
        let revisions = moments.iter().map(|moment| moment.map(|moment| (moment.incarnation, moment.revision)));
        let duplicate_share = if before == 0 { 0.0 } else { duplicates as f64 / before as f64 };
        Ok(Assembled { result, passages, revisions: revisions.collect(), answer: None, duplicate_share })
    }
}

const MAX_SESSION_BYTES: usize = 1024;
const RECEIPT_ATTEMPTS: usize = 5;

impl Plan<'_> {
    /// Searches for twice as many as requested, so that some can be dropped.
    pub(crate) fn search(&self) -> SearchRequest {
        SearchRequest {
            query: self.request.query.clone(),
            mode: self.settings.search_type,
            limit: 2 * self.settings.top_k as usize,
            asked_at: Some(self.asked_at()),
            as_of: self.request.as_of,
        }
    }

    pub(crate) fn asked_at(&self) -> Timestamp {
        asked_at(self.request.asked_at, self.request.as_of).unwrap_or(self.now)
    }

    fn key(&self) -> Key {
        let request = self.request;
        let time = |time: Option<Timestamp>| time.map_or(Vec::new(), |time| time.as_micros().to_le_bytes().to_vec());
        let settings = serde_json::to_vec(&self.settings).unwrap_or_default();
        let hasher = Hasher::default().field(&request.query).field(settings);
        let hasher = hasher.field(time(request.asked_at)).field(time(request.as_of));
        let hasher =
            hasher.field(request.session_id.as_deref().unwrap_or_default()).field([u8::from(self.keeps_receipt)]);
        self.spaces.iter().fold(hasher, |hasher, space| hasher.field(space.as_str())).finish()
    }

    fn empty(&self) -> RecallResult {
        RecallResult {
            query: self.request.query.clone(),
            spaces: names(&self.spaces),
            memories: Vec::new(),
            metadata: RecallMetadata {
                total_results: 0,
                included_results: 0,
                total_tokens: 0,
                text_tokens: 0,
                applied_filters: Vec::new(),
                config: self.settings.clone(),
            },
            text: String::new(),
            candidates: Vec::new(),
            skipped: None,
            problem: None,
            receipt: None,
            trace: Trace::default(),
            timing: RecallTiming::default(),
        }
    }
}

impl RecallResult {
    /// Its approximate size in memory.
    fn size(&self) -> usize {
        const DECISION: usize = 200;
        const CANDIDATE: usize = 400;
        let decisions: usize = self.trace.stages.iter().map(|stage| stage.decisions.len()).sum();
        let contents: usize = self.memories.iter().map(|memory| 400 + memory.content.len()).sum();
        self.query.len() + self.text.len() + contents + decisions * DECISION + self.candidates.len() * CANDIDATE
    }
}

fn cached(result: &RecallResult, problem: Option<RecallProblem>) -> RecallResult {
    let timing = RecallTiming { cached: true, ..RecallTiming::default() };
    RecallResult { problem, timing, ..result.clone() }
}

fn passage(hit: HitView, question: &Question) -> Passage {
    let words = question.words.iter().zip(&hit.words).map(|(word, found)| (word.stem.clone(), found.own)).collect();
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
fn is_unavailable(error: &StoreError) -> bool {
    use StoreError::{Busy, Connect, Contended, Full, Lost, ReadOnly};
    matches!(error, Busy { .. } | Connect { .. } | Contended { .. } | Full { .. } | Lost { .. } | ReadOnly { .. })
}

pub(super) fn lock<T>(mutex: &std::sync::Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Arguments of a recall only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RecallOwn {
    /// What to recall memories for: a question, or the user's last message.
    query: String,
    /// Whether to search at all; false returns an empty result. For programs that switch memory on and off.
    #[serde(default = "is_used")]
    use_memory: bool,
    /// Name of the conversation that asks. Recorded in the receipt; does not affect results.
    session_id: Option<String>,
    /// Whether to keep a receipt; as configured by default.
    receipt: Option<bool>,
}

fn is_used() -> bool {
    true
}

pub type RecallArguments = With<RecallOwn, RecallOptions>;

impl Verb for RecallArguments {
    const NAME: &'static str = "recall";
    const ABOUT: &'static str = "Recall stored items about a question, as a context within a token budget.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|recall, _, _| Ok(names(&recall.1.also)));
    const IS_LONG: bool = false;
    type Reply = RecallResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<RecallResult, Error> {
        let With(RecallOwn { query, use_memory, session_id, receipt }, options) = self;
        let (spaces, request) = options.request(query, call);
        memory.recall(&spaces, &RecallRequest { use_memory, session_id, receipt, ..request })
    }
}
