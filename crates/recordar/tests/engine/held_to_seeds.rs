//! What a second reading of the seeds found (issue 19, "Held against the seeds once more").

use crate::calling::call;
use crate::classifying::put;
use crate::tree_model::{Asked, KEY, SHORT_CHUNKS, completion, lines, plain, with_tree};
use crate::{ada, open_with, operation, text};
use recordar::answer::{AskRequest, AskResult, LimitingOptions, PromptLimiting, Route};
use recordar::config::{Overrides, Surroundings, User};
use recordar::document::{PlacingRequest, TextRequest};
use recordar::helper::{HelperInput, HelperRequest, HelperView};
use recordar::text::TokenCounter;
use recordar::{Config, Error, Recordar};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a model was asked with the schema in the prompt.
fn prompted(body: &str) -> Asked {
    let body: Value = serde_json::from_str(body).unwrap();
    assert!(body["response_format"].is_null() && body["tools"].is_null());
    let message = |role: &str| {
        let all = body["messages"].as_array().unwrap();
        all.iter().find(|message| message["role"] == role).unwrap()["content"].as_str().unwrap().to_owned()
    };
    let (system, user) = (message("system"), message("user"));
    let (_, schema) = system.split_once("and with nothing else:\n").expect("the schema is in the prompt");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let tasks = [("answer", "answer"), ("summaries", "summarise"), ("chunks", "classify"), ("categories", "select")];
    let task =
        tasks.iter().find(|(field, _)| schema["properties"].get(field).is_some()).map_or("helper", |task| task.1);
    Asked { task: task.to_owned(), system, user, schema }
}

fn prompted_model() -> ModelServer {
    ModelServer::start(|received| {
        let asked = prompted(&received.body);
        let reply = match asked.schema["properties"].get("citations") {
            Some(_) => json!({"answer": "It is so.", "citations": []}),
            None => plain(&asked),
        };
        completion(&reply.to_string())
    })
}

fn with_prompted(server: &ModelServer, more: &str) -> String {
    with_tree(server, more).replace("structured = \"native\"\n", "")
}

/// The tokens of every prompt of a task, as it was sent.
fn sent(server: &ModelServer, task: &str) -> Vec<usize> {
    let counter = TokenCounter::for_model("gpt-4o-mini");
    let all = server.received().into_iter().map(|received| prompted(&received.body));
    all.filter(|asked| asked.task == task)
        .map(|asked| counter.count(&asked.system) + counter.count(&asked.user))
        .collect()
}

fn ask(memory: &Recordar, route: Route, limiting: LimitingOptions) -> Result<AskResult, Error> {
    memory.ask(&[ada()], &AskRequest { route: Some(route), limiting, ..AskRequest::new("Where does note 3 belong?") })
}

fn limited(tokens: u32, strategy: PromptLimiting) -> LimitingOptions {
    LimitingOptions {
        max_token_budget: Some(tokens),
        prompt_limiting_strategy: Some(strategy),
        ..LimitingOptions::default()
    }
}

fn places() -> String {
    let names = ["A", "B", "C"];
    let places: Vec<[&str; 3]> =
        names.iter().flat_map(|one| names.iter().map(move |two| [*one, *two, "leaf"])).collect();
    lines(&places)
}

#[test]
fn i19_1_r9_9_the_schema_of_a_prompted_mode_counts_in_the_final_prompt() {
    let server = prompted_model();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_prompted(&server, ""));
    put(&memory, "one", "a.txt", &places());
    ask(&memory, Route::Tree, LimitingOptions::default()).unwrap();
    let whole = sent(&server, "answer").pop().unwrap() as u32;
    for tokens in (whole - 200..=whole).step_by(23) {
        let result = ask(&memory, Route::Tree, limited(tokens, PromptLimiting::Prune)).unwrap();
        let taken = sent(&server, "answer").pop().unwrap() as u32;
        assert!(taken <= tokens, "{taken} of {tokens}");
        assert_eq!(result.used_chunks.len() + result.dropped_paths.len(), 9);
    }
    // The same where memories are recalled.
    let memory =
        open_with(&database, &with_prompted(&server, "[answer]\nmax_token_budget = 420\n[recall]\ntop_k = 20\n"));
    let result = ask(&memory, Route::Recall, LimitingOptions::default()).unwrap();
    let taken = sent(&server, "answer").pop().unwrap();
    assert!((300..=420).contains(&taken) && !result.memories.is_empty(), "{taken}");
}

