//! Two tenants. What Ada is answered does not depend on Eve: not a word, a name, a path, a count, a status or a message.
//!
//! Two servers hold the same of Ada, and one of them something of Eve as well. Generated calls go to both with Ada's key.

use crate::calls::all;
use crate::served::{Served, sqlite};
use recordar::verb::VERBS;
use recordar_testkit::{Random, rounds};
use serde_json::{Map, Value, json};

fn fill(served: &Served, admin: &str, space: &str, what: &str, messages: usize) {
    let mut client = served.client(Some(admin));
    let message = |number: usize| {
        json!({
            "text": format!("The {what} lamp number {number} is lit at dusk. {}", mark(what)), "thread": format!("{what}-thread"),
            "title": format!("{what}-title {}", mark(what)), "speaker": format!("{what}-speaker"), "time": "2023-11-14T22:13:20Z",
        })
    };
    let messages: Vec<Value> = (0..messages).map(message).collect();
    client.call("remember", space, &json!({"messages": messages, "operation": format!("{what}-said")})).is(200);
    let text = format!("# The {what} harbour\n\nThe {what} harbour opens at nine. {}", mark(what));
    let document = json!({"text": text, "name": format!("/{what}/harbour.md"), "operation": format!("{what}-stored")});
    client.call("ingest_text", space, &document).is(200);
}

/// A word that is Eve's alone: nothing that Ada says has it.
const EVES: &str = "xyzzy";

fn mark(what: &str) -> &'static str {
    if what == "secret" { EVES } else { "plain" }
}

/// Without what is measured, and without times and scores, which depend on the clock.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|name, _| {
                !matches!(name.as_str(), "timing" | "total_latency" | "latency_ms" | "receipt" | "detail_ms")
            });
            object.values_mut().for_each(timeless);
        }
        Value::Array(list) => list.iter_mut().for_each(timeless),
        Value::Number(number) if number.is_f64() => *value = Value::Null,
        Value::String(text) if text.len() >= 19 && text.as_bytes()[4] == b'-' && text.as_bytes()[10] == b'T' => {
            *value = Value::Null
        }
        Value::String(text) if text.chars().any(|c| c.is_ascii_digit()) => {
            // Scores and times within sentences.
            *value = json!(text.split(|c: char| c.is_ascii_digit() || c == '.').collect::<String>());
        }
        _ => {}
    }
}

#[test]
fn ch_25_1_what_one_tenant_is_answered_does_not_depend_on_another() {
    let databases = [sqlite(), sqlite()];
    let [alone, shared] = [Served::new(&databases[0]), Served::new(&databases[1])];
    let mut keys = Vec::new();
    for served in [&alone, &shared] {
        let admin = served.key("admin", &["--admin"]);
        fill(served, &admin, "user:ada", "own", 5);
        keys.push(served.key("ada", &["--write", "user:ada"]));
        if std::ptr::eq(served, &shared) {
            fill(served, &admin, "user:eve", "secret", 37);
        }
    }
    let (mut here, mut there) = (alone.client(Some(&keys[0])), shared.client(Some(&keys[1])));
    // Those that remove something come last: the others would find nothing.
    let calls: Vec<(&str, bool, Map<String, Value>)> = VERBS
        .iter()
        .flat_map(|verb| {
            all(verb).into_iter().map(|arguments| (verb.name, verb.effect.name() == "destroys", arguments))
        })
        .collect();
    let mut random = Random(25);
    for number in 0..rounds(1500, 10_000) {
        let at = if number < calls.len() && rounds(0, 1) == 1 { number } else { random.below(calls.len()) };
        let (verb, destroys, arguments) = &calls[at];
        if *destroys && random.below(10) > 0 {
            continue;
        }
        let space = ["user:ada", "user:ada", "user:ada", "user:eve", "user:nobody"][random.below(5)];
        let id = format!("call-{number}");
        let headers = [("X-Request-Id", id.as_str()), ("Idempotency-Key", id.as_str())];
        let arguments = Value::Object(arguments.clone());
        let [one, two] = [&mut here, &mut there].map(|client| client.call_with(verb, space, &arguments, &headers));
        assert_eq!(one.status, two.status, "{verb} {arguments} in {space}: {} / {}", one.text(), two.text());
        if space != "user:ada" {
            assert_eq!(one.status, 403, "{verb} {arguments}: {}", one.text());
        }
        assert!(!two.text().to_lowercase().contains(EVES), "{verb} {arguments} in {space}: {}", two.text());
        if two.headers.get("content-type").is_some_and(|kind| kind.ends_with("json")) {
            let [mut one, mut two] = [one.json(), two.json()];
            timeless(&mut one);
            timeless(&mut two);
            assert_eq!(one, two, "{verb} {arguments} in {space}");
        }
    }
}
