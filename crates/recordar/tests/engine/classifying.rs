//! Classification on the way in: level by level, in batches, within caps, all or nothing (R2, R2A, R3).

use crate::tree_model::{Asked, SHORT_CHUNKS, asked, by_rule, classified, lines, model, plain, with_tree};
use crate::{ada, open_with, operation, text};
use recordar::Recordar;
use recordar::category::{CategoryView, TreeView};
use recordar::document::{FileReport, IngestReport};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn put(memory: &Recordar, id: &str, name: &str, content: &str) -> IngestReport {
    memory.ingest_text(&ada(), text(id, name, content)).unwrap()
}

fn only(report: &IngestReport) -> &FileReport {
    assert_eq!(report.files.len(), 1);
    &report.files[0]
}

/// Every leaf with its chunks, as `A > B > C: 2`.
pub(crate) fn leaves(memory: &Recordar) -> Vec<String> {
    fn walk(category: &CategoryView, path: &str, found: &mut Vec<String>) {
        let path = if path.is_empty() { category.name.clone() } else { format!("{path} > {}", category.name) };
        match category.children.as_slice() {
            [] => found.push(format!("{path}: {}", category.chunks)),
            children => children.iter().for_each(|child| walk(child, &path, found)),
        }
    }
    let TreeView { roots, .. } = memory.tree(&ada()).unwrap();
    let mut found = Vec::new();
    roots.iter().for_each(|root| walk(root, "", &mut found));
    found.sort();
    found
}

#[test]
fn a4_r2_5_r2_6_r2_10_r2_11_chunks_are_classified_level_by_level_and_hang_on_the_leaf() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        let content = lines(&[["Land", "Lamp", "Oil"], ["Sea", "Boat", "Sail"], ["Land", "Lamp", "Wick"]]);
        let report = put(&memory, "one", "notes.txt", &content);
        assert_eq!((only(&report).chunks, only(&report).classified, only(&report).unclassified), (3, 3, 0));
        assert_eq!(leaves(&memory), ["Land > Lamp > Oil: 1", "Land > Lamp > Wick: 1", "Sea > Boat > Sail: 1"]);
        let levels: Vec<usize> = asked(&server, "classify").iter().map(Asked::level).collect();
        assert_eq!(levels, [1, 2, 2, 3, 3], "sequentially, from the first level to the last");
        let tree = memory.tree(&ada()).unwrap();
        assert_eq!((tree.depth, tree.categories, tree.chunks), (Some(3), 7, 3));
    }
}

#[test]
fn a4_r2_7_names_that_exist_are_shown_to_the_model() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"], ["Sea", "Boat", "Sail"]]));
    put(&memory, "two", "b.txt", &lines(&[["Land", "Lamp", "Oil"]]));
    let shown: Vec<Vec<String>> = asked(&server, "classify").iter().map(Asked::options).collect();
    assert_eq!(shown[0], [""; 0]);
    assert_eq!(shown[5], ["Land", "Sea"]);
    assert_eq!(shown[6], ["Lamp"]);
    assert_eq!(leaves(&memory), ["Land > Lamp > Oil: 2", "Sea > Boat > Sail: 1"]);
}

