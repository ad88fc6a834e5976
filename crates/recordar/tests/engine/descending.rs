//! Descent on the way out: categories with ranks, paths, chunks in order, page by page (R4, R8).

use crate::classifying::put;
use crate::tree_model::{Asked, asked, lines, model, selected, with_tree};
use crate::{ada, open_with, operation};
use recordar::category::TraversalStrategy;
use recordar::forget::ForgetRequest;
use recordar::model::Method;
use recordar::query::{DescentOptions, QueryRequest, QueryResult};
use recordar::{Error, Recordar};
use recordar_testkit::{Engine, ModelServer, TestDatabase};
use serde_json::json;

/// Three names on each of three levels: 27 leaves with a chunk each.
fn wide() -> String {
    let names = ["A", "B", "C"];
    let places: Vec<[&str; 3]> = (0..27).map(|at| [names[at / 9], names[at / 3 % 3], names[at % 3]]).collect();
    lines(&places)
}

fn memory_with(server: &ModelServer, content: &str) -> (TestDatabase, Recordar) {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(server, ""));
    put(&memory, "one", "a.txt", content);
    (database, memory)
}

fn query(memory: &Recordar, descent: DescentOptions) -> QueryResult {
    memory.query(&ada(), &QueryRequest { descent, ..QueryRequest::new("Where is it?") }).unwrap()
}

fn strategy(strategy: TraversalStrategy) -> DescentOptions {
    DescentOptions { strategy: Some(strategy), ..DescentOptions::default() }
}

fn paths(result: &QueryResult) -> Vec<String> {
    result.paths.iter().map(|path| path.category_path.join("")).collect()
}

#[test]
fn a8_r4_1_r4_1_1_r4_2_r4_2_1_categories_are_selected_level_by_level_down_to_leaves() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, &wide());
    let result = query(&memory, strategy(TraversalStrategy::OneShot));
    let selections = asked(&server, "select");
    assert_eq!(selections.iter().map(Asked::level).collect::<Vec<_>>(), [1, 2, 3]);
    let entry = &selections[0].schema["properties"]["categories"]["items"];
    assert_eq!(entry["required"], json!(["category", "ranked_relevance"]));
    assert_eq!(entry["properties"]["category"]["enum"], json!(["A", "B", "C"]));
    assert_eq!(entry["additionalProperties"], json!(false));
    assert_eq!(paths(&result), ["AAA"]);
    assert_eq!(result.paths[0].category_path.len(), 3, "from the root to a leaf");
    assert_eq!(result.method, Method::Model);
}

#[test]
fn a8_r4_1_2_ranks_that_are_not_unique_and_descending_are_refused() {
    let server = model(|asked| {
        let is_repair = asked.user.is_empty();
        let wrong = || json!({"categories": [{"category": "A", "ranked_relevance": 2}, {"category": "B", "ranked_relevance": 2}]});
        (asked.task == "select" && !is_repair).then(wrong)
    });
    let (_database, memory) = memory_with(&server, &wide());
    let error = memory.query(&ada(), &QueryRequest::new("Where?")).unwrap_err();
    assert_eq!(error.code(), "model_reply_unfit", "{error}");
    assert!(error.to_string().contains("3 is missing"), "{error}");
}

#[test]
fn a9_r8_each_of_the_four_strategies_follows_its_number_of_categories() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, &wide());
    let count = |descent: DescentOptions| query(&memory, descent).paths.len();
    assert_eq!(count(strategy(TraversalStrategy::OneShot)), 1);
    assert_eq!(count(strategy(TraversalStrategy::WideBranch)), 27);
    let numbers =
        |strategy, n, n2| DescentOptions { strategy: Some(strategy), n: Some(n), n2, ..DescentOptions::default() };
    assert_eq!(count(numbers(TraversalStrategy::WideBranch, 2, None)), 8);
    assert_eq!(count(numbers(TraversalStrategy::ZoomIn, 3, Some(1))), 3 * 2);
    assert_eq!(count(numbers(TraversalStrategy::BranchOut, 1, Some(1))), 2 * 3);
    let capped = DescentOptions { max_per_level: Some(2), ..numbers(TraversalStrategy::BranchOut, 1, Some(1)) };
    assert_eq!(count(capped), 2 * 2);
    let ranks: Vec<u64> = asked(&server, "select").iter().map(crate::tree_model::most).collect();
    assert_eq!(&ranks[..3], [1, 1, 1]);
    let wrong = DescentOptions { n: Some(0), ..DescentOptions::default() };
    let error = memory.query(&ada(), &QueryRequest { descent: wrong, ..QueryRequest::new("x") }).unwrap_err();
    assert!(error.remedy().contains("1 to 128"));
}

