//! Slack's export, logs of IRC, and archives: what people said, who said it, when; and what hostile files come to.

use crate::archive::Archive;
use crate::files::{Files, Parts};
use crate::foreign::{Foreign, Hints};
use crate::survey::ForeignFormat;
use crate::tests::{Converted, check, converted_from, left_out};
use recordar_domain::{Invalid, Message};
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Files in memory.
struct Folder(Vec<String>, Vec<Vec<u8>>);

impl Folder {
    fn of(files: &[(&str, String)]) -> Self {
        let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self(names, files.iter().map(|(_, text)| text.clone().into_bytes()).collect())
    }

    fn zipped(&self, method: CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in self.0.iter().zip(&self.1) {
            writer.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }
}

impl Files for Folder {
    fn names(&self) -> &[String] {
        &self.0
    }

    fn bytes(&self, index: usize) -> Result<u64, Invalid> {
        Ok(self.1[index].len() as u64)
    }

    fn copy(&self, index: usize, to: &mut dyn Write) -> Result<(), Invalid> {
        to.write_all(&self.1[index]).unwrap();
        Ok(())
    }
}

/// Each as `time role speaker: text`.
fn told(messages: &[(String, Message)]) -> Vec<String> {
    let show = |message: &Message| {
        let time = message.time.map(|time| time.to_string());
        let words = [time.as_deref(), Some(message.role.name()), message.speaker.as_deref()];
        format!("{}: {}", words.into_iter().flatten().collect::<Vec<_>>().join(" "), message.text)
    };
    messages.iter().map(|(_, message)| show(message)).collect()
}

fn slack(files: &dyn Files) -> Result<Converted, Invalid> {
    let Parts::Slack { root } = Parts::find(files, None, "export")? else { panic!("not Slack's") };
    let read = converted_from(&Foreign::open_slack(files, &root, "export")?)?;
    check(&read);
    Ok(read)
}

fn day(messages: Value) -> String {
    serde_json::to_string_pretty(&messages).unwrap()
}

fn workspace(prefix: &str) -> Vec<(String, String)> {
    let files = vec![
        (
            "users.json",
            json!([
                {"id": "U1", "name": "ada", "profile": {"real_name": "Ada Lovelace", "display_name": "ada"}},
                {"id": "U2", "name": "bob", "profile": {"real_name": "", "display_name": "Bobby"}},
                {"id": "U3", "name": "eve", "real_name": "Eve & Co"}]),
        ),
        ("channels.json", json!([{"id": "C1", "name": "general", "members": ["U1"], "topic": {"value": "x"}}])),
        ("groups.json", json!([{"id": "G1", "name": "secret"}])),
        ("dms.json", json!([{"id": "D1", "members": ["U1", "U2"]}])),
        ("mpims.json", json!([{"id": "G2", "name": "mpdm-ada--bob--eve-1", "members": ["U1", "U2", "U3"]}])),
        ("integration_logs.json", json!([{"service_id": "1"}])),
        (
            "general/2024-02-01.json",
            json!([
                {"type": "message", "user": "U2", "text": "Next day", "ts": "1706781600.000200"},
                {"type": "message", "user": "U1", "text": "In the garden &lt;house&gt; &amp; shed", "ts": "1706781700.000000",
                 "thread_ts": "1706695200.000100", "parent_user_id": "U1"}]),
        ),
        (
            "general/2024-01-31.json",
            json!([
                {"type": "message", "subtype": "channel_join", "user": "U2", "text": "<@U2> has joined the channel", "ts": "1706695100.000000"},
                {"type": "message", "subtype": "channel_topic", "user": "U1", "topic": "x", "text": "set the topic", "ts": "1706695101.0"},
                {"type": "message", "user": "U1", "text": "Hello <@U2>, see <#C1|general>, <!here>, <https://example.org/a?b=1|the page> and <https://example.org>; mail <mailto:a@example.org|a@example.org>. <!subteam^S1|@ops> 1 < 2",
                 "ts": "1706695200.000100", "thread_ts": "1706695200.000100", "reply_count": 1, "client_msg_id": "x",
                 "edited": {"user": "U1", "ts": "1706695300.000000"}},
                {"type": "message", "subtype": "bot_message", "bot_id": "B1", "username": "CI", "text": "", "ts": "1706695400.5",
                 "attachments": [{"title": "Build 7", "text": "failed", "fallback": "no"}]},
                {"type": "message", "user": "U2", "text": "", "ts": "1706695500.0", "files": [{"id": "F1", "name": "plan.pdf", "mimetype": "application/pdf"}]},
                {"type": "message", "subtype": "me_message", "user": "U3", "text": "waves", "ts": "1706695600.0"},
                {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "text": "This message was deleted.", "ts": "1706695700.0"},
                {"type": "message", "user": "U9", "user_profile": {"real_name": "Guest"}, "text": "", "ts": "1706695800.0", "blocks": [
                    {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
                        {"type": "text", "text": "Only "}, {"type": "user", "user_id": "U1"}, {"type": "link", "url": "https://b.example"}]}]}]}]),
        ),
        ("secret/2024-01-31.json", json!([{"type": "message", "user": "U1", "text": "psst", "ts": "1706695200.0"}])),
        (
            "D1/2024-01-31.json",
            json!([{"type": "message", "user": "U2", "text": "to you alone", "ts": "1706695200.0"}]),
        ),
        (
            "mpdm-ada--bob--eve-1/2024-01-31.json",
            json!([{"type": "message", "user": "U3", "text": "us", "ts": "1706695200.0"}]),
        ),
        ("unlisted/2024-01-31.json", json!([{"type": "message", "user": "U3", "text": "left", "ts": "1706695200.0"}])),
        ("general/notes.txt", json!("no day")),
        ("__MACOSX/users.json", json!("no list")),
    ];
    files.into_iter().map(|(name, value)| (format!("{prefix}{name}"), day(value))).collect()
}

