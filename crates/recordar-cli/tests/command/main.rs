//! The command as scripts and people use it: words in, words and exit codes out.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod chat;
mod eval;
mod install;
mod keys;
mod missing;
mod model_folders;
mod passwords;
mod planted;
mod private;
mod transfer;
mod watch;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

struct Desk {
    folder: TempDir,
    /// The user's home, where nothing is yet: a configuration of whoever runs the tests must not count.
    home: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() }
    }

    /// Writes the user's own configuration.
    fn put_own(&self, content: &str) {
        let path = self.home.path().join(".config/recordar/recordar.toml");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recordar"));
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env("HOME", self.home.path());
        let ours =
            std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("RECORDAR_"));
        for variable in ours.chain(["XDG_CONFIG_HOME".into(), "XDG_STATE_HOME".into()]) {
            command.env_remove(variable);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// Runs a command that must end with that code, and returns what it printed.
    fn ends(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{said}");
        said
    }

    fn json(&self, code: i32, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
    }

    fn pipe(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = self.command();
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }
}

#[test]
fn init_writes_a_configuration_that_is_used() {
    let desk = Desk::new();
    desk.ends(0, &["init"]);
    assert!(desk.ends(1, &["init"]).contains("--force"), "it is not overwritten");
    desk.ends(0, &["init", "--force"]);
    let text = fs::read_to_string(desk.path("recordar.toml")).unwrap();
    desk.put(
        "recordar.toml",
        text.replace("#url = \"sqlite:recordar.db\"", "url = \"sqlite:elsewhere.db\"")
            .replace("#space = \"user:default\"", "space = \"user:eva\""),
    );
    desk.put("sub/a.md", "text");
    let output = desk.command().current_dir(desk.path("sub")).args(["ingest", "a.md"]).output().unwrap();
    assert!(output.status.success());
    assert!(desk.path("elsewhere.db").exists(), "the file of a folder above counts, and its paths are its own");
    assert_eq!(desk.json(0, &["doc", "list"])[0]["filename"], "a.md");
    assert_eq!(desk.json(0, &["doc", "list", "--user", "eva"]).as_array().unwrap().len(), 1);
    assert_eq!(desk.json(0, &["doc", "list", "--user", "ada"]).as_array().unwrap().len(), 0);
}

#[test]
fn a13_mistakes_in_the_configuration_are_told_and_end_with_2() {
    let desk = Desk::new();
    desk.put("recordar.toml", "[tree]\nhierarchy_depth = 0\nbatch_size = 99\n");
    let said = desk.ends(2, &["doc", "list"]);
    assert!(
        said.contains("2 mistakes") && said.contains("tree.hierarchy_depth = 0") && said.contains("1 to 50"),
        "{said}"
    );
    let json = desk.json(2, &["doc", "list"]);
    assert_eq!(json["error"]["mistakes"][1]["key"], "tree.batch_size");
    assert!(desk.ends(1, &["doctor"]).contains("FAILED  configuration"));
}

#[test]
fn b1_ingest_tells_by_its_exit_code_what_landed() {
    let desk = Desk::new();
    desk.put("notes/a.md", "# A\n\ntext");
    assert!(desk.ends(0, &["ingest", "notes"]).contains("1 added"));
    assert!(desk.ends(0, &["ingest", "notes"]).contains("1 unchanged"));
    desk.put("notes/bad.txt", b"caf\xe9");
    let said = desk.ends(3, &["ingest", "notes"]);
    assert!(said.contains("bad.txt") && said.contains("iconv") && said.contains("1 failed"), "{said}");
    desk.ends(1, &["ingest", "notes/bad.txt"]);
    desk.ends(1, &["ingest", "missing"]);
    desk.ends(2, &["ingest", "notes", "--name", "x"]);
    desk.ends(2, &["ingest"]);
    desk.ends(2, &["ingest", "notes", "--metadata", "[]"]);
    desk.ends(2, &["ingest", "notes", "--type", "png"]);
    desk.ends(2, &["ingest", "notes", "--include", "a["]);
    fs::remove_file(desk.path("notes/bad.txt")).unwrap();
    fs::remove_file(desk.path("notes/a.md")).unwrap();
    assert!(desk.ends(0, &["ingest", "notes"]).contains("--prune"));
    assert!(desk.ends(1, &["ingest", "notes", "--prune"]).contains("--force"), "nothing is left at all");
    assert!(desk.ends(0, &["ingest", "notes", "--prune", "--force"]).contains("1 retired"));
}

