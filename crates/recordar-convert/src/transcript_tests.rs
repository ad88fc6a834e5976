//! Transcripts of every style: who said what, what is no transcript, and what is told of what was left out.

use crate::survey::ForeignFormat;
use crate::tests::{Converted, check, convert, left_out};

fn read(text: &str) -> Converted {
    let read = convert(text.as_bytes(), None, "talk.txt").unwrap();
    assert_eq!(read.format, ForeignFormat::Transcript);
    check(&read);
    read
}

/// Each as `time role speaker: text`, with what is not there left out.
fn told(text: &str) -> Vec<String> {
    let show = |message: &recordar_domain::Message| {
        let time = message.time.map(|time| time.to_string());
        let words = [time.as_deref(), Some(message.role.name()), message.speaker.as_deref()];
        format!("{}: {}", words.into_iter().flatten().collect::<Vec<_>>().join(" "), message.text)
    };
    read(text).conversations[0].messages.iter().map(|(_, message)| show(message)).collect()
}

#[test]
fn import_transcript_reads_each_style() {
    for (text, expected) in [
        (
            "Ada: Hi\nASSISTANT: Hello\n  there\n\nBob von Ohm: So?",
            ["user Ada: Hi", "assistant: Hello\n  there", "user Bob von Ohm: So?"],
        ),
        (
            "**You:** Hi\n\n**ChatGPT**: Hello\nNote: x\n**System:** end",
            ["user: Hi", "assistant ChatGPT: Hello\nNote: x", "system: end"],
        ),
        (
            "# Trains\n\n## User\nHi\n\n---\n\n## Assistant\nUser: quoted\n### Details\n## Tool:\n42",
            ["user: Hi", "assistant: User: quoted\n### Details", "tool: 42"],
        ),
        ("You said:\nHi\nChatGPT said:\nHello\nYou said:\nBye", ["user: Hi", "assistant ChatGPT: Hello", "user: Bye"]),
        (
            "[2024-01-31 10:15] Ada: Hi\n2024-01-31T10:15:01.000001Z Bob: yes\n2024-01-31 10:16 Ada: no",
            [
                "2024-01-31T10:15:00Z user Ada: Hi",
                "2024-01-31T10:15:01.000001Z user Bob: yes",
                "2024-01-31T10:16:00Z user Ada: no",
            ],
        ),
        (
            "[10:15] Ada: Hi\n[10:16] **Claude:** Hello\n(10:17) Ada: Bye",
            ["user Ada: Hi", "assistant Claude: Hello", "user Ada: Bye"],
        ),
        (
            "31.12.23, 10:15 - Ada: Hi\nmore: lines\n31.12.23, 10:16 - +49 170 123: Prost 🥂\n1.1.24, 00:01 - Ada: ok",
            [
                "2023-12-31T10:15:00Z user Ada: Hi\nmore: lines",
                "2023-12-31T10:16:00Z user +49 170 123: Prost 🥂",
                "2024-01-01T00:01:00Z user Ada: ok",
            ],
        ),
        (
            "\u{200e}[31/12/2023, 10:15:02] Ada: Hi\r\n[31/12/2023, 10:15:03] ~ Bob: yes\r\n[12/31/23, 10:15 PM] Eve: odd",
            [
                "2023-12-31T10:15:02Z user Ada: Hi",
                "2023-12-31T10:15:03Z user Bob: yes",
                "2023-12-31T22:15:00Z user Eve: odd",
            ],
        ),
        ("小明：你好\n小红：你好！\n小明：再见", ["user 小明: 你好", "user 小红: 你好！", "user 小明: 再见"]),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn import_transcript_takes_labels_links_and_code_for_what_they_are() {
    let text = "User: See\nNote: http://x\nhttps://example.org: a link\nThe answer is: 42\n- Item: one\nstd::mem: x\n8:15: train\n\
                ```\nAda: inside code\n```\n\"title\": \"x\",\nAssistant: Ok ```not closed\nUser: Bye";
    let told = told(text);
    assert_eq!(told.len(), 3);
    assert!(told[0].ends_with("\"title\": \"x\","));
    for text in ["Note: x\nhttps://a.b: c\nTime: 8:15\nso: lower", "Ada: alone", "", "{\n\"Ada\": 1,\n\"Bob\": 2\n"] {
        assert!(convert(text.as_bytes(), Some(ForeignFormat::Transcript), "t").is_err(), "{text}");
    }
    assert!(convert(b"Ada: \xff\nBob: x", Some(ForeignFormat::Transcript), "t").unwrap_err().remedy.contains("UTF-8"));
}

#[test]
fn import_transcript_tells_what_it_left_out() {
    let text = "# Our talk\nrecorded by Eve\n[1/2/24, 10:00] Ada named this \"Trip: May\".\n[1/2/24, 10:00] Ada: <Media omitted>\n\
                [1/2/24, 10:01] Ada:\n[1/2/24, 10:02] Bob: Hi";
    let read = read(text);
    assert_eq!(read.conversations[0].title.as_deref(), Some("Our talk"));
    assert_eq!(read.conversations[0].messages[0].1.time.unwrap().to_string(), "2024-02-01T10:02:00Z");
    let reasons: Vec<&str> = read.left_out.iter().map(|left| left.reason).collect();
    assert_eq!(reasons, ["before_first_turn", "date_order", "no_speaker", "no_text", "empty"]);
    assert!(left_out(&read)[4].starts_with("empty transcript:talk.txt/sha256-"));
}

#[test]
fn import_transcript_gives_old_turns_the_same_ids_in_a_longer_one() {
    let short = "[1/2/24, 10:00] Ada: Hi\n[1/2/24, 10:00] Ada: Hi\n[2/3/24, 10:00] Bob: Note: yes\n";
    // The longer file shows that the month comes first: the times change, the ids do not.
    let long = format!("{short}[2/28/24, 10:00] Eve: new");
    let (short, long) = (read(short), read(&long));
    let ids = |read: &Converted| read.conversations[0].messages.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&short)[..], ids(&long)[..3]);
    assert_eq!(ids(&short)[1], format!("{}-2", ids(&short)[0]));
    assert_eq!(short.conversations[0].thread.as_deref(), Some("transcript:talk.txt"));
    assert_eq!(long.conversations[0].messages[0].1.time.unwrap().to_string(), "2024-01-02T10:00:00Z");
}

