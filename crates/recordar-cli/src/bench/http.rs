//! A server under load, in a process of its own: requests at a steady rate, whether or not the earlier ones are answered; then the highest rate
//! that holds; then clients that only write. Baselines: `/healthz` in the same run, and plain inserts that are each synced to disk.

use super::no_room;
use super::ram;
use super::recall::raw_singles;
use super::text::Sentences;
use crate::output::{Output, bytes};
use recordar::eval::Latency;
use recordar::{Config, Error, Invalid, Message, OperationId, Recordar, SpaceName, system_clock};
use serde::Serialize;
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const BATCH: usize = 1000;
const SPACE: &str = "user:bench";
/// Connections of the steady load. More requests than this wait for one, which counts as their time.
const CONNECTIONS: usize = 64;
const WRITERS: usize = 32;
const WRITE_SECONDS: u64 = 10;
/// How long each rate is tried, and by how much the next is higher.
const TRIAL_SECONDS: u64 = 8;
const STEP: f64 = 1.25;
const MAX_P99_MS: f64 = 50.0;
const RAW_INSERTS: usize = 2000;
const QUESTIONS: usize = 500;
/// One request in so many asks for nothing: the baseline.
const HEALTH_EVERY: usize = 8;

pub(crate) struct Load {
    pub(crate) items: usize,
    pub(crate) rate: usize,
    pub(crate) seconds: u64,
}

#[derive(Serialize)]
struct HttpFigures {
    database: String,
    items: usize,
    rate: usize,
    seconds: u64,
    remember: Cost,
    recall: Cost,
    /// The baseline.
    healthz: Cost,
    errors: usize,
    ram_before: u64,
    ram_after: u64,
    /// The highest rate whose remembers and recalls stayed under 50 ms at p99, and the p99 there.
    highest_rate: f64,
    highest_rate_p99_ms: f64,
    /// Durable writes a second of 32 clients, and plain single inserts on the same disk (SQLite).
    writes_s: f64,
    raw_single_s: Option<f64>,
}

#[derive(Serialize, Clone, Copy)]
struct Cost {
    requests: usize,
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
}

/// The kinds of requests, in the order of their figures.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Remember,
    Recall,
    Health,
}

