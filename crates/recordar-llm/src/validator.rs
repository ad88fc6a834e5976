//! Validates a reply against its JSON schema, for the keywords that our schemas use. Any other keyword makes the schema invalid, so that
//! no constraint is skipped silently. The messages, their places and their order are those of the crate `jsonschema` 0.60, which was used
//! before. They are sent to the model, so they are part of recorded requests: do not change them.

use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How deep a schema may be nested. Ours have at most five levels.
const MAX_DEPTH: usize = 32;
/// In the order in which messages list them.
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

pub(crate) struct Validator(Rule);

/// What does not fit, and where: a JSON pointer, empty for the whole.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) place: String,
    pub(crate) message: String,
}

impl Validator {
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        Rule::new(schema, 0).map(Self)
    }

    /// The first problems of a value; none if it fits.
    pub(crate) fn problems(&self, value: &Value, most: usize) -> Vec<Problem> {
        let mut report = Report { place: String::new(), problems: Vec::new(), most };
        self.0.check(value, &mut report);
        report.problems
    }
}

#[derive(Default)]
enum Rule {
    #[default]
    Anything,
    Nothing,
    Keywords(Box<Keywords>),
}

#[derive(Default)]
struct Keywords {
    /// Any type, if empty.
    types: Vec<&'static str>,
    is_type_last: bool,
    options: Option<Vec<Value>>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    min_items: Option<u64>,
    max_items: Option<u64>,
    is_unique: bool,
    items: Rule,
    required: Vec<String>,
    is_required_last: bool,
    properties: Option<BTreeMap<String, Rule>>,
    additional: Rule,
}

/// The problems found so far, and the place of the value that is checked.
struct Report {
    place: String,
    problems: Vec<Problem>,
    most: usize,
}

impl Report {
    fn add(&mut self, message: fmt::Arguments<'_>) {
        if self.problems.len() < self.most {
            self.problems.push(Problem { place: self.place.clone(), message: message.to_string() });
        }
    }

    fn check_inside(&mut self, step: &str, rule: &Rule, value: &Value) {
        if self.problems.len() == self.most {
            return;
        }
        let outside = self.place.len();
        self.place.push('/');
        self.place.push_str(&step.replace('~', "~0").replace('/', "~1"));
        rule.check(value, self);
        self.place.truncate(outside);
    }
}

impl Rule {
    fn new(schema: &Value, depth: usize) -> Result<Self, String> {
        match schema {
            _ if depth > MAX_DEPTH => Err(format!("it is nested more than {MAX_DEPTH} levels deep")),
            Value::Bool(true) => Ok(Self::Anything),
            Value::Bool(false) => Ok(Self::Nothing),
            Value::Object(fields) => Ok(Self::Keywords(Box::new(Keywords::new(fields, depth)?))),
            _ => Err(format!("{schema} is not a schema")),
        }
    }

    fn check(&self, value: &Value, report: &mut Report) {
        match self {
            Self::Anything => {}
            Self::Nothing => report.add(format_args!("False schema does not allow {value}")),
            Self::Keywords(keywords) => keywords.check(value, report),
        }
    }
}

impl Keywords {
    fn new(fields: &Map<String, Value>, depth: usize) -> Result<Self, String> {
        let mut known = Self::default();
        let rule = |schema: &Value| Rule::new(schema, depth + 1);
        for (keyword, value) in fields {
            let invalid = || format!("{keyword} cannot be {value}");
            let count = || value.as_u64().map(Some).ok_or_else(invalid);
            let bound = || value.as_number().cloned().map(Some).ok_or_else(invalid);
            match keyword.as_str() {
                "type" => known.types = types(value).ok_or_else(invalid)?,
                "enum" => known.options = Some(value.as_array().ok_or_else(invalid)?.clone()),
                "minimum" => known.minimum = bound()?,
                "maximum" => known.maximum = bound()?,
                "minLength" => known.min_length = count()?,
                "maxLength" => known.max_length = count()?,
                "minItems" => known.min_items = count()?,
                "maxItems" => known.max_items = count()?,
                "uniqueItems" => known.is_unique = value.as_bool().ok_or_else(invalid)?,
                "items" => known.items = rule(value)?,
                "required" => known.required = distinct_names(value).ok_or_else(invalid)?,
                "properties" => {
                    let properties = value.as_object().ok_or_else(invalid)?.iter();
                    let properties = properties.map(|(name, value)| Ok((name.clone(), rule(value)?)));
                    known.properties = Some(properties.collect::<Result<_, String>>()?);
                }
                "additionalProperties" => known.additional = rule(value)?,
                "title" | "description" | "default" | "examples" => {}
                _ => return Err(format!("the keyword {keyword} is not supported")),
            }
        }
        let is_closed = matches!(known.additional, Rule::Nothing);
        let forbidden = known.required.iter().find(|name| is_closed && known.property(name).is_none());
        if let Some(name) = forbidden {
            return Err(format!("it requires the property {name:?}, which it does not allow"));
        }
        // Where `jsonschema` merged keywords into one check, their messages came last.
        let has_items = !matches!(known.items, Rule::Anything) && !fields.contains_key("uniqueItems");
        known.is_type_last = has_items && fields.get("type").is_some_and(|name| name == "array");
        known.is_required_last = is_closed && known.required.len() == 1;
        Ok(known)
    }

