//! D2: the job queue, on each database.

use crate::{agree, open, read, space, write};
use recordar_domain::{Digest, ItemKind, Metadata, Role, SpaceName, Timestamp};
use recordar_store::{
    CountedReceipts, DeadJob, Error, Expectations, ForgetTarget, LeaseRequest, LeasedJobs, MessageRow, NewJob,
    QueueStatus, Release, ReleasedJob, Replace, Store, Writing,
};
use recordar_testkit::{Engine, TestDatabase};
use std::collections::{BTreeMap, BTreeSet};

const EMBED: i64 = 1;
const CLASSIFY: i64 = 2;
const MAX_LEASES: i64 = 3;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000)
}

fn job(kind: i64, subject: i64, due: i64) -> NewJob {
    NewJob { kind, subject, due_at: at(due) }
}

fn add(store: &Store, home: &SpaceName, id: &str, jobs: &[NewJob]) -> u64 {
    write(store, home, id, 1, |writing| writing.add_jobs(jobs)).unwrap().value
}

/// Takes jobs of both kinds for a worker, for ten seconds.
fn lease(store: &Store, worker: &str, now: i64, most: usize) -> Option<LeasedJobs> {
    let request = LeaseRequest {
        lease: Digest::of(worker),
        now: at(now),
        until: at(now + 10),
        most,
        max_leases: MAX_LEASES,
        spaces: None,
    };
    store.lease_jobs(&[EMBED, CLASSIFY], &request).unwrap()
}

fn subjects(leased: Option<LeasedJobs>) -> Vec<i64> {
    leased.map_or_else(Vec::new, |leased| leased.jobs.iter().map(|job| job.subject).collect())
}

fn finish(store: &Store, home: &SpaceName, worker: &str, jobs: &[i64]) -> Vec<i64> {
    let id = Digest::of(format!("{worker} {jobs:?}")).to_string();
    write(store, home, &id, 1, |writing| writing.finish_jobs(Digest::of(worker), EMBED, jobs)).unwrap().value
}

fn release(store: &Store, home: &SpaceName, worker: &str, subject: i64, outcome: Release) -> u64 {
    store.release_jobs(Digest::of(worker), home, &[ReleasedJob { subject, outcome }]).unwrap()
}

fn status(store: &Store, home: &SpaceName, now: i64) -> Vec<(i64, u64, u64, u64)> {
    let status = read(store, home, |reading, id| reading.queue_status(Some(id), at(now)));
    status.iter().map(|status| (status.kind, status.waiting, status.leased, status.dead)).collect()
}

fn dead(store: &Store, home: &SpaceName) -> Vec<DeadJob> {
    read(store, home, |reading, id| reading.dead_jobs(id, 100))
}

/// The rows of the queue, without the count of turns.
fn queue_rows(store: &Store) -> Vec<String> {
    let is_queued = |row: &String| row.starts_with("jobs ") || row.starts_with("queues ");
    store.raw().unwrap().lines().into_iter().filter(is_queued).collect()
}

fn say(writing: &mut Writing<'_>, thread_id: Option<i64>) -> Result<i64, Error> {
    let metadata = Metadata::default();
    writing.add_messages(&[MessageRow {
        kind: ItemKind::Message,
        thread_id,
        role: Role::User,
        source: None,
        speaker: None,
        text: "hello",
        tokens: 1,
        importance: None,
        metadata: &metadata,
        occurred_at: None,
        own_id: None,
    }])
}

fn forget(store: &Store, home: &SpaceName, id: &str, target: &ForgetTarget) {
    write(store, home, id, 2, |writing| writing.forget(target, CountedReceipts::OfEverySpace, &|_| 1)).unwrap();
}

