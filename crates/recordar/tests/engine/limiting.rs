//! The final prompt within its budget: by pruning or by summarising, never both; and the answer (R9).

use crate::classifying::put;
use crate::tree_model::{Asked, asked, lines, model, with_tree};
use crate::{ada, open_with};
use recordar::answer::{AskRequest, AskResult, LimitingOptions, PromptLimiting, Route};
use recordar::model::Method;
use recordar::query::DescentOptions;
use recordar::text::TokenCounter;
use recordar::{Error, Recordar};
use recordar_testkit::{Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};

fn memory_with(server: &ModelServer, more: &str, content: &str) -> (TestDatabase, Recordar) {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(server, more));
    put(&memory, "one", "a.txt", content);
    (database, memory)
}

/// Nine leaves, of one chunk each.
fn nine() -> String {
    let names = ["A", "B", "C"];
    let places: Vec<[&str; 3]> =
        names.iter().flat_map(|one| names.iter().map(move |two| [*one, *two, "leaf"])).collect();
    lines(&places)
}

/// All of the budget for the texts, so that few parts are enough.
const NO_HEADROOM: &str = "[answer]\nsummarization_instruction_headroom_tokens = 0\n";

fn ask(memory: &Recordar, limiting: LimitingOptions) -> Result<AskResult, Error> {
    memory.ask(&[ada()], &AskRequest { route: Some(Route::Tree), limiting, ..AskRequest::new("Where is it?") })
}

fn budget(tokens: u32) -> LimitingOptions {
    LimitingOptions { max_token_budget: Some(tokens), ..LimitingOptions::default() }
}

fn summarizing(tokens: u32) -> LimitingOptions {
    LimitingOptions { prompt_limiting_strategy: Some(PromptLimiting::Summarize), ..budget(tokens) }
}

/// The tokens of what the model was asked last for an answer.
fn final_tokens(server: &ModelServer) -> usize {
    let counter = TokenCounter::for_model("gpt-4o-mini");
    let Asked { system, user, .. } = asked(server, "answer").pop().unwrap();
    counter.count(&system) + counter.count(&user)
}

fn used(result: &AskResult) -> Vec<String> {
    result.used_chunks.iter().map(|used| used.category_path[..2].concat()).collect()
}

#[test]
fn a10_r9_2_r9_3_r9_7_what_fits_goes_in_as_it_is() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, "", &nine());
    for limiting in [LimitingOptions::default(), summarizing(8192)] {
        let result = ask(&memory, limiting).unwrap();
        assert_eq!((result.used_chunks.len(), result.dropped_paths.len()), (9, 0));
        assert!(asked(&server, "summarise").is_empty());
        let taken = final_tokens(&server);
        let stage = result.trace.stages.iter().find(|stage| stage.name == "prune");
        let told = stage.map(|stage| stage.decisions[0].detail.split(' ').next().unwrap().parse::<usize>().unwrap());
        assert!(told.is_none_or(|told| told >= taken && told < taken + 40), "{told:?} {taken}");
    }
}

#[test]
fn a10_r9_4_r9_5_paths_are_dropped_by_rank_or_by_order_and_recorded() {
    let server = model(|asked| {
        // The last name is the most relevant.
        let mut names = if asked.task == "select" { asked.options() } else { return None };
        names.reverse();
        Some(crate::tree_model::selected(&names, 3))
    });
    let (_database, memory) = memory_with(&server, "", &nine());
    let whole = {
        ask(&memory, LimitingOptions::default()).unwrap();
        final_tokens(&server) as u32
    };
    let result = ask(&memory, budget(whole - 20)).unwrap();
    assert_eq!(used(&result), ["CC", "CB", "CA", "BC", "BB", "BA", "AC", "AB"]);
    assert_eq!(result.dropped_paths.len(), 1);
    assert_eq!(result.dropped_paths[0].category_path, ["A", "A", "leaf"]);
    assert_eq!(result.dropped_paths[0].reason, "max_token_budget");
    let by_order = LimitingOptions { use_rankings: Some(false), ..budget(whole - 20) };
    let result = ask(&memory, by_order).unwrap();
    assert_eq!(result.dropped_paths[0].category_path, ["C", "C", "leaf"], "the newest category");
    assert_eq!(used(&result)[0], "CB");
    for tokens in (whole / 2..whole).step_by(37) {
        let result = ask(&memory, budget(tokens)).unwrap();
        assert!(final_tokens(&server) <= tokens as usize);
        assert_eq!(result.used_chunks.len() + result.dropped_paths.len(), 9);
    }
}

#[test]
fn a10_r9_6_when_nothing_fits_the_error_names_the_paths() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, "", &nine());
    // Enough for the question and the instructions, and for no path beside them.
    let fixed = ask(&memory, budget(1)).unwrap_err().to_string();
    let fixed: u32 = fixed.split("has ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap();
    let error = ask(&memory, budget(fixed + 5)).unwrap_err();
    assert_eq!(error.code(), "budget_exceeded");
    let details = error.details().unwrap().1;
    assert_eq!(details["considered"].as_array().unwrap().len(), 9);
    assert_eq!(details["dropped_paths"].as_array().unwrap().len(), 9);
    assert!(error.remedy().contains("summarize"));
    assert!(asked(&server, "answer").is_empty());
}

