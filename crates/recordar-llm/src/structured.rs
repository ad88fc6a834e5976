//! Extracts JSON from a reply and validates it against its schema. An invalid reply is rejected as a whole, and the model is
//! asked to correct it, a limited number of times. The messages here are sent to the model, so they are part of recorded requests: do not change them.

use crate::request::{Completion, Finish, Request, Turn};
use crate::validator::{Problem, Validator};
use serde_json::Value;

/// The most of a reply, and of the problem with it, that a model is shown again.
const MAX_SHOWN_BYTES: usize = 2_000;
const MAX_TOLD_BYTES: usize = 1_200;
const MAX_PROBLEM_BYTES: usize = 400;
const MAX_PROBLEMS: usize = 3;

/// The value of a reply, if it matches its schema.
pub(crate) fn validated(completion: &Completion, validator: &Validator, most_tokens: u32) -> Result<Value, String> {
    if completion.finish == Finish::Length {
        return Err(format!("the reply was cut off at {most_tokens} tokens; a shorter one is needed"));
    }
    let value = json_in(&completion.text)?;
    let told = |Problem { place, message }: Problem| {
        let place = if place.is_empty() { "the whole" } else { &place };
        shortened(&format!("at {place}: {message}"), MAX_PROBLEM_BYTES)
    };
    let problems: Vec<String> = validator.problems(&value, MAX_PROBLEMS).into_iter().map(told).collect();
    if problems.is_empty() { Ok(value) } else { Err(problems.join("; ")) }
}

/// The first object of a text. Models put fences and words around JSON, even if asked not to.
fn json_in(text: &str) -> Result<Value, String> {
    // A reasoning model's thoughts are not part of its reply.
    let thought = text.trim_start().strip_prefix("<think>").and_then(|thought| thought.split_once("</think>"));
    let text = thought.map_or(text, |(_, rest)| rest);
    if text.trim().is_empty() {
        return Err("the reply is empty".to_owned());
    }
    let Some(start) = text.find('{') else { return Err("the reply holds no JSON object".to_owned()) };
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) if error.is_eof() => Err("the JSON breaks off before its end".to_owned()),
        Some(Err(error)) => Err(format!("the JSON cannot be read: {error}")),
        None => Err("the reply holds no JSON object".to_owned()),
    }
}

/// The request again, with the reply and the problem with it. The attempt's number makes it different from an earlier one with the same
/// reply, so that each is recorded separately.
pub(crate) fn repair(request: &Request, attempt: u32, replied: &str, problem: &str) -> Request {
    let mut turns = request.turns.clone();
    let shown = shortened(replied, MAX_SHOWN_BYTES);
    // Some providers reject an empty turn.
    turns.push(Turn::model(if shown.trim().is_empty() { "(nothing)".to_owned() } else { shown }));
    let problem = shortened(problem, MAX_TOLD_BYTES);
    let told = format!(
        "Attempt {attempt} does not fit: {problem}. Reply once more, with JSON that fits the schema, and with nothing else."
    );
    turns.push(Turn::user(told));
    Request { turns, ..request.clone() }
}

/// The maximum length of a repair request.
pub(crate) fn longest_repair(request: &Request) -> Request {
    // Escaped characters take the most room in JSON for their bytes.
    repair(request, u32::MAX, &"\"".repeat(MAX_SHOWN_BYTES + 1), &"\"".repeat(MAX_TOLD_BYTES + 1))
}

/// The text truncated to a number of bytes, with only those control characters that JSON writes in two bytes.
fn shortened(text: &str, most: usize) -> String {
    let end = text.char_indices().find(|(at, c)| at + c.len_utf8() > most).map(|(at, _)| at);
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let shown = text[..end.unwrap_or(text.len())].chars().map(|c| if is_plain(c) { c } else { ' ' });
    shown.chain(end.map(|_| '…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: &str, expected: Result<Value, &str>) {
        let schema = json!({"type": "object", "required": ["id"], "additionalProperties": false,
            "properties": {"id": {"type": "integer", "enum": [1, 2]}}});
        let validator = Validator::new(&schema).unwrap();
        let completion = Completion { text: text.to_owned(), finish: Finish::Stop, usage: None };
        let found = validated(&completion, &validator, 10);
        match (&found, &expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{text}: {found}"),
            _ => panic!("{text}: {found:?}"),
        }
    }

    #[test]
    fn a2_json_is_found_and_held_against_its_schema() {
        check("{\"id\": 1}", Ok(json!({"id": 1})));
        check("Sure!\n```json\n{\"id\": 2}\n```\nAnything else?", Ok(json!({"id": 2})));
        check("<think>{\"id\": 9}</think>{\"id\": 1}", Ok(json!({"id": 1})));
        check("{\"id\": 1, \"</think>\": 1}", Err("think"));
        check("", Err("empty"));
        check("no", Err("no JSON"));
        check("{\"id\": 1", Err("breaks off"));
        check("{\"id\" 1}", Err("cannot be read"));
        check("{\"id\": 3}", Err("/id"));
        check("{\"id\": 1, \"more\": true}", Err("more"));
        check("{}", Err("required"));
        check(&"{\"a\":".repeat(1000), Err("cannot be read"));
    }

    #[test]
    fn a2_a_cut_off_reply_does_not_fit() {
        let validator = Validator::new(&json!({})).unwrap();
        let completion = Completion { text: "{}".to_owned(), finish: Finish::Length, usage: None };
        assert!(validated(&completion, &validator, 10).unwrap_err().contains("cut off at 10 tokens"));
    }
}
