//! MySQL 8 and MariaDB. READ COMMITTED; data definition statements commit implicitly, so migrations can be repeated.

use super::{Mode, batches};
use crate::dialect::insert_sql;
use crate::failure::{Failure, FailureKind};
use crate::url::Password;
use crate::value::{Row, Value};
use mysql::consts::CapabilityFlags;
use mysql::prelude::Queryable;
use mysql::{Conn, DriverError, Opts, OptsBuilder, Params, SslOpts};
use std::time::Duration;

pub(crate) struct Connection {
    client: Conn,
}

const SCHEMA_LOCK: &str = "recordar_schema";

impl Connection {
    pub(crate) fn open(url: &str, password: Option<&Password>, busy_timeout: Duration) -> Result<Self, Failure> {
        let (url, is_secured) = without_sslmode(url);
        let options = Opts::from_url(&url).map_err(|error| {
            Failure::connect(error.to_string(), "use a URL such as mysql://USER@HOST:3306/DATABASE")
        })?;
        let place = format!("{}, port {}", options.get_ip_or_hostname(), options.get_tcp_port());
        let (user, database) =
            (options.get_user().unwrap_or("").to_owned(), options.get_db_name().unwrap_or("").to_owned());
        let settings = [
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED".to_owned(),
            // A value that does not fit is an error, never truncated.
            "SET SESSION sql_mode = 'TRADITIONAL,NO_ENGINE_SUBSTITUTION'".to_owned(),
            "SET NAMES utf8mb4".to_owned(),
            format!("SET SESSION innodb_lock_wait_timeout = {}", busy_timeout.as_secs().max(1)),
        ];
        let in_url = options.get_pass().map(str::to_owned);
        let options = OptsBuilder::from_opts(options)
            .pass(password.map(|password| password.expose().to_owned()).or(in_url))
            .tcp_connect_timeout(Some(Duration::from_secs(10)))
            .stmt_cache_size(Some(128))
            // A server that stops responding is noticed within about a minute.
            .tcp_keepalive_time_ms(Some(30_000))
            .tcp_keepalive_probe_interval_secs(Some(10))
            .tcp_keepalive_probe_count(Some(3))
            .tcp_user_timeout_ms(Some(60_000))
            .ssl_opts(is_secured.then(SslOpts::default))
            // Counts matched rows, as the others do, not only changed ones.
            .additional_capabilities(CapabilityFlags::CLIENT_FOUND_ROWS)
            .init(settings.to_vec());
        let client = Conn::new(options).map_err(|error| cannot_connect(&place, &user, &database, &error))?;
        Ok(Self { client })
    }

