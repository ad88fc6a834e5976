//! A real language model, small enough for one thread: every task, every reply valid. `make test-llm` runs these beside its server.

use crate::tree_model::SHORT_CHUNKS;
use crate::{ada, open_with, operation, text};
use recordar::answer::{AskRequest, Route};
use recordar::category::TraversalStrategy;
use recordar::model::{Method, TextToSummarise};
use recordar::query::DescentOptions;
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase};

/// What is asked of the model here has a place in a minute. No reply is mended: each has to fit as it comes.
fn config(more: &str) -> String {
    let at = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: use `make test-llm`"));
    format!(
        "[receipts]\nenabled = true\n[recall]\ntop_k = 3\n[llm]\nprovider = \"llamacpp\"\nmodel = {:?}\nbase_url = {:?}\n\
         max_output_tokens = 160\nrepairs = 0\nretries = 0\n{more}",
        at("RECORDAR_TEST_LLM_MODEL"),
        at("RECORDAR_TEST_LLM_URL"),
    )
}

fn filled(database: &TestDatabase, more: &str) -> Recordar {
    let memory = open_with(database, &config(more));
    let said = [
        "The boat brings oil on Tuesday.",
        "The lamp is cleaned every morning.",
        "Ada keeps bees behind the tower.",
        "The bell rings in fog, twice a minute.",
    ];
    memory.remember(&ada(), &said.map(Message::new), &operation("said")).unwrap();
    memory
}

#[test]
fn a2_a_real_model_answers_and_every_reply_fits() {
    for structured in ["native", "tool"] {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = filled(&database, &format!("structured = {structured:?}"));
        for question in ["When does the boat bring oil?", "How often is the lamp cleaned?", "Who keeps bees?"] {
            let result = memory.ask(&[ada()], &AskRequest::new(question)).unwrap();
            assert_eq!((result.method, result.responses.len()), (Method::Model, 1), "{structured}: {question}");
            assert!(!result.answer.is_empty() && result.citations.len() <= result.memories.len());
            let call = &result.responses[0];
            assert!(call.is_counted && call.tokens_prompt > 0 && call.tokens_completion > 0, "{call:?}");
            let why = memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap();
            assert!(why.identical && why.answer.is_some_and(|again| again.answer == result.answer));
        }
    }
}

#[test]
fn a11_a_real_model_summarises_to_a_length() {
    let text = "The keeper climbs the tower at dusk, lights the lamp and winds the clock. At midnight the log is written, \
                with wind, weather and passing ships. At dawn the lamp is put out and the lens is covered.";
    for structured in ["native", "tool"] {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = filled(&database, &format!("structured = {structured:?}"));
        for target_chars in [60, 120] {
            let texts = [TextToSummarise { id: 41, text: text.to_owned(), target_chars }];
            let result = memory.summarise(&texts).unwrap();
            assert_eq!((result.method, result.responses.len()), (Method::Model, 1));
            assert!((1..=target_chars).contains(&result.summaries[0].text.chars().count()), "{:?}", result.summaries);
        }
    }
}

#[test]
fn r9_11_a_real_model_says_the_same_twice_and_is_replayed_from_its_recording() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one.jsonl"), folder.path().join("other.jsonl"));
    for path in [&one, &other] {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = filled(&database, &format!("cassette = {:?}", format!("record:{}", path.display())));
        memory.ask(&[ada()], &AskRequest::new("Who keeps bees?")).unwrap();
    }
    let recorded = std::fs::read_to_string(&one).unwrap();
    assert_eq!(recorded, std::fs::read_to_string(&other).unwrap());
    assert_eq!(recorded.lines().count(), 1);
}

#[test]
fn a2_models_test_tries_every_task_with_a_real_model() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &config(""));
    let test = memory.test_models(false).unwrap();
    assert!(test.passed, "{test:?}");
    assert_eq!(
        test.tasks.iter().map(|task| task.task).collect::<Vec<_>>(),
        ["helper", "classify", "select", "summarise", "answer"]
    );
    for task in &test.tasks {
        let call = &task.responses[0];
        assert!(call.tokens_prompt <= task.estimate.tokens_prompt_at_most, "{task:?}");
        assert!(call.tokens_completion <= task.estimate.tokens_completion_at_most, "{task:?}");
    }
    let spent: u64 =
        test.tasks.iter().flat_map(|task| &task.responses).map(|c| c.tokens_prompt + c.tokens_completion).sum();
    assert_eq!(memory.models().unwrap().llm.unwrap().spent_today.tokens, spent);
}

#[test]
fn a4_a11_a_real_model_classifies_what_is_ingested_and_answers_by_the_tree() {
    for structured in ["native", "tool"] {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory =
            open_with(&database, &format!("{SHORT_CHUNKS}{}", config(&format!("structured = {structured:?}"))));
        let content = "The lamp burns colza oil, and the lamp is lit at dusk by the keeper.\n\
            Bees are kept behind the tower in four hives, and the bees give honey in July.\n\
            The supply boat comes on Tuesday with oil, flour and letters for the keeper.\n";
        let report = memory.ingest_text(&ada(), text("one", "light.txt", content)).unwrap();
        let file = &report.files[0];
        assert_eq!((file.chunks, file.classified, file.unclassified), (3, 3, 0), "{structured}: {report:?}");
        assert_eq!(file.helper.as_ref().unwrap().method, Some(Method::Model));
        assert!(report.batches.iter().all(|batch| batch.retried == 0 && batch.method == Method::Model));
        assert!(report.responses.iter().all(|call| call.outcome == "ok"), "every reply is valid");
        let tree = memory.tree(&ada()).unwrap();
        assert_eq!((tree.depth, tree.chunks), (Some(3), 3));
        let descent = DescentOptions { strategy: Some(TraversalStrategy::OneShot), ..DescentOptions::default() };
        let result = memory.ask(&[ada()], &AskRequest { descent, ..AskRequest::new("Who keeps bees?") }).unwrap();
        assert_eq!((result.route, result.method), (Route::Tree, Method::Model));
        assert!(!result.answer.is_empty() && !result.used_chunks.is_empty());
        assert!(result.responses.iter().all(|call| call.outcome == "ok" && call.is_counted));
    }
}
