//! The imported rows of one space: each column has the type that its table declares, and referenced rows exist. `check` compares the
//! columns of a row with each other.

use super::check::Checks;
use super::export::row_line;
use super::tables::{Column, Holds, TABLES, Table};
use super::{SourcesOf, SpaceLine, refuse, refuse_column};
use crate::driver::Connection;
use crate::error::Error;
use crate::table::{drop_receipts_of, take_stored_words};
use crate::value::Value;
use recordar_domain::{Digest, MAX_TEXT_BYTES, Timestamp};

/// The number of rows, and of their bytes, written at once.
const BATCH: usize = 500;
const BATCH_BYTES: usize = 4 * 1024 * 1024;

pub(super) struct Rows<'a> {
    space: &'a SpaceLine,
    id: Value,
    is_written: bool,
    /// The table that is being read; they come in a fixed order.
    table: usize,
    /// The key of the previous row in its table: keys are unique and in order.
    last: Option<Vec<Value>>,
    /// The first columns of the keys, ascending, of each table that others refer to.
    known: Vec<Option<Vec<Value>>>,
    checks: Checks<'a>,
    batch: Vec<Vec<Value>>,
    batch_bytes: usize,
    pub(super) count: u64,
}

type Object = serde_json::Map<String, serde_json::Value>;

impl<'a> Rows<'a> {
    pub(super) fn new(space: &'a SpaceLine, id: Value, is_written: bool, sources_of: &'a SourcesOf) -> Self {
        Self {
            space,
            id,
            is_written,
            table: 0,
            last: None,
            known: TABLES.iter().map(|table| is_referred_to(table.name).then(Vec::new)).collect(),
            checks: Checks::new(space, sources_of),
            batch: Vec::new(),
            batch_bytes: 0,
            count: 0,
        }
    }

    /// Takes a row; `line` must be exactly as an export writes it.
    pub(super) fn take(
        &mut self,
        connection: &mut Connection,
        name: &str,
        mut row: Object,
        line: &[u8],
    ) -> Result<(), Error> {
        let place = TABLES.iter().position(|table| table.name == name);
        let place = place.ok_or_else(|| refuse(format!("{name:?} is not a table of this version")))?;
        if place < self.table {
            return Err(refuse(format!("{name} are out of order")));
        }
        if place > self.table {
            self.flush(connection)?;
            self.last = None;
            self.table = place;
        }
        let table = &TABLES[place];
        let mut values = Vec::with_capacity(table.columns.len());
        for column in table.columns {
            let value = row.remove(column.name).unwrap_or(serde_json::Value::Null);
            values.push(self.value(column, value).map_err(|why| refuse_column(table, column, &why))?);
        }
        if let Some((unknown, _)) = row.into_iter().next() {
            return Err(refuse(format!("{name} has an unknown column {unknown:?}")));
        }
        if row_line(table, &values) != line {
            return Err(refuse("it is not in the format of an export"));
        }
        self.checks.check(connection, table, &values)?;
        self.keep_key(table, place, &values)?;
        self.count += 1;
        if self.is_written {
            self.batch_bytes += line.len();
            self.batch.push(std::iter::once(self.id.clone()).chain(values).collect());
            if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES {
                self.flush(connection)?;
            }
        }
        Ok(())
    }

    /// Writes the remaining rows, and checks that nothing is missing.
    pub(super) fn finish(&mut self, connection: &mut Connection) -> Result<(), Error> {
        self.flush(connection)?;
        self.checks.finish()?;
        if self.is_written { take_stored_words(connection, &self.id) } else { Ok(()) }
    }

    fn flush(&mut self, connection: &mut Connection) -> Result<(), Error> {
        if !self.batch.is_empty() {
            let table = &TABLES[self.table];
            let columns: Vec<&str> = std::iter::once("space_id").chain(table.names()).collect();
            match table.name {
                // One may exist from before the space was forgotten here.
                "operations" => self.batch.iter().try_for_each(|row| drop_operation(connection, row))?,
                "tombstones" => drop_receipts(connection, self.space, &self.batch)?,
                _ => {}
            }
            connection.insert(table.name, &columns, &self.batch)?;
            self.batch.clear();
            self.batch_bytes = 0;
        }
        Ok(())
    }

