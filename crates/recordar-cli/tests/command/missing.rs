//! Commands that ask for something that is not there: no database, no such document.

use crate::Desk;
use std::process::Stdio;

#[test]
fn i19_errors_reading_in_a_folder_without_a_database_creates_none() {
    let desk = Desk::new();
    let reading: [&[&str]; 13] = [
        &["search", "train"],
        &["ask", "When?"],
        &["query", "train"],
        &["doc", "list"],
        &["doc", "get", "x.md"],
        &["thread", "list"],
        &["space", "list"],
        &["tree"],
        &["receipts", "list"],
        &["queue", "list"],
        &["export"],
        &["backup", "b.jsonl"],
        &["forget", "item", "1", "--yes"],
    ];
    for command in reading {
        let said = desk.ends(1, command);
        assert!(said.contains("there is no Recordar database at sqlite:"), "{command:?}: {said}");
        assert!(said.contains("recordar ingest") && said.contains("--database"), "{command:?}: {said}");
        let left: Vec<_> =
            std::fs::read_dir(desk.folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert!(left.is_empty(), "{command:?} left {left:?}");
    }
    // A conversation goes on without memories (E7), but the command fails.
    let recalled = desk.json(1, &["recall", "train"]);
    assert_eq!(recalled["problem"]["code"], "STORE_UNAVAILABLE");
    assert!(recalled["problem"]["detail"].as_str().unwrap().contains("there is no Recordar database"));
    assert_eq!(std::fs::read_dir(desk.folder.path()).unwrap().count(), 0);
    // What needs no database needs none.
    desk.ends(0, &["models", "list"]);
    desk.ends(0, &["vocab", "list"]);
    desk.ends(0, &["doctor"]);
    assert_eq!(std::fs::read_dir(desk.folder.path()).unwrap().count(), 0);
    desk.ends(0, &["remember", "The train leaves at 8."]);
    assert!(desk.ends(0, &["search", "train"]).contains("at 8"));
}

#[test]
fn i19_errors_a_document_that_is_not_there_is_an_error_by_name_and_said_first_by_description() {
    let desk = Desk::new();
    desk.put("lamp.md", "# Lamp\n\nThe lamp is cleaned with a soft cloth.");
    desk.ends(0, &["ingest", "lamp.md"]);
    let said = desk.ends(1, &["doc", "get", "nosuchfile.md"]);
    assert!(said.contains("no document is named nosuchfile.md") && !said.contains("soft cloth"), "{said}");
    assert!(desk.ends(1, &["doc", "get", "lamps.md"]).contains("similar names: /"));
    assert!(desk.ends(1, &["doc", "get", "--filename", "nosuchfile.md"]).contains("no document is named"));
    let found = desk.run(&["doc", "get", "lamp cloth"]);
    assert_eq!(found.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&found.stdout).contains("soft cloth"));
    let notes = String::from_utf8_lossy(&found.stderr).into_owned();
    assert!(notes.starts_with("note: no document is named lamp cloth; this is the one that matches"), "{notes}");
    assert_eq!(desk.json(0, &["doc", "get", "lamp cloth"])["fallbacks"][0]["step"], "filename");
}

#[test]
fn i19_errors_an_interrupted_ingestion_says_what_was_stored_and_continues() {
    let desk = Desk::new();
    let body = "The keeper cleans the lens of the lamp with a soft cloth. ".repeat(40);
    (0..600).for_each(|number| desk.put(&format!("notes/{number}.md"), format!("# Note {number}\n\n{body}")));
    let mut child =
        desk.command().args(["ingest", "notes"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // As soon as something is stored.
    let log = desk.path("recordar.db-wal");
    while child.try_wait().unwrap().is_none() && log.metadata().map_or(0, |log| log.len()) < 1024 * 1024 {
        std::thread::yield_now();
    }
    let process = rustix::process::Pid::from_child(&child);
    // Twice within a moment is one Ctrl-C: `timeout` sends it to the process and to its group.
    for _ in 0..2 {
        rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("press Ctrl-C again") && said.contains("of 600 files are stored; run the same command again"),
        "{said}"
    );
    let stored = desk.json(0, &["doc", "list"]).as_array().unwrap().len();
    assert!(said.contains(&format!("interrupted: {stored} of 600")), "{stored}: {said}");
    assert!(desk.ends(0, &["ingest", "notes"]).contains("unchanged"));
    assert_eq!(desk.json(0, &["doc", "list"]).as_array().unwrap().len(), 600);
}
