//! Who calls: by the key of a request, or, on a server of this machine that has no keys, anyone on it.

use crate::problem::Problem;
use crate::settings::Settings;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderMap, StatusCode};
use recordar::call::{Caller, Effect, Within};
use recordar::key::{Account, ApiKey};
use recordar::recall::Authority;
use recordar::{Error, OperationId, Recordar, SpaceName, Timestamp};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The cookie of a page that is signed in.
pub(crate) const COOKIE_NAME: &str = "recordar_key";

/// Whoever made a request.
#[derive(Clone)]
pub(crate) struct Identity(Option<Arc<ApiKey>>);

impl Identity {
    /// The id of the key; empty without one.
    pub(crate) fn id(&self) -> &str {
        self.0.as_ref().map_or("", |key| &key.id)
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.0.as_ref().map(|key| key.name.as_str())
    }

    /// Whether it may see what concerns the whole store.
    pub(crate) fn sees_store(&self) -> bool {
        self.0.as_ref().is_none_or(|key| key.is_admin)
    }

    fn within(&self) -> Option<Within> {
        self.0.as_ref().and_then(|key| key.within())
    }

    pub(crate) fn may_write(&self, space: &SpaceName) -> bool {
        self.within().is_none_or(|within| within.may_write(space))
    }

    /// Refuses a space of others, before anything is read or looked up there. What a verb may reach is checked when it is called.
    pub(crate) fn check_space(&self, space: &SpaceName, effect: Effect) -> Result<(), Problem> {
        self.within().map_or(Ok(()), |within| within.check(space, effect)).map_err(Problem::from)
    }

    /// The space of a call: the one it names; else the only one of the key, or the configured one if the key is for all.
    pub(crate) fn space(&self, named: Option<&str>, settings: &Settings) -> Result<SpaceName, Problem> {
        if let Some(name) = named {
            return SpaceName::parse(name).map_err(|invalid| Error::from(invalid).into());
        }
        let Some(within) = self.within() else { return Ok(settings.space.clone()) };
        let only = match (within.write.as_slice(), within.read.as_slice()) {
            ([only], _) | ([], [only]) => only.space(),
            _ => None,
        };
        only.ok_or_else(|| {
            let what = "this key is for several spaces, and the request names none";
            Problem::new(StatusCode::BAD_REQUEST, "invalid", what, "add ?space=NAME, such as ?space=user:ada")
        })
    }

    pub(crate) fn caller(&self, space: SpaceName, names_space: bool, operation: OperationId) -> Caller {
        let is_admin = self.0.as_ref().is_some_and(|key| key.is_admin);
        Caller {
            space,
            names_space,
            within: self.within(),
            // Whoever else is on this machine must not read its files through the server.
            files: is_admin,
            authority: if is_admin { Authority::Administrator } else { Authority::User },
            operation,
            account: self.account(),
        }
    }

    /// What model calls are charged to.
    pub(crate) fn account(&self) -> Option<Account> {
        self.0.as_ref().map(|key| key.account.clone())
    }

    /// What a page shows of whoever is signed in.
    pub(crate) fn shown(&self, settings: &Settings) -> Value {
        // The space of calls that name none, if there is one.
        let space = self.space(None, settings).ok();
        match &self.0 {
            None => json!({"key": null, "admin": false, "read": ["*"], "write": ["*"], "space": space}),
            Some(key) => json!({
                "key": key.id, "name": key.name, "admin": key.is_admin, "read": key.read, "write": key.write, "space": space,
            }),
        }
    }
}

/// Finds out who calls. Keys are looked up in the database, and remembered for a moment by the clock of the engine, which also decides when they
/// expire.
pub(crate) struct Identities {
    engine: Recordar,
    /// Whether there must be a key in any case.
    is_public: bool,
    recent: Mutex<Recent>,
}

/// A revoked key is refused by other servers within this time, and by the one that revoked it at once.
const MEMORY: Duration = Duration::from_secs(1);
const MAX_RECENT: usize = 10_000;

