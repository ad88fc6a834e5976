//! How a write works: ids, revisions, operation ids, times, tombstones, lineage.

use crate::{agree, open, space, write};
use recordar_domain::{Metadata, Role, Timestamp};
use recordar_store::{CountedReceipts, Error, ForgetTarget, MessageRow, OperationState, Writing};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::Arc;

pub(crate) fn say(writing: &mut Writing<'_>, text: &str) -> Result<i64, Error> {
    let metadata = Metadata::default();
    writing.add_messages(&[MessageRow {
        kind: recordar_domain::ItemKind::Message,
        thread_id: None,
        role: Role::User,
        source: None,
        speaker: None,
        text,
        tokens: 1,
        importance: None,
        metadata: &metadata,
        occurred_at: None,
        own_id: None,
    }])
}

fn count(_: &str) -> usize {
    1
}

#[test]
fn writes_take_dense_ids_and_revisions() {
    agree(|store| {
        let (ada, bob) = (space("user:ada"), space("user:bob"));
        for round in 1..=3 {
            for home in [&ada, &bob] {
                let written = write(store, home, &format!("w{round}"), round, |writing| say(writing, "hello")).unwrap();
                assert_eq!((written.value, written.revision), (round, Some(round)));
            }
        }
    });
}

#[test]
fn a14_an_operation_is_done_once_and_tells_its_first_result() {
    agree(|store| {
        let home = space("user:ada");
        let first = write(store, &home, "same", 1, |writing| say(writing, "hello")).unwrap();
        let again = write(store, &home, "same", 2, |writing| say(writing, "never")).unwrap();
        assert_eq!((again.value, again.revision), (first.value, first.revision));
        assert!(again.is_repeated && !first.is_repeated);
        let id = recordar_domain::OperationId::parse("same").unwrap();
        let other = recordar_store::Operation { id: &id, kind: "test", request: recordar_domain::Digest::of("other") };
        let mixed_up = store.write(&home, &other, Timestamp::from_micros(0), |writing| {
            say(writing, "never").map(recordar_store::Settled::Commit)
        });
        assert!(matches!(mixed_up, Err(Error::OperationReused { .. })));
    });
}

#[test]
fn a14_a_failed_write_leaves_nothing_but_its_note() {
    agree(|store| {
        let home = space("user:ada");
        write(store, &home, "before", 1, |writing| say(writing, "kept")).unwrap();
        let failed = write(store, &home, "fails", 2, |writing| -> Result<i64, Error> {
            say(writing, "rolled back")?;
            Err(Error::Constraint { what: "made up".to_owned() })
        });
        assert!(failed.is_err());
        let row = store.read(|reading| {
            let id = reading.space(&home)?.unwrap().id;
            reading.operation(id, &recordar_domain::OperationId::parse("fails").unwrap())
        });
        let row = row.unwrap().unwrap();
        assert_eq!(row.state, OperationState::Failed);
        assert_eq!(row.error.as_deref(), Some("constraint"));
        // The same id may be tried again, and takes the next id and revision as if nothing had been.
        let retried = write(store, &home, "fails", 3, |writing| say(writing, "second try")).unwrap();
        assert_eq!((retried.value, retried.revision), (2, Some(2)));
    });
}

#[test]
fn our_time_never_goes_back() {
    agree(|store| {
        let home = space("user:ada");
        for (index, seconds) in [100, 50, 200].into_iter().enumerate() {
            write(store, &home, &format!("t{index}"), seconds, |writing| say(writing, "x")).unwrap();
        }
        let times = store.read(|reading| {
            let id = reading.space(&home)?.unwrap().id;
            (1..=3).map(|item| Ok(reading.item(id, item)?.unwrap().recorded_at.as_micros() / 1_000_000)).collect()
        });
        let times: Vec<i64> = times.unwrap();
        assert_eq!(times, [100, 100, 200]);
    });
}