#[test]
fn i20_formats_what_was_skipped_is_listed_and_no_failure() {
    let desk = Desk::new();
    desk.put("notes/a.md", "# A\n\ntext");
    desk.put("notes/empty.md", "");
    desk.put("notes/picture.png", "x");
    desk.put("notes/old/b.md", "old");
    desk.put("notes/c.csv", "name,born\nAda,1815\n");
    std::os::unix::fs::symlink("/etc/hostname", desk.path("notes/link.md")).unwrap();
    let said = desk.ends(0, &["ingest", "notes", "--exclude", "old", "--include", "*.{md,csv}"]);
    for part in
        ["2 added", "4 skipped", "skipped: empty", "skipped: excluded", "skipped: outside root", "skipped: other type"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(desk.ends(0, &["search", "1815"]).contains("born: 1815"));
    // What is named is not skipped.
    desk.ends(1, &["ingest", "notes/empty.md"]);
    desk.ends(1, &["ingest", "notes/picture.png"]);
}

#[test]
fn b1_ingest_json_has_stable_names() {
    let desk = Desk::new();
    desk.put("a.md", "# A\n\ntext");
    let report = desk.json(0, &["ingest", "a.md", "--tag", "x", "--operation", "op-1"]);
    let file = &report["files"][0];
    assert_eq!(file["status"], "added");
    assert_eq!((&file["version"], &file["chunks"]), (&1.into(), &1.into()));
    assert_eq!(report["totals"]["added"], 1);
    assert_eq!(report["operation"], "op-1");
    assert_eq!(report["trace"]["stages"][0]["name"], "load");
    let list = desk.json(0, &["doc", "list"]);
    let printed = desk.ends(0, &["doc", "list", "--json"]);
    let at = |key: &str| printed.find(&format!("\"{key}\"")).unwrap();
    assert!(
        at("document_id") < at("filename") && at("filename") < at("kind") && at("kind") < at("path"),
        "keys are sorted"
    );
    assert_eq!(list[0]["version"]["tags"], serde_json::json!(["file_ingest", "x"]));
    assert!(list[0]["version"]["ingested_at"].as_str().unwrap().ends_with('Z'));
    assert!(desk.ends(0, &["ingest", "a.md", "--force", "--explain"]).contains("manifest"));
}

#[test]
fn ingest_reads_standard_input() {
    let desk = Desk::new();
    let output = desk.pipe(&["ingest", "-", "--name", "piped.md"], b"# Piped\n\ntext\n");
    assert!(output.status.success());
    assert_eq!(desk.ends(0, &["doc", "show", "piped.md"]), "# Piped\n\ntext\n");
    for bad in [&b"\xff"[..], b"a\0b", b""] {
        assert_eq!(desk.pipe(&["ingest", "-"], bad).status.code(), Some(1));
    }
}

#[test]
fn doc_shows_versions_chunks_and_differences() {
    let desk = Desk::new();
    desk.put("a.md", "# One\n\nfirst line\n");
    desk.ends(0, &["ingest", "a.md"]);
    assert!(desk.ends(2, &["doc", "diff", "a.md"]).contains("is the first"));
    desk.put("a.md", "# One\n\nsecond line\n");
    desk.ends(0, &["ingest", "a.md", "--note", "changed"]);
    assert_eq!(desk.ends(0, &["doc", "show", "a.md", "--version", "1"]), "# One\n\nfirst line\n");
    assert!(desk.ends(0, &["doc", "show", "a.md", "--chunks"]).contains("tokens, One"));
    assert!(desk.ends(0, &["doc", "versions", "a.md"]).contains("retired"));
    let diff = desk.ends(0, &["doc", "diff", "a.md"]);
    assert!(diff.contains("-first line\n+second line"), "{diff}");
    assert_eq!(desk.json(0, &["doc", "diff", "a.md"])["added_lines"], 1);
    assert!(desk.ends(1, &["doc", "show", "a.md", "--version", "9"]).contains("newest version is 2"));
    let missing = desk.json(1, &["doc", "show", "b.md"]);
    assert_eq!(missing["error"]["code"], "not_found");
}

#[test]
fn remember_takes_one_message_or_a_batch() {
    let desk = Desk::new();
    let said = desk.ends(
        0,
        &[
            "remember",
            "It's \"late\"; DROP TABLE items",
            "--thread",
            "t",
            "--title",
            "T",
            "--role",
            "assistant",
            "--source",
            "external",
            "--time",
            "2026-01-31T09:30:00+01:00",
            "--importance",
            "0.7",
            "--metadata",
            "{\"agent\": \"a\"}",
            "--user",
            "ada",
        ],
    );
    assert!(said.contains("user:ada"), "{said}");
    for bad in [
        &["remember"][..],
        &["remember", ""],
        &["remember", "x", "--role", "king"],
        &["remember", "x", "--time", "soon"],
        &["remember", "x", "--importance", "7"],
        &["remember", "x", "--importance", "nan"],
        &["remember", "x", "--importance", "-0.5"],
        &["remember", "x", "--title", "no thread"],
        &["remember", "x", "--space", "nocolon"],
    ] {
        desk.ends(2, bad);
    }
    desk.put("batch.jsonl", "{\"text\": \"one\", \"thread\": \"t\"}\n\n{\"content\": \"two\", \"role\": \"tool\", \"created_at\": \"2026-01-01\"}\n");
    let batch = desk.json(0, &["remember", "--jsonl", "batch.jsonl", "--operation", "b"]);
    assert_eq!(batch["items"].as_array().unwrap().len(), 2);
    let again = desk.json(0, &["remember", "--jsonl", "batch.jsonl", "--operation", "b"]);
    assert_eq!((&again["repeated"], &again["items"]), (&Value::Bool(true), &batch["items"]));
    desk.put("broken.jsonl", "{\"text\": \"one\"}\n{\"txt\": \"two\"}\n");
    let said = desk.ends(2, &["remember", "--jsonl", "broken.jsonl"]);
    assert!(said.contains("line 2") && said.contains("nothing was stored"), "{said}");
    assert_eq!(desk.pipe(&["remember", "--jsonl", "-"], b"{\"text\": \"piped\"}\n").status.code(), Some(0));
    let operation = &desk.json(0, &["operation", "b"])[0];
    assert_eq!((&operation["state"], &operation["kind"]), (&"done".into(), &"remember".into()));
    desk.ends(1, &["operation", "never"]);
    assert_eq!(desk.pipe(&["remember", "-", "--thread", "typed"], b"from a pipe").status.code(), Some(0));
    assert_eq!(desk.json(0, &["thread", "show", "typed"])[0]["text"], "from a pipe");
    assert!(desk.ends(0, &["thread", "show"]).contains("two"));
    assert!(desk.ends(0, &["thread", "list"]).contains("typed"));
    assert_eq!(desk.ends(0, &["space", "list"]), "user:ada\nuser:default\n");
}

#[test]
fn search_shows_scores_with_their_parts() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "The new lens arrives on Tuesday.", "--thread", "supplies", "--speaker", "Ada"]);
    desk.ends(0, &["remember", "Good, I will fetch it from the boat.", "--thread", "supplies", "--speaker", "Bruno"]);
    desk.ends(0, &["remember", "The garden needs water.", "--thread", "garden"]);
    let shown = desk.ends(0, &["search", "When does the lens arrive?"]);
    let first = shown.lines().next().unwrap();
    assert!(first.starts_with(" 1. 0.") && first.contains("thread supplies · Ada"), "{shown}");
    assert!(shown.contains("keyword    ██") && shown.contains("semantic   █"), "{shown}");
    assert!(shown.contains("neighbours ") && shown.contains("The new lens arrives on Tuesday."), "{shown}");
    assert!(desk.ends(0, &["search", "lens", "--explain"]).contains("rank:"));

    let found = desk.json(0, &["search", "lens", "--mode", "keyword"]);
    let hit = &found["hits"][0];
    assert_eq!((hit["item_id"].as_i64(), hit["speaker"].as_str()), (Some(2), Some("Ada")));
    let parts: f64 = hit["parts"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
    assert!((parts - hit["score"].as_f64().unwrap()).abs() < 1e-9);
    assert_eq!(hit["words"][0]["word"], "lens");
    let threads = desk.json(0, &["search", "water in the garden", "--threads"]);
    assert_eq!(threads["threads"][0]["thread"], "garden");

    desk.ends(0, &["--user", "bo", "remember", "Bo has a lens, too."]);
    assert_eq!(desk.json(0, &["search", "lens"])["hits"].as_array().unwrap().len(), 3);
    let both = desk.json(0, &["search", "lens", "--also", "user:bo"]);
    assert!(both["hits"].as_array().unwrap().iter().any(|hit| hit["space"] == "user:bo"));
    assert!(desk.ends(0, &["--user", "nobody", "search", "lens"]).contains("nothing was found"));
    desk.ends(2, &["search", "lens", "--limit", "0"]);
    desk.ends(2, &["search", ""]);
    desk.ends(2, &["search", "lens", "--mode", "magic"]);
}

