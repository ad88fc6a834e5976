//! On SQLite, writes of several threads share a commit. Each is there when it is acknowledged, and no one else's failure is its own.

use crate::writes::say;
use crate::{open, read, space, write};
use recordar_domain::{Digest, OperationId, Timestamp};
use recordar_store::{Cancel, Error, Expectations, Operation, OperationState, Replace, Settled, Store, Written};
use recordar_testkit::{Engine, TestDatabase};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const HOME: &str = "user:ada";

/// Runs a write, and behind it something that waits for its connection. The first write ends, where it calls its argument, only when the
/// second waits; so the second is next, and what the first wrote is not committed yet.
fn together<A, B: Send>(
    store: &Store,
    first: impl FnOnce(&dyn Fn()) -> A,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (begun, begins) = channel();
    std::thread::scope(move |scope| {
        let second = scope.spawn(move || {
            begins.recv().unwrap();
            second()
        });
        let has_waited = Cell::new(false);
        let wait = || {
            if !has_waited.replace(true) {
                begun.send(()).unwrap();
                wait_until(|| store.waiting_writes() == 1);
            }
        };
        let first = first(&wait);
        (first, second.join().unwrap())
    })
}

fn wait_until(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "it does not come to that");
        std::thread::yield_now();
    }
}

fn say_behind(store: &Store, id: &str, wait: &dyn Fn()) -> Result<Written<i64>, Error> {
    write(store, &space(HOME), id, 1, |writing| {
        let said = say(writing, id)?;
        wait();
        Ok(said)
    })
}

fn say_alone(store: &Store, id: &str) -> Result<Written<i64>, Error> {
    say_behind(store, id, &|| ())
}

/// The texts of all messages, in order of their ids, which are dense, as are the revisions that wrote them.
fn said(store: &Store) -> Vec<String> {
    let row = store.read(|reading| reading.space(&space(HOME))).unwrap().unwrap();
    assert_eq!(row.revision, row.next_id - 1, "each write says one thing");
    let text = |id| store.read(|reading| Ok(reading.item(row.id, id)?.unwrap().text)).unwrap();
    (1..row.next_id).map(text).collect()
}

fn state_of(store: &Store, id: &str) -> Option<OperationState> {
    let id = OperationId::parse(id).unwrap();
    read(store, &space(HOME), |reading, home| Ok(reading.operation(home, &id)?.map(|row| row.state)))
}

/// Counts commits where they are: in the log of the file. As long as someone reads an old state, none is removed from it.
struct CommitLog {
    path: PathBuf,
    _reader: rusqlite::Connection,
    before: usize,
}

impl CommitLog {
    fn of(database: &TestDatabase) -> Self {
        let file = database.url.trim_start_matches("sqlite:");
        let reader = rusqlite::Connection::open(file).unwrap();
        reader.execute_batch("BEGIN; SELECT * FROM store").unwrap();
        let mut log = Self { path: PathBuf::from(format!("{file}-wal")), _reader: reader, before: 0 };
        log.before = log.commits();
        log
    }

    /// The frames since then that say how large the database is after a commit, and belong to this log.
    fn commits(&self) -> usize {
        const HEADER_BYTES: usize = 32;
        const FRAME_HEADER_BYTES: usize = 24;
        let bytes = std::fs::read(&self.path).unwrap();
        let (header, frames) = bytes.split_at(HEADER_BYTES);
        let page_bytes = u32::from_be_bytes(header[8..12].try_into().unwrap()) as usize;
        let commits = frames.chunks_exact(FRAME_HEADER_BYTES + page_bytes);
        commits.filter(|frame| frame[4..8] != [0; 4] && frame[8..16] == header[16..24]).count() - self.before
    }
}

