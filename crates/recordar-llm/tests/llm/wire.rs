//! Each provider's wire format, against the recorded shapes of its public API in `shapes/`: what goes out is the expected body and headers,
//! what comes in is read, whole and streamed.

use crate::fixture::{KEY, client, operation, options, remote, request, settings, text_request};
use recordar_llm::{CallReport, Client, Error, Request, Structured};
use recordar_testkit::{Answer, ModelServer, Received};
use serde_json::{Value, json};
use std::path::PathBuf;

const PROVIDERS: [(&str, &str); 3] =
    [("openai", "gpt-4o-mini"), ("anthropic", "claude-sonnet-4-5"), ("gemini", "gemini-2.5-flash")];

fn shape(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/llm/shapes").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn shape_json(name: &str) -> Value {
    serde_json::from_str(&shape(name)).unwrap()
}

/// What a reply came to: the text, or why there is none; what was reported; what was sent.
struct Seen {
    result: Result<String, Error>,
    report: CallReport,
    heard: String,
    received: Received,
}

fn ask(
    provider: (&str, &str),
    structured: Option<Structured>,
    answer: Answer,
    request: &Request,
    streams: bool,
) -> Seen {
    let server = ModelServer::start(move |_| answer.clone());
    let client: Client = client(remote(provider.0, provider.1, options(&server.url(), structured)), settings());
    let operation = operation(&client);
    let mut heard = String::new();
    let mut hear = |text: &str| heard.push_str(text);
    let result = client.text(request, &operation, if streams { Some(&mut hear) } else { None });
    let report = operation.calls().pop().unwrap();
    Seen { result, report, heard, received: server.received().pop().unwrap() }
}

fn check_request(provider: (&str, &str), structured: Option<Structured>, request: &Request, streams: bool, name: &str) {
    let seen = ask(provider, structured, Answer::HangUp, request, streams);
    let body: Value = serde_json::from_str(&seen.received.body).unwrap();
    assert_eq!(body, shape_json(&format!("{}/{name}", provider.0)), "{provider:?} {name}");
    let endpoint = shape_json(&format!("{}/endpoint.json", provider.0));
    let url = endpoint[if streams { "stream_url" } else { "url" }].as_str().unwrap();
    let path = seen.received.path.strip_prefix("/v1").unwrap();
    assert!(url.ends_with(path), "{url} {path}");
    let headers = shape_json(&format!("{}/headers.json", provider.0));
    for (name, value) in headers.as_object().unwrap().iter().filter(|(name, _)| *name != "accept") {
        assert_eq!(seen.received.headers.get(name).map(String::as_str), value.as_str(), "{provider:?} {name}");
    }
    let holding_key = seen.received.headers.values().filter(|value| value.contains(KEY)).count();
    assert_eq!((holding_key, seen.received.path.contains(KEY)), (1, false));
}

#[test]
fn a2_requests_are_what_each_provider_documents() {
    for provider in PROVIDERS {
        let is_gemini = provider.0 == "gemini";
        let native = if is_gemini { "request_native_json_schema.json" } else { "request_native.json" };
        let tool = if is_gemini { "request_tool_json_schema.json" } else { "request_tool.json" };
        check_request(provider, Some(Structured::Native), &request(), false, native);
        check_request(provider, Some(Structured::Tool), &request(), false, tool);
        check_request(provider, None, &text_request(), false, "request_text.json");
        check_request(provider, None, &text_request(), true, "request_stream_text.json");
    }
}

#[test]
fn a2_a_prompted_schema_stands_in_the_prompt() {
    for provider in PROVIDERS {
        let seen = ask(provider, Some(Structured::Prompted), Answer::HangUp, &request(), false);
        assert!(seen.received.body.contains("Lamps") && seen.received.body.contains("additionalProperties"));
        assert!(!seen.received.body.contains("json_schema") && !seen.received.body.contains("tool"), "{provider:?}");
    }
}

fn check_reply(provider: (&str, &str), name: &str, expected: Result<&str, &str>) -> CallReport {
    let text = shape(&format!("{}/{name}", provider.0));
    let streams = name.ends_with(".sse");
    let answer = if streams { Answer::stream(text, 7) } else { Answer::json(text) };
    let asked = if name.contains("text") { text_request() } else { request() };
    let seen = ask(provider, None, answer, &asked, streams);
    match (&seen.result, expected) {
        (Ok(text), Ok(expected)) => {
            let same = serde_json::from_str::<Value>(expected).map_or_else(
                |_| text.trim() == expected,
                |value| serde_json::from_str::<Value>(text).ok() == Some(value),
            );
            assert!(same, "{provider:?} {name}: {text}");
            assert!(!streams || seen.heard == *text, "{provider:?} {name}: heard {}", seen.heard);
        }
        (Err(error), Err(expected)) => {
            assert!(error.to_string().contains(expected), "{provider:?} {name}: {error}");
            assert!(error.to_string().contains(provider.1) && !error.remedy.is_empty(), "{error}");
        }
        (result, _) => panic!("{provider:?} {name}: {result:?}"),
    }
    seen.report
}

