//! Ends: what has come to its end is forgotten, wholly and once, by whoever comes first; and nothing else is.

use crate::{ada, open_at, set_clock, text};
use recordar::document::Attributes;
use recordar::forget::{Expiry, ExpiryTarget, ForgetRequest};
use recordar::item::{ItemKind, ItemName, Metadata, UpdateRequest};
use recordar::transfer::{ExportScope, ImportRequest};
use recordar::{Clock, Message, OperationId, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const DAY: i64 = 86_400;

fn operation(id: &str) -> OperationId {
    crate::operation(&id.replace(' ', "-"))
}

fn said(text: &str, id: Option<&str>, expires: Option<&str>) -> Message {
    let id = id.map(str::to_owned);
    Message { id, expires: expires.map(|end| Expiry::parse(end).unwrap()), ..Message::new(text) }
}

fn tagged(memory: &Recordar, id: &str, name: &str, words: &str, tags: &[&str]) {
    let attributes = Attributes::new(tags.iter().copied(), None, None, None, Metadata::default()).unwrap();
    memory.ingest_text(&ada(), recordar::document::TextRequest { attributes, ..text(id, name, words) }).unwrap();
}

fn set(memory: &Recordar, target: ExpiryTarget, end: &str, id: &str) {
    memory.set_expiry(&ada(), &target, Some(Expiry::parse(end).unwrap()), &operation(id)).unwrap();
}

fn rows(memory: &Recordar, table: &str) -> Vec<String> {
    let lines = memory.raw().unwrap().lines();
    lines.into_iter().filter(|line| line.starts_with(&format!("{table} "))).collect()
}

fn expire(memory: &Recordar, id: &str) -> recordar::forget::ExpireReport {
    memory.expire(Some(&[ada()]), false, &operation(id)).unwrap()
}

#[test]
fn i20_retention_forgets_threads_items_and_tags_at_their_end() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let in_thread = Message { thread: Some("trip".to_owned()), ..said("secret-thread", None, None) };
        let fact = Message { kind: ItemKind::Fact, ..said("secret-fact", Some("f"), Some("2d")) };
        let batch = [in_thread, fact, said("secret-item", None, Some("1d")), said("kept", None, None)];
        let ids = memory.remember(&ada(), &batch, &operation("say")).unwrap().items;
        tagged(&memory, "d1", "a.md", "# A\n\nsecret-document of the old release.", &["old", "x"]);
        tagged(&memory, "d2", "b.md", "# B\n\nkept document of the new release.", &["x"]);
        tagged(&memory, "d3", "c.md", "# C\n\nkept once it has lost its tag.", &["old"]);
        tagged(&memory, "d4", "c.md", "# C\n\nkept now that it has lost its tag.", &["new"]);
        set(&memory, ExpiryTarget::Thread("trip".to_owned()), "3d", "e1");
        set(&memory, ExpiryTarget::Tag("old".to_owned()), "4d", "e2");
        let listed = memory.expiries(&ada(), 100).unwrap();
        let shown: Vec<(&str, &str)> = listed.iter().map(|view| (view.kind, view.subject.as_str())).collect();
        let (item, fact) = (ids[2].to_string(), ids[1].to_string());
        assert_eq!(shown, [("item", item.as_str()), ("item", fact.as_str()), ("thread", "trip"), ("tag", "old")]);
        assert_eq!(listed[1].id.as_deref(), Some("f"));
        assert!(listed.iter().all(|view| !view.is_due));
        let none = expire(&memory, "early");
        assert_eq!((none.spaces, none.expired.items), (0, 0));
        for (day, secret, kind) in [
            (1, "secret-item", "items"),
            (2, "secret-fact", "items"),
            (3, "secret-thread", "threads"),
            (4, "secret-document", "tags"),
        ] {
            seconds.fetch_add(DAY, Ordering::Relaxed);
            assert!(memory.raw().unwrap().lines().iter().any(|line| line.contains(secret)), "{secret} is still here");
            let dry = memory.expire(Some(&[ada()]), true, &operation("dry")).unwrap();
            let report = expire(&memory, &format!("day {day}"));
            assert_eq!((dry.dry_run, &dry.expired), (true, &report.expired), "{engine:?} day {day}");
            let counts = [report.expired.items, report.expired.threads, report.expired.tags];
            let expected = ["items", "threads", "tags"].map(|one| u64::from(one == kind));
            assert_eq!((counts, report.spaces), (expected, 1), "{engine:?} day {day}");
            assert!(!memory.raw().unwrap().lines().iter().any(|line| line.contains(secret)), "{secret} is gone");
            // Repeated under the same id, it does nothing more.
            assert_eq!(expire(&memory, &format!("day {day}")).expired, recordar::forget::Expired::default());
        }
        assert_eq!(rows(&memory, "expiries"), Vec::<String>::new());
        let rest: Vec<String> = memory.documents(&ada()).unwrap().into_iter().map(|document| document.path).collect();
        assert_eq!(rest, ["b.md", "c.md"]);
        assert!(rows(&memory, "items").iter().any(|row| row.contains("kept")));
        let operations = rows(&memory, "operations");
        assert!(operations.iter().any(|row| row.contains("expire")), "the operations say what was forgotten");
    }
}