fn folder(prefix: &str) -> Folder {
    let files = workspace(prefix);
    Folder(
        files.iter().map(|(name, _)| name.clone()).collect(),
        files.into_iter().map(|(_, text)| text.into_bytes()).collect(),
    )
}

#[test]
fn i20_slack_reads_channels_people_mentions_and_replies() {
    let read = slack(&folder("")).unwrap();
    assert_eq!(read.format, ForeignFormat::Slack);
    let threads: Vec<(&str, &str)> =
        read.conversations.iter().map(|one| (one.thread.as_deref().unwrap(), one.title.as_deref().unwrap())).collect();
    let expected = [
        ("slack:C1", "#general"),
        ("slack:G1", "#secret"),
        ("slack:D1", "Ada Lovelace, Bobby"),
        ("slack:G2", "Ada Lovelace, Bobby, Eve & Co"),
        ("slack:unlisted", "#unlisted"),
    ];
    assert_eq!(threads, expected);
    let general = &read.conversations[0].messages;
    let expected = [
        "2024-01-31T10:00:00.0001Z user Ada Lovelace: Hello @Bobby, see #general, @here, the page (https://example.org/a?b=1) and \
         https://example.org; mail a@example.org. @ops 1 < 2",
        "2024-01-31T10:03:20.5Z tool CI: Build 7\nfailed",
        "2024-01-31T10:05:00Z user Bobby: [file: plan.pdf]",
        "2024-01-31T10:06:40Z user Eve & Co: Eve & Co waves",
        "2024-01-31T10:10:00Z user Guest: Only @Ada Lovelacehttps://b.example",
        "2024-02-01T10:00:00.0002Z user Bobby: Next day",
        "2024-02-01T10:01:40Z user Ada Lovelace: In the garden <house> & shed",
    ];
    let shown: Vec<String> = told(general).iter().map(|line| line.trim_end().to_owned()).collect();
    assert_eq!(shown, expected);
    let metadata = |at: usize| serde_json::from_str::<Value>(&general[at].1.metadata.to_json()).unwrap();
    assert_eq!(metadata(6)["thread_ts"], "1706695200.000100");
    assert_eq!(metadata(0)["origin_id"], metadata(6)["thread_ts"], "a reply names what it replies to");
    assert_eq!(metadata(0)["edited"], "2024-01-31T10:01:40Z");
    assert_eq!(metadata(2)["files"], json!(["plan.pdf"]));
    let left =
        ["join_leave slack:C1/1706695100.000000", "notice slack:C1/1706695101.0", "deleted slack:C1/1706695700.0"];
    assert_eq!(left_out(&read), left);
}

