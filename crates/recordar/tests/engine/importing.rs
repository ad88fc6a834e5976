//! What other systems exported, taken in: kept apart by user, known again, and told about what is left out.

use crate::{ada, open, open_at, operation};
use recordar::database::Cancel;
use recordar::item::ItemKind;
use recordar::recall::RecallRequest;
use recordar::transfer::{ImportFormat, ImportReport, ImportRequest};
use recordar::{Error, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase, rounds};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

fn import(memory: &Recordar, file: &[u8], id: &str, each_user: bool) -> Result<ImportReport, Error> {
    let request = ImportRequest {
        format: None,
        each_user,
        thread: None,
        date: None,
        names_space: false,
        operation: operation(id),
    };
    memory.import(&ada(), &mut &*file, "export.json", &request)
}

fn chatgpt(messages: usize) -> Vec<u8> {
    let node = |number: usize| {
        json!({
            "id": format!("n{number}"),
            "parent": number.checked_sub(1).map(|parent| format!("n{parent}")),
            "children": if number + 1 < messages { vec![format!("n{}", number + 1)] } else { Vec::new() },
            "message": {
                "id": format!("n{number}"),
                "author": {"role": if number.is_multiple_of(2) { "user" } else { "assistant" }},
                "create_time": 1_767_261_600.25 + number as f64,
                "content": {"content_type": "text", "parts": [format!("Message {number} about the harbour.")]},
            },
        })
    };
    let mapping: serde_json::Map<String, Value> = (0..messages).map(|n| (format!("n{n}"), node(n))).collect();
    let last = format!("n{}", messages - 1);
    json!([{"id": "c1", "title": "Harbour", "mapping": mapping, "current_node": last}]).to_string().into_bytes()
}

#[test]
fn a_conversation_that_grew_brings_only_what_is_new() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let first = import(&memory, &chatgpt(4), "first", false).unwrap();
        assert_eq!((first.format, first.conversations[0].added), ("chatgpt", 4));
        let again = import(&memory, &chatgpt(4), "again", false).unwrap();
        assert_eq!((again.conversations[0].added, again.conversations[0].known), (0, 4));
        let repeated = import(&memory, &chatgpt(4), "first", false).unwrap();
        assert_eq!((repeated.conversations[0].added, repeated.conversations[0].known), (0, 4));
        let longer = import(&memory, &chatgpt(7), "longer", false).unwrap();
        assert_eq!((longer.conversations[0].added, longer.conversations[0].known), (3, 4));
        let messages = memory.messages(&ada(), Some("chatgpt:c1")).unwrap();
        let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, (0..7).map(|n| format!("Message {n} about the harbour.")).collect::<Vec<_>>());
        assert_eq!(messages[1].occurred_at.to_string(), "2026-01-01T10:00:01.25Z");
        assert_eq!(messages[1].role.as_deref(), Some("assistant"));
        assert_eq!(memory.threads(&ada()).unwrap()[0].title.as_deref(), Some("Harbour"));
        let recalled = memory.recall(&[ada()], &RecallRequest::new("What was message 6?")).unwrap();
        assert!(recalled.text.contains("Message 6"), "{}", recalled.text);
    }
}

#[test]
fn i19_errors_a_cancelled_import_says_what_was_stored_and_continues() {
    let database = TestDatabase::new(Engine::Sqlite);
    let whole: Vec<Value> = serde_json::from_slice(&chatgpt(4)).unwrap();
    let several: Vec<Value> = (0..6)
        .map(|number| {
            let mut one = whole[0].clone();
            one["id"] = json!(format!("c{number}"));
            one
        })
        .collect();
    let file = json!(several).to_string().into_bytes();
    let cancel = Cancel::default();
    let (stop, calls) = (cancel.clone(), AtomicI64::new(0));
    // Every write asks for the time once: the fourth is cancelled.
    let clock = move || {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        if call == 3 {
            stop.cancel();
        }
        Timestamp::from_micros(call)
    };
    let memory = open_at(&database, "", Arc::new(clock));
    let stopped = import(&memory.cancelled_by(cancel), &file, "one", false).unwrap_err();
    assert_eq!(stopped.code(), "cancelled");
    assert!(stopped.to_string().contains("12 items of 3 of 6 conversations"), "{stopped}");
    let rest = import(&memory, &file, "one", false).unwrap();
    assert_eq!(rest.conversations.iter().map(|told| told.added).sum::<usize>(), 12, "the other three");
}

