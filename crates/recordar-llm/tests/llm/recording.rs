//! Replies that are recorded and replayed: the same results without a server and without cost, known by what was asked and by nothing
//! else, and no key in the file.

use crate::fixture::{Folder, KEY, clock, operation, options, remote, request, settings, text_request};
use crate::replies::{PROVIDERS, Reply};
use recordar_llm::{
    Ceiling, Ceilings, ChatModel, Client, ClientSettings, ErrorKind, MemoryLedger, ModelSettings, Output, Parameters,
    Recorded, RemoteOptions, Request, Schema, Secret, Spend, Structured, Table, Turn, request_digest,
};
use recordar_testkit::{Answer, ModelServer, Received};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const FITTING: &str = r#"{"category":"Lamps","id":1}"#;

/// Asks about one of many chunks.
fn asking(number: usize) -> Request {
    Request { turns: vec![Turn::user(format!("Chunk {number}: the lamp needs oil."))], ..request() }
}

fn client_of(model: impl ChatModel + 'static, settings: ClientSettings) -> Client {
    let profile = Table::built_in().profile("openai", "gpt-4o-mini").unwrap();
    Client::new(Box::new(model), profile.price, settings, Arc::new(MemoryLedger::default()), clock()).unwrap()
}

fn recorder(provider: (&str, &str), options: RemoteOptions, path: &Path) -> Recorded {
    Recorded::record(Box::new(remote(provider.0, provider.1, options)), path).unwrap()
}

fn settings_of(provider: (&str, &str)) -> ModelSettings {
    remote(provider.0, provider.1, options("http://127.0.0.1:1/v1", None)).settings().clone()
}

