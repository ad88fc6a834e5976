//! A caller that is confined to its own space learns nothing of another, by whichever verb. Made from the table: a new verb is tried
//! without a line here.
//!
//! Two stores hold the same of Ada, and one of them something of Eve as well. Every verb is called in both for Ada, with everything
//! that could lead to Eve. What comes back must be the same, so that no row, name, path or count of hers can be in it.

use crate::{ada, open_at, operation, text};
use recordar::call::{Call, Caller, Effect, Reach, ReachKind, Verb, VerbEntry, Within};
use recordar::recall::{Authority, RecallRequest};
use recordar::redaction::{Hide, Hiding};
use recordar::verb::VERBS;
use recordar::{Clock, Error, Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

fn eve() -> SpaceName {
    SpaceName::user("eve").unwrap()
}

/// It stands still during a call, and goes on with each: of receipts of the same time, which is the last one is a matter of their digests.
#[derive(Clone, Default)]
struct Ticks(Arc<AtomicI64>);

impl Ticks {
    fn clock(&self) -> Clock {
        let ticks = self.clone();
        Arc::new(move || Timestamp::from_micros(1_700_000_000_000_000 + ticks.0.load(Ordering::Relaxed)))
    }
}

fn fill(memory: &Recordar, space: &SpaceName, what: &str, messages: usize) {
    let message = |number: usize| Message {
        thread: Some(format!("{what}-thread")),
        title: Some(format!("{what}-title")),
        speaker: Some(format!("{what}-speaker")),
        ..Message::new(&format!("The {what} lamp number {number} is lit at dusk."))
    };
    let messages: Vec<Message> = (0..messages).map(message).collect();
    memory.remember(space, &messages, &operation(&format!("{what}-said"))).unwrap();
    let document = format!("# The {what} harbour\n\nThe {what} harbour opens at nine.");
    memory.ingest_text(space, text(&format!("{what}-stored"), &format!("/{what}/harbour.md"), &document)).unwrap();
}

/// Ada's store, with or without Eve in it. Ada has a receipt of both spaces either way.
fn store(database: &TestDatabase, with_eve: bool, ticks: &Ticks) -> (Recordar, Vec<String>) {
    // A judge reads what was found, and finds nothing.
    let memory = open_at(database, "recall.rerank = \"off\"", ticks.clock());
    fill(&memory, &ada(), "own", 5);
    if with_eve {
        fill(&memory, &eve(), "secret", 37);
    }
    // Everything of Ada's is found by it, also beside what is Eve's.
    let request = RecallRequest { receipt: Some(true), ..RecallRequest::new("The own lamp, the own harbour") };
    let mut receipts = vec![memory.recall(&[ada()], &request).unwrap().receipt.unwrap()];
    receipts.extend(memory.recall(&[ada(), eve()], &request).unwrap().receipt);
    if with_eve {
        receipts.extend(memory.recall(&[eve()], &request).unwrap().receipt);
    }
    (memory, receipts)
}

fn confined(memory: &Recordar, verb: &VerbEntry, arguments: Map<String, Value>, number: usize) -> Value {
    let caller = Caller {
        space: ada(),
        names_space: true,
        within: Some(Within::spaces(&ada(), &[])),
        files: false,
        authority: Authority::User,
        account: None,
        operation: operation(&format!("call-{number}")),
    };
    match memory.call(verb, Call::new(caller), arguments) {
        Ok(reply) => reply.to_value().unwrap(),
        Err(error) => json!({"error": [error.code(), error.to_string(), error.remedy()]}),
    }
}

/// Everything that an argument of some kind could be, to get at Eve.
fn tries(property: &Value, receipts: &[String]) -> Vec<Value> {
    let kind = |name: &str| {
        property["type"] == name || property["type"].as_array().is_some_and(|all| all.contains(&json!(name)))
    };
    let mut words =
        vec!["lamp", "secret lamp", "user:eve", "/secret/harbour.md", "harbour.md", "id:1", "secret-thread"];
    words.extend(["secret-said", "secret-stored", "secret-speaker", "secret", "2023-11-14T22:13:20Z", "/dev/null"]);
    words.extend(receipts.iter().map(String::as_str));
    let numbers = [1, 2, 3, 30, 41];
    if let Some(words) = property["enum"].as_array() {
        return words.clone();
    }
    match () {
        () if kind("boolean") => vec![json!(true), json!(false)],
        () if kind("integer") || kind("number") => numbers.iter().map(|number| json!(number)).collect(),
        () if kind("string") => words.iter().map(|word| json!(word)).collect(),
        () if kind("array") && property["items"]["type"] == "integer" => {
            numbers.iter().map(|number| json!([number])).collect()
        }
        () if kind("array") => words.iter().map(|word| json!([word])).chain([json!([{"text": "lamp"}])]).collect(),
        () => vec![json!({"text": "secret"}), json!({})],
    }
}

/// Each argument in turn is everything it could be; the others that have to be there are harmless.
fn calls(verb: &VerbEntry, receipts: &[String]) -> Vec<Map<String, Value>> {
    let schema = Value::Object(Map::clone(&verb.schema()));
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    let required: Vec<String> = serde_json::from_value(schema["required"].clone()).unwrap_or_default();
    let harmless = |name: &String| match name.as_str() {
        "messages" => json!([{"text": "The own lamp is out."}]),
        "receipt" => json!(receipts[0]),
        "file" => json!("/dev/null"),
        "paths" => json!(["/dev/null"]),
        name => tries(&properties[name], receipts)[0].clone(),
    };
    let base: Map<String, Value> = required.iter().map(|name| (name.clone(), harmless(name))).collect();
    let with = |(name, value): (&String, Value)| {
        let mut arguments = base.clone();
        arguments.insert(name.clone(), value);
        arguments
    };
    let varied = properties
        .iter()
        .flat_map(|(name, property)| tries(property, receipts).into_iter().map(move |value| (name, value)));
    std::iter::once(base.clone()).chain(varied.map(with)).collect()
}

/// Without what is measured.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|name, _| !matches!(name.as_str(), "timing" | "total_latency" | "latency_ms" | "rerank_ms"));
            object.values_mut().for_each(timeless);
        }
        Value::Array(list) => list.iter_mut().for_each(timeless),
        _ => {}
    }
}

