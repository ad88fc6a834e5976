//! Models from folders: against Python, and when their files are not what they should be.

use crate::fixture;
use crate::hostile::{copy, damaged, message};
use recordar_judge::{Effort, Judge, JudgeKind};
use serde::Deserialize;
use std::path::Path;

const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Expected {
    first: String,
    second: String,
    output: Vec<f32>,
}

fn expected(name: &str) -> Vec<Expected> {
    serde_json::from_slice(&std::fs::read(fixture(&format!("{name}.json"))).unwrap()).unwrap()
}

fn near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < TOLERANCE, "{what}: {found} {expected}");
    }
}

#[test]
fn i22_rerankers_give_pythons_logits() {
    for name in ["bert-reranker", "deberta-reranker"] {
        let judge = Judge::from_folder(&fixture(name)).unwrap();
        assert_eq!((judge.kind(), judge.name()), (JudgeKind::Reranker, name));
        for pair in expected(name) {
            let judged = judge.relevance(&pair.first, &[&pair.second], &Effort::default()).unwrap();
            near(&[judged[0].logit], &pair.output, &format!("{name} {:?}", pair.first));
        }
    }
}

#[test]
fn i22_a_rerankers_logit_of_0_leaves_the_score_of_a_search_as_it_is() {
    let calibration = |name: &str| Judge::from_folder(&fixture(name)).unwrap().calibration().clone();
    let mix = calibration("bert-reranker");
    let mixed = |search: f64, logit: f64| {
        let odds = mix["mix_search"] * (search / (1.0 - search)).ln() + mix["mix_judge"] * logit + mix["mix_bias"];
        1.0 / (1.0 + (-odds).exp())
    };
    for search in [0.05, 0.3, 0.9] {
        assert!((mixed(search, 0.0) - search).abs() < 1e-12);
        assert!(mixed(search, 5.0) > search && mixed(search, -5.0) < search);
        assert!((0.0..=1.0).contains(&mixed(search, 1e4)) && (0.0..=1.0).contains(&mixed(search, -1e4)));
    }
    assert!(calibration("bert-nli").is_empty() && calibration("bert-embedder").is_empty());
}

#[test]
fn i22_entailment_gives_pythons_probabilities_whatever_the_order_of_labels() {
    let judge = Judge::from_folder(&fixture("bert-nli")).unwrap();
    assert_eq!(judge.kind(), JudgeKind::Entailment);
    for pair in expected("bert-nli") {
        let found = judge.entailment(&pair.first, &pair.second).unwrap().probabilities;
        let powers: Vec<f32> = pair.output.iter().map(|logit| logit.exp()).collect();
        let sum: f32 = powers.iter().sum();
        // The fixture's labels: contradiction, entailment, neutral.
        near(&found, &[powers[1] / sum, powers[2] / sum, powers[0] / sum], &pair.first);
    }
}

