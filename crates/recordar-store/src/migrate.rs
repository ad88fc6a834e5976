//! Migrations: the same numbers on all three databases, applied on first use, under a lock.

use crate::driver::Connection;
use crate::error::Error;
use crate::failure::Failure;
use crate::table::{TABLES, take_stored_words};
use crate::value::Value;

const MIGRATIONS: [(i64, &str, &str); 13] = [
    (1, "spine", include_str!("../migrations/0001_spine.sql")),
    (2, "index", include_str!("../migrations/0002_index.sql")),
    (3, "receipts", include_str!("../migrations/0003_receipts.sql")),
    (4, "spending", include_str!("../migrations/0004_spending.sql")),
    (5, "tree", include_str!("../migrations/0005_tree.sql")),
    (6, "conversation", include_str!("../migrations/0006_conversation.sql")),
    (7, "documents", include_str!("../migrations/0007_documents.sql")),
    (8, "collections", include_str!("../migrations/0008_collections.sql")),
    (9, "vectors", include_str!("../migrations/0009_vectors.sql")),
    (10, "facts", include_str!("../migrations/0010_facts.sql")),
    (11, "compose", include_str!("../migrations/0011_compose.sql")),
    (12, "keys", include_str!("../migrations/0012_keys.sql")),
    (13, "living_facts", include_str!("../migrations/0013_living_facts.sql")),
];

/// The newest schema that this program supports.
pub(crate) const LATEST_SCHEMA: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

const LEDGER: &str = "recordar_schema";
const CREATE_LEDGER: &str =
    "CREATE TABLE IF NOT EXISTS recordar_schema (version {int} NOT NULL PRIMARY KEY, name {text} NOT NULL){options};\n";

/// Brings the schema up to date, and returns its version. Unless `creates`, a database without a schema is an error.
pub(crate) fn migrate(connection: &mut Connection, target: &str, creates: bool) -> Result<i64, Error> {
    if let Ok(version) = version(connection)
        && version == LATEST_SCHEMA
    {
        return Ok(version);
    }
    if !creates && !tables(connection)?.iter().any(|table| table == LEDGER) {
        refuse_foreign(connection, target)?;
        return Err(Error::NoDatabase { target: target.to_owned() });
    }
    connection.lock_schema()?;
    let migrated = apply(connection, target);
    match &migrated {
        Ok(_) => connection.unlock_schema()?,
        // A failed lock ends with the connection, which the caller drops.
        Err(_) => drop(connection.rollback()),
    }
    migrated
}

fn apply(connection: &mut Connection, target: &str) -> Result<i64, Error> {
    refuse_foreign(connection, target)?;
    define(connection, CREATE_LEDGER)?;
    let found = version(connection)?;
    if found > LATEST_SCHEMA {
        return Err(Error::SchemaNewer { target: target.to_owned(), found, known: LATEST_SCHEMA });
    }
    for (number, name, text) in MIGRATIONS.iter().filter(|(number, ..)| *number > found) {
        define(connection, text)?;
        // Before the ledger: if every statement commits on its own, the ledger must be written last.
        if *number == 1 && connection.query("SELECT id FROM store", &[])?.is_empty() {
            connection.insert("store", &["id", "next_space_id"], &[vec![Value::Int(1), Value::Int(1)]])?;
        }
        if *number == 6 && connection.query("SELECT id FROM queue", &[])?.is_empty() {
            connection.insert("queue", &["id", "turn"], &[vec![Value::Int(1), Value::Int(0)]])?;
        }
        if *number == 13 {
            for row in connection.query("SELECT space_id FROM spaces", &[])? {
                take_stored_words(connection, &row.0[0])?;
            }
        }
        connection.insert("recordar_schema", &["version", "name"], &[vec![(*number).into(), (*name).into()]])?;
    }
    Ok(LATEST_SCHEMA)
}

/// A database without our ledger must not have tables with our names: they belong to another program.
fn refuse_foreign(connection: &mut Connection, target: &str) -> Result<(), Error> {
    let tables = tables(connection)?;
    if tables.iter().any(|table| table == LEDGER) {
        return Ok(());
    }
    match TABLES.iter().find(|(ours, _)| tables.iter().any(|table| table == ours)) {
        Some((table, _)) => Err(Error::Foreign { target: target.to_owned(), table: (*table).to_owned() }),
        None => Ok(()),
    }
}

fn tables(connection: &mut Connection) -> Result<Vec<String>, Error> {
    connection.tables()?.iter().map(|row| row.text(0)).collect()
}

/// The statements that create an empty SQLite database with the newest schema.
pub(crate) fn sqlite_schema() -> Vec<String> {
    MIGRATIONS.iter().flat_map(|(_, _, text)| crate::dialect::Dialect::Sqlite.statements(text)).collect()
}

fn version(connection: &mut Connection) -> Result<i64, Failure> {
    let rows = connection.query("SELECT version FROM recordar_schema", &[])?;
    let versions = rows.iter().map(|row| if let Value::Int(version) = row.0[0] { version } else { 0 });
    Ok(versions.max().unwrap_or(0))
}

fn define(connection: &mut Connection, migration: &str) -> Result<(), Failure> {
    let statements = connection.dialect().statements(migration);
    statements.iter().try_for_each(|statement| connection.define(statement))
}
