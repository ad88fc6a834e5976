//! What arguments a client is told of: the engine's schema, without what an agent may not say, with what only this face knows,
//! and in the plain form that every client understands: no references, no nulls, no formats.

use crate::Settings;
use recordar::{Authority, Verb, recall_range};
use serde_json::{Map, Value, json};

/// Definitions refer to each other at most so deeply.
const MAX_DEPTH: usize = 8;

/// So many chunks are given at once where nothing is said: about as many as an agent is shown.
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
    pub(crate) fn new(verb: Verb, settings: &Settings) -> Self {
        let hidden = HIDDEN.into_iter().filter(|name| verb != Verb::Why || *name != "receipt").collect();
        let mut added = Vec::new();
        if takes_space(verb) && !settings.also.is_empty() {
            let names: Vec<&str> = std::iter::once(&settings.space).chain(&settings.also).map(|s| s.as_str()).collect();
            let description = match takes_also(verb) {
                true => {
                    "The one space to look into; all of these where nothing is said. A tree is one space's.".to_owned()
                }
                false => format!("The space to look into; {} where nothing is said.", settings.space),
            };
            added.push(("space", json!({"type": "string", "enum": names, "description": description})));
        }
        if let Some(description) = offset(verb) {
            added.push(("offset", json!({"type": "integer", "minimum": 0, "description": description})));
        }
        if verb == Verb::Query {
            let description = format!("Chunks at the most; {CHUNKS} where nothing is said.");
            let limit = json!({"type": "integer", "minimum": 1, "maximum": 10_000, "description": description});
            added.push(("limit", limit));
        }
        if explains(verb) {
            let description = "Give the whole reply, with every decision and every part of each score. It is long.";
            added.push(("explain", json!({"type": "boolean", "default": false, "description": description})));
        }
        Self { hidden, added }
    }
}

/// Whether a tool can look into one of the server's other spaces.
pub(crate) fn takes_space(verb: Verb) -> bool {
    use Verb::{Ask, Document, DocumentText, DocumentVersions, Documents, Messages, Query, Threads, Tree};
    matches!(verb, Documents | Document | DocumentText | DocumentVersions | Threads | Messages | Ask | Query | Tree)
}

/// Whether a verb looks into several spaces at once.
pub(crate) fn takes_also(verb: Verb) -> bool {
    matches!(verb, Verb::Recall | Verb::Ask | Verb::Search | Verb::WhyNot)
}

fn explains(verb: Verb) -> bool {
    use Verb::{Ask, Document, IngestText, Query, Recall, Search, Why, WhyNot};
    matches!(verb, Recall | Ask | Query | Search | Document | Why | WhyNot | IngestText)
}

/// What is counted by the offset of a tool, where its reply may be too long for one.
fn offset(verb: Verb) -> Option<&'static str> {
    match verb {
        Verb::DocumentText => Some("Begin at this character. A text that is cut says where it goes on."),
        Verb::Documents => Some("Begin with this document of the list. A list that is cut says where it goes on."),
        Verb::DocumentVersions => {
            Some("Begin with this version of the list. A list that is cut says where it goes on.")
        }
        Verb::Tree => Some("Begin with this category of the list. A list that is cut says where it goes on."),
        Verb::Threads => Some("Begin with this thread of the list. A list that is cut says where it goes on."),
        Verb::Messages => Some("Begin with this message of the thread. A list that is cut says where it goes on."),
        _ => None,
    }
}

pub(crate) fn of(verb: Verb, adjustment: &Adjustment) -> Map<String, Value> {
    let mut schema = verb.schema();
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
pub(crate) fn required(verb: Verb) -> Vec<String> {
    let names = verb.schema().remove("required").unwrap_or_default();
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