#[test]
fn d2_queue_jobs_are_taken_by_time_and_finished_once() {
    agree(|store| {
        let home = space("user:ada");
        assert_eq!(lease(store, "early", 0, 10), None, "a store without jobs");
        let jobs = [job(EMBED, 7, 5), job(EMBED, 3, 5), job(EMBED, 9, 4), job(EMBED, 1, 50), job(EMBED, 3, 1)];
        assert_eq!(add(store, &home, "add", &jobs), 4, "each once");
        assert_eq!(add(store, &home, "again", &jobs), 0);
        assert_eq!(lease(store, "early", 3, 10), None, "none is due");
        let leased = lease(store, "first", 6, 2).unwrap();
        assert_eq!((&leased.space, leased.kind), (&home, EMBED));
        assert_eq!((leased.jobs[0].attempts, leased.jobs[0].made_at), (0, at(1)));
        assert_eq!(subjects(Some(leased)), [9, 3]);
        assert_eq!(subjects(lease(store, "first", 6, 2)), [3, 9], "a repeated request takes nothing more");
        assert_eq!(subjects(lease(store, "second", 6, 2)), [7]);
        assert_eq!(lease(store, "third", 6, 2), None);
        assert_eq!(add(store, &home, "while-leased", &jobs), 0);
        assert_eq!(finish(store, &home, "first", &[3, 7, 9, 3]), [3, 9], "the other one is not its own");
        assert_eq!(finish(store, &home, "second", &[7]), [7]);
        assert_eq!(finish(store, &home, "second", &[7, 7]), [0_i64; 0], "only once");
        assert_eq!(subjects(lease(store, "third", 60, 2)), [1]);
        assert_eq!(finish(store, &home, "third", &[1]), [1]);
        assert!(queue_rows(store).is_empty(), "nothing is left");
        assert_eq!(add(store, &home, "anew", &jobs), 4, "it may be queued again");
    });
}

#[test]
fn d2_queue_an_expired_lease_is_taken_by_another() {
    agree(|store| {
        let home = space("user:ada");
        add(store, &home, "add", &[job(EMBED, 1, 0), job(EMBED, 2, 0)]);
        assert_eq!(subjects(lease(store, "slow", 0, 10)), [1, 2]);
        assert_eq!(lease(store, "other", 9, 10), None);
        assert_eq!(status(store, &home, 9), [(EMBED, 0, 2, 0)]);
        assert_eq!(status(store, &home, 10), [(EMBED, 2, 0, 0)], "whose lease has expired waits again");
        assert_eq!(subjects(lease(store, "other", 10, 1)), [1]);
        let lost = [1, 2].map(|subject| ReleasedJob { subject, outcome: Release::Later { due_at: at(0) } });
        assert_eq!(finish(store, &home, "slow", &[1, 2]), [2], "nobody has taken the second one");
        assert!(!store.renew_lease(Digest::of("slow"), &home, at(99)).unwrap());
        assert_eq!(store.release_jobs(Digest::of("slow"), &home, &lost).unwrap(), 0);
        assert_eq!(finish(store, &home, "other", &[1]), [1]);
    });
}

#[test]
fn d2_queue_a_renewed_lease_is_kept() {
    agree(|store| {
        let home = space("user:ada");
        add(store, &home, "add", &[job(EMBED, 1, 0)]);
        assert_eq!(subjects(lease(store, "busy", 0, 10)), [1]);
        assert!(store.renew_lease(Digest::of("busy"), &home, at(30)).unwrap());
        assert!(store.renew_lease(Digest::of("busy"), &home, at(20)).unwrap(), "never shortened");
        assert!(!store.renew_lease(Digest::of("busy"), &space("user:bob"), at(40)).unwrap());
        assert_eq!(lease(store, "other", 29, 10), None);
        assert_eq!(subjects(lease(store, "other", 30, 10)), [1]);
        assert!(!store.renew_lease(Digest::of("busy"), &home, at(99)).unwrap());
    });
}

