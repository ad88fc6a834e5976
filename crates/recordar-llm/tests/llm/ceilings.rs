//! Ceilings on tokens and money: not passed by one token at any moment, whoever calls side by side; used up to less than what one call
//! may take; counted at the most where nobody counted.

use crate::fixture::{clock, operation, options, remote, request, settings, text_request};
use crate::replies::{PROVIDERS, Reply};
use recordar_domain::{Cancel, Timestamp};
use recordar_llm::{
    Ceiling, Ceilings, Client, ClientSettings, Clock, Error, ErrorKind, Estimate, Ledger, MemoryLedger, Operation,
    Price, Spend, day_of,
};
use recordar_testkit::{Answer, ModelServer, Random, Received, rounds};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

const FITTING: &str = r#"{"category":"Lamps","id":1}"#;

/// A price with which no amount comes out even.
fn price() -> Price {
    Price { prompt_pico_usd: 37_501, completion_pico_usd: 600_003, dated: "2030-01-01".to_owned() }
}

fn cost(prompt: u64, completion: u64) -> u64 {
    (prompt * price().prompt_pico_usd + completion * price().completion_pico_usd).div_ceil(1000)
}

fn repeated(start: &str, piece: &str) -> Answer {
    Answer::Repeated { start: start.into(), piece: piece.into(), times: 9_999 }
}

fn max_tokens(provider: &str, body: &Value) -> u64 {
    let field = match provider {
        "anthropic" => &body["max_tokens"],
        "gemini" => &body["generationConfig"]["maxOutputTokens"],
        _ => &body["max_completion_tokens"],
    };
    field.as_u64().unwrap()
}

/// A server that takes as many tokens as it likes, up to what it was allowed, and tells them as they are.
struct Honest {
    server: ModelServer,
    told: Arc<Mutex<(Spend, bool)>>,
}

impl Honest {
    fn start(provider: &'static str, seed: u64, ceiling: Ceiling) -> Self {
        let random = Mutex::new(Random(seed));
        let told = Arc::new(Mutex::new((Spend::default(), false)));
        let telling = Arc::clone(&told);
        let server = ModelServer::start(move |received: &Received| {
            let body: Value = serde_json::from_str(&received.body).unwrap();
            let [prompt, completion] = {
                let mut random = random.lock().unwrap();
                [received.body.len() as u64, max_tokens(provider, &body)].map(|most| match random.below(4) {
                    0 => most,
                    _ => random.below(most as usize + 1) as u64,
                })
            };
            let mut told = telling.lock().unwrap();
            told.0 = told.0.plus(Spend { tokens: prompt + completion, nano_usd: cost(prompt, completion) });
            told.1 |= !ceiling.allows(told.0);
            Answer::json(Reply::new(FITTING).counted(prompt, completion).body(provider))
        });
        Self { server, told }
    }
}

fn client_of(
    provider: (&str, &str),
    url: &str,
    settings: ClientSettings,
    ledger: &Arc<MemoryLedger>,
    clock: Clock,
) -> Client {
    let ledger: Arc<dyn Ledger> = Arc::<MemoryLedger>::clone(ledger);
    let remote = remote(provider.0, provider.1, options(url, None));
    Client::new(Box::new(remote), Some(price()), settings, ledger, clock).unwrap()
}

fn with_ceilings(ceilings: Ceilings) -> ClientSettings {
    ClientSettings { ceilings, ..settings() }
}

fn ask(client: &Client, operation: &Operation) -> Result<(), Error> {
    client.structured(&request(), operation, &|_| Ok(()))
}

/// The most that one call of the test's request can take.
fn one_call(provider: (&str, &str)) -> Spend {
    let ledger = Arc::new(MemoryLedger::default());
    let client = client_of(provider, "http://127.0.0.1:1/v1", settings(), &ledger, clock());
    most(client.estimate(&request()))
}

