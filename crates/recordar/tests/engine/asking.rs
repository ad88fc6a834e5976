//! Asking and summarising: by a model, which may be away or reply badly, and by the built-in methods; proven later from a receipt.

use crate::{ada, open_with, operation, text};
use recordar::answer::{AskRequest, AskResult};
use recordar::forget::ForgetRequest;
use recordar::model::{Method, TextToSummarise};
use recordar::recall::RecallRequest;
use recordar::search::Rerank;
use recordar::{Error, Message, Recordar, Timestamp};
use recordar_testkit::{Answer, Engine, ModelServer, Received, TestDatabase};
use serde_json::{Value, json};

const KEY: &str = "sk-test-asking-0123456789";
const QUESTION: &str = "When does the boat bring oil?";

/// A configuration with a model at a server, and no patience.
fn with_model(server: &ModelServer, more: &str) -> String {
    format!(
        "[receipts]\nenabled = true\n[llm]\nprovider = \"compatible\"\nmodel = \"small\"\nbase_url = {:?}\napi_key = {KEY:?}\n\
         retries = 0\nretry_wait_ms = 1\nrepairs = 1\nmax_output_tokens = 100\n{more}",
        server.url()
    )
}

fn fill(memory: &Recordar) {
    let said = ["The boat brings oil on Tuesday.", "The lamp burns oil every night.", "Bees live behind the tower."];
    let messages = said.map(Message::new);
    memory.remember(&ada(), &messages, &operation("said")).unwrap();
}

fn ask(memory: &Recordar, question: &str) -> Result<AskResult, Error> {
    memory.ask(&[ada()], &AskRequest::new(question))
}

/// A reply as OpenAI gives it.
fn reply(content: impl ToString, tokens: (u64, u64)) -> Answer {
    Answer::json(json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content.to_string()}}],
        "usage": {"prompt_tokens": tokens.0, "completion_tokens": tokens.1},
    }))
}

fn answering(answer: Value) -> ModelServer {
    ModelServer::start(move |_| reply(&answer, (50, 20)))
}

#[test]
fn a2_without_a_model_the_answer_is_stored_words_and_says_so() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "receipts.enabled = true");
        fill(&memory);
        let result = ask(&memory, QUESTION).unwrap();
        assert_eq!(result.answer, "The boat brings oil on Tuesday.");
        assert_eq!((result.method, result.model, result.responses.len()), (Method::BuiltIn, None, 0));
        assert_eq!(result.citations[0].number, 1);
        assert_eq!(result.citations[0].item_id, result.memories[0].provenance.item_id);
        let decided = result.trace.stages.last().unwrap();
        assert_eq!((decided.name.as_str(), decided.decisions[0].reason.as_str()), ("answer", "built_in"));
        let why = memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap();
        assert!(why.identical, "{:?}", why.differences);
        assert_eq!(why.answer.unwrap().answer, result.answer);
    }
}

#[test]
fn i44_what_holds_is_said_in_a_sentence_and_proven() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "receipts.enabled = true");
        let said = |text: &str, day: &str| Message { time: Timestamp::parse(day).ok(), ..Message::new(text) };
        let messages = [
            said("I live in Hamburg, near the harbour.", "2022-03-02"),
            said("My sister Mia lives in Vienna.", "2022-03-03"),
            said("Big news: we moved to Leipzig on 3 June!", "2022-06-09"),
            said("I dreamt that I live in Paris.", "2022-07-01"),
        ];
        memory.remember(&ada(), &messages, &operation("said")).unwrap();
        let result = ask(&memory, "Where do I live?").unwrap();
        assert!(result.answer.starts_with("You live in Leipzig, since 3 June 2022. ["), "{}", result.answer);
        assert_eq!((result.method, result.unsure), (Method::BuiltIn, false));
        let sentences: Vec<&str> = result.excerpts.iter().map(|excerpt| excerpt.sentence.as_str()).collect();
        assert_eq!(sentences, ["Big news: we moved to Leipzig on 3 June!", "I live in Hamburg, near the harbour."]);
        let reasons = |result: &AskResult| {
            let decisions = result.trace.stages.iter().flat_map(|stage| &stage.decisions);
            decisions.map(|decision| decision.reason.clone()).collect::<Vec<String>>()
        };
        for reason in ["stated_otherwise", "what_holds"] {
            assert!(reasons(&result).contains(&reason.to_owned()), "{reason}");
        }
        let receipt = result.receipt.unwrap();
        let why = memory.why(&ada(), &receipt).unwrap();
        assert!(why.identical, "{:?}", why.differences);
        assert_eq!(why.answer.unwrap().answer, result.answer);
        // The receipt has none of the words that say so.
        let stored = json!(memory.receipt(&ada(), &receipt).unwrap()).to_string();
        assert!(!stored.contains("Leipzig"), "{stored}");
        let was = ask(&memory, "Where did I live before?").unwrap().answer;
        assert!(was.starts_with("You lived in Hamburg until 3 June 2022. ["), "{was}");
        assert_eq!(
            ask(&memory, "Where does my sister live?").unwrap().answer,
            "Your sister lives in Vienna, as you said on 3 March 2022."
        );
    }
}

