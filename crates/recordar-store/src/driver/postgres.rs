//! PostgreSQL. READ COMMITTED, statements prepared once per connection, TLS if the URL asks for it.

use super::{Mode, batches};
use crate::dialect::{Dialect, insert_sql};
use crate::failure::{Failure, FailureKind};
use crate::url::Password;
use crate::value::{Row, Value};
use postgres::config::{Host, SslMode};
use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type};
use postgres::{Client, Config, NoTls, Statement};
use std::collections::HashMap;
use std::error::Error as StdError;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

pub(crate) struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
}

/// The number of prepared statements kept per connection; limited, since the sizes of bulk inserts vary.
const MOST_STATEMENTS: usize = 256;
/// The advisory lock of migrations: "recordar" in ASCII, as a number.
const SCHEMA_LOCK: i64 = 0x7265_636f_7264_6172;

impl Connection {
    pub(crate) fn open(url: &str, password: Option<&Password>, busy_timeout: Duration) -> Result<Self, Failure> {
        let mut config: Config = url.parse().map_err(|error: postgres::Error| {
            Failure::connect(chain(&error), "use a URL such as postgres://USER@HOST:5432/DATABASE")
        })?;
        if let Some(password) = password {
            config.password(password.expose());
        }
        config.application_name("recordar").connect_timeout(Duration::from_secs(10));
        // A server that stops responding is noticed within about a minute.
        config
            .keepalives_idle(Duration::from_secs(30))
            .keepalives_interval(Duration::from_secs(10))
            .keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(60));
        let is_plain = match config.get_ssl_mode() {
            SslMode::Disable => true,
            // Nothing leaves the machine, and local servers usually have a self-signed certificate.
            SslMode::Prefer => is_local(&config),
            _ => false,
        };
        let connected = if is_plain {
            config.connect(NoTls)
        } else {
            config.connect(tokio_postgres_rustls::MakeRustlsConnect::new(tls()))
        };
        let mut client = connected.map_err(|error| cannot_connect(&config, &error))?;
        let settings = format!(
            "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED; SET lock_timeout = {}",
            busy_timeout.as_millis()
        );
        client.batch_execute(&settings).map_err(|error| failure(&error))?;
        Ok(Self { client, statements: HashMap::new() })
    }

    pub(crate) fn begin(&mut self, mode: Mode) -> Result<(), Failure> {
        self.run(if mode == Mode::Write { "BEGIN" } else { "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" })
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        self.run("COMMIT")
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        self.run("ROLLBACK")
    }

    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Failure> {
        let statement = self.prepare(sql)?;
        self.client.execute(&statement, &parameters(values)).map_err(|error| failure(&error))
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        let statement = self.prepare(sql)?;
        let rows = self.client.query(&statement, &parameters(values)).map_err(|error| failure(&error))?;
        let row = |row: &postgres::Row| (0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>();
        rows.iter().map(|columns| row(columns).map(Row).map_err(|error| failure(&error))).collect()
    }

    pub(crate) fn insert(&mut self, table: &str, columns: &[&str], rows: &[Vec<Value>]) -> Result<(), Failure> {
        for batch in batches(rows, columns.len()) {
            let values: Vec<Value> = batch.iter().flatten().cloned().collect();
            self.execute(&insert_sql(table, columns, batch.len()), &values)?;
        }
        Ok(())
    }

    pub(crate) fn define(&mut self, sql: &str) -> Result<(), Failure> {
        self.run(sql)
    }

    /// A migration is one transaction here, and its lock ends with it.
    pub(crate) fn lock_schema(&mut self) -> Result<(), Failure> {
        self.run(&format!("BEGIN; SET LOCAL lock_timeout = '300s'; SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"))
    }

    pub(crate) fn unlock_schema(&mut self) -> Result<(), Failure> {
        self.run("COMMIT")
    }

    /// The server's own vacuum reclaims deleted rows; we cannot promise more for a server's files.
    pub(crate) fn scrub(&mut self) -> Result<bool, Failure> {
        Ok(false)
    }

    pub(crate) fn check(&mut self) -> Result<Vec<String>, Failure> {
        let rows = self.query("SELECT current_setting('server_version')", &[])?;
        let Some(Row(columns)) = rows.first() else { return Ok(Vec::new()) };
        Ok(columns
            .iter()
            .map(|column| format!("PostgreSQL {}", if let Value::Text(v) = column { v } else { "" }))
            .collect())
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, Failure> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        if self.statements.len() >= MOST_STATEMENTS {
            self.statements.clear();
        }
        let statement = self.client.prepare(&Dialect::Postgres.placeholders(sql)).map_err(|error| failure(&error))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn run(&mut self, sql: &str) -> Result<(), Failure> {
        self.client.batch_execute(sql).map_err(|error| failure(&error))
    }
}

fn is_local(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback()),
        Host::Unix(_) => true,
    })
}