#[test]
fn a14_group_commit_many_threads_share_commits_and_lose_nothing() {
    const THREADS: usize = 32;
    const WRITES: usize = 20;
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let log = CommitLog::of(&database);
    let has_waited = AtomicBool::new(false);
    let wait_for_all = || {
        if !has_waited.swap(true, Ordering::Relaxed) {
            wait_until(|| store.waiting_writes() == THREADS - 1);
        }
    };
    let mut revisions: Vec<i64> = std::thread::scope(|scope| {
        let write_all = |thread: usize| {
            let ids = (0..WRITES).map(move |turn| format!("{thread}-{turn}"));
            ids.map(|id| say_behind(&store, &id, &wait_for_all).unwrap().revision.unwrap()).collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || write_all(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    revisions.sort_unstable();
    assert!(revisions.into_iter().eq(1..=(THREADS * WRITES) as i64));
    let texts: BTreeSet<String> = said(&store).into_iter().collect();
    assert_eq!(texts.len(), THREADS * WRITES);
    assert!(log.commits() < THREADS * WRITES, "{} commits", log.commits());
}

#[test]
fn a14_group_commit_a_single_writer_commits_each_write() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let log = CommitLog::of(&database);
    for turn in 1..=5 {
        say_alone(&store, &turn.to_string()).unwrap();
        assert_eq!(log.commits(), turn);
    }
}

#[test]
fn a14_group_commit_an_error_or_an_abandoned_write_leaves_nothing_and_the_others_are_kept() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let log = CommitLog::of(&database);
    let (kept, failed) = together(
        &store,
        |wait| say_behind(&store, "kept", wait),
        || {
            write(&store, &space(HOME), "fails", 1, |writing| -> Result<i64, Error> {
                say(writing, "never")?;
                Err(Error::absent("made up"))
            })
        },
    );
    assert_eq!(kept.unwrap().revision, Some(1));
    assert!(matches!(failed, Err(Error::NotFound { .. })));
    assert_eq!(log.commits(), 1);
    let id = OperationId::parse("abandoned").unwrap();
    let operation = Operation { id: &id, kind: "test", request: Digest::of("abandoned") };
    let (kept, abandoned) = together(
        &store,
        |wait| say_behind(&store, "kept-too", wait),
        || {
            store.write(&space(HOME), &operation, Timestamp::from_micros(0), |writing| {
                say(writing, "never").map(Settled::Abandon)
            })
        },
    );
    assert_eq!(kept.unwrap().revision, Some(2));
    assert_eq!(abandoned.unwrap().revision, None);
    assert_eq!(log.commits(), 2);
    // One that is first in its transaction leaves nothing either, and the next one is not in it.
    let (failed, kept) = together(
        &store,
        |wait| {
            write(&store, &space(HOME), "fails-first", 1, |writing| -> Result<i64, Error> {
                say(writing, "never")?;
                wait();
                Err(Error::absent("made up"))
            })
        },
        || say_alone(&store, "last"),
    );
    assert!(matches!(failed, Err(Error::NotFound { .. })));
    assert_eq!(kept.unwrap().revision, Some(3));
    assert_eq!(said(&store), ["kept", "kept-too", "last"]);
    assert_eq!([state_of(&store, "fails"), state_of(&store, "abandoned")], [None, None]);
}

/// A write beside one that the database refuses, in the same transaction. Returns its result, and how often the second ran.
fn beside_a_refused_write(store: &Store, refusals: usize) -> (Result<Written<i64>, Error>, usize) {
    let (first_runs, second_runs) = (Cell::new(0), AtomicUsize::new(0));
    let (kept, second) = together(
        store,
        |wait| {
            write(store, &space(HOME), "kept", 1, |writing| {
                first_runs.set(first_runs.get() + 1);
                let said = say(writing, "kept")?;
                wait();
                Ok(said)
            })
        },
        || {
            write(store, &space(HOME), "refused", 1, |writing| {
                let said = say(writing, "refused")?;
                if second_runs.fetch_add(1, Ordering::Relaxed) < refusals {
                    // The same row twice.
                    writing.derive(said, &[1, 1])?;
                }
                Ok(said)
            })
        },
    );
    let kept = kept.unwrap();
    assert!(kept.revision.is_some() && !kept.is_repeated);
    assert_eq!(first_runs.get(), 2, "it ran again, alone");
    assert_eq!(state_of(store, "kept"), Some(OperationState::Done));
    (second, second_runs.into_inner())
}

#[test]
fn a14_group_commit_a_statement_that_fails_is_an_error_of_its_own_write_only() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let (refused, runs) = beside_a_refused_write(&store, usize::MAX);
    let refused = refused.unwrap_err();
    assert_eq!((refused.code(), runs), ("constraint", 2), "{refused}");
    assert_eq!(said(&store), ["kept"]);
    assert_eq!(state_of(&store, "refused"), Some(OperationState::Failed));
}

#[test]
fn a14_group_commit_a_statement_that_fails_because_of_others_does_not_fail_its_write() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let (written, runs) = beside_a_refused_write(&store, 1);
    assert!(!written.unwrap().is_repeated && runs == 2);
    assert_eq!(said(&store).into_iter().collect::<BTreeSet<_>>(), ["kept", "refused"].map(str::to_owned).into());
}

