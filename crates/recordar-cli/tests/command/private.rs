//! Files that may hold content or secrets: their owner alone can read them, and none is overwritten unasked.

use super::Desk;
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Runs commands under the usual mask, which takes away the right to write, and not to read.
fn run_all(desk: &Desk, script: &str) {
    let command = desk.command();
    let mut shell = Command::new("bash");
    shell.current_dir(desk.path("")).args([
        "-euc",
        &format!("umask 022; recordar() {{ {} -q \"$@\"; }}\n{script}", env!("CARGO_BIN_EXE_recordar")),
    ]);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = shell.output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn r16_every_file_with_content_or_secrets_is_its_owners_alone() {
    let desk = Desk::new();
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/lighthouse");
    run_all(
        &desk,
        &format!(
            "recordar init; recordar init --own; recordar remember 'The lamp is lit.'
            recordar recall lamp --receipt; recordar receipts export --output receipts.jsonl
            recordar export export.jsonl; recordar backup backup.jsonl
            recordar eval '{}' --rows rows.jsonl
            echo old > replaced.toml; chmod 644 replaced.toml; recordar init --force replaced.toml
            printf '[llm]\\nseed = 7\\n' > recordar.toml; recordar trust",
            set.display()
        ),
    );
    let written = ["recordar.db", "receipts.jsonl", "export.jsonl", "backup.jsonl", "rows.jsonl", "replaced.toml"];
    for name in written {
        assert_eq!(mode(&desk.path(name)), 0o600, "{name}");
    }
    for name in [".config/recordar/recordar.toml", ".local/state/recordar/trusted.json"] {
        assert_eq!(mode(&desk.home.path().join(name)), 0o600, "{name}");
    }
    let partial = fs::read_dir(desk.path("")).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
        name.ends_with(".partial")
    });
    assert_eq!(partial.count(), 0);
}

#[test]
fn r16_init_writes_for_its_owner_alone() {
    let desk = Desk::new();
    run_all(&desk, "recordar init");
    assert_eq!(mode(&desk.path("recordar.toml")), 0o600);
    assert!(desk.ends(1, &["init", "--force", "."]).contains("is a folder"));
}

#[test]
fn r16_receipts_are_not_written_over_a_file_unasked() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "The lamp is lit."]);
    desk.ends(0, &["recall", "lamp", "--receipt"]);
    desk.put("mine.txt", "mine");
    let error = desk.json(1, &["receipts", "export", "--output", "mine.txt"]);
    assert_eq!(error["error"]["code"], "exists");
    assert_eq!(fs::read_to_string(desk.path("mine.txt")).unwrap(), "mine");
    desk.ends(0, &["receipts", "export", "--output", "mine.txt", "--force"]);
    assert!(fs::read_to_string(desk.path("mine.txt")).unwrap().contains("\"receipt\""));
    assert!(desk.ends(0, &["receipts", "export", "--output", "-"]).contains("\"receipt\""));
    assert!(!desk.path("-").exists());
}

#[test]
fn r16_backup_streams_and_never_replaces_what_is_no_file() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "The lamp is lit."]);
    let backup = desk.run(&["backup", "-", "-q"]);
    assert!(backup.status.success() && backup.stdout.starts_with(b"{\"recordar_export\""));
    assert!(!desk.path("-").exists());
    // As root it could be /dev/null.
    assert!(Command::new("mkfifo").arg(desk.path("pipe")).status().unwrap().success());
    assert!(desk.ends(1, &["backup", "pipe", "--force"]).contains("is not a regular file"));
    assert!(fs::metadata(desk.path("pipe")).unwrap().file_type().is_fifo());
    assert_eq!(desk.pipe(&["restore", "-", "--yes"], &backup.stdout).status.code(), Some(0));
}

#[test]
fn r16_doctor_warns_of_memories_that_others_can_read_and_changes_nothing() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "x"]);
    assert!(!desk.ends(0, &["doctor"]).contains("readable by other users"));
    fs::set_permissions(desk.path("recordar.db"), fs::Permissions::from_mode(0o644)).unwrap();
    let said = desk.ends(0, &["doctor"]);
    assert!(said.contains("recordar.db contains memories and is readable by other users"), "{said}");
    assert!(said.contains("try: chmod 600 "), "{said}");
    desk.ends(0, &["remember", "y"]);
    assert_eq!(mode(&desk.path("recordar.db")), 0o644, "that is the user's to decide");
}
