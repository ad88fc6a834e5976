//! The tree without a model: from folders, titles and headings, in one operation after all files are stored (issue 19).

use crate::classifying::{leaves, put};
use crate::tree_model::{Asked, SHORT_CHUNKS, asked, classified, lines, model, plain, selected, with_tree};
use crate::{ada, file, ingest, open, open_with, operation, request};
use recordar::Recordar;
use recordar::category::{CategoryView, TreeView};
use recordar::database::Cancel;
use recordar::query::{DescentOptions, QueryRequest};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const TOPICS: [(&str, &str, &str); 6] = [
    ("lamp", "Lamps", "The lamp burns colza oil, and the wick of the lamp is trimmed at noon"),
    ("bees", "Bees", "The bees live in hives behind the tower, and in July the bees give honey"),
    ("boat", "Boats", "The supply boat brings flour and letters, and the boat needs a calm sea"),
    ("bell", "Bells", "The bell rings in fog twice a minute, and the bell is oiled each spring"),
    ("garden", "Gardens", "The garden grows beans and kale, and the garden is watered from the cistern"),
    ("stairs", "Stairs", "The stairs of the tower are iron, and the stairs are painted every year"),
];

/// A folder for each topic, with some notes in each.
fn write_notes(root: &Path, each: usize) {
    for (folder, title, text) in TOPICS {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        for number in 0..each {
            let content = format!("---\ntitle: {title} number {number}\n---\n\n{text}. Note {number} of {folder}.\n");
            std::fs::write(root.join(folder).join(format!("{folder}-{number}.md")), content).unwrap();
        }
    }
}

/// The documents of each leaf, by path.
fn places(memory: &Recordar, root: &Path) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    let all = QueryRequest {
        limit: Some(10_000),
        descent: DescentOptions { n: Some(128), max_paths: Some(1000), ..DescentOptions::default() },
        ..QueryRequest::new("note")
    };
    for chunk in memory.query(&ada(), &all).unwrap().chunks {
        let document = Path::new(&chunk.document).strip_prefix(root).unwrap().display().to_string();
        places.insert(document, chunk.category_path.join(" > "));
    }
    places
}

fn names(categories: &[CategoryView]) -> Vec<&str> {
    categories.iter().map(|category| category.name.as_str()).collect()
}