#[test]
fn what_names_the_caller_and_what_names_nobody_go_into_one_space() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let user = ada().as_str().strip_prefix("user:").unwrap().to_owned();
    let file = json!({"results": [{"id": 1, "memory": "Ada rows.", "user_id": user}, {"id": 2, "memory": "The lamp is lit."}]});
    let file = file.to_string().into_bytes();
    let added = |report: ImportReport| report.conversations.iter().map(|told| told.added).sum::<usize>();
    assert_eq!(added(import(&memory, &file, "first", true).unwrap()), 2);
    assert_eq!(added(import(&memory, &file, "first", true).unwrap()), 0, "the operation was done");
    assert_eq!(added(import(&memory, &file, "again", true).unwrap()), 0, "everything is here");
}

#[test]
fn long_conversations_come_in_parts_and_every_one_of_them_once() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let report = import(&memory, &chatgpt(11_000), "long", false).unwrap();
    assert_eq!(report.conversations[0].added, 11_000);
    assert_eq!(memory.messages(&ada(), Some("chatgpt:c1")).unwrap().len(), 11_000);
    assert_eq!(import(&memory, &chatgpt(11_001), "more", false).unwrap().conversations[0].added, 1);
}

#[test]
fn users_are_kept_apart() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let dump = json!({"results": [
        {"id": "1", "memory": "Likes tea", "user_id": "ada", "created_at": "2026-01-02T10:00:00Z"},
        {"id": "2", "memory": "Is allergic to nuts", "user_id": "bob", "created_at": "2026-01-03T10:00:00Z"},
        {"id": "3", "memory": " ", "user_id": "bob", "created_at": "2026-01-03T10:00:00Z"},
    ]})
    .to_string();
    let error = import(&memory, dump.as_bytes(), "mixed", false).unwrap_err();
    assert!(error.to_string().contains("several users (ada, bob"), "{error}");
    assert!(memory.spaces().unwrap().is_empty());
    let report = import(&memory, dump.as_bytes(), "apart", true).unwrap();
    assert_eq!(report.left_out.len(), 1);
    let bob = SpaceName::user("bob").unwrap();
    let found = memory.search(&[bob], &recordar::search::SearchRequest::new("allergic nuts tea")).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!((found.hits[0].item.kind, found.hits[0].item.text.as_str()), (ItemKind::Fact, "Is allergic to nuts"));
    let again = import(&memory, dump.as_bytes(), "apart-again", true).unwrap();
    assert!(again.conversations.iter().all(|conversation| conversation.added == 0));
}

#[test]
fn a_memory_that_changed_there_takes_the_place_of_the_old_one() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let dump = |town: &str| {
        let memories =
            json!([{"id": "a1", "memory": format!("Lives in {town}"), "updated_at": "2026-01-02T10:00:00Z"}]);
        json!({"results": memories}).to_string().into_bytes()
    };
    import(&memory, &dump("Porto"), "first", false).unwrap();
    let second = import(&memory, &dump("Faro"), "second", false).unwrap();
    assert_eq!((second.conversations[0].added, second.conversations[0].updated), (1, 1));
    let found = memory.search(&[ada()], &recordar::search::SearchRequest::new("Lives in Porto Faro")).unwrap();
    assert_eq!(found.hits.iter().map(|hit| hit.item.text.as_str()).collect::<Vec<_>>(), ["Lives in Faro"]);
    let again = import(&memory, &dump("Porto"), "third", false).unwrap();
    assert_eq!(again.conversations[0].known, 1, "an old text is known, and does not come back");
}

