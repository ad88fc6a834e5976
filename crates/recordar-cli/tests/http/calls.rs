//! Generated calls: each argument in turn is everything it could be, to get at what belongs to someone else.

use recordar::call::VerbEntry;
use serde_json::{Map, Value, json};

/// Words that lead to Eve, if anything does.
pub(crate) const WORDS: [&str; 13] = [
    "lamp",
    "secret lamp",
    "user:eve",
    "/secret/harbour.md",
    "harbour.md",
    "id:1",
    "secret-thread",
    "secret-said",
    "secret-stored",
    "secret-speaker",
    "secret",
    "2023-11-14T22:13:20Z",
    "/dev/null",
];

fn is_kind(property: &Value, name: &str) -> bool {
    property["type"] == name || property["type"].as_array().is_some_and(|all| all.contains(&json!(name)))
}

/// Everything that an argument could be.
pub(crate) fn tries(property: &Value) -> Vec<Value> {
    let numbers = [1, 2, 3, 30, 41];
    if let Some(words) = property["enum"].as_array() {
        return words.clone();
    }
    match () {
        () if is_kind(property, "boolean") => vec![json!(true), json!(false)],
        () if is_kind(property, "integer") || is_kind(property, "number") => numbers.map(|number| json!(number)).into(),
        () if is_kind(property, "string") => WORDS.map(|word| json!(word)).into(),
        () if is_kind(property, "array") && property["items"]["type"] == "integer" => {
            numbers.map(|number| json!([number])).into()
        }
        () if is_kind(property, "array") => {
            WORDS.iter().map(|word| json!([word])).chain([json!([{"text": "lamp"}])]).collect()
        }
        () => vec![json!({"text": "secret"}), json!({})],
    }
}

/// The arguments that have to be there, harmless.
pub(crate) fn least(verb: &VerbEntry) -> Map<String, Value> {
    let schema = Value::Object(Map::clone(&verb.schema()));
    let required: Vec<String> = serde_json::from_value(schema["required"].clone()).unwrap_or_default();
    let harmless = |name: &str| match name {
        "messages" => json!([{"text": "The own lamp is out."}]),
        "file" => json!("/dev/null"),
        "paths" => json!(["/dev/null"]),
        name => tries(&schema["properties"][name])[0].clone(),
    };
    required.iter().map(|name| (name.clone(), harmless(name))).collect()
}

/// Those and one more, which is tried in every way.
pub(crate) fn all(verb: &VerbEntry) -> Vec<Map<String, Value>> {
    let (schema, base) = (Value::Object(Map::clone(&verb.schema())), least(verb));
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    let varied = properties.iter().flat_map(|(name, property)| {
        tries(property).into_iter().map(|value| {
            let mut arguments = base.clone();
            arguments.insert(name.clone(), value);
            arguments
        })
    });
    let mut calls: Vec<_> = varied.collect();
    calls.push(base.clone());
    calls
}
