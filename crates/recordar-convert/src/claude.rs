//! `conversations.json` of claude.ai's data export: messages in their order, each of blocks, with the texts of attached files.

use crate::gather::{Draft, Gathering, Slot, made};
use crate::read;
use recordar_domain::{Hasher, Role};
use serde_json::Value;
use std::collections::BTreeMap;

/// The placeholder that the export writes for blocks it cannot show.
const PLACEHOLDER: &str = "This block is not supported on your current device yet.";

pub(super) fn is_one(record: &Value) -> bool {
    record.get("chat_messages").is_some_and(Value::is_array)
}

/// Reads a conversation. False if the record is not one.
pub(super) fn read(gathering: &mut Gathering<'_>, record: &Value) -> bool {
    if !is_one(record) {
        return false;
    }
    let messages = read::list(record, "chat_messages");
    let id = read::id(record, &["uuid", "id"]).unwrap_or_else(|| {
        let began = record.get("created_at").unwrap_or(&Value::Null).to_string();
        let first = messages.first().and_then(|message| read::id(message, &["uuid"]));
        made(Hasher::default().field(began).field(first.unwrap_or_default()).finish())
    });
    let place = gathering.open(None, Some(&id), read::text(record, &["name", "title"]));
    gathering.begin(place, read::time(record, &["created_at"]));
    if read::text(record, &["summary"]).is_some() {
        gathering.leave_out(
            &format!("claude:{id}"),
            "summary",
            "Claude's summary, which changes during the conversation",
        );
    }
    for message_record in messages {
        message(gathering, place, message_record);
    }
    true
}

fn message(gathering: &mut Gathering<'_>, place: Slot, message: &Value) {
    let id = read::id(message, &["uuid", "id"]);
    let subject = gathering.subject(place, id.as_deref().unwrap_or("?"));
    let sender = read::text(message, &["sender", "role"]).unwrap_or("human");
    let role = match sender {
        "human" => Some(Role::User),
        other => Role::parse(other).ok(),
    };
    let speaker = role.is_none().then(|| sender.to_owned());
    let role = role.unwrap_or_default();
    let time = || read::time(message, &["created_at"]);
    let text = text(gathering, &subject, message);
    let attachments = read::list(message, "attachments");
    let is_wordless = text.trim().is_empty();
    // A message that only attaches a file has no text, and nothing is missing.
    if !is_wordless || attachments.is_empty() {
        let extras = read::extras(message, &["model"]);
        gathering.add(place, Draft { id: id.clone(), text, role, speaker, time: time(), extras, ..Draft::default() });
    }
    for (index, attachment) in attachments.iter().enumerate() {
        let file = read::text(attachment, &["file_name"]).unwrap_or("an unnamed file");
        let Some(text) = read::text(attachment, &["extracted_content"]) else {
            gathering.leave_out(
                &subject,
                "no_text",
                format!("attachment {file}: the export does not contain its text"),
            );
            continue;
        };
        let id = id.as_ref().map(|id| format!("{id}/attachment-{}", index + 1));
        let extras = read::extras(attachment, &["file_name", "file_type"]);
        gathering.add(place, Draft { id, text: text.to_owned(), role, time: time(), extras, ..Draft::default() });
    }
    for file in read::list(message, "files") {
        let name = read::text(file, &["file_name", "file_uuid"]).unwrap_or("an unnamed file");
        gathering.leave_out(&subject, "no_text", format!("file {name}: the export only contains its name"));
    }
}

