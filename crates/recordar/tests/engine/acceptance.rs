//! Criteria of the first document (R1–R9) that have no better place, and that every one of them has a test that names it.

use crate::classifying::put;
use crate::tree_model::{SHORT_CHUNKS, asked, lines, model, with_tree};
use crate::{ada, open, open_with, operation, text};
use recordar::document::TextRequest;
use recordar::search::SearchRequest;
use recordar::{Config, Error, Recordar, system_clock};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase};
use std::path::{Path, PathBuf};

/// Every criterion, as tests name it.
const CRITERIA: &str = "r1_1 r1_2 r1_3 r1_4 r1_5 \
    r2_1 r2_2 r2_3 r2_4 r2_5 r2_6 r2_7 r2_8 r2_9 r2_10 r2_11 \
    r2a_1 r2a_2 r2a_3 r2a_4 r2a_5 r2a_6 r2a_7 r2a_8 r2a_9 r2a_10 \
    r2b_1 r2b_2 r2b_3 r2b_4 r2b_5 r2b_6 r2b_7 r2b_7_1 r2b_7_2 r2b_7_3 r2b_7_4 r2b_7_5 r2b_7_6 r2b_7_7 r2b_8 r2b_9 r2b_10 \
    r3_1 r3_2 r3_3 r3_4 r3_5 r3_6 r3_7 r3_8 r3_9 \
    r4_1 r4_1_1 r4_1_2 r4_2 r4_2_1 r4_2_2 r4_3 r4_3_1 r4_3_2 r4_3_3 r4_3_4 r4_4_1 r4_4_2 r4_4_3 r4_5_1 r4_5_2 r4_5_3 r4_5_4 r4_6 r4_7 \
    r5_1 r5_2 r5_3 r6_1 r6_2 r6_3 r6_4 r6_5 r6_6 \
    r7_1 r7_2 r7_3 r7_4 r7_5 r7_6 r7_7 r7_8 r7_9 \
    r7a_1 r7a_2 r7a_3 r7a_4 r7a_5 r7a_6 r7a_7 r7b_1 r7b_2 r7b_3 r7b_4 r7b_5 r7b_6 r7b_7 \
    r8 r9_1 r9_2 r9_3 r9_4 r9_5 r9_6 r9_7 r9_8 r9_8_1 r9_8_2 r9_8_3 r9_8_4 r9_8_5 r9_9 r9_10 r9_11 r9_12";

#[test]
fn every_criterion_has_a_test_that_names_it() {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = Vec::new();
    collect(&crates, &mut names);
    // A test that names r4_1_2 does not thereby name r4_1: an id ends where no other number follows.
    let is_named = |id: &str| names.iter().any(|name: &String| names_id(name, id));
    let missing: Vec<&str> = CRITERIA.split_whitespace().filter(|id| !is_named(id)).collect();
    assert!(missing.is_empty(), "no test names {missing:?}");
}

fn names_id(name: &str, id: &str) -> bool {
    name.match_indices(id).any(|(at, _)| {
        let before = name[..at].chars().next_back();
        let rest = &name[at + id.len()..];
        let goes_on = rest.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        before.is_none_or(|c| c == '_') && !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) && !goes_on
    })
}

/// The names of all tests in Rust and Python.
fn collect(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "py") {
            let source = std::fs::read_to_string(&path).unwrap_or_default();
            let name = |line: &str| {
                let line = line.trim_start().trim_start_matches("async ");
                let rest = line.strip_prefix("fn ").or_else(|| line.strip_prefix("def "))?;
                Some(rest.split('(').next()?.to_owned())
            };
            names.extend(source.lines().filter_map(name));
        }
    }
}

#[test]
fn a1_r1_1_r1_3_r6_1_three_databases_are_opened_by_their_address_and_get_their_tables() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        put(&memory, "one", "a.md", "The lamp burns.");
        assert_eq!(open(&database).tree(&ada()).unwrap().chunks, 1, "{engine:?}");
    }
}

#[test]
fn a1_r1_2_the_database_comes_from_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config::from_toml("[database]\nurl = \"sqlite:here.db\"", folder.path()).unwrap();
    Recordar::open(config, system_clock()).unwrap();
    assert!(folder.path().join("here.db").exists());
}