#[test]
fn i20_slack_is_the_same_from_a_folder_and_from_its_archive() {
    let read = slack(&folder("")).unwrap();
    for (prefix, method) in [("", CompressionMethod::Deflated), ("Acme Slack export/", CompressionMethod::Stored)] {
        let bytes = folder(prefix).zipped(method);
        let source = &bytes[..];
        assert!(Archive::is_one(&source));
        let archive = Archive::open(&source, "export.zip").unwrap();
        assert_eq!(slack(&archive).unwrap(), read);
    }
}

#[test]
fn i20_slack_refuses_what_is_broken_and_names_the_file() {
    for (text, what) in [
        ("[{\"ts\": \"1", "general/2024-01-31.json is truncated"),
        ("{\"a\": 1}", "general/2024-01-31.json is not valid JSON"),
        ("\u{0}", "general/2024-01-31.json is not valid JSON"),
    ] {
        let refused = slack(&Folder::of(&[("general/2024-01-31.json", text.to_owned())])).unwrap_err();
        assert!(refused.what.contains(what), "{}", refused.what);
    }
    let mut bytes = Folder::of(&[("channels.json", "[]".into()), ("a/2024-01-31.json", "[]".into())]);
    bytes.1[1] = b"[\"\xff\"]".to_vec();
    assert!(slack(&bytes).unwrap_err().what.contains("a/2024-01-31.json is not UTF-8"));
    assert!(slack(&Folder::of(&[("channels.json", "[]".into())])).unwrap_err().what.contains("no messages"));
    for files in [vec![], vec![("readme.txt", String::new())], vec![("2024-01-31.json", "[]".into())]] {
        let refused = Parts::find(&Folder::of(&files), None, "export").unwrap_err();
        assert!(refused.remedy.contains("channels.json"), "{}", refused.remedy);
    }
    let talk = Folder::of(&[("a.txt", String::new())]);
    assert!(Parts::find(&talk, Some(ForeignFormat::Mem0), "x").unwrap_err().remedy.contains("unpack it"));
    let single = Foreign::open(&&b"[]"[..], &Hints { format: Some(ForeignFormat::Slack), date: None }, "x.json").err();
    assert!(single.unwrap().remedy.contains("folder for each channel"));
}

#[test]
fn i20_slack_survives_every_type_in_every_field() {
    let odd =
        ["null", "[]", "{}", "0", "\"\"", "[[1]]", "{\"ts\":1}", "1e999", "\"<@U1|<#|>>&amp;lt;\"", "\"\\ud83d\""];
    let files = workspace("");
    for key in [
        "id",
        "name",
        "profile",
        "members",
        "user",
        "text",
        "ts",
        "thread_ts",
        "files",
        "edited",
        "attachments",
        "blocks",
        "elements",
        "subtype",
        "type",
    ] {
        for value in odd {
            let changed: Vec<(&str, String)> = files
                .iter()
                .map(|(name, text)| {
                    (name.as_str(), text.replace(&format!("\"{key}\":"), &format!("\"{key}\": {value}, \"was\":")))
                })
                .collect();
            let _ = slack(&Folder::of(&changed));
        }
    }
}

fn zip_of(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    Folder(names, files.iter().map(|(_, bytes)| bytes.clone()).collect()).zipped(CompressionMethod::Deflated)
}