#[test]
fn a14_group_commit_a_write_that_panics_takes_no_other_with_it() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let panics = || -> Result<Written<i64>, Error> {
        write(&store, &space(HOME), "panics", 1, |writing| {
            say(writing, "never")?;
            panic!("made up")
        })
    };
    let (kept, panicked) = together(
        &store,
        |wait| say_behind(&store, "kept", wait),
        || std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err(),
    );
    assert!(kept.is_ok() && panicked);
    assert_eq!(said(&store), ["kept"]);
}

#[test]
fn a14_group_commit_the_same_operation_twice_in_a_commit_is_done_once() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let log = CommitLog::of(&database);
    let (first, again) = together(&store, |wait| say_behind(&store, "same", wait), || say_alone(&store, "same"));
    let (first, again) = (first.unwrap(), again.unwrap());
    assert_eq!((first.value, first.revision), (again.value, again.revision));
    assert!(!first.is_repeated && again.is_repeated);
    assert_eq!((said(&store).len(), log.commits()), (1, 1));
}

#[test]
fn a14_group_commit_a_file_that_was_replaced_is_said_to_every_write_of_the_commit() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let file = PathBuf::from(database.url.trim_start_matches("sqlite:"));
    let elsewhere = file.with_extension("elsewhere");
    let (first, second) = together(
        &store,
        |wait| say_behind(&store, "first", wait),
        || {
            write(&store, &space(HOME), "second", 1, |writing| {
                std::fs::rename(&file, &elsewhere).unwrap();
                say(writing, "second")
            })
        },
    );
    for refused in [first, second].map(Result::unwrap_err) {
        assert_eq!(refused.code(), "cannot_connect", "{refused}");
        assert!(refused.to_string().contains("removed or replaced"), "{refused}");
    }
    std::fs::rename(&elsewhere, &file).unwrap();
    assert_eq!(say_alone(&store, "after").unwrap().revision, Some(1), "nothing of them was written");
}

#[test]
fn a14_group_commit_cancelled_writes_that_wait_write_nothing_and_hold_up_no_one() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    for leaves_first in [true, false] {
        let cancel = Cancel::default();
        let cancelled = store.cancelled_by(cancel.clone());
        let (kept, waited) = together(
            &store,
            |wait| {
                write(&store, &space(HOME), &format!("kept-{leaves_first}"), 1, |writing| {
                    wait();
                    cancel.cancel();
                    if leaves_first {
                        wait_until(|| store.waiting_writes() == 0);
                    }
                    say(writing, "kept")
                })
            },
            || say_alone(&cancelled, "cancelled"),
        );
        assert!(kept.is_ok(), "{leaves_first}");
        assert!(matches!(waited, Err(Error::Cancelled)), "{leaves_first}");
    }
    assert_eq!(said(&store), ["kept", "kept"]);
    assert_eq!(state_of(&store, "cancelled"), None);
}