#[test]
fn a_conversation_without_a_name_can_be_given_one() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let talk = b"Ada: Where is the violin?\nBob: In the garden house.\n";
    let request = |thread: Option<&str>, id: &str| ImportRequest {
        format: None,
        each_user: false,
        thread: thread.map(str::to_owned),
        date: None,
        names_space: false,
        operation: operation(id),
    };
    memory.import(&ada(), &mut &talk[..], "_chat.txt", &request(Some("bob"), "one")).unwrap();
    assert_eq!(memory.messages(&ada(), Some("bob")).unwrap().len(), 2);
    let two =
        json!([{"id": "c1", "mapping": {}, "current_node": null}, {"id": "c2", "mapping": {}, "current_node": null}]);
    let refused = memory.import(&ada(), &mut two.to_string().as_bytes(), "x", &request(Some("bob"), "two"));
    assert!(refused.is_err());
}

#[test]
fn what_is_of_no_known_format_is_refused_with_advice() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    for (file, words) in [
        (&b"PK\x03\x04rest"[..], "unpack it"),
        (b"{\"what\": \"ever\"}", "use"),
        (b"", "use"),
        (b"just some words", "use"),
        (b"{\"recordar_export\":1,\"schema\":3}\n", "export it again"),
    ] {
        let error = import(&memory, file, "refused", false).unwrap_err();
        assert!(error.remedy().contains(words), "{error} / {}", error.remedy());
    }
    let as_claude = Some(ImportFormat::parse("claude").unwrap());
    let request = ImportRequest {
        format: as_claude,
        each_user: false,
        thread: None,
        date: None,
        names_space: false,
        operation: operation("wrong"),
    };
    assert!(memory.import(&ada(), &mut &*chatgpt(2), "x", &request).is_err(), "the named format holds");
    assert!(memory.spaces().unwrap().is_empty());
}

/// Writes an export of so many bytes: many conversations or memories, as their systems write them.
fn large(format: &str, path: &Path, bytes: usize) {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let (open, close) = match format {
        "mem0" => (r#"{"results": ["#, "]}"),
        "zep" => (r#"{"user_id": "ada", "edges": ["#, "]}"),
        _ => ("[", "]"),
    };
    let words = |number: usize| format!("Number {number}: the harbour opens at nine, and the ferry leaves. ").repeat(6);
    let time = |number: usize| 1_700_000_000 + number;
    let record = |number: usize| match format {
        "mem0" => {
            json!({"id": format!("m{number}"), "memory": words(number), "user_id": "ada", "created_at": time(number)})
        }
        "zep" => json!({"uuid": format!("e{number}"), "fact": words(number), "created_at": time(number)}),
        "claude" => {
            let message =
                |turn: usize| json!({"uuid": format!("m{number}-{turn}"), "sender": "human", "text": words(turn)});
            json!({"uuid": format!("c{number}"), "name": "Harbour", "chat_messages": (0..20).map(message).collect::<Vec<_>>()})
        }
        _ => {
            let node = |turn: usize| {
                let message = json!({"id": format!("n{turn}"), "author": {"role": "user"}, "create_time": time(turn),
                                     "content": {"content_type": "text", "parts": [words(turn)]}});
                let parent = turn.checked_sub(1).map(|parent| format!("n{parent}"));
                (format!("n{turn}"), json!({"id": format!("n{turn}"), "parent": parent, "message": message}))
            };
            let mapping: serde_json::Map<String, Value> = (0..20).map(node).collect();
            json!({"id": format!("c{number}"), "title": "Harbour", "mapping": mapping, "current_node": "n19"})
        }
    };
    let (mut written, mut number) = (0, 0);
    write!(file, "{open}").unwrap();
    while written < bytes {
        let record = record(number).to_string();
        write!(file, "{}{record}", if number == 0 { "" } else { ",\n" }).unwrap();
        written += record.len();
        number += 1;
    }
    write!(file, "{close}").unwrap();
    file.flush().unwrap();
}

/// What is in memory does not grow with the file. In a process of its own, because the memory of this one is everybody's.
#[test]
fn a12_a_large_export_of_another_system_takes_little_memory() {
    // One of each kind: conversations, and single memories. The long form takes all.
    for format in ["chatgpt", "mem0", "claude", "zep"].into_iter().take(rounds(2, 4)) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("export.json");
        large(format, &file, rounds(30, 300) << 20);
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "importing::import_worker", "--nocapture"])
            .env("RECORDAR_TEST_IMPORT", &file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let figure = |name: &str| -> u64 {
            let line = said.lines().find_map(|line| line.split(name).nth(1));
            line.unwrap_or_else(|| panic!("{format}: {said} {}", String::from_utf8_lossy(&output.stderr)))
                .trim()
                .parse()
                .unwrap()
        };
        let more = figure("afterwards: ") - figure("before: ");
        println!("{format}: {} MiB more, {} items", more >> 10, figure("added: "));
        // Most of it is the embedder: the index is built beside the import, one segment at a time.
        assert!(more < 96 << 10, "{format}: {more} KiB more for a file of {} bytes", file.metadata().unwrap().len());
        assert!(figure("added: ") > 10_000, "{said}");
    }
}

