//! Attention of all heads over one pair, in 32 bits.

use super::math;
use crate::asset::LANES;
use pulp::{Arch, Simd, WithSimd};

pub(super) struct Attention<'a> {
    /// A row for each token that looks.
    pub(super) query: &'a [f32],
    /// A row for each token that is looked at: its keys, then its values.
    pub(super) key_value: &'a [f32],
    pub(super) tokens: usize,
    pub(super) heads: usize,
    pub(super) width: usize,
}

#[derive(Default)]
pub(super) struct AttentionSpace {
    query: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    scores: Vec<f32>,
    seen: Vec<f32>,
    sums: Vec<f32>,
}

impl Attention<'_> {
    pub(super) fn run(self, space: &mut AttentionSpace, context: &mut Vec<f32>) {
        context.resize(self.query.len(), 0.0);
        Arch::new().dispatch(Run { attention: self, space, context });
    }
}

struct Run<'a> {
    attention: Attention<'a>,
    space: &'a mut AttentionSpace,
    context: &'a mut [f32],
}

impl WithSimd for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { attention, space, context } = self;
        for head in 0..attention.heads {
            attention.one_head(simd, head, space, context);
        }
    }
}

impl Attention<'_> {
    #[inline(always)]
    fn one_head<S: Simd>(&self, simd: S, head: usize, space: &mut AttentionSpace, context: &mut [f32]) {
        let size = self.width / self.heads;
        let padded = self.tokens.next_multiple_of(LANES);
        self.gather(head, size, padded, space);
        let AttentionSpace { query, keys, values, scores, seen, sums } = space;
        let rows = query.len() / size;
        scores.resize(rows * padded, 0.0);
        multiply(simd, query, size, keys, padded, scores);
        sums.clear();
        for row in scores.chunks_exact_mut(padded) {
            sums.push(exponentials(row, self.tokens));
        }
        seen.resize(rows * size, 0.0);
        multiply(simd, scores, padded, values, size, seen);
        for ((row, sum), out) in seen.chunks_exact(size).zip(&*sums).zip(context.chunks_exact_mut(self.width)) {
            let inverse = 1.0 / sum;
            for (out, value) in out[head * size..][..size].iter_mut().zip(row) {
                *out = value * inverse;
            }
        }
    }

    /// A head's part of the rows: queries, keys with a column for each token, and values. What pads them is 0.
    #[inline(always)]
    fn gather(&self, head: usize, size: usize, padded: usize, space: &mut AttentionSpace) {
        let scale = 1.0 / (size as f32).sqrt();
        space.query.clear();
        for row in self.query.chunks_exact(self.width) {
            space.query.extend(row[head * size..][..size].iter().map(|number| number * scale));
        }
        space.keys.clear();
        space.keys.resize(size * padded, 0.0);
        space.values.clear();
        for (token, row) in self.key_value.chunks_exact(2 * self.width).enumerate() {
            let (keys, values) = row.split_at(self.width);
            for (at, key) in keys[head * size..][..size].iter().enumerate() {
                space.keys[at * padded + token] = *key;
            }
            space.values.extend_from_slice(&values[head * size..][..size]);
        }
        space.values.resize(padded * size, 0.0);
    }
}

/// Each score becomes e to the power of how much it is below the highest; returns their sum. Padding becomes 0.
#[inline(always)]
fn exponentials(row: &mut [f32], tokens: usize) -> f32 {
    row[tokens..].fill(f32::NEG_INFINITY);
    let mut highest = [f32::NEG_INFINITY; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            highest[lane] = math::larger(chunk[lane], highest[lane]);
        }
    }
    let mut top = f32::NEG_INFINITY;
    for lane in highest {
        top = math::larger(lane, top);
    }
    for score in row.iter_mut() {
        *score = math::exp(*score - top);
    }
    row[tokens..].fill(0.0);
    math::sum(
        row,
        #[inline(always)]
        |number| number,
    )
}