#[test]
fn i43_a_quoted_answer_marks_its_sentence_and_silence_names_what_is_closest() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "");
        fill(&memory);
        let result = ask(&memory, QUESTION).unwrap();
        let [excerpt] = &result.excerpts[..] else { panic!("{:?}", result.excerpts) };
        assert_eq!((excerpt.number, excerpt.sentence.as_str()), (1, "The boat brings oil on Tuesday."));
        assert_eq!((result.unsure, excerpt.confidence), (false, result.confidence.best));
        let [citation] = &result.citations[..] else { panic!("{:?}", result.citations) };
        assert!(citation.speaker.as_deref() == Some("user") && citation.time.is_some(), "{citation:?}");
        assert!(result.nearest.is_empty());

        let result = ask(&memory, "Which boat won the regatta of 1912?").unwrap();
        assert_eq!((result.method, result.excerpts.len(), result.unsure), (Method::Nothing, 0, false));
        assert_eq!((result.nearest[0].number, result.nearest[0].item_id), (1, citation.item_id));

        let mut unjudged = AskRequest::new(QUESTION);
        unjudged.recall.settings.rerank = Some(Rerank::Off);
        let result = memory.ask(&[ada()], &unjudged).unwrap();
        assert_eq!((result.excerpts[0].confidence, result.unsure), (None, false), "nobody judged it");
    }
}

#[test]
fn i43_what_is_closest_is_redacted_as_the_call_asks() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    let said = Message { speaker: Some("eve@example.com".to_owned()), ..Message::new("The boat won a race.") };
    memory.remember(&ada(), &[said], &operation("said")).unwrap();
    let mut request = AskRequest::new("Which boat won the regatta of 1912?");
    request.recall.settings.min_confidence = Some(1.0);
    for redacts in [false, true] {
        request.recall.settings.enable_redaction = redacts.then_some(true);
        let result = memory.ask(&[ada()], &request).unwrap();
        assert_eq!((result.method, result.nearest.len()), (Method::Nothing, 1));
        let speaker = result.nearest[0].speaker.as_deref().unwrap();
        assert_eq!(speaker.contains("eve@example.com"), !redacts, "{speaker}");
    }
}

#[test]
fn a2_where_nothing_is_found_no_model_is_asked() {
    let server = answering(json!({"answer": "?", "citations": []}));
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_model(&server, ""));
    for question in ["Anything?", QUESTION] {
        let result = ask(&memory, question).unwrap();
        assert_eq!((result.answer.as_str(), result.method), ("", Method::Nothing));
    }
    assert!(server.received().is_empty());
    let refused = ask(&memory, " ").unwrap_err();
    assert_eq!(refused.code(), "invalid");
}

