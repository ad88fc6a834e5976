//! Models from folders of this machine: added, listed, checked and removed, by those who may.

use crate::calling::call;
use crate::{ada, operation, ticking};
use recordar::call::{Call, Caller};
use recordar::model::ModelKind;
use recordar::recall::Authority;
use recordar::{Config, Recordar};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../recordar-judge/tests/fixtures").join(name).canonicalize().unwrap()
}

/// A memory whose register is in the folder.
fn open(database: &TestDatabase, folder: &Path) -> Recordar {
    let mut config = Config::from_toml(&format!("database.url = {:?}", database.url), Path::new("/")).unwrap();
    config.model_folders.file = Some(folder.join("state/models.json"));
    Recordar::open(config, ticking()).unwrap()
}

/// A copy of a fixture, to change.
fn copy(name: &str, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for file in ["config.json", "model.onnx", "tokenizer.json"] {
        std::fs::copy(fixture(name).join(file), to.join(file)).unwrap();
    }
}

fn desk() -> (TestDatabase, TempDir) {
    (TestDatabase::new(Engine::Sqlite), tempfile::tempdir().unwrap())
}

#[test]
fn i22_a_model_is_added_listed_checked_and_removed() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    assert!(memory.models().unwrap().judge.bytes > 10_000_000);
    let added = memory.add_model(&fixture("bert-reranker"), None).unwrap();
    assert_eq!(
        (added.model.name.as_str(), added.model.kind, added.replaced),
        ("bert-reranker", ModelKind::Reranker, false)
    );
    assert!(added.bytes > 10_000 && added.load_ms > 0.0 && added.sample_ms > 0.0, "{added:?}");
    memory.add_model(&fixture("bert-nli"), Some("claims")).unwrap();
    memory.add_model(&fixture("bert-embedder"), Some("vectors.1")).unwrap();
    // Another process reads the same register.
    let listed = open(&database, folder.path()).models().unwrap().model_folders;
    let names: Vec<(&str, ModelKind)> = listed.iter().map(|model| (model.name.as_str(), model.kind)).collect();
    let expected =
        [("bert-reranker", ModelKind::Reranker), ("claims", ModelKind::Entailment), ("vectors.1", ModelKind::Embedder)];
    assert_eq!(names, expected);
    assert_eq!(listed[0], added.model);
    let mode = folder.path().join("state/models.json").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let check = memory.check_models(None).unwrap();
    let passed: Vec<(&str, bool)> = check.models.iter().map(|model| (model.name.as_str(), model.passed)).collect();
    assert_eq!(passed, [("judge", true), ("bert-reranker", true), ("claims", true), ("vectors.1", true)]);
    assert!(check.passed && check.models.iter().all(|model| model.sample_ms.is_some() && model.problem.is_none()));
    assert_eq!(memory.remove_model("claims").unwrap().path, fixture("bert-nli"));
    assert!(fixture("bert-nli").join("model.onnx").is_file(), "no file is deleted");
    assert_eq!(memory.remove_model("claims").unwrap_err().code(), "not_found");
    assert_eq!(memory.check_models(Some("claims")).unwrap_err().code(), "not_found");
    assert_eq!(memory.check_models(Some("judge")).unwrap().models.len(), 1);
}

#[test]
fn i22_a_check_names_what_is_wrong_with_a_model_and_what_to_do() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    let path = folder.path().join("mine");
    copy("bert-reranker", &path);
    memory.add_model(&path, None).unwrap();
    std::fs::write(path.join("config.json"), "{}").unwrap();
    let check = memory.check_models(None).unwrap();
    assert_eq!((check.passed, check.models[0].passed, check.models[1].passed), (false, true, false));
    let (problem, remedy) = (check.models[1].problem.clone().unwrap(), check.models[1].remedy.clone().unwrap());
    assert!(problem.contains("mine") && problem.contains("not those that were added"), "{problem}");
    assert!(remedy.contains("recordar models add") && remedy.contains(&path.display().to_string()), "{remedy}");
    // What cannot be loaded is not added, and the entry stays.
    let refused = memory.add_model(&path, None).unwrap_err();
    assert_eq!(refused.code(), "model_folder");
    assert!(refused.to_string().contains("config.json") && !refused.remedy().is_empty(), "{refused}");
    assert_eq!(memory.models().unwrap().model_folders.len(), 1);
    std::fs::remove_dir_all(&path).unwrap();
    assert!(memory.check_models(Some("mine")).unwrap().models[0].problem.as_ref().unwrap().contains("is not there"));
    copy("bert-nli", &path);
    let added = memory.add_model(&path, None).unwrap();
    assert_eq!((added.replaced, added.model.kind), (true, ModelKind::Entailment), "the change was meant");
    assert!(memory.check_models(None).unwrap().passed);
}