#[test]
fn i19_tree_folders_and_titles_make_it_and_the_order_of_files_does_not_matter() {
    let mut found = Vec::new();
    for engine in Engine::ALL {
        for is_reversed in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            write_notes(folder.path(), 4);
            let database = TestDatabase::new(engine);
            let memory = open(&database);
            let mut paths: Vec<_> = TOPICS.iter().map(|(name, ..)| folder.path().join(name)).collect();
            if is_reversed {
                paths.reverse();
            }
            let paths: Vec<&Path> = paths.iter().map(std::path::PathBuf::as_path).collect();
            let report = ingest(&memory, &request("all", &paths));
            assert_eq!((report.totals.classified, report.totals.unclassified), (24, 0), "{engine:?}");
            assert!(
                report.files.iter().all(|file| file.classified == 1 && file.warnings.len() == 1),
                "only short ones"
            );
            let TreeView { roots, .. } = memory.tree(&ada()).unwrap();
            assert_eq!(names(&roots), ["Bees", "Bell", "Boat", "Garden", "Lamp", "Stairs"]);
            assert!(roots.iter().all(|root| root.chunks == 4), "balanced");
            let places = places(&memory, folder.path());
            assert!(places["lamp/lamp-2.md"].ends_with(" > Lamps number 2"), "{places:?}");
            found.push(places);
        }
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn i19_tree_a_run_that_ends_early_leaves_documents_that_classify_places_in_the_same_way() {
    for engine in Engine::ALL {
        let folder = tempfile::tempdir().unwrap();
        write_notes(folder.path(), 3);
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let cancel = Cancel::default();
        let cancelled = memory.cancelled_by(cancel.clone());
        let all_files = |progress: recordar::call::Progress| {
            if progress.message == "18/18 files" {
                cancel.cancel();
            }
        };
        let report = cancelled.ingest(&ada(), &request("all", &[folder.path()]), &mut { all_files }).unwrap();
        assert_eq!((report.totals.added, report.totals.unclassified), (18, 18), "{engine:?}");
        assert_eq!(memory.tree(&ada()).unwrap().unclassified, 18);
        let mut steps = Vec::new();
        let done = memory.classify_telling(&ada(), &operation("later"), &mut |step| steps.push(step)).unwrap();
        assert_eq!((done.classified, done.unclassified, done.documents.len()), (18, 0, 18));
        assert!(steps.last().is_some_and(|step| step.done == step.total), "{steps:?}");
        let other = TestDatabase::new(engine);
        let whole = open(&other);
        ingest(&whole, &request("all", &[folder.path()]));
        assert_eq!(places(&memory, folder.path()), places(&whole, folder.path()), "{engine:?}");
        // Running the same command again finishes it, too.
        let third = TestDatabase::new(engine);
        let again = open(&third);
        let cancel = Cancel::default();
        let stopped = again.cancelled_by(cancel.clone());
        let mut stop = |progress: recordar::call::Progress| {
            if progress.message == "7/18 files" {
                cancel.cancel();
            }
        };
        stopped.ingest(&ada(), &request("first", &[folder.path()]), &mut stop).unwrap();
        ingest(&again, &request("second", &[folder.path()]));
        assert_eq!(places(&again, folder.path()), places(&whole, folder.path()), "{engine:?}");
    }
}

#[test]
fn i19_tree_later_documents_go_where_their_folder_is_and_nothing_is_renamed() {
    let folder = tempfile::tempdir().unwrap();
    write_notes(folder.path(), 4);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    ingest(&memory, &request("one", &[folder.path()]));
    let before = memory.tree(&ada()).unwrap();
    std::fs::write(folder.path().join("bees/swarm.md"), "# Swarms\n\nA swarm of bees hangs in a tree.\n").unwrap();
    std::fs::create_dir(folder.path().join("kitchen")).unwrap();
    for name in ["bread", "soup"] {
        let text = format!("# {name} of the kitchen\n\nThe kitchen makes {name} on the stove.\n");
        std::fs::write(folder.path().join(format!("kitchen/{name}.md")), text).unwrap();
    }
    let report = ingest(&memory, &request("two", &[folder.path()]));
    assert_eq!((report.totals.added, report.totals.classified), (3, 3));
    let after = memory.tree(&ada()).unwrap();
    let ids = |view: &TreeView| view.roots.iter().map(|root| (root.id, root.name.clone())).collect::<Vec<_>>();
    assert!(ids(&before).iter().all(|root| ids(&after).contains(root)));
    let places = places(&memory, folder.path());
    assert!(places["bees/swarm.md"].starts_with("Bees > "), "{places:?}");
    assert!(places["kitchen/bread.md"].starts_with("Kitchen > "), "{places:?}");
    assert!(places["kitchen/soup.md"].starts_with("Kitchen > "), "{places:?}");
}

#[test]
fn i19_tree_no_level_is_filled_by_what_came_first() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[tree]\nmax_categories_per_level = [6, 12, 24]\n");
    // One at a time: every document is the first of its run.
    for number in 0..60 {
        let (_, title, text) = TOPICS[number % TOPICS.len()];
        put(&memory, &format!("put-{number}"), &format!("{number}.md"), &format!("# {title} {number}\n\n{text}.\n"));
    }
    let tree = memory.tree(&ada()).unwrap();
    assert_eq!((tree.chunks, tree.unclassified), (60, 0));
    assert!(tree.levels.iter().all(|level| level.categories <= u64::from(level.limit)), "{:?}", tree.levels);
    assert!(tree.levels[2].categories < 24, "{:?}", tree.levels);
}

#[test]
fn i19_tree_a_flat_folder_is_divided_by_words_into_balanced_categories() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..240 {
        let (name, title, text) = TOPICS[number % TOPICS.len()];
        let content = format!("# {title} {number}\n\n{text}.\n");
        std::fs::write(folder.path().join(format!("{number:03}-{name}.md")), content).unwrap();
    }
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[tree]\nmax_categories_per_level = 32\n");
    ingest(&memory, &request("all", &[folder.path()]));
    let tree = memory.tree(&ada()).unwrap();
    assert_eq!((tree.chunks, tree.unclassified), (240, 0));
    let most = tree.roots.iter().map(|root| root.chunks).max().unwrap();
    assert!(tree.roots.len() > 1 && most <= 120, "{:?}", names(&tree.roots));
    let words = ["lamp", "bee", "boat", "bell", "garden", "stair"];
    let is_telling = |name: &&str| words.iter().any(|word| name.to_lowercase().contains(word));
    assert!(names(&tree.roots).iter().all(is_telling), "{:?}", names(&tree.roots));
}