#[test]
fn i20_archive_finds_the_conversations_among_much_else() {
    let bytes = zip_of(&[
        ("chat.html", b"<html>".to_vec()),
        ("user.json", b"{}".to_vec()),
        ("users.json", b"[]".to_vec()),
        ("file-abc.png", vec![0; 1000]),
        ("deep/conversations.json", b"[3]".to_vec()),
        ("conversations-001.json", b"[2]".to_vec()),
        ("conversations-000.json", b"[1]".to_vec()),
        ("shared_conversations.json", b"[4]".to_vec()),
        ("__MACOSX/._conversations.json", b"junk".to_vec()),
    ]);
    let source = &bytes[..];
    let archive = Archive::open(&source, "export.zip").unwrap();
    let Parts::Conversations(parts) = Parts::find(&archive, None, "export.zip").unwrap() else { panic!() };
    let names: Vec<&str> = parts.iter().map(|index| archive.names()[*index].as_str()).collect();
    assert_eq!(names, ["conversations-000.json", "conversations-001.json"]);
    let mut held = Vec::new();
    parts.iter().for_each(|index| archive.copy(*index, &mut held).unwrap());
    assert_eq!(held, b"[1][2]");
}

#[test]
fn i20_archive_refuses_bombs_lies_and_damage() {
    let bomb = zip_of(&[("conversations.json", vec![b' '; 8 * 1024 * 1024])]);
    assert!(bomb.len() < 20_000);
    let source = &bomb[..];
    let archive = Archive::open(&source, "bomb.zip").unwrap();
    let refused = Parts::find(&archive, None, "bomb.zip").unwrap_err();
    assert!(refused.what.contains("which no text does"), "{}", refused.what);
    // A file that says it is small, and is not; and the other way round.
    let honest = zip_of(&[("conversations.json", vec![b'7'; 100_000])]);
    for said in [1_000_u32, 200_000] {
        let mut lying = honest.clone();
        let real = 100_000_u32.to_le_bytes();
        let places: Vec<usize> = (0..lying.len() - 4).filter(|at| lying[*at..*at + 4] == real).collect();
        assert_eq!(places.len(), 2, "in the local and in the central header");
        places.iter().for_each(|at| lying[*at..*at + 4].copy_from_slice(&said.to_le_bytes()));
        let source = &lying[..];
        let copied = Archive::open(&source, "lie.zip").and_then(|archive| archive.copy(0, &mut std::io::sink()));
        assert!(copied.unwrap_err().what.contains("conversations.json in lie.zip cannot be unpacked"));
    }
    // Every cut, and every byte changed: refused or read, never a panic.
    let small =
        zip_of(&[("conversations.json", b"[{\"mapping\": {}}]".to_vec()), ("a/2024-01-31.json", b"[]".to_vec())]);
    let try_one = |bytes: &[u8]| {
        if let Ok(archive) = Archive::open(&bytes, "x.zip") {
            for index in 0..archive.names().len() {
                let _ = archive.copy(index, &mut std::io::sink());
            }
            let _ = Parts::find(&archive, None, "x.zip");
        }
    };
    for at in 0..small.len() {
        try_one(&small[..at]);
        for value in [0, 1, 0x7f, 0xff] {
            let mut changed = small.clone();
            changed[at] = value;
            try_one(&changed);
        }
    }
    let locked = {
        let mut flagged = small.clone();
        // The first bit of the flags, in both headers.
        for mark in [&b"PK\x03\x04"[..], b"PK\x01\x02"] {
            let at = flagged.windows(4).position(|four| four == mark).unwrap();
            flagged[at + if mark[2] == 3 { 6 } else { 8 }] |= 1;
        }
        flagged
    };
    let source = &locked[..];
    let archive = Archive::open(&source, "locked.zip").unwrap();
    assert!(Parts::find(&archive, None, "locked.zip").unwrap_err().what.contains("is encrypted"));
}

fn log(text: &str, date: Option<&str>, name: &str) -> Result<Converted, Invalid> {
    let bytes = text.as_bytes();
    let read = converted_from(&Foreign::open(&bytes, &Hints { format: None, date }, name)?)?;
    assert_eq!(read.format, ForeignFormat::Irc);
    check(&read);
    Ok(read)
}

fn spoken(text: &str, date: Option<&str>) -> Vec<String> {
    told(&log(text, date, "chat.log").unwrap().conversations[0].messages)
}

