//! A hostile model: whatever a server answers, in whatever order, the client ends, within its attempts and its time, with a reply that
//! fits or with an error that a user can act on; nothing panics, no key comes back, every call is reported and settled.

use crate::fixture::{KEY, client, clock, eventually, operation, options, remote, request, settings, text_request};
use crate::replies::{PROVIDERS, Reply};
use crate::villain::{Drawn, Manner, draw};
use recordar_domain::Cancel;
use recordar_llm::{
    CallReport, Ceilings, Client, ClientSettings, Error, ErrorKind, Ledger, MemoryLedger, Operation, Output, Remote,
    RemoteOptions, Request, Schema, Secret, Spend, Structured, Table, day_of,
};
use recordar_testkit::{Answer, ModelServer, Random, rounds};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SEED: u64 = 0x5eed_0a2b;
/// Cases at a time: many only wait.
const THREADS: usize = 8;
/// How long an answer is waited for that never comes, and any other.
const SHORT: Duration = Duration::from_millis(150);
const LONG: Duration = Duration::from_secs(60);
/// What a busy machine may add.
const MARGIN: Duration = Duration::from_secs(60);

/// Sorts two chunks, each of which has to be named once.
fn sorting() -> Request {
    let item = json!({"type": "object", "required": ["id", "category"], "additionalProperties": false, "properties": {
        "id": {"type": "integer"},
        "category": {"type": "string", "enum": ["Lamps", "Boats"]},
    }});
    let schema = json!({"type": "object", "required": ["items"], "additionalProperties": false, "properties": {
        "items": {"type": "array", "items": item},
        "note": {"type": "string", "maxLength": 200},
    }});
    let output =
        Output::Json(Schema { name: "sort".to_owned(), description: "Categories.".to_owned(), schema, held_to: None });
    Request { output, ..request() }
}

/// The task's own check: ids 1 and 2, once each.
fn each_once(value: &Value) -> Result<Value, String> {
    let ids: Vec<Option<i64>> =
        value["items"].as_array().into_iter().flatten().map(|item| item["id"].as_i64()).collect();
    if ids == [Some(1), Some(2)] { Ok(value.clone()) } else { Err("every id has to come once, in order".to_owned()) }
}

struct Case {
    manner: Manner,
    model: &'static str,
    retries: u32,
    repairs: u32,
    answers: Vec<Drawn>,
}

impl Case {
    fn drawn(number: usize) -> Self {
        let mut random = Random(SEED ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.below(2);
        let (provider, model) = PROVIDERS[random.below(3)];
        let manner = Manner { provider, mode: Structured::ALL[random.below(3)], streams: random.below(3) == 0 };
        let (retries, repairs) = (random.below(3) as u32, random.below(3) as u32);
        let attempts = (retries + 1) * if manner.streams { 1 } else { repairs + 1 };
        let answers = (0..attempts).map(|_| draw(&mut random, manner)).collect();
        Self { manner, model, retries, repairs, answers }
    }

    fn is_slow(&self) -> bool {
        self.answers.iter().any(|drawn| drawn.is_slow)
    }

    fn describe(&self) -> String {
        let kinds: Vec<&str> = self.answers.iter().map(|drawn| drawn.kind).collect();
        format!("{:?} retries {} repairs {}: {kinds:?}", self.manner, self.retries, self.repairs)
    }
}

/// Runs a case, and says what is wrong with what came of it. The number of good replies is returned otherwise.
fn run(case: &Case) -> Result<&'static str, String> {
    let answers: Vec<Answer> = case.answers.iter().map(|drawn| drawn.answer.clone()).collect();
    let next = AtomicUsize::new(0);
    let server = ModelServer::start(move |_| {
        answers.get(next.fetch_add(1, Ordering::AcqRel)).cloned().unwrap_or(Answer::HangUp)
    });
    let timeout = if case.is_slow() { SHORT } else { LONG };
    let mut options = options(&server.url(), Some(case.manner.mode));
    options.timeout = timeout;
    let profile = Table::built_in().profile(case.manner.provider, case.model).unwrap();
    let price = profile.price.clone();
    let settings = ClientSettings {
        retries: case.retries,
        retry_wait: Duration::from_millis(1),
        repairs: case.repairs,
        concurrency: 1,
        patience: LONG,
        ceilings: Ceilings::default(),
    };
    let ledger = Arc::new(MemoryLedger::default());
    let remote = Remote::new(profile, options).unwrap();
    let shared: Arc<dyn Ledger> = Arc::<MemoryLedger>::clone(&ledger);
    let client = Client::new(Box::new(remote), price, settings, shared, clock()).unwrap();
    let operation = client.operation(Cancel::default());
    let started = Instant::now();
    let outcome = ask(case, &client, &operation)?;
    let took = started.elapsed();
    check(took < timeout * case.answers.len() as u32 + MARGIN, || format!("it took {took:?}"))?;
    check_calls(case, &operation, &server)?;
    let reported = operation.calls().iter().fold(Spend::default(), |sum, call| {
        let tokens = call.tokens_prompt.saturating_add(call.tokens_completion);
        sum.plus(Spend { tokens, nano_usd: call.nano_usd.unwrap_or_default() })
    });
    let settled = ledger.spent(day_of(clock()())).unwrap();
    check(settled == reported && operation.spent() == reported, || {
        format!("{settled:?} was settled, {:?} in the operation, and {reported:?} reported", operation.spent())
    })?;
    Ok(outcome)
}