#[test]
fn d2_queue_spaces_take_turns() {
    agree(|store| {
        let (large, small, third) = (space("user:ada"), space("user:bob"), space("user:eve"));
        let many: Vec<NewJob> = (1..=1000).map(|subject| job(EMBED, subject, 0)).collect();
        assert_eq!(add(store, &large, "add", &many), 1000);
        let served = |worker: &str| lease(store, worker, 5, 10).unwrap().space;
        assert_eq!(served("1"), large);
        add(store, &small, "add", &[job(EMBED, 1, 4)]);
        add(store, &third, "add", &[job(EMBED, 1, 3), job(CLASSIFY, 1, 2)]);
        // Their turns began when they came; which of those is first depends on nothing but the order of spaces.
        let turns: Vec<SpaceName> = ["2", "3", "4"].iter().map(|worker| served(worker)).collect();
        assert_eq!(turns, [&large, &small, &third].map(Clone::clone));
        assert_eq!(served("5"), large, "the other kind of the third space waits for its turn");
        let last = lease(store, "6", 5, 10).unwrap();
        assert_eq!((&last.space, last.kind), (&third, EMBED), "the kind that was due first came first");
        // A space that runs out of jobs and comes back does not come first.
        assert_eq!(finish(store, &small, "3", &[1]), [1]);
        add(store, &small, "again", &[job(EMBED, 1, 0)]);
        assert_eq!([served("7"), served("8"), served("9")].map(|name| name == small), [false, true, false]);
        // Only some spaces are served.
        let spaces = [small.clone(), third.clone(), space("user:unknown")];
        let request = |spaces| LeaseRequest {
            lease: Digest::of("10"),
            now: at(50),
            until: at(60),
            most: 5,
            max_leases: MAX_LEASES,
            spaces: Some(spaces),
        };
        assert_eq!(store.lease_jobs(&[EMBED], &request(&[])).unwrap(), None);
        assert_eq!(store.lease_jobs(&[EMBED], &request(&spaces[2..])).unwrap(), None);
        assert_eq!(store.lease_jobs(&[EMBED], &request(&spaces)).unwrap().unwrap().space, third);
    });
}

#[test]
fn d2_queue_a_kind_that_nobody_works_on_blocks_no_other() {
    agree(|store| {
        let (ada, bob) = (space("user:ada"), space("user:bob"));
        add(store, &ada, "add", &[job(CLASSIFY, 1, 0), job(EMBED, 1, 50)]);
        add(store, &bob, "add", &[job(EMBED, 1, 1)]);
        let request = |worker: &str| LeaseRequest {
            lease: Digest::of(worker),
            now: at(5),
            until: at(15),
            most: 5,
            max_leases: MAX_LEASES,
            spaces: None,
        };
        assert_eq!(store.lease_jobs(&[EMBED], &request("1")).unwrap().unwrap().space, bob);
        assert_eq!(store.lease_jobs(&[EMBED], &request("2")).unwrap(), None);
        assert_eq!(store.lease_jobs(&[], &request("2")).unwrap(), None);
        assert_eq!(store.lease_jobs(&[9], &request("2")).unwrap(), None);
        // A queue that looks due although its only job was renewed is corrected.
        assert!(store.renew_lease(Digest::of("1"), &bob, at(40)).unwrap());
        let late = LeaseRequest { now: at(20), until: at(30), ..request("2") };
        assert_eq!(store.lease_jobs(&[EMBED], &late).unwrap(), None);
        assert_eq!(store.lease_jobs(&[CLASSIFY], &late).unwrap().unwrap().space, ada);
    });
}