#[derive(Default)]
struct Recent {
    keys: HashMap<String, (Timestamp, Arc<ApiKey>)>,
    needs_key: Option<(Timestamp, bool)>,
}

impl Identities {
    pub(crate) fn new(engine: Recordar, settings: &Settings) -> Self {
        Self { engine, is_public: settings.is_public(), recent: Mutex::default() }
    }

    /// Whoever made a request; none if it needs a key and has no valid one. Blocks.
    pub(crate) fn of(&self, secret: Option<&str>) -> Result<Option<Identity>, Error> {
        // Before it is looked up: what changes meanwhile is noticed in time.
        let now = self.engine.now();
        match secret {
            Some(secret) => Ok(self.key(secret, now)?.map(|key| Identity(Some(key)))),
            None if self.needs_key(now)? => Ok(None),
            None => Ok(Some(Identity(None))),
        }
    }

    /// Whoever it is, if that is remembered.
    pub(crate) fn recent(&self, secret: Option<&str>) -> Option<Identity> {
        let now = self.engine.now();
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = |at: &Timestamp| is_fresh(*at, now);
        match secret {
            Some(secret) => {
                let (_, key) = recent.keys.get(secret).filter(|(at, key)| is_fresh(at) && !key.is_expired(now))?;
                Some(Identity(Some(Arc::clone(key))))
            }
            None if self.is_public => None,
            None => recent.needs_key.filter(|(at, needs_key)| is_fresh(at) && !needs_key).map(|_| Identity(None)),
        }
    }

    /// Records that a key was used. It may wait for writers, so nobody waits for it.
    pub(crate) fn note_use(&self, identity: &Identity) {
        if !identity.id().is_empty() {
            self.engine.note_key_use(identity.id());
        }
    }

    /// Forgets what it remembers, when keys were changed.
    pub(crate) fn forget(&self) {
        *self.recent.lock().unwrap_or_else(PoisonError::into_inner) = Recent::default();
    }

    fn key(&self, secret: &str, now: Timestamp) -> Result<Option<Arc<ApiKey>>, Error> {
        let Some(key) = self.engine.key_of(secret)? else { return Ok(None) };
        let key = Arc::new(key);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.keys.len() >= MAX_RECENT {
            recent.keys.clear();
        }
        recent.keys.insert(secret.to_owned(), (now, Arc::clone(&key)));
        Ok(Some(key))
    }

    fn needs_key(&self, now: Timestamp) -> Result<bool, Error> {
        if self.is_public {
            return Ok(true);
        }
        let needs_key = self.engine.had_keys()?;
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).needs_key = Some((now, needs_key));
        Ok(needs_key)
    }
}

/// Whether what was remembered still counts. If the clock goes back, it does not: nobody knows how long ago it was.
fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    at <= now && now.as_micros().abs_diff(at.as_micros()) < MEMORY.as_micros() as u64
}

/// The key of a request: in its header, or in the cookie of a page.
pub(crate) fn secret(headers: &HeaderMap) -> Option<&str> {
    let mut bearers = headers.get_all(AUTHORIZATION).iter();
    if let Some(value) = bearers.next() {
        // Two keys are as good as none: others on the way might have used the other one.
        let value = value.to_str().ok().filter(|_| bearers.next().is_none()).unwrap_or_default();
        let (scheme, secret) = value.split_once(' ').unwrap_or((value, ""));
        // Any other scheme is a key that is not valid.
        return Some(if scheme.eq_ignore_ascii_case("bearer") { secret.trim() } else { "" });
    }
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookie| cookie.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_counts_for_its_time_and_not_before_it() {
        let at = |micros: i64| Timestamp::from_micros(micros);
        let check = |now: i64, expected: bool| assert_eq!(is_fresh(at(5_000_000), at(now)), expected, "{now}");
        check(5_000_000, true);
        check(5_999_999, true);
        check(6_000_000, false);
        // A clock that went back.
        check(4_999_999, false);
        check(i64::MIN, false);
        check(i64::MAX, false);
    }
}
