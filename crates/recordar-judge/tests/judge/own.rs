//! The judge on a tiny model with random weights: against Python, in and out of a batch, and with damaged files.

use crate::fixture;
use recordar_judge::{Effort, Judge, JudgeError};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Pair {
    first: String,
    second: String,
    tokens: usize,
    rel: [f32; 1],
    nli: [f32; 3],
}

fn tiny() -> Judge {
    Judge::from_file(&fixture("tiny.judge")).unwrap()
}

fn pairs() -> Vec<Pair> {
    serde_json::from_str(include_str!("../fixtures/tiny.pairs.json")).unwrap()
}

fn softmax(logits: [f32; 3], temperature: f32) -> [f32; 3] {
    let powers = logits.map(|logit| (logit / temperature).exp());
    powers.map(|power| power / powers.iter().sum::<f32>())
}

#[test]
fn i22_results_are_pythons_but_for_the_rounding_to_8_bits() {
    let judge = tiny();
    for pair in pairs() {
        let judged = judge.relevance(&pair.first, &[&pair.second], &Effort::default()).unwrap();
        assert_eq!(judged[0].tokens, pair.tokens, "{:?}", pair.second);
        assert!((judged[0].logit - pair.rel[0]).abs() < 0.05, "{:?}: {judged:?} {:?}", pair.second, pair.rel);
        let found = judge.entailment(&pair.first, &pair.second).unwrap().probabilities;
        let expected = softmax(pair.nli, 1.5);
        let difference = found.iter().zip(expected).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
        assert!(difference < 0.02, "{:?}: {found:?} {expected:?}", pair.second);
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn i22_a_pair_has_the_same_bits_alone_in_a_batch_and_on_any_number_of_threads() {
    let judge = tiny();
    let long = "The river was long and the city was old. ".repeat(40);
    let texts: Vec<String> = (0..40).map(|number| long[..number * 41 % 900].to_owned()).collect();
    let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
    let bits = |passages: &[&str], threads: usize| -> Vec<(u32, usize)> {
        let judged = judge.relevance("which city is old?", passages, &Effort { threads, ..Effort::default() }).unwrap();
        judged.iter().map(|judged| (judged.logit.to_bits(), judged.tokens)).collect()
    };
    let alone: Vec<(u32, usize)> = passages.iter().flat_map(|passage| bits(&[passage], 1)).collect();
    for threads in [1, 2, 3, 8] {
        assert_eq!(bits(&passages, threads), alone);
    }
    let reversed: Vec<&str> = passages.iter().rev().copied().collect();
    assert_eq!(bits(&reversed, 2), alone.iter().rev().copied().collect::<Vec<_>>());
}

#[test]
fn i22_the_bits_are_written_down() {
    // Other processors must find the same: nothing here may depend on their vectors, nor on how they fuse operations.
    let judge = tiny();
    let passages: Vec<Pair> = pairs();
    let bits: Vec<u32> = passages
        .iter()
        .map(|pair| judge.relevance(&pair.first, &[&pair.second], &Effort::default()).unwrap()[0].logit.to_bits())
        .collect();
    assert_eq!(bits, EXPECTED_BITS);
}

const EXPECTED_BITS: [u32; 7] =
    [0xbee2_8962, 0xbf0e_cd46, 0xbf80_b1b6, 0xbefa_0f7a, 0xbe84_3f78, 0xbf43_4489, 0xbeb3_6190];

#[test]
fn i22_a_stop_leaves_the_rest_unjudged() {
    let judge = tiny();
    assert_eq!(judge.relevance("who", &["a", "b"], &Effort { threads: 2, stop: &|| true }).unwrap(), []);
    assert_eq!(judge.relevance("who", &[], &Effort::default()).unwrap(), []);
}

#[test]
fn i22_a_long_passage_is_judged_by_the_window_that_matches() {
    let judge = tiny();
    let filler = "It was a long time ago and they did not know. ".repeat(60);
    let passage = format!("{filler}The house of the king was in the city. {filler}");
    let judged = judge.relevance("where was the house of the king?", &[&passage], &Effort::default()).unwrap();
    let read = &passage[judged[0].bytes.clone()];
    assert!(read.contains("The house of the king") && read.len() < 1500, "{read}");
    assert_eq!(judge.best_window("where was the house of the king?", &passage).unwrap(), judged[0].bytes);
    let window_alone = judge.relevance("where was the house of the king?", &[read], &Effort::default()).unwrap();
    assert_eq!(window_alone[0].logit.to_bits(), judged[0].logit.to_bits());
    assert_eq!(judge.entailment(&passage, "the house of the king was in the city").unwrap().bytes.len(), read.len());
}

fn load(bytes: &[u8]) -> Result<Judge, JudgeError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.judge");
    std::fs::write(&path, bytes).unwrap();
    Judge::from_file(&path)
}

fn message(bytes: &[u8]) -> String {
    load(bytes).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn i22_a_damaged_file_is_refused_with_a_reason() {
    let good = std::fs::read(fixture("tiny.judge")).unwrap();
    assert!(load(&good).is_ok());
    for cut in (0..good.len()).step_by(997).chain(0..40).chain([good.len() - 1]) {
        assert!(message(&good[..cut]).contains("copy the model again"), "cut at {cut}");
    }
    for at in (0..good.len()).step_by(1009).chain(0..600) {
        let mut changed = good.clone();
        changed[at] ^= 0x41;
        assert!(message(&changed).contains("copy the model again"), "changed at {at}");
    }
    assert!(message(&[good.clone(), vec![0]].concat()).contains("bytes instead of"));
    assert!(message(b"").contains("not a judge's file"));
    let missing = Judge::from_file(Path::new("/nowhere/x.judge")).err().unwrap().to_string();
    assert!(missing.contains("/nowhere/x.judge") && missing.contains("check the path"), "{missing}");
}

#[test]
fn i22_huge_dimensions_are_refused_before_memory_is_taken() {
    let good = std::fs::read(fixture("tiny.judge")).unwrap();
    let length = u32::from_le_bytes(good[8..12].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&good[12..12 + length]).unwrap();
    for field in ["vocabulary", "vocab_bytes", "hidden", "layers", "heads", "intermediate", "positions"] {
        for value in [0_u64, 1, 7, 4096, 1 << 31, u64::MAX] {
            let mut header = header.clone();
            if header[field] == value || (field, value) == ("heads", 1) {
                continue;
            }
            header[field] = value.into();
            let header = serde_json::to_vec(&header).unwrap();
            let file = [b"recojudg", &(header.len() as u32).to_le_bytes()[..], &header, &good[12 + length..]].concat();
            let said = message(&file);
            assert!(
                said.contains("limit")
                    || said.contains(" 0;")
                    || said.contains("instead of")
                    || said.contains("multiples"),
                "{field} {value}: {said}"
            );
        }
    }
    assert!(message(&[&b"recojudg"[..], &u32::MAX.to_le_bytes(), &[b' '; 100]].concat()).contains("limit"));
}
