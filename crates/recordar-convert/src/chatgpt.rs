//! `conversations.json` of ChatGPT's data export. A conversation is a tree there, because questions can be asked again; the
//! branch its owner last saw ends at `current_node`.

use crate::gather::{Draft, Gathering, Slot, made};
use crate::read;
use recordar_domain::{Hasher, Role};
use serde_json::{Map, Value};
use std::collections::HashSet;

pub(super) fn is_one(record: &Value) -> bool {
    record.get("mapping").is_some_and(Value::is_object)
}

/// Reads a conversation. False if the record is not one.
pub(super) fn read(gathering: &mut Gathering<'_>, record: &Value) -> bool {
    let Some(nodes) = record.get("mapping").and_then(Value::as_object) else {
        return false;
    };
    let branch = Branch::of(nodes, record.get("current_node").and_then(Value::as_str));
    let id = read::id(record, &["conversation_id", "id"]).unwrap_or_else(|| {
        // The title may change later; the start time and first message do not.
        let began = record.get("create_time").unwrap_or(&Value::Null).to_string();
        made(Hasher::default().field(began).field(branch.nodes.first().copied().unwrap_or_default()).finish())
    });
    let place = gathering.open(None, Some(&id), read::text(record, &["title"]));
    gathering.begin(place, read::time(record, &["create_time"]));
    let with_message = |node: &&Value| node.get("message").is_some_and(Value::is_object);
    let mut taken = 0;
    for node_id in &branch.nodes {
        if let Some(node) = nodes.get(*node_id).filter(with_message) {
            taken += 1;
            message(gathering, place, node_id, &node["message"]);
        }
    }
    let thread = format!("chatgpt:{id}");
    if let Some((reason, node)) = branch.broken {
        gathering.leave_out(&thread, reason, format!("messages before node {node}"));
    }
    let others = nodes.values().filter(with_message).count() - taken;
    if others > 0 {
        gathering.leave_out(
            &thread,
            "other_branch",
            format!("{others} messages outside the branch that was shown last"),
        );
    }
    true
}

/// The nodes from the first to the last of the branch, and where it broke off.
struct Branch<'a> {
    nodes: Vec<&'a str>,
    broken: Option<(&'static str, &'a str)>,
}

impl<'a> Branch<'a> {
    fn of(nodes: &'a Map<String, Value>, current: Option<&str>) -> Self {
        let current = current.and_then(|id| nodes.get_key_value(id)).map(|(id, _)| id.as_str());
        let mut next = current.or_else(|| newest_leaf(nodes));
        let mut branch = Self { nodes: Vec::new(), broken: None };
        let mut seen = HashSet::new();
        while let Some(id) = next {
            let Some(node) = nodes.get(id) else {
                branch.broken = Some(("missing_node", branch.nodes.last().copied().unwrap_or(id)));
                break;
            };
            if !seen.insert(id) {
                branch.broken = Some(("cycle", id));
                break;
            }
            branch.nodes.push(id);
            next = node.get("parent").and_then(Value::as_str);
        }
        branch.nodes.reverse();
        branch
    }
}

/// The newest of the leaf nodes; in a cycle, of all nodes.
fn newest_leaf(nodes: &Map<String, Value>) -> Option<&str> {
    let parents: HashSet<&str> = nodes.values().filter_map(|node| node.get("parent")?.as_str()).collect();
    let said = |id: &str| {
        let time = nodes.get(id).and_then(|node| read::time(node.get("message")?, &["create_time"]));
        time.and_then(Result::ok)
    };
    let newest = |a: &&str, b: &&str| said(a).cmp(&said(b)).then_with(|| a.cmp(b));
    let ids = || nodes.keys().map(String::as_str);
    ids().filter(|id| !parents.contains(id)).max_by(newest).or_else(|| ids().max_by(newest))
}

