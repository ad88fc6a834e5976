//! The OpenAPI document, made from the table of verbs. A verb that is in the table is in it.

use recordar::call::{Effect, ReachKind, VerbEntry};
use recordar::verb::VERBS;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// The document, made once.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(make)
}

/// The document as text.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| document().to_string())
}

fn make() -> Value {
    let mut schemas = Map::new();
    let mut paths = Map::new();
    for verb in &VERBS {
        paths.insert(format!("/v1/{}", verb.name), json!({"post": operation(verb, &mut schemas)}));
    }
    schemas.insert("ProblemDetails".to_owned(), problem());
    schemas.insert("RunningOperation".to_owned(), running());
    paths.extend(others());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Recordar",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A memory and context engine for LLM applications. Every verb is a POST with its arguments as JSON. Agents use the Model Context Protocol (streamable HTTP) at /mcp.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn operation(verb: &VerbEntry, schemas: &mut Map<String, Value>) -> Value {
    let arguments = hoisted(Map::clone(&verb.schema()), verb, "Arguments", schemas);
    let reply = hoisted(verb.reply_schema(), verb, "Reply", schemas);
    let mut parameters = vec![json!({
        "name": "space",
        "in": "query",
        "description": "The space to use, such as user:ada. By default, the only one of the key, or the configured one.",
        "schema": space_name(),
    })];
    if verb.effect != Effect::Reads {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The operation id. Repeating a call with the same id has no further effect.",
            "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
        }));
    }
    if verb.is_long && !verb.is_download() {
        parameters.push(json!({
            "name": "Prefer",
            "in": "header",
            "description": "respond-async: do not wait for the result. The reply has its address.",
            "schema": {"type": "string"},
        }));
    }
    let (content, is_required) = request(verb, &arguments, schemas);
    let mut responses = json!({
        "200": {"description": "Done.", "content": replies(verb, &reply)},
        "default": {
            "description": "Failed. The problem says why, and what to do about it.",
            "content": {"application/problem+json": {"schema": reference("ProblemDetails")}},
        },
    });
    if verb.is_long && !verb.is_download() {
        let content = json!({"application/json": {"schema": reference("RunningOperation")}});
        responses["202"] =
            json!({"description": "Running. Location says where to ask for the result.", "content": content});
    }
    json!({
        "operationId": verb.name,
        "summary": verb.about,
        "description": rules(verb),
        "parameters": parameters,
        "requestBody": {"required": is_required, "content": content},
        "responses": responses,
    })
}

/// Who may call it.
fn rules(verb: &VerbEntry) -> String {
    let effect = match verb.effect {
        Effect::Reads => "Reads.",
        Effect::Writes => "Writes.",
        Effect::Destroys => "Deletes for good.",
    };
    let reach = match verb.reach {
        ReachKind::OwnSpace => "For keys with access to the space.",
        ReachKind::Spaces => "For keys with access to the space and to those named in `also`.",
        ReachKind::Readable => "For any key. It shows what the key may read.",
        ReachKind::Store => "For administrators' keys.",
        ReachKind::Files if verb.is_carried => {
            "With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys."
        }
        ReachKind::Files => "It uses files of the server's machine: for administrators' keys.",
    };
    format!("{effect} {reach}")
}

