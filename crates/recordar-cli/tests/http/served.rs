//! A running server, on a database of its own.

use crate::client::Client;
use crate::clock::TestClock;
use recordar::{Config, Recordar};
use recordar_server::{Event, Settings, Stopper, serve_until};
use recordar_testkit::{Engine, TestDatabase};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) struct Served {
    pub(crate) addr: SocketAddr,
    runs: Runs,
    folder: TempDir,
    database: String,
}

/// Where it runs.
enum Runs {
    Process(Child),
    /// In a thread of the test, which sets its clock.
    Thread(Stopper, Option<JoinHandle<Result<(), recordar::Error>>>),
}

impl Runs {
    fn process(&self) -> &Child {
        match self {
            Self::Process(child) => child,
            Self::Thread(..) => panic!("it is no process"),
        }
    }

    /// Stops it, and waits for its end.
    fn stop(&mut self) {
        match self {
            Self::Process(child) => {
                let _ = child.kill();
                let _ = child.wait();
            }
            Self::Thread(stopper, thread) => {
                stopper.stop();
                let ended = thread.take().map(JoinHandle::join);
                // A test that fails already must not panic again.
                assert!(std::thread::panicking() || matches!(ended, None | Some(Ok(Ok(())))), "{ended:?}");
            }
        }
    }
}

/// As many as the command has at least.
const CONNECTIONS: usize = 16;

impl Served {
    pub(crate) fn new(database: &TestDatabase) -> Self {
        Self::with(database, "")
    }

    /// With settings of `[server]` and others.
    pub(crate) fn with(database: &TestDatabase, settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("own.toml"), settings).unwrap();
        Self::start(folder, &database.url)
    }

    fn start(folder: TempDir, database: &str) -> Self {
        let mut command = command(&folder, database);
        command.args(["serve", "--addr", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().strip_prefix("listening on ").and_then(|url| url.split("//").nth(1)?.parse().ok());
        let (addr, runs) = (addr.unwrap_or_else(|| panic!("{line:?}")), Runs::Process(child));
        Self { addr, runs, folder, database: database.to_owned() }
    }

    /// In this process, with a clock that the test sets: keys, their expiry and rates go by it.
    pub(crate) fn with_clock(database: &TestDatabase, settings: &str) -> (Self, TestClock) {
        let folder = tempfile::tempdir().unwrap();
        let toml = format!("database.url = {:?}\n{settings}", database.url);
        let mut config = Config::from_toml(&toml, folder.path()).unwrap();
        config.server.addr = ([127, 0, 0, 1], 0).into();
        config.database.connections = CONNECTIONS;
        let settings = Settings { config: config.server.clone(), space: config.space.clone() };
        let (clock, stopper, (tell, told)) = (TestClock::new(), Stopper::default(), channel());
        let (its_clock, its_stopper) = (clock.clock(), stopper.clone());
        let thread = std::thread::spawn(move || {
            let engine = Recordar::open_existing(config, its_clock)?;
            serve_until(engine, settings, its_stopper, |event| {
                if let Event::Started(started) = event {
                    let _ = tell.send(started.addr);
                }
            })
        });
        let addr = told.recv_timeout(Duration::from_secs(60));
        let addr = addr.unwrap_or_else(|_| panic!("it did not start; has it ended: {}", thread.is_finished()));
        let runs = Runs::Thread(stopper, Some(thread));
        (Self { addr, runs, folder, database: database.url.clone() }, clock)
    }

    /// Starts again on the same database, after it was stopped.
    pub(crate) fn again(self) -> Self {
        let mut before = self;
        before.runs.stop();
        let database = before.database.clone();
        let folder = std::mem::replace(&mut before.folder, tempfile::tempdir().unwrap());
        Self::start(folder, &database)
    }

    /// A key with these options of `recordar keys new`.
    pub(crate) fn key(&self, name: &str, options: &[&str]) -> String {
        let output = command(&self.folder, &self.database).args(["keys", "new", name]).args(options).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn run(&self, arguments: &[&str]) {
        let output = command(&self.folder, &self.database).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn client(&self, key: Option<&str>) -> Client {
        Client::new(self.addr, key)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.runs.process().id() as i32).unwrap(), signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        match &mut self.runs {
            Runs::Process(child) => child.wait().unwrap(),
            Runs::Thread(..) => panic!("it is no process"),
        }
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Its resident memory, in bytes.
    pub(crate) fn ram(&self) -> u64 {
        let mut text = String::new();
        let path = format!("/proc/{}/statm", self.runs.process().id());
        std::fs::File::open(path).unwrap().read_to_string(&mut text).unwrap();
        text.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.runs.stop();
    }
}

fn command(folder: &TempDir, database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recordar"));
    command.current_dir(folder.path()).stdin(Stdio::null()).env("HOME", folder.path());
    let ours = std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("RECORDAR_"));
    for variable in ours.chain(["XDG_CONFIG_HOME".into(), "XDG_STATE_HOME".into()]) {
        command.env_remove(variable);
    }
    if folder.path().join("own.toml").exists() {
        command.arg("--config").arg(folder.path().join("own.toml"));
    }
    command.env("RECORDAR_DATABASE", database);
    command
}

pub(crate) fn sqlite() -> TestDatabase {
    TestDatabase::new(Engine::Sqlite)
}
