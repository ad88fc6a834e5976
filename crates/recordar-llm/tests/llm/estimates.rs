//! An estimate is never below what is then spent, however long the replies, and however often the model is told what is wrong with them.

use crate::fixture::{clock, operation, options, remote, settings};
use crate::replies::{PROVIDERS, Reply};
use recordar_llm::{Client, ClientSettings, MemoryLedger, Output, Price, Request, Schema, Spend, Structured, Turn};
use recordar_testkit::{Answer, ModelServer, Random, Received, rounds};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Texts that grow when they are put into JSON, and some that do not.
const PIECES: [&str; 8] = ["word ", "\"", "\\", "\n", "\u{1}", "日本語", "😀", "{\"id\":"];

fn text(random: &mut Random, most: usize) -> String {
    (0..random.below(most)).map(|_| PIECES[random.below(PIECES.len())]).collect()
}

fn drawn(random: &mut Random) -> Request {
    let names: Vec<String> = (0..=random.below(20)).map(|_| text(random, 10)).collect();
    let schema = json!({"type": "object", "required": ["category"], "properties": {"category": {"enum": names}}});
    let output = match random.below(4) {
        0 => Output::Text,
        _ => Output::Json(Schema { name: "sort".to_owned(), description: text(random, 40), schema, held_to: None }),
    };
    let mut turns = vec![Turn::user(text(random, 400))];
    if random.below(3) == 0 {
        turns.extend([Turn::model(text(random, 100)), Turn::user(text(random, 100))]);
    }
    Request { system: text(random, 200), turns, output, max_output_tokens: random.below(5000) as u32 + 1 }
}

/// A server that takes all that it may, and replies with what does not fit.
fn greedy(provider: &'static str, seed: u64, most_tokens: u64) -> ModelServer {
    let random = Mutex::new(Random(seed));
    ModelServer::start(move |received: &Received| {
        let mut random = random.lock().unwrap();
        let long = PIECES[random.below(PIECES.len())].repeat(random.below(3000));
        let replied = match random.below(3) {
            0 => json!({"category": long, long.clone(): [long.clone()]}).to_string(),
            1 => format!("{{\"category\": {long}"),
            _ => long,
        };
        let prompt = received.body.len() as u64;
        let reply = Reply::new(replied).counted(prompt, most_tokens);
        let streams = received.path.contains("stream") || received.body.contains("\"stream\":true");
        if streams { Answer::stream(reply.stream(provider, 50), 5000) } else { Answer::json(reply.body(provider)) }
    })
}

#[test]
fn a2_b11_an_estimate_is_never_below_what_is_then_spent() {
    let mut random = Random(11);
    for case in 0..rounds(150, 2000) {
        let provider = PROVIDERS[case % 3];
        let asked = drawn(&mut random);
        let server = greedy(provider.0, case as u64, asked.max_output_tokens.into());
        let mode = Structured::ALL[random.below(3)];
        let repairs = random.below(4) as u32;
        let price = Price {
            prompt_pico_usd: random.below(3_000_000) as u64,
            completion_pico_usd: random.below(30_000_000) as u64,
            dated: String::new(),
        };
        let remote = remote(provider.0, provider.1, options(&server.url(), Some(mode)));
        let settings = ClientSettings { repairs, ..settings() };
        let ledger = Arc::new(MemoryLedger::default());
        let client = Client::new(Box::new(remote), Some(price), settings, ledger, clock()).unwrap();
        let estimate = client.estimate(&asked);
        let operation = operation(&client);
        // What is found wrong by whoever reads a reply is told to the model, too, and may be long.
        let wrong = text(&mut random, 3000);
        let _ = match asked.output {
            Output::Json(_) => client.structured(&asked, &operation, &|_: &Value| Err::<(), String>(wrong.clone())),
            Output::Text => client.text(&asked, &operation, Some(&mut |_: &str| {})).map(drop),
        };
        let calls = operation.calls();
        let (prompt, completion) = calls.iter().fold((0, 0), |(prompt, completion), call| {
            (prompt + call.tokens_prompt, completion + call.tokens_completion)
        });
        let named = format!("case {case}: {provider:?} {mode:?} {repairs} repairs, {prompt} and {completion} tokens");
        assert!(!calls.is_empty() && calls.len() as u64 <= estimate.calls_at_most, "{named}: {} calls", calls.len());
        assert!(prompt <= estimate.tokens_prompt_at_most, "{named}: {estimate:?}");
        assert!(completion <= estimate.tokens_completion_at_most, "{named}: {estimate:?}");
        let Spend { nano_usd, .. } = operation.spent();
        assert!(nano_usd <= estimate.nano_usd_at_most.unwrap(), "{named}: {nano_usd} and {estimate:?}");
    }
}