    fn property(&self, name: &str) -> Option<&Rule> {
        self.properties.as_ref()?.get(name)
    }

    fn check(&self, value: &Value, report: &mut Report) {
        if !self.is_type_last {
            self.check_type(value, report);
        }
        if let Some(options) = &self.options
            && !options.iter().any(|option| compare(option, value).is_eq())
        {
            report.add(format_args!("{value} is not one of {}", listed(options)));
        }
        match value {
            Value::Number(number) => self.check_number(number, report),
            Value::String(text) => self.check_text(value, text, report),
            Value::Array(items) => self.check_items(value, items, report),
            Value::Object(members) => self.check_members(members, report),
            Value::Null | Value::Bool(_) => {}
        }
        if self.is_type_last {
            self.check_type(value, report);
        }
    }

    fn check_type(&self, value: &Value, report: &mut Report) {
        match self.types.as_slice() {
            [] => {}
            types if types.iter().any(|name| is_of_type(value, name)) => {}
            [only] => report.add(format_args!("{value} is not of type \"{only}\"")),
            several => report.add(format_args!("{value} is not of types \"{}\"", several.join("\", \""))),
        }
    }

    fn check_number(&self, number: &Number, report: &mut Report) {
        if let Some(limit) = self.minimum.as_ref().filter(|limit| compare_numbers(number, limit).is_lt()) {
            report.add(format_args!("{number} is less than the minimum of {limit}"));
        }
        if let Some(limit) = self.maximum.as_ref().filter(|limit| compare_numbers(number, limit).is_gt()) {
            report.add(format_args!("{number} is greater than the maximum of {limit}"));
        }
    }

    fn check_text(&self, value: &Value, text: &str, report: &mut Report) {
        let chars = text.chars().count() as u64;
        if let Some(limit) = self.min_length.filter(|limit| chars < *limit) {
            report.add(format_args!("{value} is shorter than {}", counted(limit, "character")));
        }
        if let Some(limit) = self.max_length.filter(|limit| chars > *limit) {
            report.add(format_args!("{value} is longer than {}", counted(limit, "character")));
        }
    }

    fn check_items(&self, value: &Value, items: &[Value], report: &mut Report) {
        if let Some(limit) = self.min_items.filter(|limit| (items.len() as u64) < *limit) {
            report.add(format_args!("{value} has less than {}", counted(limit, "item")));
        }
        if let Some(limit) = self.max_items.filter(|limit| (items.len() as u64) > *limit) {
            report.add(format_args!("{value} has more than {}", counted(limit, "item")));
        }
        if self.is_unique && !are_unique(items) {
            report.add(format_args!("{value} has non-unique elements"));
        }
        for (index, item) in items.iter().enumerate() {
            report.check_inside(&index.to_string(), &self.items, item);
        }
    }

    fn check_members(&self, members: &Map<String, Value>, report: &mut Report) {
        if !self.is_required_last {
            self.check_required(members, report);
        }
        let mut unexpected = Vec::new();
        for (name, member) in members {
            match (self.property(name), &self.additional) {
                (None, Rule::Nothing) => unexpected.push((name, member)),
                (rule, additional) => report.check_inside(name, rule.unwrap_or(additional), member),
            }
        }
        if let Some((_, first)) = unexpected.first() {
            let names: Vec<&str> = unexpected.iter().map(|(name, _)| name.as_str()).collect();
            let were = if names.len() == 1 { "was" } else { "were" };
            match &self.properties {
                Some(_) => report.add(format_args!(
                    "Additional properties are not allowed ('{}' {were} unexpected)",
                    names.join("', '")
                )),
                None => report.add(format_args!("False schema does not allow {first}")),
            }
        }
        if self.is_required_last {
            self.check_required(members, report);
        }
    }

