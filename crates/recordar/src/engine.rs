//! The engine: a store, a configuration, a tokenizer and a clock, joined. The verbs are in `verb/`.

use recordar_core::background::BackgroundWorker;
use recordar_core::config::Config;
use recordar_core::current_vocabulary::CurrentVocabulary;
use recordar_core::error::Error;
use recordar_core::guard::{Guard, Hide, Redactor};
use recordar_core::index::{BUILDING, Indexes, Preparation};
use recordar_core::judges::{Choice, Judges};
use recordar_core::noun::rerank::Rerank;
use recordar_core::reason::{Llm, Reasoning};
use recordar_core::recall::{RecallSettings, Recalls};
use recordar_core::route::filter::PassingChunks;
use recordar_core::route::leaf_hits::LeafHits;
use recordar_core::uses::UseCounter;
use recordar_core::waits::{WaitObserver, Waits};
use recordar_core::within::Within;
use recordar_domain::text::TokenCounter;
use recordar_domain::{Filter, Invalid, SpaceName, Timestamp};
use recordar_llm::Account;
use recordar_models::{Embed, OwnEmbedder, VectorModel};
use recordar_store::{Cancel, Error as StoreError, RawStore, Store};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The engine's clock.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The clock of the machine.
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(since.as_micros().min(i64::MAX as u128) as i64)
    })
}

/// An open memory. Clones are the same one.
#[derive(Clone)]
pub struct Recordar {
    pub(crate) store: Arc<Store>,
    pub(crate) indexes: Arc<Indexes>,
    pub(crate) config: Arc<Config>,
    pub(crate) counter: Arc<TokenCounter>,
    pub(crate) clock: Clock,
    pub(crate) recalls: Arc<Recalls>,
    pub(crate) cancel: Cancel,
    /// The only visible spaces, if a caller is confined to some.
    pub(crate) within: Option<Arc<Within>>,
    /// Whether recalls may keep receipts: not for a caller that may only read.
    pub(crate) keeps_receipts: bool,
    /// Whether results are unredacted, because the caller redacts them.
    pub(crate) is_exact: bool,
    /// The configured language model, or the built-in methods.
    pub(crate) reasoning: Reasoning,
    pub(crate) vocabulary: Arc<CurrentVocabulary>,
    pub(crate) uses: Arc<UseCounter>,
    /// Does jobs in the background, if that is configured; none within the worker itself.
    pub(crate) worker: Option<Arc<BackgroundWorker>>,
    /// Builds indexes while items are being stored.
    pub(crate) builder: Arc<BackgroundWorker>,
    pub(crate) waits: Arc<Waits>,
    /// The configured redaction patterns, compiled when they are first needed.
    pub(crate) redactor: Arc<OnceLock<Arc<Redactor>>>,
    /// The models of registered folders.
    pub(crate) judges: Arc<Judges>,
    /// When uses of API keys were last written, by the ids of the keys.
    pub(crate) key_uses: Arc<Mutex<BTreeMap<String, Timestamp>>>,
}

impl Recordar {
    /// Opens the configured database, and creates it if there is none.
    pub fn open(config: Config, clock: Clock) -> Result<Self, Error> {
        let store = Store::open(config.database.clone())?;
        Self::with_store(store, config, clock)
    }

    /// Opens the configured database if there is one. If there is none, the first verb that writes creates it, and others fail with
    /// `no_database`: a search in the wrong folder leaves nothing behind.
    pub fn open_existing(config: Config, clock: Clock) -> Result<Self, Error> {
        let store = Store::open_existing(config.database.clone())?;
        Self::with_store(store, config, clock)
    }

    /// The same memory with the caller's own embedder. A database without items uses it from now on. Another one goes on with the embedder
    /// that it has, until `reembed` moves it to this one.
    pub fn with_embedder(self, embedder: Arc<dyn Embed>) -> Result<Self, Error> {
        let indexes = Arc::new(self.indexes.with_embedder(OwnEmbedder::new(embedder)?));
        let memory = Self { indexes, ..self };
        match memory.indexes.adopt_embedder((memory.clock)()) {
            // It is created later, and uses the embedder then.
            Ok(()) | Err(Error::Store(StoreError::NoDatabase { .. })) => Ok(memory),
            Err(error) => Err(error),
        }
    }

