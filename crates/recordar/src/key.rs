//! API keys: who calls, and what they may use. A server asks here; the verbs that make, list and revoke keys are in `verb/keys.rs`.
//!
//! The secret itself is nowhere in the store: a key is found by its sha256. A secret has more than 240 random bits, so nobody can try them
//! all, and the hash needs no salt.

use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::within::Within;
use recordar_domain::{Digest, Expiry, Timestamp};
use recordar_store::{Error as StoreError, KeyRow, Reading};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::sync::PoisonError;

pub use recordar_domain::SpacePattern;
pub use recordar_llm::Account;

/// A valid key of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// It stands for the key, and is not secret.
    pub id: String,
    pub name: String,
    /// Whether it may do everything that the command line may.
    pub is_admin: bool,
    /// The spaces that it may write to, besides those of an administrator.
    pub write: Vec<SpacePattern>,
    /// The spaces that it may read: also those that it may write to.
    pub read: Vec<SpacePattern>,
    /// What model calls are charged to.
    pub account: Account,
    pub expires_at: Option<Timestamp>,
}

impl ApiKey {
    /// Whether it has ended since it was looked up.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// The only spaces it may use; any, if absent.
    pub fn within(&self) -> Option<Within> {
        (!self.is_admin).then(|| Within { read: self.read.clone(), write: self.write.clone() })
    }
}

/// A key to make.
#[derive(Debug, Clone, PartialEq)]
pub struct NewKey {
    pub name: String,
    pub is_admin: bool,
    /// The spaces that it may read and write.
    pub write: Vec<SpacePattern>,
    /// Those that it may only read.
    pub read: Vec<SpacePattern>,
    pub expires: Option<Expiry>,
    pub max_usd_per_day: Option<f64>,
}

/// A key as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeyView {
    /// It stands for the key, and is not secret.
    pub id: String,
    pub name: String,
    /// Whether it may do everything.
    pub admin: bool,
    /// The spaces that it may read and write.
    pub spaces: Vec<SpacePattern>,
    /// The spaces that it may only read.
    pub read: Vec<SpacePattern>,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// The most that language models may cost for it in a day.
    pub max_usd_per_day: Option<f64>,
    /// What they have cost today, with what is reserved for running calls.
    pub spent_today_usd: f64,
}

/// A key that was made. Only here is the key itself.
#[derive(Clone, PartialEq, Serialize, JsonSchema)]
pub struct MadeKey {
    /// The key. It is shown only now, and stored nowhere.
    pub key: String,
    #[serde(flatten)]
    pub view: KeyView,
}

impl fmt::Debug for MadeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MadeKey").field("view", &self.view).finish_non_exhaustive()
    }
}

/// What every key begins with, so that one that leaked can be recognised.
const PREFIX: &str = "rk_";
const ID_DIGITS: usize = 16;
/// How often the use of a key is written.
const NOTED_EVERY_MICROS: i64 = 60_000_000;
/// The most keys whose uses are kept in RAM.
const MAX_NOTED: usize = 10_000;

/// The key that is made of random bytes.
pub(crate) fn secret_of(random: [u8; 32]) -> String {
    random.iter().fold(PREFIX.to_owned(), |secret, byte| format!("{secret}{byte:02x}"))
}

/// The id of a key: the first digits of its sha256.
pub(crate) fn id_of(secret_hash: Digest) -> String {
    secret_hash.to_string().chars().take(ID_DIGITS).collect()
}

/// Whether a text could be the id of a key.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Recordar {
    /// The key with this secret; none if there is no such key, or it was revoked, or it has expired.
    pub fn key_of(&self, secret: &str) -> Result<Option<ApiKey>, Error> {
        let is_secret = secret.strip_prefix(PREFIX).is_some_and(|digits| digits.len() == 64);
        if !is_secret {
            return Ok(None);
        }
        let now = (self.clock)();
        let row = self.read_keys(|reading| reading.key_by_digest(Digest::of(secret)))?;
        Ok(row.filter(|row| row.is_valid(now)).map(api_key))
    }

    /// Whether some key is valid now.
    pub fn has_keys(&self) -> Result<bool, Error> {
        let now = (self.clock)();
        self.read_keys(|reading| reading.has_keys(now))
    }

    /// Whether there ever was a key. From then on, callers need one: revoking the last must not open a door.
    pub fn had_keys(&self) -> Result<bool, Error> {
        self.read_keys(|reading| reading.had_keys())
    }

    /// Records that a key was used: at most once a minute for each key, and only if it can be written.
    pub fn note_key_use(&self, id: &str) {
        let now = (self.clock)();
        let mut noted = self.key_uses.lock().unwrap_or_else(PoisonError::into_inner);
        let last = noted.get(id).map_or(i64::MIN, |last| last.as_micros());
        if now.as_micros().saturating_sub(last) < NOTED_EVERY_MICROS {
            return;
        }
        if noted.len() >= MAX_NOTED {
            noted.clear();
        }
        noted.insert(id.to_owned(), now);
        drop(noted);
        // Nobody waits for it, and the next minute tries again.
        let _ = self.store.note_key_use(id, now);
    }

    /// Where there is no database, there are no keys.
    fn read_keys<T: Default>(&self, read: impl FnMut(&mut Reading<'_>) -> Result<T, StoreError>) -> Result<T, Error> {
        match self.store.read(read) {
            Err(StoreError::NoDatabase { .. }) => Ok(T::default()),
            read => Ok(read?),
        }
    }
}

fn api_key(row: KeyRow) -> ApiKey {
    let KeyRow { id, name, is_admin, write, read, max_nano_usd_per_day, expires_at, .. } = row;
    let max_nano_usd_per_day = max_nano_usd_per_day.map(|most| u64::try_from(most).unwrap_or(0));
    let account = Account { key: id.clone(), max_nano_usd_per_day };
    let read = write.iter().cloned().chain(read).collect();
    ApiKey { id, name, is_admin, write, read, account, expires_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i25_keys_a_secret_is_its_random_bytes_and_its_id_tells_nothing_of_them() {
        let secret = secret_of(std::array::from_fn(|place| place as u8));
        assert_eq!(secret, "rk_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        let id = id_of(Digest::of(&secret));
        assert!(is_id(&id) && !secret.contains(&id), "{id}");
        assert!(!is_id("laptop") && !is_id(&secret));
    }
}
