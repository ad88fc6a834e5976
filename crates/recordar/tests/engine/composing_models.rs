//! Agents by the judge or the model, each within its time and with something to fall back on (SAF-A1, SAF-A3, SAF-B1, SAF-B2).

use crate::calling::{call, call_with};
use crate::composing::{PUMP, compose, composed, prompt, reasons, saying, section, store, with_model};
use crate::open_with;
use recordar::Recordar;
use recordar::database::Cancel;
use recordar::model::{Embed, EmbedFailure, TextKind};
use recordar_testkit::{Answer, Engine, ModelServer, Received, TestDatabase};
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

const QUESTION: &str = "Which pump pressure is normal?";

fn memory(database: &TestDatabase, server: &ModelServer, more: &str) -> Recordar {
    let memory = open_with(database, &format!("{}{more}", with_model(server)));
    store(&memory, "pump", "pump.md", PUMP);
    store(&memory, "hall", "hall.md", "The hall has two doors. The pump is in the hall.");
    memory
}

/// Whether something comes to be within some seconds: the end of a connection, which has no event.
fn soon(is_so: impl Fn() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    is_so()
}

/// Which task a request is for, by the words of its prompt.
fn task(received: &Received) -> &'static str {
    let has = |words: &str| received.body.contains(words);
    match () {
        () if has("You decide which passages tell") => "gate",
        () if has("You condense passages") => "condense",
        () if has("You read what somebody asks") => "shape",
        () => "send",
    }
}

fn reply(value: &Value) -> Answer {
    saying(&value.to_string())
}

/// A model that does what it is asked, well.
fn good(received: &Received) -> Answer {
    match task(received) {
        "gate" => {
            let passages = received.body.matches("Passage ").count() as u64;
            let tells: Vec<Value> = (1..=passages).map(|n| json!({"number": n, "tells": 0.9})).collect();
            reply(&json!({"passages": tells}))
        }
        "condense" => reply(&json!({
            "facts": [
                {"passage": 1, "sentence": "The pump pressure is 3 bar in normal operation."},
                {"passage": 1, "sentence": "The pump pressure is 9 bar."},
            ],
            "constraints": [],
            "open_issues": ["who measured it"],
        })),
        "shape" => reply(&json!({
            "intent": "find", "deliverable": "text", "depth": "brief", "format": "prose",
            "need": "the pump pressure in normal operation",
        })),
        _ => saying("At 3 bar [1]."),
    }
}

#[test]
fn orc_02_ret_05_ret_06_agents_work_by_the_model_and_what_it_chose_is_verified() {
    let server = ModelServer::start(good);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = memory(&database, &server, "");
    let reply = compose(&memory, QUESTION, json!({"agents": ["a1", "a2=model", "a3=model", "a4=model"]}));
    assert_eq!(reply["shape"]["need"], "the pump pressure in normal operation");
    let context = section(&reply, "S_ctx");
    assert!(context.contains("| The pump pressure is 3 bar in normal operation."), "{context}");
    assert!(!context.contains("9 bar"), "what is not there word for word is no fact: {context}");
    assert!(context.contains("| who measured it"), "{context}");
    assert!(reasons(&reply, "condense").iter().any(|(_, reason)| reason == "not_word_for_word"));
    // Storing asks the model too.
    let tasks: Vec<&str> = server.received().iter().map(task).filter(|task| *task != "send").collect();
    assert_eq!(&tasks[..3], ["shape", "gate", "condense"]);
    assert!(tasks.len() <= 5, "one rerun at most: {tasks:?}");
}

#[test]
fn ret_05_the_gate_works_by_the_judge() {
    let server = ModelServer::start(|_| Answer::HangUp);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = memory(&database, &server, "");
    let before = server.received().len();
    let strict = compose(&memory, QUESTION, json!({"agents": ["a2", "a3=judge", "a4"], "theta": 0.5}));
    assert!(prompt(&strict).contains("3 bar") && !prompt(&strict).contains("two doors"), "{}", prompt(&strict));
    assert!(reasons(&strict, "gate by judge or model").iter().any(|(_, reason)| reason == "judge"));
    assert_eq!(server.received().len(), before);
}

#[test]
fn saf_b1_saf_a1_a_model_that_hangs_is_left_alone_after_its_time_and_rules_go_on() {
    for hanging in ["shape", "gate", "condense"] {
        let server = ModelServer::start(move |received: &Received| match task(received) == hanging {
            true => Answer::Silence(Vec::new()),
            false => good(received),
        });
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = memory(&database, &server, "\n[compose]\nstage_seconds = 1\n");
        let started = Instant::now();
        let reply = compose(&memory, QUESTION, json!({"agents": ["a1", "a2=model", "a3=model", "a4=model"]}));
        assert!(started.elapsed() < Duration::from_secs(20), "{hanging}: {:?}", started.elapsed());
        assert!(prompt(&reply).contains("| The pump pressure is 3 bar in normal operation."), "{hanging}");
        let named = ["shape", "gate by judge or model", "condense by model"];
        let timed_out = |stage: &&str| reasons(&reply, stage).iter().any(|(_, reason)| reason == "timeout");
        assert_eq!(named.iter().filter(|stage| timed_out(stage)).count(), 1, "{hanging}: {}", reply["trace"]);
        assert!(soon(|| server.open_connections() == 0), "{hanging}: a call is still running");
    }
}

