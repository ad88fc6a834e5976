//! The configured language model: created on first use, with spending limits shared by all users of the store.

use crate::config::LlmConfig;
use recordar_domain::Timestamp;
use recordar_llm::{
    Ceiling, ChatModel, Client, Error, ErrorKind, Ledger, Profile, Recorded, Remote, Reservation, Reserved, Spend,
    check_account, check_ceiling,
};
use recordar_store::{Amount, DaySpending, NewReservation, Store};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A configured model, which may be unreachable.
pub struct Llm {
    pub(super) config: LlmConfig,
    store: Arc<Store>,
    clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    client: OnceLock<Result<Arc<Client>, Error>>,
    /// Other models of the same provider, by their names.
    others: Mutex<BTreeMap<String, Arc<Client>>>,
}

/// How many other models are kept.
const MAX_OTHERS: usize = 16;

impl Llm {
    pub fn new(config: LlmConfig, store: Arc<Store>, clock: Arc<dyn Fn() -> Timestamp + Send + Sync>) -> Self {
        Self { config, store, clock, client: OnceLock::new(), others: Mutex::default() }
    }

    pub fn client(&self) -> Result<&Arc<Client>, Error> {
        self.client.get_or_init(|| self.make(&self.config.profile).map(Arc::new)).as_ref().map_err(Error::clone)
    }

    /// The configured model, or another of the same provider.
    pub fn client_of(&self, model: Option<&str>) -> Result<Arc<Client>, Error> {
        let other = model.filter(|model| *model != self.config.profile.name.model);
        let Some(model) = other else { return self.client().cloned() };
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.get(model) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(self.make(&self.config.other(model)?)?);
        if others.len() >= MAX_OTHERS {
            others.clear();
        }
        others.insert(model.to_owned(), Arc::clone(&made));
        Ok(made)
    }

    fn make(&self, profile: &Profile) -> Result<Client, Error> {
        let LlmConfig { remote, key_env, client, cassette, .. } = &self.config;
        let calls_somebody = cassette.as_ref().is_none_or(|cassette| cassette.records);
        if let (None, Some(key_env), true) = (&remote.key, key_env, calls_somebody) {
            let what = format!("{}: its API key is missing", profile.name);
            return Err(Error::new(ErrorKind::Rejected, what, format!("set {key_env} to your key")));
        }
        let remote = Remote::new(profile.clone(), remote.clone())?;
        let model: Box<dyn ChatModel> = match cassette {
            None => Box::new(remote),
            Some(cassette) if cassette.records => Box::new(Recorded::record(Box::new(remote), &cassette.path)?),
            Some(cassette) => Box::new(Recorded::replay_file(remote.settings().clone(), &cassette.path)?),
        };
        let ledger = Arc::new(StoreLedger(Arc::clone(&self.store)));
        Client::new(model, profile.price.clone(), client.clone(), ledger, Arc::clone(&self.clock))
    }
}

/// The spending ledger, in the store.
pub struct StoreLedger(pub Arc<Store>);

impl Ledger for StoreLedger {
    fn reserve(&self, reservation: &Reservation, ceiling: &Ceiling) -> Result<Reserved, Error> {
        let mut decided = Reserved::Done;
        let is_allowed = |before: DaySpending, of_account: DaySpending| {
            decided = check_account(spend(of_account.spent), spend(of_account.set_aside), reservation);
            if decided == Reserved::Done {
                decided = check_ceiling(spend(before.spent), spend(before.set_aside), reservation.most, ceiling);
            }
            decided == Reserved::Done
        };
        let Reservation { id, day, most, made_at, expires_at, ref account } = *reservation;
        let account = account.as_ref().map(|account| account.key.as_str());
        let new = NewReservation { id, day, most: amount(most), made_at, expires_at, account };
        // What is spent is recorded, even by a command that only tests a model.
        self.0.create().map_err(unwritable)?;
        let reserved = self.0.reserve_spending(&new, is_allowed).map_err(unwritable)?;
        Ok(if reserved { Reserved::Done } else { decided })
    }

    fn settle(&self, reservation: &Reservation, spent: Spend) -> Result<(), Error> {
        self.0.settle_spending(reservation.id, reservation.day, amount(spent)).map(drop).map_err(unwritable)
    }

    fn spent(&self, day: i64) -> Result<Spend, Error> {
        let all = Timestamp::from_micros(i64::MAX);
        let DaySpending { spent, set_aside } = match self.0.read(|reading| reading.spending(day, all)) {
            Err(recordar_store::Error::NoDatabase { .. }) => return Ok(Spend::default()),
            spending => spending.map_err(unwritable)?,
        };
        Ok(spend(spent).plus(spend(set_aside)))
    }
}

fn unwritable(error: recordar_store::Error) -> Error {
    let what = format!("spending on language models cannot be recorded, so none is called: {error}");
    Error::new(ErrorKind::Ledger, what, error.remedy())
}

fn amount(spend: Spend) -> Amount {
    let most = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    Amount { tokens: most(spend.tokens), nano_usd: most(spend.nano_usd) }
}

fn spend(amount: Amount) -> Spend {
    let least = |number: i64| u64::try_from(number).unwrap_or(0);
    Spend { tokens: least(amount.tokens), nano_usd: least(amount.nano_usd) }
}
