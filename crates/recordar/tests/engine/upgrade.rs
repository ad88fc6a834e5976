//! A saved database of every earlier schema opens, is brought up to date, and loses nothing; the receipts in it are still proven.
//!
//! `tests/saved/` holds, for each schema, what the tour of `make run` left on each database: a SQLite file, and the SQL
//! text of a dump. A new migration adds a new set; the old ones stay.

use crate::{ada, open, operation, text};
use recordar::{Message, SpaceName};
use recordar_testkit::{Engine, TestDatabase};
use std::fs;
use std::path::PathBuf;

const SAVED_SCHEMAS: [u32; 7] = [1, 2, 3, 4, 5, 6, 7];
const FIRST_WITH_RECEIPTS: u32 = 3;

fn saved(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/saved").join(name)
}

#[test]
fn every_migration_has_a_saved_database() {
    let migrations = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../recordar-store/migrations");
    assert_eq!(fs::read_dir(migrations).unwrap().count(), SAVED_SCHEMAS.len(), "save a database of the schema before");
}

#[test]
fn a1_saved_databases_of_every_schema_are_upgraded() {
    for schema in SAVED_SCHEMAS {
        for engine in Engine::ALL {
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
            let memory = open(&database);
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
            let receipts = memory.receipt_ids(&space).unwrap();
            assert_eq!(receipts.is_empty(), schema < FIRST_WITH_RECEIPTS, "{engine:?}, schema {schema}");
            for receipt in receipts {
                let why = memory.why(&space, &receipt).unwrap();
                assert!(why.identical, "{engine:?}, schema {schema}: {:?}", why.differences);
            }
            memory.ingest_text(&space, text("new", "new.md", "after the upgrade")).unwrap();
            memory.remember(&ada(), &[Message::new("hello")], &operation("hello")).unwrap();
        }
    }
}
