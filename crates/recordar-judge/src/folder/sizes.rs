//! How large everything gets that a network computes, found before it computes anything. `rten` allocates what a network asks for, and a process
//! that asks for more memory than there is ends at once.

use super::graph::{Graph, MAX_VALUES, Node, Tensor};
use rustc_hash::{FxHashMap, FxHashSet};

const MAX_DIMS: usize = 8;

/// What a run may take.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Numbers of one tensor.
    pub(super) elements: u64,
    /// Numbers of all tensors that are needed at the same time.
    pub(super) live: u64,
    /// Products of numbers.
    pub(super) products: u64,
}

impl Limits {
    /// 512 MB for a tensor, 1 GB for all. A model of 24 layers takes about 2^37 products for 512 tokens.
    pub(super) const USUAL: Self = Self { elements: 1 << 27, live: 1 << 28, products: 1 << 39 };
    /// For many networks in a row.
    pub(super) const SMALL: Self = Self { elements: 1 << 18, live: 1 << 20, products: 1 << 24 };
}

/// Says which node would make too much, or something whose size cannot be told. `names`: how many values there are.
pub(super) fn check(graph: &Graph, inputs: &[usize], names: usize, tokens: u64, limits: Limits) -> Result<(), String> {
    let mut run = Run { values: vec![None; names], products: 0, limits };
    for input in inputs {
        run.values[*input] = Some(Tensor::new(vec![1, tokens]));
    }
    run.graph(graph, 0)
}

struct Run {
    values: Vec<Option<Tensor>>,
    products: u64,
    limits: Limits,
}

impl Run {
    /// `live`: what is needed at the same time outside of the graph.
    fn graph(&mut self, graph: &Graph, mut live: u64) -> Result<(), String> {
        for (name, tensor) in &graph.tensors {
            self.values[*name] = Some(tensor.clone());
        }
        let mut last_use = FxHashMap::default();
        for (number, node) in graph.nodes.iter().enumerate() {
            last_use.extend(node.outputs.iter().flatten().map(|name| (*name, number)));
            node.uses(&mut |name| {
                last_use.insert(name, number);
            });
        }
        last_use.extend(graph.outputs.iter().map(|name| (*name, usize::MAX)));
        // What nodes of this graph made, and is still needed.
        let mut kept = FxHashSet::default();
        for (number, node) in graph.nodes.iter().enumerate() {
            let made = self.node(node, live)?;
            for (name, tensor) in node.outputs.iter().zip(made) {
                let elements = tensor.elements();
                if elements > self.limits.elements || tensor.dims.len() > MAX_DIMS {
                    return Err(format!("a {} node would make a tensor of the shape {:?}", node.kind, tensor.dims));
                }
                if let Some(name) = name {
                    live += elements;
                    kept.insert(*name);
                    self.values[*name] = Some(tensor);
                }
            }
            if self.products > self.limits.products {
                let most = self.limits.products;
                return Err(format!("at a {} node, it has computed more than {most} numbers", node.kind));
            }
            if live > self.limits.live {
                return Err(format!("at a {} node, {live} numbers are needed at the same time", node.kind));
            }
            let mut ended = |name: usize| {
                if last_use.get(&name) == Some(&number) && kept.remove(&name) {
                    live = live.saturating_sub(self.values[name].as_ref().map_or(0, Tensor::elements));
                }
            };
            node.uses(&mut ended);
            node.outputs.iter().flatten().for_each(|name| ended(*name));
        }
        Ok(())
    }

    fn node(&mut self, node: &Node, live: u64) -> Result<Vec<Tensor>, String> {
        if node.kind == "If" {
            return self.branch(node, live);
        }
        let unknown = || format!("a {} node needs something whose size is not known before", node.kind);
        let given = |name: &Option<usize>| match name {
            Some(name) => self.values[*name].as_ref().map(Some).ok_or_else(unknown),
            None => Ok(None),
        };
        let inputs = node.inputs.iter().map(given).collect::<Result<_, String>>()?;
        let step = Step { node, inputs };
        let made = step.infer().ok_or_else(|| step.problem())?;
        self.products = self.products.saturating_add(step.products(&made));
        Ok(made)
    }