#[test]
fn i22_embedders_give_pythons_vectors_by_mean_and_by_first_token() {
    let folder = copy("bert-embedder");
    let pooling = folder.path().join("1_Pooling");
    std::fs::create_dir(&pooling).unwrap();
    let check = |config: Option<&str>, part: std::ops::Range<usize>| {
        if let Some(config) = config {
            std::fs::write(pooling.join("config.json"), config).unwrap();
        }
        let judge = Judge::from_folder(folder.path()).unwrap();
        for text in expected("bert-embedder") {
            let found = judge.embed(&[&text.first], &Effort::default()).unwrap();
            near(&found[0], &text.output[part.clone()], &text.first);
        }
        judge.hash().to_owned()
    };
    let plain = check(None, 0..16);
    let mean = check(Some(r#"{"pooling_mode_mean_tokens": true}"#), 0..16);
    let first = check(Some(r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#), 16..32);
    assert!(plain != mean && mean != first, "another configuration is another model");
    std::fs::write(pooling.join("config.json"), r#"{"pooling_mode_max_tokens": true}"#).unwrap();
    assert!(message(folder.path()).contains("mean or first-token"));
}

#[test]
fn i22_a_folders_result_has_the_same_bits_in_any_batch_and_on_any_number_of_threads() {
    let long = "The river was long. The city was old. ".repeat(30);
    for name in ["bert-reranker", "deberta-reranker"] {
        let judge = Judge::from_folder(&fixture(name)).unwrap();
        let passages: Vec<&str> = (0..12).map(|number| &long[..number * 97 % 500]).collect();
        let bits = |passages: &[&str], threads: usize| -> Vec<u32> {
            let effort = Effort { threads, ..Effort::default() };
            judge
                .relevance("an old city?", passages, &effort)
                .unwrap()
                .iter()
                .map(|judged| judged.logit.to_bits())
                .collect()
        };
        let alone: Vec<u32> = passages.iter().flat_map(|passage| bits(&[passage], 1)).collect();
        for threads in [1, 2, 3] {
            assert_eq!(bits(&passages, threads), alone);
        }
    }
}

#[test]
fn i22_long_texts_are_read_in_part_and_odd_ones_do_no_harm() {
    let long = "it was so. ".repeat(900);
    for name in ["bert-reranker", "deberta-reranker"] {
        let judge = Judge::from_folder(&fixture(name)).unwrap();
        let passage = format!("{long}the king of the city. {long}");
        let judged = judge.relevance("the king of the city", &[&passage], &Effort::default()).unwrap();
        assert!(passage[judged[0].bytes.clone()].contains("king"), "{judged:?}");
        assert!(judged[0].tokens <= 160);
        for odd in ["", " ", "\u{0}\u{fffd}", "👩‍👩‍👧 각 ﬁ ½", &long, &"x".repeat(3000)] {
            judge.relevance(odd, &[odd, "b"], &Effort::default()).unwrap();
        }
    }
    let embedder = Judge::from_folder(&fixture("bert-embedder")).unwrap();
    assert_eq!(embedder.embed(&["", &long], &Effort::default()).unwrap().len(), 2);
}

#[test]
fn i22_a_model_is_not_used_for_what_it_is_not_made_for() {
    let reranker = Judge::from_folder(&fixture("bert-reranker")).unwrap();
    let embedder = Judge::from_folder(&fixture("bert-embedder")).unwrap();
    let said = [
        reranker.entailment("a", "b").err().unwrap().to_string(),
        reranker.embed(&["a"], &Effort::default()).err().unwrap().to_string(),
        embedder.relevance("a", &["b"], &Effort::default()).err().unwrap().to_string(),
        Judge::shipped().unwrap().embed(&["a"], &Effort::default()).err().unwrap().to_string(),
    ];
    assert_eq!(
        said[0],
        "model bert-reranker is a reranker, so it cannot judge statements; use an entailment model, or the built-in judge"
    );
    assert!(said[1..].iter().all(|said| said.contains("so it cannot") && said.contains("; use ")), "{said:?}");
}

#[test]
fn i22_what_is_missing_is_named() {
    assert!(message(Path::new("/nowhere")).contains("/nowhere/model.onnx: it is not there; export the model"));
    for file in ["config.json", "model.onnx", "tokenizer.json"] {
        let folder = copy("bert-reranker");
        std::fs::remove_file(folder.path().join(file)).unwrap();
        let said = message(folder.path());
        assert!(said.contains(file) && said.contains("it is not there; "), "{said}");
    }
    let folder = copy("bert-reranker");
    std::fs::create_dir(folder.path().join("onnx")).unwrap();
    std::fs::rename(folder.path().join("model.onnx"), folder.path().join("onnx/model.onnx")).unwrap();
    assert_eq!(message(folder.path()), "", "onnx/model.onnx is a usual place");
}

#[test]
fn i22_a_configuration_that_does_not_fit_is_refused_with_a_reason() {
    for (name, change, reason) in [
        ("bert-reranker", r#"{"model_type": "llama"}"#, "is not supported"),
        ("bert-reranker", r#"{"max_position_embeddings": -1}"#, "max_position_embeddings is -1"),
        ("bert-reranker", r#"{"vocab_size": 3}"#, "config.json says 3 tokens"),
        ("bert-reranker", r#"{"id2label": {"0": "a", "1": "b"}}"#, "2 labels"),
        ("bert-reranker", r#"{"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}}"#, "shape"),
        ("bert-nli", r#"{"id2label": {"0": "entailment", "1": "neutral", "2": "entails"}}"#, "id2label"),
        ("bert-nli", r#"{"id2label": {"0": "entailment", "1": "neutral", "9": "contradiction"}}"#, "id2label"),
        ("bert-nli", r#"{"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}"#, "id2label"),
        ("bert-nli", r#"{"id2label": {"0": "LABEL_0"}}"#, "shape"),
        ("bert-nli", r#"{"architectures": ["BertModel"]}"#, "shape"),
        ("bert-embedder", r#"{"architectures": ["BertForSequenceClassification"], "id2label": {"0": "x"}}"#, "shape"),
        ("bert-reranker", "[]", "it is damaged"),
        ("bert-reranker", "", "it is damaged"),
    ] {
        let folder = copy(name);
        let path = folder.path().join("config.json");
        let mut config: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let text = match serde_json::from_str::<serde_json::Value>(change) {
            Ok(serde_json::Value::Object(change)) => {
                config.as_object_mut().unwrap().extend(change);
                config.to_string()
            }
            _ => change.to_owned(),
        };
        std::fs::write(&path, text).unwrap();
        let said = message(folder.path());
        assert!(said.contains(reason) && said.contains("; "), "{name} {change}: {said}");
    }
}

#[test]
fn i22_weights_in_another_file_are_not_read() {
    let good = std::fs::read(fixture("bert-reranker").join("model.onnx")).unwrap();
    // A tensor of the graph whose data is elsewhere: field 7 of the model is the graph, 5 of it a tensor, and 13 and 14 of
    // that say where its data is. A graph that comes again is joined with the first one.
    let entry = |key: &str, value: &str| {
        let pair = [&[0x0a, key.len() as u8], key.as_bytes(), &[0x12, value.len() as u8], value.as_bytes()].concat();
        [&[0x6a, pair.len() as u8], &pair[..]].concat()
    };
    for more in [vec![], [entry("offset", "0"), entry("length", "16")].concat()] {
        let place = entry("location", "../../../etc/passwd");
        let tensor = [&[0x08, 0x04, 0x10, 0x01, 0x42, 0x01, b'w'], &place[..], &more, &[0x70, 0x01]].concat();
        let graph = [&[0x2a, tensor.len() as u8], &tensor[..]].concat();
        assert!(graph.len() < 128, "lengths are written in one byte");
        let folder = copy("bert-reranker");
        std::fs::write(folder.path().join("model.onnx"), [&good, &[0x3a, graph.len() as u8][..], &graph].concat())
            .unwrap();
        let said = message(folder.path());
        assert!(said.ends_with("which is not read; save the model as one ONNX file, without external data"), "{said}");
    }
}

#[test]
fn i22_of_a_known_model_every_change_is_noticed_before_it_is_parsed() {
    for name in ["bert-reranker", "deberta-reranker"] {
        let folder = copy(name);
        let hash = Judge::from_folder(folder.path()).unwrap().hash().to_owned();
        assert!(Judge::from_known_folder(folder.path(), &hash).is_ok());
        for file in ["model.onnx", "tokenizer.json", "config.json"] {
            let path = folder.path().join(file);
            let good = std::fs::read(&path).unwrap();
            for bytes in damaged(&good).filter(|bytes| *bytes != good) {
                std::fs::write(&path, &bytes).unwrap();
                let said = Judge::from_known_folder(folder.path(), &hash).err().unwrap().to_string();
                assert!(
                    said.contains("not those that were added") && said.contains("; copy the model again"),
                    "{said}"
                );
            }
            std::fs::write(&path, &good).unwrap();
        }
    }
}

#[test]
fn i22_damaged_files_of_an_unknown_model_are_refused_or_run() {
    for (name, file) in [
        ("bert-reranker", "tokenizer.json"),
        ("deberta-reranker", "tokenizer.json"),
        ("bert-nli", "config.json"),
        ("bert-reranker", "model.onnx"),
        ("deberta-reranker", "model.onnx"),
    ] {
        let folder = copy(name);
        let path = folder.path().join(file);
        let good = std::fs::read(&path).unwrap();
        for bytes in damaged(&good) {
            std::fs::write(&path, &bytes).unwrap();
            // A change may go unnoticed; what is noticed must have a reason.
            match Judge::from_folder(folder.path()) {
                Err(error) => assert!(error.to_string().contains("; "), "{error}"),
                Ok(judge) => drop(judge.relevance("who", &["a b c"], &Effort::default())),
            }
        }
    }
}