#[test]
fn eval_measures_a_set_of_our_own() {
    let desk = Desk::new();
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/lighthouse");
    let set = set.to_str().unwrap();
    let rows = desk.path("rows.jsonl");
    let report = desk.json(0, &["eval", set, "--rows", rows.to_str().unwrap()]);
    for name in ["recall@5", "recall@10", "recall@20", "any@5", "all@20", "ndcg@10", "mrr"] {
        assert!(report["items"][name].as_f64().unwrap() > 0.75, "{name}: {}", report["items"]);
    }
    assert_eq!(report["threads"]["all@5"], 1.0);
    assert_eq!(report["kinds"]["document"]["questions"], 6);
    assert!(report["latency_ms"]["p99"].as_f64().unwrap() > 0.0);
    let rows = std::fs::read_to_string(rows).unwrap();
    assert_eq!(rows.lines().count(), 21);
    let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    assert_eq!(row["relevant"][0], "supplies-2");
    assert!(desk.ends(0, &["eval", set]).contains("recall@10"));
    assert!(!desk.path("recordar.db").exists(), "the corpus goes into a database of its own");

    let elsewhere = desk.json(0, &["eval", set, "--corpus", set]);
    assert_eq!(elsewhere["items"], report["items"]);
    desk.put("queries.jsonl", "{\"_id\": \"q1\", \"text\": 5}\n");
    desk.put("qrels.tsv", "query-id\tcorpus-id\tscore\n");
    let folder = desk.path("");
    let error = desk.json(1, &["eval", folder.to_str().unwrap(), "--corpus", set]);
    assert!(error["error"]["what"].as_str().unwrap().contains("line 1 of"), "{error}");
    desk.ends(1, &["eval", "nowhere"]);
}