#[test]
fn a2_an_answer_by_a_model_is_validated_reported_and_replayed_without_a_network() {
    for engine in Engine::ALL {
        let server = answering(json!({"answer": "On Tuesday.", "citations": [1]}));
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_model(&server, ""));
        fill(&memory);
        let result = ask(&memory, QUESTION).unwrap();
        assert_eq!((result.answer.as_str(), result.method), ("On Tuesday.", Method::Model));
        assert_eq!(result.model.as_deref(), Some("compatible small"));
        assert_eq!(result.citations.iter().map(|citation| citation.number).collect::<Vec<_>>(), [1]);
        let [call] = result.responses.as_slice() else { panic!("{:?}", result.responses) };
        assert_eq!((call.tokens_prompt, call.tokens_completion, call.outcome.as_str()), (50, 20, "ok"));
        assert_eq!(memory.models().unwrap().llm.unwrap().spent_today.tokens, 70);

        let receipt = result.receipt.unwrap();
        let export = memory.export_receipt(&ada(), &receipt).unwrap();
        drop(server);
        let why = memory.why(&ada(), &receipt).unwrap();
        assert!(why.identical, "{:?}", why.differences);
        assert_eq!(why.answer.unwrap().answer, "On Tuesday.");

        // On another machine, without a model; and not where the reply was changed.
        let elsewhere = TestDatabase::new(Engine::Sqlite);
        let other = open_with(&elsewhere, "");
        other.import_receipts(std::slice::from_ref(&export), &operation("import")).unwrap();
        assert!(other.why(&ada(), &receipt).unwrap().identical);
        let mut forged = export.clone();
        forged.body = forged.body.replace("On Tuesday.", "On Sunday..");
        forged.receipt = recordar::document::Digest::of(&forged.body).to_string();
        let refused = other.import_receipts(&[forged], &operation("forged")).unwrap_err();
        assert!(refused.to_string().contains("the answer differs"), "{refused}");

        let items: Vec<i64> = result.memories.iter().map(|memory| memory.provenance.item_id).collect();
        memory.forget(&ada(), &ForgetRequest::Items(items), false, &operation("forget")).unwrap();
        assert_eq!(memory.why(&ada(), &receipt).unwrap_err().code(), "not_found");
    }
}

#[test]
fn a2_a_reply_that_does_not_fit_is_mended_or_refused_and_never_half_used() {
    let good = json!({"answer": "On Tuesday.", "citations": [1]});
    let bad = [
        json!({"answer": "On Tuesday.", "citations": [9]}),
        json!({"answer": "On Tuesday.", "citations": [1, 1]}),
        json!({"answer": "", "citations": []}),
        json!({"answer": "On Tuesday."}),
        json!({"answer": "On Tuesday.", "citations": [1], "confidence": 1}),
        json!("On Tuesday."),
    ];
    for wrong in bad {
        let (first, later) = (wrong.clone(), good.clone());
        let server = ModelServer::start(move |received: &Received| {
            let is_repair = received.body.contains("does not fit");
            reply(if is_repair { &later } else { &first }, (50, 20))
        });
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_with(&database, &with_model(&server, ""));
        fill(&memory);
        let result = ask(&memory, QUESTION).unwrap();
        assert_eq!((result.answer.as_str(), result.responses.len()), ("On Tuesday.", 2), "{wrong}");
        assert!(memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap().identical);

        let server = answering(wrong.clone());
        let memory = open_with(&database, &with_model(&server, ""));
        let error = ask(&memory, QUESTION).unwrap_err();
        assert_eq!(error.code(), "model_reply_unfit", "{wrong}");
        assert!(error.to_string().starts_with("compatible small: ") && !error.remedy().is_empty(), "{error}");
        assert_eq!(server.received().len(), 2);
    }
}

#[test]
fn r7_4_when_a_model_is_away_the_policy_decides() {
    let answers: [fn() -> Answer; 4] =
        [|| Answer::status(500, "{}"), || Answer::HangUp, || reply("no JSON", (5, 5)), || Answer::status(401, "{}")];
    for answer in answers {
        let server = ModelServer::start(move |_| answer());
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_with(&database, &with_model(&server, ""));
        fill(&memory);
        let error = ask(&memory, QUESTION).unwrap_err();
        assert!(error.code().starts_with("model_") && error.to_string().contains("compatible small"), "{error}");

        let memory = open_with(&database, &with_model(&server, "when_away = \"built_in\""));
        let result = ask(&memory, QUESTION).unwrap();
        assert_eq!((result.answer.as_str(), result.method), ("The boat brings oil on Tuesday.", Method::BuiltIn));
        let problem = result.model_problem.unwrap();
        assert!(problem.code.starts_with("model_") && !problem.remedy.is_empty());
        let stage = result.trace.stages.last().unwrap();
        let reasons: Vec<&str> = stage.decisions.iter().map(|decision| decision.reason.as_str()).collect();
        assert_eq!(reasons, [problem.code.as_str(), "built_in"]);
        assert!(!result.responses.is_empty());
        assert!(memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap().identical);
    }
}