#[test]
fn i22_names_of_models_are_plain_and_each_is_one_folder() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    for name in ["", " ", "a b", "a/b", "..", "judge", "x\n", "folder:x", &"x".repeat(65)] {
        assert_eq!(memory.add_model(&fixture("bert-nli"), Some(name)).unwrap_err().code(), "invalid", "{name:?}");
    }
    memory.add_model(&fixture("bert-nli"), Some("mine")).unwrap();
    let taken = memory.add_model(&fixture("bert-reranker"), Some("mine")).unwrap_err();
    assert_eq!(taken.code(), "exists");
    assert!(taken.to_string().contains("bert-nli"), "{taken}");
    assert!(
        memory.add_model(&fixture("bert-nli"), Some("other")).unwrap().replaced,
        "another name for the same folder"
    );
    assert_eq!(memory.models().unwrap().model_folders.len(), 1);
}

#[test]
fn i22_without_a_home_and_with_a_damaged_register_it_is_said() {
    let (database, folder) = desk();
    let homeless = crate::open(&database);
    assert!(homeless.models().unwrap().model_folders.is_empty());
    assert_eq!(homeless.add_model(&fixture("bert-nli"), None).unwrap_err().code(), "no_home");
    let memory = open(&database, folder.path());
    memory.add_model(&fixture("bert-nli"), None).unwrap();
    let register = folder.path().join("state/models.json");
    for (text, said) in [("{", "is damaged"), ("[]", "is damaged"), (r#"{"models": [{"name": "x"}]}"#, "is damaged")] {
        std::fs::write(&register, text).unwrap();
        let error = memory.models().unwrap_err();
        assert!(error.to_string().contains(said) && error.remedy().contains("models add"), "{error}");
    }
    std::fs::write(&register, r#"{"models": []}"#).unwrap();
    std::fs::set_permissions(&register, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(memory.models().unwrap_err().to_string().contains("other users can change it"));
}

#[test]
fn i22_models_that_several_add_at_once_are_all_registered() {
    let (database, folder) = desk();
    let memories: Vec<Recordar> = (0..4).map(|_| open(&database, folder.path())).collect();
    std::thread::scope(|scope| {
        for (number, memory) in memories.iter().enumerate() {
            let folder = folder.path();
            scope.spawn(move || {
                for round in 0..4 {
                    let path = folder.join(format!("model-{number}-{round}"));
                    copy("bert-nli", &path);
                    memory.add_model(&path, None).unwrap();
                }
            });
        }
    });
    assert_eq!(memories[0].models().unwrap().model_folders.len(), 16);
}

#[test]
fn i22_a_path_that_is_no_folder_and_the_judge_are_named_in_errors() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    let nowhere = memory.add_model(&folder.path().join("nowhere"), None).unwrap_err();
    assert!(
        nowhere.to_string().starts_with("there is no folder ") && nowhere.remedy().contains("nothing is downloaded")
    );
    let file = memory.add_model(&fixture("bert-nli").join("model.onnx"), None).unwrap_err();
    assert!(file.to_string().ends_with("model.onnx is a file, not a folder"), "{file}");
    let judge = memory.remove_model("judge").unwrap_err();
    assert!(judge.to_string().contains("part of the program") && judge.remedy().contains("rerank"), "{judge}");
}

#[test]
fn i22_a_confined_caller_cannot_touch_model_folders() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    memory.add_model(&fixture("bert-nli"), None).unwrap();
    let path = fixture("bert-reranker").display().to_string();
    for (verb, arguments) in [
        ("add_model", json!({"folder": path})),
        ("check_models", json!({})),
        ("remove_model", json!({"name": "bert-nli"})),
    ] {
        let caller = Caller {
            space: ada(),
            names_space: true,
            within: Some(recordar::call::Within::spaces(&ada(), &[])),
            files: false,
            authority: Authority::User,
            account: None,
            operation: operation(verb),
        };
        let arguments = arguments.as_object().unwrap().clone();
        let refused = memory.call(recordar::verb::named(verb).unwrap(), Call::new(caller), arguments).err().unwrap();
        assert_eq!(refused.code(), "out_of_reach", "{verb}");
    }
    assert_eq!(memory.models().unwrap().model_folders.len(), 1);
    let added = call(&memory, "add_model", json!({"folder": path, "name": "mine"})).unwrap();
    assert_eq!((&added["kind"], &added["name"]), (&json!("reranker"), &json!("mine")));
    assert_eq!(call(&memory, "remove_model", json!({"name": "mine"})).unwrap()["sha256"], added["sha256"]);
}

#[test]
fn i22_b6_a_reranker_from_a_folder_ranks_and_its_receipt_is_verified_without_it() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    let text = |number: usize| recordar::Message::new(&format!("The lamp was cleaned on day {number}."));
    memory.remember(&ada(), &(0..5).map(text).collect::<Vec<_>>(), &operation("said")).unwrap();
    copy("bert-reranker", &folder.path().join("mine"));
    memory.add_model(&folder.path().join("mine"), None).unwrap();
    memory.add_model(&fixture("bert-nli"), Some("claims")).unwrap();
    let search =
        |rerank: &str| call(&memory, "search", json!({"query": "When was the lamp cleaned?", "rerank": rerank}));
    let found = search("folder:mine").unwrap();
    assert!(found["hits"].as_array().unwrap().iter().all(|hit| hit["rerank"]["judged"] == true), "{found}");
    let path = folder.path().join("mine").canonicalize().unwrap();
    assert_eq!(search(&format!("folder:{}", path.display())).unwrap()["hits"], found["hits"]);
    let unfit = search("folder:claims").unwrap_err();
    assert!(unfit.to_string().contains("cannot rank passages"), "{unfit}");
    let recall =
        json!({"query": "When was the lamp cleaned?", "rerank": "folder:mine", "receipt": true, "min_score": 0.0});
    let recalled = call(&memory, "recall", recall).unwrap();
    std::fs::remove_dir_all(folder.path().join("mine")).unwrap();
    let why = call(&open(&database, folder.path()), "why", json!({"receipt": recalled["receipt"]})).unwrap();
    assert_eq!((&why["identical"], &why["text"]), (&json!(true), &recalled["text"]));
    let gone = open(&database, folder.path());
    let error = call(&gone, "search", json!({"query": "lamp", "rerank": "folder:mine"})).unwrap_err();
    assert!(error.remedy().contains("models add"), "{error}: {}", error.remedy());
}

