//! A client's arguments: checked against the schema it was given, and split into the verb's and ours. Pure.

use crate::schema::{self, Adjustment};
use crate::settings::Settings;
use crate::tool::Tool;
use recordar::call::Verb;
use recordar::item::Role;
use recordar::verb::verbs;
use recordar::{Invalid, SpaceName};
use serde_json::{Map, Value, json};

/// A call with its arguments sorted.
pub(crate) struct Call {
    pub(crate) space: SpaceName,
    /// For the engine.
    pub(crate) arguments: Map<String, Value>,
    pub(crate) explain: bool,
    pub(crate) offset: usize,
}

pub(crate) fn read(tool: &Tool, mut given: Map<String, Value>, settings: &Settings) -> Result<Call, Invalid> {
    drop_nulls(&mut given);
    if let Some(Value::Array(messages)) = given.get_mut("messages") {
        messages.iter_mut().filter_map(Value::as_object_mut).for_each(drop_nulls);
    }
    rename_aliases(tool, &mut given);
    refuse_unknown(tool, &given, settings)?;
    refuse_guesses(tool, &given)?;
    refuse_orders(&given)?;
    let explain = match given.remove("explain") {
        None => false,
        Some(Value::Bool(explain)) => explain,
        Some(Value::String(word)) if ["true", "false"].contains(&word.as_str()) => word == "true",
        Some(other) => return Err(mistaken("explain", &other, "true or false")),
    };
    let offset = match given.remove("offset") {
        None => 0,
        Some(offset) => whole(&offset).ok_or_else(|| mistaken("offset", &offset, "an integer, 0 or greater"))?,
    };
    let named = given.remove("space");
    // A tool that reads several spaces reads only one if it is named.
    if tool.takes_also() && named.is_none() && !settings.also.is_empty() {
        given.insert("also".to_owned(), json!(settings.also));
    }
    let space = match named {
        None => settings.space.clone(),
        Some(name) => {
            let mut ours = std::iter::once(&settings.space).chain(&settings.also);
            let found = ours.find(|space| name == space.as_str()).cloned();
            found.ok_or_else(|| mistaken("space", &name, "one of the spaces in the tool's schema"))?
        }
    };
    // A receipt is written to the space that is read.
    let keeps_receipts = [verbs::Recall::NAME, verbs::Ask::NAME, verbs::Compose::NAME].contains(&tool.name());
    if keeps_receipts && (settings.read_only || space != settings.space) {
        given.insert("receipt".to_owned(), json!(false));
    }
    if tool.name() == verbs::Query::NAME {
        given.entry("limit").or_insert(json!(schema::CHUNKS));
    }
    Ok(Call { space, arguments: given, explain, offset })
}

/// Clients write null for arguments they do not set.
fn drop_nulls(object: &mut Map<String, Value>) {
    object.retain(|_, value| !value.is_null());
}

/// The second name of an argument, such as `file_name`, is taken as well.
fn rename_aliases(tool: &Tool, given: &mut Map<String, Value>) {
    let schema = tool.verb.schema();
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Some(alias) = property.get("x-alias").and_then(Value::as_str) else { continue };
        if !given.contains_key(name)
            && let Some(value) = given.remove(alias)
        {
            given.insert(name.clone(), value);
        }
    }
}

fn refuse_unknown(tool: &Tool, given: &Map<String, Value>, settings: &Settings) -> Result<(), Invalid> {
    let schema = schema::taken(tool, &Adjustment::new(tool, settings));
    let known: Vec<&str> = match &schema["properties"] {
        Value::Object(properties) => properties.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let Some(unknown) = given.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let remedy = match known.as_slice() {
        _ if unknown == "whole_space" => "ask the user to run `recordar forget space`; agents cannot".to_owned(),
        [] => "omit it; this tool takes no arguments".to_owned(),
        known => format!("use {}", known.join(", ")),
    };
    Err(Invalid::new(format!("{} has no argument {unknown:?}", tool.name()), remedy))
}

/// An agent must give the full id of a receipt: it may neither read nor remove one by guessing. And it must name exactly one
/// target from its own list.
fn refuse_guesses(tool: &Tool, given: &Map<String, Value>) -> Result<(), Invalid> {
    const DIGITS: usize = 16;
    let named =
        given.get("receipt").into_iter().chain(given.get("receipts").and_then(Value::as_array).into_iter().flatten());
    if named.filter_map(Value::as_str).any(|id| id.trim().len() < DIGITS) {
        return Err(Invalid::new(
            "this is not the full id of a receipt",
            format!("use the {DIGITS} digits that `recall` returned"),
        ));
    }
    const TARGETS: [&str; 5] = ["items", "ids", "document", "thread", "receipts"];
    if tool.name() == verbs::Forget::NAME && TARGETS.iter().filter(|target| given.contains_key(**target)).count() != 1 {
        let what = "exactly one thing to forget must be named";
        return Err(Invalid::new(what, "use one of items, document, thread or receipts"));
    }
    Ok(())
}

/// A recalled system message would be followed as an instruction, and an agent stores text that it read somewhere.
fn refuse_orders(given: &Map<String, Value>) -> Result<(), Invalid> {
    let messages = given.get("messages").and_then(Value::as_array).into_iter().flatten();
    let mut roles = messages.filter_map(|message| message.get("role")?.as_str());
    match roles.any(|role| role == Role::System.name()) {
        true => Err(Invalid::new("an agent cannot store system messages", "use the role user, assistant or tool")),
        false => Ok(()),
    }
}

/// `7`, `7.0` and `"7"` are the same number, as for the engine.
fn whole(given: &Value) -> Option<usize> {
    let exact = |number: f64| (number.fract() == 0.0 && (0.0..=1e15).contains(&number)).then_some(number as usize);
    match given {
        Value::String(text) => text.trim().parse().ok(),
        number => number.as_u64().and_then(|number| usize::try_from(number).ok()).or_else(|| exact(number.as_f64()?)),
    }
}

fn mistaken(name: &str, given: &Value, wanted: &str) -> Invalid {
    Invalid::new(format!("{name} cannot be {given}"), format!("use {wanted}"))
}
