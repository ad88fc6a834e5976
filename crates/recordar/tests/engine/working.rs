//! The queue at work (D2): several processes that are killed, a model that is away, and a message that poisons.

use crate::drawn_model::{Asked, with_model};
use crate::{ada, open_with, operation};
use recordar::queue::QueuedKind;
use recordar::search::SearchRequest;
use recordar::vocabulary::TermKind;
use recordar::{Config, Message, Recordar, SpaceName, system_clock};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase, rounds};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const MODEL: &str = "structured = \"tool\"\nretries = 0\nrepairs = 0\n[work]\nlease_seconds = 2\nattempts = 2\n[facts]\nenabled = false\n";

fn labels() -> String {
    json!({"topics": ["general_inquiry"], "category": "conversation", "message_type": "statement", "importance": 0.5,
        "confidence": "high"})
    .to_string()
}

/// Does nothing in an ordinary run; the test below starts it in several processes, and kills them.
#[test]
fn work_worker() {
    let (Ok(toml), Ok(id)) = (std::env::var("RECORDAR_WORK_CONFIG"), std::env::var("RECORDAR_WORK_ID")) else { return };
    let memory = Recordar::open(Config::from_toml(&toml, Path::new("/")).unwrap(), system_clock()).unwrap();
    memory.work(true, None, &operation(&id), |_| {}).unwrap();
}