    pub(crate) fn begin(&mut self, mode: Mode) -> Result<(), Failure> {
        if mode == Mode::Write {
            return self.run("START TRANSACTION");
        }
        self.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
        self.run("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        self.run("COMMIT")
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        self.run("ROLLBACK")
    }

    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Failure> {
        self.client.exec_drop(sql, parameters(values)).map_err(|error| failure(&error))?;
        Ok(self.client.affected_rows())
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        let rows: Vec<mysql::Row> = self.client.exec(sql, parameters(values)).map_err(|error| failure(&error))?;
        rows.into_iter().map(row).collect()
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Failure> {
        for batch in batches(rows, columns.len()) {
            let values: Vec<Value> = batch.iter().flatten().cloned().collect();
            self.execute(&insert_sql(table, columns, batch.len()), &values)?;
        }
        Ok(())
    }

    pub(crate) fn define(&mut self, sql: &str) -> Result<(), Failure> {
        const DUPLICATE_COLUMN_NAME: u16 = 1060;
        const DUPLICATE_KEY_NAME: u16 = 1061;
        const NOTHING_TO_DROP: u16 = 1091;
        match self.client.query_drop(sql) {
            Err(mysql::Error::MySqlError(error))
                if matches!(error.code, DUPLICATE_COLUMN_NAME | DUPLICATE_KEY_NAME | NOTHING_TO_DROP) =>
            {
                Ok(())
            }
            other => other.map_err(|error| failure(&error)),
        }
    }

    pub(crate) fn lock_schema(&mut self) -> Result<(), Failure> {
        let taken = self.query("SELECT GET_LOCK(?, 300)", &[SCHEMA_LOCK.into()])?;
        match taken.first() {
            Some(Row(columns)) if columns[0] == Value::Int(1) => Ok(()),
            _ => Err(Failure::new(FailureKind::Busy, "another process is upgrading the schema")),
        }
    }

    pub(crate) fn unlock_schema(&mut self) -> Result<(), Failure> {
        self.query("SELECT RELEASE_LOCK(?)", &[SCHEMA_LOCK.into()]).map(drop)
    }

    /// The server itself purges deleted rows; we cannot promise more for a server's files.
    pub(crate) fn scrub(&mut self) -> Result<bool, Failure> {
        Ok(false)
    }

    pub(crate) fn check(&mut self) -> Result<Vec<String>, Failure> {
        let rows = self.query("SELECT VERSION()", &[])?;
        let Some(Row(columns)) = rows.first() else { return Ok(Vec::new()) };
        Ok(columns.iter().map(|column| format!("MySQL {}", if let Value::Text(v) = column { v } else { "" })).collect())
    }

    fn run(&mut self, sql: &str) -> Result<(), Failure> {
        self.client.query_drop(sql).map_err(|error| failure(&error))
    }
}

/// `sslmode=require` means the same as for PostgreSQL; the driver has no such option.
fn without_sslmode(url: &str) -> (String, bool) {
    let Some((address, options)) = url.split_once('?') else {
        return (url.to_owned(), false);
    };
    let (sslmode, others): (Vec<&str>, Vec<&str>) =
        options.split('&').partition(|option| option.starts_with("sslmode="));
    let is_secured = sslmode.iter().any(|option| !matches!(*option, "sslmode=disable" | "sslmode=prefer"));
    let separator = if others.is_empty() { "" } else { "?" };
    (format!("{address}{separator}{}", others.join("&")), is_secured)
}

fn parameters(values: &[Value]) -> Params {
    if values.is_empty() {
        return Params::Empty;
    }
    let parameter = |value: &Value| match value {
        Value::Null => mysql::Value::NULL,
        Value::Int(value) => mysql::Value::Int(*value),
        Value::Text(text) => mysql::Value::Bytes(text.as_bytes().to_vec()),
        Value::Bytes(bytes) => mysql::Value::Bytes(bytes.clone()),
    };
    Params::Positional(values.iter().map(parameter).collect())
}

fn row(row: mysql::Row) -> Result<Row, Failure> {
    const BINARY: u16 = 63;
    let is_binary: Vec<bool> = row.columns_ref().iter().map(|column| column.character_set() == BINARY).collect();
    let value = |(value, is_binary): (mysql::Value, bool)| match value {
        mysql::Value::NULL => Ok(Value::Null),
        mysql::Value::Int(value) => Ok(Value::Int(value)),
        mysql::Value::UInt(value) => i64::try_from(value).map(Value::Int).map_err(|error| error.to_string()),
        mysql::Value::Bytes(bytes) if is_binary => Ok(Value::Bytes(bytes)),
        mysql::Value::Bytes(bytes) => String::from_utf8(bytes).map(Value::Text).map_err(|error| error.to_string()),
        other => Err(format!("a value of an unexpected kind: {other:?}")),
    };
    let values = row.unwrap().into_iter().zip(is_binary).map(value).collect::<Result<_, _>>();
    values.map(Row).map_err(|what| Failure::new(FailureKind::Damaged, what))
}

fn failure(error: &mysql::Error) -> Failure {
    let kind = match error {
        mysql::Error::IoError(_) | mysql::Error::CodecError(_) => FailureKind::Lost,
        mysql::Error::DriverError(DriverError::Timeout | DriverError::CouldNotConnect(_)) => FailureKind::Lost,
        mysql::Error::MySqlError(error) => match error.code {
            1213 | 1020 => FailureKind::Conflict,
            1205 => FailureKind::Busy,
            1290 | 1792 | 1836 => FailureKind::ReadOnly,
            1044 | 1142 | 1143 | 1227 | 1370 => FailureKind::Denied,
            1021 | 1041 | 1114 => FailureKind::Full,
            1030 if error.message.contains("28") => FailureKind::Full,
            126 | 127 | 1034 | 1712 => FailureKind::Damaged,
            1053 | 1077 | 1079 | 1152 | 1158..=1161 | 1927 | 3169 | 4031 => FailureKind::Lost,
            1048 | 1062 | 1451 | 1452 | 3819 | 4025 => FailureKind::Constraint,
            _ => FailureKind::Other,
        },
        _ => FailureKind::Other,
    };
    Failure::new(kind, error.to_string())
}

fn cannot_connect(place: &str, user: &str, database: &str, error: &mysql::Error) -> Failure {
    let what = match error {
        mysql::Error::MySqlError(error) => error.message.clone(),
        mysql::Error::DriverError(DriverError::CouldNotConnect(Some((_, why, _)))) => why.clone(),
        other => other.to_string(),
    };
    let remedy = match error {
        mysql::Error::MySqlError(error) => match error.code {
            1045 | 1698 => Failure::refused_remedy(user),
            1049 => format!(
                "the database {database:?} does not exist: create it with CREATE DATABASE, or correct the name in the URL"
            ),
            1044 => format!("grant user {user:?} access to the database {database:?}"),
            1040 | 1203 | 1226 | 1053 => return Failure::no_answer(place, &error.message),
            _ => "check the URL: user, password, host, port and database".to_owned(),
        },
        // A refused connection may be a restarting server; the caller retries a few times.
        mysql::Error::DriverError(DriverError::CouldNotConnect(Some((
            _,
            _,
            std::io::ErrorKind::ConnectionRefused,
        )))) => {
            return Failure::no_answer(place, "connection refused");
        }
        _ => format!("the server at {place} cannot be reached: check the host name, the port and the network"),
    };
    Failure::connect(what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_sslmode_is_taken_out_of_the_url() {
        let check = |url: &str, rest: &str, is_secured: bool| {
            assert_eq!(without_sslmode(url), (rest.to_owned(), is_secured), "{url}");
        };
        check("mysql://a@h/d", "mysql://a@h/d", false);
        check("mysql://a@h/d?sslmode=require", "mysql://a@h/d", true);
        check("mysql://a@h/d?compress=fast&sslmode=disable", "mysql://a@h/d?compress=fast", false);
    }
}
