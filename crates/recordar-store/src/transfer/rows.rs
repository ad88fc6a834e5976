//! The rows of one space on their way in: each column is what its table says, and what a row refers to is there.

use super::tables::{Column, Holds, TABLES, Table};
use super::{SpaceLine, refuse};
use crate::Error;
use crate::driver::Connection;
use crate::value::Value;
use recordar_domain::{Attributes, Digest, FileType, ItemKind, MAX_TEXT_BYTES, Metadata};

/// Rows that are written at once.
const BATCH: usize = 500;

pub(super) struct Rows<'a> {
    space: &'a SpaceLine,
    id: Value,
    is_written: bool,
    /// The table that is being read; they come in a fixed order.
    table: usize,
    /// The key of the row before, in its table: they come in order, each once.
    last: Option<Vec<Value>>,
    /// The first columns of the keys, ascending, of each table that others refer to.
    known: Vec<Option<Vec<Value>>>,
    batch: Vec<Vec<Value>>,
    pub(super) count: u64,
}

type Object = serde_json::Map<String, serde_json::Value>;

impl<'a> Rows<'a> {
    pub(super) fn new(space: &'a SpaceLine, id: Value, is_written: bool) -> Self {
        let known = TABLES.iter().map(|table| is_referred_to(table.name).then(Vec::new)).collect();
        Self { space, id, is_written, table: 0, last: None, known, batch: Vec::new(), count: 0 }
    }

    pub(super) fn take(&mut self, connection: &mut Connection, name: &str, mut row: Object) -> Result<(), Error> {
        let place = TABLES.iter().position(|table| table.name == name);
        let place = place.ok_or_else(|| refuse(format!("{name:?} is no table of this version")))?;
        if place < self.table {
            return Err(refuse(format!("{name} come too late")));
        }
        if place > self.table {
            self.last = None;
        }
        if place > self.table || self.batch.len() >= BATCH {
            self.flush(connection)?;
        }
        self.table = place;
        let table = &TABLES[place];
        let mut values = vec![self.id.clone()];
        for column in table.columns {
            let value = row.remove(column.name).unwrap_or(serde_json::Value::Null);
            values.push(self.value(column, value).map_err(|why| wrong(table, column, &why))?);
        }
        if let Some((unknown, _)) = row.into_iter().next() {
            return Err(refuse(format!("{name} has a column {unknown:?} that is not known")));
        }
        check_row(table, &values)?;
        let key = values[1..=table.key].to_vec();
        if self.last.as_ref().is_some_and(|last| *last >= key) {
            return Err(refuse(format!("a row of {name} comes twice, or in another order")));
        }
        if let Some(known) = &mut self.known[place] {
            known.push(key[0].clone());
        }
        self.last = Some(key);
        self.count += 1;
        if self.is_written {
            self.batch.push(values);
        }
        Ok(())
    }

    pub(super) fn flush(&mut self, connection: &mut Connection) -> Result<(), Error> {
        if !self.batch.is_empty() {
            let table = &TABLES[self.table];
            let columns: Vec<&str> = std::iter::once("space_id").chain(table.names()).collect();
            connection.insert(table.name, &columns, &self.batch)?;
            self.batch.clear();
        }
        Ok(())
    }

    /// A value of a column, or why it is none.
    fn value(&self, column: &Column, value: serde_json::Value) -> Result<Value, String> {
        if value.is_null() {
            return if column.is_optional { Ok(Value::Null) } else { Err("it is missing".to_owned()) };
        }
        let number = || value.as_i64().ok_or_else(|| "a whole number was expected".to_owned());
        let within = |least: i64, most: i64| {
            let number = number()?;
            let is_within = (least..=most).contains(&number);
            if is_within { Ok(Value::Int(number)) } else { Err(format!("{number} is not from {least} to {most}")) }
        };
        match column.holds {
            Holds::Id => within(1, self.space.next_id - 1),
            Holds::Bound => within(0, self.space.next_id),
            Holds::Revision => within(1, self.space.revision),
            Holds::Number => number().map(Value::Int),
            Holds::Row(table) => {
                let place = TABLES.iter().position(|other| other.name == table).unwrap_or_default();
                let key = match value.as_i64() {
                    Some(number) => Value::Int(number),
                    None => hash(&value)?,
                };
                let is_there = self.known[place].as_ref().is_some_and(|known| known.binary_search(&key).is_ok());
                if is_there { Ok(key) } else { Err(format!("it names a row of {table} that is not there")) }
            }
            Holds::Hash | Holds::HashOf(_) => hash(&value),
            Holds::Text | Holds::Json => {
                let serde_json::Value::String(text) = value else { return Err("text was expected".to_owned()) };
                if text.len() > MAX_TEXT_BYTES || text.contains('\0') {
                    return Err(format!("it is longer than {MAX_TEXT_BYTES} bytes, or holds a NUL"));
                }
                if column.holds == Holds::Json && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
                    return Err("JSON was expected".to_owned());
                }
                Ok(Value::Text(text))
            }
        }
    }
}

fn is_referred_to(table: &str) -> bool {
    TABLES
        .iter()
        .flat_map(|other| other.columns)
        .any(|column| matches!(column.holds, Holds::Row(name) if name == table))
}

fn hash(value: &serde_json::Value) -> Result<Value, String> {
    let digest = value.as_str().and_then(Digest::from_hex);
    digest.map(Value::from).ok_or_else(|| "64 hexadecimal digits were expected".to_owned())
}

fn wrong(table: &Table, column: &Column, why: &str) -> Error {
    refuse(format!("{}.{}: {why}", table.name, column.name))
}

/// What several columns of a row have to do with each other, and words that have to be known.
fn check_row(table: &Table, values: &[Value]) -> Result<(), Error> {
    let of = |name: &str| {
        let place = table.columns.iter().position(|column| column.name == name);
        place.map_or(&Value::Null, |place| &values[place + 1])
    };
    for column in table.columns {
        if let Holds::HashOf(name) = column.holds
            && let Value::Text(text) = of(name)
            && !text.is_empty()
            && *of(column.name) != Digest::of(text).into()
        {
            return Err(wrong(table, column, &format!("it is not the sha256 of {name}")));
        }
    }
    let is_right = match table.name {
        "items" => is_item(of("kind"), of("content"), of("overlap")),
        "versions" => is_version(&of),
        _ => true,
    };
    if is_right { Ok(()) } else { Err(refuse(format!("a row of {} cannot be read", table.name))) }
}

fn is_item(kind: &Value, content: &Value, overlap: &Value) -> bool {
    let (Value::Int(kind), Value::Text(text), Value::Int(overlap)) = (kind, content, overlap) else { return false };
    let is_slice = usize::try_from(*overlap).is_ok_and(|overlap| text.is_char_boundary(overlap));
    ItemKind::of_code(*kind).is_some() && is_slice
}

fn is_version<'v>(of: &impl Fn(&str) -> &'v Value) -> bool {
    let text = |name: &str| if let Value::Text(text) = of(name) { Some(text.clone()) } else { None };
    let tags: Vec<String> = text("tags").and_then(|tags| serde_json::from_str(&tags).ok()).unwrap_or_default();
    let tags = tags.iter().map(String::as_str);
    let metadata = text("metadata").and_then(|json| Metadata::from_json(&json).ok());
    let attributes = |metadata| Attributes::new(tags, text("topic"), text("note"), text("provider"), metadata).ok();
    metadata.and_then(attributes).is_some() && text("file_type").is_some_and(|name| FileType::parse(&name).is_ok())
}
