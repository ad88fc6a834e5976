//! The words of the command line, held against the table of verbs.

use super::schema::{ALIASES, FLAGS, SHORT};
use super::spec::OF_A_DESCENT;
use super::{Global, Spec};
use crate::command::COMMANDS;
use crate::command_line::command;
use crate::outcome::Outcome;
use clap::{Args, Command};
use recordar::call::{Call, Effect, Reach, Verb};
use recordar::verb::VERBS;
use recordar::{Error, Recordar};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What only the command line has, and why.
const OWN: [(&str, &[&str]); 15] = [
    ("search", &["explain"]),
    ("recall", &["explain"]),
    ("ask", &["explain"]),
    ("compose", &["explain", "diff"]),
    ("query", &["explain"]),
    ("why", &["explain"]),
    ("why_not", &["explain"]),
    ("classify", &["explain"]),
    ("document", &["explain", "named"]),
    ("document_text", &["chunks"]),
    ("tree", &["levels"]),
    ("expire", &["yes"]),
    // A text from standard input has a name, files have paths.
    ("ingest", &["explain", "watch", "name", "text", "date", "author", "description"]),
    ("restore", &["yes"]),
    // `vocab export` writes a file.
    ("vocabulary", &["output", "force"]),
];

fn built(spec: &Spec) -> Command {
    let mut built = Global::augment_args(spec.command(Command::new("x")));
    built.build();
    built
}

fn help(command: &Command, name: &str) -> String {
    let arg = command.get_arguments().find(|arg| arg.get_id() == name).unwrap();
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn the_command_line_is_well_formed() {
    command().debug_assert();
    COMMANDS.iter().for_each(|spec| built(spec).debug_assert());
}

#[test]
fn a12_every_verb_has_a_command_and_every_argument_an_option() {
    let mut offered: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for spec in COMMANDS {
        let Some(verb) = &spec.verb else { continue };
        let ids = built(spec).get_arguments().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>();
        offered.entry(verb.name).or_default().extend(ids);
    }
    for verb in &VERBS {
        // `recordar ingest -` and `recordar compose --diff` are these.
        if ["ingest_text", "compose_diff"].contains(&verb.name) {
            continue;
        }
        let schema = Value::Object(serde_json::Map::clone(&verb.schema()));
        let arguments = schema["properties"].as_object().cloned().unwrap_or_default();
        let mut expected: BTreeSet<String> = arguments.keys().cloned().collect();
        match verb.name {
            // One message is written as its fields.
            "remember" => {
                expected.remove("messages");
                expected.insert("jsonl".to_owned());
                expected.extend(schema["$defs"]["Message"]["properties"].as_object().unwrap().keys().cloned());
            }
            // The fields of a contextual helper are options of their own; for single files a terminal is asked.
            "helper" | "ingest" => {
                expected.remove("helper");
                expected.remove("helpers");
                expected.extend(["text", "date", "author", "description", "topic"].map(str::to_owned));
            }
            // The fields of a description are options of their own.
            "document" => {
                expected.remove("meta");
            }
            // One record is written as its fields; deleting is a command of its own.
            "put_records" => {
                expected.remove("records");
                expected.remove("delete");
                expected.extend(schema["$defs"]["RecordInput"]["properties"].as_object().unwrap().keys().cloned());
            }
            // The first word of the command says which text.
            "standing_text" | "set_standing_text" | "standing_text_history" | "standing_text_diff" => {
                expected.remove("kind");
            }
            // The whole space is a command of its own.
            "forget" => {
                expected.remove("whole_space");
                expected.extend(["name", "yes"].map(str::to_owned));
            }
            _ => {}
        }
        let own = OWN.iter().find(|(name, _)| *name == verb.name).map(|(_, own)| *own).unwrap_or_default();
        expected.extend(own.iter().map(|name| (*name).to_owned()));
        let mut found = offered.remove(verb.name).unwrap_or_else(|| panic!("{} has no command", verb.name));
        for everywhere in ["space", "user", "database", "ask_password", "config", "directory", "json", "quiet", "help"]
        {
            found.remove(everywhere);
        }
        assert_eq!(found, expected, "{}", verb.name);
    }
    assert!(offered.is_empty(), "{offered:?} are in no table");
}

#[test]
fn a12_help_tells_the_defaults_and_ranges_of_the_table() {
    let (mut defaults, mut ranges) = (0, 0);
    for spec in COMMANDS {
        let command = built(spec);
        for (name, property) in spec.properties() {
            let help = help(&command, &name);
            if let Value::Number(_) | Value::String(_) = &property["default"] {
                let word = property["default"].as_str().map_or(property["default"].to_string(), str::to_owned);
                assert!(help.contains(&format!("[default: {word}]")), "{:?} --{name}: {help}", spec.path);
                defaults += 1;
            }
            if let (Some(least), Some(most)) = (property["minimum"].as_f64(), property["maximum"].as_f64()) {
                assert!(help.contains(&format!("{least} to {most}")), "{:?} --{name}: {help}", spec.path);
                ranges += 1;
            }
            assert!(!help.is_empty(), "{:?} --{name}", spec.path);
        }
    }
    assert!(defaults > 20 && ranges > 20, "{defaults} {ranges}");
}

#[test]
fn words_of_the_command_line_are_of_arguments_that_are_there() {
    let known: BTreeSet<String> =
        COMMANDS.iter().flat_map(|spec| spec.properties().keys().cloned().collect::<Vec<_>>()).collect();
    let spelled = FLAGS.iter().chain(&ALIASES).map(|(name, _)| *name).chain(SHORT.iter().map(|(name, _)| *name));
    for name in spelled.chain(OF_A_DESCENT) {
        assert!(known.contains(name), "no verb has {name}");
    }
    let query = COMMANDS.iter().find(|spec| spec.path == ["query"]).unwrap().properties();
    let rest: Vec<&str> = query.keys().map(String::as_str).filter(|name| !OF_A_DESCENT.contains(name)).collect();
    assert_eq!(rest, ["after", "filter", "limit", "query", "rerank"], "what is of a descent stands under its heading");
    for spec in COMMANDS {
        let about = built(spec).get_about().map(ToString::to_string);
        assert_eq!(about.as_deref(), spec.about.strip_suffix('.').or(Some(spec.about)), "{:?}", spec.path);
    }
}

/// A verb that only this test has: what it takes here is made of its schema.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Toy {
    /// What to count.
    word: String,
    /// Where to look as well.
    #[serde(default)]
    tags: Vec<String>,
    /// How many, at most.
    #[schemars(range(min = 1, max = 9))]
    limit: Option<u32>,
    /// Letters count, too.
    #[serde(default)]
    letters: bool,
    /// On, off, or as configured.
    exact: Option<bool>,
}