    /// Creates the configured database if there is none.
    pub fn create(&self) -> Result<(), Error> {
        self.store.create()?;
        self.indexes.adopt_embedder((self.clock)())
    }

    fn with_store(store: Store, config: Config, clock: Clock) -> Result<Self, Error> {
        let store = Arc::new(store);
        let (language, skips_repeated) = (config.language, config.skip_repeated);
        let how = Preparation { language, skips_repeated, embedder: VectorModel::default() };
        let waits = Arc::new(Waits::default());
        let indexes = Arc::new(Indexes::new(Arc::clone(&store), how, config.index_bytes, Arc::clone(&waits)));
        let counter = Arc::new(TokenCounter::for_model(&config.model));
        let llm = config.llm.clone().map(|llm| Arc::new(Llm::new(llm, Arc::clone(&store), Arc::clone(&clock))));
        let (reasoning, redactor) = (Reasoning::new(llm), Arc::default());
        let judges = Arc::new(Judges::new(config.model_folders.clone()));
        let (config, recalls) = (Arc::new(config), Arc::new(Recalls::default()));
        let uses = Arc::new(UseCounter::new(Arc::clone(&store), Arc::clone(&clock)));
        Ok(Self {
            store,
            indexes,
            config,
            counter,
            clock,
            recalls,
            cancel: Cancel::default(),
            within: None,
            keeps_receipts: true,
            is_exact: false,
            reasoning,
            vocabulary: Arc::default(),
            uses,
            worker: Some(Arc::default()),
            builder: Arc::default(),
            waits,
            redactor,
            judges,
            key_uses: Arc::default(),
        })
    }

    /// The same memory for cancellable calls. A cancelled write is not committed; if many files are ingested,
    /// those already stored stay.
    pub fn cancelled_by(&self, cancel: Cancel) -> Self {
        let (store, reasoning) = (self.store.cancelled_by(cancel.clone()), self.reasoning.cancelled_by(cancel.clone()));
        Self { store: Arc::new(store), reasoning, cancel, ..self.clone() }
    }

    /// Whether a recall keeps a receipt: as requested, or as configured. A caller that may only read can keep none.
    pub(crate) fn wants_receipt(&self, requested: Option<bool>) -> Result<bool, Error> {
        if requested == Some(true) && !self.keeps_receipts {
            let what = "a receipt is stored, and this caller may only read the space";
            return Err(Error::input("out_of_reach", what, "leave out `receipt`, or ask for write access"));
        }
        Ok(self.keeps_receipts && requested.unwrap_or(self.config.receipts))
    }

    /// The time by the clock of this memory. Whatever belongs to it goes by this clock, so that a test can set it.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// The same memory for a caller with an API key: what models cost is charged to its account as well as to the store.
    pub fn charged_to(&self, account: Option<Account>) -> Self {
        Self { reasoning: self.reasoning.charged_to(account), ..self.clone() }
    }

    /// Closes every connection, and opens none until `resume`: required before a process forks, since a
    /// child must not use its parent's connections. The child opens the memory again. False if a call took too long.
    pub fn pause(&self, patience: Duration) -> bool {
        let started = Instant::now();
        let is_resting = self.worker.as_ref().is_none_or(|worker| worker.stop(patience));
        let is_resting = is_resting && self.builder.stop(patience.saturating_sub(started.elapsed()));
        is_resting && self.store.pause(patience.saturating_sub(started.elapsed()))
    }

    pub fn resume(&self) {
        self.store.resume();
    }

    /// Shows what calls wait for: an index that is built, a file that is rewritten. The first observer stays.
    pub fn observe_waits(&self, observer: WaitObserver) {
        self.waits.observe(observer);
    }