#[test]
fn a_confined_caller_learns_nothing_of_another_space_by_any_verb() {
    for engine in Engine::ALL {
        let [alone, shared] = [TestDatabase::new(engine), TestDatabase::new(engine)];
        let ticks = Ticks::default();
        let ((without, own), (with, receipts)) = (store(&alone, false, &ticks), store(&shared, true, &ticks));
        // Ada's receipts are hers, and have other ids where Eve is.
        let here = |text: &str| {
            receipts.iter().zip(&own).fold(text.to_owned(), |text, (there, here)| text.replace(there, here))
        };
        // Those that remove something come last, since the others would find nothing.
        let mut verbs: Vec<&VerbEntry> = VERBS.iter().collect();
        verbs.sort_by_key(|verb| {
            [Effect::Reads, Effect::Writes, Effect::Destroys].iter().position(|e| *e == verb.effect)
        });
        let mut number = 0;
        for verb in verbs {
            for arguments in calls(verb, &receipts) {
                number += 1;
                ticks.0.store(number as i64, Ordering::Relaxed);
                let echoes = Value::Object(arguments.clone()).to_string();
                let mut translated = arguments.clone();
                for (_, named) in translated.iter_mut().filter(|(name, _)| name.starts_with("receipt")) {
                    *named = serde_json::from_str(&here(&named.to_string())).unwrap();
                }
                let mut there = confined(&with, verb, arguments, number);
                let mut expected = confined(&without, verb, translated, number);
                timeless(&mut there);
                timeless(&mut expected);
                let told = there.to_string();
                for secret in ["secret", "user:eve"] {
                    // Ada may write such a word herself, later on.
                    let is_hers = verb.effect != Effect::Reads || echoes.contains(secret);
                    assert!(is_hers || !told.contains(secret), "{engine:?} {} {echoes}: {told}", verb.name);
                }
                assert_eq!(here(&told), here(&expected.to_string()), "{engine:?} {} {echoes}", verb.name);
                if matches!(verb.reach, ReachKind::Store | ReachKind::Files) {
                    let refused = there["error"][0].as_str().unwrap_or_default();
                    assert!(["out_of_reach", "invalid"].contains(&refused), "{} {echoes}: {there}", verb.name);
                }
            }
        }
        assert!(number > 400, "{number}");
        // Eve has what she had.
        let (messages, documents) =
            (with.messages(&eve(), Some("secret-thread")).unwrap(), with.documents(&eve()).unwrap());
        assert_eq!((messages.len(), documents.len(), documents[0].versions), (37, 1, 1));
    }
}

