//! Moving a store to another embedder (D2): searches go on, nothing forgotten stays, and whoever works next ends it.

use crate::searching::{answers, fill, queries};
use crate::{ada, open, open_at, operation};
use recordar::database::Cancel;
use recordar::forget::ForgetRequest;
use recordar::model::EmbedderName;
use recordar::recall::{Authority, RecallRequest};
use recordar::search::SearchRequest;
use recordar::{Error, Message, Recordar, SpaceName, system_clock};
use recordar_testkit::{Engine, TestDatabase};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SMALL: EmbedderName = EmbedderName::Static128;
const LARGE: EmbedderName = EmbedderName::Static256;

fn moved(memory: &Recordar, to: EmbedderName, id: &str) -> recordar::model::Reembedded {
    memory.reembed(to.as_str(), &operation(id), |_| {}).unwrap()
}

/// The same answers, without printing all of them if they are not.
fn check(found: &[String], expected: &[String], case: &str) {
    for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
        let at = found.bytes().zip(expected.bytes()).take_while(|(found, expected)| found == expected).count();
        let near = |text: &str| text.chars().skip(at.saturating_sub(100)).take(200).collect::<String>();
        assert!(found == expected, "{case}, answer {number}: {} rather than {}", near(found), near(expected));
    }
}

/// What a store answers that always had the small embedder.
fn small_answers(queries: &[SearchRequest]) -> Vec<String> {
    let database = TestDatabase::new(Engine::Sqlite);
    assert!(moved(&open(&database), SMALL, "at-once").changed);
    // Another one, whose clock has not moved yet: it shows in what is stored.
    let memory = open(&database);
    fill(&memory);
    answers(&memory, queries)
}

/// The stored segments: the hash of their model, and their bytes, in hexadecimal.
fn segments(memory: &Recordar) -> Vec<(String, String)> {
    let lines = memory.raw().unwrap().lines();
    let segments = lines.iter().filter_map(|line| line.strip_prefix("segments "));
    let parts = segments.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    parts.map(|parts| (parts[1].clone(), parts[parts.len() - 1].clone())).collect()
}

fn models(memory: &Recordar) -> BTreeSet<String> {
    segments(memory).into_iter().map(|(model, _)| model).collect()
}

fn hashes(names: &[EmbedderName]) -> BTreeSet<String> {
    names.iter().map(|name| name.hash().to_owned()).collect()
}

/// Every row that is not derived and is not about the move.
fn content(memory: &Recordar) -> Vec<String> {
    let others = ["segments ", "embedders ", "queue "];
    let lines = memory.raw().unwrap().lines();
    lines.into_iter().filter(|line| !others.iter().any(|other| line.starts_with(other))).collect()
}

#[test]
fn d2_reembed_there_and_back_finds_what_a_store_finds_that_always_had_the_embedder() {
    let queries = queries(60);
    let small = small_answers(&queries);
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (memory, other) = (open(&database), open(&database));
        fill(&memory);
        let large = answers(&memory, &queries);
        assert!(large.iter().zip(&small).filter(|(large, small)| large != small).count() > 20, "they differ");
        check(&answers(&other, &queries), &large, &format!("{engine:?}, before"));
        let question = RecallRequest::new("Who repaired the lamp?");
        let recalled = |memory: &Recordar| memory.recall(&[ada()], &question).unwrap().memories;
        let (before, recalled_before) = (content(&memory), recalled(&memory));

        let there = moved(&memory, SMALL, "there");
        assert_eq!((there.embedder.as_str(), there.dimension), (SMALL.as_str(), 128), "{engine:?}");
        assert_eq!((there.changed, there.spaces, there.failed, there.pending), (true, 1, 0, None), "{engine:?}");
        assert_eq!(models(&memory), hashes(&[SMALL]), "{engine:?}");
        for (memory, which) in [(&memory, "this"), (&other, "another"), (&open(&database), "a new")] {
            check(&answers(memory, &queries), &small, &format!("{engine:?}, {which} process"));
        }
        assert_ne!(recalled(&memory), recalled_before, "{engine:?}: not from the cache");
        assert!(recordar::measure::read_segments(&open(&database), &ada()).unwrap() > 0, "{engine:?}");

        let again = moved(&memory, SMALL, "again");
        assert_eq!((again.changed, again.spaces), (false, 0), "{engine:?}");

        assert!(moved(&other, LARGE, "back").changed, "{engine:?}");
        assert_eq!(models(&memory), hashes(&[LARGE]), "{engine:?}");
        for memory in [&memory, &other, &open(&database)] {
            check(&answers(memory, &queries), &large, &format!("{engine:?}, and back"));
        }
        assert_eq!(recalled(&memory), recalled_before, "{engine:?}");
        assert_eq!(content(&memory), before, "{engine:?}: no revision, no operation, no job is left");
    }
}

