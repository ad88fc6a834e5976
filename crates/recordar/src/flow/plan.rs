//! A recall or an answer, ready to start: its settings, its spaces and its guard are settled.

use crate::engine::Recordar;
use recordar_core::config::RecallConfig;
use recordar_core::error::Error;
use recordar_core::guard::Guard;
use recordar_core::judges::Choice;
use recordar_core::noun::limits::MAX_QUERY_BYTES;
use recordar_core::noun::rerank::{JudgeConfidence, Rerank};
use recordar_core::noun::search::SearchRequest;
use recordar_core::noun::spaces::{names, unique};
use recordar_core::recall::{
    Key, RecallMetadata, RecallProblem, RecallRequest, RecallResult, RecallSettings, RecallTiming,
};
use recordar_core::rerank::MAX_JUDGED;
use recordar_domain::{Action, Hasher, Invalid, SpaceName, Stage, Timestamp, Trace, check_text};
use recordar_index::SignalSet;

const MAX_SESSION_BYTES: usize = 1024;

pub(crate) struct Plan<'a> {
    pub(crate) spaces: Vec<SpaceName>,
    pub(crate) request: &'a RecallRequest,
    pub(crate) settings: RecallSettings,
    pub(crate) guard: Guard,
    /// Who reranks. If the configured model cannot be used, the settings say that nobody does.
    pub(crate) reranker: Choice,
    pub(crate) wants_receipt: bool,
    pub(crate) now: Timestamp,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(memory: &Recordar, spaces: &[SpaceName], request: &'a RecallRequest) -> Result<Self, Error> {
        Self::with(memory, spaces, (request, &memory.config.recall.settings))
    }

    /// For an answer from what is recalled.
    pub(crate) fn of_answer(
        memory: &Recordar,
        spaces: &[SpaceName],
        request: &'a RecallRequest,
    ) -> Result<Self, Error> {
        let RecallConfig { settings, answers_rerank, .. } = &memory.config.recall;
        Self::with(memory, spaces, (request, &RecallSettings { rerank: answers_rerank.clone(), ..settings.clone() }))
    }

    fn with(
        memory: &Recordar,
        spaces: &[SpaceName],
        (request, configured): (&'a RecallRequest, &RecallSettings),
    ) -> Result<Self, Error> {
        let mut settings = configured.with(&request.settings, request.authority)?;
        if request.staged {
            if request.settings.rerank.as_ref().is_some_and(|rerank| !rerank.is_off()) {
                let remedy = "leave rerank or staged out";
                return Err(Invalid::new("a staged recall is not reranked: its stages choose by labels", remedy).into());
            }
            settings.rerank = Rerank::Off;
        }
        let asked = if request.staged { Some(&Rerank::Off) } else { request.settings.rerank.as_ref() };
        let reranker = memory.judges.reranker(asked, &configured.rerank)?;
        if reranker.problem().is_some() {
            settings.rerank = Rerank::Off;
        }
        // Without a reranker there is none, so that the same recall has one key in the cache.
        settings.min_confidence =
            reranker.model().and_then(|judge| settings.min_confidence.or_else(|| judge.min_confidence()));
        if !request.labels.is_empty() {
            request.labels.check(&*memory.vocabulary.get(&memory.store)?)?;
        }
        Ok(Self {
            spaces: unique(spaces)?,
            request,
            guard: memory.guard(&settings)?,
            settings,
            reranker,
            wants_receipt: memory.wants_receipt(request.receipt)?,
            now: (memory.clock)(),
        })
    }

    /// The first condition that is not met, of those that need no access to the store (E1): the result that says so.
    pub(crate) fn unmet_condition(&self) -> Option<RecallResult> {
        let mut stage = Stage::new("conditions");
        let mut result = self.empty();
        let session =
            self.request.session_id.as_deref().map(|session| check_text("the session", session, MAX_SESSION_BYTES));
        if !self.request.use_memory {
            stage.decide("memory", Action::Dropped, "use_memory", "use_memory is false in the request");
            result.skipped = Some("use_memory");
        } else if let Some(Err(invalid)) = session {
            stage.decide("session", Action::Refused, "session_id", invalid.what);
            result.skipped = Some("session_id");
        } else if let Err(Invalid { what, remedy }) = check_text("the query", &self.request.query, MAX_QUERY_BYTES) {
            stage.decide("query", Action::Refused, "invalid_query", &what);
            result.problem = Some(RecallProblem::invalid_query(what, remedy));
        } else {
            return None;
        }
        result.trace.stages.push(stage);
        Some(result)
    }

    /// Searches for twice as many as requested, so that some can be dropped; and for as many as are judged.
    pub(crate) fn search(&self) -> SearchRequest {
        let twice = 2 * self.settings.top_k as usize;
        SearchRequest {
            query: self.request.query.clone(),
            mode: self.settings.search_type,
            limit: if self.settings.rerank.is_off() { twice } else { twice.max(MAX_JUDGED) },
            asked_at: Some(self.asked_at()),
            as_of: self.request.as_of,
            labels: self.request.labels.clone(),
            filter: self.request.filter.clone(),
            rerank: None,
            without: SignalSet::default(),
        }
    }

    pub(crate) fn asked_at(&self) -> Timestamp {
        self.request.asked_at.or(self.request.as_of).unwrap_or(self.now)
    }

    /// Whether the request or the configuration says how much is wanted.
    pub(super) fn chooses(&self) -> bool {
        let (asked, usual) = (&self.request.settings, RecallSettings::default());
        let is_usual = self.settings.top_k == usual.top_k && self.settings.min_score == usual.min_score;
        asked.top_k.is_some() || asked.min_score.is_some() || asked.min_confidence.is_some() || !is_usual
    }

    /// What the cache knows the result by. `embedder` is the number of the store's embedder.
    pub(crate) fn key(&self, embedder: i64) -> Key {
        let request = self.request;
        let time = |time: Option<Timestamp>| time.map_or(Vec::new(), |time| time.as_micros().to_le_bytes().to_vec());
        let settings = serde_json::to_vec(&self.settings).unwrap_or_default();
        let hasher = Hasher::default().field(&request.query).field(settings).field(embedder.to_le_bytes());
        let hasher = hasher.field(time(request.asked_at)).field(time(request.as_of));
        let hasher =
            hasher.field(request.session_id.as_deref().unwrap_or_default()).field([u8::from(self.wants_receipt)]);
        let labels = serde_json::to_vec(&request.labels).unwrap_or_default();
        let context = request.thread_context.as_deref().unwrap_or_default();
        let hasher = match request.labels.is_empty() && !request.staged {
            true => hasher,
            false => hasher.field(labels).field([u8::from(request.staged)]).field(context),
        };
        let hasher = match request.filter.is_empty() {
            true => hasher,
            false => request.filter.conditions().iter().fold(hasher.field("filter"), |hasher, own| hasher.field(own)),
        };
        // A request that chooses is not given what is left out of a small conversation.
        let hasher = match self.chooses() {
            false => hasher,
            true => hasher.field("chooses"),
        };
        // The same name may stand for another model later.
        let hasher = match self.reranker.model() {
            None => hasher,
            Some(model) => hasher.field("reranker").field(model.hash()),
        };
        self.spaces.iter().fold(hasher, |hasher, space| hasher.field(space.as_str())).finish()
    }

    pub(crate) fn empty(&self) -> RecallResult {
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
            staged: None,
            skipped: None,
            problem: None,
            confidence: JudgeConfidence::default(),
            rerank_problem: self.reranker.problem().map(|failed| failed.problem.clone()),
            receipt: None,
            trace: Trace::default(),
            timing: RecallTiming::default(),
        }
    }
}