#[test]
fn a_confined_caller_may_look_into_the_spaces_it_was_given() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, receipts) = store(&database, true, &Ticks::default());
    let search = |within: Option<Within>, verb: &str, arguments: Value| {
        let caller = Caller {
            space: ada(),
            names_space: true,
            within,
            files: false,
            authority: Authority::User,
            account: None,
            operation: operation("reading"),
        };
        let arguments = arguments.as_object().unwrap().clone();
        memory
            .call(recordar::verb::named(verb).unwrap(), Call::new(caller), arguments)
            .map(|reply| reply.to_value().unwrap())
    };
    let both = json!({"query": "secret lamp", "also": ["user:eve"], "limit": 1});
    assert_eq!(search(None, "search", both.clone()).unwrap()["hits"][0]["space"], "user:eve");
    assert_eq!(
        search(Some(Within::spaces(&ada(), &[eve()])), "search", both.clone()).unwrap()["hits"][0]["space"],
        "user:eve"
    );
    let code = |found: Result<Value, Error>| found.unwrap_err().code().to_owned();
    assert_eq!(code(search(Some(Within::spaces(&ada(), &[])), "search", both)), "not_found");
    let receipt = json!({"receipt": receipts[1]});
    assert_eq!(search(Some(Within::spaces(&ada(), &[eve()])), "why", receipt.clone()).unwrap()["identical"], true);
    assert_eq!(
        code(search(Some(Within::spaces(&ada(), &[])), "why", receipt)),
        "not_found",
        "the receipt is Ada's, and names Eve's space"
    );
    assert_eq!(code(search(Some(Within::spaces(&ada(), &[eve()])), "queue", json!({}))), "out_of_reach");
    let spaces = |within| search(Some(within), "spaces", json!({})).unwrap();
    assert_eq!(spaces(Within::spaces(&ada(), &[eve()])), json!(["user:ada", "user:eve"]));
    assert_eq!(spaces(Within::spaces(&ada(), &[])), json!(["user:ada"]));
}

/// A verb that only these tests have, to show what a verb takes.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct CountMessages {
    /// The thread to count in.
    thread: String,
    /// Spaces to count in as well.
    #[serde(default)]
    also: Vec<SpaceName>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Counted {
    /// How many there are.
    messages: usize,
}

impl Hide for Counted {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Result<(), Error> {
        // A number is nothing that anybody wrote.
        let Self { messages: _ } = self;
        Ok(())
    }
}

impl Verb for CountMessages {
    const NAME: &'static str = "count_messages";
    const ABOUT: &'static str = "Count the messages of a thread.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|count, _, _| Ok(count.also.iter().map(SpaceName::to_string).collect()));
    const IS_LONG: bool = false;
    type Reply = Counted;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Counted, Error> {
        let mut messages = 0;
        for (done, space) in std::iter::once(call.space().clone()).chain(self.also).enumerate() {
            messages += memory.messages(&space, Some(&self.thread))?.len();
            call.tell(recordar::call::Progress { done: done as u64 + 1, total: 2, message: space.to_string() });
        }
        Ok(Counted { messages })
    }
}