#[test]
fn i20_retention_leaves_no_byte_in_the_file() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (seconds, clock) = set_clock();
    let memory = open_at(&database, "", clock);
    let secret = "unforgettable00042secret";
    for number in 0..200 {
        let words = format!("{} {number}", "filler ".repeat(20));
        memory.remember(&ada(), &[Message::new(&words)], &operation(&format!("filler-{number}"))).unwrap();
        let marked = said(&format!("{secret} {words}"), Some(&format!("{secret}-{number}")), Some("1d"));
        memory.remember(&ada(), &[marked], &operation(&format!("marked-{number}"))).unwrap();
    }
    tagged(&memory, "doc", "a.md", &format!("# {secret}\n\nText."), &[secret]);
    set(&memory, ExpiryTarget::Tag(secret.to_owned()), "1d", "tag");
    memory
        .remember(&ada(), &[Message { thread: Some(secret.to_owned()), ..Message::new("x") }], &operation("t"))
        .unwrap();
    set(&memory, ExpiryTarget::Thread(secret.to_owned()), "1d", "thread");
    seconds.fetch_add(2 * DAY, Ordering::Relaxed);
    let report = expire(&memory, "end");
    assert_eq!((report.expired.items, report.expired.tags, report.expired.threads), (200, 1, 1));
    assert!(report.scrubbed);
    for entry in std::fs::read_dir(database.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", path.display());
    }
    // Not even its hash.
    let hash = recordar::document::Digest::of(secret).to_string();
    assert!(!memory.raw().unwrap().lines().iter().any(|line| line.contains(&hash)));
}

#[test]
fn i20_retention_of_a_replaced_message_goes_over_to_the_new_one() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let say = |text: &str, id: &str, expires: Option<&str>, call: &str| {
            memory.remember(&ada(), &[said(text, Some(id), expires)], &operation(call)).unwrap()
        };
        say("first of a", "a", Some("1d"), "1");
        say("first of b", "b", Some("1d"), "2");
        say("first of c", "c", Some("1d"), "3");
        // Without an end of its own, the new one keeps it; with one, it takes that.
        say("second of a", "a", None, "4");
        say("second of b", "b", Some("3d"), "5");
        // Nothing else differs: the end is moved, and nothing is stored again.
        let same = say("first of c", "c", Some("3d"), "6");
        assert_eq!((same.unchanged, rows(&memory, "items").len()), (1, 5));
        assert_eq!(rows(&memory, "expiries").len(), 3);
        let again = say("first of c", "c", Some("3d"), "7");
        assert_eq!(again.revision, same.revision, "the same end again writes nothing");
        seconds.fetch_add(2 * DAY, Ordering::Relaxed);
        assert_eq!(expire(&memory, "e1").expired.forgotten.messages, 2, "both of a");
        seconds.fetch_add(2 * DAY, Ordering::Relaxed);
        let rest = expire(&memory, "e2").expired;
        assert_eq!((rest.items, rest.forgotten.messages), (2, 3));
        assert_eq!((rows(&memory, "items").len(), rows(&memory, "expiries").len()), (0, 0));
    }
}