    fn branch(&mut self, node: &Node, live: u64) -> Result<Vec<Tensor>, String> {
        let condition = node.inputs.first().and_then(|name| self.values[(*name)?].as_ref()?.values.clone());
        let taken: Vec<&Graph> = match (condition.as_deref(), node.branches.as_slice()) {
            (Some([0]), [_, other]) => vec![other],
            (Some([_]), [then, _]) => vec![then],
            (_, both) => both.iter().collect(),
        };
        let mut given: Option<Vec<Tensor>> = None;
        for graph in taken {
            self.graph(graph, live)?;
            let made: Option<Vec<Tensor>> = graph.outputs.iter().map(|name| self.values[*name].clone()).collect();
            let unclear = || "it is not clear what an If node gives".to_owned();
            let mut made = made.ok_or_else(unclear)?;
            if let Some(before) = given {
                if before.iter().map(|tensor| &tensor.dims).ne(made.iter().map(|tensor| &tensor.dims)) {
                    return Err(unclear());
                }
                made = made.into_iter().map(|tensor| Tensor::new(tensor.dims)).collect();
            }
            given = Some(made);
        }
        given.ok_or_else(|| "an If node has no branch".to_owned())
    }
}

/// A node and the values that it gets.
struct Step<'a> {
    node: &'a Node,
    inputs: Vec<Option<&'a Tensor>>,
}

