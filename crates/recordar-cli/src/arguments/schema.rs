//! Turns the arguments of a verb into options of the command line, and back. Names, kinds, defaults and ranges come from the
//! table's schema; only the spelling is decided here.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use recordar::Invalid;
use serde_json::{Map, Value, json};

/// Options with another name than their argument: repeatable options are in the singular.
pub(super) const FLAGS: [(&str, &str); 8] = [
    ("items", "item"),
    ("ids", "id"),
    ("keys", "key"),
    ("tags", "tag"),
    ("default_tags", "default-tag"),
    ("custom_redaction_patterns", "custom-redaction-pattern"),
    ("topics", "topic"),
    ("entities", "entity"),
];
/// Aliases.
pub(super) const ALIASES: [(&str, &str); 4] = [
    ("session_id", "session"),
    ("interleaving_ratio", "ratio"),
    ("enable_redaction", "redact"),
    ("custom_redaction_patterns", "redact-pattern"),
];
pub(super) const SHORT: [(&str, char); 2] = [("limit", 'n'), ("k", 'k')];

/// How an argument is written.
enum Kind {
    /// Present or absent.
    Flag,
    /// On, off, or unset.
    Switch,
    Choice,
    Integer,
    Number,
    Text,
    Texts,
    Integers,
    /// JSON.
    Object,
}

impl Kind {
    fn of(property: &Value) -> Self {
        let kinds: Vec<&str> = match &property["type"] {
            Value::String(kind) => vec![kind],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let is = |kind: &str| kinds.contains(&kind);
        match () {
            () if is("boolean") && property["default"] == json!(false) && !is("null") => Self::Flag,
            () if is("boolean") && is("null") => Self::Switch,
            () if is("boolean") => Self::Choice,
            () if is("integer") => Self::Integer,
            () if is("number") => Self::Number,
            () if is("string") => Self::Text,
            () if is("array") && property["items"]["type"] == "integer" => Self::Integers,
            () if is("array") => Self::Texts,
            () => Self::Object,
        }
    }
}

/// How a command spells one argument of its verb.
pub(super) struct Spelling<'a> {
    pub(super) name: &'a str,
    pub(super) property: &'a Value,
    pub(super) is_positional: bool,
    pub(super) is_required: bool,
    /// False if the short form would clash with another option.
    pub(super) has_short: bool,
    pub(super) flag: Option<&'static str>,
    pub(super) about: Option<&'static str>,
}