#[test]
fn i20_retention_of_an_updated_item_forgets_what_it_was_and_what_it_is() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let batch = [said("first of a", Some("a"), Some("1d")), said("first of b", None, Some("1d"))];
        let ids = memory.remember(&ada(), &batch, &operation("say")).unwrap().items;
        for (id, text) in [(ids[0], "second of a"), (ids[1], "second of b")] {
            let request = UpdateRequest { name: ItemName::Number(id), text: Some(text.to_owned()), metadata: None };
            memory.update(&ada(), &request, &operation(text)).unwrap();
        }
        assert_eq!(expire(&memory, "early").spaces, 0);
        seconds.fetch_add(2 * DAY, Ordering::Relaxed);
        assert_eq!(expire(&memory, "end").expired.forgotten.messages, 4);
        assert_eq!((rows(&memory, "items").len(), rows(&memory, "expiries").len()), (0, 0));
    }
}

#[test]
fn i20_retention_is_changed_removed_and_forgotten_with_its_subject() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let thread = |name: &str| ExpiryTarget::Thread(name.to_owned());
        for name in ["a", "b", "c"] {
            let message = Message { thread: Some(name.to_owned()), ..Message::new(&format!("in {name}")) };
            memory.remember(&ada(), &[message], &operation(&format!("say {name}"))).unwrap();
            set(&memory, thread(name), "1d", &format!("end of {name}"));
        }
        let ids = memory.remember(&ada(), &[said("x", Some("own"), None)], &operation("x")).unwrap().items;
        set(&memory, ExpiryTarget::OwnId("own".to_owned()), "1d", "own");
        // Changed, removed, and forgotten by hand.
        let changed =
            memory.set_expiry(&ada(), &thread("a"), Some(Expiry::After { seconds: 5 * DAY }), &operation("5d"));
        let changed = changed.unwrap();
        let day = |days: i64| Some(Timestamp::from_micros((1_700_000_000 + days * DAY) * 1_000_000));
        assert_eq!((changed.expires_at, changed.expired_at_before), (day(5), day(1)));
        let kept = memory.set_expiry(&ada(), &thread("b"), None, &operation("keep")).unwrap();
        assert_eq!((kept.expires_at, kept.expired_at_before), (None, day(1)));
        memory.forget(&ada(), &ForgetRequest::Thread("c".to_owned()), false, &operation("by hand")).unwrap();
        memory.forget(&ada(), &ForgetRequest::Items(ids), false, &operation("by number")).unwrap();
        assert_eq!(rows(&memory, "expiries").len(), 1);
        seconds.fetch_add(2 * DAY, Ordering::Relaxed);
        assert_eq!(expire(&memory, "none").spaces, 0);
        // A space that is forgotten leaves none behind.
        set(&memory, ExpiryTarget::Tag("t".to_owned()), "1d", "tag");
        memory.forget(&ada(), &ForgetRequest::Space, false, &operation("space")).unwrap();
        assert_eq!(rows(&memory, "expiries"), Vec::<String>::new());
        for (target, what) in [
            (thread("nowhere"), "thread"),
            (ExpiryTarget::Item(99), "number 99"),
            (ExpiryTarget::OwnId("nobody".to_owned()), "nobody"),
        ] {
            let refused = memory.set_expiry(&ada(), &target, Some(Expiry::After { seconds: 1 }), &operation(what));
            let refused = refused.unwrap_err();
            assert!(["not_found", "invalid"].contains(&refused.code()), "{refused}");
        }
    }
}

