//! A saved database of every earlier schema opens, is brought up to date, and loses nothing; the receipts in it are still proven.
//!
//! `tests/saved/` holds, for each schema, what the tour of `make run` left on each database: a SQLite file, and the SQL
//! text of a dump. A new migration adds a new set; the old ones stay.

use crate::transfer::{export, import};
use crate::{ada, open, operation, text, ticking};
use recordar::item::{ItemKind, ItemName, ItemsRequest};
use recordar::key::NewKey;
use recordar::search::{Filter, SearchRequest};
use recordar::standing::StandingText;
use recordar::transfer::ExportScope;
use recordar::{Config, Message, Recordar, SpaceName};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

const SAVED_SCHEMAS: [u32; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
const FIRST_WITH_RECEIPTS: u32 = 3;
/// And with a mark, and a message about a document.
const FIRST_WITH_RULES: u32 = 11;
const FIRST_WITH_KEYS: u32 = 12;
const FIRST_WITH_CONFIRMATIONS: u32 = 13;

fn saved(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/saved").join(name)
}

#[test]
fn every_migration_has_a_saved_database() {
    let migrations = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../recordar-store/migrations");
    assert_eq!(fs::read_dir(migrations).unwrap().count(), SAVED_SCHEMAS.len(), "save a database of the schema before");
}

/// A saved database, loaded into a new one.
fn load(schema: u32, engine: Engine) -> TestDatabase {
    let database = TestDatabase::new(engine);
    match engine {
        Engine::Sqlite => {
            let file = database.url.trim_start_matches("sqlite:");
            fs::copy(saved(&format!("schema-{schema}.db")), file).unwrap();
        }
        Engine::Postgres | Engine::MySql => {
            let name = if engine == Engine::Postgres { "postgres" } else { "mysql" };
            let sql = fs::read_to_string(saved(&format!("schema-{schema}.{name}.sql"))).unwrap();
            database.run(&sql).unwrap_or_else(|error| panic!("{engine:?}: {error}"));
        }
    }
    database
}

/// Everything that was saved is there, and proven.
fn check(memory: &Recordar, schema: u32, engine: Engine) {
    let space = SpaceName::user("default").unwrap();
    let documents = memory.documents(&space).unwrap();
    assert_eq!(documents.len(), 5, "{engine:?}");
    for document in &documents {
        for number in 1..=document.versions as i64 {
            let id = document.document_id.to_string();
            let version = memory.document_text(&space, &id, Some(number)).unwrap();
            assert!(version.verified, "{engine:?}: version {number} of {}", document.path);
        }
    }
    let welcome = memory.document_text(&space, "welcome.md", Some(2)).unwrap();
    assert!(welcome.text.contains("three flashes"));
    let rules = memory.standing_text(&space, StandingText::Rules, None, None).unwrap().text;
    assert_eq!(rules.is_empty(), schema < FIRST_WITH_RULES, "{engine:?}, schema {schema}");
    if schema >= FIRST_WITH_RULES {
        let bell = memory.item(&space, &ItemName::OwnId("bell".to_owned())).unwrap();
        let every = ItemsRequest { names: Vec::new(), kind: None, filter: Filter::default(), after: 0, limit: 1000 };
        let items = memory.items(&space, &every).unwrap().items;
        let abouts: Vec<i64> = items.iter().flat_map(|item| &item.about).map(|about| about.version).collect();
        assert_eq!((bell.important, abouts.as_slice()), (true, [2].as_slice()), "{engine:?}, schema {schema}");
    }
    let keys = memory.keys().unwrap();
    assert_eq!(keys.is_empty(), schema < FIRST_WITH_KEYS, "{engine:?}, schema {schema}");
    assert!(keys.iter().all(|key| key.name == "laptop" && key.max_usd_per_day == Some(2.0)), "{keys:?}");
    let receipts = memory.receipt_ids(&space).unwrap();
    assert_eq!(receipts.is_empty(), schema < FIRST_WITH_RECEIPTS, "{engine:?}, schema {schema}");
    for receipt in receipts {
        let why = memory.why(&space, &receipt).unwrap();
        assert!(why.identical, "{engine:?}, schema {schema}: {:?}", why.differences);
    }
}

/// The hits of some questions, without numbers of rows.
fn answers(memory: &Recordar, space: &SpaceName) -> Vec<(String, String)> {
    let mut answers = Vec::new();
    for question in ["how many flashes does the lamp show", "what does the boat bring", "winter storm", "Ada"] {
        let hits = memory.search(std::slice::from_ref(space), &SearchRequest::new(question)).unwrap().hits;
        let mut hits: Vec<(String, String)> =
            hits.into_iter().map(|hit| (format!("{:.6}", hit.score), hit.item.text)).collect();
        hits.sort();
        assert!(!hits.is_empty(), "{question}");
        answers.extend(hits);
    }
    answers
}

#[test]
fn i20_4_saved_databases_and_their_exports_recall_as_a_fresh_store_does() {
    let space = SpaceName::user("default").unwrap();
    for schema in SAVED_SCHEMAS {
        for engine in Engine::ALL {
            let saved = load(schema, engine);
            let old = open(&saved);
            let (fresh, copied) = (TestDatabase::new(Engine::Sqlite), TestDatabase::new(engine));
            let (new, copy) = (open(&fresh), open(&copied));
            for document in old.documents(&space).unwrap() {
                let found = old.document_text(&space, &format!("id:{}", document.document_id), None).unwrap();
                let mut request = text(&format!("d{}", document.document_id), &document.path, &found.text);
                request.mtime = document.version.mtime;
                new.ingest_text(&space, request).unwrap();
            }
            let items =
                ItemsRequest { names: Vec::new(), kind: None, filter: Filter::default(), after: 0, limit: 1000 };
            for stored in old.items(&space, &items).unwrap().items {
                if stored.item.kind == ItemKind::Chunk {
                    continue;
                }
                let mut message = Message::new(&stored.item.text);
                message.kind = stored.item.kind;
                message.thread = stored.item.thread;
                message.speaker = stored.item.speaker;
                message.time = Some(stored.item.occurred_at);
                new.remember(&space, &[message], &operation(&format!("m{}", stored.item.item_id))).unwrap();
            }
            let before = answers(&old, &space);
            assert_eq!(before, answers(&new, &space), "{engine:?}, schema {schema}");
            import(&copy, &export(&old, &ExportScope::Store)).unwrap();
            assert_eq!(before, answers(&copy, &space), "{engine:?}, schema {schema}, imported");
        }
    }
}

/// Does nothing in an ordinary run; the test below starts it and kills it.
#[test]
fn upgrading_process() {
    if let Ok(url) = std::env::var("RECORDAR_UPGRADE_URL") {
        let config = Config::from_toml(&format!("database.url = {url:?}"), std::path::Path::new("/")).unwrap();
        println!("ready");
        let _ = Recordar::open(config, ticking()).map(|memory| memory.documents(&ada()));
        println!("upgraded");
    }
}

#[test]
fn i20_5_killed_during_an_upgrade_a_database_is_old_or_new_and_loses_nothing() {
    for engine in Engine::ALL {
        let mut random = Random(7);
        let mut ended = 0;
        // About as long as an upgrade takes.
        let patience = match engine {
            Engine::Sqlite => 5_000,
            Engine::Postgres => 25_000,
            Engine::MySql => 80_000,
        };
        for round in 0..rounds(8, 40) {
            let schema = [7, 6, 3, 1][round % 4];
            let database = load(schema, engine);
            let mut process = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "upgrade::upgrading_process", "--nocapture"])
                .env("RECORDAR_UPGRADE_URL", &database.url)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
            assert!(lines.by_ref().map_while(Result::ok).any(|line| line.contains("ready")));
            std::thread::sleep(Duration::from_micros(random.below(patience) as u64));
            process.kill().unwrap();
            process.wait().unwrap();
            ended += usize::from(lines.map_while(Result::ok).any(|line| line.contains("upgraded")));
            check(&open(&database), schema, engine);
        }
        println!("{engine:?}: {ended} upgrades were done before the kill");
    }
}