#[test]
fn import_transcript_reads_what_meetings_and_chats_are_saved_as() {
    for (text, expected) in [
        ("00:00:01\tAda:\tHi\n00:00:05\tBob:\tHello", ["user Ada: Hi", "user Bob: Hello"]),
        (
            "10:15:02 From Ada (she/her) to Everyone: Hi: all\n10:15:09 From  Bob  to  Ada (Direct Message):\n\tHello",
            ["user Ada (she/her): Hi: all", "user Bob: Hello"],
        ),
        ("10:15:02\t Ada : Hi\n10:15:09\t From Bob : Hello", ["user Ada: Hi", "user Bob: Hello"]),
        (
            "Speaker 1 (00:12):\nHi there\n\nSpeaker 2 (45:13): Hello",
            ["user Speaker 1: Hi there", "user Speaker 2: Hello"],
        ),
        (
            "Ada Lovelace  0:12 \nHi there\nagain\n\nBob  1:02:03\nNote: x",
            ["user Ada Lovelace: Hi there\nagain", "user Bob: Note: x"],
        ),
        ("Ada  10:15 AM\nHi\nbob.ohm  10:16 AM\nHello", ["user Ada: Hi", "user bob.ohm: Hello"]),
        ("[Ada] 10:15: Hi\n[Bob von Ohm] 10:16: 8:15: ok", ["user Ada: Hi", "user Bob von Ohm: 8:15: ok"]),
        ("[Ada Lovelace] 10:15:02\nHi\n\n[Bob] 10:15:04\nHello\n", ["user Ada Lovelace: Hi", "user Bob: Hello"]),
        (
            "[00:01.000 --> 00:05.000]  SPEAKER_00: Hi\n[00:05.000 --> 00:07.000]  SPEAKER_01: Ok",
            ["user SPEAKER_00: Hi", "user SPEAKER_01: Ok"],
        ),
    ] {
        assert_eq!(told(text), expected, "{text}");
        let notes: Vec<&str> = read(text).left_out.iter().map(|left| left.reason).collect();
        assert_eq!(notes, ["no_date"], "{text}");
    }
    assert_eq!(told("<ada> Hi\n<bob> Hello\n<ada> Bye"), ["user ada: Hi", "user bob: Hello", "user ada: Bye"]);
    // A log of IRC needs a date, unless it is called a transcript: then it is read without times.
    let log = b"[10:15] <@ada> Hi\n10:16 <bob_> Hello";
    assert!(convert(log, None, "talk.txt").unwrap_err().remedy.contains("--format transcript"));
    let read = convert(log, Some(ForeignFormat::Transcript), "talk.txt").unwrap();
    assert_eq!(crate::tests::said(&read), ["user: Hi", "user: Hello"]);
    assert!(left_out(&read)[0].starts_with("no_date"));
}

