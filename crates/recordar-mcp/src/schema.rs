//! The argument schemas that a client is shown: the engine's schema, without arguments that an agent may not set, with those that
//! only this face has, and in a plain form that every client understands: no references, no nulls, no formats.

use crate::settings::Settings;
use crate::tool::Tool;
use recordar::call::Verb;
use recordar::item::Role;
use recordar::recall::{Authority, recall_range};
use recordar::verb::verbs;
use serde_json::{Map, Value, json};

/// The maximum depth of references.
const MAX_DEPTH: usize = 8;

/// The default number of chunks per page: about as many as an agent is shown.
pub(crate) const CHUNKS: usize = 25;

/// Arguments that an agent may not set. The server names other spaces, and only people forget a whole space. The administrator decides
/// on receipts (so that a recall only reads), on classification and on the length of a final prompt. Needless versions are not made. An agent
/// gets a composed prompt, and does not send it: that costs money.
const HIDDEN: [&str; 12] = [
    "also",
    "whole_space",
    "receipt",
    "force",
    "classify",
    "regenerate_helper",
    "max_token_budget",
    "agents",
    "send",
    "model",
    "prompt",
    "max_usd",
];

/// Arguments that are accepted but not shown, for every tool or for one: they are for programs, and would cost every agent
/// tokens. docs/mcp.md lists them.
const QUIET: [&str; 79] = [
    "about",
    "full",
    "asked_at",
    "budget_covers",
    "category",
    "clip_sentences",
    "context_tokens",
    "custom_redaction_patterns",
    "default_tags",
    "documents.after",
    "documents.filter",
    "items.filter",
    "documents.limit",
    "document.as_of",
    "document.strategy",
    "derived_from",
    "enable_redaction",
    "entities",
    "excerpts",
    "expires",
    "file_tokens",
    "helper",
    "history_tokens",
    "id",
    "ids",
    "importance",
    "interleaving",
    "interleaving_ratio",
    "k",
    "limit_per_path",
    "max_paths",
    "max_per_level",
    "message_type",
    "meta",
    "metadata",
    "mtime",
    "n",
    "n2",
    "note",
    "operation",
    "preview",
    "prompt_limiting_strategy",
    "provider",
    "rerank",
    "search_type",
    "session_id",
    "source",
    "staged",
    "synonyms",
    "theta",
    "thread_context",
    "time",
    "title",
    "topics",
    "turns",
    "use_memory",
    "use_rankings",
    "ask.filter",
    "ask.max_tokens",
    "ask.min_confidence",
    "ask.min_score",
    "ask.strategy",
    "ask.top_k",
    "compose.as_of",
    "compose.max_tokens",
    "compose.mode",
    "compose.off",
    "compose.offset",
    "compose.task",
    "query.filter",
    "query.strategy",
    "why_not.as_of",
    "why_not.filter",
    "why_not.max_tokens",
    "why_not.min_confidence",
    "why_not.min_score",
    "why_not.top_k",
    "ingest_text.explain",
    "ingest_text.type",
];

const ROLES: &str = "/items/properties/role/enum";

