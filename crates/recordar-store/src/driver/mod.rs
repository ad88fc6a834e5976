//! Three drivers with the same interface. Only the files in this folder name a driver; each has the same functions with the
//! same meaning: open, begin, commit, rollback, execute, query, insert. Those of servers are cargo features.

#[cfg(not(all(feature = "mysql", feature = "postgres")))]
mod absent;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

#[cfg(not(feature = "mysql"))]
use absent as mysql;
#[cfg(not(feature = "postgres"))]
use absent as postgres;

use crate::dialect::Dialect;
use crate::failure::Failure;
use crate::url::{DatabaseUrl, Target};
use crate::value::{Row, Value};
use std::time::Duration;

pub(crate) use sqlite::Baseline;

/// The kind of a transaction. A read sees a snapshot of the database; writes are serialised by the space's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Write,
}

pub(crate) enum Connection {
    Sqlite(sqlite::Connection),
    Postgres(Box<postgres::Connection>),
    MySql(Box<mysql::Connection>),
}

impl Connection {
    /// Opens a connection. Only the first of a store may create a SQLite file.
    pub(crate) fn open(url: &DatabaseUrl, busy_timeout: Duration, is_first: bool) -> Result<Self, Failure> {
        let password = url.password.as_ref();
        match &url.target {
            Target::Sqlite(file) => sqlite::Connection::open(file, busy_timeout, is_first).map(Self::Sqlite),
            Target::Memory(number) => sqlite::Connection::open_in_memory(*number, busy_timeout).map(Self::Sqlite),
            Target::Postgres(url) => {
                postgres::Connection::open(url, password, busy_timeout).map(Box::new).map(Self::Postgres)
            }
            Target::MySql(url) => mysql::Connection::open(url, password, busy_timeout).map(Box::new).map(Self::MySql),
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
            Self::MySql(_) => Dialect::MySql,
        }
    }

    pub(crate) fn begin(&mut self, mode: Mode) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.begin(mode),
            Self::Postgres(connection) => connection.begin(mode),
            Self::MySql(connection) => connection.begin(mode),
        }
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.commit(),
            Self::Postgres(connection) => connection.commit(),
            Self::MySql(connection) => connection.commit(),
        }
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.rollback(),
            Self::Postgres(connection) => connection.rollback(),
            Self::MySql(connection) => connection.rollback(),
        }
    }

    /// Begins a part of the open transaction that can be undone without the rest.
    pub(crate) fn begin_part(&mut self) -> Result<(), Failure> {
        if let Self::Sqlite(connection) = self {
            connection.check_transaction()?;
        }
        self.execute("SAVEPOINT part", &[]).map(drop)
    }

    pub(crate) fn keep_part(&mut self) -> Result<(), Failure> {
        self.execute("RELEASE SAVEPOINT part", &[]).map(drop)
    }

    pub(crate) fn undo_part(&mut self) -> Result<(), Failure> {
        self.execute("ROLLBACK TO SAVEPOINT part", &[])?;
        self.keep_part()
    }

    /// Runs a statement and returns the number of matched rows.
    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Failure> {
        match self {
            Self::Sqlite(connection) => connection.execute(sql, values),
            Self::Postgres(connection) => connection.execute(sql, values),
            Self::MySql(connection) => connection.execute(sql, values),
        }
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        match self {
            Self::Sqlite(connection) => connection.query(sql, values),
            Self::Postgres(connection) => connection.query(sql, values),
            Self::MySql(connection) => connection.query(sql, values),
        }
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.insert(table, columns, rows),
            Self::Postgres(connection) => connection.insert(table, columns, rows),
            Self::MySql(connection) => connection.insert(table, columns, rows),
        }
    }

    /// Runs a statement of a migration; objects that an interrupted migration already created or dropped are no error.
    pub(crate) fn define(&mut self, sql: &str) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.define(sql),
            Self::Postgres(connection) => connection.define(sql),
            Self::MySql(connection) => connection.define(sql),
        }
    }

    /// The names of all tables in the database.
    pub(crate) fn tables(&mut self) -> Result<Vec<Row>, Failure> {
        let sql = match self {
            Self::Sqlite(_) => "SELECT name FROM sqlite_master WHERE type = 'table'",
            Self::Postgres(_) => "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
            Self::MySql(_) => "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
        };
        self.query(sql, &[])
    }

    /// Stops other processes from migrating until `unlock_schema`.
    pub(crate) fn lock_schema(&mut self) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.lock_schema(),
            Self::Postgres(connection) => connection.lock_schema(),
            Self::MySql(connection) => connection.lock_schema(),
        }
    }

    pub(crate) fn unlock_schema(&mut self) -> Result<(), Failure> {
        match self {
            Self::Sqlite(connection) => connection.unlock_schema(),
            Self::Postgres(connection) => connection.unlock_schema(),
            Self::MySql(connection) => connection.unlock_schema(),
        }
    }

    /// Makes sure that deleted bytes are gone from the database's own files, as far as the engine allows. True if they
    /// are.
    pub(crate) fn scrub(&mut self) -> Result<bool, Failure> {
        match self {
            Self::Sqlite(connection) => connection.scrub(),
            Self::Postgres(connection) => connection.scrub(),
            Self::MySql(connection) => connection.scrub(),
        }
    }

    /// The engine's findings about its own health.
    pub(crate) fn check(&mut self) -> Result<Vec<String>, Failure> {
        match self {
            Self::Sqlite(connection) => connection.check(),
            Self::Postgres(connection) => connection.check(),
            Self::MySql(connection) => connection.check(),
        }
    }
}

/// Splits rows into batches well below a server's limits on parameters and packets.
fn batches(rows: &[Vec<Value>], columns: usize) -> impl Iterator<Item = &[Vec<Value>]> {
    const MOST_PARAMETERS: usize = 2000;
    const MOST_BYTES: usize = 1024 * 1024;
    let most_rows = (MOST_PARAMETERS / columns.max(1)).max(1);
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |row: &&Vec<Value>| {
            bytes += row.iter().map(Value::size).sum::<usize>();
            bytes <= MOST_BYTES
        };
        let length = rest.iter().take(most_rows).take_while(fits).count().max(1).min(rest.len());
        let (batch, behind) = rest.split_at(length);
        rest = behind;
        (!batch.is_empty()).then_some(batch)
    })
}