impl Verb for Toy {
    const NAME: &'static str = "toy";
    const ABOUT: &'static str = "Count a word.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = u32;

    fn run(self, _: &Recordar, _: &mut Call<'_>) -> Result<u32, Error> {
        Ok(1)
    }
}

static TOY: Spec = Spec::verb::<Toy>(&["toy"], |_| Ok(Outcome::Done)).positional(&["word"]);

#[test]
fn a_toy_verb_gets_its_options_from_its_schema() {
    let read = |words: &[&str]| {
        let matches = TOY.command(Command::new("toy")).try_get_matches_from([&["toy"], words].concat());
        matches.map(|matches| Value::Object(TOY.given(&matches).unwrap())).map_err(|error| error.to_string())
    };
    assert_eq!(read(&["lamp"]).unwrap(), json!({"word": "lamp"}), "unset options are left to the engine");
    let all = read(&["lamp", "--tag", "a", "--tag", "b", "-n", "3", "--letters", "--exact=false"]).unwrap();
    assert_eq!(all, json!({"word": "lamp", "tags": ["a", "b"], "limit": 3, "letters": true, "exact": false}));
    assert_eq!(read(&["lamp", "--exact"]).unwrap()["exact"], true);
    assert!(read(&[]).unwrap_err().contains("<WORD>"));
    assert!(read(&["lamp", "--limit", "many"]).unwrap_err().contains("invalid value 'many'"));
    let command = TOY.command(Command::new("toy"));
    assert_eq!(help(&command, "limit"), "How many, at most (1 to 9)");
    assert_eq!(command.get_about().unwrap().to_string(), "Count a word");
}
