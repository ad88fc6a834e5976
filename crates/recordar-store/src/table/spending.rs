//! The daily spending on language models: one sum for the whole store, since it has one bill.

use crate::driver::Connection;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Digest, Timestamp};

pub(crate) const COLUMNS: [&str; 4] = ["day", "calls", "tokens", "nano_usd"];
pub(crate) const RESERVATION_COLUMNS: [&str; 5] = ["reservation", "day", "tokens", "nano_usd", "expires_at"];

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
pub struct NewReservation {
    pub id: Digest,
    pub day: i64,
    pub most: Amount,
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
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
        let amount = |row: &Row| Ok::<_, Error>(Amount { tokens: row.int(0)?, nano_usd: row.int(1)? });
        let spent = self.query_one("SELECT tokens, nano_usd FROM spending WHERE day = ?", &[day.into()])?;
        let open = self.query("SELECT tokens, nano_usd, expires_at FROM reservations WHERE day = ?", &[day.into()])?;
        let mut spending =
            DaySpending { spent: spent.as_ref().map_or(Ok(Amount::default()), amount)?, set_aside: Amount::default() };
        for row in &open {
            let part = if row.time(2)? > now { &mut spending.set_aside } else { &mut spending.spent };
            *part = part.plus(amount(row)?);
        }
        Ok(spending)
    }
}

/// Reserves an amount, if the caller allows it given the amount already spent.
pub(crate) fn reserve_spending(
    connection: &mut Connection,
    reservation: &NewReservation,
    is_allowed: &mut dyn FnMut(DaySpending) -> bool,
) -> Result<bool, Error> {
    lock_store_row(connection)?;
    let NewReservation { id, day, most, made_at, expires_at } = *reservation;
    if is_reserved(connection, id)? {
        // This reservation was already made, and the reply was lost.
        return Ok(true);
    }
    let before = Reading::new(connection).spending(day, made_at)?;
    if !is_allowed(before) {
        return Ok(false);
    }
    let row = vec![id.into(), day.into(), most.tokens.into(), most.nano_usd.into(), expires_at.into()];
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
    if !is_reserved(connection, reservation)? {
        return Ok(false);
    }
    connection.execute("DELETE FROM reservations WHERE reservation = ?", &[reservation.into()])?;
    let known = connection.query("SELECT calls, tokens, nano_usd FROM spending WHERE day = ?", &[day.into()])?;
    let Some(row) = known.first() else {
        let row: Vec<Value> = vec![day.into(), Value::Int(1), spent.tokens.into(), spent.nano_usd.into()];
        return Ok(connection.insert("spending", &COLUMNS, &[row]).map(|()| true)?);
    };
    let sum = Amount { tokens: row.int(1)?, nano_usd: row.int(2)? }.plus(spent);
    let values = [(row.int(0)? + 1).into(), sum.tokens.into(), sum.nano_usd.into(), day.into()];
    connection.execute("UPDATE spending SET calls = ?, tokens = ?, nano_usd = ? WHERE day = ?", &values)?;
    Ok(true)
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
