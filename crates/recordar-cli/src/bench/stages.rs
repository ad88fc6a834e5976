//! The stages of a staged recall, in a space beside others: each stage with the texts it finds, scoring, and composing. The baseline is
//! `SELECT 1` on the same database.

use super::no_room;
use super::text::Sentences;
use crate::output::Output;
use recordar::eval::Latency;
use recordar::measure::{StagedTimes, staged_times};
use recordar::recall::RecallRequest;
use recordar::{Config, Error, Invalid, Message, OperationId, Recordar, SpaceName, system_clock};
use serde::Serialize;

const BATCH: usize = 1000;
const THREAD_MESSAGES: usize = 50;
/// The messages of each other space.
const OTHER_MESSAGES: usize = 1000;
const ROUNDS: usize = 200;
const WARM_UP: usize = 20;

#[derive(Serialize)]
struct StagesFigures {
    database: &'static str,
    messages: usize,
    /// Messages in other spaces.
    others: usize,
    recalls: usize,
    current_thread: Cost,
    cross_thread: Cost,
    expansion: Cost,
    scoring_50: Cost,
    composing: Cost,
    /// The baseline.
    select_1: Cost,
}

#[derive(Serialize, Clone, Copy)]
struct Cost {
    p50_ms: f64,
    p90_ms: f64,
}

pub(crate) fn run(messages: usize, others: usize, url: Option<&str>, output: &Output) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let toml = url.map_or(String::new(), |url| format!("database.url = {url:?}\n"));
    let memory = Recordar::open(Config::from_toml(&toml, folder.path())?, system_clock())?;
    recordar::measure::build_nothing_ahead(&memory);
    if !memory.spaces()?.is_empty() {
        let what = "the database of the benchmark is not empty";
        return Err(Invalid::new(what, "name an empty database; the benchmark fills it").into());
    }
    let mut sentences = Sentences::with_vocabulary(18, 20_000);
    for number in 0..others.div_ceil(OTHER_MESSAGES) {
        let count = OTHER_MESSAGES.min(others - number * OTHER_MESSAGES);
        fill(&memory, &SpaceName::user(&format!("other-{number}"))?, count, &mut sentences)?;
    }
    let space = SpaceName::user("bench")?;
    fill(&memory, &space, messages, &mut sentences)?;
    let mut times: Vec<StagedTimes> = Vec::with_capacity(ROUNDS);
    for round in 0..ROUNDS + WARM_UP {
        let query = QUESTIONS[round % QUESTIONS.len()];
        let threads = messages.div_ceil(THREAD_MESSAGES);
        let thread = format!("thread {}", sentences.below(threads));
        let request = RecallRequest { staged: true, session_id: Some(thread), ..RecallRequest::new(query) };
        let measured = staged_times(&memory, &space, &request)?;
        if round >= WARM_UP {
            times.push(measured);
        }
    }
    let cost = |part: fn(&StagedTimes) -> f64| {
        let Latency { p50: p50_ms, p90: p90_ms, .. } = Latency::of(times.iter().map(part).collect());
        Cost { p50_ms, p90_ms }
    };
    let figures = StagesFigures {
        database: url.map_or("sqlite", |url| url.split(':').next().map_or("sqlite", kind)),
        messages,
        others,
        recalls: ROUNDS,
        current_thread: cost(|times| times.stages[0]),
        cross_thread: cost(|times| times.stages[1]),
        expansion: cost(|times| times.stages[2]),
        scoring_50: cost(|times| times.scoring),
        composing: cost(|times| times.composing),
        select_1: cost(|times| times.select_1),
    };
    output.result(&figures, |output| show(&figures, output));
    Ok(())
}

fn kind(scheme: &str) -> &'static str {
    match scheme {
        "postgres" | "postgresql" => "postgres",
        "mysql" | "mariadb" => "mysql",
        _ => "sqlite",
    }
}

const QUESTIONS: [&str; 5] = [
    "Where is my order?",
    "What did we say about the refund?",
    "How do I pay the bill?",
    "Anything else?",
    "What happened with #17?",
];
/// What messages are about, so that labels differ.
const SUBJECTS: [&str; 6] = [
    "My order has not arrived yet,",
    "I want a refund for",
    "The bill is wrong because",
    "I cannot log in to my account and",
    "I prefer",
    "About #17:",
];

fn fill(memory: &Recordar, space: &SpaceName, messages: usize, sentences: &mut Sentences) -> Result<(), Error> {
    let now = system_clock()().as_micros();
    for first in (0..messages).step_by(BATCH) {
        let message = |number: usize, sentences: &mut Sentences| {
            let age = (messages - number) as i64 * 3_600_000_000;
            Message {
                thread: Some(format!("thread {}", number / THREAD_MESSAGES)),
                time: Some(recordar::Timestamp::from_micros(now - age)),
                ..Message::new(&format!("{} {}", SUBJECTS[sentences.below(SUBJECTS.len())], sentences.message()))
            }
        };
        let batch: Vec<Message> =
            (first..messages.min(first + BATCH)).map(|number| message(number, sentences)).collect();
        memory.remember(space, &batch, &OperationId::parse(&format!("bench-{first}"))?)?;
    }
    Ok(())
}

fn show(figures: &StagesFigures, output: &Output) {
    output.line(&format!(
        "{}: a space of {} messages beside {} in other spaces, {} recalls",
        figures.database, figures.messages, figures.others, figures.recalls
    ));
    let parts = [
        ("current thread", figures.current_thread),
        ("cross-thread", figures.cross_thread),
        ("expansion", figures.expansion),
        ("scoring 50", figures.scoring_50),
        ("composing", figures.composing),
        ("SELECT 1", figures.select_1),
    ];
    let row = |(name, cost): (&str, Cost)| {
        let ratio = cost.p50_ms / figures.select_1.p50_ms;
        vec![name.to_owned(), format!("{:.3}", cost.p50_ms), format!("{:.3}", cost.p90_ms), format!("{ratio:.1}")]
    };
    output.table(&["part", "p50 ms", "p90 ms", "p50 / SELECT 1"], parts.map(row));
}