fn tls() -> rustls::ClientConfig {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = rustls::crypto::ring::default_provider().into();
    rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap_or_else(|_| unreachable!("ring supports the default versions of TLS"))
        .with_root_certificates(roots)
        .with_no_client_auth()
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *ty == Type::INT4 => i32::try_from(*value)?.to_sql(ty, out),
            Self::Int(value) => value.to_sql(ty, out),
            Self::Text(text) => text.to_sql(ty, out),
            Self::Bytes(bytes) => bytes.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT4 | Type::INT8 | Type::TEXT | Type::VARCHAR | Type::BYTEA)
    }

    postgres::types::to_sql_checked!();
}

impl FromSql<'_> for Value {
    fn from_sql(ty: &Type, raw: &[u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        match *ty {
            Type::INT4 => i32::from_sql(ty, raw).map(|value| Self::Int(value.into())),
            Type::INT8 => i64::from_sql(ty, raw).map(Self::Int),
            Type::BYTEA => Vec::from_sql(ty, raw).map(Self::Bytes),
            _ => String::from_sql(ty, raw).map(Self::Text),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT4 | Type::INT8 | Type::TEXT | Type::VARCHAR | Type::NAME | Type::BYTEA)
    }
}

fn failure(error: &postgres::Error) -> Failure {
    let kind = match error.code() {
        _ if error.is_closed() => FailureKind::Lost,
        None => match io_kind(error) {
            Some(_) => FailureKind::Lost,
            None => FailureKind::Other,
        },
        Some(code) => match *code {
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => FailureKind::Conflict,
            SqlState::LOCK_NOT_AVAILABLE => FailureKind::Busy,
            SqlState::READ_ONLY_SQL_TRANSACTION => FailureKind::ReadOnly,
            // Without USAGE on its schema, a user has no schema at all.
            SqlState::INSUFFICIENT_PRIVILEGE | SqlState::INVALID_SCHEMA_NAME => FailureKind::Denied,
            SqlState::DISK_FULL | SqlState::OUT_OF_MEMORY => FailureKind::Full,
            SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => FailureKind::Damaged,
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => FailureKind::Lost,
            ref code if code.code().starts_with("23") => FailureKind::Constraint,
            ref code if code.code().starts_with("08") => FailureKind::Lost,
            _ => FailureKind::Other,
        },
    };
    Failure::new(kind, chain(error))
}

fn cannot_connect(config: &Config, error: &postgres::Error) -> Failure {
    let place = match (config.get_hosts().first(), config.get_ports().first()) {
        (Some(Host::Tcp(host)), port) => format!("{host}, port {}", port.unwrap_or(&5432)),
        (Some(other), _) => format!("{other:?}"),
        (None, _) => "the default host".to_owned(),
    };
    let what = chain(error);
    let code = error.code().cloned();
    let is = |state: SqlState| code.as_ref() == Some(&state);
    if is(SqlState::CANNOT_CONNECT_NOW) || is(SqlState::TOO_MANY_CONNECTIONS) {
        return Failure::no_answer(&place, &what);
    }
    let is_refused = is(SqlState::INVALID_PASSWORD) || is(SqlState::INVALID_AUTHORIZATION_SPECIFICATION);
    let remedy = if is_refused || what.contains("password missing") {
        Failure::refused_remedy(config.get_user().unwrap_or(""))
    } else if is(SqlState::INVALID_CATALOG_NAME) {
        let name = config.get_dbname().unwrap_or("");
        format!("the database {name:?} does not exist: create it with CREATE DATABASE, or correct the name in the URL")
    } else if is(SqlState::INSUFFICIENT_PRIVILEGE) {
        "grant this user CONNECT on the database and CREATE on its schema".to_owned()
    } else if let Some(kind) = io_kind(error) {
        // A refused connection may be a restarting server; the caller retries a few times.
        if kind == io::ErrorKind::ConnectionRefused || kind == io::ErrorKind::ConnectionReset {
            return Failure::no_answer(&place, &kind.to_string());
        }
        format!("the server at {place} cannot be reached: check the host name, the port and the network")
    } else if what.contains("resolve") || what.contains("lookup") || what.contains("timed out") {
        format!("the server at {place} cannot be reached: check the host name, the port and the network")
    } else if what.contains("TLS") || what.contains("tls") || what.contains("certificate") {
        "check the server's certificate, or set sslmode in the URL (disable, prefer, require)".to_owned()
    } else {
        "check the URL: user, password, host, port and database".to_owned()
    };
    Failure::connect(what, remedy)
}

fn io_kind(error: &postgres::Error) -> Option<io::ErrorKind> {
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(io) = cause.downcast_ref::<io::Error>() {
            return Some(io.kind());
        }
        source = cause.source();
    }
    None
}

/// The error and its causes on one line. Of the server's error only the message is used: its details quote rows.
fn chain(error: &postgres::Error) -> String {
    if let Some(database) = error.as_db_error() {
        return format!("{}: {}", database.severity(), database.message());
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text
}