impl Step<'_> {
    fn problem(&self) -> String {
        let shapes: Vec<&[u64]> = self.inputs.iter().flatten().map(|tensor| tensor.dims.as_slice()).collect();
        format!(
            "a {} node is not supported, or does not fit its inputs {shapes:?}, or makes something whose size is not known before",
            self.node.kind
        )
    }

    fn input(&self, place: usize) -> Option<&Tensor> {
        self.inputs.get(place).copied().flatten()
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.node.numbers.get(name)?.first().copied()
    }

    /// A list that is an input in later versions of an operator, and an attribute in earlier ones. Within: none, if it is left out.
    fn list(&self, name: &str, place: usize) -> Option<Option<Vec<i64>>> {
        match (self.input(place), self.node.numbers.get(name)) {
            (Some(tensor), _) => Some(Some(tensor.values.clone()?)),
            (None, list) => Some(list.cloned()),
        }
    }

    fn axis(&self, default: i64, rank: usize) -> Option<usize> {
        place(self.number("axis").unwrap_or(default), rank)
    }

    /// The products of numbers that it takes.
    fn products(&self, made: &[Tensor]) -> u64 {
        let inner = match self.node.kind.as_str() {
            "MatMul" | "FusedMatMul" | "MatMulInteger" | "QLinearMatMul" | "Gemm" => {
                let is_turned = self.number("transA").unwrap_or_default() != 0;
                let mut dims = self.input(0).map(|first| first.dims.iter().rev()).into_iter().flatten();
                dims.nth(usize::from(is_turned)).copied().unwrap_or(1)
            }
            _ => 1,
        };
        made.iter().fold(0, |all, tensor| all.saturating_add(tensor.elements().saturating_mul(inner)))
    }

    fn infer(&self) -> Option<Vec<Tensor>> {
        let one = |tensor: Tensor| Some(vec![tensor]);
        match self.node.kind.as_str() {
            "Constant" => one(self.node.tensor.clone()?),
            "Identity" => one(self.input(0)?.clone()),
            "Cast" => one(self.cast()?),
            "Abs" | "BiasGelu" | "BitwiseNot" | "CastLike" | "Ceil" | "Clip" | "Cos" | "CumSum"
            | "DequantizeLinear" | "Elu" | "Erf" | "Exp" | "FastGelu" | "Floor" | "Gelu" | "HardSigmoid"
            | "HardSwish" | "IsInf" | "IsNaN" | "LeakyRelu" | "Log" | "LogSoftmax" | "Mish" | "QuantizeLinear"
            | "QuickGelu" | "RMSNormalization" | "Reciprocal" | "Relu" | "Round" | "ScatterElements" | "ScatterND"
            | "Selu" | "Sigmoid" | "Sign" | "Sin" | "Softmax" | "Softplus" | "Softsign" | "Sqrt" | "Swish" | "Tanh"
            | "Trilu" => one(Tensor::new(self.input(0)?.dims.clone())),
            "Neg" => self.elementwise(|values| values[0].checked_neg()),
            "Not" => self.elementwise(|values| Some(i64::from(values[0] == 0))),
            "LayerNormalization" | "SimplifiedLayerNormalization" => one(Tensor::new(self.input(0)?.dims.clone())),
            // The second and third are other sums, which nothing needs.
            "SkipLayerNormalization" | "SkipSimplifiedLayerNormalization"
                if self.node.outputs.iter().skip(1).take(2).all(Option::is_none) =>
            {
                Some(vec![Tensor::new(self.input(0)?.dims.clone()); self.node.outputs.len()])
            }
            "Dropout" => Some(vec![Tensor::new(self.input(0)?.dims.clone()); self.node.outputs.len()]),
            "DynamicQuantizeLinear" => {
                Some(vec![Tensor::new(self.input(0)?.dims.clone()), Tensor::new(vec![]), Tensor::new(vec![])])
            }
            "Add" => self.elementwise(|values| values[0].checked_add(values[1])),
            "Sub" => self.elementwise(|values| values[0].checked_sub(values[1])),
            "Mul" => self.elementwise(|values| values[0].checked_mul(values[1])),
            "Div" => self.elementwise(|values| values[0].checked_div(values[1])),
            "Equal" => self.elementwise(|values| Some(i64::from(values[0] == values[1]))),
            "Less" => self.elementwise(|values| Some(i64::from(values[0] < values[1]))),
            "LessOrEqual" => self.elementwise(|values| Some(i64::from(values[0] <= values[1]))),
            "Greater" => self.elementwise(|values| Some(i64::from(values[0] > values[1]))),
            "GreaterOrEqual" => self.elementwise(|values| Some(i64::from(values[0] >= values[1]))),
            "And" => self.elementwise(|values| Some(i64::from(values[0] != 0 && values[1] != 0))),
            "Or" => self.elementwise(|values| Some(i64::from(values[0] != 0 || values[1] != 0))),
            "Min" => self.elementwise(|values| values.iter().min().copied()),
            "Max" => self.elementwise(|values| values.iter().max().copied()),
            "Where" => self.elementwise(|values| Some(if values[0] != 0 { values[1] } else { values[2] })),
            "Pow" | "Mod" | "Xor" | "Sum" | "Mean" | "PRelu" | "BitwiseAnd" | "BitwiseOr" => self.elementwise(|_| None),
            "MatMul" | "MatMulInteger" | "FusedMatMul" => one(self.matmul(self.input(0)?, self.input(1)?)?),
            "QLinearMatMul" => one(self.matmul(self.input(0)?, self.input(3)?)?),
            "Gemm" => one(self.matmul(self.input(0)?, self.input(1)?)?),
            "Shape" => self.shape(),
            "Size" => one(Tensor::with(vec![], Some(vec![i64::try_from(self.input(0)?.elements()).ok()?]))),
            "Reshape" => self.reshape(),
            "Flatten" => self.flatten(),
            "Squeeze" => self.squeeze(),
            "Unsqueeze" => self.unsqueeze(),
            "Transpose" => self.transpose(),
            "Concat" => self.concat(),
            "Slice" => self.slice(),
            "Split" => self.split(),
            "Gather" => self.gather(),
            "GatherElements" => one(Tensor::new(self.input(1)?.dims.clone())),
            "GatherND" => self.gather_nd(),
            "Expand" => self.expand(),
            "Tile" => self.tile(),
            "ConstantOfShape" => self.constant_of_shape(),
            "Range" => self.range(),
            "Pad" => self.pad(),
            "OneHot" => self.one_hot(),
            "TopK" => self.top_k(),
            "ReduceL1" | "ReduceL2" | "ReduceLogSumExp" | "ReduceMax" | "ReduceMean" | "ReduceMin" | "ReduceProd"
            | "ReduceSum" | "ReduceSumSquare" => self.reduce(),
            "ArgMax" | "ArgMin" => {
                let axis = self.axis(0, self.input(0)?.dims.len())?;
                one(self.reduced(&[axis]))
            }
            _ => None,
        }
    }

    /// Shapes stretch to each other; numbers are computed one by one if all are known.
    fn elementwise(&self, compute: impl Fn(&[i64]) -> Option<i64>) -> Option<Vec<Tensor>> {
        let inputs: Option<Vec<&Tensor>> = self.inputs.iter().copied().collect();
        let inputs = inputs.filter(|inputs| !inputs.is_empty())?;
        let mut dims = Vec::new();
        for input in &inputs {
            dims = broadcast(&dims, &input.dims)?;
        }
        let known: Option<Vec<Vec<i64>>> = inputs.iter().map(|input| stretched(input, &dims)).collect();
        let values = known.and_then(|known| {
            let rows = (0..known[0].len()).map(|at| known.iter().map(|values| values[at]).collect::<Vec<i64>>());
            rows.map(|row| compute(&row)).collect()
        });
        Some(vec![Tensor::with(dims, values)])
    }

    fn matmul(&self, first: &Tensor, second: &Tensor) -> Option<Tensor> {
        let is_turned = |name: &str| self.number(name).unwrap_or_default() != 0;
        if is_turned("transBatchA") || is_turned("transBatchB") {
            return None;
        }
        let (mut one, mut other) = (first.dims.clone(), second.dims.clone());
        let (is_row, is_column) = (one.len() == 1, other.len() == 1);
        if is_row {
            one.insert(0, 1);
        }
        if is_column {
            other.push(1);
        }
        for (dims, name) in [(&mut one, "transA"), (&mut other, "transB")] {
            let rank = dims.len();
            if rank >= 2 && is_turned(name) {
                dims.swap(rank - 1, rank - 2);
            }
        }
        let ([outer @ .., rows, inner], [other_outer @ .., other_inner, columns]) = (one.as_slice(), other.as_slice())
        else {
            return None;
        };
        if inner != other_inner {
            return None;
        }
        let mut dims = broadcast(outer, other_outer)?;
        dims.extend((!is_row).then_some(rows));
        dims.extend((!is_column).then_some(columns));
        Some(Tensor::new(dims))
    }

    /// Floats are not followed: they lose what numbers of 32 bits have.
    fn cast(&self) -> Option<Tensor> {
        const INTEGERS: [i64; 2] = [6, 7];
        const TRUTH: i64 = 9;
        let data = self.input(0)?;
        let values = match self.number("to")? {
            TRUTH => data.values.as_ref().map(|values| values.iter().map(|value| i64::from(*value != 0)).collect()),
            to => data.values.clone().filter(|_| INTEGERS.contains(&to)),
        };
        Some(Tensor::with(data.dims.clone(), values))
    }

    fn shape(&self) -> Option<Vec<Tensor>> {
        let dims = &self.input(0)?.dims;
        let end = |name: &str, default: usize| -> usize {
            let at = self.number(name).unwrap_or(default as i64);
            (if at < 0 { at.saturating_add(dims.len() as i64) } else { at }).clamp(0, dims.len() as i64) as usize
        };
        let (start, end) = (end("start", 0), end("end", dims.len()));
        let part = dims.get(start..end.max(start))?;
        Some(vec![Tensor::vector(part.iter().map(|dim| i64::try_from(*dim).unwrap_or(i64::MAX)).collect())])
    }

    fn reshape(&self) -> Option<Vec<Tensor>> {
        let (data, shape) = (self.input(0)?, self.input(1)?.values.as_ref()?);
        let keeps_zero = self.number("allowzero").unwrap_or_default() == 0;
        let mut dims = Vec::new();
        let mut open = None;
        for (place, size) in shape.iter().enumerate() {
            dims.push(match size {
                -1 if open.is_none() => {
                    open = Some(place);
                    1
                }
                0 if keeps_zero => *data.dims.get(place)?,
                size => u64::try_from(*size).ok()?,
            });
        }
        let (all, given) = (data.elements(), dims.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim))?);
        if let Some(open) = open {
            dims[open] = all.checked_div(given)?;
        }
        (dims.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim))? == all)
            .then(|| vec![Tensor::with(dims, data.values.clone())])
    }

    fn flatten(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let rank = data.dims.len() as i64;
        let axis = self.number("axis").unwrap_or(1);
        let axis = if axis < 0 { axis.checked_add(rank)? } else { axis };
        let (rows, columns) = data.dims.split_at_checked(usize::try_from(axis).ok()?)?;
        let product = |dims: &[u64]| dims.iter().fold(1_u64, |all, dim| all.saturating_mul(*dim));
        Some(vec![Tensor::with(vec![product(rows), product(columns)], data.values.clone())])
    }

    fn squeeze(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let rank = data.dims.len();
        let axes: Vec<usize> = match self.list("axes", 1)? {
            Some(axes) => axes.iter().map(|axis| place(*axis, rank)).collect::<Option<_>>()?,
            None => (0..rank).filter(|axis| data.dims[*axis] == 1).collect(),
        };
        let is_single = axes.iter().all(|axis| data.dims[*axis] == 1);
        let dims = (0..rank).filter(|axis| !axes.contains(axis)).map(|axis| data.dims[axis]).collect();
        is_single.then(|| vec![Tensor::with(dims, data.values.clone())])
    }

    fn unsqueeze(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let axes = self.list("axes", 1)??;
        let rank = data.dims.len() + axes.len();
        let axes: Vec<usize> = axes.iter().map(|axis| place(*axis, rank)).collect::<Option<_>>()?;
        let mut rest = data.dims.iter();
        let dims: Option<Vec<u64>> =
            (0..rank).map(|axis| if axes.contains(&axis) { Some(1) } else { rest.next().copied() }).collect();
        let dims = dims.filter(|_| rest.next().is_none())?;
        Some(vec![Tensor::with(dims, data.values.clone())])
    }

    fn transpose(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let rank = data.dims.len();
        let order: Vec<i64> =
            self.node.numbers.get("perm").cloned().unwrap_or_else(|| (0..rank as i64).rev().collect());
        let dims: Option<Vec<u64>> = order.iter().map(|axis| Some(data.dims[place(*axis, rank)?])).collect();
        let dims = dims.filter(|dims| dims.len() == rank)?;
        Some(vec![Tensor::with(dims, data.values.clone().filter(|_| rank < 2))])
    }

    fn concat(&self) -> Option<Vec<Tensor>> {
        let parts: Option<Vec<&Tensor>> = self.inputs.iter().copied().collect();
        let parts = parts?;
        let rank = parts.first()?.dims.len();
        let axis = self.axis(0, rank)?;
        let mut dims = parts[0].dims.clone();
        dims[axis] = 0;
        for part in &parts {
            let fits = (0..rank).all(|at| at == axis || part.dims.get(at) == Some(&dims[at]));
            dims[axis] = dims[axis].checked_add(*part.dims.get(axis).filter(|_| fits && part.dims.len() == rank)?)?;
        }
        let values: Option<Vec<Vec<i64>>> = parts.iter().map(|part| part.values.clone()).collect();
        Some(vec![Tensor::with(dims, values.filter(|_| rank == 1).map(|values| values.concat()))])
    }

    fn slice(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let rank = data.dims.len();
        let (starts, ends) = (self.list("starts", 1)??, self.list("ends", 2)??);
        let axes = self.list("axes", 3)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
        let steps = self.list("steps", 4)?.unwrap_or_else(|| vec![1; starts.len()]);
        if ends.len() != starts.len() || axes.len() != starts.len() || steps.len() != starts.len() {
            return None;
        }
        let (mut dims, mut values) = (data.dims.clone(), data.values.clone().filter(|_| rank == 1));
        for (((start, end), axis), step) in starts.iter().zip(&ends).zip(&axes).zip(&steps) {
            let axis = place(*axis, rank)?;
            let size = i64::try_from(dims[axis]).ok()?;
            let bound =
                |at: i64, least: i64, most: i64| (if at < 0 { at.saturating_add(size) } else { at }).clamp(least, most);
            let (from, to) = match *step {
                1.. => (bound(*start, 0, size), bound(*end, 0, size)),
                0 => return None,
                // A large negative end stands for "to the very first".
                _ => (bound(*start, -1, size - 1), bound(*end, -1, size - 1)),
            };
            let count = if *step > 0 { (to - from).max(0) } else { (from - to).max(0) };
            dims[axis] = (count as u64).div_ceil(step.unsigned_abs());
            values = values.map(|values| {
                (0..dims[axis] as i64)
                    .filter_map(|at| values.get(usize::try_from(from + at * step).ok()?).copied())
                    .collect()
            });
        }
        Some(vec![Tensor::with(dims, values)])
    }

    fn split(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let axis = self.axis(0, data.dims.len())?;
        let (size, parts) = (data.dims[axis], self.node.outputs.len() as u64);
        let sizes: Vec<u64> = match self.list("split", 1)? {
            Some(sizes) => sizes.iter().map(|size| u64::try_from(*size).ok()).collect::<Option<_>>()?,
            None => {
                let each = size.div_ceil(parts.max(1));
                (0..parts).map(|part| each.min(size.saturating_sub(part * each))).collect()
            }
        };
        let fits =
            sizes.len() as u64 == parts && sizes.iter().try_fold(0_u64, |all, part| all.checked_add(*part))? == size;
        let mut start = 0;
        let tensors = sizes.iter().map(|part| {
            let mut dims = data.dims.clone();
            dims[axis] = *part;
            let values = data.values.as_ref().filter(|_| data.dims.len() == 1);
            let values = values.and_then(|values| Some(values.get(start..start + *part as usize)?.to_vec()));
            start += *part as usize;
            Tensor::with(dims, values)
        });
        fits.then(|| tensors.collect())
    }

    fn gather(&self) -> Option<Vec<Tensor>> {
        let (data, indices) = (self.input(0)?, self.input(1)?);
        let axis = self.axis(0, data.dims.len())?;
        let dims = [&data.dims[..axis], &indices.dims, &data.dims[axis + 1..]].concat();
        let chosen = data.values.as_ref().zip(indices.values.as_ref()).filter(|_| data.dims.len() == 1);
        let values = chosen.and_then(|(values, indices)| {
            indices.iter().map(|index| values.get(place(*index, values.len())?).copied()).collect()
        });
        Some(vec![Tensor::with(dims, values)])
    }

    fn gather_nd(&self) -> Option<Vec<Tensor>> {
        let (data, indices) = (self.input(0)?, self.input(1)?);
        let (depth, outer) = indices.dims.split_last()?;
        let batch = usize::try_from(self.number("batch_dims").unwrap_or_default()).ok()?;
        let inner = data.dims.get(batch.checked_add(usize::try_from(*depth).ok()?)?..)?;
        Some(vec![Tensor::new([outer, inner].concat())])
    }

    fn expand(&self) -> Option<Vec<Tensor>> {
        let (data, shape) = (self.input(0)?, sizes(self.input(1)?.values.as_ref()?)?);
        let dims = broadcast(&data.dims, &shape)?;
        let values = stretched(data, &dims);
        Some(vec![Tensor::with(dims, values)])
    }

    fn tile(&self) -> Option<Vec<Tensor>> {
        let (data, repeats) = (self.input(0)?, sizes(self.input(1)?.values.as_ref()?)?);
        if repeats.len() != data.dims.len() {
            return None;
        }
        let dims: Option<Vec<u64>> =
            data.dims.iter().zip(&repeats).map(|(dim, times)| dim.checked_mul(*times)).collect();
        let dims = dims?;
        let is_short = dims.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim))? <= MAX_VALUES as u64;
        let values = data.values.as_ref().filter(|_| data.dims.len() == 1 && is_short);
        let values = values.map(|values| values.repeat(repeats[0] as usize));
        Some(vec![Tensor::with(dims, values)])
    }

    fn constant_of_shape(&self) -> Option<Vec<Tensor>> {
        let dims = sizes(self.input(0)?.values.as_ref()?)?;
        // Without a tensor it is a float.
        let value = self.node.tensor.as_ref().and_then(|tensor| tensor.values.as_ref()?.first().copied());
        let tensor = Tensor::new(dims);
        let count = usize::try_from(tensor.elements()).ok().filter(|count| *count <= MAX_VALUES);
        Some(vec![Tensor::with(tensor.dims, value.zip(count).map(|(value, count)| vec![value; count]))])
    }

    fn range(&self) -> Option<Vec<Tensor>> {
        let number = |place: usize| match self.input(place)?.values.as_deref() {
            Some([number]) => Some(*number),
            _ => None,
        };
        let (start, limit, step) = (number(0)?, number(1)?, number(2)?);
        // A step of 0 would never end.
        let step_size = step.unsigned_abs();
        let round_up = step_size.checked_sub(1)?;
        let distance = if step > 0 { limit.checked_sub(start)? } else { start.checked_sub(limit)? };
        let count = u64::try_from(distance.max(0)).ok()?.checked_add(round_up)? / step_size;
        let values = (count <= MAX_VALUES as u64).then(|| (0..count as i64).map(|at| start + at * step).collect());
        Some(vec![Tensor::with(vec![count], values)])
    }

    fn pad(&self) -> Option<Vec<Tensor>> {
        let data = self.input(0)?;
        let rank = data.dims.len();
        let pads = self.list("pads", 1)??;
        let axes = self.list("axes", 3)?.unwrap_or_else(|| (0..rank as i64).collect());
        let (before, after) =
            pads.split_at_checked(axes.len()).filter(|(before, after)| before.len() == after.len())?;
        let mut dims = data.dims.clone();
        for ((axis, before), after) in axes.iter().zip(before).zip(after) {
            let dim = &mut dims[place(*axis, rank)?];
            *dim = dim.checked_add_signed(before.checked_add(*after)?)?;
        }
        Some(vec![Tensor::new(dims)])
    }

    fn one_hot(&self) -> Option<Vec<Tensor>> {
        let (indices, depth) = (self.input(0)?, self.input(1)?.values.as_ref()?.first()?);
        let mut dims = indices.dims.clone();
        dims.insert(self.axis(-1, dims.len() + 1)?, u64::try_from(*depth).ok()?);
        Some(vec![Tensor::new(dims)])
    }

    fn top_k(&self) -> Option<Vec<Tensor>> {
        let (data, count) = (self.input(0)?, self.input(1)?.values.as_ref()?.first()?);
        let mut dims = data.dims.clone();
        let axis = self.axis(-1, dims.len())?;
        dims[axis] = u64::try_from(*count).ok()?;
        Some(vec![Tensor::new(dims.clone()), Tensor::new(dims)])
    }

    fn reduce(&self) -> Option<Vec<Tensor>> {
        let rank = self.input(0)?.dims.len();
        let axes = self.list("axes", 1)?.filter(|axes| !axes.is_empty());
        let axes: Vec<usize> = match axes {
            Some(axes) => axes.iter().map(|axis| place(*axis, rank)).collect::<Option<_>>()?,
            None if self.number("noop_with_empty_axes").unwrap_or_default() != 0 => Vec::new(),
            None => (0..rank).collect(),
        };
        let reduced = self.reduced(&axes);
        let numbers = self.input(0)?.values.as_ref().filter(|_| axes.len() == rank);
        let value = numbers.and_then(|numbers| match self.node.kind.as_str() {
            "ReduceProd" => numbers.iter().try_fold(1_i64, |all, number| all.checked_mul(*number)),
            "ReduceSum" => numbers.iter().try_fold(0_i64, |all, number| all.checked_add(*number)),
            "ReduceMax" => numbers.iter().max().copied(),
            "ReduceMin" => numbers.iter().min().copied(),
            _ => None,
        });
        Some(vec![Tensor::with(reduced.dims, value.map(|value| vec![value]))])
    }

    fn reduced(&self, axes: &[usize]) -> Tensor {
        let dims = self.input(0).map(|data| data.dims.as_slice()).unwrap_or_default();
        let keeps = self.number("keepdims").unwrap_or(1) != 0;
        let kept = dims.iter().enumerate().filter_map(|(axis, dim)| match axes.contains(&axis) {
            true => keeps.then_some(1),
            false => Some(*dim),
        });
        Tensor::new(kept.collect())
    }
}

