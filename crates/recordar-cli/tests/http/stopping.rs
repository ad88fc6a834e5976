//! Stopped and killed under load: what was acknowledged is there, and nothing is there twice.

use crate::served::{Served, sqlite};
use recordar_testkit::{Engine, TestDatabase, rounds};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const WRITERS: usize = 8;

/// Writes as fast as the server answers, until it does not. What it acknowledged comes from the channel, which ends with the writers.
fn load(served: &Served, round: usize) -> (Vec<std::thread::JoinHandle<()>>, Receiver<String>) {
    let addr = served.addr;
    let (acknowledge, acknowledged) = channel();
    let write = move |writer: usize, acknowledge: Sender<String>| {
        let mut client = crate::client::Client::new(addr, None);
        for number in 0.. {
            let text = format!("message-{round}-{writer}-{number}");
            let body = json!({"messages": [{"text": text}]}).to_string();
            let path = format!("/v1/remember?space=user:w{writer}");
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", text.as_str())];
            match client.send("POST", &path, &headers, body.as_bytes()) {
                Ok(answer) if answer.status == 200 => acknowledge.send(text).unwrap(),
                // It is stopping, and says so.
                Ok(answer) => assert_eq!(answer.status, 503, "{}", answer.text()),
                Err(_) => return,
            }
        }
    };
    let spawn = |writer| {
        let acknowledge = acknowledge.clone();
        std::thread::spawn(move || write(writer, acknowledge))
    };
    ((0..WRITERS).map(spawn).collect(), acknowledged)
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
    let mut acknowledged = Vec::new();
    let mut served = Served::new(database);
    for round in 0..count {
        let (writers, told) = load(&served, round);
        // In the midst of it, at another moment each time.
        for _ in 0..20 + (round * 37) % 50 {
            acknowledged.push(told.recv().expect("somebody writes"));
        }
        let signal = if round % 2 == 0 { Signal::TERM } else { Signal::KILL };
        served.signal(signal);
        let status = served.end();
        acknowledged.extend(told);
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert_eq!(status.success(), signal == Signal::TERM, "{status}");
        served = served.again();
    }
    let texts = stored(&served);
    let distinct: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), texts.len(), "something is there twice");
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
    let ((asked, is_asked), (go_on, may_go_on)) = (channel(), channel());
    let (asked, may_go_on) = (Mutex::new(asked), Mutex::new(may_go_on));
    let model = recordar_testkit::ModelServer::start(move |_| {
        asked.lock().unwrap().send(()).ok();
        may_go_on.lock().unwrap().recv_timeout(Duration::from_secs(60)).ok();
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
    let mut idle = BufReader::new(crate::client::connect(addr).unwrap());
    idle.get_mut().write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert_eq!(crate::client::read(&mut idle).unwrap().status, 200);
    served.signal(Signal::TERM);
    // A server that stops closes idle connections first. The model replies only then.
    assert_eq!(idle.read_to_end(&mut Vec::new()).unwrap(), 0);
    go_on.send(()).unwrap();
    assert!(served.end().success());
    asking.join().unwrap();
    assert!(is_answered.load(Ordering::Relaxed));
    assert!(crate::client::connect(addr).is_err(), "nobody listens any more");
}
