//! The API for people: one page without scripts, made from the OpenAPI document.

use crate::openapi;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::sync::OnceLock;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}\
h2{margin-top:2.5rem;border-top:1px solid #ddd;padding-top:1rem}code,pre{font:14px ui-monospace,monospace;background:#f4f4f4;border-radius:4px}\
code{padding:.1rem .3rem}pre{padding:.8rem;overflow:auto}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;\
padding:.3rem .6rem .3rem 0;border-bottom:1px solid #eee}nav{columns:14rem}nav a{display:block}a{color:#0b57d0}.rule{color:#555}\
@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}code,pre{background:#262626}h2,td,th{border-color:#333}a{color:#8ab4f8}.rule{color:#aaa}}";

/// The page, made once.
pub(crate) fn page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(make)
}

fn make() -> String {
    let document = openapi::document();
    let empty = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&empty);
    let (mut list, mut verbs) = (String::new(), String::new());
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().into_iter().flatten().filter(|(name, _)| *name != "parameters") {
            let name = escaped(operation["operationId"].as_str().unwrap_or_default());
            let _ = write!(list, "<a href=\"#{name}\">{name}</a>");
            let _ = write!(verbs, "<h2 id=\"{name}\">{name}</h2><p>{}</p>", escaped(word(&operation["summary"])));
            let _ = write!(verbs, "<p><code>{} {}</code></p>", method.to_uppercase(), escaped(path));
            if let Some(rule) = operation["description"].as_str() {
                let _ = write!(verbs, "<p class=\"rule\">{}</p>", escaped(rule));
            }
            verbs.push_str(&arguments(document, operation));
        }
    }
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Recordar: HTTP API</title><style>{STYLE}</style><h1>Recordar: HTTP API</h1>\
         <p>Every verb is a POST with its arguments as JSON. Send your key as <code>Authorization: Bearer KEY</code>, and name a space with \
         <code>?space=user:ada</code>. The same as a document for programs: <a href=\"/openapi.json\">OpenAPI</a>.</p>\
         <pre>curl http://127.0.0.1:7343/v1/remember -H 'Content-Type: application/json' \\\n  \
         -d '{{\"messages\": [{{\"text\": \"The library closes at nine.\"}}]}}'\n\
         curl http://127.0.0.1:7343/v1/recall -H 'Content-Type: application/json' -d '{{\"query\": \"When does the library close?\"}}'</pre>\
         <nav>{list}</nav>{verbs}</html>"
    )
}

fn arguments(document: &Value, operation: &Value) -> String {
    let mut schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    if let Some(choices) = schema["anyOf"].as_array() {
        schema = choices.last().unwrap_or(schema);
    }
    let schema = resolved(document, schema);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(properties) = schema["properties"].as_object().filter(|all| !all.is_empty()) else { return String::new() };
    let mut rows = String::new();
    for (name, property) in properties {
        let needed = if required.contains(&name.as_str()) { ", required" } else { "" };
        let (kind, about) = (kind(document, property), escaped(word(&property["description"])));
        let _ = write!(
            rows,
            "<tr><td><code>{}</code></td><td>{}{needed}</td><td>{about}</td></tr>",
            escaped(name),
            escaped(&kind)
        );
    }
    format!("<table><tr><th>argument</th><th>type</th><th></th></tr>{rows}</table>")
}

fn kind(document: &Value, property: &Value) -> String {
    let property = resolved(document, property);
    match &property["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(document, &property["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect::<Vec<_>>().join(" or ")
        }
        _ => match property["anyOf"].as_array().and_then(|choices| choices.first()) {
            Some(first) => kind(document, first),
            None => "any".to_owned(),
        },
    }
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or(schema, |name| &document["components"]["schemas"][name])
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
