//! What holds for all formats: detection, refusals, limits and hostile input.

use crate::foreign::{Foreign, Hints, detect};
use crate::pieces::Pieces;
use crate::survey::{ForeignFormat, LeftOut, Surveyed};
use recordar_domain::{Invalid, Message};
use recordar_domain::{MAX_TEXT_BYTES, check_text};
use serde_json::Value;
use serde_json::json;
use std::ops::ControlFlow;

/// What was read, and what was left out and why.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Converted {
    pub(super) format: ForeignFormat,
    pub(super) conversations: Vec<Conversation>,
    pub(super) left_out: Vec<LeftOut>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conversation {
    pub(super) user_id: Option<String>,
    pub(super) thread: Option<String>,
    pub(super) title: Option<String>,
    pub(super) messages: Vec<(String, Message)>,
}

pub(super) fn convert(bytes: &[u8], format: Option<ForeignFormat>, name: &str) -> Result<Converted, Invalid> {
    converted_from(&Foreign::open(&bytes, &Hints { format, date: None }, name)?)
}

pub(super) fn converted_from(foreign: &Foreign<'_>) -> Result<Converted, Invalid> {
    let survey = foreign.survey()?;
    let of = |surveyed: &Surveyed| Conversation {
        user_id: surveyed.user_id.clone(),
        thread: surveyed.thread.clone(),
        title: surveyed.title.clone(),
        messages: Vec::new(),
    };
    let mut conversations: Vec<Conversation> = survey.conversations.iter().map(of).collect();
    let left_out = foreign.hand_over(&survey, &mut |piece| {
        conversations[piece.conversation].messages.extend(piece.messages);
        ControlFlow::Continue(())
    })?;
    for (conversation, surveyed) in conversations.iter().zip(&survey.conversations) {
        assert_eq!(conversation.messages.len(), surveyed.messages, "all that were counted came");
    }
    conversations.retain(|conversation| !conversation.messages.is_empty());
    Ok(Converted { format: survey.format, conversations, left_out })
}

pub(super) fn converted(export: &Value) -> Converted {
    let read = convert(export.to_string().as_bytes(), None, "export.json").unwrap();
    check(&read);
    read
}

/// What `remember` would refuse must not come out.
pub(super) fn check(read: &Converted) {
    for conversation in &read.conversations {
        let mut ids = std::collections::BTreeSet::new();
        assert!(!conversation.messages.is_empty());
        let titles: Vec<&String> =
            conversation.messages.iter().filter_map(|(_, message)| message.title.as_ref()).collect();
        assert_eq!(titles, conversation.title.iter().collect::<Vec<_>>(), "once");
        assert_eq!(conversation.messages[0].1.title, conversation.title);
        for (id, message) in &conversation.messages {
            check_text("text", &message.text, MAX_TEXT_BYTES).unwrap();
            for name in [&message.thread, &message.title, &message.speaker].into_iter().flatten() {
                check_text("name", name, 1024).unwrap();
            }
            assert!(message.title.is_none() || message.thread.is_some());
            assert_eq!(message.thread, conversation.thread);
            assert_eq!(message.source.as_deref(), Some(read.format.name()));
            let metadata: Value = serde_json::from_str(&message.metadata.to_json()).unwrap();
            assert_eq!(metadata["origin"], read.format.name());
            assert_eq!(metadata["origin_id"], id.as_str());
            assert!(ids.insert(id), "{id} twice");
        }
    }
}

pub(super) fn said(read: &Converted) -> Vec<String> {
    let messages = read.conversations.iter().flat_map(|conversation| &conversation.messages);
    messages.map(|(_, message)| format!("{}: {}", message.role.name(), message.text)).collect()
}

pub(super) fn left_out(read: &Converted) -> Vec<String> {
    read.left_out.iter().map(|left| format!("{} {}", left.reason, left.subject)).collect()
}

