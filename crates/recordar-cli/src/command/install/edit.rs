//! Adds an entry to the text of a client's settings, and removes it. Text in, text out. Comments, order and blanks stay;
//! the result is parsed and compared, so that only the entry can have changed.

use super::client::Entry;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Value, json};

/// The entry's position: the member that lists the servers, and the entry's name in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) list: &'a str,
    pub(super) name: &'a str,
}

/// Why a text cannot be edited.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text with the entry in it. Members of an entry that are not ours, such as `env`, stay.
pub(super) fn put(text: &str, slot: Slot<'_>, entry: &Entry) -> Result<String, Refusal> {
    if without_mark(text).trim().is_empty() {
        return put("{}\n", slot, entry);
    }
    let root = parse(text)?;
    let top = match root.value() {
        None => root.object_value_or_set(),
        Some(value) => object(value, "the file")?,
    };
    let servers = match only(&top, slot.list)? {
        None => top.object_value_or_set(slot.list),
        Some(list) => member_object(&list, slot.list)?,
    };
    match only(&servers, slot.name)? {
        None => drop(servers.append(slot.name, CstInputValue::Object(members(entry)))),
        Some(present) => update(&member_object(&present, slot.name)?, entry)?,
    }
    let mut expected = value(text)?.unwrap_or_else(|| json!({}));
    for (name, member) in members(entry) {
        expected[slot.list][slot.name][name] = plain(&member);
    }
    checked(text, &root, &expected)
}

/// The text without the entry, and with `with_list` also without a list that is then empty. None if the entry is not
/// there.
pub(super) fn take(text: &str, slot: Slot<'_>, with_list: bool) -> Result<Option<String>, Refusal> {
    let root = parse(text)?;
    let Some((list, servers, present)) = find(&root, slot)? else {
        return Ok(None);
    };
    present.remove();
    let is_list_empty = without_blanks(&servers.to_string()) == "{}";
    let mut expected = value(text)?.unwrap_or_default();
    if with_list && is_list_empty {
        list.remove();
        expected.as_object_mut().map(|top| top.remove(slot.list));
    } else if let Some(servers) = expected[slot.list].as_object_mut() {
        servers.remove(slot.name);
    }
    checked(text, &root, &expected).map(Some)
}

/// The entry of that name, if there is one.
pub(super) fn get(text: &str, slot: Slot<'_>) -> Result<Option<Value>, Refusal> {
    let root = parse(text)?;
    let found = find(&root, slot)?;
    Ok(found.and_then(|(_, _, present)| present.to_serde_value()))
}

/// Whether the text has a list of servers at all.
pub(super) fn has_list(text: &str, slot: Slot<'_>) -> bool {
    parse(text).is_ok_and(|root| root.object_value().is_some_and(|top| top.get(slot.list).is_some()))
}

/// Whether the text is empty: not even a comment.
pub(super) fn is_void(text: &str) -> bool {
    matches!(without_blanks(without_mark(text)).as_str(), "" | "{}")
}

/// JSON as clients read it: comments and trailing commas are allowed, and nothing else.
fn parse(text: &str) -> Result<CstRootNode, Refusal> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(without_mark(text), &options).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        Refusal(format!("it is not valid JSON: line {line}, column {column}: {}", error.kind()))
    })
}

type Found = (CstObjectProp, CstObject, CstObjectProp);

/// The list's member, the list, and the entry in it.
fn find(root: &CstRootNode, slot: Slot<'_>) -> Result<Option<Found>, Refusal> {
    let Some(top) = root.value() else {
        return Ok(None);
    };
    let Some(list) = only(&object(top, "the file")?, slot.list)? else {
        return Ok(None);
    };
    let servers = member_object(&list, slot.list)?;
    Ok(only(&servers, slot.name)?.map(|present| (list, servers, present)))
}