#[test]
fn a2_replies_are_read_whole_and_streamed() {
    const FITTING: &str = "{\"category\":\"Lamps\",\"id\":1}";
    for provider in PROVIDERS {
        for (name, expected) in [
            ("reply_native.json", FITTING),
            ("reply_tool.json", FITTING),
            ("reply_text.json", "Lamps."),
            ("stream_native.sse", FITTING),
            ("stream_tool.sse", FITTING),
            ("stream_text.sse", "Lamps."),
        ] {
            let report = check_reply(provider, name, Ok(expected));
            assert!(report.is_counted && report.tokens_prompt > 0 && report.tokens_completion > 0, "{name} {report:?}");
        }
        check_reply(provider, "reply_refused.json", Err("refused"));
        check_reply(provider, "reply_parallel_tools.json", Err("called 2 tools"));
        check_reply(provider, "stream_refused.sse", Err("refused"));
    }
    let check_tokens = |provider, name: &str, prompt: u64, completion: u64| {
        let report = check_reply(provider, name, Ok(FITTING));
        assert_eq!((report.tokens_prompt, report.tokens_completion), (prompt, completion), "{provider:?} {name}");
    };
    let [openai, anthropic, gemini] = PROVIDERS;
    let usage = |provider: &str, name: &str, at: &str| {
        shape_json(&format!("{provider}/{name}")).pointer(at).unwrap().as_u64().unwrap()
    };
    let cached = |at: &str| usage("anthropic", "reply_cached.json", at);
    check_tokens(
        anthropic,
        "reply_cached.json",
        cached("/usage/input_tokens")
            + cached("/usage/cache_read_input_tokens")
            + cached("/usage/cache_creation_input_tokens"),
        cached("/usage/output_tokens"),
    );
    let thought = |at: &str| usage("gemini", "reply_thinking.json", at);
    check_tokens(
        gemini,
        "reply_thinking.json",
        thought("/usageMetadata/promptTokenCount"),
        thought("/usageMetadata/candidatesTokenCount") + thought("/usageMetadata/thoughtsTokenCount"),
    );
    check_reply(anthropic, "reply_thinking.json", Ok(FITTING));
    check_reply(anthropic, "stream_thinking.sse", Ok(FITTING));
    check_reply(anthropic, "stream_error.sse", Err("error"));
    check_reply(openai, "stream_cut.sse", Err("incomplete"));
    check_reply(openai, "stream_error.sse", Err("error"));
    check_reply(openai, "reply_filtered.json", Err("refused"));
    check_reply(gemini, "reply_refused_candidate.json", Err("refused"));
}

#[test]
fn a2_a_truncated_reply_does_not_fit() {
    for provider in PROVIDERS {
        let text = shape(&format!("{}/reply_truncated.json", provider.0));
        let server = ModelServer::start(move |_| Answer::json(&text));
        let client = client(remote(provider.0, provider.1, options(&server.url(), None)), settings());
        let error = client.structured(&request(), &operation(&client), &|_| Ok(())).unwrap_err();
        assert!(error.what.contains("cut off at 256 tokens"), "{error}");
        assert_eq!(error.code(), "model_reply_unfit");
    }
}

#[test]
fn a2_errors_say_what_each_provider_said() {
    let check = |provider: (&str, &str), name: &str, status: u16, code: &str, remedy: &str| {
        let body = shape(&format!("{}/{name}", provider.0));
        let seen = ask(provider, None, Answer::status(status, body), &request(), false);
        let error = seen.result.unwrap_err();
        assert_eq!(error.code(), code, "{provider:?} {name}: {error}");
        assert!(error.remedy.contains(remedy), "{provider:?} {name}: {}", error.remedy);
        assert!(
            error.to_string().contains(provider.1) && error.to_string().contains(&format!("HTTP {status}")),
            "{error}"
        );
        assert_eq!((seen.report.outcome.as_str(), seen.report.tokens_prompt), (code, 0), "{name}");
    };
    for provider in PROVIDERS {
        check(provider, "error_400.json", 400, "model_rejected", "llm.structured");
        check(provider, "error_401.json", if provider.0 == "gemini" { 400 } else { 401 }, "model_rejected", "_API_KEY");
        check(provider, "error_404_model.json", 404, "model_rejected", "llm.model");
        check(provider, "error_429.json", 429, "model_rate_limited", "later");
        check(provider, "error_500_or_529.json", 529, "model_away", "later");
    }
    check(PROVIDERS[0], "error_429_quota.json", 429, "model_rejected", "account");
    check(PROVIDERS[1], "error_429_spend.json", 429, "model_rejected", "account");
    check(PROVIDERS[2], "error_429_daily.json", 429, "model_rejected", "account");
}

#[test]
fn a2_compatible_servers_are_understood_with_their_differences() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/llm/shapes/compatible");
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() > 40);
    for name in names {
        let text = shape(&format!("compatible/{name}"));
        let is_error = name.contains("error");
        let streams = name.ends_with(".sse");
        let status = if is_error && !streams && !name.contains("_200") { 500 } else { 200 };
        let answer = if streams { Answer::stream(text, 11) } else { Answer::status(status, text) };
        let server = ModelServer::start(move |_| answer.clone());
        let client = client(remote("compatible", "any", options(&server.url(), None)), settings());
        let operation = operation(&client);
        if is_error {
            let mut hear = |_: &str| {};
            let error = client.text(&request(), &operation, if streams { Some(&mut hear) } else { None }).unwrap_err();
            assert!(
                error.what.starts_with("compatible any: at 127.0.0.1:") && !error.remedy.is_empty(),
                "{name}: {error}"
            );
            continue;
        }
        if streams {
            let mut hear = |_: &str| {};
            let text =
                client.text(&request(), &operation, Some(&mut hear)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(text.contains("Lamps"), "{name}: {text}");
        } else if let Err(error) = client.structured(&request(), &operation, &|value| {
            if *value == json!({"category": "Lamps", "id": 1}) { Ok(()) } else { Err(value.to_string()) }
        }) {
            // One that was stopped by the server is not taken for a reply.
            assert!(name.contains("stopped"), "{name}: {error}");
        }
    }
}