#[test]
fn d2_reembed_searches_go_on_during_the_move() {
    let queries = queries(20);
    let small = small_answers(&queries);
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        fill(&open(&database));
        let (memory, other) = (open_at(&database, "", system_clock()), open_at(&database, "", system_clock()));
        let large = answers(&memory, &queries);
        let (is_over, searches) = (AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for searching in [&memory, &other] {
                let (is_over, searches, queries, large, small) = (&is_over, &searches, &queries, &large, &small);
                scope.spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        let found = answers(searching, queries);
                        for (found, (large, small)) in found.iter().zip(large.iter().zip(small)) {
                            // Items and threads are two searches, and the move may end between them.
                            for (found, (large, small)) in found.lines().zip(large.lines().zip(small.lines())) {
                                assert!(found == large || found == small, "{engine:?}: neither of the two");
                            }
                        }
                        searches.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            for (number, name) in [SMALL, LARGE, SMALL].into_iter().enumerate() {
                assert!(moved(&memory, name, &format!("move-{number}")).changed, "{engine:?}");
            }
            is_over.store(true, Ordering::Relaxed);
        });
        assert!(searches.load(Ordering::Relaxed) > 0);
        for memory in [&memory, &other] {
            check(&answers(memory, &queries), &small, &format!("{engine:?}, afterwards"));
        }
    }
}

fn people() -> Vec<SpaceName> {
    ["ada", "bruno", "clara"].map(|name| SpaceName::user(name).unwrap()).to_vec()
}

/// Begins a move, and stops after the first space.
fn interrupted(memory: &Recordar, to: EmbedderName, id: &str) {
    let cancel = Cancel::default();
    let result = memory.cancelled_by(cancel.clone()).reembed(to.as_str(), &operation(id), |_| cancel.cancel());
    assert!(matches!(&result, Err(Error::Store(_))), "{result:?}");
}

fn say(memory: &Recordar, space: &SpaceName) {
    let said: Vec<Message> = (0..700)
        .map(|number| Message {
            thread: Some(format!("thread {}", number / 100)),
            ..Message::new(&format!("They painted the boat on day {number} with marker{}x", number / 100))
        })
        .collect();
    memory.remember(space, &said, &operation("said")).unwrap();
}

#[test]
fn d2_reembed_is_finished_by_work_after_its_process_ended() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", system_clock());
        people().iter().for_each(|space| say(&memory, space));
        interrupted(&memory, SMALL, "begun");
        let report = memory.models().unwrap();
        assert_eq!(report.embedder, LARGE.as_str(), "{engine:?}");
        assert_eq!(report.pending_embedder.as_deref(), Some(SMALL.as_str()), "{engine:?}");
        let queue = memory.queue().unwrap();
        let kinds: Vec<(&str, u64)> = queue.kinds.iter().map(|kind| (kind.kind, kind.waiting)).collect();
        assert_eq!(kinds, [("reembed", 2)], "{engine:?}");
        drop(memory);

        let next = open_at(&database, "", system_clock());
        assert_eq!(next.work(false, None, &operation("work"), |_| {}).unwrap().reembedded, 2, "{engine:?}");
        let report = next.models().unwrap();
        assert_eq!((report.embedder.as_str(), report.pending_embedder), (SMALL.as_str(), None), "{engine:?}");
        assert_eq!(models(&next), hashes(&[SMALL]), "{engine:?}");
        assert!(next.queue().unwrap().kinds.is_empty(), "{engine:?}");
    }
}