#[test]
fn i19_1_r9_8_the_schema_counts_in_the_prompts_that_summarise() {
    let server = prompted_model();
    let database = TestDatabase::new(Engine::Sqlite);
    let toml = with_prompted(&server, "[answer]\nsummarization_instruction_headroom_tokens = 0\n");
    let memory = open_with(&database, &toml);
    put(&memory, "one", "a.txt", &places());
    ask(&memory, Route::Tree, LimitingOptions::default()).unwrap();
    let whole = sent(&server, "answer").pop().unwrap() as u32;
    let budget = whole - 60;
    let result = ask(&memory, Route::Tree, limited(budget, PromptLimiting::Summarize)).unwrap();
    assert!(result.used_chunks.len() == 9 && result.used_chunks.iter().all(|used| used.summarized));
    let parts = sent(&server, "summarise");
    assert!(parts.len() > 1 && parts.iter().all(|taken| *taken <= budget as usize), "{parts:?} of {budget}");
    assert!(*sent(&server, "answer").last().unwrap() <= budget as usize);
}

#[test]
fn i19_1_r9_8_a_chunk_that_cannot_be_summarised_within_the_budget_is_told_before_anything_is_paid() {
    let server = prompted_model();
    let database = TestDatabase::new(Engine::Sqlite);
    let long = "[chunking]\nchunk_min_tokens = 300\nchunk_max_tokens = 500\n";
    let memory = open_with(&database, &with_prompted(&server, "").replace(SHORT_CHUNKS, long));
    let content = "The lamp of the lighthouse burns colza oil and is lit at dusk. ".repeat(60);
    put(&memory, "one", "a.txt", &content);
    let error = ask(&memory, Route::Tree, limited(420, PromptLimiting::Summarize)).unwrap_err();
    assert_eq!(error.code(), "budget_exceeded");
    assert!(error.to_string().contains("the prompt that summarises chunk"), "{error}");
    assert!(error.to_string().contains("max_token_budget is 420"), "{error}");
    assert!(sent(&server, "summarise").is_empty() && sent(&server, "answer").is_empty());
}

fn config(toml: &str) -> Config {
    Config::from_toml(toml, Path::new("/")).unwrap()
}

#[test]
fn i19_3_r2_3_tokens_are_counted_for_the_configured_model() {
    let model = |name: &str, more: &str| {
        let toml =
            format!("[llm]\nprovider = \"compatible\"\nmodel = {name:?}\nbase_url = \"http://127.0.0.1:1/v1\"\n{more}");
        config(&toml)
    };
    let check = |config: Config, counted: &str, is_given: bool| {
        assert_eq!((config.model.as_str(), config.is_model_given), (counted, is_given));
    };
    check(config(""), "gpt-4o-mini", false);
    check(config("tokens.model = \"gpt-4\""), "gpt-4", true);
    check(model("gpt-4", ""), "gpt-4", false);
    check(model("meta/llama-3.1-8b", ""), "meta/llama-3.1-8b", false);
    check(model("llama-3.1-8b", "[tokens]\nmodel = \"gpt-4o-mini\""), "gpt-4o-mini", true);
    check(config("[llm]\nprovider = \"none\"\n"), "gpt-4o-mini", false);
    // What is stored was counted so, and says so.
    let server = ModelServer::start(|_| Answer::status(500, "{}"));
    let database = TestDatabase::new(Engine::Sqlite);
    let toml = format!(
        "receipts.enabled = true\n[llm]\nprovider = \"compatible\"\nmodel = \"gpt-4\"\nbase_url = {:?}\napi_key = {KEY:?}\n[tree]\nclassify = false\n",
        server.url()
    );
    let word = "naïveté große Straße übermäßig ";
    let memory = open_with(&database, &toml);
    put(&memory, "one", "a.txt", word);
    let tokens = memory.document_text(&ada(), "a.txt", None).unwrap().chunks[0].tokens;
    let [gpt_4, gpt_4o] = ["gpt-4", "gpt-4o"].map(|model| TokenCounter::for_model(model).count(word));
    assert!(gpt_4 != gpt_4o && tokens == gpt_4 as i64, "{tokens} {gpt_4} {gpt_4o}");
    assert_eq!(memory.models().unwrap().tokenizer, "cl100k_base");
}

