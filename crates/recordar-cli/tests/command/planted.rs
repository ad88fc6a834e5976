//! Configurations that somebody else put where they are found: another user in a folder above, or the maker of a repository.

use super::Desk;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::process::Command;

const NOBODY: u32 = 65534;

impl Desk {
    fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// The command is refused with exit code 2, and says all of these words.
    fn refuses(&self, arguments: &[&str], words: &[&str]) {
        let said = self.ends(2, arguments);
        for word in words {
            assert!(said.contains(word), "{word:?} is not in: {said}");
        }
    }

    fn space(&self, arguments: &[&str]) -> String {
        let said = self.json(0, &[&["remember", "x"], arguments].concat());
        said["space"].as_str().unwrap().to_owned()
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn r16_a_file_of_another_user_is_refused_with_the_reason() {
    if !is_root() {
        println!("not root, so no file can be given to another user; own_file.rs checks the rule itself");
        return;
    }
    let desk = Desk::new();
    desk.put("recordar.toml", "space = \"user:mallory\"\n[database]\nurl = \"sqlite:theirs.db\"\n");
    chown(desk.path("recordar.toml"), Some(NOBODY), None).unwrap();
    desk.put("work/a.md", "text");
    let output = desk.command().current_dir(desk.path("work")).args(["ingest", "a.md"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("belongs to another user (uid 65534)") && said.contains("chown 0"), "{said}");
    assert!(!desk.path("theirs.db").exists() && !desk.path("work/recordar.db").exists());
    // Naming it does not make it the user's own, and trusting it is refused as well.
    desk.refuses(&["doc", "list", "--config", "recordar.toml"], &["belongs to another user"]);
    desk.refuses(&["trust"], &["belongs to another user"]);
    assert!(desk.ends(1, &["doctor"]).contains("belongs to another user"));
    // Another user's link to a file of one's own would take it for another folder's.
    fs::remove_file(desk.path("recordar.toml")).unwrap();
    desk.put("own/recordar.toml", "space = \"user:own\"\n");
    symlink(desk.path("own/recordar.toml"), desk.path("recordar.toml")).unwrap();
    std::os::unix::fs::lchown(desk.path("recordar.toml"), Some(NOBODY), None).unwrap();
    desk.refuses(&["doc", "list"], &["belongs to another user"]);
}

#[test]
fn r16_a_file_that_others_can_change_is_refused() {
    let desk = Desk::new();
    desk.put("recordar.toml", "space = \"user:eva\"\n");
    desk.set_mode("recordar.toml", 0o646);
    desk.refuses(&["doc", "list"], &["other users can change it (mode 646)", "chmod go-w "]);
    desk.refuses(&["doc", "list", "--config", "recordar.toml"], &["chmod go-w "]);
    desk.set_mode("recordar.toml", 0o644);
    assert_eq!(desk.space(&[]), "user:eva");
    desk.put_own("space = \"user:own\"\n");
    let own = desk.home.path().join(".config/recordar/recordar.toml");
    fs::set_permissions(own, fs::Permissions::from_mode(0o666)).unwrap();
    desk.refuses(&["doc", "list"], &[".config/recordar/recordar.toml", "chmod go-w "]);
}

#[test]
fn r16_what_is_no_plain_file_is_not_waited_for() {
    let desk = Desk::new();
    assert!(Command::new("mkfifo").arg(desk.path("recordar.toml")).status().unwrap().success());
    desk.ends(0, &["models", "list"]);
    desk.refuses(&["doc", "list", "--config", "recordar.toml"], &["is not a regular file"]);
    desk.put("large.toml", vec![b'#'; 1024 * 1024 + 1]);
    desk.refuses(&["doc", "list", "--config", "large.toml"], &["larger than 1 MiB"]);
}

#[test]
fn r16_a_cloned_repository_sends_neither_keys_nor_memories_anywhere() {
    let desk = Desk::new();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = format!("http://{}/v1", server.local_addr().unwrap());
    desk.ends(0, &["remember", "The door code is 4711."]);
    for (llm, key) in [
        (
            format!("provider = \"compatible\"\nmodel = \"m\"\nbase_url = \"{address}\"\nkey_env = \"OPENAI_API_KEY\""),
            "llm.base_url",
        ),
        ("provider = \"openai\"\nmodel = \"gpt-4o-mini\"".to_owned(), "llm.provider"),
        ("models_file = \"models.toml\"".to_owned(), "llm.models_file"),
        ("cassette = \"record:stolen.jsonl\"".to_owned(), "llm.cassette"),
        ("max_tokens_per_day = 1000000000".to_owned(), "llm.max_tokens_per_day"),
        ("api_key = \"sk-test-of-the-repository-1\"".to_owned(), "llm.api_key = …"),
    ] {
        desk.put("recordar.toml", format!("[llm]\n{llm}\n"));
        let mut command = desk.command();
        let output =
            command.args(["ask", "What is the door code?"]).env("OPENAI_API_KEY", "sk-test-planted-1").output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(key) && said.contains("recordar.toml was found in a folder"), "{said}");
        assert!(said.contains("`recordar trust ") && said.contains(".config/recordar/recordar.toml"), "{said}");
        assert!(!said.contains("sk-test-") && output.stdout.is_empty(), "{said}");
    }
    assert!(server.accept().is_err(), "nobody called");
    assert!(!desk.path("stolen.jsonl").exists());
}

#[test]
fn r16_a_found_file_names_a_database_in_its_own_folder_only() {
    let desk = Desk::new();
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), desk.path("way-out")).unwrap();
    symlink(elsewhere.path().join("linked.db"), desk.path("link.db")).unwrap();
    fs::create_dir(desk.path("data")).unwrap();
    let absolute = format!("sqlite:{}", elsewhere.path().join("theirs.db").display());
    for url in [
        absolute.as_str(),
        "sqlite:../theirs.db",
        "sqlite:data/../../theirs.db",
        "sqlite:way-out/theirs.db",
        "sqlite:link.db",
        "postgres://ada:s3cret@127.0.0.1:1/theirs",
    ] {
        desk.put("recordar.toml", format!("[database]\nurl = \"{url}\"\n"));
        desk.refuses(&["remember", "x"], &["database.url = ", "recordar trust"]);
        assert!(!desk.ends(2, &["remember", "x"]).contains("s3cret"));
        desk.ends(0, &["remember", "x", "--database", "sqlite:given.db"]);
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    for url in [
        "sqlite:mine.db".to_owned(),
        "sqlite:data/m.db".to_owned(),
        format!("sqlite:{}", desk.path("abs.db").display()),
    ] {
        desk.put("recordar.toml", format!("[database]\nurl = \"{url}\"\n"));
        desk.ends(0, &["remember", "x"]);
    }
    assert!(["mine.db", "data/m.db", "abs.db"].iter().all(|name| desk.path(name).exists()));
    desk.put("recordar.toml", "[database]\npassword_file = \"recordar.toml\"\n");
    desk.refuses(&["remember", "x"], &["database.password_file"]);
    // The default lies in the folder of the file, too, and is no way out of it.
    symlink(elsewhere.path().join("default.db"), desk.path("recordar.db")).unwrap();
    desk.put("recordar.toml", "space = \"user:eva\"\n");
    desk.refuses(&["remember", "x"], &["database.url = "]);
}

#[test]
fn r16_a_found_file_chooses_what_is_harmless() {
    let desk = Desk::new();
    desk.put_own("space = \"user:own\"\n[recall]\ntop_k = 3\nmin_score = 0.1\n[llm]\nmax_tokens_per_call = 1000\n");
    desk.put(
        "recordar.toml",
        "space = \"user:project\"\n[recall]\ntop_k = 5\n[chunking]\nchunk_max_tokens = 600\n[llm]\nprovider = \"none\"\n",
    );
    assert_eq!(desk.space(&[]), "user:project");
    assert_eq!(desk.space(&["--user", "ada"]), "user:ada");
    let config = &desk.json(0, &["recall", "x"])["metadata"]["config"];
    assert_eq!((config["top_k"].as_i64(), config["min_score"].as_f64()), (Some(5), Some(0.1)));
    // What is the same without it needs no trust, as all that earlier versions of `init` wrote.
    let before = concat!(env!("CARGO_MANIFEST_DIR"), "/../recordar/tests/saved/promises-1/recordar.toml");
    desk.put("recordar.toml", fs::read(before).unwrap());
    assert_eq!(desk.space(&[]), "user:default");
}

#[test]
fn r16_a_file_is_trusted_as_it_is_and_no_longer() {
    let desk = Desk::new();
    let text = "[llm]\nprovider = \"llamacpp\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodels_file = \"prices.toml\"\n";
    desk.put("recordar.toml", text);
    desk.put("prices.toml", "dated = \"2026-11-15\"\n");
    fs::create_dir(desk.path("work")).unwrap();
    desk.refuses(&["models", "list"], &["recordar trust"]);
    let trusted = desk.json(0, &["trust"]);
    assert_eq!(trusted["settings"][1]["key"], "llm.model", "{trusted}");
    assert!(desk.ends(0, &["trust", "recordar.toml"]).contains("llm.base_url = \"http://127.0.0.1:1/v1\""));
    assert!(desk.ends(0, &["models", "list"]).contains("http://127.0.0.1:1/v1"));
    assert!(desk.ends(0, &["-C", "work", "models", "list"]).contains("http://127.0.0.1:1/v1"), "from below, too");
    let list = desk.ends(0, &["trust", "--list"]);
    assert!(list.contains("trusted") && list.contains("prices.toml"), "{list}");

    // One byte more is another file, and so it is for the table, which could send keys elsewhere.
    desk.put("prices.toml", "dated = \"2026-11-16\"\n");
    desk.refuses(&["models", "list"], &["llm.models_file", "changed since it was trusted", "recordar trust"]);
    desk.ends(0, &["trust"]);
    desk.ends(0, &["models", "list"]);
    desk.put("recordar.toml", format!("{text}\n"));
    desk.refuses(&["models", "list"], &["recordar trust"]);
    assert!(desk.ends(0, &["trust", "--list"]).contains("changed or missing"));
    // A copy elsewhere is another file as well.
    desk.put("recordar.toml", text);
    desk.ends(0, &["models", "list"]);
    desk.put("copy/recordar.toml", text);
    desk.put("copy/prices.toml", "dated = \"2026-11-16\"\n");
    desk.refuses(&["-C", "copy", "models", "list"], &["recordar trust"]);

    desk.ends(0, &["trust", "--remove", "recordar.toml"]);
    desk.refuses(&["models", "list"], &["recordar trust"]);
    desk.ends(1, &["trust", "--remove", "recordar.toml"]);
    desk.put("recordar.toml", "space = \"user:eva\"\n");
    assert!(desk.ends(0, &["trust"]).contains("sets nothing that needs trust"));
    assert_eq!(desk.json(1, &["-C", "/", "trust"])["error"]["code"], "not_found");

    let list = desk.home.path().join(".local/state/recordar/trusted.json");
    assert_eq!(fs::metadata(&list).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(list.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&list, fs::Permissions::from_mode(0o666)).unwrap();
    desk.refuses(&["doc", "list"], &["the list of trusted files", "chmod go-w"]);
}

#[test]
fn r16_the_users_own_file_a_named_one_and_the_environment_count_fully() {
    let desk = Desk::new();
    let llm = |port: u16| {
        format!("[llm]\nprovider = \"llamacpp\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n")
    };
    desk.put_own(&llm(1));
    assert!(desk.ends(0, &["models", "list"]).contains("127.0.0.1:1/v1"));
    desk.put("named.toml", llm(2));
    assert!(desk.ends(0, &["models", "list", "--config", "named.toml"]).contains("127.0.0.1:2/v1"));
    let output = desk.command().args(["models", "list"]).env("RECORDAR_CONFIG", "named.toml").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("127.0.0.1:2/v1"));
    // A file may turn the model off, and its other settings do not matter then.
    desk.put("recordar.toml", "[llm]\nprovider = \"none\"\nbase_url = \"http://127.0.0.1:3/v1\"\n");
    assert!(desk.ends(0, &["models", "list"]).contains("language model  none"));
    // The key of one file never goes to the address of another.
    desk.put_own("[llm]\nprovider = \"openai\"\nmodel = \"gpt-4o\"\napi_key = \"sk-test-own-0123456789\"\n");
    desk.put(
        "recordar.toml",
        "[llm]\nprovider = \"openai\"\nmodel = \"gpt-4o\"\nbase_url = \"http://127.0.0.1:3/v1\"\n",
    );
    desk.ends(0, &["trust"]);
    let models = desk.ends(0, &["models", "list"]);
    assert!(models.contains("127.0.0.1:3/v1") && models.contains("missing; set OPENAI_API_KEY"), "{models}");
    // Relative paths of the user's own are taken from its folder; the default database is here all the same.
    fs::remove_file(desk.path("recordar.toml")).unwrap();
    desk.put_own("[llm]\ncassette = \"replay:replies.jsonl\"\nprovider = \"openai\"\nmodel = \"m\"\n");
    desk.ends(0, &["remember", "x"]);
    assert!(desk.path("recordar.db").exists());
    assert!(desk.ends(0, &["models", "list"]).contains(".config/recordar/replies.jsonl"));
}

#[test]
fn r16_a_found_file_adds_to_redaction_and_does_not_take_away() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "Call FALCON-7 or ada@example.org about the lamp of KESTREL-9."]);
    desk.put_own("[recall]\nenable_redaction = true\ncustom_redaction_patterns = ['FALCON-\\d']\n");
    desk.put("recordar.toml", "[recall]\nenable_redaction = false\ncustom_redaction_patterns = ['KESTREL-\\d']\n");
    let said = desk.ends(0, &["recall", "lamp"]);
    for hidden in ["FALCON-7", "ada@example.org", "KESTREL-9"] {
        assert!(!said.contains(hidden), "{said}");
    }
    assert!(said.contains("lamp of"), "{said}");
}

