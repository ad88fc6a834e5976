//! API keys of a server: making, listing and revoking them. What a key opens is in `key.rs`.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::key::{KeyView, MadeKey, NewKey, SpacePattern, id_of, is_id, secret_of};
use recordar_core::error::Error;
use recordar_domain::{Digest, Expiry, Invalid, Timestamp};
use recordar_llm::day_of;
use recordar_store::{Amount, Error as StoreError, KeyRow};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

const MAX_NAME_CHARS: usize = 100;
/// Of one key.
const MAX_PATTERNS: usize = 100;
const MAX_USD_PER_DAY: f64 = 1_000_000.0;
const NANO_PER_USD: f64 = 1e9;

impl Recordar {
    /// Makes a key of 32 random bytes. Whoever knows them has the key, so they must be fresh, and must come from the operating system.
    pub fn make_key(&self, new: &NewKey, random: [u8; 32]) -> Result<MadeKey, Error> {
        self.showing(|memory| {
            let now = (memory.clock)();
            let key = secret_of(random);
            let row = new_row(new, Digest::of(&key), now)?;
            memory.store.add_key(&row)?;
            Ok(MadeKey { key, view: view(row, Amount::default()) })
        })
    }

    /// All keys, the oldest first, with those that are revoked or have expired.
    pub fn keys(&self) -> Result<Vec<KeyView>, Error> {
        self.showing(|memory| {
            let today = day_of((memory.clock)());
            Ok(memory.store.read(|reading| {
                let spent = reading.spending_by_account(today)?;
                let spent_on = |id: &str| spent.get(id).copied().unwrap_or_default();
                let with_spending = |row: KeyRow| {
                    let spent = spent_on(&row.id);
                    view(row, spent)
                };
                Ok(reading.keys()?.into_iter().map(with_spending).collect())
            })?)
        })
    }

    /// Revokes a key, by its id or its name: it opens nothing any more. Revoking it again changes nothing.
    pub fn revoke_key(&self, named: &str) -> Result<KeyView, Error> {
        self.showing(|memory| {
            let now = (memory.clock)();
            let row = memory.store.revoke_key(named, now).map_err(|error| match error {
                StoreError::NotFound { what } => {
                    Error::input("not_found", format!("there is no {what}"), "see `recordar keys list`")
                }
                error => error.into(),
            })?;
            let spent = memory.store.read(|reading| reading.spending_by_account(day_of(now)))?;
            let spent = spent.get(&row.id).copied().unwrap_or_default();
            Ok(view(row, spent))
        })
    }
}

fn new_row(new: &NewKey, secret_hash: Digest, now: Timestamp) -> Result<KeyRow, Invalid> {
    let NewKey { name, is_admin, write, read, expires, max_usd_per_day } = new;
    check_name(name)?;
    if !is_admin && write.is_empty() && read.is_empty() {
        let remedy =
            "name the spaces that it may write to or read, such as user:ada or shared:*, or make it an administrator's";
        return Err(Invalid::new("the key would open nothing", remedy));
    }
    if write.len() + read.len() > MAX_PATTERNS {
        let what = format!("the key has {} patterns of spaces; the limit is {MAX_PATTERNS}", write.len() + read.len());
        return Err(Invalid::new(what, "use fewer patterns that match more, such as user:*"));
    }
    let expires_at = expires.map(|expires| expires.at(now)).transpose()?;
    if let Some(end) = expires_at.filter(|end| *end <= now) {
        return Err(Invalid::new(format!("the key would expire at {end}, which is past"), "use a later time"));
    }
    if let Some(usd) = max_usd_per_day.filter(|usd| !(0.0..=MAX_USD_PER_DAY).contains(usd)) {
        let what = format!("max_usd_per_day {usd} is out of range: 0 to {MAX_USD_PER_DAY}");
        return Err(Invalid::new(what, format!("use a number from 0 to {MAX_USD_PER_DAY}")));
    }
    Ok(KeyRow {
        id: id_of(secret_hash),
        secret_hash,
        name: name.clone(),
        is_admin: *is_admin,
        write: write.clone(),
        read: read.clone(),
        created_at: now,
        expires_at,
        revoked_at: None,
        last_used_at: None,
        max_nano_usd_per_day: max_usd_per_day.map(|usd| (usd * NANO_PER_USD).round() as i64),
    })
}

