//! Killed with SIGKILL at random moments: every acknowledged operation is there once, every document is whole or absent,
//! the database opens, and repeating an operation id changes nothing.
//!
//! The worker is this test binary itself, started again. What it does at step N depends on N alone, so that the parent
//! knows what must be there from the steps that were acknowledged.

use crate::{ada, operation, text, ticking};
use recordar::forget::ForgetRequest;
use recordar::text::TokenCounter;
use recordar::{Config, Error, Message, Recordar};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

enum Step {
    Ingest { name: String, content: String },
    Remember { thread: String, messages: Vec<Message> },
    ForgetDocument(String),
    ForgetThread(String),
}

fn step(number: u64) -> Step {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let name = format!("document-{}", random.below(6));
    let thread = format!("thread-{}", random.below(4));
    match random.below(10) {
        0..=3 => {
            let sentences = 1 + random.below(400);
            let content = (0..sentences).map(|i| format!("Step {number} says sentence {i} of {sentences}. ")).collect();
            Step::Ingest { name, content }
        }
        4..=7 => {
            let message =
                |index| Message { thread: Some(thread.clone()), ..Message::new(&format!("said-{number}-{index}")) };
            let messages = (0..=random.below(30)).map(message).collect();
            Step::Remember { thread, messages }
        }
        8 => Step::ForgetDocument(name),
        _ => Step::ForgetThread(thread),
    }
}

/// Does a step under its own operation id. A target that is not there is nothing to forget.
fn perform(memory: &Recordar, number: u64) -> Result<(), Error> {
    let id = operation(&format!("step-{number}"));
    let forget = |request| match memory.forget(&ada(), &request, false, &id) {
        Err(error) if error.code() == "not_found" => Ok(()),
        other => other.map(drop),
    };
    match step(number) {
        Step::Ingest { name, content } => {
            let mut request = text(id.as_str(), &name, &content);
            request.force = true;
            memory.ingest_text(&ada(), request).map(drop)
        }
        Step::Remember { messages, .. } => memory.remember(&ada(), &messages, &id).map(drop),
        Step::ForgetDocument(name) => forget(ForgetRequest::Document(name)),
        Step::ForgetThread(name) => forget(ForgetRequest::Thread(name)),
    }
}

/// What must be there.
#[derive(Default)]
struct Model {
    documents: BTreeMap<String, (i64, String)>,
    threads: BTreeMap<String, BTreeSet<String>>,
}

impl Model {
    fn apply(&mut self, number: u64) {
        match step(number) {
            Step::Ingest { name, content } => {
                let document = self.documents.entry(name).or_insert((0, String::new()));
                *document = (document.0 + 1, content);
            }
            Step::Remember { thread, messages } => {
                self.threads.entry(thread).or_default().extend(messages.into_iter().map(|message| message.text));
            }
            Step::ForgetDocument(name) => drop(self.documents.remove(&name)),
            Step::ForgetThread(name) => drop(self.threads.remove(&name)),
        }
    }

    fn check(&self, memory: &Recordar) {
        let documents = memory.documents(&ada()).unwrap();
        let found: BTreeSet<&str> = documents.iter().map(|document| document.path.as_str()).collect();
        assert_eq!(found, self.documents.keys().map(String::as_str).collect());
        for (name, (versions, content)) in &self.documents {
            for number in 1..=*versions {
                let version = memory.document_text(&ada(), name, Some(number)).unwrap();
                assert!(version.verified, "version {number} of {name} is not whole");
            }
            let newest = memory.document_text(&ada(), name, None).unwrap();
            assert_eq!((newest.document.version.number, &newest.text), (*versions, content));
        }
        let rows = memory.raw().unwrap().lines();
        let said = rows.iter().filter(|row| row.starts_with("items ")).filter_map(|row| {
            let start = row.find("\"said-")? + 1;
            Some(row[start..start + row[start..].find('"')?].to_owned())
        });
        let mut said: Vec<String> = said.collect();
        said.sort();
        let mut expected: Vec<String> = self.threads.values().flatten().cloned().collect();
        expected.sort();
        assert_eq!(said, expected, "every message once");
    }
}

fn config(url: &str) -> Config {
    Config::from_toml(&format!("database.url = {url:?}"), Path::new("/")).unwrap()
}

/// Does nothing in an ordinary run; the tests below start it and kill it.
#[test]
fn crash_worker() {
    let (Ok(url), Ok(first)) = (std::env::var("RECORDAR_CRASH_URL"), std::env::var("RECORDAR_CRASH_FIRST")) else {
        return;
    };
    let say = |word: &str, number: u64| {
        let mut out = std::io::stdout();
        writeln!(out, "{word} {number}").and_then(|()| out.flush()).unwrap();
    };
    let memory = Recordar::open(config(&url), ticking()).unwrap();
    let first: u64 = first.parse().unwrap();
    // The tokenizer's tables take longer to read than an operation; the kill is to come while one is under way.
    TokenCounter::for_model(&memory.config().model).count("warm");
    say("ready", first);
    for number in first.. {
        say("begin", number);
        perform(&memory, number).unwrap();
        say("done", number);
    }
}

