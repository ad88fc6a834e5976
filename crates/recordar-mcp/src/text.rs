//! What an agent is told in words: the context, the document, or what was done. Pure.

use crate::reply;
use recordar::{
    AskResult, DocumentResult, DocumentText, Error, Method, QueryResult, RecallResult, SearchReply, TreeView, Why,
    WhyNot,
};
use serde_json::{Value, json};

/// So many documents are named in words.
const MAX_NAMED: usize = 10;

pub(crate) fn error(error: &Error) -> (String, Value) {
    let (what, remedy) = (error.to_string(), error.remedy());
    let text = format!("{what}\ntry: {remedy}");
    (text, json!({ "error": { "code": error.code(), "what": what, "remedy": remedy } }))
}

pub(crate) fn recall(result: &RecallResult) -> String {
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

pub(crate) fn ask(result: &AskResult) -> Option<String> {
    if result.method == Method::Nothing {
        return Some("Nothing that is stored has anything to do with it.".to_owned());
    }
    // A dry run has none.
    (!result.answer.is_empty()).then(|| answer(result))
}

fn answer(result: &AskResult) -> String {
    let cited = result.citations.iter().map(|citation| {
        let place = [citation.document.as_deref(), citation.section.as_deref()];
        let place = place.into_iter().flatten().map(|part| format!("{part}, ")).collect::<String>();
        format!("[{}] {place}{} item {}", citation.number, citation.collection, citation.item_id)
    });
    let documents = if result.citations.is_empty() { reply::documents_of(result) } else { Vec::new() };
    let from = (!documents.is_empty()).then(|| match documents.get(..MAX_NAMED) {
        Some(first) if documents.len() > MAX_NAMED => {
            format!("[From {} and {} more documents]", first.join(", "), documents.len() - MAX_NAMED)
        }
        _ => format!("[From {}]", documents.join(", ")),
    });
    let dropped = match result.dropped_paths.len() {
        0 => None,
        count => Some(format!("[{count} paths that were found are not used for it.]")),
    };
    let by_rules = match (result.method, &result.model_problem) {
        (Method::Model, _) => None,
        (_, Some(problem)) => Some(format!("[In stored words: {}\ntry: {}]", problem.what, problem.remedy)),
        (_, None) => Some("[In stored words: no language model is configured.]".to_owned()),
    };
    let receipt = result.receipt.as_ref().map(|receipt| format!("[Receipt {receipt}]"));
    std::iter::once(result.answer.clone())
        .chain(cited)
        .chain(from)
        .chain(dropped)
        .chain(by_rules)
        .chain(receipt)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Path by path.
pub(crate) fn query(result: &QueryResult, shown: &Value) -> String {
    let chunks = shown["chunks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut lines = Vec::new();
    let mut path = &Value::Null;
    for chunk in chunks {
        if path != &chunk["category_path"] {
            path = &chunk["category_path"];
            lines.push(format!("{} (rank {})", joined(path), chunk["ranked_relevance"]));
        }
        let word = |name: &str| chunk[name].as_str().unwrap_or_default();
        let section = chunk["section"].as_str().map_or(String::new(), |section| format!(", {section}"));
        let more = if chunk["cut"] == true { " …" } else { "" };
        let (document, time, text) = (word("document"), word("created_at"), word("text_content"));
        lines.push(format!("chunk {} ({document}{section}, {time}): {text}{more}", chunk["chunk_id"]));
    }
    let told = result.errors.iter().take(reply::MAX_PATHS);
    lines.extend(told.map(|error| format!("[{}: {}]", error.category_path.join(" > "), error.what)));
    if result.errors.len() > reply::MAX_PATHS {
        lines.push(format!("[and {} more paths]", result.errors.len() - reply::MAX_PATHS));
    }
    if !result.dropped_paths.is_empty() {
        lines.push(format!("[{} more paths were found and not followed.]", result.dropped_paths.len()));
    }
    if let Some(problem) = &result.model_problem {
        lines.push(format!("[The categories were chosen by rules: {}\ntry: {}]", problem.what, problem.remedy));
    }
    if let Some(left_out) = shown["left_out"].as_u64() {
        let fitting = chunks.len();
        lines.push(format!("[{left_out} more are left out; ask with limit {fitting}, and go on with its next.]"));
    } else if let Some(next) = shown["next"].as_str() {
        lines.push(format!("[There are more: go on with after {next:?}.]"));
    }
    lines.join("\n")
}

fn joined(path: &Value) -> String {
    let names = path.as_array().map(Vec::as_slice).unwrap_or_default();
    names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" > ")
}

pub(crate) fn tree(view: &TreeView, shown: &Value) -> String {
    if view.roots.is_empty() {
        return "Nothing is classified yet: there is no tree.".to_owned();
    }
    let categories = shown["categories"].as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |category: &Value| {
        let indent = category["level"].as_u64().and_then(|level| usize::try_from(level).ok()).unwrap_or(1);
        let (name, chunks) = (category["name"].as_str().unwrap_or_default(), &category["chunks"]);
        format!("{}{name} ({chunks})", "  ".repeat(indent.saturating_sub(1)))
    };
    let mut lines: Vec<String> = categories.iter().map(line).collect();
    if let Some(next) = shown["next_offset"].as_u64() {
        lines.push(format!("[There are {} categories in all: go on with offset {next}.]", shown["total"]));
    }
    if let Some(waiting) = shown["unclassified"].as_u64() {
        lines.push(format!("[{waiting} pieces of documents are not classified yet.]"));
    }
    lines.join("\n")
}

/// The text from the offset on, and how to read on where this is not all of it.
pub(crate) fn document(result: &DocumentResult) -> String {
    let name = &result.document.document;
    let heading = format!("[{}, version {} of {}]", name.path, name.version.number, name.versions);
    let notes: String = result.fallbacks.iter().map(|fallback| format!("[{}]\n", fallback.what)).collect();
    format!("{heading}\n{notes}{}", document_text(&result.document, 0))
}

/// Threads have no words of their own.
pub(crate) fn search(reply: &SearchReply, shown: &Value) -> Option<String> {
    match reply {
        SearchReply::Items(result) if result.hits.is_empty() => Some("Nothing was found.".to_owned()),
        SearchReply::Items(_) => Some(lines(shown, "hits", hit)),
        SearchReply::Threads(_) => None,
    }
}

pub(crate) fn document_text(document: &DocumentText, offset: usize) -> String {
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

pub(crate) fn why(why: &Why) -> String {
    let verdict = if why.identical {
        "This is the very context that was given then, byte for byte.".to_owned()
    } else {
        format!("It cannot be made again as it was: {}.", why.differences.join("; "))
    };
    let asked = format!("Asked at {}: {}", why.body.made_at, why.body.query);
    let answered = why.answer.as_ref().map_or(String::new(), |answer| format!("\n\nAnswered: {}", answer.answer));
    format!("{verdict}\n{asked}\n\n{}{answered}", why.text)
}

pub(crate) fn why_not(why_not: &WhyNot) -> String {
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
