//! A running server, on a database of its own.

use crate::client::Client;
use recordar_testkit::{Engine, TestDatabase};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use tempfile::TempDir;

pub(crate) struct Served {
    pub(crate) addr: SocketAddr,
    child: Child,
    folder: TempDir,
    database: String,
}

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
        Self { addr: addr.unwrap_or_else(|| panic!("{line:?}")), child, folder, database: database.to_owned() }
    }

    /// Starts again on the same database, after it was stopped.
    pub(crate) fn again(self) -> Self {
        let mut before = self;
        before.child.kill().ok();
        before.child.wait().ok();
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
        kill_process(Pid::from_raw(self.child.id() as i32).unwrap(), signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Its resident memory, in bytes.
    pub(crate) fn ram(&self) -> u64 {
        let mut text = String::new();
        let path = format!("/proc/{}/statm", self.child.id());
        std::fs::File::open(path).unwrap().read_to_string(&mut text).unwrap();
        text.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
