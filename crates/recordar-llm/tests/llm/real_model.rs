//! A real model behind the client: streams, limits and giving up. `make test-llm` runs these beside its server.

use crate::fixture::{client, operation, remote, request, settings, text_request};
use recordar_domain::Cancel;
use recordar_llm::{Output, Parameters, RemoteOptions, Request, Structured};
use std::time::Duration;

fn options(structured: Structured) -> RemoteOptions {
    let url = std::env::var("RECORDAR_TEST_LLM_URL").expect("RECORDAR_TEST_LLM_URL is not set: use `make test-llm`");
    RemoteOptions {
        base_url: Some(url),
        key: None,
        key_env: None,
        structured: Some(structured),
        parameters: Parameters { temperature: Some(0.0), seed: Some(7) },
        timeout: Duration::from_secs(120),
    }
}

#[test]
fn a2_a_real_model_chooses_from_a_closed_set_natively_and_by_tool() {
    for structured in [Structured::Native, Structured::Tool] {
        let client = client(remote("llamacpp", "small", options(structured)), settings());
        let operation = operation(&client);
        let chosen = client.structured(&request(), &operation, &|value| Ok(value["category"].clone())).unwrap();
        assert!(chosen == "Lamps" || chosen == "Boats", "{chosen}");
        assert!(operation.calls()[0].is_counted);
    }
}

#[test]
fn a2_a_real_model_is_heard_as_it_speaks_and_stops_at_its_limit() {
    let client = client(remote("llamacpp", "small", options(Structured::Native)), settings());
    let short = Request { max_output_tokens: 12, ..text_request() };
    let whole = client.text(&short, &operation(&client), None).unwrap();
    let (operation, mut pieces) = (operation(&client), Vec::new());
    let mut hear = |text: &str| pieces.push(text.to_owned());
    let streamed = client.text(&short, &operation, Some(&mut hear)).unwrap();
    assert_eq!((pieces.concat(), &streamed), (whole.clone(), &whole));
    assert!(pieces.iter().filter(|piece| !piece.is_empty()).count() > 1);
    assert!(operation.calls()[0].is_counted && operation.calls()[0].tokens_completion <= 12);
}

#[test]
fn a2_a_real_model_can_be_given_up_amid_its_words() {
    let client = client(remote("llamacpp", "small", options(Structured::Native)), settings());
    let cancel = Cancel::default();
    let operation = client.operation(cancel.clone());
    let mut hear = |_: &str| cancel.cancel();
    let long = Request { output: Output::Text, max_output_tokens: 400, ..text_request() };
    let error = client.text(&long, &operation, Some(&mut hear)).unwrap_err();
    assert_eq!(error.code(), "cancelled");
    let after = client.text(&Request { max_output_tokens: 4, ..long }, &self::operation(&client), None);
    assert!(after.is_ok(), "{after:?}");
}
