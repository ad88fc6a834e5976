//! The differences between the three SQL dialects. Everything else is written once.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
    MySql,
}

impl Dialect {
    /// Fills in the dialect's types in a migration and splits it into statements.
    pub(crate) fn statements(self, migration: &str) -> Vec<String> {
        let (int, text, hash, key, bytes, options, on_items) = match self {
            Self::Sqlite => ("INTEGER", "TEXT", "BLOB", "BLOB", "BLOB", " STRICT", ""),
            Self::Postgres => ("BIGINT", "TEXT COLLATE \"C\"", "BYTEA", "BYTEA", "BYTEA", "", ""),
            // Names are compared by their hashes only, so the binary collation of both MariaDB and MySQL is enough.
            Self::MySql => (
                "BIGINT",
                "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "VARBINARY(32)",
                // The longest key of a record.
                "VARBINARY(1024)",
                "LONGBLOB",
                " ENGINE=InnoDB",
                // There, index names belong to a table.
                " ON items",
            ),
        };
        let without_comments: String =
            migration.lines().filter(|line| !line.starts_with("--")).map(|line| format!("{line}\n")).collect();
        without_comments
            .replace("{int}", int)
            .replace("{text}", text)
            .replace("{hash}", hash)
            .replace("{key}", key)
            .replace("{bytes}", bytes)
            .replace("{options}", options)
            .replace("{on_items}", on_items)
            .split(";\n")
            .map(|statement| statement.trim().to_owned())
            .filter(|statement| !statement.is_empty())
            .collect()
    }

    /// `ORDER BY` for an index that begins with bound columns, some of them NULL. PostgreSQL reads the rows in index order only if
    /// those columns are named, and MariaDB only if they are not.
    pub(crate) fn order_behind_nulls(self, nulls: &str, columns: &str) -> String {
        match self {
            Self::Postgres => format!("ORDER BY {nulls}, {columns}"),
            Self::Sqlite | Self::MySql => format!("ORDER BY {columns}"),
        }
    }

    /// A table that is to be read by one of its indexes. MariaDB needs the hint: it tends to walk the primary key, past unwanted
    /// rows, if it estimates many rows for another index.
    pub(crate) fn by_index(self, table: &str, index: &str) -> String {
        match self {
            Self::MySql => format!("{table} FORCE INDEX ({index})"),
            Self::Sqlite | Self::Postgres => table.to_owned(),
        }
    }

    /// Statements are written with `?`; PostgreSQL numbers its parameters.
    pub(crate) fn placeholders(self, sql: &str) -> String {
        if self != Self::Postgres {
            return sql.to_owned();
        }
        let mut numbered = String::with_capacity(sql.len() + 16);
        let mut number = 0;
        for c in sql.chars() {
            if c == '?' {
                number += 1;
                numbered.push_str(&format!("${number}"));
            } else {
                numbered.push(c);
            }
        }
        numbered
    }
}

/// `INSERT INTO table (columns) VALUES` with parameters for a number of rows.
pub(crate) fn insert_sql(table: &str, columns: &[&str], rows: usize) -> String {
    let row = format!("({})", vec!["?"; columns.len()].join(", "));
    format!("INSERT INTO {table} ({}) VALUES {}", columns.join(", "), vec![row; rows].join(", "))
}