#[test]
fn import_tells_talk_from_headers_lists_and_prose() {
    for text in [
        "Name: Foo\nVersion: 1\nLicense: MIT",
        "Metadata-Version: 2.1\nName: foo\nSummary: Does it.\nClassifier: A :: B\nClassifier: C\nRequires-Dist: x\nProvides-Extra: y\nRequires-Dist: z\n\nFoo does it.\n",
        "Package: a\nVersion: 1\n\nPackage: b\nVersion: 2\n",
        "Region: Europe\nColour: blue\nDriver: postgres",
        "**License:** MIT\n**Speed:** high",
        "Song of Joy  3:45\nOther Song  4:12\nThird  2:01",
        "<li> one\n<td> two\n<li> three",
        "<file> what to read\n<dir> where to",
        "9:00 Breakfast: eggs\n10:00 Meeting: plans",
        "[2024-01-31 10:15:02] INFO: started\n[2024-01-31 10:15:03] app.ERROR: broken",
        "2024-01-31 10:15:02.123 UTC [12] LOG: started\n2024-01-31 10:15:02.124 UTC [12] LOG: ready",
        &format!("Added:\n{0}Fixed:\n{0}Added:\n{0}", "* something\n".repeat(20)),
        "[INFO] 10:15: started\n[WARN] 10:16: slow",
        "The train leaves at 8:15 (10:15 at night).\nIt is late.\nSo we wait  10 minutes\nand go.",
    ] {
        let refused = convert(text.as_bytes(), None, "file").unwrap_err();
        assert!(refused.remedy.contains("set the format"), "{text}: {}", refused.remedy);
    }
    // Whoever names the format is believed.
    let named = convert(b"Region: Europe\nColour: blue", Some(ForeignFormat::Transcript), "file").unwrap();
    assert_eq!(named.conversations[0].messages.len(), 2);
    for text in [
        "Ada: Where is the violin?\nBob: In the garden house.",
        "Ada: hi\nBob: hello\nAda: how are you",
        "Ada: hi\nAda: are you there\nBob: yes\nStatus: asleep",
        "Human: hi\nAI: hello",
    ] {
        assert!(told(text).len() >= 2, "{text}");
    }
}

#[test]
fn import_transcript_leaves_out_what_an_iphone_writes_itself() {
    let text = "[1/31/24, 10:00:00\u{202f}PM] Trip: \u{200e}Messages and calls are end-to-end encrypted. No one else can read them.\n\
                \u{200e}[1/31/24, 10:00:01\u{202f}PM] Ada: \u{200e}image omitted\n\
                [1/31/24, 10:00:02\u{202f}PM] Ada: Hi\n\
                [1/31/24, 10:00:03\u{202f}PM] Ada: \u{200e}Location: https://example.org/?q=1,2";
    assert_eq!(told(text).len(), 2);
    assert_eq!(left_out(&read(text)), ["no_speaker transcript:talk.txt", "no_text transcript:talk.txt"]);
}

#[test]
fn import_transcript_says_how_uncertain_dates_were_read() {
    let text = "1/2/24, 10:00 PM - Ada: Hi\n1/3/24, 10:00 AM - Bob: Hello";
    assert!(told(text)[0].starts_with("2024-01-02T22:00:00Z"));
    let note = &read(text).left_out[0];
    assert_eq!(note.reason, "date_order");
    assert!(note.detail.contains("are kept") && note.detail.ends_with("month/day"), "{}", note.detail);
}
