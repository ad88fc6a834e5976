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

/// What most people look for first.
const MOST_USED: [&str; 10] =
    ["remember", "recall", "ask", "compose", "ingest", "ingest_text", "documents", "facts", "why", "forget"];

const INTRODUCTION: &str = r##"<p>Every verb is a <code>POST</code> with its arguments as JSON. For programs, the same as
<a href="/openapi.json">OpenAPI</a>.</p>
<pre>curl http://127.0.0.1:7343/v1/remember \
  -H 'Content-Type: application/json' \
  -d '{"messages": [{"text": "The library closes at nine."}]}'

curl http://127.0.0.1:7343/v1/recall \
  -H 'Content-Type: application/json' \
  -d '{"query": "When does the library close?"}'</pre>
<table>
<tr><th>send</th><th>for</th></tr>
<tr><td><code>Authorization: Bearer KEY</code></td><td>your API key, where the server needs one</td></tr>
<tr><td><code>?space=user:ada</code></td><td>the space; by default, the only one of the key, or the configured one</td></tr>
<tr><td><code>Idempotency-Key: ID</code></td><td>a write that can be sent again without a second effect</td></tr>
<tr><td><code>Accept: text/event-stream</code></td><td>progress, and an answer while it is written</td></tr>
<tr><td><code>Prefer: respond-async</code></td><td>long work that you do not wait for: see <a href="#get_operation">get_operation</a></td></tr>
<tr><td><code>multipart/form-data</code></td><td>files: each as <code>file</code>, and the other arguments as <code>arguments</code>, in JSON</td></tr>
</table>
<p>Agents use the Model Context Protocol at <code>/mcp</code>.</p>"##;

fn make() -> String {
    let document = openapi::document();
    let empty = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&empty);
    let mut sections: Vec<(usize, &str, String)> = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().into_iter().flatten().filter(|(name, _)| *name != "parameters") {
            let name = word(&operation["operationId"]);
            let rank = MOST_USED.iter().position(|used| *used == name).unwrap_or(MOST_USED.len());
            sections.push((rank, name, section(document, (method, path), name, operation)));
        }
    }
    sections.sort();
    let is_used = |(rank, ..): &&(usize, &str, String)| *rank < MOST_USED.len();
    let link = |(_, name, _): &(usize, &str, String)| format!("<a href=\"#{name}\">{name}</a>");
    let used: String = sections.iter().filter(is_used).map(link).collect();
    let others: String = sections.iter().filter(|section| !is_used(section)).map(link).collect();
    let verbs: String = sections.iter().map(|(.., section)| section.as_str()).collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Recordar: HTTP API</title><style>{STYLE}</style><h1>Recordar: HTTP API</h1>{INTRODUCTION}\
         <h3>Most used</h3><nav>{used}</nav><h3>All others</h3><nav>{others}</nav>{verbs}</html>"
    )
}

fn section(document: &Value, (method, path): (&str, &str), name: &str, operation: &Value) -> String {
    let mut section = format!(
        "<h2 id=\"{name}\">{name}</h2><p>{}</p><p><code>{} {}</code></p>",
        prose(word(&operation["summary"])),
        method.to_uppercase(),
        escaped(path)
    );
    if let Some(rule) = operation["description"].as_str() {
        let _ = write!(section, "<p class=\"rule\">{}</p>", prose(rule));
    }
    section.push_str(&arguments(document, operation));
    section
}

fn arguments(document: &Value, operation: &Value) -> String {
    let content = &operation["requestBody"]["content"];
    let mut schema = &content["application/json"]["schema"];
    // Of a file that is taken or sent, the arguments beside it.
    if let Some(choices) = schema["anyOf"].as_array() {
        schema = choices.first().unwrap_or(schema);
    }
    let mut rows = String::new();
    if let Some(parts) = content["multipart/form-data"]["schema"]["properties"].as_object() {
        schema = &parts["arguments"];
        rows.push_str("<tr><td><code>file</code></td><td>file, required</td><td>The file, or several; with the type multipart/form-data.</td></tr>");
    }
    add_fields(document, schema, "", &mut rows);
    if rows.is_empty() {
        return rows;
    }
    format!("<table><tr><th>argument</th><th>type</th><th>meaning</th></tr>{rows}</table>")
}

/// A row for each field of an object, and for the fields of those in it.
fn add_fields(document: &Value, schema: &Value, before: &str, rows: &mut String) {
    const DEEPEST: usize = 3;
    let schema = resolved(document, schema);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let needed = if required.contains(&name.as_str()) { ", required" } else { "" };
        let (kind, about) = (kind(document, property), prose(word(&property["description"])));
        let path = format!("{before}{name}");
        let _ = write!(
            rows,
            "<tr><td><code>{}</code></td><td>{}{needed}</td><td>{about}</td></tr>",
            escaped(&path),
            escaped(&kind)
        );
        if path.split('.').count() < DEEPEST {
            let inner = resolved(document, first_choice(resolved(document, property)));
            let inner = if inner["items"].is_object() { &inner["items"] } else { inner };
            add_fields(document, inner, &format!("{path}."), rows);
        }
    }
}

/// What a value is, if it is not absent.
fn first_choice(property: &Value) -> &Value {
    property["anyOf"].as_array().and_then(|choices| choices.first()).unwrap_or(property)
}

fn kind(document: &Value, property: &Value) -> String {
    let property = resolved(document, property);
    match &property["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(document, &property["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect::<Vec<_>>().join(" or ")
        }
        _ if property["anyOf"].is_array() => kind(document, first_choice(property)),
        _ => "any".to_owned(),
    }
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or(schema, |name| &document["components"]["schemas"][name])
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A description, with what is in backticks as code.
fn prose(text: &str) -> String {
    let parts = escaped(text);
    let parts = parts.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
