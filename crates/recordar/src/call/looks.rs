//! Lenient argument types: `7.0` and `"7"` are accepted for the number 7. Callers that build JSON from
//! text, as language models do, write all three. Anything else is rejected in JSON's terms.

use recordar_domain::Invalid;
use serde_json::{Map, Number, Value};

/// Maximum depth of schema references.
const MAX_DEPTH: usize = 16;
/// Up to here, a float holds every whole number exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A value, and its path.
pub(super) struct Look<'a> {
    definitions: Option<&'a Map<String, Value>>,
    path: String,
    depth: usize,
}

/// The error of a value, and the schema it violates.
pub(super) struct Mistake<'a> {
    pub(super) path: String,
    pub(super) what: Invalid,
    pub(super) schema: &'a Value,
}

impl<'a> Look<'a> {
    pub(super) fn new(schema: &'a Map<String, Value>, name: &str) -> Self {
        Self { definitions: schema.get("$defs").and_then(Value::as_object), path: name.to_owned(), depth: 0 }
    }

    /// Converts a value to the type of its schema, if it looks like that.
    pub(super) fn at(&self, value: &mut Value, schema: &'a Value) -> Result<(), Mistake<'a>> {
        if value.is_null() || self.depth > MAX_DEPTH {
            return Ok(());
        }
        let plain = self.plain(schema);
        let wanted = wanted(plain);
        let looked = match wanted {
            Some("integer") => whole_number(value, plain),
            Some("number") => number(value),
            Some("boolean") => boolean(value),
            Some("string") => matches(value, Value::is_string, "a string").and_then(|()| listed(value, plain)),
            Some("array") => matches(value, Value::is_array, "a list"),
            Some("object") => matches(value, Value::is_object, "an object"),
            _ => Ok(()),
        };
        looked.map_err(|what| Mistake { path: self.path.clone(), what, schema })?;
        match value {
            Value::Array(entries) => {
                let Some(items) = plain.get("items") else { return Ok(()) };
                let mut entries = entries.iter_mut().enumerate();
                entries.try_for_each(|(place, entry)| self.below(format!("[{place}]")).at(entry, items))
            }
            Value::Object(members) => {
                let Some(properties) = plain.get("properties").and_then(Value::as_object) else { return Ok(()) };
                let mut known =
                    members.iter_mut().filter_map(|(name, member)| Some((name, member, properties.get(name)?)));
                known.try_for_each(|(name, member, property)| self.below(format!(".{name}")).at(member, property))
            }
            _ => Ok(()),
        }
    }

    fn below(&self, step: String) -> Self {
        Self { definitions: self.definitions, path: format!("{}{step}", self.path), depth: self.depth + 1 }
    }

    /// The referenced schema; of a choice between a type and null, the type.
    fn plain(&self, mut schema: &'a Value) -> &'a Value {
        for _ in 0..MAX_DEPTH {
            let choice = schema.get("anyOf").and_then(Value::as_array);
            let thing = choice.and_then(|all| match all.as_slice() {
                [thing, null] | [null, thing] if null["type"] == "null" => Some(thing),
                _ => None,
            });
            let name = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
            let definition = name.and_then(|name| self.definitions?.get(name));
            match thing.or(definition) {
                Some(inner) => schema = inner,
                None => break,
            }
        }
        schema
    }
}

/// The one expected type, besides null.
fn wanted(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => {
            let mut names = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
            names.next().filter(|_| names.next().is_none())
        }
        _ => None,
    }
}

fn whole_number(value: &mut Value, schema: &Value) -> Result<(), Invalid> {
    let number = match &*value {
        Value::Number(number) if !number.is_f64() => Some(number.clone()),
        Value::Number(number) => number.as_f64().and_then(whole),
        Value::String(text) => text.trim().parse::<i64>().ok().map(Number::from),
        _ => None,
    };
    let Some(number) = number else { return Err(wrong(value, "a whole number")) };
    let is_unsigned = schema.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint"));
    if is_unsigned && number.as_u64().is_none() {
        return Err(wrong(value, "a whole number, 0 or greater"));
    }
    *value = Value::Number(number);
    Ok(())
}

fn whole(number: f64) -> Option<Number> {
    (number.fract() == 0.0 && number.abs() <= MAX_EXACT).then(|| Number::from(number as i64))
}

fn number(value: &mut Value) -> Result<(), Invalid> {
    let number = match &*value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => text.trim().parse::<f64>().ok().and_then(Number::from_f64),
        _ => None,
    };
    *value = Value::Number(number.ok_or_else(|| wrong(value, "a number"))?);
    Ok(())
}

fn boolean(value: &mut Value) -> Result<(), Invalid> {
    let truth = match &*value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
        _ => None,
    };
    *value = Value::Bool(truth.ok_or_else(|| wrong(value, "true or false"))?);
    Ok(())
}

fn matches(value: &Value, is: fn(&Value) -> bool, wanted: &str) -> Result<(), Invalid> {
    if is(value) { Ok(()) } else { Err(wrong(value, wanted)) }
}

/// One of the allowed words.
fn listed(value: &Value, schema: &Value) -> Result<(), Invalid> {
    let Some(words) = schema.get("enum").and_then(Value::as_array) else { return Ok(()) };
    if words.contains(value) {
        return Ok(());
    }
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    Err(wrong(value, &format!("one of {}", words.join(", "))))
}

/// A short value is shown.
fn wrong(value: &Value, wanted: &str) -> Invalid {
    const MAX_SHOWN: usize = 40;
    let shown = match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.len() > MAX_SHOWN => "a long string".to_owned(),
        other => other.to_string(),
    };
    Invalid::new(format!("must be {wanted}, not {shown}"), format!("use {wanted}"))
}