#[test]
fn a_toy_verb_is_read_confined_described_and_tells_how_far_it_is() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, _) = store(&database, true, &Ticks::default());
    memory
        .remember(&eve(), &[Message { thread: Some("own-thread".to_owned()), ..Message::new("x") }], &operation("x"))
        .unwrap();
    let toy = VerbEntry::of::<CountMessages>();
    assert_eq!(
        (toy.name, toy.effect, toy.reach, toy.is_long),
        ("count_messages", Effect::Reads, ReachKind::Spaces, false)
    );
    assert_eq!(toy.schema()["properties"]["thread"]["description"], "The thread to count in.");
    assert_eq!(toy.schema()["description"], "Count the messages of a thread.");
    assert_eq!(toy.reply_schema()["properties"]["messages"]["description"], "How many there are.");
    let mut told = Vec::new();
    let mut listen = |progress: recordar::call::Progress| told.push(progress.message);
    let mut count = |within: Option<Within>, arguments: Value| {
        let caller = Caller {
            space: ada(),
            names_space: true,
            within,
            files: false,
            authority: Authority::User,
            account: None,
            operation: operation("x"),
        };
        let call = Call { progress: Some(&mut listen), ..Call::new(caller) };
        memory
            .call(&toy, call, arguments.as_object().unwrap().clone())
            .map(|reply| reply.get::<Counted>().unwrap().messages)
    };
    assert_eq!(count(None, json!({"thread": "own-thread", "also": ["user:eve"]})).unwrap(), 6);
    let refused =
        count(Some(Within::spaces(&ada(), &[])), json!({"thread": "own-thread", "also": ["user:eve"]})).unwrap_err();
    assert_eq!(refused.code(), "not_found");
    assert_eq!(count(Some(Within::spaces(&ada(), &[])), json!({"thread": "own-thread"})).unwrap(), 5);
    let unknown = count(None, json!({"thread": "x", "thread_name": "y"})).unwrap_err();
    assert!(unknown.to_string().contains("count_messages has no argument \"thread_name\""), "{unknown}");
    assert_eq!(told, ["user:ada", "user:eve", "user:ada"]);
}

#[test]
fn ranges_of_the_table_are_those_that_are_kept() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (memory, receipts) = store(&database, false, &Ticks::default());
    let mut ranges = 0;
    for verb in &VERBS {
        let schema = Value::Object(Map::clone(&verb.schema()));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let (Some(least), Some(most)) = (property["minimum"].as_f64(), property["maximum"].as_f64()) else {
                continue;
            };
            let mut call = |value: f64| {
                let mut arguments = calls(verb, &receipts)[0].clone();
                let is_whole = property["type"].to_string().contains("integer");
                arguments.insert(name.clone(), if is_whole { json!(value as i64) } else { json!(value) });
                if name == "interleaving_ratio" {
                    arguments.insert("interleaving".to_owned(), json!("score_first"));
                }
                if verb.name == "make_key" {
                    let key = json!({"name": format!("key {ranges}"), "spaces": ["user:ada"]});
                    arguments.extend(key.as_object().unwrap().clone());
                }
                if name == "n2" {
                    arguments.insert("strategy".to_owned(), json!("zoom_in"));
                }
                ranges += 1;
                let caller = Caller {
                    space: ada(),
                    names_space: true,
                    within: None,
                    files: true,
                    authority: Authority::Administrator,
                    account: None,
                    operation: operation(&format!("range-{ranges}")),
                };
                memory.call(verb, Call::new(caller), arguments).err()
            };
            let step = if most <= 1.0 { 0.5 } else { 1.0 };
            // A tree can only get deeper than it is.
            let least = if name == "depth" { 4.0 } else { least };
            for (value, allowed) in [(least - step, false), (least, true), (most, true), (most + step, false)] {
                let error = call(value);
                let is_refused = error.as_ref().is_some_and(|error| error.code() == "invalid");
                assert_eq!(is_refused, !allowed, "{}.{name} = {value}: {error:?}", verb.name);
            }
        }
    }
    assert!(ranges > 60, "{ranges}");
}