#[test]
fn saf_a1_a_model_that_replies_nonsense_is_replaced_by_rules() {
    let nonsense = |received: &Received| match task(received) {
        "condense" => reply(&json!({
            "facts": [{"passage": 1, "sentence": "Nobody ever wrote this."}], "constraints": [], "open_issues": [],
        })),
        _ => saying("not JSON"),
    };
    let server = ModelServer::start(nonsense);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = memory(&database, &server, "repairs = 0\n");
    for agent in ["a2=model", "a3=model", "a4=model"] {
        let all = ["a1", "a2", "a3", "a4"].map(|name| if agent.starts_with(name) { agent } else { name });
        let result = compose(&memory, QUESTION, json!({"agents": all}));
        let rules = compose(&memory, QUESTION, json!({}));
        assert_eq!(result["prompt"], rules["prompt"], "{agent}");
    }
    let without = TestDatabase::new(Engine::Sqlite);
    let refused = composed(&crate::composing::filled(&without), QUESTION, json!({"agents": ["a4=model"]})).unwrap_err();
    assert_eq!(refused.code(), "no_model");
}

#[test]
fn saf_b2_a_composition_is_cancelled_while_a_model_hangs_and_nothing_runs_on() {
    // Storing asks the model too, and is answered.
    let is_composing = |received: &Received| task(received) != "send" || received.body.contains("[Hard Rules]");
    let server = ModelServer::start(move |received: &Received| match is_composing(received) {
        true => Answer::Silence(Vec::new()),
        false => saying("no"),
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = memory(&database, &server, "");
    for arguments in [json!({"query": QUESTION, "send": true}), json!({"query": QUESTION, "agents": ["a4=model"]})] {
        let (cancel, asked) = (Cancel::default(), server.received().len());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let is_asked = soon(|| server.received().len() > asked);
                cancel.cancel();
                assert!(is_asked, "the model was asked before the call was cancelled");
            });
            let cancelled = call_with(&memory, "compose", arguments, cancel.clone()).unwrap_err();
            assert_eq!(cancelled.code(), "cancelled");
        });
    }
    assert!(soon(|| server.open_connections() == 0), "a call is still running");
}

#[test]
fn saf_a3_a_call_that_fails_is_tried_once_with_the_fallback_model() {
    let asked_for = |received: &Received, model: &str| received.body.contains(&format!("\"model\":\"{model}\""));
    let server = ModelServer::start(move |received: &Received| match asked_for(received, "tiny") {
        true => saying("By the other one."),
        false => Answer::status(500, json!({"error": {"message": "broken"}})),
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = memory(&database, &server, "fallback_model = \"tiny\"\n");
    let before = server.received().len();
    let reply = compose(&memory, QUESTION, json!({"send": true, "receipt": true}));
    assert_eq!(reply["sent"]["answer"], "By the other one.");
    assert_eq!(reply["sent"]["model"], "compatible tiny");
    assert_eq!(reply["sent"]["model_problem"]["code"], "model_away");
    let why = call(&memory, "why", json!({"receipt": reply["receipt"]})).unwrap();
    assert_eq!((&why["identical"], &why["answer"]["model"]), (&json!(true), &json!("compatible tiny")));
    assert_eq!(server.received().len() - before, 2, "each is tried once");
    let named = compose(&memory, QUESTION, json!({"send": true, "model": "tiny"}));
    assert_eq!((&named["sent"]["model"], &named["sent"]["model_problem"]), (&json!("compatible tiny"), &Value::Null));
    let broken = TestDatabase::new(Engine::Sqlite);
    let none = ModelServer::start(|_| Answer::status(500, json!({"error": {"message": "broken"}})));
    let memory = self::memory(&broken, &none, "fallback_model = \"tiny\"\n");
    let before = none.received().len();
    let failed = composed(&memory, QUESTION, json!({"send": true})).unwrap_err();
    assert!(failed.to_string().contains("small") && failed.to_string().contains("and the fallback model"), "{failed}");
    assert_eq!(none.received().len() - before, 2);
    assert!(composed(&memory, QUESTION, json!({"send": true, "model": "no such; name"})).is_err());
}

/// An embedder that does not answer questions while it is off.
#[derive(Default)]
struct Hanging {
    is_on: Mutex<bool>,
    changed: Condvar,
}

impl Hanging {
    fn set(&self, is_on: bool) {
        *self.is_on.lock().unwrap() = is_on;
        self.changed.notify_all();
    }
}

impl Embed for Hanging {
    fn name(&self) -> &str {
        "hanging"
    }

    fn dimension(&self) -> usize {
        4
    }

    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        let is_on = self.is_on.lock().unwrap();
        drop(self.changed.wait_while(is_on, |is_on| *is_on && kind == TextKind::Question).unwrap());
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32, 0.5, 0.0]).collect())
    }
}

#[test]
fn saf_b1_saf_a2_retrieval_that_hangs_is_left_out_after_its_time_and_files_are_used() {
    let database = TestDatabase::new(Engine::Sqlite);
    let embedder = Arc::new(Hanging::default());
    let memory = open_with(&database, "[compose]\nstage_seconds = 1\n");
    let memory = memory.with_embedder(Arc::clone(&embedder) as Arc<dyn Embed>).unwrap();
    store(&memory, "pump", "pump.md", PUMP);
    store(&memory, "hall", "hall.md", "The hall has two doors.");
    embedder.set(true);
    let started = Instant::now();
    let reply = compose(&memory, QUESTION, json!({"file": ["hall.md"]}));
    embedder.set(false);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(section(&reply, "❖ FILES").contains("| The hall has two doors."), "{reply}");
    let left_out = |stage: &str, what: &str| {
        let reasons = reasons(&reply, stage);
        assert!(reasons.contains(&(what.to_owned(), "timeout".to_owned())), "{stage}: {reasons:?}");
    };
    left_out("search (history)", "messages");
    left_out("retrieve", "documents");
    assert!(section(&reply, "S_ctx").ends_with("(none)\n"), "{reply}");
}
