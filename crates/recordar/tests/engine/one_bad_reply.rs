//! One bad reply costs no more than what it was asked for: the document is stored, and what was classified before stays classified.

use crate::drawn_model::{Asked, with_model};
use crate::tree_rows::Rows;
use crate::{ada, open_with, text};
use recordar::document::{FileReport, FileStatus};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};

const LINES: &str = "The lamp is lit at dusk, and the wick of it is trimmed at dawn.\n\
                     The boat lies at the pier below the tower, and is painted in spring.\n";

fn name(text: &str) -> String {
    if text.contains("lamp") { "Lamps".to_owned() } else { "Boats".to_owned() }
}

/// What becomes of two chunks that go under two names. `bad` says what is replied instead of what would be honest.
fn ingested(bad: impl Fn(&Asked) -> Option<Answer> + Send + Sync + 'static) -> (FileReport, Rows) {
    let server = ModelServer::start(move |received| {
        let asked = Asked::read(received);
        bad(&asked).unwrap_or_else(|| asked.reply(&asked.honest(name).to_string()))
    });
    let config = "structured = \"native\"\nretries = 0\nrepairs = 0\nconcurrency = 1\n[tree]\nhierarchy_depth = 2";
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_model(&server.url(), config));
    let report = memory.ingest_text(&ada(), text("one", "one.txt", LINES)).unwrap();
    let rows = Rows::of(&memory);
    rows.check(&[128, 128]).unwrap();
    let file = report.files.into_iter().next().unwrap();
    assert_eq!((file.status, file.chunks), (FileStatus::Added, 2));
    (file, rows)
}

#[test]
fn a6_r2b_3_a_source_that_nothing_is_known_of_is_stored_without_a_helper() {
    let unknown = json!({"author": "unknown", "date": "unknown", "topic": "Unknown", "summary": "unknown"});
    let (file, _) = ingested(move |asked| (asked.task == "helper").then(|| asked.reply(&unknown.to_string())));
    assert_eq!((file.helper, file.classified, file.unclassified), (None, 2, 0));
}

#[test]
fn a5_r2a_9_chunks_that_have_their_leaf_keep_it_when_the_model_goes_away() {
    let (file, rows) = ingested(|asked| {
        let is_last = asked.task == "classify" && asked.level() == (2, "Boats".to_owned());
        is_last.then(|| Answer::status(500, "{}"))
    });
    assert_eq!((file.classified, file.unclassified), (1, 1), "{file:?}");
    let placed: Vec<_> = rows.chunks().into_iter().filter(|chunk| chunk.category.is_some()).collect();
    assert_eq!(rows.path_of(placed[0].id), Some(&vec!["Lamps".to_owned(), "Lamps".to_owned()]));
    assert_eq!(rows.names_by_level(), [1, 1], "nothing is left of the path that was not finished");
}

#[test]
fn a5_r2a_9_a_name_of_any_length_is_told_in_a_line() {
    for long in ["x".repeat(10_000), "\u{1b}".repeat(2_000)] {
        let (file, _) = ingested(move |asked| {
            let mut value: Value = asked.honest(name);
            *value.get_mut("chunks")?.get_mut(0)?.get_mut("category")? = json!(long);
            Some(asked.reply(&value.to_string()))
        });
        let [warning] = file.warnings.as_slice() else { panic!("{file:?}") };
        assert!(warning.what.contains("is not a name") && warning.what.len() < 600, "{:.400}", warning.what);
    }
}