/// What may be sent, and whether something must be.
fn request(verb: &VerbEntry, arguments: &Value, schemas: &mut Map<String, Value>) -> (Value, bool) {
    let name = arguments["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
    let is_required = schemas[&name]["required"].as_array().is_some_and(|all| !all.is_empty());
    let mut content = json!({"application/json": {"schema": arguments}});
    if !verb.is_carried {
        return (content, is_required);
    }
    let mut carried = schemas[&name].clone();
    if let Some(properties) = carried["properties"].as_object_mut() {
        // Nothing is overwritten by a download.
        properties.retain(|property, _| !(is_path(property) || verb.is_download() && property == "force"));
    }
    if let Some(required) = carried["required"].as_array_mut() {
        required.retain(|property| !property.as_str().is_some_and(is_path));
    }
    let carried_name = format!("{name}WithFiles");
    schemas.insert(carried_name.clone(), carried);
    if verb.is_download() {
        content["application/json"]["schema"] = json!({"anyOf": [reference(&carried_name), arguments]});
        return (content, false);
    }
    let file = json!({"type": "string", "contentMediaType": "application/octet-stream"});
    let parts = json!({
        "type": "object",
        "required": ["file"],
        "properties": {
            "arguments": reference(&carried_name),
            "file": {"type": "array", "minItems": 1, "items": file, "description": "The files, with their names."},
        },
    });
    content["multipart/form-data"] =
        json!({"schema": parts, "encoding": {"arguments": {"contentType": "application/json"}}});
    (content, is_required)
}

/// The arguments that are paths of the machine, of verbs whose files can be carried.
pub(crate) fn is_path(argument: &str) -> bool {
    matches!(argument, "paths" | "file" | "root" | "include" | "exclude" | "prune")
}

fn replies(verb: &VerbEntry, reply: &Value) -> Value {
    let mut content = json!({"application/json": {"schema": reply}});
    if verb.is_download() {
        content["application/x-ndjson"] = json!({"schema": {"type": "string"}});
    } else if verb.is_long {
        let about = "Events: progress, text, and at last result or problem.";
        content["text/event-stream"] = json!({"schema": {"type": "string", "description": about}});
    }
    content
}

/// A schema as a component, and its definitions as further ones. Definitions of the same name and content are shared.
fn hoisted(mut schema: Map<String, Value>, verb: &VerbEntry, kind: &str, schemas: &mut Map<String, Value>) -> Value {
    schema.remove("$schema");
    let definitions = match schema.remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    let own = format!("{}{kind}", camel(verb.name));
    let mut names = Map::new();
    for (name, definition) in &definitions {
        let is_other = schemas.get(name).is_some_and(|known| known != &renamed(definition.clone(), &Map::new()));
        let chosen = if is_other { format!("{own}{name}") } else { name.clone() };
        names.insert(name.clone(), json!(chosen));
    }
    for (name, definition) in definitions {
        let chosen = names[&name].as_str().unwrap_or(&name).to_owned();
        let made = renamed(definition, &names);
        debug_assert!(schemas.get(&chosen).is_none_or(|known| *known == made), "two schemas are called {chosen}");
        schemas.insert(chosen, made);
    }
    schemas.insert(own.clone(), renamed(Value::Object(schema), &names));
    reference(&own)
}

/// References lead to components.
fn renamed(mut schema: Value, names: &Map<String, Value>) -> Value {
    match &mut schema {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                let definition =
                    value.as_str().and_then(|path| path.strip_prefix("#/$defs/")).filter(|_| key == "$ref");
                *value = match definition {
                    Some(name) => {
                        let name = names.get(name).and_then(Value::as_str).unwrap_or(name);
                        json!(format!("#/components/schemas/{name}"))
                    }
                    None => renamed(value.take(), names),
                };
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = renamed(value.take(), names)),
        _ => {}
    }
    schema
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn camel(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(word).collect()
}

fn space_name() -> Value {
    json!({"type": "string", "pattern": "^[a-z0-9_-]+:\\S+$", "maxLength": 200, "examples": ["user:ada"]})
}

fn problem() -> Value {
    json!({
        "type": "object",
        "description": "Why something was not done (RFC 9457).",
        "required": ["type", "title", "status", "detail", "code", "remedy", "request_id"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string", "description": "What happened, and to what."},
            "code": {"type": "string", "description": "A stable name for programs."},
            "remedy": {"type": "string", "description": "What to do about it."},
            "request_id": {"type": "string"},
        },
    })
}

fn running() -> Value {
    json!({
        "type": "object",
        "required": ["operation", "space", "verb", "state"],
        "properties": {
            "operation": {"type": "string"},
            "space": {"type": "string"},
            "verb": {"type": ["string", "null"]},
            "state": {"type": "string", "enum": ["running", "done", "failed", "cancelled", "partial"]},
            "progress": {
                "type": "object",
                "required": ["done", "total", "message"],
                "properties": {
                    "done": {"type": "integer"}, "total": {"type": "integer"}, "message": {"type": "string"},
                },
            },
            "result": {"description": "The reply of the verb, once it is done."},
            "parts": {"type": "array", "description": "What the store knows of an earlier operation, or of its parts."},
            "problem": reference("ProblemDetails"),
        },
    })
}

/// What is not a verb.
fn others() -> Map<String, Value> {
    let problem = json!({
        "description": "Failed. The problem says why.",
        "content": {"application/problem+json": {"schema": reference("ProblemDetails")}},
    });
    let text = |about: &str, kind: &str| json!({"200": {"description": about, "content": {kind: {"schema": {}}}}, "default": problem});
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1, "maxLength": 200}});
    let space = json!({"name": "space", "in": "query", "schema": space_name()});
    let json_of = |name: &str| json!({"application/json": {"schema": reference(name)}});
    let found =
        json!({"200": {"description": "Its state.", "content": json_of("RunningOperation")}, "default": problem});
    let cancelled =
        json!({"202": {"description": "Being cancelled.", "content": json_of("RunningOperation")}, "default": problem});
    let paths = json!({
        "/v1/operations/{id}": {
            "parameters": [id, space],
            "get": {"operationId": "get_operation", "summary": "Show how far a call is, or its result.", "responses": found},
            "delete": {"operationId": "cancel_operation", "summary": "Cancel a call that runs.", "responses": cancelled},
        },
        "/session": {
            "get": {"operationId": "show_session", "summary": "Show whose key is in use.", "responses": text("The key's name and rights.", "application/json")},
            "post": {
                "operationId": "sign_in", "summary": "Sign in with a key, for pages: it is kept in a cookie that scripts cannot read.", "security": [],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {
                    "type": "object", "required": ["key"], "properties": {"key": {"type": "string", "maxLength": 200}},
                }}}},
                "responses": text("Signed in.", "application/json"),
            },
            "delete": {"operationId": "sign_out", "summary": "Sign out.", "security": [], "responses": {"204": {"description": "Signed out."}, "default": problem}},
        },
        "/healthz": {"get": {"operationId": "healthz", "summary": "Whether the server runs.", "security": [], "responses": text("Running.", "text/plain")}},
        "/readyz": {"get": {"operationId": "readyz", "summary": "Whether the server and its database can be used.", "security": [], "responses": text("Ready.", "text/plain")}},
        "/metrics": {"get": {"operationId": "prometheus_metrics", "summary": "Metrics in Prometheus' text format. For administrators' keys.", "responses": text("The metrics.", "text/plain")}},
    });
    match paths {
        Value::Object(paths) => paths,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                found.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
                object.values().for_each(|value| references(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_verb_is_in_it_and_every_reference_leads_somewhere() {
        let document = document();
        for verb in &VERBS {
            let operation = &document["paths"][format!("/v1/{}", verb.name)]["post"];
            assert_eq!(operation["summary"], verb.about);
        }
        let mut found = Vec::new();
        references(document, &mut found);
        assert!(found.len() > 200);
        for reference in found {
            let name = reference.strip_prefix("#/components/schemas/").unwrap_or_else(|| panic!("{reference}"));
            assert!(document["components"]["schemas"][name].is_object(), "{reference}");
        }
    }

    #[test]
    fn arguments_that_are_paths_are_those_of_the_verbs_whose_files_are_carried() {
        for verb in VERBS.iter().filter(|verb| verb.is_carried) {
            let schema = verb.schema();
            let required = schema["required"].as_array().unwrap();
            assert!(required.iter().any(|name| is_path(name.as_str().unwrap())), "{}", verb.name);
        }
    }
}