#[test]
fn import_tells_the_format_by_its_shape() {
    for (given, expected) in [
        (r#"[{"title": "x", "mapping": {}}]"#, Some(ForeignFormat::ChatGpt)),
        (r#"{"conversations": [{"mapping": {}}]}"#, Some(ForeignFormat::ChatGpt)),
        ("\u{feff}[3, {\"uuid\": \"1\", \"chat_messages\": []}]", Some(ForeignFormat::Claude)),
        (r#"{"results": [{"id": 1, "memory": "x"}]}"#, Some(ForeignFormat::Mem0)),
        (r#"{"results": [], "relations": []}"#, Some(ForeignFormat::Mem0)),
        ("{\"memory\": \"x\"}\n{\"memory\": \"y\"}", Some(ForeignFormat::Mem0)),
        (r#"{"session_id": "s", "messages": []}"#, Some(ForeignFormat::Zep)),
        (r#"{"edges": [{"fact": "x"}]}"#, Some(ForeignFormat::Zep)),
        ("Ada: Hello.\nBob: Hello!", Some(ForeignFormat::Transcript)),
        ("[10:15] Ada: Hello.\n[10:16] Bob: Hello!", Some(ForeignFormat::Transcript)),
        // The first record tells, though the file breaks off later.
        (r#"[{"mapping": {}}, {"map"#, Some(ForeignFormat::ChatGpt)),
        (r#"[{"role": "user", "content": "whose?"}]"#, None),
        (r#"[{"title": "tru"#, None),
        ("[]", None),
        ("7", None),
        ("Dear diary, nothing happened.", None),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hi</v>", Some(ForeignFormat::Transcript)),
    ] {
        let bytes = given.as_bytes();
        assert_eq!(detect(&bytes, "f", &Pieces::find(&bytes, "f").unwrap()).unwrap(), expected, "{given}");
    }
    for format in ForeignFormat::ALL {
        assert_eq!(ForeignFormat::parse(format.name()), Ok(format));
        assert_eq!(serde_json::to_value(format).unwrap(), json!(format.name()));
    }
    assert!(ForeignFormat::parse("gemini").unwrap_err().remedy.contains("chatgpt"));
}

#[test]
fn import_refuses_other_files_and_says_what_to_give() {
    for (given, format, remedy) in [
        (&b"PK\x03\x04rest"[..], None, "unpack it"),
        (b"\x1f\x8b\x08", None, "gunzip"),
        (b" <!DOCTYPE html><html>", None, "conversations.json"),
        (b"\xff\xfeA\0", None, "UTF-8"),
        (b"Ada: Caf\xe9 au lait.\nBob: Ja.", None, "iconv -f LATIN1 -t UTF-8"),
        (b"Ada: Hi.\nBob: Caf\xe9", None, "iconv"),
        (b"Ada: Caf\xe9.\nBob: Ja.", Some(ForeignFormat::Transcript), "iconv"),
        (b"[{\"memory\": \"Caf\xe9\"}]", Some(ForeignFormat::Mem0), "iconv"),
        (b" \n", None, "use a file with content"),
        (b"no export", None, "set the format"),
        (b"[{\"id\": \"shared\", \"title\": \"x\"}]", None, "set the format"),
        (b"[{\"mapping\": {}}, {\"map", None, "export it again"),
        (b"[{\"title\": \"tru", None, "export it again"),
        (b"[{\"chat_messages\": []}]", Some(ForeignFormat::ChatGpt), "it looks like claude"),
        (b"[{\"title\": \"x\"}]", Some(ForeignFormat::ChatGpt), "ChatGPT's data export"),
        (b"\"text\"", Some(ForeignFormat::Mem0), "export it again"),
        (b"only: one turn", Some(ForeignFormat::Transcript), "at least two lines"),
    ] {
        let refused = convert(given, format, "file").unwrap_err();
        assert!(refused.remedy.contains(remedy), "{}: {}", refused.what, refused.remedy);
        assert!(refused.what.starts_with("file "), "{}", refused.what);
    }
    assert!(convert(b"[]", Some(ForeignFormat::Claude), "file").unwrap().conversations.is_empty());
}

#[test]
fn import_brings_everything_within_the_limits() {
    let long = "word ".repeat(MAX_TEXT_BYTES / 5 + 10) + &"ä".repeat(MAX_TEXT_BYTES / 2 + 7);
    let read = converted(&json!([{"uuid": "i".repeat(3000), "name": "t\u{0}".repeat(2000), "chat_messages": [
        {"uuid": "a\u{0}b", "text": long, "sender": "s".repeat(2000)}, {"uuid": "n", "text": "N\u{0}L"}, {"uuid": "e", "text": " "},
        {"uuid": "twice", "text": "one"}, {"uuid": "twice", "text": "two"}]}]));
    let conversation = &read.conversations[0];
    let parts: Vec<&str> = conversation.messages[..3].iter().map(|(_, message)| message.text.as_str()).collect();
    assert_eq!(parts.concat(), long);
    assert!(conversation.messages[1].0.ends_with("#2"));
    let reasons: Vec<&str> = read.left_out.iter().map(|left| left.reason).collect();
    assert_eq!(reasons, ["name_cut", "name_cut", "nul", "empty", "duplicate"]);
    assert!(read.left_out.iter().all(|left| left.subject.len() < 800 && left.detail.len() < 800));
}

#[test]
fn import_mends_a_cut_character_and_says_so() {
    let given = br#"[{"uuid": "c", "chat_messages": [{"uuid": "m", "text": "cut \ud83d"}]}]"#;
    let read = convert(given, None, "c.json").unwrap();
    assert_eq!(
        (said(&read), left_out(&read)),
        (vec!["user: cut \u{fffd}".to_owned()], vec!["broken_character c.json".to_owned()])
    );
}

#[test]
fn import_survives_hostile_input() {
    let sample = json!([{"id": "c", "current_node": "b", "mapping": {"a": {"message": {"content": {"parts": ["x"]}}},
        "b": {"parent": "a", "message": {"author": {"role": "user"}, "content": {"parts": ["y", {"a": [1]}]}}}}, "chat_messages": [
        {"content": [{"type": "text", "text": "z"}], "attachments": [{"extracted_content": "w"}]}], "memory": "m", "messages": [
        {"content": "v"}], "edges": [{"fact": "f"}], "summary": {"content": "s"}}])
    .to_string();
    let talk = "\u{200e}[31/12/23, 10:15\u{202f}PM] Ädä: Hi 🥂\n**B:** ``` 小：x\n# U\n(2024-01-31 – x) - y: z\n: :\n2024-01-31 : a\n";
    let saved =
        "10:15:02 From Ä to B: x\nÄda  0:12\n小 (1:02):\n[Ä] 10:15: \n<ä> x\t\n10:15\tÄ:\ty\n\u{200e}[INFO] 1:1:1:\n";
    let cues = "WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ädä>小 <b>&amp;</v><v >\n\n--> \n2\n00:01,0-->0:2\nÄ: x < y\n";
    for talk in [talk, saved, cues] {
        for end in 0..talk.len() {
            let given = [&talk.as_bytes()[end..], talk.as_bytes(), &talk.as_bytes()[..end]].concat();
            for given in [given, talk.as_bytes()[..end].to_vec()] {
                let _ = convert(&given, Some(ForeignFormat::Transcript), "cut").map(|read| check(&read));
            }
        }
    }
    let odd = ["null", "[]", "{}", "0", "\"\"", "[[[]]]", "{\"mapping\":{\"a\":{\"parent\":\"a\"}}}", "1e999", "-1"];
    for format in ForeignFormat::ALL {
        for end in 0..sample.len() {
            let _ = convert(&sample.as_bytes()[..end], Some(format), "cut").map(|read| check(&read));
        }
        // Each value in turn replaced by one of another type.
        for key in [
            "mapping",
            "parent",
            "message",
            "content",
            "parts",
            "author",
            "chat_messages",
            "attachments",
            "messages",
            "edges",
            "text",
        ] {
            for value in odd {
                let given = sample.replace(&format!("\"{key}\":"), &format!("\"{key}\":{value},\"was\":"));
                let _ = convert(given.as_bytes(), Some(format), "odd").map(|read| check(&read));
            }
        }
        for deep in ["[", "{\"data\":", "{\"results\":[", "{\"a\":["] {
            assert!(convert(deep.repeat(50_000).as_bytes(), Some(format), "deep").is_err());
        }
    }
}

#[test]
fn import_takes_time_in_proportion() {
    // A chain of 20,000 messages, and 20,000 conversations: what grows with the square would not come back.
    let chain: serde_json::Map<String, Value> = (0..20_000)
        .map(|n: u32| {
            let message =
                json!({"id": format!("m{n}"), "author": {"role": "user"}, "content": {"parts": [format!("said {n}")]}});
            (format!("n{n}"), json!({"parent": n.checked_sub(1).map(|p| format!("n{p}")), "message": message}))
        })
        .collect();
    let read = converted(&json!([{"id": "c", "mapping": chain}]));
    assert_eq!(read.conversations[0].messages.len(), 20_000);
    assert_eq!(read.conversations[0].messages[19_999].0, "m19999");
    let many: Vec<Value> =
        (0..20_000).map(|n| json!({"uuid": format!("c{n}"), "chat_messages": [{"uuid": "m", "text": "hi"}]})).collect();
    assert_eq!(converted(&Value::Array(many)).conversations.len(), 20_000);
}