fn start_worker(toml: &str, number: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "working::work_worker", "--nocapture"])
        .env("RECORDAR_WORK_CONFIG", toml)
        .env("RECORDAR_WORK_ID", format!("worker-{number}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Messages of several spaces, one of them poisoned; four workers, of which one is killed all the time.
fn run_killed_workers(engine: Engine) {
    let (count, pause) = (rounds(200, 10_000), Duration::from_millis(rounds(300, 2_000) as u64));
    let database = TestDatabase::new(engine);
    let server = ModelServer::start(|received| {
        let asked = Asked::read(received);
        std::thread::sleep(Duration::from_millis(5));
        let reply = if asked.user.contains("poison") { "no JSON".to_owned() } else { labels() };
        asked.reply(&reply)
    });
    let model = with_model(&server.url(), MODEL);
    let toml = format!("database.url = {:?}\n{model}", database.url);
    let memory = Recordar::open(Config::from_toml(&toml, Path::new("/")).unwrap(), system_clock()).unwrap();
    let spaces: Vec<SpaceName> = (0..5).map(|number| SpaceName::user(&format!("user-{number}")).unwrap()).collect();
    for (number, space) in spaces.iter().enumerate() {
        let poison = (number == 0).then(|| Message::new("This is poison"));
        let plain = (0..count / spaces.len()).map(|message| Message::new(&format!("Message {message} of {number}")));
        let messages: Vec<Message> = poison.into_iter().chain(plain).collect();
        memory.remember(space, &messages, &operation("said")).unwrap();
    }
    let started = Instant::now();
    let mut workers: Vec<Child> = (0..4).map(|number| start_worker(&toml, number)).collect();
    let (mut kills, mut oldest) = (0, Duration::ZERO);
    let report = loop {
        std::thread::sleep(pause.min(Duration::from_millis(300)));
        let report = memory.queue().unwrap();
        let busy = |kind: &QueuedKind| kind.waiting + kind.running > 0;
        if let Some(kind) = report.kinds.iter().find(|kind| busy(kind)) {
            let queued_at = kind.oldest_at.unwrap().as_micros();
            let now = system_clock()().as_micros();
            oldest = oldest.max(Duration::from_micros((now - queued_at).max(0) as u64));
        } else {
            break report;
        }
        assert!(started.elapsed() < Duration::from_secs(rounds(120, 1_800) as u64), "it does not end: {report:?}");
        if started.elapsed() > pause * (kills + 1) {
            let at = kills as usize % workers.len();
            workers[at].kill().unwrap();
            workers[at].wait().unwrap();
            workers[at] = start_worker(&toml, 4 + kills as usize);
            kills += 1;
        }
    };
    workers.iter_mut().for_each(|worker| {
        worker.kill().unwrap();
        worker.wait().unwrap();
    });
    assert!(kills > 0, "nobody was killed");
    assert_eq!(report.kinds.iter().map(|kind| kind.dead).sum::<u64>(), 1, "{report:?}");
    assert!(report.dead[0].error.contains("no valid reply"), "{report:?}");
    let mut enriched: BTreeMap<(SpaceName, i64), usize> = BTreeMap::new();
    for line in memory.raw().unwrap().lines().iter().filter_map(|line| line.strip_prefix("labels ").map(str::to_owned))
    {
        let mut numbers = line.split(' ').map(|number| number.parse::<i64>());
        let (space, item) = (numbers.next().unwrap().unwrap(), numbers.next().unwrap().unwrap());
        *enriched.entry((spaces[space as usize - 1].clone(), item)).or_default() += 1;
    }
    assert_eq!(enriched.len(), count / spaces.len() * spaces.len(), "none is lost");
    assert!(enriched.values().all(|count| *count == 1), "one enrichment for each message");
    println!(
        "{engine:?}: {count} messages, {kills} kills, {:.1} s, the oldest job waited {oldest:.1?}",
        started.elapsed().as_secs_f64()
    );
}

#[test]
fn d2_workers_that_are_killed_enrich_every_message_once_sqlite() {
    run_killed_workers(Engine::Sqlite);
}

#[test]
fn d2_workers_that_are_killed_enrich_every_message_once_postgres() {
    run_killed_workers(Engine::Postgres);
}

#[test]
fn d2_workers_that_are_killed_enrich_every_message_once_mysql() {
    run_killed_workers(Engine::MySql);
}

#[test]
fn d2_while_the_model_is_away_messages_are_stored_and_recalled_and_the_queue_waits() {
    for engine in Engine::ALL {
        let is_away = Arc::new(AtomicBool::new(true));
        let away = Arc::clone(&is_away);
        let server = ModelServer::start(move |received| match away.load(Ordering::Relaxed) {
            true => Answer::status(503, "{}"),
            false => Asked::read(received).reply(&labels()),
        });
        // The built-in method must not take the model's place, whatever is configured for other tasks.
        let toml = with_model(&server.url(), &MODEL.replace("repairs", "when_away = \"built_in\"\nrepairs"));
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &toml);
        for number in 0..10 {
            let message = [Message::new(&format!("The kettle number {number} leaks"))];
            memory.remember(&ada(), &message, &operation(&format!("said-{number}"))).unwrap();
            let report = memory.work(false, None, &operation(&format!("work-{number}")), |_| {}).unwrap();
            assert_eq!((report.labelled, report.failed, report.dead), (0, 0, 0), "{report:?}");
            assert_eq!(report.model_problem.unwrap().code, "model_away");
        }
        let found = memory.recall(&[ada()], &recordar::recall::RecallRequest::new("kettle number 3")).unwrap();
        assert!(!found.memories.is_empty());
        assert_eq!(memory.queue().unwrap().kinds[0].waiting, 10);
        is_away.store(false, Ordering::Relaxed);
        let report = memory.work(false, None, &operation("work-at-last"), |_| {}).unwrap();
        assert_eq!((report.labelled, report.model_problem), (10, None));
        assert!(memory.queue().unwrap().kinds.is_empty());
    }
}

#[test]
fn d2_a_message_that_a_model_fails_on_does_not_pass_for_a_model_that_is_away() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let server = ModelServer::start(move |received| {
        let asked = Asked::read(received);
        if asked.user.contains("poison") {
            counted.fetch_add(1, Ordering::Relaxed);
            return Answer::status(500, "{}");
        }
        asked.reply(&labels())
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = Recordar::open(
        Config::from_toml(
            &format!("database.url = {:?}\n{}", database.url, with_model(&server.url(), MODEL)),
            Path::new("/"),
        )
        .unwrap(),
        system_clock(),
    )
    .unwrap();
    let messages = ["one", "poison", "two", "three", "four", "five", "six"].map(Message::new);
    memory.remember(&ada(), &messages, &operation("said")).unwrap();
    let started = Instant::now();
    for number in 0.. {
        memory.work(false, None, &operation(&format!("work-{number}")), |_| {}).unwrap();
        let more = [Message::new(&format!("more {number}"))];
        memory.remember(&ada(), &more, &operation(&format!("more-{number}"))).unwrap();
        if memory.queue().unwrap().kinds.iter().any(|kind| kind.dead > 0) {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", memory.queue());
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2, "as often as is configured");
    memory.work(false, None, &operation("rest"), |_| {}).unwrap();
    let waiting = memory.messages(&ada(), None).unwrap().iter().filter(|message| message.labels.is_none()).count();
    assert_eq!(waiting, 1, "nobody else waits");
    assert_eq!(memory.retry_jobs(&ada(), &operation("retry")).unwrap().jobs, 1);
    assert_eq!(memory.cancel_jobs(&ada(), &operation("cancel")).unwrap().jobs, 1);
    assert!(memory.queue().unwrap().kinds.is_empty());
}

#[test]
fn d2_a_worker_in_the_process_is_switched_on_by_one_setting() {
    let server = ModelServer::start(|received| Asked::read(received).reply(&labels()));
    let toml = with_model(&server.url(), &MODEL.replace("[work]\n", "[work]\nin_process = true\n"));
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &toml);
    memory.remember(&ada(), &[Message::new("Hello")], &operation("said")).unwrap();
    let labelled = || memory.messages(&ada(), None).unwrap()[0].labels.is_some();
    let started = Instant::now();
    while !labelled() {
        assert!(started.elapsed() < Duration::from_secs(30), "{:?}", memory.queue());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(memory.pause(Duration::from_secs(10)), "a fork waits for the worker");
    memory.resume();
    memory.remember(&ada(), &[Message::new("Again")], &operation("again")).unwrap();
    let started = Instant::now();
    while memory.messages(&ada(), None).unwrap().iter().any(|message| message.labels.is_none()) {
        assert!(started.elapsed() < Duration::from_secs(30), "{:?}", memory.queue());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Does nothing in an ordinary run; the test below starts it, and kills it.
#[test]
fn approve_worker() {
    let Ok(toml) = std::env::var("RECORDAR_APPROVE_CONFIG") else { return };
    let memory = Recordar::open(Config::from_toml(&toml, Path::new("/")).unwrap(), system_clock()).unwrap();
    let is_known = memory.vocabulary(None).unwrap().topics.iter().any(|topic| topic.name == "vouchers");
    if is_known {
        memory.work(false, None, &operation(&format!("work-{}", std::process::id())), |_| {}).unwrap();
    } else {
        memory.approve_term(TermKind::Topic, "vouchers", |_| {}).unwrap();
    }
}

fn run_killed_approval(engine: Engine) {
    let count = rounds(1_500, 100_000);
    let database = TestDatabase::new(engine);
    let server = ModelServer::start(|received| {
        let reply = json!({"topics": ["refund", "billing"], "category": "inquiry", "message_type": "question",
            "importance": 0.5, "confidence": "low", "suggested_topic": "vouchers"});
        Asked::read(received).reply(&reply.to_string())
    });
    let limits = "concurrency = 32\nmax_tokens_per_day = 9000000000\nmax_tokens_per_operation = 9000000000\n[work]\n";
    let model = with_model(&server.url(), &MODEL.replace("[work]\n", limits));
    let toml = format!("database.url = {:?}\n{model}", database.url);
    let memory = Recordar::open(Config::from_toml(&toml, Path::new("/")).unwrap(), system_clock()).unwrap();
    let messages: Vec<Message> = (0..count).map(|number| Message::new(&format!("A voucher for {number}"))).collect();
    memory.remember(&ada(), &messages, &operation("said")).unwrap();
    assert_eq!(memory.work(false, None, &operation("label"), |_| {}).unwrap().labelled, count as u64);
    let labels = || memory.messages(&ada(), None).unwrap().into_iter().map(|one| one.labels).collect::<Vec<_>>();
    let before = labels();
    let (mut kills, mut searches) = (0, 0);
    loop {
        let mut worker = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "working::approve_worker", "--nocapture"])
            .env("RECORDAR_APPROVE_CONFIG", &toml)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let patience = Duration::from_millis(60 + 10 * kills);
        let started = Instant::now();
        let ended = loop {
            if let Some(status) = worker.try_wait().unwrap() {
                break Some(status);
            }
            if kills < 10 && started.elapsed() > patience {
                break None;
            }
            let found = memory.search(&[ada()], &SearchRequest::new("voucher")).unwrap();
            assert!(!found.hits.is_empty(), "searches go on");
            searches += 1;
        };
        match ended {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => {
                worker.kill().unwrap();
                worker.wait().unwrap();
                kills += 1;
            }
        }
    }
    let history = memory.vocabulary_history().unwrap();
    assert_eq!((history.len(), history[0].pending), (1, false), "{history:?}");
    let after = labels();
    assert!(after.iter().all(|labels| labels.as_ref().unwrap().topics == ["vouchers", "refund", "billing"]));
    let rows = memory.raw().unwrap().lines().iter().filter(|line| line.starts_with("labels ")).count();
    assert_eq!(rows, 2 * count, "once each");
    memory.undo_approval(TermKind::Topic, "vouchers", |_| {}).unwrap();
    assert_eq!(labels(), before, "undo brings the labels of before");
    println!("{engine:?}: {count} messages, {kills} kills, {searches} searches");
}

#[test]
fn d7_a_backfill_that_is_killed_is_done_once_sqlite() {
    run_killed_approval(Engine::Sqlite);
}

#[test]
fn d7_a_backfill_that_is_killed_is_done_once_postgres() {
    run_killed_approval(Engine::Postgres);
}

#[test]
fn d7_a_backfill_that_is_killed_is_done_once_mysql() {
    run_killed_approval(Engine::MySql);
}
