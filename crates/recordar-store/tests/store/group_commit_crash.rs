//! Killed with SIGKILL while sixteen threads write to SQLite: what was acknowledged is there.
//!
//! The worker is this test binary itself, started again.

use crate::writes::say;
use crate::{open, space, write};
use recordar_domain::OperationId;
use recordar_store::{DatabaseUrl, OperationState, Store, StoreOptions};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const THREADS: usize = 16;
const HOME: &str = "user:ada";

/// Does nothing in an ordinary run; the test below starts it and kills it.
#[test]
fn group_commit_worker() {
    let (Ok(url), Ok(round)) = (std::env::var("RECORDAR_GROUP_URL"), std::env::var("RECORDAR_GROUP_ROUND")) else {
        return;
    };
    let store = Store::open(StoreOptions::new(DatabaseUrl::parse(&url, Path::new("/")).unwrap())).unwrap();
    let write_on = |thread: usize| {
        for turn in 0_u64.. {
            let id = format!("{round}-{thread}-{turn}");
            write(&store, &space(HOME), &id, 1, |writing| say(writing, &id)).unwrap();
            let mut out = std::io::stdout().lock();
            writeln!(out, "done {id}").and_then(|()| out.flush()).unwrap();
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|thread| drop(scope.spawn(move || write_on(thread)))));
}

/// Starts a worker, kills it at some moment, and returns the operations that it had acknowledged.
fn run_and_kill(url: &str, round: usize, random: &mut Random) -> Vec<String> {
    let mut worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "group_commit_crash::group_commit_worker", "--nocapture"])
        .env("RECORDAR_GROUP_URL", url)
        .env("RECORDAR_GROUP_ROUND", round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(worker.stdout.take().unwrap());
    let (sender, acknowledgements) = channel();
    let reader = std::thread::spawn(move || {
        // The test harness writes its own words in front of the first line.
        let done = |line: String| line.rsplit_once("done ").map(|(_, id)| id.to_owned());
        stdout.lines().map_while(Result::ok).filter_map(done).for_each(|id| drop(sender.send(id)));
    });
    let mut acknowledged = vec![acknowledgements.recv_timeout(Duration::from_secs(60)).unwrap()];
    let deadline = Instant::now() + Duration::from_micros(random.below(80_000) as u64);
    while let Some(left) = deadline.checked_duration_since(Instant::now()) {
        acknowledged.extend(acknowledgements.recv_timeout(left));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    reader.join().unwrap();
    acknowledged.extend(acknowledgements.try_iter());
    acknowledged
}

#[test]
fn a14_group_commit_killed_while_many_threads_write() {
    let mut random = Random(14);
    let database = TestDatabase::new(Engine::Sqlite);
    let (kills, mut total) = (rounds(5, 100), 0);
    for round in 0..kills {
        let acknowledged = run_and_kill(&database.url, round, &mut random);
        total += acknowledged.len();
        let store = open(&database);
        let home = store.read(|reading| reading.space(&space(HOME))).unwrap().unwrap();
        for id in &acknowledged {
            let operation = OperationId::parse(id).unwrap();
            let (row, item) = store
                .read(|reading| {
                    let row = reading.operation(home.id, &operation)?.unwrap();
                    let item: i64 = row.result.as_deref().unwrap().parse().unwrap();
                    Ok((row, reading.item(home.id, item)?))
                })
                .unwrap();
            assert_eq!(row.state, OperationState::Done, "{id} was acknowledged");
            assert_eq!(&item.unwrap().text, id);
            let again = write(&store, &space(HOME), id, 2, |writing| say(writing, "never")).unwrap();
            assert!(again.is_repeated, "{id}");
        }
        assert_eq!(home.revision, home.next_id - 1, "each write is whole or absent");
        let findings = store.health().unwrap().findings.join("; ");
        assert!(findings.contains("intact"), "{findings}");
    }
    println!("{kills} kills, {total} writes acknowledged and all there");
    assert!(total > kills, "the kills came too early to tell anything");
}
