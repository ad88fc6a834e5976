//! A network as far as its sizes are concerned: its nodes, what they need and make, and the whole numbers that decide about shapes. Weights are left
//! out.

use std::collections::BTreeMap;

/// The numbers of a tensor are known if it is short, since it may be a shape.
pub(super) const MAX_VALUES: usize = 4096;

/// A graph with the tensors that it brings along, and the names of what it gives.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) tensors: Vec<(usize, Tensor)>,
    pub(super) nodes: Vec<Node>,
    pub(super) outputs: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) kind: String,
    /// By number; some are left out.
    pub(super) inputs: Vec<Option<usize>>,
    pub(super) outputs: Vec<Option<usize>>,
    /// Whole numbers by name: one, or a list.
    pub(super) numbers: BTreeMap<String, Vec<i64>>,
    /// The tensor of a constant.
    pub(super) tensor: Option<Tensor>,
    /// The branches of an `If`, the one for true first.
    pub(super) branches: Vec<Graph>,
}

impl Node {
    /// Everything that it or its branches use.
    pub(super) fn uses(&self, take: &mut impl FnMut(usize)) {
        self.inputs.iter().flatten().for_each(|name| take(*name));
        for branch in &self.branches {
            branch.outputs.iter().for_each(|name| take(*name));
            branch.nodes.iter().for_each(|node| node.uses(take));
        }
    }
}

/// The shape of a value, and its numbers where they are whole and do not depend on the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tensor {
    pub(super) dims: Vec<u64>,
    pub(super) values: Option<Vec<i64>>,
}

impl Tensor {
    pub(super) fn new(dims: Vec<u64>) -> Self {
        Self { dims, values: None }
    }

    /// `rten` computes in 32 bits. Beyond those, what it gets is not known.
    pub(super) fn with(dims: Vec<u64>, values: Option<Vec<i64>>) -> Self {
        let tensor = Self { dims, values };
        let is_known = |values: &Vec<i64>| {
            let is_whole = values.len() <= MAX_VALUES && values.len() as u64 == tensor.elements();
            is_whole && values.iter().all(|value| i32::try_from(*value).is_ok())
        };
        if tensor.values.as_ref().is_some_and(is_known) { tensor } else { Self { values: None, ..tensor } }
    }

    pub(super) fn vector(values: Vec<i64>) -> Self {
        Self::with(vec![values.len() as u64], Some(values))
    }

    pub(super) fn elements(&self) -> u64 {
        self.dims.iter().fold(1, |all, dim| all.saturating_mul(*dim))
    }
}
