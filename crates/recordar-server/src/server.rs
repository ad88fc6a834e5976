//! A server: the engine, and what its requests share.

use crate::audit::Audit;
use crate::identity::Identities;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::rate::Rate;
use crate::running::Running;
use crate::settings::Settings;
use crate::telemetry::Telemetry;
use http::StatusCode;
use recordar::{Error, Recordar, SpaceName};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) struct Server {
    pub(crate) engine: Recordar,
    pub(crate) settings: Settings,
    pub(crate) identities: Identities,
    pub(crate) running: Running,
    pub(crate) metrics: Metrics,
    /// Of keys and of addresses.
    pub(crate) rate: Rate,
    /// Of keys that are not valid, so that nobody can try many.
    pub(crate) wrong_keys: Rate,
    pub(crate) audit: Option<Audit>,
    pub(crate) telemetry: Option<Telemetry>,
    short_calls: Arc<Semaphore>,
    long_calls: Arc<Semaphore>,
    /// Whoever asks who they are, or how the server is, waits for one of few turns at the database.
    pub(crate) lookups: Semaphore,
    /// Requests that are being sent, in KiB.
    pub(crate) bodies: Semaphore,
    /// Requests with files that are being sent.
    pub(crate) uploads: Semaphore,
    places: Places,
    is_stopping: AtomicBool,
}

/// Held while a call runs.
pub(crate) struct Permit {
    _of_space: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

/// The places of each space with running calls, for short ones and long ones.
#[derive(Default)]
struct Places(Mutex<BTreeMap<(bool, SpaceName), Weak<Semaphore>>>);

/// With more spaces than this, those without a running call are forgotten.
const MAX_IDLE_SPACES: usize = 1000;

impl Places {
    fn of(&self, is_long: bool, space: &SpaceName, most: usize) -> Arc<Semaphore> {
        let mut spaces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spaces.len() > MAX_IDLE_SPACES {
            spaces.retain(|_, places| places.strong_count() > 0);
        }
        let places = spaces.entry((is_long, space.clone())).or_default();
        places.upgrade().unwrap_or_else(|| {
            let made = Arc::new(Semaphore::new(most));
            *places = Arc::downgrade(&made);
            made
        })
    }
}

/// How long a call waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
const WRONG_KEYS_PER_SECOND: u32 = 20;
const LOOKUPS: usize = 4;
/// How many of the largest requests may be in RAM at a time.
const BODIES: usize = 8;
const UPLOADS: usize = 4;

impl Server {
    pub(crate) fn new(engine: Recordar, settings: Settings) -> Result<Self, Error> {
        let config = &settings.config;
        Ok(Self {
            identities: Identities::new(engine.clone(), &settings),
            running: Running::default(),
            metrics: Metrics::default(),
            rate: Rate::new(config.requests_per_second),
            wrong_keys: Rate::new(WRONG_KEYS_PER_SECOND),
            audit: config.audit_file.as_deref().map(Audit::open).transpose()?,
            telemetry: config.otlp_endpoint.as_deref().map(Telemetry::to),
            short_calls: Arc::new(Semaphore::new(config.max_calls)),
            long_calls: Arc::new(Semaphore::new(config.max_long_calls)),
            lookups: Semaphore::new(LOOKUPS),
            bodies: Semaphore::new(BODIES * config.max_body_bytes as usize / 1024),
            uploads: Semaphore::new(UPLOADS),
            places: Places::default(),
            is_stopping: AtomicBool::new(false),
            engine,
            settings,
        })
    }

    /// The permission to run a call. Long ones have their own, so that they never hold up short ones; and those of one space, which may all
    /// wait for its index, leave half of the places to others.
    pub(crate) async fn permit(&self, is_long: bool, space: &SpaceName) -> Result<Permit, Problem> {
        let (calls, most) = match is_long {
            true => (&self.long_calls, self.settings.config.max_long_calls),
            false => (&self.short_calls, self.settings.config.max_calls),
        };
        let of_space = self.places.of(is_long, space, most.div_ceil(2));
        let both = async {
            let of_space = of_space.acquire_owned().await.ok()?;
            let of_all = Arc::clone(calls).acquire_owned().await.ok()?;
            Some(Permit { _of_space: of_space, _of_all: of_all })
        };
        tokio::time::timeout(PATIENCE, both).await.ok().flatten().ok_or_else(|| {
            let what = "too many calls are running";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", what, "try again in a moment").after(1)
        })
    }

    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Waits until no call runs.
    pub(crate) async fn calls_done(&self) {
        let config = &self.settings.config;
        for (calls, count) in [(&self.short_calls, config.max_calls), (&self.long_calls, config.max_long_calls)] {
            let _ = calls.acquire_many(count as u32).await;
        }
    }
}