/// The text blocks of a message; older exports have the plain text alone. Other blocks are counted by type.
fn text(gathering: &mut Gathering<'_>, subject: &str, message: &Value) -> String {
    let mut texts = Vec::new();
    let mut others: BTreeMap<(&'static str, &str), usize> = BTreeMap::new();
    for block in read::list(message, "content") {
        let kind = read::text(block, &["type"]).unwrap_or("unknown");
        let reason = match kind {
            "thinking" | "redacted_thinking" => "thinking",
            "tool_use" | "tool_result" => "tool",
            _ => match block.get("text").and_then(Value::as_str) {
                Some(text) => {
                    texts.push(text);
                    continue;
                }
                None => "no_text",
            },
        };
        *others.entry((reason, kind)).or_default() += 1;
    }
    for ((reason, kind), count) in others {
        gathering.leave_out(subject, reason, format!("{count} × {kind}"));
    }
    texts.retain(|text| !text.trim().is_empty());
    if texts.is_empty() {
        texts.extend(read::text(message, &["text"]).filter(|text| !text.contains(PLACEHOLDER)));
    }
    texts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use crate::tests::{converted, left_out, said};
    use serde_json::{Value, json};

    fn sample() -> Value {
        json!([{"uuid": "c1", "name": "Trains", "summary": "", "created_at": "2024-05-01T08:00:00.000000Z",
            "updated_at": "2024-05-01T08:10:00.000000Z", "account": {"uuid": "acc"}, "chat_messages": [
            {"uuid": "m1", "sender": "human", "created_at": "2024-05-01T08:00:01.123456Z", "text": "Read this.",
             "content": [{"type": "text", "text": "Read this."}], "files": [{"file_name": "photo.png"}],
             "attachments": [{"file_name": "plan.txt", "file_type": "txt", "extracted_content": "Train at 8:15."},
                             {"file_name": "empty.pdf", "extracted_content": ""}]},
            {"uuid": "m2", "sender": "assistant", "created_at": "2024-05-01T08:00:09+00:00",
             "text": "This block is not supported on your current device yet.\n\nAt 8:15.",
             "content": [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "name": "search"},
                         {"type": "tool_result"}, {"type": "tool_use", "name": "search"},
                         {"type": "text", "text": "At"}, {"type": "text", "text": "8:15. ✓"}],
             "files": [], "attachments": []},
            {"uuid": "m3", "sender": "human", "text": "Old style", "created_at": "2024-05-01 08:01:00"}]}])
    }

    #[test]
    fn import_claude_keeps_texts_and_attachments() {
        let read = converted(&sample());
        let words = ["user: Read this.", "user: Train at 8:15.", "assistant: At\n\n8:15. ✓", "user: Old style"];
        assert_eq!(said(&read), words);
        let left = [
            "no_text claude:c1/m1",
            "no_text claude:c1/m1",
            "thinking claude:c1/m2",
            "tool claude:c1/m2",
            "tool claude:c1/m2",
        ];
        assert_eq!(left_out(&read), left);
        let conversation = &read.conversations[0];
        assert_eq!(
            (conversation.thread.as_deref(), conversation.title.as_deref()),
            (Some("claude:c1"), Some("Trains"))
        );
        let (id, attachment) = &conversation.messages[1];
        assert_eq!((id.as_str(), attachment.speaker.as_deref()), ("m1/attachment-1", None));
        assert!(attachment.metadata.to_json().contains(r#""file_name":"plan.txt""#));
        assert_eq!(attachment.time.unwrap().to_string(), "2024-05-01T08:00:01.123456Z");
    }

    #[test]
    fn import_claude_gives_old_messages_the_same_ids_in_a_longer_export() {
        let short = converted(&sample());
        let mut longer = sample();
        let messages = longer[0]["chat_messages"].as_array_mut().unwrap();
        messages.push(json!({"uuid": "m4", "sender": "assistant", "text": "New"}));
        let long = converted(&longer);
        assert_eq!(short.conversations[0].thread, long.conversations[0].thread);
        assert_eq!(short.conversations[0].messages[..], long.conversations[0].messages[..4]);
        // What has no time of its own has that of the one before.
        assert_eq!(long.conversations[0].messages[4].1.time.unwrap().to_string(), "2024-05-01T08:01:00Z");
    }

    #[test]
    fn import_claude_makes_ids_and_survives_wrong_types() {
        let read = converted(
            &json!([{"created_at": 5, "chat_messages": [7, {"sender": "human", "text": "Hi"}, {"text": "Hi"},
            {"uuid": {}, "content": "x", "attachments": {}, "text": ["y"], "sender": []}]}, [], {"uuid": "none"}]),
        );
        let ids: Vec<&String> = read.conversations[0].messages.iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), 2);
        assert!(ids[0].starts_with("sha256-") && *ids[1] == format!("{}-2", ids[0]));
        assert!(read.conversations[0].thread.as_ref().unwrap().starts_with("claude:sha256-"));
        assert_eq!(left_out(&read).iter().filter(|left| left.starts_with("unknown_record")).count(), 2);
    }
}