/// Does nothing in an ordinary run; see the test above.
#[test]
fn import_worker() {
    let Some(file) = std::env::var_os("RECORDAR_TEST_IMPORT") else { return };
    let memory_kib = |name: &str| -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    // What every import needs, whatever its size.
    import(&memory, &chatgpt(4), "first", false).unwrap();
    println!("before: {}", memory_kib("VmRSS:"));
    let request = ImportRequest {
        format: None,
        each_user: false,
        thread: None,
        date: None,
        names_space: false,
        operation: operation("large"),
    };
    let report = memory.import_file(&ada(), Path::new(&file), &request).unwrap();
    println!("afterwards: {}", memory_kib("VmHWM:"));
    println!("added: {}", report.conversations.iter().map(|conversation| conversation.added).sum::<usize>());
}

/// A user's memories, many of them mixed with those of others: all come, each once, in whichever pieces.
#[test]
fn a12_a_large_export_is_stored_whole_and_known_again() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let users = 40;
    let record = |number: usize| {
        let text = format!("{number} {}", "the tide table of the harbour ".repeat(40));
        json!({"id": format!("m{number}"), "memory": text, "user_id": format!("u{}", number % users)})
    };
    let records: Vec<Value> = (0..12_000).map(record).collect();
    let file = json!({"results": records}).to_string();
    assert!(file.len() > 12 << 20, "more than is held at a time");
    let added = |report: ImportReport| report.conversations.iter().map(|one| one.added).sum::<usize>();
    let first = import(&memory, file.as_bytes(), "first", true).unwrap();
    assert_eq!((first.conversations.len(), added(first)), (users, 12_000));
    assert_eq!(added(import(&memory, file.as_bytes(), "again", true).unwrap()), 0, "all are known");
    assert_eq!(added(import(&memory, file.as_bytes(), "first", true).unwrap()), 0, "the operation is known");
    let mut exported = Vec::new();
    let seventh = SpaceName::user("u7").unwrap();
    memory.export(&recordar::transfer::ExportScope::Spaces(vec![seventh]), &mut exported).unwrap();
    let exported = String::from_utf8(exported).unwrap();
    assert_eq!(exported.lines().filter(|line| line.starts_with("{\"items\"")).count(), 300);
}

