//! `recordar ingest --watch`, with the real binary: what changes is stored, and Ctrl-C ends it.

use crate::Desk;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A running watch, and the lines it prints.
struct Watching {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

const PATIENCE: Duration = Duration::from_secs(60);

impl Watching {
    fn begin(desk: &Desk, arguments: &[&str]) -> Self {
        let mut command = desk.command();
        let command = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let (out, complaints) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let other = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        std::thread::spawn(move || {
            BufReader::new(complaints).lines().map_while(Result::ok).try_for_each(|line| other.send(line))
        });
        let mut watching = Self { child, lines, seen: Vec::new() };
        watching.until("watching ");
        watching
    }

    /// Waits for a line with these words.
    fn until(&mut self, words: &str) -> String {
        let started = Instant::now();
        loop {
            match self.lines.recv_timeout(PATIENCE.saturating_sub(started.elapsed())) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if line.contains(words) {
                        return line;
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("no line with {words:?} in {:?}", self.seen)
                }
            }
        }
    }

    /// Ctrl-C; returns the exit code.
    fn end(mut self) -> (Option<i32>, Vec<String>) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let code = self.child.wait().unwrap().code();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(5)) {
            self.seen.push(line);
        }
        (code, std::mem::take(&mut self.seen))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn i20_watch_stores_what_changes_appears_and_moves_and_ends_by_ctrl_c() {
    let desk = Desk::new();
    desk.put("notes/a.md", "# A\n\nThe violin is in the garden.");
    desk.put("notes/.gitignore", "ignored.md\n");
    let mut watching = Watching::begin(&desk, &["--user", "ada", "ingest", "--watch", "notes", "--tag", "diary"]);
    desk.put("notes/a.md", "# A\n\nThe violin is in the attic now.");
    let line = watching.until("updated ");
    assert!(line.contains("notes/a.md, version 2"), "{line}");
    let found = desk.ends(0, &["--user", "ada", "search", "Where is the violin?"]);
    assert!(found.contains("attic") && !found.contains("garden"), "{found}");
    // A new file in a new folder; one that is ignored, and one of another type, are not taken.
    desk.put("notes/ignored.md", "secret");
    desk.put("notes/deep/picture.png", "no text");
    desk.put("notes/deep/er/b.md", "# B\n\nThe oboe is on the balcony.");
    let line = watching.until("added ");
    assert!(line.contains("notes/deep/er/b.md"), "{line}");
    // The attributes of the call are those of every file.
    let versions = desk.json(0, &["--user", "ada", "doc", "versions", "b.md"]);
    assert!(versions[0]["tags"].as_array().unwrap().contains(&"diary".into()), "{versions}");
    // One that cannot be read is reported, and taken once it can be.
    desk.put("notes/c.md", b"\xff\xfe broken");
    watching.until("failed: ");
    desk.put("notes/c.md", "# C\n\nThe harp is in the hall.");
    watching.until("notes/c.md, version 1");
    // Without --prune, a file that vanishes stays stored.
    fs::remove_file(desk.path("notes/c.md")).unwrap();
    watching.until("vanished ");
    assert!(desk.ends(0, &["--user", "ada", "search", "Where is the harp?"]).contains("hall"));
    let (code, seen) = watching.end();
    assert_eq!(code, Some(0), "{seen:?}");
    assert!(seen.iter().any(|line| line.contains("the watch has ended")), "{seen:?}");
    assert!(!seen.iter().any(|line| line.contains("ignored.md") || line.contains("picture.png")), "{seen:?}");
    assert!(!desk.ends(0, &["--user", "ada", "search", "secret"]).contains("secret"));
}

#[test]
fn i20_watch_retires_what_vanishes_only_with_prune() {
    let desk = Desk::new();
    for name in ["a", "b"] {
        desk.put(&format!("notes/{name}.md"), format!("# {name}\n\nThe {name}-string is broken."));
    }
    let mut watching = Watching::begin(&desk, &["ingest", "--watch", "--prune", "notes"]);
    fs::remove_file(desk.path("notes/b.md")).unwrap();
    let line = watching.until("retired ");
    assert!(line.contains("notes/b.md"), "{line}");
    // A folder that is gone as a whole is more likely an unmounted disk.
    fs::rename(desk.path("notes"), desk.path("elsewhere")).unwrap();
    watching.until("check that the disk is mounted");
    fs::rename(desk.path("elsewhere"), desk.path("notes")).unwrap();
    desk.put("notes/a.md", "# a\n\nThe a-string is mended.");
    watching.until("updated ");
    let (code, seen) = watching.end();
    assert_eq!(code, Some(0), "{seen:?}");
    assert_eq!(seen.iter().filter(|line| line.contains("check that the disk")).count(), 1, "said once: {seen:?}");
    assert!(desk.ends(0, &["search", "a-string"]).contains("mended"));
}

#[test]
fn i20_watch_outlives_a_database_that_is_away() {
    let desk = Desk::new();
    desk.put("notes/a.md", "# A\n\nOne.");
    let database = desk.path("memory.db");
    let mut watching = Watching::begin(&desk, &["--database", "sqlite:memory.db", "ingest", "--watch", "notes"]);
    // Moved away as a whole, as a disk that is unmounted.
    let away = tempfile::tempdir().unwrap();
    let files = || {
        let names =
            fs::read_dir(desk.folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("memory.db")).collect::<Vec<_>>()
    };
    let names = files();
    for name in &names {
        fs::copy(desk.path(name), away.path().join(name)).unwrap();
        fs::remove_file(desk.path(name)).unwrap();
    }
    fs::create_dir(&database).unwrap();
    desk.put("notes/a.md", "# A\n\nTwo, while the database is away.");
    let line = watching.until(": ");
    assert!(line.contains("waiting") || line.contains("failed"), "{line}");
    fs::remove_dir(&database).unwrap();
    for name in &names {
        fs::copy(away.path().join(name), desk.path(name)).unwrap();
    }
    watching.until("updated ");
    let (code, seen) = watching.end();
    assert_eq!(code, Some(0), "{seen:?}");
    let found = desk.ends(0, &["--database", "sqlite:memory.db", "search", "database away"]);
    assert!(found.contains("while the database is away"), "{found}");
}

#[test]
fn i20_watch_prints_a_document_a_line_as_json_and_refuses_what_it_cannot_watch() {
    let desk = Desk::new();
    desk.put("notes/a.md", "# A\n\nOne.");
    assert!(desk.ends(2, &["ingest", "--watch", "-"]).contains("cannot be watched"));
    let mut command = desk.command();
    let command = command.args(["--json", "ingest", "--watch", "notes"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: serde_json::Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["totals"]["added"], 1);
    desk.put("notes/b.md", "# B\n\nTwo.");
    let next: serde_json::Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next["status"], "added");
    child.kill().unwrap();
    child.wait().unwrap();
}