pub(crate) fn run(load: &Load, url: Option<&str>, output: &Output) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let url = url.map_or_else(|| format!("sqlite:{}", folder.path().join("bench.db").display()), str::to_owned);
    let texts = fill(&url, folder.path(), load.items)?;
    let raw_single_s = if url.starts_with("sqlite:") { Some(raw_singles(folder.path(), RAW_INSERTS)?) } else { None };
    let served = Served::start(&url, folder.path())?;
    let questions: Vec<String> = {
        let mut sentences = Sentences::with_vocabulary(8, 20_000);
        let question = |_| {
            (0..5)
                .map(|_| {
                    let word = sentences.content_word();
                    sentences.word(word).to_owned()
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        (0..QUESTIONS).map(question).collect()
    };
    let requests = Requests { texts, questions, next: AtomicUsize::new(0) };
    // The index is opened by the first recall, and is not what is measured.
    let mut connection = Connection::to(served.addr)?;
    for number in 0..20 {
        connection.send(&requests.of(Kind::Recall, number))?;
    }
    let ram_before = served.ram();
    let steady = steady(served.addr, &requests, load.rate as f64, Duration::from_secs(load.seconds));
    let (highest_rate, highest_rate_p99_ms) = highest(served.addr, &requests, load.rate as f64);
    let writes_s = write_only(served.addr, &requests)?;
    let figures = HttpFigures {
        database: url.split(':').next().unwrap_or_default().to_owned(),
        items: load.items,
        rate: load.rate,
        seconds: load.seconds,
        remember: steady.cost(Kind::Remember),
        recall: steady.cost(Kind::Recall),
        healthz: steady.cost(Kind::Health),
        errors: steady.errors,
        ram_before,
        ram_after: served.ram(),
        highest_rate,
        highest_rate_p99_ms,
        writes_s,
        raw_single_s,
    };
    output.result(&figures, |output| show(&figures, output));
    Ok(())
}

/// Stores the messages, and returns others to be stored under load.
fn fill(url: &str, folder: &Path, items: usize) -> Result<Vec<String>, Error> {
    let config = Config::from_toml(&format!("database.url = {url:?}\n"), folder)?;
    let memory = Recordar::open(config, system_clock())?;
    if !memory.spaces()?.is_empty() {
        let what = "the database of the benchmark is not empty";
        return Err(Invalid::new(what, "name an empty database; the benchmark fills it").into());
    }
    let (space, mut sentences) = (SpaceName::parse(SPACE)?, Sentences::with_vocabulary(7, 20_000));
    for first in (0..items).step_by(BATCH) {
        let batch: Vec<Message> =
            (first..items.min(first + BATCH)).map(|_| Message::new(&sentences.message())).collect();
        memory.remember(&space, &batch, &OperationId::parse(&format!("bench-{first}"))?)?;
    }
    memory.finish_index(&recordar::database::Cancel::default());
    Ok((0..QUESTIONS).map(|_| sentences.message()).collect())
}

struct Served {
    child: Child,
    addr: SocketAddr,
}

impl Served {
    fn start(url: &str, folder: &Path) -> Result<Self, Error> {
        let failed = |what: String| Error::input("cannot_serve", what, "run `recordar serve` to see why");
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command.args(["serve", "--addr", "127.0.0.1:0", "--quiet"]).current_dir(folder);
        command.env("HOME", folder).env("RECORDAR_DATABASE", url).env_remove("XDG_CONFIG_HOME");
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| failed(error.to_string()))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.as_mut() {
            BufReader::new(out).read_line(&mut line).map_err(|error| failed(error.to_string()))?;
        }
        match line.trim().rsplit('/').next().and_then(|addr| addr.parse().ok()) {
            Some(addr) => Ok(Self { child, addr }),
            None => Err(failed("the server did not start".to_owned())),
        }
    }

    fn ram(&self) -> u64 {
        ram::of(self.child.id()).unwrap_or(0)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is sent.
struct Requests {
    texts: Vec<String>,
    questions: Vec<String>,
    /// Counts what was stored, so that no two messages are the same.
    next: AtomicUsize,
}

impl Requests {
    fn kind(number: usize) -> Kind {
        match number % HEALTH_EVERY {
            0 => Kind::Health,
            number if number % 2 == 0 => Kind::Remember,
            _ => Kind::Recall,
        }
    }

    fn of(&self, kind: Kind, number: usize) -> Vec<u8> {
        match kind {
            Kind::Health => b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
            Kind::Remember => self.remember(SPACE),
            Kind::Recall => {
                let question = &self.questions[number % self.questions.len()];
                // Not from the cache.
                post("recall", SPACE, &json!({"query": format!("{question} {number}")}).to_string())
            }
        }
    }

    fn remember(&self, space: &str) -> Vec<u8> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let text = format!("{number} {}", self.texts[number % self.texts.len()]);
        post("remember", space, &json!({"messages": [{"text": text}]}).to_string())
    }
}

fn post(verb: &str, space: &str, body: &str) -> Vec<u8> {
    let head = format!(
        "POST /v1/{verb}?space={space} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    (head + body).into_bytes()
}

/// A connection that is used again and again.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn to(addr: SocketAddr) -> Result<Self, Error> {
        let connect = || {
            let stream = TcpStream::connect(addr)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(Duration::from_secs(60)))?;
            Ok::<_, std::io::Error>(stream)
        };
        connect().map(|stream| Self(BufReader::new(stream))).map_err(|error| unanswered(&error))
    }

    /// Sends a request, and returns the status of its answer.
    fn send(&mut self, request: &[u8]) -> Result<u16, Error> {
        self.exchange(request).map_err(|error| unanswered(&error))
    }

    fn exchange(&mut self, request: &[u8]) -> std::io::Result<u16> {
        self.0.get_mut().write_all(request)?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            self.0.read_line(&mut line)?;
            let text = line.trim_end();
            if let Some(rest) = text.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
            } else if let Some(value) = text.strip_prefix("content-length: ") {
                length = value.parse().unwrap_or(0);
            } else if text.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok(status)
    }
}

fn unanswered(error: &std::io::Error) -> Error {
    Error::input("cannot_connect", format!("the server did not answer: {error}"), "run the benchmark again")
}

/// The times of a load, by kind.
#[derive(Default)]
struct Measured {
    times: [Vec<f64>; 3],
    errors: usize,
}

impl Measured {
    fn cost(&self, kind: Kind) -> Cost {
        let times = &self.times[kind as usize];
        let Latency { p50, p90, p99, .. } = Latency::of(times.clone());
        Cost { requests: times.len(), p50_ms: p50, p90_ms: p90, p99_ms: p99 }
    }

