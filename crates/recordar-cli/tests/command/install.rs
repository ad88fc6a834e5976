//! `recordar install` with a home of its own: what it shows, writes, keeps and gives back.

use super::Desk;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::PathBuf;
use std::process::{Command, Output};

const SETTINGS: &str = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"npx\"}, // kept\n  },\n}\n";

/// A home with a desk in it, where commands are run.
struct Home {
    desk: Desk,
}

impl Home {
    fn new() -> Self {
        let desk = Desk::new();
        fs::create_dir(desk.path("work")).unwrap();
        Self { desk }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.desk.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of what lies in a folder.
    fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.desk.command();
        command.current_dir(self.path("work")).env("HOME", self.path("")).arg("install").args(arguments);
        for variable in ["XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR"] {
            command.env_remove(variable);
        }
        command
    }

    fn ends(&self, code: i32, arguments: &[&str]) -> String {
        said(code, &self.command(arguments).output().unwrap())
    }

    fn json(&self, code: i32, arguments: &[&str]) -> Value {
        let output = self.command(arguments).arg("--json").output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_str(&said(code, &output)).unwrap()
    }
}

fn said(code: i32, output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("panicked") && !said.contains("a bug in Recordar"), "{said}");
    said
}

#[test]
fn install_shows_the_change_keeps_a_backup_and_is_undone_byte_for_byte() {
    let home = Home::new();
    home.desk.put(".cursor/mcp.json", SETTINGS);
    let shown = home.ends(0, &["cursor"]);
    assert!(shown.contains("+    \"recordar\": {\n") && shown.contains("     \"other\""), "{shown}");
    assert!(shown.contains("@@") && shown.contains("installed recordar in"), "{shown}");
    assert!(shown.contains("mcp.json.recordar-backup") && shown.contains("install cursor --undo"), "{shown}");
    let installed = home.read(".cursor/mcp.json");
    assert!(installed.contains("// mine") && installed.contains("// kept"), "{installed}");
    assert_eq!(home.read(".cursor/mcp.json.recordar-backup"), SETTINGS);

    assert!(home.ends(0, &["cursor"]).contains("unchanged"));
    assert_eq!(home.read(".cursor/mcp.json"), installed);
    assert_eq!(home.list(".cursor"), ["mcp.json", "mcp.json.recordar-backup"]);

    let changed = home.ends(0, &["cursor", "--read-only"]);
    assert!(changed.contains("-      \"args\"") && changed.contains("\"mcp\", \"--read-only\"]"), "{changed}");
    assert_eq!(home.read(".cursor/mcp.json.recordar-backup"), SETTINGS, "the first backup is not overwritten");
    assert_eq!(home.read(".cursor/mcp.json.recordar-backup-2"), installed);

    let undone = home.ends(0, &["cursor", "--undo"]);
    assert!(undone.contains("-    \"recordar\": {\n") && undone.contains("as it was before"), "{undone}");
    assert_eq!(home.read(".cursor/mcp.json"), SETTINGS);
    assert_eq!(home.list(".cursor"), ["mcp.json"], "the backups are used up, and no temporary file is left");
    assert!(home.ends(0, &["cursor", "--undo"]).contains("nothing to remove"));
}

#[test]
fn install_undo_leaves_what_the_user_changed_since() {
    let home = Home::new();
    home.desk.put(".claude.json", "{\"theme\": \"dark\"}\n");
    home.ends(0, &["claude-code"]);
    let edited = home.read(".claude.json").replace("\"dark\"", "\"light\", /* now */ \"more\": [ 1 ]");
    home.desk.put(".claude.json", &edited);
    home.ends(0, &["claude-code", "--undo"]);
    assert_eq!(home.read(".claude.json"), "{\n  \"theme\": \"light\", /* now */ \"more\": [ 1 ]\n}\n");
    assert!(home.path(".claude.json.recordar-backup").exists(), "it holds what the file does not");
}