#[test]
fn i20_retention_travels_with_exports() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock.clone());
        let message = Message { thread: Some("trip".to_owned()), ..said("secret", None, Some("1d")) };
        memory.remember(&ada(), &[message], &operation("say")).unwrap();
        set(&memory, ExpiryTarget::Thread("trip".to_owned()), "2d", "thread");
        set(&memory, ExpiryTarget::Tag("old".to_owned()), "3d", "tag");
        let mut file = Vec::new();
        memory.export(&ExportScope::Spaces(vec![ada()]), &mut file).unwrap();
        let other = TestDatabase::new(Engine::Sqlite);
        let next = open_at(&other, "", clock);
        let request = ImportRequest {
            format: None,
            each_user: false,
            thread: None,
            date: None,
            names_space: false,
            operation: operation("in"),
        };
        next.import(&ada(), &mut file.as_slice(), "space.jsonl", &request).unwrap();
        assert_eq!(next.expiries(&ada(), 10).unwrap(), memory.expiries(&ada(), 10).unwrap());
        let mut back = Vec::new();
        next.export(&ExportScope::Spaces(vec![ada()]), &mut back).unwrap();
        assert_eq!(back, file);
        // A row that no verb would have written is refused.
        let text = String::from_utf8(file).unwrap();
        for (from, to) in
            [("\"kind\":2,\"subject\":", "\"kind\":4,\"subject\":"), ("\"tag\":\"old\"", "\"tag\":\"new\"")]
        {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            let third = TestDatabase::new(Engine::Sqlite);
            let (_, clock) = set_clock();
            let refused = open_at(&third, "", clock).import(&ada(), &mut changed.as_bytes(), "x", &request);
            assert!(refused.is_err(), "{to}");
        }
        seconds.fetch_add(4 * DAY, Ordering::Relaxed);
        assert_eq!(next.expire(None, false, &operation("all")).unwrap().expired.items, 1);
    }
}

#[test]
fn i20_retention_is_kept_by_workers_that_do_not_collide() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let bob = SpaceName::user("bob").unwrap();
        let memory = open_at(&database, "", clock.clone());
        let messages: Vec<Message> = (0..30).map(|n| said(&format!("m{n}"), None, Some("1d"))).collect();
        for space in [&ada(), &bob] {
            memory.remember(space, &messages, &operation(&format!("say {space}"))).unwrap();
            memory.remember(space, &[Message::new("kept")], &operation(&format!("keep {space}"))).unwrap();
        }
        seconds.fetch_add(2 * DAY, Ordering::Relaxed);
        let run = |number: usize, clock: Clock| {
            let memory = open_at(&database, "", clock);
            memory.work(false, None, &operation(&format!("worker {number}")), |_| {}).unwrap().expired
        };
        let expired: u64 = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..3)
                .map(|number| {
                    scope.spawn({
                        let clock = clock.clone();
                        move || run(number, clock)
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!(expired, 60, "{engine:?}: each of them once");
        assert_eq!((rows(&memory, "items").len(), rows(&memory, "expiries").len()), (2, 0));
    }
}

/// The worker of the next test: this binary, started again, which is killed.
#[test]
fn i20_retention_worker() {
    let Ok(url) = std::env::var("RECORDAR_TEST_EXPIRE") else { return };
    let toml = format!("database.url = {url:?}\n");
    let clock: Clock = std::sync::Arc::new(|| Timestamp::from_micros((1_700_000_000 + 2 * DAY) * 1_000_000));
    let config = recordar::Config::from_toml(&toml, std::path::Path::new("/")).unwrap();
    let memory = Recordar::open(config, clock).unwrap();
    println!("ready");
    memory.expire(None, false, &operation(&std::process::id().to_string())).unwrap();
}

#[test]
fn i20_retention_goes_on_after_a_kill() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let messages: Vec<Message> = (0..300).map(|n| said(&format!("gone-{n}"), None, Some("1d"))).collect();
        memory.remember(&ada(), &messages, &operation("say")).unwrap();
        memory.remember(&ada(), &[Message::new("kept")], &operation("keep")).unwrap();
        seconds.fetch_add(2 * DAY, Ordering::Relaxed);
        let mut was_between = false;
        for _ in 0..20 {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "retention::i20_retention_worker", "--nocapture"])
                .env("RECORDAR_TEST_EXPIRE", &database.url)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let before = rows(&memory, "expiries").len();
            let started = Instant::now();
            // Killed once it has begun.
            while rows(&memory, "expiries").len() + 5 > before && started.elapsed() < Duration::from_secs(20) {
                if child.try_wait().unwrap().is_some() {
                    break;
                }
            }
            child.kill().unwrap();
            child.wait().unwrap();
            let (items, ends) = (rows(&memory, "items").len(), rows(&memory, "expiries").len());
            assert_eq!(items, ends + 1, "an item goes with its end, or neither does");
            was_between |= ends > 0 && ends < 300;
            if ends == 0 {
                break;
            }
        }
        assert!(was_between, "{engine:?}: it was never killed in between");
        expire(&memory, "rest");
        assert_eq!((rows(&memory, "items").len(), rows(&memory, "expiries").len()), (1, 0));
    }
}
