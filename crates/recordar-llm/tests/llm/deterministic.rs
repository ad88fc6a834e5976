//! Deterministic mode: temperature 0 and a seed are sent where a provider takes them, and what was sent is recorded with the replies.

use crate::fixture::{client, operation, options, remote, request, settings, text_request};
use crate::replies::Reply;
use recordar_llm::{ChatModel, Parameters, RemoteOptions, Structured, request_digest};
use recordar_testkit::{Answer, ModelServer};
use serde_json::{Value, json};

/// What is sent to a model, and what is recorded of it.
fn sent(provider: &'static str, model: &str, parameters: Parameters, streams: bool) -> (Value, Value) {
    let server = ModelServer::start(move |_| match streams {
        true => Answer::stream(Reply::new("x").stream(wire(provider), 9), 99),
        false => Answer::json(Reply::new("x").body(wire(provider))),
    });
    let options = RemoteOptions { parameters, ..options(&server.url(), Some(Structured::Prompted)) };
    let remote = remote(provider, model, options);
    let recorded = serde_json::to_value(remote.settings()).unwrap();
    let client = client(remote, settings());
    let mut hear = |_: &str| {};
    client.text(&text_request(), &operation(&client), if streams { Some(&mut hear) } else { None }).unwrap();
    let body: Value = serde_json::from_str(&server.received()[0].body).unwrap();
    let body = if wire(provider) == "gemini" { body["generationConfig"].clone() } else { body };
    (body, recorded)
}

fn wire(provider: &str) -> &str {
    if ["anthropic", "gemini"].contains(&provider) { provider } else { "openai" }
}

#[test]
fn r9_11_deterministic_mode_sends_temperature_0_and_the_seed_and_records_them() {
    let deterministic = Parameters { temperature: Some(0.0), seed: Some(7) };
    let check = |provider: &'static str, model: &str, takes_temperature: bool, takes_seed: bool| {
        for streams in [false, true] {
            let (body, recorded) = sent(provider, model, deterministic, streams);
            let temperature = takes_temperature.then(|| json!(0));
            let seed = takes_seed.then(|| json!(7));
            assert_eq!(
                (body.get("temperature"), body.get("seed")),
                (temperature.as_ref(), seed.as_ref()),
                "{provider} {model}"
            );
            // Only what was sent is recorded: a receipt does not claim more than was asked for.
            assert_eq!(recorded.get("seed"), seed.as_ref(), "{provider} {model}");
            assert_eq!(recorded.get("temperature").and_then(Value::as_f64), takes_temperature.then_some(0.0));
            assert_eq!((&recorded["provider"], &recorded["model"]), (&json!(provider), &json!(model)));
            assert_eq!(recorded["structured"], json!("prompted"));
        }
    };
    check("openai", "gpt-4o-mini", true, true);
    check("openai", "o3-mini", false, true);
    check("anthropic", "claude-sonnet-4-5", true, false);
    check("gemini", "gemini-2.5-flash", true, true);
    check("ollama", "llama3.2", true, true);
    check("llamacpp", "any", true, true);
    check("vllm", "any", true, true);
    check("deepseek", "deepseek-chat", true, false);
}

#[test]
fn r9_11_deterministic_mode_is_off_where_nothing_is_set() {
    for (provider, model) in crate::replies::PROVIDERS {
        let (body, recorded) = sent(provider, model, Parameters { temperature: None, seed: None }, false);
        for parameters in [body, recorded] {
            assert_eq!((parameters.get("temperature"), parameters.get("seed")), (None, None), "{provider}");
        }
    }
}

#[test]
fn r9_11_deterministic_settings_read_back_as_they_were_written() {
    for (temperature, seed) in [(Some(0.0), Some(7)), (Some(0.7), Some(i64::MIN)), (None, Some(i64::MAX)), (None, None)]
    {
        let parameters = Parameters { temperature, seed };
        let remote =
            remote("openai", "gpt-4o-mini", RemoteOptions { parameters, ..options("http://127.0.0.1:1", None) });
        let written = serde_json::to_string(remote.settings()).unwrap();
        let read = serde_json::from_str(&written).unwrap();
        assert_eq!(remote.settings(), &read, "{written}");
        assert_eq!(request_digest(remote.settings(), &request()), request_digest(&read, &request()));
    }
}
