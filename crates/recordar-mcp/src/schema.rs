//! What arguments a client is told of: the engine's schema, without what an agent may not say, with what only this face knows,
//! and in the plain form that every client understands: no references, no nulls, no formats.

use crate::Settings;
use crate::tool::Tool;
use recordar::call::{Verb, verbs};
use recordar::{Authority, recall_range};
use serde_json::{Map, Value, json};

/// Definitions refer to each other at most so deeply.
const MAX_DEPTH: usize = 8;

/// So many chunks are given at once by default: about as many as an agent is shown.
pub(crate) const CHUNKS: usize = 25;

/// Other spaces are the server's to name, and a whole space people's to forget. What is kept and what is spent is the administrator's word:
/// receipts, so that recalling is reading; what is classified, and how long a final prompt may be. A version that nobody needs is not made.
const HIDDEN: [&str; 7] =
    ["also", "whole_space", "receipt", "force", "classify", "regenerate_helper", "max_token_budget"];

/// How the arguments of a tool differ from those of its verb.
pub(crate) struct Adjustment {
    /// Arguments of the verb that the server sets, or nobody may.
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
                true => "The one space to look into; all of them by default. A tree is one space's.".to_owned(),
                false => format!("The space to look into; {} by default.", settings.space),
            };
            added.push(("space", json!({"type": "string", "enum": names, "description": description})));
        }
        if let Some(description) = tool.offset {
            added.push(("offset", json!({"type": "integer", "minimum": 0, "description": description})));
        }
        if tool.name() == verbs::Query::NAME {
            let description = format!("Chunks at the most; {CHUNKS} by default.");
            let limit = json!({"type": "integer", "minimum": 1, "maximum": 10_000, "description": description});
            added.push(("limit", limit));
        }
        if tool.explains {
            let description = "Give the whole reply, with every decision and every part of each score. It is long.";
            added.push(("explain", json!({"type": "boolean", "default": false, "description": description})));
        }
        Self { hidden, added }
    }
}

pub(crate) fn of(tool: &Tool, adjustment: &Adjustment) -> Map<String, Value> {
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
        if let Some((least, most)) = recall_range(name, Authority::User) {
            property["minimum"] = json!(least);
            property["maximum"] = json!(most);
        }
    }
    properties.extend(adjustment.added.iter().map(|(name, property)| ((*name).to_owned(), property.clone())));
    let mut plain = Map::new();
    plain.insert("type".to_owned(), json!("object"));
    plain.insert("properties".to_owned(), Value::Object(properties));
    plain.extend(schema.remove("required").map(|required| ("required".to_owned(), required)));
    plain.insert("additionalProperties".to_owned(), json!(false));
    plain
}

/// The arguments that a verb cannot do without.
pub(crate) fn required(tool: &Tool) -> Vec<String> {
    let names = tool.verb.schema().get("required").cloned().unwrap_or_default();
    serde_json::from_value(names).unwrap_or_default()
}

/// Puts definitions where they are referred to, and takes out what says no more than that a property may be left out.
fn simplify(schema: &mut Value, definitions: &Map<String, Value>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match schema {
        Value::Object(object) => {
            resolve(object, definitions);
            for noise in ["title", "format", "$schema"] {
                // A property may have such a name; then what it says is a schema.
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
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            object.values_mut().for_each(|inner| simplify(inner, definitions, depth + 1));
        }
        Value::Array(several) => several.iter_mut().for_each(|inner| simplify(inner, definitions, depth + 1)),
        _ => {}
    }
}

/// Of a reference, or of a choice between something and null, the thing itself. What is said beside it stays.
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
        let settings = Settings { space: SpaceName::user("ada").unwrap(), also: Vec::new(), read_only: false };
        let (mut defaults, mut ranges) = (0, 0);
        for tool in tools(&settings) {
            assert!(tool.verb.reach <= ReachKind::Spaces, "{} would lead an agent out of its spaces", tool.name());
            let table = tool.verb.schema();
            let shown = of(tool, &Adjustment::new(tool, &settings));
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
                if !is_ours && !said["default"].is_null() {
                    assert_eq!(property["default"], said["default"], "{}.{name}", tool.name());
                    defaults += 1;
                }
                let range = match recall_range(name, Authority::User) {
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
            let hidden = known.into_iter().filter(|name| shown["properties"].get(name.as_str()).is_none());
            assert!(hidden.into_iter().all(|name| HIDDEN.contains(&name.as_str())), "{}", tool.name());
        }
        assert!(defaults > 10 && ranges > 15, "{defaults} {ranges}");
    }
}