#[test]
fn d2_queue_a_failed_job_waits_and_is_dead_in_the_end() {
    agree(|store| {
        let home = space("user:ada");
        add(store, &home, "add", &[job(EMBED, 1, 0), job(EMBED, 2, 0), job(EMBED, 3, 0)]);
        assert_eq!(subjects(lease(store, "1", 0, 10)), [1, 2, 3]);
        let long = format!("é\0{}", "x".repeat(1000));
        assert_eq!(release(store, &home, "1", 1, Release::Failed { due_at: at(20), error: "busy".to_owned() }), 1);
        assert_eq!(release(store, &home, "1", 2, Release::Later { due_at: at(30) }), 1);
        assert_eq!(release(store, &home, "1", 3, Release::Dead { error: long }), 1);
        assert_eq!(release(store, &home, "1", 3, Release::Later { due_at: at(0) }), 0, "it is given back already");
        assert_eq!(status(store, &home, 1), [(EMBED, 2, 0, 1)]);
        assert_eq!(dead(store, &home)[0].error, Some(format!("é{}", "x".repeat(499))));
        assert_eq!(lease(store, "2", 19, 10), None);
        let again = lease(store, "2", 20, 10).unwrap();
        assert_eq!((again.jobs.len(), again.jobs[0].subject, again.jobs[0].attempts), (1, 1, 1));
        release(store, &home, "2", 1, Release::Dead { error: "still busy".to_owned() });
        let later = lease(store, "3", 40, 10).unwrap();
        assert_eq!((later.jobs.len(), later.jobs[0].subject, later.jobs[0].attempts), (1, 2, 0));
        assert_eq!(finish(store, &home, "3", &[2]), [2]);
        assert_eq!(lease(store, "4", 99, 10), None, "dead jobs are not taken");
        let row =
            DeadJob { kind: EMBED, subject: 1, attempts: 2, error: Some("still busy".to_owned()), made_at: at(1) };
        assert_eq!((dead(store, &home).len(), &dead(store, &home)[0]), (2, &row));
    });
}

#[test]
fn d2_queue_a_job_that_ends_its_workers_is_dead_and_spares_the_others() {
    agree(|store| {
        let home = space("user:ada");
        add(store, &home, "add", &[job(EMBED, 1, 0), job(EMBED, 2, 0), job(EMBED, 3, 0)]);
        // The first of them ends every worker.
        assert_eq!(subjects(lease(store, "1", 0, 10)), [1, 2, 3]);
        assert_eq!(subjects(lease(store, "2", 10, 10)), [1, 2, 3]);
        assert_eq!(subjects(lease(store, "3", 20, 10)), [1], "the last time, it is taken alone");
        for (worker, subject) in [("4", 2), ("5", 3)] {
            assert_eq!(subjects(lease(store, worker, 20, 10)), [subject]);
            assert_eq!(finish(store, &home, worker, &[subject]), [subject]);
        }
        assert_eq!(lease(store, "6", 30, 10), None);
        let rows = dead(store, &home);
        assert_eq!((rows.len(), rows[0].subject, rows[0].attempts), (1, 1, 0));
        assert_eq!(rows[0].error.as_deref(), Some("its worker ended 3 times while doing it"));
        assert_eq!(finish(store, &home, "3", &[1]), [0_i64; 0]);
    });
}

#[test]
fn d2_queue_dead_jobs_are_revived() {
    agree(|store| {
        let home = space("user:ada");
        let kill = |worker: &str, now: i64, outcomes: &[i64]| {
            for subject in outcomes {
                lease(store, worker, now, 1).unwrap();
                assert_eq!(release(store, &home, worker, *subject, Release::Dead { error: "no".to_owned() }), 1);
            }
        };
        add(store, &home, "add", &[job(EMBED, 1, 0), job(EMBED, 2, 0), job(CLASSIFY, 1, 0)]);
        kill("1", 0, &[1, 2, 1]);
        assert_eq!(status(store, &home, 0), [(EMBED, 0, 0, 2), (CLASSIFY, 0, 0, 1)]);
        // By adding it again.
        assert_eq!(add(store, &home, "again", &[job(EMBED, 2, 5), job(EMBED, 4, 5)]), 2);
        let leased = lease(store, "2", 5, 10).unwrap();
        assert_eq!(leased.jobs.iter().map(|job| (job.subject, job.attempts)).collect::<Vec<_>>(), [(2, 0), (4, 0)]);
        assert_eq!(finish(store, &home, "2", &[2, 4]), [2, 4]);
        // By asking for it.
        let retry = |id: &str, kind: Option<i64>| {
            write(store, &home, id, 6, |writing| writing.retry_dead_jobs(kind, at(6))).unwrap().value
        };
        assert_eq!(retry("retry-one-kind", Some(CLASSIFY)), 1);
        assert_eq!(lease(store, "3", 5, 10), None);
        assert_eq!(lease(store, "3", 6, 10).unwrap().kind, CLASSIFY);
        assert_eq!(retry("retry-all", None), 1);
        assert_eq!(retry("retry-none", None), 0);
        assert_eq!(lease(store, "4", 6, 10).unwrap().kind, EMBED);
        assert!(dead(store, &home).is_empty());
    });
}