#[test]
fn a1_r1_5_a_failed_connection_says_what_to_do() {
    for url in ["postgres://nobody@127.0.0.1:1/none", "mysql://nobody@127.0.0.1:1/none", "sqlite:/nowhere/at/all.db"] {
        let toml = format!("[database]\nurl = {url:?}\nattempts = 1\n");
        let opened = Recordar::open(Config::from_toml(&toml, Path::new("/")).unwrap(), system_clock());
        let Err(error) = opened else { panic!("{url} was opened") };
        assert!(!error.remedy().is_empty() && !error.to_string().contains("Error {"), "{error}");
    }
}

#[test]
fn a2_r1_4_r5_1_r5_2_r5_3_replies_are_asked_for_by_schema_natively_where_that_is_possible() {
    for (structured, place) in
        [("native", "/response_format/json_schema/schema"), ("tool", "/tools/0/function/parameters")]
    {
        let server = ModelServer::start(|_| Answer::status(401, "{}"));
        let database = TestDatabase::new(Engine::Sqlite);
        let toml = with_tree(&server, "").replace("structured = \"native\"", &format!("structured = {structured:?}"));
        put(&open_with(&database, &toml), "one", "a.txt", &lines(&[["a", "b", "c"]]));
        let body: serde_json::Value = serde_json::from_str(&server.received()[0].body).unwrap();
        assert_eq!(body.pointer(place).unwrap()["type"], "object", "{structured}");
    }
    // One that does not fit is refused, and nothing of it is stored.
    let server = model(|asked| (asked.task == "classify").then(|| serde_json::json!({"chunks": "all of them"})));
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    let report = put(&memory, "one", "a.txt", &lines(&[["a", "b", "c"]]));
    assert_eq!((report.files[0].classified, report.files[0].unclassified), (0, 1));
    assert_eq!(memory.tree(&ada()).unwrap().categories, 0);
}

#[test]
fn a3_r2_1_r2_2_r2_3_r2_4_r7_1_r7_2_text_is_cut_at_delimiters_within_its_limits() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[tree]\nclassify = false\n");
    let sentence = "The keeper cleans the lamp in the morning and trims the wick at noon. ";
    put(&memory, "one", "long.txt", &sentence.repeat(200));
    let shown = memory.document_text(&ada(), "long.txt", None).unwrap();
    let (last, others) = shown.chunks.split_last().unwrap();
    assert!(others.len() > 3 && others.iter().all(|chunk| (300..=500).contains(&chunk.tokens)), "{others:?}");
    assert!(last.tokens <= 500);
    assert!(others.iter().all(|chunk| chunk.text.trim_end().ends_with('.')));
    let short = put(&memory, "two", "short.txt", "Hello.");
    assert_eq!((short.files[0].chunks, short.files[0].warnings[0].code.as_str()), (1, "short"));
    let unbroken = put(&memory, "three", "unbroken.txt", &"lamp".repeat(4000));
    assert!(unbroken.files[0].chunks > 2, "split instead of refused");
}

#[test]
fn a7_r3_3_r3_4_r3_5_r3_6_r3_7_r3_8_the_schema_keeps_the_rules_of_the_tree() {
    // What the schema refuses, and which indexes are used, is shown in the store's own tests (categories.rs, plans.rs); here: what is
    // written keeps to it.
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"], ["A", "b", "x"], ["A", "a", "x"]]));
    let connection = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT COUNT(*) FROM categories WHERE level = 1 AND parent_id IS NOT NULL"), 0);
    assert_eq!(count("SELECT COUNT(*) FROM categories WHERE level > 1 AND parent_id IS NULL"), 0);
    assert_eq!(count("SELECT COUNT(*) - COUNT(DISTINCT parent_key || '/' || name) FROM categories"), 0);
    let on_leaves = "SELECT COUNT(*) FROM items JOIN categories USING (space_id, category_id) WHERE level = depth";
    assert_eq!(count(on_leaves), 3);
}

#[test]
fn a12_r6_2_r6_3_r6_4_r6_5_results_carry_a_status_and_errors_say_what_to_do() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, SHORT_CHUNKS);
    let report = put(&memory, "one", "a.md", "The lamp burns oil at night.");
    assert_eq!(report.files[0].status.name(), "added");
    let found = memory.query(&ada(), &recordar::query::QueryRequest::new("lamp")).unwrap();
    assert_eq!(found.status, "ok");
    let error = memory.ingest_text(&ada(), text("two", "", "x")).unwrap_err();
    assert!(!error.remedy().is_empty());
}