#[test]
fn a4_names_that_differ_in_case_space_or_plural_are_the_same() {
    let names = ["Lamps", "lamp", " LAMPS ", "lamp"];
    let count = AtomicUsize::new(0);
    let server = model(move |asked| {
        let next = || names[count.fetch_add(1, Ordering::Relaxed) % names.len()].to_owned();
        (asked.task == "classify").then(|| classified(asked, |_| next()))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nhierarchy_depth = 1\nbatch_size = 2\n"));
    let report = put(&memory, "one", "a.txt", &lines(&[["a", "a", "a"]; 4]));
    assert_eq!(leaves(&memory), ["Lamps: 4"]);
    let stage = report.trace.stages.iter().find(|stage| stage.name == "classify").unwrap();
    assert!(stage.decisions.iter().any(|decision| decision.reason == "same_name"));
}

#[test]
fn a4_r2_8_r2_9_at_the_cap_the_model_must_choose_from_what_exists() {
    let names = AtomicUsize::new(0);
    let server = model(move |asked| {
        let invent = |_: &str| match asked.schema.pointer("/properties/chunks/items/properties/category/enum/0") {
            Some(first) => first.as_str().unwrap().to_owned(),
            None => format!("Name{}", names.fetch_add(1, Ordering::Relaxed)),
        };
        (asked.task == "classify").then(|| classified(asked, invent))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    // R2.8 b: one number for each level; and a number for all levels but one.
    let memory = open_with(&database, &with_tree(&server, "[tree]\nmax_categories_per_level = [2, 3, 4]\n"));
    put(&memory, "one", "a.txt", &lines(&[["a", "a", "a"]; 20]));
    let tree = memory.tree(&ada()).unwrap();
    assert_eq!(tree.levels.iter().map(|level| level.categories).collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!((tree.chunks, tree.unclassified), (20, 0));
    let forced = asked(&server, "classify").into_iter().filter(|asked| asked.system.contains("no more can be made"));
    for asked in forced {
        let offered = asked.schema.pointer("/properties/chunks/items/properties/category/enum").unwrap();
        assert_eq!(*offered, json!(asked.options()));
    }
}

#[test]
fn a5_r2a_1_r2a_2_r2a_3_r2a_4_r2a_5_a_batch_lists_its_chunks_and_gets_ids_and_categories() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nhierarchy_depth = 1\n"));
    put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"], ["Sea", "x", "y"]]));
    let batch = &asked(&server, "classify")[0];
    let expected = "Chunk 1:\n\"\"\"\nNote 1 says that L1:Land L2:x L3:y is where it belongs.\n\n\"\"\"\n\
        Chunk 2:\n\"\"\"\nNote 2 says that L1:Sea L2:x L3:y is where it belongs.\n\n\"\"\"";
    assert!(batch.user.ends_with(expected), "{}", batch.user);
    let entry = &batch.schema["properties"]["chunks"]["items"];
    assert_eq!(entry["required"], json!(["id", "category"]));
    assert_eq!(entry["additionalProperties"], json!(false), "no text comes back");
    assert_eq!(entry["properties"]["id"]["enum"], json!([1, 2]));
    assert_eq!(batch.schema["required"], json!(["chunks"]));
}

#[test]
fn a5_r2a_6_r2a_7_batches_have_five_chunks_or_as_many_as_configured_in_order() {
    for (toml, sizes) in [("", [5, 5, 2].as_slice()), ("batch_size = 7\n", &[7, 5])] {
        let server = model(|_| None);
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_with(&database, &with_tree(&server, &format!("[tree]\nhierarchy_depth = 1\n{toml}")));
        put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"]; 12]));
        let batches: Vec<Vec<(i64, String)>> = asked(&server, "classify").iter().map(Asked::chunks).collect();
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), sizes);
        let numbers: Vec<usize> = batches.concat().iter().map(|(_, text)| text[5..7].trim().parse().unwrap()).collect();
        assert_eq!(numbers, (1..=12).collect::<Vec<_>>(), "original order");
    }
}

#[test]
fn a5_r2a_8_r2a_9_r2a_10_only_the_chunk_that_fails_is_asked_for_again() {
    let server = model(|asked| {
        let is_first = !asked.system.contains("did not fit");
        let wrong = |_: &Asked| json!({"chunks": [{"id": 1, "category": "Land"}, {"id": 2, "category": "  "}, {"id": 3, "category": "Sea"}]});
        (asked.task == "classify" && is_first).then(|| wrong(asked))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nhierarchy_depth = 1\n"));
    let report = put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"], ["Air", "x", "y"], ["Sea", "x", "y"]]));
    let batches = asked(&server, "classify");
    assert_eq!(batches.iter().map(|asked| asked.chunks().len()).collect::<Vec<_>>(), [3, 1]);
    assert_eq!(batches[1].chunks()[0].0, 2, "with the same id");
    assert_eq!(leaves(&memory), ["Air: 1", "Land: 1", "Sea: 1"]);
    let batch = &report.batches[0];
    assert_eq!((report.batches.len(), batch.sent, batch.succeeded, batch.retried), (1, 3, 3, 1));
    assert!(batch.latency_ms > 0.0);
}

#[test]
fn a4_r7_4_a_classification_that_failed_leaves_the_document_stored_and_is_retried() {
    for engine in Engine::ALL {
        let is_away = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let away = std::sync::Arc::clone(&is_away);
        let server = ModelServer::start(move |received| match away.load(Ordering::Relaxed) {
            true => Answer::status(503, "{}"),
            false => crate::tree_model::completion(&plain(&Asked::of(received)).to_string()),
        });
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        let report = put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"], ["Sea", "Boat", "Sail"]]));
        let file = only(&report);
        assert_eq!((file.chunks, file.classified, file.unclassified), (2, 0, 2));
        assert_eq!(file.warnings.last().unwrap().code, "unclassified");
        assert!(file.model_problem.is_some() && file.helper.is_none());
        assert!(file.warnings.last().unwrap().remedy.contains("recordar classify"));
        assert_eq!(memory.search(&[ada()], &recordar::search::SearchRequest::new("belongs")).unwrap().hits.len(), 2);
        assert_eq!(memory.tree(&ada()).unwrap().unclassified, 2);
        let failed = memory.classify(&ada(), &operation("again")).unwrap();
        assert_eq!((failed.classified, failed.unclassified), (0, 2));
        is_away.store(false, Ordering::Relaxed);
        let done = memory.classify(&ada(), &operation("at-last")).unwrap();
        assert_eq!((done.classified, done.unclassified), (2, 0));
        assert_eq!(leaves(&memory), ["Land > Lamp > Oil: 1", "Sea > Boat > Sail: 1"]);
        assert_eq!(done.documents[0].helper.as_ref().unwrap().origin, "generated");
        assert_eq!(memory.classify(&ada(), &operation("nothing")).unwrap().documents.len(), 0);
    }
}

#[test]
fn a4_a_model_that_is_away_is_not_asked_for_every_file() {
    let server = ModelServer::start(|_| Answer::status(401, "{}"));
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.txt", "b.txt", "c.txt"] {
        std::fs::write(folder.path().join(name), lines(&[["a", "b", "c"]; 9])).unwrap();
    }
    let report = memory.ingest(&ada(), &crate::request("all", &[folder.path()]), &mut |_| {}).unwrap();
    assert_eq!((report.totals.added, report.totals.unclassified), (3, 27));
    assert_eq!(server.received().len(), 1);
}

#[test]
fn a4_r7_4_built_in_when_the_model_is_away_and_that_is_wished() {
    let server = ModelServer::start(|_| Answer::HangUp);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "when_away = \"built_in\"\n"));
    let report = put(&memory, "one", "a.txt", "The lamp burns oil, and the lamp is lit at dusk by the keeper.\n");
    assert_eq!(only(&report).classified, 1);
    assert!(only(&report).model_problem.is_some());
}

#[test]
fn a7_r3_1_r3_2_r3_9_the_depth_is_kept_with_the_tree() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &format!("{SHORT_CHUNKS}[tree]\nhierarchy_depth = 2\n"));
    put(&memory, "one", "a.md", "The lamp burns oil, and the lamp is lit at dusk.\n");
    // Another depth in the configuration is for new trees.
    let memory = open_with(&database, &format!("{SHORT_CHUNKS}[tree]\nhierarchy_depth = 5\n"));
    put(&memory, "two", "b.md", "Bees are kept behind the tower, and bees give honey.\n");
    let tree = memory.tree(&ada()).unwrap();
    assert_eq!((tree.depth, tree.chunks, tree.unclassified), (Some(2), 2, 0));
    memory.edit_tree(&ada(), &recordar::category::TreeEdit::Deepen { depth: 5 }, &operation("deep")).unwrap();
    put(&memory, "three", "c.md", "The supply boat comes on Tuesday with oil and letters.\n");
    let tree = memory.tree(&ada()).unwrap();
    assert_eq!((tree.depth, tree.chunks, tree.levels.len()), (Some(5), 3, 5));
}