#[test]
fn d2_queue_cancelled_jobs_are_gone() {
    agree(|store| {
        let (home, other) = (space("user:ada"), space("user:bob"));
        let jobs = [job(EMBED, 1, 0), job(EMBED, 2, 0), job(CLASSIFY, 1, 0)];
        add(store, &home, "add", &jobs);
        add(store, &other, "add", &jobs);
        assert_eq!(subjects(lease(store, "1", 0, 1)), [1]);
        let cancel = |id: &str, kind: Option<i64>| {
            write(store, &home, id, 1, |writing| writing.cancel_jobs(kind)).unwrap().value
        };
        assert_eq!(cancel("one-kind", Some(EMBED)), 2);
        assert_eq!(finish(store, &home, "1", &[1]), [0_i64; 0]);
        assert_eq!(status(store, &home, 0), [(CLASSIFY, 1, 0, 0)]);
        assert_eq!(cancel("the-rest", None), 1);
        assert_eq!(cancel("nothing", None), 0);
        // Jobs of the same write are cancelled, too.
        let both = write(store, &home, "both", 1, |writing| Ok((writing.add_jobs(&jobs)?, writing.cancel_jobs(None)?)));
        assert_eq!(both.unwrap().value, (3, 3));
        assert!(status(store, &home, 0).is_empty());
        assert_eq!(status(store, &other, 0), [(EMBED, 2, 0, 0), (CLASSIFY, 1, 0, 0)]);
        assert_eq!(lease(store, "2", 0, 9).unwrap().space, other);
    });
}

#[test]
fn d2_queue_forgetting_removes_jobs() {
    agree(|store| {
        let (home, other) = (space("user:ada"), space("user:bob"));
        let fill = |writing: &mut Writing<'_>| {
            let thread = writing.thread_named("t", None)?;
            let ids = [say(writing, Some(thread))?, say(writing, None)?, say(writing, None)?, thread];
            let jobs: Vec<NewJob> = ids.iter().flat_map(|id| [job(EMBED, *id, 0), job(CLASSIFY, *id, 0)]).collect();
            writing.add_jobs(&jobs)?;
            writing.add_jobs(&[job(EMBED, 0, 0)])?;
            Ok((thread, ids))
        };
        let (thread, ids) = write(store, &home, "fill", 1, fill).unwrap().value;
        write(store, &other, "fill", 1, fill).unwrap();
        assert_eq!(status(store, &home, 0), [(EMBED, 5, 0, 0), (CLASSIFY, 4, 0, 0)]);
        assert_eq!(subjects(lease(store, "1", 0, 9)).len(), 5);
        forget(store, &home, "item", &ForgetTarget::Items(vec![ids[1]]));
        assert_eq!(status(store, &home, 0), [(EMBED, 0, 4, 0), (CLASSIFY, 3, 0, 0)]);
        forget(store, &home, "thread", &ForgetTarget::Thread(thread));
        assert_eq!(status(store, &home, 0), [(EMBED, 0, 2, 0), (CLASSIFY, 1, 0, 0)]);
        assert_eq!(finish(store, &home, "1", &[0, ids[0], ids[1], ids[2]]), [0, ids[2]]);
        forget(store, &home, "last", &ForgetTarget::Items(vec![ids[2]]));
        assert!(status(store, &home, 0).is_empty());
        assert_eq!(lease(store, "2", 0, 9).unwrap().space, other);
        forget(store, &other, "space", &ForgetTarget::Space);
        assert!(queue_rows(store).is_empty());
        assert!(!store.renew_lease(Digest::of("2"), &other, at(99)).unwrap());
        assert_eq!(release(store, &other, "2", 0, Release::Later { due_at: at(0) }), 0);
        assert_eq!(lease(store, "3", 99, 9), None);
        // The space comes back as a new one, with jobs of its own.
        assert_eq!(add(store, &other, "anew", &[job(EMBED, 0, 0)]), 1);
        assert_eq!(lease(store, "4", 99, 9).unwrap().space, other);
    });
}