fn most(estimate: Estimate) -> Spend {
    let tokens = estimate.tokens_prompt_at_most + estimate.tokens_completion_at_most;
    Spend { tokens, nano_usd: estimate.nano_usd_at_most.unwrap() }
}

/// Calls from all sides until the ceiling stops everybody.
fn check_ceiling(provider: (&'static str, &'static str), ceilings: Ceilings, clients: usize, key: &str) {
    let ceiling = if ceilings.day == Ceiling::default() { ceilings.operation } else { ceilings.day };
    let honest = Honest::start(provider.0, 7, ceiling);
    let ledger = Arc::new(MemoryLedger::default());
    let clients: Vec<Client> = (0..clients)
        .map(|_| client_of(provider, &honest.server.url(), with_ceilings(ceilings), &ledger, clock()))
        .collect();
    let shared = operation(&clients[0]);
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (client, shared) = (&clients[thread % clients.len()], &shared);
            scope.spawn(move || {
                let error = (0..100_000).find_map(|_| ask(client, shared).err()).unwrap();
                assert_eq!(error.kind, ErrorKind::Ceiling, "{error}");
                assert!(error.remedy.contains(key) && error.what.contains(provider.1), "{error} {}", error.remedy);
            });
        }
    });
    let (told, is_passed) = *honest.told.lock().unwrap();
    assert!(!is_passed, "{provider:?} {ceilings:?}: {told:?}");
    assert_eq!((ledger.spent(day_of(clock()())).unwrap(), shared.spent()), (told, told));
    let one = one_call(provider);
    let left = |most: Option<u64>, spent: u64| most.map_or(u64::MAX, |most| most - spent);
    let is_used =
        left(ceiling.tokens, told.tokens) < one.tokens || left(ceiling.nano_usd, told.nano_usd) < one.nano_usd;
    assert!(is_used, "{provider:?} {ceilings:?}: only {told:?}, with {one:?} for a call");
    assert_eq!(shared.calls().len(), honest.server.received().len());
}

fn tokens(most: u64) -> Ceiling {
    Ceiling { tokens: Some(most), nano_usd: None }
}

fn money(most: u64) -> Ceiling {
    Ceiling { tokens: None, nano_usd: Some(most) }
}

#[test]
fn a2_b11_a_ceiling_is_not_passed_by_calls_side_by_side_and_is_used() {
    for provider in PROVIDERS {
        let one = one_call(provider);
        let calls = rounds(12, 60) as u64;
        for ceiling in [
            tokens(one.tokens * calls + 17),
            money(one.nano_usd * calls + 17),
            Ceiling { tokens: Some(one.tokens * calls), nano_usd: Some(one.nano_usd * (calls - 3)) },
        ] {
            let (day, operation) = (
                Ceilings { day: ceiling, ..Ceilings::default() },
                Ceilings { operation: ceiling, ..Ceilings::default() },
            );
            check_ceiling(provider, day, 1, "llm.max_tokens_per_day");
            check_ceiling(provider, day, 5, "llm.max_usd_per_day");
            check_ceiling(provider, operation, 1, "llm.max_tokens_per_operation");
        }
    }
}

#[test]
fn a2_b11_a_ceiling_of_one_call_is_exact() {
    for provider in PROVIDERS {
        let one = one_call(provider);
        let server = ModelServer::start(move |_| Answer::json(Reply::new(FITTING).body(provider.0)));
        let check = |ceilings: Ceilings, is_allowed: bool, key: &str| {
            let client = client_of(provider, &server.url(), with_ceilings(ceilings), &Arc::default(), clock());
            let before = server.received().len();
            let result = ask(&client, &operation(&client));
            assert_eq!(result.is_ok(), is_allowed, "{provider:?} {ceilings:?}: {result:?}");
            assert_eq!(server.received().len() - before, usize::from(is_allowed));
            if let Err(error) = result {
                assert!(error.kind == ErrorKind::Ceiling && error.remedy.contains(key), "{error} {}", error.remedy);
                assert_eq!(client.spent_today().unwrap(), Spend::default());
            }
        };
        for (less, is_allowed) in [(0, true), (1, false)] {
            for ceiling in [tokens(one.tokens - less), money(one.nano_usd - less)] {
                check(Ceilings { call: ceiling, ..Ceilings::default() }, is_allowed, "_per_call");
                check(Ceilings { operation: ceiling, ..Ceilings::default() }, is_allowed, "_per_operation");
                check(Ceilings { day: ceiling, ..Ceilings::default() }, is_allowed, "_per_day");
            }
        }
    }
}