#[test]
fn a7_r3_1_a_tree_of_a_hundred_levels_can_be_grown_and_descended() {
    let server = model(|asked| {
        (asked.task == "classify").then(|| classified(asked, |text| format!("{} {}", by_rule(text, 1), asked.level())))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nhierarchy_depth = 100\n"));
    put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"], ["Sea", "x", "y"]]));
    let tree = memory.tree(&ada()).unwrap();
    assert_eq!((tree.depth, tree.categories, tree.chunks), (Some(100), 200, 2));
    let found = memory.query(&ada(), &recordar::query::QueryRequest::new("Where?")).unwrap();
    assert_eq!(found.chunks[0].category_path.len(), 100);
    assert_eq!(found.chunks.len(), 2);
}

#[test]
fn a7_edits_of_the_tree_take_the_chunks_along() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        let places =
            [["Land", "Lamp", "Oil"], ["Coast", "Lamps", "Wick"], ["Coast", "Bees", "Hive"], ["Sea", "Boat", "Sail"]];
        put(&memory, "one", "a.txt", &lines(&places));
        let edit = |id: &str, edit: recordar::category::TreeEdit| memory.edit_tree(&ada(), &edit, &operation(id));
        let owned = str::to_owned;
        let merged = recordar::category::TreeEdit::Merge { category: owned("Coast"), into: owned("land") };
        let done = edit("merge", merged.clone()).unwrap();
        assert_eq!(done.merged_categories, 2, "Coast, and its Lamps");
        assert!(edit("merge", merged).unwrap().repeated);
        let renamed = recordar::category::TreeEdit::Rename { category: owned("Land > Bees"), name: owned("Animals") };
        edit("rename", renamed).unwrap();
        edit("move", recordar::category::TreeEdit::Move { category: owned("Land > Animals"), under: owned("Sea") })
            .unwrap();
        let after =
            ["Land > Lamp > Oil: 1", "Land > Lamp > Wick: 1", "Sea > Animals > Hive: 1", "Sea > Boat > Sail: 1"];
        assert_eq!(leaves(&memory), after);
        let missing =
            edit("none", recordar::category::TreeEdit::Rename { category: owned("Nowhere"), name: owned("x") });
        assert!(missing.unwrap_err().to_string().contains("Nowhere"));
        edit("deep", recordar::category::TreeEdit::Deepen { depth: 4 }).unwrap();
        assert_eq!(leaves(&memory)[0], "Land > Lamp > Oil > Oil: 1");
        // Edits are found again by descent.
        let request = recordar::query::QueryRequest::new("Who keeps animals?");
        let found = memory.query(&ada(), &request).unwrap();
        assert_eq!(found.chunks.len(), 4);
    }
}