/// How the arguments of a tool differ from those of its verb.
pub(crate) struct Adjustment {
    /// Arguments of the verb that only the server may set.
    hidden: Vec<&'static str>,
    /// Arguments that are not the verb's.
    added: Vec<(&'static str, Value)>,
}

impl Adjustment {
    pub(crate) fn new(tool: &Tool, settings: &Settings) -> Self {
        let hidden = HIDDEN.into_iter().filter(|name| tool.name() != verbs::Why::NAME || *name != "receipt").collect();
        let mut added = Vec::new();
        if tool.takes_space() && !settings.also.is_empty() {
            let names: Vec<&str> = std::iter::once(&settings.space).chain(&settings.also).map(|s| s.as_str()).collect();
            let description = match tool.takes_also() {
                true => {
                    "The one space to read; by default, all spaces are read. A tree belongs to one space.".to_owned()
                }
                false => format!("The space to read; {} by default.", settings.space),
            };
            added.push(("space", json!({"type": "string", "enum": names, "description": description})));
        }
        if let Some(description) = tool.offset {
            added.push(("offset", json!({"type": "integer", "minimum": 0, "description": description})));
        }
        if tool.name() == verbs::Query::NAME {
            let description = format!("Maximum number of chunks; {CHUNKS} by default.");
            let limit = json!({"type": "integer", "minimum": 1, "maximum": 10_000, "description": description});
            added.push(("limit", limit));
        }
        if tool.explains {
            let description = "Return the full reply, with every decision.";
            added.push(("explain", json!({"type": "boolean", "description": description})));
        }
        Self { hidden, added }
    }
}

/// The schema that an agent is shown.
pub(crate) fn of(tool: &Tool, adjustment: &Adjustment) -> Map<String, Value> {
    let mut schema = taken(tool, adjustment);
    hush(tool, &mut schema);
    schema
}

/// The schema of a reply: an object with these members and others.
pub(crate) fn of_reply(members: &[(&str, &str)]) -> Map<String, Value> {
    let member = |(name, kind): &(&str, &str)| ((*name).to_owned(), json!({"type": kind}));
    let properties: Map<String, Value> = members.iter().map(member).collect();
    Map::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), Value::Object(properties))])
}

/// Removes quiet properties, also from objects in lists.
fn hush(tool: &Tool, schema: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !is_quiet(tool, name));
        properties.values_mut().filter_map(Value::as_object_mut).for_each(|property| hush(tool, property));
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        // The list is already described, and the engine rejects unknown members.
        items.remove("description");
        items.remove("additionalProperties");
        hush(tool, items);
    }
}

fn is_quiet(tool: &Tool, name: &str) -> bool {
    let of_tool = format!("{}.{name}", tool.name());
    QUIET.iter().any(|quiet| *quiet == name || *quiet == of_tool)
}

/// Every accepted argument.
pub(crate) fn taken(tool: &Tool, adjustment: &Adjustment) -> Map<String, Value> {
    let mut schema = Map::clone(&tool.verb.schema());
    let definitions = match schema.remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    let mut properties = match schema.remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    };
    properties.retain(|name, _| !adjustment.hidden.contains(&name.as_str()));
    properties.values_mut().for_each(|property| simplify(property, &definitions, 0));
    for (name, property) in &mut properties {
        if let Some((least, most)) = user_range(tool, name) {
            property["minimum"] = json!(least);
            property["maximum"] = json!(most);
        }
    }
    // An agent cannot store system messages.
    if let Some(Value::Array(roles)) = properties.get_mut("messages").and_then(|m| m.pointer_mut(ROLES)) {
        roles.retain(|role| role != Role::System.name());
    }
    properties.extend(adjustment.added.iter().map(|(name, property)| ((*name).to_owned(), property.clone())));
    let mut plain = Map::new();
    plain.insert("type".to_owned(), json!("object"));
    plain.insert("properties".to_owned(), Value::Object(properties));
    plain.extend(schema.remove("required").map(|required| ("required".to_owned(), required)));
    plain
}

/// The range that a user has for a setting of a recall. `max_tokens` of a composition is no such setting.
fn user_range(tool: &Tool, name: &str) -> Option<(u32, u32)> {
    recall_range(name, Authority::User).filter(|_| tool.name() != verbs::Compose::NAME)
}

/// Inlines definitions, and removes parts that only say that a property is optional.
fn simplify(schema: &mut Value, definitions: &Map<String, Value>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match schema {
        Value::Object(object) => {
            resolve(object, definitions);
            for noise in ["title", "format", "$schema"] {
                // A property may have such a name; then its value is a schema.
                if object.get(noise).is_some_and(Value::is_string) {
                    object.remove(noise);
                }
            }
            object.retain(|name, _| !name.starts_with("x-"));
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            // An option that is off by default needs no default.
            let says_nothing = |default: &Value| default.is_null() || *default == json!(false) || *default == json!([]);
            if object.get("default").is_some_and(says_nothing) {
                object.remove("default");
            }
            object.values_mut().for_each(|inner| simplify(inner, definitions, depth + 1));
        }
        Value::Array(several) => several.iter_mut().for_each(|inner| simplify(inner, definitions, depth + 1)),
        _ => {}
    }
}