#[test]
fn r9_9_the_final_prompt_keeps_to_its_budget_and_every_drop_is_told() {
    let server = answering(json!({"answer": "Yes.", "citations": []}));
    let database = TestDatabase::new(Engine::Sqlite);
    let budget =
        "[chunking]\nchunk_min_tokens = 100\n[answer]\nmax_token_budget = 420\n[recall]\nmin_score = 0.0\ntop_k = 20\n";
    let memory = open_with(&database, &format!("{budget}{}", with_model(&server, "")));
    let words = ["lamp", "boat", "oil", "bell", "rope", "map"];
    let said: Vec<Message> =
        words.map(|word| Message::new(&format!("The {word} {}", "is kept dry ".repeat(12)))).into();
    memory.remember(&ada(), &said, &operation("said")).unwrap();
    let result = ask(&memory, "What is kept dry?").unwrap();
    let stage = result.trace.stages.iter().find(|stage| stage.name == "prompt").unwrap();
    let dropped = stage.decisions.iter().filter(|decision| decision.reason == "max_token_budget").count() - 1;
    assert!(dropped > 0 && result.memories.len() + dropped == 6, "{stage:?}");
    let counter = recordar::text::TokenCounter::for_model("gpt-4o-mini");
    let body: Value = serde_json::from_str(&server.received()[0].body).unwrap();
    let tokens = [0, 1].map(|at| counter.count(body["messages"][at]["content"].as_str().unwrap()));
    assert!(tokens.iter().sum::<usize>() <= 420, "{tokens:?}, with the schema that the prompt shows");
    let long = ask(&memory, &"why ".repeat(500)).unwrap_err();
    assert!(long.to_string().contains("answer.max_token_budget is 420"), "{long}");
}

#[test]
fn a2_a_dry_run_prices_an_answer_and_asks_nobody() {
    let server = answering(json!({"answer": "On Tuesday.", "citations": [1]}));
    let database = TestDatabase::new(Engine::Sqlite);
    let folder = tempfile::tempdir().unwrap();
    let prices = folder.path().join("models.toml");
    let table = "dated = \"2026-11-15\"\n[[model]]\nprovider = \"compatible\"\nname = \"small\"\nprompt_usd = 1\ncompletion_usd = 2";
    std::fs::write(&prices, table).unwrap();
    let memory =
        open_with(&database, &with_model(&server, &format!("models_file = {prices:?}\nmax_usd_per_day = 1.0")));
    fill(&memory);
    let dry = memory.ask(&[ada()], &AskRequest { dry_run: true, ..AskRequest::new(QUESTION) }).unwrap();
    assert_eq!((dry.answer.as_str(), dry.receipt, server.received().len()), ("", None, 0));
    let estimate = dry.estimate.unwrap();
    let asked = ask(&memory, QUESTION).unwrap();
    assert_eq!(asked.responses[0].nano_usd, Some(90_000));
    assert_eq!(asked.responses[0].price_dated.as_deref(), Some("2026-11-15"));
    assert!(estimate.tokens_prompt_at_most > 50 && estimate.nano_usd_at_most.unwrap() > 90_000);
    let models = memory.models().unwrap().llm.unwrap();
    assert_eq!((models.spent_today.tokens, models.spent_today.nano_usd), (70, 90_000));
}

#[test]
fn a2_replies_are_recorded_in_a_cassette_and_replayed_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("replies.jsonl");
    let cassette = |mode: &str| format!("cassette = {:?}", format!("{mode}:{}", path.display()));
    let server = answering(json!({"answer": format!("On Tuesday, {KEY}."), "citations": [1]}));
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_model(&server, &cassette("record")));
    fill(&memory);
    let first = ask(&memory, QUESTION).unwrap();
    assert_eq!(first.answer, "On Tuesday, [key].");
    assert!(ask(&memory, QUESTION).unwrap().responses[0].replayed);
    assert_eq!(server.received().len(), 1);
    let config = with_model(&server, &cassette("replay"));
    drop(server);
    let replayed = ask(&open_with(&database, &config), QUESTION).unwrap();
    assert_eq!((replayed.answer, replayed.citations), (first.answer, first.citations));
    let unknown = ask(&open_with(&database, &config), "Where do bees live?").unwrap_err();
    assert_eq!(unknown.code(), "model_unrecorded");
    assert!(!std::fs::read_to_string(&path).unwrap().contains(KEY));
}

