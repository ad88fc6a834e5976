//! Calls over HTTP: at once, repeated, as events, without waiting, with files.

use crate::client::{connect, read};
use crate::clock::until;
use crate::served::{Served, sqlite};
use recordar_testkit::{Answer as Said, ModelServer};
use serde_json::{Value, json};
use std::io::{BufReader, Write};

#[test]
fn ch_25_a_repeated_write_has_no_further_effect() {
    let database = sqlite();
    let served = Served::new(&database);
    let mut client = served.client(None);
    let said = json!({"messages": [{"text": "The lamp is lit at dusk."}]});
    let first = client.call_with("remember", "user:ada", &said, &[("Idempotency-Key", "once")]);
    assert_eq!(first.headers["recordar-operation"], "once");
    let again = client.call_with("remember", "user:ada", &said, &[("Idempotency-Key", "once")]).is(200);
    assert_eq!((&again["items"], &again["repeated"]), (&first.is(200)["items"], &json!(true)));
    let other = json!({"messages": [{"text": "Something else."}]});
    let reused = client.call_with("remember", "user:ada", &other, &[("Idempotency-Key", "once")]).is(409);
    assert_eq!(reused["code"], "operation_reused");
    let both = json!({"messages": [{"text": "x"}], "operation": "one"});
    client.call_with("remember", "user:ada", &both, &[("Idempotency-Key", "two")]).is(400);
    let known = client.get("/v1/operations/once?space=user:ada").is(200);
    assert_eq!((&known["state"], &known["verb"]), (&json!("done"), &json!("remember")), "{known}");
    client.get("/v1/operations/never?space=user:ada").is(404);
}

#[test]
fn ch_25_mistakes_are_problems_with_a_remedy() {
    let database = sqlite();
    let served = Served::new(&database);
    let mut client = served.client(None);
    for (status, method, path, kind, body) in [
        (400, "POST", "/v1/recall", "application/json", "{}"),
        (400, "POST", "/v1/recall", "application/json", "{\"query\": \"x\", \"tok_k\": 3}"),
        (400, "POST", "/v1/recall", "application/json", "{\"query\": \"x\", \"top_k\": 100000}"),
        (400, "POST", "/v1/recall", "application/json", "[1]"),
        (400, "POST", "/v1/recall", "application/json", "{"),
        (400, "POST", "/v1/recall?spaces=user:ada", "application/json", "{\"query\": \"x\"}"),
        (400, "POST", "/v1/recall?space=ada", "application/json", "{\"query\": \"x\"}"),
        (404, "POST", "/v1/nothing", "application/json", "{}"),
        (404, "GET", "/v2", "application/json", ""),
        (405, "GET", "/v1/recall", "application/json", ""),
        (405, "DELETE", "/healthz", "application/json", ""),
        (415, "POST", "/v1/recall", "text/plain", "{\"query\": \"x\"}"),
        (415, "POST", "/v1/recall", "application/x-www-form-urlencoded", "query=x"),
    ] {
        let answer =
            client.send(method, path, &[("Content-Type", kind), ("X-Request-Id", "mine")], body.as_bytes()).unwrap();
        assert_eq!(answer.status, status, "{method} {path} {body}: {}", answer.text());
        assert_eq!(answer.headers["content-type"], "application/problem+json");
        let problem = answer.json();
        for field in ["type", "title", "detail", "code", "remedy"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {problem}");
        }
        assert_eq!((&problem["status"], &problem["request_id"]), (&json!(status), &json!("mine")));
        assert_eq!(answer.headers["x-request-id"], "mine");
        assert!(status != 405 || answer.headers.contains_key("allow"));
    }
}

#[test]
fn ch_25_long_work_goes_on_by_itself_and_can_be_asked_about() {
    let database = sqlite();
    let served = Served::new(&database);
    let mut client = served.client(None);
    let text = json!({"text": "# Lamps\n\nThe lamp is lit at dusk.", "name": "lamps.md"});
    let headers = [("Prefer", "respond-async"), ("Idempotency-Key", "long")];
    let begun = client.call_with("ingest_text", "user:ada", &text, &headers);
    let address = begun.headers["location"].clone();
    assert_eq!(begun.is(202)["operation"], "long");
    let ended = until(|| Some(client.get(&address).is(200)).filter(|state| state["state"] != "running"));
    assert_eq!((&ended["state"], &ended["result"]["totals"]["added"]), (&json!("done"), &json!(1)), "{ended}");
    let gone = client.send("DELETE", &address, &[], b"").unwrap().is(404);
    assert!(gone["remedy"].as_str().unwrap().contains("GET"), "{gone}");
}

/// The events of a stream: their names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let event = |part: &str| {
        let (name, data) = part.split_once('\n').unwrap();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), data)
    };
    text.split_terminator("\n\n").map(event).collect()
}

