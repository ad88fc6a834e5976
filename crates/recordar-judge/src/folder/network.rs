//! The ONNX network, run by `rten`.

use super::Input;
use super::onnx::{EXTERNAL, Outline};
use crate::error::{FETCH_AGAIN, JudgeError};
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use std::cell::OnceCell;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// As many as the shortest pairs have.
const FEW_TOKENS: usize = 5;

pub(super) struct Network {
    model: Model,
    outline: Outline,
    inputs: Vec<(NodeId, InputKind)>,
    output: NodeId,
}

/// The thread that a network runs on: one, so that callers decide how many run.
#[derive(Default)]
pub(crate) struct Thread(OnceCell<Arc<ThreadPool>>);

#[derive(Clone, Copy)]
enum InputKind {
    Ids,
    Mask,
    Types,
}

impl Network {
    pub(super) fn load(bytes: Vec<u8>, path: &Path) -> Result<Self, JudgeError> {
        let refused = |problem: String| {
            let is_elsewhere = problem == EXTERNAL;
            let remedy =
                if is_elsewhere { "save the model as one ONNX file, without external data" } else { FETCH_AGAIN };
            JudgeError::file(path, problem, remedy)
        };
        let outline = Outline::read(&bytes).map_err(refused)?;
        // What does not depend on the text is computed while it is loaded.
        outline.check(FEW_TOKENS).map_err(refused)?;
        let loaded = ModelOptions::with_all_ops().enable_optimization(may_optimize()).load(bytes);
        let model =
            loaded.map_err(|error| JudgeError::file(path, format!("it cannot be loaded ({error})"), FETCH_AGAIN))?;
        let name =
            |id: &NodeId| model.node_info(*id).and_then(|info| info.name().map(str::to_owned)).unwrap_or_default();
        let mut inputs = Vec::new();
        for id in model.input_ids() {
            let kind = match name(id).as_str() {
                "input_ids" => InputKind::Ids,
                "attention_mask" => InputKind::Mask,
                "token_type_ids" => InputKind::Types,
                other => {
                    let problem = format!("it has an input {other:?}");
                    let remedy = "export it with the inputs input_ids, attention_mask and token_type_ids only";
                    return Err(JudgeError::file(path, problem, remedy));
                }
            };
            inputs.push((*id, kind));
        }
        let wanted = ["logits", "last_hidden_state", "token_embeddings"];
        let output = model.output_ids().iter().find(|id| wanted.contains(&name(id).as_str()));
        let (Some(output), false) = (output.copied(), inputs.is_empty()) else {
            let remedy = "export it with the output logits, or last_hidden_state for an embedder";
            return Err(JudgeError::file(path, "it has no input, or no output of a known name", remedy));
        };
        Ok(Self { model, outline, inputs, output })
    }

    /// The logits of one pair.
    pub(super) fn logits(&self, input: Input, count: usize, thread: &Thread) -> Result<Vec<f32>, String> {
        let (numbers, shape) = self.run(input, thread)?;
        match shape.as_slice() {
            [1, found] if *found == count => Ok(numbers),
            [1] if count == 1 => Ok(numbers),
            other => Err(format!("its output has the shape {other:?} instead of [1, {count}]")),
        }
    }

    /// The hidden states of one text, row by row, and their width.
    pub(super) fn hidden(&self, input: Input, thread: &Thread) -> Result<(Vec<f32>, usize), String> {
        let tokens = input.ids.len();
        let (numbers, shape) = self.run(input, thread)?;
        match shape.as_slice() {
            [1, rows, width] if *rows == tokens && *width > 0 => Ok((numbers, *width)),
            other => Err(format!("its output has the shape {other:?} instead of [1, {tokens}, any]")),
        }
    }

    fn run(&self, input: Input, thread: &Thread) -> Result<(Vec<f32>, Vec<usize>), String> {
        self.outline.check(input.ids.len())?;
        let shape = [1, input.ids.len()];
        let tensor = |kind: InputKind| match kind {
            InputKind::Ids => NdTensor::from_data(shape, input.ids.clone()),
            InputKind::Mask => NdTensor::full(shape, 1_i32),
            InputKind::Types => NdTensor::from_data(shape, input.types.clone()),
        };
        let inputs = self.inputs.iter().map(|(id, kind)| (*id, tensor(*kind).into())).collect();
        let pool = thread.0.get_or_init(|| Arc::new(ThreadPool::with_num_threads(1)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
        let mut outputs = self
            .model
            .run(inputs, &[self.output], Some(options))
            .map_err(|error| format!("it cannot be run ({error})"))?;
        let output = outputs.pop().ok_or("it gave nothing")?;
        let shape = output.shape().to_vec();
        let numbers = output.into_tensor::<f32>().ok_or("its output is not of 32-bit numbers")?.into_data();
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err("it gave a result that is not a number".to_owned());
        }
        Ok((numbers, shape))
    }
}

/// `rten` optimises a network on threads that all networks share. A process that was forked from one that has them does not have them, and
/// would wait for them forever.
fn may_optimize() -> bool {
    static FIRST_PROCESS: OnceLock<u32> = OnceLock::new();
    let process = std::process::id();
    *FIRST_PROCESS.get_or_init(|| process) == process
}
