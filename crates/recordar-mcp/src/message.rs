//! Parses one line of input into protocol messages. Every request gets a reply: an invalid message is refused by the id found
//! in it, so that no client waits for ever. Pure.

use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Map, Value, json};

/// A larger batch is refused.
const MAX_BATCH: usize = 256;
/// The depth limit of `serde_json`.
const MAX_DEPTH: usize = 128;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// The content of a line.
#[derive(Debug)]
pub(crate) enum Incoming {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Refused(Refusal),
}

/// The reply to an invalid message.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    /// Null if there is none, as JSON-RPC requires.
    id: Value,
    code: i64,
    what: String,
}

impl Refusal {
    pub(crate) fn invalid(id: Value, what: impl Into<String>) -> Self {
        Self { id, code: INVALID_REQUEST, what: what.into() }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.what}})
    }
}

/// The messages of a line: none of an empty one, several of a batch.
pub(crate) fn read(line: &[u8]) -> Vec<Incoming> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Vec::new();
    }
    match parse(line) {
        Ok(Value::Array(batch)) if batch.is_empty() => vec![refused(Value::Null, "the batch is empty")],
        Ok(Value::Array(batch)) if batch.len() > MAX_BATCH => {
            let what = format!("the batch has {} messages; the limit is {MAX_BATCH}", batch.len());
            ids(batch.iter().filter_map(request_id)).map(|id| refused(id, what.clone())).collect()
        }
        Ok(Value::Array(batch)) => batch.into_iter().filter_map(message).collect(),
        Ok(value) => message(value).into_iter().collect(),
        Err(what) => {
            let refusal = |id| Incoming::Refused(Refusal { id, code: PARSE_ERROR, what: what.clone() });
            ids(ids_in(line).into_iter()).map(refusal).collect()
        }
    }
}

/// The replies to a line that is too long; these ids are at its start, and this is its end.
pub(crate) fn too_long(found: Vec<Value>, end: &[u8], max_bytes: usize) -> Vec<Incoming> {
    let what = format!("the message exceeds {} MiB; send less at once", max_bytes >> 20);
    let last = if found.is_empty() { id_at_end(end) } else { None };
    ids(found.into_iter().chain(last)).map(|id| refused(id, what.clone())).collect()
}

/// The id that an object ends with.
fn id_at_end(end: &[u8]) -> Option<Value> {
    const NAME: &[u8] = b"\"id\"";
    let members = end.trim_ascii_end().strip_suffix(b"}")?;
    let at = members.windows(NAME.len()).rposition(|name| name == NAME)?;
    let value = members[at + NAME.len()..].trim_ascii_start().strip_prefix(b":")?;
    serde_json::from_slice(value).ok().filter(|id: &Value| id.is_string() || id.is_i64())
}

/// Null if there are none.
fn ids(found: impl Iterator<Item = Value>) -> impl Iterator<Item = Value> {
    let mut found = found.peekable();
    let none = found.peek().is_none().then_some(Value::Null);
    found.chain(none)
}

fn refused(id: Value, what: impl Into<String>) -> Incoming {
    Incoming::Refused(Refusal::invalid(id, what))
}

fn parse(line: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(line)
        .map_err(|error| format!("the message is not valid UTF-8 at byte {}", error.valid_up_to() + 1))?;
    serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        let column = error.column();
        if what.contains("surrogate") {
            format!("the message has an unpaired surrogate at column {column}")
        } else if what.contains("recursion") {
            format!("the message is nested deeper than {MAX_DEPTH} levels at column {column}")
        } else {
            format!("the message is not valid JSON: {what}")
        }
    })
}

/// An invalid notification is ignored: no client waits for a reply to one.
fn message(value: Value) -> Option<Incoming> {
    let Value::Object(object) = &value else {
        return Some(refused(Value::Null, "a message must be a JSON object"));
    };
    let asks = object.contains_key("id");
    let id = object.get("id").cloned().unwrap_or_default();
    if let Some(what) = flaw(object) {
        return (asks || !object.contains_key("method")).then(|| refused(id, what));
    }
    match serde_json::from_value(value) {
        Ok(message) => Some(Incoming::Message(Box::new(message))),
        Err(_) => asks.then(|| refused(id, "this is not a Model Context Protocol message")),
    }
}

/// The error in the message's envelope, if there is one.
fn flaw(object: &Map<String, Value>) -> Option<&'static str> {
    let is_answer = object.contains_key("result") || object.contains_key("error");
    match (object.get("jsonrpc"), object.get("method"), object.get("id")) {
        (version, _, _) if version.and_then(Value::as_str) != Some("2.0") => Some("jsonrpc must be \"2.0\""),
        (_, None, _) if !is_answer => Some("a request must have a method"),
        (_, Some(method), _) if !method.is_string() => Some("method must be a string"),
        (_, _, Some(id)) if !(id.is_string() || id.is_i64()) => Some("id must be a string or an integer"),
        _ => None,
    }
}