#[test]
fn i20_irc_reads_each_client() {
    let irssi = "--- Log opened Wed Jan 31 22:15:02 2024\n22:15 -!- ada [~ada@example.org] has joined #rust\n22:15 -!- Irssi: #rust: Total of 3 nicks\n\
                 22:15 <@ada> hello\n22:16 < bob> hi: all\n22:17  * bob waves\n--- Day changed Thu Feb 01 2024\n00:01 <ada> next\n\
                 --- Log closed Thu Feb 01 00:05:00 2024\n";
    let expected = [
        "2024-01-31T22:15:00Z user ada: hello",
        "2024-01-31T22:16:00Z user bob: hi: all",
        "2024-01-31T22:17:00Z user bob: bob waves",
        "2024-02-01T00:01:00Z user ada: next",
    ];
    assert_eq!(spoken(irssi, None), expected);
    let read = log(irssi, None, "chat.log").unwrap();
    assert_eq!(left_out(&read), ["join_leave irc:chat.log", "notice irc:chat.log"]);
    assert!(read.conversations[0].messages[2].1.metadata.to_json().contains("\"action\":true"));
    let weechat = "2024-01-31 22:15:02\t-->\tada (~ada@example.org) has joined #rust\n2024-01-31 22:15:03\t@ada\thello\n\
                   2024-01-31 22:15:04\t--\tMode #rust [+o ada]\n2024-01-31 22:16:00\t *\tbob waves\n2024-02-01 00:01:00\t<--\tbob has quit\n";
    assert_eq!(
        spoken(weechat, None),
        ["2024-01-31T22:15:03Z user ada: hello", "2024-01-31T22:16:00Z user bob: bob waves"]
    );
    let hexchat = "**** BEGIN LOGGING AT Sun Dec 31 23:15:02 2023\n\nDec 31 23:15:02 *\tNow talking on #rust\nDec 31 23:15:03 <ada>\thello\n\
                   Dec 31 23:16:00 *\tbob (~bob@example.org) has joined\nDec 31 23:17:00 *\tbob waves\nJan 01 00:01:00 <bob>\thappy new year\n\
                   **** ENDING LOGGING AT Mon Jan 01 00:05:00 2024\n";
    let expected = [
        "2023-12-31T23:15:03Z user ada: hello",
        "2023-12-31T23:17:00Z user bob: bob waves",
        "2024-01-01T00:01:00Z user bob: happy new year",
    ];
    assert_eq!(spoken(hexchat, None), expected);
    let znc = "[22:15:02] *** Joins: ada (~ada@example.org)\n[22:15:03] <ada> hello\n[22:15:04] -ChanServ- be nice\n[22:16:00] * bob waves\n\
               [22:17:00] *** Quits: ada (~ada@example.org) (bye)\n[22:18:00] <b> \u{2}bold\u{f} \u{3}04,12red\u{3} \u{1f}x\n";
    let expected = [
        "2024-01-31T22:15:03Z user ada: hello",
        "2024-01-31T22:16:00Z user bob: bob waves",
        "2024-01-31T22:18:00Z user b: bold red x",
    ];
    assert_eq!(spoken(znc, Some("2024-01-31")), expected);
    // ZNC names a file after its day.
    let named = log(znc, None, "2024-01-31.log").unwrap();
    assert_eq!(told(&named.conversations[0].messages), expected);
    assert_eq!(told(&log(znc, None, "#rust_20240131.log").unwrap().conversations[0].messages), expected);
    let plain = "12:34 <nick> text\n(12:35) <ada> <b>bold</b>\n[12:36] <ada> \n2024-02-03T04:05:06Z <ada> exact\n";
    let expected = [
        "2024-01-31T12:34:00Z user nick: text",
        "2024-01-31T12:35:00Z user ada: <b>bold</b>",
        "2024-02-03T04:05:06Z user ada: exact",
    ];
    assert_eq!(spoken(plain, Some("2024-01-31")), expected);
}

