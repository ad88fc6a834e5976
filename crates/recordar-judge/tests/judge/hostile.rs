//! Networks that are damaged, or made to do harm: always an error with a reason, nothing printed, and no more memory than a model may take.

use crate::fixture;
use recordar_judge::{Effort, Judge, JudgeKind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// What the process may have taken at any time, for networks of a hundred kilobytes.
const MAX_PEAK_KIB: u64 = 768 * 1024;
const ROUNDS: usize = 400;
const SOAK_ROUNDS: usize = 20_000;

/// Panics that would have been printed.
static PRINTED: AtomicUsize = AtomicUsize::new(0);

fn watch_for_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PRINTED.fetch_add(1, Ordering::SeqCst);
        before(panic);
    }));
}

fn assert_calm(what: &str) {
    assert_eq!(PRINTED.load(Ordering::SeqCst), 0, "{what}: a panic was printed");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    assert!(peak.unwrap_or_default() < MAX_PEAK_KIB, "{what}: {peak:?} KiB");
}

/// A copy of a fixture's folder, to change.
pub(crate) fn copy(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.onnx", "tokenizer.json"] {
        std::fs::copy(fixture(name).join(file), folder.path().join(file)).unwrap();
    }
    folder
}

pub(crate) fn message(folder: &Path) -> String {
    Judge::from_folder(folder).err().map(|error| error.to_string()).unwrap_or_default()
}

/// Numbers that look random, always the same.
fn scattered(seed: u64) -> impl Iterator<Item = usize> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    })
}

/// Cut at many places, and changed at many.
pub(crate) fn damaged(good: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cuts = scattered(1).take(40).map(|number| good[..number % good.len()].to_vec());
    let mut numbers = scattered(2);
    let changes = (0..150).map(move |_| {
        let mut changed = good.to_vec();
        for _ in 0..numbers.next().unwrap() % 3 + 1 {
            let at = numbers.next().unwrap() % changed.len();
            changed[at] ^= 1 << (numbers.next().unwrap() % 8);
        }
        changed
    });
    cuts.chain(changes)
}

/// One change of a kind that leaves most of a file readable.
fn mutated(good: &[u8], numbers: &mut impl Iterator<Item = usize>) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let mut next = |below: usize| numbers.next().unwrap() % below.max(1);
    for _ in 0..next(3) + 1 {
        let at = next(bytes.len());
        match next(12) {
            0 => bytes[at] ^= 1 << next(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][next(5)],
            2 => bytes[at] = bytes[at].wrapping_add(1),
            // Only where numbers are short, since most of a network is weights.
            3 => {
                let places: Vec<usize> = (0..bytes.len()).filter(|place| bytes[*place] < 8).collect();
                bytes[places[next(places.len())]] = next(256) as u8;
            }
            // The name of an operator becomes that of another.
            4 => {
                let names: [&[u8]; 8] = [b"Add", b"Mul", b"Sub", b"Div", b"Where", b"Slice", b"Shape", b"Range"];
                let (from, to) = (names[next(8)], names[next(8)]);
                let found = bytes.windows(from.len()).skip(at).position(|window| window == from);
                if let (Some(place), true) = (found, from.len() == to.len()) {
                    bytes[at + place..][..to.len()].copy_from_slice(to);
                }
            }
            5 => {
                let (from, length) = (next(bytes.len()), next(64));
                let piece: Vec<u8> = bytes[from..(from + length).min(bytes.len())].to_vec();
                let end = (at + piece.len()).min(bytes.len());
                bytes[at..end].copy_from_slice(&piece[..end - at]);
            }
            // A constant of 64 bits: the field that holds it, its length, and the number.
            7..=9 => {
                let places = places(&bytes, b"\x4a\x08");
                let number = [0, -1, 1, 2, 3, 7, 1 << 16, 1 << 24, 1 << 31, 1 << 40, i64::MAX, i64::MIN][next(12)];
                if let Some(place) = places.get(next(places.len())).filter(|place| **place + 10 <= bytes.len()) {
                    bytes[place + 2..place + 10].copy_from_slice(&number.to_le_bytes());
                }
            }
            // An attribute that is one number: it stands before the field that says so.
            10 | 11 => {
                let places = places(&bytes, b"\xa0\x01\x02");
                if let Some(place) = places.get(next(places.len())) {
                    bytes[place - 1] = next(128) as u8;
                }
            }
            _ => bytes.truncate(bytes.len() - next(64).min(bytes.len() - 1)),
        }
    }
    bytes
}