#[test]
fn a1_saved_databases_of_every_schema_are_upgraded() {
    for schema in SAVED_SCHEMAS {
        for engine in Engine::ALL {
            let database = load(schema, engine);
            let memory = open(&database);
            let space = SpaceName::user("default").unwrap();
            check(&memory, schema, engine);
            // Issue 44: every fact has the hash of its words, also those from before they were kept.
            let lines = memory.raw().unwrap().lines();
            let rows = |table: &str| lines.iter().filter(|line| line.starts_with(table)).count();
            assert_eq!(rows("fact_words "), rows("lineage "), "{engine:?}, schema {schema}");
            let confirmed = usize::from(schema >= FIRST_WITH_CONFIRMATIONS);
            assert_eq!(rows("confirmations "), confirmed, "{engine:?}, schema {schema}");
            memory.ingest_text(&space, text("new", "new.md", "after the upgrade")).unwrap();
            memory.remember(&ada(), &[Message::new("hello")], &operation("hello")).unwrap();
            let admin = NewKey {
                name: "admin".to_owned(),
                is_admin: true,
                write: Vec::new(),
                read: Vec::new(),
                expires: None,
                max_usd_per_day: None,
            };
            let made = memory.make_key(&admin, [1; 32]).unwrap();
            assert!(memory.key_of(&made.key).unwrap().unwrap().is_admin, "{engine:?}, schema {schema}");
        }
    }
}