struct Counts {
    kills: usize,
    acknowledged: usize,
    in_flight: usize,
    in_flight_committed: usize,
}

fn crash(engine: Engine, kills: usize) -> Counts {
    const KILLS_PER_DATABASE: usize = 40;
    let mut random = Random(engine as u64 + 5);
    let mut counts = Counts { kills: 0, acknowledged: 0, in_flight: 0, in_flight_committed: 0 };
    let mut next = 1;
    while counts.kills < kills {
        let database = TestDatabase::new(engine);
        let mut model = Model::default();
        let first = next;
        for _ in 0..KILLS_PER_DATABASE.min(kills - counts.kills) {
            let (done, begun) = run_and_kill(&database.url, next, &mut random);
            counts.kills += 1;
            let memory = Recordar::open(config(&database.url), ticking()).unwrap();
            for number in next..done {
                model.apply(number);
                counts.acknowledged += 1;
            }
            if begun > done {
                // Begun and not acknowledged: committed or not, repeating it makes it so, once.
                let id = operation(&format!("step-{done}"));
                counts.in_flight += 1;
                counts.in_flight_committed += usize::from(memory.operation(&ada(), &id).is_ok());
                perform(&memory, done).unwrap();
                model.apply(done);
            }
            next = begun;
            model.check(&memory);
            let rows = memory.raw().unwrap().lines();
            for number in next.saturating_sub(3).max(first)..next {
                // What found nothing to forget was not an operation.
                if memory.operation(&ada(), &operation(&format!("step-{number}"))).is_ok() {
                    perform(&memory, number).unwrap();
                }
            }
            assert_eq!(memory.raw().unwrap().lines(), rows, "repeating operations changed something");
        }
    }
    counts
}

/// Starts a worker at a step, kills it at some moment, and tells the first step that it had not done and the first that it
/// had not begun.
fn run_and_kill(url: &str, first: u64, random: &mut Random) -> (u64, u64) {
    let mut worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::crash_worker", "--nocapture"])
        .env("RECORDAR_CRASH_URL", url)
        .env("RECORDAR_CRASH_FIRST", first.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = worker.stdout.take().unwrap();
    let (sender, lines) = channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            // A line that was cut off by the kill was not said.
            let Ok(line) = line else { break };
            // The test harness writes its own words in front of the first line.
            let mut words = line.rsplit(' ');
            if let (Some(Ok(number)), Some(word)) = (words.next().map(str::parse::<u64>), words.next()) {
                let _ = sender.send((word.to_owned(), number));
            }
        }
    });
    let (mut done, mut begun) = (first, first);
    let mut note = |(word, number): (String, u64)| match word.as_str() {
        "begin" => begun = number + 1,
        "done" => done = number + 1,
        _ => {}
    };
    // Some are killed while they open the database, most while they write.
    let patience = Duration::from_micros(random.below(120_000) as u64);
    if random.below(5) > 0 {
        match lines.recv_timeout(Duration::from_secs(60)) {
            Ok(first) => note(first),
            Err(error) => panic!("the worker does not begin: {error}"),
        }
    }
    listen_until(&lines, Instant::now() + patience, &mut note);
    worker.kill().unwrap();
    worker.wait().unwrap();
    reader.join().unwrap();
    lines.try_iter().for_each(note);
    (done, begun)
}

fn listen_until(lines: &Receiver<(String, u64)>, deadline: Instant, note: &mut impl FnMut((String, u64))) {
    while let Some(left) = deadline.checked_duration_since(Instant::now()) {
        match lines.recv_timeout(left) {
            Ok(line) => note(line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn report(engine: Engine, sample: usize, soak: usize) {
    let counts = crash(engine, rounds(sample, soak));
    println!(
        "{engine:?}: {} kills, {} operations acknowledged and all there once; {} were in flight, of which {} had been committed",
        counts.kills, counts.acknowledged, counts.in_flight, counts.in_flight_committed
    );
    assert!(counts.acknowledged > counts.kills && counts.in_flight > 0, "the kills came too early to tell anything");
}

#[test]
fn a14_killed_at_random_moments_on_sqlite() {
    report(Engine::Sqlite, 25, 1000);
}

#[test]
fn a14_killed_at_random_moments_on_postgres() {
    report(Engine::Postgres, 10, 200);
}

#[test]
fn a14_killed_at_random_moments_on_mariadb() {
    report(Engine::MySql, 10, 200);
}