#[test]
fn i19_tree_a_long_document_is_divided_by_its_headings() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, SHORT_CHUNKS);
    let mut text =
        "# The handbook\n\nIt tells the keepers of the light what to do in every month of the year.\n\n".to_owned();
    for (_, title, sentence) in TOPICS {
        text.push_str(&format!("## {title}\n\n"));
        (0..20).for_each(|number| text.push_str(&format!("{sentence} in year {number}.\n")));
    }
    put(&memory, "one", "handbook.md", &text);
    let tree = memory.tree(&ada()).unwrap();
    assert!(tree.chunks > 100 && tree.unclassified == 0);
    assert!(names(&tree.roots).contains(&"Bees") && names(&tree.roots).contains(&"Lamps"), "{:?}", names(&tree.roots));
}

#[test]
fn i19_tree_categories_that_nothing_hangs_on_are_not_listed_and_not_offered() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &format!("{SHORT_CHUNKS}[tree]\nmax_categories_per_level = 2\n"));
        put(&memory, "one", "lamp.md", "# Lamp\n\nThe lamp burns colza oil all night long.\n");
        put(&memory, "two", "bees.md", "# Bees\n\nThe bees live in hives behind the tower.\n");
        let before = memory.tree(&ada()).unwrap();
        // Another text in its place: the first one hangs nowhere that is live.
        put(&memory, "three", "lamp.md", "# Bees\n\nThe bees give honey in July, and the hives of bees are full.\n");
        let after = memory.tree(&ada()).unwrap();
        assert_eq!((before.roots.len(), after.chunks, after.unclassified), (2, 2, 0), "{engine:?}");
        assert!(after.roots.iter().all(|root| root.chunks > 0), "{engine:?}: {:?}", after.roots);
        let query = QueryRequest {
            descent: DescentOptions { n: Some(9), ..DescentOptions::default() },
            ..QueryRequest::new("lamp")
        };
        let result = memory.query(&ada(), &query).unwrap();
        assert_eq!((result.errors.len(), result.status), (0, "ok"), "{engine:?}");
        put(&memory, "four", "boat.md", "# Boat\n\nThe supply boat brings flour and letters on Tuesday.\n");
        let tree = memory.tree(&ada()).unwrap();
        assert_eq!((tree.chunks, tree.unclassified), (3, 0));
        assert!(tree.levels.iter().all(|level| level.categories <= 2), "{engine:?}: {:?}", tree.levels);
    }
}

#[test]
fn i19_7_query_gives_a_page_with_the_best_chunks_first() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, SHORT_CHUNKS);
        let mut text = String::new();
        (0..30).for_each(|number| text.push_str(&format!("The log of day {number} says that the sea was calm.\n")));
        text.push_str("In July the bees give honey to the keeper of the light.\n");
        (30..60).for_each(|number| text.push_str(&format!("The log of day {number} says that the sea was calm.\n")));
        put(&memory, "one", "log.txt", &text);
        let mut request = QueryRequest::new("Which month do the bees give honey?");
        let first = memory.query(&ada(), &request).unwrap();
        assert_eq!((first.chunks.len(), first.more), (20, Some(41)), "{engine:?}");
        assert!(first.chunks[0].text_content.contains("bees"), "{engine:?}: {:?}", first.chunks[0]);
        let retrieve = first.trace.stages.iter().find(|stage| stage.name == "retrieve").unwrap();
        assert!(
            retrieve.decisions.iter().any(|decision| decision.reason == "score" && decision.detail.contains("rank 1"))
        );
        let mut found: Vec<i64> = first.chunks.iter().map(|chunk| chunk.chunk_id).collect();
        request.after = first.next;
        while request.after.is_some() {
            let page = memory.query(&ada(), &request).unwrap();
            found.extend(page.chunks.iter().map(|chunk| chunk.chunk_id));
            request.after = page.next;
        }
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 61, "{engine:?}: every chunk is on one page");
        let other = QueryRequest { after: Some("2~000000000000~20".to_owned()), ..QueryRequest::new("bees") };
        assert!(memory.query(&ada(), &other).unwrap_err().remedy().contains("previous page"));
    }
}