fn message(gathering: &mut Gathering<'_>, place: Slot, node_id: &str, message: &Value) {
    let nothing = Value::Null;
    let part = |key: &str| message.get(key).unwrap_or(&nothing);
    let (author, content, about) = (part("author"), part("content"), part("metadata"));
    let id = read::id(message, &["id"]).unwrap_or_else(|| node_id.to_owned());
    let subject = gathering.subject(place, &id);
    let kind = read::text(content, &["content_type"]).unwrap_or("text");
    let is_set = |flag: &str| about.get(flag).and_then(Value::as_bool) == Some(true);
    if is_set("is_visually_hidden_from_conversation")
        || is_set("is_user_system_message")
        || matches!(kind, "user_editable_context" | "model_editable_context")
    {
        return gathering.leave_out(&subject, "hidden", format!("{kind} that ChatGPT does not show"));
    }
    if matches!(kind, "thoughts" | "reasoning_recap") {
        return gathering.leave_out(&subject, "thinking", kind);
    }
    let (text, others) = texts(content);
    if !others.is_empty() {
        gathering.leave_out(&subject, "no_text", format!("parts without text: {}", others.join(", ")));
        if text.is_empty() {
            return;
        }
    }
    let role_name = read::text(author, &["role"]).unwrap_or("user");
    let role = Role::parse(role_name).ok();
    let mut extras = read::extras(about, &["model_slug"]);
    extras.extend(read::extras(content, &["language", "url", "title"]));
    if kind != "text" {
        extras.insert("content_type".to_owned(), kind.into());
    }
    if let Some(recipient) = read::text(message, &["recipient"]).filter(|recipient| *recipient != "all") {
        extras.insert("recipient".to_owned(), recipient.into());
    }
    let speaker = read::text(author, &["name"]).or(role.is_none().then_some(role_name)).map(str::to_owned);
    let time = read::time(message, &["create_time"]);
    let role = role.unwrap_or_default();
    gathering.add(place, Draft { id: Some(id), text, role, speaker, time, extras, ..Draft::default() });
}

