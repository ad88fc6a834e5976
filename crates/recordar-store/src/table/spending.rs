//! The daily spending on language models: one sum for the whole store, since it has one bill, and one for each account in it.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Digest, Timestamp};
use std::collections::BTreeMap;

pub(crate) const COLUMNS: [&str; 4] = ["day", "calls", "tokens", "nano_usd"];
pub(crate) const RESERVATION_COLUMNS: [&str; 6] = ["reservation", "day", "tokens", "nano_usd", "expires_at", "account"];
pub(crate) const ACCOUNT_COLUMNS: [&str; 5] = ["day", "account", "calls", "tokens", "nano_usd"];

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    pub tokens: i64,
    /// Billionths of a dollar.
    pub nano_usd: i64,
}

impl Amount {
    fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
        }
    }
}

/// The amount to reserve for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewReservation<'a> {
    pub id: Digest,
    pub day: i64,
    pub most: Amount,
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
    /// The id of the key that it is made for.
    pub account: Option<&'a str>,
}

/// The amounts spent and reserved in a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DaySpending {
    pub spent: Amount,
    pub set_aside: Amount,
}

impl Reading<'_> {
    /// An expired reservation counts as spent: no process is left to settle it.
    pub fn spending(&mut self, day: i64, now: Timestamp) -> Result<DaySpending, Error> {
        let spent = self.query_one("SELECT tokens, nano_usd FROM spending WHERE day = ?", &[day.into()])?;
        let open = self.query("SELECT tokens, nano_usd, expires_at FROM reservations WHERE day = ?", &[day.into()])?;
        sum(spent.as_ref(), &open, now)
    }

    /// The part of it on one account.
    pub fn account_spending(&mut self, account: &str, day: i64, now: Timestamp) -> Result<DaySpending, Error> {
        let values = [day.into(), account_value(account)];
        let sql = "SELECT tokens, nano_usd FROM account_spending WHERE day = ? AND account = ?";
        let spent = self.query_one(sql, &values)?;
        let sql = "SELECT tokens, nano_usd, expires_at FROM reservations WHERE day = ? AND account = ?";
        let open = self.query(sql, &values)?;
        sum(spent.as_ref(), &open, now)
    }

    /// What was spent and reserved on each account in a day.
    pub fn spending_by_account(&mut self, day: i64) -> Result<BTreeMap<String, Amount>, Error> {
        let settled =
            self.query("SELECT account, tokens, nano_usd FROM account_spending WHERE day = ?", &[day.into()])?;
        let sql = "SELECT account, tokens, nano_usd FROM reservations WHERE day = ? AND account IS NOT NULL";
        let open = self.query(sql, &[day.into()])?;
        let mut sums: BTreeMap<String, Amount> = BTreeMap::new();
        for row in settled.iter().chain(&open) {
            let Value::Bytes(account) = &row.0[0] else { continue };
            let sum = sums.entry(String::from_utf8_lossy(account).into_owned()).or_default();
            *sum = sum.plus(Amount { tokens: row.int(1)?, nano_usd: row.int(2)? });
        }
        Ok(sums)
    }
}

fn sum(spent: Option<&Row>, open: &[Row], now: Timestamp) -> Result<DaySpending, Error> {
    let amount = |row: &Row| Ok::<_, Error>(Amount { tokens: row.int(0)?, nano_usd: row.int(1)? });
    let mut spending =
        DaySpending { spent: spent.map_or(Ok(Amount::default()), amount)?, set_aside: Amount::default() };
    for row in open {
        let part = if row.time(2)? > now { &mut spending.set_aside } else { &mut spending.spent };
        *part = part.plus(amount(row)?);
    }
    Ok(spending)
}

/// Reserves an amount, if the caller allows it given the amount already spent.
pub(crate) fn reserve_spending(
    connection: &mut Connection,
    reservation: &NewReservation<'_>,
    is_allowed: &mut dyn FnMut(DaySpending, DaySpending) -> bool,
) -> Result<bool, Error> {
    lock_store_row(connection)?;
    let NewReservation { id, day, most, made_at, expires_at, account } = *reservation;
    if is_reserved(connection, id)? {
        // This reservation was already made, and the reply was lost.
        return Ok(true);
    }
    let before = Reading::new(connection).spending(day, made_at)?;
    let of_account = match account {
        Some(account) => Reading::new(connection).account_spending(account, day, made_at)?,
        None => DaySpending::default(),
    };
    if !is_allowed(before, of_account) {
        return Ok(false);
    }
    let account = account.map_or(Value::Null, account_value);
    let row = vec![id.into(), day.into(), most.tokens.into(), most.nano_usd.into(), expires_at.into(), account];
    connection.insert("reservations", &RESERVATION_COLUMNS, &[row])?;
    Ok(true)
}

/// Replaces the reservation with the amount spent; only once, however often it is repeated.
pub(crate) fn settle_spending(
    connection: &mut Connection,
    reservation: Digest,
    day: i64,
    spent: Amount,
) -> Result<bool, Error> {
    lock_store_row(connection)?;
    let open = connection.query("SELECT account FROM reservations WHERE reservation = ?", &[reservation.into()])?;
    let Some(Row(columns)) = open.first() else { return Ok(false) };
    connection.execute("DELETE FROM reservations WHERE reservation = ?", &[reservation.into()])?;
    add_to_day(connection, ("spending", &COLUMNS), &[("day", day.into())], spent)?;
    if columns[0] != Value::Null {
        let of_account = [("day", day.into()), ("account", columns[0].clone())];
        add_to_day(connection, ("account_spending", &ACCOUNT_COLUMNS), &of_account, spent)?;
    }
    Ok(true)
}

/// Adds a call to the sums of a row, which is found by its key.
fn add_to_day(
    connection: &mut Connection,
    (table, columns): (&str, &[&str]),
    key: &[(&str, Value)],
    spent: Amount,
) -> Result<(), Error> {
    let condition: Vec<String> = key.iter().map(|(column, _)| format!("{column} = ?")).collect();
    let condition = condition.join(" AND ");
    let key: Vec<Value> = key.iter().map(|(_, value)| value.clone()).collect();
    let known = connection.query(&format!("SELECT calls, tokens, nano_usd FROM {table} WHERE {condition}"), &key)?;
    let Some(row) = known.first() else {
        let sums = [Value::Int(1), spent.tokens.into(), spent.nano_usd.into()];
        return Ok(connection.insert(table, columns, &[key.into_iter().chain(sums).collect()])?);
    };
    let sum = Amount { tokens: row.int(1)?, nano_usd: row.int(2)? }.plus(spent);
    let sums = [(row.int(0)? + 1).into(), sum.tokens.into(), sum.nano_usd.into()];
    let values: Vec<Value> = sums.into_iter().chain(key).collect();
    connection
        .execute(&format!("UPDATE {table} SET calls = ?, tokens = ?, nano_usd = ? WHERE {condition}"), &values)?;
    Ok(())
}

fn account_value(account: &str) -> Value {
    Value::Bytes(account.as_bytes().to_vec())
}

/// Spenders queue at the store's row, as creators of spaces do.
fn lock_store_row(connection: &mut Connection) -> Result<(), Error> {
    connection.execute("UPDATE store SET next_space_id = next_space_id WHERE id = 1", &[])?;
    Ok(())
}

fn is_reserved(connection: &mut Connection, reservation: Digest) -> Result<bool, Error> {
    let sql = "SELECT day FROM reservations WHERE reservation = ?";
    Ok(!connection.query(sql, &[reservation.into()])?.is_empty())
}