#[test]
fn d2_queue_jobs_are_not_exported_and_a_restored_store_has_a_queue() {
    agree(|store| {
        let home = space("user:ada");
        write(store, &home, "say", 1, |writing| say(writing, None)).unwrap();
        add(store, &home, "add", &[job(EMBED, 1, 0), job(EMBED, 0, 0)]);
        assert_eq!(subjects(lease(store, "1", 0, 1)), [0]);
        let mut file = Vec::new();
        store.export(None, &mut file).unwrap();
        let text = String::from_utf8(file.clone()).unwrap();
        assert!(!text.contains("jobs") && !text.contains("queue"), "{text}");
        let expected = Expectations { space: None, sources_of: &|_| Ok(BTreeSet::new()), adds_vocabularies: true };
        store.import(&mut file.as_slice(), Replace::Everything, &expected).unwrap();
        assert!(queue_rows(store).is_empty());
        assert_eq!(add(store, &home, "after", &[job(EMBED, 1, 0)]), 1);
        assert_eq!(subjects(lease(store, "2", 0, 1)), [1]);
    });
}

#[test]
fn d2_queue_status_counts_by_kind() {
    agree(|store| {
        let (ada, bob) = (space("user:ada"), space("user:bob"));
        add(store, &ada, "add", &[job(EMBED, 1, 0), job(EMBED, 2, 90), job(CLASSIFY, 1, 5)]);
        write(store, &bob, "add", 3, |writing| writing.add_jobs(&[job(CLASSIFY, 1, 0)])).unwrap();
        assert_eq!(subjects(lease(store, "1", 2, 1)), [1]);
        let all = store.read(|reading| reading.queue_status(None, at(2))).unwrap();
        let expected =
            |kind, waiting, leased| QueueStatus { kind, waiting, leased, dead: 0, oldest_made_at: Some(at(1)) };
        assert_eq!(all, [expected(EMBED, 1, 1), expected(CLASSIFY, 2, 0)]);
        let only = read(store, &bob, |reading, id| reading.queue_status(Some(id), at(2)));
        assert_eq!((only.len(), only[0].waiting, only[0].oldest_made_at), (1, 1, Some(at(3))));
        lease(store, "2", 2, 1).unwrap();
        release(store, &bob, "2", 1, Release::Dead { error: "no".to_owned() });
        let dead = read(store, &bob, |reading, id| reading.queue_status(Some(id), at(2)));
        assert_eq!((dead[0].dead, dead[0].oldest_made_at), (1, None), "dead jobs are not waited for");
    });
}

#[test]
fn d2_queue_a_write_that_fails_or_is_repeated_queues_nothing() {
    agree(|store| {
        let home = space("user:ada");
        let failed = write(store, &home, "fails", 1, |writing| -> Result<u64, Error> {
            writing.add_jobs(&[job(EMBED, 1, 0)])?;
            Err(Error::Constraint { what: "made up".to_owned() })
        });
        assert!(failed.is_err());
        assert_eq!(lease(store, "1", 0, 9), None);
        assert_eq!(add(store, &home, "add", &[job(EMBED, 1, 0)]), 1);
        lease(store, "2", 0, 9).unwrap();
        finish(store, &home, "2", &[1]);
        assert_eq!(add(store, &home, "add", &[job(EMBED, 1, 0)]), 1, "the first result");
        assert!(queue_rows(store).is_empty());
    });
}