#[test]
fn i22_a_registered_reranker_reranks_and_nothing_else_does() {
    let (database, folder) = desk();
    let memory = open(&database, folder.path());
    let said = ["The lamp is lit at dusk.", "The lamp is cleaned at noon.", "Boats come on Tuesdays."];
    let messages: Vec<_> = said.iter().map(|text| json!({"text": text})).collect();
    call(&memory, "remember", json!({"messages": messages})).unwrap();
    memory.add_model(&fixture("bert-reranker"), Some("mine")).unwrap();
    memory.add_model(&fixture("bert-embedder"), None).unwrap();
    let search = |rerank: &str| call(&memory, "search", json!({"query": "When is the lamp lit?", "rerank": rerank}));
    let path = fixture("bert-reranker").display().to_string();
    let by_name = search("folder:mine").unwrap();
    for hit in by_name["hits"].as_array().unwrap() {
        assert_eq!(hit["rerank"]["judged"], true, "{hit}");
        let (search, score) = (hit["rerank"]["search"].as_f64().unwrap(), hit["rerank"]["score"].as_f64().unwrap());
        assert!((0.0..=1.0).contains(&score) && (score - search).abs() < 0.2, "{hit}");
    }
    assert_eq!(by_name["hits"], search(&format!("folder:{path}")).unwrap()["hits"]);
    let code = |rerank: &str| search(rerank).unwrap_err().code().to_owned();
    assert_eq!(code("folder:bert-embedder"), "model_folder");
    assert_eq!(code("folder:other"), "not_found");
    assert_eq!(
        code(&format!("folder:{}", fixture("bert-nli").display())),
        "not_found",
        "it is there, and not registered"
    );
    memory.remove_model("mine").unwrap();
    assert_eq!(code("folder:mine"), "not_found");
}