#[test]
fn forgetting_follows_lineage_and_leaves_tombstones() {
    agree(|store| {
        let home = space("user:ada");
        let written = write(store, &home, "say", 1, |writing| {
            let secret = say(writing, "secret")?;
            let other = say(writing, "other")?;
            let summary = say(writing, "summary of both")?;
            let of_summary = say(writing, "fact of the summary")?;
            writing.derive(summary, &[secret, other])?;
            writing.derive(of_summary, &[summary])?;
            Ok((secret, other))
        });
        let (secret, other) = written.unwrap().value;
        let target = ForgetTarget::Items(vec![secret]);
        let preview = store.read(|reading| {
            let id = reading.space(&home)?.unwrap().id;
            reading.forgettable(id, &target, CountedReceipts::OfEverySpace)
        });
        let forgotten =
            write(store, &home, "forget", 2, |writing| writing.forget(&target, CountedReceipts::OfEverySpace, &count))
                .unwrap()
                .value;
        assert_eq!(preview.unwrap(), forgotten);
        assert_eq!((forgotten.messages, forgotten.derived), (3, 2));
        let left = store.read(|reading| {
            let id = reading.space(&home)?.unwrap().id;
            Ok((reading.item(id, secret)?, reading.item(id, other)?))
        });
        let (gone, kept) = left.unwrap();
        assert!(gone.is_none() && kept.is_some());
        let repeated = write(store, &home, "say", 3, |writing| say(writing, "again").map(|id| (id, id))).unwrap();
        assert!(repeated.is_repeated, "forgetting does not make an operation new");
    });
}

#[test]
fn a_forgotten_space_is_absent_and_a_new_one_is_another() {
    agree(|store| {
        let home = space("user:ada");
        write(store, &home, "say", 1, |writing| {
            writing.plant_tree(2)?;
            let root = writing.add_category("a", None)?;
            writing.add_category("b", Some(root))?;
            writing.thread_named("t", Some("title"))?;
            say(writing, "secret")
        })
        .unwrap();
        write(store, &space("user:bob"), "say", 1, |writing| say(writing, "stays")).unwrap();
        write(store, &home, "gone", 2, |writing| {
            writing.forget(&ForgetTarget::Space, CountedReceipts::OfEverySpace, &count)
        })
        .unwrap();
        assert!(store.read(|reading| reading.space(&home)).unwrap().is_none());
        let lines = store.raw().unwrap().lines().join("\n");
        assert!(!lines.contains("secret") && !lines.contains("user:ada"), "{lines}");
        assert!(lines.contains("stays"));
        let anew = write(store, &home, "again", 3, |writing| say(writing, "new")).unwrap();
        assert_eq!((anew.value, anew.revision), (5, Some(3)), "ids and revisions go on");
        let row = store.read(|reading| reading.space(&home)).unwrap().unwrap();
        assert_eq!(row.incarnation, 2);
    });
}

#[test]
fn writers_at_once_queue_and_lose_nothing() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = Arc::new(open(&database));
        let threads: Vec<_> = (0..6)
            .map(|thread| {
                let store = Arc::clone(&store);
                std::thread::spawn(move || {
                    for round in 0..10 {
                        let home = space(if round % 2 == 0 { "user:ada" } else { "user:bob" });
                        write(&store, &home, &format!("{thread}-{round}"), 1, |writing| say(writing, "x")).unwrap();
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        for name in ["user:ada", "user:bob"] {
            let row = store.read(|reading| reading.space(&space(name))).unwrap().unwrap();
            assert_eq!(row.revision, 30, "{engine:?}");
            let last = store.read(|reading| Ok((reading.item(row.id, 30)?, reading.item(row.id, 31)?))).unwrap();
            assert!(last.0.is_some() && last.1.is_none(), "ids are dense on {engine:?}");
        }
    }
}

#[test]
fn any_text_comes_back_as_it_went_in() {
    agree(|store| {
        let home = space("user:'; DROP TABLE items; --");
        let texts = [
            "'; DROP TABLE items; --",
            "\"quoted\" \\ back\\slash",
            "line\nbreak\r\n\ttab",
            "👩‍👩‍👧‍👦 𝒳 \u{10ffff}",
            "trailing space ",
            "%_?$1",
            "\u{1b}[31mred",
            "é vs e\u{301}",
            "😀".repeat(3000).as_str(),
        ]
        .map(str::to_owned);
        for (index, text) in texts.iter().enumerate() {
            let id = write(store, &home, &format!("t{index}"), 1, |writing| {
                writing.thread_named(text, Some(text))?;
                say(writing, text)
            });
            let id = id.unwrap().value;
            let back = store.read(|reading| {
                let space = reading.space(&home)?.unwrap().id;
                Ok((reading.item(space, id)?.unwrap().text, reading.thread(space, text)?.unwrap().name))
            });
            assert_eq!(back.unwrap(), (text.clone(), text.clone()));
        }
    });
}