fn places(bytes: &[u8], pattern: &[u8]) -> Vec<usize> {
    (1..bytes.len()).filter(|place| bytes[*place..].starts_with(pattern)).collect()
}

#[test]
fn i22_a_changed_network_is_refused_or_runs_and_never_panics_aloud() {
    watch_for_panics();
    let rounds = if std::env::var_os("RECORDAR_SOAK").is_some() { SOAK_ROUNDS } else { ROUNDS };
    let (mut refused, mut loaded, mut failed) = (0, 0, 0);
    for (number, name) in ["bert-reranker", "deberta-reranker", "bert-nli", "bert-embedder"].iter().enumerate() {
        let folder = copy(name);
        let path = folder.path().join("model.onnx");
        let good = std::fs::read(&path).unwrap();
        let mut numbers = scattered(number as u64 + 11);
        for round in 0..rounds / 4 {
            std::fs::write(&path, mutated(&good, &mut numbers)).unwrap();
            match Judge::from_folder(folder.path()) {
                Err(error) => {
                    let said = error.to_string();
                    assert!(said.contains("; ") && said.contains(&folder.path().display().to_string()), "{said}");
                    refused += 1;
                }
                Ok(judge) => {
                    let effort = Effort { threads: 1, ..Effort::default() };
                    let done = match judge.kind() {
                        JudgeKind::Entailment => judge.entailment("a b", "c").map(drop),
                        JudgeKind::Embedder => judge.embed(&["a b c"], &effort).map(drop),
                        _ => judge.relevance("who was it", &["a b c", ""], &effort).map(drop),
                    };
                    failed += usize::from(done.is_err());
                    loaded += 1;
                }
            }
            assert_calm(&format!("{name} {round}"));
        }
    }
    assert!(refused > rounds / 8 && loaded > rounds / 8, "{refused} refused, {loaded} loaded, {failed} of them failed");
}