#[test]
fn a12_a_file_that_breaks_off_late_leaves_nothing() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.json");
    large("mem0", &path, 2 << 20);
    let whole = std::fs::read_to_string(&path).unwrap();
    let lines = whole.lines().count();
    let broken = whole.replacen("\n{\"created_at\":1700003", "\n{\"created_at\":1e999, \"was\":1700003", 1);
    assert_ne!(whole, broken);
    for (file, words) in
        [(&whole[..whole.len() - 20], format!("line {lines} ")), (&broken, "out of range at line ".to_owned())]
    {
        let error = import(&memory, file.as_bytes(), "broken", false).unwrap_err();
        assert!(error.to_string().contains(&words), "{error}");
    }
    assert!(memory.spaces().unwrap().is_empty(), "nothing was taken");
}

/// A small workspace of Slack, as its export is unpacked.
fn slack(folder: &Path, days: &[(&str, &str)]) {
    let write = |name: &str, value: Value| {
        std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        std::fs::write(folder.join(name), value.to_string()).unwrap();
    };
    write("users.json", json!([{"id": "U1", "profile": {"real_name": "Ada Lovelace"}}, {"id": "U2", "name": "bob"}]));
    write("channels.json", json!([{"id": "C1", "name": "general"}]));
    for (day, text) in days {
        let ts = format!("{}.000100", recordar::Timestamp::parse(day).unwrap().as_micros() / 1_000_000);
        let said = json!({"type": "message", "user": "U1", "text": text, "ts": ts});
        let reply = json!({"type": "message", "user": "U2", "text": format!("About that, <@U1>: yes, {day}"),
                           "ts": format!("{}5", &ts[..ts.len() - 1]), "thread_ts": ts});
        let join = json!({"type": "message", "subtype": "channel_join", "user": "U2", "text": "joined", "ts": "1.0"});
        write(&format!("general/{day}.json"), json!([join, said, reply]));
    }
}

/// An archive of a folder, as it is downloaded.
fn zipped(folder: &Path) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut ahead = vec![folder.to_owned()];
    while let Some(next) = ahead.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(&std::fs::read(&path).unwrap()).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

fn import_path(memory: &Recordar, path: &Path, id: &str, date: Option<&str>) -> Result<ImportReport, Error> {
    let request = ImportRequest {
        format: None,
        each_user: false,
        thread: None,
        date: date.map(str::to_owned),
        names_space: false,
        operation: operation(id),
    };
    memory.import_file(&ada(), path, &request)
}

fn counts(report: &ImportReport) -> (usize, usize, usize) {
    let sum = |of: fn(&recordar::transfer::ImportedConversation) -> usize| report.conversations.iter().map(of).sum();
    (sum(|one| one.added), sum(|one| one.updated), sum(|one| one.known))
}

#[test]
fn i20_slack_is_imported_from_a_folder_and_known_again_in_its_archive() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let folder = tempfile::tempdir().unwrap();
        slack(folder.path(), &[("2026-01-31", "Where is the violin?")]);
        let first = import_path(&memory, folder.path(), "first", None).unwrap();
        assert_eq!((first.format, counts(&first)), ("slack", (2, 0, 0)));
        assert_eq!(first.left_out.iter().map(|left| left.reason).collect::<Vec<_>>(), ["join_leave"]);
        // The archive of a later export: a day more, and an edited message.
        slack(folder.path(), &[("2026-01-31", "Where is my violin?"), ("2026-02-01", "Found it.")]);
        let archive = folder.path().with_extension("zip");
        std::fs::write(&archive, zipped(folder.path())).unwrap();
        let later = import_path(&memory, &archive, "later", None).unwrap();
        assert_eq!(counts(&later), (3, 1, 1));
        std::fs::remove_file(&archive).unwrap();
        let messages = memory.messages(&ada(), Some("slack:C1")).unwrap();
        let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
        let replies = ["About that, @Ada Lovelace: yes, 2026-01-31", "About that, @Ada Lovelace: yes, 2026-02-01"];
        for text in ["Where is my violin?", replies[0], "Found it.", replies[1]] {
            assert!(texts.contains(&text), "{texts:?}");
        }
        assert_eq!(memory.threads(&ada()).unwrap()[0].title.as_deref(), Some("#general"));
        let found = memory.recall(&[ada()], &RecallRequest::new("Where is Ada's violin?")).unwrap();
        assert!(found.text.contains("Where is my violin?"), "{}", found.text);
    }
}