#[test]
fn ch_25_answers_and_progress_come_as_events() {
    let model = ModelServer::start(|_| {
        let chunk =
            |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
        let end = format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
        Said::stream(chunk("At ") + &chunk("dusk.") + &end + "data: [DONE]\n\n", 20)
    });
    let settings = format!(
        "[llm]\nprovider = 'compatible'\nmodel = 'small'\nbase_url = '{}'\napi_key = 'sk-test-http-0123456789'\nretries = 0\n",
        model.url()
    );
    let database = sqlite();
    let served = Served::with(&database, &settings);
    let mut client = served.client(None);
    client.call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit at dusk."}]})).is(200);
    let accept = [("Accept", "text/event-stream")];
    let question = json!({"query": "When is the lamp lit?", "send": true});
    let answer = client.call_with("compose", "user:ada", &question, &accept);
    assert_eq!((answer.status, answer.headers["content-type"].as_str()), (200, "text/event-stream"));
    let told = events(&answer.text());
    let text: String =
        told.iter().filter(|(name, _)| name == "text").map(|(_, data)| data["text"].as_str().unwrap()).collect();
    let (name, last) = told.last().unwrap();
    assert_eq!((text.as_str(), name.as_str()), ("At dusk.", "result"), "{told:?}");
    assert!(last["sent"].to_string().contains("At dusk."), "{last}");
    let refused = client.call_with("compose", "user:ada", &json!({"query": ""}), &accept);
    assert_eq!(events(&refused.text()).last().unwrap().0, "problem");
}