#[test]
fn i19_3_a_receipt_stays_right_when_another_model_is_configured() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "receipts.enabled = true");
    put(&memory, "one", "a.txt", "The boat comes on Tuesday and brings oil for the lamp.");
    let recalled = memory.recall(&[ada()], &recordar::recall::RecallRequest::new("When does the boat come?")).unwrap();
    let receipt = recalled.receipt.unwrap();
    let other = "[llm]\nprovider = \"compatible\"\nmodel = \"llama-3.1-8b\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
    let memory = open_with(&database, &format!("receipts.enabled = true\n{other}"));
    let why = memory.why(&ada(), &receipt).unwrap();
    assert!(why.identical, "{:?}", why.differences);
}

/// A model that makes no helper while it is told so.
fn moody_model() -> (Arc<AtomicBool>, ModelServer) {
    let is_moody = Arc::new(AtomicBool::new(true));
    let shared = Arc::clone(&is_moody);
    let server = crate::tree_model::model(move |asked| {
        (asked.task == "helper" && shared.load(Ordering::Relaxed)).then(|| json!({"nonsense": true}))
    });
    (is_moody, server)
}

fn helper(memory: &Recordar, id: &str, given: Option<&str>, regenerate: bool) -> Result<HelperView, Error> {
    let given = given.map(|text| HelperInput::Text(text.to_owned()));
    memory.helper(&ada(), &HelperRequest { document: "a.txt".to_owned(), given, regenerate }, &operation(id))
}

#[test]
fn i19_4_r2b_1_a_helper_that_failed_is_told_and_tried_again() {
    let retry = |again: &dyn Fn(&Recordar)| {
        for engine in Engine::ALL {
            let (is_moody, server) = moody_model();
            let database = TestDatabase::new(engine);
            let memory = open_with(&database, &with_tree(&server, ""));
            let content = lines(&[["Land", "Lamp", "Oil"]]);
            let report = put(&memory, "one", "a.txt", &content);
            let warning = report.files[0].warnings.iter().find(|warning| warning.code == "helper_failed").unwrap();
            assert!(warning.what.contains("could not be generated") && warning.what.contains("no valid reply"));
            assert!(warning.remedy.contains("recordar helper a.txt --regenerate"), "{}", warning.remedy);
            assert_eq!((report.files[0].classified, helper(&memory, "look", None, false).unwrap().helper), (1, None));
            // Still no helper: told again, and nothing else fails.
            let still = put(&memory, "two", "a.txt", &content);
            assert_eq!(still.totals.unchanged, 1);
            assert_eq!(still.files[0].warnings[0].code, "helper_failed");
            is_moody.store(false, Ordering::Relaxed);
            again(&memory);
            let view = helper(&memory, "look", None, false).unwrap();
            assert_eq!(view.helper.unwrap().helper.text, "Author: Ada. Topic: Lights. Notes on lights.");
            let before = server.received().len();
            put(&memory, "last", "a.txt", &content);
            memory.classify(&ada(), &operation("last-classify")).unwrap();
            assert_eq!(server.received().len(), before, "once it is there, nobody is asked again");
        }
    };
    retry(&|memory| {
        let report = put(memory, "three", "a.txt", &lines(&[["Land", "Lamp", "Oil"]]));
        assert_eq!((report.totals.unchanged, report.files[0].warnings.len()), (1, 0));
        assert!(report.files[0].helper.is_some());
    });
    retry(&|memory| {
        let report = memory.classify(&ada(), &operation("classify")).unwrap();
        assert!(report.documents[0].helper.is_some() && report.documents[0].warnings.is_empty());
    });
    retry(&|memory| drop(helper(memory, "anew", None, true).unwrap()));
}

#[test]
fn i19_4_r2b_9_regenerating_leads_back_from_the_users_own_helper_to_a_generated_one() {
    for engine in Engine::ALL {
        let server = crate::tree_model::model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        let content = lines(&[["Land", "Lamp", "Oil"]]);
        put(&memory, "one", "a.txt", &content);
        let view = helper(&memory, "own", Some("My own words."), false).unwrap();
        assert_eq!((view.helper.unwrap().origin, view.replaced_version), ("user", None));
        // Many at once keep it, and say so.
        let placing = PlacingRequest { regenerate_helper: true, ..PlacingRequest::default() };
        let again = TextRequest { placing, ..text("two", "a.txt", &content) };
        let report = memory.ingest_text(&ada(), again).unwrap();
        assert_eq!(report.files[0].warnings[0].code, "helper_kept");
        assert!(report.files[0].warnings[0].remedy.contains("recordar helper a.txt --regenerate"));
        assert_eq!(report.files[0].helper.as_ref().unwrap().origin, "user");
        let view = helper(&memory, "back", None, true).unwrap();
        assert_eq!((view.helper.as_ref().unwrap().origin, view.replaced_version), ("generated", Some(2)));
        assert_eq!(view.versions.iter().map(|version| version.is_live).collect::<Vec<_>>(), [false, false, true]);
        assert_eq!(helper(&memory, "more", None, true).unwrap().replaced_version, None);
    }
    // Where the model fails, the user's stays.
    let (_moody, server) = moody_model();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"]]));
    helper(&memory, "own", Some("My own words."), false).unwrap();
    assert!(helper(&memory, "back", None, true).is_err());
    assert_eq!(helper(&memory, "look", None, false).unwrap().helper.unwrap().helper.text, "My own words.");
}