#[test]
fn d2_reembed_to_what_the_store_has_ends_a_move_that_was_begun() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", system_clock());
        people().iter().for_each(|space| say(&memory, space));
        memory.search(&people(), &SearchRequest::new("boat")).unwrap();
        memory.drop_indexes();
        interrupted(&memory, SMALL, "begun");
        assert_eq!(models(&memory), hashes(&[SMALL, LARGE]), "{engine:?}");
        let back = moved(&memory, LARGE, "never-mind");
        assert_eq!((back.embedder.as_str(), back.changed, back.pending), (LARGE.as_str(), false, None), "{engine:?}");
        assert_eq!(models(&memory), hashes(&[LARGE]), "{engine:?}");
        assert!(memory.queue().unwrap().kinds.is_empty(), "{engine:?}");
        assert!(moved(&memory, SMALL, "after-all").changed, "{engine:?}");
    }
}

/// Which of the models have a segment with a word.
fn holding(memory: &Recordar, word: &str) -> BTreeSet<String> {
    let hex: String = word.bytes().map(|byte| format!("{byte:02x}")).collect();
    segments(memory).into_iter().filter(|(_, content)| content.contains(&hex)).map(|(model, _)| model).collect()
}

#[test]
fn d2_reembed_keeps_nothing_that_is_forgotten_meanwhile() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", system_clock());
        people().iter().for_each(|space| say(&memory, space));
        memory.search(&people(), &SearchRequest::new("boat")).unwrap();
        memory.drop_indexes();
        interrupted(&memory, SMALL, "begun");
        let forget = |memory: &Recordar, thread: usize| {
            for space in people() {
                let target = ForgetRequest::Thread(format!("thread {thread}"));
                memory.forget(&space, &target, false, &operation(&format!("forget-{thread}"))).unwrap();
            }
        };
        assert_eq!(holding(&memory, "marker2x"), hashes(&[SMALL, LARGE]), "{engine:?}: one space has both");
        forget(&memory, 2);
        assert!(holding(&memory, "marker2x").is_empty(), "{engine:?}");
        // And at any moment of moving.
        std::thread::scope(|scope| {
            let forgetting = scope.spawn(|| (3..6).for_each(|thread| forget(&open(&database), thread)));
            let mut number = 0;
            while !forgetting.is_finished() {
                moved(&memory, [SMALL, LARGE][number % 2], &format!("move-{number}"));
                number += 1;
            }
        });
        moved(&memory, SMALL, "small");
        moved(&memory, LARGE, "large");
        for thread in 2..6 {
            assert!(holding(&memory, &format!("marker{thread}x")).is_empty(), "{engine:?}: {thread}");
        }
        assert_eq!(models(&memory), hashes(&[LARGE]), "{engine:?}");
        assert_eq!(memory.search(&people(), &SearchRequest::new("marker1x")).unwrap().hits.len(), 10, "{engine:?}");
    }
}

#[test]
fn d2_reembed_to_an_embedder_of_a_later_program_is_a_clear_error() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    say(&memory, &ada());
    moved(&memory, SMALL, "there");
    let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    file.execute("UPDATE embedders SET model = 'recordar-vast-1'", []).unwrap();
    let error = open(&database).search(&[ada()], &SearchRequest::new("boat")).unwrap_err();
    assert!(error.to_string().contains("recordar-vast-1") && error.remedy().contains("program version"), "{error}");
}

#[test]
fn d2_reembed_is_for_administrators() {
    use recordar::call::{Call, Caller};
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let call = |authority: Authority| {
        let caller = Caller {
            space: ada(),
            names_space: false,
            within: None,
            files: true,
            authority,
            account: None,
            operation: operation("move"),
        };
        let arguments = serde_json::json!({"model": SMALL.as_str()}).as_object().unwrap().clone();
        memory.call_as::<recordar::verb::verbs::Reembed>(Call::new(caller), arguments)
    };
    assert_eq!(call(Authority::User).unwrap_err().code(), "out_of_reach");
    assert!(call(Authority::Administrator).unwrap().changed);
}
