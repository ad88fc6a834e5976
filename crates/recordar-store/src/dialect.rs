//! What differs between the three databases in the text of a statement. Everything else is written once.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
    MySql,
}

impl Dialect {
    /// Puts the dialect's words into a migration and cuts it into statements.
    pub(crate) fn statements(self, migration: &str) -> Vec<String> {
        let (int, text, hash, bytes, options, on_items) = match self {
            Self::Sqlite => ("INTEGER", "TEXT", "BLOB", "BLOB", " STRICT", ""),
            Self::Postgres => ("BIGINT", "TEXT COLLATE \"C\"", "BYTEA", "BYTEA", "", ""),
            // Names are compared by their hashes only, so the binary collation that both MariaDB and MySQL have will do.
            Self::MySql => (
                "BIGINT",
                "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "VARBINARY(32)",
                "LONGBLOB",
                " ENGINE=InnoDB",
                // An index has its name within its table there.
                " ON items",
            ),
        };
        let without_comments: String =
            migration.lines().filter(|line| !line.starts_with("--")).map(|line| format!("{line}\n")).collect();
        without_comments
            .replace("{int}", int)
            .replace("{text}", text)
            .replace("{hash}", hash)
            .replace("{bytes}", bytes)
            .replace("{options}", options)
            .replace("{on_items}", on_items)
            .split(";\n")
            .map(|statement| statement.trim().to_owned())
            .filter(|statement| !statement.is_empty())
            .collect()
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

/// `INSERT INTO table (columns) VALUES` with so many rows of parameters.
pub(crate) fn insert_sql(table: &str, columns: &[&str], rows: usize) -> String {
    let row = format!("({})", vec!["?"; columns.len()].join(", "));
    format!("INSERT INTO {table} ({}) VALUES {}", columns.join(", "), vec![row; rows].join(", "))
}
