//! What an ONNX file must be before it is given to `rten`: whole, of one graph in which nothing comes before what it needs, within limits, and
//! with weights that are as large as they say. `rten` takes files at their word, and panics on some that are wrong.

use super::graph::{Graph, MAX_VALUES, Node, Tensor};
use super::protobuf::{CUT, Value, fields};
use super::sizes::{self, Limits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Of all graphs together. The largest models of these families have a few thousand.
const MAX_NODES: usize = 20_000;
const MAX_TENSORS: usize = 20_000;
const MAX_NAMES_OF_A_NODE: usize = 1024;
const MAX_DIMS: usize = 8;
/// Graphs within nodes of graphs, as `If` has them.
const MAX_DEPTH: usize = 4;
/// Nodes that need each other in a row. `rten` visits them one within the other.
const MAX_CHAIN: u32 = 10_000;
/// They repeat a graph as often as a number says.
const UNBOUNDED: [&str; 3] = ["Loop", "Scan", "SequenceMap"];

pub(super) const EXTERNAL: &str = "its weights are in a file beside it, which is not read";

/// A network that was read, to find out how large its values get.
pub(super) struct Outline {
    graph: Graph,
    inputs: Vec<usize>,
    names: usize,
    /// The numbers of tokens that were found to be harmless.
    harmless: Mutex<BTreeSet<usize>>,
}

impl Outline {
    /// Says what is wrong with a file, if something is.
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let mut graphs = Vec::new();
        for field in fields(file) {
            match field? {
                (7, graph) => graphs.push(graph.bytes()?),
                (20, _) => return Err("it holds data of its training".to_owned()),
                (25, _) => return Err("it defines functions of its own".to_owned()),
                _ => {}
            }
        }
        let (mut walk, mut read) = (Walk::default(), Vec::new());
        for graph in &graphs {
            read.push(walk.graph(graph, 0)?);
        }
        match (read.pop(), read.pop()) {
            (Some((graph, inputs)), None) => {
                Ok(Self { graph, inputs, names: walk.numbers.len(), harmless: Mutex::default() })
            }
            (None, _) => Err(CUT.to_owned()),
            _ => Err("it has more than one graph".to_owned()),
        }
    }

    /// Whether a run for so many tokens stays within limits.
    pub(super) fn check(&self, tokens: usize) -> Result<(), String> {
        let known = || self.harmless.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(&tokens) {
            return Ok(());
        }
        self.check_within(tokens, Limits::USUAL)?;
        known().insert(tokens);
        Ok(())
    }

    pub(super) fn check_within(&self, tokens: usize, limits: Limits) -> Result<(), String> {
        sizes::check(&self.graph, &self.inputs, self.names, tokens as u64, limits)
    }
}

/// What was seen so far.
#[derive(Default)]
struct Walk<'a> {
    nodes: usize,
    tensors: usize,
    /// The number of each name.
    numbers: FxHashMap<&'a [u8], usize>,
    /// The values that a node may use, and how many nodes in a row they took. Those of outer graphs are seen within.
    chains: FxHashMap<usize, u32>,
}

impl<'a> Walk<'a> {
    /// The graph, and its inputs.
    fn graph(&mut self, bytes: &'a [u8], depth: usize) -> Result<(Graph, Vec<usize>), String> {
        if depth > MAX_DEPTH {
            return Err(format!("its graphs are nested more than {MAX_DEPTH} deep"));
        }
        let (mut graph, mut inputs) = (Graph::default(), Vec::new());
        // Values of a branch end with it.
        let mut local = Vec::new();
        // Weights come after the nodes in a file.
        for field in fields(bytes) {
            match field? {
                (5, tensor) => {
                    let (name, tensor) = self.tensor(tensor.bytes()?)?;
                    let name = self.number(name);
                    self.define(name, 0, &mut local);
                    graph.tensors.push((name, tensor));
                }
                (11, input) => {
                    let name = self.number(value_name(input.bytes()?)?);
                    self.define(name, 0, &mut local);
                    inputs.push(name);
                }
                (12 | 13, value) => drop(value_name(value.bytes()?)?),
                (15, _) => return Err("it has sparse weights".to_owned()),
                _ => {}
            }
        }
        for field in fields(bytes) {
            if let (1, node) = field? {
                let node = self.node(node.bytes()?, depth, &mut local)?;
                graph.nodes.push(node);
            }
        }
        for field in fields(bytes) {
            if let (12, output) = field? {
                let name = value_name(output.bytes()?)?;
                let number = self.number(name);
                if !self.chains.contains_key(&number) {
                    return Err(format!("nothing makes its output {}", shown(name)));
                }
                graph.outputs.push(number);
            }
        }
        if depth > 0 {
            for name in &local {
                self.chains.remove(name);
            }
        }
        // A weight may be given as an input as well, to be replaced. It is not replaced here.
        let weights: FxHashSet<usize> = graph.tensors.iter().map(|(name, _)| *name).collect();
        inputs.retain(|input| !weights.contains(input));
        Ok((graph, inputs))
    }

