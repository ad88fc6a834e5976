//! API keys of a server, which belong to the whole store. Of a key, only its sha256 is here.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Digest, Invalid, SpacePattern, Timestamp};

pub(crate) const COLUMNS: [&str; 11] = [
    "key_id",
    "secret_hash",
    "name",
    "is_admin",
    "may_write",
    "may_read",
    "created_at",
    "expires_at",
    "revoked_at",
    "last_used_at",
    "max_nano_usd_per_day",
];

/// The most keys that are not revoked.
const MAX_KEYS: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// It stands for the key, and is not secret.
    pub id: String,
    pub secret_hash: Digest,
    pub name: String,
    pub is_admin: bool,
    /// The spaces that it may write to, and read.
    pub write: Vec<SpacePattern>,
    /// Those that it may only read.
    pub read: Vec<SpacePattern>,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    /// The most that models may cost on its account in a day.
    pub max_nano_usd_per_day: Option<i64>,
}

impl KeyRow {
    /// Whether it opens anything now.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

impl Reading<'_> {
    /// The key with this sha256, also if it is revoked or has expired.
    pub fn key_by_digest(&mut self, secret_hash: Digest) -> Result<Option<KeyRow>, Error> {
        let sql = format!("SELECT {} FROM api_keys WHERE secret_hash = ?", COLUMNS.join(", "));
        self.query_one(&sql, &[secret_hash.into()])?.as_ref().map(key).transpose()
    }

    /// All keys, the oldest first, with those that are revoked or have expired.
    pub fn keys(&mut self) -> Result<Vec<KeyRow>, Error> {
        let sql = format!("SELECT {} FROM api_keys ORDER BY created_at, key_id", COLUMNS.join(", "));
        self.query(&sql, &[])?.iter().map(key).collect()
    }

    /// Whether there is or was a key: one that is revoked or has expired counts too.
    pub fn had_keys(&mut self) -> Result<bool, Error> {
        Ok(!self.query("SELECT key_id FROM api_keys LIMIT 1", &[])?.is_empty())
    }

    /// Whether some key is valid now.
    pub fn has_keys(&mut self, now: Timestamp) -> Result<bool, Error> {
        let sql =
            "SELECT key_id FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) LIMIT 1";
        Ok(!self.query(sql, &[now.into()])?.is_empty())
    }
}

/// Adds a key, unless its name is taken.
pub(crate) fn add_key(connection: &mut Connection, new: &KeyRow) -> Result<bool, Error> {
    lock_store(connection)?;
    let known = Reading::new(connection).keys()?;
    if known.iter().any(|key| key.secret_hash == new.secret_hash) {
        // It was already added, and the reply was lost.
        return Ok(false);
    }
    let mut open = known.iter().filter(|key| key.revoked_at.is_none());
    if open.clone().count() >= MAX_KEYS {
        let what = format!("there are already {MAX_KEYS} API keys");
        return Err(Invalid::new(what, "revoke those that are no longer used").into());
    }
    if open.any(|key| key.name == new.name) {
        let what = format!("there is already an API key with the name {:?}", new.name);
        return Err(Invalid::new(what, "choose another name, or revoke that key first").into());
    }
    let patterns = |patterns: &[SpacePattern]| serde_json::to_string(patterns).unwrap_or_default();
    let row = vec![
        id_value(&new.id),
        new.secret_hash.into(),
        new.name.as_str().into(),
        Value::Int(i64::from(new.is_admin)),
        patterns(&new.write).into(),
        patterns(&new.read).into(),
        new.created_at.into(),
        new.expires_at.into(),
        new.revoked_at.into(),
        new.last_used_at.into(),
        new.max_nano_usd_per_day.into(),
    ];
    connection.insert("api_keys", &COLUMNS, &[row])?;
    Ok(true)
}

/// Revokes a key, by its id or its name, and says whether it was not before. Of several with the name, it is the one that is not revoked yet,
/// or else the newest.
pub(crate) fn revoke_key(connection: &mut Connection, named: &str, now: Timestamp) -> Result<(KeyRow, bool), Error> {
    lock_store(connection)?;
    let keys = Reading::new(connection).keys()?;
    let by_id = keys.iter().find(|key| key.id == named);
    let by_name = || keys.iter().filter(|key| key.name == named).max_by_key(|key| key.revoked_at.is_none());
    let mut key = by_id.or_else(by_name).cloned().ok_or_else(|| Error::absent(format!("API key {named:?}")))?;
    if key.revoked_at.is_some() {
        return Ok((key, false));
    }
    connection.execute("UPDATE api_keys SET revoked_at = ? WHERE key_id = ?", &[now.into(), id_value(&key.id)])?;
    key.revoked_at = Some(now);
    Ok((key, true))
}

/// Records when a key was last used.
pub(crate) fn note_key_use(connection: &mut Connection, id: &str, now: Timestamp) -> Result<bool, Error> {
    let sql = "UPDATE api_keys SET last_used_at = ? WHERE key_id = ? AND (last_used_at IS NULL OR last_used_at < ?)";
    Ok(connection.execute(sql, &[now.into(), id_value(id), now.into()])? > 0)
}

fn key(row: &Row) -> Result<KeyRow, Error> {
    let damaged = |what: &str| Error::Corrupt { what: format!("an API key has {what}") };
    let Value::Bytes(id) = &row.0[0] else { return Err(damaged("no id")) };
    let patterns = |column| {
        let text = row.text(column)?;
        serde_json::from_str(&text).map_err(|_| damaged("unreadable patterns of spaces"))
    };
    let time = |column| Ok::<_, Error>(row.optional_int(column)?.map(Timestamp::from_micros));
    Ok(KeyRow {
        id: String::from_utf8(id.clone()).map_err(|_| damaged("an unreadable id"))?,
        secret_hash: row.digest(1)?,
        name: row.text(2)?,
        is_admin: row.int(3)? != 0,
        write: patterns(4)?,
        read: patterns(5)?,
        created_at: row.time(6)?,
        expires_at: time(7)?,
        revoked_at: time(8)?,
        last_used_at: time(9)?,
        max_nano_usd_per_day: row.optional_int(10)?,
    })
}

fn id_value(id: &str) -> Value {
    Value::Bytes(id.as_bytes().to_vec())
}

fn lock_store(connection: &mut Connection) -> Result<(), Error> {
    connection.execute("UPDATE store SET next_space_id = next_space_id WHERE id = 1", &[])?;
    Ok(())
}