/// Resolves a reference, or a choice between something and null. Its other members stay.
fn resolve(object: &mut Map<String, Value>, definitions: &Map<String, Value>) {
    if let Some(Value::Array(choices)) = object.get("anyOf")
        && let [one, other] = choices.as_slice()
        && let Some(thing) = [(one, other), (other, one)].iter().find(|(_, null)| null["type"] == "null")
        && let Value::Object(thing) = thing.0.clone()
    {
        object.remove("anyOf");
        merge(object, thing);
    }
    let Some(Value::String(reference)) = object.remove("$ref") else { return };
    let name = reference.rsplit('/').next().unwrap_or_default();
    if let Some(Value::Object(definition)) = definitions.get(name) {
        merge(object, definition.clone());
    }
}

fn merge(object: &mut Map<String, Value>, more: Map<String, Value>) {
    for (name, value) in more {
        object.entry(name).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::tools;
    use recordar::SpaceName;
    use recordar::call::ReachKind;

    #[test]
    fn a12_arguments_defaults_and_ranges_are_those_of_the_table() {
        let settings = Settings {
            space: SpaceName::user("ada").unwrap(),
            also: Vec::new(),
            read_only: false,
            account: None,
            stop: None,
        };
        let (mut defaults, mut ranges) = (0, 0);
        for tool in tools(&settings) {
            assert!(tool.verb.reach <= ReachKind::Spaces, "{} would lead an agent out of its spaces", tool.name());
            let table = tool.verb.schema();
            let shown = taken(tool, &Adjustment::new(tool, &settings));
            let properties = table.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
            let known: Vec<&String> = properties.keys().collect();
            for (name, property) in shown["properties"].as_object().unwrap() {
                if !known.contains(&name) {
                    assert!(["offset", "explain"].contains(&name.as_str()), "{}.{name}", tool.name());
                    continue;
                }
                let said = &properties[name];
                // An agent is shown fewer chunks at a time, and has a user's ranges.
                let is_ours = tool.name() == verbs::Query::NAME && name == "limit";
                if !is_ours && !property["default"].is_null() {
                    assert_eq!(property["default"], said["default"], "{}.{name}", tool.name());
                    defaults += 1;
                }
                let range = match user_range(tool, name) {
                    Some((least, most)) => [json!(least), json!(most)],
                    None => [said["minimum"].clone(), said["maximum"].clone()],
                };
                // A type that cannot be negative says so in the one and not in the other.
                if !range[1].is_null() {
                    assert_eq!(
                        [&property["minimum"], &property["maximum"]],
                        [&range[0], &range[1]],
                        "{}.{name}",
                        tool.name()
                    );
                    ranges += 1;
                }
            }
            if tool.name() == verbs::Compose::NAME {
                assert_eq!(shown["properties"]["max_tokens"]["maximum"], 1_000_000, "not the range of a recall");
            }
            let hidden = known.into_iter().filter(|name| shown["properties"].get(name.as_str()).is_none());
            assert!(hidden.into_iter().all(|name| HIDDEN.contains(&name.as_str())), "{}", tool.name());
        }
        assert!(defaults > 10 && ranges > 15, "{defaults} {ranges}");
    }

    #[test]
    fn a12_what_is_quiet_is_something_that_is_taken() {
        let settings = Settings {
            space: SpaceName::user("ada").unwrap(),
            also: Vec::new(),
            read_only: false,
            account: None,
            stop: None,
        };
        let all: Vec<(&Tool, String)> = tools(&settings)
            .map(|tool| (tool, Value::Object(taken(tool, &Adjustment::new(tool, &settings))).to_string()))
            .collect();
        for quiet in QUIET {
            let (tool, name) = quiet.split_once('.').unwrap_or(("", quiet));
            let mut takers = all.iter().filter(|(taker, _)| tool.is_empty() || taker.name() == tool);
            assert!(takers.any(|(_, schema)| schema.contains(&format!("\"{name}\":{{"))), "{quiet}");
        }
    }
}
