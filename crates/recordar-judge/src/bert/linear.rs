//! Matrices of 8-bit weights, and the rows that are multiplied with them, which are rounded to 8 bits each.

use super::math::{self, Then};
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::NdTensorView;

/// Multiplies matrices of integers exactly.
pub(super) struct IntGemm {
    executor: GemmExecutor<u8, i8, i32>,
    /// Processors without VNNI add pairs of products in 16 bits, which hold them only if the left numbers are below 129:
    /// there each is split in two.
    split: bool,
}

impl Default for IntGemm {
    fn default() -> Self {
        let executor = GemmExecutor::<u8, i8, i32>::new();
        let split = executor.may_saturate();
        Self { executor, split }
    }
}

impl IntGemm {
    /// `sums = left × right`. Shapes are ours and always fit; if they did not, the sums would be zeros.
    fn multiply(&self, left: &[u8], right: &PackedBMatrix<i8>, inputs: usize, sums: &mut [i32]) {
        if self.split {
            let half: Vec<u8> = left.iter().map(|value| value / 2).collect();
            let rest: Vec<u8> = left.iter().map(|value| value - value / 2).collect();
            self.add_product(&half, right, inputs, sums, 0);
            self.add_product(&rest, right, inputs, sums, 1);
        } else {
            self.add_product(left, right, inputs, sums, 0);
        }
    }

    fn add_product(&self, left: &[u8], right: &PackedBMatrix<i8>, inputs: usize, sums: &mut [i32], beta: i32) {
        let left = NdTensorView::from_data([left.len() / inputs, inputs], left);
        let options = GemmOptions { beta, ..GemmOptions::default() };
        let done = self.executor.gemm(sums, GemmInputA::Unpacked(left), GemmInputB::Packed(right), options);
        debug_assert!(done.is_ok(), "{done:?}");
    }
}

pub(super) struct Linear {
    weights: PackedBMatrix<i8>,
    inputs: usize,
    pub(super) output: Output,
}

/// What turns sums of integers into outputs.
pub(super) struct Output {
    pub(super) scales: Vec<f32>,
    pub(super) bias: Vec<f32>,
    /// The sum of each output's weights: inputs are stored with an offset, which is taken away after the product.
    pub(super) weight_sums: Vec<i32>,
}

impl Linear {
    /// `weights` has a row for each output.
    pub(super) fn new(gemm: &IntGemm, weights: &[u8], inputs: usize, scales: Vec<f32>, bias: Vec<f32>) -> Self {
        // -128 never comes out of our packing, and would not fit where products are split.
        let weights: Vec<i8> = weights.iter().map(|byte| (*byte as i8).max(-127)).collect();
        let weight_sums =
            weights.chunks_exact(inputs).map(|row| row.iter().map(|weight| i32::from(*weight)).sum()).collect();
        let by_output = NdTensorView::from_data([weights.len() / inputs, inputs], &weights[..]);
        let weights = gemm.executor.prepack_b(by_output.transposed());
        Self { weights, inputs, output: Output { scales, bias, weight_sums } }
    }

    pub(super) fn outputs(&self) -> usize {
        self.output.scales.len()
    }

    pub(super) fn apply(&self, gemm: &IntGemm, rows: &Quantised, sums: &mut Vec<i32>, then: Then, out: &mut Vec<f32>) {
        out.resize(rows.len() * self.outputs(), 0.0);
        self.apply_to(gemm, rows, sums, then, out);
    }

    /// `out` has the size of the result.
    pub(super) fn apply_to(&self, gemm: &IntGemm, rows: &Quantised, sums: &mut Vec<i32>, then: Then, out: &mut [f32]) {
        sums.resize(rows.len() * self.outputs(), 0);
        gemm.multiply(&rows.values, &self.weights, self.inputs, sums);
        math::scale(sums, rows, &self.output, then, out);
    }
}

/// Rows of numbers in 8 bits: a number is `(value - offset) × scale`, with an offset and a scale for each row.
#[derive(Default)]
pub(super) struct Quantised {
    pub(super) values: Vec<u8>,
    pub(super) rows: Vec<RowScale>,
    width: usize,
}

#[derive(Clone, Copy, Default)]
pub(super) struct RowScale {
    pub(super) scale: f32,
    pub(super) offset: i32,
}

impl Quantised {
    pub(super) fn fill(&mut self, numbers: &[f32], width: usize) {
        self.width = width;
        self.values.resize(numbers.len(), 0);
        math::quantise(numbers, width, &mut self.values, &mut self.rows);
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Only the first rows.
    pub(super) fn keep(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.values.truncate(rows * self.width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_products_are_exact_whole_and_split() {
        let (rows, inputs, outputs) = (9, 1536, 33);
        let value = |index: usize| (index as u32).wrapping_mul(2_654_435_761) >> 24;
        let left: Vec<u8> =
            (0..rows * inputs).map(|index| if index < inputs { 255 } else { value(index) as u8 }).collect();
        let weights: Vec<u8> =
            (0..outputs * inputs).map(|index| if index < inputs { 127 } else { value(index + 7) as u8 }).collect();
        let mut gemm = IntGemm::default();
        let linear = Linear::new(&gemm, &weights, inputs, vec![1.0; outputs], vec![0.0; outputs]);
        for split in [false, true] {
            if gemm.executor.may_saturate() && !split {
                continue;
            }
            gemm.split = split;
            let mut sums = vec![1; rows * outputs];
            gemm.multiply(&left, &linear.weights, inputs, &mut sums);
            for (row, column) in (0..rows).flat_map(|row| (0..outputs).map(move |column| (row, column))) {
                let products = (0..inputs).map(|at| {
                    i32::from(left[row * inputs + at]) * i32::from((weights[column * inputs + at] as i8).max(-127))
                });
                assert_eq!(sums[row * outputs + column], products.sum::<i32>(), "{row} {column} split {split}");
            }
        }
    }
}
