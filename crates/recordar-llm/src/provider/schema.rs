//! JSON schemas as providers accept them. Constraints removed here are still checked on the reply.

use crate::table::SchemaKeywords;
use serde_json::Value;

/// Keywords that strict modes refuse: bounds of values are checked on the reply.
const NOT_STRICT: [&str; 14] = [
    "$schema",
    "title",
    "default",
    "examples",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "format",
];

pub(super) fn adapted(schema: &Value, keywords: SchemaKeywords) -> Value {
    match keywords {
        SchemaKeywords::Full => filter_keywords(schema, &|name, value| !is_too_large_a_bound(name, value)),
        SchemaKeywords::Strict => filter_keywords(schema, &|name, _| !NOT_STRICT.contains(&name)),
    }
}

/// Servers that turn a schema into a grammar cannot count that far.
fn is_too_large_a_bound(name: &str, value: &Value) -> bool {
    const MAX_REPEATS: u64 = 1_999;
    matches!(name, "minLength" | "maxLength" | "minItems" | "maxItems")
        && value.as_u64().is_some_and(|n| n > MAX_REPEATS)
}

/// The schema with only the kept keywords, at every depth. Property names are not keywords.
fn filter_keywords(schema: &Value, is_kept: &dyn Fn(&str, &Value) -> bool) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let kept = fields.iter().filter(|(name, value)| is_kept(name, value));
    let adapted = kept.map(|(name, value)| {
        let value = match (name.as_str(), value) {
            ("properties" | "$defs", Value::Object(properties)) => Value::Object(
                properties.iter().map(|(name, value)| (name.clone(), filter_keywords(value, is_kept))).collect(),
            ),
            ("items", value) => filter_keywords(value, is_kept),
            ("anyOf", Value::Array(list)) => {
                Value::Array(list.iter().map(|value| filter_keywords(value, is_kept)).collect())
            }
            _ => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(adapted.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a2_schemas_are_cut_to_what_a_provider_takes() {
        let schema = json!({"type": "object", "title": "T", "additionalProperties": false, "required": ["title"], "properties": {
            "title": {"type": "string", "maxLength": 9, "enum": ["a"]},
            "ids": {"type": "array", "uniqueItems": true, "maxItems": 2, "items": {"type": "integer", "enum": [1, 2]}},
        }});
        assert_eq!(adapted(&schema, SchemaKeywords::Full), schema);
        let vast = json!({"type": "string", "minLength": 1, "maxLength": 2000});
        assert_eq!(adapted(&vast, SchemaKeywords::Full), json!({"type": "string", "minLength": 1}));
        assert_eq!(
            adapted(&schema, SchemaKeywords::Strict),
            json!({"type": "object", "additionalProperties": false, "required": ["title"], "properties": {
                "title": {"type": "string", "enum": ["a"]},
                "ids": {"type": "array", "items": {"type": "integer", "enum": [1, 2]}},
            }})
        );
    }
}