#[test]
fn i20_chatgpt_is_imported_from_its_archive_as_it_was_downloaded() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    std::fs::create_dir_all(content.join("dalle-generations")).unwrap();
    for (name, bytes) in [
        ("conversations.json", chatgpt(4)),
        ("chat.html", b"<html>".to_vec()),
        ("user.json", b"{}".to_vec()),
        ("dalle-generations/file.webp", vec![7; 5000]),
    ] {
        std::fs::write(content.join(name), bytes).unwrap();
    }
    let archive = folder.path().join("export.zip");
    std::fs::write(&archive, zipped(&content)).unwrap();
    let report = import_path(&memory, &archive, "zip", None).unwrap();
    assert_eq!((report.format, counts(&report)), ("chatgpt", (4, 0, 0)));
    // The folder it was unpacked into, and a pipe, are the same.
    assert_eq!(counts(&import_path(&memory, &content, "folder", None).unwrap()), (0, 0, 4));
    assert_eq!(counts(&import(&memory, &zipped(&content), "pipe", false).unwrap()), (0, 0, 4));
    // Two parts, as a large export has them.
    std::fs::remove_file(content.join("conversations.json")).unwrap();
    std::fs::write(content.join("conversations-000.json"), b"[]").unwrap();
    std::fs::write(content.join("conversations-001.json"), chatgpt(6)).unwrap();
    assert_eq!(counts(&import_path(&memory, &content, "parts", None).unwrap()), (2, 0, 4));
    // A link in a folder is not followed.
    std::fs::remove_file(content.join("conversations-000.json")).unwrap();
    std::fs::remove_file(content.join("conversations-001.json")).unwrap();
    std::fs::write(folder.path().join("secret.json"), chatgpt(9)).unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret.json"), content.join("conversations.json")).unwrap();
    assert!(import_path(&memory, &content, "link", None).is_err());
    let bomb = {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file("conversations.json", zip::write::SimpleFileOptions::default()).unwrap();
        (0..64).for_each(|_| writer.write_all(&vec![b' '; 1024 * 1024]).unwrap());
        writer.finish().unwrap().into_inner()
    };
    let refused = import(&memory, &bomb, "bomb", false).unwrap_err();
    assert!(refused.to_string().contains("which no text does"), "{refused}");
}

#[test]
fn i20_irc_is_imported_with_a_date_and_known_again() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("#rust.log");
    std::fs::write(&log, "23:58 <ada> Where is the violin?\n00:02 <bob> In the garden.\n").unwrap();
    let refused = import_path(&memory, &log, "undated", None).unwrap_err();
    assert!(refused.remedy().contains("--date"), "{}", refused.remedy());
    let report = import_path(&memory, &log, "dated", Some("2026-01-31")).unwrap();
    assert_eq!((report.format, counts(&report)), ("irc", (2, 0, 0)));
    let messages = memory.messages(&ada(), Some("irc:#rust.log")).unwrap();
    assert_eq!(messages[1].occurred_at.to_string(), "2026-02-01T00:02:00Z");
    assert_eq!(messages[1].speaker.as_deref(), Some("bob"));
    assert_eq!(counts(&import_path(&memory, &log, "again", Some("2026-01-31")).unwrap()), (0, 0, 2));
    let folder_refused = import_path(&memory, folder.path(), "folder", None).unwrap_err();
    assert!(folder_refused.remedy().contains("one by one"), "{}", folder_refused.remedy());
}