fn ask(case: &Case, client: &Client, operation: &Operation) -> Result<&'static str, String> {
    let result: Result<(), Error> = if case.manner.streams {
        let mut heard = String::new();
        let mut hear = |text: &str| heard.push_str(text);
        let result = client.text(&sorting(), operation, Some(&mut hear));
        check(!heard.contains(KEY), || format!("the key was heard: {heard}"))?;
        if let Ok(text) = &result {
            check(!text.contains(KEY) && text.len() <= 1 << 20, || format!("replied: {text}"))?;
        }
        result.map(drop)
    } else {
        let shown = Mutex::new(String::new());
        let read = |value: &Value| {
            shown.lock().unwrap().push_str(&value.to_string());
            each_once(value)
        };
        let result = client.structured(&sorting(), operation, &read);
        let shown = shown.into_inner().unwrap();
        check(!shown.contains(KEY), || format!("the key came back: {shown}"))?;
        if let Ok(value) = &result {
            let Output::Json(schema) = sorting().output else { unreachable!() };
            check(fits(value, &schema.schema) && each_once(value).is_ok(), || format!("{value} does not fit"))?;
        }
        result.map(drop)
    };
    match result {
        Ok(()) => Ok("ok"),
        Err(error) => check_error(case, &error).map(|()| error.code()),
    }
}

/// As much of JSON schema as is needed here, without the library that is tested.
fn fits(value: &Value, schema: &Value) -> bool {
    match schema["type"].as_str() {
        Some("object") => value.as_object().is_some_and(|fields| {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            required.into_iter().all(|name| fields.contains_key(name))
                && fields
                    .iter()
                    .all(|(name, value)| schema["properties"].get(name).is_some_and(|schema| fits(value, schema)))
        }),
        Some("array") => value.as_array().is_some_and(|list| list.iter().all(|value| fits(value, &schema["items"]))),
        Some("string") => value.as_str().is_some_and(|text| {
            let is_short = schema["maxLength"].as_u64().is_none_or(|most| text.chars().count() as u64 <= most);
            is_short && schema["enum"].as_array().is_none_or(|list| list.contains(value))
        }),
        _ => value.is_i64() || value.is_u64(),
    }
}

/// Everything that was said about failures, in which keys are looked for once more when all tests are over.
static SEEN: Mutex<String> = Mutex::new(String::new());

fn check_error(case: &Case, error: &Error) -> Result<(), String> {
    let text = error.to_string();
    let all = format!("{text}\n{}", error.remedy);
    SEEN.lock().unwrap().push_str(&format!("{all}\n{error:?}\n"));
    check(text.contains(case.manner.provider) && text.contains(case.model), || format!("names no model: {text}"))?;
    check(!error.remedy.trim().is_empty(), || format!("no remedy: {text}"))?;
    check(all.len() <= 2048, || format!("{} bytes long: {text}", all.len()))?;
    check(!text.contains(char::is_control) && !error.remedy.contains(char::is_control), || format!("{text:?}"))?;
    check(!all.contains(KEY), || format!("the key: {text}"))?;
    let debug = ["Some(", "None", "Err(", "Ok(", "{ kind:", "ErrorKind", "Error {", "Custom {", "panicked", "unwrap"];
    check(!debug.iter().any(|syntax| all.contains(syntax)), || format!("debug syntax: {text}"))
}

/// Every call that was made is reported, no call was made too many, and no report or reply holds the key.
fn check_calls(case: &Case, operation: &Operation, server: &ModelServer) -> Result<(), String> {
    let reports = operation.calls();
    check(reports.len() <= case.answers.len(), || format!("{} calls", reports.len()))?;
    // What broke off may have done so before it arrived: a busy machine is too late, or a server hangs up on a kept connection.
    let is_certain = |call: &&CallReport| call.outcome != "model_away" || call.is_counted;
    let certain = reports.iter().filter(is_certain).count();
    let all_arrive = eventually(|| server.received().len() >= certain);
    let received = server.received().len();
    check(all_arrive && received <= reports.len(), || format!("{received} requests, {} reported", reports.len()))?;
    let mut texts = vec![json!(reports).to_string(), format!("{reports:?}")];
    for exchange in operation.exchanges() {
        let as_json = serde_json::from_str::<Value>(&exchange.completion.text).unwrap_or_default();
        texts.extend([json!(exchange).to_string(), as_json.to_string()]);
    }
    check(texts.iter().all(|text| !text.contains(KEY)), || format!("the key is kept: {texts:?}"))
}

fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Threads and open files of this process.
fn open_things() -> (usize, usize) {
    let count = |path: &str| std::fs::read_dir(path).map_or(0, Iterator::count);
    (count("/proc/self/task"), count("/proc/self/fd"))
}

#[test]
fn a2_r7_4_a_hostile_model_harms_nobody() {
    let panics = count_panics();
    let before = open_things();
    let (cases, next) = (rounds(300, 10_000), AtomicUsize::new(0));
    let wrong: Mutex<Vec<String>> = Mutex::default();
    let outcomes: Mutex<BTreeMap<&str, usize>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::AcqRel);
                    if number >= cases {
                        return;
                    }
                    let case = Case::drawn(number);
                    match run(&case) {
                        Ok(outcome) => *outcomes.lock().unwrap().entry(outcome).or_default() += 1,
                        Err(why) => {
                            let why: String = why.chars().take(1000).collect();
                            wrong.lock().unwrap().push(format!("case {number}, {}\n  {why}", case.describe()));
                        }
                    }
                }
            });
        }
    });
    let (wrong, outcomes) = (wrong.into_inner().unwrap(), outcomes.into_inner().unwrap());
    println!("{cases} cases: {outcomes:?}");
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{shown}", wrong.len());
    assert_eq!(panics.load(Ordering::Acquire), 0, "a thread panicked");
    // The test is worth something only if all of it happens.
    for outcome in ["ok", "model_away", "model_rate_limited", "model_rejected", "model_reply_unfit"] {
        assert!(outcomes.contains_key(outcome), "{outcome}: {outcomes:?}");
    }
    let is_clean = eventually(|| {
        let now = open_things();
        now.0 <= before.0 + 4 && now.1 <= before.1 + 4
    });
    assert!(is_clean, "threads and files: {before:?} before, {:?} after", open_things());
    recordar_testkit::keep("hostile", &SEEN.lock().unwrap());
}

/// A server that puts a second answer behind the first does not answer the next request with it.
#[test]
fn a2_no_answer_is_taken_for_that_of_another_request() {
    for (name, model) in PROVIDERS {
        let body = |text: &str| Reply::new(text).body(name).to_string();
        let answer = |body: &str| format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let forged = format!("{}{}", answer(&body("first")), answer(&body("forged")));
        let (first, second) = (Answer::Silence(forged.into_bytes()), Answer::json(body("second")));
        let calls = AtomicUsize::new(0);
        let server = ModelServer::start(move |_| match calls.fetch_add(1, Ordering::AcqRel) {
            0 => first.clone(),
            _ => second.clone(),
        });
        let client = client(remote(name, model, options(&server.url(), None)), settings());
        let said: Vec<String> =
            (0..2).map(|_| client.text(&text_request(), &operation(&client), None).unwrap()).collect();
        assert_eq!(said, ["first", "second"]);
    }
}

/// Keys are pasted, and come with what was around them.
#[test]
fn a2_a_key_that_cannot_be_sent_is_an_error_without_the_key() {
    for key in ["sk-0123456789\n", "\nsk-0123456789", "sk-\u{0}0123456789", "sk-é0123456789", "sk 0123456789"] {
        for (name, model) in PROVIDERS {
            let options = RemoteOptions { key: Some(Secret::new(key)), ..options("http://127.0.0.1:1/v1", None) };
            let profile = Table::built_in().profile(name, model).unwrap();
            let error = Remote::new(profile, options).map(drop).unwrap_err();
            assert!(error.what.contains(model) && !error.what.contains("0123456789"), "{key:?}: {error}");
            assert!(error.kind == ErrorKind::Invalid && error.remedy.contains("_API_KEY"), "{}", error.remedy);
        }
    }
}

/// A model that calls its tool twice, the second time with less to say.
#[test]
fn a2_two_calls_of_a_tool_in_a_stream_are_refused() {
    let panics = count_panics();
    let call = |args: Value| json!({"candidates": [{"content": {"parts": [{"functionCall": {"args": args}}]}, "finishReason": "STOP"}]});
    let (long, short) = (call(json!({"category": "Lämps"})), call(json!(1)));
    let stream = format!("data: {long}\n\ndata: {short}\n\n");
    let server = ModelServer::start(move |_| Answer::stream(stream.clone(), 9));
    let client = client(remote("gemini", "gemini-2.5-flash", options(&server.url(), None)), settings());
    let error = client.text(&text_request(), &operation(&client), Some(&mut |_: &str| {})).unwrap_err();
    assert!(error.what.contains("called 2 tools"), "{error}");
    assert_eq!(panics.load(Ordering::Acquire), 0);
}

/// Panics from now on of threads that nobody joins, or that this test started: those of other tests have their names.
fn count_panics() -> Arc<AtomicUsize> {
    let panics = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&panics);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_ours = std::thread::current().name().is_none_or(|name| name == "recordar-llm");
        counted.fetch_add(usize::from(is_ours), Ordering::AcqRel);
        hook(info);
    }));
    panics
}
