//! Receipts of answers by the tree: their prompt is put together again from chunks and helpers, on any database, and they are gone with
//! what they name.

use crate::classifying::put;
use crate::tree_model::{SHORT_CHUNKS, model, with_tree};
use crate::{ada, open_with, operation};
use recordar::Recordar;
use recordar::answer::{AskRequest, AskResult, LimitingOptions, PromptLimiting, Route};
use recordar::document::Digest;
use recordar::forget::ForgetRequest;
use recordar::helper::{HelperInput, HelperRequest};
use recordar::model::Method;
use recordar::receipt::ReceiptExport;
use recordar::transfer::{ExportScope, ImportRequest};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};

const RECEIPTS: &str = "[receipts]\nenabled = true\n";
const TOPICS: [&str; 4] = ["lamp", "boat", "bees", "storm"];

/// For the model of these tests, each line says where it belongs.
fn fill(memory: &Recordar, is_marked: bool) {
    for topic in TOPICS {
        let line = |day: u32| match is_marked {
            true => format!("L1:{topic} L2:Care L3:Day{} keeper{day}@mail.example has seen to the {topic}.\n", day % 3),
            false => {
                format!("On day {day} the {topic} was seen to by keeper{day}@mail.example. All about the {topic}.\n\n")
            }
        };
        put(memory, topic, &format!("{topic}.md"), &(1..9).map(line).collect::<String>());
    }
    let given = HelperRequest {
        document: "lamp.md".to_owned(),
        given: Some(HelperInput::Text("The log of the lamp, kept by ada@mail.example.".to_owned())),
        regenerate: false,
    };
    memory.helper(&ada(), &given, &operation("helper")).unwrap();
}

fn ask(memory: &Recordar, question: &str, limiting: LimitingOptions, redacts: bool) -> AskResult {
    let mut request = AskRequest { route: Some(Route::Tree), limiting, ..AskRequest::new(question) };
    request.recall.settings.enable_redaction = redacts.then_some(true);
    memory.ask(&[ada()], &request).unwrap()
}

/// Every way of keeping a prompt short, with and without redaction.
fn answers(memory: &Recordar) -> Vec<AskResult> {
    let budget = |tokens| LimitingOptions { max_token_budget: Some(tokens), ..LimitingOptions::default() };
    let summarize = LimitingOptions { prompt_limiting_strategy: Some(PromptLimiting::Summarize), ..budget(900) };
    let mut answers = Vec::new();
    for topic in TOPICS {
        for limiting in [LimitingOptions::default(), budget(600), summarize] {
            for redacts in [false, true] {
                answers.push(ask(memory, &format!("Who has seen to the {topic}?"), limiting, redacts));
            }
        }
    }
    answers
}

fn prove(memory: &Recordar, result: &AskResult) {
    let why = memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap();
    assert!(why.identical, "{:?}", why.differences);
    assert!(why.text.contains("\nPassage 1 (from ") && why.text.contains(&why.body.query), "{}", why.text);
    let answer = why.answer.unwrap();
    assert_eq!((answer.answer.as_str(), answer.method), (result.answer.as_str(), result.method));
    assert_eq!((why.body.format, &why.body.trace), (2, &result.trace));
    let tree = why.body.answer.unwrap().tree.unwrap();
    let ids: Vec<i64> = tree.chunks.iter().map(|chunk| chunk.item_id).collect();
    assert_eq!(ids, result.used_chunks.iter().map(|used| used.chunk_id).collect::<Vec<_>>());
}

fn import_request() -> ImportRequest {
    ImportRequest {
        format: None,
        each_user: false,
        thread: None,
        date: None,
        names_space: false,
        operation: operation("space"),
    }
}