fn described(memory: &Recordar, meta: Value, strict: bool) -> Result<Value, Error> {
    let arguments = json!({"meta": meta, "strict": strict});
    call(memory, "document", arguments)
}

fn steps(found: &Value) -> Vec<(&str, &str)> {
    let all = found["fallbacks"].as_array().unwrap();
    all.iter().map(|one| (one["step"].as_str().unwrap(), one["what"].as_str().unwrap())).collect()
}

#[test]
fn i19_5_c2_fields_of_a_description_that_are_empty_or_unknown_are_skipped_and_told() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    put(&memory, "one", "lamp.md", "The lamp is cleaned with a soft cloth.");
    put(&memory, "two", "soup.md", "The soup takes two onions and a fish.");
    let meta =
        json!({"file_name": "lamp.md", "topic": "", "note": null, "tags": null, "provider": "  ", "colour": "red"});
    let found = described(&memory, meta.clone(), false).unwrap();
    assert_eq!(found["filename"], "lamp.md");
    assert_eq!(found["query"], "lamp.md", "what is empty is no part of the query");
    let told = [
        ("meta", "the field topic of the description is empty"),
        ("meta", "the field provider of the description is empty"),
        ("meta", "the description has an unknown field \"colour\""),
    ];
    assert_eq!(steps(&found), told);
    let strict = described(&memory, meta, true).unwrap_err();
    assert_eq!(strict.code(), "no_match");
    assert!(strict.to_string().contains("topic"), "{strict}");
    // All of them empty: a document all the same, as the seed has it.
    let found = described(&memory, json!({"filename": "", "tags": [""]}), false).unwrap();
    assert_eq!((found["query"].as_str(), steps(&found).len()), (Some("document relevant to current request"), 2));
    // A field that is not a text is a mistake, and so are two descriptions.
    assert!(described(&memory, json!({"topic": ["lamp"]}), false).is_err());
    let both = call(&memory, "document", json!({"meta": {"topic": "a"}, "topic": "b"}));
    assert!(both.unwrap_err().to_string().contains("both meta and a field"));
    let flat = call(&memory, "document", json!({"filename": "soup.md", "topic": ""})).unwrap();
    assert_eq!((flat["filename"].as_str(), steps(&flat)[0].0), (Some("soup.md"), "meta"));
}

#[test]
fn i19_5_c2_a_topic_a_note_or_a_provider_that_matches_nothing_is_told() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    let attributes = recordar::document::Attributes::new(
        [],
        Some("keeping the light".to_owned()),
        None,
        Some("ada".to_owned()),
        recordar::item::Metadata::default(),
    );
    let request =
        TextRequest { attributes: attributes.unwrap(), ..text("one", "lamp.md", "The lamp is cleaned daily.") };
    memory.ingest_text(&ada(), request).unwrap();
    let check = |meta: Value, expected: &[&str]| {
        let found = described(&memory, meta.clone(), false).unwrap();
        assert_eq!(steps(&found).iter().map(|(step, _)| *step).collect::<Vec<_>>(), expected, "{meta}");
        found
    };
    check(json!({"filename": "lamp.md", "topic": "keeping the light", "provider": "ada"}), &[]);
    let found =
        check(json!({"topic": "the lamp", "note": "cleaned", "provider": "eve"}), &["topic", "note", "provider"]);
    assert_eq!(steps(&found)[0].1, "no document has the topic the lamp; its words were only searched for");
    // Its words are searched for all the same, so this is not an error.
    assert!(described(&memory, json!({"topic": "the lamp"}), true).is_ok());
}

