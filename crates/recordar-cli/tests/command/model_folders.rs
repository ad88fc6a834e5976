//! `recordar models add`, `check` and `remove`, as scripts use them.

use crate::Desk;
use serde_json::json;
use std::path::Path;

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../recordar-judge/tests/fixtures").join(name)
}

fn copy(desk: &Desk, name: &str, to: &str) {
    for file in ["config.json", "model.onnx", "tokenizer.json"] {
        desk.put(&format!("{to}/{file}"), std::fs::read(fixture(name).join(file)).unwrap());
    }
}

#[test]
fn i22_models_are_added_listed_checked_and_removed_without_a_database() {
    let desk = Desk::new();
    copy(&desk, "bert-reranker", "mine");
    let path = desk.path("mine").canonicalize().unwrap().display().to_string();
    let said = desk.ends(0, &["models", "add", "mine"]);
    assert!(said.starts_with("added mine, reranker, 0.1 MB\n"), "{said}");
    assert!(said.contains(&path) && said.contains("sha256  ") && said.contains("a sample took"), "{said}");
    let listed = desk.ends(0, &["models", "list"]);
    assert!(listed.contains("judge           recordar-judge-"), "{listed}");
    assert!(listed.contains(&format!("model folder    folder:mine, reranker, {path}")), "{listed}");
    assert_eq!(desk.json(0, &["models", "list"])["model_folders"][0]["kind"], "reranker");
    let checked = desk.ends(0, &["models", "check"]);
    assert!(
        checked.contains("ok     judge, judge, built in") && checked.contains("ok     mine, reranker"),
        "{checked}"
    );
    assert!(desk.ends(0, &["models", "add", "./mine/", "--name", "other"]).starts_with("replaced other"));
    let removed = desk.ends(0, &["models", "remove", "other"]);
    assert!(removed.contains(&format!("removed other; its files are still in {path}")), "{removed}");
    assert!(desk.ends(1, &["models", "check", "other"]).contains("no model folder \"other\" is registered"));
    assert!(!desk.path("recordar.db").exists(), "no database is needed");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &desk.home.path().join(".local/state/recordar/models.json").metadata().unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn i22_a_damaged_model_fails_the_check_and_says_what_to_do() {
    let desk = Desk::new();
    copy(&desk, "bert-nli", "mine");
    desk.ends(0, &["models", "add", "mine"]);
    desk.put("mine/model.onnx", "not a model");
    let said = desk.ends(1, &["models", "check"]);
    assert!(said.contains("ok     judge") && said.contains("FAILED mine, entailment"), "{said}");
    assert!(said.contains("not those that were added") && said.contains("try: restore its files, or run"), "{said}");
    let check = desk.json(1, &["models", "check", "mine"]);
    assert_eq!((&check["passed"], &check["models"][0]["name"]), (&json!(false), &json!("mine")));
    let said = desk.ends(1, &["models", "add", "mine"]);
    assert!(said.contains("mine/model.onnx") && said.contains("try: copy the model again"), "{said}");
    let said = desk.ends(1, &["models", "add", "nowhere"]);
    assert!(said.contains("there is no folder ") && said.contains("nothing is downloaded"), "{said}");
    assert!(desk.ends(2, &["models", "remove", "judge"]).contains("part of the program"));
    assert!(desk.ends(2, &["models", "add", "mine", "--name", "a/b"]).contains("cannot be the name of a model"));
}

#[test]
fn i22_doctor_and_searches_tell_that_the_configured_reranker_cannot_be_used() {
    let desk = Desk::new();
    copy(&desk, "bert-reranker", "mine");
    desk.put("recordar.toml", "[recall]\nrerank = \"folder:mine\"\n");
    desk.ends(0, &["remember", "The lamp is lit at dusk."]);
    let said = desk.ends(0, &["doctor"]);
    assert!(said.contains("recall.rerank is folder:mine, and results are not reranked: no model folder"), "{said}");
    let said = desk.ends(0, &["search", "lamp"]);
    assert!(said.contains("not reranked: no model folder \"mine\"") && said.contains("try: add it with"), "{said}");
    desk.ends(0, &["models", "add", "mine"]);
    let said = desk.ends(0, &["doctor"]);
    assert!(said.contains("results are reranked by folder:mine"), "{said}");
    assert!(!desk.ends(0, &["search", "lamp"]).contains("not reranked"));
    desk.put("mine/config.json", "{}");
    let said = desk.ends(0, &["doctor"]);
    assert!(said.contains("not those that were added") && said.contains("recordar models add"), "{said}");
    for verb in ["recall", "ask"] {
        assert!(desk.ends(0, &[verb, "lamp"]).contains("not reranked: the model mine cannot be used"), "{verb}");
    }
}
