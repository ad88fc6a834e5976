//! The engine: a store, a configuration, a tokenizer and a clock, joined. The verbs are in `verb/` and `ingest/`.

use crate::assemble::Redactor;
use crate::config::Config;
use crate::error::Error;
use crate::index::Indexes;
use crate::policy::{Cache, RateLimit, RecallMetrics};
use crate::reason::Llm;
use crate::verb::recall::RecallResult;
use recordar_domain::text::TokenCounter;
use recordar_domain::{SpaceName, Timestamp};
use recordar_store::{Cancel, RawStore, Store};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where the engine's times come from.
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
    /// The only spaces that may be told of, where a caller is confined to some.
    pub(crate) within: Option<Arc<Vec<SpaceName>>>,
    /// Whether what is given back is what is stored, because somebody else hides what has to be.
    pub(crate) is_exact: bool,
    /// The language model, where one is configured.
    pub(crate) llm: Option<Arc<Llm>>,
}

/// What is remembered from one recall to the next. Nothing of it outlives the process.
#[derive(Default)]
pub(crate) struct Recalls {
    pub(crate) cache: Mutex<Cache<RecallResult>>,
    pub(crate) rate: Mutex<RateLimit>,
    pub(crate) metrics: Mutex<RecallMetrics>,
    /// That of the configured patterns, made when it is first needed.
    pub(crate) redactor: OnceLock<Arc<Redactor>>,
}

impl Recordar {
    /// Opens the configured database, and makes its tables where there are none.
    pub fn open(config: Config, clock: Clock) -> Result<Self, Error> {
        let store = Arc::new(Store::open(config.database.clone())?);
        let indexes = Arc::new(Indexes::new(Arc::clone(&store), config.language, config.index_bytes));
        let counter = Arc::new(TokenCounter::for_model(&config.model));
        let llm = config.llm.clone().map(|llm| Arc::new(Llm::new(llm, Arc::clone(&store), Arc::clone(&clock))));
        let (config, recalls) = (Arc::new(config), Arc::new(Recalls::default()));
        let (cancel, within, is_exact) = (Cancel::default(), None, false);
        Ok(Self { store, indexes, config, counter, clock, recalls, cancel, within, is_exact, llm })
    }

    /// The same memory for calls that can be cancelled. A write that is cancelled is not committed; of an ingestion of many files
    /// those that were stored stay.
    pub fn cancelled_by(&self, cancel: Cancel) -> Self {
        Self { store: Arc::new(self.store.cancelled_by(cancel.clone())), cancel, ..self.clone() }
    }

    /// Closes every connection, and lets nobody have a new one until `resume`: what a process has to do before it forks, since a
    /// child must not use a connection of its parent. The child opens the memory anew. False where a call took too long.
    pub fn pause(&self, patience: Duration) -> bool {
        self.store.pause(patience)
    }

    pub fn resume(&self) {
        self.store.resume();
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Every row as it stands in the database, for comparing and measuring.
    pub fn raw(&self) -> Result<RawStore, Error> {
        Ok(self.store.raw()?)
    }
}
