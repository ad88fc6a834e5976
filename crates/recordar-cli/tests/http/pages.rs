//! Host and Origin, signing in, TLS, metrics, traces, the audit log, and the pages that need no key.

use crate::clock::until;
use crate::served::{Served, sqlite};
use recordar_testkit::{Answer as Said, ModelServer};
use serde_json::{Value, json};

#[test]
fn ch_25_other_host_names_and_origins_are_turned_away() {
    let database = sqlite();
    let served = Served::with(&database, "[server]\nallowed_origins = ['https://app.example']\n");
    let mut client = served.client(None);
    let mut status = |headers: &[(&str, &str)], path: &str, method: &str| {
        let answer = client.send(method, path, headers, b"").unwrap();
        (answer.status, answer.headers.get("access-control-allow-origin").cloned())
    };
    for path in ["/healthz", "/v1/spaces", "/mcp", "/", "/metrics"] {
        assert_eq!(status(&[("Host", "evil.example")], path, "GET").0, 403, "{path}");
        assert_eq!(status(&[("Origin", "https://evil.example")], path, "GET").0, 403, "{path}");
        assert_eq!(status(&[("Origin", "null")], path, "GET").0, 403, "{path}");
    }
    assert_eq!(status(&[("Origin", "https://evil.example")], "/v1/recall", "OPTIONS"), (403, None));
    let allowed = Some("https://app.example".to_owned());
    assert_eq!(status(&[("Origin", "https://app.example")], "/v1/recall", "OPTIONS"), (204, allowed.clone()));
    assert_eq!(status(&[("Origin", "https://app.example")], "/healthz", "GET"), (200, allowed));
    let own = format!("http://{}", served.addr);
    assert_eq!(status(&[("Origin", &own)], "/healthz", "GET"), (200, None));
}

#[test]
fn ch_25_a_page_signs_in_with_a_cookie_that_scripts_cannot_read() {
    let database = sqlite();
    let served = Served::new(&database);
    let ada = served.key("ada", &["--write", "user:ada"]);
    let mut client = served.client(None);
    let json_kind = ("Content-Type", "application/json");
    client.send("POST", "/session", &[json_kind], json!({"key": "rk_wrong"}).to_string().as_bytes()).unwrap().is(401);
    let signed = client.send("POST", "/session", &[json_kind], json!({"key": ada}).to_string().as_bytes()).unwrap();
    let cookie = signed.headers["set-cookie"].clone();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!signed.text().contains(&ada), "{}", signed.text());
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let session = client.send("GET", "/session", &[("Cookie", &cookie)], b"").unwrap().is(200);
    assert_eq!((&session["name"], &session["write"]), (&json!("ada"), &json!(["user:ada"])));
    let said = json!({"messages": [{"text": "lamp"}]}).to_string();
    client.send("POST", "/v1/remember", &[json_kind, ("Cookie", &cookie)], said.as_bytes()).unwrap().is(200);
    // Another site cannot use it.
    let forged = [json_kind, ("Cookie", cookie.as_str()), ("Origin", "https://evil.example")];
    client.send("POST", "/v1/remember", &forged, said.as_bytes()).unwrap().is(403);
    let out = client.send("DELETE", "/session", &[("Cookie", &cookie)], b"").unwrap();
    assert!(out.status == 204 && out.headers["set-cookie"].contains("Max-Age=0"));
}

#[test]
fn ch_25_e8_metrics_have_the_five_of_the_policy() {
    let database = sqlite();
    let served = Served::new(&database);
    let mut client = served.client(None);
    client.call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit at dusk."}]})).is(200);
    client.call("recall", "user:ada", &json!({"query": "When is the lamp lit?"})).is(200);
    let text = client.get("/metrics").text();
    for name in ["latency_ms", "results_count", "tokens_used", "dedup_ratio", "cache_hit_rate"] {
        assert!(text.contains(&format!("\nretrieval_{name}_count 1\n")), "{name}: {text}");
    }
    assert!(text.contains("recordar_http_requests_total{route=\"recall\",status=\"200\"} 1"), "{text}");
    // Every line is one that Prometheus reads: a comment, or a name with labels and a number.
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (_, number) = line.rsplit_once(' ').unwrap();
        assert!(number.parse::<f64>().is_ok(), "{line}");
    }
}

#[test]
fn ch_25_health_documents_and_pages_need_no_key() {
    let database = sqlite();
    let served = Served::new(&database);
    served.key("admin", &["--admin"]);
    let mut client = served.client(None);
    assert_eq!(client.get("/healthz").text(), "ok\n");
    assert_eq!(client.get("/readyz").text(), "ready\n");
    let document = client.get("/openapi.json").is(200);
    assert_eq!(document["openapi"], "3.1.0");
    let page = client.get("/docs");
    assert!(page.text().contains("<h2 id=\"recall\">"), "{}", page.text());
    assert!(page.headers["content-security-policy"].contains("default-src 'none'"));
    for (path, kind) in [("/", "text/html"), ("/assets/page.js", "text/javascript"), ("/assets/page.css", "text/css")] {
        let asset = client.get(path);
        assert!(asset.status == 200 && asset.headers["content-type"].starts_with(kind), "{path}: {asset:?}");
        assert!(asset.headers["content-security-policy"].contains("script-src 'self'"));
        let small = client.send("GET", path, &[("Accept-Encoding", "gzip, deflate, br")], b"").unwrap();
        assert_eq!(small.headers["content-encoding"], "deflate");
        assert!(small.body.len() < asset.body.len(), "{path}");
    }
}