fn answering(answer: &str) -> ModelServer {
    let answer = answer.to_owned();
    ModelServer::start(move |_| completion(&json!({"answer": answer, "citations": [1]}).to_string()))
}

#[test]
fn i19_6_a_long_answer_is_not_refused_after_it_was_paid_for() {
    for length in [2_001, 7_000] {
        let server = answering(&"l".repeat(length));
        let database = TestDatabase::new(Engine::Sqlite);
        let toml = with_tree(&server, "").replace("max_output_tokens = 256", "max_output_tokens = 2048");
        let memory = open_with(&database, &format!("receipts.enabled = true\n{toml}[tree]\nclassify = false\n"));
        put(&memory, "one", "a.txt", "The boat comes on Tuesday and brings oil for the lamp.");
        let result = memory.ask(&[ada()], &AskRequest::new("When does the boat come?")).unwrap();
        assert_eq!((result.answer.len(), result.responses.len()), (length, 1), "one call, and all of its answer");
        // What the model is told stays as it was, so that recorded replies stay valid.
        assert!(server.received()[0].body.contains("Answer in at most 2000 characters."));
        let why = memory.why(&ada(), &result.receipt.unwrap()).unwrap();
        assert!(why.identical, "{:?}", why.differences);
        assert_eq!(why.answer.unwrap().answer.len(), length);
    }
}