#[test]
fn a11_summaries_that_are_too_long_are_asked_for_again_alone() {
    let texts = [("One. ".repeat(30), 20), ("Two. ".repeat(30), 20)];
    let texts: Vec<TextToSummarise> =
        (7..).zip(texts).map(|(id, (text, target_chars))| TextToSummarise { id, text, target_chars }).collect();
    let summaries = |entries: &[(i64, &str)]| {
        let entries: Vec<Value> =
            entries.iter().map(|(id, summary)| json!({"chunk_id": id, "summary": summary})).collect();
        reply(json!({"summaries": entries}), (10, 10))
    };
    let long = "longer than twenty characters";
    let server = ModelServer::start(move |received: &Received| {
        let is_retry = received.body.contains("were too long");
        if is_retry { summaries(&[(8, "Two.")]) } else { summaries(&[(7, "One."), (8, long)]) }
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let result = open_with(&database, &with_model(&server, "")).summarise(&texts).unwrap();
    let shown: Vec<(i64, &str)> = result.summaries.iter().map(|summary| (summary.id, summary.text.as_str())).collect();
    assert_eq!((shown.as_slice(), result.method), ([(7, "One."), (8, "Two.")].as_slice(), Method::Model));
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert!(!received[1].body.contains("Chunk 7") && received[1].body.contains("Chunk 8"));

    let server = ModelServer::start(move |received: &Received| {
        let is_retry = received.body.contains("were too long");
        if is_retry { summaries(&[(8, long)]) } else { summaries(&[(7, "One."), (8, long)]) }
    });
    let stubborn = open_with(&database, &with_model(&server, "repairs = 0").replace("repairs = 1\n", ""));
    let error = stubborn.summarise(&texts).unwrap_err();
    assert!(error.to_string().starts_with("compatible small: "), "{error}");
    let forgiving = with_model(&server, "when_away = \"built_in\"");
    let result = open_with(&database, &forgiving).summarise(&texts).unwrap();
    assert!(result.summaries.iter().zip(&texts).all(|(summary, text)| summary.text.len() <= text.target_chars));
    assert!(result.model_problem.is_some());
    let built_in = open_with(&database, "").summarise(&texts).unwrap();
    assert_eq!((built_in.method, built_in.summaries[0].text.as_str()), (Method::BuiltIn, "One. One. One. One."));
}

/// Sixteen operations on several engines that share a database: what the server says it took never passes the ceiling.
#[test]
fn a2_cost_ceilings_hold_under_sixteen_operations_on_every_database() {
    const CEILING: u64 = 40_000;
    for engine in Engine::ALL {
        let taken = std::sync::Arc::new(std::sync::Mutex::new((0_u64, 0_u64)));
        let counted = std::sync::Arc::clone(&taken);
        let server = ModelServer::start(move |received: &Received| {
            // As dear as an honest server can be: a token for each byte, and the whole of what it may say.
            let tokens = (received.body.len() as u64, 100);
            let mut sum = counted.lock().unwrap();
            *sum = (sum.0 + tokens.0 + tokens.1, sum.1 + 1);
            reply(json!({"answer": "On Tuesday.", "citations": []}), tokens)
        });
        let database = TestDatabase::new(engine);
        let config = with_model(&server, &format!("max_tokens_per_day = {CEILING}\nconcurrency = 16"));
        let clock: recordar::Clock = std::sync::Arc::new(|| recordar::Timestamp::from_micros(1_700_000_000_000_000));
        let memories: Vec<Recordar> =
            (0..4).map(|_| crate::open_at(&database, &config, std::sync::Arc::clone(&clock))).collect();
        fill(&memories[0]);
        let refused: u64 = std::thread::scope(|scope| {
            let asking = |number: usize| {
                let memory = &memories[number % memories.len()];
                let mut refused = 0;
                for round in 0..8 {
                    let question = format!("When does the boat bring oil, asks {number} for the {round}. time?");
                    match ask(memory, &question) {
                        Ok(result) => assert_eq!(result.answer, "On Tuesday."),
                        Err(error) => {
                            assert_eq!(error.code(), "model_ceiling", "{error}");
                            assert!(error.remedy().contains("llm.max_tokens_per_day"), "{}", error.remedy());
                            refused += 1;
                        }
                    }
                    assert!(taken.lock().unwrap().0 <= CEILING);
                }
                refused
            };
            let threads: Vec<_> = (0..16).map(|number| scope.spawn(move || asking(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        let (tokens, calls) = *taken.lock().unwrap();
        assert!(tokens <= CEILING && refused > 0 && calls > 0, "{engine:?}: {tokens} tokens, {refused} refused");
        assert_eq!(memories[0].models().unwrap().llm.unwrap().spent_today.tokens, tokens, "{engine:?}");
        // Well used: what is left would not have been enough for one more.
        assert!(CEILING - tokens < 2 * tokens / calls, "{engine:?}: {tokens} tokens in {calls} calls");
    }
}

/// A server that sends the key back wherever it can, and everything that a user or an operator may see of it.
#[test]
fn a2_no_key_is_in_any_result_error_trace_receipt_cassette_or_database() {
    let folder = tempfile::tempdir().unwrap();
    let cassette = folder.path().join("replies.jsonl");
    let answers: [fn(&str) -> Answer; 5] = [
        |key| reply(json!({"answer": format!("The key is {key}."), "citations": [1]}), (5, 5)),
        |key| Answer::status(401, json!({"error": {"message": format!("{key} is wrong")}})),
        |key| Answer::status(429, json!({"error": format!("{key} asks too often")})),
        |key| Answer::Http {
            status: 302,
            headers: vec![("location".into(), format!("http://x/?k={key}"))],
            body: vec![],
        },
        |key| reply(format!("{{\"{key}\": \"{key}\"}}"), (5, 5)),
    ];
    let mut seen = String::new();
    for (answer, away) in answers.iter().zip(["error", "built_in", "error", "built_in", "error"]) {
        let answer = *answer;
        let server = ModelServer::start(move |received: &Received| {
            answer(received.headers["authorization"].strip_prefix("Bearer ").unwrap())
        });
        let database = TestDatabase::new(Engine::Sqlite);
        let more = format!("when_away = {away:?}\ncassette = {:?}", format!("record:{}", cassette.display()));
        let memory = open_with(&database, &with_model(&server, &more));
        fill(&memory);
        seen.push_str(&format!("{:?} {}", memory.config(), json!(memory.models().unwrap())));
        seen.push_str(&json!(memory.test_models(false).unwrap()).to_string());
        match ask(&memory, QUESTION) {
            Ok(result) => {
                let receipt = result.receipt.clone().unwrap();
                seen.push_str(&json!([result, memory.why(&ada(), &receipt).unwrap()]).to_string());
                seen.push_str(&json!(memory.export_receipt(&ada(), &receipt).unwrap()).to_string());
            }
            Err(error) => seen.push_str(&format!("{error} {} {error:?}", error.remedy())),
        }
        for file in std::fs::read_dir(database.folder.path()).unwrap() {
            seen.push_str(&String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap()));
        }
    }
    seen.push_str(&std::fs::read_to_string(&cassette).unwrap());
    recordar_testkit::keep("asking", &seen);
    assert!(seen.contains("[key]"), "the server did send it back");
    assert!(!seen.contains(KEY), "{}", seen.find(KEY).map_or("", |at| &seen[at.saturating_sub(200)..at]));
    for wrong in [
        "[llm]\nAPI_KEY = \"sk-test-asking\"",
        "[llm]\ntoken = \"sk-test-asking\"",
        "[openai]\napi_key = \"sk-test-asking\"",
        "llm = \"sk-test-asking\"",
        "[llm]\nprovider = \"sk-test-asking\"\nmodel = \"m\"",
        "[llm]\nprovider = \"openai\"\nmodel = \"m\"\nbase_url = \"https://x.example/v1?key=sk-test-asking\"",
        "[llm]\nprovider = \"openai\"\nmodel = \"m\"\nbase_url = \"sk-test-asking\"",
        "[llm]\nkey_env = \"sk-test-asking\"",
        "[llm]\nkey_env = [\"sk-test-asking\"]",
        "[llm]\n\"sk-test-asking\" = 1",
        "[llm]\napikey = \"sk-test-asking\"",
        "[llm]\napi_key = \"sk-test-asking two\"",
        "llm.api_key = [\"sk-test-asking\"]",
    ] {
        let mistake = recordar::Config::from_toml(wrong, folder.path()).unwrap_err();
        assert!(!format!("{mistake} {mistake:?}").contains("sk-test-asking"), "{mistake}");
    }
}

#[test]
fn a2_an_answer_after_equal_replies_that_did_not_fit_can_be_proven() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let server = ModelServer::start(move |_| {
        let number = asked.fetch_add(1, std::sync::atomic::Ordering::AcqRel);
        let answer = if number < 2 { json!({"answer": 1}) } else { json!({"answer": "On Tuesday.", "citations": [1]}) };
        reply(answer, (5, 5))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_model(&server, "").replace("repairs = 1", "repairs = 2"));
    fill(&memory);
    let result = ask(&memory, QUESTION).unwrap();
    assert_eq!((result.answer.as_str(), result.responses.len()), ("On Tuesday.", 3));
    let why = memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap();
    assert!(why.identical, "{:?}", why.differences);
}

/// What a program that was killed had set aside is waited for as long as a call takes, and counts as spent after.
#[test]
fn a2_what_a_killed_program_set_aside_counts_as_spent_once_it_has_expired() {
    for engine in Engine::ALL {
        let (seconds, clock) = crate::set_clock();
        let server = answering(json!({"answer": "On Tuesday.", "citations": [1]}));
        let database = TestDatabase::new(engine);
        let config = with_model(&server, "max_tokens_per_day = 4000\ntimeout_seconds = 60");
        let memory = crate::open_at(&database, &config, clock);
        fill(&memory);
        let store = recordar_store::Store::open(recordar_store::StoreOptions::new(
            recordar_store::DatabaseUrl::parse(&database.url, database.folder.path()).unwrap(),
        ))
        .unwrap();
        let now = |later: i64| recordar::Timestamp::from_micros((1_700_000_000 + later) * 1_000_000);
        let left = recordar_store::NewReservation {
            id: recordar::document::Digest::of("killed"),
            day: 1_700_000_000 / 86_400,
            most: recordar_store::Amount { tokens: 3000, nano_usd: 0 },
            made_at: now(0),
            expires_at: now(60),
            account: None,
        };
        assert!(store.reserve_spending(&left, |_, _| true).unwrap());
        assert_eq!(memory.models().unwrap().llm.unwrap().spent_today.tokens, 3000);
        seconds.store(1_700_000_061, std::sync::atomic::Ordering::Relaxed);
        let error = ask(&memory, QUESTION).unwrap_err();
        assert_eq!(error.code(), "model_ceiling");
        assert!(error.to_string().contains("exceeds what is left of today's limit of 4000 tokens"), "{error}");
        // The next day begins at nothing.
        seconds.store(1_700_100_000, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(ask(&memory, QUESTION).unwrap().method, Method::Model);
    }
}

#[test]
fn a2_a_missing_key_is_told_before_anybody_is_called() {
    let server = answering(json!({"answer": "On Tuesday.", "citations": [1]}));
    let database = TestDatabase::new(Engine::Sqlite);
    let config = format!(
        "[llm]\nprovider = \"openai\"\nmodel = \"gpt-4o-mini\"\nbase_url = {:?}\nkey_env = \"MY_KEY\"",
        server.url()
    );
    let memory = open_with(&database, &config);
    fill(&memory);
    let error = ask(&memory, QUESTION).unwrap_err();
    assert_eq!((error.code(), error.remedy().as_str()), ("model_rejected", "set MY_KEY to your key"));
    assert!(error.to_string().contains("openai gpt-4o-mini") && server.received().is_empty());
}

#[test]
fn a2_asking_beside_a_forgetting_leaves_no_receipt_of_what_is_gone() {
    let database = TestDatabase::new(Engine::Sqlite);
    let writer = open_with(&database, "");
    fill(&writer);
    let items = writer.recall(&[ada()], &RecallRequest::new(QUESTION)).unwrap();
    let items: Vec<i64> = items.memories.iter().map(|memory| memory.provenance.item_id).collect();
    let forgetting = std::sync::Mutex::new(Some((writer, items)));
    // While the model thinks, what it was shown is forgotten.
    let server = ModelServer::start(move |_| {
        if let Some((writer, items)) = forgetting.lock().unwrap().take() {
            writer.forget(&ada(), &ForgetRequest::Items(items), false, &operation("forget")).unwrap();
        }
        reply(json!({"answer": "On Tuesday.", "citations": []}), (5, 5))
    });
    let memory = open_with(&database, &with_model(&server, ""));
    let result = ask(&memory, QUESTION).unwrap();
    assert_eq!((result.method, result.answer.as_str()), (Method::Nothing, ""));
    // What was paid for is told, also where it led to nothing.
    assert_eq!(result.responses.len(), 1);
    memory.ingest_text(&ada(), text("late", "late.md", "The boat brings oil on Friday.")).unwrap();
    assert_eq!(ask(&memory, QUESTION).unwrap().method, Method::Model);
}