#[test]
fn a14_group_commit_a_write_is_cancelled_before_it_ends_or_not_at_all() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let [first_cancel, second_cancel] = [(); 2].map(|()| Cancel::default());
    let [first_store, second_store] = [&first_cancel, &second_cancel].map(|cancel| store.cancelled_by(cancel.clone()));
    let (first, second) = together(
        &store,
        |wait| say_behind(&first_store, "first", wait),
        || {
            write(&second_store, &space(HOME), "second", 1, |writing| {
                // The first has ended and waits for the commit.
                first_cancel.cancel();
                second_cancel.cancel();
                say(writing, "second")
            })
        },
    );
    assert_eq!(first.unwrap().revision, Some(1));
    assert!(matches!(second, Err(Error::Cancelled)));
    assert_eq!(said(&store), ["first"]);
}

#[test]
fn a14_group_commit_scrubbing_and_importing_begin_after_the_commit() {
    let other = TestDatabase::new(Engine::Sqlite);
    let other = (open(&other), other);
    write(&other.0, &space("user:bob"), "say", 1, |writing| say(writing, "imported")).unwrap();
    let mut file = Vec::new();
    other.0.export(None, &mut file).unwrap();

    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let import = |mut file: &[u8], replace| {
        let expected = Expectations { space: None, sources_of: &|_| Ok(Default::default()), adds_vocabularies: true };
        store.import(&mut file, replace, &expected)
    };
    let (kept, scrubbed) = together(&store, |wait| say_behind(&store, "one", wait), || store.scrub());
    assert!(kept.is_ok() && scrubbed.unwrap());
    let (kept, imported) = together(&store, |wait| say_behind(&store, "two", wait), || import(&file, Replace::Nothing));
    assert!(kept.is_ok() && imported.unwrap().len() == 1);
    // One that fails rolls back its own transaction only.
    let cut = &file[..file.len() - 2];
    let (kept, refused) =
        together(&store, |wait| say_behind(&store, "three", wait), || import(cut, Replace::Everything));
    assert!(kept.is_ok() && refused.is_err());
    assert_eq!(said(&store), ["one", "two", "three"]);
    assert!(store.read(|reading| reading.space(&space("user:bob"))).unwrap().is_some());
}

#[test]
fn a14_group_commit_bookkeeping_joins_a_commit_and_is_undone_alone() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    let job = recordar_store::NewJob { kind: 1, subject: 7, due_at: Timestamp::from_micros(0) };
    let log = CommitLog::of(&database);
    let add = |to: &str| store.add_jobs(&space(to), std::slice::from_ref(&job), Timestamp::from_micros(0));
    let (kept, none) = together(&store, |wait| say_behind(&store, "one", wait), || add("user:nobody"));
    assert!(kept.is_ok() && none.unwrap() == 0);
    let (kept, added) = together(&store, |wait| say_behind(&store, "two", wait), || add(HOME));
    assert!(kept.is_ok() && added.unwrap() == 1);
    assert_eq!((said(&store).len(), log.commits()), (2, 2));
}

#[test]
fn a14_group_commit_a_pause_loses_nothing_that_was_acknowledged() {
    const THREADS: usize = 8;
    const WRITES: usize = 40;
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    say_alone(&store, "before").unwrap();
    let acknowledged = AtomicUsize::new(1);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, acknowledged) = (&store, &acknowledged);
            scope.spawn(move || {
                for turn in 0..WRITES {
                    say_alone(store, &format!("{thread}-{turn}")).unwrap();
                    acknowledged.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        while acknowledged.load(Ordering::SeqCst) < 1 + THREADS * WRITES {
            let before = acknowledged.load(Ordering::SeqCst);
            assert!(store.pause(Duration::from_secs(60)));
            // A connection of its own, as in a process that was forked.
            let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
            let there: i64 = file.query_row("SELECT COUNT(*) FROM items", [], |row| row.get(0)).unwrap();
            assert!(there as usize >= before, "{there} of {before} are there");
            drop(file);
            store.resume();
        }
    });
    assert_eq!(said(&store).len(), 1 + THREADS * WRITES);
}