fn check_name(name: &str) -> Result<(), Invalid> {
    let refuse = |why: String| Err(Invalid::new(why, "use a short name such as laptop or backup-job"));
    match name {
        name if name.trim().is_empty() || name.trim() != name => {
            refuse("the name of the key is empty, or has spaces around it".to_owned())
        }
        name if name.chars().count() > MAX_NAME_CHARS => {
            refuse(format!("the name of the key has more than {MAX_NAME_CHARS} characters"))
        }
        name if name.chars().any(char::is_control) => refuse("the name of the key has a control character".to_owned()),
        name if is_id(name) => refuse(format!("{name:?} looks like the id of a key")),
        _ => Ok(()),
    }
}

fn view(row: KeyRow, spent: Amount) -> KeyView {
    let usd = |nano: i64| nano as f64 / NANO_PER_USD;
    KeyView {
        id: row.id,
        name: row.name,
        admin: row.is_admin,
        spaces: row.write,
        read: row.read,
        created_at: row.created_at,
        expires_at: row.expires_at,
        revoked_at: row.revoked_at,
        last_used_at: row.last_used_at,
        max_usd_per_day: row.max_nano_usd_per_day.map(usd),
        spent_today_usd: usd(spent.nano_usd),
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MakeKeyArguments {
    /// What to call the key. Two keys that are not revoked cannot have the same name.
    name: String,
    /// The spaces that the key may read and write: a space such as user:ada, a kind such as user:*, a prefix such as user:team-*, or * for all.
    #[serde(default)]
    spaces: Vec<SpacePattern>,
    /// The spaces that the key may only read, as patterns of the same form.
    #[serde(default)]
    read: Vec<SpacePattern>,
    /// The key may do everything: use every space and file, make keys, restore backups.
    #[serde(default)]
    admin: bool,
    /// When the key expires: a time such as 2026-12-31, or a duration from now such as 90d (units: s, m, h, d, w). By default, never.
    #[schemars(with = "Option<String>")]
    expires: Option<Expiry>,
    /// The most that language models may cost for this key in a day, in US dollars. By default, only the limits of the configuration apply.
    #[schemars(range(min = 0.0, max = MAX_USD_PER_DAY))]
    max_usd_per_day: Option<f64>,
}

impl Verb for MakeKeyArguments {
    const NAME: &'static str = "make_key";
    const ABOUT: &'static str = "Make an API key for the server. The key itself is shown only once.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = MadeKey;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<MadeKey, Error> {
        call.for_administrators()?;
        let Self { name, spaces, read, admin, expires, max_usd_per_day } = self;
        let new = NewKey { name, is_admin: admin, write: spaces, read, expires, max_usd_per_day };
        memory.make_key(&new, random_bytes())
    }
}

/// From the operating system, and not from the caller: a secret must never come from outside.
fn random_bytes() -> [u8; 32] {
    let halves = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes);
    std::array::from_fn(|place| halves[place / 16][place % 16])
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct KeysArguments {}

impl Verb for KeysArguments {
    const NAME: &'static str = "keys";
    const ABOUT: &'static str = "List the API keys of the server, with what each may use and has spent today.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = Vec<KeyView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<KeyView>, Error> {
        call.for_administrators()?;
        memory.keys()
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RevokeKeyArguments {
    /// The id or the name of the key.
    key: String,
}

impl Verb for RevokeKeyArguments {
    const NAME: &'static str = "revoke_key";
    const ABOUT: &'static str = "Revoke an API key: from now on, it is refused.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = KeyView;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<KeyView, Error> {
        call.for_administrators()?;
        memory.revoke_key(&self.key)
    }
}
