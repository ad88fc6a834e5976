//! `export`, `import`, `backup` and `restore` at the command line.

use crate::Desk;

#[test]
fn a12_a_space_goes_through_a_pipe_into_another_database() {
    let desk = Desk::new();
    desk.ends(0, &["--user", "ada", "remember", "I take the 8:15 train.", "--thread", "trip"]);
    let exported = desk.run(&["--user", "ada", "export"]);
    assert!(String::from_utf8_lossy(&exported.stderr).contains("wrote 1 space with 4 rows"), "the report is beside it");
    let piped = desk.pipe(&["--database", "sqlite:other.db", "import", "-"], &exported.stdout);
    let said = String::from_utf8_lossy(&piped.stdout).into_owned();
    assert!(piped.status.success() && said.contains("user:ada with 4 rows"), "{said}");
    let recalled = desk.ends(0, &["--database", "sqlite:other.db", "--user", "ada", "recall", "When is my train?"]);
    assert!(recalled.contains("8:15"), "{recalled}");
    let empty = desk.ends(0, &["--quiet", "--user", "ada", "export", "-"]);
    assert!(empty.starts_with("{\"recordar_export\":1"), "quiet, and to standard output: {empty}");
}

#[test]
fn exports_are_not_overwritten_and_mistakes_are_told() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "One."]);
    assert_eq!(desk.json(0, &["export", "a.jsonl"])["spaces"][0]["space"], "user:default");
    assert!(desk.ends(1, &["export", "a.jsonl"]).contains("--force"));
    desk.ends(0, &["export", "a.jsonl", "--force"]);
    assert!(desk.ends(1, &["--user", "nobody", "export", "b.jsonl"]).contains("there is no space user:nobody"));
    assert!(!desk.path("b.jsonl").exists());
    assert!(desk.ends(1, &["export", "missing/a.jsonl"]).contains("cannot be written"));
    desk.ends(2, &["--user", "ada", "export", "--all", "c.jsonl"]);
    let said = desk.ends(2, &["--database", "sqlite:new.db", "--user", "bob", "import", "a.jsonl"]);
    assert!(said.contains("the file contains space user:default, not user:bob"), "{said}");
    desk.put("cut.jsonl", &std::fs::read(desk.path("a.jsonl")).unwrap()[..200]);
    let said = desk.ends(2, &["--database", "sqlite:new.db", "import", "cut.jsonl"]);
    assert!(said.contains("nothing was imported") && said.contains("export it again"), "{said}");
    assert!(desk.ends(1, &["import", "nowhere.json"]).contains("cannot be read"));
    assert!(
        desk.ends(2, &["import", "a.jsonl", "--format", "word"]).contains("chatgpt, claude, mem0, zep, transcript")
    );
}

#[test]
fn a_backup_comes_back_whole() {
    let desk = Desk::new();
    desk.ends(0, &["--user", "ada", "remember", "Ada was there."]);
    desk.ends(0, &["backup", "backup.jsonl"]);
    desk.ends(0, &["--user", "bob", "remember", "Bob came later."]);
    let said = desk.ends(0, &["restore", "backup.jsonl", "--yes"]);
    assert!(said.contains("restored 1 space with 3 rows") && said.contains("user:bob was not in the backup"), "{said}");
    assert_eq!(desk.json(0, &["space", "list"]), serde_json::json!(["user:ada"]));
    let restored = desk.json(0, &["restore", "backup.jsonl", "--yes"]);
    assert_eq!(restored["removed"], serde_json::json!([]));
    desk.put("half.jsonl", &std::fs::read(desk.path("backup.jsonl")).unwrap()[..150]);
    desk.ends(2, &["restore", "half.jsonl", "--yes"]);
    assert_eq!(desk.json(0, &["space", "list"]), serde_json::json!(["user:ada"]), "half a backup changes nothing");
}

#[test]
fn i19_errors_restore_without_a_terminal_and_without_consent_refuses() {
    let desk = Desk::new();
    desk.ends(0, &["--user", "ada", "remember", "Ada was there."]);
    desk.ends(0, &["backup", "backup.jsonl"]);
    desk.ends(0, &["--user", "bob", "remember", "Bob came later."]);
    let said = desk.ends(1, &["restore", "backup.jsonl"]);
    assert!(
        said.contains("nothing was restored: the backup would replace 2 spaces") && said.contains("--yes"),
        "{said}"
    );
    let piped = desk.pipe(&["restore", "-"], &std::fs::read(desk.path("backup.jsonl")).unwrap());
    assert_eq!(piped.status.code(), Some(1));
    assert_eq!(desk.json(0, &["space", "list"]), serde_json::json!(["user:ada", "user:bob"]), "both are still there");
    // Where nothing is stored, nothing can be lost.
    desk.ends(0, &["--database", "sqlite:new.db", "restore", "backup.jsonl"]);
    assert_eq!(desk.json(0, &["--database", "sqlite:new.db", "space", "list"]), serde_json::json!(["user:ada"]));
}

#[test]
fn a_transcript_is_imported_once() {
    let desk = Desk::new();
    desk.put("talk.txt", "Ada: Where is the violin?\nBob: In the garden house.\n");
    let report = desk.json(0, &["--user", "ada", "import", "talk.txt"]);
    assert_eq!((&report["format"], &report["conversations"][0]["added"]), (&"transcript".into(), &2.into()));
    let said = desk.ends(0, &["--user", "ada", "import", "talk.txt"]);
    assert!(said.contains("0 new items from transcript"), "{said}");
    desk.put("odd.bin", b"PK\x03\x04");
    assert!(desk.ends(2, &["import", "odd.bin"]).contains("unpack it"));
}