#[test]
fn install_writes_what_each_client_reads() {
    let home = Home::new();
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_recordar")).unwrap();
    let database = format!("sqlite:{}/recordar.db", home.path("work").display());
    for (client, file, list, kind) in [
        ("claude-code", ".claude.json", "mcpServers", Some("stdio")),
        ("claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers", None),
        ("cursor", ".cursor/mcp.json", "mcpServers", None),
        ("vscode", ".config/Code/User/mcp.json", "servers", Some("stdio")),
    ] {
        if cfg!(target_os = "linux") {
            home.ends(0, &[client, "--yes"]);
            let entry = &serde_json::from_str::<Value>(&home.read(file)).unwrap()[list]["recordar"];
            assert_eq!(entry["type"].as_str(), kind);
            assert_eq!(entry["command"], program.to_str().unwrap());
            assert_eq!(entry["args"], json!(["--database", database, "--space", "user:default", "mcp"]));
            let mode = fs::metadata(home.path(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "clients keep keys in these files");
        }
    }
    for (client, file) in [("claude-code", ".mcp.json"), ("cursor", ".cursor/mcp.json"), ("vscode", ".vscode/mcp.json")]
    {
        home.ends(0, &[client, "--scope", "project"]);
        assert!(home.read(&format!("work/{file}")).contains("\"recordar\""));
        assert!(home.ends(0, &[client, "--scope", "project", "--undo"]).contains("held nothing else"));
        assert!(!home.path(&format!("work/{file}")).exists(), "it was made by us");
    }
    home.ends(2, &["claude-desktop", "--scope", "project"]);
    home.ends(2, &["emacs"]);
    home.ends(2, &["cursor", "--name", "a b"]);
    home.ends(2, &["cursor", "--also", "nocolon"]);
}

#[test]
fn install_names_the_memory_that_would_be_used_here() {
    let home = Home::new();
    fs::create_dir(home.path(".cursor")).unwrap();
    let work = home.path("work").display().to_string();
    let words = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = home.command(&[&["cursor", "--dry-run", "--json"], arguments].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let result: Value = serde_json::from_str(&said(0, &output)).unwrap();
        let words = result["entry"]["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
        words.collect::<Vec<_>>().join(" ").replace(&work, "WORK")
    };
    assert_eq!(
        words(&["--database", "sqlite:a.db", "--user", "ada", "--also", "shared:x", "--read-only"], &[]),
        "--database sqlite:WORK/a.db --space user:ada mcp --also shared:x --read-only"
    );
    home.desk.put("work/recordar.toml", "space = \"user:eva\"\n");
    assert_eq!(words(&[], &[]), "--directory WORK mcp", "it counts as far as it is trusted");
    assert_eq!(words(&["--config", "recordar.toml"], &[]), "--config WORK/recordar.toml mcp");
    let environment = [("RECORDAR_DATABASE", "sqlite:e.db"), ("RECORDAR_SPACE", "user:e")];
    assert_eq!(words(&[], &environment), "--directory WORK --database sqlite:WORK/e.db --space user:e mcp");
    assert!(!home.path("work/recordar.db").exists() && home.list(".cursor").is_empty(), "nothing was made");

    fs::remove_file(home.path("work/recordar.toml")).unwrap();
    home.desk.put(".config/recordar/recordar.toml", "space = \"user:own\"\n");
    let own = home.path(".config/recordar/recordar.toml").display().to_string();
    assert_eq!(words(&[], &[]), format!("--config {own} --database sqlite:WORK/recordar.db mcp"));
    home.desk.put(".config/recordar/recordar.toml", "[database]\nurl = \"postgres://ada:s3cret@db.example/memory\"\n");
    assert_eq!(words(&[], &[]), format!("--config {own} mcp"));
}

#[test]
fn install_writes_no_password() {
    let home = Home::new();
    let secret = ["--database", "postgres://ada:s3cret@db.example/memory"];
    let said = home.ends(1, &[&["cursor", "--yes"], &secret[..]].concat());
    assert!(said.contains("recordar.toml") && said.contains("--config") && !said.contains("s3cret"), "{said}");
    assert!(!home.path(".cursor").exists());
    home.desk.put("work/recordar.toml", "[database]\nurl = \"postgres://ada:s3cret@db.example/memory\"\n");
    let said = home.ends(2, &["cursor", "--yes"]);
    assert!(said.contains("recordar trust") && !said.contains("s3cret"), "{said}");
    assert!(!home.ends(0, &["cursor", "--yes", "--config", "recordar.toml"]).contains("s3cret"));
}

#[test]
fn install_asks_for_a_yes_where_the_client_seems_not_to_be_there() {
    let home = Home::new();
    let said = home.ends(1, &["cursor"]);
    assert!(said.contains("does not seem to be installed") && said.contains("--yes"), "{said}");
    assert!(home.ends(0, &["cursor", "--dry-run"]).contains("does not seem to be installed"));
    assert_eq!(home.list(""), ["work"]);
    home.ends(0, &["cursor", "--yes"]);
    home.ends(0, &["cursor", "--undo"]);
    assert!(home.list(".cursor").is_empty());
    fs::create_dir(home.path(".claude")).unwrap();
    home.ends(0, &["claude-code"]);
    assert!(home.path(".claude.json").exists());
}

#[test]
fn install_dry_run_writes_nothing() {
    let home = Home::new();
    home.desk.put(".cursor/mcp.json", SETTINGS);
    let said = home.ends(0, &["cursor", "--dry-run"]);
    assert!(said.contains("+    \"recordar\"") && said.contains("dry run"), "{said}");
    assert_eq!(home.read(".cursor/mcp.json"), SETTINGS);
    home.ends(0, &["cursor"]);
    let installed = home.read(".cursor/mcp.json");
    home.ends(0, &["cursor", "--undo", "--dry-run"]);
    assert_eq!(home.read(".cursor/mcp.json"), installed);
    assert_eq!(home.list(".cursor"), ["mcp.json", "mcp.json.recordar-backup"]);
}

#[test]
fn install_json_has_stable_names() {
    let home = Home::new();
    home.desk.put(".cursor/mcp.json", SETTINGS);
    let file = home.path(".cursor/mcp.json").display().to_string();
    let backup = format!("{file}.recordar-backup");
    let result = home.json(0, &["cursor"]);
    assert_eq!((&result["client"], &result["action"]), (&json!("cursor"), &json!("installed")));
    assert_eq!((&result["file"], &result["backup"]), (&json!(file), &json!(backup)));
    assert_eq!(result["entry"]["args"].as_array().unwrap().last(), Some(&json!("mcp")));
    assert!(result["diff"].as_str().unwrap().starts_with("--- "));
    let again = home.json(0, &["cursor"]);
    assert_eq!((&again["action"], &again["diff"]), (&json!("unchanged"), &json!("")));
    let undone = home.json(0, &["cursor", "--undo"]);
    assert_eq!((&undone["action"], &undone["backup"]), (&json!("removed"), &Value::Null));
    assert_eq!(undone["entry"], result["entry"]);
    assert_eq!(home.json(0, &["cursor", "--undo"])["action"], "absent");
    home.desk.put(".cursor/mcp.json", "{\n  oops");
    let refused = home.json(1, &["cursor"]);
    assert_eq!(refused["error"]["code"], "unreadable_settings");
}

#[test]
fn install_refuses_what_it_cannot_read_and_changes_nothing() {
    let home = Home::new();
    for (content, part) in [
        (&b"{\n  \"mcpServers\": {\n    oops\n"[..], "line 3, column 5"),
        (b"[1]", "must be an object"),
        (b"{\"a\": \"\xff\"}", "not UTF-8"),
    ] {
        home.desk.put(".cursor/mcp.json", content);
        for arguments in [&["cursor", "--yes"][..], &["cursor", "--undo"]] {
            let said = home.ends(1, arguments);
            assert!(said.contains(part) && said.contains("mcp.json"), "{said}");
        }
        assert_eq!(fs::read(home.path(".cursor/mcp.json")).unwrap(), content);
        assert_eq!(home.list(".cursor"), ["mcp.json"]);
    }
    home.ends(1, &["cursor", "--file", "."]);
}

#[test]
fn install_leaves_entries_of_others_alone() {
    let home = Home::new();
    let theirs = "{\"mcpServers\": {\"recordar\": {\"url\": \"https://example.org/mcp\"}}}";
    home.desk.put(".cursor/mcp.json", theirs);
    assert!(home.ends(1, &["cursor"]).contains("--name"));
    assert!(home.ends(1, &["cursor", "--undo"]).contains("does not start Recordar"));
    assert_eq!(home.read(".cursor/mcp.json"), theirs);
    home.ends(0, &["cursor", "--name", "memory"]);
    home.ends(0, &["cursor", "--name", "second", "--user", "bo"]);
    let both: Value = serde_json::from_str(&home.read(".cursor/mcp.json")).unwrap();
    assert_eq!(both["mcpServers"].as_object().unwrap().len(), 3);
    home.ends(0, &["cursor", "--name", "second", "--undo"]);
    home.ends(0, &["cursor", "--name", "memory", "--undo"]);
    assert_eq!(home.read(".cursor/mcp.json"), theirs);
    assert_eq!(home.list(".cursor"), ["mcp.json"]);
}

#[test]
fn install_writes_through_links_and_keeps_the_mode() {
    let home = Home::new();
    home.desk.put("dotfiles/cursor.json", SETTINGS);
    let target = home.path("dotfiles/cursor.json");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root can give a file away; whoever else runs the tests owns it before and after.
    let _ = chown(&target, Some(4321), Some(4321));
    let owner = fs::metadata(&target).unwrap().uid();
    fs::create_dir(home.path(".cursor")).unwrap();
    symlink("../dotfiles/cursor.json", home.path(".cursor/mcp.json")).unwrap();
    home.ends(0, &["cursor"]);
    assert!(fs::symlink_metadata(home.path(".cursor/mcp.json")).unwrap().is_symlink());
    assert!(home.read("dotfiles/cursor.json").contains("\"recordar\""));
    assert_eq!(home.list("dotfiles"), ["cursor.json"], "the backup lies beside the link");
    for file in ["dotfiles/cursor.json", ".cursor/mcp.json.recordar-backup"] {
        let metadata = fs::metadata(home.path(file)).unwrap();
        assert_eq!((metadata.permissions().mode() & 0o777, metadata.uid()), (0o640, owner), "{file}");
    }
    home.ends(0, &["cursor", "--undo"]);
    assert_eq!(home.read("dotfiles/cursor.json"), SETTINGS);
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);

    fs::remove_file(&target).unwrap();
    home.ends(0, &["cursor"]);
    assert!(target.exists(), "a link to nothing yet is followed, too");
    home.ends(0, &["cursor", "--undo"]);
    assert!(!target.exists());
    symlink("loop.json", home.path("loop.json")).unwrap();
    home.ends(1, &["cursor", "--file", home.path("loop.json").to_str().unwrap()]);
}

#[test]
fn install_tells_what_cannot_be_written_and_leaves_no_trace() {
    let home = Home::new();
    home.desk.put(".cursor/mcp.json", SETTINGS);
    fs::set_permissions(home.path(".cursor/mcp.json"), fs::Permissions::from_mode(0o444)).unwrap();
    assert!(home.ends(1, &["cursor"]).contains("read-only"), "that root could write it is not the question");
    assert_eq!(home.list(".cursor"), ["mcp.json"], "a backup of what did not change is not left");
    home.desk.put("work/notes.txt", "text");
    home.ends(1, &["cursor", "--file", "notes.txt/mcp.json"]);
    if cfg!(target_os = "linux") {
        let said = home.ends(1, &["cursor", "--file", "/proc/mcp.json"]);
        assert!(said.contains("/proc/mcp.json cannot be written"), "{said}");
    }
    home.ends(0, &["cursor", "--file", "deep/er/mcp.json"]);
    assert!(home.path("work/deep/er/mcp.json").exists());
}