/// An axis or an index, counted from the end if it is negative.
fn place(at: i64, size: usize) -> Option<usize> {
    let at = if at < 0 { at.checked_add(size as i64)? } else { at };
    usize::try_from(at).ok().filter(|at| *at < size)
}

fn sizes(values: &[i64]) -> Option<Vec<u64>> {
    values.iter().map(|value| u64::try_from(*value).ok()).collect()
}

/// The shape that two shapes stretch to.
fn broadcast(one: &[u64], other: &[u64]) -> Option<Vec<u64>> {
    let rank = one.len().max(other.len());
    let at = |dims: &[u64], axis: usize| (axis + dims.len()).checked_sub(rank).map_or(1, |axis| dims[axis]);
    (0..rank)
        .map(|axis| match (at(one, axis), at(other, axis)) {
            (first, second) if first == second => Some(first),
            (1, size) | (size, 1) => Some(size),
            _ => None,
        })
        .collect()
}

/// The numbers of a tensor that is stretched to a shape, if they are known and few.
fn stretched(tensor: &Tensor, dims: &[u64]) -> Option<Vec<i64>> {
    let values = tensor.values.as_ref()?;
    let count =
        dims.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim)).filter(|count| *count <= MAX_VALUES as u64)?;
    let skipped = dims.len() - tensor.dims.len();
    (0..count)
        .map(|at| {
            let (mut rest, mut index, mut stride) = (at, 0, 1);
            for (axis, dim) in dims.iter().enumerate().rev() {
                let (place, own) = (rest % dim, axis.checked_sub(skipped).map_or(1, |axis| tensor.dims[axis]));
                rest /= dim;
                index += if own == 1 { 0 } else { place * stride };
                stride *= own;
            }
            values.get(usize::try_from(index).ok()?).copied()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_a_range_that_never_ends_or_is_too_long_to_count_is_refused() {
        let check = |[start, limit, step]: [i64; 3], expected: Option<&[i64]>| {
            // As a file may have them: `Tensor::with` would not let all of them pass.
            let number = |value| Tensor { dims: Vec::new(), values: Some(vec![value]) };
            let [start, limit, step] = [start, limit, step].map(number);
            let step = Step { node: &Node::default(), inputs: vec![Some(&start), Some(&limit), Some(&step)] };
            let values = step.range().map(|made| made[0].values.clone().unwrap());
            assert_eq!(values.as_deref(), expected);
        };
        check([0, 5, 2], Some(&[0, 2, 4]));
        check([5, 0, -3], Some(&[5, 2]));
        check([5, 0, 3], Some(&[]));
        check([0, 5, 0], None);
        check([0, 0, 0], None);
        check([i64::MIN, i64::MAX, 1], None);
        check([i64::MAX, i64::MIN, -1], None);
    }
}