#[test]
fn a2_what_was_recorded_is_replayed_without_a_server_and_without_cost() {
    for provider in PROVIDERS {
        let folder = Folder::new();
        let path = folder.path().join("cassette.jsonl");
        // The first reply is wrong, so that a repair is recorded, too.
        let server = ModelServer::start(move |received: &Received| {
            let is_repair = received.body.contains("does not fit");
            let text = if is_repair { FITTING } else { r#"{"category":"Submarines","id":1}"# };
            let streams = received.path.contains("stream") || received.body.contains("\"stream\":true");
            let reply = Reply::new(text).counted(20, 10);
            if streams { Answer::stream(reply.stream(provider.0, 5), 9) } else { Answer::json(reply.body(provider.0)) }
        });
        let asked = |client: &Client| {
            let operation = operation(client);
            let value = client.structured(&request(), &operation, &|value| Ok(value.clone())).unwrap();
            let mut heard = String::new();
            let text = client.text(&text_request(), &operation, Some(&mut |text: &str| heard.push_str(text))).unwrap();
            assert_eq!(heard, text);
            (value, text, operation)
        };
        let repairing = ClientSettings { repairs: 1, ..settings() };
        let recording = client_of(recorder(provider, options(&server.url(), None), &path), repairing.clone());
        let (value, text, first) = asked(&recording);
        assert_eq!((server.received().len(), first.calls().len()), (3, 3));
        assert!(first.calls().iter().all(|call| !call.replayed && call.nano_usd > Some(0)));
        // A recorder that knows a reply does not ask again, and neither does one that reads the file anew.
        let again = client_of(recorder(provider, options(&server.url(), None), &path), repairing.clone());
        for known in [&recording, &again] {
            let (same, also, _) = asked(known);
            assert_eq!((&same, &also, server.received().len()), (&value, &text, 3));
        }
        drop(server);
        // Not one token may be spent.
        let nothing = Ceiling { tokens: Some(0), nano_usd: Some(0) };
        let ceilings = Ceilings { call: nothing, operation: nothing, day: nothing };
        let replay = Recorded::replay_file(settings_of(provider), &path).unwrap();
        let client = client_of(replay, ClientSettings { ceilings, ..repairing });
        let (same, also, second) = asked(&client);
        assert_eq!((same, also), (value, text));
        assert_eq!((client.spent_today().unwrap(), second.spent()), (Spend::default(), Spend::default()));
        let mut first: Vec<_> = first.calls();
        let second = second.calls();
        assert!(second.iter().all(|call| call.replayed && call.nano_usd == Some(0)));
        let outcomes: Vec<&str> = second.iter().map(|call| call.outcome.as_str()).collect();
        assert_eq!(outcomes, ["model_reply_unfit", "ok", "ok"], "the first one was repaired");
        first.iter_mut().zip(&second).for_each(|(first, second)| {
            (first.replayed, first.nano_usd, first.latency_ms) = (true, Some(0), second.latency_ms);
        });
        assert_eq!(first, second, "a replay is reported as the call was, but for its cost");
    }
}

#[test]
fn a2_what_was_not_recorded_fails_clearly() {
    let client = client_of(Recorded::replay(settings_of(PROVIDERS[1]), Vec::new()), settings());
    let operation = operation(&client);
    let error = client.structured(&request(), &operation, &|_| Ok(())).unwrap_err();
    let digest = request_digest(client.model(), &request()).to_string();
    assert!(error.kind == ErrorKind::Unrecorded && error.what.contains("claude-sonnet-4-5"), "{error}");
    assert!(error.what.contains(&digest) && error.remedy.contains("llm.cassette"), "{error} {}", error.remedy);
    assert_eq!((operation.spent(), client.spent_today().unwrap()), (Spend::default(), Spend::default()));
    assert!(operation.exchanges().is_empty());
}

#[test]
fn a2_a_reply_is_known_by_what_was_asked_and_by_nothing_else() {
    let base = options("http://127.0.0.1:1/v1", None);
    let digest = |provider: (&str, &str), options: RemoteOptions, request: &Request| {
        request_digest(remote(provider.0, provider.1, options).settings(), request)
    };
    let provider = PROVIDERS[0];
    let known = digest(provider, base.clone(), &request());
    let schema = |text: &str| {
        let schema = serde_json::from_str(text).unwrap();
        let schema = Schema { name: "n".to_owned(), description: "d".to_owned(), schema, held_to: None };
        Request { output: Output::Json(schema), ..request() }
    };
    let one = r#"{"type":"object","properties":{"b":{"enum":["x","y"]},"a":{"type":"integer"}}}"#;
    let other = r#"{"properties":{"a":{"type":"integer"},"b":{"enum":["x","y"]}},"type":"object"}"#;
    let turned = r#"{"type":"object","properties":{"b":{"enum":["y","x"]},"a":{"type":"integer"}}}"#;
    assert_eq!(digest(provider, base.clone(), &schema(one)), digest(provider, base.clone(), &schema(other)));
    assert_ne!(digest(provider, base.clone(), &schema(one)), digest(provider, base.clone(), &schema(turned)));
    for same in [
        options("https://elsewhere.example.org/v2", None),
        RemoteOptions { key: None, ..base.clone() },
        RemoteOptions { key: Some(Secret::new("another-key-entirely")), ..base.clone() },
        RemoteOptions { timeout: std::time::Duration::from_secs(1), ..base.clone() },
    ] {
        assert_eq!(digest(provider, same.clone(), &request()), known, "{same:?}");
    }
    let parameters = |temperature: Option<f64>, seed: Option<i64>| RemoteOptions {
        parameters: Parameters { temperature, seed },
        ..base.clone()
    };
    let asked = request();
    let others = [
        digest(("openai", "gpt-4o"), base.clone(), &asked),
        digest(("compatible", "gpt-4o-mini"), base.clone(), &asked),
        digest(provider, options("http://127.0.0.1:1/v1", Some(Structured::Tool)), &asked),
        digest(provider, options("http://127.0.0.1:1/v1", Some(Structured::Prompted)), &asked),
        digest(provider, parameters(Some(0.5), Some(7)), &asked),
        digest(provider, parameters(None, Some(7)), &asked),
        digest(provider, parameters(Some(0.0), Some(8)), &asked),
        digest(provider, parameters(Some(0.0), None), &asked),
        digest(provider, base.clone(), &text_request()),
        digest(provider, base.clone(), &schema(one)),
        digest(provider, base.clone(), &schema(turned)),
        digest(provider, base.clone(), &Request { system: "Other.".to_owned(), ..asked.clone() }),
        digest(provider, base.clone(), &Request { turns: vec![Turn::user("Other.")], ..asked.clone() }),
        digest(provider, base.clone(), &Request { turns: vec![Turn::model("Other.")], ..asked.clone() }),
        digest(provider, base.clone(), &Request { turns: vec![Turn::user("Oth"), Turn::user("er.")], ..asked.clone() }),
        digest(provider, base.clone(), &Request { max_output_tokens: 255, ..asked.clone() }),
        known,
    ];
    let mut distinct = others.to_vec();
    distinct.sort_unstable_by_key(|digest| digest.0);
    distinct.dedup();
    assert_eq!(distinct.len(), others.len());
}

#[test]
fn a2_a_damaged_cassette_is_refused_with_its_line() {
    let digest = request_digest(&settings_of(PROVIDERS[0]), &request());
    let good = json!({"request_sha256": digest, "text": "x", "finish": "stop"}).to_string();
    let folder = Folder::new();
    let path = folder.path().join("cassette.jsonl");
    let check = |damaged: &[u8], why: &str| {
        let content = [good.as_bytes(), b"\n\n", damaged, b"\n", good.as_bytes(), b"\n"].concat();
        std::fs::write(&path, &content).unwrap();
        let replayed = Recorded::replay_file(settings_of(PROVIDERS[0]), &path).map(drop).unwrap_err();
        let server = options("http://127.0.0.1:1/v1", None);
        let recorded =
            Recorded::record(Box::new(remote("openai", "gpt-4o-mini", server)), &path).map(drop).unwrap_err();
        for error in [replayed, recorded] {
            assert!(error.kind == ErrorKind::Invalid && error.what.contains("line 3"), "{why}: {error}");
            assert!(error.what.contains("cassette.jsonl") && error.remedy.contains("llm.cassette"), "{why}: {error}");
            assert_eq!(error.what.matches("line ").count(), 1, "{why}: {error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), content, "{why}: what is damaged is left alone");
    };
    check(&good.as_bytes()[..good.len() / 2], "cut");
    check(b"garbage", "garbage");
    check(b"{}", "nothing in it");
    check(good.replace("stop", "fly").as_bytes(), "no such end");
    check(good.replace("\"text\":\"x\"", "\"text\":\"\u{fffd}\"").replace('\u{fffd}', "\u{0}").as_bytes(), "a NUL");
    check(b"{\"request_sha256\": \"12\", \"text\": \"x\", \"finish\": \"stop\"}", "no digest");
    check(b"\xff\xfe\x00", "no UTF-8");
    check("[".repeat(100_000).as_bytes(), "deep");
    let error = Recorded::replay_file(settings_of(PROVIDERS[0]), &folder.path().join("none")).map(drop).unwrap_err();
    assert!(error.what.contains("none") && error.remedy.contains("llm.cassette"), "{error}");
}

#[test]
fn a2_threads_that_record_into_one_cassette_lose_nothing() {
    const EACH: usize = 50;
    let folder = Folder::new();
    let path = folder.path().join("cassette.jsonl");
    let long = "long ".repeat(5000);
    let server = ModelServer::start(move |received: &Received| {
        let body: Value = serde_json::from_str(&received.body).unwrap();
        let said = body["messages"][1]["content"].as_str().unwrap();
        Answer::json(Reply::new(format!("{said} {long}")).body("openai"))
    });
    // Two in one process share a recorder; another process has its own.
    let recorders = [0, 1].map(|_| client_of(recorder(PROVIDERS[0], options(&server.url(), None), &path), settings()));
    let text_of = |number: usize| Request { output: Output::Text, max_output_tokens: 2000, ..asking(number) };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let client = &recorders[thread % 2];
            scope.spawn(move || {
                for number in 0..EACH {
                    client.text(&text_of(thread * EACH + number), &operation(client), None).unwrap();
                }
                // Some that everybody asks.
                for number in 1000..1010 {
                    client.text(&text_of(number), &operation(client), None).unwrap();
                }
            });
        }
    });
    drop(server);
    let client = client_of(Recorded::replay_file(settings_of(PROVIDERS[0]), &path).unwrap(), settings());
    for number in (0..4 * EACH).chain(1000..1010) {
        let text = client.text(&text_of(number), &operation(&client), None).unwrap();
        assert!(text.starts_with(&format!("Chunk {number}: the lamp needs oil. long ")) && text.len() > 25_000);
    }
}