#[test]
fn i19_7_a_reply_that_query_refused_is_not_ok() {
    let calls = AtomicUsize::new(0);
    let server = model(move |asked| {
        (asked.task == "select").then(|| match calls.fetch_add(1, Ordering::Relaxed) {
            0 => json!({"categories": [{"category": "A", "ranked_relevance": 1}]}),
            _ => selected(&["A".to_owned(), "B".to_owned()], 3),
        })
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"], ["B", "b", "y"]]));
    let result = memory.query(&ada(), &QueryRequest::new("Where?")).unwrap();
    let outcomes: Vec<&str> = result.responses.iter().map(|response| response.outcome.as_str()).collect();
    assert_eq!(outcomes, ["model_reply_unfit", "ok"]);
    assert!(result.responses[0].llm_output.is_empty() && result.responses[1].llm_output.len() == 2);
}

#[test]
fn i19_7_a_budget_that_nothing_fits_into_is_refused_before_a_descent() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"], ["B", "b", "y"]]));
    let ask = |budget: u32| {
        let arguments = json!({"query": "Where?", "route": "tree", "max_token_budget": budget});
        let caller = recordar::call::Caller {
            space: ada(),
            names_space: true,
            within: None,
            files: true,
            authority: recordar::recall::Authority::Administrator,
            account: None,
            operation: operation("unnamed"),
        };
        let verb = recordar::verb::named("ask").unwrap();
        memory
            .call(verb, recordar::call::Call::new(caller), arguments.as_object().unwrap().clone())
            .map(drop)
            .unwrap_err()
    };
    assert_eq!(ask(0).code(), "invalid");
    assert_eq!(ask(1).code(), "budget_exceeded");
    assert!(asked(&server, "select").is_empty(), "nothing was paid for");
}

#[test]
fn i19_7_max_per_level_has_a_key() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nmax_per_level = 2\n"));
    put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"], ["B", "b", "y"], ["C", "c", "z"]]));
    assert_eq!(memory.query(&ada(), &QueryRequest::new("Where?")).unwrap().paths.len(), 2);
    let zoom =
        DescentOptions { strategy: Some(recordar::category::TraversalStrategy::ZoomIn), ..DescentOptions::default() };
    let result = memory.query(&ada(), &QueryRequest { descent: zoom, ..QueryRequest::new("Where?") }).unwrap();
    assert_eq!((result.traversal.max_per_level, result.paths.len()), (2, 2), "with every strategy");
}

#[test]
fn i19_7_another_depth_in_the_configuration_is_mentioned() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let report = put(&memory, "one", "a.md", "The lamp burns oil, and the lamp is lit at dusk.\n");
    assert!(report.warnings.is_empty());
    let memory = open_with(&database, "[tree]\nhierarchy_depth = 5\n");
    let report = put(&memory, "two", "b.md", "Bees are kept behind the tower, and bees give honey.\n");
    assert_eq!(report.warnings[0].code, "other_depth");
    assert!(report.warnings[0].what.contains("3 levels") && report.warnings[0].remedy.contains("tree deepen 5"));
    assert_eq!(memory.classify(&ada(), &operation("all")).unwrap().warnings[0].code, "other_depth");
}

#[test]
fn i19_2_names_that_are_too_long_and_ids_that_were_not_asked_for_are_refused_and_repaired() {
    let long = "x".repeat(61);
    let server = model(move |asked| {
        let is_first = !asked.system.contains("did not fit");
        (asked.task == "classify" && is_first)
            .then(|| classified(asked, |text| if text.contains("L1:Air") { long.clone() } else { "Land".to_owned() }))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nhierarchy_depth = 1\n"));
    put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"], ["Air", "x", "y"]]));
    assert_eq!(leaves(&memory), ["Air: 1", "Land: 1"]);
    let batches = asked(&server, "classify");
    assert_eq!(
        batches.iter().map(|asked| asked.chunks().len()).collect::<Vec<_>>(),
        [2, 1],
        "only the one that failed"
    );

    let calls = AtomicUsize::new(0);
    let server = model(move |asked: &Asked| {
        let is_first = asked.task == "classify" && calls.fetch_add(1, Ordering::Relaxed) == 0;
        is_first.then(|| {
            let mut reply = plain(asked);
            reply["chunks"].as_array_mut().unwrap().push(json!({"id": 9, "category": "Sea"}));
            reply
        })
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, "[tree]\nhierarchy_depth = 1\n"));
    let report = put(&memory, "one", "a.txt", &lines(&[["Land", "x", "y"]]));
    assert_eq!(file(&report, "a.txt").classified, 1);
    let outcomes: Vec<String> = report.responses.iter().map(|call| call.outcome.clone()).collect();
    assert!(outcomes.contains(&"model_reply_unfit".to_owned()), "{outcomes:?}");
    assert_eq!(leaves(&memory), ["Land: 1"]);
}