#[test]
fn r16_doctor_shows_what_set_what() {
    let desk = Desk::new();
    desk.put_own("[recall]\ntop_k = 3\nmin_score = 0.1\n[llm]\nprovider = \"openai\"\nmodel = \"m\"\napi_key = \"sk-test-doctor-0123456789\"\n");
    desk.put("recordar.toml", "space = \"user:project\"\n[recall]\ntop_k = 5\n");
    let mut command = desk.command();
    let output = command.args(["doctor", "--user", "ada"]).env("RECORDAR_DATABASE", "sqlite:e.db").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let own = desk.home.path().join(".config/recordar/recordar.toml").display().to_string();
    let found = desk.path("recordar.toml").display().to_string();
    for line in [
        format!("{found} is valid: found in the current folder or above it; nothing in it requires trust"),
        format!("{own} is valid: your own configuration, which applies in every folder"),
        "space = \"user:ada\", set by the option --space".to_owned(),
        format!("database.url = \"sqlite:{}\", set by RECORDAR_DATABASE", desk.path("e.db").display()),
        format!("recall.top_k = 5, set by {found}"),
        format!("recall.min_score = 0.1, set by {own}"),
        format!("llm.api_key = …, set by {own}"),
        "all other settings have their default values".to_owned(),
    ] {
        assert!(said.contains(&line), "{line}\nis not in\n{said}");
    }
    assert!(!said.contains("top_k = 3") && !said.contains("user:project") && !said.contains("sk-test"), "{said}");
    // It holds a key, and was written with the usual rights.
    assert!(said.contains("contains a key or a password and is readable by other users"), "{said}");
    assert!(said.contains(&format!("chmod 600 {own}")), "{said}");
    desk.put("recordar.toml", "[llm]\nseed = 7\n");
    assert!(desk.ends(1, &["doctor"]).contains("FAILED  configuration"));
    desk.ends(0, &["trust"]);
    assert!(desk.ends(0, &["doctor"]).contains("found in the current folder or above it, and trusted"));
}