/// `out = left × right`: `left` has rows of `inputs`, `right` and `out` have rows of `outputs`, a multiple of the lanes.
/// Each result is one chain of fused multiply-and-adds from the first input to the last, however wide the vectors are.
#[inline(always)]
fn multiply<S: Simd>(simd: S, left: &[f32], inputs: usize, right: &[f32], outputs: usize, out: &mut [f32]) {
    // Vectors of 16 lanes come with 32 registers, and those of 8 with 16: as many sums as fit beside what they are made of.
    if S::F32_LANES >= 16 {
        multiply_blocks::<S, 8>(simd, left, inputs, right, outputs, out);
    } else {
        multiply_blocks::<S, 4>(simd, left, inputs, right, outputs, out);
    }
}

#[inline(always)]
fn multiply_blocks<S: Simd, const R: usize>(
    simd: S,
    left: &[f32],
    inputs: usize,
    right: &[f32],
    outputs: usize,
    out: &mut [f32],
) {
    let (right, _) = S::as_simd_f32s(right);
    let columns = outputs / S::F32_LANES;
    let mut left_blocks = left.chunks_exact(R * inputs);
    let mut out_blocks = out.chunks_exact_mut(R * outputs);
    for (left, out) in left_blocks.by_ref().zip(out_blocks.by_ref()) {
        multiply_rows::<S, R>(simd, left, inputs, right, columns, out);
    }
    let rows = left_blocks.remainder().chunks_exact(inputs);
    for (left, out) in rows.zip(out_blocks.into_remainder().chunks_exact_mut(outputs)) {
        multiply_rows::<S, 1>(simd, left, inputs, right, columns, out);
    }
}

#[inline(always)]
fn multiply_rows<S: Simd, const R: usize>(
    simd: S,
    left: &[f32],
    inputs: usize,
    right: &[S::f32s],
    columns: usize,
    out: &mut [f32],
) {
    let (out, _) = S::as_mut_simd_f32s(out);
    let mut column = 0;
    while column + 2 <= columns {
        tile::<S, R, 2>(simd, left, inputs, right, columns, column, out);
        column += 2;
    }
    if column < columns {
        tile::<S, R, 1>(simd, left, inputs, right, columns, column, out);
    }
}

/// R rows and C vectors of the result, which stay in registers.
#[inline(always)]
fn tile<S: Simd, const R: usize, const C: usize>(
    simd: S,
    left: &[f32],
    inputs: usize,
    right: &[S::f32s],
    columns: usize,
    column: usize,
    out: &mut [S::f32s],
) {
    let mut sums = [[simd.splat_f32s(0.0); C]; R];
    let rows: [&[f32]; R] = std::array::from_fn(|row| &left[row * inputs..][..inputs]);
    for at in 0..inputs {
        let right = &right[at * columns + column..][..C];
        for row in 0..R {
            let value = simd.splat_f32s(rows[row][at]);
            for vector in 0..C {
                sums[row][vector] = simd.mul_add_f32s(value, right[vector], sums[row][vector]);
            }
        }
    }
    for row in 0..R {
        out[row * columns + column..][..C].copy_from_slice(&sums[row]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Multiply<'a>(&'a [f32], usize, &'a [f32], usize, &'a mut [f32]);

    impl WithSimd for Multiply<'_> {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            multiply(simd, self.0, self.1, self.2, self.3, self.4);
        }
    }

    #[test]
    fn i22_vectors_of_every_width_give_the_same_bits() {
        let value = |index: usize| ((index as u32).wrapping_mul(2_654_435_761) >> 8) as f32 / 1e7 - 0.8;
        for (rows, inputs, outputs) in [(1, 16, 16), (6, 32, 48), (9, 48, 32), (19, 32, 16)] {
            let left: Vec<f32> = (0..rows * inputs).map(value).collect();
            let right: Vec<f32> = (0..inputs * outputs).map(|index| value(index + 99)).collect();
            let (mut wide, mut scalar) = (vec![0.0; rows * outputs], vec![0.0; rows * outputs]);
            Arch::new().dispatch(Multiply(&left, inputs, &right, outputs, &mut wide));
            Multiply(&left, inputs, &right, outputs, &mut scalar).with_simd(pulp::Scalar::new());
            for row in 0..rows {
                for column in 0..outputs {
                    let expected = (0..inputs)
                        .fold(0.0_f32, |sum, at| left[row * inputs + at].mul_add(right[at * outputs + column], sum));
                    assert_eq!(wide[row * outputs + column].to_bits(), expected.to_bits());
                    assert_eq!(scalar[row * outputs + column].to_bits(), expected.to_bits());
                }
            }
        }
    }
}