/// The member of that name. Of two with the same name, clients see the last and people the first, so that is refused.
fn only(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, Refusal> {
    let mut named = object.properties().into_iter().filter(|member| member.decoded_name().as_deref() == Some(name));
    let first = named.next();
    if named.next().is_some() { Err(Refusal(format!("{name:?} appears twice"))) } else { Ok(first) }
}

fn member_object(member: &CstObjectProp, name: &str) -> Result<CstObject, Refusal> {
    let missing = || Refusal(format!("{name:?} has no value"));
    object(member.value().ok_or_else(missing)?, &format!("{name:?}"))
}

fn object(node: CstNode, what: &str) -> Result<CstObject, Refusal> {
    node.as_object().ok_or_else(|| Refusal(format!("{what} must be an object: {{ … }}")))
}

/// Sets only the differences, so that a correct entry keeps its form.
fn update(present: &CstObject, entry: &Entry) -> Result<(), Refusal> {
    for (name, member) in members(entry) {
        match only(present, &name)? {
            None => drop(present.append(&name, member)),
            Some(old) if old.to_serde_value().as_ref() == Some(&plain(&member)) => {}
            Some(old) => old.set_value(member),
        }
    }
    Ok(())
}

fn members(entry: &Entry) -> Vec<(String, CstInputValue)> {
    let kind = entry.kind.iter().map(|kind| ("type".to_owned(), kind.clone().into()));
    let command = ("command".to_owned(), entry.command.clone().into());
    let args = ("args".to_owned(), entry.args.clone().into());
    kind.chain([command, args]).collect()
}

/// The same as a plain value. An entry has texts and lists of texts, and nothing else.
fn plain(value: &CstInputValue) -> Value {
    match value {
        CstInputValue::String(text) => text.as_str().into(),
        CstInputValue::Array(list) => list.iter().map(plain).collect(),
        _ => Value::Null,
    }
}

fn value(text: &str) -> Result<Option<Value>, Refusal> {
    Ok(parse(text)?.to_serde_value())
}

/// The edited text, if only the entry differs.
fn checked(old: &str, root: &CstRootNode, expected: &Value) -> Result<String, Refusal> {
    let edited = root.to_string();
    if value(&edited)?.as_ref() != Some(expected) {
        return Err(Refusal("the entry cannot be changed without also changing other parts of the file".to_owned()));
    }
    let mark = if old.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK } else { "" };
    Ok(format!("{mark}{edited}"))
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Slot<'_> = Slot { list: "mcpServers", name: "recordar" };

    fn entry() -> Entry {
        Entry { kind: None, command: "/bin/recordar".to_owned(), args: vec!["mcp".to_owned()] }
    }

    /// The text becomes the expected one, stays that, and loses the entry again.
    fn check(text: &str, expected: &str) {
        let edited = put(text, SLOT, &entry()).unwrap();
        assert_eq!(edited, expected);
        assert_eq!(put(&edited, SLOT, &entry()).unwrap(), edited, "twice is once");
        assert_eq!(get(&edited, SLOT).unwrap(), Some(json!(entry())));
        let back = take(&edited, SLOT, !has_list(text, SLOT)).unwrap().unwrap();
        assert_eq!(get(&back, SLOT).unwrap(), None);
        assert_eq!(value(&back).unwrap(), value(text).unwrap().or(Some(json!({}))));
    }

    fn refused(text: &str) -> String {
        let refusal = put(text, SLOT, &entry()).unwrap_err();
        assert!(take(text, SLOT, true).is_err());
        refusal.0
    }

    const FRESH: &str = r#"{
  "mcpServers": {
    "recordar": {
      "command": "/bin/recordar",
      "args": ["mcp"]
    }
  }
}
"#;

    #[test]
    fn install_makes_a_whole_text_of_an_empty_one() {
        for empty in ["", " \n\t\r\n", "{}\n", "\u{feff}"] {
            check(empty, FRESH);
        }
        check("// mine\n", &format!("// mine\n{FRESH}"));
    }

    #[test]
    fn install_keeps_comments_order_and_trailing_commas() {
        check(
            "{\n    // first\n    \"z\": 1, /* z */\n    \"mcpServers\": {\n        \"x\": {\"url\": \"u\"}, // x\n    },\n    \"a\": [1,2,],\n}\n",
            "{\n    // first\n    \"z\": 1, /* z */\n    \"mcpServers\": {\n        \"x\": {\"url\": \"u\"}, // x\n        \"recordar\": {\n            \"command\": \"/bin/recordar\",\n            \"args\": [\"mcp\"],\n        },\n    },\n    \"a\": [1,2,],\n}\n",
        );
    }

    #[test]
    fn install_keeps_tabs_line_ends_and_the_byte_order_mark() {
        check(
            "{\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}",
            "{\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"recordar\": {\n\t\t\t\"command\": \"/bin/recordar\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}",
        );
        check(
            "{\r\n  \"mcpServers\": {\r\n    \"x\": {}\r\n  }\r\n}\r\n",
            "{\r\n  \"mcpServers\": {\r\n    \"x\": {},\r\n    \"recordar\": {\r\n      \"command\": \"/bin/recordar\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n",
        );
        assert!(put("\u{feff}{\"a\": 1}", SLOT, &entry()).unwrap().starts_with("\u{feff}{"));
    }

    #[test]
    fn install_changes_of_an_entry_only_what_differs() {
        let text = r#"{"mcpServers": {"recordar": {"env": {"A": "b"}, "args": [ "mcp" ], // as it was
            "command": "/old/recordar"}}}"#;
        let edited = put(text, SLOT, &entry()).unwrap();
        assert_eq!(edited, text.replace("/old/recordar", "/bin/recordar"));
        let typed = put(text, SLOT, &Entry { kind: Some("stdio".to_owned()), ..entry() }).unwrap();
        let present = get(&typed, SLOT).unwrap().unwrap();
        assert_eq!((&present["type"], &present["env"]["A"]), (&json!("stdio"), &json!("b")));
    }

    #[test]
    fn install_takes_out_the_entry_and_nothing_else() {
        let text =
            "{\n  \"mcpServers\": {\n    // a\n    \"a\": 1,\n    \"recordar\": {},\n    // b\n    \"b\": 2\n  }\n}\n";
        let rest = take(text, SLOT, true).unwrap().unwrap();
        assert_eq!(rest, text.replace("    \"recordar\": {},\n", ""));
        assert_eq!(take(&rest, SLOT, true).unwrap(), None);
        let noted = "{\n  \"mcpServers\": {\n    // none\n    \"recordar\": {}\n  }\n}\n";
        assert!(take(noted, SLOT, true).unwrap().unwrap().contains("// none"), "a comment is not nothing");
        assert_eq!(take(FRESH, SLOT, true).unwrap().as_deref(), Some("{}\n"));
        assert!(is_void("{ }\n") && !is_void("// mine\n{}"));
    }

    #[test]
    fn install_writes_any_text_so_that_it_is_read_the_same() {
        let odd = Entry { args: vec!["C:\\a \"b\"\u{1}\u{2028}日本".to_owned(), String::new()], ..entry() };
        let text = put("{}", SLOT, &odd).unwrap();
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["mcpServers"]["recordar"], json!(odd));
    }

    #[test]
    fn install_refuses_what_it_does_not_understand_and_names_the_place() {
        for (text, part) in [
            ("{\n  \"a\" 1}", "line 2, column 7"),
            ("{\"a\": 1", "line 1, column 1"),
            ("{a: 1}", "line 1, column 2"),
            ("{} {}", "line 1, column 4"),
            ("{\"a\": 'x'}", "line 1, column 7"),
            ("{\"a\": 1 \"b\": 2}", "line 1"),
            ("{ // open\n  /* never closed", "line 2"),
            ("\u{0}\u{1}", "line 1"),
            ("[]", "the file must be an object"),
            ("5", "the file must be an object"),
            ("{\"mcpServers\": []}", "\"mcpServers\" must be an object"),
            ("{\"mcpServers\": null}", "\"mcpServers\" must be an object"),
            ("{\"mcpServers\": {}, \"mcpServers\": {}}", "\"mcpServers\" appears twice"),
            ("{\"mcpServers\": {\"recordar\": {}, \"recordar\": {}}}", "\"recordar\" appears twice"),
        ] {
            assert!(refused(text).contains(part), "{text}: {}", refused(text));
        }
        refused(&"[".repeat(100_000));
        refused(&"{\"a\":".repeat(100_000));
        assert!(put("{\"mcpServers\": {\"recordar\": 5}}", SLOT, &entry()).is_err());
    }
}
