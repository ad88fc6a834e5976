//! SQLite, embedded. WAL, every commit synced to disk, deleted content overwritten.

use super::Mode;
use crate::dialect::insert_sql;
use crate::failure::{Failure, FailureKind};
use crate::url::SqliteFile;
use crate::value::{Row, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, ToSql, params_from_iter};
use std::fs::OpenOptions;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) struct Connection {
    inner: rusqlite::Connection,
    path: PathBuf,
    /// The identity of the file when it was opened: a commit to a file removed since would be lost.
    identity: Option<(u64, u64)>,
}

impl Connection {
    /// Opens the file. A missing file is created only when a store is first opened.
    pub(crate) fn open(file: &SqliteFile, busy_timeout: Duration, may_create: bool) -> Result<Self, Failure> {
        if let Some(filesystem) = network_filesystem(&file.path) {
            return Err(Failure::connect(
                format!("the file is on a network file system ({filesystem}), where SQLite's locks are unreliable"),
                "put the file on a local disk, or use PostgreSQL or MySQL for several machines",
            ));
        }
        if may_create && !file.is_read_only {
            create_private(&file.path);
        }
        let access = match file.is_read_only {
            true => OpenFlags::SQLITE_OPEN_READ_ONLY,
            false => OpenFlags::SQLITE_OPEN_READ_WRITE,
        };
        let inner = rusqlite::Connection::open_with_flags(&file.path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(|error| cannot_open(&file.path, &error))?;
        let journal = (!file.is_read_only).then_some("WAL");
        prepare(&inner, busy_timeout, journal).map_err(|error| match failure(error) {
            Failure { kind: FailureKind::Damaged, what, .. } => Failure::connect(
                format!("the file is not a SQLite database: {what}"),
                "choose another file, or restore a backup",
            ),
            other => other,
        })?;
        Ok(Self { inner, identity: identity(&file.path), path: file.path.clone() })
    }

    /// Opens a database in RAM. Connections with the same number share it; it ends with the last one.
    pub(crate) fn open_in_memory(number: u64, busy_timeout: Duration) -> Result<Self, Failure> {
        let access = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_URI;
        let name = format!("file:/recordar-{number}?vfs=memdb");
        let inner = rusqlite::Connection::open_with_flags(name, access | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let inner = inner.map_err(failure)?;
        prepare(&inner, busy_timeout, Some("MEMORY")).map_err(failure)?;
        Ok(Self { inner, identity: None, path: PathBuf::new() })
    }

    pub(crate) fn begin(&mut self, mode: Mode) -> Result<(), Failure> {
        self.run(if mode == Mode::Write { "BEGIN IMMEDIATE" } else { "BEGIN" })
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        if identity(&self.path) != self.identity {
            return Err(Failure::connect(
                "the file was removed or replaced while it was open",
                "put it back, or restore a backup; nothing was written",
            ));
        }
        self.run("COMMIT")
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        // Some errors (a full disk) have already rolled back.
        if self.inner.is_autocommit() { Ok(()) } else { self.run("ROLLBACK") }
    }

    /// Without a transaction, a savepoint would begin one of its own, and its release commit it.
    pub(crate) fn check_transaction(&self) -> Result<(), Failure> {
        if self.inner.is_autocommit() {
            return Err(Failure::new(FailureKind::Other, "the transaction has already ended"));
        }
        Ok(())
    }

    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Failure> {
        let mut statement = self.inner.prepare_cached(sql).map_err(failure)?;
        statement.execute(params_from_iter(values)).map(|rows| rows as u64).map_err(failure)
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        let mut statement = self.inner.prepare_cached(sql).map_err(failure)?;
        let columns = statement.column_count();
        let rows = statement.query_map(params_from_iter(values), |row| {
            let column = |index| {
                Ok(match row.get_ref(index)? {
                    ValueRef::Null => Value::Null,
                    ValueRef::Integer(value) => Value::Int(value),
                    ValueRef::Real(value) => Value::Int(value as i64),
                    ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
                    ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
                })
            };
            (0..columns).map(column).collect::<Result<_, rusqlite::Error>>().map(Row)
        });
        rows.and_then(Iterator::collect).map_err(failure)
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Failure> {
        let mut statement = self.inner.prepare_cached(&insert_sql(table, columns, 1)).map_err(failure)?;
        rows.iter().try_for_each(|row| statement.execute(params_from_iter(row)).map(drop).map_err(failure))
    }

    pub(crate) fn define(&mut self, sql: &str) -> Result<(), Failure> {
        self.run(sql)
    }

    /// A migration is one transaction; other processes wait for it.
    pub(crate) fn lock_schema(&mut self) -> Result<(), Failure> {
        self.run("BEGIN IMMEDIATE")
    }

    pub(crate) fn unlock_schema(&mut self) -> Result<(), Failure> {
        self.run("COMMIT")
    }

    /// Deleted content is overwritten (secure_delete), but pages that were rebuilt earlier may still hold copies of it in their
    /// gaps. So the file is rewritten, and then the log is truncated.
    pub(crate) fn scrub(&mut self) -> Result<bool, Failure> {
        if self.path.as_os_str().is_empty() {
            // Nothing of it is in a file.
            return Ok(true);
        }
        self.run("VACUUM")?;
        let busy: i64 =
            self.inner.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(failure)?;
        Ok(busy == 0)
    }

    pub(crate) fn check(&mut self) -> Result<Vec<String>, Failure> {
        let version = self.query("SELECT sqlite_version()", &[])?;
        let integrity = self.query("PRAGMA quick_check(5)", &[])?;
        let mut findings = Vec::new();
        if let Some(Row(columns)) = version.first()
            && let Some(Value::Text(version)) = columns.first()
        {
            findings.push(format!("SQLite {version}"));
        }
        for Row(columns) in integrity {
            match columns.into_iter().next() {
                Some(Value::Text(word)) if word == "ok" => findings.push("all pages are intact".to_owned()),
                Some(Value::Text(word)) => return Err(Failure::new(FailureKind::Damaged, word)),
                _ => {}
            }
        }
        Ok(findings)
    }

    fn run(&mut self, sql: &str) -> Result<(), Failure> {
        self.inner.execute_batch(sql).map_err(failure)
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn failure(error: rusqlite::Error) -> Failure {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FailureKind::Busy,
        Some(ErrorCode::DiskFull) => FailureKind::Full,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => FailureKind::ReadOnly,
        Some(ErrorCode::ConstraintViolation) => FailureKind::Constraint,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => FailureKind::Damaged,
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => FailureKind::Connect {
            remedy: "check that the disk is healthy and that the file and its folder still exist, then retry"
                .to_owned(),
            is_passing: false,
        },
        _ => FailureKind::Other,
    };
    Failure::new(kind, error.to_string())
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// A new database is readable by its owner only. SQLite gives its log the same permissions. If this fails, opening says why.
fn create_private(path: &Path) {
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

fn cannot_open(path: &Path, error: &rusqlite::Error) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (what, remedy) = if path.is_dir() {
        ("it is a folder, not a file".to_owned(), "name a file in it, for example recordar.db".to_owned())
    } else if !folder.exists() {
        (format!("the folder {} does not exist", folder.display()), format!("create it: mkdir -p {}", folder.display()))
    } else if path.exists() {
        (
            "the file cannot be opened by this user".to_owned(),
            "give this user read and write permission for it".to_owned(),
        )
    } else if folder_is_writable(folder) {
        ("the file no longer exists".to_owned(), "put it back, or restore a backup".to_owned())
    } else if let Some(ErrorCode::CannotOpen) = error.sqlite_error_code() {
        (
            format!("a file cannot be created in {}", folder.display()),
            "give this user write permission for the folder, or use another folder".to_owned(),
        )
    } else {
        (error.to_string(), "check the path".to_owned())
    };
    Failure::connect(what, remedy)
}

fn folder_is_writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}

/// The name of the network file system that a path is on, if any.
fn network_filesystem(path: &Path) -> Option<&'static str> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let existing = if path.exists() { path } else { folder };
    rustix::fs::statfs(existing).ok().and_then(|statistics| network_filesystem_name(statistics.f_type))
}

fn network_filesystem_name(magic: i64) -> Option<&'static str> {
    match magic & 0xffff_ffff {
        0x6969 => Some("NFS"),
        0x517b | 0xfe53_4d42 | 0xff53_4d42 => Some("SMB"),
        0x5346_414f => Some("AFS"),
        0x00c3_6400 => Some("Ceph"),
        _ => None,
    }
}

fn prepare(
    connection: &rusqlite::Connection,
    busy_timeout: Duration,
    journal: Option<&str>,
) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(128);
    if let Some(journal) = journal {
        connection.pragma_update(None, "journal_mode", journal)?;
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")
}

/// The plain driver, for `bench`: the cost of the same rows without our code.
pub(crate) struct Baseline {
    connection: Connection,
}

impl Baseline {
    pub(crate) fn open(path: &Path, schema: &[String]) -> Result<Self, Failure> {
        let file = SqliteFile { path: path.to_owned(), is_read_only: false };
        let mut connection = Connection::open(&file, Duration::from_secs(5), true)?;
        schema.iter().try_for_each(|statement| connection.run(statement))?;
        Ok(Self { connection })
    }

    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        self.connection.begin(Mode::Write)
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Failure> {
        self.connection.insert(table, columns, rows)
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        self.connection.query(sql, values)
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        self.connection.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_network_file_systems_are_known_by_their_magic() {
        assert_eq!(network_filesystem_name(0x6969), Some("NFS"));
        assert_eq!(network_filesystem_name(0xff53_4d42_u32 as i32 as i64), Some("SMB"));
        assert_eq!(network_filesystem_name(0xef53), None, "ext4");
        assert_eq!(network_filesystem_name(0x0102_1994), None, "tmpfs");
    }
}