#[test]
fn a4_chunks_that_stay_as_they_are_keep_their_places_and_cost_nothing_again() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    let mut places = vec![["Land", "Lamp", "Oil"], ["Sea", "Boat", "Sail"]];
    put(&memory, "one", "a.txt", &lines(&places));
    let renamed = recordar::category::TreeEdit::Rename { category: "Land".to_owned(), name: "Shore".to_owned() };
    memory.edit_tree(&ada(), &renamed, &operation("rename")).unwrap();
    let before = asked(&server, "classify").len();
    places.push(["Sea", "Boat", "Oar"]);
    let report = put(&memory, "two", "a.txt", &lines(&places));
    assert_eq!((only(&report).classified, only(&report).unclassified), (3, 0));
    let leaves = leaves(&memory);
    assert_eq!(leaves, ["Sea > Boat > Oar: 1", "Sea > Boat > Sail: 1", "Shore > Lamp > Oil: 1"]);
    let chunks: usize = asked(&server, "classify")[before..].iter().map(|asked| asked.chunks().len()).sum();
    assert_eq!(chunks, 3, "the new chunk alone, on each of three levels");
}

#[test]
fn a4_a_request_that_is_not_accepted_fails_its_batch_alone() {
    let server = ModelServer::start(|received| {
        let asked = Asked::of(received);
        let is_too_long = asked.task == "classify" && asked.chunks().iter().any(|(_, text)| text.contains("Note 1 "));
        match is_too_long {
            true => Answer::status(400, r#"{"error": {"message": "context too long"}}"#),
            false => crate::tree_model::completion(&plain(&asked).to_string()),
        }
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nbatch_size = 1\nhierarchy_depth = 1\n"));
    let report = put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"]; 3]));
    assert_eq!((only(&report).classified, only(&report).unclassified), (2, 1));
    put(&memory, "two", "b.txt", &lines(&[["Sea", "x", "y"]; 3]));
    assert_eq!(leaves(&memory), ["Land: 2", "Sea: 2"]);
}

#[test]
fn a4_without_a_model_a_document_is_placed_by_its_name() {
    let mut trees = Vec::new();
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, SHORT_CHUNKS);
        let content = "The lamp burns colza oil, and the lamp is lit at dusk.\nBees are kept behind the tower, and the bees give honey.\n\
            The wick of the lamp is trimmed at noon, before the lamp is lit.\n";
        let report = put(&memory, "one", "light.md", content);
        assert_eq!((only(&report).classified, report.responses.len()), (3, 0));
        trees.push(leaves(&memory));
    }
    assert_eq!(trees[0], ["Light > Light > Light: 3"]);
    assert!(trees.windows(2).all(|pair| pair[0] == pair[1]), "{trees:?}");
}

#[test]
fn a4_classification_can_be_left_out() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[tree]\nclassify = false\n");
    let report = put(&memory, "one", "a.md", "The lamp burns oil.");
    assert_eq!((only(&report).classified, only(&report).unclassified), (0, 0));
    assert_eq!(memory.tree(&ada()).unwrap().depth, None);
    assert_eq!(memory.classify(&ada(), &operation("later")).unwrap().classified, 1);
    let no_tree = memory.query(&recordar::SpaceName::user("bob").unwrap(), &recordar::query::QueryRequest::new("x"));
    let error = no_tree.unwrap_err();
    assert_eq!(error.code(), "no_tree");
    assert!(error.remedy().contains("recordar classify"));
}

