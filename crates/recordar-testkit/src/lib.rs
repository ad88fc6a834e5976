//! Shared test code: throwaway databases on the servers that `scripts/with-databases` starts, and a server that stands in for a language
//! model.
//!
//! If the servers are missing, tests fail and say so; none is skipped.

pub mod bad_answers;
mod model_server;
mod random;

pub use model_server::{Answer, ModelServer, Received};
pub use random::Random;

use mysql::prelude::Queryable;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
    MySql,
}

impl Engine {
    pub const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::MySql];
    pub const SERVERS: [Self; 2] = [Self::Postgres, Self::MySql];
}

/// An empty database, removed when dropped.
pub struct TestDatabase {
    pub engine: Engine,
    pub url: String,
    /// The folder of the SQLite file.
    pub folder: TempDir,
    name: String,
}

impl TestDatabase {
    pub fn new(engine: Engine) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let url = match engine {
            Engine::Sqlite => format!("sqlite:{}", folder.path().join("memory.db").display()),
            Engine::Postgres | Engine::MySql => {
                // A process with the same number may have been killed before it could clean up.
                administer(engine, &format!("DROP DATABASE IF EXISTS {name}"));
                administer(engine, &format!("CREATE DATABASE {name}"));
                url_of(engine, &name)
            }
        };
        Self { engine, url, folder, name }
    }

    /// Ends every connection to this database, as a failing network or server does.
    pub fn cut_connections(&self) {
        match self.engine {
            Engine::Sqlite => {}
            Engine::Postgres => administer(
                self.engine,
                &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'", self.name),
            ),
            Engine::MySql => {
                let mut client = mysql_client();
                let ids: Vec<u64> = client
                    .exec("SELECT id FROM information_schema.processlist WHERE db = ?", (&self.name,))
                    .unwrap_or_else(|error| panic!("{error}"));
                for id in ids {
                    // It may have ended in the meantime.
                    let _ = client.query_drop(format!("KILL {id}"));
                }
            }
        }
    }

    /// Runs SQL statements directly, without Recordar.
    pub fn run(&self, sql: &str) -> Result<(), String> {
        match self.engine {
            Engine::Sqlite => Err("use rusqlite for a SQLite file".to_owned()),
            Engine::Postgres => postgres::Client::connect(&self.url, postgres::NoTls)
                .and_then(|mut client| client.batch_execute(sql))
                .map_err(|error| error.to_string()),
            Engine::MySql => {
                let options = mysql::Opts::from_url(&self.url).map_err(|error| error.to_string())?;
                let mut client = mysql::Conn::new(options).map_err(|error| error.to_string())?;
                let mut results = client.query_iter(sql).map_err(|error| error.to_string())?;
                while let Some(result) = results.iter() {
                    for row in result {
                        row.map_err(|error| error.to_string())?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let force = if self.engine == Engine::Postgres { " WITH (FORCE)" } else { "" };
        if self.engine != Engine::Sqlite && !std::thread::panicking() {
            administer(self.engine, &format!("DROP DATABASE IF EXISTS {}{force}", self.name));
        }
    }
}

fn administer(engine: Engine, sql: &str) {
    match engine {
        Engine::Sqlite => {}
        Engine::Postgres => {
            let run = |sql: &str| postgres::Client::connect(&server(engine), postgres::NoTls)?.batch_execute(sql);
            run(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        Engine::MySql => mysql_client().query_drop(sql).unwrap_or_else(|error| panic!("{sql}: {error}")),
    }
}

fn mysql_client() -> mysql::Conn {
    let options = mysql::Opts::from_url(&server(Engine::MySql)).unwrap_or_else(|error| panic!("{error}"));
    mysql::Conn::new(options).unwrap_or_else(|error| panic!("{error}"))
}

/// The same server with another database.
fn url_of(engine: Engine, name: &str) -> String {
    let mut url = url::Url::parse(&server(engine)).unwrap_or_else(|error| panic!("{error}"));
    url.set_path(name);
    url.to_string()
}

fn server(engine: Engine) -> String {
    let variable = match engine {
        Engine::Sqlite => unreachable!("SQLite has no server"),
        Engine::Postgres => "RECORDAR_TEST_POSTGRES",
        Engine::MySql => "RECORDAR_TEST_MYSQL",
    };
    std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} is not set; run the tests with `make test`, or with scripts/with-databases")
    })
}

/// How often a test repeats itself: a sample in `make test`, everything in `make soak`.
pub fn rounds(sample: usize, soak: usize) -> usize {
    if std::env::var_os("RECORDAR_SOAK").is_some() { soak } else { sample }
}

/// Saves a test's output; `make test` searches it for keys afterwards.
pub fn keep(name: &str, seen: &str) {
    let Some(folder) = std::env::var_os("RECORDAR_KEPT") else { return };
    let path = std::path::Path::new(&folder).join(name);
    std::fs::write(&path, seen).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