#[test]
fn a10_r7_3_too_much_for_the_budget_goes_by_the_rules_of_r9() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[answer]\nmax_token_budget = 200\n"));
    put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"], ["B", "b", "y"], ["C", "c", "z"]]));
    let request = recordar::answer::AskRequest {
        route: Some(recordar::answer::Route::Tree),
        ..recordar::answer::AskRequest::new("Where?")
    };
    let result = memory.ask(&[ada()], &request).unwrap();
    assert!(!result.dropped_paths.is_empty() && !result.used_chunks.is_empty());
}

#[test]
fn a14_r7_5_r7b_4_r7b_7_a_lost_database_is_told_with_what_to_do_and_can_be_tried_again() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "database.busy_timeout_ms = 100\ndatabase.attempts = 2\n");
    put(&memory, "one", "a.md", "The lamp burns.");
    let file = database.url.trim_start_matches("sqlite:");
    let other = rusqlite::Connection::open(file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = memory.ingest_text(&ada(), text("two", "b.md", "Bees give honey.")).unwrap_err();
    assert!(!error.remedy().is_empty(), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(put(&memory, "two", "b.md", "Bees give honey.").totals.added, 1, "the same operation once more");
}

#[test]
fn a14_r7_6_names_and_texts_are_never_read_as_sql() {
    let evil = "'; DROP TABLE items; --";
    let server = model(move |asked| {
        (asked.task == "classify").then(|| crate::tree_model::classified(asked, |_| evil.to_owned()))
    });
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        put(&memory, "one", "a'; --.txt", &format!("{evil} is what this note is called, and \\ too.\n"));
        assert_eq!(memory.tree(&ada()).unwrap().roots[0].name, evil);
        assert_eq!(memory.search(&[ada()], &SearchRequest::new("note")).unwrap().hits.len(), 1);
        let found = memory.query(&ada(), &recordar::query::QueryRequest::new(evil)).unwrap();
        assert_eq!(found.chunks.len(), 1);
    }
}

#[test]
fn a13_r7_7_r7a_1_r7a_2_r7a_3_r7a_4_r7a_5_r7a_6_r7a_7_each_mistake_in_the_configuration_is_told_with_its_fix() {
    let check = |toml: &str, key: &str| {
        let Err(Error::Config { mistakes }) = Config::from_toml(toml, Path::new("/")) else { panic!("{toml}") };
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert!(mistakes[0].key.starts_with(key) && !mistakes[0].fix.is_empty(), "{mistakes:?}");
    };
    check("answer.max_token_budget = 400", "answer.max_token_budget");
    check("tree.hierarchy_depth = 101", "tree.hierarchy_depth");
    check("tree.hierarchy_depth = 0", "tree.hierarchy_depth");
    check("tree.batch_size = 0", "tree.batch_size");
    check("tree.batch_size = 51", "tree.batch_size");
    check("[chunking]\nchunk_min_tokens = 500\nchunk_max_tokens = 400", "chunking.chunk_min_tokens");
    check("tree.max_categories_per_level = 0", "tree.max_categories_per_level");
    check("tree.max_categories_per_level = [1, 2]", "tree.max_categories_per_level");
    check("tree.strategy = \"deep\"", "tree.strategy");
    check("tree.n = 0", "tree.n");
    check("answer.prompt_limiting_strategy = \"both\"", "answer.prompt_limiting_strategy");
    check("answer.route = \"walk\"", "answer.route");
    check("answer.summary_max_retries = 11", "answer.summary_max_retries");
    check("ingest.auto_source_identification = \"yes\"", "ingest.auto_source_identification");
}

#[test]
fn a14_r7_8_r7_9_r7b_1_r7b_2_r7b_3_r7b_5_r7b_6_an_ingestion_is_one_transaction_with_its_tree() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"]]));
        // The transaction fails at its last write: the operation's id is taken, for something else.
        memory.remember(&ada(), &[recordar::Message::new("x")], &operation("taken")).unwrap();
        let rows = || -> Vec<String> {
            // What was asked of the model was spent.
            memory.raw().unwrap().lines().into_iter().filter(|row: &String| !row.starts_with("spending")).collect()
        };
        let taken = rows();
        let request: TextRequest = text("taken", "b.txt", &lines(&[["B", "b", "y"]; 12]));
        let error = memory.ingest_text(&ada(), request).unwrap_err();
        assert_eq!(error.code(), "operation_reused");
        assert_eq!(rows(), taken, "{engine:?}: not a name of the tree, not a chunk");
        assert!(asked(&server, "classify").len() > 5, "it was classified, in several batches, before");
        let report = put(&memory, "free", "b.txt", &lines(&[["B", "b", "y"]; 12]));
        assert_eq!(report.files[0].classified, 12);
    }
}
