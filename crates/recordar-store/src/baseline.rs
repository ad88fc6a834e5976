//! Whole stores as plain rows: to compare two stores, and to measure what the same rows cost without our code.

use crate::driver::{Baseline, Failure};
use crate::error::from_failure;
use crate::migrate::sqlite_schema;
use crate::table::TABLES;
use crate::value::{Row, Value};
use crate::{Error, Store};
use std::collections::BTreeMap;
use std::path::Path;

/// Every row of a store.
pub struct RawStore {
    tables: Vec<RawTable>,
}

struct RawTable {
    name: &'static str,
    columns: &'static [&'static str],
    rows: Vec<Vec<Value>>,
}

/// The same rows in the transactions that wrote them.
pub struct RawTransactions {
    transactions: Vec<Vec<RawTable>>,
}

impl Store {
    /// Every row of every table, sorted by their values, so that two stores with the same content read the same.
    pub fn raw(&self) -> Result<RawStore, Error> {
        self.read(|reading| {
            let read = |(name, columns): &(&'static str, &'static [&'static str])| {
                let rows = reading.query(&format!("SELECT {} FROM {name}", columns.join(", ")), &[])?;
                let mut rows: Vec<Vec<Value>> = rows.into_iter().map(|Row(values)| values).collect();
                rows.sort();
                Ok(RawTable { name, columns, rows })
            };
            Ok(RawStore { tables: TABLES.iter().map(read).collect::<Result<_, Error>>()? })
        })
    }
}

impl RawStore {
    /// The rows as text, one line each.
    pub fn lines(&self) -> Vec<String> {
        let show = |value: &Value| match value {
            Value::Null => "null".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Text(text) => format!("{text:?}"),
            Value::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        let line = |name: &str, row: &[Value]| format!("{name} {}", row.iter().map(show).collect::<Vec<_>>().join(" "));
        self.tables.iter().flat_map(|table| table.rows.iter().map(|row| line(table.name, row))).collect()
    }

    /// Groups the rows by the revision that wrote them.
    pub fn into_transactions(self) -> RawTransactions {
        let mut by_revision: BTreeMap<Value, Vec<RawTable>> = BTreeMap::new();
        for RawTable { name, columns, rows } in self.tables {
            let key = columns.iter().position(|column| matches!(*column, "born" | "revision"));
            for row in rows {
                let tables = by_revision.entry(key.map_or(Value::Null, |key| row[key].clone())).or_default();
                match tables.last_mut().filter(|table| table.name == name) {
                    Some(table) => table.rows.push(row),
                    None => tables.push(RawTable { name, columns, rows: vec![row] }),
                }
            }
        }
        RawTransactions { transactions: by_revision.into_values().collect() }
    }
}

impl RawTransactions {
    /// Inserts the rows into a new SQLite file with prepared statements and nothing else.
    pub fn insert_into(&self, path: &Path) -> Result<(), Error> {
        let insert = || -> Result<(), Failure> {
            let mut baseline = Baseline::open(path, &sqlite_schema())?;
            for transaction in &self.transactions {
                baseline.begin()?;
                for table in transaction {
                    baseline.insert(table.name, table.columns, &table.rows)?;
                }
                baseline.commit()?;
            }
            Ok(())
        };
        insert().map_err(|failure| from_failure(failure, &path.display().to_string(), 1, 0))
    }
}