#[test]
fn a10_r9_8_r9_8_1_r9_8_2_r9_8_4_every_chunk_is_summarised_to_its_length_and_none_is_dropped() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, NO_HEADROOM, &nine());
    ask(&memory, LimitingOptions::default()).unwrap();
    let whole = final_tokens(&server) as u32;
    let result = ask(&memory, summarizing(whole - 60)).unwrap();
    assert_eq!((result.used_chunks.len(), result.dropped_paths.len()), (9, 0));
    assert!(result.used_chunks.iter().all(|used| used.summarized));
    let first = result.used_chunks[0].chunk_id;
    let is_first = |asked: &Asked| asked.chunks()[0].0 == first;
    let part = asked(&server, "summarise").into_iter().find(is_first).unwrap();
    let chars = 56;
    let (_, rest) = part.user.split_once(&format!("Chunk {first} (original_chars={chars}, target_chars=")).unwrap();
    let target: usize = rest.split(')').next().unwrap().parse().unwrap();
    assert!(target < chars && target > chars / 2, "{target}");
    assert!(part.user.contains("For each chunk above, produce a summary of at most its `target_chars` characters."));
    assert!(final_tokens(&server) <= (whole - 60) as usize);
    assert!(result.trace.stages.iter().any(|stage| stage.name == "summarize"));
    assert!(result.trace.stages.iter().all(|stage| stage.name != "prune"), "never both");
}

#[test]
fn a10_r9_8_3_parts_keep_to_the_budget_less_the_headroom() {
    let server = model(|_| None);
    let more = "[answer]\nmax_token_budget = 700\nsummarization_instruction_headroom_tokens = 350\nprompt_limiting_strategy = \"summarize\"\n";
    let places: Vec<[&str; 3]> = vec![["A", "a", "x"]; 30];
    let (_database, memory) = memory_with(&server, more, &lines(&places));
    let outcome = ask(&memory, LimitingOptions::default());
    let parts = asked(&server, "summarise");
    assert!(parts.len() > 2, "{}", parts.len());
    let counter = TokenCounter::for_model("gpt-4o-mini");
    let mut ids = Vec::new();
    for part in &parts {
        assert!(counter.count(&part.system) + counter.count(&part.user) <= 350);
        ids.push(part.chunks().into_iter().map(|(id, _)| id).collect::<Vec<i64>>());
    }
    // They are sent side by side, in any order; each holds what follows the one before.
    ids.sort();
    assert!(ids.concat().is_sorted(), "order across and within parts: {ids:?}");
    assert_eq!(ids.concat().len(), 30);
    if outcome.is_ok() {
        assert!(final_tokens(&server) <= 700);
    }
}

#[test]
fn a10_r9_8_5_only_summaries_that_are_too_long_are_asked_for_again_and_the_tolerance_holds() {
    let summaries = |asked: &Asked, chars: usize| -> Value {
        let summary = |(id, text): (i64, String)| json!({"chunk_id": id, "summary": text.chars().take(chars).collect::<String>()});
        json!({"summaries": asked.chunks().into_iter().map(summary).collect::<Vec<_>>()})
    };
    // The first chunk stays too long until it is asked for strictly.
    let server = model(move |asked| {
        let is_strict = asked.user.contains("too long");
        (asked.task == "summarise").then(|| {
            let mut value = summaries(asked, 20);
            if !is_strict {
                value["summaries"][0]["summary"] = json!("x".repeat(200));
            }
            value
        })
    });
    let (_database, memory) = memory_with(&server, NO_HEADROOM, &nine());
    ask(&memory, LimitingOptions::default()).unwrap();
    let whole = final_tokens(&server) as u32;
    ask(&memory, summarizing(whole - 60)).unwrap();
    let sizes: Vec<usize> = asked(&server, "summarise").iter().map(|asked| asked.chunks().len()).collect();
    let parts = sizes.iter().filter(|size| **size > 0).count();
    let again = sizes.iter().sum::<usize>() - 9;
    assert!((1..9).contains(&again) && parts > again, "only the first of each part: {sizes:?}");
    // One that never becomes short enough is an error, once it is more than the tolerance.
    let server = model(|asked| {
        let summary = |(id, _): (i64, String)| json!({"chunk_id": id, "summary": "x ".repeat(100)});
        (asked.task == "summarise")
            .then(|| json!({"summaries": asked.chunks().into_iter().map(summary).collect::<Vec<_>>()}))
    });
    let (_database, memory) = memory_with(&server, &format!("{NO_HEADROOM}summary_max_retries = 2\n"), &nine());
    let error = ask(&memory, summarizing(whole - 60)).unwrap_err();
    assert_eq!(error.code(), "budget_exceeded");
    assert!(error.to_string().contains("5 % over"), "{error}");
    let chunks: usize = asked(&server, "summarise").iter().map(|asked| asked.chunks().len()).sum();
    assert_eq!(chunks, 9 * 3);
}