#[test]
fn d2_queue_takes_100_000_jobs_in_one_write() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        let home = space("user:ada");
        // With gaps, so that no range covers them.
        let jobs: Vec<NewJob> = (1..=100_000).map(|number| job(EMBED, number * 2, 0)).collect();
        assert_eq!(add(&store, &home, "add", &jobs), 100_000);
        assert_eq!(add(&store, &home, "again", &jobs), 0);
        let leased = lease(&store, "1", 0, usize::MAX).unwrap();
        assert_eq!(leased.jobs.len(), 512, "a lease has a limit");
        assert_eq!(finish(&store, &home, "1", &subjects(Some(leased))).len(), 512);
        for worker in 0..50 {
            let token = format!("w{worker}");
            let taken = subjects(lease(&store, &token, 0, 8));
            assert_eq!(finish(&store, &home, &token, &taken).len(), 8);
        }
        assert_eq!(
            write(&store, &home, "none", 1, |writing| writing.cancel_jobs(None)).unwrap().value,
            100_000 - 512 - 400
        );
    }
}

/// Leases jobs until there are none left, and returns how often each was finished.
fn work(url: &TestDatabase, worker: usize) -> BTreeMap<(SpaceName, i64), usize> {
    let store = open(url);
    let mut done = BTreeMap::new();
    for round in 0.. {
        let token = format!("{worker} {round}");
        let Some(leased) = lease(&store, &token, 5, 7) else { break };
        let subjects: Vec<i64> = leased.jobs.iter().map(|job| job.subject).collect();
        // One is given back, so that workers also meet at the queue.
        let (last, others) = subjects.split_last().unwrap();
        let is_returned = round % 5 == 0;
        let finished = if is_returned { others } else { &subjects[..] };
        for subject in finish(&store, &leased.space, &token, finished) {
            *done.entry((leased.space.clone(), subject)).or_default() += 1;
        }
        if is_returned {
            assert_eq!(release(&store, &leased.space, &token, *last, Release::Later { due_at: at(5) }), 1);
        }
    }
    done
}

#[test]
fn d2_queue_workers_at_once_do_each_job_once() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        let spaces = ["user:ada", "user:bob", "user:eve"].map(space);
        for home in &spaces {
            let jobs: Vec<NewJob> = (1..=125).map(|subject| job(EMBED, subject, 0)).collect();
            add(&store, home, "add", &jobs);
        }
        let done: Vec<BTreeMap<(SpaceName, i64), usize>> = std::thread::scope(|scope| {
            let database = &database;
            let workers: Vec<_> = (0..6).map(|worker| scope.spawn(move || work(database, worker))).collect();
            // Meanwhile, more jobs are added.
            for number in 0..25 {
                let jobs: Vec<NewJob> = (0..5).map(|place| job(EMBED, 1000 + number * 5 + place, 0)).collect();
                add(&store, &spaces[number as usize % 3], &format!("more-{number}"), &jobs);
            }
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        // Workers stop when they find nothing; what was given back or added at the very end is left to one more.
        let rest = work(&database, 99);
        let mut counts: BTreeMap<(SpaceName, i64), usize> = BTreeMap::new();
        for (job, count) in done.into_iter().chain([rest]).flatten() {
            *counts.entry(job).or_default() += count;
        }
        assert_eq!(counts.len(), 500, "{engine:?}");
        assert!(counts.values().all(|count| *count == 1), "{engine:?}: {counts:?}");
        assert!(queue_rows(&store).is_empty(), "{engine:?}");
    }
}