fn check_everywhere(memory: &Recordar, answers: &[AskResult]) {
    answers.iter().for_each(|answer| prove(memory, answer));
    let mut ids: Vec<&str> = answers.iter().filter_map(|answer| answer.receipt.as_deref()).collect();
    ids.sort_unstable();
    ids.dedup();
    let export = |id: &&str| serde_json::to_string(&memory.export_receipt(&ada(), id).unwrap()).unwrap();
    let exports: Vec<String> = ids.iter().map(export).collect();
    let exports: Vec<ReceiptExport> = exports.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for engine in Engine::SERVERS {
        // Without a model, and with nothing of what the receipts name.
        let database = TestDatabase::new(engine);
        let other = open_with(&database, RECEIPTS);
        assert_eq!(other.import_receipts(&exports, &operation("import")).unwrap().imported, ids.len(), "{engine:?}");
        answers.iter().for_each(|answer| prove(&other, answer));
        // From there on, with the copies that the receipts hold; and with the whole space.
        for memory in [&other, memory] {
            let mut copy = Vec::new();
            memory.export(&ExportScope::Spaces(vec![ada()]), &mut copy).unwrap();
            let database = TestDatabase::new(engine);
            let next = open_with(&database, RECEIPTS);
            next.import(&ada(), &mut copy.as_slice(), "space.jsonl", &import_request()).unwrap();
            answers.iter().for_each(|answer| prove(&next, answer));
        }
    }
    // Whatever is changed in a file is noticed.
    let forge = |change: &dyn Fn(&mut ReceiptExport)| {
        let mut export = exports[0].clone();
        change(&mut export);
        memory.import_receipts(&[export], &operation("forged")).unwrap_err()
    };
    let error = forge(&|export| export.items[0].text.push('!'));
    assert!(error.to_string().contains("was modified"), "{error}");
    let error = forge(&|export| export.helpers.iter_mut().for_each(|helper| helper.push('!')));
    assert!(exports[0].helpers.is_empty() || error.to_string().contains("helper"), "{error}");
    let error = forge(&|export| drop(export.items.pop()));
    assert!(error.to_string().contains("are available"), "{error}");
    let error = forge(&|export| export.items[0].space = "user:zzz".to_owned());
    assert!(error.to_string().contains("was replaced by"), "{error}");
    // A receipt that no answer can have had is refused, whatever its digest.
    let forge_body = |change: &dyn Fn(&mut Value)| {
        forge(&|export| {
            let mut body: Value = serde_json::from_str(&export.body).unwrap();
            change(&mut body);
            export.body = body.to_string();
            export.receipt = Digest::of(&export.body).to_string();
        })
    };
    let tree = "/answer/tree";
    type Change<'a> = &'a dyn Fn(&mut Value);
    let changes: [(&str, Change<'_>); 5] = [
        ("one space", &|body| body["spaces"] = json!(["user:bob", "user:ada"])),
        ("format", &|body| body["format"] = json!(1)),
        ("twice", &|body| {
            let first = body.pointer(&format!("{tree}/chunks/0")).unwrap().clone();
            body.pointer_mut(&format!("{tree}/chunks")).unwrap().as_array_mut().unwrap().push(first);
        }),
        ("not among its candidates", &|body| body["found"] = json!([])),
        ("differs", &|body| *body.pointer_mut(&format!("{tree}/prompt_sha256")).unwrap() = json!("0".repeat(64))),
    ];
    for (expected, change) in changes {
        let error = forge_body(change);
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    }
}

#[test]
fn a11_answers_by_the_tree_have_receipts_that_verify_on_the_two_other_databases() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &format!("{RECEIPTS}{SHORT_CHUNKS}"));
    fill(&memory, false);
    let answers = answers(&memory);
    assert!(answers.iter().all(|answer| answer.method == Method::BuiltIn));
    assert!(answers.iter().any(|answer| answer.used_chunks.iter().any(|used| used.summarized)));
    assert!(answers.iter().any(|answer| !answer.dropped_paths.is_empty()));
    check_everywhere(&memory, &answers);
}

#[test]
fn a11_so_have_answers_and_summaries_by_a_model() {
    let server = model(|asked| match asked.task.as_str() {
        "answer" => Some(json!({"answer": "The keeper has."})),
        "summarise" => {
            let summary = |(id, _): (i64, String)| json!({"chunk_id": id, "summary": format!("Seen to, says {id}.")});
            Some(json!({"summaries": asked.chunks().into_iter().map(summary).collect::<Vec<_>>()}))
        }
        _ => None,
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, RECEIPTS));
    fill(&memory, true);
    let answers = answers(&memory);
    assert!(answers.iter().all(|answer| answer.method == Method::Model));
    assert!(answers.iter().any(|answer| answer.used_chunks.iter().any(|used| used.summarized)));
    check_everywhere(&memory, &answers);
}

#[test]
fn a11_a_receipt_goes_with_a_chunk_it_found_and_tells_when_its_helper_has_changed() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &format!("{RECEIPTS}{SHORT_CHUNKS}"));
    fill(&memory, false);
    let kept = ask(&memory, "Who has seen to the lamp?", LimitingOptions::default(), false);
    let id = kept.receipt.as_deref().unwrap();
    // A newer helper does not change what was answered then.
    let other = HelperRequest {
        document: "lamp.md".to_owned(),
        given: Some(HelperInput::Text("Another log.".to_owned())),
        regenerate: false,
    };
    memory.helper(&ada(), &other, &operation("helper-2")).unwrap();
    prove(&memory, &kept);
    let chunk = kept.used_chunks[0].chunk_id;
    memory.forget(&ada(), &ForgetRequest::Items(vec![chunk]), false, &operation("forget")).unwrap();
    assert_eq!(memory.why(&ada(), id).unwrap_err().code(), "not_found");
}

#[test]
fn a11_a_receipt_goes_with_the_categories_that_its_trace_names() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, RECEIPTS));
    fill(&memory, true);
    // One path is followed; the others are dropped, and named in the trace.
    let mut request = AskRequest { route: Some(Route::Tree), ..AskRequest::new("Who has seen to the lamp?") };
    request.descent.max_paths = Some(1);
    let kept = memory.ask(&[ada()], &request).unwrap();
    prove(&memory, &kept);
    let dropped = kept.dropped_paths.iter().find(|path| path.category_path[0] == "boat").unwrap();
    assert!(kept.used_chunks.iter().all(|used| used.category_path[0] != "boat"), "{dropped:?}");
    memory.forget(&ada(), &ForgetRequest::Document("boat.md".to_owned()), false, &operation("forget")).unwrap();
    assert_eq!(memory.why(&ada(), kept.receipt.as_deref().unwrap()).unwrap_err().code(), "not_found");
}