#[test]
fn a9_paths_go_by_rank_from_the_root_and_those_beyond_the_most_are_dropped() {
    let server = model(|asked| {
        // The last name is the most relevant.
        let mut names = if asked.task == "select" { asked.options() } else { return None };
        names.reverse();
        Some(selected(&names, 3))
    });
    let (_database, memory) = memory_with(&server, &wide());
    let result = query(&memory, DescentOptions { max_paths: Some(4), ..DescentOptions::default() });
    assert_eq!(paths(&result), ["CCC", "CCB", "CCA", "CBC"]);
    assert_eq!(result.paths[3].ranks, [3, 2, 3]);
    assert_eq!(result.status, "partial");
    let dropped: Vec<String> = result.dropped_paths.iter().map(|path| path.category_path.join("")).collect();
    assert_eq!(dropped.len(), 5 + 8, "9 parents at the second level, 12 leaves at the third");
    assert!(result.dropped_paths.iter().all(|path| path.reason == "max_paths"));
    let stage = &result.trace.stages[0];
    assert_eq!(stage.decisions.iter().filter(|decision| decision.reason == "max_paths").count(), 13);
}

#[test]
fn a8_r4_2_2_r9_1_each_leaf_is_read_once() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, &lines(&[["A", "a", "x"], ["A", "a", "x"], ["B", "b", "y"]]));
    let result = query(&memory, DescentOptions::default());
    assert_eq!(paths(&result), ["Aax", "Bby"]);
    let mut ids: Vec<i64> = result.chunks.iter().map(|chunk| chunk.chunk_id).collect();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[test]
fn a8_r4_3_r4_3_1_r4_3_2_chunks_come_with_their_paths_by_time_and_id() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        put(&memory, "one", "a.txt", &lines(&[["A", "a", "x"], ["B", "b", "y"], ["A", "a", "x"]]));
        put(&memory, "two", "b.txt", &lines(&[["A", "a", "x"]]));
        let result = query(&memory, DescentOptions::default());
        let texts: Vec<&str> = result.chunks.iter().map(|chunk| &chunk.text_content[..6]).collect();
        assert_eq!(texts, ["Note 1", "Note 3", "Note 1", "Note 2"]);
        let times: Vec<_> = result.chunks[..3].iter().map(|chunk| (chunk.created_at, chunk.chunk_id)).collect();
        assert!(times.is_sorted());
        assert_eq!(result.chunks[2].document, "b.txt");
        assert_eq!(result.chunks[3].category_path, ["B", "b", "y"]);
    }
}

#[test]
fn a8_r4_3_3_pages_and_limits_keep_the_order() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        let mut places = vec![["A", "a", "x"]; 7];
        places.extend([["B", "b", "y"]; 4]);
        put(&memory, "one", "a.txt", &lines(&places));
        let all: Vec<i64> =
            query(&memory, DescentOptions::default()).chunks.iter().map(|chunk| chunk.chunk_id).collect();
        assert_eq!(all.len(), 11);
        let calls = server.received().len();
        for (limit_per_path, expected) in [(None, all.clone()), (Some(3), [&all[..3], &all[7..10]].concat())] {
            let descent = DescentOptions { limit_per_path, ..DescentOptions::default() };
            for size in [1, 2, 3, 4, 7, 11, 50] {
                let mut found = Vec::new();
                let mut request = QueryRequest { descent, limit: Some(size), ..QueryRequest::new("Where is it?") };
                loop {
                    let page = memory.query(&ada(), &request).unwrap();
                    assert!(page.chunks.len() <= size && !page.chunks.is_empty());
                    found.extend(page.chunks.iter().map(|chunk| chunk.chunk_id));
                    request.after = page.next;
                    if request.after.is_none() {
                        break;
                    }
                }
                assert_eq!(found, expected, "{limit_per_path:?} {size}");
            }
        }
        let descents = server.received().len() - calls;
        assert_eq!(descents, 14, "one selection for each query, none for its pages");
        for wrong in ["", "1~0", "1~0~0~0~0~99999.1.1.1", "x"] {
            let request = QueryRequest { after: Some(wrong.to_owned()), ..QueryRequest::new("x") };
            assert!(memory.query(&ada(), &request).unwrap_err().remedy().contains("previous page"), "{wrong}");
        }
    }
}