#[test]
fn a2_the_first_of_two_replies_to_one_request_stands() {
    let folder = Folder::new();
    let path = folder.path().join("cassette.jsonl");
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let both = std::sync::Barrier::new(2);
    let server = ModelServer::start(move |_| {
        // Both ask before either has a reply.
        both.wait();
        let number = calls.fetch_add(1, std::sync::atomic::Ordering::AcqRel);
        Answer::json(Reply::new(format!("reply {number}")).body("openai"))
    });
    let client = client_of(recorder(PROVIDERS[0], options(&server.url(), None), &path), settings());
    let ask = |client: &Client| client.text(&text_request(), &operation(client), None).unwrap();
    std::thread::scope(|scope| [0, 1].map(|_| scope.spawn(|| ask(&client))).map(|call| call.join().unwrap()));
    let replay = client_of(Recorded::replay_file(settings_of(PROVIDERS[0]), &path).unwrap(), settings());
    assert_eq!(ask(&client), ask(&replay), "who recorded and who replays are told the same");
}

#[test]
fn a2_no_key_is_recorded() {
    let escaped: String = KEY.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    for provider in PROVIDERS {
        let folder = Folder::new();
        let path = folder.path().join("cassette.jsonl");
        let text = format!("{{\"category\":\"Lamps\",\"id\":1,\"key\":\"{KEY} {escaped}\"}}");
        let server = ModelServer::start(move |received: &Received| {
            let reply = Reply { is_tool: received.body.contains("\"tools\""), ..Reply::new(&text) };
            let streams = received.path.contains("stream") || received.body.contains("\"stream\":true");
            if streams { Answer::stream(reply.stream(provider.0, 5), 9) } else { Answer::json(reply.body(provider.0)) }
        });
        for mode in Structured::ALL {
            let client = client_of(recorder(provider, options(&server.url(), Some(mode)), &path), settings());
            let error = client.structured(&asking(1), &operation(&client), &|_| Ok(())).unwrap_err();
            client.text(&asking(2), &operation(&client), Some(&mut |_: &str| {})).unwrap();
            assert!(!error.to_string().contains(KEY), "{error}");
        }
        let file = std::fs::read_to_string(&path).unwrap();
        let read: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read.len(), 6);
        for line in read {
            let text = line["text"].as_str().unwrap();
            assert!(text.contains("[key]") && !text.contains(KEY) && !text.contains(&escaped), "{provider:?}: {text}");
        }
        assert!(!file.contains(KEY) && !file.contains("Bearer") && !file.contains("127.0.0.1"));
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions()) & 0o777, 0o600);
    }
}