    fn number(&mut self, name: &'a [u8]) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name).or_insert(next)
    }

    fn define(&mut self, name: usize, chain: u32, local: &mut Vec<usize>) {
        if self.chains.insert(name, chain).is_none() {
            local.push(name);
        }
    }

    fn node(&mut self, bytes: &'a [u8], depth: usize, local: &mut Vec<usize>) -> Result<Node, String> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("it has more than {MAX_NODES} nodes, which is the limit"));
        }
        let (mut kind, mut inputs, mut outputs): (&[u8], Vec<&[u8]>, Vec<&[u8]>) = (b"", Vec::new(), Vec::new());
        let mut attributes = Vec::new();
        for field in fields(bytes) {
            match field? {
                (1, name) => inputs.push(name.bytes()?),
                (2, name) => outputs.push(name.bytes()?),
                (4, name) => kind = name.bytes()?,
                (5, attribute) => attributes.push(attribute.bytes()?),
                _ => {}
            }
            if inputs.len().max(outputs.len()).max(attributes.len()) > MAX_NAMES_OF_A_NODE {
                return Err(format!("a node has more than {MAX_NAMES_OF_A_NODE} inputs, outputs or attributes"));
            }
        }
        let mut node = Node { kind: shown(kind), ..Node::default() };
        if UNBOUNDED.contains(&node.kind.as_str()) {
            return Err(format!("it has a {} node, which is not supported", node.kind));
        }
        let mut chain = 0;
        for name in inputs {
            if name.is_empty() {
                node.inputs.push(None);
                continue;
            }
            let number = self.number(name);
            let Some(before) = self.chains.get(&number) else {
                return Err(format!("a {} node needs {}, which nothing before it makes", node.kind, shown(name)));
            };
            chain = chain.max(*before + 1);
            node.inputs.push(Some(number));
        }
        if chain > MAX_CHAIN {
            return Err(format!("more than {MAX_CHAIN} of its nodes need each other in a row"));
        }
        for attribute in attributes {
            self.attribute(attribute, depth, &mut node)?;
        }
        if node.numbers.get("perm").is_some_and(|order| !is_permutation(order)) {
            return Err(format!("a {} node has an order that is not one", node.kind));
        }
        for name in outputs {
            if name.is_empty() {
                node.outputs.push(None);
                continue;
            }
            let number = self.number(name);
            if self.chains.contains_key(&number) {
                return Err(format!("two nodes make {}", shown(name)));
            }
            self.define(number, chain, local);
            node.outputs.push(Some(number));
        }
        Ok(node)
    }

    fn attribute(&mut self, bytes: &'a [u8], depth: usize, node: &mut Node) -> Result<(), String> {
        let (mut name, mut numbers): (&[u8], Vec<i64>) = (b"", Vec::new());
        let (mut is_number, mut graphs) = (false, Vec::new());
        for field in fields(bytes) {
            match field? {
                (1, value) => name = value.bytes()?,
                (3, value) => {
                    numbers.push(value.number()?);
                    is_number = true;
                }
                (8, value) => {
                    value.numbers(&mut numbers)?;
                    is_number = true;
                }
                (5, tensor) => node.tensor = Some(self.tensor(tensor.bytes()?)?.1),
                (6, graph) => graphs.push(graph.bytes()?),
                (10 | 11 | 14 | 15 | 22 | 23, _) => {
                    return Err(format!("a {} node has an attribute of a kind that is not supported", node.kind));
                }
                _ => {}
            }
        }
        for graph in graphs {
            let graph = self.graph(graph, depth + 1)?.0;
            // In an ONNX file, the branches may come in any order.
            if name == b"then_branch" { node.branches.insert(0, graph) } else { node.branches.push(graph) }
        }
        match name {
            b"value_int" => node.tensor = Some(Tensor::with(vec![], Some(clamped(numbers)))),
            b"value_ints" => node.tensor = Some(Tensor::vector(clamped(numbers))),
            b"value_float" => node.tensor = Some(Tensor::new(vec![])),
            _ if is_number => drop(node.numbers.insert(shown(name), numbers)),
            _ => {}
        }
        Ok(())
    }

    /// A tensor must have as many numbers as its shape says.
    fn tensor(&mut self, bytes: &'a [u8]) -> Result<(&'a [u8], Tensor), String> {
        self.tensors += 1;
        if self.tensors > MAX_TENSORS {
            return Err(format!("it has more than {MAX_TENSORS} tensors, which is the limit"));
        }
        let (mut name, mut dims, mut kind): (&[u8], Vec<i64>, i64) = (b"", Vec::new(), 0);
        let mut data: Vec<(u64, Value<'a>)> = Vec::new();
        for field in fields(bytes) {
            match field? {
                (1, value) => value.numbers(&mut dims)?,
                (2, value) => kind = value.number()?,
                (8, value) => name = value.bytes()?,
                (13, _) | (14, Value::Number(1..)) => return Err(EXTERNAL.to_owned()),
                (3, _) => return Err(format!("its tensor {} is in pieces", shown(name))),
                (number @ (4..=7 | 9..=11), value) => data.push((number, value)),
                _ => {}
            }
            if dims.len() > MAX_DIMS {
                return Err(format!("its tensor {} has more than {MAX_DIMS} dimensions", shown(name)));
            }
        }
        let wrong = || format!("its tensor {} has another size than its shape {dims:?} says", shown(name));
        let sizes: Option<Vec<u64>> = dims.iter().map(|dim| u64::try_from(*dim).ok()).collect();
        let sizes = sizes.ok_or_else(wrong)?;
        let elements = sizes.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim)).ok_or_else(wrong)?;
        let Some((bytes_each, field, width)) = layout(kind) else {
            return Err(format!("its tensor {} has numbers of a kind that is not supported ({kind})", shown(name)));
        };
        let mut found = 0;
        for (number, value) in &data {
            found += match number {
                9 if data.len() == 1 && (value.bytes()?.len() as u64).is_multiple_of(bytes_each) => {
                    value.bytes()?.len() as u64 / bytes_each
                }
                number if *number == field => value.count(width)?,
                _ => return Err(wrong()),
            };
        }
        if found != elements {
            return Err(wrong());
        }
        let values = if elements > MAX_VALUES as u64 { None } else { integers(kind, &data)? };
        Ok((name, Tensor::with(sizes, values)))
    }
}

