//! `recordar remember`: one message, or a JSONL batch.

use super::{cannot_read, read_stdin};
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::plural;
use clap::{Arg, value_parser};
use recordar::file_access::open_plain;
use recordar::verb::verbs;
use recordar::{Error, Invalid, Message};
use serde_json::{Map, Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most that is read; the engine has lower limits for a single write.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Remember>(&["remember"], run)
    .positional(&["text"])
    .hidden(&["messages"])
    .definition("Message")
    .described(&[("text", "The message, or - to read it from standard input; or use --jsonl")])
    .with(|command| {
        let of_message = command.get_arguments().filter(|arg| !arg.is_global_set() && arg.get_id() != "operation");
        let others: Vec<_> = of_message.map(|arg| arg.get_id().clone()).collect();
        let mut keys: Vec<&str> = others.iter().map(|id| id.as_str()).collect();
        keys.sort_unstable_by_key(|key| *key != "text");
        let help =
            format!("A file with one JSON object per line, or - for standard input; its keys: {}", keys.join(", "));
        let jsonl = Arg::new("jsonl").long("jsonl").value_name("FILE").value_parser(value_parser!(PathBuf)).help(help);
        let jsonl = jsonl.conflicts_with_all(others);
        let command = command.mut_arg("about", |arg| arg.value_name("FILE"));
        command.mut_arg("text", |arg| arg.required_unless_present("jsonl")).arg(jsonl)
    });

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut given = session.arguments()?;
    let operation = given.remove_entry("operation");
    let messages = match session.path("jsonl") {
        Some(path) => json!(Message::from_jsonl(&read(&path)?)?),
        None => json!([message(given)?]),
    };
    let noun = noun(&messages);
    let arguments = std::iter::once(("messages".to_owned(), messages)).chain(operation).collect();
    let remembered = session.call::<verbs::Remember>(arguments)?;
    session.output.result(&remembered, |output| {
        let items = &remembered.items;
        let ids = match items.as_slice() {
            [only] => format!("item {only}"),
            [first, .., last] => format!("items {first} to {last}"),
            [] => "nothing".to_owned(),
        };
        let before = match (remembered.repeated, remembered.unchanged) {
            (true, _) => "; this operation was already done".to_owned(),
            (false, 0) => String::new(),
            (false, count) => format!("; {count} unchanged"),
        };
        output.line(&format!(
            "remembered {} in {} as {ids}{before}",
            plural(items.len() as u64, noun),
            remembered.space
        ));
    });
    Ok(Outcome::Done)
}

fn message(mut given: Map<String, Value>) -> Result<Value, Error> {
    if given.get("text").is_some_and(|text| text == "-") {
        let text = String::from_utf8(read(Path::new("-"))?).map_err(|_| {
            Invalid::new("standard input is not valid UTF-8", "convert it first, for example with iconv")
        })?;
        given.insert("text".to_owned(), json!(text));
    }
    Ok(Value::Object(given))
}

/// The kind of the remembered items, if they are all of one kind.
fn noun(messages: &Value) -> &'static str {
    let kind = |message: &Value| message["kind"].as_str().unwrap_or("message").to_owned();
    let mut kinds: Vec<String> = messages.as_array().into_iter().flatten().map(kind).collect();
    kinds.dedup();
    match kinds.as_slice() {
        [only] if only == "fact" => "fact",
        [only] if only == "summary" => "summary",
        [only] if only == "message" => "message",
        _ => "item",
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = if path == Path::new("-") {
        read_stdin(MAX_BYTES)?
    } else {
        let mut bytes = Vec::new();
        let read = open_plain(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| cannot_read(&path.display().to_string(), &error))?;
        bytes
    };
    if bytes.len() as u64 > MAX_BYTES {
        let what = format!("{} is larger than {MAX_BYTES} bytes", path.display());
        return Err(Invalid::new(what, "split it into several batches").into());
    }
    Ok(bytes)
}
