//! The engine: a store, a configuration, a tokenizer and a clock, joined. The verbs are in `verb/` and `ingest/`.

use crate::assemble::Redactor;
use crate::index::Indexes;
use crate::policy::{Cache, RateLimit, RecallMetrics};
use crate::reason::Llm;
use crate::{Config, Error, RecallResult};
use recordar_domain::text::TokenCounter;
use recordar_domain::{SpaceName, Timestamp};
use recordar_store::{Cancel, RawStore, Store};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    pub(crate) within: Option<Arc<Vec<SpaceName>>>,
    /// Whether results are unredacted, because the caller redacts them.
    pub(crate) is_exact: bool,
    /// The language model, if configured.
    pub(crate) llm: Option<Arc<Llm>>,
}

/// State kept between recalls, in this process only.
#[derive(Default)]
pub(crate) struct Recalls {
    pub(crate) cache: Mutex<Cache<RecallResult>>,
    pub(crate) rate: Mutex<RateLimit>,
    pub(crate) metrics: Mutex<RecallMetrics>,
    /// The redactor of the configured patterns, built on first use.
    pub(crate) redactor: OnceLock<Arc<Redactor>>,
}

impl Recordar {
    /// Opens the configured database, and creates its tables if necessary.
    pub fn open(config: Config, clock: Clock) -> Result<Self, Error> {
        let store = Arc::new(Store::open(config.database.clone())?);
        let indexes = Arc::new(Indexes::new(Arc::clone(&store), config.language, config.index_bytes));
        let counter = Arc::new(TokenCounter::for_model(&config.model));
        let llm = config.llm.clone().map(|llm| Arc::new(Llm::new(llm, Arc::clone(&store), Arc::clone(&clock))));
        let (config, recalls) = (Arc::new(config), Arc::new(Recalls::default()));
        let (cancel, within, is_exact) = (Cancel::default(), None, false);
        Ok(Self { store, indexes, config, counter, clock, recalls, cancel, within, is_exact, llm })
    }

    /// The same memory for cancellable calls. A cancelled write is not committed; if many files are ingested,
    /// those already stored stay.
    pub fn cancelled_by(&self, cancel: Cancel) -> Self {
        Self { store: Arc::new(self.store.cancelled_by(cancel.clone())), cancel, ..self.clone() }
    }

    /// Closes every connection, and opens none until `resume`: required before a process forks, since a
    /// child must not use its parent's connections. The child opens the memory again. False if a call took too long.
    pub fn pause(&self, patience: Duration) -> bool {
        self.store.pause(patience)
    }

    pub fn resume(&self) {
        self.store.resume();
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// All rows of the database, for comparing and measuring.
    pub fn raw(&self) -> Result<RawStore, Error> {
        Ok(self.store.raw()?)
    }
}
