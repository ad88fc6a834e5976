//! Forgotten means gone: no byte of it in the SQLite file or its log.

use crate::{ada, ingest, open, operation, request, text};
use recordar::forget::ForgetRequest;
use recordar::{Message, SpaceName};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::fs;
use std::path::Path;

/// Every file beside the database that holds the bytes.
fn files_with(folder: &Path, needle: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file() && holds(&fs::read(path).unwrap()));
    files.map(|path| path.display().to_string()).collect()
}

#[test]
fn forgotten_bytes_are_in_no_file() {
    let mut random = Random(11);
    for round in 0..rounds(12, 300) {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open(&database);
        let files = tempfile::tempdir().unwrap();
        let secret = format!("unforgettable{round:05}secret");
        let marked = |random: &mut Random| {
            let words = |count: usize| "some ordinary words about the sea. ".repeat(count);
            format!("{}{secret} {}", words(random.below(400)), words(random.below(400)))
        };
        let filler = |random: &mut Random| "filler ".repeat(1 + random.below(900));
        let bob = SpaceName::user("bob").unwrap();
        let path = files.path().join(format!("{secret}.txt"));
        for step in 0..20 {
            let id = |what: &str| operation(&format!("{what}{step}"));
            match random.below(5) {
                0 => {
                    fs::write(&path, marked(&mut random)).unwrap();
                    ingest(&memory, &request(id("file").as_str(), &[&path]));
                }
                1 => {
                    drop(memory.ingest_text(&ada(), text(id("text").as_str(), &secret, &marked(&mut random))).unwrap())
                }
                2 => {
                    let message = Message {
                        thread: Some(format!("thread {secret}")),
                        title: Some(format!("title {secret}")),
                        source: Some(secret.clone()),
                        ..Message::new(&marked(&mut random))
                    };
                    memory.remember(&ada(), &[message], &id("say")).unwrap();
                }
                // What others store in between moves pages around.
                3 => drop(memory.remember(&bob, &[Message::new(&filler(&mut random))], &id("bob")).unwrap()),
                _ => drop(
                    memory
                        .ingest_text(&bob, text(id("fill").as_str(), &format!("f{step}"), &filler(&mut random)))
                        .unwrap(),
                ),
            }
        }
        memory.remember(&ada(), &[Message::new(&secret)], &operation("last")).unwrap();
        assert!(!files_with(database.folder.path(), &secret).is_empty(), "it was there");
        let report = if random.below(3) == 0 {
            memory.forget(&ada(), &ForgetRequest::Space, false, &operation("forget")).unwrap()
        } else {
            for (index, document) in memory.documents(&ada()).unwrap().into_iter().enumerate() {
                let id = operation(&format!("forget-document-{index}"));
                memory.forget(&ada(), &ForgetRequest::Document(document.path), false, &id).unwrap();
            }
            let thread = ForgetRequest::Thread(format!("thread {secret}"));
            let _ = memory.forget(&ada(), &thread, false, &operation("forget-thread"));
            let rows = memory.raw().unwrap().lines();
            let item = |row: &String| row.starts_with("items ") && row.contains(&secret);
            let ids = rows.iter().filter(|row| item(row)).map(|row| row.split(' ').nth(2).unwrap().parse().unwrap());
            memory.forget(&ada(), &ForgetRequest::Items(ids.collect()), false, &operation("forget-items")).unwrap()
        };
        assert!(report.scrubbed);
        assert_eq!(files_with(database.folder.path(), &secret), Vec::<String>::new(), "round {round}");
        drop(memory);
        assert_eq!(files_with(database.folder.path(), &secret), Vec::<String>::new(), "round {round}, closed");
    }
    println!("forgotten bytes searched for in {} databases: none found", rounds(12, 300));
}

/// Pages that are rebuilt between writes and removals may keep copies of what moved.
#[test]
fn forgotten_bytes_are_in_no_file_after_much_coming_and_going() {
    let mut random = Random(23);
    let databases = rounds(8, 100);
    for round in 0..databases {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open(&database);
        let secret = format!("unforgettable{round:05}secret");
        let mut marked = Vec::new();
        let mut others = Vec::new();
        for step in 0..150 {
            let is_marked = random.below(3) == 0;
            let padding = "x".repeat(random.below(1800));
            let said =
                Message::new(&if is_marked { format!("{secret} {padding}") } else { format!("other {padding}") });
            let stored = memory.remember(&ada(), &[said], &operation(&format!("say-{step}"))).unwrap();
            if is_marked { &mut marked } else { &mut others }.push(stored.items[0]);
            if random.below(4) == 0 && !others.is_empty() {
                let victim = others.swap_remove(random.below(others.len()));
                let id = operation(&format!("forget-{step}"));
                memory.forget(&ada(), &ForgetRequest::Items(vec![victim]), false, &id).unwrap();
            }
        }
        let report = memory.forget(&ada(), &ForgetRequest::Items(marked), false, &operation("forget")).unwrap();
        assert!(report.scrubbed);
        assert_eq!(files_with(database.folder.path(), &secret), Vec::<String>::new(), "round {round}");
    }
    println!("forgotten bytes searched for in {databases} databases after coming and going: none found");
}

#[test]
fn a_reader_that_holds_the_log_is_said() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = crate::open_with(&database, "database.busy_timeout_ms = 200");
    memory.remember(&ada(), &[Message::new("secret")], &operation("say")).unwrap();
    let reader = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM items").unwrap();
    let report = memory.forget(&ada(), &ForgetRequest::Space, false, &operation("forget")).unwrap();
    assert!(!report.scrubbed);
    assert_eq!(report.warnings[0].code, "log_in_use");
}
