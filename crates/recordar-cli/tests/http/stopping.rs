//! Stopped and killed under load: what was acknowledged is there, and nothing is there twice.

use crate::served::{Served, sqlite};
use recordar_testkit::{Engine, TestDatabase, rounds};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const WRITERS: usize = 8;

/// Writes as fast as the server answers, until it does not. What it acknowledged goes into the list.
fn load(served: &Served, round: usize, acknowledged: &Arc<Mutex<Vec<String>>>) -> Vec<std::thread::JoinHandle<()>> {
    let addr = served.addr;
    let write = move |writer: usize, acknowledged: &Mutex<Vec<String>>| {
        let mut client = crate::client::Client::new(addr, None);
        for number in 0.. {
            let text = format!("message-{round}-{writer}-{number}");
            let body = json!({"messages": [{"text": text}]}).to_string();
            let path = format!("/v1/remember?space=user:w{writer}");
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", text.as_str())];
            match client.send("POST", &path, &headers, body.as_bytes()) {
                Ok(answer) if answer.status == 200 => acknowledged.lock().unwrap().push(text),
                // It is stopping, and says so.
                Ok(answer) => assert_eq!(answer.status, 503, "{}", answer.text()),
                Err(_) => return,
            }
        }
    };
    let spawn = |writer| {
        let acknowledged = Arc::clone(acknowledged);
        std::thread::spawn(move || write(writer, &acknowledged))
    };
    (0..WRITERS).map(spawn).collect()
}

/// Every message that is stored.
fn stored(served: &Served) -> Vec<String> {
    let mut texts = Vec::new();
    for writer in 0..WRITERS {
        let (mut client, mut after) = (served.client(None), json!(0));
        loop {
            let arguments = json!({"limit": 1000, "after": after});
            let answer = client.call("items", &format!("user:w{writer}"), &arguments);
            if answer.status == 404 {
                break;
            }
            let page = answer.is(200);
            texts
                .extend(page["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap().to_owned()));
            match &page["next"] {
                Value::Null => break,
                next => after = next.clone(),
            }
        }
    }
    texts
}

fn nothing_acknowledged_is_lost(database: &TestDatabase, count: usize) {
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let mut served = Served::new(database);
    for round in 0..count {
        let writers = load(&served, round, &acknowledged);
        // In the midst of it, at another moment each time.
        let enough = acknowledged.lock().unwrap().len() + 20 + (round * 37) % 50;
        while acknowledged.lock().unwrap().len() < enough {
            assert!(!writers.iter().all(|writer| writer.is_finished()), "nobody writes any more");
            std::thread::sleep(Duration::from_millis(1));
        }
        let signal = if round % 2 == 0 { Signal::TERM } else { Signal::KILL };
        served.signal(signal);
        let status = served.end();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert_eq!(status.success(), signal == Signal::TERM, "{status}");
        served = served.again();
    }
    let texts = stored(&served);
    let distinct: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), texts.len(), "something is there twice");
    let acknowledged = acknowledged.lock().unwrap();
    let lost: Vec<&String> = acknowledged.iter().filter(|text| !distinct.contains(text)).collect();
    assert!(lost.is_empty(), "{} of {}: {lost:?}", lost.len(), acknowledged.len());
    println!("{} acknowledged in {count} rounds, {} stored", acknowledged.len(), texts.len());
}

#[test]
fn ch_25_4_sigterm_and_sigkill_under_load_lose_no_acknowledged_write() {
    nothing_acknowledged_is_lost(&sqlite(), rounds(4, 100));
}

#[test]
fn ch_25_4_sigterm_and_sigkill_under_load_lose_none_on_postgres() {
    nothing_acknowledged_is_lost(&TestDatabase::new(Engine::Postgres), rounds(2, 10));
}

#[test]
fn ch_25_a_server_that_stops_lets_running_calls_end() {
    let (asked, is_asked) = std::sync::mpsc::channel();
    let asked = Mutex::new(asked);
    let model = recordar_testkit::ModelServer::start(move |_| {
        asked.lock().unwrap().send(()).ok();
        std::thread::sleep(Duration::from_millis(700));
        let message =
            json!({"role": "assistant", "content": json!({"answer": "At dusk.", "citations": [1]}).to_string()});
        let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
        recordar_testkit::Answer::json(
            json!({"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}),
        )
    });
    let settings = format!(
        "[llm]\nprovider = 'compatible'\nmodel = 'small'\nbase_url = '{}'\napi_key = 'sk-test-http-0123456789'\nretries = 0\n",
        model.url()
    );
    let database = sqlite();
    let mut served = Served::with(&database, &settings);
    served
        .client(None)
        .call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit at dusk."}]}))
        .is(200);
    let addr = served.addr;
    let is_answered = Arc::new(AtomicBool::new(false));
    let asking = std::thread::spawn({
        let is_answered = Arc::clone(&is_answered);
        move || {
            let mut client = crate::client::Client::new(addr, None);
            let answer = client.call("ask", "user:ada", &json!({"query": "When is the lamp lit?"})).is(200);
            is_answered.store(true, Ordering::Relaxed);
            assert!(answer.to_string().contains("At dusk."), "{answer}");
        }
    });
    is_asked.recv_timeout(Duration::from_secs(60)).unwrap();
    served.signal(Signal::TERM);
    assert!(served.end().success());
    asking.join().unwrap();
    assert!(is_answered.load(Ordering::Relaxed));
    assert!(crate::client::connect(addr).is_err(), "nobody listens any more");
}