/// A message of protobuf, field by field.
#[derive(Clone, Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn varint(mut self, mut number: u64) -> Self {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
        self
    }

    fn number(self, field: u64, number: u64) -> Self {
        self.varint(field << 3).varint(number)
    }

    fn put(self, field: u64, bytes: impl AsRef<[u8]>) -> Self {
        let mut next = self.varint(field << 3 | 2).varint(bytes.as_ref().len() as u64);
        next.0.extend(bytes.as_ref());
        next
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn new() -> Bytes {
    Bytes::default()
}

fn node(kind: &str, inputs: &[&str], outputs: &[&str], attributes: &[Bytes]) -> Bytes {
    let node = inputs.iter().fold(new(), |node, name| node.put(1, name));
    let node = outputs.iter().fold(node, |node, name| node.put(2, name)).put(4, kind);
    attributes.iter().fold(node, |node, attribute| node.put(5, attribute))
}

/// A tensor of 64-bit numbers.
fn numbers(name: &str, dims: &[u64], values: &[i64]) -> Bytes {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    dims.iter().fold(new(), |tensor, dim| tensor.number(1, *dim)).number(2, 7).put(8, name).put(9, raw)
}

fn attribute(name: &str) -> Bytes {
    new().put(1, name)
}

fn graph(nodes: &[Bytes], tensors: &[Bytes], inputs: &[&str], outputs: &[&str]) -> Bytes {
    // Elements of 64 bits, in one row.
    let value = |name: &&str| {
        let shape = new().put(1, new().number(1, 1)).put(1, new().put(2, "length"));
        new().put(1, name).put(2, new().put(1, new().number(1, 7).put(2, shape)))
    };
    let graph = nodes.iter().fold(new(), |graph, node| graph.put(1, node)).put(2, "main");
    let graph = tensors.iter().fold(graph, |graph, tensor| graph.put(5, tensor));
    let graph = inputs.iter().fold(graph, |graph, name| graph.put(11, value(name)));
    outputs.iter().fold(graph, |graph, name| graph.put(12, value(name)))
}

/// A network with these nodes, from input_ids to logits.
fn network(nodes: &[Bytes], tensors: &[Bytes]) -> Bytes {
    model(&graph(nodes, tensors, &["input_ids"], &["logits"]))
}

fn model(graph: &Bytes) -> Bytes {
    new().number(1, 8).put(8, new().put(1, "").number(2, 17)).put(7, graph)
}

fn refusal(network: &Bytes) -> String {
    let folder = copy("bert-reranker");
    std::fs::write(folder.path().join("model.onnx"), network).unwrap();
    let said = message(folder.path());
    assert_calm(&said);
    said
}

#[test]
fn i22_networks_made_to_do_harm_are_refused_with_a_reason() {
    watch_for_panics();
    let cast = || node("Cast", &["input_ids"], &["logits"], &[attribute("to").number(3, 1)]);
    let chain = |length: usize| -> Bytes {
        let name = |at: usize| if at == 0 { "input_ids".to_owned() } else { format!("v{at}") };
        let mut nodes: Vec<Bytes> = (0..length).map(|at| node("Neg", &[&name(at)], &[&name(at + 1)], &[])).collect();
        nodes.push(node("Cast", &[&name(length)], &["logits"], &[attribute("to").number(3, 1)]));
        network(&nodes, &[])
    };
    let wide = |width: usize| -> Bytes {
        let nodes = (0..width).map(|at| node("Neg", &["input_ids"], &[&format!("v{at}")], &[]));
        network(&nodes.chain([cast()]).collect::<Vec<_>>(), &[])
    };
    let branch = |depth: usize| -> Bytes {
        let mut inner = graph(&[node("Identity", &["input_ids"], &["x"], &[])], &[], &[], &["x"]);
        for _ in 0..depth {
            let then = attribute("then_branch").put(6, &inner);
            let other = attribute("else_branch").put(6, graph(&[], &[numbers("x", &[1], &[1])], &[], &["x"]));
            inner = graph(&[node("If", &["input_ids"], &["x"], &[then, other])], &[], &[], &["x"]);
        }
        inner
    };
    let nested = |depth: usize| {
        network(&[node("If", &["input_ids"], &["logits"], &[attribute("then_branch").put(6, branch(depth))])], &[])
    };
    let sized = |kind: &str, inputs: &[&str], sizes: &[i64]| {
        network(
            &[node(kind, inputs, &["logits"], &[])],
            &[numbers("size", &[sizes.len() as u64], sizes), numbers("one", &[], &[1])],
        )
    };
    // Each node makes twice as much as the one before.
    let name = |at: usize| format!("v{at}");
    let doubling =
        (0..40).map(|at| node("Concat", &[&name(at), &name(at)], &[&name(at + 1)], &[attribute("axis").number(3, 0)]));
    let flat = || node("Reshape", &["input_ids", "flat"], &["v0"], &[]);
    let flat_shape = || numbers("flat", &[1], &[-1]);
    let ended = |at: usize| node("Cast", &[&name(at)], &["logits"], &[attribute("to").number(3, 1)]);
    let doubled =
        network(&[flat()].into_iter().chain(doubling).chain([ended(40)]).collect::<Vec<_>>(), &[flat_shape()]);
    let wide_row = node("ConstantOfShape", &["wide"], &["row"], &[]);
    let outer = node("MatMul", &["column", "row"], &["logits"], &[]);
    let turned = node("Transpose", &["row"], &["column"], &[attribute("perm").number(8, 1).number(8, 0)]);
    let squared = network(&[wide_row, turned, outer], &[numbers("wide", &[2], &[1, 1 << 15])]);
    let from_text = network(&[flat(), node("ConstantOfShape", &["v0"], &["logits"], &[])], &[flat_shape()]);
    let blocks = (0..8).map(|at| node("ConstantOfShape", &["block"], &[&format!("b{at}")], &[]));
    let block_names: Vec<String> = (0..8).map(|at| format!("b{at}")).collect();
    let block_names: Vec<&str> = block_names.iter().map(String::as_str).collect();
    let added = node("Sum", &block_names, &["logits"], &[]);
    let many = network(&blocks.chain([added]).collect::<Vec<_>>(), &[numbers("block", &[1], &[1 << 26])]);
    let huge = 1 << 40;
    for (what, bytes, reason) in [
        ("wrong rank", network(&[cast()], &[]), "shape"),
        ("nothing", new(), "cut off, or not an ONNX file"),
        ("no graph", new().number(1, 8), "cut off, or not an ONNX file"),
        ("two graphs", Bytes([network(&[cast()], &[]).0, network(&[cast()], &[]).0].concat()), "two nodes make logits"),
        (
            "a cycle",
            network(
                &[node("Add", &["input_ids", "b"], &["a"], &[]), node("Add", &["a", "a"], &["b"], &[]), cast()],
                &[],
            ),
            "which nothing before it makes",
        ),
        (
            "itself",
            network(&[node("Add", &["input_ids", "logits"], &["logits"], &[])], &[]),
            "which nothing before it makes",
        ),
        ("no such output", network(&[], &[]), "nothing makes its output logits"),
        ("absurd shape", network(&[cast()], &[numbers("w", &[huge, huge], &[1])]), "another size than its shape"),
        ("too large a shape", network(&[cast()], &[numbers("w", &[huge], &[1])]), "another size than its shape"),
        ("negative shape", network(&[cast()], &[numbers("w", &[u64::MAX], &[])]), "another size than its shape"),
        ("short data", network(&[cast()], &[numbers("w", &[3], &[1, 2])]), "another size than its shape"),
        ("many dimensions", network(&[cast()], &[numbers("w", &[1; 9], &[1])]), "more than 8 dimensions"),
        (
            "odd kind",
            network(&[cast()], &[new().number(1, 1).number(2, 99).put(8, "w")]),
            "a kind that is not supported",
        ),
        (
            "constant of shape",
            sized("ConstantOfShape", &["size"], &[1 << 20, 1 << 20]),
            "would make a tensor of the shape",
        ),
        ("expand", sized("Expand", &["one", "size"], &[1 << 40]), "would make a tensor of the shape"),
        ("tile", sized("Tile", &["input_ids", "size"], &[1, 1 << 33]), "would make a tensor of the shape"),
        ("range", sized("Range", &["one", "size", "one"], &[i64::MAX]), "would make a tensor of the shape"),
        (
            "perm",
            network(
                &[node("Transpose", &["input_ids"], &["logits"], &[attribute("perm").number(8, 1).number(8, 1)])],
                &[],
            ),
            "an order that is not one",
        ),
        (
            "perm out of range",
            network(
                &[node("Transpose", &["input_ids"], &["logits"], &[attribute("perm").number(8, 0).number(8, 7)])],
                &[],
            ),
            "an order that is not one",
        ),
        (
            "loop",
            network(&[node("Loop", &["input_ids"], &["logits"], &[])], &[]),
            "a Loop node, which is not supported",
        ),
        ("functions", Bytes([network(&[cast()], &[]).0, new().put(25, "f").0].concat()), "functions of its own"),
        ("long chain", chain(15_000), "in a row"),
        ("many nodes", wide(25_000), "20000 nodes, which is the limit"),
        ("chain", chain(9_000), "shape"),
        ("nested", nested(2000), "nested more than 4 deep"),
        (
            "sequence",
            model(
                &graph(&[cast()], &[], &["input_ids"], &["logits"])
                    .put(13, new().put(1, "s").put(2, new().put(4, new()))),
            ),
            "not a tensor",
        ),
        (
            "unknown operator",
            network(&[node("Teapot", &["input_ids"], &["logits"], &[])], &[]),
            "a Teapot node is not supported",
        ),
        ("doubling", doubled, "would make a tensor of the shape"),
        ("a square", squared, "would make a tensor of the shape"),
        ("a size from the text", from_text, "not known before"),
        ("much at the same time", many, "are needed at the same time"),
        ("rten's own format", Bytes(b"RTEN\x02\0\0\0\0\0\0\0\0\0\0\0".to_vec()), "cut off, or not an ONNX file"),
    ] {
        let said = refusal(&bytes);
        assert!(said.contains(reason) && said.contains("; "), "{what}: {said}");
    }
}

#[test]
fn i22_a_huge_file_is_refused_before_it_is_read() {
    watch_for_panics();
    for name in ["model.onnx", "tokenizer.json", "config.json"] {
        let folder = copy("bert-reranker");
        // It takes no space on the disk.
        std::fs::File::create(folder.path().join(name)).unwrap().set_len(3 << 30).unwrap();
        let said = message(folder.path());
        assert!(said.contains(name) && said.contains("which is the limit; use a smaller model"), "{said}");
        assert_calm(name);
    }
}

#[test]
fn i22_a_tokenizer_that_swells_texts_is_refused() {
    watch_for_panics();
    let folder = copy("bert-reranker");
    let path = folder.path().join("tokenizer.json");
    let mut json: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let twice = serde_json::json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
    json["normalizer"] = serde_json::json!({"type": "Sequence", "normalizers": vec![twice; 40]});
    std::fs::write(&path, json.to_string()).unwrap();
    let said = message(folder.path());
    assert!(said.contains("tokenizer.json") && said.contains("times as long"), "{said}");
    assert_calm("tokenizer");
}
