//! The engine: a store, a configuration, a tokenizer and a clock, joined. The verbs are in `verb/` and `ingest/`.

use crate::assemble::Redactor;
use crate::index::Indexes;
use crate::policy::{Cache, RateLimit, RecallMetrics};
use crate::{Config, Error, RecallResult};
use recordar_domain::Timestamp;
use recordar_domain::text::TokenCounter;
use recordar_store::{RawStore, SpaceRow, Store};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the engine's times come from.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The clock of the machine.
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(since.as_micros().min(i64::MAX as u128) as i64)
    })
}

pub struct Recordar {
    pub(crate) store: Arc<Store>,
    pub(crate) indexes: Indexes,
    pub(crate) config: Config,
    pub(crate) counter: TokenCounter,
    pub(crate) clock: Clock,
    pub(crate) recalls: Recalls,
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
        let indexes = Indexes::new(Arc::clone(&store), config.language, config.index_bytes);
        let counter = TokenCounter::for_model(&config.model);
        Ok(Self { store, indexes, config, counter, clock, recalls: Recalls::default() })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The spaces that hold something, in the order they were made.
    pub fn spaces(&self) -> Result<Vec<String>, Error> {
        let spaces: Vec<SpaceRow> = self.store.read(|reading| reading.spaces())?;
        Ok(spaces.into_iter().map(|space| space.name).collect())
    }

    /// Every row as it stands in the database, for comparing and measuring.
    pub fn raw(&self) -> Result<RawStore, Error> {
        Ok(self.store.raw()?)
    }
}