/// The values of a tensor of whole numbers, or of truths.
fn integers(kind: i64, data: &[(u64, Value<'_>)]) -> Result<Option<Vec<i64>>, String> {
    let mut numbers = Vec::new();
    for (number, value) in data {
        match (number, kind) {
            (9, 7) => numbers.extend(value.bytes()?.as_chunks::<8>().0.iter().map(|bytes| i64::from_le_bytes(*bytes))),
            (9, 6) => {
                let whole = value.bytes()?.as_chunks::<4>().0.iter();
                numbers.extend(whole.map(|bytes| i64::from(i32::from_le_bytes(*bytes))));
            }
            (9, 9) => numbers.extend(value.bytes()?.iter().map(|byte| i64::from(*byte != 0))),
            (_, 6 | 7 | 9) => value.numbers(&mut numbers)?,
            _ => return Ok(None),
        }
    }
    Ok(matches!(kind, 6 | 7 | 9).then(|| clamped(numbers)))
}

/// As `rten` reads constants.
fn clamped(numbers: Vec<i64>) -> Vec<i64> {
    numbers.into_iter().map(|number| number.clamp(i32::MIN.into(), i32::MAX.into())).collect()
}

/// How many bytes a number of a kind has, the field that holds such numbers one by one, and how wide they are there (0: as needed).
fn layout(kind: i64) -> Option<(u64, u64, u64)> {
    Some(match kind {
        1 => (4, 4, 4),
        2 | 3 | 9 => (1, 5, 0),
        4 | 5 | 10 | 16 => (2, 5, 0),
        6 => (4, 5, 0),
        7 => (8, 7, 0),
        11 => (8, 10, 8),
        12 => (4, 11, 0),
        13 => (8, 11, 0),
        _ => return None,
    })
}

/// The name of an input, an output or a value within. Only tensors are used.
fn value_name(bytes: &[u8]) -> Result<&[u8], String> {
    let (mut name, mut is_tensor): (&[u8], bool) = (b"", true);
    for field in fields(bytes) {
        match field? {
            (1, value) => name = value.bytes()?,
            (2, kind) => {
                for field in fields(kind.bytes()?) {
                    is_tensor &= !matches!(field?, (4 | 5 | 7 | 8 | 9, _));
                }
            }
            _ => {}
        }
    }
    if is_tensor { Ok(name) } else { Err(format!("its value {} is not a tensor", shown(name))) }
}

fn is_permutation(order: &[i64]) -> bool {
    order.len() <= MAX_DIMS && (0..order.len() as i64).all(|place| order.contains(&place))
}

/// A name from outside, for a person.
fn shown(name: &[u8]) -> String {
    const MAX_SHOWN: usize = 60;
    String::from_utf8_lossy(&name[..name.len().min(MAX_SHOWN)]).escape_debug().to_string()
}