/// The text of a content, whichever field it is in, and the types of the parts without text.
fn texts(content: &Value) -> (String, Vec<&str>) {
    let (mut texts, mut others) = (Vec::new(), Vec::new());
    for part in read::list(content, "parts") {
        match part {
            Value::String(text) => texts.push(text.as_str()),
            Value::Null => {}
            // Speech has a transcript; pictures and files have no text.
            part => match read::text(part, &["text"]) {
                Some(text) => texts.push(text),
                None => others.push(read::text(part, &["content_type"]).unwrap_or("unknown")),
            },
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    if texts.is_empty() {
        texts.extend(read::text(content, &["text", "result", "content"]));
    }
    (texts.join("\n\n"), others)
}

#[cfg(test)]
mod tests {
    use crate::tests::{converted, left_out, said};
    use serde_json::{Value, json};

    fn node(id: &str, parent: Option<&str>, message: Value) -> (String, Value) {
        (id.to_owned(), json!({"id": id, "parent": parent, "children": [], "message": message}))
    }

    fn say(id: &str, role: &str, time: f64, text: &str) -> Value {
        json!({"id": format!("m-{id}"), "author": {"role": role}, "create_time": time, "recipient": "all", "weight": 1.0,
               "content": {"content_type": "text", "parts": [text]}, "metadata": {"model_slug": "gpt-4o"}})
    }

    fn export(nodes: Vec<(String, Value)>, current: Option<&str>) -> Value {
        let mapping: serde_json::Map<String, Value> = nodes.into_iter().collect();
        json!([{"title": "Züge 🚆", "create_time": 1_704_067_200.5, "conversation_id": "c1", "mapping": mapping,
                "current_node": current}])
    }

    fn sample() -> Vec<(String, Value)> {
        let system = json!({"id": "m-s", "author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]},
                            "metadata": {"is_visually_hidden_from_conversation": true}});
        vec![
            node("root", None, Value::Null),
            node("s", Some("root"), system),
            node("q", Some("s"), say("q", "user", 1_704_067_201.000001, "Wann fährt der Zug?")),
            node("a1", Some("q"), say("a1", "assistant", 1_704_067_202.0, "Um acht.")),
            node("a2", Some("q"), say("a2", "assistant", 1_704_067_203.0, "Um 8:15.")),
        ]
    }

    #[test]
    fn import_chatgpt_follows_the_branch_last_seen() {
        let read = converted(&export(sample(), Some("a1")));
        assert_eq!(said(&read), ["user: Wann fährt der Zug?", "assistant: Um acht."]);
        assert_eq!(left_out(&read), ["hidden chatgpt:c1/m-s", "other_branch chatgpt:c1"]);
        let conversation = &read.conversations[0];
        assert_eq!(conversation.thread.as_deref(), Some("chatgpt:c1"));
        let (id, message) = &conversation.messages[0];
        assert_eq!((id.as_str(), message.title.as_deref()), ("m-q", Some("Züge 🚆")));
        assert_eq!(message.time.unwrap().to_string(), "2024-01-01T00:00:01.000001Z");
        assert_eq!(message.metadata.to_json(), r#"{"model_slug":"gpt-4o","origin":"chatgpt","origin_id":"m-q"}"#);
        // Without a current node, or with one that is not there, the newest leaf is taken.
        for current in [None, Some("nowhere")] {
            assert_eq!(said(&converted(&export(sample(), current)))[1], "assistant: Um 8:15.");
        }
    }

    #[test]
    fn import_chatgpt_gives_old_messages_the_same_ids_in_a_longer_export() {
        let short = converted(&export(sample(), Some("a2")));
        let mut nodes = sample();
        nodes.push(node("q2", Some("a2"), say("q2", "user", 1_704_067_300.0, "Danke!")));
        let long = converted(&export(nodes, Some("q2")));
        let (short, long) = (&short.conversations[0], &long.conversations[0]);
        assert_eq!(short.thread, long.thread);
        assert_eq!(short.messages[..], long.messages[..short.messages.len()]);
        assert_eq!(long.messages.len(), 3);
    }

    #[test]
    fn import_chatgpt_survives_cycles_and_missing_nodes() {
        let ring = vec![
            node("a", Some("b"), say("a", "user", 1.0, "one")),
            node("b", Some("a"), say("b", "assistant", 2.0, "two")),
        ];
        for current in [Some("b"), None] {
            let read = converted(&export(ring.clone(), current));
            assert_eq!((said(&read).len(), left_out(&read)), (2, vec!["cycle chatgpt:c1".to_owned()]));
        }
        let read = converted(&export(vec![node("a", Some("gone"), say("a", "user", 1.0, "one"))], Some("a")));
        assert_eq!((said(&read).len(), left_out(&read)), (1, vec!["missing_node chatgpt:c1".to_owned()]));
        let odd = json!([{"id": 7, "mapping": {"a": [], "b": {"message": "x"}, "c": {"message": {"content": [1]}}}}, 3, null]);
        let read = converted(&odd);
        assert!(read.conversations.is_empty());
        assert_eq!(read.left_out.iter().filter(|left| left.reason == "unknown_record").count(), 2);
    }

    #[test]
    fn import_chatgpt_keeps_code_output_and_speech_and_notes_pictures() {
        let content = |id: &str, role: &str, content: Value| json!({"id": id, "author": {"role": role, "name": "python"}, "content": content});
        let picture = json!({"content_type": "multimodal_text", "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}, "What is this?",
            {"content_type": "audio_transcription", "text": "Say it aloud."}]});
        let read = converted(&export(
            vec![
                node("1", None, content("1", "user", picture)),
                node(
                    "2",
                    Some("1"),
                    content("2", "assistant", json!({"content_type": "code", "language": "python", "text": "1+1"})),
                ),
                node("3", Some("2"), content("3", "tool", json!({"content_type": "execution_output", "text": "2"}))),
                node(
                    "4",
                    Some("3"),
                    content("4", "assistant", json!({"content_type": "thoughts", "thoughts": [{"content": "hm"}]})),
                ),
                node(
                    "5",
                    Some("4"),
                    content(
                        "5",
                        "user",
                        json!({"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]}),
                    ),
                ),
                node(
                    "6",
                    Some("5"),
                    content("6", "user", json!({"content_type": "user_editable_context", "user_profile": "x"})),
                ),
                node(
                    "7",
                    Some("6"),
                    content("7", "tool", json!({"content_type": "tether_browsing_display", "result": "found"})),
                ),
            ],
            Some("7"),
        ));
        assert_eq!(said(&read), ["user: What is this?\n\nSay it aloud.", "assistant: 1+1", "tool: 2", "tool: found"]);
        let left = ["no_text chatgpt:c1/1", "thinking chatgpt:c1/4", "no_text chatgpt:c1/5", "hidden chatgpt:c1/6"];
        assert_eq!(left_out(&read), left);
        // What has no time of its own has that of its conversation.
        assert_eq!(read.conversations[0].messages[3].1.time.unwrap().to_string(), "2024-01-01T00:00:00.5Z");
    }
}