    fn check_required(&self, members: &Map<String, Value>, report: &mut Report) {
        for name in self.required.iter().filter(|name| !members.contains_key(*name)) {
            report.add(format_args!("{} is a required property", Value::from(name.as_str())));
        }
    }
}

fn types(value: &Value) -> Option<Vec<&'static str>> {
    let names = if value.is_string() { vec![value.as_str()?.to_owned()] } else { distinct_names(value)? };
    let types: Vec<&'static str> = TYPES.into_iter().filter(|known| names.iter().any(|name| name == known)).collect();
    (!types.is_empty() && types.len() == names.len()).then_some(types)
}

fn distinct_names(value: &Value) -> Option<Vec<String>> {
    let names: Vec<String> =
        value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    let is_distinct = names.iter().collect::<BTreeSet<_>>().len() == names.len();
    is_distinct.then_some(names)
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || name == "integer" && is_whole(number),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// 1.0 is an integer too.
fn is_whole(number: &Number) -> bool {
    number.as_i128().is_some() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn listed(options: &[Value]) -> String {
    match options {
        [] => String::new(),
        [only] => only.to_string(),
        [first, second] => format!("{first} or {second}"),
        [first, second, third] => format!("{first}, {second} or {third}"),
        [first, second, others @ ..] => format!("{first}, {second} or {} other candidates", others.len()),
    }
}

/// Sorts, because a long reply has too many pairs to compare.
fn are_unique(items: &[Value]) -> bool {
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort_unstable_by(|left, right| compare(left, right));
    sorted.windows(2).all(|pair| compare(pair[0], pair[1]).is_ne())
}

/// A total order in which 1 and 1.0 are equal.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => compare_numbers(left, right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => {
            let mut pairs = left.iter().zip(right).map(|(left, right)| compare(left, right));
            pairs.find(|order| order.is_ne()).unwrap_or(left.len().cmp(&right.len()))
        }
        // The members of an object are sorted by name.
        (Value::Object(left), Value::Object(right)) => {
            let mut pairs = left.iter().zip(right).map(|((left_name, left), (right_name, right))| {
                left_name.cmp(right_name).then_with(|| compare(left, right))
            });
            pairs.find(|order| order.is_ne()).unwrap_or(left.len().cmp(&right.len()))
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// Exact, also where an integer has more digits than a float holds.
fn compare_numbers(left: &Number, right: &Number) -> Ordering {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => compare_with_float(left, float(right)),
        (None, Some(right)) => compare_with_float(right, float(left)).reverse(),
        // Zero and minus zero are equal; JSON has no NaN.
        (None, None) => float(left).partial_cmp(&float(right)).unwrap_or(Ordering::Equal),
    }
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

fn compare_with_float(whole: i128, float: f64) -> Ordering {
    // The cast saturates far outside the integers of JSON.
    let below = float.floor();
    whole.cmp(&(below as i128)).then(if below < float { Ordering::Less } else { Ordering::Equal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The expected messages were given by `jsonschema` 0.60.2.
    fn check(schema: Value, value: Value, expected: &[&str]) {
        let problems = Validator::new(&schema).unwrap().problems(&value, usize::MAX);
        let found: Vec<String> = problems.iter().map(|p| format!("{}: {}", p.place, p.message)).collect();
        assert_eq!(found, expected, "{value} against {schema}");
    }

    fn refused(schema: Value, expected: &str) {
        let problem = Validator::new(&schema).map(|_| ()).unwrap_err();
        assert!(problem.contains(expected), "{schema}: {problem}");
    }

    #[test]
    fn a2_schema_types() {
        for (name, fitting, other) in [
            ("null", json!(null), json!(0)),
            ("boolean", json!(false), json!(null)),
            ("integer", json!(-1), json!(1.5)),
            ("integer", json!(1.0), json!("1")),
            ("number", json!(1.5), json!("1.5")),
            ("string", json!(""), json!(["é\n"])),
            ("array", json!([]), json!({"a": 1})),
            ("object", json!({}), json!([])),
        ] {
            check(json!({"type": name}), fitting, &[]);
            check(json!({"type": name}), other.clone(), &[&format!(": {other} is not of type \"{name}\"")]);
        }
        check(json!({"type": ["string"]}), json!(1), &[": 1 is not of type \"string\""]);
        let several = json!({"type": ["string", "null"]});
        check(several.clone(), json!(null), &[]);
        check(several, json!(1), &[": 1 is not of types \"null\", \"string\""]);
        check(json!(true), json!(1), &[]);
        check(json!(false), json!(1), &[": False schema does not allow 1"]);
    }

    #[test]
    fn a2_schema_enums() {
        check(json!({"enum": [1, "a", null, [1, {"b": 2}]]}), json!([1.0, {"b": 2.0}]), &[]);
        check(json!({"enum": ["a", null]}), json!(null), &[]);
        check(json!({"enum": []}), json!("a"), &[": \"a\" is not one of "]);
        check(json!({"enum": ["a"]}), json!("b"), &[": \"b\" is not one of \"a\""]);
        check(json!({"enum": ["a", "b"]}), json!("A"), &[": \"A\" is not one of \"a\" or \"b\""]);
        check(json!({"enum": [1, 2, 3]}), json!(4), &[": 4 is not one of 1, 2 or 3"]);
        check(json!({"enum": [1, 2, 3, 4]}), json!("1"), &[": \"1\" is not one of 1, 2 or 2 other candidates"]);
    }

    #[test]
    fn a2_schema_bounds_of_numbers() {
        let schema = json!({"minimum": 0, "maximum": 1.0});
        check(schema.clone(), json!(1), &[]);
        check(schema.clone(), json!(-0.0), &[]);
        check(schema.clone(), json!("2"), &[]);
        check(schema.clone(), json!(-0.5), &[": -0.5 is less than the minimum of 0"]);
        check(schema, json!(2), &[": 2 is greater than the maximum of 1.0"]);
        // As floats they would be equal.
        let large = 9_007_199_254_740_993_u64;
        let problem = ": 9007199254740993 is greater than the maximum of 9007199254740992.0";
        check(json!({"maximum": 9_007_199_254_740_992.0}), json!(large), &[problem]);
        check(json!({"minimum": -1e300, "maximum": 1e300}), json!(u64::MAX), &[]);
    }

    #[test]
    fn a2_schema_lengths_in_characters() {
        let schema = json!({"minLength": 1, "maxLength": 2});
        check(schema.clone(), json!("日😀"), &[]);
        check(schema.clone(), json!(5), &[]);
        check(schema.clone(), json!(""), &[": \"\" is shorter than 1 character"]);
        check(schema, json!("\"é\""), &[": \"\\\"é\\\"\" is longer than 2 characters"]);
    }

    #[test]
    fn a2_schema_items() {
        let schema = json!({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2});
        check(schema.clone(), json!([1, 2.0]), &[]);
        let problems = [": [true] has less than 2 items", "/0: true is not of type \"integer\""];
        check(schema.clone(), json!([true]), &problems);
        check(schema.clone(), json!([1, 2, 3]), &[": [1,2,3] has more than 2 items"]);
        check(schema, json!("1"), &[": \"1\" is not of type \"array\""]);
        check(json!({"maxItems": 1}), json!([1, 2]), &[": [1,2] has more than 1 item"]);
        check(json!({"items": false}), json!([1]), &["/0: False schema does not allow 1"]);
        check(json!({"items": true}), json!([1]), &[]);
    }

    #[test]
    fn a2_schema_unique_items() {
        let schema = json!({"uniqueItems": true});
        check(schema.clone(), json!([1, "1", true, null, [1], {"a": 1}, {"a": 2}, {"b": 1}]), &[]);
        check(schema.clone(), json!([1, 2, 1.0]), &[": [1,2,1.0] has non-unique elements"]);
        check(schema, json!([{"a": [0]}, {"a": [-0.0]}]), &[": [{\"a\":[0]},{\"a\":[-0.0]}] has non-unique elements"]);
        check(json!({"uniqueItems": false}), json!([1, 1]), &[]);
    }

    #[test]
    fn a2_schema_properties() {
        let open = json!({"properties": {"a": {"type": "string"}, "b": false}, "required": ["b", "a\"", "a"]});
        check(open.clone(), json!([]), &[]);
        check(
            open,
            json!({"c": 1, "a": 1, "b": 2}),
            &[
                ": \"a\\\"\" is a required property",
                "/a: 1 is not of type \"string\"",
                "/b: False schema does not allow 2",
            ],
        );
        let closed = json!({"properties": {"a": {}, "b": {"maximum": 1}}, "required": ["b", "a"], "additionalProperties": false});
        check(closed.clone(), json!({"a": null, "b": 1}), &[]);
        check(
            closed,
            json!({"b": 2, "it's": 1, "d": 2}),
            &[
                ": \"a\" is a required property",
                "/b: 2 is greater than the maximum of 1",
                ": Additional properties are not allowed ('d', 'it's' were unexpected)",
            ],
        );
        // The only required property of a closed object is reported last.
        check(
            json!({"properties": {"a": {}}, "required": ["a"], "additionalProperties": false}),
            json!({"d": 1}),
            &[": Additional properties are not allowed ('d' was unexpected)", ": \"a\" is a required property"],
        );
        let rest = json!({"properties": {"a": {}}, "additionalProperties": {"type": "null"}});
        check(rest, json!({"a": 1, "d": 2}), &["/d: 2 is not of type \"null\""]);
        check(json!({"additionalProperties": false}), json!({"a": 1, "b": 2}), &[": False schema does not allow 1"]);
    }

    #[test]
    fn a2_schema_keywords_are_checked_in_a_fixed_order() {
        let text = json!({"maxLength": 1, "enum": ["a"], "type": "null"});
        let problems =
            [": \"bc\" is not of type \"null\"", ": \"bc\" is not one of \"a\"", ": \"bc\" is longer than 1 character"];
        check(text, json!("bc"), &problems);
        let list = json!({"type": "array", "items": {}, "enum": [[]]});
        check(list, json!(1), &[": 1 is not one of []", ": 1 is not of type \"array\""]);
        let unique = json!({"type": "array", "items": {}, "enum": [[]], "uniqueItems": false});
        check(unique, json!(1), &[": 1 is not of type \"array\"", ": 1 is not one of []"]);
    }

    #[test]
    fn a2_schema_places_are_json_pointers() {
        let leaf = json!({"type": "null"});
        let schema = json!({"properties": {"a/b": {"items": {"properties": {"~c": leaf, "é \"": leaf}}}}});
        check(
            schema.clone(),
            json!({"a/b": [{}, {"~c": 1, "é \"": 2}]}),
            &["/a~1b/1/~0c: 1 is not of type \"null\"", "/a~1b/1/é \": 2 is not of type \"null\""],
        );
        let many = json!({"a/b": [{"~c": 1}, {"~c": 2}, {"~c": 3}]});
        let found = Validator::new(&schema).unwrap().problems(&many, 2);
        let places: Vec<&str> = found.iter().map(|problem| problem.place.as_str()).collect();
        assert_eq!(places, ["/a~1b/0/~0c", "/a~1b/1/~0c"]);
    }

    #[test]
    fn a2_unknown_and_malformed_keywords_are_refused() {
        check(json!({"title": 1, "description": "d", "default": null, "examples": [1]}), json!(1), &[]);
        refused(json!({"properties": {"a": {"pattern": "^a"}}}), "the keyword pattern is not supported");
        refused(json!({"items": {"$ref": "#"}}), "$ref");
        refused(json!([]), "[] is not a schema");
        refused(json!({"items": null}), "null is not a schema");
        for (keyword, value) in [
            ("type", json!("text")),
            ("type", json!([])),
            ("type", json!(["null", "null"])),
            ("type", json!(["null", "text"])),
            ("enum", json!("a")),
            ("minimum", json!("1")),
            ("maximum", json!(null)),
            ("minLength", json!(-1)),
            ("maxLength", json!(1.5)),
            ("minItems", json!(null)),
            ("maxItems", json!("1")),
            ("uniqueItems", json!(1)),
            ("required", json!("a")),
            ("required", json!([1])),
            ("required", json!(["a", "a"])),
            ("properties", json!([])),
        ] {
            refused(json!({keyword: value}), &format!("{keyword} cannot be {value}"));
        }
        let unmeetable = json!({"properties": {"a": {}}, "required": ["b"], "additionalProperties": false});
        refused(unmeetable, "it requires the property \"b\", which it does not allow");
    }

    #[test]
    fn a2_the_depth_of_a_schema_is_limited() {
        let nested = |depth: usize| (0..depth).fold(json!({}), |inner, _| json!({"items": inner}));
        assert!(Validator::new(&nested(MAX_DEPTH)).is_ok());
        refused(nested(MAX_DEPTH + 1), "nested more than 32 levels deep");
        refused(nested(100), "nested");
    }
}