    fn p99(&self) -> f64 {
        self.cost(Kind::Remember).p99_ms.max(self.cost(Kind::Recall).p99_ms)
    }
}

/// Requests at their times. One's time counts from when it should have been sent, so that a server that is behind cannot hide it.
fn steady(addr: SocketAddr, requests: &Requests, rate: f64, time: Duration) -> Measured {
    let count = (rate * time.as_secs_f64()) as usize;
    let (next, measured, started) = (AtomicUsize::new(0), Mutex::new(Measured::default()), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let (mut connection, mut own) = (Connection::to(addr).ok(), Measured::default());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let due = started + Duration::from_secs_f64(number as f64 / rate);
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    let kind = Requests::kind(number);
                    let sent = connection.as_mut().map(|connection| connection.send(&requests.of(kind, number)));
                    if !matches!(sent, Some(Ok(200))) {
                        own.errors += 1;
                        connection = Connection::to(addr).ok();
                    }
                    own.times[kind as usize].push(due.elapsed().as_secs_f64() * 1e3);
                }
                if let Ok(mut all) = measured.lock() {
                    all.errors += own.errors;
                    all.times.iter_mut().zip(own.times).for_each(|(all, own)| all.extend(own));
                }
            });
        }
    });
    measured.into_inner().unwrap_or_default()
}

/// The highest rate that holds, and its p99.
fn highest(addr: SocketAddr, requests: &Requests, from: f64) -> (f64, f64) {
    let (mut held, mut rate) = ((0.0, 0.0), from);
    loop {
        let measured = steady(addr, requests, rate, Duration::from_secs(TRIAL_SECONDS));
        if measured.errors > 0 || measured.p99() > MAX_P99_MS {
            return held;
        }
        held = (rate, measured.p99());
        rate *= STEP;
    }
}

/// Durable writes a second, each acknowledged before its client sends the next.
fn write_only(addr: SocketAddr, requests: &Requests) -> Result<f64, Error> {
    let (written, until) = (AtomicUsize::new(0), Instant::now() + Duration::from_secs(WRITE_SECONDS));
    let started = Instant::now();
    let write = |writer: usize| {
        let (mut connection, space) = (Connection::to(addr)?, format!("user:writer-{writer}"));
        while Instant::now() < until {
            match connection.send(&requests.remember(&space))? {
                200 => written.fetch_add(1, Ordering::Relaxed),
                status => {
                    return Err(Error::input(
                        "bench",
                        format!("a write was answered with {status}"),
                        "see `recordar doctor`",
                    ));
                }
            };
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
        let broken = || Error::input("bench", "a writer of the benchmark failed", "run it again");
        writers.into_iter().try_for_each(|writer| writer.join().map_err(|_| broken())?)
    })?;
    Ok(written.into_inner() as f64 / started.elapsed().as_secs_f64())
}

fn show(figures: &HttpFigures, output: &Output) {
    let HttpFigures { database, items, rate, seconds, healthz, .. } = figures;
    output.line(&format!(
        "{database}: {rate} requests a second for {seconds} s, over {items} items; {} errors",
        figures.errors
    ));
    let row = |(name, cost): (&str, Cost)| {
        let ratio = |of: f64, baseline: f64| format!("{:.1}", of / baseline);
        vec![
            name.to_owned(),
            cost.requests.to_string(),
            format!("{:.2}", cost.p50_ms),
            format!("{:.2}", cost.p90_ms),
            format!("{:.2}", cost.p99_ms),
            ratio(cost.p50_ms, healthz.p50_ms),
            ratio(cost.p99_ms, healthz.p99_ms),
        ]
    };
    let rows = [("remember", figures.remember), ("recall", figures.recall), ("/healthz", *healthz)];
    output.table(&["request", "count", "p50 ms", "p90 ms", "p99 ms", "p50 / healthz", "p99 / healthz"], rows.map(row));
    output.line(&format!(
        "memory: {} before, {} after everything",
        bytes(figures.ram_before),
        bytes(figures.ram_after)
    ));
    output.line(&format!(
        "highest rate with p99 under {MAX_P99_MS} ms: {:.0} a second (p99 {:.1} ms)",
        figures.highest_rate, figures.highest_rate_p99_ms
    ));
    let raw =
        figures.raw_single_s.map(|raw| format!("; plain single inserts {raw:.0}, ratio {:.2}", figures.writes_s / raw));
    output.line(&format!(
        "{WRITERS} clients that only write: {:.0} durable writes a second{}",
        figures.writes_s,
        raw.unwrap_or_default()
    ));
}