#[test]
fn a4_forgetting_a_document_takes_the_names_that_it_alone_had() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"], ["Land", "Secret", "Affair"]]));
        put(&memory, "two", "b.txt", &lines(&[["Land", "Lamp", "Wick"], ["Sea", "Boat", "Sail"]]));
        memory
            .forget(&ada(), &recordar::forget::ForgetRequest::Document("a.txt".to_owned()), false, &operation("gone"))
            .unwrap();
        assert_eq!(leaves(&memory), ["Land > Lamp > Wick: 1", "Sea > Boat > Sail: 1"]);
        let rows: Vec<String> = memory.raw().unwrap().lines();
        assert!(!rows.iter().any(|row: &String| row.contains("Affair") || row.contains("Secret")));
    }
}

#[test]
fn a6_personal_data_that_is_redacted_is_not_told_to_the_model_on_the_way_in() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[recall]\nenable_redaction = true\n"));
    put(&memory, "one", "a.txt", "Write to ada@example.com about the lamp, when it is dark again.\n");
    assert!(server.received().iter().all(|received| !received.body.contains("ada@example.com")));
    let result: Value =
        serde_json::to_value(memory.query(&ada(), &recordar::query::QueryRequest::new("lamp")).unwrap()).unwrap();
    assert!(!result.to_string().contains("ada@example.com"));
}