impl Spelling<'_> {
    pub(super) fn arg(&self) -> Arg {
        let Self { name, property, .. } = self;
        let arg = Arg::new((*name).to_owned()).help(self.help()).required(self.is_required);
        let arg = match Kind::of(property) {
            Kind::Flag => arg.action(ArgAction::SetTrue),
            Kind::Switch => switch(arg).require_equals(true).num_args(0..=1).default_missing_value("true"),
            Kind::Choice => switch(arg),
            Kind::Integer => arg.value_parser(value_parser!(i64)).value_name("N").allow_negative_numbers(true),
            Kind::Number => arg.value_parser(value_parser!(f64)).value_name("NUMBER").allow_negative_numbers(true),
            Kind::Integers => arg.value_parser(value_parser!(i64)).value_name("N").action(ArgAction::Append),
            Kind::Texts => arg.action(ArgAction::Append),
            Kind::Object => arg.value_name("JSON"),
            Kind::Text if property["format"] == "date-time" => arg.value_name("TIME"),
            Kind::Text => arg,
        };
        let flag = self.flag.or_else(|| find(&FLAGS, name)).map_or_else(|| name.replace('_', "-"), str::to_owned);
        let arg = match Kind::of(property) {
            _ if property["items"]["$ref"] == "#/$defs/SpaceName" => arg.value_name("KIND:NAME"),
            _ if property["items"]["$ref"] == "#/$defs/SpacePattern" => arg.value_name("PATTERN"),
            Kind::Text | Kind::Texts if !self.is_positional && property["format"].is_null() => {
                arg.value_name(flag.replace('-', "_").to_uppercase())
            }
            _ if self.is_positional => arg.value_name(name.strip_suffix('s').unwrap_or(name).to_uppercase()),
            _ => arg,
        };
        let arg = match property["enum"].as_array() {
            Some(words) => {
                let words = words.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
                let is_told = words.iter().all(|word| self.about().contains(word.as_str()));
                arg.value_parser(PossibleValuesParser::new(words)).hide_possible_values(is_told)
            }
            None => arg,
        };
        if self.is_positional {
            return match Kind::of(property) {
                Kind::Texts | Kind::Integers => arg.num_args(1..),
                _ => arg,
            };
        }
        let arg = arg.long(flag);
        let more = property["x-alias"].as_str().map(|alias| alias.replace('_', "-"));
        let arg = arg.aliases(find(&ALIASES, name).map(str::to_owned).into_iter().chain(more));
        match find(&SHORT, name).filter(|_| self.has_short) {
            Some(letter) => arg.short(letter),
            None => arg,
        }
    }

    fn about(&self) -> &str {
        self.about.unwrap_or_else(|| self.property["description"].as_str().unwrap_or_default())
    }

    /// The description, with the range and the default of the schema.
    fn help(&self) -> String {
        let Self { property, .. } = self;
        let about = self.about();
        let mut help = about.strip_suffix('.').unwrap_or(about).to_owned();
        let range = (property["minimum"].as_f64(), property["maximum"].as_f64());
        if let (Some(least), Some(most)) = range {
            help.push_str(&format!(" ({least} to {most})"));
        }
        match &property["default"] {
            Value::Number(number) => help.push_str(&format!(" [default: {number}]")),
            Value::String(word) => help.push_str(&format!(" [default: {word}]")),
            Value::Bool(true) => help.push_str(" [default: true]"),
            _ => {}
        }
        if matches!(Kind::of(property), Kind::Texts | Kind::Integers) && !self.is_positional {
            help.push_str("; may be given several times");
        }
        help
    }
}

fn switch(arg: Arg) -> Arg {
    arg.value_parser(value_parser!(bool)).value_name("true|false").hide_possible_values(true)
}

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(argument, _)| *argument == name).map(|(_, word)| *word)
}

/// The given arguments, in the form that the table expects.
pub(super) fn given(matches: &ArgMatches, properties: &Map<String, Value>) -> Result<Map<String, Value>, Invalid> {
    let mut given = Map::new();
    for (name, property) in properties {
        let is_known = matches.try_contains_id(name).unwrap_or(false);
        if is_known && matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine) {
            given.insert(name.clone(), value(matches, name, property)?);
        }
    }
    Ok(given)
}

fn value(matches: &ArgMatches, name: &str, property: &Value) -> Result<Value, Invalid> {
    Ok(match Kind::of(property) {
        Kind::Flag => json!(matches.get_flag(name)),
        Kind::Switch | Kind::Choice => json!(matches.get_one::<bool>(name)),
        Kind::Integer => json!(matches.get_one::<i64>(name)),
        Kind::Number => match matches.get_one::<f64>(name) {
            // JSON has no infinity or NaN, and would write null.
            Some(number) if !number.is_finite() => {
                return Err(Invalid::new(format!("{name} is {number}"), "use a finite number, such as 0.5"));
            }
            number => json!(number),
        },
        Kind::Text => json!(matches.get_one::<String>(name)),
        Kind::Texts => matches.get_many::<String>(name).into_iter().flatten().map(|text| json!(text)).collect(),
        Kind::Integers => matches.get_many::<i64>(name).into_iter().flatten().map(|number| json!(number)).collect(),
        Kind::Object => {
            let text = matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
            serde_json::from_str(text).map_err(|error| {
                Invalid::new(format!("{name} is not valid JSON: {error}"), r#"use an object such as {"team": "x"}"#)
            })?
        }
    })
}