#[test]
fn i19_6_a_long_helper_is_clipped() {
    let server = crate::tree_model::model(|asked| {
        let long = "lamp ".repeat(800);
        (asked.task == "helper").then(|| json!({"author": long, "date": "unknown", "topic": "Oil", "summary": long}))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    let report = put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"]]));
    let helper = report.files[0].helper.clone().unwrap();
    assert!(helper.helper.text.starts_with("Author: lamp lamp") && helper.helper.tokens <= 300);
    assert_eq!(crate::tree_model::asked(&server, "helper").len(), 1);
}

#[test]
fn i19_7_r2a_10_the_latency_of_a_batch_includes_waiting() {
    // The first call of each batch is refused for a while, and asked for again.
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let server = ModelServer::start(move |received| {
        let asked = Asked::of(received);
        if asked.task == "classify" && calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            return Answer::status(503, json!({"error": {"message": "busy"}}));
        }
        completion(&plain(&asked).to_string())
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let toml = with_tree(&server, "").replace("retries = 0\nretry_wait_ms = 1\n", "retries = 2\nretry_wait_ms = 60\n");
    let memory = open_with(&database, &toml);
    let report = put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"]]));
    assert_eq!((report.files[0].classified, report.batches.len()), (1, 3));
    for batch in &report.batches {
        // Half a wait at least: the wait is part of what is waited for, whatever the machine does besides.
        assert!(batch.latency_ms >= 60.0, "{} ms", batch.latency_ms);
    }
}

#[test]
fn i19_7_e8_the_metrics_are_a_verb() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    put(&memory, "one", "a.txt", "The boat comes on Tuesday and brings oil for the lamp.");
    let request = recordar::recall::RecallRequest::new("When does the boat come?");
    let recalled = memory.recall(&[ada()], &request).unwrap();
    memory.recall(&[ada()], &request).unwrap();
    let metrics = call(&memory, "metrics", json!({})).unwrap();
    let retrieval = &metrics["retrieval"];
    assert_eq!(retrieval["latency_ms"]["count"], 2);
    assert_eq!(retrieval["results_count"]["mean"].as_f64(), Some(recalled.memories.len() as f64));
    assert_eq!(retrieval["tokens_used"]["sum"].as_f64(), Some(2.0 * recalled.metadata.total_tokens as f64));
    assert_eq!((&retrieval["cache_hit_rate"]["mean"], &retrieval["dedup_ratio"]["count"]), (&json!(0.5), &json!(1)));
}

/// A program's settings beside what a file says, for a folder without anything else.
fn by_program(settings: Value, folder: &Path, variables: &[(&str, &str)]) -> Result<Config, Error> {
    let Value::Object(settings) = settings else { panic!("{settings} is no object") };
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let around = Surroundings { folder: folder.to_owned(), variables, user: User::of_process() };
    Config::load_in(&Overrides { settings, ..Overrides::default() }, &around)
}

#[test]
fn i19_8_a_program_can_set_everything_that_a_file_can() {
    let folder = tempfile::tempdir().unwrap();
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saved/promises-2");
    let mut files: Vec<std::path::PathBuf> =
        std::fs::read_dir(&set).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    assert!(files.len() > 1, "{files:?}");
    let texts = files.iter().map(|path| std::fs::read_to_string(path).unwrap()).chain([Config::defaults_text()]);
    let mut keys = 0;
    for text in texts {
        let table: toml::Table = text.parse().unwrap();
        let nested = serde_json::to_value(&table).unwrap();
        // The same by names with dots.
        let mut flat = serde_json::Map::new();
        for (section, value) in nested.as_object().unwrap() {
            match value {
                Value::Object(members) => {
                    flat.extend(members.iter().map(|(name, value)| (format!("{section}.{name}"), value.clone())));
                }
                value => drop(flat.insert(section.clone(), value.clone())),
            }
        }
        keys += flat.len();
        let from_file = Config::from_toml(&text, folder.path()).map(|config| shown(&config));
        for settings in [nested, Value::Object(flat)] {
            let set = by_program(settings, folder.path(), &[]).map(|config| shown(&config));
            match (&from_file, &set) {
                (Ok(one), Ok(other)) => assert_eq!(one, other),
                (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(keys > 80, "{keys}");
}

/// Everything of a configuration but where it is from.
fn shown(config: &Config) -> String {
    format!("{:?}", Config { files: Vec::new(), settings: Vec::new(), ..config.clone() })
}

#[test]
fn i19_8_a_programs_settings_have_the_checks_and_errors_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = json!({
        "spaec": "x:y",
        "recall": {"top_k": 99, "min_score": "high"},
        "tree.batch_size": 0,
        "llm": {"provider": "openia", "model": "gpt-4o-mini"},
        "chunking": 5,
    });
    let file = "spaec = \"x:y\"\nchunking = 5\n[recall]\ntop_k = 99\nmin_score = \"high\"\n[tree]\nbatch_size = 0\n\
                [llm]\nprovider = \"openia\"\nmodel = \"gpt-4o-mini\"\n";
    let mistakes = |error: Error| match error {
        Error::Config { mistakes } => {
            let mut told: Vec<String> =
                mistakes.into_iter().map(|m| format!("{} = {}; {}; {}", m.key, m.value, m.allowed, m.fix)).collect();
            told.sort();
            told
        }
        other => panic!("{other}"),
    };
    let (by_file, set) = (Config::from_toml(file, folder.path()), by_program(wrong, folder.path(), &[]));
    let (by_file, set) = (mistakes(by_file.unwrap_err()), mistakes(set.unwrap_err()));
    assert_eq!(by_file, set);
    assert_eq!(set.len(), 6, "{set:#?}");
}

#[test]
fn i19_8_a_programs_settings_come_before_the_environment_and_the_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("recordar.toml"),
        "space = \"user:file\"\n[recall]\ntop_k = 3\nmax_tokens = 500\n",
    )
    .unwrap();
    let variables = [("RECORDAR_DATABASE", "sqlite:elsewhere.db"), ("RECORDAR_SPACE", "user:variable")];
    let config = by_program(json!({"recall.top_k": 7}), folder.path(), &variables).unwrap();
    let recall = &config.recall.settings;
    assert_eq!((config.space.as_str(), recall.top_k, recall.max_tokens), ("user:variable", 7, 500));
    assert!(config.database.url.to_string().ends_with("elsewhere.db"));
    let settings = json!({"space": "user:code", "database": {"url": "sqlite:code.db"}, "recall": {"top_k": null}});
    let config = by_program(settings, folder.path(), &variables).unwrap();
    assert_eq!((config.space.as_str(), config.recall.settings.top_k), ("user:code", 3), "null sets nothing");
    assert_eq!(config.database.url.sqlite_path(), Some(folder.path().join("code.db").as_path()));
    let told = config.settings.iter().find(|setting| setting.key == "database.url").unwrap();
    assert_eq!(told.set_by, "a program");
    // One by one, as a builder.
    let around = Surroundings {
        folder: folder.path().to_owned(),
        variables: std::collections::BTreeMap::new(),
        user: User::of_process(),
    };
    let overrides =
        Overrides::default().with("recall.top_k", 5).with("receipts.enabled", true).with("index.language", "german");
    let config = Config::load_in(&overrides, &around).unwrap();
    assert_eq!((config.recall.settings.top_k, config.receipts, config.language.name()), (5, true, "german"));
    // Without a database of its own, that of the project's file.
    assert_eq!(config.database.url.sqlite_path(), Some(folder.path().join("recordar.db").as_path()));
}