    /// All ids of a space come from one sequence, so no two rows can have the same id.
    fn keep_key(&mut self, table: &Table, place: usize, values: &[Value]) -> Result<(), Error> {
        let key = values[..table.key].to_vec();
        if self.last.as_ref().is_some_and(|last| *last >= key) {
            return Err(refuse(format!("a row of {} is a duplicate or out of order", table.name)));
        }
        let is_taken =
            |known: &Option<Vec<Value>>| known.as_ref().is_some_and(|ids| ids.binary_search(&key[0]).is_ok());
        if table.columns[0].holds == Holds::Id && self.known[..place].iter().any(is_taken) {
            return Err(refuse(format!("a row of {} has an id that is already used", table.name)));
        }
        if let Some(known) = &mut self.known[place] {
            known.push(key[0].clone());
        }
        self.last = Some(key);
        Ok(())
    }

    /// The value of a column, or why it is invalid.
    fn value(&self, column: &Column, value: serde_json::Value) -> Result<Value, String> {
        if value.is_null() {
            return if column.is_optional { Ok(Value::Null) } else { Err("it is missing".to_owned()) };
        }
        let number = || value.as_i64().ok_or_else(|| "expected an integer".to_owned());
        let within = |least: i64, most: i64| {
            let number = number()?;
            let is_within = (least..=most).contains(&number);
            if is_within { Ok(Value::Int(number)) } else { Err(format!("{number} is out of range: {least} to {most}")) }
        };
        match column.holds {
            Holds::Id => within(1, self.space.next_id - 1),
            Holds::Bound => within(0, self.space.next_id),
            Holds::Revision => within(1, self.space.revision),
            Holds::Count => within(0, i64::from(u32::MAX)),
            Holds::Place => number().map(Value::Int),
            Holds::Time => match number()? {
                time if is_time(time) => Ok(Value::Int(time)),
                time => Err(format!("{time} is not a valid time")),
            },
            Holds::Row(table) => {
                let place = TABLES.iter().position(|other| other.name == table).unwrap_or_default();
                let key = match value.as_i64() {
                    Some(number) => Value::Int(number),
                    None => hash(&value)?,
                };
                let is_there = self.known[place].as_ref().is_some_and(|known| known.binary_search(&key).is_ok());
                if is_there { Ok(key) } else { Err(format!("it names a missing row of {table}")) }
            }
            Holds::Hash | Holds::HashOf(_) => hash(&value),
            Holds::Bytes(most) => bytes(&value, most),
            Holds::Text(most) => text(value, most).map(Value::Text),
            Holds::Json => {
                let text = text(value, MAX_TEXT_BYTES)?;
                let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
                if is_json { Ok(Value::Text(text)) } else { Err("expected JSON".to_owned()) }
            }
        }
    }
}

fn drop_operation(connection: &mut Connection, row: &[Value]) -> Result<(), Error> {
    connection.execute("DELETE FROM operations WHERE space_id = ? AND operation_hash = ?", &row[..2])?;
    Ok(())
}

/// Items forgotten there are forgotten here, too: receipts that name them are removed, with their copies.
fn drop_receipts(connection: &mut Connection, space: &SpaceLine, tombstones: &[Vec<Value>]) -> Result<(), Error> {
    let id = |row: &Vec<Value>| if let Value::Int(id) = row[1] { (id, id + 1) } else { (0, 0) };
    drop_receipts_of(connection, space.name_hash, &tombstones.iter().map(id).collect::<Vec<_>>())
}

/// Whether a number of microseconds can be written as a date.
pub(super) fn is_time(micros: i64) -> bool {
    Timestamp::from_micros(micros).is_writable()
}

fn is_referred_to(table: &str) -> bool {
    let refers = |column: &Column| matches!(column.holds, Holds::Row(name) if name == table);
    TABLES.iter().flat_map(|other| other.columns).any(refers)
}

fn hash(value: &serde_json::Value) -> Result<Value, String> {
    let digest = value.as_str().and_then(Digest::from_hex);
    digest.map(Value::from).ok_or_else(|| "expected 64 hexadecimal digits".to_owned())
}

fn bytes(value: &serde_json::Value, most: usize) -> Result<Value, String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| Some(digit(pair[0])? * 16 + digit(pair[1])?);
    let digits = value.as_str().map(str::as_bytes).filter(|digits| digits.len() % 2 == 0 && digits.len() <= 2 * most);
    let bytes = digits.and_then(|digits| digits.chunks_exact(2).map(pair).collect::<Option<Vec<u8>>>());
    bytes.map(Value::Bytes).ok_or_else(|| format!("expected at most {most} bytes in hexadecimal digits"))
}

fn text(value: serde_json::Value, most: usize) -> Result<String, String> {
    let serde_json::Value::String(text) = value else { return Err("expected text".to_owned()) };
    if text.len() > most || text.contains('\0') {
        return Err(format!("it is longer than {most} bytes or contains a NUL"));
    }
    Ok(text)
}