    /// Takes note of new items in a space: once there are enough, their part of the index is built in the background, so that the first
    /// search need not.
    pub(crate) fn grew(&self, space: &SpaceName, items: usize) {
        if self.indexes.grew(space, items) {
            self.build_ahead();
        }
    }

    /// Waits until the index of everything that this memory stored is built and saved, or the call is cancelled. It need not be called:
    /// the next search builds what is missing.
    pub fn finish_index(&self, cancel: &Cancel) {
        const GLANCE: Duration = Duration::from_millis(5);
        self.indexes.await_building(true);
        while (self.indexes.has_grown() || self.builder.is_running()) && !cancel.is_cancelled() {
            self.build_ahead();
            std::thread::sleep(GLANCE);
        }
        self.indexes.await_building(false);
        self.waits.tell(BUILDING, 1, 1);
    }

    fn build_ahead(&self) {
        let indexes = Arc::clone(&self.indexes);
        self.builder.start(move |cancel| indexes.build_ahead(&cancel));
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// All rows of the database, for comparing and measuring.
    pub fn raw(&self) -> Result<RawStore, Error> {
        Ok(self.store.raw()?)
    }
}

impl Recordar {
    /// Runs some work and redacts its result, if configured. The work itself sees everything.
    pub(crate) fn showing<T: Hide>(&self, work: impl FnOnce(&Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.is_exact || !self.config.recall.settings.enable_redaction {
            return work(self);
        }
        let guard = self.configured_guard()?;
        let outcome = work(&self.exact());
        let Some(mut hiding) = guard.hiding() else { return outcome };
        match outcome {
            Ok(mut shown) => shown.hide(&mut hiding).map(|()| shown),
            Err(error) => Err(hiding.error(error)?),
        }
    }

    /// The same, without redaction. Not generic, so that it is compiled once.
    fn exact(&self) -> Self {
        Self { is_exact: true, ..self.clone() }
    }

    /// The model that reranks: the one that a caller asks for, or the configured one.
    pub(crate) fn reranker(&self, asked: Option<&Rerank>) -> Result<Choice, Error> {
        self.judges.reranker(asked, &self.config.recall.settings.rerank)
    }

    /// The same for what is answered or composed.
    pub(crate) fn answers_reranker(&self, asked: Option<&Rerank>) -> Result<Choice, Error> {
        self.judges.reranker(asked, &self.config.recall.answers_rerank)
    }

    /// The guard of a call with these settings.
    pub(crate) fn guard(&self, settings: &RecallSettings) -> Result<Guard, Invalid> {
        Ok(if settings.enable_redaction { Guard::new(self.redactor(settings)?) } else { Guard::off() })
    }

    /// Where in the tree of a space the best hits for a question are.
    pub(crate) fn leaf_hits(&self, space: &SpaceName, query: &str, filter: &Filter) -> Result<LeafHits, Error> {
        let settings = (self.config.language, (self.clock)());
        LeafHits::search((&self.store, &self.indexes, &self.cancel), space, (query, filter), settings)
    }

    /// The chunks that pass a filter; `None` without one.
    pub(crate) fn passing_chunks(&self, space: &SpaceName, filter: &Filter) -> Result<Option<PassingChunks>, Error> {
        PassingChunks::find((&self.indexes, &self.cancel), space, filter)
    }

    /// The guard of a call that takes no settings.
    pub(crate) fn configured_guard(&self) -> Result<Guard, Invalid> {
        self.guard(&self.config.recall.settings)
    }

    fn redactor(&self, settings: &RecallSettings) -> Result<Arc<Redactor>, Invalid> {
        let patterns = &settings.custom_redaction_patterns;
        if *patterns != self.config.recall.settings.custom_redaction_patterns {
            return Redactor::new(patterns).map(Arc::new);
        }
        if let Some(ready) = self.redactor.get() {
            return Ok(Arc::clone(ready));
        }
        let made = Arc::new(Redactor::new(patterns)?);
        Ok(Arc::clone(self.redactor.get_or_init(|| made)))
    }
}
