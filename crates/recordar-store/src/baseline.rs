//! Whole stores as plain rows: to compare two stores, and to measure the cost of the same rows without our code.

use crate::database::Store;
use crate::driver::Baseline;
use crate::error::{Error, from_failure};
use crate::failure::Failure;
use crate::migrate::sqlite_schema;
use crate::table::TABLES;
use crate::value::{Row, Value};
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

/// SQLite's own full-text index over the same texts, with its defaults.
pub struct FullText {
    baseline: Baseline,
}

impl FullText {
    /// Indexes texts, whose rows are numbered from 1.
    pub fn build(path: &Path, texts: &[String]) -> Result<Self, Error> {
        let build = || -> Result<Baseline, Failure> {
            let schema = "CREATE VIRTUAL TABLE texts USING fts5(content, tokenize = 'porter unicode61')".to_owned();
            let mut baseline = Baseline::open(path, &[schema])?;
            baseline.begin()?;
            for part in texts.chunks(10_000) {
                let rows: Vec<Vec<Value>> = part.iter().map(|text| vec![text.as_str().into()]).collect();
                baseline.insert("texts", &["content"], &rows)?;
            }
            baseline.commit()?;
            Ok(baseline)
        };
        let baseline = build().map_err(|failure| from_failure(failure, &path.display().to_string(), 1, 0))?;
        Ok(Self { baseline })
    }

    /// The texts that contain one of the words, best first.
    pub fn search(&mut self, words: &[&str], limit: usize) -> Result<Vec<i64>, Error> {
        let words: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', ""))).collect();
        let sql = "SELECT rowid, content FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?";
        let values = [words.join(" OR ").into(), Value::Int(limit as i64)];
        let rows = self.baseline.query(sql, &values).map_err(|failure| from_failure(failure, "the baseline", 1, 0))?;
        rows.iter().map(|row| row.int(0)).collect()
    }
}

impl RawTransactions {
    /// Splits the transactions that wrote to a space after the first `count`.
    pub fn split(mut self, first: usize) -> (Self, Self) {
        // Rows without a revision, such as the space's own, come first.
        let rest = self.transactions.split_off((first + 1).min(self.transactions.len()));
        (self, Self { transactions: rest })
    }

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