#[test]
fn ch_25_a_call_whose_client_has_gone_is_cancelled() {
    let (asked, is_asked) = std::sync::mpsc::channel();
    let asked = std::sync::Mutex::new(asked);
    let model = ModelServer::start(move |_| {
        asked.lock().unwrap().send(()).ok();
        Said::Silence(Vec::new())
    });
    let settings = format!(
        "[llm]\nprovider = 'compatible'\nmodel = 'small'\nbase_url = '{}'\napi_key = 'sk-test-http-0123456789'\nretries = 0\n",
        model.url()
    );
    let database = sqlite();
    let served = Served::with(&database, &settings);
    served
        .client(None)
        .call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit at dusk."}]}))
        .is(200);
    let body = json!({"query": "When is the lamp lit?"}).to_string();
    let mut stream = connect(served.addr).unwrap();
    let head = format!(
        "POST /v1/ask?space=user:ada HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        served.addr,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    is_asked.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
    drop(stream);
    // The call gives up its model, and so its place.
    until(|| served.client(None).get("/metrics").text().contains("recordar_calls_running 0").then_some(()));
    // Another one is cancelled by its id.
    let id = [("Prefer", "respond-async"), ("Idempotency-Key", "asked")];
    let (ada, admin) = (served.key("ada", &["--write", "user:ada"]), served.key("admin", &["--admin"]));
    let eager = served.key("eager", &["--write", "user:*"]);
    served.client(Some(&ada)).call_with("ask", "user:ada", &json!({"query": "When is the lamp lit?"}), &id).is(202);
    is_asked.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
    // It is the affair of its key and of administrators.
    let others = served.client(Some(&eager)).send("DELETE", "/v1/operations/asked?space=user:ada", &[], b"").unwrap();
    others.is(404);
    let mut client = served.client(Some(&admin));
    assert_eq!(client.get("/v1/operations/asked?space=user:ada").is(200)["state"], "running");
    client.send("DELETE", "/v1/operations/asked?space=user:ada", &[], b"").unwrap().is(202);
    let mut asked = || client.get("/v1/operations/asked?space=user:ada").is(200);
    let state = until(|| Some(asked()).filter(|state| state["state"] != "running"));
    assert_eq!((&state["state"], &state["problem"]["code"]), (&json!("cancelled"), &json!("cancelled")), "{state}");
}

#[test]
fn ch_25_files_are_sent_and_taken_by_those_who_may_use_the_space() {
    let database = sqlite();
    let served = Served::new(&database);
    let (admin, ada) = (served.key("admin", &["--admin"]), served.key("ada", &["--write", "user:ada"]));
    let mut client = served.client(Some(&ada));
    let files: [(&str, &[u8]); 2] =
        [("notes/lamps.md", b"# Lamps\n\nThe lamp is lit at dusk."), ("bees.txt", b"The hives face south.")];
    let report = client.upload("/v1/ingest", &files, &json!({"tags": ["sent"]})).is(200);
    assert_eq!(report["totals"]["added"], 2, "{report}");
    let found = client.call("recall", "user:ada", &json!({"query": "When is the lamp lit?"})).is(200);
    assert!(found["text"].as_str().unwrap().contains("dusk"), "{found}");
    let names = client.call("documents", "user:ada", &json!({})).is(200).to_string();
    assert!(names.contains("notes/lamps.md") && !names.contains("tmp"), "{names}");
    // The same again changes nothing; another content is another version.
    assert_eq!(client.upload("/v1/ingest", &files, &json!({})).is(200)["totals"]["unchanged"], 2);
    let report = client.upload("/v1/ingest", &[("bees.txt", b"The hives face north.")], &json!({})).is(200);
    assert_eq!(report["files"][0]["version"], 2, "{report}");
    let damaged = client.upload("/v1/ingest", &[("report.pdf", b"%PDF-1.7 broken")], &json!({})).is(200);
    assert_eq!(damaged["totals"]["failed"], 1, "{damaged}");
    for arguments in [json!({"prune": true}), json!({"paths": ["/etc/passwd"]}), json!({"root": "/"})] {
        client.upload("/v1/ingest", &files, &arguments).is(400);
    }
    // An export of a space is a download, and an import an upload.
    let export = client.call("export", "user:ada", &json!({}));
    assert_eq!((export.status, export.headers["content-type"].as_str()), (200, "application/x-ndjson"));
    assert!(export.text().contains("The hives face north."));
    assert_eq!(client.call("export", "user:ada", &json!({"all": true})).status, 403);
    assert_eq!(client.call("export", "user:ada", &json!({"file": "x.jsonl"})).status, 403);
    assert_eq!(client.call("backup", "user:ada", &json!({})).status, 403);
    let known = client.upload("/v1/import?space=user:ada", &[("ada.jsonl", &export.body)], &json!({})).is(200);
    assert_eq!(known["spaces"][0]["known"], true, "{known}");
    // An export names its space: it leads nobody into another.
    let mut root = served.client(Some(&admin));
    root.call("remember", "user:eve", &json!({"messages": [{"text": "secret"}]})).is(200);
    let eves = root.call("export", "user:eve", &json!({}));
    let refused = client.upload("/v1/import?space=user:ada", &[("eve.jsonl", &eves.body)], &json!({}));
    assert!(refused.status >= 400, "{}", refused.text());
    let each = client.upload("/v1/import?space=user:ada", &[("x.json", b"[]")], &json!({"each_user": true}));
    assert_eq!(each.status, 403, "{}", each.text());
    // A backup is the administrator's, and so is its restoration.
    let backup = root.call("backup", "user:ada", &json!({}));
    assert_eq!(backup.status, 200);
    root.call("forget", "user:eve", &json!({"whole_space": true})).is(200);
    assert_eq!(client.upload("/v1/restore", &[("b.jsonl", &backup.body)], &json!({})).status, 403);
    root.upload("/v1/restore", &[("b.jsonl", &backup.body)], &json!({})).is(200);
    assert!(root.call("export", "user:eve", &json!({})).text().contains("secret"));
}

#[test]
fn ch_25_lists_come_in_pages() {
    let database = sqlite();
    let served = Served::new(&database);
    let mut client = served.client(None);
    let messages: Vec<Value> = (0..25).map(|number| json!({"text": format!("lamp {number}")})).collect();
    client.call("remember", "user:ada", &json!({ "messages": messages })).is(200);
    let (mut after, mut seen) = (json!(0), 0);
    loop {
        let page = client.call("items", "user:ada", &json!({"limit": 10, "after": after})).is(200);
        seen += page["items"].as_array().unwrap().len();
        match &page["next"] {
            Value::Null => break,
            next => after = next.clone(),
        }
    }
    assert_eq!(seen, 25);
}

#[test]
fn ch_25_agents_call_over_http_with_the_rights_of_their_key() {
    let database = sqlite();
    let served = Served::new(&database);
    let (ada, reader) = (served.key("ada", &["--write", "user:ada"]), served.key("reader", &["--read", "user:ada"]));
    let ask = |key: &str, path: &str, message: Value| {
        let headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        served.client(Some(key)).send("POST", path, &headers, message.to_string().as_bytes()).unwrap()
    };
    let call = |name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let said = call("remember", json!({"messages": [{"text": "The lamp is lit at dusk."}]}));
    let stored = ask(&ada, "/mcp", said.clone());
    assert_eq!(stored.status, 200, "{}", stored.text());
    assert!(stored.text().contains("\"isError\":false") || !stored.text().contains("isError"), "{}", stored.text());
    let found = ask(&reader, "/mcp", call("recall", json!({"query": "When is the lamp lit?"})));
    assert!(found.text().contains("dusk"), "{}", found.text());
    let tools = ask(&reader, "/mcp", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).text();
    assert!(tools.contains("\"recall\"") && !tools.contains("\"remember\""), "{tools}");
    assert!(ask(&reader, "/mcp", said).text().contains("error"));
    assert_eq!(ask(&ada, "/mcp?space=user:eve", call("recall", json!({"query": "x"}))).status, 403);
    assert_eq!(ask("rk_0", "/mcp", call("recall", json!({"query": "x"}))).status, 401);
}

#[test]
fn ch_25_one_connection_serves_many_requests_and_pipelined_ones_in_order() {
    let database = sqlite();
    let served = Served::new(&database);
    let stream = connect(served.addr).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    for id in 0..20 {
        let head = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: {id}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
    }
    for id in 0..20 {
        assert_eq!(read(&mut reader).unwrap().headers["x-request-id"], id.to_string());
    }
}