fn request_id(message: &Value) -> Option<Value> {
    message.get("id").cloned()
}

/// The ids of the requests in a line that cannot be parsed: of the object, or of each object in the batch.
pub(crate) fn ids_in(line: &[u8]) -> Vec<Value> {
    let mut found = Vec::new();
    let members = match line.trim_ascii_start().first() {
        Some(b'{') => 1,
        Some(b'[') => 2,
        _ => return found,
    };
    let (mut depth, mut at, mut has_id) = (0_usize, 0, false);
    while let Some(byte) = line.get(at) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                has_id &= depth != members;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'"' => {
                let end = end_of_string(line, at);
                let is_id = depth == members && !has_id && found.len() < MAX_BATCH && &line[at..end] == b"\"id\"";
                at = end;
                if is_id && let Some(id) = value_at(line, end) {
                    found.push(id);
                    has_id = true;
                }
            }
            _ => at += 1,
        }
    }
    found
}

/// The position after the closing quotation mark of the string that starts here.
fn end_of_string(line: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = line.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    line.len()
}

/// The string or number after a colon.
fn value_at(line: &[u8], at: usize) -> Option<Value> {
    let value = line.get(at..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let end = match value.first()? {
        b'"' => end_of_string(value, 0),
        _ => value.iter().position(|byte| !matches!(byte, b'-' | b'0'..=b'9')).unwrap_or(value.len()),
    };
    serde_json::from_slice(&value[..end]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(line: &[u8]) -> Vec<(Value, i64)> {
        let refusal = |incoming| match incoming {
            Incoming::Refused(refusal) => Some((refusal.id, refusal.code)),
            Incoming::Message(_) => None,
        };
        read(line).into_iter().filter_map(refusal).collect()
    }

    #[test]
    fn a12_whoever_asks_is_answered() {
        let check = |line: &[u8], expected: &[(Value, i64)]| {
            assert_eq!(answers(line), expected, "{}", String::from_utf8_lossy(line));
        };
        let nested = format!(r#"{{"params":{}"#, "[".repeat(100_000));
        check(b"", &[]);
        check(b" \r\n", &[]);
        check(b"not JSON", &[(Value::Null, PARSE_ERROR)]);
        check(b"5", &[(Value::Null, INVALID_REQUEST)]);
        check(b"[]", &[(Value::Null, INVALID_REQUEST)]);
        check(br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\ud83d"}}"#, &[(json!(7), PARSE_ERROR)]);
        check(br#"{"params":{"id":3,"a":"\ud83d"},"id":"x\"y","method":"ping"}"#, &[(json!("x\"y"), PARSE_ERROR)]);
        check(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"\xff\"}", &[(json!(8), PARSE_ERROR)]);
        check(br#"{"jsonrpc":"2.0","id":9,"method""#, &[(json!(9), PARSE_ERROR)]);
        check(br#"{"jsonrpc":"2.0","id":9"#, &[(json!(9), PARSE_ERROR)]);
        check(nested.as_bytes(), &[(Value::Null, PARSE_ERROR)]);
        check(format!(r#"{{"id":4,{}"#, &nested[1..]).as_bytes(), &[(json!(4), PARSE_ERROR)]);
        check(br#"[{"id":1,"a":"\ud83d"},{"id":2}"#, &[(json!(1), PARSE_ERROR), (json!(2), PARSE_ERROR)]);
        check(br#"{"id":1,"method":"ping"}"#, &[(json!(1), INVALID_REQUEST)]);
        check(br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, &[(json!(1.5), INVALID_REQUEST)]);
        check(br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, &[(Value::Null, INVALID_REQUEST)]);
        check(br#"{"jsonrpc":"2.0","id":1,"method":5}"#, &[(json!(1), INVALID_REQUEST)]);
        check(br#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#, &[]);
        check(br#"{"jsonrpc":"1.0","method":"notifications/unknown"}"#, &[]);
        check(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},5]"#, &[(Value::Null, INVALID_REQUEST)]);
        let late = |end: &[u8]| match too_long(Vec::new(), end, 1).remove(0) {
            Incoming::Refused(refusal) => refusal.id,
            Incoming::Message(_) => Value::Null,
        };
        assert_eq!(late(b"aaa\"},\"jsonrpc\":\"2.0\",\"id\":7}\n"), 7);
        assert_eq!(late(b"aaa\"},\"id\": \"x\" }"), "x");
        assert_eq!(late(b"\"id\":7}}"), Value::Null, "that is not the message's");
        assert_eq!(answers(format!("[{}5]", "{\"id\":1},".repeat(MAX_BATCH)).as_bytes()).len(), MAX_BATCH);
    }

    #[test]
    fn a_batch_is_its_messages() {
        let ping = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
        let batch = read(json!([ping(1), ping(2)]).to_string().as_bytes());
        assert!(matches!(batch.as_slice(), [Incoming::Message(_), Incoming::Message(_)]), "{batch:?}");
    }
}
