//! What an agent is told in words: the context, the document, or what was done. Pure.

use crate::reply;
use recordar::{DocumentText, Error, RecallResult, Reply, Why, WhyNot};
use serde_json::{Value, json};

/// A reply in words, from the offset on. `shown` is what is shown of it as JSON.
pub(crate) fn of(reply: &Reply, shown: &Value, offset: usize) -> String {
    match reply {
        Reply::Recall(result) => recall(result),
        Reply::Document(result) => {
            let name = &result.document.document;
            let heading = format!("[{}, version {} of {}]", name.path, name.version.number, name.versions);
            let notes: String = result.fallbacks.iter().map(|fallback| format!("[{}]\n", fallback.what)).collect();
            format!("{heading}\n{notes}{}", document(&result.document, 0))
        }
        Reply::DocumentText(found) => document(found, offset),
        Reply::Search(result) if result.hits.is_empty() => "Nothing was found.".to_owned(),
        Reply::Search(_) => lines(shown, "hits", hit),
        Reply::Why(why) => self::why(why),
        Reply::WhyNot(why_not) => self::why_not(why_not),
        _ => shown.to_string(),
    }
}

pub(crate) fn error(error: &Error) -> (String, Value) {
    let (what, remedy) = (error.to_string(), error.remedy());
    let text = format!("{what}\ntry: {remedy}");
    (text, json!({ "error": { "code": error.code(), "what": what, "remedy": remedy } }))
}

fn recall(result: &RecallResult) -> String {
    let problem = result
        .problem
        .as_ref()
        .map(|problem| format!("{}: {}\ntry: {}", problem.message, problem.detail, problem.remedy));
    if !result.text.is_empty() {
        return problem.map_or(result.text.clone(), |problem| format!("{}\n\n[{problem}]", result.text));
    }
    if let Some(rule) = result.skipped {
        return format!("Nothing was recalled, because of {rule} in the request.");
    }
    problem.unwrap_or_else(|| match result.candidates.first() {
        None => "Nothing that is stored has anything to do with it.".to_owned(),
        Some(best) => {
            let least = result.metadata.config.min_score;
            format!(
                "Nothing that is stored is near enough: the best scores {:.2}, and {least:.2} is needed.",
                best.score
            )
        }
    })
}

/// The text from the offset on, and how to read on where this is not all of it.
fn document(document: &DocumentText, offset: usize) -> String {
    let (text, next) = reply::part(&document.text, offset);
    let Some(next) = next else { return text.to_owned() };
    let (view, version) = (&document.document, &document.document.version);
    format!(
        "{text}\n\n[The text goes on: {next} of {} characters were given. Read on with document_text, name \"id:{}\", version {}, \
         offset {next}.]",
        version.chars, view.document_id, version.number
    )
}

fn lines(shown: &Value, name: &str, line: fn(&Value) -> String) -> String {
    let entries = shown[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut lines: Vec<String> = entries.iter().map(line).collect();
    if let Some(left_out) = shown["left_out"].as_u64() {
        lines.push(format!("[{left_out} more are left out; ask for fewer, or more precisely.]"));
    }
    lines.join("\n")
}

fn hit(hit: &Value) -> String {
    let word = |name: &str| hit[name].as_str().map(str::to_owned);
    let place = [word("speaker").or(word("role")), word("thread"), word("document"), word("section")];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let more = if hit["cut"] == true { " …" } else { "" };
    let text = word("text").unwrap_or_default();
    let (kind, time) = (word("type").unwrap_or_default(), word("time").unwrap_or_default());
    let space = word("space").unwrap_or_default();
    format!("{space} item {} ({kind}, score {}, {time}; {place}): {text}{more}", hit["item_id"], hit["score"])
}

fn why(why: &Why) -> String {
    let verdict = if why.identical {
        "This is the very context that was given then, byte for byte.".to_owned()
    } else {
        format!("It cannot be made again as it was: {}.", why.differences.join("; "))
    };
    let asked = format!("Asked at {}: {}", why.body.made_at, why.body.query);
    let answered = why.answer.as_ref().map_or(String::new(), |answer| format!("\n\nAnswered: {}", answer.answer));
    format!("{verdict}\n{asked}\n\n{}{answered}", why.text)
}

fn why_not(why_not: &WhyNot) -> String {
    let Some(stage) = why_not.stage else { return why_not.reason.clone() };
    let remedy = match why_not.changes.as_slice() {
        [] => why_not.advice.clone(),
        changes => {
            let changes: Vec<String> = changes.iter().map(|c| format!("{} = {}", c.setting, c.value)).collect();
            format!("recall with {}", changes.join(", "))
        }
    };
    format!("Item {} fell out at {}: {}\ntry: {remedy}", why_not.item_id, stage.name(), why_not.reason)
}