#[test]
fn a2_b11_what_nobody_counted_is_counted_at_the_most() {
    for provider in PROVIDERS {
        let one = one_call(provider);
        let counted = |usage: [Value; 2]| Reply { usage: Some(usage), ..Reply::new(FITTING) }.body(provider.0);
        let cut = "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{\"choices\":";
        let answers = [
            ("no usage", Answer::json(Reply::new(FITTING).uncounted().body(provider.0))),
            ("half a usage", Answer::json(counted([json!(5), json!(null)]))),
            ("the other half", Answer::json(counted([json!(null), json!(5)]))),
            ("less than nothing", Answer::json(counted([json!(5), json!(-1)]))),
            ("not to be counted", Answer::json(counted([json!(1e300), json!("5")]))),
            ("no JSON", Answer::json("<html>")),
            ("no reply", Answer::json("{\"done\": true}")),
            ("hung up", Answer::HangUp),
            ("cut", Answer::Raw(cut.into())),
            ("no head", Answer::Raw(b"HTTP/1.1 200 OK\r\nconte".to_vec())),
            ("no HTTP", Answer::Raw(b"220 mail.example.org ESMTP\r\n".to_vec())),
            ("too many headers", repeated("HTTP/1.1 200 OK\r\n", "a: b\r\n")),
            ("too long a header", repeated("HTTP/1.1 200 OK\r\na: ", "b".repeat(999).as_str())),
            ("broken chunks", Answer::Raw(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".to_vec())),
        ];
        for (name, answer) in answers {
            let server = ModelServer::start(move |_| answer.clone());
            let client = client_of(provider, &server.url(), settings(), &Arc::default(), clock());
            let operation = operation(&client);
            let result = ask(&client, &operation);
            assert_eq!(client.spent_today().unwrap(), one, "{provider:?} {name}: {result:?}");
            assert_eq!((operation.spent(), operation.calls()[0].is_counted), (one, false), "{provider:?} {name}");
        }
        let refused = [400, 401, 404, 429, 500, 529].map(|status| Answer::status(status, "{}"));
        for answer in refused {
            let server = ModelServer::start(move |_| answer.clone());
            let client = client_of(provider, &server.url(), settings(), &Arc::default(), clock());
            ask(&client, &operation(&client)).unwrap_err();
            assert_eq!(client.spent_today().unwrap(), Spend::default(), "what is refused costs nothing");
        }
    }
}

#[test]
fn a2_b11_a_stream_that_does_not_end_is_counted_at_the_most() {
    for provider in PROVIDERS {
        let stream = Reply::new("The lamp is bright.").stream(provider.0, 4);
        let whole: Vec<&str> = stream.split_inclusive("\n\n").collect();
        // Without its last events it has no end, or no usage.
        let cut = whole[..whole.len() - 2].concat();
        let server = ModelServer::start(move |_| Answer::stream(cut.clone(), 9));
        let client = client_of(provider, &server.url(), settings(), &Arc::default(), clock());
        let operation = operation(&client);
        let _ = client.text(&text_request(), &operation, Some(&mut |_: &str| {}));
        let one = most(client.estimate(&text_request()));
        assert_eq!((operation.spent(), operation.calls()[0].is_counted), (one, false), "{provider:?}");
    }
}

/// What Anthropic tells at the beginning of a stream is what was written so far.
#[test]
fn a2_b11_a_stream_that_is_counted_at_its_beginning_alone_is_counted_at_the_most() {
    let reply = Reply::new("The lamp is bright.").counted(5, 1).stream("anthropic", 4);
    let (begin, end) = reply.split_once("\n\n").unwrap();
    let end = end.replace(r#""usage":{"input_tokens":5,"output_tokens":1}"#, r#""usage":{}"#);
    assert!(begin.contains("output_tokens") && !end.contains("output_tokens"));
    let stream = format!("{begin}\n\n{end}");
    let server = ModelServer::start(move |_| Answer::stream(stream.clone(), 9));
    let client = client_of(PROVIDERS[1], &server.url(), settings(), &Arc::default(), clock());
    let operation = operation(&client);
    client.text(&text_request(), &operation, Some(&mut |_: &str| {})).unwrap();
    assert_eq!(operation.spent(), most(client.estimate(&text_request())));
}

#[test]
fn a2_b11_a_call_that_panics_is_counted_and_holds_up_nobody() {
    let stream = Reply::new("The lamp.").stream("openai", 4);
    let server = ModelServer::start(move |_| Answer::stream(stream.clone(), 9));
    let one = one_call(PROVIDERS[0]);
    let day = Ceilings { day: tokens(one.tokens + 40), ..Ceilings::default() };
    let client = client_of(PROVIDERS[0], &server.url(), with_ceilings(day), &Arc::default(), clock());
    let panicking = || client.text(&request(), &operation(&client), Some(&mut |_: &str| panic!("on purpose")));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(panicking)).unwrap_err();
    assert_eq!(client.spent_today().unwrap(), one);
    // This would wait for the other's end, were it still thought to be under way.
    let error = ask(&client, &operation(&client)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Ceiling, "{error}");
}

#[test]
fn a2_b11_a_ceiling_on_money_wants_a_price() {
    for ceilings in [
        Ceilings { call: money(1), ..Ceilings::default() },
        Ceilings { operation: money(1), ..Ceilings::default() },
        Ceilings { day: money(u64::MAX), ..Ceilings::default() },
    ] {
        let remote = remote("compatible", "any", options("http://127.0.0.1:1/v1", None));
        let ledger = Arc::new(MemoryLedger::default());
        let refused = Client::new(Box::new(remote), None, with_ceilings(ceilings), ledger, clock());
        let error = refused.map(drop).unwrap_err();
        assert!(error.kind == ErrorKind::Invalid && error.what.contains("compatible any"), "{error}");
        assert!(error.remedy.contains("llm.models_file"), "{}", error.remedy);
    }
}

#[test]
fn a2_b11_a_new_day_begins_at_nothing() {
    const DAY: i64 = 86_400_000_000;
    let micros = Arc::new(AtomicI64::new(20_000 * DAY + DAY - 1));
    let now = Arc::clone(&micros);
    let clock: Clock = Arc::new(move || Timestamp::from_micros(now.load(Ordering::Acquire)));
    let server = ModelServer::start(|_| Answer::json(Reply::new(FITTING).uncounted().body("openai")));
    let one = one_call(PROVIDERS[0]);
    let day = Ceilings { day: tokens(one.tokens * 2), ..Ceilings::default() };
    let client = client_of(PROVIDERS[0], &server.url(), with_ceilings(day), &Arc::default(), clock);
    for _ in 0..3 {
        let operation = client.operation(Cancel::default());
        assert_eq!(client.spent_today().unwrap(), Spend::default());
        ask(&client, &operation).unwrap();
        ask(&client, &operation).unwrap();
        let error = ask(&client, &operation).unwrap_err();
        assert!(error.kind == ErrorKind::Ceiling && error.what.contains("today"), "{error}");
        assert_eq!(client.spent_today().unwrap().tokens, one.tokens * 2);
        micros.fetch_add(DAY, Ordering::AcqRel);
    }
    micros.fetch_sub(3 * DAY, Ordering::AcqRel);
    assert_eq!(client.spent_today().unwrap().tokens, one.tokens * 2, "what was spent then is still known");
}