#[test]
fn forget_previews_and_removes() {
    let desk = Desk::new();
    desk.put("a.md", "text");
    desk.ends(0, &["ingest", "a.md"]);
    desk.ends(0, &["remember", "hello", "--thread", "t"]);
    assert!(
        desk.ends(0, &["forget", "document", "a.md", "--dry-run"])
            .contains("would remove 1 document, 1 version, 1 chunk")
    );
    assert!(desk.ends(0, &["forget", "document", "a.md"]).contains("removed 1 document"));
    desk.ends(1, &["forget", "document", "a.md"]);
    assert_eq!(desk.json(0, &["forget", "thread", "t"])["forgotten"]["messages"], 1);
    desk.ends(1, &["forget", "item", "999"]);
    desk.ends(2, &["forget", "item", "x"]);
    assert!(desk.ends(2, &["forget", "space"]).contains("name it"), "the default space is not forgotten by accident");
    assert_eq!(desk.json(0, &["forget", "space", "user:default"])["scrubbed"], true);
    assert!(desk.ends(1, &["forget", "space", "--user", "default"]).contains("there is no space user:default"));
}

#[test]
fn i19_9_items_have_own_ids_and_are_got_listed_and_forgotten_by_them() {
    let desk = Desk::new();
    let first = ["remember", "The gate is red.", "--id", "gate", "--metadata", r#"{"page": 7}"#, "--kind", "fact"];
    desk.ends(0, &first);
    assert!(desk.ends(0, &first).contains("1 unchanged"));
    desk.ends(0, &["remember", "The gate is green.", "--id", "gate", "--metadata", r#"{"page": 8}"#, "--kind", "fact"]);
    desk.ends(0, &["remember", "Hello."]);
    let shown = desk.ends(0, &["item", "get", "--id", "gate"]);
    assert!(shown.contains("id: gate\n") && shown.contains("metadata: {\"page\":8}\nThe gate is green."), "{shown}");
    assert!(desk.ends(0, &["item", "get", "1"]).contains("retired"));
    assert_eq!(desk.json(0, &["search", "gate"])["hits"][0]["metadata"]["page"], 8);
    assert_eq!(desk.json(0, &["recall", "gate", "--min-score", "0"])["memories"][0]["own_id"], "gate");
    let facts = desk.json(0, &["item", "list", "--kind", "fact"]);
    assert_eq!((facts["items"].as_array().unwrap().len(), &facts["items"][0]["live"]), (1, &Value::Bool(true)));
    let page = desk.ends(0, &["item", "list", "--limit", "1"]);
    assert!(page.contains("The gate is green.") && page.contains("--after 2"), "{page}");
    assert!(desk.ends(0, &["item", "list", "--after", "2"]).contains("Hello."));
    assert_eq!(desk.json(0, &["item", "list", "--id", "lost", "--item", "2"])["missing"][0], "lost");
    assert!(desk.ends(1, &["item", "get", "--id", "lost"]).contains("lost"));
    desk.ends(2, &["item", "get"]);
    desk.ends(2, &["item", "list", "--limit", "1001"]);
    desk.ends(2, &["forget", "item"]);
    assert_eq!(desk.json(0, &["forget", "item", "--id", "gate"])["forgotten"]["facts"], 2);
    assert!(desk.ends(0, &["item", "list", "--kind", "fact"]).contains("nothing was found"));
    let in_ram = ["--database", "sqlite::memory:", "remember", "Gone at once."];
    assert!(desk.ends(0, &in_ram).contains("item 1"));
}

#[test]
fn i20_filter_searches_lists_changes_and_histories() {
    let desk = Desk::new();
    desk.ends(0, &["remember", "The gate is red.", "--kind", "fact"]);
    desk.ends(0, &["remember", "Hello at the gate."]);
    let filtered =
        |condition: &str| desk.json(0, &["item", "list", "--filter", condition])["items"].as_array().unwrap().len();
    assert!(
        filtered("kind=fact") > 0 && filtered("kind=fact") + filtered("!kind=fact") == filtered("since=1970-01-01")
    );
    assert!(desk.ends(0, &["search", "gate", "--filter", "tag=none"]).contains("no item passes tag=none"));
    assert!(desk.ends(2, &["search", "gate", "--filter", "tags=none"]).contains("a filter has no field"));
    assert!(desk.ends(0, &["doc", "list", "--filter", "tag=none"]).contains("no document passes the filter"));
    let fact = desk.json(0, &["item", "list", "--kind", "fact"])["items"][0]["item_id"].to_string();
    let changed = desk.json(0, &["item", "update", &fact, "--text", "The gate is violet."]);
    assert_eq!(changed["replaced"].to_string(), fact);
    let history = desk.ends(0, &["item", "history", &fact]);
    assert!(history.contains("violet") && history.contains("live") && history.lines().count() >= 3, "{history}");
    assert!(desk.ends(2, &["item", "update", &fact, "--text", "x"]).contains("is retired"));
}

#[test]
fn doctor_finds_and_tells() {
    let desk = Desk::new();
    let findings = desk.json(0, &["doctor"]);
    assert!(!desk.path("recordar.db").exists(), "looking makes nothing");
    let areas: Vec<&str> =
        findings.as_array().unwrap().iter().map(|finding| finding["area"].as_str().unwrap()).collect();
    for area in ["configuration", "disk", "models", "database"] {
        assert!(areas.contains(&area), "{areas:?}");
    }
    let said = desk.ends(1, &["doctor", "--database", "postgres://ada:s3cret@127.0.0.1:1/x"]);
    assert!(said.contains("try:") && !said.contains("s3cret"), "{said}");
    desk.put("recordar.toml", "[tokens]\nmodel = \"claude-sonnet\"\n");
    assert!(desk.ends(0, &["doctor"]).contains("warning"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    desk.put("long.txt", "A line of text that is repeated.\n".repeat(20_000));
    desk.ends(0, &["ingest", "long.txt"]);
    let program = env!("CARGO_BIN_EXE_recordar");
    let script = format!("{program} doc show long.txt | head -n 1; echo ${{PIPESTATUS[0]}}");
    let output = Command::new("bash").current_dir(desk.folder.path()).args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "A line of text that is repeated.\n0\n");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn processes_share_one_file() {
    let desk = Desk::new();
    let children: Vec<_> = (0..16)
        .map(|number| {
            let text = format!("message {number}");
            desk.command().args(["remember", &text, "--quiet"]).stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(desk.json(0, &["forget", "space", "user:default", "--dry-run"])["forgotten"]["messages"], 16);
}

#[test]
fn bench_ingest_gives_its_figures() {
    let desk = Desk::new();
    let figures = desk.json(0, &["bench", "ingest", "--mb", "1"]);
    for key in ["tokens_cpu_s", "insert_cpu_s", "ingest_cpu_s", "ingest_mb_s"] {
        assert!(figures[key].as_f64().unwrap() > 0.0, "{figures}");
    }
    assert!(!Path::new(&desk.path("recordar.db")).exists(), "measuring leaves nothing behind");
}

#[test]
fn i22_bench_rerank_gives_its_figures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../recordar-judge/tests/fixtures/bert-reranker");
    let folder = folder.display().to_string();
    let figures = Desk::new()
        .json(0, &["bench", "rerank", "--rounds", "1", "--candidates", "1,2", "--tokens", "32", "--folder", &folder]);
    let models = figures["models"].as_array().unwrap();
    assert_eq!(models.len(), 2);
    for model in models {
        let rows = model["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 4, "{model}");
        assert!(rows.iter().all(|row| row["p50_ms"].as_f64().unwrap() > 0.0), "{model}");
        // The folder's vocabulary is tiny, so its words have more tokens.
        assert!(rows.iter().all(|row| row["tokens"].as_u64().unwrap() >= 32), "{model}");
        assert!(model["rss_loaded_bytes"].as_u64().unwrap() > 0);
    }
    assert_eq!(models[0]["rows"][0]["tokens"], 32);
    let bytes = |name: &str| figures[name].as_u64().unwrap();
    let judge = models[0]["bytes"].as_u64().unwrap();
    assert_eq!(bytes("binary_bytes") - bytes("binary_bytes_without_judge"), judge);
}

#[test]
fn i24_bench_compose_gives_its_figures() {
    let figures = Desk::new().json(0, &["bench", "compose", "--tokens", "20000", "--questions", "10"]);
    for side in [&figures, &figures["recall"], &figures["judged"], &figures["judged"]["recall"]] {
        assert!(side["p50_ms"].as_f64().unwrap() > 0.0 && side["p90_ms"].as_f64().unwrap() > 0.0, "{side}");
    }
    for name in ["tokens", "documents", "chunks", "mean_facts", "mean_messages", "ratio"] {
        assert!(figures[name].as_f64().unwrap() > 0.0, "{name} {figures}");
    }
    assert!(!cfg!(target_os = "linux") || figures["peak_rss_mb"].as_f64().unwrap() > 1.0, "{figures}");
}

#[test]
fn bench_recall_gives_its_figures() {
    let desk = Desk::new();
    let figures = desk.json(0, &["bench", "recall", "--items", "2000"]);
    for side in ["recall", "fts5", "scan"] {
        for percentile in ["p50_ms", "p90_ms", "p99_ms"] {
            assert!(figures[side][percentile].as_f64().unwrap() > 0.0, "{side} {percentile}");
        }
    }
    for name in ["index_bytes_per_item", "open_s", "read_s", "write_messages_s", "raw_inserts_s", "embed_mb_s"] {
        assert!(figures[name].as_f64().unwrap() > 0.0, "{name}");
    }
}

#[test]
fn a1_a_parameter_beats_the_environment_which_beats_the_file() {
    let desk = Desk::new();
    desk.put("recordar.toml", "space = \"user:file\"\n[database]\nurl = \"sqlite:file.db\"\n");
    desk.put("other.toml", "space = \"user:other\"\n");
    let space_of = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = desk.command();
        command.args(["remember", "x", "--json"]).args(arguments).envs(variables.iter().copied());
        let said: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        said["space"].as_str().unwrap_or_default().to_owned()
    };
    let environment = [("RECORDAR_SPACE", "user:environment"), ("RECORDAR_DATABASE", "sqlite:environment.db")];
    assert_eq!(space_of(&[], &[]), "user:file");
    assert_eq!(space_of(&[], &[("RECORDAR_CONFIG", "other.toml")]), "user:other");
    assert!(desk.path("file.db").exists() && !desk.path("environment.db").exists());
    assert_eq!(space_of(&[], &environment), "user:environment");
    assert!(desk.path("environment.db").exists() && !desk.path("parameter.db").exists());
    assert_eq!(space_of(&["--user", "parameter", "--database", "sqlite:parameter.db"], &environment), "user:parameter");
    assert!(desk.path("parameter.db").exists());
}

#[test]
fn an_error_of_the_database_tells_how_to_repeat_safely() {
    let desk = Desk::new();
    desk.put("recordar.toml", "[database]\nattempts = 1\n");
    let said = desk.ends(1, &["remember", "x", "--database", "postgres://ada@127.0.0.1:1/x"]);
    assert!(said.contains("--operation "), "{said}");
    let json = desk.json(1, &["remember", "x", "--database", "postgres://ada@127.0.0.1:1/x", "--operation", "mine"]);
    assert_eq!(json["error"]["operation"], "mine");
}

#[test]
fn a3_short_texts_are_noted() {
    let desk = Desk::new();
    desk.put("a.md", "short");
    assert!(desk.ends(0, &["ingest", "a.md"]).contains("shorter than chunk_min_tokens"));
    assert_eq!(desk.json(0, &["ingest", "a.md", "--force"])["files"][0]["warnings"][0]["code"], "short");
}

/// A desk with a document of two versions, a conversation and a fact.
fn lighthouse() -> Desk {
    let desk = Desk::new();
    desk.put("lamp.md", "# Lamp\n\nThe lamp burns whale oil. It smells. It smokes.");
    desk.ends(0, &["ingest", "lamp.md", "--tag", "docs"]);
    desk.put("lamp.md", "# Lamp\n\nThe lamp is electric. It hums. It shines.");
    desk.ends(0, &["ingest", "lamp.md"]);
    desk.ends(
        0,
        &[
            "remember",
            "The lamp was repaired. Bo came by boat. He left at noon.",
            "--thread",
            "repairs",
            "--speaker",
            "Ada",
        ],
    );
    desk.ends(0, &["remember", "Ada is allergic to nuts.", "--kind", "fact"]);
    desk
}

#[test]
fn e6_recall_prints_the_context_and_why_proves_it() {
    let desk = lighthouse();
    let output = desk.run(&["recall", "who repaired the lamp", "--receipt"]);
    let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(text.starts_with("## Relevant Context from Previous Conversations\n\n### Previous Messages\n["), "{text}");
    assert!(
        text.contains("user (Ada): The lamp was repaired. Bo came by boat. He left at noon.")
            && text.contains("### Documents"),
        "{text}"
    );
    let id =
        said.split_whitespace().skip_while(|word| *word != "receipt").nth(1).unwrap().trim_end_matches(':').to_owned();
    let why = desk.run(&["why", &id]);
    assert_eq!(String::from_utf8(why.stdout).unwrap(), text);
    assert!(String::from_utf8(why.stderr).unwrap().contains("byte-identical"));
    assert_eq!(desk.json(0, &["why", &id])["identical"], true);
    assert!(desk.ends(0, &["receipts", "list"]).contains(&id));
    assert_eq!(desk.json(0, &["receipts", "show", &id])["query"], "who repaired the lamp");
    desk.ends(0, &["receipts", "export", "--output", "receipts.jsonl"]);
    let there = ["--database", "sqlite:other.db"];
    assert!(
        desk.ends(0, &[&["receipts", "import", "receipts.jsonl"], &there[..]].concat()).contains("1 receipt imported")
    );
    assert!(desk.ends(0, &[&["why", &id], &there[..]].concat()).contains("byte-identical"));
    desk.ends(1, &["why", "0000000000"]);
    desk.ends(2, &["why", "no"]);
    desk.ends(2, &["receipts", "import", "lamp.md"]);
}

#[test]
fn e2_e7_recall_takes_its_settings_and_says_what_is_wrong_with_them() {
    let desk = lighthouse();
    let result = desk.json(
        0,
        &[
            "recall",
            "lamp",
            "--top-k",
            "1",
            "--clip-sentences",
            "1",
            "--max-tokens",
            "200",
            "--min-score",
            "0.1",
            "--interleaving",
            "recency_first",
        ],
    );
    assert_eq!(result["memories"].as_array().unwrap().len(), 1);
    assert_eq!(result["metadata"]["config"]["clip_sentences"], 1);
    assert_eq!(result["metadata"]["config"]["interleaving"]["strategy"], "recency_first");
    assert!(result["trace"]["stages"].as_array().unwrap().iter().any(|stage| stage["name"] == "budget"));
    for (option, value) in [
        ("--top-k", "21"),
        ("--clip-sentences", "6"),
        ("--max-tokens", "99"),
        ("--min-score", "1.5"),
        ("--interleaving", "random"),
        ("--as-of", "yesterday"),
    ] {
        desk.ends(2, &["recall", "lamp", option, value]);
    }
    desk.ends(2, &["recall", "lamp", "--redact-pattern", "("]);
    desk.ends(2, &["recall", " "]);
    assert!(desk.ends(0, &["recall", "lamp", "--user", "nobody"]).contains("User memory collection does not exist"));
    assert!(desk.ends(0, &["recall", "boiling point of tungsten"]).contains("0 memories"));
    assert!(desk.ends(0, &["recall", "lamp", "--use-memory", "false"]).contains("use_memory"));
    assert!(desk.ends(0, &["recall", "lamp", "--custom-redaction-pattern", "electric"]).contains("[REDACTED]"));
    let explained = desk.ends(0, &["recall", "lamp", "--explain"]);
    for part in ["candidates:", "keyword", "gate:", "deduplicate:", "interleave:", "clip:", "budget:", "place 1"] {
        assert!(explained.contains(part), "{part} in {explained}");
    }
}

#[test]
fn why_not_says_where_an_item_fell_out() {
    let desk = lighthouse();
    let fact = desk.json(0, &["search", "allergic nuts"])["hits"][0]["item_id"].as_i64().unwrap().to_string();
    let said =
        desk.ends(0, &["why-not", &fact, "which storms, ropes, harbours, boats and bells did the allergic keeper see"]);
    assert!(said.contains("(stage gate)") && said.contains("it would be included with --min-score"), "{said}");
    assert!(desk.ends(0, &["why-not", &fact, "who is allergic to nuts"]).contains("is not missing"));
    assert_eq!(desk.json(0, &["why-not", "999", "lamp"])["stage"], "stored");
}

#[test]
fn c2_c3_doc_get_prints_one_version_of_one_document() {
    let desk = lighthouse();
    let get = |arguments: &[&str]| {
        let output = desk.run(&[&["doc", "get"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(get(&["lamp.md"]).contains("electric"));
    assert!(get(&["--filename", "lamp.md", "--default-tag", "docs"]).contains("electric"), "it keeps its tag");
    assert!(get(&["lamp.md", "--strategy", "earliest"]).contains("whale"));
    assert!(get(&["lamp.md", "--strategy", "longest"]).contains("whale"));
    assert!(get(&["--query", "whale oil", "--strategy", "score"]).contains("whale"));
    assert!(get(&["lamp.md", "--tag", "docs"]).contains("electric"), "both versions have the tag");
    let versions = desk.json(0, &["doc", "versions", "lamp.md"]);
    let first = versions[0]["ingested_at"].as_str().unwrap();
    assert!(get(&["lamp.md", "--as-of", first]).contains("whale"));
    assert!(desk.ends(0, &["doc", "get", "lamp.md", "--as-of", "2001-01-01"]).contains("--strict"));
    desk.ends(1, &["doc", "get", "lamp.md", "--as-of", "2001-01-01", "--strict"]);
    desk.ends(1, &["doc", "get", "rope.md", "--strict"]);
    desk.ends(2, &["doc", "get", "lamp.md", "--strategy", "newest"]);
    assert!(desk.ends(0, &["doc", "get", "lamp.md", "--explain"]).contains("strategy:"));
}

#[test]
fn a_server_without_input_ends_at_once_and_keeps_standard_output_for_the_protocol() {
    let desk = Desk::new();
    assert_eq!(desk.ends(0, &["mcp", "--also", "shared:handbook", "--read-only"]), "");
    let refused = desk.run(&["mcp", "--also", "handbook", "--json"]);
    assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(2), b"".as_slice()));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("try: "));
}

#[test]
fn mistakes_on_the_command_line_are_json_for_programs() {
    let desk = Desk::new();
    let error = desk.json(2, &["search"]);
    assert!(error["error"]["what"].as_str().unwrap().contains("<QUERY>"), "{error}");
    let error = desk.json(2, &["search", "x", "--mode", "magic"]);
    assert!(error["error"]["what"].as_str().unwrap().contains("keyword, semantic, hybrid"), "{error}");
    let said = desk.run(&["mcp", "--json", "--bogus"]);
    assert_eq!((said.status.code(), said.stdout.len()), (Some(2), 0), "standard output is the protocol's");
    assert!(desk.ends(2, &["search", "--mode", "magic", "x"]).contains("invalid value 'magic'"));
    let error = desk.json(1, &["restore", "nope.jsonl"]);
    assert!(error["error"]["operation"].is_null(), "it takes no --operation: {error}");
    assert!(
        desk.ends(2, &["receipts", "list", "--limit", "10001"]).contains("limit 10001 is out of range: 1 to 10000")
    );
    desk.ends(2, &["remember", "x", "--jsonl", "y"]);
    desk.ends(2, &["ingest", "x.md", "--helper", "A guide.", "--date", "unknown"]);
}

#[test]
fn help_says_what_the_table_says() {
    let desk = Desk::new();
    let forget = desk.ends(0, &["forget", "--help"]);
    assert!(forget.contains("Remove a thread by name, with all its messages"), "{forget}");
    assert!(desk.ends(0, &["restore", "--help"]).starts_with("Restore the whole store from a backup"));
    let remember = desk.ends(0, &["remember", "--help"]);
    for words in [
        "[possible values: user, assistant, system, tool]",
        "How important it is, such as 0.7 (0 to 1)",
        "[default: message]",
        "--about <FILE>",
    ] {
        assert!(remember.contains(words), "{words}: {remember}");
    }
    assert!(remember.contains("its keys: text, about, derived_from"), "{remember}");
    let recall = desk.ends(0, &["recall", "--help"]);
    for words in ["--also <KIND:NAME>", "(1 to 20) [default: 8]", "[default: true]", "Global options:"] {
        assert!(recall.contains(words), "{words}: {recall}");
    }
    let query = desk.ends(0, &["query", "--help"]);
    assert!(query.contains("Descending the tree:") && !query.contains("-n, --limit"), "{query}");
    assert!(desk.ends(0, &["search", "--help"]).contains("-n, --limit <N>"));
}

#[test]
fn i19_3_doctor_tells_that_tokens_are_counted_for_another_model() {
    let desk = Desk::new();
    let model = "[llm]\nprovider = \"openai\"\nmodel = \"gpt-4\"\n";
    desk.put_own(model);
    let said = desk.ends(0, &["doctor"]);
    assert!(said.contains("tokens are counted for gpt-4 with cl100k_base") && !said.contains("tokens.model"), "{said}");
    desk.put_own(&format!("{model}[tokens]\nmodel = \"gpt-4o\"\n"));
    let said = desk.ends(0, &["doctor"]);
    let warning = "tokens are counted for gpt-4o (tokens.model) with o200k_base, but the language model is gpt-4, which uses cl100k_base";
    assert!(said.contains(warning) && said.contains("remove tokens.model"), "{said}");
    // A model whose tokenizer is not public may be counted by another one.
    desk.put_own("[llm]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet\"\n[tokens]\nmodel = \"gpt-4\"\n");
    assert!(!desk.ends(0, &["doctor"]).contains("but the language model"));
}

#[test]
fn i19_4_a_helper_that_failed_is_told_with_the_reason_and_what_to_do() {
    let desk = Desk::new();
    desk.put("lamp.md", "The lamp is cleaned with a soft cloth.");
    desk.put("soup.md", "The soup takes two onions and a fish.");
    desk.put_own("[llm]\nprovider = \"openai\"\nmodel = \"gpt-4o-mini\"\ncassette = \"replay:nothing.jsonl\"\n");
    let told = |said: &str| {
        assert!(said.contains("its contextual helper could not be generated: "), "{said}");
        assert!(said.contains("recordar helper ") && said.contains("--regenerate"), "{said}");
        assert!(said.contains("the helpers of 1 more document could not be generated either"), "{said}");
    };
    told(&desk.ends(3, &["ingest", "lamp.md", "soup.md"]));
    told(&desk.ends(0, &["ingest", "lamp.md", "soup.md"]));
}

#[test]
fn i19_4_regenerating_says_that_it_replaces_the_users_own_helper() {
    let desk = Desk::new();
    desk.put("lamp.md", "The lamp is cleaned with a soft cloth.");
    desk.ends(0, &["ingest", "lamp.md"]);
    assert!(desk.ends(0, &["helper", "lamp.md", "--helper", "My own words."]).contains("My own words."));
    let kept = desk.ends(0, &["ingest", "lamp.md", "--regenerate-helper"]);
    assert!(kept.contains("was set by a user and is kept") && kept.contains("--regenerate"), "{kept}");
    let back = desk.ends(0, &["helper", "lamp.md", "--regenerate"]);
    assert!(back.contains("which a user had set") && !back.contains("My own words."), "{back}");
}

#[test]
fn i19_7_the_metrics_are_a_command_and_a_server_prints_them_at_its_end() {
    let desk = lighthouse();
    let metrics = desk.json(0, &["metrics"]);
    assert_eq!(metrics["retrieval"]["latency_ms"]["count"], 0);
    assert!(desk.ends(0, &["metrics"]).contains("retrieval.cache_hit_rate"));
    let messages = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"lamp"}}}"#,
    ];
    let output = desk.pipe(&["mcp"], (messages.join("\n") + "\n").as_bytes());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("retrieval.latency_ms: count 1, "), "{said}");
}