#[test]
fn a8_r4_3_4_r4_6_an_empty_leaf_is_an_error_of_its_path_and_when_all_are_empty_the_query_fails() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, &lines(&[["A", "a", "x"], ["A", "a", "x"], ["B", "b", "y"]]));
    let request = QueryRequest { limit: Some(1), ..QueryRequest::new("x") };
    let next = memory.query(&ada(), &request).unwrap().next;
    // A new version leaves the first leaf to what is retired. A page after that still begins there.
    put(&memory, "two", "a.txt", &lines(&[["B", "b", "y"]]));
    let after = QueryRequest { after: next, ..QueryRequest::new("x") };
    let page = memory.query(&ada(), &after).unwrap();
    assert_eq!((page.chunks.len(), page.paths.len(), page.paths[0].category_path.join("")), (1, 2, "Aax".to_owned()));
    let result = query(&memory, DescentOptions::default());
    assert_eq!((result.chunks.len(), result.errors.len(), result.status), (1, 0, "ok"), "it is not offered");
    memory.forget(&ada(), &ForgetRequest::Document("a.txt".to_owned()), false, &operation("gone")).unwrap();
    let error = memory.query(&ada(), &QueryRequest::new("x")).unwrap_err();
    assert_eq!(error.code(), "empty_paths");
    let Error::Paths(paths) = &error else { panic!("{error:?}") };
    assert!(!paths.dropped_paths.is_empty() && error.details().is_some());
}

#[test]
fn a8_r4_4_1_r4_4_2_r4_4_3_r4_5_1_r4_5_2_r4_5_3_r4_5_4_r4_7_the_result_says_everything() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, &wide());
    let result = query(&memory, DescentOptions { n: Some(2), max_paths: Some(3), ..DescentOptions::default() });
    assert_eq!(result.responses.len(), 1 + 2 + 3, "every call, in order");
    let levels: Vec<u32> = result.responses.iter().map(|response| response.level).collect();
    assert!(levels.is_sorted());
    for response in &result.responses {
        assert_eq!(response.llm_output.len(), 2);
        assert_eq!(response.llm_output[0].ranked_relevance, 2);
        assert!(response.latency_ms > 0.0 && response.timestamp.as_micros() > 0);
        assert_eq!((response.tokens_prompt, response.tokens_completion), (50, 20));
        assert_eq!(response.model.as_deref(), Some("compatible small"));
    }
    let chunk = serde_json::to_value(&result.chunks[0]).unwrap();
    for field in ["text_content", "category_path", "ranked_relevance", "created_at"] {
        assert!(!chunk[field].is_null(), "{field}");
    }
    assert!(!result.dropped_paths.is_empty());
    let sum: f64 = result.responses.iter().map(|response| response.latency_ms).sum();
    assert!(result.total_latency > sum, "the reading too");
}

#[test]
fn a8_without_a_model_the_names_that_are_nearest_are_followed() {
    let mut found = Vec::new();
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, crate::tree_model::SHORT_CHUNKS);
        let content = "The lamp burns colza oil, and the lamp is lit at dusk.\nBees are kept behind the tower, and the bees give honey.\n\
            The supply boat comes on Tuesday, and the boat brings letters.\n";
        put(&memory, "one", "light.md", content);
        let result = query_for(&memory, "Which bees give honey?");
        assert!(result.chunks[0].text_content.starts_with("Bees"), "{:?}", result.chunks);
        assert_eq!(result.method, Method::BuiltIn);
        assert!(result.responses.iter().all(|response| response.method == Method::BuiltIn && response.model.is_none()));
        found.push(paths(&result));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

fn query_for(memory: &Recordar, question: &str) -> QueryResult {
    let descent = strategy(TraversalStrategy::OneShot);
    memory.query(&ada(), &QueryRequest { descent, ..QueryRequest::new(question) }).unwrap()
}
