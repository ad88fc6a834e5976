//! Query plans: for the tests that no loader scans a whole table.

use crate::database::Store;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::transaction::Reading;
use crate::value::{Row, Value};

/// A statement that was run, and the database's plan for it.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPlan {
    pub sql: String,
    pub lines: Vec<String>,
}

impl Reading<'_> {
    /// Asks the database for nothing: the baseline of a read.
    pub fn ping(&mut self) -> Result<(), Error> {
        self.query("SELECT 1", &[]).map(drop)
    }
}

impl Store {
    /// Runs the body, and returns the plan of each statement it ran, in order.
    #[doc(hidden)]
    pub fn plans<T>(
        &self,
        mut body: impl FnMut(&mut Reading<'_>) -> Result<T, Error>,
    ) -> Result<Vec<QueryPlan>, Error> {
        self.read(|reading| {
            let ran = reading.record_statements(&mut body)?;
            ran.into_iter().map(|(sql, values)| explain(reading, sql, &values)).collect()
        })
    }
}

fn explain(reading: &mut Reading<'_>, sql: String, values: &[Value]) -> Result<QueryPlan, Error> {
    let explain = match reading.dialect() {
        Dialect::Sqlite => "EXPLAIN QUERY PLAN",
        Dialect::Postgres => "EXPLAIN",
        Dialect::MySql => "EXPLAIN FORMAT=JSON",
    };
    let rows = reading.query(&format!("{explain} {sql}"), values)?;
    let text = |value: &Value| match value {
        Value::Text(text) => Some(text.clone()),
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::Null | Value::Int(_) => None,
    };
    let texts: Vec<String> = rows.iter().flat_map(|Row(columns)| columns.iter().filter_map(text)).collect();
    Ok(QueryPlan { sql, lines: texts.iter().flat_map(|text| text.lines().map(str::to_owned)).collect() })
}