#[test]
fn i20_irc_without_a_date_names_the_option() {
    let text = "12:34 <ada> hello\n12:35 <bob> hi\n";
    let refused = log(text, None, "chat.log").unwrap_err();
    assert!(refused.what.contains("line 1") && refused.remedy.contains("--date"), "{refused:?}");
    let refused = log("Jan 31 12:34:00 <ada>\thello\nJan 31 12:35:00 <bob>\thi\n", None, "chat.log").unwrap_err();
    assert!(refused.remedy.contains("--date"), "{refused:?}");
    assert!(log(text, Some("31.1.24"), "chat.log").unwrap_err().what.contains("is not a date"));
    let talk =
        Foreign::open(&&b"Ada: Hi.\nBob: Ho."[..], &Hints { format: None, date: Some("2024-01-31") }, "t.txt").err();
    assert!(talk.unwrap().remedy.contains("leave out the date"));
    let nothing = &b"no log\n"[..];
    let none = Foreign::open(&nothing, &Hints { format: Some(ForeignFormat::Irc), date: None }, "t.txt");
    assert!(converted_from(&none.unwrap()).unwrap_err().what.contains("no lines in which somebody speaks"));
}

#[test]
fn i20_irc_follows_midnight_and_not_a_clock_that_is_set_back() {
    let days = |text: &str| -> Vec<String> {
        let read = log(text, Some("2024-02-28"), "chat.log").unwrap();
        read.conversations[0]
            .messages
            .iter()
            .map(|(_, message)| message.time.unwrap().to_string()[5..16].to_owned())
            .collect()
    };
    let text =
        "23:58 <ada> a\n00:01 <bob> b\n10:00 <ada> c\n09:00 <bob> d\n08:59 <ada> e\n02:59 <ada> f\n02:01 <bob> g\n";
    // The minute back is the clock's; the hour back at night is the end of summer time.
    let expected =
        ["02-28T23:58", "02-29T00:01", "02-29T10:00", "03-01T09:00", "03-01T08:59", "03-02T02:59", "03-02T02:01"];
    assert_eq!(days(text), expected);
    let joins = "23:58 <ada> a\n00:01 -!- bob [b@example.org] has joined #x\n23:59 <ada> b\n";
    assert_eq!(days(joins), ["02-28T23:58", "02-29T23:59"], "an event moves the clock");
    let changed = "23:58 <ada> a\n--- Day changed Thu Feb 29 2024\n10:00 <ada> b\n09:00 <ada> c\n";
    assert_eq!(days(changed), ["02-28T23:58", "02-29T10:00", "02-29T09:00"], "the log says itself when a day ends");
}

#[test]
fn i20_irc_gives_old_lines_the_same_ids_in_a_longer_log() {
    let short = "12:34 <ada> hello\n12:34 <ada> hello\n12:35 <bob> hi\n";
    let ids = |text: &str| {
        let read = log(text, Some("2024-01-31"), "chat.log").unwrap();
        read.conversations[0].messages.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>()
    };
    let (first, longer) = (ids(short), ids(&format!("{short}00:01 <ada> next\n")));
    assert_eq!(first[..], longer[..3]);
    assert_eq!(longer.len(), 4);
}

#[test]
fn i20_irc_is_told_from_other_texts() {
    for text in [
        "Ada: Hello.\nBob: Hello!",
        "<ada> Hi\n<bob> Hello\n<ada> Bye",
        "[10:15] Ada: Hello.\n[10:16] Bob: Hello!",
        "10:15 Breakfast\n11:00 Talk\n12:00 Lunch",
        "10:15 <b> bold\n10:16 <i> italic",
        "2024-01-31 10:15:02 INFO server started\n2024-01-31 10:15:03 WARN slow",
    ] {
        assert!(!crate::irc::is_one(text), "{text}");
    }
    let sample = "--- Log opened Wed Jan 31 22:15:02 2024\n[22:15:02] *** Joins: ä (~a@b)\nJan 31 22:15:03 <ä>\t小 \u{3}1,\n2024-01-31 22:15:04\t *\tb\t\n10:15 -x:#y- z\n(1:2) < @q> \n";
    for end in 0..sample.len() {
        for given in
            [[&sample.as_bytes()[end..], &sample.as_bytes()[..end]].concat(), sample.as_bytes()[..end].to_vec()]
        {
            let source = &given[..];
            let hints = Hints { format: Some(ForeignFormat::Irc), date: Some("2024-12-31") };
            let _ = Foreign::open(&source, &hints, "cut")
                .and_then(|foreign| converted_from(&foreign))
                .map(|read| check(&read));
        }
    }
}