#[test]
fn ch_25_the_audit_log_says_who_did_what_without_content() {
    let database = sqlite();
    let served = Served::with(&database, "[server]\naudit_file = 'audit.jsonl'\n");
    let ada = served.key("ada", &["--write", "user:ada"]);
    let mut client = served.client(Some(&ada));
    let headers = [("X-Request-Id", "r-1"), ("Idempotency-Key", "said")];
    client.call_with("remember", "user:ada", &json!({"messages": [{"text": "private words"}]}), &headers).is(200);
    client.call("recall", "user:eve", &json!({"query": "private question"})).is(403);
    served.client(Some("rk_wrong")).call("recall", "user:ada", &json!({"query": "x"})).is(401);
    let events = [("Accept", "text/event-stream")];
    assert_eq!(client.call_with("facts", "user:ada", &json!({"wrong": 1}), &events).status, 200);
    // A call with events is noted when it has ended.
    let read = || std::fs::read_to_string(served.folder().join("audit.jsonl")).unwrap();
    until(|| (read().lines().count() >= 4).then_some(()));
    let accept = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let tool = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": "x"}}});
    assert_eq!(client.send("POST", "/mcp", &accept, tool.to_string().as_bytes()).unwrap().status, 200);
    let text = read();
    assert!(!text.contains("private") && !text.contains(&ada) && !text.contains("rk_"), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["key_name"].as_str(),
                line["verb"].as_str().unwrap(),
                line["space"].as_str(),
                line["status"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [
        (Some("ada"), "remember", Some("user:ada"), 200),
        (Some("ada"), "recall", Some("user:eve"), 403),
        (None, "recall", None, 401),
        (Some("ada"), "facts", Some("user:ada"), 400),
        (Some("ada"), "mcp", Some("user:ada"), 200),
    ];
    assert_eq!(said, expected);
    assert_eq!((&lines[0]["request_id"], &lines[0]["operation"]), (&json!("r-1"), &json!("said")));
    assert_eq!(lines[4]["tool"], "recall");
    use std::os::unix::fs::PermissionsExt;
    let mode = served.folder().join("audit.jsonl").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn ch_25_traces_are_sent_to_a_collector() {
    let (send, sent) = std::sync::mpsc::channel();
    let collector = ModelServer::start(move |received| {
        send.send(received.body.clone()).ok();
        Said::json("{}")
    });
    let endpoint = collector.url();
    let endpoint = endpoint.trim_end_matches("/v1");
    let database = sqlite();
    let served = Served::with(&database, &format!("[server]\notlp_endpoint = '{endpoint}'\n"));
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    let headers = [("traceparent", parent.as_str()), ("X-Request-Id", "r-1")];
    served.client(None).call_with("recall", "user:ada", &json!({"query": "private"}), &headers);
    let sent = sent.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
    let span = serde_json::from_str::<Value>(&sent).unwrap()["resourceSpans"][0]["scopeSpans"][0]["spans"][0].clone();
    assert_eq!((&span["traceId"], &span["name"]), (&json!(trace), &json!("POST recall")));
    assert!(!sent.contains("private"), "{sent}");
}

#[test]
fn ch_25_an_address_for_others_needs_a_key_first() {
    let database = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_recordar"));
        command
            .args(arguments)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("RECORDAR_DATABASE", &database.url);
        command.output().unwrap()
    };
    let refused = run(&["serve", "--addr", "0.0.0.0:0"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("keys new"), "{said}");
    let wrong = run(&["serve", "--addr", "nowhere"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("127.0.0.1:7343"));
}

#[test]
fn ch_25_tls_by_certificate_files() {
    let database = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (certificate, key) = (path("cert.pem"), path("key.pem"));
    let openssl = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"])
        .args([
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-keyout",
            &key,
            "-out",
            &certificate,
        ])
        .output()
        .unwrap();
    assert!(openssl.status.success(), "{}", String::from_utf8_lossy(&openssl.stderr));
    let settings = format!("[server]\ntls_certificate = '{certificate}'\ntls_key = '{key}'\n");
    let served = Served::with(&database, &settings);
    let ask = |scheme: &str, path: &str| {
        let address = format!("{scheme}://localhost:{}{path}", served.addr.port());
        let mut curl = std::process::Command::new("curl");
        curl.args(["--silent", "--max-time", "20", "--cacert", &certificate, "--include", &address]).output().unwrap()
    };
    let answer = ask("https", "/healthz");
    assert!(String::from_utf8_lossy(&answer.stdout).ends_with("ok\n"), "{answer:?}");
    assert!(!ask("http", "/healthz").status.success(), "plain text is not TLS");
}