#[test]
fn a10_r9_8_a_budget_below_the_fixed_part_is_an_error() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, "", &nine());
    let error = ask(&memory, summarizing(50)).unwrap_err();
    assert!(error.to_string().contains("before any chunk"), "{error}");
}

#[test]
fn a11_r9_9_r9_10_the_result_has_the_answer_and_what_it_was_made_of() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        put(&memory, "one", "a.txt", &nine());
        let result = ask(&memory, LimitingOptions::default()).unwrap();
        assert_eq!((result.answer.as_str(), result.method, result.route), ("It is so.", Method::Model, Route::Tree));
        assert_eq!(asked(&server, "answer")[0].schema["required"], json!(["answer"]), "the answer alone");
        let value = serde_json::to_value(&result).unwrap();
        for field in ["answer", "used_chunks", "dropped_paths", "total_latency", "responses"] {
            assert!(!value[field].is_null(), "{field}");
        }
        assert!(value["used_chunks"][0]["chunk_id"].is_i64() && value["used_chunks"][0]["category_path"].is_array());
        for response in value["responses"].as_array().unwrap() {
            for field in ["timestamp", "latency_ms", "model", "tokens_prompt", "tokens_completion"] {
                assert!(!response[field].is_null(), "{field}");
            }
        }
        assert_eq!(result.responses.len(), 1 + 3 + 1, "the only leaf of each parent needs no call");
    }
}

#[test]
fn a11_r9_11_r9_12_temperature_zero_and_the_providers_parameters_are_recorded() {
    let server = model(|_| None);
    let (_database, memory) = memory_with(&server, "", &nine());
    for strategy in recordar::category::TraversalStrategy::ALL {
        let descent = DescentOptions { strategy: Some(strategy), ..DescentOptions::default() };
        let result = memory.ask(&[ada()], &AskRequest { descent, ..AskRequest::new("Where?") }).unwrap();
        assert_eq!(result.route, Route::Tree, "a strategy asks for the tree");
        assert!(result.responses.iter().all(|call| call.settings.parameters.temperature == Some(0.0)));
        assert!(result.responses.iter().all(|call| call.outcome == "ok"));
    }
    for received in server.received() {
        let body: Value = serde_json::from_str(&received.body).unwrap();
        assert_eq!(body["temperature"].as_f64(), Some(0.0));
    }
}

#[test]
fn a11_without_a_model_the_answer_by_the_tree_is_stored_words() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, crate::tree_model::SHORT_CHUNKS);
    put(
        &memory,
        "one",
        "light.md",
        "The lamp burns colza oil, and it is lit at dusk.\nBees are kept behind the tower and give honey.\n",
    );
    let request = AskRequest { route: Some(Route::Tree), ..AskRequest::new("Where are bees kept?") };
    let result = memory.ask(&[ada()], &request).unwrap();
    assert!(result.answer.starts_with("Bees are kept behind the tower"), "{}", result.answer);
    assert_eq!((result.method, result.responses.len()), (Method::BuiltIn, 0));
    assert_eq!(result.citations[0].document.as_deref(), Some("light.md"));
    let several = memory.ask(&[ada(), recordar::SpaceName::user("bob").unwrap()], &request).unwrap_err();
    assert!(several.to_string().contains("searches one space"), "{several}");
}

#[test]
fn a11_what_is_said_of_a_recall_holds_for_the_tree_or_is_refused() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, crate::tree_model::SHORT_CHUNKS);
    put(&memory, "one", "mail.md", "Write to ada@example.com about the lamp, when it is dark again.\n");
    let mut request = AskRequest { route: Some(Route::Tree), ..AskRequest::new("Whom to write to about the lamp?") };
    assert!(memory.ask(&[ada()], &request).unwrap().answer.contains("ada@example.com"));
    request.recall.settings.enable_redaction = Some(true);
    let result = memory.ask(&[ada()], &request).unwrap();
    assert!(result.answer.contains("[REDACTED]") && !result.answer.contains("ada@"), "{}", result.answer);
    let refused = |change: &dyn Fn(&mut AskRequest), name: &str| {
        let mut request = request.clone();
        change(&mut request);
        let error = memory.ask(&[ada()], &request).unwrap_err();
        assert!(error.to_string().contains(name), "{name}: {error}");
    };
    refused(&|request| request.recall.as_of = Some(recordar::Timestamp::from_micros(0)), "as_of");
    refused(&|request| request.recall.settings.top_k = Some(8), "top_k");
    refused(&|request| request.dry_run = true, "dry_run");
    refused(&|request| request.recall.session_id = Some(String::new()), "nothing was searched");
    let by_recall = |request: &mut AskRequest| {
        request.route = Some(Route::Recall);
        request.descent.n = Some(2);
    };
    refused(&by_recall, "route \"tree\"");
}
